/* The sets of instances of an experiment: generated, published, from a file, or written out.
 *
 * A set's keys decide its kind. Each kind lists the keys that apply to it, so that any other is
 * reported, not ignored. */
#include "harness/experiment/data.h"
#include "harness/experiment/parts.h"
#include "harness/text/human.h"
#include "instances/set.h"
#include "puzzle/distance.h"
#include "puzzle/goal.h"
#include "puzzle/text.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

enum { MAX_INSTANCES = 1000000, MAX_STEPS = 1000000, MAX_DEPTH = 255 };
static const uint64_t max_walked = 100000000; /* steps of all walks of a set: a second or two */

struct set {
    const struct yaml_node *node;
    const char *name;
    const char *published;
    const char *file;
    const struct yaml_node *boards;
    struct shape size; /* no cells: not given */
    const struct yaml_node *goal;
    unsigned cost; /* COST_MODELS: the experiment's */
    struct schema_ranges select;
    unsigned method; /* METHODS: not given */
    uint64_t count;
    uint64_t steps;
    uint64_t seed; /* where the key is there */
    struct schema_ranges depths;
    bool distinct;
    bool solvable;
};

static bool read_shape(const struct yaml_node *node, void *field, struct report *report)
{
    (void)report;
    return node->kind == YAML_TEXT && shape_parse(node->text, field);
}

/* Boards and goals can be read only once the shape is known: this checks that they are texts or
 * lists. */
static const struct schema_key set_keys[] = {
    {KEY("name", IDENTIFIER, struct set, name,
         "the set's name in the results; it also chooses the random boards")},
    {KEY("set", IDENTIFIER, struct set, published,
         "a published set that ships: tilelab list sets")},
    {KEY("file", LINE, struct set, file, "a file of boards, relative to the experiment's folder")},
    {KEY("boards", CUSTOM, struct set, boards, "the boards themselves"), .read = schema_keep_board,
     .expected = "a list of boards such as [1 2 3 4 5 6 7 0 8]", .definition = "board"},
    {KEY("size", CUSTOM, struct set, size, "the boards' shape"), .read = read_shape,
     .expected = "columns x rows such as 3x3, both at least 2, at most 36 cells",
     .definition = "size"},
    {KEY("goal", CUSTOM, struct set, goal, "the board to reach"), .read = schema_keep_board,
     .fallback = "the experiment's",
     .expected = "blank-last, blank-first, snail or a board such as [1 2 3, 4 5 6, 7 8 0]",
     .definition = "goal"},
    {KEY("cost", CHOICE, struct set, cost,
         "what moving tile t costs: 1, t, its square root, 1 / t, 1 + 1 / (1 + t); else the "
         "experiment's"),
     .words = cost_names, .word_count = COST_MODELS},
    {KEY("select", RANGES, struct set, select, "the positions, from 1, of the instances to take"),
     .min = 1, .max = MAX_INSTANCES},
    {KEY("method", CHOICE, struct set, method, "how boards are drawn"), .words = method_names,
     .word_count = METHODS, .fallback = "uniform"},
    {KEY("count", COUNT, struct set, count, "how many boards; with depths, of each depth"),
     .min = 1, .max = MAX_INSTANCES},
    {KEY("steps", COUNT, struct set, steps, "the length of each random walk"), .min = 1,
     .max = MAX_STEPS},
    {KEY("depths", RANGES, struct set, depths, "the optimal solution lengths"), .min = 0,
     .max = MAX_DEPTH},
    {KEY("seed", NUMBER, struct set, seed,
         "chooses its random boards, in place of the experiment's seed"),
     .max = UINT64_MAX},
    {KEY("distinct", FLAG, struct set, distinct, "no board twice"), .fallback = "false"},
    {KEY("solvable", FLAG, struct set, solvable,
         "false: boards that cannot reach the goal, to be told from those that can"),
     .fallback = "true"},
};
const struct schema set_schema = {"a set of instances", set_keys,
                                  sizeof set_keys / sizeof *set_keys, false};

