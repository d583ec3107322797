// Judging an answer to a question: pure, no DOM. Two kinds of question:
//   choices    `choices`, `answer` an index, `why` one explanation per choice, `response` an index
//   numbers    `labels`, `answer` a list, `tolerance`, `mistakes` [{id, answer, message}], `response` a list
// `words` is how the widget says right and wrong.
import { format } from "./numbers.js";

export function judge(traits, words) {
  const { response } = traits;
  if (response === null || response === undefined) return { verdict: "unanswered", message: "" };
  return traits.choices.length ? judgeChoice(traits, words) : judgeNumbers(traits, words);
}

function judgeChoice({ answer, why, response }, words) {
  const right = response === answer;
  const said = right ? words.right : words.wrong;
  return { verdict: right ? "right" : "wrong", message: [said, why[response]].filter(Boolean).join(" ") };
}

function judgeNumbers({ answer, labels, digits, tolerance, mistakes, why, response }, words) {
  const missing = labels.filter((_, r) => typeof response[r] !== "number");
  if (missing.length) {
    return { verdict: "unreadable", message: `A number is wanted for ${missing.join(", ")}.` };
  }
  if (near(response, answer, tolerance)) {
    return { verdict: "right", message: [words.right, why[0]].filter(Boolean).join(" ") };
  }
  const named = mistakes.find((mistake) => near(response, mistake.answer, tolerance));
  if (named) return { verdict: "wrong", message: `${words.wrong} ${named.message}` };
  const off = labels.filter((_, r) => !near([response[r]], [answer[r]], tolerance));
  return {
    verdict: "wrong",
    message: `${words.wrong} Not right to ${digits} decimals: ${off.join(", ")}.`,
  };
}

function near(given, wanted, tolerance) {
  return given.every((x, r) => Math.abs(x - wanted[r]) <= tolerance + 1e-12);
}

export function findFault({ choices, answer, why, labels, tolerance }) {
  if (choices.length) {
    if (!Number.isInteger(answer) || !(answer in choices)) return "The answer must be the index of a choice.";
    if (why.length !== choices.length) return "Each choice needs its own explanation.";
    return "";
  }
  if (!Array.isArray(answer) || answer.length !== labels.length) return "The answer needs one number per label.";
  return tolerance > 0 ? "" : `The tolerance must be positive; it is ${format(tolerance)}.`;
}
