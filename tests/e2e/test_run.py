"""tilelab run as a person uses it: rows, resuming, crashes, kills, interrupts, wrong use."""

import collections
import contextlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from support import SANITIZED, TILELAB, Case, FolderCase, read_table

FAULTY = os.environ["TILELAB_FAULTY"]
TIMES = ("wall_s", "cpu_s", "host", "finished_at", "row_hash")

SMALL = """experiment: small
seed: 7
instances:
  - {name: u, size: 3x2, method: uniform, count: 4}
  - {name: d, size: 3x2, method: depth, depths: [4, 20], count: 2}
solvers:
  - bfs
  - dfs
  - {algorithm: lcbb, heuristic: misplaced, limits: {nodes: 1k}}
  - {algorithm: astar, heuristic: [misplaced, manhattan]}
  - greedy(manhattan)
repetitions: 2
limits: {time: 30s, memory: 256MiB}
output: out
compare: {baseline: astar(manhattan)}
"""
SMALL_ROWS = 8 * 6 * 2

# The same, for tests that need it to take a while: dfs walks far on more cells.
LONGER = SMALL.replace("3x2", "3x3")

# A run takes long enough to be hit by a signal: the zero heuristic on the 15-puzzle.
SLOW = """experiment: slow
seed: 7
warmup: 0
instances:
  - {name: u, size: 4x4, method: uniform, count: 4}
solvers: [astar(zero)]
limits: {time: 60s, memory: 1GiB, nodes: 100M}
output: out
"""

# The same, of a program that takes no processor.
SLEEPS = SLOW.replace("astar(zero)", "{command: [sh, -c, touch begun; exec sleep 1000]}")


