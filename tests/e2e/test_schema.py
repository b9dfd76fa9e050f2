"""The JSON Schema of experiments against the program: it takes every good file of tests/experiments and every experiment that
ships, and refuses every bad file whose fault a schema can see.

Files are read as YAML 1.2 has it, which is what editors do; good ones also as YAML 1.1 has it, PyYAML's own way."""
import json
import os
import pathlib
import re
import subprocess
import unittest

import jsonschema
import yaml

TILELAB = os.environ["TILELAB"]
SOURCE = pathlib.Path(os.environ["TILELAB_SOURCE"])
SHIPPED = SOURCE / "harness" / "experiments"
FILES = SOURCE / "tests" / "experiments"

# Bad files that no YAML reader takes: there is nothing for a schema to look at.
NO_YAML = {
    "alias-before-its-anchor", "alias-of-nothing", "at-sign", "colon-in-value", "control-character", "indentation", "latin-1",
    "line-without-colon", "list-as-key", "list-open", "mapping-open", "not-utf-8", "quote-open",
    "tab-indents", "text-behind-the-end", "two-documents", "utf-16-without-mark", "utf-8-cut", "utf-8-surrogate",
    "utf-8-too-long", "zero-byte",
}

# Bad files with a fault that no schema can see.
UNSEEN = {
    "utf-16-big-endian": "the encoding is gone once the file is read",

    "distinct-capital": "the reader hands over true, however it is written",
    "decimal-exponent": "the reader hands over a number, however it is written",
    "decimal-too-precise": "a schema does not count a number's decimals",
    "jobs-exponent": "the reader hands over a number, however it is written",
    "seed-point-zero": "the reader hands over a number, however it is written",
    "time-point-first": "the reader hands over a number, however it is written",

    "key-thrice": "of equal keys the reader hands over one",
    "limits-key-twice": "of equal keys the reader hands over one",
    "set-key-twice": "of equal keys the reader hands over one",
    "solver-key-twice": "of equal keys the reader hands over one",

    "board-eight-cells": "a pattern does not count the cells of a board that may have any shape",
    "board-grid-wrong": "a pattern does not look for each tile once",
    "board-no-blank": "a pattern does not look for each tile once",
    "board-ragged": "a pattern does not compare the lengths of lines",
    "board-two-blanks": "a pattern does not look for each tile once",
    "boards-two-in-an-item": "a pattern does not tell where a board ends",
    "goal-no-blank": "a pattern does not look for each tile once",
    "goal-tile-twice": "a pattern does not look for each tile once",
    "goal-other-size": "the shape stands at another key",
    "goal-too-few-cells": "the shape stands at another key",
    "depth-without-table": "the shape and the method stand at different keys",
    "depths-too-deep": "the shape and the goal stand at other keys",
    "distinct-too-many": "the shape and the count stand at different keys",
    "matrix-of-a-billion-runs": "the product of several keys",
    "matrix-too-large": "the product of several keys",
    "heuristic-undefined": "the goals stand at other keys",
    "walks-too-long": "the product of several keys",

    "depths-backwards": "the numbers of a range are not compared",
    "depths-from-above-to": "the numbers of a range are not compared",
    "depths-twice": "ranges are not compared",
    "select-twice": "ranges are not compared",

    "baseline-not-run": "the baseline is not compared with the solvers",
    "name-twice": "the names of two sets are not compared",
    "solver-twice": "the same solver in two forms",

    "file-a-folder": "a schema opens no files",
    "file-missing": "a schema opens no files",
    "file-other-size": "a schema opens no files",
    "file-wrong": "a schema opens no files",
    "select-too-large": "a schema opens no files",
    "set-misspelt": "a schema opens no files",
}


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


class Schema(unittest.TestCase):
    maxDiff = None

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
        self.assertEqual((done.stdout, done.stderr), (self.text, ""))

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

    def test_bad_files_are_refused(self):
        for path in self.files("bad"):
            with self.subTest(path.name):
                if path.stem in NO_YAML:
                    with self.assertRaises((yaml.YAMLError, UnicodeDecodeError)):
                        load(path)
                elif path.stem in UNSEEN:
                    self.assertEqual(self.problems(load(path)), [], "the schema does see it")
                else:
                    self.assertFalse(self.validator.is_valid(load(path)), "the schema takes it")

    def test_patterns_hold_the_ranges_of_numbers(self):
        """Numbers in quotes, around the bounds and around the powers of ten."""
        keys = dict(self.validator.schema["properties"])
        for name in ("set", "limits"):
            keys.update(self.validator.schema["definitions"][name]["properties"])
        ranges = {name: key for name, key in keys.items() if "integer" in key.get("type", ())}
        self.assertLessEqual({"seed", "repetitions", "jobs", "count", "steps", "memory", "nodes"}, set(ranges))
        for name, key in ranges.items():
            least, most = key["minimum"], key.get("maximum", 2 ** 64 - 1)
            for near in [least, most] + [digit * 10 ** power for power in range(21) for digit in (1, 2, 5)]:
                for number in range(max(0, near - 120), near + 120):
                    self.assertEqual(re.search(key["pattern"], f"00{number}") is not None, least <= number <= most, (name, number))

    def test_patterns_hold_the_ranges_of_decimals(self):
        """Every weight around the bounds and around the powers of ten, with as many decimals as it takes, one more, and none."""
        rules = self.validator.schema["definitions"]["long_form"]["allOf"]
        weights = [rule["then"]["properties"]["w"]["anyOf"][0] for rule in rules if "w" in rule["then"]["properties"]]
        self.assertEqual(len(weights), 1)
        pattern, least, most = (weights[0][key] for key in ("pattern", "minimum", "maximum"))
        self.assertEqual((least, most), (1, 1000))
        for near in (0, 1000, 2000, 10000, 100000, 999000, 1000000, 2000000, 10000000):
            for number in range(max(0, near - 1100), near + 1100):
                for text in (f"{number / 1000:.3f}", f"0{number // 1000}.{number % 1000:03d}".rstrip("0").rstrip(".")):
                    self.assertEqual(re.search(pattern, text) is not None, least * 1000 <= number <= most * 1000, text)
        for text in ("2.", ".5", "2.0000", "2.5.", "1e1", "+2", "-2", "", "two", "2 "):
            self.assertIsNone(re.search(pattern, text), text)

    def test_the_exceptions_are_files(self):
        self.assertLessEqual(NO_YAML | set(UNSEEN), {path.stem for path in self.files("bad")})
        self.assertEqual(NO_YAML & set(UNSEEN), set())

    def test_editors_are_told_what_keys_are_for(self):
        described = 0
        def look(schema):
            nonlocal described
            for name, key in schema.get("properties", {}).items():
                self.assertRegex(key.get("description", ""), r"\w", name)
                described += 1
        look(self.validator.schema)
        for name in ("set", "long_form", "limits"):
            look(self.validator.schema["definitions"][name])
        self.assertGreater(described, 30)


if __name__ == "__main__":
    unittest.main()
