/* Pattern databases as a heuristic: ranks and how moves change them, the mirrored sum, and what h
 * claims, on every board where that is cheap. TILELAB_LONG=1 has more goals of large boards. */
#include "heuristics/max.h"
#include "pdb/partition.h"
#include "tests/support.h"

static struct pdb *pdb_for(const char *text, const struct board *goal, bool zero, bool reflect)
{
    struct report report = {0};
    SCOPED_BY(pdb_settings_end) struct pdb_settings settings = {.reflect = reflect};
    char *problem = NULL;
    settings.partitions = partitions_make(text, goal, zero, FIRST_PLACE, &report, &settings.count);
    if (settings.partitions == NULL)
        fail_msg("%s", report.text);
    struct pdb *pdb = pdb_make(goal, &settings, 1, NULL, &problem);
    if (pdb == NULL)
        fail_msg("%s", problem);
    return pdb;
}

static unsigned h_of(const struct pdb *pdb, const struct board *board)
{
    const struct heuristic heuristic = {.goal = *board, .data = (void *)(uintptr_t)pdb};
    return pdb_evaluate(&heuristic, board);
}

/* One pattern of random cells. */
static struct pdb *random_pdb(gsl_rng *generator, const struct board *goal, unsigned tiles,
                              bool zero)
{
    struct partition partition = {.count = 1};
    struct pattern *pattern = &partition.group[0];
    uint8_t cells[MAX_CELLS];
    unsigned count = 0;
    char *problem = NULL;
    for (unsigned cell = 0; cell < goal->shape.cells; cell++)
        if (cell != goal->blank)
            cells[count++] = (uint8_t)cell;
    gsl_ran_shuffle(generator, cells, count, 1);
    *pattern = (struct pattern){.shape = goal->shape,
                                .blank = goal->blank,
                                .count = (uint8_t)tiles,
                                .kind = zero ? PATTERN_ZERO_AWARE : PATTERN_ADDITIVE};
    memcpy(pattern->cell, cells, tiles);
    const struct pdb_settings settings = {.count = 1, .partitions = &partition};
    struct pdb *pdb = pdb_make(goal, &settings, 1, NULL, &problem);
    assert_non_null(pdb);
    return pdb;
}

/* What a symmetry does to the first two cells and to the last tells it from all others. */
static unsigned symmetry_of(const struct pdb_group *group, struct shape shape)
{
    return (group->map[0] * 36U + group->map[1]) * 36U + group->map[shape.cells - 1];
}

TEST(moves_change_the_rank_as_computed)
{
    static const struct {
        unsigned width, height, tiles, symmetries;
    } rows[] = {{3, 3, 5, 8}, {4, 3, 4, 4}, {3, 5, 4, 4}, {4, 4, 4, 8}, {5, 5, 3, 8}, {2, 7, 3, 4}};
    enum { PATTERNS = 40, STEPS = 400 };
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned seen[PATTERNS];
        unsigned symmetries = 0;
        struct shape shape = shape_of(rows[i].width, rows[i].height);
        for (unsigned p = 0; p < PATTERNS; p++) {
            random_stream(generator, 2026, 300, i, p);
            const struct board goal = any_board(generator, shape);
            struct pdb *pdb = random_pdb(generator, &goal, rows[i].tiles, p % 2 == 1);
            const struct pdb_sum *sum = &pdb->sum[0];
            const struct pdb_group *group = sum->group[0];
            uint64_t set;
            uint64_t next;
            struct board board = goal;
            unsigned known = 0;
            while (known < symmetries && seen[known] != symmetry_of(group, shape))
                known++;
            if (known == symmetries)
                seen[symmetries++] = symmetry_of(group, shape);
            assert_int_equal(pdb_group_value(group, &goal), 0);
            for (unsigned step = 0; step < STEPS; step++) {
                const unsigned move = (unsigned)gsl_rng_uniform_int(generator, MOVES);
                const unsigned blank = board.blank;
                const unsigned from = move_target(shape, blank, move);
                if (from == NO_CELL)
                    continue;
                const unsigned tile = board.cell[from];
                const uint32_t before = pdb_group_rank(group, &board, &set);
                const int32_t change = pdb_rank_change(sum, &board, tile, blank, move);
                board_slide(&board, from);
                assert_int_equal(pdb_rank_change(sum, &board, tile, blank, move), change);
                assert_int_equal(pdb_group_rank(group, &board, &next), before + (uint32_t)change);
                const bool ours = (set >> group->map[from] & 1) != 0;
                const uint64_t cells = UINT64_C(1) << group->map[from] | UINT64_C(1)
                                                                             << group->map[blank];
                assert_true(next == (ours ? set ^ cells : set));
                assert_true(before < group->table->entries);
            }
            pdb_end(pdb);
        }
        assert_int_equal(symmetries, rows[i].symmetries);
    }
}

