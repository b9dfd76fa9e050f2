#include "base/object_options.h"
#include "base/heap.h"
#include "base/named.h"
#include "base/object.h"

#define LARGEST_VALUE 1000000000 /* of a number or decimal */

/* What is wrong with the range, words and value of an option; NULL: nothing. */
static const char *wrong_values(const struct tilelab_option *option)
{
    const long long worth = option->kind == TILELAB_DECIMAL ? DECIMAL_ONE : 1;
    size_t words = 0;
    switch (option->kind) {
    case TILELAB_FLAG:
        return option->initial < 0 || option->initial > 1 ? "a default of 0 or 1" : NULL;
    case TILELAB_CHOICE:
        while (option->choices != NULL && words <= MAX_CHOICES && option->choices[words] != NULL &&
               object_is_name(option->choices[words]))
            words++;
        if (words == 0 || words > MAX_CHOICES || option->choices[words] != NULL)
            return "1 to 4 words of lower-case letters, digits and _";
        return option->initial < 0 || option->initial >= (long long)words
                   ? "the number of a word as its default"
                   : NULL;
    case TILELAB_NUMBER:
    case TILELAB_DECIMAL:
        if (option->min < 0 || option->max < option->min || option->max > LARGEST_VALUE)
            return "a range within 0 to 1000000000";
        if (option->kind == TILELAB_NUMBER && option->initial == OPTION_UNSET)
            return NULL;
        return option->initial < option->min * worth || option->initial > option->max * worth
                   ? "a default within its range"
                   : NULL;
    default:
        return "a kind that tilelab/heuristic.h has";
    }
}

char *object_options_check(const char *file, const struct tilelab_option *said)
{
    for (unsigned i = 0; said != NULL && said[i].name != NULL; i++) {
        const char *name = said[i].name;
        if (i == MAX_OPTIONS)
            return heap_format("%s has more than %d options; expected fewer", file, MAX_OPTIONS);
        if (!object_is_name(name) || NAME_PLACE(said, i, name, name) < i)
            return heap_format("%s calls an option '%.60s'; expected a name of its own: a "
                               "lower-case letter, then lower-case letters, digits and _, at most "
                               "%d",
                               file, name, LONGEST_NAME);
        const char *expected = wrong_values(&said[i]);
        if (expected != NULL)
            return heap_format("%s has a wrong option '%s'; expected %s", file, name, expected);
    }
    return NULL;
}

static struct option_row row_of(const struct tilelab_option *option,
                                unsigned (*properties)(unsigned forfeits))
{
    static const enum option_kind kinds[] = {[TILELAB_FLAG] = OPTION_FLAG,
                                             [TILELAB_CHOICE] = OPTION_CHOICE,
                                             [TILELAB_NUMBER] = OPTION_NUMBER,
                                             [TILELAB_DECIMAL] = OPTION_DECIMAL};
    const int64_t worth = option->kind == TILELAB_DECIMAL ? DECIMAL_ONE : 1;
    struct option_row row = {.name = heap_text(option->name),
                             .help = text_printable(option->help == NULL ? "" : option->help),
                             .kind = kinds[option->kind],
                             .fallback = option->initial,
                             .min = option->min * worth,
                             .max = option->max * worth,
                             .forfeits = properties(option->forfeits)};
    for (unsigned i = 0; option->kind == TILELAB_CHOICE && option->choices[i] != NULL; i++)
        row.choices[i] = heap_text(option->choices[i]);
    return row;
}

void object_options_make(struct object_options *options, const struct tilelab_option *said,
                         unsigned (*properties)(unsigned forfeits))
{
    for (unsigned i = 0; said != NULL && said[i].name != NULL; i++) {
        options->rows[i] = row_of(&said[i], properties);
        options->forfeits[i] = said[i].forfeits;
    }
}

void object_options_end(struct object_options *options)
{
    for (unsigned i = 0; options->rows[i].kind != OPTION_END; i++) {
        struct option_row *row = &options->rows[i];
        free((char *)(uintptr_t)row->name);
        free((char *)(uintptr_t)row->help);
        for (unsigned j = 0; row->choices[j] != NULL; j++)
            free((char *)(uintptr_t)row->choices[j]);
    }
}
