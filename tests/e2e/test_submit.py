"""tilelab submit without a cluster: the script, quoting, which shards are sent, and what is said. Slurm's commands are
scripts of these tests, which note what they were asked; a real Slurm is in test_slurm.py."""

import json
import os
import shutil
import stat
import subprocess
import time

from support import TILELAB, FolderCase


EXPERIMENT = """experiment: mine
instances:
  - {name: some, size: 3x3, count: 4, method: uniform}
solvers: [astar(manhattan), bfs, ucs]
limits: {time: 60s, memory: 64MiB}
"""

# 12 runs of 60 s, 10 minutes a shard of which 8 can be used: 2 shards, each of two boards.
SCRIPT = """#!/bin/bash
# tilelab-mine: 12 runs in 2 shards, of which 2 are run here, 1 search at a time in each.
# At worst a shard takes 0.10 hours, if every run takes its limit.
#
# tilelab submit sends it by these commands, in this file's folder; ARRAY is the number of a job:
#   sbatch --parsable --account=physics array.sh
#   sbatch --parsable --job-name=tilelab-mine-closing --output=/dev/null --requeue --ntasks=1 --cpus-per-task=1 \
--mem=257M --time=01:00:00 --partition=short --account=physics --dependency=afterany:ARRAY closing.sh ARRAY
#
# A task of the array is a shard.
#SBATCH --job-name=tilelab-mine
#SBATCH --array=1-2
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=225M
#SBATCH --time=00:10:00
#SBATCH --partition=short
# 60 seconds before its time is over, a shard stops its searches and ends: every finished run has its row.
#SBATCH --signal=B:USR1@60
# A shard that loses its node, or gives way to another job, goes on where it stopped.
#SBATCH --requeue
# Its log is opened below: a node that does not see the folder could not even start the script.
#SBATCH --output=/dev/null

folder={folder}/out
program={tilelab}
task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
log=$folder/submit/shard-$SLURM_ARRAY_TASK_ID-of-2.log
left=$(squeue --noheader --jobs="$task" --format=%k)
[[ $left == 'left '* ]] || left=
# Goes back to the queue, for any node.
again() {
    trap '' TERM # requeue ends this script: not before its last line
    scontrol requeue "$task" || exit 1
}
# Goes back to the queue, for other nodes than this one; gives up at the third, or where there is no other.
elsewhere() {
    local names excluded
    echo "tilelab: $SLURMD_NODENAME $1" >&2
    names=${left//[^|]/}
    excluded=$(scontrol show job "$task" | sed -n 's/.*ExcNodeList=\\([^ (]*\\).*/\\1/p')
    excluded=${excluded:+$excluded,}$SLURMD_NODENAME
    ((${#names} < 2)) || exit 1
    sinfo -h -N -p "$SLURM_JOB_PARTITION" -o %N | grep -qvxF "$(scontrol show hostnames "$excluded")" || exit 1
    scontrol update JobId="$task" Comment="${left:-left }$SLURMD_NODENAME: $1|"
    again
    scontrol update JobId="$task" ExcNodeList="$excluded"
    exit 1
}
for path in "$folder/submit/array.sh" "$program"; do
    [[ -e $path ]] || elsewhere "does not see $path; expected a folder that all nodes share"
done
exec >>"$log" 2>&1
[[ -z $left ]] || tr '|' '\\n' <<<"${left#left }" >>"$folder/submit/left-nodes"
size() { stat -c %s "$folder/shards/$SLURM_ARRAY_TASK_ID-of-2/runs.csv" 2>/dev/null || echo 0; }
trap 'over=1; kill -USR1 "$run"' USR1
trap : TERM # Slurm sends it to the program, too
before=$(size)
{tilelab} run {folder}/mine.yaml --output {folder}/out --shard "$SLURM_ARRAY_TASK_ID/2" --jobs 1 --set repetitions=1 &
run=$!
while wait "$run"; code=$?; kill -0 "$run" 2>/dev/null; do :; done # a signal ends a wait
if ((over)) && (($(size) > before)); then
    again
elif ((code != 0 && code != 3 && code != 130 && SECONDS < 60 && $(size) == before)); then
    elsewhere "ended the shard after $SECONDS s without a row, with exit code $code"
fi
exit "$code"
"""

