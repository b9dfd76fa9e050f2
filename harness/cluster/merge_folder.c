#include "harness/cluster/merge_folder.h"
#include "base/heap.h"
#include "harness/cluster/merge.h"
#include "harness/execution/resume.h"
#include "harness/execution/sharing.h"
#include "harness/results/datapackage.h"
#include "harness/text/document.h"
#include "harness/text/human.h"
#include <errno.h>

/* Says which runs have no row, by the shards of the last division. Returns how many. */
static size_t say_missing(struct merge_call *call, const struct run_ids *ids, const bool *have)
{
    enum { MAX_NAMED = 5 };
    const unsigned count = call->recalled.shards == 0 ? 1 : call->recalled.shards;
    SCOPED_BY(shards_end) struct shards shards = shards_of(&call->recalled.experiment, count);
    SCOPED size_t *missing = heap_take(count, sizeof *missing);
    json_t *listed = json_array();
    SCOPED char *runs = heap_text("");
    SCOPED char *of = heap_text("");
    size_t total = 0;
    size_t shards_named = 0;
    for (size_t i = 0; i < ids->count; i++) {
        if (have[i])
            continue;
        const struct run run = run_ids_run(ids, i);
        missing[shards.of[i]]++;
        json_array_append_new(listed,
                              json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "run_id", run.id, "set",
                                        run.instance->set, "instance", run.instance->name, "solver",
                                        run.solver_text, "repetition", (int)run.repetition, "shard",
                                        json_sprintf("%u/%u", shards.of[i] + 1, count)));
        if (total++ < MAX_NAMED)
            heap_append(&runs, "  %s on %s/%s, repetition %u\n", run.solver_text, run.instance->set,
                        run.instance->name, run.repetition);
    }
    for (unsigned i = 0; i < count; i++)
        if (missing[i] > 0 && shards_named++ < MAX_NAMED)
            heap_append(&of, "%s%zu of shard %u/%u", of[0] == '\0' ? "" : ", ", missing[i], i + 1,
                        count);
    if (shards_named > MAX_NAMED)
        heap_append(&of, ", and of %zu more shards", shards_named - MAX_NAMED);
    if (total > MAX_NAMED)
        heap_append(&runs, "  and %zu more\n", total - MAX_NAMED);
    if (total > 0) {
        display_say(call->display, "%zu run%s %s missing: %s", total, plural(total),
                    total == 1 ? "is" : "are", of);
        call->display->show(call->display, runs);
    }
    json_object_set_new(call->json, "missing", json_integer((json_int_t)total));
    json_object_set_new(call->json, "missing_runs", listed);
    return total;
}

/* Says what was merged. */
static void say_outcome(struct merge_call *call, const struct run_ids *ids,
                        const struct merged *merged, size_t findings)
{
    struct display *display = call->display;
    const char *folder = call->results;
    json_t *unlike = json_array();
    for (size_t i = 0; i < merged->unlike_count; i++) {
        display_say(display, "%s", merged->unlike[i]);
        json_array_append_new(unlike, json_text(merged->unlike[i]));
    }
    json_object_set_new(call->json, "differing", unlike);
    if (merged->twice > 0)
        display_note(display,
                     "%zu run%s made more than once: the row whose run started first counts",
                     merged->twice, merged->twice == 1 ? " was" : "s were");
    if (merged->again > 0)
        display_say(
            display,
            "%zu row%s said nothing about the solver (out of memory, lost, interrupted) and "
            "%s left out",
            merged->again, plural(merged->again), merged->again == 1 ? "was" : "were");
    if (findings > 0)
        display_say(display,
                    "%zu row%s crashed, %s wrong or %s another; see %s/messages.csv and the status "
                    "column",
                    findings, plural(findings), findings == 1 ? "is" : "are",
                    findings == 1 ? "contradicts" : "contradict", folder);
    display_note(display, "%zu of %zu runs, of %zu shard%s, are in %s/runs.csv", merged->rows,
                 ids->count, call->shards.count, plural(call->shards.count), folder);
    const size_t missing = say_missing(call, ids, merged->have);
    json_object_set_new(call->json, "runs", json_integer((json_int_t)ids->count));
    json_object_set_new(call->json, "rows", json_integer((json_int_t)merged->rows));
    json_object_set_new(call->json, "twice", json_integer((json_int_t)merged->twice));
    json_object_set_new(call->json, "left_out", json_integer((json_int_t)merged->again));
    json_object_set_new(call->json, "findings", json_integer((json_int_t)findings));
    call->doubted = missing > 0 || findings > 0;
}

/* Writes what describes the rows. */
static bool describe(struct merge_call *call, const struct folder *folder,
                     const struct merged *merged, bool complete)
{
    const char *name = "manifest.json";
    bool fine = shard_manifest_merge(folder, &call->recalled, &call->shards,
                                     complete ? merged->last : NULL);
    if (fine) {
        name = DATAPACKAGE_FILE;
        fine = datapackage_write(folder->path, &call->recalled.experiment, folder->display);
    }
    if (!fine)
        display_say(folder->display, "%s/%s cannot be written: %s", folder->path, name,
                    strerror(errno));
    return fine;
}

/* Merges into an open folder. */
static enum ending merge_into(struct merge_call *call, struct folder *folder,
                              const struct run_ids *ids)
{
    SCOPED_BY(merged_end) struct merged merged;
    SCOPED_BY(resumed_end) struct resumed resumed = {0};
    struct cross *cross = cross_start(ids);
    SCOPED bool *done = heap_take(ids->count, sizeof *done);
    enum ending ending = merge_rows(folder, ids, &call->shards, &merged);
    if (merged.problems != NULL)
        json_object_set_new(call->json, "problems", json_text(merged.problems));
    if (ending == ENDING_DONE) /* what the next run would read: rows are held against each other */
        ending = resume_rows(folder, ids, false, NULL, done, cross, &resumed);
    if (ending == ENDING_DONE && !describe(call, folder, &merged, merged.rows == ids->count))
        ending = ENDING_FAILED;
    if (ending == ENDING_DONE && merged.rows == ids->count && ids->experiment->split > 0) {
        SCOPED char *place = sharing_place(call->results, ids);
        sharing_tidy(place);
    }
    if (ending == ENDING_DONE)
        say_outcome(call, ids, &merged, resumed.tally.findings);
    cross_end(cross);
    return ending;
}

enum ending merge_folder(struct merge_call *call)
{
    struct folder folder;
    call->shards = shard_folders_list(call->results);
    if (call->shards.count == 0) {
        display_say(call->display,
                    "%s has no shards; expected a folder that tilelab run --shard K/N wrote to",
                    call->results);
        shard_folders_end(&call->shards);
        return ENDING_REFUSED;
    }
    SCOPED_BY(run_ids_end) struct run_ids ids = run_ids_of(&call->recalled.experiment, NULL, 0);
    enum ending ending = folder_open(&folder, call->results, false, call->display);
    if (ending == ENDING_DONE) {
        ending = merge_into(call, &folder, &ids);
        folder_close(&folder);
    }
    shard_folders_end(&call->shards);
    return ending;
}
