/* The heuristics of a solver in the long form: a word such as manhattan or pdb:7-8, or a mapping of
 * one key that says the same in parts:
 *     {pdb: {partition: 7-8, reflect: true}}    {pdb: {partition: [[1, 4, 5], [2, 3, 6, 7, 8]]}}
 *     {max: [linear_conflict, walking_distance]}
 *     {command: [python3, own.py], batch: 100}
 * A mapping is turned into that word piece by piece, so that each problem is reported at the place
 * of its piece. A program's word is its name, by which the experiment has it from then on. */
#include "harness/experiment/parts.h"

struct database {
    const struct yaml_node *partition;
    bool zero;
    bool onebit;
    bool reflect;
};

static const struct schema_key database_keys[] = {
    {KEY("partition", CUSTOM, struct database, partition, "the groups of tiles, one table each"),
     .required = true, .read = schema_keep_node,
     .expected = "the name of a partition, or groups of tiles such as [[1, 4, 5], [2, 3, 6]]",
     .definition = "partition"},
    {KEY("zero", FLAG, struct database, zero,
         "zero-aware: the tables know in which region the blank is"),
     .fallback = "false"},
    {KEY("onebit", FLAG, struct database, onebit,
         "keep one bit of each entry of zero-aware tables in memory; the values are the same"),
     .fallback = "false"},
    {KEY("reflect", FLAG, struct database, reflect,
         "look up the mirrored board too and take the larger value"),
     .fallback = "false"},
};
const struct schema database_schema = {"a pattern database", database_keys,
                                       sizeof database_keys / sizeof *database_keys, false};

/* The text, if it names a heuristic; if not, reports the problem at the node, frees it, and NULL.
 */
static char *heuristic_named_by(char *text, const struct yaml_node *node, struct report *report)
{
    struct heuristic_choice choice;
    SCOPED_BY(report_end) struct report inner = {0};
    const bool fine = heuristic_parse(text, NO_PLACE, &inner, &choice);
    SCOPED char *problem = fine ? NULL : report_first(&inner);
    if (!fine)
        report_add(report, node->place, "%s", problem);
    return heap_keep(fine, text);
}

/* A group of tiles as "1.4.5", appended to the groups before it; takes `text`. */
static char *append_group(char *text, const struct yaml_node *group, struct report *report)
{
    const char *expected = "a list of tiles such as [1, 4, 5]";
    if (group->kind != YAML_LIST || group->count == 0) {
        report_add(report, group->place, "not a group of tiles; expected %s", expected);
        free(text);
        return NULL;
    }
    for (size_t i = 0; i < group->count; i++) {
        const char *tile = schema_word(group->items[i], "partition", expected, report);
        if (tile != NULL && tile[strspn(tile, "0123456789")] != '\0') {
            report_add(report, group->items[i]->place, "'%s' is not a tile; expected a number",
                       tile);
            tile = NULL;
        }
        if (tile == NULL) {
            free(text);
            return NULL;
        }
        const char *before = i > 0 ? "." : text[0] == '\0' ? "" : "/";
        heap_append(&text, "%s%s", before, tile);
    }
    return text;
}

static char *database_text(const char *name, const struct yaml_node *node, struct report *report)
{
    struct database database = {0};
    if (!schema_read(&database_schema, node, &database, report))
        return NULL;
    const struct yaml_node *partition = database.partition;
    SCOPED char *groups = NULL;
    if (partition->kind == YAML_LIST) {
        groups = heap_text("");
        for (size_t i = 0; i < partition->count && groups != NULL; i++)
            groups = append_group(groups, partition->items[i], report);
    } else {
        const char *word = schema_word(partition, "partition", database_keys[0].expected, report);
        groups = word == NULL ? NULL : heap_text(word);
    }
    if (groups == NULL)
        return NULL;
    char *text = heap_format("%s:%s%s%s%s", name, groups, database.zero ? ":zero" : "",
                             database.onebit ? ":onebit" : "", database.reflect ? ":reflect" : "");
    return heuristic_named_by(text, partition, report);
}

static char *parts_text(const char *name, const struct yaml_node *node,
                        struct experiment *experiment, struct report *report)
{
    char *text = heap_format("%s:", name);
    for (size_t i = 0; i < node->count && text != NULL; i++) {
        SCOPED char *part = experiment_heuristic(node->items[i], experiment, report);
        if (part != NULL)
            part = heuristic_named_by(part, node->items[i], report);
        if (part != NULL)
            heap_append(&text, "%s%s", i == 0 ? "" : "+", part);
        text = heap_keep(part != NULL, text);
    }
    return text == NULL ? NULL : heuristic_named_by(text, node, report);
}

/* The name of the program that a mapping describes; heap memory. */
static char *program_text(const struct yaml_node *node, struct experiment *experiment,
                          struct report *report)
{
    SCOPED char *problem = NULL;
    SCOPED char *text = experiment_mapping_text(node);
    const char *name = plugins_name(&experiment->plugins, text);
    if (name == NULL && experiment->is_copy) {
        plugins_recall(&experiment->plugins, experiment->known, text, &problem);
    } else if (name == NULL) {
        struct program_heuristic *program =
            experiment_program_heuristic(node, experiment->folder, report);
        if (program != NULL)
            plugins_add_program(&experiment->plugins, program, text, experiment->folder, &problem);
    }
    if (problem != NULL)
        report_add(report, node->place, "%s", problem);
    name = plugins_name(&experiment->plugins, text);
    return name == NULL ? NULL : heap_text(name);
}

char *experiment_heuristic(const struct yaml_node *node, struct experiment *experiment,
                           struct report *report)
{
    const char *expected =
        "a heuristic such as manhattan, {pdb: {partition: 7-8}}, or {command: [python3, own.py]}";
    if (node->kind != YAML_MAPPING) {
        const char *word = schema_word(node, "heuristic", expected, report);
        return word == NULL ? NULL : heap_text(word);
    }
    if (yaml_key(node, "command") != NULL)
        return program_text(node, experiment, report);
    if (node->count != 2) {
        report_add(report, node->place,
                   "a heuristic with %zu keys; expected one key, its name, or those of a program "
                   "such as {command: [python3, own.py], batch: 1000}",
                   node->count / 2);
        return NULL;
    }
    const char *name = node->items[0]->text;
    const struct yaml_node *settings = node->items[1];
    const struct heuristic_kind *kind = heuristic_find(name);
    if (kind == NULL && nearest_word(name, (const char *const[]){"command"}, 1) != NULL) {
        report_unknown(report, node->items[0]->place, "key", name, (const char *const[]){"command"},
                       1);
        return NULL;
    }
    if (kind == NULL)
        return heuristic_named_by(heap_text(name), node->items[0], report);
    if (!heuristic_takes_argument(kind)) {
        report_add(report, node->items[0]->place, "%s has no settings; expected %s alone", name,
                   name);
        return NULL;
    }
    const enum heuristic_made made = kind->extras->made;
    if (settings->kind == YAML_MAPPING && made == MADE_OF_PARTITION)
        return database_text(name, settings, report);
    if (settings->kind == YAML_LIST && made == MADE_OF_HEURISTICS)
        return parts_text(name, settings, experiment, report);
    const char *parts = made == MADE_OF_PARTITION    ? "{partition: 7-8}"
                        : made == MADE_OF_HEURISTICS ? "a list of heuristics"
                                                     : kind->extras->form;
    const char *word = schema_word(settings, name, parts, report);
    return word == NULL ? NULL
                        : heuristic_named_by(heap_format("%s:%s", name, word), settings, report);
}
