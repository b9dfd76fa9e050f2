"""The manual against the program: the tables of every page are what the program prints, and every command of a page prints
what stands below it.

`TILELAB_README_WRITE=1 python3 tests/e2e/test_readme.py` puts the tables in anew."""

import os
import re
import subprocess
import textwrap
import unittest

from support import ISOLATES, SOURCE, TILELAB, Case

# Everything that is read as the manual; what git does not know (build folders, results) has pages of its own.
ROOMS = (".", "harness", "harness/*", "include", "instances", "results", "scripts", "solvers", "solvers/*", "tests")
PAGES = sorted({page for room in ROOMS for page in SOURCE.glob(f"{room}/*.md")})
HISTORY = {SOURCE / "CHANGELOG.md", SOURCE / "DECISIONS.md"}
MOST_LINES = 150
MOST_WORDS = 600
# Each of these tables is on one page.
TABLES = ["list algorithms", "list heuristics", "list keys", "list figures",
          *(f"list columns {name}" for name in ("runs", "rounds", "messages", "summary", "by_depth", "pairs", "expect"))]
PROGRAM = "build/release/tilelab"


def table(command):
    return subprocess.run([TILELAB, *command.split()], text=True, capture_output=True, check=True).stdout


def folded(text):
    """A table of columns in which METRIC stands for each metric: all have the same columns, with the same meanings."""
    metrics = re.findall(r"^\| (\w+)_median_all ", table("list columns summary --markdown"), flags=re.M)
    head, rule, *rows = text.splitlines()
    kept, columns = [], {metric: [] for metric in metrics}
    for row in rows:
        name, kind, unit, empty, repeats, meaning = (cell.strip() for cell in row.strip("|").split("|"))
        metric = next((metric for metric in metrics if re.fullmatch(
            rf"(mean|sd|lower|median|upper)_{metric}|{metric}_(mean|sd|lower|median|upper|median_all)", name)), None)
        if metric:
            cells = (name.replace(metric, "METRIC"), kind, "the metric's", empty, "as the metric",
                     meaning.replace(f"{metric} of runs.csv", "METRIC of runs.csv"))
            columns[metric].append(cells)
            row = "| " + " | ".join(cells) + " |"
        if metric in (None, metrics[0]):
            kept.append(row)
    assert all(columns[metric] == columns[metrics[0]] for metric in metrics), columns
    return "\n".join([head, rule, *kept, "", textwrap.fill("METRIC is any of " + ", ".join(metrics) + ".", 120)]) + "\n"


def anchor(title):
    """What links to a heading after #."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def shown(listing):
    command, comma, _ = listing.partition(", folded")
    return folded(table(command)) if comma else table(command)


def with_tables(text):
    return re.sub(r"<!-- tilelab (list [^>]*?) -->\n.*?<!-- end -->",
                  lambda found: f"<!-- tilelab {found[1]} -->\n{shown(found[1])}<!-- end -->", text, flags=re.S)


def examples(text):
    """(command, lines below it) of every `$ command` in a console block."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, flags=re.S | re.M):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output.splitlines()


def matches(expected, printed):
    """Line by line; `...` at a line's end stands for its rest, alone for all lines that follow."""
    for number, line in enumerate(expected):
        if line == "...":
            return True
        if number >= len(printed):
            return False
        if line.endswith(" ..."):
            if not printed[number].startswith(line[:-len("...")].rstrip()):
                return False
        elif line != printed[number]:
            return False
    return len(printed) == len(expected)


