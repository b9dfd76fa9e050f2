"""Solvers in any language through `tilelab run`: good, wrong and hostile ones; each has its row, and none leaves a process."""

import json
import os
import signal

from test_run import TILELAB
from test_workers import Workers

HEAD = """experiment: external
warmup: 0
instances:
  - {name: b, boards: BOARDS}
SOLVERS
limits: {time: 20s, memory: 256MiB}
jobs: 2
output: out
"""
TWO = "[1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 0 7 8]"
ONE = "[1 2 3 4 5 6 0 7 8]"

COUNTING = """import os, sys
boards = 0
for number, line in enumerate(sys.stdin, 1):
    if number % 8: continue
    boards += 1
    if boards == DEATH: os._exit(5)
    print("moves: RR\\nboard:", boards, "\\nprocess:", os.getpid(), "\\n", flush=True)
"""

FORKS = """import os, signal, time
for i in range(COUNT):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while SPIN: pass
        time.sleep(1000)
END
"""

EATER = """import time
kept = []
for i in range(256):
    kept.append(bytearray(b"x") * (4 << 20))
    time.sleep(0.001)
time.sleep(1000)
"""

HOSTILE = {  # command, its limits, then the row's status and what its message has
    "crash": (["sh", "-c", "kill -SEGV $$"], "", "crashed", "signal 11 (Segmentation fault)"),
    "exit": (["sh", "-c", "echo moves: RR; echo one >&2; echo two >&2; exit 9"], "", "crashed", "exit code 9: one | two"),
    "hang": (["sh", "-c", "trap '' TERM INT; while :; do :; done"], "{time: 200ms}", "time_limit", None),
    "no end": (["sh", "-c", "echo moves: RR; exec >&- 2>&-; sleep 1000"], "{time: 200ms}", "time_limit", None),
    "garbage": (["sh", "-c", "head -c 50000 /bin/sh"], "", "crashed", "no answer: expected moves, a length or a status; it printed '?ELF"),
    "half": (["sh", "-c", "printf 'expanded: 3\\nmov'"], "", "crashed", "no answer: expected moves, a length or a status; it printed 'mov'"),
    "killed": (["sh", "-c", "printf 'moves: R'; kill -9 $$"], "", "lost", "signal 9 (Killed), from outside"),
    "silent": (["true"], "", "crashed", "no answer"),
    "counter": (["printf", "moves: RR\\nexpanded: -3\\n"], "", "crashed", "expanded: -3: expected a whole number"),
    "flood": (["yes"], "", "crashed", "more than 16 MiB of output"),
    "errors": (["sh", "-c", "yes | head -c 4000000 >&2; echo why >&2; exit 1"], "", "crashed", "| why"),
    "bomb": (["python3", "-IS", "bomb.py"], "{memory: 4GiB, time: 200s}", "crashed", "more than 1000 processes"),
    "spin": (["python3", "-IS", "spin.py"], "", "solved", None),
    "daemon": (["sh", "-c", "(setsid sleep 1000 &); echo moves: RR"], "", "solved", None),
    "eater": (["python3", "-IS", "eater.py"], "{memory: 64MiB}", "memory_limit", None),
    "wrong": (["echo", "moves: RD"], "", "wrong_answer", "move 2 of the path, D, leaves the board"),
    "too short": (["echo", "moves: R"], "", "wrong_answer", "do not end at the goal"),
    "longer": (["echo", "moves: RRLR"], "", "solved", None),
    "reads nothing": (["sh", "-c", "exec <&-; echo moves: RR"], "", "solved", None),
    "own limit": (["echo", "status: time_limit"], "", "stuck", None),
    "out of nodes": (["printf", "moves: RR\\ngenerated: 11\\n"], "{nodes: 10}", "node_limit", None),
    "unsolvable": (["echo", "status: unsolvable"], "", "wrong_answer", "called unsolvable"),
}


if "TILELAB_LONG" not in os.environ:
    del HOSTILE["bomb"]


