#!/usr/bin/python3
"""Draws the figures that `tilelab plot` computed: it is started by that (and by `report` and `predict --figure`), with their numbers as JSON on its standard
input, and computes nothing but places on the paper.

    tilelab plot RESULTS --json | plot.py DIR

draws the same (as SVG, 160 mm wide). Texts have the same size however wide the figure is. The same input gives the
same bytes.
"""
import copy
import errno
import hashlib
import html
import importlib.metadata
import io
import json
import logging
import math
import os
import re
import signal
import stat
import sys
import tempfile
import urllib.parse
import warnings
import zlib

MM = 1 / 25.4
PAD = 1.2  # mm between what stands side by side
TITLE, LABEL, SMALL, NOTE = 8, 7.5, 7, 6.5  # points
DARK, GREY, PALE = "0.15", "0.45", "0.88"
DPI = 200
SPOT = 1.8  # mm; the smallest place on which a mouse can rest
SIZES = {"*": 5, "P": 4.2, "d": 4.4}  # points; marks that look smaller than others
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Look:
    """What a task says of all its figures: width (mm), whether they have title and notes, font, settings of one's own."""

    def __init__(self, task):
        self.width, self.titled = task.get("width_mm", 160), not task.get("no_title")
        self.font, self.style = task.get("font", "sans"), task.get("style")
        self.settings = None
        if self.style:
            with open(self.style, encoding="utf-8") as file:
                self.settings = file.read()

    def follows_from(self):
        return [self.width, self.titled, self.font, self.settings]


def prepare_matplotlib(look=None):
    """Loads matplotlib with fixed settings, whatever the user's are, and those of a style. Returns a folder to keep until
    the end."""
    look = look or Look({})
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
    warnings.filterwarnings("ignore", "Glyph")  # the text is in the SVG all the same
    os.environ["MPLBACKEND"] = "agg"
    import matplotlib
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({
        "font.size": LABEL, "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"], "axes.labelsize": LABEL, "axes.linewidth": 0.6, "axes.edgecolor": GREY,
        "axes.labelcolor": DARK, "text.color": DARK, "xtick.color": GREY, "ytick.color": GREY,
        "xtick.labelcolor": DARK, "ytick.labelcolor": DARK, "xtick.labelsize": SMALL, "ytick.labelsize": SMALL,
        "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.major.size": 2.5, "ytick.major.size": 2.5,
        "xtick.minor.size": 1.2, "ytick.minor.size": 1.2, "text.parse_math": False, "axes.unicode_minus": False,
        "svg.hashsalt": "tilelab", "svg.fonttype": "none", "pdf.fonttype": 42, "savefig.dpi": DPI})
    if look.font == "serif":
        matplotlib.rcParams.update({"font.family": "serif", "font.serif": ["DejaVu Serif", "Georgia", "Times New Roman"]})
    if look.settings is not None:
        problems = io.StringIO()
        handler = logging.StreamHandler(problems)
        logging.getLogger("matplotlib").setLevel(logging.WARNING)
        logging.getLogger("matplotlib").addHandler(handler)  # matplotlib only mentions an unknown key
        settings = matplotlib.rc_params_from_file(look.style, fail_on_error=True, use_default_template=False)
        logging.getLogger("matplotlib").removeHandler(handler)
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        if problems.getvalue():
            raise ValueError(" ".join(problems.getvalue().split()))
        matplotlib.rcParams.update(settings)
    return keep


# Texts

WIDTHS = {}  # of texts that were measured before, by (text, size)


def width_of(figure, text, size):
    """Millimetres."""
    if (text, size) not in WIDTHS:
        from matplotlib.font_manager import FontProperties
        renderer = figure.canvas.get_renderer()
        WIDTHS[text, size] = max((renderer.get_text_width_height_descent(line, FontProperties(size=size), False)[0]
                                  for line in text.split("\n")), default=0) / figure.dpi / MM
    return WIDTHS[text, size]


def wrapped(figure, text, size, width):
    """Lines at most `width` mm wide: the text breaks at spaces, words that are too long behind ( , + : - and slashes, and
    where even that does not help, anywhere."""
    def fits(part):
        return width_of(figure, part.rstrip(), size) <= width

    def pieces(part, *patterns):
        if fits(part) or not patterns:
            return [part]
        return [piece for found in re.findall(patterns[0], part) if found for piece in pieces(found, *patterns[1:])]
    lines, line = [], ""
    for piece in pieces(text, r"\S*\s*", r"[^(,+:/-]*[(,+:/-]*", r"."):
        if line and not fits(line + piece):
            lines.append(line.rstrip())
            line = ""
        line += piece
    return "\n".join(lines + [line.rstrip()])


def height_of(text, size):
    return (text.count("\n") + 1) * size * 1.22 / 72 / MM


def whole_text(value):
    return f"{value:,.0f}"


def tick_text(value):
    """1,000, 0.25"""
    return whole_text(value) if value == round(value) else f"{value:,.12g}"


