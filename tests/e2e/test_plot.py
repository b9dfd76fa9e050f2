"""tilelab plot: the numbers of every figure, what it says of what it cannot draw, and what scripts/plot.py draws. The
numbers are looked at by `--json`, without drawing; drawing starts Python as seldom as can be."""
import contextlib
import html
import importlib.util
import io
import json
import math
import os
import random
import re
import subprocess
import sys
import unittest.mock
import warnings
import xml.etree.ElementTree

from support import SOURCE, TILELAB, FolderCase, read_table, write_table

sys.dont_write_bytecode = True
PLOT = SOURCE / "scripts" / "plot.py"
spec = importlib.util.spec_from_file_location("plot", PLOT)
plot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot)
import paper  # beside plot

COLUMNS = ("run_id,set,instance,width,height,start,goal,optimal_length,solver,status,length,moves,h_start,expanded,generated,"
           "max_stored,wall_s,finished_at,cover,options_json,cost_model").split(",")
FIGURES = ["by_length", "box", "scatter", "solved_within", "survival", "profile", "ranks", "quality", "pareto", "memory", "heuristic",
           "rounds", "cover"]
GOAL = "1 2 3 4 5 6 7 8 0"


def board(moves):
    """The start from which a way of so many moves leads to the goal, and that way."""
    cells, steps = GOAL.split(), {"U": -3, "D": 3, "L": -1, "R": 1}
    path = "UULDRDLLUURR"[:moves]  # of the blank, from the goal outwards
    for move in path:
        blank = cells.index("0")
        cells[blank], cells[blank + steps[move]] = cells[blank + steps[move]], "0"
    return " ".join(cells), "".join({"U": "D", "D": "U", "L": "R", "R": "L"}[move] for move in reversed(path))


def row(solver, instance, distance, cost, status="solved", set="one", **more):
    """A run of a board that many moves from its goal, on which `cost` nodes were generated."""
    start, way = board(distance)
    solved = status == "solved"
    cells = dict(run_id=f"{solver}-{set}-{instance}", set=set, instance=instance, width=3, height=3, start=start, goal=GOAL,
                 optimal_length=distance, solver=solver, status=status, length=len(way) if solved else "",
                 moves=way if solved else "", h_start="", expanded=cost - 1, generated=cost, max_stored=2 * cost, wall_s=cost / 1000,
                 finished_at="2026-01-31T23:59:59Z")
    return {**cells, **more}


