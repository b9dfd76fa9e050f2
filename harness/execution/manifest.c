#include "harness/execution/manifest.h"
#include "base/heap.h"
#include "base/processors.h"
#include "harness/execution/control.h"
#include "harness/execution/fault.h"
#include "harness/external/events.h"
#include "harness/results/record.h"
#include "harness/results/version.h"
#include "pdb/pattern_store.h"
#include <errno.h>
#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <xxhash.h>

/* The value of the first line of a file in /proc that begins with `key`: what follows the colon; ""
 * if there is none. */
static void proc_line(const char *path, const char *key, char *value, size_t room)
{
    char line[512];
    SCOPED_BY(stream_end) FILE *file = fopen(path, "r");
    value[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        const char *from = strchr(line, ':');
        from = from == NULL ? line : from + 1;
        from += strspn(from, " \t");
        snprintf(value, room, "%.*s", (int)strcspn(from, "\n"), from);
        break;
    }
}

/* The hash of an experiment's file, as its copy beside the rows has it. */
static void source_hash(const struct experiment *experiment, char hash[FILE_HASH_BYTES])
{
    snprintf(hash, FILE_HASH_BYTES, "%016" PRIx64,
             (uint64_t)XXH3_64bits(experiment->source, experiment->source_length));
}

static json_t *machine_json(void)
{
    struct utsname host;
    char processor[256];
    memset(&host, 0, sizeof host);
    uname(&host);
    proc_line("/proc/cpuinfo", "model name", processor, sizeof processor);
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:I}", "host", host.nodename, "kernel",
                     host.release, "architecture", host.machine, "processor", processor,
                     "processors", (int)processors_count(), "memory_bytes", (json_int_t)memory);
}

static json_t *program_json(void)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "version", tilelab_version, "build",
                     build_hash, "compiler", build_compiler, "build_type", build_type, "flags",
                     build_flags, "sanitizers", build_sanitizers, "gsl", gsl_version);
}

/* The pattern databases that the runs share: what they are, and how long each took to build if it
 * did not exist yet. */
static json_t *tables_json(void)
{
    const struct pattern_table *table;
    json_t *array = json_array();
    for (unsigned i = 0; (table = pattern_store_table(i)) != NULL; i++) {
        SCOPED char *name = pattern_name(&table->pattern);
        json_t *json = json_pack("{s:s, s:s?, s:I}", "name", name, "file", table->path, "entries",
                                 (json_int_t)table->entries);
        json_object_set_new(json, "built_seconds",
                            table->built ? json_real(table->build_seconds) : json_null());
        json_array_append_new(array, json);
    }
    return array;
}

static json_t *session_json(const struct session_record *session,
                            const struct experiment *experiment)
{
    const unsigned threads = experiment_threads(experiment);
    double load[3] = {0, 0, 0};
    struct timespec resolution = {0};
    if (getloadavg(load, 3) < 0)
        load[0] = 0;
    clock_getres(CLOCK_MONOTONIC, &resolution);
    json_t *processors = session->processors == NULL ? json_null() : json_array();
    for (unsigned i = 0; session->processors != NULL && i < session->jobs * threads; i++)
        json_array_append_new(processors, json_integer(session->processors[i]));
    const bool asked = json_object_size(session->interpreters) > 0;
    const bool sharded = session->shard.count > 0;
    json_t *json = json_pack(
        "{s:s, s:i, s:o, s:o, s:f, s:f, s:o, s:i, s:i, s:O*, s:O*, s:I, s:o*, s:o, s:s*}",
        "started_at", session->started, "jobs", (int)session->jobs, "tilelab", program_json(),
        "machine", machine_json(), "load_average", load[0], "clock_resolution_s",
        (double)resolution.tv_sec + 1e-9 * (double)resolution.tv_nsec, "pinned_to", processors,
        "warmup", (int)experiment->warmup, "process", (int)getpid(), "interpreters",
        asked ? session->interpreters : NULL, "measure", session->events, "runs",
        (json_int_t)session->runs, "shard",
        sharded ? json_sprintf("%u/%u", session->shard.number, session->shard.count) : NULL,
        "pattern_databases", tables_json(), "fault", fault_asked());
    if (session->ended == NULL)
        return json;
    const bool timed = session->overhead_seconds >= 0;
    json_auto_t *end =
        json_pack("{s:s, s:s, s:I, s:f, s:o*, s:o*}", "finished_at", session->finished, "ended",
                  session->ended, "rows", (json_int_t)session->rows, "seconds", session->seconds,
                  "overhead_median_s", timed ? json_real(session->overhead_seconds) : NULL, "noise",
                  session->noise == NULL ? NULL : noise_json(session->noise));
    json_object_update(json, end);
    return json;
}

