#include "harness/execution/pdb_files.h"
#include "base/heap.h"
#include "base/pages.h"
#include "pdb/pattern_build.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>

enum { MEAN_DECIMALS = 4, TIME_DECIMALS = 2 };

/* Adds a number with so many decimals, in JSON too. */
static void add_rounded(struct tidy *out, double number, int decimals)
{
    const double unit = pow(10, decimals);
    tidy_number(out, round(number * unit) / unit);
}

/* A value of a table; priced ones have no mark of what cannot be brought home. */
static uint64_t value_of(const struct pattern_table *table, const uint8_t *values, uint64_t entry)
{
    return table->pattern.kind == PATTERN_PRICED ? ((const uint64_t *)(const void *)values)[entry]
                                                 : values[entry];
}

static void add_table(struct tidy *out, const struct partition *partition, unsigned group,
                      const struct board *goal, const struct pattern_table *table, bool onebit,
                      bool again)
{
    const bool priced = table->pattern.kind == PATTERN_PRICED;
    const uint64_t scale =
        costs_make((enum cost_model)table->pattern.model, table->pattern.shape).scale;
    uint64_t sum = 0;
    uint64_t reached = 0;
    uint64_t largest = 0;
    for (uint64_t i = 0; i < table->entries; i++) {
        const uint64_t value = value_of(table, table->values, i);
        const bool counts = priced || value != UNREACHABLE;
        sum += counts ? value : 0;
        reached += counts;
        largest = counts && value > largest ? value : largest;
    }
    SCOPED char *tiles = partition_group_text(&partition->group[group], goal);
    tidy_add(out, "%s %s %g %g %g", tiles,
             table->path == NULL ? "(memory)" : file_name(table->path), (double)table->entries,
             (double)pattern_table_bytes(table), (double)pattern_table_memory(table, onebit));
    add_rounded(out, (double)largest / (double)scale, MEAN_DECIMALS);
    add_rounded(out, (double)sum / (double)reached / (double)scale, MEAN_DECIMALS);
    add_rounded(out, table->built && !again ? table->build_seconds : NAN, TIME_DECIMALS);
    tidy_text(out, again ? "as above" : table->built ? "built" : "already there");
}

/* What is being built. */
struct builder {
    struct table_watch *watch;
    struct pattern_watcher watcher;
    struct tidy *out;
    const struct pattern_table **seen; /* owned */
    size_t seen_count;
    size_t *not_kept;
};

/* Builds the table of a group, and adds its row. */
static enum ending build_group(struct builder *builder, const struct partition *partition,
                               unsigned group, const struct pdb_request *request)
{
    const struct board *goal = &request->goal;
    const bool onebit = request->settings.onebit;
    const struct pattern served = pattern_served(&partition->group[group], goal, request->cost);
    SCOPED char *problem = NULL;
    bool again = false;
    const struct pattern_table *table =
        pattern_table_hold(&served, false, &builder->watcher, &problem);
    progress_clear(&builder->watch->terminal.progress);
    if (table == NULL) {
        if (!builder->watch->stopped)
            display_say(&builder->watch->terminal.display, "%s", problem);
        return builder->watch->stopped ? ENDING_INTERRUPTED : ENDING_FAILED;
    }
    for (size_t i = 0; i < builder->seen_count; i++)
        again = again || builder->seen[i] == table;
    *HEAP_ADD(builder->seen, builder->seen_count) = table;
    *builder->not_kept += table->path == NULL && !again;
    add_table(builder->out, partition, group, goal, table, onebit, again);
    return ENDING_DONE;
}

enum ending pdb_build(const struct pdb_request *requests, size_t count, bool quiet,
                      struct tidy *out, size_t *not_kept)
{
    struct table_watch watch = {.terminal = terminal_make(), .quiet = quiet};
    struct builder builder = {
        .watch = &watch, .watcher = table_watch_start(&watch), .out = out, .not_kept = not_kept};
    enum ending ending = ENDING_DONE;
    tidy_heads(out, "tiles:t|file:t|entries:f|bytes:f|memory:f|largest:f");
    tidy_fixed(out, "mean", MEAN_DECIMALS);
    tidy_fixed(out, "seconds", TIME_DECIMALS);
    tidy_column_as(out, "state", "", SHAPE_TEXT);
    for (size_t i = 0; i < count; i++)
        for (unsigned p = 0; p < requests[i].settings.count; p++) {
            const struct partition *partition = &requests[i].settings.partitions[p];
            for (unsigned group = 0; group < partition->count && ending == ENDING_DONE; group++)
                ending = build_group(&builder, partition, group, &requests[i]);
        }
    table_watch_end(&watch);
    free(builder.seen);
    return ending;
}

