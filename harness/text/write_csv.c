#include "harness/text/writer.h"

void write_csv(const struct writing *writing, FILE *file)
{
    bool first = true;
    for (size_t i = 0; i < writing->count; i++) {
        if (writing->parts[i].kind != PART_TABLE)
            continue;
        fputs(first ? "" : "\n", file);
        first = false;
        tidy_csv(&writing->parts[i].table, file);
    }
}
