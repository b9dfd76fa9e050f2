#include "harness/execution/tables.h"
#include "base/heap.h"
#include "harness/execution/scheduler.h"
#include "harness/text/interrupt.h"
#include <inttypes.h>

static bool show_build(void *context, const struct pattern *pattern, uint64_t done, uint64_t all)
{
    struct table_watch *watch = context;
    if (watch->pattern != pattern)
        progress_start(&watch->terminal.progress, "entries", 0, all, watch->quiet);
    watch->pattern = pattern;
    SCOPED char *name = pattern_name(pattern);
    progress_show(&watch->terminal.progress, done, name);
    if (watch->folder != NULL && clock_wall() - watch->beaten >= BEAT_SECONDS) {
        folder_beat(watch->folder);
        watch->beaten = clock_wall();
    }
    watch->stopped = watch->stopped || interrupted;
    return !watch->stopped;
}

static void say(void *context, const char *text)
{
    struct table_watch *watch = context;
    display_say(&watch->terminal.display, "%s", text);
}

struct pattern_watcher table_watch_start(struct table_watch *watch)
{
    interrupt_start();
    return (struct pattern_watcher){watch, show_build, say};
}

void table_watch_end(struct table_watch *watch)
{
    progress_clear(&watch->terminal.progress);
    interrupt_end();
    watch->stopped = watch->stopped || interrupted;
}

/* Prints a line for each table that was built since the last call. */
static void say_built(struct display *display)
{
    static const struct pattern_table *reported;
    const struct pattern_table *latest = pattern_store_table(0);
    const struct pattern_table *table;
    for (unsigned i = 0; (table = pattern_store_table(i)) != NULL && table != reported; i++) {
        if (!table->built)
            continue;
        SCOPED char *name = pattern_name(&table->pattern);
        display_say(display, "pattern database %s: %" PRIu64 " entries built in %.1f s%s%s", name,
                    table->entries, table->build_seconds, table->path == NULL ? "" : ", kept in ",
                    table->path == NULL ? "" : table->path);
    }
    reported = latest;
}

static bool has_tables(const struct heuristic_choice *choice)
{
    return choice->kind->extras != NULL && choice->kind->extras->build != NULL;
}

static enum ending build(const struct heuristic_choice *choice, const struct board *goal,
                         enum cost_model cost, bool quiet, const struct folder *folder)
{
    struct table_watch watch = {.terminal = terminal_make(), .quiet = quiet, .folder = folder};
    SCOPED char *problem = NULL;
    if (choice->kind == NULL || !has_tables(choice))
        return ENDING_DONE;
    const struct pattern_watcher watcher = table_watch_start(&watch);
    const bool fine = heuristic_build(choice, goal, cost, &watcher, &problem);
    table_watch_end(&watch);
    if (!quiet)
        say_built(&watch.terminal.display);
    if (!fine)
        display_say(&watch.terminal.display, "%s",
                    watch.stopped ? "interrupted while a pattern database was built" : problem);
    return watch.stopped ? ENDING_INTERRUPTED : fine ? ENDING_DONE : ENDING_FAILED;
}

enum ending tables_build(const struct heuristic_choice *choice, const struct board *goal,
                         enum cost_model cost, bool quiet)
{
    return build(choice, goal, cost, quiet, NULL);
}

enum ending tables_build_for(const struct solver *solver, const struct instance *instance,
                             bool quiet)
{
    const enum cost_model cost = instance->cost;
    const enum ending ending = build(&solver->heuristic, &instance->goal, cost, quiet, NULL);
    if (ending != ENDING_DONE || !solver_estimates_back(solver) ||
        !board_connected(&instance->start, &instance->goal))
        return ending;
    return build(&solver->heuristic, &instance->start, cost, quiet, NULL);
}

/* Goes through the boards that a solver of an experiment has as goals of its heuristic: the goals,
 * and the starts if it searches from both ends. `at` is 0 at first. NULL after the last. *instance
 * is the one that has it. */
static const struct board *next_target(const struct experiment *experiment,
                                       const struct solver *solver, size_t *at,
                                       const struct instance **instance)
{
    const struct instance_list *instances = &experiment->instances;
    if (solver->heuristic.kind == NULL || !has_tables(&solver->heuristic))
        return NULL;
    while (*at < instances->count) {
        const struct instance *items = instances->items;
        *instance = &items[(*at)++];
        if (*at == 1 || (*instance)->cost != items[*at - 2].cost ||
            !board_equal(&(*instance)->goal, &items[*at - 2].goal))
            return &(*instance)->goal;
    }
    while (*at < 2 * instances->count && solver_estimates_back(solver)) {
        *instance = &instances->items[(*at)++ - instances->count];
        if (board_connected(&(*instance)->start, &(*instance)->goal))
            return &(*instance)->start;
    }
    return NULL;
}

enum ending tables_build_all(const struct experiment *experiment, bool quiet,
                             const struct folder *folder)
{
    enum ending ending = ENDING_DONE;
    for (size_t s = 0; s < experiment->solver_count; s++) {
        const struct solver *solver = &experiment->solvers[s].solver;
        const struct board *target;
        const struct instance *instance;
        for (size_t at = 0; ending == ENDING_DONE &&
                            (target = next_target(experiment, solver, &at, &instance)) != NULL;)
            ending = build(&solver->heuristic, target, instance->cost, quiet, folder);
    }
    return ending;
}

static void add_needed(void *context, const struct pattern *pattern)
{
    struct tables_needed *needed = context;
    for (size_t i = 0; i < needed->count; i++)
        if (memcmp(&needed->patterns[i], pattern, sizeof *pattern) == 0)
            return;
    *HEAP_ADD(needed->patterns, needed->count) = *pattern;
    needed->bytes += pattern_bytes(pattern);
}

struct tables_needed tables_needed_by(const struct experiment *experiment)
{
    struct tables_needed needed = {0};
    for (size_t s = 0; s < experiment->solver_count; s++) {
        const struct solver *solver = &experiment->solvers[s].solver;
        const struct board *target;
        const struct instance *instance;
        for (size_t at = 0; (target = next_target(experiment, solver, &at, &instance)) != NULL;)
            heuristic_patterns(&solver->heuristic, target, instance->cost, add_needed, &needed);
    }
    return needed;
}
