/* The files that ship with the program: experiments, instance sets, scripts, templates,
 * references. */
#pragma once

#include <stddef.h>

/* The kinds of files that ship. */
enum data_kind { DATA_EXPERIMENTS, DATA_SETS, DATA_SCRIPTS, DATA_TEMPLATES, DATA_REFERENCES };

/* The path of a file that ships, given its name without folder and extension (coursework, korf100;
 * of a template with its extension, astar.py); NULL if there is none. Searches the folder named by
 * TILELAB_DATA, then the data folder of an installed program, then the source tree that the
 * program's build folder was made from, wherever that folder is. Heap memory, free(). */
char *data_path(enum data_kind kind, const char *name);

/* The names of all files of a kind, sorted; heap memory: free() each and the array. */
char **data_names(enum data_kind kind, size_t *count);
