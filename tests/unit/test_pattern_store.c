/* The store of pattern databases: tables are built once and kept in files; damage is reported. */
#include "base/pages.h"
#include "pdb/pattern_bits.h"
#include "pdb/pattern_build.h"
#include "tests/support.h"
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static char folder[64];

static struct pattern some_pattern(void)
{
    const struct pattern pattern = {.blank = 0, .count = 3, .cell = {1, 2, 5}};
    struct pattern made = pattern;
    assert_true(shape_make(3, 3, &made.shape));
    return made;
}

/* The messages that a watcher gets. */
struct heard {
    unsigned built;
    unsigned said;
    char text[512];
    bool stop;
};

static bool hear_build(void *context, const struct pattern *pattern, uint64_t done, uint64_t all)
{
    struct heard *heard = context;
    assert_int_equal(all, pattern_entries(pattern));
    assert_true(done <= all);
    heard->built++;
    return !heard->stop;
}

static void hear_text(void *context, const char *text)
{
    struct heard *heard = context;
    heard->said++;
    snprintf(heard->text, sizeof heard->text, "%s", text);
}

static const struct pattern_table *hold_form(const struct pattern *pattern, bool onebit,
                                             struct heard *heard)
{
    const struct pattern_watcher watcher = {heard, hear_build, hear_text};
    char *problem = NULL;
    *heard = (struct heard){0};
    const struct pattern_table *table = pattern_table_hold(pattern, onebit, &watcher, &problem);
    assert_non_null(table);
    assert_null(problem);
    return table;
}

static const struct pattern_table *hold(const struct pattern *pattern, struct heard *heard)
{
    return hold_form(pattern, false, heard);
}

static void expect_values(const struct pattern_table *table)
{
    const char *problem;
    uint8_t *values = pattern_build(&table->pattern, 1, NULL, NULL, &problem);
    assert_memory_equal(values, table->values, table->entries);
    pages_end(values, table->entries);
}

static char *file_of(const struct pattern *pattern)
{
    SCOPED char *name = pattern_name(pattern);
    return heap_format("%s/%s.pdb", folder, name);
}

