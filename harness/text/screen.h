/* The width of the terminal that a stream writes to, lines that fit it, and text that cannot
 * control it. */
#pragma once

#include "base/compiler.h"
#include <stddef.h>
#include <stdio.h>

/* Characters in a line: the environment's COLUMNS, else what the terminal says, else 80. SIZE_MAX,
 * that is, no limit, if the stream is not a terminal or after screen_wide. */
size_t screen_width(FILE *file);

/* Prints text of which parts may come from elsewhere (files, folders, programs, the command line):
 * '?' replaces what could control a terminal (text_printable); line ends stay. */
void screen_say(FILE *file, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for what programs read (a path, a script): byte for byte where no terminal shows it. */
void screen_data(FILE *file, const char *format, ...) PRINTF_LIKE(2, 3);

/* The cells of a terminal that the UTF-8 character at `text` takes: 2 for ideographs and emoji, 0
 * for marks that combine with the one before and for bytes within a character. */
size_t screen_cell(const char *text);

/* Those of the first `bytes` bytes of a text. */
size_t screen_cells(const char *text, size_t bytes);

/* Prints words in lines of at most `width` cells, broken at spaces. The first line goes on at
 * `column`, the others begin after `indent` spaces; no line end at the end. */
void screen_print(const char *text, int column, int indent, size_t width, FILE *file);

/* From now on screen_width returns SIZE_MAX (--wide). */
void screen_wide(void);
