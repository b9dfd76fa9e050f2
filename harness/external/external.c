#include "harness/external/external.h"
#include "base/heap.h"
#include "harness/external/protocol.h"
#include "harness/text/shell.h"
#include "harness/text/tidy.h"
#include <xxhash.h>

static const struct option_row no_options[] = {{.kind = OPTION_END}};

const struct algorithm *external_algorithm(bool optimal)
{
    static const struct algorithm external = {
        .name = "external", .summary = "a program of one's own", .options = no_options};
    static const struct algorithm promising = {.name = "external",
                                               .summary = "a program of one's own",
                                               .properties = OPTIMAL | COMPLETE,
                                               .options = no_options};
    return optimal ? &promising : &external;
}

/* Whether a shell takes a word as it stands, and a reader of the short form too: no comma, no
 * bracket. Braces may stand for the board; {1..3} would be a shell's own. */
static bool is_plain(const char *word, bool first)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_@%+:./-={}";
    return word[0] != '\0' && word[strspn(word, safe)] == '\0' &&
           !(first && strchr(word, '=') != NULL) &&
           !(strchr(word, '{') != NULL && strstr(word, "..") != NULL);
}

char *external_command(const struct external *external)
{
    char *text = heap_text("");
    for (size_t i = 0; i < external->word_count; i++) {
        const char *word = external->words[i];
        SCOPED char *shown = is_plain(word, i == 0) ? heap_text(word) : shell_in_quotes(word);
        heap_append(&text, "%s%s", i == 0 ? "" : " ", shown);
    }
    return text;
}

static void put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        heap_exhausted();
}

PRINTF_LIKE(3, 4)
static void add_option(char **text, bool is_set, const char *format, ...)
{
    SCOPED char *option = FORMATTED(format);
    if (is_set)
        heap_append(text, "%s%s", (*text)[0] == '\0' ? "" : ", ", option);
}

/* Adds a part that is too long to be shown: eight digits that differ where it does. Takes over
 * `part`; NULL: there is none. */
static void add_hash(char **text, const char *name, json_t *part)
{
    if (part == NULL)
        return;
    SCOPED char *whole = json_written(part, JSON_COMPACT | JSON_ENCODE_ANY);
    add_option(text, true, "%s=%08x", name, (unsigned)XXH32(whole, strlen(whole), 0));
    json_decref(part);
}

/* The patterns by their names; NULL: none. */
static json_t *patterns_json(const struct external *external)
{
    json_t *object = external->pattern_count == 0 ? NULL : json_object();
    for (size_t i = 0; i < external->pattern_count; i++)
        put(object, external->patterns[i].name, json_string(external->patterns[i].text));
    return object;
}

/* The command that builds it; NULL: none. */
static json_t *build_json(const struct external *external)
{
    json_t *words = external->build_words == NULL ? NULL : json_array();
    for (size_t i = 0; words != NULL && external->build_words[i] != NULL; i++)
        json_array_append_new(words, json_string(external->build_words[i]));
    return words;
}

unsigned external_threads(const struct external *external)
{
    return external->threads == 0 ? 1 : external->threads;
}

char *external_options_text(const struct external *external)
{
    char *text = heap_text("");
    add_option(&text, external->persistent, "persistent");
    add_option(&text, external->json, "protocol=json");
    add_option(&text, external->tile_moves, "moves=tile");
    add_option(&text, external->optimal, "optimal");
    if (external->submission != NULL) {
        SCOPED char *label = is_plain(external->submission, false)
                                 ? heap_text(external->submission)
                                 : shell_in_quotes(external->submission);
        add_option(&text, true, "submission=%s", label);
    }
    add_hash(&text, "build", build_json(external));
    add_option(&text, external->cwd != NULL, "cwd=%s", external->cwd == NULL ? "" : external->cwd);
    add_option(&text, external->grace > 0, "grace=%g", external->grace);
    add_option(&text, external_threads(external) > 1, "threads=%u", external->threads);
    add_option(&text, external->isolated, "isolate");
    add_hash(&text, "input", external->input == NULL ? NULL : json_string(external->input));
    add_hash(&text, "env", json_incref(external->environment));
    add_hash(&text, "parse", patterns_json(external));
    return text;
}

char *external_text(const struct external *external)
{
    SCOPED char *command = external_command(external);
    SCOPED char *options = external_options_text(external);
    return heap_format("external(%s%s%s)", command, options[0] == '\0' ? "" : ", ", options);
}

