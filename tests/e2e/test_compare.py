"""tilelab compare on files from anywhere: what it believes, what it writes where, and what it leaves behind."""
import csv
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from support import TILELAB, FolderCase, on_terminal, read_table, write_table

COLUMNS = ("run_id,set,instance,width,height,start,goal,optimal_length,solver,status,length,moves,expanded,generated,"
           "max_stored,peak_bytes,wall_s,limit_s,limit_nodes,limit_bytes,h_start,finished_at").split(",")
GOAL = "1 2 3 4 5 6 7 8 0"
TABLES = ["by_depth.csv", "pairs.csv", "summary.csv"]
WRITTEN = sorted([*TABLES, "datapackage.json"])
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


class CompareTest(FolderCase):
    def setUp(self):
        super().setUp()
        self.results = self.folder / "results"
        self.results.mkdir()

    def write(self, rows, path="results/runs.csv"):
        write_table(self.folder / path, rows, COLUMNS)

    def write_manifest(self, **keys):
        (self.results / "manifest.json").write_text(json.dumps(keys))

    def compare(self, *arguments, code=0, **options):
        if "stdout" in options:
            options.update(capture_output=False, stderr=subprocess.PIPE)
        return self.tilelab("compare", *arguments, code=code, options=options)

    def table(self, name, folder="results"):
        return read_table(self.folder / folder / name)

    def files(self, folder="results"):
        return sorted(path.name for path in (self.folder / folder).iterdir())


class Order(CompareTest):
    def everything(self):
        text = self.compare("results", "--full").stdout
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
        self.assertLess(first[0].index("\na2 "), first[0].index("\na10 "))
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


class Chosen(CompareTest):
    """A part of the results, and the columns and metrics that a sheet names."""

    SOLVERS = ["bfs", "astar(manhattan)", "wastar(manhattan, w=2)"]

    def setUp(self):
        super().setUp()
        rows = rows_of(self.SOLVERS, 12)
        self.rows = rows + [{**row, "set": "walk", "run_id": "w" + row["run_id"]} for row in rows]
        self.write(self.rows)
        self.write_manifest(solvers=self.SOLVERS, baseline="bfs", labels={self.SOLVERS[1]: "mine"})

    def test_it_is_as_if_nothing_else_had_been_run(self):
        self.write([row for row in self.rows if row["set"] == "walk" and row["solver"] != "bfs"], "part.csv")
        part = self.compare("part.csv", "--json").stdout
        for solvers in ("mine,wastar(manhattan, w=2)", " astar(manhattan) , wastar*", "*astar(manhattan*"):
            for sets in ("walk", "walk 3x3", "w*"):
                self.write(self.rows, "whole.csv")
                options = ["--sets", sets, "--solvers", solvers.replace("mine", self.SOLVERS[1])]
                chosen = self.compare("whole.csv", *options, "--json")
                self.assertEqual(*[[json.loads(text)[name] for name in ("runs", "summary", "pairs", "by_depth")] for text in (chosen.stdout, part)])
                self.assertIn(f"mine ", self.compare("results", "--sets", sets, "--solvers", solvers).stdout)
        self.assertEqual(self.files(), ["manifest.json", "runs.csv"], "a part writes no files beside the whole")

    def test_unknown_names_list_what_there_is(self):
        said = self.compare("results", "--solvers", "bfs,mein", code=2).stderr
        self.assertEqual(said, "tilelab: --solvers: no solver 'mein' in these results; expected bfs, mine or wastar(manhattan, w=2); did you mean 'mine'?\n")
        said = self.tilelab("plot", "results", "--sets", "walk,unknown", code=2).stderr
        self.assertEqual(said, "tilelab: --sets: no set 'unknown' in these results; expected s 3x3 or walk 3x3\n")
        self.assertIn("no set ''", self.tilelab("report", "results", "--sets", "walk,", code=2).stderr)
        self.assertIn("without --sets", self.compare("results", "--against", "results", "--sets", "s", code=2).stderr)

    def test_the_baseline_may_be_called_by_its_label(self):
        self.assertIn("against the baseline mine:", " ".join(self.compare("results", "--full", "-b", "mine").stdout.split()))

    def test_a_label_that_two_solvers_share_is_that_of_one(self):
        """Without a manifest the rows say their labels."""
        self.write(self.rows)
        lines = (self.results / "runs.csv").read_text().splitlines()
        (self.folder / "labels.csv").write_text("\n".join([lines[0] + ",label", *(line + ",same" for line in lines[1:])]) + "\n")
        table = csv.DictReader(self.compare("labels.csv", "--columns", "solver", "--sets", "s", "--format", "csv").stdout.splitlines())
        self.assertEqual(sorted(row["solver"] for row in table), ["bfs", "same", "wastar(manhattan, w=2)"])

    def test_the_columns_of_a_sheet(self):
        words = "solver,solved,expanded,max_stored_mean,wall_s,length"
        text = self.compare("results", "--columns", words).stdout
        self.assertRegex(text, r"(?m)^solver +solved +median expanded +mean max stored +median wall s +median length$")
        self.assertRegex(text, r"(?m)^mine .* \(\d+/12\) ", "a mean over the solved boards alone says so")
        self.assertNotRegex(self.compare("results", "--columns", "solver,expanded").stdout, r"\d \(\d+/12\)", "a median is over all of them")
        self.assertRegex(self.compare("results", "--columns", "solver,solved").stdout, r"(?m)^mine +\d+/24$")
        table = list(csv.DictReader(self.compare("results", "--columns", words, "--format", "csv").stdout.splitlines()))
        self.assertEqual([row["solver"] for row in table], ["bfs", "mine", "wastar(manhattan, w=2)"] * 2)
        self.assertEqual([(row["expanded"], row["max_stored_mean"], row["length"]) for row in table],
                         [(row["expanded_median_all"], row["max_stored_mean"], row["length_median_all"]) for row in self.table("summary.csv")])
        self.assertEqual(list(table[0]), ["block", *words.split(",")])
        said = self.compare("results", "--columns", "solver,expandd", code=2).stderr
        for word in ("no column 'expandd'; expected set, ", " max_depth, ", " cpu_s, ", "_mean, _sd"):
            self.assertIn(word, " ".join(said.split()))
        self.assertIn("'solver' a second time", self.compare("results", "--columns", "solver,expanded,solver", code=2).stderr)
        self.assertIn("at a time", self.compare("results", "--columns", "solver", "--by-depth", "expanded", code=2).stderr)

    def test_by_depth_prints_the_metric_that_is_asked_for(self):
        self.compare("results")
        for metric in ("expanded", "generated", "max_stored", "wall_s"):
            shown = self.compare("results", "--by-depth", metric, "--format", "csv", "--sets", "s").stdout.splitlines()
            means = {(row["solver"], row["optimal_length"]): row[f"mean_{metric}"] for row in self.table("by_depth.csv") if row["set"] == "s"}
            for row in csv.DictReader(shown):
                self.assertEqual([row["bfs"], row["mine"]], [means[solver, row["d"]] for solver in self.SOLVERS[:2]], metric)


