#include "harness/text/document.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/text/writer.h"

const char *const format_names[FORMATS] = {
#define FORMAT(upper, name) #name,
#include "harness/text/formats.def"
#undef FORMAT
};

static writer *const writers[FORMATS] = {
#define FORMAT(upper, name) write_##name,
#include "harness/text/formats.def"
#undef FORMAT
};

static struct document_part *add_part(struct document *document, enum part_kind kind)
{
    struct document_part *part = HEAP_ADD(document->parts, document->count);
    *part = (struct document_part){.kind = kind};
    return part;
}

void document_say(struct document *document, enum part_kind kind, const char *format, ...)
{
    SCOPED char *text = FORMATTED(format);
    add_part(document, kind)->text = text_printable(text);
}

void document_table(struct document *document, const char *name, struct tidy *table,
                    const char *caption, ...)
{
    SCOPED char *text = FORMATTED(caption);
    struct document_part *part = add_part(document, PART_TABLE);
    part->name = heap_text(name);
    part->text = text_printable(text);
    part->table = *table;
    *table = (struct tidy){0};
}

void document_append(struct document *document, struct document *more)
{
    for (size_t i = 0; i < more->count; i++)
        *add_part(document, more->parts[i].kind) = more->parts[i];
    free(more->parts);
    *more = (struct document){0};
}

char *cell_shown(const struct tidy *table, size_t row, size_t column)
{
    return row == 0 ? tidy_heading_shown(&table->columns[column])
                    : tidy_shown(table, (row - 1) * table->column_count + column);
}

/* The tables of one name, with the headings above them in their captions. */
static struct document tables_named(const struct document *document, const char *name)
{
    struct document found = {0};
    const char *heading = "";
    for (size_t i = 0; i < document->count; i++) {
        const struct document_part *part = &document->parts[i];
        heading = part->kind == PART_HEADING ? part->text : heading;
        if (part->kind != PART_TABLE || strcmp(part->name, name) != 0)
            continue;
        struct document_part *own = add_part(&found, PART_TABLE);
        *own = *part;
        own->text =
            heading[0] == '\0' ? heap_text(part->text) : heap_format("%s. %s", heading, part->text);
    }
    return found;
}

bool document_print(const struct document *document, enum format format, const char *only,
                    const json_t *head, FILE *file)
{
    if (only == NULL) {
        writers[format](&(struct writing){document->parts, document->count, true, head}, file);
        return true;
    }
    struct document found = tables_named(document, only);
    if (found.count > 0)
        writers[format](&(struct writing){found.parts, found.count, false, NULL}, file);
    for (size_t i = 0; i < found.count; i++)
        free(found.parts[i].text);
    free(found.parts);
    return found.count > 0;
}

void document_end(struct document *document)
{
    for (size_t i = 0; i < document->count; i++) {
        FREE(document->parts[i].name, document->parts[i].text);
        tidy_end(&document->parts[i].table);
    }
    free(document->parts);
    *document = (struct document){0};
}
