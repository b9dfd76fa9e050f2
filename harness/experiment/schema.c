#include "harness/experiment/schema.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/experiment/units.h"
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>

/* A quantity in the largest unit that leaves it whole; the last unit is 1. */
static char *in_units(uint64_t value, const struct unit *units)
{
    while (units->worth > 1 && (value == 0 || value % units->worth != 0))
        units++;
    return heap_format("%" PRIu64 "%s", value / units->worth, units->name);
}

static char *range_in_units(const char *what, const struct schema_key *key,
                            const struct unit *units)
{
    SCOPED char *min = in_units(key->min, units);
    SCOPED char *max = in_units(key->max, units);
    return heap_format("%s, from %s to %s%s", what, min, max, key->or_none ? ", or none" : "");
}

static char *expected_keys(const struct schema *mapping)
{
    SCOPED const char **words = heap_take(mapping->count, sizeof *words);
    for (size_t i = 0; i < mapping->count; i++)
        words[i] = mapping->keys[i].name;
    SCOPED char *names = words_listed(words, mapping->count);
    return heap_format("a mapping with %s", names);
}

char *schema_expected(const struct schema_key *key)
{
    static const struct unit shown_bytes[] = {
        {"TiB", UINT64_C(1) << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}};
    static const struct unit shown_times[] = {{"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1}};
    switch (key->type) {
#define TYPE(name, expected, json)                                                                 \
    case SCHEMA_##name:                                                                            \
        return expected;
#include "harness/experiment/types.def"
#undef TYPE
    }
    return NULL;
}

/* Reports a value that is of the wrong kind, empty, or not one of those allowed. */
static void report_kind(const struct yaml_node *node, const char *name, const char *expected,
                        struct report *report)
{
    if (node->kind != YAML_TEXT)
        report_add(report, node->place, "a %s as the value of '%s'; expected %s",
                   node->kind == YAML_LIST ? "list" : "mapping", name, expected);
    else if (node->empty || node->text[0] == '\0')
        report_add(report, node->place, "'%s' has no value; expected %s", name, expected);
    else if (strchr(node->text, '\n') != NULL || strlen(node->text) > MAX_YAML_WORD)
        report_add(report, node->place, "a text of %zu bytes as the value of '%s'; expected %s",
                   strlen(node->text), name, expected);
    else
        report_add(report, node->place, "invalid value '%s' for '%s'; expected %s", node->text,
                   name, expected);
}

static bool is_word(const struct yaml_node *node)
{
    return node->kind == YAML_TEXT && !node->empty && node->text[0] != '\0' &&
           strlen(node->text) <= MAX_YAML_WORD && strchr(node->text, '\n') == NULL;
}

const char *schema_word(const struct yaml_node *node, const char *name, const char *expected,
                        struct report *report)
{
    if (is_word(node))
        return node->text;
    report_kind(node, name, expected, report);
    return NULL;
}

static void report_value(const struct yaml_node *node, const struct schema_key *key,
                         struct report *report)
{
    SCOPED char *expected = schema_expected(key);
    if (key->type == SCHEMA_CHOICE && node->kind == YAML_TEXT && !node->empty) {
        SCOPED char *meant = word_meant(node->text, key->words, key->word_count);
        heap_append(&expected, "%s", meant);
    }
    report_kind(node, key->name, expected, report);
}

static bool is_identifier(const char *text)
{
    if (!isalnum((unsigned char)text[0]))
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && strchr("-_.", *text) == NULL)
            return false;
    return true;
}

/* Reads `length` digits; false if there are none, or other characters among them. */
static bool parse_digits(const char *text, size_t length, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)text[i]) ||
            __builtin_mul_overflow(*number, UINT64_C(10), number) ||
            __builtin_add_overflow(*number, (uint64_t)(text[i] - '0'), number))
            return false;
    return length > 0;
}

static bool in_range(const struct schema_key *key, uint64_t number)
{
    return number >= key->min && number <= key->max;
}

