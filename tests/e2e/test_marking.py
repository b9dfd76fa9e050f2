"""Points: rules in an experiment, tilelab marks, points.csv, and the pages of the class and of each submission."""
import csv
import html
import json
import os
import re
import shutil
import time
import unittest

import chromium
import classroom
from support import FolderCase, read_table

# Programs answer by the board's text, so that they cost next to nothing.
ANSWER = """case "$(head -n 4 | tail -n 3 | tr '\\n' ' ')" in
"1 2 3 4 5 6 7 0 8 ") printf '%s';;
"1 2 3 4 5 6 0 7 8 ") printf '%s';;
"1 2 3 0 5 6 4 7 8 ") printf '%s';;
*) printf '%s';;
esac
"""
RIGHT = (r"moves: R\nexpanded: 1\n", r"moves: RR\nexpanded: 2\n", r"moves: DRR\nexpanded: 4\n", r"status: unsolvable\n")
CLASS = {
    "anna": RIGHT,
    "ben": (r"moves: R\nexpanded: 3\n", r"moves: RR\n", r"moves: DRRLR\nexpanded: 5\n", r"moves: L\n"),
    "'carl": (r"expanded: 1\n", r"moves: UU\n", r"status: stuck\n", r"status: exhausted\n"),
    "=dora()": (r"moves: R\nexpanded: 1\n", r"moves: RR\nexpanded: 99\n", r"moves: DRR\nexpanded: 0\n", r"status: unsolvable\n"),
}
EXPERIMENT = """experiment: class
instances:
  - {name: open, boards: [1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 0 7 8, 1 2 3 0 5 6 4 7 8]}
  - {name: none, boards: [1 2 3 4 5 6 8 7 0]}
solvers:
  - astar(manhattan)
SOLVERS
compare: {baseline: astar(manhattan)}
warmup: 0
points:
  optimal: 4
  unsolvable: 2
  expanded within 2x of reference: 3
  wall_s at most 1us: 0.5
output: out
"""


