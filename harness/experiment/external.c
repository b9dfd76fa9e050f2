/* Solvers that are programs of one's own: {command: [python3, mine.py], label: mine}.
 *
 * A mapping with a command is one solver, or with `params` one for each combination of their
 * values. No other key is a dimension. */
#include "base/named.h"
#include "harness/experiment/parts.h"
#include "harness/external/program_heuristic.h"
#include "harness/external/submission.h"
#include "harness/text/tidy.h"
#include <ctype.h>

/* What its keys say. */
struct external_form {
    struct solver_settings settings;
    const struct yaml_node *node; /* the solver's */
    const char *submissions;
    const struct yaml_node *command; /* NULL: as the folder of a submission has it */
    const struct yaml_node *build;
    const struct yaml_node *program;
    const struct yaml_node *version;
    const struct yaml_node *params;
    const struct yaml_node *input;
    const struct yaml_node *parse;
    const struct yaml_node *env;
    const struct yaml_node *units;
    const char *cwd;
    double grace;
    uint64_t threads;
    bool persistent;
    bool isolate;
    bool logs;
    unsigned protocol; /* of `protocols` */
    unsigned moves;    /* of `directions` */
    bool optimal;
};

static const char *const protocols[] = {"text", "json"};
static const char *const directions[] = {"blank", "tile"};

static const struct schema_key external_keys[] = {
    {KEY("submissions", LINE, struct external_form, submissions,
         "a folder with a folder for each submission: a solver for each, labelled by its name, "
         "isolated unless isolate is false")},
    {KEY("build", CUSTOM, struct external_form, build,
         "the command that builds each submission in a private copy of its folder, once, within "
         "limits"),
     .read = schema_keep_node, .expected = "none, or a list of words such as [make]",
     .definition = "build_words", .fallback = "by what the folder has"},
    {KEY("command", LIST, struct external_form, command,
         "in place of an algorithm: a program of one's own and its arguments; {board}, {size}, "
         "{seed} and others stand for what a run has (tilelab list placeholders)"),
     .expected = "a list of words such as [python3, mine.py]", .definition = "command_word",
     .fallback = "of submissions: by what the folder has"},
    {KEY("params", CUSTOM, struct external_form, params,
         "values for names in braces, {w}, in the command, input and env: a solver for each "
         "combination"),
     .read = schema_keep_node,
     .expected =
         "a mapping of names to values, lists or ranges, such as {w: [1.5, 2], seed: {from: "
         "1, to: 10}}",
     .definition = "parameters"},
    {KEY("input", CUSTOM, struct external_form, input,
         "what the program reads, with names in braces such as {width}, {board}, {positions}"),
     .read = schema_keep_node, .expected = "a text", .definition = "text",
     .fallback = "W H, the rows of the board, an empty line and the rows of the goal"},
    {KEY("parse", CUSTOM, struct external_form, parse,
         "how its output is read, in place of lines `name: value`: the value is what the first "
         "group of the last match has; the name of a status, such as unsolvable, is the "
         "answer's where its expression matches"),
     .read = schema_keep_node,
     .expected = "a mapping of names to regular expressions, such as {expanded: 'expanded (\\d+)'}",
     .definition = "texts"},
    {KEY("units", CUSTOM, struct external_form, units,
         "units of numbers that it prints under names of its own (the metrics extra.NAME); s "
         "makes one a time"),
     .read = schema_keep_node, .expected = "a mapping of names to units, such as {search_s: s}",
     .definition = "texts"},
    {KEY("env", CUSTOM, struct external_form, env,
         "variables of its environment, beside those of tilelab's own; names in braces stand "
         "for what they do in the command"),
     .read = schema_keep_node,
     .expected = "a mapping of variables to texts, such as {OMP_NUM_THREADS: 1}",
     .definition = "texts"},
    {KEY("cwd", LINE, struct external_form, cwd,
         "the folder that it runs in, and from which the files of the command are named"),
     .fallback = "the folder of the experiment's file"},
    {KEY("grace", SECONDS, struct external_form, grace,
         "how long it may still run after SIGTERM at the time limit, to print the best that it "
         "has; 0: it is killed at once"),
     .fallback = "0", .max = 3600000},
    {KEY("threads", NUMBER, struct external_form, threads,
         "the processors that a run of it holds: others wait while there are too few"),
     .fallback = "1", .min = 1, .max = 256},
    {KEY("isolate", FLAG, struct external_form, isolate,
         "bubblewrap keeps it from the network, from other processes and from all files but "
         "the system's and its own; submissions are isolated unless it is false"),
     .fallback = "false"},
    {KEY("logs", FLAG, struct external_form, logs,
         "what it prints in a run is kept in logs/RUN_ID.log.gz of the results folder, of "
         "standard output and standard error the first MiB each; without this key as the "
         "experiment's own key logs says")},
    {KEY("program", CUSTOM, struct external_form, program,
         "files of the program that the command does not name, such as what it imports; folders "
         "(src) and patterns (lib/*.py) too: where they change, the solver is another"),
     .read = schema_keep_node,
     .expected = "the name of a file, a folder or a pattern, or a list of them",
     .definition = "files"},
    {KEY("version", LIST, struct external_form, version,
         "a command that prints its version: run once when a session starts, for manifest.json "
         "and the column extra"),
     .expected = "a list of words such as [./mine, --version]", .definition = "command_word"},
    {KEY("persistent", FLAG, struct external_form, persistent,
         "one process solves board after board"),
     .fallback = "false"},
    {KEY("protocol", CHOICE, struct external_form, protocol,
         "lines of text, or one JSON object a line"),
     .words = protocols, .word_count = sizeof protocols / sizeof *protocols, .fallback = "text"},
    {KEY("moves", CHOICE, struct external_form, moves,
         "whose direction its moves name: that of the blank, or that of the tile"),
     .words = directions, .word_count = sizeof directions / sizeof *directions,
     .fallback = "blank"},
    {KEY("optimal", FLAG, struct external_form, optimal,
         "it promises a shortest solution of every board that has one: others are wrong answers"),
     .fallback = "false"},
    SOLVER_SETTINGS,
};
const struct schema external_schema = {"a solver with a command", external_keys,
                                       sizeof external_keys / sizeof *external_keys, true};

