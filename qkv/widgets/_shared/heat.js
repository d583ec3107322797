import { h } from "./dom.js";

// A matrix as a picture: one device pixel a number, scaled up by the style sheet, the darkest cell
// the largest. Repainting 64 × 64 costs one putImageData. The reader's row carries a mark.
export function heatCanvas(rows, columns, onRow) {
  const canvas = h("canvas", { width: columns, height: rows, "aria-hidden": "true" });
  const mark = h("span", { class: "qkv-heat-mark" });
  const element = h("div", { class: "qkv-heat", style: `--rows: ${rows}; --columns: ${columns}` }, canvas, mark);
  const brush = canvas.getContext("2d");
  const image = brush.createImageData(columns, rows);
  let drawn = null;
  let painted = { M: [], ink: null };
  if (onRow) {
    canvas.addEventListener("click", (event) => {
      onRow(Math.min(rows - 1, Math.floor((event.offsetY / canvas.clientHeight) * rows)));
    });
  }

  // `low`: the value shown as paper; null takes the smallest.
  function draw(M, low, marked) {
    drawn = [M, low, marked];
    mark.hidden = marked === null;
    mark.style.setProperty("--marked", marked ?? 0);
    const [paper, ink] = palette(element);
    if (painted.ink === ink && equal(painted.M, M)) return; // another reader, the same numbers
    painted = { M, ink };
    let least = Infinity;
    let most = -Infinity;
    for (const row of M) {
      for (const x of row) {
        if (x === -Infinity) continue;
        if (x < least) least = x;
        if (x > most) most = x;
      }
    }
    const from = low ?? least;
    const span = most - from || 1;
    let at = 0;
    for (const row of M) {
      for (const x of row) {
        const t = x === -Infinity ? 0 : (x - from) / span;
        for (let c = 0; c < 3; c++) image.data[at++] = paper[c] + t * (ink[c] - paper[c]);
        image.data[at++] = 255;
      }
    }
    brush.putImageData(image, 0, 0);
  }

  onTheme(() => {
    if (!drawn || !element.isConnected) return element.isConnected;
    colours.delete(element);
    draw(...drawn);
    return true;
  });
  return { element, draw };
}

function equal(A, B) {
  return A.length === B.length && A.every((row, i) => row.every((x, j) => x === B[i][j]));
}

const colours = new WeakMap();

// The two ends of the map, read once from the style sheet (again after a change of theme).
function palette(element) {
  if (!colours.has(element)) {
    const style = getComputedStyle(element);
    const ends = ["--qkv-heat-low", "--qkv-heat-high"].map((name) => style.getPropertyValue(name).match(/[\d.]+/g));
    if (!ends[0] || !ends[1]) return [[255, 255, 255], [90, 40, 150]];
    colours.set(element, ends.map((end) => end.map(Number)));
  }
  return colours.get(element);
}

const themed = new Set();
let watching = false;

function onTheme(redraw) {
  themed.add(redraw);
  if (watching) return;
  watching = true;
  const watcher = new MutationObserver(() => {
    for (const f of themed) if (!f()) themed.delete(f);
  });
  for (const node of [document.documentElement, document.body]) {
    watcher.observe(node, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light", "class", "theme"] });
  }
}
