#include "harness/judge/verdict.h"
#include "algorithms/plugin.h"
#include "base/heap.h"
#include "harness/results/columns.h"
#include "harness/text/sorting.h"
#include "puzzle/replay.h"
#include <xxhash.h>

/* Why no path can have a length. `has` begins the message: "the path has". */
static char *why_too_short(const struct run *run, const char *has, size_t length)
{
    const int optimal = run->instance->optimal_length;
    if (optimal == LENGTH_UNKNOWN || length >= (size_t)optimal)
        return NULL;
    return heap_format("%s %zu moves, fewer than the known optimum of %d", has, length, optimal);
}

/* What the cost of a path that holds contradicts, where moves cost different amounts. */
static char *why_cost_is_wrong(const struct run *run, const struct result *result)
{
    const struct instance *instance = run->instance;
    const uint64_t optimal = instance_optimal_cost(instance);
    const uint64_t cost = path_cost_of(instance, result);
    const uint64_t scale = costs_make(instance->cost, instance->start.shape).scale;
    const int64_t bound = solver_cost_bound(run->solver);
    char shown[COST_TEXT], known[COST_TEXT];
    if (optimal == COST_UNKNOWN)
        return NULL;
    cost_text(cost, scale, shown);
    cost_text(optimal, scale, known);
    if (cost < optimal)
        return heap_format("the path costs %s, less than the known optimum of %s", shown, known);
    if (result->status == STATUS_solved && cost > optimal && bound == DECIMAL_ONE)
        return heap_format("the path costs %s; a cheapest one, which this solver promises, costs "
                           "%s",
                           shown, known);
    if (result->status == STATUS_solved && bound > 0 &&
        (uint128)cost * DECIMAL_ONE > (uint128)optimal * (uint64_t)bound)
        return heap_format("the path costs %s; this solver promises at most %g times the %s of a "
                           "cheapest one",
                           shown, (double)bound / DECIMAL_ONE, known);
    return NULL;
}

/* What a length, of a path that holds or of one that is only claimed, contradicts. */
static char *why_length_is_wrong(const struct run *run, const char *has, size_t length)
{
    const struct instance *instance = run->instance;
    if (instance->optimal_length == LENGTH_UNKNOWN || instance->cost != COST_unit)
        return why_too_short(run, has, length);
    size_t optimal = (size_t)instance->optimal_length;
    if (length < optimal)
        return why_too_short(run, has, length);
    const int64_t bound = solver_bound(run->solver);
    if (length > optimal && bound == DECIMAL_ONE)
        return heap_format("%s %zu moves; a shortest one, which this solver promises, has %zu", has,
                           length, optimal);
    if (bound > 0 && length * DECIMAL_ONE > optimal * (size_t)bound)
        return heap_format(
            "%s %zu moves; this solver promises at most %g times the %zu of a shortest one", has,
            length, (double)bound / DECIMAL_ONE, optimal);
    return NULL;
}

/* Why a path does not lead to the goal, or is shorter than any can be. */
static char *why_path_misleads(const struct run *run, const struct result *result)
{
    const struct instance *instance = run->instance;
    if (result->moves == NULL || strlen(result->moves) != result->length)
        return heap_format("the path does not have the %zu moves that were claimed",
                           result->length);
    struct replay replay =
        replay_path(&instance->start, &instance->goal, result->moves, result->length);
    switch (replay.outcome) {
    case REPLAY_MISSES_GOAL:
        return heap_format("the path's %zu moves do not end at the goal", result->length);
    case REPLAY_LEAVES_BOARD:
        return heap_format("move %zu of the path, %c, leaves the board", replay.moves + 1,
                           result->moves[replay.moves]);
    case REPLAY_NOT_A_MOVE:
        return heap_format("move %zu of the path is not a move", replay.moves + 1);
    case REPLAY_REACHES_GOAL:
        break;
    }
    char *why = why_too_short(run, "the path has", result->length);
    return why != NULL || instance->cost == COST_unit ? why : why_cost_is_wrong(run, result);
}

static char *why_path_is_wrong(const struct run *run, const struct result *result)
{
    char *why = why_path_misleads(run, result);
    return why != NULL ? why : why_length_is_wrong(run, "the path has", result->length);
}

/* Why what a program calls proved, that no solution costs less, cannot be: the optimum does, or a
 * path of its own. */
