"""A small kit for drawing figures as SVG text: the same input gives the same bytes.

A script NN_stem.py defines `draw()`, which returns the SVG text of NN_stem.svg:

    from figures._draw import Paper

    def draw():
        paper = Paper(640, 240, "What the figure is", "What it shows, in a sentence or two.")
        grid = paper.matrix(40, 60, [[0.25, 0.75]], caption="weights [q:A]", heat=True, mark=0)
        paper.arrow(*grid.right_of(0), 420, 80)
        paper.text(430, 84, "output [v:o_2] = Σ_j a_{2j} [v:v_j]")
        return paper.svg()

Coordinates are pixels from the top left. In texts `_x`, `_{xy}` sink and `^x` rises; `[q:…]`,
`[k:…]`, `[v:…]` take a role's colour. Colours: Q blue and solid, K vermilion and dashed, V green
and double, as in the widgets. The paper is opaque, so a figure reads in both themes. Keep
it at most 720 wide and letters at least 15 high: on a phone the whole picture shrinks.
"""

import math
import re
from contextlib import contextmanager
from html import escape

from qkv.steady import fixed, steady

PAPER, INK, MUTED, LINE, PANEL = "#ffffff", "#1c1f24", "#565d68", "#c3c8d0", "#f1f3f6"
MARK, HEAT, GOOD, BAD = "#fff3c4", (123, 63, 181), "#1b6e3c", "#b3261e"
ROLE = {"q": "#0072B2", "k": "#D55E00", "v": "#009E73"}  # lines and areas
SHADE = {"q": "#00639b", "k": "#b04e00", "v": "#00734f"}  # letters: at least 4.5 : 1 on paper
TINT = {"q": "#e3f0f8", "k": "#fcebe0", "v": "#e0f3ed"}  # areas behind letters
DASH = {"q": None, "k": "6 4", "v": None}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
MARKUP = re.compile(
    r"\\(?P<literal>.)|\[(?P<role>[qkv]):|(?P<close>\])|(?P<shift>[_^])(?:\{(?P<many>[^}]*)\}|(?P<one>.))"
)


