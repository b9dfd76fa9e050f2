#include "harness/commands/command_line.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/commands/commands.h"
#include "harness/commands/output.h"
#include "harness/results/version.h"
#include "harness/text/screen.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct argp_option shared_options[] = {
    {"help", 'h', NULL, 0, "Print this help", -1},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, -1},
    {"usage", 'U', NULL, OPTION_HIDDEN, NULL, -1},
    {"version", 'V', NULL, 0, "Print version and build", -1},
    {"wide", 'W', NULL, 0, "Show all columns of tables, however wide the terminal is", -1},
    {0},
};

void version_print(void)
{
    printf("tilelab %s (%s, %s%s%s)\n", tilelab_version, build_compiler, build_type,
           build_sanitizers[0] == '\0' ? "" : ", sanitizers ", build_sanitizers);
    printf("build %s\n", build_hash);
}

static error_t parse_shared(int key, char *value, struct argp_state *state)
{
    (void)value;
    switch (key) {
    case 'h':
    case '?':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
        exit(finish_output(EXIT_DONE));
    case 'U':
        argp_state_help(state, stdout, ARGP_HELP_USAGE);
        exit(finish_output(EXIT_DONE));
    case 'W':
        screen_wide();
        return 0;
    case 'V':
        version_print();
        exit(finish_output(EXIT_DONE));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp shared_parser = {.options = shared_options, .parser = parse_shared};

/* The command whose command line is being parsed. */
static const struct command *parsed;

static void find_parsed(const struct argp *parser)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        if (commands[i].parser == parser)
            parsed = &commands[i];
}

/* Ends the help with the exit codes, one per line. */
static char *add_exit_codes(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_EXTRA)
        return (char *)(uintptr_t)text;
    char *lines = heap_text("Exit codes:\n");
    for (const char *at = parsed->exit_codes; *at != '\0';) {
        const char *end = strstr(at, "; ");
        const int length = end == NULL ? (int)strlen(at) : (int)(end - at);
        heap_append(&lines, "  %.*s\n", length, at);
        at += end == NULL ? length : length + 2;
    }
    lines[strlen(lines) - 1] = '\0';
    return lines;
}

static bool is_end(const struct argp_option *option)
{
    return option->name == NULL && option->key == 0 && option->doc == NULL && option->group == 0;
}

static void visit_options(const struct argp *parser, bool hidden,
                          void (*visit)(void *context, const struct option_shown *option),
                          void *context)
{
    const struct argp_option *option = parser->options;
    for (; option != NULL && !is_end(option); option++) {
        const int letter =
            option->key > 0 && option->key < 128 && isgraph(option->key) ? option->key : 0;
        const struct option_shown shown = {option->name, letter, option->arg, option->doc};
        if (hidden || (option->flags & OPTION_HIDDEN) == 0)
            visit(context, &shown);
    }
    for (const struct argp_child *child = parser->children; child != NULL && child->argp != NULL;
         child++)
        visit_options(child->argp, hidden, visit, context);
}

void command_line_options(const struct argp *parser,
                          void (*visit)(void *context, const struct option_shown *option),
                          void *context)
{
    visit_options(parser, false, visit, context);
    visit_options(&shared_parser, false, visit, context);
}

/* The options of a command, for lookup. */
struct known {
    struct option_shown *options;
    size_t count;
};

static void add_known(void *context, const struct option_shown *option)
{
    struct known *known = context;
    known->options = heap_grow(known->options, known->count, sizeof *known->options);
    known->options[known->count++] = *option;
}

/* The option whose name is, or starts with, the `length` characters at `name`; NULL if there is
 * none. */
static const struct option_shown *find_long(const struct known *known, const char *name,
                                            size_t length)
{
    for (size_t i = 0; i < known->count; i++)
        if (known->options[i].name != NULL && strncmp(known->options[i].name, name, length) == 0)
            return &known->options[i];
    return NULL;
}

static bool letter_takes_argument(const struct known *known, int letter)
{
    for (size_t i = 0; i < known->count; i++)
        if (known->options[i].letter == letter)
            return known->options[i].argument != NULL;
    return false;
}

_Noreturn static void refuse(const struct known *known, const char *program, const char *word)
{
    const size_t length = strcspn(word + 2, "=");
    const char **names = heap_take(known->count, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < known->count; i++)
        if (known->options[i].name != NULL)
            names[count++] = known->options[i].name;
    char *asked = heap_format("%.*s", (int)length, word + 2);
    const char *nearest = nearest_word(asked, names, count);
    screen_say(stderr, "%s: unknown option '--%s'", program, asked);
    if (nearest != NULL)
        screen_say(stderr, "; did you mean '--%s'?", nearest);
    screen_say(stderr, "\nTry '%s --help'.\n", program);
    free(asked);
    free(names);
    exit(EXIT_USAGE);
}

/* Refuses the first unknown long option. */
static void check_options(const struct argp *parser, int argc, char **argv)
{
    struct known known = {0};
    visit_options(parser, true, add_known, &known);
    visit_options(&shared_parser, true, add_known, &known);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if (word[0] == '-' && word[1] == '-') {
            const size_t length = strcspn(word + 2, "=");
            const struct option_shown *option = find_long(&known, word + 2, length);
            if (option == NULL)
                refuse(&known, argv[0], word);
            i += option->argument != NULL && word[2 + length] == '\0';
        } else if (word[0] == '-') {
            size_t at = 1;
            while (word[at] != '\0' && !letter_takes_argument(&known, word[at]))
                at++;
            i += word[at] != '\0' && word[at + 1] == '\0';
        }
    }
    free(known.options);
}

void command_line_parse(const struct argp *parser, int argc, char **argv, void *input)
{
    size_t count = 0;
    while (parser->children != NULL && parser->children[count].argp != NULL)
        count++;
    /* The parser passes inputs to its children by index: the shared one comes last. */
    struct argp_child *children = heap_take(count + 2, sizeof *children);
    if (count > 0)
        memcpy(children, parser->children, count * sizeof *children);
    children[count].argp = &shared_parser;
    struct argp whole = *parser;
    whole.children = children;
    whole.help_filter = add_exit_codes;
    find_parsed(parser);
    check_options(parser, argc, argv);
    argp_parse(&whole, argc, argv, ARGP_NO_HELP, NULL, input);
    free(children);
}
