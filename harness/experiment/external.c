/* Solvers that are programs of one's own: {command: [python3, mine.py], label: mine}.
 *
 * None of these keys is a dimension: a mapping with a command is one solver. */
#include "harness/external/external.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/experiment/parts.h"
#include <stdlib.h>
#include <string.h>

static bool keep_node(const struct yaml_node *node, void *field, struct report *report)
{
    (void)report;
    *(const struct yaml_node **)field = node;
    return true;
}

/* What its keys say. */
struct external_form {
    struct solver_settings settings;
    const struct yaml_node *command;
    const struct yaml_node *program;
    bool persistent;
    unsigned protocol; /* of `protocols` */
    unsigned moves;    /* of `directions` */
    bool optimal;
};

static const char *const protocols[] = {"text", "json"};
static const char *const directions[] = {"blank", "tile"};

static const struct schema_key external_keys[] = {
    {.name = "command",
     .type = SCHEMA_LIST,
     .required = true,
     .offset = offsetof(struct external_form, command),
     .expected = "a list of words such as [python3, mine.py]",
     .definition = "command_word",
     .help = "in place of an algorithm: a program of one's own and its arguments; {board}, {goal} "
             "and {size} stand for the board's"},
    {.name = "program",
     .type = SCHEMA_CUSTOM,
     .read = keep_node,
     .offset = offsetof(struct external_form, program),
     .expected = "the name of a file, a folder or a pattern, or a list of them",
     .definition = "files",
     .help =
         "files of the program that the command does not name, such as what it imports; folders "
         "(src) and patterns (lib/*.py) too: where they change, the solver is another"},
    {.name = "persistent",
     .type = SCHEMA_FLAG,
     .offset = offsetof(struct external_form, persistent),
     .fallback = "false",
     .help = "one process solves board after board"},
    {.name = "protocol",
     .type = SCHEMA_CHOICE,
     .words = protocols,
     .word_count = sizeof protocols / sizeof *protocols,
     .offset = offsetof(struct external_form, protocol),
     .fallback = "text",
     .help = "lines of text, or one JSON object a line"},
    {.name = "moves",
     .type = SCHEMA_CHOICE,
     .words = directions,
     .word_count = sizeof directions / sizeof *directions,
     .offset = offsetof(struct external_form, moves),
     .fallback = "blank",
     .help = "whose direction its moves name: that of the blank, or that of the tile"},
    {.name = "optimal",
     .type = SCHEMA_FLAG,
     .offset = offsetof(struct external_form, optimal),
     .fallback = "false",
     .help = "it promises a shortest solution of every board that has one: others are wrong "
             "answers"},
    SOLVER_SETTINGS,
};
const struct schema external_schema = {"a solver with a command", external_keys,
                                       sizeof external_keys / sizeof *external_keys, true};

/* One of the words that stand for a board. In [prog, {board}] YAML sees a mapping. */
static const char *placeholder(const struct yaml_node *node)
{
    static const char *const words[][2] = {
        {"board", "{board}"}, {"goal", "{goal}"}, {"size", "{size}"}};
    const bool braces = node->kind == YAML_MAPPING && node->count == 2 &&
                        node->items[1]->kind == YAML_TEXT && node->items[1]->empty;
    for (size_t i = 0; braces && i < sizeof words / sizeof *words; i++)
        if (strcmp(node->items[0]->text, words[i][0]) == 0)
            return words[i][1];
    return NULL;
}

static bool read_words(const struct yaml_node *command, struct external *external,
                       struct report *report)
{
    enum { MAX_WORDS = 100 };
    const char *expected = "a word, {board}, {goal} or {size}";
    bool fine = true;
    if (command->count > MAX_WORDS) {
        report_add(report, command->line, command->column,
                   "a command of %zu words; expected at most %d", command->count, MAX_WORDS);
        return false;
    }
    external->words = heap_take(command->count + 1, sizeof *external->words);
    for (size_t i = 0; i < command->count; i++) {
        const struct yaml_node *node = command->items[i];
        const char *word = placeholder(node);
        if (word == NULL)
            word = schema_word(node, "command", expected, report);
        if (word != NULL && !text_is_printable(word)) {
            report_add(report, node->line, node->column,
                       "the word '%s' is not printable; expected printable characters", word);
            word = NULL;
        }
        if (word == NULL)
            fine = false;
        else
            external->words[external->word_count++] = heap_text(word);
    }
    return fine;
}

