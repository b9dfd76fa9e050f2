#include "harness/text/writer.h"

/* The array under a name, made where there is none. */
static json_t *array_of(json_t *object, const char *name)
{
    json_t *array = json_object_get(object, name);
    if (array == NULL) {
        array = json_array();
        json_object_set_new(object, name, array);
    }
    return array;
}

void write_json(const struct writing *writing, FILE *file)
{
    json_auto_t *object = json_object();
    if (writing->whole)
        json_object_update(object, (json_t *)writing->head);
    for (size_t i = 0; i < writing->count; i++) {
        const struct document_part *part = &writing->parts[i];
        if (part->kind == PART_TABLE) {
            json_auto_t *rows = tidy_json(&part->table);
            json_array_extend(array_of(object, part->name), rows);
        } else if (part->kind == PART_VERDICT) {
            json_array_append_new(array_of(object, "verdicts"), json_text(part->text));
        } else if (part->kind == PART_NOTE) {
            json_array_append_new(array_of(object, "notes"), json_text(part->text));
        }
    }
    if (writing->whole) {
        array_of(object, "verdicts");
        array_of(object, "notes");
    }
    json_dumpf(object, file, JSON_INDENT(2) | JSON_REAL_PRECISION(TIDY_DIGITS));
    putc('\n', file);
}
