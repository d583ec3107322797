// Make an element: h("p", { class: "tip", onclick: f }, "text", child, …).
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "style") node.style.cssText = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Write text only where it differs: a cell that keeps its number costs no repaint.
export function setText(node, text) {
  if (node.firstChild?.nodeType === 3 && !node.firstChild.nextSibling) {
    if (node.firstChild.data !== text) node.firstChild.data = text;
  } else node.textContent = text;
}

// Each kind of widget is a module of its own: only a count on the window is shared by all of them.
export function freshId(stem) {
  window.qkvIdCount = (window.qkvIdCount ?? 0) + 1;
  return `qkv-${stem}-${window.qkvIdCount}`;
}
