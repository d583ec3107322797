import { freshId, h, prose, setProse, setText } from "../_shared/dom.js";
import { format, short, sub } from "../_shared/numbers.js";
import { dot, softmax } from "../_shared/linear.js";
import { lab } from "../_shared/lab.js";
import { numberCell, slider, summary } from "../_shared/controls.js";
import { matrix, products, stage } from "../_shared/matrix.js";
import { draw, place } from "../_shared/svg.js";
import { derive, difference, rowRead, validate } from "./math.js";

export default lab({
  name: "PullLab",
  title: "Nudge one score, watch the output and the loss",
  tip: "drag the nudge. The output slides along the line to the candidate’s value; the loss follows its straight prediction only near 0. Then show the training run and slide through it.",
  keys: ["Q", "K", "V", "g", "reader", "candidate", "delta", "frames", "frame"],
  derive,
  validate,
  build,
});

function build(ctx) {
  const inputs = stage("Inputs: type in them",
    matrix(ctx, { name: "Q", edit: "Q", role: "q", reader: "reader" }),
    matrix(ctx, { name: "K", edit: "K", role: "k" }),
    matrix(ctx, { name: "V", edit: "V", role: "v" }),
    gradientRow(ctx));
  const reader = slider(ctx, { key: "reader", label: "Reader", min: 0, max: ({ Q }) => Q.length - 1, shift: 1 });
  const run = trainingRun(ctx);
  ctx.onUpdate((_, { frame }) => {
    inputs.hidden = frame > 0;
    reader.hidden = frame > 0;
  });
  return [
    run.toggle,
    run.panel,
    h("div", { class: "qkv-controls" }, reader,
      slider(ctx, { key: "candidate", label: "Candidate", min: 0, max: (traits) => rowRead(traits).K.length - 1, shift: 1 }),
      slider(ctx, { key: "delta", label: "Nudge", min: -3, max: 3, step: 0.05 })),
    h("div", { class: "qkv-row qkv-pull-pictures" }, plane(ctx), course(ctx), curve(ctx)),
    candidates(ctx),
    summary(ctx, inWords),
    inputs,
  ];
}

function inWords({ output, moved, pull, predicted, actual }, { candidate, delta }) {
  const j = candidate + 1;
  const step = pull[candidate] < 0 ? `A descent step raises the score of candidate ${j}.`
    : pull[candidate] > 0 ? `A descent step lowers the score of candidate ${j}.`
      : `A descent step leaves the score of candidate ${j} alone.`;
  return `Nudging score ${j} by ${signed(delta, 2)} moves the output from (${list(output)}) to (${list(moved)}). ` +
    `The loss should change by ${signed(predicted)}; it changes by ${signed(actual)}. ${step}`;
}

function list(x) {
  return x.map((value) => format(value)).join(", ");
}

function signed(x, digits = 4) {
  const text = format(x, digits);
  return text.startsWith("−") || Number(text) === 0 ? text : `+${text}`;
}

// ---------------------------------------------------------------- the numbers, a candidate a column

