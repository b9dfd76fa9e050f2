#include "harness/analysis/parameters.h"
#include "base/heap.h"
#include "harness/text/sorting.h"

#define SEED "seed"

/* The options of a solver as an object; a new reference. */
static json_t *options_of(const struct results *results, size_t solver)
{
    json_t *options = json_loads(results->options[solver], 0, NULL);
    if (json_is_object(options))
        return options;
    json_decref(options);
    return json_object();
}

/* Those of them that are parameters; borrowed, NULL: none. */
static json_t *parameters_in(json_t *options)
{
    return json_object_get(options, "command") == NULL ? options
                                                       : json_object_get(options, "params");
}

double parameter_of(const struct results *results, size_t solver, const char *parameter)
{
    json_auto_t *options = options_of(results, solver);
    const json_t *value = json_object_get(parameters_in(options), parameter);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

json_t *parameters_of(const struct results *results, size_t solver)
{
    json_auto_t *options = options_of(results, solver);
    json_t *numbers = json_object();
    const char *name;
    json_t *value;
    json_object_foreach(parameters_in(options), name, value)
    {
        if (json_is_number(value))
            json_object_set(numbers, name, value);
    }
    return numbers;
}

char *parameters_listed(const struct results *results)
{
    json_auto_t *all = json_object();
    char *text = NULL;
    const char *name;
    json_t *value;
    for (size_t i = 0; i < results->solvers.count; i++) {
        json_auto_t *own = parameters_of(results, i);
        json_object_update(all, own);
    }
    json_object_foreach(all, name, value)
    {
        heap_append(&text, "%s%s", text == NULL ? "" : ", ", name);
    }
    return text == NULL ? heap_text("none") : text;
}

/* Takes "NAME=VALUE" out of what stands in the last parentheses of a text, and these where nothing
 * else is in them. */
static void take_out(char *text, const char *name)
{
    const size_t length = strlen(name);
    for (char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        const bool first = at > text && at[-1] == '(';
        const bool later = at > text + 1 && at[-1] == ' ' && at[-2] == ',';
        if (at[length] != '=' || !(first || later))
            continue;
        char *begin = later ? at - 2 : at;
        char *end = at + strcspn(at, ",)");
        if (first && *end == ',')
            end += strspn(end, ", ");
        else if (first && *end == ')') {
            end++;
            begin -= begin - 1 > text && begin[-2] == ' ' ? 2 : 1;
        }
        memmove(begin, end, strlen(end) + 1);
        return;
    }
}

/* A text without the parameter and the seed; heap memory. */
static char *without(const char *text, const char *parameter)
{
    char *rest = heap_text(text);
    take_out(rest, parameter);
    take_out(rest, SEED);
    return rest;
}

/* What the solvers of a family have in common, and others have not; heap memory. */
static char *family_key(const struct results *results, size_t solver, const char *parameter)
{
    json_auto_t *options = options_of(results, solver);
    if (json_object_get(options, "command") == NULL)
        return without(results->solvers.text[solver], parameter);
    json_object_update(options, json_object_get(options, "written"));
    json_object_del(options, "written");
    json_object_del(options, "files");
    json_object_del(parameters_in(options), parameter);
    json_object_del(parameters_in(options), SEED);
    return json_written(options, JSON_COMPACT | JSON_SORT_KEYS);
}

ORDER_BY(by_value, struct member, BY(value), BY(solver));

/* The command of a program as it was written, and its other parameters: "./mine {w} {k}, k=2"; heap
 * memory, NULL: it is no program. */
static char *written_text(const struct results *results, size_t solver, const char *parameter)
{
    json_auto_t *options = options_of(results, solver);
    const json_t *words = json_object_get(json_object_get(options, "written"), "command");
    char *text = NULL;
    const char *name;
    json_t *value;
    for (size_t i = 0; i < json_array_size(words); i++)
        heap_append(&text, "%s%s", i == 0 ? "" : " ", json_string_value(json_array_get(words, i)));
    json_object_foreach(parameters_in(options), name, value)
    {
        SCOPED char *shown = json_dumps(value, JSON_ENCODE_ANY);
        if (text != NULL && strcmp(name, parameter) != 0 && strcmp(name, SEED) != 0)
            heap_append(&text, ", %s=%s", name, shown);
    }
    return text;
}

/* Names a family: by the labels of its solvers where these say the same. */
static void name_family(const struct results *results, const char *parameter, struct family *family)
{
    const struct member *members = family->members;
    const size_t first = members[0].solver;
    bool same = true;
    family->as = without(results->solvers.text[first], parameter);
    family->name = heap_format("%s, %s=..", family->as, parameter);
    family->shown = without(results->shown[first], parameter);
    for (size_t i = 1; i < family->count && same; i++) {
        SCOPED char *shown = without(results->shown[members[i].solver], parameter);
        same = strcmp(shown, family->shown) == 0;
    }
    if (same)
        return;
    char *written = written_text(results, first, parameter);
    free(family->shown);
    family->shown = written != NULL ? written : heap_text(family->as);
}

static void show_name(struct family *family)
{
    free(family->shown);
    family->shown = heap_text(family->name);
}

/* Families that would be shown by the same words are shown by their names. */
static void tell_apart(struct families *families)
{
    for (size_t i = 0; i < families->count; i++) {
        bool twice = false;
        for (size_t j = i + 1; j < families->count; j++)
            if (strcmp(families->items[j].shown, families->items[i].shown) == 0) {
                show_name(&families->items[j]);
                twice = true;
            }
        if (twice)
            show_name(&families->items[i]);
    }
}

struct families families_of(const struct results *results, const char *parameter)
{
    struct families families = {0};
    SCOPED_BY(names_end) struct names keys = {0};
    for (size_t i = 0; i < results->solvers.count; i++) {
        const double value = parameter_of(results, i, parameter);
        if (isnan(value))
            continue;
        SCOPED char *key = family_key(results, i, parameter);
        const size_t number = names_add(&keys, key);
        if (number == families.count)
            *HEAP_ADD(families.items, families.count) = (struct family){0};
        struct family *family = &families.items[number];
        *HEAP_ADD(family->members, family->count) = (struct member){i, value};
    }
    for (size_t i = 0; i < families.count; i++) {
        struct family *family = &families.items[i];
        qsort(family->members, family->count, sizeof *family->members, by_value);
        name_family(results, parameter, family);
    }
    tell_apart(&families);
    return families;
}

void families_end(struct families *families)
{
    for (size_t i = 0; i < families->count; i++) {
        FREE(families->items[i].name, families->items[i].shown, families->items[i].as,
             families->items[i].members);
    }
    free(families->items);
    *families = (struct families){0};
}
