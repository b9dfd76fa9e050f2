#include "harness/external/output_patterns.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/named.h"
#include "search/task.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The text of a code of PCRE2; heap memory. */
static char *message_of(int code)
{
    enum { LONGEST_MESSAGE = 256 };
    PCRE2_UCHAR text[LONGEST_MESSAGE];
    if (pcre2_get_error_message(code, text, sizeof text) < 0)
        return heap_format("error %d", code);
    return heap_text((const char *)text);
}

char *output_pattern_compile(struct output_pattern *pattern)
{
    int code;
    PCRE2_SIZE offset;
    pattern->compiled =
        pcre2_compile((PCRE2_SPTR)pattern->text, PCRE2_ZERO_TERMINATED,
                      PCRE2_MULTILINE | PCRE2_USE_OFFSET_LIMIT, &code, &offset, NULL);
    if (pattern->compiled != NULL)
        return NULL;
    SCOPED char *why = message_of(code);
    return heap_format("at character %zu: %s", (size_t)offset + 1, why);
}

/* PCRE2 limits the steps of a match from each place where it may begin, but not their sum: so it is
 * asked about a window of such places at a time, as many as take a moment. */
static size_t next_window(size_t window, double seconds)
{
    enum { FASTER = 4, LARGEST = 1 << 30 };
    const double moment = 0.02;
    return seconds > moment ? 1 + window / FASTER : window < LARGEST ? 2 * window : window;
}

char *output_pattern_each(const struct output_pattern *pattern, const char *text, size_t length,
                          void (*found)(void *context, char *value, size_t end), void *context)
{
    const pcre2_code *compiled = pattern->compiled;
    pcre2_match_data *data = pcre2_match_data_create_from_pattern(compiled, NULL);
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    if (data == NULL || limits == NULL)
        heap_exhausted();
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(data);
    const double begun = clock_thread();
    double now = begun;
    size_t at = 0;
    size_t window = 1;
    int groups = PCRE2_ERROR_NOMATCH;
    while (at <= length && now - begun < PATTERN_SECONDS) {
        const double before = now;
        const size_t last = length - at < window ? length : at + window - 1;
        pcre2_set_offset_limit(limits, last);
        groups = pcre2_match(compiled, (PCRE2_SPTR)text, length, at, 0, data, limits);
        if (groups == PCRE2_ERROR_NOMATCH) {
            at = last + 1;
        } else if (groups > 0) {
            const size_t group = groups > 1 && ends[2] != PCRE2_UNSET ? 1 : 0;
            const size_t first = ends[2 * group];
            found(context, heap_format("%.*s", (int)(ends[2 * group + 1] - first), text + first),
                  ends[1]);
            at = ends[1] > at ? ends[1] : at + 1; /* an empty match would come again */
        } else {
            break;
        }
        now = clock_thread();
        window = next_window(window, now - before);
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(limits);
    return groups < 0 && groups != PCRE2_ERROR_NOMATCH ? message_of(groups)
           : at <= length ? heap_format("more than %g s of processor time", PATTERN_SECONDS)
                          : NULL;
}

bool output_pattern_is_status(const struct output_pattern *pattern)
{
    return NAME_PLACE(status_rows, STATUSES, name, pattern->name) < STATUSES;
}

void output_pattern_end(struct output_pattern *pattern)
{
    pcre2_code_free(pattern->compiled);
    FREE(pattern->name, pattern->text);
}