function candidates(ctx) {
  const rows = [
    { label: "Weight", value: ({ weights }) => weights, heat: true, why: whyWeight },
    { label: "Weight after the nudge", value: (_, traits) => nudged(traits), heat: true, why: whyNudged },
    { label: "g·(vⱼ − o)", value: ({ output }, traits) => gains(output, rowRead(traits)), why: whyGain },
    { label: "Pull ∂L/∂eⱼ", value: ({ pull }) => pull, why: whyPull },
    { label: "A step down makes eⱼ", words: true, value: ({ pull }) => pull.map((p) => (Math.abs(p) < 5e-5 ? "stay" : p < 0 ? "rise" : "fall")) },
  ];
  const head = h("tr");
  const body = h("tbody");
  const id = freshId("candidates");
  const caption = h("p", { class: "qkv-caption", id }, h("b", {}, "Candidates"), ", a column each");
  const table = h("table", { class: "qkv-matrix qkv-pull-table", "aria-labelledby": id }, h("thead", {}, head), body);
  let cells = [];

  function make(count) {
    head.replaceChildren(h("td"), ...Array.from({ length: count }, (_, j) => h("th", { scope: "col", translate: "no" }, String(j + 1))));
    cells = rows.map((row, r) => Array.from({ length: count }, (_, j) => {
      if (row.words) return h("span", { class: "qkv-number" });
      const button = h("button", { type: "button", class: "qkv-number", translate: "no", tabindex: r || j ? -1 : 0 });
      button.addEventListener("click", () => {
        focusOn(button);
        ctx.root.querySelector(".qkv-chosen")?.classList.remove("qkv-chosen");
        button.classList.add("qkv-chosen");
        ctx.explain((results, traits) => (j < results.weights.length ? row.why(j, results, traits) : ""));
      });
      button.addEventListener("keydown", (event) => {
        const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        const next = step && cells[r + step[0]]?.[j + step[1]];
        if (next?.tagName !== "BUTTON") return;
        event.preventDefault();
        focusOn(next);
        next.focus();
      });
      return button;
    }));
    body.replaceChildren(...rows.map((row, r) =>
      h("tr", {}, h("th", { scope: "row" }, ...prose(row.label)), ...cells[r].map((cell) => h("td", {}, cell)))));
  }

  function focusOn(button) {
    table.querySelector("button[tabindex='0']")?.setAttribute("tabindex", -1);
    button.tabIndex = 0;
  }

  ctx.onUpdate((results, traits) => {
    const count = results.weights.length;
    if (cells[0]?.length !== count) make(count);
    let longest = 7;
    rows.forEach((row, r) => row.value(results, traits).forEach((x, j) => {
      const text = row.words ? x : format(x);
      setText(cells[r][j], text);
      longest = Math.max(longest, text.length);
      const td = cells[r][j].parentNode;
      if (row.heat) td.style.setProperty("--heat", x);
      td.classList.toggle("qkv-pull-chosen", j === traits.candidate);
    }));
    const cell = `${0.5 * longest + 0.75}rem`;
    if (table.style.getPropertyValue("--cell") !== cell) table.style.setProperty("--cell", cell);
    [...head.children].slice(1).forEach((th, j) => th.classList.toggle("qkv-pull-mark", j === traits.candidate));
  });
  return h("div", { class: "qkv-stage" }, caption, h("div", { class: "qkv-scroll" }, table));
}

function gains(output, { V, g }) {
  return V.map((v) => dot(g, difference(v, output)));
}

function rowScores(traits) {
  const { q, K } = rowRead(traits);
  return K.map((k) => dot(q, k) / Math.sqrt(q.length));
}

function nudged(traits) {
  return softmax(rowScores(traits).map((e, j) => (j === traits.candidate ? e + traits.delta : e)));
}

function whyWeight(j, { weights }, traits) {
  const scores = rowScores(traits);
  return `a${sub(j)} = exp(${format(scores[j])}) / (${scores.map((e) => `exp(${format(e)})`).join(" + ")}) = ${format(weights[j])}`;
}

function whyNudged(j, { weights }, traits) {
  const { candidate, delta } = traits;
  const after = nudged(traits);
  const start = `Only the score of candidate ${candidate + 1} changes, by ${signed(delta, 2)}.`;
  if (j === candidate) return `${start} Its weight goes from ${format(weights[j])} to ${format(after[j])}.`;
  return `${start} Its rivals all shrink or grow by one factor, (1 − ${format(after[candidate])}) / (1 − ${format(weights[candidate])}): ${format(weights[j])} becomes ${format(after[j])}.`;
}

function whyGain(j, { output }, traits) {
  const { V, g } = rowRead(traits);
  const d = difference(V[j], output);
  return `g·(v${sub(j)} − o) = ${products(g, d)} = ${format(dot(g, d))}: ${dot(g, d) < 0 ? "moving toward" : "moving away from"} v${sub(j)} lowers the loss`;
}

function whyPull(j, { weights, output, pull }, traits) {
  const gain = format(gains(output, rowRead(traits))[j]);
  return `∂L/∂e${sub(j)} = a${sub(j)} · g·(v${sub(j)} − o) = ${format(weights[j])}·${gain.startsWith("−") ? `(${gain})` : gain} = ${format(pull[j])}`;
}

// ---------------------------------------------------------------- g, and the run

