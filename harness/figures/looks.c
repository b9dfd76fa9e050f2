/* Colours: twelve of Paul Tol's and Okabe and Ito's, chosen for the largest distance between any
 * two (CIELAB) as seen with and without red, green and blue blindness, and for contrast on white.
 * They are in the order of the algorithms in their table; the first kind of line is manhattan's. */
#include "harness/figures/looks.h"
#include "algorithms/algorithm.h"
#include "base/heap.h"
#include "harness/text/sorting.h"
#include <xxhash.h>

static const char *const colours[] = {
    "#8C510A", "#44AA99", "#33BBEE", "#999933", "#93003A", "#EE3377",
    "#332288", "#000000", "#AA3377", "#0077BB", "#228833", "#E69F00",
};
static const char *const marks[] = {"o", "s", "^", "D", "v", "P", "X",
                                    "<", ">", "p", "*", "h", "d"};
static const char *const dashes[] = {"", "5 2", "5 2 1 2", "1 1.5", "9 2", "5 2 1 2 1 2"};

enum {
    COLOURS = sizeof colours / sizeof *colours,
    MARKS = sizeof marks / sizeof *marks,
    DASHES = sizeof dashes / sizeof *dashes,
    LOOKS = COLOURS * MARKS * DASHES
};

/* A solver without a heuristic looks as with manhattan, the row of this number: with a whole line.
 * SEED is the hash's. */
enum { UNINFORMED = 5, SEED = 1286 };

static unsigned hash(const char *text, size_t length)
{
    return (unsigned)(XXH3_64bits_withSeed(text, length, SEED) % LOOKS);
}

static unsigned row_of_algorithm(const char *name, size_t length)
{
    for (unsigned i = 0; i < algorithm_count; i++)
        if (strlen(algorithms[i].name) == length && strncmp(algorithms[i].name, name, length) == 0)
            return i;
    return hash(name, length);
}

static unsigned row_of_heuristic(const char *name, size_t length)
{
    if (length == 0)
        return UNINFORMED;
    for (unsigned i = 0; i < heuristic_count; i++)
        if (strlen(heuristic_kinds[i].name) == length &&
            strncmp(heuristic_kinds[i].name, name, length) == 0)
            return i;
    return hash(name, length);
}

/* The number of the look, from the parts ALGORITHM(HEURISTIC:REST of a solver's short form. */
static unsigned preferred(const char *solver)
{
    const size_t algorithm = strcspn(solver, "(");
    const char *inside = solver + algorithm + (solver[algorithm] == '(');
    const size_t word = strcspn(inside, ":,)=");
    const size_t heuristic = inside[word] == '=' ? 0 : word;
    const char *rest = inside + heuristic + strspn(inside + heuristic, ":, ");
    const size_t length = strlen(rest) - (rest[0] != '\0' && solver[algorithm] == '(');
    const unsigned a = row_of_algorithm(solver, algorithm);
    const unsigned h = row_of_heuristic(inside, heuristic);
    const unsigned r = length == 0 ? 0 : hash(rest, length);
    const unsigned mark = (a + h + r) % MARKS;
    const unsigned line = (h + DASHES - UNINFORMED % DASHES + r / MARKS) % DASHES;
    return (a % COLOURS * DASHES + line) * MARKS + mark;
}

struct named {
    const char *solver;
    size_t place;
};

void looks_of(const char *const *solvers, size_t count, struct look *looks)
{
    SCOPED struct named *order = heap_take(count, sizeof *order);
    bool taken[LOOKS] = {false};
    for (size_t i = 0; i < count; i++)
        order[i] = (struct named){solvers[i], i};
    qsort(order, count, sizeof *order, order_texts);
    for (size_t i = 0; i < count; i++) {
        unsigned look = preferred(order[i].solver);
        for (unsigned tried = 0; taken[look] && tried < LOOKS; tried++)
            look = (look + 1) % LOOKS;
        taken[look] = true;
        looks[order[i].place] = (struct look){
            .colour = colours[look / (DASHES * MARKS)],
            .mark = marks[look % MARKS],
            .dashes = dashes[look / MARKS % DASHES],
        };
    }
}
