/* tilelab generate: writes an instance set. */
#include "instances/generate.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/experiment/units.h"
#include "harness/text/screen.h"
#include "instances/set.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_INSTANCES = 10000000, MAX_STEPS = 1000000, MAX_DEPTHS = 1000 };

struct arguments {
    struct board_arguments board;
    const char *output;
    struct generation generation;
    uint32_t depths[MAX_DEPTHS];
    bool has_steps;
    bool has_count;
    bool json;
};

enum { KEY_STEPS = 256, KEY_DEPTH, KEY_DISTINCT };

static const struct argp_option options[] = {
    {NULL, 's', "WxH", 0, "The same as --size", 0},
    {"count", 'c', "N", 0, "How many boards; with --depth, for each depth (default 10)", 0},
    {"method", 'm', "METHOD", 0, "uniform (default), walk, depth or all (every solvable board)", 0},
    {"seed", 'S', "N", 0, "The seed (default 1)", 0},
    {"steps", KEY_STEPS, "N", 0, "walk: random moves from the goal, none undoing the one before",
     0},
    {"depth", KEY_DEPTH, "LIST", 0,
     "depth, all: optimal distances, such as 20 or 2-30 or 2,4,10-12", 0},
    {"distinct", KEY_DISTINCT, NULL, 0, "No board twice", 0},
    {"name", 'n', "NAME", 0,
     "The name of the set, which determines its random streams (default generated)", 0},
    {"output", 'o', "FILE", 0, "Write to FILE (default: standard output)", 0},
    {0},
};

static uint32_t number_option(struct argp_state *state, const char *option, const char *text,
                              uint64_t min, uint64_t max)
{
    uint64_t number;
    if (!parse_count(text, &number) || number < min || number > max)
        argp_error(state, "%s %s: expected a whole number from %lu to %lu", option, text,
                   (unsigned long)min, (unsigned long)max);
    return (uint32_t)number;
}

/* "2-30" or "20"; commas separate several. */
static void parse_depths(struct argp_state *state, struct arguments *arguments, const char *text)
{
    char *copy = heap_text(text);
    char *rest = copy;
    for (char *part; (part = strsep(&rest, ",")) != NULL;) {
        char *last = strchr(part, '-');
        if (last != NULL)
            *last++ = '\0';
        uint32_t from = number_option(state, "--depth", part, 0, MAX_DEPTHS);
        uint32_t to = last == NULL ? from : number_option(state, "--depth", last, from, MAX_DEPTHS);
        for (uint32_t depth = from; depth <= to; depth++) {
            if (arguments->generation.depth_count == MAX_DEPTHS)
                argp_error(state, "--depth %s: more than %d depths", text, MAX_DEPTHS);
            arguments->depths[arguments->generation.depth_count++] = depth;
        }
    }
    free(copy);
}

static void parse_method(struct argp_state *state, struct arguments *arguments, const char *text)
{
    for (unsigned i = 0; i < METHODS; i++)
        if (strcmp(text, method_names[i]) == 0) {
            arguments->generation.method = (enum method)i;
            return;
        }
    argp_error(state, "--method %s: expected %s%s", text, words_listed(method_names, METHODS),
               word_meant(text, method_names, METHODS));
}

