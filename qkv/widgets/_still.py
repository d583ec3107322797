"""Still pictures of widgets: numbers in tables and lines of text, drawn as small SVG."""

import re
from html import escape, unescape
from textwrap import wrap
from urllib.parse import unquote

import numpy as np

from ..steady import fixed, steady

INK, PAPER, LINE, HEAT = "#1c1f24", "#ffffff", "#c3c8d0", (123, 63, 181)
CELL_W, CELL_H, PAD, GAP = 64, 26, 14, 26
ROLE = {"q": "#0072B2", "k": "#D55E00", "v": "#009E73", None: LINE}


def picture(width, height, alt, body):
    """Wrap SVG elements in a document of its own paper, with `alt` as its accessible name."""
    text = escape(alt, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{text}" '
        f'font-family="system-ui, sans-serif" font-size="13">'
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}" stroke="{LINE}"/>'
        + "".join(body)
        + "</svg>"
    )


OPENED = re.compile(r'<svg\b[^>]*? width="(\d+)" height="(\d+)" role="img" aria-label="([^"]*)"')
IMAGE = re.compile(r'<img\b[^>]*? alt="([^"]*)" src="data:image/svg\+xml;charset=utf-8,([^"]*)">')


def as_image(svg):
    """Return an HTML image that holds the picture itself: the form in which a notebook keeps it.

    JupyterLab shows no SVG of a notebook that it does not trust (a fresh clone), but images.
    """
    width, height, alt = OPENED.match(svg).groups()
    data = re.sub("[%#<>&]", lambda sign: f"%{ord(sign[0]):X}", svg.replace('"', "'"))
    return (
        f'<img width="{width}" height="{height}" alt="{alt}" '
        f'src="data:image/svg+xml;charset=utf-8,{data}">'
    )


def of_image(html):
    """Return (the SVG text that an image of `as_image` holds, its alt text)."""
    alt, data = IMAGE.match(html).groups()
    return unquote(data), unescape(alt)


def tables(title, alt, items, width=720):
    """Draw captioned tables side by side, wrapping to the next line.

    `items` are dicts: caption, values (2-d numbers or text), and optionally digits, role
    ("q", "k", "v"), heat (True colours cells by value between 0 and 1), mark (row to mark).
    """
    body, x, y, line_height = [label(title, PAD, PAD + 12, bold=True)], PAD, PAD + 24, 0
    for item in items:
        rows = [[cell_text(v, item.get("digits", 4)) for v in row] for row in item["values"]]
        columns = max(len(row) for row in rows)
        w = max(columns * CELL_W, 7 * len(item["caption"]) + 6)
        h = 22 + len(rows) * CELL_H
        if x > PAD and x + w + PAD > width:
            x, y, line_height = PAD, y + line_height + GAP - 8, 0
        body += draw_table(item, rows, x, y)
        x, line_height = x + w + GAP, max(line_height, h)
    return picture(width, y + line_height + PAD, alt, body)


def draw_table(item, rows, x, y):
    out = [label(item["caption"], x, y + 14, bold=True)]
    for i, row in enumerate(rows):
        top = y + 22 + i * CELL_H
        for j, text in enumerate(row):
            fill = heat(item["values"][i][j]) if item.get("heat") else PAPER
            left = x + j * CELL_W
            out.append(
                f'<rect x="{left}" y="{top}" width="{CELL_W}" height="{CELL_H}" fill="{fill}" '
                f'stroke="{ROLE[item.get("role")]}"/>'
            )
            out.append(label(text, left + CELL_W / 2, top + 17, anchor="middle"))
        if item.get("mark") == i:
            out.append(f'<rect x="{x - 4}" y="{top}" width="4" height="{CELL_H}" fill="{INK}"/>')
    return out


def lines(title, alt, texts, width=720):
    """Draw wrapped lines of text under a title."""
    body, y = [label(title, PAD, PAD + 12, bold=True)], PAD + 34
    for text in texts:
        for part in wrap(text, 96) or [""]:
            body.append(label(part, PAD, y))
            y += 20
    return picture(width, y, alt, body)


def label(text, x, y, bold=False, anchor="start"):
    style = f'text-anchor="{anchor}"' + (' font-weight="600"' if bold else "")
    return f'<text x="{x:g}" y="{y:g}" fill="{INK}" {style}>{escape(text)}</text>'


def cell_text(value, digits):
    if isinstance(value, str):
        return value
    if value == -np.inf:
        return "−∞"
    return fixed(value, digits).replace("-", "−")


def heat(weight):
    """Return the paper-to-purple shade of a weight between 0 and 1, light enough for dark ink."""
    share = 0.55 * min(max(steady(float(weight)), 0.0), 1.0)
    return "#" + "".join(f"{round(255 + share * (c - 255)):02x}" for c in HEAT)
