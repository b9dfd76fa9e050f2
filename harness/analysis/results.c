/* What the rows say together: outcomes, blocks, optima, and what solvers report. */
#include "harness/analysis/results.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/analysis/statistics.h"
#include "harness/analysis/threads.h"
#include <pthread.h>

/* Puts solvers and instances in an order that does not depend on that of the rows. */
static void arrange(struct results *results, const struct names *order)
{
    const size_t count = results->instances.count;
    SCOPED size_t *solver = heap_take(results->solvers.count, sizeof *solver);
    SCOPED size_t *instance = heap_take(count, sizeof *instance);
    struct known_instance *known = heap_take(count, sizeof *known);
    char **options = heap_take(results->solvers.count, sizeof *options);
    char **labels = heap_take(results->solvers.count, sizeof *labels);
    names_arrange(&results->solvers, order, solver);
    names_arrange(&results->instances, NULL, instance);
    for (size_t i = 0; i < count; i++)
        known[instance[i]] = results->known[i];
    for (size_t i = 0; i < results->solvers.count; i++) {
        options[solver[i]] = results->options[i];
        labels[solver[i]] = results->row_labels[i];
    }
    for (size_t i = 0; i < results->count; i++) {
        struct run_row *run = &results->runs[i];
        run->solver = (uint32_t)solver[run->solver];
        run->instance = (uint32_t)instance[run->instance];
    }
    FREE(results->known, results->options, results->row_labels);
    results->known = known;
    results->options = options;
    results->row_labels = labels;
}

static size_t outcome_of(const struct results *results, size_t run)
{
    return results->runs[run].solver * results->instances.count + results->runs[run].instance;
}

/* The run numbers in order of their outcome: outcome o has those from starts[o] to starts[o + 1].
 */
static uint32_t *runs_by_outcome(const struct results *results, uint32_t **starts)
{
    size_t outcomes = results->solvers.count * results->instances.count;
    uint32_t *order = heap_take(results->count, sizeof *order);
    uint32_t *next = heap_take(outcomes + 2, sizeof *next);
    /* Counting sort: next[o + 1] is where the next run of outcome o goes. */
    for (size_t i = 0; i < results->count; i++)
        next[outcome_of(results, i) + 2]++;
    for (size_t i = 1; i < outcomes + 2; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < results->count; i++)
        order[next[outcome_of(results, i) + 1]++] = (uint32_t)i;
    *starts = next;
    return order;
}

/* Asks memory for a run that comes later in that order. */
static void fetch_run(const struct results *results, const uint32_t *order, size_t at)
{
    enum { LATER = 16 };
    if (at + LATER >= results->count)
        return;
    __builtin_prefetch(&results->runs[order[at + LATER]]);
    compact_fetch(&results->numbers, order[at + LATER]);
}

/* A run that says something of its solver. */
static bool is_attempt(const struct run_row *run)
{
    return status_rows[run->status].tried;
}

/* The machines that attempts ran on: the sum of their hashes, each once. */
static uint64_t hosts_of(const struct results *results, const uint32_t *runs, size_t count)
{
    enum { REMEMBERED = 16 };
    uint32_t seen[REMEMBERED];
    uint64_t sum = 0;
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        const struct run_row *run = &results->runs[runs[i]];
        size_t at = 0;
        if (!is_attempt(run))
            continue;
        if (run->host == 0)
            return 0;
        while (at < distinct && seen[at] != run->host)
            at++;
        if (at < distinct)
            continue;
        sum += names_hash(results->hosts.text[run->host]);
        if (distinct < REMEMBERED)
            seen[distinct++] = run->host;
    }
    return sum;
}

