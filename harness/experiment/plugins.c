#include "harness/experiment/plugins.h"
#include "base/named.h"
#include "harness/experiment/parts.h"
#include "harness/external/program_heuristic.h"
#include "harness/text/tidy.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long an object may take to be loaded. */
#define LOAD_SECONDS 10.0

const struct object *plugin_object(const struct plugin_item *item)
{
    return item->heuristic != NULL ? &item->heuristic->object : &item->algorithm->object;
}

const char *plugin_name(const struct plugin_item *item)
{
    return item->heuristic != NULL ? item->heuristic->kind.name : item->algorithm->row.name;
}

static const struct object_options *item_options(const struct plugin_item *item)
{
    return item->heuristic != NULL ? &item->heuristic->options : &item->algorithm->options;
}

/* What a solver has this word for, of `own` and everything else: "a heuristic"; NULL: nothing. The
 * options of two algorithms may have one name, and those of two heuristics. */
static const char *taken(const char *name, const struct plugin_item *own, bool is_option)
{
    const struct algorithm *algorithm;
    const struct heuristic_kind *kind;
    const bool beside = own->algorithm != NULL;
    for (unsigned i = 0; (algorithm = algorithm_at(i)) != NULL; i++)
        if ((strcmp(algorithm->name, name) == 0 &&
             (is_option || !beside || algorithm != &own->algorithm->row)) ||
            (!(is_option && beside) && option_named(algorithm->options, name) != NULL))
            return "of an algorithm or an option";
    for (unsigned i = 0; (kind = heuristic_at(i)) != NULL; i++)
        if (((beside || is_option) && strcmp(kind->name, name) == 0) ||
            (!(is_option && !beside) && option_named(kind->options, name) != NULL))
            return beside || is_option ? "of a heuristic or its option"
                                       : "of an algorithm or an option";
    if (!beside && !is_option)
        return NULL;
    if (NAME_PLACE(solver_schema.keys, solver_schema.count, name, name) < solver_schema.count)
        return "of a key of a solver";
    return strcmp(name, "external") == 0 || strcmp(name, "files") == 0 ||
                   strcmp(name, "command") == 0
               ? "of a part of a program"
               : NULL;
}

static void end_item(struct plugin_item *item)
{
    struct program_heuristic *program = program_heuristic_of(item->heuristic);
    plugin_end(item->heuristic);
    program_heuristic_end(program);
    algorithm_plugin_end(item->algorithm);
    *item = (struct plugin_item){0};
}

/* What is wrong with the names of a plugin; heap memory, or NULL. */
static char *names_taken(const struct plugin_item *item)
{
    const char *file = plugin_object(item)->file;
    const char *what = item->heuristic != NULL ? "heuristic" : "algorithm";
    const char *of = taken(plugin_name(item), item, false);
    if (of != NULL)
        return heap_format("%s calls its %s %s, which is the name %s; expected another name", file,
                           what, plugin_name(item), of);
    const struct option_row *rows = item_options(item)->rows;
    for (unsigned i = 0; rows[i].kind != OPTION_END; i++) {
        const char *name = rows[i].name;
        of = taken(name, item, true);
        if (of != NULL)
            return heap_format("%s calls an option %s, which is the name %s; expected another name",
                               file, name, of);
    }
    return NULL;
}

/* Takes a plugin unless one of its names is taken; *problem then says so. */
static bool keep(struct plugins *plugins, struct plugin_item item, char **problem)
{
    if (item.heuristic == NULL && item.algorithm == NULL)
        return false;
    *problem = names_taken(&item);
    if (*problem != NULL) {
        end_item(&item);
        return false;
    }
    *HEAP_ADD(plugins->items, plugins->count) = item;
    return true;
}

/* Loads an object as what it is. Neither, with what is wrong in *problem, if it is nothing. */
static struct plugin_item load_object(const char *file, const char *path, char **problem)
{
    struct plugin_item item = {0};
    struct object object;
    *problem = object_load(&object, file, path);
    const bool loaded = *problem == NULL;
    const void *heuristic = loaded ? object_find(&object, "tilelab_heuristic") : NULL;
    const void *algorithm = loaded ? object_find(&object, "tilelab_algorithm") : NULL;
    if (loaded && heuristic != NULL && algorithm != NULL)
        *problem = heap_format("%s has a heuristic and an algorithm; expected an object for each",
                               object.file);
    else if (loaded && heuristic == NULL && algorithm == NULL)
        *problem =
            heap_format("%s has no `tilelab_heuristic`; expected a variable of that name, as "
                        "tilelab/heuristic.h declares it, or `tilelab_algorithm` "
                        "(tilelab/algorithm.h)",
                        object.file);
    if (*problem != NULL)
        object_end(&object);
    else if (heuristic != NULL)
        item.heuristic = plugin_make(&object, heuristic, problem);
    else
        item.algorithm = algorithm_plugin_make(&object, algorithm, problem);
    return item;
}

