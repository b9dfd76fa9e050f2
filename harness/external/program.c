#include "harness/external/program.h"
#include "base/heap.h"
#include "harness/external/output_log.h"
#include "harness/external/running.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sys/ioctl.h>

struct programs *programs_start(void)
{
    process_tree_adopt();
    signal(SIGPIPE, SIG_IGN);
    struct programs *programs = heap_take(1, sizeof *programs);
    programs->warm_up_seconds = WARM_UP_SECONDS;
    programs->tasks = process_tasks_of_user() + MOST_TASKS;
    cgroups_open(&programs->groups, CGROUP_ROOT, CGROUP_SELF);
    return programs;
}

void programs_set_warm_up(struct programs *programs, double seconds)
{
    programs->warm_up_seconds = seconds;
}

/* The first lines of its standard error, or where there are none of its output. */
static char *first_words(const struct program *program)
{
    enum { MOST_BYTES = 600 };
    const bool errors = program->error_bytes > 0;
    const char *text = errors ? program->errors : program->output;
    const size_t bytes = errors ? program->error_bytes : program->output_bytes;
    SCOPED char *first = heap_format("%.*s", (int)(bytes < MOST_BYTES ? bytes : MOST_BYTES),
                                     text == NULL ? "" : text);
    char *end = bytes > MOST_BYTES ? strrchr(first, '\n') : NULL;
    if (end != NULL)
        *end = '\0';
    return printed_words(first);
}

/* How the process ended: "exit code 1: last lines"; heap memory. */
static char *how_it_ended(const struct program *program)
{
    const int status = program->tree.root_status;
    SCOPED char *words = printed_words(program->tail);
    return !program->tree.root_ended ? heap_format("it cannot be ended%s", words)
           : WIFSIGNALED(status)     ? heap_format("signal %d (%s)%s", WTERMSIG(status),
                                                   strsignal(WTERMSIG(status)), words)
                                     : heap_format("exit code %d%s", WEXITSTATUS(status), words);
}

static void program_end(struct program *program)
{
    program_finish(program);
    if (program->programs->last == program)
        program->programs->last = NULL;
    process_tree_end(&program->tree);
    cgroup_end(&program->group);
    FREE(program->output, program->errors, program->arrivals.items, program);
}

/* A program's turn begins. What is there by now and new is what the last one has started, or left:
 * such processes have this one as their parent, and nothing else says whose they are. */
static void take_turn(struct program *program)
{
    struct programs *programs = program->programs;
    if (programs->last != NULL && programs->last != program)
        process_tree_look(&programs->last->tree);
    programs->last = program->persistent ? program : NULL;
    program_spare_others(program);
}

static struct program *new_program(struct programs *programs, const struct external *external)
{
    struct program *program = heap_take(1, sizeof *program);
    *program = (struct program){.external = external,
                                .persistent = external->persistent,
                                .programs = programs,
                                .handle = -1,
                                .in = -1,
                                .out = -1,
                                .error = -1,
                                .tasks = programs->tasks,
                                .oom_kills = cgroup_oom_kills(CGROUP_ROOT, CGROUP_SELF)};
    cgroup_start(&program->group, &programs->groups);
    take_turn(program);
    return program;
}

static struct program *find_waiting(const struct programs *programs,
                                    const struct external *external)
{
    for (size_t i = 0; i < programs->count; i++)
        if (programs->waiting[i]->external == external)
            return programs->waiting[i];
    return NULL;
}

static void keep_waiting(struct programs *programs, struct program *program)
{
    *HEAP_ADD(programs->waiting, programs->count) = program;
}

static void wait_no_more(struct programs *programs, const struct program *program)
{
    for (size_t i = 0; i < programs->count; i++)
        if (programs->waiting[i] == program) {
            programs->waiting[i] = programs->waiting[--programs->count];
            return;
        }
}

