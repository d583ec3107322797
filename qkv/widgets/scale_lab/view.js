import { h, setText } from "../_shared/dom.js";
import { format, short } from "../_shared/numbers.js";
import { lab } from "../_shared/lab.js";
import { choice, slider, summary } from "../_shared/controls.js";
import { matrix, stage } from "../_shared/matrix.js";
import { draw, place } from "../_shared/svg.js";
import { BINS, derive, expected, validate, WIDEST } from "./math.js";

const WIDTH = 480;
const HEIGHT = 190;
const FLOOR = 160;
const AXES = Array.from({ length: 12 }, (_, p) => 4 ** p / 2); // 0.5, 2, 8, 32 …

export default lab({
  name: "ScaleLab",
  title: "How widely do dot products spread?",
  tip: "move dₖ up with no divisor and watch one weight take the whole row. Then divide by √dₖ.",
  keys: ["d_k", "rho", "within", "sigma", "divisor", "draws", "seed"],
  derive,
  validate,
  build,
});

function build(ctx) {
  const again = h("button", { type: "button", onclick: () => ctx.set({ seed: ctx.get("seed") + 1 }) }, "Draw again");
  return [
    h("div", { class: "qkv-controls" },
      slider(ctx, { key: "d_k", label: "Width dₖ", min: 1, max: WIDEST, stops: powersOfTwo() }),
      choice(ctx, { key: "divisor", label: "Divide by", options: [["none", "nothing"], ["sqrt", "√dₖ"], ["d_k", "dₖ"]] })),
    h("div", { class: "qkv-controls qkv-assumptions" },
      slider(ctx, { key: "sigma", label: "Spread σ of a coordinate", min: 0.25, max: 3, step: 0.05 }),
      slider(ctx, { key: "rho", label: "Correlation of q with k", min: -1, max: 1, step: 0.05 }),
      slider(ctx, { key: "within", label: "Correlation of neighbours", min: -0.95, max: 0.95, step: 0.05 }),
      again),
    stage("Scores q·k / divisor, over all draws", histogram(ctx)),
    stage("One reader’s row: eight random candidates",
      matrix(ctx, { name: "Weights", heat: "weight", value: ({ row }) => [row] })),
    summary(ctx, inWords),
  ];
}

function inWords({ mean, variance, largest, sensitivity }, traits) {
  const { mean: m, sd } = expected(traits);
  return `Over ${traits.draws} draws the scores have mean ${few(mean)} (derived: ${few(m)}) and variance ` +
    `${few(variance)} (derived: ${few(sd * sd)}). The largest weight of the row is ${format(largest)}; ` +
    `raising its score by a little moves it by ${format(sensitivity)} per unit.` + (traits.rho === 0 ? "" :
      " Candidate 1 is the query’s own partner. The derived variance is that of normal components; " +
      "these draws come a little lower (fourth moment 2.9, not 3).");
}

// Two decimals, or four where two would show nothing.
function few(x) {
  return format(x, Math.abs(x) < 0.1 && x !== 0 ? 4 : 2);
}

function powersOfTwo() {
  return Array.from({ length: 11 }, (_, p) => 2 ** p);
}

// Bars stand where their scores are, on an axis that grows in steps of four: spread is seen as width.
function histogram(ctx) {
  const bars = Array.from({ length: BINS }, () => draw("rect", { class: "qkv-bar" }));
  const ticks = [-1, -0.5, 0, 0.5, 1].map((share) => ({
    share,
    text: draw("text", {
      class: "qkv-plane-tick", y: FLOOR + 18, x: WIDTH / 2 + share * (WIDTH / 2 - 4),
      "text-anchor": { "-1": "start", 1: "end" }[share] ?? "middle",
    }),
  }));
  const svg = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "qkv-histogram", role: "img",
    "aria-label": "Histogram of the scores; their mean and variance stand in the line below",
  }, draw("path", { class: "qkv-plane-axes", d: `M0 ${FLOOR}H${WIDTH}` }), ...bars, ...ticks.map(({ text }) => text));

  ctx.onUpdate(({ counts, edges }, { draws }) => {
    const reach = AXES.find((axis) => axis >= Math.max(-edges[0], edges[BINS])) ?? AXES.at(-1);
    const x = (e) => WIDTH / 2 + (e / reach) * (WIDTH / 2 - 4);
    counts.forEach((count, b) => {
      const tall = Math.min(FLOOR - 8, (count / draws) * 900);
      const gap = Math.min(1, (x(edges[b + 1]) - x(edges[b])) / 6);
      place(bars[b], { x: x(edges[b]) + gap, width: x(edges[b + 1]) - x(edges[b]) - 2 * gap, y: FLOOR - tall, height: tall });
    });
    for (const { share, text } of ticks) setText(text, short(share * reach));
  });
  return svg;
}
