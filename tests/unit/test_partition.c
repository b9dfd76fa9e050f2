/* Partitions as texts: what is accepted, what is refused and how, and what the named ones stand
 * for. */
#include "pdb/partition.h"
#include "tests/folder.h"
#include "tests/support.h"

static void expect_read(const char *text, const char *expected)
{
    struct report report = {.file = "x"};
    SCOPED char *canonical = partition_read(text, FIRST_PLACE, &report);
    if (canonical == NULL)
        fail_msg("%s", report.text);
    assert_string_equal(canonical, expected);
    assert_int_equal(report.count, 0);
}

TEST(texts_have_one_form)
{
    expect_read("7-8", "7-8");
    expect_read("1.2.3.4/5.6.7.8", "1.2.3.4/5.6.7.8");
    expect_read("4.03.2.1/8.7.5.6", "1.2.3.4/5.6.7.8");
    expect_read("10.9/1", "9.10/1");
    expect_read("7", "7");
    expect_read("35", "35");
}

static void expect_refused(const char *text, size_t column, const char *expected)
{
    SCOPED_BY(report_end) struct report report = {.file = "x"};
    assert_null(partition_read(text, (struct text_place){3, 10}, &report));
    assert_int_equal(report.count, 1);
    const char *place = text_of("x:3:%zu: ", column);
    if (strncmp(report.text, place, strlen(place)) != 0 || strstr(report.text, expected) == NULL)
        fail_msg("%s: %s", text, report.text);
}

TEST(problems_are_reported_with_their_place)
{
    expect_refused("", 10, "no partition here; expected a name, or tiles joined by '.'");
    expect_refused("8-7", 10, "did you mean '7-8'?");
    expect_refused("6-6-6", 10, "did you mean '6-6-3'?");
    expect_refused("half", 10, "unknown partition 'half'");
    expect_refused("1.2/3.x", 16, "'x' in group 2 is not a tile");
    expect_refused("1.2 /3", 12, "'2 ' in group 1 is not a tile");
    expect_refused("1./3", 12, "no tile in group 1 after a '.'");
    expect_refused("1.2/", 14, "no tile in group 2 at its beginning");
    expect_refused("/1", 10, "no tile in group 1 at its beginning");
    expect_refused("1.0/2", 12, "tile 0 in group 1: the blank belongs to no group");
    expect_refused("1.36", 12, "tile 36 in group 1: expected a tile from 1 to 35");
    expect_refused("99999999999999999999999", 10, "expected a tile from 1 to 35");
    expect_refused("1.2/2.3", 14, "tile 2 is in group 1 and in group 2");
    expect_refused("1.2.1", 14, "tile 1 is in group 1 twice");
    expect_refused("9/1.2.3.4.5.6.7.8.10", 12, "group 2 has 9 tiles; expected at most 8");
}

static char path[64]; /* of a catalogue's file */

TEST(catalogues_have_one_form)
{
    expect_read("4-4;5-3", "4-4;5-3");
    expect_read("4-4;2.1/03", "4-4;1.2/3");
    expect_read("clausecker-small", "clausecker-small");
    expect_refused("4-4;5-2", 14, "unknown partition '5-2'");
    expect_refused("4-4;;5-3", 14, "no partition here");
    expect_refused("4-4;", 14, "no partition here");
    expect_refused("1.2/3;2.1/3", 16, "partition 1.2/3 a second time; expected another");
}

TEST(catalogues_are_read_from_files)
{
    snprintf(path, sizeof path, "/tmp/tilelab-catalogue-%d", (int)getpid());
    SCOPED char *name = heap_format("@%s", path);
    write_text(path, "# two\n 4-4\t# the first\r\n\n2.1/3\n5-3");
    expect_read(name, "4-4;1.2/3;5-3");
    write_text(path, "\xEF\xBB\xBF"
                     "4-4\r\n5-3\r\n"); /* as Windows' editor saves it */
    expect_read(name, "4-4;5-3");
    write_text(path, "4-4\n 5-2\n");
    expect_refused(name, 10, ":2:2: unknown partition '5-2'");
    write_text(path, "4-4 5-3\n");
    expect_refused(name, 10, ":1:5: unexpected text");
    write_text(path, "4-4\n4-4\n");
    expect_refused(name, 10, ":2:1: partition 4-4 a second time");
    write_text(path, "# none\n");
    expect_refused(name, 10, "no partition; expected one on each line");
    remove(path);
    expect_refused(name, 10, "cannot be opened");
}

/* So many and no more, with the same groups or others. */
TEST(catalogues_have_an_end)
{
    SCOPED char *text = heap_text("");
    for (unsigned i = 0; i < MAX_PARTITIONS; i++)
        heap_append(&text, "%s%u.%u/1", i == 0 ? "" : ";", 2 + i % 8, 10 + i / 8);
    expect_read(text, text);
    heap_append(&text, ";4-4");
    expect_refused(text, strlen(text) + 10 - 3, "more than 64 partitions");
}

