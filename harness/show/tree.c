#include "harness/show/tree.h"
#include "base/heap.h"
#include "harness/show/trace.h"
#include "text_files.h"
#include <inttypes.h>

enum { STEPS_SHOWN = 3 }; /* of a node that is expanded again and again */

/* A node that is drawn. */
struct drawn {
    struct node_seen seen; /* its board is in `board` */
    struct board board;
    char *reason; /* why it was pruned; NULL if it was kept. Owned */
    char
        *steps; /* when it was expanded: "3", or "3, 9, 17, .." (rbfs). Owned; NULL if it was not */
    unsigned expansions;
    size_t parent; /* index, or SIZE_MAX */
    bool on_path;
    unsigned depth;
    double x; /* of the middle; SVG */
};

/* A round: the nodes first .. end - 1. A search without rounds has one, without a name. */
struct tree_round {
    char *name; /* owned */
    size_t first;
    size_t end;
    size_t first_kept; /* in the list of kept nodes */
};

struct tree {
    uint64_t max;
    char *solver; /* owned */
    bool informed;
    uint64_t step;
    uint64_t left_out; /* nodes that were generated and are not drawn */
    struct drawn *nodes;
    size_t count;
    size_t *kept; /* indices of the nodes that have numbers, which rise in each round */
    size_t kept_count;
    struct tree_round *rounds;
    size_t round_count;
    struct drawn root; /* the node that every round begins with */
};

struct tree *tree_start(uint64_t max, const char *solver, bool informed)
{
    struct tree *tree = heap_take(1, sizeof *tree);
    *tree = (struct tree){.max = max, .solver = heap_text(solver), .informed = informed};
    return tree;
}

static void start_round(struct tree *tree, char *name)
{
    *HEAP_ADD(tree->rounds, tree->round_count) =
        (struct tree_round){name, tree->count, tree->count, tree->kept_count};
}

static struct drawn *add_node(struct tree *tree, const struct drawn *node)
{
    if (tree->count >= tree->max) {
        tree->left_out++;
        return NULL;
    }
    if (tree->round_count == 0)
        start_round(tree, NULL);
    tree->nodes = heap_grow(tree->nodes, tree->count, sizeof *tree->nodes);
    tree->nodes[tree->count] = *node;
    tree->rounds[tree->round_count - 1].end++;
    if (node->seen.number != 0)
        *HEAP_ADD(tree->kept, tree->kept_count) = tree->count;
    return &tree->nodes[tree->count++];
}

