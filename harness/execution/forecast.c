#include "harness/execution/forecast.h"
#include "base/heap.h"
#include "harness/execution/tables.h"
#include "harness/text/human.h"
#include "harness/text/tidy.h"

/* The columns whose cells are counts of nodes, and what they count. */
enum { EXPANDED, GENERATED, KINDS };
static const char *const kinds[KINDS] = {"expanded", "generated"};

/* The counts of a solver, by board: NaN where no reference has one. */
struct counts {
    double *of[KINDS]; /* owned */
    size_t known[KINDS];
    unsigned kind;      /* the one with the most */
    double mean[KINDS]; /* over all boards together; NaN */
};

static unsigned kind_of(const char *column)
{
    if (strcmp(column, "expanded") == 0)
        return EXPANDED;
    return strcmp(column, "generated") == 0 || strcmp(column, REFERENCE_WITHOUT_ROOT) == 0
               ? GENERATED
               : KINDS;
}

/* A mean over as many boards as the experiment has, all of them of the cell's set. */
static void take_mean(struct counts *counts, const struct experiment *experiment,
                      const struct reference_cell *cell)
{
    static const char *const means[KINDS] = {"expanded_mean", "generated_mean"};
    for (size_t i = 0; i < experiment->instances.count; i++)
        if (strcmp(cell->set, experiment->instances.items[i].set) != 0)
            return;
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (strcmp(cell->column, means[kind]) == 0 &&
            cell->whole == (double)experiment->instances.count)
            counts->mean[kind] = reference_truth(cell);
}

/* The nodes that a solver expanded or generated on a board, where a cell tells. */
static void take_cell(struct counts *counts, const struct experiment *experiment,
                      const struct reference_cell *cell)
{
    const unsigned kind = kind_of(cell->column);
    for (size_t i = 0; kind < KINDS && i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        if (strcmp(cell->instance, instance->name) != 0 ||
            (cell->set[0] != '\0' && strcmp(cell->set, instance->set) != 0))
            continue;
        counts->known[kind] += isnan(counts->of[kind][i]) ? 1 : 0;
        counts->of[kind][i] = reference_truth(cell);
    }
}

static void take_reference(struct counts *counts, const struct experiment *experiment,
                           const struct expectation *own)
{
    SCOPED_BY(report_end) struct report report = {0};
    struct reference reference;
    if (reference_read(&reference, own->name, own->by, own->level, own->text, &report))
        for (size_t i = 0; i < reference.count; i++)
            for (size_t s = 0; s < experiment->solver_count; s++) {
                const struct reference_cell *cell = &reference.cells[i];
                if (solver_is_named(&experiment->solvers[s], cell->solver) &&
                    own->by == EXPECT_BY_INSTANCE)
                    take_cell(&counts[s], experiment, cell);
                if (solver_is_named(&experiment->solvers[s], cell->solver) &&
                    own->by == EXPECT_BY_SOLVER)
                    take_mean(&counts[s], experiment, cell);
            }
    reference_end(&reference);
}

/* By solver; counts_end. */
static struct counts *counts_make(const struct experiment *experiment)
{
    const size_t boards = experiment->instances.count;
    struct counts *counts = heap_take(experiment->solver_count, sizeof *counts);
    for (size_t s = 0; s < experiment->solver_count; s++)
        for (unsigned kind = 0; kind < KINDS; kind++) {
            counts[s].mean[kind] = NAN;
            counts[s].of[kind] = heap_take(boards, sizeof(double));
            for (size_t i = 0; i < boards; i++)
                counts[s].of[kind][i] = NAN;
        }
    for (size_t i = 0; i < experiment->expectation_count; i++)
        take_reference(counts, experiment, &experiment->expectations[i]);
    for (size_t s = 0; s < experiment->solver_count; s++)
        counts[s].kind = counts[s].known[GENERATED] > counts[s].known[EXPANDED];
    return counts;
}

