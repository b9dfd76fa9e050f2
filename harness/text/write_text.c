/* The terminal. A table's columns are two spaces apart, with none at the end of a line. Where the
 * terminal is too narrow, prose goes on in the next line; then columns are left out, or go on in a
 * table below; then names are broken too. */
#include "base/heap.h"
#include "base/report.h"
#include "harness/text/screen.h"
#include "harness/text/writer.h"
#include <stdint.h>

enum { GAP = 2 };

/* Where a text may be broken into lines. */
enum breaking {
    BREAKING_NEVER,
    BREAKING_PROSE, /* at blanks */
    BREAKING_NAME,  /* at blanks and within a name */
    BREAKING_HEADING,
};

struct column {
    char **texts; /* owned, as each of them: the heading, then the cells */
    size_t width;
    enum breaking breaking; /* of its cells */
    unsigned rank;
    bool right; /* aligned */
    bool shown;
};

struct layout {
    struct column *columns; /* without what a terminal does not show in columns */
    size_t column_count;
    size_t line_count; /* that of the headings is line 0 */
    char **sections;   /* owned; of each line, the text above it, or NULL */
};

static size_t text_width(const char *text)
{
    return screen_cells(text, strlen(text));
}

/* Takes the text. */
static void set_text(struct column *column, size_t line, char *text)
{
    column->texts[line] = text_printable(text);
    const size_t width = text_width(column->texts[line]);
    column->width = width > column->width ? width : column->width;
    free(text);
}

static void add_column(struct layout *layout, const struct tidy *table, size_t number)
{
    const struct tidy_heading *heading = &table->columns[number];
    struct column *column = &layout->columns[layout->column_count++];
    const bool is_text = tidy_is_text(table, number);
    *column = (struct column){.texts = heap_take(layout->line_count, sizeof(char *)),
                              .breaking = !is_text         ? BREAKING_NEVER
                                          : heading->prose ? BREAKING_PROSE
                                                           : BREAKING_NAME,
                              .rank = heading->rank,
                              .right = !is_text,
                              .shown = true};
    for (size_t line = 0; line < layout->line_count; line++)
        set_text(column, line, cell_shown(table, line, number));
}

static void set_sections(struct layout *layout, const struct tidy *table, size_t column)
{
    const char *section = "";
    for (size_t line = 1; line < layout->line_count; line++) {
        const char *own = table->cells[(line - 1) * table->column_count + column].text;
        SCOPED char *shown = cell_shown(table, line, column);
        if (strcmp(section, own) != 0)
            layout->sections[line] = text_printable(shown);
        section = own;
    }
}

static struct layout layout_of(const struct tidy *table)
{
    struct layout layout = {.line_count = tidy_rows(table) + 1};
    layout.columns = heap_take(table->column_count, sizeof *layout.columns);
    layout.sections = heap_take(layout.line_count, sizeof *layout.sections);
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].section)
            set_sections(&layout, table, i);
        else if (!table->columns[i].hidden)
            add_column(&layout, table, i);
    }
    return layout;
}

static void layout_end(struct layout *layout)
{
    for (size_t i = 0; i < layout->column_count; i++)
        heap_free_texts(layout->columns[i].texts, layout->line_count);
    for (size_t line = 0; line < layout->line_count; line++)
        free(layout->sections[line]);
    FREE(layout->columns, layout->sections);
}

static size_t layout_width(const struct layout *layout)
{
    size_t width = 0;
    for (size_t i = 0; i < layout->column_count; i++)
        width += layout->columns[i].shown ? layout->columns[i].width + GAP : 0;
    return width < GAP ? 0 : width - GAP;
}

/* Whether a text may be broken after a character. */
static bool is_break(char character, enum breaking breaking)
{
    return character == ' ' ||
           (breaking >= BREAKING_NAME && character != '\0' && strchr("(+:/", character) != NULL);
}

/* How far the lines after the first are indented: the rest of a name is not a name of its own. */
static size_t indent_of(enum breaking breaking)
{
    return breaking == BREAKING_NAME ? 1 : 0;
}

/* The minimum width to which a text can be broken: that of its longest piece. */
static size_t piece_width(const char *text, enum breaking breaking)
{
    size_t longest = 0;
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += *text == ' ' ? 0 : screen_cell(text);
        longest = width > longest ? width : longest;
        if (is_break(*text, breaking))
            width = indent_of(breaking);
    }
    return longest;
}

/* How much of a text fits a line of `width`: up to the last break there, or one whole piece. */
static size_t line_length(const char *text, size_t width, enum breaking breaking)
{
    size_t end = 0;
    size_t length = 0;
    for (size_t used = 0; text[length] != '\0'; length++) {
        if (text[length] == ' ')
            end = length;
        used += screen_cell(text + length);
        if (used > width && end > 0)
            return end;
        if (text[length] != ' ' && is_break(text[length], breaking))
            end = length + 1;
    }
    return length;
}

