#include "harness/cluster/shard_manifest.h"
#include "base/heap.h"
#include "harness/text/sorting.h"

static struct overrides overrides_of(const json_t *manifest)
{
    const json_t *set = json_object_get(manifest, "set");
    struct overrides overrides = {.quick = json_is_true(json_object_get(manifest, "quick"))};
    for (size_t i = 0; i < json_array_size(set); i++) {
        const char *text = json_string_value(json_array_get(set, i));
        if (text == NULL)
            continue;
        *HEAP_ADD(overrides.texts, overrides.count) = text;
    }
    return overrides;
}

bool shard_manifest_recall(const char *results, struct recalled *recalled, struct report *report)
{
    char *why;
    *recalled = (struct recalled){.manifest = manifest_of(results, &why)};
    const char *folder = json_string_value(json_object_get(recalled->manifest, "folder"));
    const json_t *shards = json_object_get(recalled->manifest, "shards");
    const json_int_t count = json_integer_value(shards);
    if (shards != NULL && (count < 1 || count > MAX_SHARDS)) {
        SCOPED char *text = json_dumps(shards, JSON_ENCODE_ANY);
        why = heap_format("\"shards\" is %s; expected a whole number from 1 to %d",
                          text == NULL ? "?" : text, MAX_SHARDS);
    }
    if (folder == NULL || why != NULL) {
        report_add(report, NO_PLACE, "%s/manifest.json%s%s", results, why != NULL ? ": " : " ",
                   why != NULL                  ? why
                   : recalled->manifest == NULL ? "does not exist: no shard wrote to this folder"
                                                : "is of a version that had no shards");
        free(why);
        json_decref(recalled->manifest);
        return false;
    }
    recalled->overrides = overrides_of(recalled->manifest);
    recalled->shards = (unsigned)count;
    recalled->path = heap_format("%s/experiment.yaml", results);
    if (experiment_load_copy(recalled->path, folder, json_object_get(recalled->manifest, "plugins"),
                             &recalled->overrides, report, &recalled->experiment))
        return true;
    report_add(
        report, NO_PLACE,
        "the experiment of %s cannot be read, so which runs it has cannot be told; the files "
        "that it names are looked for in %s",
        results, folder);
    overrides_end(&recalled->overrides);
    free(recalled->path);
    json_decref(recalled->manifest);
    return false;
}

void recalled_end(struct recalled *recalled)
{
    experiment_end(&recalled->experiment);
    overrides_end(&recalled->overrides);
    free(recalled->path);
    json_decref(recalled->manifest);
}

/* ---- After a merge ---- */

struct started {
    json_t *session;
    const char *at;
    size_t place; /* among those that came before */
};

ORDER_BY(by_start, struct started, strcmp(x->at, y->at), BY(place));

/* Adds the sessions of a manifest, but none of these shards' (NULL: all). */
static void add_sessions(json_t *to, const json_t *manifest, const struct shard_folders *but)
{
    const json_t *sessions = json_object_get(manifest, "sessions");
    for (size_t i = 0; i < json_array_size(sessions); i++) {
        json_t *session = json_array_get(sessions, i);
        const char *of = json_string_value(json_object_get(session, "shard"));
        struct shard shard;
        if (but == NULL || of == NULL || !shard_parse(of, &shard) ||
            !shard_folders_have(but, shard))
            json_array_append(to, session);
    }
}

/* The sessions by their starts; takes the reference. */
static json_t *in_order(json_t *sessions)
{
    const size_t count = json_array_size(sessions);
    SCOPED struct started *started = heap_take(count, sizeof *started);
    for (size_t i = 0; i < count; i++) {
        json_t *session = json_array_get(sessions, i);
        const char *at = json_string_value(json_object_get(session, "started_at"));
        started[i] = (struct started){session, at == NULL ? "" : at, i};
    }
    if (count > 0)
        qsort(started, count, sizeof *started, by_start);
    json_t *sorted = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append(sorted, started[i].session);
    json_decref(sessions);
    return sorted;
}

bool shard_manifest_merge(const struct folder *folder, const struct recalled *recalled,
                          const struct shard_folders *shards, const char *finished)
{
    static const char *const kept[] = {"shards", "matrices", "file"};
    char *why;
    json_t *sessions = json_array();
    for (size_t i = 0; i < shards->count; i++) {
        SCOPED char *path = shard_folder(folder->path, shards->items[i]);
        json_auto_t *own = manifest_of(path, &why);
        if (why != NULL)
            display_say(folder->display, "%s/manifest.json cannot be used: %s", path, why);
        add_sessions(sessions, own, NULL);
        free(why);
    }
    add_sessions(sessions, recalled->manifest, shards); /* those have theirs themselves */
    sessions = in_order(sessions);
    json_t *manifest = manifest_json(&recalled->experiment, sessions);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(manifest, kept[i], json_object_get(recalled->manifest, kept[i]));
    json_object_set(manifest, "started_at",
                    json_object_get(json_array_get(sessions, 0), "started_at"));
    if (finished != NULL)
        json_object_set_new(manifest, "finished_at", json_string(finished));
    return manifest_replace(folder, manifest);
}
