/* Goals by name. A goal given in full is read by puzzle/text.h. */
#pragma once

#include "puzzle/board.h"

#define DEFAULT_GOAL "blank-last"

/* The names there are: blank-last, blank-first, snail. */
enum { GOAL_NAMES = 3 };
extern const char *const goal_names[GOAL_NAMES];

/* The board that a name means for a shape: blank-last (1 2 .. n-1 0), blank-first (0 1 .. n-1),
 * snail (the tiles wind clockwise inward from the top left, the blank last). False for another
 * name. */
bool goal_named(const char *name, struct shape shape, struct board *goal);

/* The name of a goal, or NULL if it has none. */
const char *goal_name(const struct board *goal);
