#include "harness/execution/shard_rows.h"
#include "base/heap.h"
#include "harness/judge/row_check.h"
#include "harness/results/shard_folders.h"
#include "harness/results/side_table.h"
#include "harness/text/human.h"
#include "harness/text/shell.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- What RESULTS says ---- */

/* Adds a text to an array of texts, unless it is there. */
static void add_once(json_t *array, const char *text)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *there = json_string_value(json_array_get(array, i));
        if (there != NULL && strcmp(there, text) == 0)
            return;
    }
    json_array_append_new(array, json_string(text));
}

/* Whether a file has this text. */
static bool has_text(const char *path, const char *text, size_t length)
{
    size_t there_length = 0;
    SCOPED_BY(report_end) struct report report = {.file = path};
    SCOPED char *there = file_read_own(path, &there_length, &report);
    return there != NULL && there_length == length && memcmp(there, text, length) == 0;
}

/* Writes a file of RESULTS, unless it has this text already. */
static bool write_once(const char *results, const struct folder *own, const char *name,
                       const char *text, size_t length)
{
    SCOPED char *path = heap_format("%s/%s", results, name);
    SCOPED char *part = heap_format("%s/.%s.part", own->path, name);
    const bool fine = has_text(path, text, length) || file_write_through(part, path, text, length);
    if (!fine)
        display_say(own->display, "%s cannot be written: %s", path, file_problem(errno));
    return fine;
}

/* Has RESULTS say what its shards are of: manifest.json and experiment.yaml, where they do not yet.
 * Many shards may do so at once, as each writes the same, through the folder of its own that it has
 * locked. *several: other experiments or builds had shards here too. False, with a message on the
 * folder's display, if it cannot be written. */
static bool describe_shards(const char *results, const struct folder *own, struct shard shard,
                            const struct run_ids *ids, bool *several)
{
    char *why;
    char hash[RUN_IDS_HASH_BYTES];
    const struct folder whole = {.path = (char *)(uintptr_t)results, .display = own->display};
    json_auto_t *before = manifest_read(results, &why);
    if (before != NULL && !manifest_fits(before, results, ids->experiment)) {
        why = heap_text("it is of other runs than what lies beside it");
        json_decref(before);
        before = NULL;
    }
    if (before == NULL && !manifest_prepare(&whole, why))
        return false;
    json_t *sessions = json_object_get(before, "sessions");
    json_t *matrices = json_object_get(before, "matrices");
    json_auto_t *manifest =
        manifest_json(ids->experiment, sessions == NULL ? json_array() : json_incref(sessions));
    matrices = json_is_array(matrices) ? json_deep_copy(matrices) : json_array();
    run_ids_hash(ids, hash);
    const size_t known = json_array_size(matrices);
    add_once(matrices, hash);
    if (known > 0 && json_array_size(matrices) > known)
        display_say(own->display,
                    "earlier shards in %s are of other runs (another build, or other settings or "
                    "files): merge takes the present ones alone, and refuses rows of the others",
                    results);
    *several = json_array_size(matrices) > 1;
    json_object_set_new(manifest, "shards", json_integer(shard.count));
    json_object_set_new(manifest, "matrices", matrices);
    json_object_set(manifest, "started_at", json_object_get(before, "started_at"));
    json_object_set(manifest, "row_hashes", json_object_get(before, "row_hashes"));
    if (json_equal(json_object_get(before, "matrices"), matrices))
        json_object_set(manifest, "finished_at", json_object_get(before, "finished_at"));
    SCOPED char *text = json_written(manifest, JSON_INDENT(4));
    return (json_equal(manifest, before) ||
            write_once(results, own, "manifest.json", text, strlen(text))) &&
           write_once(results, own, "experiment.yaml", ids->experiment->source,
                      ids->experiment->source_length);
}

/* ---- Rows elsewhere ---- */

/* Rows of this folder's shards that no merge has brought into its runs.csv would be made again:
 * says so and refuses. */
