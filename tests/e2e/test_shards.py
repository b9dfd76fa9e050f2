"""An experiment on more than one machine: run --shard, merge and status, whatever happens to a shard on the way."""

import csv
import hashlib
import io
import itertools
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from support import read_table
from test_rows import row_hash
from test_run import FAULTY, SMALL, SMALL_ROWS, SLOW, TILELAB, Harness

LONG = "TILELAB_LONG" in os.environ
DEEPENING = SMALL.replace("  - dfs\n", "  - idastar(manhattan)\n").replace("output: out\n", "output: out\nrounds: true\n")


class Shards(Harness):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def shard(self, which, *words, code=0, **named):
        return self.tilelab("run", "experiment.yaml", "--shard", which, *words, code=code, **named)

    def merge(self, *words, code=0, **named):
        return self.tilelab("merge", "out", *words, code=code, **named)

    def status(self, *words):
        return json.loads(self.tilelab("status", "out", "--json", *words).stdout)

    def file_of(self, which, name="runs.csv"):
        return self.out / "shards" / which.replace("/", "-of-") / name

    def whole(self):
        """The rows and rounds of the experiment as one machine makes them, in another folder."""
        self.tilelab("run", "experiment.yaml", "-n", "-q", "-o", "whole")
        self.rows_file, ours = self.folder / "whole" / "runs.csv", self.rows_file
        rows = self.without_times()
        self.rows_file = ours
        rounds = self.folder / "whole" / "rounds.csv"
        return rows, sorted(rounds.read_text().splitlines()) if rounds.exists() else None

    def read(self, path):
        return read_table(path)

    def ids_of_shards(self):
        return [row["run_id"] for path in self.out.glob("shards/*/runs.csv") for row in self.read(path)]

    def contents(self):
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self.out.iterdir() if path.is_file()}

    def edit(self, path, line, **changes):
        """Other cells in a row (its line from 1), with a row_hash that fits. Returns the new line."""
        lines = path.read_text().splitlines()
        header = lines[0].split(",")
        cells = next(csv.reader([lines[line - 1]]))
        for name, value in changes.items():
            self.assertNotEqual(cells[header.index(name)], value)
            cells[header.index(name)] = value
        cells[-1] = row_hash(cells)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(cells)
        lines[line - 1] = text.getvalue().rstrip("\n")
        path.write_text("".join(f"{each}\n" for each in lines))
        return lines[line - 1]

    def add(self, path, line):
        """A line at the end of a table. Returns its number."""
        with open(path, "a") as file:
            file.write(f"{line}\n")
        return len(path.read_text().splitlines())


