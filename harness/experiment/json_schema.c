/* The JSON Schema of an experiment file, from the tables that the file is read by: the keys, the
 * kinds of sets, the algorithms and heuristics with their options, the units.
 *
 * It is for editors: it knows keys, types, words, and the ranges of what is written as a number.
 * What depends on several values, or on how a value is written, `tilelab check` alone judges. A
 * YAML reader hands `2026` over as a number and `60s` as a text: a quantity may be either.
 * `patternErrorMessage` and `enumDescriptions` are for editors; validators pass them over. */
#include "base/heap.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/parts.h"
#include "puzzle/goal.h"
#include <jansson.h>

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

static json_t *words_json(const char *const *words, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count && words[i] != NULL; i++)
        add(list, json_string(words[i]));
    return list;
}

static json_t *reference(const char *path)
{
    return json_pack("{s: o}", "$ref", json_sprintf("#/$defs/%s", path));
}

/* A list of what is defined: at `name`, or below it at `key`. */
static json_t *list_json(const char *name, const char *key)
{
    json_t *path = json_sprintf("#/$defs/%s%s%s", name, key == NULL ? "" : "/properties/",
                                key == NULL ? "" : key);
    return json_pack("{s: s, s: {s: o}, s: i}", "type", "array", "items", "$ref", path, "minItems",
                     1);
}

/* A text, which YAML may take for a number or a truth value. */
static json_t *text_json(enum schema_type type, const char *pattern)
{
    char *expected = schema_expected(&(struct schema_key){.type = type});
    json_t *json =
        json_pack("{s: [s, s, s], s: s, s: o}", "type", "string", "number", "boolean", "pattern",
                  pattern, "patternErrorMessage", json_sprintf("expected %s", expected));
    free(expected);
    return json;
}

static void set_bound(json_t *json, const char *key, uint64_t value, uint64_t unit)
{
    if (value == UINT64_MAX) /* JSON has no exact number above INT64_MAX */
        set(json, "exclusiveMaximum", json_real(18446744073709551616.0));
    else
        set(json, key,
            value % unit == 0 ? json_integer((json_int_t)(value / unit))
                              : json_real((double)value / (double)unit));
}

/* A number from `min` to `max`, both in parts of which `unit` are 1, or a text of this pattern. */
static json_t *quantity(uint64_t min, uint64_t max, uint64_t unit, const char *pattern)
{
    json_t *json = json_pack("{s: [s, s], s: s}", "type", unit == 1 ? "integer" : "number",
                             "string", "pattern", pattern);
    set_bound(json, "minimum", min, unit);
    set_bound(json, "maximum", max, unit);
    return json;
}

static json_t *mapping_json(const struct schema *schema);

static json_t *type_json(const struct schema_key *key)
{
    switch (key->type) {
    case SCHEMA_TEXT:
        return reference("text");
    case SCHEMA_LINE:
        return reference("line");
    case SCHEMA_IDENTIFIER:
        return reference("name");
    case SCHEMA_NUMBER:
        return quantity(key->min, key->max, 1, "^[0-9]+$");
    case SCHEMA_COUNT:
    case SCHEMA_BYTES:
        return quantity(key->min, key->max, 1,
                        key->or_none ? "^(none|[0-9]+ ?[A-Za-z]*)$" : "^[0-9]+ ?[A-Za-z]*$");
    case SCHEMA_SECONDS:
        return quantity(key->min, key->max, 1000, "^[0-9][0-9.]* ?[A-Za-z]*$");
    case SCHEMA_FLAG:
        return reference("flag");
    case SCHEMA_CHOICE:
        return json_pack("{s: o}", "enum", words_json(key->words, key->word_count));
    case SCHEMA_RANGES:
        return json_pack("{s: [o, o, o]}", "anyOf",
                         quantity(key->min, key->max, 1, "^[0-9]+(-[0-9]+)?$"), reference("steps"),
                         list_json("set", key->name));
    case SCHEMA_MAPPING:
        return key->definition == NULL ? mapping_json(key->mapping) : reference(key->definition);
    case SCHEMA_LIST:
        return list_json(key->definition, NULL);
    case SCHEMA_CUSTOM:
        return reference(key->definition);
    }
    return NULL;
}

