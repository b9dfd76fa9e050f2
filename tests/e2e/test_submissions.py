"""Folders that were handed in as solvers: found, built within limits, isolated, each on its own."""

import csv
import json
import os
import pathlib
import shutil
import signal
import time
import unittest

from test_run import Harness
from support import needs_isolation, read_table

from classroom import HONEST, astar_py, write_classroom

EXPERIMENT = """experiment: marking
instances:
  - {name: b, boards: [1 2 3 4 5 6 0 7 8]}
solvers:
  - {submissions: handed in, KEYS}
limits: {time: 20s, memory: 512MiB}
warmup: 0
output: out
"""
RIGHT = "print('moves: RR')\n"


class Submissions(Harness):
    def hand_in(self, files, keys=""):
        """Writes the experiment and what is handed in: {path: text}, None for a folder."""
        self.write(EXPERIMENT.replace(", KEYS", f", {keys}" if keys else ""))
        for name, text in files.items():
            path = self.folder / "handed in" / name
            (path if text is None else path.parent).mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_text(text)

    def statuses(self):
        return {row["label"]: row["status"] for row in self.rows()}

    def messages(self):
        """Of each label the last message."""
        labels = {row["run_id"]: row["label"] for row in self.rows()}
        with open(self.folder / "out" / "messages.csv", newline="", encoding="utf-8") as file:
            return {labels[row["run_id"]]: row["message"] for row in csv.DictReader(file)}

    def originals(self):
        place = self.folder / "handed in"
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in place.rglob("*") if path.is_file() and not path.is_symlink()}


@needs_isolation
class Found(Submissions):
    def test_each_by_what_its_folder_has(self):
        self.hand_in({"a run/run.sh": "python3 other.py\n", "a run/other.py": RIGHT, "a run/main.py": "crash\n", "b/main.py": RIGHT,
                      "c/make me/Makefile": "all:\n\techo '#!/bin/sh' > answer; echo 'echo moves: RR' >> answer; chmod +x answer\n",
                      "d/main.c": '#include "say.h"\nint main(void) { say(); return 0; }\n', "d/say.h": "void say(void);\n",
                      "d/say.c": '#include <stdio.h>\nvoid say(void) { puts("moves: RR"); }\n', "e/.git/main.py": RIGHT, "f/notes.txt": "sorry\n",
                      "__MACOSX/main.py": RIGHT, ".DS_Store": "", "c.zip": "", "list.txt": ""})
        before = self.originals()
        plan = self.tilelab("plan", "experiment.yaml").stdout
        for line in ("  a run: bash run.sh", "  b: python3 main.py", "  c: make -B, then ./main, in make me/", "  d: cc -O2 -o main ./main.c ./say.c -lm, then ./main",
                     "  e: cannot be run: its folder is empty", "no folders, so no submissions, in", "c.zip, list.txt"):
            self.assertIn(line, plan)
        self.assertFalse((self.folder / "out").exists())
        self.run_it(code=3)
        self.assertEqual(self.statuses(), {**dict.fromkeys(("a run", "b", "c", "d"), "solved"), "e": "crashed", "f": "crashed"})
        self.assertIn("has no run.sh, main.py", self.messages()["f"])
        self.assertEqual(self.originals(), before)

    def test_the_file_says_what_runs_and_how_it_is_built(self):
        self.hand_in({"a/go.py": RIGHT, "b/Go.py": RIGHT, "c/go.py": RIGHT, "c/Makefile": "all:\n\tfalse\n"}, "command: [python3, go.py]")
        self.run_it(code=3)
        self.assertEqual(self.statuses(), {"a": "solved", "b": "crashed", "c": "solved"})
        self.assertIn("did you mean 'Go.py'?", self.messages()["b"])
        self.hand_in({}, "command: [sh, made], build: [cp, source, made]")
        for name in "abc":
            self.hand_in({f"{name}/source": "echo moves: RR"}, "command: [sh, made], build: [cp, source, made]")
        self.run_it("--fresh")

    def test_names_of_all_kinds(self):
        long = "x" * 80
        place = self.folder / "handed in"
        self.hand_in({f"{name}/main.py": RIGHT for name in ("-rf", "a;b", "Jürgen  Groß", "astar(manhattan)", long + "1", long + "2", "new\nline", " ")})
        os.mkdir(os.fsencode(place) + b"/latin\xfc")
        (pathlib.Path(os.fsdecode(os.fsencode(place) + b"/latin\xfc")) / "main.py").write_text(RIGHT)
        self.run_of((self.folder / "experiment.yaml").read_text().replace("solvers:\n", "solvers:\n  - astar(manhattan)\n"))
        self.assertEqual({row["label"] for row in self.rows()}, {"", "-rf", "a;b", "Jürgen Groß", "astar(manhattan) (2)", "x" * 60, "x" * 56 + " (2)",
                                                                 "new?line", "unnamed", "latin?"})

    def test_what_is_odd_is_its_own_fault_alone(self):
        place = self.folder / "handed in"
        self.hand_in({"good/main.py": RIGHT, "out/main.py": RIGHT, "pipe": None, "huge/main.py": RIGHT, "theirs": None})
        os.mkfifo(place / "pipe" / "main.py")
        os.mkfifo(place / "out" / "pipe")
        (place / "linked").symlink_to(place / "good")
        (place / "theirs" / "main.py").symlink_to(place / "good" / "main.py")
        with open(place / "huge" / "data", "wb") as file:
            file.truncate((2 << 30) + 1)
        self.run_it(code=3)
        self.assertEqual(self.statuses(), {"good": "solved", "out": "solved", "pipe": "crashed", "huge": "crashed", "linked": "crashed", "theirs": "crashed"})
        self.assertEqual(self.messages()["huge"], "its folder holds more than 2 GiB")

    def test_keys_that_do_not_fit(self):
        self.hand_in({"a/main.py": RIGHT}, "label: x, cwd: y")
        self.assertIn("'label' beside 'submissions'; expected none", self.tilelab("check", "experiment.yaml", code=2).stderr)
        self.write("experiment: e\ninstances: [{name: b, boards: [1 2 3 4 5 6 0 7 8]}]\nsolvers: [{submissions: nowhere}]\n")
        self.assertIn("nowhere' cannot be read: No such file", self.tilelab("check", "experiment.yaml", code=2).stderr)


