/* One function a format; what formats share is how a cell is shown and which characters they cannot
 * bear. */
#include "harness/report/document.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/report/html.h"
#include "harness/text/text_table.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

const char *const format_names[FORMATS] = {"text", "markdown", "latex", "csv", "json", "html"};

static struct document_part *add_part(struct document *document, enum part_kind kind)
{
    document->parts = heap_grow(document->parts, document->count, sizeof *document->parts);
    struct document_part *part = &document->parts[document->count++];
    *part = (struct document_part){.kind = kind};
    return part;
}

void document_say(struct document *document, enum part_kind kind, const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    const int length = vasprintf(&text, format, values);
    va_end(values);
    if (length < 0)
        heap_exhausted();
    add_part(document, kind)->text = text_printable(text);
    free(text);
}

void document_table(struct document *document, const char *name, const char *caption,
                    struct tidy *table)
{
    struct document_part *part = add_part(document, PART_TABLE);
    part->name = heap_text(name);
    part->text = text_printable(caption);
    part->table = *table;
    *table = (struct tidy){0};
}

/* What stands for a character in a format; NULL: itself. */
static const char *escape(enum format format, char character)
{
    static const struct {
        char character;
        const char *markdown, *latex;
    } rows[] = {
        {'|', "\\|", "\\textbar{}"},
        {'*', "\\*", NULL},
        {'_', "\\_", "\\_"},
        {'`', "\\`", "\\textasciigrave{}"},
        {'[', "\\[", "{[}"},
        {']', "\\]", "{]}"},
        {'\\', "\\\\", "\\textbackslash{}"},
        {'#', "\\#", "\\#"},
        {'%', NULL, "\\%"},
        {'$', NULL, "\\$"},
        {'&', "&amp;", "\\&"},
        {'{', NULL, "\\{"},
        {'}', NULL, "\\}"},
        {'~', "\\~", "\\textasciitilde{}"},
        {'^', NULL, "\\textasciicircum{}"},
        {'<', "&lt;", "\\textless{}"},
        {'>', "&gt;", "\\textgreater{}"},
        {'"', NULL, "\\textquotedbl{}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].character == character)
            return format == FORMAT_MARKDOWN ? rows[i].markdown
                   : format == FORMAT_LATEX  ? rows[i].latex
                                             : NULL;
    return NULL;
}

static void put(enum format format, const char *text, FILE *file)
{
    enum { BEYOND_LATIN = 0xC6 }; /* LaTeX stops at letters for which it has no font */
    if (format == FORMAT_HTML) {
        html_text(text, file);
        return;
    }
    char *shown = text_printable(text);
    for (const char *at = shown; *at != '\0'; at++) {
        const char *escaped = escape(format, *at);
        if (format == FORMAT_LATEX && (unsigned char)*at >= BEYOND_LATIN) {
            putc('?', file);
            while (((unsigned char)at[1] & 0xC0) == 0x80)
                at++;
        } else if (escaped != NULL)
            fputs(escaped, file);
        else
            putc(*at, file);
    }
    free(shown);
}

/* The heading of a column as people read it: words instead of underscores. */
static char *heading_of(const struct tidy_heading *column)
{
    char *heading = heap_text(column->name);
    for (char *at = heading; *at != '\0'; at++)
        if (*at == '_' && column->meaning[0] != '\0')
            *at = ' ';
    return heading;
}

static bool is_left(const struct tidy *table, size_t column)
{
    return table->columns[column].shape == SHAPE_TEXT;
}

/* Whether a terminal's table of the columns from `first` to `end` has a column: the first that is
 * shown stands before all others, too. */
static bool is_in(const struct tidy *table, size_t column, size_t first, size_t end)
{
    size_t key = 0;
    while (table->columns[key].hidden)
        key++;
    return !table->columns[column].hidden && column < end && (column == key || column >= first);
}

/* The terminal: columns from `first` on as far as they fit. Returns the next. */
static size_t print_columns(const struct tidy *table, size_t first, FILE *file)
{
    for (size_t end = table->column_count;; end--) {
        struct text_table text = {0};
        for (size_t i = 0; i < table->column_count; i++) {
            if (!is_in(table, i, first, end))
                continue;
            char *heading = heading_of(&table->columns[i]);
            text_table_column(&text, "", heading, is_left(table, i) ? ALIGN_LEFT : ALIGN_RIGHT);
            free(heading);
        }
        for (size_t i = 0; i < table->cell_count; i++) {
            if (!is_in(table, i % table->column_count, first, end))
                continue;
            char *shown = tidy_shown(table, i);
            text_table_cell(&text, "%s", shown);
            free(shown);
        }
        const bool fits = text_table_width(&text) <= TEXT_TABLE_WIDTH || end <= first + 1;
        if (fits)
            text_table_print(&text, file);
        text_table_end(&text);
        if (fits)
            return end;
    }
}

/* Words in lines of at most TEXT_WIDTH, all but the first behind `indent` spaces. */
static void print_wrapped(const char *lead, const char *text, int indent, FILE *file)
{
    enum { TEXT_WIDTH = 79 };
    size_t column = strlen(lead);
    fputs(lead, file);
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        if (at != text && column + 1 + length > TEXT_WIDTH) {
            fprintf(file, "\n%*s", indent, "");
            column = (size_t)indent;
        } else if (at != text) {
            putc(' ', file);
            column++;
        }
        fprintf(file, "%.*s", (int)length, at);
        column += length;
        at += length + (at[length] == ' ');
    }
    putc('\n', file);
}

static void print_text(const struct document_part *part, const struct document_part *before,
                       FILE *file)
{
    const bool item = part->kind == PART_VERDICT || part->kind == PART_NOTE;
    if (before != NULL && !(item && before->kind == part->kind) && before->kind != PART_HEADING)
        putc('\n', file);
    switch (part->kind) {
    case PART_TITLE:
    case PART_HEADING:
    case PART_TEXT:
        print_wrapped("", part->text, 0, file);
        break;
    case PART_VERDICT:
        print_wrapped("- ", part->text, 2, file);
        break;
    case PART_NOTE:
        fprintf(file, "Note: %s\n", part->text);
        break;
    case PART_TABLE:
        if (part->text[0] != '\0') {
            print_wrapped("", part->text, 0, file);
            if (before == NULL || before->kind != PART_HEADING)
                putc('\n', file);
        }
        for (size_t at = 0; at < part->table.column_count;) {
            if (at > 0)
                putc('\n', file);
            at = print_columns(&part->table, at, file);
        }
        break;
    }
}

static void put_cells(const struct tidy *table, size_t row, enum format format, const char *before,
                      const char *between, const char *after, FILE *file)
{
    bool first = true;
    fputs(before, file);
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].hidden)
            continue;
        char *shown = row == 0 ? heading_of(&table->columns[i])
                               : tidy_shown(table, (row - 1) * table->column_count + i);
        fputs(first ? "" : between, file);
        first = false;
        put(format, shown, file);
        free(shown);
    }
    fputs(after, file);
}

