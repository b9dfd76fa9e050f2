"""The nodes of five of Korf and Felner's 24-puzzles (2002), to the last digit; they do not count the root. TILELAB_LONG=1."""
import json
import os
import pathlib
import subprocess
import unittest

from support import Case, read_table

ROOT = pathlib.Path(os.environ["TILELAB_SOURCE"])
PROGRAM = os.environ["TILELAB"]
LONG = os.environ.get("TILELAB_LONG") == "1"


class Published(Case):
    @unittest.skipUnless(LONG, "a minute; TILELAB_LONG=1")
    def test_24_puzzles(self):
        rows = {row["id"]: row for row in read_table(ROOT / "instances" / "sets" / "korf24_50.csv")}
        for name in ("25", "32", "38", "40", "44"):
            done = subprocess.run([PROGRAM, "solve", "-s", "idastar(pdb:6-6-6-6:reflect)", "-g", "blank-first", "--json",
                                   rows[name]["start"]], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            self.assertEqual(found["length"], int(rows[name]["optimal_length"]))
            self.assertEqual(found["generated"] - 1, int(rows[name]["ida_generated_published"]))