class Whole(Shards):
    def test_shards_make_the_rows_of_one_machine(self):
        self.write(DEEPENING)
        rows, rounds = self.whole()
        # All at once, in a folder that none of them finds: who is first does not matter.
        shards = [self.start("--shard", f"{k}/3", "--quiet") for k in (1, 2, 3)]
        for shard in shards:
            self.assertEqual((shard.wait(), shard.stderr.read(), shard.stdout.read()), (0, "", ""))
        self.assertFalse(self.rows_file.exists())
        self.assertEqual([self.status()[key] for key in ("runs", "done", "merged")], [SMALL_ROWS, SMALL_ROWS, 0])
        done = self.merge()
        self.assertIn(f"{SMALL_ROWS} of {SMALL_ROWS} runs, of 3 shards, are in out/runs.csv", done.stderr)
        self.assertEqual(self.without_times(), rows)
        self.assertEqual(sorted((self.out / "rounds.csv").read_text().splitlines()), rounds)
        # In the order of the matrix, whoever made them.
        numbers = [line.split("\t") for line in self.tilelab("plan", "--runs", "experiment.yaml").stdout.splitlines()]
        numbers = [tuple(cells[1:]) for cells in sorted(numbers, key=lambda cells: int(cells[0]))]
        self.assertEqual([tuple(row[name] for name in ("set", "instance", "solver", "repetition")) for row in self.rows()],
                         numbers)
        # Solvers meet on an instance on one machine.
        shards = {}
        for k in (1, 2, 3):
            for row in self.read(self.file_of(f"{k}/3")):
                shards.setdefault((row["set"], row["instance"], row["repetition"]), set()).add(k)
        self.assertEqual({len(own) for own in shards.values()}, {1})
        # Once more: byte for byte the same.
        before = self.contents()
        self.merge("-q")
        self.assertEqual(self.contents(), before)
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertEqual(sorted(session["shard"] for session in manifest["sessions"]), ["1/3", "2/3", "3/3"])
        self.assertEqual(manifest["finished_at"], max(row["finished_at"] for row in self.rows()))
        # Nothing is left to do, and the comparison is at home there.
        self.assertIn(f"{SMALL_ROWS} of them are done already", self.run_it().stderr)
        self.assertIn("astar(manhattan)", self.tilelab("compare", "out").stdout)
        self.assertEqual(self.contents()["runs.csv"], before["runs.csv"])
        self.assertEqual(self.status()["states"]["done"], 3)

    def test_another_number_of_shards_goes_on(self):
        self.write(SMALL)
        rows, _ = self.whole()
        self.shard("1/3", "-q")
        self.shard("2/3", "-q")
        done = self.shard("1/2")
        made = len(self.file_of("1/3").read_text().splitlines()) + len(self.file_of("2/3").read_text().splitlines()) - 2
        self.assertRegex(done.stderr, r"\d+ runs of shard 1/2 have rows elsewhere in out")
        self.merge("-q", code=3)
        self.shard("2/2", "-q")
        ids = self.ids_of_shards()
        self.assertEqual((len(ids), len(set(ids))), (SMALL_ROWS, SMALL_ROWS), "a run was made twice")
        self.assertGreater(made, 0)
        # The last runs come from a call without shards.
        shutil.rmtree(self.out / "shards" / "2-of-2")
        self.merge("-q", code=3)
        self.run_it("-q")
        self.merge("-q")
        self.assertEqual(self.without_times(), rows)
        # And what a larger experiment adds is found among shards of the same number.
        self.write(SMALL.replace("count: 4", "count: 5"))
        for k in (1, 2):
            self.shard(f"{k}/2", "-q")
        self.merge("-q")
        self.assertEqual(len(self.without_times()), SMALL_ROWS + 12)
        ids = self.ids_of_shards()
        self.assertEqual(len(ids), len(set(ids)), "a run was made twice")

    def test_more_shards_than_instances(self):
        self.write(SMALL.replace("repetitions: 2", "repetitions: 1"))
        rows, _ = self.whole()
        for k in range(1, 51):  # 48 runs
            done = self.shard(f"{k}/50", "-n")
        self.assertIn("on different hosts their times do not compare", done.stderr)
        self.assertIn("shard 50/50: 0 of 48 runs (8 instances", done.stderr)
        self.merge("-q")
        self.assertEqual(self.without_times(), rows)
        shown = self.tilelab("status", "out").stdout
        self.assertIn("50 shards: 50 done\n46 solved, 2 node_limit\n50 shards are not listed; --all lists them\n", shown)
        self.assertEqual(len(self.tilelab("status", "--all", "out").stdout.splitlines()), 53)
        self.assertTrue(all(len(line) <= 80 for line in shown.splitlines()))

    def test_a_cold_cache_of_tables(self):
        self.write("experiment: tables\ninstances: [{name: u, size: 3x3, method: uniform, count: 6}]\nwarmup: 0\n"
                   "solvers: [\"astar(pdb:4-4)\"]\nlimits: {time: 60s}\noutput: out\n")
        shards = [subprocess.Popen([TILELAB, "run", "experiment.yaml", "--shard", f"{k}/4", "-q", "--pdb-dir", "tables"],
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True) for k in (1, 2, 3, 4)]
        for shard in shards:
            _, errors = shard.communicate(timeout=300)
            self.assertEqual(shard.returncode, 0, errors)
        self.merge("-q")
        self.assertEqual({row["status"] for row in self.rows()}, {"solved"})
        self.assertRegex(self.tilelab("pdb", "check", "--pdb-dir", "tables").stdout,
                         r"\A(tables/\S+\.pdb is whole\n){2,}\Z")
        self.assertEqual([path.name for path in (self.folder / "tables").iterdir() if path.name.endswith(".part")], [])


# One board, of which the last rounds are large enough to be counted in 8 parts, and one that is not shared.
ONE = """experiment: one
warmup: 0
instances:
  - {name: b, boards: [5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6], goal: blank-first}
solvers: [idastar(manhattan), astar(manhattan)]
limits: {time: 100s, memory: 256MiB, nodes: 100M}
split: 8
rounds: true
jobs: 1
output: out
"""


