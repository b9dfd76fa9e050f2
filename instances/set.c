#include "instances/set.h"
#include "base/file.h"
#include "base/heap.h"
#include "instances/csv.h"
#include "puzzle/distance.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <ctype.h>
#include <search.h>
#include <sys/stat.h>

/* The columns of a set that are used; CSV_NONE if one is missing. */
struct columns {
    size_t start, id, width, height, goal, optimal_length;
    size_t optimal_costs[COST_MODELS]; /* optimal_cost_MODEL; that of unit is not used */
};

/* The state of reading one set. */
struct reading {
    const char *set;
    const struct shape *shape;
    const char *goal;
    struct report *report;
    struct instance_list *list;
    size_t before;           /* instances already in the list, of other sets */
    struct hsearch_data ids; /* the ids seen so far */
    struct distances exact;  /* the table of the last goal that needed one */
    unsigned tables;         /* tables made so far */
};

/* Whether an id is new. The list owns a copy that lives as long as the table. */
static bool is_new(struct reading *reading, char *id)
{
    ENTRY *found;
    return hsearch_r((ENTRY){.key = id}, FIND, &found, &reading->ids) == 0;
}

static bool read_number(const struct csv_field *field, unsigned max, const char *what,
                        struct report *report, unsigned *number)
{
    *number = 0;
    size_t digits = strspn(field->text, "0123456789");
    for (size_t i = 0; i < digits && *number <= max; i++)
        *number = 10 * *number + (unsigned)(field->text[i] - '0');
    if (digits > 0 && field->text[digits] == '\0' && *number <= max)
        return true;
    return report_add(report, field->place, "invalid %s '%s'; expected a whole number up to %u",
                      what, field->text, max);
}

/* The exact distance of a board that can reach its goal, or -1 if there is no table: the board is
 * too large, or the set has more than MAX_TABLES goals. */
static int exact_length(struct reading *reading, const struct board *start,
                        const struct board *goal)
{
    enum { MAX_TABLES = 4 };
    if (goal->shape.cells > MAX_TABLE_CELLS)
        return -1;
    if (reading->tables == 0 || !board_equal(&reading->exact.ranking.goal, goal)) {
        if (reading->tables >= MAX_TABLES)
            return -1;
        distances_end(&reading->exact);
        distances_make(goal, &reading->exact);
        reading->tables++;
    }
    return distances_of(&reading->exact, start);
}

static bool in_corner(const struct board *board)
{
    const unsigned column = board->blank % board->shape.width;
    const unsigned row = board->blank / board->shape.width;
    return (column == 0 || column + 1U == board->shape.width) &&
           (row == 0 || row + 1U == board->shape.height);
}

/* Whether a board can have the optimal length that a set gives. Each move changes the chessboard
 * colour of the blank's cell and brings one tile at most one step nearer to its goal cell. */
static bool check_length(struct reading *reading, const struct csv_field *field,
                         const struct board *start, const struct board *goal, unsigned length)
{
    /* The maximum distance of a 15-puzzle board from a goal with the blank in a corner (Bruengger,
     * Marzetta, Fukuda and Nievergelt, "The parallel search bench ZRAM and its applications",
     * Annals of Operations Research 90, 1999). */
    enum { MAX_DISTANCE_15 = 80 };
    const unsigned nearest = board_manhattan(start, goal);
    const unsigned way = shape_distance(start->shape, start->blank, goal->blank);
    if (!board_connected(start, goal))
        return report_add(reading->report, field->place,
                          "optimal length %u of a board that cannot reach its goal; expected none",
                          length);
    const int exact = exact_length(reading, start, goal);
    if (exact >= 0 && (unsigned)exact != length)
        report_add(reading->report, field->place,
                   "optimal length %u; expected %d, the exact distance of this board", length,
                   exact);
    else if (length < nearest)
        report_add(reading->report, field->place,
                   "optimal length %u; expected at least %u, the board's Manhattan distance",
                   length, nearest);
    else if (nearest == 0 && length > 0)
        report_add(reading->report, field->place,
                   "optimal length %u; expected 0, as the board is its goal", length);
    else if (((length ^ way) & 1) != 0)
        report_add(reading->report, field->place,
                   "optimal length %u; expected an %s number, as the blank is %u step%s from its "
                   "goal",
                   length, way % 2 == 0 ? "even" : "odd", way, way == 1 ? "" : "s");
    else if (start->shape.width == 4 && start->shape.height == 4 && in_corner(goal) &&
             length > MAX_DISTANCE_15)
        report_add(reading->report, field->place,
                   "optimal length %u; expected at most %d, as no 15-puzzle board lies farther "
                   "from such a goal",
                   length, MAX_DISTANCE_15);
    else
        return true;
    return false;
}

