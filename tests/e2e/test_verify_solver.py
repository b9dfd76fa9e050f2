"""tilelab verify solver against programs that are right, and many that are wrong in the ways of beginners. The wrong
ones are a right one whose input or output a shell command spoils."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import SOURCE, Case, FolderCase

TILELAB = os.environ["TILELAB"]
TEMPLATES = pathlib.Path(os.environ["TILELAB_SOURCE"]) / "harness" / "templates"
SOLVABLE = set(range(1, 21)) - {8, 9, 13, 18}

# Spoils the letters of the path, not the word before them.
LETTERS = "./right | sed '/^moves: /{{s/moves: //;{};s/^/moves: /}}'"


def letters(change):
    return LETTERS.format(change)


class Verify(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-verify-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        subprocess.run(["cc", "-O2", "-o", cls.folder / "right", TEMPLATES / "idastar.c"], check=True)

    def verify(self, *words, code, isolated=False):
        """Most of these programs are not isolated: that takes most of a trial's time and has tests of its own."""
        words = words if isolated else ("--no-isolate", *words)
        done = subprocess.run([TILELAB, "verify", "solver", *words], text=True, capture_output=True, cwd=self.folder, timeout=100)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def spoiled(self, script, *options, wrong, says, code=3):
        """Verifies a shell script that is wrong on these boards."""
        with self.subTest(script):
            found = json.loads(self.verify(*options, "--json", "--", "sh", "-c", script, code=code).stdout)
            self.assertEqual({answer["board"] for answer in found["answers"] if not answer["right"]}, set(wrong), found["findings"])
            self.assertEqual(found["right"], 20 - len(wrong))
            for text in (says,) if isinstance(says, str) else says:
                self.assertTrue(any(text in finding for finding in found["findings"]), (text, found["findings"]))
            return found

    def test_a_right_program_is_right(self):
        done = self.verify("--optimal", "--", "./right", code=0, isolated=True)
        self.assertTrue(done.stdout.endswith("\nAll 20 boards right.\n"), done.stdout)
        self.assertEqual(done.stdout.count("right: unsolvable"), 4)
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.verify("--quiet", "--", "./right", code=0).stdout, "")

    def test_tilelab_itself_is_right(self):
        self.verify("--optimal", "--", TILELAB, "solve", code=0, isolated=True)

    def test_json(self):
        (self.folder / "mine.py").write_text("""
import json, subprocess, sys
for line in sys.stdin:
    board = json.loads(line)
    text = f"{board['width']} {board['height']} {board['start']} {board['goal']}"
    said = subprocess.run("./right", input=text, text=True, capture_output=True).stdout
    print(json.dumps(dict(line.split(": ") for line in said.replace("moves: \\n", "boards: " + board["start"] + "\\n").splitlines())), flush=True)
""")
        self.verify("--persistent", "--protocol=json", "--optimal", "--", "/usr/bin/python3", "mine.py", code=0, isolated=True)

    def test_directions(self):
        moved = SOLVABLE - {1}
        self.spoiled(letters("y/UDLR/DURL/"), wrong=moved, says="the direction of the tile")
        self.spoiled(letters("y/UDLR/DURL/"), "--moves=tile", wrong=[], says=[], code=0)
        self.spoiled("./right", "--moves=tile", wrong=moved, says="the direction of the tile")
        self.spoiled(letters("y/UDLR/LRUD/"), wrong=moved, says="rows and columns look exchanged (U for L, L for U)")
        self.spoiled(letters("y/UDLR/RLDU/"), wrong=moved, says=("rows and columns look exchanged, and they look", ))
        for pair, what in (("y/UD/DU/", "U and D look exchanged"), ("y/LR/RL/", "L and R look exchanged")):
            found = json.loads(self.verify("--json", "--", "sh", "-c", letters(pair), code=3).stdout)
            self.assertTrue(any(what in finding for finding in found["findings"]), found["findings"])

    def test_paths(self):
        moved = SOLVABLE - {1}
        backwards = "./right | while read -r name value; do case $name in moves:) value=$(echo \"$value\" | rev);; esac; echo \"$name $value\"; done"
        found = json.loads(self.verify("--json", "--", "sh", "-c", backwards, code=3).stdout)
        self.assertTrue(any("in the opposite order" in finding for finding in found["findings"]), found["findings"])
        self.spoiled("./right | sed '/^moves: ./s/.$//'", wrong=moved, says="Its path is wrong on boards 2 to 7")
        self.spoiled("cat >&2; echo moves: RDLL", wrong=range(1, 21), says="It gives a path for an unsolvable board")
        self.spoiled("./right | sed 's/^moves: U/&DU/;s/^moves: D/&UD/;s/^moves: L/&RL/;s/^moves: R/&LR/'", "--optimal",
                     wrong=moved, says="are not shortest, which --optimal promises")
        self.spoiled("./right | sed 's/^moves: U/&DU/;s/^moves: D/&UD/;s/^moves: L/&RL/;s/^moves: R/&LR/'",
                     wrong=[], says="are right, but not shortest", code=0)
        self.spoiled("./right; echo length: 3", wrong=SOLVABLE - {3}, says="cannot be used")

    def test_the_goal_and_the_size(self):
        ignores = "awk 'NR==1{w=$1;h=$2} NR<=h+2{print} END{for(i=1;i<w*h;i++)printf \"%d \",i; print 0}' | ./right"
        self.spoiled(ignores, wrong={10, 11, 12, 13, 16, 20}, says=("It ignores the goal that it is given: its paths on boards",
                                                                     "lead to blank-last"))
        self.spoiled("awk 'NR==1{print $2, $1; next} {print}' | ./right", wrong={14, 15, 16, 17},
                     says="It takes the width for the height on boards 14 to 17")
        self.spoiled("read -r w h; [ $w$h = 33 ] || exit 1; (echo 3 3; cat) | ./right", wrong=range(14, 21),
                     says=("It is right on 3x3, but solves no board of another size", "It crashed on boards 14 to 20"))

    def test_unsolvable_boards(self):
        unsolvable = {8, 9, 13, 18}
        answer = "x=$(./right); case $x in *unsolvable*) {};; *) echo \"$x\";; esac"
        self.spoiled("b=$(cat); case $b in *'15 14'*) sleep 99;; *) echo \"$b\" | ./right;; esac", "--time=3s", wrong={18},
                     says="On unsolvable boards (board 18) it did not stop within 3 s: test the parity")
        self.spoiled(answer.format("echo moves:"), wrong=unsolvable, says="It gives a path for an unsolvable board")
        self.spoiled(answer.format("echo status: stuck"), wrong=unsolvable, says="It gave up on boards 8, 9, 13 and 18")
        self.spoiled(answer.format("echo status: exhausted"), wrong=[], says=[], code=0)
        self.spoiled(answer.format("echo 'IndexError: pop from empty heap' >&2; exit 1"), wrong=unsolvable, says="It crashed on")
        self.spoiled("cat >&2; echo status: unsolvable", wrong=SOLVABLE, says="It calls every solvable board unsolvable")
        self.spoiled("read -r w h; [ $w = 3 ] && { (echo $w $h; cat) | ./right; } || { cat >&2; echo status: unsolvable; }",
                     wrong={14, 16, 17, 19, 20}, says="which are of even width: there the row of the blank counts")
        self.spoiled("b=$(cat); case $b in *'2 1 3'*) echo status: unsolvable;; *) echo \"$b\" | ./right;; esac",
                     wrong={12}, says="where the goal is another one")

    def test_answers_that_are_none(self):
        every = range(1, 21)
        self.spoiled("cat >&2", wrong=every, says="What it prints for boards 1 to 20 is no answer")
        self.spoiled("./right | sed 's/moves: //'", wrong=SOLVABLE, says="is no answer: expected a line such as 'moves: RDLL'")
        self.spoiled("head -c 99999 /dev/urandom", wrong=every, says=[])
        self.spoiled("./right; exit 1", wrong=every, says="It crashed on boards 1 to 20")
        self.spoiled("kill -SEGV $$", wrong=every, says="It crashed on boards 1 to 20")
        self.spoiled("exec 0<&-; sleep 9", "--time=0.02s", wrong=every, says="it had no answer within 0.02 s")
        self.spoiled("./right | sed 's/^moves: ./moves: 7 8/'", wrong=SOLVABLE - {1}, says="a move is one of the letters U, D, L and R")
        self.spoiled("./right | grep -v expanded", wrong=[], says="It does not say how many nodes it expands", code=0)

    def test_counters_that_cannot_be(self):
        found = self.spoiled("./right | sed 's/^expanded.*/expanded: 1/'", wrong=[], says="it counts what no search can: expanded are", code=0)
        self.assertIn("On boards ", " ".join(found["findings"]))

    def test_one_wrong_board_is_enough(self):
        self.spoiled("b=$(cat); case $b in *'6 7 8'*) ;; *'8 6 7'*) echo status: unsolvable; exit;; esac; echo \"$b\" | ./right",
                     wrong={6}, says="It calls board 6 unsolvable")

    def test_persistent_programs(self):
        loop = "while read -r w h; do n=0; while [ $n -le $((2 * h)) ]; do read -r row; rows=\"$rows\n$row\"; n=$((n + 1)); done;" \
               " echo \"$w $h$rows\" | ./right {}; rows=; done"
        self.spoiled(loop.format("; echo"), "--persistent", "--optimal", wrong=[], says=[], code=0)
        for script, time, says in ((loop.format(""), "0.2s", "it must print an empty line and flush"),
                                   ("x=$(cat); echo \"$x\" | ./right", "0.2s", "it must print an empty line and flush"),
                                   ("./right", "9s", "persistent program reads board after board")):
            found = json.loads(self.verify("--persistent", f"--time={time}", "--json", "--", "sh", "-c", script, code=3).stdout)
            self.assertEqual(found["right"], 0)
            self.assertEqual(found["asked"], 1)
            self.assertIn(says, found["findings"][0])
        once = "n=0; while [ $n -le 7 ]; do read -r row; rows=\"$rows\n$row\"; n=$((n + 1)); done; echo \"$rows\" | ./right; echo"
        found = json.loads(self.verify("--persistent", "--json", "--", "sh", "-c", once, code=3).stdout)
        self.assertEqual(found["right"], 0)
        self.assertIn("It ended before it had answered boards 1 to ", found["findings"][0])
        self.spoiled(loop.format("; echo; echo status: unsolvable; echo"), "--persistent", wrong=range(1, 21),
                     says="It printed something before it had read boards 1 to 20: for each board it prints one answer")

    def test_usage(self):
        for words, says in ((["--", "./nosuch"], "nosuch"), ([], "no command"), (["--moves=up", "--", "x"], "expected blank or tile"),
                            (["--size=3x3", "--", "x"], "--size is for heuristics and solution"), (["--seed=3x", "--", "x"], "expected a whole number"),
                            (["--memory=3x", "--", "x"], "expected bytes"), (["--protocol=xml", "--", "x"], "expected text or json")):
            self.assertIn(says, self.verify(*words, code=2).stderr)
        done = subprocess.run([TILELAB, "verify", "heuristics", "--optimal"], text=True, capture_output=True)
        self.assertEqual((done.returncode, "--optimal is for solver" in done.stderr), (2, True))

    def test_its_own_options_follow_two_dashes(self):
        (self.folder / "mine.sh").write_text("[ \"$1 $2\" = '-1 --time' ] && exec ./right\n")
        self.verify("--", "sh", "mine.sh", "-1", "--time", code=0, isolated=True)


