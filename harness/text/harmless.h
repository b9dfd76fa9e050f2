/* Texts from files and from other programs, before a terminal sees them. */
#ifndef TEXT_HARMLESS_H
#define TEXT_HARMLESS_H

#include <stddef.h>

/* Puts '?' in the place of every character that commands a terminal instead of being shown, in
 * place: the control characters (escape sequences and line ends begin with one), the controls of
 * writing direction and the line separators of Unicode, and bytes that are not UTF-8. */
void harmless(char *text);

/* How many cells of a terminal a text takes: its characters in UTF-8. */
size_t text_width(const char *text);

#endif