json_t *external_json(const struct external *external)
{
    json_t *object = json_object();
    json_t *words = json_array();
    json_t *files = json_object();
    for (size_t i = 0; i < external->word_count; i++)
        if (json_array_append_new(words, json_string(external->words[i])) != 0)
            heap_exhausted();
    for (size_t i = 0; i < external->file_count; i++)
        put(files, external->files[i].name, json_string(external->files[i].hash));
    put(object, "command", words);
    put(object, "files", files);
    if (external->submission != NULL)
        put(object, "submission", json_string(external->submission));
    if (external->build_words != NULL)
        put(object, "build", build_json(external));
    if (external->persistent)
        put(object, "persistent", json_true());
    if (external->json)
        put(object, "protocol", json_string("json"));
    if (external->tile_moves)
        put(object, "moves", json_string("tile"));
    if (external->optimal)
        put(object, "optimal", json_true());
    if (external->cwd != NULL)
        put(object, "cwd", json_string(external->cwd));
    if (external_threads(external) > 1)
        put(object, "threads", json_integer(external->threads));
    if (external->grace > 0)
        put(object, "grace", json_real(external->grace));
    if (external->isolated)
        put(object, "isolate", json_true());
    if (external->parameters != NULL)
        put(object, "params", json_incref(external->parameters));
    if (external->written != NULL)
        put(object, "written", json_incref(external->written));
    if (external->input != NULL)
        put(object, "input", json_string(external->input));
    if (external->environment != NULL)
        put(object, "env", json_incref(external->environment));
    if (external->pattern_count > 0)
        put(object, "parse", patterns_json(external));
    return object;
}

static bool is_word(const json_t *json, const char *key, const char *word)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL && strcmp(text, word) == 0;
}

static void read_build(struct external *external, const json_t *words)
{
    const size_t count = json_array_size(words);
    external->build_words = count == 0 ? NULL : heap_take(count + 1, sizeof(char *));
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        external->build_words[i] = heap_text(word == NULL ? "" : word);
    }
}

bool external_read(const json_t *json, const char *folder, struct external *external)
{
    const json_t *words = json_object_get(json, "command");
    json_t *files = json_object_get(json, "files");
    const char *inside = json_string_value(json_object_get(json, "cwd"));
    const size_t count = json_array_size(words);
    const char *name;
    json_t *hash;
    if (count == 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!json_is_string(json_array_get(words, i)))
            return false;
    *external = (struct external){
        .words = heap_take(count + 1, sizeof *external->words),
        .word_count = count,
        .folder = heap_text(folder),
        .cwd = inside == NULL ? NULL : heap_text(inside),
        .persistent = json_is_true(json_object_get(json, "persistent")),
        .json = is_word(json, "protocol", "json"),
        .tile_moves = is_word(json, "moves", "tile"),
        .optimal = json_is_true(json_object_get(json, "optimal")),
        .threads = (unsigned)json_integer_value(json_object_get(json, "threads")),
        .grace = json_number_value(json_object_get(json, "grace")),
        .isolated = json_is_true(json_object_get(json, "isolate")),
        .parameters = json_incref(json_object_get(json, "params")),
        .written = json_incref(json_object_get(json, "written")),
        .environment = json_incref(json_object_get(json, "env")),
    };
    for (size_t i = 0; i < count; i++)
        external->words[i] = heap_text(json_string_value(json_array_get(words, i)));
    if (json_is_string(json_object_get(json, "submission")))
        external->submission = heap_text(json_string_value(json_object_get(json, "submission")));
    read_build(external, json_object_get(json, "build"));
    json_object_foreach(files, name, hash)
    {
        *HEAP_ADD(external->files, external->file_count) =
            (struct program_file){.name = heap_text(name)};
    }
    if (json_is_string(json_object_get(json, "input")))
        external->input = heap_text(json_string_value(json_object_get(json, "input")));
    json_object_foreach(json_object_get(json, "parse"), name, hash)
    {
        SCOPED char *why = external_add_pattern(external, name, json_string_value(hash), 0);
        if (why != NULL) {
            external_end(external);
            return false;
        }
    }
    return true;
}

bool external_has(const struct external *external, const char *name)
{
    const char *variable;
    json_t *value;
    bool has = external->input != NULL && placeholders_have(external->input, name);
    for (size_t i = 0; i < external->word_count; i++)
        has = has || placeholders_have(external->words[i], name);
    json_object_foreach(external->environment, variable, value)
    {
        has = has || placeholders_have(json_string_value(value), name);
    }
    return has;
}

char *external_add_pattern(struct external *external, const char *name, const char *text,
                           size_t line)
{
    struct output_pattern pattern = {
        .name = heap_text(name), .text = heap_text(text == NULL ? "(" : text), .line = line};
    char *why = output_pattern_compile(&pattern);
    *HEAP_ADD(external->patterns, external->pattern_count) = pattern;
    return why;
}

void external_end(struct external *external)
{
    heap_free_words(external->version_words);
    FREE(external->version, external->input, external->cwd);
    json_decref(external->environment);
    json_decref(external->parameters);
    json_decref(external->written);
    for (size_t i = 0; i < external->pattern_count; i++)
        output_pattern_end(&external->patterns[i]);
    free(external->patterns);
    heap_free_texts(external->words, external->word_count);
    heap_free_words(external->build_words);
    FREE(external->submission, external->problem, external->note, external->copy);
    for (size_t i = 0; i < external->file_count; i++)
        FREE(external->files[i].name, external->files[i].path);
    free(external->files);
    heap_free_words(external->shown);
    FREE(external->path, external->folder);
    *external = (struct external){0};
}

void answer_end(struct answer *answer)
{
    FREE(answer->extra, answer->log, answer->message);
    *answer = (struct answer){0};
}
