/* The JSON Schema of an experiment file, from the tables that the file is read by: the keys, the
 * kinds of sets, the algorithms and heuristics with their options, the units.
 *
 * A YAML reader hands `2026` over as a number and `60s` as a text, where tilelab reads both as they
 * are written: the schema takes a quantity in either form. `patternErrorMessage` and
 * `enumDescriptions` are what editors show; validators pass them over. */
#include "base/heap.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/parts.h"
#include "harness/experiment/pattern.h"
#include "pdb/partition.h"
#include "puzzle/goal.h"
#include <jansson.h>
#include <string.h>

/* What may stand between the words of a solver. */
#define SPACE "[ \\t]*"

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

static json_t *word_list(const char *const *words, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count && words[i] != NULL; i++)
        add(list, json_string(words[i]));
    return list;
}

/* The whole of a text; takes `pattern`. */
static void set_pattern(json_t *object, char *pattern)
{
    set(object, "pattern", json_sprintf("^(?:%s)$", pattern));
    free(pattern);
}

static json_t *reference(const char *definition)
{
    return json_pack("{s: o}", "$ref", json_sprintf("#/definitions/%s", definition));
}

/* A number: JSON knows none above INT64_MAX that is exact. */
static void set_range(json_t *object, uint64_t least, uint64_t most)
{
    set(object, "minimum", json_integer((json_int_t)least));
    if (most == UINT64_MAX)
        set(object, "exclusiveMaximum", json_real(18446744073709551616.0));
    else
        set(object, "maximum", json_integer((json_int_t)most));
}

/* `item`, or a list of different ones. */
static json_t *one_or_list(json_t *item)
{
    json_t *list = json_pack("{s: s, s: O, s: i, s: b}", "type", "array", "items", item, "minItems",
                             1, "uniqueItems", 1);
    return json_pack("{s: [o, o]}", "anyOf", item, list);
}

static json_t *mapping_json(const struct schema *schema);

static json_t *ranges_json(const struct schema_key *key)
{
    struct schema_key keys[SCHEMA_STEPS];
    schema_steps(key, keys);
    const struct schema steps = {key->name, keys, SCHEMA_STEPS, false};
    json_t *numbers = json_pack("{s: [s, s]}", "type", "integer", "string");
    char *number = pattern_number(key->least, key->most);
    set_range(numbers, key->least, key->most);
    set_pattern(numbers, heap_format("%s(?:-%s)?", number, number));
    free(number);
    return one_or_list(json_pack("{s: [o, o]}", "anyOf", numbers, mapping_json(&steps)));
}

/* What a type alone says of a value. */
static json_t *type_json(const struct schema_key *key)
{
    json_t *json = json_object();
    switch (key->type) {
    case SCHEMA_TEXT:
        set(json, "type", json_pack("[s, s, s]", "string", "number", "boolean"));
        set(json, "minLength", json_integer(1));
        break;
    case SCHEMA_LINE:
        set(json, "type", json_pack("[s, s, s]", "string", "number", "boolean"));
        set_pattern(json, heap_text("[^\\n]+"));
        set(json, "maxLength", json_integer(MAX_YAML_WORD));
        break;
    case SCHEMA_IDENTIFIER:
        set(json, "type", json_pack("[s, s, s]", "string", "number", "boolean"));
        set(json, "minimum", json_integer(0));
        set_pattern(json, heap_text("[A-Za-z0-9][-_.A-Za-z0-9]*"));
        set(json, "maxLength", json_integer(MAX_YAML_WORD));
        break;
    case SCHEMA_NUMBER:
        set(json, "type", json_pack("[s, s]", "integer", "string"));
        set_range(json, key->least, key->most);
        set_pattern(json, pattern_number(key->least, key->most));
        break;
    case SCHEMA_COUNT:
    case SCHEMA_BYTES:
        set(json, "type", json_pack("[s, s]", "integer", "string"));
        set_range(json, key->least, key->most);
        set_pattern(json, pattern_append(pattern_quantity(key->least, key->most,
                                                          key->type == SCHEMA_COUNT ? count_units
                                                                                    : byte_units),
                                         "%s", key->or_none ? "|none" : ""));
        break;
    case SCHEMA_SECONDS:
        set(json, "type", json_pack("[s, s]", "number", "string"));
        set(json, "minimum", json_real((double)key->least / 1e3));
        set(json, "maximum", json_real((double)key->most / 1e3));
        set_pattern(json, pattern_seconds(key->least, key->most));
        break;
    case SCHEMA_FLAG:
        set(json, "enum", json_pack("[b, b, s, s]", 1, 0, "true", "false"));
        break;
    case SCHEMA_CHOICE:
        set(json, "enum", word_list(key->words, key->word_count));
        break;
    case SCHEMA_RANGES:
        json_object_update_new(json, ranges_json(key));
        break;
    case SCHEMA_MAPPING:
        json_object_update_new(json, key->definition == NULL ? mapping_json(key->mapping)
                                                             : reference(key->definition));
        break;
    case SCHEMA_LIST:
        json_object_update_new(json,
                               json_pack("{s: s, s: o, s: i, s: I, s: b}", "type", "array", "items",
                                         reference(key->definition), "minItems", 1, "maxItems",
                                         (json_int_t)key->most, "uniqueItems", 1));
        break;
    case SCHEMA_CUSTOM:
        json_object_update_new(json, reference(key->definition));
    }
    return json;
}

