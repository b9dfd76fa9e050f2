"""Programs as they are: claims without a path, output read by patterns, parameters, what a program is told, isolation."""

import csv
import gzip
import json
import os
import re
import resource
import shutil
import socket
import statistics
import subprocess
import tempfile
import unittest

from test_run import TILELAB, Harness
from support import SOURCE, can_isolate, needs_isolation, write_table

# A breadth-first search that prints as the public solver of Burns et al. (2012) does and reads its input: the cell of each
# tile, one a line, of the board and of the goal. EXTRA moves are added to what it claims.
LIKE_BURNS = """import collections, sys
lines = sys.stdin.read().split("\\n")
width, height = map(int, lines[0].split())
cells = width * height
assert lines[1] == "starting positions for each tile:" and lines[2 + cells] == "goal positions:", lines
def board(first):
    tiles = [0] * cells
    for tile, cell in enumerate(map(int, lines[first:first + cells])):
        tiles[cell] = tile
    return tuple(tiles)
start, goal = board(2), board(3 + cells)
depth, waiting, expanded = {start: 0}, collections.deque([start]), 0
while goal not in depth:
    state = waiting.popleft()
    expanded += 1
    blank = state.index(0)
    for cell in (blank - width, blank + width, blank - 1 if blank % width else -1, blank + 1 if (blank + 1) % width else -1):
        if 0 <= cell < cells:
            child = list(state)
            child[blank], child[cell] = child[cell], 0
            if tuple(child) not in depth:
                depth[tuple(child)] = depth[state] + 1
                waiting.append(tuple(child))
print('#pair  "total nodes expanded"\\t"%d"' % expanded)
print('#pair  "final sol cost"\t"%d.000000"' % (depth[goal] + int(sys.argv[1])))
print('#pair  "wall time"\\t"0.25"')
"""

EXPERIMENT = """experiment: programs
warmup: 0
instances:
  - {name: b, boards: BOARDS}
solvers:
SOLVERS
limits: {time: 20s, memory: 256MiB, nodes: 1M}
output: out
"""
NEAR = "[1 2 3 4 5 6 0 7 8]"

BURNS = """  - command: [python3, burns.py, "{extra}"]
    label: burns
    params: {extra: EXTRA}
    OPTIMAL
    input: |
      {width} {height}
      starting positions for each tile:
      {positions}
      goal positions:
      {goal_positions}
    parse:
      expanded: '#pair\\s+"total nodes expanded"\\s+"(\\d+)"'
      length: '#pair\\s+"final sol cost"\\s+"(\\d+)'
      search_s: '#pair\\s+"wall time"\\s+"(.+)"'
"""

# Looks for the answer wherever a program may look, and prints what it finds.
SPY = """import os, socket, sys
found = []
def look(name, try_it):
    try:
        if try_it():
            found.append(name)
    except OSError:
        pass
look("results", lambda: os.listdir(sys.argv[1]))
look("experiment", lambda: open(os.path.join(sys.argv[2], "experiment.yaml")).read())
look("sets", lambda: os.listdir(sys.argv[3]))
look("port", lambda: socket.create_connection(("127.0.0.1", int(sys.argv[4])), 2))
look("processes", lambda: [name for name in os.listdir("/proc") if name.isdigit() and int(name) > 9])
look("parent", lambda: open("/proc/%d/mem" % os.getppid(), "rb").read(1))
look("own folder", lambda: open("written", "w").write("x"))
look("environment", lambda: "SECRET" in os.environ)
print("found:", " ".join(found) or "nothing")
print("moves: RR")
"""


class Programs(Harness):
    def write_experiment(self, *solvers, boards=NEAR, **files):
        lines = "\n".join(solver if isinstance(solver, str) else "  - " + json.dumps(solver) for solver in solvers)
        self.write(EXPERIMENT.replace("BOARDS", boards).replace("SOLVERS", lines))
        for name, text in files.items():
            self.write(text, name + ".py")

    def compared(self, *words):
        return self.tilelab("compare", self.folder / "out", *words).stdout