static int start(UNUSED void **state)
{
    snprintf(folder, sizeof folder, "/tmp/tilelab-store-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    umask(022); /* a file that others may write is refused */
    pattern_store_folder(folder);
    return 0;
}

static int end(UNUSED void **state)
{
    const struct pattern pattern = some_pattern();
    SCOPED char *path = file_of(&pattern);
    pattern_store_end();
    unlink(path);
    return rmdir(folder); /* nothing else is left behind */
}

TEST(a_table_is_built_once_and_then_read)
{
    const struct pattern pattern = some_pattern();
    struct heard heard;
    SCOPED char *path = file_of(&pattern);
    const struct pattern_table *table = hold(&pattern, &heard);
    assert_true(table->built);
    assert_true(heard.built > 0);
    assert_int_equal(heard.said, 0);
    assert_int_equal(table->entries, 504);
    assert_string_equal(table->path, path);
    assert_string_equal(strrchr(path, '/'), "/3x3-blank0-1.2.5.pdb");
    expect_values(table);
    assert_ptr_equal(hold(&pattern, &heard), table);
    assert_int_equal(heard.built, 0);
    pattern_store_end();

    table = hold(&pattern, &heard);
    assert_false(table->built);
    assert_int_equal(heard.built, 0);
    assert_int_equal(heard.said, 0);
    expect_values(table);
}

/* A table of costs is a file of its own, of its model and tiles; one of another is not taken for
 * it.
 */
TEST(tables_of_costs_are_of_one_model)
{
    const struct pattern pattern = some_pattern();
    const struct board goals[] = {board_of("0 1 2 3 4 5 6 7 8"), board_of("0 2 1 3 4 5 6 7 8")};
    const struct pattern priced[] = {pattern_priced(&pattern, &goals[0], COST_heavy),
                                     pattern_priced(&pattern, &goals[0], COST_fractional),
                                     pattern_priced(&pattern, &goals[1], COST_heavy)};
    char *paths[] = {file_of(&priced[0]), file_of(&priced[1]), file_of(&priced[2])};
    struct heard heard;
    assert_string_equal(strrchr(paths[0], '/'), "/3x3-blank0-heavy-1=1.2=2.5=5.pdb");
    for (int i = 0; i < 3; i++) {
        const struct pattern_table *table = hold(&priced[i], &heard);
        assert_true(table->built && heard.said == 0);
        assert_int_equal(table->entries, 504);
        assert_int_equal(pattern_table_bytes(table), 4096 + 8 * 504);
        assert_int_equal(pattern_costs(table)[pattern_rank(&pattern, pattern.cell)], 0);
    }
    /* Tile 1 moves a cell away, which the blank need not help: 1, 1 + 1/2, and tile 2 is there. */
    const uint8_t moved[MAX_PATTERN] = {0, 2, 5};
    const uint64_t scale = costs_make(COST_fractional, pattern.shape).scale;
    const uint64_t costs[] = {1, scale + scale / 2, 2};
    pattern_store_end();
    for (int i = 0; i < 3; i++) {
        const struct pattern_table *table = hold(&priced[i], &heard);
        assert_false(table->built);
        assert_int_equal(pattern_costs(table)[pattern_rank(&pattern, moved)], costs[i]);
    }
    pattern_store_end();
    assert_int_equal(rename(paths[0], paths[1]), 0); /* of another model, */
    assert_true(hold(&priced[1], &heard)->built);
    assert_non_null(strstr(heard.text, "holds another table (3x3-blank0-heavy-1=1.2=2.5=5)"));
    pattern_store_end();
    assert_int_equal(rename(paths[2], paths[0]), 0); /* and of other tiles */
    assert_true(hold(&priced[0], &heard)->built);
    assert_non_null(strstr(heard.text, "holds another table (3x3-blank0-heavy-1=2.2=1.5=5)"));
    for (int i = 0; i < 2; i++)
        assert_int_equal(unlink(paths[i]), 0);
    for (int i = 0; i < 3; i++)
        free(paths[i]);
}

TEST(an_unusable_folder_is_reported_once)
{
    const struct pattern pattern = some_pattern();
    struct pattern other = pattern;
    struct heard heard;
    pattern_store_folder("/dev/null/here");
    const struct pattern_table *table = hold(&pattern, &heard);
    assert_true(table->built);
    assert_null(table->path);
    expect_values(table);
    assert_int_equal(heard.said, 1);
    assert_non_null(strstr(heard.text, "/dev/null/here cannot be written (Not a directory)"));
    other.cell[2] = 7;
    hold(&other, &heard);
    assert_int_equal(heard.said, 0);
    pattern_store_end();
    pattern_store_folder(""); /* no files are wanted: nothing to report */
    table = hold(&pattern, &heard);
    assert_null(table->path);
    assert_int_equal(heard.said, 0);
    assert_null(pattern_store_place());
}

TEST(building_can_be_stopped)
{
    const struct pattern pattern = some_pattern();
    struct heard heard = {.stop = true};
    const struct pattern_watcher watcher = {&heard, hear_build, hear_text};
    SCOPED char *problem = NULL;
    SCOPED char *path = file_of(&pattern);
    assert_null(pattern_table_hold(&pattern, false, &watcher, &problem));
    assert_string_equal(problem, "table 3x3-blank0-1.2.5 (504 bytes): stopped");
    assert_int_not_equal(access(path, F_OK), 0);
    assert_true(hold(&pattern, &heard)->built);
}

/* Puts bytes into a file. */
static void overwrite(const char *path, long at, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, count, 1, file), 1);
    fclose(file);
}