static const struct {
    unsigned width, height;
    const char *groups;
} partitioned[] = {
    {3, 3, "1.2.3.4/5.6.7.8"},
    {3, 3, "1.4.5.8.2/3/6.7"},
    {3, 3, "1/2/3/4/5/6/7/8"},
    {3, 3, "1.2.3.4.5.6.7.8"},
    {4, 4, "1.2.3.5/4.7.8.12/6.9.10.13/11.14.15"},
    {4, 3, "1.2.3.5/6.9.10.4/7.8.11"},
    {2, 5, "1.2.3/4.5.6.7/8.9"},
    {5, 5, "1.2.6/3.4.5/7.8.9/10.15.20/11.12.13/14.18.19/16.17.21/22.23.24"},
    {6, 6,
     "1.2/3.4.5/6.7/8.9.10/11.12/13.14/15.16.17/18.19/20.21/22.23/24.25.26/27.28.29/"
     "30.31/32.33.34/35"},
    {18, 2,
     "1.2.3/4.5.6/7.8.9/10.11.12/13.14.15/16.17.18/19.20.21/22.23.24/25.26.27/28.29/30.31/"
     "32.33/34.35"},
};

/* h from the parent's h and from scratch, with one sum and with two. */
TEST(a_step_gives_what_the_board_gives)
{
    enum { GOALS = 4, GOALS_OF_LONG = 8, STEPS = 300 }; /* 4 are one of each kind */
    const unsigned goals = is_long() ? GOALS_OF_LONG : GOALS;
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof partitioned / sizeof *partitioned; i++)
        for (unsigned n = 0; n < goals; n++) {
            random_stream(generator, 2026, 301, i, n);
            struct shape shape = shape_of(partitioned[i].width, partitioned[i].height);
            const struct board goal = any_board(generator, shape);
            const bool reflect = n > 1 && pdb_reflects(&goal);
            const bool zero = n % 2 == 1;
            struct pdb *pdb = pdb_for(partitioned[i].groups, &goal, zero, reflect);
            const struct heuristic heuristic = {.goal = goal, .data = pdb};
            struct board board = goal;
            unsigned h = 0;
            for (unsigned step = 0; step < STEPS; step++) {
                const unsigned to = board.blank;
                const unsigned from =
                    move_target(shape, to, (unsigned)gsl_rng_uniform_int(generator, MOVES));
                if (from == NO_CELL)
                    continue;
                const unsigned tile = board.cell[from];
                board_slide(&board, from);
                const unsigned before = h;
                h = pdb_step(&heuristic, &board, h, tile, from, to);
                assert_int_equal(h, pdb_evaluate(&heuristic, &board));
                if (zero)
                    assert_true(h + 1 == before || h == before + 1);
                const unsigned steps = shape_distance(shape, board.blank, goal.blank);
                assert_int_equal(h % 2, steps % 2);
            }
            pdb_end(pdb);
        }
}

/* The board as a mirror at a diagonal shows it: tiles are identified by their goal cells. */
static struct board mirrored(const struct board *board, const struct board *goal, bool second)
{
    const unsigned width = board->shape.width;
    uint8_t image[MAX_CELLS];
    uint8_t home[MAX_CELLS];
    uint8_t tiles[MAX_CELLS];
    struct board result;
    for (unsigned cell = 0; cell < goal->shape.cells; cell++) {
        const unsigned row = cell / width;
        const unsigned column = cell % width;
        image[cell] = (uint8_t)(second ? (width - 1 - column) * width + width - 1 - row
                                       : column * width + row);
        home[goal->cell[cell]] = (uint8_t)cell;
    }
    for (unsigned cell = 0; cell < goal->shape.cells; cell++)
        tiles[image[cell]] = goal->cell[image[home[board->cell[cell]]]];
    assert_true(board_make(board->shape, tiles, &result));
    return result;
}