/* "79" or "1-10". */
static bool parse_range(const char *text, const struct schema_key *key, struct schema_range *range)
{
    size_t first = strcspn(text, "-");
    size_t second = text[first] == '-' ? first + 1 : 0;
    range->step = 1;
    return parse_digits(text, first, &range->from) &&
           parse_digits(text + second, strlen(text + second), &range->to) &&
           in_range(key, range->from) && in_range(key, range->to) && range->from <= range->to;
}

void schema_steps(const struct schema_key *key, struct schema_key keys[SCHEMA_STEPS])
{
    const struct schema_key steps[SCHEMA_STEPS] = {
        {KEY("from", NUMBER, struct schema_range, from, "the first number"), .required = true,
         .min = key->min, .max = key->max},
        {KEY("to", NUMBER, struct schema_range, to, "the last number, if the steps meet it"),
         .required = true, .min = key->min, .max = key->max},
        {KEY("step", NUMBER, struct schema_range, step, "from each number to the next"), .min = 1,
         .max = key->max, .fallback = "1"},
    };
    memcpy(keys, steps, sizeof steps);
}

/* {from: 2, to: 30, step: 2} */
static bool read_steps(const struct yaml_node *node, const struct schema_key *key,
                       struct schema_range *range, struct report *report)
{
    struct schema_key keys[SCHEMA_STEPS];
    schema_steps(key, keys);
    const struct schema schema = {key->name, keys, SCHEMA_STEPS, false};
    schema_defaults(&schema, range);
    if (!schema_read(&schema, node, range, report))
        return false;
    if (range->from <= range->to)
        return true;
    return report_add(report, node->place,
                      "from %" PRIu64 " to %" PRIu64
                      " is an empty range; expected 'to' not to be less than 'from'",
                      range->from, range->to);
}

static bool read_ranges(const struct yaml_node *node, const struct schema_key *key,
                        struct schema_ranges *ranges, struct report *report)
{
    const bool list = node->kind == YAML_LIST;
    const size_t count = list ? node->count : 1;
    bool fine = count > 0;
    if (!fine)
        report_add(report, node->place, "an empty list as the value of '%s'; expected numbers",
                   key->name);
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *item = list ? node->items[i] : node;
        struct schema_range range = {.node = item};
        if (item->kind == YAML_MAPPING) {
            fine = read_steps(item, key, &range, report) && fine;
        } else if (item->kind != YAML_TEXT || !parse_range(item->text, key, &range)) {
            report_value(item, key, report);
            fine = false;
        }
        *HEAP_ADD(ranges->items, ranges->count) = range;
    }
    if (!fine) {
        free(ranges->items);
        *ranges = (struct schema_ranges){0};
    }
    return fine;
}

/* Stores a value that is one word; false if the key does not allow it. */
static bool read_word(const char *text, const struct schema_key *key, void *field)
{
    uint64_t number = 0;
    double seconds = 0;
    bool fine;
    switch (key->type) {
    case SCHEMA_LINE:
        *(const char **)field = text;
        return true;
    case SCHEMA_IDENTIFIER:
        *(const char **)field = text;
        return is_identifier(text);
    case SCHEMA_SECONDS:
        fine = key->or_none && strcmp(text, "none") == 0;
        fine = fine || (parse_seconds(text, &seconds) && seconds * 1e3 >= (double)key->min &&
                        seconds * 1e3 <= (double)key->max);
        if (fine)
            *(double *)field = seconds;
        return fine;
    case SCHEMA_FLAG:
        *(bool *)field = strcmp(text, "true") == 0;
        return *(bool *)field || strcmp(text, "false") == 0;
    case SCHEMA_CHOICE:
        number = WORD_PLACE(key->words, key->word_count, text);
        if (number < key->word_count)
            *(unsigned *)field = (unsigned)number;
        return number < key->word_count;
    case SCHEMA_COUNT:
        fine = key->or_none && strcmp(text, "none") == 0;
        fine = fine || (parse_count(text, &number) && in_range(key, number));
        break;
    case SCHEMA_BYTES:
        fine = parse_bytes(text, &number) && in_range(key, number);
        break;
    default:
        fine = parse_digits(text, strlen(text), &number) && in_range(key, number);
    }
    if (fine)
        *(uint64_t *)field = number;
    return fine;
}

