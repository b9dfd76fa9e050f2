"""The running of searches: limits of the system, sleep, lies of workers, what is kept of failures, what is shown meanwhile."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from support import SANITIZED, SOURCE, on_terminal, read_table
from test_run import FAULTY, SLOW, SMALL, TILELAB, Harness

THOROUGH = os.environ.get("TILELAB_LONG") == "1"

# dfs finds the goal after 400,000 moves: an answer that no socket holds at once.
LONG = """experiment: long
warmup: 0
instances:
  - {name: b, boards: [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0], goal: 0 1 4 12 3 2 8 15 11 14 7 10 5 9 13 6}
solvers: [dfs]
limits: {time: TIME}
output: out
"""

ONE = """experiment: one
warmup: 0
instances:
  - {name: b, boards: [8 6 7 2 5 4 3 0 1]}
solvers: [SOLVER]
limits: {time: 20s, memory: 256MiB, nodes: 10M}
output: out
"""

MANY = """experiment: many
seed: 3
warmup: 0
instances:
  - {name: u, size: 3x3, count: 40}
solvers: [astar(manhattan)]
output: out
"""


def limited(**limits):
    """For preexec_fn: (soft, hard) of RLIMIT_NOFILE and the like."""
    def limit():
        for name, pair in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), pair)
    return limit


# Many checkpoints of one search.
FAR = """experiment: far
warmup: 0
instances:
  - {name: b, boards: [14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3], goal: blank-first}