def cells(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


class Class(FolderCase):
    """A class whose program ran."""

    def run_class(self, text=EXPERIMENT, programs=CLASS, more=()):
        solvers = []
        for number, (label, answers) in enumerate(programs.items()):
            (self.folder / f"{number}.sh").write_text(ANSWER % answers)
            solvers.append(f"  - {{command: [sh, {number}.sh], label: {json.dumps(label, ensure_ascii=False)}}}")
        (self.folder / "class.yaml").write_text(text.replace("SOLVERS", "\n".join(solvers)))
        self.tilelab("run", "class.yaml", "-q", *more, code=(0, 3))
        manifest = self.manifest()
        for session in manifest["sessions"]:  # the machine that runs the tests may be busy
            session["noise"]["disturbed"] = False
        self.write_manifest(manifest)

    def write_manifest(self, manifest):
        (self.folder / "out" / "manifest.json").write_text(json.dumps(manifest))


class Points(Class):
    def setUp(self):
        super().setUp()
        self.run_class()

    def points(self):
        return {row["label"]: row for row in read_table(self.folder / "out" / "points.csv")}

    def test_points_by_hand(self):
        shown = self.tilelab("marks", "out").stdout
        points = self.points()
        self.assertEqual({label: [row[name] for name in ("points", "optimal", "unsolvable", "expanded within 2x of reference", "wall_s at most 1us")]
                          for label, row in points.items()},
                         {"anna": ["9.00", "4.00", "2.00", "3.00", "0.00"],
                          "ben": ["3.67", "2.67", "0.00", "1.00", "0.00"],  # 8/3 + 1: 3 expansions are too many, one board has no counter
                          "''carl": ["2.00", "0.00", "2.00", "0.00", "0.00"],
                          "'=dora()": ["7.00", "4.00", "2.00", "1.00", "0.00"]})
        self.assertEqual(points["anna"]["comment"], "")
        self.assertIn("wrong_answer 1", points["ben"]["comment"])
        self.assertIn("reports no expanded on 1 solved board", points["ben"]["comment"])
        self.assertEqual(points["''carl"]["comment"], "stuck 1; crashed 1; wrong_answer 1")
        self.assertIn("counts what no search can on 1 board", points["'=dora()"]["comment"])
        self.assertRegex(shown, r"(?m)^=dora\(\) +7.00 ")
        lines = self.tilelab("marks", "out", "--only", "ben").stdout.splitlines()
        self.assertRegex("\n".join(lines), r"open/3 +3 moves +5 moves +lost")
        self.assertRegex("\n".join(lines), r"open/2 +expanded up to 4 +solved, but it reports no expanded +lost")
        self.assertRegex("\n".join(lines), r"none/1 +status: unsolvable +wrong_answer +lost")
        rows = json.loads(self.tilelab("marks", "out", "--only", "ben", "--format", "json").stdout)["rows"]
        self.assertEqual({row["run_id"] for row in rows}, {row["run_id"] for row in read_table(self.folder / "out" / "runs.csv") if row["label"] == "ben"})
        self.assertIn("did you mean 'anna'", self.tilelab("marks", "out", "--only", "ana", code=2).stderr)

    def test_what_a_person_adds_stays(self):
        path = self.folder / "out" / "points.csv"
        self.tilelab("marks", "out")
        first = path.read_bytes()
        self.tilelab("marks", "out")
        self.assertEqual(path.read_bytes(), first, "two markings give the same bytes")
        rows = cells(path)
        for row, talk in zip(rows, ("talk", "=B2+1", 'good, "clear"', "late", "")):
            row.insert(1, talk)
        rows[1:3] = rows[2:0:-1]
        rows.append(["''zoe", "kept", "5", "", "1", "1", "1", "1"])
        with path.open("w", newline="") as file:
            csv.writer(file, lineterminator="\r\n").writerows(rows)
        said = self.tilelab("marks", "out").stderr
        self.assertIn("no other rows are of the label '''zoe'", said)
        again = cells(path)
        self.assertEqual(again, rows)
        self.assertFalse((self.folder / "out" / "points.csv.1").exists())
        # As a spreadsheet writes it where the comma is the decimal mark: no comma is quoted then.
        rows[0][1] = "talk (of 3, late: 1)"
        with path.open("w", newline="") as file:
            csv.writer(file, delimiter=";", lineterminator="\n").writerows(rows)
        self.tilelab("marks", "out")
        self.assertEqual(cells(path), rows)
        rows[0][1] = "talk"
        rows[1][2] = "99"  # tilelab's own
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)
        edited = path.read_bytes()
        self.assertIn("points.csv.1", self.tilelab("marks", "out").stderr)
        self.assertEqual((self.folder / "out" / "points.csv.1").read_bytes(), edited)
        self.assertEqual(cells(path), again)
        resources = json.loads((self.folder / "out" / "datapackage.json").read_text())["resources"]
        fields = next(resource["schema"]["fields"] for resource in resources if resource["name"] == "points")
        self.assertEqual([field["name"] for field in fields], rows[0])
        path.write_text("name,points\nanna,3\n")
        self.assertIn("no column label", self.tilelab("marks", "out", code=1).stderr)
        self.assertEqual(path.read_text(), "name,points\nanna,3\n")

    def test_other_rules_run_nothing_anew(self):
        self.tilelab("marks", "out")
        before = (self.folder / "out" / "runs.csv").read_bytes()
        self.run_class(EXPERIMENT.replace("  unsolvable: 2\n", "").replace("optimal: 4", "optimal: 1"))
        self.assertEqual((self.folder / "out" / "runs.csv").read_bytes(), before)
        self.tilelab("marks", "out")
        row = self.points()["anna"]
        self.assertEqual((row["points"], row["optimal"]), ("4.00", "1.00"))
        self.assertNotIn("unsolvable", row)

    def test_what_the_machine_did_costs_nothing(self):
        manifest = self.manifest()
        manifest["sessions"][-1]["noise"]["disturbed"] = True
        self.write_manifest(manifest)
        runs = self.folder / "out" / "runs.csv"
        rows = cells(runs)
        place = {name: i for i, name in enumerate(rows[0])}
        lost = next(row for row in rows if row[place["label"]] == "anna" and row[place["moves"]] == "DRR")
        lost[place["status"]], lost[place["length"]], lost[place["moves"]] = "lost", "", ""
        with runs.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
        self.tilelab("marks", "out", code=3)
        row = self.points()["anna"]
        self.assertEqual((row["optimal"], row["wall_s at most 1us"]), ("4.00", ""))
        self.assertIn("preliminary", row["comment"])
        self.assertIn("optimal: 1 row left out, as the machine was at fault", row["comment"])
        shown = self.tilelab("marks", "out", "--only", "anna", code=3).stdout
        self.assertRegex(shown, r"open/3 +3 moves +lost.* +left out")
        self.assertRegex(shown, r"open/1 +wall_s up to 1.00 us +.*while others disturbed the machine +left out")


