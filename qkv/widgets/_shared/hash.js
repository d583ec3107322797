// A widget's state in the page's address: #w:Name:key=value;key=value, values in JSON.
// Any other hash, a plain anchor or another widget's, is none of its business.
import { brief } from "./numbers.js";

export function writeHash(name, state) {
  const pairs = Object.entries(state).map(([key, value]) => `${key}=${escapeValue(value)}`);
  return `#w:${name}:${pairs.join(";")}`;
}

function escapeValue(value) {
  return encodeURIComponent(JSON.stringify(value))
    .replace(/%5B/g, "[").replace(/%5D/g, "]").replace(/%2C/g, ",");
}

const MOST_IN_LINK = 1000; // numbers that one list in a link may hold: beyond that a page would stand still

// → null (not ours), { state } or { error }. `known` maps each key to its present value.
export function readHash(hash, name, known) {
  const found = /^#w:([^:;]+)(?::(.*))?$/s.exec(hash);
  if (!found || found[1] !== name) return null;
  const state = {};
  for (const pair of (found[2] ?? "").split(";").filter((p) => p !== "")) {
    const cut = pair.indexOf("=");
    const key = cut < 0 ? pair : pair.slice(0, cut);
    if (!Object.keys(known).includes(key)) {
      return { error: `no input is called \`${brief(key)}\` (there are ${Object.keys(known).map((k) => `\`${k}\``).join(", ")})` };
    }
    const value = cut < 0 ? undefined : parseValue(pair.slice(cut + 1));
    if (kind(value) !== kind(known[key])) {
      return { error: `\`${key}\` wants ${kind(known[key])}, got “${brief(pair.slice(cut + 1))}”` };
    }
    const count = Array.isArray(value) ? value.flat(Infinity).length : 1;
    if (count > MOST_IN_LINK) return { error: `\`${key}\` holds ${count} numbers, a link at most ${MOST_IN_LINK}` };
    state[key] = value;
  }
  return { state };
}

function parseValue(text) {
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

function kind(value) {
  if (Array.isArray(value)) return "a list";
  if (value === null || value === undefined) return "a value";
  return { number: "a number", boolean: "true or false", string: "a text in quotes" }[typeof value];
}
