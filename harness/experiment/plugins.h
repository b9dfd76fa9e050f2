/* The plugins of an experiment or of a command: heuristics and algorithms from shared objects,
 * which are there as long as the list is (heuristics/plugin.h, algorithms/plugin.h). */
#pragma once

#include "algorithms/plugin.h"
#include "heuristics/plugin.h"
#include <jansson.h>

/* One of the two is not NULL, and owned. */
struct plugin_item {
    struct plugin *heuristic;
    struct algorithm_plugin *algorithm;
};

struct plugins {
    struct plugin_item *items;
    size_t count;
};

/* The file of a plugin, and what it calls its heuristic or algorithm. */
const struct object *plugin_object(const struct plugin_item *item);
const char *plugin_name(const struct plugin_item *item);

/* Loads the object `file` from `path`, in a process of its own first, and adds it. False, with what
 * is wrong in *problem (heap memory). From now on descriptor 1 is standard error, and the stream
 * `stdout` has another one: what code of an object prints is no data. The file may describe a
 * program that is a heuristic (NAME.yaml); or `file` may be that mapping itself, {command: ..}, and
 * then `path`, if it is another text, is the folder of its files. */
bool plugins_add(struct plugins *plugins, const char *file, const char *path, char **problem);

/* Adds what a manifest (plugins_json; may be NULL) says of `file`, and loads nothing. False, with
 * what is wrong in *problem. */
bool plugins_recall(struct plugins *plugins, const json_t *known, const char *file, char **problem);

/* Adds a program and takes it over; `file` is the mapping that describes it, `folder` that of its
 * files ("", or ended by a slash). False, with what is wrong in *problem. */
struct program_heuristic;
bool plugins_add_program(struct plugins *plugins, struct program_heuristic *program,
                         const char *file, const char *folder, char **problem);

/* What the plugin of this file calls its heuristic or algorithm; NULL: there is none. */
const char *plugins_name(const struct plugins *plugins, const char *file);

/* One of them that is a program to be isolated; NULL: none. */
const char *plugins_isolated(const struct plugins *plugins);

/* Takes all of them away. */
void plugins_end(struct plugins *plugins);

/* What the manifest says of them: [{"heuristic": .., "file": .., "path": .., "hash": ..,
 * "claims": .., "options": [..]}, ..], of an algorithm "algorithm". A new reference. */
json_t *plugins_json(const struct plugins *plugins);