/* With reflect, h does not tell a board from its image in the mirror; without, it does. */
TEST(reflection_sees_boards_as_a_mirror_does)
{
    static const struct {
        unsigned width, blank;
        bool second;
        unsigned partition;
    } rows[] = {{3, 0, false, 1}, {3, 4, false, 0}, {3, 2, true, 1},  {4, 0, false, 4},
                {4, 3, true, 4},  {4, 9, true, 4},  {4, 10, false, 4}};
    enum { BOARDS = 300 };
    gsl_rng *generator = any_generator();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct shape shape = shape_of(rows[i].width, rows[i].width);
        uint8_t tiles[MAX_CELLS] = {0};
        struct board goal;
        for (unsigned cell = 0, tile = 1; cell < shape.cells; cell++)
            tiles[cell] = cell == rows[i].blank ? 0 : (uint8_t)tile++;
        assert_true(board_make(shape, tiles, &goal));
        const bool zero = i % 2 == 1;
        struct pdb *one = pdb_for(partitioned[rows[i].partition].groups, &goal, zero, false);
        struct pdb *two = pdb_for(partitioned[rows[i].partition].groups, &goal, zero, true);
        for (unsigned g = 0; g < two->sum[0].count; g++)
            assert_ptr_equal(two->sum[0].group[g]->table, two->sum[1].group[g]->table);
        unsigned unlike = 0;
        unsigned larger = 0;
        for (unsigned n = 0; n < BOARDS; n++) {
            random_stream(generator, 2026, 302, i, n);
            struct board board = any_board(generator, shape);
            if (!board_connected(&board, &goal))
                continue;
            const struct board image = mirrored(&board, &goal, rows[i].second);
            unlike += h_of(one, &board) != h_of(one, &image);
            assert_int_equal(h_of(two, &board), h_of(two, &image));
            const unsigned a = h_of(one, &board);
            const unsigned b = h_of(one, &image);
            assert_int_equal(h_of(two, &board), a > b ? a : b);
            larger += h_of(two, &board) > a;
        }
        assert_true(unlike > BOARDS / 10);
        assert_true(larger > BOARDS / 20);
        pdb_end(one);
        pdb_end(two);
    }
}

/* On every board: never above the distance, of its parity, 0 at the goal alone; zero-aware never
 * below ordinary, and always 1 up or down from board to board. How often does a move let an
 * ordinary h fall by more than 1, and how often is it less? */
TEST(h_is_admissible_and_consistent_if_zero_aware)
{
    static const struct {
        const char *goal;
        const char *groups;
    } rows[] = {
        {"1 2 3 4 5 6 7 8 0", "1.2.3.4/5.6.7.8"},
        {"1 2 3 4 5 6 7 8 0", "1.4.5.8.2/3/6.7"},
        {"0 1 2 3 4 5 6 7 8", "1.2.4.5/3.6.7.8"},
        {"1 0 2 3 4 5 6 7 8", "1.2.3/4.5.6.7.8"},
        {"1 2 3 8 0 4 7 6 5", "1.2.3/4.5.6/7.8"},
        {"1 2 3 8 0 4 7 6 5", "1.2.3.4.5.6.7/8"},
        {"1 2 3 8 0 4 7 6 5", "1.2.3.4.5.6.7.8"},
        {"1 2 3\n4 5 0", "1.2.3/4.5"},
        {"0 1 2\n3 4 5", "1.2/3.4.5"},
        {"1 2\n3 4\n5 6\n7 0", "1.2.3/4.5.6.7"},
        {"1 2\n0 3\n4 5\n6 7", "1.2.3.4.5/6.7"},
    };
    unsigned falls = 0;
    unsigned less = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned reflect = 0; reflect < 2; reflect++) {
            const struct board goal = board_of(rows[i].goal);
            if (reflect == 1 && !pdb_reflects(&goal))
                continue;
            struct pdb *pdb = pdb_for(rows[i].groups, &goal, false, reflect == 1);
            struct pdb *aware = pdb_for(rows[i].groups, &goal, true, reflect == 1);
            SCOPED_BY(distances_end) struct distances distances = distances_to(&goal);
            /* In the quick tier one board in 11 of a large space, which 11 does not divide. */
            const uint32_t every = is_long() || distances.ranking.size < 10000 ? 1 : 11;
            for (uint32_t rank = 0; rank < distances.ranking.size; rank += every) {
                struct board board = board_ranked(&distances.ranking, rank);
                const unsigned h = h_of(pdb, &board);
                const unsigned more = h_of(aware, &board);
                assert_in_range(more, h, distances.depth[rank]);
                assert_int_equal(h % 2, distances.depth[rank] % 2);
                assert_int_equal(more % 2, h % 2);
                assert_true((h == 0) == (distances.depth[rank] == 0));
                less += h < more;
                if (rank % 16 != 0) /* every board is a neighbour of some */
                    continue;
                for (unsigned move = 0; move < MOVES; move++) {
                    const unsigned blank = board.blank;
                    const unsigned from = move_target(goal.shape, blank, move);
                    if (from == NO_CELL)
                        continue;
                    board_slide(&board, from);
                    const unsigned next = h_of(aware, &board);
                    assert_true(next + 1 == more || next == more + 1);
                    falls += h_of(pdb, &board) + 1 < h;
                    board_slide(&board, blank);
                }
            }
            pdb_end(pdb);
            pdb_end(aware);
        }
    printf("%u falls by more than 1, %u below the zero-aware h\n", falls, less);
    assert_true(falls > 100);
    assert_true(less > 1000);
}