/* The names of files that the command does not have. */
static bool read_files(const struct yaml_node *program, struct external *external,
                       struct report *report)
{
    const bool list = program->kind == YAML_LIST;
    const size_t count = list ? program->count : 1;
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *node = list ? program->items[i] : program;
        const char *word =
            schema_word(node, "program", "the name of a file, a folder or a pattern", report);
        fine = fine && word != NULL;
        bool again = word == NULL;
        for (size_t j = 0; j < external->file_count && !again; j++)
            again = strcmp(external->files[j].name, word) == 0;
        if (again)
            continue;
        external->files = heap_grow(external->files, external->file_count, sizeof *external->files);
        external->files[external->file_count++] = (struct program_file){.name = heap_text(word)};
    }
    return fine;
}

static bool has_option(const struct option_row *options, const char *name)
{
    while (options->kind != OPTION_END && strcmp(options->name, name) != 0)
        options++;
    return options->kind != OPTION_END;
}

/* Whether a key would be right beside an algorithm. */
static bool is_option(const char *name)
{
    for (unsigned i = 0; i < algorithm_count; i++)
        if (has_option(algorithms[i].options, name))
            return true;
    for (unsigned i = 0; i < heuristic_count; i++)
        if (has_option(heuristic_kinds[i].options, name))
            return true;
    return strcmp(name, "heuristic") == 0;
}

/* Reports keys that are not an external solver's; false if there are any. */
static bool check_keys(const struct yaml_node *node, struct report *report)
{
    enum { KEYS = sizeof external_keys / sizeof *external_keys };
    const char *names[KEYS];
    bool fine = true;
    for (size_t i = 0; i < KEYS; i++)
        names[i] = external_keys[i].name;
    for (size_t i = 0; i < node->count; i += 2) {
        const struct yaml_node *key = node->items[i];
        size_t j = 0;
        while (j < KEYS && strcmp(names[j], key->text) != 0)
            j++;
        if (j < KEYS)
            continue;
        fine = false;
        if (strcmp(key->text, "algorithm") == 0)
            report_add(report, key->line, key->column,
                       "'algorithm' beside 'command'; expected one of the two");
        else if (is_option(key->text))
            report_add(report, key->line, key->column,
                       "'%s' beside 'command'; expected it among the words of the command, where "
                       "the program has such an option",
                       key->text);
        else
            report_unknown(report, key->line, key->column, "key", key->text, names, KEYS);
    }
    return fine;
}

struct external *experiment_external(const struct yaml_node *node, const char *folder,
                                     struct solver_settings *settings, struct report *report)
{
    struct external_form form = {.command = NULL};
    schema_defaults(&external_schema, &form);
    form.settings = *settings;
    bool fine = schema_read(&external_schema, node, &form, report);
    fine = check_keys(node, report) && fine;
    *settings = form.settings;
    struct external *external = heap_take(1, sizeof *external);
    *external = (struct external){.folder = file_whole_path(folder),
                                  .persistent = form.persistent,
                                  .json = form.protocol == 1,
                                  .tile_moves = form.moves == 1,
                                  .optimal = form.optimal};
    bool usable = form.command != NULL && read_words(form.command, external, report);
    if (form.program != NULL)
        usable = read_files(form.program, external, report) && usable;
    if (usable) {
        char *why = external_find_files(external);
        if (why != NULL)
            report_add(report, form.command->line, form.command->column, "%s", why);
        fine = fine && why == NULL;
        free(why);
    }
    if (fine && usable)
        return external;
    external_end(external);
    free(external);
    return NULL;
}