/* A parameter and its values. */
struct parameter {
    const char *name;
    char **values; /* owned, as its texts are */
    size_t count;
    size_t at; /* the chosen one */
};

struct parameters {
    struct parameter *items; /* owned */
    size_t count;
};

/* A name in braces. In [prog, {w}] YAML sees a mapping. Heap memory; NULL: the node is another. */
static char *in_braces(const struct yaml_node *node)
{
    const bool braces = node->kind == YAML_MAPPING && node->count == 2 &&
                        node->items[1]->kind == YAML_TEXT && node->items[1]->empty;
    return braces ? heap_format("{%s}", node->items[0]->text) : NULL;
}

/* A text in which the parameters have their values; reports names in braces that are not known.
 * Heap memory; NULL: there is one. */
static char *with_values(const struct yaml_node *node, const char *text,
                         const struct parameters *parameters, struct report *report)
{
    const size_t count = parameters->count;
    SCOPED const char **names = heap_take(count + PLACEHOLDERS, sizeof *names);
    SCOPED const char **values = heap_take(count + 1, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        names[i] = parameters->items[i].name;
        values[i] = parameters->items[i].values[parameters->items[i].at];
    }
    char *replaced = placeholders_replaced(text, names, values, count);
    SCOPED char *unknown = placeholders_unknown(replaced);
    if (unknown != NULL) {
        for (size_t i = 0; i < PLACEHOLDERS; i++)
            names[count + i] = placeholders[i].name;
        SCOPED char *meant = word_meant(unknown, names, count + PLACEHOLDERS);
        report_add(report, node->place,
                   "{%s} stands for nothing; expected a name of `params` or of tilelab list "
                   "placeholders, or {{%s}} for the braces themselves%s",
                   unknown, unknown, meant);
    }
    return heap_keep(unknown == NULL, replaced);
}