class Experiment(CompareTest):
    def test_rows_that_are_not_of_the_experiment_are_named_and_left_out(self):
        rows = rows_of(["dfs", "bfs", "astar(manhattan)"], 10)
        other = {"limit_s": 60}
        rows += [{**row, **other, "run_id": "x" + row["run_id"]} for row in rows if row["solver"] == "bfs"][:3]
        self.write(rows)
        limits = {"seconds": 10.0, "nodes": 0, "bytes": 1 << 30}
        self.write_manifest(solvers=["bfs", "astar(manhattan)"], baseline="bfs",
                      limits={"bfs": limits, "astar(manhattan)": limits})
        done = self.compare("results", "--full")
        self.assertIn("Note: Left out: 20 rows of dfs, which is not in the experiment any more.", done.stdout)
        self.assertIn("Note: Left out: 3 rows of bfs, made under other limits than the experiment's.", done.stdout)
        self.assertIn(" more, on rows left out.\n", self.compare("results").stdout)
        self.assertEqual([(row["solver"], row["runs"]) for row in self.table("summary.csv")],
                         [("bfs", "20"), ("astar(manhattan)", "20")])
        # A bare file beside the manifest is none of the experiment's.
        self.write(rows, "results/other.csv")
        self.assertIn("dfs ", self.compare("results/other.csv").stdout)
        # Nothing is left.
        self.write_manifest(solvers=["beam(manhattan)"], baseline="beam(manhattan)")
        done = self.compare("results")
        self.assertIn("There are no runs in these results.", done.stdout)
        self.assertIn("Note: Left out: 20 rows of astar(manhattan), 23 rows of bfs, 20 rows of dfs,", done.stdout)

    def test_the_metrics_of_the_experiment(self):
        """The first is what verdicts are about; each has its table by length, and its figures."""
        self.write(rows_of(["bfs", "astar(manhattan)"], 12))
        self.write_manifest(metrics=["max_stored", "length"])
        self.assertIn("verdict on max_stored", self.compare("results").stdout)
        self.assertIn("verdict on expanded", self.compare("results", "-m", "expanded").stdout)
        full = json.loads(self.compare("results", "--json").stdout)
        self.assertIn("length", full)
        self.assertNotIn("figure", full)
        self.assertIn("max_stored", json.loads(self.compare("results", "--json", "-m", "generated").stdout))
        self.assertIn("figure", json.loads(self.compare("results", "--json", "-m", "generated").stdout))
        for words, column in (["-m", "expanded"], "expanded"), (["-m", "generated"], "generated"), ([], "max_stored"):
            told = self.compare("results", "--table", "figure", *words).stdout
            self.assertIn(f"mean of {column}", " ".join(told.split()))
            self.assertEqual(told.count("By optimal length"), 1)
        plots = self.tilelab("plot", "results", "--json", "--only", "by_length")
        self.assertEqual([figure["name"] for figure in json.loads(plots.stdout)["figures"]],
                         ["by_length-max_stored-s-3x3", "by_length-length-s-3x3"])

    def lengths(self, rows):
        """The optimal lengths that by_depth.csv goes by."""
        self.write([{**row, "optimal_length": ""} for row in rows])
        self.compare("results")
        return sorted({int(row["optimal_length"]) for row in self.table("by_depth.csv")})

    def test_a_solution_of_an_optimal_solver_tells_the_optimal_length(self):
        generator = random.Random(3)
        boards = [walked(generator, steps) for steps in (2, 3, 5)]

        def rows(solver, **more):
            return [{**row, "start": board, "moves": moves, "length": len(moves), "status": "solved", **more}
                    for row, (board, moves) in zip(rows_of([solver], 3)[::2], boards)]
        self.assertEqual(self.lengths(rows("bfs")), [2, 3, 5])
        self.assertEqual(self.lengths(rows("wastar(manhattan, w=1)")), [2, 3, 5])
        for solver in ("greedy(manhattan)", "wastar(manhattan)", "mine", "astar(manhattan, x=1)"):
            self.assertEqual(self.lengths(rows(solver)), [], solver)
        self.assertEqual(self.lengths(rows("bfs", moves="")), [])  # nobody checked them
        self.assertEqual(self.lengths(rows("bfs", status="node_limit", moves="", length="")), [])
        # A shorter way than the optimal solver's: neither is believed.
        board, moves = boards[0]
        longer = [{**row, "moves": {"U": "UD", "D": "DU", "L": "LR", "R": "RL"}[moves[0]] + moves, "length": len(moves) + 2} if
                  row["start"] == board else row for row in rows("bfs")]
        self.assertEqual(self.lengths(longer + rows("greedy(manhattan)")), [3, 5])

    def test_more_solvers_than_lengths(self):
        """Then a solver is a row: a table of many columns is hard to read."""
        boards = [walked(random.Random(7), steps) for steps in (2, 4)]
        rows = [{**row, "start": board, "moves": moves, "length": len(moves), "optimal_length": len(moves), "status": "solved",
                 "generated": (number + 1) * len(moves)}
                for number, solver in enumerate("abc") for row, (board, moves) in zip(rows_of([solver], 2)[::2], boards)]
        self.write(rows)
        table = json.loads(self.compare("results", "--json").stdout)["figure"]
        self.assertEqual([(row["solver"], row["2"], row["4"]) for row in table[:3]], [("a", 2, 4), ("b", 4, 8), ("c", 6, 12)])
        self.assertEqual([row["solver"] for row in table[3:]], ["b* a", "b* b", "b* c"])
        self.write([row for row in rows if row["solver"] != "c"])
        table = json.loads(self.compare("results", "--json").stdout)["figure"]
        self.assertEqual([(row["d"], row["a"], row["b"]) for row in table], [(2, 2, 4), (4, 4, 8)])

    def test_memory_of_other_representations_is_noted(self):
        self.write(rows_of(["bfs", "astar(manhattan)"], 4))
        for asked in (["--full"], ["-m", "peak_bytes"], ["--json"]):
            self.assertIn("compares representations", self.compare("results", *asked).stdout)
        self.assertNotIn("compares representations", self.compare("results").stdout)  # it is not shown there
        self.write(rows_of(["idastar(manhattan)", "astar(manhattan)"], 4))
        self.assertNotIn("compares representations", self.compare("results", "--full").stdout)


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
        self.assertEqual(self.files("new/tables"), WRITTEN)
        self.assertEqual(self.files(), ["runs.csv"])
        # One folder: beside its runs.csv.
        done = self.compare("results")
        self.assertIn("are in results\n", done.stderr)
        self.assertEqual(self.files(), sorted([*WRITTEN, "runs.csv"]))

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
        self.assertEqual(self.files(), sorted([*WRITTEN, "runs.csv"]))

    def test_what_cannot_be_written_is_told(self):
        self.write(rows_of(["a", "b"], 6))
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in (("results",), ("results", "--json")):
                done = self.compare(*arguments, code=1, stdout=full)
                self.assertIn("standard output cannot be written: No space left on device", done.stderr)
        done = self.compare("results", "-o", "results/runs.csv", code=1)
        self.assertIn("cannot make the folder 'results/runs.csv'", done.stderr)

    def test_tables_go_through_no_link(self):
        self.write(rows_of(["bfs"], 2))
        target = self.folder / "precious"
        target.write_text("precious")
        for make in (lambda path: path.symlink_to(target), os.mkfifo):
            path = self.folder / "results" / "summary.csv"
            make(path)
            self.assertRegex(self.compare("results", code=1).stderr, "cannot write 'results/summary.csv': it is .*; -o DIR writes elsewhere")
            self.assertEqual(target.read_text(), "precious")
            path.unlink()

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
        self.write_manifest(baseline="none\x1b[2J\u2066", solvers=["a", "c"])
        done = self.compare("results")
        told += done.stdout + done.stderr + self.compare("results", "-b", "x\x1b[2J", code=2).stderr
        self.assertIn("none?[2J?", told)
        self.assertIn("x?[2J", told)
        self.assertFalse({character for character in told if character != "\n" and not character.isprintable()})