class Shared(Shards):
    def sums(self):
        """The files with the counts of whole rounds, and when they were written."""
        return {path.name: path.stat().st_mtime_ns for path in self.out.glob("parts/*/*/*.round")}

    def test_a_shard_without_runs_shares_those_of_the_others(self):
        """Shard 3 has no run, and counts all of the search; shard 1 takes that over, and has the row of one machine."""
        self.write(ONE)
        rows, rounds = self.whole()
        self.assertFalse((self.folder / "whole/parts").exists())
        self.assertIn("shared the searches of 1 run of other shards", self.shard("3/3").stderr)
        self.assertEqual(self.read(self.file_of("3/3")), [])
        sums = self.sums()
        self.assertGreater(len(sums), 1)
        self.shard("1/3", "-q")
        self.shard("2/3", "-q")
        self.assertEqual(self.sums(), sums)
        sessions = len(json.loads(self.file_of("3/3", "manifest.json").read_text())["sessions"])
        self.shard("3/3", "-q")  # the row is there: nothing is left to share
        self.assertEqual(len(json.loads(self.file_of("3/3", "manifest.json").read_text())["sessions"]), sessions)
        (self.out / "parts/mine").write_text("mine")
        self.merge("-q")
        self.assertEqual(self.without_times(), rows)
        self.assertEqual(sorted((self.out / "rounds.csv").read_text().splitlines()), rounds)
        self.assertEqual([path.name for path in (self.out / "parts").iterdir()], ["mine"])
        self.assertNotIn("shared", self.shard("3/3").stderr)  # nor is there after the merge
        self.assertEqual(self.sums(), {})

    def test_a_search_without_large_rounds_is_not_repeated(self):
        self.write(ONE.replace("split: 8", "split: 100000"))
        self.shard("2/3", "-q")
        self.assertEqual(len(list(self.out.glob("parts/*/*/done"))), 1)  # for those that run now
        shutil.rmtree(self.out / "parts")
        self.assertNotIn("shared", self.shard("3/3").stderr)

    def test_shards_that_share_a_search_are_killed(self):
        chance = random.Random(11)
        self.write(ONE.replace(", astar(manhattan)", ""))
        rows, rounds = self.whole()
        for trial in range(LONG and 100 or 8):
            shards = [subprocess.Popen([TILELAB, "run", "experiment.yaml", "--shard", f"{k}/3", "-q"],
                                       cwd=self.folder, stderr=subprocess.DEVNULL) for k in (1, 2, 3)]
            for shard in shards:
                time.sleep(chance.uniform(0, 0.05))
                shard.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM]))
            for shard in shards:
                shard.wait()
        self.shard("1/3", "-q")
        self.merge("-q")
        self.assertEqual(self.without_times(), rows)
        self.assertEqual(sorted((self.out / "rounds.csv").read_text().splitlines()), rounds)

    def test_a_shard_that_only_helps_is_running(self):
        self.write(ONE.replace(", astar(manhattan)", "").replace("idastar(manhattan)", "idastar(zero)"))
        with subprocess.Popen([TILELAB, "run", "experiment.yaml", "--shard", "3/3", "-q"], cwd=self.folder, stderr=subprocess.DEVNULL) as helper:
            self.wait_until(lambda: list(self.out.glob("parts/*/*")), "there is a part")
            states = [shard["state"] for shard in json.loads(self.tilelab("status", "--json", "out").stdout)["shards"]]
            helper.send_signal(signal.SIGKILL)
        self.assertEqual(states, ["not started", "done", "running"])

    def test_a_folder_that_cannot_be_shared(self):
        self.write(ONE)
        self.shard("3/3", "-q")
        shutil.rmtree(self.out / "parts")
        (self.out / "parts").write_text("mine")
        self.assertIn("out/parts/", self.shard("1/3", "-q", code=1).stderr)
        self.assertEqual((self.out / "parts").read_text(), "mine")


