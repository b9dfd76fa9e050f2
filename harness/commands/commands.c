#include "harness/commands/commands.h"
#include "base/heap.h"
#include "harness/text/screen.h"
#include <errno.h>

const struct command commands[COMMANDS] = {
#define COMMAND(name, exit_codes, summary)                                                         \
    {#name, exit_codes, summary, command_##name, &name##_line},
#include "harness/commands/commands.def"
#undef COMMAND
};

void commands_print(FILE *file)
{
    fputs("tilelab: a laboratory for heuristic search on sliding-tile puzzles\n\n"
          "Usage: tilelab COMMAND [OPTION...] [ARGUMENT...]\n\n",
          file);
    for (unsigned i = 0; i < COMMANDS; i++)
        fprintf(file, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fputs(
        "\ntilelab COMMAND --help explains a command; tilelab --version prints version and build.\n"
        "Try: tilelab solve 8 1 3 4 0 2 7 6 5\n",
        file);
}

void commands_refuse(const char *word)
{
    const char *names[COMMANDS];
    for (unsigned i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    SCOPED char *meant = word_meant(word, names, COMMANDS);
    screen_say(stderr, "tilelab: unknown command '%s'%s\nTry 'tilelab --help'.\n", word, meant);
}

void print_json(json_t *json)
{
    json_dumpf(json, stdout, JSON_INDENT(4) | JSON_REAL_PRECISION(15));
    putchar('\n');
    json_decref(json);
}

int finish_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    screen_say(stderr, "tilelab: standard output cannot be written: %s\n", strerror(errno));
    return EXIT_FAILED;
}

int exit_code_of(enum ending ending)
{
    static const int codes[] = {[ENDING_DONE] = EXIT_DONE,
                                [ENDING_FAILED] = EXIT_FAILED,
                                [ENDING_REFUSED] = EXIT_USAGE,
                                [ENDING_INTERRUPTED] = EXIT_INTERRUPTED};
    return codes[ending];
}