SBATCH = """#!/usr/bin/python3
import json, os, pathlib, sys
here = pathlib.Path(os.environ["FAKE"])
if (here / "refuse").exists():
    sys.exit((here / "refuse").read_text())
calls = json.loads((here / "calls").read_text()) if (here / "calls").exists() else []
calls.append(sys.argv[1:])
(here / "calls").write_text(json.dumps(calls))
print(100 + len(calls))
"""
SQUEUE = '#!/bin/sh\nif [ -e "$FAKE/down" ]; then echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1; fi\ncat "$FAKE/queue" 2>/dev/null || :\n'
SCONTROL = '#!/bin/sh\nprintf "Configuration data\\nMaxArraySize            = 11\\nMaxJobCount = 10000\\n"\n'

TEMPLATE = """#!/bin/bash
#tilelab qsub -v N={shard} {script}
#$ -N {name} -o {log} -l h_rt={seconds} -l s_rt={stop_seconds} -l m={minutes}
cd {folder} && echo "{shard} of {count}, {hours} h, {memory_mb} MiB, {threads} threads, {{name}} ${HOME}" >>"$FAKE/ran"
exec {command}
"""
QSUB = """#!/bin/bash
[[ -e $FAKE/refuse && $2 = N=2 ]] && { cat "$FAKE/refuse" >&2; exit 1; }
echo "$PWD $*" >>"$FAKE/asked"
bash "$3" >/dev/null 2>&1
echo "Your job ${2#N=} is sent"
"""


class Submit(FolderCase):
    def setUp(self):
        super().setUp()
        self.fake = self.folder / "fake"
        self.fake.mkdir()
        (self.folder / "mine.yaml").write_text(EXPERIMENT)
        for name, text in (("sbatch", SBATCH), ("squeue", SQUEUE), ("scontrol", SCONTROL), ("qsub", QSUB)):
            (self.fake / name).write_text(text)
            (self.fake / name).chmod(0o755)

    def tilelab(self, *words, code=0, path=None, cwd=None):
        return super().tilelab(*words, code=code, cwd=cwd, PATH=path or f"{self.fake}:{os.environ['PATH']}", FAKE=str(self.fake),
                               PWD=str(cwd or self.folder))

    def submit(self, *words, **named):
        return self.tilelab("submit", "mine.yaml", "-o", "out", *words, **named)

    def calls(self):
        """What sbatch was asked since the last look."""
        path = self.fake / "calls"
        calls = json.loads(path.read_text()) if path.exists() else []
        seen, self.seen = getattr(self, "seen", 0), len(calls)
        return calls[seen:]

    def sent(self):
        """The array that the script asks for."""
        return next(line.split("=", 1)[1] for line in (self.folder / "out/submit/array.sh").read_text().splitlines()
                    if line.startswith("#SBATCH --array="))


