// The static host: mounts the widgets of a page that has no kernel.
//
// It reads the widget state that the page embeds, imports each distinct module once and calls its
// `render({ model, el })`, the contract of anywidget's front-end modules. A module's text comes
// through a blob: on file:// a browser refuses module scripts but lets a script import a blob.
// `window.qkv.widgets` lists what was mounted, for tests and for curious readers;
// `window.qkv.ready` resolves when all of it stands.
(() => {
  const STATE = "application/vnd.jupyter.widget-state+json";
  const VIEW = "application/vnd.jupyter.widget-view+json";
  const texts = (window.qkvTexts ??= {}); // filled by the files in _static/widgets
  const modules = new Map();
  const sheets = new Set();

  // A module's text, or a reference to it: then it is joined of its own parts and of shared ones.
  function textOf(value) {
    if (typeof value === "string") return value;
    const recipe = texts[value?.text];
    return recipe && `${recipe.map((part) => texts[part.shared] ?? part).join("\n\n")}\n`;
  }

  function importText(text) {
    if (!modules.has(text)) {
      const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      modules.set(text, import(url).finally(() => URL.revokeObjectURL(url)));
    }
    return modules.get(text);
  }

  // A style sheet that came as a file is linked by the page already.
  function addSheet(value) {
    if (typeof value !== "string" || !value || sheets.has(value)) return;
    sheets.add(value);
    const style = document.createElement("style");
    style.textContent = value;
    document.head.append(style);
  }

  // The part of a widget model that a module may use. Setting a trait tells its listeners at once.
  function makeModel(state) {
    const values = { ...state };
    const listeners = new Map();
    const emit = (event, value) => {
      for (const callback of [...(listeners.get(event) ?? [])]) callback(model, value);
    };
    const model = {
      get: (name) => values[name],
      set(name, value) {
        const given = typeof name === "string" ? { [name]: value } : name;
        const changed = Object.keys(given).filter((key) => values[key] !== given[key]);
        Object.assign(values, given);
        for (const key of changed) emit(`change:${key}`, values[key]);
        if (changed.length) emit("change");
      },
      on(events, callback) {
        for (const event of events.split(" ")) {
          if (!listeners.has(event)) listeners.set(event, new Set());
          listeners.get(event).add(callback);
        }
      },
      off(events, callback) {
        if (!events) return listeners.clear();
        for (const event of events.split(" ")) {
          if (callback) listeners.get(event)?.delete(callback);
          else listeners.delete(event);
        }
      },
      save_changes() {}, // nobody to send them to
      send() {},
    };
    return model;
  }

  // Back and Forward. A visit is a stretch of the history that begins where the page was opened or
  // where a `#w:` link was followed; each entry carries the name of its visit. Widgets keep what
  // they showed in each (lab.js). Going to an entry of another visit brings that back; a plain
  // anchor, or going back from one, stays in the visit and leaves them as they are.
  let visits = 0;
  let visit = nameVisit();

  function nameVisit() {
    visits += 1;
    return `${performance.timeOrigin}/${visits}`; // no other load of the page has this name
  }

  function markEntry() {
    history.replaceState({ ...history.state, qkvVisit: visit }, "");
  }

  function arrive() {
    const from = visit;
    const known = history.state?.qkvVisit; // a new entry has none
    visit = known ?? (location.hash.startsWith("#w:") ? nameVisit() : from);
    if (!known) markEntry();
    const detail = { from, to: visit, followed: !known };
    window.dispatchEvent(new CustomEvent("qkv-visit", { detail }));
  }

  // Two widgets of one kind on a page get names that differ.
  function tellApart(element) {
    const name = element.getAttribute("aria-label");
    const taken = new Set(window.qkv.widgets.map((w) => w.element.getAttribute("aria-label")));
    for (let i = 2; name && taken.has(element.getAttribute("aria-label")); i += 1) {
      element.setAttribute("aria-label", `${name} (${i})`);
    }
  }

  async function mount(slot, models) {
    const id = JSON.parse(slot.querySelector(`script[type="${VIEW}"]`).textContent).model_id;
    const entry = models.get(id);
    if (!entry) throw new Error(`no state for the widget ${id}`);
    const { state } = entry;
    const text = textOf(state._esm);
    if (!text) throw new Error(`no module text for the widget ${id}`);
    addSheet(state._css);
    const loaded = (await importText(text)).default;
    const module = typeof loaded === "function" ? await loaded() : loaded;
    if (!entry.model) {
      entry.model = makeModel(state);
      await module.initialize?.({ model: entry.model });
    }
    const el = document.createElement("div");
    el.className = "qkv-live";
    slot.append(el);
    await module.render({ model: entry.model, el });
    slot.dataset.state = "live";
    const element = el.querySelector("[data-qkv-widget]") ?? el;
    tellApart(element);
    const name = module.name ?? element.dataset.qkvWidget;
    return { name, element, model: entry.model, derive: module.derive };
  }

  async function mountAll() {
    const models = new Map();
    for (const script of document.querySelectorAll(`script[type="${STATE}"]`)) {
      const { state } = JSON.parse(script.textContent);
      for (const [id, model] of Object.entries(state)) models.set(id, { state: model.state });
    }
    for (const slot of document.querySelectorAll(".qkv-slot")) {
      try {
        window.qkv.widgets.push(await mount(slot, models));
      } catch (error) {
        slot.dataset.state = "failed"; // the still picture shows
        const note = document.createElement("p");
        note.className = "qkv-failed";
        note.textContent = `This widget could not start: ${error.message}`;
        slot.append(note);
        reportError(error);
      }
    }
    document.documentElement.dataset.qkvReady = "";
    return window.qkv.widgets;
  }

  markEntry();
  window.addEventListener("popstate", arrive);
  window.addEventListener("hashchange", arrive); // a second time for one step: nothing is left to do
  window.qkv = { ...window.qkv, host: "static", widgets: [] };
  window.qkv.ready = mountAll();
})();