/* From now on descriptor 1 is standard error, and what this program prints has another one: code of
 * an object may write to the descriptor as well as to the stream (plugin.c). */
static void keep_output_apart(void)
{
    static bool apart;
    const int own = apart ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *stream = own < 0 ? NULL : fdopen(own, "w");
    fflush(stdout);
    if (stream != NULL)
        stdout = stream;
    if (stream != NULL || fcntl(STDOUT_FILENO, F_GETFD) < 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    apart = true;
}

/* The life of the process that loads an object first, to say what is wrong with it. */
_Noreturn static void try_object(const char *file, const char *path, int channel, pid_t parent)
{
    char *problem = NULL;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    struct plugin_item item = load_object(file, path, &problem);
    end_item(&item);
    const char *said = problem == NULL ? "" : problem;
    const size_t bytes = strlen(said) + 1;
    _exit(write(channel, said, bytes) != (ssize_t)bytes);
}

/* Whether a child ends in time. It is not waited for yet. */
static bool ends_in_time(pid_t process)
{
    const double until = clock_wall() + LOAD_SECONDS;
    siginfo_t ended = {0};
    while (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0 && clock_wall() < until)
        poll(NULL, 0, 1);
    return ended.si_pid != 0;
}

/* How the process ended that should have loaded an object; heap memory. */
static char *failure(const char *file, bool late, int status)
{
    return late ? heap_format("%s cannot be loaded: it takes more than %g s; expected what takes "
                              "long in its function `prepare`",
                              file, LOAD_SECONDS)
           : WIFSIGNALED(status)
               ? heap_format("%s cannot be loaded: it ends the program by signal %d (%s); expected "
                             "a whole file, and constructors that return",
                             file, WTERMSIG(status), strsignal(WTERMSIG(status)))
               : heap_format("%s cannot be loaded: it ends the program with exit code %d; expected "
                             "constructors that return",
                             file, WEXITSTATUS(status));
}

/* What is wrong with an object, whatever its code does when it is loaded and taken away: a process
 * of its own tries it. Heap memory, or NULL. */
static char *find_problem(const char *file, const char *path)
{
    char said[4 * PATH_MAX];
    int ends[2] = {-1, -1};
    int status = 0;
    const pid_t parent = getpid();
    const pid_t process = pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? fork() : -1;
    if (process == 0)
        try_object(file, path, ends[1], parent);
    if (process < 0) {
        char *why = heap_format("%s cannot be loaded: %s", file, strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return why;
    }
    const bool late = !ends_in_time(process);
    kill(-process, SIGKILL); /* together with what it started */
    kill(process, SIGKILL);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    const ssize_t bytes = read(ends[0], said, sizeof said);
    close(ends[0]);
    close(ends[1]);
    if (bytes <= 0 || said[bytes - 1] != '\0')
        return failure(file, late, status);
    return said[0] == '\0' ? NULL : heap_text(said);
}

/* Loads an object that a process of its own has tried; its constructors may change the folder that
 * this process is in. */
static struct plugin_item load(const char *file, const char *path, char **problem)
{
    keep_output_apart();
    *problem = find_problem(file, path);
    if (*problem != NULL)
        return (struct plugin_item){0};
    const int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const struct plugin_item item = load_object(file, path, problem);
    if (here >= 0 && fchdir(here) == 0)
        close(here);
    keep_output_apart();
    return item;
}

/* ---- Programs ---- */

/* Makes a heuristic of the program that a file or a mapping describes; starts nothing. */
static struct plugin_item describe(const char *file, const char *path, char **problem)
{
    struct plugin_item item = {0};
    struct yaml yaml;
    size_t length = strlen(file);
    const bool itself = file[0] == '{';
    SCOPED_BY(report_end) struct report report = {.file = itself ? NULL : file};
    SCOPED char *text = itself ? heap_text(file) : file_read(path, &length, &report);
    SCOPED char *whole = file_whole_path(itself && path[0] == '{' ? "" : path);
    SCOPED char *folder = itself
                              ? heap_format("%s/", whole)
                              : heap_format("%.*s", (int)(strrchr(whole, '/') - whole) + 1, whole);
    struct program_heuristic *program = NULL;
    if (text != NULL && yaml_load(text, length, &report, &yaml)) {
        program = experiment_program_heuristic(yaml.root, folder, &report);
        yaml_end(&yaml);
    }
    if (program != NULL)
        item.heuristic = program_heuristic_make(program, file, whole, problem);
    else
        *problem = report_first(&report);
    return item;
}

bool plugins_add(struct plugins *plugins, const char *file, const char *path, char **problem)
{
    const bool described = file[0] == '{' || file_ends(file, ".yaml") || file_ends(file, ".yml");
    return keep(plugins, described ? describe(file, path, problem) : load(file, path, problem),
                problem);
}

bool plugins_add_program(struct plugins *plugins, struct program_heuristic *program,
                         const char *file, const char *folder, char **problem)
{
    SCOPED char *whole = file_whole_path(folder);
    const struct plugin_item item = {.heuristic =
                                         program_heuristic_make(program, file, whole, problem)};
    return keep(plugins, item, problem);
}

const char *plugins_name(const struct plugins *plugins, const char *file)
{
    for (size_t i = 0; i < plugins->count; i++)
        if (strcmp(plugin_object(&plugins->items[i])->file, file) == 0)
            return plugin_name(&plugins->items[i]);
    return NULL;
}

const char *plugins_isolated(const struct plugins *plugins)
{
    for (size_t i = 0; i < plugins->count; i++) {
        const struct program_heuristic *program = program_heuristic_of(plugins->items[i].heuristic);
        if (program != NULL && program->external.isolated)
            return program->name;
    }
    return NULL;
}

/* ---- By what a manifest says ---- */

static const struct {
    unsigned claim;
    const char *word;
} claim_words[] = {{TILELAB_OPTIMAL, "optimal"},
                   {TILELAB_COMPLETE, "complete"},
                   {TILELAB_INFORMED, "informed"},
                   {TILELAB_NEEDS_CONSISTENT, "needs consistent"}};
enum { CLAIM_WORDS = sizeof claim_words / sizeof *claim_words };

static json_t *claims_json(unsigned claims)
{
    return JSON_ARRAY(i, CLAIM_WORDS,
                      (claims & claim_words[i].claim) != 0 ? json_string(claim_words[i].word)
                                                           : NULL);
}

static unsigned claims_of(const json_t *words)
{
    unsigned claims = 0;
    size_t i;
    const json_t *word;
    json_array_foreach(words, i, word)
    {
        for (unsigned j = 0; json_is_string(word) && j < CLAIM_WORDS; j++)
            if (strcmp(json_string_value(word), claim_words[j].word) == 0)
                claims |= claim_words[j].claim;
    }
    return claims;
}

/* What a heuristic claims is one word. */
static json_t *heuristic_claims_json(unsigned claims)
{
    return json_string(claims == TILELAB_CONSISTENT ? "consistent"
                       : claims != 0                ? "admissible"
                                                    : "nothing");
}

static unsigned heuristic_claims_of(const json_t *word)
{
    const char *text = json_is_string(word) ? json_string_value(word) : "";
    return strcmp(text, "consistent") == 0   ? TILELAB_CONSISTENT
           : strcmp(text, "admissible") == 0 ? TILELAB_ADMISSIBLE
                                             : 0;
}

static json_t *options_json(const struct plugin_item *item)
{
    static const unsigned kinds[] = {[OPTION_FLAG] = TILELAB_FLAG,
                                     [OPTION_CHOICE] = TILELAB_CHOICE,
                                     [OPTION_NUMBER] = TILELAB_NUMBER,
                                     [OPTION_DECIMAL] = TILELAB_DECIMAL};
    const struct object_options *options = item_options(item);
    const struct option_row *rows = options->rows;
    json_t *array = json_array();
    for (unsigned i = 0; rows[i].kind != OPTION_END; i++) {
        const int64_t worth = rows[i].kind == OPTION_DECIMAL ? DECIMAL_ONE : 1;
        json_t *choices = json_array();
        for (unsigned j = 0; rows[i].choices[j] != NULL; j++)
            json_array_append_new(choices, json_string(rows[i].choices[j]));
        json_array_append_new(
            array, json_pack("{s:s, s:i, s:I, s:I, s:I, s:o, s:o}", "name", rows[i].name, "kind",
                             (int)kinds[rows[i].kind], "default", (json_int_t)rows[i].fallback,
                             "min", (json_int_t)(rows[i].min / worth), "max",
                             (json_int_t)(rows[i].max / worth), "choices", choices, "forfeits",
                             item->heuristic != NULL ? heuristic_claims_json(options->forfeits[i])
                                                     : claims_json(options->forfeits[i])));
    }
    return array;
}

static int no_search(struct tilelab_search *search)
{
    (void)search;
    return TILELAB_STUCK;
}

static unsigned no_value(const struct tilelab_puzzle *puzzle, const void *data,
                         const unsigned char *tiles)
{
    (void)puzzle;
    (void)data;
    (void)tiles;
    return 0;
}

/* An option that a manifest has; its texts are the manifest's. */
static struct tilelab_option recall_option(const json_t *known, const char **choices)
{
    const json_t *forfeits = json_object_get(known, "forfeits");
    const json_t *words = json_object_get(known, "choices");
    const char *name = json_string_value(json_object_get(known, "name"));
    for (size_t i = 0; i <= MAX_CHOICES; i++)
        choices[i] = json_string_value(json_array_get(words, i));
    return (struct tilelab_option){.name = name == NULL ? "" : name,
                                   .kind =
                                       (unsigned)json_integer_value(json_object_get(known, "kind")),
                                   .initial = json_integer_value(json_object_get(known, "default")),
                                   .min = json_integer_value(json_object_get(known, "min")),
                                   .max = json_integer_value(json_object_get(known, "max")),
                                   .choices = choices,
                                   .forfeits = claims_of(forfeits) | heuristic_claims_of(forfeits)};
}

static const char *text_of(const json_t *known, const char *key)
{
    const char *text = json_string_value(json_object_get(known, key));
    return text == NULL ? "" : text;
}

static struct plugin_item recall(const json_t *known, const char *file)
{
    const json_t *list = json_object_get(known, "options");
    const json_t *claims = json_object_get(known, "claims");
    const char *choices[MAX_OPTIONS + 1][MAX_CHOICES + 2] = {{NULL}};
    struct tilelab_option options[MAX_OPTIONS + 2] = {{.name = NULL}};
    const struct tilelab_algorithm algorithm = {.version = TILELAB_ALGORITHM_VERSION,
                                                .name = text_of(known, "algorithm"),
                                                .claims = claims_of(claims),
                                                .options = options,
                                                .search = no_search};
    const struct tilelab_heuristic heuristic = {.version = TILELAB_HEURISTIC_VERSION,
                                                .name = text_of(known, "heuristic"),
                                                .claims = heuristic_claims_of(claims),
                                                .options = options,
                                                .evaluate = no_value};
    struct plugin_item item = {0};
    struct object object;
    SCOPED char *problem = NULL;
    if (strcmp(text_of(known, "file"), file) != 0 ||
        !object_recall(&object, file, text_of(known, "path"), text_of(known, "hash")))
        return item;
    for (size_t i = 0; i <= MAX_OPTIONS && i < json_array_size(list); i++)
        options[i] = recall_option(json_array_get(list, i), choices[i]);
    if (algorithm.name[0] != '\0')
        item.algorithm = algorithm_plugin_make(&object, &algorithm, &problem);
    else
        item.heuristic = plugin_make(&object, &heuristic, &problem);
    return item;
}

bool plugins_recall(struct plugins *plugins, const json_t *known, const char *file, char **problem)
{
    struct plugin_item item = {0};
    size_t i;
    const json_t *own;
    json_array_foreach(known, i, own)
    {
        if (item.heuristic == NULL && item.algorithm == NULL)
            item = recall(own, file);
    }
    *problem = NULL;
    if (keep(plugins, item, problem))
        return true;
    free(*problem);
    *problem = heap_format("manifest.json does not say which heuristic %s has, or which "
                           "algorithm; here no plugin is loaded",
                           file);
    return false;
}

void plugins_end(struct plugins *plugins)
{
    for (size_t i = 0; i < plugins->count; i++)
        end_item(&plugins->items[i]);
    free(plugins->items);
    *plugins = (struct plugins){0};
}

json_t *plugins_json(const struct plugins *plugins)
{
    json_t *array = json_array();
    for (size_t i = 0; i < plugins->count; i++) {
        const struct plugin_item *item = &plugins->items[i];
        const struct object *object = plugin_object(item);
        const bool heuristic = item->heuristic != NULL;
        json_t *json = json_pack(
            "{s:s, s:s, s:s, s:s, s:o}", heuristic ? "heuristic" : "algorithm", plugin_name(item),
            "file", object->file, "path", object->path, "hash", object->hash, "claims",
            heuristic ? heuristic_claims_json(item->heuristic->heuristic.claims)
                      : claims_json(item->algorithm->claims));
        if (!heuristic || item_options(item)->rows[0].kind != OPTION_END)
            json_object_set_new(json, "options", options_json(item));
        json_array_append_new(array, json);
    }
    return array;
}
