"""Published cells under `expect`: what agrees, what differs, what was not measured; and the quick variant of an experiment."""

import csv
import json
import math
import os
import re
import shutil
import statistics
import unittest

from support import SOURCE, read_table
from test_run import Harness

LONG = os.environ.get("TILELAB_LONG") == "1"

EXPERIMENT = """experiment: e
instances:
  - {name: d, size: 3x2, method: depth, depths: [4, 20], count: 3}
solvers: [bfs, astar(manhattan)]
limits: {time: 30s, memory: 64MiB}
output: out
expect: {file: ref.csv, by: BY}
quick: {instances.1.count: 1}
"""


class Expect(Harness):
    def run_against(self, reference, by="instance", code=0, words=(), text=EXPERIMENT):
        """Runs the experiment against cells; the rows of expect.csv, and what was printed."""
        self.write(text.replace("BY", by))
        self.write("# from nowhere\n" + reference, "ref.csv")
        done = self.tilelab("run", "experiment.yaml", *words, code=code)
        return self.rows(), done

    def rows(self, folder="out"):
        path = self.folder / folder / "expect.csv"
        if not path.exists():
            return []
        return read_table(path)

    def measured(self, folder="out"):
        return {(row["instance"], row["solver"]): row for row in read_table(self.folder / folder / "runs.csv")}

    def compare(self, *words, code=0):
        done = self.tilelab("compare", *words, code=code)
        return done.stdout

    def test_verdicts_of_instances(self):
        self.run_against("instance,solver,column,published\nd04-1,bfs,length,4\n")
        runs = self.measured()
        expanded = int(runs["d20-1", "bfs"]["expanded"])
        generated = int(runs["d20-2", "astar(manhattan)"]["generated"])
        reference = ("set,instance,solver,column,published,corrected,tolerance,note\n"
                     "d,d04-1,bfs,length,4,,,\n"
                     f",d20-1,bfs,expanded,{expanded + 2},,2,close\n"
                     f",d20-1,bfs,expanded,{expanded + 3},,2,\n"
                     f",d20-2,astar(manhattan),generated,{generated * 1.01},,1%,\n"
                     f",d20-2,astar(manhattan),generated,{generated * 1.02},,1%,\n"
                     f",d20-2,astar(manhattan),generated,99,{generated},,a typing error\n"
                     f",d20-3,astar(manhattan),generated,99,98,,another\n"
                     ",d20-4,bfs,length,20,,,\n"
                     ",d20-1,ucs,length,20,,,\n"
                     "x,d20-1,bfs,length,20,,,\n")
        rows, done = self.run_against(reference, code=3)
        self.assertEqual([row["verdict"] for row in rows],
                         ["equal", "within", "differs", "within", "differs", "slip", "differs"] + ["not measured"] * 3)
        self.assertEqual((rows[1]["published"], rows[1]["measured"], rows[1]["difference"]), (str(expanded + 2), str(expanded), "-2"))
        self.assertEqual((rows[5]["published"], rows[5]["corrected"], rows[5]["measured"], rows[5]["note"]),
                         ("99", str(generated), str(generated), "a typing error"))
        self.assertEqual([row["note"] for row in rows[7:]], ["no such board was run", "no such solver was run", "no such board was run"])
        self.assertIn("Published, ref: 3 of 6 measured cells agree, 1 slip of print, 3 differ, 3 not measured", " ".join(done.stdout.split()))
        self.assertEqual(done.stdout.count(" differs"), 3)
        self.assertIn("tilelab: what was published is not what was measured: see out/expect.csv", done.stderr)

    def test_sources_that_do_not_count_the_root(self):
        self.run_against("instance,solver,column,published\nd04-1,bfs,length,4\n")
        generated = int(self.measured()["d20-1", "bfs"]["generated"])
        rows, _ = self.run_against("instance,solver,column,published\n"
                                   f"d20-1,bfs,generated_without_root,{generated - 1}\nd20-1,bfs,generated_without_root,{generated}\n", code=3)
        self.assertEqual([(row["measured"], row["difference"], row["verdict"]) for row in rows],
                         [(str(generated - 1), "0", "equal"), (str(generated - 1), "-1", "differs")])

    def test_why_cells_were_not_measured(self):
        """In one line, with each solver that was not run: the reference's note on it, or what may have been meant."""
        text = EXPERIMENT.replace("limits: {", "limits: {nodes: 30, ").replace("astar(manhattan)]", "{algorithm: astar, heuristic: manhattan, label: mine}]")
        reference = ("instance,solver,column,published,note\n"
                     "d04-1,bfs,length,4,\n"
                     "d04-1,bsf,length,4,\n"
                     "d04-9,bfs,length,4,\n"
                     "d04-8,mine,length,4,\n"
                     "d20-1,bfs,length,20,\n"
                     "d04-1,mien,length,4,\n"
                     "d04-1,bsf,expanded,4,\n"
                     "d04-1,astar(misplaced),length,4,\n"
                     "d04-1,min,length,4,to come\n"
                     "d04-1,Korf's,length,4,\n")
        _, done = self.run_against(reference, text=text)
        said = " ".join(done.stdout.split())
        self.assertIn("Published, ref: the one measured cell agrees, 9 not measured Not measured: 2 of runs that were not made; "
                      "1 of runs that give no such value (expect.csv says why); "
                      "6 of solvers without runs: bsf (did you mean bfs?), mien (did you mean mine?), ", said)
        self.assertIn(" astar(misplaced), min (to come), Korf's.", said)
        for kind in ("--full", "--format=markdown"):
            self.assertIn("(did you mean bfs?)", " ".join(self.compare("out", kind).split()))
        # What is likely a typing error is said before the first run, too, once and with its place.
        for words in (["check"], ["run", "--json"]):
            done = self.tilelab(*words, "experiment.yaml", code=None)
            said = [line for line in done.stderr.splitlines() if "neither" in line]
            self.assertEqual(said, [f"tilelab: ref.csv:{place}: '{name}' is neither a solver nor a label of this experiment, "
                                    f"so its cells are not measured; did you mean '{meant}'?"
                                    for place, name, meant in (("4:7", "bsf", "bfs"), ("8:7", "mien", "mine"))], done.stderr)

    def test_cells_are_of_one_folder(self):
        """Over several folders, and pooled, no cell is held against anything, and compare says so."""
        self.run_against("instance,solver,column,published\nd04-1,bfs,length,5\n", code=3)
        shutil.copytree(self.folder / "out", self.folder / "other")
        (self.folder / "other" / "manifest.json").unlink()
        for words in (["out", "--pool"], ["other", "out"], ["out", "--pool", "--full"], ["out", "--solvers", "bfs", "--full"]):
            said = " ".join(self.compare(*words).split())
            self.assertIn("are held against one whole results folder, set by set" if "--full" in words else "ublished cells", said)
        self.assertNotIn("ublished", self.compare("other", "other/runs.csv"))

    def test_one_line_when_all_is_well(self):
        rows, done = self.run_against("instance,solver,column,published,corrected,note\nd04-1,bfs,length,4,,\nd20-1,bfs,length,19,20,why\n")
        self.assertEqual([row["verdict"] for row in rows], ["equal", "slip"])
        self.assertIn("\nPublished, ref: 1 of 1 cells equal, 1 slip of print\n", done.stdout)
        self.assertNotIn("why", done.stdout)
        full = self.compare("out", "--full")
        self.assertIn("Published, ref: 1 of 1 cells equal, 1 slip of print", full)
        self.assertRegex(full, r"d20-1 .* 19 +20 .* slip +why")

    def test_a_limit_is_no_match(self):
        """Also where the cells that hit it are said to be what they had spent."""
        text = EXPERIMENT.replace("limits: {", "limits: {nodes: 30, ")
        reference = "instance,solver,column,published\nd04-1,bfs,length,4\nd20-1,bfs,generated,30\n"
        rows, done = self.run_against(reference, text=text)
        self.assertEqual([(row["verdict"], row["note"]) for row in rows], [("equal", ""), ("not measured", "node_limit")])
        self.assertEqual(rows[1]["measured"], "")
        self.assertIn("the one measured cell agrees, 1 not measured", done.stdout)
        rows, done = self.run_against("optimal_length,solver,column,published,tolerance\n20,bfs,mean_generated,30,999\n", "depth", 3,
                                      text=text)
        self.assertEqual([(row["verdict"], row["note"]) for row in rows], [("not measured", "0 of 3 boards solved")])
        self.assertIn("0 of 1 cells equal, 1 not measured: nothing agrees where nothing was measured", done.stdout.replace("\n", " "))

    def test_means_and_their_intervals(self):
        """The interval is Student's over two samples of one deviation, shared out over the cells that have one."""
        text = EXPERIMENT.replace("count: 3", "count: 20").replace("3x2", "3x3").replace("[4, 20]", "[12, 20]")
        self.run_against("optimal_length,solver,column,published\n12,bfs,instances,20\n", "depth", text=text)
        values = [int(row["generated"]) for (name, solver), row in self.measured().items() if solver == "bfs" and name.startswith("d20")]
        mean, sd = statistics.mean(values), statistics.stdev(values)
        error = sd * math.sqrt(1 / 20 + 1 / 100)
        # Quantiles of Student's t with 19 degrees of freedom at 1 - 0.01 / 2 / 2 and at 1 - 0.05 / 2 / 2.
        for level, quantile in (("99%", 3.1737), ("95%", 2.4334)):
            low, high = mean - quantile * error, mean + quantile * error
            reference = ("optimal_length,solver,column,published,boards,tolerance\n"
                         f"20,bfs,mean_generated,{low - 1:.3f},100,\n"
                         f"20,bfs,mean_generated,{low - 1:.3f},100,2\n")
            rows, _ = self.run_against(reference, "depth", 3, text=text.replace("by: BY", f"by: BY, level: {level}"))
            self.assertEqual([row["verdict"] for row in rows], ["differs", "within"])
            self.assertEqual([row["boards"] for row in rows], ["20", "20"])
            self.assertAlmostEqual(float(rows[0]["low"]), low, delta=error / 1000)
            self.assertAlmostEqual(float(rows[0]["high"]), high, delta=error / 1000)
            self.assertAlmostEqual(float(rows[1]["high"]), high + 2, delta=error / 1000)

    def test_the_move_back_to_the_parent(self):
        """As Russell and Norvig count; b* is the root of their equation. Solvers may be spelled in any way."""
        self.run_against("optimal_length,solver,column,published\n20,bfs,instances,3\n", "depth")
        runs = [row for (name, solver), row in self.measured().items() if solver == "astar(manhattan)" and name.startswith("d20")]
        values = [int(row["generated"]) + int(row["expanded"]) - 2 for row in runs]
        with open(self.folder / "out" / "by_depth.csv", newline="") as file:
            row, = (row for row in csv.DictReader(file) if row["solver"] == "astar(manhattan)" and row["optimal_length"] == "20")
        self.assertAlmostEqual(float(row["mean_generated_with_parent"]), statistics.mean(values))
        self.assertAlmostEqual(float(row["sd_generated_with_parent"]), statistics.stdev(values))
        root = float(row["branching_factor_with_parent"])
        self.assertAlmostEqual(sum(root ** i for i in range(1, 21)), statistics.mean(values), places=5)
        rows, _ = self.run_against("optimal_length,solver,column,published\n"
                                   f"20,\"astar( manhattan , ties=high_g)\",mean_generated_with_parent,{statistics.mean(values):.12g}\n", "depth")
        self.assertEqual([(row["solver"], row["verdict"]) for row in rows], [("astar(manhattan)", "equal")])

    def test_the_interval_of_a_branching_factor(self):
        """It is that of its mean of nodes, in the book's count."""
        reference = ("optimal_length,solver,column,published,boards\n"
                     "20,bfs,mean_generated_with_parent,1,100\n20,bfs,branching_factor_with_parent,1,100\n"
                     "20,bfs,mean_generated,1,100\n20,bfs,effective_branching_factor,1,100\n")
        rows, _ = self.run_against(reference, "depth", 3)
        for nodes, factor, root in ((rows[0], rows[1], 1), (rows[2], rows[3], 0)):
            for end in ("low", "high"):
                mean = max(float(nodes[end]), 0)
                self.assertAlmostEqual(sum(float(factor[end]) ** i for i in range(21)), max(mean + root, 0), delta=1e-6 * (mean + 1))

    def test_a_population_has_no_error_of_its_own(self):
        text = EXPERIMENT.replace("method: depth, depths: [4, 20], count: 3", "method: all").replace("quick: {instances.1.count: 1}\n", "")
        self.run_against("solver,column,published\nbfs,instances,360\n", "solver", text=text)
        values = [int(row["generated"]) for (name, solver), row in self.measured().items() if solver == "bfs"]
        rows, _ = self.run_against("solver,column,published,boards,sd\n"
                                   f"bfs,generated_mean,{statistics.mean(values):.12g},,\nbfs,generated_mean,1,100,\nbfs,generated_mean,1,100,50\n",
                                   "solver", 3, text=text)
        self.assertEqual([row["verdict"] for row in rows], ["equal", "differs", "differs"])
        for row, sd in zip(rows[1:], (statistics.stdev(values), 50)):  # normal, at 1 - 0.01 / 2 / 2
            self.assertAlmostEqual(float(row["high"]), statistics.mean(values) + 2.80703 * sd / 10, delta=sd / 1000)

    def test_a_whole_class_is_held_against_as_many_boards(self):
        """There are 11 boards of 3x2 at length 6. A mean over fewer of them says nothing; one over all of them is equal or differs."""
        text = EXPERIMENT.replace("method: depth, depths: [4, 20], count: 3", "method: all, depths: [1, 6]").replace(
            "quick: {instances.1.count: 1}\n", "quick: {instances.1: {name: d, size: 3x2, method: depth, depths: [6], count: 5}}\n")
        self.run_against("optimal_length,solver,column,published\n6,bfs,instances,10\n", "depth", text=text)
        values = [int(row["generated"]) for (name, solver), row in self.measured().items() if solver == "bfs" and name.startswith("d06")]
        mean = f"{statistics.mean(values):.12g}"
        more = f"{(sum(values) + 1) / 10:.12g}"  # a node more on one of them
        reference = ("optimal_length,solver,column,published,whole\n"
                     f"6,bfs,mean_generated,{mean},10\n6,bfs,mean_generated,{more},10\n6,bfs,mean_generated,{mean},11\n6,bfs,solved,10,10\n")
        rows, _ = self.run_against(reference, "depth", 3, text=text)
        self.assertEqual([(row["verdict"], row["note"]) for row in rows],
                         [("equal", ""), ("differs", ""), ("not measured", "10 of the 11 boards there are"), ("equal", "")])
        rows, _ = self.run_against(reference, "depth", 3, text=text, words=["--quick"])
        self.assertEqual({row["note"] for row in self.rows("out-quick")}, {"5 of the 10 boards there are", "5 of the 11 boards there are"})

    def test_of_a_part_one_reference_may_be_beyond_reach(self):
        """Where boards are left out, a mean over all of them cannot be measured: that is no failure if another reference was."""
        text = EXPERIMENT.replace("expect: {file: ref.csv, by: BY}", "expect: [{file: whole.csv, by: solver}, {file: ref.csv, by: instance}]")
        self.write("# from nowhere\nset,solver,column,published,whole\nd,bfs,expanded_mean,1,7\n", "whole.csv")
        for instance, code in (("d04-1", 0), ("d04-9", 3)):
            rows, _ = self.run_against(f"instance,solver,column,published\n{instance},bfs,length,4\n", code=code, text=text)
            self.assertEqual(rows[0]["note"], "6 of the 7 boards there are")
        self.write("# from nowhere\nset,solver,column,published,whole\nd,bsf,expanded_mean,1,7\n", "whole.csv")
        self.run_against("instance,solver,column,published\nd04-1,bfs,length,4\n", code=3, text=text)

    def test_how_many_are_solved_can_be_held_where_not_all_are(self):
        text = EXPERIMENT.replace("bfs, astar(manhattan)", "descent(misplaced), bfs")
        self.run_against("optimal_length,solver,column,published\n20,bfs,solved,3\n", "depth", text=text)
        solved = sum(row["status"] == "solved" for (name, solver), row in self.measured().items()
                     if solver.startswith("descent") and name.startswith("d20"))
        self.assertLess(solved, 3)
        rows, _ = self.run_against(f"optimal_length,solver,column,published\n20,descent(misplaced),solved,{solved}\n"
                                   f"20,descent(misplaced),solved,{solved + 1}\n20,descent(misplaced),mean_generated,1\n",
                                   "depth", 3, text=text)
        self.assertEqual([row["verdict"] for row in rows], ["equal", "differs", "not measured"])

    def test_how_runs_ended_can_be_held_where_not_all_are_solved(self):
        text = EXPERIMENT.replace("[4, 20]", "[4, 8, 20]").replace("time: 30s, memory: 64MiB", "nodes: 100")
        head = "solver,column,published\n"
        self.run_against(head + "bfs,runs,9\n", "solver", text=text)
        row, = (row for row in read_table(self.folder / "out" / "summary.csv") if row["solver"] == "bfs")
        self.assertEqual(row["instances_solved"], "6")
        held = ("solved", "node_limit", "instances_solved", "expanded_median_all", "max_stored_max")
        rows, _ = self.run_against(head + "".join(f"bfs,{name},{row[name]}\n" for name in held) +
                                   "bfs,node_limit,2\nbfs,expanded_median,9\nbfs,effective_branching_factor_instances,6\n", "solver", 3,
                                   text=text)
        self.assertEqual([row["verdict"] for row in rows], ["equal"] * 5 + ["differs"] + ["not measured"] * 2)
        rows, _ = self.run_against(head + "bfs,runs,3\nbfs,expanded_median_all,9\n", "solver", words=["--fresh"],
                                   text=text.replace("[4, 8, 20], count: 3", "[4, 20, 21], count: 1"))
        self.assertEqual(rows[1]["note"], "1 of 3 boards solved")  # the median is one of those that are not

    def test_means_of_h(self):
        """Of the heuristic at the start, by length and by solver."""
        self.run_against("solver,column,published\nbfs,instances,6\n", "solver")
        runs = [row for (_, solver), row in self.measured().items() if solver == "astar(manhattan)"]
        far = [int(row["h_start"]) for row in runs if row["instance"].startswith("d20")]
        every = [int(row["h_start"]) for row in runs]
        rows, _ = self.run_against("solver,column,published,boards\n"
                                   f"astar(manhattan),h_start_mean,{statistics.mean(every):.12g},\n"
                                   f"astar(manhattan),h_start_sd,{statistics.stdev(every):.12g},\n"
                                   "astar(manhattan),h_start_mean,99,1000\nbfs,h_start_mean,0,\n", "solver", 3)
        self.assertEqual([(row["verdict"], row["note"]) for row in rows],
                         [("equal", ""), ("equal", ""), ("differs", ""), ("not measured", "there is no such value")])
        rows, _ = self.run_against("optimal_length,solver,column,published\n"
                                   f"20,astar(manhattan),mean_h_start,{statistics.mean(far):.12g}\n"
                                   f"20,astar(manhattan),sd_h_start,{statistics.stdev(far):.12g}\n", "depth")
        self.assertEqual([row["verdict"] for row in rows], ["equal", "equal"])

    def test_boards_of_means_that_leave_some_out(self):
        """The goal has no b* and no stretch; by depth, each has its mean."""
        text = EXPERIMENT.replace("[4, 20]", "[0, 4, 20]")
        rows, _ = self.run_against("solver,column,published,boards\nbfs,effective_branching_factor_mean,1,100\nbfs,stretch_mean,1,100\n"
                                   "bfs,expanded_mean,1,100\n", "solver", (0, 3), text=text)
        self.assertEqual([row["boards"] for row in rows], ["6", "6", "9"])
        row, = (row for row in read_table(self.folder / "out" / "summary.csv") if row["solver"] == "bfs")
        reach = 5.24742 * float(row["effective_branching_factor_sd"]) * (1 / 6 + 1 / 100) ** .5  # t of 5 degrees, at 1 - 0.01 / 2 / 3
        self.assertAlmostEqual(float(rows[0]["high"]), float(row["effective_branching_factor_mean"]) + reach, places=5)
        rows, _ = self.run_against("optimal_length,solver,column,published,boards\n4,bfs,mean_generated_with_parent,1,9\n"
                                   "4,bfs,effective_branching_factor,1,9\n", "depth", (0, 3), text=text)
        self.assertEqual([row["boards"] for row in rows], ["3", "3"])

    def test_boards_of_a_mean_are_those_of_its_costs(self):
        """Earlier rows of the same set, by another cost, were kept: of one solver there are both."""
        self.write(EXPERIMENT.replace(", astar(manhattan)]", "]").split("expect")[0])
        self.tilelab("run", "experiment.yaml")
        self.run_against("set,solver,column,published,boards\nd,bfs,expanded_mean,1,100\nd,astar(manhattan),expanded_mean,1,100\n", "solver", (0, 3),
                         ["--keep"], EXPERIMENT + "cost: heavy\n")
        self.compare("out", code=(0, 3))
        self.assertEqual([(row["boards"], row["note"]) for row in self.rows()], [("", "the set has several sizes or costs of moves"), ("6", "")])

    def test_the_folder_is_held_against_its_copy_anywhere(self):
        self.run_against("instance,solver,column,published\nd04-1,bfs,length,5\n", code=3)
        (self.folder / "ref.csv").unlink()
        shutil.move(self.folder / "out", self.folder / "elsewhere")
        (self.folder / "elsewhere" / "expect.csv").unlink()
        self.assertIn("0 of 1 cells equal, 1 differs", self.compare("elsewhere", code=3))
        self.assertEqual([row["verdict"] for row in self.rows("elsewhere")], ["differs"])
        found = json.loads(self.compare("elsewhere", "--json", code=3))
        self.assertEqual([(row["published"], row["measured"], row["verdict"]) for row in found["expect"]], [(5, 4, "differs")])
        # Without the copy nothing can be said to agree.
        (self.folder / "elsewhere" / "expected-ref.csv").unlink()
        self.assertIn("nothing is held against it", self.compare("elsewhere", code=3))

    def test_a_second_call_holds_the_rows_against_new_cells(self):
        self.run_against("instance,solver,column,published\nd04-1,bfs,length,4\n")
        rows, done = self.run_against("instance,solver,column,published\nd04-1,bfs,length,6\n", code=3)
        self.assertIn("6 of them are done already", done.stderr.replace("12", "6"))
        self.assertEqual([row["verdict"] for row in rows], ["differs"])
        self.run_of(EXPERIMENT.replace("expect: {file: ref.csv, by: BY}\n", ""), tables=True)  # no reference any more

    def test_run_says_it_in_json(self):
        _, done = self.run_against("instance,solver,column,published\nd04-1,bfs,length,5\n", code=3, words=["--json", "--quiet"])
        found = json.loads(done.stdout)
        self.assertEqual((found["exit_code"], found["expect"][0]["verdict"]), (3, "differs"))
        self.assertIn("not what was measured", found["reason"])
        self.assertIn("expect.csv", found["files"])

    def test_the_report_shows_it(self):
        self.run_against("instance,solver,column,published\nd04-1,bfs,length,4\n")
        self.tilelab("report", "out")
        page = (self.folder / "out" / "report.html").read_text()
        self.assertIn("Published, ref: 1 of 1 cells equal", page)
        self.assertIn("Published and measured", page)

    def test_a_reference_with_problems_runs_nothing(self):
        head = "instance,solver,column,published"
        cases = [
            ("instance,solver,column\n", "no column 'published'; expected it in the header"),
            (head + ",tolerence\n", "ref.csv:2:34: unknown column 'tolerence'"),
            (head + "\n", "no cells; expected a row for each published value"),
            (head + "\na,bfs,lenght,4\n", "ref.csv:3:7: column 'lenght'; expected a column of runs.csv that is a number "
                                          "(tilelab list columns runs); did you mean 'length'?"),
            (head + "\na,bfs,moves,4\n", "column 'moves'; expected a column"),
            (head + "\na,bfs,length,-4\n", "ref.csv:3:14: published '-4'; expected a number"),
            (head + "\na,bfs,length,\n", "published ''; expected a number"),
            (head + "\na,bfs,length,4x\n", "published '4x'; expected a number"),
            (head + ",corrected\na,bfs,length,4,5\n", "corrected '5'; expected a note that says why"),
            (head + ",boards\na,bfs,length,4,5\n", "boards '5'; expected nothing, as the column is no mean"),
            (head + ",sd\na,bfs,length,4,5\n", "sd '5'; expected the number of boards too"),
            (head + ",whole\na,bfs,length,4,5\n", "whole '5'; expected nothing, as the cell is of one board"),
            ("optimal_length,solver,column,published\n4,bfs,length,4\n", "unknown column 'optimal_length'"),
        ]
        for reference, problem in cases:
            with self.subTest(problem):
                _, done = self.run_against(reference, code=2)
                self.assertIn(problem, done.stderr)
                self.assertFalse((self.folder / "out").exists())
                done = self.tilelab("check", "experiment.yaml", code=2)
                self.assertIn(problem, done.stderr)

    def test_quick(self):
        self.write("instance,solver,column,published\nd04-1,bfs,length,4\nd04-2,bfs,length,4\n", "ref.csv")
        self.write(EXPERIMENT.replace("BY", "instance"))
        done = self.tilelab("run", "experiment.yaml", "--quick")
        self.assertEqual(len(self.measured("out-quick")), 4)
        self.assertFalse((self.folder / "out").exists())
        self.assertIn("the one measured cell agrees, 1 not measured", done.stdout)
        self.assertTrue(self.manifest("out-quick")["quick"])
        for words, runs in ((["--quick"], 4), ([], 12), (["--quick", "--set", "instances.1.count=2"], 8)):
            done = self.tilelab("check", "experiment.yaml", *words)
            self.assertIn(f"e: {runs} runs", done.stdout)

    def test_quick_in_the_report(self):
        self.write("instance,solver,column,published\nd04-1,bfs,length,4\n", "ref.csv")
        self.run_of(EXPERIMENT.replace("BY", "instance"), "--quick", tables=True)
        self.tilelab("report", "out-quick", "--format", "markdown")
        text = (self.folder / "out-quick" / "report.md").read_text()
        self.assertIn("tilelab run out-quick/experiment.yaml --quick", text)

    def test_shards(self):
        """The merged rows are those of the quick variant, and are held against the reference."""
        self.write("instance,solver,column,published\nd04-1,bfs,length,5\n", "ref.csv")
        self.write(EXPERIMENT.replace("BY", "instance"))
        for shard in ("1/2", "2/2"):
            self.run_it("--quick", "--shard", shard)
        self.tilelab("merge", "out-quick")
        self.assertEqual(len(self.measured("out-quick")), 4)
        self.assertIn("0 of 1 cells equal, 1 differs", self.compare("out-quick", code=3))

    def test_a_plan_expects_what_was_published(self):
        """Counts of boards and means over the whole set; else by the ratio to the solver with the most; hours by rates that it measures."""
        self.write("id,start\na,1 2 3 4 5 6 7 0 8\nb,1 2 3 4 5 6 0 7 8\nc,8 6 7 2 5 4 3 0 1\n", "boards.csv")
        self.write("experiment: e\ninstances: [{name: s, file: boards.csv}]\nrepetitions: 2\noutput: out\n"
                   "solvers: [bfs, {algorithm: idastar, heuristic: manhattan, label: few}, idastar(zero), {algorithm: ucs, label: whole}, dfs]\n"
                   "expect: [{file: one.csv, by: instance}, {file: two.csv, by: solver}]\n")
        self.write("set,instance,solver,column,published,corrected,note\ns,a,bfs,generated_without_root,10,,\ns,b,bfs,generated,90,100,slip\n"
                   "s,c,bfs,generated,300,,\ns,a,few,expanded,5,,\ns,b,few,expanded,6,,\ns,a,few,length,1,,\ns,a,whole,expanded,7,,\n"
                   "x,a,idastar(zero),expanded,7,,\n", "one.csv")
        self.write("set,solver,column,published,whole\ns,whole,expanded_mean,20,3\ns,few,expanded_mean,1,2\ns,few,h_start_mean,1,3\n", "two.csv")
        for words in ([], ["--measure", "0.01s"]):
            rows = json.loads(self.tilelab("plan", "experiment.yaml", "--json", *words).stdout)["expected"]
            self.assertEqual([(row["solver"], row["known"], row["guessed"], row["counted"], row["nodes"]) for row in rows],
                             [("bfs", 3, 0, "generated", 410), ("few", 2, 1, "expanded", 41), ("whole", 3, 0, "expanded", 60)])
            for row, low, high in zip(rows, (410, 11 + 300 * 0.06, 60), (410, 11 + 300 * 0.5, 60)):
                hours = [row[name] for name in ("core_hours_low", "core_hours", "core_hours_high")]
                if not words:
                    self.assertEqual((row["nodes_per_s"], hours), (None, [None] * 3))
                    continue
                self.assertGreater(row["nodes_per_s"], 1000)
                for found, nodes in zip(hours, (low, row["nodes"], high)):
                    self.assertAlmostEqual(found * 3600 * row["nodes_per_s"] / 2 / nodes, 1, places=6)
        self.assertFalse((self.folder / "out").exists())
        said = self.tilelab("plan", "experiment.yaml").stdout
        self.assertRegex(said, r"\nExpected, by the nodes of references \(--measure 10s says .*\nsolver +known +guessed +counted +nodes\nbfs +3 +0 +generated +410\n")
        said = self.tilelab("plan", "experiment.yaml", "--measure", "10ms").stdout
        self.assertRegex(said, r"measured here \(10.0 ms each\):\nsolver .* a second +core-hours +low +high\n")
        done = self.tilelab("plan", "experiment.yaml", "--set", "solvers=[dfs]", "--measure", "10ms")
        self.assertNotIn("Expected", done.stdout)
        self.assertIn("nothing was measured", done.stderr)

    def test_quick_problems(self):
        for quick, problem in (("", "no quick variant (--quick); expected the key 'quick'"),
                               ("quick: {instances.2.count: 1}\n", "experiment.yaml:8:19: this list has no item '2'"),
                               ("quick: {instances.1.count: 0}\n", "experiment.yaml:8:28: invalid value '0' for 'count'"),
                               ("quick: {limits.tim: 1s}\n", "unknown key 'tim'")):
            self.write(EXPERIMENT.replace("expect: {file: ref.csv, by: BY}\n", "order: ULRD\n").replace("quick: {instances.1.count: 1}\n", quick))
            done = self.tilelab("check", "experiment.yaml", "--quick", code=2)
            self.assertIn(problem, done.stderr)