class Claims(Programs):
    BOARDS = "[1 2 3 4 5 6 0 7 8, 8 6 7 2 5 4 3 0 1]"

    def burns(self, extra="0", optimal="optimal: true"):
        return BURNS.replace("EXTRA", extra).replace("OPTIMAL", optimal)

    def test_a_length_without_a_path_is_claimed(self):
        self.write_experiment("  - bfs", self.burns(), boards=self.BOARDS, burns=LIKE_BURNS)
        self.run_it()
        rows = {(row["algorithm"], row["instance"]): row for row in self.rows()}
        for board in ("1", "2"):
            claim, solved = rows["external", board], rows["bfs", board]
            self.assertEqual((claim["status"], claim["length"], claim["moves"]), ("claimed", solved["length"], ""))
            self.assertEqual(json.loads(claim["extra"]), {"search_s": 0.25})
            self.assertEqual(claim["generated"], "")
            self.assertGreater(int(claim["expanded"]), 0)
        self.assertIn("0/2", self.compared().split("burns")[1])
        self.assertIn("(claimed: --claimed counts them)", self.compared())
        self.assertIn("0+2?", self.compared("--claimed").split("burns")[1])

    def test_a_claim_that_cannot_be_true_is_a_wrong_answer(self):
        """Shorter than the optimum; longer, with a promise; of an unsolvable board."""
        self.write_experiment(self.burns("[-2, 2]"), self.burns("4", "moves: blank"), "  - command: [echo, 'length: 2']",
                              boards="[0 1 3 4 2 5 7 8 6]", burns=LIKE_BURNS)
        self.run_it(code=3)
        ends = {tuple(json.loads(row["options_json"]).get("params", {}).values()): row["status"] for row in self.rows()}
        self.assertEqual(ends, {(-2,): "wrong_answer", (2,): "wrong_answer", (4,): "claimed", (): "wrong_answer"})

    def test_what_many_rows_have_is_not_said_for_each(self):
        """Five messages of a program, by its label; messages.csv has all."""
        boards = "[" + ", ".join(["1 2 3 4 5 6 0 7 8"] * 8) + "]"
        self.write_experiment("  - {command: [echo, 'moves: UUU'], label: mine}", "  - {command: ['false'], label: none}", boards=boards)
        said = self.run_it(code=3).stderr
        for label, what in (("mine", "wrong answer"), ("none", "crashed")):
            self.assertEqual(said.count(f"tilelab: {what}: {label} on "), 5, said)
            self.assertEqual(said.count(f"tilelab: further messages about {label} are in messages.csv alone"), 1, said)
        self.assertEqual(len((self.folder / "out" / "messages.csv").read_text().splitlines()), 17)

    def test_a_shorter_path_refutes_a_claim(self):
        """No set and no table knows the optimum of this board: the path of another solver does."""
        board = "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15"
        goal = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"
        self.write(EXPERIMENT.replace("boards: BOARDS", f"boards: [{board}], goal: {goal}")
                   .replace("SOLVERS", "  - {command: [echo, 'length: 6'], optimal: true}\n  - astar(manhattan)"))
        self.run_it(code=3)
        self.assertEqual({row["algorithm"]: row["status"] for row in self.rows()}, {"external": "wrong_answer", "astar": "solved"})

    def test_claims_are_drawn_where_that_is_asked_for(self):
        self.write_experiment({"command": ["echo", "cost: {w}"], "params": {"w": [4, 6]}, "label": "claims"}, boards="[1 2 3 4 5 6 0 7 8]")
        self.run_it()
        drawn = [json.loads(self.tilelab("plot", "out", "--json", "--only", "sweep", "--x", "w", "-m", "length", *words).stdout)["figures"]
                 for words in ((), ("--claimed",))]
        self.assertEqual(drawn[0], [])
        self.assertIn("Solved by their own account alone: 2.", drawn[1][0]["caption"])

    def test_a_pattern_that_matches_nothing_is_named(self):
        self.write_experiment({"command": ["echo", "cost 2"], "parse": {"length": "costs (\\d+)"}})
        self.run_it(code=3)
        self.assertEqual([row["status"] for row in self.rows()], ["crashed"])
        self.assertIn("no answer: parse: length (line 6) matched nothing in its line 'cost 2'",
                      (self.folder / "out" / "messages.csv").read_text())

    def test_a_pattern_that_takes_long_gives_up(self):
        """From each of a million places to the line's end: the square of that many steps."""
        flood = "head -c 1000000 /dev/zero | tr '\\0' 7; echo; echo length: 2 moves"
        self.write_experiment({"command": ["sh", "-c", flood], "parse": {"length": "length: (\\d+)", "expanded": "(\\d+) nodes"}})
        self.run_it()
        self.assertEqual([(row["status"], row["length"]) for row in self.rows()], [("claimed", "2")])
        self.assertIn("parse: expanded (line 6) (gave up: more than 1 s of processor time) matched nothing in its 2 lines",
                      (self.folder / "out" / "messages.csv").read_text())