json_t *manifest_read(const char *folder, char **why)
{
    const char *refused;
    json_error_t error;
    SCOPED char *path = heap_format("%s/manifest.json", folder);
    SCOPED_BY(stream_end) FILE *file = file_open_own(path, &refused);
    *why = file == NULL && access(path, F_OK) == 0 ? heap_text(refused) : NULL;
    if (file == NULL)
        return NULL;
    json_t *manifest = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    if (manifest == NULL)
        *why = heap_format("line %d: %s", error.line, error.text);
    else if (!json_is_string(json_object_get(manifest, "experiment")) ||
             !json_is_array(json_object_get(manifest, "sessions")))
        *why = heap_text("tilelab did not write it");
    if (*why == NULL)
        return manifest;
    json_decref(manifest);
    return NULL;
}

/* ---- Whose manifest it is ---- */

/* Some of a folder's rows, by their row_hash, wherever they stand in the file. */
static json_t *sample_of(const char *folder)
{
    enum { ROWS = 8, BLOCK = 1 << 16, HASH = 16 };
    const char *why;
    struct stat status = {0};
    SCOPED char *path = heap_format("%s/runs.csv", folder);
    SCOPED char *block = heap_take(BLOCK, 1);
    SCOPED_BY(stream_end) FILE *file = file_open_own(path, &why);
    json_t *sample = json_array();
    const char *last = "";
    if (file != NULL && fstat(fileno(file), &status) != 0)
        status.st_size = 0;
    for (int i = 0; status.st_size > 0 && i < ROWS; i++) {
        const off_t place = status.st_size / ROWS * i;
        const ssize_t got = pread(fileno(file), block, BLOCK, place);
        const char *line = got <= 0 ? NULL : memchr(block, '\n', (size_t)got);
        const char *end =
            line == NULL ? NULL : memchr(line + 1, '\n', (size_t)(block + got - line - 1));
        if (end == NULL || end - line <= HASH || strncmp(end - HASH, last, HASH) == 0)
            continue;
        json_array_append_new(sample, json_stringn(end - HASH, HASH));
        last = json_string_value(json_array_get(sample, json_array_size(sample) - 1));
    }
    return sample;
}

/* Whether a folder has one of these rows, or no row at all (*none). */
static bool has_row_of(const char *folder, const json_t *sample, bool *none)
{
    const char *why;
    SCOPED char *line = NULL;
    size_t room = 0;
    bool found = false;
    SCOPED char *path = heap_format("%s/runs.csv", folder);
    SCOPED_BY(stream_end) FILE *file = file_open(path, &why);
    *none = file == NULL || getline(&line, &room, file) <= 0; /* the header */
    const bool any = !*none;
    *none = true;
    while (any && !found && getline(&line, &room, file) > 0) {
        *none = false;
        for (size_t i = 0; i < json_array_size(sample) && !found; i++) {
            const char *hash = json_string_value(json_array_get(sample, i));
            found = hash != NULL && hash[0] != '\0' && strstr(line, hash) != NULL;
        }
    }
    return found;
}

