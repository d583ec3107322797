import { h, setProse } from "../_shared/dom.js";
import { format, short, sub } from "../_shared/numbers.js";
import { lab } from "../_shared/lab.js";
import { choice, slider } from "../_shared/controls.js";
import { matrix, products, stage } from "../_shared/matrix.js";
import { derive, isMasked, mayRead, MOST_LAYERS, validate } from "./math.js";

export default lab({
  name: "MaskLab",
  title: "What does the mask let through?",
  tip: "go to two layers while one is masked, and see which outputs feel the last position. Then change the order of mask and softmax.",
  keys: ["X", "W_Q", "W_K", "W_V", "mask", "pad", "width", "order", "layers", "masked_layers", "nudge"],
  derive,
  validate,
  build,
});

function build(ctx) {
  const padding = slider(ctx, { key: "pad", label: "Padding at the end", min: 0, max: ({ X }) => X.length - 1 });
  const wide = slider(ctx, { key: "width", label: "Width of the window", min: 1, max: ({ X }) => X.length });
  ctx.onUpdate((_, { mask }) => {
    padding.hidden = mask !== "padding";
    wide.hidden = mask !== "window";
  });
  // Fewer layers never leave more masked ones than there are.
  const fewer = { ...ctx, set: ({ layers }) => ctx.set({ layers, masked_layers: Math.min(ctx.get("masked_layers"), layers) }) };

  return [
    h("div", { class: "qkv-controls" },
      choice(ctx, { key: "mask", label: "Mask", options: [["full", "none"], ["causal", "causal"], ["padding", "padding"], ["window", "window"]] }),
      padding, wide,
      choice(ctx, {
        key: "order", label: "Order",
        options: [["mask-softmax", "mask, softmax"], ["softmax-zero", "softmax, zero"], ["zero-renormalise", "softmax, zero, renormalise"]],
      }),
      slider(fewer, { key: "layers", label: "Layers", min: 1, max: MOST_LAYERS }),
      slider(ctx, { key: "masked_layers", label: "Masked (the last ones)", min: 0, max: ({ layers }) => layers }),
      slider(ctx, { key: "nudge", label: "Nudge to the last position", min: -3, max: 3, step: 0.1 })),
    layerLine(ctx),
    stage("Inputs: type in them",
      matrix(ctx, { name: "X", note: "positions", edit: "X" }),
      h("details", { class: "qkv-more" },
        h("summary", {}, "The three matrices"),
        h("div", { class: "qkv-row" },
          matrix(ctx, { name: "W_Q", edit: "W_Q", role: "q" }),
          matrix(ctx, { name: "W_K", edit: "W_K", role: "k" }),
          matrix(ctx, { name: "W_V", edit: "W_V", role: "v" })))),
    stage("The last layer: each reader (row), each candidate (column)",
      matrix(ctx, { name: "Scores", value: (r) => r.scores, explain: explainScore }),
      matrix(ctx, { name: "Weights", heat: "weight", value: (r) => r.weights, explain: explainWeight }),
      matrix(ctx, { name: "Total", note: "of a row", value: (r) => r.total.map((t) => [t]), explain: explainTotal })),
    stage("What the nudge moves",
      matrix(ctx, { name: "Output", value: (r) => r.output, explain: explainOutput }),
      matrix(ctx, { name: "Change", note: "by the nudge", value: (r) => r.change, explain: explainChange })),
    verdict(ctx),
  ];
}

// One line that draws the stack: ▦ a masked layer, □ an open one.
function layerLine(ctx) {
  const line = h("p", { class: "qkv-layers" });
  ctx.onUpdate((_, traits) => {
    const parts = Array.from({ length: traits.layers }, (_, layer) =>
      `layer ${layer + 1} ${isMasked(traits, layer) && traits.mask !== "full" ? "▦ masked" : "□ open"}`);
    setProse(line, `X → ${parts.join(" → ")} → output`);
  });
  return line;
}

function verdict(ctx) {
  const line = h("p", { class: "qkv-summary", "aria-live": "polite", "aria-atomic": "true" });
  ctx.onUpdate((results, traits) => {
    setProse(line, sentence(results, traits));
    line.classList.toggle("qkv-leaking", results.leak > 1e-12);
  });
  return line;
}

function sentence({ change, leak, total }, { X, nudge }) {
  const n = X.length;
  const off = total.filter((t) => Math.abs(t - 1) > 1e-9).length;
  const sums = off ? ` ${off} of ${n} rows no longer sum to 1.` : "";
  if (n === 1) return `There is one position, so none comes before it.${sums}`;
  if (nudge === 0) return `The nudge is 0, so nothing is tested.${sums}`;
  if (leak <= 1e-12) return `Nudging x${sub(n - 1)} by ${short(nudge)} moves no earlier output.${sums}`;
  const most = change.slice(0, -1).findIndex((row) => row.some((x) => Math.abs(x) === leak));
  return `Nudging x${sub(n - 1)} by ${short(nudge)} moves output ${most + 1} by ${format(leak)}: the last position reaches an earlier one.${sums}`;
}

const blocked = (i, j, traits) => isMasked(traits, traits.layers - 1) && !mayRead(traits, traits.X.length, i, j);

function explainScore(i, j, { scores }, traits) {
  const name = `e${sub(i, j)}`;
  if (scores[i][j] === -Infinity) return `${name} is blocked: reader ${i + 1} may not read position ${j + 1}, so its score is −∞.`;
  const later = blocked(i, j, traits) ? "; its weight is set to 0 after softmax" : "";
  return `${name} = q${sub(i)}·k${sub(j)} / √dₖ = ${format(scores[i][j])}${later}`;
}

function explainWeight(i, j, { scores, weights }, traits) {
  const name = `a${sub(i, j)}`;
  const value = format(weights[i][j]);
  if (blocked(i, j, traits)) {
    return traits.order === "mask-softmax"
      ? `${name} = exp(−∞) / … = 0: blocked before softmax`
      : `${name} = 0: set to 0 after softmax${traits.order === "softmax-zero" ? ", so its share of the row is lost" : "; then the row is divided by its sum"}`;
  }
  const renormalised = traits.order === "zero-renormalise" && isMasked(traits, traits.layers - 1);
  const counted = scores[i].filter((e, m) => e !== -Infinity && !(renormalised && blocked(i, m, traits)));
  const sum = counted.length <= 8 ? counted.map((e) => `exp(${format(e)})`).join(" + ") : `sum of exp over ${counted.length} scores`;
  return `${name} = exp(${format(scores[i][j])}) / (${sum}) = ${value}`;
}

function explainTotal(i, _, { weights, total }) {
  const sum = weights[i].length <= 8 ? weights[i].map((a) => format(a)).join(" + ") : `the sum of ${weights[i].length} weights`;
  return `row ${i + 1}: ${sum} = ${format(total[i])}`;
}

function explainOutput(i, c, { weights, V, output }) {
  return `o${sub(i, c)} = Σⱼ a${sub(i)}ⱼ·vⱼ${sub(c)} = ${products(weights[i], V.map((row) => row[c]))} = ${format(output[i][c])}`;
}

function explainChange(i, c, { output, change }, { X, nudge }) {
  const now = output[i][c] + change[i][c];
  return `with x${sub(X.length - 1)} nudged by ${short(nudge)}, o${sub(i, c)} becomes ${format(now)}; it was ${format(output[i][c])}: change ${format(change[i][c])}`;
}
