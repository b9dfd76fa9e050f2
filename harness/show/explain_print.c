#include "harness/show/cards.h"
#include "harness/show/explain.h"
#include "harness/text/screen.h"
#include <inttypes.h>
#include <string.h>

enum { USUAL_WIDTH = 110, SHOWN_BOARDS = 3 };

/* "expanded=47, generated=80": as asked, or as counted. */
static void print_counts(const struct explanation *explanation, const uint64_t *counted, FILE *file)
{
    for (unsigned i = 0; i < explanation->question.asked_count; i++)
        fprintf(file, "%s%s=%" PRIu64, i == 0 ? "" : ", ", explain_counter(explanation, i),
                counted != NULL ? counted[i] : explanation->question.asked[i].value);
}

static void add_card(struct cards *cards, const char *whose, const struct step *step, bool informed)
{
    cards_add(cards);
    cards_line(cards, "%s", whose);
    if (step->ended) {
        cards_line(cards, "has ended");
        return;
    }
    cards_board(cards, &step->board);
    if (informed)
        cards_line(cards, "g %u  h %u", step->g, step->h);
    else
        cards_line(cards, "g %u", step->g);
}

static void print_parting(const struct explanation *explanation, const struct way *way, bool boards,
                          FILE *file)
{
    const struct parting parting = explain_parting(explanation, way);
    const bool informed = explanation->question.solver.heuristic.kind != NULL;
    struct cards cards = {0};
    if (!parting.differs) {
        fputs("   both expand the same nodes in the same order; only what is counted differs\n\n",
              file);
        return;
    }
    fprintf(file, "   the searches part at step %" PRIu64 "%s\n\n", parting.step,
            boards ? ", where each expands:" : "");
    if (!boards)
        return;
    add_card(&cards, "tilelab", &parting.own, informed);
    add_card(&cards, "this way", &parting.other, informed);
    cards_print(&cards, file, USUAL_WIDTH);
}

static void print_way(const struct explanation *explanation, const struct way *way, FILE *file)
{
    unsigned said = 0;
    for (int values = 1; values >= 0; values--) /* first in one line, then line by line */
        for (unsigned i = 0; i < explanation->dimension_count; i++) {
            const struct difference difference = explain_difference(explanation, way, i);
            if (difference.name == NULL)
                continue;
            if (values)
                fprintf(file, "%s%s=%s", said++ == 0 ? "" : ", ", difference.name,
                        difference.value);
            else
                fprintf(file, "%s   %s: %s", said-- > 0 ? "\n" : "", difference.name,
                        difference.meaning);
            free(difference.name);
            free(difference.value);
            free(difference.meaning);
        }
    fputs(way->differences == 0 ? "as tilelab searches and counts\n" : "\n", file);
}

static void print_scope(const struct explanation *explanation, FILE *file)
{
    fprintf(file, "%" PRIu64 " searches of up to %u differences were tried", explanation->searches,
            explanation->differences);
    if (explanation->unfinished > 0)
        fprintf(file, "; %" PRIu64 " of them were too long", explanation->unfinished);
    fputs(explanation->complete ? "\n" : "; more would need more nodes (--nodes)\n", file);
}

static void print_none(const struct explanation *explanation, FILE *file)
{
    fputs("no convention gives ", file);
    print_counts(explanation, NULL, file);
    fputs("\n", file);
    for (unsigned i = 0; i < explanation->question.asked_count; i++)
        fprintf(file, "%s: from %" PRIu64 " to %" PRIu64 "\n", explain_counter(explanation, i),
                explanation->min[i], explanation->max[i]);
    fputs("the nearest, ", file);
    print_counts(explanation, explanation->nearest.counted, file);
    fputs(": ", file);
    print_way(explanation, &explanation->nearest, file);
    if (explanation->elsewhere[0] == '\0') {
        fputs("nor does the board read by columns, another goal or another heuristic\n", file);
        return;
    }
    fputs("it fits with:\n", file);
    for (const char *line = explanation->elsewhere; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        fprintf(file, "  %.*s\n", (int)length, line);
        line += length + 1;
    }
}

