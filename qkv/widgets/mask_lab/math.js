// A stack of reads with a mask: which layers, in which order, and what a nudge moves. No DOM.
import { matmul, mix, softmax, transpose } from "../_shared/linear.js";
import { shape } from "../_shared/numbers.js";
import { project, projectionFault } from "../_shared/projections.js";

export const MASKS = ["full", "causal", "padding", "window"];
export const ORDERS = ["mask-softmax", "softmax-zero", "zero-renormalise"];
export const MOST_LAYERS = 3;

export function derive(traits) {
  const { X, nudge } = traits;
  const n = X.length;
  const { scores, weights, V, output } = stack(X, traits);
  const nudged = X.map((row, i) => (i === n - 1 ? row.map((x) => x + nudge) : row));
  const moved = stack(nudged, traits).output;
  const change = output.map((row, i) => row.map((o, c) => moved[i][c] - o)); // (n, d_v)
  const total = weights.map(sumOf); // (n)
  const leak = Math.max(0, ...change.slice(0, -1).flat().map(Math.abs));
  return { scores, weights, total, V, output, change, leak };
}

// True = reader i may read candidate j.
export function mayRead({ mask, pad, width }, n, i, j) {
  if (mask === "causal") return j <= i;
  if (mask === "padding") return j < n - pad;
  if (mask === "window") return j <= i && j > i - width;
  return true;
}

export function isMasked({ layers, masked_layers }, layer) {
  return layer >= layers - masked_layers;
}

function stack(X, traits) {
  let last = { output: X };
  for (let layer = 0; layer < traits.layers; layer++) {
    last = maskedRead(last.output, traits, isMasked(traits, layer));
  }
  return last;
}

function maskedRead(X, traits, masked) {
  const n = X.length;
  const { Q, K, V } = project({ ...traits, X }); // (n, d_k), (n, d_k), (n, d_v)
  const divisor = Math.sqrt(Q[0].length);
  const open = (i, j) => !masked || mayRead(traits, n, i, j);
  const first = traits.order === "mask-softmax"; // block the scores, else the weights
  const scores = matmul(Q, transpose(K)).map((row, i) =>
    row.map((s, j) => (first && !open(i, j) ? -Infinity : s / divisor)));
  let weights = scores.map(softmax);
  if (!first) weights = weights.map((row, i) => row.map((a, j) => (open(i, j) ? a : 0)));
  if (masked && traits.order === "zero-renormalise") weights = weights.map(shares);
  return { scores, weights, V, output: weights.map((row) => mix(row, V)) };
}

function sumOf(row) {
  return row.reduce((sum, a) => sum + a, 0);
}

function shares(row) {
  const sum = sumOf(row);
  return row.map((a) => a / sum);
}

export function validate(traits) {
  const { X, W_V, mask, pad, width, order, layers, masked_layers, nudge } = traits;
  const fault = projectionFault(traits);
  if (fault) return fault;
  if (!MASKS.includes(mask)) return `The mask must be one of ${MASKS.join(", ")}.`;
  if (!ORDERS.includes(order)) return `The order must be one of ${ORDERS.join(", ")}.`;
  if (!wholeWithin(layers, 1, MOST_LAYERS)) return `There must be 1 to ${MOST_LAYERS} layers.`;
  if (!wholeWithin(masked_layers, 0, layers)) return `From 0 to ${layers} layers can be masked.`;
  if (layers > 1 && W_V[0].length !== X[0].length) return `With more than one layer W_V must be square: an output is the next layer’s input; it is ${shape(W_V)}.`;
  if (!wholeWithin(pad, 0, mask === "padding" ? X.length - 1 : Infinity)) return `The padding must leave at least one of ${X.length} positions.`;
  if (!wholeWithin(width, 1, Infinity)) return "The window must be at least 1 wide.";
  if (!Number.isFinite(nudge)) return "The nudge must be a number.";
  return "";
}

function wholeWithin(x, low, high) {
  return Number.isInteger(x) && x >= low && x <= high;
}
