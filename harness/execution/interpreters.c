#include "harness/execution/interpreters.h"
#include "base/heap.h"
#include "harness/external/interpreter.h"
#include "harness/external/isolation.h"
#include "harness/external/protocol.h"
#include <unistd.h>

extern char **environ;

/* The path and the version of what a command runs; a new reference. */
static json_t *asked_json(char *const *words, char *const *environment, const char *folder)
{
    struct interpreter found = interpreter_ask(words, environment, folder);
    SCOPED char *path = text_printable(found.path);
    json_t *json = json_pack(
        "{s:o, s:o}", "path", path[0] == '\0' ? json_null() : json_string(path), "version",
        found.fine && found.line[0] != '\0' ? json_string(found.line) : json_null());
    interpreter_end(&found);
    return json;
}

static json_t *interpreter_json(const char *word, const char *folder)
{
    SCOPED char *name = heap_text(word);
    char option[] = "--version";
    json_t *json = asked_json((char *const[]){name, option, NULL}, environ, folder);
    return json;
}

/* The same of the solver's own command for its version, isolated as the solver is. */
static json_t *version_json(const struct external *external)
{
    static char path[] = "PATH=" ISOLATED_PATH, home[] = "HOME=/tmp";
    static char *const apart[] = {path, home, NULL};
    if (!external->isolated)
        return asked_json(external->version_words, environ, external->folder);
    char **words = isolation_words(external, external->version_words, 0);
    json_t *json = asked_json(words, apart, external->folder);
    heap_free_words(words);
    return json;
}

/* Asks the solver for its version and keeps that, beside what the same command said before. */
static void ask_version(struct external *external, json_t *found)
{
    struct external command = {.words = external->version_words};
    while (command.words[command.word_count] != NULL)
        command.word_count++;
    SCOPED char *key = external_command(&command);
    if (external->cwd != NULL)
        heap_append(&key, " in %s", external->cwd);
    if (external->isolated)
        heap_append(&key, ", isolated");
    if (json_object_get(found, key) == NULL)
        json_object_set_new(found, key, version_json(external));
    const char *said = json_string_value(json_object_get(json_object_get(found, key), "version"));
    free(external->version);
    external->version = said == NULL ? NULL : heap_text(said);
}

json_t *interpreters_json(const struct experiment *experiment)
{
    json_t *found = json_object();
    for (size_t i = 0; i < experiment->solver_count; i++) {
        struct external *external = experiment->solvers[i].external;
        SCOPED char *word = external == NULL ? NULL : interpreter_of(external);
        const bool own = word != NULL && external->isolated && strchr(word, '/') != NULL &&
                         strncmp(word, "/usr/", 5) != 0 && strncmp(word, "/bin/", 5) != 0;
        if (word != NULL && !own && json_object_get(found, word) == NULL)
            json_object_set_new(
                found, word,
                interpreter_json(word, external->submission != NULL ? "/" : external->folder));
        if (external != NULL && external->version_words != NULL)
            ask_version(external, found);
    }
    return found;
}
