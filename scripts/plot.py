#!/usr/bin/python3
"""Draws the figures of a results folder from its runs.csv, as SVG and PNG.

Unsolved runs are never averaged silently: the figures over solution lengths mark where they occurred, the box
plot says how many there were, and the curves of solved runs count them in the total. The same runs.csv always
gives the same SVG, byte for byte.
"""
import argparse
import collections
import csv
import json
import logging
import math
import os
import statistics
import sys
import tempfile
import textwrap

Run = collections.namedtuple("Run", "solver solved board optimal generated expanded wall_s")
# One solver at one optimal length; mean is over its solved runs, None if there are none.
Depth = collections.namedtuple("Depth", "length solved total mean")
# The values of one solver's solved runs, ascending, and the number of all its runs.
Sample = collections.namedtuple("Sample", "values total")

# Okabe and Ito's colours without yellow, which is hard to see on white. Seven colours and nine markers repeat
# together only after 63 solvers, so solvers can be distinguished without colour too.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]
LINES = ["-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1))]

COMPLAINTS_SHOWN = 5


class Unusable(Exception):
    """The input cannot be drawn at all; the text says what, where, and what to do."""


def say(text):
    print(f"plot.py: {text}", file=sys.stderr)


# Reading

def number(text):
    """A number that is not negative, None for an empty field; ValueError for anything else."""
    if text == "":
        return None
    value = float(text)
    if not math.isfinite(value) or value < 0:
        raise ValueError(text)
    return value


def read_rows(path):
    """The header of a CSV file, its rows as (line, {column: text}), and complaints about skipped rows."""
    csv.field_size_limit(1 << 30)
    rows, complaints = [], []
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.reader(file)
            header = next(reader, None)
            if not header:
                raise Unusable(f"{path}: the file is empty; expected the runs.csv that 'tilelab run' writes")
            for fields in reader:
                if not fields:
                    continue
                if len(fields) != len(header):
                    complaints.append(f"{path}:{reader.line_num}: {len(fields)} fields where the header has "
                                      f"{len(header)}; the row is skipped")
                    continue
                rows.append((reader.line_num, dict(zip(header, fields))))
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}; expected a results folder or its runs.csv") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise Unusable(f"{path}: not a CSV file in UTF-8 ({error}); expected the runs.csv that 'tilelab run' "
                       "writes") from error
    return header, rows, complaints


def read_runs(path):
    """Reads a runs.csv: (runs, its columns, name of the experiment, complaints).

    Rows with the same run_id are one run, of which the last row counts. An interrupted run says nothing about its
    solver and is skipped, with a complaint.
    """
    header, rows, complaints = read_rows(path)
    for column in ("solver", "status"):
        if column not in header:
            raise Unusable(f"{path}:1: there is no column '{column}'; expected the runs.csv that 'tilelab run' "
                           "writes")
    experiments, runs, interrupted = {}, {}, set()
    for line, row in rows:
        values = {}
        try:
            for column in ("optimal_length", "generated", "expanded", "wall_s"):
                values[column] = number(row.get(column, ""))
        except ValueError:
            complaints.append(f"{path}:{line}: {column} is '{row[column]}'; expected a number that is not negative; "
                              "the row is skipped")
            continue
        solved = row["status"] == "solved"
        absent = [column for column in ("generated", "expanded", "wall_s")
                  if solved and column in header and values[column] is None]
        if absent:
            complaints.append(f"{path}:{line}: a solved run without {absent[0]}; the row is skipped")
            continue
        board = ""
        if row.get("width") and row.get("height"):
            board = f"{row['width']}\u00d7{row['height']}"
        if row.get("experiment"):
            experiments[row["experiment"]] = True
        key = row.get("run_id") or line
        if row["status"] == "interrupted":
            interrupted.add(key)
            continue
        runs[key] = Run(row["solver"], solved, board, values["optimal_length"], values["generated"],
                        values["expanded"], values["wall_s"])
    interrupted -= set(runs)
    if interrupted:
        complaints.append(f"{path}: {len(interrupted)} interrupted run(s) skipped; 'tilelab run' repeats them")
    if not runs:
        raise Unusable("\nplot.py: ".join(complaints[:COMPLAINTS_SHOWN] + [
            f"{path}: no runs to draw; 'tilelab run' adds one row for each run it finishes"]))
    return list(runs.values()), set(header), ", ".join(experiments), complaints


