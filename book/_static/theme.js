// Set the colour theme before the page is painted. A page without scripts stays light.
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
  apply();
  dark.addEventListener("change", apply);
  window.qkv = { ...window.qkv, applyTheme: apply };
})();
