"""The house rules: which way includes point, what the search library keeps out of, that tables and folders are whole,
and that comments name files that exist."""
import pathlib
import re

from support import SOURCE, Case


# Floor by floor, from the ground up: a layer includes its own headers and those of floors below it.
FLOORS = [["base"], ["puzzle"], ["pdb"], ["heuristics"], ["search"], ["astar", "idastar", "bidirectional"], ["algorithms"],
          ["instances"], ["harness"]]
LAYERS = {layer: floor for floor, layers in enumerate(FLOORS) for layer in layers}
PAGES = ("astar", "idastar", "bidirectional", "algorithms")  # have the files of algorithms
MADE = ("version_text.h", "page_files.h", "help_texts.h", "schema_frame.h", "text_files.h")  # headers that the build makes
# The rooms of harness/ likewise, floor by floor: a room includes its own headers and those of floors below it.
ROOMS = [["text"], ["external", "prediction"], ["experiment"], ["results"], ["judge"], ["execution", "analysis"], ["compare"],
         ["figures"], ["report"], ["show"], ["cluster"], ["commands"]]
FOLDERS = ["solvers", "instances", "harness", "scripts", "results", "tests"]


def files(*folders):
    """The C files of some folders; templates are programs of their own."""
    found = sorted(path for folder in folders for path in (SOURCE / folder).rglob("*")
                   if path.suffix in (".c", ".h", ".def") and path.parent != SOURCE / "harness" / "templates")
    assert found, folders
    return found


def layer_of(path):
    """The layer of a file, or of an include as it is written."""
    parts = pathlib.Path(path).parts
    return parts[1] if parts[0] == "solvers" else parts[0]


def without_comments(text):
    """The code alone: comments and the contents of texts are gone, lines stay where they are."""
    def blank(match):
        kept = match.group(0)
        return kept if kept[0] == "\n" else ('""' if kept[0] == '"' else "") + "\n" * kept.count("\n")
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def comments(text):
    """The comments of a C file; strings that look like comments are skipped."""
    return [found for found in re.findall(r'"(?:\\.|[^"\\\n])*"|(/\*.*?\*/|//[^\n]*)', text, flags=re.S) if found]


def includes(path, kind='"'):
    close = {'"': '"', "<": ">"}[kind]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(rf"\s*#\s*include\s*{kind}([^{close}]+){close}", line)
        if match:
            yield number, match.group(1)


class Includes(Case):
    def test_they_point_one_way(self):
        wrong = []
        for path in files("solvers", "instances", "harness"):
            own = layer_of(path.relative_to(SOURCE))
            for number, name in includes(path):
                if name in MADE:
                    continue
                if "/" not in name or layer_of(name) not in LAYERS:
                    wrong.append(f"{path}:{number}: \"{name}\" does not begin with its layer")
                elif layer_of(name) != own and LAYERS[layer_of(name)] >= LAYERS[own]:
                    wrong.append(f"{path}:{number}: {own} includes \"{name}\", which does not stand below it")
        self.assertEqual(wrong, [])

    def test_rooms_of_the_harness_stand_on_floors(self):
        floors = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}
        wrong = []
        for path in files("harness"):
            own = path.relative_to(SOURCE / "harness").parts[0]
            if own == "main.c":  # stands above them all
                continue
            for number, name in includes(path):
                parts = pathlib.Path(name).parts
                if parts[0] != "harness" or parts[1] == own:
                    continue
                if floors.get(parts[1], len(ROOMS)) >= floors.get(own, -1):
                    wrong.append(f"{path}:{number}: {own} includes \"{name}\", which does not stand below it")
        self.assertEqual(wrong, [])

    def test_rooms_of_the_harness_are_known(self):
        folders = {path.name for path in (SOURCE / "harness").iterdir() if any(path.glob("*.[ch]")) and path.name != "templates"}
        self.assertLessEqual(folders, {room for rooms in ROOMS for room in rooms})

    def test_they_exist(self):
        for path in files("solvers", "instances", "harness"):
            for number, name in includes(path):
                self.assertTrue(name in MADE or (SOURCE / name).exists() or (SOURCE / "solvers" / name).exists(),
                                f"{path}:{number}: {name}")

    def test_every_folder_is_a_layer(self):
        folders = {path.name for path in (SOURCE / "solvers").iterdir() if path.is_dir()}
        self.assertEqual(folders, set(LAYERS) - {"instances", "harness"})

    def test_headers_are_guarded(self):
        for path in files("include", "solvers", "instances", "harness", "tests"):
            if path.suffix == ".h":
                self.assertEqual(f"\n{path.read_text()}".count("\n#pragma once\n"), 1, path)