const struct set_kind set_kinds[SET_KINDS] = {
    [SET_PUBLISHED] = {"set", NULL, "'set'", {"set"}, {"name", "cost", "select"}},
    [SET_FILE] = {"file", NULL, "'file'", {"name", "file"}, {"size", "goal", "cost", "select"}},
    [SET_BOARDS] = {"boards", NULL, "'boards'", {"name", "boards"}, {"size", "goal", "cost"}},
#define KEYS(...) __VA_ARGS__
#define METHOD(title, needed, taken, max_cells, max_cells_at_depths)                               \
    [SET_METHODS + METHOD_##title] = {"method",                                                    \
                                      #title,                                                      \
                                      "method " #title,                                            \
                                      {"name", "size", needed},                                    \
                                      {"method", "goal", "cost", "seed", taken}},
#include "instances/methods.def"
#undef METHOD
};

struct reading {
    struct experiment *experiment;
    const struct yaml_node *goal; /* the experiment's; NULL: the default */
    bool goal_used;
    enum cost_model cost; /* the experiment's */
    struct problems *problems;
    struct report *report; /* the problems' inbox */
    uint64_t max;          /* instances that may be generated */
    uint64_t wanted;       /* instances so far, generated or not */
    struct set *sets;      /* as read so far, with their names */
    size_t set_count;
};

static size_t word_count(const char *const *words)
{
    size_t count = 0;
    while (count < SET_KIND_WORDS && words[count] != NULL)
        count++;
    return count;
}

/* The kind of a set, or NULL if there is no such method. */
static const struct set_kind *kind_of(const struct set *set)
{
    for (unsigned i = 0; i < SET_METHODS; i++)
        if (yaml_key(set->node, set_kinds[i].key) != NULL)
            return &set_kinds[i];
    if (yaml_key(set->node, "method") == NULL)
        return &set_kinds[SET_METHODS];
    return set->method < METHODS ? &set_kinds[SET_METHODS + set->method] : NULL;
}

/* Checks a set's keys against its kind. */
static void check_keys(const struct set *set, const struct set_kind *kind, struct report *report)
{
    const size_t needed = word_count(kind->needs);
    const char *words[2 * SET_KIND_WORDS];
    size_t count = 0;
    for (size_t i = 0; i < needed; i++) {
        words[count++] = kind->needs[i];
        if (yaml_key(set->node, kind->needs[i]) == NULL)
            schema_missing(&set_schema, kind->needs[i], set->node, report);
    }
    for (size_t i = 0; i < word_count(kind->may_have); i++)
        words[count++] = kind->may_have[i];
    SCOPED char *expected = words_listed(words, count);
    for (size_t i = 0; i < set_schema.count; i++) {
        const char *name = set_schema.keys[i].name;
        const struct yaml_node *key = yaml_key(set->node, name);
        if (key != NULL && !schema_has_word(kind->needs, SET_KIND_WORDS, name) &&
            !schema_has_word(kind->may_have, SET_KIND_WORDS, name))
            report_add(report, key->place, "'%s' means nothing with %s; expected %s", name,
                       kind->what, expected);
    }
}

/* The text of a goal: its name, or its tiles on one line; heap memory. `shape` is NULL if it is not
 * known. NULL with a problem. */
static char *read_goal(const struct yaml_node *node, const struct shape *shape,
                       struct report *report)
{
    struct board goal;
    char line[BOARD_LINE];
    const struct shape any = {3, 3, 9};
    if (node == NULL)
        return heap_text(DEFAULT_GOAL);
    const bool word = node->kind == YAML_TEXT && !isdigit((unsigned char)node->text[0]) &&
                      strpbrk(node->text, " \t\n,;|[](){}") == NULL;
    if (word) {
        const char *name = schema_word(node, "goal", "the name of a goal or a board", report);
        return name != NULL && goal_parse(name, any, node->place, report, &goal) ? heap_text(name)
                                                                                 : NULL;
    }
    SCOPED char *text = yaml_boards(node);
    bool fine = board_parse(text, shape, node->place, report, &goal);
    if (!fine)
        return NULL;
    board_line(&goal, line);
    return heap_text(line);
}

