"""What several tests use."""

import contextlib
import csv
import difflib
import fcntl
import itertools
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

TILELAB = os.environ.get("TILELAB")
SANITIZED = TILELAB is not None and "sanitizers" in subprocess.run(
    [TILELAB, "--version"], capture_output=True, text=True, check=True).stdout
SHOWN = 10  # lines
# `python3` in a test is the one that runs the tests: the wrapper of a version manager takes 0.1 s of each start.
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
os.umask(0o022)  # some tests are of what other users may read
if os.access("/dev/shm", os.W_OK):
    tempfile.tempdir = "/dev/shm"  # in memory: many small experiments would wait for the disk
SOURCE = pathlib.Path(os.environ.get("TILELAB_SOURCE", "."))
# For commands whose figures do not matter: loading matplotlib takes most of a second.
WITHOUT_MATPLOTLIB = {"PYTHONPATH": str(pathlib.Path(__file__).parent / "without_matplotlib")}


def can_isolate(**user):
    """Whether bubblewrap works here, of this or another user: not in a chroot, and not where user namespaces are forbidden."""
    return shutil.which("bwrap") is not None and subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], check=False,
                                                                capture_output=True, **user).returncode == 0


ISOLATES = can_isolate()
needs_isolation = unittest.skipUnless(ISOLATES, "bubblewrap cannot isolate here")


def on_terminal(words, *streams, columns=80, **named):
    """Runs a program, some of whose streams ("stdin", "stdout", "stderr") are a pseudo-terminal, so many columns wide. Returns
    what that is shown, and what subprocess.run would. Where none can be had, such as in a chroot without /dev/pts, the test
    is skipped."""
    try:
        ours, theirs = os.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminal ({error.strerror})") from None
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(words, **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
                                    **dict.fromkeys(streams, theirs), **named}) as program:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal is an error of reading
            while piece := os.read(ours, 1 << 16):
                shown += piece
        os.close(ours)
        output, errors = program.communicate()
    return shown.decode(), subprocess.CompletedProcess(words, program.returncode, output, errors)


def names_of(table, kind):
    """The names in the rows of a table in the sources, such as ("instances/methods.def", "METHOD"): whoever adds a row need not look
    for tests that know the others."""
    names = re.findall(rf"(?m)^{kind}\((\w+),", (SOURCE / table).read_text())
    assert len(names) > 3, (table, kind)
    return names


def read_table(path):
    """The rows of a CSV file, but for lines that begin with #, as dictionaries."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def write_table(path, rows, columns=None):
    """A CSV file of such dictionaries, with these columns or those of the first row."""
    rows = iter(rows)
    first = next(rows, {}) if columns is None else None
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns or list(first), extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows if columns else itertools.chain([first], rows))


def listed(names):
    """As messages write what they expect: a, b or c."""
    return f"{', '.join(names[:-1])} or {names[-1]}"


def make_objects(folder, codes):
    """Shared objects NAME.so of C files, {name: code}, that include what plugins are compiled against."""
    for name, code in codes.items():
        (folder / f"{name}.c").write_text(code)
        done = subprocess.run(["cc", "-shared", "-fPIC", "-I", pathlib.Path(os.environ["TILELAB_SOURCE"], "include"), "-o", folder / f"{name}.so",
                               folder / f"{name}.c"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{name}.c: {done.stderr}")


class Case(unittest.TestCase):
    """A test whose failures say what failed: of two texts or lists that differ the first ten lines of the difference, never all."""

    def __init__(self, *words, **named):
        super().__init__(*words, **named)
        self.addTypeEqualityFunc(str, self.same_text)
        self.addTypeEqualityFunc(list, self.same_list)

    def same_text(self, first, second, msg=None):
        if first != second:
            self.differ(first.splitlines(), second.splitlines(), msg)

    def same_list(self, first, second, msg=None):
        if first != second:
            self.differ([repr(item) for item in first], [repr(item) for item in second], msg)

    def differ(self, first, second, msg):
        lines = list(difflib.unified_diff(first, second, "first", "second", n=1, lineterm=""))
        more = [f"({len(lines) - SHOWN} more lines)"] if len(lines) > SHOWN else []
        if not lines:
            lines = ["they differ in their types or their line ends alone"]
        shown = [line if len(line) <= 200 else line[:200] + ".." for line in lines[:SHOWN]]
        self.fail("\n".join([str(msg or "not the same:"), *shown, *more]))

    def assertIn(self, member, container, msg=None):
        """Of a long text the lines that are most like what is missing are shown, not all."""
        if not isinstance(container, str) or not isinstance(member, str) or container.count("\n") <= SHOWN:
            super().assertIn(member, container, msg)
        elif member not in container:
            near = difflib.get_close_matches(member.strip(), container.splitlines(), SHOWN, 0.3)
            self.fail("\n".join([str(msg or "not found:"), member[:200], f"in {container.count(chr(10))} lines; the nearest:",
                                 *(line[:200] for line in near)]))


    def wait_until(self, true, what, seconds=60):
        """Waits until what true() says is true, and returns it; `what` stands in the message if it never is."""
        end = time.monotonic() + seconds
        while not (value := true()):
            self.assertLess(time.monotonic(), end, f"not within {seconds} s: {what}")
            time.sleep(0.005)
        return value


class FolderCase(Case):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-test-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def manifest(self, folder="out"):
        return json.loads((self.folder / folder / "manifest.json").read_text())

    def tilelab(self, *words, code=0, cwd=None, program=TILELAB, figures=False, text=None, options=None, **environment):
        """Runs the program in the folder. `code`: the exit code that is expected, or all that may be, None for any. `figures`: report
        and plot may draw. `text`: what comes on standard input. `options`: more for subprocess.run."""
        hidden = WITHOUT_MATPLOTLIB if words[:1] in (("report",), ("plot",)) and not figures else {}
        settings = {"cwd": cwd or self.folder, "text": True, "capture_output": True, "timeout": 300,
                    "env": {**os.environ, **hidden, **environment},
                    **({"stdin": subprocess.DEVNULL} if text is None else {"input": text}), **(options or {})}
        done = subprocess.run([program, *map(str, words)], check=False, **settings)
        if code is not None:
            self.assertIn(done.returncode, code if isinstance(code, tuple) else (code,), (words, (done.stdout or "")[-500:], done.stderr[-2000:]))
        return done