static bool make(const char *text, const struct board *goal, struct partition *partition,
                 struct report *report)
{
    report_start(report, "x");
    SCOPED char *canonical = partition_read(text, FIRST_PLACE, report);
    assert_non_null(canonical);
    unsigned count;
    struct partition *made = partitions_make(canonical, goal, false, FIRST_PLACE, report, &count);
    const bool fine = made != NULL;
    if (fine)
        *partition = made[0];
    free(made);
    return fine;
}

static void expect_unfit(const char *text, const struct board *goal, const char *expected)
{
    struct partition partition;
    SCOPED_BY(report_end) struct report report;
    assert_false(make(text, goal, &partition, &report));
    if (strstr(report.text, expected) == NULL)
        fail_msg("%s: %s", text, report.text);
}

TEST(a_partition_must_fit_the_goal)
{
    const struct board eight = goal_of("blank-last", 3, 3);
    const struct board snail = goal_of("snail", 3, 3);
    const struct board small = goal_of("blank-last", 2, 3);
    const struct board large = goal_of("blank-last", 5, 5);
    expect_unfit("1.2.3/4.5", &eight,
                 "tiles 6, 7, 8 are in no group; expected every tile from 1 to 8");
    expect_unfit("1.2.3/4.5.6.8", &eight, "tile 7 is in no group");
    expect_unfit("1.2.3.4/5.6.7.9", &eight, "tile 9 in group 2 does not exist on a 3x3 board");
    expect_unfit("7-8", &eight,
                 "partition 7-8 is for 4x4, the goal is 3x3; expected 4-4 or 5-3, or tiles");
    expect_unfit("4-4", &small, "the goal is 2x3; expected tiles joined");
    expect_unfit("4-4", &snail, "blank in a corner");
    expect_unfit("1.2.3.4.5.6.7/8.9.10.11.12.13/14.15.16.17.18.19/20.21.22.23.24", &large,
                 "group 1 of 7 tiles needs a table of 2422728000 entries on 5x5");
}

/* The text of all groups of a partition. */
static char *groups_text(const struct partition *partition, const struct board *goal)
{
    char *text = heap_text("");
    for (unsigned i = 0; i < partition->count; i++) {
        SCOPED char *group = partition_group_text(&partition->group[i], goal);
        heap_append(&text, "%s%s", i == 0 ? "" : "/", group);
    }
    return text;
}

static void expect_groups(const char *text, const struct board *goal, const char *expected)
{
    struct partition partition;
    struct report report;
    if (!make(text, goal, &partition, &report))
        fail_msg("%s", report.text);
    ASSERT_TEXT(groups_text(&partition, goal), expected);
    for (unsigned i = 0; i < partition.count; i++) {
        assert_true(shape_equal(partition.group[i].shape, goal->shape));
        assert_int_equal(partition.group[i].blank, goal->blank);
    }
}

TEST(names_turn_with_the_blank)
{
    const struct board first = goal_of("blank-first", 4, 4);
    const struct board last = goal_of("blank-last", 4, 4);
    const struct board right = board_sized(4, 4, "1 2 3 0 4 5 6 7 8 9 10 11 12 13 14 15");
    const struct board left = board_sized(4, 4, "1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15");
    expect_groups("7-8", &first, "1.2.3.4.5.6.7/8.9.10.11.12.13.14.15");
    expect_groups("7-8", &last, "9.10.11.12.13.14.15/1.2.3.4.5.6.7.8");
    expect_groups("6-6-3", &last, "7.8.11.12.14.15/1.5.6.9.10.13/2.3.4");
    expect_groups("7-8", &right, "1.2.3.4.5.6.7/8.9.10.11.12.13.14.15");
    expect_groups("6-6-3", &right, "2.3.6.7.10.11/1.4.5.8.9.12/13.14.15");
    expect_groups("7-8", &left, "9.10.11.12.13.14.15/1.2.3.4.5.6.7.8");
    expect_groups("15.14.13/1.2.3.4.5.6/12.11.10.9.8.7", &left,
                  "13.14.15/1.2.3.4.5.6/7.8.9.10.11.12");
}

/* All named partitions are valid, with groups of the sizes in their names. */
TEST(names_say_the_sizes)
{
    for (unsigned i = 0; i < partition_count; i++) {
        const struct board goal = goal_of("blank-last", partitions[i].width, partitions[i].height);
        struct partition partition;
        struct report report;
        char sizes[MAX_GROUPS + 1] = {0};
        char named[MAX_GROUPS + 1] = {0};
        if (!make(partitions[i].name, &goal, &partition, &report))
            fail_msg("%s", report.text);
        if (strchr(partitions[i].groups, ';') != NULL)
            continue;
        for (unsigned digit = 8; digit > 0; digit--)
            for (unsigned j = 0; j < partition.count; j++)
                if (partition.group[j].count == digit)
                    sizes[strlen(sizes)] = (char)('0' + digit);
        for (char digit = '8'; digit > '0'; digit--)
            for (const char *at = partitions[i].name; *at != '\0'; at++)
                if (*at == digit)
                    named[strlen(named)] = digit;
        assert_string_equal(sizes, named);
    }
}
