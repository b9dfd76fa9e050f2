/* Texts and pictures for a page of HTML. */
#include "harness/text/html.h"
#include "tests/support.h"

static void check(void (*put)(const char *text, FILE *file), const char *text, const char *expected)
{
    SCOPED char *written = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&written, &length);
    assert_non_null(file);
    put(text, file);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(written, expected);
}

TEST(test_texts_are_no_markup)
{
    check(html_text, "a<b> & \"c\" 'd'", "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    check(html_plain, "</title><script>", "&lt;/title&gt;&lt;script&gt;");
    check(html_json, "</script> \"\\\" <!--", "\"\\u003c/script> \\\"\\\\\\\" \\u003c!--\"");
    check(html_text, "a\nb\x1b[31m", "a?b?[31m");
    check(html_json, "a\nb\xff", "\"a?b?\"");
}

TEST(test_leftward_texts_are_isolated)
{
    check(html_text, "a \u05d0\u05d1 1", "a <bdi>\u05d0\u05d1</bdi> 1");
    check(html_text, "\u05d0 \u05d1, \u0627\u0628",
          "<bdi>\u05d0 \u05d1</bdi>, <bdi>\u0627\u0628</bdi>");
    check(html_text, "\u05d0<", "<bdi>\u05d0</bdi>&lt;");
    check(html_text, "\u00e9\u4e2d\U0001f9e9", "\u00e9\u4e2d\U0001f9e9");
    check(html_plain, "\u05d0", "\u05d0");
}

TEST(test_pictures_lose_what_only_a_file_needs)
{
    check(html_picture,
          "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg role=\"img\">\n"
          "<metadata>\n <a xlink:href=\"x\"/>\n</metadata><defs><style "
          "type=\"text/css\">*{}</style></defs>\n"
          "  <a xlink:href=\"#run-1\"><title>xlink:href= &lt;</title>\n   <use xlink:href=\"#m\" "
          "d=\"M 0 0 \nL 1 1\"/></a>\n</svg>\n",
          "<svg role=\"img\">\n<defs></defs>\n<a tabindex=\"-1\" "
          "href=\"#run-1\"><title>xlink:href= &lt;</title>\n"
          "<use href=\"#m\" d=\"M 0 0  L 1 1\"/></a>\n</svg>\n");
    check(html_picture, "no picture", "");
    check(html_picture, "<svg><style>*{}</style>", "<svg>");
}
