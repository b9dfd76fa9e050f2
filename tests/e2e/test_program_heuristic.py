"""Programs as heuristics: they value batches of boards as a plugin does, and one that fails costs its run alone."""
import json
import shutil

from support import FolderCase, needs_isolation, read_table

HARDEST = "8 6 7 2 5 4 3 0 1"
FRAME = """import sys, time, os
def values(boards, goal, width):
    home = {t: i for i, t in enumerate(goal)}
    return [sum(abs(i % width - home[t] % width) + abs(i // width - home[t] // width) for i, t in enumerate(b) if t != "0") for b in boards]
for number, header in enumerate(sys.stdin):
    width, height, count = map(int, header.split())
    goal, *boards = [sys.stdin.readline().split() for _ in range(count + 1)]
    found = values(boards, goal, width)
    late = number > 2
    BODY
    print(*found, flush=True)
"""
BAD = {"dies": 'if late: sys.exit("no more")', "few": "if late: found = found[1:]", "nonsense": 'if late: found = ["soon"]',
       "two": 'if late: found = [*found, "\\n"]', "hangs": "if late: time.sleep(60)", "hangs_at_once": "if number > 0: time.sleep(60)", "stillborn": 'sys.exit("not at all")',
       "closes": "if late: os.close(1); time.sleep(60)"}


