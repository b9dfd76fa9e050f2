/* tilelab: the program. Finds the subcommand and hands over. */
#include "harness/commands/commands.h"
#include "harness/external/program_heuristic.h"
#include "idastar/layers.h"
#include <argp.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* Takes the numbers of standard streams that the caller closed. A file of results would get the
 * number otherwise, and what is printed. Reading and writing them fails as before. */
static void keep_standard_numbers(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0)
            (void)!open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* TILELAB_LANES=N: vectors of at most N nodes. For measurements (scripts/bench forms). */
static void choose_lanes(void)
{
    const char *lanes = getenv("TILELAB_LANES");
    if (lanes != NULL)
        layers_allow((unsigned)strtoul(lanes, NULL, 10));
}

/* A heuristic that is a program failed in the middle of a command. */
static void end_without_heuristic(const char *message)
{
    fprintf(stderr, "tilelab: %s\n", message);
    _exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    keep_standard_numbers();
    choose_lanes();
    program_heuristics_on_failure(end_without_heuristic);
    const char *word = argc > 1 ? argv[1] : "";
    argp_err_exit_status = EXIT_USAGE;
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    signal(SIGXFSZ, SIG_IGN); /* writing to a file that may not grow fails, as on a full disk */
    for (unsigned i = 0; i < COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0) {
            char name[32];
            snprintf(name, sizeof name, "tilelab %s", word);
            argv[1] = name;
            return commands[i].run(argc - 1, argv + 1);
        }
    if (is_one_of(word, "-h", "--help", "-?")) {
        commands_print(stdout);
        return finish_output(EXIT_DONE);
    }
    if (is_one_of(word, "-V", "--version", "version")) {
        version_print();
        return finish_output(EXIT_DONE);
    }
    if (argc < 2)
        commands_print(stderr);
    else
        commands_refuse(word);
    return EXIT_USAGE;
}