static size_t row_count(const struct tidy *table)
{
    return table->column_count == 0 ? 0 : table->cell_count / table->column_count;
}

static void print_markdown(const struct document_part *part, const struct document_part *before,
                           FILE *file)
{
    if (before != NULL && !(part->kind == PART_VERDICT && before->kind == PART_VERDICT))
        putc('\n', file);
    if (part->kind == PART_TITLE || part->kind == PART_HEADING)
        fputs(part->kind == PART_TITLE ? "# " : "## ", file);
    else if (part->kind == PART_VERDICT)
        fputs("- ", file);
    else if (part->kind == PART_NOTE)
        fputs("Note: ", file);
    put(FORMAT_MARKDOWN, part->text, file);
    putc('\n', file);
    if (part->kind != PART_TABLE)
        return;
    putc('\n', file);
    put_cells(&part->table, 0, FORMAT_MARKDOWN, "| ", " | ", " |\n|", file);
    for (size_t i = 0; i < part->table.column_count; i++)
        if (!part->table.columns[i].hidden)
            fputs(is_left(&part->table, i) ? " --- |" : " ---: |", file);
    putc('\n', file);
    for (size_t row = 1; row <= row_count(&part->table); row++)
        put_cells(&part->table, row, FORMAT_MARKDOWN, "| ", " | ", " |\n", file);
}

