#include "harness/judge/cost_claims.h"
#include "algorithms/solver.h"
#include "base/cost_heap.h"
#include "harness/text/progress.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include <inttypes.h>

/* ---- Exact costs ---- */

/* A board on the open list; one that became cheaper is in it again. */
struct reached {
    uint64_t cost;
    uint32_t rank;
};

/* What each board's way to the goal costs, by rank; moves are as dear back as forth. */
static uint64_t *exact_costs(const struct ranking *ranking, const struct board *goal,
                             const struct move_costs *costs)
{
    uint64_t *exact = heap_take(ranking->size, sizeof *exact);
    struct cost_heap open = {0};
    struct reached reached = {0, ranking_rank(ranking, goal)};
    for (uint32_t rank = 0; rank < ranking->size; rank++)
        exact[rank] = COST_UNKNOWN;
    exact[reached.rank] = 0;
    cost_heap_push(&open, &reached, sizeof reached);
    while (open.count > 0) {
        struct board board;
        cost_heap_pop(&open, &reached, sizeof reached);
        if (reached.cost > exact[reached.rank])
            continue;
        ranking_unrank(ranking, reached.rank, &board);
        for (unsigned move = 0; move < MOVES; move++) {
            const unsigned blank = board.blank;
            const unsigned to = move_target(board.shape, blank, move);
            if (to == NO_CELL)
                continue;
            const uint64_t cost = reached.cost + costs->of[board.cell[to]];
            board_slide(&board, to);
            const uint32_t rank = ranking_rank(ranking, &board);
            board_slide(&board, blank);
            if (cost >= exact[rank])
                continue;
            exact[rank] = cost;
            cost_heap_push(&open, &(struct reached){cost, rank}, sizeof reached);
        }
    }
    free(open.items);
    return exact;
}

/* ---- Judging ---- */

static void weigh_moves(const struct heuristic *heuristic, struct board board, uint64_t h,
                        struct cost_judgement *judgement)
{
    const unsigned blank = board.blank;
    for (unsigned move = 0; move < MOVES; move++) {
        const unsigned from = move_target(board.shape, blank, move);
        if (from == NO_CELL)
            continue;
        const unsigned tile = board.cell[from];
        struct board child = board;
        board_slide(&child, from);
        const uint64_t next = heuristic_priced(heuristic, &child);
        judgement->unequal +=
            heuristic_priced_step(heuristic, &child, h, tile, from, blank) != next;
        if (next + heuristic->costs->of[tile] < h && judgement->falls++ == 0) {
            judgement->before = board;
            judgement->after = child;
            judgement->fell_from = h;
            judgement->fell_to = next;
        }
    }
}

static void weigh_board(const struct heuristic *heuristic, const struct board *board, uint64_t cost,
                        struct cost_judgement *judgement)
{
    const uint64_t h = heuristic_priced(heuristic, board);
    judgement->boards++;
    judgement->sum += (double)h / (double)heuristic->costs->scale;
    judgement->largest = h > judgement->largest ? h : judgement->largest;
    judgement->zeros += h == 0 && !board_equal(board, &heuristic->goal);
    if (h > cost && (judgement->above++ == 0 || cost < judgement->its_cost)) {
        judgement->too_high = *board;
        judgement->its_h = h;
        judgement->its_cost = cost;
    }
    weigh_moves(heuristic, *board, h, judgement);
}

void cost_claims_judge(struct cost_claims *claims, bool quiet)
{
    const struct verification *verification = claims->verification;
    const struct ranking *ranking = &verification->distances.ranking;
    const size_t count = verification_boards(verification);
    struct progress progress;
    if (verification->exact)
        claims->exact = exact_costs(ranking, &verification->goal, &claims->costs);
    progress_start(&progress, "boards", 0, verification->count * count, quiet);
    for (unsigned n = 0; n < verification->count; n++) {
        struct heuristic heuristic;
        SCOPED char *name = solver_heuristic_text(&verification->choice[n]);
        heuristic_start_priced(&heuristic, &verification->choice[n], &verification->goal,
                               &claims->costs);
        claims->judgement[n].at_goal = heuristic_priced(&heuristic, &verification->goal);
        for (size_t i = 0; i < count; i++) {
            struct board board;
            if (verification->exact)
                ranking_unrank(ranking, (uint32_t)i, &board);
            else
                board = verification->sample.items[i].start;
            weigh_board(&heuristic, &board, verification->exact ? claims->exact[i] : COST_UNKNOWN,
                        &claims->judgement[n]);
            if (i % 1024 == 0)
                progress_show(&progress, n * count + i, name);
        }
        heuristic_end(&heuristic);
    }
    progress_clear(&progress);
}

void cost_claims_end(struct cost_claims *claims)
{
    free(claims->exact);
}

/* ---- What is told ---- */

static const struct {
    unsigned claim;
    const char *heading, *key;
} told[] = {
    {ADMISSIBLE, "admissible", "admissible"},
    {CONSISTENT, "consistent", "consistent"},
    {POSITIVE, "0 at goal only", "zero_at_goal_only"},
};
enum { TOLD = sizeof told / sizeof *told };

static unsigned broken_of(const struct cost_judgement *judgement)
{
    return (judgement->above > 0 ? ADMISSIBLE : 0U) | (judgement->falls > 0 ? CONSISTENT : 0U) |
           (judgement->zeros > 0 ? POSITIVE : 0U) |
           (judgement->at_goal > 0 ? ADMISSIBLE | CONSISTENT | POSITIVE : 0U);
}

