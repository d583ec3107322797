import { h, setText } from "../_shared/dom.js";
import { format, short, sub } from "../_shared/numbers.js";
import { lab } from "../_shared/lab.js";
import { choice, slider, summary } from "../_shared/controls.js";
import { matrix, products, stage } from "../_shared/matrix.js";
import { draw, place } from "../_shared/svg.js";
import { derive, usedScores, validate } from "./math.js";

const WIDTH = 400;
const HEIGHT = 300;

export default lab({
  name: "MixLab",
  title: "Where can a mixture go?",
  tip: "move the scores and try to push the output out of the triangle. Then choose the raw rule and move the offset.",
  keys: ["scores", "values", "offset", "temperature", "rule"],
  derive,
  validate,
  build,
});

function build(ctx) {
  const score = (index) => slider(ctx, { key: "scores", index, label: `Score e${sub(index)}`, min: -10, max: 10, step: 0.1 });
  return [
    h("div", { class: "qkv-controls" },
      choice(ctx, { key: "rule", label: "Weights by", options: [["softmax", "softmax"], ["raw", "the raw rule: the scores themselves"]] })),
    h("div", { class: "qkv-mix" },
      triangle(ctx),
      h("div", { class: "qkv-mix-controls" },
        score(0), score(1), score(2),
        slider(ctx, { key: "offset", label: "Offset c", min: -100, max: 100, step: 0.5 }),
        slider(ctx, { key: "temperature", label: "Temperature T", min: 0.05, max: 10, step: 0.05 }))),
    stage("Score, weight, mix",
      matrix(ctx, { name: "(e + c) / T", value: (_, traits) => column(usedScores(traits)), explain: explainUsed }),
      matrix(ctx, { name: "Weights", heat: "weight", value: (r) => column(r.weights), explain: explainShare }),
      matrix(ctx, { name: "Values", edit: "values", role: "v" }),
      matrix(ctx, { name: "Output", value: (r) => column(r.output), explain: explainMixture })),
    summary(ctx, inWords),
  ];
}

function inWords({ weights, total, output, entropy, inside }, { rule }) {
  const list = weights.map((a) => format(a)).join(", ");
  const spread = entropy === null
    ? "they are no shares of 1, so they have no entropy"
    : `their entropy is ${format(entropy)} nats (0 when one has all, ${format(Math.log(3))} when all are equal)`;
  const taken = rule === "raw" ? "The scores, taken as weights," : "The weights";
  return `${taken} are ${list}, sum ${format(total)}; ${spread}. ` +
    `The output (${output.map((x) => format(x)).join(", ")}) lies ${inside ? "inside" : "outside"} the triangle of the values.`;
}

function explainUsed(j, _, results, traits) {
  const u = usedScores(traits)[j];
  return `(e${sub(j)} + c) / T = (${format(traits.scores[j])} + ${bracket(short(traits.offset))}) / ${short(traits.temperature)} = ${format(u)}`;
}

function explainShare(j, _, { weights }, traits) {
  const used = usedScores(traits);
  if (traits.rule === "raw") return `The raw rule takes the number itself: ${format(used[j])}. No rival has a say.`;
  const sum = used.map((u) => `exp(${format(u)})`).join(" + ");
  return `a${sub(j)} = exp(${format(used[j])}) / (${sum}) = ${format(weights[j])}`;
}

function explainMixture(c, _, { weights, output }, { values }) {
  return `o${sub(c)} = Σⱼ aⱼ·vⱼ${sub(c)} = ${products(weights, values.map((v) => v[c]))} = ${format(output[c])}`;
}

function column(vector) {
  return vector.map((x) => [x]);
}

function bracket(text) {
  return text.startsWith("−") ? `(${text})` : text;
}