static void print_latex(const struct document_part *part, FILE *file)
{
    static const char *const before[] = {[PART_TITLE] = "\\section*{",
                                         [PART_HEADING] = "\\section*{",
                                         [PART_TEXT] = "",
                                         [PART_VERDICT] = "\\noindent ",
                                         [PART_NOTE] = "\\noindent Note: "};
    if (part->kind != PART_TABLE) {
        fputs(before[part->kind], file);
        put(FORMAT_LATEX, part->text, file);
        fputs(part->kind <= PART_HEADING ? "}\n\n" : "\n\n", file);
        return;
    }
    fputs("\\begin{table}[H]\n\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}\n"
          "\\caption{",
          file);
    put(FORMAT_LATEX, part->text, file);
    fputs("}\n\\begin{tabular}{", file);
    for (size_t i = 0; i < part->table.column_count; i++)
        if (!part->table.columns[i].hidden)
            putc(is_left(&part->table, i) ? 'l' : 'r', file);
    fputs("}\n\\toprule\n", file);
    put_cells(&part->table, 0, FORMAT_LATEX, "", " & ", " \\\\\n\\midrule\n", file);
    for (size_t row = 1; row <= row_count(&part->table); row++)
        put_cells(&part->table, row, FORMAT_LATEX, "", " & ", " \\\\\n", file);
    fputs("\\bottomrule\n\\end{tabular}\n\\end{table}\n\n", file);
}

