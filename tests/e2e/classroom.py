"""Twenty made-up submissions, good and bad, and the experiment that runs them: what a lecturer has in the evening."""

import pathlib
import re
import subprocess
import sys

from support import SOURCE

TEMPLATES = SOURCE / "harness" / "templates"

# Everyone has these: the distances are 6, 10, 14, 18 and 22, and the last one is unsolvable.
OPEN = ("1 2 3 4 0 8 7 6 5", "5 1 2 6 0 3 4 7 8", "0 1 2 4 3 6 7 8 5", "7 4 6 1 0 3 5 8 2", "7 1 0 4 2 6 8 3 5", "1 2 3 4 5 6 8 7 0")

EXPERIMENT = """experiment: marking
seed: SEED
instances:
  - {name: open, file: open.csv}
  - {name: hidden, size: 3x3, method: depth, depths: [4, 10, 16], count: 1}
solvers:
  - astar(manhattan)
  - {submissions: submissions, optimal: true, logs: true}
limits: {time: 3s, memory: 512MiB}
warmup: 0
output: out
compare: {baseline: astar(manhattan)}
"""

BREADTH_FIRST = """import collections, sys
w, h, *tiles = map(int, sys.stdin.read().split())
start, goal = tuple(tiles[:w * h]), tuple(tiles[w * h:])
paths, live, expanded, generated = {start: ""}, collections.deque([start]), 0, 1
while live and goal not in paths:
    board = live.popleft()
    expanded += 1
    at = board.index(0)
    for move, to, fits in (("U", at - w, at >= w), ("L", at - 1, at % w > 0), ("R", at + 1, at % w < w - 1), ("D", at + w, at < w * h - w)):
        if fits:
            child = list(board)
            child[at], child[to] = child[to], 0
            generated += 1
            if tuple(child) not in paths:
                paths[tuple(child)] = paths[board] + move
                live.append(tuple(child))
print("moves: " + paths[goal] if goal in paths else "status: unsolvable")
print(f"expanded: {expanded}\\ngenerated: {generated}")
"""

# Best first by h alone: its paths are long, whatever it promises.
GREEDY = BREADTH_FIRST.replace("collections, sys", "heapq, sys").replace("collections.deque([start])", "[(0, start)]") \
    .replace("live.popleft()", "heapq.heappop(live)[1]").replace("live.append(tuple(child))", "heapq.heappush(live, (wrong(child), tuple(child)))") \
    .replace("paths, live", "wrong = lambda board: sum(a != b for a, b in zip(board, goal) if a)\npaths, live", 1)

HARD_CODED = """import sys
known = KNOWN
print(known.get(" ".join(sys.stdin.read().split()[2:11]), "moves: UDUD"))
print("expanded: 20\\ngenerated: 40")
"""

# Two hundred processes, not more, that wait with it.
FORKING = """import os, time
for _ in range(200):
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)
time.sleep(600)
"""

WRITING = """import os, pathlib
for place in (".", "..", "/tmp", "/", os.path.dirname(os.path.abspath(__file__)), os.environ.get("HOME", "."), "/dev/shm", "../../out"):
    try:
        (pathlib.Path(place) / "written.txt").write_text("here I was" * 1000)
        with open(pathlib.Path(place) / "main.py", "a") as file:
            file.write("# changed\\n")
    except OSError:
        pass
"""

# Runs a neighbour's program, where one is to be found.
READING = """import glob, os, subprocess, sys
here = os.path.dirname(os.path.abspath(__file__))
found = [path for pattern in ("../*/main.py", "../../*/main.py", "../../*/files/main.py", PLACE + "/*/main.py") for path in glob.glob(os.path.join(here, pattern))
         if os.path.dirname(os.path.abspath(path)) != here]
print("neighbours: ", len(found))
if found:
    subprocess.run([sys.executable, found[0]], check=False)
"""