/* Whether an id can be printed on one line and distinguished from others by eye. */
static bool check_id(const struct csv_field *field, struct report *report)
{
    const size_t length = strlen(field->text);
    const bool printable = text_is_printable(field->text);
    if (printable && field->text[0] != ' ' && field->text[length - 1] != ' ')
        return true;
    return report_add(
        report, field->place, "id '%s' %s; expected one line of printable text", field->text,
        printable ? "starts or ends with a space" : "contains unprintable characters");
}

static bool has(const struct csv *csv, size_t column)
{
    return column != CSV_NONE && csv->fields[column].text[0] != '\0';
}

/* The shape of a row: its width and height, else the requested shape, else NULL to deduce it from
 * the start. */
static bool row_shape(const struct csv *csv, const struct columns *columns,
                      const struct reading *reading, struct shape *shape,
                      const struct shape **wanted)
{
    unsigned width;
    unsigned height;
    *wanted = reading->shape;
    const bool has_width = has(csv, columns->width);
    if (has_width != has(csv, columns->height))
        return report_add(reading->report,
                          csv->fields[has_width ? columns->width : columns->height].place,
                          "a %s without a %s; expected both, or none",
                          has_width ? "width" : "height", has_width ? "height" : "width");
    if (!has_width)
        return true;
    const struct csv_field *field = &csv->fields[columns->width];
    if (!read_number(field, MAX_SIDE, "width", reading->report, &width) ||
        !read_number(&csv->fields[columns->height], MAX_SIDE, "height", reading->report, &height))
        return false;
    if (!shape_make(width, height, shape))
        return report_add(reading->report, field->place,
                          "a %ux%u board; expected both sides at least %d and at most %d cells",
                          width, height, MIN_SIDE, MAX_CELLS);
    if (reading->shape != NULL && !shape_equal(*shape, *reading->shape))
        return report_add(reading->report, field->place, "a %ux%u board; expected %ux%u", width,
                          height, reading->shape->width, reading->shape->height);
    *wanted = shape;
    return true;
}

/* The optimal cost of each model that a row gives. */
static bool read_costs(const struct csv *csv, const struct columns *columns,
                       const struct reading *reading, struct instance *instance)
{
    bool fine = true;
    for (unsigned i = COST_unit + 1; i < COST_MODELS; i++) {
        if (!has(csv, columns->optimal_costs[i]))
            continue;
        const struct csv_field *field = &csv->fields[columns->optimal_costs[i]];
        const uint64_t scale = costs_make((enum cost_model)i, instance->start.shape).scale;
        if (cost_parse(field->text, scale, &instance->optimal_costs[i]))
            continue;
        fine =
            report_add(reading->report, field->place,
                       "invalid optimal cost '%s'; expected a decimal or a fraction such as 47/12",
                       field->text);
    }
    return fine;
}

