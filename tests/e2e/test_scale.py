"""Many shards: a simulated cluster loses nothing, and the files of thousands of shards, torn and repeated, make each row
once. With TILELAB_LONG=1 there are 10,000 shards, else few; TIMES=1 prints what the steps took."""

import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

import simulation
from support import Case, FolderCase, SANITIZED, TILELAB, read_table

SHARDS = 10000 if os.environ.get("TILELAB_LONG") == "1" else 60
TIMES = ("wall_s", "cpu_s", "host", "finished_at", "row_hash")

EXPERIMENT = f"""experiment: many
seed: 3
instances:
  - {{name: some, size: 3x3, count: {SHARDS // 2}, method: uniform}}
solvers: [astar(manhattan), greedy(manhattan)]
limits: {{time: 10s, memory: 64MiB}}
warmup: 0
jobs: 2
"""


class Simulated(Case):
    def test_every_run_has_its_row_whatever_dies(self):
        """Few runs; nodes live for minutes."""
        for seed in range(3):
            options = simulation.arguments(["--shards", "40", "--runs", "2000", "--nodes", "20", "--node-life", "0.5", "--preempt-life",
                                            "0.3", "--time", "200", "--limit", "60", "--seed", str(seed)])
            end = simulation.simulate(options)
            self.assertEqual(end["rows"], 2000, seed)
            for event in ("died", "gave_way", "time_over"):
                self.assertGreater(end[event], 0, (seed, event))
            self.assertGreaterEqual(end["makespan"], end["work"], seed)

    def test_ten_thousand_shards_end_near_the_bound(self):
        """The machines are busy nearly all the time; more shards would wait for the scheduler, fewer for the longest."""
        if SHARDS < 10000:
            self.skipTest("long")
        end = simulation.simulate(simulation.arguments([]))
        self.assertEqual(end["rows"], 1000000)
        self.assertLess(end["makespan"], 1.3 * end["work"])

    def test_runs_are_divided_as_tilelab_divides_them(self):
        """Units of one worst case are dealt out in turn: no two shards differ by more than one of them."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "many.yaml").write_text(EXPERIMENT)
            done = subprocess.run([TILELAB, "plan", "many.yaml", "--shards", "7", "--json"], cwd=folder, text=True, capture_output=True, check=True)
        sizes = [int(line.split(":")[1].strip(" ,\n")) for line in done.stdout.splitlines() if line.startswith('            "runs":')]
        dealt = [2 * len(range(SHARDS // 2)[i::7]) for i in range(7)]
        self.assertEqual(sorted(sizes), sorted(dealt))


class Merging(FolderCase):
    experiment = EXPERIMENT

    def setUp(self):
        super().setUp()
        (self.folder / "many.yaml").write_text(self.experiment)

    def measured(self, *command, code=0):
        """What a command prints, and what it used (resource.getrusage)."""
        start = time.monotonic()
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(command, cwd=self.folder, stdout=output, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            said = output.read()
        self.assertEqual(process.returncode, code, said)
        if os.environ.get("TIMES"):
            print(f"{time.monotonic() - start:7.2f} s, {used.ru_utime + used.ru_stime:6.2f} s of processor time, "
                  f"{used.ru_maxrss / 1024:4.0f} MiB  {' '.join(command[1:])}")
        return said, used

    def tilelab(self, *words, code=0):
        return self.measured(TILELAB, *words, code=code)[0]


class Million(Merging):
    """The rows of eight shards: a million with TILELAB_LONG=1."""

    runs = 1000000 if SHARDS == 10000 else 1000
    experiment = f"""experiment: million
seed: 3
instances: [{{name: walks, size: 3x3, method: walk, steps: 20, count: {runs // 10}}}]
solvers: [astar(manhattan), greedy(manhattan)]
limits: {{time: 10s, memory: 64MiB}}
repetitions: 5
warmup: 0
"""

    def test_merge_holds_no_rows(self):
        for shard in range(1, 9):
            self.tilelab("run", "many.yaml", "-o", "out", "-q", "--shard", f"{shard}/8", "--sync", "60s")
        for _ in range(2):
            self.measured("/bin/sh", "-c", "cat out/shards/*/runs.csv >cat.csv")
            said, used = self.measured(TILELAB, "merge", "out")
            self.assertIn(f"{self.runs} of {self.runs} runs, of 8 shards", said)
            if not SANITIZED:  # which keep freed memory and hold several bytes for each that is asked for
                self.assertLess(used.ru_maxrss * 1024, (32 << 20) + 160 * self.runs)
        self.tilelab("status", "out")
        self.tilelab("compare", "out")


class Merged(Merging):
    """Rows of a real call, dealt out to as many shards as there are runs."""

    def lines(self, name):
        return (self.folder / name / "runs.csv").read_text(encoding="utf8").splitlines(keepends=True)

    def counters(self, name):
        return sorted([value for key, value in row.items() if key not in TIMES] for row in read_table(self.folder / name / "runs.csv"))

    def test_each_row_once(self):
        chance = random.Random(5)
        for name in ("once", "again"):
            self.tilelab("run", "many.yaml", "-o", name, "-q", "-n", "--sync", "60s")
        header, *rows = self.lines("once")
        again = {line.split(",", 1)[0]: line for line in self.lines("again")[1:]}
        self.assertEqual(len(rows), SHARDS)
        self.tilelab("run", "many.yaml", "-o", "out", "-q", "--shard", f"1/{SHARDS}")
        first = self.folder / f"out/shards/1-of-{SHARDS}"
        own = self.lines(f"out/shards/1-of-{SHARDS}")[1].split(",", 1)[0]
        rows = [line for line in rows if not line.startswith(own)]
        torn = set(chance.sample(range(len(rows)), SHARDS // 50))
        lost = set(chance.sample(sorted(torn), min(len(torn), 3)))
        twice = set(chance.sample(range(len(rows)), SHARDS // 20))
        for number, line in enumerate(rows):
            folder = self.folder / f"out/shards/{number + 2}-of-{SHARDS}"
            shutil.copytree(first, folder)
            text = header + (line[:chance.randrange(1, len(line) - 1)] if number in torn else line)
            if number in twice and number not in torn:  # the same run, made twice: with other times
                text += again[line.split(",", 1)[0]]
            (folder / "runs.csv").write_text(text, encoding="utf8")
            if number in torn and number not in lost:  # made again when the runs were divided otherwise
                other = self.folder / f"out/shards/{number + 2}-of-{SHARDS + 1}"
                shutil.copytree(folder, other)
                (other / "runs.csv").write_text(header + line, encoding="utf8")
        said = self.tilelab("merge", "out", code=3)
        self.assertIn(f"{SHARDS - len(lost)} of {SHARDS} runs", said)
        self.assertEqual(len(self.counters("out")), SHARDS - len(lost))
        script = self.tilelab("submit", "many.yaml", "-o", "out", "--shards", str(SHARDS), "--dry-run")
        array = next(line.split("=")[1] for line in script.splitlines() if line.startswith("#SBATCH --array="))
        missing = [number for part in array.split(",") for number in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)]
        self.assertEqual(len(missing), len(lost))
        self.tilelab("status", "out")
        for number in missing:
            shutil.rmtree(self.folder / f"out/shards/{number}-of-{SHARDS}", True)
            self.tilelab("run", "many.yaml", "-o", "out", "-q", "--shard", f"{number}/{SHARDS}")
        self.tilelab("merge", "out")
        self.assertEqual(self.counters("out"), self.counters("once"))
        before = self.lines("out")
        self.tilelab("merge", "out")
        self.assertEqual(self.lines("out"), before)
