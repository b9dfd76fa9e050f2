"""control.csv: the same search again and again among the runs, and which times are marked where it drifts."""
import json
import re

from support import read_table, write_table
from test_run import Harness

EXPERIMENT = """experiment: controlled
instances:
  - {name: u, size: 3x3, method: uniform, count: 12}
solvers: [idastar(manhattan), astar(manhattan)]
compare: {baseline: astar(manhattan), metrics: [expanded, wall_s]}
control: {every: 4}
output: out
"""


class Controls(Harness):
    def controls(self, folder="out"):
        return read_table(self.folder / folder / "control.csv")

    def drift(self, slow, folder="out"):
        """Writes the times of the controls anew, the one of number `slow` twice as long."""
        rows = self.controls(folder)
        for number, row in enumerate(rows):
            row["wall_s"] = row["cpu_s"] = 0.01 * (1 + number % 2 / 1000) * (2 if number == slow else 1)
        write_table(self.folder / folder / "control.csv", rows)

    def test_they_stand_among_the_runs_and_are_no_rows(self):
        self.run_of(EXPERIMENT, "--jobs", "1")
        rows, controls = self.rows(), self.controls()
        self.assertEqual(len(rows), 24)
        self.assertEqual([row["control"] for row in rows], [control["control_id"] for control in controls[:-1] for _ in range(4)])
        self.assertEqual([row["previous"] for row in controls], [""] + [row["control_id"] for row in controls[:-1]])
        self.assertEqual(len(controls), 7, "before the first run, after every fourth, the last of which is at the end")
        self.assertEqual({(row["solver"], row["status"]) for row in controls}, {("astar(manhattan)", "solved")}, "the baseline")
        self.assertEqual(len({(row["instance"], row["generated"]) for row in controls}), 1)
        with open(self.folder / "out" / "datapackage.json") as file:
            self.assertIn("control.csv", [resource["path"] for resource in json.load(file)["resources"]])
        self.run_it("--jobs", "1")
        self.assertEqual(self.controls(), controls, "a call without a run makes none")
        self.run_it("--jobs", "2", "--again", "solved")
        self.assertEqual({row["control"] for row in self.rows()} & {row["control_id"] for row in controls}, set())
        self.run_it("--fresh")
        self.assertNotIn(controls[0], self.controls())
        self.assertTrue((self.folder / "out" / "control.csv.1").exists())

    def test_without_the_key_there_are_none(self):
        self.run_of(EXPERIMENT.replace("control: {every: 4}\n", ""))
        self.assertFalse((self.folder / "out" / "control.csv").exists())
        self.assertNotIn("control", self.manifest())
        self.assertEqual({row["control"] for row in self.rows()}, {""})

    def test_a_program_is_never_the_control(self):
        self.write("experiment: p\ninstances: [{name: u, size: 4x4, method: uniform, count: 1}]\nsolvers: [{command: ['true']}]\n"
                   "control: {every: 1}\noutput: out\n")
        self.run_it(code=3)
        self.assertEqual({(row["solver"], row["status"], row["generated"]) for row in self.controls()},
                         {("idastar(manhattan)", "node_limit", "2000000")})

    def test_times_beside_drift_are_marked_everywhere(self):
        self.run_of(EXPERIMENT, "--jobs", "1")
        self.drift(None)
        steady = self.tilelab("compare", "out").stdout
        self.assertNotIn("?", steady)
        self.drift(2)  # the runs before and after it: 8
        shown = self.tilelab("compare", "out").stdout
        self.assertIn("Times with ?: 8 rows ran beside control runs that drifted: on ", " ".join(shown.split()))
        self.assertIn("up to 100 % longer than their median", " ".join(shown.split()))
        for line, before in zip(shown.splitlines(), steady.splitlines()):
            if line.startswith(("idastar", "astar")):
                self.assertEqual(line.replace("?", " ").split(), before.split())
                self.assertRegex(line, r"s\?  ")  # the time, and no counter
                self.assertEqual(line.count("?"), 1)
        self.assertIn("?", self.tilelab("compare", "out", "--columns", "solver,wall_s").stdout)
        self.assertNotIn("?", self.tilelab("compare", "out", "--columns", "solver,expanded").stdout.split("Note:")[0])
        for form in ("markdown", "latex", "html"):
            self.assertRegex(self.tilelab("compare", "out", "--format", form).stdout, r"s\?", form)
        self.assertRegex(self.tilelab("compare", "out", "-m", "wall_s").stdout, r"(fewer|less|shown|more|said|boards).*\?")
        drifted = {table: sum(int(row["drifted"]) for row in read_table(self.folder / "out" / f"{table}.csv")) for table in ("summary", "by_depth")}
        self.assertEqual(drifted, {"summary": 8, "by_depth": 8})
        self.assertEqual({row["drifted"] for row in read_table(self.folder / "out" / "pairs.csv") if row["metric"] == "expanded"}, {"0"})
        captions = {metric: json.dumps(json.loads(self.tilelab("plot", "out", "--only", "box", "-m", metric, "--json").stdout)) for metric in ("wall_s", "expanded")}
        self.assertIn("With times beside control runs that drifted: 8.", captions["wall_s"])
        self.assertNotIn("drifted", captions["expanded"])
        self.tilelab("report", "out", "-o", "page.html")
        self.assertIn("ran beside control runs that drifted", (self.folder / "page.html").read_text())

    def test_a_machine_that_becomes_slow_is_seen(self):
        """A program that values boards sleeps twenty times longer from its 90th call on, which it counts in a file."""
        (self.folder / "slow.py").write_text("""import os, sys, time
for header in sys.stdin:
    goal, *boards = [sys.stdin.readline().split() for _ in range(int(header.split()[2]) + 1)]
    with open("calls", "ab") as calls:
        calls.write(b".")
    time.sleep(0.06 if os.path.getsize("calls") > 90 else 0.003)
    print(*[sum(t != g and t != "0" for t, g in zip(board, goal)) for board in boards], flush=True)
""")
        self.write("experiment: s\ninstances: [{name: w, boards: [1 2 3 4 5 6 0 7 8]}]\nrepetitions: 12\nwarmup: 0\n"
                   "solvers: [{algorithm: batch_astar, heuristic: {command: [python3, slow.py]}, label: slow}]\n"
                   "control: {every: 1}\noutput: out\njobs: 1\n")
        said = self.run_it("--no-compare").stderr
        self.assertIn("control runs drifted, and times beside them have ?: on ", said)
        self.assertIn("longer than their median", said)
        self.assertGreater((self.folder / "calls").stat().st_size, 90)
        shown = self.tilelab("compare", "out").stdout
        self.assertRegex(shown, r"slow .*s\?\n")
        marked = int(re.search(r"Times with \?: (\d+) rows? ran beside", " ".join(shown.split()))[1])
        self.assertIn(marked, range(1, 12), "the runs before are as they were")
        manifest = self.manifest()
        self.assertEqual(manifest["control"], {"every": 1, "set": "w", "instance": "1", "solver": "batch_astar(slow)"})

    def test_shards_are_merged_with_theirs(self):
        self.write(EXPERIMENT)
        for shard in ("1/2", "2/2"):
            self.run_it("--shard", shard, "--jobs", "1")
        for _ in range(2):  # each control once, however often shards are merged
            self.tilelab("merge", "out")
            controls = self.controls()
            self.assertEqual(len({row["control_id"] for row in controls}), len(controls))
            self.assertLessEqual({row["control"] for row in self.rows()}, {row["control_id"] for row in controls})
        self.drift(1)
        self.assertIn("drifted", self.tilelab("compare", "out").stdout)

    def test_another_file_of_that_name_is_refused(self):
        self.run_of(EXPERIMENT)
        (self.folder / "out" / "control.csv").write_text("a,b\n1,2\n")
        self.assertIn("control.csv:1:1: no column 'control_id'", self.tilelab("compare", "out", code=2).stderr)


