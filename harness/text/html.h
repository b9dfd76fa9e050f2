/* Text for a page of HTML. It may come from anywhere, and is text there, never markup. */
#pragma once

#include <stdio.h>

/* Writes a text between tags. What is written from right to left is isolated (<bdi>), so that it
 * cannot move its neighbours. */
void html_text(const char *text, FILE *file);

/* Writes a text within an attribute's quotes, or where no tags may be, as in <title>. */
void html_plain(const char *text, FILE *file);

/* Writes a JSON string, with its quotes, that is safe within <script>. */
void html_json(const char *text, FILE *file);

/* Writes a picture that scripts/plot.py drew, to be put into a page: without what only a file of
 * its own needs, and with links that the Tab key passes by, as there may be thousands. */
void html_picture(const char *svg, FILE *file);
