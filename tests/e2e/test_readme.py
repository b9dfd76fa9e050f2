"""README.md and results/README.md against the program: their tables are what `tilelab list` prints, its commands print what stands below them.

`TILELAB_README_WRITE=1 python3 tests/e2e/test_readme.py` puts the tables in anew."""

import os
import pathlib
import re
import subprocess
import unittest

TILELAB = os.environ["TILELAB"]
SOURCE = pathlib.Path(os.environ["TILELAB_SOURCE"])
README = SOURCE / "README.md"
RESULTS = SOURCE / "results" / "README.md"
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


class Readme(unittest.TestCase):
    maxDiff = None

    def test_tables_are_what_the_program_lists(self):
        text = README.read_text()
        self.assertIn("<!-- tilelab list algorithms --markdown -->", text)
        self.assertIn("<!-- tilelab list heuristics --markdown -->", text)
        self.assertEqual(text, with_tables(text))

    def test_the_page_of_the_columns_is_what_the_program_lists(self):
        text = RESULTS.read_text()
        self.assertIn("<!-- tilelab list columns --markdown -->", text)
        self.assertEqual(text, with_tables(text))

    def test_commands_print_what_stands_below_them(self):
        found = list(examples(README.read_text()))
        self.assertGreater(len(found), 8)
        for command, expected in found:
            with self.subTest(command):
                self.assertIn(PROGRAM, command)
                done = subprocess.run(["bash", "-c", command.replace(PROGRAM, f"'{TILELAB}'")], text=True,
                                      capture_output=True, cwd=SOURCE, timeout=300)
                self.assertIn(done.returncode, (0, 3), done.stderr)
                # Tables are built by whoever needs them first.
                told = [line for line in done.stderr.splitlines() if not line.startswith("tilelab: pattern database ")]
                if "status: unsolvable" not in expected:
                    self.assertEqual(told, [])
                printed = done.stdout.splitlines()
                if not matches(expected, printed):
                    self.assertEqual(expected, printed)

    def test_files_it_points_to_are_there(self):
        for target in re.findall(r"\]\(([^)#]+)\)", README.read_text()):
            if "://" not in target:
                self.assertTrue((SOURCE / target).exists(), target)


if __name__ == "__main__":
    if os.environ.get("TILELAB_README_WRITE"):
        for page in (README, RESULTS):
            page.write_text(with_tables(page.read_text()))
    else:
        unittest.main()
