/* tilelab template: prints a solver to start one's own from. */
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/commands/templates.h"
#include "harness/experiment/data.h"
#include "harness/text/screen.h"
#include "help_texts.h"

const struct template templates[TEMPLATES] = {
#define TEMPLATE(name, file, summary, start, entry) {#name, file, summary, start, entry},
#include "harness/commands/templates.def"
#undef TEMPLATE
};

struct arguments {
    unsigned chosen; /* TEMPLATES: none */
};

static const struct command_option options[] = {
    {OPTION(NULL, 0, "LANGUAGE", "template", take_word, chosen), .max = 1,
     WORDS_OF(templates, TEMPLATES)},
    {0},
};

COMMAND_LINE(template, "[LANGUAGE]", NULL, help_template_txt);

void list_templates(struct list *list)
{
    list_start(list, "template|what it is|to start with it|in an experiment");
    for (unsigned i = 0; i < TEMPLATES; i++) {
        tidy_add(&list->rows, "%s %s %s %s", templates[i].name, templates[i].summary,
                 templates[i].start, templates[i].entry);
    }
}

static void print_list(void)
{
    struct list list = {0};
    list_templates(&list);
    list_rank(&list);
    tidy_print(&list.rows, stdout);
    tidy_end(&list.rows);
}

int command_template(int argc, char **argv)
{
    struct arguments arguments = {.chosen = TEMPLATES};
    command_line_parse(&template_line, argc, argv, &arguments);
    if (arguments.chosen == TEMPLATES) {
        print_list();
        return finish_output(EXIT_DONE);
    }
    const struct template *chosen = &templates[arguments.chosen];
    SCOPED char *path = data_path(DATA_TEMPLATES, chosen->file);
    if (path == NULL) {
        screen_say(
            stderr,
            "tilelab: the template %s was not found; set TILELAB_DATA to the folder that holds "
            "templates/%s\n",
            chosen->name, chosen->file);
        return EXIT_FAILED;
    }
    SCOPED_BY(report_end) struct report report = {.file = path};
    size_t length;
    SCOPED char *text = file_read(path, &length, &report);
    if (text == NULL)
        fputs(report.text, stderr);
    else
        fwrite(text, 1, length, stdout);
    return finish_output(text == NULL ? EXIT_FAILED : EXIT_DONE);
}
