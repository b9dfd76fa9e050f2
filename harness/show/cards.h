/* Boards side by side, as on a blackboard: each is a card, a few lines of text above each other.
 * As many cards are in a row as the width allows, the rest below. */
#pragma once

#include "base/compiler.h"
#include "puzzle/board.h"
#include <stdio.h>

struct card {
    char **lines; /* owned */
    size_t count;
};

/* A zeroed struct cards is an empty one. */
struct cards {
    struct card *cards;
    size_t count;
};

/* Begins a new card. */
void cards_add(struct cards *cards);

/* Adds a line to the card that was begun last. */
void cards_line(struct cards *cards, const char *format, ...) PRINTF_LIKE(2, 3);

/* Adds the rows of a board, with a dot for the blank. */
void cards_board(struct cards *cards, const struct board *board);

/* Prints the cards, each line indented by two spaces, within `width` characters, and an empty line
 * after each row of cards. The cards are gone then. */
void cards_print(struct cards *cards, FILE *file, size_t width);
