/* What is written to an external solver, and every rule of what its answer says. */
#include "../support.h"
#include "base/heap.h"
#include "harness/external/protocol.h"

#define START "1 2 3 4 5 6 0 7 8"
#define GOAL  "1 2 3 4 5 6 7 8 0"

static struct external external;
static struct result result;
static struct answer answer;

static int fresh(UNUSED void **state)
{
    external = (struct external){0};
    return 0;
}

static int end(UNUSED void **state)
{
    result_end(&result);
    answer_end(&answer);
    for (size_t i = 0; i < external.pattern_count; i++)
        output_pattern_end(&external.patterns[i]);
    free(external.patterns);
    return 0;
}

static struct task task(void)
{
    return (struct task){board_of(START), board_of(GOAL), DEFAULT_ORDER};
}

/* Reads an answer; returns what is wrong with it, heap memory. */
static char *read_bytes(const char *text, size_t length)
{
    const struct task the_task = task();
    const struct limits none = {0};
    const struct question question = {&the_task, &none, 1, 1, 1, COST_unit};
    result_end(&result);
    answer_end(&answer);
    return protocol_read(&external, &question, text, length, NULL, &result, &answer);
}

static void check_refused(const char *text, const char *message)
{
    SCOPED char *why = read_bytes(text, strlen(text));
    assert_non_null(why);
    assert_string_equal(why, message);
    assert_int_equal(result.status, STATUS_crashed);
    assert_null(result.moves);
    assert_int_equal(answer.known, 0);
    assert_true(text_is_printable(why));
}

static void check_read(const char *text, enum status status)
{
    char *why = read_bytes(text, strlen(text));
    if (why != NULL)
        fail_msg("%s: %s", text, why);
    assert_int_equal(result.status, status);
}

static void check_moves(const char *text, const char *moves)
{
    check_read(text, STATUS_solved);
    assert_string_equal(result.moves, moves);
    assert_int_equal(result.length, strlen(moves));
}

static void check_extra(const char *extra)
{
    if (extra == NULL)
        assert_null(answer.extra);
    else
        assert_string_equal(answer.extra, extra);
}

static bool knows(const char *name)
{
    for (unsigned i = 0; i < COUNTERS; i++)
        if (strcmp(counters[i].name, name) == 0)
            return (answer.known >> i & 1) != 0;
    return false;
}

TEST(test_input)
{
    const struct task wide = {board_sized(3, 2, "1 2 3 0 4 5"), board_sized(3, 2, "1 2 3 4 5 0"),
                              DEFAULT_ORDER};
    const struct limits none = {0};
    const struct question question = {&wide, &none, 1, 1, 1, COST_unit};
    ASSERT_TEXT(protocol_input(&external, &question), "3 2\n1 2 3\n0 4 5\n\n1 2 3\n4 5 0\n");
    external.json = true;
    ASSERT_TEXT(protocol_input(&external, &question),
                "{\"width\": 3, \"height\": 2, \"start\": \"1 2 3 0 4 5\", \"goal\": "
                "\"1 2 3 4 5 0\"}\n");
}

TEST(test_words)
{
    const struct task the_task = task();
    const struct limits none = {0};
    const struct question question = {&the_task, &none, 1, 1, 1, COST_unit};
    char *words[] = {"solve", "--size={size}", "{board}{goal}", "{\"a\": {b}}", "{boar", "", NULL};
    external.words = words;
    external.word_count = 6;
    char **filled = protocol_words(&external, &question);
    assert_string_equal(filled[0], "solve");
    assert_string_equal(filled[1], "--size=3x3");
    assert_string_equal(filled[2], START GOAL);
    assert_string_equal(filled[3], "{\"a\": {b}}");
    assert_string_equal(filled[4], "{boar");
    assert_string_equal(filled[5], "");
    assert_null(filled[6]);
    heap_free_words(filled);
}

TEST(test_moves)
{
    check_moves("moves: RR\n", "RR");
    check_moves("moves: RR", "RR");
    check_moves("  moves : r, R\r\n", "RR");
    check_moves("moves: ['R', 'r']\n", "RR");
    check_moves("moves:\n", "");
    check_moves("moves: LL\nmoves: RR\n", "RR");
    check_moves("status: solved\nmoves: RDLU\n", "RDLU");
    check_moves("Solving ..\n\n3 boards\nmoves: R\nDone.\n", "R");
    check_refused("moves: RxL\n", "moves: move 2 is not one of U, D, L and R: 'xL'");
    external.tile_moves = true;
    check_moves("moves: RDLU\n", "LURD");
}

