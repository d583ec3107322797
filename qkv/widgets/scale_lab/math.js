// Dot products of random queries and keys, and what a divisor makes of them. Pure: no DOM.
import { softmax } from "../_shared/linear.js";
import { normalAt } from "../_shared/draws.js";

export const WIDEST = 1024; // each draw owns 2 · 1024 numbers, so a narrower vector is a prefix
export const CANDIDATES = 8; // of the one row whose weights are shown
export const BINS = 24;
export const NUDGE = 0.01;
const MOST_SEED = 2 ** 32 - 1; // the generator's 32 bits

export function derive(traits) {
  const { d_k, draws } = traits;
  const { q, k } = vectors(traits); // (draws, d_k) each, row by row
  const divide = divisorOf(traits);
  const scores = Array.from({ length: draws }, (_, m) => dotAt(q, m, k, m, d_k) / divide); // (draws,)
  const mean = scores.reduce((sum, e) => sum + e, 0) / draws;
  const variance = scores.reduce((sum, e) => sum + (e - mean) ** 2, 0) / (draws - 1);
  const edges = edgesFor(traits);
  const reader = Array.from({ length: CANDIDATES }, (_, j) => dotAt(q, 0, k, j, d_k) / divide);
  const row = softmax(reader);
  const largest = Math.max(...row);
  const top = row.indexOf(largest);
  const nudged = softmax(reader.map((e, j) => (j === top ? e + NUDGE : e)));
  const sensitivity = (nudged[top] - largest) / NUDGE;
  return { mean, variance, counts: countIn(scores, edges), edges, row, largest, sensitivity };
}

export function divisorOf({ d_k, divisor }) {
  return { none: 1, sqrt: Math.sqrt(d_k), d_k }[divisor];
}

// What the derivation says for these inputs: mean and standard deviation of a score.
export function expected(traits) {
  const { d_k, rho, within, sigma } = traits;
  let power = 1; // within^(2·lag)
  let pairs = d_k; // Σ over r, s of within^(2|r − s|)
  for (let lag = 1; lag < d_k; lag++) {
    power *= within * within;
    pairs += 2 * (d_k - lag) * power;
  }
  const scale = (sigma * sigma) / divisorOf(traits);
  return { mean: rho * d_k * scale, sd: Math.sqrt((1 + rho * rho) * pairs) * scale };
}

function edgesFor(traits) {
  const { mean, sd } = expected(traits);
  return Array.from({ length: BINS + 1 }, (_, b) => mean + (8 * b / BINS - 4) * sd);
}

// Scores beyond the outer edges count in the outer bins: nothing is lost.
function countIn(scores, edges) {
  const counts = new Array(BINS).fill(0);
  for (const e of scores) {
    let b = 0;
    while (b < BINS - 1 && e >= edges[b + 1]) b++;
    counts[b]++;
  }
  return counts;
}

function dotAt(q, m, k, j, d) {
  let sum = 0;
  for (let r = 0; r < d; r++) sum += q[m * d + r] * k[j * d + r];
  return sum;
}

// Neighbouring coordinates correlate by `within`, coordinate r of k with coordinate r of q by `rho`.
function vectors({ d_k: d, rho, within, sigma, draws, seed }) {
  const z = pool(seed, draws, d);
  const q = new Float64Array(draws * d);
  const k = new Float64Array(draws * d);
  const fresh = Math.sqrt(1 - within * within);
  const own = Math.sqrt(1 - rho * rho);
  for (let m = 0; m < draws; m++) {
    let a = 0;
    let b = 0;
    for (let r = 0; r < d; r++) {
      const za = z[2 * m * WIDEST + r];
      const zb = z[(2 * m + 1) * WIDEST + r];
      a = r === 0 ? za : within * a + fresh * za;
      b = r === 0 ? zb : within * b + fresh * zb;
      q[m * d + r] = sigma * a;
      k[m * d + r] = sigma * (rho * a + own * b);
    }
  }
  return { q, k };
}

// Drawn once a seed, and only as wide as was asked for: a drag draws nothing twice.
const drawn = { seed: null, draws: 0, width: 0, z: null };
function pool(seed, draws, width) {
  if (drawn.seed !== seed || drawn.draws < draws) {
    Object.assign(drawn, { seed, draws, width: 0, z: new Float64Array(2 * draws * WIDEST) });
  }
  for (let row = 0; row < 2 * drawn.draws; row++) {
    for (let r = drawn.width; r < width; r++) drawn.z[row * WIDEST + r] = normalAt(seed, row * WIDEST + r);
  }
  drawn.width = Math.max(drawn.width, width);
  return drawn.z;
}

export function validate({ d_k, rho, within, sigma, divisor, draws, seed }) {
  if (!Number.isInteger(d_k) || d_k < 1 || d_k > WIDEST) return `d_k must be a whole number from 1 to ${WIDEST}.`;
  if (!(rho >= -1 && rho <= 1)) return "The correlation of q and k must be from −1 to 1.";
  if (!(within > -1 && within < 1)) return "The correlation of neighbours must lie between −1 and 1.";
  if (!(sigma > 0 && sigma <= 10)) return "σ must be above 0 and at most 10.";
  if (!["none", "sqrt", "d_k"].includes(divisor)) return "The divisor must be “none”, “sqrt” or “d_k”.";
  if (!Number.isInteger(draws) || draws < CANDIDATES || draws > 5000) return `Draws must be a whole number from ${CANDIDATES} to 5000.`;
  if (!Number.isInteger(seed) || seed < 0 || seed > MOST_SEED) return `The seed must be a whole number from 0 to ${MOST_SEED}.`;
  return "";
}
