"""scripts/plot.py: what it counts, what it draws, and what it says about input it cannot use."""
import csv
import importlib.util
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from support import Case

PLOT = pathlib.Path(os.environ["TILELAB_SOURCE"]) / "scripts" / "plot.py"
spec = importlib.util.spec_from_file_location("plot", PLOT)
plot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plot)

COLUMNS = ("run_id,experiment,set,instance,width,height,start,goal,optimal_length,solver,algorithm,heuristic,options,"
           "order,repetition,status,length,moves,h_start,expanded,generated,duplicates,reopened,max_open,max_stored,"
           "max_depth,iterations,peak_bytes,first_found,best_found,wall_s,cpu_s,host,finished_at").split(",")
NAMES = ["nodes_by_depth", "time_by_depth", "nodes_box", "solved_within_nodes", "solved_within_time"]
ALL = sorted(f"{name}.{kind}" for name in NAMES for kind in ("png", "svg"))
LONG = "lcbb(misplaced, duplicates=none)"

# solver, board, optimal length, status, expanded, generated, seconds
RUNS = [
    ("bfs", 3, 0, "solved", 0, 1, 0.0),
    ("bfs", 3, 2, "solved", 4, 10, 0.001),
    ("bfs", 3, 2, "solved", 6, 20, 0.003),
    ("bfs", 3, 4, "solved", 30, 60, 0.010),
    (LONG, 3, 0, "solved", 0, 1, 0.0),
    (LONG, 3, 2, "solved", 2, 5, 0.002),
    (LONG, 3, 2, "node_limit", 900, 1000, 5.0),
    (LONG, 3, 4, "crashed", "", "", ""),
    ("bfs", 4, 2, "solved", 7, 33, 0.004),
    ("bfs", 4, "", "time_limit", 70, 330, 9.0),
]


def rows_of(runs):
    for index, (solver, side, optimal, status, expanded, generated, seconds) in enumerate(runs):
        row = dict.fromkeys(COLUMNS, "")
        row.update(run_id=f"r{index}", experiment="coursework", width=side, height=side, optimal_length=optimal,
                   solver=solver, status=status, expanded=expanded, generated=generated, wall_s=seconds)
        yield row


class PlotTest(Case):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.csv = self.folder / "runs.csv"

    def write(self, rows, columns=COLUMNS):
        with open(self.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    def plot(self, *arguments, **environment):
        return subprocess.run([PLOT, *arguments], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, **environment}, check=False)

    def drawn(self, folder="figures"):
        return sorted(os.listdir(self.folder / folder)) if (self.folder / folder).is_dir() else []

    def read(self, runs):
        self.write(rows_of(runs))
        return plot.read_runs(self.csv)[0]


class Counting(PlotTest):
    def test_means_are_over_solved_runs_and_say_how_many_there_were(self):
        runs = [run for run in self.read(RUNS) if run.board == "3×3"]
        self.assertEqual(plot.by_depth(runs, "generated"), {
            "bfs": [(0, 1, 1, 1.0), (2, 2, 2, 15.0), (4, 1, 1, 60.0)],
            LONG: [(0, 1, 1, 1.0), (2, 1, 2, 5.0), (4, 0, 1, None)],
        })
        self.assertEqual(plot.by_depth(runs, "wall_s")["bfs"][1], (2, 2, 2, 0.002))

    def test_runs_of_unknown_optimal_length_are_in_no_mean(self):
        runs = [run for run in self.read(RUNS) if run.board == "4×4"]
        self.assertEqual(plot.by_depth(runs, "generated"), {"bfs": [(2, 1, 1, 33.0)]})

    def test_samples_hold_solved_values_and_the_number_of_all_runs(self):
        runs = [run for run in self.read(RUNS) if run.board == "3×3"]
        self.assertEqual(plot.samples(runs, "expanded"),
                         {"bfs": ([0, 4, 6, 30], 4), LONG: ([0, 2], 4)})

    def test_unsolved_runs_count_in_the_share_solved(self):
        self.assertEqual(plot.solved_within(plot.Sample([1, 5, 5, 9], 8)), [(1, 12.5), (5, 37.5), (9, 50.0)])
        self.assertEqual(plot.solved_within(plot.Sample([], 3)), [])

    def test_the_box_spans_the_quartiles(self):
        self.assertEqual(plot.five_numbers([1, 2, 3, 4, 9]), [1, 2, 3, 4, 9])
        self.assertEqual(plot.five_numbers([2, 4]), [2, 2.5, 3, 3.5, 4])
        self.assertEqual(plot.five_numbers([7]), [7, 7, 7, 7, 7])

    def test_zeros_are_drawn_at_half_the_smallest_positive_value(self):
        self.assertEqual(plot.floor_of([0, 4, 6]), 2)
        self.assertEqual(plot.floor_of([0, 0]), 0.5)

    def test_board_sizes_are_kept_apart_smallest_first(self):
        runs = self.read([("bfs", side, 2, "solved", 1, 1, 1) for side in (10, 3, 4)])
        self.assertEqual(plot.boards_of(runs), ["3×3", "4×4", "10×10"])

    def test_a_run_taken_up_again_counts_once(self):
        rows = list(rows_of([("bfs", 3, 2, "interrupted", 1, 2, 1), ("bfs", 3, 2, "solved", 4, 10, 1)]))
        rows[1]["run_id"] = rows[0]["run_id"]
        self.write(rows)
        runs = plot.read_runs(self.csv)[0]
        self.assertEqual([(run.solved, run.generated) for run in runs], [(True, 10)])
        self.write(reversed(rows))
        runs, _, _, complaints = plot.read_runs(self.csv)
        self.assertEqual([(run.solved, run.generated) for run in runs], [(True, 10)])
        self.assertEqual(complaints, [])

    def test_an_interrupted_run_says_nothing_about_its_solver(self):
        self.write(rows_of([("bfs", 3, 2, "interrupted", 1, 2, 1), ("bfs", 3, 2, "solved", 4, 10, 1)]))
        runs, _, _, complaints = plot.read_runs(self.csv)
        self.assertEqual(len(runs), 1)
        self.assertIn("1 interrupted run(s) skipped", complaints[0])

    def test_each_solver_has_a_look_of_its_own(self):
        runs = [plot.Run(f"s{index}", True, "3×3", 1, 1, 1, 1) for index in range(60)]
        looks = {(style["color"], style["marker"]) for style in plot.styles(runs).values()}
        self.assertEqual(len(looks), 60)


