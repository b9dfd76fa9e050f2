/* tilelab plot: runs plot.py, which ships with the program and draws with matplotlib. */
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/experiment/data.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    char *results;
    char *output; /* NULL: not given */
    bool json, quiet;
};

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "Where to write (default: figures/ beside runs.csv)", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->json;
        state->child_inputs[1] = &arguments->quiet;
        break;
    case 'o':
        arguments->output = value;
        break;
    case ARGP_KEY_ARG:
        if (arguments->results != NULL)
            argp_error(state, "a second results folder '%s'; expected one", value);
        arguments->results = value;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no results; expected a results folder or a CSV file of runs");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {
    {&json_parser, 0, NULL, 0}, {&quiet_parser, 0, NULL, 0}, {0}};

const struct argp plot_parser = {
    .options = options,
    .children = children,
    .parser = parse_option,
    .args_doc = "RESULTS",
    .doc = "Draw the figures of a results folder, or of a CSV file of runs, as SVG and PNG.\v"
           "Needs python3 and matplotlib (Debian: python3-matplotlib).",
};

int command_plot(int argc, char **argv)
{
    struct arguments arguments = {0};
    command_line_parse(&plot_parser, argc, argv, &arguments);
    char *script = data_path(DATA_SCRIPTS, "plot");
    if (script == NULL) {
        fputs(
            "tilelab: plot.py, which draws the figures, is neither beside the program nor where it "
            "was installed; set TILELAB_DATA to the folder that holds scripts/plot.py\n",
            stderr);
        return EXIT_FAILED;
    }
    char python[] = "python3";
    char json[] = "--json";
    char quiet[] = "--quiet";
    char option[] = "-o";
    char dashes[] = "--";
    char *words[9] = {python, script};
    size_t count = 2;
    if (arguments.json)
        words[count++] = json;
    if (arguments.quiet)
        words[count++] = quiet;
    if (arguments.output != NULL) {
        words[count++] = option;
        words[count++] = arguments.output;
    }
    words[count++] = dashes;
    words[count] = arguments.results;
    /* Debian's matplotlib belongs to the system's Python, which may not be the first on the path.
     */
    execv("/usr/bin/python3", words);
    execvp(python, words);
    fprintf(stderr, "tilelab: python3, which draws the figures, cannot be started: %s\n",
            strerror(errno));
    free(script);
    return EXIT_FAILED;
}
