"""A new algorithm and a new heuristic take one file and one row each, and a false claim in the row fails the tests.

In a scratch copy of the sources: the rows with honest claims pass all tests over the tables once what is made from the tables was made
anew; with each false claim the tests fail with a message that names the row. Takes a build and five partial ones."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import SOURCE, Case


# Enforced hill climbing that looks only so far: it gives up on a plateau.
EHC = """/* Enforced hill climbing (Hoffmann and Nebel, "The FF planning system", Journal of Artificial
 * Intelligence Research 14, 2001), cut short: goes to the nearest board of less h, and gives up if
 * there is none within LOOKAHEAD moves. */
#include "search/algorithm.h"

DECLARE_ALGORITHM(ehc);

const struct option_row ehc_options[] = NO_OPTIONS;

enum { LOOKAHEAD = 8 };

/* Takes the E-node `depth` moves on to one of less h than `bound`; false if there is none, or the
 * search has ended. */
static bool improve(struct search *search, struct enode *enode, unsigned depth, unsigned bound,
                    char *moves)
{
    const struct heuristic *heuristic = search->heuristic;
    if (!search_expands(search, enode))
        return false;
    for (unsigned turn = 0; turn < MOVES; turn++) {
        const unsigned move = search->operators.order[turn];
        const unsigned to = search->operators.target[enode->board.blank][move];
        if (to == NO_CELL || move == enode->undo)
            continue;
        if (!search_generates(search))
            return false;
        struct enode child = {
            .board = enode->board, .g = enode->g + 1, .undo = move_undo(move)};
        board_slide(&child.board, to);
        child.h = heuristic->kind->evaluate(heuristic, &child.board);
        *moves = move_letters[move];
        if (depth == 1 ? child.h < bound : improve(search, &child, depth - 1, bound, moves + 1)) {
            *enode = child;
            return true;
        }
        if (search->status != STATUS_stuck)
            return false;
    }
    return false;
}

void ehc_run(struct search *search)
{
    struct enode enode = {
        .board = search->task->start, .h = search_start_h(search), .undo = MOVE_NONE};
    char *path = NULL;
    if (!search_generates(search)) /* the root */
        return;
    search->statistics.max_open = search->statistics.max_stored = 1;
    while (!board_equal(&enode.board, &search->task->goal)) {
        unsigned depth = 1;
        search->status = STATUS_memory_limit;
        path = arena_resize(&search->arena, path, enode.g + LOOKAHEAD);
        if (path == NULL)
            return;
        search->status = STATUS_stuck;
        while (!improve(search, &enode, depth, enode.h, path + enode.g))
            if (search->status != STATUS_stuck || depth++ == LOOKAHEAD)
                return;
        raise_to(&search->statistics.max_depth, enode.g);
        raise_to(&search->statistics.max_stored, enode.g + 1); /* the path and its start */
    }
    char *moves = search_solved(search, enode.g);
    if (moves != NULL && enode.g > 0)
        memcpy(moves, path, enode.g);
    arena_release(&search->arena, path);
}
"""
EHC_ROW = 'ALGORITHM(ehc, true, {claims}, "path", EVERY_BOARD, "enforced hill climbing with a short look ahead")\n'

PLUS_ONE = """/* The Manhattan distance and one. */
#include "heuristics/heuristic.h"

DECLARE_HEURISTIC(manhattan);
DECLARE_HEURISTIC(manhattan_plus_one);

const struct option_row manhattan_plus_one_options[] = NO_OPTIONS;

void manhattan_plus_one_prepare(struct heuristic *heuristic)
{
    manhattan_prepare(heuristic);
}

unsigned manhattan_plus_one_evaluate(const struct heuristic *heuristic, const struct board *board)
{
    return manhattan_evaluate(heuristic, board) + 1;
}

