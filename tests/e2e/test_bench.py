"""scripts/bench: what it measures of the program, what it says beside a reference, and what makes it fail."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest
from unittest import mock

from support import SANITIZED, SOURCE, TILELAB, FolderCase, read_table

BENCH = SOURCE / "scripts" / "bench"
BENCHMARKS = ("time", "instructions", "korf", "pdb", "small", "space", "overhead", "comparing", "peers", "reads", "all")

loader = importlib.machinery.SourceFileLoader("bench", str(BENCH))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
loader.exec_module(bench)


class BenchTest(FolderCase):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "reference.json"

    def arguments(self, *arguments):
        return arguments and [*arguments[:1], "--tilelab", TILELAB, "--output", str(self.folder / "out"), "--reference",
                              str(self.file), *arguments[1:]]

    def start(self, *arguments, **environment):
        return subprocess.run(["/usr/bin/python3", BENCH, *self.arguments(*arguments)], capture_output=True, text=True,
                              check=False, env={**os.environ, **environment})

    def inside(self, *arguments):
        """The same in this process, where parts can be replaced: exit code, standard output, standard error."""
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            try:
                code = bench.main(self.arguments(*arguments))
            except SystemExit as left:
                code = left.code
        return code, out.getvalue(), error.getvalue()

    def change(self, benchmark, row, part, name, change):
        """Changes one number of the reference, which must be there."""
        reference = json.loads(self.file.read_text())
        numbers = reference[benchmark][row][part]
        numbers[name] = change(numbers[name])
        self.file.write_text(json.dumps(reference))


class Reads(BenchTest):
    def test_a_read_for_each_child(self):
        solver = "idastar(pdb:1.2.3/4.5.6/7.8.9/10.11.12/13.14.15)"
        code, out, error = self.inside("reads", "--solver", solver, "--nodes", "20000", "--runs", "1")
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(len(re.findall(re.escape(solver) + r", korf100/(?:60|88)\n  reads / second +[0-9,.]+ million", out)), 2)
        self.assertEqual(out.count("generated 20,000: "), 2)

    def test_a_solver_that_reads_no_values(self):
        for solver in ("idastar(manhattan)", "bfs"):
            code, out, error = self.inside("reads", "--solver", solver)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(f"{solver}: expected idastar with one sum of ordinary pattern databases", error)


# Stands for a program of somebody else: reads and prints as the row of PEERS says, and asks tilelab for the answer.
STAND_IN = """#!/usr/bin/python3
import json, os, subprocess, sys
text = sys.stdin.read().split("\\n")
places = [list(map(int, text[2:18])), list(map(int, text[19:35]))]
assert text[0] == "4 4" and text[1].startswith("starting") and text[18].startswith("goal"), text
boards = [" ".join(str(of.index(cell)) for cell in range(16)) for of in places]
done = subprocess.run([os.environ["TILELAB"], "solve", "--json", "-s", sys.argv[1] + "(manhattan)", "-g", boards[1], boards[0]],
                      capture_output=True, check=True)
row = json.loads(done.stdout)
for name, value in (("total raw cpu time", 2 * row["cpu_s"]), ("final sol cost", row["length"] + LIE), ("total nodes expanded", row["expanded"]),
                    ("total nodes generated", 2 * row["generated"])):
    print(f'#pair  "{name}"\t"{value}"')