class Paper:
    """One figure. `title` and `desc` are read out by a screen reader that opens the file."""

    def __init__(self, width, height, title, desc=""):
        self.width, self.height, self.title, self.desc = width, height, title, desc
        self.parts, self.css, self.defs = [], [], {}

    # -- pieces -------------------------------------------------------------------------------
    def raw(self, svg):
        """Add SVG text as it is."""
        self.parts.append(svg)

    def text(self, x, y, text, size=16, anchor="start", color=INK, bold=False, italic=False,
             mono=False):  # fmt: skip
        """Write one line with its baseline at y. anchor: start, middle or end of it is at x."""
        self.raw(_element(
            "text", x=x, y=y, fill=SHADE.get(color, color), font_size=size,
            text_anchor=None if anchor == "start" else anchor,
            font_weight=600 if bold else None, font_style="italic" if italic else None,
            font_family=MONO if mono else None, body=_spans(text, size),
        ))  # fmt: skip

    def lines(self, x, y, texts, gap=22, **style):
        """Write several lines, the first with its baseline at y."""
        for row, text in enumerate(texts):
            self.text(x, y + gap * row, text, **style)

    def line(self, x1, y1, x2, y2, color=INK, width=1.5, dash=None):
        self.raw(_element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=ROLE.get(color, color),
                          stroke_width=width, stroke_dasharray=dash))  # fmt: skip

    def arrow(self, x1, y1, x2, y2, color=INK, width=2, dash=None, head=9):
        """Draw a line with a filled head at its end (x2, y2)."""
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - ux * head, y2 - uy * head  # where the head starts
        self.line(x1, y1, bx, by, color, width, dash)
        side = head * 0.45
        self.polygon([(x2, y2), (bx - uy * side, by + ux * side), (bx + uy * side, by - ux * side)],
                     fill=color, stroke="none")  # fmt: skip

    def curve(self, points, color=INK, width=2, dash=None, head=0):
        """Draw a smooth curve: start, control points, end (3 or 4 points); head > 0: an arrow."""
        command = "Q" if len(points) == 3 else "C"
        steps = " ".join(f"{_n(x)} {_n(y)}" for x, y in points[1:])
        self.path(f"M{_n(points[0][0])} {_n(points[0][1])} {command}{steps}", color, width, dash)
        if head:
            (x1, y1), (x2, y2) = points[-2:]
            length = math.hypot(x2 - x1, y2 - y1) or 1.0
            ux, uy = (x2 - x1) / length, (y2 - y1) / length
            self.arrow(x2, y2, x2 + ux * head, y2 + uy * head, color, width, head=head)

    def path(self, d, color=INK, width=2, dash=None, fill="none"):
        self.raw(_element("path", d=d, fill=ROLE.get(fill, fill), stroke=ROLE.get(color, color),
                          stroke_width=width, stroke_dasharray=dash))  # fmt: skip

    def polygon(self, points, fill=PANEL, stroke=LINE, width=1.5):
        self.raw(_element("polygon", points=" ".join(f"{_n(x)},{_n(y)}" for x, y in points),
                          fill=ROLE.get(fill, fill), stroke=ROLE.get(stroke, stroke),
                          stroke_width=None if stroke == "none" else width))  # fmt: skip

    def circle(self, x, y, r, fill=INK, stroke="none", width=1.5):
        self.raw(_element("circle", cx=x, cy=y, r=r, fill=ROLE.get(fill, fill),
                          stroke=None if stroke == "none" else ROLE.get(stroke, stroke),
                          stroke_width=None if stroke == "none" else width))  # fmt: skip

    def rect(self, x, y, w, h, fill=PAPER, stroke=LINE, width=1.5, r=0, dash=None):
        self.raw(_element("rect", x=x, y=y, width=w, height=h, rx=r or None,
                          fill=ROLE.get(fill, fill),
                          stroke=None if stroke == "none" else ROLE.get(stroke, stroke),
                          stroke_width=None if stroke == "none" else width,
                          stroke_dasharray=dash))  # fmt: skip

    def box(self, x, y, w, h, text=(), role=None, size=16, bold=False, r=7, fill=None):
        """Draw a box with one centred line of text or several; role: q, k or v."""
        fill = fill or TINT.get(role, PANEL)
        self.rect(x, y, w, h, fill, role or LINE, 2 if role else 1.5, r, DASH.get(role))
        if role == "v":  # a double line: roles are told apart without colour
            self.rect(x + 4, y + 4, w - 8, h - 8, "none", "v", 1, max(r - 3, 0))
        rows = [text] if isinstance(text, str) else list(text)
        gap = size * 1.35
        top = y + h / 2 - gap * (len(rows) - 1) / 2 + size * 0.35
        for row, line in enumerate(rows):
            self.text(x + w / 2, top + gap * row, line, size, "middle", bold=bold)

    def matrix(self, x, y, rows, caption=None, role=None, heat=False, mark=None, mark_column=None,
               digits=None, cell=(64, 30), size=15, rows_named=None, columns_named=None,
               blocked=None, fills=None):  # fmt: skip
        """Draw a grid of numbers (or texts) whose top left corner is at (x, y); return its Grid.

        role marks the left edge (q solid, k dashed, v double); heat colours cells by weight, 0 to
        1; mark, mark_column: an index to frame; blocked: booleans, True = hatched; fills: a colour
        (or None) per cell. digits: decimals; by default 0 where all are whole numbers, else 4.
        rows_named, columns_named: texts beside and above; caption: above all.
        """
        rows = [list(row) for row in rows]
        grid = Grid(x, y, len(rows), len(rows[0]), *cell)
        if digits is None:
            numbers = [v for row in rows for v in row if not isinstance(v, str)]
            digits = 0 if all(math.isinf(v) or float(v).is_integer() for v in numbers) else 4
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                fill = fills[i][j] if fills and fills[i][j] else PAPER
                if heat and not isinstance(value, str) and math.isfinite(value):
                    fill = shade(value)
                left, top = x + j * grid.w_cell, y + i * grid.h_cell
                self.rect(left, top, *cell, fill=fill, width=1)
                if blocked is not None and blocked[i][j]:
                    self.hatch(left, top, *cell)
                text = value if isinstance(value, str) else number(value, digits)
                self.text(left + cell[0] / 2, top + cell[1] / 2 + size * 0.35, text, size, "middle")
        if role:
            self._edge(grid, role)
        if mark is not None:
            self.rect(x - 2, y + mark * grid.h_cell - 1, grid.w + 4, cell[1] + 2, "none", INK, 2.5)
        if mark_column is not None:
            self.rect(x + mark_column * grid.w_cell - 1, y - 2, cell[0] + 2, grid.h + 4, "none",
                      INK, 2.5)  # fmt: skip
        for i, name in enumerate(rows_named or []):
            self.text(x - 10, y + (i + 0.5) * grid.h_cell + 5, name, 15, "end", MUTED,
                      bold=i == mark)  # fmt: skip
        for j, name in enumerate(columns_named or []):
            self.text(x + (j + 0.5) * grid.w_cell, y - 7, name, 15, "middle", MUTED)
        if caption:
            self.text(x, y - (28 if columns_named else 10), caption, 16, bold=True)
        return grid

    def hatch(self, x, y, w, h):
        """Cover a cell that may not be read with thin slanted lines (letters stay readable)."""
        self.defs["hatch"] = (
            '<pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" '
            'patternTransform="rotate(45)"><rect width="2" height="8" fill="#d3d7de"/></pattern>'
        )
        self.rect(x, y, w, h, "url(#hatch)", "none")

    def axes(self, x, y, w, h, xlim, ylim, xticks=(), yticks=(), xlabel=None, ylabel=None, log="",
             grid=True):  # fmt: skip
        """Draw axes whose lower left corner is at (x, y + h); return Axes to plot with.

        xlim, ylim: (low, high); ticks: numbers or (number, text) pairs; log: "", "x", "y" or "xy".
        """
        axes = Axes(self, x, y, w, h, xlim, ylim, log)
        for tick in xticks:
            value, text = tick if isinstance(tick, tuple) else (tick, number(tick))
            px, _ = axes.point(value, ylim[0])
            if grid:
                self.line(px, y, px, y + h, "#e4e7ec", 1)
            self.line(px, y + h, px, y + h + 5, INK, 1)
            self.text(px, y + h + 21, text, 15, "middle")
        for tick in yticks:
            value, text = tick if isinstance(tick, tuple) else (tick, number(tick))
            _, py = axes.point(xlim[0], value)
            if grid:
                self.line(x, py, x + w, py, "#e4e7ec", 1)
            self.line(x - 5, py, x, py, INK, 1)
            self.text(x - 9, py + 5, text, 15, "end")
        self.line(x, y + h, x + w, y + h)
        self.line(x, y, x, y + h)
        if xlabel:
            self.text(x + w / 2, y + h + 44, xlabel, 16, "middle")
        if ylabel:
            self.text(x - 5, y - 12, ylabel, 16)
        return axes

    # -- movement -----------------------------------------------------------------------------
    def frames(self, count, seconds=1.6, rest=1.0):
        """Make a looping animation of `count` frames; the last one rests `rest` frames longer.

        Put elements in `with paper.group("from-2"):` to show them from frame 2 on, or in
        `group("only-2")` for that frame alone (frames are 1 … count). Where motion is not
        wanted (prefers-reduced-motion), or when the address ends in #still, the last frame stands.
        """
        total = count + rest
        self.css.append(
            f"[class^=from-],[class^=only-]{{animation:{_n(total * seconds)}s linear infinite}}"
        )
        for k in range(1, count + 1):
            on, off = 100 * (k - 1) / total, 100 * k / total
            shown = f"{_n(on)}%{{opacity:0}}{_n(on + 3)}%{{opacity:1}}" if k > 1 else ""
            start = "0%{opacity:0}" if k > 1 else "0%{opacity:1}"
            self.css.append(f"@keyframes from-{k}{{{start}{shown}100%{{opacity:1}}}}")
            end = "100%{opacity:1}"
            if k < count:
                end = f"{_n(off)}%{{opacity:1}}{_n(off + 0.5)}%,100%{{opacity:0}}"
                self.css.append(f".only-{k}{{opacity:0}}")
            self.css.append(f"@keyframes only-{k}{{{start}{shown}{end}}}")
            self.css.append(f".from-{k}{{animation-name:from-{k}}}")
            self.css.append(f".only-{k}{{animation-name:only-{k}}}")
        self.css.append("#still:target *{animation:none}")
        self.css.append("@media (prefers-reduced-motion:reduce){#still *{animation:none}}")

    @contextmanager
    def group(self, name):
        self.raw(f'<g class="{name}">')
        yield
        self.raw("</g>")

    def svg(self):
        """Return the whole document."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" '
            f'font-family="{escape(FONT)}">'
        )
        about = f"<title>{escape(self.title)}</title>"
        if self.desc:
            about += f"\n<desc>{escape(self.desc)}</desc>"
        if self.css:
            about += "\n<style>\n" + "\n".join(self.css) + "\n</style>"
        if self.defs:
            about += "\n<defs>" + "".join(self.defs.values()) + "</defs>"
        ground = _element("rect", x=0.5, y=0.5, width=self.width - 1, height=self.height - 1,
                          rx=10, fill=PAPER, stroke=LINE)  # fmt: skip
        body = self.parts
        if self.css:
            body = ['<g id="still">', *body, "</g>"]
        return "\n".join([head, about, ground, *body, "</svg>"]) + "\n"

    def _edge(self, grid, role):
        x, y, bottom, color = grid.x, grid.y, grid.bottom, ROLE[role]
        if role == "v":
            self.line(x - 4, y, x - 4, bottom, color, 1.8)
            self.line(x - 0.5, y, x - 0.5, bottom, color, 1.8)
        else:
            self.line(x - 1.5, y, x - 1.5, bottom, color, 4, DASH[role])


class Grid:
    """Where the cells of a matrix lie: edges, centres, and points to start an arrow from."""

    def __init__(self, x, y, rows, columns, w_cell, h_cell):
        self.x, self.y, self.w_cell, self.h_cell = x, y, w_cell, h_cell
        self.w, self.h = columns * w_cell, rows * h_cell
        self.right, self.bottom = x + self.w, y + self.h

    def cell(self, i, j):
        return self.x + (j + 0.5) * self.w_cell, self.y + (i + 0.5) * self.h_cell

    def right_of(self, i, gap=8):
        return self.right + gap, self.y + (i + 0.5) * self.h_cell

    def left_of(self, i, gap=8):
        return self.x - gap, self.y + (i + 0.5) * self.h_cell

    def below(self, j, gap=8):
        return self.x + (j + 0.5) * self.w_cell, self.bottom + gap


class Axes:
    """A plot: everything is given in the units of the axes."""

    def __init__(self, paper, x, y, w, h, xlim, ylim, log):
        self.paper, self.box, self.xlim, self.ylim, self.log = paper, (x, y, w, h), xlim, ylim, log

    def point(self, x, y):
        left, top, w, h = self.box
        fx = _share(x, *self.xlim, "x" in self.log)
        fy = _share(y, *self.ylim, "y" in self.log)
        return left + fx * w, top + (1 - fy) * h

    def line(self, xs, ys, color=INK, width=2, dash=None):
        points = [self.point(x, y) for x, y in zip(xs, ys, strict=True)]
        d = "M" + " L".join(f"{_n(x)} {_n(y)}" for x, y in points)
        self.paper.path(d, color, width, dash)

    def dots(self, xs, ys, color=INK, r=4):
        for x, y in zip(xs, ys, strict=True):
            self.paper.circle(*self.point(x, y), r, color)

    def arrow(self, x1, y1, x2, y2, **style):
        self.paper.arrow(*self.point(x1, y1), *self.point(x2, y2), **style)

    def text(self, x, y, text, dx=0, dy=0, **style):
        px, py = self.point(x, y)
        self.paper.text(px + dx, py + dy, text, **style)


def number(value, digits=None):
    """Write a number as the lessons do: fixed decimals, a real minus sign, no −0."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{steady(float(value)):g}" if digits is None else fixed(value, digits)
    return text.replace("-", "−")