static int is_table(const struct dirent *entry)
{
    const char *mark = strrchr(entry->d_name, '.');
    return mark != NULL && strcmp(mark, ".pdb") == 0;
}

bool pdb_paths_find(struct pdb_paths *paths, struct display *display)
{
    const char *place = pattern_store_place();
    struct dirent **entries;
    if (place == NULL) {
        display_say(display, "no folder for pattern databases; expected --pdb-dir DIR");
        return false;
    }
    const int count = scandir(place, &entries, is_table, alphasort);
    if (count < 0 && errno != ENOENT) {
        display_say(display, "%s cannot be read: %s", place, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        *HEAP_ADD(paths->items, paths->count) = heap_format("%s/%s", place, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (count <= 0)
        display_note(display, "no pattern databases in %s", place);
    return true;
}

/* Adds what is known of a file without reading its entries. */
static void add_file(struct tidy *out, const char *path)
{
    struct pattern_table table;
    SCOPED char *problem = NULL;
    tidy_row(out);
    tidy_set_text(out, 0, file_name(path));
    if (!pattern_file_look(path, &table, &problem)) {
        tidy_set_text(out, 7, problem);
        return;
    }
    const struct pattern *pattern = &table.pattern;
    SCOPED char *name = pattern_name(pattern);
    SCOPED char *size = heap_format("%ux%u", pattern->shape.width, pattern->shape.height);
    tidy_set_text(out, 1, size);
    SCOPED char *priced = heap_format("additive, costs %s", cost_names[pattern->model]);
    tidy_set_text(out, 2,
                  pattern->kind == PATTERN_WALKING      ? "walking distance"
                  : pattern->kind == PATTERN_ZERO_AWARE ? "zero-aware"
                  : pattern->kind == PATTERN_PRICED     ? priced
                                                        : "additive");
    tidy_set_number(out, 3, pattern->blank);
    tidy_set_text(out, 4, pattern->kind == PATTERN_WALKING ? "all" : strrchr(name, '-') + 1);
    tidy_set_number(out, 5, (double)table.entries);
    tidy_set_number(out, 6, (double)pattern_table_bytes(&table));
    tidy_set_text(out, 7, "ok");
}

void pdb_paths_end(struct pdb_paths *paths)
{
    heap_free_texts(paths->items, paths->count);
}

void pdb_list(const struct pdb_paths *paths, struct tidy *out)
{
    tidy_heads(out, "file:t|size:t|kind:t|blank:f|cells:t|entries:f|bytes:f|state:t");
    for (size_t i = 0; i < paths->count; i++)
        add_file(out, paths->items[i]);
}

/* Rebuilding a table: what the progress line needs. */
struct rebuild {
    const struct pattern_watcher *watcher;
    const struct pattern *pattern;
};

static bool report_rebuild(void *context, uint64_t done, uint64_t all)
{
    const struct rebuild *rebuild = context;
    return rebuild->watcher->builds(rebuild->watcher->context, rebuild->pattern, done, all);
}

/* Compares every entry with a rebuilt table. Returns what is wrong; NULL: nothing. Heap memory. */
static char *compare_entries(const struct pattern_table *table,
                             const struct pattern_watcher *watcher)
{
    const char *why = NULL;
    struct rebuild rebuild = {watcher, &table->pattern};
    uint64_t wrong = 0;
    uint64_t first = 0;
    uint8_t *right = pattern_build(&table->pattern, 0, report_rebuild, &rebuild, &why);
    if (right == NULL)
        return heap_format("cannot be compared with a rebuilt table: %s", why);
    for (uint64_t i = table->entries; i-- > 0;)
        if (value_of(table, table->values, i) != value_of(table, right, i)) {
            wrong++;
            first = i;
        }
    const uint64_t expected = value_of(table, right, first);
    pages_end(right, pattern_bytes(&table->pattern));
    if (wrong == 0)
        return NULL;
    return heap_format("is wrong: %" PRIu64 " of %" PRIu64 " entries; entry %" PRIu64 " is %" PRIu64
                       ", expected %" PRIu64,
                       wrong, table->entries, first, value_of(table, table->values, first),
                       expected);
}

/* What is wrong with a file; NULL: nothing. Heap memory. */
char *pdb_check(const char *path, const struct pattern_watcher *watcher)
{
    struct pattern_table table;
    char *problem = NULL;
    if (!pattern_file_open(path, &table, &problem))
        return problem;
    SCOPED char *name = pattern_name(&table.pattern);
    SCOPED char *expected = heap_format("%s.pdb", name);
    if (strcmp(file_name(path), expected) != 0)
        problem = heap_format("holds another table (%s)", name);
    else
        problem = compare_entries(&table, watcher);
    pattern_file_end(&table);
    return problem;
}
