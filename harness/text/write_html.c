#include "base/heap.h"
#include "harness/text/html.h"
#include "harness/text/writer.h"
#include "text_files.h"
#include <math.h>

/* Numbers stand in full beside what people read, for programs that sort by them. */
static void put_row(const struct tidy *table, size_t row, FILE *file)
{
    bool first = true;
    fputs("<tr>", file);
    for (size_t i = 0; i < table->column_count; i++) {
        const size_t place = (row - 1) * table->column_count + i;
        const char *tag = row == 0 || (first && tidy_is_text(table, i)) ? "th" : "td";
        if (table->columns[i].hidden)
            continue;
        SCOPED char *shown = cell_shown(table, row, i);
        fprintf(file, "<%s%s%s", tag,
                row == 0                 ? " scope=\"col\""
                : strcmp(tag, "th") == 0 ? " scope=\"row\""
                                         : "",
                tidy_is_text(table, i) ? " class=\"text\"" : "");
        if (row > 0 && table->cells[place].text == NULL) {
            fputs(" data-value=\"", file);
            if (!isnan(table->cells[place].number))
                fprintf(file, "%.*g", TIDY_DIGITS, table->cells[place].number);
            putc('"', file);
        }
        putc('>', file);
        html_text(shown, file);
        fprintf(file, "</%s>", tag);
        first = false;
    }
    fputs("</tr>\n", file);
}

void document_html(const struct document_part *part, FILE *file)
{
    static const char *const tags[] = {[PART_TITLE] = "h1",
                                       [PART_HEADING] = "h2",
                                       [PART_TEXT] = "p",
                                       [PART_VERDICT] = "p",
                                       [PART_NOTE] = "p"};
    if (part->kind != PART_TABLE) {
        fprintf(file, "<%s>%s", tags[part->kind], part->kind == PART_NOTE ? "Note: " : "");
        html_text(part->text, file);
        fprintf(file, "</%s>\n", tags[part->kind]);
        return;
    }
    fputs("<table>\n", file);
    if (part->text[0] != '\0') {
        fputs("<caption>", file);
        html_text(part->text, file);
        fputs("</caption>\n", file);
    }
    fputs("<thead>\n", file);
    put_row(&part->table, 0, file);
    fputs("</thead>\n<tbody>\n", file);
    for (size_t row = 1; row <= tidy_rows(&part->table); row++)
        put_row(&part->table, row, file);
    fputs("</tbody>\n</table>\n", file);
}

void write_html(const struct writing *writing, FILE *file)
{
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<title>tilelab</title>\n<style>\n%s</style>\n</head>\n<body>\n",
            text_table_css);
    for (size_t i = 0; i < writing->count; i++)
        document_html(&writing->parts[i], file);
    fputs("</body>\n</html>\n", file);
}
