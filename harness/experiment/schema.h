/* What a mapping of a YAML file may hold, as tables, and one reader for all of them.
 *
 * A table gives each key's name, type and range, its default, whether it is required, where its
 * value goes (an offset into the caller's structure) and what it means. The reader, its messages,
 * the JSON Schema (json_schema.c) and the list of keys (keys.h) follow from the tables.
 *
 * Each problem is reported at its own place, and reading goes on, so that one call reports them
 * all. Texts and nodes belong to the YAML tree and live as long as it does. */
#pragma once

#include "harness/experiment/yaml.h"
#include <stdint.h>

enum schema_type {
#define TYPE(name, expected, json) SCHEMA_##name,
#include "harness/experiment/types.def"
#undef TYPE
};

/* from, from + step, .. up to `to`. */
struct schema_range {
    uint64_t from, to, step;
    const struct yaml_node *node;
};

struct schema_ranges {
    struct schema_range *items; /* owned; free() */
    size_t count;
};

struct schema;

struct schema_key {
    const char *name;
    const char *help;
    enum schema_type type;
    bool required;
    bool or_none; /* COUNT: the word `none` is allowed, and stored as 0 */
    size_t offset;
    /* What holds if the key is missing, as it would be written; NULL: nothing. */
    const char *fallback;
    uint64_t min, max;            /* NUMBER, COUNT, BYTES, SECONDS, and the numbers in RANGES */
    const char *const *words;     /* CHOICE */
    size_t word_count;            /* CHOICE */
    const struct schema *mapping; /* MAPPING */
    const char *expected;         /* CUSTOM, LIST: what the value should be, for messages */
    const char *definition;       /* in the JSON Schema: CUSTOM's value, LIST's item, or NULL */
    /* CUSTOM: stores the value of a node that is not empty; false if it is not what was expected.
     * It may instead report its own problems and return true. */
    bool (*read)(const struct yaml_node *node, void *field, struct report *report);
};

/* The inside of a row; what else it has follows: {KEY("warmup", NUMBER, struct file, warmup, "runs
 * that each worker makes first"), .max = 1000}. */
#define KEY(name_, type_, structure, member, help_)                                                \
    .name = (name_), .help = (help_), .type = SCHEMA_##type_, .offset = offsetof(structure, member)

struct schema {
    const char *what; /* what the mapping is, for messages: "a set" */
    const struct schema_key *keys;
    size_t count;
    bool open; /* other keys are allowed; the caller reads them */
};

/* The keys of {from: 2, to: 30, step: 2} as a value of `key`; the target is a struct schema_range.
 */
enum { SCHEMA_STEPS = 3 };
void schema_steps(const struct schema_key *key, struct schema_key keys[SCHEMA_STEPS]);

/* Stores the fallbacks of numbers, quantities, flags and choices, also in the mappings within;
 * other fallbacks are only shown to people, and the caller applies them. */
void schema_defaults(const struct schema *schema, void *target);

/* Reads a mapping into `target`, whose fields hold their defaults. True if there was no problem. */
bool schema_read(const struct schema *schema, const struct yaml_node *node, void *target,
                 struct report *report);

/* The text of a node that must be one word: not empty, on one line, of at most MAX_YAML_WORD bytes.
 * NULL, with a problem, if it is not; `name` and `expected` are for the message. */
const char *schema_word(const struct yaml_node *node, const char *name, const char *expected,
                        struct report *report);

/* For keys of type CUSTOM whose value the caller reads: stores the node (const struct yaml_node *),
 * of any kind, or a text or a list alone, such as a board, which is read once the shape is known.
 */
bool schema_keep_node(const struct yaml_node *node, void *field, struct report *report);
bool schema_keep_board(const struct yaml_node *node, void *field, struct report *report);

/* Whether a word is among others, `most` at most, which end with NULL if there are fewer. */
bool schema_has_word(const char *const *words, size_t most, const char *word);

/* Reports that a key of `schema` is not in `node`. */
void schema_missing(const struct schema *schema, const char *key, const struct yaml_node *node,
                    struct report *report);

/* What a key's value should be, in words; heap memory, free(). */
char *schema_expected(const struct schema_key *key);
