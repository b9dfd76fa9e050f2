/* tilelab generate: writes an instance set. */
#include "instances/generate.h"
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/text/screen.h"
#include "help_texts.h"
#include "instances/set.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <errno.h>

enum { MAX_INSTANCES = 10000000, MAX_STEPS = 1000000, MAX_DEPTHS = 1000 };

struct arguments {
    struct board_arguments board;
    const char *output;
    struct generation generation;
    uint32_t depths[MAX_DEPTHS];
    bool json;
};

/* "2-30" or "20"; commas separate several. */
static void take_depths(const struct given *given)
{
    struct arguments *arguments = given->target;
    struct generation *generation = &arguments->generation;
    for (char *rest = given->value, *part; (part = strsep(&rest, ",")) != NULL;) {
        char *last = strchr(part, '-');
        if (last != NULL)
            *last++ = '\0';
        const uint64_t from = option_number(given, part, 0, MAX_DEPTHS);
        const uint64_t to = last == NULL ? from : option_number(given, last, from, MAX_DEPTHS);
        for (uint64_t depth = from; depth <= to; depth++) {
            if (generation->depth_count == MAX_DEPTHS)
                command_line_refuse(given->parsing, "--depth: more than %d depths", MAX_DEPTHS);
            arguments->depths[generation->depth_count++] = (uint32_t)depth;
        }
    }
}

static void take_seed(const struct given *given)
{
    char *end;
    errno = 0;
    *(uint64_t *)given->target = strtoull(given->value, &end, 10);
    if (given->value[0] < '0' || given->value[0] > '9' || *end != '\0' || errno != 0)
        command_line_refuse(given->parsing, "--seed %s: expected a whole number below 2^64",
                            given->value);
}

/* Whether the settings are those of the method. */
static void check_arguments(const struct parsing *parsing, void *context)
{
    static const struct {
        const char *key, *option, *needed; /* needed: as a message shows it; NULL: has a default */
    } settings[] = {{"count", "count", NULL},
                    {"steps", "steps", "--steps N"},
                    {"depths", "depth", "--depth LIST"},
                    {"distinct", "distinct", NULL},
                    {"solvable", "unsolvable", NULL}};
    struct arguments *arguments = context;
    const enum method method = arguments->generation.method;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const bool given = option_given(parsing, settings[i].option);
        if (settings[i].needed != NULL && !given && method_needs(method, settings[i].key))
            command_line_refuse(parsing, "--method %s needs %s", methods[method].name,
                                settings[i].needed);
        if (given && !method_takes(method, settings[i].key))
            command_line_refuse(parsing, "--%s has no meaning with --method %s", settings[i].option,
                                methods[method].name);
    }
    if (!method_needs(method, "count"))
        arguments->generation.count = 0;
}

static const struct command_option options[] = {
    {OPTION(NULL, 's', "WxH", "The same as --size", take_size, board)},
    {OPTION("count", 'c', "N", "How many boards; with --depth, for each depth (default 10)",
            take_unsigned, generation.count),
     .min = 1, .max = MAX_INSTANCES},
    {OPTION("method", 'm', "METHOD", "uniform (default), walk, depth or all (every solvable board)",
            take_word, generation.method),
     WORDS(method_names, METHODS)},
    {OPTION("seed", 'S', "N", "The seed (default 1)", take_seed, generation.seed)},
    {OPTION("steps", 0, "N", "walk: random moves from the goal, none undoing the one before",
            take_unsigned, generation.steps),
     .max = MAX_STEPS},
    {OPTION_OF_ALL("depth", 0, "LIST",
                   "depth, all: optimal distances, such as 20 or 2-30 or 2,4,10-12", take_depths)},
    {OPTION("distinct", 0, NULL, "No board twice", take_flag, generation.distinct)},
    {OPTION("unsolvable", 0, NULL, "uniform: boards that cannot reach the goal", take_flag,
            generation.unsolvable)},
    {OPTION("name", 'n', "NAME",
            "The name of the set, which determines its random streams (default generated)",
            take_text, generation.set)},
    {OPTION("output", 'o', "FILE", "Write to FILE, - is standard output (the default)", take_text,
            output)},
    {OPTION_SIZE(board)},
    {OPTION_GOAL(board)},
    {OPTION_JSON},
    {0},
};

COMMAND_LINE(generate, NULL, check_arguments, help_generate_txt);

static bool write_set(const struct arguments *arguments, const struct instance_list *list)
{
    SCOPED char *text = WRITTEN(stream, set_write(stream, list));
    const bool fine = file_write_typed(arguments->output, text, strlen(text));
    if (!fine)
        screen_say(stderr, "tilelab: %s cannot be written: %s\n", arguments->output,
                   strerror(errno));
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
    SCOPED struct arguments *arguments = heap_take(1, sizeof *arguments);
    SCOPED_BY(instance_list_end) struct instance_list list = {0};
    *arguments = (struct arguments){.board = board_arguments_start(MAX_CELLS),
                                    .generation = {.set = "generated", .seed = 1, .count = 10}};
    command_line_parse(&generate_line, argc, argv, arguments);
    if (arguments->output != NULL && strcmp(arguments->output, "-") == 0)
        arguments->output = NULL;
    arguments->generation.depths = arguments->depths;
    SCOPED_BY(report_end) struct report report = {.file = "--goal"};
    int code = EXIT_USAGE;
    const bool goal = goal_parse(arguments->board.goal, arguments->board.shape, FIRST_PLACE,
                                 &report, &arguments->generation.goal);
    report.file = "tilelab generate";
    if (goal && instances_generate(&arguments->generation, NO_PLACE, &report, &list)) {
        instances_look_up_optimal(&list);
        code = put_set(arguments, &list);
    } else {
        fputs(report.text, stderr);
    }
    return code;
}
