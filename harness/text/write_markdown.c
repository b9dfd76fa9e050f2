#include "base/heap.h"
#include "base/report.h"
#include "harness/text/writer.h"

/* Bars would end a cell. Whatever else has a meaning in Markdown stays where it was meant. */
static void put(const char *text, bool markup, FILE *file)
{
    SCOPED char *shown = text_printable(text);
    for (const char *at = shown; *at != '\0'; at++) {
        if (strchr(markup ? "|" : "|*_`[]\\#$~", *at) != NULL)
            fprintf(file, "\\%c", *at);
        else if (!markup && strchr("&<>", *at) != NULL)
            fputs(*at == '&' ? "&amp;" : *at == '<' ? "&lt;" : "&gt;", file);
        else
            putc(*at, file);
    }
}

static void put_row(const struct tidy *table, size_t row, FILE *file)
{
    putc('|', file);
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].hidden)
            continue;
        SCOPED char *shown = cell_shown(table, row, i);
        putc(' ', file);
        put(shown, table->markup, file);
        fputs(" |", file);
    }
    putc('\n', file);
}

static void put_table(const struct tidy *table, FILE *file)
{
    put_row(table, 0, file);
    putc('|', file);
    for (size_t i = 0; i < table->column_count; i++)
        if (!table->columns[i].hidden)
            fputs(tidy_is_text(table, i) ? " --- |" : " ---: |", file);
    putc('\n', file);
    for (size_t row = 1; row <= tidy_rows(table); row++)
        put_row(table, row, file);
}

void write_markdown(const struct writing *writing, FILE *file)
{
    static const char *const leads[] = {
        [PART_TITLE] = "# ",   [PART_HEADING] = "## ", [PART_TEXT] = "",
        [PART_VERDICT] = "- ", [PART_NOTE] = "Note: ", [PART_TABLE] = ""};
    for (size_t i = 0; i < writing->count; i++) {
        const struct document_part *part = &writing->parts[i];
        const bool listed = part->kind == PART_VERDICT && i > 0 && part[-1].kind == PART_VERDICT;
        fputs(i > 0 && !listed ? "\n" : "", file);
        if (part->text[0] != '\0') {
            fputs(leads[part->kind], file);
            put(part->text, false, file);
            fputs(part->kind == PART_TABLE ? "\n\n" : "\n", file);
        }
        if (part->kind == PART_TABLE)
            put_table(&part->table, file);
    }
}
