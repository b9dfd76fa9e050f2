"""The templates: short, right on boards of all kinds, and printed by tilelab template; the experiment that goes with them.
Languages whose start takes seconds, Java and JavaScript, are tried with TILELAB_LONG=1; one that is not installed is skipped
by name."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from support import SOURCE, TILELAB, Case, read_table

TEMPLATES = SOURCE / "harness" / "templates"
LONG = os.environ.get("TILELAB_LONG") == "1"

# name: (file, compiler or interpreter, how to make it, command, whether it answers board after board, whose counts it has)
SOLVERS = {
    "python": ("astar.py", "python3", None, ["python3", "astar.py"], True, "astar(manhattan)"),
    "c": ("idastar.c", "cc", ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "c", "idastar.c"], ["./c"], False, "idastar(manhattan)"),
    "cpp": ("idastar.cpp", "g++", ["g++", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "cpp", "idastar.cpp"], ["./cpp"], True,
            "idastar(manhattan)"),
    "java": ("Solver.java", "java", None, ["java", "Solver.java"], True, "idastar(manhattan)"),
    "javascript": ("astar.js", "node", None, ["node", "astar.js"], False, None),
}
SLOW = {"java", "javascript"}

EXPERIMENT = """
experiment: kinds
instances:
  - {{name: smallest, size: 2x2, method: uniform, count: 3}}
  - {{name: high, size: 2x5, goal: blank-first, method: walk, steps: 40, count: 2}}
  - {{name: wide, size: 6x2, method: walk, steps: 40, count: 2}}
  - {{name: odd, size: 3x3, goal: [2 1 3 4 5 6 7 8 0], method: uniform, count: 2}}
  - {{name: middle, size: 3x3, goal: [1 2 3, 4 0 5, 6 7 8], method: depth, depths: [0, 1, 25], count: 1}}
  - {{name: large, size: 5x5, method: walk, steps: 9, count: 2}}
  - {{name: largest, size: 6x6, goal: snail, method: walk, steps: 9, count: 2}}
solvers:
  - {}
  - {{command: {}, persistent: {}, optimal: true}}
"""


def run(*words, cwd=None, code=0):
    done = subprocess.run(words, text=True, capture_output=True, cwd=cwd, timeout=500)
    assert done.returncode == code, (words, done.stdout, done.stderr)
    return done


def rows(folder):
    return read_table(folder / "runs.csv")


class Templates(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-templates-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)

    def test_the_list_and_the_files_are_the_same(self):
        names = run(TILELAB, "list", "templates", "--names").stdout.split()
        self.assertEqual(set(SOLVERS) - set(names), set())
        listed = run(TILELAB, "template").stdout
        printed = {run(TILELAB, "template", name).stdout for name in names}
        files = [path for path in TEMPLATES.iterdir() if not path.name.startswith(".")]
        self.assertEqual(printed, {path.read_text() for path in files})
        for name, (file, *_) in SOLVERS.items():
            self.assertEqual(run(TILELAB, "template", name).stdout, (TEMPLATES / file).read_text())
            self.assertRegex(listed, rf"(?m)^{name} .*tilelab template {name} >")

    def test_wrong_names(self):
        self.assertIn("unknown template 'pyton'; expected python, ", run(TILELAB, "template", "pyton", code=2).stderr)
        self.assertIn("did you mean 'python'?", run(TILELAB, "template", "pyton", code=2).stderr)
        self.assertIn("a second template 'c'", run(TILELAB, "template", "python", "c", code=2).stderr)

    def test_they_are_short(self):
        for name, (file, *_) in SOLVERS.items():
            lines = (TEMPLATES / file).read_text().splitlines()
            with self.subTest(file):
                self.assertLessEqual(len(lines), 25)
                self.assertLessEqual(max(map(len, lines)), 100)
                self.assertRegex(lines[0], r"^(#|//) .* tilelab verify solver .*-- ")

    def test_they_are_right(self):
        for name, (file, needed, make, command, persistent, counts_as) in SOLVERS.items():
            with self.subTest(name):
                if name in SLOW and not LONG:
                    self.skipTest(f"{name}: TILELAB_LONG=1 tries it")
                if not shutil.which(needed):
                    self.skipTest(f"{name}: {needed} is not installed")
                shutil.copy(TEMPLATES / file, self.folder)
                if make:
                    run(*make, cwd=self.folder)
                options = ["--persistent"] if persistent else []
                found = json.loads(run(TILELAB, "verify", "solver", "--optimal", "--time=100s", *options, "--json", "--", *command,
                                       cwd=self.folder).stdout)
                self.assertEqual((found["right"], found["findings"]), (20, []))
                self.kinds(name, command, persistent, counts_as)
                if LONG and persistent and name not in SLOW:
                    run(TILELAB, "verify", "solver", "--optimal", "--", *command, cwd=self.folder)

    def kinds(self, name, command, persistent, counts_as):
        """Shapes and goals of all kinds; the nodes that it counts are those of the built-in algorithm."""
        (self.folder / f"{name}.yaml").write_text(EXPERIMENT.format(counts_as or "astar(manhattan)", json.dumps(command),
                                                                    str(persistent).lower()))
        run(TILELAB, "run", f"{name}.yaml", "--quiet", "--no-compare", "--output", f"{name}-results", cwd=self.folder)
        found = {}
        for row in rows(self.folder / f"{name}-results"):
            self.assertEqual(row["status"], "solved", row)
            key = row["set"], row["instance"]
            said = [row[column] for column in ("length", "expanded", "generated")]
            self.assertEqual(found.setdefault(key, said)[:3 if counts_as else 1], said[:3 if counts_as else 1], (key, row))
        self.assertEqual(len(found), 16)


class Assignment(Case):
    def test_the_experiment_is_the_template_with_another_command(self):
        shipped = (SOURCE / "harness" / "experiments" / "assignment.yaml").read_text().splitlines()
        template = (TEMPLATES / "assignment.yaml").read_text().splitlines()
        self.assertEqual([line.replace("../templates/astar.py", "my_astar.py") for line in shipped[1:]
                          if line != "group: coursework"], template)  # that is for those that ship

    def test_it_runs_as_it_ships(self):
        with tempfile.TemporaryDirectory(prefix="tilelab-assignment-") as name:
            few = [] if LONG else ["--set=instances.1.count=2", "--set=instances.2.count=1", "--set=instances.2.depths=[4, 20]"]
            done = run(TILELAB, "run", "assignment", *few, "--set=limits.time=100s", cwd=name)
            found = rows(pathlib.Path(name, "results/assignment"))
            self.assertEqual(len(found), 160 if LONG else 8)
            counts = {}
            for row in found:
                self.assertEqual((row["status"], row["length"]), ("solved", row["optimal_length"]))
                counts.setdefault((row["set"], row["instance"]), set()).add((row["expanded"], row["generated"]))
            self.assertEqual({len(same) for same in counts.values()}, {1})
            self.assertIn("of mine the whole process with its start", re.sub(r"\s+", " ", done.stdout + done.stderr))