/* A text as its column shows it: a line for each line of the terminal. */
struct piece {
    char **lines; /* owned, as the texts */
    size_t count;
};

static struct piece piece_of(const struct column *column, size_t line)
{
    const enum breaking breaking = line == 0 ? BREAKING_HEADING : column->breaking;
    const char *rest = column->texts[line];
    struct piece piece = {0};
    do {
        const size_t indent = piece.count == 0 ? 0 : indent_of(breaking);
        const bool fits = breaking == BREAKING_NEVER || text_width(rest) + indent <= column->width;
        const size_t length =
            fits ? strlen(rest) : line_length(rest, column->width - indent, breaking);
        *HEAP_ADD(piece.lines, piece.count) =
            heap_format("%*s%.*s", (int)indent, "", (int)length, rest);
        rest += length + strspn(rest + length, " ");
    } while (*rest != '\0');
    return piece;
}

/* Prints a text in its column's width; the `owed` spaces before it are printed with it. */
static void print_cell(const struct column *column, const char *text, size_t *owed, FILE *file)
{
    const size_t padding = column->width - text_width(text);
    if (*text == '\0') {
        *owed += column->width + GAP;
        return;
    }
    fprintf(file, "%*s%s", (int)(*owed + (column->right ? padding : 0)), "", text);
    *owed = (column->right ? 0 : padding) + GAP;
}

/* Prints a line of the table in as many lines as its longest broken text takes; headings are
 * aligned at the bottom. */
static void print_line(const struct layout *layout, size_t line, FILE *file)
{
    SCOPED struct piece *pieces = heap_take(layout->column_count, sizeof *pieces);
    size_t most = 0;
    for (size_t i = 0; i < layout->column_count; i++) {
        if (layout->columns[i].shown)
            pieces[i] = piece_of(&layout->columns[i], line);
        most = pieces[i].count > most ? pieces[i].count : most;
    }
    for (size_t l = 0; l < most; l++) {
        size_t owed = 0;
        for (size_t i = 0; i < layout->column_count; i++) {
            const size_t before = line == 0 ? most - pieces[i].count : 0;
            const bool has = l >= before && l - before < pieces[i].count;
            if (layout->columns[i].shown)
                print_cell(&layout->columns[i], has ? pieces[i].lines[l - before] : "", &owed,
                           file);
        }
        putc('\n', file);
    }
    for (size_t i = 0; i < layout->column_count; i++)
        heap_free_texts(pieces[i].lines, pieces[i].count);
}

static void print_shown(const struct layout *layout, FILE *file)
{
    for (size_t line = 0; line < layout->line_count; line++) {
        if (layout->sections[line] != NULL)
            fprintf(file, "%s\n", layout->sections[line]);
        print_line(layout, line, file);
    }
}

/* How narrow a column can be. */
static size_t min_width(const struct layout *layout, const struct column *column)
{
    enum { MIN_PROSE = 16 };
    size_t width = MIN_PROSE;
    for (size_t line = 0; line < layout->line_count; line++) {
        const char *text = column->texts[line];
        const size_t needed = line > 0 ? piece_width(text, column->breaking)
                              : column->breaking == BREAKING_NAME
                                  ? piece_width(text, BREAKING_HEADING)
                                  : text_width(text);
        width = needed > width ? needed : width;
    }
    return width;
}

/* Narrows the columns that may be broken so, the widest first, until the table fits or none can be
 * narrower. */
static void narrow(struct layout *layout, size_t width, enum breaking breaking)
{
    if (layout_width(layout) <= width)
        return;
    SCOPED size_t *min = heap_take(layout->column_count, sizeof *min);
    for (size_t i = 0; i < layout->column_count; i++) {
        const struct column *column = &layout->columns[i];
        min[i] =
            column->shown && column->breaking == breaking ? min_width(layout, column) : SIZE_MAX;
    }
    while (layout_width(layout) > width) {
        struct column *widest = NULL;
        for (size_t i = 0; i < layout->column_count; i++) {
            struct column *column = &layout->columns[i];
            if (column->width > min[i] && (widest == NULL || column->width > widest->width))
                widest = column;
        }
        if (widest == NULL)
            break;
        widest->width--;
    }
}

