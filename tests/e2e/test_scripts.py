"""scripts/setup without installing anything: stub programs record what would have been done."""
import os
import shutil
import subprocess
import unittest

from support import SOURCE, Case, FolderCase

TOOLS = ["bash", "cat", "dirname", "env", "mktemp", "rm", "true"]
PACKAGES = [line.replace("?", "", 1).split()[:2] for line in (SOURCE / "scripts" / "packages").read_text().splitlines()
            if line and not line.startswith("#")]


def group(*names):
    return [package for name, package in PACKAGES if name in names]


class SetupTest(FolderCase):
    def setUp(self):
        super().setUp()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.log = self.folder / "calls"
        self.log.touch()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))

    def stub(self, name, body):
        path = self.bin / name
        path.write_text(f"#!/bin/bash\n{body}\n")
        path.chmod(0o755)

    def debian(self, absent=(), user=0, unknown=()):
        """Stands for a Debian system on which all packages but the absent ones are installed, and can be but the unknown."""
        self.stub("apt-cache", f'[[ " {" ".join(unknown)} " != *" $2 "* ]]')
        self.stub("id", f"echo {user}")
        self.stub("apt-get", f'echo "${{DEBIAN_FRONTEND-}} apt-get $*" >>{self.log}; echo the noise of apt')
        self.stub("dpkg-query", f'absent=" {" ".join(absent)} "\n'
                  'for package in "${@:3}"; do\n'
                  '    [[ $absent == *" $package "* ]] || echo "$package installed"\n'
                  'done\n'
                  '[[ -z ${absent// /} ]]')

    def sudo(self, allowed):
        self.stub("sudo", f'[[ $1 == -n ]] || exit 9\necho "sudo $*" >>{self.log}\n'
                  + ('shift; exec "$@"' if allowed else 'echo "sudo: a password is required" >&2; exit 1'))

    def setup(self, *arguments, root=SOURCE, **environment):
        return subprocess.run(["/bin/bash", root / "scripts" / "setup", *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, cwd=self.folder,
                              env={"PATH": str(self.bin), **environment})

    def calls(self):
        return self.log.read_text().splitlines()


class Packages(SetupTest):
    def test_nothing_missing_nothing_done(self):
        self.debian()
        done = self.setup("run", "test", "ci")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(self.calls(), [])

    def test_root_installs_what_is_missing_and_says_why(self):
        self.debian(absent=["cmake", "libgsl-dev", "clang"])
        done = self.setup("run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls(), [
            " apt-get update",
            "noninteractive apt-get install -y --no-install-recommends cmake libgsl-dev"])
        self.assertIn("cmake                configures the build", done.stderr)
        self.assertNotIn("noise", done.stderr)

    def test_what_no_source_has_is_left_out_where_it_can_be(self):
        self.debian(absent=["cmake", "chromium"], unknown=["cmake", "chromium"])
        done = self.setup("run", "test")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls(), [" apt-get update", "noninteractive apt-get install -y --no-install-recommends cmake"])
        self.assertIn("no package source has chromium (opens the report as a reader does); its tests are skipped", done.stderr)
        self.debian(absent=["chromium"], unknown=["chromium"])
        self.log.write_text("")
        self.assertEqual(self.setup("test").returncode, 0)
        self.assertEqual(self.calls(), [])  # a second call tries nothing again

    def test_only_the_groups_asked_for(self):
        everything = {package for _, package in PACKAGES}
        self.debian(absent=everything)
        self.setup("run", "test")
        installed = self.calls()[-1].split("--no-install-recommends ")[1].split()
        self.assertEqual(installed, list(dict.fromkeys(group("run", "test"))))
        self.assertNotIn("clang", installed)

    def test_a_user_with_sudo_installs_through_it(self):
        self.debian(absent=["cmake"], user=1000)
        self.sudo(allowed=True)
        done = self.setup("run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls(), [
            "sudo -n true",
            "sudo -n apt-get update", " apt-get update",
            "sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends cmake",
            "noninteractive apt-get install -y --no-install-recommends cmake"])

    def assert_told_what_to_ask_for(self):
        done = self.setup("run")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\n  apt-get update && apt-get install -y --no-install-recommends cmake ninja-build\n",
                      done.stderr)
        self.assertIn("as root", done.stderr)
        self.assertFalse([call for call in self.calls() if "apt-get" in call])

    def test_a_user_without_sudo_is_told_what_to_ask_for(self):
        self.debian(absent=["cmake", "ninja-build"], user=1000)
        self.assert_told_what_to_ask_for()

    def test_a_user_whose_sudo_wants_a_password_is_told_too(self):
        self.debian(absent=["cmake", "ninja-build"], user=1000)
        self.sudo(allowed=False)
        self.assert_told_what_to_ask_for()

    def test_no_apt(self):
        done = self.setup("run")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no apt-get", done.stderr)
        for package in group("run"):
            self.assertIn(f"  {package} ", done.stderr)
        self.assertIn("TILELAB_SKIP_PACKAGES=1", done.stderr)
        self.assertEqual(self.setup("run", TILELAB_SKIP_PACKAGES="1").returncode, 0)

    def test_a_failing_apt_is_shown(self):
        self.debian(absent=["cmake"])
        self.stub("apt-get", 'echo "E: Unable to locate package cmake" >&2; exit 100')
        done = self.setup("run")
        self.assertEqual(done.returncode, 1)
        self.assertIn("E: Unable to locate package cmake", done.stderr)
        self.assertIn("could not install: cmake", done.stderr)

    def test_wrong_usage(self):
        for arguments in (["everything"], ["--preset"], ["--what"]):
            self.assertEqual(self.setup(*arguments).returncode, 2)
        self.assertEqual(self.calls(), [])


