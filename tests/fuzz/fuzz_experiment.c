/* Any text is read as YAML, and as an experiment, or refused with a problem. The nodes of a tree
 * know where they are in its text. The matrix of an experiment keeps its limits; its solvers' texts
 * mean those solvers.
 *
 * Reading an experiment draws its boards, which may take as long as a person is ready to wait. The
 * line `repetitions: 1000000`, put before the input, leaves room for ten boards in the most runs
 * that an experiment may have; is_quick leaves out what still takes seconds. */
#include "fuzz.h"
#include "harness/experiment/experiment.h"
#include "harness/experiment/parts.h"
#include "harness/experiment/yaml.h"
#include <sys/mman.h>
#include <unistd.h>

/* Whether a node is a text as plain as its source, which is where the node says it is. */
static bool is_at_its_source(const struct yaml_node *node)
{
    if (node->kind != YAML_TEXT)
        return true;
    if (node->source_length == 0)
        return node->text[0] == '\0';
    if (strchr("\"'|>", node->source[0]) != NULL)
        return true;
    for (size_t i = 0; i < node->source_length; i++)
        if (node->source[i] < ' ' || node->source[i] > '~') /* another line, or more than ASCII */
            return true;
    return strlen(node->text) <= node->source_length &&
           memcmp(node->source, node->text, strlen(node->text)) == 0;
}

static void check_yaml(const char *text, size_t length)
{
    SCOPED_BY(report_end) struct report report = {.file = "fuzz"};
    struct yaml yaml;
    if (yaml_load(text, length, &report, &yaml)) {
        MUST_HOLD(yaml.root != NULL && yaml.root->size <= MAX_YAML_NODES);
        for (size_t i = 0; i < yaml.count; i++) {
            const struct yaml_node *node = yaml.nodes[i];
            MUST_HOLD(node->place.line > 0 && node->place.column > 0);
            MUST_HOLD(node->source >= text && node->source + node->source_length <= text + length);
            MUST_HOLD(i == 0 || node->source >= yaml.nodes[i - 1]->source);
            MUST_HOLD(is_at_its_source(node));
            free(yaml_boards(node));
        }
        yaml_end(&yaml);
    } else {
        MUST_HOLD(report.count > 0);
    }
}

static void check_matrix(const struct experiment *experiment)
{
    struct report report;
    const size_t count = experiment_run_count(experiment);
    bool baseline = experiment->baseline == NULL;
    MUST_HOLD(count > 0 && count <= MAX_RUNS && experiment->solver_count <= MAX_SOLVERS);
    report_start(&report, "again");
    for (size_t i = 0; i < experiment->solver_count; i++) {
        struct solver solver;
        const char *text = experiment->solvers[i].text;
        baseline = baseline || strcmp(text, experiment->baseline) == 0;
        if (experiment->solvers[i].external != NULL)
            continue;
        MUST_HOLD(solver_parse(text, FIRST_PLACE, &report, &solver));
        MUST_HOLD(solver.algorithm == experiment->solvers[i].solver.algorithm);
        MUST_HOLD(solver.heuristic.kind == experiment->solvers[i].solver.heuristic.kind);
    }
    MUST_HOLD(baseline);
    for (size_t i = 0; i < experiment->instances.count; i++) {
        const struct instance *instance = &experiment->instances.items[i];
        MUST_HOLD(shape_equal(instance->start.shape, instance->goal.shape));
        MUST_HOLD(instance->name[0] != '\0' && instance->set[0] != '\0');
    }
    struct matrix_cell last = experiment_cell(experiment, count - 1);
    MUST_HOLD(last.instance == experiment->instances.count - 1);
    MUST_HOLD(last.solver == experiment->solver_count - 1);
    MUST_HOLD(last.repetition == experiment->repetitions);
}

/* No text whose boards take seconds: by their exact tables, one for each set and goal, or by a walk
 * to no board twice, which looks for a long time before it gives up. */
static bool is_quick(const char *text, size_t length)
{
    enum { MOST_SETS = 4 };
    SCOPED_BY(report_end) struct report report = {.file = "fuzz"};
    struct yaml yaml;
    bool quick = true;
    if (yaml_load(text, length, &report, &yaml)) {
        const bool mapping = yaml.root->kind == YAML_MAPPING;
        const struct yaml_node *sets = mapping ? yaml_value(yaml.root, "instances") : NULL;
        const size_t count = sets == NULL || sets->kind != YAML_LIST ? 0 : sets->count;
        quick = count <= MOST_SETS;
        for (size_t i = 0; i < count; i++)
            if (sets->items[i]->kind == YAML_MAPPING)
                quick = quick && (yaml_key(sets->items[i], "steps") == NULL ||
                                  yaml_key(sets->items[i], "distinct") == NULL);
        yaml_end(&yaml);
    }
    return quick;
}

/* Writes a text to a file in memory and returns its path. */
static const char *file_of(const char *text, size_t length)
{
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("experiment", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    MUST_HOLD(file >= 0 && ftruncate(file, 0) == 0);
    MUST_HOLD(pwrite(file, text, length, 0) == (ssize_t)length);
    return path;
}

static void check_experiment(const char *text, size_t length)
{
    struct experiment experiment;
    SCOPED_BY(report_end) struct report report = {0};
    bool fine = experiment_load(file_of(text, length), NULL, &report, &experiment);
    MUST_HOLD(fine == (report.count == 0));
    if (fine) {
        check_matrix(&experiment);
        experiment_end(&experiment);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char limit[] = "repetitions: 1000000\n";
    const size_t before = sizeof limit - 1;
    char *text = heap_take(before + size + 1, 1); /* zero bytes may be in it, and one ends it */
    memcpy(text, limit, before);
    if (size > 0)
        memcpy(text + before, data, size);
    check_yaml(text + before, size);
    if (is_quick(text, before + size))
        check_experiment(text, before + size);
    free(text);
    return 0;
}
