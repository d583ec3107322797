"""What is not prose keeps out of a browser's translation: translate="no".

A translator that is handed a formula, code, an output or a table of numbers garbles it. Whoever
makes such a part marks it by a class (Sphinx has `notranslate` for code; `math` and `output` are
formulas and outputs), and here the classes become the attribute that browsers read. In the
widgets, `h` and `prose` of _shared/dom.js do the same.
"""

import re

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator

KEPT = {"notranslate", "math", "output"}
OPEN = re.compile(r"<(\w+)\b[^>]*?\bclass=\"([^\"]*)\"")
SYMBOLS = (nodes.math, nodes.literal)  # a letter in these makes no word


def keep(tag):
    """Add the attribute to a start tag whose classes ask for it; an output of Markdown is prose."""
    match = OPEN.match(tag)
    classes = set(match[2].split()) if match else set()
    if not classes & KEPT or "text_markdown" in classes:
        return tag
    return f'<{match[1]} translate="no"{tag[match.end(1) :]}'


class Translator(HTML5Translator):
    """Every element that a node makes starts here, in the text and in the table of contents."""

    def starttag(self, *args, **attributes):
        return keep(super().starttag(*args, **attributes))


def holds_words(node):
    """Whether a letter stands in the node outside formulas and code."""
    texts = (text for text in node.findall(nodes.Text) if not isinstance(text.parent, SYMBOLS))
    return any(letter.isalpha() for text in texts for letter in text)


def mark_numbers(app, doctree):
    """A cell of a table that holds no word is numbers."""
    for cell in doctree.findall(nodes.entry):
        if not holds_words(cell):
            cell["classes"].append("notranslate")


def setup(app):
    app.set_translator("html", Translator)
    app.connect("doctree-read", mark_numbers)