/* What an outcome other than an answer makes of the run. */
static void judge(const struct program *program, enum outcome outcome, struct result *result,
                  struct answer *answer)
{
    switch (outcome) {
    case LATE:
        printed_fail(result, answer, STATUS_time_limit, NULL);
        break;
    case SPENT:
        printed_fail(result, answer, STATUS_cpu_limit, NULL);
        break;
    case LARGE:
        printed_fail(result, answer, STATUS_memory_limit, NULL);
        break;
    case STOPPED:
        printed_fail(result, answer, STATUS_interrupted, NULL);
        break;
    case TALKATIVE:
        printed_fail(result, answer, STATUS_crashed,
                     heap_format("more than %d MiB of output", OUTPUT_BYTES >> 20));
        break;
    case BREEDING:
        printed_fail(result, answer, STATUS_crashed,
                     heap_format("it started more than %d processes", MOST_PROCESSES));
        break;
    case UNREAD:
        printed_fail(result, answer, STATUS_crashed,
                     heap_text("it answered before it had read any of the board"));
        break;
    case UNSEEN:
        printed_fail(result, answer, STATUS_crashed, heap_text("its output cannot be watched"));
        break;
    case ENDED: {
        SCOPED char *how = how_it_ended(program);
        SCOPED char *words = printed_words(program->tail);
        printed_fail(
            result, answer, program->killed ? STATUS_lost : STATUS_crashed,
            program->closed ? heap_format("it closed its output without an answer%s", words)
            : program->external->persistent ? heap_format("it ended without an answer: %s", how)
                                            : heap_text(how));
        break;
    }
    case ANSWERED:
        break;
    }
}

/* The first bytes of what a program printed. */
static struct printed printed_of(const struct program *program, size_t bytes)
{
    return (struct printed){.output = program->output == NULL ? "" : program->output,
                            .bytes = bytes,
                            .error = program->tail,
                            .arrivals = &program->arrivals,
                            .killed = program->killed};
}

/* Keeps what the program printed in a run that ended so, if it is to be kept. */
static void keep_log(const struct program *program, struct printed printed, enum status status,
                     struct answer *answer)
{
    if (!program->external->logs)
        return;
    printed.error = program->errors;
    printed.status = status;
    printed.message = answer->message;
    answer->log = output_log_pack(&printed, program->error_bytes, &answer->log_bytes);
}

/* Reads the first bytes of what a program printed: as an answer, if it gave one. */
static struct printed read_printed(const struct program *program, const struct question *question,
                                   enum outcome outcome, size_t bytes, struct result *result,
                                   struct answer *answer)
{
    struct printed printed = printed_of(program, bytes);
    printed.answered = outcome == ANSWERED;
    if (printed.answered)
        printed_read(program->external, question, &printed, result, answer);
    else
        judge(program, outcome, result, answer);
    keep_log(program, printed, result->status, answer);
    return printed;
}

/* Whether a signal ended the program that schedulers send to all processes of a job; an exit code
 * of 128 and its number says the same. */
static bool ended_by_scheduler(const struct program *program)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGUSR1};
    enum { SIGNALS = sizeof signals / sizeof *signals, SHELLS_BASE = 128 };
    const int status = program->tree.root_status;
    if (!program->tree.root_ended)
        return false;
    for (unsigned i = 0; i < SIGNALS; i++)
        if (WIFSIGNALED(status) ? WTERMSIG(status) == signals[i]
                                : WEXITSTATUS(status) == SHELLS_BASE + signals[i])
            return true;
    return false;
}

/* What a program leaves undone at an interrupt says nothing of it. The signal may reach the program
 * before this process: then it is awaited for a moment. */
static void heed_interrupt(const struct program *program, const struct limits *limits,
                           struct result *result, struct answer *answer)
{
    enum { MOMENTS = 50 };
    const struct timespec moment = {.tv_nsec = 10000000};
    if (result->status == STATUS_solved || limits->interrupted == NULL)
        return;
    for (int i = 0; i < MOMENTS && *limits->interrupted == 0 && ended_by_scheduler(program); i++)
        nanosleep(&moment, NULL);
    if (*limits->interrupted != 0)
        printed_fail(result, answer, STATUS_interrupted, NULL);
}

/* What the system knows of a run. */
static struct measured_run measured(const struct exchange *exchange, double cpu_seconds)
{
    /* A program that is gone after a look or two was hardly seen, be it that this process had no
     * time for more. */
    enum { HARDLY = 2 };
    return (struct measured_run){
        .wall_seconds = exchange->wall_seconds,
        .cpu_seconds = cpu_seconds,
        .peak_bytes = exchange->peak_bytes,
        .sure = exchange->kept ||
                (exchange->looks > HARDLY && exchange->wall_seconds >= 2 * LOOK_SECONDS)};
}

/* The most that the root held, as the system kept it; 0 if that is not known: the peak of a new
 * process begins with what this process held, and with the pages of code, dozens at a time, that it
 * needs to become the program. */
static uint64_t known_peak(const struct program *program)
{
    enum { MARGIN = 1 << 20 };
    const uint64_t peak = program->tree.root_peak_bytes;
    if (program->external->isolated) /* the root is bwrap */
        return 0;
    return peak > program->floor_bytes + MARGIN ? peak : 0;
}