solvers: [idastar(euclidean), bfs]
limits: {time: 100s, memory: 8MiB, nodes: 10M}
checkpoint: 20ms
jobs: 1
output: out
"""


class Checkpoints(Harness):
    def test_a_killed_run_goes_on(self):
        """kill -9 of tilelab and its workers, again and again: the row is that of an undisturbed run, its time the sum."""
        self.run_of(FAR.replace("checkpoint: 20ms\n", ""))
        undisturbed = self.without_times()
        shutil.rmtree(self.folder / "out")
        self.write(FAR)
        kept = self.folder / "out/checkpoints"
        kills = 0
        for _ in range(30):
            process = subprocess.Popen([TILELAB, "run", "experiment.yaml", "--no-compare", "-q"], cwd=self.folder, stderr=subprocess.DEVNULL)
            before = self.seen(kept)
            self.wait_until(lambda: process.poll() is not None or self.seen(kept) != before, "a checkpoint is written")
            if kills < 4:
                process.kill()
                kills += process.wait() == -signal.SIGKILL
            elif process.wait() == 0:
                break
        self.assertGreater(kills, 2)
        self.assertEqual(self.without_times(), undisturbed)
        self.assertFalse(kept.exists())

    @staticmethod
    def seen(folder):
        try:
            return {path: path.stat().st_mtime_ns for path in folder.glob("[!.]*")}
        except FileNotFoundError:
            return {}

    def test_an_interrupted_run_goes_on_and_fresh_begins_again(self):
        process = self.start_of(FAR.replace(", bfs", ""), "--no-compare")
        self.wait_until(lambda: self.seen(self.folder / "out/checkpoints") or process.poll() is not None, "there is a checkpoint")
        process.send_signal(signal.SIGTERM)
        process.wait()
        self.assertEqual(len(list((self.folder / "out/checkpoints").iterdir())), 1)
        self.run_it("--fresh")
        self.assertFalse((self.folder / "out/checkpoints").exists())


class Workers(Harness):
    def messages(self):
        return read_table(self.folder / "out" / "messages.csv")

    def run_with(self, *words, program=TILELAB, code=0, fault=None, **options):
        environment = {**os.environ, **({} if fault is None else {"TILELAB_FAULT": fault})}
        done = subprocess.run([program, "run", "experiment.yaml", "--no-compare", *words], cwd=self.folder, text=True,
                              capture_output=True, timeout=300, env=environment, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done


class Times(Workers):
    def test_processor_time_is_no_matter_of_ticks(self):
        self.write(MANY.replace("count: 40", "count: 150").replace("[astar", "[bibfs, astar"))
        self.run_with()
        self.assertGreater(self.manifest()["sessions"][0]["overhead_median_s"], 0)
        times = [row["cpu_s"] for row in self.rows()]
        self.assertEqual(len(times), 300)
        self.assertLessEqual(times.count("0.000000000"), 3)
        self.assertGreater(len(set(times)), 200)

    def test_processor_time_is_the_time_of_a_pinned_search(self):
        process = self.start_of(SLOW.replace("nodes: 100M", "nodes: 1M").replace("warmup: 0", "warmup: 0\npin: true"), "--jobs", "1", "--no-compare")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        # On a quiet machine that is near the wall time; on any, near what the system says all of it took.
        searched = sum(float(row["cpu_s"]) for row in self.rows())
        self.assertLess(searched, 1.02 * (used.ru_utime + used.ru_stime))
        self.assertGreater(searched, (0.2 if SANITIZED else 0.6) * (used.ru_utime + used.ru_stime))
        for row in self.rows():
            self.assertLess(float(row["cpu_s"]), float(row["wall_s"]) + 0.001)


class Progress(Workers):
    def frames_of(self, *words):
        """What a terminal of 80 columns is shown, one text for each time the line is drawn."""
        shown, done = on_terminal([TILELAB, "run", "experiment.yaml", "--no-compare", "--jobs", "1", *words], "stdin", "stdout", "stderr",
                                  cwd=self.folder, env={**os.environ, "TERM": "xterm"})
        self.assertEqual(done.returncode, 0, shown)
        return [frame.replace("\x1b[K", "") for frame in re.split(r"[\r\n]+", shown) if " left" in frame or " solved, " in frame]

    def test_the_time_left_is_that_of_the_rows_still_to_come(self):
        quick = MANY.replace("count: 40", "count: 300") + "limits: {time: 250ms, memory: 1GiB}\n"
        self.write(quick)
        self.run_with()
        self.write(quick.replace("solvers:", "  - {name: slow, size: 6x6, count: 5}\nsolvers:"))
        frames = self.frames_of()
        self.assertIn("300 of 305 runs  300 solved, 0 not  0:00", frames[0])
        for frame in frames:
            self.assertLess(len(frame), 80, frame)
            self.assertRegex(frame, r"^\[#*\.*\]  30\d of 305 runs  300 solved, \d not  0:0\d(, 0:0\d left)?$")
        self.assertTrue(any(", 0:01 left" in frame for frame in frames), frames)  # of five, not of all 305

    def test_one_run_is_no_runs(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        done = self.run_with()
        self.assertIn(": 1 run (1 instance x 1 solver x 1 repetition), 1 at a time", done.stderr)
        self.assertRegex(done.stderr, r"tilelab: 1 run in [0-9.]+ s\n$")
        self.assertIn("1 of them is done already", self.run_with().stderr)


class Descriptors(Workers):
    def test_the_soft_limit_is_raised(self):
        self.write(MANY)
        done = self.run_with("--jobs", "30", preexec_fn=limited(NOFILE=(32, 4096)))
        self.assertNotIn("only", done.stderr)
        self.assertEqual(len(self.rows()), 40)

    def test_fewer_workers_than_jobs_go_on(self):
        self.write(MANY)
        for words, files, least in ((["--jobs", "30"], 32, 8), (["--jobs", "8"], 10, 1)):
            shutil.rmtree(self.folder / "out", True)
            done = self.run_with(*words, preexec_fn=limited(NOFILE=(files, files)))
            said = re.findall(r"tilelab: only (\d+) worker process(?:es)? can be started: Too many open files; going on with (\d+)\n",
                              done.stderr)
            self.assertEqual(len(said), 1, done.stderr)
            self.assertEqual(said[0][0], said[0][1])
            self.assertIn(int(said[0][0]), range(least, files // 2))
            self.assertEqual({row["status"] for row in self.rows()}, {"solved"})
            self.assertEqual(len(self.rows()), 40)
            self.assertEqual(self.manifest()["sessions"][0]["ended"], "done")

    def test_without_any_worker_it_ends_at_once(self):
        self.write(MANY)
        for files in range(3, 12):
            began = time.monotonic()
            done = subprocess.run([TILELAB, "run", "experiment.yaml", "--no-compare", "--jobs", "8"], cwd=self.folder, text=True,
                                  capture_output=True, timeout=60, preexec_fn=limited(NOFILE=(files, files)))
            self.assertLess(time.monotonic() - began, 30)
            self.assertIn(done.returncode, (0, 1, 2, 127), (files, done.stderr))
            self.assertEqual(done.returncode == 0, self.rows_file.exists() and len(self.rows()) == 40, (files, done.stderr))

    def test_a_refused_fork_is_no_end(self):
        self.write(MANY)
        done = self.run_with("--jobs", "8", program=FAULTY, fault="fork@2")
        self.assertEqual(done.stderr.count("only 2 worker processes can be started: Resource temporarily unavailable; "
                                           "going on with 2\n"), 1, done.stderr)
        self.assertEqual(len(self.rows()), 40)
        done = self.run_with("--jobs", "8", "--fresh", program=FAULTY, fault="fork@0", code=1)
        self.assertEqual(done.stderr.count("no worker process can be started: Resource temporarily unavailable"), 1)
        self.assertEqual(self.rows(), [])
        session = self.manifest()["sessions"][-1]
        self.assertEqual((session["ended"], session["rows"]), ("failed", 0))
        self.assertIn("finished_at", session)


@unittest.skipIf(SANITIZED, "a sanitizer needs more address space than it uses")
class Memory(Workers):
    def test_what_the_system_refuses_is_not_the_budget(self):
        space = {"preexec_fn": limited(AS=(64 << 20, 64 << 20))}
        self.write(SLOW.replace("count: 4", "count: 1").replace("memory: 1GiB", "memory: 4GiB")
                   .replace("[astar(zero)]", "[astar(zero), bfs, 'lcbb(zero)']"))
        done = self.run_with("--jobs", "1", code=3, **space)
        self.assertEqual([row["status"] for row in self.rows()], ["out_of_memory"] * 3)
        for row in self.rows():
            self.assertLess(int(row["peak_bytes"]), 64 << 20)
            self.assertGreater(int(row["generated"]), 10000)
        self.assertIn("the system refused memory to 3 runs before the budget was spent", done.stderr)
        self.assertIn("the same command makes them again", done.stderr)
        self.assertNotIn("crashed", done.stderr)
        board = "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0".split()
        done = subprocess.run([TILELAB, "solve", "-s", "astar(zero)", "--memory", "4GiB", *board], text=True,
                              capture_output=True, timeout=60, **space)
        self.assertEqual(done.returncode, 3)
        self.assertIn("status: out_of_memory", done.stdout)
        # A budget within what there is stays the budget's matter.
        done = subprocess.run([TILELAB, "solve", "-s", "astar(zero)", "--memory", "16MiB", *board], text=True,
                              capture_output=True, timeout=60, **space)
        self.assertIn("status: memory_limit", done.stdout)

    def test_what_is_refused_outside_the_budget(self):
        """A heuristic's tables are made before the search, and are none of its budget."""
        self.write("""experiment: one
warmup: 0
instances: [{name: b, boards: [1 2 3 4 5 6 7 8 9 10 11 0 13 14 15 12]}]
solvers: [astar(manhattan), bfs]
limits: {time: 20s, memory: 16MiB}
output: out
""")
        done = self.run_with("--jobs", "1", program=FAULTY, fault="starve@0", code=3)
        self.assertEqual({row["solver"]: row["status"] for row in self.rows()},
                         {"astar(manhattan)": "out_of_memory", "bfs": "solved"})
        self.assertIn("the system refused memory to 1 run before the budget was spent", done.stderr)
        self.assertNotIn("crashed", done.stderr)
        self.assertFalse((self.folder / "out" / "messages.csv").exists())
        # The next call makes it again.
        done = self.run_with("--jobs", "1", program=FAULTY)
        self.assertEqual([row["status"] for row in self.rows()], ["solved"] * 2)


