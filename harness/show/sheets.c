#include "harness/show/sheets.h"
#include "base/heap.h"
#include "puzzle/replay.h"
#include <inttypes.h>
#include <sys/resource.h>

typedef void sheet_writer(const struct instance *instance, const struct result *result, FILE *file);

static void put_rows(const struct board *board, FILE *file)
{
    for (unsigned i = 0; i < board->shape.cells; i++)
        fprintf(file, "%u%s", board->cell[i], (i + 1) % board->shape.width == 0 ? "\n" : " ");
}

static const char *move_name(char letter)
{
    static const char *const names[MOVES] = {
        [MOVE_U] = "Up", [MOVE_D] = "Down", [MOVE_L] = "Left", [MOVE_R] = "Right"};
    return names[move_parse(letter)];
}

/* Moves, divided by ", ". */
static void put_moves(const struct result *result, const char *quote, FILE *file)
{
    for (size_t i = 0; i < result->length; i++)
        fprintf(file, "%s%s%s%s", i == 0 ? "" : ", ", quote, move_name(result->moves[i]), quote);
}

static void write_columbia(const struct instance *instance, const struct result *result, FILE *file)
{
    struct rusage usage = {0};
    (void)instance;
    getrusage(RUSAGE_SELF, &usage);
    fputs("path_to_goal: [", file);
    put_moves(result, "'", file);
    fprintf(file,
            "]\ncost_of_path: %zu\nnodes_expanded: %" PRIu64 "\nsearch_depth: %zu\n"
            "max_search_depth: %" PRIu64 "\nrunning_time: %.8f\nmax_ram_usage: %.8f\n",
            result->length, result->statistics.expanded, result->length,
            result->statistics.max_depth, result->wall_seconds, (double)usage.ru_maxrss / 1024);
}

static void write_cc482(const struct instance *instance, const struct result *result, FILE *file)
{
    (void)instance;
    fputs("path to goal: ", file);
    put_moves(result, "", file);
    fprintf(file,
            "\ncost of path: %zu\nnodes expanded: %" PRIu64 "\nsearch depth: %zu\n"
            "running time: %.8f\n",
            result->length, result->statistics.expanded, result->length, result->wall_seconds);
}

static void put_algs4_board(const struct board *board, FILE *file)
{
    fprintf(file, "%u\n", board->shape.width);
    for (unsigned i = 0; i < board->shape.cells; i++)
        fprintf(file, "%2u %s", board->cell[i], (i + 1) % board->shape.width == 0 ? "\n" : "");
    putc('\n', file);
}

static void write_algs4(const struct instance *instance, const struct result *result, FILE *file)
{
    struct board board = instance->start;
    if (result->status != STATUS_solved) {
        fputs("No solution possible\n", file);
        return;
    }
    fprintf(file, "Minimum number of moves = %zu\n", result->length);
    put_algs4_board(&board, file);
    for (size_t i = 0; i < result->length; i++) {
        board = replay_path(&board, &instance->goal, result->moves + i, 1).last;
        put_algs4_board(&board, file);
    }
}

static void write_42(const struct instance *instance, const struct result *result, FILE *file)
{
    struct board board = instance->start;
    fprintf(file,
            "complexity in time: %" PRIu64 "\ncomplexity in size: %" PRIu64
            "\nnumber of moves: %zu\nsequence:\n",
            result->statistics.expanded + 1, result->statistics.max_stored, result->length);
    put_rows(&board, file);
    for (size_t i = 0; i < result->length; i++) {
        board = replay_path(&board, &instance->goal, result->moves + i, 1).last;
        putc('\n', file);
        put_rows(&board, file);
    }
}

/* Sees a node before it is expanded. */
static void tell_cs170(void *file, const struct board *board, unsigned g, unsigned h)
{
    if (g == 0)
        fputs("Expanding state\n", file);
    else
        fprintf(file, "\nThe best state to expand with a g(n) = %u and h(n) = %u is...\n", g, h);
    put_rows(board, file);
}

static void write_cs170(const struct instance *instance, const struct result *result, FILE *file)
{
    (void)instance;
    fprintf(file,
            "\nGoal!!!\n\nTo solve this problem the search algorithm expanded a total of %" PRIu64
            " nodes.\nThe maximum number of nodes in the queue at any one time: %" PRIu64
            ".\nThe depth of the goal node was %zu.\n",
            result->statistics.expanded, result->statistics.max_open, result->length);
}