static json_t *mapping_json(const struct schema *schema)
{
    json_t *properties = json_object();
    json_t *required = json_array();
    for (size_t i = 0; i < schema->count; i++) {
        const struct schema_key *key = &schema->keys[i];
        json_t *json = type_json(key);
        set(json, "description", json_string(key->help));
        if (json_object_get(json, "pattern") != NULL) {
            char *expected = schema_expected(key);
            set(json, "patternErrorMessage", json_sprintf("expected %s", expected));
            free(expected);
        }
        set(properties, key->name, json);
        if (key->required)
            add(required, json_string(key->name));
    }
    return json_pack("{s: s, s: o, s: o, s: b}", "type", "object", "properties", properties,
                     "required", required, "additionalProperties", 0);
}

static json_t *option_json(const struct option_row *option)
{
    const uint64_t min = (uint64_t)option->min;
    const uint64_t max = (uint64_t)option->max;
    if (option->kind == OPTION_FLAG)
        return reference("flag");
    if (option->kind == OPTION_CHOICE)
        return json_pack("{s: o}", "enum", words_json(option->choices, MAX_CHOICES));
    if (option->kind == OPTION_DECIMAL)
        return quantity(min, max, DECIMAL_ONE, "^[0-9.]+$");
    return quantity(min, max, 1, option->fallback == OPTION_UNSET ? "^([0-9]+|none)$" : "^[0-9]+$");
}

/* Adds options to the keys of a solver: each is a value that some row takes, or a list of them. */
static void add_options(json_t *properties, const struct option_row *option)
{
    for (; option->kind != OPTION_END; option++) {
        json_t *values = json_object_get(json_object_get(properties, option->name), "anyOf");
        json_t *value = option_json(option);
        if (values == NULL) {
            values = json_pack("[o]", list_json("long_form", option->name));
            set(properties, option->name,
                json_pack("{s: s, s: o}", "description", option->help, "anyOf", values));
        }
        bool known = false;
        for (size_t i = 0; i < json_array_size(values); i++)
            known = known || json_equal(json_array_get(values, i), value);
        if (known)
            json_decref(value);
        else
            add(values, value);
    }
}

/* A solver as a mapping, with any option: whether its algorithm has it is not said. */
static json_t *long_form_json(void)
{
    json_t *json = mapping_json(&solver_schema);
    for (unsigned i = 0; i < algorithm_count; i++)
        add_options(json_object_get(json, "properties"), algorithms[i].options);
    for (unsigned i = 0; i < heuristic_count; i++)
        add_options(json_object_get(json, "properties"), heuristic_kinds[i].options);
    return json;
}

static void add_algorithms(json_t *definitions)
{
    json_t *names = json_array();
    json_t *summaries = json_array();
    char *words = heap_text("");
    for (unsigned i = 0; i < algorithm_count; i++) {
        add(names, json_string(algorithms[i].name));
        add(summaries, json_string(algorithms[i].summary));
        heap_append(&words, "%s%s", i == 0 ? "" : "|", algorithms[i].name);
    }
    set(definitions, "algorithm",
        json_pack("{s: [{s: o, s: o}, o]}", "anyOf", "enum", names, "enumDescriptions", summaries,
                  list_json("algorithm", NULL)));
    set(definitions, "short_form",
        json_pack("{s: s, s: o, s: s}", "type", "string", "pattern",
                  json_sprintf("^[ \\t]*(%s)[ \\t]*(\\(.+\\)[ \\t]*)?$", words),
                  "patternErrorMessage", "expected a solver such as bfs or astar(manhattan)"));
    free(words);
}