def astar_py():
    return (TEMPLATES / "astar.py").read_text()


def renamed(text):
    """The same program with other names for its variables."""
    names = {"board": "stellung", "path": "weg", "live": "offen", "shortest": "bekannt", "expanded": "zaehler", "generated": "erzeugt",
             "child": "kind", "blank": "leer", "estimate": "schaetzung"}
    renamed = re.sub(r"\b(%s)\b(?!:)" % "|".join(names), lambda match: names[match[1]], text)
    return "# Meine Abgabe, selbst gemacht\n" + renamed.replace("in (\"start\", \"goal\")", "in (1, 2)")


def known_answers():
    """What the right program prints for the open boards."""
    goal = "1 2 3 4 5 6 7 8 0"
    return {board: subprocess.run([sys.executable, TEMPLATES / "astar.py"], input=f"3 3 {board} {goal}\n", text=True, capture_output=True,
                                  check=True).stdout.splitlines()[0] for board in OPEN}


def submissions(folder):
    """What each hands in: {folder: {file: text}}."""
    java = (TEMPLATES / "Solver.java").read_text().replace("class Solver", "class Main")
    right = astar_py()
    return {
        "anna": {"main.py": right},
        "bernd": {"search.c": (TEMPLATES / "idastar.c").read_text(), "Makefile": "solver: search.c\n\tcc -O2 -o solver search.c\n"},
        "clara": {"Main.java": java},
        "dora": {"main.js": (TEMPLATES / "astar.js").read_text()},
        "emil": {"main.py": "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end:\n    pass\n" + BREADTH_FIRST},
        "fritz": {"main.py": GREEDY},
        "gina": {"main.py": "while True:\n    pass\n"},
        "hugo": {"main.py": BREADTH_FIRST.replace("{expanded}", "1").replace("{generated}", "2")},
        "ida": {"main.py": HARD_CODED.replace("KNOWN", repr(known_answers()))},
        "jan": {"main.py": "import sys\nnumbers = sys.stdin.read().split()\nprint(numbers[99])\n"},
        "karl": {"main.py": FORKING},
        "lena": {"main.py": "import random, sys\nsys.stdout.buffer.write(random.Random(1).randbytes(5000))\nprint('\\nmoves: north, south and \\x1b[31mred')\n"},
        "mara": {"main.py": WRITING + right},
        "nina": {"main.py": renamed(right)},
        "otto": {"main.py": READING.replace("PLACE", repr(str(folder)))},
        "petra": {},
        "quirin": {"main.c": "#include <stdio.h>\nint main(void) { printf(\"moves:\\n\") retrun 0; }\n"},
        "rosa": {"main.py": "import sys\nfor _ in range(32):\n    sys.stdout.write('tree\\n' * (1 << 18))\nprint('moves:')\n"},
        "sven": {"main.py": "import sys\nsys.stdin.read()\n"},
        "Tülay Ößmann (Übung 3)": {"Tülay/run.sh": "exec python3 mein_löser.py\n", "Tülay/mein_löser.py": right},
    }


HONEST = ("anna", "bernd", "clara", "dora", "emil", "mara", "nina", "Tülay Ößmann (Übung 3)")


def write_classroom(folder, seed="{file: secret.txt}"):
    """Writes the submissions, the open boards, the secret and marking.yaml into a folder."""
    folder = pathlib.Path(folder)
    place = folder / "submissions"
    for name, files in submissions(place).items():
        (place / name).mkdir(parents=True)
        for file, text in files.items():
            (place / name / file).parent.mkdir(exist_ok=True)
            (place / name / file).write_text(text)
    (folder / "open.csv").write_text("id,width,height,start\n" + "".join(f"{i + 1},3,3,{board}\n" for i, board in enumerate(OPEN)))
    (folder / "secret.txt").write_text("what nobody guesses\n")
    (folder / "marking.yaml").write_text(EXPERIMENT.replace("SEED", seed))
