import { h } from "../_shared/dom.js";
import { format, short, sub } from "../_shared/numbers.js";
import { lab } from "../_shared/lab.js";
import { slider, summary, toggle } from "../_shared/controls.js";
import { matrix, products, stage } from "../_shared/matrix.js";
import { derive, validate } from "./math.js";

export default lab({
  name: "AttentionTable",
  title: "One read, every number",
  tip: "type another number into X or a matrix, then follow the marked reader’s row to the output. Press any computed number to see the sum that made it.",
  keys: ["X", "W_Q", "W_K", "W_V", "causal", "scaled", "reader"],
  derive,
  validate,
  build,
});

function build(ctx) {
  const projection = (name, W, role) => matrix(ctx, {
    name, note: `= X·${W}`, role, reader: "reader", value: (results) => results[name],
    explain: (i, j, results, { X, ...traits }) =>
      `${name.toLowerCase()}${sub(i, j)} = x${sub(i)} · column ${j + 1} of ${W} = ` +
      `${products(X[i], column(traits[W], j), short)} = ${format(results[name][i][j])}`,
  });

  return [
    h("div", { class: "qkv-controls" },
      slider(ctx, { key: "reader", label: "Reader", min: 0, max: ({ X }) => X.length - 1, shift: 1 }),
      toggle(ctx, { key: "causal", label: "Causal: read no later position" }),
      toggle(ctx, { key: "scaled", label: "Divide by √dₖ" })),
    stage("Inputs: type in them",
      matrix(ctx, { name: "X", note: "positions", edit: "X", reader: "reader" }),
      matrix(ctx, { name: "W_Q", edit: "W_Q", role: "q" }),
      matrix(ctx, { name: "W_K", edit: "W_K", role: "k" }),
      matrix(ctx, { name: "W_V", edit: "W_V", role: "v" })),
    stage("1. Project: three roles of each position",
      projection("Q", "W_Q", "q"), projection("K", "W_K", "k"), projection("V", "W_V", "v")),
    stage("2. Score: each reader (row) against each candidate (column)",
      matrix(ctx, { name: "Raw scores", note: "QKᵀ", reader: "reader", value: (r) => r.raw, explain: explainRaw }),
      matrix(ctx, { name: "Scores", reader: "reader", value: (r) => r.scores, explain: explainScore })),
    stage("3. Weigh, then mix",
      matrix(ctx, { name: "Weights", note: "softmax of each row", heat: "weight", reader: "reader", value: (r) => r.weights, explain: explainWeight }),
      matrix(ctx, { name: "Output", note: "weights · V", reader: "reader", value: (r) => r.output, explain: explainOutput })),
    summary(ctx, ({ weights, output }, { reader }) =>
      `Reader ${reader + 1} ${weightsInWords(weights[reader])} and takes away (${output[reader].map((x) => format(x)).join(", ")}).`),
  ];
}

function weightsInWords(weights) {
  if (weights.length <= 8) return `gives positions 1 to ${weights.length} the weights ${weights.map((a) => format(a)).join(", ")}`;
  const most = weights.indexOf(Math.max(...weights));
  return `gives most weight, ${format(weights[most])}, to position ${most + 1}`;
}

function explainRaw(i, j, { Q, K, raw }) {
  return `q${sub(i)}·k${sub(j)} = ${products(Q[i], K[j], short)} = ${format(raw[i][j])}`;
}

function explainScore(i, j, { Q, raw, scores }, { scaled }) {
  const name = `e${sub(i, j)}`;
  if (scores[i][j] === -Infinity) return `${name} is blocked: position ${j + 1} comes after reader ${i + 1}, so its score is −∞ and its weight will be 0.`;
  if (!scaled) return `${name} = q${sub(i)}·k${sub(j)} = ${format(raw[i][j])}, not divided`;
  return `${name} = q${sub(i)}·k${sub(j)} / √dₖ = ${format(raw[i][j])} / √${Q[0].length} = ${format(scores[i][j])}`;
}

function explainWeight(i, j, { scores, weights }) {
  const open = scores[i].filter((e) => e !== -Infinity);
  const sum = open.length <= 8 ? open.map((e) => `exp(${format(e)})`).join(" + ") : `sum of exp over ${open.length} scores`;
  const top = scores[i][j] === -Infinity ? "0" : `exp(${format(scores[i][j])})`;
  return `a${sub(i, j)} = ${top} / (${sum}) = ${format(weights[i][j])}`;
}

function explainOutput(i, c, { weights, V, output }) {
  return `o${sub(i, c)} = Σⱼ a${sub(i)}ⱼ·v${"ⱼ"}${sub(c)} = ${products(weights[i], column(V, c))} = ${format(output[i][c])}`;
}

function column(M, j) {
  return M.map((row) => row[j]);
}
