#include "pdb/arrangements.h"
#include "base/clock.h"
#include "base/crew.h"
#include "base/heap.h"
#include "base/pages.h"
#include "base/processors.h"
#include <assert.h>
#include <stdatomic.h>

/* ---- Numbers ---- */

bool numbering_exists(struct shape shape)
{
    /* The longest other side, by the shorter side. Most arrangements: 16,854,390 on 2x7, 50,388,240
     * on 3x6, 5,977,015 on 4x5, 65,650,495 on 5x5; one more has ten times as many and more. */
    static const uint8_t longest[] = {[2] = 7, [3] = 6, [4] = 5, [5] = 5};
    const unsigned shorter = shape.width < shape.height ? shape.width : shape.height;
    return shorter < sizeof longest && shape.cells / shorter <= longest[shorter];
}

/* A line, or how many tiles of each goal line are left: packed, the counts are digits. */
struct counts {
    uint8_t of[MAX_LINES];
    unsigned sum;
};

static struct counts unpack(const struct numbering *numbering, unsigned packed)
{
    struct counts counts = {.sum = 0};
    for (unsigned goal = 0; goal < numbering->lines; goal++) {
        counts.of[goal] = (uint8_t)(packed % (numbering->length + 1));
        counts.sum += counts.of[goal];
        packed /= numbering->length + 1;
    }
    return counts;
}

static unsigned pack(const struct numbering *numbering, const struct counts *counts)
{
    unsigned packed = 0;
    for (unsigned goal = 0; goal < numbering->lines; goal++)
        packed += counts->of[goal] * numbering->weight[goal];
    return packed;
}

/* Takes a line from what is left; false if that has too few of some tiles. */
static bool take(const struct numbering *numbering, struct counts *left, const struct counts *line)
{
    for (unsigned goal = 0; goal < numbering->lines; goal++) {
        if (line->of[goal] > left->of[goal])
            return false;
        left->of[goal] = (uint8_t)(left->of[goal] - line->of[goal]);
    }
    left->sum -= line->sum;
    return true;
}

/* Gives each line that there can be its code: full ones first. Returns them, in heap memory. */
static struct counts *make_codes(struct numbering *numbering, unsigned packings)
{
    struct counts *line = heap_take(MAX_CODES, sizeof *line);
    numbering->code = heap_take(packings, 1);
    memset(numbering->code, NO_CODE, packings);
    for (unsigned blank = 0; blank < 2; blank++) {
        for (unsigned packed = 0; packed < packings; packed++) {
            const struct counts counts = unpack(numbering, packed);
            if (counts.sum != numbering->length - blank)
                continue;
            assert(numbering->codes < MAX_CODES);
            numbering->code[packed] = (uint8_t)numbering->codes;
            line[numbering->codes++] = counts;
        }
        if (blank == 0)
            numbering->full = numbering->codes;
    }
    for (unsigned code = 0; code < numbering->codes; code++)
        for (unsigned goal = 0; goal < numbering->lines; goal++) {
            struct counts counts = line[code];
            const bool full = code < numbering->full;
            numbering->tiles[code][goal] = counts.of[goal];
            numbering->change[code][goal] = NO_CODE;
            if (full && counts.of[goal] == 0)
                continue;
            counts.of[goal] = (uint8_t)(counts.of[goal] + (full ? -1 : 1));
            numbering->change[code][goal] = numbering->code[pack(numbering, &counts)];
        }
    return line;
}

/* States line by line, from the first to the one after the last line, at which nothing is left. */
struct states {
    struct counts *left; /* of each state; owned */
    uint16_t *number;    /* by what is left, packed, of the present line's; owned */
    unsigned first[MAX_LINES + 2];
};

