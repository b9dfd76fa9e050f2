/* Partial expansion A* (Yoshizumi, Miura and Ishida, "A* with partial expansion for large branching
 * factor problems", AAAI 2000).
 *
 * A* that does not store children before their turn: of an expanded node only those children are
 * kept whose f is at most the node's stored cost; then the smallest f of the others becomes its
 * stored cost, and it waits on the open list to be expanded again (algorithms/partial_expansion.h).
 * cutoff: children up to so far above the stored cost are kept too. With a cutoff above every
 * difference of two f it is A*.
 *
 * What is counted: each of the expansions of a node, and in each of them all its children, as they
 * are generated again. */
#include "algorithms/partial_expansion.h"
#include "search/algorithm.h"

DECLARE_ALGORITHM(pea);

enum { CUTOFF };

const struct option_row pea_options[] = {
    [CUTOFF] = {NUMBER_OPTION("cutoff",
                              "children are kept whose f is up to this much above the stored cost",
                              0, 0, 1000)},
    {.kind = OPTION_END},
};

void pea_run(struct search *search)
{
    const struct partial_expansion settings = {.cutoff = (unsigned)search->options[CUTOFF]};
    partial_expansion(search, &settings);
}
