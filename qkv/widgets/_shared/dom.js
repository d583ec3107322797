import { pieces } from "./prose.js";

// What a browser may not translate, whatever it holds: code, and what a reader types.
const KEPT = ["code", "input"];

// Make an element: h("p", { class: "tip", onclick: f }, "text", child, …).
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "style") node.style.cssText = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  if (KEPT.includes(tag)) node.setAttribute("translate", "no");
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Write text only where it differs: a cell that keeps its number costs no repaint.
export function setText(node, text) {
  if (node.firstChild?.nodeType === 3 && !node.firstChild.nextSibling) {
    if (node.firstChild.data !== text) node.firstChild.data = text;
  } else node.textContent = text;
}

// A sentence as children of an element: its words may be translated, its numbers and formulas not.
export function prose(text) {
  return pieces(text).flatMap((part, i) => {
    if (i % 2) return [kept(part)];
    return part === "" ? [] : [part];
  });
}

function kept(text) {
  return h("span", { translate: "no" }, text);
}

// Write a sentence into an element: what stands there already is kept, piece by piece.
export function setProse(node, text) {
  const parts = prose(text);
  const there = node.childNodes;
  const fits = there.length === parts.length && parts.every((part, i) =>
    there[i].nodeName === (typeof part === "string" ? "#text" : part.nodeName));
  if (!fits) return node.replaceChildren(...parts);
  parts.forEach((part, i) => {
    if (typeof part !== "string") setText(there[i], part.textContent);
    else if (there[i].data !== part) there[i].data = part;
  });
}

// A sentence with `code` in backticks; a line break starts a new line.
export function rich(text) {
  return text.split("`").flatMap((part, i) => (i % 2 ? [h("code", {}, part)] : lines(part)));
}

function lines(text) {
  return text.split("\n").flatMap((line, i) => (i ? [h("br"), ...prose(line)] : prose(line)));
}

// Each kind of widget is a module of its own: only a count on the window is shared by all of them.
export function freshId(stem) {
  window.qkvIdCount = (window.qkvIdCount ?? 0) + 1;
  return `qkv-${stem}-${window.qkvIdCount}`;
}