/* The index of the node with this number in the last round, or SIZE_MAX. */
static size_t find_node(const struct tree *tree, uint64_t number)
{
    if (tree->round_count == 0)
        return SIZE_MAX;
    size_t low = tree->rounds[tree->round_count - 1].first_kept;
    size_t high = tree->kept_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const uint64_t at = tree->nodes[tree->kept[middle]].seen.number;
        if (at == number)
            return tree->kept[middle];
        if (at < number)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

static void begin_round(struct tree *tree, const struct event *event)
{
    char *name = NULL;
    if (tree->count >= tree->max || strcmp(event->round, "frontier") == 0)
        return; /* what IDA* makes below live nodes is drawn below them */
    if (strcmp(event->round, "greedy") == 0)
        name = heap_text("greedy search for a first bound");
    else if (strcmp(event->round, "weighted") == 0)
        name = heap_text("weighted A* for a first bound");
    else if (strcmp(event->round, "piece") == 0)
        name = heap_format("%" PRIu64 " moves of the path", event->limit);
    else
        name = heap_format("%s%s %" PRIu64, event->round,
                           strcmp(event->round, "depth") == 0 ? " limit" : "", event->limit);
    if (tree->count == 1 && tree->rounds[0].name == NULL) { /* the root came first */
        tree->rounds[0].name = name;
        return;
    }
    start_round(tree, name);
    if (tree->root.board.shape.cells > 0 && strcmp(event->round, "piece") != 0) {
        struct drawn root = tree->root;
        if (add_node(tree, &root) == NULL)
            tree->left_out--; /* not generated again */
    }
}

static void add_root(struct tree *tree, const struct event *event)
{
    const struct drawn root = {
        .seen = event->node, .board = *event->node.board, .parent = SIZE_MAX};
    if (event->node.number == 1)
        tree->root = root;
    const struct tree_round *last =
        tree->round_count == 0 ? NULL : &tree->rounds[tree->round_count - 1];
    if (last == NULL || last->first == last->end || event->node.number > 1)
        add_node(tree, &root);
}

static void add_child(struct tree *tree, const struct event *event)
{
    const size_t parent = tree->count >= tree->max ? SIZE_MAX : find_node(tree, event->node.parent);
    if (parent == SIZE_MAX) {
        tree->left_out++;
        return;
    }
    const struct drawn child = {.seen = event->node,
                                .board = *event->node.board,
                                .reason = event->fate <= FATE_REOPENED ? NULL : trace_reason(event),
                                .parent = parent,
                                .depth = tree->nodes[parent].depth + 1};
    add_node(tree, &child);
}

static void add_step(struct tree *tree, const struct event *event)
{
    tree->step++;
    const size_t at = find_node(tree, event->node.number);
    if (at != SIZE_MAX) {
        struct drawn *node = &tree->nodes[at];
        if (node->expansions < STEPS_SHOWN)
            heap_append(&node->steps, "%s%" PRIu64, node->steps == NULL ? "" : ", ", tree->step);
        else if (node->expansions == STEPS_SHOWN)
            heap_append(&node->steps, ", ..");
        node->expansions++;
    }
}

static void drop_node(struct tree *tree, const struct event *event)
{
    const size_t at = find_node(tree, event->node.number);
    if (at != SIZE_MAX && tree->nodes[at].reason == NULL)
        tree->nodes[at].reason = trace_reason(event);
}

bool tree_sees(void *context, const struct event *event)
{
    struct tree *tree = context;
    switch (event->kind) {
    case EVENT_ROUND:
        begin_round(tree, event);
        break;
    case EVENT_ROOT:
        add_root(tree, event);
        break;
    case EVENT_CHILD:
        add_child(tree, event);
        break;
    case EVENT_EXPANDS:
        add_step(tree, event);
        break;
    case EVENT_DROPS:
        drop_node(tree, event);
        break;
    default:
        break;
    }
    return false; /* live nodes are not asked for */
}

/* The child of a node by a move, or SIZE_MAX. One that was kept goes before one that was not, as
 * pea makes children again. */
static size_t child_of(const struct tree *tree, size_t end, size_t parent, unsigned move)
{
    size_t dropped = SIZE_MAX;
    for (size_t i = parent + 1; i < end; i++) {
        const struct drawn *node = &tree->nodes[i];
        if (node->parent != parent || node->seen.move != move)
            continue;
        if (node->reason == NULL)
            return i;
        if (node->seen.number == 0 && dropped == SIZE_MAX)
            dropped = i;
    }
    return dropped;
}

/* Follows the moves of a path from a root as far as they are drawn; `mark` marks the nodes. A path
 * from the goal's side is followed backwards. Returns how many nodes there are. */
static size_t follow(struct tree *tree, const struct tree_round *round, unsigned side,
                     const struct result *result, bool mark)
{
    size_t at = round->first;
    size_t count = 0;
    while (at < round->end &&
           (tree->nodes[at].parent != SIZE_MAX || tree->nodes[at].seen.side != side))
        at++;
    for (; at < round->end; count++) {
        if (mark)
            tree->nodes[at].on_path = true;
        if (count == result->length)
            return count + 1;
        const char letter = result->moves[side == 0 ? count : result->length - 1 - count];
        const unsigned move = move_parse(letter);
        at = child_of(tree, round->end, at, side == 0 ? move : move_undo(move));
    }
    return count;
}

/* Marks the path of the solution in the round in which most of it is drawn, the last of several. */
static void mark_path(struct tree *tree, const struct result *result)
{
    size_t best = SIZE_MAX;
    size_t most = 0;
    if (result->status != STATUS_solved)
        return;
    for (size_t i = 0; i < tree->round_count; i++) {
        const size_t count = follow(tree, &tree->rounds[i], 0, result, false);
        if (count >= most) {
            best = i;
            most = count;
        }
    }
    if (best == SIZE_MAX)
        return;
    follow(tree, &tree->rounds[best], 0, result, true);
    follow(tree, &tree->rounds[best], 1, result, true);
}

/* "lcbb(misplaced): solved in 3 moves; 3 nodes expanded, 8 generated". */
static char *title_of(const struct tree *tree, const struct result *result)
{
    char *title = heap_format("%s: ", tree->solver);
    if (result->status == STATUS_solved)
        heap_append(&title, "solved in %zu move%s", result->length, result->length == 1 ? "" : "s");
    else
        heap_append(&title, "%s", status_rows[result->status].name);
    heap_append(&title, "; %" PRIu64 " expanded, %" PRIu64 " generated",
                result->statistics.expanded, result->statistics.generated);
    if (tree->left_out > 0)
        heap_append(&title, "; %" PRIu64 " nodes are not drawn", tree->left_out);
    return title;
}

/* "g 1, h 2, f 3". */
static void costs_of(const struct tree *tree, const struct drawn *node, char text[96])
{
    char f[32];
    int length = snprintf(text, 96, "g %u", node->seen.g);
    if (tree->informed)
        length += snprintf(text + length, 96 - (size_t)length, ", h %u", node->seen.h);
    trace_cost(node->seen.f, f);
    if (node->seen.f >= 0)
        snprintf(text + length, 96 - (size_t)length, ", f %s", f);
}

/* Graphviz. */

static void dot_node(const struct tree *tree, size_t at, FILE *file)
{
    const struct drawn *node = &tree->nodes[at];
    const int digits = node->board.shape.cells > 10 ? 2 : 1;
    char costs[96];
    costs_of(tree, node, costs);
    fprintf(file, "    n%zu [label=\"", at + 1);
    for (unsigned i = 0; i < node->board.shape.cells; i++) {
        if (i > 0)
            fputs(i % node->board.shape.width == 0 ? "\\n" : " ", file);
        if (i == node->board.blank)
            fprintf(file, "%*s", digits, ".");
        else
            fprintf(file, "%*u", digits, node->board.cell[i]);
    }
    fprintf(file, "\\n%s", costs);
    if (node->steps != NULL)
        fprintf(file, "\\nstep %s", node->steps);
    if (node->reason != NULL)
        fprintf(file, "\\n%s", node->reason);
    fputc('"', file);
    if (node->on_path)
        fputs(", color=\"#0072B2\", penwidth=3", file);
    else if (node->reason != NULL)
        fputs(", style=dashed, color=\"#666666\", fontcolor=\"#444444\"", file);
    fputs("];\n", file);
    if (node->parent == SIZE_MAX)
        return;
    fprintf(file, "    n%zu -> n%zu [label=\"%c\"", node->parent + 1, at + 1,
            move_letters[node->seen.move]);
    if (node->on_path)
        fputs(", color=\"#0072B2\", penwidth=3", file);
    else if (node->reason != NULL)
        fputs(", style=dashed, color=\"#666666\"", file);
    fputs("];\n", file);
}

void tree_write_dot(struct tree *tree, const struct result *result, FILE *file)
{
    SCOPED char *title = title_of(tree, result);
    mark_path(tree, result);
    fprintf(file,
            "digraph search {\n"
            "    graph [label=\"%s\", labelloc=t, fontname=\"sans-serif\", ordering=out];\n"
            "    node [shape=box, fontname=\"monospace\"];\n"
            "    edge [fontname=\"sans-serif\", arrowhead=none];\n",
            title);
    for (size_t i = 0; i < tree->round_count; i++) {
        const struct tree_round *round = &tree->rounds[i];
        if (round->name != NULL)
            fprintf(file,
                    "    subgraph cluster_%zu {\n    label=\"round %zu: %s\"; color=\"#999999\";\n",
                    i + 1, i + 1, round->name);
        for (size_t at = round->first; at < round->end; at++)
            dot_node(tree, at, file);
        if (round->name != NULL)
            fputs("    }\n", file);
    }
    fputs("}\n", file);
}

/* SVG. */

enum { CELL = 20, TEXT_HEIGHT = 14, LEVEL_GAP = 34, NODE_GAP = 16, MARGIN = 16, HEADING = 28 };

/* Lines of text below a board; a reason is broken behind its colon. */
static unsigned text_lines(const struct drawn *node)
{
    unsigned lines = 1;
    if (node->steps != NULL)
        lines++;
    if (node->reason != NULL)
        lines += strchr(node->reason, ':') != NULL ? 2 : 1;
    return lines;
}

static double board_height(const struct board *board)
{
    return board->shape.cells / board->shape.width * (double)CELL;
}

/* A rough width of a text: letters of 11 pixels are 6 wide on average. */
static double text_width(size_t letters)
{
    return 6.2 * (double)letters;
}

static double node_width(const struct tree *tree, const struct drawn *node)
{
    char costs[96];
    double width = CELL * node->board.shape.width;
    costs_of(tree, node, costs);
    size_t letters = strlen(costs);
    if (node->steps != NULL && strlen(node->steps) + 5 > letters)
        letters = strlen(node->steps) + 5;
    if (node->reason != NULL) {
        const char *colon = strchr(node->reason, ':');
        const size_t head = colon == NULL ? 0 : (size_t)(colon - node->reason) + 1;
        const size_t tail = strlen(node->reason) - head;
        letters = head > letters ? head : letters;
        letters = tail > letters ? tail : letters;
    }
    return text_width(letters) > width ? text_width(letters) : width;
}

/* How a round is laid out. */
struct layout {
    double width;
    unsigned levels;
    double *level_y; /* the top of each level; one more than there are levels. Owned */
};

/* A node while it is laid out. Widths and places are relative to its middle. */
struct place {
    size_t first_child; /* index in the round; SIZE_MAX: none */
    size_t next_sibling;
    double offset; /* from the parent's middle */
    double *left;  /* the outline of its subtree, by level from its own. Owned until it is joined
                      to the parent's */
    double *right;
    unsigned levels;
};

static void lay_out_levels(const struct drawn *nodes, size_t count, struct layout *layout)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i].depth + 1 > layout->levels)
            layout->levels = nodes[i].depth + 1;
    layout->level_y = heap_take(layout->levels + 1, sizeof *layout->level_y);
    for (size_t i = 0; i < count; i++) {
        const double height =
            board_height(&nodes[i].board) + text_lines(&nodes[i]) * TEXT_HEIGHT + LEVEL_GAP;
        if (height > layout->level_y[nodes[i].depth + 1])
            layout->level_y[nodes[i].depth + 1] = height;
    }
    for (unsigned level = 0; level < layout->levels; level++)
        layout->level_y[level + 1] += layout->level_y[level];
}

