#include "harness/manifest.h"
#include "base/heap.h"
#include "harness/version.h"
#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
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

bool manifest_write(const struct folder *folder, const struct experiment *experiment, unsigned jobs,
                    const char *started, const char *finished)
{
    struct utsname host;
    char processor[256];
    double load[3] = {0, 0, 0};
    memset(&host, 0, sizeof host);
    uname(&host);
    proc_line("/proc/cpuinfo", "model name", processor, sizeof processor);
    if (getloadavg(load, 3) < 0)
        load[0] = 0;
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
    json_t *solvers = json_array();
    json_t *limits = json_object();
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct experiment_solver *solver = &experiment->solvers[i];
        json_array_append_new(solvers, json_string(solver->text));
        json_object_set_new(limits, solver->text,
                            json_pack("{s:f, s:I, s:I}", "seconds", solver->limits.seconds, "nodes",
                                      (json_int_t)solver->limits.nodes, "bytes",
                                      (json_int_t)solver->limits.bytes));
    }
    json_t *program = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "version", tilelab_version,
                                "compiler", build_compiler, "build", build_type, "flags",
                                build_flags, "sanitizers", build_sanitizers, "gsl", gsl_version);
    json_t *machine = json_pack("{s:s, s:s, s:s, s:s, s:i, s:I, s:f}", "host", host.nodename,
                                "kernel", host.release, "architecture", host.machine, "processor",
                                processor, "processors", (int)sysconf(_SC_NPROCESSORS_ONLN),
                                "memory_bytes", (json_int_t)memory, "load_average", load[0]);
    json_t *manifest = json_pack(
        "{s:s, s:s, s:I, s:I, s:s, s:i, s:s*, s:o, s:o, s:o, s:o, s:s, s:s*}", "experiment",
        experiment->name, "description", experiment->description, "seed",
        (json_int_t)experiment->seed, "runs", (json_int_t)experiment_run_count(experiment), "order",
        experiment->order, "jobs", (int)jobs, "baseline", experiment->baseline, "solvers", solvers,
        "limits", limits, "tilelab", program, "machine", machine, "started_at", started,
        "finished_at", finished);
    if (manifest == NULL)
        heap_exhausted();
    char *text = json_dumps(manifest, JSON_INDENT(4));
    if (text == NULL)
        heap_exhausted();
    bool fine = folder_write(folder, "manifest.json", text, strlen(text));
    free(text);
    json_decref(manifest);
    return fine;
}