"""


class Peers(BenchTest):
    def stand_in(self, text):
        program = self.folder / "tiles" / "15md_solver"
        program.parent.mkdir(exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)

    def test_a_program_that_does_as_its_row_says(self):
        self.stand_in(STAND_IN.replace("LIE", "0"))
        code, out, error = self.inside("peers", str(self.folder), "--peer", "burns-idastar", "--first", "1", "--rounds", "2")
        self.assertEqual((code, error), (0, ""))
        self.assertRegex(out, r"burns-idastar and idastar\(manhattan\), 1 boards\n")
        self.assertRegex(out, r"time, theirs / ours +[0-9.]+ .*theirs [0-9.]+ s, ours [0-9.]+ s\n")
        self.assertRegex(out, r"expanded, theirs / ours +1\.00 ")
        self.assertRegex(out, r"generated, theirs / ours +2\.00 ")

    def test_another_length_and_no_answer(self):
        self.stand_in(STAND_IN.replace("LIE", "2"))
        code, _, error = self.inside("peers", str(self.folder), "--peer", "burns-idastar", "--first", "1", "--rounds", "1")
        self.assertEqual(code, 3)
        self.assertRegex(error, r"burns-idastar, korf100/79: 44 moves, idastar\(manhattan\) found 42")
        self.stand_in("#!/bin/sh\necho nothing\n")
        code, _, error = self.inside("peers", str(self.folder), "--first", "1", "--rounds", "1")
        self.assertEqual(code, 1)
        self.assertIn("no length found in what it printed\nnothing", error)

    def test_a_folder_without_one(self):
        code, out, error = self.inside("peers", str(self.folder))
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no program that is known; expected one of these:\n  tiles/15md_solver: burns-idastar, Burns", error)


class Rows(BenchTest):
    def test_few_rows(self):
        code, out, error = self.inside("comparing", "--rows", "100")
        self.assertIn(code, (0, 1))
        self.assertRegex(out, r"compare, 100 rows\n  processor time +[0-9.]+ s ")
        self.assertRegex(out, r"rows 100: no reference")


class Usage(BenchTest):
    def test_each_benchmark_explains_itself(self):
        done = subprocess.run([BENCH, "--help"], capture_output=True, text=True, check=False, cwd="/")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("usage: scripts/bench "), done.stdout)
        for name in BENCHMARKS:
            self.assertRegex(done.stdout, rf"(?m)^    {name}\b")
            code, out, error = self.inside(name, "--help")
            self.assertEqual((code, error), (0, ""))
            self.assertTrue(out.startswith(f"usage: scripts/bench {name} "), out)
            self.assertIn("exit codes:", out)

    def test_wrong_usage(self):
        for arguments, message in (
                ([], "required: BENCHMARK"),
                (["nonsense"], "invalid choice: 'nonsense'"),
                (["korf", "--first", "0"], "'0' is not a whole number of at least 1"),
                (["small", "--boards", "many"], "'many' is not a whole number of at least 1"),
                (["small", "--solver", "astra(manhattan)"], "unknown algorithm 'astra'"),
                (["time", "--baseline", "nonsense"], "unknown algorithm 'nonsense'"),
                (["time", "--only", "9x9"], "--only 9x9: no board matches; the boards are '3x3 far'"),
                (["instructions", "--only", "9x9"], "--only 9x9: no search matches; the searches are 'idastar(manhattan) on 3x3 far'"),
                (["overhead", "--what"], "unrecognized arguments: --what")):
            with self.subTest(arguments):
                code, out, error = self.inside(*arguments)
                self.assertEqual((code, out), (2, ""), error)
                self.assertIn(message, error)

    def test_a_program_that_is_not_there(self):
        for program in (self.folder, self.folder / "none"):
            code, _, error = self.inside("small", "--tilelab", str(program))
            self.assertEqual(code, 2)
            self.assertIn(f"--tilelab {program.resolve()}: not a program", error)

    def test_an_invalid_reference_is_reported_before_anything_runs(self):
        for text in ("no JSON", "[]", '{"small": 1}', '{"small": {"row": {"counters": {}}}}'):
            self.file.write_text(text)
            with mock.patch.object(bench, "build", side_effect=AssertionError("measures")):
                code, _, error = self.inside("small")
            self.assertEqual(code, 2, text)
            self.assertIn(f"{self.file}: not a reference", error)

    def test_a_missing_tool_is_named(self):
        for name, tool in (("time", "hyperfine"), ("instructions", "valgrind")):
            done = self.start(name, PATH=str(self.folder))
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{tool} is not installed; 'scripts/setup bench' installs it", done.stderr)

    def test_tools_are_among_the_packages_it_installs(self):
        packages = [line.split()[:2] for line in (SOURCE / "scripts" / "packages").read_text().splitlines()]
        for tool in ("hyperfine", "valgrind"):
            self.assertIn(["bench", tool], packages)

    def test_it_measures_what_setup_builds(self):
        root = self.folder / "checkout"
        (root / "scripts").mkdir(parents=True)
        shutil.copy(BENCH, root / "scripts")
        setup = root / "scripts" / "setup"
        setup.write_text('#!/bin/bash\necho "$*" >>"$0.log"\nexit 1\n')
        setup.chmod(0o755)
        done = subprocess.run([root / "scripts" / "bench", "small"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("preset release is not built", done.stderr)
        self.assertEqual((root / "scripts" / "setup.log").read_text(), "--preset release --target tilelab run bench\n")

    def test_an_interruption_leaves_no_process_and_no_traceback(self):
        started = subprocess.Popen(["/usr/bin/python3", BENCH, *self.arguments("overhead", "--runs", "900000")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                                   # A shell's background job ignores interruptions, and what it starts inherits that.
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        self.addCleanup(started.stderr.close)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        children = pathlib.Path(f"/proc/{started.pid}/task/{started.pid}/children")
        runs = False
        for _ in range(6000):  # until the experiment is under way
            for child in children.read_text().split():
                with contextlib.suppress(OSError):
                    runs |= b"\0run\0" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes()
            if runs:
                break
            time.sleep(0.01)
        self.assertTrue(runs)
        os.killpg(started.pid, signal.SIGINT)
        _, error = started.communicate(timeout=100)
        self.assertEqual(started.returncode, 130, error)
        self.assertNotIn("Traceback", error)
        with self.assertRaises(ProcessLookupError):
            for _ in range(1000):  # workers that were told to end need a moment on a busy machine
                os.killpg(started.pid, 0)
                time.sleep(0.01)


class Comparing(BenchTest):
    """Made-up figures against made-up references."""

    def finish(self, rows, busy=0, write=False, **found):
        arguments = ["small", *(["--write-reference"] if write else [])]
        report = bench.Report("small", bench.parse(self.arguments(*arguments)))
        report.busy = busy
        for row in rows:
            report.add(*row)
        for name, texts in found.items():
            getattr(report, name).extend(texts)
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            code = report.finish()
        return code, out.getvalue(), error.getvalue()

    @staticmethod
    def row(name="bfs", generated=10, cost=100.0, most=None, program="tilelab 1 (gcc 12.2.0, Release)"):
        return name, {"length": 3, "generated": generated}, [bench.Figure("each", bench.COST, cost, most)], program

    def test_without_a_reference_nothing_is_compared(self):
        code, out, error = self.finish([self.row()])
        self.assertEqual((code, error), (0, ""))
        self.assertRegex(out, r"(?m)^  each +100\.0 +- +-$")
        self.assertIn("length 3, generated 10: no reference", out)

    def test_what_is_written_is_what_is_compared(self):
        self.finish([self.row(), self.row("dfs")], write=True)
        code, out, error = self.finish([self.row()])
        self.assertEqual((code, error), (0, ""))
        self.assertRegex(out, r"(?m)^  each +100\.0 +100\.0 +1\.000$")
        self.assertIn("length 3, generated 10: as in the reference", out)

    def test_a_changed_counter_is_an_error_that_names_the_row(self):
        self.finish([self.row(), self.row("dfs")], write=True)
        code, out, error = self.finish([self.row(), self.row("dfs", generated=11)])
        self.assertEqual(code, 3)
        self.assertEqual(error, "scripts/bench: small: dfs: generated is 11, the reference has 10\n")
        self.assertIn("generated 11: DIFFERENT", out)
        self.assertIn("generated 10: as in the reference", out)

    def test_a_counter_that_came_or_went_is_one_too(self):
        self.finish([self.row()], write=True)
        code, _, error = self.finish([("bfs", {"length": 3, "expanded": 1}, [])])
        self.assertEqual(code, 3)
        self.assertIn("bfs: expanded is 1, the reference has none", error)
        self.assertIn("bfs: generated is gone, the reference has 10", error)

    def test_a_risen_cost_is_marked_and_a_small_rise_is_not(self):
        self.finish([self.row()], write=True)
        for cost, marked in ((103.0, "103.0      100.0    1.030  ROSE by 3.0 %"), (101.9, "101.9      100.0    1.019"), (50.0, "50.00      100.0    0.500")):
            code, out, error = self.finish([self.row(cost=cost)])
            self.assertEqual((code, error), (0, ""))
            self.assertTrue(re.search(rf"(?m)^  each +{re.escape(marked)}$", out), out)

    def test_a_limit_decides_the_exit_code(self):
        self.assertEqual(self.finish([self.row(cost=20.0, most=20)])[0], 0)
        code, out, error = self.finish([self.row(cost=20.1, most=20)], busy=2)
        self.assertEqual(code, 1)
        self.assertIn("at most 20 wanted: ABOVE", out)
        self.assertIn("small: bfs: each is 20.10, at most 20 wanted", error)

    def test_a_limit_on_a_time_does_not_count_on_a_busy_machine(self):
        rows = [("bfs", {}, [bench.Figure("mean", bench.TIME, 101.0, 100, "us")])]
        code, out, _ = self.finish(rows, busy=0.25)
        self.assertEqual(code, 1)
        self.assertIn("at most 100 us wanted: ABOVE", out)
        self.assertNotIn("repeat", out)
        code, out, error = self.finish(rows, busy=0.26)
        self.assertEqual((code, error), (0, ""))
        self.assertIn("at most 100 us wanted; measured on a busy machine: repeat when it is quiet", out)
        self.assertIn("others kept 0.26 processors busy meanwhile: the machine is busy; repeat when it is quiet", out)

    def test_busy_is_what_all_processors_did_less_what_we_did(self):
        ours = mock.Mock(ru_utime=0.25, ru_stime=0.125)
        with mock.patch.object(bench.pathlib.Path, "read_text", return_value="cpu  100 20 30 999 999 4 5 6 7 8\ncpu0 1 2\n"), \
                mock.patch.object(bench.resource, "getrusage", return_value=ours), \
                mock.patch.object(bench.os, "sysconf", return_value=100):
            self.assertAlmostEqual(bench.Busy.others(), 1.65 - 2 * 0.375)
        for then, mean in ((13.0, 1.5), (9.9, 0)):
            with mock.patch.object(bench.Busy, "others", side_effect=[10.0, then]), \
                    mock.patch.object(bench, "monotonic", side_effect=[5.0, 7.0]):
                self.assertEqual(bench.Busy().mean(), mean)

    def test_times_are_never_kept_and_rows_not_measured_stay(self):
        self.finish([self.row("dfs")], write=True)
        self.finish([("bfs", {"length": 3}, [bench.Figure("mean", bench.TIME, 5.0), bench.Figure("ratio", bench.RATIO, 0.5)]),
                     ("lcbb", {}, [bench.Figure("mean", bench.TIME, 5.0)])], write=True)
        rows = json.loads(self.file.read_text())["small"]
        self.assertEqual(sorted(rows), ["bfs", "dfs"])
        self.assertEqual((rows["bfs"]["counters"], rows["bfs"]["figures"]), ({"length": 3}, {"ratio": 0.5}))

    def test_writing_takes_a_changed_counter_but_no_wrong_answer(self):
        self.finish([self.row()], write=True)
        before = self.file.read_text()
        with self.assertRaises(bench.Failure) as raised:
            self.finish([self.row(generated=11)], write=True, wrong=["no"])
        self.assertEqual((raised.exception.code, self.file.read_text()), (3, before))
        self.assertEqual(self.finish([self.row(generated=11)], write=True)[0], 0)
        self.assertEqual(self.finish([self.row(generated=11)])[0], 0)

    def test_a_reference_of_another_compiler_says_so(self):
        self.finish([self.row()], write=True)
        self.assertNotIn("the reference by", self.finish([self.row(program="tilelab 2 (gcc 12.2.0, Release)")])[1])
        self.assertIn("bfs (the reference by gcc 12.2.0, Release)",
                      self.finish([self.row(program="tilelab 1 (gcc 13.1.0, Release)")])[1])

    def test_wrong_answers_go_before_unmet_limits(self):
        self.assertEqual(self.finish([self.row()], unmet=["a"])[0], 1)
        self.assertEqual(self.finish([self.row()], unmet=["a"], wrong=["b"])[0], 3)


class Korf(BenchTest):
    """Made-up rows of Korf's instances 79 and 12, the two that IDA* solves with the fewest nodes."""
    ROWS = {"79": (42, 540860), "12": (45, 546344)}

    def korf(self, solver, changes=(), *arguments):
        rows = [{"instance": name, "solver": solver, "length": str(length), "optimal_length": str(length), "expanded": "5",
                 "generated": str(generated), "max_stored": "20000000", "peak_bytes": "400000000", "wall_s": "0.5"}
                for name, (length, generated) in self.ROWS.items()]
        for name, column, value in changes:
            next(row for row in rows if row["instance"] == name)[column] = value
        asked = {}

        def experiment(program, report, name, instances, solvers, **settings):
            asked.update(settings, instances=instances, solvers=solvers)
            return {solver: rows}, {}

        with mock.patch.object(bench, "experiment", experiment), mock.patch.object(bench, "known", lambda *_: [solver]):
            return *self.inside("korf", "--first", "2", *arguments), asked

    def test_the_first_are_those_with_the_smallest_counts(self):
        code, out, error, asked = self.korf("idastar(manhattan)")
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(asked, {"instances": [{"set": "korf100", "select": [79, 12]}], "solvers": ["idastar(manhattan)"],
                                 "warmup": 0, "limits": {"time": "24h", "memory": "8GiB"}})
        self.assertRegex(out, r"(?m)^idastar\(manhattan\), the first 2$")
        self.assertRegex(out, r"(?m)^  generated / second +1\.09 million ")
        self.assertIn("  solved 2, generated 1,087,204, expanded 10: no reference\n", out)

    def test_all_are_a_hundred(self):
        counts = bench.korf_counts()
        self.assertEqual((len(counts), list(counts)[0], list(counts)[-1]), (100, "79", "88"))
        self.assertEqual(counts["12"], 546344)

    def test_bytes_for_each_node_are_the_most_of_the_large(self):
        out = self.korf("astar(manhattan)", [("79", "peak_bytes", "500000000")])[1]
        self.assertRegex(out, r"(?m)^  peak bytes / stored node +25\.00 .*the maximum of 2$")
        out = self.korf("astar(manhattan)", [("79", "max_stored", "9999999"), ("12", "max_stored", "10000000")])[1]
        self.assertRegex(out, r"(?m)^  peak bytes / stored node +40\.00 .*the maximum of 1$")

    def test_every_count_of_idastar_and_every_length_is_checked(self):
        code, _, error, _ = self.korf("idastar(manhattan)", [("12", "generated", "546345"), ("79", "length", "44")])
        self.assertEqual(code, 3)
        self.assertIn("korf: 12, idastar(manhattan): generated is 546345, the set has 546344\n", error)
        self.assertIn("korf: 79, idastar(manhattan): length is 44, the optimum is 42\n", error)
        self.assertEqual(self.korf("astar(manhattan)", [("12", "generated", "7")])[0], 0)

    def test_each_instance_is_compared_with_the_reference(self):
        self.korf("astar(manhattan)", (), "--write-reference")
        code, out, error, _ = self.korf("astar(manhattan)", [("12", "peak_bytes", "400000001")])
        self.assertEqual(code, 3)
        self.assertIn("korf: 12, astar(manhattan): peak_bytes is 400000001, the reference has 400000000", error)
        self.assertIn("2 single searches: 2 in the reference, 1 of them equal", out)