def short_texts(values):
    """0, 500; 5k, 15k; 1.25M, 1.5M: one unit for all."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if max(values) >= size and all(value % (size / 100) == 0 for value in values):
            return [f"{value / size:,.12g}{letter if value else ''}" for value in values]
    return [tick_text(value) if value < 1e7 else f"{value:.4g}" for value in values]


def log_texts(values):
    """One notation in an axis: 0.1, 1, 100; 500, 20,000; or, where plain numbers would be long, 10⁰, 10³, 10⁻⁵, 2·10⁻⁵."""
    exponents = [math.floor(math.log10(value) + 1e-9) for value in values]
    factors = [f"{value / 10 ** exponent:.6g}" for value, exponent in zip(values, exponents)]
    if all(0.01 <= value < (10000 if set(factors) == {"1"} else 1e6) for value in values):
        return [f"{value:g}" if value < 1000 else whole_text(value) for value in values]
    power = ["10" + str(exponent).translate(SUPERSCRIPTS) for exponent in exponents]
    return [text if factor == "1" else f"{factor}·{text}" for factor, text in zip(factors, power)]


def number_text(value):
    """A number of a table, to be read by itself: 1,234.5, 0.0123; of an unsolved run: unsolved."""
    if value is None:
        return "unsolved"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if value >= 1000 else f"{value:.6g}"


def share_text(value):
    """12.5 %"""
    return f"{100 * value:.4g} %"


def solved_text(row):
    return f"solved {whole_text(row['solved'])} of {whole_text(row['boards'])}"


# A page: title above, caption below, the rest between them

class Page:
    def __init__(self, spec, width, titled=True):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        self.spec, self.width = spec, width
        self.figure = Figure(figsize=(width * MM, 100 * MM), dpi=DPI)
        FigureCanvasAgg(self.figure)
        inside = width - 2 * PAD
        self.title = wrapped(self.figure, spec["title"], TITLE, inside) if titled else ""
        self.caption = wrapped(self.figure, spec["caption"], NOTE, inside) if titled else ""
        self.above = height_of(self.title, TITLE) + 2 * PAD if titled else PAD
        self.below = height_of(self.caption, NOTE) + 2.5 * PAD if titled else PAD
        self.height = 0
        self.told = {}  # {(left, right, bottom, top, link): the texts that are read there}

    def size(self, height):
        """Gives the page its height, of which `height` mm are between title and caption."""
        self.height = height + self.above + self.below
        self.figure.set_size_inches(self.width * MM, self.height * MM)
        self.text(PAD, self.height - PAD, self.title, TITLE, va="top")
        self.text(PAD, PAD, self.caption, NOTE, color=GREY, va="bottom")

    def text(self, x, y, text, size, **named):
        """At (x, y) mm from the lower left corner."""
        return self.figure.text(x / self.width, y / self.height, text, fontsize=size, linespacing=1.2, **named)

    def tell(self, text, *places, run_id=None):
        """What is read when a mouse rests on these places (mm) or between them, and the run to which a click leads.
        Texts of one place are read together unless each leads to its own run."""
        def reach(ends):
            more = max(0, SPOT - (max(ends) - min(ends))) / 2
            return round(min(ends) - more, 3), round(max(ends) + more, 3)
        link = None if run_id is None else "#run-" + urllib.parse.quote(run_id)
        xs, ys = zip(*places)
        self.told.setdefault((*reach(xs), *reach(ys), link), []).append(text)

    def centred(self, x, y, text):
        """A label above y, centred at x as far as the page is wide enough."""
        reach = width_of(self.figure, text, LABEL) / 2 + PAD
        self.text(min(max(x, reach), self.width - reach), y, text, LABEL, ha="center", va="bottom")

    def axes(self, left, bottom, width, height, **named):
        axes = self.figure.add_axes((left / self.width, bottom / self.height, width / self.width,
                                     height / self.height), **named)
        axes.set_axisbelow(True)
        axes.set_title("", y=1)  # else a place is looked for, above all ticks, each time that the axes are drawn
        axes.spines[["top", "right"]].set_visible(False)
        return axes

    def fit(self, axes, left, bottom, right, top):
        """Makes axes as large as they can be within this frame, ticks and labels included."""
        for _ in range(2):
            self.figure.draw_without_rendering()
            box = axes.get_tightbbox(self.figure.canvas.get_renderer())
            own = axes.get_window_extent()
            scale = 1 / self.figure.dpi / MM
            more = [(own.x0 - box.x0) * scale, (own.y0 - box.y0) * scale, (box.x1 - own.x1) * scale,
                    (box.y1 - own.y1) * scale]
            x0, y0, x1, y1 = left + more[0], bottom + more[1], right - more[2], top - more[3]
            axes.set_position((x0 / self.width, y0 / self.height, (x1 - x0) / self.width, (y1 - y0) / self.height))

    def all_millimetres(self, axes, points):
        """Where points of the data are on the page."""
        return [tuple(place) for place in (axes.transData.transform(points) / self.figure.dpi / MM).tolist()]

    def millimetres(self, axes, x, y):
        return self.all_millimetres(axes, [(x, y)])[0]


def style(look):
    """Of a line."""
    dashes = [float(length) for length in look["dashes"].split()]
    return {"color": look["colour"], "marker": look["mark"], "linestyle": (0, dashes) if dashes else "-",
            "linewidth": 1.1, "markersize": SIZES.get(look["mark"], 3.6), "markeredgewidth": 0.7}


def stacked(lines):
    """{name: (its place among the lines that run through the same points, how many those are)}"""
    same = {}
    for name, points in lines.items():
        same.setdefault(tuple(points), []).append(name)
    return {name: (place, len(names)) for names in same.values() for place, name in enumerate(names)}


def beneath(look, place, count):
    """The style of one of several lines on the same points: the lower, the wider, so that all can be seen."""
    return {**look, "linewidth": look["linewidth"] * (1 + 0.9 * (count - 1 - place))}


def groups(rows, key):
    """{value of the key: its rows}, in order."""
    found = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return found


def values_in(rows, *columns):
    return [row[column] for row in rows for column in columns if row[column] is not None]


def lifted(value, axis):
    """A value as it is drawn: zeros on a logarithmic axis have a place of their own."""
    return axis["zero_at"] if value == 0 and axis["log"] else value


def round_numbers(low, high, parts, whole):
    """Those from low to high that cut it into at most so many parts of one size."""
    least = max((high - low) / parts, whole)
    power = 10 ** math.floor(math.log10(least) + 1e-9)
    step = next(step for step in (power, 2 * power, 2.5 * power, 5 * power, 10 * power)
                if step >= least * (1 - 1e-9) and (not whole or step == round(step)))
    return [float(f"{number * step:.12g}") for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def powers(low, high, factors, stride=1):
    """Those of ten from low to high, times the factors."""
    found = [factor * 10.0 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
             if power % stride == 0 for factor in factors]
    return [value for value in found if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


def ticks_between(axis, low, high, parts):
    """Lists of ticks, ever fewer. Of one value alone, that value; no axis has less than two otherwise."""
    if low == high:
        return [[low]]
    if axis["log"]:
        kinds = [((1, 2, 5), 1), ((1, 3), 1)] if high / low < 150 else []
        found = [powers(low, high, *kind) for kind in kinds + [((1,), stride) for stride in range(1, 100)]]
        if len(found[0]) > 1:
            return [ticks for ticks in found if len(ticks) > 1]
    whole = axis["whole"] and math.floor(high) > math.ceil(low)
    found = [round_numbers(low, high, number, whole) for number in range(9, 0, -1)]
    return [ticks for ticks in found if 1 < len(ticks) <= parts + 1] or [ticks for ticks in found if len(ticks) > 1]


def texts_of(ticks, axis, few):
    if few and not axis["log"]:
        return short_texts(ticks)
    if len(ticks) == 1 and not axis["whole"]:
        return [number_text(ticks[0])]
    return log_texts(ticks) if axis["log"] else [tick_text(tick) for tick in ticks]


def reach(axis, low, high, unsolved):
    """Of an axis for values from low to high: its ends, where unsolved runs are drawn, and between what it has ticks."""
    low, high = lifted(low, axis), lifted(high, axis)
    if axis["log"]:
        span = math.log(high / low) or 1
        beyond = high * math.exp(0.1 * span)
        ends = (low * math.exp(-0.04 * span), (beyond if unsolved else high) * math.exp(0.04 * span))
    else:
        span = high - low or high or 1
        beyond = high + 0.1 * span
        ends = (low - 0.04 * span, (beyond if unsolved else high) + 0.04 * span)
    return ends, beyond, (low, high) if low == high else (ends[0], high if unsolved else ends[1])


def widest_tick(page, axis, low, high, unsolved):
    """Of a small axis; millimetres."""
    return max(width_of(page.figure, text, SMALL) for ticks in ticks_between(axis, *reach(axis, low, high, unsolved)[2], 5)
               for text in texts_of(ticks, axis, True))


def set_ticks(axes, name, axis, low, high, few):
    """As many as have room, with texts that do not touch each other. An axis of few values alone has these."""
    from matplotlib import ticker
    own, figure = getattr(axes, name + "axis"), axes.figure
    box = axes.get_window_extent()
    room = (box.width if name == "x" else box.height) / figure.dpi / MM
    across = math.log if axis["log"] else float
    first, last = (across(end) for end in getattr(axes, f"get_{name}lim")())
    parts = 5 if few else min(9, max(3, int(room // (11 if name == "x" else 7.4))))

    def place(tick):
        return (across(tick) - first) / (last - first) * room

    def sizes(ticks):
        return [width_of(figure, text, SMALL) if name == "x" else height_of(text, SMALL) - 0.8 for text in texts_of(ticks, axis, few)]

    def inside(ticks):
        """Without those that reach into the next panel."""
        return [tick for tick, size in zip(ticks, sizes(ticks)) if name == "y" or not few or size / 2 - 1.2 <= place(tick) <= room + 1.2 - size / 2]

    def fits(ticks):
        ends = [(place(tick) - size / 2, place(tick) + size / 2) for tick, size in zip(ticks, sizes(ticks))]
        return all(other[0] - one[1] >= 1.5 for one, other in zip(ends, ends[1:]))

    def thinned(values):
        """With both ends."""
        kept = values[:1]
        for value in values[1:-1]:
            if fits([kept[-1], value]) and fits([value, values[-1]]):
                kept.append(value)
        return kept + values[-1:]
    found = [inside(ticks) for ticks in ticks_between(axis, low, high, parts)]
    found += [ticks[::2] for ticks in found] + [[min(ticks, key=lambda tick: abs(place(tick) - room / 2))] for ticks in found if ticks]
    if 1 < len(axis.get("values", [])) <= 12:
        found.insert(0, inside(thinned(axis["values"])))
    ticks = next((ticks for ticks in found if len(ticks) > 1 and fits(ticks)), found[-1])
    texts = texts_of(ticks, axis, few)
    if few:
        draw_ticks(axes, name, ticks, texts if few == "labelled" else [])
        own.set_major_locator(ticker.NullLocator())
        own.set_label_coords(0, 0)  # it has no label, for which a place would be looked for beside all ticks
    else:
        own.set_major_locator(ticker.FixedLocator(ticks))
        own.set_major_formatter(ticker.FixedFormatter(texts))
        own.grid(True, which="major", color=PALE, linewidth=0.5)
    own.set_minor_locator(ticker.NullLocator())
    if axis["log"] and 150 <= high / low < 1e9:
        line_of_ticks(axes, name, powers(low, high, range(2, 10)), 1.2)


def line_of_ticks(axes, name, values, size):
    """All as one line: matplotlib makes, places and draws each tick by itself."""
    places, mark = ((values, [0] * len(values)), 3) if name == "x" else (([0] * len(values), values), 0)
    axes.plot(*places, transform=getattr(axes, f"get_{name}axis_transform")(), linestyle="none", marker=mark, markersize=size,
              markeredgewidth=0.6, color=GREY, clip_on=False, scalex=False, scaley=False, zorder=2.01, gid="ticks")


def draw_ticks(axes, name, ticks, texts):
    """Ticks, labels and grid of a small axis, at a fraction of matplotlib's cost."""
    line_of_ticks(axes, name, ticks, 2.5)
    grid = [value for tick in ticks for value in (tick, tick, math.nan)]  # one line with gaps
    across = [0, 1, math.nan] * len(ticks)
    along = getattr(axes, f"get_{name}axis_transform")()
    axes.plot(*((grid, across) if name == "x" else (across, grid)), transform=along, color=PALE, linewidth=0.5, zorder=0.5, scalex=False,
              scaley=False, gid="grid")
    for tick, text in zip(ticks, texts):
        axes.annotate(text, (tick, 0) if name == "x" else (0, tick), xycoords=along, xytext=(0, -6) if name == "x" else (-6, 0),
                      textcoords="offset points", ha="center" if name == "x" else "right", va="top" if name == "x" else "center_baseline",
                      fontsize=SMALL, annotation_clip=False)


