"""Solvers that are programs of one's own: what their rows hold, and what is said of them beside built-in ones.

Counters that such a program does not report are empty cells: no table and no figure may take them for 0, or for those of
the boards on which it did report them."""

import json
import os

import chromium
from support import SANITIZED, read_table
from test_run import Harness

# Breadth-first search: short, and slow enough to need easy boards. Says what its arguments ask for.
SOLVER = """import sys
size, *rows = sys.stdin.read().split("\\n")
width, height = map(int, size.split())
start = tuple(int(t) for row in rows[:height] for t in row.split())
goal = tuple(int(t) for row in rows[height + 1:] for t in row.split())
seen, queue = {start: ""}, [start]
for board in queue:
    if board == goal:
        break
    blank = board.index(0)
    for move, step, fits in (("U", -width, blank >= width), ("D", width, blank + width < len(board)),
                             ("L", -1, blank % width), ("R", 1, (blank + 1) % width)):
        if fits:
            after = list(board)
            after[blank], after[blank + step] = after[blank + step], 0
            if tuple(after) not in seen:
                seen[tuple(after)] = seen[board] + move
                queue.append(tuple(after))
path = seen.get(goal)
says = sys.argv[1]
if says == "crash" and len(path) > 4:
    sys.exit("no more")
print("status: exhausted" if path is None else "moves: " + ("UDUD" if says == "wrong" else path))
if says in ("expanded", "crash") or (says == "some" and len(path) < 6):
    print("expanded:", len(seen))
    print("note: of my own")
"""
EXPERIMENT = """experiment: externals
instances:
  - {name: easy, size: 3x3, method: depth, depths: [2, 4, 6, 8], count: 3}
solvers:
  - astar(manhattan)
  - bfs
  - {command: [python3, mine.py, nothing], label: silent, optimal: true}
  - {command: [python3, mine.py, expanded], label: counting}
  - {command: [python3, mine.py, some], label: some}
limits: {time: 60s, memory: 1GiB}
compare: {baseline: astar(manhattan)}
output: out
"""
COUNTERS = ("expanded", "generated", "duplicates", "reopened", "max_open", "max_stored", "max_depth", "iterations",
            "first_found", "best_found", "open_at_end")


class Programs(Harness):
    def setUp(self):
        super().setUp()
        before = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", before)
        os.environ["PATH"] = f"/usr/bin:{before}"  # a python3 that starts at once
        (self.folder / "mine.py").write_text(SOLVER)

    def table(self, name):
        return read_table(self.folder / "out" / name)

    def run_id(self, label):
        return next(row["run_id"] for row in self.rows() if label in row["solver"])


