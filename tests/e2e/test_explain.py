"""tilelab explain: a count made by a small program of its own, written here for each convention, is explained by that
convention."""
import heapq
import json
import random

from support import Case
from test_sheets import manhattan, run, successors

GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
MISSING = object()


def explain(*words, code=0):
    return json.loads(run("explain", "--json", *words, code=code).stdout)


def differences(way):
    return {part["name"]: part["value"] for part in way["differences"]}


def walked(steps, seed):
    """A board so many moves from the goal at most, never straight back."""
    generator, state, last = random.Random(seed), GOAL, None
    for _ in range(steps):
        last, state = state, generator.choice([after for _, after in successors(state, 3, "ULRD") if after != last])
    return state


def best_first(start, key, order="ULRD", early=False, at_removal=False, back=True, newest=1):
    """As students write it: heapq, a set of closed states, and a parent that is not asked about unless back is False. at_removal:
    the open list holds a state more than once. What it counted."""
    counts = {"expanded": 0, "generated": 1, **({"max_open": 1} if at_removal else {})}
    heap, age, closed, best = [(key(start, 0), 0, start, 0, None)], 0, set(), {start: 0}
    while heap:
        _, _, state, g, parent = heapq.heappop(heap)
        if state in closed or (not at_removal and best[state] != g):
            continue
        if not early and state == GOAL:
            return counts
        closed.add(state)
        counts["expanded"] += 1
        for _, after in successors(state, 3, order):
            if not back and after == parent:
                continue
            counts["generated"] += 1
            if not at_removal:
                if best.get(after, g + 2) <= g + 1:
                    continue
                best[after] = g + 1
            age += 1
            heapq.heappush(heap, (key(after, g + 1), -newest * age, after, g + 1, state))
            if at_removal:
                counts["max_open"] = max(counts["max_open"], len(heap))
            if early and after == GOAL:
                return counts
    raise AssertionError("no solution")


def high_g(state, g):
    return (g + manhattan(state, GOAL, 3), -g)


def only_f(state, g):
    return g + manhattan(state, GOAL, 3)


class Conventions(Case):
    """Each program counts by one convention that is not tilelab's."""

    def expect(self, found, solver="astar(manhattan)", counted=MISSING, words=(), boards=3, steps=18, **program):
        told = 0
        for seed in range(4):
            start = walked(steps, seed)
            counts = counted(start) if counted is not MISSING else best_first(start, **program)
            seen = explain(solver, *(f"{name}={value}" for name, value in counts.items()), "--ways", "30", "--nodes", "500K", *words, " ".join(map(str, start)))
            ways = [differences(way) for way in seen["ways"]]
            self.assertEqual(ways[0] if len(ways[0]) == 0 else {}, {})
            if ways[0] != {}:  # else the convention shows on another board
                self.assertIn(found, [{**way, "order": way["order"].split("|")[0]} if "order" in way else way for way in ways], start)
                told += 1
        self.assertGreaterEqual(told, boards)

    def test_the_same_program(self):
        for seed in range(2):
            start = walked(24, seed)
            counts = best_first(start, high_g, back=False)
            seen = explain("astar(manhattan)", f"expanded={counts['expanded']}", f"generated={counts['generated']}", " ".join(map(str, start)))
            self.assertEqual(seen["ways"][0]["differences"], [])
            self.assertEqual(seen["own"], counts)

    def test_ties(self):
        self.expect({"ties": "fifo"}, key=only_f, back=False, newest=-1)
        self.expect({"ties": "high_g_fifo"}, key=high_g, back=False, newest=-1)
        self.expect({"ties": "board"}, key=lambda state, g: (only_f(state, g), state), back=False)

    def test_the_move_back(self):
        self.expect({"parent": "generated"}, key=high_g)

    def test_goal_test_at_generation(self):
        self.expect({"goal_test": "generation"}, "astar(manhattan, ties=fifo)", key=only_f, newest=-1, early=True, back=False, boards=1)

    def test_states_several_times_on_the_open_list(self):
        self.expect({"states": "at_removal", "parent": "generated"}, key=high_g, at_removal=True)

    def test_order(self):
        start = walked(30, 1)
        counts = best_first(start, high_g, order="DRUL", back=False)
        for way in explain("astar(manhattan)", *(f"{name}={value}" for name, value in counts.items()), " ".join(map(str, start)))["ways"]:
            if set(differences(way)) == {"order"}:
                self.assertIn("DRUL", differences(way)["order"].split("|"))
                break
        else:
            self.fail("no way is an order alone")

    def test_breadth_first_when_the_turn_comes(self):
        """The queue of bfs, by depth."""
        self.expect({"goal_test": "removal"}, solver="bfs", steps=9, counted=lambda start: best_first(start, lambda state, g: g, back=False, newest=-1))