class Script(Submit):
    def test_dry_run_prints_it_and_writes_nothing(self):
        done = self.submit("--time", "10m", "-p", "short", "--dry-run", "--set", "repetitions=1", "--", "--account=physics")
        self.assertEqual(done.stdout, SCRIPT.replace("{tilelab}", TILELAB).replace("{folder}", str(self.folder)))
        self.assertEqual(done.stderr, "")
        self.assertFalse((self.folder / "out").exists())
        self.assertEqual(self.calls(), [])

    def test_shards_follow_from_the_time(self):
        """12 runs of a minute each on 4 boards; two minutes of a shard's time are for its start and end. A board is in one shard."""
        for words, shards, time in ((["--time", "3m"], 4, "00:03:00"), (["--time", "14m"], 1, "00:14:00"), (["--time", "13m"], 2, "00:13:00"),
                                    (["--time", "14m", "-j", "4"], 1, "00:14:00"), ([], 1, "01:00:00"),
                                    (["--time", "6m"], 4, "00:06:00"), (["--set", "limits.time=20m"], 4, "01:02:00"),
                                    (["--time", "6m", "-j", "2"], 2, "00:06:00"), (["--time", "5m", "-j", "2"], 4, "00:05:00"),
                                    (["--shards", "4"], 4, "00:05:00"), (["--shards", "100"], 12, "00:03:00"),
                                    (["--time", "02:00:00"], 1, "02:00:00"), (["--time", "1-00:30:00"], 1, "1-00:30:00"),
                                    (["--time", "100h"], 1, "4-04:00:00")):
            with self.subTest(words=words):
                lines = self.submit("--dry-run", *words).stdout.splitlines()
                self.assertIn(f"#SBATCH --array={'1-' if shards > 1 else ''}{shards}", lines)
                self.assertIn(f"#SBATCH --time={time}", lines)

    def test_memory_is_that_of_the_searches(self):
        def memory(*words):
            return next(int(line[14:-1]) for line in self.submit("--dry-run", *words).stdout.splitlines() if line.startswith("#SBATCH --mem="))
        one, four = memory(), memory("-j", "4")
        self.assertGreaterEqual(one, 64)
        self.assertEqual(four - one, 3 * (64 + 32))
        self.assertEqual(memory("--set", "limits.memory=1GiB") - one, 1024 - 64)

    def test_pattern_databases_are_built_first_unless_they_are_there(self):
        words = ("--set", "solvers.1=astar(pdb:4-4)", "--pdb-dir", "tables", "--time", "1h")
        script = self.submit("--dry-run", *words).stdout
        self.assertIn(f"pdb build --experiment {self.folder}/mine.yaml --set '\\''solvers.1=astar(pdb:4-4)'\\'' --pdb-dir {self.folder}/tables'", script)
        self.assertIn("--dependency=afterany:DATABASES", script)
        self.assertIn(f"--pdb-dir {self.folder}/tables &\n", script)
        self.submit(*words)
        built, array, merge = self.calls()
        self.assertTrue(built[-1].startswith("--wrap=exec"), built)
        self.assertEqual(array, ["--parsable", "--dependency=afterany:101", "array.sh"])
        self.assertIn("--dependency=afterany:102", merge)
        self.tilelab("pdb", "build", "--experiment", "mine.yaml", *words[:-2], "-q")
        self.assertNotIn("DATABASES", self.submit("--dry-run", *words).stdout)

    def test_the_quick_variant_is_that_of_the_shards(self):
        (self.folder / "mine.yaml").write_text(EXPERIMENT + "quick: {solvers: [bfs]}\n")
        for engine in ("slurm", "parallel"):
            self.assertIn(" --jobs 1 --quick", self.submit("--dry-run", "--quick", "--engine", engine).stdout)
        self.submit("--quick", "--", "--begin=now")
        closing = (self.folder / "out/submit/closing.sh").read_text()
        self.assertRegex(closing, r"submit .*/mine.yaml --output .*/out --if-below 4 --time 60m --jobs 1 --quick -- --begin=now\n")

    def test_the_closing_job_sends_only_if_something_moved(self):
        self.submit("--shards", "4")
        self.calls()
        self.assertIn("nothing is sent again: 12 runs miss rows as before", self.submit("--if-below", "12", code=1).stderr)
        self.assertEqual(self.calls(), [])
        self.submit("--if-below", "13")
        self.assertEqual(len(self.calls()), 2)

    def test_every_text_is_a_word_of_the_shell(self):
        """Folders, files and values with what shells and GNU parallel read as their own."""
        odd = self.folder / "it's a \"$HOME\" {} {1} `date` *\\"
        odd.mkdir()
        (odd / "mine.yaml").write_text(EXPERIMENT)
        for engine in ("slurm", "parallel"):
            with self.subTest(engine=engine):
                script = self.tilelab("submit", "mine.yaml", "-o", "out {.}", "--dry-run", "--engine", engine, "--shards", "1", "--set",
                                      "description=a 'b' {}\n$c", cwd=odd).stdout
                (self.fake / "run.sh").write_text(script)
                for name in ("tilelab", "parallel"):  # prints its words, or what GNU parallel would run
                    (self.fake / name).write_text("#!/bin/bash\nprintf '<%s>' \"$@\"\n")
                    (self.fake / name).chmod(0o755)
                script = script.replace(TILELAB, str(self.fake / "tilelab"))
                (odd / "out {.}/submit").mkdir(parents=True, exist_ok=True)
                (odd / "out {.}/submit/array.sh").touch()
                (self.fake / "run.sh").write_text(script)
                path = f"{self.fake}:{os.environ['PATH']}" if shutil.which("parallel") is None else os.environ["PATH"]
                if engine == "parallel" and shutil.which("parallel") is None:
                    continue
                (self.fake / "parallel").unlink()
                done = subprocess.run(["bash", self.fake / "run.sh"], text=True, capture_output=True, cwd=self.fake, check=True,
                                      env={**os.environ, "PATH": path, "SLURM_ARRAY_TASK_ID": "1"})
                words = f"<run><{odd}/mine.yaml><--output><{odd}/out {{.}}><--shard><1/1><--jobs><1><--set><description=a 'b' {{}}\n$c>"
                log = odd / "out {.}/submit/shard-1-of-1.log"
                self.assertIn(words, log.read_text() if engine == "slurm" else done.stdout.replace("shard 1\t", ""))