class Building(SetupTest):
    """On a checkout of its own, with a stub for cmake."""

    def setUp(self):
        super().setUp()
        self.root = self.folder / "checkout"
        (self.root / "scripts").mkdir(parents=True)
        shutil.copy(SOURCE / "scripts" / "setup", self.root / "scripts")
        (self.root / "scripts" / "packages").touch()
        self.stub("cmake", f'echo "cmake $*" >>{self.log}; echo the noise of cmake')

    def build_folder(self, home, *files):
        folder = self.root / "build" / "release"
        folder.mkdir(parents=True)
        (folder / "CMakeCache.txt").write_text(f"A:STRING=b\nCMAKE_HOME_DIRECTORY:INTERNAL={home}\n")
        for file in files:
            (folder / file).touch()

    def build(self, *arguments):
        return self.setup("--preset", "release", *arguments, root=self.root)

    def test_a_fresh_checkout_is_configured_and_built(self):
        done = self.build()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls(), ["cmake --preset release", "cmake --build --preset release"])
        self.assertNotIn("noise", done.stdout + done.stderr)

    def test_a_configured_one_is_only_built(self):
        self.build_folder(self.root, "build.ninja")
        self.build("--target", "tilelab")
        self.assertEqual(self.calls(), ["cmake --build --preset release --target tilelab"])

    def test_a_build_folder_of_another_place_is_configured_afresh(self):
        self.build_folder("/somewhere/else", "build.ninja")
        self.build()
        self.assertEqual(self.calls(), ["cmake --preset release --fresh", "cmake --build --preset release"])

    def test_a_configuration_broken_off_is_begun_afresh(self):
        self.build_folder(self.root)
        self.build()
        self.assertEqual(self.calls()[0], "cmake --preset release --fresh")

    def test_a_failing_build_is_shown(self):
        self.build_folder(self.root, "build.ninja")
        self.stub("cmake", "echo main.c:1: error: no; exit 1")
        done = self.build()
        self.assertEqual(done.returncode, 1)
        self.assertIn("main.c:1: error: no", done.stderr)
        self.assertIn("cannot build build/release", done.stderr)


class Flags(FolderCase):
    def test_warnings_under_other_flags_are_no_errors(self):
        """What a packager chooses; gcc warns of other things at -O2."""
        for number, words in enumerate((["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-O2"], ["-DCMAKE_BUILD_TYPE=RelWithDebInfo"])):
            folder = self.folder / str(number)
            subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", *words], capture_output=True, check=True)
            self.assertIn("TILELAB_WERROR:BOOL=OFF", (folder / "CMakeCache.txt").read_text())