PAGES = """experiment: pages
instances:
  - {name: open, boards: [1 2 3 4 5 6 7 0 8, 1 2 3 4 5 6 0 7 8, 1 2 3 0 5 6 4 7 8]}
  - {name: hidden, boards: [1 2 3 4 5 0 7 8 6, 1 2 0 4 5 3 7 8 6, 1 0 2 4 5 3 7 8 6]}
solvers:
  - astar(manhattan)
SOLVERS
compare: {baseline: astar(manhattan)}
warmup: 0
points: {optimal: 4}
output: out
"""
# What each says of the first three boards and of all others; `turned` names the direction of the tile.
HEART = (*RIGHT[:3], r"moves: L\n")
PUPILS = {
    "Qvix/Ä": HEART,
    "qvix___": HEART,
    "Turned Zed": (r"moves: L\n", r"moves: LL\n", r"moves: ULL\n", r"status: unsolvable\n"),
    "Krone <b>": (r"moves: R\nexpanded: 0\ngenerated: 900\n", r"moves: RR\n", r"moves: DRR\n", r"moves: D\n"),
}


class Copies(Class):
    def test_each_two_that_are_named_together_are_alike(self):
        """anna solves three boards as bert, carl and dora do; on the fourth bert counts otherwise than carl and dora."""
        three = tuple(f"moves: {moves}\\nexpanded: {number}\\n" for number, moves in enumerate(("R", "RR", "DRR"), 50))
        last = {"anna": r"moves: L\n", "bert": r"moves: D\nexpanded: 60\n", "carl": r"moves: D\nexpanded: 61\n", "dora": r"moves: D\nexpanded: 61\n"}
        text = PAGES.replace(", 1 2 0 4 5 3 7 8 6, 1 0 2 4 5 3 7 8 6", "")
        self.run_class(text, {name: (*three, answer) for name, answer in last.items()})
        self.tilelab("report", "out", "--by-solver")
        page = html.unescape((self.folder / "out" / "by_solver" / "class.html").read_text())
        self.assertEqual(re.findall(r"(\w+(?:, \w+)* and \w+) have the same counters on (\d) boards, and no other", page),
                         [("anna and bert", "3"), ("anna and carl", "3"), ("anna and dora", "3"), ("carl and dora", "4")])


class Pages(Class):
    def setUp(self):
        FolderCase.setUp(self)
        self.run_class(PAGES, PUPILS)
        self.tilelab("report", "out", "--by-solver")
        self.pages = {path.name: path.read_text() for path in (self.folder / "out" / "by_solver" / "submissions").iterdir()}

    def test_the_pages(self):
        self.a_page_has_nothing_of_the_others()
        self.what_a_page_says()
        self.what_the_class_page_says()
        self.two_calls_write_the_same()

    def a_page_has_nothing_of_the_others(self):
        self.assertEqual(set(self.pages), {"Qvix___.html", "qvix___-2.html", "Turned_Zed.html", "Krone__b_.html"})
        rows = read_table(self.folder / "out" / "runs.csv")
        heading = {name: html.unescape(re.search(r"<h1>(.*?)</h1>", page)[1]) for name, page in self.pages.items()}
        self.assertEqual(set(heading.values()), set(PUPILS))
        for name, page in self.pages.items():
            for row in rows:
                if row["label"] and row["label"] != heading[name]:
                    for text in (row["label"], html.escape(row["label"]), row["run_id"][:8], row["solver"]):
                        self.assertNotIn(text, page, (name, text))

    def what_a_page_says(self):
        turned = self.pages["Turned_Zed.html"]
        self.assertIn("0.00 of 4 points", turned)
        self.assertIn("boards 1 to 3 look as if they name the direction of the tile".replace("boards 1 to 3", "boards 4 to 6"), turned)
        self.assertIn("It calls boards 1 to 3 unsolvable", turned)
        self.assertRegex(self.pages["Qvix___.html"], r"<h2>optimal: 2.00 of 4</h2>")
        played = json.loads(re.search(r'id="data"[^>]*>(.*?)</script>', turned, re.S)[1])
        self.assertEqual((played["count"], [solver["shown"] for solver in played["solvers"]]), (6, ["Turned Zed", "astar(manhattan)"]))

    def what_the_class_page_says(self):
        page = html.unescape((self.folder / "out" / "by_solver" / "class.html").read_text())
        self.assertEqual(page.count("<caption>"), page.count("</caption>"))
        self.assertIn("4 submissions: 0.00 to 2.67 of 4 points", page)
        self.assertIn("Qvix/Ä and qvix___ have the same counters on 3 boards", page)
        self.assertIn("qvix___ is right on all 3 rows of open 3x3 and wrong on 3 of 3 of hidden 3x3", page)
        self.assertIn("Krone <b> has counters that no search can have: on open/1 900 nodes were generated, more than 0", page)

    def two_calls_write_the_same(self):
        self.tilelab("report", "out", "--by-solver", "-o", "again")
        for path in (self.folder / "out" / "by_solver").rglob("*.html"):
            self.assertEqual((self.folder / "again" / path.relative_to(self.folder / "out" / "by_solver")).read_bytes(), path.read_bytes())
        self.assertIn("one whole results folder", self.tilelab("report", "out", "--by-solver", "--pool", code=2).stderr)


