#include "base/heap.h"
#include "base/report.h"
#include "harness/text/writer.h"

/* What stands for a character; NULL: itself. */
static const char *escape(char character)
{
    static const struct {
        char character;
        const char *text;
    } rows[] = {
        {'|', "\\textbar{}"},
        {'*', "{*}"}, /* after a line of a table it would be a command */
        {'_', "\\_"},
        {'`', "\\textasciigrave{}"},
        {'[', "{[}"},
        {']', "{]}"},
        {'\\', "\\textbackslash{}"},
        {'#', "\\#"},
        {'%', "\\%"},
        {'$', "\\$"},
        {'&', "\\&"},
        {'{', "\\{"},
        {'}', "\\}"},
        {'~', "\\textasciitilde{}"},
        {'^', "\\textasciicircum{}"},
        {'<', "\\textless{}"},
        {'>', "\\textgreater{}"},
        {'"', "\\textquotedbl{}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].character == character)
            return rows[i].text;
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

static void put(const char *text, FILE *file)
{
    SCOPED char *shown = text_printable(text);
    for (const char *at = shown; *at != '\0'; at++) {
        const char *escaped = escape(*at);
        const size_t strange = not_in_latex(at);
        if (at > shown && at[0] == at[-1] && strchr("-,'", *at) != NULL)
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

static void put_span(const struct tidy *table, const struct span *span, size_t row, FILE *file)
{
    const char *between = "";
    for (size_t i = 0; i < table->column_count; i++) {
        if (!is_in(table, span, i))
            continue;
        SCOPED char *shown = cell_shown(table, row, i);
        fputs(between, file);
        put(shown, file);
        between = " & ";
    }
    fputs(" \\\\\n", file);
}

/* The width of a column in characters, with the gap after it. */
static size_t column_width(const struct tidy *table, size_t column)
{
    size_t width = 0;
    for (size_t row = 0; row <= tidy_rows(table); row++) {
        SCOPED char *shown = cell_shown(table, row, column);
        width = strlen(shown) > width ? strlen(shown) : width;
    }
    return width + 1;
}

/* A page's part of a table: some columns of the rows from `row` on. Returns the row after them. */
static size_t put_part(const struct document_part *part, const struct span *span, size_t row,
                       FILE *file)
{
    enum { PAGE_ROWS = 45 };
    const struct tidy *table = &part->table;
    const size_t end = row + PAGE_ROWS <= tidy_rows(table) ? row + PAGE_ROWS : tidy_rows(table) + 1;
    const bool first = row == 1 && span->first <= span->key + 1;
    const char *section = "";
    int columns = 0;
    fprintf(file,
            "\\begin{table}[H]\n\\centering\\footnotesize\\setlength{\\tabcolsep}{3pt}\n%s"
            "\\caption{",
            first ? "" : "\\addtocounter{table}{-1}\n");
    put(first ? part->text : "(continued)", file);
    fputs("}\n\\resizebox{\\ifdim\\width>\\linewidth \\linewidth\\else\\width\\fi}{!}{%\n"
          "\\begin{tabular}{",
          file);
    for (size_t i = 0; i < table->column_count; i++)
        if (is_in(table, span, i)) {
            putc(tidy_is_text(table, i) ? 'l' : 'r', file);
            columns++;
        }
    fputs("}\n\\toprule\n", file);
    put_span(table, span, 0, file);
    fputs("\\midrule\n", file);
    for (; row < end; row++) {
        const size_t start = (row - 1) * table->column_count;
        if (table->columns[0].section && strcmp(section, table->cells[start].text) != 0) {
            section = table->cells[start].text;
            SCOPED char *shown = tidy_shown(table, start);
            fprintf(file, "\\multicolumn{%d}{l}{\\emph{", columns);
            put(shown, file);
            fputs("}} \\\\\n", file);
        }
        put_span(table, span, row, file);
    }
    fputs("\\bottomrule\n\\end{tabular}}\n\\end{table}\n\n", file);
    return row;
}

/* A table in parts that a page can hold: wide ones are shrunk a little, and continue below. */
static void put_table(const struct document_part *part, FILE *file)
{
    enum { PAGE_CHARACTERS = 100 };
    const struct tidy *table = &part->table;
    struct span span = {0};
    while (table->columns[span.key].hidden || table->columns[span.key].section)
        span.key++;
    for (span.first = span.key + 1; span.first <= span.key + 1 || span.first < table->column_count;
         span.first = span.end) {
        size_t width = column_width(table, span.key);
        for (span.end = span.first; span.end < table->column_count; span.end++) {
            const bool hidden = table->columns[span.end].hidden;
            const size_t more = hidden ? 0 : column_width(table, span.end);
            if (span.end > span.first && width + more > PAGE_CHARACTERS)
                break;
            width += more;
        }
        for (size_t row = 1; row <= tidy_rows(table);)
            row = put_part(part, &span, row, file);
        if (span.end == span.first)
            break;
    }
}

void write_latex(const struct writing *writing, FILE *file)
{
    static const char *const before[] = {[PART_TITLE] = "\\section*{",
                                         [PART_HEADING] = "\\section*{",
                                         [PART_TEXT] = "",
                                         [PART_VERDICT] = "\\noindent ",
                                         [PART_NOTE] = "\\noindent Note: "};
    static const char start[] = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n"
                                "\\usepackage[utf8]{inputenc}\n"
                                "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\n"
                                "\\usepackage{booktabs}\n\\usepackage{float}\n"
                                "\\usepackage{graphicx}\n\\begin{document}\n\\sloppy\n\n";
    fputs(writing->whole ? start : "", file);
    for (size_t i = 0; i < writing->count; i++) {
        const struct document_part *part = &writing->parts[i];
        if (part->kind == PART_TABLE) {
            put_table(part, file);
            continue;
        }
        fputs(before[part->kind], file);
        put(part->text, file);
        fputs(part->kind <= PART_HEADING ? "}\n\n" : "\n\n", file);
    }
    fputs(writing->whole ? "\\end{document}\n" : "", file);
}
