/* A YAML file as a tree whose nodes know their places.
 *
 * The text is parsed by libyaml, event by event, so that every limit holds before memory is spent:
 * MAX_YAML_BYTES of text, MAX_YAML_DEPTH levels, MAX_YAML_NODES nodes with every alias counted in
 * full. Keys are single words, each once in its mapping. An alias is the node that it refers to; a
 * node is never part of itself. Texts hold no control characters but tab and line feed. */
#pragma once

#include "base/report.h"

enum { MAX_YAML_BYTES = 1 << 20, MAX_YAML_DEPTH = 20, MAX_YAML_NODES = 1000000 };

/* No word (a key, a name, a number) is longer; descriptions and boards may be. */
enum { MAX_YAML_WORD = 255 };

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAPPING };

struct yaml_node {
    enum yaml_kind kind;
    struct text_place place;  /* where it begins, from 1, columns in bytes */
    bool empty;               /* YAML_TEXT: nothing, ~ or null, not in quotes */
    char *text;               /* YAML_TEXT */
    struct yaml_node **items; /* YAML_LIST: the items; YAML_MAPPING: key, value, key, value, .. */
    size_t count;             /* of items */
    const char *source;       /* the text of the file that it was read from */
    size_t source_length;
    size_t size; /* nodes in it, itself included */
};

struct yaml {
    struct yaml_node *root;
    struct yaml_node **nodes; /* owned; all of them */
    size_t count;
};

/* Parses `length` bytes, ended by a zero byte, which must outlive the tree. False, with a problem
 * in the report, if they cannot be read to the end; nothing need be freed then. Repeated keys are
 * reported too, but the tree is whole: it holds the first of them. */
bool yaml_load(const char *text, size_t length, struct report *report, struct yaml *yaml);

void yaml_end(struct yaml *yaml);

/* To change a tree. Nodes belong to the tree; an alias's node may stand in several places, so copy
 * it before its items are changed.
 *
 * yaml_add parses one more text, which must outlive the tree, and places its nodes in line `line`
 * from `column` on; NULL with a problem there, also if the text holds no value. yaml_copy copies a
 * node but not its items; NULL gives an empty mapping. yaml_place returns the index of the item
 * that is the value of `key`; a key that is missing is added with an empty text. */
struct yaml_node *yaml_add(struct yaml *yaml, const char *text, struct text_place place,
                           struct report *report);
struct yaml_node *yaml_copy(struct yaml *yaml, const struct yaml_node *node);
size_t yaml_place(struct yaml *yaml, struct yaml_node *mapping, const char *key,
                  struct text_place place);

/* The key of a mapping, or its value; NULL if it is not there. */
const struct yaml_node *yaml_key(const struct yaml_node *mapping, const char *key);
const struct yaml_node *yaml_value(const struct yaml_node *mapping, const char *key);

/* A node that holds boards, as text for puzzle/text.h: the file's own text, with YAML's own marks
 * (quotes, anchors, dashes of lists) replaced by spaces, so that places stay right. Semicolons
 * separate the rows of a list, [1 2 3, 4 5 6]. Heap memory, free(). */
char *yaml_boards(const struct yaml_node *node);