static char *why_bound_is_wrong(const struct run *run, const struct result *result)
{
    const struct instance *instance = run->instance;
    const uint64_t optimal = instance_optimal_cost(instance);
    const bool has_path = result->moves != NULL && path_holds(instance, result);
    const uint64_t own = has_path ? path_cost_of(instance, result) : COST_UNKNOWN;
    const uint64_t scale = costs_make(instance->cost, instance->start.shape).scale;
    char bound[COST_TEXT], other[COST_TEXT];
    cost_text(result->bound, scale, bound);
    if (result->bound > optimal) /* COST_UNKNOWN is the largest number there is */
        return heap_format("bound: %s, above the known optimum of %s", bound,
                           cost_text(optimal, scale, other));
    if (result->bound > own)
        return heap_format(instance->cost == COST_unit
                               ? "bound: %s, above the %s moves of its own path"
                               : "bound: %s, above the %s that its own path costs",
                           bound, cost_text(own, scale, other));
    return NULL;
}

static char *why_wrong(const struct run *run, const struct result *result)
{
    const struct instance *instance = run->instance;
    const bool reachable = board_connected(&instance->start, &instance->goal);
    const unsigned properties = solver_properties(run->solver);
    if (instance->optimal_length != LENGTH_UNKNOWN && result->h_start > instance->optimal_length &&
        (properties & ADMISSIBLE) != 0)
        return heap_format("h at the start is %d, above the known optimum of %d, with a heuristic "
                           "that promises not to be",
                           result->h_start, instance->optimal_length);
    char *why = why_bound_is_wrong(run, result);
    if (why != NULL)
        return why;
    switch (result->status) {
    case STATUS_solved:
        return why_path_is_wrong(run, result);
    case STATUS_claimed:
        return reachable ? why_length_is_wrong(run, "it claims", result->length)
                         : heap_text("a solution claimed, but the parity allows none");
    case STATUS_unsolvable:
        return reachable ? heap_text("called unsolvable, but the parity allows a solution") : NULL;
    case STATUS_exhausted:
    case STATUS_stuck:
        return reachable && (properties & COMPLETE) != 0
                   ? heap_text("found no solution, although there is one and this solver promises "
                               "to find it")
                   : NULL;
    default: /* at a limit it need not be as short as promised */
        return result->moves == NULL ? NULL : why_path_misleads(run, result);
    }
}

/* Its path stays, if it has one. */
static void condemn(struct result *result)
{
    result->status = STATUS_wrong_answer;
    if (result->moves == NULL)
        result->length = 0;
}

char *verify_result(const struct run *run, struct result *result)
{
    char *why = why_wrong(run, result);
    if (why != NULL)
        condemn(result);
    return why;
}

/* What one of the rules below looks at. */
struct claim {
    const struct run *run;
    double elapsed;
    const struct result *result;
    const struct statistics *counted;
};

static bool is(const struct claim *claim, enum status status)
{
    return claim->result->status == status;
}

static bool is_external(const struct claim *claim)
{
    return claim->run->external != NULL;
}

/* Whether a plugin searches, which need not count all and may hold nodes where it likes. */
static bool is_plugin(const struct claim *claim)
{
    return algorithm_plugin_of(claim->run->solver->algorithm) != NULL;
}

static bool has(const struct claim *claim, enum property property)
{
    return (claim->run->solver->algorithm->properties & property) != 0;
}

/* Bytes that the solver takes at once, before it searches: idastar's table. */
static uint64_t asked_at_once(const struct claim *claim)
{
    const struct solver *solver = claim->run->solver;
    const struct option_row *rows = solver->algorithm->options;
    const struct option_row *table = option_named(rows, "table");
    return table == NULL ? 0 : (uint64_t)solver->options[table - rows];
}

/* A clock of processor time may advance in ticks of 10 ms. */
#define TICKS 0.02
/* Readings of two clocks, one after the other. */
#define READING 1e-4

/* How much of a budget is in use when the next block is refused: at least a third, since a block is
 * at most twice as large as the one that it replaces, and both are held for a moment. (Three
 * quarters was the lowest seen.) Compared with a small budget, a search's first blocks are large.
 */
enum { SPENT = 3, SMALL_BUDGET = 1 << 20 };

/* Something that is true of every honest result, and what is said where it is not, with the numbers
 * that the message shows: long double has room for every counter. Times that are NaN fail every
 * comparison. */
struct rule {
    bool holds;
    const char *message;
    long double left, right;
};

/* A message with its numbers: as many of the two as it shows. */
static char *filled_in(const char *message, double left, double right)
{
    return heap_format(message, left, right);
}

