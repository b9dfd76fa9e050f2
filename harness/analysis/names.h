/* Texts numbered 0, 1, 2 .. in the order of their first appearance: a hash table that never
 * forgets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define NAMES_NONE SIZE_MAX

struct names {
    char **text;  /* by number; in the blocks */
    size_t count; /* how many there are */
    /* Private. */
    struct names_slot {
        uint32_t number; /* and 1; 0: a free slot */
        uint32_t hash;
    } * slots;       /* owned; open addressing, linear probing */
    size_t capacity; /* a power of two, at least twice the count; 0 while it is empty */
    char **blocks;   /* owned: the texts, one after the other */
    size_t block_count;
    char *free; /* in the last block: room for `left` bytes */
    size_t left;
};

/* The number of a text, which is added if it is new. A zeroed struct names is empty. */
size_t names_add(struct names *names, const char *text);

/* The number of a text or NAMES_NONE. */
size_t names_find(const struct names *names, const char *text);

/* The same with the hash of the text, which is never 0, for a caller that knows some time before
 * what it will look up: names_fetch prefetches the place, names_likely looks there, and
 * returns the number that a text of this hash most likely has, or NAMES_NONE. */
uint64_t names_hash(const char *text);
void names_fetch(const struct names *names, uint64_t hash);
size_t names_likely(const struct names *names, uint64_t hash);
size_t names_add_hashed(struct names *names, const char *text, uint64_t hash);
size_t names_find_hashed(const struct names *names, const char *text, uint64_t hash);

/* Renumbers the texts: first those that are in `first` too (NULL: none), in its order, then the
 * others in natural order (a2 before a10). The text that had number i has place[i] now. */
void names_arrange(struct names *names, const struct names *first, size_t *place);

void names_end(struct names *names);