function gradientRow(ctx) {
  const row = h("tr");
  const head = h("tr");
  let cells = [];
  ctx.onUpdate((_, traits) => {
    if (cells.length !== traits.g.length) {
      cells = traits.g.map((_, c) => numberCell(ctx, {
        label: `g, number ${c + 1}`, get: (t) => t.g[c], put: (x, t) => ({ g: t.g.with(c, x) }),
      }));
      head.replaceChildren(h("td"), ...cells.map((_, c) => h("th", { scope: "col" }, String(c + 1))));
      row.replaceChildren(h("th", { scope: "row" }, "g"), ...cells.map((cell) => h("td", {}, cell.input)));
    }
    for (const cell of cells) cell.show(traits);
  });
  const id = freshId("g");
  return h("div", { class: "qkv-matrix-box" },
    h("p", { class: "qkv-caption", id }, h("b", {}, ...prose("g")), ...prose(" = ∂L/∂o")),
    h("div", { class: "qkv-scroll" },
      h("table", { class: "qkv-matrix", "aria-labelledby": id, translate: "no" }, h("thead", {}, head), h("tbody", {}, row))));
}

function trainingRun(ctx) {
  const box = h("input", { type: "checkbox" });
  const toggle = h("label", { class: "qkv-control qkv-toggle" }, box, "Show the training run");
  const moment = slider(ctx, { key: "frame", label: "Moment", min: 1, max: ({ frames }) => Math.max(1, frames.length) });
  const facts = h("p", { class: "qkv-pull-facts", "aria-live": "polite", "aria-atomic": "true" });
  const panel = h("div", { class: "qkv-pull-run" }, moment, facts);
  box.addEventListener("change", () => {
    const { frames, K } = ctx.traits();
    const cards = box.checked ? frames[0].K.length : K.length;
    const candidate = box.checked ? frames[0].right : Math.min(ctx.get("candidate"), cards - 1);
    ctx.set({ frame: box.checked ? 1 : 0, candidate });
  });
  ctx.onUpdate(({ weights }, { frames, frame }) => {
    box.checked = frame > 0;
    toggle.hidden = frames.length === 0;
    panel.hidden = frame === 0;
    if (!frame) return;
    const { step, loss, right, K } = frames[frame - 1];
    setProse(facts, `After ${step} steps of training, on five cards it has never seen: the right card is candidate ${right + 1}, ` +
      `with weight ${format(weights[right])}; the loss is ${format(loss)}. Candidate ${K.length} is the request itself.`);
  });
  return { toggle, panel };
}

// ---------------------------------------------------------------- pictures

const WIDTH = 330;
const HEIGHT = 240;
const MARGIN = 34;

// The plane of the values (only where they have two numbers): o slides on the line to the value.
function plane(ctx) {
  const name = draw("title");
  const hull = draw("g", { class: "qkv-pull-hull" });
  const line = draw("line", { class: "qkv-pull-line" });
  const shaft = draw("line", { class: "qkv-pull-down" });
  const tip = draw("polygon", { class: "qkv-pull-down-tip" });
  const downhill = draw("text", { class: "qkv-pull-note" }, "−g");
  const from = draw("circle", { r: 5, class: "qkv-pull-o" });
  const to = draw("circle", { r: 7, class: "qkv-pull-moved" });
  const fromName = draw("text", { class: "qkv-pull-name" }, "o");
  const dots = draw("g");
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "qkv-pull-plane" },
    name, hull, line, shaft, tip, dots, from, to, fromName, downhill,
    draw("text", { x: 6, y: HEIGHT - 7, class: "qkv-pull-note" }, "−g: the way down. ○: o after the nudge"));
  let points = [];

  function make(count) {
    points = Array.from({ length: count }, (_, j) => ({
      ring: draw("circle", { r: 6, class: "qkv-pull-v" }), dot: draw("circle", { r: 2.5, class: "qkv-pull-v-dot" }),
      text: draw("text", { class: "qkv-pull-name" }, `v${sub(j)}`),
    }));
    dots.replaceChildren(...points.flatMap(({ ring, dot: inner, text }) => [ring, inner, text]));
    hull.replaceChildren(...pairs(count).map(() => draw("line")));
  }

  ctx.onUpdate(({ output, moved }, traits) => {
    const { V, g } = rowRead(traits);
    const shown = g.length === 2;
    svg.toggleAttribute("hidden", !shown);
    if (!shown) return;
    if (points.length !== V.length) make(V.length);
    const at = scaleOf([...V, output]);
    V.forEach((v, j) => {
      const [x, y] = at(v);
      place(points[j].ring, { cx: x, cy: y });
      place(points[j].dot, { cx: x, cy: y });
      const [ox, oy] = at(output);
      const away = Math.hypot(x - ox, y - oy) || 1;
      place(points[j].text, { x: x + (17 * (x - ox)) / away - 6, y: y + (17 * (y - oy)) / away + 5 });
      points[j].ring.classList.toggle("qkv-pull-target", j === traits.candidate);
    });
    pairs(V.length).forEach(([a, b], e) => segment(hull.children[e], at(V[a]), at(V[b])));
    const o = at(output);
    segment(line, o, at(V[traits.candidate]));
    place(from, { cx: o[0], cy: o[1] });
    place(fromName, { x: o[0] - 14, y: o[1] - 8 });
    const m = at(moved);
    place(to, { cx: m[0], cy: m[1] });
    arrow(o, g, { shaft, tip, downhill });
    setText(name, `The values as points, the output o among them, and o after the nudge on the line to v${sub(traits.candidate)}. An arrow shows −g.`);
  });
  return svg;
}

