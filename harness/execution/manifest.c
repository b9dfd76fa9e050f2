#include "harness/execution/manifest.h"
#include "base/heap.h"
#include "harness/results/version.h"
#include "pdb/pattern_store.h"
#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The value of the first line of a file in /proc that begins with `key`, behind its colon; "" where
 * there is none. */
static void proc_line(const char *path, const char *key, char *value, size_t room)
{
    char line[512];
    FILE *file = fopen(path, "r");
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
    if (file != NULL)
        fclose(file);
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
                     "processors", (int)sysconf(_SC_NPROCESSORS_ONLN), "memory_bytes",
                     (json_int_t)memory);
}

static json_t *program_json(void)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "version", tilelab_version, "build",
                     build_hash, "compiler", build_compiler, "build_type", build_type, "flags",
                     build_flags, "sanitizers", build_sanitizers, "gsl", gsl_version);
}

/* The pattern databases that the runs share: what they are, and how long each took to build where
 * it was not there already. */
static json_t *tables_json(void)
{
    const struct pattern_table *table;
    json_t *array = json_array();
    for (unsigned i = 0; (table = pattern_store_table(i)) != NULL; i++) {
        char *name = pattern_name(&table->pattern);
        json_t *json = json_pack("{s:s, s:s?, s:I}", "name", name, "file", table->path, "entries",
                                 (json_int_t)table->entries);
        json_object_set_new(json, "built_seconds",
                            table->built ? json_real(table->build_seconds) : json_null());
        json_array_append_new(array, json);
        free(name);
    }
    return array;
}

static json_t *session_json(const struct session *session)
{
    double load[3] = {0, 0, 0};
    struct timespec resolution = {0};
    if (getloadavg(load, 3) < 0)
        load[0] = 0;
    clock_getres(CLOCK_MONOTONIC, &resolution);
    json_t *json = json_pack("{s:s, s:i, s:o, s:o, s:f, s:f}", "started_at", session->started,
                             "jobs", (int)session->jobs, "tilelab", program_json(), "machine",
                             machine_json(), "load_average", load[0], "clock_resolution_s",
                             (double)resolution.tv_sec + 1e-9 * (double)resolution.tv_nsec);
    json_t *processors = session->processors == NULL ? json_null() : json_array();
    for (unsigned i = 0; session->processors != NULL && i < session->jobs; i++)
        json_array_append_new(processors, json_integer(session->processors[i]));
    json_object_set_new(json, "pinned_to", processors);
    json_object_set_new(json, "pattern_databases", tables_json());
    if (session->finished[0] == '\0')
        return json;
    json_object_set_new(json, "finished_at", json_string(session->finished));
    json_object_set_new(json, "rows", json_integer((json_int_t)session->rows));
    json_object_set_new(json, "seconds", json_real(session->seconds));
    if (session->overhead_seconds >= 0)
        json_object_set_new(json, "overhead_median_s", json_real(session->overhead_seconds));
    json_object_set_new(json, "noise", noise_json(session->noise));
    return json;
}

/* The sessions that the folder's manifest holds, without this one: its draft has the same start. */
static json_t *earlier_sessions(const struct folder *folder, const struct session *session)
{
    char *path = heap_format("%s/manifest.json", folder->path);
    json_t *manifest = json_load_file(path, 0, NULL);
    json_t *sessions = json_incref(json_object_get(manifest, "sessions"));
    free(path);
    json_decref(manifest);
    if (!json_is_array(sessions)) {
        json_decref(sessions);
        return json_array();
    }
    const size_t count = json_array_size(sessions);
    const json_t *last = count == 0 ? NULL : json_array_get(sessions, count - 1);
    const char *started = json_string_value(json_object_get(last, "started_at"));
    if (session->finished[0] != '\0' && started != NULL && strcmp(started, session->started) == 0 &&
        json_object_get(last, "finished_at") == NULL)
        json_array_remove(sessions, count - 1);
    return sessions;
}

static json_t *solvers_json(const struct experiment *experiment, json_t *limits)
{
    json_t *solvers = json_array();
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        json_array_append_new(solvers, json_string(solver->text));
        json_object_set_new(limits, solver->text,
                            json_pack("{s:f, s:I, s:I}", "seconds", solver->limits.seconds, "nodes",
                                      (json_int_t)solver->limits.nodes, "bytes",
                                      (json_int_t)solver->limits.bytes));
    }
    return solvers;
}

bool manifest_write(const struct folder *folder, const struct experiment *experiment,
                    const struct session *session)
{
    json_t *limits = json_object();
    json_t *solvers = solvers_json(experiment, limits);
    json_t *overrides = json_array();
    for (size_t i = 0; experiment->overrides != NULL && i < experiment->overrides->count; i++)
        json_array_append_new(overrides, json_string(experiment->overrides->texts[i]));
    json_t *sessions = earlier_sessions(folder, session);
    json_array_append_new(sessions, session_json(session));
    const char *started =
        json_string_value(json_object_get(json_array_get(sessions, 0), "started_at"));
    char *seed = heap_format("%" PRIu64, experiment->seed); /* JSON has none above 2^63 */
    json_t *manifest = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:s, s:s, s:i, s:i, s:b, s:s*, s:o, s:o, s:o, s:o, s:s}",
        "experiment", experiment->name, "description", experiment->description, "seed", seed, "set",
        overrides, "runs", (json_int_t)experiment_run_count(experiment), "order", experiment->order,
        "run_order", "shuffled by the seed", "repetitions", (int)experiment->repetitions, "warmup",
        (int)experiment->warmup, "pin", (int)experiment->pin, "baseline", experiment->baseline,
        "solvers", solvers, "limits", limits, "tilelab", program_json(), "sessions", sessions,
        "started_at", started == NULL ? session->started : started);
    free(seed);
    if (manifest == NULL)
        heap_exhausted();
    if (session->complete)
        json_object_set_new(manifest, "finished_at", json_string(session->finished));
    char *text = json_dumps(manifest, JSON_INDENT(4));
    if (text == NULL)
        heap_exhausted();
    bool fine = folder_write(folder, "manifest.json", text, strlen(text));
    free(text);
    json_decref(manifest);
    return fine;
}
