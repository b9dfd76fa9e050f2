"""A sheet of paper: lines, areas, marks and texts, in millimetres from the lower left corner and in the order in which they
are drawn, and its files. SVG and TikZ are written here, and need nothing but Python; PNG and PDF are drawn by matplotlib's
renderers, without its figures and axes, of which each costs as much as a hundred of our lines. The same calls give the same
bytes."""
import html
import io
import math
import re
import unicodedata
import zlib

MM = 1 / 25.4
POINT = 25.4 / 72  # mm
SPOT = 1.8  # mm; the smallest place on which a mouse can rest
DARK, GREY, PALE = "#262626", "#737373", "#E0E0E0"
FAMILIES = {"sans": ["DejaVu Sans", "Verdana", "Arial"], "serif": ["DejaVu Serif", "Georgia", "Times New Roman"]}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
# Of the characters from space to ~ in thousandths of the size: FT2Font(DejaVuSans.ttf).load_char(code).linearHoriAdvance
ADVANCES = {name: [int(part) for part in text.split()] for name, text in {
    "sans": "318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337 838 838 838 531 "
            "1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989 685 611 685 390 337 390 838 500 "
            "500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 636 838",
    "serif": "318 402 460 838 636 950 890 275 390 390 500 838 318 338 318 337 636 636 636 636 636 636 636 636 636 636 337 337 838 838 838 536 "
             "1000 722 735 765 802 730 694 799 872 395 401 747 664 1024 875 820 673 820 753 685 667 843 722 1028 712 660 695 390 337 390 838 500 "
             "500 596 640 560 640 592 370 640 644 320 310 606 320 948 644 602 640 640 478 513 402 644 565 856 564 565 527 636 337 636 838",
}.items()}
CAPITAL, ASCENT, DESCENT, LEADING = 0.729, 0.76, 0.236, 1.2  # of the size


def ring(count, turn=0.0, inner=None):
    """A polygon of corners on a circle of radius 1, the first of them above; with `inner`, a star."""
    corners = count if inner is None else 2 * count
    radii = [1 if inner is None or number % 2 == 0 else inner for number in range(corners)]
    return [(radius * math.sin(2 * math.pi * (number / corners + turn)), radius * math.cos(2 * math.pi * (number / corners + turn)))
            for number, radius in enumerate(radii)]


def turned(corners, quarters):
    for _ in range(quarters):
        corners = [(y, -x) for x, y in corners]
    return corners


TRIANGLE = [(0, 1), (1, -1), (-1, -1)]
PLUS = [(-0.35, 1), (0.35, 1), (0.35, 0.35), (1, 0.35), (1, -0.35), (0.35, -0.35), (0.35, -1), (-0.35, -1), (-0.35, -0.35), (-1, -0.35),
        (-1, 0.35), (-0.35, 0.35)]
MARKS = {"o": ring(28), "s": [(-0.9, 0.9), (0.9, 0.9), (0.9, -0.9), (-0.9, -0.9)], "^": TRIANGLE, "v": turned(TRIANGLE, 2), "<": turned(TRIANGLE, 3),
         ">": turned(TRIANGLE, 1), "D": ring(4), "d": [(0, 1.2), (0.72, 0), (0, -1.2), (-0.72, 0)], "P": PLUS, "p": ring(5), "h": ring(6),
         "X": [(0.75 * (x + y), 0.75 * (y - x)) for x, y in PLUS], "*": ring(5, inner=0.42), "|": [(0.1, 1), (0.1, -1), (-0.1, -1), (-0.1, 1)]}
LARGER = {"*": 1.45, "P": 1.12, "d": 1.1, "D": 1.2, "p": 1.1, "h": 1.1}  # marks that look smaller than others


