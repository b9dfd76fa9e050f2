#include "harness/external/placeholders.h"
#include "base/heap.h"
#include <inttypes.h>
#include <xxhash.h>

const struct placeholder placeholders[PLACEHOLDERS] = {
#define PLACEHOLDER(name, value, meaning)               {#name, meaning, NULL},
#define RUN_PLACEHOLDER(name, variable, value, meaning) {#name, meaning, variable},
#include "harness/external/placeholders.def"
};

uint32_t placeholders_seed(const struct instance *instance, unsigned repetition)
{
    enum { LARGEST = INT32_MAX };
    char board[BOARD_LINE];
    board_line(&instance->start, board);
    SCOPED char *text =
        heap_format("%s\n%s\n%s\n%u", instance->set, instance->name, board, repetition);
    const uint64_t hash = XXH3_64bits(text, strlen(text));
    return (uint32_t)(hash % LARGEST) + 1;
}

static char *line_of(const struct board *board)
{
    char line[BOARD_LINE];
    board_line(board, line);
    return heap_text(line);
}

static char *rows_of(const struct board *board)
{
    char *text = heap_text("");
    const unsigned width = board->shape.width;
    for (unsigned i = 0; i < board->shape.cells; i++)
        heap_append(&text, "%s%u", i == 0 ? "" : i % width == 0 ? "\n" : " ", board->cell[i]);
    return text;
}

static char *columns_of(const struct board *board)
{
    char *text = heap_text("");
    const unsigned width = board->shape.width;
    for (unsigned column = 0; column < width; column++)
        for (unsigned i = column; i < board->shape.cells; i += width)
            heap_append(&text, "%s%u", i > column ? " " : i == 0 ? "" : "\n", board->cell[i]);
    return text;
}

/* The cells of the tiles, counted from `first`. */
static char *positions_of(const struct board *board, unsigned first)
{
    unsigned places[MAX_CELLS] = {0};
    char *text = heap_text("");
    for (unsigned i = 0; i < board->shape.cells; i++)
        places[board->cell[i]] = first + i;
    for (unsigned tile = 0; tile < board->shape.cells; tile++)
        heap_append(&text, "%s%u", tile == 0 ? "" : "\n", places[tile]);
    return text;
}

char *placeholder_value(unsigned placeholder, const struct question *question)
{
    const struct board *start = &question->task->start;
    const struct board *goal = &question->task->goal;
    const struct limits *limits = question->limits;
    switch (placeholder) {
#define PLACEHOLDER(name, value, meaning)                                                          \
    case PLACEHOLDER_##name:                                                                       \
        return value;
#define RUN_PLACEHOLDER(name, variable, value, meaning) PLACEHOLDER(name, value, meaning)
#include "harness/external/placeholders.def"
    default:
        return NULL;
    }
}

/* The length of the name in braces with which a text begins; 0: it begins with no such name. */
static size_t name_in_braces(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    static const char others[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    if (text[0] != '{' || text[1] == '\0' || strchr(letters, text[1]) == NULL)
        return 0;
    const size_t length = strspn(text + 1, others);
    return text[1 + length] == '}' ? length : 0;
}

struct placeholder_piece placeholder_piece(const char *text)
{
    const size_t once = name_in_braces(text);
    const size_t twice = text[0] == '{' ? name_in_braces(text + 1) : 0;
    if (twice > 0 && text[twice + 3] == '}')
        return (struct placeholder_piece){PIECE_IN_TWO, text + 2, twice, twice + 4};
    if (once > 0)
        return (struct placeholder_piece){PIECE_NAME, text + 1, once, once + 2};
    return (struct placeholder_piece){.length = text[0] == '\0' ? 0 : 1 + strcspn(text + 1, "{")};
}

char *placeholders_by(const char *text,
                      char *(*value)(const void *context, const char *name, size_t length),
                      const void *context)
{
    char *filled = heap_text("");
    struct placeholder_piece piece;
    for (; (piece = placeholder_piece(text)).length > 0; text += piece.length) {
        SCOPED char *own =
            piece.kind == PIECE_NAME ? value(context, piece.name, piece.name_length) : NULL;
        if (own != NULL)
            heap_append(&filled, "%s", own);
        else if (piece.kind == PIECE_IN_TWO)
            heap_append(&filled, "{%.*s}", (int)piece.name_length, piece.name);
        else
            heap_append(&filled, "%.*s", (int)piece.length, text);
    }
    return filled;
}

static unsigned number_of(const char *name, size_t length)
{
    unsigned i = 0;
    while (i < PLACEHOLDERS && (strncmp(placeholders[i].name, name, length) != 0 ||
                                placeholders[i].name[length] != '\0'))
        i++;
    return i;
}

static char *value_named(const void *context, const char *name, size_t length)
{
    const unsigned number = number_of(name, length);
    return number < PLACEHOLDERS ? placeholder_value(number, context) : NULL;
}

char *placeholders_filled(const char *text, const struct question *question)
{
    return placeholders_by(text, value_named, question);
}

char *placeholders_replaced(const char *text, const char *const *names, const char *const *values,
                            size_t count)
{
    char *replaced = heap_text("");
    struct placeholder_piece piece;
    for (; (piece = placeholder_piece(text)).length > 0; text += piece.length) {
        size_t i = piece.kind == PIECE_NAME ? 0 : count;
        while (i < count && (piece.name_length != strlen(names[i]) ||
                             strncmp(names[i], piece.name, piece.name_length) != 0))
            i++;
        if (i < count)
            heap_append(&replaced, "%s", values[i]);
        else
            heap_append(&replaced, "%.*s", (int)piece.length, text);
    }
    return replaced;
}

bool placeholders_have(const char *text, const char *name)
{
    const char *const none[] = {""};
    SCOPED char *without = placeholders_replaced(text, &name, none, 1);
    return strcmp(without, text) != 0;
}

char *placeholders_unknown(const char *text)
{
    struct placeholder_piece piece;
    for (; (piece = placeholder_piece(text)).length > 0; text += piece.length)
        if (piece.kind == PIECE_NAME && number_of(piece.name, piece.name_length) == PLACEHOLDERS)
            return heap_format("%.*s", (int)piece.name_length, piece.name);
    return NULL;
}