@needs_isolation
class Built(Submissions):
    def test_a_build_is_limited_and_apart(self):
        """It floods, it looks for its neighbours and for the results, it leaves a process: what it makes is its own."""
        self.hand_in({"floods/Makefile": "all:\n\tyes\n", "looks/Makefile": "all:\n\ttest ! -e experiment.yaml && test ! -e ../floods && test ! -e ../../../runs.csv\n"
                      "\ttest $$(ls / | grep -c submission) = 1 && ! touch /usr/x /x 2> /dev/null\n\tsleep 300 &\n"
                      "\techo '#!/bin/sh' > solver; echo 'echo moves: RR' >> solver; chmod +x solver; touch helper; chmod +x helper\n",
                      "nothing/Makefile": "all:\n\ttrue\n", "two/Makefile": "all:\n\ttouch a b\n\tchmod +x a b\n"})
        self.run_it(code=3)
        self.assertEqual(self.statuses(), {"floods": "crashed", "looks": "solved", "nothing": "crashed", "two": "crashed"})
        for name, says in (("floods", "make -B: more than 16 MiB of output"), ("nothing", "make made no program"), ("two", "make made several programs (a, b)")):
            self.assertIn(says, self.messages()[name])

    def test_an_interrupt_ends_a_build(self):
        self.hand_in({"slow/Makefile": "all:\n\tsleep 300\n", "good/main.py": RIGHT})
        process = self.start()
        self.wait_until(lambda: list((self.folder / "out").glob("builds/*/files/Makefile")), "a build begins")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        self.assertIn("interrupted while submissions were built", process.stderr.read())
        self.assertEqual(self.rows(), [])
        (self.folder / "handed in" / "slow" / "Makefile").write_text("all:\n\tprintf '%s\\n' '#!/bin/sh' 'echo moves: RR' > main; chmod +x main\n")
        self.run_it()

    def test_a_build_that_fails_is_its_own_rows_alone(self):
        self.hand_in({"bad/main.c": "int main(void) { retrun 0; }\n", "good/main.py": RIGHT})
        self.run_it(code=3)
        self.assertEqual(self.statuses(), {"bad": "crashed", "good": "solved"})
        self.assertRegex(self.messages()["bad"], r"its build failed: cc -O2 -o main ./main.c -lm: exit code 1: ./main.c: .*retrun")
        self.assertEqual(len(list((self.folder / "out" / "builds").glob("*/build.log.gz"))), 1)

    def test_what_is_built_is_not_built_again(self):
        make = "all:\n\tcp source main\n\tchmod +x main\n"
        self.hand_in({"a/Makefile": make, "a/source": "#!/bin/sh\necho moves: RR\n", "b/main.py": RIGHT})
        self.assertIn("1 submission built in", self.run_it().stderr)
        again = self.run_it("--set", "limits.time=9s", "--keep")
        self.assertNotIn("built in", again.stderr)
        (self.folder / "handed in" / "a" / "source").write_text("#!/bin/sh\necho moves: RLRR\n")
        changed = self.run_it(code=2)
        self.assertIn("2 rows of a, whose file a/ has changed", changed.stderr)

    def test_a_build_that_failed_is_tried_again(self):
        """The machine may have been at fault: its disk was full."""
        make = f"all:\n\techo >> {self.folder}/tries\n\ttest -e {self.folder}/room\n\tcp source main\n\tchmod +x main\n"
        self.hand_in({"a/Makefile": make, "a/source": "#!/bin/sh\necho moves: RR\n"}, "isolate: false")
        self.run_it("--set", "repetitions=3", code=3)
        tries = self.folder / "tries"
        self.assertEqual((set(self.statuses().values()), tries.read_text()), ({"crashed"}, "\n"))
        (self.folder / "room").touch()
        self.run_it("--set", "repetitions=3", "--again", "crashed")
        self.assertEqual((set(self.statuses().values()), tries.read_text()), ({"solved"}, "\n\n"))
        self.run_it("--set", "repetitions=4")
        self.assertEqual(tries.read_text(), "\n\n")

    def test_a_link_is_no_folder_for_builds_or_logs(self):
        self.hand_in({"a/main.py": RIGHT}, "logs: true")
        self.run_it()
        builds = self.folder / "out" / "builds"
        builds.rename(self.folder / "elsewhere")
        shutil.rmtree(self.folder / "out" / "logs")
        (self.folder / "elsewhere" / next(iter((self.folder / "elsewhere").iterdir())).name / "built").write_text("precious")
        before = sorted((self.folder / "elsewhere").rglob("*"))
        for name in ("builds", "logs", "checkpoints"):
            path = self.folder / "out" / name
            for make in (lambda path: path.symlink_to(self.folder / "elsewhere"), os.mkfifo, pathlib.Path.touch):
                make(path)
                self.assertIn(f"/{name}: it is a ", self.run_it("--again", "solved", code=2).stderr)
                path.unlink()
        builds.symlink_to(self.folder / "elsewhere")
        row, = self.rows()
        self.assertIn("builds is a link", self.tilelab("rerun", "out/runs.csv", row["run_id"], code=1).stderr)
        self.assertEqual(sorted((self.folder / "elsewhere").rglob("*")), before)

    def test_rerun_builds_where_it_must(self):
        self.hand_in({"a/main.c": '#include <stdio.h>\nint main(void) { puts("moves: RR"); return 0; }\n'})
        self.run_it()
        row, = self.rows()
        self.assertEqual(json.loads(row["options_json"])["submission"], "a")
        for name in sorted((self.folder / "out" / "builds").rglob("*"), reverse=True):
            name.rmdir() if name.is_dir() else name.unlink()
        done = self.tilelab("rerun", "out/runs.csv", row["run_id"])
        self.assertIn("Everything else is the same.", done.stdout)


