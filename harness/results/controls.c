#include "harness/results/controls.h"
#include "base/heap.h"
#include "harness/results/record.h"
#include "harness/results/side_table.h"
#include "harness/results/version.h"
#include <inttypes.h>
#include <unistd.h>
#include <xxhash.h>

const struct column control_columns[CONTROL_COLUMNS] = {
    {"control_id", COLUMN_TYPE_HASH, "", false, false,
     "names the control run; the column control of runs.csv has it for the runs after it"},
    {"previous", COLUMN_TYPE_HASH, "", true, false,
     "the control_id of the same worker's control run before; empty for its first"},
    {"host", COLUMN_TYPE_TEXT, "", true, false, "the machine's name"},
    {"build", COLUMN_TYPE_HASH, "", false, false, "as in runs.csv"},
    {"worker", COLUMN_TYPE_INTEGER, "", false, false, "which of the session's workers, from 1"},
    {"finished_at", COLUMN_TYPE_TIME, "", false, false, "when it ended, UTC"},
    {"set", COLUMN_TYPE_TEXT, "", false, true, "the set of its board"},
    {"instance", COLUMN_TYPE_TEXT, "", false, true, "its board"},
    {"solver", COLUMN_TYPE_TEXT, "", false, true, "what searched"},
    {"status", COLUMN_TYPE_STATUS, "", false, true,
     "how it ended; of others than solved and node_limit the times are not compared"},
    {"generated", COLUMN_TYPE_INTEGER, "nodes", false, true, "nodes generated: always the same"},
    {"wall_s", COLUMN_TYPE_NUMBER, "s", false, false, "wall time of the search"},
    {"cpu_s", COLUMN_TYPE_NUMBER, "s", false, false, "processor time of the search"},
};

void control_id_new(const char *host, unsigned worker, char id[CONTROL_ID_BYTES])
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    SCOPED char *text = heap_format("%s %ld %u %lld.%09ld", host, (long)getpid(), worker,
                                    (long long)now.tv_sec, now.tv_nsec);
    const uint64_t hash = XXH3_64bits(text, strlen(text));
    snprintf(id, CONTROL_ID_BYTES, "%c%015" PRIx64, "abcdef"[hash % 6], hash >> 4);
}

bool controls_add(const char *folder, const struct run *run, const struct result *result,
                  const char *id, const char *previous, const char *host, unsigned worker,
                  const char **why)
{
    char time[32];
    char wall[NUMBER_TEXT];
    char cpu[NUMBER_TEXT];
    SCOPED char *lines = NULL;
    SCOPED char *number = heap_format("%u", worker);
    SCOPED char *generated = heap_format("%" PRIu64, result->statistics.generated);
    record_time(time);
    number_text(COLUMN_wall_s, result->wall_seconds, wall);
    number_text(COLUMN_cpu_s, result->cpu_seconds, cpu);
    const char *const cells[CONTROL_COLUMNS] = {[CONTROL_control_id] = id,
                                                [CONTROL_previous] = previous,
                                                [CONTROL_host] = host,
                                                [CONTROL_build] = build_hash,
                                                [CONTROL_worker] = number,
                                                [CONTROL_finished_at] = time,
                                                [CONTROL_set] = run->instance->set,
                                                [CONTROL_instance] = run->instance->name,
                                                [CONTROL_solver] = run->solver_text,
                                                [CONTROL_status] = status_rows[result->status].name,
                                                [CONTROL_generated] = generated,
                                                [CONTROL_wall_s] = wall,
                                                [CONTROL_cpu_s] = cpu};
    side_table_row(&lines, TABLE_CONTROL, cells);
    return side_table_append(folder, TABLE_CONTROL, lines, why);
}