class Comments(Case):
    def test_files_that_they_name_exist(self):
        """A name may leave out folders at its beginning; NAME and HEURISTIC stand for any name."""
        source = {str(path.relative_to(SOURCE)) for path in files("include", "solvers", "instances", "harness", "tests")}
        wrong = []
        for path in files("solvers", "instances", "harness", "tests"):
            for comment in comments(path.read_text()):
                for name in re.findall(r"(?<![\w./<*-])[\w/-]*\w\.(?:c|h|def)\b(?![\w/])", comment):
                    pattern = re.compile(r"(.*/)?" + re.sub(r"NAME|HEURISTIC", r"\\w+", re.escape(name)))
                    if not any(map(pattern.fullmatch, source)) and not name.startswith("gsl_"):
                        wrong.append(f"{path}: {name}")
        self.assertEqual(wrong, [])


class Library(Case):
    """solvers/ knows no YAML, no CSV, no processes, and prints nothing."""

    def test_no_foreign_headers(self):
        foreign = {"yaml.h", "jansson.h", "argp.h", "unistd.h", "signal.h", "spawn.h", "poll.h", "pthread.h"}
        # The flag that an interruption sets has its type from signal.h; large blocks of memory are mappings; pattern
        # databases are built on all cores and kept in files; of a crew's threads only the first gets signals.
        allowed = {("task.h", "signal.h"), ("arena.c", "sys/mman.h"), ("pages.c", "sys/mman.h"), ("pattern_build.c", "pthread.h"),
                   ("crew.c", "pthread.h"), ("crew.c", "signal.h"),
                   ("pattern_store.c", "unistd.h"), ("pattern_store.c", "sys/stat.h"), ("file.c", "unistd.h"), ("file.c", "sys/file.h"), ("file.c", "sys/stat.h")}
        wrong = [f"{path}:{number}: <{name}>" for path in files("solvers") for number, name in includes(path, "<")
                 if (name in foreign or name.startswith("sys/")) and (path.name, name) not in allowed]
        self.assertEqual(wrong, [])

    def test_nothing_is_printed(self):
        prints = re.compile(r"\b(?:stdout|stderr|(?:v|d|vd)?printf|puts|putchar|perror|syslog|psignal|"
                            r"write|warnx?|errx?|error)\s*(?=[(,;)])")
        wrong = []
        for path in files("solvers"):
            for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1):
                if path.name == "compiler.h":  # the name of a kind of format
                    continue
                for match in prints.finditer(line):
                    if path.name == "file.c" and match.group(0) == "write":  # whole files
                        continue
                    if path.name == "heap.c" and "fputs" in line and match.group(0) == "stderr":  # out of memory
                        continue
                    if path.name == "object.c" and match.group(0) in ("stdout", "stderr"):  # what an object prints goes to the latter
                        continue
                    wrong.append(f"{path}:{number}: {match.group(0)}")
        self.assertEqual(wrong, [])

    def test_no_process_is_started_or_ended(self):
        calls = re.compile(r"\b(?:fork|vfork|system|popen|posix_spawnp?|exec[lv][pe]*|exit|_exit|_Exit|abort|kill|raise|"
                           r"signal|sigaction|getenv|setlocale)\s*\(")
        allowed = {("heap.c", "exit("), ("pattern_store.c", "getenv(")}
        wrong = [f"{path}:{number}: {match.group(0)}" for path in files("solvers")
                 for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1)
                 for match in calls.finditer(line) if (path.name, match.group(0)) not in allowed]
        self.assertEqual(wrong, [])

    def test_searches_allocate_from_their_arena(self):
        """Only base/ speaks to the system's memory; searches hold what they count."""
        calls = re.compile(r"\b(?:malloc|calloc|realloc|reallocarray|aligned_alloc|mmap|alloca)\s*\(")
        wrong = [f"{path}:{number}: {match.group(0)}" for path in files("solvers")
                 for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1)
                 for match in calls.finditer(line) if path.parent.name != "base"]
        # Heap memory, which is not counted and ends the program where there is none, is for texts, for what an object
        # says of itself, and for what an observer remembers: a search that is watched counts the same bytes.
        texts = ("algorithm.c", "parts.c", "plugin.c", "solver.c", "view.c")
        wrong += [f"{path}:{number}: {name}" for path in files("solvers") for number, name in includes(path)
                  if path.parent.name in ("search", *PAGES) and path.name not in texts and name == "base/heap.h"]
        self.assertEqual(wrong, [])