class OwnNumbers(Programs):
    """Solvers are compared by a number that only they know: extra.NAME."""
    BOARDS = "[1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 7 0 8, 1 2 3 4 0 6 7 5 8, 1 2 3 4 5 0 7 8 6, 0 1 3 4 2 5 7 8 6, 1 2 0 4 5 3 7 8 6]"

    def program(self, label, factor, *lines, **keys):
        """Breadth first, so that search_s is exact: the expanded nodes times a factor."""
        return {"command": ["python3", "search.py", str(factor), *lines], "label": label, **keys}

    def setUp(self):
        super().setUp()
        search = LIKE_BURNS[:LIKE_BURNS.index("print(")].split("depth, waiting")[1]
        self.write("import collections, sys\nnumbers = list(map(int, sys.stdin.read().split()))\nwidth, height = numbers[:2]\n"
                   "cells = width * height\nstart, goal = tuple(numbers[2:2 + cells]), tuple(numbers[2 + cells:])\ndepth, waiting"
                   + search.replace("depth[state] + 1", "depth[state] + 'UDLR'[(-width, width, -1, 1).index(cell - blank)]")
                   .replace("{start: 0}", "{start: ''}")
                   + "print('moves:', depth[goal])\nprint('generated:', len(depth))\n"
                   "print('search_s:', expanded * float(sys.argv[1]))\nprint('\\n'.join(sys.argv[2:]))\n", "search.py")

    made = None  # a results folder of the two: their rows, of which each takes a process, are made once

    def run_two(self, *more, units={"search_s": "s"}, compare=""):
        self.write_experiment(self.program("slow", 0.25, units=units), self.program("quick", 0.125, "probes: 3", "table: no number", units=units),
                              *more, boards=self.BOARDS)
        with open(self.folder / "experiment.yaml", "a") as file:
            file.write(compare)
        out = self.folder / "out"
        if self.made and not out.exists():
            shutil.copytree(self.made, out)
        self.run_it()
        if not self.made and not more:
            type(self).made = tempfile.mkdtemp()
            self.addClassCleanup(shutil.rmtree, self.made)
            shutil.copytree(out, self.made, dirs_exist_ok=True)

    def call(self, command, *words):
        return self.tilelab(command, self.folder / "out", *words, code=None)

    def test_compared_by_search_time(self):
        self.run_two("  - astar(manhattan)")
        said = json.loads(self.compared("-m", "extra.search_s", "--json"))
        pairs = {row["solver"]: row for row in said["pairs"] if row["metric"] == "extra.search_s"}
        quick = next(row for solver, row in pairs.items() if "0.125" in solver)
        self.assertEqual((quick["pairs"], quick["wins"], quick["losses"]), (6, 6, 0))
        self.assertAlmostEqual(quick["ratio"], 0.5)
        self.assertEqual((pairs["astar(manhattan)"]["pairs"], pairs["astar(manhattan)"]["no_value"]), (0, 6))
        self.assertNotIn("extra", " ".join(key for table in ("summary", "by_depth") for key in said[table][0]))
        markdown = self.compared("-m", "extra.search_s", "--format", "markdown")
        text = " ".join(markdown.split())
        self.assertIn("quick has 2.0 times less extra.search\\_s than slow", text)
        self.assertIn("extra.search\\_s is not reported by astar(manhattan)", text)
        self.assertRegex(self.compared("-m", "extra.search_s"), r"(?m)^quick .* m?s .*2\.0x less")
        self.assertNotIn("PAR2", self.compared("-m", "extra.search_s", "--table", "standings").split("generated")[0])

    def test_only_where_it_is_asked_for(self):
        self.run_two()
        self.compared()
        before = {name: (self.folder / "out" / name).read_text() for name in ("summary.csv", "by_depth.csv", "pairs.csv")}
        self.assertNotIn("extra", "".join(before.values()))
        self.compared("-m", "extra.search_s")
        after = {name: (self.folder / "out" / name).read_text() for name in before}
        self.assertEqual([name for name in before if before[name] != after[name]], ["pairs.csv"])
        self.assertTrue(after["pairs.csv"].startswith(before["pairs.csv"]))
        self.assertEqual(after["pairs.csv"].count("extra.search_s"), 1)

    def test_the_experiment_names_it(self):
        """Units can be added later, without running anything again."""
        compare = "compare: {metrics: [extra.search_s, generated]}\n"
        self.run_two(units={}, compare=compare)
        self.assertNotIn(" s ", self.compared().split("quick")[1].split("\n")[0].replace(" ms ", ""))
        self.run_two(compare=compare)
        self.assertEqual(len(self.rows()), 12)
        manifest = self.manifest()
        self.assertEqual((manifest["metrics"], manifest["units"]), (["extra.search_s", "generated"], {"search_s": "s"}))
        self.assertIn("verdict on extra.search_s", self.compared())
        figures = json.loads(self.call("plot", "--json", "--only", "box,scatter").stdout)["figures"]
        self.assertEqual([figure["name"] for figure in figures], ["box-generated-b-3x3", "box-extra.search_s-b-3x3",
                                                                   "scatter-generated-b-3x3", "scatter-extra.search_s-b-3x3"])
        page = self.folder / "page.html"
        self.tilelab("report", "out", "-o", page)
        self.assertIn("extra.search_s", page.read_text())

    def test_a_figure_by_it(self):
        self.run_two("  - bfs")
        figure, = json.loads(self.call("plot", "-m", "extra.search_s", "--only", "box", "--json").stdout)["figures"]
        self.assertEqual((figure["x"]["label"], figure["x"]["whole"]), ("extra.search_s (s)", False))
        self.assertIn("Left out, as extra.search_s is not reported of every board solved: bfs.", figure["caption"])
        self.assertNotIn("whole process", figure["caption"])

    def test_a_name_that_no_run_has(self):
        self.run_two()
        for command in ("compare", "plot"):
            done = self.call(command, "-m", "extra.serch_s")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, "tilelab: no run has a number 'serch_s' in the column extra; expected search_s or probes; "
                                          "did you mean 'search_s'?\n")
            self.assertEqual(self.call(command, "-m", "extra.").returncode, 2)
        self.assertIn("expected search_s or probes\n", self.call("compare", "-m", "extra.table").stderr)  # it is no number
        self.assertIn("extra.e beside 4 of the column extra; expected no more at a time", self.call("plot", "-m", "extra.a,extra.b,extra.c,extra.d,extra.e").stderr)
        self.assertIn("quick", self.call("compare", "-m", "extra.probes").stdout)
        self.run_two(compare="compare: {metrics: [extra.nothing]}\n")
        self.assertIn("no run has a number 'nothing'", " ".join(self.compared("--full").split()))

    def test_several_at_a_time(self):
        self.run_two(compare="compare: {metrics: [extra.search_s, extra.probes]}\n")
        names = [figure["name"] for figure in json.loads(self.call("plot", "--json", "--only", "box").stdout)["figures"]]
        self.assertEqual(names, ["box-extra.search_s-b-3x3", "box-extra.probes-b-3x3"])
        page = self.folder / "page.html"
        self.tilelab("report", "out", "-o", page)
        self.assertLessEqual({"extra.search_s", "extra.probes"}, set(re.findall(r"extra\.[a-z_]+", page.read_text())))
        self.run_two()
        said = self.compared("-m", "extra.search_s", "-m", "extra.probes", "--json")
        self.assertEqual({row["metric"] for row in json.loads(said)["pairs"] if row["metric"].startswith("extra.")}, {"extra.search_s", "extra.probes"})
        self.assertRegex(self.compared("-m", "extra.search_s,extra.probes"), r"(?s)verdict on extra.search_s.*\nsolver +extra.probes +verdict on extra.probes")
        full = self.compared("-m", "extra.search_s,extra.probes", "--full")
        for name in ("extra.search_s", "extra.probes"):
            self.assertIn(f"{name} over the solved boards", full)
            self.assertIn(f"mean of {name}", full)
        shown = json.loads(self.compared("--columns", "solver,extra.search_s,extra.probes_mean", "--format", "json"))["columns"]
        rows = self.rows()
        for own in shown:
            extra = [json.loads(row["extra"]) for row in rows if row["label"] == own["solver"]]
            self.assertAlmostEqual(own["extra.search_s"], statistics.median(each["search_s"] for each in extra))
            self.assertEqual(own["extra.probes_mean"], {"quick": 3, "slow": None}[own["solver"]])
        self.assertIn("no run has a number 'nothing'", self.call("compare", "--columns", "solver,extra.nothing").stderr)

    def test_an_unsolved_run_is_worse(self):
        """What it said it had spent bounds its cost; a negative number is none."""
        self.write_experiment({"command": ["sh", "-c", "echo status: node_limit; echo work: 2"], "label": "gives up"},
                              {"command": ["sh", "-c", "echo moves: RR; echo work: 5"], "label": "finds"},
                              {"command": ["sh", "-c", "echo moves: RR; echo work: -5"], "label": "odd"})
        self.run_it()
        pairs = [row for row in json.loads(self.compared("-m", "extra.work", "--json"))["pairs"] if row["metric"] == "extra.work"]
        self.assertEqual([(row["wins"], row["losses"], row["only_solver"], row["pairs"]) for row in pairs], [(1, 0, 1, 0), (0, 0, 0, 0)])