static json_t *key_json(const struct schema_key *key)
{
    json_t *json = json_pack("{s: s}", "description", key->help);
    json_object_update_new(json, type_json(key));
    if (json_object_get(json, "pattern") != NULL) {
        char *expected = schema_expected(key);
        set(json, "patternErrorMessage", json_sprintf("expected %s", expected));
        free(expected);
    }
    return json;
}

static json_t *mapping_json(const struct schema *schema)
{
    json_t *properties = json_object();
    json_t *required = json_array();
    for (size_t i = 0; i < schema->count; i++) {
        set(properties, schema->keys[i].name, key_json(&schema->keys[i]));
        if (schema->keys[i].required)
            add(required, json_string(schema->keys[i].name));
    }
    return json_pack("{s: s, s: o, s: o, s: b}", "type", "object", "properties", properties,
                     "required", required, "additionalProperties", 0);
}

/* Boards and goals. That the tiles of a board are all there, no schema can say. */

/* Lines of cells and what may part them, comments behind #; lists of them, as deep as they are. */
static json_t *board_json(void)
{
#define PARTED "[ \\t\\r,;|\\[\\](){}]"
#define CELL   "(?:[0-9]+|-1|[_xX.])"
    static const char line[] =
        PARTED "*(?:(?:" CELL "(?:" PARTED "+" CELL ")*|[0-9_xX.]{9})" PARTED "*)?(?:#.*)?";
#undef PARTED
#undef CELL
    json_t *board = json_pack("{s: [s, s, s], s: i, s: o, s: i}", "type", "string", "integer",
                              "array", "minimum", -1, "items", reference("board"), "minItems", 1);
    set_pattern(board, heap_format("%s(?:\\n%s)*", line, line));
    set(board, "patternErrorMessage",
        json_string("expected cells such as 1 2 3 4 5 6 7 0 8: a tile's number, or 0, -1, _, x or "
                    ". for the blank"));
    return board;
}

static json_t *goal_json(void)
{
    return json_pack("{s: [{s: o}, o]}", "anyOf", "enum", word_list(goal_names, GOAL_NAMES),
                     reference("board"));
}

static json_t *size_json(void)
{
    json_t *size = json_pack("{s: s}", "type", "string");
    char *text = heap_text("");
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++) {
        const unsigned most = MAX_CELLS / width < MAX_SIDE ? MAX_CELLS / width : MAX_SIDE;
        char *height = pattern_number(MIN_SIDE, most);
        text = pattern_append(text, "%s0*%u[xX]%s", text[0] == '\0' ? "" : "|", width, height);
        free(height);
    }
    set_pattern(size, text);
    set(size, "patternErrorMessage",
        json_sprintf("expected columns x rows such as 3x3, both at least %d, at most %d cells",
                     MIN_SIDE, MAX_CELLS));
    return size;
}