/* A name, NAME:ARGUMENT, a mapping of a name to what its argument is made of, or a list of them. */
static json_t *heuristic_json(void)
{
    json_t *names = json_array();
    json_t *summaries = json_array();
    json_t *settings = json_object();
    for (unsigned i = 0; i < heuristic_count; i++) {
        const struct heuristic_kind *kind = &heuristic_kinds[i];
        if (heuristic_takes_argument(kind)) {
            const bool partition = kind->extras->made == MADE_OF_PARTITION;
            set(settings, kind->name,
                json_pack("{s: s, s: [{s: s}, o]}", "description", kind->summary, "anyOf", "type",
                          "string",
                          partition ? mapping_json(&database_schema)
                                    : list_json("heuristic", NULL)));
        } else {
            add(names, json_string(kind->name));
            add(summaries, json_string(kind->summary));
        }
    }
    return json_pack("{s: [{s: o, s: o}, {s: s, s: s}, {s: s, s: o, s: b, s: i}, o]}", "anyOf",
                     "enum", names, "enumDescriptions", summaries, "type", "string", "pattern",
                     "^[a-z_]+[ \\t]*:", "type", "object", "properties", settings,
                     "additionalProperties", 0, "minProperties", 1, list_json("heuristic", NULL));
}

char *experiment_schema(void)
{
    json_t *json = json_pack(
        "{s: s, s: s, s: s}", "$schema", "http://json-schema.org/draft-07/schema#", "title",
        "a tilelab experiment", "description", "Made by: tilelab check --schema");
    json_object_update_new(json, mapping_json(&file_schema));
    const struct schema_key any_number = {.name = "steps", .max = UINT64_MAX};
    struct schema_key keys[SCHEMA_STEPS];
    schema_steps(&any_number, keys);
    const struct schema steps = {"steps", keys, SCHEMA_STEPS, false};
    json_t *definitions = json_object();
    set(definitions, "flag", json_pack("{s: [b, b, s, s]}", "enum", 1, 0, "true", "false"));
    set(definitions, "text", text_json(SCHEMA_TEXT, "."));
    set(definitions, "line", text_json(SCHEMA_LINE, "^.+$"));
    set(definitions, "name", text_json(SCHEMA_IDENTIFIER, "^[A-Za-z0-9][-_.A-Za-z0-9]*$"));
    set(definitions, "steps", mapping_json(&steps));
    set(definitions, "set", mapping_json(&set_schema));
    set(definitions, "board", /* begins with a cell or a bracket */
        json_pack("{s: [s, s, s], s: s, s: o}", "type", "string", "integer", "array", "pattern",
                  "^([^A-Za-z]|[xX])", "items", reference("board")));
    set(definitions, "goal",
        json_pack("{s: [{s: o}, o]}", "anyOf", "enum", words_json(goal_names, GOAL_NAMES),
                  reference("board")));
    set(definitions, "size",
        json_pack("{s: s, s: s}", "type", "string", "pattern", "^[0-9]+[xX][0-9]+$"));
    set(definitions, "order",
        json_pack("{s: s, s: s}", "type", "string", "pattern", "^[UuLlRrDd]{4}$"));
    set(definitions, "limits", mapping_json(&limits_schema));
    set(definitions, "solver",
        json_pack("{s: {s: s}, s: o, s: o}", "if", "type", "object", "then", reference("long_form"),
                  "else", reference("short_form")));
    set(definitions, "long_form", long_form_json());
    add_algorithms(definitions);
    set(definitions, "heuristic", heuristic_json());
    set(definitions, "partition",
        json_pack("{s: [s, s, s], s: {s: s}}", "type", "string", "number", "array", "items", "type",
                  "array"));
    set(json, "$defs", definitions);
    char *text = json_dumps(json, JSON_INDENT(2));
    if (text == NULL)
        heap_exhausted();
    json_decref(json);
    return text;
}
