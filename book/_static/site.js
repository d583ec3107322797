// What the frame of a page does: theme button, contents on a narrow screen, the place in the
// table of contents, copy buttons, and a tab stop for whatever scrolls sideways.
(() => {
  const root = document.documentElement;
  const wide = window.matchMedia("(min-width: 75rem)");

  // theme: auto → light → dark → auto
  const button = document.querySelector(".site-theme");
  const modes = ["auto", "light", "dark"];
  const showMode = () => {
    button.querySelector(".site-mode").textContent = root.dataset.mode;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = modes[(modes.indexOf(root.dataset.mode) + 1) % modes.length];
    try {
      localStorage.setItem("mode", next);
      localStorage.removeItem("theme");
    } catch {
      // storage may be refused
    }
    window.qkv.applyTheme();
    root.dataset.mode = next;
    if (next !== "auto") root.dataset.theme = next;
    showMode();
  });
  showMode();

  // the contents, on a narrow screen
  const menu = document.querySelector(".site-menu");
  const side = document.getElementById("site-nav");
  const open = (yes) => {
    root.classList.toggle("site-open", yes);
    menu.setAttribute("aria-expanded", String(yes));
    if (yes) side.querySelector("input").focus();
  };
  menu.addEventListener("click", () => open(!root.classList.contains("site-open")));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && root.classList.contains("site-open")) {
      open(false);
      menu.focus();
    }
    if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      open(true);
    }
  });
  document.addEventListener("click", (event) => {
    if (!side.contains(event.target) && !menu.contains(event.target)) open(false);
  });
  side.querySelector('[aria-current="page"], .current > a')?.setAttribute("aria-current", "page");

  // the table of contents of the page: open where there is room, following the reader
  const toc = document.querySelector(".site-toc");
  if (toc) {
    const fit = () => {
      toc.open = wide.matches;
    };
    fit();
    wide.addEventListener("change", fit);
    const links = new Map();
    for (const link of toc.querySelectorAll('a[href^="#"]')) {
      const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (target) links.set(target, link);
    }
    let waiting = false;
    const mark = () => {
      waiting = false;
      let here = null;
      for (const [target, link] of links) {
        if (target.getBoundingClientRect().top < window.innerHeight * 0.3) here = link;
      }
      for (const link of links.values()) link.classList.toggle("active", link === here);
    };
    document.addEventListener("scroll", () => {
      if (!waiting) requestAnimationFrame(mark);
      waiting = true;
    }, { passive: true });
  }

  // copy buttons on code
  for (const code of document.querySelectorAll("div.highlight")) {
    if (code.closest(".cell_output")) continue;
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "site-copy";
    copy.setAttribute("translate", "yes"); // it stands inside of code
    copy.textContent = "Copy";
    copy.addEventListener("click", async () => {
      const text = code.querySelector("pre").textContent;
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {
        copy.textContent = "Select and copy by hand";
      }
      setTimeout(() => {
        copy.textContent = "Copy";
      }, 2000);
    });
    code.append(copy);
  }

  // a figure that moves can be stopped, and stands where the reader prefers less motion
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  for (const image of document.querySelectorAll("img.site-moving")) {
    const source = image.getAttribute("src");
    const stop = document.createElement("button");
    stop.type = "button";
    stop.className = "site-stop";
    const move = (yes) => {
      image.src = yes ? source : `${source}#still`;
      stop.textContent = yes ? "Stop the animation" : "Play the animation";
    };
    stop.addEventListener("click", () => move(image.src.endsWith("#still")));
    image.closest("p").after(stop);
    move(!calm.matches);
  }

  // what scrolls sideways is a tab stop, and only then
  const scrollers = "pre, .site-scroll, div.math, .output, article p:has(> img:only-child)";
  const reach = () => {
    for (const box of document.querySelectorAll(scrollers)) {
      const overflows = box.scrollWidth > box.clientWidth + 1;
      if (overflows && getComputedStyle(box).overflowX !== "visible") box.tabIndex = 0;
      else if (box.tabIndex === 0) box.removeAttribute("tabindex");
    }
    // A widget's table looks after itself, unless nothing in it can take the focus.
    for (const box of document.querySelectorAll(".qkv-slot .qkv-scroll")) {
      const stops = box.querySelector("button, input, [tabindex='0']");
      if (box.scrollWidth > box.clientWidth + 1 && !stops) box.tabIndex = 0;
    }
  };
  for (const table of document.querySelectorAll("article table")) {
    if (table.closest(".qkv-slot, .site-scroll")) continue;
    const box = document.createElement("div");
    box.className = "site-scroll";
    table.replaceWith(box);
    box.append(table);
  }
  // Widgets grow while they start, so the place that the address names has moved since the browser
  // went there. Go again, unless the reader has set off or comes back to where they were.
  let setOff = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    window.addEventListener(kind, () => { setOff = true; }, { once: true, passive: true });
  }
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // no text in UTF-8: taken as it stands
    }
  };
  const toAnchor = () => {
    if (setOff || location.hash.length < 2) return;
    const name = widgetInAddress();
    const place = name === null
      ? document.getElementById(decoded(location.hash.slice(1)))
      : widgets().find((widget) => widget.dataset.qkvAddress === name);
    place?.scrollIntoView();
  };

  // An address that names a widget which is not here gets a notice, until another address comes.
  const widgets = () => [...document.querySelectorAll("[data-qkv-address]")];
  const widgetInAddress = () => /^#w:([^:;]*)/.exec(location.hash)?.[1] ?? null;
  const notice = document.createElement("div");
  notice.className = "site-notice";
  notice.setAttribute("role", "alert");
  document.querySelector(".site-top").after(notice);
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => notice.replaceChildren());
  const quoted = (name) => {
    const code = document.createElement("code");
    code.setAttribute("translate", "no");
    code.textContent = name;
    return code;
  };
  const tellMissing = () => {
    const name = widgetInAddress();
    const here = widgets().map((widget) => widget.dataset.qkvAddress);
    if (name === null || here.includes(name)) return notice.replaceChildren();
    const read = decoded(name);
    const brief = read.length > 40 ? `${read.slice(0, 39)}…` : read;
    const asked = name ? ["The address asks for the widget ", quoted(brief)] : ["The address names no widget"];
    const list = here.flatMap((one, i) => [i ? ", " : "This page has ", quoted(one)]);
    const line = document.createElement("p");
    line.append(...asked, ". ", ...(here.length ? list : ["This page has none to ask for"]), ".");
    notice.replaceChildren(line, close);
  };
  window.addEventListener("hashchange", tellMissing);

  // Until the widgets answer only what is on the screen is laid out (theme.js, site.css); then all
  // is, and what needs to be measured can be.
  const settle = () => {
    delete root.dataset.starting;
    tellMissing();
    toAnchor();
    reach();
    document.dispatchEvent(new Event("scroll"));
  };
  Promise.resolve(window.qkv.ready).then(() => requestAnimationFrame(() => setTimeout(settle)));
  document.fonts?.ready.then(() => "starting" in root.dataset || reach());
  window.addEventListener("resize", reach);
  for (const details of document.querySelectorAll("article details")) {
    details.addEventListener("toggle", reach);
  }
})();
