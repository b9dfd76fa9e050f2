/* Ordinary memory for everything but searches: parsing, tables of results, texts.
 *
 * Such memory is small, and a program that cannot get it can do nothing useful: these functions
 * never return NULL; they end the program with a message and exit code 1. A search never allocates
 * here: its memory is limited and comes from base/arena.h. Free with free(). */
#pragma once

#include "base/compiler.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SCOPED char *text = heap_format(..): the variable's heap memory is freed where its scope ends.
 * It needs a value where it is declared (NULL if nothing else). SCOPED_BY(report_end) struct report
 * report: the function is called with the variable's address there. */
#define SCOPED         SCOPED_BY(heap_free_variable)
#define SCOPED_BY(end) __attribute__((cleanup(end), unused)) /* its end is use enough */

static inline void heap_free_variable(void *variable)
{
    void *memory;
    memcpy(&memory, variable, sizeof memory);
    free(memory);
}

/* Zeroed memory for `count` objects of `size` bytes. */
void *heap_take(size_t count, size_t size);

/* `old` (or NULL) resized to `bytes`, contents kept as far as they fit. */
void *heap_resize(void *old, size_t bytes);

/* A copy of a text. */
char *heap_text(const char *text);

/* A text formatted as by printf, and as by vprintf. */
char *heap_format(const char *format, ...) PRINTF_LIKE(1, 2);
char *heap_format_list(const char *format, va_list values) PRINTF_LIKE(1, 0);

/* In a function of (.., const char *format, ...), the text that it was given; heap memory. */
#define FORMATTED(format)                                                                          \
    __extension__({                                                                                \
        va_list formatted_values;                                                                  \
        va_start(formatted_values, format);                                                        \
        char *formatted = heap_format_list(format, formatted_values);                              \
        va_end(formatted_values);                                                                  \
        formatted;                                                                                 \
    })

/* Adds to the end of a text in heap memory, made as printf would; a *text of NULL is an empty one.
 * Arguments may point into *text itself. */
void heap_append(char **text, const char *format, ...) PRINTF_LIKE(2, 3);

/* `memory`, if it is to be kept; else it is freed, and NULL. */
static inline void *heap_keep(bool keep, void *memory)
{
    if (!keep)
        free(memory);
    return keep ? memory : NULL;
}

/* Whether `part` is one of the parts of a text, which `joint` joins; the text may be NULL. */
bool heap_has_part(const char *text, char joint, const char *part);

/* A stream whose contents are, once heap_stream_end has closed it, a text of *length bytes in heap
 * memory, ended by a zero byte. */
FILE *heap_stream(char **text, size_t *length);
void heap_stream_end(FILE *stream);

/* The text that a statement writes to a stream, which it calls so: WRITTEN(file, put(rows, file));
 * heap memory. */
#define WRITTEN(file, ...)                                                                         \
    __extension__({                                                                                \
        char *written;                                                                             \
        size_t written_length;                                                                     \
        FILE *file = heap_stream(&written, &written_length);                                       \
        __VA_ARGS__;                                                                               \
        heap_stream_end(file);                                                                     \
        written;                                                                                   \
    })

/* Writes a template, whose {{NAME}}s are replaced by parts, each of which must be among them; frees
 * their texts. FILLED(template, {"name", text}, ..) is what it makes; heap memory. */
struct heap_part {
    const char *name;
    char *text;
};
void heap_fill(FILE *file, const char *template, const struct heap_part *parts, size_t count);
#define FILLED(template, ...)                                                                      \
    WRITTEN(filled_file,                                                                           \
            heap_fill(filled_file, template, (const struct heap_part[]){__VA_ARGS__},              \
                      sizeof((const struct heap_part[]){__VA_ARGS__}) / sizeof(struct heap_part)))

/* Makes room for one more element in a growing array of `count` elements of `size` bytes and
 * returns the array, moved or not. The capacity is always the next power of two, so it need not be
 * stored. */
void *heap_grow(void *array, size_t count, size_t size);

/* Makes heap_exhausted call this first: it may end the program in another way. */
void heap_on_exhausted(void (*call)(void));

/* Makes room for `count` elements of `size` bytes in an array with room for *capacity, which at
 * least doubles if it has to grow, and returns the array, moved or not. */
void *heap_reserve(void *array, size_t *capacity, size_t count, size_t size);

/* Reports that memory is exhausted and ends the program with exit code 1. */
_Noreturn void heap_exhausted(void);

/* A new last element of a growing array (heap_grow), `count` more by one: *HEAP_ADD(list->items,
 * list->count) = item. */
#define HEAP_ADD(array, count)                                                                     \
    ((array) = heap_grow(array, count, sizeof *(array)), &(array)[(count)++])

/* Frees several pieces of heap memory, FREE(a, b, c); and the texts of a list and the list, which
 * NULL ends (heap_free_words; it may be NULL itself) or which are so many. */
#define FREE(...)                                                                                  \
    heap_free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

static inline void heap_free_all(void *const *memory, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(memory[i]);
}

static inline void heap_free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

/* Adds copies of texts to such a list, ADD_WORDS(&words, "run", file), and one made as printf
 * would.
 */
#define ADD_WORDS(words, ...) heap_add_words(words, (const char *const[]){__VA_ARGS__, NULL})
void heap_add_words(char ***words, const char *const *texts);
void heap_add_word(char ***words, const char *format, ...) PRINTF_LIKE(2, 3);

static inline void heap_free_words(char **words)
{
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        free(words[i]);
    free(words);
}
