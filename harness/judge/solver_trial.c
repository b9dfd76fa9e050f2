#include "harness/judge/solver_trial.h"
#include "base/heap.h"
#include "base/random.h"
#include "harness/external/isolation.h"
#include "harness/external/program.h"
#include "harness/judge/solver_marks.h"
#include "harness/text/interrupt.h"
#include "harness/text/progress.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

/* The boards. Each tells some mistake from a right program; their order is from easy to hard. */
static const struct {
    const char *size;
    const char *start;
    const char *goal;
} boards[] = {
    {"3x3", "1 2 3 4 5 6 7 8 0", "blank-last"},
    {"3x3", "1 2 3 4 5 6 7 0 8", "blank-last"},
    {"3x3", "1 2 3 0 4 6 7 5 8", "blank-last"},
    {"3x3", "8 1 3 4 0 2 7 6 5", "blank-last"},
    {"3x3", "8 2 6 1 3 4 0 5 7", "blank-last"},
    {"3x3", "8 6 7 2 5 4 3 0 1", "blank-last"},
    {"3x3", "6 4 7 8 5 0 3 2 1", "blank-last"},
    {"3x3", "1 2 3 4 5 6 8 7 0", "blank-last"}, /* unsolvable */
    {"3x3", "6 8 7 2 5 4 3 0 1", "blank-last"}, /* unsolvable */
    {"3x3", "7 2 4 5 0 6 8 3 1", "blank-first"},
    {"3x3", "2 8 3 1 6 4 7 0 5", "snail"},
    {"3x3", "1 2 3 4 5 6 8 7 0", "2 1 3 4 5 6 7 8 0"}, /* a goal of the other parity */
    {"3x3", "1 2 3 4 5 6 7 0 8", "2 1 3 4 5 6 7 8 0"}, /* the same, unsolvable */
    {"2x3", "5 4 1 0 2 3", "blank-last"},
    {"3x2", "4 5 0 1 2 3", "blank-last"},
    {"2x4", "4 2 6 3 5 1 7 0", "blank-first"},
    {"4x3", "2 6 3 4 1 5 11 7 10 0 9 8", "blank-last"},             /* tiles of two digits */
    {"4x4", "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0", "blank-last"}, /* Loyd's; unsolvable */
    {"4x4", "6 3 0 4 2 10 7 8 1 5 15 11 9 13 14 12", "blank-last"},
    {"4x4", "4 1 2 7 5 9 3 6 8 13 0 11 12 14 10 15", "blank-first"},
};
enum { BOARDS = sizeof boards / sizeof *boards };

/* The program on its boards. */
struct trial {
    uint64_t seed; /* of fresh boards; 0: the fixed ones */
    struct external external;
    struct limits limits;
    struct instance instances[BOARDS];
    struct marked marked[BOARDS];
    bool unasked; /* it is isolated although nobody asked for it */
    size_t asked; /* how many boards it was given */
};

/* The length of a shortest path, by A*; -1: there is none. */
static int shortest_of(const struct board *start, const struct board *goal)
{
    const struct task task = {*start, *goal, DEFAULT_ORDER};
    const struct limits limits = {.bytes = UINT64_C(1) << 30};
    struct solver solver;
    SCOPED_BY(result_end) struct result result;
    SCOPED_BY(report_end) struct report report = {0};
    const bool fine = solver_parse("astar(manhattan)", NO_PLACE, &report, &solver);
    assert(fine);
    (void)fine;
    solver_run(&solver, &task, &limits, NULL, &result);
    return result.status == STATUS_solved ? (int)result.length : -1;
}

/* Replaces a board by a fresh one like it, if it is not the goal: so many random moves from the
 * goal, none back, and two tiles exchanged if it is unsolvable. On small boards a walk ends nearer
 * than it is long. */
