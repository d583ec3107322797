// A card file: count shared tags, choose (hard) or weigh (soft), take what the cards hold. Pure.
import { dot, mix, softmax } from "../_shared/linear.js";
import { isMatrix } from "../_shared/numbers.js";

export function derive({ request, keys, values, hard, temperature }) {
  const raw = keys.map((key) => dot(request, key)); // one match per card
  const best = Math.max(...raw);
  const ties = raw.filter((match) => match === best).length;
  const weights = hard
    ? raw.map((match) => (match === best ? 1 / ties : 0))
    : softmax(raw.map((match) => (match - best) / temperature));
  return { raw, weights, output: mix(weights, values) };
}

export function validate({ tags, labels, request, keys, values, temperature }) {
  if (!isTexts(tags)) return "The tags must be a list of texts.";
  if (!isTags(request, tags.length)) return `The request must have ${tags.length} numbers, one per tag, each 0 or 1.`;
  if (!isMatrix(keys) || !keys.every((key) => isTags(key, tags.length))) return `Each key must have ${tags.length} numbers, one per tag, each 0 or 1.`;
  if (!isMatrix(values)) return "The values must be rows of numbers, all of one length.";
  if (values.length !== keys.length) return `There must be as many values as keys; there are ${values.length} and ${keys.length}.`;
  if (!isTexts(labels) || labels.length !== keys.length) return `There must be ${keys.length} labels, one per card.`;
  if (!(Number.isFinite(temperature) && temperature > 0)) return "The temperature must be above 0.";
  return "";
}

function isTags(row, length) {
  return Array.isArray(row) && row.length === length && row.every((x) => x === 0 || x === 1);
}

function isTexts(list) {
  return Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === "string");
}
