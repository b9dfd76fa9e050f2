/* Open addressing on XXH3; slots hold numbers and hashes, so that growing compares no texts, and a
 * look-up few. */
#include "harness/analysis/names.h"
#include "base/heap.h"
#include <string.h>
#include <xxhash.h>

static uint32_t hash_of(const char *text)
{
    return (uint32_t)XXH3_64bits(text, strlen(text));
}

/* The slot that holds the text (NULL: a text that no slot holds), or the free slot where it
 * belongs. */
static struct names_slot *slot_of(const struct names *names, uint32_t hash, const char *text)
{
    size_t at = hash & (names->capacity - 1);
    for (;; at = (at + 1) & (names->capacity - 1)) {
        struct names_slot *slot = &names->slots[at];
        if (slot->number == 0 || (text != NULL && slot->hash == hash &&
                                  strcmp(names->text[slot->number - 1], text) == 0))
            return slot;
    }
}

/* Moves slots into a new table of names->capacity slots. `place` (NULL: unchanged) gives their new
 * numbers. */
static void move_slots(struct names *names, size_t count, const size_t *place)
{
    struct names_slot *old = names->slots;
    names->slots = heap_take(names->capacity, sizeof *names->slots);
    for (size_t i = 0; i < count; i++) {
        if (old[i].number == 0)
            continue;
        struct names_slot *slot = slot_of(names, old[i].hash, NULL);
        *slot = old[i];
        if (place != NULL)
            slot->number = (uint32_t)place[slot->number - 1] + 1;
    }
    free(old);
}

static void make_room(struct names *names)
{
    const size_t capacity = names->capacity;
    if (2 * (names->count + 1) <= capacity)
        return;
    if (names->count == UINT32_MAX - 1)
        heap_exhausted();
    names->capacity = capacity == 0 ? 16 : 2 * capacity;
    move_slots(names, capacity, NULL);
}

size_t names_add(struct names *names, const char *text)
{
    make_room(names);
    const uint32_t hash = hash_of(text);
    struct names_slot *slot = slot_of(names, hash, text);
    if (slot->number == 0) {
        names->text = heap_grow(names->text, names->count, sizeof *names->text);
        names->text[names->count++] = heap_text(text);
        *slot = (struct names_slot){(uint32_t)names->count, hash};
    }
    return slot->number - 1;
}

size_t names_find(const struct names *names, const char *text)
{
    if (names->count == 0)
        return NAMES_NONE;
    const uint32_t found = slot_of(names, hash_of(text), text)->number;
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
    move_slots(names, names->capacity, place);
}

void names_end(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->text[i]);
    free(names->text);
    free(names->slots);
    *names = (struct names){0};
}
