"""Moves that cost different amounts: the cells of an experiment's rows, and what is said of solvers that count moves; tables
and figures by optimal cost; solutions that improve; the claims of heuristics."""
import csv
import json
import statistics
from fractions import Fraction

from support import FolderCase, read_table, write_table

EXPERIMENT = """
experiment: costs
cost: heavy
instances:
  - {name: heavy, size: 3x3, count: 2, method: walk, steps: 12}
  - {name: fractional, size: 3x3, count: 2, method: walk, steps: 12, cost: fractional}
  - {name: unit, size: 3x3, count: 2, method: walk, steps: 12, cost: unit}
solvers: [bfs, astar(manhattan), "idastar(linear_conflict, solutions=all)"]
output: results
"""
COST = {"unit": lambda tile: Fraction(1), "heavy": lambda tile: Fraction(tile), "fractional": lambda tile: 1 + Fraction(1, 1 + tile)}
MODELS = """
experiment: models
instances:
  - {name: same, size: 3x3, count: 25, method: walk, steps: 30, cost: MODEL}
solvers: [astar(manhattan), "wastar(manhattan, w=3)", dfbnb(manhattan)]
output: MODEL
"""


def cost_of(row):
    """What a row's path costs, by its cells."""
    cells = [int(tile) for tile in row["start"].split()]
    width, blank, total = int(row["width"]), cells.index(0), Fraction(0)
    for move in row["moves"]:
        to = blank + {"U": -width, "D": width, "L": -1, "R": 1}[move]
        total += COST[row["cost_model"]](cells[to])
        cells[blank], cells[to], blank = cells[to], 0, to
    return total