// The three values as corners, the output as a square, a thread from each corner to the output as
// thick as its weight. The window holds the triangle in its middle and zooms out twice at most.
function triangle(ctx) {
  const grid = draw("path", { class: "qkv-mix-grid" });
  const axes = draw("path", { class: "qkv-mix-axes" });
  const ticks = draw("g", { class: "qkv-mix-ticks", "aria-hidden": "true" });
  const area = draw("polygon", { class: "qkv-mix-area" });
  const threads = [0, 1, 2].map(() => draw("line", { class: "qkv-mix-thread" }));
  const corners = [0, 1, 2].map(() => draw("circle", { class: "qkv-mix-corner", r: 6 }));
  const names = [0, 1, 2].map((j) => draw("text", { class: "qkv-mix-name" }, `v${sub(j)}`));
  const output = draw("path", { class: "qkv-mix-output" });
  const label = draw("text", { class: "qkv-mix-name" }, "o");
  const picture = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "qkv-mix-picture", role: "img",
    "aria-label": "The triangle of the three values, with the output; the line of text below says where it lies",
  }, grid, axes, ticks, area, ...threads, ...corners, ...names, output, label);
  let framed = "";

  ctx.onUpdate(({ weights, output: o, inside }, { values }) => {
    const frame = frameFor(values, o);
    const key = JSON.stringify([values, frame.scale]);
    if (framed !== key) drawFrame(frame, values);
    framed = key;
    const at = frame.to(o);
    const shown = [clamp(at[0], 12, WIDTH - 12), clamp(at[1], 12, HEIGHT - 12)];
    const gone = shown[0] !== at[0] || shown[1] !== at[1];
    values.forEach((v, j) => {
      const [x, y] = frame.to(v);
      place(threads[j], {
        x1: x, y1: y, x2: shown[0], y2: shown[1],
        "stroke-width": clamp(Math.abs(weights[j]) * 9, 0.4, 9),
        "stroke-dasharray": weights[j] < 0 ? "3 5" : "none",
      });
    });
    place(output, { d: gone ? pointer(shown, at) : square(shown), "data-inside": String(inside) });
    const far = gone && shown[0] > WIDTH / 2;
    place(label, {
      x: clamp(shown[0] + (far ? -12 : 12), 14, WIDTH - 14), y: clamp(shown[1] - 10, 16, HEIGHT - 8),
      "text-anchor": far ? "end" : "start",
    });
    setText(label, gone ? "o, beyond the picture" : "o");
  });

  function drawFrame(frame, values) {
    const spots = values.map(frame.to);
    const middle = [0, 1].map((c) => (spots[0][c] + spots[1][c] + spots[2][c]) / 3);
    place(area, { points: spots.map((p) => p.map((x) => x.toFixed(2)).join(",")).join(" ") });
    spots.forEach(([x, y], j) => {
      const away = Math.hypot(x - middle[0], y - middle[1]) || 1;
      place(corners[j], { cx: x, cy: y });
      place(names[j], {
        x: x + (18 * (x - middle[0])) / away, y: y + (18 * (y - middle[1])) / away + 5, "text-anchor": "middle",
      });
    });
    const { lines, marks } = gridLines(frame);
    const [x0, y0] = frame.to([0, 0]);
    place(grid, { d: lines });
    place(axes, { d: `M0 ${y0.toFixed(2)}H${WIDTH}M${x0.toFixed(2)} 0V${HEIGHT}` });
    ticks.replaceChildren(...marks.map(([x, y, text]) => draw("text", { x, y }, text)));
  }
  return picture;
}

function frameFor(values, o) {
  const [low, high] = [Math.min, Math.max].map((f) => [0, 1].map((c) => f(...values.map((v) => v[c]))));
  const centre = [0, 1].map((c) => (low[c] + high[c]) / 2);
  const span = Math.max(high[0] - low[0], (high[1] - low[1]) * (WIDTH / HEIGHT)) || 1;
  const fits = (scale) =>
    Math.abs(o[0] - centre[0]) * scale < WIDTH / 2 - 14 && Math.abs(o[1] - centre[1]) * scale < HEIGHT / 2 - 14;
  const scales = [0.55, 0.28, 0.14].map((share) => (share * WIDTH) / span);
  const scale = scales.find(fits) ?? scales[0];
  const to = ([x, y]) => [WIDTH / 2 + (x - centre[0]) * scale, HEIGHT / 2 - (y - centre[1]) * scale];
  return { centre, scale, to };
}

function gridLines({ centre, scale, to }) {
  const step = niceStep(42 / scale);
  const marks = [];
  let lines = "";
  const half = [WIDTH / 2 / scale, HEIGHT / 2 / scale];
  const range = (c) => {
    const first = Math.ceil((centre[c] - half[c]) / step);
    const last = Math.floor((centre[c] + half[c]) / step);
    return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  };
  const [x0, y0] = to([0, 0]);
  for (const t of range(0)) {
    const [x] = to([t, 0]);
    lines += `M${x.toFixed(2)} 0V${HEIGHT}`;
    marks.push([x + 3, clamp(y0 + 13, 13, HEIGHT - 4), short(t)]);
  }
  for (const t of range(1)) {
    const [, y] = to([0, t]);
    lines += `M0 ${y.toFixed(2)}H${WIDTH}`;
    if (t !== 0) marks.push([clamp(x0 + 3, 3, WIDTH - 28), y - 3, short(t)]);
  }
  return { lines, marks };
}

// The smallest of 1, 2, 5, 10, 20 … (or 0.5, 0.2 …) that is at least x.
function niceStep(x) {
  const unit = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map((m) => m * unit).find((s) => s >= x * 0.999);
}

function square([x, y]) {
  return `M${(x - 6).toFixed(2)} ${(y - 6).toFixed(2)}h12v12h-12z`;
}

// An arrow head at the edge, toward where the output is.
function pointer([x, y], [toX, toY]) {
  const turn_ = Math.atan2(toY - HEIGHT / 2, toX - WIDTH / 2);
  const tip = (angle, r) => `${(x + r * Math.cos(turn_ + angle)).toFixed(2)} ${(y + r * Math.sin(turn_ + angle)).toFixed(2)}`;
  return `M${tip(0, 11)}L${tip(2.4, 11)}L${tip(-2.4, 11)}z`;
}

function clamp(x, least, most) {
  return Math.min(most, Math.max(least, x));
}
