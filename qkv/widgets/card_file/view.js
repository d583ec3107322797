import { h, prose, setText } from "../_shared/dom.js";
import { format, short, sub } from "../_shared/numbers.js";
import { lab } from "../_shared/lab.js";
import { choice, numberCell, slider, summary } from "../_shared/controls.js";
import { products } from "../_shared/matrix.js";
import { derive, validate } from "./math.js";

export default lab({
  name: "CardFile",
  title: "A card file: find by tags, take what the card holds",
  tip: "type another number into a card’s content and see which results move; then take a tag off a card and look again. Press a computed number to see where it comes from.",
  keys: ["tags", "labels", "request", "keys", "values", "hard", "temperature"],
  derive,
  validate,
  build,
});

function build(ctx) {
  const slip = h("div", { class: "qkv-slip" });
  const cards = h("div", { class: "qkv-cards" });
  const taken = h("p", { class: "qkv-taken" });
  const heat = slider(ctx, { key: "temperature", label: "Temperature", min: 0.1, max: 5, step: 0.1 });
  let shows = [];
  let built = "";

  // The parts stay as they are while numbers change; they are made anew for other cards.
  ctx.onUpdate((results, traits) => {
    const wanted = JSON.stringify([traits.tags, traits.labels, traits.values[0].length]);
    if (built !== wanted) {
      shows = [];
      slip.replaceChildren(tagBoxes(traits, null));
      cards.replaceChildren(...traits.labels.map((label, j) => card(label, j, traits)));
      taken.replaceChildren(...outputLine(traits));
      built = wanted;
    }
    for (const show of shows) show(results, traits);
    heat.hidden = traits.hard;
  });

  // Checkboxes for the tags of one card, or of the request (j = null).
  function tagBoxes({ tags }, j) {
    const row = (traits) => (j === null ? traits.request : traits.keys[j]);
    const boxes = tags.map((tag, r) => {
      const box = h("input", { type: "checkbox" });
      const chip = h("label", { class: "qkv-tag" }, box, tag);
      box.addEventListener("change", () => {
        const traits = ctx.traits();
        const changed = row(traits).with(r, box.checked ? 1 : 0);
        ctx.set(j === null ? { request: changed } : { keys: traits.keys.with(j, changed) });
      });
      shows.push((_, traits) => {
        box.checked = row(traits)[r] === 1;
        chip.classList.toggle("qkv-hit", j !== null && box.checked && traits.request[r] === 1);
      });
      return chip;
    });
    const legend = j === null ? "Request: asks for" : "Key: filed under";
    return h("fieldset", { class: "qkv-tags" }, h("legend", {}, legend), ...boxes);
  }

  function card(label, j, traits) {
    const cells = traits.values[0].map((_, c) => {
      const cell = numberCell(ctx, {
        label: `Card ${j + 1} holds, number ${c + 1}`,
        get: ({ values }) => values[j][c],
        put: (x, { values }) => ({ values: values.with(j, values[j].with(c, x)) }),
      });
      shows.push((_, now) => cell.show(now));
      return cell.input;
    });
    const bar = h("span", { class: "qkv-fill" });
    const box = h("div", { class: "qkv-card", role: "group", "aria-label": `Card ${j + 1}` },
      h("p", { class: "qkv-card-name" }, ...prose(`Card ${j + 1}`)),
      tagBoxes(traits, j),
      h("div", { class: "qkv-holds" },
        h("p", {}, "Value: holds ", h("q", {}, label)),
        h("p", {}, "in numbers ", ...cells)),
      h("p", { class: "qkv-found" },
        "Match ", computed(({ raw }) => short(raw[j]), (results, now) => explainMatch(j, results, now)),
        " Weight ", computed(({ weights }) => format(weights[j]), (results, now) => explainCardWeight(j, results, now))),
      h("p", { class: "qkv-bar", "aria-hidden": "true" }, bar));
    shows.push(({ raw, weights }) => {
      bar.style.width = `${100 * weights[j]}%`;
      box.classList.toggle("qkv-best", raw[j] === Math.max(...raw));
    });
    return box;
  }

  // "Output o = a₁v₁ + a₂v₂ + a₃v₃ = (4.0000, 1.0000)"
  function outputLine({ labels, values }) {
    const sum = labels.map((_, j) => `a${sub(j)}v${sub(j)}`).join(" + ");
    const numbers = values[0].flatMap((_, c) => [
      c ? ", " : "",
      computed(({ output }) => format(output[c]), (results, now) => explainTaken(c, results, now)),
    ]);
    return [h("b", {}, "Output"), ...prose(` o = ${sum} = (`), ...numbers, ")"];
  }

  // A computed number: pressing it shows the sum that made it.
  function computed(text, explain) {
    const button = h("button", { type: "button", class: "qkv-computed", translate: "no" });
    button.addEventListener("click", () => {
      ctx.root.querySelector(".qkv-chosen")?.classList.remove("qkv-chosen");
      button.classList.add("qkv-chosen");
      ctx.explain(explain);
    });
    shows.push((results) => setText(button, text(results)));
    return button;
  }

  return [
    slip,
    h("div", { class: "qkv-controls" },
      choice(ctx, { key: "hard", label: "Choice", options: [[true, "hard: best cards only"], [false, "soft: every card"]] }),
      heat),
    cards,
    taken,
    summary(ctx, inWords),
  ];
}

function inWords({ raw, weights, output }, { labels, hard }) {
  const most = Math.max(...raw);
  const best = labels.flatMap((label, j) => (raw[j] === most ? [`card ${j + 1} (“${label}”)`] : []));
  const shared = `${most} shared ${most === 1 ? "tag" : "tags"}`;
  const found = best.length === 1 ? `Best match: ${best[0]} with ${shared}` : `A tie with ${shared}: ${best.join(", ")}`;
  const share = weights[raw.indexOf(most)];
  const read = hard
    ? best.length === 1 ? "It alone is read" : `Each is read with weight ${format(share)}`
    : `${best.length === 1 ? "It has" : "Each of them has"} weight ${format(share)} of 1`;
  return `${found}. ${read}; the output is (${output.map((x) => format(x)).join(", ")}).`;
}

function explainMatch(j, { raw }, { request, keys, tags }) {
  const shared = tags.filter((_, r) => request[r] && keys[j][r]);
  const names = shared.length ? ` (${shared.join(", ")})` : "";
  return `match of card ${j + 1} = request · key = ${products(request, keys[j], short)} = ${short(raw[j])}${names}`;
}

function explainCardWeight(j, { raw, weights }, { hard, temperature }) {
  const name = `a${sub(j)}`;
  if (hard) {
    const most = Math.max(...raw);
    const ties = raw.filter((match) => match === most).length;
    if (raw[j] < most) return `${name} = 0: card ${j + 1} has ${short(raw[j])}, the best match is ${short(most)}`;
    return `${name} = 1 / ${ties} = ${format(weights[j])}: ${ties === 1 ? "it is the only best card" : `${ties} cards tie at ${short(most)}`}`;
  }
  const part = (match) => `exp(${short(match)}/${short(temperature)})`;
  return `${name} = ${part(raw[j])} / (${raw.map(part).join(" + ")}) = ${format(weights[j])}`;
}

function explainTaken(c, { weights, output }, { values }) {
  return `o${sub(c)} = Σⱼ aⱼ·v${"ⱼ"}${sub(c)} = ${products(weights, values.map((v) => v[c]))} = ${format(output[c])}`;
}