void schema_defaults(const struct schema *schema, void *target)
{
    for (size_t i = 0; i < schema->count; i++) {
        const struct schema_key *key = &schema->keys[i];
        void *field = (char *)target + key->offset;
        if (key->type == SCHEMA_MAPPING)
            schema_defaults(key->mapping, field);
        if (key->type < SCHEMA_NUMBER || key->type > SCHEMA_CHOICE || key->fallback == NULL)
            continue;
        const bool fine = read_word(key->fallback, key, field);
        assert(fine);
        (void)fine;
    }
}

static void read_value(const struct schema_key *key, const struct yaml_node *node, void *target,
                       struct report *report)
{
    void *field = (char *)target + key->offset;
    const bool filled = node->kind != YAML_TEXT || (!node->empty && node->text[0] != '\0');
    bool fine = filled;
    switch (key->type) {
    case SCHEMA_TEXT:
        fine = filled && node->kind == YAML_TEXT;
        if (fine)
            *(const char **)field = node->text;
        break;
    case SCHEMA_RANGES:
        if (filled) {
            read_ranges(node, key, field, report);
            return;
        }
        break;
    case SCHEMA_MAPPING:
        if (node->kind == YAML_MAPPING) {
            schema_read(key->mapping, node, field, report);
            return;
        }
        fine = false;
        break;
    case SCHEMA_LIST:
        fine = node->kind == YAML_LIST;
        if (fine && node->count == 0) {
            report_add(report, node->place, "an empty list as the value of '%s'; expected %s",
                       key->name, key->expected);
            return;
        }
        if (fine)
            *(const struct yaml_node **)field = node;
        break;
    case SCHEMA_CUSTOM:
        fine = filled && key->read(node, field, report);
        break;
    default:
        fine = is_word(node) && read_word(node->text, key, field);
    }
    if (!fine)
        report_value(node, key, report);
}

static const struct schema_key *find_key(const struct schema *schema, const char *name)
{
    const size_t place = NAME_PLACE(schema->keys, schema->count, name, name);
    return place < schema->count ? &schema->keys[place] : NULL;
}

static void report_unknown_key(const struct schema *schema, const struct yaml_node *key,
                               struct report *report)
{
    SCOPED const char **words = heap_take(schema->count, sizeof *words);
    for (size_t i = 0; i < schema->count; i++)
        words[i] = schema->keys[i].name;
    report_unknown(report, key->place, "key", key->text, words, schema->count);
}

void schema_missing(const struct schema *schema, const char *name, const struct yaml_node *node,
                    struct report *report)
{
    SCOPED char *expected = schema_expected(find_key(schema, name));
    report_add(report, node->place, "the key '%s' is missing; expected %s", name, expected);
}

bool schema_read(const struct schema *schema, const struct yaml_node *node, void *target,
                 struct report *report)
{
    const size_t before = report->count;
    if (node->kind != YAML_MAPPING)
        return report_add(report, node->place, "a %s; expected %s, a mapping of keys and values",
                          node->kind == YAML_LIST ? "list" : "text", schema->what);
    for (size_t i = 0; i < schema->count; i++)
        if (schema->keys[i].required && yaml_key(node, schema->keys[i].name) == NULL)
            schema_missing(schema, schema->keys[i].name, node, report);
    for (size_t i = 0; i < node->count; i += 2) {
        const struct schema_key *key = find_key(schema, node->items[i]->text);
        if (key == NULL && !schema->open)
            report_unknown_key(schema, node->items[i], report);
        if (key != NULL)
            read_value(key, node->items[i + 1], target, report);
    }
    return report->count == before;
}

bool schema_keep_node(const struct yaml_node *node, void *field, struct report *report)
{
    (void)report;
    *(const struct yaml_node **)field = node;
    return true;
}

bool schema_keep_board(const struct yaml_node *node, void *field, struct report *report)
{
    return node->kind != YAML_MAPPING && schema_keep_node(node, field, report);
}

bool schema_has_word(const char *const *words, size_t most, const char *word)
{
    size_t i = 0;
    while (i < most && words[i] != NULL && strcmp(words[i], word) != 0)
        i++;
    return i < most && words[i] != NULL;
}