class Asked(Shards):
    """What is typed, and what the folder is."""

    def test_wrong_usage(self):
        self.write(SMALL)
        for wrong in ("4/3", "0/3", "3", "1/0", "a/b", "1/3/5"):
            done = self.shard(wrong, code=2)
            self.assertIn(f"--shard {wrong}: expected K/N", done.stderr)
        self.assertFalse(self.out.exists())
        self.assertIn("expected a results folder", self.tilelab("merge", code=2).stderr)
        self.assertIn("nothere/manifest.json does not exist", self.tilelab("merge", "nothere", code=2).stderr)
        self.assertIn("nothere/manifest.json does not exist", self.tilelab("status", "nothere", code=2).stderr)
        self.assertFalse((self.folder / "nothere").exists())
        self.run_it("-q")
        self.assertIn("out has no shards", self.merge(code=2).stderr)
        self.assertIn(" 0 missing; 0 shards\n", self.tilelab("status", "out").stdout)
        # Somebody else's folder is no place for shards.
        strange = self.folder / "strange"
        strange.mkdir()
        (strange / "thesis.tex").write_text("x")
        done = self.shard("1/2", "-o", "strange", code=2)
        self.assertIn("strange is not a results folder: it holds thesis.tex", done.stderr)
        self.assertEqual([path.name for path in strange.iterdir()], ["thesis.tex"])

    def test_plan_says_what_shards_do(self):
        self.write(SMALL)
        plan = json.loads(self.tilelab("plan", "experiment.yaml", "--shards", "5", "--json").stdout)
        self.assertEqual([shard["shard"] for shard in plan["shards"]], [f"{k}/5" for k in range(1, 6)])
        self.assertEqual(sum(shard["runs"] for shard in plan["shards"]), SMALL_ROWS)
        for k, shard in enumerate(plan["shards"], 1):
            self.shard(f"{k}/5", "-q")
            self.assertEqual(len(self.file_of(f"{k}/5").read_text().splitlines()) - 1, shard["runs"])
        shown = self.tilelab("plan", "experiment.yaml", "--shards", "5").stdout
        self.assertIn("5 shards of 18 to 24 runs (mean 19.20), at worst", shown)
        self.assertIn("--shards x: expected a whole number", self.tilelab("plan", "experiment.yaml", "--shards", "x", code=2).stderr)
        self.write(ONE.replace("idastar(manhattan), astar(manhattan)", f"'idastar(manhattan, threads={len(os.sched_getaffinity(0))})'"))
        self.assertEqual(*(json.loads(self.tilelab("plan", "experiment.yaml", "--shards", "2", "--set", "repetitions=8", "--set", f"jobs={jobs}",
                                                   "--json").stdout)["shards"] for jobs in "12"))  # no two fit at once

    def test_a_call_without_shards_makes_none_of_theirs_again(self):
        self.write(SMALL)
        self.shard("1/4", "-q")
        before = self.file_of("1/4").read_bytes()
        done = self.run_it(code=2)
        self.assertIn("out/shards holds the rows of 24 runs that runs.csv does not; first tilelab merge out", done.stderr)
        self.assertIn("--fresh: out/shards has rows of its own", self.run_it("--fresh", code=2).stderr)
        self.assertEqual(self.file_of("1/4").read_bytes(), before)
        # A file without rows, as a merge that is refused leaves, counts for nothing.
        (self.out / "runs.csv").write_bytes(before[:before.index(b"\n") + 1])
        self.shard("1/4", "--fresh", "-q")
        before = self.file_of("1/4").read_bytes()
        self.merge("-q", code=3)
        for k in ("1/4", "2/4"):  # merged rows count: none would be made afresh
            self.assertIn("--fresh: out/runs.csv has the rows of earlier merges", self.shard(k, "--fresh", code=2).stderr)
        self.assertIn("--fresh: out/shards has rows of its own", self.shard("1/3", "--fresh", code=2).stderr)
        self.assertEqual(self.file_of("1/4").read_bytes(), before)
        self.assertIn("24 of them are done already", self.run_it().stderr)

    def test_a_shard_of_other_settings_says_so(self):
        self.write(SMALL)
        said = "earlier shards in out are of other runs"
        self.assertNotIn(said, self.shard("1/4").stderr)
        self.assertNotIn(said, self.shard("2/4").stderr)
        self.assertIn(said, self.shard("3/4", "--set", "limits.time=9s").stderr)
        self.assertIn("under other limits", self.merge(code=2).stderr)
        self.assertIn("are of none of these runs", self.tilelab("status", "out").stdout)

    def test_from_the_folder_alone(self):
        os.makedirs(self.folder / "elsewhere" / "boards")
        (self.folder / "elsewhere" / "boards" / "b.txt").write_text("2 1 3 4 5 6 7 8 0\n1 2 3 4 5 6 0 7 8\n2 8 3 1 6 4 7 0 5\n")
        self.write("experiment: own\ninstances: [{name: b, file: boards/b.txt}]\nsolvers: [astar(manhattan)]\nwarmup: 0\n",
                   "elsewhere/e.yaml")
        self.tilelab("run", "elsewhere/e.yaml", "--shard", "1/2", "-o", "out", "--set", "limits.nodes=5000", "-q")
        for cwd in (self.folder / "elsewhere", self.folder, "/"):
            done = self.tilelab("merge", str(self.out), code=3, cwd=cwd)
            self.assertIn("1 run is missing: 1 of shard 2/2", done.stderr)
            self.assertIn("2 done, 0 failed, 1 missing", self.tilelab("status", str(self.out), cwd=cwd).stdout)
        # The experiment that changes later changes nothing here.
        (self.folder / "elsewhere" / "e.yaml").write_text("nonsense: [")
        self.merge("-q", code=3)
        (self.folder / "elsewhere" / "boards" / "b.txt").unlink()
        for command in ("merge", "status"):
            errors = self.tilelab(command, "out", code=2).stderr
            self.assertIn(f"{self.folder}/elsewhere/boards/b.txt' cannot be read", errors)
            self.assertIn("which runs it has cannot be told", errors)

    def test_what_is_missing_is_said(self):
        self.write(SMALL)
        self.shard("2/5", "-q")
        self.shard("4/5", "-q")
        for command in ("compare", "report", "plot"):
            self.assertIn("the rows are in shards: first tilelab merge out", self.tilelab(command, "out", code=2).stderr)
        done = self.merge(code=3)
        self.assertIn(f"{SMALL_ROWS - 36} runs are missing: ", done.stderr)
        self.assertRegex(done.stderr, r"\d+ of shard 1/5, \d+ of shard 3/5, \d+ of shard 5/5\n")
        self.assertIn("and 55 more\n", done.stderr)
        told = json.loads(self.merge("--json", "-q", code=3).stdout)
        self.assertEqual((told["runs"], told["rows"], told["missing"], told["exit_code"]), (SMALL_ROWS, 36, 60, 3))
        self.assertEqual(len(told["missing_runs"]), 60)
        self.assertEqual({run["shard"] for run in told["missing_runs"]}, {"1/5", "3/5", "5/5"})
        have = {row["run_id"] for row in self.rows()}
        self.assertFalse(have & {run["run_id"] for run in told["missing_runs"]})
        self.assertIsNone(json.loads((self.out / "manifest.json").read_text()).get("finished_at"))
        status = self.status()
        self.assertEqual([(shard["state"], shard["missing"] == 0) for shard in status["shards"]],
                         [("not started", False), ("done", True)] * 2 + [("not started", False)])


