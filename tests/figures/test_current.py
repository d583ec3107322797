"""The committed figures are what their scripts draw, and can be read."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from figures import __main__ as figures

FOLDER = Path(figures.FOLDER)
SVG = "{http://www.w3.org/2000/svg}"
SCRIPTS = figures.scripts()
PICTURES = sorted(FOLDER.glob("*.svg"))


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.stem)
def test_current(script):
    text = figures.draw(script)
    assert text == figures.draw(script), f"{script.name} draws something else each time"
    picture = script.with_suffix(".svg")
    assert picture.is_file(), f"{picture.name} is missing; run make figures"
    assert picture.read_text(encoding="utf-8") == text, f"{picture.name} is stale; make figures"


def test_each_picture_has_its_script():
    assert not figures.orphans()
    assert SCRIPTS, "no figure scripts found"


def test_check_sees_a_stale_picture(tmp_path, monkeypatch, capsys):
    (tmp_path / "00_spot.py").write_text("def draw():\n    return '<svg/>\\n'\n")
    (tmp_path / "00_lost.svg").write_text("<svg/>")
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    assert figures.main(["--check"]) == 1
    errors = capsys.readouterr().err
    assert "00_spot.svg" in errors and "00_lost.svg: no script" in errors
    (tmp_path / "00_lost.svg").unlink()
    assert figures.main([]) == 0 and figures.main(["--check"]) == 0
    (tmp_path / "00_spot.svg").write_text("<svg></svg>")
    assert figures.main(["--check"]) == 1


@pytest.mark.parametrize("picture", PICTURES, ids=lambda p: p.stem)
def test_letters_stand_out(picture):
    """Each text against the paper or the last plain rectangle drawn under its anchor."""
    root = ET.parse(picture).getroot()
    areas = []
    for element in root.iter():
        if element.tag == SVG + "rect" and re.fullmatch("#[0-9a-fA-F]{6}", element.get("fill", "")):
            x, y, w, h = (float(element.get(k, 0)) for k in ("x", "y", "width", "height"))
            areas.append((x, y, x + w, y + h, element.get("fill")))
        if element.tag == SVG + "text":
            x, y = float(element.get("x")), float(element.get("y")) - 4
            under = [a[4] for a in areas if a[0] <= x <= a[2] and a[1] <= y <= a[3]]
            for part in element.iter():
                color = part.get("fill")
                if color:
                    words = "".join(element.itertext())
                    assert contrast(color, under[-1]) >= 4.5, f"{words!r}: {color} on {under[-1]}"


@pytest.mark.parametrize("picture", PICTURES, ids=lambda p: p.stem)
def test_sound(picture):
    text = picture.read_text(encoding="utf-8")
    root = ET.fromstring(text)
    _, _, width, height = map(float, root.get("viewBox").split())
    assert root.find(SVG + "title").text and root.get("role") == "img"
    assert len(text.encode()) <= 60_000
    assert not re.search(r"<script|https?://(?!www\.w3\.org/2000/svg)|data:|<image", text)
    ground = root.find(SVG + "rect")
    assert ground.get("fill") == "#ffffff" and float(ground.get("width")) >= width - 2
    for label in root.iter(SVG + "text"):
        x, y = float(label.get("x")), float(label.get("y"))
        assert 0 <= x <= width and 0 <= y <= height, f"{''.join(label.itertext())!r} off the paper"
    if "@keyframes" in text:
        assert "prefers-reduced-motion" in text and "#still:target" in text