TEST(test_statuses)
{
    for (unsigned i = 0; i < STATUSES; i++) {
        SCOPED char *text = heap_format("status: %s\n", status_rows[i].name);
        if (i == STATUS_solved || i == STATUS_crashed || i == STATUS_wrong_answer ||
            i == STATUS_interrupted || i == STATUS_lost || i == STATUS_claimed) {
            SCOPED char *why = read_bytes(text, strlen(text));
            assert_non_null(why);
        } else {
            check_read(text, (enum status)i);
            assert_null(result.moves);
            check_extra(NULL);
        }
    }
    check_refused("status: unsolveable\n",
                  "status: unsolveable is none; expected one of tilelab list statuses; did you "
                  "mean 'unsolvable'?");
    check_refused("status: crashed\n", "it says status: crashed");
    check_refused("status: claimed\n", "status: claimed, but no length above 0 alone");
    check_refused("status: solved\n",
                  "status: solved, but neither moves nor boards (tilelab solve prints more than "
                  "1,000 moves only with --json --moves)");
    check_read("status: stuck\nmoves: RR\nlength: 2\n", STATUS_stuck);
    check_extra("{\"moves\":\"RR\",\"length\":2}");
}

static void check_claimed(const char *text, size_t length)
{
    check_read(text, STATUS_claimed);
    assert_null(result.moves);
    assert_int_equal(result.length, length);
}

/* A length without a path is a claim, whatever it is called; a path is none. */
TEST(test_claims)
{
    check_claimed("length: 57\n", 57);
    check_claimed("status: solved\nlength: 57\nexpanded: 12\n", 57);
    assert_true(knows("expanded"));
    check_claimed("status: claimed\nlength: 57\n", 57);
    check_claimed("cost: 57\nnote: x\n", 57);
    check_extra("{\"cost\":57,\"note\":\"x\"}");
    check_claimed("length: 58\ncost: 57\n", 58);
    check_moves("moves: RR\ncost: 2\n", "RR");
    check_read("status: unsolvable\ncost: 7\n", STATUS_unsolvable);
    check_refused("cost: 5.5\n", "no answer: expected moves, a length or a status");
    check_refused("length: many\n", "no answer: expected moves, a length or a status");
    external.json = true;
    check_claimed("{\"length\": 57}\n", 57);
}

static void add_pattern(const char *name, const char *text)
{
    assert_null(external_add_pattern(&external, name, text, 7));
}

/* The output of the public solver of Burns et al. (2012), read as it is. */
TEST(test_patterns)
{
    static const char output[] = "#start data file format 4\n"
                                 "#pair  \"total nodes expanded\"\t\"12\"\n"
                                 "#pair  \"final sol length\"\t\"57\"\n"
                                 "#pair  \"memory\"\t\"1.5\"\n";
    add_pattern("expanded", "\"total nodes expanded\"\\s+\"(\\d+)\"");
    add_pattern("length", "\"final sol length\"\\s+\"(\\d+)\"");
    add_pattern("memory", "\"memory\"\\s+\"(.+)\"$");
    add_pattern("unsolvable", "no solution");
    check_claimed(output, 57);
    assert_int_equal(result.statistics.expanded, 12);
    assert_true(knows("expanded"));
    assert_false(knows("generated"));
    check_extra("{\"memory\":1.5}");
    assert_null(answer.message);
    check_read("length: 3\nthere is no solution\n", STATUS_unsolvable);
    assert_string_equal(answer.message,
                        "parse: expanded (line 7), length (line 7), memory (line 7) matched "
                        "nothing in its 2 lines, from 'length: 3' to 'there is no solution'");
    check_refused("Solving ..\n",
                  "no answer: parse: expanded (line 7), length (line 7), memory (line 7) matched "
                  "nothing in its line 'Solving ..'");
    add_pattern("generated", "final (\\w+)");
    check_refused(output, "generated: sol: expected a whole number from 0 to "
                          "18446744073709551615");
}

