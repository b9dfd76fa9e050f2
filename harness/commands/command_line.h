/* The command line: one table of options for each command. It is parsed and checked from the table,
 * and the help, the manual page and the completions are made from it.
 *
 * A row is an option, or an argument without a name (RESULTS). Its function reads the value and
 * writes it to `target`, an offset in the command's own struct. A value that cannot be read ends
 * the program with a message and exit code 2. Every command also has -h, --help, --usage,
 * -V, --version and -W, --wide; its help ends with its exit codes. An unknown option is reported
 * with the nearest known one. */
#pragma once

#include "base/compiler.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parsing; /* the command line that is being parsed */
struct command_option;

/* A value that is read: what follows the option, NULL for one that takes none. The text stays valid
 * as long as argv. */
struct given {
    const struct parsing *parsing;
    const struct command_option *option;
    void *target;
    char *value;
};

/* Reads a value into its target. */
typedef void take_option(const struct given *given);

struct command_option {
    const char *name;     /* without its dashes; NULL: none */
    int letter;           /* 0: none */
    const char *argument; /* what the help calls the value; NULL: it takes none */
    const char *help;     /* of an argument without a name: what it is ("results folder") */
    take_option *take;
    size_t target;
    uint64_t min, max;    /* the range of a number, max 0: none; of an argument without a name: how
                             many there must and may be, max 0: any number */
    const char *expected; /* what a value must be ("a time such as 60s"); of an argument without a
                             name, the message where it is missing */
    const char *const *words; /* the first of the words that the value may be; NULL: any */
    size_t word_stride;       /* from one to the next, in bytes */
    unsigned word_count;
    const char *names; /* completed by these words, "@WHAT": what `tilelab list WHAT` names */
    const char *with;  /* "--dot|--svg", "nodes": one of these options, or the first argument
                          that is one of these words, must be given too; NULL: none */
};

/* The offset of a member in a command's struct arguments, for `target`. */
#define TARGET(member) offsetof(struct arguments, member)

/* The inside of a row; what else it has follows: {OPTION("jobs", 'j', "N", "Searches at a time",
 * take_unsigned, jobs), .min = 1}. OPTION_OF_ALL: the target is the whole struct. */
#define OPTION(name, letter, argument, help, take, member)                                         \
    OPTION_OF_ALL(name, letter, argument, help, take), .target = TARGET(member)
#define OPTION_OF_ALL(name_, letter_, argument_, help_, take_)                                     \
    .name = (name_), .letter = (letter_), .argument = (argument_), .help = (help_), .take = (take_)

/* The words of a row: an array of texts; or the names in an array of structs. */
#define WORDS(texts, count) .words = (texts), .word_stride = sizeof *(texts), .word_count = (count)
#define WORDS_OF(rows, count)                                                                      \
    .words = &(rows)[0].name, .word_stride = sizeof *(rows), .word_count = (count)

struct command_line {
    const struct command_option *options; /* then a row of zeros */
    const char *arguments;                /* "EXPERIMENT", several forms on lines of their own */
    const char *help;                     /* what the command does, then \v and details */
    void (*check)(const struct parsing *parsing,
                  void *arguments); /* of all together; may be NULL */
};

/* The struct command_line NAME_line of a command, whose table is `options`. */
#define COMMAND_LINE(name, arguments_, check_, help_)                                              \
    const struct command_line name##_line = {                                                      \
        .options = options, .arguments = (arguments_), .help = (help_), .check = (check_)}

/* Reads the command line into `arguments`, the command's struct. Wrong usage ends the program with
 * a message and exit code 2; --help and --version print and end it with exit code 0. */
void command_line_parse(const struct command_line *line, int argc, char **argv, void *arguments);

/* Whether an option was given on the command line. */
bool option_given(const struct parsing *parsing, const char *name);

/* Ends the program with a message about the command line. */
_Noreturn void command_line_refuse(const struct parsing *parsing, const char *format, ...)
    PRINTF_LIKE(2, 3);

/* ---- Readers, with the type of their target ---- */

take_option take_flag;     /* bool */
take_option take_text;     /* const char * */
take_option take_texts;    /* struct texts */
take_option take_count;    /* uint64_t, from min to max; 500k, 2M */
take_option take_unsigned; /* unsigned, the same */
take_option take_seconds;  /* double, positive unless the row expects 0, too */
take_option take_bytes;    /* uint64_t, positive */
take_option take_word;     /* unsigned or an enum: the number of one of the words */
take_option take_words;    /* bool[]: marks those of a list such as "svg,pdf", and only those */

struct texts {
    const char **items; /* owned, not what it points to */
    size_t count;
};

/* A word of a row, by its number. */
const char *option_word(const struct command_option *option, unsigned i);

/* The number of a word among those of a row; any other ends the program. */
unsigned word_number(const struct given *given, const char *word);

/* A number from `min` to `max` in the value of an option, or in a part of it. */
uint64_t option_number(const struct given *given, const char *text, uint64_t min, uint64_t max);

/* ---- For help, manual pages and completions ---- */

/* Calls `visit` for each row that the help shows, those of all commands last. */
void command_line_options(const struct command_line *line,
                          void (*visit)(void *context, const struct command_option *option),
                          void *context);

/* Whether a row is an argument without a name, and whether it completes to files. */
bool option_is_argument(const struct command_option *option);
bool option_names_files(const struct command_option *option);

/* Prints the version, the compiler and the kind of build on standard output. */
void version_print(void);
