"""tilelab report and tilelab solve --html, as a browser shows them; and report --format markdown."""
import csv
import html
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

import chromium
from support import TILELAB, WITHOUT_MATPLOTLIB, Case, read_table

LONG = "TILELAB_LONG" in os.environ
MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
BROWSER = unittest.skipUnless(chromium.PROGRAM, "Chromium is not installed (Debian: chromium)")

EXPERIMENT = """\
experiment: small
description: Boards of a known length
seed: 3
instances:
  - {name: by-depth, size: 3x3, method: depth, depths: {from: 4, to: 20, step: 4}, count: 4}
  - {name: wide, size: 3x2, method: uniform, count: 5}
solvers:
  - {algorithm: bfs, label: breadth}
  - {algorithm: lcbb, heuristic: misplaced, limits: {nodes: 300}}
  - astar(manhattan)
  - dfs
limits: {time: 60s, memory: 1GiB}
compare: {baseline: astar(manhattan)}
"""

# Names that mean something to a browser, or that move what stands beside them.
HOSTILE = ["</script><script>hacked()</script>", "<img src=x onerror=hacked()>", "\"'><b onmouseover=hacked()>", "-->{{data}}<!--",
           "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "\u0645\u0631\u062d\u0628\u0627", "\U0001f9e9 \U0001f468\u200d\U0001f469\u200d\U0001f467",
           "javascript:hacked()", "&lt;b&gt; &amp;", "${hacked()}`", "\\u003c"]

browser = None
folder = None


def run(*words, code=0, figures=False, **environment):
    """Without matplotlib, which takes seconds, unless the figures matter."""
    there = {} if figures else WITHOUT_MATPLOTLIB
    done = subprocess.run([TILELAB, *words], capture_output=True, text=True, cwd=folder, check=False, env={**os.environ, **there, **environment})
    if done.returncode != code:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stderr}")
    return done


def digits_of(text, digits):
    """Numbers of so many digits of base 90, as the page's data has them."""
    letters = [chr(code) for code in range(ord("#"), ord("~") + 1) if chr(code) not in "<\\"]
    for start in range(0, len(text), digits):
        number = 0
        for letter in text[start:start + digits]:
            number = 90 * number + letters.index(letter)
        yield number