/* Leaves out the columns of the highest rank. False if all that are left must be shown. */
static bool leave_out(struct layout *layout)
{
    unsigned rank = 0;
    for (size_t i = 0; i < layout->column_count; i++)
        if (layout->columns[i].shown && layout->columns[i].rank > rank)
            rank = layout->columns[i].rank;
    for (size_t i = 0; rank > 0 && i < layout->column_count; i++)
        if (layout->columns[i].rank == rank)
            layout->columns[i].shown = false;
    return rank > 0;
}

/* Prints the columns for which there is room, and names the others. Returns whether there are
 * others. */
static bool print_fitting(struct layout *layout, size_t width, FILE *file)
{
    bool left_out = false;
    do
        narrow(layout, width, BREAKING_PROSE);
    while (layout_width(layout) > width && leave_out(layout));
    narrow(layout, width, BREAKING_NAME);
    print_shown(layout, file);
    for (size_t i = 0; i < layout->column_count; i++)
        if (!layout->columns[i].shown) {
            fprintf(file, "%s%s", left_out ? ", " : "(not shown: ", layout->columns[i].texts[0]);
            left_out = true;
        }
    fputs(left_out ? "; --wide shows all)\n" : "", file);
    return left_out;
}

/* Narrows columns whose headings are wider than their cells, as those can stand in lines. */
static void break_headings(struct layout *layout)
{
    for (size_t i = 0; i < layout->column_count; i++) {
        struct column *column = &layout->columns[i];
        column->width = piece_width(column->texts[0], BREAKING_HEADING);
        for (size_t line = 1; line < layout->line_count; line++) {
            const size_t width = text_width(column->texts[line]);
            column->width = width > column->width ? width : column->width;
        }
    }
}

/* Prints all columns, in as many tables as the width needs, each of which begins with the first
 * column. */
static void print_parts(struct layout *layout, size_t width, FILE *file)
{
    if (layout_width(layout) > width)
        break_headings(layout);
    const size_t key_width = layout->columns[0].width;
    size_t first = 1;
    do {
        size_t end = layout->column_count;
        layout->columns[0].width = key_width;
        for (size_t i = 1; i < layout->column_count; i++)
            layout->columns[i].shown = i >= first;
        while (end > first + 1 && layout_width(layout) > width)
            layout->columns[--end].shown = false;
        narrow(layout, width, BREAKING_PROSE);
        narrow(layout, width, BREAKING_NAME);
        fputs(first > 1 ? "\n" : "", file);
        print_shown(layout, file);
        first = end;
    } while (first < layout->column_count);
}

bool tidy_print_within(const struct tidy *tidy, size_t width, FILE *file)
{
    bool left_out = false;
    SCOPED_BY(layout_end) struct layout layout = layout_of(tidy);
    if (tidy->ranked)
        left_out = print_fitting(&layout, width, file);
    else
        print_parts(&layout, width, file);
    return left_out;
}

bool tidy_print(const struct tidy *tidy, FILE *file)
{
    return tidy_print_within(tidy, screen_width(file), file);
}

/* Words in lines no wider than the terminal, nor wider than is easy to read, all but the first
 * indented as far as `lead` is wide. */
static void print_wrapped(const char *lead, const char *text, FILE *file)
{
    enum { MAX_TEXT_WIDTH = 79 };
    const size_t width = screen_width(file);
    const int indent = (int)strlen(lead);
    fputs(lead, file);
    screen_print(text, indent, indent, width > MAX_TEXT_WIDTH ? MAX_TEXT_WIDTH : width, file);
    putc('\n', file);
}

/* Whether a part goes on where the one before ended. `below`: that ended in a line about it. */
static bool is_joined(const struct document_part *part, const struct document_part *before,
                      bool below)
{
    if (before->kind == PART_HEADING)
        return true;
    return part->kind != PART_TABLE &&
           (before->kind == part->kind || (below && part->kind == PART_TEXT) ||
            (before->kind == PART_TEXT && part->kind == PART_NOTE));
}

void write_text(const struct writing *writing, FILE *file)
{
    static const char *const leads[] = {
        [PART_TITLE] = "",     [PART_HEADING] = "",    [PART_TEXT] = "",
        [PART_VERDICT] = "- ", [PART_NOTE] = "Note: ", [PART_TABLE] = ""};
    bool below = false;
    for (size_t i = 0; i < writing->count; i++) {
        const struct document_part *part = &writing->parts[i];
        const struct document_part *before = i == 0 ? NULL : part - 1;
        const bool is_table = part->kind == PART_TABLE;
        if (before != NULL && !is_joined(part, before, below))
            putc('\n', file);
        if (!is_table || part->text[0] != '\0')
            print_wrapped(leads[part->kind], part->text, file);
        if (is_table && part->text[0] != '\0' && (before == NULL || before->kind != PART_HEADING))
            putc('\n', file);
        below = is_table && tidy_print(&part->table, file);
    }
}
