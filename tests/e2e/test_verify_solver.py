"""tilelab verify solver against programs that are right, and many that are wrong in the ways of beginners. The wrong
ones are a right one, `wrong`, with words that say how its input or output is spoiled; a few are shell commands."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap

from support import ISOLATES, SOURCE, TILELAB, Case, FolderCase, needs_isolation

TEMPLATES = SOURCE / "harness" / "templates"
SOLVABLE = set(range(1, 21)) - {8, 9, 13, 18}

# Prints the answer of the template, spoiled as its words say, in their order. What the board is, is asked of the text
# that it is given with = before it. Of one process, where a shell with sed would be three: there are a thousand.
WRONG = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int answer(void);
static char board[5000] = "=", text[99999];

static char *answered(void)
{
    if (text[0] == 0) {
        stdin = fmemopen(board + 1, strlen(board + 1), "r");
        stdout = fmemopen(text, sizeof text, "w");
        answer();
        fclose(stdout);
    }
    char *moves = strstr(text, "moves: ");
    return moves != NULL ? moves + strlen("moves: ") : NULL;
}

static void replace(char *at, size_t old, const char *new)
{
    memmove(at + strlen(new), at + old, strlen(at + old) + 1);
    memcpy(at, new, strlen(new));
}

int main(int count, char **words)
{
    for (size_t got, all = 1; (got = (size_t)read(0, board + all, sizeof board - 1 - all)) > 0;)
        all += got;
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *more = i + 1 < count ? words[i + 1] : "";
        unsigned w, h;
        int size, start;
        if (strcmp(word, "if") == 0 || strcmp(word, "unless") == 0) { /* the rest is for such boards alone */
            if ((strstr(board, more) != NULL) != (word[0] == 'i'))
                break;
            i++;
            continue;
        }
        if (sscanf(board, "=%u %u%n", &w, &h, &size) != 2)
            return 9;
        if (strcmp(word, "exchange") == 0) {
            char turned[20];
            sprintf(turned, "%u %u", h, w);
            replace(board + 1, (size_t)size - 1, turned);
        } else if (strcmp(word, "blank-last") == 0) { /* whatever the goal is */
            char *end = board + size;
            for (unsigned tile = 0; tile < w * h; tile++, end += start)
                sscanf(end, "%*u%n", &start);
            for (unsigned tile = 1; tile <= w * h; tile++)
                end += sprintf(end, " %u", tile % (w * h));
        } else if (strcmp(word, "instead") == 0) { /* no search */
            strcpy(text, more), i++;
        } else if (strcmp(word, "exit") == 0) {
            return 1;
        } else if (strcmp(word, "unsolvable") == 0) { /* what it says of such boards */
            if (answered() == NULL)
                strcpy(text, more);
            i++;
        } else if (strcmp(word, "and") == 0) {
            answered(), strcat(text, more), i++;
        } else if (strcmp(word, "expanded") == 0) { /* the line */
            char *line = answered() != NULL ? strstr(text, word) : NULL;
            if (line != NULL)
                replace(line, strcspn(line, "\n") + (more[0] == 0), more);
            i++;
        } else {
            char *moves = answered();
            const size_t length = moves != NULL ? strcspn(moves, "\n") : 0;
            if (strcmp(word, "bare") == 0 && moves != NULL) {
                replace(moves - 7, 7, "");
            } else if (strcmp(word, "shorter") == 0 && length > 0) {
                replace(moves + length - 1, 1, "");
            } else if (strcmp(word, "numbers") == 0 && length > 0) {
                replace(moves, 1, "7 8");
            } else if (strcmp(word, "detour") == 0 && length > 0) {
                char to_and_fro[3] = {moves[0], moves[0] == 'U' ? 'D' : moves[0] == 'D' ? 'U' : moves[0] == 'L' ? 'R' : 'L', 0};
                replace(moves, 0, to_and_fro);
            } else if (strcmp(word, "backwards") == 0) {
                for (size_t k = 0; k < length / 2; k++) {
                    const char kept = moves[k];
                    moves[k] = moves[length - 1 - k], moves[length - 1 - k] = kept;
                }
            } else if (strncmp(word, "UDLR=", 5) == 0) { /* other letters for these */
                for (size_t k = 0; k < length; k++)
                    moves[k] = word[5 + strcspn("UDLR", (char[]){moves[k], 0})];
            }
        }
    }
    answered();
    fwrite(text, 1, strlen(text), fdopen(1, "w"));
    return fflush(NULL);
}
"""

