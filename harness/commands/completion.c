#include "harness/commands/completion.h"
#include "harness/commands/command_line.h"
#include "harness/commands/commands.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Prints the shell command that lists the words of a command's arguments, the same for all shells:
 * `echo` of the words, with the names of `tilelab list WHAT` for @WHAT. */
static void print_words(const struct command *command)
{
    const char *word = command->words;
    fputs("echo", stdout);
    while (*word != '\0') {
        const int length = (int)strcspn(word, " ");
        if (*word == '@')
            printf(" $(tilelab list %.*s --names 2>/dev/null)", length - 1, word + 1);
        else
            printf(" %.*s", length, word);
        word += length + (word[length] == ' ');
    }
}

static void print_bash_option(void *context, const struct option_shown *option)
{
    (void)context;
    if (option->name != NULL)
        printf(" --%s%s", option->name, option->argument != NULL ? "=" : "");
}

static void print_bash(void)
{
    fputs("# bash completion for tilelab. Made by: tilelab help --completion bash\n"
          "_tilelab() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-} options='' words=''\n"
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
        command_line_options(commands[i].parser, print_bash_option, NULL);
        printf("'\n");
        fputs("        words=$(", stdout);
        print_words(&commands[i]);
        puts(")");
        puts("        ;;");
    }
    puts("    esac\n"
         "    if [[ $word == -* ]]; then\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
         "        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
         "    else\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
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

static void print_zsh_option(void *context, const struct option_shown *option)
{
    (void)context;
    if (option->name == NULL)
        return;
    printf("            '--%s%s[", option->name, option->argument != NULL ? "=" : "");
    print_quoted(option->meaning, "[]:\\");
    putchar(']');
    if (option->argument != NULL) {
        printf(":");
        print_quoted(option->argument, "[]:\\");
        printf(":_files");
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
        command_line_options(commands[i].parser, print_zsh_option, NULL);
        puts("            '*::argument:_files'");
        fputs("        compadd -- $(", stdout);
        print_words(&commands[i]);
        puts(")");
        puts("        ;;");
    }
    puts("    esac\n}\n_tilelab \"$@\"");
}

static void print_fish_option(void *context, const struct option_shown *option)
{
    const struct command *command = context;
    printf("complete -c tilelab -n '__fish_seen_subcommand_from %s'", command->name);
    if (option->letter != 0)
        printf(" -s %c", option->letter);
    if (option->name != NULL)
        printf(" -l %s", option->name);
    printf("%s -d '", option->argument != NULL ? " -r" : "");
    print_quoted(option->meaning, "\\");
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
        command_line_options(commands[i].parser, print_fish_option,
                             (void *)(uintptr_t)&commands[i]);
        printf("complete -c tilelab -n '__fish_seen_subcommand_from %s' -a '(bash -c '\\''",
               commands[i].name);
        print_words(&commands[i]);
        puts("'\\'' | string split \" \")'");
    }
}

static const struct {
    const char *shell;
    void (*print)(void);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

enum { SHELLS = sizeof shells / sizeof *shells };

bool completion_known(const char *shell)
{
    for (unsigned i = 0; i < SHELLS; i++)
        if (strcmp(shell, shells[i].shell) == 0)
            return true;
    return false;
}

void completion_print(const char *shell)
{
    for (unsigned i = 0; i < SHELLS; i++)
        if (strcmp(shell, shells[i].shell) == 0)
            shells[i].print();
}
