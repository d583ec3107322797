"""CardFile: a request, cards with tags, and what is taken from them (lesson 01)."""

from html import escape
from pathlib import Path
from weakref import ref

import numpy as np
import traitlets

from ... import validate
from ...attention import softmax
from ...inputs import inputs
from ...retrieval import match
from ...steady import fixed
from .._base import Array, Lab, numbers
from .._bundle import bundle, stylesheet
from .._still import LINE, PAPER, ROLE, cell_text, label, picture

HERE = Path(__file__).parent
EXAMPLE = inputs()["cards"]


class Tags(Array):
    """Numbers that are 0 or 1, one per tag."""

    def validate(self, obj, value):
        value = super().validate(obj, value)
        if not np.isin(value, (0, 1)).all():
            raise ValueError(
                f"{type(obj).__name__}.{self.name}: expected 0 or 1 per tag, got {value}"
            )
        return np.array(value, dtype=int).tolist()


class Keys(Tags):
    """The cards' keys, under a name that ipywidgets has taken.

    It asks `name in widget.keys` to learn whether a trait is synced, and appends the names that
    come later. Rows of 0 and 1 can't be mistaken for names, so the rows answer that as well.
    """

    def validate(self, obj, value):
        rows = Rows(super().validate(obj, value))
        rows.widget = ref(obj)
        return rows


class Rows(list):
    def __contains__(self, item):
        return item in self.widget().traits(sync=True) if isinstance(item, str) else False

    def append(self, item):
        """Take no names: `traits(sync=True)` knows them."""


class CardFile(Lab):
    """Opens on the lesson's three cards. Cards are 0-based here, 1-based on screen.

    Inputs: tags (d_k texts), labels (n texts), request (d_k, 0 or 1), keys (n, d_k; 0 or 1),
    values (n, d_v), hard (best cards only), temperature (above 0, in units of one match).
    Results: raw (n; the matches), weights (n), output (d_v).
    """

    _esm = bundle(HERE / "view.js")
    _css = stylesheet(HERE / "style.css")

    INPUTS = ("tags", "labels", "request", "keys", "values", "hard", "temperature")
    RESULTS = ("raw", "weights", "output")

    tags = traitlets.List(traitlets.Unicode(), list(EXAMPLE["tags"])).tag(sync=True)
    labels = traitlets.List(traitlets.Unicode(), list(EXAMPLE["labels"])).tag(sync=True)
    request = Tags(EXAMPLE["request"].astype(int).tolist(), ndim=1).tag(sync=True)
    keys = Keys(EXAMPLE["keys"].astype(int).tolist(), ndim=2).tag(sync=True)
    values = Array(EXAMPLE["values"].tolist(), ndim=2).tag(sync=True)
    hard = traitlets.Bool(True).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)

    raw = property(lambda self: match(self.request, self.keys))  # (n,)
    output = property(lambda self: self.weights @ np.array(self.values))  # (d_v,)

    @property
    def weights(self):  # (n,)
        raw = self.raw
        if self.hard:
            best = (raw == raw.max()).astype(float)
            return best / best.sum()
        return softmax((raw - raw.max()) / self.temperature)

    @traitlets.default("keys")
    def _example_keys(self):  # in place of ipywidgets' list of names
        return EXAMPLE["keys"].astype(int).tolist()

    def get_state(self, key=None, drop_defaults=False):
        names = list(self.traits(sync=True)) if key is None else key
        return super().get_state(names, drop_defaults)

    @traitlets.validate("temperature")
    def _above_zero(self, proposal):
        validate.number("CardFile", "temperature", proposal["value"], positive=True)
        return proposal["value"]

    def describe(self):
        asked = [tag for tag, wanted in zip(self.tags, self.request, strict=True) if wanted]
        rule = "hard" if self.hard else f"soft at temperature {self.temperature:g}"
        return (
            f"request {' + '.join(asked) or 'nothing'}, {rule}: matches {numbers(self.raw, 0)}, "
            f"weights {numbers(self.weights)}, output {numbers(self.output)}"
        )

    def still(self):
        asked = self.filed_under(self.request)
        body = [
            label("A card file: find by tags, take what the card holds", 14, 26, bold=True),
            box(14, 40, 692, 34, ROLE["q"]),
            label(f"Request asks for: {asked}", 26, 62),
        ]
        for j, name in enumerate(self.labels):
            body += self.draw_card(j, name, 14 + (j % 3) * 234, 96 + (j // 3) * 158)
        y = 96 + (len(self.labels) + 2) // 3 * 158 + 14
        taken = ", ".join(cell_text(x, 4) for x in self.output)
        body.append(label(f"Output: ({taken})", 14, y, bold=True))
        return picture(720, y + 16, f"Card file. {self.describe()}.", body)

    def filed_under(self, row):
        return ", ".join(t for t, on in zip(self.tags, row, strict=True) if on) or "nothing"

    def draw_card(self, j, name, x, y):
        weight = float(self.weights[j])
        held = ", ".join(f"{v:g}".replace("-", "−") for v in self.values[j])
        return [
            box(x, y, 224, 142, LINE),
            label(f"Card {j + 1}", x + 10, y + 20, bold=True),
            label(f"Key: {self.filed_under(self.keys[j])}", x + 10, y + 44),
            label(f"Value: {name}", x + 10, y + 68),
            label(f"in numbers ({held})", x + 10, y + 88),
            label(f"Match {fixed(self.raw[j], 0)}   Weight {fixed(weight, 4)}", x + 10, y + 112),
            box(x + 10, y + 121, 204, 10, LINE),
            f'<rect x="{x + 10}" y="{y + 121}" width="{fixed(204 * weight, 2)}" height="10" '
            f'fill="#7b3fb5"/>',
        ]


def box(x, y, w, h, color):
    return (
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="4" fill="{PAPER}" '
        f'stroke="{escape(color)}"/>'
    )
