"""Algorithms in shared objects: one counts as the built-in ones do, and what is wrong with one is a message or a row of a run."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import SOURCE, FolderCase, make_objects, read_table

TEMPLATE = SOURCE / "harness" / "templates" / "algorithm.c"
HARDEST = "8 6 7 2 5 4 3 0 1"
NEAR = "1 2 3 4 5 6 0 7 8"  # two moves

# What is exported: version, name, claims, options and function.
FRAME = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tilelab/algorithm.h>
typedef struct tilelab_search search_t;
typedef struct tilelab_node node_t;
%s
const struct tilelab_algorithm tilelab_algorithm = {%s, %s, "for a test", %s, %s, %s};
"""
HELP = """static int at_goal(search_t *s, const node_t *n) { return memcmp(n->tiles, s->puzzle->goal, s->puzzle->cells) == 0; }
"""
# Breadth-first search without a table, node by node in one array.
BREADTH = HELP + """struct kept { node_t node; unsigned parent; };
static int go(search_t *s)
{
    unsigned count = 1, room = 1000;
    struct kept *all = s->take(s, room * sizeof *all);
    if (all == NULL) return TILELAB_STUCK;
    all[0].node = s->start;
    for (unsigned at = 0; at < count; at++) {
        if (at_goal(s, &all[at].node)) {
            char moves[1000];
            unsigned length = all[at].node.g;
            for (unsigned i = at; all[i].node.g > 0; i = all[i].parent)
                moves[all[i].node.g - 1] = all[i].node.move;
            s->solution(s, moves, length);
        }
        if (!s->expand(s, &all[at].node)) return TILELAB_STUCK;
        for (unsigned i = 0;; i++) {
            if (count == room) {
                all = s->resize(s, all, (room *= 2) * sizeof *all);
                if (all == NULL) return TILELAB_STUCK;
            }
            const int made = s->child(s, &all[at].node, i, &all[count].node);
            if (made < 0) return TILELAB_STUCK;
            if (made == 0) break;
            all[count++].parent = at;
        }
    }
    return TILELAB_EXHAUSTED;
}
"""
# To the child of the least h, until the goal is there.
WALK = HELP + """static int go(search_t *s)
{
    char moves[100000]; unsigned length = 0; node_t n = s->start, c;
    n.move = 0;
    while (!at_goal(s, &n)) {
        if (!s->expand(s, &n)) return TILELAB_STUCK;
        int best = -1; node_t to = n;
        for (unsigned i = 0, made; (made = (unsigned)s->child(s, &n, i, &c)) != 0; i++) {
            if (made != 1) return TILELAB_STUCK;
            if (best < 0 || c.h < to.h) { best = (int)i; to = c; }
        }
        moves[length++] = to.move; n = to;
        if (length > 90000) return TILELAB_STUCK;
    }
    s->solution(s, moves, length);
    return TILELAB_STUCK;
}
"""
# The shortest path with a way there and back at its end, which is no shortest one.
DETOUR = BREADTH.replace("unsigned length = all[at].node.g;", "unsigned length = all[at].node.g + 2;").replace(
    "s->solution(", "memcpy(moves + length - 2, \"UD\", 2); s->solution(")


def frame(name, code, version="TILELAB_ALGORITHM_VERSION", claims="0", options="NULL", function="go"):
    return FRAME % (code, version, f'"{name}"' if name is not None else "NULL", claims, options, function)


def body(text):
    return "static int go(search_t *s) { (void)s; %s }\n" % text


def option(name="own", kind="TILELAB_NUMBER", initial="1", least="0", most="9", choices="NULL", forfeits="0"):
    return (f'static const char *const words[] = {{"soft", "hard", NULL}};\nstatic const struct tilelab_option table[] = {{{{"{name}", "help", {kind}, '
            f'{initial}, {least}, {most}, {choices}, {forfeits}}}, {{NULL}}}};\n')