COURSEWORK = ["astar(manhattan)", "dfs", "bfs", "lcbb(misplaced)", "astar(misplaced)", "greedy(manhattan)"]
HEURISTICS = ["zero", "misplaced", "gaschnig", "out_of_row_column", "euclidean", "manhattan", "inversion", "linear_conflict",
              "walking_distance", "max:linear_conflict+walking_distance", "pdb:4-4", "pdb:4-4:reflect", "pdb:5-3",
              "pdb:5-3:reflect"]


class Screen(CompareTest):
    """What a terminal of 24 lines of 80 characters shows."""

    def put(self, solvers, sets=("by-depth", "uniform")):
        """As in the coursework: lcbb alone leaves boards unsolved, of the first set."""
        rows = rows_of(solvers, 30)
        paths = {row["instance"]: row["moves"] for row in rows if row["moves"]}
        self.write([{**row, "run_id": name + row["run_id"], "set": name, **(
            {} if name == sets[0] and row["solver"].startswith("lcbb") else
            {"status": "solved", "length": row["optimal_length"], "moves": paths[row["instance"]]})} for name in sets for row in rows])

    def lines(self, *arguments, columns=80):
        """The lines on a terminal; the last is where the next command is typed."""
        shown, done = on_terminal([TILELAB, "compare", "results", *arguments], "stdout", "stderr", cwd=self.folder,
                                  env={**os.environ, "COLUMNS": str(columns)})
        self.assertEqual(done.returncode, 0, shown)
        return shown.replace("\r\n", "\n").split("\n")

    def test_two_sets_and_six_solvers_fit(self):
        self.put(COURSEWORK)
        lines = self.lines()
        # What `run` prints below takes four lines, `compare` one, above.
        self.assertLessEqual(len(lines) - 1 + 4, 24)
        self.assertLessEqual(max(map(len, lines)), 80)
        text = "\n".join(lines)
        for solver in COURSEWORK:
            self.assertEqual(sum(line.startswith(solver + " ") for line in lines), 2, solver)
        for words in ("by-depth 3x3: 30 boards, 60 runs of each solver", "uniform 3x3: 30 boards,", "Not solved: ", " (node_limit, by-depth 3x3).", " 60  ",
                      "verdict on expanded", "(the baseline)", "(not shown: ", "--wide", "More: --full", "Holm over 5"):
            self.assertIn(words, text)
        self.assertNotIn("(not shown", "\n".join(self.lines("--wide")))

    def test_what_cannot_be_said_is_seen(self):
        rows = rows_of(["a", "b"], 20)
        self.write([{**row, "status": "time_limit", "length": "", "moves": ""} if row["solver"] == "b" and row["instance"] % 2
                    else {**row, "moves": ""} if row["solver"] == "a" and row["status"] == "solved" else row for row in rows])
        text = "\n".join(self.lines())
        self.assertRegex(text, r"(?m)^b +\d+/40 .*cannot be said\?$")
        self.assertRegex(text, r"(?m)^a +0\+\d+\?/40 ")
        self.assertRegex(text.replace("\n", " "), r"Not solved: b 20 \(time_limit\); a \d+(, b \d+)? \(node_limit\)\.")

    def test_a_lower_bound_is_never_rounded_up(self):
        for needed, shown in ((1296, "at least 12x more"), (297, "at least 2.9x more"), (199.8, "at least 1.99x more"), (100.4, "more")):
            rows = [row for row in rows_of(["a", "b"], 12) if str(row["run_id"]).endswith("-0")]
            paths = {row["instance"]: walked_back for row in rows if (walked_back := row["moves"])}
            for row in rows:
                solved = row["solver"] == "a" or row["instance"] > 0
                row.update(expanded=1000 if row["solver"] == "a" else int(10 * needed), status="solved" if solved else "node_limit")
                row.update(length=row["optimal_length"] if solved else "", moves=paths.get(row["instance"], "") if solved else "")
            self.write([row for row in rows if row["instance"] in paths])
            text = "\n".join(self.lines("--baseline", "a"))
            self.assertRegex(text, rf"(?m)^b .*  {shown}$")
            if shown != "more":
                self.assertIn(f"b expands {shown[:-6]} times more nodes than a", " ".join(self.lines("--baseline", "a", "--full", "--wide")))

    def test_no_line_is_wider_than_the_terminal(self):
        label = "the quick brown fox that jumps over a lazy dog for 60 letters"[:60]
        for solvers in (COURSEWORK, [f"astar({heuristic})" for heuristic in HEURISTICS], [label, "b"]):
            self.put(solvers)
            for arguments, columns in (((), 80), (("--full", "--all-pairs"), 80), (("-m", "max_stored", "--full"), 100)):
                wide = [line for line in self.lines(*arguments, columns=columns) if len(line) > columns]
                self.assertEqual(wide, [], (solvers[0], arguments, columns))

    def test_one_board_is_not_boards(self):
        self.write(rows_of(["a", "b"], 1))
        self.assertNotRegex(self.compare("results", "--full").stdout, r"\b1\s+(boards|runs|rows)\b")

    def test_full_leaves_out_no_column(self):
        self.put(COURSEWORK)
        narrow = " ".join(self.lines("--full")).split()
        for heading in ("generated", "length", "memory", "Hodges-Lehmann", "b*"):
            self.assertIn(heading, narrow)
        self.assertNotIn("(not shown", "\n".join(self.lines("--full")))


