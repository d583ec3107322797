// Sentences that a browser may translate, around numbers and formulas that it must not. No DOM here.

// A number, a symbol, a sub- or superscript, a Greek letter; or a letter that stands alone (q, X).
const SYMBOL = /[\p{N}\p{Sm}\p{So}\p{Lm}\p{Script=Greek}·_^‖]|^\P{L}*(?![AIa])\p{L}\P{L}*$/u;
const NO_LETTER = /^\P{L}*$/u;

// "row 1: 0.5 + 0.5 = 1, as it must be" → ["row ", "1: 0.5 + 0.5 = 1,", " as it must be"]: words and
// formulas take turns, words first (an empty text where there are none).
export function pieces(text) {
  const parts = [""];
  let gap = ""; // spaces and signs after a formula: part of it only if it goes on
  for (const token of text.split(/(\s+)/)) {
    const last = parts.length - 1;
    const inFormula = last % 2 === 1;
    if (SYMBOL.test(token)) {
      if (inFormula) parts[last] += gap + token;
      else parts.push(token);
      gap = "";
    } else if (inFormula && NO_LETTER.test(token)) {
      gap += token;
    } else {
      if (inFormula) parts.push(gap + token);
      else parts[last] += token;
      gap = "";
    }
  }
  if (gap) parts.push(gap);
  return parts;
}
