#include "harness/external/protocol.h"
#include "base/heap.h"
#include "base/named.h"
#include "harness/text/sorting.h"
#include "puzzle/replay.h"
#include "puzzle/text.h"
#include <ctype.h>
#include <errno.h>

/* How long a name may be, and how much of a text a message shows. */
enum { LONGEST_NAME = 64, SHOWN_BYTES = 80 };

/* How `extra` is written: a number of up to 15 digits as the program wrote it. */
#define EXTRA_FORM (JSON_COMPACT | JSON_REAL_PRECISION(15))

char **protocol_words(const struct external *external, const struct question *question)
{
    char **words = heap_take(external->word_count + 1, sizeof *words);
    for (size_t i = 0; i < external->word_count; i++)
        words[i] = placeholders_filled(external->words[i], question);
    return words;
}

char *protocol_input(const struct external *external, const struct question *question)
{
    static const char text[] = "{width} {height}\n{rows}\n\n{goal_rows}\n";
    static const char json[] = "{\"width\": {width}, \"height\": {height}, \"start\": "
                               "\"{board}\", \"goal\": \"{goal}\"}\n";
    return placeholders_filled(external->input != NULL ? external->input
                               : external->json        ? json
                                                       : text,
                               question);
}

size_t protocol_answer_bytes(const struct external *external, const char *text, size_t length,
                             struct answer_scan *scan)
{
    const char *end;
    if (external->values) {
        end = memchr(text, '\n', length);
        return end == NULL ? 0 : (size_t)(end - text) + 1;
    }
    while (scan->line < length &&
           (end = memchr(text + scan->line, '\n', length - scan->line)) != NULL) {
        const char *at = text + scan->line;
        while (at < end && isspace((unsigned char)*at))
            at++;
        const bool empty = at == end;
        scan->line = (size_t)(end - text) + 1;
        if (external->json ? !empty && *at == '{' : empty && scan->begun)
            return scan->line;
        scan->begun = scan->begun || !empty;
    }
    return 0;
}

/* An answer while it is read. */
struct reading {
    const struct external *external;
    const struct question *question;
    char *status, *moves, *boards, *length, *cost; /* as it said them; owned; NULL: it did not */
    uint64_t bound;   /* the largest that it said, in the scale of the costs; 0: none */
    char *first_line; /* of what is not `name: value`; owned; NULL: none */
    uint64_t counts[COUNTERS];
    uint32_t known;
    int h_start;
    json_t *extra;
    size_t extra_bytes;
    size_t not_kept;
    const struct arrivals *arrivals; /* of the text; NULL: not known */
    const char *text;                /* its beginning, as far as it was copied */
    struct incumbent *incumbents;    /* owned */
    size_t incumbent_count;
    char *best;      /* the cheapest path so far that was replayed; owned; NULL: none */
    char *unmatched; /* owned; which patterns found nothing; NULL: each found something */
    char *wrong;     /* owned; NULL: nothing is, so far */
};

/* Notes what is wrong, unless something was before. */
static void find_wrong(struct reading *reading, char *what)
{
    if (reading->wrong == NULL)
        reading->wrong = what;
    else
        free(what);
}

/* The beginning of a text as a message shows it; heap memory. */
static char *shown(const char *text)
{
    SCOPED char *cut =
        heap_format("%.*s%s", SHOWN_BYTES, text, strlen(text) > SHOWN_BYTES ? ".." : "");
    return text_printable(cut);
}

/* Reads a whole number; false if the text is none, or one above `most`. */
static bool read_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number <= most;
}

static uint64_t take_number(struct reading *reading, const char *name, const char *text,
                            uint64_t most)
{
    uint64_t number = 0;
    if (!read_number(text, most, &number)) {
        SCOPED char *said = shown(text);
        find_wrong(reading, heap_format("%s: %s: expected a whole number from 0 to %llu", name,
                                        said, (unsigned long long)most));
    }
    return number;
}

/* What a text is in JSON: a number, if it is one there; else a text. */
static json_t *json_of(const char *text)
{
    json_error_t error;
    json_t *value = isdigit((unsigned char)*text) || *text == '-'
                        ? json_loads(text, JSON_DECODE_ANY, &error)
                        : NULL;
    if (value != NULL)
        return value;
    SCOPED char *printable = text_printable(text);
    return json_string(printable);
}

