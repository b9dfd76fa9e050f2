/* Random instances: streams, distributions, depths, distinctness; and sets in files. */
#include "heuristics/heuristic.h"
#include "instances/generate.h"
#include "tests/support.h"
#include <gsl/gsl_cdf.h>

static struct generation uniform(unsigned width, unsigned height, uint32_t count)
{
    return (struct generation){.set = "test",
                               .method = METHOD_uniform,
                               .goal = goal_of("blank-last", width, height),
                               .seed = 7,
                               .count = count};
}

/* The same at some depths. */
static struct generation at_depths(enum method method, struct generation generation,
                                   const uint32_t *depths, uint32_t count)
{
    generation.method = method;
    generation.depths = depths;
    generation.depth_count = count;
    return generation;
}

#define LIST(...)                                                                                  \
    (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

static struct instance_list generated(const struct generation *generation)
{
    struct instance_list list = {0};
    struct report report = {.file = "g"};
    if (!instances_generate(generation, FIRST_PLACE, &report, &list))
        fail_msg("%s", report.text);
    assert_int_equal(report.count, 0);
    return list;
}

static void expect_refusal(const struct generation *generation, const char *message)
{
    SCOPED_BY(instance_list_end) struct instance_list list = {0};
    SCOPED_BY(report_end) struct report report = {.file = "g"};
    assert_false(instances_generate(generation, (struct text_place){4, 2}, &report, &list));
    assert_string_equal(report.text, message);
}

/* How many of the first boards of two lists are the same. */
static size_t same_boards(const struct instance_list *a, const struct instance_list *b)
{
    size_t same = 0;
    for (size_t i = 0; i < a->count && i < b->count; i++)
        same += board_equal(&a->items[i].start, &b->items[i].start);
    return same;
}

/* Random numbers. */

/* The known answers of Random123 (Salmon and others 2011, file kat_vectors) for philox4x32 with 10
 * rounds. The counter's first word counts blocks, so the second and third vector are reached
 * through the generator's state. */
TEST(philox_gives_the_published_numbers)
{
    static const struct {
        uint32_t counter[4], key[2], numbers[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    gsl_rng *generator = any_generator();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const uint32_t *counter = known[i].counter;
        const uint64_t seed = known[i].key[0] | (uint64_t)known[i].key[1] << 32;
        random_stream(generator, seed, counter[3], counter[2], counter[1]);
        /* The state begins with the key (two words) and the counter (four). */
        memcpy((char *)gsl_rng_state(generator) + sizeof known[i].key, counter, sizeof counter[0]);
        for (unsigned j = 0; j < 4; j++)
            assert_int_equal(gsl_rng_get(generator), known[i].numbers[j]);
    }
}

TEST(streams_go_on_block_by_block)
{
    enum { NUMBERS = 4096 };
    static uint32_t first[NUMBERS];
    gsl_rng *generator = any_generator();
    random_stream(generator, 1, 2, 3, 4);
    for (unsigned i = 0; i < NUMBERS; i++)
        first[i] = (uint32_t)gsl_rng_get(generator);
    random_stream(generator, 1, 2, 3, 4); /* from the beginning again */
    for (unsigned i = 0; i < NUMBERS; i++)
        assert_int_equal(gsl_rng_get(generator), first[i]);
    const uint32_t others[][4] = {{2, 2, 3, 4}, {1, 3, 3, 4}, {1, 2, 4, 4}, {1, 2, 3, 5}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        unsigned same = 0;
        random_stream(generator, others[i][0], others[i][1], others[i][2], others[i][3]);
        for (unsigned j = 0; j < NUMBERS; j++)
            same += gsl_rng_get(generator) == first[j];
        assert_true(same < 3);
    }
}

TEST(the_whole_seed_counts)
{
    gsl_rng *generator = any_generator();
    random_stream(generator, 5, 0, 0, 0);
    const unsigned long low = gsl_rng_get(generator);
    random_stream(generator, 5 + (UINT64_C(1) << 32), 0, 0, 0);
    assert_true(gsl_rng_get(generator) != low);
}

/* Each instance has a random stream of its own. */

TEST(an_instance_is_the_same_whatever_the_count)
{
    for (unsigned method = 0; method < METHOD_all; method++) { /* those that draw */
        struct generation few = at_depths((enum method)method, uniform(3, 3, 5), LIST(4, 9));
        few.steps = 30;
        struct generation many = few;
        many.count = 50;
        SCOPED_BY(instance_list_end) struct instance_list a = generated(&few);
        SCOPED_BY(instance_list_end) struct instance_list b = generated(&many);
        const unsigned batches = method == METHOD_depth ? 2 : 1;
        assert_int_equal(a.count, 5 * batches);
        assert_int_equal(b.count, 50 * batches);
        for (unsigned batch = 0; batch < batches; batch++)
            for (unsigned i = 0; i < 5; i++) {
                const struct instance *one = &a.items[5 * batch + i];
                const struct instance *other = &b.items[50 * batch + i];
                assert_string_equal(one->name, other->name);
                assert_string_equal(one->set, "test");
                assert_true(board_equal(&one->start, &other->start));
            }
    }
}

TEST(a_depth_draws_the_same_beside_other_depths)
{
    struct generation three = at_depths(METHOD_depth, uniform(3, 3, 10), LIST(20, 5, 12));
    struct generation one = at_depths(METHOD_depth, three, LIST(12));
    SCOPED_BY(instance_list_end) struct instance_list a = generated(&three);
    SCOPED_BY(instance_list_end) struct instance_list b = generated(&one);
    for (unsigned i = 0; i < 10; i++)
        assert_true(board_equal(&a.items[20 + i].start, &b.items[i].start));
    assert_string_equal(a.items[0].name, "d20-1");
    assert_string_equal(a.items[29].name, "d12-10");
}

/* Depths 1 to 5 of the 2x2 puzzle hold two boards each: drawn from one stream, the same one of the
 * two would come up at every depth. */
TEST(each_depth_has_a_stream_of_its_own)
{
    enum { COUNT = 64 };
    struct generation generation =
        at_depths(METHOD_depth, uniform(2, 2, COUNT), LIST(1, 2, 3, 4, 5));
    uint64_t drawn[5] = {0};
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    struct ranking ranking = ranking_of(&generation.goal);
    for (unsigned depth = 0; depth < 5; depth++) {
        uint32_t least = UINT32_MAX;
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t rank = ranking_rank(&ranking, &list.items[COUNT * depth + i].start);
            least = rank < least ? rank : least;
        }
        for (unsigned i = 0; i < COUNT; i++)
            if (ranking_rank(&ranking, &list.items[COUNT * depth + i].start) == least)
                drawn[depth] |= UINT64_C(1) << i;
        assert_in_range(__builtin_popcountll(drawn[depth]), COUNT / 4, COUNT * 3 / 4);
        for (unsigned other = 0; other < depth; other++)
            assert_in_range(__builtin_popcountll(drawn[depth] ^ drawn[other]), COUNT / 4,
                            COUNT * 3 / 4);
    }
}

TEST(another_name_or_seed_gives_other_boards)
{
    struct generation generation = uniform(4, 4, 100);
    SCOPED_BY(instance_list_end) struct instance_list base = generated(&generation);
    generation.seed = 8;
    SCOPED_BY(instance_list_end) struct instance_list other_seed = generated(&generation);
    generation.seed = 7 + (UINT64_C(1) << 32);
    SCOPED_BY(instance_list_end) struct instance_list high_seed = generated(&generation);
    generation.seed = 7;
    generation.set = "tset";
    SCOPED_BY(instance_list_end) struct instance_list other_name = generated(&generation);
    assert_int_equal(same_boards(&base, &other_seed), 0);
    assert_int_equal(same_boards(&base, &high_seed), 0);
    assert_int_equal(same_boards(&base, &other_name), 0);
}

/* The boards of a seed never change: experiments name a seed and expect these. */
TEST(the_first_boards_of_a_seed)
{
    struct generation generation = uniform(3, 3, 3);
    generation.set = "generated";
    generation.seed = 1;
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    assert_string_equal(line_of(&list.items[0].start), "5 0 4 6 2 8 7 1 3");
    assert_string_equal(line_of(&list.items[2].start), "0 7 3 2 4 5 6 1 8");
}

/* The method uniform is uniform. */

static void expect_uniform(unsigned width, unsigned height, const char *goal, uint32_t count)
{
    struct generation generation = uniform(width, height, count);
    generation.goal = goal_of(goal, width, height);
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    struct ranking ranking = ranking_of(&generation.goal);
    SCOPED unsigned *seen = heap_take(ranking.size, sizeof *seen);
    for (size_t i = 0; i < list.count; i++) {
        assert_true(board_connected(&list.items[i].start, &generation.goal));
        seen[ranking_rank(&ranking, &list.items[i].start)]++;
    }
    const double expected = (double)count / ranking.size;
    double chi_square = 0;
    for (uint32_t rank = 0; rank < ranking.size; rank++)
        chi_square += (seen[rank] - expected) * (seen[rank] - expected) / expected;
    const double p = gsl_cdf_chisq_Q(chi_square, ranking.size - 1);
    if (p < 0.001 || p > 0.999)
        fail_msg("%ux%u, %s, seed %u: chi-square %.1f over %u boards, p = %g", width, height, goal,
                 (unsigned)generation.seed, chi_square, ranking.size, p);
}

TEST(every_board_is_equally_likely)
{
    expect_uniform(2, 2, "blank-last", 12000);
    expect_uniform(2, 2, "blank-first", 12000);
    expect_uniform(2, 3, "blank-last", 72000);
    expect_uniform(3, 2, "snail", 72000);
}

TEST(uniform_boards_can_reach_their_goal_on_every_shape)
{
    for (unsigned width = MIN_SIDE; width <= MAX_SIDE; width++)
        for (unsigned height = MIN_SIDE; width * height <= MAX_CELLS; height++) {
            struct generation generation = uniform(width, height, 20);
            generation.goal = goal_of("snail", width, height);
            SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
            for (size_t i = 0; i < list.count; i++) {
                assert_true(board_connected(&list.items[i].start, &generation.goal));
                assert_true(board_equal(&list.items[i].goal, &generation.goal));
                assert_int_equal(list.items[i].optimal_length, LENGTH_UNKNOWN);
            }
        }
}

/* Walks. */

TEST(a_walk_of_no_step_stays_at_the_goal)
{
    struct generation generation = uniform(3, 3, 5);
    generation.method = METHOD_walk;
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    for (size_t i = 0; i < list.count; i++)
        assert_true(board_equal(&list.items[i].start, &generation.goal));
}

TEST(a_walk_of_one_step_gives_each_neighbour)
{
    struct generation generation = uniform(3, 3, 400);
    generation.method = METHOD_walk;
    generation.steps = 1;
    generation.goal = goal_of("snail", 3, 3);
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    unsigned seen[9] = {0};
    for (size_t i = 0; i < list.count; i++) {
        struct board board = list.items[i].start;
        seen[board.blank]++;
        board_slide(&board, generation.goal.blank);
        assert_true(board_equal(&board, &generation.goal));
    }
    for (unsigned cell = 0; cell < 9; cell++)
        if (cell % 2 == 1)
            assert_in_range(seen[cell], 60, 140); /* 100 expected */
        else
            assert_int_equal(seen[cell], 0);
}

/* Two steps that could undo each other would come back to the goal; and the blank's cell has the
 * parity of the steps. */
TEST(a_walk_never_undoes_its_last_step)
{
    struct generation generation = uniform(3, 3, 300);
    generation.method = METHOD_walk;
    SCOPED_BY(distances_end) struct distances distances = distances_to(&generation.goal);
    for (generation.steps = 1; generation.steps <= 12; generation.steps++) {
        SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
        for (size_t i = 0; i < list.count; i++) {
            int distance = distances_of(&distances, &list.items[i].start);
            assert_in_range(distance, 0, generation.steps);
            assert_int_equal(distance % 2, generation.steps % 2);
            /* The shortest way round a square takes twelve moves: sooner no walk comes nearer than
             * it went. */
            if (generation.steps <= 6)
                assert_int_equal(distance, generation.steps);
        }
    }
}

/* Depths. */

TEST(boards_lie_at_their_exact_depth)
{
    uint32_t depths[32];
    for (uint32_t depth = 0; depth < 32; depth++)
        depths[depth] = depth;
    struct generation generation = at_depths(METHOD_depth, uniform(3, 3, 5), depths, 32);
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    assert_int_equal(list.count, 32 * 5);
    SCOPED_BY(distances_end) struct distances distances = distances_to(&generation.goal);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(distances_of(&distances, &list.items[i].start), i / 5);
        assert_int_equal(list.items[i].optimal_length, i / 5);
    }
}

