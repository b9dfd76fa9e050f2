#include "harness/commands/arguments.h"
#include "base/heap.h"
#include <string.h>
#include <sys/stat.h>

struct shape size_argument(struct argp_state *state, const char *value, unsigned max_cells)
{
    struct shape shape = {0};
    if (!shape_parse(value, &shape) || shape.cells > max_cells)
        argp_error(
            state,
            "--size %s: expected columns x rows such as 4x3, both at least %d, at most %u cells",
            value, MIN_SIDE, max_cells);
    return shape;
}

void hide_minus_one(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "-1", 2) == 0 &&
            (argv[i][2] == '\0' || strchr(" ,;|])}\t\n", argv[i][2]) != NULL))
            argv[i] = heap_format(" %s", argv[i]);
}

bool names_file(const char *text)
{
    struct stat status;
    return stat(text, &status) == 0 ||
           (strpbrk(text, " \t\n,;[") == NULL && strpbrk(text, "./") != NULL &&
            strpbrk(text, "abcdefghijklmnopqrstuvw") != NULL);
}
