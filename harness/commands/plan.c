/* tilelab plan: the run matrix of an experiment, and what running it is expected to take and can
 * take. */
#include "harness/execution/plan.h"
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/experiment/remarks.h"
#include "harness/experiment/shards.h"
#include "harness/text/screen.h"

struct arguments {
    struct experiment_arguments experiment;
    bool json;
    bool runs;
    unsigned shards; /* 0: not asked for */
    double measure;  /* seconds; 0: not asked for */
};

static const struct command_option options[] = {
    {OPTION("runs", 0, NULL,
            "Print one line for each run, in the order in which they are started: its number in "
            "the matrix, set, instance, solver and repetition, with tabs between",
            take_flag, runs)},
    {OPTION("shards", 0, "N", "Say what each of N shards would have to do", take_unsigned, shards),
     .min = 1, .max = MAX_SHARDS},
    {OPTION("measure", 0, "TIME",
            "Run each solver for so long on one of the boards, and say how many core-hours the "
            "published numbers of nodes take at its speed; builds missing pattern databases",
            take_seconds, measure)},
    {OPTION_PDB_DIR, .with = "--measure"},
    {ARGUMENT_EXPERIMENT(experiment, 1, 1)},
    {OPTION_SET(experiment.overrides)},
    {OPTION_QUICK(experiment.overrides)},
    {OPTION_JSON},
    {0},
};

COMMAND_LINE(
    plan, "EXPERIMENT", NULL,
    "Print an experiment's sets, solvers and runs, and the maximum time and memory that "
    "running it can take, and what it is expected to take by published numbers of nodes; run "
    "nothing, except for --measure.\vEXPERIMENT is a YAML file, or the name of one that ships.");

static enum ending print_plan(const struct experiment *experiment,
                              const struct arguments *arguments)
{
    SCOPED_BY(plan_end) struct plan plan = plan_make(experiment);
    SCOPED char *externals = externals_text(experiment, true);
    const enum ending ending =
        arguments->measure > 0 ? forecast_measure(&plan.forecast, arguments->measure) : ENDING_DONE;
    if (ending != ENDING_DONE)
        return ending;
    if (arguments->measure > 0 && !plan.forecast.any)
        screen_say(stderr, "tilelab: --measure: no published nodes of these runs are known "
                           "(expect), so that nothing was measured\n");
    if (arguments->json)
        print_json(plan_json(&plan, arguments->runs, arguments->shards));
    else if (arguments->runs)
        plan_print_runs(stdout, experiment);
    else
        plan_print(stdout, &plan, externals);
    if (arguments->shards > 0 && !arguments->json && !arguments->runs)
        plan_print_shards(stdout, &plan, arguments->shards);
    return ENDING_DONE;
}

int command_plan(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct experiment experiment;
    int code = EXIT_USAGE;
    command_line_parse(&plan_line, argc, argv, &arguments);
    if (experiment_arguments_load(&arguments.experiment, &experiment)) {
        code = exit_code_of(print_plan(&experiment, &arguments));
        experiment_end(&experiment);
        code = finish_output(code);
    }
    experiment_arguments_end(&arguments.experiment);
    return code;
}
