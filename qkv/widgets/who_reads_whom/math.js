// One reader's soft read of a sequence: its own (self) or another (cross). Pure: no DOM.
import { dot, mix, softmax } from "../_shared/linear.js";
import { isMatrix, shape } from "../_shared/numbers.js";
import { positionFault } from "../_shared/projections.js";

export function derive(traits) {
  const { X, reader } = traits;
  const sources = sourcesOf(traits); // (n_kv, d)
  const weights = softmax(sources.map((x) => dot(X[reader], x)));
  return { shape: [X.length, sources.length], weights, output: mix(weights, sources) };
}

export function sourcesOf({ X, M, mode }) {
  return mode === "self" ? X : M;
}

export function validate({ tokens, memory, X, M, mode, reader }) {
  for (const [name, vectors, words] of [["X", X, tokens], ["M", M, memory]]) {
    if (!isMatrix(vectors)) return `${name} must be rows of numbers, all of one length.`;
    if (!Array.isArray(words) || words.length !== vectors.length) return `${name} must have one row per token; it is ${shape(vectors)}.`;
  }
  if (X[0].length !== M[0].length) return `X and M must be equally wide; they are ${shape(X)} and ${shape(M)}.`;
  if (mode !== "self" && mode !== "cross") return "The mode must be “self” or “cross”.";
  return positionFault("The reader", reader, X.length);
}