/* The goal of a set: its own, or the experiment's. */
static const struct yaml_node *goal_of(struct reading *reading, const struct set *set)
{
    if (set->goal != NULL)
        return set->goal;
    reading->goal_used = true;
    return reading->goal;
}

/* Lists the depths one by one; false if one occurs twice. */
static bool expand_depths(const struct set *set, uint32_t depths[MAX_DEPTH + 1], size_t *count,
                          struct report *report)
{
    bool seen[MAX_DEPTH + 1] = {false};
    *count = 0;
    for (size_t i = 0; i < set->depths.count; i++) {
        const struct schema_range *range = &set->depths.items[i];
        for (uint64_t depth = range->from; depth <= range->to; depth += range->step) {
            if (seen[depth])
                return report_add(report, range->node->place,
                                  "depth %" PRIu64 " a second time; expected each depth once",
                                  depth);
            seen[depth] = true;
            depths[(*count)++] = (uint32_t)depth;
        }
    }
    return true;
}

static void generate(struct reading *reading, const struct set *set, struct instance_list *list)
{
    uint32_t depths[MAX_DEPTH + 1];
    size_t depth_count = 0;
    struct generation generation = {
        .set = set->name,
        .method = set->method == METHODS ? METHOD_uniform : (enum method)set->method,
        .seed = yaml_key(set->node, "seed") != NULL ? set->seed : reading->experiment->seed,
        .count = (uint32_t)set->count,
        .steps = (uint32_t)set->steps,
        .depths = depths,
        .distinct = set->distinct,
        .unsolvable = !set->solvable};
    const struct yaml_node *goal_node = goal_of(reading, set);
    SCOPED char *goal = read_goal(goal_node, &set->size, reading->report);
    bool fine = goal != NULL &&
                goal_parse(goal, set->size, (goal_node == NULL ? set->node : goal_node)->place,
                           reading->report, &generation.goal);
    fine = expand_depths(set, depths, &depth_count, reading->report) && fine;
    generation.depth_count = depth_count;
    const struct method_row *method = &methods[generation.method];
    const unsigned max_cells = method->max_cells[depth_count > 0 ? 1 : 0];
    if (set->size.cells > max_cells) {
        const struct yaml_node *size = yaml_value(set->node, "size");
        fine =
            report_add(reading->report, size->place,
                       "%ux%u boards have no exact table; expected at most %u cells with method %s",
                       set->size.width, set->size.height, max_cells, method->name);
    }
    if (set->count * set->steps > max_walked) {
        const struct yaml_node *steps = yaml_value(set->node, "steps");
        fine = report_add(reading->report, steps->place,
                          "%" PRIu64 " walks of %" PRIu64 " steps; expected at most %" PRIu64
                          " steps in all",
                          set->count, set->steps, max_walked);
    }
    if (!fine)
        return;
    const uint64_t boards = generation_boards(&generation);
    reading->wanted += boards;
    if (reading->wanted > reading->max)
        return;
    const struct yaml_node *place = yaml_value(set->node, depth_count > 0        ? "depths"
                                                          : generation.count > 0 ? "count"
                                                                                 : "size");
    const size_t before = list->count;
    instances_generate(&generation, place->place, reading->report, list);
    reading->wanted += boards == 0 ? list->count - before : 0;
}

/* Keeps what `select` names. */
static void select_instances(struct reading *reading, const struct set *set,
                             struct instance_list *list)
{
    SCOPED bool *keep = heap_take(list->count, sizeof *keep);
    bool fine = true;
    for (size_t i = 0; i < set->select.count; i++) {
        const struct schema_range *range = &set->select.items[i];
        uint64_t position = range->from;
        /* The last number of the range, which `to` need not be. */
        uint64_t last = range->to - (range->to - range->from) % range->step;
        if (last > list->count) {
            fine = report_add(reading->report, range->node->place,
                              "position %" PRIu64
                              " does not exist; expected 1 to %zu, as the set has %zu instance%s",
                              last, list->count, list->count, plural(list->count));
            continue;
        }
        while (position <= last && !keep[position - 1]) {
            keep[position - 1] = true;
            position += range->step;
        }
        if (position <= last)
            fine = report_add(reading->report, range->node->place,
                              "position %" PRIu64 " a second time; expected each position once",
                              position);
    }
    if (fine && set->select.count > 0)
        set_select(list, keep);
}

