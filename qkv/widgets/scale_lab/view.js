import { h } from "../_shared/dom.js";
import { format, short } from "../_shared/numbers.js";
import { lab } from "../_shared/lab.js";
import { choice, slider, summary } from "../_shared/controls.js";
import { matrix, stage } from "../_shared/matrix.js";
import { draw, place } from "../_shared/svg.js";
import { BINS, derive, expected, validate, WIDEST } from "./math.js";

const WIDTH = 480;
const HEIGHT = 190;
const FLOOR = 160;

export default lab({
  name: "ScaleLab",
  title: "How widely do dot products spread?",
  tip: "move d_k up with no divisor and watch one weight take the whole row. Then divide by √dₖ.",
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
  return `Over ${traits.draws} draws the scores have mean ${format(mean, 2)} (derived: ${format(m, 2)}) and variance ` +
    `${format(variance, 2)} (derived: ${format(sd * sd, 2)}). The largest weight of the row is ${format(largest)}; ` +
    `raising its score by a little moves it by ${format(sensitivity)} per unit.`;
}

function powersOfTwo() {
  return Array.from({ length: 11 }, (_, p) => 2 ** p);
}

function histogram(ctx) {
  const bars = Array.from({ length: BINS }, (_, b) => draw("rect", { class: "qkv-bar", x: (b * WIDTH) / BINS + 1, width: WIDTH / BINS - 2 }));
  const ticks = [0, 6, 12, 18, 24].map((edge) => ({
    edge, text: draw("text", { class: "qkv-plane-tick", y: FLOOR + 18, x: Math.min(WIDTH - 4, Math.max(4, (edge * WIDTH) / BINS)), "text-anchor": edge === 0 ? "start" : edge === BINS ? "end" : "middle" }),
  }));
  const svg = draw("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "qkv-histogram", role: "img",
    "aria-label": "Histogram of the scores, from four standard deviations below the derived mean to four above; mean and variance stand in the line below",
  }, draw("path", { class: "qkv-plane-axes", d: `M0 ${FLOOR}H${WIDTH}` }), ...bars, ...ticks.map(({ text }) => text));
  ctx.onUpdate(({ counts, edges }, { draws }) => {
    counts.forEach((count, b) => {
      const tall = Math.min(FLOOR - 8, (count / draws) * 900);
      place(bars[b], { y: FLOOR - tall, height: tall });
    });
    for (const { edge, text } of ticks) text.textContent = short(Number(edges[edge].toPrecision(3)));
  });
  return svg;
}