/* On walks on larger boards, too, zero-aware h is never below ordinary h, and sometimes above. */
TEST(zero_aware_dominates_ordinary)
{
    enum { GOALS = 4, STEPS = 2000 };
    gsl_rng *generator = any_generator();
    for (unsigned i = 4; i < 8; i++) {
        unsigned above = 0;
        for (unsigned n = 0; n < GOALS; n++) {
            random_stream(generator, 2026, 303, i, n);
            struct shape shape = shape_of(partitioned[i].width, partitioned[i].height);
            const struct board goal = any_board(generator, shape);
            const bool reflect = n > 0 && pdb_reflects(&goal);
            struct pdb *pdb = pdb_for(partitioned[i].groups, &goal, false, reflect);
            struct pdb *aware = pdb_for(partitioned[i].groups, &goal, true, reflect);
            struct board board = goal;
            for (unsigned step = 0; step < STEPS; step++) {
                const unsigned from = move_target(shape, board.blank,
                                                  (unsigned)gsl_rng_uniform_int(generator, MOVES));
                if (from == NO_CELL)
                    continue;
                board_slide(&board, from);
                assert_in_range(h_of(aware, &board), h_of(pdb, &board), UINT8_MAX);
                above += h_of(aware, &board) > h_of(pdb, &board);
            }
            pdb_end(pdb);
            pdb_end(aware);
        }
        assert_true(above > 0);
    }
}

/* A catalogue, and a max of databases, is the largest of its partitions' values on every board, and
 * has each group once. */
TEST(a_catalogue_is_the_maximum_of_its_partitions)
{
    static const char *const parts[] = {"1.2.3.4/5.6.7.8", "1.2.4.5/3.6.7.8", "1.2.3.4.5/6.7.8"};
    const struct board goal = goal_of("blank-first", 3, 3);
    for (unsigned zero = 0; zero < 2; zero++)
        for (unsigned reflect = 0; reflect < 2; reflect++) {
            char *words = heap_format("%s%s", zero ? ":zero" : "", reflect ? ":reflect" : "");
            SCOPED char *many = heap_format("pdb:%s;%s;%s%s", parts[0], parts[1], parts[2], words);
            SCOPED char *mixed = heap_format("max:pdb:%s;%s%s+pdb:%s%s", parts[0], parts[1], words,
                                             parts[2], zero ? ":zero" : "");
            const struct heuristic_choice choices[2] = {choice_of(many), choice_of(mixed)};
            struct heuristic both[2];
            struct pdb *one[3];
            for (unsigned i = 0; i < 2; i++)
                heuristic_start(&both[i], &choices[i], &goal);
            for (unsigned i = 0; i < 3; i++)
                one[i] = pdb_for(parts[i], &goal, zero != 0, reflect != 0);
            struct pdb *plain = pdb_for(parts[2], &goal, zero != 0, false);
            assert_int_equal(pdb_of(&both[0])->sums, reflect ? 6 : 3);
            assert_int_equal(pdb_of(&both[1])->sums, reflect ? 5 : 3);
            struct ranking ranking = ranking_of(&goal);
            for (uint32_t rank = 0; rank < ranking.size; rank += is_long() ? 3 : 23) {
                struct board board = board_ranked(&ranking, rank);
                unsigned h = h_of(one[0], &board);
                h = h_of(one[1], &board) > h ? h_of(one[1], &board) : h;
                const unsigned with = h_of(plain, &board);
                assert_int_equal(both[1].kind->evaluate(&both[1], &board), with > h ? with : h);
                h = h_of(one[2], &board) > h ? h_of(one[2], &board) : h;
                assert_int_equal(both[0].kind->evaluate(&both[0], &board), h);
            }
            for (unsigned i = 0; i < 2; i++)
                heuristic_end(&both[i]);
            for (unsigned i = 0; i < 3; i++)
                pdb_end(one[i]);
            pdb_end(plain);
            free(words);
        }
}