static struct numbering *make(unsigned lines, unsigned length, unsigned blank_line)
{
    struct numbering *made = heap_take(1, sizeof *made);
    unsigned packings = 1;
    made->lines = lines;
    made->length = length;
    made->blank_line = blank_line;
    for (unsigned goal = 0; goal < lines; goal++) {
        made->weight[goal] = (uint16_t)packings;
        packings *= length + 1;
    }
    struct counts *line = make_codes(made, packings);
    struct states states = {.number = heap_take(packings, sizeof *states.number)};
    unsigned count = 1;
    size_t room = 0, steps_room = 0;
    states.left = heap_reserve(NULL, &room, 1, sizeof *states.left);
    states.left[0] = (struct counts){.sum = lines * length - 1};
    for (unsigned goal = 0; goal < lines; goal++)
        states.left[0].of[goal] = (uint8_t)(length - (goal == blank_line));
    states.first[1] = count;
    for (unsigned i = 0; i < lines; i++) {
        memset(states.number, 0, packings * sizeof *states.number);
        made->step =
            heap_reserve(made->step, &steps_room, (size_t)count * made->codes, sizeof *made->step);
        for (unsigned state = states.first[i]; state < states.first[i + 1]; state++)
            for (unsigned code = 0; code < made->codes; code++) {
                struct counts left = states.left[state];
                struct arrangement_step *step = &made->step[state * made->codes + code];
                *step = (struct arrangement_step){0};
                /* What is left must fill the lines that are left, but for one blank at most. */
                if (!take(made, &left, &line[code]) || left.sum > (lines - i - 1) * length ||
                    left.sum + 1 < (lines - i - 1) * length || (i == lines - 1 && left.sum > 0))
                    continue;
                uint16_t *number = &states.number[pack(made, &left)];
                if (*number == 0) {
                    states.left = heap_reserve(states.left, &room, count + 1, sizeof left);
                    states.left[count] = left;
                    *number = (uint16_t)count++;
                }
                step->next = *number;
            }
        states.first[i + 2] = count;
    }
    SCOPED uint32_t *ways = heap_take(count, sizeof *ways); /* to fill the lines behind a state */
    ways[count - 1] = 1;
    for (unsigned state = states.first[lines]; state-- > 0;)
        for (unsigned code = 0; code < made->codes; code++) {
            struct arrangement_step *step = &made->step[state * made->codes + code];
            step->before = ways[state];
            ways[state] += step->next == 0 ? 0 : ways[step->next];
            assert(ways[state] <= MAX_ARRANGEMENTS);
        }
    made->count = ways[0];
    free(states.left);
    free(states.number);
    free(line);
    return made;
}

static struct held {
    struct numbering *numbering;
    struct held *next;
} * all_held;

const struct numbering *numbering_hold(struct shape shape, unsigned blank_line)
{
    for (const struct held *held = all_held; held != NULL; held = held->next)
        if (held->numbering->lines == shape.height && held->numbering->length == shape.width &&
            held->numbering->blank_line == blank_line)
            return held->numbering;
    assert(numbering_exists(shape) && blank_line < shape.height);
    struct held *added = heap_take(1, sizeof *added);
    *added = (struct held){make(shape.height, shape.width, blank_line), all_held};
    all_held = added;
    return added->numbering;
}

uint32_t numbering_goal(const struct numbering *numbering)
{
    uint32_t number = 0;
    unsigned state = 0;
    for (unsigned line = 0; line < numbering->lines; line++) {
        const unsigned tiles = numbering->length - (line == numbering->blank_line);
        const struct arrangement_step step =
            numbering_step(numbering, state, numbering->code[tiles * numbering->weight[line]]);
        number += step.before;
        state = step.next;
    }
    return number;
}

/* ---- Arrangements ---- */

void arrangement_at(const struct numbering *numbering, uint32_t number, struct arrangement *at)
{
    const unsigned codes = numbering->codes;
    unsigned line = 0;
    /* The lines that it has in common with the last one, whose numbers lie side by side. */
    while (line + 1 < numbering->lines && at->state[line + 1] != 0) {
        const unsigned state = at->state[line];
        const unsigned code = at->code[line];
        const uint32_t first = at->before[line + 1];
        if (number < first || code + 1 == codes ||
            number >= at->before[line] + numbering_step(numbering, state, code + 1).before)
            break;
        line++;
    }
    for (; line < numbering->lines; line++) {
        const unsigned state = at->state[line];
        const uint32_t rest = number - at->before[line];
        unsigned low = 0; /* the last code with before <= rest can stand here */
        for (unsigned width = codes; width > 1;) {
            const unsigned half = width / 2;
            if (numbering_step(numbering, state, low + half).before <= rest)
                low += half;
            width -= half;
        }
        const struct arrangement_step step = numbering_step(numbering, state, low);
        at->code[line] = (uint8_t)low;
        at->state[line + 1] = step.next;
        at->before[line + 1] = at->before[line] + step.before;
    }
    at->number = number;
    at->blank_line = 0;
    while (at->code[at->blank_line] < numbering->full)
        at->blank_line++;
}

