"""tilelab plot --x: a parameter of solvers on the x axis, of built-in ones and of programs."""

import csv
import importlib.util
import itertools
import json
import statistics
import sys

from support import SOURCE, FolderCase, read_table, write_table

sys.dont_write_bytecode = True
WEIGHTS = (1.2, 1.5, 2, 3)  # 1.5 is the default of wastar: no solver's name says it

EXPERIMENT = """experiment: sweep
seed: 3
warmup: 0
instances:
  - {name: u, size: 3x3, method: uniform, count: COUNT}
solvers:
SOLVERS
limits: {time: 60s, memory: 256MiB, nodes: 1M}
output: out
"""

# Solves boards whose blank is in the goal's row. What it counts is up to its words alone; some it does not solve. A shell
# starts in a fraction of the time of a Python.
PROGRAM = """[ "$3$1" = hard3 ] && [ $2 -lt 3 ] && exit 1
read size; read first; read second; read a b c
[ $a = 0 ] && echo moves: RR || echo moves: R
case $1 in *.5) hundreds=${1%.5}50 ;; *) hundreds=${1}00 ;; esac
echo expanded: $((hundreds + $2 * $2))
"""
BOARDS = ("1 2 3 4 5 6 7 0 8", "1 2 3 4 5 6 0 7 8")


def counted(w, seed):
    return int(100 * w) + seed * seed


class Sweep(FolderCase):
    def run_it(self, solvers, count=9, boards=None, code=0):
        text = EXPERIMENT.replace("SOLVERS", "\n".join(f"  - {solver}" for solver in solvers)).replace("COUNT", str(count))
        if boards:
            text = text.replace(f"size: 3x3, method: uniform, count: {count}", f"boards: [{', '.join(boards)}]")
        (self.folder / "sweep.yaml").write_text(text)
        (self.folder / "mine.sh").write_text(PROGRAM)
        self.tilelab("run", "sweep.yaml", "--no-compare", "--fresh", code=code)

    def numbers(self, *words, results="out"):
        """The one figure, and the labels of its lines."""
        answer = json.loads(self.tilelab("plot", results, "--only", "sweep", "--json", *words).stdout)
        figure, = answer["figures"]
        return figure, {row["solver"]: answer["series"][row["solver"]]["label"] for row in figure["rows"]}

    def edit(self, change):
        """Changes the rows of runs.csv; they have no hashes then."""
        rows = [{key: value for key, value in row.items() if key != "row_hash"} for row in read_table(self.folder / "out" / "runs.csv")]
        write_table(self.folder / "out" / "runs.csv", change(rows))