class Programs(FolderCase):
    def describe(self, name, body="pass", more=""):
        (self.folder / f"{name}.py").write_text(FRAME.replace("BODY", body))
        (self.folder / f"{name}.yaml").write_text(f"name: {name}\ncommand: [python3, {name}.py]\n{more}")

    def experiment(self, plugins, *solvers, more="", code=0):
        path = self.folder / "e.yaml"
        path.write_text("experiment: e\ninstances: [{name: w, size: 3x3, count: 2, method: walk, steps: 40}]\nsolvers:\n" +
                        "".join(f"  - {solver}\n" for solver in solvers) + more + (f"plugins: [{', '.join(plugins)}]\n" if plugins else ""))
        done = self.tilelab("run", path, "-o", self.folder / "out", "--fresh", code=code)
        return done, read_table(self.folder / "out" / "runs.csv")

    def test_it_makes_the_search_of_the_built_in_one(self):
        self.describe("own", more="consistent: true\nbatch: 20\n")
        _, rows = self.experiment(["own.yaml"], "batch_astar(own)", "batch_astar(manhattan)", "batch_wastar(max:own+gaschnig, w=2, batch=9)",
                                  "batch_wastar(max:manhattan+gaschnig, w=2, batch=9)", more="jobs: 2\n")
        found = {(row["solver"], row["instance"]): row for row in rows}
        for (solver, instance), row in found.items():
            same = found[solver.replace("own", "manhattan"), instance]
            for column in ("status", "moves", "h_start", "expanded", "generated", "duplicates", "max_open"):
                self.assertEqual(row[column], same[column], (solver, column))
        self.assertEqual({row["status"] for row in rows}, {"solved"})
        files = {row["solver"]: json.loads(row["options_json"]).get("files") for row in rows}
        self.assertEqual(list(files["batch_astar(own)"]), ["own.yaml"])
        self.assertIsNone(files["batch_astar(manhattan)"])
        run = next(row["run_id"] for row in rows if row["solver"] == "batch_astar(own)")
        self.assertIn("Everything else is the same.", self.tilelab("rerun", self.folder / "out", run).stdout)

        # Another program of the same description: other runs.
        (self.folder / "own.py").write_text(FRAME.replace("BODY", "found = [0] * len(found)"))
        done = self.tilelab("rerun", self.folder / "out", run, code=3)
        self.assertIn("own.yaml has changed since the row was made", done.stderr)

    def test_commands_take_it_as_a_plugin(self):
        self.describe("own", more="consistent: true\n")
        found = json.loads(self.tilelab("solve", "--json", "--plugin", "own.yaml", "-s", "batch_astar(own)", "-s", "batch_astar(manhattan)", HARDEST).stdout)
        self.assertEqual([row["expanded"] for row in found], [found[1]["expanded"]] * 2)
        text = self.tilelab("verify", "heuristics", "--plugin", "own.yaml", "own", "--size", "2x3").stdout
        self.assertRegex(text, r"(?m)^own .* yes +yes ")
        self.describe("high", "found = [v + 1 for v in found]", more="admissible: true\n")
        self.assertIn("high claims 'admissible', which does not hold",
                      self.tilelab("verify", "heuristics", "--plugin", "high.yaml", "high", "--size", "2x3", code=3).stderr)
        rows = json.loads(self.tilelab("list", "heuristics", "--json", "--plugin", "high.yaml").stdout)
        self.assertEqual((rows[-1]["heuristic"], rows[-1]["admissible"], rows[-1]["consistent"]), ("high", "yes", "no"))

    def test_a_solver_may_have_the_mapping_itself(self):
        (self.folder / "own.py").write_text(FRAME.replace("BODY", "pass"))
        own = "{command: [python3, own.py], batch: 20}"
        _, rows = self.experiment([], f"{{algorithm: batch_astar, heuristic: [manhattan, {own}]}}",
                                  f"{{algorithm: batch_wastar, w: 2, heuristic: {{max: [gaschnig, {own}]}}}}", "batch_wastar(max:gaschnig+manhattan, w=2)", more="jobs: 2\n")
        found = {(row["solver"], row["instance"]): row for row in rows}
        self.assertEqual(len(found), 8)
        for (solver, instance), row in found.items():
            same = found[solver.replace("own", "manhattan"), instance]
            self.assertEqual(*([one[column] for column in ("status", "moves", "h_start", "expanded", "generated", "duplicates")] for one in (row, same)))
        run = found["batch_astar(own)", "1"]["run_id"]
        self.assertIn("Everything else is the same.", self.tilelab("rerun", self.folder / "out", run).stdout)
        again = self.tilelab("run", self.folder / "e.yaml", "-o", self.folder / "out", "--again", "solved")
        self.assertIn("8 runs", again.stderr)
        self.assertEqual({row["run_id"] for row in read_table(self.folder / "out" / "runs.csv")}, {row["run_id"] for row in rows})

        # Shards are merged without the program, and only another program is another run.
        for shard in ("1/2", "2/2"):
            self.tilelab("run", self.folder / "e.yaml", "-o", self.folder / "parts", "--shard", shard)
        (self.folder / "own.py").write_text(FRAME.replace("BODY", "pass  # changed"))
        self.tilelab("merge", self.folder / "parts")
        self.assertEqual({row["run_id"] for row in read_table(self.folder / "parts" / "runs.csv")}, {row["run_id"] for row in rows})
        self.assertIn(" has changed since the row was made", self.tilelab("rerun", self.folder / "out", run, code=3).stderr)
        _, changed = self.experiment([], f"{{algorithm: batch_astar, heuristic: [manhattan, {own}]}}")
        self.assertEqual({(row["heuristic"], row["run_id"] in {row["run_id"] for row in rows}) for row in changed}, {("own", False), ("manhattan", True)})

    def test_without_bubblewrap_an_isolated_one_is_refused(self):
        self.describe("own", more="isolate: true\n")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "python3").symlink_to(shutil.which("python3"))
        text = "experiment: e\ninstances: [{name: u, size: 2x3, count: 1}]\nsolvers: "
        for name, rest in (("file", "[astar(own)]\nplugins: [own.yaml]\n"), ("inline", "[{algorithm: astar, heuristic: {command: [python3, own.py], isolate: true}}]\n")):
            (self.folder / f"{name}.yaml").write_text(text + rest)
            self.assertIn("own is to run isolated: bwrap is not installed", self.tilelab("run", f"{name}.yaml", "-o", "out", code=2, PATH=str(self.folder / "bin")).stderr)
            self.assertFalse((self.folder / "out").exists())
        for command in (("solve", "-s", "astar(own)", HARDEST), ("verify", "heuristics", "own")):
            self.assertIn("own is to run isolated: bwrap is not installed", self.tilelab(*command, "--plugin", "own.yaml", code=2, PATH=str(self.folder / "bin")).stderr)

    def test_one_that_fails_costs_its_runs_alone(self):
        for name, body in BAD.items():
            self.describe(name, body)
        self.describe("lies", "found = [v + 40 if v else 0 for v in found]", more="admissible: true\n")
        done, rows = self.experiment([f"{name}.yaml" for name in (*BAD, "lies")], *(f"batch_astar({name}, batch=2)" for name in (*BAD, "lies")), "bfs",
                                     more="limits: {time: 2s}\n", code=3)
        statuses = {}
        for row in rows:
            statuses.setdefault(row["solver"].split("(")[-1].split(",")[0], set()).add(row["status"])
        self.assertEqual(statuses, {**{name: {"crashed"} for name in BAD}, "hangs": {"time_limit"}, "bfs": {"solved"}, "lies": {"wrong_answer"}})
        for message in ("the heuristic dies: it ended without an answer: exit code 1: no more", "the heuristic few: it answered ",
                        "the heuristic closes: it closed its output without an answer",
                        "the heuristic nonsense: it answered 'soon' as value 1 of ", "the heuristic two: it printed more than one line",
                        "the heuristic stillborn: it ended without an answer: exit code 1: not at all",
                        "the heuristic hangs_at_once: no answer to its first batch in 2 s"):
            self.assertIn(message, done.stderr)

    @needs_isolation
    def test_an_isolated_one_values_boards_and_leaves_no_file(self):
        for name, more in (("open", ""), ("closed", "isolate: true\n")):
            mark = self.folder / f"mark.{name}"
            self.describe(name, f"""
    try:
        open({str(mark)!r}, "w").close()
    except OSError:
        pass""", more=more)
        _, rows = self.experiment(["open.yaml", "closed.yaml"], "batch_astar(open)", "batch_astar(closed)")
        self.assertEqual({row["status"] for row in rows}, {"solved"})
        self.assertEqual(len({(row["instance"], row["expanded"]) for row in rows}), 2)
        self.assertEqual(sorted(path.name for path in self.folder.glob("mark.*")), ["mark.open"])

    def test_a_description_is_read_as_an_experiment_is(self):
        for text, message in (("name: a\n", "own.yaml:1:1: the key 'command' is missing"), ("name: a\ncommand: [python3, own.py]\nbach: 3\n", "own.yaml:3:1: unknown key 'bach'"),
                              ("name: A b\ncommand: [python3, own.py]\n", "own.yaml:1:7: invalid value 'A b' for 'name'"),
                              ("name: a\ncommand: [python3, nobody.py]\n", "own.yaml:2:10: ")):
            (self.folder / "own.yaml").write_text(text)
            (self.folder / "own.py").write_text("")
            self.assertIn(message, self.tilelab("list", "heuristics", "--plugin", "own.yaml", code=2).stderr)