bool manifest_fits(const json_t *manifest, const char *folder, const struct experiment *experiment)
{
    char hash[FILE_HASH_BYTES];
    const char *why;
    const json_t *sample = json_object_get(manifest, "row_hashes");
    const char *own = json_string_value(json_object_get(manifest, "experiment_hash"));
    const json_t *program = json_object_get(manifest, "tilelab");
    const char *build = json_string_value(json_object_get(program, "build"));
    bool none = true;
    if (own == NULL) /* of an earlier version, or nobody's */
        return build == NULL || strcmp(build, build_hash) != 0;
    if (json_array_size(sample) > 0 && has_row_of(folder, sample, &none))
        return true;
    if (!none)
        return false;
    if (experiment != NULL) {
        source_hash(experiment, hash);
        if (strcmp(own, hash) == 0)
            return true;
    }
    SCOPED char *path = heap_format("%s/experiment.yaml", folder);
    return file_is_link(path) || !file_hash(path, hash, &why) || strcmp(own, hash) == 0;
}

json_t *manifest_of(const char *folder, char **why)
{
    json_t *manifest = manifest_read(folder, why);
    if (manifest == NULL || manifest_fits(manifest, folder, NULL))
        return manifest;
    json_decref(manifest);
    *why = heap_text("it is of other runs than the rows and the experiment.yaml beside it");
    return NULL;
}

bool manifest_prepare(const struct folder *folder, char *why)
{
    if (why == NULL)
        return true;
    SCOPED char *path = heap_format("%s/manifest.json", folder->path);
    display_say(folder->display, "%s cannot be used: %s", path, why);
    free(why);
    return folder_set_aside(path, "it is", folder->display);
}

/* ---- Writing ---- */

/* The sessions that the folder's manifest holds, without this one: its draft has the same start.
 * Those without an end were killed. */
static json_t *earlier_sessions(const struct folder *folder, const struct session_record *session)
{
    SCOPED char *why = NULL;
    json_auto_t *manifest = manifest_read(folder->path, &why);
    json_t *sessions = json_incref(json_object_get(manifest, "sessions"));
    if (sessions == NULL)
        return json_array();
    const size_t count = json_array_size(sessions);
    json_t *last = count == 0 ? NULL : json_array_get(sessions, count - 1);
    if (!json_is_object(last) || json_object_get(last, "finished_at") != NULL)
        return sessions;
    const char *started = json_string_value(json_object_get(last, "started_at"));
    if (session->ended != NULL && started != NULL && strcmp(started, session->started) == 0)
        json_array_remove(sessions, count - 1);
    else
        json_object_set_new(last, "ended", json_string("killed"));
    return sessions;
}

/* Takes the reference. */
static bool write_json(const struct folder *folder, json_t *manifest)
{
    SCOPED char *text = json_written(manifest, JSON_INDENT(4));
    const bool fine = folder_write(folder, "manifest.json", text, strlen(text));
    const int why = errno;
    json_decref(manifest);
    errno = why;
    return fine;
}

bool manifest_replace(const struct folder *folder, json_t *manifest)
{
    json_object_set_new(manifest, "row_hashes", sample_of(folder->path));
    return write_json(folder, manifest);
}

static json_t *solvers_json(const struct experiment *experiment, json_t *limits)
{
    json_t *solvers = json_array();
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        json_array_append_new(solvers, json_string(solver->text));
        json_t *own =
            json_pack("{s:f, s:I, s:I}", "seconds", solver->limits.seconds, "nodes",
                      (json_int_t)solver->limits.nodes, "bytes", (json_int_t)solver->limits.bytes);
        if (solver->limits.cpu_seconds > 0)
            json_object_set_new(own, "cpu_seconds", json_real(solver->limits.cpu_seconds));
        json_object_set_new(limits, solver->text, own);
    }
    return solvers;
}

/* {solver: what it runs} of the external ones: the command, its files, the folder, and where the
 * program was found. */
static json_t *externals_json(const struct experiment *experiment)
{
    json_t *externals = json_object();
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct external *external = experiment->solvers[i].external;
        if (external == NULL)
            continue;
        json_t *json = external_json(external);
        SCOPED char *program = external_program(external);
        json_object_set_new(json, "folder", json_string(external->folder));
        json_object_set_new(json, "program", program == NULL ? json_null() : json_string(program));
        json_object_set_new(externals, experiment->solvers[i].text, json);
    }
    return externals;
}

