// Random numbers that Python draws alike (qkv/draws.py): mulberry32, and the sum of twelve
// uniforms minus 6. Its values are multiples of 2⁻³², so that twelve add up exactly.

// The number after `step` earlier ones, in [0, 1).
export function uniformAt(seed, step) {
  const state = (seed + Math.imul(step + 1, 0x6d2b79f5)) | 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

// Mean 0, variance 1, within ±6; the fourth moment is 2.9 where a normal's is 3.
export function normalAt(seed, index) {
  let sum = 0;
  for (let u = 0; u < 12; u++) sum += uniformAt(seed, 12 * index + u);
  return sum - 6;
}