class Killed(Workers):
    """What the system kills for want of memory is made again, and then lost: neither the solver's fault nor its limit."""

    def group(self, mebibytes):
        """The file that a process writes 0 to, to be in a control group of so much memory."""
        lines = [line.split(":", 2) for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()]
        places = [(pathlib.Path("/sys/fs/cgroup") / controllers / path.lstrip("/"), limit) for _, controllers, path in lines
                  for name, limit in (("", "memory.max"), ("memory", "memory.limit_in_bytes")) if name == controllers]
        for place, limit in places:
            group = place / f"tilelab-test-{os.getpid()}"
            try:
                group.mkdir()
                self.addCleanup(group.rmdir)
                (group / limit).write_text(f"{mebibytes}M")
                return group / "cgroup.procs"
            except OSError:
                continue
        self.skipTest("no control group of memory can be made here")

    @unittest.skipIf(SANITIZED, "a sanitizer needs more memory than it says")
    def test_a_group_smaller_than_the_limit(self):
        self.write("kept = [b'x' * (1 << 20) for _ in range(900)]", "eater.py")
        self.write("import subprocess, sys\nsubprocess.run([sys.executable, '-IS', 'eater.py'])\nprint('no luck')", "starts.py")
        self.write(ONE.replace("8 6 7 2 5 4 3 0 1", "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0").replace("256MiB", "1GiB")
                   .replace("10M", "none").replace("20s", "90s").replace("[SOLVER]", "[astar(zero), {command: [python3, -IS, eater.py]}, "
                                                   "{command: [python3, -IS, starts.py]}]"))
        procs = self.group(48)
        inside = {"preexec_fn": lambda: procs.write_text("0")}
        done = self.run_with("--jobs", "1", code=3, **inside)
        self.assertEqual([row["status"] for row in self.rows()], ["lost"] * 3, (done.stderr, self.rows()))
        self.assertNotIn("crashed", done.stderr)
        for row in self.messages():
            self.assertIn("the system had no memory left", row["message"])
        # A search that keeps a limit that there is memory for ends at it.
        self.run_with("--jobs", "1", "--set", "limits.memory=16MiB", "--set", "solvers=[astar(zero)]", "--fresh", **inside)
        self.assertEqual([row["status"] for row in self.rows()], ["memory_limit"])


