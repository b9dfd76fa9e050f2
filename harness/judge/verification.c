#include "harness/judge/verification.h"
#include "algorithms/solver.h"
#include "base/heap.h"
#include "harness/text/human.h"
#include "harness/text/progress.h"
#include "harness/text/screen.h"
#include "harness/text/tidy.h"
#include "instances/generate.h"
#include <inttypes.h>
#include <math.h>

enum { SAMPLE = 1000 };

/* Heuristics with an argument that are judged if none is named. Those with large tables must be
 * named. */
static const char *const usual[] = {
    "max:linear_conflict+walking_distance",
    "pdb:4-4",
    "pdb:4-4:reflect",
    "pdb:5-5-5",
    "pdb:5-5-5:reflect",
    "pdb:6-6-3",
    "pdb:6-6-3:reflect",
};

static bool read_one(struct verification *verification, const char *text, struct report *report)
{
    struct heuristic_choice *choice = &verification->choice[verification->count];
    if (!solver_read_heuristic(text, NO_PLACE, report, choice))
        return false;
    SCOPED char *reason = heuristic_refuses(choice, &verification->goal);
    if (reason == NULL && verification->cost != COST_unit && !heuristic_has_price(choice))
        reason = heap_format("%s counts moves; with costs %s it is not defined", text,
                             cost_names[verification->cost]);
    if (reason != NULL)
        report_add(report, NO_PLACE, "%s", reason);
    verification->count += reason == NULL;
    return reason == NULL;
}

static void count_pattern(void *context, const struct pattern *pattern)
{
    unsigned *count = context;
    (void)pattern;
    (*count)++;
}

/* Whether a heuristic has tables that are kept in files: it is judged only if it is named. */
static bool has_tables(const struct verification *verification, const char *text)
{
    struct heuristic_choice choice;
    unsigned count = 0;
    SCOPED_BY(report_end) struct report report = {0};
    const bool fine = heuristic_parse(text, NO_PLACE, &report, &choice);
    SCOPED char *reason = fine ? heuristic_refuses(&choice, &verification->goal) : NULL;
    if (fine && reason == NULL)
        heuristic_patterns(&choice, &verification->goal, COST_unit, count_pattern, &count);
    return count > 0;
}

/* Takes all heuristics that are defined for the goal; names the others. */
static void read_all(struct verification *verification, FILE *messages)
{
    struct report none = {0};
    const struct heuristic_kind *kind;
    for (unsigned i = 0; (kind = heuristic_at(i)) != NULL; i++) {
        if (heuristic_takes_argument(kind))
            continue;
        if (has_tables(verification, kind->name)) {
            screen_say(messages,
                       "tilelab: left out: %s has large tables on %ux%u; expected its name\n",
                       kind->name, verification->goal.shape.width, verification->goal.shape.height);
        } else if (!read_one(verification, kind->name, &none)) {
            screen_say(messages, "tilelab: left out: %s", none.text);
            report_end(&none);
        }
    }
    for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strncmp(usual[i], "max:", 4) != 0 || !has_tables(verification, usual[i]))
            read_one(verification, usual[i], &none); /* each fits only some shapes */
    report_end(&none);
}

/* The boards to judge on. */
static bool get_boards(const struct heuristics_question *question,
                       struct verification *verification, struct report *report)
{
    verification->exact =
        question->boards == 0 && verification->goal.shape.cells <= MAX_TABLE_CELLS;
    if (verification->exact)
        return distances_make(&verification->goal, &verification->distances);
    const struct generation generation = {.set = "generated",
                                          .method = METHOD_uniform,
                                          .goal = verification->goal,
                                          .seed = question->seed,
                                          .count = question->boards > 0 ? (uint32_t)question->boards
                                                                        : SAMPLE};
    return instances_generate(&generation, NO_PLACE, report, &verification->sample);
}

bool verification_read(const struct heuristics_question *question,
                       struct verification *verification, FILE *messages, struct report *report)
{
    verification->cost = question->cost;
    for (unsigned i = 0; i < question->count; i++)
        read_one(verification, question->texts[i], report);
    if (question->count == 0)
        read_all(verification, messages);
    return report->count == 0 && get_boards(question, verification, report);
}

