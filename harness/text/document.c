/* One function per format. Formats share how a cell is shown and a table of the characters that
 * each must escape. */
#include "harness/text/document.h"
#include "base/heap.h"
#include "base/report.h"
#include "harness/text/html.h"
#include "harness/text/screen.h"
#include "harness/text/text_table.h"
#include <math.h>
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
    va_list values;
    va_start(values, format);
    char *text = heap_format_list(format, values);
    va_end(values);
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

void document_append(struct document *document, struct document *more)
{
    for (size_t i = 0; i < more->count; i++)
        *add_part(document, more->parts[i].kind) = more->parts[i];
    free(more->parts);
    *more = (struct document){0};
}

/* What stands for a character in a format; NULL: itself. */
static const char *escape(enum format format, char character)
{
    static const struct {
        char character;
        const char *markdown, *latex;
    } rows[] = {
        {'|', "\\|", "\\textbar{}"},
        {'*', "\\*", "{*}"}, /* after a line of a table it would be a command */
        {'_', "\\_", "\\_"},
        {'`', "\\`", "\\textasciigrave{}"},
        {'[', "\\[", "{[}"},
        {']', "\\]", "{]}"},
        {'\\', "\\\\", "\\textbackslash{}"},
        {'#', "\\#", "\\#"},
        {'%', NULL, "\\%"},
        {'$', "\\$", "\\$"},
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

/* The length in bytes of a character for which LaTeX has no letter in its usual fonts, at which it
 * would stop; 0 for all others. */
static size_t not_in_latex(const char *text)
{
    static const char none[] = "\u0126\u0127\u0138\u013F\u0140\u0149\u0166\u0167\u017F";
    enum { BEYOND_LATIN = 0xC6 };
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80)
        length++;
    if ((unsigned char)text[0] >= BEYOND_LATIN)
        return length;
    for (size_t i = 0; length > 1 && none[i] != '\0'; i += 2)
        if (strncmp(text, none + i, 2) == 0)
            return length;
    return 0;
}

static void put(enum format format, const char *text, FILE *file)
{
    if (format == FORMAT_HTML) {
        html_text(text, file);
        return;
    }
    char *shown = text_printable(text);
    for (const char *at = shown; *at != '\0'; at++) {
        const char *escaped = escape(format, *at);
        const size_t strange = format == FORMAT_LATEX ? not_in_latex(at) : 0;
        if (format == FORMAT_LATEX && at > shown && at[0] == at[-1] && strchr("-,'", *at) != NULL)
            fputs("{}", file); /* two in a row would be another character */
        if (strange > 0) {
            putc('?', file);
            at += strange - 1;
        } else if (escaped != NULL) {
            fputs(escaped, file);
        } else {
            putc(*at, file);
        }
    }
    free(shown);
}

/* The heading of a column as people read it: words instead of underscores. */
static char *heading_of(const struct tidy_heading *column)
{
    char *heading = heap_text(column->heading != NULL ? column->heading : column->name);
    for (char *at = heading; *at != '\0'; at++)
        if (*at == '_' && column->meaning[0] != '\0')
            *at = ' ';
    return heading;
}

static bool is_left(const struct tidy *table, size_t column)
{
    return table->columns[column].shape == SHAPE_TEXT;
}

/* The terminal. Whether a line below names columns that are left out. */
static bool print_aligned(const struct document_part *part, FILE *file)
{
    const struct tidy *table = &part->table;
    struct text_table text = {0};
    const char *section = "";
    for (size_t i = 0; i < table->column_count; i++) {
        const struct tidy_heading *column = &table->columns[i];
        if (column->hidden || column->section)
            continue;
        char *heading = heading_of(column);
        text_table_column(&text, "", heading, is_left(table, i) ? ALIGN_LEFT : ALIGN_RIGHT);
        text_table_rank(&text, column->rank);
        if (is_left(table, i))
            text_table_break_last(&text);
        free(heading);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        const struct tidy_heading *column = &table->columns[i % table->column_count];
        if (column->hidden)
            continue;
        char *shown = tidy_shown(table, i);
        if (!column->section) {
            text_table_cell(&text, "%s", shown);
        } else if (strcmp(section, table->cells[i].text) != 0) {
            section = table->cells[i].text;
            text_table_section(&text, shown);
        }
        free(shown);
    }
    bool left_out = false;
    if (table->ranked)
        left_out = text_table_print(&text, file);
    else
        text_table_print_parts(&text, file);
    text_table_end(&text);
    return left_out;
}

/* Words in lines no wider than the terminal, nor wider than is easy to read, all but the first
 * indented by `indent` spaces. */
static void print_wrapped(const char *lead, const char *text, int indent, FILE *file)
{
    enum { MAX_TEXT_WIDTH = 79 };
    const size_t width = screen_width(file);
    fputs(lead, file);
    screen_print(text, (int)strlen(lead), indent, width > MAX_TEXT_WIDTH ? MAX_TEXT_WIDTH : width,
                 file);
    putc('\n', file);
}

/* `below`: what was printed before ended in a line about it, below which a text goes on. */
static void print_text(const struct document_part *part, const struct document_part *before,
                       bool *below, FILE *file)
{
    const bool joined = before != NULL && part->kind != PART_TABLE &&
                        (before->kind == part->kind || (*below && part->kind == PART_TEXT) ||
                         (before->kind == PART_TEXT && part->kind == PART_NOTE));
    *below = false;
    if (before != NULL && !joined && before->kind != PART_HEADING)
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
        print_wrapped("Note: ", part->text, 6, file);
        break;
    case PART_TABLE:
        if (part->text[0] != '\0') {
            print_wrapped("", part->text, 0, file);
            if (before == NULL || before->kind != PART_HEADING)
                putc('\n', file);
        }
        *below = print_aligned(part, file);
        break;
    }
}