# Grouping

def boards_of(runs):
    """The board sizes that occur, smallest first. Each has its own panel: sizes are never averaged together."""
    def cells(board):
        width, _, height = board.partition("\u00d7")
        return (int(width) * int(height), board) if width.isdigit() and height.isdigit() else (0, board)
    return sorted({run.board for run in runs}, key=cells)


def by_depth(runs, measure):
    """{solver: [Depth, ...]} over the runs whose optimal length is known, by increasing length."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for run in runs:
        if run.optimal is not None:
            groups[run.solver][int(run.optimal)].append(run)
    result = {}
    for solver in sorted(groups):
        result[solver] = []
        for length in sorted(groups[solver]):
            group = groups[solver][length]
            values = [getattr(run, measure) for run in group if run.solved]
            mean = statistics.fmean(values) if values else None
            result[solver].append(Depth(length, len(values), len(group), mean))
    return result


def samples(runs, measure):
    """{solver: Sample} of a measure over the solved runs."""
    groups = collections.defaultdict(list)
    for run in runs:
        groups[run.solver].append(run)
    return {solver: Sample(sorted(getattr(run, measure) for run in groups[solver] if run.solved),
                           len(groups[solver]))
            for solver in sorted(groups)}


def solved_within(sample):
    """The steps [(budget, percent of all runs solved within it), ...]; unsolved runs stay in the total."""
    steps = []
    for count, value in enumerate(sample.values, start=1):
        if steps and steps[-1][0] == value:
            steps.pop()
        steps.append((value, 100 * count / sample.total))
    return steps


def five_numbers(values):
    """Minimum, first quartile, median, third quartile and maximum of ascending values."""
    quartiles = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return [values[0], *quartiles, values[-1]]


def floor_of(values):
    """Where zeros are drawn on a logarithmic axis: at half the smallest positive value."""
    positive = [value for value in values if value > 0]
    return min(positive) / 2 if positive else 0.5


# Drawing

class Figure:
    """Panels, one for each board size, with one legend and notes below them."""

    def __init__(self, experiment, title, boards, panel_size, **sharing):
        from matplotlib import pyplot
        columns = min(len(boards), 3)
        rows = math.ceil(len(boards) / columns)
        self.figure, axes = pyplot.subplots(rows, columns, squeeze=False, layout="constrained",
                                            figsize=(panel_size[0] * columns, panel_size[1] * rows), **sharing)
        self.panels = dict(zip(boards, axes.flat))
        for unused in list(axes.flat)[len(boards):]:
            unused.set_visible(False)
        # A dollar sign would start a formula.
        experiment = experiment.replace("$", r"\$")
        self.figure.suptitle(f"{experiment}: {title}" if experiment else title, fontsize=11)
        if len(boards) > 1:
            for board, axis in self.panels.items():
                axis.set_title(board or "size not given", fontsize=9)
        for axis in self.panels.values():
            axis.grid(True, which="major", color="0.88", linewidth=0.6)
            axis.set_axisbelow(True)
            axis.spines[["top", "right"]].set_visible(False)
        self.figure.get_layout_engine().set(wspace=0.05)
        self.entries = {}
        self.notes = []

    def finish(self):
        self.figure.draw_without_rendering()
        bottom = 0.0
        to_figure = self.figure.transFigure.inverted()
        # The layout is final; what is added now goes below it.
        self.figure.set_layout_engine("none")
        if self.entries:
            width = self.figure.get_figwidth()
            longest = max(len(solver) for solver in self.entries)
            columns = max(1, min(4, int(width / (0.6 + 0.075 * longest))))
            legend = self.figure.legend(self.entries.values(), self.entries.keys(), loc="upper center",
                                        bbox_to_anchor=(0.5, -0.01), ncol=columns, frameon=False, fontsize=8,
                                        handlelength=3.2)
            self.figure.draw_without_rendering()
            bottom = legend.get_window_extent().transformed(to_figure).y0
        if self.notes:
            text = "\n".join(line for note in self.notes
                             for line in textwrap.wrap(note, int(self.figure.get_figwidth() * 16)))
            gap = 0.1 / self.figure.get_figheight()
            self.figure.text(0.5, bottom - gap, text, ha="center", va="top", fontsize=7.5, color="0.25")
        return self.figure


def styles(runs):
    """{solver: colour, marker and line}, the same in all figures."""
    return {solver: {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)],
                     "linestyle": LINES[index % len(LINES)]}
            for index, solver in enumerate(sorted({run.solver for run in runs}))}


def draw_by_depth(runs, experiment, measure, what, label):
    """The mean of a measure over the solved runs, by optimal length; None and a reason if it cannot be drawn."""
    if all(run.optimal is None for run in runs):
        return None, "no run has an optimal_length; the instance set or an exact table must give it"
    known = [run for run in runs if run.optimal is not None]
    if not any(run.solved for run in known):
        return None, "no run with a known optimal length is solved"
    boards = boards_of([run for run in known if run.solved])
    style = styles(runs)
    drawing = Figure(experiment, f"{what} by solution length", boards, (6.4 if len(boards) == 1 else 4.4, 3.9),
                     sharey=True)
    floor = floor_of([getattr(run, measure) for run in known if run.solved])
    partial, without, raised = False, False, False
    for board, axis in drawing.panels.items():
        for solver, depths in by_depth([run for run in known if run.board == board], measure).items():
            lengths = [depth.length for depth in depths]
            means = [math.nan if depth.mean is None else max(depth.mean, floor) for depth in depths]
            raised |= any(depth.mean == 0 for depth in depths)
            without |= any(depth.mean is None for depth in depths)
            if not any(depth.solved for depth in depths):
                continue
            axis.plot(lengths, means, **style[solver], linewidth=1.3, markersize=4.5)
            hollow = [depth for depth in depths if 0 < depth.solved < depth.total]
            partial |= bool(hollow)
            axis.plot([depth.length for depth in hollow], [max(depth.mean, floor) for depth in hollow],
                      color=style[solver]["color"], marker=style[solver]["marker"], linestyle="none",
                      markersize=5.5, markerfacecolor="white", markeredgewidth=1.2)
        axis.set_yscale("log")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.set_xlabel("optimal solution length (moves)")
        axis.yaxis.set_tick_params(labelleft=True)
    list(drawing.panels.values())[0].set_ylabel(f"mean {label}")
    drawing.entries = handles(style, {run.solver for run in known if run.solved})
    if partial:
        drawing.notes.append("Hollow: some runs of that length are unsolved; the mean is over the solved ones.")
    if without:
        drawing.notes.append("No marker: no run of that length is solved.")
    if raised:
        drawing.notes.append(f"Means of 0 are drawn at {floor:g}.")
    never = sorted({run.solver for run in known} - set(drawing.entries))
    if never:
        drawing.notes.append(f"Not shown, because they solved no run: {', '.join(never)}.")
    unknown = len(runs) - len(known)
    if unknown:
        drawing.notes.append(f"Not shown: {unknown} of {len(runs)} runs, whose optimal length is unknown.")
    return drawing.finish(), None


def handles(style, solvers):
    """Legend entries, in the order of the solvers' names."""
    from matplotlib.lines import Line2D
    return {solver: Line2D([], [], **style[solver], linewidth=1.3, markersize=4.5)
            for solver in style if solver in solvers}


