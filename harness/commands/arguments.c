#include "harness/commands/arguments.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/analysis/names.h"
#include "harness/experiment/problems.h"
#include "harness/external/isolation.h"
#include "harness/results/reference.h"
#include "harness/text/document.h"
#include "harness/text/screen.h"
#include "pdb/pattern_store.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"

enum metric metric_asked(const struct given *given, const char *word)
{
    if (!metric_word_is_extra(word))
        return word_number(given, word);
    const enum metric metric = metric_extra_add(word, true);
    if (metric == METRICS)
        command_line_refuse(given->parsing,
                            "%s beside %d of the column extra; expected no more at a time", word,
                            MAX_EXTRAS);
    return metric;
}

void take_metrics(const struct given *given)
{
    bool *marked = given->target;
    for (char *rest = given->value, *word; (word = strsep(&rest, ",")) != NULL;)
        marked[metric_asked(given, word)] = true;
}

void refuse_two_formats(const struct parsing *parsing)
{
    static const char *const names[] = {"format", "json", "markdown", "names"};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!option_given(parsing, names[i]))
            continue;
        if (first != NULL)
            command_line_refuse(parsing, "--%s and --%s; expected one of them", first, names[i]);
        first = names[i];
    }
}

void take_size(const struct given *given)
{
    struct board_arguments *arguments = given->target;
    if (!shape_parse(given->value, &arguments->shape) ||
        arguments->shape.cells > arguments->max_cells)
        command_line_refuse(
            given->parsing,
            "--size %s: expected columns x rows such as 4x3, both at least %d, at most %u cells",
            given->value, MIN_SIDE, arguments->max_cells);
    arguments->has_shape = true;
}

void take_goal(const struct given *given)
{
    struct board_arguments *arguments = given->target;
    SCOPED_BY(report_end) struct report ignored = {0};
    struct board goal;
    arguments->goal = given->value;
    arguments->has_goal = true;
    if (!arguments->has_shape && board_parse(given->value, NULL, FIRST_PLACE, &ignored, &goal) &&
        goal.shape.cells <= arguments->max_cells)
        arguments->shape = goal.shape;
}

struct board_arguments board_arguments_start(unsigned max_cells)
{
    struct board_arguments arguments = {.max_cells = max_cells, .goal = DEFAULT_GOAL};
    shape_make(3, 3, &arguments.shape);
    return arguments;
}

void take_pdb_dir(const struct given *given)
{
    pattern_store_folder(given->value);
}

void take_plugin(const struct given *given)
{
    char *problem;
    if (!plugins_add(given->target, given->value, given->value, &problem))
        command_line_refuse(given->parsing, "--plugin: %s", problem);
    const char *isolated = plugins_isolated(given->target);
    char *missing = isolated == NULL ? NULL : isolation_missing();
    if (missing != NULL)
        command_line_refuse(given->parsing, "--plugin: %s is to run isolated: %s", isolated,
                            missing);
}

void take_override(const struct given *given)
{
    if (!overrides_add(given->target, given->value))
        command_line_refuse(given->parsing, "--set %s: expected KEY=VALUE, such as limits.time=5s",
                            given->value);
}

/* Names each solver of a reference that is neither written as solvers are, nor a label of the
 * experiment, nor explained by a note, but nearly one of the experiment's: likely a typing error.
 * It is no problem, as a reference may have cells of solvers that the experiment does not run. */
static void say_strange_solvers(const struct experiment *experiment,
                                const struct reference *reference, const char *path)
{
    SCOPED_BY(names_end) struct names said = {0};
    size_t count;
    SCOPED const char **words = experiment_solver_words(experiment, &count);
    for (size_t i = 0; i < reference->count; i++) {
        const struct reference_cell *cell = &reference->cells[i];
        const bool known = !cell->is_label || cell->note[0] != '\0' ||
                           WORD_PLACE(words, count, cell->solver) < count;
        const size_t before = said.count;
        if (known || names_add(&said, cell->solver) < before)
            continue;
        SCOPED char *meant = word_meant(cell->solver, words, count);
        if (meant[0] != '\0')
            screen_say(stderr,
                       "tilelab: %s:%zu:%zu: '%s' is neither a solver nor a label of this "
                       "experiment, so its cells are not measured%s\n",
                       path, cell->solver_place.line, cell->solver_place.column, cell->solver,
                       meant);
    }
}

bool references_check(const struct experiment *experiment, struct report *report)
{
    bool fine = true;
    for (size_t i = 0; i < experiment->expectation_count; i++) {
        const struct expectation *own = &experiment->expectations[i];
        SCOPED_BY(reference_end) struct reference reference;
        report->file = own->path;
        if (reference_read(&reference, own->name, own->by, own->level, own->text, report))
            say_strange_solvers(experiment, &reference, own->path);
        else
            fine = false;
    }
    return fine;
}

bool experiment_arguments_load(const struct experiment_arguments *arguments,
                               struct experiment *experiment)
{
    SCOPED_BY(report_end) struct report report = {.file = arguments->names.items[0]};
    bool fine =
        experiment_load(arguments->names.items[0], &arguments->overrides, &report, experiment);
    const bool loaded = fine;
    fine = fine && references_check(experiment, &report);
    if (!fine)
        problems_print(stderr, &report);
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

void take_order(const struct given *given)
{
    if (!order_parse(given->value, given->target))
        command_line_refuse(
            given->parsing,
            "--%s %s: expected the letters U, D, L, R in any order, such as " DEFAULT_ORDER,
            given->option->name, given->value);
}
