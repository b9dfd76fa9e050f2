#include "harness/figures/figure_files.h"
#include "base/heap.h"
#include "harness/text/screen.h"
#include <errno.h>
#include <unistd.h>

/* Removes files of an earlier call for a figure that is no longer drawn. */
static void remove_old(const char *folder, const char *name)
{
    static const char *const endings[] = {"svg", "png", "pdf", "tikz", "csv", "txt"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        SCOPED char *path = heap_format("%s/%s.%s", folder, name, endings[i]);
        unlink(path);
    }
}

/* Whether titles and notes stand in files of their own. */
static bool has_text(const struct drawing *drawing)
{
    return drawing->no_title || drawing->pictures[PICTURE_TIKZ];
}

/* Whether every file that is drawn can be written; the folder of the results is not a link. */
static bool can_write(const struct figures *figures, const struct figure_files *files)
{
    const char *folder = files->drawing.folder;
    const char *endings[PICTURES + 2];
    size_t count = 0;
    for (unsigned i = 0; i < PICTURES; i++)
        if (files->drawing.pictures[i])
            endings[count++] = picture_names[i];
    if (files->data)
        endings[count++] = "csv";
    if (has_text(&files->drawing))
        endings[count++] = "txt";
    if (files->own_folder && file_is_link(folder)) {
        screen_say(files->errors,
                   "tilelab plot: '%s' is a link; expected a folder; -o DIR writes elsewhere\n",
                   folder);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < count * figures->count && good; i++) {
        const struct figure *figure = &figures->figures[i / count];
        SCOPED char *path = heap_format("%s/%s.%s", folder, figure->name, endings[i % count]);
        good = figure->missing != NULL || file_may_write(path);
        if (!good)
            screen_say(files->errors,
                       "tilelab plot: cannot write '%s': %s; -o DIR writes elsewhere\n", path,
                       file_problem(errno));
    }
    return good;
}

static bool write_data(const struct figures *figures, const struct figure_files *files)
{
    const char *folder = files->drawing.folder;
    bool good = folders_make(folder);
    for (size_t i = 0; good && i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        SCOPED char *name = heap_format("%s.csv", figure->name);
        if (figure->missing == NULL) {
            good = tidy_write(&figure->table, folder, name);
            if (good && files->paths != NULL)
                fprintf(files->paths, "%s/%s\n", folder, name);
        }
    }
    if (!good)
        screen_say(files->errors,
                   "tilelab plot: cannot write into '%s': %s; -o DIR writes elsewhere\n", folder,
                   file_problem(errno));
    return good;
}

/* Reports what is not drawn, and why, one line per set. */
static void say_missing(const struct figures *figures, FILE *errors)
{
    const struct block *block = NULL;
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figures[i];
        if (figure->missing == NULL)
            continue;
        if (figure->block != block)
            screen_say(errors, "%stilelab plot: %s: not drawn: ", block == NULL ? "" : "\n",
                       figure->block->name);
        screen_say(errors, "%s%s (%s)", figure->block != block ? "" : ", ", figure->kind,
                   figure->missing);
        block = figure->block;
    }
    if (block != NULL)
        putc('\n', errors);
}

bool figure_files_write(const struct figures *figures, const struct figure_files *files)
{
    const struct drawing *drawing = &files->drawing;
    size_t there = 0;
    if (!can_write(figures, files))
        return false;
    for (size_t i = 0; i < figures->count; i++) {
        there += figures->figures[i].missing == NULL;
        if (figures->figures[i].missing != NULL)
            remove_old(drawing->folder, figures->figures[i].name);
    }
    if (files->paths != NULL)
        say_missing(figures, files->errors);
    if (there == 0)
        return true;
    if (!figures_draw(figures, drawing, files->errors))
        return false;
    for (size_t i = 0; files->paths != NULL && i < figures->count; i++) {
        if (figures->figures[i].missing != NULL)
            continue;
        for (unsigned j = 0; j < PICTURES; j++)
            if (drawing->pictures[j])
                fprintf(files->paths, "%s/%s.%s\n", drawing->folder, figures->figures[i].name,
                        picture_names[j]);
        if (has_text(drawing))
            fprintf(files->paths, "%s/%s.txt\n", drawing->folder, figures->figures[i].name);
    }
    return !files->data || write_data(figures, files);
}