/* Each of the letters, whatever the order, in capitals or not. */
static json_t *order_json(void)
{
    json_t *order = json_pack("{s: s}", "type", "string");
    char *text = heap_text("");
    for (unsigned i = 0; i < MOVES; i++)
        text = pattern_append(text, "(?=.*[%c%c])", move_letters[i], move_letters[i] + 'a' - 'A');
    set_pattern(order, pattern_append(text, ".{%d}", MOVES));
    set(order, "patternErrorMessage",
        json_string("expected the letters U, L, R and D in some order, such as ULRD"));
    return order;
}

/* Sets. */

/* The keys that a set of a kind has to have and those it may have. */
static json_t *kind_json(const struct set_kind *kind)
{
    json_t *keys = word_list(kind->needs, SET_KIND_WORDS);
    json_t *others = word_list(kind->may_have, SET_KIND_WORDS);
    json_array_extend(keys, others);
    json_decref(others);
    return json_pack("{s: o, s: {s: o}}", "required", word_list(kind->needs, SET_KIND_WORDS),
                     "propertyNames", "enum", keys);
}

static json_t *set_json(void)
{
    /* From the last `else` to the first `if`. */
    json_t *kinds = kind_json(&set_kinds[SET_METHODS]);
    for (unsigned i = SET_KINDS; i-- > 0;) {
        const struct set_kind *kind = &set_kinds[i];
        if (i == SET_METHODS)
            continue;
        json_t *has = json_pack("{s: [s]}", "required", kind->key);
        if (kind->method != NULL)
            set(has, "properties", json_pack("{s: {s: s}}", kind->key, "const", kind->method));
        kinds = json_pack("{s: o, s: o, s: o}", "if", has, "then", kind_json(kind), "else", kinds);
    }
    json_t *json = mapping_json(&set_schema);
    json_object_update_new(json, kinds);
    return json;
}

/* Solvers. */

static size_t option_count(const struct option_row *options)
{
    size_t count = 0;
    while (options[count].kind != OPTION_END)
        count++;
    return count;
}

static const struct option_row *find_option(const struct option_row *options, const char *name)
{
    while (options->kind != OPTION_END && strcmp(options->name, name) != 0)
        options++;
    return options->kind == OPTION_END ? NULL : options;
}

/* The values of an option as a pattern. */
static char *option_values(const struct option_row *option)
{
    switch (option->kind) {
    case OPTION_FLAG:
        return heap_text("true|false");
    case OPTION_NUMBER:
        return pattern_append(pattern_number((uint64_t)option->least, (uint64_t)option->most), "%s",
                              option->fallback == OPTION_UNSET ? "|none" : "");
    case OPTION_DECIMAL:
        return pattern_decimal((uint64_t)option->least / DECIMAL_ONE,
                               (uint64_t)option->most / DECIMAL_ONE);
    case OPTION_CHOICE: {
        char *text = heap_text("");
        for (unsigned i = 0; option->choices[i] != NULL; i++)
            text = pattern_append(text, "%s%s", i == 0 ? "" : "|", option->choices[i]);
        return text;
    }
    case OPTION_END:
        break;
    }
    return heap_text("");
}

/* A value of an option in the long form. */
static json_t *option_json(const struct option_row *option)
{
    json_t *json = json_object();
    if (option->kind == OPTION_FLAG) {
        set(json, "enum", json_pack("[b, b, s, s]", 1, 0, "true", "false"));
    } else if (option->kind == OPTION_CHOICE) {
        set(json, "enum", word_list(option->choices, MAX_CHOICES));
    } else {
        const bool decimal = option->kind == OPTION_DECIMAL;
        const uint64_t unit = decimal ? DECIMAL_ONE : 1;
        char *range = option_range(option);
        set(json, "type", json_pack("[s, s]", decimal ? "number" : "integer", "string"));
        set_range(json, (uint64_t)option->least / unit, (uint64_t)option->most / unit);
        set_pattern(json, option_values(option));
        set(json, "patternErrorMessage", json_sprintf("expected %s", range));
        free(range);
    }
    return json;
}

