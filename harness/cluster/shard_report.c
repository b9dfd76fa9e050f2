#include "harness/cluster/shard_report.h"
#include "base/heap.h"
#include "harness/text/human.h"
#include "harness/text/shell.h"
#include "harness/text/tidy.h"
#include <math.h>

/* 45 s, 12 min, 7 h, 3 days; heap memory. */
static char *ago(double seconds)
{
    return seconds < 0        ? heap_text("-")
           : seconds < 120    ? heap_format("%.0f s", seconds)
           : seconds < 7200   ? heap_format("%.0f min", seconds / 60)
           : seconds < 172800 ? heap_format("%.0f h", seconds / 3600)
                              : heap_format("%.0f days", seconds / 86400);
}

static void add_shard(struct tidy *table, const struct shard_status *shard)
{
    const bool present = shard->runs > 0 || shard->done == 0;
    SCOPED char *quiet = ago(shard->quiet);
    tidy_format(table, "%u/%u", shard->shard.number, shard->shard.count);
    tidy_add(table, "%s %g %g %g %g %g %g", shard_state_names[shard->state],
             present ? (double)shard->runs : NAN, (double)shard->done, (double)shard->failed,
             present ? (double)(shard->runs - shard->done) : NAN, (double)shard->starts,
             shard->quiet);
    tidy_show(table, "%s", quiet);
    tidy_text(table, shard->host[0] == '\0' ? "-" : shard->host);
}

static void print_shards(FILE *file, const struct shards_status *status, bool all)
{
    enum { FEW = 20 };
    size_t left_out = 0;
    size_t listed = 0;
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_heads(&table, "shard:t|state:t|runs|done|failed|missing|starts|last row|host:t");
    for (size_t i = 0; i < status->count; i++) {
        const struct shard_status *shard = &status->items[i];
        const bool plain =
            (shard->state == SHARD_DONE || shard->state == SHARD_NOT_STARTED) && shard->failed == 0;
        if (!all && status->count > FEW && (plain || listed == FEW)) {
            left_out++;
            continue;
        }
        listed++;
        add_shard(&table, shard);
    }
    if (listed > 0)
        tidy_print(&table, file);
    if (left_out > 0)
        fprintf(file, "%zu shard%s %s not listed; --all lists them\n", left_out, plural(left_out),
                left_out == 1 ? "is" : "are");
}

static void count_states(const struct shards_status *status, size_t counts[SHARD_STATES])
{
    for (size_t i = 0; i < status->count; i++)
        counts[status->items[i].state]++;
}

/* Prints "30 solved, 9 time_limit; about 12 min are left". */
static void print_statuses(FILE *file, const struct shards_status *status)
{
    const char *between = "";
    for (unsigned i = 0; i < STATUSES; i++)
        if (status->by_status[i] > 0) {
            fprintf(file, "%s%zu %s", between, status->by_status[i], status_rows[i].name);
            between = ", ";
        }
    if (status->done < status->runs && !isnan(status->left)) {
        SCOPED char *left = ago(status->left);
        fprintf(file, "; about %s left, at the rate of the last %d minutes", left,
                RATE_SECONDS / 60);
    }
    if (status->done > 0)
        putc('\n', file);
}

void shards_print(FILE *file, const char *results, const struct recalled *recalled,
                  const struct shards_status *status, bool all)
{
    size_t counts[SHARD_STATES] = {0};
    count_states(status, counts);
    const size_t missing = status->runs - status->done;
    fprintf(file, "%s: %zu run%s, %zu done, %zu failed, %zu missing; %zu shard%s",
            recalled->experiment.name, status->runs, plural(status->runs), status->done,
            status->failed, missing, status->count, plural(status->count));
    const char *between = ": ";
    for (unsigned i = 0; i < SHARD_STATES; i++)
        if (counts[i] > 0) {
            fprintf(file, "%s%zu %s", between, counts[i], shard_state_names[i]);
            between = ", ";
        }
    putc('\n', file);
    print_statuses(file, status);
    print_shards(file, status, all);
    if (status->others > 0)
        fprintf(file, "%zu row%s of none of these runs; tilelab %s says of which\n", status->others,
                status->others == 1 ? " is" : "s are", status->count == 0 ? "run" : "merge");
    if (status->done > status->merged) {
        SCOPED char *word = shell_word(results);
        SCOPED char *program = shell_program();
        fprintf(file, "%zu run%s in the shards alone: %s merge %s\n", status->done - status->merged,
                status->done - status->merged == 1 ? " is" : "s are", program, word);
    }
}

json_t *shards_json(const char *results, const struct recalled *recalled,
                    const struct shards_status *status)
{
    size_t counts[SHARD_STATES] = {0};
    json_t *shards = json_array();
    json_t *states = json_object();
    count_states(status, counts);
    for (unsigned i = 0; i < SHARD_STATES; i++)
        json_object_set_new(states, shard_state_names[i], json_integer((json_int_t)counts[i]));
    for (size_t i = 0; i < status->count; i++) {
        const struct shard_status *shard = &status->items[i];
        const bool present = shard->shard.count == recalled->shards;
        json_t *object =
            json_pack("{s:o, s:s, s:I, s:I, s:i, s:o, s:o, s:o, s:o}", "shard",
                      json_sprintf("%u/%u", shard->shard.number, shard->shard.count), "state",
                      shard_state_names[shard->state], "done", (json_int_t)shard->done, "failed",
                      (json_int_t)shard->failed, "starts", (int)shard->starts, "host",
                      shard->host[0] == '\0' ? json_null() : json_text(shard->host), "runs",
                      present ? json_integer((json_int_t)shard->runs) : json_null(), "missing",
                      present ? json_integer((json_int_t)(shard->runs - shard->done)) : json_null(),
                      "last_row_s", shard->quiet < 0 ? json_null() : json_real(shard->quiet));
        json_array_append_new(shards, object);
    }
    json_t *by_status = json_object();
    for (unsigned i = 0; i < STATUSES; i++)
        if (status->by_status[i] > 0)
            json_object_set_new(by_status, status_rows[i].name,
                                json_integer((json_int_t)status->by_status[i]));
    return json_pack(
        "{s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "results",
        json_text(results), "experiment", recalled->experiment.name, "runs",
        (json_int_t)status->runs, "done", (json_int_t)status->done, "failed",
        (json_int_t)status->failed, "missing", (json_int_t)(status->runs - status->done), "merged",
        (json_int_t)status->merged, "other_rows", (json_int_t)status->others, "division",
        (json_int_t)recalled->shards, "states", states, "statuses", by_status, "left_s",
        isnan(status->left) ? json_null() : json_real(status->left), "shards", shards);
}
