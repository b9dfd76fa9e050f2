/* The numbers go to the script's standard input, as a file in memory, so that no pipe fills up and
 * nothing is written to disk. */
#include "harness/figures/draw.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/experiment/data.h"
#include "harness/text/screen.h"
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const picture_names[PICTURES] = {"svg", "png", "pdf"};

extern char **environ;

static const char *elsewhere(const struct drawing *drawing)
{
    return drawing->elsewhere != NULL ? drawing->elsewhere : "-o DIR";
}

static json_t *task_json(const struct figures *figures, const struct drawing *drawing)
{
    json_t *task = figures_json(figures);
    json_t *pictures = json_array();
    for (unsigned i = 0; i < PICTURES; i++)
        if (drawing->pictures[i])
            json_array_append_new(pictures, json_string(picture_names[i]));
    json_object_set_new(task, "formats", pictures);
    json_object_set_new(task, "width_mm", json_real(drawing->width_mm));
    json_object_set_new(task, "elsewhere", json_string(elsewhere(drawing)));
    return task;
}

/* A file in memory that holds the task, to be read from its beginning; below 0, with errno. */
static int task_file(const struct figures *figures, const struct drawing *drawing)
{
    const int file = memfd_create("figures", MFD_CLOEXEC);
    json_t *task = task_json(figures, drawing);
    char *text = json_dumps(task, JSON_COMPACT | JSON_REAL_PRECISION(TIDY_DIGITS));
    if (text == NULL)
        heap_exhausted();
    json_decref(task);
    const bool fine =
        file >= 0 && file_write_all(file, text, strlen(text)) && lseek(file, 0, SEEK_SET) == 0;
    const int why = errno;
    free(text);
    if (!fine && file >= 0)
        close(file);
    errno = why;
    return fine ? file : -1;
}

/* Starts the script with the task as its standard input. Its process, or below 0, with errno. */
static pid_t start(char *script, const char *folder, int task)
{
    /* Debian's matplotlib belongs to the system's Python, which may not be the first on the path. A
     * Python looks for its modules beside what it was called as. */
    char system[] = "/usr/bin/python3";
    char other[] = "python3";
    char *target = heap_text(folder);
    char *words[] = {system, script, target, NULL};
    posix_spawn_file_actions_t actions;
    pid_t process = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, task, STDIN_FILENO);
    int failed = posix_spawn(&process, system, &actions, NULL, words, environ);
    if (failed != 0) {
        words[0] = other;
        failed = posix_spawnp(&process, other, &actions, NULL, words, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    free(target);
    errno = failed;
    return failed == 0 ? process : -1;
}

bool figures_draw(const struct figures *figures, const struct drawing *drawing, FILE *errors)
{
    char *script = data_path(DATA_SCRIPTS, "plot");
    if (script == NULL) {
        fputs(
            "tilelab: plot.py, which draws the figures, is neither beside the program nor where it "
            "was installed; set TILELAB_DATA to the folder that holds scripts/plot.py\n",
            errors);
        return false;
    }
    if (!folders_make(drawing->folder)) {
        screen_say(errors, "tilelab: cannot make the folder '%s': %s; %s writes elsewhere\n",
                   drawing->folder, strerror(errno), elsewhere(drawing));
        free(script);
        return false;
    }
    const int task = task_file(figures, drawing);
    const pid_t process = task < 0 ? -1 : start(script, drawing->folder, task);
    int status = -1;
    if (task < 0)
        screen_say(errors, "tilelab: the numbers of the figures cannot be handed to plot.py: %s\n",
                   strerror(errno));
    else if (process < 0)
        screen_say(errors, "tilelab: python3, which draws the figures, cannot be started: %s\n",
                   strerror(errno));
    else
        while (waitpid(process, &status, 0) < 0 && errno == EINTR)
            ;
    if (task >= 0)
        close(task);
    free(script);
    if (process >= 0 && WIFSIGNALED(status))
        fprintf(errors, "tilelab: plot.py was ended by signal %d\n", WTERMSIG(status));
    return process >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
