#!/usr/bin/python3
"""Draws the figures that `tilelab plot` computed: it is started by that (and by `report` and `predict --figure`), with their numbers as JSON on its standard
input, and computes nothing but places on the paper (paper.py).

    tilelab plot RESULTS --json | plot.py DIR

draws the same (as SVG, 160 mm wide). Texts have the same size however wide the figure is. The same input gives the
same bytes.
"""
import errno
import functools
import io
import json
import math
import os
import signal
import stat
import sys

sys.dont_write_bytecode = True  # where it is installed is not for users to write
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from paper import DARK, GREY, PALE, POINT, SPOT, SUPERSCRIPTS, Paper

# What only some calls need is imported where it is used: all of it would take longer than the rest of the start.
RENDERED = {"png", "pdf"}  # by matplotlib
PAD = 1.2  # mm between what stands side by side
TITLE, LABEL, SMALL, NOTE = 8, 7.5, 7, 6.5  # points
TICK, TO_TEXT = 2.5 * POINT, 6 * POINT  # mm from an axis: where its ticks end, where their texts begin
DOTTED, DASHED = (0.8, 1.4), (3, 2.2)
THEORIES = "1 1.5", "4 1.5", "4 1.5 1 1.5", "8 1.5", "2.5 2.5"  # dashes of lines of which no run is


class Look:
    """What a task says of all its figures: width (mm), whether they have title and notes, font, settings of one's own."""

    # Settings of matplotlib that change something here, and what they are called on paper.
    HONOURED = {"figure.facecolor": "paper", "axes.facecolor": "panel", "axes.edgecolor": "frame", "axes.linewidth": "frame_width",
                "text.color": "ink", "xtick.color": "tick", "axes.labelcolor": "label", "axes.grid": "gridded", "grid.color": "grid",
                "grid.linewidth": "grid_width", "grid.linestyle": "grid_style", "lines.linewidth": "line", "lines.markersize": "mark",
                "axes.prop_cycle": "colours", "savefig.dpi": "dpi"}
    SIZES = {"axes.titlesize": TITLE, "axes.labelsize": LABEL, "xtick.labelsize": SMALL, "legend.fontsize": NOTE}

    def __init__(self, task):
        self.width, self.titled = task.get("width_mm", 160), not task.get("no_title")
        self.font, self.style = task.get("font", "sans"), task.get("style")
        self.text, self.settings = None, {}
        if self.style:
            with open(self.style, encoding="utf-8") as file:
                self.text = file.read()

    def follows_from(self):
        return [self.width, self.titled, self.font, self.text]

    def read_style(self):
        """Reads the settings by matplotlib. ValueError: it does not understand them."""
        import logging
        import matplotlib.colors
        problems = io.StringIO()
        handler = logging.StreamHandler(problems)
        logging.getLogger("matplotlib").setLevel(logging.WARNING)
        logging.getLogger("matplotlib").addHandler(handler)  # matplotlib only mentions an unknown key
        found = matplotlib.rc_params_from_file(self.style, fail_on_error=True, use_default_template=False)
        logging.getLogger("matplotlib").removeHandler(handler)
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        if problems.getvalue():
            raise ValueError(" ".join(problems.getvalue().split()))
        honoured = ["font.family", "font.serif", "font.sans-serif", "font.size", *self.SIZES, *self.HONOURED]
        idle = sorted(key for key in found if key not in honoured)
        if idle:
            print(f"tilelab plot: --style {self.style}: {', '.join(idle)} changes nothing; what does: {', '.join(honoured)}", file=sys.stderr)
        for key, name in self.HONOURED.items():
            if key in found:
                self.settings[name] = matplotlib.colors.to_hex(found[key]) if key.endswith("color") else found[key]
        if "colours" in self.settings:
            self.settings["colours"] = [matplotlib.colors.to_hex(colour) for colour in found["axes.prop_cycle"].by_key().get("color", [])]
        if "grid_style" in self.settings:
            self.settings["grid_style"] = {"--": DASHED, "dashed": DASHED, ":": DOTTED, "dotted": DOTTED}.get(found["grid.linestyle"], ())
        self.read_sizes(found)
        family = list(found.get("font.family", []))
        if family or found.get("font.serif") or found.get("font.sans-serif"):
            self.font = "serif" if "serif" in family else self.font
            self.settings["families"] = [name for name in family if name not in ("serif", "sans-serif")] or list(
                found.get("font.serif" if self.font == "serif" else "font.sans-serif", [])) or None


    def read_sizes(self, found):
        """Points, or words that are relative to font.size, which scales what has no size of its own."""
        from matplotlib.font_manager import font_scalings
        base = found.get("font.size")
        self.settings["sizes"] = {size: size * base / SMALL for size in self.SIZES.values()} if base else {}
        for key, size in self.SIZES.items():
            own = found.get(key)
            if own is not None:
                self.settings["sizes"][size] = (base or SMALL) * font_scalings[own] if own in font_scalings else float(own)

    def recoloured(self, series):
        """The series, each of their colours replaced by one of the style's, as far as it has as many."""
        colours = list(dict.fromkeys(look["colour"] for look in series.values()))
        own = dict(zip(colours, self.settings.get("colours", [])))
        return {name: {**look, "colour": own.get(look["colour"], look["colour"])} for name, look in series.items()}


def prepare_matplotlib():
    """What its renderers need, whatever the user's settings are. Returns a folder to keep until the end."""
    import logging
    import tempfile
    import warnings
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
    matplotlib.rcParams.update({"pdf.fonttype": 42, "text.parse_math": False, "axes.unicode_minus": False})
    return keep


# Texts

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