/* Each board at these distances once: as many as there are (OEIS A089473, A089474 on 4x4), and all
 * of the smaller puzzle in the exact table. */
TEST(all_boards_at_some_depths)
{
    static const size_t fifteen[] = {1, 2, 4, 10, 24, 54, 107, 212, 446};
    uint32_t even[16];
    struct generation generation =
        at_depths(METHOD_all, uniform(4, 4, 1), LIST(0, 1, 2, 3, 4, 5, 6, 7, 8));
    struct instance_list list = generated(&generation);
    size_t seen[9] = {0};
    for (size_t i = 0; i < list.count; i++)
        seen[list.items[i].optimal_length]++;
    assert_memory_equal(seen, fifteen, sizeof fifteen);
    assert_string_equal(list.items[0].name, "d00-1");
    assert_string_equal(list.items[2].name, "d01-2");
    instance_list_end(&list);
    for (uint32_t i = 0; i < 16; i++)
        even[i] = 2 * (15 - i); /* in any order */
    generation = at_depths(METHOD_all, uniform(3, 3, 1), even, 16);
    list = generated(&generation);
    SCOPED_BY(distances_end) struct distances distances = distances_to(&generation.goal);
    size_t expected = 0;
    for (unsigned i = 0; i <= 30; i += 2)
        expected += distances.states[i];
    assert_int_equal(list.count, expected);
    for (size_t i = 0; i < list.count; i++) {
        const struct instance *instance = &list.items[i];
        assert_int_equal(distances_of(&distances, &instance->start), instance->optimal_length);
        if (i > 0 && instance[-1].optimal_length == instance->optimal_length)
            assert_true(memcmp(instance[-1].start.cell, instance->start.cell, MAX_CELLS) < 0);
    }
    instance_list_end(&list);
    generation = at_depths(METHOD_all, uniform(3, 3, 1), LIST(3, 32));
    expect_refusal(
        &generation,
        "g:4:2: no 3x3 board lies 32 moves from this goal; expected a depth from 0 to 31\n");
    generation = at_depths(METHOD_all, uniform(6, 6, 1), LIST(60));
    expect_refusal(
        &generation,
        "g:4:2: 245793 boards at depth 14; expected depths below that, or method walk\n");
}

