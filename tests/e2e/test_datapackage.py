"""datapackage.json: valid by the rules of Frictionless tabular data packages, and true of the tables beside it.

The rules below are those of the published JSON Schema of the profile tabular-data-package (specs.frictionlessdata.io, version 1)
as far as what tilelab writes is concerned."""

import csv
import datetime
import json
import os
import re
import shutil
import subprocess

import jsonschema

from test_run import FAULTY, SMALL, Harness

NAME = {"type": "string", "pattern": r"^([-a-z0-9._/])+$"}
PATH = {"type": "string", "pattern": r"^(?=^[^./~])(^((?!\.{2}).)*$).*$"}
CONSTRAINTS = {"required": "boolean", "unique": "boolean", "minimum": "number", "maximum": "number", "pattern": "string", "enum": "array"}
FIELD = {
    "type": "object",
    "required": ["name", "type"],
    "properties": {
        "name": {"type": "string"},
        "type": {"enum": ["string", "number", "integer", "boolean", "object", "array", "date", "time", "datetime", "year",
                          "yearmonth", "duration", "geopoint", "geojson", "any"]},
        "description": {"type": "string"},
        "constraints": {"type": "object", "properties": {name: {"type": kind} for name, kind in CONSTRAINTS.items()},
                        "additionalProperties": False},
    },
}
RESOURCE = {
    "type": "object",
    "required": ["name", "path", "profile", "schema"],
    "properties": {
        "name": NAME,
        "path": PATH,
        "profile": {"const": "tabular-data-resource"},
        "description": {"type": "string"},
        "format": {"type": "string"},
        "mediatype": {"type": "string", "pattern": r"^(.+)/(.+)$"},
        "encoding": {"type": "string"},
        "dialect": {"type": "object", "properties": {
            "delimiter": {"type": "string"}, "lineTerminator": {"type": "string"}, "quoteChar": {"type": "string"},
            "doubleQuote": {"type": "boolean"}, "header": {"type": "boolean"}}},
        "schema": {
            "type": "object",
            "required": ["fields"],
            "properties": {
                "fields": {"type": "array", "minItems": 1, "items": FIELD},
                "primaryKey": {"type": "string"},
                "missingValues": {"type": "array", "items": {"type": "string"}},
            },
        },
    },
}
PACKAGE = {
    "type": "object",
    "required": ["profile", "resources"],
    "properties": {
        "profile": {"const": "tabular-data-package"},
        "name": NAME,
        "title": {"type": "string"},
        "description": {"type": "string"},
        "resources": {"type": "array", "minItems": 1, "items": RESOURCE},
    },
}

# A cell's value by its field's type.
VALUES = {"string": str, "integer": int, "number": float, "object": json.loads,
          "datetime": lambda cell: datetime.datetime.strptime(cell, "%Y-%m-%dT%H:%M:%SZ")}


