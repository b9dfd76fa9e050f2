#include "harness/results/datapackage.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/results/columns.h"
#include "harness/results/version.h"
#include "instances/csv.h"
#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct kind {
    const char *type;    /* Frictionless's word */
    const char *pattern; /* that the whole cell must match; NULL: any */
} kinds[COLUMN_TYPES] = {
#define TYPE(name, word, kind, pattern, good, expected) {kind, pattern},
#include "harness/results/types.def"
#undef TYPE
};

static json_t *field_json(const struct column *column)
{
    const struct kind *kind = &kinds[column->type];
    json_auto_t *constraints = json_object();
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
    if (column->type == COLUMN_TYPE_STATUS)
        json_object_set_new(constraints, "enum",
                            JSON_ARRAY(i, STATUSES, json_string(status_rows[i].name)));
    if (json_object_size(constraints) > 0)
        json_object_set(field, "constraints", constraints);
    return field;
}

/* The field of a column that an open table has beside its own. */
static json_t *other_field(const char *name)
{
    const bool rule = point_rule_is(name);
    return json_pack(
        "{s:s, s:s, s:s}", "name", name, "type", rule ? "number" : "string", "description",
        rule ? "the points of this rule; empty where it applies to no row" : "added by a person");
}

static json_t *resource_json(const struct table_schema *table, const struct csv *csv)
{
    json_t *fields = json_array();
    for (size_t i = 0; i < csv->columns; i++) {
        const char *name = csv->fields[i].text;
        const size_t place = NAME_PLACE(table->columns, table->column_count, name, name);
        json_array_append_new(fields, place < table->column_count
                                          ? field_json(&table->columns[place])
                                          : other_field(name));
    }
    return json_pack("{s:s, s:s+, s:s, s:s, s:s, s:s, s:s, s:{s:s, s:s, s:b, s:b}, "
                     "s:{s:o, s:[s], s:s*}}",
                     "name", table->name, "path", table->name, ".csv", "profile",
                     "tabular-data-resource", "description", table->description, "format", "csv",
                     "mediatype", "text/csv", "encoding", "utf-8", "dialect", "delimiter", ",",
                     "lineTerminator", "\n", "doubleQuote", 1, "header", 1, "schema", "fields",
                     fields, "missingValues", "", "primaryKey", table->key);
}

/* The resource of a table that the folder has, with the columns that this version writes; NULL: it
 * has none. */
static json_t *resource_of(const char *folder, const struct table_schema *table)
{
    const char *why;
    SCOPED_BY(csv_end) struct csv csv = {0};
    SCOPED char *path = heap_format("%s/%s.csv", folder, table->name);
    SCOPED_BY(stream_end) FILE *file = file_open(path, &why);
    SCOPED_BY(report_end) struct report none = {.file = path};
    bool same = file != NULL && csv_start(&csv, file, 0, &none);
    for (size_t i = 0; same && i < table->column_count; i++)
        same = table->open
                   ? csv_column(&csv, table->columns[i].name) != CSV_NONE
                   : i < csv.columns && strcmp(csv.fields[i].text, table->columns[i].name) == 0;
    same = same && (table->open || csv.columns == table->column_count);
    return same ? resource_json(table, &csv) : NULL;
}

/* A package's name has no capital letters. */
static char *package_name(const char *experiment)
{
    char *name = heap_text(experiment);
    for (char *at = name; *at != '\0'; at++)
        *at = (char)tolower((unsigned char)*at);
    return name;
}

/* What names the package, before what it holds. */
static json_t *head_of(const struct experiment *experiment)
{
    SCOPED char *name = package_name(experiment->name);
    return json_pack("{s:s, s:s, s:s, s:s}", "profile", "tabular-data-package", "name", name,
                     "title", experiment->name, "description", experiment->description);
}

/* Takes the head, or NULL for none. */
static json_t *package_json(const char *folder, json_t *head)
{
    json_t *package = head != NULL ? head : json_pack("{s:s}", "profile", "tabular-data-package");
    json_t *tables = json_array();
    for (size_t i = 0; i < TABLES; i++) {
        json_t *resource = resource_of(folder, &table_schemas[i]);
        if (resource != NULL)
            json_array_append_new(tables, resource);
    }
    if (package == NULL || tables == NULL)
        heap_exhausted();
    json_object_set_new(package, "tilelab", json_string(tilelab_version));
    json_object_set_new(package, "resources", tables);
    return package;
}

/* Reads the file that is there (NULL: none is) and says whether it may be written: it is not
 * there, or tilelab wrote it. */
static bool may_write(const char *path, json_t **there)
{
    struct stat status;
    const char *why;
    SCOPED_BY(stream_end) FILE *file = file_open_own(path, &why);
    *there = file == NULL ? NULL : json_loadf(file, 0, NULL);
    return json_object_get(*there, "tilelab") != NULL ||
           (file == NULL && lstat(path, &status) != 0 && errno == ENOENT);
}

bool datapackage_write(const char *folder, const struct experiment *experiment,
                       struct display *display)
{
    SCOPED char *path = heap_format("%s/" DATAPACKAGE_FILE, folder);
    json_auto_t *there = NULL;
    bool fine = true;
    int why = 0;
    if (may_write(path, &there)) {
        json_auto_t *package =
            package_json(folder, experiment != NULL ? head_of(experiment) : json_incref(there));
        SCOPED char *text = json_written(package, JSON_INDENT(2));
        fine = file_write(path, text, strlen(text));
        why = errno;
    } else {
        display_say(display, "%s was not written by tilelab; it is left unchanged", path);
    }
    errno = why;
    return fine;
}

bool datapackage_remove(const char *folder)
{
    SCOPED char *path = heap_format("%s/" DATAPACKAGE_FILE, folder);
    json_auto_t *there = NULL;
    return may_write(path, &there) && there != NULL && unlink(path) == 0;
}