QUIT = body("return TILELAB_STUCK;")
OBJECTS = {
    "mine": TEMPLATE.read_text(),
    "breadth": frame("breadth", BREADTH, claims="TILELAB_OPTIMAL | TILELAB_COMPLETE"),
    "steep": frame("steep", WALK, claims="TILELAB_INFORMED"),
    "detour": frame("detour", DETOUR, claims="TILELAB_OPTIMAL"),
    "honest": frame("honest", DETOUR),
    "astray": frame("astray", body('s->solution(s, "x\\033U", 3); return 0;')),
    "quits": frame("quits", QUIT, claims="TILELAB_COMPLETE"),
    "crash": frame("crash", body("abort();")),
    "uncounted": frame("uncounted", body("node_t c; for (int i = 0; i < 99; i++) s->child(s, &s->start, 0, &c); return TILELAB_STUCK;")),
    "claims_much": frame("claims_much", body("s->counters->duplicates = 1000000; return TILELAB_STUCK;")),
    "chatty": frame("chatty", BREADTH.replace("static int go(search_t *s)\n{", 'static int go(search_t *s)\n{\n    printf("spoken\\n");')),
    "deaf": frame("deaf", body("node_t n = s->start, c; for (long i = 0; i < 100000; i++) { s->expand(s, &n); s->child(s, &n, 0, &c); }"
                               's->solution(s, "RR", 2); return TILELAB_EXHAUSTED;')),
    "greedy_for_memory": frame("greedy_for_memory", body("while (s->take(s, 1 << 20) != NULL) continue; return TILELAB_STUCK;")),
    "asks": frame("asks", body('if (s->options[0] != 1 || s->options[1] != 0 || s->options[2] != 5 || s->options[3] != 1500 || s->options[4] != -1) abort();'
                               's->solution(s, "RR", 2); return 0;').replace("static int go", """static const char *const words[] = {"soft", "hard", NULL};
static const struct tilelab_option table[] = {{"loud", "a flag", TILELAB_FLAG, 0}, {"way", "a choice", TILELAB_CHOICE, 1, 0, 0, words},
    {"own", "a number", TILELAB_NUMBER, 3, 1, 9}, {"factor", "a decimal", TILELAB_DECIMAL, 1000, 1, 2, NULL, TILELAB_OPTIMAL},
    {"most", "perhaps", TILELAB_NUMBER, -1, 0, 9}, {NULL}};
static int go"""), claims="TILELAB_OPTIMAL", options="table"),
    "newer": frame("newer", QUIT, version="TILELAB_ALGORITHM_VERSION + 1"),
    "no_name": frame(None, QUIT),
    "bad_name": frame("Bad", QUIT),
    "no_search": frame("no_search", "", function="NULL"),
    "many_claims": frame("many_claims", QUIT, claims="16"),
    "astar": frame("astar", QUIT),
    "manhattan": frame("manhattan", QUIT),
    "reopen": frame("reopen", QUIT),
    "label": frame("label", QUIT),
    "twin": frame("mine", QUIT),
    "both": frame("both", QUIT) + 'const struct tilelab_heuristic tilelab_heuristic = {1, "both"};\n',
    "option_name": frame("option_name", option(name="a b") + QUIT, options="table"),
    "option_taken": frame("option_taken", option(name="order") + QUIT, options="table"),
    "option_heuristic": frame("option_heuristic", option(name="zero") + QUIT, options="table"),
    "option_range": frame("option_range", option(initial="10") + QUIT, options="table"),
    "option_kind": frame("option_kind", option(kind="7") + QUIT, options="table"),
    "option_words": frame("option_words", option(kind="TILELAB_CHOICE") + QUIT, options="table"),
}


def setUpModule():
    """Makes all of them, once."""
    folder = Algorithms.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-algorithm-"))
    unittest.addModuleCleanup(shutil.rmtree, folder)
    make_objects(folder, OBJECTS)