static void ask_once(struct programs *programs, const struct external *external,
                     const struct question *question, struct result *result, struct answer *answer)
{
    const struct limits *limits = question->limits;
    SCOPED char *input = protocol_input(external, question);
    struct program *program = new_program(programs, external);
    struct exchange exchange = {
        .program = program, .limits = limits, .input = input, .begun = clock_wall()};
    program->asked = exchange.begun;
    char *why = program_launch(program, question);
    if (why != NULL) {
        printed_fail(result, answer, STATUS_crashed, why);
    } else {
        enum outcome outcome = program_converse(&exchange);
        if (!program_finish(program) && outcome == ENDED)
            outcome = TALKATIVE;
        const int status = program->tree.root_status;
        const bool ended_well = outcome == ENDED && program->tree.root_ended && WIFEXITED(status) &&
                                (WEXITSTATUS(status) == 0 ||
                                 WEXITSTATUS(status) == status_rows[STATUS_stuck].exit_code);
        const struct printed printed =
            read_printed(program, question, ended_well ? ANSWERED : outcome, program->output_bytes,
                         result, answer);
        heed_interrupt(program, limits, result, answer);
        exchange.kept = known_peak(program) > 0;
        if (known_peak(program) > exchange.peak_bytes)
            exchange.peak_bytes = known_peak(program);
        const struct measured_run took = measured(&exchange, program->tree.ended_seconds);
        printed_complete(external, question, &printed, &took, result, answer);
    }
    program_end(program);
}

static uint64_t read_peak(pid_t process)
{
    char text[4096];
    unsigned long kibibytes = 0;
    const char *peak =
        process_read(process, "status", text, sizeof text) ? strstr(text, "\nVmHWM:") : NULL;
    if (peak != NULL)
        sscanf(peak, "\nVmHWM: %lu", &kibibytes);
    return kibibytes * UINT64_C(1024);
}

/* Reads what a persistent program prints before it waits for its next board; in vain after a fifth
 * of a second. */
static void await_silence(struct program *program)
{
    const struct timespec moment = {.tv_nsec = 50000};
    const struct timespec none = {0};
    const double until = clock_wall() + 0.2;
    bool running = true;
    while (running && clock_wall() < until) {
        struct pollfd out = {.fd = program->out, .events = POLLIN};
        running = process_state(program->tree.root) == 'R'; /* it may be about to print */
        while (program->out >= 0 && ppoll(&out, 1, running ? &moment : &none, NULL) > 0 &&
               program_read(program))
            running = false; /* that will do */
    }
}

/* What a persistent program printed before it is given its board, which can be no answer to it:
 * says so, in heap memory; NULL: nothing but empty lines. */
static char *printed_early(struct program *program)
{
    enum { MOST_SHOWN = 60 };
    size_t at = 0;
    await_silence(program);
    while (at < program->output_bytes && isspace((unsigned char)program->output[at]))
        at++;
    if (at == program->output_bytes) {
        program->output_bytes = 0;
        return NULL;
    }
    size_t length = 0;
    while (at + length < program->output_bytes && length < MOST_SHOWN &&
           program->output[at + length] != '\n')
        length++;
    SCOPED char *line = heap_format("%.*s", (int)length, program->output + at);
    SCOPED char *shown = text_printable(line);
    return heap_format("it printed '%s' before it was given the board", shown);
}

/* Whether none of a board of so many bytes was read yet. */
static bool is_unread(const struct exchange *exchange, size_t bytes)
{
    int waiting = 0;
    return exchange->program->in >= 0 && ioctl(exchange->program->in, FIONREAD, &waiting) == 0 &&
           exchange->input_bytes + (size_t)waiting >= bytes;
}

/* One board and its answer, of a persistent program that is running. Returns whether it can go on.
 */