def shade(weight):
    """Return the white-to-purple shade of a weight between 0 and 1, light enough for dark ink."""
    share = 0.55 * min(max(steady(float(weight)), 0.0), 1.0)
    return "#" + "".join(f"{round(255 + share * (c - 255)):02x}" for c in HEAT)


def _share(value, low, high, log):
    if log:
        value, low, high = math.log(value), math.log(low), math.log(high)
    return (value - low) / (high - low)


def _n(value):
    """Round a coordinate to a hundredth, so that platforms agree."""
    return fixed(value, 2).rstrip("0").rstrip(".")


def _element(tag, body=None, **attributes):
    text = []
    for name, value in attributes.items():
        if value is not None:
            value = value if isinstance(value, str) else _n(value)
            text.append(f'{name.replace("_", "-")}="{escape(value)}"')
    end = "/>" if body is None else f">{body}</{tag}>"
    return f"<{tag} {' '.join(text)}{end}"


def _spans(text, size):
    """Turn the little markup of texts into tspans."""
    out, role, at, low = [], None, 0, 0.0  # low: how far below the baseline the pen stands

    def put(piece, shift=0.0, small=False):
        nonlocal low
        if not piece:
            return
        color = f' fill="{SHADE[role]}"' if role else ""
        height = f' font-size="{_n(size * 0.72)}"' if small else ""
        move = f' dy="{_n(shift - low)}"' if shift != low else ""
        low = shift
        span = f"{color}{height}{move}"
        out.append(f"<tspan{span}>{escape(piece, quote=False)}</tspan>" if span
                   else escape(piece, quote=False))  # fmt: skip

    for found in MARKUP.finditer(text):
        put(text[at : found.start()])
        at = found.end()
        if found["literal"]:
            put(found["literal"])
        elif found["role"]:
            role = found["role"]
        elif found["close"]:
            put("]") if role is None else None
            role = None
        else:
            down = size * (0.24 if found["shift"] == "_" else -0.36)
            put(found["many"] if found["many"] is not None else found["one"], down, small=True)
    put(text[at:])
    return "".join(out)