/* What is said of the first rule that does not hold, in heap memory; NULL: all hold. */
static char *first_broken(const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rules[i].holds)
            return filled_in(rules[i].message, (double)rules[i].left, (double)rules[i].right);
    return NULL;
}

#define FIRST_BROKEN(rules) first_broken(rules, sizeof(rules) / sizeof *(rules))

/* Every expansion but one that a limit cuts short generates a node, as each cell has two neighbours
 * at least, and at most four. */
static char *why_no_counts(const struct claim *c)
{
    const struct statistics *n = c->counted;
    const uint64_t limit = c->run->limits.nodes;
    const struct rule rules[] = {
        {n->generated > 0 || is(c, STATUS_unsolvable) || is(c, STATUS_memory_limit) ||
             is(c, STATUS_out_of_memory),
         "no node was generated, although a search began", 0, 0},
        {n->generated == 0 || !is(c, STATUS_unsolvable),
         "%.15g nodes were generated, although an unsolvable board is not searched", n->generated,
         0},
        {limit == 0 || n->generated <= limit,
         "%.15g nodes were generated, above the limit of %.15g", n->generated, limit},
        {!is(c, STATUS_node_limit) || n->generated == limit,
         "ended by the limit of nodes, but generated %.15g of %.15g (0: no limit)", n->generated,
         limit},
        {n->expanded <= n->generated * (has(c, EXPANDS_IN_PARTS) ? 1 + MOVES : 1) || is_plugin(c),
         "%.15g nodes were expanded, but %.15g generated", n->expanded, n->generated},
        {n->generated <= 2 + MOVES * n->expanded,
         "%.15g nodes were generated, more than %.15g expanded ones have successors", n->generated,
         n->expanded},
        {n->duplicates <= n->generated, "%.15g duplicates among %.15g generated nodes",
         n->duplicates, n->generated},
        {n->reopened <= n->generated - n->duplicates,
         "%.15g nodes were reopened, but %.15g were generated and no duplicates", n->reopened,
         n->generated - n->duplicates},
        {n->max_open <= n->generated, "%.15g nodes were open at once, but %.15g generated",
         n->max_open, n->generated},
        {n->max_stored <= n->generated, "%.15g nodes were held at once, but %.15g generated",
         n->max_stored, n->generated},
        {n->max_depth <= n->generated, "a node at depth %.15g was kept, but %.15g were generated",
         n->max_depth, n->generated},
    };
    return FIRST_BROKEN(rules);
}

static char *why_no_path_and_rounds(const struct claim *c)
{
    const struct result *r = c->result;
    const struct statistics *n = c->counted;
    const bool solved = is(c, STATUS_solved);
    uint64_t expanded = 0;
    uint64_t generated = 0;
    for (size_t i = 0; i < r->round_count; i++) {
        expanded += r->rounds[i].expanded;
        generated += r->rounds[i].generated;
    }
    const struct rule rules[] = {
        {!solved || n->max_stored > r->length || has(c, HOLDS_LAYERS) || is_plugin(c),
         "a path of %.15g moves was found, but no more than %.15g nodes were held", r->length,
         n->max_stored},
        {!solved || n->max_depth >= r->length / 2 || is_plugin(c),
         "a path of %.15g moves was found, but no node deeper than %.15g was kept", r->length,
         n->max_depth},
        {!solved || n->iterations > 0, "solved in no iteration", 0, 0},
        {n->iterations <= n->generated + 1, "%.15g iterations, but %.15g generated nodes",
         n->iterations, n->generated},
        {r->round_count == 0 || r->round_count == n->iterations ||
             (r->round_count == MAX_ROUNDS && n->iterations > MAX_ROUNDS),
         "%.15g iterations, but %.15g rounds", n->iterations, r->round_count},
        {r->round_count == 0 || expanded == n->expanded,
         "%.15g nodes were expanded, but %.15g in the rounds", n->expanded, expanded},
        {r->round_count == 0 || generated == n->generated,
         "%.15g nodes were generated, but %.15g in the rounds", n->generated, generated},
    };
    return FIRST_BROKEN(rules);
}