static void read_row(const struct csv *csv, const struct columns *columns, struct reading *reading)
{
    struct shape shape;
    const struct shape *wanted;
    struct board start;
    struct board goal;
    unsigned optimal = 0;
    char number[32];
    const struct csv_field *field = &csv->fields[columns->start];
    if (!row_shape(csv, columns, reading, &shape, &wanted) ||
        !board_parse(field->text, wanted, field->place, reading->report, &start))
        return;
    field = has(csv, columns->goal) ? &csv->fields[columns->goal] : field;
    if (!goal_parse(has(csv, columns->goal) ? field->text : reading->goal, start.shape,
                    field->place, reading->report, &goal))
        return;
    bool known = has(csv, columns->optimal_length);
    if (known && !read_number(&csv->fields[columns->optimal_length], 10000, "optimal length",
                              reading->report, &optimal))
        return;
    if (known &&
        !check_length(reading, &csv->fields[columns->optimal_length], &start, &goal, optimal))
        return;
    const char *name = number;
    field = &csv->fields[columns->start];
    snprintf(number, sizeof number, "%zu", reading->list->count - reading->before + 1);
    if (has(csv, columns->id)) {
        field = &csv->fields[columns->id];
        name = field->text;
        if (!check_id(field, reading->report))
            return;
    }
    if (!is_new(reading, (char *)(uintptr_t)name)) {
        report_add(reading->report, field->place,
                   "id '%s' a second time; expected each id once (rows without one are numbered)",
                   name);
        return;
    }
    instance_add(reading->list, reading->set, name, &start, &goal,
                 known ? (int)optimal : LENGTH_UNKNOWN);
    struct instance *added = &reading->list->items[reading->list->count - 1];
    added->line = csv->fields[columns->start].place.line;
    if (!read_costs(csv, columns, reading, added))
        return;
    ENTRY *entered;
    hsearch_r((ENTRY){.key = added->name}, ENTER, &entered, &reading->ids);
}

/* The first line that is neither empty nor a comment. */
static const char *first_line(const char *text)
{
    text = file_past_mark(text);
    while (*text == '#' || *text == '\n' || *text == '\r')
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != '\0');
    return text;
}

/* Whether a text is a set in CSV: its first line contains `start` or `board`, in any case, or
 * starts with at least two letters and contains a comma or a semicolon. */
static bool is_csv(const char *text)
{
    const char *line = first_line(text);
    const size_t length = strcspn(line, "#\n");
    const char *start = strcasestr(line, "start");
    const char *board = strcasestr(line, "board");
    return (start != NULL && (size_t)(start - line) < length) ||
           (board != NULL && (size_t)(board - line) < length) ||
           (isalpha((unsigned char)line[0]) && isalpha((unsigned char)line[1]) &&
            strcspn(line, ",;") < length);
}

/* The flag for the separator of a set in CSV, deduced from its header. */
static unsigned separator_flag(const char *text)
{
    const char *line = first_line(text);
    return csv_has_semicolons(line) ? CSV_SEMICOLONS : 0;
}

static void parse_csv(const char *text, struct reading *reading)
{
    SCOPED_BY(csv_end) struct csv csv = {0};
    size_t lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    if (hcreate_r(lines, &reading->ids) == 0)
        heap_exhausted();
    SCOPED_BY(stream_end) FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    if (file == NULL)
        heap_exhausted();
    if (csv_start(&csv, file, CSV_COMMENTS | separator_flag(text), reading->report)) {
        const size_t board = csv_column(&csv, "board");
        struct columns columns = {csv_column(&csv, "start") == CSV_NONE && board != CSV_NONE
                                      ? board
                                      : csv_need(&csv, "start"),
                                  csv_column(&csv, "id"),
                                  csv_column(&csv, "width"),
                                  csv_column(&csv, "height"),
                                  csv_column(&csv, "goal"),
                                  csv_column(&csv, "optimal_length"),
                                  {0}};
        for (unsigned i = 0; i < COST_MODELS; i++) {
            SCOPED char *name = heap_format("optimal_cost_%s", cost_names[i]);
            columns.optimal_costs[i] = csv_column(&csv, name);
        }
        const size_t problems = reading->report->count;
        while (columns.start != CSV_NONE && csv_next(&csv))
            read_row(&csv, &columns, reading);
        if (reading->list->count == reading->before && reading->report->count == problems &&
            columns.start != CSV_NONE)
            report_add(reading->report, NO_PLACE, "no boards here; expected rows below the header");
    }
    distances_end(&reading->exact);
    hdestroy_r(&reading->ids);
}

