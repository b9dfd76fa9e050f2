/* How wide the terminal is that a stream writes to. */
#ifndef TEXT_SCREEN_H
#define TEXT_SCREEN_H

#include <stddef.h>
#include <stdio.h>

/* Characters in a line: COLUMNS of the environment, else what the terminal says, else 80. SIZE_MAX
 * where the stream is no terminal, or after screen_wide: nothing is to be fitted then. */
size_t screen_width(FILE *file);

/* From now on every screen is as wide as what it is to show (--wide). */
void screen_wide(void);

#endif
