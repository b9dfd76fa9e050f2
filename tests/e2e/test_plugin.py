"""Heuristics in shared objects: those of a person are rows like any other, and what is wrong with them is a message, a
row of a run or a finding of `verify heuristics`, never a wrong result."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import SANITIZED, SOURCE, FolderCase, listed, make_objects, names_of, read_table

TEMPLATE = SOURCE / "harness" / "templates" / "heuristic.c"
HARDEST = "8 6 7 2 5 4 3 0 1"
NEAR = "1 2 3 4 5 6 0 7 8"  # two moves

# What is exported: claims, functions (NULL where there is no other) and version; and the usual functions.
FRAME = """#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <tilelab/heuristic.h>
#define SAY (void)!write(1, "spoken", 6), (void)printf("%%s\\n", __func__)
typedef const struct tilelab_puzzle puzzle;
%s
const struct tilelab_heuristic tilelab_heuristic = {%s, %s, "for a test", %s, %s, %s, %s, %s, %s, %s};
"""
ZERO = "static unsigned value(puzzle *p, const void *data, const unsigned char *tiles) { return 0; }\n"
SUM = """static unsigned value(puzzle *p, const void *data, const unsigned char *tiles)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < p->cells; i++)
        sum += ((const unsigned char (*)[36])data)[tiles[i]][i];
    return sum;
}
"""
DISTANCES = """static void *make(puzzle *p)
{
    unsigned char (*far)[36] = calloc(36, 36);
    for (unsigned i = 0; i < p->cells * p->cells; i++) {
        const int home = p->home[i / p->cells], cell = i % p->cells, w = (int)p->width;
        if (i >= p->cells)
            far[i / p->cells][cell] = (unsigned char)(abs(home % w - cell % w) + abs(home / w - cell / w));
    }
    return far;
}
"""
MADE = "__attribute__((constructor)) static void loaded(void) { %s }\n"
COUNTED = """static void note(const char *what) { FILE *f = fopen("calls", "a"); fprintf(f, "%%s %%d\\n", what, (int)getpid()); fclose(f); }
static void *make(puzzle *p) { note("prepare"); return malloc(1); }
static void end(void *data) { note("end"); free(data); }
"""


def value(body):
    return ZERO.replace("return 0;", body)


def frame(name, code, version="TILELAB_HEURISTIC_VERSION", claims="0", refuses="NULL", prepare="NULL", evaluate="value", end="NULL", options="NULL", batch="NULL"):
    return FRAME % (code, version, f'"{name}"' if name is not None else "NULL", claims, refuses, prepare, evaluate, end, options, batch)


def option(name="own", kind="TILELAB_NUMBER", more=", 1, 0, 9, NULL, 0"):
    return f'static const struct tilelab_option table[] = {{{{"{name}", "help", {kind}{more}}}, {{NULL}}}};\n'


# Its value is a number of thousandths of the sum of distances: admissible up to 1000, unless it is `loud`.
SCALED = """static const char *const words[] = {"soft", "hard", NULL};
static const struct tilelab_option table[] = {{"loud", "a flag", TILELAB_FLAG, 0, 0, 0, NULL, TILELAB_ADMISSIBLE},
    {"way", "a choice", TILELAB_CHOICE, 1, 0, 0, words, TILELAB_CONSISTENT}, {"part", "a decimal", TILELAB_DECIMAL, 1000, 0, 1}, {NULL}};
static unsigned scaled(puzzle *p, const void *data, const unsigned char *tiles)
{
    const unsigned sum = value(p, data, tiles);
    return (unsigned)((unsigned long long)sum * (unsigned)p->options[2] / 1000) * (p->options[0] ? 2 : 1) + (p->options[1] == 0 && sum >= 3 && sum % 3 == 0);
}
"""
# Values boards in batches only, and notes how many there were.
MANY = """static void many(puzzle *p, const void *data, const unsigned char *tiles, unsigned count, unsigned *values)
{
    FILE *f = fopen("batches", "a");
    fprintf(f, "%u\\n", count);
    fclose(f);
    for (unsigned i = 0; i < count; i++)
        values[i] = value(p, data, tiles + i * p->cells);
}
"""
# As the header of version 1 had it: what comes after `end` is not there.
FIRST = """#include <stdlib.h>
struct tilelab_puzzle { unsigned width, height, cells; const unsigned char *goal, *home; };
typedef const struct tilelab_puzzle puzzle;
%s
const struct { unsigned version; const char *name, *summary; unsigned claims; const char *(*refuses)(puzzle *); void *(*prepare)(puzzle *);
               unsigned (*evaluate)(puzzle *, const void *, const unsigned char *); void (*end)(void *); void *beyond[8]; } tilelab_heuristic
    = {1, "first", "of version 1", 3, NULL, make, value, free, {(void *)1, (void *)1, (void *)1, (void *)1}};