class Externals(Programs):
    started = None  # a browser for all tests

    @classmethod
    def browser(cls):
        if cls.started is None:
            cls.started = chromium.Chromium()
        return cls.started

    @classmethod
    def tearDownClass(cls):
        if cls.started is not None:
            cls.started.close()

    def test_rows_and_what_is_said_of_them(self):
        """One run for all, since each row takes a process: rows, tables, figures, manifest, rerun, changed files."""
        self.write(EXPERIMENT)
        said = self.run_it().stderr
        self.assertIn("An experiment file with a command is a program: read it first\n  python3 mine.py nothing\n", said)
        rows = self.rows()
        self.assertEqual(len(rows), 60)
        for row in rows:
            self.assertEqual((row["status"], row["length"]), ("solved", row["optimal_length"]), row)
            external = row["algorithm"] == "external"
            self.assertEqual(row["measured"], "process" if external else "search")
            own = "expanded" in row["solver"] or ("some" in row["solver"] and int(row["length"]) < 6)
            if external:
                self.assertEqual([name for name in COUNTERS if row[name]], ["expanded"] if own else [], row)
                self.assertEqual(json.loads(row["extra"] or "{}"), {"note": "of my own"} if own else {})
                if row["peak_bytes"] != "" or not SANITIZED:  # a large worker hides what a short program held
                    self.assertGreater(int(row["peak_bytes"]), 1 << 20)
                options = json.loads(row["options_json"])
                self.assertEqual(options["command"][:2], ["python3", "mine.py"])
                self.assertRegex(options["files"]["mine.py"], "^[0-9a-f]{16}$")
        self.tables()
        self.figures()
        self.check_manifest(rows)
        self.repeated()
        self.changed()

    def tables(self):
        shown = self.tilelab("compare", "out").stdout
        self.assertRegex(shown, r"silent +12 +- +- +\S+ +\S+ m?s +not reported\n")
        self.assertRegex(shown, r"some +12 +- +- .* not reported\n")
        self.assertRegex(shown, r"counting +12 +\d+ +- ")
        flat = " ".join(shown.split())
        self.assertIn("Time and memory: of silent, counting, some the whole process with its start, as the system saw it; "
                      "of the others the search alone.", flat)
        self.assertIn("expanded is not reported by silent, some: compare by another, such as -m wall_s or -m length.", flat)
        full = " ".join(self.tilelab("compare", "out", "--full", "--all-pairs").stdout.split())
        self.assertIn("silent against astar(manhattan): nothing to compare, as silent does not report expanded -", full)
        self.assertIn("some against astar(manhattan): nothing to compare, as some does not report expanded of every board "
                      "that it solved", full)
        self.assertIn("some against silent: nothing to compare, as some does not report expanded of every board that it "
                      "solved and silent does not report expanded", full)
        self.assertIn("expanded over the 12 boards that all solvers tried", full)
        self.assertIn("Left out, as generated is not reported of every board solved: silent, counting, some.", full)
        self.assertIn("search alone. Ranks, tests and the virtual best solver take them as they are.", full)
        self.assertNotIn("nan", full)
        for row in self.table("summary.csv"):
            has = {"silent": [], "nothing": [], "expanded": ["expanded"], "some": []}
            kind = next((name for name in has if name in row["solver"]), None)
            for name in COUNTERS[:8] if kind else ():
                for figure in ("median", "mean", "sd", "lower", "upper", "median_all"):
                    self.assertEqual(row[f"{name}_{figure}"] != "", name in has[kind], (row["solver"], name, figure))
            if kind:
                self.assertEqual(row["effective_branching_factor_median"], "")
                self.assertEqual(row["max_stored_max"], "")
                self.assertNotEqual(row["wall_s_median"], "")
        for row in self.table("by_depth.csv"):
            if "nothing" in row["solver"]:
                self.assertEqual(row["mean_expanded"] + row["effective_branching_factor"], "")
        for row in self.table("pairs.csv"):
            pair = (row["solver"] + row["baseline"], row["metric"])
            silent = "nothing" in pair[0] or "some" in pair[0] or ("py expanded" in pair[0] and pair[1] != "expanded")
            if silent and pair[1] in COUNTERS:
                self.assertEqual((row["pairs"], row["ratio"], row["p"], row["p_adjusted"], row["a12"], row["verdict"]),
                                 ("0", "", "", "", "", "nothing to compare"), row)

    def figures(self):
        drawn = json.loads(self.tilelab("plot", "out", "--json", "-m", "expanded,wall_s").stdout)
        for figure in drawn["figures"]:
            solvers = {row[name] for row in figure["rows"] for name in ("solver", "baseline") if name in row}
            caption = figure["caption"]
            if "expanded" in figure["name"]:
                self.assertEqual([solver for solver in solvers if "nothing" in solver or "some" in solver], [], figure["name"])
                self.assertIn("Left out, as expanded is not reported of every board solved: silent, some.", caption)
            elif "wall_s" in figure["name"]:
                self.assertEqual(len(solvers), 5, figure["name"])
                self.assertIn("the whole process with its start", caption)
            elif figure["kind"] == "memory":
                self.assertEqual(solvers, {"astar(manhattan)", "bfs"})
        self.assertGreater(len(drawn["figures"]), 10)
        self.tilelab("report", "out", "-o", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertIn("nothing to compare, as silent does not report expanded", page)
        if chromium.PROGRAM:
            self.page()
        self.assertIn("the whole process with its start", page)

    def page(self):
        """What is shown of a run of a program, and how to make it again: not with solve."""
        page = chromium.Page(self.browser())
        page.open(self.folder / "page.html", "#run-" + self.run_id("some"))
        shown = page.run("document.getElementById('run').innerText")
        self.assertIn("some", shown)
        self.assertEqual(page.run("[...document.querySelectorAll('#run .command')].map(command => command.textContent)"),
                         ["tilelab rerun out " + self.run_id("some")])
        shown = page.run("document.body.innerText").replace("sanitizers address,undefined", "")
        self.assertNotRegex(shown, "NaN|undefined|Infinity")
        self.assertEqual(page.said, [])
        page.close()

    def check_manifest(self, rows):
        manifest = self.manifest()
        externals = manifest["externals"]
        self.assertEqual(sorted(externals), sorted({row["solver"] for row in rows if row["algorithm"] == "external"}))
        for solver, own in externals.items():
            self.assertEqual(own["folder"], os.path.realpath(self.folder))
            self.assertEqual("optimal" in own, "optimal" in solver)
            self.assertTrue(os.access(own["program"], os.X_OK))
        plan = self.tilelab("plan", "experiment.yaml").stdout
        self.assertIn(f"run in {os.path.realpath(self.folder)}. An experiment file with a command is a program", plan)
        self.assertIn(f"  python3 mine.py some\n    {own['files']['mine.py']}  mine.py\n", plan)

    def repeated(self):
        """A rerun and a resumed experiment."""
        self.assertIn("Everything else is the same.", self.tilelab("rerun", "out", self.run_id("some")).stdout)
        again = self.run_it().stderr
        self.assertIn("60 of them are done already", again)

    def changed(self):
        """Another file is another solver: one byte."""
        with open(self.folder / "mine.py", "a") as file:
            file.write("#")
        done = self.run_it(code=2)
        for label in ("silent", "counting", "some"):
            self.assertIn(f"12 rows of {label}, whose file mine.py has changed\n", done.stderr)
        self.assertIn("--fresh", done.stderr)
        done = self.tilelab("rerun", "out", self.run_id("some"))
        self.assertIn("tilelab: mine.py has changed since the row was made\n", done.stderr)
        (self.folder / "mine.py").rename(self.folder / "mime.py")
        done = self.tilelab("rerun", "out", self.run_id("some"), code=2)
        self.assertIn("no file 'mine.py'", done.stderr)
        self.assertIn("did you mean 'mime.py'?", done.stderr)
        (self.folder / "out" / "manifest.json").write_text("{")
        done = self.tilelab("rerun", "out", self.run_id("some"), code=2)
        self.assertIn("out/manifest.json cannot be used: line 1: ", done.stderr)

    def test_wrong_and_crashed(self):
        self.write("""experiment: bad
instances: [{name: easy, size: 3x3, method: depth, depths: [2, 6], count: 1}]
solvers:
  - astar(manhattan)
  - {command: [python3, mine.py, wrong], label: wrong}
  - {command: [python3, mine.py, crash], label: crashing}
repetitions: 1
limits: {time: 60s}
compare: {baseline: crashing}
output: out
""")
        done = self.run_it(code=3)
        rows = {(row["solver"].split()[-1].rstrip(")"), row["optimal_length"]): row for row in self.rows()}
        self.assertEqual(rows["wrong", "2"]["status"], "wrong_answer")
        self.assertEqual(rows["crash", "2"]["status"], "solved")
        crashed = rows["crash", "6"]
        self.assertEqual((crashed["status"], crashed["expanded"]), ("crashed", ""))
        messages = {row["run_id"]: row["message"] for row in self.table("messages.csv")}
        self.assertIn("no more", messages[crashed["run_id"]])
        self.assertIn("no more", done.stderr)
        shown = self.tilelab("compare", "out").stdout
        self.assertRegex(shown, r"crashing +1/2 .*the baseline")
        self.assertNotIn("is not reported", shown)  # whoever solves nothing leaves nothing out
        full = " ".join(self.tilelab("compare", "out", "--full").stdout.split())
        self.assertIn("Left out, as no board is solved and expanded is not reported: wrong.", full)
        if chromium.PROGRAM:
            self.message_on_the_page(messages, crashed["run_id"])

    def message_on_the_page(self, messages, crashed):
        """Why a run crashed stands below its status."""
        self.tilelab("report", "out", "-o", "page.html")
        page = chromium.Page(self.browser())
        page.open(self.folder / "page.html", "#run-" + crashed)
        self.assertIn("message\n" + messages[crashed], page.run("document.getElementById('run').innerText"))
        page.close()


class Counts(Programs):
    def test_what_no_search_can_count_is_marked(self):
        self.write("""experiment: counts
instances: [{name: easy, size: 3x3, method: depth, depths: [10, 12], count: 4}]
solvers:
  - astar(manhattan)
  - {command: [sh, -c, "python3 mine.py nothing; echo 'expanded: 1'"], label: leader}
  - {command: [sh, -c, "python3 mine.py expanded; echo 'max_depth: 99'"], label: honest}
limits: {time: 60s}
compare: {baseline: astar(manhattan), metrics: expanded}
output: out
""")
        done = self.run_it(tables=True)
        for row in self.rows():
            extra = json.loads(row["extra"] or "{}")
            if "echo 'expanded: 1'" in row["solver"] or "expanded: 1" in row["solver"]:
                self.assertEqual((row["status"], row["expanded"]), ("solved", "1"))
                self.assertEqual(extra, {"impossible": f"1 nodes were expanded, but the path has {row['length']} steps"})
            elif row["algorithm"] == "external":
                self.assertEqual(extra, {"note": "of my own"})
        for said in done.stdout, self.tilelab("compare", "out").stdout:
            self.assertRegex(said, r"leader +8 +1\? .* fewer .*\?\n")
            self.assertRegex(said, r"honest +8 +[\d,]+ ")
        full = " ".join(self.tilelab("compare", "out", "--full").stdout.split())
        self.assertIn("?: over counters that no search can count, as the column extra says: runs of leader (8).", full)
        self.assertIn("leader? ", full)
        self.assertNotIn("honest? ", full)
        self.tilelab("report", "out")


class Interpreters(Programs):
    def test_what_runs_behind_shims_is_recorded(self):
        """A shim that becomes the interpreter, one that starts it, the first line of a script, and one that hangs."""
        shims = self.folder / "shims"
        shims.mkdir()
        python = os.path.realpath("/usr/bin/python3")
        for name, text in (("python3", "x=$(echo 3); exec /usr/bin/python3 \"$@\""), ("starts", "/usr/bin/python3 \"$@\"; exit $?"),
                           ("hangs", "[ $1 = --version ] && sleep 1000; exec /usr/bin/python3 \"$@\"")):
            (shims / name).write_text(f"#!/bin/sh\n{text}\n")
            (shims / name).chmod(0o755)
        os.environ["PATH"] = f"{shims}:{os.environ['PATH']}"
        (self.folder / "script.py").write_text("#!/usr/bin/env -S starts\n" + SOLVER)
        (self.folder / "script.py").chmod(0o755)
        self.write("""experiment: interpreters
instances: [{name: easy, size: 3x3, method: depth, depths: [2], count: 1}]
solvers:
  - {command: [python3, mine.py, nothing]}
  - {command: [./script.py, nothing]}
  - {command: [hangs, mine.py, nothing]}
limits: {time: 60s}
output: out
""")
        self.run_it()
        self.assertEqual({row["status"] for row in self.rows()}, {"solved"})
        manifest = self.manifest()
        found = manifest["sessions"][0]["interpreters"]
        self.assertEqual(set(found), {"python3", "starts", "hangs"})
        for name in "python3", "starts":
            self.assertEqual(found[name]["path"], python)
            self.assertRegex(found[name]["version"], r"^Python 3[.\d]+$")
        self.assertIsNone(found["hangs"]["version"])
        self.assertEqual(self.processes_here(), [])


class Slow(Programs):
    def test_the_worst_case_has_the_start_of_persistent_programs(self):
        """One that never answers takes a minute before each run, and before the run that warms its worker up."""
        self.write("""experiment: slow
instances: [{name: easy, size: 3x3, method: depth, depths: [2], count: 2}]
solvers:
  - {command: [sleep, '1000'], persistent: true, label: slow}
  - {command: [sleep, '1001'], persistent: true, label: slower, limits: {time: 2m}}
  - {command: [sleep, '1000'], label: once}
repetitions: 3
limits: {time: 10s}
jobs: 1
output: out
""")
        plan = json.loads(self.tilelab("plan", "experiment.yaml", "--json", "--shards", "2").stdout)
        self.assertEqual(plan["worst_case_s"], 121 + 6 * (70 + 240 + 10))
        self.assertEqual([shard["worst_case_s"] for shard in plan["shards"]], [121 + 3 * 320] * 2)
        self.assertIn("at worst 0.57 hours and 2.00 GiB with 1 job, if every run reaches its limits and persistent programs are slow to "
                      "start", self.tilelab("plan", "experiment.yaml").stdout)
        said = " ".join(self.tilelab("submit", "experiment.yaml", "--dry-run", "--time", "2m", code=2).stderr.split())
        self.assertIn("a run may take 240 s (limits.time, and the start of a persistent program), and", said)


class Truth(Programs):
    """Where no optimum is known, a shorter path refutes whoever calls a longer one shortest; nothing refutes a path."""

    LIAR = """import sys
print("moves:", "LR" * int(sys.argv[1]) + "LL", "\\nstatus: solved\\nexpanded: 99")
"""
    SOLVERS = {"liar": "{command: [python3, liar.py, '20'], label: liar, optimal: true}",
               "smaller": "{command: [python3, liar.py, '3'], label: smaller, optimal: true}",
               "honest": "{command: [python3, liar.py, '5'], label: honest}",
               "astar": "{algorithm: astar, heuristic: manhattan, label: astar}"}
    EXPECTED = {"liar": ("wrong_answer", "42"), "smaller": ("wrong_answer", "8"), "honest": ("solved", "12"),
                "astar": ("solved", "2")}

    def setUp(self):
        super().setUp()
        (self.folder / "liar.py").write_text(self.LIAR)

    def experiment(self, *names):
        self.write("""experiment: truth
instances: [{name: mine, file: mine.txt}]
solvers:
""" + "".join(f"  - {self.SOLVERS[name]}\n" for name in names) + """limits: {time: 60s, memory: 1GiB}
goal: [1 2 3 4, 5 6 7 8, 9 10 11 12, 0 13 14 15]
output: out
""")
        (self.folder / "mine.txt").write_text("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n")

    def judged(self, names):
        for row in self.rows():
            self.assertEqual(row["optimal_length"], "")
            self.assertEqual((row["status"], row["length"]), self.EXPECTED[self.name(row)])
            self.assertEqual(len(row["moves"]), int(row["length"]))
            self.assertNotEqual(row["expanded"], "")
        self.assertEqual(len(self.rows()), len(names))
        messages = {row["run_id"]: row for row in self.table("messages.csv")} if len(names) > 1 else {}
        for row in self.rows():
            if row["status"] == "wrong_answer":
                self.assertRegex(messages[row["run_id"]]["message"], "moves called shortest, although a path of ")

    @staticmethod
    def name(row):
        return {"20": "liar", "3": "smaller", "5": "honest", "": "astar"}[
            "".join(word.strip(")',") for word in row["solver"].split() if word.strip(")',").isdigit())]

    def test_in_any_order(self):
        for names in (("liar", "honest", "smaller", "astar"), ("astar", "smaller", "liar", "honest"),
                      ("smaller", "astar", "honest", "liar")):
            with self.subTest(names):
                self.experiment(*names)
                self.run_it("--fresh", "--jobs", "1", code=3)
                self.judged(names)
                before = self.rows_file.read_bytes()
                self.run_it(code=3)
                self.assertEqual(self.rows_file.read_bytes(), before)
        self.tilelab("compare", "out")
        self.tilelab("report", "out")
        wrong = next(row["run_id"] for row in self.rows() if self.name(row) == "liar")
        self.tilelab("rerun", "out", wrong)

    def test_call_after_call(self):
        self.experiment("liar")
        self.run_it()
        self.assertEqual(self.rows()[0]["status"], "solved")
        self.experiment("liar", "honest", "smaller")
        self.run_it(code=3)
        self.assertEqual({self.name(row): row["status"] for row in self.rows()},
                         {"liar": "wrong_answer", "honest": "solved", "smaller": "solved"})
        self.experiment(*self.EXPECTED)
        self.run_it(code=3)
        self.judged(self.EXPECTED)

    def test_in_shards(self):
        self.experiment(*self.EXPECTED)
        for shard in "1/4", "2/4", "3/4", "4/4":
            self.run_it("--shard", shard, tables=True)
        self.tilelab("merge", "out", code=3)
        self.judged(self.EXPECTED)
        before = {path.name: path.read_bytes() for path in (self.folder / "out").glob("*.csv")}
        self.tilelab("merge", "out", code=3)
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "out").glob("*.csv")}, before)