/* The words of a command, ended by NULL, and their number; heap memory, also if it fails. */
static bool read_words(const struct yaml_node *command, const char *key,
                       const struct parameters *parameters, char ***words, size_t *count,
                       struct report *report)
{
    enum { MAX_WORDS = 100 };
    const char *expected = "a word, or a name in braces such as {board}";
    bool fine = true;
    if (command->count > MAX_WORDS)
        return report_add(report, command->place, "a command of %zu words; expected at most %d",
                          command->count, MAX_WORDS);
    *words = heap_take(command->count + 1, sizeof **words);
    for (size_t i = 0; i < command->count; i++) {
        const struct yaml_node *node = command->items[i];
        SCOPED char *braces = in_braces(node);
        const char *word = braces != NULL ? braces : schema_word(node, key, expected, report);
        if (word != NULL && !text_is_printable(word)) {
            report_add(report, node->place,
                       "the word '%s' is not printable; expected printable characters", word);
            word = NULL;
        }
        char *whole = word == NULL ? NULL : with_values(node, word, parameters, report);
        if (whole != NULL)
            (*words)[(*count)++] = whole;
        fine = fine && whole != NULL;
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
        const size_t before = external->file_count;
        fine = fine && word != NULL;
        if (word != NULL && NAME_PLACE(external->files, before, name, word) == before)
            *HEAP_ADD(external->files, external->file_count) =
                (struct program_file){.name = heap_text(word)};
    }
    return fine;
}

/* Whether a key would be right beside an algorithm. */
static bool is_option(const char *name)
{
    for (unsigned i = 0; i < algorithm_count; i++)
        if (option_named(algorithms[i].options, name) != NULL)
            return true;
    for (unsigned i = 0; i < heuristic_count; i++)
        if (option_named(heuristic_kinds[i].options, name) != NULL)
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
        if (WORD_PLACE(names, KEYS, key->text) < KEYS)
            continue;
        fine = false;
        if (strcmp(key->text, "algorithm") == 0)
            report_add(report, key->place, "'algorithm' beside 'command'; expected one of the two");
        else if (is_option(key->text))
            report_add(report, key->place,
                       "'%s' beside 'command'; expected it among the words of the command, where "
                       "the program has such an option",
                       key->text);
        else
            report_unknown(report, key->place, "key", key->text, names, KEYS);
    }
    return fine;
}

/* ---- Parameters ---- */

/* The values of {from: 1, to: 10, step: 1}. */
static bool read_range(const struct yaml_node *node, struct parameter *parameter,
                       struct report *report)
{
    const struct schema_key any_number = {
        .name = "a range", .type = SCHEMA_NUMBER, .max = INT32_MAX};
    struct schema_key keys[SCHEMA_STEPS];
    struct schema_range range = {.node = node};
    schema_steps(&any_number, keys);
    const struct schema steps = {"a range of numbers", keys, SCHEMA_STEPS, false};
    schema_defaults(&steps, &range);
    if (!schema_read(&steps, node, &range, report))
        return false;
    const uint64_t count = range.from > range.to ? 0 : (range.to - range.from) / range.step + 1;
    if (count == 0 || count > MAX_EXTERNALS)
        return report_add(report, node->place,
                          "a range of %llu numbers; expected 1 to %d, such as {from: 1, to: 10}",
                          (unsigned long long)count, MAX_EXTERNALS);
    for (uint64_t value = range.from; value <= range.to; value += range.step)
        *HEAP_ADD(parameter->values, parameter->count) =
            heap_format("%llu", (unsigned long long)value);
    return true;
}

static bool read_parameter(const struct yaml_node *key, const struct yaml_node *value,
                           struct parameter *parameter, struct report *report)
{
    const bool list = value->kind == YAML_LIST;
    SCOPED char *braces = heap_format("{%s}", key->text);
    bool fine = placeholders_have(braces, key->text);
    if (!fine)
        report_add(report, key->place,
                   "'%s' is not a name for a parameter; expected lower-case letters, digits and _, "
                   "a letter first",
                   key->text);
    if (value->kind == YAML_MAPPING)
        return read_range(value, parameter, report) && fine;
    if (list && value->count == 0)
        return report_add(report, value->place, "an empty list as the value of '%s'", key->text);
    for (size_t i = 0; i < (list ? value->count : 1); i++) {
        const struct yaml_node *item = list ? value->items[i] : value;
        const char *text = schema_word(item, key->text, "a word or number", report);
        fine = fine && text != NULL;
        if (text != NULL)
            *HEAP_ADD(parameter->values, parameter->count) = heap_text(text);
    }
    return fine;
}

