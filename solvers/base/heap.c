#include "base/heap.h"
#include <assert.h>
#include <stdint.h>

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

char *heap_format_list(const char *format, va_list values)
{
    char *text = NULL;
    if (vasprintf(&text, format, values) < 0)
        heap_exhausted();
    return text;
}

char *heap_format(const char *format, ...)
{
    char *text = FORMATTED(format);
    return text;
}

void heap_append(char **text, const char *format, ...)
{
    SCOPED char *added = FORMATTED(format);
    const size_t length = *text == NULL ? 0 : strlen(*text);
    const size_t bytes = strlen(added) + 1;
    *text = heap_resize(*text, length + bytes);
    memcpy(*text + length, added, bytes);
}

bool heap_has_part(const char *text, char joint, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = text; at != NULL; at = strchr(at, joint)) {
        at += *at == joint;
        if (strncmp(at, part, length) == 0 && (at[length] == joint || at[length] == '\0'))
            return true;
    }
    return false;
}

FILE *heap_stream(char **text, size_t *length)
{
    FILE *stream = open_memstream(text, length);
    if (stream == NULL)
        heap_exhausted();
    return stream;
}

void heap_stream_end(FILE *stream)
{
    if (fclose(stream) != 0)
        heap_exhausted();
}

void heap_fill(FILE *file, const char *template, const struct heap_part *parts, size_t count)
{
    for (const char *open; (open = strstr(template, "{{")) != NULL;) {
        const size_t length = strcspn(open + 2, "}");
        size_t i = 0;
        while (i < count &&
               (strncmp(parts[i].name, open + 2, length) != 0 || parts[i].name[length] != '\0'))
            i++;
        assert(i < count);
        fwrite(template, 1, (size_t)(open - template), file);
        fputs(i < count ? parts[i].text : "", file);
        template = open + length + 4;
    }
    fputs(template, file);
    for (size_t i = 0; i < count; i++)
        free(parts[i].text);
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

void *heap_reserve(void *array, size_t *capacity, size_t count, size_t size)
{
    if (*capacity >= count)
        return array;
    const size_t more = *capacity > SIZE_MAX / 2 || 2 * *capacity < count ? count : 2 * *capacity;
    if (more > SIZE_MAX / size)
        heap_exhausted();
    *capacity = more;
    return heap_resize(array, more * size);
}

/* Takes the text. */
static void take_word(char ***words, char *text)
{
    size_t count = 0;
    while (*words != NULL && (*words)[count] != NULL)
        count++;
    *words = heap_resize(*words, (count + 2) * sizeof **words);
    (*words)[count] = text;
    (*words)[count + 1] = NULL;
}

void heap_add_words(char ***words, const char *const *texts)
{
    for (; *texts != NULL; texts++)
        take_word(words, heap_text(*texts));
}

void heap_add_word(char ***words, const char *format, ...)
{
    take_word(words, FORMATTED(format));
}