# a: solves all; b: ever dearer, and one unsolved; c: solves one board by a longer way.
ROWS = ([row("a", f"{length}-{turn}", length, 10 * length + turn, h_start=length - 1) for length in (2, 4, 6) for turn in (0, 1, 2)]
        + [row("b", f"{length}-{turn}", length, 10 ** (length // 2) * (turn + 1),
               "node_limit" if (length, turn) == (6, 2) else "solved") for length in (2, 4, 6) for turn in (0, 1, 2)]
        + [row("c", f"{length}-{turn}", length, 50, **({"moves": "LR" + board(length)[1], "length": length + 2} if length == 4 else {}))
           for length in (2, 4, 6) for turn in (0, 1, 2)])


def marked(axes, kind):
    """The x of what has marks of this kind."""
    return [[x for x, _ in points] for points, look in axes.lines if look == kind]


class PlotTest(FolderCase):
    def setUp(self):
        super().setUp()
        self.csv = self.folder / "runs.csv"

    def write(self, rows, path=None):
        write_table(path or self.csv, rows, COLUMNS)

    def tilelab(self, *words, **environment):
        return super().tilelab("plot", *words, code=None, figures=True, **environment)

    def numbers(self, rows=None, *words):
        """What would be drawn: the answer of --json, its figures by their names."""
        if rows is not None:
            self.write(rows)
        done = self.tilelab(".", "--json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        answer = json.loads(done.stdout)
        answer["figures"] = {figure["name"]: figure for figure in answer["figures"]}
        return answer

    def rows(self, name, rows=ROWS, *words):
        """The rows of one figure, as tuples."""
        return [tuple(found.values()) for found in self.numbers(rows, *words)["figures"][name]["rows"]]


class Numbers(PlotTest):
    def test_by_length_has_medians_and_quartiles_in_which_an_unsolved_run_is_more_than_any(self):
        found = self.rows("by_length-generated-one-3x3")
        self.assertEqual(found[0], ("a", 2, 3, 3, 20.5, 21, 21.5))
        self.assertEqual(found[3:6], [("b", 2, 3, 3, 15, 20, 25), ("b", 4, 3, 3, 150, 200, 250), ("b", 6, 3, 2, 1500, 2000, None)])

    def test_any_counter_and_the_time_can_be_the_cost(self):
        answer = self.numbers(ROWS, "-m", "expanded,wall_s", "--only", "by_length,memory")
        self.assertEqual(list(answer["figures"]), ["by_length-expanded-one-3x3", "by_length-wall_s-one-3x3", "memory-one-3x3"])
        self.assertEqual(answer["figures"]["by_length-expanded-one-3x3"]["rows"][0]["median"], 20)
        self.assertEqual(answer["figures"]["by_length-wall_s-one-3x3"]["y"]["label"], "wall time (s)")

    def test_boxes_end_at_unsolved_runs_where_those_are_their_quartiles(self):
        self.assertEqual(self.rows("box-generated-one-3x3")[:2],
                         [("a", 9, 9, 20, 22, 41, 60, 62), ("b", 9, 8, 10, 30, 200, 1000, None)])
        self.assertEqual(self.rows("memory-one-3x3")[0], ("a", 9, 9, 40, 44, 82, 120, 124))

    def test_the_scatter_has_each_board_with_the_runs_that_it_stands_for(self):
        found = self.numbers(ROWS, "-b", "a")["figures"]["scatter-generated-one-3x3"]["rows"]
        self.assertEqual([(point["solver"], point["instance"]) for point in found],
                         [(solver, f"{length}-{turn}") for solver in "bc" for length in (2, 4, 6) for turn in (0, 1, 2)])
        self.assertEqual(found[8], {"solver": "b", "baseline": "a", "instance": "6-2", "baseline_cost": 62, "baseline_status": "solved",
                                    "baseline_run_id": "a-one-6-2", "cost": None, "status": "node_limit", "run_id": "b-one-6-2"})
        self.assertEqual({point["baseline"] for point in self.numbers(None, "-b", "c")["figures"]["scatter-generated-one-3x3"]["rows"]}, {"c"})

    def test_the_share_solved_within_a_cost_is_of_all_boards(self):
        found = [(cost, share) for solver, cost, share in self.rows("solved_within-generated-one-3x3") if solver == "b"]
        self.assertEqual(found[:2], [(10, 0.111111111111), (20, 0.222222222222)])
        self.assertEqual(found[-1], (2000, 0.888888888889))
        never = [row("a", "1", 2, 5), row("a", "2", 2, 6), row("b", "1", 2, 5, "time_limit"), row("b", "2", 2, 6, "crashed")]
        self.assertEqual(self.rows("solved_within-generated-one-3x3", never)[-1], ("b", None, 0))

    def test_survival_holds_those_at_risk_that_a_limit_cut_short(self):
        early = [row("a", "1", 2, 5), row("a", "2", 2, 7, "node_limit"), row("a", "3", 2, 9), row("a", "4", 2, 9)]
        self.assertEqual(self.rows("survival-generated-one-3x3", early), [("a", 5, 0.75, 4, 1, 0), ("a", 7, 0.75, 3, 0, 1), ("a", 9, 0, 2, 2, 0)])

    def test_the_profile_holds_each_cost_against_the_least(self):
        two = [row("a", "1", 2, 10), row("a", "2", 2, 30), row("b", "1", 2, 20), row("b", "2", 2, 30, "time_limit")]
        self.assertEqual(self.rows("profile-generated-one-3x3", two), [("a", 1, 1), ("b", 2, 0.5)])

    def test_ranks_have_nemenyis_difference_and_bars_over_what_is_not_told_apart(self):
        boards = range(1, 13)
        told = [row(solver, f"{i}", 2, cost) for i in boards for solver, cost in (("a", 10 + i % 2), ("b", 10 + (i + 1) % 2), ("c", 90))]
        found = self.rows("ranks-generated-one-3x3", told)
        self.assertEqual([(solver, rank, bar) for solver, rank, bar, _ in found], [("a", 1.5, 1.5), ("b", 1.5, None), ("c", 3, None)])
        alike = [row(solver, f"{i}", 2, cost) for i in (1, 2) for cost, solver in enumerate("abc", 1)]
        self.assertEqual([bar for _, _, bar, _ in self.rows("ranks-generated-one-3x3", alike)], [3, None, None])
        self.assertAlmostEqual(found[0][3], 2.343701 * (3 * 4 / (6 * 12)) ** 0.5, places=5)

    def test_quality_shows_who_is_longer_and_names_who_never_is(self):
        figure = self.numbers(ROWS)["figures"]["quality-one-3x3"]
        self.assertEqual([tuple(found.values()) for found in figure["rows"]], [("c", 9, 9, 1, 1, 1, 1.5, 1.5)])
        self.assertIn("Always a shortest solution: a, b.", figure["caption"])

    def test_the_pareto_front_is_of_the_boards_that_all_solved(self):
        found = self.rows("pareto-generated-one-3x3")
        self.assertEqual([(solver, boards, efficient) for solver, boards, _, _, _, efficient, _, _ in found],
                         [("a", 8, 1), ("b", 8, 0), ("c", 8, 0)])
        self.assertAlmostEqual(found[0][2], (20 * 21 * 22 * 40 * 41 * 42 * 60 * 61) ** (1 / 8))
        self.assertEqual([ratio for _, _, _, ratio, *_ in found], [1, 1, 1 + 3 * 0.5 / 8])
        cheaper = [row if row["solver"] != "c" else {**row, "generated": 5} for row in ROWS]
        self.assertEqual([found[5] for found in self.rows("pareto-generated-one-3x3", cheaper)], [1, 0, 1])
        self.assertNotIn("pareto-length-one-3x3", self.numbers(ROWS, "-m", "length")["figures"])
        shortest = [row for row in ROWS if row["length"] in ("", row["optimal_length"])]
        self.assertNotIn("pareto-generated-one-3x3", self.numbers(shortest)["figures"])

    def test_the_pareto_figure_has_excess_lengths_and_curves_of_a_parameter(self):
        def longer(moves, count):
            return {"moves": "LR" * count + board(moves)[1], "length": moves + 2 * count}
        rows = [row(solver, f"{i}", i, cost, **longer(i, more), options_json="" if solver == "a" else json.dumps({"w": int(solver[-2])})) for i in (2, 4, 6) for solver, cost, more in
                (("a", 90, 0), ("wastar(manhattan, w=2)", 60, 1), ("wastar(manhattan, w=4)", 30, 90))]
        for words, curve in (((), []), (("--x", "w"), [2, 4])):
            answer = self.numbers(rows, "--only", "pareto", *words)
            (figure,) = answer["figures"].values()
            self.assertEqual([found["value"] for found in figure["rows"] if found["family"]], curve)
            self.assertEqual([round(found["excess"] - found["ratio"] + 1, 9) for found in figure["rows"]], [0, 0, 0])
            self.assertEqual((figure["x"]["log"], figure["y"]["log"], "A curve joins solvers that differ in w alone" in figure["caption"]), (False, True, bool(curve)))
            self.assertTrue(figure["title"].endswith("against generated nodes"), figure["title"])
            page = plot.draw(figure, answer["series"], 84)
            texts = [text for kind, _, _, text, *_ in (item[:4] for item in page.items if item[0] == "text")]
            self.assertTrue({"a", "0", *(["2", "4: wastar(manhattan)"] if curve else ["wastar(manhattan, w=2)"])} <= set(texts), texts)
        rows.append(row("a", "8", 3, 7))
        (figure,) = self.numbers(rows, "--only", "pareto")["figures"].values()
        self.assertTrue(figure["title"].endswith(", 3 of 4 boards"), figure["title"])

    def test_expansions_have_what_theory_says_beside_them(self):
        rows = [row(solver, f"{i}", i, 10 * i, cover=3 * i) for i in (8, 10, 12) for solver in ("idastar(manhattan)", "nbs(manhattan)", "bfs")]
        self.assertEqual({solver for solver, *_ in self.rows("by_length-generated-one-3x3", rows)}, {"idastar(manhattan)", "nbs(manhattan)", "bfs"})
        answer = self.numbers(rows, "-m", "expanded", "--only", "by_length")
        self.assertNotIn("expected: ", json.dumps(self.numbers([{**found, "cost_model": "heavy"} for found in rows], "-m", "expanded", "--only", "by_length")))
        (figure,) = answer["figures"].values()
        theory = {}
        for found in figure["rows"]:
            if found["boards"] is None:
                theory.setdefault(found["solver"], []).append((found["length"], found["median"]))
        predicted = json.loads(subprocess.run([TILELAB, "predict", "nodes", "--thresholds", "8-12", "--json"], capture_output=True, text=True, check=True).stdout)
        expected = [(found["threshold"], found["expected"]) for found in predicted["nodes"] if found["threshold"] in (8, 10, 12) and found["expected"] >= 1]
        self.assertTrue(expected)
        cover = [(8, 24), (10, 30), (12, 36)]
        self.assertEqual(theory, {"cover of manhattan": cover, "cover without heuristic": cover, "expected: idastar(manhattan)": expected})
        covers = self.numbers(rows, "--only", "cover")
        ratio = plot.draw(*covers["figures"].values(), covers["series"], 84)
        self.assertEqual(marked(ratio.axes[0], None), [[1, 1]])
        page = plot.draw(figure, answer["series"], 160)
        self.assertIn("cover of manhattan: length 8, 24", [text for texts in page.told.values() for text in texts])
        self.assertEqual(len(page.axes[0].lines), 6)

    def test_heuristics_are_drawn_once_however_many_solvers_use_them(self):
        rows = [row(solver, f"{i}", i, 5 + i, h_start=i // 2) for solver in ("astar(manhattan)", "idastar(manhattan)", "greedy(misplaced)")
                for i in (2, 4, 6)]
        answer = self.numbers(rows)
        self.assertEqual([tuple(found.values())[:6] for found in answer["figures"]["heuristic-one-3x3"]["rows"]],
                         [(name, i, 1, 1, i // 2, i // 2) for name in ("manhattan", "misplaced") for i in (2, 4, 6)])
        look = {key: answer["series"]["astar(manhattan)"][key] for key in ("colour", "mark", "dashes")}
        self.assertEqual(answer["series"]["manhattan"], {"label": "manhattan", **look})

    def rounds(self, text):
        (self.folder / "rounds.csv").write_text("run_id,round,threshold,expanded,generated\n" + text)

    def test_rounds_of_solved_boards(self):
        rows = [row("a", f"{i}", 4, 50) for i in (1, 2)] + [row("a", "3", 4, 90, "node_limit"), row("a", "1", 4, 50, repetition=2, run_id="again")]
        self.rounds("a-one-1,1,2,3,5\na-one-1,2,4,20,45\na-one-2,1,2,4,7\na-one-3,1,2,9,11\nunknown,1,2,3,4\nagain,1,2,3,5\na-one-2,2")
        self.assertEqual(self.rows("rounds-generated-one-3x3", rows), [("a", 1, 2, 2, 5.5, 6, 6.5), ("a", 2, 1, 1, 45, 45, 45)])
        self.assertEqual(self.rows("rounds-expanded-one-3x3", rows, "-m", "expanded")[0][4:], (3.25, 3.5, 3.75))
        self.assertEqual(self.numbers(None, "-m", "wall_s", "--only", "rounds")["figures"], {})
        self.rounds("a-one-1,1,2,3,many\n")
        done = self.tilelab(".", "--json")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("rounds.csv:2:15: 'many'; expected a number, not negative", done.stderr)

    def test_expansions_over_covers(self):
        rows = [row("a", f"{i}", 4, 10 * i + 1, cover=5) for i in (1, 2, 3)] + [row("a", "4", 4, 50, cover=0), row("a", "5", 4, 50)]
        rows += [row("b", "1", 4, 31, "node_limit", cover=10), row("b", "2", 4, 31, cover=10), row("c", "1", 4, 50)]
        self.assertEqual(self.rows("cover-one-3x3", rows), [("a", 3, 3, 2, 3, 4, 5, 6), ("b", 2, 1, 3, None, None, None, None)])
        caption = self.numbers(None)["figures"]["cover-one-3x3"]["caption"]
        self.assertIn("Boards of cover 0 are left out.", caption)
        self.assertNotIn("cover-one-3x3", self.numbers([row("a", f"{i}", 4, 9) for i in (1, 2)])["figures"])

    def test_a_board_rightly_called_unsolvable_is_no_unsolved_run(self):
        wrong = {"start": "2 1 3 4 5 6 7 8 0", "optimal_length": "", "length": "", "moves": ""}
        rows = ROWS + [row(solver, "odd", 2, 9, "unsolvable", **wrong) for solver in "abc"]
        figures = self.numbers(rows)["figures"]
        self.assertEqual(figures["box-generated-one-3x3"]["rows"][0]["boards"], 9)
        self.assertIn("Unsolved: b 1 of 9.", figures["box-generated-one-3x3"]["caption"])

    def test_of_rows_of_one_run_the_one_that_finished_last_counts_wherever_it_stands(self):
        again = [row("a", "2-0", 2, 4000, finished_at="2026-01-30T00:00:00Z"), row("a", "2-1", 2, 1, "interrupted", finished_at="2027-01-01T00:00:00Z")]
        expected = self.numbers(ROWS)
        self.assertEqual(self.numbers(ROWS + again), expected)
        self.assertEqual(self.numbers(again + ROWS), expected)

    def test_the_order_of_rows_changes_nothing(self):
        rows = ROWS + [row("a", f"{i}", i, i, set="two") for i in (2, 4)]
        expected = self.numbers(rows)
        self.assertIn("by_length-generated-two-3x3", expected["figures"])
        for seed in range(5):
            random.Random(seed).shuffle(rows)
            self.assertEqual(self.numbers(rows), expected, f"seed {seed}")

    def test_n_is_in_every_caption_and_so_is_what_is_unsolved(self):
        figures = self.numbers(ROWS + [row("a", f"{i}", i, i, set="two") for i in (2, 4)])["figures"]
        self.assertEqual([name.split("-")[0] for name in figures if name.endswith("-one-3x3")],
                         FIGURES[:-2])
        for name, figure in figures.items():
            if name == "pareto-generated-one-3x3":
                self.assertTrue(figure["caption"].startswith("n = 8 boards. Left out: 1 that not all solvers solved"), figure)
                continue
            self.assertTrue(figure["caption"].startswith("n = 9 boards." if name.endswith("one-3x3") else "n = 2 boards."), figure)
            if name.endswith("one-3x3") and name != "heuristic-one-3x3":
                self.assertIn("Unsolved: b 1 of 9.", figure["caption"])

    def test_axes_are_logarithmic_where_costs_lie_far_apart_and_zeros_have_a_place(self):
        figures = self.numbers(ROWS)["figures"]
        self.assertTrue(figures["box-generated-one-3x3"]["x"]["log"])
        near = self.numbers([row("a", f"{i}", i, 10 + i) for i in (2, 4, 6)])["figures"]["box-generated-one-3x3"]
        self.assertEqual((near["x"]["log"], near["x"]["whole"]), (False, True))
        zero = self.numbers([row("a", f"{i}", i, cost) for i, cost in ((2, 1), (4, 11), (6, 1001))], "-m", "expanded")
        zero = zero["figures"]["box-expanded-one-3x3"]
        self.assertEqual((zero["x"]["zero_at"], zero["rows"][0]["min"]), (2.5, 0))
        self.assertIn("Zeros are drawn at 2.5.", zero["caption"])

    def test_labels_name_solvers_and_the_experiments_order_holds(self):
        self.write(ROWS)
        (self.folder / "manifest.json").write_text(json.dumps({"solvers": ["c", "a", "b"], "labels": {"a": "Anna"}, "baseline": "b"}))
        answer = self.numbers(None)
        self.assertEqual(list(dict.fromkeys(found["solver"] for found in answer["figures"]["box-generated-one-3x3"]["rows"])), ["c", "a", "b"])
        self.assertEqual([answer["series"][solver]["label"] for solver in "abc"], ["Anna", "b", "c"])
        self.assertEqual(answer["figures"]["scatter-generated-one-3x3"]["rows"][0]["baseline"], "b")
        self.assertIn("Always a shortest solution: Anna, b.", answer["figures"]["quality-one-3x3"]["caption"])

    def test_rows_that_are_not_the_experiments_are_left_out_and_counted(self):
        self.write(ROWS)
        (self.folder / "manifest.json").write_text(json.dumps({"solvers": ["a", "b"]}))
        done = self.tilelab(".", "--json")
        self.assertIn("left out: 9 rows of solvers or limits that are not the experiment's", done.stderr)
        self.assertNotIn('"c"', done.stdout)

    def test_large_sets_have_some_of_their_boards_in_the_scatter(self):
        rows = [row(solver, f"{i}", 2, i + 1) for solver in "ab" for i in range(5000)]
        figure = self.numbers(rows)["figures"]["scatter-generated-one-3x3"]
        self.assertEqual(len(figure["rows"]), 1667)
        self.assertIn("One board of 3", figure["caption"])
        self.assertIn("n = 5,000 boards", self.numbers()["figures"]["box-generated-one-3x3"]["caption"])


class Looks(PlotTest):
    SOLVERS = ["bfs", "dfs", "astar(manhattan)", "astar(misplaced)", "idastar(manhattan)", "idastar(pdb:7-8)", "wastar(manhattan, w=2)",
               "wastar(manhattan, w=3)", "lcbb(misplaced)", "lcbb(misplaced, duplicates=none)", "greedy(manhattan)", "mine", "yours",
               "astar(max:manhattan+gaschnig)"]

    def looks(self, solvers):
        """Of solvers that stand in this order in the experiment."""
        (self.folder / "manifest.json").write_text(json.dumps({"solvers": solvers}))
        series = self.numbers([row(solver, f"{i}", 2, 5 + i) for solver in solvers for i in (1, 2)], "--only", "box")["series"]
        return {name: (look["colour"], look["mark"], look["dashes"]) for name, look in series.items()}

    def test_a_solver_looks_the_same_whoever_is_drawn_beside_it(self):
        together = self.looks(self.SOLVERS)
        self.assertEqual(self.looks(self.SOLVERS[::-1]), together)
        for solver in self.SOLVERS:
            self.assertEqual(self.looks([solver]), {solver: together[solver]})

    def test_what_is_drawn_together_never_looks_alike(self):
        heuristics = ["zero", "misplaced", "gaschnig", "out_of_row_column", "euclidean", "manhattan", "linear_conflict",
                      "walking_distance", "inversion"]
        for solvers in (self.SOLVERS, [f"astar({name})" for name in heuristics], [f"s{i}" for i in range(60)],
                        [f"{name}(manhattan)" for name in ("lcbb", "dfbnb", "descent", "greedy", "astar", "wastar", "idastar", "rbfs", "beam")]):
            looks = self.looks(solvers)
            self.assertEqual(len(set(looks.values())), len(solvers))
            self.assertEqual(self.looks(solvers[::-1]), looks)
        colours, marks, dashes = zip(*self.looks([f"{name}(manhattan)" for name in ("lcbb", "dfbnb", "descent", "greedy", "astar", "wastar", "idastar", "beam")]).values())
        self.assertEqual([len(set(kind)) for kind in (colours, marks, dashes)], [8, 8, 1], "an algorithm has a colour, a heuristic a line")
        colours, marks, dashes = zip(*self.looks([f"astar({name})" for name in ("misplaced", "manhattan", "linear_conflict", "inversion", "gaschnig")]).values())
        self.assertEqual([len(set(colours)), len(set(marks))], [1, 5])
        self.assertEqual(len(set(dashes[:4])), 4)


class Missing(PlotTest):
    def missing(self, rows, *words):
        self.write(rows)
        done = self.tilelab(".", "--format", "svg", *words)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def test_long_names_of_sets_fit_the_names_of_files(self):
        self.write([own | {"set": 240 * "s" + end} for own in ROWS for end in "12"])
        done = self.tilelab(".", "--only", "box", "--format", "svg")
        self.assertEqual((done.returncode, len(os.listdir(self.folder / "figures"))), (0, 2), done.stderr)

    def test_one_board_is_no_figure(self):
        said = self.missing([row("a", "1", 2, 5, h_start=1), row("b", "1", 2, 7)])
        self.assertTrue(said.startswith("tilelab plot: one 3x3: not drawn: by_length (solved boards of two optimal lengths are needed), "), said)
        for name in FIGURES[:-2]:
            self.assertIn(f"{name} (", said)
        self.assertNotIn("rounds", said)
        self.assertNotIn("cover", said)
        self.assertEqual(os.listdir(self.folder), ["runs.csv"])

    def test_nothing_solved_is_no_figure(self):
        said = self.missing([row(solver, f"{i}", i, 5, "time_limit", h_start=1) for solver in "abc" for i in (2, 4)], "--only",
                            "by_length,box,scatter,solved_within,survival,profile,ranks,quality,memory")
        self.assertIn("box (no run is solved)", said)
        self.assertIn("scatter (no board is solved by the baseline and another solver)", said)
        self.assertEqual(os.listdir(self.folder), ["runs.csv"])

    def test_what_cannot_be_drawn_any_more_is_taken_away(self):
        (self.folder / "figures").mkdir()
        for name in ("ranks-generated-one-3x3.svg", "ranks-generated-one-3x3.csv", "mine.svg"):
            (self.folder / "figures" / name).touch()
        self.missing([row("a", "1", 2, 5), row("a", "2", 2, 6)], "--only", "ranks")
        self.assertEqual(os.listdir(self.folder / "figures"), ["mine.svg"])


class Usage(PlotTest):
    def refused(self, words, *parts):
        done = self.tilelab(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_wrong_words(self):
        self.write(ROWS)
        for words, *parts in (([], "no results; expected"),
                              ([".", "--only", "bycost"], "unknown figure 'bycost'; expected by_length, box"),
                              ([".", "--only", "rank"], "did you mean 'ranks'?"),
                              ([".", "--format", "svg,gif"], "unknown format 'gif'; expected svg, png, pdf or tikz"),
                              ([".", "-m", "nodes"], "unknown metric 'nodes'"),
                              ([".", "--width", "84"], "width '84'; expected one such as 84mm"),
                              ([".", "--width", "10mm"], "from 60 to 1000mm"),
                              ([".", "--width", "nanmm"], "width 'nanmm'"),
                              ([".", "-b", "d"], "tilelab: no runs of the baseline 'd'"),
                              ([".", "."], "expected -o DIR"),
                              (["none"], "none", "expected a results folder")):
            self.refused(words, *parts)

    def test_no_runs(self):
        self.write([])
        self.refused(["."], "there are no runs in these results")

    def test_what_is_wrong_in_a_row_is_told_with_its_place(self):
        self.write([row("a", "1", 2, 5, moves="LL")])
        self.refused(["."], "runs.csv:2:")

    def test_the_help_names_every_figure(self):
        said = " ".join(self.tilelab("--help").stdout.split())
        for name in FIGURES:
            self.assertIn(name, said)


class Drawing(PlotTest):
    """What Python draws. The pages are drawn in this process, but for one call that is as a person types it."""

    @classmethod
    def setUpClass(cls):
        cls.kept = plot.prepare_matplotlib()

    @classmethod
    def tearDownClass(cls):
        if cls.kept:
            cls.kept.cleanup()

    every = None

    def figures_of_rows(self):
        """Pages of all figures there are, of ROWS, some rounds and covers; drawn once."""
        if Drawing.every is None:
            (self.folder / "rounds.csv").write_text("run_id,round,threshold,expanded,generated\n"
                                                    "a-one-2-0,1,2,3,5\na-one-2-0,2,4,20,45\na-one-2-1,1,2,4,7\n")
            Drawing.every = self.pages([{**found, "cover": 4} if found["solver"] == "a" else found for found in ROWS])
            self.assertEqual([name.split("-")[0] for name in Drawing.every], FIGURES)
        return Drawing.every

    def told(self, text):
        """What a mouse reads: [(text, link or "", centre of its place)]."""
        found = re.findall(r'<(?:g|a xlink:href="([^"]*)")><title>([^<]*)</title><rect x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"/>', text)
        return [(html.unescape(words), link, (float(x) + float(width) / 2, float(y) + float(height) / 2)) for link, words, x, y, width, height in found]

    def pages(self, rows, *words, width=160):
        answer = self.numbers(rows, *words)
        return {name: plot.draw(figure, answer["series"], width) for name, figure in answer["figures"].items()}

    def drawn_here(self, *words):
        """What `tilelab plot . WORDS` has Python do, done in this process, into `figures`: the exit code and what it says."""
        scripts = self.folder / "noting" / "scripts"
        if not scripts.exists():
            scripts.mkdir(parents=True)
            (scripts / "plot.py").write_text("import sys\nopen('task.json', 'wb').write(sys.stdin.buffer.read())\n")
        self.tilelab(".", *words, TILELAB_DATA=str(scripts.parent))
        errors, stdin, here = io.StringIO(), sys.stdin, os.getcwd()
        os.chdir(self.folder)
        try:
            with open("task.json", encoding="utf-8") as sys.stdin, contextlib.redirect_stderr(errors):
                return plot.main(["figures"]), errors.getvalue()
        finally:
            sys.stdin = stdin
            os.chdir(here)

    def inside(self, page, name):
        """No text leaves the page, and no two lie on one another: titles, captions, labels, ticks. No tick repeats another."""
        texts = []
        for axes in page.axes:
            for words in axes.words.values():
                self.assertEqual(len(set(words)), len(words), f"{name}: {words}")
        for kind, *rest in page.items:
            if kind != "text":
                continue
            x, y, text, size, anchor, _, upwards = rest
            wide, up, down = page.width_of(text, size), 0.73 * size * paper.POINT, 0.1 * size * paper.POINT
            start = {"left": 0, "middle": -wide / 2, "right": -wide}[anchor]
            box = (x - up, y + start, x + down, y + start + wide) if upwards else (x + start, y - down, x + start + wide, y + up)
            texts.append((text, box))
        for text, (left, bottom, right, top) in texts:
            self.assertTrue(left >= -0.01 and right <= page.width + 0.01 and bottom >= -0.1 and top <= page.height + 0.01, f"{name}: '{text}' leaves the page")
        for i, (text, one) in enumerate(texts):
            for other, its in texts[i + 1:]:
                apart = one[2] <= its[0] + 0.1 or its[2] <= one[0] + 0.1 or one[3] <= its[1] + 0.1 or its[3] <= one[1] + 0.1
                self.assertTrue(apart, f"{name}: '{text}' and '{other}' lie on one another")
        for kind, *rest in page.items:
            for place in rest[0] if kind == "marks" else [point for part in rest[0] for point in part] if kind == "path" else ():
                self.assertTrue(0 <= place[0] <= page.width and 0 <= place[1] <= page.height, f"{name}: {kind} at {place}")

    def test_every_figure_fits_its_page_with_few_and_with_many_solvers(self):
        many = [row(solver, f"{i}", i, 10 + i * turn, "node_limit" if (turn, i) == (9, 6) else "solved", h_start=i // 2)
                for turn, solver in enumerate(Looks.SOLVERS) for i in (2, 4, 6)]
        for width, pages in ((160, self.figures_of_rows()), (60, self.pages(many, "--only", "by_length,box,profile,ranks", width=60))):
            for name, page in pages.items():
                self.assertEqual(page.width, width)
                self.inside(page, name)

    def test_ticks_of_one_value_and_of_values_that_lie_close(self):
        """No text of a column's width repeats or touches another."""
        for cost in (lambda turn, i: 1234567, lambda turn, i: 1234567 + i % 3, lambda turn, i: 1200000 + 100000 * i * turn,
                     lambda turn, i: 20 if i == 2 else 400 + turn, lambda turn, i: 1 if i == 2 else 31):
            rows = [row(solver, f"{i}", i, cost(turn, i), wall_s=cost(turn, i) / 1e7 + 1e-5, **more)
                    for turn, solver in enumerate("abc") for i in (2, 4, 6) for more in
                    [{"moves": "LR" + board(i)[1], "length": i + 2} if (solver, i) == ("c", 4) else {}]]
            pages = self.pages(rows, "-m", "expanded,wall_s", "--only", "by_length,box,scatter,pareto", width=84)
            self.assertEqual(len(pages), 8)
            for name, page in pages.items():
                self.inside(page, f"{name}, {cost(0, 2)}, {cost(1, 4)}")
        self.assertEqual([plot.ticks_between({"log": False, "whole": whole}, 5, 5, 9) for whole in (True, False)], [[[5]]] * 2)
        self.assertEqual(plot.ticks_between({"log": False, "whole": True}, 5.25, 6.5, 3)[0], [5.5, 6, 6.5])
        self.assertEqual(plot.ticks_between({"log": True, "whole": True}, 18, 430, 9)[0], [20, 50, 100, 200])
        for low, high in ((1e-6, 3e-5), (7, 300), (401, 409), (20, 400), (3, 1e15)):
            for log in (True, False):
                lists = plot.ticks_between({"log": log, "whole": False}, low, high, 5)
                self.assertTrue(all(1 < len(ticks) == len(set(ticks)) and low - 1e-6 * high < min(ticks) and max(ticks) < high * 1.001 for ticks in lists), lists)

    def test_what_a_caption_explains_is_drawn_and_nothing_else(self):
        """With more solvers than have lines in one figure, too."""
        for count in (2, 12, 14):
            solvers = [f"s{turn}" for turn in range(count)]
            rows = [row(solver, f"{i}", i, turn + 10 * i, "node_limit" if (turn, i) == (1, 6) else "solved", h_start=i - turn % 2)
                    for turn, solver in enumerate(solvers) for i in (2, 4, 6)]
            pages = self.pages(rows, "--only", "by_length,survival,heuristic")
            axes = {name: page.axes for name, page in pages.items()}
            self.assertEqual([xs for own in axes["by_length-generated-one-3x3"] for xs in marked(own, "hollow")], [[6]])
            self.assertIn("Hollow: ", pages["by_length-generated-one-3x3"].spec["caption"])
            self.assertEqual([xs for own in axes["survival-generated-one-3x3"] for xs in marked(own, "ended")], [[61]])
            for own in axes["heuristic-one-3x3"]:
                self.assertEqual(marked(own, None), [[0, 6]])
        near = self.pages([row(solver, f"{i}", i, 10 + i, **more) for solver in "abc" for i in (2, 4, 6) for more in
                           [{"moves": "LR" + board(i)[1], "length": i + 2} if (solver, i) == ("c", 4) else {}]])
        captions = {name.split("-")[0]: page.spec["caption"] for name, page in near.items()}
        self.assertNotIn("bands", captions["by_length"])
        self.assertNotIn("factor", captions["scatter"])
        self.assertEqual({len(axes.lines) for axes in near["scatter-generated-one-3x3"].axes}, {1})
        self.assertIn("No line: ", captions["pareto"])
        captions = {name.split("-")[0]: figure["caption"] for name, figure in self.numbers(ROWS)["figures"].items()}
        self.assertIn("bands: quartiles", captions["by_length"])
        self.assertIn("Dashed: a factor of 10 either way.", captions["scatter"])
        told = [row(solver, f"{i}", 2, cost) for i in range(30) for solver, cost in (("a", 10), ("b", 20), ("c", 90))]
        self.assertIn("all ranks are told apart", self.numbers(told)["figures"]["ranks-generated-one-3x3"]["caption"])

    def test_more_lines_than_can_be_told_apart_have_a_panel_each(self):
        solvers = [f"wastar(manhattan, w={w})" for w in range(2, 15)]
        rows = [row(solver, f"{i}", i, turn + 10 * i, "node_limit" if (turn, i) == (12, 6) else "solved") for turn, solver in enumerate(solvers) for i in (2, 4, 6)]
        for name, page in self.pages(rows, "--only", "by_length,solved_within").items():
            self.inside(page, name)
            self.assertEqual(len(page.axes), 13, name)
            for turn, axes in enumerate(page.axes):
                ((points, _),) = ((points, look) for points, look in axes.lines if isinstance(look, dict))
                if name.startswith("by_length"):
                    self.assertEqual(points[0], (2, turn + 20))
                else:
                    self.assertEqual([x for x, _ in points[1:-1]], [turn + 10 * i for i in ((2, 4) if turn == 12 else (2, 4, 6))])
            if name.startswith("by_length"):
                grey = [parts for kind, parts, pen in (item for item in page.items if item[0] == "path") if pen[0] == "#D0D0D0"]
                self.assertEqual([len(parts) for parts in grey], [12] * 13)
        few = self.numbers(rows[:36], "--only", "by_length")["figures"]
        self.assertEqual([figure["panels"] for figure in few.values()], [False])

    def test_an_svg_has_real_text_links_and_names_of_its_own_and_no_date(self):
        rows = ROWS + [row("a", f"{i}", i, i, set="two", run_id=f'"><script>{i}') for i in (2, 4)] + [row("b", f"{i}", i, i, set="two") for i in (2, 4)]
        self.write(rows)
        (self.folder / "manifest.json").write_text(json.dumps({"solvers": ["a", "b", "c"], "labels": {"a": "<b>$x_1$ & co</b>"}}))
        ids = set()
        for name, page in self.pages(None, "--only", "by_length,scatter").items():
            text = plot.bytes_of(page, "svg").decode()
            root = xml.etree.ElementTree.fromstring(text)
            words = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
            self.assertTrue(any("<b>$x_1$" in word for word in words), words)
            self.assertTrue("".join(root.find("{http://www.w3.org/2000/svg}desc").itertext()).startswith("n = "))
            own = re.findall(r'\sid="([^"]+)"', text)
            self.assertFalse(ids & set(own), "two figures share an id")
            ids |= set(own)
            for word in re.findall(r'url\(#([^)]+)\)|<use xlink:href="#([^"]+)"', text):
                self.assertIn("".join(word), own)
            self.assertNotIn("<dc:date>", text)
            self.assertNotIn("<script", text)
            if name == "scatter-generated-one-3x3":
                links = [(link, words) for words, link, _ in self.told(text)]
                self.assertEqual(len(links), 18)
                self.assertIn(("#run-b-one-6-2", "6-2: <b>$x_1$ & co</b> 62, b node_limit"), links)
            if name == "scatter-generated-two-3x3":
                self.assertEqual([link for _, link, _ in self.told(text)], ["#run-b-two-2", "#run-b-two-4"])

    def test_every_value_says_its_numbers_when_a_mouse_rests_on_it(self):
        expected = {
            "by_length": (9, "a: length 2, median 21, quartiles 20.5 and 21.5, solved 3 of 3",
                          "b: length 6, median 2,000, quartiles 1,500 and unsolved, solved 2 of 3"),
            "box": (3, "b: minimum 10, quartiles 30 and 1,000, median 200, maximum unsolved, solved 8 of 9"),
            "scatter": (18, "2-1: a 21, b 20", "6-2: a 62, b node_limit", "6-0: a 60, c 50"),
            "solved_within": (18, "b: cost 10, solved 11.11 %", "b: cost 2,000, solved 88.89 %", "c: cost 50, solved 100 %"),
            "survival": (19, "b: cost 20, unsolved 77.78 %, at risk 8, solved here 1, ended unsolved here 0",
                         "b: cost 3,000, unsolved 11.11 %, at risk 1, solved here 0, ended unsolved here 1"),
            "profile": (20, "a: ratio 1, solved 44.44 %", "c: ratio 1, solved 33.33 %", "c: ratio 5, solved 100 %"),
            "ranks": (4, "a: average rank 1.55556", "c: average rank 2", "b: average rank 2.44444",
                      "not told apart: average ranks 1.55556 to 2.44444"),
            "quality": (1, "c: minimum 1, quartiles 1 and 1.5, median 1, maximum 1.5, solved 9 of 9"),
            "pareto": (3, "a: cost 35.1484, length / optimum 1, on the front", "c: cost 50, length / optimum 1.1875"),
            "memory": (3, "a: minimum 40, quartiles 44 and 120, median 82, maximum 124, solved 9 of 9"),
            "heuristic": (3, "a: length 4, median 3, quartiles 3 and 3, n = 3"),
            "rounds": (2, "a: round 1, median 6, quartiles 5.5 and 6.5, solved 2 of 2", "a: round 2, median 45, quartiles 45 and 45, solved 1 of 1"),
            "cover": (1, "a: minimum 4.75, quartiles 5.25 and 14.75, median 10, maximum 15.25, solved 9 of 9"),
        }
        for name, page in self.figures_of_rows().items():
            kind = name.split("-")[0]
            text = plot.bytes_of(page, "svg").decode()
            told = self.told(text)
            count, *words = expected[kind]
            found = [line for said, _, _ in told for line in said.split("\n")]
            self.assertEqual([word for word in words if word not in found], [], f"{name}: {found}")
            self.assertEqual(len(found), count, f"{name}: {found}")
            if kind in ("by_length", "scatter", "heuristic", "rounds"):  # there is a mark at each of those places
                marks = [(float(x), float(y)) for x, y in re.findall(r'<use [^>]*? x="([^"]+)" y="([^"]+)"', text)]
                for said, _, place in told:
                    self.assertLess(min(math.dist(place, mark) for mark in marks), 0.1, f"{name}: {said}")

    def test_curves_of_many_steps_say_no_more_than_a_mouse_can_tell_apart(self):
        rows = [row("a", f"{i}", 2, i + 1) for i in range(400)] + [row("b", f"{i}", 2, 9, "time_limit") for i in range(400)]
        page = self.pages(rows, "--only", "solved_within")["solved_within-generated-one-3x3"]
        told = [words for words, _, _ in self.told(plot.bytes_of(page, "svg").decode())]
        self.assertLess(len(told), 100)
        self.assertEqual((told[0], told[-2], told[-1]), ("a: cost 1, solved 0.25 %", "a: cost 400, solved 100 %", "b: solved 0 %"))

    def test_steps_that_nobody_sees_are_not_drawn(self):
        page = self.pages([row("a", f"{i}", 2, 1000 + i) for i in range(6000)], "--only", "solved_within")["solved_within-generated-one-3x3"]
        curve = max((line for kind, lines, *_ in page.items if kind == "path" for line in lines), key=len)
        self.assertTrue(1000 < len(curve) < 6000, len(curve))
        [(points, _)] = page.axes[0].lines
        self.assertEqual(page.axes[0].at(*points[-1]), curve[-1])
        self.assertLess(max(math.dist(one, other) for one, other in zip(curve[2:-4], curve[3:-3])), 0.2, "millimetres")

    def test_a_box_of_one_value_is_its_mark(self):
        rows = [row(solver, f"{i}", i, 20 if solver == "a" else 7 * i) for solver in "ab" for i in (2, 4, 6)]
        page = self.pages(rows, "--only", "box")["box-generated-one-3x3"]
        self.assertIn("A mark alone: one value.", page.spec["caption"])
        self.assertEqual(sum(kind == "path" and pen[0][3] is not None for kind, _, *pen in page.items), 2, "white and colour of one box")
        self.assertEqual(sum(kind == "marks" for kind, *_ in page.items), 2)
        self.assertNotIn("A mark alone", self.numbers(rows[3:])["figures"]["box-generated-one-3x3"]["caption"])

    def test_lines_through_the_same_points_can_all_be_seen(self):
        page = self.pages([row(solver, f"{i}", i, 5 * i) for solver in "ab" for i in (2, 4, 6)], "--only", "by_length")
        (_, first), (_, second) = page["by_length-generated-one-3x3"].axes[0].lines
        self.assertGreater(first["width"], second["width"])
        own = [set(places) for kind, places, *_ in page["by_length-generated-one-3x3"].items if kind == "marks" and places[0][0] < 100]
        self.assertFalse(own[0] & own[1])
        told = self.told(plot.bytes_of(page["by_length-generated-one-3x3"], "svg").decode())
        self.assertEqual([words for words, _, _ in told], ["\n".join(f"{solver}: length {i}, median {5 * i}, quartiles {5 * i} and {5 * i}, solved 1 of 1"
                                                                     for solver in "ab") for i in (2, 4, 6)])

    def test_lengths_with_unsolved_boards_are_marked_and_moves_are_whole(self):
        (page,) = self.pages(ROWS, "--only", "by_length", width=84).values()
        texts = {rest[2]: (rest[0], rest[1], page.width_of(*rest[2:4])) for kind, *rest in page.items if kind == "text"}
        (right, height, wide), (up, _, _) = texts["unsolved"], texts["generated nodes"]
        self.assertGreater(right - wide, up + 0.3, "beside the label of the axis")
        self.assertGreater(height, max(place for text, (at, place, _) in texts.items() if at == right and text != "unsolved") + 2.4, "on no tick's text")
        (axes,) = self.pages(ROWS, "--only", "by_length")["by_length-generated-one-3x3"].axes
        self.assertEqual(marked(axes, "hollow"), [[6]])
        self.assertEqual(axes.words["x"], ["2", "3", "4", "5", "6"])

    def test_the_command_draws_the_same_bytes_wherever_and_in_whatever_order(self):
        rows = list(ROWS)
        random.Random(1).shuffle(rows)
        self.write(rows, self.folder / "other.csv")
        done = self.tilelab("other.csv", "-o", "deep/er", "--only", "box", "--format", "svg,png,pdf", "--width", "3.3in", "--data",
                            HOME="/dev/null", XDG_CONFIG_HOME="", XDG_CACHE_HOME="")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        folder, name = self.folder / "deep" / "er", "box-generated-one-3x3"
        files = [f"{name}.{kind}" for kind in ("csv", "pdf", "png", "svg")]
        self.assertEqual(sorted(os.listdir(folder)), [".drawn.json", *files])
        self.assertEqual(sorted(done.stdout.split()), [f"deep/er/{file}" for file in files])
        page = self.pages(ROWS, "--only", "box", width=3.3 * 25.4)[name]
        for kind in ("svg", "png", "pdf"):
            self.assertEqual((folder / f"{name}.{kind}").read_bytes(), plot.bytes_of(page, kind), kind)
        self.assertIn('width="237.6pt"', (folder / f"{name}.svg").read_text())
        data = read_table(folder / f"{name}.csv")
        self.assertEqual([data[1][key] for key in ("solver", "solved", "upper", "max")], ["b", "8", "1000", "INF"])

    def test_a_figure_that_would_come_out_the_same_is_not_drawn_again(self):
        self.write(ROWS)
        words = "--only", "box,memory", "--format", "svg"
        svg, other = (self.folder / "figures" / f"{name}-one-3x3.svg" for name in ("box-generated", "memory"))
        index = self.folder / "figures" / ".drawn.json"

        def drawn_again():
            """Whether each of the two was drawn by one more call, and its bytes."""
            before = [path.stat().st_ino if path.exists() else None for path in (svg, other)]
            self.assertEqual(self.drawn_here(*words), (0, ""))
            return [path.stat().st_ino != inode for path, inode in zip((svg, other), before)]
        self.assertEqual(drawn_again(), [True, True])
        whole = svg.read_bytes()
        self.assertEqual(drawn_again(), [False, False])
        svg.write_bytes(whole + b" ")
        self.assertEqual((drawn_again(), svg.read_bytes()), ([True, False], whole))
        other.unlink()
        self.assertEqual(drawn_again(), [False, True])
        for damaged in ("", "[]", '{"%s": 3}' % svg.name, "[" * 100000):
            index.write_text(damaged)
            self.assertEqual((drawn_again(), svg.read_bytes()), ([True, True], whole))
        index.unlink()
        index.symlink_to("/etc/passwd")
        self.assertEqual(self.drawn_here(*words)[0], 1)
        index.unlink()
        drawn_again()
        self.write([{**row, "generated": row["generated"] + 1} for row in ROWS])
        self.assertEqual(drawn_again(), [True, False])
        words += "--width", "84mm"
        self.assertEqual(drawn_again(), [True, True])
        # Another matplotlib draws its own kinds anew.
        png = svg.with_suffix(".png")
        words = (*words[:-3], "svg,png", *words[-2:])
        for version in ("1", "1", "2"):
            before = png.stat().st_ino if png.exists() else None
            with unittest.mock.patch.object(plot, "version_of_matplotlib", lambda: version):
                self.assertEqual(drawn_again(), [False, False])
            self.assertEqual(png.stat().st_ino != before, before is None or version == "2")

    def test_a_figure_for_a_paper_has_no_title_another_font_and_a_style_of_ones_own(self):
        self.write(ROWS)
        words = "--only", "box", "--format", "svg"
        svg, text = (self.folder / "figures" / f"box-generated-one-3x3.{kind}" for kind in ("svg", "txt"))

        def drawn(*more):
            self.assertEqual(self.drawn_here(*words, *more), (0, ""))
            return re.sub(r"(?s)<title>.*?</title>|<desc>.*?</desc>", "", svg.read_text())
        plain = drawn()
        self.assertFalse(text.exists())
        done = self.tilelab(".", *words, "--no-title", "--font", "serif")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        by_command, paths = svg.read_bytes(), done.stdout
        bare = drawn("--no-title", "--font", "serif")
        self.assertEqual(svg.read_bytes(), by_command)
        title, notes = text.read_text().strip().split("\n\n")
        self.assertIn(title, plain)
        self.assertNotIn(title, bare)
        self.assertTrue(notes.startswith("n = 9 boards."))
        self.assertIn("figures/box-generated-one-3x3.txt", paths)
        self.assertIn("DejaVu Serif", bare)
        self.assertNotIn("DejaVu Serif", plain)
        style = self.folder / "own.mplstyle"
        style.write_text("axes.facecolor: fedcba\n")
        self.assertIn("#fedcba", drawn("--style", "own.mplstyle"))
        style.write_text("axes.facecolor: abcdef\n")
        self.assertIn("#abcdef", drawn("--style", "own.mplstyle"))
        style.write_text("axes.prop_cycle: cycler('color', ['123456', '654321', 'a1b2c3'])\nfont.size: 9\naxes.titlesize: x-large\naxes.grid: False\n")
        own = drawn("--style", "own.mplstyle")
        self.assertIn('fill="#123456"', own)
        self.assertIn('font-size="12.96"', own, "1.44 times 9 points")
        self.assertNotIn('stroke="#E0E0E0"', own)
        self.assertIn('stroke="#E0E0E0"', plain)
        style.write_text("font.size: 9\nxtick.direction: in\nfont.weight: bold\n")
        code, said = self.drawn_here(*words, "--style", "own.mplstyle")
        self.assertEqual(code, 0)
        self.assertIn("font.weight, xtick.direction changes nothing; what does: font.family, ", said)
        for content, problem in (("foo.bar: 3", "Bad key foo.bar"), ("lines.linewidth: x", "Could not convert 'x' to float"), (None, "No such file")):
            style.write_text(content) if content else style.unlink()
            code, said = self.drawn_here(*words, "--style", "own.mplstyle")
            self.assertEqual(code, 1)
            self.assertIn("tilelab plot: --style own.mplstyle: ", said)
            self.assertIn(problem, said)

    def test_labels_stand_by_their_points_and_on_no_other(self):
        page = plot.Page({"title": "", "caption": ""}, 84)
        places = [(20 + 3 * number % 17, 20 + 5 * number % 23) for number in range(25)]
        boxes = plot.beside(page, (0, 0, 84, 60), places, ["astar(manhattan)"] * 25, [])
        for number, (left, bottom, right, top) in enumerate(boxes):
            self.assertTrue(left >= 0 and bottom >= 0 and right <= 84 and top <= 60)
            self.assertFalse(any(left < x < right and bottom < y < top for x, y in places), "on a point")
            self.assertFalse(any(left < its[2] and its[0] < right and bottom < its[3] and its[1] < top for its in boxes[:number]), "on a label")
        ((left, bottom, _, top),) = plot.beside(page, (0, 0, 84, 60), [(20, 20)], ["a"], [])
        self.assertTrue(20 < left < 23 and bottom < 20 < top, "right of it")

    def test_for_latex_a_figure_is_commands_of_tikz_without_title(self):
        self.write(ROWS)
        (self.folder / "manifest.json").write_text(json.dumps({"solvers": ["a", "b", "c"], "labels": {"a": "50%_{x} & \\co"}}))
        done = self.tilelab(".", "--only", "box,by_length", "--format", "svg,tikz")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("figures/box-generated-one-3x3.txt", done.stdout)
        for name in ("box-generated-one-3x3", "by_length-generated-one-3x3"):
            text = (self.folder / "figures" / f"{name}.tikz").read_text()
            notes = (self.folder / "figures" / f"{name}.txt").read_text()
            self.assertTrue(notes.split("\n\n")[1].startswith("n = 9 boards."))
            self.assertIn("n = 9 boards.", (self.folder / "figures" / f"{name}.svg").read_text())
            self.assertNotIn("n = 9", text)
            self.assertIn("50\\%\\_\\{x\\} \\& \\textbackslash{}co", text)
            self.assertEqual(text.count("{"), text.count("}"))
            self.assertTrue(all(line.startswith(("%", "\\")) for line in text.splitlines()), text)
            defined = re.findall(r"\\definecolor\{(\w+)\}", text) + re.findall(r"\\def(\\\w+)", text)
            used = re.findall(r"(?:draw|fill|text)=(\w+)", text) + re.findall(r"(?m)^(\\tilelab\w+)\(", text)
            self.assertEqual(set(used), set(defined))
        self.assertEqual(paper.latex("2·10⁻⁵ a<b"), "2$\\cdot$10$^{-5}$ a\\textless{}b")

    def test_an_axis_has_one_notation(self):
        self.assertEqual([plot.log_texts(values) for values in ([0.1, 1, 10], [500, 1000, 20000], [1, 100, 10000], [1e-5, 2e-4])],
                         [["0.1", "1", "10"], ["500", "1,000", "20,000"], ["10⁰", "10²", "10⁴"], ["10⁻⁵", "2·10⁻⁴"]])

    def test_labels_that_cannot_be_broken_or_drawn_and_settings_of_others_do_no_harm(self):
        warnings.filterwarnings("ignore", "Glyph")
        self.write(ROWS)
        labels = {"a": "A" * 60, "b": "星星 ملصق", "c": "c" * 30 + " " + "c" * 29}
        (self.folder / "manifest.json").write_text(json.dumps({"solvers": ["a", "b", "c"], "labels": labels}))
        for name, page in self.pages(None, "--only", "by_length,ranks,scatter", width=60).items():
            self.inside(page, name)
        own = self.folder / "venv" / "bin"  # an environment without matplotlib, which is the first on the path
        own.mkdir(parents=True)
        (own / "python3").symlink_to("/usr/bin/python3")
        (own.parent / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
        done = self.tilelab(".", "--only", "box", "--format", "svg", "--data", "--quiet", LC_ALL="C", MPLBACKEND="none",
                            PYTHONIOENCODING="latin-1", PATH=f"{own}:{os.environ['PATH']}")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertIn("box-generated-one-3x3.csv", os.listdir(self.folder / "figures"))
        self.assertIn("星星", (self.folder / "figures" / "box-generated-one-3x3.svg").read_text(encoding="utf-8"))

    def test_a_folder_that_cannot_be_written(self):
        self.write(ROWS)
        done = self.tilelab(".", "-o", "runs.csv/figures", "--only", "box")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("-o DIR writes elsewhere", done.stderr)
        (self.folder / "figures" / "box-generated-one-3x3.svg").mkdir(parents=True)
        done = self.tilelab(".", "--only", "box", "--format", "svg")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("-o DIR writes elsewhere", done.stderr)
        self.assertEqual(os.listdir(self.folder / "figures"), ["box-generated-one-3x3.svg"])

    def test_no_script_to_draw_with(self):
        self.write(ROWS)
        (self.folder / "data").mkdir()
        done = self.tilelab(".", TILELAB_DATA=str(self.folder / "data"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("set TILELAB_DATA to the folder that holds scripts/plot.py", done.stderr)