/* {solver: label} of the solvers that have one. */
static json_t *labels_json(const struct experiment *experiment)
{
    json_t *labels = json_object();
    for (size_t i = 0; i < experiment->solver_count; i++)
        if (experiment->solvers[i].label != NULL)
            json_object_set_new(labels, experiment->solvers[i].text,
                                json_string(experiment->solvers[i].label));
    return labels;
}

/* The references; their copies lie beside the manifest. */
static json_t *expect_json(const struct experiment *experiment)
{
    const struct expectation *own = experiment->expectations;
    return JSON_ARRAY(i, experiment->expectation_count,
                      json_pack("{s:s, s:s, s:f}", "name", own[i].name, "by",
                                expect_by_names[own[i].by], "level", own[i].level));
}

/* The rules by which runs earn points, each with its solver in the canonical form. */
static json_t *points_json(const struct experiment *experiment)
{
    const struct point_rule *rule = experiment->points;
    return JSON_ARRAY(i, experiment->point_count,
                      json_pack("{s:s, s:f, s:s*}", "rule", rule[i].text, "points",
                                (double)rule[i].cents / CENTS, "solver", rule[i].solver));
}

/* A key that is there only if it has a value, whose reference is taken. */
static void set_or_delete(json_t *object, const char *key, json_t *value)
{
    if (value != NULL)
        json_object_set_new(object, key, value);
    else
        json_object_del(object, key);
}

/* How the rows are compared: what can be changed without making them anew. */
static void set_comparison(json_t *manifest, const struct experiment *experiment)
{
    const char *baseline = experiment->baseline;
    set_or_delete(manifest, "baseline", baseline == NULL ? NULL : json_string(baseline));
    json_object_set_new(manifest, "all_pairs", json_boolean(experiment->all_pairs));
    json_object_set_new(
        manifest, "metrics",
        JSON_ARRAY(i, experiment->metric_count, json_string(experiment->metrics[i])));
    json_object_set_new(manifest, "labels", labels_json(experiment));
    set_or_delete(manifest, "units", json_incref(experiment->units));
    set_or_delete(manifest, "points", experiment->point_count > 0 ? points_json(experiment) : NULL);
    set_or_delete(manifest, "expect",
                  experiment->expectation_count > 0 ? expect_json(experiment) : NULL);
}

static json_t *path_json(const char *path)
{
    SCOPED char *whole = file_whole_path(path);
    json_t *text = json_string(whole);
    return text == NULL ? json_null() : text; /* a name that is not UTF-8 */
}

/* The words of the key `measure`. */
static json_t *measures_json(const struct experiment *experiment)
{
    json_t *words = json_array();
    if (experiment->measures_cover)
        json_array_append_new(words, json_string("cover"));
    for (unsigned i = 0; i < EVENTS; i++)
        if ((experiment->events >> i & 1) != 0)
            json_array_append_new(words, json_string(event_names[i]));
    return words;
}

/* The control runs; null where no board can be solved. */
static json_t *control_json(const struct experiment *experiment)
{
    struct control control;
    control_start(&control, experiment);
    json_t *json = control.every == 0
                       ? json_null()
                       : json_pack("{s:i, s:s, s:s, s:s}", "every", (int)control.every, "set",
                                   control.run.instance->set, "instance",
                                   control.run.instance->name, "solver", control.run.solver_text);
    control_end(&control);
    return json;
}