TEST(depths_that_do_not_exist_are_refused)
{
    struct generation generation = at_depths(METHOD_depth, uniform(3, 3, 1), LIST(31, 32));
    expect_refusal(
        &generation,
        "g:4:2: no 3x3 board lies 32 moves from this goal; expected a depth from 0 to 31\n");
    generation = at_depths(METHOD_depth, generation, LIST(UINT32_MAX));
    expect_refusal(&generation, "g:4:2: no 3x3 board lies 4294967295 moves from this goal; "
                                "expected a depth from 0 to 31\n");
    generation = at_depths(METHOD_depth, generation, LIST(31, 30, 31));
    expect_refusal(&generation, "g:4:2: depth 31 a second time; expected each depth once\n");
    generation = at_depths(METHOD_depth, uniform(4, 3, 1), LIST(31));
    expect_refusal(&generation,
                   "g:4:2: 4x3 boards are too large for method depth; expected at most 10 cells\n");
}

/* Distinct. */

static void expect_all_different(const struct instance_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < i; j++)
            assert_false(board_equal(&list->items[i].start, &list->items[j].start));
}

TEST(distinct_gives_every_board_and_no_more)
{
    struct generation generation = uniform(2, 2, 12);
    generation.distinct = true;
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    assert_int_equal(list.count, 12);
    expect_all_different(&list);
    generation.count = 13;
    expect_refusal(
        &generation,
        "g:4:2: too few boards: 12 distinct ones can reach this goal; expected a count of at "
        "most that, or distinct: false\n");
    generation = uniform(2, 3, 360);
    generation.distinct = true;
    SCOPED_BY(instance_list_end) struct instance_list other = generated(&generation);
    expect_all_different(&other);
    generation.count = UINT32_MAX;
    expect_refusal(
        &generation,
        "g:4:2: too few boards: 360 distinct ones can reach this goal; expected a count of at "
        "most that, or distinct: false\n");
}

