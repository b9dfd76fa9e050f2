/* tilelab help: the help of a command, its manual page, completions for shells. All are made from
 * the tables of commands and their options. */
#include "harness/commands/commands.h"

struct arguments {
    const char *command; /* NULL: none was given */
    const char *shell;   /* NULL: no completion was requested */
    bool manual;
};

static void check_arguments(const struct parsing *parsing, void *context)
{
    const struct arguments *arguments = context;
    if (arguments->shell != NULL && (arguments->manual || arguments->command != NULL))
        command_line_refuse(parsing, "--completion takes no other argument");
    if (arguments->shell != NULL && !completion_known(arguments->shell))
        command_line_refuse(parsing, "--completion %s: expected bash, zsh or fish",
                            arguments->shell);
}

static const struct command_option options[] = {
    {OPTION("man", 0, NULL,
            "Print the manual page of COMMAND, or of tilelab; 'experiment' is the page of "
            "experiment files",
            take_flag, manual)},
    {OPTION("completion", 0, "SHELL", "Print completions for bash, zsh or fish", take_text, shell),
     .names = "bash zsh fish"},
    {OPTION(NULL, 0, "COMMAND", "command", take_text, command), .max = 1, .names = "@commands"},
    {0},
};

COMMAND_LINE(help, "[COMMAND]", check_arguments,
             "Explain a command, as COMMAND --help does; without COMMAND, list them all.\v"
             "For one session: source <(tilelab help --completion bash). Packages install manual "
             "pages and completions.");

int command_help(int argc, char **argv)
{
    struct arguments arguments = {0};
    command_line_parse(&help_line, argc, argv, &arguments);
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
