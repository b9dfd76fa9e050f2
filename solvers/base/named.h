/* Finding a text in an array of texts, or a row in a table by its name. */
#pragma once

#include <stddef.h>
#include <string.h>

/* The place of the first of `count` rows of `stride` bytes whose text, `offset` bytes in it, is
 * `text`; `count` if there is none. A row's text may be NULL: then it is no other. */
static inline unsigned place_of_text(const void *rows, size_t stride, size_t offset, unsigned count,
                                     const char *text)
{
    for (unsigned i = 0; i < count; i++) {
        const char *own;
        memcpy(&own, (const char *)rows + i * stride + offset, sizeof own);
        if (own != NULL && strcmp(own, text) == 0)
            return i;
    }
    return count;
}

/* WORD_PLACE(cost_names, COST_MODELS, text): the place of a text. NAME_PLACE(counters, COUNTERS,
 * name, text): that of the row whose member `name` is the text. */
#define WORD_PLACE(words, count, text)                                                             \
    place_of_text(words, sizeof *(words), 0, (unsigned)(count), text)
#define NAME_PLACE(rows, count, member, text)                                                      \
    place_of_text(rows, sizeof *(rows), offsetof(__typeof__(*(rows)), member), (unsigned)(count),  \
                  text)