/* Whether a path leads to a regular file; if not, the problem is reported at the value of `key`. */
static bool check_file(struct reading *reading, const struct set *set, const char *path,
                       const char *key)
{
    const struct yaml_node *place = yaml_value(set->node, key);
    struct stat status;
    if (stat(path, &status) != 0)
        report_add(reading->report, place->place,
                   "'%s' cannot be read: %s; expected a file of boards", path, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        report_add(reading->report, place->place,
                   "'%s' is not a regular file; expected a file of boards", path);
    else
        return true;
    return false;
}

/* Reads a set file; its problems are reported at the value of `key`. */
static void read_file(struct reading *reading, const struct set *set, const char *path,
                      const char *key, const char *goal, struct instance_list *list)
{
    const struct yaml_node *place = yaml_value(set->node, key);
    struct report report = {.file = path};
    if (set_read(path, set->name, set->size.cells == 0 ? NULL : &set->size, goal, &report, list))
        select_instances(reading, set, list);
    problems_attach(reading->problems, place->place, &report);
}

static void read_published(struct reading *reading, const struct set *set,
                           struct instance_list *list)
{
    SCOPED char *path = data_path(DATA_SETS, set->published);
    if (path != NULL) {
        if (check_file(reading, set, path, "set"))
            read_file(reading, set, path, "set", DEFAULT_GOAL, list);
        return;
    }
    const struct yaml_node *place = yaml_value(set->node, "set");
    size_t count;
    char **names = data_names(DATA_SETS, &count);
    SCOPED char *expected = words_listed((const char *const *)names, count);
    SCOPED char *meant = word_meant(set->published, (const char *const *)names, count);
    report_add(reading->report, place->place, "unknown set '%s'; expected %s%s", set->published,
               count == 0 ? "one that ships, but none was found" : expected, meant);
    heap_free_texts(names, count);
}

static void read_own_file(struct reading *reading, const struct set *set,
                          struct instance_list *list)
{
    SCOPED char *path = experiment_file(reading->experiment, set->file);
    SCOPED char *goal =
        read_goal(goal_of(reading, set), set->size.cells == 0 ? NULL : &set->size, reading->report);
    /* Even if the goal is wrong, the file is read, to report its own problems. */
    if (check_file(reading, set, path, "file"))
        read_file(reading, set, path, "file", goal == NULL ? DEFAULT_GOAL : goal, list);
}

/* Boards written in the experiment: one text, or a list with one board per item. */
static void read_boards(struct reading *reading, const struct set *set, struct instance_list *list)
{
    const struct shape *shape = set->size.cells == 0 ? NULL : &set->size;
    const bool is_list = set->boards->kind == YAML_LIST;
    const size_t count = is_list ? set->boards->count : 1;
    const struct yaml_node *goal_node = goal_of(reading, set);
    SCOPED char *goal_line = read_goal(goal_node, shape, reading->report);
    const size_t before = reading->report->count;
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *node = is_list ? set->boards->items[i] : set->boards;
        struct board_list boards;
        SCOPED char *text = yaml_boards(node);
        if (node->kind == YAML_MAPPING) {
            report_add(reading->report, node->place,
                       "a mapping among the boards; expected a board such as 1 2 3 4 5 6 7 0 8");
        } else if (boards_parse(text, shape, node->place, reading->report, &boards)) {
            if (is_list && boards.count != 1)
                report_add(reading->report, node->place, "%zu boards in this item; expected one",
                           boards.count);
            for (size_t j = 0;
                 goal_line != NULL && j < boards.count && reading->report->count == before; j++) {
                struct board goal;
                char name[32];
                const struct yaml_node *written = goal_node == NULL ? set->node : goal_node;
                snprintf(name, sizeof name, "%zu", list->count + 1);
                if (goal_parse(goal_line, boards.boards[j].shape, written->place, reading->report,
                               &goal))
                    instance_add(list, set->name, name, &boards.boards[j], &goal, LENGTH_UNKNOWN);
            }
            board_list_end(&boards);
        }
    }
    if (list->count == 0 && reading->report->count == before)
        report_add(reading->report, set->boards->place,
                   "no board here; expected boards such as 1 2 3 4 5 6 7 0 8");
}