def draw_box(runs, experiment, measure, label):
    """A box for each solver over its solved runs."""
    if not any(run.solved for run in runs):
        return None, "no run is solved"
    boards = boards_of(runs)
    style = styles(runs)
    solvers = list(style)
    drawing = Figure(experiment, f"{label} per run", boards,
                     (6.4 if len(boards) == 1 else 4.4, 1.2 + 0.34 * len(solvers)), sharey=True)
    floor = floor_of([getattr(run, measure) for run in runs if run.solved])
    raised = False
    for board, axis in drawing.panels.items():
        groups = samples([run for run in runs if run.board == board], measure)
        for place, solver in enumerate(solvers):
            if solver not in groups:
                continue
            values, total = groups[solver]
            raised |= 0 in values
            if values:
                low, first, median, third, high = (max(value, floor) for value in five_numbers(values))
                dark = {"color": "0.15", "linewidth": 1.0}
                axis.hlines([place, place], [low, third], [first, high], **dark)
                axis.vlines([low, high], place - 0.14, place + 0.14, **dark)
                axis.fill([first, third, third, first], [place - 0.27] * 2 + [place + 0.27] * 2,
                          facecolor=style[solver]["color"] + "80", edgecolor="0.15", linewidth=1.0)
                axis.vlines([median], place - 0.27, place + 0.27, color="black", linewidth=1.8)
            axis.annotate(f"{len(values)} / {total}", (1, place), xycoords=("axes fraction", "data"), xytext=(6, 0),
                          textcoords="offset points", va="center", fontsize=8, annotation_clip=False,
                          weight="normal" if len(values) == total else "bold")
        axis.annotate("solved / runs", (1, 1), xycoords="axes fraction", xytext=(6, 2), textcoords="offset points",
                      va="bottom", fontsize=8)
        axis.set_xscale("log")
        axis.xaxis.get_major_locator().set_params(numticks=9)
        axis.set_xlabel(label)
        axis.set_ylim(len(solvers) - 0.4, -0.6)
        axis.set_yticks(range(len(solvers)), solvers, fontsize=8)
        axis.grid(False, axis="y")
    drawing.notes.append("Solved runs only. Box: quartiles and median; whiskers: minimum and maximum.")
    if any(not run.solved for run in runs):
        drawing.notes.append("Bold: solvers with unsolved runs, which their boxes do not include.")
    if raised:
        drawing.notes.append(f"Zeros are drawn at {floor:g}.")
    return drawing.finish(), None