class Page(Paper):
    def __init__(self, spec, width, titled=True, font="sans", settings=None):
        super().__init__(width, font, settings)
        self.spec, self.axes = spec, []
        inside = width - 2 * PAD
        self.title = self.wrapped(spec["title"], TITLE, inside) if titled else ""
        self.caption = self.wrapped(spec["caption"], NOTE, inside) if titled else ""
        self.above = self.height_of(self.title, TITLE) + 2 * PAD if titled else PAD
        self.below = self.height_of(self.caption, NOTE) + 2.5 * PAD if titled else PAD

    def size(self, height):
        """Gives the page its height, of which `height` mm are between title and caption."""
        self.height = height + self.above + self.below
        self.text(PAD, self.height - PAD, self.title, TITLE, va="top")
        self.text(PAD, PAD, self.caption, NOTE, va="bottom", colour=GREY)

    def centred(self, x, y, text):
        """A label above y, centred at x as far as the page is wide enough."""
        reach = self.width_of(text, LABEL) / 2 + PAD
        self.text(min(max(x, reach), self.width - reach), y, text, LABEL, "middle", "bottom", self.settings.get("label"))


class Axes:
    """A rectangle with two scales. It has its scales before it has its place, and its place before anything is drawn in it."""

    def __init__(self, page):
        self.page, self.scales, self.place_of, self.lines, self.words = page, {}, {}, [], {}
        page.axes.append(self)

    def scale(self, name, axis, low, high, unsolved=False):
        """For values from low to high. Returns where unsolved runs are drawn, or None."""
        ends, beyond, between = reach(axis, low, high, unsolved)
        self.scales[name] = {"axis": axis, "ends": ends, "between": between, "unsolved": beyond if unsolved else None}
        return self.scales[name]["unsolved"]

    def along(self, name, value):
        """Millimetres."""
        (low, high), (start, size) = self.scales[name]["ends"], self.place_of[name]
        if self.scales[name]["axis"]["log"]:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return start + (value - low) / (high - low) * size

    def at(self, x, y):
        return self.along("x", x), self.along("y", y)

    def all_at(self, points):
        return [self.at(*point) for point in points]

    def ticks(self, name, room, few):
        """Those for an axis of this length, with their texts."""
        own = self.scales[name]
        return ticks_within(self.page, name, own, room, few)

    def place(self, left, bottom, width, height, few=None):
        """Draws what is there before the data. `few`: by axis, that it is one of a panel, and whether its ticks have texts."""
        page, frame = self.page, {"colour": self.page.settings.get("frame", GREY), "width": self.page.settings.get("frame_width", 0.6)}
        self.place_of = {"x": (left, width), "y": (bottom, height)}
        right, top = left + width, bottom + height
        if "panel" in page.settings:
            page.box(left, bottom, right, top, fill=page.settings["panel"])
        grid, marks, texts = [], [], []
        for name, (start, size) in self.place_of.items():
            own, small = self.scales[name], (few or {}).get(name)
            ticks, words = self.ticks(name, size, small)
            self.words[name] = words
            for tick, word in zip(ticks, words):
                at = self.along(name, tick)
                grid += [(at, bottom), (at, top), None] if name == "x" else [(left, at), (right, at), None]
                marks += [(at, bottom), (at, bottom - TICK), None] if name == "x" else [(left, at), (left - TICK, at), None]
                texts += [(name, at, word, SMALL, page.settings.get("tick"))] if small != "bare" else []
            low, high = own["between"]
            if own["axis"]["log"] and 150 <= high / low < 1e9:
                for tick in powers(max(low, 2 * (own["axis"]["zero_at"] or 0)), high, range(2, 10)):
                    at = self.along(name, tick)
                    marks += [(at, bottom), (at, bottom - TICK / 2), None] if name == "x" else [(left, at), (left - TICK / 2, at), None]
            if name == "y" and own["unsolved"] is not None and small != "bare":
                texts.append((name, self.along(name, own["unsolved"]), "unsolved", NOTE, GREY))
        if page.settings.get("gridded", True):
            page.path(grid, colour=page.settings.get("grid", PALE), width=page.settings.get("grid_width", 0.5), dashes=page.settings.get("grid_style", ()))
        page.path(marks + [(left, top), (left, bottom), (right, bottom)], **frame)
        for name, at, word, size, colour in texts:
            if name == "x":
                page.text(at, bottom - TO_TEXT, word, size, "middle", "top", colour)
            else:
                page.text(left - TO_TEXT, at, word, size, "right", "middle", colour)

    def fit(self, left, bottom, right, top, across, up):
        """Places it as large as it can be within this frame, with ticks and labels."""
        page = self.page
        low = bottom + page.height_of(across, LABEL) + 0.6 + page.height_of("0", SMALL) + TO_TEXT
        height = top - low - 1.3
        words = [] if "y" not in self.scales else self.ticks("y", height, None)[1]
        start = left + (page.height_of(up, LABEL) + 0.8 if up else 0) + TO_TEXT + max((page.width_of(word, SMALL) for word in words), default=0)
        if self.scales["y"]["unsolved"] is not None:
            start = max(start, left + (page.height_of(up, LABEL) + 0.8 if up else 0) + TO_TEXT + page.width_of("unsolved", NOTE))
        width = right - start - 1
        ticks, words = self.ticks("x", width, None)
        self.place_of = {"x": (start, width)}
        width -= max(0, self.along("x", ticks[-1]) + page.width_of(words[-1], SMALL) / 2 - right)
        self.place(start, low, width, height)
        page.centred(start + width / 2, bottom, across)
        page.text(left, low + height / 2, up, LABEL, "middle", "top", page.settings.get("label"), upwards=True)

    def line(self, points, look, steps=False, every=None, whole=False):
        """Through points of the data, with marks at those that `every` numbers, or, if it is a pair, from one place on every so many
        millimetres."""
        self.lines.append((points, look))
        places = self.all_at(points)
        if steps:
            places = thinned(places)
            places = places[:1] + [place for before, after in zip(places, places[1:]) for place in ((after[0], before[1]), after)]
        self.page.path(places, colour=look["colour"], width=look["width"], dashes=[length * 1.1 for length in look["dashes"]])
        marked = along_path(places, *every) if isinstance(every, tuple) else places if every is None else [places[place] for place in every]
        self.page.marks(marked, look["mark"], look["size"], look["colour"], look["colour"])

    def rule(self, start, end, dashes=(), width=0.6):
        """A grey straight line between points of the data, as far as it is in the rectangle."""
        ends = clipped(self.at(*start), self.at(*end), self.place_of)
        if ends:
            self.lines.append(([start, end], None))
            self.page.path(ends, colour=GREY, width=width, dashes=dashes)

    def unsolved_line(self, name="y"):
        """The line on which unsolved runs are drawn, if there are any."""
        place, (low, high) = self.scales[name]["unsolved"], self.scales["x" if name == "y" else "y"]["ends"]
        if place is not None:
            self.rule(*(((low, place), (high, place)) if name == "y" else ((place, low), (place, high))), dashes=DOTTED)


