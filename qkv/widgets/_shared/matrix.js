import { h, freshId, prose, setText } from "./dom.js";
import { format, shape, short } from "./numbers.js";
import { numberCell } from "./controls.js";
import { heatCanvas } from "./heat.js";

const ALL_AS_TEXT = 8; // up to 8 × 8 every number is text; beyond it, heat and the chosen row
const CELL_SIZES = [4, 6, 8, 11, 16]; // widths in characters: steps, so that a width seldom changes

// A matrix on screen, editable or computed.
//   name, note  caption: the letter in bold and what it is
//   role        "q", "k", "v" or nothing: the colour of its edge
//   value       (results, traits) → matrix
//   edit        the trait its cells write to (then value may be left out)
//   explain     (i, j, results, traits) → the sum that made the number; cells become buttons
//   heat        "weight" (0 … 1) or "value" (smallest … largest) shades the cells
//   reader      the trait with the marked row, for matrices whose rows are readers
//   digits      decimals of computed numbers
export function matrix(ctx, spec) {
  const { name, note, role, edit, explain, heat, reader, digits = 4 } = spec;
  const value = spec.value ?? ((_, traits) => traits[edit]);
  const id = freshId("matrix");
  const caption = h("p", { class: "qkv-caption", id }, h("b", {}, ...prose(name)), " ", ...prose(note ?? ""), " ", h("span", { class: "qkv-shape", translate: "no" }));
  const head = h("tr");
  const body = h("tbody");
  const edge = role ? ` qkv-${role}` : "";
  const table = h("table", { class: `qkv-matrix${edge}`, "aria-labelledby": id, translate: "no" }, h("thead", {}, head), body);
  const scroll = h("div", { class: "qkv-scroll" }, table);
  const box = h("div", { class: "qkv-matrix-box" }, caption, scroll);
  let built = "";
  let cells = [];
  let headers = [];
  let canvas = null;

  function build(rows, columns, textRows) {
    cells = [];
    headers = [];
    setText(caption.lastChild, shape({ length: rows, 0: { length: columns } }));
    head.replaceChildren(h("td"), ...Array.from({ length: columns }, (_, j) => h("th", { scope: "col" }, String(j + 1))));
    body.replaceChildren(...Array.from({ length: textRows }, (_, r) => {
      const header = h("th", { scope: "row" }, String(r + 1));
      const row = Array.from({ length: columns }, (_, j) => makeCell(r, j));
      headers.push(header);
      cells.push(row);
      return h("tr", {}, header, ...row.map((cell) => cell.td));
    }));
    if (explain && cells[0]) cells[0][0].target.tabIndex = 0;
    canvas?.element.remove();
    canvas = null;
    const large = textRows < rows || columns > ALL_AS_TEXT;
    if (large) {
      canvas = heatCanvas(rows, columns, reader && ((i) => ctx.set({ [reader]: i })));
      caption.after(canvas.element);
    }
    scroll.tabIndex = large ? 0 : -1;
    if (large) {
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", `${name}, numbers`);
    }
  }

  function makeCell(r, j) {
    const at = () => (cells.length === 1 && shownRow !== null ? shownRow : r);
    if (edit) {
      const cell = numberCell(ctx, {
        label: () => `${name}, row ${at() + 1}, column ${j + 1}`,
        get: (traits) => traits[edit][at()][j],
        put: (x, traits) => ({ [edit]: traits[edit].map((row, i) => (i === at() ? row.with(j, x) : row)) }),
      });
      return { td: h("td", {}, cell.input), target: cell.input, show: cell.show };
    }
    const target = explain ? h("button", { type: "button", tabindex: -1, class: "qkv-number" }) : h("span", { class: "qkv-number" });
    if (explain) {
      target.addEventListener("click", () => {
        choose(target);
        ctx.explain((results, traits) => explain(at(), j, results, traits));
      });
      target.addEventListener("keydown", (event) => move(event, r, j));
    }
    return { td: h("td", {}, target), target };
  }

  // Arrow keys walk through the numbers; only one of them is a tab stop.
  function move(event, r, j) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const next = step && cells[r + step[0]]?.[j + step[1]]?.target;
    if (!next) return;
    event.preventDefault();
    table.querySelector("button[tabindex='0']")?.setAttribute("tabindex", -1);
    next.tabIndex = 0;
    next.focus();
  }

  function choose(target) {
    ctx.root.querySelector(".qkv-chosen")?.classList.remove("qkv-chosen");
    target.classList.add("qkv-chosen");
    table.querySelector("button[tabindex='0']")?.setAttribute("tabindex", -1);
    target.tabIndex = 0;
  }

  let width = 0;
  function fitCells(longest) {
    const wanted = CELL_SIZES.find((size) => longest <= size) ?? longest;
    if (wanted <= width) return; // grows, never shrinks: numbers in a drag stay in place
    width = wanted;
    table.style.setProperty("--cell", `${0.5 * wanted + 0.75}rem`);
  }

  let shownRow = null;
  ctx.onUpdate((results, traits) => {
    const M = value(results, traits);
    const rows = M.length;
    const columns = M[0].length;
    const marked = reader ? traits[reader] : null;
    const few = rows <= ALL_AS_TEXT && columns <= ALL_AS_TEXT;
    const textRows = few || marked === null ? Math.min(rows, ALL_AS_TEXT) : 1;
    shownRow = textRows === 1 && rows > 1 ? marked : null;
    const wanted = `${rows}/${columns}/${textRows}`;
    if (built !== wanted) build(rows, columns, textRows);
    built = wanted;
    const decimals = M.every((row) => row.every(isWhole)) ? 0 : digits;
    let longest = 0;
    for (let r = 0; r < textRows; r++) {
      const i = shownRow ?? r;
      setText(headers[r], String(i + 1));
      headers[r].parentNode.classList.toggle("qkv-reader", i === marked);
      for (let j = 0; j < columns; j++) {
        const cell = cells[r][j];
        if (cell.show) {
          cell.show(traits);
          longest = Math.max(longest, short(M[i][j]).length);
        } else {
          const text = format(M[i][j], decimals);
          longest = Math.max(longest, text.length);
          setText(cell.target, text);
        }
        if (heat && few) cell.td.style.setProperty("--heat", shade(M, M[i][j], heat));
      }
    }
    fitCells(longest);
    canvas?.draw(M, heat === "weight" ? 0 : null, marked);
  });
  return box;
}

function isWhole(x) {
  return x === -Infinity || Number.isInteger(x);
}

function shade(M, x, heat) {
  if (x === -Infinity) return 0;
  if (heat === "weight") return Math.min(1, Math.max(0, x)); // a raw mix may leave 0 … 1
  const finite = M.flat().filter(Number.isFinite);
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  return high > low ? (x - low) / (high - low) : 0;
}

// Matrices side by side with a heading: one step of a computation.
export function stage(title, ...parts) {
  const id = freshId("stage");
  return h("div", { class: "qkv-stage", role: "group", "aria-labelledby": id },
    h("p", { class: "qkv-stage-title", id }, ...prose(title)),
    h("div", { class: "qkv-row" }, ...parts));
}

// "0.2483·2 + 0.2483·0 + 0.5035·2": the products of a sum, in the order of the indices.
export function products(a, b, form = format) {
  return a.map((x, r) => `${form(x)}·${wrapNegative(form(b[r]))}`).join(" + ");
}

function wrapNegative(text) {
  return text.startsWith("−") ? `(${text})` : text;
}