class Harness(FolderCase):
    """An experiment in a folder of its own."""

    def setUp(self):
        super().setUp()
        self.rows_file = self.folder / "out" / "runs.csv"

    def write(self, text, name="experiment.yaml"):
        (self.folder / name).write_text(text)

    def run_it(self, *words, code=0, tables=False):
        return self.tilelab("run", "experiment.yaml", *words, *(() if tables else ("--no-compare",)), code=code)

    def run_of(self, text, *words, **named):
        """Runs this experiment."""
        self.write(text)
        return self.run_it(*words, **named)

    def start(self, *words):
        process = subprocess.Popen([TILELAB, "run", "experiment.yaml", *words], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def start_of(self, text, *words):
        self.write(text)
        return self.start(*words)

    def start_sleeping(self, *words):
        """In the middle of a run, which takes no processor."""
        process = self.start_of(SLEEPS, *words)
        self.wait_until(lambda: process.poll() is not None or (self.folder / "begun").exists(), "the run begins")
        return process

    def rows(self):
        return read_table(self.rows_file)

    def without_times(self):
        """The rows as a sorted list, times aside; each run_id once."""
        rows = self.rows()
        ids = [row["run_id"] for row in rows]
        self.assertEqual(len(ids), len(set(ids)), "a run_id twice")
        return sorted(tuple(value for key, value in row.items() if key not in TIMES) for row in rows)

    def first_run(self):
        """The number in the matrix of the run that is started first, from 0."""
        done = self.tilelab("plan", "--runs", "experiment.yaml")
        return int(done.stdout.split()[0]) - 1

    def processes_here(self):
        """Processes whose current folder is the experiment's."""
        found = []
        for link in pathlib.Path("/proc").glob("[0-9]*/cwd"):
            with contextlib.suppress(OSError):
                if os.readlink(link) == str(self.folder):
                    found.append(link.parent.name)
        return found

    def lines_written(self):
        return self.rows_file.read_bytes().count(b"\n") if self.rows_file.exists() else 0

    def workers_of(self, process, count=1):
        """Its worker processes, once there are so many."""
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        return self.wait_until(lambda: len(found := children.read_text().split()) >= count and [*map(int, found)], f"{count} worker processes")

    def searching(self, process, *others):
        """A worker in the middle of a search, none of the others: the first that has taken 50 ms of processor time."""
        for _ in range(6000):
            for worker in set(self.workers_of(process)) - set(others):
                with contextlib.suppress(OSError):
                    user, system = pathlib.Path(f"/proc/{worker}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
                    if int(user) + int(system) >= 5:  # ticks
                        return worker
            time.sleep(0.005)
        self.fail("no worker process came to search")


class Run(Harness):
    def test_the_next_command_works_as_it_is_named(self):
        """By the name that the PATH finds, else by the path that was typed."""
        self.write(SMALL)
        folder = pathlib.Path(TILELAB).parent
        for command, path, named in ((TILELAB, "/usr/bin", TILELAB), (TILELAB, f"/usr/bin:{folder}", "tilelab"), ("tilelab", f"{folder}", "tilelab")):
            done = subprocess.run([command, "run", "experiment.yaml"], cwd=self.folder, text=True, capture_output=True,
                                  env={**os.environ, "PATH": path}, executable=TILELAB)
            self.assertIn(f"next: {named} compare out --full", done.stderr)

    def test_rows_tables_and_files(self):
        self.write(LONGER)  # with paths of more than 1,000 moves
        done = self.run_it("--jobs", "2", tables=True)
        rows = self.rows()
        self.assertEqual(len(rows), SMALL_ROWS)
        self.assertEqual({row["status"] for row in rows}, {"solved", "node_limit"})
        for row in rows:
            if row["status"] == "node_limit":
                self.assertEqual((row["solver"], row["generated"], row["length"], row["moves"]),
                                 ("lcbb(misplaced)", "1000", "", ""))
            elif row["solver"] not in ("dfs", "greedy(manhattan)"):
                self.assertEqual(row["length"], row["optimal_length"])
                self.assertEqual(len(row["moves"]), int(row["length"]))
            if row["solver"] == "dfs" and int(row["length"]) > 1000:
                self.assertEqual(row["moves"], "")
        self.assertIn("node_limit", done.stdout)
        self.assertRegex(done.stderr, r"tilelab: results are in out: runs\.csv, summary\.csv, by_depth\.csv, pairs\.csv, "
                                      r"manifest\.json, datapackage\.json\n"
                                      rf"tilelab: next: {re.escape(TILELAB)} compare out --full, {re.escape(TILELAB)} plot out\n\Z")
        for name in ("summary.csv", "pairs.csv", "by_depth.csv", "manifest.json", "experiment.yaml"):
            self.assertTrue((self.folder / "out" / name).is_file(), name)
        self.assertEqual((self.folder / "out" / "experiment.yaml").read_text(), LONGER)
        self.assertTrue(any(int(row["length"] or 0) > 1000 for row in rows))

    def test_json(self):
        done = self.run_of(SMALL, "--json", tables=True)
        found = json.loads(done.stdout)
        self.assertIn("are in out: runs.csv,", done.stderr)
        rows = self.rows()
        self.assertEqual((found["experiment"], found["folder"]), ("small", "out"))
        self.assertEqual(found["files"], ["runs.csv", "summary.csv", "by_depth.csv", "pairs.csv", "manifest.json",
                                          "datapackage.json"])
        self.assertEqual((found["runs"], found["made"], found["kept"]), (SMALL_ROWS, SMALL_ROWS, 0))
        self.assertEqual({status: count for status, count in found["statuses"].items() if count > 0},
                         collections.Counter(row["status"] for row in rows))
        self.assertIn("crashed", found["statuses"])
        self.assertEqual((found["exit_code"], found["reason"]), (0, "every run has its row"))
        compared = json.loads(self.tilelab("compare", "out", "--json").stdout)
        self.assertGreater(len(compared["verdicts"]), 3)
        for key in ("baseline", "summary", "verdicts", "notes"):
            self.assertEqual(found[key], compared[key])
        # Half of the rows are there already.
        lines = self.rows_file.read_text().splitlines(True)
        self.rows_file.write_text("".join(lines[:1 + SMALL_ROWS // 2]))
        found = json.loads(self.run_it("--json").stdout)
        self.assertEqual((found["made"], found["kept"]), (SMALL_ROWS // 2, SMALL_ROWS // 2))
        self.assertEqual(sum(found["statuses"].values()), SMALL_ROWS)
        self.assertNotIn("summary", found)

    def test_json_says_why_it_ended(self):
        self.write(SMALL)
        done = self.tilelab("run", "experiment.yaml", "--json", code=None, program=FAULTY, TILELAB_FAULT="segv@3")
        found = json.loads(done.stdout)
        self.assertEqual((done.returncode, found["exit_code"], found["statuses"]["crashed"]), (3, 3, 1))
        self.assertTrue(found["reason"].startswith("1 row crashed, is wrong or contradicts another"), found["reason"])
        self.assertIn(f"tilelab: {found['reason']}\n", done.stderr)
        self.assertIn("messages.csv", found["files"])
        found = json.loads(self.run_it("--json", "--set", "seed=8", code=2).stdout)
        self.assertEqual((found["exit_code"], found["folder"]), (2, "out"))
        self.assertIn("standard error", found["reason"])
        self.write("experiment: [")
        self.assertEqual(json.loads(self.run_it("--json", code=2).stdout)["exit_code"], 2)
        self.assertEqual(self.run_it("--json", "--shard", "9/3", code=2).stdout, "")  # nothing is known of the call

    def test_quiet(self):
        done = self.run_of(SMALL, "--quiet", tables=True)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        self.assertEqual(len(self.rows()), SMALL_ROWS)
        self.assertTrue((self.folder / "out" / "pairs.csv").exists())
        # What is no error, of a later call: a torn row, rows set aside.
        with open(self.rows_file, "a") as file:
            file.write("torn")
        done = self.run_it("--quiet", "--fresh", "--json")
        self.assertEqual((json.loads(done.stdout)["exit_code"], done.stderr), (0, ""))
        # An error is said.
        self.assertIn("rows of other runs", self.run_it("--quiet", "--set", "seed=8", code=2).stderr)
        run_id = self.rows()[0]["run_id"]
        for words in (["compare", "out"], ["rerun", "out", run_id], ["verify", "heuristics", "manhattan", "--size", "2x2"]):
            done = self.tilelab(*words, "--quiet", code=None)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), words)
            done = self.tilelab(*words, "--quiet", "--json", code=None)
            self.assertEqual(done.stderr, "", words)
            json.loads(done.stdout)

    def test_counters_do_not_depend_on_jobs(self):
        self.run_of(SMALL, "--jobs", "1", "--output", "out")
        one = self.without_times()
        shutil.rmtree(self.folder / "out")
        self.run_it("--jobs", "5", "--output", "out")
        self.assertEqual(one, self.without_times())

    def test_repetitions_agree(self):
        self.run_of(SMALL)
        seen = {}
        for row in self.rows():
            key = (row["set"], row["instance"], row["solver"])
            counters = tuple(row[name] for name in ("expanded", "generated", "duplicates", "max_open", "max_stored",
                                                    "peak_bytes", "length", "moves"))
            self.assertEqual(seen.setdefault(key, counters), counters)

    def test_second_call_does_nothing(self):
        self.run_of(SMALL)
        before = self.rows_file.read_bytes()
        done = self.run_it()
        self.assertIn(f"{SMALL_ROWS} of them are done already", done.stderr)
        self.assertEqual(self.rows_file.read_bytes(), before)

    def test_torn_and_missing_rows_are_run_again(self):
        self.run_of(SMALL, "--jobs", "1")
        whole = self.without_times()
        text = self.rows_file.read_bytes()
        lines = text.splitlines(keepends=True)
        for torn in (text[:-1], text[:-40], b"".join(lines[:40]), b"".join(lines[:7]) + lines[7][:5], lines[0],
                     lines[0][:30], b""):
            self.rows_file.write_bytes(torn)
            done = self.run_it()
            self.assertEqual(self.without_times(), whole)
            self.assertEqual("middle of a row" in done.stderr, torn != b"" and not torn.endswith(b"\n"))

    def test_killed_parent_loses_nothing(self):
        self.run_of(LONGER, "--jobs", "2")
        whole = self.without_times()
        shutil.rmtree(self.folder / "out")
        for rows in (0, SMALL_ROWS // 8, SMALL_ROWS // 2):  # as many as are written when it is killed, or a few more
            process = self.start("--jobs", "2", "--no-compare")
            self.wait_until(lambda: process.poll() is not None or self.lines_written() > rows, "rows come")
            process.kill()
            process.wait()
        done = self.run_it()
        self.assertRegex(done.stderr, r"\b(\d\d) of them are done already")
        self.assertEqual(self.without_times(), whole)

    def end_workers(self, process, *signals):
        """Ends one worker after the other by these signals."""
        ended = []
        for number in signals:
            ended.append(self.searching(process, *ended))
            os.kill(ended[-1], number)

    def test_ended_worker_costs_one_run(self):
        process = self.start_of(SLOW.replace("count: 4", "count: 2"), "--jobs", "1", "--no-compare")
        self.end_workers(process, signal.SIGABRT, signal.SIGTRAP)
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        self.assertIn("signal 6 (Aborted)", errors)
        self.assertIn("signal 5 (Trace/breakpoint trap)", errors)
        self.assertEqual([row["status"] for row in self.rows()], ["crashed", "crashed"])
        # The rows are there, and a later call still says what they are.
        self.assertIn("2 rows crashed, are wrong or contradict another", self.run_it(code=3).stderr)

    def test_a_worker_that_alone_is_interrupted_costs_one_run(self):
        process = self.start_of(SLOW.replace("count: 4", "count: 2").replace("100M", "2M"), "--jobs", "1", "--no-compare")
        os.kill(self.searching(process), signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("that tilelab itself did not get", errors)
        self.assertEqual(sorted(row["status"] for row in self.rows()), ["crashed", "node_limit"])
        self.write(SLOW.replace("count: 4", "count: 2").replace("astar(zero)", "{command: [sh, -c, 'kill -TERM $PPID; sleep 9'], label: bad}, bfs").replace("100M", "1k"))
        self.run_it("--fresh", code=3)
        self.assertEqual(sorted(row["status"] for row in self.rows()), ["crashed", "crashed", "node_limit", "node_limit"])

    def test_killed_worker_costs_no_run(self):
        """SIGKILL from outside says nothing of the solver: the run is made again, twice at most, and by the next call."""
        self.run_of(SLOW.replace("count: 4", "count: 1").replace("100M", "2M"))
        whole = self.without_times()
        shutil.rmtree(self.folder / "out")
        process = self.start("--jobs", "1", "--no-compare")
        self.end_workers(process, *[signal.SIGKILL] * 2)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(errors.count("tilelab: killed, and made again: astar(zero) on u/1: signal 9 (Killed), from outside\n"), 2)
        self.assertEqual(self.without_times(), whole)
        self.assertFalse((self.folder / "out" / "messages.csv").exists())
        process = self.start("--jobs", "1", "--no-compare", "--fresh")
        self.end_workers(process, *[signal.SIGKILL] * 3)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("1 run was killed by the system or a person, three times each (lost); out/messages.csv says more", errors)
        self.assertNotIn("crashed", errors)
        row, = self.rows()
        self.assertEqual((row["status"], row["length"], row["expanded"], float(row["wall_s"])), ("lost", "", "0", 0))
        # It is no result: comparisons call it unsolved, the next call makes it.
        said = self.tilelab("compare", "out").stdout
        self.assertIn("Not solved: astar(zero) 1 (lost).", said)
        self.assertIn("1 run is made again: of rows that are no result (out of memory, lost, interrupted)", self.run_it().stderr)
        self.assertEqual(self.without_times(), whole)

    def test_threads_change_times_alone(self):
        """One board on two threads has the counters of one thread, also where nodes or memory end the search."""
        def counters(limits, boards="2, 96", solvers="idastar(manhattan), 'idastar(manhattan, threads=2)'"):
            shutil.rmtree(self.folder / "out", True)
            self.write(f"experiment: threads\ninstances:\n  - {{set: korf100, select: [{boards}]}}\n"
                       f"solvers: [{solvers}]\nlimits: {{{limits}}}\nwarmup: 0\noutput: out\n")
            self.run_it()
            return {(row["solver"], row["instance"]): [row[column] for column in (
                "status", "length", "h_start", "expanded", "generated", "max_depth", "iterations")] for row in self.rows()}
        for limits, status in (("time: 60s, memory: 64MiB", "solved"), ("time: 60s, memory: 64MiB, nodes: 9M", "node_limit"),
                               ("time: 60s, memory: 100KiB", "solved")):
            rows = counters(limits)
            self.assertEqual(len(rows), 4)
            for instance in ("2", "96"):
                one, two = rows["idastar(manhattan)", instance], rows["idastar(manhattan, threads=2)", instance]
                self.assertEqual(one[0], status)
                self.assertEqual(one, two, (limits, instance))
        (row,) = counters("time: 200ms, memory: 64MiB", "82", "'idastar(linear_conflict, threads=2)'").values()
        self.assertEqual(row[0], "time_limit")
        self.assertGreater(int(row[3]), 100000)

    def test_runs_are_shuffled_by_the_seed(self):
        self.write(SMALL)
        def order():
            return [(row["instance"], row["solver"], row["repetition"]) for row in self.rows()]
        self.run_it("--jobs", "1")
        first = order()
        self.assertNotEqual(first, sorted(first))
        self.run_it("--jobs", "1", "--fresh")
        self.assertEqual(order(), first)

    def test_interrupt_keeps_rows_and_goes_on(self):
        process = self.start_of(SLOW, "--jobs", "2")
        self.searching(process)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, errors = process.communicate(timeout=30)
        self.assertLess(time.monotonic() - began, 20)  # its limit is 60 s, and other programs may keep the processors
        self.assertEqual(process.returncode, 130)
        self.assertIn("The same command continues from there", errors)
        self.assertEqual([row for row in self.rows() if row["status"] == "interrupted"], [])
        self.assertEqual(self.processes_here(), [])

    def test_a_second_interrupt_ends_at_once(self):
        process = self.start_of(SLOW, "--jobs", "1")
        worker = self.searching(process)
        os.kill(worker, signal.SIGSTOP)  # it can no longer end by itself
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.wait_until(lambda: not self.processes_here(), "no process is left")

    def test_an_interrupt_finds_a_worker_that_has_just_begun(self):
        self.write(SLOW)
        process = subprocess.Popen([FAULTY, "run", "experiment.yaml", "--jobs", "1", "-q", "--set", "limits.time=60s"], cwd=self.folder,
                                   stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={**os.environ, "TILELAB_FAULT": "late@0"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.workers_of(process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=20), 130)
        self.assertEqual(len((self.folder / "out/runs.csv").read_text().splitlines()), 1)

    def test_workers_die_with_the_parent(self):
        self.write(SLOW)
        process = subprocess.Popen([FAULTY, "run", "experiment.yaml", "--jobs", "1"], cwd=self.folder, text=True,
                                   stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   env={**os.environ, "TILELAB_FAULT": f"hang@{self.first_run()}"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.workers_of(process)
        time.sleep(0.3)  # deaf to every signal that can be held back
        process.kill()
        process.wait()
        self.wait_until(lambda: not self.processes_here(), "no process is left")

    def test_limits_by_the_system_stand_behind_a_search(self):
        self.write(SLOW)
        soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, (soft, hard))
        process = self.start("--jobs", "1", "--set", "limits.time=30s")
        worker = self.workers_of(process)[0]
        time.sleep(0.2)
        limits = {line[:26].strip(): line[26:].split()[0]
                  for line in pathlib.Path(f"/proc/{worker}/limits").read_text().splitlines()[1:]}
        self.assertEqual(limits["Max core file size"], "0")
        self.assertIn(int(limits["Max cpu time"]), range(40, 43))
        if not SANITIZED:
            self.assertIn(int(limits["Max data size"]), range(5 << 29, 6 << 29))
        self.assertEqual(os.getpgid(worker), worker)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)

    def test_set_goes_before_the_file(self):
        self.run_of(SMALL, "--set", "repetitions=1", "--set", "instances.1.count=2", "--set", "solvers.2=dfs(depth_limit=40)")
        rows = self.rows()
        self.assertEqual(len(rows), (2 + 4) * 6)
        self.assertIn("dfs(depth_limit=40)", {row["solver"] for row in rows})
        self.assertEqual((self.folder / "out" / "experiment.yaml").read_text(), SMALL)
        manifest = self.manifest()
        self.assertEqual(manifest["set"], ["repetitions=1", "instances.1.count=2", "solvers.2=dfs(depth_limit=40)"])
        self.run_it("--set", "limits.time=7s", code=2)
        self.run_it("--set", "limits.time=7s", "--fresh")
        self.assertEqual(self.manifest()["limits"]["bfs"]["seconds"], 7)
        self.assertEqual(len(self.rows()), SMALL_ROWS)
        done = self.run_it("--set", "limits.tme=7s", "--set", "jobs=many", code=2)
        self.assertIn("--set limits.tme=7s: unknown key 'tme'; expected time, memory, nodes or cpu; did you mean 'time'?",
                      done.stderr)
        self.assertIn("--set jobs=many: invalid value 'many' for 'jobs'", done.stderr)

    def test_the_manifest_keeps_labels(self):
        self.write("experiment: e\noutput: out\ninstances: [{name: u, size: 3x3, count: 1}]\n"
                   "solvers: [bfs, {algorithm: astar, heuristic: manhattan, label: A* \u2014 Manhattan}]\n")
        self.run_it()
        self.assertEqual(self.manifest()["labels"], {"astar(manhattan)": "A* \u2014 Manhattan"})
        self.assertEqual({row["solver"] for row in self.rows()}, {"bfs", "astar(manhattan)"})

    def test_the_manifest_keeps_every_session(self):
        process = self.start_of(SLOW.replace("time: 60s", "time: 300ms").replace("count: 4", "count: 2"), "--jobs", "1", "--no-compare")
        self.wait_until(lambda: process.poll() is not None or self.lines_written() == 2, "the first row comes")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        first = self.manifest()
        self.assertNotIn("finished_at", first)
        self.assertEqual(len(first["sessions"]), 1)
        self.run_it("--jobs", "2")
        second = self.manifest()
        self.assertEqual(second["sessions"][0], first["sessions"][0])
        self.assertEqual([session["rows"] for session in second["sessions"]], [1, 1])
        self.assertEqual(second["started_at"], first["started_at"])
        self.assertEqual(second["finished_at"], second["sessions"][1]["finished_at"])
        for session in second["sessions"]:
            self.assertGreater(session["clock_resolution_s"], 0)
            self.assertIn("other_processors_busy", session["noise"])
            self.assertIn("load_average", session)
        self.assertEqual(second["run_order"], "shuffled by the seed")
        self.assertEqual(second["seed"], "7")

    def test_a_busy_machine_is_reported(self):
        self.write(SLEEPS.replace("time: 60s", "time: 1200ms").replace("count: 4", "count: 1"))  # looked at after 1 s
        other = subprocess.Popen(["sh", "-c", "while :; do :; done"])
        try:
            done = self.run_it("--jobs", "1")
        finally:
            other.kill()
            other.wait()
        self.assertRegex(done.stderr, r"the machine is busy: other processes keep [0-9.]+ of its \d+ processor")
        noise = self.manifest()["sessions"][0]["noise"]
        self.assertGreater(noise["other_processors_busy"], 0.25)
        self.assertTrue(noise["disturbed"])

    def test_warm_up_runs_leave_no_rows(self):
        self.run_of(SMALL, "--set", "warmup=0")
        cold = self.without_times()
        self.run_it("--fresh", "--set", "warmup=20", "--jobs", "2")
        self.assertEqual(self.without_times(), cold)
        self.assertEqual(self.manifest()["warmup"], 20)
        # A warm-up that dies costs no row.
        self.write(SLOW.replace("warmup: 0", "warmup: 1").replace("100M", "2M").replace("count: 4", "count: 1"))
        process = self.start("--jobs", "1", "--no-compare", "--fresh")
        os.kill(self.searching(process), signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn("no more warm-up runs, since one crashed", errors)
        self.assertEqual([row["status"] for row in self.rows()], ["node_limit"])

    def test_pinned_workers_stay_on_their_processors(self):
        available = sorted(os.sched_getaffinity(0))
        self.write(SLOW)
        jobs = min(2, len(available))
        process = self.start("--jobs", str(jobs), "--set", "pin=true")
        workers = self.workers_of(process, jobs)
        time.sleep(0.2)
        places = [os.sched_getaffinity(worker) for worker in workers]
        self.assertEqual([len(place) for place in places], [1] * jobs)
        self.assertEqual(len(set.union(*places)), jobs)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(sorted(self.manifest()["sessions"][0]["pinned_to"]), sorted(set.union(*places)))
        done = self.run_it("--jobs", "1024", "--set", "pin=true", "--set", "repetitions=1000", code=2)
        self.assertIn("1024 jobs cannot be pinned to ", done.stderr)

    def test_a_second_tilelab_is_refused(self):
        process = self.start_sleeping("--jobs", "1")
        done = self.run_it(code=2)
        self.assertIn(f"is being written by another tilelab, process {process.pid};", done.stderr)
        before = self.rows_file.read_bytes()
        self.run_it("--fresh", code=2)
        self.assertEqual(self.rows_file.read_bytes(), before)
        process.kill()
        process.wait()

    def test_rows_of_other_settings_are_not_mixed_in_silence(self):
        self.run_of(SMALL)
        before = self.rows_file.read_bytes()
        done = self.run_of(SMALL.replace("nodes: 1k", "nodes: 900"), code=2)
        self.assertIn("16 rows of other runs", done.stderr)
        self.assertIn("--fresh", done.stderr)
        self.assertEqual(self.rows_file.read_bytes(), before)
        self.run_it("--keep")
        self.assertEqual(len(self.rows()), SMALL_ROWS + 16)
        self.run_it("--fresh")
        self.assertEqual(len(self.rows()), SMALL_ROWS)
        self.assertTrue((self.folder / "out" / "runs.csv.1").is_file())

    def test_limits_end_runs_with_their_status(self):
        self.run_of(SLOW.replace("time: 60s", "time: 200ms").replace("count: 4", "count: 1"))
        row = self.rows()[0]
        self.assertEqual(row["status"], "time_limit")
        self.assertGreater(int(row["expanded"]), 0)
        self.assertLess(float(row["wall_s"]), 5)
        self.run_of(SLOW.replace("memory: 1GiB", "memory: 1MiB").replace("count: 4", "count: 1"), "--fresh")
        row = self.rows()[0]
        self.assertEqual(row["status"], "memory_limit")
        self.assertLessEqual(int(row["peak_bytes"]), 1 << 20)
        self.assertGreater(int(row["peak_bytes"]), 1 << 19)

    def test_unsolvable_boards_are_an_answer(self):
        self.write("""experiment: parity
instances:
  - {name: b, boards: [1 2 3 4 5 6 8 7 0, 1 2 3 4 5 6 7 0 8]}
solvers: [bfs, astar(manhattan)]
output: out
""")
        done = self.run_it()
        self.assertEqual(done.stderr.count("unsolvable for this goal"), 1)
        self.assertIn("tilelab: b/1", done.stderr)
        self.assertEqual(sorted(row["status"] for row in self.rows()),
                         ["solved", "solved", "unsolvable", "unsolvable"])

    def test_the_folder_cannot_be_made(self):
        self.write(SMALL)
        (self.folder / "out").write_text("a file")
        done = self.run_it(code=1)
        self.assertIn("out cannot be made", done.stderr)

    def test_a_file_that_is_not_ours_is_left_alone(self):
        self.write(SMALL)
        self.rows_file.parent.mkdir()
        for text in ("name,age\nada,36\nalan,41", "not a table", "run_id,experiment,set\n1,2,3\n"):
            self.rows_file.write_text(text)
            self.assertIn("runs.csv:1:1: the columns are not those", self.run_it(code=2).stderr)
            self.assertEqual(self.rows_file.read_text(), text)
        self.run_it("--fresh")
        self.assertEqual(len(self.rows()), SMALL_ROWS)
        self.assertEqual((self.rows_file.parent / "runs.csv.1").read_text(), text)

    def test_a_full_disk_loses_nothing_and_tears_nothing(self):
        self.run_of(SMALL, "--jobs", "1")
        whole = self.without_times()
        size = self.rows_file.stat().st_size
        for blocks in (2, 5, 9):  # of 1,024 bytes each, in bash
            self.assertLess(blocks * 1024, size)
            shutil.rmtree(self.folder / "out")
            done = subprocess.run(["bash", "-c", f"ulimit -f {blocks}; exec \"$@\"", "bash",
                                   TILELAB, "run", "experiment.yaml", "--no-compare"],
                                  cwd=self.folder, text=True, capture_output=True, timeout=300)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr.count("cannot be written"), 1, done.stderr)
            self.assertTrue(self.rows_file.read_bytes().endswith(b"\n"))
            self.assertLessEqual(set(self.without_times()), set(whole))
            self.run_it()
            self.assertEqual(self.without_times(), whole)

    def test_a_full_disk_is_said_once_and_status_says_failed(self):
        self.write(SMALL.replace("count: 4", "count: 40") + "rounds: true\n")
        disk = self.folder / "disk"
        disk.mkdir()
        for size in 32, 64, 96:  # KiB: room for datapackage.json or not
            script = f"mount -t tmpfs -o size={size}k none disk && cd disk && shift && " \
                     '"$0" run ../experiment.yaml --shard 1/1 -o out; "$0" status out --json; "$0" run ../experiment.yaml --shard 1/1 -q -o out'
            done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, TILELAB, "-"], cwd=self.folder, text=True,
                                  capture_output=True, timeout=300)
            if "unshare" in done.stderr or "mount:" in done.stderr:
                self.skipTest(f"no small disk can be mounted: {done.stderr}")
            self.assertEqual(done.stderr.count("cannot be written"), 2, done.stderr)  # one in each call
            shard, = json.loads(done.stdout)["shards"]
            self.assertEqual((shard["state"], shard["starts"]), ("failed", 1), size)

    def test_a_full_disk_has_one_line_wherever_it_is_full(self):
        """From the first file to the last: the disk has 4 KiB more each time."""
        self.write(SMALL)
        (self.folder / "disk").mkdir()
        said = set()
        for size in range(4, 40, 4):
            script = f'mount -t tmpfs -o size={size}k none disk && cd disk && exec "$0" run ../experiment.yaml -q -n -o out'
            done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, TILELAB], cwd=self.folder, text=True,
                                  capture_output=True, timeout=300)
            if "unshare" in done.stderr or "mount:" in done.stderr:
                self.skipTest(f"no small disk can be mounted: {done.stderr}")
            self.assertEqual(done.returncode, 1, size)
            self.assertRegex(done.stderr, r"\Atilelab: [^\n]*out/(\w+\.\w+)[: ][^\n]*No space left on device[^\n]*\n\Z", size)
            said.add(re.search(r"out/(\w+\.\w+)", done.stderr).group(1))
        self.assertEqual(said, {"experiment.yaml", "manifest.json", "datapackage.json", "runs.csv"})

    def test_wrong_use(self):
        self.write(SMALL)
        for words, expected in ((["--jobs", "0"], "--jobs 0: expected a whole number from 1 to 1024"),
                                (["--jobs", "x"], "--jobs x: expected"), (["second.yaml"], "a second experiment")):
            done = self.tilelab("run", "experiment.yaml", *words, code=2)
            self.assertIn(expected, done.stderr)
            self.assertEqual(done.stdout, "")
        done = self.tilelab("run", "nosuch", code=2)
        self.assertEqual(done.stdout, "")


    def rerun(self, run_id, code):
        done = self.tilelab("rerun", "out", run_id, code=code)
        return done

    def test_rerun(self):
        self.run_of(SMALL)
        rows = self.rows()
        for solver in ("dfs", "bfs", "lcbb(misplaced)", "greedy(manhattan)"):
            row = next(row for row in rows if row["solver"] == solver)
            self.assertIn("Everything else is the same", self.rerun(row["run_id"], 0).stdout)
            self.assertIn(f"{solver} on {row['set']}/{row['instance']}", self.rerun(row["run_id"][:10], 0).stdout)
        limited = next(row for row in rows if row["status"] == "node_limit")
        self.rerun(limited["run_id"], 0)
        # A row that was tampered with.
        row = next(row for row in rows if row["solver"] == "bfs")
        text = self.rows_file.read_text()
        line = next(line for line in text.splitlines() if line.startswith(row["run_id"]))
        wrong = line.replace(f",{row['expanded']},{row['generated']},", f",{row['expanded']},123456789,")
        self.assertNotEqual(line, wrong)
        self.rows_file.write_text(text.replace(line, wrong))
        done = self.rerun(row["run_id"], 3)
        self.assertRegex(done.stdout, rf"generated +123456789 +{row['generated']}\n")
        # Ids that name no row, or many.
        self.assertIn("0 rows whose run_id begins with 'nothing'", self.rerun("nothing", 2).stderr)
        self.assertIn(f"{SMALL_ROWS} rows whose run_id begins with ''", self.rerun("", 2).stderr)


class Batches(Harness):
    """Runs of well below a millisecond go to a worker many at a time. What befalls one of them costs that one."""

    experiment = """experiment: short
seed: 7
warmup: 0
instances: [{name: w, size: 3x3, method: walk, steps: 12, count: 60}]
solvers: [astar(manhattan), greedy(manhattan)]
limits: {time: TIME, memory: 64MiB}
output: out
"""
    runs = 120

    def setUp(self):
        super().setUp()
        self.write(self.experiment.replace("TIME", "30s"))

    def order(self):
        """The runs' numbers in the order in which they are started, from 0."""
        done = self.tilelab("plan", "--runs", "experiment.yaml")
        return [int(line.split()[0]) - 1 for line in done.stdout.splitlines() if line.strip() and line.split()[0].isdigit()]

    def faulty(self, fault):
        """The rows, and what is said."""
        shutil.rmtree(self.folder / "out", True)
        done = self.tilelab("run", "experiment.yaml", "--no-compare", "--jobs", "1", code=3, program=FAULTY, TILELAB_FAULT=fault)
        return self.rows(), done.stderr

    def test_the_worker_answers_many_at_once(self):
        """The parent waits once for a batch, not once for a run."""
        if SANITIZED or shutil.which("strace") is None:
            self.skipTest("needs strace and a program without sanitizers")
        done = subprocess.run(["strace", "-qq", "-f", "-e", "trace=poll", "-o", "polls", TILELAB, "run", "experiment.yaml", "--no-compare", "--jobs", "1"],
                              cwd=self.folder, capture_output=True, text=True)
        if done.returncode and "ptrace" in done.stderr:
            self.skipTest("no process may be traced here")
        self.assertEqual(len(self.rows()), self.runs)
        self.assertLess((self.folder / "polls").read_text().count("poll("), self.runs / 2)

    def test_what_befalls_one_run_costs_that_one_alone(self):
        self.run_it("--jobs", "1")
        whole = {(row["instance"], row["solver"]): row for row in self.rows()}
        self.assertEqual(len(whole), self.runs)
        names = list(whole)  # one job: in the order of their start
        victim = 57
        number = self.order()[victim]
        for kind, reason in (("segv", "signal 11"), ("abort", "signal 6"), ("kill", "signal 9"), ("exit", "exit code 7"), ("stack", ""),
                             ("garbage", ""), ("short", ""), ("orphan", "signal 9"),
                             *(() if SANITIZED else (("memory", ""), ("hang", "no answer long after its time limit")))):
            with self.subTest(kind):
                if kind == "hang":
                    self.write(self.experiment.replace("TIME", "200ms"))
                began = time.monotonic()
                rows, said = self.faulty(f"{kind}@{number}")
                if kind == "orphan":
                    # The worker's end is seen although its channel stays open, and nothing of it is left behind.
                    self.assertLess(time.monotonic() - began, 30)
                    self.assertEqual(self.processes_here(), [])
                self.assertEqual([(row["instance"], row["solver"]) for row in rows], names)  # none is lost, doubled or moved
                self.assertEqual([i for i, row in enumerate(rows) if row["status"] != "solved"], [victim])
                status = "lost" if reason == "signal 9" else "crashed"
                self.assertEqual(rows[victim]["status"], status)
                self.assertEqual(said.count(f"tilelab: {status}: "), 1, said)
                self.assertIn(reason, said)
                for row, name in zip(rows, names):
                    if kind != "hang" and row["status"] == "solved":
                        for column in row:
                            if column not in (*TIMES, "build", "run_id"):
                                self.assertEqual(row[column], whole[name][column], column)

    def test_a_lie_costs_the_liar_alone(self):
        victim = 57
        number = self.order()[victim]
        for kind in ("lie_wall_long", "lie_wall_nan", "lie_cpu_long", "lie_expanded", "lie_path"):
            with self.subTest(kind):
                rows, _ = self.faulty(f"{kind}@{number}")
                self.assertEqual([i for i, row in enumerate(rows) if row["status"] != "solved"], [victim])
                self.assertEqual(rows[victim]["status"], "wrong_answer")

    def test_rows_are_there_before_a_long_run_behind_them_ends(self):
        """A run that is much longer than those before it holds up neither their rows nor the runs behind it."""
        self.write(self.experiment.replace("TIME", "60s"))
        number = self.order()[57]
        process = subprocess.Popen([FAULTY, "run", "experiment.yaml", "--no-compare", "--jobs", "1"], cwd=self.folder,
                                   stderr=subprocess.DEVNULL, env={**os.environ, "TILELAB_FAULT": f"hang@{number}"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.wait_until(lambda: self.lines_written() > 57, "57 rows")
        self.assertEqual(self.lines_written() - 1, 57)


class Kills(Harness):
    """kill -9 at random moments, again and again, of the parent, of a worker, of all: the rows that were written
    stay, the next call goes on, and in the end runs.csv is what an undisturbed run writes. TILELAB_LONG=1 kills a few
    hundred times."""

    MOST_KILLS = 300 if os.environ.get("TILELAB_LONG") else 6
    SEED = 20261120

    def test_kills_at_random_moments(self):
        chance = random.Random(self.SEED)
        count = 60 if os.environ.get("TILELAB_LONG") else 4
        self.run_of(LONGER.replace("count: 4", f"count: {count}"), "--jobs", "2")
        whole = self.without_times()
        kills = 0
        while kills < self.MOST_KILLS:
            shutil.rmtree(self.folder / "out")
            before = b""
            finished = False
            while not finished and kills < self.MOST_KILLS:
                process = self.start("--jobs", "2", "--no-compare")
                time.sleep(chance.uniform(0.0, 0.3))
                victims = chance.choice(("parent", "worker", "all"))
                try:
                    workers = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                except OSError:
                    workers = []
                for pid in {"parent": [process.pid], "all": [process.pid, *workers],
                            "worker": [chance.choice(workers)] if workers else []}[victims]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(pid), signal.SIGKILL)
                        kills += 1
                _, errors = process.communicate(timeout=120)
                self.assertIn(process.returncode, (0, -signal.SIGKILL), f"seed {self.SEED}: {errors}")
                finished = process.returncode == 0
                after = self.rows_file.read_bytes() if self.rows_file.exists() else b""
                kept = before[:before.rfind(b"\n") + 1]  # a torn last row may go, nothing else
                self.assertEqual(after[:len(kept)], kept, f"seed {self.SEED}")
                before = after
            done = self.tilelab("run", "experiment.yaml", "--no-compare", code=None)
            self.assertEqual(done.returncode, 0, f"seed {self.SEED}: {done.stderr}")
            # A run that was killed in its worker was made again.
            self.assertEqual(self.without_times(), whole)
        self.assertGreaterEqual(kills, self.MOST_KILLS)


class Million(Harness):
    """The parent's memory does not grow with the rows that are written. TILELAB_LONG=1 writes a million of them."""

    def memory_of(self, process):
        """KiB of its own that the process holds, or None when it is gone."""
        with contextlib.suppress(OSError):
            for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    return int(line.split()[1])
        return None

    @unittest.skipIf(SANITIZED, "a sanitizer keeps freed memory for a while")
    def test_memory_does_not_grow_with_the_rows(self):
        count = 1000000 if os.environ.get("TILELAB_LONG") else 20000
        self.write(f"""experiment: many
instances: [{{name: b, boards: [1 2 3 4 5 6 7 0 8]}}]
solvers: [bfs]
repetitions: {count}
output: out
""")
        process = self.start("--jobs", "2", "--no-compare", "--sync", "1h")
        line = None
        early = most = None
        while process.poll() is None:
            size = self.rows_file.stat().st_size if self.rows_file.exists() else 0
            if line is None and size > 4096:
                line = len(self.rows_file.read_text().splitlines()[1]) + 1
            held = self.memory_of(process)
            if line is not None and held is not None:
                if early is None and size > line * count // 10:
                    early = held
                most = max(most or 0, held)
            time.sleep(0.005)
        process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertIsNotNone(early)
        self.assertLess(most - early, 256, f"{early} KiB after a tenth of the rows, {most} KiB later")
        with open(self.rows_file) as file:
            self.assertEqual(sum(1 for _ in file), count + 1)


class Classics(Case):
    """The published examples, through the experiment that ships."""

    def test_classics(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([TILELAB, "run", "classics", "--output", folder], check=True, capture_output=True)
            rows = {(row["instance"], row["solver"]): row for row in read_table(os.path.join(folder, "runs.csv"))}
        for instance, solver, length, expanded, generated in (
                ("lcbb-3x3", "lcbb(misplaced)", 3, 3, 9),
                ("lcbb-3x3", "lcbb(misplaced, duplicates=none)", 3, 3, 11),
                ("greedy-4x4", "descent(misplaced, count_blank)", 3, 3, 10),
                ("astar-3x3", "bfs", 8, 158, 267),
                ("astar-3x3", "astar(misplaced, depth_limit=10)", 8, 16, 31)):
            row = rows[instance, solver]
            self.assertEqual((row["status"], int(row["length"]), int(row["expanded"]), int(row["generated"])),
                             ("solved", length, expanded, generated), (instance, solver))
