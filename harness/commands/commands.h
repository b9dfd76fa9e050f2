/* The subcommands. Each is a file of its own, named as the command; each takes its own part of the
 * command line (argv[0] is "tilelab NAME") and returns the exit code. */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

/* Exit codes. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2, /* wrong usage, configuration or input */
    EXIT_FINDINGS =
        3, /* done, but a run crashed or gave a wrong answer, or `solve` found no solution */
    EXIT_INTERRUPTED = 130
};

int command_run(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_check(int argc, char **argv);
int command_solve(int argc, char **argv);
int command_generate(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_rerun(int argc, char **argv);
int command_list(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_pdb(int argc, char **argv);

#endif
