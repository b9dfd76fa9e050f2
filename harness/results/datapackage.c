#include "harness/results/datapackage.h"
#include "base/file.h"
#include "base/heap.h"
#include "harness/results/columns.h"
#include "harness/results/messages.h"
#include "harness/results/version.h"
#include "search/task.h"
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct kind {
    const char *type;    /* Frictionless's word */
    const char *pattern; /* that the whole cell must match; NULL: any */
} kinds[COLUMN_TYPES] = {
    [COLUMN_TYPE_TEXT] = {"string", NULL},
    [COLUMN_TYPE_BOARD] = {"string", "[0-9]+( [0-9]+)*"},
    [COLUMN_TYPE_INTEGER] = {"integer", NULL},
    [COLUMN_TYPE_NUMBER] = {"number", NULL},
    [COLUMN_TYPE_STATUS] = {"string", NULL},
    [COLUMN_TYPE_MOVES] = {"string", "[UDLR]*"},
    [COLUMN_TYPE_TIME] = {"datetime", NULL},
    [COLUMN_TYPE_JSON] = {"object", NULL},
    [COLUMN_TYPE_HASH] = {"string", "([0-9a-f]{2})+"},
};

/* The tables that a results folder may hold; those without a file are left out. */
static const struct resource {
    const char *name;
    const char *file;
    const char *description;
    const struct column *columns;
    size_t column_count;
    const char *key; /* the column that no two rows share; NULL: none */
} resources[] = {
    {"runs", "runs.csv", "one row for each run", row_columns, COLUMNS, "run_id"},
    {"messages", MESSAGES_FILE, "why rows crashed, are wrong or contradict another",
     message_columns, MESSAGE_COLUMNS, NULL},
};

static json_t *field_json(const struct column *column)
{
    const struct kind *kind = &kinds[column->type];
    json_t *constraints = json_object();
    json_t *field = json_pack("{s:s, s:s, s:s}", "name", column->name, "type", kind->type,
                              "description", column->meaning);
    if (column->unit[0] != '\0')
        json_object_set_new(field, "unit", json_string(column->unit));
    if (!column->may_be_empty)
        json_object_set_new(constraints, "required", json_true());
    if (kind->pattern != NULL)
        json_object_set_new(constraints, "pattern", json_string(kind->pattern));
    if (column->type == COLUMN_TYPE_INTEGER || column->type == COLUMN_TYPE_NUMBER)
        json_object_set_new(constraints, "minimum", json_integer(0));
    if (column->type == COLUMN_TYPE_STATUS) {
        json_t *names = json_array();
        for (unsigned i = 0; i < STATUSES; i++)
            json_array_append_new(names, json_string(status_rows[i].name));
        json_object_set_new(constraints, "enum", names);
    }
    if (json_object_size(constraints) > 0)
        json_object_set(field, "constraints", constraints);
    json_decref(constraints);
    return field;
}

static json_t *resource_json(const struct resource *resource)
{
    json_t *fields = json_array();
    for (size_t i = 0; i < resource->column_count; i++)
        json_array_append_new(fields, field_json(&resource->columns[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:{s:s, s:s, s:b, s:b}, "
                     "s:{s:o, s:[s], s:s*}}",
                     "name", resource->name, "path", resource->file, "profile",
                     "tabular-data-resource", "description", resource->description, "format", "csv",
                     "mediatype", "text/csv", "encoding", "utf-8", "dialect", "delimiter", ",",
                     "lineTerminator", "\n", "doubleQuote", 1, "header", 1, "schema", "fields",
                     fields, "missingValues", "", "primaryKey", resource->key);
}

/* A package's name has no capital letters. */
static char *package_name(const char *experiment)
{
    char *name = heap_text(experiment);
    for (char *at = name; *at != '\0'; at++)
        *at = (char)tolower((unsigned char)*at);
    return name;
}

static json_t *package_json(const struct folder *folder, const struct experiment *experiment)
{
    json_t *tables = json_array();
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        char *path = heap_format("%s/%s", folder->path, resources[i].file);
        if (access(path, F_OK) == 0)
            json_array_append_new(tables, resource_json(&resources[i]));
        free(path);
    }
    char *name = package_name(experiment->name);
    json_t *package =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "profile", "tabular-data-package", "name", name,
                  "title", experiment->name, "description", experiment->description, "tilelab",
                  tilelab_version, "resources", tables);
    free(name);
    if (package == NULL)
        heap_exhausted();
    return package;
}

/* Whether there is no such file, or tilelab wrote it. */
static bool may_write(const struct folder *folder)
{
    struct stat status;
    const char *why;
    char *path = heap_format("%s/datapackage.json", folder->path);
    FILE *file = file_open(path, &why);
    json_t *there = file == NULL ? NULL : json_loadf(file, 0, NULL);
    const bool may = json_object_get(there, "tilelab") != NULL ||
                     (file == NULL && lstat(path, &status) != 0 && errno == ENOENT);
    if (!may)
        display_say(folder->display, "%s was not written by tilelab; it is left unchanged", path);
    if (file != NULL)
        fclose(file);
    json_decref(there);
    free(path);
    return may;
}

bool datapackage_write(const struct folder *folder, const struct experiment *experiment)
{
    if (!may_write(folder))
        return true;
    json_t *package = package_json(folder, experiment);
    char *text = json_dumps(package, JSON_INDENT(2));
    if (text == NULL)
        heap_exhausted();
    const bool fine = folder_write(folder, "datapackage.json", text, strlen(text));
    const int why = errno;
    free(text);
    json_decref(package);
    errno = why;
    return fine;
}