class Algorithms(FolderCase):
    folder = None  # of the objects

    def setUp(self):
        """All tests share the objects, and their folder."""

    def run_experiment(self, name, plugins, *solvers, more="", code=0, sets="{name: u, size: 3x3, count: 2, method: walk, steps: 12}"):
        path = self.folder / f"{name}.yaml"
        path.write_text(f"experiment: {name}\nplugins: [{', '.join(plugin + '.so' for plugin in plugins)}]\ninstances: [{sets}]\nsolvers:\n" +
                        "".join(f"  - {solver}\n" for solver in solvers) + more)
        done = self.tilelab("run", path, "--output", self.folder / f"results-{name}", "--fresh", code=code)
        return done, read_table(self.folder / f"results-{name}" / "runs.csv")

    def solve(self, plugin, solver, *more, code=0):
        return json.loads(self.tilelab("solve", "--json", "--plugin", f"{plugin}.so", "-s", solver, *more, code=code).stdout)


class Right(Algorithms):
    def test_the_template_counts_as_the_built_in_one(self):
        """IDA* on boards of 3x3 and 4x4, with heuristics of all kinds, to the end and up to a limit; the moves are the same, too."""
        for compiler, language in (("cc", "-std=c11"), ("c++", "-std=c++20")):
            if shutil.which(compiler) is not None:
                subprocess.run([compiler, language, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fvisibility=hidden", "-shared", "-fPIC", "-x",
                                "c" if compiler == "cc" else "c++", "-I", SOURCE / "include", "-o", self.folder / "built.so", TEMPLATE], check=True)
        self.assertLessEqual(len(TEMPLATE.read_text().splitlines()), 100)
        self.assertLessEqual(max(map(len, TEMPLATE.read_text().splitlines())), 100)
        heuristics = ("manhattan", "zero", "misplaced", "max:gaschnig+linear_conflict")
        for nodes in ("20k", "none"):
            solvers = [f"{name}({heuristic})" for name in ("mine", "idastar") for heuristic in heuristics[:4 if nodes == "20k" else 1]]
            _, rows = self.run_experiment("same", ["built"], *solvers, more=f"limits: {{nodes: {nodes}}}\n",
                                          sets="{name: a, size: 3x3, count: 20, method: uniform}, {name: b, size: 4x4, count: 5, method: walk, steps: 30}")
            found = {(row["solver"], row["instance"], row["set"]): row for row in rows}
            self.assertEqual(len(found), 25 * len(solvers))
            for (solver, *board), row in found.items():
                other = found[solver.replace("mine", "idastar"), *board]
                for column in ("status", "length", "moves", "h_start", "expanded", "generated", "iterations", "max_depth", "max_stored", "max_open"):
                    self.assertEqual(row[column], other[column], (solver, board, column))
        self.assertTrue({row["status"] for row in rows} == {"solved"})

    def test_it_is_a_row_of_the_table(self):
        rows = json.loads(self.tilelab("list", "algorithms", "--json", "--plugin", "mine.so", "--plugin", "asks.so").stdout)
        self.assertEqual([(row["algorithm"], row["what it is"], row["optimal"], row["complete"]) for row in rows[-2:]],
                         [("mine(H)", "iterative-deepening A*", "if H is admissible", "yes"), ("asks", "for a test", "yes", "no")])
        self.assertIn("loud", json.dumps(rows[-1]))
        done = self.tilelab("solve", "-s", "minee", "--plugin", "mine.so", NEAR, code=2)
        self.assertIn("unknown algorithm 'minee'; expected ", done.stderr)
        self.assertIn("did you mean 'mine'?", done.stderr)
        self.assertIn("mine needs a heuristic", self.tilelab("solve", "-s", "mine", "--plugin", "mine.so", NEAR, code=2).stderr)
        self.assertIn("breadth takes no heuristic", self.tilelab("solve", "-s", "breadth(zero)", "--plugin", "breadth.so", NEAR, code=2).stderr)

    def test_it_expands_before_everybodys_eyes(self):
        steps = [json.loads(line) for line in self.tilelab("solve", "--trace", "--json", "--plugin", "mine.so", "-s", "mine(manhattan)", NEAR).stdout.splitlines()]
        theirs = [json.loads(line) for line in self.tilelab("solve", "--trace", "--json", "-s", "idastar(manhattan)", NEAR).stdout.splitlines()]
        boards = [[event["enode"]["board"] for event in events if event.get("event") == "step"] for events in (steps, theirs)]
        self.assertEqual(boards[0], boards[1])
        self.assertEqual(len(boards[0]), 2)

    def test_a_heuristic_of_ones_own_goes_with_it(self):
        done = self.tilelab("solve", "--json", "--plugin", "steep.so", "-s", "steep(manhattan)", NEAR)
        self.assertEqual(json.loads(done.stdout)["length"], 2)
        subprocess.run(["cc", "-shared", "-fPIC", "-I", SOURCE / "include", "-o", self.folder / "own.so",
                        "-x", "c", SOURCE / "harness" / "templates" / "heuristic.c", "-DX"], check=True)
        twin = self.tilelab("solve", "--plugin", "own.so", "--plugin", "mine.so", "-s", "mine(mine)", NEAR, code=2)
        self.assertIn("mine.so calls its algorithm mine, which is the name of a heuristic or its option", twin.stderr)
        found = json.loads(self.tilelab("solve", "--json", "--plugin", "own.so", "--plugin", "steep.so", "-s", "steep(mine)", NEAR).stdout)
        self.assertEqual((found["status"], found["length"]), ("solved", 2))

    def test_options_come_as_they_are_written(self):
        found = self.solve("asks", "asks(factor=1.5, own=5, loud, way=soft)", NEAR)
        self.assertEqual((found["solver"], found["status"]), ("asks(loud, way=soft, own=5, factor=1.5)", "solved"))
        _, rows = self.run_experiment("options", ["asks"], "{algorithm: asks, loud: true, way: soft, own: 5, factor: 1.5}",
                                      sets=f"{{name: n, boards: [[{NEAR}]]}}")
        options = json.loads(rows[0]["options_json"])
        self.assertEqual({name: options[name] for name in ("loud", "way", "own", "factor", "most")},
                         {"loud": True, "way": "soft", "own": 5, "factor": 1.5, "most": None})
        plugin = json.loads((self.folder / "results-options" / "manifest.json").read_text())["plugins"][0]
        self.assertEqual(options["files"], {"asks.so": plugin["hash"]})
        self.assertEqual((plugin["algorithm"], plugin["claims"], len(plugin["options"])), ("asks", ["optimal"], 5))

    def test_wrong_options_are_reported_at_their_places(self):
        path = self.folder / "places.yaml"
        path.write_text("experiment: places\nplugins: [asks.so]\ninstances: [{set: korf100}]\nsolvers:\n  - asks(lod)\n  - asks(own=10)\n"
                        "  - {algorithm: asks, way: sof}\n  - {algorithm: asks, ways: soft}\n")
        errors = self.tilelab("check", path, code=2).stderr
        for message in ("5:10: asks has no option 'lod'; expected loud, way, own, factor, most or order; did you mean 'loud'?",
                        "6:14: invalid value '10' for option 'own'; expected a whole number from 1 to 9",
                        "7:28: invalid value 'sof' for option 'way'; expected soft or hard; did you mean 'soft'?",
                        "8:23: asks has no option 'ways'; expected loud, way"):
            self.assertIn(f"places.yaml:{message}", errors)