/* The columns that a line of a table shows: the key and those from `first` to before `end`. */
struct span {
    size_t key, first, end;
};

static bool is_in(const struct tidy *table, const struct span *span, size_t column)
{
    return !table->columns[column].hidden &&
           (column == span->key || (column >= span->first && column < span->end));
}

/* Row 0 is that of the headings. */
static char *cell_shown(const struct tidy *table, size_t row, size_t column)
{
    return row == 0 ? heading_of(&table->columns[column])
                    : tidy_shown(table, (row - 1) * table->column_count + column);
}

static void put_span(const struct tidy *table, const struct span *span, size_t row,
                     enum format format, const char *before, const char *between, const char *after,
                     FILE *file)
{
    bool first = true;
    fputs(before, file);
    for (size_t i = 0; i < table->column_count; i++) {
        if (!is_in(table, span, i))
            continue;
        char *shown = cell_shown(table, row, i);
        fputs(first ? "" : between, file);
        first = false;
        put(format, shown, file);
        free(shown);
    }
    fputs(after, file);
}

static void put_cells(const struct tidy *table, size_t row, enum format format, const char *before,
                      const char *between, const char *after, FILE *file)
{
    const struct span all = {.end = table->column_count};
    put_span(table, &all, row, format, before, between, after, file);
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

/* The width of a column in characters, with the gap after it. */
static size_t latex_width(const struct tidy *table, size_t column)
{
    size_t width = 0;
    for (size_t row = 0; row <= row_count(table); row++) {
        char *shown = cell_shown(table, row, column);
        width = strlen(shown) > width ? strlen(shown) : width;
        free(shown);
    }
    return width + 1;
}

/* A page's part of a table: some columns of the rows from `row` on. Returns the row after them. */
static size_t print_latex_part(const struct document_part *part, const struct span *span,
                               size_t row, FILE *file)
{
    enum { PAGE_ROWS = 45 };
    const struct tidy *table = &part->table;
    const size_t end = row + PAGE_ROWS <= row_count(table) ? row + PAGE_ROWS : row_count(table) + 1;
    const bool first = row == 1 && span->first <= span->key + 1;
    const char *section = "";
    int columns = 0;
    fprintf(file,
            "\\begin{table}[H]\n\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}\n%s"
            "\\caption{",
            first ? "" : "\\addtocounter{table}{-1}\n");
    put(FORMAT_LATEX, first ? part->text : "(continued)", file);
    fputs("}\n\\resizebox{\\ifdim\\width>\\linewidth \\linewidth\\else\\width\\fi}{!}{%\n"
          "\\begin{tabular}{",
          file);
    for (size_t i = 0; i < table->column_count; i++)
        if (is_in(table, span, i)) {
            putc(is_left(table, i) ? 'l' : 'r', file);
            columns++;
        }
    fputs("}\n\\toprule\n", file);
    put_span(table, span, 0, FORMAT_LATEX, "", " & ", " \\\\\n\\midrule\n", file);
    for (; row < end; row++) {
        const size_t start = (row - 1) * table->column_count;
        if (table->columns[0].section && strcmp(section, table->cells[start].text) != 0) {
            section = table->cells[start].text;
            char *shown = tidy_shown(table, start);
            fprintf(file, "\\multicolumn{%d}{l}{\\emph{", columns);
            put(FORMAT_LATEX, shown, file);
            fputs("}} \\\\\n", file);
            free(shown);
        }
        put_span(table, span, row, FORMAT_LATEX, "", " & ", " \\\\\n", file);
    }
    fputs("\\bottomrule\n\\end{tabular}}\n\\end{table}\n\n", file);
    return row;
}

/* A table in parts that a page can hold: wide ones are shrunk a little, and continue below. */
static void print_latex_table(const struct document_part *part, FILE *file)
{
    enum { PAGE_CHARACTERS = 100 };
    const struct tidy *table = &part->table;
    struct span span = {0};
    while (table->columns[span.key].hidden || table->columns[span.key].section)
        span.key++;
    for (span.first = span.key + 1; span.first <= span.key + 1 || span.first < table->column_count;
         span.first = span.end) {
        size_t width = latex_width(table, span.key);
        for (span.end = span.first; span.end < table->column_count; span.end++) {
            const bool hidden = table->columns[span.end].hidden;
            const size_t more = hidden ? 0 : latex_width(table, span.end);
            if (span.end > span.first && width + more > PAGE_CHARACTERS)
                break;
            width += more;
        }
        for (size_t row = 1; row <= row_count(table);)
            row = print_latex_part(part, &span, row, file);
        if (span.end == span.first)
            break;
    }
}

static void print_latex(const struct document_part *part, FILE *file)
{
    static const char *const before[] = {[PART_TITLE] = "\\section*{",
                                         [PART_HEADING] = "\\section*{",
                                         [PART_TEXT] = "",
                                         [PART_VERDICT] = "\\noindent ",
                                         [PART_NOTE] = "\\noindent Note: "};
    if (part->kind == PART_TABLE) {
        print_latex_table(part, file);
        return;
    }
    fputs(before[part->kind], file);
    put(FORMAT_LATEX, part->text, file);
    fputs(part->kind <= PART_HEADING ? "}\n\n" : "\n\n", file);
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
        char *shown = cell_shown(table, row, i);
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
    fputs("<table>\n", file);
    if (part->text[0] != '\0') {
        fputs("<caption>", file);
        html_text(part->text, file);
        fputs("</caption>\n", file);
    }
    fputs("<thead>\n", file);
    put_html_row(&part->table, 0, file);
    fputs("</thead>\n<tbody>\n", file);
    for (size_t row = 1; row <= row_count(&part->table); row++)
        put_html_row(&part->table, row, file);
    fputs("</tbody>\n</table>\n", file);
}

json_t *json_text(const char *text)
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
            json_array_append_new(array_of(object, "verdicts"), json_text(part->text));
        } else if (only == NULL && part->kind == PART_NOTE) {
            json_array_append_new(array_of(object, "notes"), json_text(part->text));
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
                       bool *below, enum format format, FILE *file)
{
    switch (format) {
    case FORMAT_TEXT:
        print_text(part, before, below, file);
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
        [FORMAT_LATEX] = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n"
                         "\\usepackage[utf8]{inputenc}\n"
                         "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\n\\usepackage{"
                         "booktabs}\n\\usepackage{float}\n"
                         "\\usepackage{graphicx}\n\\begin{document}\n\\sloppy\n\n",
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
    const bool whole = only == NULL || format != FORMAT_LATEX;
    fputs(starts[format] == NULL || !whole ? "" : starts[format], file);
    const struct document_part *before = NULL;
    const char *heading = "";
    bool below = false;
    for (size_t i = 0; i < document->count; i++) {
        const struct document_part *part = &document->parts[i];
        heading = part->kind == PART_HEADING ? part->text : heading;
        if (only != NULL && (part->kind != PART_TABLE || strcmp(part->name, only) != 0))
            continue;
        struct document_part shown = *part;
        shown.text = only != NULL && heading[0] != '\0'
                         ? heap_format("%s. %s", heading, part->text) /* it has no heading above */
                         : heap_text(part->text);
        print_part(&shown, before, &below, format, file);
        free(shown.text);
        if (format != FORMAT_CSV || part->kind == PART_TABLE)
            before = part;
    }
    fputs(ends[format] == NULL || !whole ? "" : ends[format], file);
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
