import { h, setText } from "./dom.js";
import { overflowed } from "./numbers.js";
import { readHash, writeHash } from "./hash.js";

// The frame of every widget: title, a line to try, the widget's own body, a trace, a notice, reset
// and link. A widget passes what is its own:
//   name, title, tip   text
//   keys               the traits that are inputs
//   derive, validate   pure functions of the traits (math.js); validate → "" or a sentence
//   build(ctx)         → elements; the parts it makes register with ctx.onUpdate
//   label              its accessible name, from the traits, where the title is not enough
//   inAddress          false for a question: an answer is nothing to link to
// Returns the module that anywidget (in a notebook) or the static host (on a page) renders.
export function lab({ name, title, tip, keys, derive, validate, build, label, inAddress = true }) {
  function render({ model, el }) {
    const initial = clone(read());
    const listeners = [];
    let last = null;
    let started = false;
    let busy = false;
    let explain = null;
    let waiting = 0; // for the address
    let written = -Infinity;

    const notice = h("p", { class: "qkv-notice", role: "alert", hidden: true });
    const trace = h("p", { class: "qkv-trace", "aria-live": "polite", hidden: true });
    const root = h("section", {
      class: "qkv-widget", "data-qkv-widget": name, "aria-label": label?.(read()) ?? title,
      // JupyterLab takes arrow keys for its own shortcuts unless the element with the focus objects.
      onfocusin: (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"),
    });

    function read() {
      return Object.fromEntries(keys.map((key) => [key, model.get(key)]));
    }

    function refresh() {
      const traits = read();
      const problem = validate(traits);
      const results = problem ? null : derive(traits);
      const fault = problem || (overflowed(results) ? TOO_LARGE : "");
      if (fault) say(`${fault} The last good result stays.`);
      else if (!root.querySelector("[aria-invalid=true]")) say("");
      if (fault) return false;
      last = results;
      for (const update of listeners) update(results, traits);
      // After a change lay out now, in the time until the next frame, not within the frame.
      if (started) root.getBoundingClientRect();
      showTrace(traits);
      return true;
    }

    function showTrace(traits) {
      trace.hidden = explain === null;
      if (explain) setText(trace, explain(last, traits));
    }

    function say(text) {
      notice.hidden = !text;
      if (notice.textContent !== text) notice.textContent = text || "";
    }

    const ctx = {
      name, root, get: (key) => model.get(key), traits: read, results: () => last,
      onUpdate: (update) => listeners.push(update),
      notice: say,
      // A reader's change: into the model (so a kernel sees it), onto the page, into the address.
      set(changes) {
        put(changes);
        if (refresh()) followInAddress();
      },
      // Show the sum that made a number, and keep it true while inputs change.
      explain(makeText) {
        explain = makeText;
        if (last) showTrace(read());
      },
    };

    function put(changes) {
      busy = true;
      for (const [key, value] of Object.entries(changes)) model.set(key, value);
      model.save_changes();
      busy = false;
    }

    const onPage = inAddress && window.qkv?.host === "static";
    const address = onPage ? addressName(name) : name;
    root.dataset.qkvAddress = address;

    function changed() {
      const now = read();
      const differs = (key) => JSON.stringify(now[key]) !== JSON.stringify(initial[key]);
      return Object.fromEntries(keys.filter(differs).map((key) => [key, now[key]]));
    }

    // At most one new address in ADDRESS_PAUSE ms, the last one always: browsers refuse more than
    // about three a second, and at each they fetch and draw the page's icon again.
    function followInAddress() {
      if (!onPage || waiting) return;
      const rest = written + ADDRESS_PAUSE - performance.now();
      if (rest <= 0) keepInAddress();
      else waiting = setTimeout(keepInAddress, rest);
    }

    // A plain anchor in the address is never replaced by itself: only by the link button.
    function keepInAddress(asked = false) {
      clearTimeout(waiting);
      waiting = 0;
      written = performance.now();
      if (!onPage || !(asked || location.hash === "" || location.hash.startsWith("#w:"))) return;
      const state = changed();
      const hash = Object.keys(state).length || asked ? writeHash(address, state) : "";
      history.replaceState(history.state, "", hash || location.pathname + location.search);
    }

    function takeFromAddress() {
      clearTimeout(waiting); // the address that has come is newer than the one that waits
      waiting = 0;
      const found = readHash(location.hash, address, initial);
      if (!found) return;
      const wanted = { ...initial, ...found.state };
      const error = found.error || validate(wanted);
      if (error) {
        say(`The link's state for ${address} is ignored: ${error.replace(/\.$/, "")}.`);
      } else {
        put(wanted);
        refresh();
      }
      root.scrollIntoView({ block: "nearest" });
    }

    async function copyLink() {
      keepInAddress(true);
      let done = "The address bar now holds this state.";
      try {
        await navigator.clipboard.writeText(location.href);
        done = "The link to this state is copied.";
      } catch { /* no clipboard here: the address bar has it */ }
      setText(status, done);
    }

    const status = h("span", { class: "qkv-status", role: "status" });
    const reset = h("button", {
      type: "button",
      onclick: () => {
        ctx.explain(null);
        put(clone(initial));
        for (const field of root.querySelectorAll("[aria-invalid=true]")) field.dispatchEvent(new Event("qkv-reset"));
        refresh();
        keepInAddress();
        setText(status, "Back to the start.");
      },
    }, "Reset");
    const link = onPage && h("button", { type: "button", onclick: copyLink }, "Link to this state");

    ctx.foot = h("p", { class: "qkv-foot" }, reset, link || null, status);
    root.append(
      h("p", { class: "qkv-title" }, title),
      tip ? h("p", { class: "qkv-tip" }, h("b", {}, "Try this: "), tip) : "",
      ...build(ctx),
      trace, notice,
    );
    if (!ctx.foot.parentNode) root.append(ctx.foot);
    el.append(root);

    const fromKernel = () => busy || refresh();
    for (const key of keys) model.on(`change:${key}`, fromKernel);
    refresh();
    started = true;
    if (onPage) {
      takeFromAddress();
      window.addEventListener("hashchange", takeFromAddress);
    }
    return () => {
      for (const key of keys) model.off(`change:${key}`, fromKernel);
      window.removeEventListener("hashchange", takeFromAddress);
      clearTimeout(waiting);
    };
  }
  return { name, derive, render };
}

const ADDRESS_PAUSE = 320;
const TOO_LARGE = "These inputs are too large: the result is no longer a finite number.";

function clone(value) {
  return JSON.parse(JSON.stringify(value));
}

// Two widgets of one kind on a page: the second is called Name.2 in the address.
function addressName(name) {
  const earlier = document.querySelectorAll(`[data-qkv-widget="${name}"]`).length;
  return earlier ? `${name}.${earlier + 1}` : name;
}
