"""What lies under the names that tilelab reads and writes in a results folder: links, pipes and folders are refused by
name, nothing goes through them and nothing waits for them. The manifest is the folder's own, and agrees with its rows."""

import os
import shutil
import signal

from test_run import LONGER, SMALL, Harness

REFERENCE = "set,instance,solver,column,published\nu,u-1,bfs,length,99\n"
KINDS = {"link": lambda path, target: path.symlink_to(target), "dangling": lambda path, target: path.symlink_to("nowhere"),
         "pipe": lambda path, target: os.mkfifo(path), "folder": lambda path, target: path.mkdir()}


class Files(Harness):
    """A folder `out` with everything that the commands write, and `precious`, which none of them may touch."""

    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.target = self.folder / "precious"
        self.target.write_text("precious")
        self.write(SMALL.replace("  - dfs\n", "  - idastar(manhattan)\n") + "expect: {file: ref.csv}\nrounds: true\n")
        self.write(REFERENCE, "ref.csv")

    def contents(self):
        """Every file, and what is none by its kind."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            kind = path.lstat().st_mode
            found[str(path.relative_to(self.folder))] = path.read_bytes() if path.is_file() and not path.is_symlink() else kind
        return found

    def each_kind(self, path, but=()):
        """Puts each kind in place of a file; whoever refuses it changes nothing."""
        saved = path.read_bytes() if path.exists() else None
        for kind, make in KINDS.items():
            if kind in but:
                continue
            path.unlink(missing_ok=True)
            make(path, self.target)
            before = self.contents()
            with self.subTest(path=path.name, kind=kind):
                yield kind
                self.assertEqual(self.contents(), before)
            path.rmdir() if kind == "folder" else path.unlink()
        if saved is not None:
            path.write_bytes(saved)


class Written(Files):
    def test_run_refuses_every_name_that_it_writes(self):
        self.tilelab("run", "experiment.yaml", code=(0, 3))
        rows = self.rows_file.read_bytes()
        for missing in (False, True):
            if missing:  # some runs would be made
                self.rows_file.write_bytes(b"".join(rows.splitlines(True)[:-5]))
            for name in ("runs.csv", "manifest.json", "experiment.yaml", "datapackage.json", "messages.csv", "rounds.csv", "summary.csv",
                         "by_depth.csv", "pairs.csv", "expect.csv", "expected-ref.csv", ".manifest.json.part", ".runs.csv.part"):
                for _ in self.each_kind(self.out / name):
                    said = self.tilelab("run", "experiment.yaml", code=2).stderr
                    self.assertIn(f"out/{name}", said)
                    self.assertIn("expected", said)
        for name in ("shards", "submit"):
            for _ in self.each_kind(self.out / name, but=("folder",)):
                self.assertIn(f"out/{name}: it is a ", self.tilelab("run", "experiment.yaml", code=2).stderr)

    def test_submit(self):
        """Before anything is sent: what others would write their logs through, too."""
        self.write(SMALL)
        (self.out / "submit").mkdir(parents=True)
        for name in ("jobs.json", "array.sh", "parallel.sh", "parallel.log", "shard-1-of-2.log"):
            for _ in self.each_kind(self.out / "submit" / name, but=("folder",)):
                for engine in ("slurm", "parallel"):
                    self.assertIn(f"out/submit/{name}: it is a ", self.tilelab("submit", "experiment.yaml", "--shards", "2", "--engine", engine, code=(1, 2)).stderr)

    def test_a_link_to_the_folder_itself_is_the_users_own(self):
        (self.folder / "far").mkdir()
        self.out.symlink_to(self.folder / "far")
        self.tilelab("run", "experiment.yaml", code=(0, 3))
        self.assertTrue(self.out.is_symlink())
        self.assertTrue((self.folder / "far" / "runs.csv").exists())

    def test_shards(self):
        self.tilelab("run", "experiment.yaml", "--shard", "1/2")
        (self.folder / "away").mkdir()
        (self.out / "shards" / "2-of-2").symlink_to(self.folder / "away")
        before = self.contents()
        self.assertIn("out/shards/2-of-2 is a link", self.tilelab("run", "experiment.yaml", "--shard", "2/2", code=2).stderr)
        self.assertEqual(self.contents(), before)
        (self.out / "shards" / "2-of-2").unlink()
        for name in ("manifest.json", "experiment.yaml", "expected-ref.csv"):
            for _ in self.each_kind(self.out / name):
                self.assertRegex(self.tilelab("run", "experiment.yaml", "--shard", "2/2", code=2).stderr, f"out/{name}|out is not .* holds {name}")
                if name != "expected-ref.csv":
                    self.tilelab("status", "out", code=2)
                self.assertIn(f"out/{name}", self.tilelab("merge", "out", code=2).stderr)

    def test_compare_report_and_plot_go_through_nothing(self):
        self.tilelab("run", "experiment.yaml", code=(0, 3))
        for name in ("summary.csv", "pairs.csv", "expect.csv"):
            for _ in self.each_kind(self.out / name):
                self.assertIn(f"cannot write 'out/{name}': it is a ", self.tilelab("compare", "out", code=1).stderr)
        for name, words in (("report.html", ()), ("report.md", ("--format", "markdown"))):
            for _ in self.each_kind(self.out / name):
                self.assertIn(f"cannot write 'out/{name}': it is a ", self.tilelab("report", "out", *words, code=1).stderr)
        plot = ("plot", "out", "--only", "memory", "--format", "svg", "--data")
        done = self.tilelab(*plot, code=(0, 1), figures=True)
        if "matplotlib" in done.stderr:
            self.skipTest("no matplotlib")
        figures = self.out / "figures"
        name = sorted(path.name for path in figures.glob("*.svg"))[-1]
        for last in (name, name.replace(".svg", ".csv")):
            for _ in self.each_kind(figures / last):
                self.assertIn(f"out/figures/{last}", self.tilelab(*plot, code=1, figures=True).stderr)
        os.remove(figures / name)
        for make in (KINDS["link"], KINDS["pipe"]):
            make(figures / f".{name}.part", self.target)
            self.tilelab(*plot, code=1, figures=True)
            self.assertFalse((figures / name).exists())
            self.assertEqual(self.target.read_text(), "precious")
            (figures / f".{name}.part").unlink(missing_ok=True)
        shutil.rmtree(figures)
        for _ in self.each_kind(figures, but=("folder",)):
            self.tilelab(*plot, code=1, figures=True)

    def test_what_a_person_names_may_be_a_link_or_a_pipe(self):
        self.tilelab("run", "experiment.yaml", code=(0, 3))
        link = self.folder / "link.html"
        link.symlink_to(self.target)
        self.tilelab("report", "out", "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertIn("<html", self.target.read_text())
        self.assertIn("<html", self.tilelab("report", "out", "-o", "/dev/stdout").stdout)

    def test_a_pipe_in_the_middle_of_a_run(self):
        """The manifest is written again at the end: what was put in its place meanwhile is neither waited for nor replaced."""
        for kind in ("pipe", "link"):
            shutil.rmtree(self.out, True)
            process = self.start_of(LONGER.replace("repetitions: 2", "repetitions: 3"), "--no-compare", "--jobs", "1")
            self.wait_until(lambda: process.poll() is not None or self.lines_written() >= 5, "rows come")
            process.send_signal(signal.SIGSTOP)
            self.assertNotIn('"finished_at"', (self.out / "manifest.json").read_text())
            (self.out / "manifest.json").unlink()
            KINDS[kind](self.out / "manifest.json", self.target)
            process.send_signal(signal.SIGCONT)
            self.assertEqual(process.wait(60), 1)
            self.assertIn("out/manifest.json cannot be written: it is a ", process.stderr.read())
            self.assertEqual(self.target.read_text(), "precious")


class Manifest(Files):
    def other(self, *words):
        """The manifest of another results folder of the same experiment."""
        shutil.rmtree(self.folder / "other", True)
        self.tilelab("run", "experiment.yaml", "-o", "other", "-n", *words, code=(0, 3))
        return (self.folder / "other" / "manifest.json").read_bytes()

    def test_one_of_another_folder_is_set_aside_and_made_anew(self):
        self.write(SMALL)
        self.tilelab("run", "experiment.yaml")
        own = self.manifest()
        for words in (("--set", "seed=8"), ("--set", "repetitions=1"), ()):  # the last is of the very same runs, made again
            foreign = self.other(*words)
            (self.out / "manifest.json").write_bytes(foreign)
            with self.subTest(words=words):
                self.assertIn("manifest.json", self.tilelab("compare", "out").stdout)
                self.tilelab("report", "out")
                for word in words[1:]:
                    self.assertNotIn(word, (self.out / "report.html").read_text())
                said = self.tilelab("run", "experiment.yaml").stderr
                self.assertIn("out/manifest.json cannot be used: it is of other runs than the rows", said)
                self.assertIn("it is set aside in out/manifest.json.1", said)
                self.assertEqual((self.out / "manifest.json.1").read_bytes(), foreign)
                (self.out / "manifest.json.1").unlink()
                made = self.manifest()
                times = sorted(row["finished_at"] for row in self.rows())
                self.assertEqual((made["started_at"], made["finished_at"], made["sessions"]), (times[0], times[-1], []))
                for key in ("experiment_hash", "row_hashes", "seed", "set", "runs", "repetitions", "solvers", "limits", "baseline"):
                    self.assertEqual(made[key], own[key], key)
        self.assertNotIn("of other runs", self.tilelab("compare", "out", "--full").stdout)
        self.assertNotIn("cannot be used", self.tilelab("run", "experiment.yaml").stderr)

    def test_one_that_nobody_wrote_is_made(self):
        self.write(SMALL)
        self.tilelab("run", "experiment.yaml")
        own = self.manifest()
        (self.out / "manifest.json").unlink()
        self.tilelab("run", "experiment.yaml")
        self.assertEqual(self.manifest()["row_hashes"], own["row_hashes"])

    def test_the_folders_own_stays(self):
        """However its rows grow, go and come back, and however the experiment changes."""
        self.write(SMALL)
        self.tilelab("run", "experiment.yaml")
        for keep in (lambda lines: lines[:1], lambda lines: lines[49:], lambda lines: lines[:39], lambda lines: [], lambda lines: lines[::-1]):
            lines = self.rows_file.read_bytes().splitlines(True)
            self.rows_file.write_bytes(b"".join(lines[:1] + keep(lines[1:])))
            self.assertNotIn("set aside", self.tilelab("run", "experiment.yaml").stderr)
        self.assertNotIn("set aside in out/manifest", self.tilelab("run", "experiment.yaml", "--fresh").stderr)
        self.write(SMALL + "# more\n")
        for words in (("--set", "repetitions=3"), ("--keep", "--set", "repetitions=1"), ("--keep", "--set", "repetitions=4")):
            self.assertNotIn("set aside", self.tilelab("run", "experiment.yaml", *words).stderr)
        self.assertEqual(len([one for one in self.manifest()["sessions"] if one["ended"] == "done"]), 8)

    def test_a_shards(self):
        self.write(SMALL)
        foreign = self.other("--set", "seed=8")
        for which in ("1/2", "2/2"):
            self.tilelab("run", "experiment.yaml", "--shard", which)
        self.tilelab("merge", "out")
        own = (self.out / "manifest.json").read_bytes()
        (self.out / "manifest.json").write_bytes(foreign)
        for command in ("merge", "status"):
            self.assertIn("out/manifest.json: it is of other runs", self.tilelab(command, "out", code=2).stderr)
        (self.out / "manifest.json").write_bytes(own)
        (self.out / "shards" / "1-of-2" / "manifest.json").write_bytes(foreign)
        self.assertIn("out/shards/1-of-2/manifest.json cannot be used: it is of other runs", self.tilelab("merge", "out").stderr)
        self.assertEqual([one["shard"] for one in self.manifest()["sessions"]], ["2/2"])
        (self.out / "manifest.json").write_bytes(foreign)
        said = self.tilelab("run", "experiment.yaml", "--shard", "1/2").stderr
        self.assertIn("out/manifest.json cannot be used: it is of other runs than what lies beside it", said)
        self.assertEqual((self.out / "manifest.json.1").read_bytes(), foreign)
        self.tilelab("merge", "out")

    def test_an_experiment_that_is_not_the_manifests_is_not_shown(self):
        self.write(SMALL)
        self.tilelab("run", "experiment.yaml")
        (self.out / "experiment.yaml").write_text("experiment: anothers\n")
        self.assertIn("out/experiment.yaml is not the file that was run", self.tilelab("report", "out").stderr)
        self.assertNotIn("anothers", (self.out / "report.html").read_text())

    def test_a_call_that_makes_no_run_leaves_it_in_agreement(self):
        """What `--set` changed, the metrics and the copy of the file are of the same call."""
        self.write(SMALL)
        self.tilelab("run", "experiment.yaml")
        sessions = self.manifest()["sessions"]
        self.tilelab("run", "experiment.yaml", "--set", "compare.metrics=[wall_s]", "--set", "warmup=5")
        made = self.manifest()
        self.assertEqual((made["metrics"], made["set"], made["warmup"]), (["wall_s"], ["compare.metrics=[wall_s]", "warmup=5"], 5))
        self.assertEqual((made["sessions"], made["sessions"][0]["warmup"]), (sessions, 1))
        self.write(SMALL + "# of later\n")
        self.tilelab("run", "experiment.yaml")
        made = self.manifest()
        self.assertEqual((made["metrics"], made["set"], made["warmup"], made["sessions"]), ([], [], 1, sessions))
        self.assertEqual((self.out / "experiment.yaml").read_text(), SMALL + "# of later\n")
        self.tilelab("report", "out")
        self.assertIn("# of later", (self.out / "report.html").read_text())


class Read(Files):
    def test_pipes_in_the_folder_are_not_waited_for(self):
        self.tilelab("run", "experiment.yaml", code=(0, 3))
        for name, command, code in (("experiment.yaml", "report", 0), ("manifest.json", "report", 0), ("manifest.json", "compare", (0, 3)),
                                    ("rounds.csv", "plot", 2), ("expected-ref.csv", "compare", 3)):
            path = self.out / name
            saved = path.read_bytes()
            path.unlink()
            os.mkfifo(path)
            with self.subTest(name=name, command=command):
                self.tilelab(command, "out", *(("--only", "rounds") if command == "plot" else ()), code=code)
            path.unlink()
            path.write_bytes(saved)
        (self.out / "submit").mkdir()
        os.mkfifo(self.out / "submit" / "jobs.json")
        self.tilelab("status", "out", code=(0, 2))
        self.assertIn("jobs.json", self.tilelab("submit", "experiment.yaml", "--shards", "2", "--dry-run", code=2).stderr)

    def test_what_an_experiment_names(self):
        for name in ("ref.csv", "boards.txt"):
            self.write(SMALL.replace("- {name: u, size: 3x2, method: uniform, count: 4}", "- {name: u, file: boards.txt}") +
                       "expect: {file: ref.csv}\n")
            self.write("1 2 3 4 0 5\n", "boards.txt")
            self.write(REFERENCE, "ref.csv")
            (self.folder / name).unlink()
            os.mkfifo(self.folder / name)
            said = self.tilelab("check", "experiment.yaml", code=2).stderr
            self.assertIn(name, said)
            self.assertIn("not a regular file", said)
            (self.folder / name).unlink()

    def test_a_report_shows_no_file_that_a_link_leads_to(self):
        self.tilelab("run", "experiment.yaml", code=(0, 3))
        (self.out / "experiment.yaml").unlink()
        (self.out / "experiment.yaml").symlink_to(self.target)
        self.tilelab("report", "out")
        self.assertNotIn("precious", (self.out / "report.html").read_text())
