import { h, setText } from "../_shared/dom.js";
import { format } from "../_shared/numbers.js";
import { lab } from "../_shared/lab.js";
import { choice, slider, summary } from "../_shared/controls.js";
import { stage } from "../_shared/matrix.js";
import { derive, validate } from "./math.js";

export default lab({
  name: "WhoReadsWhom",
  title: "Who reads whom?",
  tip: "choose another reader: every position is a reader and a source. Then let the readers read the second sequence.",
  keys: ["tokens", "memory", "X", "M", "mode", "reader"],
  derive,
  validate,
  build,
});

function build(ctx) {
  return [
    h("div", { class: "qkv-controls" },
      choice(ctx, { key: "mode", label: "Readers read", options: [["self", "their own sequence (self)"], ["cross", "the second sequence (cross)"]] }),
      slider(ctx, { key: "reader", label: "Reader", min: 0, max: ({ X }) => X.length - 1, shift: 1 })),
    stage("Readers: one is asking", readers(ctx)),
    stage("Sources: what it reads, with the weight of each", sources(ctx)),
    summary(ctx, inWords),
  ];
}

function inWords({ shape, weights, output }, { tokens, memory, mode, reader }) {
  const words = mode === "self" ? tokens : memory;
  const most = weights.indexOf(Math.max(...weights));
  const own = mode === "self" ? ` Its weight on itself is ${format(weights[reader])}.` : "";
  return `Reader ${reader + 1} (“${tokens[reader]}”) may read all ${shape[1]} sources and gives most weight, ` +
    `${format(weights[most])}, to source ${most + 1} (“${words[most]}”).${own} ` +
    `All readers together: weights of shape ${shape[0]} × ${shape[1]}. Output (${output.map((x) => format(x)).join(", ")}).`;
}

function readers(ctx) {
  const strip = h("div", { class: "qkv-strip" });
  let built = "";
  ctx.onUpdate((_, { tokens, reader }) => {
    const wanted = JSON.stringify(tokens);
    if (built !== wanted) {
      strip.replaceChildren(...tokens.map((token, i) => h("button", { type: "button", class: "qkv-token", onclick: () => ctx.set({ reader: i }) },
        h("span", { class: "qkv-position", translate: "no" }, String(i + 1)), token)));
    }
    built = wanted;
    [...strip.children].forEach((chip, i) => chip.setAttribute("aria-pressed", String(i === reader)));
  });
  return strip;
}

function sources(ctx) {
  const list = h("ol", { class: "qkv-strip" });
  let built = "";
  ctx.onUpdate(({ weights }, { tokens, memory, mode, reader }) => {
    const words = mode === "self" ? tokens : memory;
    const wanted = JSON.stringify(words);
    if (built !== wanted) {
      list.replaceChildren(...words.map((token, j) => h("li", { class: "qkv-token qkv-source" },
        h("span", { class: "qkv-position", translate: "no" }, String(j + 1)), token, h("span", { class: "qkv-share", translate: "no" }))));
    }
    built = wanted;
    [...list.children].forEach((chip, j) => {
      setText(chip.lastChild, format(weights[j]));
      chip.style.setProperty("--heat", weights[j]);
      chip.classList.toggle("qkv-itself", mode === "self" && j === reader);
    });
  });
  return list;
}