class Apart(Submissions):
    @needs_isolation
    def test_what_it_writes_goes_with_its_run(self):
        writing = "import pathlib\nassert not pathlib.Path('mine').exists()\npathlib.Path('mine').write_text('1')\n" + RIGHT
        self.hand_in({"writes/main.py": writing, "looks/main.py": "import glob\nassert set(glob.glob('../*/main.py')) == {'../submission/main.py'}\n" + RIGHT})
        before = self.originals()
        self.run_it("--set", "repetitions=2")
        self.assertEqual(set(self.statuses().values()), {"solved"})
        self.assertEqual(self.originals(), before)

    @needs_isolation
    def test_nothing_of_it_runs_before_it_is_isolated(self):
        """Interpreters are asked for their versions: not one that a submission names."""
        self.hand_in({"a/main": "#!./evil\n", "a/evil": f"#!/bin/sh\ntouch {self.folder}/harm\n", "a/Makefile": "all:\n\tcp right main\n",
                      "a/right": "#!/bin/sh\necho moves: RR\n", "b/main.py": RIGHT, "b/python3": f"#!/bin/sh\ntouch {self.folder}/harm\n"})
        for name in ("a/main", "a/evil", "a/right", "b/python3"):
            (self.folder / "handed in" / name).chmod(0o755)
        self.run_it()
        self.assertEqual(set(self.statuses().values()), {"solved"})
        self.assertFalse((self.folder / "harm").exists())

    def test_not_isolated_it_runs_in_its_copy(self):
        self.hand_in({"a/main.py": "open('mine', 'w').close()\n" + RIGHT}, "isolate: false")
        before = self.originals()
        self.assertIn("NOT ISOLATED", self.run_it().stderr)
        self.assertEqual((set(self.statuses().values()), self.originals()), ({"solved"}, before))
        self.assertEqual(len(list((self.folder / "out" / "builds").glob("*/files/mine"))), 1)

    def test_without_bubblewrap_nothing_starts(self):
        self.hand_in({"a/main.py": astar_py()})
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "python3").symlink_to("/usr/bin/python3")
        done = self.tilelab("run", "experiment.yaml", code=2, PATH=str(tools))
        self.assertIn("bwrap is not installed", done.stderr)
        self.assertFalse(self.rows_file.exists())


