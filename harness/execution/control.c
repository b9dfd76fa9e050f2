#include "harness/execution/control.h"
#include "base/heap.h"
#include "base/named.h"

/* The sum of the distances of all tiles from their cells in the goal. */
static unsigned distance(const struct instance *instance)
{
    const struct shape shape = instance->start.shape;
    unsigned sum = 0;
    for (int i = 0; i < shape.cells; i++)
        for (int j = 0; j < shape.cells; j++)
            if (instance->start.cell[i] != 0 && instance->start.cell[i] == instance->goal.cell[j])
                sum += (unsigned)(abs(i / shape.width - j / shape.width) +
                                  abs(i % shape.width - j % shape.width));
    return sum;
}

/* NULL: no board can be solved. */
static const struct instance *choose_board(const struct experiment *experiment)
{
    const struct instance *chosen = NULL;
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        const int cells = instance->start.shape.cells;
        if (board_connected(&instance->start, &instance->goal) &&
            (chosen == NULL || cells > chosen->start.shape.cells ||
             (cells == chosen->start.shape.cells && distance(instance) > distance(chosen))))
            chosen = instance;
    }
    return chosen;
}

static const struct experiment_solver *choose_solver(const struct experiment *experiment)
{
    const size_t count = experiment->solver_count;
    const char *baseline = experiment->baseline == NULL ? "" : experiment->baseline;
    return &experiment->solvers[NAME_PLACE(experiment->solvers, count, text, baseline) % count];
}

void control_start(struct control *control, const struct experiment *experiment)
{
    *control = (struct control){.every = experiment->control_every};
    const struct instance *board = control->every == 0 ? NULL : choose_board(experiment);
    if (board == NULL) {
        control->every = 0;
        return;
    }
    const struct experiment_solver *solver = choose_solver(experiment);
    control->run = (struct run){.number = SIZE_MAX,
                                .repetition = 1,
                                .experiment = experiment->name,
                                .instance = board,
                                .solver = &solver->solver,
                                .solver_text = solver->text,
                                .limits = solver->limits};
    if (solver->external != NULL) {
        SCOPED_BY(report_end) struct report report = {0};
        solver_parse("idastar(manhattan)", FIRST_PLACE, &report, &control->own);
        control->text = solver_text(&control->own);
        control->run.solver = &control->own;
        control->run.solver_text = control->text;
    }
    control->run.order = solver_order(control->run.solver, experiment->order);
    if (control->run.limits.nodes == 0 || control->run.limits.nodes > CONTROL_NODES)
        control->run.limits.nodes = CONTROL_NODES;
}

void control_end(struct control *control)
{
    free(control->text);
    *control = (struct control){0};
}
