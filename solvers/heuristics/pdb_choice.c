/* The row of the pattern databases: what is written behind `pdb:`, PARTITION or PARTITION:reflect,
 * read and made into tables. What they say of a board is in pdb.c. */
#include "base/heap.h"
#include "heuristics/partition.h"
#include "heuristics/pdb.h"
#include <string.h>

#define REFLECT ":reflect"

const struct option_row pdb_options[] = NO_OPTIONS;

/* The text from `at` up to `end` without the blanks around it; heap memory. */
static char *trimmed(const char *at, const char *end)
{
    at += strspn(at, " \t");
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return heap_format("%.*s", end > at ? (int)(end - at) : 0, at);
}

static bool read_reflect(const char *text, size_t line, size_t column, struct report *report)
{
    const char *const words[] = {&REFLECT[1]};
    char *word = trimmed(text, text + strlen(text));
    const bool fine = strcmp(word, words[0]) == 0;
    if (!fine)
        report_unknown(report, line, column + strspn(text, " \t"), "word behind the partition",
                       word, words, 1);
    free(word);
    return fine;
}

static bool pdb_argument(const char *text, size_t line, size_t column, struct report *report,
                         char canonical[MAX_ARGUMENT])
{
    const char *colon = strchr(text, ':');
    char *word = trimmed(text, colon == NULL ? text + strlen(text) : colon);
    char *partition = NULL;
    if (word[0] == '\0')
        report_add(report, line, column, "pdb needs a partition; expected one such as pdb:7-8");
    else
        partition = partition_read(word, line, column + strspn(text, " \t"), report);
    free(word);
    const bool fine = partition != NULL &&
                      (colon == NULL ||
                       read_reflect(colon + 1, line, column + (size_t)(colon + 1 - text), report));
    /* At most 35 tiles, of two digits and a mark each. */
    if (fine) {
        strcpy(canonical, partition);
        strcat(canonical, colon == NULL ? "" : REFLECT);
    }
    free(partition);
    return fine;
}

static char *pdb_pattern(void)
{
    char *names = partition_pattern();
    char *text = heap_format("(?:%s)(?:[ \\t]*:[ \\t]*reflect)?", names);
    free(names);
    return text;
}

/* The groups that a canonical argument makes of a goal's tiles; false, with the reason, where it
 * makes none. */
static bool parse(const char *argument, const struct board *goal, struct report *report,
                  struct partition *partition, bool *reflect)
{
    const char *colon = strchr(argument, ':');
    char *word = heap_format("%.*s", (int)strcspn(argument, ":"), argument);
    *reflect = colon != NULL;
    bool fine = partition_make(word, goal, 0, 0, report, partition);
    free(word);
    if (fine && *reflect && !pdb_reflects(goal)) {
        const bool square = goal->shape.width == goal->shape.height;
        report_add(report, 0, 0,
                   "pdb:%s is not defined %s%ux%u: the mirror image of a board is a board %s; "
                   "expected no " REFLECT,
                   argument, square ? "for this goal on " : "on ", goal->shape.width,
                   goal->shape.height,
                   square ? "only where the goal's blank lies on a diagonal" : "on squares only");
        fine = false;
    }
    return fine;
}

static char *pdb_refuses(const struct heuristic_choice *choice, const struct board *goal)
{
    struct partition *partition = heap_take(1, sizeof *partition);
    struct report report;
    bool reflect;
    char *reason = NULL;
    report_start(&report, NULL);
    if (!parse(choice->argument, goal, &report, partition, &reflect))
        reason = heap_format("%.*s", (int)strcspn(report.text, "\n"), report.text);
    report_end(&report);
    free(partition);
    return reason;
}

/* NULL, with the problem, where a table cannot be had. */
static struct pdb *make(const struct heuristic_choice *choice, const struct board *goal,
                        const struct pattern_watcher *watcher, char **problem)
{
    struct partition *partition = heap_take(1, sizeof *partition);
    struct report report;
    bool reflect;
    struct pdb *pdb = NULL;
    report_start(&report, NULL);
    if (parse(choice->argument, goal, &report, partition, &reflect))
        pdb = pdb_make(goal, partition->group, partition->count, reflect, watcher, problem);
    else
        *problem = heap_format("%.*s", (int)strcspn(report.text, "\n"), report.text);
    report_end(&report);
    free(partition);
    return pdb;
}

static bool pdb_build(const struct heuristic_choice *choice, const struct board *goal,
                      const struct pattern_watcher *watcher, char **problem)
{
    struct pdb *pdb = make(choice, goal, watcher, problem);
    const bool fine = pdb != NULL;
    free(pdb);
    return fine;
}

const struct heuristic_extras pdb_extras = {
    .argument = pdb_argument,
    .form = "PARTITION[" REFLECT "]",
    .pattern = pdb_pattern,
    .refuses = pdb_refuses,
    .build = pdb_build,
};

void pdb_prepare(struct heuristic *heuristic)
{
    char *problem = NULL;
    heuristic->data = make(&heuristic->choice, &heuristic->goal, NULL, &problem);
    if (heuristic->data == NULL)
        heap_exhausted();
}
