#include "base/heap.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void (*on_exhausted)(void);

void heap_on_exhausted(void (*call)(void))
{
    on_exhausted = call;
}

void heap_exhausted(void)
{
    if (on_exhausted != NULL)
        on_exhausted();
    fputs("tilelab: out of memory\n", stderr);
    exit(1);
}

void *heap_take(size_t count, size_t size)
{
    void *taken = calloc(count == 0 ? 1 : count, size == 0 ? 1 : size);
    if (taken == NULL)
        heap_exhausted();
    return taken;
}

void *heap_resize(void *old, size_t bytes)
{
    void *taken = realloc(old, bytes == 0 ? 1 : bytes);
    if (taken == NULL)
        heap_exhausted();
    return taken;
}

char *heap_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(heap_resize(NULL, bytes), text, bytes);
}

char *heap_format(const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    int written = vasprintf(&text, format, values);
    va_end(values);
    if (written < 0)
        heap_exhausted();
    return text;
}

void heap_append(char **text, const char *format, ...)
{
    char *added = NULL;
    va_list values;
    va_start(values, format);
    const int written = vasprintf(&added, format, values);
    va_end(values);
    if (written < 0)
        heap_exhausted();
    const size_t length = *text == NULL ? 0 : strlen(*text);
    *text = heap_resize(*text, length + (size_t)written + 1);
    memcpy(*text + length, added, (size_t)written + 1);
    free(added);
}

void *heap_grow(void *array, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) /* not a power of two: there is room */
        return array;
    size_t capacity = count == 0 ? 1 : 2 * count;
    if (capacity > SIZE_MAX / size)
        heap_exhausted();
    return heap_resize(array, capacity * size);
}
