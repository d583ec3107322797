"""The parts of this site that Jupyter Book does not bring, one module per job.

addresses   pages of book/ live at the root of the site: book/index → index.html
assets      one trimmed style sheet, the fonts it needs, and no script a page does not use
directive   {qkv-widget}: a live widget on a Markdown page
downloads   the notebooks that the site offers, with an install cell, and the wheel
maths       formulas rendered at build by KaTeX
pictures    figures that move are told from those that stand
path        the path of the sixteen lessons, and links to those still to come
repository  where the source lives, if that is known
translation what is not prose keeps out of a browser's translation
whole       a lean lesson with the widget models that a viewer needs
widgets     widget outputs become slots for the static host, with the state it opens them on
"""

from . import (
    addresses,
    assets,
    directive,
    downloads,
    maths,
    path,
    pictures,
    repository,
    translation,
    widgets,
)

__version__ = "1"


def setup(app):
    for part in (
        addresses,
        maths,
        path,
        pictures,
        repository,
        translation,
        directive,
        widgets,
        downloads,
        assets,
    ):
        part.setup(app)
    return {
        "version": __version__,
        "env_version": 1,  # another one: what an earlier build has read is read anew
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
