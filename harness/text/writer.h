/* A writer prints a document in one format: write_NAME.c for each row of formats.def. */
#pragma once

#include "harness/text/document.h"

/* What is printed. */
struct writing {
    const struct document_part *parts;
    size_t count;
    bool whole;         /* else the parts are the tables of one name, for a document of one's own */
    const json_t *head; /* what comes first in JSON; or NULL */
};

/* Prints the parts in order. Their texts may come from anywhere: a writer makes them harmless. */
typedef void writer(const struct writing *writing, FILE *file);

#define FORMAT(upper, name) writer write_##name;
#include "harness/text/formats.def"
#undef FORMAT

/* A cell as people see it, heap memory; row 0 is that of the headings. */
char *cell_shown(const struct tidy *table, size_t row, size_t column);
