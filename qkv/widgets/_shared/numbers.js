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

// True if a NaN or a +∞ hides anywhere: inputs were too large for doubles.
export function overflowed(value) {
  if (Array.isArray(value)) return value.some(overflowed);
  return typeof value === "number" && (Number.isNaN(value) || value === Infinity);
}