/* Judges one heuristic on all boards. */
static void judge_one(struct verification *verification, unsigned number, struct progress *progress)
{
    const struct distances *distances = &verification->distances;
    const size_t count = verification->exact ? distances->ranking.size : verification->sample.count;
    SCOPED_BY(judge_end) struct judge judge;
    SCOPED char *name = solver_heuristic_text(&verification->choice[number]);
    judge_start(&judge, &verification->choice[number], &verification->goal);
    for (size_t i = 0; i < count; i++) {
        struct board board;
        if (verification->exact)
            ranking_unrank(&distances->ranking, (uint32_t)i, &board);
        else
            board = verification->sample.items[i].start;
        judge_board(&judge, &board, verification->exact ? distances->depth[i] : -1);
        if (i % 1024 == 0)
            progress_show(progress, number * count + i, name);
    }
    verification->judgement[number] = judge.judgement;
}

size_t verification_boards(const struct verification *verification)
{
    return verification->exact ? verification->distances.ranking.size : verification->sample.count;
}

void verification_run(struct verification *verification, bool quiet)
{
    struct progress progress;
    progress_start(&progress, "boards", 0, verification->count * verification_boards(verification),
                   quiet);
    for (unsigned n = 0; n < verification->count; n++)
        judge_one(verification, n, &progress);
    progress_clear(&progress);
}

/* "yes", "no" (neither claimed nor true), or what is wrong with the claim. */
static char *claim_text(const struct verification *verification, unsigned number, unsigned claim)
{
    const struct judgement *judgement = &verification->judgement[number];
    const bool claimed = (heuristic_properties(&verification->choice[number]) & claim) != 0;
    const bool broken = (judgement_broken(judgement) & claim) != 0;
    if (claim == ADMISSIBLE && !verification->exact)
        return heap_text(claimed ? "claimed" : "no");
    if (broken)
        return heap_text(claimed ? "NO, THOUGH CLAIMED" : "no");
    return heap_text(claimed || verification->exact ? "yes" : "not claimed");
}

static double mean_of(const struct judgement *judgement)
{
    return (double)judgement->sum / (double)judgement->boards;
}

/* The standard error of the mean of a sample. */
static double standard_error(const struct judgement *judgement)
{
    const double boards = (double)judgement->boards;
    const double mean = mean_of(judgement);
    return sqrt(((double)judgement->squares / boards - mean * mean) / (boards - 1));
}

static const struct {
    unsigned claim;
    const char *heading;
} claims[] = {
    {ADMISSIBLE, "admissible"},   {CONSISTENT, "consistent"},   {KEEPS_PARITY, "parity"},
    {POSITIVE, "0 at goal only"}, {INCREMENTAL, "incremental"},
};
enum { CLAIMS = sizeof claims / sizeof *claims };

static void print_claims(const struct verification *verification, FILE *file)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_heads(&table, "heuristic:t|mean h:4");
    if (!verification->exact)
        tidy_fixed(&table, "+-", 4);
    tidy_column_as(&table, "largest h", "", SHAPE_FULL);
    for (unsigned i = 0; i < CLAIMS; i++) {
        tidy_column_as(&table, claims[i].heading, "", SHAPE_TEXT);
        tidy_rank(&table, i + 1);
    }
    for (unsigned n = 0; n < verification->count; n++) {
        const struct judgement *judgement = &verification->judgement[n];
        SCOPED char *name = solver_heuristic_text(&verification->choice[n]);
        tidy_add(&table, "%s %g", name, mean_of(judgement));
        if (!verification->exact)
            tidy_number(&table, NORMAL_95 * standard_error(judgement));
        tidy_number(&table, judgement->largest);
        for (unsigned i = 0; i < CLAIMS; i++) {
            SCOPED char *text = claim_text(verification, n, claims[i].claim);
            tidy_text(&table, text);
        }
    }
    tidy_print(&table, file);
}

static void print_depths(const struct verification *verification, FILE *file)
{
    SCOPED_BY(tidy_end) struct tidy table = {0};
    tidy_heads(&table, "distance:f|boards:f");
    for (unsigned n = 0; n < verification->count; n++) {
        SCOPED char *name = solver_heuristic_text(&verification->choice[n]);
        tidy_fixed(&table, name, 3);
    }
    for (unsigned depth = 0; depth <= verification->distances.deepest; depth++) {
        tidy_numbers(&table, depth, verification->distances.states[depth]);
        for (unsigned n = 0; n < verification->count; n++) {
            const struct judgement *judgement = &verification->judgement[n];
            tidy_number(&table,
                        (double)judgement->sum_at[depth] / (double)judgement->boards_at[depth]);
        }
    }
    fprintf(file, "\nmean h by distance\n\n");
    tidy_print(&table, file);
}