def scale(axes, name, axis, low, high, unsolved=False, few=False):
    """Sets up an axis for values from low to high. Returns where unsolved runs are drawn, or None."""
    ends, beyond, between = reach(axis, low, high, unsolved)
    if axis["log"]:
        getattr(axes, f"set_{name}scale")("log")
    getattr(axes, f"set_{name}lim")(*ends)
    getattr(axes, f"set_{name}label")(axis["label"])
    set_ticks(axes, name, axis, *between, few)
    return beyond if unsolved else None


def spread(wanted, sizes, low, high):
    """Centres near those wanted (descending), so that labels of these sizes neither overlap nor leave low to high."""
    centres, edge = [], high
    for centre, size in zip(wanted, sizes):
        centre = min(centre, edge - size / 2)
        centres.append(centre)
        edge = centre - size / 2
    edge = low
    for place in reversed(range(len(centres))):
        centres[place] = max(centres[place], edge + sizes[place] / 2)
        edge = centres[place] + sizes[place] / 2
    return centres


class Labels:
    """A column of labels right of the axes, each with a piece of its line."""
    SAMPLE = 7  # mm

    def __init__(self, page, series, names):
        self.page, self.series = page, series
        widest = 0.42 * page.width - self.SAMPLE
        self.texts = {name: wrapped(page.figure, series[name]["label"], SMALL, widest) for name in names}
        self.width = 4 + self.SAMPLE + max(width_of(page.figure, text, SMALL) for text in self.texts.values()) + PAD
        self.height = sum(self.size(name) for name in names)

    def size(self, name):
        return height_of(self.texts[name], SMALL) + 0.5

    def draw(self, axes, ends):
        """`ends`: where each line ends in the data, or None for a column in the order of the names."""
        page, left = self.page, self.page.width - self.width
        box = axes.get_position()
        low, high = box.y0 * page.height, box.y1 * page.height
        names = list(self.texts)
        if ends is None:
            centres = spread([high] * len(names), [self.size(name) for name in names], low, high)
        else:
            places = {name: page.millimetres(axes, *ends[name]) for name in names}
            names.sort(key=lambda name: -places[name][1])
            centres = spread([places[name][1] for name in names], [self.size(name) for name in names], low, high)
        from matplotlib.lines import Line2D
        for name, centre in zip(names, centres):
            def line(x, y, **named):
                page.figure.add_artist(Line2D([value / page.width for value in x], [value / page.height for value in y],
                                              transform=page.figure.transFigure, **named))
            if ends is not None:
                line((places[name][0] + 0.8, left + 3.4), (places[name][1], centre), color=GREY, linewidth=0.35)
            line((left + 4, left + 4 + self.SAMPLE / 2, left + 3 + self.SAMPLE), (centre,) * 3, markevery=[1],
                 **style(self.series[name]))
            page.text(left + 4 + self.SAMPLE, centre, self.texts[name], SMALL, va="center_baseline"
                      if "\n" not in self.texts[name] else "center")