static bool ask_running(struct program *program, const struct question *question,
                        struct result *result, struct answer *answer)
{
    const struct limits *limits = question->limits;
    SCOPED char *input = protocol_input(program->external, question);
    struct exchange exchange = {.program = program, .limits = limits, .input = input};
    program->tail_bytes = 0;
    program->tail[0] = '\0';
    program->error_bytes = 0;
    program->scan = (struct answer_scan){0};
    process_forget_peak(program->tree.root);
    exchange.cpu_before = process_tree_seconds(&program->tree);
    exchange.begun = program->asked = clock_wall();
    program->arrivals.count = 0;
    enum outcome outcome = program_converse(&exchange);
    const bool answered = outcome == ANSWERED;
    const uint64_t peak = program->external->isolated ? 0 : read_peak(program->tree.root);
    exchange.kept = peak > 0;
    if (peak > exchange.peak_bytes)
        exchange.peak_bytes = peak;
    if (!answered) {
        program_finish(program);
        answer->lost_seconds = program->lost_seconds;
        program->lost_seconds = 0;
    } else if (is_unread(&exchange, strlen(input))) {
        outcome = UNREAD;
    }
    const size_t bytes = answered ? program->scan.line : program->output_bytes;
    const struct printed printed = read_printed(program, question, outcome, bytes, result, answer);
    heed_interrupt(program, limits, result, answer);
    const struct measured_run took =
        measured(&exchange, fmax(process_tree_seconds(&program->tree) - exchange.cpu_before, 0));
    printed_complete(program->external, question, &printed, &took, result, answer);
    if (answered) {
        program->output_bytes -= bytes;
        memmove(program->output, program->output + bytes, program->output_bytes);
    }
    return answered && result->status != STATUS_crashed && result->status != STATUS_time_limit &&
           result->status != STATUS_cpu_limit && result->status != STATUS_memory_limit;
}

/* A board one move from the goal. */
static struct task warm_up_task(const struct task *task)
{
    struct task near = {task->goal, task->goal, task->order};
    unsigned move = 0;
    while (move_target(near.goal.shape, near.goal.blank, move) == NO_CELL)
        move++;
    board_slide(&near.start, move_target(near.goal.shape, near.goal.blank, move));
    return near;
}

/* Starts a persistent program and gives it its first board, which nobody measures. NULL if that
 * fails; then the result says why. */
static struct program *start_persistent(struct programs *programs, const struct external *external,
                                        const struct question *question, struct result *result,
                                        struct answer *answer)
{
    const struct task near = warm_up_task(question->task);
    struct limits patient = *question->limits;
    struct question first = *question, born = *question;
    first.task = born.task = &near;
    first.limits = &patient;
    struct program *program = new_program(programs, external);
    patient.nodes = 0;
    patient.cpu_seconds = 0;
    if (patient.seconds < programs->warm_up_seconds)
        patient.seconds = programs->warm_up_seconds;
    char *why = program_launch(program, &born);
    if (why != NULL) {
        printed_fail(result, answer, STATUS_crashed, why);
    } else if (ask_running(program, &first, result, answer)) {
        process_tree_look(&program->tree);
        keep_waiting(programs, program);
        result_end(result);
        answer_end(answer);
        *result = (struct result){.status = STATUS_crashed, .h_start = -1};
        return program;
    } else if (result->status == STATUS_time_limit) {
        printed_fail(result, answer, STATUS_crashed,
                     heap_format("no answer to its first board, one move from the goal, in %g s",
                                 patient.seconds));
    } else if (result->status == STATUS_crashed || result->status == STATUS_lost) {
        const enum status status = result->status;
        SCOPED char *said = answer->message;
        answer->message = NULL;
        printed_fail(result, answer, status,
                     heap_format("at its first board, one move from the goal: %s", said));
    }
    /* The run itself took no time. */
    result->wall_seconds = result->cpu_seconds = 0;
    program_end(program);
    return NULL;
}

double programs_start_seconds(const struct external *external, const struct limits *limits)
{
    return external->persistent ? fmax(limits->seconds, WARM_UP_SECONDS) : 0;
}

double programs_grace(const struct external *external, const struct limits *limits)
{
    /* Twice: the program that failed, and one that is started in its place; an output that is read
     * as an answer and then for its best path. */
    return 2 * (KILL_SECONDS + PATTERN_SECONDS * (double)external->pattern_count) +
           external->grace + programs_start_seconds(external, limits);
}

static void ask_persistent(struct programs *programs, const struct external *external,
                           const struct question *question, struct result *result,
                           struct answer *answer)
{
    struct program *program = find_waiting(programs, external);
    if (program == NULL)
        program = start_persistent(programs, external, question, result, answer);
    if (program == NULL)
        return;
    take_turn(program);
    char *early = printed_early(program);
    if (early != NULL)
        printed_fail(result, answer, STATUS_crashed, early);
    if (early != NULL || !ask_running(program, question, result, answer)) {
        wait_no_more(programs, program);
        program_end(program);
    }
}