static void refresh(struct instance *instance, int shortest, gsl_rng *generator)
{
    enum { UNSOLVABLE_STEPS = 20, FEW = 4, SMALL = 9, LONGER = 8 };
    const bool solvable = shortest >= 0;
    struct board *board = &instance->start;
    unsigned last = MOVE_NONE;
    int steps = solvable ? shortest : UNSOLVABLE_STEPS;
    if (steps >= FEW && board->shape.cells <= SMALL)
        steps *= LONGER;
    *board = instance->goal;
    while (steps > 0) {
        const unsigned move = (unsigned)gsl_rng_uniform_int(generator, MOVES);
        const unsigned target = move_target(board->shape, board->blank, move);
        if (target == NO_CELL || move == move_undo(last))
            continue;
        board_slide(board, target);
        last = move;
        steps--;
    }
    if (solvable)
        return;
    const unsigned first = board->blank < 2 ? 2 : 0; /* and the next: two tiles */
    const uint8_t tile = board->cell[first];
    board->cell[first] = board->cell[first + 1];
    board->cell[first + 1] = tile;
}

static void make_boards(struct trial *trial)
{
    gsl_rng *generator = gsl_rng_alloc(random_philox);
    if (generator == NULL)
        heap_exhausted();
    SCOPED_BY(report_end) struct report report = {0};
    for (size_t i = 0; i < BOARDS; i++) {
        struct instance *instance = &trial->instances[i];
        struct shape shape;
        const bool fine =
            shape_parse(boards[i].size, &shape) &&
            board_parse(boards[i].start, &shape, NO_PLACE, &report, &instance->start) &&
            goal_parse(boards[i].goal, shape, NO_PLACE, &report, &instance->goal);
        assert(fine);
        (void)fine;
        int shortest = shortest_of(&instance->start, &instance->goal);
        if (trial->seed != 0) {
            random_stream(generator, trial->seed, 0, 0, (uint32_t)i);
            refresh(instance, shortest, generator);
            shortest = shortest_of(&instance->start, &instance->goal);
        }
        instance->optimal_length = shortest < 0 ? LENGTH_UNKNOWN : shortest;
        trial->marked[i] = (struct marked){.instance = instance, .shortest = shortest};
    }
    gsl_rng_free(generator);
}

/* The external solver of the words. Returns what is wrong with it, or NULL. */
static char *make_external(const struct solver_question *question, struct external *external)
{
    SCOPED char *folder = getcwd(NULL, 0);
    *external = (struct external){.folder = folder == NULL ? NULL : heap_text(folder),
                                  .persistent = question->persistent,
                                  .json = question->json_protocol,
                                  .tile_moves = question->tile_moves,
                                  .optimal = question->optimal,
                                  .isolated = !question->no_isolate};
    external->words = heap_take(question->word_count + 1, sizeof *external->words);
    for (size_t i = 0; i < question->word_count; i++)
        external->words[external->word_count++] = heap_text(question->words[i]);
    return external->folder == NULL ? heap_format("the current folder: %s", strerror(errno))
                                    : external_find_files(external);
}

struct trial *trial_start(const struct solver_question *question, char **why)
{
    struct trial *trial = heap_take(1, sizeof *trial);
    trial->seed = question->seed;
    trial->limits = (struct limits){
        .seconds = question->seconds, .bytes = question->bytes, .interrupted = &interrupted};
    *why = make_external(question, &trial->external);
    char *missing = *why == NULL && !question->no_isolate ? isolation_missing() : NULL;
    if (*why != NULL || (missing != NULL && question->isolate)) {
        *why = *why == NULL ? missing : *why;
        trial_end(trial);
        return NULL;
    }
    *why = missing;
    trial->external.isolated = !question->no_isolate && missing == NULL;
    trial->unasked = trial->external.isolated && !question->isolate;
    if (trial->unasked)
        isolation_show(&trial->external);
    make_boards(trial);
    return trial;
}