static void parse_boards(const char *text, const struct reading *reading)
{
    struct board_list boards;
    if (!boards_parse(text, reading->shape, FIRST_PLACE, reading->report, &boards))
        return;
    if (boards.count == 0)
        report_add(
            reading->report, NO_PLACE,
            "no boards here; expected boards such as 1 2 3 4 5 6 7 8 0, one per line or as grids");
    for (size_t i = 0; i < boards.count; i++) {
        char name[32];
        struct board goal;
        snprintf(name, sizeof name, "%zu", i + 1);
        if (!goal_parse(reading->goal, boards.boards[i].shape,
                        (struct text_place){boards.lines[i], 1}, reading->report, &goal))
            continue;
        instance_add(reading->list, reading->set, name, &boards.boards[i], &goal, LENGTH_UNKNOWN);
        reading->list->items[reading->list->count - 1].line = boards.lines[i];
    }
    board_list_end(&boards);
}

/* Reads a board with its goal as external solvers get them: a line W H, the start, the goal. False
 * if the text is anything else. No other text of boards has this form: W and H would be cells of
 * the first board twice. */
static bool parse_pair(const char *text, const struct reading *reading)
{
    char line[16] = "";
    const char *at = first_line(text);
    const size_t length = strcspn(at, "\n");
    SCOPED_BY(report_end) struct report ignored = {0};
    struct board_list boards;
    struct shape shape;
    unsigned width;
    unsigned height;
    char more;
    if (length >= sizeof line || at[length] == '\0')
        return false;
    memcpy(line, at, length);
    if (sscanf(line, "%3u %3u %c", &width, &height, &more) != 2 ||
        !shape_make(width, height, &shape) ||
        (reading->shape != NULL && !shape_equal(*reading->shape, shape)))
        return false;
    const bool read = boards_parse(at + length, &shape, FIRST_PLACE, &ignored, &boards);
    const bool pair = read && boards.count == 2;
    if (pair)
        instance_add(reading->list, reading->set, "1", &boards.boards[0], &boards.boards[1],
                     LENGTH_UNKNOWN);
    if (read)
        board_list_end(&boards);
    return pair;
}

bool set_parse(const char *text, const char *set, const struct shape *shape, const char *goal,
               struct report *report, struct instance_list *list)
{
    struct reading reading = {.set = set,
                              .shape = shape,
                              .goal = goal,
                              .report = report,
                              .list = list,
                              .before = list->count};
    size_t before = report->count;
    if (is_csv(text))
        parse_csv(text, &reading);
    else if (!parse_pair(text, &reading))
        parse_boards(text, &reading);
    return report->count == before;
}

bool set_read(const char *path, const char *set, const struct shape *shape, const char *goal,
              struct report *report, struct instance_list *list)
{
    char *text = file_read(path, NULL, report);
    if (text == NULL)
        return false;
    bool fine = set_parse(text, set, shape, goal, report, list);
    free(text);
    return fine;
}

void set_select(struct instance_list *list, const bool *keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (keep[i]) {
            list->items[kept++] = list->items[i];
        } else {
            free(list->items[i].set);
            free(list->items[i].name);
        }
    }
    list->count = kept;
}

bool set_write(FILE *stream, const struct instance_list *list)
{
    fputs("id,width,height,start,goal,optimal_length\n", stream);
    for (size_t i = 0; i < list->count; i++) {
        const struct instance *instance = &list->items[i];
        const char *goal = goal_name(&instance->goal);
        char start_line[BOARD_LINE];
        char goal_line[BOARD_LINE];
        board_line(&instance->start, start_line);
        board_line(&instance->goal, goal_line);
        csv_write_field(stream, instance->name);
        fprintf(stream, ",%u,%u,%s,%s,", instance->start.shape.width, instance->start.shape.height,
                start_line, goal == NULL ? goal_line : goal);
        if (instance->optimal_length != LENGTH_UNKNOWN)
            fprintf(stream, "%d", instance->optimal_length);
        fputc('\n', stream);
    }
    return fflush(stream) == 0 && !ferror(stream);
}

bool text_names_file(const char *text)
{
    struct stat status;
    return stat(text, &status) == 0 ||
           (strpbrk(text, " \t\n,;[") == NULL && strpbrk(text, "./") != NULL &&
            strpbrk(text, "abcdefghijklmnopqrstuvw") != NULL);
}
