"""At the blackboard: the trace of a search, the tree it explores, and the marks of a solution."""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

from support import SOURCE, TILELAB, FolderCase, on_terminal


# The board of the textbooks, three moves from its goal.
BOARD = ["-g", "1 2 3 5 8 6 0 7 4", "1 2 3 5 6 0 7 8 4"]
EIGHT_MOVES = "1 5 2 8 0 3 4 7 6"
FARTHEST = "8 6 7 2 5 4 3 0 1"
FIFTEEN = "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0"

# What is drawn on the blackboard for the board of the textbooks, by hand: each E-node with its children in operator order
# (up, left, right, down; the way back is left out), as move and f (g where there is no f), and what is not kept in brackets.
# A node is named by the moves that lead to it.
BY_HAND = {
    "lcbb(misplaced)": "-: U5 L3 D5 | L: U5 L5 D3 | LD: L3 R5",
    "astar(misplaced)": "-: U5 L3 D5 | L: U5 L5 D3 | LD: L3 R5",
    "greedy(misplaced)": "-: U4 L2 D4 | L: U3 L3 D1 | LD: L0 R2",
    # The threshold is the start's h. The children to the right of the path are never made.
    "idastar(misplaced)": "-: [U5] L3 | L: [U5] [L5] D3 | LD: L3",
    # A child above the stored cost of its parent is not kept, or not made; the goal is.
    "pea(misplaced)": "-: [U5] L3 [D5] | L: [U5] [L5] D3 | LD: L3 [R5]",
    "epea(misplaced)": "-: L3 | L: D3 | LD: L3",
    "rbfs(misplaced)": "-: U5 L3 D5 | L: U5 L5 D3 | LD: L3 R5",
    # The first bound is 6. All children are below it.
    "dfbnb(misplaced, depth_limit=5)": "-: U5 L3 D5 | L: U5 L5 D3 | LD: L3 R5",
    # .. and 4: only the path is below it.
    "dfbnb(misplaced, depth_limit=3)": "-: [U5] L3 [D5] | L: [U5] [L5] D3 | LD: L3 [R5]",
    # From the corners there is one way on. The goal is met as a child of the eighth.
    "bfs": "-: U1 L1 D1 | U: L2 | L: U2 L2 D2 | D: L2 | UL: L3 D3 | LU: L3 R3 | LL: U3 D3 | LD: L3",
    # Depth first to the third move; LD is the first whose first child is the goal.
    "dfs(depth_limit=3)": "-: U1 L1 D1 | U: L2 | UL: L3 D3 | L: U2 L2 D2 | LU: L3 R3 | LL: U3 D3 | LD: L3 R3",
}

TEXT = """\
step 1: node 1, the start

  E-node 1        U: node 2       L: node 3       D: node 4
  1 2 3           1 2 .           1 2 3           1 2 3
  5 6 .           5 6 3           5 . 6           5 6 4
  7 8 4           7 8 4           7 8 4           7 8 .
  g 0  h 3  f 3   g 1  h 4  f 5   g 1  h 2  f 3   g 1  h 4  f 5
                  kept            kept            kept

  3 live nodes, the next to go first:

  node 3          node 2          node 4
  1 2 3           1 2 .           1 2 3
  5 . 6           5 6 3           5 6 4
  7 8 4           7 8 4           7 8 .
  g 1  h 2  f 3   g 1  h 4  f 5   g 1  h 4  f 5

step 2: node 3, by L from node 1

  E-node 3        U: node 5       L: node 6       D: node 7
  1 2 3           1 . 3           1 2 3           1 2 3
  5 . 6           5 2 6           . 5 6           5 8 6
  7 8 4           7 8 4           7 8 4           7 . 4
  g 1  h 2  f 3   g 2  h 3  f 5   g 2  h 3  f 5   g 2  h 1  f 3
                  kept            kept            kept

  5 live nodes, the next to go first:

  node 7          node 2          node 4          node 5          node 6
  1 2 3           1 2 .           1 2 3           1 . 3           1 2 3
  5 8 6           5 6 3           5 6 4           5 2 6           . 5 6
  7 . 4           7 8 4           7 8 .           7 8 4           7 8 4
  g 2  h 1  f 3   g 1  h 4  f 5   g 1  h 4  f 5   g 2  h 3  f 5   g 2  h 3  f 5

step 3: node 7, by D from node 3

  E-node 7        L: node 8       R: node 9
  1 2 3           1 2 3           1 2 3
  5 8 6           5 8 6           5 8 6
  7 . 4           . 7 4           7 4 .
  g 2  h 1  f 3   g 3  h 0  f 3   g 3  h 2  f 5
                  kept            kept

  6 live nodes, the next to go first; 4 not shown:

  node 8          node 2
  1 2 3           1 2 .
  5 8 6           5 6 3
  . 7 4           7 8 4
  g 3  h 0  f 3   g 1  h 4  f 5

the goal: 3 moves

solver: lcbb(misplaced)
status: solved
"""