def number(value, digits=2):
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def latex(text):
    """As LaTeX reads it."""
    text = "".join({"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}",
                    "|": "\\textbar{}", "·": "$\\cdot$"}.get(sign, "\\" + sign if sign in "&%$#_{}" else sign) for sign in text)
    return re.sub("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: f"$^{{{found[0].translate(PLAIN)}}}$", text)


class Paper:
    """`settings` may change the looks: paper, panel, frame, ink, grid (colours), frame_width, line (points), mark, dpi, families,
    sizes ({the size of a text: what it is instead})."""

    def __init__(self, width, font="sans", settings=None):
        self.width, self.height, self.font, self.settings = width, 0, font, settings or {}
        self.items = []  # ("path", subpaths, pen) | ("marks", places, mark, size, pen) | ("text", x, y, text, size, anchor, colour, turned)
        self.told = {}  # {(left, right, bottom, top, link): the texts that are read there}

    # Texts

    def size_of(self, size):
        """Of a text, in points."""
        return self.settings.get("sizes", {}).get(size, size)

    def width_of(self, text, size):
        """Millimetres of the widest line."""
        return self.ems_of(text) * self.size_of(size) * POINT

    def ems_of(self, text):
        """The same, in sizes of the text."""
        advances = ADVANCES[self.font]

        def advance(sign):
            if " " <= sign <= "~":
                return advances[ord(sign) - 32]
            if unicodedata.combining(sign):
                return 0
            return 401 if sign in "⁰¹²³⁴⁵⁶⁷⁸⁹" else 1000 if unicodedata.east_asian_width(sign) in "WF" else 650
        return max(sum(map(advance, line)) for line in text.split("\n")) / 1000

    def height_of(self, text, size):
        return (text.count("\n") + 1) * self.size_of(size) * 1.22 * POINT

    def wrapped(self, text, size, width):
        """Lines at most `width` mm wide: the text breaks at spaces, words that are too long behind ( , + : _ - and slashes, and
        where even that does not help, anywhere."""
        def fits(part):
            return self.width_of(part.rstrip(), size) <= width

        def pieces(part, *patterns):
            if fits(part) or not patterns:
                return [part]
            return [piece for found in re.findall(patterns[0], part) if found for piece in pieces(found, *patterns[1:])]
        lines, line = [], ""
        for piece in pieces(text, r"\S*\s*", r"[^(,+:/_-]*[(,+:/_-]*", r"."):
            if line and not fits(line + piece):
                lines.append(line.rstrip())
                line = ""
            line += piece
        return "\n".join(lines + [line.rstrip()])

    def text(self, x, y, text, size, ha="left", va="base", colour=None, upwards=False):
        """Lines of a text at (x, y): left, middle or right of it; top, middle, base (of the first line) or bottom. `upwards`: it
        is read from below, and left and top are what they are to its reader."""
        lines, size = text.split("\n"), self.size_of(size)
        step = LEADING * size * POINT
        down = {"top": ASCENT * size * POINT, "middle": CAPITAL / 2 * size * POINT - (len(lines) - 1) * step / 2, "base": 0,
                "bottom": -DESCENT * size * POINT - (len(lines) - 1) * step}[va]
        for place, line in enumerate(lines):
            if line:
                off = down + place * step
                self.items.append(("text", *((x + off, y) if upwards else (x, y - off)), line, size, ha,
                                   colour or self.settings.get("ink", DARK), upwards))

    # Lines, areas, marks

    def path(self, points, colour=None, width=1.0, dashes=(), fill=None, alpha=1.0):
        """A line through points, or an area; None parts lines. `width` and `dashes` are in points."""
        subpaths = [[]]
        for point in points:
            if point is None:
                subpaths.append([])
            else:
                subpaths[-1].append(point)
        subpaths = [part for part in subpaths if part]
        if subpaths:
            self.items.append(("path", subpaths, (colour, width, tuple(dashes), fill, alpha)))

    def box(self, left, bottom, right, top, **pen):
        self.path([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)], **pen)

    def marks(self, places, mark, size, fill, colour=None, width=0.7, alpha=1.0):
        """`size` is the diameter in points, as it is seen."""
        size = size * LARGER.get(mark, 1)
        if places and mark:
            self.items.append(("marks", list(places), mark, size, (colour, width, (), fill, alpha)))

    def tell(self, text, *places, run_id=None):
        """What is read when a mouse rests on these places or between them, and the run to which a click leads. Texts of one
        place are read together unless each leads to its own run."""
        def reach(ends):
            more = max(0, SPOT - (max(ends) - min(ends))) / 2
            return round(min(ends) - more, 3), round(max(ends) + more, 3)
        import urllib.parse  # here, as in plot.py
        link = None if run_id is None else "#run-" + urllib.parse.quote(run_id)
        xs, ys = zip(*places)
        self.told.setdefault((*reach(xs), *reach(ys), link), []).append(text)

    # Files

    def svg(self, name, title, description):
        """With names that are this figure's own (several can stand in one page of HTML), and what each value says when a mouse
        rests on it."""
        prefix, defined, parts = f"f{zlib.crc32(name.encode()):08x}", {}, []

        def at(x, y):
            return number(x / POINT), number((self.height - y) / POINT)

        def pen(colour, width, dashes, fill, alpha):
            words = [f'fill="{fill or "none"}"']
            if colour:
                words += [f'stroke="{colour}" stroke-width="{number(width)}"']
            if dashes:
                words += [f'stroke-dasharray="{" ".join(map(number, dashes))}"']
            if alpha < 1:
                words += [f'opacity="{number(alpha)}"']
            return " ".join(words)
        for kind, *rest in self.items:
            if kind == "path":
                way = "".join("M" + "L".join(" ".join(at(*point)) for point in part) for part in rest[0])
                parts.append(f'<path d="{way}" {pen(*rest[1])}/>')
            elif kind == "marks":
                places, mark, size, own = rest
                named = defined.setdefault((mark, size), f"{prefix}-m{len(defined)}")
                uses = "".join('<use xlink:href="#{}" x="{}" y="{}"/>'.format(named, *at(*place)) for place in places)
                parts.append(f"<g {pen(*own)}>{uses}</g>")
            else:
                x, y, text, size, anchor, colour, upwards = rest
                x, y = at(x, y)
                more = {"left": "", "middle": ' text-anchor="middle"', "right": ' text-anchor="end"'}[anchor]
                more += f' transform="rotate(-90 {x} {y})"' if upwards else ""
                parts.append(f'<text x="{x}" y="{y}" font-size="{number(size)}" fill="{colour}"{more}>{html.escape(text, quote=False)}</text>')
        shapes = "".join(f'<path id="{own}" d="M{"L".join(f"{number(x * size / 2)} {number(-y * size / 2)}" for x, y in MARKS[mark])}Z"/>'
                         for (mark, size), own in defined.items())
        families = ", ".join(f"'{family}'" for family in self.families()) + (", serif" if self.font == "serif" else ", sans-serif")
        width, height = number(self.width / POINT), number(self.height / POINT)
        return (f'<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
                f'width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}" version="1.1" role="img" font-family="{families}" '
                f'stroke-linejoin="round">\n<title>{html.escape(title)}</title>\n<desc>{html.escape(description)}</desc>\n<defs>{shapes}</defs>\n'
                f'<rect width="{width}" height="{height}" fill="{self.settings.get("paper", "#ffffff")}"/>\n'
                + "\n".join(parts) + "\n" + self.spots() + "</svg>\n").encode()

    def spots(self):
        """What a mouse reads: transparent places above all that is drawn."""
        parts = []
        for (left, right, bottom, top, link), texts in self.told.items():
            opening, closing = ("<g>", "</g>") if link is None else (f'<a xlink:href="{link}">', "</a>")
            words = html.escape("\n".join(texts), quote=False)
            parts.append(f'{opening}<title>{words}</title><rect x="{number(left / POINT)}" y="{number((self.height - top) / POINT)}" '
                         f'width="{number((right - left) / POINT)}" height="{number((top - bottom) / POINT)}"/>{closing}\n')
        return f'<g fill-opacity="0">\n{"".join(parts)}</g>\n'

    def tikz(self):
        """Commands of TikZ, for \\input: LaTeX sets the texts, in the document's own font."""
        colours, marks, parts = {}, {}, []

        def name_of(colour):
            return colours.setdefault(colour, "tilelab" + chr(ord("A") + len(colours) // 26) + chr(ord("a") + len(colours) % 26))

        def at(x, y):
            return f"({number(x)},{number(y)})"

        def pen(colour, width, dashes, fill, alpha):
            words = [f"draw={name_of(colour)},line width={number(width)}bp"] if colour else []
            words += ["dash pattern=" + " ".join(f"{'on' if place % 2 == 0 else 'off'} {number(length)}bp" for place, length in enumerate(dashes))] if dashes else []
            words += [f"fill={name_of(fill)}"] if fill else []
            return ",".join(words + ([f"opacity={number(alpha)}"] if alpha < 1 else []))
        for kind, *rest in self.items:
            if kind == "path":
                parts.append(f"\\path[{pen(*rest[1])}] {' '.join(' -- '.join(at(*point) for point in part) for part in rest[0])};")
            elif kind == "marks":
                places, mark, size, own = rest
                radius = size / 2 * POINT
                shape = f"circle[radius={number(radius, 3)}]" if mark == "o" else " -- ".join(f"({number(x * radius, 3)},{number(y * radius, 3)})" for x, y in MARKS[mark]) + " -- cycle"
                key = marks.setdefault((shape, pen(*own)), "\\tilelab" + "mark" + chr(ord("A") + len(marks) // 26) + chr(ord("a") + len(marks) % 26))
                parts += [key + at(*place) for place in places]
            else:
                x, y, text, size, anchor, colour, upwards = rest
                turn = {"left": "base west", "middle": "base", "right": "base east"}[anchor] + (",rotate=90" if upwards else "")
                parts.append(f"\\node[anchor={turn},text={name_of(colour)},font=\\fontsize{{{number(size)}}}{{{number(size * LEADING)}}}\\selectfont] "
                             f"at {at(x, y)} {{{latex(text)}}};")
        shapes = [f"\\def{own}(#1,#2){{\\path[{pen_of_it},shift={{(#1,#2)}}] {'(0,0) ' if shape.startswith('circle') else ''}{shape};}}" for (shape, pen_of_it), own in marks.items()]
        heads = [f"\\definecolor{{{own}}}{{HTML}}{{{colour.lstrip('#').upper()}}}" for colour, own in colours.items()]
        return "\n".join(["% Needs \\usepackage{tikz} in the preamble; its title and notes stand in the text file beside it.",
                          "\\begin{tikzpicture}[x=1mm,y=1mm,every node/.style={inner sep=0pt,outer sep=0pt},line join=round]", *heads, *shapes,
                          f"\\useasboundingbox (0,0) rectangle {at(self.width, self.height)};", *parts, "\\end{tikzpicture}", ""]).encode()

    def families(self):
        return self.settings.get("families") or FAMILIES[self.font]

    def render(self, renderer, scale):
        """Everything by a renderer of matplotlib, of which one millimetre is `scale` units."""
        from matplotlib.font_manager import FontProperties
        from matplotlib.path import Path
        from matplotlib.transforms import Affine2D
        to_units, fonts = Affine2D().scale(scale), {}
        sheet = [[(0, 0), (self.width, 0), (self.width, self.height), (0, self.height), (0, 0)]]

        def context(colour, width, dashes, fill, alpha):
            own = renderer.new_gc()
            own.set_foreground(colour or fill)
            own.set_linewidth(width if colour else 0)  # points, as dashes are
            own.set_joinstyle("round")
            own.set_capstyle("butt")
            if alpha < 1:
                own.set_alpha(alpha)
            if dashes:
                own.set_dashes(0, list(dashes))
            return own

        def face(fill):
            return None if fill is None else tuple(int(fill[place:place + 2], 16) / 255 for place in (1, 3, 5))
        for kind, *rest in [("path", sheet, (None, 0, (), self.settings.get("paper", "#ffffff"), 1)), *self.items]:
            if kind == "path":
                codes = [code for part in rest[0] for code in [Path.MOVETO] + [Path.LINETO] * (len(part) - 1)]
                renderer.draw_path(context(*rest[1]), Path([point for part in rest[0] for point in part], codes), to_units, face(rest[1][3]))
            elif kind == "marks":
                places, mark, size, own = rest
                shape = Path(MARKS[mark] + MARKS[mark][:1], closed=True)
                renderer.draw_markers(context(*own), shape, Affine2D().scale(size / 2 * POINT * scale), Path(places), to_units, face(own[3]))
            else:
                x, y, text, size, anchor, colour, upwards = rest
                back = {"left": 0, "middle": 0.5, "right": 1}[anchor] * self.ems_of(text) * size * POINT
                x, y = (x, y - back) if upwards else (x - back, y)
                font = fonts.setdefault(size, FontProperties(family=self.settings.get("families") or FAMILIES[self.font][:1], size=size))
                down = (self.height - y if renderer.flipy() else y) * scale
                renderer.draw_text(context(colour, 1, (), None, 1), x * scale, down, text, font, 90 if upwards else 0)

    def png(self):
        import numpy
        from matplotlib.backends.backend_agg import RendererAgg
        dpi = self.settings.get("dpi", 200)
        width, height = round(self.width * MM * dpi), round(self.height * MM * dpi)
        renderer = RendererAgg(width, height, dpi)
        self.render(renderer, dpi * MM)
        pixels = numpy.asarray(renderer.buffer_rgba())[:, :, :3].reshape(height, -1)
        rows = numpy.full((height, 1 + 3 * width), 2, numpy.uint8)  # each begins with its filter: less the row above
        rows[:, 1:] = pixels
        numpy.subtract(pixels[1:], pixels[:-1], out=rows[1:, 1:])
        packer = zlib.compressobj(3)
        data = packer.compress(rows) + packer.flush()

        def chunk(kind, content):
            return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")
        head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, 2, 0, 0, 0))
        per_metre = round(dpi / 0.0254).to_bytes(4, "big")
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"pHYs", per_metre * 2 + b"\1") + chunk(b"IDAT", data) + chunk(b"IEND", b"")

    def pdf(self):
        from matplotlib.backends.backend_pdf import PdfFile, RendererPdf
        out = io.BytesIO()
        file = PdfFile(out, metadata={"CreationDate": None, "Creator": None, "Producer": None})
        file.newPage(self.width * MM, self.height * MM)
        renderer = RendererPdf(file, 72, self.height * MM, self.width * MM)
        self.render(renderer, 72 * MM)
        renderer.finalize()
        file.finalize()
        file.close()
        return out.getvalue()
