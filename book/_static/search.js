// Sphinx's search, adapted: pages of book/ live at the root of the site, and a page opened from
// disk cannot fetch the summaries of others.
const setIndex = Search.setIndex;
Search.setIndex = (index) => {
  index.docnames = index.docnames.map((name) => name.replace(/^book\//, ""));
  setIndex.call(Search, index);
};
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// A result's summary is taken from the text, not from the page's table of contents.
const toText = Search.htmlToText;
Search.htmlToText = (html, anchor) =>
  toText.call(Search, html.replace(/<details class="site-toc">.*?<\/details>/s, ""), anchor);