# Answers board after board that it has no solution: right on four.
NEVER = """import sys
for line in sys.stdin:
    for _ in range(2 * int(line.split()[1]) + 1):
        next(sys.stdin)
    print("status: unsolvable\\n", flush=True)
"""


class Verify(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-verify-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        subprocess.run(["cc", "-O2", "-o", cls.folder / "right", TEMPLATES / "idastar.c"], check=True)
        (cls.folder / "wrong.c").write_text(WRONG)
        subprocess.run(["cc", "-c", "-O2", "-Dmain=answer", "-o", cls.folder / "answer.o", TEMPLATES / "idastar.c"], check=True)
        subprocess.run(["cc", "-o", cls.folder / "wrong", cls.folder / "wrong.c", cls.folder / "answer.o"], check=True)

    def verify(self, *words, code, isolated=False):
        """Most of these programs are not isolated: that takes most of a trial's time and has tests of its own."""
        words = words if isolated and ISOLATES else ("--no-isolate", *words)
        done = subprocess.run([TILELAB, "verify", "solver", *words], text=True, capture_output=True, cwd=self.folder, timeout=100)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def spoiled(self, program, *options, wrong, says, code=3):
        """Verifies a program that is wrong on these boards: words for `wrong`, or a shell script."""
        program = ["./wrong", *program] if isinstance(program, list) else ["sh", "-c", program]
        with self.subTest(program):
            found = json.loads(self.verify(*options, "--json", "--", *program, code=code).stdout)
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
        self.verify("--optimal", "--", TILELAB, "solve", code=0)

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
        self.spoiled(["UDLR=DURL"], wrong=moved, says="the direction of the tile")
        self.spoiled(["UDLR=DURL"], "--moves=tile", wrong=[], says=[], code=0)
        self.spoiled("./right", "--moves=tile", wrong=moved, says="the direction of the tile")
        self.spoiled(["UDLR=LRUD"], wrong=moved, says="rows and columns look exchanged (U for L, L for U)")
        self.spoiled(["UDLR=RLDU"], wrong=moved, says=("rows and columns look exchanged, and they look", ))
        for letters, what in (("UDLR=DULR", "U and D look exchanged"), ("UDLR=UDRL", "L and R look exchanged")):
            found = json.loads(self.verify("--json", "--", "./wrong", letters, code=3).stdout)
            self.assertTrue(any(what in finding for finding in found["findings"]), found["findings"])

    def test_paths(self):
        moved = SOLVABLE - {1}
        found = json.loads(self.verify("--json", "--", "./wrong", "backwards", code=3).stdout)
        self.assertTrue(any("in the opposite order" in finding for finding in found["findings"]), found["findings"])
        self.spoiled(["shorter"], wrong=moved, says="Its path is wrong on boards 2 to 7")
        self.spoiled(["instead", "moves: RDLL\n"], wrong=range(1, 21), says="It gives a path for an unsolvable board")
        self.spoiled(["detour"], "--optimal", wrong=moved, says="are not shortest, which --optimal promises")
        self.spoiled(["detour"], wrong=[], says="are right, but not shortest", code=0)
        self.spoiled(["and", "length: 3\n"], wrong=SOLVABLE - {3}, says="cannot be used")

    def test_the_goal_and_the_size(self):
        self.spoiled(["blank-last"], wrong={10, 11, 12, 13, 16, 20}, says=("It ignores the goal that it is given: its paths on boards", "lead to blank-last"))
        self.spoiled(["exchange"], wrong={14, 15, 16, 17}, says="It takes the width for the height on boards 14 to 17")
        self.spoiled(["unless", "=3 3\n", "exit"], wrong=range(14, 21),
                     says=("It is right on 3x3, but solves no board of another size", "It crashed on boards 14 to 20"))

    def test_unsolvable_boards(self):
        unsolvable = {8, 9, 13, 18}
        self.spoiled("b=$(cat); case $b in *'15 14'*) sleep 99;; *) echo \"$b\" | ./right;; esac", "--time=3s", wrong={18},
                     says="On unsolvable boards (board 18) it did not stop within 3 s: test the parity")
        self.spoiled(["unsolvable", "moves:\n"], wrong=unsolvable, says="It gives a path for an unsolvable board")
        self.spoiled(["unsolvable", "status: stuck\n"], wrong=unsolvable, says="It gave up on boards 8, 9, 13 and 18")
        self.spoiled(["unsolvable", "status: exhausted\n"], wrong=[], says=[], code=0)
        self.spoiled("x=$(./right); case $x in *unsolvable*) echo 'IndexError: pop from empty heap' >&2; exit 1;; *) echo \"$x\";; esac",
                     wrong=unsolvable, says="It crashed on")
        self.spoiled(["instead", "status: unsolvable\n"], wrong=SOLVABLE, says="It calls every solvable board unsolvable")
        self.spoiled(["unless", "=3 ", "instead", "status: unsolvable\n"],
                     wrong={14, 16, 17, 19, 20}, says="which are of even width: there the row of the blank counts")
        self.spoiled(["if", "2 1 3", "instead", "status: unsolvable\n"], wrong={12}, says="where the goal is another one")

    def test_answers_that_are_none(self):
        every = range(1, 21)
        self.spoiled(["instead", "\n"], wrong=every, says="What it prints for boards 1 to 20 is no answer")
        self.spoiled(["bare"], wrong=SOLVABLE, says="is no answer: expected a line such as 'moves: RDLL'")
        self.spoiled("head -c 99999 /dev/urandom", wrong=every, says=[])
        self.spoiled("./right; exit 1", wrong=every, says="It crashed on boards 1 to 20")
        self.spoiled("kill -SEGV $$", wrong=every, says="It crashed on boards 1 to 20")
        self.spoiled("exec 0<&-; exec sleep 9", "--time=0.02s", wrong=every, says="it had no answer within 0.02 s")
        self.spoiled(["numbers"], wrong=SOLVABLE - {1}, says="a move is one of the letters U, D, L and R")
        self.spoiled(["expanded", ""], wrong=[], says="It does not say how many nodes it expands", code=0)

    def test_counters_that_cannot_be(self):
        found = self.spoiled(["expanded", "expanded: 1"], wrong=[], says="it counts what no search can: expanded are", code=0)
        self.assertIn("On boards ", " ".join(found["findings"]))

    def test_one_wrong_board_is_enough(self):
        self.spoiled(["unless", "6 7 8", "if", "8 6 7", "instead", "status: unsolvable\n"], wrong={6}, says="It calls board 6 unsolvable")

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
        self.verify("--", "sh", "mine.sh", "-1", "--time", code=0)


@needs_isolation
class Isolated(FolderCase):
    """By default, with what a program needs and without what is not its own."""

    def setUp(self):
        super().setUp()
        (self.folder / "with ü").mkdir()
        (self.folder / "results" / "out").mkdir(parents=True)
        (self.folder / "results" / "out" / "runs.csv").write_text("secret\n")
        (self.folder / "with ü" / "beside.py").write_text(NEVER)
        (self.folder / "with ü" / "mine.py").write_text("#!/usr/bin/env python3\nimport beside\n")
        (self.folder / "with ü" / "mine.py").chmod(0o755)

    def verify(self, *words, code=0, **named):
        return json.loads(self.tilelab("verify", "solver", "--json", *words, code=code, **named).stdout)

    def test_modules_scripts_and_interpreters(self):
        for words in (("python3", "with ü/mine.py"), ("with ü/mine.py",)):
            answer = self.verify("--persistent", "--", *words, code=3)
            self.assertEqual((answer["isolated"], answer["right"]), (True, 4), (words, answer["answers"][0]))
        (self.folder / "p.py").write_text("import beside\n")
        self.assertEqual(self.verify("--persistent", "--", "python3", "p.py", code=3, PYTHONPATH=f"{self.folder}/with ü")["right"], 4)

    def test_no_results_and_nothing_is_written(self):
        (self.folder / "spy.py").write_text("import os\nassert os.listdir('results/out') + os.listdir('/usr/share/doc') == []\ntry:\n    open('here', 'w')\nexcept OSError:\n"
                                            "    open('/tmp/here', 'w')\n" + textwrap.indent(NEVER, "    "))
        answers = self.verify("--persistent", "--", "python3", "spy.py", code=3, TILELAB_DATA="/usr/share/doc")["answers"]  # its data is hidden, too
        self.assertEqual({answer["mark"] for answer in answers}, {"denied", "right"})
        self.assertFalse((self.folder / "here").exists())
        self.assertNotIn("no_answer", {answer["mark"] for answer in self.verify("--no-isolate", "--", "sh", "-c", "test -s results/out/runs.csv && echo status: stuck", code=3)["answers"]})

    def test_who_fails_for_that_alone_is_told_so_and_not_run_again(self):
        (self.folder / "w.sh").write_text("printf x >> here || exit 1\necho status: stuck\n")
        answer = self.verify("--", "sh", "w.sh", code=3)
        self.assertIn("--no-isolate runs it without", answer["findings"][-1])
        self.assertFalse((self.folder / "here").exists())
        answer = self.verify("--no-isolate", "--", "sh", "w.sh", code=3)
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