/* One of these options in the short form, as alternatives: "ties=(?:fifo|lifo)|..". */
static char *options_pattern(const struct option_row *options)
{
    char *text = heap_text("");
    for (; options->kind != OPTION_END; options++) {
        char *values = option_values(options);
        text = pattern_append(text,
                              options->kind == OPTION_FLAG ? "%s%s(?:" SPACE "=" SPACE "(?:%s))?"
                                                           : "%s%s" SPACE "=" SPACE "(?:%s)",
                              text[0] == '\0' ? "" : "|", options->name, values);
        free(values);
    }
    return text;
}

/* A heuristic as a word, with its argument if it takes one. */
static char *heuristic_pattern(const struct heuristic_kind *kind)
{
    if (!heuristic_takes_argument(kind))
        return heap_text(kind->name);
    char *argument = kind->extras->regex();
    char *text = heap_format("%s" SPACE ":" SPACE "(?:%s)", kind->name, argument);
    free(argument);
    return text;
}

/* The heuristics whose options are those of `kind`, as alternatives; NULL where an earlier one has
 * the same options. */
static char *heuristics_like(const struct heuristic_kind *kind, const char *options)
{
    char *text = heap_text("");
    for (unsigned i = 0; i < heuristic_count && text != NULL; i++) {
        const struct heuristic_kind *other = &heuristic_kinds[i];
        char *others = options_pattern(other->options);
        if (strcmp(options, others) == 0 && other < kind && text[0] == '\0') {
            free(text);
            text = NULL;
        } else if (strcmp(options, others) == 0) {
            char *word = heuristic_pattern(other);
            text = pattern_append(text, "%s%s", text[0] == '\0' ? "" : "|", word);
            free(word);
        }
        free(others);
    }
    return text;
}

/* What stands between the parentheses of an informed algorithm: its heuristic, behind it the
 * options of both; the algorithm's may also stand before it. */
static char *informed_pattern(const char *options)
{
    char *text = heap_text("");
    for (unsigned i = 0; i < heuristic_count; i++) {
        const struct heuristic_kind *kind = &heuristic_kinds[i];
        char *own = options_pattern(kind->options);
        char *names = heuristics_like(kind, own);
        if (names != NULL)
            text = pattern_append(text, "%s(?:%s)", text[0] == '\0' ? "" : "|", names);
        if (names != NULL && (own[0] != '\0' || options[0] != '\0'))
            text = pattern_append(text, "(?:" SPACE "," SPACE "(?:%s%s%s))*", own,
                                  own[0] == '\0' || options[0] == '\0' ? "" : "|", options);
        free(names);
        free(own);
    }
    return text;
}

/* An algorithm in the short form. */
static json_t *short_algorithm_json(const struct algorithm *algorithm)
{
    json_t *json = json_pack("{s: s}", "description", algorithm->summary);
    char *options = options_pattern(algorithm->options);
    char *informed = informed_pattern(options);
    char *text = heap_format(SPACE "%s" SPACE, algorithm->name);
    if (algorithm->informed) {
        text = pattern_append(text, "\\(" SPACE);
        if (options[0] != '\0')
            text = pattern_append(text, "(?:(?:%s)" SPACE "," SPACE ")*", options);
        text = pattern_append(text, "(?:%s)" SPACE "\\)" SPACE, informed);
    } else if (options[0] != '\0') {
        text = pattern_append(
            text, "(?:\\(" SPACE "(?:%s)(?:" SPACE "," SPACE "(?:%s))*" SPACE "\\)" SPACE ")?",
            options, options);
    }
    set_pattern(json, text);
    free(informed);
    free(options);
    return json;
}

static json_t *short_form_json(void)
{
    json_t *algorithms_json = json_array();
    for (unsigned i = 0; i < algorithm_count; i++)
        add(algorithms_json, short_algorithm_json(&algorithms[i]));
    /* No option twice. */
    return json_pack("{s: s, s: s, s: o, s: {s: s}}", "description",
                     "a solver such as astar(manhattan)", "type", "string", "anyOf",
                     algorithms_json, "not", "pattern", "[(,][ \\t]*(\\w+)\\b.*,[ \\t]*\\1\\b");
}

