/* tilelab plot: computes what is drawn, and has it drawn. */
#include "base/file.h"
#include "base/heap.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/comparison.h"
#include "harness/commands/draw.h"
#include "harness/commands/output.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MIN_WIDTH_MM = 60, MAX_WIDTH_MM = 1000 };

struct arguments {
    const char **results;
    size_t count;
    const char *output; /* NULL: not given */
    const char *baseline;
    bool wanted[FIGURES], metric[METRICS], pictures[PICTURES];
    double width_mm;
    bool data, json, quiet;
    bool chosen; /* --only was given */
};

enum { KEY_ONLY = 0x100, KEY_FORMAT, KEY_WIDTH, KEY_DATA, KEY_JSON };

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0,
     "Where to write (default: figures/ beside runs.csv; needed for several results)", 0},
    {"only", KEY_ONLY, "FIGURE,..", 0, "Draw these figures alone", 0},
    {"metric", 'm', "METRIC,..", 0,
     "What is taken for the cost: counters, length, wall_s or cpu_s (default: generated)", 0},
    {"baseline", 'b', "SOLVER", 0,
     "Which solver the scatters hold the others against (default: the experiment's, else the "
     "first)",
     0},
    {"format", KEY_FORMAT, "FORMAT,..", 0, "svg, png, pdf (default: svg,png)", 0},
    {"width", KEY_WIDTH, "WIDTH", 0,
     "How wide the figures are, such as 84mm, 8.4cm or 3.3in (default: 160mm); texts keep their "
     "size",
     0},
    {"data", KEY_DATA, NULL, 0, "Write each figure's numbers beside it, as CSV", 0},
    {"json", KEY_JSON, NULL, 0, "Print what would be drawn as JSON; write nothing", 0},
    {0},
};

/* Marks the words of a list such as "svg,pdf"; an unknown one ends the program. */
static void read_list(struct argp_state *state, const char *what, const char *text,
                      const char *const *words, unsigned count, bool *marked)
{
    memset(marked, 0, count * sizeof *marked);
    for (const char *at = text; at != NULL;) {
        const size_t length = strcspn(at, ",");
        char *word = heap_format("%.*s", (int)length, at);
        unsigned found = 0;
        while (found < count && strcmp(word, words[found]) != 0)
            found++;
        if (found == count)
            argp_error(state, "unknown %s '%s'; expected %s%s", what, word,
                       words_listed(words, count), word_meant(word, words, count));
        marked[found] = true;
        free(word);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
}

static double read_width(struct argp_state *state, const char *text)
{
    static const struct {
        const char *unit;
        double mm;
    } units[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}};
    char *end;
    const double number = strtod(text, &end);
    double width = NAN;
    for (size_t i = 0; end != text && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0)
            width = number * units[i].mm;
    if (!(width >= MIN_WIDTH_MM && width <= MAX_WIDTH_MM))
        argp_error(state, "width '%s'; expected one such as 84mm, 8.4cm or 3.3in, from %d to %dmm",
                   text, MIN_WIDTH_MM, MAX_WIDTH_MM);
    return width;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const char *names[(int)FIGURES > (int)METRICS ? (int)FIGURES : (int)METRICS];
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->quiet;
        return 0;
    case 'o':
        arguments->output = value;
        return 0;
    case 'b':
        arguments->baseline = value;
        return 0;
    case 'm':
        for (unsigned i = 0; i < METRICS; i++)
            names[i] = metric_column(i)->name;
        read_list(state, "metric", value, names, METRICS, arguments->metric);
        return 0;
    case KEY_ONLY:
        for (unsigned i = 0; i < FIGURES; i++)
            names[i] = figure_rows[i].name;
        read_list(state, "figure", value, names, FIGURES, arguments->wanted);
        arguments->chosen = true;
        return 0;
    case KEY_FORMAT:
        read_list(state, "format", value, picture_names, PICTURES, arguments->pictures);
        return 0;
    case KEY_WIDTH:
        arguments->width_mm = read_width(state, value);
        return 0;
    case KEY_DATA:
        arguments->data = true;
        return 0;
    case KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        arguments->results = heap_grow(arguments->results, arguments->count, sizeof value);
        arguments->results[arguments->count++] = value;
        return 0;
    case ARGP_KEY_END:
        if (arguments->count == 0)
            argp_error(state, "no results; expected one or more results folders or CSV files of "
                              "runs");
        if (arguments->count > 1 && arguments->output == NULL && !arguments->json)
            argp_error(state, "several results have no folder in common; expected -o DIR");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&quiet_parser, 0, NULL, 0}, {0}};

