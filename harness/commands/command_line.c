#include "harness/commands/command_line.h"
#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/experiment/units.h"
#include "harness/results/version.h"
#include "harness/text/screen.h"
#include <argp.h>
#include <ctype.h>
#include <inttypes.h>
#include <unistd.h>

struct parsing {
    const struct command_line *line;
    void *arguments;
    struct argp_state *state;
    const char *action; /* the first argument; NULL: none yet */
    unsigned words;     /* arguments without a name */
    bool *given;        /* by option */
};

/* An option without a letter has its number in the table as its key, from here on. */
enum { FIRST_KEY = 256 };

static size_t count_options(const struct command_line *line)
{
    size_t count = 0;
    while (line->options != NULL &&
           (line->options[count].take != NULL || line->options[count].help != NULL))
        count++;
    return count;
}

bool option_is_argument(const struct command_option *option)
{
    return option->name == NULL && option->letter == 0;
}

bool option_names_files(const struct command_option *option)
{
    static const char *const files[] = {"FILE", "DIR", "FOLDER", "RESULTS", "EXPERIMENT", "OLD"};
    for (size_t i = 0; option->argument != NULL && i < sizeof files / sizeof *files; i++)
        if (strstr(option->argument, files[i]) != NULL)
            return true;
    return false;
}

static char *refusal; /* owned; the program ends with it */

/* At once: what the callers of a refusal hold, which they would free in the end, is no leak. */
static void refusal_end(void)
{
    free(refusal);
    fflush(NULL);
    _exit(EXIT_USAGE);
}

/* Ends the program with a message, whose text it takes. */
_Noreturn static void refuse(const struct parsing *parsing, char *text)
{
    refusal = text_printable(text);
    free(text);
    atexit(refusal_end);
    argp_error(parsing->state, "%s", refusal);
    exit(EXIT_USAGE);
}

void command_line_refuse(const struct parsing *parsing, const char *format, ...)
{
    char *text = FORMATTED(format);
    refuse(parsing, text);
}

/* "--time 5 weeks: expected a time": the same for all options. */
_Noreturn static void refuse_value(const struct given *given, const char *value,
                                   const char *expected)
{
    if (given->option->name != NULL)
        command_line_refuse(given->parsing, "--%s %s: expected %s", given->option->name, value,
                            expected);
    command_line_refuse(given->parsing, "'%s': expected %s", value, expected);
}

/* ---- Readers ---- */

void take_flag(const struct given *given)
{
    *(bool *)given->target = true;
}

void take_text(const struct given *given)
{
    *(const char **)given->target = given->value;
}

void take_texts(const struct given *given)
{
    struct texts *texts = given->target;
    *HEAP_ADD(texts->items, texts->count) = given->value;
}

uint64_t option_number(const struct given *given, const char *text, uint64_t min, uint64_t max)
{
    uint64_t number = 0;
    max = max == 0 ? UINT64_MAX : max;
    if (parse_count(text, &number) && number >= min && number <= max)
        return number;
    if (given->option->expected != NULL)
        refuse_value(given, text, given->option->expected);
    if (max == UINT64_MAX)
        refuse_value(given, text, "a whole number");
    char *shown = heap_format("--%s %s: expected a whole number from %" PRIu64 " to %" PRIu64,
                              given->option->name, text, min, max);
    refuse(given->parsing, shown);
}

void take_count(const struct given *given)
{
    *(uint64_t *)given->target =
        option_number(given, given->value, given->option->min, given->option->max);
}

void take_unsigned(const struct given *given)
{
    *(unsigned *)given->target =
        (unsigned)option_number(given, given->value, given->option->min, given->option->max);
}

void take_seconds(const struct given *given)
{
    double *seconds = given->target;
    const bool zero_allowed =
        given->option->expected != NULL && strstr(given->option->expected, "or 0") != NULL;
    if (!parse_seconds(given->value, seconds) || (*seconds <= 0 && !zero_allowed))
        refuse_value(given, given->value,
                     given->option->expected != NULL ? given->option->expected
                                                     : "a time such as 60s, 500ms or 2m");
}

void take_bytes(const struct given *given)
{
    uint64_t *bytes = given->target;
    if (!parse_bytes(given->value, bytes) || *bytes == 0)
        refuse_value(given, given->value, "bytes such as 512MiB or 2GB");
}

