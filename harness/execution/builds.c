#include "harness/execution/builds.h"
#include "base/heap.h"
#include "harness/external/matches.h"
#include "harness/external/program.h"
#include "harness/external/submission.h"
#include "harness/text/human.h"
#include "harness/text/interrupt.h"
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

/* A submission on its way. */
struct build {
    struct external *external;
    char *place;   /* owned; RESULTS/builds/HASH */
    pid_t process; /* that builds it; 0: none */
};

/* ---- Copies ---- */

/* Removes a folder with all that is in it; what cannot be removed is seen later. */
static void remove_all(const char *folder)
{
    SCOPED char *root = heap_text(folder);
    char *roots[] = {root, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
    FTSENT *entry;
    while (walk != NULL && (entry = fts_read(walk)) != NULL)
        if (entry->fts_info != FTS_D)
            remove(entry->fts_accpath);
    if (walk != NULL)
        fts_close(walk);
}

/* Copies what is in a file, as far as it goes. False with errno. */
static bool copy_file(const char *from, const char *to, mode_t mode)
{
    enum { PART_BYTES = 1 << 30 };
    const int source = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const int target = source < 0 ? -1
                                  : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                         (mode & S_IXUSR) != 0 ? 0755 : 0644);
    ssize_t copied = target < 0 ? -1 : 1;
    char part[1 << 16];
    while (copied > 0 && (copied = copy_file_range(source, NULL, target, NULL, PART_BYTES, 0)) > 0)
        ;
    if (target >= 0 && copied < 0 && (errno == EXDEV || errno == EINVAL || errno == ENOSYS))
        while ((copied = read(source, part, sizeof part)) > 0)
            if (!file_write_all(target, part, (size_t)copied)) {
                copied = -1;
                break;
            }
    const int why = errno;
    if (target >= 0)
        close(target);
    if (source >= 0)
        close(source);
    errno = why;
    return copied == 0;
}

