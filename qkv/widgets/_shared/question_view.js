import { markBad } from "./controls.js";
import { freshId, h, rich, setText } from "./dom.js";
import { lab } from "./lab.js";
import { parseNumber } from "./numbers.js";

const KEYS = [
  "id", "question", "choices", "answer", "labels", "digits", "tolerance", "why", "mistakes", "hint", "response",
];

// The widget of a question: its text, choices or number fields, a check button, the verdict.
export function questionLab({ name, title, derive, validate }) {
  return lab({
    name, title, derive, validate, keys: KEYS, inAddress: false,
    label: ({ question }) => `${title}: ${question.replaceAll("`", "")}`,
    build: buildQuestion,
  });
}

function buildQuestion(ctx) {
  const { question, choices, labels, hint } = ctx.traits();
  const fields = choices.length ? choiceFields(choices) : numberFields(labels);
  const verdict = h("p", { class: "qkv-verdict", role: "status" });
  const form = h("form", { class: "qkv-question" },
    h("p", {}, ...rich(question)),
    h("div", { class: "qkv-fields" }, ...fields.nodes),
    ctx.foot, verdict);
  ctx.foot.prepend(h("button", { type: "submit" }, "Check"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const response = fields.read();
    if (response === null) setText(verdict, "Choose an answer first.");
    else ctx.set({ response });
  });
  ctx.onUpdate((result, { response }) => {
    verdict.dataset.verdict = result.verdict;
    verdict.replaceChildren(...rich(result.message));
    if (response === null) fields.clear();
    else fields.write(response);
  });
  const help = hint ? [h("details", {}, h("summary", {}, "Hint"), h("p", {}, ...rich(hint)))] : [];
  return [form, ...help];
}

function choiceFields(choices) {
  const group = freshId("choice");
  const radios = choices.map((_, i) => h("input", { type: "radio", name: group, value: i }));
  return {
    nodes: choices.map((text, i) => h("label", { class: "qkv-option" }, radios[i], h("span", {}, ...rich(text)))),
    read: () => {
      const chosen = radios.findIndex((radio) => radio.checked);
      return chosen < 0 ? null : chosen;
    },
    write: (response) => radios.forEach((radio, i) => { radio.checked = i === response; }),
    clear: () => radios.forEach((radio) => { radio.checked = false; }),
  };
}

function numberFields(labels) {
  const inputs = labels.map(() => h("input", { type: "text", inputmode: "decimal", autocomplete: "off", size: 8 }));
  const values = () => inputs.map((input) => parseNumber(input.value));
  return {
    nodes: labels.map((text, r) => h("label", { class: "qkv-asked" }, h("span", {}, ...rich(text)), inputs[r])),
    read: () => {
      const given = values();
      given.forEach((x, r) => markBad(inputs[r], Number.isNaN(x)));
      return given.map((x) => (Number.isNaN(x) ? null : x));
    },
    // Leave what the reader typed (1/3, 0,5): write only what came from elsewhere.
    write: (response) => response.forEach((x, r) => {
      if (x !== null && values()[r] !== x) inputs[r].value = String(x);
    }),
    clear: () => inputs.forEach((input) => { input.value = ""; input.removeAttribute("aria-invalid"); }),
  };
}
