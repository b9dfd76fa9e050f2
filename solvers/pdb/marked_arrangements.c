#include "pdb/marked_arrangements.h"
#include "base/heap.h"
#include <assert.h>
#include <string.h>

enum { UNKNOWN = UINT8_MAX };

struct build {
    const struct numbering *numbering;
    uint8_t *distance;
    uint32_t *queue; /* entries met, in the order of their distances */
    uint32_t count;
};

uint64_t marked_entries(const struct numbering *numbering, unsigned marks)
{
    uint64_t entries = numbering->count;
    for (unsigned i = 0; i < marks; i++)
        entries *= numbering->lines;
    return entries;
}

static void meet(struct build *build, uint32_t number, const struct marked_tiles *marks,
                 unsigned level)
{
    const uint32_t entry = marked_entry(build->numbering, number, marks);
    if (build->distance[entry] != UNKNOWN)
        return;
    assert(level < UNKNOWN);
    build->distance[entry] = (uint8_t)level;
    build->queue[build->count++] = entry;
}

/* Meets what is one move away by a tile from `line`, the one before the blank's or, if `behind`,
 * after it: any tile that is not marked, or one that is. */
static void expand(struct build *build, const struct arrangement *at,
                   const struct marked_tiles *marks, unsigned line, bool behind, unsigned level)
{
    const struct numbering *numbering = build->numbering;
    unsigned marked[MAX_LINES] = {0}; /* of each goal line, in `line` */
    for (unsigned i = 0; i < marks->count; i++) {
        struct marked_tiles moved = *marks;
        if (marks->line[i] != line)
            continue;
        marked[marks->goal_line[i]]++;
        moved.line[i] = (uint8_t)at->blank_line;
        meet(build, arrangement_after(numbering, at, behind, marks->goal_line[i]), &moved, level);
    }
    for (unsigned goal = 0; goal < numbering->lines; goal++)
        if (numbering->tiles[at->code[line]][goal] > marked[goal])
            meet(build, arrangement_after(numbering, at, behind, goal), marks, level);
}

uint8_t *marked_build(const struct numbering *numbering, uint32_t number,
                      const struct marked_tiles *marks)
{
    const uint64_t entries = marked_entries(numbering, marks->count);
    struct build build = {.numbering = numbering,
                          .distance = heap_take(entries, 1),
                          .queue = heap_take(entries, sizeof *build.queue)};
    struct arrangement at = {0};
    assert(entries <= UINT32_MAX);
    memset(build.distance, UNKNOWN, entries);
    meet(&build, number, marks, 0);
    for (uint32_t i = 0; i < build.count; i++) {
        struct marked_tiles now = *marks;
        uint32_t rest = build.queue[i];
        for (unsigned mark = marks->count; mark-- > 0; rest /= numbering->lines)
            now.line[mark] = (uint8_t)(rest % numbering->lines);
        const unsigned level = build.distance[build.queue[i]] + 1U;
        arrangement_at(numbering, rest, &at);
        if (at.blank_line > 0)
            expand(&build, &at, &now, at.blank_line - 1, false, level);
        if (at.blank_line + 1 < numbering->lines)
            expand(&build, &at, &now, at.blank_line + 1, true, level);
    }
    free(build.queue);
    return build.distance;
}
