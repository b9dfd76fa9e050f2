"""The command line as people type it: what it answers, where it says it, and how it ends."""
import csv
import io
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from support import SOURCE, TILELAB, WITHOUT_MATPLOTLIB, FolderCase, listed, names_of, on_terminal, read_table


# One of the two 8-puzzle boards that lie 31 moves from the goal.
FARTHEST = "8 6 7 2 5 4 3 0 1"
CLASSIC = "1 2 3 5 6 0 7 8 4"
CLASSIC_GOAL = "1 2 3 5 8 6 0 7 4"
GREEDY = "1 2 3 4 5 6 -1 8 9 10 7 11 13 14 15 12"
EIGHT_MOVES = "1 5 2 8 0 3 4 7 6"
UNSOLVABLE = "1 2 3 4 5 6 8 7 0"
SOLVERS = ["bfs", "bfs(goal_test=removal)", "dfs", "dfs(duplicates=path, depth_limit=35)",
           "dfs(duplicates=none, depth_limit=20)", "lcbb(misplaced)", "lcbb(manhattan, duplicates=none)",
           "lcbb(manhattan, duplicates=stored)", "dfbnb(manhattan)", "dfbnb(manhattan, depth_limit=31)",
           "greedy(zero)", "astar(zero)", "astar(manhattan)", "astar(misplaced, count_blank)", "idastar(manhattan)",
           "idastar(misplaced, step=parity, depth_limit=31)"]
COMMANDS = subprocess.run([TILELAB, "list", "commands", "--names"], text=True, capture_output=True, check=True).stdout.split()
TRY = re.compile(r"Try (`tilelab \w+ --help' or `tilelab \w+ --usage' for more\s+information|'tilelab \w+ --help')\.\n")


class Cli(FolderCase):
    told = {}  # what `list` has answered: with the experiments it draws all boards of the 8-puzzle

    def tilelab(self, *arguments, **more):
        return super().tilelab(*arguments, code=None, **more)

    def answer(self, *arguments, text=None, code=0):
        """What it prints. When all is well it says nothing on standard error."""
        if arguments in self.told:
            return self.told[arguments]
        done = self.tilelab(*arguments, text=text)
        if arguments[:1] == ("list",) and code == done.returncode == 0:
            self.told[arguments] = done.stdout
        self.assertEqual(done.returncode, code, (arguments, done.stderr))
        if code == 0:
            self.assertEqual(done.stderr, "", arguments)
        return done.stdout

    def refusal(self, *arguments, text=None):
        """What it says of wrong usage or input: on standard error only, with exit code 2."""
        done = self.tilelab(*arguments, text=text)
        self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
        return TRY.sub("", done.stderr)

    def solve(self, *arguments, text=None, code=0):
        """The lines of `solve` as a dictionary."""
        lines = self.answer("solve", *arguments, text=text, code=code).splitlines()
        return dict(line.split(": ", 1) for line in lines)

    def json(self, *arguments, code=0):
        return json.loads(self.answer(*arguments, code=code))

    def json_of(self, solvers, *arguments, code=0):
        """A row for each of these solvers, all of them asked at once."""
        rows = self.json("solve", "--json", *[word for solver in solvers for word in ("-s", solver)], *arguments, code=code)
        self.assertEqual(len(rows), len(solvers))
        return list(zip(solvers, rows))


