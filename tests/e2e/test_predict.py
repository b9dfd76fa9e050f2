"""tilelab predict: what a person sees of what theory expects."""
import collections
import csv
import io
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

from support import SOURCE, TILELAB, Case


class Predict(Case):
    def predict(self, *arguments, code=0, **environment):
        done = subprocess.run([TILELAB, "predict", *arguments], capture_output=True, text=True, check=False, timeout=300,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return done

    def json(self, *arguments):
        return json.loads(self.predict("--json", "--quiet", *arguments).stdout)

    def test_expected_is_measured_and_unsplit_is_not(self):
        rows = self.json("nodes", "--size", "2x3", "--measure")["nodes"]
        self.assertEqual([row["threshold"] for row in rows], list(range(22)))
        self.assertEqual([row["expected"] for row in rows], [row["measured"] for row in rows])
        self.assertNotEqual([row["unsplit"] for row in rows], [row["measured"] for row in rows])
        self.assertAlmostEqual(rows[0]["expected"], 1 / 360, places=13)  # the goal alone has h = 0

    def test_small_means_keep_their_digits(self):
        row = ("nodes", "--thresholds", "0")
        self.assertIn("\n0,5.5114638448e-06,", self.predict(*row, "--format", "csv").stdout)
        self.assertIn(" 5.51e-06", self.predict(*row).stdout)

    def test_rounds_of_idastar_are_what_is_predicted_for_a_board(self):
        """The counts that solve prints: rounds before the last are whole."""
        board = "8 6 7 2 5 4 3 0 1"
        done = subprocess.run([TILELAB, "solve", "-s", "idastar(manhattan)", "--json", board], capture_output=True, text=True,
                              check=True)
        found = json.loads(done.stdout)
        self.assertEqual(found["length"], 31)
        rows = {row["threshold"]: row for row in self.json("nodes", "--thresholds", "21-31", board)["nodes"]}
        before = sum(rows[threshold]["measured"] for threshold in range(found["h_start"], 31, 2))
        self.assertGreater(found["expanded"], before)
        self.assertLessEqual(found["expanded"], before + rows[31]["measured"])
        for row in rows.values():
            self.assertLess(abs(row["chen"] - row["measured"]), 3 * row["chen_error"] + 1)

    def test_a_sample_of_boards_that_are_too_many_to_count(self):
        all_of_them = self.json("eta", "--size", "4x4", "-H", "manhattan")["eta"][0]
        self.assertEqual(all_of_them["eta_error"], 0)
        largest = self.json("eta", "--size", "5x5")["eta"][0]["eta"]
        published, error = 9.926e-20, 9.0e-21  # Clausecker and Schintke 2021
        self.assertLess(abs(largest - published), error)
        manual = (SOURCE / "harness" / "prediction" / "README.md").read_text()
        for number in f"{largest:.12g}", "9.926e-20 +- 9.0e-21", f"{largest - published:.1e}":
            self.assertIn(number, manual)
        better = self.json("eta", "--size", "4x4", "-H", "linear_conflict", "-n", "5000")["eta"][0]
        self.assertLess(better["eta"], all_of_them["eta"] / 3)
        self.assertGreater(better["eta"], all_of_them["eta"] / 8)
        self.assertLess(better["eta_error"], 0.2 * better["eta"])
        again = self.json("eta", "--size", "4x4", "-H", "linear_conflict", "-n", "5000")["eta"][0]
        other = self.json("eta", "--size", "4x4", "-H", "linear_conflict", "-n", "5000", "--seed", "2")["eta"][0]
        self.assertEqual(again, better)
        self.assertNotEqual(other["eta"], better["eta"])
        self.assertLess(abs(other["eta"] - better["eta"]), 2 * (other["eta_error"] + better["eta_error"]))

    def test_covers(self):
        rows = self.json("cover", "--size", "2x3")["cover"]
        self.assertEqual(sum(row["boards"] for row in rows[:-1]), 360)
        self.assertIsNone(rows[-1]["optimal_length"])
        for row in rows:
            self.assertLessEqual(row["cover_e1"], row["cover"])
            self.assertLessEqual(row["cover"], min(row["forward"], row["backward"]))
        self.assertAlmostEqual(sum(row["cover_e1_total"] for row in rows[:-1]), rows[-1]["cover_e1_total"])

    def test_distribution(self):
        printed = self.predict("distribution", "--by-distance", "--size", "2x3", "--format", "csv").stdout
        rows, means = (list(csv.DictReader(io.StringIO(table))) for table in printed.split("\n\n"))
        boards = collections.Counter()
        for row in rows:
            boards[row["distance"] != ""] += int(row["boards"])
            self.assertLessEqual(row["distance"] and int(row["h"]) or 0, int(row["distance"] or 99))
        self.assertEqual(boards, {True: 360, False: 360})
        self.assertEqual(rows[0], {"distance": "0", "h": "0", "boards": "1", "share": "1", "share_up_to": "1"})
        for mean in means:
            of_it = [(int(row["h"]), int(row["boards"])) for row in rows if row["distance"] == mean["distance"]]
            self.assertEqual(int(mean["boards"]), sum(count for _, count in of_it))
            self.assertAlmostEqual(float(mean["mean_h"]), sum(h * count for h, count in of_it) / int(mean["boards"]), places=9)
        self.assertEqual([mean["distance"] for mean in means], [*map(str, range(22)), ""])
        # 1, 2, 2, 2, 2, 2 and 1 of the 12 boards of 2x2 have the values 0 to 6; the mean on 3x3 is that of verify heuristics
        self.assertEqual(self.json("distribution", "--size", "2x2")["mean"], [{"boards": 12, "mean_h": 3}])
        self.assertEqual(self.json("distribution", "--size", "3x3")["mean"], [{"boards": 181440, "mean_h": 14}])

    def test_what_no_board_of_a_sample_shows_is_not_0(self):
        """The goal alone makes the mean more than 0 at every threshold."""
        rows = self.json("nodes", "--size", "5x5", "-n", "1000", "--thresholds", "5-20")["nodes"]
        for name in "expected", "expected_error", "unsplit":
            self.assertEqual((rows[0][name], rows[-1][name] is None), (None, False), name)
        self.assertNotIn(0, [row["expected"] for row in rows])
        self.assertIsNone(self.json("nodes", "--size", "4x4", "-n", "2", *map(str, range(1, 14)), "0", "14", "15")["nodes"][0]["whole"])

    def test_distribution_of_a_sample(self):
        sampled = self.json("distribution", "--size", "4x4", "-n", "500")
        values = [row["h"] for row in sampled["distribution"] for _ in range(row["boards"])]
        self.assertEqual(len(values), 500)
        self.assertEqual(sampled["distribution"][-1]["share_up_to"], 1)
        mean, = sampled["mean"]
        self.assertEqual(mean["boards"], 500)
        self.assertAlmostEqual(mean["mean_h"], statistics.mean(values), places=9)
        self.assertAlmostEqual(mean["mean_h_error"], 1.96 * statistics.stdev(values) / 500 ** 0.5, places=4)
        self.assertEqual(self.json("distribution", "--size", "4x4", "-n", "9", "-H", "zero")["mean"],
                         [{"boards": 9, "mean_h": 0, "mean_h_error": 0}])

    def drawn(self, *arguments):
        """What a mouse reads in the figure, line by line, and its caption."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "new", "a.figure.svg")
            plain = self.predict(*arguments).stdout
            self.assertEqual(self.predict(*arguments, "--figure", str(file)).stdout, plain)
            self.assertEqual(os.listdir(file.parent), ["a.figure.svg"])
            text = file.read_text(encoding="utf-8")
        told = [line for words in re.findall("<title>([^<]*)</title><rect", text) for line in words.split("\n")]
        return told, re.search("<desc>([^<]*)</desc>", text)[1]

    def test_a_figure_has_the_numbers_of_the_table(self):
        board = ("nodes", "--thresholds", "21-24", "8 6 7 2 5 4 3 0 1")
        rows = self.json(*board)["nodes"]
        told, caption = self.drawn(*board, "--quiet")
        for name, shown in (("measured", "measured"), ("chen", "chen"), ("knuth", "knuth"), ("conditional", "conditional"),
                            ("whole", "all boards")):
            for row in rows:
                error = f" +- {row[name + '_error']:.6g}" if name + "_error" in row else ""
                value = f"{row[name]:,.2f}".rstrip("0").rstrip(".") if row[name] >= 1000 else f"{row[name]:.6g}"
                self.assertIn(f"{shown}: threshold {row['threshold']}, {value}{error}", told)
        self.assertEqual(len(told), 5 * len(rows))
        self.assertIn("Bands: intervals of 95 %. 100 probes each (seed 1).", caption)

    def test_a_figure_of_covers_has_the_means_of_each_distance(self):
        rows = self.json("cover", "--size", "2x3")["cover"]
        told, caption = self.drawn("cover", "--size", "2x3")
        for name, shown in (("forward", "forward"), ("backward", "backward"), ("cover", "cover"), ("cover_e1", "cover, e = 1")):
            for row in rows[:-1]:
                self.assertIn(f"{shown}: distance {row['optimal_length']}, {row[name]:.6g}", told)
        self.assertEqual(len(told), 4 * 22)
        self.assertIn("Zeros are drawn", caption)

    def test_a_figure_of_a_distribution_has_a_line_for_each_distance(self):
        distribution = ("distribution", "--size", "2x3", "--by-distance")
        rows = self.json(*distribution)["distribution"]
        told, caption = self.drawn(*distribution)
        for row in rows:
            line = "all boards" if row["distance"] is None else f"distance {row['distance']}"
            self.assertIn(f"{line}: h {row['h']}, {100 * row['share_up_to']:.4g} %", told)
        self.assertEqual(caption, "P(h): share of the boards with this value or a smaller one. A panel for each distance.")

    def test_a_figure_that_cannot_be_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "matplotlib.py").write_text("raise ImportError('there is none')", encoding="utf-8")
            done = self.predict("distribution", "--size", "2x2", "--figure", f"{folder}/a.pdf", code=1, PYTHONPATH=folder)
            self.assertIn("matplotlib is missing, which draws png and pdf and reads --style; please install it (Debian: apt-get install python3-matplotlib)", done.stderr)
            self.assertIn("P(h)", done.stdout)
            done = self.predict("distribution", "--size", "2x2", "--figure", f"{folder}/matplotlib.py/a.pdf", code=1)
            self.assertIn("--figure FILE writes elsewhere", done.stderr)

    def test_formats(self):
        for name in ("text", "markdown", "latex", "csv", "html"):
            self.assertIn("0.0049", self.predict("nodes", "--thresholds", "5", "--format", name).stdout)

    def test_wrong_usage(self):
        for arguments, said in [
                ([], "predict what? Expected nodes, cover, eta or distribution"),
                (["node"], "did you mean 'nodes'?"),
                (["eta", "--probes", "3"], "--probes is for nodes"),
                (["eta", "1 2 3 4 5 6 7 8 0"], "eta is of all boards"),
                (["cover", "--size", "4x4"], "expected a size of up to 10 cells"),
                (["cover", "-H", "pdb:4-4"], "does not claim to be consistent"),
                (["cover", "-n", "10"], "--boards is for nodes, eta and distribution"),
                (["nodes", "--thresholds", "5-3"], "expected a whole number from 5 to"),
                (["nodes", "--measure", "--size", "4x4"], "expected a size of up to 10 cells, or a board"),
                (["nodes", "2 1 3 4 5 6 7 8 0"], "the board cannot reach the goal"),
                (["nodes", "1 2 3"], "board:1:1: 3 cells in one line"),
                (["nodes", "-H", "manhatan"], "did you mean 'manhattan'?"),
                (["distribution", "--by-distance", "--size", "4x4"], "--by-distance needs all distances"),
                (["eta", "--figure", "eta.svg"], "--figure is for nodes, cover and distribution"),
                (["cover", "--figure", "a.svg", "8 6 7 2 5 4 3 0 1"], "--figure: one board has no lines to draw; expected no board"),
                (["nodes", "--figure", "nodes.jpg"], "--figure nodes.jpg: expected a file that ends with .svg, .png, .pdf or .tikz"),
                (["nodes", "--figure", ".svg"], "expected a file that ends with"),
                (["eta", "--json", "--format", "csv"], "exclude each other")]:
            done = self.predict(*arguments, code=2)
            self.assertEqual(done.stdout, "")
            self.assertIn(said, done.stderr.replace("\n", " "), arguments)