class Manifest(Shards):
    """A manifest of shards that is not what tilelab wrote."""

    def setUp(self):
        super().setUp()
        self.write(DEEPENING)
        self.shard("1/2", "-q")
        self.file = self.out / "manifest.json"
        self.good = self.file.read_text()

    def test_an_impossible_number_of_shards(self):
        for number in "-1", "0", "1000001", "99999999999", "2.5", '"2"', "null":
            self.file.write_text(self.good.replace('"shards": 2', f'"shards": {number}'))
            for command in "status", "merge":
                self.assertIn(f'out/manifest.json: "shards" is {number}; expected a whole number from 1 to 1000000\n',
                              self.tilelab(command, "out", code=2).stderr)

    def test_a_truncated_one(self):
        self.file.write_text(self.good[:300])
        for command in "status", "merge":
            self.assertRegex(self.tilelab(command, "out", code=2).stderr, r"out/manifest.json: line \d+: .*end of input")
        errors = self.shard("2/2").stderr
        self.assertRegex(errors, r"out/manifest.json cannot be used: line \d+: .*end of input")
        self.assertIn("it is set aside in out/manifest.json.1", errors)
        self.assertEqual((self.out / "manifest.json.1").read_text(), self.good[:300])
        self.merge()


class Rows(Shards):
    """Rows that are not what they should be."""

    def setUp(self):
        super().setUp()
        self.write(DEEPENING)
        for k in (1, 2):
            self.shard(f"{k}/2", "-q")
        self.one, self.two = self.file_of("1/2"), self.file_of("2/2")

    def refused(self, *expected):
        """A merge is refused in these words, and changes nothing that was there."""
        before = self.contents()
        errors = self.merge(code=2).stderr
        for words in expected:
            self.assertIn(words, errors)
        self.assertIn("nothing was merged", errors)
        before.setdefault("runs.csv", hashlib.sha256(self.one.read_bytes().split(b"\n")[0] + b"\n").hexdigest())
        self.assertEqual(self.contents(), before)
        self.assertEqual(json.loads(self.merge("--json", code=2).stdout)["exit_code"], 2)

    def row(self, path, **cells):
        """The line of the first row with these cells, and the row."""
        for number, row in enumerate(self.read(path), 2):
            if all(row[name] == value for name, value in cells.items()):
                return number, row
        return self.fail("no such row")

    def test_contradictions_name_both(self):
        number, row = self.row(self.one, solver="bfs", status="solved")
        line = self.one.read_text().splitlines()[number - 1]
        copy = self.add(self.two, line)
        self.merge("-q")  # the same row twice is one
        before = self.contents()
        self.edit(self.two, copy, expanded=str(int(row["expanded"]) - 1))
        where = f"out/shards/1-of-2/runs.csv:{number} and out/shards/2-of-2/runs.csv:{copy}: bfs on {row['set']}/{row['instance']}"
        self.refused(where, f"expanded is '{row['expanded']}' and '{int(row['expanded']) - 1}'", "the rows contradict each other")
        self.assertEqual(self.contents(), before)
        self.edit(self.two, copy, expanded=row["expanded"], status="wrong_answer", length="", moves="")
        self.refused(where, "status is 'solved' and 'wrong_answer'")

    def test_the_run_that_started_first_counts(self):
        number, row = self.row(self.one, solver="astar(manhattan)", status="solved", repetition="1")
        self.assertEqual(row["finished_at"][:2], "20")
        copy = self.add(self.two, self.one.read_text().splitlines()[number - 1])
        for finished, wall, expected in (("2001-01-01T00:00:10Z", "0.5", "2001-01-01T00:00:10Z"),
                                         ("2099-01-01T00:00:10Z", "0.5", row["finished_at"])):
            self.edit(self.two, copy, finished_at=finished, wall_s=wall + ("1" if wall == self.cell(copy, "wall_s") else ""))
            done = self.merge()
            self.assertIn("1 run was made more than once", done.stderr)
            self.assertEqual(self.find(row["run_id"])["finished_at"], expected)
            (self.out / "runs.csv").unlink()
        # How long it took does not decide, and neither does how it ended.
        self.edit(self.two, copy, finished_at="2001-01-01T00:00:40Z", wall_s="30.000000000", cpu_s="30", status="time_limit",
                  length="", moves="")
        self.edit(self.one, number, finished_at="2001-01-01T00:00:20Z", wall_s="1.000000000")
        before = None
        for _ in range(3):
            errors = self.merge().stderr
            self.assertIn(f"out/shards/1-of-2/runs.csv:{number} and out/shards/2-of-2/runs.csv:{copy}: astar(manhattan) on", errors)
            self.assertIn("status is 'solved' and 'time_limit'; the second counts, as its run started first", errors)
            self.assertEqual(self.find(row["run_id"])["status"], "time_limit")
            self.assertEqual(before or self.contents(), self.contents())
            before = self.contents()
        self.assertEqual(len(json.loads(self.merge("--json", "-q").stdout)["differing"]), 1)

    def test_a_row_that_started_first_hides_no_contradiction(self):
        """A time limit counts, as it started first: the two that solved the board still have to agree."""
        line = self.one.read_text().splitlines()[1]
        row, = csv.DictReader([self.one.read_text().splitlines()[0], line])
        limit = {"status": "time_limit", "length": "", "moves": "", "wall_s": "30.000000000", "cpu_s": "30",
                 "finished_at": "2001-01-01T00:00:40Z"}
        other = {"expanded": str(int(row["expanded"]) + 1), "finished_at": "2099-01-01T00:00:10Z"}
        text = self.two.read_text()
        for order in itertools.permutations(({}, limit, other)):
            self.two.write_text(text)
            self.one.write_text(self.one.read_text().replace(line + "\n", ""))
            copies = [self.add(self.two, line) for _ in order]
            for copy, cells in zip(copies, order):
                if cells:
                    self.edit(self.two, copy, **cells)
            places = sorted(copy for copy, cells in zip(copies, order) if cells is not limit)
            errors = self.merge(code=2).stderr
            self.assertIn(f"2-of-2/runs.csv:{places[0]} and out/shards/2-of-2/runs.csv:{places[1]}: ", errors)
            self.assertIn("expanded is ", errors)
            self.edit(self.two, copies[order.index(other)], expanded=row["expanded"])
            self.assertIn("1 run was made more than once", self.merge().stderr)
            self.assertEqual(self.find(row["run_id"])["status"], "time_limit")
            (self.out / "runs.csv").unlink()

    def cell(self, line, name):
        lines = self.two.read_text().splitlines()
        return next(csv.reader([lines[line - 1]]))[lines[0].split(",").index(name)]

    def find(self, run_id):
        row, = (row for row in self.rows() if row["run_id"] == run_id)
        return row

    def test_rows_that_no_shard_wrote(self):
        text = self.two.read_text()
        lines = text.splitlines()
        for changed, expected in ((lines[3].replace("ULRD", "URLD", 1), "2-of-2/runs.csv:4:1: the row's cells are not those"),
                                  ("nonsense", "2-of-2/runs.csv:4:1: the row has 1 field"),
                                  (None, "the row's cells make the run_id")):
            if changed is None:
                self.two.write_text(text)
                self.edit(self.two, 4, build="0" * 16)
            else:
                self.two.write_text("\n".join(lines[:3] + [changed] + lines[4:]) + "\n")
            self.refused(expected)
        # Of another experiment, whole as they are.
        self.two.write_text(text)
        other = self.folder / "other"
        self.tilelab("run", "experiment.yaml", "-q", "-n", "-o", "other", "--set", "limits.nodes=900", "--set", "rounds=false")
        self.add(self.two, (other / "runs.csv").read_text().splitlines()[1])
        self.refused(f"2-of-2/runs.csv:{len(lines) + 1}:1: 1 row is, from here on, of none of the experiment's runs",
                     "under other limits (nodes 900; now none")

    def test_a_torn_row_is_none_yet(self):
        whole = self.two.read_bytes()
        self.two.write_bytes(whole[:-20])
        self.assertIn("1 run is missing: 1 of shard 2/2", self.merge(code=3).stderr)
        self.assertEqual(self.two.read_bytes(), whole[:-20])
        for begun in (b"", b"run_id,exp"):
            self.rows_file.unlink()
            self.two.write_bytes(begun)
            self.assertRegex(self.merge(code=3).stderr, r"48 runs are missing: 48 of shard 2/2")
        self.two.write_bytes(whole)
        self.merge("-q")
        self.assertEqual(len(self.without_times()), SMALL_ROWS)

    def test_rows_are_held_against_each_other(self):
        # Repetitions of a run in different shards, each sound alone.
        twins = {(row["set"], row["instance"]) for row in self.read(self.two) if row["solver"] == "bfs"}
        number, row = next((number, row) for number, row in enumerate(self.read(self.one), 2) if row["solver"] == "bfs"
                           and (row["set"], row["instance"]) in twins and int(row["duplicates"]) > 1)
        self.edit(self.one, number, duplicates=str(int(row["duplicates"]) - 1))
        errors = self.merge(code=3).stderr
        self.assertIn("other counters than its other repetition", errors)
        self.assertIn("1 row crashed, is wrong or contradicts another", errors)

    def test_times_of_different_hosts_are_named(self):
        self.merge("-q")
        note = "boards? that .* ran on different hosts: their times do not compare"
        self.assertNotRegex(self.tilelab("compare", "out", "--full").stdout, note)
        merged = self.rows_file
        for number, row in enumerate(self.read(merged), 2):
            if row["set"] == "u" and row["solver"] == "bfs" and row["instance"] in "12":
                self.edit(merged, number, host="elsewhere")
            elif row["set"] == "u" and row["instance"] == "3" and row["repetition"] == "2":
                self.edit(merged, number, host="elsewhere")  # all solvers alike: no matter
        shown = " ".join(self.tilelab("compare", "out", "--full").stdout.split())
        self.assertIn("u 3x2: 2 boards that bfs and astar(manhattan) ran on different hosts: their times do not compare.", shown)
        self.assertEqual(shown.count("on different hosts"), 1)

    def test_a_lost_run_is_missing(self):
        number, row = self.row(self.one, solver="bfs", status="solved")
        self.edit(self.one, number, status="lost", length="", moves="")
        self.assertEqual([shard["missing"] for shard in self.status()["shards"]], [1, 0])
        self.assertIn("1 row said nothing about the solver (out of memory, lost, interrupted) and was left out",
                      self.merge(code=3).stderr)
        self.assertEqual(self.status()["done"], SMALL_ROWS - 1)
        self.shard("1/2", "-q")
        self.merge("-q")
        self.assertEqual(self.find(row["run_id"])["status"], "solved")
        self.assertIn("--again: a merge takes the row of a run that was made first",
                      self.tilelab("run", "experiment.yaml", "--again", "crashed", code=2).stderr)

    def test_messages_go_with_their_rows(self):
        shutil.rmtree(self.out)
        number = self.first_run()
        for k in (1, 2, 3):
            done = self.tilelab("run", "experiment.yaml", "--shard", f"{k}/3", "-q", code=None, program=FAULTY, TILELAB_FAULT=f"exit@{number}")
            self.assertIn(done.returncode, (0, 3), done.stderr)
        # The same sources made both programs, so that each takes the other's rows.
        self.assertIn("1 row crashed, is wrong", self.merge(code=3).stderr)
        messages = self.read(self.out / "messages.csv")
        crashed, = (row for row in self.rows() if row["status"] == "crashed")
        self.assertEqual([(message["run_id"], message["message"]) for message in messages], [(crashed["run_id"], "exit code 7")])
        before = self.contents()
        self.merge("-q", code=3)
        self.assertEqual(self.contents(), before)
        self.assertEqual([shard["failed"] for shard in self.status()["shards"] if shard["failed"]], [1])
        (self.out / "messages.csv").write_text("mine\n")
        self.assertIn("messages.csv was not written by tilelab; it is left alone", self.merge(code=3).stderr)
        self.assertEqual((self.out / "messages.csv").read_text(), "mine\n")