class External(Workers):
    def write_solvers(self, *solvers, boards=TWO, **files):
        """Solvers in the long form, as YAML reads JSON, or in the short form."""
        lines = ["solvers:"] + ["  - " + (solver if isinstance(solver, str) else json.dumps(solver)) for solver in solvers]
        self.write(HEAD.replace("BOARDS", boards).replace("SOLVERS", "\n".join(lines)))
        for name, text in files.items():
            self.write(text, name + ".py")

    def nothing_left(self):
        self.wait_until(lambda: not self.processes_here(), "no process is left")


class Hostile(External):
    def test_each_has_its_row_and_leaves_nothing(self):
        solvers = []
        for name, (command, limits, _, _) in HOSTILE.items():
            solver = {"command": command, "label": name}
            if limits:
                solver["limits"] = dict(limit.split(": ") for limit in limits.strip("{}").split(", "))
            solvers.append(solver)
        self.write_solvers(*solvers, boards=ONE, bomb=FORKS.replace("COUNT", "1100").replace("SPIN", "0").replace("END", "time.sleep(1000)"),
                           spin=FORKS.replace("COUNT", "12").replace("SPIN", "1").replace("END", "print('moves: RR')"),
                           eater=EATER)
        self.run_with(code=3)
        self.nothing_left()
        messages = {row["run_id"]: row["message"] for row in self.messages()}
        rows = {json.dumps(json.loads(row["options_json"])["command"]): row for row in self.rows()}
        for name, (command, _, status, message) in HOSTILE.items():
            with self.subTest(name):
                row = rows[json.dumps(command)]
                self.assertEqual(row["status"], status)
                self.assertEqual(row["measured"], "process")
                if message is None:
                    self.assertNotIn(row["run_id"], messages)
                else:
                    self.assertIn(message, messages[row["run_id"]])
        before = [row for row in self.rows() if row["status"] != "lost"]
        self.run_with(code=3)
        self.assertEqual([row for row in self.rows() if row["status"] != "lost"], before, "a row that stands is made again")

    def test_a_path_that_is_not_shortest_is_wrong_where_that_was_promised(self):
        self.write_solvers("astar(manhattan)", {"command": ["echo", "moves: RRLR"], "optimal": True},
                           {"command": ["echo", "status: stuck"], "optimal": True}, boards=ONE)
        self.run_with(code=3)
        self.assertEqual(sorted(row["status"] for row in self.rows()), ["solved", "wrong_answer", "wrong_answer"])

    def test_a_program_that_changes_meanwhile_is_another_solver(self):
        self.write_solvers({"command": ["python3", "-IS", "mine.py"]},
                           mine="import os; print('moves: RR'); open('mine.py', 'a').write('#')")
        self.run_with("--jobs", "1", code=3)
        self.assertEqual(sorted(row["status"] for row in self.rows())[0], "crashed")
        self.assertIn("mine.py has changed", self.messages()[0]["message"])


class Good(External):
    def test_tilelab_itself_has_the_same_counters(self):
        words = [TILELAB, "solve", "-s", "astar(manhattan)", "--size", "{size}", "--goal", "{goal}"]
        self.write_solvers("astar(manhattan)", {"command": [*words, "{board}"], "optimal": True},
                           {"command": [*words, "--json", "{board}"], "protocol": "json", "optimal": True},
                           boards="[8 6 7 2 5 4 3 0 1, 1 2 3 4 5 6 0 7 8, 1 2 3 4 5 6 8 7 0]")
        self.run_with()
        by_board = {}
        for row in self.rows():
            keys = ("status", "length", "moves", "h_start", "expanded", "generated", "max_open", "max_stored", "iterations")
            by_board.setdefault(row["start"], []).append([row[key] for key in keys])
            if row["algorithm"] == "external":
                self.assertEqual(json.loads(row["extra"])["solver"], "astar(manhattan)")
                if row["peak_bytes"] != "":  # a worker that is as large hides what a short program held
                    self.assertGreater(int(row["peak_bytes"]), 1 << 20)
        for first, second, third in by_board.values():
            self.assertEqual(first, second)
            self.assertEqual(first, third)

    def test_persistent_ones_answer_board_after_board(self):
        self.write_solvers({"command": ["python3", "-IS", "mine.py"], "persistent": True, "label": "mine"},
                           {"command": ["python3", "-IS", "dies.py"], "persistent": True, "label": "dies"},
                           boards="[" + ", ".join(["1 2 3 4 5 6 0 7 8"] * 3) + "]",
                           mine=COUNTING.replace("DEATH", "0"), dies=COUNTING.replace("DEATH", "3"))
        self.run_with("--jobs", "1", code=3)
        self.nothing_left()
        rows = {"mine.py": [], "dies.py": []}
        for row in self.rows():
            self.assertEqual(row["measured"], "answer")
            rows[json.loads(row["options_json"])["command"][2]].append(row)
        said = [json.loads(row["extra"]) for row in rows["mine.py"]]
        self.assertEqual([one["board"] for one in said], [2, 3, 4])  # its first one is no run's
        self.assertEqual(len({one["process"] for one in said}), 1)
        self.assertEqual([row["status"] for row in rows["dies.py"]], ["solved", "crashed", "solved"])
        self.assertIn("it ended without an answer: exit code 5", self.messages()[0]["message"])

    def test_one_that_closes_its_output_was_not_killed(self):
        self.write_solvers({"command": ["sh", "-c", "echo why >&2; exec 1>&-; sleep 60"], "persistent": True, "label": "closes"})
        self.run_with(code=3)
        self.nothing_left()
        self.assertRegex(self.messages()[0]["message"], "one move from the goal: it closed its output without an answer: why$")