static void count_runs(const struct results *results, struct outcome *outcome, const uint32_t *runs,
                       size_t count)
{
    outcome->limited = true;
    outcome->status = STATUS_solved;
    outcome->run = count == 0 ? UINT32_MAX : runs[0];
    for (size_t i = 1; i < count; i++)
        if (strcmp(results->run_ids.text[runs[i]], results->run_ids.text[outcome->run]) < 0)
            outcome->run = runs[i];
    outcome->measured = count == 0 ? MEASURED_SEARCH : results->runs[outcome->run].measured;
    for (size_t i = 0; i < count; i++) {
        const struct run_row *run = &results->runs[runs[i]];
        const bool solved = run->status == STATUS_solved;
        outcome->attempts += is_attempt(run);
        outcome->solved += solved;
        outcome->unverified += run->unverified;
        outcome->edited |= run->edited;
        outcome->impossible += run->impossible;
        outcome->drifted += run->drifted;
        outcome->answered +=
            run->status == STATUS_unsolvable && results->known[run->instance].unsolvable;
        if (!solved && is_attempt(run) &&
            (outcome->status == STATUS_solved || run->status < outcome->status))
            outcome->status = run->status;
        outcome->limited &= solved || !is_attempt(run) || status_is_limit(run->status);
    }
    outcome->hosts = hosts_of(results, runs, count);
    outcome->finished = outcome->attempts > 0 && outcome->solved == outcome->attempts;
    outcome->limited &= outcome->attempts > 0 && !outcome->finished;
}

/* The numbers of an outcome of several runs, or of none that says anything. `values` has room for
 * as many as there are runs. */
static void find_medians(const struct results *results, struct outcome *outcome,
                         const uint32_t *runs, size_t count, double *values,
                         double numbers[RUN_NUMBERS_KEPT])
{
    bool agree = true;
    for (unsigned i = 0; i < RUN_NUMBERS_KEPT; i++)
        numbers[i] = NAN;
    for (unsigned metric = 0; metric < metric_count(); metric++) {
        size_t used = 0;
        bool same = true;
        for (size_t i = 0; i < count; i++) {
            const struct run_row *run = &results->runs[runs[i]];
            const double value = results_number(results, runs[i], metric);
            if (is_attempt(run) && (run->status == STATUS_solved) == outcome->finished &&
                !isnan(value))
                values[used++] = value;
        }
        for (size_t i = 1; i < used; i++)
            same = same && values[i] == values[0];
        if (outcome->finished && metric_repeats((enum metric)metric, outcome->measured))
            agree = agree && same;
        numbers[metric] = used > 0 && same ? values[0] : median_of(values, used);
    }
    outcome->disagrees = !agree;
    for (size_t i = 0; i < count; i++) {
        for (unsigned j = RUN_LIMIT; j < RUN_LIMIT + LIMITS; j++) {
            const double limit = results_number(results, runs[i], j);
            numbers[j] = i == 0 || limit == numbers[j] ? limit : NAN;
        }
        /* of NaN and a number, the number */
        numbers[RUN_H_START] =
            fmax(numbers[RUN_H_START], results_number(results, runs[i], RUN_H_START));
    }
}

/* The outcomes, so many at a time. */
enum { OUTCOMES_AT_ONCE = 4096 };

struct reducing {
    struct results *results;
    const uint32_t *runs, *starts; /* of runs_by_outcome */
    size_t outcomes, most;         /* the most runs that one has */
    pthread_mutex_t lock;          /* of results->medians */
};

static void reduce_some(void *context, size_t item)
{
    struct reducing *reducing = context;
    const uint32_t *starts = reducing->starts;
    struct results *results = reducing->results;
    const size_t first = item * OUTCOMES_AT_ONCE;
    double numbers[RUN_NUMBERS_KEPT];
    SCOPED double *values = heap_take(reducing->most, sizeof *values);
    for (size_t i = first; i < first + OUTCOMES_AT_ONCE && i < reducing->outcomes; i++) {
        struct outcome *outcome = &results->outcomes[i];
        const uint32_t *runs = reducing->runs + starts[i];
        const size_t count = starts[i + 1] - starts[i];
        for (size_t at = starts[i]; at < starts[i + 1]; at++)
            fetch_run(results, reducing->runs, at);
        count_runs(results, outcome, runs, count);
        if (outcome->place == UINT32_MAX || outcome->place == 0)
            continue;
        find_medians(results, outcome, runs, count, values, numbers);
        pthread_mutex_lock(&reducing->lock);
        compact_set(&results->medians, outcome->place, numbers);
        pthread_mutex_unlock(&reducing->lock);
    }
}

/* Marks the runs whose times are beside control runs that drifted. */
static void find_drifted(struct results *results)
{
    drift_settle(&results->drift);
    SCOPED bool *drifted = heap_take(results->controls.count, sizeof *drifted);
    for (size_t i = 1; i < results->controls.count; i++)
        drifted[i] = drift_beside(&results->drift, drift_id(results->controls.text[i]));
    for (size_t i = 0; i < results->count; i++) {
        struct run_row *run = &results->runs[i];
        run->drifted = drifted[run->control];
        results->drifted += run->drifted;
    }
}

