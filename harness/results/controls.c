#include "harness/results/controls.h"
#include "base/heap.h"
#include "harness/results/record.h"
#include "harness/results/side_table.h"
#include "harness/results/version.h"
#include <inttypes.h>
#include <unistd.h>
#include <xxhash.h>

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
    const char *const cells[CONTROL_COLUMNS] = {
#define COLUMN(name, type, unit, may_be_empty, repeats, cell, meaning) cell,
#include "harness/results/control.def"
#undef COLUMN
    };
    side_table_row(&lines, TABLE_CONTROL, cells);
    return side_table_append(folder, TABLE_CONTROL, lines, why);
}
