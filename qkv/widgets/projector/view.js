import { h } from "../_shared/dom.js";
import { format, short, sub } from "../_shared/numbers.js";
import { lab } from "../_shared/lab.js";
import { slider, summary } from "../_shared/controls.js";
import { matrix, products, stage } from "../_shared/matrix.js";
import { plane } from "../_shared/plane.js";
import { derive, validate } from "./math.js";

export default lab({
  name: "Projector",
  title: "One vector, three roles",
  tip: "make W_Q equal to W_K and watch the raw scores become symmetric. Then change one number of W_K.",
  keys: ["X", "W_Q", "W_K", "W_V", "i", "j"],
  derive,
  validate,
  build,
});

function build(ctx) {
  const last = ({ X }) => X.length - 1;
  const role = (letter, W) => matrix(ctx, {
    name: letter, note: `= x·${W}`, role: letter, value: (results) => [results[letter]],
    explain: (_, c, results, traits) => {
      const column = traits[W].map((row) => row[c]);
      return `${letter}${sub(traits.i, c)} = x${sub(traits.i)} · column ${c + 1} of ${W} = ` +
        `${products(traits.X[traits.i], column, short)} = ${format(results[letter][c])}`;
    },
  });
  return [
    h("div", { class: "qkv-controls" },
      slider(ctx, { key: "i", label: "Reader i", min: 0, max: last, shift: 1 }),
      slider(ctx, { key: "j", label: "Candidate j", min: 0, max: last, shift: 1 })),
    stage("Inputs: type in them",
      matrix(ctx, { name: "X", note: "positions", edit: "X", reader: "i" }),
      matrix(ctx, { name: "W_Q", edit: "W_Q", role: "q" }),
      matrix(ctx, { name: "W_K", edit: "W_K", role: "k" }),
      matrix(ctx, { name: "W_V", edit: "W_V", role: "v" })),
    stage("The three roles of position i",
      plane(ctx, {
        arrows: ({ q, k, v }, { X, i }) => [
          { to: X[i], name: `x${sub(i)}`, role: "x" }, { to: q, name: `q${sub(i)}`, role: "q" },
          { to: k, name: `k${sub(i)}`, role: "k" }, { to: v, name: `v${sub(i)}`, role: "v" },
        ],
        note: "x of position i and its query, key and value as arrows; the tables beside it hold their numbers",
      }),
      h("div", { class: "qkv-roles" }, role("q", "W_Q"), role("k", "W_K"), role("v", "W_V"))),
    stage("Raw scores: each reader (row) against each candidate (column)",
      matrix(ctx, { name: "QKᵀ", reader: "i", value: (results) => results.raw, heat: "value", explain: explainRaw })),
    summary(ctx, inWords),
  ];
}

function explainRaw(i, j, { raw }, { X, W_Q, W_K }) {
  return `q${sub(i)}·k${sub(j)} = x${sub(i)}ᵀ W_Q W_Kᵀ x${sub(j)} with x${sub(i)} = (${list(X[i])}), x${sub(j)} = (${list(X[j])}), ` +
    `W_Q W_Kᵀ = ${rows(W_Q.map((q) => W_K.map((k) => q.reduce((sum, x, r) => sum + x * k[r], 0))))}: ${format(raw[i][j])}`;
}

function inWords({ q, k, v, raw_ij, raw_ji, symmetric }, { i, j }) {
  const ways = i === j
    ? `Reader ${i + 1} on itself: raw score ${short(raw_ij)}.`
    : `Reader ${i + 1} on candidate ${j + 1}: raw score ${short(raw_ij)}; reader ${j + 1} on candidate ${i + 1}: ${short(raw_ji)}.`;
  return `x${sub(i)} makes q${sub(i)} = (${list(q)}), k${sub(i)} = (${list(k)}), v${sub(i)} = (${list(v)}). ${ways} ` +
    `QKᵀ is ${symmetric ? "" : "not "}symmetric.`;
}

function list(vector) {
  return vector.map(short).join(", ");
}

function rows(M) {
  return `[${M.map((row) => `[${list(row)}]`).join(", ")}]`;
}