class Sleep(Workers):
    """A parent that is stopped cannot tell how late its workers are. With TILELAB_LONG=1 it sleeps longer than the time
    limits below and what a worker is granted beyond them."""

    ASLEEP = 7 if THOROUGH else 2  # seconds

    def test_time_asleep_is_not_the_workers(self):
        # Alone: its worker has the answer, which is longer than what the system holds of it.
        alone = self.start_of(LONG.replace("TIME", "1s" if not SANITIZED else "60s"), "--no-compare", "--output", "alone")
        self.workers_of(alone)
        os.kill(alone.pid, signal.SIGSTOP)
        # With its workers, in the middle of their searches.
        together = self.start_of(SLOW.replace("time: 60s", "time: 700ms"), "--no-compare", "--jobs", "2", "--output", "together")
        workers = self.workers_of(together, 2)
        self.searching(together)
        for process in (*workers, together.pid):
            os.kill(process, signal.SIGSTOP)
        time.sleep(self.ASLEEP)
        for process in (alone.pid, together.pid, *workers):
            os.kill(process, signal.SIGCONT)
        for process in (alone, together):
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
        rows = read_table(self.folder / "alone" / "runs.csv")
        # A search that the machine's others held up for a second has met its limit; it has not crashed.
        self.assertIn([(row["status"], row["length"]) for row in rows], ([("solved", "400000")], [("time_limit", "")]))
        rows = read_table(self.folder / "together" / "runs.csv")
        self.assertEqual([row["status"] for row in rows], ["time_limit"] * 4)
        # Wall time is wall time: what was stopped used it up.
        self.assertEqual(sorted(float(row["wall_s"]) > self.ASLEEP for row in rows), [False, False, True, True])


