#include "harness/external/program_heuristic.h"
#include "base/heap.h"
#include <inttypes.h>
#include <math.h>
#include <xxhash.h>

/* The run that this process makes. Where nobody said that one begins, a program that fails ends the
 * process, as a plugin does that crashes. */
static struct {
    struct programs **programs;
    const struct limits *limits; /* of the run, as they were; NULL: no run */
    struct limits kept;
    double begun; /* when the search's clock started, on clock_wall(); NAN: it did not */
    volatile sig_atomic_t failed; /* the search's flag */
    enum status status;
    char *message; /* owned */
} session;
static struct programs *own; /* without a run */
static void (*on_failure)(const char *message);

void program_heuristics_on_failure(void (*ends)(const char *message))
{
    on_failure = ends;
}

/* ---- The exchange ---- */

/* Writes the batch as the program reads it. */
static void put_batch(const struct tilelab_puzzle *puzzle, const unsigned char *tiles,
                      unsigned count, FILE *stream)
{
    fprintf(stream, "%u %u %u\n", puzzle->width, puzzle->height, count);
    for (size_t row = 0; row <= count; row++)
        for (unsigned i = 0; i < puzzle->cells; i++)
            fprintf(stream, "%u%c",
                    row == 0 ? puzzle->goal[i] : tiles[(row - 1) * puzzle->cells + i],
                    i + 1 == puzzle->cells ? '\n' : ' ');
}

/* Reads the values of a line. What is wrong with it, heap memory; or NULL. */
static char *read_values(const char *line, unsigned count, unsigned *values)
{
    enum { MOST_SHOWN = 60, DIGITS = 9 };
    const char *at = line;
    unsigned found = 0;
    for (;; found++) {
        at += strspn(at, " \t\r");
        const size_t digits = strspn(at, "0123456789");
        if (digits == 0 || strspn(at + digits, " \t\r\n") == 0)
            break;
        const unsigned long value = digits > DIGITS ? TILELAB_LARGEST_VALUE : strtoul(at, NULL, 10);
        if (found < count)
            values[found] = value > TILELAB_LARGEST_VALUE ? TILELAB_LARGEST_VALUE : (unsigned)value;
        at += digits;
    }
    if (*at == '\n' && found == count && at[1] == '\0')
        return NULL;
    if (*at == '\n' && (found == count || found == 0))
        return heap_text("it printed more than one line for a batch, or without one; expected one "
                         "line with a value for each board");
    const size_t length = strcspn(at, "\n");
    SCOPED char *shown = heap_format("%.*s", length < MOST_SHOWN ? (int)length : MOST_SHOWN, at);
    SCOPED char *printable = text_printable(shown);
    return *at == '\n'
               ? heap_format("it answered %u values to %u boards; expected one for each", found,
                             count)
               : heap_format(
                     "it answered '%s' as value %u of %u; expected whole numbers, one for each "
                     "board, on one line",
                     printable, found + 1, count);
}

/* The program failed: the search is to end, or the process. Takes over the message. */
static void fail(const struct program_heuristic *program, enum status status, char *message)
{
    char *whole = heap_format("the heuristic %s: %s", program->name,
                              message == NULL ? status_rows[status].name : message);
    free(message);
    if (session.limits == NULL)
        on_failure(whole);
    session.failed = 1;
    session.status = status;
    session.message = whole;
}

/* Asks for the values of a batch that is not too large; `patient`: it may just have been started.
 */
static void ask(const struct program_heuristic *program, const struct tilelab_puzzle *puzzle,
                const unsigned char *tiles, unsigned count, unsigned *values, bool patient)
{
    const struct shape shape = {(uint8_t)puzzle->width, (uint8_t)puzzle->height,
                                (uint8_t)puzzle->cells};
    struct task task = {.order = DEFAULT_ORDER};
    struct limits limits = session.limits == NULL ? (struct limits){0} : *session.limits;
    struct programs **programs = session.limits == NULL ? &own : session.programs;
    enum status status = STATUS_crashed;
    task.goal.shape = shape;
    memcpy(task.goal.cell, puzzle->goal, puzzle->cells);
    task.goal.blank = puzzle->home[0];
    task.start = task.goal;
    limits.cpu_seconds = 0;
    if (limits.seconds > 0 && patient)
        limits.seconds = fmax(limits.seconds, WARM_UP_SECONDS);
    else if (limits.seconds > 0)
        limits.seconds = isnan(session.begun)
                             ? limits.seconds
                             : fmax(limits.seconds - (clock_wall() - session.begun), 1e-3);
    if (*programs == NULL)
        *programs = programs_start();
    const struct question question = {&task, &limits, 1, 1, 1, COST_unit};
    SCOPED char *input = WRITTEN(stream, put_batch(puzzle, tiles, count, stream));
    char *line;
    char *why = programs_exchange(*programs, &program->external, &question, input, &line, &status);
    if (line != NULL) {
        why = read_values(line, count, values);
        if (why != NULL)
            programs_stop(*programs, &program->external);
        free(line);
    } else if (isnan(session.begun) && status == STATUS_time_limit) {
        status = STATUS_crashed;
        why = heap_format("no answer to its first batch in %g s", limits.seconds);
    }
    if (status == STATUS_memory_limit) {
        status = STATUS_crashed;
        why = heap_text("it took more memory than the run may");
    }
    if (line == NULL || why != NULL)
        fail(program, status, why);
}

