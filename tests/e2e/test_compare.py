"""tilelab compare on files from anywhere: what it believes, what it writes where, and what it leaves behind."""
import csv
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import unittest

from support import Case

TILELAB = os.environ["TILELAB"]
COLUMNS = ("run_id,set,instance,width,height,start,goal,optimal_length,solver,status,length,moves,expanded,generated,"
           "max_stored,peak_bytes,wall_s,limit_s,limit_nodes,limit_bytes,finished_at").split(",")
GOAL = "1 2 3 4 5 6 7 8 0"
TABLES = ["by_depth.csv", "pairs.csv", "summary.csv"]
BACK = {"U": "D", "D": "U", "L": "R", "R": "L"}
STEP = {"U": -3, "D": 3, "L": -1, "R": 1}


def walked(generator, steps):
    """A board so many random moves from the goal, none of which undoes the last, and the moves back."""
    cells, blank, path = GOAL.split(), 8, ""
    while len(path) < steps:
        move = generator.choice("UDLR")
        to = blank + STEP[move]
        if path[-1:] == BACK[move] or not 0 <= to < 9 or (move in "LR" and to // 3 != blank // 3):
            continue
        cells[blank], cells[to], blank = cells[to], cells[blank], to
        path += move
    return " ".join(cells), "".join(BACK[move] for move in reversed(path))


def rows_of(solvers, count, seed=1):
    """Rows of each solver on boards up to 12 moves away, two repetitions of each; one in ten is not solved."""
    generator = random.Random(seed)
    rows = []
    for instance in range(count):
        board, moves = walked(generator, 1 + instance % 12)
        for number, solver in enumerate(solvers):
            expanded = generator.randrange(1, 10 ** (number + 2))
            solved = generator.random() < 0.9
            for repetition in range(2):
                rows.append({
                    "run_id": f"{solver}-{instance}-{repetition}", "set": "s", "instance": instance, "width": 3,
                    "height": 3, "start": board, "goal": GOAL, "optimal_length": len(moves), "solver": solver,
                    "status": "solved" if solved else "node_limit", "length": len(moves) if solved else "",
                    "moves": moves if solved else "", "expanded": expanded, "generated": 2 * expanded,
                    "max_stored": expanded, "peak_bytes": 24 * expanded,
                    "wall_s": f"{generator.random():.9f}", "limit_s": 10, "limit_nodes": 0, "limit_bytes": 1 << 30,
                    "finished_at": "2026-01-31T23:59:59Z"})
    return rows


class CompareTest(Case):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.results = self.folder / "results"
        self.results.mkdir()

    def write(self, rows, path="results/runs.csv"):
        with open(self.folder / path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    def manifest(self, **keys):
        (self.results / "manifest.json").write_text(json.dumps(keys))

    def compare(self, *arguments, code=0, **options):
        done = subprocess.run([TILELAB, "compare", *map(str, arguments)], cwd=self.folder, text=True,
                              stdout=options.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE, timeout=60,
                              check=False, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def table(self, name, folder="results"):
        with open(self.folder / folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def files(self, folder="results"):
        return sorted(path.name for path in (self.folder / folder).iterdir())


class Order(CompareTest):
    def everything(self):
        text = self.compare("results").stdout
        tables = [(self.results / name).read_bytes() for name in TABLES]
        return [text, self.compare("results", "--json").stdout, *tables]

    def test_the_order_of_rows_changes_nothing(self):
        seed = 7
        generator = random.Random(seed)
        rows = rows_of(["c", "a2", "a10"], 12)
        # A run_id twice, with other times and counters: the one that finished last counts, else the greater.
        rows.append({**rows[0], "wall_s": "0.9", "finished_at": "2026-02-01T00:00:00Z"})
        rows.append({**rows[1], "wall_s": "0.00001"})
        rows.append({**rows[2], "status": "out_of_memory", "length": "", "moves": ""})
        self.write(rows)
        first = self.everything()
        self.assertIn("[1]  a2 ", first[0])
        self.assertIn("[2]  a10", first[0])
        for shuffle in range(20):
            generator.shuffle(rows)
            self.write(rows)
            self.assertEqual(self.everything(), first, f"seed {seed}, shuffle {shuffle}")


    def test_of_one_run_id_the_run_that_finished_last_counts(self):
        row = rows_of(["a"], 1)[0]
        later = {**row, "expanded": 1, "wall_s": "0.1", "finished_at": "2026-02-01T00:00:00Z"}
        rows = [{**row, "expanded": 2, "wall_s": "0.2"}, later, {**later, "status": "interrupted"}]
        for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]):
            self.write([rows[place] for place in order])
            self.assertIn("Rows that repeat a run_id, and count once: 2.", self.compare("results").stdout)
            self.assertEqual(self.table("summary.csv")[0]["expanded_mean"], "1")


class Experiment(CompareTest):
    def test_rows_that_are_not_of_the_experiment_are_named_and_left_out(self):
        rows = rows_of(["dfs", "bfs", "astar(manhattan)"], 10)
        other = {"limit_s": 60}
        rows += [{**row, **other, "run_id": "x" + row["run_id"]} for row in rows if row["solver"] == "bfs"][:3]
        self.write(rows)
        limits = {"seconds": 10.0, "nodes": 0, "bytes": 1 << 30}
        self.manifest(solvers=["bfs", "astar(manhattan)"], baseline="bfs",
                      limits={"bfs": limits, "astar(manhattan)": limits})
        done = self.compare("results")
        self.assertIn("Note: Left out: 20 rows of dfs, which is not in the experiment any more.", done.stdout)
        self.assertIn("Note: Left out: 3 rows of bfs, made under other limits than the experiment's.", done.stdout)
        self.assertEqual([(row["solver"], row["runs"]) for row in self.table("summary.csv")],
                         [("bfs", "20"), ("astar(manhattan)", "20")])
        # A bare file beside the manifest is none of the experiment's.
        self.write(rows, "results/other.csv")
        self.assertIn("dfs ", self.compare("results/other.csv").stdout)
        # Nothing is left.
        self.manifest(solvers=["beam(manhattan)"], baseline="beam(manhattan)")
        done = self.compare("results")
        self.assertIn("There are no runs in these results.", done.stdout)
        self.assertIn("20 rows of astar(manhattan), 23 rows of bfs, 20 rows of dfs, which are not", done.stdout)

    def test_memory_of_other_representations_is_noted(self):
        self.write(rows_of(["bfs", "astar(manhattan)"], 4))
        self.assertIn("compares representations", self.compare("results").stdout)
        self.write(rows_of(["idastar(manhattan)", "astar(manhattan)"], 4))
        self.assertNotIn("compares representations", self.compare("results").stdout)


class Files(CompareTest):
    def test_where_the_tables_go(self):
        self.write(rows_of(["a", "b"], 6))
        self.write(rows_of(["c"], 6), "more.csv")
        # Several results, or a bare file: only with -o.
        for arguments in (("results", "more.csv"), ("more.csv",), ("results/runs.csv",), ("results", "results")):
            done = self.compare(*arguments)
            self.assertEqual(done.stderr, "tilelab compare: no files are written; -o DIR writes the tables as CSV\n")
        self.assertEqual(self.files(), ["runs.csv"])
        self.assertEqual(self.files("."), ["more.csv", "results"])
        done = self.compare("results", "more.csv", "-o", "new/tables")
        self.assertEqual(done.stderr, "tilelab compare: summary.csv, by_depth.csv and pairs.csv are in new/tables\n")
        self.assertEqual(self.files("new/tables"), TABLES)
        self.assertEqual(self.files(), ["runs.csv"])
        # One folder: beside its runs.csv.
        done = self.compare("results")
        self.assertIn("are in results\n", done.stderr)
        self.assertEqual(self.files(), sorted([*TABLES, "runs.csv"]))

    def test_a_killed_compare_leaves_nothing_that_stays(self):
        self.write(rows_of(["a", "b", "c"], 40))
        seed = 3
        generator = random.Random(seed)
        for _ in range(10):
            process = subprocess.Popen([TILELAB, "compare", "results"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(generator.random() * 0.1)
            process.send_signal(signal.SIGKILL)
            process.wait()
            for name in TABLES:
                if (self.results / name).exists():
                    self.assertTrue((self.results / name).read_bytes().endswith(b"\n"))
        (self.results / ".summary.csv.part").write_text("half a ta")
        self.compare("results")
        self.assertEqual(self.files(), sorted([*TABLES, "runs.csv"]))

    def test_what_cannot_be_written_is_told(self):
        self.write(rows_of(["a", "b"], 6))
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in (("results",), ("results", "--json"), ("--columns",)):
                done = self.compare(*arguments, code=1, stdout=full)
                self.assertIn("standard output cannot be written: No space left on device", done.stderr)
        done = self.compare("results", "-o", "results/runs.csv", code=1)
        self.assertIn("cannot make the folder 'results/runs.csv'", done.stderr)

    def test_what_is_no_file_is_refused_at_once(self):
        os.mkfifo(self.folder / "pipe")
        for path in ("pipe", "/dev/full", "/dev/zero"):
            done = self.compare(path, code=2)
            self.assertEqual(done.stderr, f"{path}: cannot open: it is not a regular file; expected a results folder or a "
                             "CSV file of runs\n")
        done = self.compare("results", code=2)
        self.assertIn("results/runs.csv: cannot open: No such file", done.stderr)
        self.write(rows_of(["a", "b"], 6))
        os.mkfifo(self.results / "manifest.json")
        done = self.compare("results")
        self.assertIn("manifest.json: cannot open: it is not a regular file", done.stdout)


class Terminal(CompareTest):
    def test_names_command_no_terminal(self):
        self.write(rows_of(["a\u202eb", "c"], 6))
        told = self.compare("results", code=2).stderr
        self.assertIn("run_id 'a?b-0-0'; expected a text without control characters", told)
        self.write(rows_of(["a", "c"], 6))
        self.manifest(baseline="none\x1b[2J\u2066", solvers=["a", "c"])
        done = self.compare("results")
        told += done.stdout + done.stderr + self.compare("results", "-b", "x\x1b[2J", code=2).stderr
        self.assertIn("none?[2J?", told)
        self.assertIn("x?[2J", told)
        self.assertFalse({character for character in told if character != "\n" and not character.isprintable()})


class Usage(CompareTest):
    def test_every_counter_is_a_metric(self):
        rows = [row for row in rows_of(["a", "b"], 8) if row["status"] == "solved"]
        solved = {solver: {row["instance"] for row in rows if row["solver"] == solver} for solver in "ab"}
        self.write(rows)
        for metric in ("max_stored", "peak_bytes", "first_found", "cpu_s", "length"):
            told = self.compare("results", "-m", metric).stdout
            self.assertIn(f"{metric} against the baseline [1] a", told)
            # These two are nowhere in the file.
            self.assertEqual(f"[2]: {len(solved['a'] & solved['b'])} instances both solved, but without" in told,
                             metric in ("first_found", "cpu_s"))
        done = self.compare("results", "-m", "max_stord", code=2)
        self.assertIn("unknown metric 'max_stord'; expected expanded, generated, ", done.stderr)
        self.assertIn("did you mean 'max_stored'?", done.stderr)

    def test_little_to_compare(self):
        self.write([])
        self.assertEqual(self.compare("results").stdout, "There are no runs in these results.\n")
        rows = rows_of(["alone"], 1)
        self.write(rows[:1])
        self.assertIn("There is only one solver, so nothing to compare it with.", self.compare("results").stdout)
        self.assertEqual(self.table("pairs.csv"), [])
        self.write([{**rows[0], "optimal_length": "", "status": "crashed", "length": "", "moves": "", "wall_s": "",
                     "expanded": "", "generated": "", "max_stored": "", "peak_bytes": ""}])
        done = self.compare("results")
        self.assertIn("no instance has one in the results", done.stdout)
        self.assertNotIn("nan", done.stdout)
        self.assertNotIn("nan", (self.results / "summary.csv").read_text())

    def test_the_columns_are_those_of_the_files(self):
        self.write(rows_of(["a", "b"], 6))
        self.compare("results")
        page = self.compare("--columns", "--markdown").stdout
        for name in TABLES:
            told = page.split(f"### {name}\n")[1].split("\n### ")[0]
            columns = [line.split("`")[1] for line in told.splitlines() if line.startswith("| `")]
            self.assertEqual(columns, list(self.table(name)[0]), name)
        self.assertIn("expanded_median", self.compare("--columns").stdout)
        self.assertIn("--columns goes without results", self.compare("--columns", "results", code=2).stderr)
        self.assertIn("goes with that", self.compare("--markdown", "results", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
