/* The JSON Schema of an experiment file, from the tables that the file is read by: the keys, and
 * the algorithms and heuristics with their options. What does not come from them is in frame.json.
 *
 * It is for editors. It knows keys, types, words, what is required, and the ranges of what is
 * written as a number. What depends on several values, or on how a value is written, `tilelab
 * check` alone judges; of solvers, too, where there are plugins. A YAML reader takes `2026` for
 * a number and `60s` for a text, so a quantity may be either. */
#include "harness/experiment/parts.h"
#include "harness/text/tidy.h"
#include "puzzle/goal.h"
#include "schema_frame.h"

static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        heap_exhausted();
}

static void add(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        heap_exhausted();
}

static void add_word(json_t *words, const char *word)
{
    for (size_t i = 0; i < json_array_size(words); i++)
        if (strcmp(json_string_value(json_array_get(words, i)), word) == 0)
            return;
    add(words, json_string(word));
}

static json_t *choice(const char *const *words, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        add_word(list, words[i]);
    return json_pack("{s: o}", "enum", list);
}

static json_t *reference(const char *definition)
{
    return json_pack("{s: o}", "$ref", json_sprintf("#/$defs/%s", definition));
}

/* A number, or a text that may be one. */
static json_t *quantity(const char *type, double min, double max)
{
    return json_pack("{s: [s, s], s: s, s: f, s: f}", "type", type, "string", "pattern",
                     "^([0-9]|none$)", "minimum", min, "maximum", max);
}

/* What is to be defined at `path` and `name`: a value, or a list of them. */
static json_t *or_list(json_t *value, const char *path, const char *name)
{
    json_t *types = json_object_get(value, "type");
    json_t *list = json_pack("{s: s, s: {s: o}}", "type", "array", "items", "$ref",
                             json_sprintf("#/$defs/%s%s", path, name));
    if (types == NULL)
        return json_pack("{s: [o, o]}", "anyOf", value, list);
    add(types, json_string("array"));
    json_object_update_missing_new(value, list);
    return value;
}

static json_t *mapping_json(const struct schema *schema);

static json_t *type_json(const struct schema_key *key)
{
    const double min = (double)key->min;
    const double max = (double)key->max;
    switch (key->type) {
#define TYPE(name, expected, json)                                                                 \
    case SCHEMA_##name:                                                                            \
        return json;
#include "harness/experiment/types.def"
#undef TYPE
    }
    return NULL;
}

static json_t *mapping_json(const struct schema *schema)
{
    json_t *properties = json_object();
    json_t *required = NULL; /* left out if no key is */
    for (size_t i = 0; i < schema->count; i++) {
        const struct schema_key *key = &schema->keys[i];
        SCOPED char *expected = schema_expected(key);
        json_t *json = type_json(key);
        set(json, "description", json_sprintf("%s; expected %s", key->help, expected));
        set(properties, key->name, json);
        if (key->required && required == NULL)
            required = json_array();
        if (key->required)
            add(required, json_string(key->name));
    }
    return json_pack("{s: s, s: o, s: o*, s: b}", "type", "object", "properties", properties,
                     "required", required, "additionalProperties", 0);
}

/* Adds options to the keys of a solver. Those of one name are of one kind: the words of all of them
 * are allowed, and the widest range. */
static void add_options(json_t *properties, const struct option_row *option)
{
    const char *path = "long_form/properties/";
    for (; option->kind != OPTION_END; option++) {
        const bool decimal = option->kind == OPTION_DECIMAL;
        const double min = (double)option->min / (decimal ? DECIMAL_ONE : 1);
        const double max = (double)option->max / (decimal ? DECIMAL_ONE : 1);
        json_t *json = json_object_get(properties, option->name);
        if (json == NULL) {
            json = option->kind == OPTION_FLAG ? reference("flags")
                   : option->kind == OPTION_CHOICE
                       ? or_list(choice(NULL, 0), path, option->name)
                       : or_list(quantity(decimal ? "number" : "integer", min, max), path,
                                 option->name);
            set(json, "description", json_string(option->help));
            set(properties, option->name, json);
        }
        json_t *words = json_object_get(json_array_get(json_object_get(json, "anyOf"), 0), "enum");
        for (size_t i = 0; option->choices[i] != NULL; i++)
            add_word(words, option->choices[i]);
        if (json_number_value(json_object_get(json, "minimum")) > min)
            set(json, "minimum", json_real(min));
        if (json_number_value(json_object_get(json, "maximum")) < max)
            set(json, "maximum", json_real(max));
    }
}

