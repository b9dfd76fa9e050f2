#include "harness/commands/arguments.h"
#include "base/heap.h"
#include "harness/experiment/problems.h"
#include "puzzle/goal.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- A board ---- */

enum { KEY_SIZE = 256, KEY_JSON };

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

bool experiment_arguments_load(const struct experiment_arguments *arguments,
                               struct experiment *experiment)
{
    struct report report;
    report_start(&report, arguments->names[0]);
    const bool fine =
        experiment_load(arguments->names[0], &arguments->overrides, &report, experiment);
    if (!fine)
        problems_print(stderr, &report);
    report_end(&report);
    return fine;
}

void experiment_arguments_end(struct experiment_arguments *arguments)
{
    free(arguments->names);
    overrides_end(&arguments->overrides);
}

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
