import { h, setText } from "./dom.js";
import { draw, place } from "./svg.js";

const SIDE = 240;
const MIDDLE = SIDE / 2;

// Vectors of width 2 as arrows from the origin, in a square that grows with them.
//   arrows   (results, traits) → [{ to: [x, y], name, role }], always equally many
//   note     what the picture shows, for readers who hear it
// Other widths have no plane: the picture then hides.
export function plane(ctx, { arrows, note }) {
  const grid = draw("path", { class: "qkv-plane-grid" });
  const axes = draw("path", { class: "qkv-plane-axes", d: `M0 ${MIDDLE}H${SIDE}M${MIDDLE} 0V${SIDE}` });
  const ticks = draw("text", { class: "qkv-plane-tick", y: MIDDLE + 14, "text-anchor": "middle" });
  const items = draw("g");
  const svg = draw("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "qkv-plane", role: "img", "aria-label": note },
    grid, axes, ticks, items);
  const box = h("div", { class: "qkv-plane-box" }, svg);
  let parts = [];
  let drawnUnit = 0;

  ctx.onUpdate((results, traits) => {
    const wanted = arrows(results, traits);
    box.hidden = wanted.some(({ to }) => to.length !== 2);
    if (box.hidden) return;
    if (parts.length !== wanted.length) {
      parts = wanted.map(arrow);
      items.replaceChildren(...parts.flatMap((part) => part.items));
    }
    const reach = Math.max(1, ...wanted.flatMap(({ to }) => to.map(Math.abs)));
    const unit = (MIDDLE - 26) / reach; // pixels for a step of 1
    if (unit !== drawnUnit) drawGrid(unit);
    drawnUnit = unit;
    const names = sharedNames(wanted);
    wanted.forEach(({ to }, r) => parts[r].point(to.map((x) => x * unit), names[r]));
  });

  function drawGrid(unit) {
    const step = [1, 2, 5, 10, 20, 50, 100].find((s) => s * unit >= 18) ?? 1000;
    const stops = Array.from({ length: 13 }, (_, m) => MIDDLE + (m - 6) * step * unit).filter((x) => x > 0 && x < SIDE);
    place(grid, { d: stops.map((x) => `M${x.toFixed(2)} 0V${SIDE}M0 ${x.toFixed(2)}H${SIDE}`).join("") });
    place(ticks, { x: MIDDLE + step * unit });
    ticks.textContent = String(step);
  }
  return box;
}

function arrow({ role }) {
  const shaft = draw("path", { class: `qkv-arrow qkv-arrow-${role}` });
  const head = draw("path", { class: `qkv-arrow-head qkv-arrow-${role}` });
  const label = draw("text", { class: "qkv-plane-name", "text-anchor": "middle" });

  // dx, dy: where it points, in pixels, y up.
  function point([dx, dy], name) {
    const length = Math.hypot(dx, dy);
    const [x, y] = [MIDDLE + dx, MIDDLE - dy];
    const [ux, uy] = length ? [dx / length, -dy / length] : [0, -1];
    const back = Math.min(length, 9);
    const [bx, by] = [x - back * ux, y - back * uy];
    const wing = (turn) => `L${at(bx + turn * 5 * uy, by - turn * 5 * ux)}`;
    place(shaft, { d: `M${at(MIDDLE, MIDDLE)}L${at(bx, by)}` });
    place(head, { d: length ? `M${at(x, y)}${wing(1)}${wing(-1)}z` : "" });
    place(label, { x: Math.min(SIDE - 22, Math.max(22, x + 14 * ux)), y: y + 14 * uy + 5 });
    setText(label, name);
  }
  return { items: [shaft, head, label], point };
}

function at(x, y) {
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

// Arrows that end in one place share one label: "x₃ = q₃".
function sharedNames(wanted) {
  const names = wanted.map(({ name }) => name);
  wanted.forEach(({ to }, r) => {
    const first = wanted.findIndex((other) => other.to.every((x, c) => x === to[c]));
    if (first < r) {
      names[first] += ` = ${names[r]}`;
      names[r] = "";
    }
  });
  return names;
}
