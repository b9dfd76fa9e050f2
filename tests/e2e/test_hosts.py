"""tilelab submit --engine parallel: on this machine, and over ssh to two hosts, which are this machine under other names (an
sshd each in a UTS namespace). Long; skipped without GNU parallel, and the hosts without sshd or root."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from cluster import free_ports
from support import TILELAB, Case, read_table

TIMES = ("wall_s", "cpu_s", "host", "finished_at", "row_hash")
SSHD = shutil.which("sshd", path="/usr/sbin:/usr/bin")

EXPERIMENT = """experiment: mine
seed: 7
instances:
  - {name: hard, size: 4x4, count: 8, method: uniform}
solvers: [idastar(manhattan), astar(linear_conflict)]
limits: {time: 30s, memory: 512MiB, nodes: 4M}
warmup: 0
"""


def is_gnu_parallel():
    program = shutil.which("parallel")
    return program is not None and "GNU parallel" in subprocess.run([program, "--version"], text=True, capture_output=True, check=False).stdout


@unittest.skipUnless(is_gnu_parallel(), "no GNU parallel (Debian: parallel)")
class Local(Case):
    hosts = ()

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="tilelab-hosts-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, True)
        (cls.place / "mine.yaml").write_text(EXPERIMENT)
        subprocess.run([TILELAB, "run", "mine.yaml", "-o", "alone", "-q", "-n"], cwd=cls.place, check=True, timeout=600)
        cls.environment = dict(os.environ)

    def setUp(self):
        self.out = pathlib.Path(tempfile.mkdtemp(prefix="it's {} ", dir=self.place))

    def rows(self, folder):
        path = folder / "runs.csv"
        if not path.exists():
            return []
        return read_table(path)

    def counters(self, folder):
        return sorted([value for key, value in row.items() if key not in TIMES] for row in self.rows(folder))

    def start(self, *words):
        return subprocess.Popen([TILELAB, "submit", "mine.yaml", "-o", self.out, "--engine", "parallel", *self.hosts, *words], cwd=self.place,
                                env=self.environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                start_new_session=True)

    def finish(self, code=0, **named):
        process = self.start(**named)
        said, _ = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, said)
        return said

    def processes(self):
        """What works on the folder of this test."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if os.fsencode(self.out) in path.read_bytes().split(b"\0"):
                    found.append(path.parent.name)
            except OSError:
                pass
        return found

    def test_shards_make_the_rows_of_one_machine(self):
        process = self.start("--shards", "4")
        said, _ = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual(self.counters(self.out), self.counters(self.place / "alone"))
        self.assertIn("nothing is missing", self.finish())

    def test_interrupted_and_called_again(self):
        """Ctrl-C goes to all processes of the terminal, kill to one: nothing runs on, no row is lost, the rest is made."""
        for to_all, how in ((True, signal.SIGINT), (False, signal.SIGINT), (False, signal.SIGTERM)):
            with self.subTest(to_all=to_all, how=how):
                process = self.start("--shards", "8")
                rows = lambda: sum(len(self.rows(folder)) for folder in self.out.glob("shards/*"))
                self.wait_until(lambda: rows() >= 2 or process.poll() is not None, "there are two rows")
                (os.killpg if to_all else os.kill)(process.pid, how)
                said, _ = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, said)
                self.wait_until(lambda: not self.processes(), "no process is left")
                made = rows()
                self.assertLess(made, 16)
                self.assertNotIn("nothing is missing", self.finish())
                self.assertEqual(self.counters(self.out), self.counters(self.place / "alone"))
                shutil.rmtree(self.out)


@unittest.skipIf(SSHD is None or os.geteuid() != 0, "no sshd (Debian: openssh-server), or not root")
class Hosts(Local):
    hosts = ("--hosts", "1/alpha,1/beta")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        ssh = cls.place / "ssh"
        ssh.mkdir(mode=0o700)
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ssh / key], check=True)
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        config = [f"Host *\n HostName 127.0.0.1\n User root\n IdentityFile {ssh}/user\n UserKnownHostsFile {ssh}/known\n"
                  " StrictHostKeyChecking no\n LogLevel ERROR"]
        for name, port in zip(("alpha", "beta"), free_ports(2)):
            (ssh / name).write_text(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {ssh}/host\nPidFile none\nAuthorizedKeysFile {ssh}/user.pub\n"
                                    "PermitRootLogin yes\nStrictModes no\nUsePAM no\n")
            config.insert(0, f"Host {name}\n Port {port}")
            with (ssh / f"{name}.log").open("w") as log:
                daemon = subprocess.Popen(["unshare", "--uts", "bash", "-c", f'hostname {name}; exec {SSHD} -D -e -f "$0"', ssh / name],
                                          stdin=subprocess.DEVNULL, stderr=log)
            cls.addClassCleanup(daemon.wait)
            cls.addClassCleanup(daemon.terminate)
        (ssh / "config").write_text("\n".join(config) + "\n")
        (ssh / "ssh").write_text(f'#!/bin/sh\nexec ssh -F "{ssh}/config" "$@"\n')
        (ssh / "ssh").chmod(0o755)
        cls.environment["PARALLEL_SSH"] = str(ssh / "ssh")
        for name in ("alpha", "beta"):
            subprocess.run(["sh", "-c", f'for i in $(seq 100); do "{ssh}/ssh" {name} true 2>/dev/null && exit 0; sleep 0.1; done; exit 1'], check=True)

    def test_rows_say_which_host_made_them(self):
        process = self.start("--shards", "8")
        said, _ = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual({row["host"] for row in self.rows(self.out)}, {"alpha", "beta"})

    def test_hosts_that_fail_eat_no_shard(self):
        """One is down, on another the folder is missing: both are left out and named, and the third makes all rows."""
        for bad, words in (("down", ["--hosts", "1/alpha,1/down"]), ("beta", ["--hosts", "1/beta,1/alpha"])):
            with self.subTest(bad=bad):
                blind = self.place / "blind"
                blind.write_text(f'#!/bin/sh\n[ "$1" = run ] && [ "$(hostname)" = {bad} ] && exit 127\nexec {TILELAB} "$@"\n')
                blind.chmod(0o755)
                self.tilelab_script(blind, "--shards", "8", *words)
                process = subprocess.run(["bash", "parallel.sh"], cwd=self.out / "submit", env=self.environment, text=True, capture_output=True,
                                         timeout=300, check=False)
                self.assertEqual(process.returncode, 0, process.stderr)
                self.assertEqual({row["host"] for row in self.rows(self.out)}, {"alpha"})
                self.assertEqual(self.counters(self.out), self.counters(self.place / "alone"))
                self.assertRegex(process.stderr, bad)
                shutil.rmtree(self.out)

    def tilelab_script(self, program, *words):
        """Writes the script of submit, which runs the program in place of tilelab."""
        script = subprocess.run([TILELAB, "submit", "mine.yaml", "-o", self.out, "--engine", "parallel", "--dry-run", *words], cwd=self.place,
                                env=self.environment, text=True, capture_output=True, check=True).stdout
        (self.out / "submit").mkdir(parents=True)
        (self.out / "submit/parallel.sh").write_text(script.replace(TILELAB, str(program)))

    def test_a_file_of_hosts(self):
        (self.place / "hosts").write_text("1/beta\n")
        process = subprocess.run([TILELAB, "submit", "mine.yaml", "-o", self.out, "--engine", "parallel", "--hosts", "hosts", "--shards", "2"],
                                 cwd=self.place, env=self.environment, text=True, capture_output=True, timeout=300, check=False)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual({row["host"] for row in self.rows(self.out)}, {"beta"})