static json_t *algorithm_json(void)
{
    json_t *names = json_array();
    json_t *summaries = json_array();
    for (unsigned i = 0; i < algorithm_count; i++) {
        add(names, json_string(algorithms[i].name));
        add(summaries, json_string(algorithms[i].summary));
    }
    return one_or_list(json_pack("{s: o, s: o}", "enum", names, "enumDescriptions", summaries));
}

/* The groups of tiles of a pattern database: a name, or lists of tiles. */
static json_t *partition_json(void)
{
    json_t *word = json_pack("{s: [s, s]}", "type", "string", "integer");
    set_pattern(word, partition_pattern());
    json_t *group = json_pack("{s: s, s: {s: i, s: i}, s: i, s: i, s: b}", "type", "array", "items",
                              "minimum", 1, "maximum", MAX_CELLS - 1, "minItems", 1, "maxItems",
                              MAX_PATTERN, "uniqueItems", 1);
    return json_pack("{s: [o, {s: s, s: o, s: i}]}", "anyOf", word, "type", "array", "items", group,
                     "minItems", 1);
}

/* The settings of a heuristic that takes an argument, {NAME: settings}. */
static json_t *settings_json(const struct heuristic_kind *kind)
{
    json_t *word = json_pack("{s: s}", "type", "string");
    json_t *parts = NULL;
    set_pattern(word, kind->extras->regex());
    switch (kind->extras->made) {
    case MADE_OF_TEXT:
        set(word, "description", json_string(kind->summary));
        return word;
    case MADE_OF_PARTITION:
        parts = mapping_json(&database_schema);
        break;
    case MADE_OF_HEURISTICS:
        parts = json_pack("{s: s, s: o, s: i, s: b}", "type", "array", "items",
                          reference("one_heuristic"), "minItems", 2, "uniqueItems", 1);
        break;
    }
    return json_pack("{s: s, s: [o, o]}", "description", kind->summary, "anyOf", word, parts);
}

/* One heuristic: its name, NAME:ARGUMENT, or a mapping. */
static json_t *one_heuristic_json(void)
{
    json_t *names = json_array();
    json_t *summaries = json_array();
    json_t *settings = json_object();
    char *words = heap_text("");
    for (unsigned i = 0; i < heuristic_count; i++) {
        const struct heuristic_kind *kind = &heuristic_kinds[i];
        if (!heuristic_takes_argument(kind)) {
            add(names, json_string(kind->name));
            add(summaries, json_string(kind->summary));
            continue;
        }
        char *word = heuristic_pattern(kind);
        words = pattern_append(words, "%s%s", words[0] == '\0' ? "" : "|", word);
        free(word);
        set(settings, kind->name, settings_json(kind));
    }
    json_t *word = json_pack("{s: s}", "type", "string");
    set_pattern(word, words);
    return json_pack("{s: [{s: o, s: o}, o, {s: s, s: o, s: b, s: i, s: i}]}", "anyOf", "enum",
                     names, "enumDescriptions", summaries, word, "type", "object", "properties",
                     settings, "additionalProperties", 0, "minProperties", 1, "maxProperties", 1);
}

/* What a heuristic's option asks of a solver: a heuristic that has it. Heuristics that give one
 * option different values are told apart by the program alone. */
static void add_heuristic_option(const char *name, json_t *dependencies, json_t *properties)
{
    json_t *owners = json_array();
    json_t *values = json_array();
    for (unsigned i = 0; i < heuristic_count; i++) {
        const struct option_row *option = find_option(heuristic_kinds[i].options, name);
        if (option == NULL)
            continue;
        add(owners, json_string(heuristic_kinds[i].name));
        json_t *value = option_json(option);
        bool known = false;
        for (size_t j = 0; j < json_array_size(values); j++)
            known = known || json_equal(json_array_get(values, j), value);
        if (known)
            json_decref(value);
        else
            add(values, value);
    }
    set(dependencies, name,
        json_pack("{s: {s: o}}", "properties", "heuristic",
                  one_or_list(json_pack("{s: o}", "enum", owners))));
    json_t *value = json_array_size(values) == 1 ? json_incref(json_array_get(values, 0))
                                                 : json_pack("{s: O}", "anyOf", values);
    json_decref(values);
    set(properties, name, one_or_list(value));
}