/* Moves all instances of `from` to the end of `to`. */
static void move_instances(struct instance_list *from, struct instance_list *to)
{
    for (size_t i = 0; i < from->count; i++)
        *HEAP_ADD(to->items, to->count) = from->items[i];
    free(from->items);
    *from = (struct instance_list){0};
}

/* Where a set's name comes from. */
static const struct yaml_node *name_of(const struct set *set)
{
    const struct yaml_node *name = yaml_value(set->node, "name");
    return name != NULL ? name : yaml_value(set->node, "set");
}

static void check_name(const struct reading *reading, const struct set *set)
{
    for (size_t i = 0; i < reading->set_count && set->name != NULL; i++) {
        const struct set *other = &reading->sets[i];
        if (other->name != NULL && strcmp(other->name, set->name) == 0) {
            report_add(reading->report, name_of(set)->place,
                       "the set '%s' a second time; the first is at line %zu, column %zu",
                       set->name, name_of(other)->place.line, name_of(other)->place.column);
            return;
        }
    }
}

static void read_set(struct reading *reading, struct set *set)
{
    struct report *report = reading->report;
    struct instance_list list = {0};
    const size_t before = report->count;
    schema_read(&set_schema, set->node, set, report);
    if (set->node->kind != YAML_MAPPING)
        return;
    const struct set_kind *kind = kind_of(set);
    if (kind != NULL)
        check_keys(set, kind, report);
    if (yaml_key(set->node, "name") == NULL)
        set->name = set->published;
    check_name(reading, set);
    if (report->count != before)
        return;
    if (kind == &set_kinds[SET_PUBLISHED])
        read_published(reading, set, &list);
    else if (kind == &set_kinds[SET_FILE])
        read_own_file(reading, set, &list);
    else if (kind == &set_kinds[SET_BOARDS])
        read_boards(reading, set, &list);
    else
        generate(reading, set, &list);
    if (kind == &set_kinds[SET_PUBLISHED] || kind == &set_kinds[SET_FILE] ||
        kind == &set_kinds[SET_BOARDS])
        reading->wanted += list.count;
    for (size_t i = 0; i < list.count; i++)
        list.items[i].cost = set->cost == COST_MODELS ? reading->cost : (enum cost_model)set->cost;
    if (report->count == before)
        move_instances(&list, &reading->experiment->instances);
    instance_list_end(&list);
}

uint64_t experiment_read_instances(struct experiment *experiment, const struct yaml_node *sets,
                                   const struct yaml_node *goal, enum cost_model cost, uint64_t max,
                                   struct problems *problems)
{
    struct reading reading = {.experiment = experiment,
                              .goal = goal,
                              .cost = cost,
                              .problems = problems,
                              .report = &problems->inbox,
                              .max = max,
                              .sets = heap_take(MAX_SETS, sizeof *reading.sets)};
    for (size_t i = 0; i < sets->count; i++) {
        if (i == MAX_SETS) {
            report_add(reading.report, sets->items[i]->place, "more than %d sets; expected fewer",
                       MAX_SETS);
            break;
        }
        struct set *set = &reading.sets[i];
        *set = (struct set){
            .node = sets->items[i], .cost = COST_MODELS, .method = METHODS, .solvable = true};
        read_set(&reading, set);
        reading.set_count++;
        FREE(set->select.items, set->depths.items);
    }
    free(reading.sets);
    /* A goal that no set needs must be right all the same. */
    if (!reading.goal_used)
        free(read_goal(goal, NULL, reading.report));
    return reading.wanted;
}
