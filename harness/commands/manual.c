#include "base/heap.h"
#include "harness/commands/commands.h"
#include "harness/experiment/keys.h"
#include "harness/results/version.h"
#include "text_files.h"
#include <ctype.h>

/* Prints text so that man(7) shows it unchanged: escapes dashes, backslashes, and dots at the start
 * of a line. */
static void print_text(const char *text, size_t length)
{
    bool first = true;
    for (size_t i = 0; i < length; i++) {
        const char byte = text[i];
        if (first && (byte == '.' || byte == '\''))
            fputs("\\&", stdout);
        if (byte == '-')
            fputs("\\-", stdout);
        else if (byte == '\\')
            fputs("\\e", stdout);
        else
            putchar(byte);
        first = byte == '\n';
    }
}

static void print_word(const char *text)
{
    print_text(text, strlen(text));
}

static void print_sentence(const char *text)
{
    printf("%c", toupper((unsigned char)text[0]));
    print_word(text + 1);
    fputs(text[strlen(text) - 1] == '.' ? "\n" : ".\n", stdout);
}

/* Prints paragraphs, which empty lines separate; lines that start with a space stay lines. */
static void print_paragraphs(const char *text, size_t length)
{
    const char *end = text + length;
    bool literal = false;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop == NULL ? end : stop;
        if (text == stop) {
            puts(literal ? ".fi\n.PP" : ".PP");
            literal = false;
        } else {
            if ((*text == ' ') != literal)
                puts(literal ? ".fi" : ".nf");
            literal = *text == ' ';
            print_text(text, (size_t)(stop - text));
            putchar('\n');
        }
        text = stop + (stop < end);
    }
    if (literal)
        puts(".fi");
}

static void print_option(void *context, const struct command_option *option)
{
    (void)context;
    if (option_is_argument(option))
        return;
    fputs(".TP\n", stdout);
    if (option->letter != 0)
        printf("\\fB\\-%c\\fR%s", option->letter, option->name != NULL ? ", " : "");
    if (option->name != NULL) {
        fputs("\\fB\\-\\-", stdout);
        print_word(option->name);
        fputs("\\fR", stdout);
    }
    if (option->argument != NULL) {
        fputs(option->name != NULL ? "=\\fI" : " \\fI", stdout);
        print_word(option->argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_sentence(option->help);
}

static void print_head(const char *page, unsigned section, const char *summary)
{
    SCOPED char *title = heap_text(page);
    for (char *at = title; *at != '\0'; at++)
        *at = (char)toupper((unsigned char)*at);
    printf(".\\\" Made by tilelab help --man.\n.TH %s %u \"\" \"tilelab %.*s\" \"tilelab\"\n"
           ".SH NAME\n",
           title, section, (int)strcspn(tilelab_version, "+"), tilelab_version);
    print_word(page);
    fputs(" \\- ", stdout);
    print_word(summary);
    putchar('\n');
}

static void print_exit_codes(const char *codes)
{
    puts(".SH EXIT STATUS");
    while (*codes != '\0') {
        const size_t length =
            strstr(codes, "; ") == NULL ? strlen(codes) : (size_t)(strstr(codes, "; ") - codes);
        const size_t number = strcspn(codes, " ");
        printf(".TP\n\\fB%.*s\\fR\n", (int)number, codes);
        print_text(codes + number + 1, length - number - 1);
        putchar('\n');
        codes += codes[length] == ';' ? length + 2 : length;
    }
}

static void print_command(const struct command *command)
{
    SCOPED char *page = heap_format("tilelab-%s", command->name);
    print_head(page, 1, command->summary);
    puts(".SH SYNOPSIS");
    const char *arguments = command->line->arguments == NULL ? "" : command->line->arguments;
    do {
        const size_t length = strcspn(arguments, "\n");
        printf(".B tilelab %s\n[\\fIOPTION\\fR...] ", command->name);
        print_text(arguments, length);
        puts("\n.br");
        arguments += length + (arguments[length] == '\n');
    } while (*arguments != '\0');
    const char *doc = command->line->help;
    const size_t before = strcspn(doc, "\v");
    puts(".SH DESCRIPTION");
    print_paragraphs(doc, before);
    if (doc[before] == '\v') {
        puts(".PP");
        print_paragraphs(doc + before + 1, strlen(doc + before + 1));
    }
    puts(".SH OPTIONS");
    command_line_options(command->line, print_option, NULL);
    print_exit_codes(command->exit_codes);
    puts(".SH SEE ALSO\n.BR tilelab (1),\n.BR tilelab\\-experiment (5)");
}

static void print_program(void)
{
    print_head("tilelab", 1, "a laboratory for heuristic search on sliding-tile puzzles");
    puts(".SH SYNOPSIS\n.B tilelab\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n.SH "
         "DESCRIPTION");
    print_paragraphs(
        "A YAML file describes an experiment. tilelab draws the instances, runs every solver on "
        "every instance within limits, checks every answer, writes one CSV row per run, and "
        "compares the solvers statistically.",
        strlen("A YAML file describes an experiment. tilelab draws the instances, runs every "
               "solver on every instance within limits, checks every answer, writes one CSV row "
               "per run, and compares the solvers statistically."));
    puts(".SH COMMANDS");
    for (unsigned i = 0; i < COMMANDS; i++) {
        printf(".TP\n\\fBtilelab\\-%s\\fR(1)\n", commands[i].name);
        print_sentence(commands[i].summary);
    }
    puts(".SH ENVIRONMENT\n.TP\n\\fBTILELAB_PDB_DIR\\fR\nWhere pattern databases are kept.\n"
         ".TP\n\\fBNO_COLOR\\fR, \\fBTERM=dumb\\fR\nNo colour and no progress bars.\n"
         ".TP\n\\fBCOLUMNS\\fR\nThe width of tables.\n"
         ".SH SEE ALSO");
    for (unsigned i = 0; i < COMMANDS; i++)
        printf(".BR tilelab\\-%s (1),\n", commands[i].name);
    puts(".BR tilelab\\-experiment (5)");
}

void manual_print(const struct command *command)
{
    if (command == NULL)
        print_program();
    else
        print_command(command);
}

/* Prints a key with its values, where it belongs, and its default. */
static void print_key(const struct experiment_key *key)
{
    fputs(".TP\n\\fB", stdout);
    print_word(key->name);
    fputs("\\fR (", stdout);
    print_word(key->value);
    if (key->fallback[0] != '\0') {
        fputs(strcmp(key->fallback, "required") == 0 ? ", " : ", default ", stdout);
        print_word(key->fallback);
    }
    if (key->belongs[0] != '\0') {
        fputs("; for ", stdout);
        print_word(key->belongs);
    }
    puts(")");
    print_sentence(key->meaning);
}

void manual_print_experiment(void)
{
    size_t count;
    SCOPED struct experiment_key *keys = experiment_keys(&count);
    print_head("tilelab-experiment", 5, "experiment files of tilelab");
    fputs(text_experiment_man, stdout);
    for (size_t i = 0; i < count; i++) {
        print_key(&keys[i]);
        FREE(keys[i].name, keys[i].value, keys[i].fallback, keys[i].belongs, keys[i].meaning);
    }
    puts(".SH SEE ALSO\n.BR tilelab\\-run (1),\n.BR tilelab\\-check (1)");
}
