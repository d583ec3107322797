// Make an element of a drawing: draw("circle", { r: 4, class: "dot" }), like h in dom.js. What
// stands in a drawing keeps its place and its size only in the language it was made in.
export function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  place(node, attributes);
  if (tag === "svg") node.setAttribute("translate", "no");
  node.append(...children);
  return node;
}

// Set attributes where they differ; numbers are written to a hundredth of a unit.
export function place(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    const text = typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
    if (node.getAttribute(key) !== text) node.setAttribute(key, text);
  }
}