class Lies(Workers):
    """A worker that says what cannot be is believed in nothing."""

    # What is said of each, by the lies that tests/faults.c knows.
    INFORMED = {
        "lie_no_expansion": "more than 0 expanded ones have successors", "lie_deep": "was kept, but",
        "lie_no_store": "but no more than 0 nodes were held", "lie_rounds": "iterations, but",
        "lie_found": "first_found and best_found are 1 and 1, which this algorithm does not count",
        "lie_expanded": "nodes were expanded, but", "lie_generated": "above the limit of 10000000",
        "lie_nothing": "no node was generated", "lie_duplicates": "duplicates among", "lie_reopened": "nodes were reopened, but",
        "lie_max_open": "were open at once", "lie_max_stored": "were held at once",
        "lie_max_depth": "no node deeper than 0 was kept", "lie_iterations": "solved in no iteration",
        "lie_peak": "bytes were held, above the budget of 268435456", "lie_no_bytes": "nodes were held in 0 bytes",
        "lie_best_found": "the best solution was found at node", "lie_first_found": "the best solution was found at node 0",
        "lie_open_at_end": "nodes were open at the end, but no more than",
        "lie_time_limit": "ended by the time limit, but after",
        "lie_cpu_limit": "ended by the limit of processor time, but after", "lie_node_limit": "ended by the limit of nodes, but generated",
        "lie_memory_limit": "ended by the memory budget, but held", "lie_stuck": "found no solution, although there is one",
        "lie_unsolvable": "an unsolvable board is not searched", "lie_wall_nan": "wall_s is nan",
        "lie_wall_negative": "wall_s is -1", "lie_wall_long": "wall_s is 1000000", "lie_cpu_nan": "cpu_s is nan",
        "lie_cpu_negative": "cpu_s is -1", "lie_cpu_long": "cpu_s is 1.", "lie_no_h": "h at the start is -1",
        "lie_h": "h at the start is -3", "lie_long_h": "h at the start is 1000000", "lie_path": "the path",
    }
    BLIND = {"lie_some_h": "h at the start is 4 (-1: no heuristic)"}
    DEEPENING = {"lie_round": "in the rounds", "lie_no_round": "iterations, but"}

    def test_every_lie_is_found(self):
        lies = re.findall(r"LIE\((lie_\w+)", (SOURCE / "tests/faults.c").read_text())
        self.assertEqual(set(lies), {*self.INFORMED, *self.BLIND, *self.DEEPENING, "lie_crashed"})
        for solver, cases in (("astar(misplaced)", self.INFORMED), ("bfs", self.BLIND), ("idastar(misplaced)", self.DEEPENING)):
            self.write(ONE.replace("SOLVER", solver) + "rounds: true\n")
            for lie, reason in cases.items():
                with self.subTest(lie):
                    shutil.rmtree(self.folder / "out", True)
                    done = self.run_with(program=FAULTY, fault=f"{lie}@0", code=3)
                    self.assertIn(f"tilelab: wrong answer: {solver} on b/1: ", done.stderr)
                    self.assertIn(reason, done.stderr)
                    row, = self.rows()
                    self.assertEqual(row["status"], "wrong_answer")
                    self.assertFalse((self.folder / "out" / "rounds.csv").exists())
                    for name in ("wall_s", "cpu_s"):
                        self.assertRegex(row[name], r"^\d+(\.\d{0,8}[1-9])?$")
                    message, = self.messages()
                    self.assertEqual((message["run_id"], message["status"]), (row["run_id"], "wrong_answer"))
                    self.assertIn(message["message"], done.stderr)

    def test_a_worker_cannot_say_that_it_crashed(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        self.run_with(program=FAULTY, fault="lie_crashed@0", code=3)
        self.assertEqual([row["status"] for row in self.rows()], ["crashed"])
        self.assertEqual([row["status"] for row in self.messages()], ["crashed"])

    def test_what_ships_is_plausible(self):
        shipped = SOURCE / "harness/experiments"
        for name in ("coursework", "classics"):
            text = (shipped / f"{name}.yaml").read_text()
            if not THOROUGH:  # a tenth of the boards
                text = re.sub(r"(?m)^(  - .*count: \d+)0\}", r"\1}", text)
            self.write(text, f"{name}.yaml")
            self.tilelab("run", f"{name}.yaml", "--no-compare", "--output", str(self.folder / name))
            self.assertFalse((self.folder / name / "messages.csv").exists())


class Faults(Workers):
    def test_what_is_no_fault_is_an_error(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        for wrong in ("", "@", "@0", "s@3", "segv", "segv@", "segv@-1", "segv@+1", "segv@ 1", "segv@1x", "segv@0x1", "SEGV@1",
                      " segv@1", "segvx@0", "segv@1@2", "segv@9999999999999999999"):
            done = self.run_with(program=FAULTY, fault=wrong, code=2)
            self.assertEqual(done.stderr, f"tilelab: TILELAB_FAULT={wrong}: expected KIND@N, such as segv@17\n")
            self.assertFalse((self.folder / "out").exists())

    def test_the_program_that_ships_has_none(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        for fault in ("segv@0", "lie_expanded@0", "fork@0", "@"):
            shutil.rmtree(self.folder / "out", True)
            self.run_with(fault=fault)
            self.assertEqual([row["status"] for row in self.rows()], ["solved"])
            self.assertNotIn("fault", self.manifest()["sessions"][0])
        self.assertEqual([b"TILELAB_FAULT" in pathlib.Path(program).read_bytes() for program in (TILELAB, FAULTY)], [False, True])

    def test_the_manifest_says_when_one_was_set(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        self.run_with(program=FAULTY, fault="segv@17")
        self.assertEqual(self.manifest()["sessions"][0]["fault"], "segv@17")


class Messages(Workers):
    def test_one_of_a_row_that_was_replaced_is_not_shown(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        for words, fault, shown in (((), "abort@0", True), (("--again", "crashed"), None, False)):
            self.run_with(*words, program=FAULTY, fault=fault, code=3 if shown else 0)
            self.tilelab("report", "out")
            self.assertEqual("signal 6 (Aborted)" in (self.folder / "out" / "report.html").read_text(), shown)

    def test_they_are_kept(self):
        self.write(SMALL)
        done = self.run_with(program=FAULTY, fault="abort@5", code=3)
        self.assertIn("1 row crashed, is wrong or contradicts another; see out/messages.csv and the status column", done.stderr)
        crashed, = [row for row in self.rows() if row["status"] == "crashed"]
        message, = self.messages()
        self.assertEqual(message, {"run_id": crashed["run_id"], "finished_at": crashed["finished_at"], "status": "crashed",
                                   "message": "signal 6 (Aborted)"})
        # A later call adds to them; a torn tail is mended first.
        path = self.folder / "out" / "messages.csv"
        whole = path.read_text()
        for torn in ("", "abc,2026-", whole.splitlines()[1]):
            path.write_text(whole + torn)
            self.rows_file.write_text(self.rows_file.read_text().splitlines(keepends=True)[0])
            self.run_with(program=FAULTY, fault="segv@3", code=3)
            first, second = self.messages()
            self.assertEqual((first["message"], second["message"]), ("signal 6 (Aborted)", "signal 11 (Segmentation fault)"))
        header = whole.splitlines(keepends=True)[0]
        for torn in ("", header[:7], header[:-1]):
            path.write_text(torn)
            self.rows_file.write_text(self.rows_file.read_text().splitlines(keepends=True)[0])
            self.run_with(program=FAULTY, fault="segv@3", code=3)
            self.assertEqual([row["message"] for row in self.messages()], ["signal 11 (Segmentation fault)"])

    def test_what_is_not_ours_is_left_alone(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        self.run_with()
        path = self.folder / "out" / "messages.csv"
        path.write_text("name,age\nada,36\n")
        done = self.run_with("--fresh", program=FAULTY, fault="segv@0", code=3)
        self.assertIn("the message cannot be kept in out/messages.csv: ", done.stderr)
        self.assertEqual([row["status"] for row in self.rows()], ["crashed"])
        self.assertEqual(path.read_text(), "name,age\nada,36\n")


class Manifest(Workers):
    def test_what_cannot_be_used_is_set_aside(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        self.run_with()
        whole = (self.folder / "out" / "manifest.json").read_text()
        for number, broken in enumerate((whole[:len(whole) // 2], "", '{"name": "a package",'), 1):
            (self.folder / "out" / "manifest.json").write_text(broken)
            done = self.run_with("--fresh")
            self.assertIn("out/manifest.json cannot be used: ", done.stderr)
            self.assertIn(f"it is set aside in out/manifest.json.{number}\n", done.stderr)
            self.assertEqual((self.folder / "out" / f"manifest.json.{number}").read_text(), broken)
            self.assertEqual(len(self.manifest()["sessions"]), 1)

    def test_a_pipe_is_refused(self):
        self.write(ONE.replace("SOLVER", "bfs"))
        self.run_with()
        (self.folder / "out" / "manifest.json").unlink()
        os.mkfifo(self.folder / "out" / "manifest.json")
        done = self.run_with(code=2)
        self.assertIn("out/manifest.json cannot be read: it is not a regular file", done.stderr)

    def test_every_session_says_how_it_ended(self):
        process = self.start_of(SLOW.replace("count: 4", "count: 2").replace("100M", "2M"), "--no-compare", "--jobs", "1")
        self.searching(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        process = self.start("--no-compare", "--jobs", "1")
        self.searching(process)
        process.kill()
        process.communicate(timeout=60)
        self.run_with(program=FAULTY, fault="fork@0", code=1)
        self.assertNotIn("finished_at", self.manifest())
        self.run_with()
        manifest = self.manifest()
        self.assertEqual([session["ended"] for session in manifest["sessions"]], ["interrupted", "killed", "failed", "done"])
        self.assertEqual(["finished_at" in session for session in manifest["sessions"]], [True, False, True, True])
        self.assertEqual(manifest["finished_at"], manifest["sessions"][3]["finished_at"])

    def test_the_end_is_made_good_by_the_next_call(self):
        """All rows are there, but the call that wrote the last one was killed before it could say so."""
        self.write(ONE.replace("SOLVER", "bfs"))
        self.run_with()
        path = self.folder / "out" / "manifest.json"
        manifest = self.manifest()
        del manifest["finished_at"], manifest["sessions"][0]["finished_at"], manifest["sessions"][0]["ended"]
        path.write_text(json.dumps(manifest))
        self.run_with()
        self.assertIn("finished_at", self.manifest())
        self.assertEqual([session["ended"] for session in self.manifest()["sessions"]], ["killed"])
        before = path.read_bytes()
        self.run_with()
        self.assertEqual(path.read_bytes(), before)
