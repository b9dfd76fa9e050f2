/* The width of the terminal that a stream writes to, and lines that fit it. */
#ifndef TEXT_SCREEN_H
#define TEXT_SCREEN_H

#include <stddef.h>
#include <stdio.h>

/* Characters in a line: the environment's COLUMNS, else what the terminal says, else 80. SIZE_MAX,
 * that is, no limit, if the stream is not a terminal or after screen_wide. */
size_t screen_width(FILE *file);

/* Prints words in lines of at most `width` characters, broken at spaces. The first line goes on at
 * `column`, the others begin after `indent` spaces; no line end at the end. */
void screen_print(const char *text, int column, int indent, size_t width, FILE *file);

/* From now on screen_width returns SIZE_MAX (--wide). */
void screen_wide(void);

#endif