static void counts_end(struct counts *counts, size_t solvers)
{
    for (size_t s = 0; s < solvers; s++)
        FREE(counts[s].of[EXPANDED], counts[s].of[GENERATED]);
    free(counts);
}

/* How many nodes of `own` come on one of `base`. */
struct ratio {
    double mean, low, high; /* NaN: no board has both */
};

static struct ratio ratio_of(const double *own, const double *base, size_t boards)
{
    struct ratio ratio = {NAN, NAN, NAN};
    double own_sum = 0, base_sum = 0;
    for (size_t i = 0; i < boards; i++) {
        if (isnan(own[i]) || isnan(base[i]))
            continue;
        own_sum += own[i];
        base_sum += base[i];
        ratio.low = fmin(own[i] / base[i], ratio.low); /* fmin and fmax pass over NaN */
        ratio.high = fmax(own[i] / base[i], ratio.high);
    }
    if (base_sum > 0)
        ratio.mean = own_sum / base_sum;
    return ratio;
}

static void sum_up(struct forecast_solver *forecast, const struct counts *counts,
                   const struct counts *most, size_t boards)
{
    const double *own = counts->of[counts->kind];
    const double *base = most->of[most->kind];
    const struct ratio ratio = ratio_of(own, base, boards);
    double largest = 0;
    if (counts->known[counts->kind] == 0)
        return;
    forecast->counted = kinds[counts->kind];
    for (size_t i = 0; i < boards; i++) {
        const bool known = !isnan(own[i]);
        const double nodes = known ? own[i] : base[i] * ratio.mean;
        if (isnan(nodes))
            continue;
        *(known ? &forecast->known : &forecast->guessed) += 1;
        forecast->nodes += nodes;
        forecast->low += known ? nodes : base[i] * ratio.low;
        forecast->high += known ? nodes : base[i] * ratio.high;
        if (nodes > largest) {
            largest = nodes;
            forecast->largest = i;
        }
    }
    if (!isnan(counts->mean[counts->kind]) && forecast->guessed > 0) {
        forecast->known += forecast->guessed;
        forecast->guessed = 0;
        forecast->nodes = forecast->low = forecast->high =
            counts->mean[counts->kind] * (double)boards;
    }
}

struct forecast forecast_make(const struct experiment *experiment)
{
    const size_t solvers = experiment->solver_count;
    struct forecast forecast = {.experiment = experiment,
                                .solvers = heap_take(solvers, sizeof *forecast.solvers)};
    struct counts *counts = counts_make(experiment);
    size_t most = 0;
    for (size_t s = 1; s < solvers; s++)
        if (counts[s].known[counts[s].kind] > counts[most].known[counts[most].kind])
            most = s;
    for (size_t s = 0; s < solvers; s++) {
        forecast.solvers[s].rate = NAN;
        sum_up(&forecast.solvers[s], &counts[s], &counts[most], experiment->instances.count);
        forecast.any = forecast.any || forecast.solvers[s].counted != NULL;
    }
    counts_end(counts, solvers);
    return forecast;
}

void forecast_end(struct forecast *forecast)
{
    free(forecast->solvers);
}

/* The nodes that a search expands or generates within limits, and its processor time. */
static double search_nodes(const struct forecast_solver *forecast,
                           const struct experiment_solver *own, const struct instance *instance,
                           const struct task *task, struct limits limits, double *cpu_seconds)
{
    struct move_costs costs;
    struct result result;
    solver_run_priced(&own->solver, task, instance_costs(instance, &costs), &limits, NULL, &result);
    const uint64_t nodes = strcmp(forecast->counted, kinds[EXPANDED]) == 0
                               ? result.statistics.expanded
                               : result.statistics.generated;
    *cpu_seconds = result.cpu_seconds;
    result_end(&result);
    return (double)nodes;
}

