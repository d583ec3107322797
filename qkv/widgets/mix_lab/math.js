// Three scores become three weights, three weights mix three values. Pure: no DOM.
import { mix, softmax } from "../_shared/linear.js";
import { isMatrix, isVector } from "../_shared/numbers.js";

const NEAR = 1e-9; // a sum this near 1 counts as 1, a point this near the triangle as inside

export function derive({ scores, values, offset, temperature, rule }) {
  const used = usedScores({ scores, offset, temperature });
  const weights = rule === "softmax" ? softmax(used) : used;
  const total = weights.reduce((sum, a) => sum + a, 0);
  const output = mix(weights, values); // (2,)
  const size = Math.max(1, ...values.flat().map(Math.abs));
  return {
    weights, total, output,
    entropy: Math.min(...weights) >= 0 && Math.abs(total - 1) <= NEAR ? entropy(weights) : null,
    inside: distance(output, values) <= NEAR * size,
  };
}

// What the rule receives: (e + c) / T.
export function usedScores({ scores, offset, temperature }) {
  return scores.map((e) => (e + offset) / temperature);
}

function entropy(weights) {
  return weights.reduce((sum, a) => (a > 0 ? sum - a * Math.log(a) : sum), 0);
}

// From a point to the nearest point of the triangle; 0 inside. A flat triangle is its edges.
function distance(p, [a, b, c]) {
  const area = turn(a, b, c);
  const sides = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
  if (area !== 0 && sides.every((side) => side * Math.sign(area) >= 0)) return 0;
  return Math.min(toEdge(p, a, b), toEdge(p, b, c), toEdge(p, c, a));
}

function turn(a, b, p) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

function toEdge(p, a, b) {
  const [x, y] = [b[0] - a[0], b[1] - a[1]];
  const long = x * x + y * y;
  const along = long > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / long : 0;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(p[0] - a[0] - t * x, p[1] - a[1] - t * y);
}

export function validate({ scores, values, offset, temperature, rule }) {
  if (!isVector(scores) || scores.length !== 3) return "The scores must be three numbers.";
  if (!isMatrix(values) || values.length !== 3 || values[0].length !== 2) return "The values must be three rows of two numbers.";
  if (!Number.isFinite(offset)) return "The offset must be a number.";
  if (!Number.isFinite(temperature) || temperature <= 0) return "The temperature must be a number above 0.";
  if (rule !== "softmax" && rule !== "raw") return "The rule must be “softmax” or “raw”.";
  return "";
}