void verification_print(const struct verification *verification, FILE *file)
{
    const struct shape shape = verification->goal.shape;
    char goal[BOARD_LINE];
    board_line(&verification->goal, goal);
    fprintf(file, "%s%zu boards of %ux%u, goal %s\n\n", verification->exact ? "all " : "",
            verification_boards(verification), shape.width, shape.height, goal);
    print_claims(verification, file);
    if (verification->exact && verification->count > 0)
        print_depths(verification, file);
}

static json_t *judgement_json(const struct verification *verification, unsigned number)
{
    const struct judgement *judgement = &verification->judgement[number];
    const unsigned broken = judgement_broken(judgement);
    SCOPED char *name = solver_heuristic_text(&verification->choice[number]);
    json_t *json = json_pack(
        "{s: s, s: I, s: f, s: i, s: b, s: b, s: b, s: b, s: I}", "heuristic", name, "boards",
        (json_int_t)judgement->boards, "mean", mean_of(judgement), "largest",
        (int)judgement->largest, "consistent", (broken & CONSISTENT) == 0, "parity",
        (broken & KEEPS_PARITY) == 0, "zero_at_goal_only", (broken & POSITIVE) == 0, "incremental",
        (broken & INCREMENTAL) == 0, "steps_unequal", (json_int_t)judgement->unequal);
    if (!verification->exact) {
        json_object_set_new(json, "standard_error", json_real(standard_error(judgement)));
        return json;
    }
    json_object_set_new(json, "admissible", json_boolean((broken & ADMISSIBLE) == 0));
    json_object_set_new(json, "mean_at_distance",
                        JSON_ARRAY(depth, verification->distances.deepest + 1,
                                   json_real((double)judgement->sum_at[depth] /
                                             (double)judgement->boards_at[depth])));
    return json;
}

json_t *verification_json(const struct verification *verification)
{
    return JSON_ARRAY(n, verification->count, judgement_json(verification, (unsigned)n));
}

/* What a counterexample shows, for the end of a message; heap memory. */
static char *shown(const struct judgement *judgement, unsigned claim)
{
    char board[BOARD_LINE], next[BOARD_LINE];
    if (judgement->at_goal != 0 && (claim & (ADMISSIBLE | CONSISTENT | POSITIVE)) != 0)
        return heap_format(": it is %u at the goal", judgement->at_goal);
    if (claim == ADMISSIBLE) {
        const struct counterexample *found = &judgement->too_high;
        board_line(&found->board, board);
        return heap_format(": on %s it is %u, the distance is %d", board, found->h,
                           found->distance);
    }
    if (claim == CONSISTENT) {
        const struct counterexample *found = &judgement->fall;
        board_line(&found->board, board);
        board_line(&found->next, next);
        return heap_format(": on %s it is %u, a move later on %s it is %u", board, found->h, next,
                           found->next_h);
    }
    return heap_text("");
}

/* Reports what is wrong with a heuristic whatever it claims: a plugin may do anything. */
static bool report_faults(const char *name, const struct judgement *judgement, FILE *messages)
{
    char board[BOARD_LINE];
    if (judgement->unequal > 0 && judgement->unsteady == 0)
        screen_say(messages,
                   "tilelab: %s: after %" PRIu64
                   " moves the incremental value is not the one from scratch\n",
                   name, judgement->unequal);
    if (judgement->unsteady > 0) {
        board_line(&judgement->wavers.board, board);
        screen_say(messages,
                   "tilelab: %s is not the same twice on %" PRIu64 " boards: on %s it is %u, then "
                   "%u; expected a value that depends on the board alone\n",
                   name, judgement->unsteady, board, judgement->wavers.h, judgement->wavers.next_h);
    }
    return judgement->unequal > 0 || judgement->unsteady > 0;
}

/* Reports the claims that do not hold. Returns the number of heuristics with such a claim or
 * another fault. */
unsigned verification_report(const struct verification *verification, FILE *messages)
{
    unsigned findings = 0;
    for (unsigned n = 0; n < verification->count; n++) {
        const struct judgement *judgement = &verification->judgement[n];
        const unsigned wrong =
            judgement_broken(judgement) & heuristic_properties(&verification->choice[n]);
        SCOPED char *name = solver_heuristic_text(&verification->choice[n]);
        for (unsigned i = 0; i < CLAIMS; i++) {
            if ((wrong & claims[i].claim) == 0)
                continue;
            SCOPED char *example = shown(judgement, claims[i].claim);
            screen_say(messages, "tilelab: %s claims '%s', which does not hold%s\n", name,
                       claims[i].heading, example);
        }
        findings += report_faults(name, judgement, messages) || wrong != 0;
    }
    return findings;
}

void verification_end(struct verification *verification)
{
    distances_end(&verification->distances);
    instance_list_end(&verification->sample);
}