class Pdb(BenchTest):
    """Made-up rows of Korf's instances and of two boards of the 24-puzzle."""
    SOLVERS = ["idastar(pdb:7-8)"]

    def pdb(self, changes=(), *arguments):
        def experiment(program, report, name, instances, solvers, **settings):
            select = instances[0].get("select", range(1, 101))
            self.asked.append((name, instances, solvers))
            rows = [{"instance": str(board), "length": "50", "optimal_length": "50", "expanded": "5", "max_stored": "9",
                     "peak_bytes": "9", "generated": {38: "38173508", 40: "65099579"}.get(board, "10") if name == "pdb-24"
                     else "10", "wall_s": "0.5" if name == "pdb-manhattan" else "0.1"} for board in select]
            for experiment, board, column, value in changes:
                if experiment == name:
                    next(row for row in rows if row["instance"] == board)[column] = value
            return {solver: rows for solver in solvers}, {}

        self.asked = []
        with mock.patch.object(bench, "experiment", experiment), mock.patch.object(bench, "known", lambda *_: self.SOLVERS):
            return self.inside("pdb", *arguments)

    def test_all_are_run_and_held_against_manhattan_on_the_easiest(self):
        code, out, error = self.pdb()
        self.assertEqual((code, error), (0, ""))
        self.assertEqual([name for name, _, _ in self.asked], ["pdb-manhattan", "pdb"])
        self.assertEqual(self.asked[0][1][0]["select"], [int(name) for name in list(bench.korf_counts())[:10]])
        self.assertEqual(self.asked[1][1:], ([{"set": "korf100"}], self.SOLVERS))
        self.assertRegex(out, r"(?m)^idastar\(pdb:7-8\), all 100$")
        self.assertRegex(out, r"(?m)^  search +10\.00 s ")
        self.assertRegex(out, r"(?m)^  search / idastar\(manhattan\), 10 boards +0\.2000 ")
        self.assertIn("  solved 100, generated 1,000, expanded 500: no reference\n", out)

    def test_lengths_and_published_counts_are_checked(self):
        code, _, error = self.pdb([("pdb", "7", "length", "52"), ("pdb-24", "40", "generated", "65099578")], "--large")
        self.assertEqual(code, 3)
        self.assertIn("pdb: 7, idastar(pdb:7-8): length is 52, the optimum is 50\n", error)
        self.assertIn("pdb: 40, idastar(pdb:6-6-6-6:reflect): generated is 65099578, the set has 65099579\n", error)
        self.assertEqual(self.asked[2][1:], ([{"set": "korf24_50", "select": [38, 40]}], ["idastar(pdb:6-6-6-6:reflect)"]))
        self.assertEqual(self.pdb((), "--large")[0], 0)


