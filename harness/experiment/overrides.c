#include "harness/experiment/overrides.h"
#include "base/heap.h"
#include <ctype.h>
#include <stdint.h>

/* The length of the key in KEY=VALUE; 0 if there is none. */
static size_t key_length(const char *text)
{
    const size_t length = strcspn(text, "=");
    return text[length] == '=' ? length : 0;
}

bool overrides_add(struct overrides *overrides, const char *text)
{
    if (key_length(text) == 0)
        return false;
    *HEAP_ADD(overrides->texts, overrides->count) = text;
    return true;
}

/* One step of a key: a name, or the number of an item. */
struct step {
    char *name; /* heap memory */
    size_t column;
};

/* The item of a list that a step names, or SIZE_MAX with a problem. */
static size_t item_of(const struct yaml_node *list, const struct step *step, size_t line,
                      struct report *report)
{
    char *end;
    const unsigned long number = strtoul(step->name, &end, 10);
    if (isdigit((unsigned char)step->name[0]) && *end == '\0' && number >= 1 &&
        number <= list->count)
        return number - 1;
    report_add(report, (struct text_place){line, step->column},
               "this list has no item '%s'; expected a number from 1 to %zu", step->name,
               list->count);
    return SIZE_MAX;
}

/* The node at the end of the steps becomes `value`. Nodes on the way are copied, since an alias may
 * refer to the same node elsewhere. Returns the copy of `node`, or NULL with a problem. */
static struct yaml_node *put(struct yaml *yaml, const struct yaml_node *node,
                             const struct step *steps, size_t count, struct yaml_node *value,
                             struct report *report)
{
    if (count == 0)
        return value;
    if (node->kind == YAML_TEXT && !node->empty) {
        report_add(report, (struct text_place){value->place.line, steps[0].column},
                   "'%s' has no place: the key before it holds a single value", steps[0].name);
        return NULL;
    }
    struct yaml_node *copy = yaml_copy(yaml, node->kind == YAML_TEXT ? NULL : node);
    size_t at;
    if (node->kind == YAML_LIST) {
        at = item_of(node, &steps[0], value->place.line, report);
        if (at == SIZE_MAX)
            return NULL;
    } else {
        if (node->kind == YAML_TEXT) { /* a key without a value becomes a mapping */
            copy->place = (struct text_place){value->place.line, steps[0].column};
        }
        at = yaml_place(yaml, copy, steps[0].name,
                        (struct text_place){value->place.line, steps[0].column});
    }
    struct yaml_node *below = put(yaml, copy->items[at], steps + 1, count - 1, value, report);
    if (below == NULL)
        return NULL;
    copy->items[at] = below;
    return copy;
}

/* Puts `value` where the first `length` bytes of `key` say; they stand in column `column`. */
static void replace(struct yaml *yaml, const char *key, size_t length, size_t column,
                    struct yaml_node *value, struct report *report)
{
    enum { MAX_STEPS = MAX_YAML_DEPTH };
    struct step steps[MAX_STEPS];
    size_t count = 0;
    bool fine = true;
    for (size_t at = 0; at <= length && fine;) {
        size_t part = strcspn(key + at, ".");
        part = at + part > length ? length - at : part;
        fine = part > 0 && count < MAX_STEPS;
        if (!fine)
            report_add(report, (struct text_place){value->place.line, column + at},
                       "%s; expected keys with dots between, as in limits.time",
                       part == 0 ? "a key is missing here" : "too many keys");
        else
            steps[count++] = (struct step){heap_format("%.*s", (int)part, key + at), column + at};
        at += part + 1;
    }
    struct yaml_node *root = fine ? put(yaml, yaml->root, steps, count, value, report) : NULL;
    if (root != NULL)
        yaml->root = root;
    for (size_t i = 0; i < count; i++)
        free(steps[i].name);
}

/* Applies what the file has under `quick`. */
static void make_quick(struct yaml *yaml, struct report *report)
{
    const struct yaml_node *quick =
        yaml->root->kind == YAML_MAPPING ? yaml_value(yaml->root, "quick") : NULL;
    if (quick == NULL || quick->kind != YAML_MAPPING)
        report_add(report, NO_PLACE,
                   "no quick variant (--quick); expected the key 'quick', a mapping such as "
                   "{instances.1.count: 10}");
    for (size_t i = 0; quick != NULL && quick->kind == YAML_MAPPING && i < quick->count; i += 2) {
        const struct yaml_node *key = quick->items[i];
        replace(yaml, key->text, strlen(key->text), key->place.column, quick->items[i + 1], report);
    }
}

void overrides_apply(const struct overrides *overrides, struct yaml *yaml, struct report *report)
{
    if (overrides->quick)
        make_quick(yaml, report);
    for (size_t i = 0; i < overrides->count; i++) {
        const char *text = overrides->texts[i];
        const size_t key = key_length(text);
        struct yaml_node *value = yaml_add(
            yaml, text + key + 1, (struct text_place){OVERRIDE_LINES + i, key + 2}, report);
        if (value != NULL)
            replace(yaml, text, key, 1, value, report);
    }
}

void overrides_end(struct overrides *overrides)
{
    free(overrides->texts);
    *overrides = (struct overrides){0};
}