TEST(distinct_boards_at_a_depth)
{
    struct generation generation = at_depths(METHOD_depth, uniform(3, 3, 2), LIST(31));
    generation.distinct = true;
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    expect_all_different(&list);
    generation.count = 3;
    expect_refusal(
        &generation,
        "g:4:2: too few boards: 2 distinct ones at depth 31; expected a count of at most that, "
        "or distinct: false\n");
}

/* On 2x2 a walk goes round one way or the other: two boards for most numbers of steps. */
TEST(distinct_walks_give_up_in_time)
{
    struct generation generation = uniform(2, 2, 2);
    generation.method = METHOD_walk;
    generation.steps = 3;
    generation.distinct = true;
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    expect_all_different(&list);
    generation.count = 3;
    expect_refusal(
        &generation,
        "g:4:2: too few boards: only 2 distinct ones came up on walks of 3 steps; expected a "
        "smaller count, more steps or distinct: false\n");
}

TEST(distinct_boards_are_the_same_whatever_the_count)
{
    struct generation generation = uniform(2, 3, 100);
    generation.distinct = true;
    SCOPED_BY(instance_list_end) struct instance_list few = generated(&generation);
    generation.count = 300;
    SCOPED_BY(instance_list_end) struct instance_list many = generated(&generation);
    assert_int_equal(same_boards(&few, &many), 100);
}

/* Optimal lengths. */

TEST(exact_tables_fill_in_what_is_unknown)
{
    SCOPED_BY(instance_list_end) struct instance_list list = {0};
    struct board goal = goal_of("blank-last", 3, 3);
    struct board farthest = board_of("8 6 7 2 5 4 3 0 1");
    struct board impossible = board_of("1 2 3 4 5 6 8 7 0");
    struct board large = goal_of("blank-first", 4, 4);
    struct board small_goal = board_of("1 2 3; 4 5 0");
    struct board small = board_of("1 2 3; 4 0 5");
    instance_add(&list, "s", "1", &farthest, &goal, LENGTH_UNKNOWN);
    instance_add(&list, "s", "2", &large, &large, LENGTH_UNKNOWN);
    instance_add(&list, "s", "3", &impossible, &goal, LENGTH_UNKNOWN);
    instance_add(&list, "s", "4", &small, &small_goal, LENGTH_UNKNOWN);
    instance_add(&list, "s", "5", &farthest, &goal, 99); /* what a set says stays */
    instance_add(&list, "s", "6", &goal, &goal, LENGTH_UNKNOWN);
    instance_add(&list, "s", "7", &goal, &farthest, LENGTH_UNKNOWN);
    instances_look_up_optimal(&list);
    const int expected[] = {31, LENGTH_UNKNOWN, LENGTH_UNKNOWN, 1, 99, 0, 31};
    for (size_t i = 0; i < list.count; i++)
        assert_int_equal(list.items[i].optimal_length, expected[i]);
}

/* Set files. */

/* Reads a text as a set and writes it again, or returns the problems. Heap memory. */
static char *reading_of(const char *text, const char *goal, const char *size)
{
    SCOPED_BY(instance_list_end) struct instance_list list = {0};
    SCOPED_BY(report_end) struct report report;
    struct shape shape;
    char *seen = NULL;
    size_t length = 0;
    assert_true(size == NULL || shape_parse(size, &shape));
    report_start(&report, "f");
    FILE *out = open_memstream(&seen, &length);
    assert_non_null(out);
    if (set_parse(text, "set", size == NULL ? NULL : &shape, goal, &report, &list)) {
        assert_int_equal(report.count, 0);
        assert_true(set_write(out, &list));
    } else {
        assert_true(report.count > 0);
        fputs(report.text, out);
    }
    fclose(out);
    return seen;
}