/* Any option may stand in a solver: `tilelab check` knows which its algorithm and heuristic have.
 */
static void add_solvers(json_t *definitions)
{
    json_t *algorithm = choice(NULL, 0);
    json_t *heuristic = choice(NULL, 0);
    json_t *parts = json_object();
    json_t *long_form = mapping_json(&solver_schema);
    json_t *options = json_object_get(long_form, "properties");
    SCOPED char *names = heap_text("");
    for (unsigned i = 0; i < algorithm_count; i++) {
        heap_append(&names, "%s%s", i == 0 ? "" : "|", algorithms[i].name);
        add_word(json_object_get(algorithm, "enum"), algorithms[i].name);
        add_options(options, algorithms[i].options);
    }
    for (unsigned i = 0; i < heuristic_count; i++) {
        const struct heuristic_kind *kind = &heuristic_kinds[i];
        add_options(options, kind->options);
        if (!heuristic_takes_argument(kind))
            add_word(json_object_get(heuristic, "enum"), kind->name);
        else
            set(parts, kind->name,
                kind->extras->made == MADE_OF_TEXT
                    ? json_pack("{s: s}", "type", "string")
                    : reference(kind->extras->made == MADE_OF_PARTITION ? "database"
                                                                        : "heuristics"));
    }
    json_t *argument =
        json_pack("{s: [s, s], s: s, s: o, s: b}", "type", "string", "object", "pattern",
                  "^[a-z_]+[ \\t]*:", "properties", parts, "additionalProperties", 0);
    set(definitions, "program_heuristic", mapping_json(program_heuristic_schema()));
    set(definitions, "long_form", long_form);
    set(definitions, "external", mapping_json(&external_schema));
    set(definitions, "short_form",
        json_pack("{s: s, s: o}", "type", "string", "pattern",
                  json_sprintf("^[ \\t]*(%s)[ \\t]*(\\(.+\\)[ \\t]*)?$", names)));
    set(definitions, "algorithm", or_list(algorithm, "", "algorithm"));
    set(definitions, "heuristic",
        json_pack("{s: {s: s, s: [s]}, s: o, s: {s: [o, o]}}", "if", "type", "object", "required",
                  "command", "then", reference("program_heuristic"), "else", "anyOf", heuristic,
                  or_list(argument, "", "heuristic")));
}

char *experiment_schema(void)
{
    const struct schema_key any_number = {.name = "steps", .max = UINT64_MAX};
    struct schema_key keys[SCHEMA_STEPS];
    schema_steps(&any_number, keys);
    json_auto_t *json = json_loads(schema_frame_json, 0, NULL);
    json_t *definitions = json_object_get(json, "$defs");
    set(definitions, "goal",
        json_pack("{s: [o, o]}", "anyOf", choice(goal_names, GOAL_NAMES), reference("board")));
    json_t *metrics =
        json_pack("{s: [o, {s: s, s: s}]}", "anyOf", choice(metric_words, METRIC_WORDS), "type",
                  "string", "pattern", "^extra\\.[A-Za-z_]");
    set(definitions, "metrics", or_list(metrics, "", "metrics"));
    set(definitions, "measures",
        or_list(choice(measure_words, measure_word_count), "", "measures"));
    set(definitions, "steps", mapping_json(&(struct schema){"steps", keys, SCHEMA_STEPS, false}));
    set(definitions, "set", mapping_json(&set_schema));
    set(definitions, "limits", mapping_json(&limits_schema));
    set(definitions, "database", mapping_json(&database_schema));
    set(definitions, "reference", mapping_json(&expect_schema));
    set(json_object_get(definitions, "database"), "type", json_pack("[s, s]", "string", "object"));
    add_solvers(definitions);
    json_object_update_new(json, mapping_json(&file_schema));
    return json_written(json, JSON_INDENT(2));
}