class Resubmission(Submit):
    def test_only_what_is_missing_is_sent(self):
        first = self.submit("--shards", "4", "--", "--account=physics")
        array, merge = self.calls()
        self.assertEqual(self.sent(), "1-4")
        self.assertEqual(array, ["--parsable", "--account=physics", "array.sh"])
        self.assertIn("--dependency=afterany:101", merge)
        self.assertIn("sent 4 of 4 shards as job 101; job 102 merges them", first.stderr)
        self.tilelab("run", "mine.yaml", "-o", "out", "--shard", "2/4", "-q")
        (self.fake / "queue").write_text("101|4|RUNNING|None\n")
        second = self.submit()
        self.assertEqual(self.sent(), "1,3")
        self.assertIn("1 shard more is queued or running", second.stderr)
        self.assertIn("sent 2 of 4 shards as job 103", second.stderr)
        self.calls()
        (self.fake / "queue").write_text("103|1|PENDING|Resources\n103|3|RUNNING|None\n101|4|COMPLETING|None\n")
        third = self.submit()
        self.assertIn("nothing to send: the 3 shards that miss rows are queued or running", third.stderr)
        self.assertEqual(self.calls(), [])
        for shard in (1, 3, 4):
            self.tilelab("run", "mine.yaml", "-o", "out", "--shard", f"{shard}/4", "-q")
        (self.fake / "queue").write_text("")
        self.assertIn("nothing is missing: all 12 runs have their rows; tilelab merge ", self.submit().stderr)
        self.assertEqual(self.calls(), [])
        self.tilelab("merge", "out")
        self.assertRegex(self.submit().stderr, "nothing is missing: all 12 runs have their rows in .*/out/runs.csv\n")
        self.assertEqual(self.calls(), [])
        jobs = json.loads((self.folder / "out/submit/jobs.json").read_text())
        self.assertEqual([(one["shards"], one["sent"], one["array"], one["merge"]) for one in jobs["submissions"]],
                         [(4, "1-4", 101, 102), (4, "1,3", 103, 104)])

    def test_status_names_the_nodes_that_were_left(self):
        self.submit("--shards", "4")
        self.tilelab("run", "mine.yaml", "-o", "out", "--shard", "2/4", "-q")
        (self.folder / "out/submit/left-nodes").write_text("node2: does not see X\n\nnode1: does not see X\nnode2: does not see X\n")
        (self.fake / "queue").write_text("101|4|PENDING|BeginTime|left node3: does not see X|\n101|3|RUNNING|None|mine\n")
        shown = self.tilelab("status", "out").stdout
        self.assertIn("3 solved; about ", shown)
        self.assertIn("left out node1: does not see X (1 time)\nleft out node2: does not see X (2 times)\n", shown)
        self.assertIn("1 PENDING (left node3: does not see X): 4\n  1 RUNNING: 3\n", shown)

    def test_rows_of_other_runs_are_refused(self):
        """Their shards would refuse to start, one by one, and the merge would show the rows as they were."""
        self.tilelab("run", "mine.yaml", "-o", "out", "--shard", "2/4", "-q")
        for words in ([], ["--dry-run"], ["--engine", "parallel"]):
            done = self.submit("--shards", "4", "--set", "limits.time=9s", *words, code=2)
            self.assertIn("out holds 3 rows of other runs than this experiment's:", done.stderr)
            self.assertIn("under other limits (time 60 s; now 9 s)", done.stderr)
            self.assertIn("expected another results folder (--output)", done.stderr)
            self.assertEqual(self.calls(), [])
        self.submit("--shards", "4")
        self.assertEqual(self.sent(), "1,3-4")

    def test_a_shard_whose_rows_are_torn_is_sent_again(self):
        self.tilelab("run", "mine.yaml", "-o", "out", "--shard", "2/4", "-q")
        rows = self.folder / "out/shards/2-of-4/runs.csv"
        rows.write_bytes(rows.read_bytes()[:-30])
        self.submit("--shards", "4")
        self.assertEqual(self.sent(), "1-4")

    def test_another_number_of_shards_waits_for_the_first(self):
        self.submit("--shards", "4")
        (self.fake / "queue").write_text("101|4|RUNNING|None\n")
        self.assertIn("job 101 still has shards of 4; expected --shards 4, or first scancel 101", self.submit("--shards", "3", code=1).stderr)
        (self.fake / "queue").write_text("")
        self.tilelab("run", "mine.yaml", "-o", "out", "--shard", "1/4", "-q")
        self.submit("--shards", "10")
        self.assertNotEqual(self.sent(), "1-10")  # what shard 1/4 has made is not made again
        self.submit()
        self.assertIn("--shard \"$SLURM_ARRAY_TASK_ID/10\"", (self.folder / "out/submit/array.sh").read_text())

    def test_nothing_is_sent_while_slurm_does_not_answer(self):
        self.submit("--shards", "4")
        self.calls()
        (self.fake / "down").touch()
        done = self.submit(code=1)
        self.assertIn("squeue failed: slurm_load_jobs error: Unable to contact slurm controller", done.stderr)
        self.assertIn("none was sent", done.stderr)
        self.assertEqual(self.calls(), [])
        self.assertIn("as if none of its shards", self.submit("--dry-run").stderr)

    def test_a_damaged_list_of_jobs_is_refused(self):
        self.submit("--shards", "4")
        (self.folder / "out/submit/jobs.json").write_text("{}")
        self.assertIn("jobs.json is not as tilelab wrote it", self.submit(code=2).stderr)

    def test_arrays_end_where_the_cluster_says(self):
        self.assertIn("the arrays of this cluster end at task 10", self.submit("--shards", "11", code=2).stderr)
        self.submit("--time", "3m", "--set", "instances.1.count=12")
        self.assertEqual(self.sent(), "1-10")