struct example {
    const char *text;
    const char *expected;
    const char *size; /* NULL: the text shows it */
};

static void expect(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        SCOPED char *seen = reading_of(examples[i].text, "blank-last", examples[i].size);
        if (strcmp(seen, examples[i].expected) != 0)
            fail_msg("example %zu,\n%swas read as\n%sexpected:\n%s", i, examples[i].text, seen,
                     examples[i].expected);
    }
}

#define EXPECT(examples) expect(examples, sizeof(examples) / sizeof *(examples))
#define HEADER           "id,width,height,start,goal,optimal_length\n"

TEST(sets_are_read)
{
    static const struct example examples[] = {
        {"start\n1 2 3 0\n", HEADER "1,2,2,1 2 3 0,blank-last,\n", NULL},
        {"id,start,goal,optimal_length\na,3 2 1 0,blank-first,6\nb,3 2 1 0,,\n,1 2 0 3,snail,0\n",
         HEADER "a,2,2,3 2 1 0,blank-first,6\nb,2,2,3 2 1 0,blank-last,\n3,2,2,1 2 0 3,snail,0\n",
         NULL},
        {"start,note\n1 2 3 0,\"other columns, whatever they hold\"\n",
         HEADER "1,2,2,1 2 3 0,blank-last,\n", NULL},
        {"start,goal\n123456780,\"1 2 3, 5 8 6, 0 7 4\"\n1 3 2 0,\"[[1,2],[3,0]]\"\n",
         HEADER "1,3,3,1 2 3 4 5 6 7 8 0,1 2 3 5 8 6 0 7 4,\n2,2,2,1 3 2 0,blank-last,\n", NULL},
        {"start,width,height\n1 2 3 4 5 0,2,3\n1 2 3 4 5 0,3,2\n1 2 3 0,,\n",
         HEADER "1,2,3,1 2 3 4 5 0,blank-last,\n2,3,2,1 2 3 4 5 0,blank-last,\n3,2,2,1 2 3 "
                "0,blank-last,\n",
         NULL},
        {"start\n1 2 3 4 5 0\n", HEADER "1,3,2,1 2 3 4 5 0,blank-last,\n", "3x2"},
        {"start\n\"1 2\n3 0\"\n3 2 1 0\n",
         HEADER "1,2,2,1 2 3 0,blank-last,\n2,2,2,3 2 1 0,blank-last,\n", NULL},
        {"id,start\n\"a,b\",1 2 3 0\n\"q\"\"r\",1 2 3 0\n",
         HEADER "\"a,b\",2,2,1 2 3 0,blank-last,\n\"q\"\"r\",2,2,1 2 3 0,blank-last,\n", NULL},
        {"# where it is from\n\n# and when\nid,start\r\na,1 2 3 0\r\n\r\nb,1 2 3 0\r\n",
         HEADER "a,2,2,1 2 3 0,blank-last,\nb,2,2,1 2 3 0,blank-last,\n", NULL},
        {"\xEF\xBB\xBF# a mark\nstart\n1 2 3 0\n", HEADER "1,2,2,1 2 3 0,blank-last,\n", NULL},
        /* As spreadsheets write it. */
        {"\xEF\xBB\xBFid;board\r\na;1 2 3 0\r\n\"b;c\";\"1,2,3,0\"\r\n",
         HEADER "a,2,2,1 2 3 0,blank-last,\nb;c,2,2,1 2 3 0,blank-last,\n", NULL},
        /* A board that cannot reach its goal is kept. */
        {"start\n1 2 3 4 5 6 8 7 0\n", HEADER "1,3,3,1 2 3 4 5 6 8 7 0,blank-last,\n", NULL},
    };
    EXPECT(examples);
}

TEST(plain_texts_of_boards_are_sets_too)
{
    static const struct example examples[] = {
        {"1 2 3 0\n3 2 1 0\n", HEADER "1,2,2,1 2 3 0,blank-last,\n2,2,2,3 2 1 0,blank-last,\n",
         NULL},
        {"# the start of it\n1 2\n3 0\n\n1 2 3\n4 5 0\n",
         HEADER "1,2,2,1 2 3 0,blank-last,\n2,3,2,1 2 3 4 5 0,blank-last,\n", NULL},
        {"1 2 3 0 # start, here\n", HEADER "1,2,2,1 2 3 0,blank-last,\n", NULL},
        {"x 1 2 3\n", HEADER "1,2,2,0 1 2 3,blank-last,\n", NULL},
        {"_,1,2,3\n", HEADER "1,2,2,0 1 2 3,blank-last,\n", NULL},
    };
    EXPECT(examples);
}

