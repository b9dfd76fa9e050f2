#include "base/named.h"
#include "harness/commands/commands.h"
#include "text_files.h" /* what the build makes of completion/ */

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
static void print_count(void)
{
    fputs(text_count, stdout);
}

static void print_names(void)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        printf("%s ", commands[i].name);
}

static void print_bash_cases(void)
{
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

static void print_zsh_arguments(void)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        unsigned before = 0;
        printf("    %s)\n        valued='", commands[i].name);
        command_line_options(commands[i].line, print_valued, NULL);
        puts("'\n        _tilelab_count \"${(@)words[2,CURRENT-1]}\"");
        command_line_options(commands[i].line, print_argument_words, &before);
        puts("        ;;");
    }
}

static void print_zsh_names(void)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf("        '%s:", commands[i].name);
        print_quoted(commands[i].summary, "");
        puts("'");
    }
}

static void print_zsh_options(void)
{
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf("    %s)\n        _arguments \\\n", commands[i].name);
        command_line_options(commands[i].line, print_zsh_option, NULL);
        puts("            '*:argument:_tilelab_arguments'\n        ;;");
    }
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

static void print_fish_commands(void)
{
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

/* Each script, with what replaces each @@ in it. */
static const struct {
    const char *shell, *script;
    void (*parts[4])(void);
} shells[] = {
    {"bash", text_bash, {print_count, print_names, print_bash_cases}},
    {"zsh", text_zsh, {print_count, print_zsh_arguments, print_zsh_names, print_zsh_options}},
    {"fish", text_fish, {print_fish_commands}},
};
enum { SHELLS = sizeof shells / sizeof *shells };

bool completion_known(const char *shell)
{
    return NAME_PLACE(shells, SHELLS, shell, shell) < SHELLS;
}

void completion_print(const char *shell)
{
    const size_t place = NAME_PLACE(shells, SHELLS, shell, shell);
    const char *at = place < SHELLS ? shells[place].script : "";
    const char *open;
    for (unsigned part = 0; (open = strstr(at, "@@")) != NULL; part++, at = open + 2) {
        fwrite(at, 1, (size_t)(open - at), stdout);
        shells[place].parts[part]();
    }
    fputs(at, stdout);
}
