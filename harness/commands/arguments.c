#include "harness/commands/arguments.h"
#include "base/heap.h"
#include "harness/analysis/metric.h"
#include "harness/analysis/names.h"
#include "harness/experiment/problems.h"
#include "harness/external/isolation.h"
#include "harness/results/reference.h"
#include "harness/text/document.h"
#include "harness/text/screen.h"
#include "pdb/pattern_store.h"
#include "puzzle/goal.h"
#include <stdio.h>
#include <string.h>

enum metric metric_asked(const struct parsing *parsing, const struct command_option *option,
                         const char *word)
{
    if (!metric_word_is_extra(word))
        return word_number(parsing, option, word);
    const enum metric metric = metric_extra_add(word, true);
    if (metric == METRICS)
        command_line_refuse(parsing, "%s beside %d of the column extra; expected no more at a time",
                            word, MAX_EXTRAS);
    return metric;
}

void take_metrics(const struct parsing *parsing, const struct command_option *option, void *target,
                  char *value)
{
    bool *marked = target;
    for (char *rest = value, *word; (word = strsep(&rest, ",")) != NULL;)
        marked[metric_asked(parsing, option, word)] = true;
}

void take_size(const struct parsing *parsing, const struct command_option *option, void *target,
               char *value)
{
    struct board_arguments *arguments = target;
    (void)option;
    if (!shape_parse(value, &arguments->shape) || arguments->shape.cells > arguments->max_cells)
        command_line_refuse(
            parsing,
            "--size %s: expected columns x rows such as 4x3, both at least %d, at most %u cells",
            value, MIN_SIDE, arguments->max_cells);
    arguments->has_shape = true;
}

void take_goal(const struct parsing *parsing, const struct command_option *option, void *target,
               char *value)
{
    struct board_arguments *arguments = target;
    (void)parsing, (void)option;
    arguments->goal = value;
    arguments->has_goal = true;
}

struct board_arguments board_arguments_start(unsigned max_cells)
{
    struct board_arguments arguments = {.max_cells = max_cells, .goal = DEFAULT_GOAL};
    shape_make(3, 3, &arguments.shape);
    return arguments;
}

void take_pdb_dir(const struct parsing *parsing, const struct command_option *option, void *target,
                  char *value)
{
    (void)option, (void)target;
    if (value[0] == '\0')
        command_line_refuse(parsing, "--pdb-dir: expected a folder");
    pattern_store_folder(value);
}

void take_plugin(const struct parsing *parsing, const struct command_option *option, void *target,
                 char *value)
{
    char *problem;
    (void)option;
    if (!plugins_add(target, value, value, &problem))
        command_line_refuse(parsing, "--plugin: %s", problem);
    const char *isolated = plugins_isolated(target);
    char *missing = isolated == NULL ? NULL : isolation_missing();
    if (missing != NULL)
        command_line_refuse(parsing, "--plugin: %s is to run isolated: %s", isolated, missing);
}

void take_override(const struct parsing *parsing, const struct command_option *option, void *target,
                   char *value)
{
    (void)option;
    if (!overrides_add(target, value))
        command_line_refuse(parsing, "--set %s: expected KEY=VALUE, such as limits.time=5s", value);
}

/* Names each solver of a reference that is neither written as solvers are, nor a label of the
 * experiment, nor explained by a note, but nearly one of the experiment's: likely a typing error.
 * It is no problem, as a reference may have cells of solvers that the experiment does not run. */
static void say_strange_solvers(const struct experiment *experiment,
                                const struct reference *reference, const char *path)
{
    const char **words = heap_take(2 * experiment->solver_count, sizeof *words);
    struct names said = {0};
    size_t count = 0;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        words[count++] = experiment->solvers[i].text;
        if (experiment->solvers[i].label != NULL)
            words[count++] = experiment->solvers[i].label;
    }
    for (size_t i = 0; i < reference->count; i++) {
        const struct reference_cell *cell = &reference->cells[i];
        bool known = !cell->is_label || cell->note[0] != '\0';
        for (size_t j = 0; j < count && !known; j++)
            known = strcmp(cell->solver, words[j]) == 0;
        const size_t before = said.count;
        if (known || names_add(&said, cell->solver) < before)
            continue;
        char *meant = word_meant(cell->solver, words, count);
        if (meant[0] != '\0')
            screen_say(stderr,
                       "tilelab: %s:%zu:%zu: '%s' is neither a solver nor a label of this "
                       "experiment, so its cells are not measured%s\n",
                       path, cell->solver_line, cell->solver_column, cell->solver, meant);
        free(meant);
    }
    names_end(&said);
    free(words);
}

bool references_check(const struct experiment *experiment, struct report *report)
{
    bool fine = true;
    for (size_t i = 0; i < experiment->expectation_count; i++) {
        const struct expectation *own = &experiment->expectations[i];
        struct reference reference;
        report->file = own->path;
        if (reference_read(&reference, own->name, own->by, own->level, own->text, report))
            say_strange_solvers(experiment, &reference, own->path);
        else
            fine = false;
        reference_end(&reference);
    }
    return fine;
}

bool experiment_arguments_load(const struct experiment_arguments *arguments,
                               struct experiment *experiment)
{
    struct report report;
    report_start(&report, arguments->names.items[0]);
    bool fine =
        experiment_load(arguments->names.items[0], &arguments->overrides, &report, experiment);
    const bool loaded = fine;
    fine = fine && references_check(experiment, &report);
    if (!fine)
        problems_print(stderr, &report);
    report_end(&report);
    if (loaded && !fine)
        experiment_end(experiment);
    return fine;
}

void experiment_arguments_end(struct experiment_arguments *arguments)
{
    free(arguments->names.items);
    overrides_end(&arguments->overrides);
}

void hide_minus_one(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "-1", 2) == 0 &&
            (argv[i][2] == '\0' || strchr(" ,;|])}\t\n", argv[i][2]) != NULL))
            argv[i] = heap_format(" %s", argv[i]);
}

void take_order(const struct parsing *parsing, const struct command_option *option, void *target,
                char *value)
{
    if (!order_parse(value, target))
        command_line_refuse(
            parsing,
            "--%s %s: expected the letters U, D, L, R in any order, such as " DEFAULT_ORDER,
            option->name, value);
}