def with_labels(page, series, names):
    """Axes in a page with a column of labels; returns both and what fits them into the page."""
    labels = Labels(page, series, names)
    label = wrapped(page.figure, page.spec["x"]["label"], LABEL, page.width - labels.width - 12)
    between = max(min(0.58 * page.width, 85), 46, labels.height + height_of(label, LABEL) + 10)
    page.size(between)
    axes = page.axes(15, page.below + 10, page.width - labels.width - 17, between - 12)
    up = wrapped(page.figure, page.spec["y"]["label"], LABEL, between - height_of(label, LABEL) - 6.5)

    def fit():
        axes.set_xlabel(label)
        axes.set_ylabel(up)
        page.fit(axes, PAD, page.below, page.width - labels.width, page.height - page.above)
    return axes, labels, fit


def unsolved_line(axes, vertical, place, left=True):
    """The line on which unsolved runs are drawn."""
    draw = axes.axvline if vertical else axes.axhline
    draw(place, color=GREY, linewidth=0.6, linestyle=(0, (1, 2)), zorder=1)
    if vertical:
        axes.text(place, 1, "unsolved", transform=axes.get_xaxis_transform(), ha="right", va="bottom", fontsize=NOTE,
                  color=GREY)
    else:
        axes.text(0.01 if left else 0.99, place, "unsolved", transform=axes.get_yaxis_transform(), ha="left" if left else "right", va="bottom", fontsize=NOTE,
                  color=GREY)


def labelled(at_edge):
    """What is said of the ticks of a panel's axis: few, with labels only at the edge of the figure."""
    return "labelled" if at_edge else "bare"


