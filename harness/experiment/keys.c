#include "harness/experiment/keys.h"
#include "base/named.h"
#include "harness/experiment/parts.h"

struct keys {
    struct experiment_key *rows;
    size_t count;
};

static void add_row(struct keys *keys, struct experiment_key row)
{
    *HEAP_ADD(keys->rows, keys->count) = row;
}

/* Appends `before` and a word; takes `text`. */
static char *add_word(char *text, const char *before, const char *word)
{
    heap_append(&text, "%s%s", before, word);
    return text;
}

/* The kinds of sets that need a key, and those that may have it. */
static char *kinds_text(const char *name)
{
    SCOPED char *needed = heap_text("");
    SCOPED char *allowed = heap_text("");
    for (unsigned i = 0; i < SET_KINDS; i++) {
        const struct set_kind *kind = &set_kinds[i];
        const char *word = kind->method == NULL ? kind->key : kind->method;
        if (schema_has_word(kind->needs, SET_KIND_WORDS, name))
            needed = add_word(needed, needed[0] == '\0' ? "required: " : ", ", word);
        else if (schema_has_word(kind->may_have, SET_KIND_WORDS, name))
            allowed = add_word(allowed, allowed[0] == '\0' ? "allowed: " : ", ", word);
    }
    return heap_format("%s%s%s", needed, needed[0] == '\0' || allowed[0] == '\0' ? "" : "; ",
                       allowed);
}

/* Adds the keys of a mapping, each after `prefix`, and those of the mappings in it. */
static void add_mapping(struct keys *keys, const char *prefix, const struct schema *schema)
{
    for (size_t i = 0; i < schema->count; i++) {
        const struct schema_key *key = &schema->keys[i];
        char *name = heap_format("%s%s", prefix, key->name);
        if (NAME_PLACE(keys->rows, keys->count, name, name) < keys->count) {
            /* a key of every solver */
            free(name);
            continue;
        }
        add_row(keys, (struct experiment_key){
                          .name = name,
                          .value = schema_expected(key),
                          .fallback = heap_text(key->required           ? "required"
                                                : key->fallback == NULL ? ""
                                                                        : key->fallback),
                          .belongs = schema == &set_schema        ? kinds_text(key->name)
                                     : schema == &external_schema ? heap_text("external")
                                                                  : heap_text(""),
                          .meaning = heap_text(key->help)});
        /* A solver's limits have the keys of the experiment's. */
        if (key->type == SCHEMA_MAPPING && schema == &file_schema) {
            SCOPED char *inner = heap_format("%s.", name);
            add_mapping(keys, inner, key->mapping);
        }
    }
}

static char *choices_listed(const char *const *choices)
{
    size_t count = 0;
    while (choices[count] != NULL)
        count++;
    return words_listed(choices, count);
}

/* Options that differ only in their owner share a row. */
static void add_options(struct keys *keys, size_t first, const struct option_row *option,
                        const char *owner)
{
    for (; option->kind != OPTION_END; option++) {
        struct experiment_key row = {
            .name = heap_format("solvers[].%s", option->name),
            .fallback = option_text(option, option->fallback),
            .meaning = heap_text(option->help),
        };
        if (option->kind == OPTION_FLAG)
            row.value = heap_text("true or false");
        else if (option->kind == OPTION_CHOICE)
            row.value = choices_listed(option->choices);
        else
            row.value = option_range(option);
        size_t i = first;
        while (i < keys->count && (strcmp(keys->rows[i].name, row.name) != 0 ||
                                   strcmp(keys->rows[i].value, row.value) != 0 ||
                                   strcmp(keys->rows[i].fallback, row.fallback) != 0 ||
                                   strcmp(keys->rows[i].meaning, row.meaning) != 0))
            i++;
        if (i == keys->count) {
            row.belongs = heap_text(owner);
            add_row(keys, row);
            continue;
        }
        keys->rows[i].belongs = add_word(keys->rows[i].belongs, ", ", owner);
        FREE(row.name, row.value, row.fallback, row.meaning);
    }
}

struct experiment_key *experiment_keys(size_t *count)
{
    struct keys keys = {0};
    add_mapping(&keys, "", &file_schema);
    add_mapping(&keys, "instances[].", &set_schema);
    add_mapping(&keys, "solvers[].", &solver_schema);
    add_mapping(&keys, "expect[].", &expect_schema);
    add_mapping(&keys, "solvers[].", &external_schema);
    for (unsigned i = 0; i < heuristic_count; i++) {
        const struct heuristic_kind *kind = &heuristic_kinds[i];
        if (!heuristic_takes_argument(kind) || kind->extras->made != MADE_OF_PARTITION)
            continue;
        SCOPED char *prefix = heap_format("solvers[].heuristic.%s.", kind->name);
        add_mapping(&keys, prefix, &database_schema);
    }
    add_mapping(&keys, "solvers[].heuristic.", program_heuristic_schema());
    const size_t first = keys.count;
    for (unsigned i = 0; i < algorithm_count; i++)
        add_options(&keys, first, algorithms[i].options, algorithms[i].name);
    for (unsigned i = 0; i < heuristic_count; i++)
        add_options(&keys, first, heuristic_kinds[i].options, heuristic_kinds[i].name);
    *count = keys.count;
    return keys.rows;
}