const struct argp plot_parser = {
    .options = options,
    .children = children,
    .parser = parse_option,
    .args_doc = "RESULTS...",
    .doc =
        "Draws figures of results, those that the data can carry, for each set of boards.\v"
        "The figures, which 'tilelab list figures' explains: by_length, box, scatter, "
        "solved_within, survival, profile, ranks, quality, pareto, memory, heuristic, rounds and "
        "cover.\n\n"
        "RESULTS are read as compare reads them, and all numbers are made by the same code. An "
        "unsolved run is worse than every solved one. A solver looks the same in all figures of "
        "all experiments. The same rows give the same bytes.\n\n"
        "Needs python3 and matplotlib (Debian: python3-matplotlib).",
};

/* Reports which rows are in no figure. */
static void note_rows(const struct comparison *comparison)
{
    const struct results *results = &comparison->results;
    size_t rows = 0;
    for (size_t i = 0; i < results->strangers.solvers.count; i++)
        rows += results->strangers.rows[i];
    for (size_t i = 0; i < results->other_limits.solvers.count; i++)
        rows += results->other_limits.rows[i];
    for (size_t i = 0; i < comparison->note_count; i++)
        screen_say(stderr, "tilelab plot: %s\n", comparison->notes[i].text);
    if (rows > 0)
        screen_say(stderr,
                   "tilelab plot: left out: %zu row%s of solvers or limits that are not the "
                   "experiment's; compare names them\n",
                   rows, plural(rows));
}

/* Removes files of an earlier call for a figure that is no longer drawn. */
static void remove_old(const char *folder, const char *name)
{
    static const char *const endings[] = {"svg", "png", "pdf", "csv"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path = heap_format("%s/%s.%s", folder, name, endings[i]);
        unlink(path);
        free(path);
    }
}

/* Whether every file that is drawn can be written; the folder of the results is not a link. */
static bool can_write(const struct figures *figures, const struct arguments *arguments,
                      const char *folder)
{
    const char *endings[PICTURES + 1];
    size_t count = 0;
    for (unsigned i = 0; i < PICTURES; i++)
        if (arguments->pictures[i])
            endings[count++] = picture_names[i];
    if (arguments->data)
        endings[count++] = "csv";
    if (arguments->output == NULL && file_is_link(folder)) {
        screen_say(stderr,
                   "tilelab plot: '%s' is a link; expected a folder; -o DIR writes elsewhere\n",
                   folder);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < count * figures->count && good; i++) {
        const struct figure *figure = &figures->figures[i / count];
        char *path = heap_format("%s/%s.%s", folder, figure->name, endings[i % count]);
        good = figure->missing != NULL || file_may_write(path);
        if (!good)
            screen_say(stderr, "tilelab plot: cannot write '%s': %s; -o DIR writes elsewhere\n",
                       path, file_problem(errno));
        free(path);
    }
    return good;
}

static bool write_data(const struct figures *figures, const char *folder, bool quiet)
{
    bool good = folders_make(folder);
    for (size_t i = 0; good && i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        char *file = heap_format("%s.csv", figure->name);
        if (figure->missing == NULL) {
            good = tidy_write(&figure->table, folder, file);
            if (good && !quiet)
                printf("%s/%s\n", folder, file);
        }
        free(file);
    }
    if (!good)
        screen_say(stderr, "tilelab plot: cannot write into '%s': %s; -o DIR writes elsewhere\n",
                   folder, file_problem(errno));
    return good;
}

/* Reports what is not drawn, and why, one line per set. */
static void say_missing(const struct figures *figures)
{
    const struct block *block = NULL;
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        if (figure->missing == NULL)
            continue;
        if (figure->block != block)
            screen_say(stderr, "%stilelab plot: %s: not drawn: ", block == NULL ? "" : "\n",
                       figure->block->name);
        screen_say(stderr, "%s%s (%s)", figure->block != block ? "" : ", ", figure->kind,
                   figure->missing);
        block = figure->block;
    }
    if (block != NULL)
        putc('\n', stderr);
}