static void check_combination(struct argp_state *state, const struct arguments *arguments)
{
    const struct generation *generation = &arguments->generation;
    if (generation->method == METHOD_WALK && !arguments->has_steps)
        argp_error(state, "--method walk needs --steps N");
    if (generation->method == METHOD_DEPTH && generation->depth_count == 0)
        argp_error(state, "--method depth needs --depth LIST");
    if (generation->method != METHOD_WALK && arguments->has_steps)
        argp_error(state, "--steps needs --method walk");
    if (generation->method != METHOD_DEPTH && generation->method != METHOD_ALL &&
        generation->depth_count > 0)
        argp_error(state, "--depth needs --method depth or all");
    if (generation->method == METHOD_ALL && (arguments->has_count || generation->distinct))
        argp_error(state, "--%s has no meaning with --method all",
                   arguments->has_count ? "count" : "distinct");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct generation *generation = &arguments->generation;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->board;
        state->child_inputs[1] = &arguments->json;
        break;
    case 's':
        board_arguments_size(&arguments->board, value, state);
        break;
    case 'c':
        arguments->has_count = true;
        generation->count = number_option(state, "--count", value, 1, MAX_INSTANCES);
        break;
    case 'm':
        parse_method(state, arguments, value);
        break;
    case 'S': {
        char *end;
        errno = 0;
        generation->seed = strtoull(value, &end, 10);
        if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0)
            argp_error(state, "--seed %s: expected a whole number below 2^64", value);
        break;
    }
    case KEY_STEPS:
        generation->steps = number_option(state, "--steps", value, 0, MAX_STEPS);
        arguments->has_steps = true;
        break;
    case KEY_DEPTH:
        parse_depths(state, arguments, value);
        break;
    case KEY_DISTINCT:
        generation->distinct = true;
        break;
    case 'n':
        generation->set = value;
        break;
    case 'o':
        arguments->output = value;
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'; generate takes only options", value);
        break;
    case ARGP_KEY_END:
        check_combination(state, arguments);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {
    {&board_parser, 0, NULL, 0}, {&json_parser, 0, NULL, 0}, {0}};

const struct argp generate_parser = {
    .options = options,
    .children = children,
    .parser = parse_option,
    .doc = "Write an instance set: a CSV file with id, width, height, start, goal and, if an "
           "exact table gives it, optimal_length.\vEach board is drawn from a random stream of its "
           "own: board number i does not depend on the count. To make the set of an experiment "
           "again, give its name, its seed and its other settings. With --output and --json the "
           "file is "
           "written as ever, and the boards are printed as JSON.",
};

static bool write_set(const struct arguments *arguments, const struct instance_list *list)
{
    char *text;
    size_t length;
    FILE *stream = heap_stream(&text, &length);
    set_write(stream, list);
    heap_stream_end(stream);
    const bool fine = file_write_typed(arguments->output, text, length);
    if (!fine)
        screen_say(stderr, "tilelab: %s cannot be written: %s\n", arguments->output,
                   strerror(errno));
    free(text);
    return fine;
}

/* The boards with the columns of a set. */
static json_t *set_json(const struct instance_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct instance *instance = &list->items[i];
        const char *goal = goal_name(&instance->goal);
        char start_line[BOARD_LINE];
        char goal_line[BOARD_LINE];
        board_line(&instance->start, start_line);
        board_line(&instance->goal, goal_line);
        json_t *object =
            json_pack("{s:s, s:i, s:i, s:s, s:s}", "id", instance->name, "width",
                      (int)instance->start.shape.width, "height", (int)instance->start.shape.height,
                      "start", start_line, "goal", goal == NULL ? goal_line : goal);
        json_object_set_new(object, "optimal_length",
                            instance->optimal_length == LENGTH_UNKNOWN
                                ? json_null()
                                : json_integer(instance->optimal_length));
        json_array_append_new(array, object);
    }
    return array;
}

/* Writes the set to its file, if it has one, and to standard output what belongs there. */
static int put_set(const struct arguments *arguments, const struct instance_list *list)
{
    if (arguments->output != NULL && !write_set(arguments, list))
        return EXIT_FAILED;
    if (arguments->json)
        print_json(set_json(list));
    else if (arguments->output == NULL)
        set_write(stdout, list);
    return finish_output(EXIT_DONE);
}

int command_generate(int argc, char **argv)
{
    struct arguments *arguments = heap_take(1, sizeof *arguments);
    struct instance_list list = {0};
    struct report report;
    *arguments = (struct arguments){.board = board_arguments_start(MAX_CELLS),
                                    .generation = {.set = "generated", .seed = 1, .count = 10}};
    command_line_parse(&generate_parser, argc, argv, arguments);
    arguments->generation.depths = arguments->depths;
    report_start(&report, "--goal");
    int code = EXIT_USAGE;
    const bool goal = goal_parse(arguments->board.goal, arguments->board.shape, 1, 1, &report,
                                 &arguments->generation.goal);
    report.file = "tilelab generate";
    if (goal && instances_generate(&arguments->generation, 0, 0, &report, &list)) {
        instances_look_up_optimal(&list);
        code = put_set(arguments, &list);
    } else {
        fputs(report.text, stderr);
    }
    report_end(&report);
    instance_list_end(&list);
    free(arguments);
    return code;
}
