#include "harness/experiment/remarks.h"
#include "base/heap.h"
#include "harness/external/external.h"

static void add_line(char **text, char *line)
{
    SCOPED char *shown = text_printable(line);
    heap_append(text, "%s\n", shown);
    free(line);
}

/* The next external solver from *at on that is a submission, or that is none; NULL: there is none.
 */
static const struct external *next_external(const struct experiment *experiment, bool submission,
                                            size_t *at)
{
    while (*at < experiment->solver_count) {
        const struct external *external = experiment->solvers[(*at)++].external;
        if (external != NULL && (external->submission != NULL) == submission)
            return external;
    }
    return NULL;
}

/* How a submission is built and run: "make -B, then ./main", or why it cannot be. Heap memory. */
static char *how_it_runs(const struct external *external)
{
    if (external->problem != NULL)
        return heap_format("cannot be run: %s", external->problem);
    struct external build = {.words = external->build_words};
    while (build.words != NULL && build.words[build.word_count] != NULL)
        build.word_count++;
    SCOPED char *made = external_command(&build);
    SCOPED char *command = external_command(external);
    return heap_format("%s%s%s", made, made[0] == '\0' ? "" : ", then ", command);
}

/* The submissions that are run in the same way, a line for each way; with `files` one for each
 * submission. */
static void add_submissions(char **text, const struct experiment *experiment, bool files)
{
    enum { MOST_NAMED = 5 };
    const struct external *external;
    for (size_t at = 0; (external = next_external(experiment, true, &at)) != NULL;) {
        SCOPED char *how = how_it_runs(external);
        SCOPED char *names = heap_text(external->submission);
        size_t same = 1;
        bool told = false;
        const struct external *other;
        for (size_t i = 0; !files && (other = next_external(experiment, true, &i)) != NULL;) {
            SCOPED char *others = how_it_runs(other);
            if (other != external && strcmp(how, others) == 0) {
                told = told || i < at;
                if (same++ < MOST_NAMED)
                    heap_append(&names, ", %s", other->submission);
            }
        }
        if (same > MOST_NAMED)
            heap_append(&names, " and %zu more", same - MOST_NAMED);
        const char *note = files && external->note != NULL ? external->note : "";
        if (!told)
            add_line(text, files ? heap_format("  %s  %s: %s%s%s", external->files[0].hash, names,
                                               how, note[0] == '\0' ? "" : ", ", note)
                                 : heap_format("  %s: %s", how, names));
    }
}

char *externals_text(const struct experiment *experiment, bool files)
{
    char *text = heap_text("");
    size_t count = 0;
    size_t submissions = 0;
    const struct external *first = next_external(experiment, false, &(size_t){0});
    const struct external *handed_in = next_external(experiment, true, &(size_t){0});
    for (size_t i = 0; next_external(experiment, false, &i) != NULL;)
        count++;
    for (size_t i = 0; next_external(experiment, true, &i) != NULL;)
        submissions++;
    if (submissions > 0)
        add_line(&text,
                 heap_format("%zu submission%s, each in a private copy of its folder, %s",
                             submissions, submissions == 1 ? "" : "s",
                             handed_in->isolated ? "isolated" : "NOT ISOLATED: read them first"));
    add_submissions(&text, experiment, files);
    if (experiment->notes != NULL)
        add_line(&text,
                 heap_format("  %.*s", (int)strlen(experiment->notes) - 1, experiment->notes));
    if (first == NULL)
        return heap_keep(submissions > 0, text);
    add_line(&text,
             heap_format("%zu solver%s, run in %s. An experiment file with a command is a "
                         "program: read it first",
                         count, count == 1 ? " is a command" : "s are commands", first->folder));
    const struct external *external;
    for (size_t i = 0; (external = next_external(experiment, false, &i)) != NULL;) {
        SCOPED char *command = external_command(external);
        add_line(&text, heap_format("  %s", command));
        for (size_t j = 0; files && j < external->file_count; j++)
            add_line(&text,
                     heap_format("    %s  %s", external->files[j].hash, external->files[j].name));
    }
    return text;
}

/* Appends a line for each solver that promises nothing of costs, if some set has them. */
static void add_counters_of_moves(char **text, const struct experiment *experiment)
{
    enum cost_model model = COST_unit;
    for (size_t i = 0; i < experiment->instances.count && model == COST_unit; i++)
        model = experiment->instances.items[i].cost;
    for (size_t i = 0; i < experiment->solver_count && model != COST_unit; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        if ((solver->solver.algorithm->properties & COUNTS_COSTS) == 0)
            add_line(text, heap_format("tilelab: %s counts moves: with cost: %s its paths need not "
                                       "be cheapest ones, and it promises nothing of them",
                                       solver->text, cost_names[model]));
    }
}

char *remarks_text(const struct experiment *experiment)
{
    enum { MAX_NAMED = 5 };
    char *text = heap_text("");
    size_t found = 0;
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        uint8_t tiles[2];
        if (board_connected(&instance->start, &instance->goal) || found++ >= MAX_NAMED)
            continue;
        heap_append(&text, "tilelab: %s/%s", instance->set, instance->name);
        if (instance->line > 0)
            heap_append(&text, " (line %zu of its file)", instance->line);
        board_exchange(&instance->start, &instance->goal, tiles);
        heap_append(&text,
                    ": unsolvable for this goal, the parity is wrong; its rows will say so; "
                    "exchanging %u and %u makes it solvable\n",
                    tiles[0], tiles[1]);
    }
    if (found > MAX_NAMED)
        heap_append(&text, "tilelab: %zu more board%s unsolvable\n", found - MAX_NAMED,
                    found - MAX_NAMED == 1 ? " is" : "s are");
    add_counters_of_moves(&text, experiment);
    return text;
}