class Measure(Harness):
    def test_page_faults_of_searches_and_programs(self):
        """A program that takes 40 MB has as many more faults as these have pages, and a search that keeps its path has next to none."""
        self.write("experiment: m\ninstances: [{name: u, size: 3x3, method: uniform, count: 2}]\n"
                   "solvers: [idastar(manhattan), {label: big, command: [python3, big.py]}]\nlimits: {time: 20s}\njobs: 1\n"
                   "measure: [cover, page_faults]\noutput: out\n")
        (self.folder / "big.py").write_text("b = bytearray(40 << 20)\nb[::4096] = b'1' * 10240\nprint('status: stuck')\n")
        self.run_it()
        faults = {row["solver"]: int(row["page_faults"]) for row in self.rows()}
        self.assertLess(faults["idastar(manhattan)"], 200)
        self.assertGreater(faults["external(python3 big.py)"], 40 * 256)
        self.assertEqual({row["instructions"] for row in self.rows()}, {""}, "not asked for")
        manifest = self.manifest()
        self.assertEqual(manifest["measure"], ["cover", "page_faults"])
        self.assertEqual(manifest["sessions"][0]["measure"]["asked"], ["page_faults"])
        self.assertIn("verdict on page_faults", self.tilelab("compare", "out", "-m", "page_faults").stdout)

    def test_what_cannot_be_counted_is_empty_and_said_once(self):
        self.write("experiment: m\ninstances: [{name: u, size: 3x3, method: uniform, count: 3}]\nsolvers: [bfs]\n"
                   "measure: [instructions, llc_misses]\noutput: out\n")
        said = self.run_it().stderr
        session, = self.manifest()["sessions"]
        for name in ("instructions", "llc_misses"):
            counted = name in session["measure"]["counted"]
            self.assertEqual({row[name] != "" for row in self.rows()}, {counted})
            self.assertEqual(said.count(name), 0 if counted else 1)
