"""rounds.csv: what each round of a search that deepens counted, beside the rows that it belongs to, whatever happens."""

import collections
import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

from support import TILELAB
from test_run import SMALL, Harness

DEEPENING = """experiment: deepening
seed: 7
instances:
  - {name: u, size: 3x3, method: uniform, count: 6}
  - {name: solved, boards: [1 2 3 4 5 6 7 8 0, 1 2 3 4 5 6 8 7 0]}
solvers: [idastar(manhattan), "idastar(misplaced, step=parity)", "iddfs(depth_limit=9)", bfida(manhattan), astar(manhattan), rbfs(manhattan)]
limits: {time: 60s, memory: 256MiB, nodes: 3k}
rounds: true
output: out
"""


class Rounds(Harness):
    def setUp(self):
        super().setUp()
        self.rounds_file = self.folder / "out" / "rounds.csv"

    def rounds(self):
        """The rounds of each run, in the order of the file."""
        found = collections.defaultdict(list)
        with open(self.rounds_file, newline="") as file:
            for row in csv.DictReader(file):
                found[row.pop("run_id")].append({name: int(cell) for name, cell in row.items()})
        return dict(found)

    def check(self):
        """Rounds and rows fit together. Returns the rounds."""
        rounds = self.rounds()
        rows = {row["run_id"]: row for row in self.rows()}
        self.assertLessEqual(set(rounds), set(rows))
        for run_id, row in rows.items():
            own = rounds.get(run_id, [])
            deepens = row["algorithm"] in ("idastar", "iddfs", "bfida") and row["status"] != "unsolvable"
            self.assertEqual([found["round"] for found in own], list(range(1, len(own) + 1)), row)
            self.assertEqual(len(own), int(row["iterations"]) if deepens else 0, row)
            for counter in ("expanded", "generated") if deepens else ():
                self.assertEqual(sum(found[counter] for found in own), int(row[counter]), row)
        return rounds

    def test_the_manual_names_who_has_rounds(self):
        listed = lambda what: json.loads(self.tilelab("list", what, "--json").stdout)
        solvers = [row["algorithm"].replace("(H)", "(manhattan)") for row in listed("algorithms")]
        names = [solver.split("(")[0] for solver in solvers]
        self.write(f"experiment: all\nwarmup: 0\ninstances: [{{name: b, boards: [[14 1 9 6, 4 8 12 5, 7 2 3 0, 10 11 13 15]], goal: blank-first}}]\n"
                   f"solvers: {json.dumps(solvers)}\nlimits: {{nodes: 1M, memory: 1MiB}}\nrounds: true\noutput: out\n")
        self.run_it()
        found = {row["algorithm"] for row in self.rows() if row["run_id"] in self.rounds()}
        help, = (row["meaning"] for row in listed("keys") if row["key"] == "rounds")
        self.assertEqual(found, set(re.findall(r"\w+", help)) & set(names))

    def test_the_sums_are_the_runs_counters(self):
        self.run_of(DEEPENING, "--jobs", "1")
        rounds = self.check()
        rows = self.rows()
        self.assertLessEqual({"solved", "node_limit", "exhausted", "unsolvable"}, {row["status"] for row in rows})
        for row in rows:
            thresholds = [own["threshold"] for own in rounds.get(row["run_id"], [])]
            if row["solver"] == "idastar(manhattan)" and thresholds:
                self.assertEqual(thresholds, list(range(int(row["h_start"]), thresholds[-1] + 1, 2)))
            if row["solver"] == "iddfs(depth_limit=9)" and thresholds:
                self.assertEqual(thresholds, list(range(len(thresholds))))
            if row["status"] == "solved" and thresholds:
                self.assertEqual(thresholds[-1], int(row["length"]))
        # Any number of jobs gives the same.
        shutil.rmtree(self.folder / "out")
        self.run_it("--jobs", "5")
        self.assertEqual(self.check(), rounds)
        # Up to a round they count what the search counts that ends with it.
        board, goal = "2 8 3 1 6 4 7 0 5", "1 2 3 8 0 4 7 6 5"
        self.write(f"experiment: one\ninstances: [{{name: b, boards: [{board}], goal: {goal}}}]\n"
                   "solvers: [iddfs]\nlimits: {time: 60s}\nrounds: true\noutput: out\n")
        self.run_it("--fresh")
        own, = self.check().values()
        self.assertEqual(len(own), 6)
        expanded = generated = 0
        for found in own:
            expanded += found["expanded"]
            generated += found["generated"]
            solver = f"iddfs(depth_limit={found['threshold']})"
            seen = json.loads(self.tilelab("solve", "--json", "-s", solver, "-g", goal, board, code=None).stdout)
            self.assertEqual((seen["expanded"], seen["generated"]), (expanded, generated))

    def test_they_are_asked_for(self):
        self.run_of(DEEPENING.replace("rounds: true\n", ""))
        self.assertFalse(self.rounds_file.exists())
        # Later they are missed.
        done = self.run_it("--set", "rounds=true")
        several = [row for row in self.rows() if int(row["iterations"]) > 1]
        self.assertIn(f"tilelab: {len(several)} runs that are there already have no rounds: made without them, or to be made again by a call "
                      "that ended early; --again with their statuses or --fresh makes them again\n", done.stderr)
        self.run_it("--set", "rounds=true", "--fresh")
        self.assertNotIn("no rounds", self.run_it("--set", "rounds=true").stderr)
        self.check()
        package = json.loads((self.folder / "out" / "datapackage.json").read_text())
        self.assertEqual([table["name"] for table in package["resources"]], ["runs", "rounds"])

    def test_rounds_without_a_row_are_taken_out_and_made_again(self):
        self.run_of(DEEPENING)
        whole = self.check()
        rows = self.rows_file.read_text().splitlines(keepends=True)
        gone = next(i for i, line in enumerate(rows) if line.split(",")[0] in whole)
        run_id = rows[gone].split(",")[0]
        count = len(whole[run_id])
        # A call that was killed before it wrote the row, and one in the middle of the rounds.
        for torn in ("", run_id, f"{run_id},1,3", f"{run_id},1,3,4,5"):
            self.rows_file.write_text("".join(rows[:gone] + rows[gone + 1:]))
            self.rounds_file.write_text(self.rounds_file.read_text() + torn)
            done = self.run_it()
            lines = count + (torn != "")
            self.assertIn(f"tilelab: {lines} row{'s' if lines > 1 else ''} of out/rounds.csv that no row of runs.csv has "
                          f"{'were' if lines > 1 else 'was'} taken out\n", done.stderr)
            self.assertEqual(self.check(), whole)
        # Also by a call that keeps none.
        self.rows_file.write_text("".join(rows[:gone] + rows[gone + 1:]))
        self.run_it("--set", "rounds=false")
        self.assertNotIn(run_id, self.rounds())

    def test_fresh_sets_them_aside(self):
        self.run_of(DEEPENING)
        text = self.rounds_file.read_text()
        self.assertIn("the earlier rows of rounds.csv are set aside in out/rounds.csv.1\n", self.run_it("--fresh").stderr)
        self.assertEqual((self.folder / "out" / "rounds.csv.1").read_text(), text)
        self.check()

    def test_a_file_that_is_not_ours(self):
        self.run_of(DEEPENING)
        self.rounds_file.write_text("mine\n")
        self.assertIn("out/rounds.csv: it is not one that tilelab wrote; move it away", self.run_it(code=2).stderr)
        self.run_it("--set", "rounds=false")
        self.assertEqual(self.rounds_file.read_text(), "mine\n")

    def test_a_full_disk_leaves_no_row_without_rounds(self):
        # So many rounds that their file is full before that of the rows.
        self.run_of(re.sub("solvers: .*", "solvers: [iddfs]", DEEPENING).replace("count: 6", "count: 90").replace("3k", "30k"))
        whole = self.check()
        rows = self.without_times()
        self.assertGreater(self.rounds_file.stat().st_size, 1.5 * self.rows_file.stat().st_size)
        for blocks in (20, 25, 30):  # of 1,024 bytes each, in bash
            shutil.rmtree(self.folder / "out")
            done = subprocess.run(["bash", "-c", f"ulimit -f {blocks}; exec \"$@\"", "bash",
                                   TILELAB, "run", "experiment.yaml", "--no-compare"],
                                  cwd=self.folder, text=True, capture_output=True, timeout=300)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("rows cannot be written to out/rounds.csv: ", done.stderr)
            written = set(self.rounds()) if self.rounds_file.exists() else set()
            self.assertLessEqual({row["run_id"] for row in self.rows() if row["algorithm"] in ("idastar", "iddfs") and
                                  row["status"] != "unsolvable"}, written)
            self.run_it()
            self.assertEqual((self.check(), self.without_times()), (whole, rows))

    def test_kills_at_random_moments(self):
        chance = random.Random(20261122)
        self.run_of(DEEPENING.replace("count: 6", "count: 40").replace("3k", "100k"), "--jobs", "2")
        whole = self.check()
        for _ in range(60 if os.environ.get("TILELAB_LONG") else 4):
            shutil.rmtree(self.folder / "out")
            for _ in range(3):
                process = self.start("--jobs", "2", "--no-compare")
                time.sleep(chance.uniform(0.0, 0.15))
                process.send_signal(signal.SIGKILL)
                process.communicate(timeout=120)
            self.run_it("--jobs", "2")
            self.assertEqual(self.check(), whole)

    def test_searches_that_do_not_deepen_have_none(self):
        self.run_of(SMALL, "--set", "rounds=true")
        self.assertFalse(self.rounds_file.exists())


