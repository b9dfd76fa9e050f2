"""The JSON Schema of experiments: it accepts every good file of tests/experiments and every experiment that ships.

The program rejects every bad file (unit/test_experiment.c), and the schema does too unless NAME.expected begins with one of
    # schema: accepts         what depends on several values, or on how a value is written, the program alone judges
    # schema: cannot read it  it is not YAML

Files are read as YAML 1.2 has it, which is what editors do; good ones also as YAML 1.1 has it, PyYAML's own way."""
import json
import re
import subprocess

import jsonschema
import yaml

from support import SOURCE, TILELAB, Case

SHIPPED = SOURCE / "harness" / "experiments"
FILES = SOURCE / "tests" / "experiments"

class Core(yaml.SafeLoader):
    """YAML 1.2's core schema: yes and 1:30 are texts, 007 is 7, nothing is a date."""
    yaml_implicit_resolvers = {}


for tag, pattern, first in (("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
                            ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
                            ("int", r"^[-+]?[0-9]+$", list("-+0123456789")),
                            ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789"))):
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), first)
Core.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(loader.construct_scalar(node)))


def load(path, loader=Core):
    return yaml.load(path.read_bytes(), loader)


class Schema(Case):
    @classmethod
    def setUpClass(cls):
        cls.text = (SHIPPED / "experiment.schema.json").read_text()
        cls.validator = jsonschema.Draft7Validator(json.loads(cls.text))

    def problems(self, content):
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in self.validator.iter_errors(content)]

    def files(self, folder):
        found = sorted((FILES / folder).glob("*.yaml"))
        self.assertGreater(len(found), 20)
        return found

    def test_it_is_what_the_program_prints(self):
        """Where it is not: build/release/tilelab check --schema > harness/experiments/experiment.schema.json"""
        done = subprocess.run([TILELAB, "check", "--schema"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout, self.text)

    def test_the_option_stands_alone(self):
        done = subprocess.run([TILELAB, "check", "--schema", "classics"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("an experiment 'classics' with --schema; expected none\n", done.stderr)

    def test_it_is_a_schema(self):
        self.assertEqual(self.validator.META_SCHEMA["$id"], json.loads(self.text)["$schema"])
        self.validator.check_schema(self.validator.schema)

    def test_experiments_that_ship_name_it_and_follow_it(self):
        for path in sorted(SHIPPED.glob("*.yaml")):
            first = path.read_text().splitlines()[0]
            self.assertEqual(first, "# yaml-language-server: $schema=experiment.schema.json", path)
            for loader in (Core, yaml.SafeLoader):
                self.assertEqual(self.problems(load(path, loader)), [], path)

    def test_good_files_are_taken(self):
        for path in self.files("good"):
            for loader in (Core, yaml.SafeLoader):
                with self.subTest(path.name, loader=loader.__name__):
                    self.assertEqual(self.problems(load(path, loader)), [])

    def test_bad_files_say_whether_it_rejects_them(self):
        seen = set()
        for path in self.files("bad"):
            found = re.match("# schema: (.*)\n", path.with_suffix(".expected").read_text())
            says = found[1] if found else "rejects"
            seen.add(says)
            with self.subTest(path.name):
                if says == "cannot read it":
                    with self.assertRaises((yaml.YAMLError, UnicodeDecodeError)):
                        load(path)
                else:
                    self.assertEqual("rejects" if self.problems(load(path)) else "accepts", says)
        self.assertEqual(seen, {"rejects", "accepts", "cannot read it"})

    def long_form(self, **keys):
        """What is wrong with an experiment whose only solver is this mapping."""
        return self.problems({"experiment": "e", "instances": [{"set": "korf100"}], "solvers": [keys]})

    def test_it_knows_every_algorithm_and_heuristic(self):
        for what in ("algorithms", "heuristics"):
            done = subprocess.run([TILELAB, "list", what, "--json"], capture_output=True, text=True, check=True)
            rows = json.loads(done.stdout)
            self.assertGreater(len(rows), 5)
            for row in rows:
                name, colon = re.match(r"(\w+)(:?)", row[what[:-1]]).groups()
                name += ":7-8" if colon else ""
                with self.subTest(name):
                    keys = {"algorithm": name} if what == "algorithms" else {"algorithm": "astar", "heuristic": name}
                    self.assertEqual(self.long_form(**keys), [])
                    self.assertNotEqual(self.long_form(**{key: "x" + value for key, value in keys.items()}), [])

    def test_ranges_are_those_of_the_tables(self):
        """Numbers at the bounds and one beyond; an option's bounds are the widest that an algorithm gives it.

        Bounds are doubles, so that the schema allows a seed of 2^64."""
        whole = {"experiment": "e", "instances": [{"set": "korf100"}], "solvers": ["bfs"]}
        for key, min, max in (("seed", 0, 2 ** 64), ("repetitions", 1, 1000000), ("warmup", 0, 1000), ("jobs", 0, 1024)):
            for value, fine in ((min, True), (max, True), (min - 1, False), (max + 1, False)):
                self.assertEqual(self.problems({**whole, key: value}) == [], fine, (key, value))
        for key, min, max in (("time", 0.001, 8784 * 3600), ("memory", 65536, 2 ** 50), ("nodes", 1, 10 ** 18)):
            for value, fine in ((min, True), (max, True), (min / 2, False), (max + 1, False)):
                self.assertEqual(self.problems({**whole, "limits": {key: value}}) == [], fine, (key, value))
        for value, fine in ((1, True), (1.5, True), (1000, True), ([1, 2], True), (0.9, False), (1000.5, False), ([1, 0.9], False)):
            self.assertEqual(self.long_form(algorithm="wastar", heuristic="zero", w=value) == [], fine, value)
        for value, fine in ((0, True), (10 ** 9, True), ("none", True), ([1, "none"], True), (-1, False), (10 ** 9 + 1, False), ("deep", False)):
            self.assertEqual(self.long_form(algorithm="astar", heuristic="zero", depth_limit=value) == [], fine, value)

    def test_a_heuristic_may_be_a_program(self):
        for keys, fine in (({}, True), ({"batch": 1000, "isolate": True, "name": "own"}, True), ({"batch": 0}, False), ({"bach": 1}, False), ({"name": ["own"]}, False)):
            own = {"command": ["python3", "own.py"], **keys}
            for value in (own, ["manhattan", own], {"max": ["manhattan", own]}):
                self.assertEqual(self.long_form(algorithm="astar", heuristic=value) == [], fine, value)

    def test_an_option_has_the_words_of_all_algorithms(self):
        for value, fine in (("stored", True), ("path", True), ("none", True), ("parent", True), (["none", "path"], True), ("store", False), (["store"], False)):
            self.assertEqual(self.long_form(algorithm="dfs", duplicates=value) == [], fine, value)

    def test_editors_are_told_what_keys_are_for(self):
        described = 0
        def look(schema):
            nonlocal described
            for name, key in schema.get("properties", {}).items():
                self.assertRegex(key.get("description", ""), r"\w", name)
                described += 1
        look(self.validator.schema)
        for name in ("set", "long_form", "limits"):
            look(self.validator.schema["$defs"][name])
        self.assertGreater(described, 30)
