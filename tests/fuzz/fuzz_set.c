/* A set from any text, in any form and with any goal, is read or refused with a problem. What
 * set_write writes of it is read back as equal. */
#include "fuzz.h"
#include "instances/set.h"

static void check_same(const struct instance_list *list)
{
    SCOPED char *text = NULL;
    size_t length = 0;
    SCOPED_BY(report_end) struct report report;
    SCOPED_BY(instance_list_end) struct instance_list again = {0};
    FILE *stream = open_memstream(&text, &length);
    MUST_HOLD(stream != NULL && set_write(stream, list));
    fclose(stream);
    report_start(&report, "again");
    bool fine = set_parse(text, "s", NULL, "blank-last", &report, &again);
    if (!fine)
        fputs(report.text, stderr);
    MUST_HOLD(fine);
    MUST_HOLD(again.count == list->count);
    for (size_t i = 0; i < list->count; i++) {
        const struct instance *was = &list->items[i];
        const struct instance *is = &again.items[i];
        MUST_HOLD(strcmp(was->name, is->name) == 0);
        MUST_HOLD(board_equal(&was->start, &is->start));
        MUST_HOLD(board_equal(&was->goal, &is->goal));
        MUST_HOLD(was->optimal_length == is->optimal_length);
    }
}

static void check_set(const char *text, const struct shape *shape, const char *goal)
{
    SCOPED_BY(report_end) struct report report = {.file = "fuzz"};
    SCOPED_BY(instance_list_end) struct instance_list list = {0};
    bool fine = set_parse(text, "s", shape, goal, &report, &list);
    MUST_HOLD(fine == (report.count == 0));
    MUST_HOLD(!fine || list.count > 0);
    for (size_t i = 0; i < list.count; i++)
        MUST_HOLD(shape == NULL || shape_equal(list.items[i].start.shape, *shape));
    if (list.count > 0)
        check_same(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct shape shape = {3, 3, 9};
    SCOPED char *text = fuzz_text(data, size);
    check_set(text, NULL, "blank-last");
    check_set(text, &shape, "snail");
    check_set(text, NULL, "1 2 3 8 0 4 7 6 5");
    return 0;
}