def thinned(places, least=0.05):
    """The places of a path without those less than so many millimetres from the one before, which nobody sees."""
    kept = places[:1]
    for place in places[1:-1]:
        if max(abs(place[0] - kept[-1][0]), abs(place[1] - kept[-1][1])) >= least:
            kept.append(place)
    return kept + places[1:][-1:]


def clipped(start, end, box):
    """The part of a straight line that is in a box of {axis: (start, size)}, or None (Liang and Barsky)."""
    first, last = 0.0, 1.0
    for number, name in enumerate("xy"):
        low, size = box[name]
        step = end[number] - start[number]
        for distance, bound in ((-step, start[number] - low), (step, low + size - start[number])):
            if distance == 0 and bound < -1e-9:
                return None
            if distance < 0:
                first = max(first, bound / distance)
            elif distance > 0:
                last = min(last, bound / distance)
    if first > last:
        return None
    return [tuple(start[number] + part * (end[number] - start[number]) for number in (0, 1)) for part in (first, last)]


def along_path(places, first, step):
    """Places on a path, from `first` mm on every `step` mm."""
    found, wanted, gone = [], first, 0.0
    for (x, y), (next_x, next_y) in zip(places, places[1:]):
        length = math.dist((x, y), (next_x, next_y))
        while length > 0 and wanted <= gone + length:
            part = (wanted - gone) / length
            found.append((x + part * (next_x - x), y + part * (next_y - y)))
            wanted += step
        gone += length
    return found


def style(look, page):
    """Of a line and its marks."""
    return {"colour": look["colour"], "mark": look["mark"], "dashes": [float(length) for length in look["dashes"].split()],
            "width": page.settings.get("line", 1.1), "size": page.settings.get("mark", 4.2)}


def stacked(lines):
    """{name: (its place among the lines that run through the same points, how many those are)}"""
    same = {}
    for name, points in lines.items():
        same.setdefault(tuple(points), []).append(name)
    return {name: (place, len(names)) for names in same.values() for place, name in enumerate(names)}


def beneath(look, place, count):
    """The style of one of several lines on the same points: the lower, the wider, so that all can be seen."""
    return {**look, "width": look["width"] * (1 + 0.9 * (count - 1 - place))}


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
    widths = [page.width_of(text, SMALL) for ticks in ticks_between(axis, *reach(axis, low, high, unsolved)[2], 5) for text in texts_of(ticks, axis, True)]
    return max(widths + ([page.width_of("unsolved", NOTE)] if unsolved else []))