class BuiltIn(Sweep):
    def test_an_option_is_a_line_with_the_medians_of_compare(self):
        self.run_it([f"wastar(manhattan, w={w})" for w in WEIGHTS] + ["astar(manhattan)"])
        compared = {row["solver"]: [row[f"expanded_{name}"] for name in ("lower", "median_all", "upper")]
                    for row in json.loads(self.tilelab("compare", "out", "--json").stdout)["summary"]}
        figure, labels = self.numbers("--x", "w", "-m", "expanded")
        self.assertEqual(list(labels.values()), ["wastar(manhattan)"])
        self.assertEqual([row["value"] for row in figure["rows"]], list(WEIGHTS))
        self.assertEqual([[row["lower"], row["median"], row["upper"]] for row in figure["rows"]],
                         [compared[name] for name in ("wastar(manhattan, w=1.2)", "wastar(manhattan)", "wastar(manhattan, w=2)", "wastar(manhattan, w=3)")])
        self.assertEqual({(row["boards"], row["solved"]) for row in figure["rows"]}, {(9, 9)})
        self.assertEqual((figure["name"], figure["x"]["label"], figure["x"]["log"]), ("sweep-w-expanded-u-3x3", "w", False))
        self.assertIn("n = 9 boards.", figure["caption"])
        self.assertIn("Left out, without w: astar(manhattan).", figure["caption"])

    def test_quality_goes_by_the_parameter_too(self):
        self.run_it([f"wastar(manhattan, w={w})" for w in (*WEIGHTS, 9)] + ["astar(manhattan)"])
        with open(self.folder / "out" / "runs.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["algorithm"] == "wastar"]
        figure = json.loads(self.tilelab("plot", "out", "--only", "quality", "--json", "--x", "w").stdout)["figures"][0]
        for point in figure["rows"]:
            name = "wastar(manhattan)" if point["value"] == 1.5 else f"wastar(manhattan, w={point['value']:g})"
            ratios = [int(row["length"]) / int(row["optimal_length"]) for row in rows if row["solver"] == name]
            self.assertAlmostEqual(point["median"], statistics.median(ratios), places=9)
        self.assertEqual([row["value"] for row in figure["rows"]], [*WEIGHTS, 9])
        self.assertGreater(figure["rows"][-1]["median"], 1)
        self.assertEqual((figure["name"], figure["kind"], figure["y"]["label"]),
                         ("quality-w-u-3x3", "sweep", "solution length / optimal length"))
        self.assertIn("Left out, without w: astar(manhattan).", figure["caption"])

    def test_a_panel_of_a_solver_that_solves_nothing_is_empty(self):
        self.run_it([f"wastar(manhattan, w={w})" for w in range(2, 16)], count=3)

        def change(rows):
            for row in rows:
                if row["solver"] == "wastar(manhattan, w=9)":
                    row.update(status="node_limit", length="", moves="")
            return rows
        self.edit(change)
        figures = json.loads(self.tilelab("plot", "out", "--only", "solved_within,profile", "-m", "expanded", "--json").stdout)["figures"]
        for figure in figures:
            self.assertTrue(figure["panels"])
        drawn = self.tilelab("plot", "out", "--only", "solved_within,profile", "-m", "expanded", "--format", "svg").stdout
        self.assertEqual(len(drawn.split()), len(figures))

    def test_solvers_that_differ_in_more_are_lines_of_their_own(self):
        self.run_it(["{algorithm: wastar, heuristic: [manhattan, misplaced], w: [1, 2], ties: [high_g, low_g]}",
                     "{algorithm: beam, heuristic: manhattan, width: 5, label: narrow}", "beam(manhattan, width=500)"], count=3)
        labels = self.numbers("--x", "w")[1]
        self.assertEqual(sorted(labels.values()), sorted(f"wastar({heuristic}{ties})" for heuristic in ("manhattan", "misplaced")
                                                         for ties in ("", ", ties=low_g")))
        figure, labels = self.numbers("--x", "width")
        self.assertEqual(list(labels.values()), ["beam(manhattan)"])
        self.assertEqual([row["value"] for row in figure["rows"]], [5, 500])
        self.assertTrue(figure["x"]["log"])
        self.assertTrue(figure["x"]["whole"])

    def test_boards_are_those_that_all_tried_and_an_unsolved_run_is_more_than_any(self):
        self.run_it([f"wastar(manhattan, w={w})" for w in WEIGHTS])

        def change(rows):
            boards = sorted({row["instance"] for row in rows})
            rows = [row for row in rows if (row["instance"], row["solver"]) != (boards[0], "wastar(manhattan, w=2)")]
            for row in rows:
                if row["solver"] == "wastar(manhattan, w=3)" and row["instance"] in boards[1:6]:
                    row.update(status="node_limit", length="", moves="")
            return rows
        self.edit(change)
        figure = self.numbers("--x", "w")[0]
        self.assertEqual([(row["boards"], row["solved"]) for row in figure["rows"]], [(8, 8), (8, 8), (8, 8), (8, 3)])
        self.assertIsNone(figure["rows"][3]["median"])
        self.assertIn("n = 8 boards. A line has the boards that all of its solvers tried and that can be solved: at least 8 of 9.",
                      figure["caption"])
        self.assertIn("Unsolved: wastar(manhattan) 5 of 32 runs.", figure["caption"])

    def test_the_order_of_rows_changes_nothing(self):
        self.run_it([f"wastar({heuristic}, w={w})" for w in WEIGHTS for heuristic in ("manhattan", "misplaced")], count=3)
        self.edit(lambda rows: rows)
        before = self.numbers("--x", "w")
        self.edit(lambda rows: rows[::-1])
        self.assertEqual(self.numbers("--x", "w"), before)


class Programs(Sweep):
    def program(self, *words, **keys):
        return json.dumps({"command": ["sh", "mine.sh", "{w}", "{seed}", *words],
                           "params": {"w": [1.5, 2, 3], "seed": {"from": 1, "to": 3}}, **keys})

    def lines(self, *words):
        """{label: its rows}."""
        figure, labels = self.numbers("-m", "expanded", *words)
        return {labels[name]: list(rows) for name, rows in itertools.groupby(figure["rows"], lambda row: row["solver"])}

    def test_params_are_a_line_and_seeds_are_pooled(self):
        self.run_it([self.program(label="mine")], boards=BOARDS)
        lines = self.lines("--x", "w")
        self.assertEqual(list(lines), ["mine"])
        self.assertEqual([(row["value"], row["boards"], row["median"]) for row in lines["mine"]],
                         [(w, 2, statistics.median(counted(w, seed) for seed in (1, 2, 3))) for w in (1.5, 2, 3)])
        self.assertIn("Of several seeds a board has the median.", self.numbers("--x", "w", "-m", "expanded")[0]["caption"])
        self.assertEqual({label: [(row["value"], row["median"]) for row in rows] for label, rows in self.lines("--x", "seed").items()},
                         {f"mine (w={w})": [(seed, counted(w, seed)) for seed in (1, 2, 3)] for w in (1.5, 2, 3)})

    def test_a_board_that_most_seeds_leave_unsolved_is_unsolved(self):
        self.run_it([self.program("hard")], boards=BOARDS, code=3)
        self.assertEqual([(row["solved"], row["median"]) for row in self.lines("--x", "w")["sh mine.sh {w} {seed} hard"]],
                         [(2, counted(1.5, 2)), (2, counted(2, 2)), (0, None)])

    def test_programs_that_differ_in_more_are_lines_of_their_own(self):
        """In a word, in a variable, in a parameter; and a word that is a parameter's value by chance parts none."""
        few = {"w": [2, 3], "seed": 1}
        self.run_it([self.program("{k}", "2", params={**few, "k": [7, 8]}, label="mine"), self.program("x", params={"w": [2, 3], "seed": 3}),
                     self.program("x", params={"w": [2, 3], "seed": 3}, env={"WEIGHT": "{w}"})], boards=BOARDS, code=None)
        lines = self.lines("--x", "w")
        self.assertEqual([[row["value"] for row in rows] for rows in lines.values()], [[2, 3]] * 4)
        self.assertEqual([label for label in lines if "x" not in label], ["mine (k=7)", "mine (k=8)"])
        self.assertEqual(len(lines), 4)

    def test_a_row_repeats_and_resumes_with_its_parameters(self):
        self.run_it([self.program()], boards=BOARDS)
        rows = read_table(self.folder / "out" / "runs.csv")
        self.assertEqual({json.dumps(json.loads(row["options_json"])["written"]) for row in rows},
                         {json.dumps({"command": ["sh", "mine.sh", "{w}", "{seed}"]})})
        self.tilelab("rerun", "out", rows[0]["run_id"])
        self.tilelab("run", "sweep.yaml", "--no-compare")
        self.assertEqual(read_table(self.folder / "out" / "runs.csv"), rows)


class Wrong(Sweep):
    def refused(self, *words):
        done = self.tilelab("plot", "out", *words, code=2)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_what_is_no_parameter(self):
        self.run_it(["wastar(manhattan, w=2)", "wastar(manhattan, w=3)", "beam(manhattan)"], count=2)
        for name in ("v", "ties", "depth_limit", "command", ""):
            self.assertIn(f"--x '{name}': no solver has a number of this name as a parameter; there are: w, width", self.refused("--x", name))
        self.edit(lambda rows: [{**row, "options_json": "{}"} for row in rows])
        self.assertIn("there are: none", self.refused("--x", "w"))

    def test_what_has_no_line(self):
        self.run_it(["wastar(manhattan, w=2)", "wastar(misplaced, w=3)"], count=2)
        self.assertIn("not drawn: sweep (--x says by which parameter; there are: w)", self.tilelab("plot", "out", "--only", "sweep").stderr)
        self.assertIn("not drawn: sweep (solved boards of two values of w are needed)",
                      self.tilelab("plot", "out", "--only", "sweep", "--x", "w").stderr)
        self.assertNotIn("sweep", self.tilelab("plot", "out", "--json").stdout)


class Drawing(Sweep):
    def test_the_values_are_the_ticks(self):
        """In a narrow figure those that have room, both ends among them."""
        spec = importlib.util.spec_from_file_location("plot", SOURCE / "scripts" / "plot.py")
        plot = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(plot)
        self.run_it([f"wastar(manhattan, w={w})" for w in WEIGHTS])
        answer = json.loads(self.tilelab("plot", "out", "--only", "sweep", "--json", "--x", "w").stdout)
        for width, ticks in ((160, ["1.2", "1.5", "2", "3"]), (60, ["1.2", "2", "3"])):
            page = plot.draw(answer["figures"][0], answer["series"], width)
            self.assertEqual(page.axes[0].words["x"], ticks)
            self.assertEqual(len(page.told), 4)