static bool copy_link(const char *from, const char *to)
{
    char target[PATH_MAX];
    const ssize_t length = readlink(from, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = '\0';
    return length >= 0 && symlink(target, to) == 0;
}

/* Copies the files that are hashed (matches.h): folders, links as links, no pipes or devices. What
 * is wrong, in heap memory; or NULL. */
static char *copy_all(const char *from, const char *to)
{
    SCOPED char *root = heap_text(from);
    char *roots[] = {root, NULL};
    char *why = NULL;
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    FTSENT *entry;
    while (walk != NULL && why == NULL && (entry = fts_read(walk)) != NULL) {
        bool fine = true;
        SCOPED char *path = heap_format("%s%s", to, entry->fts_path + strlen(from));
        if (entry->fts_level > 0 && matches_leave_out(entry->fts_name))
            fts_set(walk, entry, FTS_SKIP);
        else if (entry->fts_info == FTS_D)
            fine = folders_make(path);
        else if (entry->fts_info == FTS_F)
            fine = copy_file(entry->fts_path, path, entry->fts_statp->st_mode);
        else if (entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE)
            fine = copy_link(entry->fts_path, path);
        if (!fine)
            why = heap_format("%s cannot be copied to %s: %s", entry->fts_path, path,
                              strerror(errno));
    }
    if (walk != NULL)
        fts_close(walk);
    return why;
}

/* ---- One submission ---- */

/* Where its copy is. */
static char *place_of(const struct external *external, const char *results)
{
    SCOPED char *key = heap_format("%s\n%s\n%d", external->files[0].hash, external->submission,
                                   external->isolated);
    for (size_t i = 0; external->build_words != NULL && external->build_words[i] != NULL; i++)
        heap_append(&key, "\n%s", external->build_words[i]);
    SCOPED char *folder = file_whole_path(results);
    return heap_format("%s/builds/%016" PRIx64, folder, XXH3_64bits(key, strlen(key)));
}

static char *path_in(const struct build *build, const char *name)
{
    return heap_format("%s/%s", build->place, name);
}

/* Notes how the build ended; false with errno. */
static bool write_built(const struct build *build, const char *problem)
{
    json_auto_t *json = json_pack("{s:s?}", "problem", problem);
    SCOPED char *text = json_dumps(json, JSON_COMPACT);
    SCOPED char *path = path_in(build, "built");
    return file_write(path, text, strlen(text));
}

/* Whether it ended; then its copy or its problem is the submission's. Of an earlier call only what
 * was built counts: a failure may have been the machine's. */
static bool read_built(const struct build *build, bool earlier)
{
    struct external *external = build->external;
    SCOPED char *path = path_in(build, "built");
    json_auto_t *json = json_load_file(path, 0, NULL);
    const char *problem = json_string_value(json_object_get(json, "problem"));
    if (problem != NULL && earlier)
        return false;
    if (problem != NULL)
        external->problem = heap_text(problem);
    else if (json != NULL)
        external->copy = path_in(build, "files");
    return json != NULL;
}

/* Makes the copy. What is wrong with the place for it, in heap memory; or NULL. */
static char *prepare(const struct build *build)
{
    const struct external *external = build->external;
    SCOPED char *files = path_in(build, "files");
    char hash[FILE_HASH_BYTES];
    uint64_t looks;
    SCOPED char *all = file_folder(build->place);
    if (file_is_link(all))
        return heap_format("%s is a link; expected a folder. Move it away", all);
    remove_all(build->place);
    char *why = copy_all(external->folder, files);
    if (why == NULL)
        why = matches_hash(files, strlen(files), hash, &looks);
    if (why == NULL && strcmp(hash, external->files[0].hash) != 0)
        why = heap_format("%s has changed since the start", external->folder);
    return why;
}

/* What ended a build, in words; heap memory. */
static char *why_it_failed(enum status status, const struct answer *answer)
{
    if (answer->message != NULL)
        return heap_text(answer->message);
    if (status == STATUS_time_limit)
        return heap_format("it took more than %g s", BUILD_SECONDS);
    if (status == STATUS_cpu_limit)
        return heap_format("it took more than %g s of processor time", BUILD_CPU_SECONDS);
    return heap_format("it took more than %s of memory", human_bytes(BUILD_BYTES).text);
}

/* Builds it in this process. Whether it ended, well or not. */
static bool build_here(const struct build *build)
{
    const struct external *external = build->external;
    struct external making = *external;
    SCOPED_BY(answer_end) struct answer answer;
    interrupt_start();
    const struct limits limits = {.seconds = BUILD_SECONDS,
                                  .cpu_seconds = BUILD_CPU_SECONDS,
                                  .bytes = BUILD_BYTES,
                                  .interrupted = &interrupted};
    making.words = external->build_words;
    making.word_count = 0;
    while (making.words[making.word_count] != NULL)
        making.word_count++;
    making.copy = path_in(build, "files");
    making.building = making.logs = true;
    making.persistent = false;
    making.grace = 0;
    struct programs *programs = programs_start();
    const enum status status = programs_build(programs, &making, &limits, &answer);
    programs_end(programs);
    interrupt_end();
    SCOPED char *log = path_in(build, "build.log.gz");
    bool fine = status != STATUS_interrupted && status != STATUS_lost &&
                (answer.log == NULL || file_write(log, answer.log, answer.log_bytes));
    SCOPED char *why = status == STATUS_solved ? NULL : why_it_failed(status, &answer);
    if (why == NULL && strcmp(external->words[0], "./main") == 0)
        why = submission_name_made(making.copy);
    SCOPED char *command = external_command(&making);
    SCOPED char *problem =
        why == NULL ? NULL : heap_format("its build failed: %s: %s", command, why);
    fine = fine && write_built(build, problem);
    free(making.copy);
    return fine;
}

/* Builds it in a process of its own, which ends with this one. */
static void start(struct build *build)
{
    const pid_t parent = getpid();
    build->process = fork();
    if (build->process != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    _exit(getppid() == parent && build_here(build) ? 0 : 1);
}

/* ---- All of them ---- */

struct builds {
    struct build *items; /* owned; those that are not there yet */
    size_t count;
    size_t next;    /* to be started */
    size_t running; /* now */
    size_t broken;  /* ended without saying how */
};

/* Takes in the builds that have ended. */
static void reap(struct builds *builds)
{
    for (size_t i = 0; i < builds->next; i++) {
        struct build *build = &builds->items[i];
        if (build->process <= 0 || waitpid(build->process, NULL, WNOHANG) == 0)
            continue;
        build->process = 0;
        builds->running--;
        builds->broken += !read_built(build, false);
    }
}

/* Builds all, and waits. */
static void build_all(struct builds *builds, unsigned jobs, void (*beat)(void *context),
                      void *context)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    while (builds->running > 0 || (builds->next < builds->count && !interrupted)) {
        while (builds->next < builds->count && builds->running < jobs && !interrupted) {
            struct build *build = &builds->items[builds->next++];
            start(build);
            builds->running += build->process > 0;
            builds->broken += build->process < 0;
        }
        for (size_t i = 0; i < builds->next && interrupted; i++)
            if (builds->items[i].process > 0)
                kill(builds->items[i].process, SIGTERM);
        nanosleep(&moment, NULL);
        beat(context);
        reap(builds);
    }
}

/* Copies a submission that was not built before, or in vain. What is wrong with the place for it;
 * or NULL. */
static char *add(struct builds *builds, struct external *external, const char *results)
{
    struct build build = {.external = external, .place = place_of(external, results)};
    if (external->problem != NULL || external->copy != NULL || read_built(&build, true)) {
        free(build.place);
        return NULL;
    }
    char *why = prepare(&build);
    if (why == NULL && external->build_words == NULL) {
        if (!write_built(&build, NULL) || !read_built(&build, false))
            why = heap_format("%s cannot be written: %s", build.place, file_problem(errno));
        free(build.place);
        return why;
    }
    *HEAP_ADD(builds->items, builds->count) = build;
    return why;
}

static enum ending make_all(struct builds *builds, char *why, unsigned jobs,
                            struct display *display, void (*beat)(void *context), void *context)
{
    const double start = clock_wall();
    size_t failed = 0;
    bool stopped = false;
    interrupt_start();
    if (why == NULL)
        build_all(builds, jobs, beat, context);
    stopped = interrupted;
    interrupt_end();
    for (size_t i = 0; i < builds->count; i++) {
        failed += builds->items[i].external->problem != NULL;
        free(builds->items[i].place);
    }
    if (why == NULL && builds->broken > 0 && !stopped)
        why = heap_format("%zu build%s did not end as a build does; expected room on the disk and "
                          "memory. The same command builds again",
                          builds->broken, plural(builds->broken));
    if (why != NULL)
        display_say(display, "submissions: %s", why);
    else if (stopped)
        display_say(display, "interrupted while submissions were built");
    else if (builds->count > 0)
        display_note(display, "%zu submission%s built in %.1f s, %zu failed", builds->count,
                     plural(builds->count), clock_wall() - start, failed);
    const enum ending ending = why != NULL ? ENDING_FAILED
                               : stopped   ? ENDING_INTERRUPTED
                                           : ENDING_DONE;
    FREE(why, builds->items);
    return ending;
}

enum ending builds_make(const struct experiment *experiment, const char *results, unsigned jobs,
                        struct display *display, void (*beat)(void *context), void *context)
{
    struct builds builds = {0};
    char *why = NULL;
    for (size_t i = 0; i < experiment->solver_count && why == NULL; i++) {
        struct external *external = experiment->solvers[i].external;
        if (external != NULL && external->submission != NULL)
            why = add(&builds, external, results);
    }
    return make_all(&builds, why, jobs, display, beat, context);
}

static void no_beat(void *context)
{
    (void)context;
}

enum ending builds_make_one(struct external *external, const char *results, struct display *display)
{
    struct builds builds = {0};
    char *why = external->submission == NULL ? NULL : add(&builds, external, results);
    return make_all(&builds, why, 1, display, no_beat, NULL);
}