static void write_hansen(const struct instance *instance, const struct result *result, FILE *file)
{
    const struct incumbent *last =
        result->incumbent_count == 0 ? NULL : &result->incumbents[result->incumbent_count - 1];
    (void)instance;
    fprintf(file, "cost: %zu\n", result->length);
    if (last != NULL)
        fprintf(file, "optimum found: %.9f s, %" PRIu64 " nodes expanded, %" PRIu64 " generated\n",
                last->seconds, last->expanded, last->generated);
    fprintf(file, "optimum proved: %.9f s, %" PRIu64 " nodes expanded, %" PRIu64 " generated\n",
            result->wall_seconds, result->statistics.expanded, result->statistics.generated);
    fputs("solutions:", file);
    for (size_t i = 0; i < result->incumbent_count; i++)
        fprintf(file, " %" PRIu64, result->incumbents[i].length);
    putc('\n', file);
}

static void write_aima_java(const struct instance *instance, const struct result *result,
                            FILE *file)
{
    (void)instance;
    fprintf(file,
            "pathCost : %zu.0\nnodesExpanded : %" PRIu64 "\nqueueSize : %" PRIu64
            "\nmaxQueueSize : %" PRIu64 "\n",
            result->length, result->statistics.expanded, result->statistics.open_at_end,
            result->statistics.max_open);
}

const struct sheet_row sheet_rows[SHEETS] = {
#define SHEET(id, name, of, algorithms, needs, expands, text)                                      \
    [SHEET_##id] = {name, of, algorithms, needs, expands, text},
#include "harness/show/sheets.def"
};

const struct sheet_figure sheet_figures[] = {
#define FIGURE(id, line, there, here) {SHEET_##id, line, there, here},
#include "harness/show/sheets.def"
};
const size_t sheet_figure_count = sizeof sheet_figures / sizeof *sheet_figures;

static sheet_writer *const writers[SHEETS] = {
#define SHEET(id, name, of, algorithms, needs, expands, text) [SHEET_##id] = write_##id,
#include "harness/show/sheets.def"
};

/* Whether a word is among others, divided by spaces. */
static bool is_among(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Whether an option of the solver, one of some words, is that word; true where it has none. */
static bool option_is(const struct solver *solver, const char *name, const char *word)
{
    const struct option_row *rows = solver->algorithm->options;
    const struct option_row *row = option_named(rows, name);
    return row == NULL || strcmp(row->choices[solver->options[row - rows]], word) == 0;
}

/* What a solver must be and is not, in words; NULL: nothing. Heap memory. */
static char *unmet_of(const struct sheet_row *row, const struct solver *solver,
                      const struct board *start)
{
    const char *algorithm = solver->algorithm->name;
    if (row->algorithms[0] != '\0' && !is_among(algorithm, row->algorithms))
        return heap_format("%s is of the algorithms %s, not of %s", row->name, row->algorithms,
                           algorithm);
    if ((row->needs & SHEET_REMOVAL) != 0 && !option_is(solver, "goal_test", "removal"))
        return heap_format("%s tests a node for the goal when its turn comes; expected %s(.., "
                           "goal_test=removal)",
                           row->name, algorithm);
    if ((row->needs & SHEET_STATES) != 0 && !option_is(solver, "duplicates", "stored"))
        return heap_format("%s stores no state twice; expected %s(.., duplicates=stored)",
                           row->name, algorithm);
    if ((row->needs & SHEET_OPTIMAL) != 0 && (solver_properties(solver) & OPTIMAL) == 0)
        return heap_format("%s prints the minimum of moves, and this solver may find more; "
                           "expected one that is always optimal",
                           row->name);
    if ((row->needs & SHEET_SQUARE) != 0 && start->shape.width != start->shape.height)
        return heap_format("%s has boards of n x n; this one is %u x %u", row->name,
                           start->shape.width, start->shape.height);
    return NULL;
}

bool sheet_fits(enum sheet sheet, const struct solver *solver, const struct board *start,
                struct report *report)
{
    SCOPED char *unmet = unmet_of(&sheet_rows[sheet], solver, start);
    if (unmet != NULL)
        report_add(report, FIRST_PLACE, "%s; see tilelab list sheets %s", unmet,
                   sheet_rows[sheet].name);
    return unmet == NULL;
}

bool sheet_write(enum sheet sheet, const struct instance *instance, const struct result *result,
                 FILE *file)
{
    if (result->status != STATUS_solved &&
        !(sheet == SHEET_algs4 && result->status == STATUS_unsolvable))
        return false;
    writers[sheet](instance, result, file);
    return true;
}