static void parameters_end(struct parameters *parameters)
{
    for (size_t i = 0; i < parameters->count; i++)
        heap_free_texts(parameters->items[i].values, parameters->items[i].count);
    free(parameters->items);
}

static bool read_parameters(const struct yaml_node *node, struct parameters *parameters,
                            struct report *report)
{
    bool fine = node->kind == YAML_MAPPING && node->count > 0;
    uint64_t combinations = 1;
    if (!fine)
        report_add(report, node->place,
                   "the value of 'params' is not a mapping of names to values; expected one such "
                   "as {w: [1.5, 2]}");
    for (size_t i = 0; node->kind == YAML_MAPPING && i < node->count; i += 2) {
        struct parameter *parameter = HEAP_ADD(parameters->items, parameters->count);
        *parameter = (struct parameter){.name = node->items[i]->text};
        fine = read_parameter(node->items[i], node->items[i + 1], parameter, report) && fine;
        combinations *= parameter->count > 0 ? parameter->count : 1;
        if (combinations > MAX_EXTERNALS)
            return report_add(report, node->place,
                              "more than %d combinations of parameters; expected fewer",
                              MAX_EXTERNALS);
    }
    return fine;
}

/* Goes on to the next combination, the last parameter first; false after the last. */
static bool next_combination(struct parameters *parameters)
{
    for (size_t i = parameters->count; i-- > 0;) {
        if (++parameters->items[i].at < parameters->items[i].count)
            return true;
        parameters->items[i].at = 0;
    }
    return false;
}

/* The chosen values: numbers as numbers. */
static json_t *parameters_json(const struct parameters *parameters)
{
    json_t *object = parameters->count == 0 ? NULL : json_object();
    for (size_t i = 0; i < parameters->count; i++) {
        const char *text = parameters->items[i].values[parameters->items[i].at];
        json_auto_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
        if (json_object_set_new(object, parameters->items[i].name,
                                json_is_number(value) ? json_incref(value) : json_string(text)) !=
            0)
            heap_exhausted();
    }
    return object;
}

/* A node as it is written: texts, lists and mappings of them. */
static json_t *written_json(const struct yaml_node *node)
{
    SCOPED char *braces = in_braces(node);
    json_t *json = node->kind == YAML_TEXT   ? json_string(node->empty ? "" : node->text)
                   : braces != NULL          ? json_string(braces)
                   : node->kind == YAML_LIST ? json_array()
                                             : json_object();
    for (size_t i = 0; node->kind == YAML_LIST && i < node->count; i++)
        json_array_append_new(json, written_json(node->items[i]));
    for (size_t i = 0; json_is_object(json) && i < node->count; i += 2)
        json_object_set_new(json, node->items[i]->text, written_json(node->items[i + 1]));
    if (json == NULL)
        heap_exhausted();
    return json;
}

/* What the solvers of all combinations have in common: the texts with their parameters' names. */
static json_t *as_written(const struct external_form *form)
{
    json_t *object = json_pack("{s:o}", "command", written_json(form->command));
    if (form->input != NULL)
        json_object_set_new(object, "input", written_json(form->input));
    if (form->env != NULL)
        json_object_set_new(object, "env", written_json(form->env));
    return object;
}

/* "w=1.5, seed=3"; heap memory; NULL: there are no parameters. */
static char *parameters_text(const struct parameters *parameters)
{
    char *text = NULL;
    for (size_t i = 0; i < parameters->count; i++)
        heap_append(&text, "%s%s=%s", i == 0 ? "" : ", ", parameters->items[i].name,
                    parameters->items[i].values[parameters->items[i].at]);
    return text;
}

/* Reports parameters that no text has. */
static bool check_used(const struct external_form *form, const struct parameters *parameters,
                       struct report *report)
{
    bool fine = true;
    for (size_t i = 0; i < parameters->count; i++) {
        const char *name = parameters->items[i].name;
        const struct yaml_node *const places[] = {form->command, form->input, form->env};
        bool used = false;
        for (size_t j = 0; j < sizeof places / sizeof *places; j++)
            for (size_t k = 0; places[j] != NULL && k < places[j]->count + 1; k++) {
                const struct yaml_node *node =
                    k < places[j]->count ? places[j]->items[k] : places[j];
                SCOPED char *braces = in_braces(node);
                const char *text = braces != NULL ? braces : node->text;
                used = used || (text != NULL && placeholders_have(text, name));
            }
        if (!used)
            report_add(report, form->params->place,
                       "the parameter '%s' is not used; expected {%s} in the command, in input or "
                       "in env",
                       name, name);
        fine = fine && used;
    }
    return fine;
}

