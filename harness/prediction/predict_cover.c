/* What every search from both ends must expand (prediction/cover.h): of one board, or of all, by
 * distance. */
#include "base/heap.h"
#include "harness/prediction/cover.h"
#include "harness/prediction/predict.h"
#include "harness/text/progress.h"
#include <math.h>

/* Sums over the boards of a distance. */
struct cover_sums {
    uint64_t boards, forward, backward, size[COVER_EDGES];
};

static void cover_columns(struct tidy *table)
{
    static const char *const columns[][3] = {
        {"optimal_length", "distance", "C*: the length of a shortest solution; empty: all boards"},
        {"boards", NULL, "how many boards lie at that distance"},
        {"forward", NULL, "mean number of states with f < C* from the start: what A* must expand"},
        {"backward", NULL, "the same from the goal"},
        {"cover", NULL,
         "mean minimum vertex cover of the pairs of which one must be expanded, e = 0"},
        {"cover_e1", "cover, e = 1", "the same with e = 1, the least cost of a move"},
        {"cover_e1_total", NULL, "the sum of cover_e1 over the boards"},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        predict_column(table, columns[i][0], columns[i][1],
                       i >= 2 && i <= 5 ? SHAPE_MEAN : SHAPE_NUMBER, columns[i][2]);
    table->columns[table->column_count - 1].hidden = true;
}

static void add_row(struct tidy *table, double distance, const struct cover_sums *sums)
{
    const double boards = (double)sums->boards;
    tidy_numbers(table, distance, boards, (double)sums->forward / boards,
                 (double)sums->backward / boards, (double)sums->size[0] / boards,
                 (double)sums->size[1] / boards, (double)sums->size[1]);
}

static void add_cover(struct cover_sums *sums, const struct cover *cover)
{
    sums->boards++;
    sums->forward += cover->forward;
    sums->backward += cover->backward;
    for (unsigned e = 0; e < COVER_EDGES; e++)
        sums->size[e] += cover->size[e];
}

char *cover_refuses(const struct prediction *prediction)
{
    if (prediction->goal.shape.cells > MAX_TABLE_CELLS)
        return heap_format("covers are counted over all boards; expected a size of up to %d cells",
                           MAX_TABLE_CELLS);
    if ((heuristic_properties(&prediction->choice) & CONSISTENT) == 0)
        return heap_format("%s does not claim to be consistent; covers are defined for consistent "
                           "heuristics",
                           prediction->name);
    if (prediction->has_board)
        return heuristic_refuses(&prediction->choice, &prediction->board);
    if (prediction->choice.kind->extras != NULL && prediction->choice.kind->extras->build != NULL)
        return heap_format("%s needs tables for each board as a goal; expected one BOARD, or a "
                           "heuristic without tables",
                           prediction->name);
    return NULL;
}

static enum ending cover_all(struct prediction *prediction, struct covers *covers,
                             struct cover_sums *by)
{
    const size_t boards = prediction->distances.ranking.size;
    struct progress progress;
    SCOPED char *reason = NULL;
    progress_start(&progress, "boards", 0, boards, prediction->quiet);
    for (size_t i = 0; i < boards; i++) {
        struct board board;
        ranking_unrank(&prediction->distances.ranking, (uint32_t)i, &board);
        if ((reason = heuristic_refuses(&prediction->choice, &board)) != NULL)
            break;
        const struct cover cover = cover_of(covers, &board);
        add_cover(&by[cover.optimal], &cover);
        if (i % 64 == 0)
            progress_show(&progress, i, prediction->name);
    }
    progress_clear(&progress);
    if (reason == NULL)
        return ENDING_DONE;
    prediction->problem = heap_format("a start is the goal of the search back: %s", reason);
    return ENDING_REFUSED;
}

enum ending predict_cover(struct prediction *prediction)
{
    struct tidy table = {0};
    SCOPED_BY(covers_end) struct covers covers;
    struct cover_sums by[MAX_DISTANCES] = {{0}}, all = {0};
    enum ending ending = ENDING_DONE;
    covers_start(&covers, &prediction->distances, &prediction->choice);
    if (prediction->has_board) {
        const struct cover cover = cover_of(&covers, &prediction->board);
        add_cover(&by[cover.optimal], &cover);
    } else {
        ending = cover_all(prediction, &covers, by);
    }
    cover_columns(&table);
    for (unsigned distance = 0; distance < MAX_DISTANCES; distance++) {
        if (by[distance].boards == 0)
            continue;
        add_row(&table, distance, &by[distance]);
        all.boards += by[distance].boards;
        all.forward += by[distance].forward;
        all.backward += by[distance].backward;
        for (unsigned e = 0; e < COVER_EDGES; e++)
            all.size[e] += by[distance].size[e];
    }
    if (!prediction->has_board)
        add_row(&table, NAN, &all);
    predict_table(
        prediction, "cover",
        heap_format("What searches from both ends must expand with %s, ", prediction->name),
        &table);
    return ending;
}
