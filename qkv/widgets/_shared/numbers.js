// Numbers as text, text as numbers. No DOM here.

export const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

// Fixed decimals with a true minus sign; −0 is shown as 0.
export function format(x, digits = 4) {
  if (x === -Infinity) return "−∞";
  if (Number.isInteger(x) && digits === 0) return String(x).replace("-", "−");
  const text = x.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace("-", "−");
}

// The shortest form of an input: 2, 0.5, −1.25.
export function short(x) {
  return format(x, 4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

// An input as it stands in a field: a number too small for four decimals is not shown as 0.
export function inField(x) {
  const text = short(x);
  return text === "0" && x !== 0 ? String(Number(x.toPrecision(3))).replace("-", "−") : text;
}

// 12 → "₁₂": positions are counted from 1 on screen.
export function sub(...indices) {
  const one = (i) => String(i + 1).replace(/\d/g, (d) => SUBSCRIPTS[d]);
  return indices.map(one).join(indices.some((i) => i > 8) ? "," : "");
}

// What a reader typed → a finite number, or NaN. Takes 0.5, .5, 0,5, −2 and 1/3.
export function parseNumber(text) {
  const plain = String(text).trim().replace(/[−–]/g, "-").replace(",", ".");
  const fraction = /^([^/]+)\/([^/]+)$/.exec(plain);
  if (fraction) return finite(parseNumber(fraction[1]) / parseNumber(fraction[2]));
  return plain === "" || /^0[xbo]/i.test(plain) ? NaN : finite(Number(plain));
}

// What a reader gave, short enough to be quoted in a sentence.
export function brief(text) {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function finite(x) {
  return Number.isFinite(x) ? x : NaN;
}

export function isMatrix(value) {
  return (
    Array.isArray(value) && value.length > 0 &&
    value.every((row) => isVector(row) && row.length === value[0].length)
  );
}

export function isVector(value) {
  return Array.isArray(value) && value.length > 0 && value.every((x) => Number.isFinite(x));
}

// "3 × 2"
export function shape(matrix) {
  return `${matrix.length} × ${matrix[0].length}`;
}

// True if a NaN or an ∞ hides anywhere in the results: inputs were too large for doubles. Only a
// blocked score is −∞ by right.
export function overflowed(results) {
  return Object.entries(results).some(([name, value]) => holdsNoNumber(value, name === "scores"));
}

function holdsNoNumber(value, blocked) {
  if (Array.isArray(value)) return value.some((x) => holdsNoNumber(x, blocked));
  return typeof value === "number" && !Number.isFinite(value) && !(blocked && value === -Infinity);
}
