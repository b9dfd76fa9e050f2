"""harness/coursework.md: a whole sheet in ten commands, as they stand there. With TILELAB_LONG=1 all of them; else those that take
no seconds, on fewer boards."""
import os
import re
import shutil
import subprocess
import zipfile

from support import SOURCE, TILELAB, FolderCase

LONG = "TILELAB_LONG" in os.environ
PAGE = (SOURCE / "harness" / "coursework.md").read_text()
COMMANDS = re.findall(r"(?m)^    (tilelab .*)$", PAGE)
SLOW = ("tilelab verify", "tilelab plot", "tilelab report")
NEEDS = {"tree.pdf": "dot", "docx": "pandoc"}
MOST_WORDS = 600


class Coursework(FolderCase):
    def test_it_is_short(self):
        first = (SOURCE / "README.md").read_text()
        head = first[:first.index("\n\n", first.index("| --- |"))]
        self.assertLessEqual(len(head.split()) + len(PAGE.split()), MOST_WORDS)
        self.assertLessEqual(len(COMMANDS), 10)
        self.assertIn("harness/coursework.md", head.splitlines()[head.splitlines().index("| --- | --- |") + 1], "the first task")

    def test_the_commands_as_they_stand(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "tilelab").symlink_to(TILELAB)
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        shown = {}
        for command in COMMANDS:
            needed = next((program for word, program in NEEDS.items() if word in command), "sh")
            if (command.startswith(SLOW) and not LONG) or shutil.which(needed) is None:
                continue
            words = command.replace("run sheet.yaml", "run sheet.yaml" if LONG else "run sheet.yaml --quick -o results/sheet --set 'instances.1.depths=[2, 4, 6]'")
            done = subprocess.run(words, shell=True, cwd=self.folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, (command, done.stderr))
            shown[command.split(" -")[0]] = done.stdout
        self.assertIn("mine", shown["tilelab run sheet.yaml"])
        self.assertRegex((self.folder / "table.html").read_text(), r"median expanded.*median max depth")
        self.assertRegex(shown["tilelab compare results/sheet"], r"(?m)^ *d +iddfs .* b\* astar\(manhattan\)$")
        self.assertIn("nodes_expanded: 181437\n", shown["tilelab solve"])
        if shutil.which("dot"):
            self.assertEqual((self.folder / "tree.pdf").read_bytes()[:5], b"%PDF-")
        if LONG and shutil.which("pandoc"):
            with zipfile.ZipFile(self.folder / "results" / "sheet" / "report.docx") as document:
                self.assertIn(b"<w:tbl>", document.read("word/document.xml"))
                self.assertTrue([name for name in document.namelist() if name.endswith(".png")])
