// Sphinx's search, adapted: pages of book/ live at the root of the site, and a page opened from
// disk cannot fetch the summaries of others.
const setIndex = Search.setIndex;
Search.setIndex = (index) => {
  index.docnames = index.docnames.map((name) => name.replace(/^book\//, ""));
  setIndex.call(Search, index);
};
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