/* Puts subtrees beside each other as near as their outlines allow, and joins the outlines. The
 * first is at 0, the others at their offsets. Returns the middle between the first and the last. */
static double join_siblings(struct place *places, size_t first, struct place *joined)
{
    double middle = 0;
    for (size_t i = first; i != SIZE_MAX; i = places[i].next_sibling) {
        struct place *place = &places[i];
        place->offset = 0;
        for (unsigned level = 0; level < joined->levels && level < place->levels; level++)
            if (joined->right[level] - place->left[level] > place->offset)
                place->offset = joined->right[level] - place->left[level];
        if (place->levels > joined->levels) {
            joined->left = heap_resize(joined->left, place->levels * sizeof *joined->left);
            joined->right = heap_resize(joined->right, place->levels * sizeof *joined->right);
        }
        for (unsigned level = 0; level < place->levels; level++) {
            joined->right[level] = place->right[level] + place->offset;
            if (level >= joined->levels)
                joined->left[level] = place->left[level] + place->offset;
        }
        if (place->levels > joined->levels)
            joined->levels = place->levels;
        middle = place->offset / 2;
        FREE(place->left, place->right);
    }
    return middle;
}

/* Lays out the subtree of a node whose children's are laid out. */
static void lay_out_node(struct place *places, size_t at, double width)
{
    struct place *place = &places[at];
    struct place joined = {0};
    const double middle = join_siblings(places, place->first_child, &joined);
    place->levels = joined.levels + 1;
    place->left = heap_take(place->levels, sizeof *place->left);
    place->right = heap_take(place->levels, sizeof *place->right);
    place->left[0] = -width / 2;
    place->right[0] = width / 2;
    for (unsigned level = 0; level < joined.levels; level++) {
        place->left[level + 1] = joined.left[level] - middle;
        place->right[level + 1] = joined.right[level] - middle;
    }
    for (size_t i = place->first_child; i != SIZE_MAX; i = places[i].next_sibling)
        places[i].offset -= middle;
    FREE(joined.left, joined.right);
}

