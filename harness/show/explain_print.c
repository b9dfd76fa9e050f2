#include "harness/show/cards.h"
#include "harness/show/explain.h"
#include "puzzle/text.h"

enum { USUAL_WIDTH = 110, SHOWN_BOARDS = 3 };

static json_int_t number_in(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static const char *text_in(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* "expanded=47, generated=80" */
static void print_counts(json_t *counts, FILE *file)
{
    const char *name, *between = "";
    json_t *value;
    json_object_foreach(counts, name, value)
    {
        fprintf(file, "%s%s=%lld", between, name, (long long)json_integer_value(value));
        between = ", ";
    }
}

static void add_card(struct cards *cards, const char *whose, const json_t *step, struct shape shape)
{
    struct board board;
    cards_add(cards);
    cards_line(cards, "%s", whose);
    if (json_is_null(step)) {
        cards_line(cards, "has ended");
        return;
    }
    if (board_of_line(text_in(step, "board"), shape, &board))
        cards_board(cards, &board);
    if (json_is_null(json_object_get(step, "h")))
        cards_line(cards, "g %d", (int)number_in(step, "g"));
    else
        cards_line(cards, "g %d  h %d", (int)number_in(step, "g"), (int)number_in(step, "h"));
}

static void print_parting(const json_t *way, bool boards, struct shape shape, FILE *file)
{
    struct cards cards = {0};
    if (json_is_null(json_object_get(way, "parts_at"))) {
        fputs("   both expand the same nodes in the same order; only what is counted differs\n\n",
              file);
        return;
    }
    fprintf(file, "   the searches part at step %lld%s\n\n", (long long)number_in(way, "parts_at"),
            boards ? ", where each expands:" : "");
    if (!boards)
        return;
    add_card(&cards, "tilelab", json_object_get(way, "own"), shape);
    add_card(&cards, "this way", json_object_get(way, "other"), shape);
    cards_print(&cards, file, USUAL_WIDTH);
}

/* The values on one line, then what they mean, if that is wanted. */
static void print_differences(const json_t *way, bool meanings, FILE *file)
{
    const json_t *differences = json_object_get(way, "differences");
    const json_t *difference;
    size_t i;
    if (json_array_size(differences) == 0)
        fputs("as tilelab searches and counts", file);
    json_array_foreach(differences, i, difference)
        fprintf(file, "%s%s=%s", i == 0 ? "" : ", ", text_in(difference, "name"),
                text_in(difference, "value"));
    putc('\n', file);
    json_array_foreach(differences, i, difference) if (meanings)
        fprintf(file, "   %s: %s\n", text_in(difference, "name"), text_in(difference, "meaning"));
}

static void print_none(const json_t *explanation, FILE *file)
{
    const json_t *elsewhere = json_object_get(explanation, "elsewhere");
    const json_t *nearest = json_object_get(explanation, "nearest");
    json_t *asked = json_object_get(explanation, "asked");
    const json_t *value;
    const char *name;
    size_t i;
    fputs("no convention gives ", file);
    print_counts(asked, file);
    putc('\n', file);
    json_object_foreach(asked, name, value)
        fprintf(file, "%s: from %lld to %lld\n", name,
                (long long)number_in(json_object_get(explanation, "min"), name),
                (long long)number_in(json_object_get(explanation, "max"), name));
    fputs("the nearest, ", file);
    print_counts(json_object_get(nearest, "counts"), file);
    fputs(": ", file);
    print_differences(nearest, true, file);
    fputs(json_array_size(elsewhere) > 0
              ? "it fits with:\n"
              : "nor does the board read by columns, another goal or another heuristic\n",
          file);
    json_array_foreach(elsewhere, i, value)
    {
        fprintf(file, "  %s, ", text_in(value, "what"));
        print_differences(value, false, file);
    }
}

static void print_ways(const json_t *explanation, struct shape shape, FILE *file)
{
    const json_t *ways = json_object_get(explanation, "ways");
    const size_t count = (size_t)number_in(explanation, "count");
    const json_t *way;
    size_t i;
    print_counts(json_object_get(explanation, "asked"), file);
    fprintf(file, ": %zu way%s%s\n\n", count, count == 1 ? "" : "s, the fewest differences first",
            count > json_array_size(ways) ? "; the others by --ways" : "");
    json_array_foreach(ways, i, way)
    {
        fprintf(file, "%zu. ", i + 1);
        print_differences(way, true, file);
        if (json_array_size(json_object_get(way, "differences")) > 0)
            print_parting(way, i < SHOWN_BOARDS, shape, file);
    }
}

void explanation_print(const json_t *explanation, struct shape shape, FILE *file)
{
    fprintf(file, "%s, order %s: ", text_in(explanation, "solver"), text_in(explanation, "order"));
    print_counts(json_object_get(explanation, "own"), file);
    putc('\n', file);
    if (number_in(explanation, "count") == 0)
        print_none(explanation, file);
    else
        print_ways(explanation, shape, file);
    fprintf(file, "%lld searches of up to %lld differences were tried",
            (long long)number_in(explanation, "searches"),
            (long long)number_in(explanation, "differences"));
    if (number_in(explanation, "unfinished") > 0)
        fprintf(file, "; %lld of them were too long",
                (long long)number_in(explanation, "unfinished"));
    fputs(json_is_true(json_object_get(explanation, "complete"))
              ? "\n"
              : "; more would need more nodes (--nodes)\n",
          file);
}
