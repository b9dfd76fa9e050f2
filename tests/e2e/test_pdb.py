"""Pattern databases as files: built once and checked; damage is reported and repaired."""
import fcntl
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from support import SANITIZED, TILELAB, FolderCase, read_table


# A partition of the 15-puzzle that takes a moment, one group after the other; and its first file for the usual goal.
SLOW = "6-6-3"
SLOW_FILE = "4x4-blank0-1.2.4.5.6.8.pdb"
QUICK = "1.2.3.4/5.6.7.8"
QUICK_FILES = ["3x3-blank0-1.2.3.4.pdb", "3x3-blank0-1.2.5.8.pdb"]
HEADER = 4096
IN_MEMORY = "; pattern databases are kept only in memory (for another folder: --pdb-dir DIR)"


class Pdb(FolderCase):
    def command(self, *arguments):
        return [TILELAB, "pdb", *arguments, "--pdb-dir", str(self.folder)]

    def pdb(self, *arguments, code=0, **options):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False, timeout=120, **options)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return done

    def rows(self, *arguments, **options):
        """The table that build or list prints, as dictionaries."""
        done = self.pdb(*arguments, **options)
        first, headings, *lines = done.stdout.splitlines()
        self.assertEqual(first, f"folder: {self.folder}")
        names = headings.split()
        return [dict(zip(names, line.split(None, len(names) - 1))) for line in lines], done.stderr

    def start(self, *arguments):
        process = subprocess.Popen(self.command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


class Build(Pdb):
    def test_what_is_missing_is_built_and_kept(self):
        rows, errors = self.rows("build", QUICK)
        self.assertEqual(errors, "")
        self.assertEqual(self.names(), QUICK_FILES)
        self.assertEqual([row["state"] for row in rows], ["built", "built"])
        self.assertEqual(sorted(row["file"] for row in rows), QUICK_FILES)
        self.assertEqual([(row["tiles"], row["entries"], row["bytes"]) for row in rows],
                         [("1.2.3.4", "3024", "7120"), ("5.6.7.8", "3024", "7120")])
        # The table's values, looked at from here.
        for row in rows:
            values = (self.folder / row["file"]).read_bytes()[HEADER:]
            self.assertEqual((len(values), values.count(0)), (3024, 1))
            self.assertEqual(row["largest"], str(max(values)))
            self.assertEqual(row["mean"], f"{sum(values) / len(values):.4f}")
        rows, errors = self.rows("build", QUICK)
        self.assertEqual(errors, "")
        self.assertEqual([row["state"] for row in rows], ["already there", "already there"])

    def test_zero_aware_tables_are_files_of_their_own(self):
        self.pdb("build", QUICK)
        rows, errors = self.rows("build", QUICK + ":zero")
        self.assertEqual(errors, "")
        names = [name.replace("blank0-", "blank0-zero-") for name in QUICK_FILES]
        self.assertEqual(self.names(), sorted(QUICK_FILES + names))
        self.assertEqual(sorted(row["file"] for row in rows), names)
        self.assertEqual({(row["entries"], row["bytes"], row["memory"]) for row in rows}, {("5520", "9616", "5520")})
        self.assertEqual([(row["file"], row["kind"]) for row in self.rows("list")[0]],
                         [(name, "zero-aware" if "zero" in name else "additive") for name in self.names()])
        self.assertEqual(self.pdb("check").stdout.count("is whole\n"), 4)
        self.assertEqual([row["state"] for row in self.rows("build", QUICK + ":zero:reflect")[0]], ["already there"] * 2)
        rows, errors = self.rows("build", QUICK + ":zero:onebit")
        self.assertEqual(errors, "")
        self.assertEqual([(row["file"], row["memory"], row["state"]) for row in rows],
                         [(row["file"], "690", "already there") for row in rows])
        self.assertEqual(sorted(row["file"] for row in rows), names)
        # One kind is not taken for the other, even under its name.
        shutil.copy(self.folder / QUICK_FILES[0], self.folder / names[0])
        rows, errors = self.rows("build", QUICK + ":zero")
        self.assertEqual(errors, f"tilelab: {self.folder / names[0]} holds another table ({QUICK_FILES[0][:-4]}); rebuilding it\n")
        self.assertEqual(self.pdb("check").stdout.count("is whole\n"), 4)

    def test_tables_of_costs_are_files_of_their_own(self):
        rows, _ = self.rows("build", QUICK, "--cost", "heavy")
        files = ["3x3-blank8-heavy-0=1.1=2.2=3.3=4.pdb", "3x3-blank8-heavy-4=5.5=6.6=7.7=8.pdb"]
        self.assertEqual((self.names(), [row["state"] for row in rows]), (files, ["built", "built"]))
        self.assertEqual({row["bytes"] for row in rows}, {"28288"})
        self.assertIn("costs heavy", self.pdb("list").stdout)
        self.pdb("check", "--quiet")
        self.assertEqual([row["state"] for row in self.rows("build", QUICK, "--cost", "heavy")[0]], ["already there"] * 2)
        (self.folder / files[0]).rename(self.folder / "kept")
        (self.folder / files[1]).rename(self.folder / files[0])
        self.assertIn("holds another table", self.pdb("build", QUICK, "--cost", "heavy").stderr)
        with open(self.folder / files[0], "r+b") as file:
            file.seek(HEADER + 80)
            file.write(b"\xff")
        self.assertIn("is damaged (checksum of the values)", self.pdb("check", code=1).stdout)
        self.assertIn("has no tables with costs", self.pdb("build", QUICK + ":zero", "--cost", "heavy", code=2).stderr)
        self.assertIn("3x3-blank8-sqrt-", subprocess.run([TILELAB, "solve", "--cost", "sqrt", "-s", f"astar(pdb:{QUICK})", "--pdb-dir", str(self.folder),
                                                         "8 6 7 2 5 4 3 0 1"], capture_output=True, text=True, check=True).stderr)

    def test_catalogues(self):
        """The tables of several partitions; a file's place is taken by what is in it."""
        file = self.folder / "mine.txt"
        file.write_text(f"# two of many\n\n5-3 # named\n{QUICK}\n")
        rows, _ = self.rows("build", f"@{file}:zero")
        self.assertEqual([row["tiles"] for row in rows], ["4.5.6.7.8", "1.2.3", "1.2.3.4", "5.6.7.8"])
        done = self.tilelab("solve", "-s", f"idastar(pdb:@{file}:zero)", "-s", f"idastar(pdb:{QUICK};5-3:zero)",
                            "-s", f"idastar(max:pdb:{QUICK}:zero+pdb:5-3:zero)", "8 6 7 2 5 4 3 0 1", "--json", "--pdb-dir", str(self.folder))
        runs = json.loads(done.stdout)
        self.assertEqual([run["solver"] for run in runs],
                         [f"idastar(pdb:5-3;{QUICK}:zero)", f"idastar(pdb:{QUICK};5-3:zero)"] + [f"idastar(max:pdb:{QUICK}:zero+pdb:5-3:zero)"])
        self.assertEqual(len({(run["length"], run["expanded"], run["generated"]) for run in runs}), 1)
        self.assertEqual(runs[0]["length"], 31)
        file.write_text("5-4\n")
        done = self.pdb("build", f"@{file}", code=2)
        self.assertIn(f"catalogue {file}:1:1: unknown partition '5-4'", done.stderr)
        file.write_text(f"{QUICK}\n1.2.3.4/5.6.7.9\n")
        done = self.pdb("build", f"@{file}", code=2)
        self.assertIn(f"{file}: 1.2.3.4/5.6.7.9: tile 9 in group 2 does not exist on a 3x3 board", done.stderr)

    def test_symmetric_groups_share_a_file(self):
        rows, _ = self.rows("build", "1.2/3.6/4/5/7/8", "--goal", "1 2 3 4 5 6 7 8 0")
        self.assertEqual(len({row["file"] for row in rows}), len(self.names()))
        self.assertIn("as above", [row["state"] for row in rows])

    def test_named_partitions_know_their_size(self):
        rows, _ = self.rows("build", "5-5-5")
        self.assertEqual([row["entries"] for row in rows], ["524160"] * 3)
        self.assertEqual(f"{sum(float(row['mean']) for row in rows):.2f}", "41.69")
        self.assertEqual(self.rows("list")[0][0]["size"], "4x4")
        self.assertTrue(self.pdb("check").stdout.count("is whole\n") == 3)
        for words in (["build", "5-5-5"], ["check"]):
            done = self.pdb(*words, "--quiet")
            self.assertEqual((done.stdout, done.stderr), ("", ""))
        self.assertIn("--quiet is for build and check", self.pdb("list", "--quiet", code=2).stderr)

    def test_tables_are_the_same_again(self):
        self.pdb("build", "5-5-5")
        first = {name: (self.folder / name).read_bytes() for name in self.names()}
        for name in first:
            (self.folder / name).unlink()
        self.pdb("build", "5-5-5", preexec_fn=lambda: os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]))
        self.assertEqual({name: (self.folder / name).read_bytes() for name in self.names()}, first)

    def test_folder_by_environment(self):
        inner = self.folder / "cache"
        for name, value, place in (("TILELAB_PDB_DIR", inner / "own", inner / "own"),
                                   ("XDG_CACHE_HOME", inner / "xdg", inner / "xdg" / "tilelab"),
                                   ("HOME", inner / "home", inner / "home" / ".cache" / "tilelab")):
            kept = {key: text for key, text in os.environ.items() if key not in ("TILELAB_PDB_DIR", "XDG_CACHE_HOME", "HOME")}
            done = subprocess.run([TILELAB, "pdb", "build", QUICK], capture_output=True, text=True, check=True,
                                  env={**kept, name: str(value)})
            self.assertEqual((done.stdout.splitlines()[0], done.stderr), (f"folder: {place}", ""))
            self.assertEqual(sorted(path.name for path in place.iterdir()), QUICK_FILES)

    def test_wrong_usage(self):
        for arguments, message in (
                ([], "nothing to do; expected build, list or check"),
                (["biuld"], "unknown action 'biuld'; expected build, list or check; did you mean 'build'?"),
                (["build"], "build what? Expected a partition such as 7-8 or 1.2.3.4/5.6.7.8"),
                (["list", "x"], "unexpected argument 'x'; list takes only options"),
                (["check", "--size", "3x3"], "--size is for build"),
                (["list", "--goal", "snail"], "--goal is for build"),
                (["build", "7-8", "--size", "4y4"], "--size 4y4: expected columns x rows such as 4x3, both at least 2, at most 36 cells"),
                (["build", "7-8", "--size", "3x3"], "partition 7-8 is for 4x4, the goal is 3x3; expected 4-4 or 5-3, or tiles"),
                (["build", "4-4", "--goal", "snail"], "partition 4-4 is for goals that have the blank in a corner"),
                (["build", "1.2.3/4.5.6", "4-5"], "tiles 7, 8 are in no group"),
                (["build", "1.2.3/4.5.6", "4-5"], "unknown partition '4-5'"),
                (["build", "4-4:zer"], "unknown word after the partition 'zer'; expected zero, onebit or reflect; did you mean 'zero'?"),
                (["build", "4-4:zero:zero"], "zero a second time; expected it once")):
            done = self.pdb(*arguments, code=2)
            self.assertEqual(done.stdout, "")
            self.assertIn(f"tilelab pdb: {message}", done.stderr)
        self.assertEqual(self.names(), [])

    def test_help(self):
        self.assertTrue(self.pdb("--help").stdout.startswith("Usage: tilelab pdb [OPTION...] build PARTITION[:WORD..]..."))


