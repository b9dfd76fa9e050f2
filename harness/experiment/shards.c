#include "harness/experiment/shards.h"
#include "base/heap.h"
#include "harness/external/program.h"
#include "harness/text/sorting.h"
#include <math.h>

/* Reads a number of digits alone, at most MAX_SHARDS; 0 if it is none. */
static unsigned read_number(const char *text, char ending)
{
    char *end;
    if (text[0] < '1' || text[0] > '9')
        return 0;
    const unsigned long number = strtoul(text, &end, 10);
    return *end != ending || number > MAX_SHARDS ? 0 : (unsigned)number;
}

bool shard_parse(const char *text, struct shard *shard)
{
    const char *slash = strchr(text, '/');
    shard->number = read_number(text, '/');
    shard->count = slash == NULL ? 0 : read_number(slash + 1, '\0');
    return shard->number >= 1 && shard->number <= shard->count;
}

double shard_load_worst(const struct shard_load *load, unsigned jobs)
{
    const double runs =
        load->runs <= jobs ? load->longest : (load->seconds + load->longest * (jobs - 1)) / jobs;
    return load->before + runs;
}

/* The most that starting a solver takes. */
static double start_of(const struct experiment_solver *solver)
{
    return solver->external == NULL ? 0
                                    : programs_start_seconds(solver->external, &solver->limits) +
                                          solver->external->grace;
}

/* The most that a run of a solver takes. */
static double worst_of(const struct experiment_solver *solver)
{
    return start_of(solver) + solver->limits.seconds;
}

struct shard_load shard_load_of(const struct experiment *experiment)
{
    struct shard_load load = {.runs = experiment_run_count(experiment)};
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        const double seconds = worst_of(solver);
        const double warm_up = start_of(solver) + fmin(solver->limits.seconds, WARM_UP_RUN_SECONDS);
        load.before = fmax(load.before, experiment->warmup * warm_up);
        load.starts = load.starts || start_of(solver) > 0;
        load.seconds += seconds;
        load.longest = seconds > load.longest ? seconds : load.longest;
    }
    load.seconds *= (double)experiment->instances.count * experiment->repetitions;
    return load;
}

double experiment_cpu_seconds(const struct experiment *experiment)
{
    double seconds = 0;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        if (experiment->solvers[i].limits.cpu_seconds == 0)
            return 0;
        seconds += experiment->solvers[i].limits.cpu_seconds;
    }
    return seconds * (double)experiment->instances.count * experiment->repetitions;
}

/* ---- Units ---- */

struct unit {
    uint32_t number; /* unit_of its runs */
    uint32_t place;  /* among the units, by their first runs in the order of starting */
    double seconds;
};

static size_t unit_of(const struct experiment *experiment, bool torn, uint32_t run)
{
    const struct matrix_cell cell = experiment_cell(experiment, run);
    return torn ? run : cell.instance * experiment->repetitions + cell.repetition - 1;
}

ORDER_BY(longest_first, struct unit, ORDER(y->seconds, x->seconds), BY(place));

/* The units in the order in which they are given to shards; heap memory. Units of several runs have
 * one of each solver, so that all take the same time and are in order as they are found. */
static struct unit *list_units(const struct experiment *experiment, const uint32_t *order,
                               bool torn, size_t count)
{
    const size_t runs = experiment_run_count(experiment);
    SCOPED double *worst = heap_take(experiment->solver_count, sizeof *worst);
    SCOPED bool *listed = heap_take(count, sizeof *listed);
    struct unit *units = heap_take(count, sizeof *units);
    uint32_t place = 0;
    double all = 0;
    for (size_t i = 0; i < experiment->solver_count; i++)
        all += worst[i] = worst_of(&experiment->solvers[i]);
    for (size_t i = 0; i < runs; i++) {
        const size_t number = unit_of(experiment, torn, order[i]);
        if (listed[number])
            continue;
        listed[number] = true;
        units[place] = (struct unit){
            .number = (uint32_t)number,
            .place = place,
            .seconds = torn ? worst[experiment_cell(experiment, order[i]).solver] : all};
        place++;
    }
    if (torn)
        qsort(units, count, sizeof *units, longest_first);
    return units;
}