class Readme(Case):
    def test_tables_are_what_the_program_lists(self):
        texts = {page: page.read_text() for page in PAGES}
        for command in TABLES:
            self.assertEqual(sum(bool(re.search(f"<!-- tilelab {command} --markdown(, folded)? -->", text)) for text in texts.values()),
                             1, command)
        for page, text in texts.items():
            with self.subTest(page):
                self.assertEqual(text, with_tables(text), "the page, and with what the program prints")

    def test_commands_print_what_stands_below_them(self):
        found = [example for page in PAGES for example in examples(page.read_text())]
        self.assertGreater(len(found), 8)
        for command, expected in found:
            with self.subTest(command):
                self.assertIn(PROGRAM, command)
                done = subprocess.run(["bash", "-c", command.replace(PROGRAM, f"'{TILELAB}'")], text=True,
                                      capture_output=True, cwd=SOURCE, timeout=300)
                self.assertIn(done.returncode, (0, 3), done.stderr)
                # Tables are built by whoever needs them first.
                said = [line for line in done.stderr.splitlines() if not line.startswith("tilelab: pattern database ") and
                        (ISOLATES or "bwrap cannot isolate here" not in line)]
                if "status: unsolvable" not in expected:
                    self.assertEqual(said, [])
                printed = done.stdout.splitlines()
                if not matches(expected, printed):
                    self.assertEqual(expected, printed, "on the page, and printed")

    def test_the_first_page_is_short(self):
        self.assertLessEqual(len((SOURCE / "README.md").read_text().splitlines()), MOST_LINES)

    def test_lines_of_prose_are_short(self):
        """At most 120 characters; tables, code and what stands in comments may be longer."""
        for page in PAGES:
            text = re.sub(r"(?ms)^```.*?^```$|^<!--.*?-->", "", page.read_text())
            long = [line for line in text.splitlines() if len(line) > 120 and not line.startswith(("|", "    "))]
            self.assertEqual(long, [], page)

    def test_what_they_point_to_is_there(self):
        """Files, and the headings behind #."""
        links = [(page, link) for page in PAGES for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text())]
        self.assertGreater(len(links), 20)
        for page, link in links:
            target, _, heading = link.partition("#")
            if "://" in link:
                continue
            path = page.parent / target if target else page
            self.assertTrue(path.exists(), (page, link))
            if heading:
                titles = re.findall(r"^#+ (.*)", path.read_text(), flags=re.M)
                self.assertIn(heading, [anchor(title) for title in titles], page)

    def test_every_page_is_reached_from_the_first(self):
        reached, waiting = set(), [SOURCE / "README.md"]
        while waiting:
            page = waiting.pop()
            if page in reached:
                continue
            reached.add(page)
            targets = (link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()) if "://" not in link)
            waiting += [(page.parent / target).resolve() for target in targets if target.endswith(".md")]
        self.assertEqual([page for page in PAGES if page not in reached], [])

    def test_no_page_is_long(self):
        """But for the rows of the tables that the program prints, which grow with what is added."""
        def lines(page):
            return len(re.sub(r"(<!-- tilelab list [^>]*-->\n).*?(<!-- end -->)", r"\1\2", page.read_text(), flags=re.S).splitlines())
        self.assertEqual([(page, lines(page)) for page in PAGES if page not in HISTORY and lines(page) > MOST_LINES], [])

    # Where a row of the first page's table leads, and the words that one came for.
    GOALS = {"do a whole coursework sheet": "report results/sheet --format docx",
             "draw the tree": "solve --svg -s",
             "see a search step by step": "solve --trace --steps",
             "mark a solution": "verify solution 8 1 3",
             "compare my program with A*": "report results/assignment",
             "write a heuristic in C": "solve --plugin mine.so",
             "hand in a table in Word or LaTeX": "\\input{effects}",
             "see what changed since last time": "Exit code 3",
             "know why my number is different": "solve --trace",
             "run on a cluster": "submit coursework --shards",
             "reproduce my coursework": "tilelab compare results/uninformed",
             "draw figures, or a page with everything": "tilelab plot results/coursework",
             "use pattern databases": "solve -s 'idastar(pdb:5-5-5:reflect)'",
             "add anything to tilelab": "solvers/heuristics/heuristics.def",
             "call it from a script": "run coursework --json"}

    def test_every_way_is_short(self):
        """From the first page through its table of tasks to the goal: so many words of the manual at most."""
        first = (SOURCE / "README.md").read_text()
        head = first[:first.index("\n\n", first.index("| --- |"))]
        rows = dict(re.findall(r"^\| ([^|]+) \| .*?\]\(([^)]+)\)", head, flags=re.M))
        ways = {}
        for task, goal in self.GOALS.items():
            target, _, heading = rows[task].partition("#")
            text = (SOURCE / target).read_text()
            titles = [match for match in re.finditer(r"^#+ (.*)", text, flags=re.M)
                      if not heading or anchor(match[1]) == heading]
            begin = titles[0].start()
            ways[task] = len(head.split()) + len(text[begin:text.index(goal, begin)].split())
        if os.environ.get("TILELAB_PRINT"):
            print("\n".join(f"{words:5} {task}" for task, words in ways.items()))
        self.assertEqual({task: words for task, words in ways.items() if words > MOST_WORDS}, {})

    def test_every_room_is_described(self):
        """By a page of its own, or by name on the page of the folder above."""
        rooms = [room for top in ("solvers", "harness") for room in sorted((SOURCE / top).iterdir()) if room.is_dir()]
        self.assertEqual([room for room in rooms if not (room / "README.md").exists()
                          and f"`{room.name}/`" not in (room.parent / "README.md").read_text()], [])


if __name__ == "__main__":
    if os.environ.get("TILELAB_README_WRITE"):
        for page in PAGES:
            page.write_text(with_tables(page.read_text()))
    else:
        unittest.main()