/* Draws, and prints the paths of the files. */
static int draw(const struct figures *figures, const struct arguments *arguments,
                const char *folder)
{
    struct drawing drawing = {.folder = folder, .width_mm = arguments->width_mm};
    memcpy(drawing.pictures, arguments->pictures, sizeof drawing.pictures);
    size_t there = 0;
    if (!can_write(figures, arguments, folder))
        return EXIT_FAILED;
    for (size_t i = 0; i < figures->count; i++) {
        there += figures->figures[i].missing == NULL;
        if (figures->figures[i].missing != NULL)
            remove_old(folder, figures->figures[i].name);
    }
    if (!arguments->quiet)
        say_missing(figures);
    if (there == 0)
        return EXIT_DONE;
    const int code = figures_draw(figures, &drawing);
    for (size_t i = 0; code == EXIT_DONE && i < figures->count; i++)
        for (unsigned j = 0; j < PICTURES; j++)
            if (figures->figures[i].missing == NULL && drawing.pictures[j] && !arguments->quiet)
                printf("%s/%s.%s\n", folder, figures->figures[i].name, picture_names[j]);
    if (code != EXIT_DONE || !arguments->data)
        return code;
    return write_data(figures, folder, arguments->quiet) ? EXIT_DONE : EXIT_FAILED;
}

static bool read_rounds(struct round_counts *rounds, const struct results *results,
                        const struct arguments *arguments)
{
    bool good = true;
    for (size_t i = 0; i < arguments->count; i++)
        good = rounds_read(rounds, results, arguments->results[i]) && good;
    return good;
}

static int plot(const struct comparison *comparison, const struct round_counts *rounds,
                const struct arguments *arguments)
{
    bool chosen = false;
    struct figures_options wanted = {.baseline = comparison->baseline, .rounds = rounds};
    memcpy(wanted.wanted, arguments->wanted, sizeof wanted.wanted);
    if (!arguments->chosen && rounds->count == 0)
        wanted.wanted[FIGURE_ROUNDS] = false; /* few experiments keep them: no word of it */
    if (!arguments->chosen && !figures_know_covers(&comparison->results))
        wanted.wanted[FIGURE_COVER] = false;
    memcpy(wanted.metric, arguments->metric, sizeof wanted.metric);
    for (unsigned i = 0; i < METRICS; i++)
        chosen = chosen || wanted.metric[i];
    if (!chosen)
        comparison_metrics(comparison, wanted.metric);
    struct figures figures = figures_of(&comparison->results, &wanted);
    int code = EXIT_DONE;
    if (arguments->json) {
        json_t *json = figures_json(&figures);
        json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(TIDY_DIGITS));
        putchar('\n');
        json_decref(json);
    } else {
        char *beside = results_folder(arguments->results[0]);
        char *folder = arguments->output != NULL ? heap_text(arguments->output)
                                                 : heap_format("%s/figures", beside);
        code = draw(&figures, arguments, folder);
        free(folder);
        free(beside);
    }
    figures_end(&figures);
    return finish_output(code);
}

int command_plot(int argc, char **argv)
{
    struct arguments arguments = {
        .width_mm = DEFAULT_WIDTH_MM,
        .pictures[PICTURE_SVG] = true,
        .pictures[PICTURE_PNG] = true,
    };
    for (unsigned i = 0; i < FIGURES; i++)
        arguments.wanted[i] = true;
    command_line_parse(&plot_parser, argc, argv, &arguments);
    struct comparison comparison = {0};
    struct round_counts rounds = {0};
    int code = EXIT_USAGE;
    if (comparison_read(&comparison, arguments.results, arguments.count, arguments.baseline) &&
        read_rounds(&rounds, &comparison.results, &arguments)) {
        if (!arguments.quiet)
            note_rows(&comparison);
        if (comparison.results.count == 0)
            fputs("tilelab plot: there are no runs in these results; tilelab run adds one row for "
                  "each run\n",
                  stderr);
        else
            code = plot(&comparison, &rounds, &arguments);
    }
    round_counts_end(&rounds);
    comparison_end(&comparison);
    free(arguments.results);
    return code;
}