/* Says where the numbers of the outcomes are: those of one run that tried are the run's. The first
 * of the medians are those of outcomes without runs. */
static void place_outcomes(struct results *results, const uint32_t *runs, const uint32_t *starts)
{
    double none[RUN_NUMBERS_KEPT];
    for (unsigned i = 0; i < RUN_NUMBERS_KEPT; i++)
        none[i] = NAN;
    results->medians = compact_start(RUN_NUMBERS_KEPT);
    compact_set(&results->medians, 0, none);
    for (size_t i = 0; i < results->solvers.count * results->instances.count; i++) {
        const size_t count = starts[i + 1] - starts[i];
        const bool own = count == 1 && is_attempt(&results->runs[runs[starts[i]]]);
        results->outcomes[i].place = count == 0 ? 0
                                     : own      ? UINT32_MAX
                                                : (uint32_t)results->medians.rows;
        if (count > 0 && !own)
            compact_set(&results->medians, results->medians.rows, none);
    }
}

/* Reduces all runs to outcomes, and counts those that are odd. */
static void find_outcomes(struct results *results)
{
    const size_t outcomes = results->solvers.count * results->instances.count;
    SCOPED uint32_t *starts = NULL;
    SCOPED uint32_t *runs = runs_by_outcome(results, &starts);
    struct reducing reducing = {results, runs, starts, outcomes, 0, PTHREAD_MUTEX_INITIALIZER};
    for (size_t i = 0; i < outcomes; i++)
        reducing.most =
            starts[i + 1] - starts[i] > reducing.most ? starts[i + 1] - starts[i] : reducing.most;
    results->outcomes = heap_take(outcomes, sizeof *results->outcomes);
    place_outcomes(results, runs, starts);
    threads_work((outcomes + OUTCOMES_AT_ONCE - 1) / OUTCOMES_AT_ONCE,
                 metric_count() * results->count, reduce_some, &reducing);
    for (size_t i = 0; i < outcomes; i++) {
        const struct outcome *outcome = &results->outcomes[i];
        const bool own = outcome->measured == MEASURED_SEARCH;
        results->mixed += outcome->solved > 0 && !outcome->finished;
        results->disagreeing += outcome->disagrees && own;
        results->unrepeated += outcome->disagrees && !own;
    }
}

/* Whether the block holds all boards of its goal, each once. */
static bool is_whole(const struct results *results, const struct block *block)
{
    const struct known_instance *known = &results->known[block->first];
    struct names starts = {0};
    double boards = 0.5;
    bool whole = true;
    for (int i = 2; i <= known->start.shape.cells; i++)
        boards *= i;
    if ((double)block->count != boards)
        return false;
    for (size_t i = 0; whole && i < block->count; i++) {
        char line[BOARD_LINE];
        board_line(&known[i].start, line);
        whole = !known[i].unsolvable && board_equal(&known[i].goal, &known->goal) &&
                names_add(&starts, line) == i;
    }
    names_end(&starts);
    return whole;
}

/* How long the part of an instance's key is that names its block: up to the fourth separator. */
static size_t block_length(const char *key)
{
    const char *at = key;
    for (int i = 0; i < 4; i++)
        at = strchr(at, SEPARATOR) + 1;
    return (size_t)(at - key);
}

/* Blocks that differ in what moves cost alone say it. */
static void name_models(struct results *results)
{
    for (size_t i = 1; i < results->block_count; i++)
        for (size_t j = 0; j < i; j++) {
            struct block *pair[] = {&results->blocks[j], &results->blocks[i]};
            if (strcmp(pair[0]->set, pair[1]->set) != 0 || pair[0]->width != pair[1]->width ||
                pair[0]->height != pair[1]->height)
                continue;
            for (int k = 0; k < 2; k++) {
                free(pair[k]->name);
                pair[k]->name = heap_format("%s %ldx%ld %s", pair[k]->set, pair[k]->width,
                                            pair[k]->height, cost_names[pair[k]->model]);
            }
        }
}