/* The last match counts; without a group all of it; an empty match ends. */
TEST(test_matches)
{
    add_pattern("length", "\\d+");
    check_claimed("1 2 39", 39);
    add_pattern("note", "x*");
    check_claimed("1 2 40", 40);
    add_pattern("slow", "^(a+)+$");
    check_claimed("9\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", 9);
    assert_non_null(strstr(answer.message, "parse: slow (line 7) (gave up: match limit exceeded) "
                                           "matched nothing in its 2 lines"));
    SCOPED char *why = external_add_pattern(&external, "bad", "(a", 1);
    assert_string_equal(why, "at character 3: missing closing parenthesis");
}

/* Lines of solutions that improve, with what each has cost, and when they came. */
TEST(test_improvements)
{
    static const char output[] = "sol 9 expanded 10\nsol 7 expanded 30 of 3\nsol 8 expanded 40\n"
                                 "sol 5 expanded 90 of 5\ndone\n";
    struct arrival came[] = {{18, 0.5}, {41, 1.5}, {sizeof output - 1, 4}};
    const struct arrivals arrivals = {came, 3};
    const struct task the_task = task();
    const struct limits none = {0};
    const struct question question = {&the_task, &none, 1, 1, 1, COST_unit};
    static const struct incumbent expected[] = {{0.5, 10, COUNT_UNKNOWN, 9, 9, false, 0},
                                                {1.5, 30, COUNT_UNKNOWN, 7, 7, false, 3},
                                                {4, 90, COUNT_UNKNOWN, 5, 5, false, 5}};
    add_pattern("length", "^sol (\\d+)");
    add_pattern("expanded", "expanded (\\d+)");
    add_pattern("bound", "of (\\d+)");
    assert_null(
        protocol_read(&external, &question, output, strlen(output), &arrivals, &result, &answer));
    assert_int_equal(result.status, STATUS_claimed);
    assert_int_equal(result.length, 5);
    assert_int_equal(result.incumbent_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct incumbent *is = &result.incumbents[i];
        assert_true(is->seconds == expected[i].seconds);
        assert_int_equal(is->expanded, expected[i].expanded);
        assert_int_equal(is->generated, expected[i].generated);
        assert_int_equal(is->length, expected[i].length);
        assert_int_equal(is->cost, expected[i].cost);
        assert_int_equal(is->bound, expected[i].bound);
        assert_false(is->verified);
    }
}

/* What a program is told of its run. */
TEST(test_placeholders)
{
    const struct task the_task = task();
    const struct limits limits = {.seconds = 2.5, .bytes = 512 << 20, .nodes = 1000};
    const struct question question = {&the_task, &limits, 3, 77, 1, COST_unit};
    char *words[] = {"{width} {height}\n{positions}\n{goal_positions}",
                     "{seed} {repetition} {time_s} {cpu_s} {memory_mb} {nodes}",
                     "{{seed}} {1..3} {a {B}", "{columns}\n{goal_columns}\n{places}\n{goal_places}",
                     NULL};
    external.words = words;
    external.word_count = 4;
    char **filled = protocol_words(&external, &question);
    assert_string_equal(filled[0], "3 3\n6\n0\n1\n2\n3\n4\n5\n7\n8\n8\n0\n1\n2\n3\n4\n5\n6\n7");
    assert_string_equal(filled[3], "1 4 0\n2 5 7\n3 6 8\n1 4 7\n2 5 8\n3 6 0\n"
                                   "7\n1\n2\n3\n4\n5\n6\n8\n9\n9\n1\n2\n3\n4\n5\n6\n7\n8");
    assert_string_equal(filled[1], "77 3 2.5 0 512 1000");
    assert_string_equal(filled[2], "{seed} {1..3} {a {B}");
    heap_free_words(filled);
    char input[] = "{positions}\n";
    external.input = input;
    ASSERT_TEXT(protocol_input(&external, &question), "6\n0\n1\n2\n3\n4\n5\n7\n8\n");
}

TEST(test_no_answer)
{
    check_refused("", "no answer: expected moves, a length or a status");
    check_refused("\n\n  \n", "no answer: expected moves, a length or a status");
    check_refused("expanded: 4\n", "no answer: expected moves, a length or a status");
    check_refused("\nSolving \033[1m..\nmore\n",
                  "no answer: expected moves, a length or a status; it printed 'Solving ?[1m..'");
}

