#include "harness/experiment/yaml.h"
#include "base/heap.h"
#include "harness/text/sorting.h"
#include <yaml.h>

enum { MAX_ANCHORS = 1000 };

struct anchor {
    char *name;
    struct yaml_node *node;
};

/* A place in the text. libyaml counts characters and has more line ends than editors have: a
 * position follows its count, yaml_mark_t.index, and counts bytes and line feeds on the way. */
struct position {
    size_t character, byte; /* from 0 */
    struct text_place place;
};

static const struct position text_start = {0, 0, {1, 1}};

struct loading {
    struct yaml *yaml;
    struct report *report;
    const char *text; /* ended by a zero byte */
    size_t length;
    struct position position;               /* of the last mark asked for */
    struct yaml_node *open[MAX_YAML_DEPTH]; /* the collections being read, the outermost first */
    size_t depth;
    struct anchor *anchors; /* the newest last */
    size_t anchor_count;
    size_t documents;
};

static bool continues_character(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Advances a position to a byte. */
static void go_to_byte(const char *text, struct position *position, size_t byte)
{
    while (position->byte < byte) {
        const bool line_ends = text[position->byte++] == '\n';
        position->place.line += line_ends;
        position->place.column = line_ends ? 1 : position->place.column + 1;
        position->character += !continues_character(text[position->byte]);
    }
}

/* The position of a mark. Marks come in the order of the text, except those of syntax errors. */
static struct position position_of(struct loading *loading, yaml_mark_t mark)
{
    struct position *position = &loading->position;
    if (mark.index < position->character)
        *position = text_start;
    while (position->character < mark.index && position->byte < loading->length)
        go_to_byte(loading->text, position, position->byte + 1);
    return *position;
}

static bool report_at(struct loading *loading, yaml_mark_t mark, const char *text)
{
    const struct position position = position_of(loading, mark);
    return report_add(loading->report, position.place, "%s", text);
}

/* Reports bytes that libyaml does not accept as characters. */
static void report_bytes(struct loading *loading, const yaml_parser_t *parser)
{
    struct position position = text_start;
    size_t byte = parser->problem_offset;
    /* The character that this byte interrupts begins before it. */
    if (strcmp(parser->problem, "invalid trailing UTF-8 octet") == 0)
        do
            byte--;
        while (continues_character(loading->text[byte]));
    go_to_byte(loading->text, &position, byte);
    if (strcmp(parser->problem, "control characters are not allowed") != 0)
        report_add(loading->report, position.place,
                   "the byte 0x%02X is not UTF-8; expected a text file saved as UTF-8",
                   (unsigned char)loading->text[byte]);
    else if (parser->problem_value == 0)
        report_add(loading->report, position.place,
                   "a zero byte; expected a text file in UTF-8 (save a file in UTF-16 as UTF-8)");
    else
        report_add(loading->report, position.place,
                   "the control character 0x%02X; expected plain text",
                   (unsigned)parser->problem_value);
}

/* Reports what libyaml could not read, in words for people who do not know libyaml. */
static void report_syntax(struct loading *loading, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        heap_exhausted();
    if (parser->error == YAML_READER_ERROR) {
        report_bytes(loading, parser);
        return;
    }
    const struct position position = position_of(loading, parser->problem_mark);
    const char found = loading->text[position.byte];
    const bool bad_start =
        strcmp(parser->problem, "found character that cannot start any token") == 0;
    if (bad_start && found == '\t') {
        report_add(loading->report, position.place, "a tab indents this line; expected spaces");
    } else if (bad_start && found > ' ' && found <= '~') {
        report_add(loading->report, position.place,
                   "'%c' cannot begin a value; expected it in quotes", found);
    } else if (parser->context != NULL && parser->context_mark.line != parser->problem_mark.line) {
        const struct position from = position_of(loading, parser->context_mark);
        report_add(loading->report, position.place,
                   "not YAML: %s, %s that begins at line %zu, column %zu", parser->problem,
                   parser->context, from.place.line, from.place.column);
    } else {
        report_add(loading->report, position.place, "not YAML: %s%s%s", parser->problem,
                   parser->context == NULL ? "" : ", ",
                   parser->context == NULL ? "" : parser->context);
    }
}

/* The characters of an anchor's name in libyaml: &a?b is a node ?b. */
static const char anchor_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/* The bytes of a line break at `text`, of those that libyaml knows: also NEL, LS and PS. 0: none.
 */
static size_t break_length(const char *text)
{
    static const char *const breaks[] = {"\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++)
        if (strncmp(text, breaks[i], strlen(breaks[i])) == 0)
            return strlen(breaks[i]);
    return 0;
}

/* The first byte from `byte` on that is neither a blank nor a line break. */
static size_t skip_blanks(const char *text, size_t byte)
{
    for (size_t length = 1; length > 0; byte += length)
        length = text[byte] == ' ' || text[byte] == '\t' ? 1 : break_length(text + byte);
    return byte;
}

static void keep_node(struct yaml *yaml, struct yaml_node *node)
{
    *HEAP_ADD(yaml->nodes, yaml->count) = node;
}

static struct yaml_node *new_node(struct loading *loading, enum yaml_kind kind,
                                  const yaml_event_t *event)
{
    struct yaml_node *node = heap_take(1, sizeof *node);
    struct position position = position_of(loading, event->start_mark);
    const size_t end = position_of(loading, event->end_mark).byte;
    const char *text = loading->text;
    size_t byte = position.byte;
    /* An anchor before the node is not part of it. */
    if (byte < end && text[byte] == '&') {
        byte += 1 + strspn(text + byte + 1, anchor_letters);
        byte = skip_blanks(text, byte);
        while (text[byte] == '#') { /* comments, for a block below them */
            while (text[byte] != '\0' && break_length(text + byte) == 0)
                byte++;
            byte = skip_blanks(text, byte);
        }
        byte = byte < end ? byte : end; /* nothing after the anchor */
    }
    go_to_byte(text, &position, byte);
    *node = (struct yaml_node){.kind = kind,
                               .place = position.place,
                               .source = text + byte,
                               .source_length = end > byte ? end - byte : 0,
                               .size = 1};
    keep_node(loading->yaml, node);
    return node;
}

/* Puts a node into the collection that is open. False with a problem. */
static bool place_node(struct loading *loading, struct yaml_node *node, const yaml_event_t *event)
{
    if (loading->depth == 0) {
        loading->yaml->root = node;
        return true;
    }
    struct yaml_node *parent = loading->open[loading->depth - 1];
    if (parent->kind == YAML_MAPPING && parent->count % 2 == 0) {
        if (node->kind != YAML_TEXT)
            return report_at(loading, event->start_mark,
                             "a list or mapping as a key; expected a word");
        if (strlen(node->text) > MAX_YAML_WORD || strchr(node->text, '\n') != NULL)
            return report_at(loading, event->start_mark,
                             "a key of more than 255 bytes or one line; expected a word");
    }
    *HEAP_ADD(parent->items, parent->count) = node;
    return true;
}

static bool add_anchor(struct loading *loading, const yaml_char_t *name, struct yaml_node *node,
                       const yaml_event_t *event)
{
    if (name == NULL)
        return true;
    if (loading->anchor_count == MAX_ANCHORS)
        return report_at(loading, event->start_mark, "more than 1000 anchors; expected fewer");
    *HEAP_ADD(loading->anchors, loading->anchor_count) =
        (struct anchor){heap_text((const char *)name), node};
    return true;
}

static bool read_alias(struct loading *loading, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    struct yaml_node *node = NULL;
    for (size_t i = loading->anchor_count; i-- > 0 && node == NULL;)
        if (strcmp(loading->anchors[i].name, name) == 0)
            node = loading->anchors[i].node;
    if (node == NULL)
        return report_at(loading, event->start_mark,
                         "an alias without an anchor; expected the anchor above it");
    for (size_t i = 0; i < loading->depth; i++)
        if (loading->open[i] == node)
            return report_at(
                loading, event->start_mark,
                "an alias within its own anchor; expected an alias of a value that ends above it");
    return place_node(loading, node, event);
}

static bool read_text(struct loading *loading, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    struct yaml_node *node = new_node(loading, YAML_TEXT, event);
    node->text = heap_text(text);
    node->empty = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                  (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
    /* They come from escapes in quotes: libyaml refuses all others. */
    for (size_t i = 0; i < event->data.scalar.length; i++)
        if (((unsigned char)text[i] < 0x20 && text[i] != '\t' && text[i] != '\n') ||
            text[i] == 0x7F)
            return report_at(loading, event->start_mark,
                             "a control character in this text; expected plain text");
    return add_anchor(loading, event->data.scalar.anchor, node, event) &&
           place_node(loading, node, event);
}

static bool open_collection(struct loading *loading, enum yaml_kind kind, const yaml_char_t *anchor,
                            const yaml_event_t *event)
{
    struct yaml_node *node = new_node(loading, kind, event);
    if (loading->depth == MAX_YAML_DEPTH)
        return report_at(loading, event->start_mark,
                         "lists and mappings nested more than 20 deep; expected fewer levels");
    if (!place_node(loading, node, event) || !add_anchor(loading, anchor, node, event))
        return false;
    loading->open[loading->depth++] = node;
    return true;
}

struct key {
    const struct yaml_node *node;
    size_t index;
};

ORDER_BY(by_key, struct key, strcmp(x->node->text, y->node->text), BY(index));

/* Reports keys that are repeated, and removes all but the first of each. */
static void check_keys(struct loading *loading, struct yaml_node *mapping)
{
    size_t count = mapping->count / 2;
    SCOPED struct key *keys = heap_take(count, sizeof *keys);
    SCOPED bool *repeated = heap_take(count, sizeof *repeated);
    for (size_t i = 0; i < count; i++)
        keys[i] = (struct key){mapping->items[2 * i], i};
    qsort(keys, count, sizeof *keys, by_key);
    for (size_t i = 1, first = 0; i < count; i++) {
        const struct yaml_node *key = keys[i].node;
        repeated[keys[i].index] = strcmp(key->text, keys[first].node->text) == 0;
        if (repeated[keys[i].index])
            report_add(loading->report, key->place,
                       "key '%s' a second time; the first is at line %zu, column %zu", key->text,
                       keys[first].node->place.line, keys[first].node->place.column);
        else
            first = i;
    }
    mapping->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (repeated[i])
            continue;
        mapping->items[mapping->count++] = mapping->items[2 * i];
        mapping->items[mapping->count++] = mapping->items[2 * i + 1];
    }
}

static bool close_collection(struct loading *loading, const yaml_event_t *event)
{
    struct yaml_node *node = loading->open[--loading->depth];
    const char *end = loading->text + position_of(loading, event->end_mark).byte;
    node->source_length = end > node->source ? (size_t)(end - node->source) : 0;
    for (size_t i = 0; i < node->count; i++) {
        node->size += node->items[i]->size;
        if (node->size > MAX_YAML_NODES)
            return report_add(loading->report, node->place,
                              "more than %d values once aliases are expanded; expected fewer",
                              MAX_YAML_NODES);
    }
    if (node->kind == YAML_MAPPING)
        check_keys(loading, node);
    return true;
}

static bool check_tag(struct loading *loading, const yaml_char_t *tag, const yaml_event_t *event)
{
    if (tag == NULL)
        return true;
    return report_at(loading, event->start_mark,
                     "a tag (a word that begins with '!'); expected none, or the value in quotes");
}

/* Handles one event; false if reading cannot continue. */
static bool take_event(struct loading *loading, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (loading->documents++ == 0)
            return true;
        return report_at(loading, event->start_mark,
                         "a second document begins here; expected one experiment in a file");
    case YAML_ALIAS_EVENT:
        return read_alias(loading, event);
    case YAML_SCALAR_EVENT:
        return check_tag(loading, event->data.scalar.tag, event) && read_text(loading, event);
    case YAML_SEQUENCE_START_EVENT:
        return check_tag(loading, event->data.sequence_start.tag, event) &&
               open_collection(loading, YAML_LIST, event->data.sequence_start.anchor, event);
    case YAML_MAPPING_START_EVENT:
        return check_tag(loading, event->data.mapping_start.tag, event) &&
               open_collection(loading, YAML_MAPPING, event->data.mapping_start.anchor, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_collection(loading, event);
    default:
        return true;
    }
}

/* Whether the whole text could be read. */
static bool read_events(struct loading *loading)
{
    yaml_parser_t parser;
    bool whole = false;
    if (yaml_parser_initialize(&parser) == 0)
        heap_exhausted();
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)loading->text, loading->length);
    for (bool more = true; more;) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) {
            report_syntax(loading, &parser);
            break;
        }
        whole = event.type == YAML_STREAM_END_EVENT;
        more = take_event(loading, &event) && !whole;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return whole;
}

