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
    fputs(") offered=\"", stdout);
    print_words(option);
    printf("\" files=%d ;;\n", option_names_files(option) ? 1 : 0);
}

/* The options whose value is the next word, each after a space. */
static void print_valued(void *context, const struct command_option *option)
{
    (void)context;
    if (option->argument == NULL || option_is_argument(option))
        return;
    if (option->letter != 0)
        printf(" -%c", option->letter);
    if (option->name != NULL)
        printf(" --%s", option->name);
}

/* After how many arguments a row's own may come, and from how many on no more: 0, if ever. */
struct places {
    unsigned from, end;
};

static struct places places_of(unsigned *before, const struct command_option *option)
{
    const unsigned from = *before;
    const struct places places = {from, option->max == 0 ? 0 : from + (unsigned)option->max};
    if (option->with == NULL)
        *before = places.end;
    return places;
}

/* The words of an argument, where it may come; for bash and zsh. */
static void print_argument_words(void *context, const struct command_option *option)
{
    if (!option_is_argument(option))
        return;
    const struct places places = places_of(context, option);
    if (!has_words(option))
        return;
    printf("            ! _tilelab_at %u %u '%s' || offered+=\"", places.from, places.end,
           option->with == NULL ? "" : option->with);
    print_words(option);
    printf("\"%s\n", option->words != NULL ? " files=0" : "");
}

/* Counts the arguments among the words before the one that is typed, and tells whether `from` to
 * `end` of them are there, and the first is one of some words; for bash and zsh. */
static const char count_arguments[] =
    "_tilelab_count() {\n"
    "    given=0 first=''\n"
    "    while (($#)); do\n"
    "        if [[ $1 == = ]]; then\n"
    "            (($# < 2)) || shift\n"
    "        elif [[ $1 == -* ]]; then\n"
    "            [[ \" $valued \" != *\" $1 \"* || ${2-} == = ]] || (($# < 2)) || shift\n"
    "        else\n"
    "            ((given)) || first=$1\n"
    "            ((given += 1))\n"
    "        fi\n"
    "        shift\n"
    "    done\n"
    "}\n"
    "_tilelab_at() {\n"
    "    ((given >= $1 && ($2 == 0 || given < $2))) && [[ -z $3 || \"|$3|\" == *\"|$first|\"* ]]\n"
    "}\n";