/* ---- Shards by their loads ---- */

/* A heap of shards' numbers: the least loaded is the first. */
struct least {
    const struct shard_load *loads;
    uint32_t *heap;
    size_t count;
};

static bool is_less(const struct least *least, uint32_t a, uint32_t b)
{
    const struct shard_load *x = &least->loads[a];
    const struct shard_load *y = &least->loads[b];
    return x->seconds != y->seconds ? x->seconds < y->seconds
           : x->runs != y->runs     ? x->runs < y->runs
                                    : a < b;
}

/* The first has become heavier: puts it where it belongs. */
static void sink_first(struct least *least)
{
    const uint32_t moved = least->heap[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < least->count; at = child) {
        if (child + 1 < least->count && is_less(least, least->heap[child + 1], least->heap[child]))
            child++;
        if (!is_less(least, least->heap[child], moved))
            break;
        least->heap[at] = least->heap[child];
    }
    least->heap[at] = moved;
}

/* Gives each unit to a shard: writes the shard of unit i to of_unit[i]. */
static void deal(struct shards *shards, const struct unit *units, size_t count, size_t unit_runs,
                 const struct shard_load *all, uint32_t *of_unit)
{
    struct least least = {.loads = shards->loads, .count = shards->count};
    least.heap = heap_take(least.count, sizeof *least.heap);
    for (uint32_t i = 0; i < shards->count; i++)
        least.heap[i] = i;
    for (size_t i = 0; i < count; i++) {
        const uint32_t shard = least.heap[0];
        of_unit[units[i].number] = shard;
        shards->loads[shard].runs += unit_runs;
        shards->loads[shard].seconds += units[i].seconds;
        shards->loads[shard].longest =
            fmax(shards->loads[shard].longest, shards->torn ? units[i].seconds : all->longest);
        shards->loads[shard].before = all->before;
        sink_first(&least);
    }
    free(least.heap);
}

struct shards shards_of(const struct experiment *experiment, unsigned count)
{
    const size_t runs = experiment_run_count(experiment);
    const size_t pairs = experiment->instances.count * experiment->repetitions;
    struct shards shards = {.count = count, .runs = runs, .torn = count > pairs};
    const size_t unit_count = shards.torn ? runs : pairs;
    shards.order = experiment_run_order(experiment);
    SCOPED struct unit *units = list_units(experiment, shards.order, shards.torn, unit_count);
    SCOPED uint32_t *of_unit = heap_take(unit_count, sizeof *of_unit);
    shards.of = heap_take(runs, sizeof *shards.of);
    shards.loads = heap_take(count, sizeof *shards.loads);
    const struct shard_load all = shard_load_of(experiment);
    deal(&shards, units, unit_count, shards.torn ? 1 : experiment->solver_count, &all, of_unit);
    for (size_t i = 0; i < runs; i++)
        shards.of[i] = of_unit[unit_of(experiment, shards.torn, (uint32_t)i)];
    return shards;
}

uint32_t *shards_runs(const struct shards *shards, unsigned number, bool others, size_t *count)
{
    const size_t own = shards->loads[number - 1].runs;
    size_t found = 0;
    *count = others ? shards->runs - own : own;
    uint32_t *numbers = heap_take(*count, sizeof *numbers);
    for (size_t i = 0; found < *count; i++)
        if ((shards->of[shards->order[i]] != number - 1) == others)
            numbers[found++] = shards->order[i];
    return numbers;
}

void shards_end(struct shards *shards)
{
    FREE(shards->order, shards->of, shards->loads);
    *shards = (struct shards){0};
}