static size_t json_bytes(const char *name, const json_t *value)
{
    enum { AROUND = sizeof "\"\":," - 1 };
    return strlen(name) + AROUND + json_dumpb(value, NULL, 0, EXTRA_FORM | JSON_ENCODE_ANY);
}

/* Keeps something else that it said, as far as there is room; takes over `value`. */
static void keep_extra(struct reading *reading, const char *name, json_t *value)
{
    const json_t *before = json_object_get(reading->extra, name);
    const size_t bytes = reading->extra_bytes - (before != NULL ? json_bytes(name, before) : 0) +
                         (value != NULL ? json_bytes(name, value) : 0);
    const size_t names = json_object_size(reading->extra) + (before == NULL);
    if (bytes <= EXTRA_BYTES && names <= EXTRA_NAMES &&
        json_object_set(reading->extra, name, value) == 0)
        reading->extra_bytes = bytes;
    else
        reading->not_kept++;
    json_decref(value);
}

bool bound_parse(const char *text, enum cost_model model, struct shape shape, uint64_t *bound)
{
    return model == COST_unit ? read_number(text, UINT32_MAX, bound)
                              : cost_parse(text, costs_make(model, shape).scale, bound);
}

/* Takes a bound, which goes to extra as well. One that is no cost is not heeded. */
static void take_bound(struct reading *reading, const char *name, const char *text)
{
    uint64_t bound;
    const struct question *question = reading->question;
    if (strcmp(name, "bound") == 0 &&
        bound_parse(text, question->cost, question->task->start.shape, &bound) &&
        bound > reading->bound)
        reading->bound = bound;
}

/* Takes over what it said about the run itself; false if the name is another one. */
static bool take_answer(struct reading *reading, const char *name, const char *text)
{
    const struct {
        const char *name;
        char **place;
    } places[] = {{"status", &reading->status},
                  {"moves", &reading->moves},
                  {"boards", &reading->boards},
                  {"length", &reading->length},
                  {"cost", &reading->cost}};
    take_bound(reading, name, text);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(name, places[i].name) == 0) {
            free(*places[i].place);
            *places[i].place = heap_text(text);
            return places[i].place != &reading->cost; /* which goes to extra as well */
        }
    return false;
}

/* Takes a counter or h_start; false if the name is another one. */
static bool take_figure(struct reading *reading, const char *name, const char *text)
{
    if (strcmp(name, "h_start") == 0) {
        reading->h_start = *text == '\0' ? -1 : (int)take_number(reading, name, text, UINT16_MAX);
        return true;
    }
    const size_t place = NAME_PLACE(counters, COUNTERS, name, name);
    if (place == COUNTERS || strcmp(name, "peak_bytes") == 0)
        return false;
    reading->known &= ~(1U << place);
    if (*text != '\0') {
        reading->counts[place] = take_number(reading, name, text, UINT64_MAX);
        reading->known |= 1U << place;
    }
    return true;
}

static void note_solution(struct reading *reading, const char *name, const char *text,
                          const char *end);

/* The length of the name with which a line `name: value` begins; 0: it is no such line. */
static size_t name_length(const char *line)
{
    size_t length = 0;
    if (!isalpha((unsigned char)*line) && *line != '_')
        return 0;
    while (isalnum((unsigned char)line[length]) ||
           (line[length] != '\0' && strchr("_-.", line[length]) != NULL))
        length++;
    const size_t colon = length + strspn(line + length, " \t");
    return line[colon] == ':' && length <= LONGEST_NAME ? length : 0;
}

