"""The integrity of a results folder: edited rows, other builds and settings, folders and files that are not tilelab's,
files that change while a run goes on."""

import csv
import ctypes
import ctypes.util
import io
import json
import os
import pathlib
import random
import re
import shutil
import signal
import stat
import subprocess
import time

from support import SOURCE, FolderCase, read_table
from test_run import SMALL, SMALL_ROWS, TILELAB, Harness

XXHASH = ctypes.CDLL(ctypes.util.find_library("xxhash"))
XXHASH.XXH3_64bits.restype = ctypes.c_uint64
XXHASH.XXH3_64bits.argtypes = (ctypes.c_char_p, ctypes.c_size_t)

# Fast searches, and so many that a run lasts for seconds: something to change files under.
MANY = """experiment: many
instances: [{name: b, boards: [8 6 7 2 5 4 3 0 1]}]
solvers: [bfs]
repetitions: 100
warmup: 0
output: out
"""
MANY_ROWS = 100


def row_hash(cells):
    """The hash over all cells but the last."""
    text = b"".join(cell.encode() + b"\0" for cell in cells[:-1])
    digits = f"{XXHASH.XXH3_64bits(text, len(text)):016x}"
    return "abcdef"[int(digits[0]) % 6] + digits[1:] if re.fullmatch(r"\d+e?\d*", digits) else digits


class Rows(Harness):
    def header(self):
        return self.rows_file.read_text().splitlines()[0].split(",")

    def lines(self):
        return self.rows_file.read_text().splitlines()

    def put(self, lines):
        self.rows_file.write_text("".join(f"{line}\n" for line in lines))

    def edited(self, line, rehash=False, **changes):
        """A row's line with other cells, its row_hash made to fit or left."""
        cells = next(csv.reader([line]))
        for name, value in changes.items():
            place = self.header().index(name)
            if len(changes) == 1:
                self.assertNotEqual(cells[place], value)
            cells[place] = value
        if rehash:
            cells[-1] = row_hash(cells)
        text = io.StringIO()
        csv.writer(text, lineterminator="").writerow(cells)
        return text.getvalue()

    def find(self, **cells):
        """The number of the first line whose row has these cells, from 0, the header's number."""
        for number, row in enumerate(self.rows(), 1):
            if all(row[name] == value for name, value in cells.items()):
                return number
        self.fail(f"no row with {cells}")


