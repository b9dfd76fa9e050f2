#include "harness/analysis/choice.h"
#include "base/heap.h"
#include <fnmatch.h>

char *choice_cut(const char **rest)
{
    const char *start = *rest + strspn(*rest, " ");
    const char *end = start;
    for (unsigned depth = 0; *end != '\0' && (depth > 0 || *end != ','); end++) {
        depth += *end == '(' || *end == '[';
        depth -= depth > 0 && (*end == ')' || *end == ']');
    }
    *rest = *end == ',' ? end + 1 : NULL;
    while (end > start && end[-1] == ' ')
        end--;
    return heap_format("%.*s", (int)(end - start), start);
}

static bool fits(const char *part, const char *name)
{
    return name != NULL && (strcmp(part, name) == 0 || fnmatch(part, name, FNM_NOESCAPE) == 0);
}

bool choice_takes(struct choice *choice, const char *shown, const char *other)
{
    if (choice->asked == NULL)
        return true;
    const size_t known = choice->there.count;
    const size_t number = names_add(&choice->there, shown);
    if (number < known)
        return choice->taken[number];
    choice->taken = heap_grow(choice->taken, known, sizeof *choice->taken);
    choice->taken[number] = false;
    for (const char *rest = choice->asked; rest != NULL;) {
        SCOPED char *part = choice_cut(&rest);
        if (fits(part, shown) || fits(part, other)) {
            choice->taken[number] = true;
            names_add(&choice->met, part);
        }
    }
    return choice->taken[number];
}

char *choice_unmet(const struct choice *choice)
{
    for (const char *rest = choice->asked; rest != NULL;) {
        char *part = choice_cut(&rest);
        if (names_find(&choice->met, part) == NAMES_NONE)
            return part;
        free(part);
    }
    return NULL;
}

void choice_end(struct choice *choice)
{
    names_end(&choice->there);
    names_end(&choice->met);
    free(choice->taken);
    *choice = (struct choice){0};
}
