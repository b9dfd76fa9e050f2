"""tilelab verify heuristics: what a person sees of what heuristics say."""
import json
import re

from support import FolderCase


# Means over all 181,440 boards of the 8-puzzle that need no search: each tile is on each cell equally often. A cell is 2 steps
# away from a corner on average, 5/3 from an edge, 4/3 from the middle; and two times in three in another row, or column.
EXACT = {"zero": 0, "misplaced": 8 * 8 / 9, "manhattan": 3 * 2 + 4 * 5 / 3 + 4 / 3, "out_of_row_column": 8 * 2 * 2 / 3}


class Verify(FolderCase):
    def verify(self, *arguments, code=0):
        return self.tilelab("verify", *arguments, code=code)

    def json(self, *arguments):
        return {found["heuristic"]: found for found in json.loads(self.verify("heuristics", "--json", *arguments).stdout)}

    def test_all_of_them_on_every_8_puzzle(self):
        found = self.json()
        for name, mean in EXACT.items():
            self.assertAlmostEqual(found[name]["mean"], mean, places=9)
        listed = json.loads(self.tilelab("list", "heuristics", "--json").stdout)
        for row in listed:
            name = re.split(r"[\[:]", row["heuristic"])[0]
            mine = [one for text, one in found.items() if text.split(":")[0] == name]
            self.assertTrue(mine, name)
            for one in mine:
                self.assertEqual(one["boards"], 181440)
                self.assertEqual(one["steps_unequal"], 0)
                if row["admissible"] == "yes":
                    self.assertEqual(one["mean_at_distance"][0], 0)
                    self.assertLessEqual(max(mean - depth for depth, mean in enumerate(one["mean_at_distance"])), 0)
                claims = {"admissible": "admissible", "consistent": "consistent", "parity": "parity",
                          "zero_at_goal_only": "0 at goal only", "incremental": "incremental"}
                for key, heading in claims.items():
                    self.assertEqual("yes" if one[key] else "no", row[heading], (name, key))

    def test_stronger_ones_say_more(self):
        found = self.json("manhattan", "linear_conflict", "walking_distance", "max:linear_conflict+walking_distance",
                          "pdb:4-4", "pdb:4-4:reflect", "pdb:1.2.3.4.5.6.7.8")
        means = [found[name]["mean"] for name in found]
        self.assertEqual(means, sorted(means))
        self.assertEqual(found["pdb:1.2.3.4.5.6.7.8"]["mean_at_distance"], list(range(32)))

    def test_the_table_for_people(self):
        text = self.verify("heuristics", "misplaced", "manhattan").stdout
        self.assertIn("all 181440 boards of 3x3, goal 1 2 3 4 5 6 7 8 0\n", text)
        self.assertRegex(text, r"(?m)^misplaced +7\.1111 +8  yes +yes +no +yes +yes$")
        self.assertRegex(text, r"(?m)^manhattan +14\.0000 +22  yes +yes +yes +yes +yes$")
        self.assertRegex(text, r"(?m)^ +31 +2 +7\.000 +21\.000$")

    def test_other_goals_and_shapes(self):
        text = self.verify("heuristics", "--size", "4x2", "--goal", "1 0 2 3 4 5 6 7", "manhattan").stdout
        self.assertIn("all 20160 boards of 4x2, goal 1 0 2 3 4 5 6 7\n", text)

    def test_a_sample_is_that_of_generate(self):
        done = self.tilelab("generate", "--size", "4x4", "--count", "50", "--seed", "9")
        starts = [line.split(",")[3].split() for line in done.stdout.splitlines()[1:]]
        sums = [sum(abs((int(tile) - 1) // 4 - cell // 4) + abs((int(tile) - 1) % 4 - cell % 4)
                    for cell, tile in enumerate(start) if tile != "0") for start in starts]
        found = self.json("--size", "4x4", "--boards", "50", "--seed", "9", "manhattan")["manhattan"]
        self.assertAlmostEqual(found["mean"], sum(sums) / 50, places=9)
        self.assertEqual(found["largest"], max(sums))
        text = self.verify("heuristics", "--size", "4x4", "--boards", "50", "manhattan").stdout
        self.assertRegex(text, r"(?m)^manhattan .* claimed +yes ")
        self.assertNotIn("mean h by distance", text)

    def test_what_cannot_be_had_is_left_out_and_said(self):
        done = self.verify("heuristics", "--size", "5x5", "--boards", "2")
        self.assertIn("left out: walking_distance has large tables on 5x5; expected its name", done.stderr)
        self.assertNotRegex(done.stdout, r"(?m)^walking_distance")
        self.assertRegex(done.stdout, r"(?m)^linear_conflict ")
        done = self.verify("heuristics", "--size", "6x6", "--boards", "2")
        self.assertIn("left out: walking_distance is not defined on 6x6", done.stderr)

    def test_wrong_usage(self):
        for arguments, message in (([], "verify what? Expected heuristics, solution or solver"),
                                (["solvers"], "unknown word 'solvers'; expected heuristics"),
                                (["heuristics", "manhatan"], "did you mean 'manhattan'?"),
                                (["heuristics", "pdb:7-8"], "partition 7-8 is for 4x4, the goal is 3x3"),
                                (["heuristics", "--boards", "1"], "--boards 1: expected a whole number from 2"),
                                (["heuristics", "--time", "5s"], "--time is for solution and solver"),
                                (["heuristics", "--size", "1x9"], "--size 1x9"),
                                (["heuristics", "--goal", "1 2 3"], "--goal")):
            done = self.verify(*arguments, code=2)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stdout, "")
