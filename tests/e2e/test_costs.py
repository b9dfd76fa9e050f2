"""Moves that cost different amounts: the cells of an experiment's rows, and what is said of solvers that count moves."""
import unittest
from fractions import Fraction

from support import FolderCase, read_table

EXPERIMENT = """
experiment: costs
cost: heavy
instances:
  - {name: heavy, size: 3x3, count: 2, method: walk, steps: 12}
  - {name: fractional, size: 3x3, count: 2, method: walk, steps: 12, cost: fractional}
  - {name: unit, size: 3x3, count: 2, method: walk, steps: 12, cost: unit}
solvers: [bfs, astar(manhattan), "idastar(linear_conflict, solutions=all)"]
output: results
"""
COST = {"unit": lambda tile: Fraction(1), "heavy": lambda tile: Fraction(tile), "fractional": lambda tile: 1 + Fraction(1, 1 + tile)}


def cost_of(row):
    """What a row's path costs, by its cells."""
    cells = [int(tile) for tile in row["start"].split()]
    width, blank, total = int(row["width"]), cells.index(0), Fraction(0)
    for move in row["moves"]:
        to = blank + {"U": -width, "D": width, "L": -1, "R": 1}[move]
        total += COST[row["cost_model"]](cells[to])
        cells[blank], cells[to], blank = cells[to], 0, to
    return total


class Costs(FolderCase):
    def test_rows_have_exact_costs(self):
        (self.folder / "e.yaml").write_text(EXPERIMENT)
        said = self.tilelab("run", "e.yaml").stderr
        self.assertIn("bfs counts moves: with cost: heavy", said)
        rows = read_table(self.folder / "results" / "runs.csv")
        self.assertEqual(len(rows), 18)
        for row in rows:
            self.assertEqual((row["status"], row["cost_model"]), ("solved", row["set"]))
            self.assertEqual(Fraction(row["cost"]), cost_of(row))
            self.assertEqual(row["solutions"] != "", row["algorithm"] == "idastar")
            cheapest = min(Fraction(other["cost"]) for other in rows if (other["set"], other["instance"]) == (row["set"], row["instance"]))
            if row["algorithm"] != "bfs":
                self.assertEqual(Fraction(row["cost"]), cheapest)


if __name__ == "__main__":
    unittest.main()
