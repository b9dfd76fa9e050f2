#include "harness/external/printed.h"
#include "base/heap.h"
#include "base/named.h"

char *printed_words(const char *lines)
{
    char *words = heap_text("");
    const char *at = lines;
    while (*at != '\0') {
        const size_t length = strcspn(at, "\n");
        SCOPED char *line = heap_format("%.*s", (int)length, at);
        char *end = line + strlen(line);
        while (end > line && (end[-1] == '\r' || end[-1] == ' '))
            *--end = '\0';
        SCOPED char *printable = text_printable(line);
        if (*line != '\0')
            heap_append(&words, "%s%s", words[0] == '\0' ? ": " : " | ", printable);
        at += length + (at[length] == '\n');
    }
    return words;
}

void printed_fail(struct result *result, struct answer *answer, enum status status, char *message)
{
    free(result->moves);
    result->moves = NULL;
    result->length = 0;
    result->status = status;
    free(answer->message);
    answer->message = message;
}

void printed_read(const struct external *external, const struct question *question,
                  const struct printed *printed, struct result *result, struct answer *answer)
{
    if (!printed->answered) {
        printed_fail(result, answer, printed->status,
                     printed->message == NULL ? NULL : heap_text(printed->message));
        return;
    }
    SCOPED char *why = protocol_read(external, question, printed->output, printed->bytes,
                                     printed->arrivals, result, answer);
    if (why == NULL)
        return;
    SCOPED char *words = printed_words(printed->error);
    printed_fail(result, answer, printed->killed ? STATUS_lost : STATUS_crashed,
                 heap_format("%s%s", why, words));
}

/* Of a program that a limit ended the best solution counts that it had printed. */
static void keep_best(const struct external *external, const struct question *question,
                      const struct printed *printed, struct result *result, struct answer *answer)
{
    if (!status_is_limit(result->status))
        return;
    FREE(result->moves, result->incumbents);
    protocol_read_best(external, question, printed->output, printed->bytes, printed->arrivals,
                       result);
    if (answer->extra == NULL && result->bound > 0) { /* so that the row can be judged by it */
        const struct move_costs costs = costs_make(question->cost, question->task->start.shape);
        char bound[COST_TEXT];
        cost_text(result->bound, costs.scale, bound);
        answer->extra = strchr(bound, '/') == NULL ? heap_format("{\"bound\":%s}", bound)
                                                   : heap_format("{\"bound\":\"%s\"}", bound);
    }
}

void printed_complete(const struct external *external, const struct question *question,
                      const struct printed *printed, const struct measured_run *measured,
                      struct result *result, struct answer *answer)
{
    const struct limits *limits = question->limits;
    const bool answered = result->status != STATUS_crashed && result->status != STATUS_lost &&
                          result->status != STATUS_interrupted;
    if (answered && limits->seconds > 0 && measured->wall_seconds >= limits->seconds)
        printed_fail(result, answer, STATUS_time_limit, NULL);
    else if (answered && limits->cpu_seconds > 0 && measured->cpu_seconds >= limits->cpu_seconds)
        printed_fail(result, answer, STATUS_cpu_limit, NULL);
    else if (answered && limits->bytes > 0 && measured->peak_bytes > limits->bytes)
        printed_fail(result, answer, STATUS_memory_limit, NULL);
    else if (answered && limits->nodes > 0 && result->statistics.generated > limits->nodes)
        printed_fail(result, answer, STATUS_node_limit, NULL);
    result->wall_seconds = measured->wall_seconds;
    result->cpu_seconds = measured->cpu_seconds;
    const bool seen =
        measured->peak_bytes > 0 && (measured->sure || result->status == STATUS_memory_limit);
    result->statistics.peak_bytes = seen ? measured->peak_bytes : 0;
    if (seen)
        answer->known |= 1U << NAME_PLACE(counters, COUNTERS, name, "peak_bytes");
    keep_best(external, question, printed, result, answer);
}
