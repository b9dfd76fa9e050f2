/* The key `expect` of an experiment: which published cells its results are held against. */
#include "base/named.h"
#include "harness/experiment/data.h"
#include "harness/experiment/parts.h"

const char *const expect_by_names[EXPECT_BYS] = {"instance", "depth", "solver"};

struct written {
    const char *file;
    unsigned by;
    const char *level;
};

static const struct schema_key keys[] = {
    {KEY("file", LINE, struct written, file,
         "the reference: one that ships, such as korf1985, or the path of a CSV file, relative "
         "to the experiment's folder"),
     .required = true},
    {KEY("by", CHOICE, struct written, by,
         "what names its cells, so which table its columns are of: instance (runs.csv), depth "
         "(by_depth.csv) or solver (summary.csv)"),
     .words = expect_by_names, .word_count = EXPECT_BYS, .fallback = "instance"},
    {KEY("level", LINE, struct written, level,
         "how likely all its sampling intervals together hold, such as 99%"),
     .fallback = "99%"},
};
const struct schema expect_schema = {"a reference", keys, sizeof keys / sizeof *keys, false};

/* The path of a reference: one that ships, or a file of the experiment's folder. */
static char *path_of(const char *file, const struct experiment *experiment)
{
    const bool is_path = strchr(file, '/') != NULL || file_ends(file, ".csv");
    char *shipped = is_path ? NULL : data_path(DATA_REFERENCES, file);
    if (shipped != NULL)
        return shipped;
    return file[0] == '/' ? heap_text(file) : heap_format("%s%s", experiment->folder, file);
}

/* "korf1985" of "a/korf1985.csv" */
static char *name_of(const char *path)
{
    const char *name = file_name(path);
    return heap_format("%.*s", (int)strlen(name) - 4 * file_ends(name, ".csv"), name);
}

/* 99%, 99.9% or 0.99 */
static bool parse_level(const char *text, double *level)
{
    char *end;
    *level = strtod(text, &end);
    if (*end == '%') {
        *level /= 100;
        end++;
    }
    return end != text && *end == '\0' && *level >= 0.5 && *level < 1;
}

static const struct yaml_node *place_of(const struct yaml_node *node, const char *key)
{
    const struct yaml_node *value = yaml_value(node, key);
    return value == NULL ? node : value;
}

static void read_one(struct experiment *experiment, const struct yaml_node *node,
                     struct report *report)
{
    struct written written = {.level = "99%"};
    struct expectation expectation;
    schema_defaults(&expect_schema, &written);
    if (!schema_read(&expect_schema, node, &written, report))
        return;
    const struct yaml_node *file = place_of(node, "file");
    expectation.by = (enum expect_by)written.by;
    if (!parse_level(written.level, &expectation.level)) {
        const struct yaml_node *level = place_of(node, "level");
        report_add(report, level->place,
                   "invalid value '%s' for 'level'; expected a share such as 99%% or 0.99, at "
                   "least 50%% and below 100%%",
                   written.level);
        return;
    }
    expectation.path = path_of(written.file, experiment);
    expectation.name = name_of(expectation.path);
    if (!text_is_printable(expectation.name))
        report_add(report, file->place, "a reference's name is to be printed; expected another");
    SCOPED_BY(report_end) struct report problems = {.file = expectation.path};
    expectation.text = file_read(expectation.path, NULL, &problems);
    if (expectation.text == NULL) {
        SCOPED char *first = report_first(&problems);
        report_add(report, file->place, "%s; expected a CSV file, or a reference that ships",
                   first);
    }
    const size_t count = experiment->expectation_count;
    if (NAME_PLACE(experiment->expectations, count, name, expectation.name) < count)
        report_add(report, file->place, "a second reference '%s'; expected another name",
                   expectation.name);
    *HEAP_ADD(experiment->expectations, experiment->expectation_count) = expectation;
}

void experiment_read_expectations(struct experiment *experiment, const struct yaml_node *node,
                                  struct report *report)
{
    if (node->kind != YAML_LIST)
        read_one(experiment, node, report);
    for (size_t i = 0; node->kind == YAML_LIST && i < node->count; i++)
        read_one(experiment, node->items[i], report);
}