def columns_of(data):
    """By name, what each run has."""
    columns = {}
    for column in data["columns"]:
        if "ids" in column:
            parts = [f"{part:08x}" for part in digits_of(column["ids"], 5)]
            columns[column["name"]] = ["".join(parts[first:first + 4]) for first in range(0, len(parts), 4)]
            continue
        values = column.get("words", column.get("numbers"))
        at = digits_of(column["at"], len(column["at"]) // data["count"]) if "at" in column else range(data["count"]) if len(values) > 1 else [0] * data["count"]
        columns[column["name"]] = [values[place] for place in at]
    return columns


def setUpModule():
    global browser, folder
    folder = pathlib.Path(tempfile.mkdtemp())
    if chromium.PROGRAM:
        browser = chromium.Chromium()
    (folder / "small.yaml").write_text(EXPERIMENT)
    run("run", "small.yaml", "-o", "small")
    run("report", "small", figures=LONG and MATPLOTLIB)


def tearDownModule():
    if browser:
        browser.close()
    shutil.rmtree(folder)


def rows():
    return read_table(folder / "small" / "runs.csv")


class Browser(Case):
    """A page that said nothing and asked for nothing but itself."""

    def page(self, path="small/report.html", fragment="", folded=False, **options):
        page = chromium.Page(browser, **options)
        self.addCleanup(page.close)
        page.open(folder / path, fragment)
        if not folded:
            page.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
            page.wait("!document.querySelector('html.scripts #run-fold') || document.querySelector('#run-table tr[data-place]') !== null || Tilelab.runs.length === 0")
        self.addCleanup(lambda: self.assertEqual((page.said, [url for url in page.requests if not url.startswith("file:")]), ([], [])))
        self.addCleanup(lambda: self.assertEqual(len(page.requests), 1))
        return page

    def cells(self, page, selector, column):
        return page.run(f"[...document.querySelectorAll('{selector} tbody tr:not(.gap):not([hidden])')].map(row => row.cells[{column}].textContent)")

    def shown(self, page):
        return page.run("document.getElementById('shown-count').textContent")

    def set(self, page, name, value):
        page.run(f"(() => {{ const input = document.querySelector('#filters [name={name}]'); input.value = {json.dumps(value)};"
                 "input.dispatchEvent(new Event('input', {bubbles: true})); })()")


@BROWSER
class Page(Browser):
    def test_it_has_all_that_compare_tells(self):
        told = run("compare", "small", "--full", "--format", "html").stdout
        page = (folder / "small" / "report.html").read_text()
        for table in re.findall(r"<table>.*?</table>", told, re.S):
            self.assertIn(table, page)
        sentences = json.loads(run("compare", "small", "--json").stdout)["verdicts"]
        self.assertEqual(len(sentences), 6)
        for sentence in sentences:
            self.assertIn(f"<li>{html.escape(sentence)}</li>", page)
        self.assertRegex(page, r'</summary>\s*<ul class="verdicts">', "verdicts come first")

    def test_it_says_what_was_run_on_what(self):
        page = self.page()
        settings = page.run("document.getElementById('settings').innerText")
        manifest = json.loads((folder / "small" / "manifest.json").read_text())
        machine = manifest["sessions"][0]["machine"]
        for words in ("small", "Boards of a known length", "seed\t3", manifest["tilelab"]["build"], machine["host"], machine["kernel"],
                      "bfs (as breadth)", "60.0 s", "300", "1.00 GiB", "by-depth 3x3 (20), wide 3x2 (5)"):
            self.assertIn(words, settings)
        self.assertEqual(page.run("document.title"), "small")
        self.assertIn(EXPERIMENT.splitlines()[3], page.run("document.querySelector('pre').textContent"))

    def test_tables_sort(self):
        page = self.page(folded=True)
        table = "document.querySelectorAll('#tables table')[1]"
        solvers = f"[...{table}.tBodies[0].rows].map(row => row.cells[0].textContent)"
        self.assertEqual(page.run(solvers), ["breadth", "lcbb(misplaced)", "astar(manhattan)", "dfs"])
        heading = f"{table}.tHead.rows[0].cells[2]"
        values = f"[...{table}.tBodies[0].rows].map(row => Number(row.cells[2].dataset.value))"
        for order, descending in (("ascending", False), ("descending", True), ("ascending", False)):
            page.run(f"{heading}.querySelector('button').click()")
            self.assertEqual(page.run(f"{heading}.getAttribute('aria-sort')"), order)
            found = page.run(values)
            self.assertEqual(found, sorted(found, reverse=descending))
            self.assertEqual(len(set(found)), 4)
        page.run(f"{table}.querySelector('th button').click()")
        self.assertEqual(page.run("document.querySelectorAll('#tables [aria-sort]').length"), 1)
        self.assertEqual(page.run(solvers), ["astar(manhattan)", "breadth", "dfs", "lcbb(misplaced)"])
        page.run("(() => { const words = document.getElementById('table-words'); words.value = 'DFS'; words.dispatchEvent(new Event('input')); })()")
        left = page.run("[...document.querySelectorAll('#tables tbody tr:not([hidden])')].map(row => row.textContent)")
        self.assertGreater(len(left), 5)
        self.assertEqual([row for row in left if "dfs" not in row], [])

    def test_runs_sort_and_what_is_missing_comes_last(self):
        page = self.page()
        self.assertEqual(self.shown(page), "100 of 100 runs")
        names = page.run("[...document.querySelectorAll('#run-table thead th')].map(heading => heading.textContent)")
        by_id = {row["run_id"]: row for row in rows()}
        for column, reverse in (("generated", False), ("length", True)):
            for _ in range(2 if reverse else 1):
                page.run(f"document.querySelectorAll('#run-table thead button')[{names.index(column)}].click()")
            values = [by_id[own][column] for own in self.all_runs(page)]
            there = [float(value) for value in values if value != ""]
            self.assertEqual(there, sorted(there, reverse=reverse), column)
            self.assertEqual(values[len(there):], [""] * (len(values) - len(there)))
            self.assertEqual(len(values), 100)
        page.run(f"document.querySelectorAll('#run-table thead button')[{names.index('solver')}].click()")
        solvers = [by_id[own]["solver"] for own in self.all_runs(page)]
        self.assertEqual(solvers, ["bfs"] * 25 + ["lcbb(misplaced)"] * 25 + ["astar(manhattan)"] * 25 + ["dfs"] * 25)

    def all_runs(self, page):
        """The run_ids of the table from top to bottom, though only those in sight are there."""
        return page.run("""(async () => {
            const area = document.getElementById("run-table"), found = [];
            for (area.scrollTop = 0; ; area.scrollTop += 450) {
              await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
              for (const row of area.querySelectorAll("tr[data-place]"))
                found[row.dataset.place] = row.querySelector("a").hash.slice(5);
              if (area.scrollTop + area.clientHeight >= area.scrollHeight - 1)
                return found;
            }
          })()""")

    def test_filters_change_the_table(self):
        page = self.page()
        self.set(page, "status", "node_limit")
        limited = [row for row in rows() if row["status"] == "node_limit"]
        page.wait(f"document.getElementById('shown-count').textContent === '{len(limited)} of 100 runs'")
        self.assertEqual({row["solver"] for row in limited}, {"lcbb(misplaced)"})
        page.run("document.querySelector('#filters [type=reset]').click()")
        page.wait("document.getElementById('shown-count').textContent === '100 of 100 runs'")
        self.set(page, "optimum-from", "8")
        self.set(page, "optimum-to", "12")
        self.set(page, "set", "by-depth")
        wanted = [row for row in rows() if row["set"] == "by-depth" and 8 <= int(row["optimal_length"]) <= 12]
        page.wait(f"document.getElementById('shown-count').textContent === '{len(wanted)} of 100 runs'")
        page.run("document.querySelectorAll('#filters [name=solver]')[3].click()")
        page.wait(f"document.getElementById('shown-count').textContent === '{len(wanted) * 3 // 4} of 100 runs'")
        self.assertEqual({solver.strip() for solver in self.cells(page, "#run-table", 3)}, {"breadth", "lcbb(misplaced)", "astar(manhattan)"})
        self.set(page, "metric", "generated")
        self.set(page, "value-to", "20")
        few = [row for row in wanted if row["solver"] != "dfs" and int(row["generated"]) <= 20]
        page.wait(f"document.getElementById('shown-count').textContent === '{len(few)} of 100 runs'")
        page.run("document.querySelector('#filters [type=reset]').click()")
        self.set(page, "metric", "max_open")
        self.set(page, "value-to", "20")
        few = [row for row in rows() if row["max_open"] and int(row["max_open"]) <= 20]
        page.wait(f"document.getElementById('shown-count').textContent === '{len(few)} of 100 runs'")
        page.run("document.querySelector('#filters [type=reset]').click()")
        self.set(page, "words", rows()[0]["run_id"][:12])
        page.wait("document.getElementById('shown-count').textContent === '1 of 100 runs'")

    def test_every_solution_ends_at_its_goal(self):
        page = self.page(folded=True)
        # By board: a run's id holds the version of the program, so its order changes from commit to commit.
        played = sorted(rows(), key=lambda row: (row["set"], row["instance"], row["solver"]))[::1 if LONG else 9]
        self.assertGreater(sum(row["moves"] != "" for row in played), 5)
        found = page.run("""(async () => {
            const found = {};
            for (const id of """ + json.dumps([row["run_id"] for row in played]) + """) {
              location.hash = "run-" + id;
              while (!document.querySelector("#run dl")?.innerText.includes(id))
                await new Promise(done => setTimeout(done, 0));
              const boards = [...document.querySelectorAll("#run .board")].map(board => board.dataset.board);
              [...document.querySelectorAll("#run button")].find(button => button.textContent === ">|")?.click();
              found[id] = [...boards, document.querySelector("#run .board").dataset.board];
            }
            return found;
          })()""")
        for row in played:
            self.assertEqual(found[row["run_id"]], [row["start"], row["goal"], row["goal"] if row["moves"] else row["start"]])

    def test_a_run_has_its_counters_and_the_command_that_repeats_it(self):
        for status, name in (("solved", "wide"), ("node_limit", "by-depth")):
            row = next(row for row in rows() if row["status"] == status and row["set"] == name)
            page = self.page(fragment="#run-" + row["run_id"], folded=True)
            told = page.run("document.getElementById('run').innerText")
            for name in ("expanded", "generated", "max_stored"):
                self.assertIn(f"{name.replace('_', ' ')}\n{int(row[name]):,}", told)
            self.assertIn(status, told)
            commands = page.run("[...document.querySelectorAll('#run .command')].map(command => command.textContent)")
            self.assertEqual(commands[0], f"tilelab rerun small {row['run_id']}")
            again = subprocess.run(commands[0].replace("tilelab", f"'{TILELAB}'", 1), shell=True, cwd=folder, capture_output=True, text=True)
            self.assertEqual(again.returncode, 0, again.stderr)
            again = subprocess.run(commands[1].replace("tilelab", f"'{TILELAB}'", 1) + " --json", shell=True, cwd=folder, capture_output=True, text=True)
            again = json.loads(again.stdout)
            for name in ("expanded", "generated", "max_stored"):
                self.assertEqual(again[name], int(row[name]), commands[1])
            self.assertEqual(again["status"], status)

    def test_keys_do_all_that_a_mouse_does(self):
        page = self.page()
        page.run("document.querySelector('#tables th button').focus()")
        page.key("Enter")
        self.assertEqual(page.run("document.querySelector('#tables th').getAttribute('aria-sort')"), "ascending")
        page.key(" ")
        self.assertEqual(page.run("document.querySelector('#tables th').getAttribute('aria-sort')"), "descending")
        page.run("document.getElementById('run-table').focus()")
        for key, place in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", 99), ("Home", 0), ("ArrowDown", 1)):
            page.key(key)
            self.assertEqual(page.run("document.activeElement.closest('tr')?.dataset.place"), str(place), key)
        row = next(row for row in rows() if len(row["moves"]) == 4)
        page = self.page(fragment="#run-" + row["run_id"], folded=True)
        self.assertIn("player", page.run("document.activeElement.className"))
        boards = [row["start"]]
        for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 4), ("ArrowRight", 4), ("Home", 0), ("ArrowLeft", 0)):
            page.key(key)
            self.assertEqual(page.run("document.querySelector('#run input[type=range]').value"), str(at), key)
        board = row["start"].split()
        for move in row["moves"]:
            blank = board.index("0")
            to = blank + {"U": -3, "D": 3, "L": -1, "R": 1}[move]
            board[blank], board[to] = board[to], board[blank]
            boards.append(" ".join(board))
            page.key("ArrowRight")
            self.assertEqual(page.run("document.querySelector('#run .board').dataset.board"), boards[-1])
        self.assertEqual(boards[-1], row["goal"])
        for label, times in (("Last board", 2), ("One move back", 5), ("One move on", 5), ("First board", 2)):
            page.run(f"document.querySelector('#run [aria-label=\"{label}\"]').focus()")
            for _ in range(times):
                page.key("Enter")
                self.assertEqual(page.run("document.activeElement.ariaLabel"), label, "a button keeps the focus at the end of its work")
            page.key("End")
            self.assertEqual(page.run("document.querySelector('#run input[type=range]').value"), "4", label)
        page.run("document.querySelector('#run .player').focus()")
        page.key(" ")  # plays from the start
        page.wait(f"document.querySelector('#run .board').dataset.board === '{row['goal']}' && document.activeElement.matches('.player')")
        focus = page.run("(() => { const style = getComputedStyle(document.activeElement); return style.outlineStyle; })()")
        self.assertEqual(focus, "solid")

    def test_everything_that_can_be_used_has_a_name(self):
        page = self.page(fragment="#run-" + rows()[0]["run_id"])
        self.assertEqual(page.run("""[...document.querySelectorAll("button, input, select, a")].filter(element =>
            !(element.textContent.trim() || element.getAttribute("aria-label") || element.labels?.[0]?.textContent.trim()))
            .map(element => element.outerHTML)"""), [])
        self.assertEqual(page.run("[...document.querySelectorAll('table')].filter(table => !table.querySelector('th[scope=col]')).length"), 0)
        self.assertEqual(page.run("(() => { const ids = [...document.querySelectorAll('[id]')].map(own => own.id); return ids.filter((id, place) => ids.indexOf(id) !== place); })()"), [])

    def test_without_scripts(self):
        page = self.page(scripts=False)
        text = page.run("document.body.innerText")
        for words in ("Findings", "in words", "the baseline", "at least", "Runs, medians in which", "By optimal length d", "need JavaScript", "bfs", "1.00 GiB"):
            self.assertIn(words, text)
        self.assertFalse(page.run("[...document.querySelectorAll('.scripted')].some(element => element.getClientRects().length > 0)"))
        self.assertEqual(page.run("document.querySelectorAll('#runs noscript').length"), 1)

    def test_solve_prints_a_page(self):
        solvers = ["astar(manhattan)", "greedy(manhattan)"]
        words = [word for solver in solvers for word in ("-s", solver)]
        (folder / "board.html").write_text(run("solve", *words, "--html", "8 6 7 2 5 4 3 0 1").stdout)
        page = self.page("board.html", folded=True)
        self.assertEqual(page.run("document.querySelector('h1').textContent"), "8 6 7 2 5 4 3 0 1")
        self.assertEqual(page.run("document.querySelector('#run h2').textContent"), solvers[0])
        for solver in reversed(solvers):
            page.run(f"[...document.querySelectorAll('#run-table a')][{solvers.index(solver)}].click()")
            page.wait(f"document.querySelector('#run h2')?.textContent.includes('{solver}')")
            page.run("[...document.querySelectorAll('#run button')].find(button => button.textContent === '>|').click()")
            self.assertEqual(page.run("document.querySelector('#run .board').dataset.board"), "1 2 3 4 5 6 7 8 0")
        (folder / "one.html").write_text(run("solve", "--html", "6 8 7 2 5 4 3 0 1", code=3).stdout)
        page = self.page("one.html", folded=True)
        self.assertIn("unsolvable", page.run("document.getElementById('run').innerText"))
        self.assertIn("expected one of them", run("solve", "--html", "--json", "8 1 3 4 0 2 7 6 5", code=2).stderr)


