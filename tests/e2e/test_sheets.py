"""solve --format: the answers that courses want, against their published examples and against a small program that counts by the
sheets' definitions."""
import heapq
import json
import random
import re
import subprocess

from support import TILELAB, Case, listed, names_of

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
GOAL = "0 1 2 3 4 5 6 7 8"


def run(*words, code=0):
    done = subprocess.run([TILELAB, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


def solve(sheet, solver, board, *words, code=0):
    return run("solve", "--format", sheet, "-s", solver, *words, board, code=code).stdout


def successors(state, width, order):
    blank = state.index(0)
    row, column = divmod(blank, width)
    for move in order:
        to_row, to_column = row + STEPS[move][0], column + STEPS[move][1]
        if 0 <= to_row < len(state) // width and 0 <= to_column < width:
            cells = list(state)
            cells[blank], cells[to_row * width + to_column] = cells[to_row * width + to_column], 0
            yield move, tuple(cells)


def manhattan(state, goal, width):
    return sum(abs(at // width - goal.index(tile) // width) + abs(at % width - goal.index(tile) % width) for at, tile in enumerate(state) if tile)


def searched(start, goal, width, order, kind, early=False):
    """The general search of the sheets: a frontier without repeated states, the goal test when a node's turn comes (`early`: when
    it is generated). What it counted."""
    number, frontier, best, open_states = 0, [(0, 0, start, 0, "")], {start: 0}, {start}
    counts = {"expanded": 0, "selected": 0, "max_open": 1, "max_depth": 0}

    def end(path):
        return {**counts, "open": len(open_states), "states": len(best), "path": path}

    if early and start == goal:
        return end("")
    while frontier:
        _, _, state, g, path = heapq.heappop(frontier)
        if state not in open_states or g != best[state]:
            continue
        open_states.discard(state)
        counts["selected"] += 1
        if state == goal:
            return end(path)
        counts["expanded"] += 1
        children = list(successors(state, width, order))
        for move, child in reversed(children) if kind == "dfs" else children:
            if child in best and (child not in open_states or kind != "astar" or best[child] <= g + 1):
                continue
            number += 1
            best[child] = g + 1
            open_states.add(child)
            key = {"bfs": number, "dfs": -number, "ucs": g + 1, "astar": g + 1 + manhattan(child, goal, width)}[kind]
            heapq.heappush(frontier, (key, number, child, g + 1, path + move))
            counts["max_depth"] = max(counts["max_depth"], g + 1)
            counts["max_open"] = max(counts["max_open"], len(open_states))
            if early and child == goal:
                return end(path + move)
    raise AssertionError("no solution")


def boards(count, steps, width, cells, seed):
    generator = random.Random(seed)
    for _ in range(count):
        state = tuple(range(cells))
        for _ in range(generator.randrange(1, steps)):
            state = generator.choice(list(successors(state, width, "UDLR")))[1]
        yield state


class Sheets(Case):
    def test_columbia_as_published(self):
        """The sheet's example: 1,2,5,3,4,0,6,7,8 by bfs and dfs."""
        for solver, expanded, depth in (("bfs(goal_test=removal)", 10, 4), ("dfs", 181437, 66125)):
            shown = solve("columbia", solver, "1,2,5,3,4,0,6,7,8", "--order", "UDLR", "-g", "blank-first")
            self.assertRegex(shown, rf"\Apath_to_goal: \['Up', 'Left', 'Left'\]\ncost_of_path: 3\nnodes_expanded: {expanded}\nsearch_depth: 3\n"
                                    rf"max_search_depth: {depth}\nrunning_time: \d+\.\d{{8}}\nmax_ram_usage: \d+\.\d{{8}}\n\Z")

    def test_counts_are_those_of_a_program_by_the_definitions(self):
        names = {"U": "Up", "D": "Down", "L": "Left", "R": "Right"}
        cases = [(state, 2, "dfs", "dfs") for state in boards(4, 30, 2, 6, 1)]
        cases += [(state, 3, kind, solver) for kind, solver in (("bfs", "bfs(goal_test=removal)"), ("astar", "astar(manhattan, ties=fifo)"), ("ucs", "ucs"))
                  for state in boards(4, 24, 3, 9, 2)]
        for state, width, kind, solver in cases:
            text, goal = " ".join(map(str, state)), tuple(range(len(state)))
            settings = ["--order", "UDLR", "-g", "blank-first", "--size", f"{width}x{len(state) // width}"]
            counts = searched(state, goal, width, "UDLR", kind)
            with self.subTest(solver, board=text, seed=1 if width == 2 else 2):
                shown = solve("columbia", solver, text, *settings)
                self.assertIn(f"path_to_goal: {[names[move] for move in counts['path']]}\n", shown)
                self.assertIn(f"nodes_expanded: {counts['expanded']}\nsearch_depth: {len(counts['path'])}\nmax_search_depth: {counts['max_depth']}\n", shown)
                if kind in ("bfs", "dfs", "astar"):
                    shown = solve("cc482", solver, text, *settings)
                    self.assertIn(f"cost of path: {len(counts['path'])}\nnodes expanded: {counts['expanded']}\n", shown)
                if kind in ("ucs", "astar"):
                    shown = solve("cs170", solver, text, *settings)
                    self.assertIn(f"expanded a total of {counts['expanded']} nodes.\nThe maximum number of nodes in the queue at any one time: "
                                  f"{counts['max_open']}.\nThe depth of the goal node was {len(counts['path'])}.\n", shown)
                    self.assertEqual(shown.count("The best state to expand with a g(n) = "), max(counts["expanded"] - 1, 0))
                    shown = solve("42", solver, text, *settings)
                    self.assertIn(f"complexity in time: {counts['selected']}\ncomplexity in size: {counts['states']}\nnumber of moves: {len(counts['path'])}\n", shown)
                early = kind == "bfs"
                if kind != "dfs":
                    counts = searched(state, goal, width, "UDLR", kind, early)
                    shown = solve("aima-java", "bfs" if early else solver, text, *settings)
                    self.assertEqual(shown, f"pathCost : {len(counts['path'])}.0\nnodesExpanded : {counts['expanded']}\nqueueSize : {counts['open']}\n"
                                            f"maxQueueSize : {counts['max_open']}\n")

    def test_algs4(self):
        """puzzle04.txt, and a board that only its twin solves."""
        shown = solve("algs4", "astar(manhattan)", "0 1 3 4 2 5 7 8 6")
        rows = ["0 1 3/4 2 5/7 8 6", "1 0 3/4 2 5/7 8 6", "1 2 3/4 0 5/7 8 6", "1 2 3/4 5 0/7 8 6", "1 2 3/4 5 6/7 8 0"]
        self.assertEqual(shown, "Minimum number of moves = 4\n" + "".join(
            "3\n" + "".join("".join(f"{tile:>2} " for tile in row.split()) + "\n" for row in board.split("/")) + "\n" for board in rows))
        self.assertEqual(solve("algs4", "bfs", "1 2 3 4 5 6 8 7 0", code=3), "No solution possible\n")
        self.assertIn("Minimum number of moves = ", solve("algs4", "bfs", "2 1 3 4 5 6 8 7 0"))

    def test_cs170(self):
        self.assertEqual(solve("cs170", "astar(manhattan)", "1 2 3 4 0 6 7 5 8"), """\
Expanding state
1 2 3
4 0 6
7 5 8

The best state to expand with a g(n) = 1 and h(n) = 1 is...
1 2 3
4 5 6
7 0 8

Goal!!!

To solve this problem the search algorithm expanded a total of 2 nodes.
The maximum number of nodes in the queue at any one time: 5.
The depth of the goal node was 2.
""")

    def test_42(self):
        self.assertEqual(solve("42", "astar(manhattan)", "1 2 3 8 4 0 7 6 5"),
                         "complexity in time: 2\ncomplexity in size: 4\nnumber of moves: 1\nsequence:\n1 2 3\n8 4 0\n7 6 5\n\n1 2 3\n8 0 4\n7 6 5\n")

    def test_hansen(self):
        board = "8 6 7 2 5 4 3 0 1"
        shown = solve("hansen", "dfbnb(manhattan)", board)
        row = json.loads(run("solve", "--json", "-s", "dfbnb(manhattan)", board).stdout)
        found = re.search(r"cost: (\d+)\noptimum found: (\S+) s, (\d+) nodes expanded, (\d+) generated\n"
                          r"optimum proved: (\S+) s, (\d+) nodes expanded, (\d+) generated\nsolutions: (.*)\n\Z", shown)
        self.assertEqual([int(found[i]) for i in (1, 4, 6, 7)], [31, row["best_found"], row["expanded"], row["generated"]])
        self.assertLess(float(found[2]), float(found[5]))
        costs = [int(cost) for cost in found[8].split()]
        self.assertEqual((costs, costs[-1]), (sorted(costs, reverse=True), 31))

    def test_what_a_sheet_does_not_mean_is_refused(self):
        for words, said in ((["columbia", "-s", "bfs", GOAL], "columbia tests a node for the goal when its turn comes; expected bfs(.., goal_test=removal)"),
                            (["42", "-s", "greedy(manhattan, goal_test=generation)", GOAL], "expected greedy(.., goal_test=removal)"),
                            (["42", "-s", "idastar(manhattan)", GOAL], "42 is of the algorithms astar wastar greedy ucs, not of idastar; see tilelab list sheets 42"),
                            (["algs4", "-s", "greedy(manhattan)", GOAL], "this solver may find more; expected one that is always optimal; see tilelab list sheets algs4"),
                            (["hansen", "-s", "dfbnb(misplaced, count_blank=true)", GOAL], "hansen prints the minimum of moves"),
                            (["42", "-s", "greedy(manhattan, duplicates=none)", GOAL], "42 stores no state twice; expected greedy(.., duplicates=stored)"),
                            (["algs4", "--size", "3x2", "0 1 2 3 4 5"], "algs4 has boards of n x n; this one is 3 x 2"),
                            (["columbia", "--json", GOAL], "--format and --json; expected one of them"),
                            (["columbia", "-s", "bfs", "-s", "ucs", GOAL], "--format shows one search; expected one solver"),
                            (["colombia", GOAL], "did you mean 'columbia'?")):
            self.assertIn(said, " ".join(run("solve", "--format", *words, "-g", "blank-first", code=2).stderr.split()))
        done = run("solve", "--format", "42", "--nodes", "2", "-g", "blank-last", "8 6 7 2 5 4 3 0 1", code=3)
        self.assertEqual((done.stdout, done.stderr), ("", "tilelab: node_limit: the limit of generated nodes was reached\n"))

    def test_every_sheet_has_a_card(self):
        names = run("list", "sheets", "--names").stdout.split()
        self.assertEqual([name.replace("-", "_") for name in names], names_of("harness/show/sheets.def", "SHEET"))
        for name in names:
            card = json.loads(run("list", "sheets", name, "--json").stdout)
            self.assertGreater(len(card), 3)
            self.assertTrue(all(cell for row in card for cell in row.values()), card)
            options = re.search(r"tilelab solve (.*?)(?: \(|$)", card[0]["what is printed"])[1]
            done = subprocess.run(f'"{TILELAB}" solve {options} 1 2 3 8 4 0 7 6 5', shell=True, capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (0, 3), done.stderr)
        self.assertIn(f"expected {listed(names)}", " ".join(run("list", "sheets", "x", code=2).stderr.split()))