class Counting(Case):
    BOARD = "8 1 3 4 0 2 7 6 5"

    def test_the_goal_counts(self):
        seen = explain("astar(manhattan)", "44", self.BOARD)
        self.assertEqual(differences(seen["ways"][0]), {"count_of_expanded": "goal"})
        self.assertIsNone(seen["ways"][0]["parts_at"])
        self.assertIn("both expand the same nodes in the same order; only what is counted differs", run("explain", "astar(manhattan)", "44", self.BOARD).stdout)

    def test_no_root(self):
        self.assertIn({"count_of_expanded": "no_root", "count_of_generated": "no_root"},
                      [differences(way) for way in explain("astar(manhattan)", "expanded=42", "generated=75", self.BOARD)["ways"]])

    def test_rounds(self):
        """idastar: all calls of the recursive function, counted by a program that is one."""
        start = tuple(map(int, self.BOARD.split()))
        calls, last = 0, 0

        def visit(state, parent, g, threshold):
            nonlocal calls, last
            calls, last = calls + 1, last + 1
            f = g + manhattan(state, GOAL, 3)
            if f > threshold or state == GOAL:
                return (state == GOAL and f <= threshold), f
            smallest = 10 ** 9
            for _, after in successors(state, 3, "ULRD"):
                if after != parent:
                    found, f = visit(after, state, g + 1, threshold)
                    if found:
                        return True, f
                    smallest = min(smallest, f if f > threshold else 10 ** 9)
            return False, smallest

        found, threshold = False, manhattan(start, GOAL, 3)
        while not found:
            last = 0
            found, threshold = visit(start, None, 0, threshold)
        self.assertIn({"count_of_expanded": "entered"}, [differences(way) for way in explain("idastar(manhattan)", str(calls), self.BOARD)["ways"]])

    def test_the_step_at_which_they_part(self):
        way = explain("astar(manhattan)", "expanded=44", self.BOARD)["ways"][1]
        self.assertEqual(differences(way), {"states": "closed_only"})
        self.assertEqual((way["parts_at"], way["own"]["g"], way["other"]["g"]), (21, 6, 7))
        traced = run("solve", "--trace", "--json", "--steps", "21", self.BOARD).stdout
        step = next(json.loads(line) for line in traced.splitlines() if '"event":"step"' in line)
        self.assertEqual(step["enode"]["board"], way["own"]["board"])


class Nothing(Case):
    BOARD = "8 1 3 4 0 2 7 6 5"

    def test_range_and_nearest(self):
        seen = explain("astar(manhattan)", "1M", "--nodes", "300K", self.BOARD, code=3)
        self.assertEqual((seen["ways"], seen["min"]["expanded"] < 43 < seen["max"]["expanded"]), ([], True))
        self.assertEqual(seen["nearest"]["counts"]["expanded"], seen["max"]["expanded"])
        text = run("explain", "astar(manhattan)", "1M", "--nodes", "300K", self.BOARD, code=3).stdout
        self.assertIn("no convention gives expanded=1000000\n", text)
        self.assertIn("nor does the board read by columns, another goal or another heuristic\n", text)

    def test_another_goal_or_heuristic(self):
        board, other = "5 1 2 3 4 6 7 0 9 10 11 8 13 14 15 12", "5 4 9 13 1 6 10 14 2 7 11 15 3 0 8 12"
        for solver, theirs, asked, searched, words, what in (
                ("astar(manhattan)", "astar(manhattan)", self.BOARD, self.BOARD, ("-g", "blank-first"), "the goal blank-first"),
                ("astar(manhattan)", "astar(misplaced)", self.BOARD, self.BOARD, (), "the heuristic misplaced"),
                ("greedy(manhattan)", "greedy(manhattan)", board, other, (), "the board read by columns")):
            own = json.loads(run("solve", "--json", "-s", theirs, *words, searched).stdout)
            counts = [f"{name}={own[name]}" for name in ("expanded", "generated", "length")]
            found = explain(solver, *counts, "--nodes", "200K", asked, code=3)["elsewhere"]
            self.assertIn({"what": what, "differences": []}, found)

    def test_unsolvable(self):
        done = run("explain", "astar(manhattan)", "43", "1 2 3 4 5 6 8 7 0", code=3)
        self.assertIn("exchanging 7 and 8 makes it solvable", done.stderr)

    def test_refusals(self):
        for words, said in ((("astar(manhattan)", "nodes=3", self.BOARD), "nodes=3: expected one of the counters expanded, generated,"),
                            (("astar(manhattan)", "expanded=x", self.BOARD), "expanded=x: expected a count such as 47"),
                            (("astar(manhattan)", "expanded=3", "expanded=4", self.BOARD), "expanded=4: expanded a second time; expected it once"),
                            (("astar(manhattan)", "generated=1,000", self.BOARD), "000: expected a count such as expanded=47; numbers have no commas"),
                            (("astar", "43", self.BOARD), "heuristic"), (("bfs", "43"), "expected a solver, a count and a board"),
                            (("bfs", "43", "1 2 3"), "board")):
            self.assertIn(said, run("explain", *words, code=2).stderr)

    def test_a_search_that_does_not_end(self):
        self.assertIn("does not end within 1000 generated nodes", run("explain", "--nodes", "1000", "dfs", "43", self.BOARD, code=3).stderr)
