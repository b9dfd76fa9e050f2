/* Answers of external solvers from any bytes: read or refused with a printable message; what is
 * kept is printable JSON of bounded size. The first byte chooses the form; what follows is the
 * answer, whole or as a persistent program prints it. */
#include "base/report.h"
#include "fuzz.h"
#include "harness/external/protocol.h"
#include "puzzle/goal.h"

static const struct task *the_task(void)
{
    static struct task task = {.order = "ULRD"};
    struct shape shape;
    MUST_HOLD(shape_make(3, 3, &shape) && goal_named("blank-last", shape, &task.goal));
    task.start = task.goal;
    board_slide(&task.start, 5);
    return &task;
}

static void check_answer(const struct external *external, const char *text, size_t length)
{
    SCOPED_BY(result_end) struct result result;
    SCOPED_BY(answer_end) struct answer answer;
    const struct limits none = {0};
    const struct question question = {the_task(), &none, 1, 1, 1, COST_unit};
    SCOPED char *why = protocol_read(external, &question, text, length, NULL, &result, &answer);
    MUST_HOLD((why != NULL) == (result.status == STATUS_crashed));
    MUST_HOLD(why == NULL || (text_is_printable(why) && strlen(why) < 1000));
    MUST_HOLD((result.moves != NULL) == (result.status == STATUS_solved));
    MUST_HOLD(result.moves == NULL || strlen(result.moves) == result.length);
    MUST_HOLD(result.moves == NULL || strspn(result.moves, "UDLR") == result.length);
    MUST_HOLD(answer.known >> COUNTERS == 0);
    if (answer.extra != NULL) {
        json_t *extra = json_loads(answer.extra, 0, NULL);
        MUST_HOLD(json_is_object(extra) && json_object_size(extra) <= EXTRA_NAMES + 1);
        MUST_HOLD(text_is_printable(answer.extra) && strlen(answer.extra) < 3 * EXTRA_BYTES);
        json_decref(extra);
    }
}

/* The same end, whether it is searched for at once or byte by byte. */
static void check_end(const struct external *external, const char *text, size_t length)
{
    struct answer_scan at_once = {0};
    struct answer_scan scan = {0};
    size_t bytes = 0;
    const size_t whole = protocol_answer_bytes(external, text, length, &at_once);
    for (size_t i = 0; i <= length && bytes == 0; i++)
        bytes = protocol_answer_bytes(external, text, i, &scan);
    MUST_HOLD(bytes == whole && whole <= length);
    check_answer(external, text, whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct external external = {.json = (data[0] & 1) != 0, .tile_moves = (data[0] & 2) != 0};
    char *text = heap_take(size, 1);
    memcpy(text, data + 1, size - 1);
    text = heap_resize(text, size - 1 > 0 ? size - 1 : 1);
    check_answer(&external, text, size - 1);
    check_end(&external, text, size - 1);
    free(text);
    return 0;
}