/* Parses a text, which may turn out to hold no value. */
static bool parse(const char *text, size_t length, struct report *report, struct yaml *yaml)
{
    *yaml = (struct yaml){0};
    if (length > MAX_YAML_BYTES)
        return report_add(
            report, NO_PLACE,
            "a file of more than 1 MiB; expected a smaller one, with boards in files of their own");
    if (length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return report_add(report, NO_PLACE, "a text file in UTF-16; expected it saved as UTF-8");
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* a byte-order mark */
        text += 3;
        length -= 3;
    }
    struct loading loading = {
        .yaml = yaml, .report = report, .text = text, .length = length, .position = text_start};
    const bool whole = read_events(&loading);
    for (size_t i = 0; i < loading.anchor_count; i++)
        free(loading.anchors[i].name);
    free(loading.anchors);
    if (!whole)
        yaml_end(yaml);
    return whole;
}

static bool is_empty(const struct yaml *yaml)
{
    return yaml->root == NULL || (yaml->root->kind == YAML_TEXT && yaml->root->empty);
}

bool yaml_load(const char *text, size_t length, struct report *report, struct yaml *yaml)
{
    if (!parse(text, length, report, yaml))
        return false;
    if (!is_empty(yaml))
        return true;
    report_add(report, NO_PLACE, "the file is empty; expected an experiment");
    yaml_end(yaml);
    return false;
}