/* By hand. */
TEST(alike_groups_are_there_once)
{
    const struct board goal = goal_of("blank-first", 3, 3);
    struct pdb *pdb =
        pdb_for("1.2.3/4.5/6/7.8;1.2.3/4.5/6.7/8;4.5/1.2/3/6.7.8", &goal, true, false);
    /* 1.2.3 4.5 6 7.8 6.7 8 1.2 3 6.7.8 */
    assert_int_equal(pdb->group_count, 9);
    assert_int_equal(pdb->sums, 3);
    assert_ptr_equal(pdb->sum[0].group[0], pdb->sum[1].group[0]);
    assert_ptr_equal(pdb->sum[0].group[1], pdb->sum[2].group[0]);
    pdb_end(pdb);
    /* The mirror changes 1 and 3, 2 and 6, 5 and 7: 1.2 becomes 3.6 and 3.6 becomes 1.2, 4.8 stays
     * itself, 5 and 7 change places. */
    pdb = pdb_for("1.2/3.6/4.8/5/7", &goal, false, true);
    assert_int_equal(pdb->group_count, 5);
    assert_ptr_equal(pdb->sum[1].group[0], pdb->sum[0].group[1]);
    assert_ptr_equal(pdb->sum[1].group[2], pdb->sum[0].group[2]);
    pdb_end(pdb);
}

/* A max is one catalogue only if all its parts are databases of one kind. */
TEST(what_is_not_alike_is_not_joined)
{
    static const struct {
        const char *max;
        bool joined;
    } rows[] = {{"max:pdb:4-4+pdb:5-3", true},
                {"max:pdb:4-4:zero+pdb:5-3:zero:reflect", true},
                {"max:pdb:4-4:zero+pdb:5-3", false},
                {"max:pdb:4-4+manhattan", false}};
    const struct board goal = goal_of("blank-first", 3, 3);
    const struct board far = board_of("8 7 6 0 4 1 2 5 3");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct heuristic_choice choice = choice_of(rows[i].max);
        SCOPED_BY(heuristic_end) struct heuristic heuristic = heuristic_started(&choice, &goal);
        assert_true((pdb_of(&heuristic) != NULL) == rows[i].joined);
        assert_true(heuristic.kind->evaluate(&heuristic, &far) > 0);
    }
}

/* A table that cannot be had is reported, and nothing is left behind. */
static bool stop(UNUSED void *context, UNUSED const struct pattern *pattern, UNUSED uint64_t done,
                 UNUSED uint64_t all)
{
    return false;
}

TEST(a_table_that_is_stopped_is_reported)
{
    const struct pattern_watcher watcher = {.builds = stop};
    const struct board goal = goal_of("blank-first", 4, 4);
    struct partition partition = {
        .count = 1,
        .group = {{.shape = goal.shape, .count = 6, .cell = {1, 2, 3, 5, 6, 7}}}}; /* in no other
                                                                                      test */
    SCOPED char *problem = NULL;
    const struct pdb_settings settings = {.count = 1, .partitions = &partition, .reflect = true};
    assert_null(pdb_make(&goal, &settings, 1, &watcher, &problem));
    assert_non_null(problem);
}

TEST(squares_reflect_where_the_blank_is_on_a_diagonal)
{
    static const struct {
        const char *size;
        const char *groups;
        const char *reflects; /* by the blank's cell */
    } rows[] = {
        {"2x2", "pdb:1.2/3:reflect", "1111"},
        {"3x3", "pdb:1.2.3.4/5.6.7.8:reflect", "101010101"},
        {"4x4", "pdb:1.2.3.4/5.6.7.8/9.10.11.12/13.14.15:reflect", "1001011001101001"},
        {"3x2", "pdb:1.2/3.4.5:reflect", "000000"},
        {"2x3", "pdb:1.2/3.4.5:reflect", "000000"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct heuristic_choice choice = choice_of(rows[i].groups);
        const struct shape shape = shape_read(rows[i].size);
        for (unsigned cell = 0; cell < shape.cells; cell++) {
            struct board goal = {.shape = shape, .blank = (uint8_t)cell};
            for (unsigned other = 0, tile = 1; other < shape.cells; other++)
                goal.cell[other] = other == cell ? 0 : (uint8_t)tile++;
            assert_true(pdb_reflects(&goal) == (rows[i].reflects[cell] == '1'));
            assert_true(is_defined(&choice, &goal) == pdb_reflects(&goal));
        }
    }
}

AROUND_ALL_TESTS(no_files, NULL)
