"""The experiments for courses that ship, each shrunk to less than a second: they run, and what a sheet is set to show
comes out, reckoned here from the rows alone and held against what compare and plot say."""

import collections
import json
import math
import statistics

import yaml

from support import SOURCE, FolderCase, read_table

SHIPPED = SOURCE / "harness" / "experiments"
SHEETS = [path.stem for path in sorted(SHIPPED.glob("*.yaml")) if yaml.safe_load(path.read_text())["group"] == "coursework"]
# What a sheet needs more of than the rest, to show what it is about.
LARGER = {
    "anomalies": {"instances.1.count": "100", "limits.nodes": "1M"},
    "branch-and-bound": {"instances.1.depths": "[2, 14]", "limits.nodes": "1M"},
    "heuristics": {"instances.2.depths": "[6, 14]", "limits.nodes": "50000"},
    "operator-orders": {"warmup": "0"},
    "scaling": {**{f"instances.{number}.count": "3" for number in range(1, 13)}, **{f"instances.{number}.steps": "12" for number in (2, 6, 10)}},
    "tie-breaking": {"instances.1.count": "5", "instances.2.steps": "20"},
    "weights": {"instances.1.count": "8", "limits.nodes": "20000"},
}


def shrunk(name):
    """What --set makes of it: a board of each set or depth, few depths, few nodes."""
    settings = {"limits.nodes": "3000", "jobs": "1", "output": "out"}
    for number, instances in enumerate(yaml.safe_load((SHIPPED / f"{name}.yaml").read_text())["instances"], 1):
        at = f"instances.{number}."
        if "count" in instances:
            settings[at + "count"] = "1"
        if "depths" in instances:
            settings[at + "depths"] = "[1-2]" if instances["method"] == "all" else "[2, 6]"
        if "steps" in instances:
            settings[at + "steps"] = "6"
        if "select" in instances:
            settings[at + "select"] = str(instances["select"][0])
    return [word for key, value in {**settings, **LARGER.get(name, {})}.items() for word in ("--set", f"{key}={value}")]