class Processor(External):
    """limits.cpu: the processor time of all threads, or of all processes, running, ended or waiting for another."""

    def test_each_ends_at_its_limit(self):
        hard = "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
        self.write_solvers("astar(zero)", "idastar(manhattan)", '"idastar(manhattan, threads=2)"',
                           {"command": ["python3", "-IS", "spin.py"]}, {"command": ["sh", "-c", "python3 -IS long.py; echo moves: R"]},
                           {"command": ["sh", "-c", "sleep 1; echo status: stuck"]},
                           {"command": ["python3", "-IS", "turns.py"], "persistent": True},
                           {"command": ["echo", "status: cpu_limit"]}, boards=f"[{hard}]",
                           spin="import os\nos.fork()\nwhile True: pass\n", long="for i in range(10**9): pass\n",
                           turns="import sys\nfor number, line in enumerate(sys.stdin, 1):\n    while number > 10: pass\n"
                                 "    if number == 10: print('status: stuck\\n', flush=True)\n")
        limit = ("--set", "limits.cpu=150ms", "--set", "limits.time=120s", "--set", "limits.memory=2GiB")
        self.run_with(*limit)
        rows = {row["solver"]: row for row in self.rows()}
        for solver, row in rows.items():
            used = float(row["cpu_s"])
            self.assertEqual((row["limit_cpu_s"], row["limit_s"]), ("0.15", "120"))
            if "sleep" in solver or "echo 'status" in solver:
                self.assertEqual(row["status"], "stuck", solver)  # a limit of its own is none of the run's
            else:
                self.assertEqual((row["status"], row["length"]), ("cpu_limit", ""), solver)
                self.assertGreaterEqual(used, 0.14, solver)
                self.assertLess(used, 1.35, solver)
        self.assertEqual(len(rows), 8)
        self.assertEqual(self.manifest()["limits"]["astar(zero)"]["cpu_seconds"], 0.15)
        # It makes another run; without it a run is what it was.
        ids = {row["run_id"] for row in rows.values()}
        self.write_solvers("astar(zero)", "idastar(manhattan)", boards="[1 2 3 4 5 6 0 7 8]")
        self.run_with("--fresh", *limit)
        limited = {row["run_id"] for row in self.rows()}
        self.run_with("--fresh", "--set", "limits.time=120s", "--set", "limits.memory=2GiB")
        free = {row["run_id"] for row in self.rows()}
        self.run_with("--set", "limits.cpu=none", "--set", "limits.time=120s", "--set", "limits.memory=2GiB")
        self.assertEqual({row["run_id"] for row in self.rows()}, free)
        self.assertEqual(len(ids | limited | free), 8 + 2 + 2)
        done = self.run_with(*limit, code=2)
        self.assertIn("under other limits (cpu none; now 0.15 s)", done.stderr)

    def test_plan_and_solve(self):
        self.write_solvers("astar(zero)", "bfs")
        limit = ("--set", "limits.cpu=30m")
        said = self.tilelab("plan", "experiment.yaml", *limit)
        self.assertIn("20 s, 256 MiB, 1800 s of processor time", said.stdout)
        self.assertIn("at worst 2.00 hours of processor time in all", said.stdout)
        said = self.tilelab("plan", "experiment.yaml")
        self.assertNotIn("processor time", said.stdout)
        said = self.tilelab("submit", "experiment.yaml", "--dry-run", *limit, code=None)
        self.assertIn("# All runs take 2.00 hours of processor time at most.\n", said.stdout, said.stderr)
        said = self.tilelab("solve", "-s", "astar(zero)", "--cpu", "50ms", "--json", "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0", code=None)
        row = json.loads(said.stdout)
        self.assertEqual((row["status"], row["limit_cpu_s"], said.returncode), ("cpu_limit", 0.05, 3))
        self.assertLess(row["cpu_s"], 0.5)