class Wrong(Algorithms):
    MESSAGES = {
        "newer": "newer.so was made for version 2 of tilelab/algorithm.h; this tilelab understands version 1",
        "no_name": "no_name.so calls its algorithm ''; expected a lower-case letter",
        "bad_name": "bad_name.so calls its algorithm 'Bad'; expected a lower-case letter",
        "no_search": "no_search.so has no function `search`; expected one in tilelab_algorithm",
        "many_claims": "many_claims.so claims 16; expected what tilelab/algorithm.h has",
        "astar": "astar.so calls its algorithm astar, which tilelab has already; expected another name",
        "manhattan": "manhattan.so calls its algorithm manhattan, which is the name of a heuristic or its option",
        "reopen": "reopen.so calls its algorithm reopen, which is the name of an algorithm or an option",
        "label": "label.so calls its algorithm label, which is the name of a key of a solver",
        "twin": "twin.so calls its algorithm mine, as does mine.so; expected another name",
        "mine": "mine.so a second time; expected each plugin once",
        "both": "both.so has a heuristic and an algorithm; expected an object for each",
        "option_name": "option_name.so calls an option 'a b'; expected a name of its own",
        "option_taken": "option_taken.so calls an option order, which is the name of a key of a solver",
        "option_heuristic": "option_heuristic.so calls an option zero, which is the name of a heuristic or its option",
        "option_range": "option_range.so has a wrong option 'own'; expected a default within its range",
        "option_kind": "option_kind.so has a wrong option 'own'; expected a kind that tilelab/heuristic.h has",
        "option_words": "option_words.so has a wrong option 'own'; expected 1 to 4 words",
    }

    def test_each_is_a_message_at_its_place(self):
        path = self.folder / "wrong.yaml"
        path.write_text("experiment: wrong\ninstances: [{set: korf100}]\nsolvers: [mine(zero)]\nplugins:\n  - mine.so\n" +
                        "".join(f"  - {name}.so\n" for name in self.MESSAGES))
        lines = [line for line in self.tilelab("check", path, code=2).stderr.splitlines() if line.startswith(str(path))]
        for number, (line, message) in enumerate(zip(lines, self.MESSAGES.values())):
            self.assertTrue(line.startswith(f"{path}:{6 + number}:5: {message}"), (line, message))
        self.assertEqual(len(lines), len(self.MESSAGES))