class Experiments(FolderCase):
    def tilelab(self, *words):
        return super().tilelab(*words).stdout

    def run_sheet(self, name):
        """Runs it shrunk; its rows, numbers as such: {(set, instance): {solver: row}}. What compare says is in `tables`."""
        experiment = yaml.safe_load((SHIPPED / f"{name}.yaml").read_text())
        self.assertEqual(experiment["experiment"], name)
        call = json.loads(self.tilelab("run", name, "--json", "--quiet", *shrunk(name)))
        self.assertEqual((call["made"], call["exit_code"]), (call["runs"], 0))
        rows = read_table(self.folder / "out" / "runs.csv")
        self.assertEqual(len(rows), call["runs"])
        self.assertIn("solved", {row["status"] for row in rows})
        for row in rows:  # an order of a solver's own is the one it ran by
            self.assertEqual(row["order"], json.loads(row["options_json"]).get("order", "ULRD"))
            for column in ("length", "optimal_length", "h_start", "expanded", "generated", "max_stored", "max_depth"):
                row[column] = int(row[column]) if row[column] else None
        metrics = experiment["compare"].get("metrics", ["expanded"])
        self.screen = self.tilelab("compare", "out", "--wide")
        self.assertIn(f"verdict on {metrics[0]}", self.screen)
        self.tables = json.loads(self.tilelab("compare", "out", "--json"))
        if name not in ("anomalies", "classics"):  # one length alone, or lengths by set
            for metric in metrics if "metrics" in experiment["compare"] else ["generated"]:
                self.assertIn("figure" if metric == "generated" else metric, self.tables)
        boards = collections.defaultdict(dict)
        for row in rows:
            boards[row["set"], row["instance"]][row["solver"]] = row
        return boards

    def assertOptimal(self, row):
        self.assertEqual((row["status"], row["length"]), ("solved", row["optimal_length"]), row["solver"])

    def test_anomalies(self):
        boards = self.run_sheet("anomalies")
        found = collections.defaultdict(dict)  # {(solver, against): {board: (its nodes, the other's)}}
        for algorithm, options in (("astar", ""), ("astar", ", ties=fifo"), ("idastar", "")):
            worse = f"{algorithm}(manhattan{options})"
            for better in (f"{algorithm}({heuristic}{options})" for heuristic in ("linear_conflict", "walking_distance")):
                for (_, board), rows in boards.items():
                    self.assertGreaterEqual(rows[better]["h_start"], rows[worse]["h_start"])
                    if rows[better]["expanded"] > rows[worse]["expanded"]:
                        found[better, worse][board] = rows[better]["expanded"], rows[worse]["expanded"]
        self.assertEqual({algorithm for algorithm, _ in found}, {"astar(linear_conflict)", "astar(walking_distance)"})
        told = collections.defaultdict(dict)
        for row in self.tables["anomalies"]:
            told[row["solver"], row["against"]][row["board"]] = row["expanded"], row["it expanded"]
            self.assertEqual(row["start"], boards["uniform", row["board"]][row["solver"]]["start"])
        self.assertEqual(told, found)
        self.assertEqual({(row["solver"], row["better than"]): (row["both solved"], row["more"]) for row in self.tables["better"]},
                         {pair: (100, len(found.get(pair, ()))) for pair in
                          ((f"{kind}({heuristic}{rest}", f"{kind}(manhattan{rest}") for kind, rest in (("astar", ")"), ("astar", ", ties=fifo)"), ("idastar", ")"))
                           for heuristic in ("linear_conflict", "walking_distance"))})
        self.assertIn(f"expanded more in {sum(map(len, found.values()))} of 600 cases", self.screen)

    def test_assignment(self):
        for rows in self.run_sheet("assignment").values():
            (mine,) = (row for solver, row in rows.items() if solver != "astar(manhattan)")
            for row in (mine, rows["astar(manhattan)"]):
                self.assertOptimal(row)
            self.assertEqual(mine["expanded"], rows["astar(manhattan)"]["expanded"])

    def test_branch_and_bound(self):
        def lcbb(heuristic, duplicates, goal_test):
            said = [word for word, default in ((f"duplicates={duplicates}", "duplicates=parent"), (f"goal_test={goal_test}", "goal_test=removal"))
                    if word != default]
            return f"lcbb({', '.join([heuristic, *said])})"
        spent = collections.Counter()
        for rows in self.run_sheet("branch-and-bound").values():
            for heuristic in ("misplaced", "manhattan"):
                for test in ("removal", "generation"):
                    none, parent, stored = (rows[lcbb(heuristic, each, test)] for each in ("none", "parent", "stored"))
                    self.assertGreaterEqual(none["expanded"], parent["expanded"])
                    self.assertGreaterEqual(parent["expanded"], stored["expanded"])
                    spent.update({"none": none["expanded"], "parent": parent["expanded"], "stored": stored["expanded"]})
                    self.assertLessEqual(rows[lcbb(heuristic, "parent", "generation")]["generated"],
                                         rows[lcbb(heuristic, "parent", "removal")]["generated"])
                self.assertEqual(rows[lcbb(heuristic, "stored", "removal")]["expanded"], rows[f"astar({heuristic}, ties=fifo)"]["expanded"])
            for row in rows.values():
                if row["status"] == "solved":
                    self.assertOptimal(row)
        self.assertTrue(spent["none"] > spent["parent"] > spent["stored"], spent)

    def test_classics(self):
        for (_, board), rows in self.run_sheet("classics").items():
            for solver in ("bfs", "lcbb(misplaced)", "lcbb(misplaced, duplicates=none)", "astar(misplaced)"):
                self.assertOptimal(rows[solver])
            self.assertEqual(rows["bfs"]["length"], 8 if board == "astar-3x3" else 3)
            self.assertEqual(rows["descent(misplaced)"]["status"], "stuck" if board == "astar-3x3" else "solved")
            self.assertGreaterEqual(rows["lcbb(misplaced, duplicates=none)"]["generated"], rows["lcbb(misplaced)"]["generated"])

    def test_coursework(self):
        for rows in self.run_sheet("coursework").values():
            for solver, row in rows.items():
                if solver.startswith(("bfs", "lcbb", "astar")) and row["status"] == "solved":
                    self.assertOptimal(row)
            if rows["dfs"]["status"] == "solved":
                self.assertGreaterEqual(rows["dfs"]["length"], rows["dfs"]["optimal_length"])

    def test_heuristics(self):
        boards = self.run_sheet("heuristics")
        for rows in boards.values():
            both = max(rows["astar(linear_conflict)"]["h_start"], rows["astar(walking_distance)"]["h_start"])
            self.assertEqual(rows["astar(max:linear_conflict+walking_distance)"]["h_start"], both)
            for solver, row in rows.items():
                self.assertLessEqual(row["h_start"], row["optimal_length"], solver)
                if row["status"] == "solved":
                    self.assertOptimal(row)
        names = {solver[solver.index("(") + 1:-1] for rows in boards.values() for solver in rows}
        told = [row for row in self.tables["heuristics"] if row["block"] == "by-depth 3x3"]
        self.assertEqual((len(names), len(told)), (14, 14))  # each once, though two algorithms have it
        for row in told:
            hs = [rows[f"astar({row['heuristic']})"]["h_start"] for (holder, _), rows in boards.items() if holder == "by-depth"]
            self.assertEqual((row["boards"], row["mean h"]), (len(hs), statistics.mean(hs)))

    def test_memory(self):
        for rows in self.run_sheet("memory").values():
            for solver in ("idastar(manhattan)", "rbfs(manhattan)"):  # the path and its root
                self.assertEqual(rows[solver]["max_stored"], rows[solver]["length"] + 1)
            self.assertGreater(rows["astar(manhattan)"]["max_stored"], rows["idastar(manhattan)"]["max_stored"])
            self.assertGreaterEqual(rows["astar(manhattan)"]["max_stored"], rows["epea(manhattan)"]["max_stored"])
        self.assertIn("beam(manhattan, width=100)", self.screen)  # the default is said

    def test_both_ends(self):
        self.tilelab("run", "both-ends", "--quick", "--quiet", "-o", "out")
        rows = read_table(self.folder / "out" / "runs.csv")
        self.assertEqual(len(rows), 14 * 8)
        self.assertEqual({(row["status"], row["length"] == row["optimal_length"]) for row in rows}, {("solved", True)})
        bound = [row for row in rows if not row["solver"].startswith(("bae", "bsstar"))]  # those know that h is consistent
        self.assertGreater(sum(int(row["cover"]) > 0 for row in bound), len(bound) // 2)
        for row in bound:
            self.assertGreaterEqual(int(row["expanded"]), int(row["cover"]), row)

    def test_operator_orders(self):
        boards = self.run_sheet("operator-orders")
        orders = ("RDUL", "RDLU", "DRUL", "DRLU", "LUDR", "LURD", "ULDR", "ULRD")
        differ = collections.Counter()

        def named(algorithm, order):
            return next(solver for solver, row in rows.items() if row["order"] == order and solver.startswith(algorithm))
        means = collections.Counter()
        for rows in boards.values():
            self.assertEqual(len(rows), 32)
            for algorithm in ("bfs", "astar(misplaced", "astar(manhattan", "dfs(depth_limit=20"):
                own = [rows[named(algorithm, order)] for order in orders]
                differ[algorithm] += len({row["expanded"] for row in own}) > 1
                means.update({(algorithm, order): row["expanded"] for order, row in zip(orders, own)})
                for row in own if algorithm[0] != "d" else ():
                    self.assertOptimal(row)
        self.assertGreater(differ["bfs"], 0)
        self.assertGreater(differ["dfs(depth_limit=20"], 0)
        mirrored = str.maketrans("ULDR", "LURD")
        for algorithm, order in means:  # the set has each board's mirror image
            self.assertEqual(means[algorithm, order], means[algorithm, order.translate(mirrored)])

    def test_scaling(self):
        boards = self.run_sheet("scaling")
        pooled = json.loads(self.tilelab("compare", "out", "--json", "--pool"))
        self.assertEqual({row["board"] for row in pooled["growth"]}, {"3x3", "3x4", "4x4"})
        for told in pooled["growth"]:  # each size by itself
            rows = [rows[told["solver"]] for rows in boards.values()]
            points = [(row["optimal_length"] or row["length"], math.log(row["expanded"])) for row in rows
                      if f"{row['width']}x{row['height']}" == told["board"] and row["status"] == "solved"]
            self.assertEqual(told["solved"], len(points))
            if len({x for x, _ in points}) > 1:
                self.assertAlmostEqual(told["least squares"], math.exp(statistics.linear_regression(*zip(*points)).slope))
        sizes = {row["board d"].split()[0] for row in pooled["h_by_depth"]}
        self.assertEqual(sizes, {"3x3", "3x4", "4x4"})

    def test_tie_breaking(self):
        spent = collections.Counter()
        for rows in self.run_sheet("tie-breaking").values():
            for heuristic in ("manhattan", "linear_conflict"):
                for ties in ("", ", ties=low_g", ", ties=fifo", ", ties=lifo"):
                    row = rows[f"astar({heuristic}{ties})"]
                    if row["status"] == "solved":
                        self.assertEqual(row["length"], row["optimal_length"] or row["length"])
                        spent[ties] += row["expanded"]
        self.assertLess(spent[""], spent[", ties=low_g"])
        self.assertIn("astar(manhattan, ties=high_g)", self.screen)  # the default is said

    def test_uninformed(self):
        for rows in self.run_sheet("uninformed").values():
            for column in ("expanded", "generated"):
                self.assertEqual(rows["ucs"][column], rows["bfs(goal_test=removal)"][column])
                self.assertGreaterEqual(rows["ucs"][column], rows["bfs"][column])
                self.assertGreaterEqual(rows["iddfs(duplicates=none)"][column], rows["iddfs"][column])
                self.assertLessEqual(rows["iddfs(parity)"][column], rows["iddfs"][column])
            self.assertEqual(rows["iddfs"]["max_stored"], rows["iddfs"]["length"] + 1)
            for solver in ("bfs", "bfs(goal_test=removal)", "ucs", "bibfs", "iddfs", "iddfs(parity)", "iddfs(duplicates=none)"):
                self.assertOptimal(rows[solver])

    def test_weights(self):
        boards = self.run_sheet("weights")
        spent = collections.Counter()
        for (holder, _), rows in boards.items():
            for solver, row in rows.items():
                if row["algorithm"] == "wastar" and row["status"] == "solved":
                    w = json.loads(row["options_json"]).get("w", 1.5)
                    self.assertLessEqual(row["length"], w * row["optimal_length"], solver)
                    spent[holder, w] += row["expanded"]
            if rows["wastar(manhattan, w=1)"]["status"] == "solved":
                self.assertOptimal(rows["wastar(manhattan, w=1)"])
        self.assertGreater(spent["uniform", 1], spent["uniform", 5])
        self.assertIn("wastar(manhattan, w=1.5)", self.screen)  # the default is said
        drawn = json.loads(self.tilelab("plot", "out", "--only", "pareto", "-m", "generated", "--json"))["figures"]
        (figure,) = (figure for figure in drawn if figure["name"] == "pareto-generated-uniform-3x3")
        own = [rows for (holder, _), rows in boards.items() if holder == "uniform"]
        at = {solver: (statistics.geometric_mean(rows[solver]["generated"] for rows in own),
                       statistics.mean(rows[solver]["length"] / rows[solver]["optimal_length"] for rows in own)) for solver in own[0]}
        front = {solver for solver, place in at.items() if not any(its[0] <= place[0] and its[1] <= place[1] and its != place for its in at.values())}
        for row in figure["rows"]:
            self.assertAlmostEqual(row["cost"] / at[row["solver"]][0], 1)
            self.assertAlmostEqual(row["ratio"], at[row["solver"]][1])
        self.assertEqual({row["solver"] for row in figure["rows"] if row["efficient"]}, front)
        self.assertTrue(1 < len(front) < len(at), front)

    def test_every_sheet_has_a_test_a_quick_variant_and_says_how_long_it_takes(self):
        self.assertEqual(sorted(name[5:].replace("_", "-") for name in dir(self) if name[5:].replace("_", "-") in SHEETS), SHEETS)
        listed = {row["experiment"]: row for row in json.loads(self.tilelab("list", "experiments", "--json"))}
        for name in SHEETS:
            self.assertTrue(listed[name]["time"], name)
            self.assertGreater(int(listed[name]["runs"]), 0, name)
        for name in listed:
            self.tilelab("check", name, "--quick")