/* What a search takes before its first node (pruned moves: some seconds) is no part of its rate. */
static enum ending measure(struct forecast_solver *forecast, const struct experiment *experiment,
                           const struct experiment_solver *own, double seconds)
{
    const struct instance *instance = &experiment->instances.items[forecast->largest];
    const struct task task = {.start = instance->start,
                              .goal = instance->goal,
                              .order = solver_order(&own->solver, experiment->order)};
    const enum ending ending = tables_build_for(&own->solver, instance, false);
    if (ending != ENDING_DONE)
        return ending;
    struct limits limits = {.nodes = 1, .bytes = own->limits.bytes};
    double before, all;
    (void)search_nodes(forecast, own, instance, &task, limits, &before);
    limits = (struct limits){.cpu_seconds = before + seconds, .bytes = own->limits.bytes};
    const double nodes = search_nodes(forecast, own, instance, &task, limits, &all);
    if (nodes > 0 && all > before)
        forecast->rate = nodes / (all - before);
    return ENDING_DONE;
}

enum ending forecast_measure(struct forecast *forecast, double seconds)
{
    const struct experiment *experiment = forecast->experiment;
    enum ending ending = ENDING_DONE;
    for (size_t s = 0; ending == ENDING_DONE && s < experiment->solver_count; s++) {
        struct forecast_solver *solver = &forecast->solvers[s];
        const struct experiment_solver *own = &experiment->solvers[s];
        if (solver->counted != NULL && own->external == NULL)
            ending = measure(solver, experiment, own, seconds);
    }
    forecast->measured_seconds = seconds;
    return ending;
}

/* What follows from a rate is no column for people where none was measured. */
static void rate_column(struct tidy *table, const struct forecast *forecast, const char *name,
                        const char *unit, enum tidy_shape shape, const char *heading)
{
    struct tidy_heading *column = tidy_column_as(table, name, unit, shape);
    column->heading = heap_text(heading);
    column->hidden = forecast->measured_seconds == 0;
}

static struct tidy table_of(const struct forecast *forecast)
{
    const struct experiment *experiment = forecast->experiment;
    struct tidy table = {0};
    tidy_heads(&table, "solver:t|known[instances]:f|guessed[instances]:f|counted:t|nodes[nodes]");
    rate_column(&table, forecast, "nodes_per_s", "nodes/s", SHAPE_NUMBER, "a second");
    rate_column(&table, forecast, "core_hours", "h", SHAPE_RATIO, "core-hours");
    rate_column(&table, forecast, "core_hours_low", "h", SHAPE_RATIO, "low");
    rate_column(&table, forecast, "core_hours_high", "h", SHAPE_RATIO, "high");
    for (size_t s = 0; s < experiment->solver_count; s++) {
        const struct experiment_solver *own = &experiment->solvers[s];
        const struct forecast_solver *solver = &forecast->solvers[s];
        const double hours = experiment->repetitions / solver->rate / 3600;
        if (solver->counted == NULL)
            continue;
        tidy_text(&table, experiment_solver_name(own));
        tidy_numbers(&table, (double)solver->known, (double)solver->guessed);
        tidy_text(&table, solver->counted);
        tidy_numbers(&table, solver->nodes, solver->rate, hours * solver->nodes,
                     hours * solver->low, hours * solver->high);
    }
    return table;
}

void forecast_print(FILE *file, const struct forecast *forecast)
{
    if (!forecast->any)
        return;
    SCOPED_BY(tidy_end) struct tidy table = table_of(forecast);
    if (forecast->measured_seconds > 0)
        fprintf(
            file,
            "\nExpected, by the nodes of references and nodes a second measured here (%s each):\n",
            human_seconds(forecast->measured_seconds).text);
    else
        fputs("\nExpected, by the nodes of references (--measure 10s says how many core-hours that "
              "is):\n",
              file);
    tidy_print(&table, file);
}

json_t *forecast_json(const struct forecast *forecast)
{
    SCOPED_BY(tidy_end) struct tidy table = table_of(forecast);
    return tidy_json(&table);
}