/* The text that an external solver reads. */
TEST(a_shape_a_board_and_its_goal_are_a_set_too)
{
    static const struct example examples[] = {
        {"3 2\n1 2 3\n4 0 5\n\n0 1 2\n3 4 5\n", HEADER "1,3,2,1 2 3 4 0 5,blank-first,\n", NULL},
        {"2 3\r\n1 2\n3 4\n0 5\n\n1 2\n3 4\n5 0\n", HEADER "1,2,3,1 2 3 4 0 5,blank-last,\n", NULL},
        {" 2  2 \n1 2\n3 0\n\n3 2\n1 0", HEADER "1,2,2,1 2 3 0,3 2 1 0,\n", NULL},
        /* Boards that begin alike, and shapes that do not fit. */
        {"2 3\n1 0\n\n3 2\n1 0\n", HEADER "1,2,2,2 3 1 0,blank-last,\n2,2,2,3 2 1 0,blank-last,\n",
         NULL},
        {"3 2\n1 2 3\n4 0 5\n",
         "f:2:1: 3 cells in this row, but 2 in the first; expected rows of the same length\n",
         NULL},
        {"2\n2\n1 2\n3 0\n\n3 2\n1 0\n",
         "f:3:1: 2 cells in this row, but 1 in the first; expected rows of the same length\n",
         NULL},
    };
    EXPECT(examples);
}

#define UNPRINTABLE "contains unprintable characters; expected one line of printable text\n"
#define SECOND_TIME "' a second time; expected each id once (rows without one are numbered)\n"

TEST(bad_sets_are_reported_with_their_place)
{
    static const struct example examples[] = {
        {"id,position\na,1 2 3 0\n", "f:1:1: no column 'start'; expected it in the header\n", NULL},
        {"Start\n1 2 3 0\n", "f:1:1: no column 'start'; expected it in the header\n", NULL},
        {"# from\n# here\nid,restart\na,1 2 3 0\n",
         "f:3:1: no column 'start'; expected it in the header\n", NULL},
        {"start,start\n1 2 3 0,1 2 3 0\n", "f:1:7: column 'start' occurs twice\n", NULL},
        {"id,start\na,1 2 3 0\nb,1 2 3 0\na,3 2 1 0\n", "f:4:1: id 'a" SECOND_TIME, NULL},
        {"id,start\n2,1 2 3 0\n,3 2 1 0\n", "f:3:2: id '2" SECOND_TIME, NULL},
        {"id,start\n,1 2 3 0\n1,3 2 1 0\n", "f:3:1: id '1" SECOND_TIME, NULL},
        {"id,start\nb,1 2 3 0,x\n", "f:2:11: the row has 3 fields; expected 2 as in the header\n",
         NULL},
        {"start,goal\n1 2 3 0,nowhere\n1 2 3 0,1 2 3\n1 2 3 0,1 2 3 3\n",
         "f:2:9: unknown goal 'nowhere'; expected blank-last, blank-first, snail or a whole board\n"
         "f:3:9: 3 cells in this line do not make a 2x2 board; expected all 4 cells in one line, "
         "or 2 lines of 2\n"
         "f:4:15: tile 3 a second time; the first is at line 4, column 13\n"
         "f:4:9: the blank is missing; expected a 0, -1, _, x or .\n",
         NULL},
        {"start,optimal_length\n1 2 3 0,x\n1 2 3 0,-1\n1 2 3 0,10001\n1 2 3 0,3.5\n1 2 3 "
         "0,99999999999999999999\n",
         "f:2:9: invalid optimal length 'x'; expected a whole number up to 10000\n"
         "f:3:9: invalid optimal length '-1'; expected a whole number up to 10000\n"
         "f:4:9: invalid optimal length '10001'; expected a whole number up to 10000\n"
         "f:5:9: invalid optimal length '3.5'; expected a whole number up to 10000\n"
         "f:6:9: invalid optimal length '99999999999999999999'; expected a whole number up to "
         "10000\n",
         NULL},
        {"start,goal,optimal_length\n3 2 1 0,blank-first,5\n3 2 1 0,blank-first,8\n"
         "0 1 2 3,blank-first,0\n0 1 2 3,blank-first,2\n1 0 2 3,blank-first,0\n"
         "1 2 0 3,blank-first,4\n3 2 1 0,blank-first,6\n",
         "f:2:21: optimal length 5; expected 6, the exact distance of this board\n"
         "f:3:21: optimal length 8; expected 6, the exact distance of this board\n"
         "f:5:21: optimal length 2; expected 0, the exact distance of this board\n"
         "f:6:21: optimal length 0; expected 1, the exact distance of this board\n"
         "f:7:21: optimal length 4 of a board that cannot reach its goal; expected none\n",
         NULL},
        {"start,goal,optimal_length\n"
         "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3,blank-first,58\n"
         "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3,blank-first,39\n"
         "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3,blank-first,41\n"
         "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3,blank-first,57\n"
         "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3,blank-first,81\n"
         "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0,blank-last,2\n"
         "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15,blank-last,2\n"
         "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0,blank-last,2\n"
         "1 2 3 4 8 5 6 7 10 9 11 12 13 14 15 0,1 2 3 4 5 6 7 8 9 0 11 12 13 14 15 10,85\n",
         "f:2:51: optimal length 58; expected an odd number, as the blank is 3 steps from its "
         "goal\n"
         "f:3:51: optimal length 39; expected at least 41, the board's Manhattan distance\n"
         "f:6:51: optimal length 81; expected at most 80, as no 15-puzzle board lies farther from "
         "such a goal\n"
         "f:7:50: optimal length 2; expected 0, as the board is its goal\n"
         "f:8:50: optimal length 2; expected an odd number, as the blank is 1 step from its goal\n"
         "f:9:50: optimal length 2 of a board that cannot reach its goal; expected none\n",
         NULL},
        {"id,start\n\"two\nlines\",1 2 3 0\n\"a\tb\",1 2 3 0\n\033[31mred,1 2 3 0\n"
         "\xE2\x80\xAEturned,1 2 3 0\n\xFF,1 2 3 0\n blank,1 2 3 0\nblank ,1 2 3 0\nfine "
         "\xC3\xA4,1 2 3 0\n",
         "f:2:2: id 'two?lines' " UNPRINTABLE "f:4:2: id 'a?b' " UNPRINTABLE
         "f:5:1: id '?[31mred' " UNPRINTABLE "f:6:1: id '?turned' " UNPRINTABLE
         "f:7:1: id '?' " UNPRINTABLE
         "f:8:1: id ' blank' starts or ends with a space; expected one line of printable text\n"
         "f:9:1: id 'blank ' starts or ends with a space; expected one line of printable text\n",
         NULL},
        {"start,width,height\n1 2 3 4 5 0,3,3\n1 2 3 4 5 0,1,6\n1 2 3 4 5 0,x,6\n1 2 3 4 5 "
         "0,2,19\n",
         "f:2:1: 6 cells in this line do not make a 3x3 board; expected all 9 cells in one line, "
         "or 3 lines of 3\n"
         "f:3:13: a 1x6 board; expected both sides at least 2 and at most 36 cells\n"
         "f:4:13: invalid width 'x'; expected a whole number up to 18\n"
         "f:5:15: invalid height '19'; expected a whole number up to 18\n",
         NULL},
        {"start,width\n1 2 3 4 5 6 7 0 8,4\n",
         "f:2:19: a width without a height; expected both, or none\n", NULL},
        {"start,width,height\n1 2 3 4 5 0,3,2\n", "f:2:13: a 3x2 board; expected 2x3\n", "2x3"},
        {"start\n1 2 3 0\n",
         "f:2:1: 4 cells in this line do not make a 2x3 board; expected all 6 cells in one line, "
         "or 3 lines of 2\n",
         "2x3"},
        {"start\n\"1 2\n3 3\"\n",
         "f:3:3: tile 3 a second time; the first is at line 3, column 1\n"
         "f:2:2: the blank is missing; expected a 0, -1, _, x or .\n",
         NULL},
        {"start\n", "f: no boards here; expected rows below the header\n", NULL},
        {"",
         "f: no boards here; expected boards such as 1 2 3 4 5 6 7 8 0, one per line or as grids\n",
         NULL},
        {"# nothing\n",
         "f: no boards here; expected boards such as 1 2 3 4 5 6 7 8 0, one per line or as grids\n",
         NULL},
    };
    EXPECT(examples);
}

