#include "harness/results/columns.h"
#include "base/named.h"

const char *const column_type_names[COLUMN_TYPES] = {
#define TYPE(name, word, kind, pattern, good, expected) word,
#include "harness/results/types.def"
#undef TYPE
};

const char *const measured_names[MEASURED] = {"search", "process", "answer"};

enum measured measured_of(const char *name)
{
    return WORD_PLACE(measured_names, MEASURED, name) % MEASURED; /* others: MEASURED_SEARCH */
}

#define COLUMN(name, type, unit, may_be_empty, repeats, value, meaning)                            \
    {#name, COLUMN_TYPE_##type, unit, may_be_empty, repeats, meaning},
const struct column row_columns[COLUMNS] = {
#include "harness/results/columns.def"
    COLUMN(row_hash, HASH, "", false, false, ,
           "XXH3 (64 bits) of the row's other cells in this order, each followed by a zero byte: "
           "an edited cell shows")};
static const struct column summary_columns[] = {
#include "harness/results/summary.def"
};
static const struct column by_depth_columns[] = {
#include "harness/results/by_depth.def"
};
static const struct column pairs_columns[] = {
#include "harness/results/pairs.def"
};
static const struct column expect_columns[] = {
#include "harness/results/expect.def"
};
static const struct column control_columns[] = {
#include "harness/results/control.def"
};
static const struct column rounds_columns[] = {
#include "harness/results/rounds.def"
};
static const struct column incumbents_columns[] = {
#include "harness/results/incumbents.def"
};
static const struct column messages_columns[] = {
#include "harness/results/messages.def"
};
static const struct column points_columns[] = {
#include "harness/results/points.def"
};
#undef COLUMN
#define COUNTED(columns) columns, sizeof columns / sizeof *columns

const struct table_schema table_schemas[TABLES] = {
    [TABLE_RUNS] = {"runs", "one row for each run", COUNTED(row_columns), "run_id", false},
    [TABLE_ROUNDS] = {"rounds", "what each round of a search that deepens counted",
                      COUNTED(rounds_columns), NULL, false},
    [TABLE_INCUMBENTS] = {"incumbents", "the solutions that a search improved",
                          COUNTED(incumbents_columns), NULL, false},
    [TABLE_MESSAGES] = {"messages", "why rows crashed, are wrong or contradict another",
                        COUNTED(messages_columns), NULL, false},
    [TABLE_POINTS] = {"points", "the points of each label, by the experiment's rules",
                      COUNTED(points_columns), "label", true},
    [TABLE_CONTROL] = {"control", "control runs: the same search again and again, no results",
                       COUNTED(control_columns), "control_id", false},
    [TABLE_SUMMARY] = {"summary", "each solver by itself", COUNTED(summary_columns), NULL, false},
    [TABLE_BY_DEPTH] = {"by_depth", "each solver by optimal solution length",
                        COUNTED(by_depth_columns), NULL, false},
    [TABLE_PAIRS] = {"pairs", "each solver against the baseline, by instance and metric",
                     COUNTED(pairs_columns), NULL, false},
    [TABLE_EXPECT] = {"expect", "published cells and what was measured", COUNTED(expect_columns),
                      NULL, false},
};

struct tidy table_start(enum table table)
{
    const struct table_schema *schema = &table_schemas[table];
    struct tidy tidy = {0};
    for (size_t i = 0; i < schema->column_count; i++)
        tidy_column(&tidy, schema->columns[i].name, schema->columns[i].unit,
                    schema->columns[i].meaning);
    return tidy;
}