class Ends(External):
    """The end of tilelab, of a worker, of a run: with all that a program started, wherever it went."""

    SLEEPER = ["sh", "-c", "(setsid sh -c 'sleep 1000 & exec sleep 1000' &); touch begun; exec sleep 1000"]

    def begin(self, *solvers, **options):
        self.write_solvers(*solvers, **options)
        process = self.start("--no-compare", "--jobs", "1")
        self.wait_until(lambda: (self.folder / "begun").exists() and len(self.processes_here()) >= 5, "the program is started")
        return process

    def test_tilelab_is_killed(self):
        process = self.begin({"command": self.SLEEPER})
        process.kill()
        process.wait()
        self.nothing_left()

    def test_a_worker_is_killed(self):
        process = self.begin({"command": self.SLEEPER, "limits": {"time": "2s"}}, boards=ONE)
        os.kill(self.workers_of(process)[0], signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.nothing_left()
        self.assertEqual([row["status"] for row in self.rows()], ["time_limit"])
        self.assertRegex(errors, r"killed, and made again: external.* on b/1: signal 9 \(Killed\), from outside")

    def test_a_program_is_killed(self):
        """By others: that is no crash of it. A persistent one that is killed between two boards is started anew."""
        again = "import os, pathlib, signal\nbegun = pathlib.Path('begun')\nfound = begun.exists()\nbegun.touch()\n"
        self.write_solvers({"command": ["python3", "-IS", "once.py"], "label": "once"}, boards=ONE,
                           once=again + "if not found: os.kill(os.getpid(), signal.SIGKILL)\nprint('moves: RR')\n")
        done = self.run_with()
        self.assertIn("killed, and made again: ", done.stderr)
        self.assertEqual([row["status"] for row in self.rows()], ["solved"])
        dies = COUNTING.replace("os._exit(5)", "os.kill(os.getpid(), 9)")
        self.write_solvers({"command": ["python3", "-IS", "dies.py"], "persistent": True, "label": "dies"},
                           boards="[" + ", ".join(["1 2 3 4 5 6 0 7 8"] * 5) + "]", dies=dies.replace("DEATH", "3"))
        done = self.run_with("--jobs", "1", "--fresh")
        self.assertEqual([row["status"] for row in self.rows()], ["solved"] * 5)
        self.assertEqual(done.stderr.count("killed, and made again: "), 4)

    def test_an_interrupt_keeps_the_rows(self):
        process = self.begin("astar(manhattan)", {"command": self.SLEEPER, "label": "sleeper"}, boards=ONE)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.nothing_left()
        rows = self.rows() if self.rows_file.exists() else []
        self.assertNotIn("external", [row["algorithm"] for row in rows])
        self.run_with("--set", "limits.time=100ms", "--fresh")
        self.assertEqual(sorted(row["status"] for row in self.rows()), ["solved", "time_limit"])
        self.nothing_left()

    def test_persistent_ones_that_wait_end_too(self):
        answers = "import os, subprocess, sys\nsubprocess.Popen(['sleep', '1000'], start_new_session=True)\n" + \
            COUNTING.replace("DEATH", "0")
        process = self.begin({"command": ["python3", "-IS", "waits.py"], "persistent": True, "label": "waits"},
                             {"command": self.SLEEPER}, waits=answers)
        process.kill()
        process.wait()
        self.nothing_left()