/* Subtrees stand beside each other in the order of generation, as near as their outlines allow; a
 * parent is above the middle of its first and last child (Reingold and Tilford, "Tidier drawings of
 * trees", IEEE Transactions on Software Engineering 7, 1981, with outlines as arrays). Parents come
 * before their children in the array, so no recursion is needed. */
static struct layout lay_out(struct tree *tree, const struct tree_round *round)
{
    struct layout layout = {0};
    const size_t count = round->end - round->first;
    struct drawn *nodes = tree->nodes + round->first;
    SCOPED struct place *places = heap_take(count + 1, sizeof *places);
    struct place roots = {0};
    size_t first_root = SIZE_MAX;
    lay_out_levels(nodes, count, &layout);
    for (size_t i = 0; i < count; i++)
        places[i].first_child = SIZE_MAX;
    for (size_t i = count; i-- > 0;) {
        lay_out_node(places, i, node_width(tree, &nodes[i]) + NODE_GAP);
        size_t *first = nodes[i].parent == SIZE_MAX
                            ? &first_root
                            : &places[nodes[i].parent - round->first].first_child;
        places[i].next_sibling = *first;
        *first = i;
    }
    join_siblings(places, first_root, &roots);
    double left = 0;
    for (unsigned level = 0; level < roots.levels; level++)
        if (roots.left[level] < left)
            left = roots.left[level];
    for (unsigned level = 0; level < roots.levels; level++)
        if (roots.right[level] - left > layout.width)
            layout.width = roots.right[level] - left;
    for (size_t i = 0; i < count; i++)
        nodes[i].x = places[i].offset +
                     (nodes[i].parent == SIZE_MAX ? -left : tree->nodes[nodes[i].parent].x);
    FREE(roots.left, roots.right);
    return layout;
}