static void find_blocks(struct results *results)
{
    const char *last = NULL;
    for (size_t i = 0; i < results->instances.count; i++) {
        const char *key = results->instances.text[i];
        const size_t length = block_length(key);
        if (last == NULL || (!results->pooled &&
                             (block_length(last) != length || strncmp(last, key, length) != 0))) {
            const struct known_instance *known = &results->known[i];
            const long width = known->start.shape.width;
            const long height = known->start.shape.height;
            const int set = (int)strcspn(key, "\x1f");
            *HEAP_ADD(results->blocks, results->block_count) =
                results->pooled
                    ? (struct block){.name = heap_text("all sets"), .set = heap_text("")}
                    : (struct block){.name = heap_format("%.*s %ldx%ld", set, key, width, height),
                                     .set = heap_format("%.*s", set, key),
                                     .width = width,
                                     .height = height};
            results->blocks[results->block_count - 1].first = i;
            results->blocks[results->block_count - 1].model = results->known[i].model;
        }
        results->blocks[results->block_count - 1].count++;
        last = key;
    }
    name_models(results);
    for (size_t i = 0; i < results->block_count; i++)
        results->blocks[i].whole = !results->pooled && is_whole(results, &results->blocks[i]);
}

const char *results_label(struct results *results, const char *solver, const char *label)
{
    const size_t count = results->labelled.count;
    const size_t own = names_find(&results->labelled, solver);
    if (own != NAMES_NONE)
        return results->labels[own];
    if (WORD_PLACE(results->labels, count, label) < count)
        return NULL;
    names_add(&results->labelled, solver);
    results->labels = heap_grow(results->labels, count, sizeof *results->labels);
    results->labels[count] = heap_text(label);
    return results->labels[count];
}

/* What a built-in solver claims of all its solutions. */
enum { SHORTEST = 1, CHEAPEST = 2 };

static unsigned claims_of(const char *text)
{
    struct solver solver;
    SCOPED_BY(report_end) struct report report = {0};
    if (!solver_parse(text, FIRST_PLACE, &report, &solver))
        return 0;
    return ((solver_properties(&solver) & OPTIMAL) != 0 ? SHORTEST : 0) |
           (solver_cost_bound(&solver) == DECIMAL_ONE ? CHEAPEST : 0);
}

/* The optimum of an instance, its length or its cost, by its outcomes; NaN where no solution of a
 * solver that claims it is verified, or another verified one is better. */
static double proven_optimum(const struct results *results, const unsigned *claims, size_t instance)
{
    const bool priced = is_priced(&results->known[instance]);
    double proven = INFINITY;
    double best = INFINITY;
    for (size_t i = 0; i < results->solvers.count; i++) {
        const struct outcome *outcome = results_outcome(results, i, instance);
        const double value = outcome_value(results, outcome, priced ? METRIC_cost : METRIC_length);
        if (!outcome->finished || outcome->unverified > 0 || isnan(value))
            continue;
        best = fmin(best, value);
        if ((claims[i] & (priced ? CHEAPEST : SHORTEST)) != 0)
            proven = fmin(proven, value);
    }
    return isfinite(proven) && proven == best ? proven : NAN;
}

static void learn_optima(struct results *results)
{
    SCOPED unsigned *claims = heap_take(results->solvers.count, sizeof *claims);
    for (size_t i = 0; i < results->solvers.count; i++)
        claims[i] = claims_of(results->solvers.text[i]);
    for (size_t i = 0; i < results->instances.count; i++) {
        struct known_instance *known = &results->known[i];
        if (known->unsolvable || !isnan(optimum_of(known)))
            continue;
        const double proven = proven_optimum(results, claims, i);
        if (isnan(proven))
            continue;
        if (is_priced(known))
            known->optimal_cost = (uint64_t)round(proven * (double)known->scale);
        else
            known->optimal = (long)proven;
    }
}

double optimum_of(const struct known_instance *known)
{
    if (!is_priced(known))
        return known->optimal < 0 ? NAN : (double)known->optimal;
    return known->optimal_cost == COST_UNKNOWN ? NAN
                                               : (double)known->optimal_cost / (double)known->scale;
}

double quality_of(const struct results *results, const struct outcome *outcome,
                  const struct known_instance *known)
{
    const bool priced = is_priced(known);
    const double scale = priced ? (double)known->scale : 1;
    const double optimum = priced ? (double)known->optimal_cost : (double)known->optimal;
    if (isnan(optimum_of(known)) || optimum <= 0 || !outcome->finished)
        return NAN;
    /* A median of repetitions may lie between two costs. */
    const double value = outcome_value(results, outcome, priced ? METRIC_cost : METRIC_length);
    return round(2 * scale * value) / 2 / optimum;
}