class Runs(Algorithms):
    def test_a_false_claim_is_a_wrong_answer(self):
        """A way there and back after the shortest path: fair without a claim, wrong with it."""
        sets = f"{{name: n, boards: [[{NEAR}], [1 2 3 4 5 6 7 0 8]]}}"
        done, rows = self.run_experiment("claim", ["detour", "honest", "breadth"], "bfs", "breadth", "honest", "detour", code=3, sets=sets)
        self.assertEqual({(row["solver"], row["status"]) for row in rows},
                         {("bfs", "solved"), ("breadth", "solved"), ("honest", "solved"), ("detour", "wrong_answer")})
        self.assertRegex(done.stderr, r"wrong answer: detour on n/1: the path has 4 moves; a shortest one, which this solver promises, has 2")
        done, rows = self.run_experiment("gives_up", ["quits", "astray"], "quits", "astray", code=3, sets=sets)
        self.assertEqual({row["status"] for row in rows}, {"wrong_answer"})
        self.assertIn("this solver promises to find it", done.stderr)
        self.assertNotIn("\033", done.stderr)

    def test_a_crash_costs_its_runs_alone(self):
        done, rows = self.run_experiment("crash", ["crash", "breadth"], "crash", "breadth", code=3)
        self.assertEqual({(row["solver"], row["status"]) for row in rows}, {("breadth", "solved"), ("crash", "crashed")})
        self.assertIn("crashed: crash on u/1: signal 6 (Aborted)", done.stderr)

    def test_impossible_counts_are_not_believed(self):
        done, rows = self.run_experiment("counts", ["uncounted", "claims_much"], "uncounted", "claims_much", code=3)
        self.assertEqual({row["status"] for row in rows}, {"wrong_answer"})
        self.assertRegex(done.stderr, "uncounted on u/1: 100 nodes were generated, more than 0 expanded ones have successors")
        self.assertIn("1000000 duplicates among 1 generated nodes", done.stderr)

    def test_limits_end_it(self):
        """Of nodes, of memory and of time; one that does not listen counts no node more."""
        found = self.solve("breadth", "breadth", "--nodes", "1000", HARDEST, code=3)
        self.assertEqual((found["status"], found["generated"]), ("node_limit", 1000))
        found = self.solve("deaf", "deaf", "--nodes", "1000", NEAR, code=3)
        self.assertEqual((found["status"], found["generated"]), ("node_limit", 1000))
        for name in ("breadth", "greedy_for_memory"):
            found = self.solve(name, name, "--memory", "8MB", HARDEST, code=3)
            self.assertEqual(found["status"], "memory_limit")
            self.assertTrue(2_600_000 < found["peak_bytes"] <= 8_000_000, found)
        found = self.solve("mine", "mine(zero)", "--time", "100ms", "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0", code=3)
        self.assertEqual(found["status"], "time_limit")

    def test_what_it_does_not_count_is_an_empty_cell(self):
        _, rows = self.run_experiment("empty", ["breadth"], "breadth", "bfs")
        own, built_in = (next(row for row in rows if row["solver"] == solver) for solver in ("breadth", "bfs"))
        for column in ("duplicates", "reopened", "max_open", "max_stored", "max_depth", "open_at_end"):
            self.assertEqual(own[column], "", column)
            self.assertNotEqual(built_in[column], "", column)
        self.assertEqual((own["iterations"], own["peak_bytes"] != "0"), ("1", True))
        table = self.tilelab("solve", "--plugin", "breadth.so", "-s", "breadth", "-s", "bfs", NEAR).stdout.splitlines()
        self.assertEqual(table[1].split()[5:7], ["-", "-"])
        self.assertNotIn("-", table[2].split())
        self.assertIn("breadth", self.tilelab("compare", self.folder / "results-empty").stdout)  # without the object

    def test_reruns_and_merges_find_it(self):
        _, rows = self.run_experiment("again", ["asks", "mine"], "mine(manhattan)", "mine(manhattan, longest=40)", "bfs")
        results = self.folder / "results-again"
        for row in rows:
            self.assertIn("Everything else is the same.", self.tilelab("rerun", results, row["run_id"]).stdout)
        out = self.folder / "results-shards"
        for which in ("1/2", "2/2"):
            self.tilelab("run", self.folder / "again.yaml", "--shard", which, "-o", out)
        moved = self.folder / "mine.so"
        moved.rename(self.folder / "gone")
        try:
            status = json.loads(self.tilelab("status", out, "--json").stdout)
            self.assertEqual((status["runs"], status["done"], status["other_rows"]), (6, 6, 0))
            self.tilelab("merge", out)
            self.assertEqual({row["status"] for row in read_table(out / "runs.csv")}, {"solved"})
            self.assertEqual({row["run_id"] for row in read_table(out / "runs.csv")}, {row["run_id"] for row in rows})
            manifest = json.loads((out / "manifest.json").read_text())
            manifest["plugins"][1]["options"][0]["kind"] = 9
            (out / "manifest.json").write_text(json.dumps(manifest))
            self.assertIn("manifest.json does not say which heuristic mine.so has, or which algorithm", self.tilelab("merge", out, code=2).stderr)
        finally:
            (self.folder / "gone").rename(moved)

    def test_what_it_prints_is_no_data(self):
        done = self.tilelab("solve", "--trace", "--json", "--plugin", "chatty.so", "-s", "chatty", NEAR)
        self.assertNotIn("spoken", done.stdout)
        self.assertIn("spoken", done.stderr)


class Schema(Algorithms):
    def test_editors_take_it_where_there_are_plugins(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("no jsonschema")
        validator = jsonschema.Draft7Validator(json.loads(self.tilelab("check", "--schema").stdout))
        whole = {"experiment": "e", "instances": [{"set": "korf100"}], "solvers": ["asks(own=5)", {"algorithm": "asks", "own": 5}]}
        self.assertGreaterEqual(len(list(validator.iter_errors(whole))), 2)
        self.assertEqual(list(validator.iter_errors({**whole, "plugins": ["asks.so"]})), [])