static void svg_text(FILE *file, double x, double y, const char *class, const char *text,
                     size_t length)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\"%s%s%s>", x, y, *class == '\0' ? "" : " class=\"",
            class, *class == '\0' ? "" : "\"");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '<')
            fputs("&lt;", file);
        else if (text[i] == '>')
            fputs("&gt;", file);
        else if (text[i] == '&')
            fputs("&amp;", file);
        else
            putc(text[i], file);
    }
    fputs("</text>\n", file);
}

static void svg_board(const struct drawn *node, double x, double y, FILE *file)
{
    const struct board *board = &node->board;
    const char *class = node->on_path ? "path" : node->reason != NULL ? "pruned" : "board";
    const double left = x - board->shape.width * CELL / 2.0;
    fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%u\" height=\"%.0f\"/>\n",
            class, left, y, board->shape.width * CELL, board_height(board));
    for (unsigned i = 0; i < board->shape.cells; i++) {
        char tile[8];
        const unsigned column = i % board->shape.width;
        const unsigned row = i / board->shape.width;
        if (i == board->blank)
            continue;
        snprintf(tile, sizeof tile, "%u", board->cell[i]);
        fprintf(file, "<rect class=\"tile\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n",
                left + column * CELL + 1.5, y + row * CELL + 1.5, CELL - 3, CELL - 3);
        svg_text(file, left + column * CELL + CELL / 2.0, y + row * CELL + 14.0, "", tile,
                 strlen(tile));
    }
}