def panels(page, spec, count, tick):
    """Places for as many panels, all of one size: gives the page its height and returns what makes the axes of each."""
    columns = min(count, max(2, int(page.width // 38)))
    lines = math.ceil(count / columns)
    label = wrapped(page.figure, spec["x"]["label"], LABEL, page.width - 2 * PAD)
    left, bottom, gap = 8 + tick, 6 + height_of(label, LABEL), 2.5
    side = (page.width - left - PAD - (columns - 1) * gap) / columns
    high, head = 0.75 * side, 2 * height_of("x", SMALL) + 1.5
    page.size(bottom + lines * (high + head))
    page.centred(left + (columns * (side + gap) - gap) / 2, page.below + 1, label)
    page.text(PAD, page.below + bottom + lines * (high + head) / 2, spec["y"]["label"], LABEL, rotation=90, va="center")

    def panel(number, title):
        line, column = divmod(number, columns)
        axes = page.axes(left + column * (side + gap), page.below + bottom + (lines - 1 - line) * (high + head), side, high)
        axes.annotate(wrapped(page.figure, title, SMALL, side), (0, 1), xycoords="axes fraction", xytext=(0, 2),
                      textcoords="offset points", va="bottom", fontsize=SMALL, linespacing=1.1)
        return axes, {"x": labelled(number + columns >= count), "y": labelled(column == 0)}
    return panel


def hollow(axes, places, rows, solved, look):
    """Marks what is not of all its boards."""
    part = [place for place, row in zip(places, rows) if row[solved] < row["boards"]]
    if part:
        axes.plot(*zip(*part), **{**look, "linestyle": "none", "markerfacecolor": "white", "zorder": 4})


def ended(axes, spec, rows, colour):
    """Ticks where runs ended unsolved."""
    places = [(lifted(row["cost"], spec["x"]), row["unsolved"]) for row in rows if row["censored"] > 0]
    if places:
        axes.plot(*zip(*places), linestyle="none", marker="|", markersize=6, markeredgewidth=0.9, color=colour)


def perfect(axes, longest):
    """The line on which a heuristic is the distance."""
    axes.plot((0, longest), (0, longest), color=GREY, linewidth=0.8, linestyle=(0, (1, 2)), scalex=False, scaley=False)


def draw_panels(page, spec, series, lines, x_of, y_of, text_of):
    """More lines than can be told apart: a panel for each, {name: rows}. Medians have the others in grey beneath them;
    shares, which have a step for each board, have not."""
    bands = "median" in spec["rows"][0]
    xs, ys = values_in(spec["rows"], x_of), values_in(spec["rows"], y_of) if bands else (0, 1)
    unsolved = bands and any(row[y_of] is None for row in spec["rows"])
    panel = panels(page, spec, len(lines), widest_tick(page, spec["y"], min(ys), max(ys), unsolved))
    points = {}
    for number, (name, rows) in enumerate(lines.items()):
        axes, few = panel(number, series[name]["label"])
        top = scale(axes, "y", {**spec["y"], "label": ""}, min(ys), max(ys), unsolved, few["y"])
        scale(axes, "x", {**spec["x"], "label": ""}, min(xs), max(xs), False, few["x"])
        if unsolved:
            axes.axhline(top, color=GREY, linewidth=0.6, linestyle=(0, (1, 2)), zorder=1)
        if spec["kind"] == "heuristic":
            perfect(axes, max(xs))
        points = points or {each: [(lifted(row[x_of], spec["x"]), top if row[y_of] is None else lifted(row[y_of], spec["y"]))
                                   for row in its_rows if row[x_of] is not None] for each, its_rows in lines.items()}
        if bands:  # one line with gaps
            grey = [point for other in lines if other != name for point in [*points[other], (math.nan, math.nan)]]
            axes.plot(*zip(*grey), color=PALE, linewidth=0.7, zorder=1, scalex=False, scaley=False)
        if not points[name]:  # nothing solved
            continue
        shape = points[name]
        if spec["kind"] == "distribution":  # it begins at 0 and ends at 1, wherever its steps are
            left, right = axes.get_xlim()
            shape = [(left, 0), *shape, (right, 1)]
        axes.plot(*zip(*shape), drawstyle="default" if bands else "steps-post", scalex=False, scaley=False,
                  **{**style(series[name]), "zorder": 3, "markevery": 1 if bands else 0.2})
        if spec["kind"] in ("by_length", "sweep"):
            hollow(axes, points[name], rows, "solved", style(series[name]))
        if spec["kind"] == "survival":
            ended(axes, spec, rows, series[name]["colour"])
        places = page.all_millimetres(axes, points[name])
        for place in range(len(places)) if bands else distinct(places):
            page.tell(f"{series[name]['label']}: {text_of(rows[place])}", places[place])


# The kinds of figures

def draw_bands(page, spec, series):
    """Medians and quartiles of several series over x."""
    key = "heuristic" if spec["kind"] == "heuristic" else "solver"
    solved = "known" if key == "heuristic" else "solved"
    across = {"rounds": "round", "incumbents": "cost", "sweep": "value"}.get(spec["kind"], "length")
    lines = groups(spec["rows"], key)
    across_text = number_text if across in ("cost", "value") else whole_text
    def text_of(row):
        return (f"{across} {across_text(row[across])}, median {number_text(row['median'])}, "
                f"quartiles {number_text(row['lower'])} and {number_text(row['upper'])}, "
                + (solved_text(row) if "solved" in row else f"n = {whole_text(row['boards'])}"))
    if spec["kind"] == "sweep":
        spec["x"]["values"] = sorted({lifted(row["value"], spec["x"]) for row in spec["rows"]})
    if spec["panels"]:
        draw_panels(page, spec, series, lines, across, "median", text_of)
        return
    axes, labels, fit = with_labels(page, series, list(lines))
    x, y = spec["x"], spec["y"]
    xs, ys = values_in(spec["rows"], across), values_in(spec["rows"], "lower", "median", "upper")
    unsolved = any(row["median"] is None or (spec["bands"] and row["upper"] is None) for row in spec["rows"])
    if spec["kind"] == "heuristic":
        ys = ys + [0]
    top = scale(axes, "y", y, min(ys), max(ys), unsolved)
    scale(axes, "x", x, min(xs), max(xs))
    if unsolved:
        unsolved_line(axes, False, top, spec["kind"] != "sweep" or all(rows[0]["median"] for rows in lines.values()))
    if spec["kind"] == "heuristic":
        perfect(axes, max(xs))

    def place(value):
        return top if value is None else lifted(value, y)
    ends = {}
    stacks = stacked({name: [(row[across], row["median"]) for row in rows] for name, rows in lines.items()})
    for name, rows in lines.items():
        look = beneath(style(series[name]), *stacks[name])
        places = [lifted(row[across], x) for row in rows]
        medians = [place(row["median"]) for row in rows]
        if spec["bands"]:
            axes.fill_between(places, [place(row["lower"]) for row in rows], [place(row["upper"]) for row in rows],
                              color=look["color"], alpha=0.16, linewidth=0)
        turn, count = stacks[name]
        axes.plot(places, medians, markevery=[number for number, row in enumerate(rows)
                                               if row[solved] == row["boards"] and number % count == turn], **look)
        hollow(axes, zip(places, medians), rows, solved, look)
        ends[name] = (places[-1], medians[-1])
    fit()
    for row in spec["rows"]:
        page.tell(f"{series[row[key]]['label']}: {text_of(row)}", page.millimetres(axes, lifted(row[across], x), place(row["median"])))
    labels.draw(axes, ends)


def distinct(places):
    """The numbers of those that a mouse can tell apart, the first and the last among them."""
    found = [0]
    for number in range(1, len(places)):
        if number == len(places) - 1 or math.dist(places[number], places[found[-1]]) >= SPOT:
            found.append(number)
    return found


def step_text(row):
    if "h" in row:
        return f"h {whole_text(row['h'])}, {share_text(row['share'])}"
    if "share" in row:
        across = "ratio" if "ratio" in row else "cost"
        return ("" if row[across] is None else f"{across} {number_text(row[across])}, ") + f"solved {share_text(row['share'])}"
    return (f"cost {number_text(row['cost'])}, unsolved {share_text(row['unsolved'])}, at risk {whole_text(row['at_risk'])}, "
            f"solved here {whole_text(row['solved'])}, ended unsolved here {whole_text(row['censored'])}")


def draw_steps(page, spec, series):
    """Shares that rise (or fall) step by step."""
    falling = spec["kind"] == "survival"
    cost = {"profile": "ratio", "distribution": "h"}.get(spec["kind"], "cost")
    share = "unsolved" if falling else "share"
    lines = groups(spec["rows"], "line" if spec["kind"] == "distribution" else "solver")
    if spec["panels"]:
        draw_panels(page, spec, series, lines, cost, share, step_text)
        return
    axes, labels, fit = with_labels(page, series, list(lines))
    xs = values_in(spec["rows"], cost)
    scale(axes, "y", spec["y"], 0, 1)
    scale(axes, "x", spec["x"], min(xs), max(xs))
    left, right = axes.get_xlim()
    stacks = stacked({name: [(row[cost], row[share]) for row in rows] for name, rows in lines.items()})
    for number, (name, rows) in enumerate(lines.items()):
        look = beneath(style(series[name]), *stacks[name])
        if rows[0][cost] is None:  # nothing solved
            axes.plot((left, right), (0, 0), clip_on=False, markevery=(0.02 + 0.03 * (number % 5), 0.15), **look)
            continue
        places = [lifted(row[cost], spec["x"]) for row in rows]
        shares = [row[share] for row in rows]
        start = 1 if spec["kind"] == "profile" else left
        end = places[-1] if falling and shares[-1] > 0 else right
        axes.step([start] + places + [end], [1 if falling else 0] + shares + [shares[-1]], where="post",
                  markevery=(0.02 + 0.03 * (number % 5), 0.15), **look)
        if falling:
            ended(axes, spec, rows, series[name]["colour"])
    fit()
    for name, rows in lines.items():
        places = page.all_millimetres(axes, [(right, 0) if row[cost] is None else (lifted(row[cost], spec["x"]), row[share]) for row in rows])
        for number in distinct(places):
            page.tell(f"{series[name]['label']}: {step_text(rows[number])}", places[number])
    labels.draw(axes, None)


def draw_lines(page, spec, series):
    """Numbers over a whole number, a line each, with intervals where there are any."""
    lines = groups(spec["rows"], "line")
    axes, labels, fit = with_labels(page, series, list(lines))
    x, y = spec["x"], spec["y"]
    scale(axes, "y", y, *(bound(values_in(spec["rows"], "value")) for bound in (min, max)))
    scale(axes, "x", x, *(bound(values_in(spec["rows"], "at")) for bound in (min, max)))
    lowest, highest = axes.get_ylim()
    stacks = stacked({name: [(row["at"], row["value"]) for row in rows] for name, rows in lines.items()})
    ends = {}
    for name, rows in lines.items():
        look = beneath(style(series[name]), *stacks[name])
        places = [row["at"] for row in rows]
        values = [lifted(row["value"], y) for row in rows]
        if rows[0]["error"] is not None:
            axes.fill_between(places, [max(lowest, row["value"] - row["error"]) for row in rows],
                              [min(highest, row["value"] + row["error"]) for row in rows], color=look["color"], alpha=0.16, linewidth=0)
        axes.plot(places, values, **look)
        ends[name] = (places[-1], values[-1])
    fit()
    for row in spec["rows"]:
        between = "" if row["error"] is None else f" +- {number_text(row['error'])}"
        page.tell(f"{series[row['line']]['label']}: {x['label']} {whole_text(row['at'])}, {number_text(row['value'])}{between}",
                  page.millimetres(axes, row["at"], lifted(row["value"], y)))
    labels.draw(axes, ends)


def draw_boxes(page, spec, series):
    """A box for each solver."""
    rows, x = spec["rows"], spec["x"]
    texts = [wrapped(page.figure, series[row["solver"]]["label"], SMALL, 0.36 * page.width) for row in rows]
    heights = [max(4.8, height_of(text, SMALL) + 1.4) for text in texts]
    centres = [sum(heights[:number]) + height / 2 for number, height in enumerate(heights)]
    page.size(sum(heights) + 16)
    left = PAD + 2 + max(width_of(page.figure, line, SMALL) for text in texts for line in text.split("\n"))
    axes = page.axes(left, page.below + 12, page.width - left - 14, sum(heights))
    xs = values_in(rows, "min", "lower", "median", "upper", "max")
    beyond = scale(axes, "x", x, min(xs), max(xs), any(row["max"] is None for row in rows))
    if beyond is not None:
        unsolved_line(axes, True, beyond)

    def place(value):
        return beyond if value is None else lifted(value, x)
    for centre, row in zip(centres, rows):
        look = series[row["solver"]]
        low, first, median, third, high = (place(row[key]) for key in ("min", "lower", "median", "upper", "max"))
        thin = {"color": DARK, "linewidth": 0.8}
        axes.bxp([{"whislo": low, "q1": first, "med": median, "q3": third, "whishi": high, "fliers": []}], [centre],
                 widths=2.6, vert=False, showfliers=False, patch_artist=True, manage_ticks=False,
                 boxprops={"facecolor": look["colour"] + "66", "edgecolor": DARK, "linewidth": 0.8},
                 medianprops={"color": DARK, "linewidth": 1.4}, whiskerprops=thin, capprops=thin)
        axes.plot([median], [centre], marker=look["mark"], color=look["colour"], markersize=4.6, markeredgecolor="white",
                  markeredgewidth=0.6, zorder=5)
        axes.annotate(f"{whole_text(row['solved'])} / {whole_text(row['boards'])}", (1, centre),
                      xycoords=("axes fraction", "data"), xytext=(5, 0), textcoords="offset points", va="center",
                      fontsize=SMALL, annotation_clip=False)
    axes.annotate("solved / n", (1, 1), xycoords="axes fraction", xytext=(5, 1), textcoords="offset points", va="bottom",
                  fontsize=NOTE, color=GREY, annotation_clip=False)
    axes.set_xlabel(wrapped(page.figure, x["label"], LABEL, page.width - left - 14))
    axes.set_ylim(sum(heights), 0)
    axes.set_yticks(centres, texts, fontsize=SMALL, linespacing=1.1)
    axes.tick_params(axis="y", length=0)
    page.fit(axes, PAD, page.below, page.width - PAD, page.height - page.above)
    for centre, row in zip(centres, rows):
        low, first, median, third, high = (number_text(row[key]) for key in ("min", "lower", "median", "upper", "max"))
        page.tell(f"{series[row['solver']]['label']}: minimum {low}, quartiles {first} and {third}, median {median}, maximum {high}, "
                  f"{solved_text(row)}",
                  *(page.millimetres(axes, place(row[key]), centre + up) for key, up in (("min", -1.3), ("max", 1.3))))


def draw_scatter(page, spec, series):
    """Panels, one for each solver, with the baseline's cost to the right and the solver's upwards."""
    panels = groups(spec["rows"], "solver")
    x = spec["x"]
    values = values_in(spec["rows"], "baseline_cost", "cost")
    unsolved = any(row["baseline_cost"] is None or row["cost"] is None for row in spec["rows"])
    columns = min(len(panels), max(2, int(page.width // 38)))
    lines = math.ceil(len(panels) / columns)
    left = 7 + widest_tick(page, x, min(values), max(values), unsolved)
    label = wrapped(page.figure, x["label"], LABEL, page.width - 2 * PAD)
    bottom, gap = 6 + height_of(label, LABEL), 2.5
    side = min((page.width - left - PAD - (columns - 1) * gap) / columns, 75)
    texts = {name: wrapped(page.figure, series[name]["label"], SMALL, side) for name in panels}
    head = max(height_of(text, SMALL) for text in texts.values()) + 2.5
    page.size(bottom + lines * (side + head))
    for number, (name, rows) in enumerate(panels.items()):
        line, column = divmod(number, columns)
        axes = page.axes(left + column * (side + gap), page.below + bottom + (lines - 1 - line) * (side + head), side, side)
        for direction, at_edge in (("x", number + columns >= len(panels)), ("y", column == 0)):
            beyond = scale(axes, direction, {**x, "label": ""}, min(values), max(values), unsolved, labelled(at_edge))
        low, high = axes.get_xlim()
        for factor, dashes in ((1, "-"), (10, (0, (4, 3))), (0.1, (0, (4, 3))))[:3 if max(values) >= 10 * min(values) else 1]:
            axes.plot((low, high), (low * factor, high * factor), color=GREY, linewidth=0.6, linestyle=dashes, zorder=1,
                      scalex=False, scaley=False)
        if unsolved:
            axes.axhline(beyond, color=GREY, linewidth=0.6, linestyle=(0, (1, 2)), zorder=1)
            axes.axvline(beyond, color=GREY, linewidth=0.6, linestyle=(0, (1, 2)), zorder=1)
        places = [[beyond if row[key] is None else lifted(row[key], x) for row in rows] for key in ("baseline_cost", "cost")]
        axes.scatter(*places, s=SIZES.get(series[name]["mark"], 3.6) ** 2, marker=series[name]["mark"], facecolor=series[name]["colour"], alpha=0.6,
                     linewidths=0, zorder=2, clip_on=False)
        for row, on_page in zip(rows, page.all_millimetres(axes, list(zip(*places)))):
            costs = [f"{series[row[key]]['label']} {row[status] if row[cost] is None else number_text(row[cost])}"
                     for key, cost, status in (("baseline", "baseline_cost", "baseline_status"), ("solver", "cost", "status"))]
            page.tell(f"{row['instance']}: {', '.join(costs)}", on_page, run_id=row["run_id"])
        axes.annotate(texts[name], (0, 1), xycoords="axes fraction", xytext=(0, 2), textcoords="offset points",
                      va="bottom", fontsize=SMALL, linespacing=1.1)
    page.centred(left + (columns * (side + gap) - gap) / 2, page.below + 1, label)
    page.text(PAD, page.below + bottom + lines * (side + head) / 2, spec["y"]["label"], LABEL, rotation=90, va="center")


def draw_ranks(page, spec, series):
    """Demsar's critical-difference diagram: best on the left; bars join what is not told apart."""
    rows = spec["rows"]
    bars = [(row["rank"], row["alike_up_to"]) for row in rows if row["alike_up_to"] is not None]
    # All labels on the right where they would leave the scale no room.
    half = (len(rows) + 1) // 2 if page.width >= 110 or len(rows) < 5 else 0
    texts = [wrapped(page.figure, f"{series[row['solver']]['label']}  {row['rank']:.2f}", SMALL,
                     (0.3 if half else 0.45) * page.width) for row in rows]
    heights = [max(4.2, height_of(text, SMALL) + 0.8) for text in texts]
    scale_top, bar_step = 13, 2
    depth = 3 + bar_step * len(bars)
    page.size(scale_top + depth + max(sum(heights[:half]), sum(heights[half:])) + 2)
    sides = [max([width_of(page.figure, text, SMALL) + 7 for text in part], default=4) for part in (texts[:half], texts[half:])]
    top = page.height - page.above - scale_top
    left, right = PAD + sides[0], page.width - PAD - sides[1]
    last = max(2, math.ceil(max(row["rank"] for row in rows)))

    def across(rank):
        return left + (rank - 1) / (last - 1) * (right - left)
    from matplotlib.lines import Line2D

    def line(points, **named):
        page.figure.add_artist(Line2D([x / page.width for x, _ in points], [y / page.height for _, y in points],
                                      transform=page.figure.transFigure, **{"color": DARK, "linewidth": 0.7, **named}))
    line([(left, top), (right, top)])
    apart = max(1, math.ceil(4.5 * (last - 1) / (right - left)))
    for rank in range(1, last + 1):
        line([(across(rank), top), (across(rank), top + 1.2)])
        if (rank - 1) % apart == 0:
            page.text(across(rank), top + 1.6, str(rank), SMALL, ha="center", va="bottom")
    page.centred((left + right) / 2, top + 5, spec["x"]["label"])
    difference = rows[0]["critical_difference"]
    if difference is not None:
        end = min(across(1 + difference), right)
        line([(left, top + 10), (end, top + 10)], linewidth=1.6)
        page.text(end + 1, top + 10, f"CD {difference:.3g}", SMALL, va="center")
    for number, (low, high) in enumerate(bars):
        y = top - 2.2 - number * bar_step
        ends = (across(low) - 0.7, y), (across(high) + 0.7, y)
        line(ends, linewidth=2.2, solid_capstyle="butt")
        page.tell(f"not told apart: average ranks {number_text(low)} to {number_text(high)}", *ends)
    for number, (row, text) in enumerate(zip(rows, texts)):
        look, at = series[row["solver"]], across(row["rank"])
        ahead = number < half
        y = top - depth - heights[number] / 2 - (sum(heights[:number]) if ahead else sum(heights[number + 1:]))
        edge = left - 2 if ahead else right + 2
        line([(at, top), (at, y), (edge, y)], color=look["colour"], linewidth=0.8)
        page.tell(f"{look['label']}: average rank {number_text(row['rank'])}", (at, y), (edge, y))
        line([(edge, y)], color=look["colour"], marker=look["mark"], markersize=3.8, linestyle="none")
        page.text(edge - 1.8 if ahead else edge + 1.8, y, text, SMALL, ha="right" if ahead else "left", va="center_baseline"
                  if "\n" not in text else "center")


def draw_pareto(page, spec, series):
    """A point for each solver, its cost to the right and its length upwards; a line joins those that no other beats."""
    rows, x, y = spec["rows"], spec["x"], spec["y"]
    axes, labels, fit = with_labels(page, series, [row["solver"] for row in rows])
    scale(axes, "y", y, *(bound(values_in(rows, "ratio")) for bound in (min, max)))
    scale(axes, "x", x, *(bound(values_in(rows, "cost")) for bound in (min, max)))
    front = sorted({(row["cost"], row["ratio"]) for row in rows if row["efficient"]})
    axes.step(*zip(*front), where="post", color=GREY, linewidth=0.8, zorder=1)
    for row in rows:
        look = style(series[row["solver"]])
        axes.plot([row["cost"]], [row["ratio"]], **{**look, "linestyle": "none"}, zorder=2, clip_on=False)
    fit()
    for row in rows:
        page.tell(f"{series[row['solver']]['label']}: cost {number_text(row['cost'])}, length / optimum {number_text(row['ratio'])}"
                  + (", on the front" if row["efficient"] else ""), page.millimetres(axes, row["cost"], row["ratio"]))
    labels.draw(axes, {row["solver"]: (row["cost"], row["ratio"]) for row in rows})


KINDS = {"by_length": draw_bands, "heuristic": draw_bands, "rounds": draw_bands, "incumbents": draw_bands, "sweep": draw_bands,
         "box": draw_boxes, "quality": draw_boxes, "memory": draw_boxes, "cover": draw_boxes, "scatter": draw_scatter, "solved_within": draw_steps, "targets": draw_steps, "survival": draw_steps,
         "profile": draw_steps, "distribution": draw_steps, "lines": draw_lines, "ranks": draw_ranks, "pareto": draw_pareto}


def draw(spec, series, width, titled=True):
    """The page of one figure."""
    page = Page(spec, width, titled)
    KINDS[spec["kind"]](page, spec, series)
    return page


# Files

def spots(page):
    """What a mouse reads on a page, as SVG: transparent places above all that is drawn."""
    def number(millimetres):
        return f"{millimetres * MM * 72:.2f}".rstrip("0").rstrip(".")
    parts = []
    for (left, right, bottom, top, link), texts in page.told.items():
        opening, closing = ("<g>", "</g>") if link is None else (f'<a xlink:href="{link}">', "</a>")
        words = html.escape("\n".join(texts), quote=False)
        parts.append(f'{opening}<title>{words}</title><rect x="{number(left)}" y="{number(page.height - top)}" '
                     f'width="{number(right - left)}" height="{number(top - bottom)}"/>{closing}\n')
    return f'<g fill-opacity="0">\n{"".join(parts)}</g>\n'


def finished_svg(text, page):
    """With a title, a description, names that are this figure's own (several can stand in one page of HTML), and what
    each value says when a mouse rests on it; without what makes it larger than it need be."""
    spec = page.spec
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r'\n\s*|\stransform="rotate\(-0 [^"]*"', lambda found: "\n" if found[0][0] == "\n" else "", text)
    text = re.sub(r'\s(?:d|x|y|transform)="[^"]*"', lambda found: re.sub(
        r"\d+\.\d+", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), found[0]), text)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)
    prefix = f"f{zlib.crc32(spec['name'].encode()):08x}"
    text = re.sub(r'(\sid="|url\(#|xlink:href="#)', rf"\g<1>{prefix}-", text)
    words = f"<title>{html.escape(spec['title'])}</title>\n <desc>{html.escape(spec['caption'])}</desc>\n "
    text = re.sub(r"(<svg [^>]*)(>\s*)", lambda found: f'{found[1]} role="img"{found[2]}{words}', text, count=1)
    return text.replace("</svg>", spots(page) + "</svg>")


def bytes_of(page, kind):
    """The figure as a file of this kind."""
    out = io.BytesIO()
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None},
                "pdf": {"CreationDate": None, "Creator": None, "Producer": None}}[kind]
    page.figure.savefig(out, format=kind, metadata=metadata)
    if kind != "svg":
        return out.getvalue()
    return finished_svg(out.getvalue().decode(), page).encode()


def write(path, data):
    """Whole or not at all, and through no link."""
    part = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.part")
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(errno.EEXIST, "it is not a regular file", path)
    try:
        with open(part, "wb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)) as file:
            file.write(data)
        os.replace(part, path)
    except BaseException:
        if os.path.lexists(part):
            os.remove(part)
        raise


class Drawn:
    """What was drawn into a folder by earlier calls: for each file, what it shows and what its bytes were, so that a figure
    that would come out the same is not drawn again."""

    def __init__(self, folder, series, look):
        self.folder, self.files = folder, {}
        with open(__file__, "rb") as file:
            script = hash_of(file.read())
        self.common = [script, version_of_matplotlib(), hash_of(json.dumps(series, sort_keys=True).encode()), look.follows_from()]
        self.path = os.path.join(folder, ".drawn.json")
        try:
            if stat.S_ISREG(os.lstat(self.path).st_mode):
                with open(self.path, "rb") as file:
                    found = json.load(file)
                self.files = found if isinstance(found, dict) else {}
        except (OSError, ValueError, RecursionError):
            pass  # everything is drawn

    def shown(self, spec, kind):
        """A hash of all that a file follows from."""
        return hash_of(json.dumps([self.common, spec, kind], sort_keys=True).encode())

    def has(self, spec, kind):
        name = f"{spec['name']}.{kind}"
        path = os.path.join(self.folder, name)
        if name not in self.files:
            return False
        try:
            if not stat.S_ISREG(os.lstat(path).st_mode):
                return False
            with open(path, "rb") as file:
                return self.files[name] == [self.shown(spec, kind), hash_of(file.read())]
        except OSError:
            return False

    def note(self, spec, kind, data):
        self.files[f"{spec['name']}.{kind}"] = [self.shown(spec, kind), hash_of(data)]

    def keep(self):
        there = {name: found for name, found in self.files.items() if os.path.lexists(os.path.join(self.folder, name))}
        write(self.path, json.dumps(there, sort_keys=True, indent=0).encode())


def hash_of(data):
    return hashlib.sha256(data).hexdigest()


def version_of_matplotlib():
    """Without loading it."""
    try:
        return importlib.metadata.version("matplotlib")
    except importlib.metadata.PackageNotFoundError:
        return None


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stdout if arguments in (["-h"], ["--help"]) else sys.stderr)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    folder = arguments[0]
    task = json.load(sys.stdin.buffer)
    elsewhere = task.get("elsewhere", "-o DIR")
    try:
        look = Look(task)
    except (OSError, UnicodeDecodeError) as error:
        print(f"tilelab plot: --style {task['style']}: {getattr(error, 'strerror', None) or 'it is not a text in UTF-8'}", file=sys.stderr)
        return 1
    drawn = Drawn(folder, task["series"], look) if task.get("remembered") else None
    wanted = [(spec, [kind for kind in task.get("formats", ["svg"]) if not (drawn and drawn.has(spec, kind))])
              for spec in task["figures"]]
    kept = None
    try:
        if any(kinds for _, kinds in wanted):
            kept = prepare_matplotlib(look)
        for spec, kinds in wanted:
            page = draw(copy.deepcopy(spec), task["series"], look.width, look.titled) if kinds else None
            for kind in kinds:
                data = bytes_of(page, kind)
                write(os.path.join(folder, f"{spec['name']}.{kind}"), data)
                if drawn:
                    drawn.note(spec, kind, data)
            if not look.titled:
                write(os.path.join(folder, f"{spec['name']}.txt"), f"{spec['title']}\n\n{spec['caption']}\n".encode())
        if drawn:
            drawn.keep()
    except ImportError:
        print("tilelab plot: matplotlib is missing; please install it (Debian: apt-get install python3-matplotlib)",
              file=sys.stderr)
        return 1
    except ValueError as error:
        if look.settings is None:
            raise
        print(f"tilelab plot: --style {look.style}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tilelab plot: {error.filename or folder}: {error.strerror}; {elsewhere} writes elsewhere", file=sys.stderr)
        return 1
    finally:
        if kept:
            kept.cleanup()
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a word, also in the middle of an import
    sys.exit(main(sys.argv[1:]))