class AllPairs(CompareTest):
    def test_the_family_is_all_pairs(self):
        rows = [row for row in rows_of(["a", "b", "c", "d"], 40) if row["status"] == "solved"]
        self.write(rows)
        self.compare("results", "-b", "b")
        some = {row["solver"]: row for row in self.table("pairs.csv") if row["metric"] == "expanded"}
        self.assertEqual(list(some), ["a", "c", "d"])
        self.assertEqual({row["family"] for row in some.values()}, {"3"})
        self.compare("results", "-b", "b", "--all-pairs")
        every = [row for row in self.table("pairs.csv") if row["metric"] == "expanded"]
        self.assertEqual([(row["solver"], row["baseline"]) for row in every],
                         [("a", "b"), ("c", "b"), ("d", "b"), ("c", "a"), ("d", "a"), ("d", "c")])
        self.assertEqual({row["family"] for row in every}, {"6"})
        for row in every[:3]:  # the same p, over a larger family
            self.assertEqual(row["p"], some[row["solver"]]["p"])
        p = sorted(float(row["p"]) for row in every)
        adjusted = [max(min(1, (6 - place) * value) for place, value in enumerate(p) if place <= last) for last in range(6)]
        for value, expected in zip(sorted(float(row["p_adjusted"]) for row in every), adjusted):  # R: p.adjust(p, "holm")
            self.assertAlmostEqual(value, expected)
        # The other way round it is the other way round.
        self.compare("results", "-b", "c")
        other = [row for row in self.table("pairs.csv") if (row["metric"], row["solver"]) == ("expanded", "a")][0]
        self.assertAlmostEqual(float(other["ratio"]) * float(every[3]["ratio"]), 1)
        self.assertEqual((other["wins"], other["p"]), (every[3]["losses"], every[3]["p"]))

    def test_in_every_format(self):
        self.write(rows_of(["a", "b", "c"], 30))
        for name in ("text", "markdown", "latex", "html"):
            told = self.compare("results", "--all-pairs", "--format", name).stdout
            self.assertIn("All pairs: verdicts on expanded, p adjusted over all of them (Holm over 3)", told, name)
        told = json.loads(self.compare("results", "--all-pairs", "--json").stdout)
        self.assertEqual(len(told["verdicts"]), 3)
        self.assertEqual([(row["solver"], row["against"]) for row in told["all_pairs"]], [("b", "a"), ("c", "a"), ("c", "b")])
        self.assertEqual([row["against"] for row in told["effects"]], ["a", "a", "b"])
        self.assertNotIn("All pairs", self.compare("results", "--full").stdout)

    def test_the_experiment_file_can_ask(self):
        (self.folder / "experiment.yaml").write_text(
            "experiment: e\ninstances: [{name: u, size: 3x2, count: 8}]\nsolvers: [bfs, astar(misplaced), astar(manhattan)]\n"
            "compare: {baseline: bfs, all_pairs: true}\n")
        done = self.tilelab("run", "experiment.yaml", "--output", "results")
        self.assertIn("Holm over 3", done.stdout)
        self.assertIn("All pairs", self.compare("results").stdout)
        # How rows are compared can be changed when they are all there.
        text = (self.folder / "experiment.yaml").read_text().replace("baseline: bfs, all_pairs: true", "baseline: astar(misplaced)")
        (self.folder / "experiment.yaml").write_text(text)
        done = self.tilelab("run", "experiment.yaml", "--output", "results")
        for told in (done.stdout, self.compare("results").stdout):
            self.assertNotIn("All pairs", told)
            self.assertRegex(told, r"(?m)^astar\(misplaced\) .*\(the baseline\)$")