TEST(test_length)
{
    check_moves("moves: RR\nlength: 2\n", "RR");
    check_refused("moves: RR\nlength: 3\n", "length: 3, but the path has 2 moves");
    check_refused("moves: RR\nlength: two\n",
                  "length: two: expected a whole number from 0 to 18446744073709551615");
}

TEST(test_counters)
{
    check_read("moves: RR\nexpanded: 43\ngenerated: 18446744073709551615\nh_start: 2\n"
               "max_open:\n",
               STATUS_solved);
    assert_int_equal(result.statistics.expanded, 43);
    assert_true(result.statistics.generated == UINT64_MAX);
    assert_int_equal(result.h_start, 2);
    assert_true(knows("expanded") && knows("generated"));
    assert_false(knows("max_open") || knows("reopened") || knows("peak_bytes"));
    check_extra(NULL);
    check_read("moves: RR\n", STATUS_solved);
    assert_int_equal(result.h_start, -1);
    assert_int_equal(answer.known, 0);
    check_read("moves: RR\nexpanded: 1\nexpanded: 2\n", STATUS_solved);
    assert_int_equal(result.statistics.expanded, 2);
    static const char *const wrong[] = {"-1", "1.5", "18446744073709551616", "1e3", "many", "1 2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SCOPED char *message = heap_format(
            "expanded: %s: expected a whole number from 0 to 18446744073709551615", wrong[i]);
        check_refused(text_of("moves: RR\nexpanded: %s\n", wrong[i]), message);
    }
    check_refused("moves: RR\nh_start: 65536\n",
                  "h_start: 65536: expected a whole number from 0 to 65535");
}

/* What `tilelab solve` prints: what the system measures better is kept beside. */
TEST(test_own_answer)
{
    check_read("solver: astar(manhattan)\nstatus: solved\nlength: 2\nmoves: RR\nh_start: 2\n"
               "expanded: 2\ngenerated: 5\nduplicates: 0\nreopened: 0\nmax_open: 3\n"
               "max_stored: 5\nmax_depth: 2\niterations: 1\npeak_bytes: 41552\n"
               "wall_s: 0.000460403\ncpu_s: 0.25\n",
               STATUS_solved);
    assert_int_equal(result.statistics.max_stored, 5);
    assert_int_equal(result.statistics.peak_bytes, 0);
    assert_true(result.wall_seconds <= 0 && result.cpu_seconds <= 0);
    check_extra("{\"solver\":\"astar(manhattan)\",\"peak_bytes\":41552,\"wall_s\":0.000460403,"
                "\"cpu_s\":0.25}");
}

TEST(test_extra)
{
    check_read("moves: RR\na: 1\nb: 1.5\nc: x\033[2Jy\nd: -0\ne:\nf: \"q\"\na: 2\n"
               "g: \xff\xc3\xa4\ni: 007\n",
               STATUS_solved);
    check_extra("{\"a\":2,\"b\":1.5,\"c\":\"x?[2Jy\",\"d\":0,\"e\":\"\",\"f\":"
                "\"\\\"q\\\"\",\"g\":\"?\xc3\xa4\",\"i\":\"007\"}");
    /* Bounded: names and bytes. What is beyond is counted; a name that is kept can change. */
    char *text = heap_text("moves: RR\n");
    for (int i = 0; i < 200; i++)
        heap_append(&text, "n%d: %d\n", i, i);
    for (int i = 0; i < 200; i++)
        heap_append(&text, "n0: %d\n", i);
    check_read(text, STATUS_solved);
    json_auto_t *extra = json_loads(answer.extra, 0, NULL);
    assert_int_equal(json_object_size(extra), EXTRA_NAMES + 1);
    assert_int_equal(json_integer_value(json_object_get(extra, "not_kept")), 200 - EXTRA_NAMES);
    assert_int_equal(json_integer_value(json_object_get(extra, "n0")), 199);
    free(text);
    text = heap_format("moves: RR\nlong: %05000d\nshort: 1\n", 7);
    check_read(text, STATUS_solved);
    check_extra("{\"short\":1,\"not_kept\":1}");
    free(text);
}