/* A persistent program that does not answer its first board gets no more. */
bool trial_run(struct trial *trial, bool quiet)
{
    struct progress progress;
    interrupt_start();
    struct programs *programs = programs_start();
    programs_set_warm_up(programs, trial->limits.seconds);
    progress_start(&progress, "boards", 0, BOARDS, quiet);
    while (trial->asked < BOARDS && interrupted == 0) {
        struct marked *marked = &trial->marked[trial->asked];
        const struct task task = {marked->instance->start, marked->instance->goal, DEFAULT_ORDER};
        progress_show(&progress, trial->asked, trial->external.words[0]);
        const struct question question = {
            &task, &trial->limits, 1, placeholders_seed(marked->instance, 1), 1, COST_unit};
        programs_ask(programs, &trial->external, &question, &marked->result, &marked->answer);
        trial->asked++;
        marked_judge(&trial->external, &trial->limits, marked);
        if (marked->mark == MARK_NONE && marked->answer.message != NULL &&
            strstr(marked->answer.message, "first board, one move from the goal") != NULL)
            break;
    }
    progress_clear(&progress);
    programs_end(programs);
    interrupt_end();
    return interrupted == 0;
}

static size_t right_of(const struct trial *trial)
{
    size_t right = 0;
    for (size_t i = 0; i < trial->asked; i++)
        right += trial->marked[i].mark == MARK_RIGHT;
    return right;
}

bool trial_passed(const struct trial *trial)
{
    return right_of(trial) == BOARDS;
}

/* The goal by its name, or in full. */
static void goal_text(const struct board *goal, char text[BOARD_LINE])
{
    const char *name = goal_name(goal);
    if (name != NULL)
        snprintf(text, BOARD_LINE, "%s", name);
    else
        board_line(goal, text);
}

static char *mark_text(const struct marked *marked)
{
    const size_t length = marked->result.length;
    if (marked->mark != MARK_RIGHT)
        return heap_format("wrong: %s", marked->why);
    if (marked->shortest < 0)
        return heap_text("right: unsolvable");
    if (length > (size_t)marked->shortest)
        return heap_format("right, but %zu moves where %d are enough", length, marked->shortest);
    return heap_format("right: %zu move%s", length, length == 1 ? "" : "s");
}

static void print_boards(const struct trial *trial, bool quiet, FILE *file)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_heads(&table, "board:f|size:t|start:t^1|goal:t|answer:t")->prose = true;
    for (size_t i = 0; i < trial->asked; i++) {
        const struct marked *marked = &trial->marked[i];
        char line[BOARD_LINE];
        if (quiet && marked->mark == MARK_RIGHT)
            continue;
        SCOPED char *text = mark_text(marked);
        tidy_add(&table, "%g %s", (double)(i + 1), boards[i].size);
        board_line(&marked->instance->start, line);
        tidy_text(&table, line);
        goal_text(&marked->instance->goal, line);
        tidy_add(&table, "%s %s", line, text);
    }
    if (table.cell_count > 0) {
        tidy_print(&table, file);
        putc('\n', file);
    }
}

/* "19 of 20 boards right."; heap memory. */
static char *sum_text(const struct trial *trial)
{
    const size_t right = right_of(trial);
    if (trial->asked < BOARDS)
        return heap_format("%zu of %d boards right: it failed at its start and got no more.", right,
                           BOARDS);
    return right == BOARDS ? heap_format("All %d boards right.", BOARDS)
                           : heap_format("%zu of %d boards right.", right, BOARDS);
}

/* Whether it failed for all that is known as it is isolated: on every board without an answer. */
static bool perhaps_isolated(const struct trial *trial)
{
    size_t silent = 0;
    for (size_t i = 0; i < trial->asked; i++)
        silent += trial->marked[i].mark == MARK_NONE;
    return trial->unasked && silent == trial->asked;
}

static const char isolated_text[] =
    "It ran isolated: no network, and of all files, read-only, the system's, those of this folder, "
    "and those of its interpreter; it can write in /tmp, its home. If you trust it and it fails "
    "for that alone, --no-isolate runs it without.";