unsigned manhattan_plus_one_step(const struct heuristic *heuristic, const struct board *child,
                                 unsigned h, unsigned tile, unsigned from, unsigned to)
{
    return manhattan_step(heuristic, child, h, tile, from, to);
}
"""
PLUS_ONE_ROW = 'HEURISTIC(manhattan_plus_one, NULL, {claims}, "the Manhattan distance and one")\n'

# All that runs over the tables, and what is made from them.
TESTS = (r"^(golden\.golden|property\.(heuristics|optimal\.(corner|edge|middle)|astar|relations)"
         r"|unit\.(solver|experiment|pdb)|e2e\.(house|readme|schema|cli|verify))$")


@unittest.skipUnless(os.environ.get("TILELAB_LONG"), "builds the program six times: set TILELAB_LONG=1")
class NewRows(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.copy = pathlib.Path(cls.folder.name, "tilelab")
        shutil.copytree(SOURCE, cls.copy, ignore=shutil.ignore_patterns("build", ".git", ".library", "__pycache__"))
        cls.algorithms = cls.copy / "solvers" / "algorithms" / "algorithms.def"
        cls.heuristics = cls.copy / "solvers" / "heuristics" / "heuristics.def"
        cls.rows = {table: table.read_text() for table in (cls.algorithms, cls.heuristics)}
        (cls.algorithms.parent / "ehc.c").write_text(EHC)
        (cls.heuristics.parent / "manhattan_plus_one.c").write_text(PLUS_ONE)
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith("TILELAB")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def command(self, *arguments, fine=True, **environment):
        done = subprocess.run(arguments, cwd=self.copy, env={**self.environment, **environment}, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if fine and done.returncode != 0:
            self.fail(f"{' '.join(arguments)}: exit code {done.returncode}\n" + "\n".join(done.stdout.splitlines()[-40:]))
        return done

    def build(self, algorithm, heuristic):
        """Builds with these claims of the two new rows."""
        for table, row in ((self.algorithms, EHC_ROW.format(claims=algorithm)),
                           (self.heuristics, PLUS_ONE_ROW.format(claims=heuristic))):
            if table.read_text() != self.rows[table] + row:
                table.write_text(self.rows[table] + row)
        self.command("cmake", "--preset", "release")
        self.command("cmake", "--build", "--preset", "release")

    def check_false(self, algorithm, heuristic, test, row, claim):
        self.build(algorithm, heuristic)
        done = self.command("ctest", "--preset", "release", "-R", test, fine=False)
        self.assertNotEqual(done.returncode, 0, "the false claim passes")
        said = re.search(rf"{re.escape(row)}: .*claims {claim}", done.stdout)
        self.assertTrue(said, "\n".join(done.stdout.splitlines()[-40:]))

    def test_honest_rows_pass(self):
        self.build("0", "INCREMENTAL")
        tilelab = self.copy / "build" / "release" / "tilelab"
        schema = self.copy / "harness" / "experiments" / "experiment.schema.json"
        schema.write_text(self.command(str(tilelab), "check", "--schema").stdout)
        self.command("python3", "tests/e2e/test_readme.py", TILELAB_README_WRITE="1", TILELAB_SOURCE=str(self.copy),
                     TILELAB=str(tilelab))
        before = (self.copy / "tests" / "golden" / "golden.csv").read_text().splitlines()
        self.command("ctest", "--preset", "release", "-R", "golden.golden", TILELAB_GOLDEN_WRITE="1")
        after = (self.copy / "tests" / "golden" / "golden.csv").read_text().splitlines()
        fresh = [line for line in after if '"ehc(manhattan)"' in line or '"astar(manhattan_plus_one)"' in line]
        self.assertGreater(len(fresh), 10)
        self.assertEqual(before, [line for line in after if line not in fresh])
        done = self.command("ctest", "--preset", "release", "-R", TESTS)
        self.assertIn("100% tests passed", done.stdout)
        seen = self.command(str(tilelab), "solve", "--trace", "-s", "ehc(manhattan)", "1", "2", "3", "4", "5", "6", "0", "7", "8")
        self.assertIn("step 1: node 1, the start", seen.stdout)
        self.assertIn("step 2: node 2, by R from node 1", seen.stdout)
        self.assertIn("the goal: 2 moves", seen.stdout)

    def test_a_golden_table_without_the_rows_fails(self):
        self.build("0", "INCREMENTAL")
        table = self.copy / "tests" / "golden" / "golden.csv"
        table.write_text((SOURCE / "tests" / "golden" / "golden.csv").read_text())
        done = self.command("ctest", "--preset", "release", "-R", "golden.golden", fine=False)
        self.assertIn("golden.csv: no row of ehc(manhattan)\n", done.stdout)
        self.assertIn("golden.csv: no row of astar(manhattan_plus_one)\n", done.stdout)

    def test_false_complete(self):
        self.check_false("COMPLETE", "INCREMENTAL", "property.optimal.corner$", "algorithms.def, row ehc", "COMPLETE")

    def test_false_optimal(self):
        self.check_false("OPTIMAL", "INCREMENTAL", "property.optimal.corner$", "algorithms.def, row ehc", "OPTIMAL")

    def test_false_admissible(self):
        self.check_false("0", "ADMISSIBLE | INCREMENTAL", "property.heuristics$", "heuristics.def, row manhattan_plus_one",
                         "ADMISSIBLE")

    def test_false_consistent(self):
        self.check_false("0", "CONSISTENT | INCREMENTAL", "property.heuristics$", "heuristics.def, row manhattan_plus_one",
                         "CONSISTENT")
