/* tilelab: the program. Finds the subcommand and hands over. */
#include "base/report.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/results/version.h"
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *arguments;
    const char *summary;
} commands[] = {
    {"run", command_run, "EXPERIMENT",
     "run or go on with an experiment (a YAML file, or the name of one that ships)"},
    {"plan", command_plan, "EXPERIMENT",
     "print the run matrix, its size, its worst-case hours and bytes; run nothing"},
    {"check", command_check, "EXPERIMENT", "validate only"},
    {"solve", command_solve, "[BOARD]",
     "solve one board from the arguments, a file or standard input"},
    {"generate", command_generate, "", "write an instance set"},
    {"compare", command_compare, "RESULTS...", "statistics over one or more results"},
    {"rerun", command_rerun, "RESULTS RUN_ID", "repeat one row and show what differs"},
    {"list", command_list, "[WHAT]",
     "algorithms, heuristics, sets, experiments, columns, statuses, depths"},
    {"verify", command_verify, "heuristics",
     "hold what heuristics claim against every board, and show what they say"},
    {"pdb", command_pdb, "WHAT", "build, list or check pattern databases on the disk"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *file)
{
    fputs("tilelab: a laboratory for heuristic search on sliding-tile puzzles\n\n"
          "Usage: tilelab COMMAND [OPTIONS] [ARGUMENTS]\n\n",
          file);
    for (unsigned i = 0; i < COMMANDS; i++)
        fprintf(file, "  %-9s %-14s %s\n", commands[i].name, commands[i].arguments,
                commands[i].summary);
    fputs("\ntilelab COMMAND --help says more of each; tilelab --version says what was built.\n"
          "Try: tilelab solve 8 1 3 4 0 2 7 6 5\n",
          file);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    argp_err_exit_status = EXIT_USAGE;
    signal(SIGXFSZ,
           SIG_IGN); /* a file that may not grow is an error of the write, as a full disk is */
    for (unsigned i = 0; i < COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0) {
            char name[32];
            snprintf(name, sizeof name, "tilelab %s", word);
            argv[1] = name;
            return commands[i].run(argc - 1, argv + 1);
        }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0 ||
        strcmp(word, "-?") == 0) {
        print_help(stdout);
        return finish_output(EXIT_DONE);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("tilelab %s (%s, %s%s%s)\n", tilelab_version, build_compiler, build_type,
               build_sanitizers[0] == '\0' ? "" : ", sanitizers ", build_sanitizers);
        printf("build %s\n", build_hash);
        return finish_output(EXIT_DONE);
    }
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *names[COMMANDS];
    for (unsigned i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *nearest = nearest_word(word, names, COMMANDS);
    fprintf(stderr, "tilelab: unknown command '%s'", word);
    if (nearest != NULL)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fputs("\nTry 'tilelab --help'.\n", stderr);
    return EXIT_USAGE;
}