def ticks_within(page, name, scale, room, few):
    """As many as have room, with texts that do not touch each other. An axis of few values alone has these."""
    axis, (low, high) = scale["axis"], scale["between"]
    across = math.log if axis["log"] else float
    first, last = (across(end) for end in scale["ends"])
    parts = 5 if few else min(9, max(3, int(room // (11 if name == "x" else 7.4))))

    def place(tick):
        return (across(tick) - first) / (last - first) * room
    highest = room if scale["unsolved"] is None or name == "x" else place(scale["unsolved"]) - page.height_of("x", SMALL)

    def sizes(ticks):
        return [page.width_of(text, SMALL) if name == "x" else page.height_of(text, SMALL) - 0.8 for text in texts_of(ticks, axis, few)]

    def inside(ticks):
        """Without those that reach into the next panel, or lie on the word at the line of unsolved runs."""
        return [tick for tick, size in zip(ticks, sizes(ticks)) if
                (place(tick) <= highest if name == "y" else not few or size / 2 - 1.2 <= place(tick) <= room + 1.2 - size / 2)]

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
    if axis["log"] and axis["zero_at"] and low <= axis["zero_at"]:  # there are zeros, whose place is no number
        ticks = [tick for tick in ticks if place(tick) - place(axis["zero_at"]) > (5 if name == "x" else 3)]
        return [axis["zero_at"], *ticks], ["0", *texts_of(ticks, axis, few)]
    return ticks, texts_of(ticks, axis, few)


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
        self.texts = {name: page.wrapped(series[name]["label"], SMALL, widest) for name in names}
        self.width = 4 + self.SAMPLE + max(page.width_of(text, SMALL) for text in self.texts.values()) + PAD
        self.height = sum(self.size(name) for name in names)

    def size(self, name):
        return self.page.height_of(self.texts[name], SMALL) + 0.5

    def draw(self, axes, ends):
        """`ends`: where each line ends in the data, or None for a column in the order of the names."""
        page, left = self.page, self.page.width - self.width
        low, high = axes.place_of["y"][0], sum(axes.place_of["y"])
        names = list(self.texts)
        if ends is None:
            centres = spread([high] * len(names), [self.size(name) for name in names], low, high)
        else:
            places = {name: axes.at(*ends[name]) for name in names}
            names.sort(key=lambda name: -places[name][1])
            centres = spread([places[name][1] for name in names], [self.size(name) for name in names], low, high)
        for name, centre in zip(names, centres):
            look = style(self.series[name], page)
            if ends is not None:
                page.path([(places[name][0] + 0.8, places[name][1]), (left + 3.4, centre)], colour=GREY, width=0.35)
            page.path([(left + 4, centre), (left + 3 + self.SAMPLE, centre)], colour=look["colour"], width=look["width"],
                      dashes=[length * 1.1 for length in look["dashes"]])
            page.marks([(left + 4 + self.SAMPLE / 2, centre)], look["mark"], look["size"], look["colour"], look["colour"])
            page.text(left + 4 + self.SAMPLE, centre, self.texts[name], SMALL, va="middle")


def with_labels(page, series, names):
    """Axes in a page with a column of labels; returns both and what fits them into the page."""
    labels = Labels(page, series, names)
    label = page.wrapped(page.spec["x"]["label"], LABEL, page.width - labels.width - 12)
    between = max(min(0.58 * page.width, 85), 46, labels.height + page.height_of(label, LABEL) + 10)
    page.size(between)
    axes = Axes(page)
    up = page.wrapped(page.spec["y"]["label"], LABEL, between - page.height_of(label, LABEL) - 6.5)

    def fit():
        axes.fit(PAD, page.below, page.width - labels.width, page.height - page.above, label, up)
    return axes, labels, fit


def labelled(at_edge):
    """What is said of the ticks of a panel's axis: few, with labels only at the edge of the figure."""
    return "labelled" if at_edge else "bare"


def panels(page, spec, titles, tick, shape=0.75, most=1000):
    """Places for panels of these titles, all of one size: gives the page its height and returns what makes the axes of each. `shape`:
    their height over their width, which is `most` mm at most."""
    count = len(titles)
    columns = min(count, max(2, int(page.width // 38)))
    label = page.wrapped(spec["x"]["label"], LABEL, page.width - 2 * PAD)
    left, bottom, gap = 7 + tick, 6 + page.height_of(label, LABEL), 2.5
    while math.ceil(count / columns) * (shape * page.width / columns + 5) > 230 and page.width / columns > 25:  # rather small than over a page
        columns += 1
    lines = math.ceil(count / columns)
    side = min((page.width - left - PAD - (columns - 1) * gap) / columns, most)
    titles = [page.wrapped(title, SMALL, side) for title in titles]
    high, head = shape * side, max(page.height_of(title, SMALL) for title in titles) + 2
    page.size(bottom + lines * (high + head))
    page.centred(left + (columns * (side + gap) - gap) / 2, page.below + 1, label)
    page.text(PAD, page.below + bottom + lines * (high + head) / 2, page.wrapped(spec["y"]["label"], LABEL, lines * (high + head)), LABEL, "middle", "top",
              page.settings.get("label"), upwards=True)

    def panel(number, scales):
        """`scales`: the values between which each axis reaches."""
        line, column = divmod(number, columns)
        axes = Axes(page)
        for name, own in scales.items():
            axes.scale(name, *own)
        axes.place(left + column * (side + gap), page.below + bottom + (lines - 1 - line) * (high + head), side, high,
                   {"x": labelled(number + columns >= count), "y": labelled(column == 0)})
        page.text(axes.place_of["x"][0], sum(axes.place_of["y"]) + 0.7, titles[number], SMALL, va="bottom")
        return axes
    return panel


def hollow(axes, points, rows, solved, look):
    """Marks what is not of all its boards."""
    part = [point for point, row in zip(points, rows) if row[solved] < row["boards"]]
    if part:
        axes.lines.append((part, "hollow"))
        axes.page.marks(axes.all_at(part), look["mark"], look["size"], "#ffffff", look["colour"], 0.8)


def ended(axes, spec, rows, colour):
    """Ticks where runs ended unsolved."""
    points = [(lifted(row["cost"], spec["x"]), row["unsolved"]) for row in rows if row["censored"] > 0]
    if points:
        axes.lines.append((points, "ended"))
        axes.page.marks(axes.all_at(points), "|", 6, colour)


def share_line(axes, points, kind, look, few, first):
    """A line of shares, from its beginning to the end of the axis. `few`: in a panel."""
    left, right = axes.scales["x"]["ends"]
    start = (left, 1) if kind == "survival" else (1, 0) if kind == "profile" else (left, 0)
    end = [] if kind == "survival" and points and points[-1][1] > 0 else [(right, points[-1][1] if points else 0)]
    size = math.hypot(axes.place_of["x"][1], axes.place_of["y"][1])
    axes.line([start, *points, *end], look, steps=True, every=((0.02 + 0.03 * (first % 5)) * size, (0.3 if few else 0.15) * size))


def draw_panels(page, spec, series, lines, x_of, y_of, text_of):
    """More lines than can be told apart: a panel for each, {name: rows}. Medians have the others in grey beneath them;
    shares, which have a step for each board, have not."""
    bands = "median" in spec["rows"][0]
    xs, ys = values_in(spec["rows"], x_of), values_in(spec["rows"], y_of) if bands else (0, 1)
    unsolved = bands and any(row[y_of] is None for row in spec["rows"])
    panel = panels(page, spec, [series[name]["label"] for name in lines], widest_tick(page, spec["y"], min(ys), max(ys), unsolved))
    scales = {"y": (spec["y"], min(ys), max(ys), unsolved), "x": (spec["x"], min(xs), max(xs))}
    for number, (name, rows) in enumerate(lines.items()):
        axes, look = panel(number, scales), style(series[name], page)
        axes.unsolved_line()
        if spec["kind"] == "heuristic":
            axes.rule((0, 0), (max(xs), max(xs)), DOTTED, 0.8)
        top = axes.scales["y"]["unsolved"]
        points = {each: [(lifted(row[x_of], spec["x"]), top if row[y_of] is None else lifted(row[y_of], spec["y"]))
                         for row in its_rows if row[x_of] is not None] for each, its_rows in lines.items()}  # none: nothing solved
        if bands:  # one line with gaps
            grey = [point for other in lines if other != name for point in [*axes.all_at(points[other]), None]]
            page.path(grey, colour="#D0D0D0", width=0.7)
            axes.line(points[name], look)
        else:
            share_line(axes, points[name], spec["kind"], look, True, number)
        if spec["kind"] in ("by_length", "sweep"):
            hollow(axes, points[name], rows, "solved", look)
        if spec["kind"] == "survival":
            ended(axes, spec, rows, look["colour"])
        places = axes.all_at(points[name] or [(axes.scales["x"]["ends"][1], 0)])
        for place in range(len(places)) if bands else distinct(places):
            page.tell(f"{series[name]['label']}: {text_of(rows[place])}", places[place])


# The kinds of figures

def draw_bands(page, spec, series):
    """Medians and quartiles of several series over x."""
    key = "heuristic" if spec["kind"] == "heuristic" else "solver"
    solved = "known" if key == "heuristic" else "solved"
    across = {"rounds": "round", "incumbents": "cost", "sweep": "value"}.get(spec["kind"], "length")
    named = spec["optimum"] if across == "length" else across
    lines = groups(spec["rows"], key)
    across_text = number_text if named in ("cost", "value") else whole_text

    def text_of(row):
        if solved == "solved" and row["boards"] is None:
            return f"{named} {across_text(row[across])}, {number_text(row['median'])}"
        return (f"{named} {across_text(row[across])}, median {number_text(row['median'])}, "
                f"quartiles {number_text(row['lower'])} and {number_text(row['upper'])}, "
                + (solved_text(row) if "solved" in row else f"n = {whole_text(row['boards'])}"))
    theories = [name for name, rows in lines.items() if "solved" in rows[0] and rows[0]["boards"] is None]
    series = {**series, **{name: {**series[name], "colour": DARK, "mark": "", "dashes": THEORIES[number % len(THEORIES)]} for number, name in enumerate(theories)}}
    x, y = dict(spec["x"]), spec["y"]
    if spec["kind"] == "sweep":
        x["values"] = sorted({lifted(row["value"], x) for row in spec["rows"]})
    if spec["panels"]:
        draw_panels(page, {**spec, "x": x}, series, lines, across, "median", text_of)
        return
    axes, labels, fit = with_labels(page, series, list(lines))
    xs, ys = values_in(spec["rows"], across), values_in(spec["rows"], "lower", "median", "upper")
    unsolved = any(row["median"] is None or (spec["bands"] and row["upper"] is None) for row in spec["rows"])
    top = axes.scale("y", y, min(ys + [0] if spec["kind"] == "heuristic" else ys), max(ys), unsolved)
    axes.scale("x", x, min(xs), max(xs))
    fit()
    axes.unsolved_line()
    if spec["kind"] == "heuristic":
        axes.rule((0, 0), (max(xs), max(xs)), DOTTED, 0.8)

    def place(value):
        return top if value is None else lifted(value, y)
    stacks = stacked({name: [(row[across], row["median"]) for row in rows] for name, rows in lines.items()})
    points = {name: [(lifted(row[across], x), place(row["median"])) for row in rows] for name, rows in lines.items()}
    for name, rows in lines.items() if spec["bands"] else ():
        if name in theories:
            continue
        edges = [[axes.at(lifted(row[across], x), place(row[edge])) for row in rows] for edge in ("lower", "upper")]
        page.path(edges[0] + edges[1][::-1] + edges[0][:1], fill=series[name]["colour"], alpha=0.16)
    for name, rows in lines.items():
        turn, count = stacks[name]
        axes.line(points[name], beneath(style(series[name], page), turn, count),
                  every=[number for number, row in enumerate(rows) if row[solved] == row["boards"] and number % count == turn])
    for name, rows in lines.items():
        if name not in theories:
            hollow(axes, points[name], rows, solved, style(series[name], page))
        for point, row in zip(points[name], rows):
            page.tell(f"{series[name]['label']}: {text_of(row)}", axes.at(*point))
    labels.draw(axes, {name: own[-1] for name, own in points.items()})


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
    cost = {"profile": "ratio", "distribution": "h"}.get(spec["kind"], "cost")
    share = "unsolved" if spec["kind"] == "survival" else "share"
    lines = groups(spec["rows"], "line" if spec["kind"] == "distribution" else "solver")
    if spec["panels"]:
        draw_panels(page, spec, series, lines, cost, share, step_text)
        return
    axes, labels, fit = with_labels(page, series, list(lines))
    xs = values_in(spec["rows"], cost)
    axes.scale("y", spec["y"], 0, 1)
    axes.scale("x", spec["x"], min(xs), max(xs))
    fit()
    right = axes.scales["x"]["ends"][1]
    stacks = stacked({name: [(row[cost], row[share]) for row in rows] for name, rows in lines.items()})
    for number, (name, rows) in enumerate(lines.items()):
        points = [(lifted(row[cost], spec["x"]), row[share]) for row in rows if row[cost] is not None]  # none: nothing solved
        share_line(axes, points, spec["kind"], beneath(style(series[name], page), *stacks[name]), False, number)
        if spec["kind"] == "survival":
            ended(axes, spec, rows, series[name]["colour"])
        places = axes.all_at(points or [(right, 0)])
        for place in distinct(places):
            page.tell(f"{series[name]['label']}: {step_text(rows[place])}", places[place])
    labels.draw(axes, None)


def draw_lines(page, spec, series):
    """Numbers over a whole number, a line each, with intervals where there are any."""
    lines = groups(spec["rows"], "line")
    axes, labels, fit = with_labels(page, series, list(lines))
    x, y = spec["x"], spec["y"]
    axes.scale("y", y, *(bound(values_in(spec["rows"], "value")) for bound in (min, max)))
    axes.scale("x", x, *(bound(values_in(spec["rows"], "at")) for bound in (min, max)))
    fit()
    lowest, highest = axes.scales["y"]["ends"]
    stacks = stacked({name: [(row["at"], row["value"]) for row in rows] for name, rows in lines.items()})
    ends = {}
    for name, rows in lines.items():
        points = [(row["at"], lifted(row["value"], y)) for row in rows]
        if rows[0]["error"] is not None:
            edges = [[axes.at(row["at"], min(highest, max(lowest, row["value"] + sign * row["error"]))) for row in rows] for sign in (-1, 1)]
            page.path(edges[0] + edges[1][::-1] + edges[0][:1], fill=series[name]["colour"], alpha=0.16)
        axes.line(points, beneath(style(series[name], page), *stacks[name]))
        ends[name] = points[-1]
        for row, point in zip(rows, points):
            between = "" if row["error"] is None else f" +- {number_text(row['error'])}"
            page.tell(f"{series[name]['label']}: {x['label']} {whole_text(row['at'])}, {number_text(row['value'])}{between}", axes.at(*point))
    labels.draw(axes, ends)


def draw_boxes(page, spec, series):
    """A box for each solver; of one value alone, its mark."""
    rows, x = spec["rows"], spec["x"]
    texts = [page.wrapped(series[row["solver"]]["label"], SMALL, 0.36 * page.width) for row in rows]
    heights = [max(4.8, page.height_of(text, SMALL) + 1.4) for text in texts]
    left = PAD + 2 + max(page.width_of(text, SMALL) for text in texts)
    solved = [f"{whole_text(row['solved'])} / {whole_text(row['boards'])}" for row in rows]
    right = page.width - PAD - max(page.width_of(text, SMALL) for text in solved + ["solved / n"]) - 1.8
    label = page.wrapped(x["label"], LABEL, page.width - left - 14)
    under = page.height_of(label, LABEL) + 0.6 + page.height_of("0", SMALL) + TO_TEXT
    page.size(sum(heights) + under + 4)
    xs = values_in(rows, "min", "lower", "median", "upper", "max") + [1] * (spec["kind"] == "cover")
    axes = Axes(page)
    beyond = axes.scale("x", x, min(xs), max(xs), any(row["max"] is None for row in rows))
    axes.scales["y"] = {"axis": {"log": False, "whole": False, "values": []}, "ends": (sum(heights), 0), "between": (0, 0), "unsolved": None}
    axes.place(left, page.below + under, right - left, sum(heights), {"y": "bare"})
    axes.unsolved_line("x")
    if spec["kind"] == "cover":
        axes.rule((1, 0), (1, sum(heights)), DOTTED, 0.9)
    top = sum(axes.place_of["y"])
    if beyond is not None:
        page.text(axes.along("x", beyond), top + 0.6, "unsolved", NOTE, "right", "bottom", GREY)
    page.text(page.width - PAD, top + 0.6, "solved / n", NOTE, "right", "bottom", GREY)

    def place(value):
        return axes.along("x", beyond if value is None else lifted(value, x))
    gone = 0
    for row, height, text, of in zip(rows, heights, texts, solved):
        look = style(series[row["solver"]], page)
        y = top - gone - height / 2
        gone += height
        low, first, median, third, high = (place(row[key]) for key in ("min", "lower", "median", "upper", "max"))
        whiskers = [(low, y), (first, y), None, (third, y), (high, y), None, (low, y - 0.65), (low, y + 0.65), None, (high, y - 0.65), (high, y + 0.65)]
        if high > low:
            page.path(whiskers, colour=DARK, width=0.8)
        if third > first:
            page.box(first, y - 1.3, third, y + 1.3, fill="#ffffff")
            page.box(first, y - 1.3, third, y + 1.3, fill=look["colour"], alpha=0.4)
            page.box(first, y - 1.3, third, y + 1.3, colour=DARK, width=0.8)
        if high > low:
            page.path([(median, y - 1.3), (median, y + 1.3)], colour=DARK, width=1.4)
        page.marks([(median, y)], look["mark"], 1.1 * look["size"], look["colour"], "#ffffff", 0.5)
        page.text(left - 1.2, y, text, SMALL, "right", "middle")
        page.text(page.width - PAD, y, of, SMALL, "right", "middle")
        numbers = [number_text(row[key]) for key in ("min", "lower", "upper", "median", "max")]
        page.tell("{}: minimum {}, quartiles {} and {}, median {}, maximum {}, {}".format(series[row["solver"]]["label"], *numbers, solved_text(row)),
                  (low, y - 1.3), (high, y + 1.3))
    page.centred(left + (right - left) / 2, page.below, label)


def draw_scatter(page, spec, series):
    """Panels, one for each solver, with the baseline's cost to the right and the solver's upwards."""
    own, x = groups(spec["rows"], "solver"), spec["x"]
    values = values_in(spec["rows"], "baseline_cost", "cost")
    unsolved = any(row["baseline_cost"] is None or row["cost"] is None for row in spec["rows"])
    panel = panels(page, spec, [series[name]["label"] for name in own], widest_tick(page, x, min(values), max(values), unsolved), 1, 75)
    scales = {name: (x, min(values), max(values), unsolved) for name in "xy"}
    for number, (name, rows) in enumerate(own.items()):
        axes, look = panel(number, scales), style(series[name], page)
        low, high = axes.scales["x"]["ends"]
        for factor, dashes in ((1, ()), (10, DASHED), (0.1, DASHED))[:3 if max(values) >= 10 * min(values) else 1]:
            axes.rule((low, low * factor), (high, high * factor), dashes)
        axes.unsolved_line("x")
        axes.unsolved_line("y")
        beyond = axes.scales["x"]["unsolved"]
        places = axes.all_at([tuple(beyond if row[key] is None else lifted(row[key], x) for key in ("baseline_cost", "cost")) for row in rows])
        page.marks(places, look["mark"], look["size"], look["colour"], None, alpha=0.6)
        for row, place in zip(rows, places):
            costs = [f"{series[row[key]]['label']} {row[status] if row[cost] is None else number_text(row[cost])}"
                     for key, cost, status in (("baseline", "baseline_cost", "baseline_status"), ("solver", "cost", "status"))]
            page.tell(f"{row['instance']}: {', '.join(costs)}", place, run_id=row["run_id"])


def draw_ranks(page, spec, series):
    """Demsar's critical-difference diagram: best on the left; bars join what is not told apart."""
    rows = spec["rows"]
    bars = [(row["rank"], row["alike_up_to"]) for row in rows if row["alike_up_to"] is not None]
    # All labels on the right where they would leave the scale no room.
    half = (len(rows) + 1) // 2 if page.width >= 110 or len(rows) < 5 else 0
    texts = [page.wrapped(f"{series[row['solver']]['label']}  {row['rank']:.2f}", SMALL, (0.3 if half else 0.45) * page.width) for row in rows]
    heights = [max(4.2, page.height_of(text, SMALL) + 0.8) for text in texts]
    scale_top, bar_step = 13, 2
    depth = 3 + bar_step * len(bars)
    page.size(scale_top + depth + max(sum(heights[:half]), sum(heights[half:])) + 2)
    sides = [max([page.width_of(text, SMALL) + 7 for text in part], default=4) for part in (texts[:half], texts[half:])]
    top = page.height - page.above - scale_top
    left, right = PAD + sides[0], page.width - PAD - sides[1]
    last = max(2, math.ceil(max(row["rank"] for row in rows)))

    def across(rank):
        return left + (rank - 1) / (last - 1) * (right - left)

    def line(points, colour=DARK, width=0.7):
        page.path(points, colour=colour, width=width)
    line([(left, top), (right, top)])
    apart = max(1, math.ceil(4.5 * (last - 1) / (right - left)))
    for rank in range(1, last + 1):
        line([(across(rank), top), (across(rank), top + 1.2)])
        if (rank - 1) % apart == 0:
            page.text(across(rank), top + 1.6, str(rank), SMALL, "middle", "bottom")
    page.centred((left + right) / 2, top + 5, spec["x"]["label"])
    difference = rows[0]["critical_difference"]
    if difference is not None:
        end = min(across(1 + difference), right)
        line([(left, top + 10), (end, top + 10)], width=1.6)
        page.text(end + 1, top + 10, f"CD {difference:.3g}", SMALL, va="middle")
    for number, (low, high) in enumerate(bars):
        y = top - 2.2 - number * bar_step
        ends = (across(low) - 0.7, y), (across(high) + 0.7, y)
        line(ends, width=2.2)
        page.tell(f"not told apart: average ranks {number_text(low)} to {number_text(high)}", *ends)
    for number, (row, text) in enumerate(zip(rows, texts)):
        look, at = style(series[row["solver"]], page), across(row["rank"])
        ahead = number < half
        y = top - depth - heights[number] / 2 - (sum(heights[:number]) if ahead else sum(heights[number + 1:]))
        edge = left - 2 if ahead else right + 2
        line([(at, top), (at, y), (edge, y)], colour=look["colour"], width=0.8)
        page.tell(f"{series[row['solver']]['label']}: average rank {number_text(row['rank'])}", (at, y), (edge, y))
        page.marks([(edge, y)], look["mark"], look["size"], look["colour"], look["colour"])
        page.text(edge - 1.8 if ahead else edge + 1.8, y, text, SMALL, "right" if ahead else "left", "middle")


def beside(page, frame, places, texts, ways):
    """Where texts stand, [(left, bottom, right, top)]: each as near to its place as it can be without lying on another text or
    place, and rather on no line (of `ways`). `frame`: left, bottom, right, top, which they do not leave."""
    sizes = [(page.width_of(text, SMALL), page.height_of(text, SMALL)) for text in texts]
    dots, found = [(x - 1, y - 1, x + 1, y + 1) for x, y in places], {}
    crowd = [sum(math.dist(one, other) < 15 for other in places) for one in places]

    def over(one, other):
        return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

    def through(start, end, box):
        return clipped(start, end, {"x": (box[0], box[2] - box[0]), "y": (box[1], box[3] - box[1])}) is not None

    def worth(own, number, away):
        """The less, the better; infinite where it cannot stand."""
        if own[0] < frame[0] or own[1] < frame[1] or own[2] > frame[2] or own[3] > frame[3] or any(over(own, dot) for dot in dots):
            return math.inf
        if any(over(own, other) for other in found.values()):
            return math.inf
        start, end = leader(places[number], own)
        return away + 2 * sum(through(*way, own) for way in ways) + 4 * sum(through(start, end, other) for other in found.values())
    for number in sorted(range(len(places)), key=lambda number: (-round(sizes[number][0] / 15), -crowd[number])):
        (x, y), (wide, high), best = places[number], sizes[number], (math.inf, None)
        for away in (0.4, 1, 2, 3.5, 5, 7, 10, 13, 17, 22, 30, 40, 55):
            if best[0] <= away:
                break
            for turn in range(24):
                across, up = math.cos(math.pi * turn / 12), math.sin(math.pi * turn / 12)
                left = x + across * (away + 1.1) + wide / 2 * (max(-1, min(1, 1.6 * across)) - 1)
                bottom = y + up * (away + 1.1) + high / 2 * (max(-1, min(1, 1.6 * up)) - 1)
                own = (left, bottom, left + wide, bottom + high)
                best = min(best, (worth(own, number, away + 0.1 * (turn != 0)), own), key=lambda pair: pair[0])
        found[number] = best[1] or (min(x + 1.2, frame[2] - wide), y, min(x + 1.2, frame[2] - wide) + wide, y + high)
    return [found[number] for number in range(len(places))]


def leader(place, box):
    """From a place to the nearest point of a box."""
    return place, (min(max(place[0], box[0]), box[2]), min(max(place[1], box[1]), box[3]))


def draw_pareto(page, spec, series):
    """A point for each solver, its cost to the right and its excess length upwards; a line joins those that no other beats. Solvers
    that differ in a parameter alone are a curve with its values written on it."""
    rows, x, y = spec["rows"], spec["x"], spec["y"]
    curves = groups([row for row in rows if row["family"]], "family")
    for curve in curves.values():
        curve.sort(key=lambda row: row["value"])
    names = [row["family"] or row["solver"] for row in rows]
    texts = [series[name]["label"] if not row["family"] else number_text(row["value"])
             + (f": {series[name]['label']}" if row is curves[name][-1] else "") for name, row in zip(names, rows)]
    texts = [page.wrapped(text, SMALL, 0.5 * page.width) for text in texts]
    area = sum(page.width_of(text, SMALL) * page.height_of(text, SMALL) for text in texts)
    label = page.wrapped(x["label"], LABEL, page.width - 20)
    between = max(46, min(0.55 * page.width, 85), 5 * area / (page.width - 18))
    page.size(between)
    axes = Axes(page)
    axes.scale("y", y, *(bound(values_in(rows, "excess")) for bound in (min, max)))
    axes.scale("x", x, *(bound(values_in(rows, "cost")) for bound in (min, max)))
    axes.fit(PAD, page.below, page.width - PAD, page.height - page.above, label, page.wrapped(y["label"], LABEL, between - 12))
    places = [axes.at(row["cost"], lifted(row["excess"], y)) for row in rows]
    front = sorted({place for place, row in zip(places, rows) if row["efficient"]})
    steps = [place for before, after in zip(front, front[1:]) for place in (before, (after[0], before[1]), after)]
    page.path(steps, colour=GREY, width=0.8, dashes=DASHED if curves else ())
    ways = list(zip(steps, steps[1:]))
    for name, curve in curves.items():
        look = style(series[name], page)
        points = [(row["cost"], lifted(row["excess"], y)) for row in curve]
        axes.line(points, look, every=[])
        ways += list(zip(axes.all_at(points), axes.all_at(points[1:])))
    left, bottom = axes.place_of["x"][0], axes.place_of["y"][0]
    word = spec["optimum"]
    boxes = beside(page, (left + 0.5, bottom + 0.5, page.width - PAD, sum(axes.place_of["y"]) + 1), places, texts, ways)
    for row, place, box in zip(rows, places, boxes):
        start, end = leader(place, box)
        if math.dist(start, end) > 2.2:
            page.path([start, end], colour=GREY, width=0.35)
    for name, row, place, text, box in zip(names, rows, places, texts, boxes):
        look = style(series[name], page)
        page.marks([place], look["mark"], look["size"], look["colour"], look["colour"])
        page.text(box[0], (box[1] + box[3]) / 2, text, SMALL, va="middle")
        page.tell(f"{series[row['solver']]['label']}: cost {number_text(row['cost'])}, {word} / optimum {number_text(row['ratio'])}"
                  + (", on the front" if row["efficient"] else ""), place)


KINDS = {"by_length": draw_bands, "heuristic": draw_bands, "rounds": draw_bands, "incumbents": draw_bands, "sweep": draw_bands,
         "box": draw_boxes, "quality": draw_boxes, "memory": draw_boxes, "cover": draw_boxes, "scatter": draw_scatter, "solved_within": draw_steps, "targets": draw_steps, "survival": draw_steps,
         "profile": draw_steps, "distribution": draw_steps, "lines": draw_lines, "ranks": draw_ranks, "pareto": draw_pareto}


def draw(spec, series, width, titled=True, font="sans", settings=None):
    """The page of one figure."""
    page = Page(spec, width, titled, font, settings)
    KINDS[spec["kind"]](page, spec, series)
    return page


def bytes_of(page, kind):
    """The figure as a file of this kind."""
    return page.svg(page.spec["name"], page.spec["title"], page.spec["caption"]) if kind == "svg" else getattr(page, kind)()


# Files

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
        self.common = [script, hash_of(json.dumps(series, sort_keys=True).encode()), look.follows_from()]
        self.style = look.style
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
        renderer = version_of_matplotlib() if kind in RENDERED or self.style else None
        return hash_of(json.dumps([self.common, spec, kind, renderer], sort_keys=True).encode())

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
    import hashlib
    return hashlib.sha256(data).hexdigest()


@functools.cache
def version_of_matplotlib():
    """Without loading it."""
    import importlib.metadata
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
    kinds = {kind for _, kinds in wanted for kind in kinds}
    kept = None
    try:
        if kinds & RENDERED or (kinds and look.style):
            kept = prepare_matplotlib()
        if kinds and look.style:
            look.read_style()
        series = look.recoloured(task["series"])
        for spec, kinds in wanted:
            pages = {}  # with and without title
            for kind in kinds:
                titled = look.titled and kind != "tikz"
                if titled not in pages:
                    pages[titled] = draw(spec, series, look.width, titled, look.font, look.settings)
                data = bytes_of(pages[titled], kind)
                write(os.path.join(folder, f"{spec['name']}.{kind}"), data)
                if drawn:
                    drawn.note(spec, kind, data)
            if not look.titled or "tikz" in task.get("formats", []):
                write(os.path.join(folder, f"{spec['name']}.txt"), f"{spec['title']}\n\n{spec['caption']}\n".encode())
        if drawn:
            drawn.keep()
    except ImportError:
        print("tilelab plot: matplotlib is missing, which draws png and pdf and reads --style; please install it (Debian: apt-get install "
              "python3-matplotlib), or draw --format svg", file=sys.stderr)
        return 1
    except ValueError as error:
        if look.text is None:
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