json_t *manifest_json(const struct experiment *experiment, json_t *sessions)
{
    char hash[FILE_HASH_BYTES];
    json_t *limits = json_object();
    json_t *solvers = solvers_json(experiment, limits);
    const struct overrides *set = experiment->overrides;
    json_t *overrides = JSON_ARRAY(i, set == NULL ? 0 : set->count, json_string(set->texts[i]));
    SCOPED char *seed = experiment_seed_text(experiment); /* JSON has no exact number above 2^63 */
    json_t *manifest = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:s, s:s, s:i, s:i, s:b, s:b, s:o, s:o, s:o, s:o, s:o}",
        "experiment", experiment->name, "description", experiment->description, "seed", seed, "set",
        overrides, "runs", (json_int_t)experiment_run_count(experiment), "order", experiment->order,
        "run_order", "shuffled by the seed", "repetitions", (int)experiment->repetitions, "warmup",
        (int)experiment->warmup, "pin", (int)experiment->pin, "rounds", (int)experiment->rounds,
        "measure", measures_json(experiment), "solvers", solvers, "limits", limits, "tilelab",
        program_json(), "sessions", sessions);
    if (manifest == NULL)
        heap_exhausted();
    source_hash(experiment, hash);
    json_object_set_new(manifest, "experiment_hash", json_string(hash));
    json_object_set_new(manifest, "file", path_json(experiment->path));
    json_object_set_new(manifest, "folder", path_json(experiment->folder));
    if (set != NULL && set->quick)
        json_object_set_new(manifest, "quick", json_true());
    set_comparison(manifest, experiment);
    json_auto_t *externals = externals_json(experiment);
    if (json_object_size(externals) > 0)
        json_object_set(manifest, "externals", externals);
    if (experiment->control_every > 0)
        json_object_set_new(manifest, "control", control_json(experiment));
    if (experiment->plugins.count > 0)
        json_object_set_new(manifest, "plugins", plugins_json(&experiment->plugins));
    return manifest;
}

/* What the folder's manifest becomes, its sessions aside; takes the reference to those. `started`:
 * where neither they nor the manifest say when the first run was. */
static json_t *renewed(const struct folder *folder, const struct experiment *experiment,
                       json_t *sessions, const char *started)
{
    static const char *const kept[] = {"shards", "matrices"}; /* shard_rows.c */
    SCOPED char *why = NULL;
    json_auto_t *before = manifest_read(folder->path, &why);
    const char *first =
        json_string_value(json_object_get(json_array_get(sessions, 0), "started_at"));
    json_t *manifest = manifest_json(experiment, sessions);
    json_object_set_new(manifest, "started_at", json_string(first == NULL ? started : first));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        json_object_set(manifest, kept[i], json_object_get(before, kept[i]));
    return manifest;
}

bool manifest_finish(const struct folder *folder, const struct experiment *experiment,
                     const char *first, const char *last)
{
    const struct session_record none = {.ended = NULL};
    SCOPED char *why = NULL;
    json_auto_t *before = manifest_read(folder->path, &why);
    json_t *finished = json_incref(json_object_get(before, "finished_at"));
    json_t *sessions = finished == NULL ? earlier_sessions(folder, &none)
                                        : json_incref(json_object_get(before, "sessions"));
    json_t *manifest = renewed(folder, experiment, sessions, first);
    if (finished != NULL || last != NULL)
        json_object_set_new(manifest, "finished_at",
                            finished == NULL ? json_string(last) : finished);
    json_object_set_new(manifest, "row_hashes", sample_of(folder->path));
    const bool same = json_equal(manifest, before);
    if (!same)
        return manifest_replace(folder, manifest);
    json_decref(manifest);
    return true;
}

bool manifest_expect(const struct folder *folder, const char *line)
{
    SCOPED char *why = NULL;
    const char *end = line + strlen(line) - 1; /* before its newline */
    json_t *manifest = manifest_read(folder->path, &why);
    json_t *sample = json_object_get(manifest, "row_hashes");
    if (!json_is_array(sample)) {
        json_decref(manifest);
        return true;
    }
    json_array_append_new(sample, json_stringn(end - (ROW_HASH_BYTES - 1), ROW_HASH_BYTES - 1));
    return write_json(folder, manifest);
}

bool manifest_write(const struct folder *folder, const struct experiment *experiment,
                    const struct session_record *session)
{
    json_t *sessions = earlier_sessions(folder, session);
    json_array_append_new(sessions, session_json(session, experiment));
    json_t *manifest = renewed(folder, experiment, sessions, session->started);
    if (session->complete)
        json_object_set_new(manifest, "finished_at", json_string(session->finished));
    return manifest_replace(folder, manifest);
}