static void print_bash(void)
{
    printf("# bash completion for tilelab. Made by: tilelab help --completion bash\n%s",
           count_arguments);
    fputs("_tilelab() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]-} options='' valued='' offered='' files=1\n"
          "    local given first i\n"
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
        unsigned before = 0;
        printf("    %s)\n        options='", commands[i].name);
        command_line_options(commands[i].line, print_bash_name, NULL);
        fputs("'\n        valued='", stdout);
        command_line_options(commands[i].line, print_valued, NULL);
        puts("'\n        _tilelab_count \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"\n"
             "        case $before in");
        command_line_options(commands[i].line, print_bash_value, NULL);
        puts("        *)");
        command_line_options(commands[i].line, print_argument_words, &before);
        puts("            ;;\n        esac\n        ;;");
    }
    puts("    esac\n"
         "    if [[ $word == -* ]]; then\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
         "        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
         "        return\n"
         "    fi\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$offered\" -- \"$word\")\n"
         "    if ((files)); then\n"
         "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$word\")\n"
         "        compopt -o filenames\n"
         "    elif [[ $word != [\\'\\\"]* ]]; then\n"
         "        for i in \"${!COMPREPLY[@]}\"; do\n"
         "            printf -v \"COMPREPLY[i]\" %q \"${COMPREPLY[i]}\"\n"
         "        done\n"
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

/* What an option is, and what completes its value. */
static void print_zsh_value(const struct command_option *option)
{
    putchar('[');
    print_quoted(option->help, "[]:\\");
    putchar(']');
    if (option->argument != NULL) {
        printf(":");
        print_quoted(option->argument, "[]:\\");
        if (has_words(option)) {
            fputs(":{compadd --", stdout);
            print_words(option);
            fputs("}", stdout);
        } else {
            fputs(option_names_files(option) ? ":_files" : ": ", stdout);
        }
    }
    puts("' \\");
}

static void print_zsh_option(void *context, const struct command_option *option)
{
    (void)context;
    if (option->letter != 0) {
        printf("            '-%c", option->letter);
        print_zsh_value(option);
    }
    if (option->name != NULL) {
        printf("            '--%s%s", option->name, option->argument != NULL ? "=" : "");
        print_zsh_value(option);
    }
}

static void print_zsh(void)
{
    printf("#compdef tilelab\n"
           "# zsh completion for tilelab. Made by: tilelab help --completion zsh\n%s"
           "_tilelab_arguments() {\n"
           "    local offered='' valued='' first='' given=0 files=1\n"
           "    case $command in\n",
           count_arguments);
    for (unsigned i = 0; i < COMMANDS; i++) {
        unsigned before = 0;
        printf("    %s)\n        valued='", commands[i].name);
        command_line_options(commands[i].line, print_valued, NULL);
        puts("'\n        _tilelab_count \"${(@)words[2,CURRENT-1]}\"");
        command_line_options(commands[i].line, print_argument_words, &before);
        puts("        ;;");
    }
    puts("    esac\n"
         "    compadd -- ${=offered}\n"
         "    ((! files)) || _files\n"
         "}\n"
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
         "    shift words\n"
         "    ((CURRENT -= 1))\n"
         "    local command=$words[1]\n"
         "    case $command in");
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf("    %s)\n        _arguments \\\n", commands[i].name);
        command_line_options(commands[i].line, print_zsh_option, NULL);
        puts("            '*:argument:_tilelab_arguments'\n        ;;");
    }
    puts("    esac\n}\n_tilelab \"$@\"");
}

/* ---- fish ---- */

/* What completes a value, as words that bash lists. */
static void print_fish_words(const struct command_option *option)
{
    fputs(" -a '(bash -c '\\''echo", stdout);
    print_words(option);
    fputs("'\\'' | string split -n \" \")'", stdout);
}

struct fish {
    const struct command *command;
    unsigned before; /* how many arguments its rows have had so far */
};

static void print_fish_argument(struct fish *fish, const struct command_option *option)
{
    const struct places places = places_of(&fish->before, option);
    if (!has_words(option))
        return;
    printf("complete -c tilelab -n '__tilelab_at %s %u %u \"%s\"'%s", fish->command->name,
           places.from, places.end, option->with == NULL ? "" : option->with,
           option->words != NULL ? " -f" : "");
    print_fish_words(option);
    putchar('\n');
}

static void print_fish_option(void *context, const struct command_option *option)
{
    struct fish *fish = context;
    if (option_is_argument(option)) {
        print_fish_argument(fish, option);
        return;
    }
    printf("complete -c tilelab -n '__tilelab_at %s 0 0 \"\"'", fish->command->name);
    if (option->letter != 0)
        printf(" -s %c", option->letter);
    if (option->name != NULL)
        printf(" -l %s", option->name);
    if (option->argument != NULL)
        fputs(option_names_files(option) ? " -r" : " -x", stdout);
    if (option->argument != NULL && has_words(option))
        print_fish_words(option);
    fputs(" -d '", stdout);
    print_quoted(option->help, "\\");
    puts("'");
}

static void print_fish(void)
{
    puts("# fish completion for tilelab. Made by: tilelab help --completion fish\n"
         "function __tilelab_at\n"
         "    set -l rest (commandline -opc)\n"
         "    test \"$rest[2]\" = $argv[1]; or return 1\n"
         "    set -e rest[1..2]\n"
         "    set -l valued __tilelab_valued_$argv[1]\n"
         "    set -l given 0\n"
         "    set -l first ''\n"
         "    set -l skipped 0\n"
         "    for word in $rest\n"
         "        if test $skipped = 1\n"
         "            set skipped 0\n"
         "        else if string match -q -- '-*' $word\n"
         "            contains -- $word $$valued; and set skipped 1\n"
         "        else\n"
         "            test $given = 0; and set first $word\n"
         "            set given (math $given + 1)\n"
         "        end\n"
         "    end\n"
         "    test $given -ge $argv[2]; or return 1\n"
         "    test $argv[3] -eq 0 -o $given -lt $argv[3]; or return 1\n"
         "    test -z \"$argv[4]\"; or contains -- \"$first\" (string split '|' -- $argv[4])\n"
         "end");
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf("complete -c tilelab -n __fish_use_subcommand -f -a %s -d '", commands[i].name);
        print_quoted(commands[i].summary, "\\");
        puts("'");
    }
    for (unsigned i = 0; i < COMMANDS; i++) {
        struct fish fish = {.command = &commands[i]};
        printf("set -g __tilelab_valued_%s", commands[i].name);
        command_line_options(commands[i].line, print_valued, NULL);
        putchar('\n');
        command_line_options(commands[i].line, print_fish_option, &fish);
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