class Running(FolderCase):
    """scripts/run on a checkout whose setup and program are stubs."""

    def setUp(self):
        super().setUp()
        self.root = self.folder.resolve()
        self.log = self.root / "calls"
        self.script("scripts/run", (SOURCE / "scripts" / "run").read_text())
        self.script("scripts/setup", f'#!/bin/bash\necho "setup $*" >>{self.log}\n')
        self.script("build/release/tilelab", f'#!/bin/bash\necho "tilelab $*" >>{self.log}\n'
                    'case $1 in\n'
                    'check) echo "${RESULTS-results/coursework}"; exit "${CHECK_STATUS-0}" ;;\n'
                    'run) exit "${RUN_STATUS-0}" ;;\n'
                    'plot) exit "${PLOT_STATUS-0}" ;;\n'
                    'report) exit "${REPORT_STATUS-0}" ;;\nesac\n')
        (self.root / "results" / "coursework").mkdir(parents=True)
        (self.root / "results" / "coursework" / "runs.csv").touch()

    def script(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def start(self, *arguments, cwd="/", **environment):
        done = subprocess.run([self.root / "scripts" / "run", *arguments], capture_output=True, text=True,
                              check=False, cwd=cwd, env={"PATH": os.environ["PATH"], **environment})
        return done, self.log.read_text().splitlines() if self.log.exists() else []

    def test_without_arguments_the_coursework(self):
        done, calls = self.start()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(calls, ["setup --preset release --target tilelab run", "tilelab check --output coursework",
                                 "tilelab run coursework", "tilelab plot results/coursework",
                                 "tilelab report results/coursework"])
        self.assertIn("Results in results/coursework:\n  runs.csv ", done.stdout)
        self.assertIn("\nOpen results/coursework/report.html in a browser: ", done.stdout)

    def test_the_last_line_puts_tilelab_on_the_path(self):
        self.root = self.root / "a folder"
        self.log = self.root / "calls"
        shutil.copytree(self.root.parent / "scripts", self.root / "scripts")
        shutil.copytree(self.root.parent / "build", self.root / "build")
        shutil.copytree(self.root.parent / "results", self.root / "results")
        done, _ = self.start()
        line = done.stdout.splitlines()[-1]
        self.assertRegex(line, "^    export PATH=")
        found = subprocess.run(["/bin/bash", "-c", f"{line}\ncommand -v tilelab"], capture_output=True, text=True,
                               check=False, env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(found.stdout, f"{self.root}/build/release/tilelab\n")
        path = f"{self.root}/build/release:{os.environ['PATH']}"
        self.assertNotIn("export PATH", self.start(PATH=path)[0].stdout, "it is there already")

    def test_options_are_passed_on_and_a_file_is_found_from_anywhere(self):
        folder = self.root / "my experiments"
        folder.mkdir()
        (folder / "mine.yaml").touch()
        _, calls = self.start("mine.yaml", "--jobs", "2", cwd=folder)
        self.assertEqual(calls[1:3], [f"tilelab check --output {folder}/mine.yaml",
                                      f"tilelab run {folder}/mine.yaml --jobs 2"])

    def test_an_output_folder_among_the_options_is_the_one_drawn(self):
        for options in (["-o", "there"], ["--output", "there"], ["--output=there"], ["-othere"]):
            _, calls = self.start("coursework", *options)
            self.assertEqual(calls[-2:], ["tilelab plot there", "tilelab report there"])

    def test_wrong_runs_are_drawn_and_still_reported(self):
        done, calls = self.start(RUN_STATUS="3")
        self.assertEqual((done.returncode, calls[-1]), (3, "tilelab report results/coursework"))
        self.assertIn("crashed or gave a wrong answer", done.stderr)

    def test_a_failed_or_interrupted_run_is_not_drawn(self):
        for status in ("1", "2", "130"):
            done, calls = self.start(RUN_STATUS=status)
            self.assertEqual((done.returncode, calls[-1]), (int(status), "tilelab run coursework"))

    def test_a_bad_experiment_is_not_run(self):
        done, calls = self.start("nonsense", CHECK_STATUS="2")
        self.assertEqual((done.returncode, calls[-1]), (2, "tilelab check --output nonsense"))

    def test_figures_that_fail_are_not_passed_over(self):
        done, _ = self.start(PLOT_STATUS="2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("figures could not be drawn", done.stderr)

    def test_a_report_that_fails_is_not_passed_over(self):
        done, _ = self.start(REPORT_STATUS="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("report could not be written", done.stderr)
        self.assertNotIn("report.html in a browser", done.stdout)

    def test_standard_input_may_be_closed_and_home_unset(self):
        done = subprocess.run(["/bin/bash", "-c", f"exec 0<&-; exec {self.root}/scripts/run"], capture_output=True,
                              text=True, check=False, env={"PATH": os.environ["PATH"]})
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Habits(Case):
    SCRIPTS = [SOURCE / "scripts" / name for name in ("setup", "run", "test", "format", "package")]

    def test_each_explains_itself(self):
        for script in self.SCRIPTS:
            done = subprocess.run([script, "--help"], capture_output=True, text=True, check=False, cwd="/",
                                  stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]})
            self.assertEqual((done.returncode, done.stderr), (0, ""), script)
            self.assertTrue(done.stdout.startswith(f"usage: scripts/{script.name}"), script)

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_shellcheck_finds_nothing(self):
        done = subprocess.run(["shellcheck", *self.SCRIPTS, SOURCE / ".ci" / "run"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.stdout, "")

    def test_each_package_has_a_known_group_and_a_reason(self):
        for line in (SOURCE / "scripts" / "packages").read_text().splitlines():
            if not line.startswith("#"):
                words = line.split()
                self.assertIn(words[0], ("run", "bench", "test", "ci", "package", "cluster"), line)
                self.assertGreater(len(words), 2, line)
