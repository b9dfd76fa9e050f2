/* pandoc makes the document of the Markdown. */
#include "base/heap.h"
#include "harness/report/results_report.h"
#include "harness/text/filter.h"
#include "harness/text/screen.h"
#include <errno.h>

/* Has pandoc make the document, with pictures from a folder (NULL: none); NULL with a message. */
static char *convert(const char *markdown, size_t length, const char *pictures, size_t *written,
                     FILE *errors)
{
    SCOPED char *where = heap_format("--resource-path=%s", pictures == NULL ? "." : pictures);
    char *const words[] = {"pandoc", "--from=gfm", "--to=docx", "--output=-", where, NULL};
    char *document = NULL;
    const int status = filter_run(words, markdown, length, &document, written);
    if (status < 0)
        screen_say(errors,
                   "tilelab report: pandoc, which makes docx, cannot be started: %s; install it "
                   "(Debian: pandoc), or take --format markdown\n",
                   strerror(errno));
    else if (status != 0)
        fputs("tilelab report: pandoc could not make the document; its messages are above\n",
              errors);
    return document;
}

char *results_docx(const struct results_report *report, size_t *length)
{
    SCOPED_BY(figures_end) struct figures figures = report_figures(report);
    char *folder =
        any_figure(&figures) ? pictures_draw(&figures, PICTURE_PNG, report->errors) : NULL;
    SCOPED char *markdown = WRITTEN(
        file, results_skeleton_write(report, folder == NULL ? NULL : ".", PICTURE_PNG, file));
    char *document = convert(markdown, strlen(markdown), folder, length, report->errors);
    if (folder != NULL)
        pictures_remove(&figures, folder, PICTURE_PNG);
    return document;
}
