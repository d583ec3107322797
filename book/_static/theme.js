// Set the colour theme before the page is painted, and say that the page is starting. A page
// without scripts stays light.
(() => {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let mode = "auto";
    try {
      mode = localStorage.getItem("mode") || "auto";
    } catch {
      // storage may be refused; the theme then follows the system
    }
    root.dataset.mode = mode;
    root.dataset.theme = mode === "auto" ? (dark.matches ? "dark" : "light") : mode;
  };
  root.classList.add("js");
  // A page that opens at its top needs no more than the screen laid out at first; one that opens
  // at an anchor, or where the reader left it, needs all. site.js takes the mark away.
  const [visit] = performance.getEntriesByType("navigation");
  if (visit?.type === "navigate" && location.hash === "") root.dataset.starting = "";
  apply();
  dark.addEventListener("change", apply);
  window.qkv = { ...window.qkv, applyTheme: apply };
})();