class Template(Submit):
    """A scheduler that tilelab does not know; that of these tests runs a job at once."""

    def setUp(self):
        super().setUp()
        (self.folder / "sge.sh").write_text(TEMPLATE)

    def submit(self, *words, **named):
        return super().submit("--template", "sge.sh", *words, **named)

    def test_a_job_for_each_shard(self):
        said = self.submit("--shards", "2", "-j", "2").stderr
        self.assertIn("tilelab: sent 2 of 2 shards by sge.sh; of the first it said: Your job 1 is sent\n", said)
        out = self.folder / "out"
        self.assertEqual((self.fake / "asked").read_text(),
                         "".join(f"{out}/submit -v N={k} {out}/submit/shard-{k}-of-2.job\n" for k in (1, 2)))
        self.assertEqual((self.fake / "ran").read_text(), "".join(f"{k} of 2, 1 h, 321 MiB, 2 threads, {{name}} ${{HOME}}\n".replace(
            "${HOME}", os.environ.get("HOME", "")) for k in (1, 2)))
        script = (out / "submit/shard-2-of-2.job").read_text().splitlines()
        self.assertEqual(script[1:3], [f"#tilelab qsub -v N=2 {out}/submit/shard-2-of-2.job",
                                       f"#$ -N tilelab-mine-2 -o {out}/submit/shard-2-of-2.log -l h_rt=360 -l s_rt=300 -l m=6"])
        self.assertEqual(script[-1], f"exec {TILELAB} run {self.folder}/mine.yaml --output {out} --shard 2/2 --jobs 2")
        self.tilelab("merge", "out")
        self.assertIn("nothing is missing: all 12 runs", self.submit().stderr)
        self.assertRegex(self.tilelab("status", "out").stdout, r"shards 1-2 were sent by a template at 20\d\d-\S+Z\n")

    def test_dry_run_prints_the_first(self):
        self.assertIn("--shard 1/1 --jobs 1\n", self.submit("--dry-run").stdout)
        self.assertFalse((self.folder / "out").exists())

    def test_what_is_not_sent_is_sent_by_the_next_call(self):
        (self.fake / "refuse").write_text("qsub: no such queue")
        said = self.submit("--shards", "3", code=1).stderr
        self.assertIn("tilelab: qsub: qsub: no such queue\n", said)
        self.assertIn("sent 1 of 3 shards", said)
        (self.fake / "refuse").unlink()
        self.assertIn("sent 2 of 3 shards", self.submit().stderr)
        self.tilelab("merge", "out")

    def test_a_shard_that_runs_is_not_sent(self):
        (self.folder / "mine.yaml").write_text(EXPERIMENT.replace("[astar(manhattan), bfs, ucs]", "[{command: [sleep, '50'], label: slow}]")
                                               + "warmup: 0\n")
        shard = subprocess.Popen([TILELAB, "run", "mine.yaml", "-o", "out", "-q", "--shard", "1/2"], cwd=self.folder)
        self.addCleanup(shard.wait)
        self.addCleanup(shard.terminate)
        while not (self.folder / "out/manifest.json").exists() or json.loads(
                self.tilelab("status", "out", "--json").stdout)["shards"][0]["state"] != "running":
            self.assertIsNone(shard.poll())
            time.sleep(0.1)
        (self.fake / "qsub").write_text("#!/bin/sh\necho $2 >>\"$FAKE/asked\"\n")
        said = self.submit("--shards", "2").stderr
        self.assertIn("1 shard more is queued or running", said)
        self.assertEqual((self.fake / "asked").read_text(), "N=2\n")

    def test_a_template_that_is_wrong(self):
        names = ("shard, count, command, name, folder, script, log, hours, minutes, seconds, stop_seconds, memory_mb or threads")
        for text, message in ((TEMPLATE.replace("{count}", "{cuont}"),
                               f"sge.sh:4:33: {{cuont}} stands for nothing; expected {names}, or {{{{cuont}}}} for the braces themselves; did you mean "
                               "'count'?"),
                              (TEMPLATE.replace("#tilelab", "# tilelab"), "sge.sh: no line '#tilelab COMMAND'"),
                              (TEMPLATE.replace("#tilelab qsub -v N={shard} {script}", "#tilelab  "), "sge.sh:2:10: no command"),
                              (TEMPLATE + "#tilelab qsub\n", "sge.sh:6:1: a second line '#tilelab ..'"),
                              (TEMPLATE.replace("{command}", "tilelab"), "sge.sh: {command} is nowhere")):
            with self.subTest(message=message):
                (self.folder / "sge.sh").write_text(text)
                self.assertIn(message, self.submit(code=2).stderr)
        (self.folder / "sge.sh").unlink()
        self.assertIn("sge.sh", self.submit(code=2).stderr)
        for words, message in ((["--engine", "slurm"], "--template is an engine of its own"), (["--hosts", "a"], "--hosts is for --engine parallel"),
                               (["-p", "x"], "--partition is for --engine slurm"), (["--", "-A", "x"], "a template has its own")):
            self.assertIn(message, " ".join(self.submit(*words, code=2).stderr.split()))
        self.assertFalse((self.folder / "out").exists())