/* What holds where an algorithm is that of a solver in the long form, or one of them. */
static json_t *long_algorithm_json(const struct algorithm *algorithm)
{
    json_t *keys = json_array();
    json_t *properties = json_object();
    json_t *dependencies = json_object();
    for (size_t i = 0; i < solver_schema.count; i++)
        if (algorithm->informed || strcmp(solver_schema.keys[i].name, "heuristic") != 0)
            add(keys, json_string(solver_schema.keys[i].name));
    for (size_t i = 0; i < option_count(algorithm->options); i++) {
        add(keys, json_string(algorithm->options[i].name));
        set(properties, algorithm->options[i].name,
            one_or_list(option_json(&algorithm->options[i])));
    }
    for (unsigned i = 0; i < heuristic_count && algorithm->informed; i++)
        for (const struct option_row *option = heuristic_kinds[i].options;
             option->kind != OPTION_END; option++) {
            if (json_object_get(properties, option->name) != NULL)
                continue;
            add(keys, json_string(option->name));
            add_heuristic_option(option->name, dependencies, properties);
        }
    json_t *then = json_pack("{s: {s: o}, s: o, s: o}", "propertyNames", "enum", keys, "properties",
                             properties, "dependencies", dependencies);
    if (algorithm->informed)
        set(then, "required", json_pack("[s]", "heuristic"));
    json_t *is_it = json_pack("{s: [{s: s}, {s: s, s: {s: s}}]}", "anyOf", "const", algorithm->name,
                              "type", "array", "contains", "const", algorithm->name);
    return json_pack("{s: {s: {s: o}, s: [s]}, s: o}", "if", "properties", "algorithm", is_it,
                     "required", "algorithm", "then", then);
}

/* Adds an option to the keys that there are, for editors. */
static void describe_options(json_t *properties, const struct option_row *options)
{
    for (; options->kind != OPTION_END; options++)
        if (json_object_get(properties, options->name) == NULL)
            set(properties, options->name, json_pack("{s: s}", "description", options->help));
}

static json_t *long_form_json(void)
{
    json_t *json = mapping_json(&solver_schema);
    json_t *properties = json_object_get(json, "properties");
    json_t *rules = json_array();
    for (unsigned i = 0; i < algorithm_count; i++) {
        describe_options(properties, algorithms[i].options);
        add(rules, long_algorithm_json(&algorithms[i]));
    }
    for (unsigned i = 0; i < heuristic_count; i++)
        describe_options(properties, heuristic_kinds[i].options);
    set(json, "allOf", rules);
    return json;
}

static json_t *solver_json(void)
{
    return json_pack("{s: {s: s}, s: o, s: o}", "if", "type", "object", "then",
                     reference("long_form"), "else", reference("short_form"));
}

char *experiment_schema(void)
{
    json_t *json = json_pack(
        "{s: s, s: s, s: s}", "$schema", "http://json-schema.org/draft-07/schema#", "title",
        "a tilelab experiment", "description", "Made by: tilelab check --schema");
    json_object_update_new(json, mapping_json(&file_schema));
    json_t *definitions = json_object();
    set(definitions, "set", set_json());
    set(definitions, "board", board_json());
    set(definitions, "goal", goal_json());
    set(definitions, "size", size_json());
    set(definitions, "solver", solver_json());
    set(definitions, "short_form", short_form_json());
    set(definitions, "long_form", long_form_json());
    set(definitions, "algorithm", algorithm_json());
    set(definitions, "heuristic", one_or_list(reference("one_heuristic")));
    set(definitions, "one_heuristic", one_heuristic_json());
    set(definitions, "partition", partition_json());
    set(definitions, "limits", mapping_json(&limits_schema));
    set(definitions, "order", order_json());
    set(json, "definitions", definitions);
    char *text = json_dumps(json, JSON_INDENT(2));
    if (text == NULL)
        heap_exhausted();
    json_decref(json);
    return text;
}