/* Every byte of the header that matters, changed: this is detected, reported and repaired. */
TEST(every_damage_of_the_header_is_noticed)
{
    const struct pattern pattern = some_pattern();
    struct heard heard;
    SCOPED char *path = file_of(&pattern);
    hold(&pattern, &heard);
    for (long at = 0; at < 64; at++) {
        pattern_store_end();
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        const int byte = fgetc(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        fputc(byte ^ 0x10, file);
        fclose(file);
        const struct pattern_table *table = hold(&pattern, &heard);
        assert_true(table->built);
        assert_int_equal(heard.said, 1);
        assert_non_null(strstr(heard.text, "; rebuilding it"));
        expect_values(table);
        pattern_store_end();
        assert_false(hold(&pattern, &heard)->built);
    }
}

/* Writes a file like `from` with a word of its header changed, and the checksum of that, and these
 * values. */
static void copy_changed(const char *from, const char *to, unsigned index, uint64_t value,
                         const uint8_t *values, size_t entries)
{
    const XXH128_hash_t hash = XXH3_128bits(values, entries);
    uint64_t page[4096 / sizeof(uint64_t)] = {0};
    FILE *file = fopen(from, "r");
    assert_non_null(file);
    assert_int_equal(fread(page, sizeof page, 1, file), 1);
    fclose(file);
    page[5] = hash.low64;
    page[6] = hash.high64;
    page[index] = value;
    page[7] = XXH3_64bits(page, 56);
    file = fopen(to, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(page, sizeof page, 1, file), 1);
    assert_int_equal(fwrite(values, entries, 1, file), 1);
    fclose(file);
}

/* Writes the file of a table with correct checksums, whatever it holds. */
static void forge(const struct pattern *pattern, const uint8_t *values, const char *path)
{
    SCOPED char *name = file_of(pattern);
    copy_changed(name, path, 7, 0, values, pattern_entries(pattern));
}

static void expect_verdict(const char *path, const char *expected)
{
    char line[512] = {0};
    FILE *pipe = popen(text_of("'%s' pdb check '%s'", getenv("TILELAB"), path), "r");
    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof line, pipe));
    const int status = pclose(pipe);
    assert_int_equal(status != 0, strcmp(expected, "is whole") != 0);
    if (strstr(line, expected) == NULL)
        fail_msg("%s", line);
}

/* The checksums are right but the values are wrong: `tilelab pdb check` compares every value. */
TEST(wrong_values_are_found)
{
    const struct pattern pattern = some_pattern();
    struct heard heard;
    const struct pattern_table *table = hold(&pattern, &heard);
    uint8_t values[504];
    SCOPED char *path = file_of(&pattern);
    memcpy(values, table->values, sizeof values);
    for (unsigned entry = 0; entry < sizeof values; entry += 23) {
        /* Of the right parity, so that neither a neighbour nor the colours need contradict it. */
        const uint8_t right = values[entry];
        values[entry] = (uint8_t)(right + (entry % 2 == 0 || right < 2 ? 2 : -2));
        forge(&pattern, values, path);
        expect_verdict(path, text_of("is wrong: 1 of 504 entries; entry %u is %u, expected %u\n",
                                     entry, values[entry], right));
        values[entry] = right;
    }
    values[503]++;
    values[7] = UNREACHABLE;
    forge(&pattern, values, path);
    expect_verdict(path, "is wrong: 2 of 504 entries; entry 7 is 255, expected ");
    values[503]--;
    values[7] = table->values[7];
    forge(&pattern, values, path);
    expect_verdict(path, "is whole");
    SCOPED char *other = heap_format("%s/another.pdb", folder);
    forge(&pattern, values, other);
    expect_verdict(other, "holds another table (3x3-blank0-1.2.5)");
    unlink(other);
}

/* Built or read: only bits in memory, those of the values in the file. Damage is noticed. The file
 * is longer than what is read at a time. */
TEST(bits_are_made_of_the_same_file)
{
    struct pattern pattern = {
        .blank = 0, .count = 6, .cell = {1, 2, 3, 4, 5, 8}, .kind = PATTERN_ZERO_AWARE};
    struct heard heard;
    assert_true(shape_make(4, 3, &pattern.shape));
    SCOPED char *path = file_of(&pattern);
    for (unsigned round = 0; round < 3; round++) { /* built, read, damaged and built */
        if (round == 2)
            overwrite(path, 4096 + 700000, "M", 1);
        const struct pattern_table *bits = hold_form(&pattern, true, &heard);
        assert_true((heard.built > 0) == (round != 1));
        assert_true(heard.said == (round == 2));
        assert_null(bits->values);
        assert_string_equal(bits->path, path);
        assert_ptr_equal(hold_form(&pattern, true, &heard), bits);
        const struct pattern_table *table = hold(&pattern, &heard);
        assert_int_equal(heard.built, 0);
        assert_ptr_not_equal(table, bits);
        assert_null(table->bits);
        assert_ptr_equal(table->sets, bits->sets);
        assert_true(table->entries == bits->entries && table->entries > 1 << 20);
        assert_int_equal(pattern_table_memory(bits, true), (bits->entries + 7) / 8);
        assert_int_equal(pattern_table_memory(bits, false), bits->entries);
        for (uint32_t entry = 0; entry < table->entries; entry++)
            if (pattern_bits_at(bits->bits, entry) != table->values[entry] / 2U % 2)
                fail_msg("bit %" PRIu32 " is wrong", entry);
        pattern_store_end();
    }
    unlink(path);
}