COVERS = """experiment: covers
instances:
  - {name: u, size: 3x3, method: uniform, count: 3}
  - {name: near, boards: [1 2 3 4 5 6 7 8 0, 1 2 3 4 5 6 8 7 0]}
  - {name: large, size: 4x4, method: walk, steps: 8, count: 1}
solvers: [nbs(manhattan), bibfs, "astar(pdb:1.2.3/4.5.6/7.8)", "mm(misplaced, side=smaller)"]
measure: [cover]
output: out
"""


class Covers(Harness):
    def test_the_column_is_what_predict_says(self):
        self.run_of(COVERS.replace("  - {name: large, size: 4x4, method: walk, steps: 8, count: 1}\n", ""), "--jobs", "2")
        rows = self.rows()
        said = {}
        self.assertEqual(len(rows), 5 * 4)
        for row in rows:
            heuristic = row["heuristic"] or "zero"
            if row["status"] == "unsolvable" or heuristic.startswith("pdb"):
                self.assertEqual(row["cover"], "", row)
                continue
            asked = ("-H", heuristic, row["start"])
            if asked not in said:
                said[asked] = json.loads(self.tilelab("predict", "cover", "--json", *asked).stdout)["cover"][0]["cover_e1"]
            self.assertEqual(int(row["cover"]), said[asked], row)
            self.assertGreaterEqual(int(row["expanded"]), int(row["cover"]), row)
        with open(self.folder / "out" / "manifest.json") as file:
            self.assertEqual(json.load(file)["measure"], ["cover"])

    def test_large_boards_and_experiments_that_do_not_ask_have_none(self):
        for text in (COVERS.replace("measure: [cover]\n", ""), COVERS.replace("  - {name: u, size: 3x3, method: uniform, count: 3}\n", "")):
            text = text.replace(', "astar(pdb:1.2.3/4.5.6/7.8)"', "")
            self.write(text if "measure" in text else text.replace("  - {name: large, size: 4x4, method: walk, steps: 8, count: 1}\n", ""))
            self.run_it("--fresh")
            for row in self.rows():
                if row["width"] == "4" or "measure" not in text:
                    self.assertEqual(row["cover"], "", row)
