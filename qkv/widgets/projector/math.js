// One vector in three roles, and the raw score both ways round. Pure: no DOM.
import { matmul, transpose } from "../_shared/linear.js";
import { positionFault, project, projectionFault } from "../_shared/projections.js";

const EQUAL = 1e-9; // scores this near, for their size, count as equal

export function derive(traits) {
  const { i, j } = traits;
  const { Q, K, V } = project(traits); // (n, d_k), (n, d_k), (n, d_v)
  const raw = matmul(Q, transpose(K)); // (n, n)
  return {
    q: Q[i], k: K[i], v: V[i],
    raw, raw_ij: raw[i][j], raw_ji: raw[j][i], symmetric: isSymmetric(raw),
  };
}

function isSymmetric(A) {
  const size = A.flat().reduce((most, x) => Math.max(most, Math.abs(x)), 1);
  return A.every((row, i) => row.every((x, j) => Math.abs(x - A[j][i]) <= EQUAL * size));
}

export function validate(traits) {
  const { X, i, j } = traits;
  return projectionFault(traits) || positionFault("i", i, X.length) || positionFault("j", j, X.length);
}
