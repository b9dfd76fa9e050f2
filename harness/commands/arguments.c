#include "harness/commands/arguments.h"
#include "base/heap.h"
#include "harness/analysis/names.h"
#include "harness/experiment/problems.h"
#include "harness/results/reference.h"
#include "harness/text/screen.h"
#include "puzzle/goal.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- A board ---- */

enum { KEY_SIZE = 256, KEY_JSON, KEY_PLUGIN };

static const struct argp_option board_options[] = {
    {"size", KEY_SIZE, "WxH", 0, "Columns x rows (default 3x3, or as what else is given shows it)",
     0},
    {"goal", 'g', "GOAL", 0, "blank-last (default), blank-first, snail or a whole board", 0},
    {0},
};

struct board_arguments board_arguments_start(unsigned max_cells)
{
    struct board_arguments arguments = {.max_cells = max_cells, .goal = DEFAULT_GOAL};
    shape_make(3, 3, &arguments.shape);
    return arguments;
}

void board_arguments_size(struct board_arguments *arguments, const char *value,
                          const struct argp_state *state)
{
    if (!shape_parse(value, &arguments->shape) || arguments->shape.cells > arguments->max_cells)
        argp_error(
            state,
            "--size %s: expected columns x rows such as 4x3, both at least %d, at most %u cells",
            value, MIN_SIDE, arguments->max_cells);
    arguments->has_shape = true;
}

static error_t parse_board(int key, char *value, struct argp_state *state)
{
    struct board_arguments *arguments = state->input;
    switch (key) {
    case KEY_SIZE:
        board_arguments_size(arguments, value, state);
        return 0;
    case 'g':
        arguments->goal = value;
        arguments->has_goal = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp board_parser = {.options = board_options, .parser = parse_board};

/* ---- A word of a list ---- */

unsigned arguments_word(const struct argp_state *state, const char *what, const char *text,
                        const char *const *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    argp_error(state, "unknown %s '%s'; expected %s%s", what, text_printable(text),
               words_listed(words, count), word_meant(text, words, count));
    return 0;
}

/* ---- An experiment ---- */

static error_t parse_experiment(int key, char *value, struct argp_state *state)
{
    struct experiment_arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->overrides;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->count == 1 && !arguments->several)
            argp_error(state, "a second experiment '%s'; expected one", value);
        arguments->names = heap_grow(arguments->names, arguments->count, sizeof *arguments->names);
        arguments->names[arguments->count++] = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->count == 0 && !arguments->optional)
            argp_error(state,
                       "no experiment; expected a YAML file or a name (tilelab list experiments)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child experiment_children[] = {{&overrides_parser, 0, NULL, 0}, {0}};

const struct argp experiment_parser = {.parser = parse_experiment, .children = experiment_children};

/* ---- A results folder with shards ---- */

static error_t parse_results(int key, char *value, struct argp_state *state)
{
    const char **results = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (*results != NULL)
            argp_error(state, "a second results folder '%s'; expected one", value);
        *results = value;
        return 0;
    case ARGP_KEY_END:
        if (*results == NULL)
            argp_error(state, "expected a results folder that has shards (tilelab run --shard)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp results_parser = {.parser = parse_results};

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
    report_start(&report, arguments->names[0]);
    bool fine = experiment_load(arguments->names[0], &arguments->overrides, &report, experiment);
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
    free(arguments->names);
    overrides_end(&arguments->overrides);
}

/* ---- Plugins ---- */

static error_t parse_plugin(int key, char *value, struct argp_state *state)
{
    char *problem;
    if (key != KEY_PLUGIN)
        return ARGP_ERR_UNKNOWN;
    if (!plugins_add(state->input, value, value, &problem))
        argp_error(state, "--plugin: %s", problem);
    return 0;
}

static const struct argp_option plugin_options[] = {
    {"plugin", KEY_PLUGIN, "FILE", 0,
     "A shared object with a heuristic of your own (tilelab/heuristic.h); it runs as part of "
     "tilelab",
     0},
    {0},
};

const struct argp plugins_parser = {.options = plugin_options, .parser = parse_plugin};

/* ---- What is printed ---- */

static error_t parse_json(int key, char *value, struct argp_state *state)
{
    (void)value;
    if (key != KEY_JSON)
        return ARGP_ERR_UNKNOWN;
    *(bool *)state->input = true;
    return 0;
}

static const struct argp_option json_options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON instead of text", 0},
    {0},
};

const struct argp json_parser = {.options = json_options, .parser = parse_json};

static error_t parse_quiet(int key, char *value, struct argp_state *state)
{
    (void)value;
    if (key != 'q')
        return ARGP_ERR_UNKNOWN;
    *(bool *)state->input = true;
    return 0;
}

static const struct argp_option quiet_options[] = {
    {"quiet", 'q', NULL, 0, "Print only errors", 0},
    {0},
};

const struct argp quiet_parser = {.options = quiet_options, .parser = parse_quiet};

void hide_minus_one(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "-1", 2) == 0 &&
            (argv[i][2] == '\0' || strchr(" ,;|])}\t\n", argv[i][2]) != NULL))
            argv[i] = heap_format(" %s", argv[i]);
}

bool names_file(const char *text)
{
    struct stat status;
    return stat(text, &status) == 0 ||
           (strpbrk(text, " \t\n,;[") == NULL && strpbrk(text, "./") != NULL &&
            strpbrk(text, "abcdefghijklmnopqrstuvw") != NULL);
}