def draw_solved_within(runs, experiment, measure, what, label):
    """The share of all runs solved within a budget, by budget."""
    if not any(run.solved for run in runs):
        return None, "no run is solved"
    boards = boards_of([run for run in runs if run.solved])
    style = styles(runs)
    drawing = Figure(experiment, f"runs solved within {what}", boards, (6.4 if len(boards) == 1 else 4.4, 3.9),
                     sharey=True)
    for board, axis in drawing.panels.items():
        groups = samples([run for run in runs if run.board == board], measure)
        everything = [value for sample in groups.values() for value in sample.values]
        floor = floor_of(everything)
        left, right = floor, max(max(everything), floor) * 1.3
        for solver, sample in groups.items():
            steps = solved_within(sample)
            budgets = [left] + [max(budget, floor) for budget, _ in steps] + [right]
            shares = [0.0] + [share for _, share in steps]
            shares.append(shares[-1])
            marked = list(range(1, len(steps) + 1, max(1, len(steps) // 8)))
            if shares[-1] < 100:
                marked.append(len(budgets) - 1)
            axis.step(budgets, shares, where="post", **style[solver], linewidth=1.3, markersize=4.5,
                      markevery=marked, clip_on=False)
        axis.set_xscale("log")
        axis.set_xlim(left, right)
        axis.set_ylim(0, 100)
        axis.set_xlabel(label)
        axis.yaxis.set_tick_params(labelleft=True)
    list(drawing.panels.values())[0].set_ylabel("solved, % of the solver's runs")
    drawing.entries = handles(style, set(style))
    unsolved = sum(not run.solved for run in runs)
    if unsolved:
        drawing.notes.append(f"{unsolved} of {len(runs)} runs were not solved; they count in the total.")
    unseen = [board for board in boards_of(runs) if board not in boards]
    if unseen:
        drawing.notes.append(f"Not shown, because no run is solved: {', '.join(unseen)}.")
    return drawing.finish(), None


# Name, columns that it needs, function that draws it.
FIGURES = [
    ("nodes_by_depth", ["optimal_length", "generated"],
     lambda runs, name: draw_by_depth(runs, name, "generated", "generated nodes", "generated nodes")),
    ("time_by_depth", ["optimal_length", "wall_s"],
     lambda runs, name: draw_by_depth(runs, name, "wall_s", "time", "wall-clock time (s)")),
    ("nodes_box", ["expanded"],
     lambda runs, name: draw_box(runs, name, "expanded", "expanded nodes")),
    ("solved_within_nodes", ["generated"],
     lambda runs, name: draw_solved_within(runs, name, "generated", "a number of nodes", "generated nodes")),
    ("solved_within_time", ["wall_s"],
     lambda runs, name: draw_solved_within(runs, name, "wall_s", "a time", "wall-clock time (s)")),
]


def prepare_matplotlib():
    """Loads matplotlib with fixed settings, whatever the user's are. Returns a folder to keep until the end."""
    keep = None
    if "MPLCONFIGDIR" not in os.environ:
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
        try:
            os.makedirs(os.path.join(base, "matplotlib"), exist_ok=True)
            usable = os.access(os.path.join(base, "matplotlib"), os.W_OK)
        except OSError:
            usable = False
        if not usable:
            keep = tempfile.TemporaryDirectory(prefix="tilelab-matplotlib-")
            os.environ["MPLCONFIGDIR"] = keep.name
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({"font.size": 9, "axes.labelsize": 9, "xtick.labelsize": 8, "ytick.labelsize": 8,
                                "svg.hashsalt": "tilelab", "svg.fonttype": "none", "backend": "Agg"})
    return keep


def draw_all(runs, columns, experiment, folder):
    """Draws what can be drawn; returns the paths written. Removes skipped figures of earlier calls."""
    from matplotlib import pyplot
    os.makedirs(folder, exist_ok=True)
    written = []
    for name, needed, draw in FIGURES:
        paths = [os.path.join(folder, f"{name}.{kind}") for kind in ("svg", "png")]
        absent = [column for column in needed if column not in columns]
        if absent:
            figure, reason = None, f"there is no column '{absent[0]}'"
        else:
            figure, reason = draw(runs, experiment)
        if figure is None:
            say(f"{name} is not drawn: {reason}")
            for path in paths:
                if os.path.exists(path):
                    os.remove(path)
            continue
        figure.savefig(paths[0], bbox_inches="tight", pad_inches=0.08, metadata={"Date": None, "Creator": None})
        figure.savefig(paths[1], bbox_inches="tight", pad_inches=0.08, dpi=200, metadata={"Software": None})
        pyplot.close(figure)
        written += paths
    return written


def main(arguments):
    parser = argparse.ArgumentParser(
        description="Draws the figures of a results folder, each as SVG and PNG.",
        epilog="Exit codes: 0 done, figures that cannot be drawn are reported; 1 the figures cannot be written; "
               "2 wrong usage or unusable input.")
    parser.add_argument("results", metavar="RESULTS", help="a results folder, or a runs.csv")
    parser.add_argument("-o", "--output", metavar="DIR", help="where to write (default: figures/ beside runs.csv)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text: the folder and the files written")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    options = parser.parse_args(arguments)

    path = options.results
    if os.path.isdir(path):
        path = os.path.join(path, "runs.csv")
    folder = options.output or os.path.join(os.path.dirname(path), "figures")
    try:
        runs, columns, experiment, complaints = read_runs(path)
        if not any(set(needed) <= columns for _, needed, _ in FIGURES):
            raise Unusable(f"{path}:1: none of the columns optimal_length, generated, expanded and wall_s exists; "
                           "expected the runs.csv that 'tilelab run' writes")
    except Unusable as error:
        say(error)
        return 2
    for complaint in complaints[:COMPLAINTS_SHOWN]:
        say(complaint)
    if len(complaints) > COMPLAINTS_SHOWN:
        say(f"and {len(complaints) - COMPLAINTS_SHOWN} more such messages")

    try:
        kept = prepare_matplotlib()
    except ImportError:
        say("matplotlib is missing; please install it (Debian: apt-get install python3-matplotlib)")
        return 1
    try:
        written = draw_all(runs, columns, experiment, folder)
        if options.json:
            print(json.dumps({"folder": folder, "files": written}, indent=4))
        elif not options.quiet:
            for path in written:
                print(path)
    except OSError as error:
        say(f"{error.filename or folder}: {error.strerror}; -o DIR writes elsewhere")
        return 1
    finally:
        if kept:
            kept.cleanup()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