class Harness(Case):
    def test_only_commands_print_and_have_exit_codes(self):
        """Other rooms write to a stream that they are given, or say what there is to say on a display."""
        words = re.compile(r"\b(?:EXIT_[A-Z]+|stdout|stderr|v?printf|puts|putchar|perror|psignal|warnx?|errx?|_?exit|_Exit|abort)\b(?=\s*[(,;)?:}]|\s*$)")
        allowed = {("progress.c", "stderr"), ("terminal.c", "stderr"),  # the display
                   ("worker.c", "_exit"), ("builds.c", "_exit"),  # the end of a worker process
                   ("session.c", "_exit"),  # at a second interrupt
                   ("launch.c", "_exit"), ("isolation.c", "_exit"),  # of a process that could not become the program
                   ("plugins.c", "_exit"), ("plugins.c", "stdout"),  # of one that tries a plugin, which gets another standard output
                   ("fault.c", "_exit"), ("fault.c", "exit"), ("fault.c", "abort")}  # a worker's failure on purpose
        wrong = [f"{path}:{number}: {match.group(0)}" for path in files("harness")
                 if path.parent.name not in ("commands", "harness")
                 for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1)
                 for match in words.finditer(line) if (path.name, match.group(0)) not in allowed]
        self.assertEqual(wrong, [])


    def test_texts_from_elsewhere_cannot_control_a_terminal(self):
        """What a message names (%s) may come from a file: screen_say (text/screen.h) makes it harmless."""
        wrong = [f"{path}: {call}" for path in files("harness/commands")
                 for call in re.findall(r'fprintf\(stderr,[^;]*%\.?\*?s[^;]*;', path.read_text())]
        self.assertEqual(wrong, [])


class Street(Case):
    """A run is resolved in one place (run_ids.h) and handed down as a plain value."""

    DOWN_THE_STREET = [f"execution/{name}" for name in ("queue", "slot", "worker", "scheduler", "machine_watch", "noise")] + \
                      [f"results/{name}" for name in ("run", "record", "messages", "folder")] + ["judge/verdict", "execution/row_sink"]

    def test_who_works_on_a_run_does_not_know_the_experiment(self):
        wrong = []
        for name in self.DOWN_THE_STREET:
            found = [path for path in (SOURCE / "harness" / f"{name}.h", SOURCE / "harness" / f"{name}.c") if path.exists()]
            self.assertTrue(found, name)
            wrong += [f"{path}:{number}: \"{header}\"" for path in found for number, header in includes(path)
                      if header.startswith("harness/experiment/")]
        self.assertEqual(wrong, [])

    def test_the_matrix_is_looked_up_in_one_place(self):
        calls = {path.name for path in files("harness") if path.parent.name in ("results", "judge", "execution", "analysis", "compare", "figures", "report", "cluster")
                 and "experiment_cell(" in without_comments(path.read_text())}
        self.assertEqual(calls, {"run_ids.c"})