/* What an option's words are, for messages: "figure" of FIGURE,.. or FIGURE, else its name. */
static char *noun_of(const struct command_option *option)
{
    const char *shown = option->argument;
    const size_t length = strspn(shown, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (option_is_argument(option))
        return heap_text(option->help);
    if (length == 0 || strchr(",", shown[length]) == NULL)
        return heap_text(option->name);
    char *noun = heap_format("%.*s", (int)length, shown);
    for (char *at = noun; *at != '\0'; at++)
        *at = (char)tolower((unsigned char)*at);
    return noun;
}

const char *option_word(const struct command_option *option, unsigned i)
{
    return *(const char *const *)((const char *)option->words + i * option->word_stride);
}

unsigned word_number(const struct given *given, const char *word)
{
    const struct command_option *option = given->option;
    SCOPED const char **words = heap_take(option->word_count, sizeof *words);
    for (unsigned i = 0; i < option->word_count; i++) {
        words[i] = option_word(option, i);
        if (strcmp(word, words[i]) == 0)
            return i;
    }
    SCOPED char *noun = noun_of(option);
    SCOPED char *listed = words_listed(words, option->word_count);
    SCOPED char *meant = word_meant(word, words, option->word_count);
    refuse(given->parsing,
           heap_format("unknown %s '%s'; expected %s%s", noun, word, listed, meant));
}

void take_word(const struct given *given)
{
    *(unsigned *)given->target = word_number(given, given->value);
}

void take_words(const struct given *given)
{
    bool *marked = given->target;
    memset(marked, 0, given->option->word_count * sizeof *marked);
    for (char *rest = given->value, *word; (word = strsep(&rest, ",")) != NULL;)
        marked[word_number(given, word)] = true;
}

/* ---- The options of all commands ---- */

void version_print(void)
{
    printf("tilelab %s (%s, %s%s%s)\n", tilelab_version, build_compiler, build_type,
           build_sanitizers[0] == '\0' ? "" : ", sanitizers ", build_sanitizers);
    printf("build %s\n", build_hash);
}

static void take_help(const struct given *given)
{
    const unsigned wanted = given->option->name != NULL && strcmp(given->option->name, "usage") == 0
                                ? ARGP_HELP_USAGE
                                : ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK;
    argp_state_help(given->parsing->state, stdout, wanted);
    exit(finish_output(EXIT_DONE));
}

static void take_version(const struct given *given)
{
    (void)given;
    version_print();
    exit(finish_output(EXIT_DONE));
}

static void take_wide(const struct given *given)
{
    (void)given;
    screen_wide();
}

static const struct command_option shared[] = {
    {OPTION_OF_ALL("help", 'h', NULL, "Print this help", take_help)},
    {.letter = '?', .take = take_help},
    {.name = "usage", .letter = 'U', .take = take_help},
    {OPTION_OF_ALL("version", 'V', NULL, "Print version and build", take_version)},
    {OPTION_OF_ALL("wide", 'W', NULL, "Show all columns of tables, however wide the terminal is",
                   take_wide)},
    {0},
};

enum { SHARED = sizeof shared / sizeof *shared - 1 };

/* The option with this number: the command's, then those of all commands. */
static const struct command_option *option_at(const struct command_line *line, size_t i)
{
    const size_t own = count_options(line);
    return i < own ? &line->options[i] : &shared[i - own];
}

void command_line_options(const struct command_line *line,
                          void (*visit)(void *context, const struct command_option *option),
                          void *context)
{
    for (size_t i = 0; i < count_options(line) + SHARED; i++)
        if (option_at(line, i)->help != NULL)
            visit(context, option_at(line, i));
}

/* ---- Parsing ---- */

/* The number of the option with a name; SIZE_MAX if there is none. */
static size_t find_name(const struct command_line *line, const char *name, size_t length)
{
    for (size_t i = 0; i < count_options(line) + SHARED; i++) {
        const char *own = option_at(line, i)->name;
        if (own != NULL && strlen(own) == length && strncmp(own, name, length) == 0)
            return i;
    }
    return SIZE_MAX;
}

bool option_given(const struct parsing *parsing, const char *name)
{
    const size_t option = find_name(parsing->line, name, strlen(name));
    return option != SIZE_MAX && parsing->given[option];
}

/* Hands a value to its row. An empty name of a file, often a variable of the shell that is not set,
 * would be read as a file of the root folder or of none. */
static void take(const struct parsing *parsing, const struct command_option *row, char *value)
{
    if (value != NULL && value[0] == '\0' && option_names_files(row) &&
        strstr(row->argument, "BOARD") == NULL)
        command_line_refuse(parsing, "%s%s%sexpected %s, not an empty word",
                            row->name == NULL ? "" : "--", row->name == NULL ? "" : row->name,
                            row->name == NULL ? "" : ": ", row->argument);
    row->take(&(struct given){parsing, row, (char *)parsing->arguments + row->target, value});
}

/* Whether one of the names in `with`, separated by |, was given. */
static bool accompanied(const struct parsing *parsing, const char *with)
{
    bool found = parsing->action != NULL && heap_has_part(with, '|', parsing->action);
    for (size_t i = 0; !found && i < count_options(parsing->line); i++) {
        const char *name = parsing->line->options[i].name;
        SCOPED char *shown = parsing->given[i] && name != NULL ? heap_format("--%s", name) : NULL;
        found = shown != NULL && heap_has_part(with, '|', shown);
    }
    return found;
}

/* Hands a word to the row that it belongs to: the first that may have one more. */
static void take_argument(struct parsing *parsing, char *word)
{
    unsigned before = parsing->words++;
    const struct command_option *last = NULL;
    if (parsing->action == NULL)
        parsing->action = word;
    for (size_t i = 0; i < count_options(parsing->line); i++) {
        const struct command_option *row = &parsing->line->options[i];
        if (!option_is_argument(row) || (row->with != NULL && !accompanied(parsing, row->with)))
            continue;
        if (row->max == 0 || before < row->max) {
            take(parsing, row, word);
            return;
        }
        before -= (unsigned)row->max;
        last = row;
    }
    if (last != NULL && last->max == 1)
        command_line_refuse(parsing, "a second %s '%s'; expected one", last->help, word);
    command_line_refuse(parsing, "unexpected argument '%s'; expected %s", word,
                        parsing->line->arguments == NULL ? "only options"
                                                         : parsing->line->arguments);
}

/* "--dot|--svg" as "--dot or --svg", "nodes|cover" as "nodes and cover"; heap memory. */
static char *alternatives(const char *with)
{
    char *text = heap_text("");
    for (const char *at = with; *at != '\0';) {
        const size_t length = strcspn(at, "|");
        const bool last = at[length] == '\0';
        heap_append(&text, "%s%.*s",
                    at == with ? ""
                    : last     ? (with[0] == '-' ? " or " : " and ")
                               : ", ",
                    (int)length, at);
        at += length + !last;
    }
    return text;
}

static void check_all(struct parsing *parsing)
{
    unsigned words = parsing->words;
    for (size_t i = 0; i < count_options(parsing->line); i++) {
        const struct command_option *row = &parsing->line->options[i];
        if (option_is_argument(row)) {
            if (words < row->min && row->expected != NULL)
                command_line_refuse(parsing, "%s", row->expected);
            words -= row->max == 0 || words < row->max ? words : (unsigned)row->max;
        } else if (parsing->given[i] && row->with != NULL && !accompanied(parsing, row->with)) {
            SCOPED char *needed = alternatives(row->with);
            char *said = heap_format("--%s %s %s", row->name,
                                     row->with[0] == '-' ? "needs" : "is for", needed);
            refuse(parsing, said);
        }
    }
    if (parsing->line->check != NULL)
        parsing->line->check(parsing, parsing->arguments);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    const struct command_line *line = parsing->line;
    parsing->state = state;
    if (key == ARGP_KEY_ARG) {
        take_argument(parsing, value);
        return 0;
    }
    if (key == ARGP_KEY_END) {
        check_all(parsing);
        return 0;
    }
    for (size_t i = 0; i < count_options(line) + SHARED; i++) {
        const struct command_option *option = option_at(line, i);
        if (option_is_argument(option) ||
            key != (option->letter != 0 ? option->letter : FIRST_KEY + (int)i))
            continue;
        parsing->given[i] = true;
        take(parsing, option, value);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* The command whose command line it is. */
static const struct command *command_of(const struct command_line *line)
{
    const struct command *found = commands;
    while (found->line != line)
        found++;
    return found;
}

/* Ends the help with the exit codes, one per line. */
static char *add_exit_codes(int key, const char *text, void *input)
{
    if (key != ARGP_KEY_HELP_EXTRA)
        return (char *)(uintptr_t)text;
    const struct parsing *parsing = input;
    char *lines = heap_text("Exit codes:\n");
    for (const char *at = command_of(parsing->line)->exit_codes; *at != '\0';) {
        const char *end = strstr(at, "; ");
        const int length = end == NULL ? (int)strlen(at) : (int)(end - at);
        heap_append(&lines, "  %.*s\n", length, at);
        at += end == NULL ? length : length + 2;
    }
    lines[strlen(lines) - 1] = '\0';
    return lines;
}

/* The row of argp for each option. */
static struct argp_option *argp_options(const struct command_line *line)
{
    const size_t count = count_options(line) + SHARED;
    struct argp_option *rows = heap_take(count + 1, sizeof *rows);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct command_option *option = option_at(line, i);
        if (option_is_argument(option))
            continue;
        rows[used++] =
            (struct argp_option){.name = option->name,
                                 .key = option->letter != 0 ? option->letter : FIRST_KEY + (int)i,
                                 .arg = option->argument,
                                 .flags = option->help == NULL ? OPTION_HIDDEN : 0,
                                 .doc = option->help,
                                 .group = i < count - SHARED ? 0 : -1};
    }
    return rows;
}

static void say_unknown(const struct command_line *line, const char *program, const char *word)
{
    const size_t count = count_options(line) + SHARED;
    SCOPED const char **names = heap_take(count, sizeof *names);
    size_t named = 0;
    for (size_t i = 0; i < count; i++)
        if (option_at(line, i)->name != NULL)
            names[named++] = option_at(line, i)->name;
    SCOPED char *asked = heap_format("%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *nearest = nearest_word(asked, names, named);
    screen_say(stderr, "%s: unknown option '--%s'", program, asked);
    if (nearest != NULL)
        screen_say(stderr, "; did you mean '--%s'?", nearest);
    screen_say(stderr, "\nTry '%s --help'.\n", program);
}

_Noreturn static void refuse_name(const struct command_line *line, const char *program,
                                  const char *word)
{
    say_unknown(line, program, word);
    exit(EXIT_USAGE);
}

/* The option that a word such as --time=5s, --ti or -qt begins or ends with, if it takes a value
 * that is the next word; NULL where no such option is known. */
static const struct command_option *option_of(const struct command_line *line, const char *word)
{
    const size_t length = strcspn(word, "=");
    const bool is_long = word[1] == '-';
    for (const char *at = word + 1; *at != '\0'; at++)
        for (size_t i = 0; i < count_options(line) + SHARED; i++) {
            const struct command_option *option = option_at(line, i);
            if (is_long ? option->name != NULL && strncmp(option->name, word + 2, length - 2) == 0
                        : option->letter == *at && option->argument != NULL)
                return option;
        }
    return NULL;
}

/* Refuses the first unknown long option: argp would not name the nearest. */
static void check_names(const struct command_line *line, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if (word[0] != '-' || word[1] == '\0')
            continue;
        const struct command_option *option = option_of(line, word);
        if (option == NULL && word[1] == '-')
            refuse_name(line, argv[0], word);
        if (option == NULL || option->argument == NULL)
            continue;
        const char *letter = word[1] == '-' ? NULL : strchr(word + 1, option->letter);
        i += letter != NULL ? letter[1] == '\0' : strchr(word, '=') == NULL;
    }
}

void command_line_parse(const struct command_line *line, int argc, char **argv, void *arguments)
{
    struct parsing parsing = {.line = line, .arguments = arguments};
    SCOPED struct argp_option *options = argp_options(line);
    const struct argp parser = {.options = options,
                                .parser = parse,
                                .args_doc = line->arguments,
                                .doc = line->help,
                                .help_filter = add_exit_codes};
    parsing.given = heap_take(count_options(line) + SHARED, sizeof(bool));
    check_names(line, argc, argv);
    argp_parse(&parser, argc, argv, ARGP_NO_HELP, NULL, &parsing);
    free(parsing.given);
}
