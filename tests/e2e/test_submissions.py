"""Folders that were handed in as solvers: found, built within limits, isolated, each on its own."""

import csv
import json
import os
import pathlib

from test_run import Harness

from classroom import astar_py

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
        self.write((self.folder / "experiment.yaml").read_text().replace("solvers:\n", "solvers:\n  - astar(manhattan)\n"))
        self.run_it()
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
            file.truncate(1 << 20)
        self.run_it(code=3)
        self.assertEqual(self.statuses(), {"good": "solved", "out": "solved", "pipe": "crashed", "huge": "solved", "linked": "crashed", "theirs": "crashed"})

    def test_keys_that_do_not_fit(self):
        self.hand_in({"a/main.py": RIGHT}, "label: x, cwd: y")
        self.assertIn("'label' beside 'submissions'; expected none", self.tilelab("check", "experiment.yaml", code=2).stderr)
        self.write("experiment: e\ninstances: [{name: b, boards: [1 2 3 4 5 6 0 7 8]}]\nsolvers: [{submissions: nowhere}]\n")
        self.assertIn("nowhere' cannot be read: No such file", self.tilelab("check", "experiment.yaml", code=2).stderr)


class Built(Submissions):
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
    def test_what_it_writes_goes_with_its_run(self):
        writing = "import pathlib\nassert not pathlib.Path('mine').exists()\npathlib.Path('mine').write_text('1')\n" + RIGHT
        self.hand_in({"writes/main.py": writing, "looks/main.py": "import glob\nassert set(glob.glob('../*/main.py')) == {'../submission/main.py'}\n" + RIGHT})
        before = self.originals()
        self.run_it("--set", "repetitions=2")
        self.assertEqual(set(self.statuses().values()), {"solved"})
        self.assertEqual(self.originals(), before)

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