class Refusals(Submit):
    def test_wrong_usage(self):
        for words, message in ((["--engine", "slrum"], "expected slurm or parallel; did you mean 'slurm'?"),
                               (["--time", "90"], "expected a time with its unit"), (["--time", "1:2"], "expected a time with its unit"),
                               (["--time", "-5m"], "expected a time with its unit"), (["--shards", "0"], "expected a whole number from 1"),
                               (["--shards", "2x"], "expected a whole number from 1"), (["--jobs", "x"], "expected a whole number from 1"),
                               (["--hosts", "a,b"], "--hosts is for --engine parallel"),
                               (["--engine", "parallel", "--time", "1h"], "--time is for a scheduler"),
                               (["--engine", "parallel", "--if-below", "9"], "--if-below is for --engine slurm"),
                               (["--engine", "parallel", "-p", "x"], "--partition is for --engine slurm"),
                               (["--engine", "parallel", "--", "-A", "x"], "options of sbatch are for --engine slurm"),
                               (["--", "--array=1-3"], "tilelab says that to sbatch itself; expected --shards"),
                               (["--", "-d", "afterok:1"], "tilelab says that to sbatch itself"),
                               (["--", "--time=3"], "expected --time before the --"),
                               (["--time", "2m"], "a run may take 60 s (limits.time), and a shard 120 s to start and end; expected at least 3m")):
            with self.subTest(words=words):
                self.assertIn(message, " ".join(self.submit(*words, code=2).stderr.split()))
        self.assertFalse((self.folder / "out/submit/array.sh").exists())
        self.assertEqual(self.calls(), [])

    def test_what_slurm_says_is_shown(self):
        (self.fake / "refuse").write_text("sbatch: error: invalid partition specified: nowhere")
        self.assertIn("Slurm refused the job: sbatch: error: invalid partition specified: nowhere", self.submit("-p", "nowhere", code=1).stderr)
        (self.fake / "refuse").unlink()
        self.assertIn("sent 1 of 1 shard", self.submit().stderr)

    def test_a_machine_without_slurm(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("sbatch is not on the PATH; expected a machine from which jobs are sent to Slurm", self.submit(code=1, path=str(empty)).stderr)
        self.assertIn("parallel is not on the PATH; expected GNU parallel (Debian: parallel)",
                      self.submit("--engine", "parallel", code=1, path=str(empty)).stderr)
        other = empty / "parallel"
        other.write_text("#!/bin/sh\necho moreutils\n")
        other.chmod(stat.S_IRWXU)
        self.assertIn("'parallel' is another program", self.submit("--engine", "parallel", code=1, path=str(empty)).stderr)

    def test_a_folder_of_something_else_is_left_alone(self):
        (self.folder / "out").mkdir()
        (self.folder / "out/thesis.tex").touch()
        self.assertIn("out", self.submit(code=2).stderr)
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["thesis.tex"])
