# A* with Manhattan distance. Is it right? tilelab verify solver --optimal -- python3 my_astar.py
import heapq, itertools, sys

numbers = (int(word) for line in sys.stdin for word in line.split())
for w, h in zip(numbers, numbers):  # board after board, to the end of the input
    start, goal = [tuple(itertools.islice(numbers, w * h)) for board in ("start", "goal")]
    far = lambda a, b: abs(a % w - b % w) + abs(a // w - b // w)  # between two cells
    inversions = sum(goal.index(a) > goal.index(b) for a, b in itertools.combinations(start, 2))
    solvable = (inversions + far(start.index(0), goal.index(0))) % 2 == 0
    live, shortest, expanded, generated = [(0, 0, 0, start, "")], {start: 0}, 0, 1
    while solvable and live[0][3] != goal:
        *_, board, path = heapq.heappop(live)
        if len(path) > shortest[board]: continue  # a shorter path to it was found later
        blank, g, expanded = board.index(0), len(path) + 1, expanded + 1
        for move, back, to in zip("ULRD", "DRLU", (blank - w, blank - 1, blank + 1, blank + w)):
            if 0 <= to < w * h and far(blank, to) == 1 and path[-1:] != back:
                swap = {0: board[to], board[to]: 0}
                child = tuple(swap.get(tile, tile) for tile in board)
                generated += 1
                if g < shortest.get(child, g + 1):
                    shortest[child] = g
                    estimate = sum(far(i, goal.index(tile)) for i, tile in enumerate(child) if tile)
                    heapq.heappush(live, (g + estimate, -g, -generated, child, path + move))
    answer = f"moves: {live[0][4]}\nexpanded: {expanded}\ngenerated: {generated}"
    print(answer if solvable else "status: unsolvable", end="\n\n", flush=True)