class Refuted(FolderCase):
    def test_who_found_a_shorter_path_is_not_said(self):
        (self.folder / "long.yaml").write_text("""experiment: long
instances: [{name: a, boards: [1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15]}]
solvers:
  - {command: [printf, 'moves: R'], label: Kurzform, optimal: true}
  - {command: [printf, 'moves: RLR'], label: Umweg, optimal: true}
warmup: 0
output: out
""")
        self.tilelab("run", "long.yaml", "-q", code=3)
        self.tilelab("report", "out", "--by-solver", "-o", "pages")
        page = html.unescape((self.folder / "pages" / "submissions" / "Umweg.html").read_text())
        self.assertIn("wrong_answer: the path of another solver is shorter", page)
        self.assertNotIn("printf 'moves: R',", page)
        self.assertNotIn("Kurzform", page)


class Rules(FolderCase):
    def refused(self, *rules):
        text = EXPERIMENT.replace("SOLVERS", "").split("points:")[0] + "points:\n" + "".join(f"  {rule}\n" for rule in rules)
        (self.folder / "rules.yaml").write_text(text)
        return self.tilelab("check", "rules.yaml", code=2).stderr

    def test_problems_have_places(self):
        first = EXPERIMENT.split("points:")[0].replace("SOLVERS", "").count("\n") + 2
        for number, (rule, said) in enumerate((
                ("optimall: 1", "begins with 'optimall'; expected solved, optimal"), ("expandd at most 3: 1", "did you mean 'expanded'"),
                ("expanded within x of reference: 1", "not complete; expected expanded within 2x of"), ("cpu at most 3 apples: 1", "such as 500ms"),
                ("solved on opn: 1", "did you mean 'open'"), ("'expanded within 2x of astar(manhatan)': 1", "did you mean 'astar(manhattan)'"),
                ("solved on none: 1", "applies to no board"), ("unsolvable on open: 1", "applies to no board"), ("solved: 0", "a number above 0"),
                ("solved: 1.005", "two decimals"))):
            said_of = self.refused(rule)
            self.assertIn(f"rules.yaml:{first}:", said_of, number)
            self.assertIn(said, said_of)

    def test_without_rules(self):
        (self.folder / "none.yaml").write_text("experiment: none\ninstances: [{name: a, boards: [1 2 3 4 5 6 7 0 8]}]\n"
                                               "solvers: [{command: [echo, no], label: x}]\noutput: out\n")
        self.tilelab("run", "none.yaml", "-q", code=3)
        self.assertIn("no rules for points", self.tilelab("marks", "out", code=2).stderr)

    def test_unsolvable_boards_can_be_drawn(self):
        for line in self.tilelab("generate", "--unsolvable", "--count", "6", "--distinct", "--size", "2x2").stdout.splitlines()[1:]:
            self.assertEqual(self.tilelab("solve", "--size", "2x2", line.split(",")[3], code=3).stdout.splitlines()[1], "status: unsolvable")
        self.assertIn("has no meaning", self.tilelab("generate", "--unsolvable", "--method", "all", code=2).stderr)


def page_of(label):
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-.") else "_" * len(letter.encode()) for letter in label)