void programs_ask(struct programs *programs, const struct external *external,
                  const struct question *question, struct result *result, struct answer *answer)
{
    char *changed = external->problem != NULL ? heap_text(external->problem)
                    : external->copy != NULL  ? NULL
                                              : external_changed(external);
    *result = (struct result){.status = STATUS_crashed, .h_start = -1};
    *answer = (struct answer){0};
    process_goes_first(true);
    if (changed != NULL)
        answer->message = changed;
    else
        (external->persistent ? ask_persistent : ask_once)(programs, external, question, result,
                                                           answer);
    process_goes_first(false);
}

enum status programs_build(struct programs *programs, const struct external *build,
                           const struct limits *limits, struct answer *answer)
{
    static const struct task none;
    const struct question question = {&none, limits, 1, 1, 1, COST_unit};
    struct result result = {.status = STATUS_solved};
    struct program *program = new_program(programs, build);
    struct exchange exchange = {
        .program = program, .limits = limits, .input = "", .begun = clock_wall()};
    *answer = (struct answer){0};
    program->asked = exchange.begun;
    char *why = program_launch(program, &question);
    if (why != NULL) {
        printed_fail(&result, answer, STATUS_crashed, why);
    } else {
        const enum outcome outcome = program_converse(&exchange);
        program_finish(program);
        const int status = program->tree.root_status;
        judge(program, outcome, &result, answer);
        if (outcome == ENDED && program->tree.root_ended && WIFEXITED(status) && !program->killed) {
            SCOPED char *words = first_words(program);
            const bool fine = WEXITSTATUS(status) == 0;
            printed_fail(&result, answer, fine ? STATUS_solved : STATUS_crashed,
                         fine ? NULL : heap_format("exit code %d%s", WEXITSTATUS(status), words));
        }
        keep_log(program, printed_of(program, program->output_bytes), result.status, answer);
        heed_interrupt(program, limits, &result, answer);
    }
    program_end(program);
    return result.status;
}

bool programs_run(const struct programs *programs, const struct external *external)
{
    return find_waiting(programs, external) != NULL;
}

void programs_stop(struct programs *programs, const struct external *external)
{
    struct program *program = find_waiting(programs, external);
    if (program == NULL)
        return;
    take_turn(program);
    wait_no_more(programs, program);
    program_end(program);
}

/* The program that waits, or one that is started; NULL, with what is wrong in *why. */
static struct program *find_or_start(struct programs *programs, const struct external *external,
                                     const struct question *question, char **why)
{
    struct program *program = find_waiting(programs, external);
    *why = program == NULL ? external_changed(external) : NULL;
    if (program != NULL || *why != NULL)
        return program;
    program = new_program(programs, external);
    *why = program_launch(program, question);
    if (*why == NULL) {
        keep_waiting(programs, program);
        return program;
    }
    program_end(program);
    return NULL;
}

char *programs_exchange(struct programs *programs, const struct external *external,
                        const struct question *question, const char *input, char **line,
                        enum status *status)
{
    struct result result = {.status = STATUS_crashed};
    struct answer answer = {0};
    char *why;
    *line = NULL;
    *status = STATUS_crashed;
    process_goes_first(true);
    struct program *program = find_or_start(programs, external, question, &why);
    if (program != NULL) {
        take_turn(program);
        struct exchange exchange = {.program = program,
                                    .limits = question->limits,
                                    .input = input,
                                    .begun = clock_wall(),
                                    .cpu_before = process_tree_seconds(&program->tree)};
        program->asked = exchange.begun;
        program->arrivals.count = 0;
        program_drain(program);
        const bool early = program->output_bytes > 0;
        const enum outcome outcome = early ? ANSWERED : program_converse(&exchange);
        if (outcome == ANSWERED) {
            *line = heap_format("%s%.*s", early ? "\n" : "", (int)program->output_bytes,
                                program->output);
            program->output_bytes = 0;
        } else {
            program_finish(program);
            judge(program, outcome, &result, &answer);
            heed_interrupt(program, question->limits, &result, &answer);
            *status = result.status;
            why = answer.message;
            wait_no_more(programs, program);
            program_end(program);
        }
    }
    process_goes_first(false);
    return why;
}

void programs_end(struct programs *programs)
{
    while (programs->count > 0) {
        struct program *program = programs->waiting[programs->count - 1];
        take_turn(program);
        programs->count--;
        program_end(program);
    }
    cgroups_close(&programs->groups);
    free(programs->waiting);
    process_tree_end(&programs->others);
    free(programs);
}