class Drawing(PlotTest):
    def notes(self, draw, runs, *arguments):
        kept = plot.prepare_matplotlib()
        figure, _ = draw(self.read(runs), "coursework", *arguments)
        if kept:
            kept.cleanup()
        return "\n".join(text.get_text() for text in figure.texts), figure

    def test_every_figure_is_written_and_named(self):
        self.write(rows_of(RUNS))
        done = self.plot(".")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.drawn(), ALL)
        self.assertEqual(sorted(done.stdout.split()), [f"./figures/{name}" for name in ALL])
        done = self.plot("--json", ".")
        self.assertEqual(sorted(json.loads(done.stdout)["files"]), [f"./figures/{name}" for name in ALL])
        self.assertEqual((self.plot("--quiet", ".").stdout, done.stderr), ("", ""))
        for name in ALL:
            start = (self.folder / "figures" / name).read_bytes()[:8]
            self.assertTrue(start.startswith(b"<?xml" if name.endswith("svg") else b"\x89PNG"), name)

    def test_unsolved_runs_are_marked_and_explained(self):
        notes, figure = self.notes(plot.draw_by_depth, RUNS, "generated", "generated nodes", "generated nodes")
        self.assertIn("Hollow: some runs of that length are unsolved", notes)
        self.assertIn("No marker: no run of that length is solved", notes)
        self.assertIn("Not shown: 1 of 10 runs", notes)
        hollow = [list(line.get_xdata()) for line in figure.axes[0].lines if line.get_markerfacecolor() == "white"]
        self.assertEqual([lengths for lengths in hollow if lengths], [[2]])

    def test_nothing_is_marked_where_all_is_solved(self):
        solved = [run for run in RUNS if run[0] == "bfs" and run[1] == 3]
        notes, figure = self.notes(plot.draw_by_depth, solved, "generated", "generated nodes", "generated nodes")
        self.assertEqual(notes, "coursework: generated nodes by solution length")
        self.assertEqual([line for line in figure.axes[0].lines
                          if line.get_markerfacecolor() == "white" and len(line.get_xdata())], [])

    def test_the_box_plot_says_how_many_runs_are_solved(self):
        _, figure = self.notes(plot.draw_box, RUNS, "expanded", "expanded nodes")
        texts = [text.get_text() for text in figure.axes[0].texts]
        self.assertEqual(texts, ["4 / 4", "2 / 4", "solved / runs"])

    def test_the_same_runs_give_the_same_bytes(self):
        self.write(rows_of(RUNS))
        self.plot(".", "-o", "one")
        self.plot(str(self.csv), "-o", "two", MPLCONFIGDIR=str(self.folder), HOME=str(self.folder))
        for name in ALL:
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "two" / name).read_bytes(), name)

    def test_a_home_that_cannot_be_written_is_no_matter(self):
        self.write(rows_of(RUNS[:2]))
        done = self.plot(".", HOME="/dev/null", XDG_CONFIG_HOME="", XDG_CACHE_HOME="")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_name_that_looks_like_a_formula(self):
        rows = list(rows_of(RUNS))
        for row in rows:
            row["experiment"] = "cost in $ and_so $^on"
        self.write(rows)
        self.assertEqual(self.plot(".").returncode, 0)

    def test_runs_that_all_took_no_time_and_no_nodes(self):
        self.write(rows_of([("bfs", 3, 0, "solved", 0, 0, 0)]))
        done = self.plot(".")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class BadInput(PlotTest):
    def refused(self, *parts):
        done = self.plot(".")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(self.drawn(), [])

    def test_no_file(self):
        self.refused("runs.csv: No such file", "expected a results folder")

    def test_an_empty_file(self):
        self.csv.write_text("")
        self.refused("runs.csv: the file is empty")

    def test_a_header_alone(self):
        self.write([])
        self.refused("no runs to draw", "tilelab run")

    def test_not_text(self):
        self.csv.write_bytes(b"\x89PNG\xff\xfe\n")
        self.refused("not a CSV file in UTF-8")

    def test_no_column_to_tell_solvers_by(self):
        self.write(rows_of(RUNS), [column for column in COLUMNS if column != "solver"])
        self.refused("runs.csv:1:", "no column 'solver'")

    def test_no_column_to_draw(self):
        self.write(rows_of(RUNS), ["solver", "status"])
        self.refused("none of the columns")

    def test_columns_missing_cost_only_the_figures_that_need_them(self):
        (self.folder / "figures").mkdir()
        (self.folder / "figures" / "time_by_depth.svg").write_text("from an earlier call")
        self.write(rows_of(RUNS), ["solver", "status", "generated", "expanded"])
        done = self.plot(".")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.drawn(), [name for name in ALL if name.startswith(("nodes_box", "solved_within_nodes"))])
        self.assertIn("nodes_by_depth is not drawn: there is no column 'optimal_length'", done.stderr)
        self.assertIn("solved_within_time is not drawn: there is no column 'wall_s'", done.stderr)

    def test_no_optimal_length(self):
        self.write(rows_of([(run[0], run[1], "", *run[3:]) for run in RUNS]))
        done = self.plot(".")
        self.assertEqual(done.returncode, 0)
        self.assertIn("time_by_depth is not drawn: no run has an optimal_length", done.stderr)
        self.assertEqual(len(self.drawn()), 6)

    def test_nothing_solved(self):
        self.write(rows_of([run for run in RUNS if run[3] != "solved"]))
        done = self.plot(".")
        self.assertEqual(done.returncode, 0)
        self.assertIn("nodes_box is not drawn: no run is solved", done.stderr)
        self.assertEqual(self.drawn(), [])

    def test_bad_rows_are_named_and_left_out(self):
        self.write(rows_of(RUNS))
        with open(self.csv, "a", encoding="utf-8") as file:
            file.write("r98,coursework\n")
        text = self.csv.read_text().replace(",330,", ",many,")
        self.csv.write_text(text)
        done = self.plot(".")
        self.assertEqual(done.returncode, 0)
        self.assertIn("runs.csv:12: 2 fields where the header has 34", done.stderr)
        self.assertIn("runs.csv:11: generated is 'many'", done.stderr)
        self.assertEqual(len(plot.read_runs(self.csv)[0]), len(RUNS) - 1)

    def test_a_folder_that_cannot_be_written(self):
        self.write(rows_of(RUNS))
        done = self.plot(".", "-o", "runs.csv/figures")
        self.assertEqual(done.returncode, 1)
        self.assertIn("-o DIR writes elsewhere", done.stderr)


class Command(PlotTest):
    def test_tilelab_plot_draws_what_the_script_draws(self):
        tilelab = os.environ["TILELAB"]
        self.write(rows_of(RUNS))
        self.assertEqual(self.plot(".", "-o", "a").returncode, 0)
        for words in ([".", "-o", "b"], ["--output", "c", "runs.csv"], ["."]):
            done = subprocess.run([tilelab, "plot", *words], text=True, capture_output=True, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([tilelab, "plot", "--json", "--quiet", "-o", "d", "."], text=True, capture_output=True, cwd=self.folder)
        self.assertEqual((json.loads(done.stdout)["folder"], done.stderr), ("d", ""))
        for name in self.drawn("a"):
            for folder in ("b", "c", "figures"):
                self.assertEqual((self.folder / "a" / name).read_bytes(), (self.folder / folder / name).read_bytes())
        for words, message in ((["none"], "none"), ([], "no results; expected")):
            done = subprocess.run([tilelab, "plot", *words], text=True, capture_output=True, cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