class Package(Harness):
    def package(self):
        package = json.loads((self.folder / "out" / "datapackage.json").read_text())
        jsonschema.Draft7Validator.check_schema(PACKAGE)
        jsonschema.validate(package, PACKAGE)
        return package

    def check_table(self, resource):
        """Every cell is what its field says."""
        schema = resource["schema"]
        with open(self.folder / "out" / resource["path"], newline="") as file:
            header, *rows = csv.reader(file)
        self.assertEqual(header, [field["name"] for field in schema["fields"]])
        self.assertGreater(len(rows), 0)
        for row in rows:
            for field, cell in zip(schema["fields"], row, strict=True):
                rules = field.get("constraints", {})
                if cell in schema["missingValues"]:
                    self.assertFalse(rules.get("required", False), field["name"])
                    continue
                value = VALUES[field["type"]](cell)
                if field["type"] == "number":  # as the Table Schema of Frictionless spells it
                    self.assertRegex(cell, r"^(-?\d+(\.\d+)?(e[-+]\d+)?|-?INF)$", field["name"])
                self.assertIn(value, rules.get("enum", [value]), field["name"])
                self.assertTrue(re.fullmatch(rules.get("pattern", ".*"), cell), (field["name"], cell))
                if "minimum" in rules:
                    self.assertGreaterEqual(value, rules["minimum"], field["name"])
        if "primaryKey" in schema:
            keys = [row[header.index(schema["primaryKey"])] for row in rows]
            self.assertEqual(len(keys), len(set(keys)))

    def test_it_says_what_the_rows_are(self):
        self.run_of(SMALL.replace("experiment: small", "experiment: Small_one.2"))
        package = self.package()
        self.assertEqual((package["name"], package["title"]), ("small_one.2", "Small_one.2"))
        runs, = package["resources"]
        self.assertEqual((runs["path"], runs["schema"]["primaryKey"]), ("runs.csv", "run_id"))
        self.check_table(runs)
        columns = json.loads(self.tilelab("list", "columns", "runs", "--json").stdout)
        for field, column in zip(runs["schema"]["fields"], columns, strict=True):
            self.assertEqual((field["name"], field["description"], field.get("unit", "")),
                             (column["name"], column["meaning"], column["unit"] or ""))

    def test_the_tables_that_compare_makes_are_in_it(self):
        self.run_of(SMALL)
        before = self.package()
        self.tilelab("compare", "out")
        package = self.package()
        self.assertEqual({**package, "resources": None}, {**before, "resources": None})
        self.assertEqual([table["name"] for table in package["resources"]], ["runs", "summary", "by_depth", "pairs"])
        for table in package["resources"]:
            self.check_table(table)
            columns = json.loads(self.tilelab("list", "columns", table["name"], "--json").stdout)
            self.assertEqual([(field["name"], field.get("unit", ""), not field.get("constraints", {}).get("required", False))
                              for field in table["schema"]["fields"]],
                             [(column["name"], column["unit"], column["may_be_empty"]) for column in columns])
        # A table of other columns is none of ours.
        (self.folder / "out" / "pairs.csv").write_text("a,b\n1,2\n")
        self.run_it("--fresh")
        self.assertEqual([table["name"] for table in self.package()["resources"]], ["runs", "summary", "by_depth"])

    def test_what_is_unbounded_is_a_number(self):
        self.write("experiment: bounds\ninstances: [{name: u, size: 3x3, count: 30, method: uniform}]\n"
                   "solvers: [astar(manhattan), {algorithm: bfs, limits: {nodes: 20k}}, {algorithm: idastar, heuristic: misplaced, limits: {nodes: 3k}}]\noutput: out\n")
        self.run_it()
        self.tilelab("compare", "out", "--all-pairs")
        self.assertIn("INF", (self.folder / "out" / "pairs.csv").read_text())
        words = "compare", "out", "--columns", "solver,expanded", "--sets", "u", "--format"
        self.assertIn(",INF\n", self.tilelab(*words, "csv").stdout)
        self.assertIn('"expanded": null', self.tilelab(*words, "json").stdout)
        self.assertIn("INF where that is one of them", self.tilelab("list", "columns", "summary").stdout.replace("\n", " "))
        for table in self.package()["resources"]:
            self.check_table(table)

    def test_a_folder_of_tables_alone_has_one(self):
        self.run_of(SMALL)
        shutil.move(self.folder / "out", self.folder / "in")
        done = self.tilelab("compare", "in/runs.csv", "--pool", "-o", "out")
        self.assertIn("are in out\n", done.stderr)
        package = self.package()
        self.assertEqual([table["name"] for table in package["resources"]], ["summary", "by_depth", "pairs"])
        for table in package["resources"]:
            self.check_table(table)
        (self.folder / "out" / "datapackage.json").write_text("{}")
        done = self.tilelab("compare", "in/runs.csv", "-o", "out")
        self.assertIn("out/datapackage.json was not written by tilelab; it is left unchanged", done.stderr)
        self.assertEqual((self.folder / "out" / "datapackage.json").read_text(), "{}")

    def test_messages_are_in_it_where_there_are_any(self):
        self.write(SMALL)
        subprocess.run([FAULTY, "run", "experiment.yaml", "--no-compare"], cwd=self.folder, capture_output=True, check=False,
                       env={**os.environ, "TILELAB_FAULT": "segv@5"})
        runs, messages = self.package()["resources"]
        self.assertEqual(messages["path"], "messages.csv")
        self.check_table(runs)
        self.check_table(messages)

    def test_one_that_is_not_ours_is_left_alone(self):
        self.run_of(SMALL.replace("solvers:", "solvers: [bfs]\nx:").split("x:")[0] + "output: out\n")
        path = self.folder / "out" / "datapackage.json"
        for theirs in ('{"name": "mine"}', "words"):
            path.write_text(theirs)
            self.assertIn("out/datapackage.json was not written by tilelab; it is left unchanged", self.run_it("--fresh").stderr)
            self.assertEqual(path.read_text(), theirs)
        path.unlink()
        path.symlink_to(self.folder / "elsewhere")
        self.assertIn("out/datapackage.json: it is a link", self.run_it("--fresh", code=2).stderr)
        self.assertFalse((self.folder / "elsewhere").exists())
