"""Published figures of 15-puzzle heuristics (tests/published/additive_pdb.csv) against ours, over 1,000 random boards each.

Both are samples: a mean may differ by what two samples differ, three standard errors of the difference at most. The
published row 5-5-5 says "(+reflection)"; its figures are those of our 5-5-5 without, and of no split of the tiles into
connected groups with reflection, so it is compared with ours without. The means of h take seconds, all but those of
7-8; with TILELAB_LONG=1 the nodes and 7-8 as well, in minutes."""
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import unittest

from support import Case

ROOT = pathlib.Path(os.environ["TILELAB_SOURCE"])
PROGRAM = os.environ["TILELAB"]
LONG = os.environ.get("TILELAB_LONG") == "1"
BOARDS = 1000

# Ours, and the published rows that speak of it.
OURS = {
    "manhattan": ["Manhattan"],
    "linear_conflict": ["Linear conflict"],
    "pdb:5-5-5": ["5-5-5 (+reflection)", "Static 5-5-5"],
    "pdb:6-6-3:reflect": ["6-6-3 (+reflection)", "Static 6-6-3"],
    "pdb:7-8": ["7-8 packed no reflection"],
    "pdb:7-8:reflect": ["7-8 (+reflection)", "7-8 packed + reflection", "Static 7-8"],
}


def published():
    """{row: [(mean h, mean nodes), ..]}"""
    rows = {}
    with open(ROOT / "tests" / "published" / "additive_pdb.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["mean_h"]:
                rows.setdefault(row["heuristic"], []).append((float(row["mean_h"]), float(row["mean_nodes"])))
    return rows


class Published(Case):
    def near(self, ours, error, theirs, what):
        """Two means of samples of one size from one population."""
        z = (ours - theirs) / (error * math.sqrt(2))
        print(f"{what}: {ours:.6g} +- {error:.3g}, published {theirs:.6g}: {z:+.1f} standard errors")
        self.assertLess(abs(z), 3, what)

    def test_mean_h(self):
        heuristics = [heuristic for heuristic in OURS if LONG or not heuristic.startswith("pdb:7-8")]
        done = subprocess.run([PROGRAM, "verify", "heuristics", "--size", "4x4", "--goal", "blank-first", "--boards", str(BOARDS),
                               "--seed", "2026", "--json", *heuristics], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = published()
        for found in json.loads(done.stdout):
            self.assertEqual(found["boards"], BOARDS)
            for name in OURS[found["heuristic"]]:
                for mean, _ in rows[name]:
                    self.near(found["mean"], found["standard_error"], mean, f"h, {found['heuristic']}")

    @unittest.skipUnless(LONG, "minutes; TILELAB_LONG=1")
    def test_mean_nodes(self):
        solvers = [f"idastar({heuristic})" for heuristic in OURS if heuristic != "manhattan"]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "experiment.yaml")
            file.write_text(json.dumps({
                "experiment": "published", "seed": 2026, "solvers": solvers, "limits": {"time": "1h"}, "output": f"{folder}/out",
                "instances": [{"name": "generated", "size": "4x4", "count": BOARDS, "goal": "blank-first"}]}))
            done = subprocess.run([PROGRAM, "run", file, "--quiet", "--no-compare"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(pathlib.Path(folder, "out", "runs.csv"), newline="", encoding="utf-8") as rows:
                nodes = {}
                for row in csv.DictReader(rows):
                    self.assertEqual(row["status"], "solved")
                    nodes.setdefault(row["heuristic"], []).append(int(row["generated"]))
        rows = published()
        for heuristic, counts in nodes.items():
            error = statistics.stdev(counts) / math.sqrt(len(counts))
            for name in OURS[heuristic]:
                for _, mean in rows[name]:
                    self.near(statistics.fmean(counts), error, mean, f"nodes, {heuristic}")

    @unittest.skipUnless(LONG, "a minute; TILELAB_LONG=1")
    def test_24_puzzles(self):
        """The nodes of five of Korf and Felner's boards, to the last digit; they do not count the root."""
        with open(ROOT / "instances" / "sets" / "korf24_50.csv", newline="", encoding="utf-8") as file:
            rows = {row["id"]: row for row in csv.DictReader(line for line in file if not line.startswith("#"))}
        for name in ("25", "32", "38", "40", "44"):
            done = subprocess.run([PROGRAM, "solve", "-s", "idastar(pdb:6-6-6-6:reflect)", "-g", "blank-first", "--json",
                                   rows[name]["start"]], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            self.assertEqual(found["length"], int(rows[name]["optimal_length"]))
            self.assertEqual(found["generated"] - 1, int(rows[name]["ida_generated_published"]))


if __name__ == "__main__":
    unittest.main()
