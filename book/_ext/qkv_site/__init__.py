"""The parts of this site that Jupyter Book does not bring, one module per job.

addresses   pages of book/ live at the root of the site: book/index → index.html
assets      one trimmed style sheet, the fonts it needs, and no script a page does not use
directive   {qkv-widget}: a live widget on a Markdown page
downloads   the notebooks that the site offers, with an install cell, and the wheel
maths       formulas rendered at build by KaTeX
repository  where the source lives, if that is known
widgets     widget outputs become slots for the static host, and their state is slimmed
"""

from . import addresses, assets, directive, downloads, maths, repository, widgets

__version__ = "1"


def setup(app):
    for part in (addresses, maths, repository, directive, widgets, downloads, assets):
        part.setup(app)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