class Told(Programs):
    def test_parameters_are_dimensions(self):
        self.write_experiment({"command": ["sh", "-c", "echo moves: RR; echo w: {w}; echo seed: {seed}"], "label": "mine",
                               "params": {"w": [1.5, 2, 3], "seed": {"from": 1, "to": 10}}})
        self.run_it()
        said = sorted((json.loads(row["extra"])["w"], json.loads(row["extra"])["seed"]) for row in self.rows())
        self.assertEqual(said, [(w, seed) for w in (1.5, 2, 3) for seed in range(1, 11)])
        for row in self.rows():
            extra = json.loads(row["extra"])
            self.assertEqual(json.loads(row["options_json"])["params"], {"w": extra["w"], "seed": extra["seed"]})
        self.assertIn("mine (w=1.5, seed=10)", self.compared())

    def test_a_run_knows_its_seed_and_limits(self):
        """In words and in the environment; repetitions have different seeds, each the same again."""
        self.write_experiment({"command": ["sh", "-c", "echo moves: RR; echo words: {repetition}/{seed}/{time_s}/{memory_mb}/{nodes}/{cpu_s};"
                                           " echo env: $TILELAB_REPETITION/$TILELAB_SEED/$TILELAB_TIME_S/$TILELAB_MEMORY_MB/"
                                           "$TILELAB_NODES/$TILELAB_CPU_S; echo own: $OWN"],
                               "env": {"OWN": "{size}"}})
        self.run_it("--set", "repetitions=3")
        extras = [json.loads(row["extra"]) for row in self.rows()]
        for extra in extras:
            self.assertEqual(extra["words"], extra["env"])
            self.assertEqual(extra["own"], "3x3")
            self.assertEqual(extra["words"].split("/")[1:], [str(extra["seed"]), "20", "256", "1000000", "0"])
        self.assertEqual(len({extra["seed"] for extra in extras}), 3)
        before = sorted(extra["words"] for extra in extras)
        self.run_it("--fresh", "--set", "repetitions=3")
        self.assertEqual(sorted(json.loads(row["extra"])["words"] for row in self.rows()), before)

    def held(self, rows):
        """The most threads, by the programs' own clocks, that ran at the same time; with what solvers of one thread had."""
        spans = [(json.loads(row["extra"]), json.loads(row["options_json"]).get("threads", 1)) for row in rows]
        both = [sum(threads for other, threads in spans if other["begun"] <= one["begun"] < other["ended"]) for one, _ in spans]
        alone = [sum(other["begun"] <= one["begun"] < other["ended"] for other, many in spans if many == 1)
                 for one, threads in spans if threads == 1]
        return max(both), max(alone)

    def test_a_run_holds_its_threads(self):
        """Of four jobs on two processors, a run of two threads runs alone, runs of one thread two by two."""
        processors = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, processors)
        os.sched_setaffinity(0, sorted(processors)[:2])
        script = ("import os, sys, time; print('begun:', time.time()); time.sleep(0.2); print('ended:', time.time());"
                  "print('told:', sys.argv[1] + '/' + os.environ['TILELAB_THREADS'], len(os.sched_getaffinity(0))); print('moves: RR')")
        one = {"command": ["python3", "-c", script, "{threads}"]}
        self.write_experiment({**one, "label": "two", "threads": 2}, {**one, "label": "one"})
        done = self.run_it("--jobs", "4", "--set", "repetitions=4")
        most, alone = self.held(self.rows())
        self.assertEqual((most, alone), (2, 2) if len(processors) > 1 else (2, 1))
        if len(processors) > 1:
            self.assertIn("4 jobs of up to 2 threads on 2 processors: runs wait until there is a processor for each", done.stderr)
            plan = self.tilelab("plan", "experiment.yaml", "--set", "jobs=4", "--set", "repetitions=4", code=None)
            self.assertIn("4 jobs of up to 2 threads, 1 at once where all have that many", plan.stdout)
        for row in self.rows():
            threads = 2 if json.loads(row["options_json"]).get("threads") else 1
            self.assertEqual(json.loads(row["extra"])["told"], f"{threads}/{threads} {min(2, len(processors))}")
            self.assertEqual("threads=2" in row["solver"], threads == 2)

    def test_pinned_threads_have_a_processor_each(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one processor")
        self.write_experiment({"command": ["python3", "-c", "import os; print('moves: RR'); print('on:', len(os.sched_getaffinity(0)))"],
                               "threads": 2})
        self.run_it("--set", "pin=true", "--jobs", "1")
        self.assertEqual([json.loads(row["extra"])["on"] for row in self.rows()], [2])
        script = self.tilelab("submit", "experiment.yaml", "--dry-run", "--shards", "1", "-o", "other", code=None)
        self.assertIn("--cpus-per-task=2\n", script.stdout + script.stderr)

    def test_it_runs_in_its_folder(self):
        (self.folder / "inside").mkdir()
        self.write("print('moves: RR')", "inside/mine.py")
        self.write_experiment({"command": ["python3", "mine.py"], "cwd": "inside"})
        self.run_it()
        self.assertEqual([row["status"] for row in self.rows()], ["solved"])
        self.tilelab("rerun", self.folder / "out", self.rows()[0]["run_id"], cwd="/")


class Version(Programs):
    SCRIPT = "#!/bin/sh\nif [ \"$1\" = -v ]; then echo x >> asked; echo; echo 'mine 1.2 beta'; echo more; else echo 'moves: RR'; fi\n"

    def write_mine(self):
        self.write(self.SCRIPT, "version")
        (self.folder / "version").chmod(0o755)
        self.write_experiment({"command": ["./version", "{repetition}"], "label": "mine", "version": ["./version", "-v"]})

    def asked(self):
        asked = self.folder / "asked"
        return len(asked.read_text()) // 2 if asked.exists() else 0

    def versions(self):
        return [json.loads(row["extra"] or "{}").get("version") for row in self.rows()]

    def sessions(self):
        return self.manifest()["sessions"]

    def test_it_is_asked_once_a_session_and_kept_with_each_row(self):
        self.write_mine()
        for command in ("check", "plan"):
            subprocess.run([TILELAB, command, "experiment.yaml"], cwd=self.folder, capture_output=True, check=True)
        self.assertEqual(self.asked(), 0)
        self.run_it("--set", "repetitions=3", "--jobs", "1")
        self.assertEqual((self.asked(), self.versions()), (1, ["mine 1.2 beta"] * 3))
        self.assertEqual(self.sessions()[0]["interpreters"]["./version -v"]["version"], "mine 1.2 beta")
        self.run_it("--set", "repetitions=3")
        self.assertEqual(self.asked(), 1, "nothing was missing")

    def test_another_version_is_named_once(self):
        """The version that is told stands in a file that the command does not name."""
        (self.folder / "told").write_text("one\n")
        self.write_experiment({"command": ["sh", "-c", "echo moves: RR"], "label": "mine", "version": ["cat", "told"]})
        self.run_it("--set", "repetitions=3")
        lines = self.rows_file.read_text().splitlines(True)
        self.rows_file.write_text("".join(lines[:-1]))
        (self.folder / "told").write_text("two\n")
        done = self.run_it("--set", "repetitions=3")
        said = "mine is another version than that of its earlier rows: 'two', not 'one'"
        self.assertEqual(done.stderr.count(said), 1, done.stderr)
        self.assertEqual(sorted(self.versions()), ["one", "one", "two"])
        self.assertNotIn("another version", self.run_it("--fresh", "--set", "repetitions=3").stderr)

    def test_a_command_that_fails_or_hangs_gives_none(self):
        self.write_experiment({"command": ["sh", "-c", "echo moves: RR"], "label": "bad", "version": ["sh", "-c", "echo 1; exit 2"]},
                              {"command": ["sh", "-c", "echo moves: RR; echo"], "label": "slow", "version": ["sleep", "30"]},
                              {"command": ["sh", "-c", "exit 5"], "label": "crashes", "version": ["echo", "9"]})
        done = self.run_it(code=3)
        for label in ("bad", "slow"):
            self.assertIn(f"the command for the version of {label} printed none", done.stderr)
        self.assertEqual(sorted(map(str, self.versions())), ["9", "None", "None"])


class Logs(Programs):
    def logs(self, under="out"):
        return {path.name.removesuffix(".log.gz"): gzip.decompress(path.read_bytes()).decode()
                for path in self.folder.glob(f"{under}/logs/*")}

    def by_label(self):
        logs = self.logs()
        return {json.loads(row["options_json"])["command"][-1]: logs.get(row["run_id"]) for row in self.rows()}

    def test_each_run_keeps_what_it_printed(self):
        """Whether it solves, crashes or hangs; what is beyond a MiB is cut, and the log says so."""
        program = ("import os, sys, time; os.write(2, b'to error\\n'); print('moves: RR', flush=True);"
                   "{'good': lambda: 0, 'bad': lambda: sys.exit(7), 'late': lambda: time.sleep(60),"
                   " 'long': lambda: print('x' * 2000000), 'none': lambda: 0}[sys.argv[1]]()")
        self.write_experiment(*({"command": ["python3", "-c", program, kind], "logs": kind != "none"}
                                for kind in ("good", "bad", "late", "long", "none")))
        self.run_it("--set", "limits.time=2s", code=3)
        logs = self.by_label()
        both = "standard output: 10 bytes\nmoves: RR\n\nstandard error: 9 bytes\nto error\n\n"
        for kind, end in (("good", "answered"), ("bad", "crashed: exit code 7: to error"), ("late", "time_limit")):
            self.assertRegex(logs[kind], f"^{both}lines came at: 15 bytes\n10 [0-9.]+\n\nended: {end}\n$")
        self.assertIsNone(logs["none"])
        text, error = logs["long"].split("\nstandard error: ")
        title, kept = text.split("\n", 1)
        self.assertEqual(title, "standard output: the first 1048576 of 2000011 bytes")
        self.assertEqual((len(kept), kept[:13], error[:18]), (1 << 20, "moves: RR\nxxx", "9 bytes\nto error\n\n"))

    def test_a_persistent_program_has_one_for_each_answer(self):
        self.write_experiment({"command": ["python3", "lasting.py"], "persistent": True, "logs": True}, lasting="""import sys
count = 0
while True:
    for line in range(8):
        if not sys.stdin.readline():
            sys.exit()
    count += 1
    print(f"answer {count} to error", file=sys.stderr, flush=True)
    print(f"count: {count}\\nmoves: {'RR' if count > 1 else 'R'}\\n", flush=True)
""")
        self.run_it("--jobs", "1", "--set", "repetitions=3")
        logs = self.logs()
        self.assertEqual(len(logs), 3)
        for row in self.rows():
            count = json.loads(row["extra"])["count"]
            self.assertIn(f"count: {count}\nmoves: RR\n", logs[row["run_id"]])
            self.assertEqual([other for other in range(9) if f"count: {other}\n" in logs[row["run_id"]]], [count])

    def test_the_experiment_says_it_for_all(self):
        self.write_experiment({"command": ["echo", "moves: RR"]}, {"command": ["echo", "-e", "moves: RR"], "logs": False})
        self.run_of((self.folder / "experiment.yaml").read_text() + "logs: true\n")
        self.assertEqual(set(self.logs()), {row["run_id"] for row in self.rows() if "-e" not in row["solver"]})

    def test_fresh_and_shards(self):
        self.write_experiment({"command": ["echo", "moves: RR"], "logs": True})
        self.run_it()
        before = self.logs()
        self.run_it("--fresh")
        self.assertEqual((set(self.logs()), {path.name for path in (self.folder / "out").glob("logs.1/*")}),
                         (set(before), {f"{name}.log.gz" for name in before}))
        shutil.rmtree(self.folder / "out")
        for shard in ("1/2", "2/2"):
            self.run_it("--shard", shard, "--set", "repetitions=2")
        self.tilelab("merge", "out")
        self.assertEqual(set(self.logs("out/shards/*")), {row["run_id"] for row in self.rows()})


@needs_isolation
class Isolation(Programs):
    def spied(self, **keys):
        """What a program finds that looks for the answer; a port that listens is one of the places."""
        sets = SOURCE / "instances" / "sets"
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.write_experiment({"command": ["python3", "spy.py", str(self.folder / "out"), str(self.folder), str(sets),
                                               str(server.getsockname()[1])], **keys}, spy=SPY)
            os.environ["SECRET"] = "1"
            self.run_it("--fresh")
            del os.environ["SECRET"]
        row, = self.rows()
        self.assertEqual(row["status"], "solved")
        return json.loads(row["extra"])["found"].split()

    def test_it_finds_nothing(self):
        """Where the folder of the experiment is below /tmp or /dev/shm, it is one of the program's own: it may write there."""
        own = ["own", "folder"] if str(self.folder).startswith(("/tmp/", "/dev/shm/")) else ["nothing"]
        self.assertEqual(self.spied(isolate=True), own)
        self.assertFalse((self.folder / "written").exists())
        self.assertLessEqual({"results", "experiment", "sets", "port", "processes", "environment"}, set(self.spied()))

    def test_its_version_is_asked_within(self):
        os.environ["SECRET"] = "1"
        self.addCleanup(os.environ.pop, "SECRET")
        ask = 'test -z "$SECRET" && test ! -e experiment.yaml && echo apart || echo with all'
        self.write_experiment(*({"command": ["sh", "-c", "echo moves: RR"], "version": ["sh", "-c", ask], "isolate": isolate}
                                for isolate in (True, False)))
        self.run_it()
        self.assertEqual({json.loads(row["extra"])["version"]: "isolate" in row["solver"] for row in self.rows()},
                         {"apart": True, "with all": False})

    def test_limits_hold_within(self):
        eater = "kept = [bytearray(b'x') * (4 << 20) for i in range(256)]\nimport time; time.sleep(100)\n"
        self.write_experiment({"command": ["sh", "-c", "while :; do :; done"], "isolate": True, "limits": {"time": "600ms"}},
                              {"command": ["python3", "eater.py"], "isolate": True, "limits": {"memory": "64MiB"}},
                              {"command": ["sh", "-c", "kill -SEGV $$"], "isolate": True},
                              {"command": ["sh", "-c", "exit 5"], "isolate": True}, eater=eater)
        self.run_it(code=3)
        self.assertEqual(sorted(row["status"] for row in self.rows()), ["crashed", "crashed", "memory_limit", "time_limit"])
        self.assertGreater(max(float(row["cpu_s"]) for row in self.rows() if row["status"] == "time_limit"), 0.02, "the time of what was killed counts")
        self.assertEqual(self.processes_here(), [])

    @unittest.skipUnless(os.geteuid() == 0 and os.path.exists("/usr/bin/python3"), "the processes of another user are to be counted, who has none but these")
    def test_the_limit_of_processes_holds_within(self):
        """Of a user who may have 60 a program makes no more, isolated or not, and it cannot raise the limit; it stops itself at 150."""
        other = {"user": 61234, "group": 61234, "extra_groups": [],
                 "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NPROC, (60, 60))}
        self.folder.chmod(0o777)
        try:
            subprocess.run([TILELAB, "--version"], check=True, capture_output=True, **other)
            able = can_isolate(**other)
        except (OSError, subprocess.SubprocessError) as why:
            self.skipTest(f"another user cannot run tilelab here: {why}")
        makes = """import os, resource, signal, time
made = []
try:
    resource.setrlimit(resource.RLIMIT_NPROC, (150, 150))
except (OSError, ValueError):
    pass
try:
    while len(made) < 150:
        made.append(os.fork())
        if made[-1] == 0:
            time.sleep(20)
            os._exit(0)
except OSError:
    pass
for child in made:
    os.kill(child, signal.SIGKILL)
for child in made:
    os.waitpid(child, 0)
print("status: stuck")
print("made:", len(made))
"""
        self.write_experiment(*({"command": ["/usr/bin/python3", "makes.py"], "isolate": isolate} for isolate in (False, True)[:1 + able]), makes=makes)
        done = subprocess.run([TILELAB, "run", "experiment.yaml", "--jobs", "1", "--no-compare"], cwd=self.folder, text=True, capture_output=True, check=False, **other)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = {"isolate" in row["solver"]: json.loads(row["extra"])["made"] for row in self.rows()}
        self.assertEqual(set(made), {False, True} if able else {False})
        for number in made.values():
            self.assertIn(number, range(20, 60), made)


# It starts at once, so that it has printed all that it prints long before the limit.
IMPROVING = """#!/bin/sh
test -z "$1" || trap 'echo "moves: RR"; exit 0' TERM
printf 'expanded: 5\\nmoves: RRLRLRLR\\nexpanded: 50\\nmoves: RRLRLR\\nexpanded: 60\\nmoves: RRLRRLLR\\nexpanded: 70\\nmoves: RRLR\\n'
printf 'moves: RD\\nmoves: R\\n'
sleep 100 & wait
"""


class Improving(Programs):
    def solvers(self, *solvers):
        self.write_experiment(*({"command": ["sh", "any.sh", *words], "limits": {"time": "1s"}, **keys} for words, keys in solvers))
        self.write(IMPROVING, "any.sh")
        self.run_it()
        return self.rows()

    def incumbents(self):
        with open(self.folder / "out" / "incumbents.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_a_limit_leaves_the_best_path(self):
        """Of those that lead to the goal; with time after SIGTERM the program prints a better one."""
        rows = self.solvers(([], {}), (["on_term"], {"grace": "5s"}))
        found = {row["solver"]: (row["status"], row["length"], row["moves"], row["expanded"]) for row in rows}
        self.assertEqual(found, {"external(sh any.sh)": ("time_limit", "4", "RRLR", ""),
                                 "external(sh any.sh on_term, grace=5)": ("time_limit", "2", "RR", "")})
        self.assertIn("0/1", self.compared().split("any.sh")[1])

    def test_each_improvement_has_a_row(self):
        row, = self.solvers(([], {}))
        written = self.incumbents()
        self.assertEqual([(one["run_id"], one["expanded"], one["generated"], one["cost"], one["length"], one["bound"], one["verified"])
                          for one in written],
                         [(row["run_id"], expanded, "", length, length, "", "1") for expanded, length in (("5", "8"), ("50", "6"), ("70", "4"))])
        times = [float(one["wall_s"]) for one in written]
        self.assertEqual(times, sorted(times))
        self.assertIn("1 of them is done already", self.run_it().stderr)
        self.assertEqual(self.incumbents(), written)

    def test_a_false_claim_is_no_improvement(self):
        """It hides no path that comes after it, and no figure or table takes it for reached, but where claims are asked for."""
        self.write_experiment({"command": ["sh", "-c", "printf 'cost: 1\\nmoves: RLRLRR\\nmoves: RRLR\\n'; sleep 9"], "label": "boasts", "limits": {"time": "1s"}})
        self.run_it()
        self.assertEqual([(one["length"], one["verified"]) for one in self.incumbents()], [("1", "0"), ("6", "1"), ("4", "1")])
        for words, ratio in (((), "2"), (("--claimed",), "1")):
            row, = csv.DictReader(self.compared("--full", "--table", "improvements", "--format", "csv", *words).splitlines())
            self.assertEqual(row["length / shortest"], ratio, words)

    def test_the_primal_integral(self):
        """Of times that are known: gaps 1, 3/4, 2/3 and 1/2, a quarter of a second each."""
        self.solvers(([], {}))
        written = self.incumbents()
        for one, seconds in zip(written, ("0.25", "0.5", "0.75")):
            one["wall_s"] = seconds
        write_table(self.folder / "out" / "incumbents.csv", written)
        row, = csv.DictReader(self.compared("--full", "--table", "improvements", "--format", "csv").splitlines())
        self.assertEqual((row["first time"], row["best time"], row["length / shortest"]), ("0.25", "0.75", "2"))
        self.assertAlmostEqual(float(row["primal integral"]), (1 + 3 / 4 + 2 / 3 + 1 / 2) / 4)
        figure, = json.loads(self.tilelab("plot", self.folder / "out", "--json", "--only", "incumbents", "-m", "wall_s").stdout)["figures"]
        self.assertEqual([round(row["median"], 3) for row in figure["rows"] if row["cost"] in (0.25, 0.75)], [4, 2])

    def test_objects_of_json_improve_too(self):
        """Each object before the last; a torn one at the limit counts for nothing."""
        program = """import sys, time
print('{"expanded": 5, "bound": 1, "moves": "RLRLRR"}', flush=True)
print('working\\n{"length": 1}\\n{"moves":\\n "RRLR", "expanded": 9, "bound": 2}', flush=True)
late = sys.argv[1] == "late"
print('{"moves": "RR"' + ("" if late else ', "expanded": 12}'), flush=True)
time.sleep(9 * late)
"""
        self.write_experiment(*({"command": ["python3", "own.py", kind], "protocol": "json", "label": kind, "limits": {"time": "2s"}}
                                for kind in ("late", "done")), own=program)
        self.run_it()
        rows = {row["label"]: row for row in self.rows()}
        self.assertEqual({kind: (row["status"], row["moves"], row["expanded"]) for kind, row in rows.items()},
                         {"late": ("time_limit", "RRLR", ""), "done": ("solved", "RR", "12")})
        for kind, last in (("late", []), ("done", [("12", "2", "2", "1")])):
            self.assertEqual([(one["expanded"], one["length"], one["bound"], one["verified"]) for one in self.incumbents()
                              if one["run_id"] == rows[kind]["run_id"]], [("5", "6", "1", "1"), ("9", "4", "2", "1"), *last])

    def test_a_bound_that_cannot_be_proved_is_a_wrong_answer(self):
        """Above the optimum, above its own path, above another solver's path, also at a limit and in whichever order."""
        board = "boards: [1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15], goal: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"
        hold = "; sleep 9"
        lines = {"fine": "bound: 2\\nmoves: RR", "own": "bound: 5\\nmoves: RRLR", "silent": "bound: 7\\nstatus: stuck",
                 "late": "bound: 3", "half": "bound: 1.5\\nmoves: RR"}
        self.write_experiment(*({"command": ["sh", "-c", f"printf '{text}\\n'" + hold * (name == "late")], "label": name,
                                 "limits": {"time": "1s"}} for name, text in lines.items()))
        text = (self.folder / "experiment.yaml").read_text()
        wrong = {"fine": "solved", "own": "wrong_answer", "silent": "wrong_answer", "late": "wrong_answer", "half": "solved"}
        for boards in (f"boards: {NEAR}", board):
            self.run_of(text.replace(f"boards: {NEAR}", boards), "--fresh", code=3)
            self.assertEqual({row["label"]: row["status"] for row in self.rows()}, wrong)
            self.run_it(code=3)
        self.assertEqual({json.loads(row["extra"])["bound"] for row in self.rows()}, {2, 5, 7, 3, 1.5})

    def test_targets_that_are_reached(self):
        """Worked by hand: of a board with optimum 2, length 4 reaches one of seven targets; with optimum 12, length 18
        reaches two (1.5 and 2), length 14 three (1.2, too)."""
        self.write("""read size; read one; read two; read three; path=RR; [ "$one" = "7 4 3" ] && path=UURDDLUURDDR
say() { echo "expanded: $1"; echo "moves: $2$path"; }
case "$1$path" in anyRR) say 10 RL; say 20;; anyU*) say 10 UDUDUD; say 30 UD; say 40;; onceRR) say 15;; onceU*) say 25 UD;; esac
""", "own.sh")
        self.write_experiment(*({"command": ["sh", "own.sh", kind], "label": kind} for kind in ("any", "once")),
                              boards="[1 2 3 4 5 6 0 7 8, 7 4 3 5 1 6 0 2 8]")
        self.run_it()
        figure, = json.loads(self.tilelab("plot", self.folder / "out", "--json", "--only", "targets", "-m", "expanded").stdout)["figures"]
        self.assertEqual({(row["solver"].split()[-1][:-1], row["cost"]): round(14 * row["share"], 6) for row in figure["rows"] if row["share"] > 0},
                         {("any", 10): 3, ("any", 20): 9, ("any", 30): 10, ("any", 40): 14, ("once", 15): 7, ("once", 25): 10})

    def test_dfbnb_improves_too(self):
        self.write(EXPERIMENT.replace("boards: BOARDS", "size: 4x4, method: walk, steps: 40, count: 2").replace("SOLVERS", "  - dfbnb(manhattan)"))
        self.run_it("--set", "limits.nodes=20k")
        for row in self.rows():
            own = [one for one in self.incumbents() if one["run_id"] == row["run_id"]]
            self.assertEqual(own[-1]["length"], row["length"])
            self.assertEqual((own[0]["generated"], own[-1]["generated"]), (row["first_found"], row["best_found"]))
            self.assertEqual({one["verified"] for one in own}, {"1"})
            self.assertEqual({one["bound"] for one in own}, {row["h_start"]})