/* ---- One solver ---- */

/* The variables of env. */
static bool read_environment(const struct yaml_node *env, const struct parameters *parameters,
                             struct external *external, struct report *report)
{
    bool fine = env->kind == YAML_MAPPING;
    if (!fine)
        report_add(
            report, env->place,
            "the value of 'env' is not a mapping; expected one such as {OMP_NUM_THREADS: 1}");
    external->environment = json_object();
    for (size_t i = 0; env->kind == YAML_MAPPING && i < env->count; i += 2) {
        const struct yaml_node *key = env->items[i];
        const struct yaml_node *value = env->items[i + 1];
        const char *text = schema_word(value, key->text, "a word", report);
        SCOPED char *whole = text == NULL ? NULL : with_values(value, text, parameters, report);
        const bool named = key->text[0] != '\0' && strchr(key->text, '=') == NULL;
        if (!named)
            report_add(report, key->place,
                       "'%s' is not a name for a variable; expected characters, none of them =",
                       key->text);
        fine = named && whole != NULL &&
               json_object_set_new(external->environment, key->text, json_string(whole)) == 0 &&
               fine;
    }
    return fine;
}

static bool read_input(const struct yaml_node *input, const struct parameters *parameters,
                       struct external *external, struct report *report)
{
    if (input->kind != YAML_TEXT)
        return report_add(report, input->place,
                          "the value of 'input' is not a text; expected one, as a block after |");
    external->input = with_values(input, input->text, parameters, report);
    return external->input != NULL;
}

static bool read_patterns(const struct yaml_node *parse, struct external *external,
                          struct report *report)
{
    bool fine = parse->kind == YAML_MAPPING && parse->count > 0;
    if (!fine)
        report_add(report, parse->place,
                   "the value of 'parse' is not a mapping of names to regular expressions; "
                   "expected one such as {expanded: 'expanded (\\d+)'}");
    for (size_t i = 0; parse->kind == YAML_MAPPING && i < parse->count; i += 2) {
        const struct yaml_node *value = parse->items[i + 1];
        const char *text =
            schema_word(value, parse->items[i]->text, "a regular expression", report);
        SCOPED char *why = text == NULL ? NULL
                                        : external_add_pattern(external, parse->items[i]->text,
                                                               text, value->place.line);
        if (why != NULL)
            report_add(report, value->place, "parse: %s: '%s' is not a regular expression: %s",
                       parse->items[i]->text, text, why);
        fine = text != NULL && why == NULL && fine;
    }
    return fine;
}

/* Adds a number's unit to the experiment's: solvers are compared by it, so it has one. */
static bool read_unit(const struct yaml_node *key, const struct yaml_node *value, json_t *units,
                      struct report *report)
{
    SCOPED char *metric = heap_format(EXTRA_PREFIX "%s", key->text);
    const bool named = metric_word_is_extra(metric);
    const char *unit = schema_word(value, key->text, "a unit such as s", report);
    const char *before = json_string_value(json_object_get(units, key->text));
    if (!named)
        report_add(report, key->place,
                   "'%s' is not a name that a program could print; expected letters, digits, _, - "
                   "and dots, a letter first",
                   key->text);
    if (!named || unit == NULL)
        return false;
    if (strlen(unit) > MAX_UNIT)
        report_add(report, value->place, "the unit '%s'; expected at most %d letters", unit,
                   MAX_UNIT);
    else if (before != NULL && strcmp(before, unit) != 0)
        report_add(report, value->place, "%s in %s; expected %s, as for the solver before",
                   key->text, unit, before);
    else
        return json_object_set_new(units, key->text, json_string(unit)) == 0;
    return false;
}

static bool read_units(const struct yaml_node *node, struct experiment *experiment,
                       struct report *report)
{
    bool fine = node->kind == YAML_MAPPING;
    if (!fine)
        report_add(report, node->place,
                   "the value of 'units' is not a mapping; expected one such as {search_s: s}");
    if (experiment->units == NULL)
        experiment->units = json_object();
    for (size_t i = 0; node->kind == YAML_MAPPING && i < node->count; i += 2)
        fine = read_unit(node->items[i], node->items[i + 1], experiment->units, report) && fine;
    return fine;
}