static char **explained(const struct trial *trial)
{
    return marks_explained(&trial->external, &trial->limits, trial->marked, trial->asked);
}

void trial_print(const struct trial *trial, bool quiet, FILE *file)
{
    enum { INDENT = 2 };
    if (quiet && trial_passed(trial))
        return;
    SCOPED char *sum = sum_text(trial);
    SCOPED char **texts = explained(trial);
    print_boards(trial, quiet, file);
    if (trial->seed != 0)
        fprintf(file, "Fresh boards: --seed %" PRIu64 " has them again.\n", trial->seed);
    fprintf(file, "%s\n", sum);
    for (size_t i = 0; texts[i] != NULL; i++) {
        fputs("- ", file);
        screen_print(texts[i], INDENT, INDENT, screen_width(file), file);
        putc('\n', file);
        free(texts[i]);
    }
    if (perhaps_isolated(trial)) {
        fputs("- ", file);
        screen_print(isolated_text, INDENT, INDENT, screen_width(file), file);
        putc('\n', file);
    }
}

static json_t *marked_json(const struct marked *marked, size_t number)
{
    static const char *const marks[] = {
        [MARK_RIGHT] = "right",        [MARK_PATH] = "wrong_path", [MARK_LONGER] = "not_shortest",
        [MARK_DENIED] = "denied",      [MARK_GAVE_UP] = "gave_up", [MARK_LATE] = "time_limit",
        [MARK_LARGE] = "memory_limit", [MARK_NONE] = "no_answer"};
    char start[BOARD_LINE];
    char goal[BOARD_LINE];
    const struct result *result = &marked->result;
    board_line(&marked->instance->start, start);
    board_line(&marked->instance->goal, goal);
    json_t *object = json_pack(
        "{s:I, s:s, s:s, s:s, s:o, s:b, s:s, s:o, s:s?, s:o}", "board", (json_int_t)number, "size",
        boards[number - 1].size, "start", start, "goal", goal, "optimal_length",
        marked->shortest < 0 ? json_null() : json_integer(marked->shortest), "right",
        marked->mark == MARK_RIGHT, "mark", marks[marked->mark], "why",
        marked->why == NULL ? json_null() : json_text(marked->why), "moves", result->moves,
        "length", result->moves == NULL ? json_null() : json_integer((json_int_t)result->length));
    for (unsigned i = 0; i < COUNTERS; i++)
        if ((marked->answer.known >> i & 1) != 0)
            json_object_set_new(object, counters[i].name,
                                json_integer((json_int_t)statistics_value(&result->statistics, i)));
    json_object_set_new(object, "wall_s", json_real(result->wall_seconds));
    json_object_set_new(object, "cpu_s", json_real(result->cpu_seconds));
    return object;
}

json_t *trial_json(const struct trial *trial)
{
    json_t *sentences = json_array();
    SCOPED char *solver = external_text(&trial->external);
    SCOPED char **texts = explained(trial);
    for (size_t i = 0; texts[i] != NULL; i++) {
        json_array_append_new(sentences, json_text(texts[i]));
        free(texts[i]);
    }
    if (perhaps_isolated(trial))
        json_array_append_new(sentences, json_string(isolated_text));
    json_t *json =
        json_pack("{s:o, s:b, s:i, s:i, s:i, s:o, s:o}", "solver", json_text(solver), "isolated",
                  trial->external.isolated, "boards", (int)BOARDS, "asked", (int)trial->asked,
                  "right", (int)right_of(trial), "findings", sentences, "answers",
                  JSON_ARRAY(i, trial->asked, marked_json(&trial->marked[i], i + 1)));
    if (trial->seed != 0)
        json_object_set_new(json, "seed", json_sprintf("%" PRIu64, trial->seed));
    return json;
}

void trial_end(struct trial *trial)
{
    marked_end(trial->marked, trial->asked);
    external_end(&trial->external);
    free(trial);
}
