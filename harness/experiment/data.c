#include "harness/experiment/data.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/text/sorting.h"
#include <unistd.h>

static const struct {
    const char *installed; /* below share/tilelab or TILELAB_DATA */
    const char *source;    /* below the top of the source */
    const char *ending;
} kinds[] = {
    [DATA_EXPERIMENTS] = {"experiments", "harness/experiments", ".yaml"},
    [DATA_SETS] = {"sets", "instances/sets", ".csv"},
    [DATA_SCRIPTS] = {"scripts", "scripts", ".py"},
    [DATA_REFERENCES] = {"reference", "results/reference", ".csv"},
    [DATA_TEMPLATES] = {"templates", "harness/templates", ""},
};

static char *if_there(char *path)
{
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* The top of the source tree that a build folder was made from, as CMake noted there; NULL if the
 * folder is not a build folder. */
static char *source_of(const char *build)
{
    static const char key[] = "CMAKE_HOME_DIRECTORY:INTERNAL=";
    SCOPED char *path = heap_format("%s/CMakeCache.txt", build);
    SCOPED_BY(stream_end) FILE *file = fopen(path, "r");
    char *source = NULL;
    char line[4096];
    while (file != NULL && source == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            source =
                heap_format("%.*s", (int)strcspn(line + strlen(key), "\n"), line + strlen(key));
    return source;
}

/* The folder that holds the files of a kind, or NULL. */
static char *folder_of(enum data_kind kind)
{
    const char *chosen = getenv("TILELAB_DATA");
    if (chosen != NULL && chosen[0] != '\0')
        return if_there(heap_format("%s/%s", chosen, kinds[kind].installed));
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return NULL;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    char *folder = if_there(heap_format("%s/../share/tilelab/%s", program, kinds[kind].installed));
    SCOPED char *source = folder == NULL ? source_of(program) : NULL;
    if (source != NULL)
        folder = if_there(heap_format("%s/%s", source, kinds[kind].source));
    return folder;
}

char *data_path(enum data_kind kind, const char *name)
{
    SCOPED char *folder = strchr(name, '/') == NULL ? folder_of(kind) : NULL;
    if (folder == NULL)
        return NULL;
    return if_there(heap_format("%s/%s%s", folder, name, kinds[kind].ending));
}

char **data_names(enum data_kind kind, size_t *count)
{
    char **names = NULL;
    *count = 0;
    SCOPED char *folder = folder_of(kind);
    SCOPED_BY(listing_end) DIR *stream = folder == NULL ? NULL : opendir(folder);
    const char *ending = kinds[kind].ending;
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        const int length = (int)strlen(entry->d_name) - (int)strlen(ending);
        if (file_ends(entry->d_name, ending))
            *HEAP_ADD(names, *count) = heap_format("%.*s", length, entry->d_name);
    }
    if (*count > 0)
        qsort(names, *count, sizeof *names, order_texts);
    return names;
}
