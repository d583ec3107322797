// The few pieces of linear algebra that widgets compute with: nested arrays of doubles, no DOM.

export function transpose(A) {
  return A[0].map((_, j) => A.map((row) => row[j]));
}

export function dot(a, b) {
  let sum = 0;
  for (let r = 0; r < a.length; r++) sum += a[r] * b[r];
  return sum;
}

// (n, m) · (m, p) → (n, p)
export function matmul(A, B) {
  const columns = transpose(B);
  return A.map((row) => columns.map((column) => dot(row, column)));
}

// Softmax of one row; −Infinity marks a blocked score and gets weight exactly 0.
export function softmax(row) {
  const top = Math.max(...row);
  const exps = row.map((e) => Math.exp(e - top));
  const total = exps.reduce((sum, x) => sum + x, 0);
  return exps.map((x) => x / total);
}

// Σ_j weights[j] · rows[j]
export function mix(weights, rows) {
  return rows[0].map((_, c) => weights.reduce((sum, a, j) => sum + a * rows[j][c], 0));
}
