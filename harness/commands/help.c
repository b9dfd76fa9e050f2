/* tilelab help: the help of a command, its manual page, completions for shells. All are made from
 * the tables of commands and their options. */
#include "base/heap.h"
#include "base/report.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include "harness/commands/completion.h"
#include "harness/commands/manual.h"
#include "harness/commands/output.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct arguments {
    const char *command; /* NULL: none was given */
    const char *shell;   /* NULL: no completion was requested */
    bool manual;
};

enum { KEY_MAN = 256, KEY_COMPLETION };

static const struct argp_option options[] = {
    {"man", KEY_MAN, NULL, 0,
     "Print the manual page of COMMAND, or of tilelab; 'experiment' is the page of experiment "
     "files",
     0},
    {"completion", KEY_COMPLETION, "SHELL", 0, "Print completions for bash, zsh or fish", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_MAN:
        arguments->manual = true;
        break;
    case KEY_COMPLETION:
        if (!completion_known(value))
            argp_error(state, "--completion %s: expected bash, zsh or fish", value);
        arguments->shell = value;
        break;
    case ARGP_KEY_ARG:
        if (arguments->command != NULL)
            argp_error(state, "a second command '%s'; expected one", value);
        arguments->command = value;
        break;
    case ARGP_KEY_END:
        if (arguments->shell != NULL && (arguments->manual || arguments->command != NULL))
            argp_error(state, "--completion takes no other argument");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp help_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "[COMMAND]",
    .doc = "Explain a command, as COMMAND --help does; without COMMAND, list them all.\v"
           "For one session: source <(tilelab help --completion bash). Packages install manual "
           "pages and completions.",
};

int command_help(int argc, char **argv)
{
    struct arguments arguments = {0};
    command_line_parse(&help_parser, argc, argv, &arguments);
    const struct command *command = NULL;
    for (unsigned i = 0; i < COMMANDS && arguments.command != NULL; i++)
        if (strcmp(arguments.command, commands[i].name) == 0)
            command = &commands[i];
    const bool file_format = arguments.manual && arguments.command != NULL &&
                             strcmp(arguments.command, "experiment") == 0;
    if (arguments.command != NULL && command == NULL && !file_format) {
        commands_refuse(arguments.command);
        return EXIT_USAGE;
    }
    if (arguments.shell != NULL) {
        completion_print(arguments.shell);
    } else if (file_format) {
        manual_print_experiment();
    } else if (arguments.manual) {
        manual_print(command);
    } else if (command == NULL) {
        commands_print(stdout);
    } else {
        char name[64];
        char help[] = "--help";
        snprintf(name, sizeof name, "tilelab %s", command->name);
        return command->run(2, (char *[]){name, help, NULL});
    }
    return finish_output(EXIT_DONE);
}