enum metric solution_metric(const struct block *block)
{
    return block->model == COST_unit ? METRIC_length : METRIC_cost;
}

const char *solution_word(const struct block *block)
{
    return metric_column(solution_metric(block))->name;
}

const char *optimal_word(const struct block *block)
{
    return block->model == COST_unit ? "shortest" : "cheapest";
}

const char *optimum_name(const struct block *block)
{
    static const char *const names[COST_MODELS] = {
#define COST(name, numerator, denominator, summary) "cost (" #name ")",
#include "puzzle/costs.def"
#undef COST
    };
    return block->model == COST_unit ? "length (moves)" : names[block->model];
}

/* Fills in how the solver's counters stand in the block, by metric. */
static void count_reported(const struct results *results, const struct block *block, size_t solver,
                           uint8_t reported[METRICS])
{
    const struct outcome *outcomes = results_outcome(results, solver, block->first);
    size_t known[METRICS] = {0};
    size_t missing[METRICS] = {0};
    size_t finished = 0;
    for (size_t i = 0; i < block->count; i++) {
        finished += outcomes[i].finished;
        for (unsigned metric = 0; metric < metric_count(); metric++) {
            const bool lacks = isnan(outcome_value(results, &outcomes[i], metric));
            known[metric] += !lacks;
            missing[metric] += lacks && outcomes[i].finished;
        }
    }
    for (unsigned metric = 0; metric < metric_count(); metric++) {
        const bool optional = metric < COUNTERS && counters[metric].optional;
        if (missing[metric] == 0 && (finished > 0 || known[metric] > 0))
            reported[metric] = REPORTED_ALL;
        else if (known[metric] == 0)
            reported[metric] = REPORTED_NONE;
        else
            reported[metric] = optional ? REPORTED_SOME : REPORTED_PART;
    }
}

static void find_reported(struct results *results)
{
    const size_t solvers = results->solvers.count;
    results->reported = heap_take(results->block_count * solvers, sizeof *results->reported);
    for (size_t i = 0; i < results->block_count; i++)
        for (size_t j = 0; j < solvers; j++)
            count_reported(results, &results->blocks[i], j, results->reported[i * solvers + j]);
}

enum reported results_reported(const struct results *results, const struct block *block,
                               size_t solver, enum metric metric)
{
    uint8_t reported[METRICS];
    for (size_t i = 0; i < results->block_count; i++)
        if (results->blocks[i].first == block->first && results->blocks[i].count == block->count)
            return results->reported[i * results->solvers.count + solver][metric];
    count_reported(results, block, solver, reported);
    return reported[metric];
}

void results_settle(struct results *results, const struct names *order)
{
    arrange(results, order);
    find_blocks(results);
    results->shown = heap_take(results->solvers.count, sizeof *results->shown);
    for (size_t i = 0; i < results->solvers.count; i++) {
        const char *solver = results->solvers.text[i];
        if (results->row_labels[i][0] != '\0')
            results_label(results, solver, results->row_labels[i]);
        const size_t labelled = names_find(&results->labelled, solver);
        results->shown[i] = labelled == NAMES_NONE ? solver : results->labels[labelled];
    }
    find_drifted(results);
    find_outcomes(results);
    learn_optima(results);
    find_reported(results);
}

bool results_tried(const struct results *results, const struct block *block, size_t solver)
{
    const struct outcome *outcomes = results_outcome(results, solver, block->first);
    for (size_t i = 0; i < block->count; i++)
        if (outcomes[i].attempts > 0)
            return true;
    return false;
}

/* Whether a solver has solved a board of a block. */
static bool solved_any(const struct results *results, const struct block *block, size_t solver)
{
    const struct outcome *outcomes = results_outcome(results, solver, block->first);
    for (size_t i = 0; i < block->count; i++)
        if (outcomes[i].finished)
            return true;
    return false;
}

