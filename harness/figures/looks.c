/* Colours: twelve of Paul Tol's and Okabe and Ito's, chosen for the largest distance between any
 * two (CIELAB) as seen with and without red, green and blue blindness, and for contrast on white.
 * The four counts have no common factor but that of colours and lines, so that sums that agree in
 * one seldom do in the others. */
#include "harness/figures/looks.h"
#include "algorithms/algorithm.h"
#include "base/heap.h"
#include <xxhash.h>

static const char *const colours[] = {
    "#0077BB", "#E69F00", "#228833", "#AA3377", "#33BBEE", "#8C510A",
    "#EE3377", "#332288", "#44AA99", "#999933", "#93003A", "#000000",
};
static const char *const marks[] = {"o", "s", "^", "D", "v", "P", "X",
                                    "<", ">", "p", "*", "h", "d"};
static const char *const dashes[] = {"", "5 2", "5 2 1 2", "1 1.5", "9 2"};

enum {
    COLOURS = sizeof colours / sizeof *colours,
    MARKS = sizeof marks / sizeof *marks,
    DASHES = sizeof dashes / sizeof *dashes,
    LOOKS = COLOURS * MARKS * DASHES
};

/* The number of a solver without a heuristic, and the seed of the hash. Both were chosen so that
 * few solvers of the experiments that ship share a colour. */
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
    const unsigned colour = (a + 7 * h + r) % COLOURS;
    const unsigned mark = (a + 2 * h + r / COLOURS) % MARKS;
    const unsigned line = (a + h + r / (COLOURS * MARKS)) % DASHES;
    return (line * MARKS + mark) * COLOURS + colour;
}

struct named {
    const char *solver;
    size_t place;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;
    return strcmp(x->solver, y->solver);
}

void looks_of(const char *const *solvers, size_t count, struct look *looks)
{
    SCOPED struct named *order = heap_take(count, sizeof *order);
    bool taken[LOOKS] = {false};
    for (size_t i = 0; i < count; i++)
        order[i] = (struct named){solvers[i], i};
    qsort(order, count, sizeof *order, by_name);
    for (size_t i = 0; i < count; i++) {
        unsigned look = preferred(order[i].solver);
        for (unsigned tried = 0; taken[look] && tried < LOOKS; tried++)
            look = (look + 1) % LOOKS;
        taken[look] = true;
        looks[order[i].place] = (struct look){
            .colour = colours[look % COLOURS],
            .mark = marks[look / COLOURS % MARKS],
            .dashes = dashes[look / (COLOURS * MARKS)],
        };
    }
}
