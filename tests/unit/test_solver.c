/* The short form of solvers: what is read, how it is written, what is said of texts that name none,
 * and what a solver claims. */
#include "search/search.h"
#include "tests/support.h"

/* What is read from `text` is written as `expected`. */
static void expect_text(const char *text, const char *expected)
{
    struct solver solver = solver_of(text);
    SCOPED char *written = solver_text(&solver);
    if (strcmp(written, expected) != 0)
        fail_msg("'%s' is written '%s', not '%s'", text, written, expected);
}

TEST(the_canonical_spelling_stays)
{
    static const char *const texts[] = {
        "bfs",
        "dfs(depth_limit=31)",
        "dfs(duplicates=path, depth_limit=20)",
        "iddfs(duplicates=path, parity, depth_limit=20)",
        "astar(manhattan)",
        "astar(misplaced, count_blank)",
        "astar(manhattan, depth_limit=10, ties=fifo)",
        "lcbb(misplaced, duplicates=none, goal_test=generation, ties=lifo)",
        "lcbb(misplaced, count_blank, duplicates=none)",
        "descent(misplaced, count_blank)",
        "dfbnb(zero, depth_limit=0)",
        "idastar(misplaced, count_blank, step=parity, depth_limit=40)",
        "greedy(zero, duplicates=parent)",
        "idastar(manhattan, step=parity, table=1000000)",
        "bfhs(misplaced, count_blank, bound=0)",
        "bfs(order=ULRD)",
        "astar(manhattan, ties=fifo, order=RDUL)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_text(texts[i], texts[i]);
}

TEST(spaces_are_free)
{
    expect_text("  bfs  ", "bfs");
    expect_text("astar(manhattan,ties=fifo)", "astar(manhattan, ties=fifo)");
    expect_text(" astar ( manhattan ,  ties = fifo ) ", "astar(manhattan, ties=fifo)");
    expect_text("\tdfs\t(\tdepth_limit\t=\t3\t)\t", "dfs(depth_limit=3)");
}

TEST(defaults_are_left_out)
{
    expect_text("bfs(goal_test=generation)", "bfs");
    expect_text("ucs(ties=fifo)", "ucs");
    expect_text("dfs(duplicates=stored, depth_limit=none)", "dfs");
    expect_text("lcbb(manhattan, duplicates=parent, goal_test=removal, ties=fifo)",
                "lcbb(manhattan)");
    expect_text("greedy(manhattan, duplicates=stored)", "greedy(manhattan)");
    expect_text("astar(manhattan, ties=high_g)", "astar(manhattan)");
    expect_text("idastar(manhattan, step=minimum)", "idastar(manhattan)");
    expect_text("descent(misplaced, count_blank=false)", "descent(misplaced)");
}

TEST(options_are_written_in_table_order)
{
    expect_text("dfs(depth_limit=3, duplicates=none)", "dfs(duplicates=none, depth_limit=3)");
    expect_text("lcbb(zero, ties=lifo, goal_test=generation, duplicates=none)",
                "lcbb(zero, duplicates=none, goal_test=generation, ties=lifo)");
}

TEST(the_heuristics_options_come_first)
{
    expect_text("lcbb(misplaced, ties=lifo, count_blank)",
                "lcbb(misplaced, count_blank, ties=lifo)");
    expect_text("lcbb(ties=lifo, misplaced, count_blank)",
                "lcbb(misplaced, count_blank, ties=lifo)");
}

TEST(flags_and_numbers)
{
    expect_text("descent(misplaced, count_blank=true)", "descent(misplaced, count_blank)");
    expect_text("dfs(depth_limit=0)", "dfs(depth_limit=0)");
    expect_text("dfs(depth_limit=007)", "dfs(depth_limit=7)");
    expect_text("dfs(depth_limit=1000000000)", "dfs(depth_limit=1000000000)");
}

TEST(orders)
{
    expect_text("bfs(order=rDlU)", "bfs(order=RDLU)");
    expect_text("descent(misplaced, order=RDLU, count_blank)",
                "descent(misplaced, count_blank, order=RDLU)");
}

/* A search by an order of its own is the search of a task that has this order. */
TEST(an_order_of_its_own_replaces_the_tasks)
{
    struct board start;
    struct task usual = {.order = DEFAULT_ORDER};
    const uint8_t tiles[] = {8, 1, 3, 4, 0, 2, 7, 6, 5};
    const struct limits limits = {.nodes = 200000, .bytes = (uint64_t)64 << 20};
    struct report report = {0};
    assert_true(board_make((struct shape){3, 3, 9}, tiles, &start));
    usual.start = start;
    assert_true(goal_parse(DEFAULT_GOAL, start.shape, FIRST_PLACE, &report, &usual.goal));
    for (unsigned i = 0; i < algorithm_count; i++) {
        struct solver solver = solver_by(&algorithms[i], "manhattan");
        SCOPED_BY(result_end) struct result plain = result_of(&solver, &usual, &limits, NULL);
        unsigned differing = 0;
        for (unsigned o = 0; o < 3; o++) {
            static const char *const orders[] = {"RDLU", "DLRU", "LDUR"};
            struct task task = usual;
            task.order = orders[o];
            memcpy(solver.order, orders[o], sizeof solver.order);
            SCOPED_BY(result_end) struct result own = result_of(&solver, &usual, &limits, NULL);
            solver.order[0] = '\0';
            SCOPED_BY(result_end) struct result given = result_of(&solver, &task, &limits, NULL);
            assert_int_equal(own.status, given.status);
            if (own.status == STATUS_solved)
                assert_string_equal(own.moves, given.moves);
            for (unsigned c = 0; c < COUNTERS; c++)
                assert_true(statistics_value(&own.statistics, c) ==
                            statistics_value(&given.statistics, c));
            differing +=
                own.statistics.expanded != plain.statistics.expanded || own.length != plain.length;
        }
        if (strcmp(algorithms[i].name, "dfs") == 0)
            assert_true(differing > 0); /* or the orders would not tell anything */
    }
}

TEST(decimals)
{
    expect_text("wastar(manhattan, w=2)", "wastar(manhattan, w=2)");
    expect_text("wastar(manhattan, w=2.0)", "wastar(manhattan, w=2)");
    expect_text("wastar(manhattan, w=002.500)", "wastar(manhattan, w=2.5)");
    expect_text("wastar(manhattan, w=1.05)", "wastar(manhattan, w=1.05)");
    expect_text("wastar(manhattan, w=1.001)", "wastar(manhattan, w=1.001)");
    expect_text("wastar(manhattan, w=10)", "wastar(manhattan, w=10)");
    expect_text("wastar(manhattan, w=1000.000)", "wastar(manhattan, w=1000)");
    expect_text("wastar(manhattan, w=999.999)", "wastar(manhattan, w=999.999)");
    expect_text("wastar(manhattan, w=1)", "wastar(manhattan, w=1)");
    expect_text("wastar(manhattan, w=1.5)", "wastar(manhattan)");
    expect_text("wastar(manhattan, w=1.50, reopen)", "wastar(manhattan)");
    expect_text("wastar(manhattan, reopen=false)", "wastar(manhattan, reopen=false)");
}

TEST(the_options_alone)
{
    struct solver solver = solver_of("lcbb(ties=lifo, misplaced, count_blank)");
    ASSERT_TEXT(solver_options_text(&solver), "count_blank, ties=lifo");
    solver = solver_of("bfs");
    ASSERT_TEXT(solver_options_text(&solver), "");
}

/* A value other than the default, as text; heap memory. */
static char *other_value(const struct option_row *option)
{
    switch (option->kind) {
    case OPTION_FLAG:
        return heap_text(option->fallback ? "false" : "true");
    case OPTION_NUMBER:
        return heap_format(
            "%lld", (long long)(option->max == option->fallback ? option->min : option->max));
    case OPTION_DECIMAL:
        return heap_text("1.875");
    default:
        return heap_text(option->choices[option->fallback == 0 ? 1 : 0]);
    }
}

/* Sets every option whose bit is set, the algorithm's first, and reads back what is written. */
static void check_round_trip(const struct algorithm *algorithm,
                             const struct heuristic_kind *heuristic, unsigned chosen)
{
    const struct shape shape = {4, 4, 16};
    struct board goal = goal_for("blank-last", shape);
    struct report report = {0};
    struct solver solver;
    assert_true(solver_start(&solver, algorithm->name, FIRST_PLACE, &report));
    if (heuristic != NULL) {
        SCOPED char *text = heuristic_example(heuristic, &goal);
        assert_true(solver_set_heuristic(&solver, text, FIRST_PLACE, &report));
    }
    const struct option_row *tables[2] = {algorithm->options,
                                          heuristic == NULL ? NULL : heuristic->options};
    for (unsigned table = 0, bit = 0; table < 2; table++)
        for (const struct option_row *option = tables[table];
             option != NULL && option->kind != OPTION_END; option++, bit++) {
            SCOPED char *value = other_value(option);
            if ((chosen >> bit & 1) != 0)
                assert_true(solver_set(&solver, option->name, value, FIRST_PLACE, &report));
        }
    SCOPED char *written = solver_text(&solver);
    struct solver again = solver_of(written);
    assert_ptr_equal(again.algorithm, solver.algorithm);
    assert_ptr_equal(again.heuristic.kind, solver.heuristic.kind);
    assert_ptr_equal(again.heuristic.argument, solver.heuristic.argument); /* one copy */
    assert_memory_equal(again.options, solver.options, sizeof solver.options);
    assert_memory_equal(again.heuristic.options, solver.heuristic.options,
                        sizeof solver.heuristic.options);
    ASSERT_TEXT(solver_text(&again), written);
}

static unsigned options_of(const struct option_row *table)
{
    unsigned count = 0;
    while (table[count].kind != OPTION_END)
        count++;
    return count;
}

/* Whatever the tables hold: every algorithm, with every heuristic it takes, with every set of
 * options. */
TEST(what_is_written_is_read_again)
{
    for (unsigned a = 0; a < algorithm_count; a++)
        for (unsigned h = 0; h < (algorithms[a].informed ? heuristic_count : 1); h++) {
            const struct heuristic_kind *heuristic =
                algorithms[a].informed ? &heuristic_kinds[h] : NULL;
            unsigned options = options_of(algorithms[a].options) +
                               (heuristic == NULL ? 0 : options_of(heuristic->options));
            for (unsigned chosen = 0; chosen >> options == 0; chosen++)
                check_round_trip(&algorithms[a], heuristic, chosen);
        }
}

/* The tables themselves. */

static void check_options(const char *owner, const struct option_row *options)
{
    unsigned count = options_of(options);
    assert_true(count <= MAX_OPTIONS);
    for (unsigned i = 0; i < count; i++) {
        const struct option_row *option = &options[i];
        if (option->name == NULL || option->help == NULL || strlen(option->name) > 30)
            fail_msg("%s: option %u has no fitting name and help", owner, i);
        assert_null(heuristic_find(option->name)); /* a word must be one or the other */
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(option->name, options[j].name);
        if (option->kind == OPTION_NUMBER && option->fallback != OPTION_UNSET)
            assert_in_range(option->fallback, option->min, option->max);
        if (option->kind == OPTION_DECIMAL) {
            assert_in_range(option->fallback, option->min, option->max);
            assert_in_range(1875, option->min, option->max); /* what other_value sets */
            assert_int_equal(option->min % DECIMAL_ONE, 0);
            assert_int_equal(option->max % DECIMAL_ONE, 0);
        }
        if (option->kind == OPTION_CHOICE)
            for (int64_t choice = 0; choice <= option->fallback; choice++)
                assert_non_null(option->choices[choice]);
    }
}

TEST(the_tables_are_sound)
{
    for (unsigned i = 0; i < algorithm_count; i++) {
        check_options(algorithms[i].name, algorithms[i].options);
        assert_ptr_equal(algorithm_find(algorithms[i].name), &algorithms[i]);
        assert_null(heuristic_find(algorithms[i].name));
        /* No option of an algorithm is one of a heuristic: its name alone says whose it is. */
        for (unsigned h = 0; h < heuristic_count && algorithms[i].informed; h++)
            for (unsigned a = 0; a < options_of(algorithms[i].options); a++)
                for (unsigned b = 0; b < options_of(heuristic_kinds[h].options); b++)
                    assert_string_not_equal(algorithms[i].options[a].name,
                                            heuristic_kinds[h].options[b].name);
    }
    for (unsigned i = 0; i < heuristic_count; i++) {
        check_options(heuristic_kinds[i].name, heuristic_kinds[i].options);
        assert_ptr_equal(heuristic_find(heuristic_kinds[i].name), &heuristic_kinds[i]);
    }
    assert_null(algorithm_find(""));
    assert_null(heuristic_find(""));
}

static const struct option_row *options_at(unsigned i)
{
    return i < algorithm_count ? algorithms[i].options
                               : heuristic_kinds[i - algorithm_count].options;
}

/* The JSON Schema describes all options of one name together. */
TEST(options_of_one_name_are_of_one_kind)
{
    const unsigned tables = algorithm_count + heuristic_count;
    for (unsigned i = 0; i < tables; i++)
        for (unsigned j = 0; j < i; j++)
            for (unsigned a = 0; a < options_of(options_at(i)); a++)
                for (unsigned b = 0; b < options_of(options_at(j)); b++) {
                    const struct option_row *one = &options_at(i)[a];
                    const struct option_row *other = &options_at(j)[b];
                    if (strcmp(one->name, other->name) == 0 && one->kind != other->kind)
                        fail_msg("the option '%s' is of kind %d in one row and %d in another",
                                 one->name, one->kind, other->kind);
                }
}

/* Texts that name no solver. @A stands for all algorithms, @H for all heuristics, as messages list
 * them. */

static char *listed(const char *(*name)(unsigned), unsigned count)
{
    char *text = heap_text("");
    for (unsigned i = 0; i < count; i++)
        heap_append(&text, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", name(i));
    return text;
}

static const char *algorithm_name(unsigned i)
{
    return algorithms[i].name;
}

static const char *heuristic_name(unsigned i)
{
    return heuristic_kinds[i].name;
}

static char *filled_in(const char *text)
{
    const char *mark = strchr(text, '@');
    if (mark == NULL)
        return heap_format("%s\n", text);
    SCOPED char *list = mark[1] == 'A' ? listed(algorithm_name, algorithm_count)
                                       : listed(heuristic_name, heuristic_count);
    return heap_format("%.*s%s%s\n", (int)(mark - text), text, list, mark + 2);
}

TEST(wrong_solvers_are_reported_at_their_place)
{
    static const char *const cases[][2] = {
        {"", "s:3:5: no solver here; expected one such as astar(manhattan)"},
        {"   ", "s:3:8: no solver here; expected one such as astar(manhattan)"},
        {"(manhattan)", "s:3:5: no solver here; expected one such as astar(manhattan)"},
        {"quicksort", "s:3:5: unknown algorithm 'quicksort'; expected @A"},
        {"astr(manhattan)", "s:3:5: unknown algorithm 'astr'; expected @A; did you mean 'astar'?"},
        {"BFS", "s:3:5: unknown algorithm 'BFS'; expected @A; did you mean 'bfs'?"},
        {"astar manhattan", "s:3:5: unknown algorithm 'astar manhattan'; expected @A"},
        {"astar(manhatan)",
         "s:3:11: unknown heuristic 'manhatan'; expected @H; did you mean 'manhattan'?"},
        {"astar( nearest )", "s:3:12: unknown heuristic 'nearest'; expected @H"},
        {"astar(count_blank, misplaced)", "s:3:11: unknown heuristic 'count_blank'; expected @H"},
        {"astar", "s:3:5: astar needs a heuristic; expected one such as astar(manhattan)"},
        {"lcbb(ties=lifo)", "s:3:5: lcbb needs a heuristic; expected one such as lcbb(manhattan)"},
        {"bfs(manhattan)", "s:3:9: bfs takes no heuristic; expected bfs without 'manhattan'"},
        {"descent(misplaced, manhattan)",
         "s:3:24: a second heuristic 'manhattan'; descent has 'misplaced' already"},
        {"astar()", "s:3:11: nothing here; expected a heuristic, an option or no parentheses"},
        {"bfs( )", "s:3:10: nothing here; expected a heuristic, an option or no parentheses"},
        {"bfs(goal_test=removal,)", "s:3:27: nothing here; expected an option after the comma"},
        {"lcbb(zero,,ties=lifo)", "s:3:15: nothing here; expected an option after the comma"},
        {"lcbb(zero, =lifo)", "s:3:16: nothing here; expected an option after the comma"},
        {"bfs(goal_test)",
         "s:3:9: option 'goal_test' has no value; expected generation or removal"},
        {"bfs(goal_test=)",
         "s:3:19: invalid value '' for option 'goal_test'; expected generation or removal"},
        {"bfs(goal_test=removel)",
         "s:3:19: invalid value 'removel' for option 'goal_test'; expected generation or "
         "removal; did you mean 'removal'?"},
        {"bfs(goal_test==removal)",
         "s:3:19: invalid value '' for option 'goal_test'; expected generation or removal"},
        {"bfs(goaltest=removal)", "s:3:9: bfs has no option 'goaltest'; expected goal_test, "
                                  "depth_limit or order; did you mean 'goal_test'?"},
        {"dfs(depth=3)",
         "s:3:9: dfs has no option 'depth'; expected duplicates, depth_limit or order"},
        {"descent(zero, depth_limit=3)",
         "s:3:19: descent(zero) has no option 'depth_limit'; expected order"},
        {"descent(misplaced, depth_limit=3)",
         "s:3:24: descent(misplaced) has no option 'depth_limit'; expected count_blank or order"},
        {"descent(misplaced, count_blank=maybe)",
         "s:3:36: invalid value 'maybe' for option 'count_blank'; expected true or false"},
        {"bfs(order)", "s:3:9: option 'order' has no value; expected the letters U, L, R and D in "
                       "some order, such as ULRD"},
        {"bfs(order=ULLD)", "s:3:15: invalid value 'ULLD' for option 'order'; expected the letters "
                            "U, L, R and D in some order, such as ULRD"},
        {"bfs(order=ULRD, order=ULRD)", "s:3:21: option 'order' a second time"},
        {"dfs(depth_limit=-1)",
         "s:3:21: invalid value '-1' for option 'depth_limit'; expected a whole number from 0 to "
         "1000000000, or none"},
        {"dfs(depth_limit=1e3)",
         "s:3:21: invalid value '1e3' for option 'depth_limit'; expected a whole number from 0 "
         "to 1000000000, or none"},
        {"dfs(depth_limit=1000000001)",
         "s:3:21: invalid value '1000000001' for option 'depth_limit'; expected a whole "
         "number from 0 to 1000000000, or none"},
        {"dfs(depth_limit=18446744073709551617)",
         "s:3:21: invalid value '18446744073709551617' for option 'depth_limit'; expected a whole "
         "number from 0 to "
         "1000000000, or none"},
#define W "' for option 'w'; expected a number from 1 to 1000, with at most 3 decimals"
        {"wastar(manhattan, w=0)", "s:3:25: invalid value '0" W},
        {"wastar(manhattan, w=0.999)", "s:3:25: invalid value '0.999" W},
        {"wastar(manhattan, w=1000.001)", "s:3:25: invalid value '1000.001" W},
        {"wastar(manhattan, w=1001)", "s:3:25: invalid value '1001" W},
        {"wastar(manhattan, w=-2)", "s:3:25: invalid value '-2" W},
        {"wastar(manhattan, w=+2)", "s:3:25: invalid value '+2" W},
        {"wastar(manhattan, w=)", "s:3:25: invalid value '" W},
        {"wastar(manhattan, w=.)", "s:3:25: invalid value '." W},
        {"wastar(manhattan, w=2.)", "s:3:25: invalid value '2." W},
        {"wastar(manhattan, w=.5)", "s:3:25: invalid value '.5" W},
        {"wastar(manhattan, w=1.2345)", "s:3:25: invalid value '1.2345" W},
        {"wastar(manhattan, w=1.5000)", "s:3:25: invalid value '1.5000" W},
        {"wastar(manhattan, w=1.5.)", "s:3:25: invalid value '1.5." W},
        {"wastar(manhattan, w=1.5x)", "s:3:25: invalid value '1.5x" W},
        {"wastar(manhattan, w=2x)", "s:3:25: invalid value '2x" W},
        {"wastar(manhattan, w=1e1)", "s:3:25: invalid value '1e1" W},
        {"wastar(manhattan, w=two)", "s:3:25: invalid value 'two" W},
        {"wastar(manhattan, w=none)", "s:3:25: invalid value 'none" W},
        {"wastar(manhattan, w=18446744073709551617)",
         "s:3:25: invalid value '18446744073709551617" W},
#undef W
        {"wastar(manhattan, w)",
         "s:3:23: option 'w' has no value; expected a number from 1 to 1000, with at most 3 "
         "decimals"},
        {"beam(manhattan, width=0)", "s:3:27: invalid value '0' for option 'width'; expected a "
                                     "whole number from 1 to 100000000"},
        {"beam(manhattan, width=none)",
         "s:3:27: invalid value 'none' for option 'width'; expected a "
         "whole number from 1 to 100000000"},
        {"bfs(goal_test=removal, goal_test=removal)", "s:3:28: option 'goal_test' a second time"},
        {"descent(misplaced, count_blank, count_blank)",
         "s:3:37: option 'count_blank' a second time"},
        {"astar(manhattan", "s:3:20: the solver ends here; expected ')'"},
        {"astar(manhattan(", "s:3:20: unexpected '('; expected ',' or ')'"},
        {"astar(manhattan))", "s:3:21: unexpected ')'; expected nothing after the parenthesis"},
        {"astar(manhattan) bfs",
         "s:3:22: unexpected 'bfs'; expected nothing after the parenthesis"},
        {"bfs=3", "s:3:8: unexpected '=3'; expected '(' or the end"},
        {"bfs,dfs", "s:3:8: unexpected ',dfs'; expected '(' or the end"},
        {"bfs)", "s:3:8: unexpected ')'; expected '(' or the end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_BY(report_end) struct report report = {.file = "s"};
        struct solver solver;
        if (solver_parse(cases[i][0], (struct text_place){3, 5}, &report, &solver))
            fail_msg("'%s' was read as a solver", cases[i][0]);
        SCOPED char *expected = filled_in(cases[i][1]);
        if (strcmp(report.text, expected) != 0)
            fail_msg("'%s' gave\n%sexpected\n%s", cases[i][0], report.text, expected);
    }
}

/* A text of any length ends in a message or a solver, never in anything else. */
TEST(long_texts_do_no_harm)
{
    enum { LENGTH = 10000 };
    static const char *const pieces[] = {
        "(", ")", ",", "=", "a", " ", "astar(", "bfs(goal_test=removal,", "x=y,"};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        SCOPED char *text = heap_text("");
        struct report report;
        struct solver solver;
        text = heap_resize(text, LENGTH + 64);
        size_t length = (size_t)snprintf(text, LENGTH, "bfs(");
        while (length < LENGTH)
            length += (size_t)snprintf(text + length, 32, "%s", pieces[p]);
        report_start(&report, "s");
        assert_false(solver_parse(text, FIRST_PLACE, &report, &solver));
        report_end(&report);
        report_start(&report, "s");
        assert_false(solver_parse(text + 4, FIRST_PLACE, &report, &solver));
        report_end(&report);
    }
}

/* What a solver claims. */

TEST(claims_follow_from_options)
{
    static const struct {
        const char *text;
        unsigned claims;
    } cases[] = {
        {"bfs", OPTIMAL | COMPLETE},
        {"bfs(goal_test=removal)", OPTIMAL | COMPLETE},
        {"iddfs", OPTIMAL | COMPLETE},
        {"iddfs(duplicates=none, parity)", OPTIMAL | COMPLETE},
        {"iddfs(depth_limit=20)", OPTIMAL},
        {"ucs", OPTIMAL | COMPLETE},
        {"bibfs", OPTIMAL | COMPLETE},
        {"bibfs(side=alternate)", OPTIMAL | COMPLETE},
        {"nbs(manhattan)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"nbs(pdb:4-4)", OPTIMAL | COMPLETE | ADMISSIBLE},
        {"mm(misplaced, count_blank)", COMPLETE},
        {"bae(manhattan)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"bae(pdb:4-4)", COMPLETE | ADMISSIBLE},
        {"bsstar(pdb:4-4)", COMPLETE | ADMISSIBLE},
        {"dfs", COMPLETE},
        {"dfs(depth_limit=31)", 0},
        {"dfs(duplicates=path)", 0},
        {"dfs(duplicates=none)", 0},
        {"astar(manhattan)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"astar(zero)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"astar(manhattan, ties=lifo)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"astar(manhattan, depth_limit=31)", OPTIMAL | ADMISSIBLE | CONSISTENT},
        {"astar(misplaced, count_blank)", COMPLETE},
        {"lcbb(misplaced)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"lcbb(misplaced, duplicates=none)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"lcbb(misplaced, goal_test=generation)", COMPLETE | ADMISSIBLE | CONSISTENT},
        {"lcbb(misplaced, count_blank)", COMPLETE},
        {"dfbnb(manhattan)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"dfbnb(manhattan, depth_limit=31)", OPTIMAL | ADMISSIBLE | CONSISTENT},
        {"dfbnb(misplaced, count_blank)", COMPLETE},
        {"wastar(manhattan)", BOUNDED | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"wastar(manhattan, w=1)", BOUNDED | OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"wastar(manhattan, w=2, reopen=false)", BOUNDED | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"wastar(misplaced, count_blank, w=1)", COMPLETE},
        {"rbfs(manhattan)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"rbfs(misplaced, count_blank)", COMPLETE},
        {"epea(manhattan)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"pea(misplaced, count_blank, cutoff=2)", COMPLETE},
        {"bfhs(manhattan)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"bfhs(manhattan, bound=31)", OPTIMAL | ADMISSIBLE | CONSISTENT},
        {"frontier", OPTIMAL | COMPLETE},
        {"astar_idastar(manhattan, share=1)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"idastar(manhattan, table=4096)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"beam(manhattan)", ADMISSIBLE | CONSISTENT},
        {"beam(manhattan, width=100000000)", ADMISSIBLE | CONSISTENT},
        {"idastar(manhattan, step=parity)", OPTIMAL | COMPLETE | ADMISSIBLE | CONSISTENT},
        {"idastar(manhattan, depth_limit=31)", OPTIMAL | ADMISSIBLE | CONSISTENT},
        {"idastar(misplaced, count_blank)", COMPLETE},
        {"greedy(manhattan)", COMPLETE | ADMISSIBLE | CONSISTENT},
        {"greedy(manhattan, duplicates=parent)", ADMISSIBLE | CONSISTENT},
        {"descent(misplaced)", ADMISSIBLE | CONSISTENT},
        {"descent(misplaced, count_blank)", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct solver solver = solver_of(cases[i].text);
        if (solver_properties(&solver) != cases[i].claims)
            fail_msg("%s claims %x, not %x", cases[i].text, solver_properties(&solver),
                     cases[i].claims);
    }
}

TEST(bounds_follow_from_options)
{
    static const struct {
        const char *text;
        int64_t bound;
    } cases[] = {
        {"bfs", 1000},
        {"dfs", 0},
        {"astar(manhattan)", 1000},
        {"astar(misplaced, count_blank)", 0},
        {"greedy(manhattan)", 0},
        {"wastar(manhattan)", 1500},
        {"wastar(manhattan, w=1)", 1000},
        {"wastar(manhattan, w=2.125, ties=fifo)", 2125},
        {"wastar(manhattan, w=1000, reopen=false)", 1000000},
        {"wastar(misplaced, count_blank)", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct solver solver = solver_of(cases[i].text);
        if (solver_bound(&solver) != cases[i].bound)
            fail_msg("%s: %lld, not %lld", cases[i].text, (long long)solver_bound(&solver),
                     (long long)cases[i].bound);
    }
}

/* The rounds are bounded: the last that is kept holds what further ones count. */
TEST(rounds_are_bounded)
{
    struct search search = {.statistics = {.generated = 1}};
    for (uint64_t i = 0; i < 2 * MAX_ROUNDS; i++) {
        search_begins_round(&search, "threshold", i);
        search.statistics.expanded++;
        search.statistics.generated += 2;
    }
    assert_int_equal(search.statistics.iterations, 2 * MAX_ROUNDS);
    assert_int_equal(search.round_count, MAX_ROUNDS);
    assert_int_equal(search.rounds[0].generated, 0); /* the root is part of the first */
    assert_int_equal(search.rounds[MAX_ROUNDS - 1].threshold, MAX_ROUNDS - 1);
    assert_int_equal(search.rounds[MAX_ROUNDS - 1].generated, 2 * MAX_ROUNDS - 1);
    free(search.rounds);
}