TEST(a_goal_must_fit_the_board)
{
    ASSERT_TEXT(
        reading_of("1 2 3 0\n\n123456780\n", "1 2 3 0", NULL),
        "f:3:1: 4 cells in this line do not make a 3x3 board; expected all 9 cells in one line, "
        "or 3 lines of 3\n");
    SCOPED char *other = reading_of("start\n1 2 3 0\n", "nowhere", NULL);
    assert_string_equal(other, "f:2:1: unknown goal 'nowhere'; expected blank-last, blank-first, "
                               "snail or a whole board\n");
}

TEST(numbering_starts_anew_in_each_set)
{
    SCOPED_BY(instance_list_end) struct instance_list list = {0};
    struct report report = {.file = "f"};
    assert_true(set_parse("start\n1 2 3 0\n3 2 1 0\n", "a", NULL, "blank-last", &report, &list));
    assert_true(set_parse("start\n1 2 3 0\n", "b", NULL, "blank-last", &report, &list));
    assert_true(set_parse("1 2 3 0\n", "c", NULL, "blank-last", &report, &list));
    assert_int_equal(list.count, 4);
    assert_string_equal(list.items[2].set, "b");
    assert_string_equal(list.items[2].name, "1");
    assert_string_equal(list.items[3].name, "1");
}

TEST(what_is_written_is_read_again)
{
    static const unsigned sides[][2] = {{2, 2}, {3, 3}, {5, 4}, {6, 6}, {18, 2}};
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
        for (unsigned goal = 0; goal <= GOAL_NAMES; goal++) {
            struct generation generation = uniform(sides[s][0], sides[s][1], 40);
            SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
            const struct board other = goal < GOAL_NAMES
                                           ? goal_of(goal_names[goal], sides[s][0], sides[s][1])
                                           : list.items[7].start;
            for (size_t i = 0; i < list.count; i++) {
                list.items[i].goal = other;
                /* The board's own length, or one that no rule excludes. */
                if (generation.goal.shape.cells > MAX_TABLE_CELLS && i % 2 == 0 &&
                    board_connected(&list.items[i].start, &other))
                    list.items[i].optimal_length =
                        1000 +
                        (int)shape_distance(other.shape, list.items[i].start.blank, other.blank) %
                            2;
            }
            instances_look_up_optimal(&list);
            SCOPED char *text = NULL;
            size_t length = 0;
            FILE *stream = open_memstream(&text, &length);
            assert_true(set_write(stream, &list));
            fclose(stream);
            SCOPED_BY(instance_list_end) struct instance_list again = {0};
            struct report report = {.file = "f"};
            if (!set_parse(text, "test", NULL, "blank-last", &report, &again))
                fail_msg("%s", report.text);
            assert_int_equal(again.count, list.count);
            for (size_t i = 0; i < list.count; i++) {
                assert_string_equal(again.items[i].set, list.items[i].set);
                assert_string_equal(again.items[i].name, list.items[i].name);
                assert_memory_equal(&again.items[i].start, &list.items[i].start, sizeof other);
                assert_memory_equal(&again.items[i].goal, &list.items[i].goal, sizeof other);
                assert_int_equal(again.items[i].optimal_length, list.items[i].optimal_length);
            }
        }
}

