"""The manual against the program: the tables of every page are what the program prints, and every command of a page prints
what stands below it.

`TILELAB_README_WRITE=1 python3 tests/e2e/test_readme.py` puts the tables in anew."""

import os
import pathlib
import re
import subprocess
import unittest

from support import Case

TILELAB = os.environ["TILELAB"]
SOURCE = pathlib.Path(os.environ["TILELAB_SOURCE"])
PAGES = [SOURCE / "README.md", *sorted(SOURCE.glob("*/README.md")), *sorted(SOURCE.glob("harness/*/README.md"))]
# Each of these tables is on one page.
TABLES = ["list algorithms", "list heuristics", "list keys", "list figures",
          *(f"list columns {name}" for name in ("runs", "rounds", "messages", "summary", "by_depth", "pairs", "expect"))]
PROGRAM = "build/release/tilelab"


def table(command):
    return subprocess.run([TILELAB, *command.split()], text=True, capture_output=True, check=True).stdout


def with_tables(text):
    return re.sub(r"<!-- tilelab (list [^>]*?) -->\n.*?<!-- end -->",
                  lambda found: f"<!-- tilelab {found[1]} -->\n{table(found[1])}<!-- end -->", text, flags=re.S)


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
            self.assertEqual(sum(f"<!-- tilelab {command} --markdown -->" in text for text in texts.values()), 1, command)
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
                said = [line for line in done.stderr.splitlines() if not line.startswith("tilelab: pattern database ")]
                if "status: unsolvable" not in expected:
                    self.assertEqual(said, [])
                printed = done.stdout.splitlines()
                if not matches(expected, printed):
                    self.assertEqual(expected, printed, "on the page, and printed")

    def test_the_first_page_is_short(self):
        self.assertLessEqual(len((SOURCE / "README.md").read_text().splitlines()), 150)

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
                self.assertIn(heading, [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles], page)

    def test_every_page_is_reached_from_the_first(self):
        first = (SOURCE / "README.md").read_text()
        for page in PAGES[1:]:
            self.assertIn(f"]({page.relative_to(SOURCE)})", first)


if __name__ == "__main__":
    if os.environ.get("TILELAB_README_WRITE"):
        for page in PAGES:
            page.write_text(with_tables(page.read_text()))
    else:
        unittest.main()