class Tables(CompareTest):
    """What --full adds, on results small enough to work out by hand."""

    def setUp(self):
        super().setUp()
        # Four boards at distances 1, 2, 3 and 4; b solves all but the last, c needs the square of a.
        generator = random.Random(5)
        rows = []
        for instance in range(4):
            board, moves = walked(generator, instance + 1)
            for solver, generated, solved in (("a", 2 ** (instance + 1), True), ("b", 10, instance < 3),
                                              ("c", 4 ** (instance + 1), True)):
                rows.append({"run_id": f"{solver}{instance}", "set": "s_1", "instance": instance, "width": 3, "height": 3,
                             "start": board, "goal": GOAL, "optimal_length": instance + 1, "solver": solver,
                             "status": "solved" if solved else "node_limit", "length": len(moves) if solved else "",
                             "moves": moves if solved else "", "expanded": generated, "generated": generated,
                             "max_stored": 1, "peak_bytes": 1, "wall_s": generated, "limit_s": 100, "limit_nodes": 10,
                             "limit_bytes": 1000, "h_start": instance if solver == "a" else "", "finished_at": "2026-01-31T23:59:59Z"})
        self.write(rows)

    def rows(self, table, **where):
        found = json.loads(self.compare("results", "--full", "--format", "json", "-m", "generated").stdout)[table]
        return [row for row in found if all(row[key] == value for key, value in where.items())]

    def test_standings(self):
        rows = {row["solver"]: row for row in self.rows("standings", metric="generated")}
        self.assertEqual(rows["a"]["PAR2"], 7.5)                     # (2 + 4 + 8 + 16) / 4
        self.assertEqual(rows["b"]["PAR2"], 12.5)                    # (10 + 10 + 10 + 2 * 10) / 4
        self.assertEqual(rows["b"]["PAR10"], 32.5)
        self.assertEqual(rows["a"]["restricted mean"], 6)            # up to 10, where b was stopped: (2 + 4 + 8 + 10) / 4
        self.assertEqual(rows["c"]["restricted mean"], 8.5)          # (4 + 10 + 10 + 10) / 4
        self.assertEqual([rows[solver]["rank"] for solver in "abc"], [1, 2.5, 2.5])  # b: 3 2 2 3, c: 2 3 3 2
        self.assertEqual([rows[solver]["best on"] for solver in "abc"], [4, 0, 0])
        self.assertEqual([rows["c"][f"within {ratio}x"] for ratio in (1, 2, 10, 100)], [0, 0.25, 0.75, 1])
        self.assertEqual([rows["b"][f"within {ratio}x"] for ratio in (2, 10)], [0.25, 0.75])
        self.assertEqual(rows["virtual best solver"]["PAR2"], 7.5)
        self.assertEqual(self.rows("standings", metric="wall_s", solver="b")[0]["PAR2"], 57.5)  # 30 + 2 * 100

    def test_penalised_averages_are_of_what_has_a_limit(self):
        self.assertEqual({row["PAR2"] for row in self.rows("standings", metric="generated")}, {7.5, 12.5, 85})
        told = self.compare("results", "--full").stdout
        expanded, generated = told.split("\nexpanded over the 4 boards")[1].split("\ngenerated over the 4 boards")
        self.assertNotIn("PAR2  PAR10", expanded)
        self.assertIn("PAR2 and PAR10 are not defined", expanded)
        self.assertIn("PAR2  PAR10", generated)
        rows = json.loads(self.compare("results", "--json").stdout)["standings"]
        self.assertEqual({(row["PAR2"], row["PAR10"]) for row in rows if row["metric"] == "expanded"}, {(None, None)})

    def test_tests_of_all_solvers_at_once(self):
        rows = {row["test"]: row for row in self.rows("tests", metric="generated")}
        keys = ("statistic", "degrees of freedom", "of the denominator", "p")
        for test, expected in {
                # R: friedman.test(matrix(c(2, 4, 8, 16, 10, 10, 10, Inf, 4, 16, 64, 256), 4))
                "Friedman, chi-squared": (6, 2, None, 0.0497870683679),
                # its F = 3 * 6 / (4 * 2 - 6), pf(9, 2, 6, lower.tail = FALSE)
                "Iman and Davenport, F": (9, 2, 6, 0.015625),
                # survdiff(Surv(c(2, 4, 8, 16, 10, 10, 10, 10, 4, 16, 64, 256), c(rep(1, 7), 0, rep(1, 4))) ~ rep(1:3, each = 4))
                "log-rank, chi-squared": (3.91474347664, 2, None, 0.141229120646),
                # qtukey(0.95, 3, Inf) / sqrt(2) * sqrt(3 * 4 / (6 * 4))
                "Nemenyi, critical difference of ranks": (1.65724657878, None, None, None)}.items():
            for key, value in zip(keys, expected):
                if value is None:
                    self.assertIsNone(rows[test][key])
                else:
                    self.assertAlmostEqual(rows[test][key], value, 8, (test, key))
        self.assertIn("log-rank, chi-squared", self.compare("results", "--full").stdout)

    def test_growth(self):
        rows = {row["solver"]: row for row in self.rows("growth")}
        for estimate in ("least squares", "Theil-Sen"):
            self.assertAlmostEqual(rows["a"][estimate], 2)
            self.assertAlmostEqual(rows["c"][estimate], 4)
        self.assertEqual((rows["b"]["solved"], rows["b"]["unsolved"]), (3, 1))

    def test_heuristics(self):
        rows = self.rows("heuristics")  # h is one below the optimal length
        self.assertEqual([row["heuristic"] for row in rows], ["a"])
        self.assertEqual([rows[0]["mean h"], rows[0]["mean optimum"], rows[0]["above optimum"], rows[0]["Kendall's tau"]],
                         [1.5, 2.5, 0, 1])
        self.assertAlmostEqual(rows[0]["relative error"], (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
        self.assertAlmostEqual(rows[0]["eta"], sum(3 ** (-h / 2) for h in range(4)) / 4)
        self.assertEqual([(row["d"], row["a"]) for row in self.rows("h_by_depth")], [(1, 0), (2, 1), (3, 2), (4, 3)])

    def test_spreads(self):
        self.compare("results")
        row = self.table("summary.csv")[0]
        self.assertEqual([row["set"], row["width"], row["solver"]], ["s_1", "3", "a"])
        self.assertEqual([float(row[f"generated_{kind}"]) for kind in ("lower", "median", "upper")], [3.5, 6, 10])
        self.assertAlmostEqual(float(row["generated_sd"]), 6.19139187367)  # R: sd(c(2, 4, 8, 16))
        self.assertEqual(self.table("summary.csv")[1]["generated_median_all"], "10")  # 10, 10, 10, unsolved
        self.assertEqual(float(self.table("summary.csv")[0]["stretch_mean"]), 1)

    def test_means_over_other_boards_are_marked(self):
        """A solver that never ran some boards has no mean beside those of the others."""
        with open(self.results / "runs.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["solver"] != "b" and (row["solver"], row["instance"]) != ("c", "3")]
        again = next(row for row in rows if (row["solver"], row["instance"]) == ("a", "2"))
        self.write(rows + [{**again, "run_id": "more", "instance": "9"}])  # of three moves too, which a alone ran
        told = self.compare("results", "--full").stdout
        spread = told.split("b*: median of")[1].split("\n\n")[0]
        self.assertRegex(spread, r"(?m)^a +5 +7\.60 ")
        self.assertRegex(spread, r"(?m)^c +3 +28\.00\* ")
        self.assertRegex(told, r"(?m)^3 +8\.00 +64\.00 \(1/2\) ")

    def test_every_format_has_every_table(self):
        text = self.compare("results", "--full").stdout
        for name in ("markdown", "latex", "html"):
            told = self.compare("results", "--full", "--format", name).stdout
            for words in ("within 10x", "Theil-Sen", "Hodges-Lehmann", "not enough data"):
                self.assertIn(words, text)
                self.assertIn(words, told, name)
        tables = self.compare("results", "--full", "--format", "csv").stdout.split("\n\n")
        self.assertEqual(len(tables), 17)
        for table in tables:
            lengths = {len(row) for row in csv.reader(table.splitlines())}
            self.assertEqual(len(lengths), 1, table)
        alone = self.compare("results", "--table", "summary", "--format", "csv").stdout
        self.assertEqual(alone, (self.results / "summary.csv").read_text())
        self.assertIn("s_1 3x3: 4 boards. expanded over the solved boards", self.compare("results", "--table", "spread").stdout)
        self.assertTrue(self.compare("results", "--table", "summary").stdout.startswith("summary\n"))
        self.assertIn("All pairs", self.compare("results", "--table", "all_pairs").stdout)
        self.assertIn("no table 'nothing' of these results; expected overview, spread, figure, ", self.compare("results", "--table", "nothing", code=2).stderr)

    def test_texts_do_no_harm_in_any_format(self):
        rows = rows_of(["a_b<&>$%#{x}~^\\|*", "c"], 8)
        self.write(rows)
        told = self.compare("results", "--full", "--format", "latex").stdout
        self.assertIn("a\\_b\\textless{}\\&\\textgreater{}\\$\\%\\#\\{x\\}\\textasciitilde{}\\textasciicircum{}"
                      "\\textbackslash{}\\textbar{}{*}", told)
        self.assertEqual(told.count("{"), told.count("}"))
        for table in told.split("\\toprule\n")[1:]:
            rows_told = [line for line in table.split("\\bottomrule")[0].splitlines() if line.endswith("\\\\") and "multicolumn" not in line]
            self.assertEqual(len({line.replace("\\&", "").count("&") for line in rows_told}), 1)
        told = self.compare("results", "--full", "--format", "html").stdout
        self.assertIn("a_b&lt;&amp;&gt;$%#{x}~^\\|*", told)
        self.assertNotIn("<&", told)
        xml.etree.ElementTree.fromstring(told.replace("<!DOCTYPE html>\n", "").replace('<meta charset="utf-8">', ""))
        told = self.compare("results", "--full", "--format", "markdown").stdout
        self.assertIn("| a\\_b&lt;&amp;&gt;\\$%\\#{x}\\~^\\\\\\|\\* |", told)

    @unittest.skipUnless(shutil.which("pdflatex") and
                         subprocess.run(["kpsewhich", "booktabs.sty"], stdout=subprocess.DEVNULL).returncode == 0,
                         "LaTeX needed: pdflatex and booktabs.sty")
    def test_latex_compiles_and_fits(self):
        """Whole, and single tables in a document of two columns, with names that mean something to LaTeX, or that it lacks."""
        solvers = [*"_%&#{}\\^~$*[]<>|\"'`-", "--", "a--b_c%d&e#f{g}h\\i^j~k$", "*{\\relax}", "\\end{tabular}", "[2cm]",
                   "Zoë ſħĿ 中文 🧩 €", "astar(max:linear_conflict+walking_distance)"]
        rows = [row for row in rows_of(solvers, 8) if row["status"] == "solved"]
        self.write([{**row, "set": "a_set%&#{}\\^~$*é中", "expanded": place + 1, "generated": place + 2, "max_stored": 1,
                     "peak_bytes": 1} for place, row in enumerate(rows)])
        packages = ("\\usepackage[T1]{fontenc}\\usepackage{booktabs,float,graphicx}"
                    "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}")
        parts = {name: self.compare("results", "--table", name, "--format", "latex").stdout
                 for name in ("overview", "figure", "effects", "standings")}
        self.assertNotIn("documentclass", parts["overview"])
        documents = {"whole": self.compare("results", "--full", "--format", "latex").stdout,
                     "columns": f"\\documentclass[twocolumn]{{article}}{packages}\\begin{{document}}\\sloppy\n"
                                f"{''.join(parts.values())}\\end{{document}}\n"}
        for name, text in documents.items():
            (self.folder / f"{name}.tex").write_text(text)
            subprocess.run(["pdflatex", "-halt-on-error", "-interaction=batchmode", f"{name}.tex"], cwd=self.folder,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, check=False)
            log = (self.folder / f"{name}.log").read_text(errors="replace")
            self.assertIn("Output written on", log, log[-2000:])
            wide = [line for line in log.splitlines() if line.startswith("Overfull") and "alignment" not in line]
            self.assertEqual(wide, [], name)


class Verdicts(CompareTest):
    """What the sentences say, on results small enough to work out by hand."""

    def put(self, costs, **more):
        """Rows from {solver: [nodes of each board; None and negative ones: stopped after so many]}."""
        generator = random.Random(9)
        boards = [walked(generator, 1 + place % 12) for place in range(max(map(len, costs.values())))]
        self.write([{
            "run_id": f"{solver}{place}", "set": "s", "instance": place, "width": 3, "height": 3, "start": boards[place][0],
            "goal": GOAL, "optimal_length": len(boards[place][1]), "solver": solver,
            "status": "solved" if nodes > 0 else more.get("status", "node_limit"),
            "length": len(boards[place][1]) if nodes > 0 else "", "moves": boards[place][1] if nodes > 0 else "",
            "expanded": abs(nodes), "generated": abs(nodes), "max_stored": 1, "peak_bytes": 1, "wall_s": 1,
            "finished_at": "2026-01-31T23:59:59Z"}
            for solver, nodes_of in costs.items() for place, nodes in enumerate(nodes_of)])

    def verdicts(self, *arguments):
        return json.loads(self.compare("results", "--json", *arguments).stdout)["verdicts"]

    def test_sentences(self):
        ten = list(range(100, 200, 10))
        self.put({"base": ten, "half": [nodes // 2 for nodes in ten], "same": ten,
                  "mixed": [nodes + (7 if place % 2 else -7) for place, nodes in enumerate(ten)],
                  "more": [3 * nodes for nodes in ten[:6]] + [-500] * 4,
                  "stopped": [-50] * 8 + ten[8:]})
        self.assertEqual(self.verdicts("-b", "base"), [
            "half expands 2.0 times fewer nodes than base [2.0, 2.0], on 10 of 10 boards both solved, better on 10, never worse, "
            "p = 0.0098 (Holm over 5)",
            # At least as 6 boards 3 times and the 4 others 500 to the base's 160 to 190.
            "mixed against base: no difference shown (ratio 1.00 [0.96, 1.04]), on 10 of 10 boards both solved, better on 5, "
            "worse on 5, p = 1 (Holm over 5)",
            "more expands at least 2.9 times more nodes than base, on 6 of 10 boards both solved, never better, worse on 10, "
            "p = 0.0098 (Holm over 5)",
            "same and base: expanded is the same on each of 10 boards",
            "stopped against base: cannot be said: stopped hit a limit on 8 of 10 boards, never better, worse on 8"])
        self.put({"base": ten[:5], "half": [nodes // 2 for nodes in ten[:5]]})
        self.assertEqual(self.verdicts(), ["half against base: not enough data: 5 boards of the 6 or more that a test needs"])
        self.put({"base": ten, "lost": [-1] * 10}, status="stuck")
        self.assertEqual(self.verdicts(), ["lost against base: cannot be said: lost did not solve 10 of 10 boards, never better, "
                                           "worse on 10"])
        # With Holm's method over two comparisons six boards give no p below 2 * 2 / 2^6; over one they do.
        six = [nodes // 2 for nodes in ten[:6]]
        self.put({"base": ten[:6], "half": six, "quarter": six})
        self.assertEqual(self.verdicts("-b", "base")[0], "half against base: not enough data: 6 boards of the 7 or more that a "
                         "test needs (Holm over 2)")
        self.assertIn("half expands 2.0 times fewer", self.verdicts("-b", "base", "--adjust", "hochberg")[0])
        # Where the other comparison has more boards, it is the second in Holm's order, and p of six is enough.
        self.put({"base": ten, "half": [nodes // 2 for nodes in ten], "quarter": six[:5]})
        self.assertIn("quarter against base: not enough data: 5 boards of the 6 or more that a test needs (Holm over 2)",
                      self.verdicts("-b", "base"))
        self.put({"base": ten, "half": [nodes // 2 for nodes in ten], "quarter": six})
        self.assertIn("quarter expands 2.0 times fewer", self.verdicts("-b", "base")[1])
        self.put({"base": ten[:6], "half": six})
        self.assertIn("half expands 2.0 times fewer", self.verdicts("-b", "base")[0])
        # Its own p is below 0.05; adjusted it depends on what the others' unsolved runs would have needed.
        others = {name: [-5] * 5 + [300 + step * place for place in range(5, 10)] for name, step in (("first", 7), ("second", 3))}
        self.put({"base": ten, "much": [nodes * times // 10 for nodes, times in zip(ten, (31, 5, 32, 33, 34, 35, 36, 8, 37, 9))], **others})
        self.assertIn("much against base: cannot be said: the adjusted p depends on unsolved runs of other solvers, better on 3, worse on 7",
                      self.verdicts("-b", "base"))
        # Nine boards a little less, one a thousand times more.
        self.put({"base": [1000] * 12, "odd": list(range(900, 955, 5)) + [10 ** 9]})
        self.assertIn("odd against base: cannot be said: it needs less by ranks, p = ", self.verdicts()[0])
        # Eleven boards a little less; the twelfth, unsolved, may need any number: p = 2 * 70 / 2^12, and never p = 0.05.
        self.put({"base": [1000] * 12, "odd": list(range(890, 945, 5)) + [-900]})
        self.assertEqual(self.verdicts(), [
            "odd against base: cannot be said: it needs less by ranks, p = 0.034, but the geometric means may say otherwise: odd "
            "hit a limit on 1 of 12 boards, better on 11, worse on 1"])
        self.assertRegex(self.compare("results").stdout, r"(?m)^odd .* fewer by ranks\??$")

    def test_corrections_and_zeros(self):
        ten = list(range(100, 200, 10))
        self.put({"base": ten, "a": [nodes - 3 for nodes in ten], "b": [nodes - place % 3 for place, nodes in enumerate(ten)]})
        p = {}
        for method in ("holm", "hochberg", "bh"):
            self.compare("results", "-b", "base", "--adjust", method)
            p[method] = [(float(row["p"]), float(row["p_adjusted"]), row["correction"], row["family"])
                         for row in self.table("pairs.csv") if row["metric"] == "expanded"]
        # R: wilcox.test(a - base, exact = TRUE): 2 / 2^10; of b six of ten differ, all one way: 2 / 2^6.
        self.assertEqual([row[:2] for row in p["holm"]], [(2 / 2 ** 10, 4 / 2 ** 10), (2 / 2 ** 6, 2 / 2 ** 6)])
        self.assertEqual([row[2:] for row in p["bh"]], [("Benjamini-Hochberg", "2")] * 2)
        self.assertEqual([row[1] for row in p["hochberg"]], [4 / 2 ** 10, 2 / 2 ** 6])
        self.compare("results", "-b", "base", "--pratt")
        row = [row for row in self.table("pairs.csv") if (row["metric"], row["solver"]) == ("expanded", "b")][0]
        self.assertEqual(float(row["p"]), 2 / 2 ** 6)
        self.assertIn("expected holm, hochberg or bh", self.compare("results", "--adjust", "none", code=2).stderr)

    def test_boards_that_cannot_be_solved(self):
        (self.folder / "experiment.yaml").write_text("experiment: e\ninstances: [{name: u, size: 3x2, count: 2, solvable: false}]\n"
                                                     "solvers: [bfs, astar(manhattan)]\noutput: results\n")
        self.tilelab("run", "experiment.yaml", "--quiet", "--no-compare")
        self.assertEqual(self.verdicts("-b", "bfs"), ["astar(manhattan) against bfs: nothing to compare, as no board that can be solved "
                                                      "was run by both"])

    def test_a_population_has_no_p(self):
        (self.folder / "experiment.yaml").write_text(
            "experiment: all\ninstances: [{name: all, size: 3x2, method: all}]\nsolvers: [bfs, ucs, "
            "{algorithm: astar, heuristic: manhattan, label: A* & Manhattan}]\n")
        self.tilelab("run", "experiment.yaml", "--quiet", "--no-compare", "--output", "results")
        verdict = self.verdicts("-b", "bfs")[1]
        self.assertRegex(verdict, r"^A\* & Manhattan expands 3\.3 times fewer nodes than bfs, on all 360 boards, better on \d+, "
                         r"(never worse|worse on \d+) \(every board there is, so no sampling error\)$")
        self.assertEqual({(row["p"], row["ratio_low"], row["hodges_lehmann_low"]) for row in self.table("pairs.csv")},
                         {("", "", "")})
        full = self.compare("results", "--full").stdout
        self.assertIn("all 3x2: 360 boards, all that reach the goal", full)
        self.assertNotIn("Friedman", full)
        # One board less is a sample.
        rows = (self.results / "runs.csv").read_text().splitlines(keepends=True)
        kept = [rows[0]] + [row for row in rows[1:] if row.split(",")[3] != rows[1].split(",")[3]]
        (self.results / "runs.csv").write_text("".join(kept))
        self.assertIn(", p < 1e-", self.verdicts("-b", "bfs")[1])

    def test_two_labels_of_one_solver_are_told(self):
        for name, label in (("one", "mine"), ("two", "theirs")):
            holder = self.folder / name
            holder.mkdir()
            self.write(rows_of(["a"], 3), f"{name}/runs.csv")
            (holder / "manifest.json").write_text(json.dumps({"labels": {"a": label}}))
        told = self.compare("one", "two", "-o", "both", "--full").stdout
        self.assertIn("a is called mine, as the first of these results has it; two calls it theirs.", " ".join(told.split()))
        self.assertNotIn("is called", self.compare("one", "-o", "both", "--full").stdout)

    def test_one_label_of_two_solvers_is_told(self):
        for name, solver in (("one", "a"), ("two", "b")):
            holder = self.folder / name
            holder.mkdir()
            self.write(rows_of([solver], 3), f"{name}/runs.csv")
            (holder / "manifest.json").write_text(json.dumps({"labels": {solver: "X"}}))
        told = self.compare("one", "two", "-o", "both", "--full").stdout
        self.assertIn("two calls b X, which is another solver in these results; it is shown as itself.", " ".join(told.split()))
        self.assertIn("- b against X: ", told)

    def test_labels_do_not_depend_on_the_order_of_rows(self):
        """Rows of a solver differ in its label, and share one with another solver."""
        labels = {("a", 0): "", ("a", 1): "shared", ("b", 0): "town", ("b", 1): "shared"}
        self.write(rows_of(["a"], 4) + rows_of(["b"], 4))
        head, *rows = (self.results / "runs.csv").read_text().splitlines()
        rows = [f"{row},{labels[row[0], i % 2]}" for i, row in enumerate(rows)]
        for turn in (rows, rows[::-1]):
            (self.results / "runs.csv").write_text("\n".join([head + ",label", *turn]) + "\n")
            table = csv.DictReader(self.compare("results", "--columns", "solver", "--format", "csv").stdout.splitlines())
            self.assertEqual([row["solver"] for row in table], ["shared", "town"])

    def test_sets_stand_apart_unless_pooled(self):
        rows = rows_of(["a", "b"], 20)
        self.write(rows + [{**row, "run_id": "t" + row["run_id"], "set": "t"} for row in rows])
        self.assertEqual(len(self.verdicts()), 2)
        told = self.compare("results").stdout
        self.assertIn("s 3x3: 20 boards, 40 runs of each solver\n", told)
        self.assertIn("t 3x3: 20 boards, 40 runs of each solver\n", told)
        self.assertEqual(len(self.verdicts("--pool")), 1)
        self.assertIn("all sets: 40 boards, 80 runs of each solver\n", self.compare("results", "--pool").stdout)
        self.assertEqual([row["set"] for row in self.table("summary.csv")], ["", ""])

    def test_an_instance_is_solved_when_all_repetitions_are(self):
        rows = [row for row in rows_of(["a", "b"], 20) if row["status"] == "solved"]
        rows[0].update(status="time_limit", length="", moves="")
        self.write(rows)
        done = self.compare("results", "--full")
        self.assertIn("Note: In 1 case a solver solved an instance in some repetitions, but not in\n      all: unsolved.", done.stdout)
        row = self.table("summary.csv")[0]
        self.assertEqual(int(row["instances_solved"]), int(row["instances"]) - 1)


class Against(CompareTest):
    """Two results held against each other, as a build server does."""

    def setUp(self):
        super().setUp()
        (self.folder / "old").mkdir()
        self.rows = rows_of(["a", "b"], 10)
        self.write(self.rows, "old/runs.csv")

    def differences(self, *arguments, code=3):
        told = self.compare("results", "--against", "old", "--format", "json", *arguments, code=code).stdout
        keys = ("what", "solver", "instance", "column", "old", "new", "run_id")
        return [tuple(row[key] for key in keys) for row in json.loads(told)["differences"]]

    def test_nothing_changed(self):
        self.write([{**row, "run_id": "new" + row["run_id"], "wall_s": 2 * float(row["wall_s"])} for row in reversed(self.rows)])
        done = self.compare("results", "--against", "old")
        self.assertIn("20 cases (a board and a solver) are in both results: nothing changed", done.stdout)
        self.assertEqual(self.files(), ["runs.csv"])
        self.assertEqual(self.differences("--tolerance", "101%", code=0), [])
        self.assertEqual({row[:4] for row in self.differences("--tolerance", "0.99")},
                         {("slower", "a", "", "wall_s"), ("slower", "b", "", "wall_s")})

    def test_each_change_is_named_with_its_row(self):
        solved = [row for row in self.rows if row["status"] == "solved" and row["solver"] == "a"]
        counted, ended, gone = solved[0], solved[2], solved[4]
        changed = []
        for row in self.rows:
            if row["instance"] == counted["instance"] and row["solver"] == "a":
                changed.append({**row, "max_stored": row["max_stored"] + 5})
            elif row is ended:  # one of two repetitions: it counts as unsolved
                changed.append({**row, "status": "crashed", "length": "", "moves": "", "wall_s": ""})
            elif row["instance"] != gone["instance"] or row["solver"] != "a":
                changed.append(row)
        self.write(changed)
        self.assertEqual(self.differences(), [
            ("counter", "a", str(counted["instance"]), "max_stored", counted["max_stored"], counted["max_stored"] + 5,
             counted["run_id"]),
            ("status", "a", str(ended["instance"]), "status", "solved", "crashed", ended["run_id"]),
            ("missing", "a", str(gone["instance"]), "status", "solved", "", gone["run_id"])])
        self.write(self.rows[:4])
        self.write([{**row, "set": "other"} for row in self.rows], "old/runs.csv")
        self.assertIn("have nothing in common", self.compare("results", "--against", "old", code=3).stdout)

    def test_one_repetition_that_changed_is_named(self):
        """The median of three hides one of them."""
        rows = [{**row, "run_id": f"{row['run_id']}-{repetition}"} for row in self.rows[::2] for repetition in range(3)]
        self.write(rows, "old/runs.csv")
        changed = next(row for row in rows if row["status"] == "solved")
        self.write([{**row, "expanded": row["expanded"] + 1} if row is changed else row for row in rows])
        self.assertEqual(self.differences(), [("counter", changed["solver"], str(changed["instance"]), "expanded",
                                               changed["expanded"], changed["expanded"] + 1, changed["run_id"])])
        self.write(rows)
        self.assertEqual(self.differences(code=0), [])

    def test_one_repetition_that_ended_otherwise_or_is_gone_is_named(self):
        """One that was unsolved before hides the other; and the run_id is that of the row that changed."""
        first, second = [row for row in self.rows if row["status"] == "solved"][:2]
        unsolved = {"status": "node_limit", "length": "", "moves": ""}
        ended = [self.rows.index(first), self.rows.index(second)]
        for new_build in False, True:
            for before, after in ({ended[1]}, {*ended}), (set(), {ended[1]}):
                old, new = ([{**row, **(unsolved if i in some else {})} for i, row in enumerate(self.rows)] for some in (before, after))
                if new_build:
                    new = [{**row, "run_id": "new-" + row["run_id"]} for row in new]
                self.write(old, "old/runs.csv")
                self.write(new)
                told, = self.differences("--nodes-must-equal")
                self.assertEqual(told[:6], ("status", first["solver"], str(first["instance"]), "status", "solved", "node_limit"))
                if not new_build:
                    self.assertEqual(told[6], self.rows[min(after - before)]["run_id"])
        self.write(self.rows, "old/runs.csv")
        self.write([row for row in self.rows if row is not second])
        self.assertEqual(self.differences("--nodes-must-equal"), [
            ("missing", second["solver"], str(second["instance"]), "status", "solved", "", second["run_id"])])

    def test_wrong_words(self):
        self.write(self.rows)
        self.assertIn("nowhere: cannot open", self.compare("results", "--against", "nowhere", code=2).stderr)
        self.assertIn("expected a share", self.compare("results", "--against", "old", "--tolerance", "much", code=2).stderr)
        self.assertIn("--tolerance needs --against", self.compare("results", "--tolerance", "5%", code=2).stderr)


class Reversal(CompareTest):
    """Limits that leave the hard boards unsolved must not turn a verdict round, whatever the limit."""

    def ladder(self, experiment, limits, solver, baseline, block=None):
        """{limit: verdict}, under rising limits of nodes; the last one leaves no board unsolved."""
        (self.folder / "experiment.yaml").write_text(experiment)
        verdicts = {}
        for limit in limits:
            self.tilelab("run", "experiment.yaml", "--quiet", "--no-compare", "--set", f"limits.nodes={limit}", "--output", f"at-{limit}")
            self.compare(f"at-{limit}", "-b", baseline)
            rows = [row for row in self.table("pairs.csv", f"at-{limit}")
                    if (row["metric"], row["solver"]) == ("expanded", solver) and row["set"] == (block or row["set"])]
            self.assertEqual(len(rows), 1)
            verdicts[limit] = rows[0]
        self.assertEqual(rows[0]["ratio_bound"], "=")
        truth = rows[0]["verdict"]
        self.assertIn(truth, ("fewer", "more"))
        for limit, row in verdicts.items():
            self.assertIn(row["verdict"], (truth, "cannot be said"), f"{limit} nodes")
            if row["ratio_bound"] == ">=":
                self.assertLessEqual(float(row["ratio_spent"]), float(rows[0]["ratio"]), f"{limit} nodes")
            if row["ratio_bound"] == "<=":
                self.assertGreaterEqual(float(row["ratio_spent"]), float(rows[0]["ratio"]), f"{limit} nodes")
        return verdicts

    def test_of_two_hundred_boards(self):
        verdicts = self.ladder("experiment: reversal\nseed: 3\ninstances: [{name: u, size: 3x3, count: 200}]\n"
                               "solvers: [dfbnb(walking_distance), bibfs]\n",
                               ["100", "1k", "2k", "3k", "10k", "100M"], "dfbnb(walking_distance)", "bibfs")
        # What the pairs both solved would say: the opposite.
        self.assertLess(float(verdicts["2k"]["ratio"]), 0.5)
        self.assertLess(float(verdicts["2k"]["ratio_high"]), 1)
        self.assertEqual(verdicts["2k"]["verdict"], "cannot be said")
        self.assertEqual(verdicts["100M"]["verdict"], "more")
        self.assertAlmostEqual(float(verdicts["100M"]["ratio"]), 2.055, 3)
        self.assertRegex(self.compare("at-2k", "-b", "bibfs").stdout, r"(?m)^dfbnb\(walking_distance\) .* cannot be said$")
        self.assertIn("cannot be said:", self.compare("at-2k", "-b", "bibfs", "--full").stdout)

    def test_of_the_coursework(self):
        verdicts = self.ladder("experiment: coursework\nseed: 2026\ninstances: [{name: uniform, size: 3x3, count: 50}]\n"
                               "solvers: [lcbb(misplaced), astar(manhattan)]\n", ["100", "1k", "10k", "2M", "100M"],
                               "lcbb(misplaced)", "astar(manhattan)")
        self.assertEqual(verdicts["100M"]["verdict"], "more")
        self.assertEqual(verdicts["2M"]["verdict"], "more")


class Usage(CompareTest):
    def test_columns_have_the_marks_of_the_screen(self):
        rows = [row for row in rows_of(["a", "b", "c"], 10) if row["solver"] != "b" or row["instance"] < 4]
        self.write([{**row, "generated": 10 ** 6} if row["solver"] == "c" else row for row in rows])
        head, *lines = (self.results / "runs.csv").read_text().splitlines()
        (self.results / "runs.csv").write_text("".join(f"{line}\n" for line in [head + ",measured", *(line + ",process" for line in lines)]))
        text = self.compare("results", "--columns", "solver,expanded,expanded_mean,length").stdout
        marks = {words[0]: [word.lstrip("0123456789,.") for word in words[1:]] for words in map(str.split, text.splitlines()) if words}
        of = {solver: f"({len({row['instance'] for row in rows if row['solver'] == solver and row['status'] == 'solved'})}/10)"
              for solver in "abc"}
        for solver, expected in ("a", ["", "", of["a"], ""]), ("b", ["*", "", of["b"], "*"]), ("c", ["?", "?", of["c"], ""]):
            self.assertEqual(marks[solver], [mark for mark in expected if mark != "(10/10)"])

    def test_every_counter_is_a_metric(self):
        rows = [row for row in rows_of(["a", "b"], 8) if row["status"] == "solved"]
        solved = {solver: {row["instance"] for row in rows if row["solver"] == solver} for solver in "ab"}
        self.write(rows)
        for metric in ("max_stored", "peak_bytes", "first_found", "cpu_s", "length"):
            told = self.compare("results", "-m", metric, "--full").stdout
            # These two are nowhere in the file.
            self.assertEqual(f"{len(solved['a'] & solved['b'])} boards that b and a both solved, but without" in told,
                             metric in ("first_found", "cpu_s"))
            self.assertIn(f"{metric} against the baseline a", told)
            self.assertIn(f"verdict on {metric}\n", self.compare("results", "-m", metric).stdout)
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
        self.assertNotIn("nan", done.stdout)
        done = self.compare("results", "--full")
        self.assertIn("no instance has one in the results", done.stdout)
        self.assertNotIn("nan", done.stdout)
        self.assertNotIn("nan", (self.results / "summary.csv").read_text())

    def test_the_columns_are_those_of_the_files(self):
        self.write(rows_of(["a", "b"], 6))
        self.compare("results")
        for name in TABLES:
            listed = self.tilelab("list", "columns", name.removesuffix(".csv"), "--names").stdout.split()
            self.assertEqual(listed, list(self.table(name)[0]), name)