static char *why_no_sides_and_memory(const struct claim *c)
{
    const struct statistics *n = c->counted;
    const uint64_t budget = c->run->limits.bytes;
    const uint64_t expanded = c->result->sides[START].expanded + c->result->sides[GOAL].expanded;
    const uint64_t generated = c->result->sides[START].generated + c->result->sides[GOAL].generated;
    const struct rule rules[] = {
        {expanded == (has(c, BOTH_ENDS) ? n->expanded : 0),
         "%.15g nodes were expanded, but %.15g by the two sides", n->expanded, expanded},
        {generated == (has(c, BOTH_ENDS) ? n->generated : 0),
         "%.15g nodes were generated, but %.15g by the two sides", n->generated, generated},
        {n->first_found <= n->best_found && n->best_found <= n->generated,
         "the best solution was found at node %.15g of %.15g, or before the first", n->best_found,
         n->generated},
        {n->best_found == 0 || has(c, IMPROVES),
         "first_found and best_found are %.15g and %.15g, which this algorithm does not count",
         n->first_found, n->best_found},
        {is(c, STATUS_memory_limit) || n->open_at_end <= n->max_open || is_plugin(c),
         "%.15g nodes were open at the end, but no more than %.15g at once", n->open_at_end,
         n->max_open},
        {n->peak_bytes <= budget, "%.15g bytes were held, above the budget of %.15g", n->peak_bytes,
         budget},
        {n->max_stored / 8 <= n->peak_bytes || is_plugin(c), "%.15g nodes were held in %.15g bytes",
         n->max_stored, n->peak_bytes},
        {!is(c, STATUS_memory_limit) || budget < SMALL_BUDGET || is_plugin(c) ||
             n->peak_bytes + asked_at_once(c) >= budget / SPENT,
         "ended by the memory budget, but held %.15g of %.15g bytes", n->peak_bytes, budget},
    };
    return FIRST_BROKEN(rules);
}

/* Also of programs of one's own. */
static char *why_no_times_and_start(const struct claim *c)
{
    const struct result *r = c->result;
    const struct limits *limits = &c->run->limits;
    const double wall = r->wall_seconds;
    const double cpu = r->cpu_seconds;
    const bool solved = is(c, STATUS_solved);
    const struct rule rules[] = {
        {wall >= r->earlier_seconds && wall - r->earlier_seconds <= c->elapsed + READING,
         "wall_s is %.9g, but %.9g s have passed since the run was begun", wall, c->elapsed},
        {cpu >= 0 &&
             (is_external(c) || cpu <= solver_threads(c->run->solver) * (wall * 1.01 + TICKS)),
         "cpu_s is %.9g, but wall_s %.9g", cpu, wall},
        {is_external(c) || !is(c, STATUS_time_limit) ||
             (limits->seconds > 0 && wall >= limits->seconds - READING),
         "ended by the time limit, but after %.9g of %.9g s (0: no limit)", wall, limits->seconds},
        {is_external(c) || !is(c, STATUS_cpu_limit) ||
             (limits->cpu_seconds > 0 && cpu >= limits->cpu_seconds - TICKS),
         "ended by the limit of processor time, but after %.9g of %.9g s (0: no limit)", cpu,
         limits->cpu_seconds},
        {!solved || limits->cpu_seconds == 0 || cpu < limits->cpu_seconds,
         "solved after %.9g s of processor time, with a limit of %.9g s", cpu, limits->cpu_seconds},
        {r->h_start <= UINT16_MAX &&
             (c->run->solver->heuristic.kind != NULL && c->run->instance->cost == COST_unit
                  ? r->h_start >= 0
                  : r->h_start == -1 || (is_external(c) && r->h_start >= 0)),
         "h at the start is %.15g (-1: no heuristic)", r->h_start, 0},
        {!solved || r->length == 0 || (is_external(c) && solver_bound(c->run->solver) == 0) ||
             !board_equal(&c->run->instance->start, &c->run->instance->goal),
         "a path of %.15g moves, although the start is the goal", r->length, 0},
    };
    return FIRST_BROKEN(rules);
}

/* The groups of rules, in the order in which they are looked at. Some are of solvers that count as
 * tilelab does: a program of one's own may count in another way, leave the root out, search where
 * parity would do, run on several processors at once, and its memory is watched from outside. */
static const struct {
    bool of_externals;
    char *(*why)(const struct claim *);
} rule_groups[] = {
    {false, why_no_counts},
    {false, why_no_path_and_rounds},
    {false, why_no_sides_and_memory},
    {true, why_no_times_and_start},
};

/* Nobody can stop a program of one's own at a node: its own count says afterwards whether it kept
 * the run's limit. And it may have limits of its own: one that ends it before the run's is none
 * that the run has, so the solver gave up. */
