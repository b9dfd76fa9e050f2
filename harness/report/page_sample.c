#include "harness/report/page_sample.h"
#include "base/heap.h"
#include "harness/results/rows.h"
#include "harness/text/human.h"
#include "harness/text/screen.h"
#include "harness/text/sorting.h"

/* A board that may be drawn. */
struct candidate {
    size_t instance;
    size_t runs;
    bool unsolved; /* some run on it is not solved, nor answered */
    uint64_t draw;
};

ORDER_BY(by_draw, struct candidate, ORDER(y->unsolved, x->unsolved), BY(draw), BY(instance));

static bool is_unsolved(const struct results *results, size_t run)
{
    const struct run_row *row = &results->runs[run];
    return row->status != STATUS_solved &&
           !(row->status == STATUS_unsolvable && results->known[row->instance].unsolvable);
}

/* Draws boards of a block from its candidates, one for each of its instances, until they have so
 * many runs. */
static void draw_block(struct page_sample *sample, struct candidate *candidates, size_t count,
                       double share)
{
    size_t unsolved = 0;
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        unsolved += candidates[i].unsolved ? candidates[i].runs : 0;
    for (size_t i = 0; i < count && (double)unsolved > share / 4; i++)
        candidates[i].unsolved = false;
    qsort(candidates, count, sizeof *candidates, by_draw);
    for (size_t i = 0; i < count && (double)taken < share; i++) {
        sample->boards[candidates[i].instance] = true;
        sample->count++;
        taken += candidates[i].runs;
    }
    sample->runs += taken;
}

struct page_sample page_sample_draw(const struct results *results, size_t most)
{
    struct page_sample sample = {0};
    SCOPED struct candidate *boards = heap_take(results->instances.count, sizeof *boards);
    sample.boards = heap_take(results->instances.count, sizeof *sample.boards);
    for (size_t i = 0; i < results->instances.count; i++)
        boards[i] =
            (struct candidate){.instance = i, .draw = names_hash(results->instances.text[i])};
    for (size_t i = 0; i < results->count; i++) {
        boards[results->runs[i].instance].runs++;
        boards[results->runs[i].instance].unsolved |= is_unsolved(results, i);
    }
    for (size_t i = 0; i < results->block_count; i++) {
        const struct block *block = &results->blocks[i];
        size_t runs = 0;
        for (size_t j = block->first; j < block->first + block->count; j++)
            runs += boards[j].runs;
        draw_block(&sample, boards + block->first, block->count,
                   (double)most * (double)runs / (double)results->count);
    }
    for (size_t i = 0; i < results->count; i++) {
        sample.all_unsolved += is_unsolved(results, i);
        sample.unsolved += is_unsolved(results, i) && sample.boards[results->runs[i].instance];
    }
    return sample;
}

/* What is read again. */
struct again {
    const struct page_sample *sample;
    const struct results *results;
};

static bool is_drawn(const void *context, const char *run_id)
{
    const struct again *again = context;
    const size_t run = names_find(&again->results->run_ids, run_id);
    return run != NAMES_NONE && again->sample->boards[again->results->runs[run].instance];
}

bool page_sample_read(const struct page_sample *sample, const struct results *results,
                      const char *const *paths, size_t count, struct page_runs *runs, FILE *errors)
{
    const struct again again = {sample, results};
    struct results own = {.claimed = results->claimed,
                          .wanted = is_drawn,
                          .wanted_of = &again,
                          .counted = page_runs_keep,
                          .context = runs};
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        SCOPED char *file = results_file(paths[i]);
        SCOPED_BY(report_end) struct report report = {.file = file};
        fine = results_read(&own, file, NULL, &report);
    }
    fine = fine && own.count == sample->runs;
    if (!fine)
        screen_say(errors, "tilelab report: the rows changed while they were read; run it again\n");
    runs->of = heap_take(own.count, sizeof *runs->of);
    for (size_t i = 0; i < own.count; i++)
        runs->of[i] = names_find(&results->run_ids, own.run_ids.text[i]);
    results_end(&own);
    return fine;
}

char *page_sample_text(const struct page_sample *sample, const struct results *results)
{
    char *text =
        heap_format("This page has %s of the runs, all those of %s of %s boards, which were drawn",
                    human_count((double)sample->runs).text, human_count((double)sample->count).text,
                    human_count((double)results->instances.count).text);
    if (sample->all_unsolved > 0 && sample->unsolved == sample->all_unsolved)
        heap_append(&text, ", and with them every run that is not solved (%zu)", sample->unsolved);
    else if (sample->all_unsolved > 0)
        heap_append(&text, ", and with them %zu of %zu runs that are not solved", sample->unsolved,
                    sample->all_unsolved);
    heap_append(&text,
                ". The tables of runs and the figures to explore show these; the answer, the "
                "other tables and figures are of all runs (--runs N has more in the page).");
    return text;
}

void page_sample_end(struct page_sample *sample)
{
    free(sample->boards);
    *sample = (struct page_sample){0};
}