TEST(a_full_disk_is_noticed)
{
    struct generation generation = uniform(3, 3, 10);
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_false(set_write(full, &list));
    fclose(full);
}

TEST(chosen_instances_are_kept_in_order)
{
    struct generation generation = uniform(3, 3, 6);
    SCOPED_BY(instance_list_end) struct instance_list list = generated(&generation);
    const bool keep[] = {true, false, false, true, false, true};
    set_select(&list, keep);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].name, "1");
    assert_string_equal(list.items[1].name, "4");
    assert_string_equal(list.items[2].name, "6");
}

/* Published sets. */

/* The value of a column of a published set, row by row; the sets quote nothing. */
static long *numbers_of(const char *name, const char *column, size_t count)
{
    FILE *file = fopen(text_of("%s/instances/sets/%s.csv", getenv("TILELAB_SOURCE"), name), "r");
    long *numbers = heap_take(count, sizeof *numbers);
    char line[1024];
    size_t rows = 0;
    int place = -1;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        int at = 0;
        char *rest = line;
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\n")] = '\0';
        const bool header = place < 0;
        for (char *field; (field = strsep(&rest, ",")) != NULL; at++) {
            if (header && strcmp(field, column) == 0)
                place = at;
            else if (!header && at == place && rows < count)
                numbers[rows++] = strtol(field, NULL, 10);
        }
        assert_true(place >= 0);
    }
    assert_int_equal(rows, count);
    fclose(file);
    return numbers;
}

static void check_published(const char *name, size_t count, unsigned side, long optimal_sum)
{
    SCOPED_BY(instance_list_end) struct instance_list list = published(name);
    SCOPED long *manhattan = numbers_of(name, "manhattan", count);
    const struct board goal = goal_of("blank-first", side, side);
    const struct heuristic_choice choice = choice_of("manhattan");
    long sum = 0;
    assert_int_equal(list.count, count);
    expect_all_different(&list);
    SCOPED_BY(heuristic_end) struct heuristic heuristic = heuristic_started(&choice, &goal);
    for (size_t i = 0; i < count; i++) {
        const struct instance *instance = &list.items[i];
        assert_string_equal(instance->name, text_of("%zu", i + 1));
        assert_true(board_equal(&instance->goal, &goal));
        assert_true(board_connected(&instance->start, &goal));
        const unsigned h = heuristic.kind->evaluate(&heuristic, &instance->start);
        assert_int_equal(h, manhattan[i]);
        assert_true((int)h <= instance->optimal_length);
        assert_int_equal(h % 2, instance->optimal_length % 2); /* each move changes both by one */
        sum += instance->optimal_length;
    }
    assert_int_equal(sum, optimal_sum);
}

/* Mean optimal lengths as the sources give them: 53.05 and 100.78. */
TEST(korfs_sets_are_whole)
{
    check_published("korf100", 100, 4, 5305);
    check_published("korf24_50", 50, 5, 5039);
}

/* The same of DeepCubeA's test boards: 52.02 and 89.41. */
TEST(deepcubeas_sets_are_whole)
{
    static const struct {
        const char *name;
        size_t count;
        unsigned side;
        long sum;
    } sets[] = {{"deepcubea15", 500, 4, 26011}, {"deepcubea24", 496, 5, 44348}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        SCOPED_BY(instance_list_end) struct instance_list list = published(sets[i].name);
        const struct board goal = goal_of("blank-last", sets[i].side, sets[i].side);
        long sum = 0;
        assert_int_equal(list.count, sets[i].count);
        for (size_t j = 0; j < list.count; j++) {
            sum += list.items[j].optimal_length;
            assert_true(board_equal(&list.items[j].goal, &goal));
            assert_true(board_connected(&list.items[j].start, &goal));
        }
        assert_int_equal(sum, sets[i].sum);
    }
}

TEST(the_classics_are_as_far_as_they_say)
{
    SCOPED_BY(instance_list_end) struct instance_list list = published("classics");
    assert_int_equal(list.count, 3);
    const char *const names[] = {"lcbb-3x3", "greedy-4x4", "astar-3x3"};
    const int lengths[] = {3, 3, 8};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(list.items[i].name, names[i]);
        assert_int_equal(list.items[i].optimal_length, lengths[i]);
        assert_true(board_connected(&list.items[i].start, &list.items[i].goal));
        list.items[i].optimal_length = LENGTH_UNKNOWN;
    }
    instances_look_up_optimal(&list);
    assert_int_equal(list.items[0].optimal_length, 3);
    assert_int_equal(list.items[2].optimal_length, 8);
}