"""


# Name of the object -> its code.
OBJECTS = {
    "mine": TEMPLATE.read_text(),
    "distance": frame("distance", SUM + DISTANCES, claims="TILELAB_CONSISTENT", prepare="make", end="free"),
    "plain": frame("plain", SUM + DISTANCES, prepare="make", end="free"),
    "scaled": frame("scaled", SUM + DISTANCES + SCALED, claims="TILELAB_CONSISTENT", prepare="make", evaluate="scaled", end="free", options="table"),
    "many": frame("many", SUM + DISTANCES + MANY, claims="TILELAB_CONSISTENT", prepare="make", evaluate="NULL", end="free", batch="many"),
    "first": FIRST % (SUM + DISTANCES),
    "option_name": frame("option_name", option("a b") + ZERO, options="table"),
    "option_taken": frame("option_taken", option("ties") + ZERO, options="table"),
    "option_heuristic": frame("option_heuristic", option("max") + ZERO, options="table"),
    "option_key": frame("option_key", option("label") + ZERO, options="table"),
    "option_range": frame("option_range", option(more=", 10, 0, 9") + ZERO, options="table"),
    "option_forfeits": frame("option_forfeits", option(more=", 1, 0, 9, NULL, 4") + ZERO, options="table"),
    "newer": frame("newer", ZERO, version="TILELAB_HEURISTIC_VERSION + 1"),
    "older": frame("older", ZERO, version="0"),
    "nothing": "int x;\n",
    "no_value": frame("no_value", "", evaluate="NULL"),
    "no_name": frame(None, ZERO),
    "bad_name": frame("Bad-Name", ZERO),
    "long_name": frame("a" * 41, ZERO),
    "manhattan": frame("manhattan", ZERO),
    "reopen": frame("reopen", ZERO),
    "beam": frame("beam", ZERO),
    "twin": frame("mine", ZERO),
    "claims": frame("claims", ZERO, claims="2"),
    "unlinked": frame("unlinked", "int elsewhere(void);\n" + value("return elsewhere();")),
    "lies": frame("lies", value("return tiles[p->cells - 1] == 0 ? 0 : 40 + tiles[p->cells - 1] % 2;"), claims="TILELAB_CONSISTENT"),
    "falls": frame("falls", value("return tiles[p->cells - 1] == 0 ? 0 : tiles[0] == 0 ? 3 : 1;"), claims="TILELAB_CONSISTENT"),
    "constant": frame("constant", value("return 1;"), claims="TILELAB_ADMISSIBLE"),
    "wavers": frame("wavers", "static unsigned n;\n" + value("return n++ % 2;")),
    "sure": frame("sure", "static unsigned n;\n" + value("return n++ % 2;"), claims="TILELAB_CONSISTENT"),
    "huge": frame("huge", value("return UINT_MAX;")),
    "crash": frame("crash", value("abort(); return 0;"), claims="TILELAB_CONSISTENT"),
    "hang": frame("hang", value("for (;;) pause(); return 0;")),
    "starved": frame("starved", ZERO + "static void *make(puzzle *p) { return NULL; }\n", prepare="make"),
    "square": frame("square", ZERO + 'static const char *no(puzzle *p) { return p->width == p->height ? "likes no \\033 squares" : NULL; }\n',
                    refuses="no", claims="TILELAB_CONSISTENT"),
    "ends": frame("ends", ZERO + MADE % "_exit(0);"),
    "bus": frame("bus", ZERO + MADE % "raise(SIGBUS);"),
    "waits": frame("waits", ZERO + MADE % "for (;;) pause();"),
    "leaves": frame("leaves", ZERO + MADE.replace("con", "de") % "_exit(0);"),
    "moves": frame("moves", ZERO + MADE % 'if (chdir("/") != 0 || close(1) != 0) abort();'),
    "speaks": frame("speaks", ZERO.replace("return", "SAY; return") + MADE % "SAY;" + MADE.replace("con", "de").replace("loaded", "unloaded") % "SAY;" +
                    "static const char *no(puzzle *p) { SAY; return NULL; }\n"
                    "static void *make(puzzle *p) { SAY; return malloc(1); }\nstatic void end(void *data) { SAY; free(data); }\n",
                    refuses="no", prepare="make", end="end"),
    "counted": frame("counted", ZERO + COUNTED.replace("%%", "%"), prepare="make", end="end", claims="TILELAB_CONSISTENT"),
}


def setUpModule():
    """Makes all of them, once."""
    folder = Plugins.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-plugin-"))
    unittest.addModuleCleanup(shutil.rmtree, folder)
    make_objects(folder, OBJECTS)
    (folder / "text.so").write_text("this is a text, and no shared object at all\n" * 3)
    (folder / "folder.so").mkdir()
    (folder / "cut.so").write_bytes((folder / "mine.so").read_bytes()[:5000])


class Plugins(FolderCase):
    folder = None  # of the objects

    def setUp(self):
        """All tests part the objects, and their folder."""

    def experiment(self, plugins, *solvers, name="e", sets="{name: u, size: 3x3, count: 2, method: uniform}", more=""):
        path = self.folder / f"{name}.yaml"
        path.write_text(f"experiment: {name}\ninstances: [{sets}]\nsolvers:\n" + "".join(f"  - {solver}\n" for solver in solvers) +
                        more + "plugins:\n" + "".join(f"  - {plugin}.so\n" for plugin in plugins))
        return path

    def run_experiment(self, path, code=0):
        """The rows; whatever was there before is set aside."""
        out = self.folder / f"results-{path.stem}"
        done = self.tilelab("run", path, "--output", out, "--fresh", code=code)
        return done, read_table(out / "runs.csv")


class Right(Plugins):
    def test_the_template_works_as_it_stands(self):
        self.assertLessEqual(len(TEMPLATE.read_text().splitlines()), 25)
        for compiler, language in (("cc", "-std=c11"), ("c++", "-std=c++20")):
            if shutil.which(compiler) is None:
                continue
            done = subprocess.run([compiler, language, "-Wall", "-Wextra", "-Wpedantic", "-Wno-missing-field-initializers", "-Werror",
                                   "-fvisibility=hidden", "-shared", "-fPIC", "-x", "c" if compiler == "cc" else "c++", "-I", SOURCE / "include",
                                   "-o", self.folder / "built.so", TEMPLATE], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            text = self.tilelab("verify", "heuristics", "--plugin", "built.so", "mine", "out_of_row_column").stdout
            mine, built_in = (re.search(rf"(?m)^{name} +(.*)$", text)[1] for name in ("mine", "out_of_row_column"))
            self.assertEqual(mine.split(), built_in.split())

    def test_it_makes_the_search_of_the_built_in_one(self):
        """On 50 boards of 3x3 and 4x4 with every informed algorithm, up to a limit of nodes; with several plugins, and in max.
        Only the fast forms of manhattan take other memory."""
        listed = json.loads(self.tilelab("list", "algorithms", "--json").stdout)
        informed = [row["algorithm"][:-3] for row in listed if row["algorithm"].endswith("(H)")]
        self.assertGreater(len(informed), 8)
        pairs = [(f"{name}(manhattan)", f"{name}(distance)") for name in informed]
        pairs += [(f"{name}(max:manhattan+gaschnig)", f"{name}(max:distance+gaschnig)") for name in ("astar", "idastar")]
        pairs += [("astar(max:manhattan+out_of_row_column)", "astar(max:mine+distance)"),
                  ("astar(manhattan, ties=fifo)", "astar(plain, ties=fifo)"), ("greedy(manhattan)", "greedy(plain)")]
        sets = "{name: a, size: 3x3, count: 25, method: walk, steps: 60}, {name: b, size: 4x4, count: 25, method: walk, steps: 30}"
        solvers = sorted({solver for pair in pairs for solver in pair})
        _, rows = self.run_experiment(self.experiment(["distance", "plain", "mine"], *solvers, name="same", sets=sets, more="limits: {nodes: 5k}\n"))
        found = {}
        for row in rows:
            found.setdefault(row["solver"], {})[row["instance"], row["set"]] = row
        for built_in, plugin in pairs:
            self.assertEqual(len(found[plugin]), 50)
            for board, row in found[plugin].items():
                for column in ("status", "length", "moves", "h_start", "expanded", "generated", "duplicates", "reopened", "max_open",
                               "max_stored", "max_depth", "iterations"):
                    self.assertEqual(row[column], found[built_in][board][column], (plugin, board, column))
        self.assertEqual({row["status"] for row in rows}, {"solved", "stuck", "node_limit"})

    def test_it_is_a_row_of_the_table(self):
        rows = json.loads(self.tilelab("list", "heuristics", "--json", "--plugin", "mine.so", "--plugin", "plain.so").stdout)
        self.assertEqual([(row["heuristic"], row["admissible"], row["consistent"]) for row in rows[-2:]], [("mine", "yes", "yes"), ("plain", "no", "no")])
        self.assertEqual(rows[-2]["what it is"], "tiles out of their row or column")
        found = json.loads(self.tilelab("verify", "heuristics", "--size", "2x3", "--json", "--plugin", "mine.so").stdout)
        self.assertIn("mine", [row["heuristic"] for row in found])
        self.assertIn("manhattan", [row["heuristic"] for row in found])
        done = self.tilelab("solve", "-s", "astar(mien)", "--plugin", "mine.so", NEAR, code=2)
        names = names_of("solvers/heuristics/heuristics.def", "HEURISTIC")
        self.assertIn(f"expected {listed([*names, 'mine'])}; did you mean 'mine'?", done.stderr)

    def test_an_experiment_finds_it_beside_its_file(self):
        path = self.experiment(["mine", "distance"], "astar(mine)", "{algorithm: [greedy, idastar], heuristic: [mine, {max: [mine, distance]}]}",
                               name="found", more="compare: {baseline: astar(mine)}\n")
        elsewhere = self.folder / "folder.so"
        self.tilelab("check", path, cwd=elsewhere)
        plan = self.tilelab("plan", path, cwd=elsewhere).stdout
        real = self.folder.resolve()
        self.assertRegex(plan, rf"\n2 plugins: code that runs as part of tilelab, or programs\n  mine from {real}/mine.so \([0-9a-f]{{16}}\)\n  distance from ")
        plan = json.loads(self.tilelab("plan", "--json", path, cwd=elsewhere).stdout)
        self.assertEqual([(plugin["heuristic"], plugin["file"], plugin["path"]) for plugin in plan["plugins"]],
                         [("mine", "mine.so", f"{real}/mine.so"), ("distance", "distance.so", f"{real}/distance.so")])

    def test_it_is_there_for_its_experiment_alone(self):
        """Three experiments in one call: two plugins of one name, and none."""
        one = self.experiment(["mine"], "astar(mine)", name="one")
        two = self.experiment(["twin"], "astar(mine)", name="two")
        three = self.folder / "three.yaml"
        three.write_text("experiment: three\ninstances: [{size: 3x3, count: 1, method: uniform, name: u}]\nsolvers: [astar(mine)]\n")
        done = self.tilelab("check", one, two, three, code=2)
        self.assertIn("three.yaml:3:17: unknown heuristic 'mine'", done.stderr)
        self.assertEqual(done.stderr.count("unknown heuristic"), 1)
        self.assertIn("one: 2 runs", done.stdout)
        self.assertIn("two: 2 runs", done.stdout)

    def test_it_is_prepared_once_for_a_goal_in_a_process(self):
        (self.folder / "boards.txt").write_text(f"{NEAR}\n{HARDEST}\n1 2 3 4 5 6 7 0 8\n")
        self.tilelab("solve", "--plugin", "counted.so", "-s", "astar(counted)", "-s", "greedy(max:counted+zero)", "boards.txt")
        calls = (self.folder / "calls").read_text().split("\n")
        (self.folder / "calls").unlink()
        self.assertEqual([call.split()[:1] for call in calls], [["prepare"], ["end"], []])
        self.run_experiment(self.experiment(["counted"], "astar(counted)", "bfs", name="counted", more="jobs: 2\n",
                                            sets="{name: u, size: 3x3, count: 20, method: walk, steps: 4}"))
        calls = (self.folder / "calls").read_text().split("\n")[:-1]
        self.assertIn(len(calls), (1, 2))  # one in each worker that had a run of it
        self.assertEqual(len(set(calls)), len(calls))

    def test_a_goal_may_be_refused(self):
        path = self.experiment(["square"], "astar(square)", "astar(max:zero+square)", name="square")
        done = self.tilelab("check", path, code=2)
        for place in ("square.yaml:4:5", "square.yaml:5:5"):
            self.assertIn(f"{place}: square likes no ? squares (the set 'u')\n", done.stderr)
        self.tilelab("verify", "heuristics", "--size", "3x2", "--plugin", "square.so", "square")
        done = self.tilelab("verify", "heuristics", "--plugin", "square.so", "square", code=2)
        self.assertIn("square likes no ? squares", done.stderr)


class Options(Plugins):
    def test_they_come_as_they_are_written(self):
        """In each way to write a solver, and beside other values for the same goal in one process."""
        path = self.experiment(["scaled"], "astar(manhattan)", "astar(scaled)", "astar(scaled, part=0.5, ties=fifo)",
                               "{algorithm: astar, heuristic: scaled, part: 0, way: soft}", "bfs", name="options")
        _, rows = self.run_experiment(path)
        self.assertEqual({row["status"] for row in rows}, {"solved"})
        found = {row["solver"]: row for row in rows if row["instance"] == "1"}
        self.assertEqual(sorted(found), ["astar(manhattan)", "astar(scaled)", "astar(scaled, part=0.5, ties=fifo)",
                                         "astar(scaled, way=soft, part=0)", "bfs"])
        h = int(found["astar(manhattan)"]["h_start"])
        self.assertEqual([int(found[solver]["h_start"]) for solver in ("astar(scaled)", "astar(scaled, part=0.5, ties=fifo)")], [h, h // 2])
        options = json.loads(found["astar(scaled, way=soft, part=0)"]["options_json"])
        self.assertEqual({name: options[name] for name in ("loud", "way", "part")}, {"loud": False, "way": "soft", "part": 0})
        self.assertEqual(len({row["run_id"] for row in rows}), len(rows))
        results = self.folder / "results-options"
        plugin = json.loads((results / "manifest.json").read_text())["plugins"][0]
        self.assertEqual([(option["name"], option["forfeits"]) for option in plugin["options"]],
                         [("loud", "admissible"), ("way", "consistent"), ("part", "nothing")])
        for row in rows:
            self.assertIn("Everything else is the same.", self.tilelab("rerun", results, row["run_id"]).stdout)
        self.tilelab("run", path, "--output", self.folder / "results-shard", "--shard", "1/1")
        self.tilelab("merge", self.folder / "results-shard")  # by what the manifest says of them
        self.assertEqual({row["run_id"] for row in read_table(self.folder / "results-shard" / "runs.csv")}, {row["run_id"] for row in rows})

    def test_claims_hold_for_some_values_only(self):
        verify = lambda heuristic, code=0: self.tilelab("verify", "heuristics", "--plugin", "scaled.so", heuristic, "--size", "2x3", code=code)
        self.assertRegex(verify("scaled").stdout, r"(?m)^scaled +.* yes +yes ")
        self.assertRegex(verify("scaled(loud)").stdout, r"(?m)^scaled\(loud\) +.* no +no ")
        done = self.tilelab("solve", "--plugin", "scaled.so", "-s", "astar(scaled, loud)", "-s", "astar(scaled)", "--json", NEAR)
        self.assertEqual([row["h_start"] for row in json.loads(done.stdout)], [4, 2])
        self.assertRegex(verify("misplaced(count_blank)").stdout, r"(?m)^misplaced\(count_blank\) ")
        for text, message in (("scaled(lod)", "scaled has no option 'lod'; expected loud, way or part; did you mean 'loud'?"),
                              ("scaled(order=UDLR)", "scaled has no option 'order'"),
                              ("scaled(part=2)", "invalid value '2' for option 'part'; expected a number from 0 to 1"),
                              ("scaled(part=1", "the solver ends here; expected ')'")):
            self.assertIn(message, verify(text, 2).stderr)

    def test_they_are_listed(self):
        rows = json.loads(self.tilelab("list", "heuristics", "--json", "--plugin", "scaled.so").stdout)
        self.assertEqual(rows[-1]["options"], "loud, way=hard|soft, part=1|N")

    def test_searches_hand_over_batches(self):
        """A call for the start, then one for each round; with the search of a heuristic that is asked board by board."""
        for heuristic, other in (("many", "distance"), ("max:many+gaschnig", "max:distance+gaschnig")):
            for solver in ("batch_astar({}, batch=50)", "batch_wastar({}, w=2, batch=7)", "astar({})"):
                found, same = json.loads(self.tilelab("solve", "--json", "--plugin", "many.so", "--plugin", "distance.so", "-s", solver.format(heuristic),
                                                      "-s", solver.format(other), HARDEST).stdout)
                batches = [int(line) for line in (self.folder / "batches").read_text().split()]
                (self.folder / "batches").unlink()
                for key in ("status", "moves", "expanded", "generated", "duplicates", "reopened", "h_start"):
                    self.assertEqual(found[key], same[key], (solver, key))
                self.assertEqual(batches[0], 1)
                if solver.startswith("batch"):
                    size = 50 if "50" in solver else 7
                    self.assertGreater(max(batches), size)
                    self.assertLessEqual(max(batches), 3 * size)
                    self.assertLess(len(batches), found["expanded"] / size * 1.5)
                else:
                    self.assertEqual(set(batches), {1})

    def test_an_object_of_the_first_version_goes_on_working(self):
        self.assertRegex(self.tilelab("verify", "heuristics", "--plugin", "first.so", "first", "--size", "2x3").stdout, r"(?m)^first .* yes +yes ")
        self.assertIn("astar(first) has no option 'part'; expected",
                      self.tilelab("solve", "--plugin", "first.so", "-s", "astar(first, part=2)", NEAR, code=2).stderr)


class Wrong(Plugins):
    MESSAGES = {
        "newer": "newer.so was made for version 3 of tilelab/heuristic.h; this tilelab understands versions 1 to 2",
        "older": "older.so was made for version 0 of tilelab/heuristic.h; this tilelab understands versions 1 to 2",
        "nothing": "nothing.so has no `tilelab_heuristic`; expected a variable of that name",
        "no_value": "no_value.so has no function `evaluate`; expected one",
        "no_name": "no_name.so calls its heuristic ''; expected a lower-case letter",
        "bad_name": "bad_name.so calls its heuristic 'Bad-Name'; expected a lower-case letter",
        "long_name": "long_name.so calls its heuristic 'aaaa",
        "manhattan": "manhattan.so calls its heuristic manhattan, which tilelab has already; expected another name",
        "reopen": "reopen.so calls its heuristic reopen, which is the name of an algorithm or an option; expected another name",
        "beam": "beam.so calls its heuristic beam, which is the name of an algorithm or an option; expected another name",
        "twin": "twin.so calls its heuristic mine, as mine.so does; expected another name",
        "mine": "mine.so a second time; expected each plugin once",
        "claims": "claims.so claims 2; expected 0, TILELAB_ADMISSIBLE or TILELAB_CONSISTENT",
        "option_name": "option_name.so calls an option 'a b'; expected a name of its own",
        "option_taken": "option_taken.so calls an option ties, which is the name of an algorithm or an option; expected another name",
        "option_heuristic": "option_heuristic.so calls an option max, which is the name of a heuristic or its option; expected another name",
        "option_key": "option_key.so calls an option label, which is the name of a key of a solver; expected another name",
        "option_range": "option_range.so has a wrong option 'own'; expected a default within its range",
        "option_forfeits": "option_forfeits.so has a wrong option 'own': it forfeits 4; expected 0, TILELAB_ADMISSIBLE or TILELAB_CONSISTENT",
        "unlinked": "unlinked.so cannot be loaded: undefined symbol: elsewhere; expected a shared object",
        "text": "text.so cannot be loaded: invalid ELF header; expected a shared object",
        "folder": "folder.so cannot be opened: it is a folder; expected a shared object",
        "ends": "ends.so cannot be loaded: it ends the program with exit code 0; expected constructors that return",
        "leaves": "leaves.so cannot be loaded: it ends the program with exit code 0; expected constructors that return",
        "none": "none.so cannot be opened: No such file or directory; expected a shared object",
    }

    def test_each_is_a_message_at_its_place(self):
        path = self.experiment(["mine", *self.MESSAGES], "astar(mine)", "astar(unheard)", name="wrong", more="seed: x\n")
        done = self.tilelab("check", path, code=2)
        lines = [line for line in done.stderr.splitlines() if line.startswith(str(path))]
        self.assertIn(f"{path}:6:7: invalid value 'x' for 'seed'", lines[0])
        for number, (line, message) in enumerate(zip(lines[1:], self.MESSAGES.values())):
            self.assertTrue(line.startswith(f"{path}:{9 + number}:5: {message}"), (line, message))
        self.assertEqual(len(lines), 1 + len(self.MESSAGES))  # nothing is said of solvers that may need what is missing

    def test_and_on_the_command_line(self):
        for command in (["solve", NEAR], ["verify", "heuristics"], ["list", "heuristics"]):
            for name in ("newer", "none", "manhattan"):
                done = self.tilelab(*command, "--plugin", f"{name}.so", code=2)
                self.assertEqual(done.stdout, "")
                self.assertIn(f"--plugin: {self.MESSAGES[name]}", done.stderr)
        self.assertIn("--plugin is for heuristics", self.tilelab("verify", "solution", NEAR, "RR", "--plugin", "mine.so", code=2).stderr)

    def test_what_dies_while_it_is_loaded_is_a_message_too(self):
        """A file cut short is mapped beyond its end; each command that loads a plugin says so."""
        for name in ("cut", "bus", "ends"):
            path = self.experiment([name], "astar(manhattan)", name=name)
            for command in (["check", path], ["plan", path], ["run", path], ["submit", path], ["pdb", "build", "-e", path]):
                done = self.tilelab(*command, code=2)
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr, rf"{name}\.yaml:6:5: {name}\.so cannot be loaded: ")
                self.assertFalse((self.folder / "results" / name).exists())
            for command in (["solve", NEAR], ["verify", "heuristics"], ["list", "heuristics"], ["predict", "nodes", NEAR]):
                done = self.tilelab(*command, "--plugin", f"{name}.so", code=2)
                self.assertEqual(done.stdout, "")
                self.assertIn(f"--plugin: {name}.so cannot be loaded: ", done.stderr)
        if not SANITIZED:
            self.assertIn("bus.so cannot be loaded: it ends the program by signal 7 (Bus error); expected a whole file",
                          self.tilelab("list", "heuristics", "--plugin", "bus.so", code=2).stderr)

    @unittest.skipUnless(os.environ.get("TILELAB_LONG"), "takes as long as a plugin is waited for")
    def test_what_hangs_while_it_is_loaded(self):
        done = self.tilelab("solve", "--plugin", "waits.so", NEAR, code=2)
        self.assertIn("waits.so cannot be loaded: it takes more than 10 s; expected what takes long in its function `prepare`", done.stderr)

    def test_plugins_are_a_list_of_words(self):
        for plugins, message in (("mine.so", "expected a list of files such as my_heuristic.so"), ("[]", "an empty list as the value of 'plugins'"),
                                 ("[[mine.so]]", "a list as the value of 'plugins'"), ("[{a: b}]", "expected a file such as my_heuristic.so")):
            path = self.folder / "words.yaml"
            path.write_text(f"experiment: words\nplugins: {plugins}\ninstances: [{{set: korf100}}]\nsolvers: [bfs]\n")
            self.assertRegex(self.tilelab("check", path, code=2).stderr, r"words\.yaml:2:1\d: .*" + re.escape(message))


class Lies(Plugins):
    def verify(self, name, code=3, *more):
        return self.tilelab("verify", "heuristics", "--plugin", f"{name}.so", name, *more, code=code)

    def test_false_claims_have_a_counterexample(self):
        done = self.verify("lies")
        self.assertRegex(done.stdout, r"(?m)^lies .* 41  NO, THOUGH CLAIMED  NO, THOUGH CLAIMED ")
        found = re.search(r"tilelab: lies claims 'admissible', which does not hold: on ([\d ]+) it is (\d+), the distance is (\d+)\n", done.stderr)
        self.assertEqual(found[3], "1")  # a board that is nearest to the goal
        self.assertEqual(found[2], "40" if int(found[1].split()[-1]) % 2 == 0 else "41")
        found = re.search(r"tilelab: lies claims 'consistent', which does not hold: on ([\d ]+) it is (\d+), a move later on ([\d ]+) it is 0\n",
                          done.stderr)
        first, last = found[1].split(), found[3].split()
        self.assertEqual(sum(a != b for a, b in zip(first, last)), 2)
        self.assertEqual(last[8], "0")
        done = self.verify("falls")
        self.assertNotIn("'admissible'", done.stderr)
        self.assertIn("falls claims 'consistent', which does not hold: on 0 ", done.stderr)

    def test_on_a_sample_too(self):
        done = self.verify("lies", 3, "--size", "4x4")
        self.assertIn("lies claims 'consistent', which does not hold: on ", done.stderr)

    def test_the_goal_has_the_value_0(self):
        for more in ((), ("--size", "4x4")):
            done = self.verify("constant", 3, *more)
            self.assertIn("constant claims 'admissible', which does not hold: it is 1 at the goal\n", done.stderr)

    def test_a_value_depends_on_the_board_alone(self):
        done = self.verify("wavers", 3)
        self.assertRegex(done.stderr, r"tilelab: wavers is not the same twice on \d+ boards: on [\d ]+ it is [01], then [01]; expected a value that")

    def test_a_run_does_not_believe_them(self):
        done, rows = self.run_experiment(self.experiment(["lies"], "astar(lies)", "wastar(lies)", name="lies"), code=3)
        self.assertEqual({row["status"] for row in rows}, {"wrong_answer"})
        self.assertRegex(done.stderr, r"h at the start is 4[01], above the known optimum of \d+, with a heuristic that promises not to be")

    def test_no_value_is_too_large(self):
        """Two moves from the goal every search ends, and none is in doubt about what is stored."""
        for solver in ("astar(huge)", "idastar(huge)", "rbfs(huge)", "dfbnb(huge)", "lcbb(huge)", "greedy(huge)", "beam(huge)", "wastar(huge, w=1000)",
                       "astar(max:huge+manhattan)"):
            found = json.loads(self.tilelab("solve", "--json", "--plugin", "huge.so", "-s", solver, NEAR).stdout)
            self.assertEqual((found["status"], found["length"], found["h_start"]), ("solved", 2, 4095), solver)
        self.assertIn(" 4095.0000       4095 ", self.tilelab("verify", "heuristics", "--plugin", "huge.so", "huge", "--size", "2x3").stdout)

    def test_chance_ends_no_search_badly(self):
        """A value that changes from call to call, with and without a claim that the fast form of A* believes."""
        for name in ("wavers", "sure"):
            for algorithm in ("astar", "idastar", "rbfs", "dfbnb", "lcbb", "greedy", "wastar", "beam", "descent"):
                done = self.tilelab("solve", "--plugin", f"./{name}.so", "-s", f"{algorithm}({name})", "--nodes", "50k", HARDEST, code=None)
                self.assertIn(done.returncode, (0, 3), (name, algorithm, done.stderr))
                self.assertRegex(done.stdout, "status: (solved|stuck|node_limit|exhausted)\n")


class Runs(Plugins):
    def test_a_crash_costs_its_runs_alone(self):
        done, rows = self.run_experiment(self.experiment(["crash", "starved", "mine"], "astar(mine)", "astar(crash)", "astar(starved)", name="crash"), code=3)
        statuses = {(row["solver"], row["status"]) for row in rows}
        self.assertEqual(statuses, {("astar(mine)", "solved"), ("astar(crash)", "crashed"), ("astar(starved)", "out_of_memory")})
        self.assertIn("crashed: astar(crash) on u/1: signal 6 (Aborted)", done.stderr)

    @unittest.skipUnless(os.environ.get("TILELAB_LONG"), "takes longer than a worker is waited for")
    def test_a_hang_ends_with_its_run(self):
        _, rows = self.run_experiment(self.experiment(["hang", "mine"], "astar(mine)", "astar(hang)", name="hang", more="limits: {time: 100ms}\n"), code=3)
        self.assertEqual({(row["solver"], row["status"]) for row in rows}, {("astar(mine)", "solved"), ("astar(hang)", "crashed")})

    def test_rows_know_the_file_and_reruns_find_it(self):
        (self.folder / "own").mkdir()
        shutil.copy(self.folder / "mine.so", self.folder / "own" / "own.so")
        path = self.folder / "own.yaml"
        path.write_text("experiment: own\nplugins: [own/own.so, distance.so]\ninstances: [{name: u, size: 3x3, count: 1, method: uniform}]\n"
                        "solvers: [astar(mine), 'wastar(max:mine+distance, w=2)', astar(manhattan)]\n")
        _, rows = self.run_experiment(path)
        results = self.folder / "results-own"
        plugins = {plugin["file"]: plugin for plugin in json.loads((results / "manifest.json").read_text())["plugins"]}
        self.assertEqual(list(plugins), ["own/own.so", "distance.so"])
        self.assertEqual(plugins["own/own.so"]["path"], str(self.folder.resolve() / "own" / "own.so"))
        own, both = ({"own/own.so": plugins["own/own.so"]["hash"]}, {name: plugin["hash"] for name, plugin in plugins.items()})
        found = {row["solver"]: json.loads(row["options_json"]) for row in rows}
        self.assertEqual({solver: options.get("files") for solver, options in found.items()},
                         {"astar(mine)": own, "wastar(max:mine+distance, w=2)": both, "astar(manhattan)": None})
        self.assertEqual(found["wastar(max:mine+distance, w=2)"]["w"], 2)
        ids = {row["solver"]: row["run_id"] for row in rows}
        elsewhere = self.folder / "folder.so"
        for solver in ids:
            self.assertIn("Everything else is the same.", self.tilelab("rerun", results, ids[solver], cwd=elsewhere).stdout)

        # Another object of the same name: other runs.
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", SOURCE / "include", "-o", self.folder / "own" / "own.so", TEMPLATE], check=True)
        done = self.tilelab("rerun", results, ids["astar(mine)"], code=3, cwd=elsewhere)
        self.assertIn("tilelab: own/own.so has changed since the row was made\n", done.stderr)
        self.assertRegex(done.stdout, r'(?m)^options_json +\{"files":\{"own/own.so":"')
        self.identity(path, results, ids)

        # Nothing but new runs needs the object.
        (self.folder / "own" / "own.so").unlink()
        done = self.tilelab("rerun", results, ids["astar(mine)"], code=2, cwd=elsewhere)
        self.assertIn("tilelab: the row's plugin own/own.so cannot be opened: No such file or directory", done.stderr)
        self.assertIn(f"({self.folder.resolve()}/own/own.so)\n", done.stderr)
        self.assertIn("astar(mine)", self.tilelab("compare", results, cwd=elsewhere).stdout)
        self.tilelab("report", results, cwd=elsewhere)
        self.assertIn("astar(mine)", (results / "report.html").read_text())

    def identity(self, path, results, ids):
        """An experiment whose plugin has changed has other runs than before, but for those that do not use it."""
        done = self.tilelab("run", path, "--output", results, code=2)
        self.assertIn("runs.csv holds 2 rows of other runs than this experiment's:", done.stderr)
        self.tilelab("run", path, "--output", results, "--keep")
        rows = read_table(results / "runs.csv")
        self.assertEqual(len(rows), 5)
        again = {row["solver"]: row["run_id"] for row in rows[3:]}
        self.assertEqual(set(again), {"astar(mine)", "wastar(max:mine+distance, w=2)"})
        self.assertTrue(all(again[solver] != ids[solver] for solver in again))
        self.assertEqual(len({row["run_id"] for row in rows}), 5)


class Speaks(Plugins):
    """Whatever a plugin prints, whenever: data stays data."""

    def test_it_goes_to_standard_error(self):
        rows = {}
        for name in ("plain", "speaks"):
            path = self.experiment([name], f"astar({name})", name="said", sets="{name: near, size: 3x3, count: 2, method: walk, steps: 9}", more="jobs: 1\n")
            for command in (["solve", "--json", "--plugin", f"{name}.so", "-s", f"astar({name})", NEAR],
                            ["solve", "--trace", "--json", "--plugin", f"{name}.so", "-s", f"astar({name})", NEAR],
                            ["verify", "heuristics", "--json", "--size", "2x2", "--plugin", f"{name}.so", name],
                            ["list", "heuristics", "--json", "--plugin", f"{name}.so"],
                            ["plan", "--json", path], ["check", path], ["run", "--json", "--fresh", path]):
                done = self.tilelab(*command)
                self.assertNotIn("spoken", done.stdout)
                self.assertNotIn("loaded", done.stdout)
                self.assertEqual("spoken" in done.stderr and "loaded\n" in done.stderr, name == "speaks")
                if command[0] in ("solve", "verify", "run"):
                    for function in ("value", "make", "end", "unloaded"):
                        if function in ("end", "unloaded") and command[0] == "run":
                            continue  # of a worker, which just ends
                        self.assertEqual(f"{function}\n" in done.stderr, name == "speaks", (command, function))
                if "--json" in command and "--trace" not in command:
                    json.loads(done.stdout)
            rows[name] = [row["status"] for row in read_table(self.folder / "results" / "said" / "runs.csv")]
        self.assertEqual(rows["speaks"], rows["plain"])

    def test_it_moves_and_closes_nothing(self):
        """One that changes the folder and closes standard output: results are where they should be, and data is printed."""
        path = self.experiment(["moves"], "astar(moves)", name="moved", more="output: here\n")
        self.tilelab("run", path.name)
        self.assertTrue((self.folder / "here" / "runs.csv").exists())
        self.assertIn("status: solved", self.tilelab("solve", "--plugin", "moves.so", "-s", "astar(moves)", NEAR).stdout)


class Schema(Plugins):
    def test_editors_take_its_name(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("no jsonschema")
        validator = jsonschema.Draft7Validator(json.loads(self.tilelab("check", "--schema").stdout))
        whole = {"experiment": "e", "instances": [{"set": "korf100"}], "solvers": [{"algorithm": "astar", "heuristic": ["mine", {"max": ["mine", "zero"]}]}]}
        self.assertTrue(list(validator.iter_errors(whole)))
        self.assertEqual(list(validator.iter_errors({**whole, "plugins": ["mine.so"]})), [])
        self.assertTrue(list(validator.iter_errors({**whole, "plugins": "mine.so"})))


class Executed(Plugins):
    """Which commands run what an experiment or a results folder names: its plugins, its programs."""
    MAY = {"run", "check", "plan", "rerun", "reparse", "submit"}

    def setUp(self):
        self.trace = self.folder / "trace"
        leave = f'__attribute__((constructor)) static void leave(void) {{ FILE *f = fopen("{self.trace}", "a"); fputs("loaded ", f); fclose(f); }}\n'
        (self.folder / "tracing.c").write_text(frame("tracing", leave + ZERO, claims="TILELAB_CONSISTENT"))
        subprocess.run(["cc", "-shared", "-fPIC", "-I", SOURCE / "include", "-o", self.folder / "tracing.so", self.folder / "tracing.c"], check=True)
        (self.folder / "prints.sh").write_text(f'echo run >> "{self.trace}"\ncat > /dev/null\n')
        # An option that needs a consistent heuristic: what is not loaded still says so.
        self.path = self.experiment(["tracing"], "astar(tracing)", "wastar(tracing, w=2, reopen=false)", "{command: [sh, prints.sh], label: printing}", name="traced")
        self.out = self.folder / "results-traced"
        shutil.rmtree(self.out, True)
        for which in ("1/2", "2/2"):
            self.tilelab("run", self.path, "--shard", which, "-o", self.out, code=(0, 3))

    def ways(self, command):
        """As a person may give a command such a folder, its file and its rows."""
        yield from ((), (self.out,), (self.out / "experiment.yaml",), (self.path,), (self.out / "runs.csv",))
        more = {"rerun": ((self.out, self.run_id),), "run": ((self.path, "-o", self.out, "--keep", "-n"),), "submit": ((self.path, "--dry-run"),),
                "compare": ((self.out, "--full"), (self.out, "--against", self.out)), "plot": ((self.out, "--json"),),
                "report": ((self.out, "--format", "markdown"),), "status": ((self.out, "--json"),), "merge": ((self.out, "--json"),),
                "verify": (("heuristics", "--size", "2x2"), ("solution", NEAR, self.out)),
                "predict": (("eta", "-H", "manhattan", self.out),), "solve": (("-f", self.out / "experiment.yaml"),),
                "pdb": (("list",), ("check", self.out)), "template": (("python",),), "help": ((command,),)}
        yield from more.get(command, ())

    def test_only_those_that_the_manual_names(self):
        table = (SOURCE / "harness" / "commands" / "commands.def").read_text()
        commands = re.findall(r"^COMMAND\((\w+),", table, re.M)
        self.assertGreater(len(commands), 15)
        self.tilelab("merge", self.out, code=(0, 3))
        rows = read_table(self.out / "runs.csv")
        self.run_id = next(row["run_id"] for row in rows if row["solver"] == "astar(tracing)")
        executing = set()
        for command in commands:
            for words in self.ways(command):
                self.trace.unlink(missing_ok=True)
                self.tilelab(command, *words, code=(0, 1, 2, 3))
                if self.trace.exists():
                    executing.add(command)
                    self.assertIn(command, self.MAY, words)
        self.assertEqual(executing, self.MAY)
        manual = (SOURCE / "harness" / "reliability.md").read_text()
        self.assertIn("Only `run`, `check`, `plan`, `rerun`, `reparse` and `submit` execute what a file names", " ".join(manual.split()))

    def test_status_and_merge_do_without(self):
        """What the manifest says of a plugin is enough, even when it is gone."""
        (self.folder / "tracing.so").unlink()
        self.trace.unlink()
        status = json.loads(self.tilelab("status", self.out, "--json").stdout)
        self.assertEqual((status["runs"], status["done"], status["other_rows"]), (6, 6, 0))
        self.tilelab("merge", self.out, code=(0, 3))
        rows = {row["solver"]: row for row in read_table(self.out / "runs.csv")}
        self.assertEqual({rows[name]["status"] for name in ("astar(tracing)", "wastar(tracing, w=2, reopen=false)")}, {"solved"})
        (plugin,) = json.loads((self.out / "manifest.json").read_text())["plugins"]
        self.assertEqual((plugin["heuristic"], plugin["file"], plugin["claims"]), ("tracing", "tracing.so", "consistent"))
        self.assertEqual(json.loads(rows["astar(tracing)"]["options_json"])["files"], {"tracing.so": plugin["hash"]})
        self.assertFalse(self.trace.exists())
        # A manifest that says nothing of use.
        text = (self.out / "manifest.json").read_text()
        for wrong in ({"heuristic": "manhattan"}, {"heuristic": "A b"}, {"hash": "x"}, {"file": "other.so"}, {"heuristic": 7}):
            manifest = json.loads(text)
            manifest["plugins"] = [{**plugin, **wrong}]
            (self.out / "manifest.json").write_text(json.dumps(manifest))
            self.assertIn("manifest.json does not say which heuristic tracing.so has", self.tilelab("merge", self.out, code=2).stderr)
        (self.out / "manifest.json").write_text(text)