def replay(start, moves, width):
    """Plays a path, moves of the blank, and gives the last board."""
    board = [0 if cell == "-1" else int(cell) for cell in start.split()]
    for move in moves:
        at = board.index(0)
        to = at + {"U": -width, "D": width, "L": -1, "R": 1}[move]
        assert 0 <= to < len(board) and (move in "UD" or at // width == to // width), (start, moves)
        board[at], board[to] = board[to], 0
    return " ".join(map(str, board))


class Main(Cli):
    def test_help_names_every_command(self):
        self.assertEqual(COMMANDS, names_of("harness/commands/commands.def", "COMMAND"))
        self.assertLess({"run", "plan", "check", "solve", "compare", "list", "help"}, set(COMMANDS))
        for word in ("help", "--help", "-h", "-?"):
            text = self.answer(word)
            for command in COMMANDS:
                self.assertRegex(text, rf"(?m)^  {command} ")

    def test_each_command_has_its_help(self):
        version = self.answer("--version")
        for command in COMMANDS:
            help_text = self.answer(command, "--help")
            self.assertRegex(help_text, rf"^Usage: tilelab {command} ")
            self.assertRegex(help_text, r"\nExit codes:\n(  \d+ .*\n)+\Z")
            self.assertLess(max(map(len, help_text.splitlines())), 81, command)
            for words in ((command, "-h"), (command, "-?"), ("help", command)):
                self.assertEqual(self.answer(*words), help_text, words)
            self.assertRegex(self.answer(command, "--usage"), rf"^Usage: tilelab {command} ")
            for word in ("--version", "-V"):
                self.assertEqual(self.answer(command, word), version)
        self.assertEqual(self.refusal("help", "slove"), self.refusal("slove"))

    def test_manual_pages(self):
        """Well formed for man(7), with every option that the help shows."""
        for words in ([], *([command] for command in COMMANDS), ["experiment"]):
            page = self.answer("help", "--man", *words)
            self.assertRegex(page, r'(?m)^\.TH TILELAB(-[A-Z]+)? [15] "" "tilelab ')
            for section in ("NAME", "DESCRIPTION"):
                self.assertIn(f"\n.SH {section}\n", page)
            shown = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
            for option in re.findall(r"(?m)^ .*?(--[\w-]+)", self.answer(*words, "--help") if words and words[0] in COMMANDS else ""):
                self.assertRegex(shown, rf"(?m)^(-., )?{option}\b")
            if shutil.which("groff"):
                done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z"], input=page, text=True, capture_output=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), words)

        keys = self.answer("list", "keys", "--names").split()
        for key in keys:
            self.assertIn(key.replace("-", "\\-"), page)

    def test_completion(self):
        def complete(*words):
            script = ('source <(tilelab help --completion bash); compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tilelab; '
                      'printf "%s\\n" "${COMPREPLY[@]}"')
            with tempfile.TemporaryDirectory() as empty:  # files here are completions too
                done = subprocess.run(["bash", "-c", script, "bash", *words], text=True, capture_output=True, cwd=empty, check=True,
                                      env={**os.environ, "PATH": f"{pathlib.Path(TILELAB).parent}:{os.environ['PATH']}"})
            self.assertEqual(done.stderr, "")
            return done.stdout.split()
        self.assertEqual(complete("tilelab", "so"), ["solve"])
        self.assertEqual(complete("tilelab", "run", "course"), ["coursework"])
        self.assertEqual(complete("tilelab", "solve", "--ti"), ["--time="])
        self.assertEqual(complete("tilelab", "verify", "heuristics", "linear"), ["linear_conflict"])
        self.assertEqual(complete("tilelab", "help", "ch"), ["check"])
        self.assertEqual(complete("tilelab", "compare", "--format", "ma"), ["markdown"])
        self.assertEqual(complete("tilelab", "compare", "--format", "=", "ma"), ["markdown"])
        self.assertEqual(complete("tilelab", "solve", "-s", "bf"), ["bfs", r"bfhs\(H\)", r"bfida\(H\)"])  # quoted
        self.assertEqual(complete("tilelab", "solve", "-s", "'rb"), ["rbfs(H)"])
        self.assertEqual(complete("tilelab", "list", "sheets", "col"), ["columbia"])  # of the first argument
        self.assertEqual(complete("tilelab", "list", "--markdown", "columns", "run"), ["runs"])
        self.assertEqual(complete("tilelab", "pdb", "build", "--size", "=", "3x3", "5"), ["5-3", "5-5-5", "5-5-5-5-4"])
        for words in (("list", "algorithms"), ("run", "coursework"), ("run", "-j", "2", "coursework"), ("template", "python"),
                      ("verify", "solution"), ("predict", "nodes")):
            self.assertEqual(complete("tilelab", *words, ""), [], words)
        self.assertEqual(complete("tilelab", "plot", "--only", "par"), ["pareto"])
        self.assertEqual(complete("tilelab", "solve", "--time", ""), [])
        for shell, *syntax in (("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")):
            text = self.answer("help", "--completion", shell)
            for command in COMMANDS:
                self.assertIn(command, text)
            if shutil.which(shell):
                done = subprocess.run([shell, *syntax, "/dev/stdin"], input=text, text=True, capture_output=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)
        self.assertIn("expected bash, zsh or fish", self.refusal("help", "--completion", "tcsh"))

    def test_the_manual_names_every_command(self):
        page = (SOURCE / "harness" / "running.md").read_text()
        self.assertEqual(set(re.findall(r"(?m)^\| `tilelab (\w+)", page)), set(COMMANDS))
        quiet = re.search(r"with `--json` the JSON as well; ([^.]+) have it", page).group(1)
        self.assertEqual({word.split()[0] for word in re.findall(r"`([^`]+)`", quiet)},
                         {command for command in COMMANDS if "--quiet" in self.answer(command, "--help")})

    def test_an_empty_word_names_no_file(self):
        """As of a variable that is not set: `status ''` looked into the root folder."""
        for words, needed in ((("status", ""), "RESULTS"), (("run", ""), "EXPERIMENT"), (("compare", "x", "--output="), "DIR"),
                              (("compare", "x", "--against", ""), "OLD"), (("generate", "-o", ""), "FILE"), (("pdb", "check", ""), "FILE")):
            self.assertIn(f": expected {needed}, not an empty word\n", self.refusal(*words))

    def test_one_format_at_a_time(self):
        for words in (("list", "sets", "--json", "--names"), ("list", "sets", "--names", "--markdown"), ("compare", "x", "--format", "csv", "--json")):
            self.assertRegex(self.refusal(*words), r": --\w+ and --\w+; expected one of them\n")

    def test_a_goal_shows_the_size(self):
        """Where nothing else does; - is standard output, as of report."""
        for words in ("--goal", "1 2 0 3"), ("-g", "[[1,2],[0,3]]", "-o", "-"):
            self.assertIn("\n1,2,2,", self.answer("generate", "-c", "1", *words))
        self.assertEqual(len(self.answer("list", "depths", "--goal", "1 2 0 3").splitlines()), 8)
        self.assertIn("4 cells in this line do not make a 3x3 board", self.refusal("generate", "--size", "3x3", "-g", "1 2 0 3"))

    def test_a_build_folder_anywhere_finds_what_ships(self):
        """The experiments and sets of the source tree that it was made from."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "tilelab"
            shutil.copy(TILELAB, program)
            def names():
                return subprocess.run([program, "list", "experiments", "--names"], text=True, capture_output=True, check=True).stdout.split()
            self.assertEqual(names(), [])
            (program.parent / "CMakeCache.txt").write_text(f"# made\nCMAKE_HOME_DIRECTORY:INTERNAL={SOURCE}\n")
            self.assertIn("coursework", names())

    def test_version(self):
        self.assertRegex(self.answer("--version"), r"^tilelab \d+\.\d+\.\d+\S* \(.+\)\nbuild [0-9a-f]{16}\n$")
        for word in ("-V", "version"):
            self.assertEqual(self.answer(word), self.answer("--version"))

    def test_no_command_shows_the_help_as_an_error(self):
        self.assertEqual(self.refusal(), self.answer("--help"))

    def test_unknown_command(self):
        hint = "Try 'tilelab --help'.\n"
        self.assertEqual(self.refusal("slove"), "tilelab: unknown command 'slove'; did you mean 'solve'?\n" + hint)
        self.assertEqual(self.refusal("generat"), "tilelab: unknown command 'generat'; did you mean 'generate'?\n" + hint)
        self.assertEqual(self.refusal("frobnicate"), "tilelab: unknown command 'frobnicate'\n" + hint)
        self.assertEqual(self.refusal("--frob"), "tilelab: unknown command '--frob'\n" + hint)
        self.assertEqual(self.refusal(""), "tilelab: unknown command ''\n" + hint)

    def test_unknown_option(self):
        for command in COMMANDS:
            self.assertEqual(self.refusal(command, "--frob"), f"tilelab {command}: unknown option '--frob'\n")
        for command, wrong, right in (("solve", "--movs", "--moves"), ("solve", "--node=5", "--nodes"), ("run", "--job", "--jobs"),
                                      ("run", "--outptu=x", "--output"), ("check", "--shema", "--schema"), ("plan", "--jsno", "--json")):
            known = self.tilelab(command, wrong)
            if wrong.split("=")[0] not in right:  # the beginning of a name is enough
                self.assertIn(f"; did you mean '{right}'?", known.stderr)
        # What stands behind an option that takes a value is its value, whatever it looks like.
        self.assertNotIn("unknown option", self.refusal("compare", "-o", "--frob", "/nowhere"))
        self.assertNotIn("unknown option", self.refusal("compare", "--output", "--frob", "/nowhere"))


class Screen(Cli):
    """Tables fit the terminal; what is left out is named, and --wide shows it."""

    def on_terminal(self, width, *arguments, **environment):
        known = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        shown, _ = on_terminal([TILELAB, *arguments], "stdout", columns=width, env={**known, **environment})
        return shown.replace("\r\n", "\n")

    def test_no_line_is_wider(self):
        many = [word for solver in SOLVERS[:14] for word in ("-s", solver)]
        for arguments in (["list"], ["verify", "heuristics", "manhattan", "linear_conflict"],
                          ["solve", *many, "--nodes", "2k", EIGHT_MOVES]):
            for width in (80, 120):
                text = self.on_terminal(width, *arguments)
                self.assertEqual([line for line in text.splitlines() if len(line) > width], [], (arguments, width))

    def test_plus_or_minus_is_half_an_interval_of_95_percent(self):
        arguments = ("verify", "heuristics", "manhattan", "--size", "4x4", "--boards", "2000")
        shown = re.search(r"(?m)^manhattan +([0-9.]+) +([0-9.]+) ", self.on_terminal(120, *arguments))
        told = json.loads(self.on_terminal(120, *arguments, "--json"))[0]
        self.assertEqual(shown[2], f"{1.96 * told['standard_error']:.4f}")
        self.assertLess(abs(float(shown[1]) - 37), 1.5 * float(shown[2]))  # the mean over all boards

    def test_what_is_left_out_is_named(self):
        arguments = ["solve", "-s", "bfs", "-s", "astar(manhattan)", EIGHT_MOVES]
        narrow = self.on_terminal(60, *arguments)
        left_out = re.search(r"\(not shown: (.*); --wide shows all\)", narrow)[1].split(", ")
        wide = self.on_terminal(60, *arguments, "--wide")
        for column in left_out:
            self.assertNotIn(column, narrow.splitlines()[0])
            self.assertIn(column, wide.splitlines()[0])
        # A pipe has no width, and COLUMNS goes before the terminal.
        def headings(text):
            return text.splitlines()[0].split()
        self.assertEqual(headings(self.answer(*arguments)), headings(wide))
        self.assertEqual(headings(self.on_terminal(60, *arguments, COLUMNS="200")), headings(wide))
        self.assertNotIn("not shown", self.tilelab(*arguments, COLUMNS="40").stdout)


class SolveInput(Cli):
    def test_all_forms_of_one_board(self):
        self.assertEqual(replay("8 1 3 4 0 2 7 6 5", self.solve("8", "1", "3", "4", "0", "2", "7", "6", "5")["moves"], 3),
                         "1 2 3 4 5 6 7 8 0")
        reference = self.answer("solve", "--moves", *"8 1 3 4 0 2 7 6 5".split())
        forms = ["8 1 3 4 0 2 7 6 5", "8,1,3,4,0,2,7,6,5", "[8,1,3; 4,_,2; 7,6,5]", "[[8,1,3],[4,0,2],[7,6,5]]", "8134_2765",
                 "8 1 3\n4 . 2\n7 6 5", "8 1 3 4 x 2 7 6 5", "8 1 3 4 -1 2 7 6 5", "# a board\n8 1 3 4 0 2 7 6 5 # here\n"]
        for form in forms:
            self.assertEqual(self.answer("solve", "--moves", form), reference, form)
            self.assertEqual(self.answer("solve", "--moves", text=form), reference, form)

    def test_a_bare_minus_one_is_the_blank(self):
        reference = self.answer("solve", "--moves", "0 1 2 3 4 5 6 7 8")
        for form in (["-1", "1", "2", "3", "4", "5", "6", "7", "8"], ["-1 1 2 3 4 5 6 7 8"], ["-1,1,2,3,4,5,6,7,8"],
                     ["--", "-1", "1", "2", "3", "4", "5", "6", "7", "8"]):
            self.assertEqual(self.answer("solve", "--moves", *form), reference, form)
            if form[0] != "--":
                self.assertEqual(self.answer("solve", *form, "--moves"), reference, form)
        self.assertEqual(self.answer("solve", "--moves", "1", "2", "3", "4", "5", "6", "7", "8", "-1"), "\n")
        self.assertEqual(self.answer("solve", "--moves", "1", "-1", "3", "2", "-g", "1 -1 3 2"), "\n")
        self.assertEqual(self.refusal("solve", "--nodes", "-1", "1 2 3 0"),
                         "tilelab solve: --nodes  -1: expected a number such as 500000 or 2M\n")

    def test_a_file_and_standard_input(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "board.txt"
            path.write_bytes(b"\xef\xbb\xbf1 2 3\r\n4 5 6\r\n7 0 8\r\n")
            self.assertEqual(self.answer("solve", "--moves", "-f", str(path)), "R\n")
            self.assertEqual(self.answer("solve", "--moves", str(path)), "R\n")
            path.write_text("1 2 3 0\n3 0 1 2\n")
            self.assertEqual(self.refusal("solve", "--boards", "-f", str(path)),
                             f"{path}:2:1: a second board begins here; --boards shows one search\n")
            path.write_bytes(b"1 2 3\n4 \0 0")
            self.assertEqual(self.refusal("solve", "-f", str(path)), f"{path}:2:3: a zero byte; expected a text file\n")
            self.assertEqual(self.refusal("solve", "-f", folder), f"{folder}: cannot be read: Is a directory\n")
        self.assertEqual(self.refusal("solve", "-f", str(path)), f"{path}: cannot be opened: No such file or directory\n")
        self.assertEqual(self.refusal("solve", "-f", "/dev/zero"), "/dev/zero:1:1: a zero byte; expected a text file\n")
        self.assertEqual(self.answer("solve", "--moves", "-f", "-", text="1 2 3 4 5 6 7 0 8\n"), "R\n")
        self.assertEqual(self.refusal("solve", text=""), "standard input: no boards here; expected boards such as "
                                                         "1 2 3 4 5 6 7 8 0, one per line or as grids\n")

    def test_all_boards_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "boards.csv"
            path.write_text(self.answer("generate", "--method", "depth", "--depth", "4,20", "--count", "3"))
            boards = read_table(path)
            table = self.answer("solve", "-s", "bfs", "-s", "astar(misplaced)", str(path)).splitlines()
            self.assertEqual(table[0].split()[:4], ["board", "solver", "status", "length"])
            self.assertEqual([line.split()[:4] for line in table[1:]],
                             [[board["id"], solver, "solved", board["optimal_length"]] for board in boards
                              for solver in ("bfs", "astar(misplaced)")])
            moves = self.answer("solve", "--moves", str(path)).splitlines()
            for board, path_found in zip(boards, moves, strict=True):
                self.assertEqual(replay(board["start"], path_found, 3), "1 2 3 4 5 6 7 8 0")
            rows = self.json("solve", "--json", "-f", str(path))
            self.assertEqual([row["start"] for row in rows], [board["start"] for board in boards])
            self.assertEqual([row["instance"] for row in rows], [board["id"] for board in boards])
            # What a spreadsheet writes: a byte order mark, semicolons, and whatever people call the column.
            path.write_bytes("\ufeffid;board;goal\r\na;\"1 2 3 4 5 6 7 0 8\";blank-last\r\nb;1 2 3 4 5 6 0 7 8;\r\n".encode())
            self.assertEqual(self.answer("solve", "--moves", str(path)), "R\nRR\n")
            # A set's own goals count; an unsolvable board is an answer and costs the others nothing.
            path.write_text("start,goal\n1 2 3 4 5 6 8 7 0,\n0 1 2 3 4 5 6 7 8,blank-first\n")
            done = self.tilelab("solve", str(path))
            self.assertEqual(done.returncode, 3)
            self.assertEqual([line.split()[:4] for line in done.stdout.splitlines()[1:]],
                             [["1", "astar(manhattan)", "unsolvable", "-"], ["2", "astar(manhattan)", "solved", "0"]])
            self.assertIn(f"{path}: 1: unsolvable", done.stderr)
        missing = str(path)
        self.assertEqual(self.refusal("solve", missing), f"{missing}: cannot be opened: No such file or directory\n")

    def test_the_size_where_the_text_does_not_show_it(self):
        self.assertEqual(self.answer("solve", "--moves", "--size", "3x2", "1 2 3 4 0 5"), "R\n")
        self.assertEqual(self.answer("solve", "--moves", "--size", "2x3", "1 2 3 0 5 4"), "D\n")
        self.assertEqual(self.answer("solve", "--moves", "1 2\n3 0\n5 4"), "D\n")
        self.assertEqual(self.refusal("solve", "1 2 3 4 0 5"),
                         "board:1:1: 6 cells in one line do not show the board's width and height; expected 4, 9, 16, 25 or "
                         "36 cells, a grid of lines, or a given shape (such as --size 4x3)\n")

    def test_bad_boards(self):
        self.assertEqual(self.refusal("solve", "1 2 3 4 5 6 7 8 8"),
                         "board:1:17: tile 8 a second time; the first is at line 1, column 15\n"
                         "board:1:1: the blank is missing; expected a 0, -1, _, x or .\n")
        self.assertEqual(self.refusal("solve", text="1 2 3\n4 5 6\n7 eight 0\n"),
                         "standard input:3:3: 'eight' is not a cell; expected a tile's number, or 0, -1, _, x or . for the "
                         "blank\n")

    def test_messages_command_no_terminal(self):
        self.assertEqual(self.refusal("solve", "1 2 \x1b[31m3 0"),
                         "board:1:5: '?' is not a cell; expected a tile's number, or 0, -1, _, x or . for the blank\n")
        self.assertRegex(self.refusal("solve", "-s", "astar(man\nhattan)", "1 2 3 0"),
                         r"^--solver:1:7: unknown heuristic 'man\?hattan'; [^\n]*\n$")

    def test_goals(self):
        self.assertEqual(self.answer("solve", "--moves", "-g", "snail", "1 2 3 8 4 0 7 6 5"), "L\n")
        self.assertEqual(self.answer("solve", "--moves", "--goal=blank-first", "1 0 2 3"), "L\n")
        self.assertEqual(self.refusal("solve", "-g", "snale", "1 2 3 0"),
                         "--goal:1:1: unknown goal 'snale'; expected blank-last, blank-first, snail or a whole board; did you "
                         "mean 'snail'?\n")
        self.assertEqual(self.refusal("solve", "-g", "1 2 3 0", "123456780"),
                         "--goal:1:1: 4 cells in this line do not make a 3x3 board; expected all 9 cells in one line, or 3 "
                         "lines of 3\n")


class SolveAnswer(Cli):
    def test_the_textbook_example_of_branch_and_bound(self):
        self.assertEqual(self.answer("solve", "-s", "lcbb(misplaced)", "-g", CLASSIC_GOAL, "--boards", CLASSIC),
                         "1 2 3\n5 6 0\n7 8 4\n\n"
                         "1 2 3\n5 0 6\n7 8 4\n\n"
                         "1 2 3\n5 8 6\n7 0 4\n\n"
                         "1 2 3\n5 8 6\n0 7 4\n\n")

    def test_the_textbook_example_of_greedy_descent(self):
        seen = self.solve("-s", "descent(misplaced, count_blank)", *GREEDY.split())
        self.assertEqual((seen["status"], seen["length"]), ("solved", "3"))
        self.assertEqual(replay(GREEDY, seen["moves"], 4), "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0")

    def test_the_textbook_example_of_astar_beside_bfs(self):
        for solver in ("bfs", "astar(misplaced, depth_limit=10)"):
            seen = self.solve("-s", solver, EIGHT_MOVES)
            self.assertEqual((seen["solver"], seen["status"], seen["length"]), (solver, "solved", "8"))
            self.assertEqual(replay(EIGHT_MOVES, seen["moves"], 3), "1 2 3 4 5 6 7 8 0")

    def test_lines(self):
        lines = self.answer("solve", "1 2 3 4 5 6 7 0 8").splitlines()
        self.assertEqual([line.split(": ")[0] for line in lines],
                         ["solver", "status", "length", "moves", "h_start", *names_of("solvers/search/statistics.def", "COUNTER"),
                          "wall_s", "cpu_s"])
        self.assertEqual(lines[:5], ["solver: astar(manhattan)", "status: solved", "length: 1", "moves: R", "h_start: 1"])
        self.assertEqual(lines[5:7], ["expanded: 1", "generated: 4"])

    def test_the_summary_of_five_lines(self):
        path = self.folder / "summary.txt"
        seen = self.solve("--summary", str(path), "-s", "dfs(depth_limit=20, order=RDUL)", EIGHT_MOVES)
        lines = path.read_text().splitlines()
        self.assertEqual(lines[:4], [seen["length"], seen["generated"], seen["expanded"], seen["max_depth"]])
        self.assertRegex(lines[4], r"^[0-9]+\.[0-9]{3}$")
        self.assertAlmostEqual(float(lines[4]), 1000 * float(seen["wall_s"]), places=3)
        self.assertEqual(len(lines), 5)
        self.tilelab("solve", "--summary", str(path), "-s", "bfs", "1 2 3 4 5 6 8 7 0")
        self.assertEqual(path.read_text().splitlines()[:4], ["-1", "0", "0", "0"])
        self.assertEqual(self.refusal("solve", "--summary", "x", "-s", "bfs", "-s", "dfs", "1 2 3 0"),
                         "tilelab solve: --summary is of one search; expected one solver\n")
        self.assertIn("--summary -: standard output has the answer", self.refusal("solve", "--summary", "-", "1 2 3 0"))

    def test_a_solved_board(self):
        for solver, seen in self.json_of(SOLVERS, "1 2 3 4 5 6 7 8 0"):
            self.assertEqual((seen["status"], seen["length"]), ("solved", 0), solver)
        self.assertEqual(self.answer("solve", "--moves", "1 2 3 4 5 6 7 8 0"), "\n")
        self.assertEqual(self.answer("solve", "--boards", "1 2 3 0"), "1 2\n3 0\n\n")

    def test_every_solver_on_every_2x2_board(self):
        boards = [" ".join(map(str, cells)) for cells in itertools.permutations(range(4))]
        solved = 0
        for board in boards:
            done = self.tilelab("solve", "--json", *[word for solver in SOLVERS[:8] for word in ("-s", solver)], board)
            rows = json.loads(done.stdout)
            for row in rows:
                self.assertEqual(row["status"], rows[0]["status"])
                if row["status"] == "solved":
                    self.assertEqual(replay(board, row["moves"], 2), "1 2 3 0")
            solved += rows[0]["status"] == "solved"
            self.assertEqual(done.returncode, 0 if rows[0]["status"] == "solved" else 3)
        self.assertEqual(solved, 12)

    def test_other_shapes(self):
        for width, height in ((2, 18), (18, 2), (6, 6), (5, 4), (2, 9), (3, 12)):
            cells = [*range(1, width * height), 0]
            for goal in ("blank-last", "snail", "blank-first"):
                end = self.json("solve", "--json", "--size", f"{width}x{height}", "-g", goal, "--nodes", "1",
                                " ".join(map(str, cells)), code=3 if goal != "blank-last" else 0)["goal"]
                board = replay(end, path_from(end, width, 12), width)
                for solver, seen in self.json_of(("bfs", "astar(manhattan)", "lcbb(manhattan)", "dfbnb(manhattan, depth_limit=12)", "idastar(manhattan)"),
                                                 "--size", f"{width}x{height}", "-g", goal, board):
                    self.assertEqual(seen["status"], "solved", (solver, board))
                    self.assertLessEqual(seen["length"], 12)
                    self.assertEqual(replay(board, seen["moves"], width), end)

    def test_unsolvable(self):
        seen = self.solve(UNSOLVABLE, code=3)
        self.assertEqual((seen["status"], seen["generated"]), ("unsolvable", "0"))
        self.assertNotIn("length", seen)
        self.assertNotIn("moves", seen)
        done = self.tilelab("solve", "--boards", UNSOLVABLE)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertTrue(done.stderr.startswith("tilelab: the board: unsolvable for this goal: the parity is wrong; exchanging 7 and 8 makes it solvable\n"))
        self.assertTrue(done.stderr.endswith(
            "tilelab: unsolvable: no sequence of moves leads to the goal: the parity is wrong\n"))
        self.assertEqual(self.solve("2 1 3 4 5 6 8 7 0")["status"], "solved")  # as the message says of any exchange

    def test_both_ends_need_a_heuristic_for_the_start_where_there_is_a_path(self):
        """No group of 4-4 is for a blank at an edge."""
        mm = ["solve", "-s", "mm(pdb:4-4)", "-g", "blank-first"]
        self.assertIn("mm searches from both ends, so", self.refusal(*mm, "1 0 2 3 4 5 6 7 8"))
        self.assertIn("\nstatus: unsolvable\n", self.answer(*mm, "2 0 1 3 4 5 6 7 8", code=3))

    def test_no_solution_under_a_depth_limit(self):
        for solver, status in (("astar(manhattan, depth_limit=7)", "exhausted"), ("dfbnb(manhattan, depth_limit=7)", "exhausted"),
                               ("idastar(manhattan, depth_limit=7)", "exhausted"),
                               ("idastar(misplaced, count_blank, depth_limit=7)", "stuck"),
                               ("dfs(duplicates=path, depth_limit=7)", "exhausted")):
            self.assertEqual(self.solve("-s", solver, EIGHT_MOVES, code=3)["status"], status, solver)

    def test_orders(self):
        seen = {order: self.solve("-s", "dfs", "--order", order, EIGHT_MOVES)["expanded"] for order in ("ULRD", "DRLU")}
        self.assertNotEqual(seen["ULRD"], seen["DRLU"])
        self.assertEqual(self.solve("-s", "dfs", EIGHT_MOVES)["expanded"], seen["ULRD"])
        one = self.json("solve", "--json", "--order", "drlu", EIGHT_MOVES)
        other = self.json("solve", "--json", "--order", "DRLU", EIGHT_MOVES)
        self.assertEqual((one["order"], one["run_id"]), ("DRLU", other["run_id"]))

    def test_more_solvers_make_a_table(self):
        lines = self.answer("solve", "-s", "bfs", "-s", "astar(manhattan)", "-s", "greedy(manhattan)", EIGHT_MOVES).splitlines()
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[0], r"^solver +status +length +expanded +generated ")
        self.assertRegex(lines[1], r"^bfs +solved +8 ")
        self.assertRegex(lines[2], r"^astar\(manhattan\) +solved +8 ")
        done = self.tilelab("solve", "-s", "bfs", "-s", "dfs(depth_limit=1)", EIGHT_MOVES)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stdout, r"(?m)^bfs +solved")
        self.assertRegex(done.stdout, r"(?m)^dfs\(depth_limit=1\) +\w+ +- ")

    def test_same_counts_every_time(self):
        for solver in SOLVERS:
            rows = [self.json("solve", "--json", "--moves", "-s", solver, EIGHT_MOVES) for _ in range(2)]
            for row in rows:
                for name in ("wall_s", "cpu_s", "finished_at", "row_hash"):
                    del row[name]
            self.assertEqual(rows[0], rows[1])


def path_from(board, width, steps):
    """A path of so many moves that circles without ever undoing a move: the blank goes round near squares."""
    cells = board.split()
    at, path, seed = cells.index("0"), "", 12345
    while len(path) < steps:
        seed = (seed * 1103515245 + 12345) % 2**31
        move = "ULRD"[seed >> 16 & 3]
        if path and move == {"U": "D", "D": "U", "L": "R", "R": "L"}[path[-1]]:
            continue
        to = at + {"U": -width, "D": width, "L": -1, "R": 1}[move]
        if 0 <= to < len(cells) and (move in "UD" or at // width == to // width):
            at, path = to, path + move
    return path


class SolveLimits(Cli):
    def test_nodes_are_generated_up_to_the_limit_exactly(self):
        for nodes in (1, 2, 3, 17, 1000):
            for solver, seen in self.json_of(SOLVERS, "--nodes", str(nodes), FARTHEST, code=3):
                self.assertEqual((seen["status"], seen["generated"]), ("node_limit", nodes), solver)
                if not solver.startswith("dfbnb"):  # which says the best that it has found
                    self.assertIsNone(seen["length"], (solver, nodes))
        seen = self.json("solve", "--json", "-s", "bfs", FARTHEST)
        self.assertEqual((seen["status"], seen["length"]), ("solved", 31))
        exactly = self.json("solve", "--json", "-s", "bfs", "--nodes", str(seen["generated"]), FARTHEST)
        self.assertEqual(exactly["status"], "solved")
        self.json("solve", "--json", "-s", "bfs", "--nodes", str(seen["generated"] - 1), FARTHEST, code=3)

    def test_memory_is_never_more_than_the_limit(self):
        for memory, limit in {"1": 1, "100B": 100, "5000": 5000, "10kB": 10000, "20KiB": 20480}.items():
            for solver, row in self.json_of(SOLVERS, "--memory", memory, "--nodes", "1M", FARTHEST, code=3):
                self.assertLessEqual(row["peak_bytes"], limit, (solver, memory))
                if limit < 5000:
                    self.assertEqual(row["status"], "memory_limit", (solver, memory))
        self.assertEqual(self.solve("-s", "bfs", "--memory", "100kB", FARTHEST, code=3)["status"], "memory_limit")

    def test_a_budget_that_was_the_peak_is_enough(self):
        for solver in ("bfs", "astar(manhattan)", "dfbnb(manhattan)", "idastar(manhattan)"):
            free = self.json("solve", "--json", "-s", solver, FARTHEST)
            again = self.json("solve", "--json", "-s", solver, "--memory", str(free["peak_bytes"]), FARTHEST)
            for name in ("status", "length", "expanded", "generated", "max_stored"):
                self.assertEqual(again[name], free[name], (solver, name))

    def test_time(self):
        seen = self.solve("--time", "1us", FARTHEST, code=3)
        self.assertEqual((seen["status"], seen["expanded"]), ("time_limit", "0"))
        hard = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
        for solver in ("dfs(duplicates=none)", "lcbb(zero, duplicates=none)", "bfs"):
            seen = self.json("solve", "--json", "-s", solver, "--time", "100ms", "--memory", "1GiB", "-g", "blank-first", hard,
                             code=3)
            self.assertEqual(seen["status"], "time_limit", solver)
            self.assertGreaterEqual(seen["wall_s"], 0.1)
            self.assertLess(seen["wall_s"], 5)

    def test_a_search_that_fits_is_not_limited(self):
        seen = self.solve("--time", "1h", "--nodes", "1M", "--memory", "1GB", EIGHT_MOVES)
        self.assertEqual(seen["status"], "solved")


class SolveJson(Cli):
    def test_the_keys_are_the_columns(self):
        columns = [row["name"] for row in self.json("list", "columns", "runs", "--json")]
        self.assertEqual(list(self.json("solve", "--json", EIGHT_MOVES)), columns)
        self.assertEqual(list(self.json("solve", "--json", UNSOLVABLE, code=3)), columns)
        for row in self.json("solve", "--json", "-s", "bfs", "-s", "dfs", EIGHT_MOVES):
            self.assertEqual(list(row), columns)

    def test_values_have_their_types(self):
        row = self.json("solve", "--json", "-s", "lcbb(misplaced, ties=lifo)", "-g", CLASSIC_GOAL, CLASSIC)
        expected = {"experiment": None, "width": 3, "height": 3, "start": CLASSIC, "goal": CLASSIC_GOAL, "optimal_length": None,
                    "solver": "lcbb(misplaced, ties=lifo)", "algorithm": "lcbb", "heuristic": "misplaced",
                    "options": "ties=lifo", "order": "ULRD", "repetition": 1, "status": "solved", "length": 3, "moves": "LDL",
                    "iterations": 1}
        self.assertEqual({name: row[name] for name in expected}, expected)
        self.assertRegex(row["run_id"], r"^[0-9a-f]{32}$")
        self.assertIsInstance(row["wall_s"], float)
        self.assertRegex(row["finished_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        row = self.json("solve", "--json", "-s", "bfs", UNSOLVABLE, code=3)
        self.assertEqual((row["heuristic"], row["options"], row["length"], row["moves"], row["h_start"]),
                         (None, "", None, "", None))

    def test_each_side_of_a_search_from_both_ends(self):
        for solver in ("bibfs", "mm(manhattan)", "nbs(zero)"):
            row = json.loads(self.answer("solve", "--json", "-s", solver, "1 5 2 8 0 3 4 7 6"))
            for counter in ("expanded", "generated"):
                self.assertEqual(row["extra"][counter + "_start"] + row["extra"][counter + "_goal"], row[counter], solver)
        self.assertIsNone(json.loads(self.answer("solve", "--json", "-s", "bfs", "1 5 2 8 0 3 4 7 6"))["extra"])

    def test_long_paths_only_when_asked_for(self):
        row = self.json("solve", "--json", "-s", "dfs", FARTHEST)
        self.assertGreater(row["length"], 1000)
        self.assertEqual(row["moves"], "")
        row = self.json("solve", "--json", "--moves", "-s", "dfs", FARTHEST)
        self.assertEqual(len(row["moves"]), row["length"])
        self.assertEqual(self.answer("solve", "--moves", "-s", "dfs", FARTHEST), row["moves"] + "\n")
        self.assertEqual(replay(FARTHEST, row["moves"], 3), "1 2 3 4 5 6 7 8 0")


class SolveUsage(Cli):
    def test_wrong_solvers(self):
        message = self.refusal("solve", "-s", "astr(manhattan)", "-s", "bfs(ties=fifo)", "1 2 3 0")
        self.assertEqual(len(message.splitlines()), 2)
        self.assertRegex(message, r"^--solver:1:1: unknown algorithm 'astr'; expected .*; did you mean 'astar'\?\n"
                                  r"--solver:1:5: bfs has no option 'ties'; expected goal_test, depth_limit or order\n$")
        self.assertEqual(self.refusal("solve", "-s", "bfs(manhattan)", "1 2 3 0"),
                         "--solver:1:5: bfs takes no heuristic; expected bfs without 'manhattan'\n")

    def test_wrong_values(self):
        cases = {("--nodes", "0"): "--nodes 0: expected a number such as 500000 or 2M",
                 ("--nodes", "many"): "--nodes many: expected a number such as 500000 or 2M",
                 ("--nodes", "18446744073709551616"): "--nodes 18446744073709551616: expected a number such as 500000 or 2M",
                 ("--time", "0"): "--time 0: expected a time such as 60s, 500ms or 2m",
                 ("--time", "-5"): "--time -5: expected a time such as 60s, 500ms or 2m",
                 ("--time", "inf"): "--time inf: expected a time such as 60s, 500ms or 2m",
                 ("--memory", "0"): "--memory 0: expected bytes such as 512MiB or 2GB",
                 ("--memory", "2G"): "--memory 2G: expected bytes such as 512MiB or 2GB",
                 ("--order", "ULRU"): "--order ULRU: expected the letters U, D, L, R in any order, such as ULRD",
                 ("--order", ""): "--order : expected the letters U, D, L, R in any order, such as ULRD",
                 ("--steps", "0"): "--steps 0: expected steps such as 1-5, 7 or 100-",
                 ("--steps", "5-3"): "--steps 5-3: expected steps such as 1-5, 7 or 100-",
                 ("--steps", "-3"): "--steps -3: expected steps such as 1-5, 7 or 100-",
                 ("--live", "some"): "--live some: expected a number such as 20, or all",
                 ("--draw", "0"): "--draw 0: expected a whole number from 1 to 10000",
                 ("--size", "1x4"): "--size 1x4: expected columns x rows such as 4x3, both at least 2, at most 36 cells",
                 ("--size", "7x6"): "--size 7x6: expected columns x rows such as 4x3, both at least 2, at most 36 cells"}
        for (option, value), message in cases.items():
            self.assertEqual(self.refusal("solve", option, value, "1 2 3 0"), f"tilelab solve: {message}\n")

    def test_wrong_combinations(self):
        two = ("-s", "bfs", "-s", "dfs", "1 2 3 0")
        self.assertEqual(self.refusal("solve", "--boards", *two), "tilelab solve: --boards shows one search; expected one solver\n")
        self.assertEqual(self.refusal("solve", "--trace", *two), "tilelab solve: --trace shows one search; expected one solver\n")
        self.assertEqual(self.refusal("solve", "--moves", *two), "tilelab solve: --moves shows one search; expected one solver\n")
        for option in ("--dot", "--svg"):
            self.assertEqual(self.refusal("solve", option, *two), f"tilelab solve: {option} shows one search; expected one solver\n")
        for one, other in (("--boards", "--json"), ("--boards", "--trace"), ("--boards", "--moves"), ("--trace", "--dot"),
                           ("--dot", "--svg"), ("--dot", "--json"), ("--svg", "--moves"), ("--trace", "--moves")):
            self.assertEqual(self.refusal("solve", one, other, "1 2 3 0"),
                             f"tilelab solve: {one} and {other}; expected one of them\n")
        for option, needed in (("--steps=1-3", "--steps needs --trace"),
                               ("--live=3", "--live needs --trace"),
                               ("--draw=3", "--draw needs --dot, --svg or --output")):
            self.assertEqual(self.refusal("solve", option, "1 2 3 0"), f"tilelab solve: {needed}\n")
        self.assertEqual(self.refusal("solve", "-f", "x", "1 2 3 0"),
                         "tilelab solve: a board in the arguments and --file; expected one of them\n")
        self.assertEqual(self.refusal("solve", *["-s", "bfs"] * 65, "1 2 3 0"), "tilelab solve: more than 64 solvers\n")


class Generate(Cli):
    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.answer("generate", *arguments))))

    def test_defaults(self):
        rows = self.rows()
        self.assertEqual([row["id"] for row in rows], [str(i) for i in range(1, 11)])
        self.assertEqual(list(rows[0]), ["id", "width", "height", "start", "goal", "optimal_length"])
        for row in rows:
            self.assertEqual((row["width"], row["height"], row["goal"]), ("3", "3", "blank-last"))
            self.assertLessEqual(int(row["optimal_length"]), 31)

    def test_five_are_the_beginning_of_fifty(self):
        for options in ([], ["--size", "4x4"], ["--method", "walk", "--steps", "20"], ["--size", "2x3", "--distinct"],
                        ["--goal", "snail", "--size", "6x6"], ["--method", "depth", "--depth", "12"]):
            few = self.answer("generate", "--count", "5", *options)
            many = self.answer("generate", "--count", "50", *options)
            self.assertTrue(many.startswith(few), options)
            self.assertEqual(many, self.answer("generate", "--count", "50", *options))

    def test_seeds_and_names(self):
        sets = [self.answer("generate", "--size", "4x4", *options)
                for options in ([], ["--seed", "2"], ["--name", "other"], ["--seed", "18446744073709551615"])]
        self.assertEqual(len(set(sets)), 4)
        self.assertEqual(self.answer("generate", "--seed", "1", "--name", "generated", "--size", "4x4"), sets[0])

    def test_exact_depths(self):
        rows = self.rows("--method", "depth", "--depth", "31,2-4", "--count", "2")
        self.assertEqual([row["id"] for row in rows], ["d31-1", "d31-2", "d02-1", "d02-2", "d03-1", "d03-2", "d04-1", "d04-2"])
        for row in rows:
            depth = row["id"].split("-")[0].removeprefix("d").removeprefix("0")
            self.assertEqual(row["optimal_length"], depth)
            self.assertEqual(self.solve("-s", "bfs", row["start"])["length"], depth)

    def test_distinct_gives_every_board(self):
        rows = self.rows("--size", "2x2", "--count", "12", "--distinct")
        self.assertEqual(len({row["start"] for row in rows}), 12)
        self.assertEqual(self.refusal("generate", "--size", "2x2", "--count", "13", "--distinct"),
                         "tilelab generate: too few boards: 12 distinct ones can reach this goal; expected a count of at most "
                         "that, or distinct: false\n")

    def test_large_boards_have_no_optimal_length(self):
        for size in ("4x4", "6x6", "2x18"):
            for row in self.rows("--size", size, "--count", "3"):
                self.assertEqual(row["optimal_length"], "")

    def test_a_goal_of_ones_own(self):
        for row in self.rows("--goal", CLASSIC_GOAL, "--count", "5"):
            self.assertEqual(row["goal"], CLASSIC_GOAL)
            self.assertEqual(self.solve("-g", CLASSIC_GOAL, row["start"])["length"], row["optimal_length"])

    def test_output_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "set.csv"
            self.assertEqual(self.answer("generate", "--count", "4", "-o", str(path)), "")
            self.assertEqual(path.read_text(), self.answer("generate", "--count", "4"))
            self.assertEqual(self.answer("generate", "--count", "2", "-o", str(path)), "")
            self.assertEqual(path.read_text(), self.answer("generate", "--count", "2"))
            self.assertEqual([entry.name for entry in pathlib.Path(folder).iterdir()], ["set.csv"])
            done = self.tilelab("generate", "-o", f"{folder}/no/set.csv")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr, f"tilelab: {folder}/no/set.csv cannot be written: No such file or directory\n")

    def test_json(self):
        rows = list(csv.DictReader(io.StringIO(self.answer("generate", "--count", "2"))))
        found = self.json("generate", "--count", "2", "--json")
        self.assertEqual([{key: str(value) for key, value in one.items()} for one in found], rows)
        self.assertIsNone(self.json("generate", "--size", "4x4", "--count", "1", "--json")[0]["optimal_length"])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "set.csv"
            self.assertEqual(self.json("generate", "--count", "2", "--json", "-o", str(path)), found)
            self.assertEqual(path.read_text(), self.answer("generate", "--count", "2"))

    def test_only_plain_files_are_replaced(self):
        """A pipe, a device or a link named as the output is written to and stays what it is."""
        expected = self.answer("generate", "--count", "4")
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / "pipe"
            os.mkfifo(pipe)
            with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
                self.assertEqual(self.answer("generate", "--count", "4", "-o", str(pipe)), "")
                self.assertEqual(reader.communicate(timeout=60)[0], expected)
            self.assertTrue(pipe.is_fifo())
            target = pathlib.Path(folder) / "target.csv"
            link = pathlib.Path(folder) / "link.csv"
            target.write_text("old")
            link.symlink_to(target)
            self.assertEqual(self.answer("generate", "--count", "4", "-o", str(link)), "")
            self.assertTrue(link.is_symlink())
            self.assertEqual(target.read_text(), expected)
            full = pathlib.Path(folder) / "full.csv"
            full.symlink_to("/dev/full")
            done = self.tilelab("generate", "-o", str(full))
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"tilelab: {full} cannot be written: No space left on device\n"))
            self.assertTrue(full.is_symlink())
            self.assertEqual({entry.name for entry in pathlib.Path(folder).iterdir()},
                             {"pipe", "target.csv", "link.csv", "full.csv"})

    def test_wrong_usage(self):
        cases = {
            ("--method", "walk"): "--method walk needs --steps N",
            ("--method", "depth"): "--method depth needs --depth LIST",
            ("--steps", "3"): "--steps has no meaning with --method uniform",
            ("--depth", "3"): "--depth has no meaning with --method uniform",
            ("--method", "walk", "--steps", "3", "--depth", "3"): "--depth has no meaning with --method walk",
            ("--method", "wlak", "--steps", "3"):
                f"unknown method 'wlak'; expected {listed(names_of('instances/methods.def', 'METHOD'))}; did you mean 'walk'?",
            ("--count", "0"): "--count 0: expected a whole number from 1 to 10000000",
            ("--count", "-3"): "--count -3: expected a whole number from 1 to 10000000",
            ("--count", "10000001"): "--count 10000001: expected a whole number from 1 to 10000000",
            ("--count", "99999999999999999999999"):
                "--count 99999999999999999999999: expected a whole number from 1 to 10000000",
            ("--size", "3"): "--size 3: expected columns x rows such as 4x3, both at least 2, at most 36 cells",
            ("--seed", "-1"): "--seed -1: expected a whole number below 2^64",
            ("--seed", "1e9"): "--seed 1e9: expected a whole number below 2^64",
            ("--seed", "18446744073709551616"): "--seed 18446744073709551616: expected a whole number below 2^64",
            ("--method", "depth", "--depth", "5-2"): "--depth 2: expected a whole number from 5 to 1000",
            ("--method", "depth", "--depth", "x"): "--depth x: expected a whole number from 0 to 1000",
            ("--method", "depth", "--depth", "2,2"): "depth 2 a second time; expected each depth once",
            ("--method", "depth", "--depth", "32"):
                "no 3x3 board lies 32 moves from this goal; expected a depth from 0 to 31",
            ("--method", "depth", "--depth", "3", "--size", "4x3"):
                "4x3 boards are too large for method depth; expected at most 10 cells",
            ("3x3",): "unexpected argument '3x3'; expected only options",
        }
        for arguments, message in cases.items():
            self.assertEqual(self.refusal("generate", *arguments), f"tilelab generate: {message}\n")
        self.assertEqual(self.refusal("generate", "--goal", "nowhere"),
                         "--goal:1:1: unknown goal 'nowhere'; expected blank-last, blank-first, snail or a whole board\n")
        self.assertEqual(self.refusal("generate", "--goal", "123456780", "--size", "2x2"),
                         "--goal:1:1: 9 cells in this line do not make a 2x2 board; expected all 4 cells in one line, or 2 lines of 2\n")

    def test_what_is_written_can_be_solved(self):
        for row in self.rows("--size", "2x4", "--count", "3"):
            seen = self.solve("--size", "2x4", row["start"])
            self.assertEqual((seen["status"], seen["length"]), ("solved", row["optimal_length"]))


class List(Cli):
    WHAT = ("algorithms", "heuristics", "sets", "experiments", "templates", "keys", "columns", "statuses", "figures", "commands",
            "depths", "partitions", "placeholders", "sheets")

    def test_all_lists_one_after_the_other(self):
        text = self.answer("list")
        self.assertEqual(re.findall(r"(?m)^(\w+)\n\n", text), list(self.WHAT))
        for what in self.WHAT:
            self.assertIn(self.answer("list", what), text)

    def test_json(self):
        whole = self.json("list", "--json")
        self.assertEqual(list(whole), list(self.WHAT))
        for what in self.WHAT:
            self.assertEqual(self.json("list", what, "--json"), whole[what])

    def test_markdown(self):
        for what in self.WHAT:
            lines = self.answer("list", what, "--markdown").splitlines()
            width = lines[0].count(" |")
            self.assertEqual(lines[1], "|" + " --- |" * width)
            self.assertEqual(len(lines) - 2, len(self.json("list", what, "--json")))
            for line in lines[2:]:
                self.assertEqual(len(re.findall(r"(?<!\\)\|", line)), width + 1, line)
        self.assertIn("\n## columns\n", self.answer("list", "--markdown"))

    def test_columns_of_one_table(self):
        rows = self.json("list", "columns", "--json")
        tables = list(dict.fromkeys(row["table"] for row in rows))
        self.assertEqual(tables, ["runs", "rounds", "incumbents", "messages", "points", "control", "summary", "by_depth", "pairs", "expect"])
        for table in tables:
            own = [{key: row[key] for key in row if key != "table"} for row in rows if row["table"] == table]
            self.assertEqual(self.json("list", "columns", table, "--json"), own)
            self.assertEqual(len({row["name"] for row in own}), len(own))
            self.assertTrue(all(row["meaning"] for row in own))
        runs, summary = ({row["name"]: row for row in rows if row["table"] == table} for table in ("runs", "summary"))
        metrics = [name for name in runs if f"{name}_mean" in summary]
        self.assertEqual({name: summary[f"{name}_mean"]["unit"] for name in metrics}, {name: runs[name]["unit"] for name in metrics})
        costs = [name for name in metrics if name != "h_start"]  # what is no cost has no median over unsolved boards
        self.assertEqual(len(costs), len([name for name in summary if name.endswith("_median_all")]))

    def test_the_tables_are_all_there(self):
        for folder, table, what in (("algorithms", "ALGORITHM", "algorithm"), ("heuristics", "HEURISTIC", "heuristic")):
            text = (SOURCE / "solvers" / folder / f"{folder}.def").read_text()
            names = re.findall(rf"(?m)^{table}\((\w+),", text)
            self.assertEqual([re.split(r"[\[(:]", row[what])[0] for row in self.json("list", folder, "--json")], names)
        words = self.answer("list", "heuristics", "--names").split()  # as they are typed: the shells complete them
        self.assertEqual([word.rstrip(":") for word in words], names)

    def depths(self, *arguments):
        return [int(row["boards"]) for row in self.json("list", "depths", "--json", *arguments)]

    def test_boards_by_depth(self):
        # The published counts are compared in tests/unit/test_rank.c and tests/property/test_bfs.c.
        self.assertEqual(self.depths("--size", "2x3"),
                         [1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1])
        corner, edge, middle = (self.depths("--goal", goal) for goal in ("blank-first", "1 0 2 3 4 5 6 7 8", "snail"))
        self.assertEqual([corner[1], edge[1], middle[1]], [2, 3, 4])
        for counts in (corner, edge, middle):
            self.assertEqual(sum(counts), 181440)
        lines = self.answer("list", "depths").splitlines()
        self.assertEqual([line.split() for line in lines[1:]], [[str(depth), str(boards)] for depth, boards in enumerate(corner)])

    def test_the_files_that_ship(self):
        for what, folder, ending in (("set", "instances/sets", "csv"), ("experiment", "harness/experiments", "yaml")):
            names = sorted(path.stem for path in (SOURCE / folder).glob(f"*.{ending}"))
            rows = self.json("list", f"{what}s", "--json")
            self.assertEqual(sorted(row[what] for row in rows), names)
            for row in rows:
                self.assertGreater(len(row["what it is"]), 10, row)
        groups = ["published", "coursework", "benchmarks"]
        places = [(groups.index(row["group"]), row["experiment"]) for row in rows]
        self.assertEqual(places, sorted(places))
        for row in rows:  # each says what it takes
            self.assertRegex(row["time"], r"^[a-z ]*(second|minute|hour|night)s?( on two cores)?$", row)
            done = self.json("plan", row["experiment"], "--json")
            self.assertEqual(int(row["runs"]), done["run_count"], row)

    def test_wrong_usage(self):
        self.assertEqual(self.refusal("list", "algorithm"),
                         "tilelab list: unknown list 'algorithm'; expected algorithms, heuristics, sets, experiments, templates, keys, columns, "
                         "statuses, figures, commands, depths, partitions, placeholders or sheets; did you mean 'algorithms'?\n")
        self.assertEqual(self.refusal("list", "columns", "pair"),
                         "tilelab list: unknown table 'pair'; expected runs, rounds, incumbents, messages, points, control, summary, by_depth, pairs or "
                         "expect; "
                         "did you mean 'pairs'?\n")
        self.assertEqual(self.refusal("list", "columns", "pairs", "runs"), "tilelab list: a second table 'runs'; expected one\n")
        self.assertEqual(self.refusal("list", "sets", "columns"), "tilelab list: a second list 'columns'; expected one\n")
        self.assertEqual(self.refusal("list", "--size", "2x3"),
                         "tilelab list: --size is for depths\n")
        self.assertEqual(self.refusal("list", "sets", "--goal", "snail"),
                         "tilelab list: --goal is for depths\n")
        self.assertEqual(self.refusal("list", "depths", "--size", "4x4"),
                         "tilelab list: --size 4x4: expected columns x rows such as 4x3, both at least 2, at most 12 cells\n")
        self.assertIn("--goal:1:1: ", self.refusal("list", "depths", "--goal", "nowhere"))


class Check(Cli):
    """What is wrong with experiments and the files they name."""

    def experiment(self, *sets, **more):
        file = self.folder / "e.yaml"
        file.write_text(json.dumps({"experiment": "e", "instances": [{"size": "3x3", **one} for one in sets], "solvers": ["bfs"],
                                    **more}))
        return str(file)

    def test_json_and_quiet(self):
        found = self.json("check", "--json", "coursework", "classics")
        self.assertEqual([(one["experiment"], one["problems"]) for one in found], [("coursework", []), ("classics", [])])
        self.assertEqual(found[0]["runs"], 1200)
        self.assertEqual(self.answer("check", "--quiet", "coursework"), "")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "e.yaml"
            path.write_text("experiment: e\nsolvers: [bsf]\ninstances: [{size: 3x3, count: 1}]\n")
            wrong = self.json("check", "--json", str(path), code=2)
            self.assertNotIn("runs", wrong[0])
            self.assertIn(f"{path}:2:11: ", "\n".join(wrong[0]["problems"]))

    def test_names_that_are_not_utf_8(self):
        """JSON cannot hold them: a ? stands for what is no character, and nothing is left out."""
        name = os.fsdecode(bytes(self.folder) + b"/caf\xe9.yaml")
        shutil.copy(self.experiment({"name": "a", "count": 1}), name)
        said = f"{self.folder}/caf?.yaml"
        self.assertEqual(self.json("plan", "--json", name)["file"], said)
        self.assertEqual([one["file"] for one in self.json("check", "--json", name)], [said])
        with open(name, "a") as file:
            file.write(" x")
        wrong = self.json("check", "--json", name, code=2)
        self.assertEqual(wrong[0]["file"], said)
        self.assertTrue(any(problem.startswith(f"{said}:") for problem in wrong[0]["problems"]), wrong)

    def test_pipes_and_devices_are_not_waited_for(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for name in (pipe, "/dev/zero", "/dev/tty", "/dev/stdin"):
            for command in ("check", "plan"):
                said = self.refusal(command, str(name), text="experiment: e\n")
                self.assertIn(said, (f"{name}: cannot be opened: it is not a regular file\n",
                                     f"{name}: cannot be opened: No such device or address\n"))
        self.assertIn("'/dev/zero' is not a regular file; expected a file of boards",
                      self.refusal("check", self.experiment({"name": "a", "file": "/dev/zero"})))
        self.assertIn("pipe' is not a regular file; expected a file of boards",
                      self.refusal("check", self.experiment({"name": "a", "file": "pipe"})))

    def test_boards_come_from_pipes(self):
        for place in ("-", "/dev/stdin"):
            self.assertIn("length: 31\n", self.answer("solve", "-f", place, text=f"{FARTHEST}\n"))
        done = subprocess.run(["/bin/bash", "-c", f"'{TILELAB}' solve -f <(echo {FARTHEST})"], capture_output=True, text=True, check=True)
        self.assertIn("length: 31\n", done.stdout)

    def test_a_hundred_problems_are_reported(self):
        (self.folder / "bad.csv").write_text("id,start,optimal_length\n" + "".join(f"{i},{FARTHEST},30\n" for i in range(100000)))
        lines = self.refusal("check", self.experiment({"name": "bad", "file": "bad.csv"})).splitlines()
        self.assertEqual(len(lines), 301)
        self.assertEqual(lines[0], f"{self.folder}/bad.csv:2:21: optimal length 30; expected 31, the exact distance of this board")
        self.assertEqual(lines[-1], "and 99,900 more problems")
        self.assertEqual(self.refusal("run", self.experiment({"name": "bad", "file": "bad.csv"})).splitlines(), lines)

    def test_no_file_commands_the_terminal(self):
        evil = "\033[2Jred\u202eturned\x9bC1"
        (self.folder / "evil.csv").write_text(f"id,start\n{evil},{FARTHEST}\n")
        said = self.refusal("check", self.experiment({"name": "evil", "file": "evil.csv"}))
        self.assertEqual(said, f"{self.folder}/evil.csv:2:1: id '?[2Jred?turned?C1' contains unprintable characters; "
                               f"expected one line of printable text\n    2 | ?[2Jred?turned?C1,{FARTHEST}\n      | ^\n")
        file = self.experiment({"name": "a", "count": 1}, description="First \u202eturned\nand second", output="out\u2066")
        said = self.answer("plan", file)
        self.assertIn("\nFirst ?turned\nand second\n", said)
        self.assertIn("\nresults go to out?\n", said)
        self.assertIn("expected a name of letters", self.refusal("check", self.experiment({"name": "a\u202eb", "count": 1})))
        self.assertIn("expected a name of letters", self.refusal("check", self.experiment({"name": "two\nlines", "count": 1})))
        self.assertIn("expected a name of letters", self.refusal("check", self.experiment({"name": "a", "count": 1}, experiment="a\nb")))

    def test_wide_labels_shift_no_column(self):
        file = self.experiment({"name": "a", "count": 1}, solvers=[{"algorithm": "bfs", "label": "中文"}, {"algorithm": "dfs", "label": "abcde"}])
        lines = [line for line in self.answer("plan", file).splitlines() if " s, " in line]
        self.assertEqual([line[:9 - 2 * ("中" in line)] for line in lines], ["  中文   ", "  abcde  "])
        (self.folder / "w.yaml").write_text("experiment: e\ndescription: 中文\nsolvers: {中文: 1, x}\n")
        for entry, source, mark in zip(*[iter(self.refusal("check", str(self.folder / "w.yaml")).splitlines())] * 3):
            column = int(entry.split(":")[2]) - 1
            before = source.split("| ")[1].encode()[:column].decode()
            self.assertEqual(len(mark.split("| ")[1]) - 1, len(before) + sum(letter in "中文" for letter in before), (entry, source, mark))

    def test_no_manifest_name_or_word_commands_it_either(self):
        evil = "\033]0;x\x07\x9b2J\u202e"
        (self.folder / "e.yaml").write_text("experiment: e\ninstances: [{name: a, size: 2x2, count: 2}]\nsolvers: [bfs]\noutput: out\n")
        self.answer("run", str(self.folder / "e.yaml"), "--quiet", "--output", str(self.folder / "out"))
        self.tilelab("run", str(self.folder / "e.yaml"), "--shard", "1/2", "--output", str(self.folder / "shards"))
        manifest = self.manifest()
        run_id = (self.folder / "out" / "runs.csv").read_text().splitlines()[1].split(",")[0]

        def spoiled(value):
            if isinstance(value, dict):
                return {name: spoiled(part) for name, part in value.items()}
            return [spoiled(part) for part in value] if isinstance(value, list) else value + evil if isinstance(value, str) else value

        texts = [json.dumps(spoiled(manifest), ensure_ascii=False), json.dumps(spoiled(manifest)), json.dumps(manifest)[:200] + evil, f"[{evil}]"]
        folders = [str(self.folder / ("c" + evil))]
        shutil.copytree(self.folder / "out", folders[0])
        for source, its_texts in ("out", texts), ("shards", texts[:1]):
            for text in its_texts:
                folders.append(str(self.folder / f"{source}{len(folders)}"))
                shutil.copytree(self.folder / source, folders[-1])
                pathlib.Path(folders[-1], "manifest.json").write_text(text)
        (self.folder / f"x{evil}.yaml").write_text(f"a: {evil}")
        (self.folder / f"{evil}.pdb").write_text("x")
        calls = [words for folder in folders for words in (
            ["compare", folder], ["compare", "--full", folder], ["compare", folder, "--against", str(self.folder / "out")], ["status", folder],
            ["merge", folder], ["report", folder, "-o", str(self.folder / "r.html")], ["rerun", folder, run_id],
            ["run", str(self.folder / "e.yaml"), "--output", folder], ["plan", str(self.folder / "e.yaml"), "--output", folder])]
        calls += [[evil], ["run", "--" + evil], ["compare", "out", "--metric", evil], ["list", evil], ["template", evil],
                  ["compare", folders[0], "--table", evil], ["compare", folders[0], "-o", f"{self.folder}/e.yaml/{evil}"],
                  ["generate", "--size", "3x3", "-o", f"{self.folder}/no{evil}/x"], ["pdb", "list", "--pdb-dir", str(self.folder)],
                  ["pdb", "check", "--pdb-dir", str(self.folder)], *([word, str(self.folder / f"x{evil}.yaml")] for word in ("run", "check", "plan"))]
        for words in calls:
            done = subprocess.run([TILELAB, *words], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                  check=False, timeout=60, env={**os.environ, **(WITHOUT_MATPLOTLIB if folders[0] not in words else {})})
            for line in (done.stdout + done.stderr).splitlines():
                self.assertTrue(line.replace("\t", "").isprintable(), (words[0], line))

    def test_counts_of_one(self):
        self.assertEqual(self.answer("check", self.experiment({"name": "a", "count": 1})),
                         "e: 1 run (1 instance x 1 solver x 1 repetition), no problems\n")
        self.assertIn("too few boards: 1 distinct one at depth 0",
                      self.refusal("generate", "--method", "depth", "--depth", "0", "--count", "2", "--distinct"))
        self.assertIn("too few boards: only 2 distinct ones came up on walks of 1 step;",
                      self.refusal("generate", "--method", "walk", "--steps", "1", "--count", "3", "--distinct"))
        boards = [UNSOLVABLE] * 6
        done = self.tilelab("check", self.experiment({"name": "a", "boards": boards}))
        self.assertTrue(done.stderr.endswith("tilelab: 1 more board is unsolvable\n"), done.stderr)

    def test_a_repeated_tile_is_named_where_it_stands(self):
        twice = "1 2 3 4 5 5 7 8 0"
        for words in (["generate", "--size", "3x3", "--goal", twice], ["pdb", "build", "4-4", "--size", "3x3", "--goal", twice], ["solve", "--goal", twice, FARTHEST]):
            self.assertTrue(self.refusal(*words).startswith("--goal:1:11: tile 5 a second time; the first is at line 1, column 9\n"), words)
        (self.folder / "s.csv").write_text(f'id,start\na,"{twice}"\n')
        self.assertIn("s.csv:2:14: tile 5 a second time; the first is at line 2, column 12\n", self.refusal("solve", "-f", str(self.folder / "s.csv")))
        file = self.experiment({"name": "a", "size": "3x3", "count": 1})
        self.assertIn(f"tile 5 a second time; the first is in --set goal={twice}, column 14\n", self.refusal("check", file, "--set", f"goal={twice}"))
        self.assertIn("the solver bfs a second time; the first is in --set solvers=[bfs, bfs], column 10\n",
                      self.refusal("check", file, "--set", "solvers=[bfs, bfs]"))

    def test_overrides_that_are_wrong(self):
        """All memory is given back, which the sanitizers look at."""
        file = self.experiment({"name": "a", "count": 1})
        for command in ("check", "plan", "run"):
            for override in ("a=b", "limits.time=", "limits.time=5 parsecs", "instances.7.count=1", "solvers.1.x.y=[", ".=1"):
                self.assertIn("--set ", self.refusal(command, file, "--set", override, "--set", "jobs=1"))


class Progress(Cli):
    HARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    # Stopped for most of the second after which a search shows something: that takes no processor time.
    ASLEEP = ["sh", "-c", '"$@" & sleep 0.1; kill -STOP $!; sleep 1; kill -CONT $!; wait $!', "sh"]

    def on_a_terminal(self, *arguments, **environment):
        """Standard error, a terminal, and what comes on standard output."""
        shown, done = on_terminal([*self.ASLEEP, TILELAB, *arguments], "stderr", env={**os.environ, "TERM": "xterm", **environment})
        return shown, done.stdout

    def test_a_long_search_shows_how_far_it_is(self):
        for solver in ("bfs", "lcbb(zero, duplicates=none)"):
            shown, answer = self.on_a_terminal("solve", "-s", solver, "--time", "1300ms", "-g", "blank-first", self.HARD)
            lines = re.findall(r"\r([^\r\x1b]+)\x1b\[K", shown)
            self.assertTrue(1 <= len(lines) <= 4, shown)
            for line in lines:
                self.assertRegex(line, rf"^{solver.split('(')[0]}: depth \d+, \d+\.\d million nodes, \d+\.\d million a second, 0:0\d$")
            self.assertTrue(shown.endswith("\r\x1b[K"), shown)
            self.assertIn("status: time_limit\n", answer)

    def test_nothing_is_shown_where_nobody_looks(self):
        self.assertEqual(on_terminal([TILELAB, "solve", "-s", "bfs", FARTHEST], "stderr", env={**os.environ, "TERM": "xterm"})[0], "")
        long = ("solve", "-s", "bfs", "--time", "1300ms", "-g", "blank-first", self.HARD)
        shown, _ = self.on_a_terminal(*long, TERM="dumb")
        self.assertEqual(shown, "")
        done = subprocess.run([*self.ASLEEP, TILELAB, *long], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (3, ""))


class Output(Cli):
    def test_a_full_disk_is_an_error(self):
        for arguments in (["solve", "1 2 3 0"], ["solve", "--json", "1 2 3 0"], ["solve", "--boards", "1 2 3 0"],
                          ["solve", "--trace", "-s", "bfs", FARTHEST], ["solve", "-s", "bfs", "-s", "dfs", "1 2 3 0"],
                          ["list", "sets"], ["list", "sets", "--json"], ["list", "columns", "--markdown"], ["generate"],
                          ["generate", "--count", "5000"], ["--help"], ["--version"],
                          ["plan", "coursework"], ["check", "coursework"], ["check", "--schema"],
                          ["submit", "coursework", "--dry-run"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([TILELAB, *arguments], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (1, "tilelab: standard output cannot be written: No space left on device\n"), arguments)

    def test_no_colour_codes_in_a_pipe(self):
        for arguments in (["solve", EIGHT_MOVES], ["solve", "-s", "bfs", "-s", "dfs", EIGHT_MOVES], ["list"], ["--help"]):
            self.assertNotIn("\x1b", self.answer(*arguments))

    def test_the_locale_changes_nothing(self):
        for arguments in (["solve", "--json", "--time", "1.5s", EIGHT_MOVES], ["list", "columns"]):
            plain = self.tilelab(*arguments, LC_ALL="C")
            other = self.tilelab(*arguments, LC_ALL="de_DE.UTF-8")
            clean = re.compile(r'"(wall_s|cpu_s|finished_at|row_hash)": .*')
            self.assertEqual(clean.sub("", plain.stdout), clean.sub("", other.stdout))