class Damage(Pdb):
    def setUp(self):
        super().setUp()
        self.pdb("build", QUICK)
        self.file = self.folder / QUICK_FILES[0]
        self.good = self.file.read_bytes()

    def expect_mended(self, what):
        """Reported by list or check, reported again and repaired by build."""
        done = self.pdb("check", code=1)
        self.assertIn(f"{self.file} {what}\n", done.stdout)
        self.assertIn("is whole\n", done.stdout)
        self.assertEqual(self.pdb("check", "--quiet", code=1).stdout, f"{self.file} {what}\n")
        rows, errors = self.rows("build", QUICK)
        self.assertEqual(errors, f"tilelab: {self.file} {what}; rebuilding it\n")
        self.assertEqual([row["state"] for row in rows if row["file"] == self.file.name], ["built"])
        self.assertEqual(self.file.read_bytes(), self.good)
        self.assertEqual(self.names(), QUICK_FILES)
        self.pdb("check")

    def changed(self, place, byte):
        return self.good[:place] + bytes([byte]) + self.good[place + 1:]

    def test_cut_short(self):
        for size in (0, 10, 63):
            self.file.write_bytes(self.good[:size])
            self.expect_mended(f"is cut short ({size} bytes)")
        for size in (64, HEADER, len(self.good) - 1):
            self.file.write_bytes(self.good[:size])
            self.expect_mended(f"is cut short ({size} bytes, expected {len(self.good)})")
        self.file.write_bytes(self.good + b"\0")
        self.expect_mended(f"is too long ({len(self.good) + 1} bytes, expected {len(self.good)})")

    def test_one_bit(self):
        for place in (HEADER, HEADER + 1000, len(self.good) - 1):
            self.file.write_bytes(self.changed(place, self.good[place] ^ 1))
            self.expect_mended("is damaged (checksum of the values)")

    def test_header(self):
        self.file.write_bytes(self.changed(16, 4))
        self.expect_mended("is damaged (checksum of the header)")

    def test_another_version(self):
        self.file.write_bytes(self.changed(12, 2))
        self.expect_mended("is of version 2 (this program's is 1)")

    def test_another_order_of_bytes(self):
        self.file.write_bytes(self.good[:8] + self.good[11:7:-1] + self.good[12:])
        self.expect_mended("was written on a machine with another byte order")
        self.file.write_bytes(self.changed(8, self.good[8] ^ 1))
        self.expect_mended("is damaged (its byte-order mark)")

    def test_a_foreign_file(self):
        self.file.write_text("# Not a table.\n" * 1000)
        self.expect_mended("is not a pattern database")

    def test_another_table(self):
        shutil.copy(self.folder / QUICK_FILES[1], self.file)
        self.expect_mended("holds another table (3x3-blank0-1.2.5.8)")

    def test_a_folder_in_its_place(self):
        self.file.unlink()
        self.file.mkdir()
        rows, errors = self.rows("build", QUICK, code=1)
        self.assertEqual(errors, f"tilelab: {self.file} is a folder; rebuilding it\n"
                                 f"tilelab: {self.file} cannot be written (Is a directory){IN_MEMORY}\n"
                                 "tilelab: 1 table built, but not kept in a file\n")
        self.assertEqual([(row["file"], row["state"]) for row in rows], [(QUICK_FILES[1], "already there"), ("(memory)", "built")])
        self.pdb("check", code=1)

    def test_list_tells_what_headers_show(self):
        self.file.write_bytes(self.good[:100])
        rows, errors = self.rows("list")
        self.assertEqual(errors, "")
        self.assertEqual([row["state"] for row in rows], [f"is cut short (100 bytes, expected {len(self.good)})", "ok"])

    def test_json(self):
        for words in (("list",), ("build", "4-4")):
            rows, _ = self.rows(*words)
            found = json.loads(self.pdb(*words, "--json").stdout)
            self.assertEqual(found["folder"], str(self.folder))
            self.assertEqual([row["file"] for row in found["tables"]], [row["file"] for row in rows])
            self.assertEqual([row["entries"] for row in found["tables"]], [int(row["entries"]) for row in rows])
        checked = json.loads(self.pdb("check", "--json").stdout)
        self.assertEqual({row["state"] for row in checked["tables"]}, {"whole"})

    def test_check_of_files_by_name(self):
        other = str(self.folder / QUICK_FILES[1])
        self.file.write_bytes(self.changed(HEADER, 77))
        self.assertEqual(self.pdb("check", other).stdout, f"{other} is whole\n")
        self.assertEqual(self.pdb("check", str(self.folder / "none.pdb"), code=1).stdout,
                         f"{self.folder}/none.pdb cannot be opened (No such file or directory)\n")