class Board(FolderCase):
    def run_it(self, *arguments, text=None, **environment):
        return self.tilelab(*arguments, code=None, text=text, **environment)

    def answer(self, *arguments, code=0, text=None):
        done = self.run_it(*arguments, text=text)
        self.assertEqual((done.returncode, done.stderr), (code, ""), arguments)
        return done.stdout

    def events(self, solver, *arguments, code=0):
        lines = self.answer("solve", "--trace", "--json", "-s", solver, *arguments, code=code).splitlines()
        return [json.loads(line) for line in lines]


class Trace(Board):
    def test_the_example_of_the_textbooks(self):
        several = self.answer("solve", "--trace", "-s", "lcbb(misplaced)", "--live=5", *BOARD)
        few = self.answer("solve", "--trace", "-s", "lcbb(misplaced)", "--live=2", *BOARD)
        third = TEXT.index("step 3")
        self.assertTrue(several.startswith(TEXT[:third]), several)
        self.assertIn(TEXT[third:], few)

    def test_every_algorithm_by_hand(self):
        for solver, expected in BY_HAND.items():
            paths = {1: ""}
            drawn = collections.defaultdict(list)
            for event in self.events(solver, *BOARD):
                if event["event"] not in ("step", "back"):
                    continue
                at = event["enode"]["number"] if event["event"] == "step" else event["number"]
                for child in event["children"]:
                    value = child["g"] if child["f"] is None else child["f"]
                    word = f"{child['move']}{value}"
                    drawn[at].append(word if child["number"] else f"[{word}]")
                    if child["number"]:
                        paths[child["number"]] = paths[at] + child["move"]
            text = " | ".join(f"{paths[at] or '-'}: {' '.join(words)}" for at, words in drawn.items())
            self.assertEqual(text, expected, solver)

    def test_reasons(self):
        def told(solver, *arguments):
            return collections.Counter(child["reason"] for event in self.events(solver, *arguments, *BOARD)
                                       for child in event.get("children", []) + event.get("dropped", []))
        self.assertEqual(told("idastar(misplaced)"), {"pruned: f 5 > threshold 3": 3, "kept": 3})
        # The goal makes the bound 3: what is live is dropped as it is taken.
        events = self.events("dfbnb(misplaced, depth_limit=5)", *BOARD)
        dropped = [(event["node"]["number"], event["node"]["reason"]) for event in events if event["event"] == "drop"]
        self.assertEqual(dropped, [(9, "pruned: f 5 >= bound 3"), (5, "pruned: f 5 >= bound 3"), (6, "pruned: f 5 >= bound 3"),
                                   (2, "pruned: f 5 >= bound 3"), (4, "pruned: f 5 >= bound 3")])
        self.assertEqual([event["node"]["reason"] for event in self.events("dfs(depth_limit=1)", *BOARD, code=3)
                          if event["event"] == "drop"], ["not expanded: depth limit 1"] * 3)
        # Twelve moves around a square come back to the start. A weight above 1 makes estimates inconsistent, so nodes are reopened.
        self.assertIn("duplicate: on the path", {child["reason"] for event in self.events("dfs(duplicates=path, depth_limit=14)", *BOARD)
                                                 for child in event.get("children", [])})
        reasons = {child["reason"] for event in self.events("astar(manhattan)", FARTHEST) for child in event.get("children", [])}
        self.assertTrue(any(re.fullmatch(r"duplicate: known with g \d+", reason) for reason in reasons), reasons)
        reasons = {child["reason"] for event in self.events("wastar(manhattan, w=3)", FARTHEST) for child in event.get("children", [])}
        self.assertTrue(any(re.fullmatch(r"reopened: closed with g \d+", reason) for reason in reasons), reasons)
        self.assertTrue(any(re.fullmatch(r"kept: replaces g \d+", reason) for reason in reasons), reasons)

    def test_rounds_and_limits(self):
        rounds = [(event["round"], event["by"], event["limit"]) for event in self.events("idastar(misplaced)", EIGHT_MOVES)
                  if event["event"] == "round"]
        self.assertEqual(rounds, [(1, "threshold", 7), (2, "threshold", 8)])
        rounds = [(event["by"], event["limit"]) for event in self.events("dfbnb(manhattan)", EIGHT_MOVES) if event["event"] == "round"]
        first = json.loads(self.answer("solve", "--json", "-s", "greedy(manhattan)", EIGHT_MOVES))["length"]
        self.assertEqual(rounds, [("greedy", None), ("bound", first)])
        text = self.answer("solve", "--trace", "-s", "idastar(misplaced)", EIGHT_MOVES)
        self.assertIn("round 1: threshold 7\n\nstep 1: node 1, the start\n", text)
        self.assertIn("back at node 1\n", text)
        self.assertIn("round 2: threshold 8\n\nstep 6: node 1, the start\n", text)
        # Recursive best-first search: the f-limit is the cost of the best alternative; what costs more is forgotten.
        steps = [event for event in self.events("rbfs(manhattan)", "8 1 3 4 0 2 7 6 5") if event["event"] == "step"]
        self.assertEqual(steps[0]["limit"], None)
        forgotten = 0
        for before, step in zip(steps, steps[1:]):
            others = [node["stored"] for node in before["live"][1:]]
            self.assertEqual(before["live"][0]["number"], step["enode"]["number"])
            self.assertLessEqual(step["enode"]["stored"], step["limit"])
            self.assertEqual(step["limit"], min(others))
            for node in step["forgotten"]:
                self.assertGreater(node["stored"], node["f"] - 1)
                forgotten += 1
        self.assertGreater(forgotten, 0)
        self.assertIn("; stored cost 10, f-limit 10\n", self.answer("solve", "--trace", "-s", "rbfs(manhattan)", "8 1 3 4 0 2 7 6 5"))

    def test_the_lines_add_up_to_the_counters(self):
        for solver in ("dfs(depth_limit=12)", "iddfs", "bfs", "ucs", "bibfs", "lcbb(manhattan)", "dfbnb(manhattan)", "descent(manhattan)",
                       "greedy(manhattan)", "astar(misplaced)", "wastar(misplaced)", "idastar(misplaced)", "rbfs(misplaced)", "beam(manhattan, width=5)",
                       "pea(misplaced)", "epea(misplaced)", "bfhs(misplaced)", "bfida(misplaced)", "frontier"):
            code = 3 if solver.startswith("descent") else 0  # it is stuck
            events = self.events(solver, "--live=all", EIGHT_MOVES, code=code)
            result = events[-1]
            self.assertEqual(result["event"], "result")
            steps = [event for event in events if event["event"] == "step"]
            self.assertEqual([step["step"] for step in steps], list(range(1, result["expanded"] + 1)), solver)
            children = [child for event in events for child in event.get("children", [])]
            roots = sum(event["event"] == "root" for event in events)
            self.assertEqual(len(children) + roots, result["generated"], solver)
            nodes = [node for event in events for node in ([event["node"]] if event["event"] == "root" else event.get("children", []))]
            numbers = [node["number"] for node in nodes if node["number"]]
            self.assertEqual(numbers, list(range(1, 1 + len(numbers))), solver)
            duplicates = sum(node["fate"] in ("duplicate", "on_path") for event in events
                             for node in event.get("children", []) + event.get("dropped", []))
            self.assertEqual(duplicates, result["duplicates"], solver)
            for step in steps:
                if step["live_count"] is not None:
                    self.assertEqual(len(step["live"]), step["live_count"])
            text = self.answer("solve", "--trace", "-s", solver, EIGHT_MOVES, code=code)
            self.assertEqual(len(re.findall(r"(?m)^step ", text)), result["expanded"], solver)
            self.assertIn(f"\nexpanded: {result['expanded']}\n", text)
            plain = json.loads(self.answer("solve", "--json", "-s", solver, EIGHT_MOVES, code=code))
            for name in ("status", "length", "moves", "expanded", "generated", "duplicates", "reopened", "max_open", "max_stored",
                         "max_depth", "iterations"):
                self.assertEqual(result[name], plain[name], (solver, name))

    def test_the_frontier_at_the_end(self):
        """What the last step of a trace leaves, less what was taken after it; without a trace, by another loop, the same."""
        for solver, taken in [("ucs", 1), ("lcbb(misplaced)", 1), ("greedy(manhattan)", 1), ("astar(manhattan)", 1),
                              ("astar(manhattan, ties=fifo)", 1), ("wastar(manhattan)", 1), ("rbfs(manhattan)", 1),
                              ("bfs(goal_test=removal)", 1)]:
            steps = [event for event in self.events(solver, "--live", "0", EIGHT_MOVES) if event.get("live_count") is not None]
            row = json.loads(self.answer("solve", "--json", "-s", solver, EIGHT_MOVES))
            self.assertEqual(row["status"], "solved")
            self.assertEqual(row["open_at_end"], steps[-1]["live_count"] - taken, solver)
        for board in (EIGHT_MOVES, FARTHEST):
            for solver in ("bfs", "bfs(depth_limit=31)"):
                row = json.loads(self.answer("solve", "--json", "-s", solver, board))
                self.assertEqual(row["open_at_end"], row["generated"] - row["duplicates"] - row["expanded"], solver)
            for solver in ("bfs(goal_test=removal)", "dfs"):
                row = json.loads(self.answer("solve", "--json", "-s", solver, board))
                self.assertEqual(row["open_at_end"], row["generated"] - row["duplicates"] - row["expanded"] - 1, solver)
        for solver, left in [("idastar(manhattan)", 0), ("bfs(depth_limit=3)", 0), ("astar(manhattan, depth_limit=3)", 0)]:
            done = self.run_it("solve", "--json", "-s", solver, FARTHEST)
            self.assertEqual(json.loads(done.stdout)["open_at_end"], left, solver)
        both = json.loads(self.answer("solve", "--json", "-s", "bibfs", EIGHT_MOVES))
        self.assertEqual(both["open_at_end"], both["generated"] - both["duplicates"] - both["expanded"] - 1)  # where they met is one

    def test_steps(self):
        whole = self.answer("solve", "--trace", "-s", "bfs", *BOARD)
        for steps, numbers in (("3-5", [3, 4, 5]), ("2", [2]), ("7-", [7, 8]), ("1-1", [1]), ("9-12", [])):
            part = self.answer("solve", "--trace", "-s", "bfs", f"--steps={steps}", *BOARD)
            self.assertEqual([int(number) for number in re.findall(r"(?m)^step (\d+)", part)], numbers)
            for number in numbers:
                step = re.search(rf"(?ms)^step {number}:.*?(?=^step|^solver|^the goal)", whole)[0]
                self.assertIn(step, part)
            self.assertIn("\nexpanded: 8\n", "\n" + part)
            lines = self.events("bfs", f"--steps={steps}", *BOARD)
            self.assertEqual([line["step"] for line in lines if line["event"] == "step"], numbers)

    def test_it_fits_the_terminal(self):
        for columns in (24, 40, 75, 200):
            shown, done = on_terminal([TILELAB, "solve", "--trace", "-s", "lcbb(misplaced)", *BOARD], "stdout",
                                      env={**os.environ, "COLUMNS": str(columns), "TERM": "xterm"})
            self.assertEqual(done.stderr, "")
            rows = [line for line in shown.splitlines() if line.startswith("  ") and "live nodes" not in line]
            self.assertLessEqual(max(map(len, rows)), columns)
            # A card is 13 wide, three spaces are between two, two before the first.
            side_by_side = max(len(re.findall(r"\bnode \d+", line)) for line in rows)
            self.assertEqual(side_by_side, min(6, (columns + 1) // 16))

    def test_limits_hold(self):
        for arguments, status in ((["--nodes=50"], "node_limit"), (["--time=300ms"], "time_limit"), (["--memory=64KiB"], "memory_limit")):
            with tempfile.TemporaryFile("w+") as file:
                done = subprocess.run([TILELAB, "solve", "--trace", "-s", "lcbb(zero, duplicates=none)", *arguments, FIFTEEN],
                                      stdout=file, stderr=subprocess.PIPE, timeout=120, check=False)
                file.seek(max(0, file.seek(0, 2) - 2000))
                self.assertEqual((done.returncode, done.stderr), (3, b""))
                self.assertIn(f"\nstatus: {status}\n", file.read())

    def test_a_reader_that_goes_ends_it(self):
        for picture in (["--trace"], ["--trace", "--json"]):
            with subprocess.Popen([TILELAB, "solve", *picture, "-s", "dfs(duplicates=none)", FIFTEEN], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
                program.stdout.readline()
                program.stdout.close()
                self.assertEqual(program.stderr.read(), b"")
                program.wait(60)

    def test_a_full_disk_ends_it(self):
        for picture in (["--trace"], ["--trace", "--json"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([TILELAB, "solve", *picture, "-s", "dfs(duplicates=none)", FIFTEEN], stdin=subprocess.DEVNULL,
                                      stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
            self.assertEqual((done.returncode, done.stderr),
                             (1, "tilelab: standard output cannot be written: No space left on device\n"))

    def test_nothing_to_search(self):
        goal = self.answer("solve", "--trace", "-s", "astar(manhattan)", "1 2 3 4 5 6 7 8 0")
        self.assertTrue(goal.startswith("the goal: 0 moves\n\nsolver: astar(manhattan)\nstatus: solved\n"), goal)
        done = self.run_it("solve", "--trace", "1 2 3 4 5 6 8 7 0")
        self.assertEqual(done.returncode, 3)
        self.assertTrue(done.stdout.startswith("solver: astar(manhattan)\nstatus: unsolvable\n"), done.stdout)

    def test_every_key_is_in_the_manual(self):
        manual = (SOURCE / "harness" / "blackboard.md").read_text()
        table = manual[manual.index("<!-- keys of the trace -->"):]
        table = table[:table.index("<!-- end -->")]
        documented = set(re.findall(r"(?m)^\| `(\w+)`", table))
        seen = set()

        def collect(value):
            if isinstance(value, dict):
                seen.update(value)
                for part in value.values():
                    collect(part)
            elif isinstance(value, list):
                for part in value:
                    collect(part)
        for solver in ("rbfs(misplaced)", "bibfs", "idastar(misplaced)", "dfs(depth_limit=2)"):
            for event in self.events(solver, EIGHT_MOVES, code=3 if solver.startswith("dfs") else 0):
                if event["event"] == "result":
                    seen.add("event")
                else:
                    collect(event)
        self.assertEqual(seen, documented)


class Tree(Board):
    SVG = "{http://www.w3.org/2000/svg}"

    def svg(self, *arguments, code=0):
        return xml.etree.ElementTree.fromstring(self.answer("solve", "--svg", *arguments, code=code))

    def rects(self, image, *classes):
        return [tuple(float(rect.get(name)) for name in ("x", "y", "width", "height"))
                for rect in image.iter(self.SVG + "rect") if rect.get("class") in classes]

    def test_the_example_of_the_textbooks(self):
        dot = self.answer("solve", "--dot", "-s", "lcbb(misplaced)", *BOARD)
        self.assertEqual(len(re.findall(r"(?m)^ +n\d+ \[", dot)), 9)
        self.assertEqual(len(re.findall(r"(?m)^ +n\d+ -> n\d+ ", dot)), 8)
        self.assertIn(r'n1 [label="1 2 3\n5 6 .\n7 8 4\ng 0, h 3, f 3\nstep 1", color="#0072B2", penwidth=3];', dot)
        self.assertIn(r'n7 [label="1 2 3\n5 8 6\n7 . 4\ng 2, h 1, f 3\nstep 3", color="#0072B2", penwidth=3];', dot)
        self.assertEqual(re.findall(r'(n\d+ -> n\d+) \[label="(.)", color="#0072B2"', dot), [("n1 -> n3", "L"), ("n3 -> n7", "D"), ("n7 -> n8", "L")])
        image = self.svg("-s", "lcbb(misplaced)", *BOARD)
        self.assertEqual(len(self.rects(image, "path")), 4)
        self.assertEqual(len(self.rects(image, "board")), 5)
        texts = [text.text for text in image.iter(self.SVG + "text")]
        self.assertEqual(sorted(text for text in texts if text.startswith("step")), ["step 1", "step 2", "step 3"])

    def test_pruned_branches_are_dashed(self):
        dot = self.answer("solve", "--dot", "-s", "idastar(misplaced)", *BOARD)
        dashed = re.findall(r'(?m)^ +n\d+ \[label="([^"]*)", style=dashed', dot)
        self.assertEqual(len(dashed), 3)
        for label in dashed:
            self.assertTrue(label.endswith(r"\npruned: f 5 > threshold 3"), label)
        self.assertEqual(len(re.findall(r"-> n\d+ \[label=\".\", style=dashed", dot)), 3)
        self.assertIn('label="round 1: threshold 3"', dot)
        image = self.svg("-s", "idastar(misplaced)", *BOARD)
        self.assertEqual(len(self.rects(image, "pruned")), 3)

    def test_each_round_is_a_tree(self):
        for solver, rounds in (("idastar(misplaced)", 2), ("dfbnb(manhattan)", 2), ("iddfs", 9), ("bfs", 0)):
            dot = self.answer("solve", "--dot", "--draw=1000", "-s", solver, EIGHT_MOVES)
            self.assertEqual(dot.count("subgraph cluster_"), rounds, solver)
            roots = set(re.findall(r"(?m)^ +(n\d+) \[", dot)) - set(re.findall(r"-> (n\d+)", dot))
            self.assertEqual(len(roots), max(rounds, 1), solver)

    def test_so_many_nodes(self):
        for solver in ("astar(manhattan)", "idastar(misplaced)", "bibfs"):
            for draw in (1, 2, 7, 100):
                dot = self.answer("solve", "--dot", f"--draw={draw}", "-s", solver, EIGHT_MOVES)
                row = json.loads(self.answer("solve", "--json", "-s", solver, EIGHT_MOVES))
                drawn = len(re.findall(r"(?m)^ +n\d+ \[", dot))
                rounds = max(dot.count("subgraph"), 1)
                self.assertLessEqual(drawn, draw)
                left = re.search(r"(\d+) nodes are not drawn", dot)
                self.assertEqual(row["generated"], drawn - (rounds - 1) + (int(left[1]) if left else 0), (solver, draw))

    def test_nodes_that_are_expanded_again_and_again(self):
        dot = self.answer("solve", "--dot", "-s", "rbfs(misplaced)", FARTHEST, "--nodes=20000", code=3)
        labels = re.findall(r"step ([^\\\"]*)", dot)
        self.assertIn(3, {label.count(",") for label in labels})
        for label in labels:
            self.assertRegex(label, r"^\d+(, \d+){0,2}$|^\d+, \d+, \d+, \.\.$")

    def test_graphviz_draws_it(self):
        if shutil.which("dot") is None:
            self.skipTest("Graphviz is not installed")
        for solver in ("lcbb(misplaced)", "idastar(misplaced)", "bibfs", "dfbnb(manhattan)", "rbfs(misplaced)"):
            dot = self.answer("solve", "--dot", "-s", solver, EIGHT_MOVES)
            done = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, text=True, check=False, timeout=120)
            self.assertEqual((done.returncode, done.stderr), (0, ""), solver)
            self.assertEqual(done.stdout.count('class="node"'), len(re.findall(r"(?m)^ +n\d+ \[", dot)))

    def test_it_goes_to_a_file_as_the_ending_says(self):
        with tempfile.TemporaryDirectory() as folder:
            begins = {"svg": b"<svg ", "dot": b"digraph ", **({"pdf": b"%PDF-", "png": b"\x89PNG"} if shutil.which("dot") else {})}
            for ending, begin in begins.items():
                path = pathlib.Path(folder, f"tree.{ending}")
                shown = self.answer("solve", "-o", path, "-s", "lcbb(misplaced)", *BOARD)
                self.assertIn("\nlength: 3\n", shown, "the answer is printed, too")
                self.assertEqual(path.read_bytes()[:len(begin)], begin)
                if ending in ("svg", "dot"):
                    self.assertEqual(path.read_text(), self.answer("solve", f"--{ending}", "-s", "lcbb(misplaced)", *BOARD))
            for words, said in ((["-o", "tree.jpg"], "--output tree.jpg: expected a file .svg, .dot, .pdf or .png"),
                                (["-o", "a.b/tree"], "expected a file .svg"),
                                (["-o", "tree.svg", "--json"], "--output and --json; expected one of them"),
                                (["-o", "tree.svg", "--svg"], "--output and --svg; expected one of them"),
                                (["-o", "tree.svg", "-s", "bfs", "-s", "ucs"], "--output shows one search; expected one solver")):
                self.assertIn(said, self.tilelab("solve", *words, EIGHT_MOVES, code=None).stderr)
            bare = self.tilelab("solve", "-o", f"{folder}/no.pdf", EIGHT_MOVES, code=1, PATH=folder)
            self.assertIn("no.pdf, cannot be started: No such file or directory; install Graphviz (Debian: graphviz)", bare.stderr)
            self.assertFalse(pathlib.Path(folder, "no.pdf").exists())

    def test_boards_do_not_overlap(self):
        cases = [(solver, EIGHT_MOVES) for solver in ("bfs", "astar(zero)", "dfs(depth_limit=8)", "iddfs", "rbfs(misplaced)", "bibfs",
                                                      "idastar(misplaced)")]
        for solver, board in [*cases, ("astar(manhattan)", FIFTEEN)]:
            image = self.svg("--draw=300", "--nodes=3000", "-s", solver, board, code=3 if board == FIFTEEN else 0)
            boards = sorted(self.rects(image, "board", "path", "pruned"), key=lambda rect: (rect[1], rect[0]))
            self.assertGreater(len(boards), 20)
            width, height = float(image.get("width")), float(image.get("height"))
            for left, top, wide, high in boards:
                self.assertTrue(left >= 0 and top >= 0 and left + wide <= width and top + high <= height, (solver, left, top))
            for one, other in zip(boards, boards[1:]):
                if one[1] == other[1]:
                    self.assertLess(one[0] + one[2], other[0], solver)
                else:
                    self.assertLess(one[1] + one[3], other[1], solver)

    def test_the_path_is_marked(self):
        for solver in ("bfs", "astar(manhattan)", "idastar(manhattan)", "rbfs(manhattan)", "dfbnb(manhattan)", "dfs(depth_limit=8)",
                       "iddfs", "greedy(manhattan)", "pea(zero)", "epea(misplaced)", "bfida(manhattan)", "bfhs(misplaced, bound=9)", "frontier"):
            length = json.loads(self.answer("solve", "--json", "-s", solver, EIGHT_MOVES))["length"]
            image = self.svg("--draw=2000", "-s", solver, EIGHT_MOVES)
            self.assertEqual(len(self.rects(image, "path")), length + 1, solver)
        # The two halves of a path from both sides; the board where they meet is drawn on each side.
        self.assertEqual(len(self.rects(self.svg("--draw=2000", "-s", "bibfs", EIGHT_MOVES), "path")), 8 + 2)


class Solution(Board):
    START = "8 1 3 4 0 2 7 6 5"
    MOVES = "RDLLUURDLDRURD"

    def marks(self, *arguments, code=0, text=None):
        return json.loads(self.answer("verify", "solution", "--json", *arguments, code=code, text=text))

    def test_right_and_shortest(self):
        self.assertEqual(self.answer("verify", "solution", *self.START.split(), self.MOVES),
                         "legal: yes\nmoves: 14\nreaches the goal: yes\nshortest: yes\n")

    def test_moves_however_they_are_written(self):
        for moves in (self.MOVES.lower(), " ".join(self.MOVES), ", ".join(self.MOVES), ",".join(self.MOVES.lower())):
            marks = self.marks(self.START, moves)
            self.assertEqual((marks["moves"], marks["longer"]), (self.MOVES, 0))
        self.assertEqual(self.marks(*self.START.replace("0", "-1").split(), *self.MOVES)["moves"], self.MOVES)
        self.assertEqual(self.marks("[8,1,3;4,_,2;7,6,5]", self.MOVES)["longer"], 0)

    def test_longer(self):
        marks = self.marks(self.START, self.MOVES + "UD")
        self.assertEqual((marks["reaches_goal"], marks["length"], marks["optimal_length"], marks["longer"], marks["goal_after"]),
                         (True, 16, 14, 2, 14))
        self.assertIn("the goal was there already after: 14\nshortest: no, a shortest solution has 14: 2 longer\n",
                      self.answer("verify", "solution", self.START, self.MOVES + "UD"))

    def test_illegal(self):
        marks = self.marks(self.START, "RRDLL", code=3)
        self.assertEqual((marks["legal"], marks["illegal_move"], marks["problem"], marks["reaches_goal"], marks["last"]),
                         (False, 2, "R takes the blank over the edge", False, "8 1 3 4 2 0 7 6 5"))
        self.assertEqual(self.marks(self.START, "RDZ", code=3)["problem"], "'Z' is no move; expected U, D, L or R")

    def test_misses_the_goal(self):
        marks = self.marks(self.START, self.MOVES[:-1], code=3)
        self.assertEqual((marks["legal"], marks["reaches_goal"], marks["longer"], marks["as_tiles"]), (True, False, None, False))
        self.assertIn("reaches the goal: no, it ends at 1 2 3 4 5 0 7 8 6\n",
                      self.answer("verify", "solution", self.START, self.MOVES[:-1], code=3))

    def test_no_moves_lead_to_the_goal(self):
        self.assertIsNone(self.marks(self.START, self.MOVES)["exchange"])
        odd = "1 2 3 4 5 6 8 7 0"
        self.assertEqual(self.marks(odd, "UD", code=3)["exchange"], [7, 8])
        self.assertIn("note: no moves lead from the board to the goal: the parity is wrong; exchanging 7 and 8 makes it "
                      "solvable\n", self.answer("verify", "solution", odd, "UD", code=3))

    def test_moves_of_the_tiles(self):
        turned = self.MOVES.translate(str.maketrans("UDLR", "DURL"))
        self.assertTrue(self.marks(self.START, turned, code=3)["as_tiles"])
        self.assertIn("read as moves of the tiles", self.answer("verify", "solution", self.START, turned, code=3))

    def test_boards_of_a_file(self):
        path = self.answer("solve", "--boards", self.START)
        with tempfile.TemporaryDirectory() as folder:
            def file(text):
                name = pathlib.Path(folder, "answer.txt")
                name.write_text(text, encoding="utf-8")
                return str(name)
            for text in (path, re.sub(r"\b0\b", "-1", path), path.replace("\n\n", "\n")):
                self.assertEqual(self.marks(file(text))["moves"], self.MOVES)
                self.assertEqual(self.marks(self.START, file(text))["moves"], self.MOVES)
                self.assertEqual(self.marks("-", text=text)["moves"], self.MOVES)
            boards = path.strip().split("\n\n")
            self.assertEqual(self.marks(self.START, file("\n\n".join(boards[1:])))["moves"], self.MOVES)
            left_out = self.marks(file("\n\n".join(boards[:4] + boards[5:])), code=3)
            self.assertEqual((left_out["illegal_move"], left_out["problem"]), (4, "board 5 is not one move from board 4"))
            twice = self.marks(file("\n\n".join(boards[:4] + boards[3:])), code=3)
            self.assertEqual(twice["problem"], "board 5 is board 4 again: no tile was moved")
            self.assertEqual(self.marks(self.START, file(" ".join(self.MOVES) + "\n"))["moves"], self.MOVES)

    def test_goal_and_size(self):
        marks = self.marks("-g", "1 2 3 5 8 6 0 7 4", "1 2 3 5 6 0 7 8 4", "LDL")
        self.assertEqual((marks["goal"], marks["longer"]), ("1 2 3 5 8 6 0 7 4", 0))
        marks = self.marks("--size", "4x2", "1 2 3 4 5 6 0 7", "R")
        self.assertEqual((marks["width"], marks["height"], marks["longer"]), (4, 2, 0))
        self.assertEqual(self.marks("1 2 3 4 5 6 7 8 0", "")["length"], 0)

    def test_where_the_time_does_not_suffice(self):
        far = self.answer("solve", "-s", "greedy(manhattan)", "--moves", "-g", "blank-first", "--size=5x5",
                          "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11").strip()
        marks = self.marks("-g", "blank-first", "--time=200ms", "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11", far)
        self.assertEqual((marks["reaches_goal"], marks["optimal_length"], marks["longer"]), (True, None, None))
        # The published shortest solution has 100 moves.
        self.assertLessEqual(len(far) - 100, marks["longer_at_most"])
        self.assertLess(marks["longer_at_most"], len(far))

    def test_shortest_is_what_the_distances_say(self):
        rows = self.answer("generate", "--method=depth", "--depth=12", "--count=8").splitlines()[1:]
        for row in rows:
            board = row.split(",")[3]
            moves = self.answer("solve", "-s", "greedy(manhattan)", "--moves", board).strip()
            self.assertEqual(self.marks(board, moves)["optimal_length"], 12)
            best = self.answer("solve", "--moves", board).strip()
            self.assertEqual(self.marks(board, best)["longer"], 0)

    def test_wrong_usage(self):
        for arguments, message in ((["8 1 3 4 0 2 7 6 5"], "no answer; expected moves, boards or a file behind the board"),
                                   (["RDL"], "no board; expected the start and then moves, or boards"),
                                   ([], "no board; expected the start and then moves, or boards"),
                                   (["nothing.txt"], "nothing.txt: cannot be opened: No such file or directory"),
                                   (["1 2 3 4 4 6 7 8 0", "R"], "board:1:9: "), (["--seed=3", "1 2 3 0", "R"], "--seed is for heuristics")):
            done = self.run_it("verify", "solution", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(message, done.stderr)