/* Numbers stand in full beside what people read, for programs that sort by them. */
static void put_html_row(const struct tidy *table, size_t row, FILE *file)
{
    bool first = true;
    fputs("<tr>", file);
    for (size_t i = 0; i < table->column_count; i++) {
        const size_t place = (row - 1) * table->column_count + i;
        const char *tag = row == 0 || (first && is_left(table, i)) ? "th" : "td";
        if (table->columns[i].hidden)
            continue;
        char *shown = row == 0 ? heading_of(&table->columns[i]) : tidy_shown(table, place);
        fprintf(file, "<%s%s%s", tag,
                row == 0                 ? " scope=\"col\""
                : strcmp(tag, "th") == 0 ? " scope=\"row\""
                                         : "",
                is_left(table, i) ? " class=\"text\"" : "");
        if (row > 0 && table->cells[place].text == NULL) {
            fputs(" data-value=\"", file);
            if (!isnan(table->cells[place].number))
                fprintf(file, "%.*g", TIDY_DIGITS, table->cells[place].number);
            putc('"', file);
        }
        putc('>', file);
        html_text(shown, file);
        fprintf(file, "</%s>", tag);
        free(shown);
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
    fputs("<table>\n<caption>", file);
    html_text(part->text, file);
    fputs("</caption>\n<thead>\n", file);
    put_html_row(&part->table, 0, file);
    fputs("</thead>\n<tbody>\n", file);
    for (size_t row = 1; row <= row_count(&part->table); row++)
        put_html_row(&part->table, row, file);
    fputs("</tbody>\n</table>\n", file);
}

static json_t *text_json(const char *text)
{
    json_t *json = json_string(text);
    return json == NULL ? json_string("?") : json;
}

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

static void print_json(const struct document *document, const char *only, const json_t *head,
                       FILE *file)
{
    json_t *object = json_object();
    if (only == NULL)
        json_object_update(object, (json_t *)head);
    for (size_t i = 0; i < document->count; i++) {
        const struct document_part *part = &document->parts[i];
        if (part->kind == PART_TABLE && (only == NULL || strcmp(only, part->name) == 0)) {
            json_t *rows = tidy_json(&part->table);
            json_array_extend(array_of(object, part->name), rows);
            json_decref(rows);
        } else if (only == NULL && part->kind == PART_VERDICT) {
            json_array_append_new(array_of(object, "verdicts"), text_json(part->text));
        } else if (only == NULL && part->kind == PART_NOTE) {
            json_array_append_new(array_of(object, "notes"), text_json(part->text));
        }
    }
    if (only == NULL) {
        array_of(object, "verdicts");
        array_of(object, "notes");
    }
    json_dumpf(object, file, JSON_INDENT(2) | JSON_REAL_PRECISION(TIDY_DIGITS));
    putc('\n', file);
    json_decref(object);
}

static void print_part(const struct document_part *part, const struct document_part *before,
                       enum format format, FILE *file)
{
    switch (format) {
    case FORMAT_TEXT:
        print_text(part, before, file);
        break;
    case FORMAT_MARKDOWN:
        print_markdown(part, before, file);
        break;
    case FORMAT_LATEX:
        print_latex(part, file);
        break;
    case FORMAT_HTML:
        document_html(part, file);
        break;
    case FORMAT_CSV:
        if (part->kind == PART_TABLE) {
            fputs(before == NULL ? "" : "\n", file);
            tidy_csv(&part->table, file);
        }
        break;
    case FORMAT_JSON:
    case FORMATS:
        break;
    }
}

bool document_print(const struct document *document, enum format format, const char *only,
                    const json_t *head, FILE *file)
{
    static const char *const starts[FORMATS] = {
        [FORMAT_LATEX] =
            "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n"
            "\\usepackage[utf8]{inputenc}\n\\usepackage{booktabs}\n\\usepackage{float}\n"
            "\\begin{document}\n\n",
        [FORMAT_HTML] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<title>tilelab compare</title>\n<style>\n"
                        "body { font-family: sans-serif; margin: 2em; }\n"
                        "table { border-collapse: collapse; margin: 1em 0; }\n"
                        "caption { text-align: left; padding: 0.3em 0; }\n"
                        "th, td { padding: 0.1em 0.6em; text-align: right; }\n"
                        "th { font-weight: normal; }\n"
                        "thead th { border-bottom: 1px solid; font-weight: bold; }\n"
                        ".text { text-align: left; }\n"
                        "</style>\n</head>\n<body>\n",
    };
    static const char *const ends[FORMATS] = {
        [FORMAT_LATEX] = "\\end{document}\n",
        [FORMAT_HTML] = "</body>\n</html>\n",
    };
    bool found = only == NULL;
    for (size_t i = 0; i < document->count && !found; i++)
        found = document->parts[i].kind == PART_TABLE && strcmp(document->parts[i].name, only) == 0;
    if (!found)
        return false;
    if (format == FORMAT_JSON) {
        print_json(document, only, head, file);
        return true;
    }
    fputs(starts[format] == NULL ? "" : starts[format], file);
    const struct document_part *before = NULL;
    for (size_t i = 0; i < document->count; i++) {
        const struct document_part *part = &document->parts[i];
        if (only != NULL && (part->kind != PART_TABLE || strcmp(part->name, only) != 0))
            continue;
        print_part(part, before, format, file);
        if (format != FORMAT_CSV || part->kind == PART_TABLE)
            before = part;
    }
    fputs(ends[format] == NULL ? "" : ends[format], file);
    return true;
}

void document_end(struct document *document)
{
    for (size_t i = 0; i < document->count; i++) {
        free(document->parts[i].name);
        free(document->parts[i].text);
        tidy_end(&document->parts[i].table);
    }
    free(document->parts);
    *document = (struct document){0};
}