/* ---- As a plugin ---- */

static void evaluate_batch(const struct tilelab_puzzle *puzzle, const void *data,
                           const unsigned char *tiles, unsigned count, unsigned *values)
{
    const struct program_heuristic *program = plugin_owner(puzzle);
    (void)data;
    memset(values, 0, count * sizeof *values);
    for (unsigned at = 0; at < count && !session.failed; at += program->batch) {
        const unsigned some = count - at < program->batch ? count - at : program->batch;
        ask(program, puzzle, tiles + (size_t)at * puzzle->cells, some, values + at, false);
    }
}

struct plugin *program_heuristic_make(struct program_heuristic *program, const char *file,
                                      const char *path, char **problem)
{
    const struct tilelab_heuristic said = {.version = TILELAB_HEURISTIC_VERSION,
                                           .name = program->name,
                                           .summary = "a program",
                                           .claims = program->claims,
                                           .evaluate_batch = evaluate_batch};
    char hash[FILE_HASH_BYTES];
    struct object object;
    const char *why;
    struct plugin *plugin = NULL;
    /* Another program is another heuristic: one hash for all of its files. */
    SCOPED char *all = heap_text("");
    const bool itself = file[0] == '{';
    const bool fine = itself || file_hash(path, hash, &why);
    heap_append(&all, "%s", itself ? file : fine ? hash : "");
    for (size_t i = 0; i < program->external.file_count; i++)
        heap_append(&all, " %s", program->external.files[i].hash);
    snprintf(hash, sizeof hash, "%016" PRIx64, (uint64_t)XXH3_64bits(all, strlen(all)));
    if (!fine)
        *problem = heap_format("%s cannot be read: %s", file, why);
    else if (object_recall(&object, file, path, hash))
        plugin = plugin_make(&object, &said, problem);
    if (plugin != NULL)
        plugin->owner = program;
    else
        program_heuristic_end(program);
    return plugin;
}

struct program_heuristic *program_heuristic_of(const struct plugin *plugin)
{
    return plugin == NULL ? NULL : plugin->owner;
}

void program_heuristic_end(struct program_heuristic *program)
{
    if (program == NULL)
        return;
    if (own != NULL)
        programs_end(own);
    own = NULL;
    external_end(&program->external);
    FREE(program->name, program);
}

/* ---- In a run ---- */

static void note_program(void *context, const struct heuristic_choice *part)
{
    const struct program_heuristic **found = context;
    if (program_heuristic_of(plugin_of(part->kind)) != NULL)
        *found = program_heuristic_of(plugin_of(part->kind));
}

bool program_heuristics_has(const struct solver *solver)
{
    const struct program_heuristic *found = NULL;
    if (solver->heuristic.kind != NULL)
        heuristic_parts(&solver->heuristic, note_program, &found);
    return found != NULL;
}

/* Starts a program that does not run, by a batch that is not measured. */
static void start_program(void *context, const struct heuristic_choice *part)
{
    const struct board *goal = context;
    const struct program_heuristic *program = program_heuristic_of(plugin_of(part->kind));
    unsigned char home[MAX_CELLS];
    unsigned value;
    if (program == NULL || session.failed ||
        (*session.programs != NULL && programs_run(*session.programs, &program->external)))
        return;
    for (unsigned i = 0; i < goal->shape.cells; i++)
        home[goal->cell[i]] = (unsigned char)i;
    const struct tilelab_puzzle puzzle = {
        goal->shape.width, goal->shape.height, goal->shape.cells, goal->cell, home, NULL};
    ask(program, &puzzle, goal->cell, 1, &value, true);
}

void program_heuristics_begin(struct programs **programs, const struct solver *solver,
                              const struct board *goal, struct limits *limits)
{
    struct board board = *goal;
    session.programs = programs;
    session.kept = *limits;
    session.limits = &session.kept;
    session.failed = 0;
    session.message = NULL;
    session.begun = NAN;
    limits->interrupted = &session.failed;
    limits->begun = &session.begun;
    heuristic_parts(&solver->heuristic, start_program, &board);
}

void program_heuristics_end(struct result *result, struct answer *answer)
{
    session.limits = NULL;
    if (!session.failed)
        return;
    struct statistics statistics = result->statistics;
    struct result whole = {.status = session.status,
                           .h_start = result->h_start,
                           .wall_seconds = result->wall_seconds,
                           .cpu_seconds = result->cpu_seconds};
    statistics.first_found = statistics.best_found = 0; /* what it found is not kept */
    whole.statistics = statistics;
    result_end(result);
    *result = whole;
    answer->message = session.message;
    session.failed = 0;
}

double program_heuristics_grace(const struct solver *solver, const struct limits *limits)
{
    /* Each may be started before the run. */
    enum { STARTS = 2 };
    return program_heuristics_has(solver) ? STARTS * fmax(limits->seconds, WARM_UP_SECONDS) : 0;
}
