// One reader's row, one score nudged: where the output goes, and what the loss makes of it. Pure: no DOM.
// The loss is g·o: any loss whose gradient at o is g looks like it for small moves.
import { dot, mix, softmax } from "../_shared/linear.js";
import { isMatrix, isVector } from "../_shared/numbers.js";

const MOST_NUDGE = 100; // a nudge that large moves all of the weight

export function derive(traits) {
  const { candidate, delta } = traits;
  const { q, K, V, g } = rowRead(traits);
  const scores = K.map((k) => dot(q, k) / Math.sqrt(q.length)); // (n_kv)
  const weights = softmax(scores);
  const output = mix(weights, V); // (d_v)
  const moved = mix(softmax(nudge(scores, candidate, delta)), V);
  const pull = V.map((v, j) => weights[j] * dot(g, difference(v, output))); // ∂L/∂e, (n_kv)
  return {
    weights, output, moved, pull,
    predicted: delta * pull[candidate],
    actual: dot(g, difference(moved, output)),
  };
}

// The row that the results are about: the reader's on the inputs (frame 0), or the asking row at
// one recorded moment of training (frame 1, 2, …).
export function rowRead({ Q, K, V, g, reader, frames, frame }) {
  if (!frame) return { q: Q[reader], K, V, g };
  const moment = frames[frame - 1];
  return { q: moment.q, K: moment.K, V: moment.V, g: moment.g };
}

export function difference(a, b) {
  return a.map((x, c) => x - b[c]);
}

function nudge(scores, j, delta) {
  return scores.map((e, m) => (m === j ? e + delta : e));
}

export function validate({ Q, K, V, g, reader, candidate, delta, frames, frame }) {
  const problem = misfit(Q, K, V, g);
  if (problem) return problem;
  if (!isIndex(reader, Q.length)) return `The reader must be a position from 1 to ${Q.length}.`;
  if (!Number.isFinite(delta) || Math.abs(delta) > MOST_NUDGE) return `The nudge must be a number from −${MOST_NUDGE} to ${MOST_NUDGE}.`;
  if (!Array.isArray(frames) || !isIndex(frame, frames.length + 1)) return `The moment of training must be a whole number from 0 to ${frames?.length ?? 0}.`;
  for (const [m, moment] of frames.entries()) {
    const fault = isMoment(moment) ? misfit([moment.q], moment.K, moment.V, moment.g) : "step, loss, right, q, K, V and g are wanted.";
    if (fault) return `Moment ${m + 1} of training: ${fault}`;
  }
  const count = frame ? frames[frame - 1].K.length : K.length;
  if (!isIndex(candidate, count)) return `The candidate must be a position from 1 to ${count}.`;
  return "";
}

function misfit(Q, K, V, g) {
  for (const [name, M] of Object.entries({ Q, K, V })) {
    if (!isMatrix(M)) return `${name} must be rows of numbers, all of one length.`;
  }
  if (Q[0].length !== K[0].length) return `Q and K must have equally many columns; they have ${Q[0].length} and ${K[0].length}.`;
  if (K.length !== V.length) return `K and V must have equally many rows; they have ${K.length} and ${V.length}.`;
  if (!isVector(g) || g.length !== V[0].length) return `g must have ${V[0].length} numbers, one per column of V.`;
  return "";
}

function isMoment(moment) {
  const numbers = [moment?.step, moment?.loss, moment?.right];
  return numbers.every(Number.isFinite) && Array.isArray(moment.K) && isIndex(moment.right, moment.K.length);
}

function isIndex(i, length) {
  return Number.isInteger(i) && i >= 0 && i < length;
}
