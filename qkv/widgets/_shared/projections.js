// Inputs that several widgets share: X (n, d_model), W_Q and W_K (d_model, d_k), W_V (d_model, d_v).
import { matmul } from "./linear.js";
import { isMatrix, shape } from "./numbers.js";

export function project({ X, W_Q, W_K, W_V }) {
  return { Q: matmul(X, W_Q), K: matmul(X, W_K), V: matmul(X, W_V) };
}

// "" or a sentence that says what does not fit.
export function projectionFault(traits) {
  const { X, W_Q, W_K, W_V } = traits;
  for (const name of ["X", "W_Q", "W_K", "W_V"]) {
    if (!isMatrix(traits[name])) return `${name} must be rows of numbers, all of one length.`;
  }
  for (const [name, W] of Object.entries({ W_Q, W_K, W_V })) {
    if (W.length !== X[0].length) return `${name} must have ${X[0].length} rows, one per column of X; it is ${shape(W)}.`;
  }
  if (W_K[0].length !== W_Q[0].length) return `W_Q and W_K must have equally many columns; they are ${shape(W_Q)} and ${shape(W_K)}.`;
  return "";
}

export function positionFault(name, at, n) {
  return Number.isInteger(at) && at >= 0 && at < n ? "" : `${name} must be a position from 1 to ${n}.`;
}
