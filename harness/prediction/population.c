#include "harness/prediction/population.h"
#include "base/heap.h"
#include <math.h>

void population_start(struct population *population, const struct tilted *tilted, bool exact)
{
    *population = (struct population){.tilted = tilted, .exact = exact};
}

void population_end(struct population *population)
{
    FREE(population->classes, population->index);
}

static size_t place_of(const struct population *population, const struct population_class *wanted)
{
    const uint64_t key =
        (uint64_t)wanted->manhattan << 24 | (uint64_t)wanted->h << 8 | wanted->blank;
    size_t place = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) % population->places;
    for (size_t found; (found = population->index[place]) != 0;
         place = (place + 1) % population->places) {
        const struct population_class *class = &population->classes[found - 1];
        if (class->blank == wanted->blank && class->h == wanted->h &&
            class->manhattan == wanted->manhattan)
            break;
    }
    return place;
}

/* Keeps the table of places at most half full. */
static void make_room(struct population *population)
{
    if (population->count * 2 < population->places)
        return;
    free(population->index);
    population->places = population->places == 0 ? 1024 : 2 * population->places;
    population->index = heap_take(population->places, sizeof *population->index);
    for (size_t i = 0; i < population->count; i++)
        population->index[place_of(population, &population->classes[i])] = i + 1;
}

/* How often boards of this Manhattan distance come among all, for one that is drawn. */
static double weight_of(const struct population *population, unsigned manhattan)
{
    const struct tilted *tilted = population->tilted;
    return tilted == NULL
               ? 1
               : exp(manhattan * log(tilted->base) + tilted->log_sum - tilted->log_boards);
}

double population_add(struct population *population, const struct board *board, unsigned h,
                      bool solvable)
{
    population->drawn++;
    if (!solvable)
        return 0;
    struct population_class class = {
        .blank = board->blank, .h = h < UINT16_MAX ? (uint16_t)h : UINT16_MAX, .boards = 1};
    if (population->tilted != NULL)
        class.manhattan = (uint16_t)board_manhattan(board, &population->tilted->goal);
    make_room(population);
    const size_t place = place_of(population, &class);
    if (population->index[place] != 0) {
        population->classes[population->index[place] - 1].boards++;
        return weight_of(population, class.manhattan);
    }
    *HEAP_ADD(population->classes, population->count) = class;
    population->index[place] = population->count;
    return weight_of(population, class.manhattan);
}

struct estimate population_mean(const struct population *population,
                                double (*value)(const void *context, unsigned blank, unsigned h),
                                const void *context)
{
    const double drawn = (double)population->drawn;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < population->count; i++) {
        const struct population_class *class = &population->classes[i];
        const double part =
            value(context, class->blank, class->h) * weight_of(population, class->manhattan);
        sum += (double)class->boards * part;
        squares += (double)class->boards * part * part;
    }
    const double mean = sum / drawn;
    const double variance = squares / drawn - mean * mean;
    return (struct estimate){.mean = mean,
                             .error = population->exact ? 0
                                      : population->drawn < 2
                                          ? NAN
                                          : sqrt((variance > 0 ? variance : 0) / (drawn - 1))};
}
