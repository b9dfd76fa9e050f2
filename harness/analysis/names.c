/* Open addressing on XXH3; slots hold numbers and hashes, so that growing compares no texts, and a
 * look-up few. */
#include "harness/analysis/names.h"
#include "base/heap.h"
#include "harness/text/sorting.h"
#include <xxhash.h>

enum { BLOCK = 1 << 10, BLOCK_DOUBLINGS = 10 }; /* bytes of the first; each is twice the last */

uint64_t names_hash(const char *text)
{
    return XXH3_64bits(text, strlen(text)) | 1;
}

/* What slots have of it, without the bit that is always set. */
static uint32_t short_hash(uint64_t hash)
{
    return (uint32_t)(hash >> 1);
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
    SCOPED struct names_slot *old = names->slots;
    names->slots = heap_take(names->capacity, sizeof *names->slots);
    for (size_t i = 0; i < count; i++) {
        if (old[i].number == 0)
            continue;
        struct names_slot *slot = slot_of(names, old[i].hash, NULL);
        *slot = old[i];
        if (place != NULL)
            slot->number = (uint32_t)place[slot->number - 1] + 1;
    }
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

/* A copy of the text behind the others. */
static char *keep_text(struct names *names, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    if (bytes > names->left) {
        const size_t usual = names->block_count < BLOCK_DOUBLINGS
                                 ? (size_t)BLOCK << names->block_count
                                 : (size_t)BLOCK << BLOCK_DOUBLINGS;
        names->left = bytes > usual ? bytes : usual;
        names->blocks = heap_grow(names->blocks, names->block_count, sizeof *names->blocks);
        names->free = names->blocks[names->block_count++] = heap_resize(NULL, names->left);
    }
    char *kept = memcpy(names->free, text, bytes);
    names->free += bytes;
    names->left -= bytes;
    return kept;
}

size_t names_add_hashed(struct names *names, const char *text, uint64_t hash)
{
    make_room(names);
    struct names_slot *slot = slot_of(names, short_hash(hash), text);
    if (slot->number == 0) {
        *HEAP_ADD(names->text, names->count) = keep_text(names, text);
        *slot = (struct names_slot){(uint32_t)names->count, short_hash(hash)};
    }
    return slot->number - 1;
}

size_t names_find_hashed(const struct names *names, const char *text, uint64_t hash)
{
    if (names->count == 0)
        return NAMES_NONE;
    const uint32_t found = slot_of(names, short_hash(hash), text)->number;
    return found == 0 ? NAMES_NONE : found - 1;
}

size_t names_add(struct names *names, const char *text)
{
    return names_add_hashed(names, text, names_hash(text));
}

size_t names_find(const struct names *names, const char *text)
{
    return names_find_hashed(names, text, names_hash(text));
}

void names_fetch(const struct names *names, uint64_t hash)
{
    if (names->count > 0)
        __builtin_prefetch(&names->slots[short_hash(hash) & (names->capacity - 1)]);
}

size_t names_likely(const struct names *names, uint64_t hash)
{
    const uint32_t wanted = short_hash(hash);
    if (names->count == 0)
        return NAMES_NONE;
    for (size_t at = wanted & (names->capacity - 1); names->slots[at].number != 0;
         at = (at + 1) & (names->capacity - 1))
        if (names->slots[at].hash == wanted)
            return names->slots[at].number - 1;
    return NAMES_NONE;
}

struct place {
    size_t first; /* the number in `first`, or NAMES_NONE */
    size_t old;
    char *text;
};

ORDER_BY(compare_places, struct place, BY(first), strverscmp(x->text, y->text));

void names_arrange(struct names *names, const struct names *first, size_t *place)
{
    SCOPED struct place *places = heap_take(names->count, sizeof *places);
    for (size_t i = 0; i < names->count; i++) {
        size_t number = first == NULL ? NAMES_NONE : names_find(first, names->text[i]);
        places[i] = (struct place){number, i, names->text[i]};
    }
    qsort(places, names->count, sizeof *places, compare_places);
    for (size_t i = 0; i < names->count; i++) {
        names->text[i] = places[i].text;
        place[places[i].old] = i;
    }
    move_slots(names, names->capacity, place);
}

void names_end(struct names *names)
{
    heap_free_texts(names->blocks, names->block_count);
    FREE(names->text, names->slots);
    *names = (struct names){0};
}