static char *trimmed(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Takes a line, which ends at `end`. */
static void take_line(struct reading *reading, char *line, const char *end)
{
    const size_t length = name_length(line);
    if (length == 0) {
        if (reading->first_line == NULL && *line != '\0')
            reading->first_line = shown(line);
        return;
    }
    char *value = trimmed(strchr(line + length, ':') + 1);
    line[length] = '\0';
    if (!take_answer(reading, line, value) && !take_figure(reading, line, value))
        keep_extra(reading, line, json_of(value));
    note_solution(reading, line, value, end);
}

/* Where the lines end that a `boards:` before them has: at the next `name: value`. */
static char *boards_end(char *text)
{
    while (*text != '\0') {
        char *line = text + strspn(text, " \t\r");
        if (name_length(line) > 0)
            break;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

static void read_text(struct reading *reading, char *text)
{
    static const char boards[] = "boards";
    while (*text != '\0') {
        char *line = text + strspn(text, " \t\r");
        const size_t length = name_length(line);
        char *next = text + strcspn(text, "\n");
        next += *next == '\n';
        if (length == sizeof boards - 1 && strncmp(line, boards, length) == 0)
            next = boards_end(next);
        const char after = *next;
        *next = '\0';
        take_line(reading, trimmed(line), next);
        *next = after;
        text = next;
    }
}

/* A JSON value as the text that stands for it; heap memory. */
static char *text_of(const json_t *value)
{
    if (json_is_string(value))
        return heap_text(json_string_value(value));
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    return text == NULL ? heap_text("?") : text;
}

/* A list of boards as a text of boards, each of which may be a text, a list, or a list of rows. */
static char *boards_of(const json_t *list)
{
    char *text;
    size_t length;
    size_t i;
    const json_t *board;
    if (!json_is_array(list))
        return text_of(list);
    FILE *stream = heap_stream(&text, &length);
    json_array_foreach(list, i, board)
    {
        SCOPED char *one = text_of(board);
        fprintf(stream, "%s\n\n", one);
    }
    heap_stream_end(stream);
    return text;
}

/* The first line that begins with a brace, which is not part of a text before it; NULL: none. */
static const char *find_object(const char *text)
{
    while (*text != '\0') {
        const char *line = text + strspn(text, " \t\r");
        if (*line == '{')
            return line;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return NULL;
}

/* Frees what it said of the answer itself, as if it had not. */
static void forget_answer(struct reading *reading)
{
    FREE(reading->status, reading->moves, reading->boards, reading->length, reading->cost);
    reading->status = reading->moves = reading->boards = reading->length = reading->cost = NULL;
}

/* Takes what an object says, which ends at `end`, in place of the answer of the one before; its
 * solution last, as its counters are what that has cost. */
static void take_object(struct reading *reading, const json_t *said, const char *end)
{
    static const char *const solutions[] = {"moves", "length", "cost"};
    const char *name;
    json_t *value;
    forget_answer(reading);
    json_object_foreach((json_t *)(uintptr_t)said, name, value)
    {
        if (json_is_null(value))
            continue;
        SCOPED char *as_text = strcmp(name, "boards") == 0 ? boards_of(value) : text_of(value);
        SCOPED char *printable = text_printable(name);
        if (!take_answer(reading, name, as_text) && !take_figure(reading, name, as_text))
            keep_extra(reading, printable, json_incref(value));
    }
    for (size_t i = 0; i < sizeof solutions / sizeof *solutions; i++) {
        value = json_object_get(said, solutions[i]);
        SCOPED char *as_text = value == NULL || json_is_null(value) ? NULL : text_of(value);
        if (as_text != NULL)
            note_solution(reading, solutions[i], as_text, end);
    }
}

/* Reads the objects of which each begins a line. */
static void read_json(struct reading *reading, char *text)
{
    json_error_t error;
    const char *object = find_object(text);
    if (object == NULL) {
        text += strspn(text, " \t\r\n");
        text[strcspn(text, "\n")] = '\0';
        reading->first_line = *text == '\0' ? NULL : shown(text);
    }
    while (object != NULL) {
        json_auto_t *said = json_loads(object, JSON_DISABLE_EOF_CHECK, &error);
        if (said == NULL) {
            SCOPED char *why = shown(error.text);
            find_wrong(reading,
                       heap_format("its JSON object cannot be read: line %d, column %d: %s",
                                   error.line, error.column, why));
            return;
        }
        const char *end = object + error.position;
        end += strcspn(end, "\n");
        end += *end == '\n';
        take_object(reading, said, end);
        object = find_object(end);
    }
}

/* What a pattern matched. */
struct match {
    const struct output_pattern *pattern;
    char *value;      /* owned */
    size_t line, end; /* where its line ends in the text, and it itself */
};

struct matches {
    const char *text;
    const struct output_pattern *pattern; /* the one that is looked for */
    struct match *items;                  /* owned */
    size_t count;
};

static void keep_match(void *context, char *value, size_t end)
{
    struct matches *matches = context;
    const size_t line = end + strcspn(matches->text + end, "\n");
    *HEAP_ADD(matches->items, matches->count) = (struct match){matches->pattern, value, line, end};
}

static bool is_solution(const char *name)
{
    return strcmp(name, "moves") == 0 || strcmp(name, "length") == 0 || strcmp(name, "cost") == 0;
}

/* In the order of the text, but that a line's counters come before its solution: they are what it
 * has cost. */
ORDER_BY(by_place, struct match, BY(line),
         ORDER(is_solution(x->pattern->name), is_solution(y->pattern->name)), BY(end));

/* Takes what a pattern matched. */
static void take_match(struct reading *reading, const struct match *match)
{
    const char *name = match->pattern->name;
    const char *text = trimmed(match->value);
    if (output_pattern_is_status(match->pattern)) {
        free(reading->status);
        reading->status = heap_text(name);
    } else if (!take_answer(reading, name, text) && !take_figure(reading, name, text)) {
        keep_extra(reading, name, json_of(text));
    }
    note_solution(reading, name, text, reading->text + match->line);
}

/* "its 14 lines, from 'Solving' to 'done'", heap memory. */
static char *lines_shown(const char *text)
{
    size_t lines = 0;
    SCOPED char *first = NULL;
    SCOPED char *last = NULL;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        SCOPED char *line = heap_format("%.*s", (int)length, text);
        if (*trimmed(line) != '\0') {
            lines++;
            free(last);
            last = shown(trimmed(line));
            if (first == NULL)
                first = heap_text(last);
        }
        text += length + (text[length] == '\n');
    }
    return lines == 0   ? heap_text("its output, which is empty")
           : lines == 1 ? heap_format("its line '%s'", first)
                        : heap_format("its %zu lines, from '%s' to '%s'", lines, first, last);
}

/* Reads what the patterns find, in the order of the text. Those that find nothing or take too long
 * are named, but for those of a status, which only some answers have, that find nothing. */
static void read_patterns(struct reading *reading, char *text)
{
    SCOPED char *silent = NULL;
    struct matches matches = {.text = text};
    for (size_t i = 0; i < reading->external->pattern_count; i++) {
        const struct output_pattern *pattern = &reading->external->patterns[i];
        const size_t before = matches.count;
        matches.pattern = pattern;
        SCOPED char *problem =
            output_pattern_each(pattern, text, strlen(text), keep_match, &matches);
        SCOPED char *place =
            pattern->line == 0 ? heap_text("") : heap_format(" (line %zu)", pattern->line);
        while (problem != NULL &&
               matches.count > before) /* the last one, which counts, is unknown */
            free(matches.items[--matches.count].value);
        if (problem != NULL || (matches.count == before && !output_pattern_is_status(pattern)))
            heap_append(&silent, "%s%s%s", silent == NULL ? "" : ", ", pattern->name, place);
        if (problem != NULL)
            heap_append(&silent, " (gave up: %s)", problem);
    }
    if (matches.count > 0)
        qsort(matches.items, matches.count, sizeof *matches.items, by_place);
    for (size_t i = 0; i < matches.count; i++) {
        take_match(reading, &matches.items[i]);
        free(matches.items[i].value);
    }
    free(matches.items);
    if (silent != NULL) {
        SCOPED char *lines = lines_shown(text);
        reading->unmatched = heap_format("parse: %s matched nothing in %s", silent, lines);
    }
}

/* Reads the path that `moves` says, as moves of the blank; heap memory. *bad: what is no move, or
 * NULL. */
static char *moves_of(const struct external *external, const char *text, const char **bad)
{
    static const char between[] = " \t\r\n,;[]()'\"";
    size_t count = 0;
    char *moves = heap_take(strlen(text) + 1, 1);
    *bad = NULL;
    for (; *text != '\0' && *bad == NULL; text++) {
        const unsigned move = move_parse(*text);
        if (strchr(between, *text) != NULL)
            continue;
        if (move == MOVE_NONE)
            *bad = text;
        else
            moves[count++] = move_letters[external->tile_moves ? move_undo(move) : move];
    }
    return moves;
}

static char *read_moves(struct reading *reading)
{
    const char *bad;
    char *moves = moves_of(reading->external, reading->moves, &bad);
    if (bad != NULL) {
        SCOPED char *said = shown(bad);
        find_wrong(reading, heap_format("moves: move %zu is not one of U, D, L and R: '%s'",
                                        strlen(moves) + 1, said));
    }
    return moves;
}

/* ---- Solutions that improve ---- */

/* When the text up to `end` had come; 0 where that is not known. */
static double arrival(const struct reading *reading, const char *end)
{
    const struct arrivals *arrivals = reading->arrivals;
    for (size_t i = 0; arrivals != NULL && i < arrivals->count; i++)
        if (arrivals->items[i].bytes >= (size_t)(end - reading->text))
            return arrivals->items[i].seconds;
    return 0;
}

static uint64_t counted_so_far(const struct reading *reading, const char *name)
{
    const size_t place = NAME_PLACE(counters, COUNTERS, name, name);
    return (reading->known >> place & 1) != 0 ? reading->counts[place] : COUNT_UNKNOWN;
}

/* Keeps a solution of which the text up to `end` speaks, if it costs less than those before: a path
 * than those with a path, as a claim may be false. False if it does not. */
static bool keep_incumbent(struct reading *reading, uint64_t length, uint64_t cost, bool verified,
                           const char *end)
{
    const size_t count = reading->incumbent_count;
    for (size_t i = 0; i < count; i++)
        if (reading->incumbents[i].cost <= cost && (reading->incumbents[i].verified || !verified))
            return false;
    const size_t at = count < MAX_INCUMBENTS ? count : MAX_INCUMBENTS - 1;
    reading->incumbents = heap_grow(reading->incumbents, at, sizeof *reading->incumbents);
    reading->incumbents[at] = (struct incumbent){arrival(reading, end),
                                                 counted_so_far(reading, "expanded"),
                                                 counted_so_far(reading, "generated"),
                                                 length,
                                                 cost,
                                                 verified,
                                                 reading->bound};
    reading->incumbent_count = at + 1;
    return true;
}

/* What a path that leads to the goal costs; COUNT_UNKNOWN: it does not lead there, or that is
 * beyond 64 bits. */
static uint64_t cost_of_path(const struct question *question, const char *moves)
{
    const struct task *task = question->task;
    const struct move_costs costs = costs_make(question->cost, task->start.shape);
    const struct replay replay = replay_path(&task->start, &task->goal, moves, strlen(moves));
    uint64_t cost;
    return replay.outcome == REPLAY_REACHES_GOAL && replay_cost(&replay, &costs, &cost)
               ? cost
               : COUNT_UNKNOWN;
}

/* A line of moves, or of a length or cost without a path, is a solution. Where moves cost different
 * amounts, only moves are. */
static void note_solution(struct reading *reading, const char *name, const char *text,
                          const char *end)
{
    uint64_t length;
    if (strcmp(name, "moves") == 0) {
        const char *bad;
        char *moves = moves_of(reading->external, text, &bad);
        const uint64_t cost = bad == NULL ? cost_of_path(reading->question, moves) : COUNT_UNKNOWN;
        if (cost != COUNT_UNKNOWN && keep_incumbent(reading, strlen(moves), cost, true, end)) {
            free(reading->best);
            reading->best = moves;
        } else {
            free(moves);
        }
    } else if (is_solution(name) && reading->moves == NULL && reading->boards == NULL &&
               reading->best == NULL && reading->question->cost == COST_unit &&
               read_number(text, UINT32_MAX, &length) && length > 0) {
        (void)keep_incumbent(reading, length, length, false, end);
    }
}

/* The path that `boards` shows, as moves; heap memory. */
static char *read_boards(struct reading *reading)
{
    SCOPED_BY(board_list_end) struct board_list list;
    const struct task *task = reading->question->task;
    SCOPED_BY(report_end) struct report report = {.file = "boards"};
    boards_parse(reading->boards, &task->start.shape, FIRST_PLACE, &report, &list);
    char *moves = heap_take(list.count + 1, 1);
    if (report.count > 0)
        find_wrong(reading, report_first(&report));
    else if (list.count == 0)
        find_wrong(reading, heap_text("boards: there are none; expected those of the path, from "
                                      "the start to the goal"));
    else if (!board_equal(&list.boards[0], &task->start))
        find_wrong(reading, heap_text("boards: the first one is not the start"));
    for (size_t i = 0; i + 1 < list.count && reading->wrong == NULL; i++) {
        const unsigned move = move_between(&list.boards[i], &list.boards[i + 1]);
        if (move == MOVE_NONE)
            find_wrong(reading, heap_format("boards: step %zu: board %zu is not one move from "
                                            "board %zu",
                                            i + 1, i + 2, i + 1));
        else
            moves[i] = move_letters[move];
    }
    return moves;
}

/* Reads the path, from whichever of the two it gave, and holds its length against what it said. */
static char *read_path(struct reading *reading)
{
    if (reading->moves == NULL && reading->boards == NULL && reading->length != NULL &&
        strcmp(reading->length, "0") == 0)
        return heap_text(""); /* as tilelab solve says it where the start is the goal */
    if (reading->moves == NULL && reading->boards == NULL) {
        find_wrong(reading,
                   heap_text("status: solved, but neither moves nor boards (tilelab solve prints "
                             "more than 1,000 moves only with --json --moves)"));
        return NULL;
    }
    char *moves = reading->moves != NULL ? read_moves(reading) : read_boards(reading);
    if (reading->moves != NULL && reading->boards != NULL) {
        SCOPED char *other = read_boards(reading);
        if (strcmp(moves, other) != 0)
            find_wrong(reading, heap_text("moves and boards are different paths"));
    }
    const size_t length = strlen(moves);
    if (reading->length != NULL && reading->length[0] != '\0' && reading->wrong == NULL &&
        take_number(reading, "length", reading->length, UINT64_MAX) != length)
        find_wrong(reading,
                   heap_format("length: %s, but the path has %zu moves", reading->length, length));
    return moves;
}

/* The length that it claims without a path: `length`, or where every move costs 1, a whole `cost`.
 * NULL: none. An empty path is no claim: it is the path. */
static const char *claimed_length(const struct reading *reading)
{
    uint64_t number;
    const char *said = reading->length != NULL && reading->length[0] != '\0' ? reading->length
                       : reading->question->cost == COST_unit                ? reading->cost
                                                                             : NULL;
    if (reading->moves != NULL || reading->boards != NULL || said == NULL)
        return NULL;
    return read_number(said, UINT32_MAX, &number) && number > 0 ? said : NULL;
}

/* The status that it said or that follows from what it said. */
static enum status read_status(struct reading *reading)
{
    const char *names[STATUSES];
    enum status status = STATUS_solved;
    if (reading->status != NULL) {
        for (unsigned i = 0; i < STATUSES; i++)
            names[i] = status_rows[i].name;
        while (status < STATUSES && strcmp(reading->status, names[status]) != 0)
            status++;
        if (status == STATUSES) {
            SCOPED char *said = shown(reading->status);
            SCOPED char *meant = word_meant(said, names, STATUSES);
            find_wrong(reading, heap_format("status: %s is none; expected one of tilelab list "
                                            "statuses%s",
                                            said, meant));
        } else if (status == STATUS_crashed || status == STATUS_wrong_answer ||
                   status == STATUS_interrupted || status == STATUS_lost) {
            find_wrong(reading, heap_format("it says status: %s", names[status]));
        }
    } else if (reading->moves == NULL && reading->boards == NULL &&
               claimed_length(reading) == NULL) {
        find_wrong(reading,
                   reading->unmatched != NULL ? heap_format("no answer: %s", reading->unmatched)
                   : reading->first_line == NULL
                       ? heap_text("no answer: expected moves, a length or a status")
                       : heap_format("no answer: expected moves, a length or a status; it printed "
                                     "'%s'",
                                     reading->first_line));
    }
    if (status == STATUS_solved && claimed_length(reading) != NULL)
        return STATUS_claimed;
    if (status == STATUS_claimed && claimed_length(reading) == NULL)
        find_wrong(reading, heap_text("status: claimed, but no length above 0 alone"));
    return status;
}

/* What a status other than solved leaves unused is kept as well. */
static void keep_unused(struct reading *reading)
{
    if (reading->moves != NULL && reading->moves[0] != '\0')
        keep_extra(reading, "moves", json_of(reading->moves));
    if (reading->boards != NULL)
        keep_extra(reading, "boards", json_of(reading->boards));
    if (reading->length != NULL && reading->length[0] != '\0')
        keep_extra(reading, "length", json_of(reading->length));
}

/* The seed, if the program was told it by name. */
static void keep_seed(struct reading *reading)
{
    if (external_has(reading->external, "seed") && json_object_get(reading->extra, "seed") == NULL)
        keep_extra(reading, "seed", json_integer(reading->question->seed));
}

/* The extra as one printable line of JSON: a control character is an escape already, and any other
 * character that is not printable stands within a text. */
static char *extra_text(struct reading *reading)
{
    if (reading->not_kept > 0)
        json_object_set_new(reading->extra, "not_kept",
                            json_integer((json_int_t)reading->not_kept));
    if (json_object_size(reading->extra) == 0)
        return NULL;
    SCOPED char *text = json_dumps(reading->extra, EXTRA_FORM);
    return text == NULL ? NULL : text_printable(text);
}

static void reading_end(struct reading *reading)
{
    forget_answer(reading);
    FREE(reading->first_line, reading->unmatched, reading->incumbents, reading->best);
    json_decref(reading->extra);
}

char *protocol_read(const struct external *external, const struct question *question,
                    const char *text, size_t length, const struct arrivals *arrivals,
                    struct result *result, struct answer *answer)
{
    struct reading reading = {.external = external,
                              .question = question,
                              .arrivals = arrivals,
                              .h_start = -1,
                              .extra = json_object()};
    SCOPED char *copy = heap_take(length + 1, 1);
    for (size_t i = 0; i < length; i++)
        copy[i] = text[i] == '\0' ? '\1' : text[i]; /* neither is printable */
    reading.text = copy;
    *result = (struct result){.status = STATUS_crashed, .h_start = -1};
    *answer = (struct answer){0};
    (external->pattern_count > 0 ? read_patterns
     : external->json            ? read_json
                                 : read_text)(&reading, copy);
    const enum status status = reading.wrong == NULL ? read_status(&reading) : STATUS_crashed;
    char *moves = NULL;
    uint64_t claimed = 0;
    if (reading.wrong == NULL && status == STATUS_solved)
        moves = read_path(&reading);
    else if (reading.wrong == NULL && status == STATUS_claimed)
        read_number(claimed_length(&reading), UINT32_MAX, &claimed);
    else if (reading.wrong == NULL)
        keep_unused(&reading);
    if (reading.incumbent_count > 1) { /* one is in the row itself */
        result->incumbents = reading.incumbents;
        result->incumbent_count = reading.incumbent_count;
        reading.incumbents = NULL;
    }
    result->bound = reading.wrong == NULL ? reading.bound : 0;
    if (reading.wrong == NULL) {
        result->status = status;
        result->moves = moves;
        result->length = moves == NULL ? (size_t)claimed : strlen(moves);
        result->h_start = reading.h_start;
        memcpy(&result->statistics, reading.counts, sizeof reading.counts);
        answer->known = reading.known;
        keep_seed(&reading);
        answer->extra = extra_text(&reading);
        answer->message = reading.unmatched;
        reading.unmatched = NULL;
    } else {
        free(moves);
    }
    reading_end(&reading);
    return reading.wrong;
}

void protocol_read_best(const struct external *external, const struct question *question,
                        const char *text, size_t length, const struct arrivals *arrivals,
                        struct result *result)
{
    SCOPED_BY(reading_end)
    struct reading reading = {.external = external,
                              .question = question,
                              .arrivals = arrivals,
                              .h_start = -1,
                              .extra = json_object()};
    while (length > 0 && text[length - 1] != '\n')
        length--;
    SCOPED char *copy = heap_take(length + 1, 1);
    memcpy(copy, text, length);
    reading.text = copy;
    (external->pattern_count > 0 ? read_patterns
     : external->json            ? read_json
                                 : read_text)(&reading, copy);
    result->bound = reading.bound;
    result->incumbents = reading.incumbents;
    result->incumbent_count = reading.incumbent_count;
    result->moves = reading.best;
    result->length = reading.best == NULL ? 0 : strlen(reading.best);
    reading.incumbents = NULL;
    reading.best = NULL;
    free(reading.wrong);
}