@unittest.skipUnless(shutil.which("bwrap") and subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], check=False, capture_output=True).returncode == 0,
                     "bubblewrap cannot isolate here")
class Isolated(FolderCase):
    """By default, with what a program needs and without what is not its own."""

    def setUp(self):
        super().setUp()
        (self.folder / "with ü").mkdir()
        (self.folder / "results" / "out").mkdir(parents=True)
        (self.folder / "results" / "out" / "runs.csv").write_text("secret\n")
        (self.folder / "with ü" / "beside.py").write_text((SOURCE / "harness" / "templates" / "astar.py").read_text())
        (self.folder / "with ü" / "mine.py").write_text("#!/usr/bin/env python3\nimport beside\n")
        (self.folder / "with ü" / "mine.py").chmod(0o755)

    def verify(self, *words, code=0, **named):
        return json.loads(self.tilelab("verify", "solver", "--json", *words, code=code, **named).stdout)

    def test_modules_scripts_and_interpreters(self):
        for words in (("python3", "with ü/mine.py"), ("with ü/mine.py",)):
            answer = self.verify("--", *words)
            self.assertEqual((answer["isolated"], answer["right"]), (True, 20), (words, answer["answers"][0]))
        (self.folder / "p.py").write_text("import beside\n")
        self.assertEqual(self.verify("--", "python3", "p.py", PYTHONPATH=f"{self.folder}/with ü")["right"], 20)

    def test_no_results_and_nothing_is_written(self):
        (self.folder / "spy.py").write_text("import os\nassert os.listdir('results/out') + os.listdir('/usr/share/doc') == []\ntry:\n    open('here', 'w')\nexcept OSError:\n"
                                            "    open('/tmp/here', 'w')\n    print('status: unsolvable')\n")
        answers = self.verify("--", "python3", "spy.py", code=3, TILELAB_DATA="/usr/share/doc")["answers"]  # its data is hidden, too
        self.assertEqual({answer["mark"] for answer in answers}, {"denied", "right"})
        self.assertFalse((self.folder / "here").exists())
        self.assertNotIn("no_answer", {answer["mark"] for answer in self.verify("--no-isolate", "--", "sh", "-c", "test -s results/out/runs.csv && echo status: stuck", code=3)["answers"]})

    def test_who_fails_for_that_alone_is_told_so_and_not_run_again(self):
        (self.folder / "w.py").write_text("open('here', 'a').write('x')\nprint('status: stuck')\n")
        answer = self.verify("--", "python3", "w.py", code=3)
        self.assertIn("--no-isolate runs it without", answer["findings"][-1])
        self.assertFalse((self.folder / "here").exists())
        answer = self.verify("--no-isolate", "--", "python3", "w.py", code=3)
        self.assertEqual((answer["isolated"], len((self.folder / "here").read_text())), (False, 20))
        self.assertNotIn("isolat", " ".join(answer["findings"]))

    def test_a_program_of_ones_own_is_never_asked_for_its_version(self):
        (self.folder / "evil").write_text("#!/bin/sh\ntouch here\necho status: stuck\n")
        (self.folder / "evil").chmod(0o755)
        self.verify("--", "evil", code=3, PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertFalse((self.folder / "here").exists())

    def test_where_it_cannot_be_had(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "bwrap").write_text("#!/bin/sh\necho no namespaces >&2\nexit 1\n")
        (self.folder / "bin" / "bwrap").chmod(0o755)
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        done = self.tilelab("verify", "solver", "--", "echo", "status: stuck", code=3, PATH=path)
        self.assertEqual(done.stderr, "tilelab verify: not isolated, it may do what you may: bwrap cannot isolate here: no namespaces\n")
        self.assertIn("no namespaces", self.tilelab("verify", "solver", "--isolate", "--", "echo", code=2, PATH=path).stderr)
        self.tilelab("verify", "solver", "--isolate", "--no-isolate", "--", "echo", code=2)
