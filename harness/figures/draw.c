/* The numbers go to the script's standard input. */
#include "harness/figures/draw.h"
#include "base/heap.h"
#include "harness/experiment/data.h"
#include "harness/text/filter.h"
#include "harness/text/screen.h"
#include <errno.h>
#include <sys/wait.h>

const char *const picture_names[PICTURES] = {"svg", "png", "pdf", "tikz"};

static const char *elsewhere(const struct drawing *drawing)
{
    return drawing->elsewhere != NULL ? drawing->elsewhere : "-o DIR";
}

static json_t *task_json(const struct figures *figures, const struct drawing *drawing)
{
    json_t *task = figures_json(figures);
    json_object_set_new(
        task, "formats",
        JSON_ARRAY(i, PICTURES, drawing->pictures[i] ? json_string(picture_names[i]) : NULL));
    json_object_set_new(task, "width_mm", json_real(drawing->width_mm));
    json_object_set_new(task, "no_title", json_boolean(drawing->no_title));
    if (drawing->font != NULL)
        json_object_set_new(task, "font", json_string(drawing->font));
    if (drawing->style != NULL)
        json_object_set_new(task, "style", json_string(drawing->style));
    json_object_set_new(task, "remembered", json_boolean(drawing->remembered));
    json_object_set_new(task, "elsewhere", json_string(elsewhere(drawing)));
    return task;
}

/* Hands the task to the script; as filter_run. */
static int run_script(char *script, const char *folder, const char *task)
{
    /* Debian's matplotlib belongs to the system's Python, which may not be the first on the path. A
     * Python looks for its modules beside what it was called as. */
    char system[] = "/usr/bin/python3";
    char other[] = "python3";
    SCOPED char *target = heap_text(folder);
    char *words[] = {system, script, target, NULL};
    int status = filter_run(words, task, strlen(task), NULL, NULL);
    words[0] = other;
    if (status < 0)
        status = filter_run(words, task, strlen(task), NULL, NULL);
    return status;
}

bool figures_draw(const struct figures *figures, const struct drawing *drawing, FILE *errors)
{
    SCOPED char *script = data_path(DATA_SCRIPTS, "plot");
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
        return false;
    }
    json_auto_t *task = task_json(figures, drawing);
    SCOPED char *text = json_written(task, JSON_COMPACT | JSON_REAL_PRECISION(TIDY_DIGITS));
    const int status = run_script(script, drawing->folder, text);
    if (status < 0)
        screen_say(errors, "tilelab: python3, which draws the figures, cannot be started: %s\n",
                   strerror(errno));
    if (status >= 0 && WIFSIGNALED(status))
        fprintf(errors, "tilelab: plot.py was ended by signal %d\n", WTERMSIG(status));
    return status == 0;
}