function pairs(count) {
  if (count > 4) return [];
  return Array.from({ length: count }, (_, a) => Array.from({ length: a }, (_, b) => [a, b])).flat();
}

// World → picture, one scale for both axes.
function scaleOf(points) {
  const ends = [0, 1].map((c) => [Math.min(...points.map((p) => p[c])), Math.max(...points.map((p) => p[c]))]);
  const span = ends.map(([low, high]) => high - low);
  const unit = Math.min((WIDTH - 2 * MARGIN) / (span[0] || 1e-9), (HEIGHT - 2 * MARGIN) / (span[1] || 1e-9), 1e6);
  const middle = ends.map(([low, high]) => low / 2 + high / 2);
  return (p) => [WIDTH / 2 + (p[0] - middle[0]) * unit, HEIGHT / 2 - (p[1] - middle[1]) * unit];
}

function segment(line, a, b) {
  place(line, { x1: a[0], y1: a[1], x2: b[0], y2: b[1] });
}

// −g as a direction of fixed length: its size is in the numbers.
function arrow(o, g, { shaft, tip, downhill }) {
  const size = Math.hypot(...g);
  for (const part of [shaft, tip, downhill]) part.toggleAttribute("hidden", size === 0);
  if (!size) return;
  const [dx, dy] = [-g[0] / size, g[1] / size];
  const end = [o[0] + 46 * dx, o[1] + 46 * dy];
  segment(shaft, o, end);
  place(tip, { points: [[0, 0], [-9, 4.5], [-9, -4.5]].map(([x, y]) => `${(end[0] + x * dx - y * dy).toFixed(1)},${(end[1] + x * dy + y * dx).toFixed(1)}`).join(" ") });
  place(downhill, { x: end[0] + 14 * dx - 9, y: end[1] + 14 * dy + 5 });
}

// The course of the training run: the right card's weight and the loss, moment by moment.
function course(ctx) {
  const name = draw("title");
  const axes = draw("path", { class: "qkv-pull-axes", d: `M ${MARGIN} 24 V ${HEIGHT - MARGIN} H ${WIDTH - 10}` });
  const weight = draw("path", { class: "qkv-pull-curve" });
  const loss = draw("path", { class: "qkv-pull-tangent" });
  const now = draw("line", { class: "qkv-pull-now" });
  const ticks = draw("g");
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "qkv-pull-course" },
    name, axes, ticks, now, weight, loss,
    draw("text", { x: WIDTH - 6, y: HEIGHT - 4, class: "qkv-pull-note", "text-anchor": "end" }, "moment →"),
    draw("line", { x1: 44, x2: 68, y1: 11, y2: 11, class: "qkv-pull-curve" }),
    draw("text", { x: 72, y: 15, class: "qkv-pull-note" }, "weight of the right card"),
    draw("line", { x1: 236, x2: 260, y1: 11, y2: 11, class: "qkv-pull-tangent" }),
    draw("text", { x: 264, y: 15, class: "qkv-pull-note" }, "loss"));
  let drawn = null;

  ctx.onUpdate((_, traits) => {
    const { frames, frame } = traits;
    svg.toggleAttribute("hidden", frame === 0);
    if (frame === 0) return;
    const top = Math.max(1, ...frames.map((moment) => moment.loss)) * 1.05;
    const at = (m, y) => [MARGIN + ((m - 0.5) / frames.length) * (WIDTH - MARGIN - 12), HEIGHT - MARGIN - (y / top) * (HEIGHT - MARGIN - 28)];
    if (drawn !== frames) {
      drawn = frames;
      const path = (values) => "M" + values.map((y, m) => at(m + 1, y).map((x) => x.toFixed(1)).join(" ")).join("L");
      place(loss, { d: path(frames.map((moment) => moment.loss)) });
      place(weight, { d: path(frames.map((moment, m) => derive({ ...traits, frame: m + 1, candidate: 0 }).weights[moment.right])) });
      ticks.replaceChildren(...[0, 0.5, 1].map((y) => draw("text", { x: MARGIN - 6, y: at(1, y)[1] + 4, "text-anchor": "end", class: "qkv-pull-note" }, short(y))));
    }
    const [x] = at(frame, 0);
    place(now, { x1: x, x2: x, y1: 24, y2: HEIGHT - MARGIN });
    setText(name, `Over the ${frames.length} recorded moments the loss goes from ${format(frames[0].loss, 2)} to ${format(frames.at(-1).loss, 2)}; a line marks moment ${frame}.`);
  });
  return svg;
}