class Tables(Case):
    TABLES = (("algorithms", "ALGORITHM", ("options", "run"), PAGES),
              ("heuristics", "HEURISTIC", ("options", "prepare", "evaluate", "step"), ("heuristics",)))

    def test_every_row_has_its_file(self):
        for folder, table, parts, rooms in self.TABLES:
            text = (SOURCE / "solvers" / folder / f"{folder}.def").read_text()
            names = re.findall(rf"(?m)^{table}\((\w+),", text)
            self.assertGreater(len(names), 2)
            self.assertEqual(len(names), len(set(names)))
            for name in names:
                paths = [path for room in rooms for path in (SOURCE / "solvers" / room).glob(f"{name}.c")]
                self.assertEqual(len(paths), 1, name)
                path = paths[0]
                code = path.read_text()
                for part in parts:
                    stamp = {"run": "STAMP_ALGORITHM", "step": "STEP_FROM_SCRATCH"}.get(part, "no stamp ")
                    stamped = f"{stamp}({name})" in code
                    self.assertTrue(stamped or re.search(rf"(?m)^(?:const struct|void|unsigned) .*\b{name}_{part}\b", code),
                                    f"{path}: {name}_{part}")

    def test_every_file_has_its_row(self):
        others = {"algorithm.c", "solver.c", "heuristic.c"}
        for folder, table, _, rooms in self.TABLES:
            text = (SOURCE / "solvers" / folder / f"{folder}.def").read_text()
            names = set(re.findall(rf"(?m)^{table}\((\w+),", text))
            for path in sorted(path for room in rooms for path in (SOURCE / "solvers" / room).glob("*.c")):
                if path.name in others or not re.search(rf"\b{path.stem}_options\b", path.read_text()):
                    continue
                self.assertIn(path.stem, names, f"{path} has no row in {folder}.def")

    def test_every_command_has_its_file(self):
        text = (SOURCE / "harness" / "commands" / "commands.h").read_text()
        for name in re.findall(r"\bcommand_(\w+)\(", text):
            code = (SOURCE / "harness" / "commands" / f"{name}.c").read_text()
            self.assertRegex(code, rf"(?m)^int command_{name}\(int argc, char \*\*argv\)$")


class Folders(Case):
    def test_each_says_what_lives_there(self):
        for folder in FOLDERS:
            path = SOURCE / folder / "README.md"
            self.assertTrue(path.exists(), path)
            self.assertRegex(path.read_text(), r"\A# ")

    def test_nothing_is_said_twice(self):
        """Merges repeat entries."""
        for name, begin in (("CHANGELOG.md", "- "), ("DECISIONS.md", r"\*\*20")):
            entries = [entry.strip() for entry in re.split(rf"(?m)^(?={begin})", (SOURCE / name).read_text())]
            self.assertGreater(len(entries), 10)
            self.assertEqual([entry for entry in entries if entries.count(entry) > 1], [], name)

    def test_published_sets_name_their_source(self):
        for path in sorted((SOURCE / "instances" / "sets").glob("*.csv")):
            self.assertTrue(path.read_text().startswith("# "), path)

    def test_tests_are_seen_by_the_build(self):
        """A test that is not named as the build looks for it would never run."""
        for path in sorted((SOURCE / "tests").rglob("*")):
            if path.parent.name in ("unit", "property", "golden") and path.suffix == ".c":
                self.assertTrue(path.name.startswith("test_"), path)
            if path.parent.name == "e2e" and path.suffix == ".py" and path.name not in ("support.py", "chromium.py", "cluster.py", "simulation.py", "classroom.py"):
                self.assertTrue(path.name.startswith("test_"), path)

    def test_no_test_hides_another(self):
        """Of two classes of one name in a file, or methods in a class, Python keeps the last: the first would never run."""
        for path in sorted((SOURCE / "tests").rglob("test_*.py")):
            classes = re.findall(r"(?m)^class (\w+)", path.read_text())
            self.assertEqual(len(classes), len(set(classes)), path)
            for part in re.split(r"(?m)^class ", path.read_text())[1:]:
                names = re.findall(r"(?m)^    def (test\w*)\(", part)
                self.assertEqual(len(names), len(set(names)), f"{path}: class {part.split('(')[0]}")