void yaml_end(struct yaml *yaml)
{
    for (size_t i = 0; i < yaml->count; i++)
        FREE(yaml->nodes[i]->text, yaml->nodes[i]->items, yaml->nodes[i]);
    free(yaml->nodes);
    *yaml = (struct yaml){0};
}

struct yaml_node *yaml_add(struct yaml *yaml, const char *text, struct text_place place,
                           struct report *report)
{
    struct yaml added;
    struct report problem = {.file = ""};
    const bool whole = parse(text, strlen(text), &problem, &added);
    if (whole && is_empty(&added))
        report_add(&problem, NO_PLACE, "no value; expected one, as in limits.time=5s");
    if (problem.count > 0) {
        /* ":1:5: what is wrong", or ": what is wrong" */
        const char *what = strstr(problem.text, ": ") + 2;
        report_add(report, place, "%.*s", (int)strcspn(what, "\n"), what);
        report_end(&problem);
        if (whole)
            yaml_end(&added);
        return NULL;
    }
    for (size_t i = 0; i < added.count; i++) {
        struct text_place *own = &added.nodes[i]->place;
        *own =
            (struct text_place){place.line, own->column + (own->line == 1 ? place.column - 1 : 0)};
        keep_node(yaml, added.nodes[i]);
    }
    free(added.nodes);
    return added.root;
}

