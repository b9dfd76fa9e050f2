/* Open addressing on XXH3; slots hold numbers, so growing moves no text. */
#include "harness/analysis/names.h"
#include "base/heap.h"
#include <string.h>
#include <xxhash.h>

/* The slot that holds the text, or the free one where it would go. */
static size_t slot_of(const struct names *names, const char *text)
{
    size_t slot = (size_t)XXH3_64bits(text, strlen(text)) & (names->capacity - 1);
    while (names->slots[slot] != 0 && strcmp(names->text[names->slots[slot] - 1], text) != 0)
        slot = (slot + 1) & (names->capacity - 1);
    return slot;
}

static void fill_slots(struct names *names)
{
    free(names->slots);
    names->slots = heap_take(names->capacity, sizeof *names->slots);
    for (size_t i = 0; i < names->count; i++)
        names->slots[slot_of(names, names->text[i])] = i + 1;
}

static void make_room(struct names *names)
{
    if (2 * (names->count + 1) <= names->capacity)
        return;
    names->capacity = names->capacity == 0 ? 16 : 2 * names->capacity;
    fill_slots(names);
}

size_t names_add(struct names *names, const char *text)
{
    make_room(names);
    size_t slot = slot_of(names, text);
    if (names->slots[slot] == 0) {
        names->text = heap_grow(names->text, names->count, sizeof *names->text);
        names->text[names->count++] = heap_text(text);
        names->slots[slot] = names->count;
    }
    return names->slots[slot] - 1;
}

size_t names_find(const struct names *names, const char *text)
{
    if (names->count == 0)
        return NAMES_NONE;
    size_t found = names->slots[slot_of(names, text)];
    return found == 0 ? NAMES_NONE : found - 1;
}

struct place {
    size_t first; /* the number in `first`, or NAMES_NONE */
    size_t old;
    char *text;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a;
    const struct place *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return strverscmp(x->text, y->text);
}

void names_arrange(struct names *names, const struct names *first, size_t *place)
{
    struct place *places = heap_take(names->count, sizeof *places);
    for (size_t i = 0; i < names->count; i++) {
        size_t number = first == NULL ? NAMES_NONE : names_find(first, names->text[i]);
        places[i] = (struct place){number, i, names->text[i]};
    }
    qsort(places, names->count, sizeof *places, compare_places);
    for (size_t i = 0; i < names->count; i++) {
        names->text[i] = places[i].text;
        place[places[i].old] = i;
    }
    free(places);
    if (names->count > 0)
        fill_slots(names);
}

void names_end(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->text[i]);
    free(names->text);
    free(names->slots);
    *names = (struct names){0};
}