/* The solvers that lack a metric, and solved boards or not; NULL: none, or no solver has it. */
static char *list_lacking(const struct results *results, const struct block *block,
                          enum metric metric, bool solved)
{
    char *text = NULL;
    bool any = false;
    for (size_t i = 0; i < results->solvers.count; i++) {
        const enum reported reported = results_reported(results, block, i, metric);
        any = any || reported == REPORTED_ALL || reported == REPORTED_SOME;
        if (reported >= REPORTED_PART && results_tried(results, block, i) &&
            solved_any(results, block, i) == solved)
            heap_append(&text, "%s%s", text == NULL ? "" : ", ", results->shown[i]);
    }
    return heap_keep(any, text);
}

char *results_lacking(const struct results *results, const struct block *block, enum metric metric)
{
    return list_lacking(results, block, metric, true);
}

char *results_left_out(const struct results *results, const struct block *block, enum metric metric)
{
    char *text = NULL;
    const char *name = metric_column(metric)->name;
    SCOPED char *lacking = results_lacking(results, block, metric);
    SCOPED char *failing = list_lacking(results, block, metric, false);
    if (lacking != NULL)
        heap_append(&text, "Left out, as %s is not reported of every board solved: %s.", name,
                    lacking);
    if (failing != NULL)
        heap_append(&text, "%sLeft out, as no board is solved and %s is not reported: %s.",
                    text == NULL ? "" : " ", name, failing);
    return text;
}

/* What the solver's times in the block are of; MEASURED where it has no runs there. */
static enum measured measured_in(const struct results *results, const struct block *block,
                                 size_t solver)
{
    const struct outcome *outcomes = results_outcome(results, solver, block->first);
    for (size_t i = 0; i < block->count; i++)
        if (outcomes[i].attempts > 0)
            return outcomes[i].measured;
    return MEASURED;
}

char *results_measured(const struct results *results, const struct block *block)
{
    static const char *const words[MEASURED] = {
        [MEASURED_SEARCH] = "the search alone",
        [MEASURED_PROCESS] = "the whole process with its start, as the system saw it",
        [MEASURED_ANSWER] = "one answer of a process that stays, as the system saw it",
    };
    char *text = NULL;
    unsigned kinds = 0;
    for (unsigned kind = MEASURED; kind-- > 0;) {
        SCOPED char *solvers = NULL;
        for (size_t i = 0; i < results->solvers.count; i++)
            if (measured_in(results, block, i) == kind)
                heap_append(&solvers, "%s%s", solvers == NULL ? "" : ", ", results->shown[i]);
        if (solvers == NULL)
            continue;
        heap_append(&text, "%s of %s %s", text == NULL ? "Time and memory:" : ";",
                    kind == MEASURED_SEARCH ? "the others" : solvers, words[kind]);
        kinds++;
    }
    return heap_keep(kinds > 1, text);
}

const struct outcome *results_outcome(const struct results *results, size_t solver, size_t instance)
{
    return &results->outcomes[solver * results->instances.count + instance];
}

/* The part of an instance's key that comes after so many separators. */
static char *key_part(const struct results *results, size_t instance, int before)
{
    const char *at = results->instances.text[instance];
    for (; before > 0; before--)
        at = strchr(at, SEPARATOR) + 1;
    return heap_format("%.*s", (int)strcspn(at, "\x1f"), at);
}

char *results_set(const struct results *results, size_t instance)
{
    return key_part(results, instance, 0);
}

char *results_instance(const struct results *results, size_t instance)
{
    return key_part(results, instance, 4);
}

void results_end(struct results *results)
{
    heap_free_texts(results->options, results->solvers.count);
    heap_free_texts(results->row_labels, results->solvers.count);
    names_end(&results->solvers);
    names_end(&results->instances);
    drift_end(&results->drift);
    names_end(&results->run_ids);
    names_end(&results->extras);
    names_end(&results->hosts);
    names_end(&results->controls);
    compact_end(&results->numbers);
    compact_end(&results->medians);
    choice_end(&results->sets);
    choice_end(&results->chosen);
    FREE(results->runs, results->known);
    names_end(&results->strangers.solvers);
    names_end(&results->other_limits.solvers);
    FREE(results->strangers.rows, results->other_limits.rows, results->outcomes, results->reported,
         results->shown);
    for (size_t i = 0; i < results->block_count; i++)
        FREE(results->blocks[i].name, results->blocks[i].set);
    free(results->blocks);
    heap_free_texts(results->labels, results->labelled.count);
    names_end(&results->labelled);
    *results = (struct results){0};
}