MANY = """\
experiment: many
instances: [{name: near, size: 3x3, method: depth, depths: {from: 8, to: 12, step: 2}, count: 2}]
solvers:
  - {algorithm: [astar, idastar, greedy], heuristic: [zero, misplaced, manhattan, linear_conflict, inversion, walking_distance, gaschnig, euclidean, out_of_row_column]}
  - {algorithm: [bfs, ucs, bibfs]}
limits: {nodes: 20k}
compare: {baseline: astar(manhattan)}
"""


@BROWSER
class Answer(Browser):
    """The first screen, and what is below it."""

    def test_its_numbers_are_those_of_compare(self):
        pairs = json.loads(run("compare", "small", "--full", "--format", "json", "--table", "pairs").stdout)
        pairs = [pair for pair in pairs["pairs"] if pair["metric"] == "expanded"]
        told = json.loads(run("compare", "small", "--json").stdout)
        verdicts = {(row["block"].split(":")[0], row["solver"]): row["verdict"] for row in told["overview"]}
        for scripts in (True, False):
            page = self.page(scripts=scripts, folded=True)
            sets = page.run("""[...document.querySelectorAll('#answer .set')].map(set => [set.dataset.set, [...set.querySelectorAll('tbody tr')].map(row =>
                [row.cells[0].textContent, row.cells[2].textContent, ...["ratio", "low", "high"].map(name => Number(row.dataset[name] ?? NaN) || null)])])""")
            self.assertEqual([name for name, _ in sets], ["by-depth 3x3", "wide 3x2"])
            for name, rows_of_set in sets:
                self.assertEqual(len(rows_of_set), 4)
                ratios = []
                for solver, words, *numbers in rows_of_set:
                    if words == "the baseline":
                        continue
                    pair = next(own for own in pairs if f"{own['set']} {own['width']}x{own['height']}" == name
                                and {"breadth": "bfs"}.get(solver, solver) == own["solver"])
                    self.assertEqual(words, verdicts[name, solver])
                    bound = pair["ratio_bound"]
                    self.assertEqual(numbers, [None if bound == "?" else pair["ratio_spent"],
                                               *([pair["ratio_low"], pair["ratio_high"]] if bound == "=" else [None, None])])
                    ratios += numbers[:1]
                self.assertEqual([ratio for ratio in ratios if ratio], sorted(ratio for ratio in ratios if ratio))
            for number, (name, rows_of_set) in enumerate(sets):
                ticks = page.run(f"[...document.querySelectorAll('#answer .set')[{number}].querySelectorAll('thead text')].map(own => own.textContent)")
                self.assertEqual({tick[-1] for tick in ticks}, {"x"})
                places = [float(tick[:-1].replace(",", "")) for tick in ticks]
                self.assertTrue(min(places) < 1 < max(places) and 1 in places, places)
                said = page.run(f"document.querySelectorAll('#answer .set')[{number}].querySelectorAll('p')[1].textContent")
                for words in {words for _, words, *_ in rows_of_set if words != "the baseline" and not re.search("more|fewer", words)}:
                    self.assertIn(f" {words.rstrip('*?')} ({[row[1] for row in rows_of_set].count(words)})", said)

    def test_a_telephone_shows_the_letters_of_drawn_figures(self):
        run("report", "small", "-o", "letters.html")
        page = self.page("letters.html", width=390)
        letters = page.run("[...document.querySelectorAll('.drawn text')].map(own => own.getAttribute('font-size') * Math.hypot(own.getScreenCTM().a, own.getScreenCTM().b))")
        self.assertGreater(len(letters), 100)
        self.assertGreater(min(letters), 8)

    def test_what_is_chosen_is_in_the_address(self):
        page = self.page(folded=True)
        page.run("document.querySelectorAll('[role=tab]')[1].click()")
        self.assertEqual(page.run("[...document.querySelectorAll('#answer .set')].map(set => set.hidden)"), [True, False])
        page.run("document.querySelectorAll('#filters [name=solver]')[3].click()")
        self.set(page, "status", "solved")
        page.wait("location.hash.includes('status')")
        there = page.run("location.hash"), self.shown(page)
        run_id = next(row["run_id"] for row in rows() if row["moves"])
        page.run(f"location.hash = 'run-{run_id}'")
        page.wait("!document.getElementById('run').hidden && location.hash.includes('status')")
        again = self.page(fragment=there[0], folded=True)
        self.assertEqual((again.run("location.hash"), self.shown(again)), there)
        self.assertEqual(again.run("document.querySelector('[role=tab][aria-selected=true]').textContent"), "wide 3x2 5 boards")
        self.assertFalse(again.run("document.querySelectorAll('#filters [name=solver]')[3].checked"))
        self.assertEqual(self.shown(self.page(fragment="#%E0%A4%A&a=%", folded=True)), "100 of 100 runs")

    def test_the_keys_play_a_run_that_was_chosen(self):
        page = self.page()
        page.run("document.getElementById('run-table').focus()")
        page.key("ArrowDown")
        page.key("Enter")
        page.wait("document.activeElement.matches('#run .player')")
        slider = "Number(document.querySelector('#run input[type=range]').value)"
        for key, value in (("ArrowRight", 1), ("End", 4), ("Home", 0), (" ", 4)):
            page.key(key)
            page.wait(f"{slider} === {value}")
        self.assertTrue(page.run("document.activeElement.matches('#run .player')"))

    def test_two_runs_of_a_board_are_played_in_step(self):
        row = next(row for row in rows() if row["solver"] == "bfs" and len(row["moves"]) == 8)
        page = self.page(fragment="#run-" + row["run_id"], folded=True)
        page.run("[...document.querySelectorAll('#run [aria-pressed]')].find(button => button.ariaLabel === 'beside astar(manhattan)').click()")
        boards = "[...document.querySelectorAll('#run .board:not(.small)')].map(board => board.dataset.board)"
        self.assertEqual(page.run(boards), [row["start"]] * 2)
        page.key("ArrowRight")
        moved = page.run(boards)
        self.assertEqual(len({row["start"], *moved}), len({*moved}) + 1, "both have moved")
        page.key("End")
        self.assertEqual(page.run(boards), [row["goal"]] * 2)
        self.assertEqual(page.run("document.querySelectorAll('#run .spark').length"), 3, "bfs has no f")
        self.assertEqual(self.page(fragment=page.run("location.hash"), folded=True).run(boards), [row["start"]] * 2)

    def test_the_search_is_seen_along_its_path(self):
        page = self.page(folded=True)
        searches = page.run("Tilelab.data.searches")
        words = page.run("""[...Array(100).keys()].map(run => Object.fromEntries([...["status", "moves", "solver", "start"].map(name => [name, Tilelab.wordOf(name, run)]),
            ...["expanded", "width", "height"].map(name => [name, Tilelab.numberOf(name, run)])]))""")
        solved = {run for run, row in enumerate(words) if row["status"] == "solved" and row["moves"]}
        self.assertLessEqual({int(run) for run in searches}, solved)
        dear = {run for run in solved if str(run) not in searches}
        self.assertEqual({words[run]["solver"] for run in dear}, {"dfs"})
        self.assertGreater(min(words[run]["expanded"] for run in dear), max(words[int(run)]["expanded"] for run in searches))
        cheap = sorted((words[int(run)]["expanded"] for run in searches))[len(searches) * 3 // 4]  # a trace of ten thousand nodes says no more
        followed = [int(run) for run in searches if words[int(run)]["expanded"] <= cheap][::7]
        self.assertLessEqual({"bfs", "astar(manhattan)"}, {words[run]["solver"] for run in followed})
        for run in followed:
            solver, start, moves = (words[run][name] for name in ("solver", "start", "moves"))
            size = f"{words[run]['width']}x{words[run]['height']}"
            traced = subprocess.run([TILELAB, "solve", "-s", solver, "--size", size, "--trace", "--json", start], capture_output=True, text=True, check=True).stdout
            steps = {event["enode"]["board"]: event for event in map(json.loads, traced.splitlines()) if event.get("event") == "step"}
            path = page.run(f"Tilelab.boardsOf({json.dumps([int(tile) for tile in start.split()])}, '{moves}', {size[0]}).map(board => board.join(' '))")
            f, live = ([look(steps[board]) if board in steps else None for board in path]
                       for look in (lambda event: event["enode"]["f"], lambda event: event["live_count"]))
            with self.subTest(solver=solver, start=start):
                self.assertEqual(searches[str(run)], {"f": f, "live": live})

    def test_thirty_solvers(self):
        (folder / "many.yaml").write_text(MANY)
        run("run", "many.yaml", "-o", "many", "--no-compare")
        run("report", "many")
        for width in (1280, 390):
            page = self.page("many/report.html", folded=True, width=width)
            self.assertEqual(page.run("document.querySelectorAll('.forest tbody tr').length"), 30)
            self.assertLess(page.run("document.documentElement.scrollHeight"), 8000)
            page.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
            page.wait("document.querySelector('#heatmap canvas') !== null")
            self.assertEqual(page.run("document.documentElement.scrollWidth"), page.run("document.documentElement.clientWidth"))
            wide = page.run("[...document.querySelectorAll('.wide caption, .chart, #heatmap canvas')].map(own => own.getBoundingClientRect().width)")
            self.assertLessEqual(max(wide), width)
        page.run("""(() => { const canvas = document.querySelector('#heatmap canvas'), box = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new MouseEvent('click', {clientX: box.left + 0.35 * box.width + 3, clientY: box.bottom - 4, bubbles: true})); })()""")
        page.wait("document.querySelector('#run h2')?.textContent.startsWith('bibfs on')")
        page.run("document.querySelectorAll('.spread thead button').forEach(own => { own.textContent += ' of a long name'; })")
        page.run("window.dispatchEvent(new Event('beforeprint'))")
        page.size(739, 1000)
        page.media(kind="print")
        self.assertEqual(page.run("document.querySelectorAll('details:not([open])').length"), 0)
        self.assertGreater(page.run("document.querySelectorAll('table.part').length"), 0)
        self.assertEqual(page.run("[...document.querySelectorAll('table')].filter(table => table.getBoundingClientRect().right > 739).length"), 0)
        broken = page.run("""[...document.querySelectorAll("table.part thead th")].flatMap(head => [...(head.querySelector("button") ?? head).childNodes])
            .filter(words => { const range = document.createRange(); range.selectNodeContents(words);
                               return /^\\S+$/.test(words.data) && new Set([...range.getClientRects()].map(box => box.top)).size > 1; }).map(words => words.data)""")
        self.assertEqual(broken, [])  # heads break between words, not within one
        heights = page.run("document.querySelectorAll('.drawn').forEach(own => { own.style.contentVisibility = 'visible'; }), ['#figures figure', '#run-table tbody tr'].map(own => [...document.querySelectorAll(own)].map(each => each.getBoundingClientRect().height))")
        self.assertLess(max(heights[0]), 960)  # a figure and its caption are on one sheet
        self.assertLess(max(heights[1]), 22)  # a run is on one line
        page.run("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.run("document.querySelectorAll('table.part, table.whole').length"), 0)


@BROWSER
@unittest.skipUnless(LONG and MATPLOTLIB, "a long test, and it needs matplotlib (Debian: python3-matplotlib)")
class Figures(Browser):
    def test_points_lead_to_their_runs_and_say_their_values(self):
        page = self.page()
        self.assertGreater(page.run("document.querySelectorAll('#figures figure svg').length"), 5)
        links = page.run("[...document.querySelectorAll('#figures svg a')].map(link => link.getAttribute('href'))")
        self.assertGreater(len(links), 10)
        self.assertLessEqual(set(links), {"#run-" + row["run_id"] for row in rows()})
        self.assertEqual(page.run("[...document.querySelectorAll('#figures svg a')].filter(link => !link.querySelector('title')?.textContent).length"), 0)
        page.run(f"document.querySelector('#figures svg a[href=\"{links[0]}\"]').dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true}}))")
        page.wait(f"document.querySelector('#run dl')?.innerText.includes('{links[0][5:]}')")
        rested = page.run("""[...document.querySelectorAll('#figures svg')].map(svg => {
            const place = [...svg.querySelectorAll('rect')].at(-1);
            place.scrollIntoView({block: "center"});
            const box = place.getBoundingClientRect();
            const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return [place === found, found.parentNode.querySelector('title')?.textContent, getComputedStyle(place).fillOpacity];
          })""")
        for there, words, opacity in rested:
            self.assertTrue(there, words)
            self.assertRegex(words, r": .*\d")
            self.assertEqual(opacity, "0")
        figures = page.run("document.getElementById('figures').innerHTML").lower()
        for colour in page.run("[...document.querySelectorAll('#filters .swatch')].map(own => own.style.background)"):
            self.assertIn("#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)), figures)

    def test_they_are_those_of_plot(self):
        run("plot", "small", "--format", "svg", figures=True)
        page = self.page()
        drawn = sorted(path.name for path in (folder / "small" / "figures").iterdir())
        texts = page.run("[...document.querySelectorAll('#figures svg')].map(svg => [...svg.querySelectorAll('text')].map(text => text.textContent).join('|'))")
        self.assertEqual(len(texts), len(drawn))
        for name in drawn:
            of_file = [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", (folder / "small" / "figures" / name).read_text())]
            self.assertIn("|".join(of_file), texts, name)


@BROWSER
@unittest.skipUnless(LONG, "a long test")
class Looks(Browser):
    def test_on_paper(self):
        page = self.page(fragment="#run-" + rows()[0]["run_id"])
        paper = page.paper()
        self.assertTrue(paper.startswith(b"%PDF"))
        self.assertGreater(len(paper), 30000)
        page.media(kind="print")
        self.assertFalse(page.run("[...document.querySelectorAll('nav, .controls, .buttons')].some(element => element.getClientRects().length > 0)"))

    def test_light_and_dark(self):
        found = {}
        for dark in (False, True):
            page = self.page(dark=dark, fragment="#run-" + rows()[0]["run_id"])
            light = page.run("""[["body", "color", "backgroundColor"], [".lead", "color", null], ["td", "color", null], ["thead th", "color", null], ["a", "color", null],
                ["figcaption", "color", null], [".tile", "color", "backgroundColor"]].map(([selector, ink, paper]) => {
                const shine = colour => { const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
                  .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]; };
                const element = document.querySelector(selector);
                const below = paper ? element : document.body;
                const [a, b] = [shine(getComputedStyle(element)[ink]), shine(getComputedStyle(below).backgroundColor)];
                return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })""")
            self.assertGreater(min(light), 4.5, light)
            found[dark] = page.run("getComputedStyle(document.body).backgroundColor")
        self.assertNotEqual(found[True], found[False])

    def test_narrow(self):
        page = self.page(width=400, height=800, fragment="#run-" + next(row["run_id"] for row in rows() if row["moves"]))
        self.assertEqual(page.run("document.documentElement.scrollWidth"), page.run("document.documentElement.clientWidth"))


@BROWSER
class Hostile(Browser):
    """Names from anywhere are text, and stay where they are."""

    @classmethod
    def setUpClass(cls):
        cls.columns = ("run_id,set,instance,width,height,start,goal,optimal_length,solver,order,repetition,status,length,moves,h_start,expanded,"
                       "generated,max_stored,wall_s,host").split(",")
        (folder / "hostile").mkdir()
        (folder / "hostile" / "experiment.yaml").write_text("experiment: </pre><script>hacked()</script>\n")
        with open(folder / "hostile" / "runs.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, cls.columns, lineterminator="\n")
            writer.writeheader()
            for number, name in enumerate(HOSTILE):
                for solver in ("bfs", "astar(manhattan)", HOSTILE[0]):
                    writer.writerow({"run_id": f"{number:02}{len(solver):02}", "set": HOSTILE[-number - 1], "instance": name, "width": 3, "height": 3,
                                     "start": "1 2 3 4 5 6 7 0 8", "goal": "1 2 3 4 5 6 7 8 0", "optimal_length": 1, "solver": solver, "order": "ULRD",
                                     "repetition": 1, "status": "solved", "length": 1, "moves": "R", "expanded": number + len(solver),
                                     "generated": 2 * number + len(solver), "max_stored": 3, "wall_s": 0.1, "host": name})
        with open(folder / "hostile" / "manifest.json", "w", encoding="utf-8") as file:
            json.dump({"experiment": HOSTILE[0], "description": HOSTILE[1], "seed": HOSTILE[2], "solvers": ["bfs", "astar(manhattan)", HOSTILE[0]],
                       "baseline": "bfs", "limits": {}, "labels": {"bfs": HOSTILE[4], "astar(manhattan)": HOSTILE[2], HOSTILE[0]: "long" * 20},
                       "tilelab": {"version": HOSTILE[0], "compiler": HOSTILE[1]},
                       "sessions": [{"machine": {"host": HOSTILE[0], "processor": HOSTILE[5]}, "started_at": 7, "noise": []}, 3, None]}, file)
        run("report", "hostile")

    def test_nothing_of_them_runs_or_becomes_markup(self):
        page = self.page("hostile/report.html")
        self.assertEqual(page.run("typeof hacked"), "undefined")
        self.assertEqual(page.run("document.scripts.length"), 4)
        self.assertEqual(page.run("document.querySelectorAll('img, b, iframe, [onerror], [onmouseover], [onclick]').length"), 0)
        self.assertEqual(page.run("document.querySelector('h1').textContent"), HOSTILE[0])
        self.assertEqual(page.run("document.title"), HOSTILE[0])
        self.assertIn("</pre><script>hacked()</script>", page.run("document.querySelector('pre').textContent"))
        for number, name in enumerate(HOSTILE):
            link = f"document.querySelector('#run-table a[href=\"#run-{number:02}03\"]')"
            self.assertEqual(page.run(f"{link}.textContent"), name)
            page.run(f"{link}.click()")
            page.wait(f"document.querySelector('#run dl')?.innerText.includes('{number:02}03')")
            self.assertEqual([own for own in page.run("[...document.querySelectorAll('#run h2 bdi')].map(own => own.textContent)")],
                             [HOSTILE[4], HOSTILE[-number - 1], name])
        self.assertEqual(page.run("document.querySelectorAll('img, b, iframe').length"), 0)
        self.assertEqual(page.run("typeof hacked"), "undefined")

    def test_a_script_that_got_in_would_not_run(self):
        page = self.page("hostile/report.html", folded=True)
        page.run("(() => { const script = document.createElement('script'); script.textContent = 'window.got = 1'; document.body.append(script);"
                 "document.body.setAttribute('onclick', 'window.got = 2'); document.body.click(); })()")
        self.assertEqual(page.run("typeof window.got"), "undefined")
        self.assertTrue(any("Content Security Policy" in words for words in page.said), page.said)
        page.said.clear()

    def test_long_names_make_no_page_wider(self):
        page = self.page("hostile/report.html", width=400, height=800)
        page.run("document.querySelectorAll('#run-table tr[data-place] a')[2].click()")
        page.wait("document.querySelector('#run h2')?.textContent.includes('longlong')")
        self.assertEqual(page.run("document.documentElement.scrollWidth"), page.run("document.documentElement.clientWidth"))

    def test_what_is_written_leftward_stays_in_its_place(self):
        page = self.page("hostile/report.html", folded=True)
        verdict = page.run("document.querySelector('.verdicts li').innerHTML")
        self.assertIn(f"<bdi>{HOSTILE[4]}</bdi>", page.run("document.getElementById('tables').innerHTML"))
        places = page.run("""(() => {
            const item = [...document.querySelectorAll('.verdicts li')].find(own => own.querySelector('bdi')), name = item.querySelector('bdi');
            const range = document.createRange();
            range.selectNodeContents(name.nextSibling);
            return [name.getBoundingClientRect().left, range.getClientRects()[0].left];
          })()""") if "<bdi>" in verdict else [0, 1]
        self.assertLess(places[0], places[1])


class Files(Case):
    def test_what_is_no_result(self):
        self.assertIn("cannot open: No such file", run("report", "nowhere", code=2).stderr)
        self.assertEqual(run("report", "nowhere", code=2).stderr, run("compare", "nowhere", code=2).stderr)
        (folder / "bad.csv").write_text("run_id,solver\n1,2\n")
        self.assertEqual(run("report", "bad.csv", code=2).stderr, run("compare", "bad.csv", code=2).stderr)
        self.assertIn("expected html, markdown or docx", run("report", "small", "--format", "latex", code=2).stderr)
        self.assertIn("did you mean", run("report", "small", "--baseline", "astar(manhatan)", code=2).stderr)

    def test_torn_and_empty_files(self):
        text = (folder / "small" / "runs.csv").read_text()
        (folder / "torn.csv").write_text(text[:-20])
        run("report", "torn.csv", "-o", "torn.html")
        self.assertIn("was cut off", (folder / "torn.html").read_text())
        (folder / "empty.csv").write_text(text.splitlines(keepends=True)[0])
        run("report", "empty.csv", "-o", "empty.html")
        self.assertIn("There are no runs in these results.", (folder / "empty.html").read_text())

    def test_the_commands_make_the_same_runs(self):
        """Also of a run that changed keys of its experiment, in a folder whose name a shell would take apart."""
        done = run("run", "small.yaml", "--set", "instances.1.count=1", "--set", "solvers=[bfs, ucs]", "-o", "a <b>", "--set", "compare.baseline=bfs")
        self.assertIn(f"next: {TILELAB} compare 'a <b>' --full, {TILELAB} plot 'a <b>'", " ".join(done.stderr.split()))
        run("report", "a <b>", "--format", "markdown", "-o", "a.md")
        again = re.search(r"(?m)^    tilelab (run .*)$", (folder / "a.md").read_text())[1]
        self.assertIn("--set instances.1.count=1", again.replace("'", ""))
        subprocess.run(f'"{TILELAB}" {again} --no-compare', shell=True, cwd=folder, check=True, capture_output=True)
        ids = [sorted(row["run_id"] for row in csv.DictReader((folder / name / "runs.csv").open())) for name in ("a <b>", "again")]
        self.assertEqual(*ids)

    def test_the_file_is_whole_or_as_it_was(self):
        (folder / "few").mkdir()
        few = (folder / "few" / "runs.csv", "".join((folder / "small" / "runs.csv").read_text().splitlines(keepends=True)[:6]))
        few[0].write_text(few[1])
        run("report", "few")
        before = (folder / "few" / "report.html").read_text()
        done = run("report", "few", "-o", "nowhere/report.html", code=1)
        self.assertIn("tilelab report: cannot write 'nowhere/report.html': No such file or directory; -o FILE writes elsewhere", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn("No space left", run("report", "few", "-o", "/dev/full", code=1).stderr)
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        with open(folder / "redirected.html", "w", encoding="utf-8") as file:
            subprocess.run([TILELAB, "report", "few", "-o", "-"], stdout=file, cwd=folder, check=True,
                           env={**os.environ, **WITHOUT_MATPLOTLIB})
        self.assertRegex((folder / "redirected.html").read_text(), r"(?is)\A<!doctype html>.*</html>\s*\Z", "no name is in the page")
        self.assertFalse((folder / "-").exists())
        self.assertIn("holds the runs", run("report", "few", "-o", "few/runs.csv", code=1).stderr)
        self.assertEqual(few[0].read_text(), few[1])
        self.assertIn("Is a directory", run("report", "few", "-o", "few", code=1).stderr)
        self.assertIn("a report ends with .html, .md or .docx", run("report", "few", "-o", "few.pdf", code=2).stderr)
        self.assertEqual((folder / "few" / "report.html").read_text(), before)
        for name in ("one.html", "two.html"):
            self.assertEqual(run("report", "few", "-o", name).stdout, name + "\n")
        self.assertEqual((folder / "one.html").read_text(), (folder / "two.html").read_text(), "the same results give the same bytes")

    def test_figures_need_no_matplotlib_and_the_page_no_figures(self):
        run("report", "small", "-o", "drawn.html")
        self.assertIn('<figure class="drawn">\n<svg', (folder / "drawn.html").read_text())
        done = run("report", "small", "-o", "bare.html", TILELAB_DATA=str(folder / "none"))
        self.assertIn("plot.py, which draws the figures", done.stderr)
        page = (folder / "bare.html").read_text()
        self.assertIn("The figures could not be drawn", page)
        self.assertIn("Runs, medians in which", page)

    def test_rows_in_another_order(self):
        lines = (folder / "small" / "runs.csv").read_text().splitlines(keepends=True)
        (folder / "turned").mkdir()
        shutil.copy(folder / "small" / "manifest.json", folder / "turned")
        shutil.copy(folder / "small" / "experiment.yaml", folder / "turned")
        (folder / "turned" / "runs.csv").write_text("".join(lines[:1] + lines[:0:-1]))
        run("report", "small", "-o", "straight.html")
        run("report", "turned", "-o", "turned.html")
        pages = [re.sub('nonce(-|=")[0-9a-f]{32}', "", (folder / name).read_text()) for name in ("straight.html", "turned.html")]
        self.assertEqual(pages[0], pages[1].replace('"results":"turned"', '"results":"small"'))

    def test_a_page_of_some_of_the_runs(self):
        """Whole boards of each set, the same ones whatever the order of the rows; all but the runs is of all of them."""
        def parts(name):
            page = re.sub('nonce(-|=")[0-9a-f]{32}', "", (folder / name).read_text())
            data = json.loads(re.search(r'(?s)<script type="application/json" id="data" "?>(.*?)</script>', page).group(1))
            columns = columns_of(data)
            tables = re.search(r'(?s)<section id="tables">(.*?)</section>', page).group(1)
            return page, data, columns, tables, html.unescape(re.search('<p class="lead">(.*?)</p>', page).group(1))

        unsolved = [row for row in rows() if row["status"] not in ("solved", "unsolvable")]
        run("report", "small", "-o", "all.html")
        run("report", "small", "--runs", "100", "-o", "hundred.html")
        run("report", "small", "--runs", "48", "-o", "some.html")
        everything, some = parts("all.html"), parts("some.html")
        self.assertEqual(everything[0], parts("hundred.html")[0])
        self.assertNotIn("of the runs", everything[4])
        self.assertEqual(some[3], everything[3])
        data, columns = some[1], some[2]
        boards = {}
        for name, board in zip(columns["set"], columns["instance"]):
            boards[name, board] = boards.get((name, board), 0) + 1
        self.assertEqual(set(boards.values()), {4}, "all runs of a board")
        self.assertEqual(data["count"], 4 * len(boards))
        self.assertEqual(data["boards"][::3], [4] * len(boards))
        self.assertEqual([sum(name == chosen for name, _ in boards) for chosen in ("by-depth", "wide")], [10, 3])
        there = [row for row in unsolved if (row["set"], row["instance"]) in boards]
        self.assertEqual(some[4].split("boards. ", 1)[1].split(". The")[0],
                         f"This page has 52 of the runs, all those of 13 of 25 boards, which were drawn, and with them {len(there)} of "
                         f"{len(unsolved)} runs that are not solved")
        for row in rows():
            if (row["set"], row["instance"]) in boards:
                place = columns["run_id"].index(row["run_id"])
                self.assertEqual(row["moves"], columns["moves"][place])
                for name in ("expanded", "wall_s", "limit_nodes", "optimal_length"):
                    self.assertEqual(columns[name][place], float(row[name]) if row[name] else None, name)
        lines = (folder / "small" / "runs.csv").read_text().splitlines(keepends=True)
        shutil.copytree(folder / "small", folder / "mixed")
        (folder / "mixed" / "runs.csv").write_text("".join(lines[:1] + lines[50:] + lines[1:50]))
        run("report", "mixed", "--runs", "48", "-o", "mixed.html")
        self.assertEqual(parts("mixed.html")[0].replace('"results":"mixed"', '"results":"small"'), some[0])

    def test_boards_that_are_not_solved_come_first(self):
        """One run of many is not solved: it is in the page. Two rows of one run count once, in a file of other columns, too."""
        row = dict(run_id="", set="s", instance="", width="2", height="2", start="", goal="1 2 3 0", optimal_length="", solver="mine", status="solved",
                   length="1", moves="R", expanded="1", generated="2", wall_s="1")
        with open(folder / "many.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, row, lineterminator="\n")
            writer.writeheader()
            for number in range(1000):
                own = {**row, "run_id": f"r{number}", "instance": str(number), "start": "1 2 0 3"}
                writer.writerow({**own, "status": "time_limit", "length": "", "moves": ""} if number == 777 else own)
                if number == 500:
                    writer.writerow(own)
        run("report", "many.csv", "--runs", "20", "-o", "many.html")
        page = (folder / "many.html").read_text()
        self.assertIn("1,000 runs of 1 solver on 1,000 boards. This page has 20 of the runs, all those of 20 of 1,000 boards, which were drawn, and with "
                      "them every run that is not solved (1). The tables", page)
        self.assertIn('"time_limit"', page)
        self.assertIn('"r777"', page)

    def test_the_skeleton_of_a_text(self):
        self.assertEqual(run("report", "small", "--format", "markdown").stdout, "small/report.md\n")
        text = (folder / "small" / "report.md").read_text()
        told = run("compare", "small", "--full", "--format", "markdown").stdout
        for line in told.splitlines():
            self.assertIn(line.replace("## ", "## Results: "), text)
        headings = re.findall(r"^## (.*)", text, re.M)
        self.assertEqual(headings[:3] + headings[-3:], ["Question", "Hypothesis", "Method", "Discussion", "Conclusion", "How to repeat this"])
        self.assertIn("    tilelab run small/experiment.yaml -o again\n", text)
        for words in ("# small\n", "| seed | 3 |", "| lcbb(misplaced) | 60.0 s | 300 | 1.00 GiB |"):
            self.assertIn(words, text)

    def test_several_results_are_pooled_as_compare_does(self):
        self.assertIn("expected -o FILE", run("report", "small", "small", code=2).stderr)
        lines = (folder / "small" / "runs.csv").read_text().splitlines(keepends=True)
        for name, part in (("one.csv", lines[1:50]), ("other.csv", lines[50:])):
            (folder / name).write_text("".join([lines[0], *part]))
        run("report", "one.csv", "other.csv", "--format", "markdown", "-o", "pooled.md")
        text = (folder / "pooled.md").read_text()
        for line in run("compare", "one.csv", "other.csv", "--full", "--format", "markdown").stdout.splitlines():
            self.assertIn(line.replace("## ", "## Results: "), text)
        self.assertIn("# one.csv, other.csv\n", text)
        self.assertIn("    tilelab compare one.csv other.csv --full\n    tilelab plot one.csv other.csv -o figures\n", text)
        self.assertIn("| breadth |", text, "a file without its manifest still has the column label")
        run("report", "one.csv", "other.csv", "-o", "pooled.html")
        self.assertIn('{"results":null,', (folder / "pooled.html").read_text())

    def test_what_is_missing_for_docx(self):
        done = subprocess.run([TILELAB, "report", "small", "--format", "docx"], cwd=folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": str(folder / "none"), **WITHOUT_MATPLOTLIB})
        self.assertEqual(done.returncode, 1)
        self.assertIn("pandoc, which makes docx, cannot be started: No such file or directory; install it (Debian: pandoc), "
                      "or take --format markdown", done.stderr)
        self.assertFalse((folder / "small" / "report.docx").exists())

    @unittest.skipUnless(shutil.which("pandoc"), "pandoc is not installed")
    def test_the_document_for_word_has_the_tables(self):
        run("report", "small", "--format", "docx", "--sets", "wide", "-o", "bare.docx")
        with zipfile.ZipFile(folder / "bare.docx") as document:
            whole = document.read("word/document.xml").decode()
        run("report", "small", "--format", "markdown", "--sets", "wide", "-o", "wide.md")
        tables = re.findall(r"(?m)^\|(?: -+:? \|)+$", (folder / "wide.md").read_text())
        self.assertEqual(whole.count("<w:tbl>"), len(tables))
        words = re.findall(r"<w:t[^>]*>([^<]*)", whole)
        for cell in ("breadth", "astar(manhattan)", "expanded", "Hypothesis", "wide 3x2: 5 boards"):
            self.assertTrue(any(cell in text for text in words) or cell in "".join(words), cell)

    @unittest.skipUnless(shutil.which("pandoc") and MATPLOTLIB and LONG, "needs pandoc and matplotlib; a long test")
    def test_the_document_for_word_holds_its_figures(self):
        run("report", "small", "--format", "docx", "--sets", "wide", "-o", "drawn.docx", figures=True)
        run("report", "small", "--format", "markdown", "--figures", "png", "--sets", "wide", "-o", "drawn.md", figures=True)
        linked = re.findall(r"\]\((figures/[^)]*\.png)\)", (folder / "drawn.md").read_text())
        self.assertGreater(len(linked), 3)
        drawn = sorted((folder / name).read_bytes() for name in linked)
        with zipfile.ZipFile(folder / "drawn.docx") as document:
            held = sorted(document.read(name) for name in document.namelist() if name.startswith("word/media/"))
            self.assertEqual(document.read("word/document.xml").count(b"<pic:pic"), len(linked))
        self.assertEqual(held, drawn)


@BROWSER
@unittest.skipUnless(LONG, "a long test")
class Large(Browser):
    """The bounds are ten times what an idle machine of 2020 takes; what was measured is printed."""

    def test_a_hundred_thousand_runs(self):
        with open(folder / "small" / "runs.csv", newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            columns = [name for name in reader.fieldnames if name != "row_hash"]
            some = list(reader)
        (folder / "large").mkdir()
        with open(folder / "large" / "runs.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            for number in range(1000):
                for place, row in enumerate(some):
                    writer.writerow({**row, "run_id": f"{place:08x}{number:08x}{int(row['run_id'][:16], 16):016x}",
                                     "instance": f"{row['instance']}-{number}", "wall_s": float(row["wall_s"]) * (1 + number / 997)})
        run("report", "large", "--runs", "100k", figures=MATPLOTLIB)
        print(f"{os.path.getsize(folder / 'large' / 'report.html'):,} bytes")
        page = chromium.Page(browser)
        self.addCleanup(page.close)
        seconds = page.open(folder / "large" / "report.html")
        print(f"opened in {seconds:.2f} s")
        self.assertLess(seconds, 20)
        self.assertEqual(self.shown(page), "100,000 of 100,000 runs")
        self.assertLess(page.run("document.querySelectorAll('#run-table tr').length"), 200)
        took = page.run("""[...document.querySelectorAll("#run-table thead button")].map(button => {
            const started = performance.now();
            button.click();
            document.getElementById("run-table").getBoundingClientRect();
            return [button.textContent, Math.round(performance.now() - started)];
          })""")
        print("sorted in ms:", took)
        self.assertLess(max(milliseconds for _, milliseconds in took), 3000)
        page.run("document.getElementById('run-table').scrollTop = 1e9")
        page.wait("[...document.querySelectorAll('#run-table tr[data-place]')].some(row => row.dataset.place === '99999')")
        page.run("location.hash = document.querySelector('#run-table tr[data-place] a').hash")
        page.wait("!document.getElementById('run').hidden")
        self.assertEqual(page.said, [])

    def test_the_coursework_is_below_two_megabytes(self):
        run("run", "coursework", "-o", "coursework")
        run("report", "coursework", figures=MATPLOTLIB)
        size = os.path.getsize(folder / "coursework" / "report.html")
        print(f"coursework: {size:,} bytes")
        self.assertLess(size, 2e6)
        self.page("coursework/report.html")