class Shipped(Harness):
    """The experiments that ship with references."""

    def names(self):
        found = sorted(path.stem for path in (SOURCE / "harness" / "experiments").glob("*.yaml") if "\nexpect:" in path.read_text())
        self.assertEqual(found, ["aima", "clausecker2019", "deepcubea", "deepcubea24", "dps2016", "eight-population", "felner2004", "korf-felner2002",
                                 "korf1985", "korf24", "states-by-depth"])
        return found

    def test_they_have_quick_variants(self):
        for name in self.names():
            done = self.tilelab("check", name, "--quick", code=None)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)

    def table(self, *parts):
        return read_table(SOURCE.joinpath(*parts))

    def test_references_have_every_cell_of_their_sets(self):
        solver = "idastar(pdb:6-6-6-6:reflect)"
        for name, of, columns in (("korf-felner2002", "korf24_50", {"length": "optimal_length", "generated_without_root": "ida_generated_published"}),
                                  ("deepcubea24", "deepcubea24", {"length": "optimal_length"})):
            boards = self.table("instances", "sets", of + ".csv")
            cells = {(row["set"], row["instance"], row["solver"], row["column"]): row["published"]
                     for row in self.table("results", "reference", name + ".csv")}
            self.assertEqual(cells, {(of, row["id"], solver, column): row[own] for row in boards for column, own in columns.items()}, name)

    def test_zero_aware_cells_stand_beside_the_additive_ones(self):
        """No solver takes the place of another."""
        cells = self.table("results", "reference", "clausecker2019.csv")
        names = [f"{name}-{kind}" for name in ("reinefeld", "clausecker", "small") for kind in ("apdb", "zpdb")]
        self.assertEqual([(row["instance"], row["solver"]) for row in cells],
                         [(board, name) for board in ("13", "25", "30", "38", "44") for name in names])
        done = self.tilelab("plan", "clausecker2019", "--json")
        self.assertEqual(done.stderr, "")
        solvers = [solver["solver"] for solver in json.loads(done.stdout)["solvers"]]
        self.assertEqual([text.count("/") for text in solvers], [0, 0, 3, 3, 0, 0])
        # The same cells against solvers that take no tables: what is measured differs or agrees, the others never do.
        self.write("experiment: e\ninstances: [{set: korf24_50, select: [13]}]\nlimits: {nodes: 1000}\noutput: out\nexpect: {file: clausecker2019}\n"
                   "solvers: [{algorithm: descent, heuristic: manhattan, label: small-apdb}, {algorithm: idastar, heuristic: zero, label: reinefeld-apdb}]\n")
        done = self.tilelab("run", "experiment.yaml", code=3)
        said = " ".join(done.stdout.split())
        self.assertIn("0 of 30 cells equal, 30 not measured: nothing agrees where nothing was measured", said)
        self.assertIn("20 of solvers without runs: reinefeld-zpdb (did you mean reinefeld-apdb?), clausecker-apdb, "
                      "clausecker-zpdb, small-zpdb (did you mean small-apdb?).", said)

    def test_a_node_more_on_one_board_is_seen(self):
        """The boards of lengths 0 to 3 by every solver of eight-population; then with one node more in a class of 8 boards."""
        shipped = (SOURCE / "harness" / "experiments" / "eight-population.yaml").read_text()
        reference = (SOURCE / "results" / "reference" / "eight-population.csv").read_text()
        self.write(shipped.replace("file: eight-population", "file: ref.csv").replace("output: results/", "output: "))
        solvers = {row["solver"] for row in json.loads(self.tilelab("plan", "eight-population", "--json").stdout)["solvers"]}
        cells = read_table(SOURCE / "results" / "reference" / "eight-population.csv")
        held = sum(int(row["optimal_length"]) <= 3 and row["solver"] in solvers for row in cells)
        self.assertGreater(held, 400)
        mean, = (row["published"] for row in cells
                 if (row["optimal_length"], row["column"], row["solver"]) == ("3", "mean_expanded", "astar(manhattan)"))
        more = f"{float(mean) + 1 / 8:.12g}"
        for text, code, differ in ((reference, 0, 0), (reference.replace(f"\n3,mean_expanded,{mean},8,astar(manhattan)\n",
                                                                         f"\n3,mean_expanded,{more},8,astar(manhattan)\n"), 3, 1)):
            self.write(text, "ref.csv")
            done = self.tilelab("run", "experiment.yaml", "--set", "instances.1.depths=[0-3]", "--quiet", code=code)
            self.assertNotIn("Published", done.stdout)
            rows = read_table(self.folder / "eight-population" / "expect.csv")
            self.assertEqual({row["source"] for row in rows}, {"own"})
            verdicts = [row["verdict"] for row in rows]
            self.assertEqual((verdicts.count("equal"), verdicts.count("differs")), (held - differ, differ))

    def test_felner2004_says_what_was_not_read(self):
        """The boards are not those of the paper: few of ours are run, so that there are rows."""
        cells = read_table(SOURCE / "results" / "reference" / "felner2004.csv")
        self.assertEqual({row["solver"] for row in cells if row["source"] == "recalled"}, {"idastar(linear_conflict)"})
        self.assertEqual({row["solver"] for row in cells if row["source"] == "corrected"}, {"idastar(pdb:5-5-5:reflect)"})
        self.assertEqual({row["solver"] for row in cells if row["source"] == "relabelled"}, {"idastar(pdb:5-5-5)"})
        self.write((SOURCE / "harness" / "experiments" / "felner2004.yaml").read_text().replace("output: results/", "output: "))
        done = self.tilelab("run", "experiment.yaml", "--set", "instances.1.count=3",
                            "--set", "solvers=[greedy(manhattan), idastar(linear_conflict)]", "--set", "compare.baseline=greedy(manhattan)", code=None)
        said = " ".join(done.stdout.split())
        self.assertIn("Published, felner2004: 2 of 3 measured cells agree (1 recalled, not read), 1 differs, 9 not measured", said)
        self.assertEqual([row["source"] for row in read_table(self.folder / "felner2004" / "expect.csv")], [row["source"] for row in cells])

    @unittest.skipUnless(LONG, "TILELAB_LONG=1")
    def test_what_was_published_is_what_is_measured(self):
        said = {"korf1985": ["korf1985: all 120 measured cells agree, 80 not measured"],
                "deepcubea": ["deepcubea15: all 50 measured cells agree, 450 not measured"],
                "states-by-depth": ["states-by-depth: all 75 measured cells agree, 4 not measured"],
                "aima": ["aima: all 48 measured cells agree, 24 not measured"],
                "korf-felner2002": ["korf-felner2002: all 8 measured cells agree, 92 not measured"],
                "clausecker2019": ["clausecker2019: all 8 measured cells agree, 22 not measured"],
                "korf24": ["korf-felner2002: all 2 measured cells agree, 98 not measured", "clausecker2019: all 4 measured cells agree, 26 not measured",
                           "korf24-pruned: the one measured cell agrees, 34 not measured"],
                "deepcubea24": ["deepcubea24: all 29 measured cells agree, 467 not measured"],
                "eight-population": ["eight-population: all 2227 measured cells agree, 3569 not measured"],
                "dps2016": ["dps2016: the one measured cell agrees (1 recalled, not read), 3 not measured"],
                "felner2004": ["felner2004: all 5 measured cells agree, 1 slip of print, 6 not measured"]}
        for name in self.names():
            with self.subTest(name):
                done = self.tilelab("run", name, "--quick", "-o", "out", code=None)
                self.assertEqual(len(re.findall("(?m)^(?:Not p|P)ublished, ", done.stdout)), len(said[name]), done.stdout)
                for line in said[name]: # it may be wrapped
                    self.assertIn(f"ublished, {line} ", " ".join(done.stdout.split()) + " ", done.stderr)
                self.assertEqual(done.returncode, 0, done.stderr)
            shutil.rmtree(self.folder / "out", ignore_errors=True)