class Contradictions(Rows):
    def setUp(self):
        super().setUp()
        self.run_of(SMALL)
        self.whole = self.without_times()

    def refused(self, lines, *said):
        self.put(lines)
        before = self.rows_file.read_bytes()
        errors = self.run_it(code=2).stderr
        for text in said:
            self.assertIn(text, errors)
        self.assertIn("put each line back as it was, or delete it and it will be run again", errors)
        self.assertEqual(self.rows_file.read_bytes(), before)
        return errors

    def test_the_hash_is_what_the_manual_says(self):
        for line in self.lines()[1:]:
            cells = next(csv.reader([line]))
            self.assertEqual(cells[-1], row_hash(cells))

    def test_every_edited_cell_is_named_with_its_line(self):
        lines = self.lines()
        number = self.find(solver="astar(manhattan)", set="d")
        numbers = {"integer": "7", "number": "0.5", "board": "1 2 3 4 0 5", "status": "stuck", "moves": "LR",
                   "time": "2020-01-01T00:00:00Z", "json": '{"w":2}', "hash": "00", "text": "other"}
        columns = json.loads(self.tilelab("list", "columns", "runs", "--json").stdout)
        self.assertEqual([column["name"] for column in columns], self.header())
        for column in columns:
            changed = list(lines)
            changed[number] = self.edited(lines[number], **{column["name"]: numbers[column["type"]]})
            with self.subTest(column["name"]):
                self.put(changed)
                errors = self.run_it(code=2).stderr
                self.assertIn(f"out/runs.csv:{number + 1}:", errors)
                self.assertIn("tilelab: 1 row of out/runs.csv is not as tilelab wrote it", errors)

    def test_swapped_columns(self):
        lines = self.lines()
        a, b = self.header().index("expanded"), self.header().index("generated")
        changed = [lines[0]]
        for line in lines[1:]:
            cells = next(csv.reader([line]))
            cells[a], cells[b] = cells[b], cells[a]
            text = io.StringIO()
            csv.writer(text, lineterminator="").writerow(cells)
            changed.append(text.getvalue())
        errors = self.refused(changed, "out/runs.csv:2:1: the row's cells are not those that were written: row_hash")
        self.assertIn(f"{SMALL_ROWS} rows of out/runs.csv are not", errors)

    def test_a_hash_that_was_made_to_fit_does_not_help(self):
        lines = self.lines()
        number = self.find(solver="astar(manhattan)", set="d")
        other = "1 2 3 4 0 5"
        for changes, said in (({"start": other}, "the row's cells make the run_id "), ({"repetition": "3"}, "make the run_id"),
                              ({"limit_nodes": "5"}, "make the run_id"), ({"build": "0" * 16}, "make the run_id"),
                              ({"algorithm": "idastar"}, "algorithm is 'idastar', but 'astar' in the experiment"),
                              ({"optimal_length": "3"}, "optimal_length is '3', but "),
                              ({"options_json": '{"w":2}'}, "options_json is "),
                              ({"moves": "U"}, "the path does not have the"),
                              ({"length": "31"}, "the path does not have the 31 moves"),
                              ({"h_start": "31"}, "h at the start is 31, above the known optimum")):
            with self.subTest(changes):
                changed = list(lines)
                changed[number] = self.edited(lines[number], rehash=True, **changes)
                self.refused(changed, f"out/runs.csv:{number + 1}:1: ", said)

    def test_malformed_rows_and_what_the_message_says_to_do(self):
        lines = self.lines()
        cells = lines[5].split(",")
        unquoted = lines[5].replace('"', "")
        count = len(self.header())
        for wrong, said in ((lines[5] + ",x", f"{count + 1} fields; expected {count}"), (",".join(cells[:-1]), f"{count - 1} fields; expected {count}"),
                            ('"' + unquoted, "this quote is not closed on its line"),
                            (unquoted.replace(",small,", ',"small,'), "this quote is not closed on its line"),
                            (lines[5].replace(",small,", ',sm"all,'), "a quote inside a field"), ("words", f"1 field; expected {count}"),
                            (self.edited(lines[5], status="sloved"), "did you mean 'solved'?"),
                            (self.edited(lines[5], expanded="1e3"), "expanded '1e3'; expected a whole number"),
                            (self.edited(lines[5], wall_s="nan"), "wall_s 'nan'; expected a number"),
                            (self.edited(lines[5], wall_s="-1"), "wall_s '-1'; expected a number"),
                            (self.edited(lines[5], generated=""), "generated is empty; expected its integer"),
                            (self.edited(lines[5], start="1 2 3"), "start: "),
                            (self.edited(lines[5], goal="1 2 3 4 5 5"), "goal: ")):
            with self.subTest(wrong):
                changed = list(lines)
                changed[5] = wrong
                errors = self.refused(changed, "out/runs.csv:6:", said)
                if "a second time" in errors:  # the tile is named where it stands
                    column = wrong.index(",1 2 3 4 5 5,") + 2
                    self.assertIn(f"out/runs.csv:6:{column + 10}: goal: tile 5 a second time; the first is at line 6, column {column + 8}\n", errors)
                self.assertIn("tilelab: 1 row of", errors)  # and of no other
        del changed[5]
        self.put(changed)
        self.run_it()
        self.assertEqual(self.without_times(), self.whole)

    def test_a_run_id_twice(self):
        lines = self.lines()
        self.refused([*lines[:9], lines[3], *lines[9:]], "out/runs.csv:10:1: the run_id ", " is on line 4 already")

    def test_a_torn_tail_behind_a_stray_quote_is_mended(self):
        lines = self.lines()
        self.rows_file.write_text("\n".join(lines) + '\n"' + lines[4][:100])
        self.assertIn("middle of a row", self.run_it().stderr)
        self.assertEqual(self.without_times(), self.whole)
        # A field that a line end was put into is two broken rows, whatever the tail is.
        lines[6] = lines[6].replace(",small,", ',"sm\nall",')
        self.rows_file.write_text("\n".join(lines) + '\n"x')
        self.refused("\n".join(lines).split("\n"), "out/runs.csv:7:", "out/runs.csv:8:", "tilelab: 2 rows")

    def test_of_many_the_first_hundred_are_reported(self):
        self.run_of(SMALL.replace("repetitions: 2", "repetitions: 4"))
        lines = self.lines()
        errors = self.refused([lines[0]] + [line + "," for line in lines[1:]], f"and {2 * SMALL_ROWS - 100} more problems")
        self.assertEqual(errors.count("out/runs.csv:"), 100)
        self.assertIn(f"tilelab: {2 * SMALL_ROWS} rows of", errors)

    def test_rerun_says_it_too(self):
        lines = self.lines()
        number = self.find(solver="bfs", set="d")
        cells = dict(zip(self.header(), next(csv.reader([lines[number]]))))
        lines[number] = self.edited(lines[number], wall_s="0.123")  # nothing that a rerun would see
        self.put(lines)
        again = self.tilelab("rerun", "out", cells["run_id"], "--json", code=None)
        found = json.loads(again.stdout)
        self.assertEqual((found["run_id"], found["same"], [row["column"] for row in found["columns"]]),
                         (cells["run_id"], True, ["wall_s"]))
        done = self.tilelab("rerun", "out", cells["run_id"], code=3)
        self.assertIn(f"out/runs.csv:{number + 1}: the row's cells are not those that were written: row_hash", done.stderr)

    def test_columns_in_another_order_are_read(self):
        with open(self.rows_file, newline="") as file:
            rows = list(csv.reader(file))
        with open(self.rows_file, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([row[::-1] for row in rows])
        done = self.tilelab("rerun", "out", rows[1][0], code=None)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("runs.csv:1:1: the columns are not those", self.run_it(code=2).stderr)


class Cells(Rows):
    def test_limits_options_and_build(self):
        self.run_of(SMALL.replace("  - dfs\n", "  - wastar(manhattan, w=2.5)\n  - lcbb(misplaced, ties=lifo)\n  - descent(misplaced, count_blank)\n"))
        build = self.tilelab("--version").stdout.split("build ")[1].strip()
        options = {"wastar(manhattan, w=2.5)": {"w": 2.5, "ties": "high_g", "reopen": True, "priority": "wa"},
                   "lcbb(misplaced, ties=lifo)": {"ties": "lifo"}, "descent(misplaced, count_blank)": {"count_blank": True}}
        for row in self.rows():
            self.assertEqual((row["limit_s"], row["limit_nodes"], row["limit_bytes"], row["build"]),
                             ("30", "1000" if row["solver"] == "lcbb(misplaced)" else "", str(256 << 20), build))
            written = json.loads(row["options_json"])  # all, those at their defaults too
            self.assertLessEqual(options.get(row["solver"], {}).items(), written.items())
            if row["algorithm"] == "wastar":
                self.assertEqual(set(written), set(options[row["solver"]]))
        manifest = self.manifest()
        self.assertEqual(manifest["tilelab"]["build"], build)
        for row in self.rows():
            self.assertEqual(row["host"], manifest["sessions"][0]["machine"]["host"])
            self.assertRegex(row["finished_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_formulas_are_quoted(self):
        self.write("id,start\n=1+1,1 2 3 4 5 6 7 0 8\n@x,1 2 3 4 5 6 0 7 8\n-1,1 2 3 4 5 0 7 8 6\n+1,1 2 0 4 5 3 7 8 6\n", "boards.csv")
        self.run_of("experiment: formulas\ninstances: [{name: f, file: boards.csv}]\nsolvers: [bfs]\noutput: out\n")
        self.assertEqual(sorted(line.split(",")[3] for line in self.lines()[1:]), ['"+1"', '"-1"', '"=1+1"', '"@x"'])
        self.assertEqual(sorted(row["instance"] for row in self.rows()), ["+1", "-1", "=1+1", "@x"])
        self.assertIn("4 of them are done already", self.run_it().stderr)


class Spreadsheets(Rows):
    """Numbers go through a spreadsheet: it reads each as a double and writes it in its shortest form."""

    FORMS = ("%.15G".__mod__, repr, "{:.9f}".format, lambda number: f"{number:.15E}")

    def saved(self, lines, form):
        """The lines as a program saves them that writes numbers in this form, and whole ones in full."""
        text = io.StringIO()
        writer = csv.writer(text)
        for cells in csv.reader(lines):
            shown = []
            for cell in cells:
                number = float(cell) if re.fullmatch(r"\d*\.?\d+([eE][-+]?\d+)?", cell) else None
                shown.append(cell if number is None else str(int(number)) if number == int(number) else form(number))
            writer.writerow(shown)
        self.rows_file.write_bytes(text.getvalue().encode())

    def check(self, form):
        errors = self.run_it().stderr
        self.assertIn(f"{SMALL_ROWS} of them are done already", errors, form)
        told = self.tilelab("compare", "--full", "out")
        self.assertNotIn("edited", told.stdout)

    def test_a_round_trip_is_clean(self):
        self.run_of(SMALL.replace("30s", "0.30s"))
        lines = self.lines()
        for row in self.rows():
            for name in "wall_s", "cpu_s", "limit_s":
                self.assertRegex(row[name], r"^(0|[1-9]\d*)(\.\d{0,8}[1-9])?$")
        for form in self.FORMS:
            self.saved(lines, form)
            self.check(form)

    def test_numbers_with_trailing_zeros_as_older_versions_wrote_them(self):
        self.run_of(SMALL)
        lines = [self.lines()[0]] + [self.edited(line, rehash=True, wall_s=f"{i / 8:.9f}", cpu_s="0.000000000")
                                     for i, line in enumerate(self.lines()[1:])]
        self.put(lines)
        self.check("as written")

    def test_a_hash_that_is_a_number_begins_with_a_letter(self):
        self.run_of(SMALL)
        lines = self.lines()
        cells = next(csv.reader([lines[1]]))
        place = self.header().index("wall_s")
        for number in range(100000):
            cells[place] = f"0.{number}1"
            text = b"".join(cell.encode() + b"\0" for cell in cells[:-1])
            digits = f"{XXHASH.XXH3_64bits(text, len(text)):016x}"
            if re.fullmatch(r"\d+(e\d{1,2})?", digits):
                break
        for hash in digits, row_hash(cells):  # older versions wrote the digits
            lines[1] = self.edited(lines[1], wall_s=cells[place], row_hash=hash)
            self.put(lines)
            self.check(hash)
        self.assertRegex(hash, "^[a-f]")

    def test_integers_that_a_spreadsheet_destroys_are_edited(self):
        self.run_of(SMALL)
        lines = self.lines()
        lines[1] = self.edited(lines[1], rehash=True, peak_bytes=str(2**53 + 1))
        self.saved(lines, repr)
        self.assertIn("out/runs.csv:2:1: the row's cells are not those that were written", self.run_it(code=2).stderr)


class HeldAgainst(Rows):
    """Two results side by side: builds, edited rows, times; the gate for whoever makes a search faster."""

    def setUp(self):
        super().setUp()
        self.run_of(SMALL)
        self.old = self.lines()
        shutil.copytree(self.folder / "out", self.folder / "old")

    def compare(self, *words, code=0):
        done = self.tilelab("compare", *words, code=code)
        return done.stdout

    def change(self, rehash=True, only=lambda row: True, **changes):
        """The old lines with other cells; a change is a function of the cell."""
        lines = [self.old[0]]
        for line, row in zip(self.old[1:], csv.DictReader(self.old)):
            new = {name: change(row[name]) for name, change in changes.items()} if only(row) else {}
            lines.append(self.edited(line, rehash, **{name: value for name, value in new.items() if value != row[name]}) if new else line)
        self.put(lines)

    def test_times_and_builds_side_by_side(self):
        build = next(csv.DictReader(self.old))["build"]
        self.change(wall_s=lambda text: repr(3 * float(text)), build=lambda text: "f" * 16)
        manifest = self.manifest()
        manifest["sessions"][0]["tilelab"].update(build="f" * 16, version="9.9.9+abc", compiler="cc 1")
        for key in ("experiment_hash", "row_hashes"):  # as an earlier version wrote it: these rows are others
            del manifest[key]
        manifest["tilelab"]["build"] = "f" * 16
        (self.folder / "out" / "manifest.json").write_text(json.dumps(manifest))
        told = json.loads(self.compare("out", "--against", "old", "--format", "json"))
        self.assertEqual([(row["side"], row["results"], row["rows"], row["edited"], row["build"]) for row in told["provenance"]],
                         [("old", "old", SMALL_ROWS, 0, build), ("new", "out", SMALL_ROWS, 0, "f" * 16)])
        self.assertEqual((told["provenance"][1]["version"], told["provenance"][1]["compiler"]), ("9.9.9+abc", "cc 1"))
        self.assertEqual(told["provenance"][0]["host"], next(csv.DictReader(self.old))["host"])
        for row in told["times"]:
            self.assertAlmostEqual(row["ratio"], 3 if row["column"] == "wall_s" else 1, 6)
            self.assertAlmostEqual(row["new"], row["ratio"] * row["old"], 9)
        self.assertEqual({(row["solver"], row["column"]) for row in told["times"]},
                         {(row["solver"], column) for row in self.rows() for column in ("wall_s", "cpu_s")})
        text = self.compare("out", "--against", "old")
        self.assertRegex(text, r"bfs +wall_s +8 +0 .* (ms|us) .* 3\.000\n")
        self.assertRegex(text, r"new +out +96 +0 +9\.9\.9\+abc +f{16} +cc 1 ")
        self.assertEqual(self.compare("out", "--against", "old", "--table", "times", "--format", "csv").split("\n")[0],
                         "solver,column,boards,edited,old,new,ratio")

    def test_edited_rows_are_marked(self):
        chosen = lambda row: row["solver"] == "bfs" and row["set"] == "d" and row["repetition"] == "1"
        self.change(rehash=False, only=chosen, wall_s=lambda text: "0.5", expanded=lambda text: str(int(text) + 1))
        told = json.loads(self.compare("out", "--against", "old", "--format", "json", code=3))
        self.assertEqual({(row["side"], row["solver"], row["set"], row["run_id"]) for row in told["edited"]},
                         {("new", "bfs", "d", row["run_id"]) for row in csv.DictReader(self.old) if chosen(row)})
        self.assertEqual({(row["solver"], row["column"], row["edited"]) for row in told["differences"]}, {("bfs", "expanded", "new")})
        self.assertEqual({(row["solver"], row["edited"]) for row in told["times"] if row["edited"]}, {("bfs", 4)})
        self.assertIn("4 edited rows: row_hash does not fit the cells", self.compare("out", "--against", "old", code=3))
        self.change(rehash=False, only=lambda row: row["solver"] == "bfs", wall_s=lambda text: "0.000000001")
        told = json.loads(self.compare("old", "--against", "out", "--tolerance", "1%", "--format", "json", code=3))
        self.assertEqual([(row["what"], row["solver"], row["edited"]) for row in told["differences"]], [("slower", "bfs", "old")])

    def test_nodes_must_equal(self):
        words = "out", "--against", "old", "--nodes-must-equal"
        self.change(wall_s=lambda text: "9", peak_bytes=lambda text: "7")
        self.compare("out", "--against", "old", code=3)
        for given in words, ("--nodes-must-equal", "out", "old"):
            self.assertIn("What is searched is equal: the counters of 48 cases.", self.compare(*given))
        astar = lambda row: row["solver"] == "astar(manhattan)" and row["set"] == "d"
        self.change(only=astar, max_open=lambda text: str(int(text) + 1))
        told = self.compare(*words, code=3)
        self.assertIn("What is searched is not equal: 4 of the differences", told)
        self.assertRegex(told, r"counter +astar\(manhattan\) +d +d04-1 +max_open ")
        slow = {"status": lambda text: "time_limit", "length": lambda text: "", "moves": lambda text: ""}
        self.change(only=astar, **slow)
        self.assertIn("4 cases have no counters to compare", self.compare(*words))
        self.change(only=astar, **{**slow, "status": lambda text: "crashed"})
        self.compare(*words, code=3)
        self.change(**slow)
        self.assertIn("no counters to hold against each other", self.compare(*words, code=3))
        gone = next(csv.DictReader(self.old))
        self.put([line for line in self.old if f",{gone['instance']}," not in line or f",{gone['solver']}," not in line])
        self.assertIn("missing", self.compare(*words, code=3))
        self.assertIn("takes two results", self.tilelab("compare", "--nodes-must-equal", "out", code=None).stderr)


class Others(Rows):
    """Rows that are none of the experiment's runs are named, and the comparison leaves them out."""

    def test_what_changed(self):
        self.run_of(SMALL)
        lines = self.lines()
        for text, said in ((SMALL.replace("  - dfs\n", ""), "16 rows of dfs, which is no longer in the file"),
                           (SMALL.replace("nodes: 1k", "nodes: 900"), "16 rows of lcbb(misplaced) under other limits (nodes 1000; now 900)"),
                           (SMALL.replace("30s", "20s").replace("nodes: 1k", "nodes: 1k, time: 30s"),
                            "16 rows of bfs under other limits (time 30 s; now 20 s)"),
                           (SMALL.replace("256MiB", "1GiB"), "(memory 268435456 bytes; now 1073741824 bytes)"),
                           (SMALL.replace("seed: 7", "seed: 8"), "rows of boards that the file no longer has (sets or seed changed)"),
                           (SMALL.replace("count: 4", "count: 3"), "12 rows of boards that the file no longer has"),
                           (SMALL + "cost: heavy\n", "96 rows of another cost of moves (unit)"),
                           (SMALL + "order: LRUD\n", "96 rows of another operator order (ULRD; now LRUD)"),
                           (SMALL.replace("repetitions: 2", "repetitions: 1"), "48 rows of repetitions that the file no longer has (1 now)")):
            with self.subTest(said):
                self.write(text)
                errors = self.run_it(code=2).stderr
                self.assertIn(said, errors)
                self.assertIn("use --fresh to set the file aside and start afresh, or --keep", errors)
                self.assertEqual(self.lines(), lines)

    def other_build(self):
        """Makes all rows those of another build, with ids and hashes that fit."""
        lines = self.lines()
        places = [self.header().index(name) for name in ("set", "instance", "width", "height", "start", "goal", "solver", "order",
                                                         "repetition", "limit_s", "limit_nodes", "limit_bytes", "build")]
        XXHASH.XXH3_128bits.restype = type("Hash", (ctypes.Structure,), {"_fields_": [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]})
        XXHASH.XXH3_128bits.argtypes = (ctypes.c_char_p, ctypes.c_size_t)
        changed = [lines[0]]
        for line in lines[1:]:
            cells = next(csv.reader([line]))
            cells[self.header().index("build")] = "0123456789abcdef"
            key = b"".join(cells[place].encode() + b"\0" for place in places)
            hashed = XXHASH.XXH3_128bits(key, len(key))
            changed.append(self.edited(line, rehash=True, build="0123456789abcdef", run_id=f"{hashed.high:016x}{hashed.low:016x}"))
        self.put(changed)

    def test_another_build(self):
        self.run_of(SMALL)
        self.other_build()
        self.assertRegex(self.run_it(code=2).stderr, r"\n  96 rows of another build \(0123456789abcdef; this is [0-9a-f]{16}\)\n")
        done = self.tilelab("rerun", "out", self.rows()[0]["run_id"])
        self.assertRegex(done.stderr, "the row is of build 0123456789abcdef, this is [0-9a-f]{16}\n")

    def test_the_comparison_is_of_the_files_matrix(self):
        alone = self.run_of(SMALL, tables=True)
        shutil.rmtree(self.folder / "out")
        self.run_of(SMALL.replace("count: 4", "count: 6").replace("  - bfs\n", "  - bfs\n  - ucs\n"))
        done = self.run_of(SMALL, "--keep", tables=True)
        self.assertEqual(done.stderr.count("16 rows of ucs, which is no longer in the file") +
                         done.stderr.count("20 rows of ucs, which is no longer in the file"), 1)
        self.assertIn("Note: Rows of other runs than the experiment's, left out: 44: 20 rows of ucs, which is no longer in the file; 24 rows of boards", " ".join(done.stdout.split()))
        self.assertNotIn("ucs ", done.stdout.split("Note:")[0])
        rows = read_table(self.folder / "out" / "summary.csv")
        self.assertEqual({solver: sum(int(row["runs"]) for row in rows if row["solver"] == solver)
                          for solver in {row["solver"] for row in rows}},
                         dict.fromkeys({row["solver"] for row in rows}, 16))
        self.assertEqual(alone.stdout.split()[:12], done.stdout.split()[:12])

    def test_rerun_has_the_rows_own_limits(self):
        self.run_of(SMALL)
        old = self.find(solver="lcbb(misplaced)", status="node_limit")
        run_id = self.rows()[old - 1]["run_id"]
        self.run_of(SMALL.replace("nodes: 1k", "nodes: 100"), "--keep")
        done = self.tilelab("rerun", "out", run_id, code=None)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


class Again(Rows):
    """Rows that say nothing of the solver are made again."""

    def test_out_of_memory(self):
        self.run_of(SMALL, "--jobs", "1")
        whole = self.without_times()
        lines = self.lines()
        numbers = [3, 40, 96]
        for number, status in zip(numbers, ("out_of_memory", "interrupted", "lost")):
            lines[number] = self.edited(lines[number], rehash=True, status=status, length="", moves="")
        self.put(lines)
        (self.folder / "out" / ".runs.csv.part").write_text("left behind")
        done = self.run_it()
        self.assertIn("3 runs are made again: of rows that are no result (out of memory, lost, interrupted); each row stands "
                      "until the new one is there", done.stderr)
        self.assertEqual(self.without_times(), whole)
        now = self.lines()  # each in the place of the old one
        self.assertEqual([line for number, line in enumerate(now) if number not in numbers],
                         [line for number, line in enumerate(lines) if number not in numbers])
        self.assertFalse((self.folder / "out" / ".runs.csv.part").exists())
        self.assertIn(f"{SMALL_ROWS} of them are done already", self.run_it().stderr)

    def test_no_room_to_replace_them(self):
        self.run_of(SMALL, "--jobs", "1")
        lines = self.lines()
        lines[3] = self.edited(lines[3], rehash=True, status="out_of_memory", length="", moves="")
        self.put(lines)
        blocks = self.rows_file.stat().st_size // 1024 - 1  # the other files are smaller
        done = subprocess.run(["bash", "-c", f"ulimit -f {blocks}; exec \"$@\"", "bash",
                               TILELAB, "run", "experiment.yaml", "--no-compare"], cwd=self.folder, text=True, capture_output=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a row cannot be written to out/runs.csv: File too large", done.stderr)
        self.assertEqual(self.lines(), lines)
        self.assertEqual(sorted(os.listdir(self.folder / "out")), ["datapackage.json", "experiment.yaml", "manifest.json", "runs.csv"])

    def test_statuses_that_are_asked_for(self):
        self.run_of(SMALL, "--jobs", "1")
        whole, lines = self.without_times(), self.lines()
        # A busy hour: three runs that met a limit of time, one that crashed.
        numbers = {5: "time_limit", 17: "time_limit", 40: "crashed", 60: "time_limit"}
        for number, status in numbers.items():
            lines[number] = self.edited(lines[number], rehash=True, status=status, length="", moves="")
        self.put(lines)
        self.assertIn(f"{SMALL_ROWS} of them are done already", self.run_it(code=3).stderr)
        self.assertEqual(self.lines(), lines)
        done = self.run_it("--again", "time_limit", code=3)
        self.assertIn("3 runs are made again: of rows with the statuses of --again or that are no result; each row stands", done.stderr)
        self.assertEqual([row["status"] for row in self.rows()].count("crashed"), 1)
        self.assertEqual([i for i, line in enumerate(self.lines()) if line != lines[i]], [5, 17, 60])
        self.run_it("--again", "exhausted,crashed")
        self.assertEqual(self.without_times(), whole)
        before = self.lines()
        self.assertIn(f"{SMALL_ROWS} of them are done already", self.run_it("--again", "crashed").stderr)
        self.assertEqual(self.lines(), before)
        for wrong in ("timelimit", "", "crashed,"):
            done = self.tilelab("run", "experiment.yaml", "--again", wrong, code=2)
            self.assertIn(f"unknown status '{wrong.split(',')[-1]}'; expected solved, exhausted, ", done.stderr)
        done = self.run_it("--again", "crashed", "--shard", "1/2", code=2)
        self.assertIn("--again: a merge takes the row of a run that was made first", done.stderr)
        self.assertEqual(self.lines(), before)

    def test_kills_while_rows_are_replaced(self):
        chance = random.Random(20261123)
        self.run_of(SMALL, "--jobs", "1")
        whole = self.without_times()
        for _ in range(60 if os.environ.get("TILELAB_LONG") else 6):
            lines = self.lines()
            ids = [row["run_id"] for row in self.rows()]
            process = self.start("--jobs", "2", "--no-compare", "--again", "solved,node_limit", "--sync", chance.choice(["0", "5ms", "5s"]))
            time.sleep(chance.uniform(0.0, 0.15))
            process.kill()
            process.communicate(timeout=60)
            # Each row is the old or the new one, in its place.
            self.assertEqual([row["run_id"] for row in self.rows()], ids)
            self.assertEqual(self.without_times(), whole)
            self.assertEqual(len(self.lines()), len(lines))
        self.assertIn(f"{SMALL_ROWS} of them are done already", self.run_it().stderr)


class Strangers(Rows):
    """Folders and files that tilelab did not make."""

    def snapshot(self, folder):
        return {path.name: (path.lstat().st_mtime_ns, path.lstat().st_mode,
                            path.read_bytes() if stat.S_ISREG(path.lstat().st_mode) else None) for path in folder.iterdir()}

    def test_a_folder_of_somebody_elses(self):
        self.write(SMALL)
        out = self.folder / "out"
        for files in ({"experiment.yaml": "a", "manifest.json": "{}", "summary.csv": "b", "pairs.csv": "c", ".lock": "d"},
                      {"notes.txt": "e"}, {"manifest.json": '{"name": "an extension", "version": "1"}'}, {"manifest.json": "[1]"},
                      {"notes.txt": "f", "runs.csv": "date,distance\n1,2\n"}, {"notes.txt": "g", "runs.csv": ""}):
            with self.subTest(files):
                out.mkdir()
                for name, text in files.items():
                    (out / name).write_text(text)
                before = self.snapshot(out)
                for words in ((), ("--fresh",), ("--keep",)):
                    errors = self.run_it(*words, code=2).stderr
                    self.assertIn("tilelab: out is not a results folder: it holds ", errors)
                    self.assertEqual(self.snapshot(out), before)
                shutil.rmtree(out)
        self.tilelab("run", "experiment.yaml", "-o", ".", code=2)
        self.assertEqual((self.folder / "experiment.yaml").read_text(), SMALL)

    def test_leftovers_of_our_own_are_no_hindrance(self):
        self.write(SMALL)
        out = self.folder / "out"
        out.mkdir()
        for name, text in ((".lock", "123\n"), (".manifest.json.part", "{"), ("runs.csv", "run_id,exp")):
            (out / name).write_text(text)
        self.run_it()
        self.assertEqual(len(self.rows()), SMALL_ROWS)
        (out / "notes.txt").write_text("mine")
        self.run_it()
        self.run_it("--fresh")
        self.assertEqual((out / "notes.txt").read_text(), "mine")

    def test_a_manifest_that_is_not_ours_beside_our_rows(self):
        self.run_of(SMALL)
        (self.folder / "out" / "manifest.json").write_text("[]")
        errors = self.run_it("--fresh", code=2).stderr
        self.assertIn("has no key \"tilelab\"", errors)
        self.assertIn("Put it back or move it away", errors)
        self.assertEqual((self.folder / "out" / "manifest.json").read_text(), "[]")

    def test_closed_standard_streams_are_not_taken_for_results(self):
        """runs.csv once had the number of standard output, and the comparison in it."""
        self.write(SMALL)
        for closed in (">&-", "<&- >&- 2>&-"):
            done = subprocess.run(["sh", "-c", f'exec "$0" run experiment.yaml --fresh {closed}', TILELAB], cwd=self.folder, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            if "2>&-" not in closed:
                self.assertIn("standard output cannot be written", done.stderr)
            self.assertEqual(len(self.rows()), SMALL_ROWS)

    def test_links_pipes_and_devices(self):
        self.write(SMALL)
        target = self.folder / "target"
        target.write_text("precious")
        out = self.folder / "out"
        for name in ("runs.csv", "manifest.json"):
            for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.symlink_to(target), pathlib.Path.mkdir):
                out.mkdir()
                make(out / name)
                self.assertRegex(self.run_it(code=2).stderr, rf"out/{name}|out is not a results folder")
                shutil.rmtree(out)
        # A lock file was once written through a link.
        out.mkdir()
        (out / ".lock").symlink_to(target)
        self.run_it()
        self.assertEqual(target.read_text(), "precious")


class UnderWay(Rows):
    """Another program renames, removes, replaces or cuts runs.csv while a run goes on."""

    def begin(self, rows=20):
        shutil.rmtree(self.folder / "out", True)
        process = self.start_of(MANY, "--jobs", "1", "--no-compare", "--sync", "50ms")
        self.wait_until(lambda: self.lines_written() > rows, "rows come")
        process.send_signal(signal.SIGSTOP)  # it goes on when the file was changed
        self.assertLess(self.lines_written(), MANY_ROWS)
        return process

    def ends(self, process, what):
        process.send_signal(signal.SIGCONT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(f"tilelab: out/runs.csv was {what} by another program while tilelab wrote to it; the run stops", errors)
        self.assertIn("out/runs.csv.1. To go on from there, give that file the name out/runs.csv and run again", errors)

    def goes_on(self, kept):
        """As the message says: the rows of before are there, and the rest is run."""
        saved = self.folder / "out" / "runs.csv.1"
        text = saved.read_bytes()
        self.assertEqual(text[:len(kept)], kept)
        os.replace(saved, self.rows_file)
        self.run_it("--jobs", "2")
        self.assertTrue(self.rows_file.read_bytes().startswith(text))
        self.assertEqual(len(self.without_times()), MANY_ROWS)

    def test_renamed(self):
        process = self.begin()
        kept = self.rows_file.read_bytes()[:-200]
        kept = kept[:kept.rfind(b"\n") + 1]
        os.rename(self.rows_file, self.folder / "out" / "elsewhere.csv")
        self.ends(process, "renamed or removed")
        self.goes_on(kept)

    def test_removed(self):
        process = self.begin()
        kept = self.rows_file.read_bytes()
        kept = kept[:kept.rfind(b"\n") + 1]
        self.rows_file.unlink()
        self.ends(process, "renamed or removed")
        self.goes_on(kept)

    def test_the_folder_removed(self):
        process = self.begin()
        shutil.rmtree(self.folder / "out", True)
        self.ends(process, "renamed or removed")
        self.goes_on(b"run_id,")

    def test_replaced_as_an_editor_does(self):
        process = self.begin()
        kept = self.rows_file.read_bytes()
        kept = kept[:kept.rfind(b"\n") + 1]
        (self.folder / "out" / "new").write_bytes(kept + b"a note\n")
        os.replace(self.folder / "out" / "new", self.rows_file)
        self.ends(process, "replaced")
        self.assertEqual(self.rows_file.read_bytes(), kept + b"a note\n")
        self.goes_on(kept)

    def test_cut_short(self):
        process = self.begin()
        os.truncate(self.rows_file, 3000)
        self.ends(process, "cut short")
        self.goes_on(self.rows_file.read_bytes()[:2000].rpartition(b"\n")[0])

    def test_written_to(self):
        process = self.begin()
        with open(self.rows_file, "ab") as file:
            file.write(b"a note\n")
        self.ends(process, "written to")

    def test_edited_in_place_to_the_same_size(self):
        """No call that made runs ends with exit code 0 when a row is not as it was written, new or from before."""
        for from_before in (False, True):
            process = self.begin()
            if from_before:
                process.kill()
                process.wait()
                process = self.start("--jobs", "1", "--no-compare")
                self.workers_of(process)
                process.send_signal(signal.SIGSTOP)
            text = self.rows_file.read_bytes()
            place = text.index(b",solved,", 3000) + 1
            with open(self.rows_file, "r+b") as file:
                file.seek(place)
                file.write(b"crashe")
            os.utime(self.rows_file, ns=(0, 0))
            process.send_signal(signal.SIGCONT)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, errors)
            self.assertIn("out/runs.csv was edited by another program while tilelab wrote to it", errors)
            self.assertRegex(self.run_it(code=2).stderr, r"out/runs.csv:\d+:")

    def test_a_lock_file_has_no_part_in_it(self):
        process = self.start_sleeping("--jobs", "1", "--no-compare")
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()),
                         ["datapackage.json", "experiment.yaml", "manifest.json", "runs.csv"])
        errors = self.run_it(code=2).stderr
        self.assertIn(f"is being written by another tilelab, process {process.pid};", errors)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)


class Tail(Rows):
    def test_a_huge_torn_tail_is_mended_at_once(self):
        self.run_of(SMALL)
        whole = self.rows_file.read_bytes()
        with open(self.rows_file, "ab") as file:
            file.truncate(len(whole) + (1 << 30))  # a hole: it takes no room
        began = time.monotonic()
        errors = self.run_it().stderr
        self.assertLess(time.monotonic() - began, 20)
        self.assertIn("the torn row (1073741824 bytes) was removed", errors)
        self.assertEqual(self.rows_file.read_bytes(), whole)


class Limited(Rows):
    def test_a_file_that_may_not_grow_is_no_full_disk(self):
        """A row and a message that are cut short by ulimit -f: nothing of them stays, and why is said."""
        loud = "{command: [sh, -c, 'head -c 1500 /dev/zero | tr \"\\\\0\" x >&2; exit 1'], label: loud}"
        for text, file in ((MANY.replace("[bfs]", "[bfs, dfs]"), "runs.csv"), (MANY.replace("[bfs]", f"[{loud}]").replace("100", "32"), "messages.csv")):
            self.write(text)
            done = subprocess.run(["bash", "-c", f"ulimit -f 32; exec {TILELAB} run experiment.yaml -n -q -o {file}"], cwd=self.folder, text=True,
                                  capture_output=True, check=False)
            self.assertIn("File too large", done.stderr[-400:])
            self.assertEqual((self.folder / file / file).read_bytes()[-1:], b"\n")


class Build(FolderCase):
    """The hash of a build is that of its sources, committed or not, in a repository or not."""

    def setUp(self):
        super().setUp()
        for name in ("include", "solvers", "instances", "harness", "cmake"):
            shutil.copytree(SOURCE / name, self.folder / "source" / name)
        shutil.copy(SOURCE / "CMakeLists.txt", self.folder / "source")

    def header(self, settings="gcc -O3", source=None):
        source = source or self.folder / "source"
        subprocess.run(["cmake", "-D", f"SOURCE={source}", "-D", f"OUTPUT={self.folder}/text.h", "-D", "VERSION=1.0", "-D",
                        f"SETTINGS={settings}", "-P", SOURCE / "cmake" / "version.cmake"], check=True)
        return (self.folder / "text.h").read_text()

    def test_what_changes_it(self):
        first = self.header()
        self.assertRegex(first, r'"1.0"\n#define TILELAB_BUILD_HASH "[0-9a-f]{16}"\n')
        written = (self.folder / "text.h").stat().st_mtime_ns
        self.assertEqual(self.header(), first)
        self.assertEqual((self.folder / "text.h").stat().st_mtime_ns, written)
        seen = {first, self.header("clang -O3")}
        for name in ("solvers/algorithms/bfs.c", "solvers/base/arena.h", "solvers/search/statistics.def", "instances/csv.c",
                     "harness/main.c", "include/tilelab/heuristic.h", "CMakeLists.txt"):
            path = self.folder / "source" / name
            text = path.read_text()
            path.write_text(text + "\n")
            seen.add(self.header())
            path.write_text(text)
        self.assertEqual(self.header(), first)
        (self.folder / "source" / "harness" / "new.c").write_text("")
        seen.add(self.header())
        self.assertEqual(len(seen), 10)
        (self.folder / "source" / "harness" / "new.c").unlink()
        # Where the tree lies does not matter, nor what is no source.
        os.rename(self.folder / "source", self.folder / "moved")
        (self.folder / "moved" / "harness" / "README.md").write_text("other words")
        self.assertEqual(self.header(source=self.folder / "moved"), first)