void explanation_print(const struct explanation *explanation, size_t shown, FILE *file)
{
    char *text = solver_text(&explanation->question.solver);
    uint64_t own[MAX_ASKED];
    for (unsigned i = 0; i < explanation->question.asked_count; i++)
        own[i] = explain_own(explanation, i);
    fprintf(file, "%s, order %s: ", text, explanation->question.task.order);
    free(text);
    print_counts(explanation, own, file);
    fputs("\n", file);
    if (explanation->count == 0) {
        print_none(explanation, file);
    } else {
        print_counts(explanation, NULL, file);
        fprintf(file, ": %zu way%s%s\n\n", explanation->count,
                explanation->count == 1 ? "" : "s, the fewest differences first",
                explanation->count > shown ? "; the others by --ways" : "");
    }
    for (size_t i = 0; i < explanation->count && i < shown; i++) {
        fprintf(file, "%zu. ", i + 1);
        print_way(explanation, &explanation->ways[i], file);
        if (explanation->ways[i].differences > 0)
            print_parting(explanation, &explanation->ways[i], i < SHOWN_BOARDS, file);
    }
    print_scope(explanation, file);
}

/* ---- JSON ---- */

static json_t *json_counts(const struct explanation *explanation, const uint64_t *counted)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < explanation->question.asked_count; i++)
        json_object_set_new(object, explain_counter(explanation, i),
                            json_integer((json_int_t)counted[i]));
    return object;
}

static json_t *json_step(const struct step *step)
{
    char line[BOARD_LINE];
    if (step->ended)
        return json_null();
    board_line(&step->board, line);
    return json_pack("{s:s, s:i, s:i}", "board", line, "g", (int)step->g, "h", (int)step->h);
}

static json_t *json_way(const struct explanation *explanation, const struct way *way)
{
    const struct parting parting = explain_parting(explanation, way);
    json_t *differences = json_array();
    for (unsigned i = 0; i < explanation->dimension_count; i++) {
        const struct difference difference = explain_difference(explanation, way, i);
        if (difference.name != NULL)
            json_array_append_new(differences,
                                  json_pack("{s:s, s:s, s:s}", "name", difference.name, "value",
                                            difference.value, "meaning", difference.meaning));
        free(difference.name);
        free(difference.value);
        free(difference.meaning);
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "differences", differences, "counts",
                     json_counts(explanation, way->counted), "parts_at",
                     parting.differs ? json_integer((json_int_t)parting.step) : json_null(), "own",
                     parting.differs ? json_step(&parting.own) : json_null(), "other",
                     parting.differs ? json_step(&parting.other) : json_null());
}

json_t *explanation_json(const struct explanation *explanation, size_t shown)
{
    char *text = solver_text(&explanation->question.solver);
    uint64_t own[MAX_ASKED], asked[MAX_ASKED];
    json_t *ways = json_array();
    for (unsigned i = 0; i < explanation->question.asked_count; i++) {
        own[i] = explain_own(explanation, i);
        asked[i] = explanation->question.asked[i].value;
    }
    for (size_t i = 0; i < explanation->count && i < shown; i++)
        json_array_append_new(ways, json_way(explanation, &explanation->ways[i]));
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:b, s:s?}", "solver", text,
        "order", explanation->question.task.order, "asked", json_counts(explanation, asked), "own",
        json_counts(explanation, own), "count", (json_int_t)explanation->count, "ways", ways,
        "nearest", json_way(explanation, &explanation->nearest), "min",
        json_counts(explanation, explanation->min), "max",
        json_counts(explanation, explanation->max), "searches", (json_int_t)explanation->searches,
        "unfinished", (json_int_t)explanation->unfinished, "complete", explanation->complete,
        "elsewhere", explanation->elsewhere);
    free(text);
    return object;
}