/* The table stays as it was when it was checked. */
/* What `pdb check` says of the file of a walking distance after its header's word `index` became
 * `value`, with right checksums. */
static void expect_forged(const struct pattern_table *table, unsigned index, uint64_t value,
                          const char *expected)
{
    const char *path = text_of("%s/forged.pdb", folder);
    copy_changed(table->path, path, index, value, table->values, table->entries);
    expect_verdict(path, expected);
    unlink(path);
}

/* The table of walking distance is kept as the others are. */
TEST(arrangements_are_kept_likewise)
{
    enum { ENTRIES = 24964 };
    static const struct {
        long damaged; /* a byte; or the file's length < 0 */
        const char *said;
    } faults[] = {
        {0, "is not a pattern database"},
        {31, "is damaged (checksum of the header)"},
        {4096 + ENTRIES / 2, "is damaged (checksum of the values)"},
        {-20, "is cut short (20 bytes)"},
        {-4096 - ENTRIES / 2, "is cut short (16578 bytes, expected 29060)"},
        {-4096 - ENTRIES - 1, "is too long (29061 bytes, expected 29060)"},
    };
    struct pattern pattern = {.blank = 4, .kind = PATTERN_WALKING};
    struct heard heard;
    assert_true(shape_make(4, 4, &pattern.shape));
    SCOPED char *path = file_of(&pattern);
    assert_non_null(strstr(path, "/4x4-blank4-walking.pdb"));
    assert_true(hold(&pattern, &heard)->built && heard.built > 0 && heard.said == 0);
    pattern_store_end();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        assert_false(hold(&pattern, &heard)->built);
        assert_int_equal(heard.said, 0);
        pattern_store_end();
        if (faults[i].damaged < 0)
            assert_int_equal(truncate(path, -faults[i].damaged), 0);
        else
            overwrite(path, faults[i].damaged, "M", 1);
        const struct pattern_table *table = hold(&pattern, &heard);
        assert_true(table->built && heard.said == 1);
        assert_int_equal(table->entries, ENTRIES);
        if (strstr(heard.text, faults[i].said) == NULL ||
            strstr(heard.text, "; rebuilding it") == NULL)
            fail_msg("%s", heard.text);
        expect_values(table);
        pattern_store_end();
    }
    const struct pattern_table *table = hold(&pattern, &heard);
    expect_verdict(path, "is whole");
    expect_forged(table, 3, UINT64_C(4) << 32, "is damaged (its header makes no sense)");
    expect_forged(table, 3, UINT64_C(3) << 32,
                  "is damaged (checksum of the header)");                          /* of costs */
    expect_forged(table, 2, 0x00040606, "is damaged (its header makes no sense)"); /* 6x6 */
    expect_forged(table, 2, 0x01040404, "is damaged (its header makes no sense)"); /* a tile */
    expect_forged(table, 2, 0x00000404, "holds another table (4x4-blank0-walking)");
    unlink(path);
}

TEST(a_file_that_changes_later_changes_nothing)
{
    const struct pattern pattern = some_pattern();
    struct heard heard;
    SCOPED char *path = file_of(&pattern);
    const uint8_t wrong[504] = {0};
    for (unsigned built = 0; built < 2; built++) {
        pattern_store_end();
        const struct pattern_table *table = hold(&pattern, &heard);
        assert_int_equal(table->built, built == 0);
        overwrite(path, 4096, wrong, sizeof wrong);
        expect_values(table);
        assert_int_equal(truncate(path, 0), 0);
        expect_values(table);
        if (built == 0) {
            pattern_store_end();
            hold(&pattern, &heard);
        }
    }
}

AROUND_EACH_TEST(start, end)
