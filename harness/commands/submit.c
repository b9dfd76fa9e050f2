/* tilelab submit: has a cluster's scheduler, or GNU parallel, run the shards of an experiment that
 * miss rows. */
#include "harness/cluster/submit.h"
#include "harness/commands/commands.h"
#include "harness/experiment/shards.h"
#include "harness/experiment/units.h"
#include "harness/text/terminal.h"
#include "help_texts.h"

static const char *const engine_names[ENGINE_TEMPLATE] = {"slurm", "parallel"};

struct arguments {
    struct experiment_arguments experiment;
    struct submit_options submit;
    bool dry_run;
    bool quiet;
};

/* Reads 02:00:00 or 1-12:00:00, as Slurm writes times. */
static bool parse_slurm_time(const char *text, double *seconds)
{
    unsigned days = 0;
    unsigned hours;
    unsigned minutes;
    unsigned rest;
    int length = 0;
    const char *dash = strchr(text, '-');
    if (strspn(text, "0123456789:-") != strlen(text) || strlen(text) > 12)
        return false;
    if (dash != NULL && (sscanf(text, "%u-%n", &days, &length) != 1 || text + length != dash + 1))
        return false;
    const char *clock = text + length;
    length = 0;
    if (sscanf(clock, "%u:%u:%u%n", &hours, &minutes, &rest, &length) != 3 || clock[length] != '\0')
        return false;
    *seconds = ((days * 24.0 + hours) * 60 + minutes) * 60 + rest;
    return true;
}

static void take_time(const struct given *given)
{
    double *seconds = given->target;
    const bool has_unit = given->value[strspn(given->value, "0123456789.")] != '\0';
    if (!has_unit ||
        !(parse_slurm_time(given->value, seconds) || parse_seconds(given->value, seconds)) ||
        *seconds > 366.0 * 86400)
        command_line_refuse(given->parsing,
                            "--time %s: expected a time with its unit, such as 30m, 2h or 02:00:00",
                            given->value);
}

/* Options of sbatch that would break what tilelab sends. */
static void check_sbatch_word(const struct parsing *parsing, const char *word)
{
    static const struct {
        const char *name;
        char letter;
        const char *instead;
    } ours[] = {{"array", 'a', "--shards"},
                {"dependency", 'd', "no such option"},
                {"partition", 'p', "--partition before the --"},
                {"time", 't', "--time before the --"},
                {"wrap", '\0', "no such option"},
                {"wait", 'W', "no such option"},
                {"test-only", '\0', "--dry-run"}};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        const size_t length = strlen(ours[i].name);
        const bool is_long = strncmp(word, "--", 2) == 0 &&
                             strncmp(word + 2, ours[i].name, length) == 0 &&
                             (word[2 + length] == '\0' || word[2 + length] == '=');
        if (is_long || (word[0] == '-' && word[1] != '-' && word[1] == ours[i].letter &&
                        ours[i].letter != '\0'))
            command_line_refuse(parsing, "%s: tilelab says that to sbatch itself; expected %s",
                                word, ours[i].instead);
    }
}

static void check_arguments(const struct parsing *parsing, void *context)
{
    struct submit_options *options = &((struct arguments *)context)->submit;
    if (options->template != NULL && option_given(parsing, "engine"))
        command_line_refuse(parsing, "--template is an engine of its own; expected no --engine");
    if (options->template != NULL)
        options->engine = ENGINE_TEMPLATE;
    const bool slurm = options->engine == ENGINE_SLURM;
    for (size_t i = 0; i < options->word_count; i++)
        check_sbatch_word(parsing, options->words[i]);
    if (options->engine != ENGINE_PARALLEL && options->hosts != NULL)
        command_line_refuse(parsing,
                            "--hosts is for --engine parallel; a scheduler knows its nodes");
    if (!slurm && options->partition != NULL)
        command_line_refuse(parsing, "--partition is for --engine slurm");
    if (options->engine == ENGINE_PARALLEL && options->seconds != 0)
        command_line_refuse(parsing, "--time is for a scheduler; GNU parallel has no such limit");
    if (!slurm && options->if_below != 0)
        command_line_refuse(parsing, "--if-below is for --engine slurm");
    if (!slurm && options->word_count > 0)
        command_line_refuse(parsing,
                            "'%s' behind --: options of sbatch are for --engine slurm; a template "
                            "has its own",
                            options->words[0]);
}

static const struct command_option options[] = {
    {OPTION("engine", 0, "ENGINE", "slurm (default), or parallel: GNU parallel, over ssh",
            take_word, submit.engine),
     WORDS(engine_names, ENGINE_TEMPLATE)},
    {OPTION(
        "template", 0, "FILE",
        "For another scheduler (PBS, SGE, HTCondor): the script of a shard's job, with names in "
        "braces such as {command} and the line #tilelab COMMAND that sends it",
        take_text, submit.template)},
    {OPTION("shards", 0, "N",
            "Divide the runs into N shards (default: so that each takes at most --time if all runs "
            "take their limits, at most 1,000; later calls keep the number)",
            take_unsigned, submit.shards),
     .min = 1, .max = MAX_SHARDS},
    {OPTION("time", 't', "TIME",
            "The wall time of a shard for a scheduler, such as 30m, 2h or 02:00:00 (default 1h)",
            take_time, submit.seconds)},
    {OPTION("jobs", 'j', "N", "Searches at a time in a shard, each on a processor (default 1)",
            take_unsigned, submit.searches),
     .min = 1, .max = 1024},
    {OPTION("partition", 'p', "NAME", "The partition of Slurm (default: the cluster's)", take_text,
            submit.partition)},
    {OPTION("hosts", 0, "HOSTS",
            "For parallel: hosts as a,b or 8/a,user@b, or a file of them, one a line (default: "
            "this machine alone)",
            take_text, submit.hosts)},
    {OPTION("if-below", 0, "N",
            "For slurm: send only if fewer than N runs miss their rows (what the job after the "
            "array says, so that it ends when nothing moves)",
            take_count, submit.if_below),
     .min = 1, .max = INT64_MAX},
    {OPTION("output", 'o', "FOLDER", "The results folder, in place of the experiment's", take_text,
            submit.output)},
    {OPTION("dry-run", 0, NULL, "Print the script; write and send nothing", take_flag, dry_run)},
    {ARGUMENT_EXPERIMENT(experiment, 1, 1)},
    {OPTION_SET(experiment.overrides)},
    {OPTION_QUICK(experiment.overrides)},
    {OPTION_QUIET(quiet)},
    {OPTION_PDB_DIR},
    {0},
};

COMMAND_LINE(submit, "EXPERIMENT [-- SBATCH-OPTION...]", check_arguments, help_submit_txt);

int command_submit(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct experiment experiment;
    struct terminal terminal = terminal_make();
    int code = EXIT_USAGE;
    int own = 1;
    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    if (own < argc) { /* what follows is not ours to read */
        arguments.submit.words = (const char *const *)argv + own + 1;
        arguments.submit.word_count = (size_t)(argc - own - 1);
    }
    command_line_parse(&submit_line, own, argv, &arguments);
    terminal.display.quiet = arguments.quiet;
    if (arguments.dry_run)
        arguments.submit.show = stdout;
    if (experiment_arguments_load(&arguments.experiment, &experiment)) {
        code = exit_code_of(submit_shards(&experiment, &arguments.submit, &terminal.display));
        experiment_end(&experiment);
    }
    experiment_arguments_end(&arguments.experiment);
    return finish_output(code);
}
