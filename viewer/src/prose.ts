// The words and tables of the page.
import katex from "katex";
import "katex/dist/katex.min.css";
import type { Conserved, Equation, Fact, PageData, Picture, Table } from "./data";
import { element, section } from "./element";
import { spoken } from "./names";
import { written } from "./numbers";

// Text with formulas between dollars.
function mathematical(text: string): (Node | string)[] {
  return text.split(/\$([^$]+)\$/).map((part, i) => {
    if (i % 2 === 0) return spoken(part);
    const holder = element("span");
    katex.render(part, holder, { throwOnError: false, strict: "ignore" });
    return holder;
  });
}

export function header(page: PageData): HTMLElement {
  const made = element("header", {}, element("h1", {}, page.title));
  if (page.warning) made.append(element("p", { class: "warning", role: "alert" }, page.warning));
  for (const paragraph of page.description.split(/\n\s*\n/))
    if (paragraph.trim()) made.append(element("p", { class: "lead" }, paragraph.trim()));
  return made;
}

export function facts(title: string, list: Fact[]): HTMLElement {
  const rows = list.flatMap(({ name, value }) => [element("dt", {}, name), element("dd", {}, ...mathematical(value))]);
  return section(title, element("dl", { class: "facts" }, ...rows));
}

export function textTable({ title, columns, rows }: Table): HTMLElement {
  const head = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)));
  const body = rows.map((cells) =>
    element("tr", {}, ...cells.map((text, i) => (i === 0 ? element("th", { scope: "row" }, text) : element("td", { class: "value" }, text)))),
  );
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  return section(title, element("div", { class: "scroll" }, table));
}

// Drawn elsewhere: an image cannot run anything.
export function picture({ title, caption, svg }: Picture): HTMLElement {
  const image = element("img", { src: `data:image/svg+xml;base64,${svg}`, alt: title });
  const made = section(title, element("figure", { class: "picture" }, image));
  if (caption) made.append(element("p", { class: "keys" }, caption));
  return made;
}

const marks = { "to rounding": "●", bounded: "◐", drifting: "○", lost: "✕" };

function keptText({ kept, slope }: Conserved, timeUnit: string): string {
  return `${marks[kept]} ${kept}${kept === "drifting" ? `, ${written(slope, 2)} per ${timeUnit || "unit of time"}` : ""}`;
}

function conservedRow(item: Conserved, timeUnit: string): HTMLTableRowElement {
  const kept = element("span", { class: "kept" }, keptText(item, timeUnit));
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, ...mathematical(item.name)),
    element("td", { class: "number" }, written(item.initial, 6)),
    element("td", { class: "number" }, item.max_error === 0 ? "none" : written(item.max_error, 2)),
    element("td", { class: "number digits" }, item.max_error === 0 ? "all" : String(item.digits)),
    element("td", {}, kept),
  );
}

export function conserved({ conserved: list, time_unit: timeUnit }: PageData): HTMLElement {
  const titles = ["quantity", "at the start", "largest error", "digits", "kept"];
  const head = element("tr", {}, ...titles.map((title) => element("th", { scope: "col", class: title }, title)));
  const table = element(
    "table",
    {},
    element("thead", {}, head),
    element("tbody", {}, ...list.map((item) => conservedRow(item, timeUnit))),
  );
  return section("What was conserved", element("div", { class: "scroll" }, table));
}

export function equations(list: Equation[]): HTMLElement {
  const made = section("Equations");
  for (const { title, latex, note } of list) {
    made.append(element("h3", {}, ...mathematical(title)));
    for (const line of latex) {
      const holder = element("div", { class: "equation" });
      // Not in display mode, in which KaTeX does not break lines.
      katex.render(`\\displaystyle ${line}`, holder, { throwOnError: false, strict: "ignore" });
      made.append(holder);
    }
    if (note) made.append(element("p", { class: "keys" }, note));
  }
  return made;
}

// Section heads, comments and strings of TOML, in their own colours.
function highlighted(text: string): Node[] {
  const parts: Node[] = [];
  const pattern = /(#.*)|^(\s*\[[^\]]*\])|("(?:[^"\\]|\\.)*")/gm;
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(document.createTextNode(text.slice(done, match.index)));
    const kind = match[1] !== undefined ? "comment" : match[2] !== undefined ? "head" : "string";
    parts.push(element("span", { class: kind }, match[0]));
    done = match.index + match[0].length;
  }
  parts.push(document.createTextNode(text.slice(done)));
  return parts;
}

export function modelText(text: string): HTMLElement {
  const code = element("pre", {}, element("code", {}, ...highlighted(text)));
  return element("details", { class: "model" }, element("summary", {}, "The model file"), code);
}

export function footer(page: PageData): HTMLElement {
  const note = page.note ? `${page.note} ` : "";
  return element("footer", {}, `${note}Computed with hamel ${page.version}.`);
}