class Measuring(BenchTest):
    """The program itself, on what is fast."""

    def test_small(self):
        row = "greedy(manhattan), 20 boards"
        small = ("small", "--boards", "20", "--solver", "greedy(manhattan)")
        self.assertEqual(self.start(*small, "--write-reference").returncode, 0)
        counters = json.loads(self.file.read_text())["small"][row]["counters"]
        rows = read_table(self.folder / "out" / "small" / "runs.csv")
        self.assertEqual(counters["solved"], 20)
        for name, of in (("length", sum), ("generated", sum), ("expanded", sum), ("peak_bytes", max)):
            self.assertEqual(counters[name], of(int(cells[name]) for cells in rows), name)
        done = self.start(*small)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(": as in the reference\n", done.stdout)
        self.change("small", row, "counters", "expanded", lambda count: count + 1)
        done = self.start(*small)
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"{row}: expanded is {counters['expanded']}, the reference has {counters['expanded'] + 1}", done.stderr)

    def test_overhead(self):
        code, out, error = self.inside("overhead", "--runs", "50")
        self.assertRegex(out, r"(?m)^  around a search, median +[\d,.]+ us .*at most 15 us wanted")
        self.assertRegex(out, r"others kept \d+\.\d\d processors busy meanwhile")
        self.assertEqual(code, 1 if "ABOVE" in out else 0, error)

    def test_korf_holds_the_lengths_of_real_searches_against_the_optimum(self):
        done = self.start("korf", "--first", "1", "--solver", "greedy(manhattan)", "--solver", "astar(manhattan)")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"korf: 79, greedy\(manhattan\): length is \d+, the optimum is 42\n\Z")
        self.assertRegex(done.stdout, r"(?m)^  search / astar\(manhattan\) +\d")

    @unittest.skipIf(SANITIZED, "slow under sanitizers")
    def test_space_sees_every_board(self):
        code, out, _ = self.inside("space")
        self.assertEqual(code, 1 if "ABOVE" in out else 0)
        self.assertIn("  boards 181,440, length 31, ", out)
        peak = int(re.search(r", peak_bytes ([\d,]+):", out)[1].replace(",", ""))
        self.assertRegex(out, rf"(?m)^  peak bytes / board +{peak / 181440:.2f} ")
        with mock.patch.object(bench, "SPACES", (("3x3 whole", 181441, 1, None),)):
            code, _, error = self.inside("space")
        self.assertEqual(code, 3)
        self.assertIn("bfs on 3x3 whole: visited 181440 boards, expected 181441", error)

    def test_a_search_that_hits_a_limit_is_reported(self):
        out, error = io.StringIO(), io.StringIO()
        report = bench.Report("small", bench.parse(self.arguments("small")))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), \
                mock.patch.object(bench.Busy, "mean", return_value=1.25):
            found, _ = bench.experiment(TILELAB, report, "x", [{"name": "far", "boards": ["8 6 7 2 5 4 3 0 1"]}],
                                        ["bfs", "greedy(manhattan)"], limits={"nodes": 1000})
            self.assertEqual((list(found), report.wrong, report.finish()), (["greedy(manhattan)"], [], 1))
        self.assertIn("small: 1, bfs: node_limit", error.getvalue())
        self.assertEqual(report.busy, 1.25)

    def test_an_algorithm_that_is_not_there_is_skipped(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(bench.known(TILELAB, ["bfs", "teleport(manhattan)"]), ["bfs"])
        self.assertEqual(out.getvalue(), "skipped: teleport(manhattan): this tilelab has no algorithm teleport\n")

    @unittest.skipUnless(shutil.which("hyperfine"), "hyperfine is not installed")
    def test_time(self):
        done = self.start("time", "--only", "korf 12", "--runs", "2", "--warmup", "1", "--baseline", "greedy(manhattan)",
                          "--solver", "greedy(manhattan, duplicates=stored)", "--solver", "astar(manhattan, ties=fifo)")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^astar\(manhattan, ties=fifo\) on 4x4 korf 12$")
        self.assertRegex(done.stdout, r"(?m)^  median / greedy\(manhattan\) +\d")
        self.assertEqual(sorted(path.name for path in (self.folder / "out" / "time").iterdir()), ["4x4.csv", "4x4.json", "4x4.md"])

    @unittest.skipUnless(shutil.which("valgrind") and not SANITIZED, "valgrind cannot run this")
    def test_instructions(self):
        one = ("instructions", "--only", "greedy(manhattan) on 4x4")
        self.assertEqual(self.start(*one, "--write-reference").returncode, 0)
        (row, kept), = json.loads(self.file.read_text())["instructions"].items()
        self.assertRegex(row, r"\Agreedy\(manhattan\) on 4x4 korf 79, (gcc|clang)\Z")
        self.assertLess(kept["figures"]["instructions / generated"], kept["figures"]["instructions / expanded"])
        file, = (self.folder / "out" / "instructions").iterdir()
        functions = re.findall(r"(?m)^c?fn=\(\d+\) (\w+)", file.read_text())
        self.assertIn("greedy_run", functions)
        self.assertNotIn("record_cells", functions)  # the search alone
        self.change("instructions", row, "figures", "instructions / generated", lambda each: each / 1.1)
        # A longer environment moves the stack: the count must not depend on it.
        done = self.start(*one, LONG="x" * 5000)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^  instructions / generated .* 1\.100  ROSE by 10\.0 %$")
        self.assertRegex(done.stdout, r"(?m)^  instructions / expanded .* 1\.000$")
        self.assertIn(": as in the reference\n", done.stdout)

    def test_all_goes_through_every_benchmark_and_gives_the_gravest_code(self):
        self.assertEqual([arguments[0] for arguments in bench.SHORT],
                         ["overhead", "small", "space", "instructions", "korf", "pdb", "time"])
        short = (["korf", "--first", "1", "--solver", "greedy(manhattan)"], ["small", "--solver", "nonsense"],
                 ["small", "--boards", "5", "--solver", "greedy(manhattan)"])
        with mock.patch.object(bench, "SHORT", short):
            code, out, error = self.inside("all")
            self.assertEqual(code, 3)
            self.assertIn("unknown algorithm 'nonsense'", error)
            self.assertIn("greedy(manhattan), 5 boards\n", out)
        with mock.patch.object(bench, "SHORT", short[1:]):
            self.assertEqual(self.inside("all")[0], 2)
        with mock.patch.object(bench, "SHORT", short[2:]):
            self.assertEqual(self.inside("all")[0], 0)