class Hidden(Submissions):
    BOARDS = """experiment: hidden
seed: SEED
instances:
  - {name: open, seed: 5, size: 3x3, count: 3}
  - {name: hidden, size: 3x3, count: 3}
solvers: [astar(manhattan)]
output: out
"""

    def boards(self, seed):
        """The open and the hidden boards under a seed."""
        self.run_of(self.BOARDS.replace("SEED", seed), "--fresh")
        return [{row["instance"]: row["start"] for row in self.rows() if row["set"] == name} for name in ("open", "hidden")]

    def test_the_seed_of_a_file_is_in_no_result(self):
        (self.folder / "secret.txt").write_text("18446744073709551557\n")
        first = self.boards("{file: secret.txt}")
        self.assertIn("file secret.txt, hash ", self.manifest()["seed"])
        for file in (self.folder / "out").rglob("*"):
            self.assertNotIn("18446744073709551557", file.read_text() if file.is_file() else "")
        self.assertEqual(self.tilelab("plan", "experiment.yaml", "--json").stdout.count("18446744073709551557"), 0)
        (self.folder / "secret.txt").write_text("another")
        second = self.boards("{file: secret.txt}")
        self.assertEqual((first[0], first[0]), (second[0], self.boards("7")[0]))
        self.assertNotEqual(first[1], second[1])

    def test_a_file_that_cannot_be_a_seed(self):
        self.write(self.BOARDS.replace("SEED", "{file: secret.txt}"))
        self.assertIn("experiment.yaml:2:14: the file 'secret.txt' cannot be opened: No such file", self.tilelab("check", "experiment.yaml", code=2).stderr)
        (self.folder / "secret.txt").write_text(" \n")
        self.assertIn("experiment.yaml:2:14: the file 'secret.txt' is empty; expected a text that nobody guesses",
                      self.tilelab("check", "experiment.yaml", code=2).stderr)

    def test_fresh_boards_to_try_a_program_on(self):
        (self.folder / "main.py").write_text(astar_py())
        command = ("--persistent", "--", "python3", "main.py")
        fresh = json.loads(self.tilelab("verify", "solver", "--optimal", "--seed", "fresh", "--json", *command).stdout)
        self.assertEqual((fresh["right"], fresh["findings"]), (20, []))
        again = json.loads(self.tilelab("verify", "solver", "--seed", fresh["seed"], "--json", *command).stdout)
        fixed = json.loads(self.tilelab("verify", "solver", "--json", *command).stdout)
        starts = [[answer["start"] for answer in found["answers"]] for found in (fresh, again, fixed)]
        self.assertEqual(starts[0], starts[1])
        self.assertGreater(sum(a != b for a, b in zip(starts[0], starts[2])), 12)
        self.assertEqual([answer["optimal_length"] is None for answer in fresh["answers"]], [answer["optimal_length"] is None for answer in fixed["answers"]])
        self.assertIn("Fresh boards: --seed 9 has them again.", self.tilelab("verify", "solver", "--seed", "9", *command).stdout)

    def test_the_template_has_the_boards_of_the_assignment(self):
        self.hand_in({"a/main.py": RIGHT})
        (self.folder / "handed in").rename(self.folder / "handed-in")
        (self.folder / "secret.txt").write_text("secret")
        for name in ("marking", "assignment"):
            self.write(self.tilelab("template", name).stdout, f"{name}.yaml")
        (self.folder / "my_astar.py").write_text("")
        self.tilelab("run", "marking.yaml", "--quick", "--no-compare", "-o", "marking", "--set", "solvers=[bfs]", "--set", "compare={}", "--set", "points={optimal: 1}")
        self.tilelab("run", "assignment.yaml", "--no-compare", "-o", "assignment", "--set", "solvers=[bfs]", "--set", "compare={}")
        ours, theirs = ({row["start"] for row in read_table(self.folder / name / "runs.csv") if row["set"] == "by-depth"} for name in ("marking", "assignment"))
        self.assertEqual(len(ours), 8)
        self.assertLessEqual(ours, theirs)


