"""tilelab reparse: rows made anew from the logs of their programs, as a user types it after mending the experiment."""

import csv
import gzip
import json
import random
import subprocess
import time

from test_run import TILELAB
from test_programs import NEAR, Programs

# Prints in a form of its own; on the board of which the blank is in the middle it does what its argument says.
PROGRAM = """read size; read one; read two
echo "path R"; echo "searching, 7 rounds, 11 expanded, 22 generated"
case "$two" in "4 0 5") case "$1" in
    late) echo "path RD"; exec sleep 9;;
    fails) echo no more >&2; exit 7;;
    hopeless) echo "no way"; exit 0;;
    odd) echo "path of 4"; exit 0;;
    esac;; esac
case "$two" in "4 0 5") echo "path RD";; *) echo "path RR";; esac
"""
BOARDS = "[1 2 3 4 5 6 0 7 8, 1 2 3 4 0 5 7 8 6]"
WRONG, RIGHT = r"(\d+) rounds", r"(\d+) generated"


class Reparse(Programs):
    def experiment(self, generated, kinds=("good",), boards=BOARDS, **keys):
        parse = {"moves": "^path ([UDLR]+)", "generated": generated, "unsolvable": "^no way", "mine": r"(\d+) expanded"}
        self.write_experiment("  - bfs", *({"command": ["sh", "own.sh", kind], "label": kind, "logs": True, "parse": parse,
                                            **keys} for kind in kinds), boards=boards)
        self.write(PROGRAM, "own.sh")

    def reparse(self, *words, code=0):
        done = self.tilelab("reparse", "experiment.yaml", *words, code=None)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def by_run(self):
        return {(row["label"] or row["solver"], row["instance"], row["repetition"]): row for row in self.rows()}

    def incumbents(self):
        with open(self.folder / "out" / "incumbents.csv", newline="") as file:
            return list(csv.DictReader(file))

    def state(self):
        return {path.relative_to(self.folder / "out"): path.read_bytes() for path in (self.folder / "out").rglob("*") if path.is_file()}

    def test_rows_are_those_that_the_right_pattern_gives(self):
        """Of whatever end: solved, late, crashed, unsolvable, without an answer. What was measured stays."""
        kinds = ("good", "late", "fails", "hopeless", "odd")
        self.experiment(WRONG, kinds)
        self.run_it("--set", "limits.time=1s", code=3)
        before, traces = self.by_run(), self.incumbents()
        self.experiment(RIGHT, kinds)
        done = self.reparse("--set", "limits.time=1s", code=3)
        self.assertIn("good: generated of 2 rows\n", done.stdout)
        self.assertIn("late: generated of 1 row\n", done.stdout)
        self.assertIn("10 rows of out were made anew", done.stdout)
        after = self.by_run()
        again = self.run_it("--set", "limits.time=1s", code=3)
        self.assertIn("12 of them are done already", again.stderr + again.stdout)
        self.assertEqual(self.by_run(), after)
        for name in ("wall_s", "cpu_s", "peak_bytes", "host", "finished_at"):
            self.assertEqual({run: row[name] for run, row in after.items()}, {run: row[name] for run, row in before.items()})
        ids = {row["run_id"]: after[run]["run_id"] for run, row in before.items()}
        self.assertEqual([{**row, "run_id": ids[row["run_id"]], "generated": "22"} for row in traces], self.incumbents())
        self.assertEqual({path.name[:32] for path in (self.folder / "out" / "logs").iterdir()},
                         {row["run_id"] for row in after.values() if row["algorithm"] == "external"})
        self.run_it("-o", "fresh", "--set", "limits.time=1s", code=3)
        with open(self.folder / "fresh" / "runs.csv", newline="") as file:
            fresh = {row["run_id"]: row for row in csv.DictReader(file)}
        measured = {"wall_s", "cpu_s", "peak_bytes", "finished_at", "row_hash"}
        for row in after.values():
            self.assertEqual({name: cell for name, cell in row.items() if name not in measured},
                             {name: cell for name, cell in fresh[row["run_id"]].items() if name not in measured})
        with open(self.folder / "out" / "messages.csv", newline="") as file:
            said = {row["run_id"]: row["message"] for row in csv.DictReader(file)}
        self.assertEqual(said[after["fails", "2", "1"]["run_id"]], "exit code 7: no more")

    def test_rows_without_a_whole_log_stay(self):
        """Missing, cut off, damaged, capped: each is named with its reason; the others are made anew."""
        self.experiment(WRONG, boards="[1 2 3 4 5 6 0 7 8]")
        text = (self.folder / "experiment.yaml").read_text()
        self.run_of(text + "repetitions: 5\n")
        logs = {row["repetition"]: self.folder / "out" / "logs" / (row["run_id"] + ".log.gz")
                for row in self.rows() if row["algorithm"] == "external"}
        logs["1"].unlink()
        logs["2"].write_bytes(logs["2"].read_bytes()[:-9])
        logs["3"].write_bytes(gzip.compress(gzip.decompress(logs["3"].read_bytes())[:-30]))
        logs["4"].write_bytes(gzip.compress(b"standard output: the first 9 of 2000 bytes\n123456789\nstandard error: 0 bytes\n\n"))
        self.experiment(RIGHT, boards="[1 2 3 4 5 6 0 7 8]")
        self.write((self.folder / "experiment.yaml").read_text() + "repetitions: 5\n")
        before = self.by_run()
        said = json.loads(self.reparse("--json", code=3).stdout)
        reasons = {row["row"][-32:]: row["reason"] for row in said["staying"]}
        self.assertEqual([reasons.get(logs[number].name[:32]) for number in "12345"],
                         ["it has no log", "it is damaged", "it is damaged", "it has only the first 9 of 2000 bytes of standard output", None])
        self.assertEqual(said["cells"], [{"solver": "good", "column": "generated", "rows": 1}])
        after = self.by_run()
        self.assertEqual([run for run in after if after[run] != before[run]], [("good", "1", "5")])
        self.assertIn("with --keep", self.reparse(code=3).stderr)
        self.run_it("--keep")
        self.assertEqual(len(self.rows()), len(before) + 4)

    def test_nothing_is_written_without_need(self):
        """A dry run, another session, a folder without rows, a file that says what it said."""
        self.experiment(WRONG)
        self.assertIn("out/runs.csv is not there", self.reparse(code=2).stderr)
        self.run_it()
        before = self.state()
        self.assertIn("0 rows of out were made anew", self.reparse().stdout)
        self.experiment(RIGHT)
        self.assertIn("good: generated of 2 rows\n2 rows of out would be made anew", self.reparse("-n").stdout)
        self.assertEqual(self.state(), before)
        with open(self.folder / "out" / "runs.csv") as rows:
            subprocess.run(["flock", "-x", str(rows.fileno())], pass_fds=[rows.fileno()], check=True)
            self.assertIn("is being written by another tilelab", self.reparse(code=2).stderr)
        self.assertEqual(self.state(), before)

    def test_the_verdicts_are_those_of_a_run(self):
        """A promise that was made too late refutes the row; a path read at last refutes another's claim."""
        self.write_experiment("  - {command: [echo, 'path RRLR'], label: long, logs: true, parse: {moves: 'path (\\w+)'}}")
        self.run_it()
        self.write_experiment("  - {command: [echo, 'path RRLR'], label: long, logs: true, optimal: true, parse: {moves: 'path (\\w+)'}}")
        self.assertIn("wrong answer: ", self.reparse(code=3).stderr)
        row, = self.rows()
        self.assertEqual((row["status"], row["length"]), ("wrong_answer", "4"))
        board = "boards: [1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15], goal: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"
        claim = "  - {command: [echo, 'length: 6'], optimal: true, logs: true, label: claim}\n"
        for pattern in ("lost (\\w+)", "path (\\w+)"):
            self.write_experiment(claim + "  - {command: [echo, 'path RR'], label: path, logs: true, parse: {moves: '%s', generated: 'x'}}" % pattern)
            self.write((self.folder / "experiment.yaml").read_text().replace(f"boards: {NEAR}", board))
            if "lost" in pattern:
                self.run_it("--fresh", code=3)
        self.reparse(code=3)
        self.assertEqual({row["label"]: row["status"] for row in self.rows()}, {"claim": "wrong_answer", "path": "solved"})

    def test_a_kill_loses_no_row_and_doubles_none(self):
        """At any moment: the rows are the old ones or the new ones, and the next call ends it."""
        def write(pattern):
            self.experiment(pattern, boards=NEAR)
            self.write((self.folder / "experiment.yaml").read_text() + "repetitions: 60\n")
        write(WRONG)
        self.run_it()
        chance, seen = random.Random(27), set()
        write(RIGHT)
        begun = time.monotonic()
        self.reparse()
        spent = time.monotonic() - begun
        for attempt in range(24):
            pattern = RIGHT if attempt % 4 > 1 else WRONG
            write(pattern)
            before = {row["run_id"] for row in self.rows()}
            process = subprocess.Popen([TILELAB, "reparse", "experiment.yaml"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.2, 1.2) * spent)
            process.kill()
            process.wait()
            rows = self.rows()
            counts = {row["generated"] for row in rows if row["algorithm"] == "external"}
            self.assertEqual((len(rows), len({row["run_id"] for row in rows}), len(counts)), (120, 120, 1))
            unchanged = {row["run_id"] for row in rows} == before
            seen.add(unchanged)
            spent *= 1.2 if unchanged else 0.9  # the machine may have become busier, or less busy
            if attempt % 2 == 1:
                self.reparse()
                self.assertEqual({row["generated"] for row in self.rows() if row["algorithm"] == "external"},
                                 {"7" if pattern == WRONG else "22"})
                self.assertIn("120 of them are done already", self.run_it().stderr)
                self.assertFalse(list((self.folder / "out").glob("manifest.json.*")))
        self.assertEqual(seen, {True, False})