/* Whether what its keys say fits together. */
static bool check_form(const struct external_form *form, const struct external *external,
                       struct report *report)
{
    const bool seeded = external_has(external, "seed");
    const struct yaml_node *place = form->command != NULL ? form->command : form->node;
    if (seeded && form->persistent)
        report_add(report, place->place,
                   "{seed} of a persistent program, which has boards of several runs; expected "
                   "persistent: false");
    if (form->parse != NULL && external->json)
        report_add(report, form->parse->place,
                   "'parse' beside protocol: json; expected one of the two");
    return !(seeded && form->persistent) && (form->parse == NULL || !external->json);
}

/* What a submission's folder has; what is wrong with it is no problem of the file. False: a word of
 * `build` is one. */
static bool find_submission(const struct external_form *form, struct external *external,
                            const char *label, struct report *report)
{
    const struct parameters none = {0};
    size_t words = 0;
    external->submission = heap_text(label);
    if (form->build != NULL && form->build->kind == YAML_LIST && form->build->count > 0 &&
        !read_words(form->build, "build", &none, &external->build_words, &words, report))
        return false;
    submission_find(external, form->build == NULL);
    return true;
}

/* The solver of the chosen parameters, or with a label that of a submission's folder; NULL with a
 * problem. */
static struct external *make(const struct external_form *form, const char *folder,
                             const char *label, const struct parameters *parameters,
                             struct report *report)
{
    struct external *external = heap_take(1, sizeof *external);
    SCOPED char *inside = form->cwd == NULL || form->cwd[0] == '/'
                              ? heap_text(form->cwd == NULL ? folder : form->cwd)
                              : heap_format("%s%s", folder, form->cwd);
    *external =
        (struct external){.folder = label != NULL ? heap_text(folder) : file_whole_path(inside),
                          .cwd = form->cwd == NULL ? NULL : heap_text(form->cwd),
                          .persistent = form->persistent,
                          .json = form->protocol == 1,
                          .tile_moves = form->moves == 1,
                          .optimal = form->optimal,
                          .grace = form->grace,
                          .threads = (unsigned)form->threads,
                          .isolated = form->isolate,
                          .logs = form->logs,
                          .parameters = parameters_json(parameters)};
    size_t words = 0;
    bool fine =
        form->command == NULL || read_words(form->command, "command", parameters, &external->words,
                                            &external->word_count, report);
    if (form->version != NULL)
        fine = read_words(form->version, "version", parameters, &external->version_words, &words,
                          report) &&
               fine;
    if (form->program != NULL)
        fine = read_files(form->program, external, report) && fine;
    if (form->input != NULL)
        fine = read_input(form->input, parameters, external, report) && fine;
    if (form->env != NULL)
        fine = read_environment(form->env, parameters, external, report) && fine;
    if (form->parse != NULL)
        fine = read_patterns(form->parse, external, report) && fine;
    fine = fine && (label == NULL || find_submission(form, external, label, report)) &&
           check_form(form, external, report);
    SCOPED char *why = fine && label == NULL ? external_find_files(external) : NULL;
    if (why != NULL)
        report_add(report, form->command->place, "%s", why);
    if (fine && parameters->count > 0)
        external->written = as_written(form);
    if (fine && why == NULL)
        return external;
    external_end(external);
    free(external);
    return NULL;
}

/* ---- Submissions ---- */

/* Reports keys that say what each submission's folder says, or what submissions alone have. */
static bool check_submission_keys(const struct yaml_node *node, struct report *report)
{
    static const char *const none[] = {"label", "cwd", "program", "params", "version"};
    const struct yaml_node *build = yaml_value(node, "build");
    const bool many = yaml_key(node, "submissions") != NULL;
    bool fine = true;
    for (size_t i = 0; many && i < sizeof none / sizeof *none; i++) {
        const struct yaml_node *key = yaml_key(node, none[i]);
        if (key != NULL)
            report_add(report, key->place,
                       "'%s' beside 'submissions'; expected none: each is its folder, with all "
                       "files in it, and is called as that",
                       none[i]);
        fine = fine && key == NULL;
    }
    if (build == NULL)
        return fine;
    if (!many)
        report_add(report, build->place,
                   "'build' without 'submissions'; expected a program that is built already");
    else if (build->kind == YAML_MAPPING ||
             (build->kind == YAML_TEXT && strcmp(build->text, "none") != 0))
        report_add(report, build->place,
                   "the value of 'build' is neither none nor a command; expected a list of words "
                   "such as [make]");
    else
        return fine;
    return false;
}