struct yaml_node *yaml_copy(struct yaml *yaml, const struct yaml_node *node)
{
    struct yaml_node *copy = heap_take(1, sizeof *copy);
    *copy = (struct yaml_node){.kind = YAML_MAPPING, .size = 1, .source = ""};
    if (node != NULL) {
        *copy = *node;
        copy->items = heap_take(node->count, sizeof *copy->items);
        for (size_t i = 0; i < node->count; i++)
            copy->items[i] = node->items[i];
    }
    keep_node(yaml, copy);
    return copy;
}

static struct yaml_node *add_text(struct yaml *yaml, const char *text, struct text_place place)
{
    struct yaml_node *node = heap_take(1, sizeof *node);
    *node = (struct yaml_node){.kind = YAML_TEXT,
                               .place = place,
                               .empty = text[0] == '\0',
                               .text = heap_text(text),
                               .source = "",
                               .size = 1};
    keep_node(yaml, node);
    return node;
}

static size_t find_key(const struct yaml_node *mapping, const char *key)
{
    size_t i = 0;
    while (i < mapping->count && strcmp(mapping->items[i]->text, key) != 0)
        i += 2;
    return i;
}

const struct yaml_node *yaml_key(const struct yaml_node *mapping, const char *key)
{
    size_t i = find_key(mapping, key);
    return i < mapping->count ? mapping->items[i] : NULL;
}

