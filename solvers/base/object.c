#include "base/object.h"
#include "base/heap.h"
#include <dlfcn.h>

static FILE *own_output;
static unsigned depth; /* of calls within each other */

void object_enter(void)
{
    if (depth++ > 0)
        return;
    own_output = stdout;
    stdout = stderr;
}

void object_leave(void)
{
    if (--depth == 0)
        stdout = own_output;
}

bool object_is_name(const char *text)
{
    const char *const letters = "abcdefghijklmnopqrstuvwxyz";
    return strspn(text, letters) > 0 && strlen(text) <= LONGEST_NAME &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* What dlopen says, without the path that it begins with. */
static const char *load_error(const char *path)
{
    const char *said = dlerror();
    const size_t length = strlen(path);
    if (said == NULL)
        return "no reason given";
    return strncmp(said, path, length) == 0 && strncmp(said + length, ": ", 2) == 0
               ? said + length + 2
               : said;
}

char *object_load(struct object *object, const char *file, const char *path)
{
    const char *why;
    *object = (struct object){.file = text_printable(file), .path = realpath(path, NULL)};
    if (object->path == NULL)
        return heap_format("%s cannot be opened: No such file or directory; expected a shared "
                           "object with a heuristic or an algorithm",
                           object->file);
    if (!file_hash(object->path, object->hash, &why))
        return heap_format("%s cannot be opened: %s; expected a shared object with a heuristic or "
                           "an algorithm",
                           object->file, why);
    object_enter();
    object->handle = dlopen(object->path, RTLD_NOW | RTLD_LOCAL);
    object_leave();
    if (object->handle == NULL)
        return heap_format("%s cannot be loaded: %s; expected a shared object, as cc -shared -fPIC "
                           "makes it",
                           object->file, load_error(object->path));
    return NULL;
}

bool object_recall(struct object *object, const char *file, const char *path, const char *hash)
{
    if (strlen(hash) != FILE_HASH_BYTES - 1 || hash[strspn(hash, "0123456789abcdef")] != '\0')
        return false;
    *object = (struct object){.file = text_printable(file), .path = heap_text(path)};
    memcpy(object->hash, hash, FILE_HASH_BYTES);
    return true;
}

const void *object_find(const struct object *object, const char *variable)
{
    return dlsym(object->handle, variable);
}

void object_end(struct object *object)
{
    object_enter();
    if (object->handle != NULL)
        dlclose(object->handle);
    object_leave();
    free(object->file);
    free(object->path);
    *object = (struct object){0};
}
