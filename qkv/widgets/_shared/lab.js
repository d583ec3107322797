import { h, prose, rich, setProse, setText } from "./dom.js";
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
    let said = ""; // in the notice
    let linkFault = false; // the notice is about the address
    const shown = new Map(); // visit → the traits at its end (qkv-host.js tells visits apart)

    const notice = h("p", { class: "qkv-notice", role: "alert", hidden: true });
    const trace = h("p", { class: "qkv-trace", "aria-live": "polite", "aria-atomic": "true", hidden: true });
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
      if (explain) setProse(trace, explain(last, traits));
    }

    function say(text) {
      notice.hidden = !text;
      if (said !== text) notice.replaceChildren(...rich(text));
      said = text;
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

    // Another state as a whole: a field that holds no number goes, too.
    function show(traits) {
      put(clone(traits));
      for (const field of root.querySelectorAll("[aria-invalid=true]")) field.dispatchEvent(new Event("qkv-reset"));
      refresh();
    }

    const onPage = inAddress && window.qkv?.host === "static";
    const address = onPage ? addressName(name) : name;
    if (onPage) root.dataset.qkvAddress = address;

    function changed() {
      const now = read();
      const differs = (key) => !same(now[key], initial[key]);
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

    // What the address asks of this widget: null, or the traits, or the sentence that refuses them.
    function asked() {
      const found = readHash(location.hash, address, initial);
      if (!found) return null;
      const traits = { ...initial, ...found.state };
      return { traits, error: found.error || validate(traits) };
    }

    function takeFromAddress() {
      const wanted = asked();
      if (!wanted) return;
      if (wanted.error) refuseLink(wanted.error);
      else show(wanted.traits);
      root.scrollIntoView({ block: "nearest" });
    }

    function refuseLink(error) {
      linkFault = true;
      say(`The link's state for ${address} is ignored: ${error.replace(/\.$/, "")}.`);
    }

    // The address has changed. A link is followed; an entry of another visit brings back what was
    // shown there; and where the reader went on after the address was written, it is written anew.
    function onVisit({ detail: { from, to, followed } }) {
      clearTimeout(waiting); // the address that has come is newer than the one that waits
      waiting = 0;
      shown.set(from, read());
      if (linkFault) say("");
      linkFault = false;
      if (followed) return takeFromAddress();
      const wanted = asked();
      if (to !== from) show(shown.get(to) ?? (wanted?.error ? initial : wanted?.traits) ?? initial);
      if (wanted?.error) refuseLink(wanted.error);
      else if (wanted && !same(wanted.traits, read())) keepInAddress();
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
        show(initial);
        keepInAddress();
        setText(status, "Back to the start.");
      },
    }, "Reset");
    const link = onPage && h("button", { type: "button", onclick: copyLink }, "Link to this state");

    ctx.foot = h("p", { class: "qkv-foot" }, reset, link || null, status);
    root.append(
      h("p", { class: "qkv-title" }, ...prose(title)),
      tip ? h("p", { class: "qkv-tip" }, h("b", {}, "Try this: "), ...prose(tip)) : "",
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
      window.addEventListener("qkv-visit", onVisit);
    }
    return () => {
      for (const key of keys) model.off(`change:${key}`, fromKernel);
      window.removeEventListener("qkv-visit", onVisit);
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

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

// Two widgets of one kind on a page: the second is called Name.2 in the address.
function addressName(name) {
  const earlier = document.querySelectorAll(`[data-qkv-widget="${name}"]`).length;
  return earlier ? `${name}.${earlier + 1}` : name;
}
