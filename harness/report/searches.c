#include "harness/report/searches.h"
#include "base/heap.h"
#include "harness/text/sorting.h"
#include "puzzle/replay.h"
#include "puzzle/text.h"

enum {
    EXPANDED_ALL = 300000, /* in all searches of a page: some tenths of a second */
    EXPANDED_MORE = 100,   /* what a search costs beside its expansions, in these */
    SEARCH_MEMORY = 1 << 28
};

struct run_again {
    size_t run, place; /* in the rows, in the page */
    uint64_t expanded;
};

/* A path, and what is seen along it. */
struct seen {
    size_t boards;
    struct board *path;
    double *f, *live; /* NAN: nothing */
    size_t at;        /* of the node that is being expanded; `boards`: it is not on the path */
};

static bool look(void *context, const struct event *event)
{
    struct seen *seen = context;
    const struct node_seen *node = &event->node;
    if (event->kind == EVENT_EXPANDS) {
        seen->at = node->side == START ? node->g : seen->boards - 1 - node->g;
        if (seen->at >= seen->boards || !board_equal(&seen->path[seen->at], node->board))
            seen->at = seen->boards;
        else
            seen->f[seen->at] = node->f < 0 ? NAN : node->f;
    } else if (event->kind == EVENT_STEP && seen->at < seen->boards) {
        seen->live[seen->at] = (double)event->count;
    }
    return false;
}

static const char *text_of(const struct page_runs *runs, size_t run, size_t column)
{
    return page_runs_text(runs, run, column);
}

/* The task of a row and its solver, as far as it is one that can be searched again here. */
static bool read_task(const struct page_runs *runs, size_t run, struct task *task,
                      struct solver *solver)
{
    SCOPED_BY(report_end) struct report report = {0};
    struct shape shape;
    *task = (struct task){.order = text_of(runs, run, COLUMN_order)};
    return shape_make((unsigned)strtoul(text_of(runs, run, COLUMN_width), NULL, 10),
                      (unsigned)strtoul(text_of(runs, run, COLUMN_height), NULL, 10), &shape) &&
           board_of_line(text_of(runs, run, COLUMN_start), shape, &task->start) &&
           board_of_line(text_of(runs, run, COLUMN_goal), shape, &task->goal) &&
           solver_parse(text_of(runs, run, COLUMN_solver), NO_PLACE, &report, solver) &&
           solver_defined(solver, &task->start, &task->goal, &report);
}

static void put_numbers(const char *name, const double *numbers, size_t count, FILE *file)
{
    fprintf(file, "\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ",", file);
        if (isnan(numbers[i]))
            fputs("null", file);
        else
            fprintf(file, "%.6g", numbers[i]);
    }
    fputs("]", file);
}

/* Searches again and writes what was seen, after `between`. False: nothing was written. */
static bool search_again(const struct page_runs *runs, const struct run_again *again,
                         const char *between, FILE *file)
{
    const char *moves = text_of(runs, again->run, COLUMN_moves);
    const size_t boards = strlen(moves) + 1;
    struct task task;
    struct solver solver;
    if (!read_task(runs, again->run, &task, &solver))
        return false;
    SCOPED struct board *path = heap_take(boards, sizeof *path);
    SCOPED double *f = heap_take(boards, sizeof *f);
    SCOPED double *live = heap_take(boards, sizeof *live);
    for (size_t i = 0; i < boards; i++) {
        path[i] = replay_path(&task.start, &task.goal, moves, i).last;
        f[i] = live[i] = NAN;
    }
    struct seen seen = {.boards = boards, .path = path, .f = f, .live = live, .at = boards};
    const struct observer observer = {.sees = look, .context = &seen};
    const struct limits limits = {.nodes = 4 * (again->expanded + 1), .bytes = SEARCH_MEMORY};
    SCOPED_BY(result_end) struct result result;
    solver_run(&solver, &task, &limits, &observer, &result);
    if (result.status != STATUS_solved || result.statistics.expanded != again->expanded ||
        strcmp(result.moves, moves) != 0)
        return false;
    fprintf(file, "%s\"%zu\":{", between, again->place);
    put_numbers("f", f, boards, file);
    fputs(",", file);
    put_numbers("live", live, boards, file);
    fputs("}", file);
    return true;
}

ORDER_BY(by_expanded, struct run_again, BY(expanded), BY(place));

void searches_write(const struct page_runs *runs, const size_t *order, FILE *file)
{
    SCOPED struct run_again *list = heap_take(runs->count, sizeof *list);
    const char *between = "";
    uint64_t spent = 0;
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++) {
        const size_t run = order == NULL ? i : order[i];
        if (strcmp(text_of(runs, run, COLUMN_status), "solved") == 0 &&
            text_of(runs, run, COLUMN_moves)[0] != '\0' &&
            strcmp(text_of(runs, run, COLUMN_cost_model), "unit") == 0 &&
            strstr(text_of(runs, run, COLUMN_solver), "pdb") == NULL)
            list[count++] =
                (struct run_again){run, i, strtoull(text_of(runs, run, COLUMN_expanded), NULL, 10)};
    }
    if (count > 0)
        qsort(list, count, sizeof *list, by_expanded);
    fputs("{", file);
    for (size_t i = 0; i < count; i++) {
        spent += list[i].expanded + EXPANDED_MORE;
        if (spent > EXPANDED_ALL)
            break;
        if (search_again(runs, &list[i], between, file))
            between = ",\n";
    }
    fputs("}", file);
}