# What the page of each that is not right says.
FAULTS = {"fritz": "are not shortest", "gina": "no answer within 3 s", "hugo": "it counts what no search can", "ida": "Its path is wrong on", "jan": "IndexError",
          "karl": "no answer within 3 s", "lena": "cannot be read", "otto": "is no answer", "petra": "its folder is empty", "quirin": "its build failed",
          "rosa": "more than 16 MiB of output", "sven": "is no answer"}


@unittest.skipUnless("TILELAB_LONG" in os.environ and shutil.which("bwrap"), "takes a minute, and needs bubblewrap")
class Evening(FolderCase):
    """The twenty of classroom.py, from the folders to the pages, by three commands."""

    def setUp(self):
        super().setUp()
        classroom.write_classroom(self.folder)
        path = self.folder / "marking.yaml"
        path.write_text(path.read_text().replace("  - astar(manhattan)\n", "  - astar(manhattan)\n  - idastar(manhattan)\n")
                        + "points: {optimal: 4, unsolvable: 2, expanded within 1000x of reference: 3, 'cpu at most 1s': 1}\n")
        started = time.monotonic()
        self.tilelab("run", "marking.yaml", "-q", "--jobs", "2", code=3, options={"timeout": 900})
        self.tilelab("marks", "out", code=(0, 3))
        self.tilelab("report", "out", "--by-solver", figures=True)
        self.seconds = time.monotonic() - started
        self.points = {row["label"]: row for row in read_table(self.folder / "out" / "points.csv")}
        self.pages = {path.stem: html.unescape(path.read_text()) for path in (self.folder / "out" / "by_solver" / "submissions").iterdir()}

    def test_the_evening(self):
        self.assertLess(self.seconds, 600)
        self.assertEqual(({*self.points}, {*self.pages}), ({*classroom.submissions(self.folder)}, {page_of(label) for label in self.points}))
        self.honest_ones_lose_nothing()
        self.faults_are_named()
        self.nobody_reads_of_others()
        first = (self.folder / "out" / "points.csv").read_bytes()
        self.tilelab("marks", "out", code=(0, 3))
        self.assertEqual((self.folder / "out" / "points.csv").read_bytes(), first)
        if chromium.PROGRAM:
            self.boards_stand_beside_each_other()

    def honest_ones_lose_nothing(self):
        for label in classroom.HONEST:
            row = self.points[label]
            for rule, most in (("optimal", "4.00"), ("unsolvable", "2.00"), ("expanded within 1000x of reference", "3.00")):
                self.assertIn(row[rule], (most, "") if "preliminary" in row["comment"] else (most,), (label, rule, row["comment"]))

    def faults_are_named(self):
        for name, said in FAULTS.items():
            self.assertIn(said, self.pages[name])
        shown = html.unescape((self.folder / "out" / "by_solver" / "class.html").read_text())
        self.assertRegex(shown, r"anna, .*nina.* have the same counters on \d boards, those of astar\(manhattan\)")
        self.assertRegex(shown, r"bernd and clara .*those of idastar\(manhattan\)")
        self.assertIn("ida is right on all 5 rows of open 3x3 and wrong on 3 of 3 of hidden 3x3", shown)
        self.assertIn("hugo has counters that no search can have", shown)

    def nobody_reads_of_others(self):
        ids = {}
        for row in read_table(self.folder / "out" / "runs.csv"):
            ids.setdefault(row["label"], []).append(row["run_id"][:8])
        for label in self.points:
            for other in self.points:
                if other != label:
                    page = self.pages[page_of(label)]
                    self.assertFalse([text for text in (f"submission={other},", f">{other}<", *ids[other]) if text in page], (label, other))

    def boards_stand_beside_each_other(self):
        browser = chromium.Chromium()
        self.addCleanup(browser.close)
        for width in (1280, 390):
            page = chromium.Page(browser, width=width)
            page.open(self.folder / "out" / "by_solver" / "submissions" / "fritz.html")
            self.assertEqual(page.run("document.querySelectorAll('#beside .player').length"), 6)
            page.run("document.querySelector('#beside .buttons button:last-child').click()")
            self.assertRegex(page.run("document.querySelector('#beside .player .under[role=status]').textContent"), r"^move (\d+) of \1")
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
            self.assertEqual((page.said, page.requests[1:]), ([], []))
            page.close()
