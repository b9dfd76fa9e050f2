#include "harness/report/settings.h"
#include "base/heap.h"
#include "harness/text/human.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

/* NaN where there is none. */
static double number_of(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* Takes the text; no row where it is empty. */
static void add_row(struct tidy *tidy, const char *name, char *owned)
{
    if (owned[0] != '\0')
        tidy_add(tidy, "%s %s", name, owned);
    free(owned);
}

static char *boards_text(const struct results *results)
{
    char *text = NULL;
    for (size_t i = 0; i < results->block_count; i++)
        heap_append(&text, "%s%s (%s)", i == 0 ? "" : ", ", results->blocks[i].name,
                    human_count((double)results->blocks[i].count).text);
    return text == NULL ? heap_text("") : text;
}

static char *solvers_text(const struct results *results)
{
    char *text = NULL;
    for (size_t i = 0; i < results->solvers.count; i++) {
        heap_append(&text, "%s%s", i == 0 ? "" : ", ", results->solvers.text[i]);
        if (results->shown[i] != results->solvers.text[i])
            heap_append(&text, " (as %s)", results->shown[i]);
    }
    return text == NULL ? heap_text("") : text;
}

static char *count_text(const json_t *manifest, const char *key)
{
    const double number = number_of(manifest, key);
    return isnan(number) ? heap_text("") : heap_text(human_count(number).text);
}

/* --quick, and the overrides of --set. */
static char *overrides_text(const json_t *manifest)
{
    const json_t *overrides = json_object_get(manifest, "set");
    char *text = json_is_true(json_object_get(manifest, "quick")) ? heap_text("--quick") : NULL;
    for (size_t i = 0; i < json_array_size(overrides); i++) {
        const char *own = json_string_value(json_array_get(overrides, i));
        heap_append(&text, "%s%s", text == NULL ? "" : ", ", own == NULL ? "" : own);
    }
    return text == NULL ? heap_text("") : text;
}

static char *program_text(const json_t *manifest)
{
    const json_t *program = json_object_get(manifest, "tilelab");
    if (!json_is_object(program))
        return heap_text("");
    const char *sanitizers = text_of(program, "sanitizers");
    return heap_format("%s, build %s (%s, %s %s%s%s, GSL %s)", text_of(program, "version"),
                       text_of(program, "build"), text_of(program, "compiler"),
                       text_of(program, "build_type"), text_of(program, "flags"),
                       sanitizers[0] == '\0' ? "" : ", sanitizers ", sanitizers,
                       text_of(program, "gsl"));
}

struct tidy settings_view(const json_t *manifest, const struct results *results)
{
    struct tidy tidy = {0};
    tidy_heads(&tidy, "setting:t|value:t");
    add_row(&tidy, "experiment", heap_text(text_of(manifest, "experiment")));
    add_row(&tidy, "description", heap_text(text_of(manifest, "description")));
    add_row(&tidy, "runs", heap_text(human_count((double)results->count).text));
    add_row(&tidy, "boards", boards_text(results));
    add_row(&tidy, "solvers", solvers_text(results));
    add_row(&tidy, "baseline", heap_text(text_of(manifest, "baseline")));
    add_row(&tidy, "seed", heap_text(text_of(manifest, "seed")));
    add_row(&tidy, "operator order", heap_text(text_of(manifest, "order")));
    add_row(&tidy, "order of runs", heap_text(text_of(manifest, "run_order")));
    add_row(&tidy, "repetitions", count_text(manifest, "repetitions"));
    add_row(&tidy, "warm-up runs", count_text(manifest, "warmup"));
    add_row(&tidy, "set on the command line", overrides_text(manifest));
    add_row(&tidy, "tilelab", program_text(manifest));
    return tidy;
}

/* A limit, or "none"; 0 is none. */
static void add_limit(struct tidy *tidy, double value, struct human shown)
{
    tidy_text(tidy, value > 0 ? shown.text : "none");
}

struct tidy limits_view(const json_t *manifest, const struct results *results)
{
    struct tidy tidy = {0};
    const json_t *limits = json_object_get(manifest, "limits");
    const char *solver;
    json_t *each;
    size_t columns = 4;
    json_object_foreach((json_t *)limits, solver, each) if (number_of(each, "cpu_seconds") > 0)
        columns = 5;
    tidy_heads(&tidy, columns == 4 ? "solver:t|wall time:t|nodes:t|memory:t"
                                   : "solver:t|wall time:t|nodes:t|memory:t|processor time:t");
    for (size_t i = 0; i < results->solvers.count; i++) {
        const json_t *own = json_object_get(limits, results->solvers.text[i]);
        const double seconds = number_of(own, "seconds");
        const double nodes = number_of(own, "nodes");
        const double bytes = number_of(own, "bytes");
        if (own == NULL)
            continue;
        tidy_text(&tidy, results->shown[i]);
        add_limit(&tidy, seconds, human_seconds(seconds));
        add_limit(&tidy, nodes, human_count(nodes));
        add_limit(&tidy, bytes, human_bytes(bytes));
        const double cpu_seconds = number_of(own, "cpu_seconds");
        if (columns > 4)
            add_limit(&tidy, cpu_seconds, human_seconds(cpu_seconds));
    }
    return tidy;
}

static char *machine_text(const json_t *session)
{
    const json_t *machine = json_object_get(session, "machine");
    const double processors = number_of(machine, "processors");
    return heap_format("%s: %.0f x %s, %s, Linux %s", text_of(machine, "host"),
                       isnan(processors) ? 0 : processors, text_of(machine, "processor"),
                       human_bytes(number_of(machine, "memory_bytes")).text,
                       text_of(machine, "kernel"));
}

static char *noise_text(const json_t *session)
{
    const json_t *noise = json_object_get(session, "noise");
    if (!json_is_object(noise))
        return heap_text("not known");
    const double others = number_of(noise, "other_processors_busy");
    char *text =
        heap_text(json_is_true(json_object_get(noise, "disturbed")) ? "disturbed" : "quiet");
    if (!isnan(others))
        heap_append(&text, ": other processes kept %.1f processors busy", others);
    if (number_of(noise, "times_throttled") > 0)
        heap_append(&text, ", %.0f times too hot", number_of(noise, "times_throttled"));
    return text;
}

struct tidy sessions_view(const json_t *manifest)
{
    struct tidy tidy = {0};
    tidy_heads(&tidy, "started:t|ended:t|rows|took[s]|jobs|machine:t|noise:t");
    const json_t *sessions = json_object_get(manifest, "sessions");
    for (size_t i = 0; i < json_array_size(sessions); i++) {
        const json_t *session = json_array_get(sessions, i);
        SCOPED char *machine = machine_text(session);
        SCOPED char *noise = noise_text(session);
        tidy_add(&tidy, "%s %s %g %g %g %s %s", text_of(session, "started_at"),
                 text_of(session, "ended"), number_of(session, "rows"),
                 number_of(session, "seconds"), number_of(session, "jobs"), machine, noise);
    }
    return tidy;
}