TEST(test_boards)
{
    check_moves("boards: 1 2 3 4 5 6 0 7 8\n1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 7 8 0\nexpanded: 3\n",
                "RR");
    assert_int_equal(result.statistics.expanded, 3);
    check_moves("boards:\n1 2 3\n4 5 6\n_ 7 8\n\n1 2 3\n4 5 6\n7 _ 8\n", "R");
    external.tile_moves = true; /* of boards, which name no direction, nothing changes */
    check_moves("boards:\n1 2 3 4 5 6 0 7 8\n1 2 3 4 5 6 7 0 8\n", "R");
    external.tile_moves = false;
    check_moves("boards:\n" START "\nmoves:\n", "");
    check_refused("boards:\n" START "\nmoves: R\n", "moves and boards are different paths");
    check_refused("boards:\n" START "\n1 2 3 4 5 6 7 0 8\n" START "\n" GOAL "\n",
                  "boards: step 3: board 4 is not one move from board 3");
    check_refused("boards:\n" START "\n" START "\n",
                  "boards: step 1: board 2 is not one move from board 1");
    check_refused("boards:\n" GOAL "\n", "boards: the first one is not the start");
    check_refused("boards:\n", "boards: there are none; expected those of the path, from the start "
                               "to the goal");
    SCOPED char *why = read_bytes("boards:\n1 2 3 4\n", 16);
    assert_non_null(why);
    assert_memory_equal(why, "boards:2:1: ", 9);
}

TEST(test_json)
{
    external.json = true;
    check_read("{\"moves\": \"RR\", \"expanded\": 43, \"length\": 2, \"max_open\": null, "
               "\"solver\": null, \"peak_bytes\": 9, \"more\": {\"a\": [1,\"\\u001b\"]}}\n",
               STATUS_solved);
    assert_string_equal(result.moves, "RR");
    assert_int_equal(result.statistics.expanded, 43);
    assert_true(knows("expanded") && !knows("max_open"));
    check_extra("{\"peak_bytes\":9,\"more\":{\"a\":[1,\"\\u001B\"]}}");
    check_read("Loading\n{\n  \"status\": \"unsolvable\"\n}\nbye\n", STATUS_unsolvable);
    check_moves("{\"moves\": [\"R\", \"r\"]}", "RR");
    check_moves("{\"moves\": []}", "");
    check_moves("{\"boards\": [\"" START "\", [1, 2, 3, 4, 5, 6, 7, 0, 8], [[1, 2, 3], [4, 5, 6], "
                "[7, 8, 0]]]}",
                "RR");
    check_refused("Hello\nyou\n",
                  "no answer: expected moves, a length or a status; it printed 'Hello'");
    check_refused("{\"expanded\": 4}", "no answer: expected moves, a length or a status");
    check_refused("{\"moves\": \"RR\", \"expanded\": 4.0}",
                  "expanded: 4.0: expected a whole number from 0 to 18446744073709551615");
    check_refused("{\"moves\": \"RR\", \"expanded\": true}",
                  "expanded: true: expected a whole number from 0 to 18446744073709551615");
    SCOPED char *why = read_bytes("{\"moves\": \"RR\"", 14);
    assert_non_null(why);
    assert_non_null(strstr(why, "its JSON object cannot be read: line 1, column "));
}

/* Bytes of any value, zero too. */
TEST(test_zero_bytes)
{
    static const char text[] = "a\0b\nnote: x\0y\nmoves: RR\n";
    assert_null(read_bytes(text, sizeof text - 1));
    check_extra("{\"note\":\"x?y\"}");
}

/* The end of a persistent program's answer, as the bytes come one by one. */
static void check_ends(const char *text, size_t end_at)
{
    struct answer_scan scan = {0};
    for (size_t length = 0; length < end_at; length++)
        assert_int_equal(protocol_answer_bytes(&external, text, length, &scan), 0);
    assert_int_equal(protocol_answer_bytes(&external, text, strlen(text), &scan), end_at);
    scan = (struct answer_scan){0};
    assert_int_equal(protocol_answer_bytes(&external, text, strlen(text), &scan), end_at);
}

TEST(test_ends)
{
    struct answer_scan scan = {0};
    check_ends("moves: RR\n\n", 11);
    check_ends("moves: RR\r\n\r\nmoves", 13);
    check_ends("\n\nmoves: RR\n\nmoves: L\n\n", 13);
    assert_int_equal(protocol_answer_bytes(&external, "moves: R\n", 9, &scan), 0);
    external.json = true;
    check_ends("{}\n", 3);
    check_ends("\nready\n\n  {\"a\": 1}\n{}\n", 19);
}

AROUND_EACH_TEST(fresh, end)