const struct yaml_node *yaml_value(const struct yaml_node *mapping, const char *key)
{
    size_t i = find_key(mapping, key);
    return i < mapping->count ? mapping->items[i + 1] : NULL;
}

size_t yaml_place(struct yaml *yaml, struct yaml_node *mapping, const char *key,
                  struct text_place place)
{
    const size_t i = find_key(mapping, key);
    if (i < mapping->count)
        return i + 1;
    mapping->items = heap_resize(mapping->items, (mapping->count + 2) * sizeof *mapping->items);
    mapping->items[mapping->count++] = add_text(yaml, key, place);
    mapping->items[mapping->count++] = add_text(yaml, "", place);
    return mapping->count - 1;
}

/* Whether a list holds rows: texts of more than one cell each. */
static bool holds_rows(const struct yaml_node *node)
{
    if (node->kind != YAML_LIST || node->count < 2)
        return false;
    for (size_t i = 0; i < node->count; i++)
        if (node->items[i]->kind != YAML_TEXT || strpbrk(node->items[i]->text, " ,") == NULL)
            return false;
    return true;
}

char *yaml_boards(const struct yaml_node *node)
{
    /* An escape is longer in the file than in the text: places are then those of the text. */
    if (node->kind == YAML_TEXT && memchr(node->source, '\\', node->source_length) != NULL)
        return heap_text(node->text);
    char *text = heap_format("%.*s", (int)node->source_length, node->source);
    size_t at = 0;
    if (text[0] == '|' || text[0] == '>') /* the head of a block */
        while (text[at] != '\n' && text[at] != '\0')
            text[at++] = ' ';
    const bool rows = holds_rows(node);
    bool comment = false;
    char quote = '\0';
    for (; text[at] != '\0'; at++) {
        comment = text[at] != '\n' && (comment || (text[at] == '#' && quote == '\0'));
        if (comment)
            continue;
        if (text[at] == ',' && rows && quote == '\0')
            text[at] = ';';
        else if (text[at] == quote)
            quote = '\0';
        else if (quote == '\0' && (text[at] == '"' || text[at] == '\''))
            quote = text[at];
        else if (text[at] != '-' || strchr(" \r\n", text[at + 1]) == NULL)
            continue;
        if (text[at] != ';')
            text[at] = ' ';
    }
    return text;
}
