// One read of a whole sequence: projections, scores, weights, output. Pure: no DOM.
import { matmul, mix, softmax, transpose } from "../_shared/linear.js";
import { isMatrix, shape } from "../_shared/numbers.js";

export function derive({ X, W_Q, W_K, W_V, causal, scaled }) {
  const Q = matmul(X, W_Q); // (n, d_k)
  const K = matmul(X, W_K); // (n, d_k)
  const V = matmul(X, W_V); // (n, d_v)
  const raw = matmul(Q, transpose(K)); // (n, n)
  const divisor = scaled ? Math.sqrt(Q[0].length) : 1;
  const scores = raw.map((row, i) => row.map((s, j) => (causal && j > i ? -Infinity : s / divisor)));
  const weights = scores.map(softmax);
  const output = weights.map((row) => mix(row, V)); // (n, d_v)
  return { Q, K, V, raw, scores, weights, output };
}

export function validate(traits) {
  const { X, W_Q, W_K, W_V, reader } = traits;
  for (const name of ["X", "W_Q", "W_K", "W_V"]) {
    if (!isMatrix(traits[name])) return `${name} must be rows of numbers, all of one length.`;
  }
  for (const [name, W] of Object.entries({ W_Q, W_K, W_V })) {
    if (W.length !== X[0].length) return `${name} must have ${X[0].length} rows, one per column of X; it is ${shape(W)}.`;
  }
  if (W_K[0].length !== W_Q[0].length) return `W_Q and W_K must have equally many columns; they are ${shape(W_Q)} and ${shape(W_K)}.`;
  if (!Number.isInteger(reader) || reader < 0 || reader >= X.length) return `The reader must be a position from 1 to ${X.length}.`;
  return "";
}