static enum ending refuse_unmerged(struct session *session)
{
    const struct run_ids *ids = &session->ids;
    SCOPED_BY(shard_folders_end) struct shard_folders shards = shard_folders_list(session->results);
    SCOPED bool *known = heap_take(ids->count, sizeof *known);
    size_t unmerged = 0;
    memcpy(known, session->queue.done, ids->count * sizeof *known);
    for (size_t i = 0; i < shards.count; i++) {
        SCOPED char *path = shard_folder(session->results, shards.items[i]);
        unmerged += row_check_mark(path, ids, known, NULL);
    }
    if (unmerged == 0)
        return ENDING_DONE;
    SCOPED char *word = shell_word(session->results);
    session_say(session,
                heap_format("%s/shards holds the rows of %zu run%s that runs.csv does not; first "
                            "tilelab merge %s, then the same command makes what is missing",
                            session->results, unmerged, plural(unmerged), word));
    return ENDING_REFUSED;
}

/* A merge takes the row whose run started first, so that old rows of shards would come back. */
static enum ending refuse_again(struct session *session)
{
    SCOPED_BY(shard_folders_end) struct shard_folders shards = shard_folders_list(session->results);
    const bool any = shards.count > 0 || session->options->shard.count > 0;
    if (any)
        session_say(
            session,
            heap_format("--again: a merge takes the row of a run that was made first, so rows "
                        "of shards cannot be replaced; once all are merged, move %s/shards "
                        "away, then run --again without --shard",
                        session->results));
    return any ? ENDING_REFUSED : ENDING_DONE;
}

/* --fresh sets the rows of one folder aside, but those that the others hold would count again: of
 * shards with the next merge, of RESULTS and other divisions at once. */
static enum ending refuse_fresh(struct session *session)
{
    const struct shard *own = &session->options->shard;
    SCOPED_BY(shard_folders_end) struct shard_folders shards = shard_folders_list(session->results);
    SCOPED char *merged = heap_format("%s/runs.csv", session->results);
    const bool is_shard = own->count > 0;
    bool others = false;
    for (size_t i = 0; i < shards.count; i++)
        others = others || !is_shard || shards.items[i].count != own->count;
    /* A merge that was refused leaves a file without rows. */
    SCOPED char *header = side_table_header(TABLE_RUNS);
    struct stat status;
    const bool has_rows = stat(merged, &status) == 0 && (size_t)status.st_size > strlen(header);
    const bool any = others || (is_shard && has_rows);
    if (others)
        session_say(session,
                    heap_format("--fresh: %s/shards has rows of its own; move that folder away, or "
                                "choose another results folder with --output",
                                session->results));
    else if (any)
        session_say(session,
                    heap_format("--fresh: %s has the rows of earlier merges; move it away, or "
                                "choose another results folder with --output",
                                merged));
    return any ? ENDING_REFUSED : ENDING_DONE;
}

/* Leaves runs out of the shard that have a row elsewhere: in runs.csv of RESULTS, or in another
 * shard. Shards of the same division have no run in common, so they are read only where other
 * experiments had shards here, or where this shard would join their searches. */
static void leave_out_elsewhere(struct session *session, bool several)
{
    struct queue *queue = &session->queue;
    const struct shard *own = &session->options->shard;
    SCOPED_BY(shard_folders_end) struct shard_folders shards = shard_folders_list(session->results);
    SCOPED bool *elsewhere = heap_take(queue->runs->count, sizeof *elsewhere);
    const bool all = several || queue->join_count > 0;
    row_check_mark(session->results, queue->runs, elsewhere, NULL);
    for (size_t i = 0; i < shards.count; i++) {
        const struct shard *other = &shards.items[i];
        if (other->count == own->count && (!all || other->number == own->number))
            continue;
        SCOPED char *path = shard_folder(session->results, *other);
        row_check_mark(path, queue->runs, elsewhere, NULL);
    }
    const size_t left_out = queue_leave_out(queue, elsewhere);
    if (left_out > 0)
        display_note(&session->terminal->display,
                     "%zu run%s of shard %u/%u %s rows elsewhere in %s", left_out, plural(left_out),
                     own->number, own->count, left_out == 1 ? "has" : "have", session->results);
}

enum ending shard_rows_allow(struct session *session)
{
    enum ending ending = session->options->fresh ? refuse_fresh(session) : ENDING_DONE;
    if (ending == ENDING_DONE && session->options->any_again)
        ending = refuse_again(session);
    return ending;
}

enum ending shard_rows_regard(struct session *session)
{
    bool several;
    if (session->options->shard.count == 0)
        return refuse_unmerged(session);
    if (!describe_shards(session->results, &session->folder, session->options->shard, &session->ids,
                         &several))
        return ENDING_FAILED;
    leave_out_elsewhere(session, several);
    return ENDING_DONE;
}