/* What it claims with costs as without. */
static unsigned claimed_of(const struct cost_claims *claims, unsigned number)
{
    return heuristic_properties(&claims->verification->choice[number]);
}

static const char *claim_text(const struct cost_claims *claims, unsigned number, unsigned claim)
{
    const bool exact = claims->verification->exact;
    const bool claimed = (claimed_of(claims, number) & claim) != 0;
    if (claim == ADMISSIBLE && !exact)
        return claimed ? "claimed" : "no";
    if ((broken_of(&claims->judgement[number]) & claim) != 0)
        return claimed ? "NO, THOUGH CLAIMED" : "no";
    return claimed || exact ? "yes" : "not claimed";
}

void cost_claims_print(const struct cost_claims *claims, FILE *file)
{
    const struct verification *verification = claims->verification;
    char goal[BOARD_LINE], largest[COST_TEXT];
    SCOPED_BY(tidy_end) struct tidy table = {0};
    board_line(&verification->goal, goal);
    fprintf(file, "%s%zu boards of %ux%u, goal %s, costs %s\n\n", verification->exact ? "all " : "",
            verification_boards(verification), verification->goal.shape.width,
            verification->goal.shape.height, goal, cost_names[claims->costs.model]);
    tidy_heads(&table, "heuristic:t|mean h:4|largest h:t");
    for (unsigned i = 0; i < TOLD; i++)
        tidy_column_as(&table, told[i].heading, "", SHAPE_TEXT);
    for (unsigned n = 0; n < verification->count; n++) {
        const struct cost_judgement *judgement = &claims->judgement[n];
        SCOPED char *name = solver_heuristic_text(&verification->choice[n]);
        tidy_add(&table, "%s %g %s", name, judgement->sum / (double)judgement->boards,
                 cost_text(judgement->largest, claims->costs.scale, largest));
        for (unsigned i = 0; i < TOLD; i++)
            tidy_text(&table, claim_text(claims, n, told[i].claim));
    }
    tidy_print(&table, file);
}

json_t *cost_claims_json(const struct cost_claims *claims)
{
    json_t *array = json_array();
    for (unsigned n = 0; n < claims->verification->count; n++) {
        const struct cost_judgement *judgement = &claims->judgement[n];
        char largest[COST_TEXT];
        SCOPED char *name = solver_heuristic_text(&claims->verification->choice[n]);
        json_t *json =
            json_pack("{s: s, s: s, s: I, s: f, s: s, s: I}", "heuristic", name, "cost_model",
                      cost_names[claims->costs.model], "boards", (json_int_t)judgement->boards,
                      "mean", judgement->sum / (double)judgement->boards, "largest",
                      cost_text(judgement->largest, claims->costs.scale, largest), "steps_unequal",
                      (json_int_t)judgement->unequal);
        for (unsigned i = 0; i < TOLD; i++)
            if (told[i].claim != ADMISSIBLE || claims->verification->exact)
                json_object_set_new(json, told[i].key,
                                    json_boolean((broken_of(judgement) & told[i].claim) == 0));
        json_array_append_new(array, json);
    }
    return array;
}

/* What a counterexample shows, for the end of a message; heap memory. */
static char *shown(const struct cost_claims *claims, const struct cost_judgement *judgement,
                   unsigned claim)
{
    const uint64_t scale = claims->costs.scale;
    char board[BOARD_LINE], next[BOARD_LINE], h[COST_TEXT], other[COST_TEXT];
    if (judgement->at_goal > 0)
        return heap_format(": it is %s at the goal", cost_text(judgement->at_goal, scale, h));
    if (claim == ADMISSIBLE) {
        board_line(&judgement->too_high, board);
        return heap_format(": on %s it is %s, a cheapest solution costs %s", board,
                           cost_text(judgement->its_h, scale, h),
                           cost_text(judgement->its_cost, scale, other));
    }
    if (claim == CONSISTENT) {
        board_line(&judgement->before, board);
        board_line(&judgement->after, next);
        return heap_format(": on %s it is %s, a move later on %s it is %s", board,
                           cost_text(judgement->fell_from, scale, h), next,
                           cost_text(judgement->fell_to, scale, other));
    }
    return heap_text("");
}

unsigned cost_claims_report(const struct cost_claims *claims, FILE *messages)
{
    const char *model = cost_names[claims->costs.model];
    unsigned findings = 0;
    for (unsigned n = 0; n < claims->verification->count; n++) {
        const struct cost_judgement *judgement = &claims->judgement[n];
        const unsigned wrong = broken_of(judgement) & claimed_of(claims, n);
        SCOPED char *name = solver_heuristic_text(&claims->verification->choice[n]);
        bool found = judgement->unequal > 0;
        for (unsigned i = 0; i < TOLD; i++) {
            if ((wrong & told[i].claim) == 0)
                continue;
            SCOPED char *example = shown(claims, judgement, told[i].claim);
            found = true;
            screen_say(messages, "tilelab: %s claims '%s', which does not hold with costs %s%s\n",
                       name, told[i].heading, model, example);
        }
        if (judgement->unequal > 0)
            screen_say(messages,
                       "tilelab: %s: after %" PRIu64
                       " moves the incremental value is not the one from scratch\n",
                       name, judgement->unequal);
        findings += found;
    }
    return findings;
}