static bool has_submission(const struct experiment *experiment, const struct external_list *list,
                           const char *label)
{
    bool has = false;
    for (size_t i = 0; i < experiment->solver_count; i++) {
        const struct external *external = experiment->solvers[i].external;
        has = has || (external != NULL && external->submission != NULL &&
                      strcmp(external->submission, label) == 0);
    }
    for (size_t i = 0; i < list->count; i++)
        has = has || strcmp(list->items[i].external->submission, label) == 0;
    return has;
}

/* Adds a solver for each folder. */
static bool read_submissions(const struct yaml_node *node, const struct external_form *form,
                             struct experiment *experiment, struct report *report,
                             struct external_list *list)
{
    const struct yaml_node *place = yaml_value(node, "submissions");
    const struct parameters none = {0};
    SCOPED_BY(submission_list_end) struct submission_list found;
    SCOPED char *typed = experiment_file(experiment, form->submissions);
    SCOPED char *folder = file_whole_path(typed);
    SCOPED char *why = submission_list(folder, &found);
    bool fine = why == NULL && found.count > 0 && found.count <= MAX_EXTERNALS;
    if (why != NULL)
        report_add(report, place->place, "%s", why);
    else if (!fine)
        report_add(report, place->place, "%zu folders in %s; expected one for each submission%s%s",
                   found.count, folder, found.others == NULL ? "" : ", unpacked from ",
                   found.others == NULL ? "" : found.others);
    if (fine && found.others != NULL)
        heap_append(&experiment->notes, "no folders, so no submissions, in %s: %s\n", folder,
                    found.others);
    for (size_t i = 0; fine && i < found.count; i++) {
        SCOPED char *path = heap_format("%s/%s", folder, found.names[i]);
        SCOPED char *label = submission_label(found.names[i], 1);
        for (unsigned number = 2; has_submission(experiment, list, label); number++) {
            free(label);
            label = submission_label(found.names[i], number);
        }
        struct external *external = make(form, path, label, &none, report);
        fine = external != NULL;
        if (fine)
            *HEAP_ADD(list->items, list->count) = (struct external_choice){external, NULL};
    }
    return fine;
}

bool experiment_externals(const struct yaml_node *node, struct experiment *experiment,
                          struct solver_settings *settings, struct report *report,
                          struct external_list *list)
{
    struct external_form form = {.node = node};
    SCOPED_BY(parameters_end) struct parameters parameters = {0};
    schema_defaults(&external_schema, &form);
    form.settings = *settings;
    form.logs = experiment->logs;
    bool fine = schema_read(&external_schema, node, &form, report);
    fine = check_keys(node, report) && fine;
    *settings = form.settings;
    *list = (struct external_list){0};
    if (form.units != NULL)
        fine = read_units(form.units, experiment, report) && fine;
    bool usable = form.command != NULL && form.submissions == NULL;
    fine = check_submission_keys(node, report) && fine;
    if (form.submissions != NULL && fine) {
        form.isolate = form.isolate || yaml_key(node, "isolate") == NULL;
        fine = read_submissions(node, &form, experiment, report, list);
    }
    if (form.params != NULL && usable)
        usable = read_parameters(form.params, &parameters, report) &&
                 check_used(&form, &parameters, report);
    for (bool more = usable; more; more = fine && next_combination(&parameters)) {
        struct external *external = make(&form, experiment->folder, NULL, &parameters, report);
        fine = fine && external != NULL;
        if (external == NULL)
            break;
        *HEAP_ADD(list->items, list->count) =
            (struct external_choice){external, parameters_text(&parameters)};
    }
    if (fine && (usable || form.submissions != NULL))
        return true;
    external_list_end(list, true);
    return false;
}

/* ---- A heuristic ---- */

