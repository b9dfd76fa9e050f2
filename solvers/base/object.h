/* Shared objects that a person brings. Whoever loads one runs what it has of constructors, which
 * may do anything. What the stream standard output gets of an object's code goes to standard
 * error: standard output has the program's own data. */
#pragma once

#include "base/file.h"

struct object {
    char *file;                 /* as it was named */
    char *path;                 /* absolute */
    char hash[FILE_HASH_BYTES]; /* of its contents */
    void *handle;               /* private: of dlopen; NULL if it is not loaded */
};

/* Loads the object at `path`, which messages and rows call `file`. What is wrong and what was
 * expected, in heap memory; NULL if nothing is. object_end frees it in any case. */
char *object_load(struct object *object, const char *file, const char *path);

/* The same by what is known of it: nothing is loaded. False if this cannot be an object's hash. */
bool object_recall(struct object *object, const char *file, const char *path, const char *hash);

/* The variable of this name; NULL if it has none. */
const void *object_find(const struct object *object, const char *variable);

void object_end(struct object *object);

/* To be called before and after each call of an object's code, from one thread. Such calls may be
 * within each other. */
void object_enter(void);
void object_leave(void);

/* Whether a text is a name as objects may give: a lower-case letter, then lower-case letters,
 * digits and _, at most LONGEST_NAME. */
enum { LONGEST_NAME = 40 };
bool object_is_name(const char *text);
