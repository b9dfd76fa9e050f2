/* Rows that a program adds to one of its tables while it runs: the algorithms and heuristics of
 * plugins. */
#pragma once

/* Zeroed at the start. */
struct additions {
    const void **rows; /* owned; each row belongs to whoever added it */
    unsigned count;
};

/* Adds a row at the end, or takes it away again; there is no memory left after the last. */
void additions_add(struct additions *additions, const void *row);
void additions_remove(struct additions *additions, const void *row);

/* Row `number` of a table of `count` rows of `size` bytes and what was added to it; NULL beyond the
 * last. */
const void *additions_at(const struct additions *additions, const void *table, unsigned count,
                         unsigned long size, unsigned number);