// The change of the loss against the nudge: the truth bends away from its tangent.
const REACH = 3;

function curve(ctx) {
  const name = draw("title");
  const axes = draw("path", { class: "qkv-pull-axes" });
  const tangent = draw("line", { class: "qkv-pull-tangent" });
  const path = draw("path", { class: "qkv-pull-curve" });
  const guess = draw("circle", { r: 5, class: "qkv-pull-guess" });
  const truth = draw("circle", { r: 5, class: "qkv-pull-o" });
  const labels = [
    draw("text", { x: WIDTH - 6, y: HEIGHT - 7, class: "qkv-pull-note", "text-anchor": "end" }, "nudge of the score →"),
    draw("text", { x: 6, y: 15, class: "qkv-pull-note" }, "↑ change of the loss"),
    draw("line", { x1: 152, x2: 176, y1: 11, y2: 11, class: "qkv-pull-curve" }),
    draw("text", { x: 180, y: 15, class: "qkv-pull-note" }, "actual"),
    draw("line", { x1: 228, x2: 252, y1: 11, y2: 11, class: "qkv-pull-tangent" }),
    draw("text", { x: 256, y: 15, class: "qkv-pull-note" }, "predicted"),
  ];
  const clip = draw("clipPath", { id: freshId("clip") }, draw("rect", { x: 6, y: 20, width: WIDTH - 12, height: HEIGHT - 42 }));
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "qkv-pull-plot" },
    name, clip, axes, draw("g", { "clip-path": `url(#${clip.id})` }, tangent, path, guess), truth, ...labels);

  ctx.onUpdate(({ weights, output, pull, predicted, actual }, traits) => {
    const { candidate, delta } = traits;
    const { V, g } = rowRead(traits);
    const full = dot(g, difference(V[candidate], output));
    const change = (d) => full * along(weights[candidate], d);
    const reach = Math.max(REACH, Math.abs(delta));
    const top = Math.max(...[-reach, reach].map((d) => Math.abs(change(d))), Math.abs(pull[candidate]) * reach * 0.5, 1e-9) * 1.15;
    const at = (d, y) => [WIDTH / 2 + (d / reach) * (WIDTH / 2 - 12), HEIGHT / 2 - (y / top) * (HEIGHT / 2 - 24)];
    place(axes, { d: `M 6 ${HEIGHT / 2} H ${WIDTH - 6} M ${WIDTH / 2} 20 V ${HEIGHT - 22}` });
    segment(tangent, at(-reach, -reach * pull[candidate]), at(reach, reach * pull[candidate]));
    const steps = Array.from({ length: 61 }, (_, s) => -reach + (s * reach) / 30);
    place(path, { d: "M" + steps.map((d) => at(d, change(d)).map((x) => x.toFixed(1)).join(" ")).join("L") });
    const [gx, gy] = at(delta, predicted);
    const [tx, ty] = at(delta, actual);
    place(guess, { cx: gx, cy: gy });
    place(truth, { cx: tx, cy: ty });
    setText(name, `The change of the loss against the nudge: a curve, and its tangent at 0. At ${short(delta)} the tangent says ${format(predicted)}, the curve ${format(actual)}.`);
  });
  return svg;
}

// How far a nudge d of a score with weight a takes the output toward the value: 0 … 1.
function along(a, d) {
  const grown = a * Math.expm1(d);
  return grown / (1 + grown);
}
