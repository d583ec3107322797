// One read of a whole sequence: projections, scores, weights, output. Pure: no DOM.
import { matmul, mix, softmax, transpose } from "../_shared/linear.js";
import { positionFault, project, projectionFault } from "../_shared/projections.js";

export function derive(traits) {
  const { causal, scaled } = traits;
  const { Q, K, V } = project(traits); // (n, d_k), (n, d_k), (n, d_v)
  const raw = matmul(Q, transpose(K)); // (n, n)
  const divisor = scaled ? Math.sqrt(Q[0].length) : 1;
  const scores = raw.map((row, i) => row.map((s, j) => (causal && j > i ? -Infinity : s / divisor)));
  const weights = scores.map(softmax);
  const output = weights.map((row) => mix(row, V)); // (n, d_v)
  return { Q, K, V, raw, scores, weights, output };
}

export function validate(traits) {
  return projectionFault(traits) || positionFault("The reader", traits.reader, traits.X.length);
}