class Costs(FolderCase):
    def test_rows_have_exact_costs(self):
        (self.folder / "e.yaml").write_text(EXPERIMENT)
        said = self.tilelab("run", "e.yaml").stderr
        self.assertIn("bfs counts moves: with cost: heavy", said)
        rows = read_table(self.folder / "results" / "runs.csv")
        self.assertEqual(len(rows), 18)
        for row in rows:
            self.assertEqual((row["status"], row["cost_model"]), ("solved", row["set"]))
            self.assertEqual(Fraction(row["cost"]), cost_of(row))
            self.assertEqual(row["solutions"] != "", row["algorithm"] == "idastar")
            cheapest = min(Fraction(other["cost"]) for other in rows if (other["set"], other["instance"]) == (row["set"], row["instance"]))
            if row["algorithm"] != "bfs":
                self.assertEqual(Fraction(row["cost"]), cheapest)

    def run_model(self, model):
        """An experiment's rows, by board and solver."""
        (self.folder / "m.yaml").write_text(MODELS.replace("MODEL", model))
        self.tilelab("run", "m.yaml")
        return {(row["instance"], row["solver"]): row for row in read_table(self.folder / model / "runs.csv")}

    def test_sets_that_differ_in_what_moves_cost_alone_are_told_apart(self):
        self.run_model("fractional"), self.run_model("heavy")
        said = self.tilelab("compare", "fractional", "heavy", "--columns", "solver,expanded", "--format", "csv").stdout
        blocks = {line.split(",")[0] for line in said.splitlines()[1:]}
        self.assertEqual({block.split()[-1] for block in blocks}, {"fractional", "heavy"})
        self.tilelab("compare", "fractional", "heavy", "--output", "t")
        for table, key in ("summary", ()), ("pairs", ("metric",)):
            keys = [tuple(row[name] for name in ("set", "cost_model", "solver", *key)) for row in read_table(self.folder / "t" / f"{table}.csv")]
            self.assertEqual(len(keys), len(set(keys)), table)

    def test_tables_and_figures_go_by_bins_of_optimal_cost(self):
        rows = self.run_model("fractional")
        boards = sorted({instance for instance, _ in rows})
        optima = {board: Fraction(rows[board, "astar(manhattan)"]["cost"]) for board in boards}
        quality = {board: Fraction(rows[board, "wastar(manhattan, w=3)"]["cost"]) / optima[board] for board in boards}
        self.assertTrue(max(quality.values()) > 1)
        self.tilelab("compare", "fractional", "--output", "t")
        bins = [row for row in read_table(self.folder / "t" / "by_depth.csv") if row["solver"] == "astar(manhattan)"]
        widths = {round(float(row["optimal_cost_below"]) - float(row["optimal_cost_from"]), 9) for row in bins}
        self.assertEqual((len(widths), 1 < len(bins) <= 12), (1, True))
        for row in bins:
            own = [board for board in boards if float(row["optimal_cost_from"]) <= optima[board] < float(row["optimal_cost_below"])]
            self.assertEqual((row["cost_model"], row["optimal_length"], int(row["instances"])), ("fractional", "", len(own)))
            counts = [int(rows[board, "astar(manhattan)"]["expanded"]) for board in own]
            self.assertAlmostEqual(float(row["mean_expanded"]), sum(counts) / len(counts), places=6)
            self.assertEqual(row["effective_branching_factor"], "")
        self.assertEqual(sum(int(row["instances"]) for row in bins), len(boards))
        said = self.tilelab("compare", "fractional", "--by-depth", "expanded", "--format", "csv").stdout
        names = [f"[{float(row['optimal_cost_from']):.10g}, {float(row['optimal_cost_below']):.10g})" for row in bins]
        self.assertEqual([row["optimal cost"] for row in csv.DictReader(said.splitlines())], names)
        spread = self.tilelab("compare", "fractional", "--full", "--table", "spread", "--format", "csv").stdout
        mean = {row["solver"]: float(row["cost / optimum"]) for row in csv.DictReader(spread.splitlines())}
        self.assertAlmostEqual(mean["wastar(manhattan, w=3)"], float(sum(quality.values()) / len(boards)), places=6)
        figures = json.loads(self.tilelab("plot", "fractional", "--json", "--only", "by_length,quality", "-m", "expanded").stdout)["figures"]
        by_name = {figure["kind"]: figure for figure in figures}
        middles = {(float(row["optimal_cost_from"]) + float(row["optimal_cost_below"])) / 2 for row in bins}
        self.assertEqual({row["length"] for row in by_name["by_length"]["rows"]}, middles)
        self.tilelab("plot", "fractional", "--only", "by_length", "-m", "expanded", "--format", "svg", "-o", "drawn")
        drawn = (self.folder / "drawn" / f"{by_name['by_length']['name']}.svg").read_text(encoding="utf-8")
        self.assertRegex(drawn, r"astar\(manhattan\): cost [0-9.]+, median")
        box, = (row for row in by_name["quality"]["rows"] if row["solver"] == "wastar(manhattan, w=3)")
        self.assertEqual((box["min"], round(box["max"], 9)), (float(min(quality.values())), round(float(max(quality.values())), 9)))
        self.assertIn("Always a cheapest solution: astar(manhattan)", by_name["quality"]["caption"])

    def test_the_overview_speaks_of_costs(self):
        for model, word, other in (("heavy", "cost", "length"), ("unit", "length", "cost")):
            rows = self.run_model(model)
            table = list(csv.DictReader(self.tilelab("compare", model, "--table", "overview", "--format", "csv").stdout.splitlines()))
            self.assertIn(word, table[0])
            self.assertNotIn(other, table[0])
            for row in table:
                values = [float(own[word]) for (_, solver), own in rows.items() if solver == row["solver"]]
                self.assertAlmostEqual(float(row[word]), statistics.median(values), places=6)

    def test_models_of_one_set_are_not_compared_together(self):
        for model in ("unit", "heavy"):
            self.run_model(model)
        said = self.tilelab("compare", "unit", "heavy", "--by-depth", "expanded", "--output", "t").stdout
        self.assertIn("same 3x3 unit", said)
        self.assertIn("same 3x3 heavy", said)

    def test_a_cost_that_is_not_its_path_s_is_found(self):
        self.run_model("heavy")
        path = self.folder / "heavy" / "runs.csv"
        rows = read_table(path)
        rows[0]["cost"] = str(int(rows[0]["cost"]) - 1)
        write_table(path, rows)
        self.assertIn(f"expected {int(rows[0]['cost']) + 1}, as its moves cost", self.tilelab("compare", "heavy", code=2).stderr)

    def test_solutions_improve_by_cost(self):
        rows = self.run_model("fractional")
        by_id = {row["run_id"]: row for row in rows.values()}
        improved = {}
        for row in read_table(self.folder / "fractional" / "incumbents.csv"):
            improved.setdefault(row["run_id"], []).append(row)
        self.assertTrue(any(len(found) > 1 for found in improved.values()))
        for run_id, found in improved.items():
            costs = [Fraction(row["cost"]) for row in found]
            bounds = [Fraction(row["bound"]) for row in found]
            last = Fraction(by_id[run_id]["cost"])
            self.assertEqual(costs, sorted(set(costs), reverse=True))
            self.assertEqual(bounds, sorted(bounds))
            self.assertEqual(costs[-1], last)
            self.assertTrue(bounds[-1] <= last)
        said = self.tilelab("compare", "fractional", "--full", "--table", "improvements", "--format", "csv").stdout
        self.assertEqual({row["solver"]: row["cost / cheapest"] for row in csv.DictReader(said.splitlines())}["dfbnb(manhattan)"], "1")
        figure, = json.loads(self.tilelab("plot", "fractional", "--json", "--only", "incumbents", "-m", "generated").stdout)["figures"]
        self.assertEqual(figure["y"]["label"] if "label" in figure["y"] else figure["y_label"], "cost so far / cheapest known")

    def test_programs_are_told_the_model_and_judged_by_it(self):
        """Of two answers the cheaper one counts, 7 + 8; a bound is a cost."""
        (self.folder / "own.sh").write_text("echo bound: 15\necho moves: RLRR\necho moves: RR\nsleep 9\n")
        (self.folder / "e.yaml").write_text("""
experiment: told
cost: heavy
instances: [{name: one, boards: ["1 2 3 4 5 6 0 7 8"]}]
solvers: [{command: [sh, own.sh, "{cost}"], label: own, limits: {time: 1s}}, astar(manhattan)]
output: results
""")
        self.tilelab("run", "e.yaml")
        row, = (row for row in read_table(self.folder / "results" / "runs.csv") if row["label"] == "own")
        self.assertEqual((row["status"], row["moves"], row["cost"]), ("time_limit", "RR", "15"))
        found = [(row["cost"], row["length"], row["bound"], row["verified"]) for row in read_table(self.folder / "results" / "incumbents.csv")]
        self.assertEqual(found, [("29", "4", "15", "1"), ("15", "2", "15", "1")])
        alone = (self.folder / "e.yaml").read_text().replace(", astar(manhattan)]", "]")
        for solvers, moves in ((alone, "RR"), ((self.folder / "e.yaml").read_text(), "RLRR")):  # its own path, astar's
            (self.folder / "e.yaml").write_text(solvers)
            (self.folder / "own.sh").write_text(f"echo told: $1 $TILELAB_COST\necho bound: 15.5\necho moves: {moves}\n")
            self.tilelab("run", "e.yaml", "--fresh", code=3)
            row, = (row for row in read_table(self.folder / "results" / "runs.csv") if row["label"] == "own")
            self.assertEqual((row["status"], json.loads(row["extra"])["told"]), ("wrong_answer", "heavy heavy"))

    def test_claims_of_heuristics_hold_with_costs(self):
        said = json.loads(self.tilelab("verify", "heuristics", "manhattan", "linear_conflict", "max:misplaced+manhattan", "--size", "2x3",
                                       "--cost", "inverse", "--json").stdout)
        for row in said:
            self.assertEqual((row["cost_model"], row["boards"], row["admissible"], row["consistent"], row["zero_at_goal_only"]),
                             ("inverse", 360, True, True, True))
        self.assertIn("walking_distance counts moves", self.tilelab("verify", "heuristics", "walking_distance", "--cost", "heavy", code=2).stderr)
        shown = self.tilelab("verify", "heuristics", "--size", "2x3", "--cost", "heavy").stdout
        self.assertIn("costs heavy", shown)
        self.assertNotIn("NO", shown)