class Many(Harness):
    def test_of_many_solvers_a_table_says_how_runs_ended(self):
        weights = "".join(f"  - {{command: [sh, -c, exit {i}], label: s{i}}}\n" for i in range(1, 10))
        self.write("experiment: many\ninstances: [{name: b, boards: [1 2 3 4 5 6 0 7 8]}]\nsolvers:\n  - bfs\n" + weights
                   + "warmup: 0\noutput: out\ncompare: {baseline: bfs}\n")
        self.run_it(code=3)
        text = self.tilelab("compare", "out").stdout
        self.assertRegex(text, r"(?m)^solver +solved +crashed\nbfs +1 +-\ns1 +- +1\n")
        self.assertNotIn("Not solved:", text)
        markdown = self.tilelab("compare", "out", "--format", "markdown").stdout
        self.assertEqual(markdown.count("not enough data: 1 board"), 1)
        self.assertEqual(self.tilelab("compare", "out", "--solvers", "bfs,s1,s2").stdout.count("Not solved: s1 1, s2 1 (crashed)"), 1)


@unittest.skipUnless(os.environ.get("TILELAB_LONG") == "1", "TILELAB_LONG=1 runs a class")
class Classroom(Harness):
    """Twenty submissions by one command, on two jobs: no fault is another's, and two runs say the same."""

    STATUSES = {**{name: {"solved", "unsolvable"} for name in (*HONEST, "hugo")}, "fritz": {"solved", "unsolvable", "wrong_answer", "time_limit"},
                "emil": {"solved", "unsolvable", "time_limit"}, "gina": {"time_limit"}, "ida": {"solved", "unsolvable", "wrong_answer"}, "karl": {"time_limit"},
                **{name: {"crashed"} for name in ("jan", "lena", "otto", "petra", "quirin", "rosa", "sven")}}

    def test_each_is_marked_by_its_own_deeds(self):
        write_classroom(self.folder)
        before = {path: path.read_bytes() for path in (self.folder / "submissions").rglob("*") if path.is_file()}
        found = []
        for output in ("out", "again"):
            start = time.monotonic()
            self.tilelab("run", "marking.yaml", "--no-compare", "--jobs", "2", "-o", output, code=3, options={"timeout": 900})
            self.assertLess(time.monotonic() - start, 600)
            rows = [row for row in read_table(self.folder / output / "runs.csv") if row["label"]]
            self.assertEqual(len(rows), 180)
            found.append(sorted((row["run_id"], row["status"], row["moves"], row["expanded"]) for row in rows if row["label"] not in ("emil", "fritz")))
            statuses = {}
            for row in rows:
                statuses.setdefault(row["label"], set()).add(row["status"])
            for label, seen in statuses.items():
                self.assertLessEqual(seen, self.STATUSES[label], label)
            wrong = {row["set"] for row in rows if row["label"] == "ida" and row["status"] == "wrong_answer"}
            self.assertEqual(wrong, {"hidden"})
        self.assertEqual(*found)
        self.assertEqual({path: path.read_bytes() for path in (self.folder / "submissions").rglob("*") if path.is_file()}, before)
