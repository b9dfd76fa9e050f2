"""The Debian package: built and checked by scripts/package; with TILELAB_LONG=1 installed on a bare system, where an
ordinary user runs and draws the coursework experiment in an empty folder (needs root, debootstrap and Debian's packages)."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import SOURCE, Case

LONG = os.environ.get("TILELAB_LONG") == "1"


def missing():
    return [program for program in ("cpack", "dpkg-shlibdeps", "file", "lintian") if not shutil.which(program)]


@unittest.skipIf(missing(), f"not installed: {', '.join(missing())} (scripts/setup package)")
class Package(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        done = subprocess.run([SOURCE / "scripts/package", "-o", cls.folder], text=True, capture_output=True,
                              env={**os.environ, "TILELAB_SKIP_PACKAGES": "1"})
        assert done.returncode == 0, done.stderr
        cls.package = pathlib.Path(done.stdout.splitlines()[-1])
        cls.messages = done.stderr

    def test_lintian_finds_nothing(self):
        self.assertEqual(re.findall(r"(?m)^[EW]: .*", self.messages), [])

    def test_it_has_what_a_user_needs(self):
        listed = subprocess.run(["dpkg-deb", "-c", self.package], text=True, capture_output=True, check=True).stdout
        for path in ("bin/tilelab", "share/man/man1/tilelab.1.gz", "share/man/man1/tilelab-run.1.gz", "share/man/man5/tilelab-experiment.5.gz",
                     "share/bash-completion/completions/tilelab", "share/zsh/vendor-completions/_tilelab",
                     "share/fish/vendor_completions.d/tilelab.fish", "share/tilelab/experiments/coursework.yaml",
                     "share/tilelab/experiments/experiment.schema.json", "share/tilelab/sets/korf100.csv",
                     "share/tilelab/scripts/plot.py", "include/tilelab/heuristic.h", "include/tilelab/algorithm.h", "share/tilelab/templates/astar.py",
                     "share/tilelab/templates/assignment.yaml"):
            self.assertIn(f" ./usr/{path}\n", listed)

    @unittest.skipUnless(LONG and os.geteuid() == 0 and shutil.which("debootstrap"), "TILELAB_LONG=1, root and debootstrap needed")
    def test_on_a_bare_system(self):
        root = self.folder / "root"
        codename = re.search(r"(?m)^VERSION_CODENAME=(.*)$", pathlib.Path("/etc/os-release").read_text())[1]
        sources = "\n".join(path.read_text() for path in [pathlib.Path("/etc/apt/sources.list"),
                                                          *sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*"))] if path.is_file())
        mirror = re.search(r"(?m)^(?:deb(?: \[[^]]*\])? |URIs: )(\S+)", sources)[1]
        subprocess.run(["debootstrap", "--variant=minbase", codename, root, mirror], check=True, stdout=subprocess.DEVNULL)
        for path in pathlib.Path("/etc/apt/apt.conf.d").glob("*"):
            if not (root / "etc/apt/apt.conf.d" / path.name).exists():
                shutil.copy(path, root / "etc/apt/apt.conf.d")
        shutil.copy(self.package, root / "tmp/tilelab.deb")
        script = """set -e
            export DEBIAN_FRONTEND=noninteractive
            mount -t proc proc /proc
            trap 'umount /proc' EXIT
            apt-get update -q
            apt-get install -q -y /tmp/tilelab.deb
            useradd -m student
            mkdir /home/student/empty && chown student: /home/student/empty
            cd /home/student/empty
            runuser -u student -- sh -ec 'tilelab run coursework && tilelab plot results/coursework'
            test -s results/coursework/runs.csv
            ls results/coursework/figures/*.svg
        """
        done = subprocess.run(["chroot", root, "sh", "-c", script], text=True, capture_output=True, timeout=1500)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(".svg", done.stdout)