/* What the mapping of a program as a heuristic says. */
struct heuristic_form {
    struct external_form external; /* the first: rows of its keys serve for it, too */
    const char *name;
    uint64_t batch;
    bool admissible;
    bool consistent;
};

static bool heuristic_name(const struct yaml_node *node, void *field, struct report *report)
{
    (void)report;
    if (node->kind == YAML_TEXT)
        *(const char **)field = node->text;
    return node->kind == YAML_TEXT && object_is_name(node->text);
}

const struct schema *program_heuristic_schema(void)
{
    static const struct schema_key own[] = {
        {KEY("name", CUSTOM, struct heuristic_form, name,
             "what tables and other solvers call the heuristic"),
         .read = heuristic_name,
         .expected = "a lower-case letter, then lower-case letters, digits and _, at most 40",
         .definition = "name", .fallback = "that of its file in the command, without the ending"},
        {KEY("batch", NUMBER, struct heuristic_form, batch,
             "how many boards it is given at once, at most"),
         .fallback = "1000", .min = 1, .max = 100000},
        {KEY("admissible", FLAG, struct heuristic_form, admissible,
             "no value is above the distance"),
         .fallback = "false"},
        {KEY("consistent", FLAG, struct heuristic_form, consistent,
             "no move lowers it by more than 1, and it is 0 at the goal"),
         .fallback = "false"},
    };
    static const char *const shared[] = {"program", "env", "cwd", "isolate"};
    static struct schema_key keys[sizeof own / sizeof *own + sizeof shared / sizeof *shared + 1];
    static struct schema schema = {"a heuristic that is a program", keys, 0, false};
    if (schema.count > 0)
        return &schema;
    for (size_t i = 0; i < sizeof external_keys / sizeof *external_keys; i++) {
        const bool command = strcmp(external_keys[i].name, "command") == 0;
        if (!command &&
            !schema_has_word(shared, sizeof shared / sizeof *shared, external_keys[i].name))
            continue;
        keys[schema.count] = external_keys[i];
        if (command) {
            keys[schema.count].help = "a program that values boards, and its arguments";
            keys[schema.count].fallback = NULL;
            keys[schema.count].required = true;
        }
        schema.count++;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        keys[schema.count++] = own[i];
    return &schema;
}

/* A name for the heuristic: that of the first file among the words of its command after the
 * program, or else of the program; without its ending. Heap memory. */
static char *name_of_program(const struct external *external)
{
    const char *word = external->words[0];
    for (size_t i = external->word_count; i-- > 1;)
        if (NAME_PLACE(external->files, external->file_count, name, external->words[i]) <
            external->file_count)
            word = external->words[i];
    word = file_name(word);
    char *name = heap_format("%.*s", (int)strcspn(word, "."), word);
    for (char *at = name; *at != '\0'; at++)
        *at = isalnum((unsigned char)*at) ? (char)tolower((unsigned char)*at) : '_';
    return name;
}

char *experiment_mapping_text(const struct yaml_node *node)
{
    json_auto_t *json = written_json(node);
    return json_written(json, JSON_SORT_KEYS | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);
}

struct program_heuristic *experiment_program_heuristic(const struct yaml_node *node,
                                                       const char *folder, struct report *report)
{
    const struct schema *schema = program_heuristic_schema();
    const struct parameters none = {0};
    struct heuristic_form form = {.batch = 0};
    schema_defaults(schema, &form);
    if (!schema_read(schema, node, &form, report))
        return NULL;
    form.external.persistent = true;
    struct external *external = make(&form.external, folder, NULL, &none, report);
    if (external == NULL)
        return NULL;
    external->values = true;
    struct program_heuristic *program = heap_take(1, sizeof *program);
    *program = (struct program_heuristic){.external = *external,
                                          .name = form.name != NULL ? heap_text(form.name)
                                                                    : name_of_program(external),
                                          .batch = (unsigned)form.batch,
                                          .claims = form.consistent   ? TILELAB_CONSISTENT
                                                    : form.admissible ? TILELAB_ADMISSIBLE
                                                                      : 0};
    free(external);
    return program;
}

void external_list_end(struct external_list *list, bool solvers)
{
    for (size_t i = 0; i < list->count; i++) {
        if (solvers)
            external_end(list->items[i].external);
        if (solvers)
            free(list->items[i].external);
        free(list->items[i].parameters);
    }
    free(list->items);
}
