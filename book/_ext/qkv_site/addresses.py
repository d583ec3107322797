"""Pages of book/ live at the root of the site: book/index.md becomes index.html."""

from sphinx.builders.html import StandaloneHTMLBuilder

PREFIX = "book/"


def address(docname):
    """The address of a document inside the site, without its ending."""
    return docname.removeprefix(PREFIX)


class BookBuilder(StandaloneHTMLBuilder):
    """Sphinx's HTML builder with shorter addresses (search.html undoes the prefix too)."""

    name = "html"

    def get_target_uri(self, docname, typ=None):
        return super().get_target_uri(address(docname), typ)

    def get_outfilename(self, pagename):
        return super().get_outfilename(address(pagename))


def setup(app):
    app.add_builder(BookBuilder, override=True)