static void svg_captions(const struct tree *tree, const struct drawn *node, double x, double y,
                         FILE *file)
{
    char costs[96];
    costs_of(tree, node, costs);
    svg_text(file, x, y += TEXT_HEIGHT, "", costs, strlen(costs));
    if (node->steps != NULL) {
        SCOPED char *steps = heap_format("step %s", node->steps);
        svg_text(file, x, y += TEXT_HEIGHT, "step", steps, strlen(steps));
    }
    if (node->reason == NULL)
        return;
    const char *colon = strchr(node->reason, ':');
    const size_t head = colon == NULL ? 0 : (size_t)(colon - node->reason) + 1;
    if (head > 0)
        svg_text(file, x, y += TEXT_HEIGHT, "why", node->reason, head);
    const char *tail = node->reason + head + (node->reason[head] == ' ');
    svg_text(file, x, y + TEXT_HEIGHT, "why", tail, strlen(tail));
}

/* Draws a round with its top left corner at (MARGIN, top). */
static void svg_round(const struct tree *tree, const struct tree_round *round,
                      const struct layout *layout, double top, FILE *file)
{
    for (size_t i = round->first; i < round->end; i++) {
        const struct drawn *node = &tree->nodes[i];
        const double x = MARGIN + node->x;
        const double y = top + layout->level_y[node->depth];
        if (node->parent != SIZE_MAX) {
            const struct drawn *parent = &tree->nodes[node->parent];
            const double from_x = MARGIN + parent->x;
            const double from_y = top + layout->level_y[parent->depth] +
                                  board_height(&parent->board) + text_lines(parent) * TEXT_HEIGHT +
                                  5;
            const char *class = node->on_path ? "path" : node->reason != NULL ? "pruned" : "edge";
            const char move[] = {move_letters[node->seen.move], '\0'};
            fprintf(file, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                    class, from_x, from_y, x, y);
            svg_text(file, x + (x < from_x ? -8 : 8), y - 4, "move", move, 1);
        }
        svg_board(node, x, y, file);
        svg_captions(tree, node, x, y + board_height(&node->board), file);
    }
}

void tree_write_svg(struct tree *tree, const struct result *result, FILE *file)
{
    SCOPED struct layout *layouts = heap_take(tree->round_count + 1, sizeof *layouts);
    SCOPED char *title = title_of(tree, result);
    double width = text_width(strlen(title)) * 14 / 11;
    double height = HEADING;
    mark_path(tree, result);
    for (size_t i = 0; i < tree->round_count; i++) {
        layouts[i] = lay_out(tree, &tree->rounds[i]);
        if (layouts[i].width > width)
            width = layouts[i].width;
        height += layouts[i].level_y[layouts[i].levels];
        if (tree->rounds[i].name != NULL)
            height += HEADING;
    }
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>",
            width + 2 * MARGIN, height + MARGIN, width + 2 * MARGIN, height + MARGIN);
    fputs(title, file);
    fprintf(
        file,
        "</title>\n<style>\n%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
        text_tree_css);
    svg_text(file, MARGIN, HEADING - 8, "title", title, strlen(title));
    double top = HEADING + 8;
    for (size_t i = 0; i < tree->round_count; i++) {
        const struct tree_round *round = &tree->rounds[i];
        if (round->name != NULL) {
            SCOPED char *name = heap_format("round %zu: %s", i + 1, round->name);
            svg_text(file, MARGIN, top + 12, "title", name, strlen(name));
            top += HEADING;
        }
        svg_round(tree, round, &layouts[i], top, file);
        top += layouts[i].level_y[layouts[i].levels];
        free(layouts[i].level_y);
    }
    fputs("</svg>\n", file);
}

void tree_end(struct tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        FREE(tree->nodes[i].reason, tree->nodes[i].steps);
    for (size_t i = 0; i < tree->round_count; i++)
        free(tree->rounds[i].name);
    FREE(tree->nodes, tree->kept, tree->rounds, tree->solver, tree);
}
