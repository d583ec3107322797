import { freshId, h, prose, setProse } from "./dom.js";
import { brief, format, inField, parseNumber, short } from "./numbers.js";

// A labelled slider with a typed value beside it.
//   key        the trait;  label  its name on screen
//   min, max   numbers, or functions of the traits;  step
//   shift      what is added on screen (1 for positions, which are counted from 1)
//   index      for a trait that is a list: which of its numbers
//   stops      the numbers that the slider halts at, where even steps would not do (1, 2, 4, 8 …)
export function slider(ctx, { key, index, label, min, max, step = 1, shift = 0, stops }) {
  const get = () => (index === undefined ? ctx.get(key) : ctx.get(key)[index]);
  const put = (value) => ctx.set({ [key]: index === undefined ? value : ctx.get(key).with(index, value) });
  const range = h("input", { type: "range", id: freshId(key), step });
  const typed = h("input", {
    type: "text", inputmode: "decimal", class: "qkv-typed", "aria-label": `${label}, typed`,
    autocomplete: "off", size: 5,
  });
  const error = h("span", { class: "qkv-field-error", role: "alert" });
  const bound = (b) => (typeof b === "function" ? b(ctx.traits()) : b) + shift;

  range.addEventListener("input", () => put(stops ? stops[range.value] : Number(range.value) - shift));
  typed.addEventListener("change", () => {
    const value = parseNumber(typed.value);
    const whole = step % 1 === 0;
    const good = value >= bound(min) && value <= bound(max) && (!whole || Number.isInteger(value));
    markBad(typed, !good);
    setProse(error, good ? "" : `Wanted a ${whole ? "whole " : ""}number from ${short(bound(min))} to ${short(bound(max))}, got “${brief(typed.value)}”.`);
    if (good) put(value - shift);
  });
  const show = () => {
    const value = get() + shift;
    range.min = stops ? 0 : bound(min);
    range.max = stops ? stops.length - 1 : bound(max);
    const place = stops ? nearest(stops, value) : value;
    if (Number(range.value) !== place) range.value = place;
    if (stops) range.setAttribute("aria-valuetext", short(value));
    if (typed.getAttribute("aria-invalid") !== "true") typed.value = inField(value);
  };
  typed.addEventListener("qkv-reset", () => (markBad(typed, false), setProse(error, ""), show()));
  ctx.onUpdate(show);
  return h("div", { class: "qkv-control" },
    h("label", { for: range.id }, ...prose(label)), range, typed, error);
}

function nearest(stops, value) {
  const gaps = stops.map((stop) => Math.abs(stop - value));
  return gaps.indexOf(Math.min(...gaps));
}

// A labelled checkbox.
export function toggle(ctx, { key, label }) {
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => ctx.set({ [key]: box.checked }));
  ctx.onUpdate(() => { box.checked = ctx.get(key); });
  return h("label", { class: "qkv-control qkv-toggle" }, box, h("span", {}, ...prose(label)));
}

// One of a few: radio buttons under a legend. `options` are [value, label] pairs.
export function choice(ctx, { key, label, options }) {
  const group = freshId(key);
  const radios = options.map(([value, text]) => {
    const radio = h("input", { type: "radio", name: group });
    radio.addEventListener("change", () => ctx.set({ [key]: value }));
    ctx.onUpdate(() => { radio.checked = ctx.get(key) === value; });
    return h("label", { class: "qkv-toggle" }, radio, h("span", {}, ...prose(text)));
  });
  return h("fieldset", { class: "qkv-control qkv-choice" }, h("legend", {}, ...prose(label)), ...radios);
}

// A cell that takes a number. `get(traits)` reads it, `put(value)` → the changes to make, `label`
// names it: a text, or a function where the name changes (a cell of a large matrix's one row).
export function numberCell(ctx, { label, get, put }) {
  const named = typeof label === "function" ? label : () => label;
  const input = h("input", {
    type: "text", inputmode: "decimal", class: "qkv-cell", "aria-label": named(), autocomplete: "off",
  });
  let stepping = false;
  input.addEventListener("focus", () => input.select());
  input.addEventListener("input", () => take());
  input.addEventListener("blur", () => {
    if (input.getAttribute("aria-invalid") !== "true") show(ctx.traits());
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const text = short(get(ctx.traits()) + step * (event.shiftKey ? 0.1 : 1));
    markBad(input, false);
    // Writing into the focused field lays out the page at once: last, so that it is done once.
    stepping = true;
    ctx.set(put(parseNumber(text), ctx.traits()));
    stepping = false;
    input.value = text;
  });
  input.addEventListener("qkv-reset", () => (markBad(input, false), show(ctx.traits())));

  function take() {
    const value = parseNumber(input.value);
    const bad = Number.isNaN(value);
    markBad(input, bad);
    if (bad) {
      const given = input.value.trim() === "" ? "an empty cell" : `“${brief(input.value)}”`;
      ctx.notice(`${named()}: a number is wanted, got ${given}. The last good result stays.`);
    } else ctx.set(put(value, ctx.traits()));
  }

  function show(traits) {
    if (input.getAttribute("aria-label") !== named()) input.setAttribute("aria-label", named());
    if (stepping || (document.activeElement === input && parseNumber(input.value) === get(traits))) return;
    if (input.getAttribute("aria-invalid") === "true") return;
    const text = inField(get(traits));
    if (input.value !== text) input.value = text;
  }
  return { input, show };
}

// A line of text that follows the results: the widget's answer in words, for eyes and ears.
export function summary(ctx, makeText) {
  const line = h("p", { class: "qkv-summary", "aria-live": "polite", "aria-atomic": "true" });
  ctx.onUpdate((results, traits) => setProse(line, makeText(results, traits, format)));
  return line;
}

export function markBad(input, bad) {
  if (bad) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}
