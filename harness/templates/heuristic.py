"""A heuristic for tilelab, Manhattan distance: values batches of boards. As own.py, a solver of an experiment has it so:

    {algorithm: batch_astar, heuristic: {command: [python3, own.py], consistent: true}}

    tilelab verify heuristics --plugin '{command: [python3, own.py], consistent: true}' own
"""
import sys

# A batch: a line `W H N`, a line with the goal and N lines with boards, row by row, 0 the blank.
for header in sys.stdin:
    width, height, count = map(int, header.split())
    goal, *boards = [sys.stdin.readline().split() for _ in range(count + 1)]
    home = {tile: cell for cell, tile in enumerate(goal)}
    # The answer: one line with a whole number for each board.
    print(*[sum(abs(cell % width - home[tile] % width) + abs(cell // width - home[tile] // width)
                for cell, tile in enumerate(board) if tile != "0") for board in boards], flush=True)
