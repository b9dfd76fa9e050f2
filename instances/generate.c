#include "instances/generate.h"
#include "base/heap.h"
#include "base/random.h"
#include "instances/drawing.h"
#include "puzzle/distance.h"
#include <inttypes.h>
#include <xxhash.h>

#define KEYS(...) __VA_ARGS__
const struct method_row methods[METHODS] = {
#define METHOD(name, needs, takes, max_cells, max_cells_at_depths)                                 \
    {#name, {needs}, {takes}, {max_cells, max_cells_at_depths}},
#include "instances/methods.def"
#undef METHOD
};

const char *const method_names[METHODS] = {
#define METHOD(name, needs, takes, max_cells, max_cells_at_depths) #name,
#include "instances/methods.def"
#undef METHOD
};

static bool has_key(const char *const keys[METHOD_KEYS], const char *key)
{
    for (unsigned i = 0; i < METHOD_KEYS && keys[i] != NULL; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

bool method_needs(enum method method, const char *key)
{
    return has_key(methods[method].needs, key);
}

bool method_takes(enum method method, const char *key)
{
    return has_key(methods[method].takes, key) || method_needs(method, key);
}

/* A set of boards, for `distinct`: open addressing over indices into the batch. */
struct seen {
    uint32_t *slots; /* index + 1; 0 is empty */
    uint32_t mask;
};

/* Whether no instance of the batch, which starts at list->items[first], has this board; if so, it
 * is recorded as the instance that will have `index`. */
static bool add_unseen(struct seen *seen, const struct instance_list *list, size_t first,
                       const struct board *board, uint32_t index)
{
    uint32_t slot = (uint32_t)XXH3_64bits(board->cell, sizeof board->cell) & seen->mask;
    for (; seen->slots[slot] != 0; slot = (slot + 1) & seen->mask)
        if (board_equal(&list->items[first + seen->slots[slot] - 1].start, board))
            return false;
    seen->slots[slot] = index + 1;
    return true;
}

bool draw_batch(struct drawing *drawing, draw_board *draw, uint32_t max_draws)
{
    const struct generation *generation = drawing->generation;
    const bool at_depth = generation->depth_count > 0;
    const size_t first = drawing->list->count;
    struct seen seen = {NULL, 1};
    bool enough = true;
    if (generation->distinct) {
        while (seen.mask / 2 < generation->count && seen.mask < UINT32_MAX)
            seen.mask = 2 * seen.mask + 1;
        seen.slots = heap_take((size_t)seen.mask + 1, sizeof *seen.slots);
    }
    for (uint32_t i = 0; i < generation->count && enough; i++) {
        char name[32];
        struct board board;
        random_stream(drawing->generator, generation->seed, drawing->set, drawing->depth, i);
        uint32_t draws = 0;
        do {
            board = draw(drawing);
            enough = !generation->distinct || add_unseen(&seen, drawing->list, first, &board, i);
            draws += draws < DRAWS_UNLIMITED - 1;
        } while (!enough && draws < max_draws);
        if (at_depth)
            snprintf(name, sizeof name, "d%02" PRIu32 "-%" PRIu32, drawing->depth, i + 1);
        else
            snprintf(name, sizeof name, "%" PRIu32, i + 1);
        if (enough)
            instance_add(drawing->list, generation->set, name, &board, &generation->goal,
                         at_depth ? (int)drawing->depth : LENGTH_UNKNOWN);
    }
    free(seen.slots);
    return enough;
}

bool drawing_refuse(struct drawing *drawing, const char *format, ...)
{
    SCOPED char *text = FORMATTED(format);
    return report_add(drawing->report, drawing->place, "%s", text);
}

uint64_t connected_boards(struct shape shape)
{
    uint64_t boards = 1;
    for (unsigned i = 3; i <= shape.cells && boards <= UINT32_MAX; i++)
        boards *= i;
    return boards;
}

uint64_t generation_boards(const struct generation *generation)
{
    if (generation->count > 0)
        return (uint64_t)generation->count *
               (generation->depth_count > 0 ? generation->depth_count : 1);
    return generation->depth_count > 0 ? 0 : connected_boards(generation->goal.shape);
}

bool instances_generate(const struct generation *generation, struct text_place place,
                        struct report *report, struct instance_list *list)
{
    static bool (*const generate[METHODS])(struct drawing *) = {
#define METHOD(name, needs, takes, max_cells, max_cells_at_depths) generate_##name,
#include "instances/methods.def"
#undef METHOD
    };
    const struct shape shape = generation->goal.shape;
    const unsigned max_cells =
        methods[generation->method].max_cells[generation->depth_count > 0 ? 1 : 0];
    struct drawing drawing = {.generation = generation,
                              .set = XXH32(generation->set, strlen(generation->set), 0),
                              .list = list,
                              .place = place,
                              .report = report};
    if (shape.cells > max_cells)
        return drawing_refuse(
            &drawing, "%ux%u boards are too large for method %s; expected at most %u cells",
            shape.width, shape.height, methods[generation->method].name, max_cells);
    operators_make(shape, DEFAULT_ORDER, &drawing.operators);
    drawing.generator = gsl_rng_alloc(random_philox);
    if (drawing.generator == NULL)
        heap_exhausted();
    const bool fine = generate[generation->method](&drawing);
    gsl_rng_free(drawing.generator);
    return fine;
}