uint32_t arrangement_after(const struct numbering *numbering, const struct arrangement *from,
                           bool behind, unsigned goal_line)
{
    const unsigned blank = from->blank_line;
    const unsigned other = behind ? blank + 1 : blank - 1;
    if (other >= numbering->lines) /* also 0 - 1 */
        return UINT32_MAX;
    const unsigned taken = numbering->change[from->code[other]][goal_line];
    if (taken == NO_CODE)
        return UINT32_MAX;
    const unsigned given = numbering->change[from->code[blank]][goal_line];
    const unsigned upper = behind ? blank : other;
    const struct arrangement_step first =
        numbering_step(numbering, from->state[upper], behind ? given : taken);
    const struct arrangement_step second =
        numbering_step(numbering, first.next, behind ? taken : given);
    return from->number - (from->before[upper + 2] - from->before[upper]) + first.before +
           second.before;
}

/* ---- Building ---- */

enum { UNKNOWN = UINT8_MAX, CHUNK = 1 << 16 };

struct build {
    const struct numbering *numbering;
    _Atomic uint8_t *distance; /* UNKNOWN: not met yet */
    unsigned level;
    _Atomic uint64_t next; /* number not looked at yet at this level */
    _Atomic uint64_t done; /* arrangements met */
    atomic_bool stopped;
    pattern_progress *progress;
    void *context;
    double last_progress; /* clock_wall() of the last call of `progress` */
};

/* Calls `progress` at most five times a second; only the calling thread does. */
static void report_progress(struct build *build)
{
    const double now = clock_wall();
    if (build->progress == NULL || now - build->last_progress < 0.2)
        return;
    build->last_progress = now;
    if (!build->progress(build->context, atomic_load(&build->done), build->numbering->count))
        atomic_store(&build->stopped, true);
}

/* Meets the arrangements one move from this one; returns how many were not met before. Threads may
 * meet one at the same time: they write the same, and it is counted twice, which only the bar of
 * progress shows. */
static uint64_t expand(const struct build *build, const struct arrangement *at)
{
    const struct numbering *numbering = build->numbering;
    uint64_t met = 0;
    for (unsigned behind = 0; behind < 2; behind++)
        for (unsigned goal = 0; goal < numbering->lines; goal++) {
            const uint32_t next = arrangement_after(numbering, at, behind, goal);
            if (next == UINT32_MAX ||
                atomic_load_explicit(&build->distance[next], memory_order_relaxed) != UNKNOWN)
                continue;
            atomic_store_explicit(&build->distance[next], (uint8_t)(build->level + 1),
                                  memory_order_relaxed);
            met++;
        }
    return met;
}

/* Expands what lies at the present level. */
static void work_off(void *context, unsigned member)
{
    struct build *build = context;
    struct arrangement at = {0};
    const uint64_t count = build->numbering->count;
    while (!atomic_load_explicit(&build->stopped, memory_order_relaxed)) {
        const uint64_t first = atomic_fetch_add_explicit(&build->next, CHUNK, memory_order_relaxed);
        if (first >= count)
            break;
        const uint64_t end = first + CHUNK < count ? first + CHUNK : count;
        uint64_t met = 0;
        for (uint64_t i = first; i < end; i++)
            if (atomic_load_explicit(&build->distance[i], memory_order_relaxed) == build->level) {
                arrangement_at(build->numbering, (uint32_t)i, &at);
                met += expand(build, &at);
            }
        atomic_fetch_add_explicit(&build->done, met, memory_order_relaxed);
        if (member == 0)
            report_progress(build);
    }
}

uint8_t *arrangements_build(const struct numbering *numbering, unsigned threads,
                            pattern_progress *progress, void *context, const char **problem)
{
    const uint32_t count = numbering->count;
    uint8_t *distance = pages_take(count);
    *problem = "not enough memory";
    if (distance == NULL)
        return NULL;
    memset(distance, UNKNOWN, count);
    distance[numbering_goal(numbering)] = 0;
    struct build build = {.numbering = numbering,
                          .distance = (_Atomic uint8_t *)distance,
                          .progress = progress,
                          .context = context};
    if (threads == 0)
        threads = processors_count();
    struct crew *crew = crew_start(count < 2 * CHUNK ? 1 : threads);
    for (uint64_t before = UINT64_MAX; atomic_load(&build.done) != before; build.level++) {
        before = atomic_load(&build.done);
        assert(build.level < UNKNOWN - 1);
        atomic_store(&build.next, 0);
        report_progress(&build);
        crew_work(crew, work_off, &build);
        if (atomic_load(&build.stopped))
            break;
    }
    crew_end(crew);
    if (!atomic_load(&build.stopped))
        return distance;
    *problem = "stopped";
    pages_end(distance, count);
    return NULL;
}
