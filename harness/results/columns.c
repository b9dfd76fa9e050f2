#include "harness/results/columns.h"
#include "base/named.h"
#include "harness/results/messages.h"
#include "harness/results/run_tables.h"

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
static const struct column summary_columns[SUMMARY_COLUMNS] = {
#include "harness/results/summary.def"
};
static const struct column by_depth_columns[BY_DEPTH_COLUMNS] = {
#include "harness/results/by_depth.def"
};
static const struct column pairs_columns[PAIRS_COLUMNS] = {
#include "harness/results/pairs.def"
};
static const struct column expect_columns[EXPECT_COLUMNS] = {
#include "harness/results/expect.def"
};
static const struct column control_columns[CONTROL_COLUMNS] = {
#include "harness/results/control.def"
};
#undef COLUMN
static const struct column points_columns[] = {
    {"label", COLUMN_TYPE_TEXT, "", false, true,
     "what the experiment calls the solver; after an apostrophe where a spreadsheet would take it "
     "for a formula"},
    {"points", COLUMN_TYPE_NUMBER, "", false, true,
     "the sum of the columns that are named like the experiment's rules, of the exact values"},
    {"comment", COLUMN_TYPE_TEXT, "", true, true,
     "whether the points are preliminary, how runs ended, and what is missing"},
};

const struct table_schema table_schemas[TABLES] = {
    [TABLE_RUNS] = {"runs", "one row for each run", row_columns, COLUMNS, "run_id", false},
    [TABLE_ROUNDS] = {"rounds", "what each round of a search that deepens counted", round_columns,
                      ROUND_COLUMNS, NULL, false},
    [TABLE_INCUMBENTS] = {"incumbents", "the solutions that a search improved", incumbent_columns,
                          INCUMBENT_COLUMNS, NULL, false},
    [TABLE_MESSAGES] = {"messages", "why rows crashed, are wrong or contradict another",
                        message_columns, MESSAGE_COLUMNS, NULL, false},
    [TABLE_POINTS] = {"points", "the points of each label, by the experiment's rules",
                      points_columns, 3, "label", true},
    [TABLE_CONTROL] = {"control", "control runs: the same search again and again, no results",
                       control_columns, CONTROL_COLUMNS, "control_id", false},
    [TABLE_SUMMARY] = {"summary", "each solver by itself", summary_columns, SUMMARY_COLUMNS, NULL,
                       false},
    [TABLE_BY_DEPTH] = {"by_depth", "each solver by optimal solution length", by_depth_columns,
                        BY_DEPTH_COLUMNS, NULL, false},
    [TABLE_PAIRS] = {"pairs", "each solver against the baseline, by instance and metric",
                     pairs_columns, PAIRS_COLUMNS, NULL, false},
    [TABLE_EXPECT] = {"expect", "published cells and what was measured", expect_columns,
                      EXPECT_COLUMNS, NULL, false},
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