class Folders(Pdb):
    def test_an_empty_one(self):
        for action in ("list", "check"):
            done = self.pdb(action)
            self.assertEqual((done.stdout, done.stderr), ("", f"tilelab: no pattern databases in {self.folder}\n"))

    def test_one_that_cannot_be_made(self):
        done = self.tilelab("pdb", "build", QUICK, "--pdb-dir", "/dev/null/x", code=None)
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"tilelab: /dev/null/x cannot be written (Not a directory){IN_MEMORY}\n"
                             "tilelab: 2 tables built, but not kept in a file\n"))
        self.assertEqual(done.stdout.count(" (memory) "), 2)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_one_that_may_not_be_written(self):
        self.folder.chmod(0o500)
        done = self.pdb("build", QUICK, code=1)
        self.assertEqual(done.stderr.count("cannot be written (Permission denied)"), 1)
        self.folder.chmod(0o700)
        self.assertEqual(self.names(), [])

    def test_a_full_disk(self):
        """As a limit on files' sizes: the write ends as on a disk that is full."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        rows, errors = self.rows("build", QUICK, code=1, preexec_fn=limit)
        self.assertEqual(errors.count(f"cannot be written (File too large){IN_MEMORY}\n"), 1)
        self.assertTrue(errors.endswith("tilelab: 2 tables built, but not kept in a file\n"))
        self.assertEqual([row["state"] for row in rows], ["built", "built"])
        self.assertEqual(self.names(), [])
        # A search goes on, and says so.
        done = subprocess.run([TILELAB, "solve", "-s", "astar(pdb:4-4)", "8 6 7 2 5 4 3 0 1", "--pdb-dir", str(self.folder)],
                              capture_output=True, text=True, check=True, preexec_fn=limit)
        self.assertIn("length: 31\n", done.stdout)
        self.assertEqual(done.stderr.count(f"cannot be written (File too large){IN_MEMORY}\n"), 1)

    @unittest.skipUnless(os.geteuid() == 0, "only root mounts")
    def test_a_disk_that_is_full(self):
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", self.folder], capture_output=True,
                          check=False).returncode != 0:
            self.skipTest("no tmpfs here")
        self.addCleanup(subprocess.run, ["umount", self.folder], check=False)
        self.folder.chmod(0o700)
        rows, errors = self.rows("build", "1.2.3.4.5/6.7.8", code=1)
        self.assertEqual(errors.count("cannot be written (No space left on device)"), 1)
        self.assertIn("not kept in a file\n", errors)
        self.assertEqual([row["state"] for row in rows], ["built", "built"])
        self.assertEqual([name for name in self.names() if name.endswith(".part")], [])

    @unittest.skipIf(SANITIZED, "sanitizers need the address space themselves")
    def test_too_little_memory(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
        done = self.pdb("build", "1.2.3/4.5.6.7/8.9.10.11.12.13.14.15", "--size", "4x4", "--goal", "0 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1", code=1,
                        preexec_fn=limit)
        self.assertIn("(518918400 bytes): not enough memory\n", done.stderr)
        self.assertEqual([name for name in self.names() if name.endswith(".part")], [])

    def test_no_folder_at_all(self):
        done = subprocess.run([TILELAB, "pdb", "build", QUICK], capture_output=True, text=True, check=False,
                              env={**os.environ, "TILELAB_PDB_DIR": ""})
        self.assertEqual((done.returncode, done.stderr),
                         (1, "tilelab: 2 tables built, but not kept in a file; expected a folder (--pdb-dir DIR)\n"))


class Trust(Pdb):
    """What others may have written is not read, what is not ours is not written over."""

    def setUp(self):
        super().setUp()
        self.pdb("build", QUICK)
        self.file = self.folder / QUICK_FILES[0]
        self.whole = self.file.read_bytes()

    def test_folders_that_others_may_write_to(self):
        for mode in (0o777, 0o1777, 0o775, 0o707):
            self.folder.chmod(mode)
            what = f"is writable by others (mode {mode:04o}; expected chmod go-w)"
            rows, errors = self.rows("build", QUICK, code=1)
            self.assertEqual([(row["file"], row["state"]) for row in rows], [("(memory)", "built")] * 2)
            self.assertEqual(errors, f"tilelab: {self.folder} {what}{IN_MEMORY}\n"
                                     "tilelab: 2 tables built, but not kept in a file\n")
            self.assertEqual(self.pdb("check", code=1).stdout,
                             "".join(f"{self.folder / name} is in a folder that {what}\n" for name in QUICK_FILES))
        done = self.tilelab("solve", "-s", "idastar(pdb:4-4)", "8 6 7 2 5 4 3 0 1", "--pdb-dir", str(self.folder))
        self.assertIn("length: 31\n", done.stdout)
        self.assertIn(f"{self.folder} is writable by others", done.stderr)
        self.folder.chmod(0o755)
        self.assertEqual([row["state"] for row in self.rows("build", QUICK)[0]], ["already there"] * 2)

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_other_owners(self):
        os.chown(self.folder, 12345, -1)
        what = "belongs to user 12345 (expected your own user or root)"
        rows, errors = self.rows("build", QUICK, code=1)
        self.assertEqual([row["state"] for row in rows], ["built"] * 2)
        self.assertIn(f"tilelab: {self.folder} {what}{IN_MEMORY}\n", errors)
        os.chown(self.folder, 0, -1)
        os.chown(self.file, 12345, -1)
        self.assertIn(f"{self.file} {what}\n", self.pdb("check", code=1).stdout)
        rows, errors = self.rows("build", QUICK)
        self.assertEqual(errors, f"tilelab: {self.file} {what}; rebuilding it\n")
        self.assertEqual(self.file.stat().st_uid, 0)

    @unittest.skipUnless(os.geteuid() == 0, "only root becomes another user")
    def test_roots_are_good_for_everybody(self):
        self.folder.chmod(0o755)
        program = shutil.copy(TILELAB, self.folder)  # others may not enter its own folder
        try:
            done = self.pdb("check", executable=program, preexec_fn=lambda: os.setuid(12345))
        except PermissionError:
            self.skipTest("others may not enter the folder of temporary files")
        self.assertEqual(done.stdout.count("is whole\n"), 2)

    def test_files_that_others_may_write(self):
        for mode in (0o666, 0o664):
            self.file.chmod(mode)
            what = f"is writable by others (mode {mode:04o}; expected chmod go-w)"
            self.assertIn(f"{self.file} {what}\n", self.pdb("check", code=1).stdout)
            rows, errors = self.rows("build", QUICK)
            self.assertEqual(errors, f"tilelab: {self.file} {what}; rebuilding it\n")
            self.assertEqual(self.file.stat().st_mode & 0o777, 0o644)

    def test_what_a_generous_umask_makes_is_used_again(self):
        place = self.folder / "new" / "tables"
        for state in ("built", "already there"):
            done = subprocess.run([TILELAB, "pdb", "build", QUICK, "--pdb-dir", str(place)], capture_output=True, text=True,
                                  check=True, preexec_fn=lambda: os.umask(0))
            self.assertEqual((done.stdout.count(state), done.stderr), (2, ""))

    def test_neither_links_nor_pipes_are_read(self):
        away = self.folder / "away"
        self.file.rename(away)
        self.file.symlink_to(away)
        rows, errors = self.rows("build", QUICK)
        self.assertEqual(errors, f"tilelab: {self.file} is a link (expected the file itself); rebuilding it\n")
        self.assertFalse(self.file.is_symlink())
        self.file.unlink()
        os.mkfifo(self.file)
        self.assertIn(f"{self.file} is not a regular file\n", self.pdb("check", code=1).stdout)
        self.assertEqual([row["state"] for row in self.rows("list")[0]], ["is not a regular file", "ok"])
        rows, errors = self.rows("build", QUICK)
        self.assertEqual(errors, f"tilelab: {self.file} is not a regular file; rebuilding it\n")
        self.assertEqual(self.file.read_bytes(), self.whole)

    def test_what_a_link_stands_for_is_not_written_over(self):
        part = self.folder / f"{QUICK_FILES[0]}.part"
        mine = self.folder / "mine"
        mine.write_text("mine")
        for make, what in ((lambda: part.symlink_to(mine), "cannot be written (Too many levels of symbolic links)"),
                           (lambda: part.hardlink_to(mine), "has another name (a hard link)"),
                           (lambda: os.mkfifo(part), "is not a regular file"),
                           (lambda: (part.write_text(""), part.chmod(0o666)),
                            "is writable by others (mode 0666; expected chmod go-w)")):
            self.file.unlink(missing_ok=True)
            make()
            rows, errors = self.rows("build", QUICK, code=1)
            self.assertEqual(sorted(row["state"] for row in rows), ["already there", "built"])
            self.assertEqual(errors, f"tilelab: {part} {what}{IN_MEMORY}\ntilelab: 1 table built, but not kept in a file\n")
            self.assertEqual(mine.read_text(), "mine")
            part.unlink()


class Together(Pdb):
    def test_several_processes_build_once(self):
        processes = [self.start("build", SLOW) for _ in range(4)]
        outputs = [process.communicate(timeout=120) for process in processes]
        self.assertEqual([process.returncode for process in processes], [0] * 4)
        for name in (SLOW_FILE, "4x4-blank0-3.6.7.10.11.15.pdb"):
            states = [re.search(rf" {re.escape(name)} .* (built|already there)$", output, re.M)[1] for output, _ in outputs]
            self.assertEqual(sorted(states), ["already there"] * 3 + ["built"])
        self.assertEqual(len(self.names()), 3)
        self.pdb("check")

    def part(self, name):
        """The file that is written to, as a builder holds it."""
        file = open(self.folder / f"{name}.part", "w")
        self.addCleanup(file.close)
        fcntl.flock(file, fcntl.LOCK_EX)
        return file

    def waiting(self, name):
        process = self.start("build", QUICK)
        self.assertEqual(process.stderr.readline(),
                         f"tilelab: waiting for another process, which is building {self.folder / name}\n")
        return process

    def test_who_waits_takes_over_when_the_other_dies(self):
        file = self.part(QUICK_FILES[0])
        file.write("longer than the table" * 1000)
        file.flush()
        process = self.waiting(QUICK_FILES[0])
        file.close()
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (0, ""))
        self.assertEqual(output.count("built"), 2)
        self.assertEqual(self.names(), QUICK_FILES)
        self.pdb("check")

    def test_who_waits_reads_what_the_other_built(self):
        self.pdb("build", QUICK)
        good = self.folder / QUICK_FILES[0]
        whole = good.read_bytes()
        good.unlink()
        file = self.part(QUICK_FILES[0])
        process = self.waiting(QUICK_FILES[0])
        (self.folder / f"{QUICK_FILES[0]}.part").write_bytes(whole)
        (self.folder / f"{QUICK_FILES[0]}.part").rename(good)
        file.close()
        output, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output.count("already there")), (0, 2))
        self.assertEqual(self.names(), QUICK_FILES)

    def test_who_waits_does_not_write_to_a_file_that_is_gone(self):
        file = self.part(QUICK_FILES[0])
        process = self.waiting(QUICK_FILES[0])
        part = self.folder / f"{QUICK_FILES[0]}.part"
        part.unlink()
        part.write_text("another's")
        file.close()
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors, output.count("built")), (0, "", 2))
        self.assertEqual(self.names(), QUICK_FILES)
        self.pdb("check")

    def test_who_waits_can_be_interrupted(self):
        file = self.part(QUICK_FILES[0])
        process = self.waiting(QUICK_FILES[0])
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        file.close()


class Killed(Pdb):
    def begun(self):
        """A builder that is at work on the first table."""
        process = self.start("build", SLOW)
        part = self.folder / f"{SLOW_FILE}.part"
        while not part.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.001)
        return process

    def test_a_killed_builder_leaves_nothing_in_the_way(self):
        for delay in (0, 0.02, 0.1, 0.2):
            process = self.begun()
            time.sleep(delay)
            process.kill()
            process.communicate()
            self.assertEqual([name for name in self.names() if not re.fullmatch(r"4x4-\S+\.pdb(\.part)?", name)], [])
            if SLOW_FILE in self.names():
                (self.folder / SLOW_FILE).unlink()
        _, errors = self.rows("build", SLOW)
        self.assertEqual(errors, "")
        self.assertEqual([name for name in self.names() if name.endswith(".part")], [])
        self.pdb("check")

    def test_an_interrupted_builder_cleans_up(self):
        process = self.begun()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        for command in ("run", "plan", "solve", "rerun", "verify", "predict", "pdb", "explain"):  # all that build tables
            self.assertIn("130 interrupted", self.tilelab(command, "--help").stdout, command)
        self.assertEqual([name for name in self.names() if name.endswith(".part")], [])


class Use(Pdb):
    """Pattern databases in searches."""

    def tilelab(self, *arguments, code=0, program=TILELAB, **options):
        return super().tilelab(*arguments, "--pdb-dir", str(self.folder / "tables"), code=code, program=program, options=options)

    def experiment(self, solvers, **more):
        file = self.folder / "experiment.yaml"
        file.write_text(json.dumps({"experiment": "tables", "seed": 7, "solvers": solvers, "output": str(self.folder / "out"),
                                    "instances": [{"name": "u", "size": "3x3", "count": 20}], **more}))
        return str(file)

    def results(self):
        rows = read_table(self.folder / "out" / "runs.csv")
        return rows, self.manifest()["sessions"][-1]

    def test_a_run_builds_first_and_says_so(self):
        file = self.experiment(["astar(pdb:4-4)", "idastar(pdb:1.2.3.4/5.6.7.8:reflect)", "astar(max:pdb:4-4+inversion)"])
        messages = self.tilelab("run", file, "--no-compare").stderr
        self.assertEqual(messages.count("entries built in"), 2)
        self.assertLess(messages.index("entries built in"), messages.index("60 runs in"))
        rows, session = self.results()
        self.assertEqual(len(rows), 60)
        self.assertEqual({row["status"] for row in rows}, {"solved"})
        self.assertTrue(all(row["length"] == row["optimal_length"] for row in rows))
        self.assertEqual({row["heuristic"] for row in rows},
                         {"pdb:4-4", "pdb:1.2.3.4/5.6.7.8:reflect", "max:pdb:4-4+inversion"})
        self.assertEqual(sorted(pathlib.Path(table["file"]).name for table in session["pattern_databases"]),
                         sorted(path.name for path in (self.folder / "tables").iterdir()))
        self.assertTrue(all(table["built_seconds"] >= 0 for table in session["pattern_databases"]))
        # Again: nothing to do, so nothing is even looked at. Anew: the tables are there.
        shutil.move(self.folder / "tables", self.folder / "away")
        self.assertNotIn("built", self.tilelab("run", file, "--no-compare").stderr)
        shutil.move(self.folder / "away", self.folder / "tables")
        self.assertNotIn("built in", self.tilelab("run", file, "--no-compare", "--fresh").stderr)
        again, session = self.results()
        self.assertTrue(all(table["built_seconds"] is None for table in session["pattern_databases"]))
        counters = ("start", "solver", "length", "expanded", "generated", "peak_bytes")
        self.assertEqual(sorted([row[name] for name in counters] for row in rows),
                         sorted([row[name] for name in counters] for row in again))

    def test_workers_need_no_files(self):
        """A worker that is replaced, or starts after the files are gone, shares what the parent has."""
        file = self.experiment(["idastar(pdb:5-3)"], jobs=2)
        (self.folder / "tables").write_text("no folder: tables are kept in memory\n")
        messages = self.tilelab("run", file, "--no-compare").stderr
        rows, session = self.results()
        self.assertEqual(len(rows), 20)
        self.assertEqual({row["status"] for row in rows}, {"solved"})
        self.assertEqual({table["file"] for table in session["pattern_databases"]}, {None})
        self.assertEqual(messages.count("cannot"), 1, messages)

    def test_a_crashed_worker_costs_one_run(self):
        file = self.experiment(["idastar(pdb:5-3)"], jobs=1)
        environment = {**os.environ, "TILELAB_FAULT": "abort@3"}
        self.tilelab("run", file, "--no-compare", env=environment, code=3, program=os.environ["TILELAB_FAULTY"])
        rows, _ = self.results()
        self.assertEqual(sorted(row["status"] for row in rows), ["crashed"] + ["solved"] * 19)

    def test_a_damaged_table_is_mended_before_a_run(self):
        self.tilelab("solve", "-s", "idastar(pdb:4-4)", "8 6 7 2 5 4 3 0 1")
        path = next((self.folder / "tables").iterdir())
        whole = path.read_bytes()
        path.write_bytes(whole[:-100])
        messages = self.tilelab("run", self.experiment(["idastar(pdb:4-4)"]), "--no-compare").stderr
        self.assertIn(path.name, messages)
        self.assertIn("rebuilding it", messages)
        self.assertEqual(path.read_bytes(), whole)
        self.assertTrue(all(row["length"] == row["optimal_length"] for row in self.results()[0]))

    def test_a_plan_counts_each_table_once(self):
        file = self.experiment(["astar(pdb:5-3)", "rbfs(pdb:5-3:reflect)", "idastar(max:inversion+pdb:5-3)"])
        done = super().tilelab("plan", file)
        self.assertIn("\n2 pattern databases of 15.3 KiB, shared by all runs; built first if missing\n", done.stdout)
        plan = json.loads(super().tilelab("plan", file, "--json").stdout)
        self.assertEqual((plan["pattern_databases"], plan["pattern_database_bytes"]), (2, 15120 + 504))

    def test_rerun(self):
        self.tilelab("run", self.experiment(["astar(pdb:4-4:reflect)"]), "--no-compare")
        row = self.results()[0][0]
        self.assertIn("Everything else is the same.", self.tilelab("rerun", str(self.folder / "out"), row["run_id"]).stdout)

    def test_walking_distance_is_kept_where_its_table_is_large(self):
        board = ["--size", "5x4", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 16 17 18 19 15"]
        first = self.tilelab("solve", "-s", "idastar(walking_distance)", *board)
        self.assertIn("pattern database 4x5-blank0-walking: 5977015 entries built in", first.stderr)
        again = self.tilelab("solve", "-s", "idastar(walking_distance)", *board)
        self.assertNotIn("built", again.stderr)
        self.assertIn("moves: D", again.stdout)
        listed = self.tilelab("pdb", "list").stdout
        self.assertRegex(listed, r"(?m)^4x5-blank0-walking\.pdb +4x5 +walking distance +0 +all +5977015 +5981111 +ok$")

    def test_where_it_is_not_defined(self):
        done = self.tilelab("solve", "-s", "idastar(pdb:7-8)", "8 6 7 2 5 4 3 0 1", code=2)
        self.assertEqual(done.stdout, "")
        self.assertIn("partition 7-8 is for 4x4, the goal is 3x3; expected 4-4 or 5-3", done.stderr)
        done = self.tilelab("solve", "-s", "idastar(walking_distance)", "--size", "6x6", *map(str, [*range(1, 35), 0, 35]), code=2)
        self.assertIn("walking_distance is not defined on 6x6: 6 lines of 6 tiles have more than 67108864", done.stderr)
        self.assertFalse((self.folder / "tables").exists())
