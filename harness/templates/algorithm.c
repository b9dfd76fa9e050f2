// A search algorithm for tilelab: IDA* (Korf 1985). Make it yours:
//     cc -O2 -shared -fPIC -o mine.so mine.c         (tilelab not installed: -I TILELAB/include)
//     tilelab solve --plugin mine.so -s 'mine(manhattan)' 8 1 3 4 0 2 7 6 5
#include <limits.h>
#include <string.h>
#include <tilelab/algorithm.h>

// The path from the start to the node in hand, and of each node the child to be made next.
struct step {
    struct tilelab_node node;
    unsigned next;
};

static int is_goal(const struct tilelab_search *search, const struct tilelab_node *node)
{
    return memcmp(node->tiles, search->puzzle->goal, search->puzzle->cells) == 0;
}

static void report(struct tilelab_search *search, const struct step *path, unsigned length)
{
    char *moves = (char *)search->take(search, length + 1);
    for (unsigned i = 0; moves != NULL && i < length; i++)
        moves[i] = path[i + 1].node.move;
    if (moves != NULL)
        search->solution(search, moves, length);
}

// Searches within the threshold. The smallest g + h above it; 0 if the search must end.
static unsigned deepen(struct tilelab_search *search, struct step *path, unsigned threshold)
{
    unsigned above = UINT_MAX, depth = 0;
    path[0].node = search->start;
    for (;;) {
        struct step *step = &path[depth];
        step->next = 0;
        if (depth > search->counters->max_depth)
            search->counters->max_depth = depth;
        if (is_goal(search, &step->node))
            report(search, path, depth);
        if (!search->expand(search, &step->node))
            return 0;
        for (;;) { // to the next child within the threshold
            struct tilelab_node *child = &path[depth + 1].node;
            const int made = search->child(search, &step->node, step->next++, child);
            if (made < 0 || (made == 0 && depth == 0))
                return made < 0 ? 0 : above;
            if (made == 0)
                step = &path[--depth];
            else if (child->g + child->h <= threshold)
                break;
            else if (child->g + child->h < above)
                above = child->g + child->h;
        }
        depth++;
    }
}

static int ida(struct tilelab_search *search)
{
    const unsigned limit = search->options[0] < 0 ? UINT_MAX : (unsigned)search->options[0];
    unsigned threshold = search->start.h;
    struct step *path = NULL;
    search->counters->max_open = 1;
    while (threshold <= limit) {
        path = (struct step *)search->resize(search, path, (threshold + 2) * sizeof *path);
        if (path == NULL || !search->round(search, threshold))
            break;
        threshold = deepen(search, path, threshold);
        if (threshold == 0)
            break;
    }
    search->counters->max_stored = search->counters->max_depth + 1;
    return TILELAB_EXHAUSTED;
}

static const struct tilelab_option options[] = {
    {"longest", "the longest solution looked for", TILELAB_NUMBER, -1, 0, 1000, NULL,
     TILELAB_COMPLETE},
    {NULL, NULL, 0, 0, 0, 0, NULL, 0}};

const struct tilelab_algorithm tilelab_algorithm = {
    TILELAB_ALGORITHM_VERSION, "mine", "iterative-deepening A*",
    TILELAB_OPTIMAL | TILELAB_COMPLETE | TILELAB_INFORMED, options, ida};
