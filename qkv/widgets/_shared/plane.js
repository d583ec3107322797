import { h } from "./dom.js";
import { draw, place } from "./svg.js";

const SIDE = 240;

// Vectors of width 2 as arrows from the origin, in a square that grows with them.
//   arrows   (results, traits) → [{ to: [x, y], name, role }], always equally many
//   note     what the picture shows, for readers who hear it
// Other widths have no plane: the picture then hides.
export function plane(ctx, { arrows, note }) {
  const grid = draw("path", { class: "qkv-plane-grid" });
  const axes = draw("path", { class: "qkv-plane-axes", d: `M0 ${SIDE / 2}H${SIDE}M${SIDE / 2} 0V${SIDE}` });
  const ticks = draw("text", { class: "qkv-plane-tick", y: SIDE / 2 + 14, "text-anchor": "middle" });
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
      items.replaceChildren(...parts.flatMap(({ line, label }) => [line, label]));
    }
    const reach = Math.max(1, ...wanted.flatMap(({ to }) => to.map(Math.abs)));
    const unit = (SIDE / 2 - 26) / reach; // pixels for a step of 1
    if (unit !== drawnUnit) drawGrid(unit);
    drawnUnit = unit;
    wanted.forEach(({ to, name }, r) => parts[r].point(to.map((x) => x * unit), name, r));
  });

  function drawGrid(unit) {
    const step = [1, 2, 5, 10, 20, 50, 100].find((s) => s * unit >= 18) ?? 1000;
    const stops = Array.from({ length: 13 }, (_, m) => SIDE / 2 + (m - 6) * step * unit).filter((x) => x > 0 && x < SIDE);
    place(grid, { d: stops.map((x) => `M${x.toFixed(2)} 0V${SIDE}M0 ${x.toFixed(2)}H${SIDE}`).join("") });
    place(ticks, { x: SIDE / 2 + step * unit });
    ticks.textContent = String(step);
  }
  return box;
}

function arrow({ role }) {
  const line = draw("path", { class: `qkv-arrow qkv-arrow-${role}` });
  const label = draw("text", { class: "qkv-plane-name", "text-anchor": "middle" });
  // dx, dy: where it points, y up. Labels of equal arrows stand apart by their rank.
  function point([dx, dy], name, rank) {
    const length = Math.hypot(dx, dy);
    const [x, y] = [SIDE / 2 + dx, SIDE / 2 - dy];
    const [ux, uy] = length ? [dx / length, -dy / length] : [0, -1];
    const head = (turn) => `L${(x - 9 * ux + turn * 4.5 * uy).toFixed(2)} ${(y - 9 * uy - turn * 4.5 * ux).toFixed(2)}`;
    place(line, { d: `M${SIDE / 2} ${SIDE / 2}L${x.toFixed(2)} ${y.toFixed(2)}${head(1)}M${x.toFixed(2)} ${y.toFixed(2)}${head(-1)}` });
    place(label, { x: x + 13 * ux + (rank - 1.5) * 13 * Math.abs(uy), y: y + 13 * uy + 5 });
    label.textContent = name;
  }
  return { line, label, point };
}
