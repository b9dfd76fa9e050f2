"""tilelab submit on a real Slurm of two nodes, which this test starts and stops (cluster.py): arrays and their merge, and all
that can go wrong on the way. Long; skipped where there is no Slurm or the test is not run by root."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

import cluster
from support import TILELAB, Case, read_table

TIMES = ("wall_s", "cpu_s", "peak_bytes", "host", "finished_at", "row_hash", "run_id")

# Every other run takes half a second on any machine, however fast our searches become: what happens to a shard happens while
# it is at work. The other runs are ended by their limit of nodes, so that there are counters to compare.
EXPERIMENT = """experiment: mine
seed: 7
instances:
  - {name: hard, size: 5x5, count: 16, method: uniform}
solvers: [idastar(linear_conflict), {command: [./slow], label: slow}]
limits: {time: 60s, memory: 64MiB, nodes: 1M}
warmup: 0
"""
SLOW = """#!/bin/sh
sleep 0.5
echo status: stuck
"""


# A search of some seconds, of which the last rounds are counted in parts.
ONE = """experiment: one
warmup: 0
instances:
  - {name: b, boards: [15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4], goal: blank-first}
solvers: [idastar(linear_conflict)]
limits: {time: 100s, memory: 64MiB}
split: 64
rounds: true
"""


@unittest.skipIf(cluster.lacking(), f"no cluster can be started: {cluster.lacking()}")
class Slurm(Case):
    out = pathlib.Path(os.devnull)  # of a test that is skipped

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-slurm-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, True)
        (cls.place / "slurm").mkdir()
        cls.cluster = cls.enterClassContext(cluster.Cluster(cls.place / "slurm"))
        (cls.place / "mine.yaml").write_text(EXPERIMENT)
        (cls.place / "slow").write_text(SLOW)
        (cls.place / "slow").chmod(0o755)
        subprocess.run([TILELAB, "run", "mine.yaml", "-o", "alone", "-q", "-n"], cwd=cls.place, check=True, timeout=600)
        cls.alone = cls.counters(cls.place / "alone")

    def run(self, result=None):
        """A failure shows what the jobs wrote."""
        before = len(result.failures) + len(result.errors)
        super().run(result)
        if len(result.failures) + len(result.errors) > before:
            logs = sorted((self.out / "submit").glob("*.log"))
            print(self.id(), *(f"== {path.name}\n{path.read_text(errors='replace')[-1500:]}" for path in logs), sep="\n")
        shutil.rmtree(self.out, True)

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(prefix="out-", dir=self.place))
        self.addCleanup(self.cluster, "scancel", "-u", "root", check=False)

    def tilelab(self, *words, code=0, **environment):
        done = subprocess.run([TILELAB, *map(str, words)], cwd=self.place, text=True, capture_output=True, timeout=120,
                              env={**self.cluster.environment, **environment})
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr + done.stdout

    def submit(self, *words, **named):
        return self.tilelab("submit", "mine.yaml", "-o", self.out, *words, **named)

    @staticmethod
    def counters(folder):
        """The rows, sorted, without what may differ between machines."""
        return sorted([value for key, value in row.items() if key not in TIMES] for row in read_table(folder / "runs.csv"))

    def wait_for_end(self, seconds=120):
        self.cluster.wait(lambda: not self.cluster.queue(), "all jobs are over", seconds)

    def jobs(self):
        return json.loads((self.out / "submit/jobs.json").read_text())["submissions"]

    def task(self, number):
        """The array's task in squeue's words."""
        return f"{self.jobs()[-1]['array']}_{number}"

    def rows(self, shard, shards=4):
        path = self.out / f"shards/{shard}-of-{shards}/runs.csv"
        return path.read_text().count("\n") - 1 if path.exists() else 0

    def wait_for_rows(self, shard, count=1):
        self.cluster.wait(lambda: self.rows(shard) >= count, f"shard {shard} has {count} rows")

    def processes_of(self, shard):
        """The tilelabs that run a shard, workers not among them."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
                parent = int((path.parent / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            if os.fsencode(self.out) in words and f"{shard}/4".encode() in words:
                found.append((int(path.parent.name), parent))
        return [process for process, parent in found if parent not in [other for other, _ in found]]

    def log(self, shard, shards=4):
        path = self.out / f"submit/shard-{shard}-of-{shards}.log"
        return path.read_text() if path.exists() else ""

    def closing(self):
        return (self.out / "submit/closing.log").read_text()

    def blind(self, node):
        """The node no longer sees the results folder."""
        self.cluster.kill_node(node)
        self.cluster.start_node(node, self.out)
        self.addCleanup(self.cluster.start_node, node)
        self.addCleanup(self.cluster.kill_node, node)
        self.cluster.wait(lambda: self.cluster.states()[node] == "idle", f"{node} is idle")

    def lose_node(self):
        """Node 1 dies, Slurm finds out and takes its jobs back, and the node comes back."""
        self.cluster.kill_node("node1")
        self.cluster("scontrol", "update", "node=node1", "state=down", "reason=test")
        self.cluster.wait(lambda: "node1" not in self.cluster("squeue", "-h", "-o", "%N").stdout, "no job is on node1")
        self.cluster.start_node("node1")
        self.cluster("scontrol", "update", "node=node1", "state=resume", check=False)  # an error if it came back by itself

    def assert_whole(self):
        self.assertEqual(self.counters(self.out), self.alone)
        self.assertIn("nothing is missing", self.submit())
        self.assertEqual(self.cluster.queue(), {})

    def finish(self):
        """Sends what is missing, and waits for it."""
        said = self.submit()
        self.wait_for_end()
        self.assert_whole()
        return said


class Array(Slurm):
    def test_an_array_makes_the_rows_of_one_machine(self):
        self.assertIn("sent 4 of 4 shards", self.submit("--shards", "4"))
        self.wait_for_end()
        self.assertEqual(self.counters(self.out), self.alone)  # by the merge job alone
        self.assert_whole()

    def test_one_search_on_two_nodes(self):
        """Four shards of one run: those without a run count parts of its rounds. A node dies meanwhile."""
        (self.place / "one.yaml").write_text(ONE)
        subprocess.run([TILELAB, "run", "one.yaml", "-o", "one", "-q", "-n"], cwd=self.place, check=True, timeout=600)
        self.assertIn("sent 4 of 4 shards", self.tilelab("submit", "one.yaml", "-o", self.out, "--shards", "4"))
        self.cluster.wait(lambda: list(self.out.glob("parts/*/*/*.round")), "a round is counted")
        self.lose_node()
        self.wait_for_end()
        self.assertEqual(self.counters(self.out), self.counters(self.place / "one"))
        self.assertEqual((self.out / "rounds.csv").read_text(), (self.place / "one/rounds.csv").read_text())
        self.assertIn("shared the searches of 1 run", "".join(self.log(shard) for shard in (2, 3, 4)))

    def test_what_waits_or_runs_is_not_sent_again(self):
        self.cluster("scontrol", "update", "partition=all", "state=down")
        self.addCleanup(self.cluster, "scontrol", "update", "partition=all", "state=up")
        self.submit("--shards", "4")
        self.assertIn("nothing to send: the 4 shards", self.submit())
        self.cluster("scancel", self.task(3))
        self.assertIn("sent 1 of 4 shards", self.submit())
        self.assertIn("#SBATCH --array=3\n", (self.out / "submit/array.sh").read_text())
        self.cluster("scontrol", "update", "partition=all", "state=up")
        self.wait_for_end()
        self.assert_whole()

    def test_pattern_databases_are_built_once(self):
        words = ("--set", "solvers=[astar(pdb:5-3)]", "--set", "instances.1.size=3x3", "--pdb-dir", self.out.parent / "tables")
        self.assertIn("behind one that builds the pattern databases", self.submit("--shards", "3", *words))
        self.wait_for_end()
        self.assertIn("entries built", (self.out / "submit/databases.log").read_text())
        for shard in (1, 2, 3):
            self.assertNotIn("entries built", self.log(shard, 3))
        self.assertEqual(len(self.counters(self.out)), 16)

    def test_a_shard_without_pattern_databases_builds_its_own(self):
        """The job that builds them is cancelled: the array waits for its end, not for its success."""
        words = ("--set", "solvers=[astar(pdb:5-3)]", "--set", "instances.1.size=3x3", "--pdb-dir", self.out.parent / "others")
        self.cluster("scontrol", "update", "partition=all", "state=down")
        self.addCleanup(self.cluster, "scontrol", "update", "partition=all", "state=up")
        self.submit("--shards", "3", *words)
        self.cluster("scancel", self.jobs()[-1]["databases"])
        self.cluster("scontrol", "update", "partition=all", "state=up")
        self.wait_for_end()
        self.assertTrue(any("entries built" in self.log(shard, 3) for shard in (1, 2, 3)))
        self.assertEqual(len(self.counters(self.out)), 16)

    def test_a_partition_that_is_not_there(self):
        self.assertIn("Slurm refused the job: sbatch: error: invalid partition specified: nowhere", self.submit("-p", "nowhere", code=1))
        self.assertEqual(self.cluster.queue(), {})
        self.submit("-p", "high")
        self.wait_for_end()
        self.assert_whole()

    def test_options_of_sbatch_reach_all_jobs(self):
        self.submit("--shards", "2", "--", "--comment=it's \"mine\"", "--nice=3")
        shown = self.cluster("scontrol", "show", "job").stdout
        self.assertEqual(shown.count("Comment=it's \"mine\""), 2 if "ArrayTaskId=1-2" in shown else 3, shown)
        self.wait_for_end()
        self.assert_whole()


class Trouble(Slurm):
    def test_a_killed_shard_alone_is_sent_again(self):
        self.submit("--shards", "4")
        self.wait_for_rows(2)
        for process in self.processes_of(2):
            os.kill(process, signal.SIGKILL)
        self.wait_for_end()
        self.assertIn("sent 1 of 4 shards", self.closing())  # by itself
        self.assertIn("#SBATCH --array=2\n", (self.out / "submit/array.sh").read_text())
        self.assert_whole()

    def test_a_cancelled_shard_keeps_its_rows(self):
        """scancel kills without a warning, or sends SIGTERM first, which ends a shard cleanly."""
        self.submit("--shards", "4")
        self.wait_for_rows(1)
        self.cluster("scancel", "--signal=KILL", "--full", self.task(1))
        self.wait_for_rows(2)
        self.cluster("scancel", self.task(2))
        self.wait_for_end()
        self.assertGreaterEqual(self.rows(1), 1)
        self.assertGreaterEqual(self.rows(2), 1)
        self.assertLess(self.rows(1) + self.rows(2), 16)
        self.assertIn("interrupted;", self.log(2))
        self.assertIn("were cancelled: nothing is sent again", self.closing())
        self.finish()

    def test_a_shard_that_is_queued_again_goes_on(self):
        self.submit("--shards", "4")
        self.wait_for_rows(1)
        self.cluster("scontrol", "requeue", self.task(1))
        self.wait_for_end()
        self.assertIn("done already", self.log(1))
        self.assert_whole()

    def test_a_more_important_job_takes_the_nodes(self):
        """Shards of a partition that gives way are queued again, and go on behind the other job."""
        self.submit("--shards", "4", "-p", "low")
        self.wait_for_rows(1)
        self.cluster("sbatch", "-p", "high", "-N", "2", "--exclusive", "-o", "/dev/null", "--wrap", "sleep 2")
        self.wait_for_end()
        logs = "".join(self.log(shard) for shard in (1, 2, 3, 4))
        self.assertIn("interrupted;", logs)
        self.assertIn("done already", logs)
        self.assert_whole()

    def test_a_node_that_dies_and_comes_back(self):
        """Slurm finds out, and gives its shards to the other node; nothing is lost or made twice."""
        self.submit("--shards", "4")
        self.wait_for_rows(1)
        self.lose_node()
        self.wait_for_end()
        if self.counters(self.out) != self.alone:
            self.finish()
        self.assert_whole()

    def test_the_time_of_a_shard_ends(self):
        """A minute before, Slurm sends SIGUSR1: rows are kept, and the shard queues itself again."""
        self.submit("--shards", "2", "--time", "3m", "--set", "limits.time=2s", "--set", "limits.nodes=none", "--set", "repetitions=9",
                    "--set", "solvers=[idastar(manhattan)]")
        self.wait_for_end(420)
        for shard in (1, 2):
            self.assertIn("interrupted;", self.log(shard, 2))
            self.assertIn("done already", self.log(shard, 2))
        self.assertEqual(len(self.counters(self.out)), 144)
        self.assertEqual(len(self.jobs()), 1)

    def test_the_closing_job_ends_where_nothing_moves(self):
        """Each shard is killed at once, on whichever node: three nodes are tried, then nothing is sent for ever."""
        (self.place / "killed").write_text(f'#!/bin/sh\n[ "$1" = run ] && kill -9 $$\nexec {TILELAB} "$@"\n')
        (self.place / "killed").chmod(0o755)
        self.tilelab("submit", "mine.yaml", "-o", self.out, "--shards", "2", "--", "--begin=now+1hour")
        script = self.out / "submit/array.sh"
        self.cluster("scancel", "-u", "root")
        self.wait_for_end()
        script.write_text(script.read_text().replace(TILELAB, str(self.place / "killed")))
        array = self.cluster("sbatch", "--parsable", script, cwd=self.out / "submit").stdout.strip()
        self.cluster("sbatch", f"--dependency=afterany:{array}", "--output=/dev/null", "closing.sh", array, cwd=self.out / "submit")
        self.wait_for_end(180)
        self.assertIn("nothing is sent again: 32 runs miss rows as before", self.closing())
        said = self.tilelab("status", self.out)
        self.assertRegex(said, r"left out node[12]: ended the shard after \d s without a row, with exit code 137")
        self.finish()

    def test_a_node_that_does_not_see_the_folder(self):
        """It eats no shard: each goes back to the queue without that node, and so does the closing job. status names the node."""
        self.blind("node1")
        self.submit("--shards", "8")
        self.cluster.wait(lambda: "node1: does not see" in self.tilelab("status", self.out), "status names the node")
        self.wait_for_end(180)
        self.assertEqual(self.counters(self.out), self.alone)
        self.assertEqual(len(self.jobs()), 1)
        self.assertRegex(self.tilelab("status", self.out), r"left out node1: does not see .*/submit/array.sh")
        self.assert_whole()

    def test_the_merge_does_not_wait_for_success(self):
        self.submit("--shards", "4")
        self.wait_for_rows(3)
        self.cluster("scancel", self.jobs()[-1]["array"])
        self.wait_for_end()
        self.assertGreaterEqual(len(self.counters(self.out)), 1)
        self.assertIn("missing", self.closing())
        self.finish()
