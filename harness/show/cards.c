#include "harness/show/cards.h"
#include "base/heap.h"

enum { INDENT = 2, GAP = 3 };

void cards_add(struct cards *cards)
{
    *HEAP_ADD(cards->cards, cards->count) = (struct card){0};
}

static void add_line(struct cards *cards, char *line)
{
    struct card *card = &cards->cards[cards->count - 1];
    *HEAP_ADD(card->lines, card->count) = line;
}

void cards_line(struct cards *cards, const char *format, ...)
{
    char line[256];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    add_line(cards, heap_text(line));
}

void cards_board(struct cards *cards, const struct board *board)
{
    const int digits = board->shape.cells > 10 ? 2 : 1;
    for (unsigned row = 0; row < board->shape.cells; row += board->shape.width) {
        char *line = NULL;
        for (unsigned at = row; at < row + board->shape.width; at++) {
            const char *gap = at == row ? "" : " ";
            if (at == board->blank)
                heap_append(&line, "%s%*s", gap, digits, ".");
            else
                heap_append(&line, "%s%*u", gap, digits, board->cell[at]);
        }
        add_line(cards, line);
    }
}

/* Prints the cards from `first` to `end` - 1 side by side. */
static void print_row(const struct cards *cards, size_t first, size_t end, size_t card_width,
                      FILE *file)
{
    size_t height = 0;
    for (size_t i = first; i < end; i++)
        if (cards->cards[i].count > height)
            height = cards->cards[i].count;
    for (size_t line = 0; line < height; line++) {
        size_t behind = INDENT; /* spaces to be printed before the next text */
        for (size_t i = first; i < end; i++) {
            const struct card *card = &cards->cards[i];
            const char *text = line < card->count ? card->lines[line] : "";
            const size_t length = strlen(text);
            if (length > 0) {
                fprintf(file, "%*s%s", (int)behind, "", text);
                behind = 0;
            }
            behind += card_width + GAP - length;
        }
        putc('\n', file);
    }
    putc('\n', file);
}

void cards_print(struct cards *cards, FILE *file, size_t width)
{
    size_t card_width = 0;
    for (size_t i = 0; i < cards->count; i++)
        for (size_t line = 0; line < cards->cards[i].count; line++) {
            const size_t length = strlen(cards->cards[i].lines[line]);
            if (length > card_width)
                card_width = length;
        }
    size_t side_by_side = (width + GAP - INDENT) / (card_width + GAP);
    if (side_by_side == 0)
        side_by_side = 1;
    for (size_t first = 0; first < cards->count; first += side_by_side) {
        const size_t left = cards->count - first;
        print_row(cards, first, first + (left < side_by_side ? left : side_by_side), card_width,
                  file);
    }
    for (size_t i = 0; i < cards->count; i++)
        heap_free_texts(cards->cards[i].lines, cards->cards[i].count);
    free(cards->cards);
    *cards = (struct cards){0};
}
