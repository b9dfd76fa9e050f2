#include "base/named.h"
#include "harness/commands/commands.h"

/* Prints the words that complete a value, each after a space: those of the row, with the shell's
 * command that prints the names of `tilelab list WHAT` for @WHAT. */
static void print_words(const struct command_option *option)
{
    if (option->names != NULL && option->names[0] == '@')
        printf(" $(tilelab list %s --names 2>/dev/null)", option->names + 1);
    else if (option->names != NULL)
        printf(" %s", option->names);
    for (unsigned i = 0; i < option->word_count; i++)
        printf(" %s", option_word(option, i));
}

static bool has_words(const struct command_option *option)
{
    return option->names != NULL || option->words != NULL;
}

/* ---- bash ---- */

static void print_bash_name(void *context, const struct command_option *option)
{
    (void)context;
    if (option->name != NULL)
        printf(" --%s%s", option->name, option->argument != NULL ? "=" : "");
}

/* A case of the shell for the option whose value is typed: its words, or files. */
static void print_bash_value(void *context, const struct command_option *option)
{
    (void)context;
    if (option->argument == NULL || option_is_argument(option))
        return;
    fputs("        ", stdout);
    if (option->letter != 0)
        printf("-%c%s", option->letter, option->name != NULL ? "|" : "");
    if (option->name != NULL)
        printf("--%s", option->name);
    fputs(") words=\"", stdout);
    print_words(option);
    printf("\" files=%d ;;\n", option_names_files(option) ? 1 : 0);
}

static void print_argument_words(void *context, const struct command_option *option)
{
    (void)context;
    if (option_is_argument(option) && has_words(option))
        print_words(option);
}

static void print_bash(void)
{
    fputs("# bash completion for tilelab. Made by: tilelab help --completion bash\n"
          "_tilelab() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]-} options='' words='' files=1\n"
          "    [[ $word != = ]] || word=''\n"
          "    [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    [[ ${COMP_WORDS[COMP_CWORD]} != = ]] || before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        mapfile -t COMPREPLY < <(compgen -W '",
          stdout);
    for (unsigned i = 0; i < COMMANDS; i++)
        printf("%s ", commands[i].name);
    fputs("--help --version' -- \"$word\")\n        return\n    fi\n    case $command in\n",
          stdout);
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf("    %s)\n        options='", commands[i].name);
        command_line_options(commands[i].line, print_bash_name, NULL);
        puts("'\n        case $before in");
        command_line_options(commands[i].line, print_bash_value, NULL);
        fputs("        *) words=\"", stdout);
        command_line_options(commands[i].line, print_argument_words, NULL);
        puts("\" ;;\n        esac\n        ;;");
    }
    puts("    esac\n"
         "    if [[ $word == -* ]]; then\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
         "        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
         "        return\n"
         "    fi\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "    if ((files)); then\n"
         "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$word\")\n"
         "        compopt -o filenames\n"
         "    fi\n"
         "}\n"
         "complete -F _tilelab tilelab");
}

/* Prints a text for a place within single quotes, escaped for zsh or fish. */
static void print_quoted(const char *text, const char *escaped)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(escaped, *text) != NULL)
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

/* ---- zsh ---- */

static void print_zsh_option(void *context, const struct command_option *option)
{
    (void)context;
    if (option->name == NULL)
        return;
    printf("            '--%s%s[", option->name, option->argument != NULL ? "=" : "");
    print_quoted(option->help, "[]:\\");
    putchar(']');
    if (option->argument != NULL) {
        printf(":");
        print_quoted(option->argument, "[]:\\");
        if (has_words(option)) {
            fputs(":('\"", stdout);
            print_words(option);
            fputs("\"')", stdout);
        } else {
            fputs(option_names_files(option) ? ":_files" : ": ", stdout);
        }
    }
    puts("' \\");
}

static void print_zsh(void)
{
    puts("#compdef tilelab\n# zsh completion for tilelab. Made by: tilelab help --completion zsh\n"
         "_tilelab() {\n    local -a names\n    names=(");
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf("        '%s:", commands[i].name);
        print_quoted(commands[i].summary, "");
        puts("'");
    }
    puts("    )\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe command names\n"
         "        return\n"
         "    fi\n"
         "    case $words[2] in");
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf("    %s)\n        _arguments \\\n", commands[i].name);
        command_line_options(commands[i].line, print_zsh_option, NULL);
        puts("            '*::argument:_files'");
        fputs("        compadd --", stdout);
        command_line_options(commands[i].line, print_argument_words, NULL);
        puts("\n        ;;");
    }
    puts("    esac\n}\n_tilelab \"$@\"");
}

/* ---- fish ---- */

/* What completes a value, as words that bash lists. */
static void print_fish_words(void (*print)(void *context, const struct command_option *option),
                             const struct command *command, const struct command_option *option)
{
    fputs(" -a '(bash -c '\\''echo", stdout);
    if (option != NULL)
        print(NULL, option);
    else
        command_line_options(command->line, print, NULL);
    fputs("'\\'' | string split -n \" \")'", stdout);
}

static void print_fish_value(void *context, const struct command_option *option)
{
    (void)context;
    print_words(option);
}

static void print_fish_option(void *context, const struct command_option *option)
{
    const struct command *command = context;
    if (option_is_argument(option))
        return;
    printf("complete -c tilelab -n '__fish_seen_subcommand_from %s'", command->name);
    if (option->letter != 0)
        printf(" -s %c", option->letter);
    if (option->name != NULL)
        printf(" -l %s", option->name);
    if (option->argument != NULL)
        fputs(option_names_files(option) ? " -r" : " -x", stdout);
    if (option->argument != NULL && has_words(option))
        print_fish_words(print_fish_value, command, option);
    fputs(" -d '", stdout);
    print_quoted(option->help, "\\");
    puts("'");
}

static void print_fish(void)
{
    puts("# fish completion for tilelab. Made by: tilelab help --completion fish");
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf("complete -c tilelab -n __fish_use_subcommand -f -a %s -d '", commands[i].name);
        print_quoted(commands[i].summary, "\\");
        puts("'");
    }
    for (unsigned i = 0; i < COMMANDS; i++) {
        command_line_options(commands[i].line, print_fish_option, (void *)(uintptr_t)&commands[i]);
        printf("complete -c tilelab -n '__fish_seen_subcommand_from %s'", commands[i].name);
        print_fish_words(print_argument_words, &commands[i], NULL);
        putchar('\n');
    }
}

static const struct {
    const char *shell;
    void (*print)(void);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

enum { SHELLS = sizeof shells / sizeof *shells };

bool completion_known(const char *shell)
{
    return NAME_PLACE(shells, SHELLS, shell, shell) < SHELLS;
}

void completion_print(const char *shell)
{
    const size_t place = NAME_PLACE(shells, SHELLS, shell, shell);
    if (place < SHELLS)
        shells[place].print();
}