static void hold_to_limits(const struct run *run, struct result *result)
{
    const struct limits *limits = &run->limits;
    const uint64_t generated = result->statistics.generated; /* 0: not known */
    const bool early = result->wall_seconds < limits->seconds - READING;
    const bool few = generated != 0 && generated < limits->nodes;
    const bool lazy = result->cpu_seconds < limits->cpu_seconds;
    if ((result->status == STATUS_time_limit && (limits->seconds <= 0 || early)) ||
        (result->status == STATUS_cpu_limit && (limits->cpu_seconds <= 0 || lazy)) ||
        (result->status == STATUS_node_limit && (limits->nodes == 0 || few)))
        result->status = STATUS_stuck;
    if (result->status == STATUS_solved && limits->nodes > 0 && generated > limits->nodes)
        result->status = STATUS_node_limit;
}

/* The steps of a path that holds, but for its detours: its states, less one. */
static uint64_t steps_of(const struct instance *instance, const struct result *result)
{
    struct board board = instance->start;
    SCOPED uint64_t *hashes = heap_take(result->length + 1, sizeof *hashes);
    uint64_t steps = 0;
    for (size_t i = 0; i <= result->length; i++) {
        if (i > 0)
            board_slide(&board,
                        move_target(board.shape, board.blank, move_parse(result->moves[i - 1])));
        hashes[i] = XXH3_64bits(board.cell, sizeof board.cell);
    }
    qsort(hashes, result->length + 1, sizeof *hashes, order_numbers);
    for (size_t i = 1; i <= result->length; i++)
        steps += hashes[i] != hashes[i - 1];
    return steps;
}

char *impossible_counts(const struct instance *instance, const struct result *result,
                        uint32_t known)
{
    enum { ROOTS = SIDES };
    const struct statistics *n = &result->statistics;
    if (result->status != STATUS_solved)
        return NULL;
#define KNOWN(counter) ((known >> (COLUMN_##counter - FIRST_COUNTER) & 1) != 0)
    const bool few = (KNOWN(expanded) && n->expanded + ROOTS < result->length) ||
                     (KNOWN(generated) && n->generated < result->length) ||
                     (KNOWN(max_depth) && n->max_depth + 1 < result->length / 2);
    const uint64_t steps = few && path_holds(instance, result) ? steps_of(instance, result) : 0;
    if (KNOWN(expanded) && n->expanded + ROOTS < steps)
        return filled_in("%.15g nodes were expanded, but the path has %.15g steps",
                         (double)n->expanded, (double)steps);
    if (KNOWN(generated) && n->generated < steps)
        return filled_in("%.15g nodes were generated, but the path has %.15g steps",
                         (double)n->generated, (double)steps);
    if (KNOWN(max_depth) && n->max_depth + 1 < steps / 2)
        return filled_in("no node deeper than %.15g was kept, but the path has %.15g steps",
                         (double)n->max_depth, (double)steps);
    if (!KNOWN(generated))
        return NULL;
    if (KNOWN(expanded) && (n->generated > 0 ? n->generated - 1 : 0) / MOVES > n->expanded + ROOTS)
        return filled_in("%.15g nodes were generated, more than %.15g expanded ones have "
                         "successors",
                         (double)n->generated, (double)n->expanded);
    const struct {
        const char *what;
        bool known;
        uint64_t count;
    } parts[] = {
        {"%.15g duplicates among %.15g generated nodes", KNOWN(duplicates), n->duplicates},
        {"%.15g nodes were open at once, but %.15g generated", KNOWN(max_open), n->max_open},
        {"%.15g nodes were held at once, but %.15g generated", KNOWN(max_stored), n->max_stored},
        {"%.15g nodes were open at the end, but %.15g generated", KNOWN(open_at_end),
         n->open_at_end}};
#undef KNOWN
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].known && parts[i].count > ROOTS && parts[i].count - ROOTS > n->generated)
            return filled_in(parts[i].what, (double)parts[i].count, (double)n->generated);
    return NULL;
}

char *verify_cells(const struct run *run, double elapsed_seconds, struct result *result)
{
    if (run->external != NULL)
        hold_to_limits(run, result);
    const struct claim claim = {run, elapsed_seconds, result, &result->statistics};
    char *why = NULL;
    for (size_t i = 0; why == NULL && i < sizeof rule_groups / sizeof *rule_groups; i++)
        if (rule_groups[i].of_externals || run->external == NULL)
            why = rule_groups[i].why(&claim);
    if (why == NULL)
        return NULL;
    condemn(result);
    result->statistics = (struct statistics){0};
    result->round_count = 0;
    result->wall_seconds = result->cpu_seconds = 0;
    result->h_start = -1;
    return why;
}