class Alive(Shards):
    """Shards that are stopped, killed, or called twice; merges that are."""

    def wait_for(self, which):
        self.wait_until(self.file_of(which, "manifest.json").exists, "the shard starts")

    def test_signals_end_a_shard_cleanly(self):
        self.write(SLOW.replace("astar(zero)", "idastar(zero)").replace(", nodes: 100M", ""))  # no run ends, however slow the machine
        for number, to_all in ((signal.SIGTERM, True), (signal.SIGUSR1, True), (signal.SIGUSR1, False)):
            shard = self.start("--shard", "1/2", "--jobs", "1")
            worker, = self.workers_of(shard)
            state = self.status()["shards"][0]
            self.assertEqual((state["state"], state["missing"]), ("running", 2))
            self.assertEqual(state["host"], os.uname().nodename)
            # A cluster's scheduler signals every process of a job, the workers too.
            if to_all:
                os.kill(worker, number)
            shard.send_signal(number)
            _, errors = shard.communicate(timeout=60)
            self.assertEqual(shard.returncode, 130, errors)
            self.assertIn("The same command continues from there", errors)
            self.assertEqual(self.status()["shards"][0]["state"], "interrupted")
        self.assertNotIn("crashed", self.file_of("1/2").read_text())
        self.assertEqual(self.status()["shards"][0]["starts"], 3)

    def test_a_killed_shard_is_seen_and_a_second_call_is_not_let_in(self):
        shard = self.start_sleeping("--shard", "2/2")
        done = self.shard("2/2", code=2)
        self.assertIn(f"out/shards/2-of-2 is being written by another tilelab, process {shard.pid}", done.stderr)
        self.merge("-q", code=3)  # its rows so far: none
        shard.kill()
        shard.wait()
        self.assertEqual(self.status()["shards"][1]["state"], "killed")
        # On another machine only the silence tells.
        manifest = self.file_of("2/2", "manifest.json")
        told = json.loads(manifest.read_text())
        told["sessions"][-1]["machine"]["host"] = "another"
        manifest.write_text(json.dumps(told))
        self.assertEqual(self.status()["shards"][1]["state"], "running")
        os.utime(self.file_of("2/2"), (time.time() - 70,) * 2)
        self.assertEqual(self.status()["shards"][1]["state"], "killed")
        self.assertIn("1 killed", self.tilelab("status", "out").stdout)

    def kills(self, count):
        """Kills merges at any moment: runs.csv is the old one or the new one, whole, and the next merge mends all. The later
        a kill the longer it waits, up to twice the time of a whole merge, as the machine may have become slower."""
        self.write(SMALL)
        for k in (1, 2):
            self.shard(f"{k}/2", "-q")
        shutil.move(self.out / "shards" / "2-of-2", self.folder / "later")
        self.merge("-q", code=3)
        old = self.rows_file.read_bytes()
        shutil.copytree(self.folder / "later", self.out / "shards" / "2-of-2")
        start = time.perf_counter()
        self.merge("-q")
        length = time.perf_counter() - start
        new = self.rows_file.read_bytes()
        self.assertLess(len(old), len(new))
        seen = set()
        for i in range(count):
            self.rows_file.write_bytes(old)
            merge = subprocess.Popen([TILELAB, "merge", "out", "-q"], cwd=self.folder)
            time.sleep(length * 2 * i / count)
            merge.kill()
            merge.wait()
            now = self.rows_file.read_bytes()
            self.assertIn(now, (old, new))
            seen.add(now)
        self.merge("-q")
        self.assertEqual(self.rows_file.read_bytes(), new)
        self.assertEqual(sorted(path.name for path in self.out.iterdir() if path.name.startswith(".")), [])
        return seen

    def test_a_killed_merge_leaves_the_old_rows_or_the_new(self):
        self.kills(8)

    def test_a_full_disk_leaves_the_old_rows(self):
        self.write(SMALL)
        self.shard("1/2", "-q")
        self.merge("-q", code=3)
        old = self.contents()
        self.shard("2/2", "-q")
        old["manifest.json"] = self.contents()["manifest.json"]  # the shard may have written it
        size = 2 * len(self.rows_file.read_bytes())
        for limit in (100, size // 2, self.size_of_merged() - 100):
            def limit_files(limit=limit):
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            done = subprocess.run([TILELAB, "merge", "out"], cwd=self.folder, text=True, capture_output=True, check=False,
                                  preexec_fn=limit_files)
            self.assertEqual(done.returncode, 1, (limit, done.stderr))
            self.assertIn("cannot be written: File too large", done.stderr)
            self.assertEqual({name: text for name, text in self.contents().items() if not name.startswith(".")}, old)
        self.merge("-q")
        self.assertEqual(len(self.rows()), SMALL_ROWS)
        self.assertEqual([path.name for path in self.out.iterdir() if path.name.startswith(".")], [])

    def size_of_merged(self):
        """How long runs.csv is after a merge, which is made in a copy."""
        shutil.copytree(self.out, self.folder / "copy")
        self.tilelab("merge", "copy", "-q")
        return len((self.folder / "copy" / "runs.csv").read_bytes())

    def test_a_folder_that_cannot_be_written(self):
        self.write(SMALL)
        self.shard("1/2", "-q")
        (self.out / "runs.csv").mkdir()
        self.assertIn("out/runs.csv: it is a folder; expected a regular file", self.merge(code=2).stderr)
        self.rows_file.rmdir()
        if os.geteuid() == 0:
            return  # whom no permission keeps from writing
        os.chmod(self.out, 0o555)
        self.addCleanup(os.chmod, self.out, 0o755)
        self.assertIn("out/runs.csv cannot be written: Permission denied", self.merge(code=1).stderr)


@unittest.skipUnless(LONG, "minutes; TILELAB_LONG=1")
class Kills(Alive):
    def test_kills_at_every_point(self):
        self.assertEqual(len(self.kills(200)), 2)  # some of these came too late

    def test_killed_shards_go_on(self):
        """Shards killed again and again, merged meanwhile, come to the rows of one machine."""
        chance = random.Random(7)
        self.write(DEEPENING.replace("3x2", "3x3").replace("count: 4", "count: 40"))
        rows, rounds = self.whole()
        self.assertEqual(len(rows), (40 + 4) * 6 * 2)
        for _ in range(20):
            shards = [subprocess.Popen([TILELAB, "run", "experiment.yaml", "--shard", f"{k}/3", "--jobs", "1"],
                                       cwd=self.folder, stderr=subprocess.DEVNULL) for k in (1, 2, 3)]
            time.sleep(chance.uniform(0.02, 0.3))
            victim = chance.choice(shards)
            victim.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGUSR1]))
            merge = self.tilelab("merge", "out", "-q", code=None)
            self.assertIn(merge.returncode, (0, 2, 3), merge.stderr)
            if merge.returncode == 2:
                self.assertIn("manifest.json does not exist", merge.stderr)
            for shard in shards:
                shard.kill()
                shard.wait()
        for k in (1, 2, 3):
            self.shard(f"{k}/3", "-q")
        self.merge("-q")
        self.assertEqual(self.without_times(), rows)
        self.assertEqual(sorted((self.out / "rounds.csv").read_text().splitlines()), rounds)

    def test_a_thousand_shards(self):
        self.write("experiment: many\ninstances: [{name: u, size: 3x2, method: uniform, count: 200}]\nwarmup: 0\n"
                   "solvers: [bfs]\nrepetitions: 5\noutput: out\n")
        rows, _ = self.whole()
        for k in range(1, 1001):
            self.shard(f"{k}/1000", "-q", "--sync", "1000s")
        self.assertIn("1000 shards: 1000 done", self.tilelab("status", "out").stdout)
        self.merge("-q")
        self.assertEqual(self.without_times(), rows)

    def test_merges_while_shards_write(self):
        self.write(DEEPENING.replace("3x2", "3x3").replace("count: 4", "count: 100"))
        rows, rounds = self.whole()
        shards = [self.start("--shard", f"{k}/2", "-q", "--jobs", "1") for k in (1, 2)]
        self.wait_for("1/2")
        counts = []
        while any(shard.poll() is None for shard in shards):
            counts.append(json.loads(self.merge("--json", "-q", code=(0, 3)).stdout)["rows"])
            self.assertEqual(len(self.rows()), counts[-1])
        self.assertEqual(counts, sorted(counts))
        self.merge("-q")
        self.assertEqual(self.without_times(), rows)
        self.assertEqual(sorted((self.out / "rounds.csv").read_text().splitlines()), rounds)
