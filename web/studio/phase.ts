// A portrait: one quantity over another, of all that the run knows by name, with a mark at the moment.
import { element } from "../../viewer/src/element";
import { unpack } from "../../viewer/src/data";
import { withUnit } from "../../viewer/src/names";
import { ticks } from "../../viewer/src/numbers";
import type { Player } from "../../viewer/src/player";
import { csv, fileName, save, styled, wordButton } from "../../viewer/src/save";
import { momentAt } from "../../viewer/src/track";
import { niceTicks } from "../../viewer/src/vector";
import type { Column } from "../client/types";

const size = { width: 640, height: 420, left: 74, right: 14, top: 12, bottom: 46 };

interface Axis {
  column: Column;
  values: ArrayLike<number>;
  low: number;
  high: number;
}

function axisOf(column: Column): Axis {
  const values = unpack(column.values);
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const margin = high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * (high - low) : Math.abs(high) || 1;
  return { column, values, low: low - margin, high: high + margin };
}

function drawn<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>, text = ""): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

// What one looks at first: an angle and how fast it changes, or the first coordinate and its rate.
function firstChoice(names: string[]): [string, string] {
  const angle = names.find((name) => name.startsWith("angle of "));
  if (angle) return [angle, `omega.${angle.slice(9)}`];
  const x = names[1] ?? names[0]!;
  const rate = x.replace(/^([^.[]+)/, "$1'");
  return [x, names.includes(rate) ? rate : (names[2] ?? x)];
}

export class Portrait {
  readonly panel = element("div", { class: "portrait" });
  private readonly figure = element("figure", { class: "chart" });
  private readonly words = element("p", { class: "quiet" });
  private columns: Column[] = [];
  private times = new Float64Array([0]);
  private x = "";
  private y = "";
  private title = "";
  private drawing: SVGSVGElement | null = null;
  private readonly mark = drawn("circle", { r: 5, class: "mark" });
  private place: ((frame: number, part: number) => [number, number]) | null = null;

  constructor(private readonly player: Player) {
    this.panel.append(this.words, this.figure);
    player.onChange(() => this.show());
  }

  load(columns: Column[], title: string): void {
    const names = columns.map(({ name }) => name);
    this.columns = columns;
    this.times = Float64Array.from(unpack(columns[0]!.values));
    this.title = title;
    const [x, y] = firstChoice(names);
    if (!names.includes(this.x) || !names.includes(this.y)) [this.x, this.y] = [x, names.includes(y) ? y : x];
    this.draw();
  }

  refuse(why: string): void {
    this.words.textContent = why;
    this.figure.replaceChildren();
  }

  private menu(label: string, chosen: string, choose: (name: string) => void): HTMLElement {
    const select = element("select", { "aria-label": label }, ...this.columns.map(({ name }) => element("option", {}, name)));
    select.value = chosen;
    select.addEventListener("change", () => {
      choose(select.value);
      this.draw();
    });
    return element("label", {}, `${label.split(" ").at(-1)} `, select);
  }

  private draw(): void {
    const find = (name: string) => axisOf(this.columns.find((column) => column.name === name)!);
    const [x, y] = [find(this.x), find(this.y)];
    const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };
    const toX = (value: number) => size.left + ((value - x.low) / (x.high - x.low)) * inner.width;
    const toY = (value: number) => size.top + inner.height - ((value - y.low) / (y.high - y.low)) * inner.height;
    const label = `${this.y} over ${this.x}`;
    const svg = drawn("svg", { viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-label": label, "font-family": "Helvetica, Arial, sans-serif", "font-size": 12 });
    this.grid(svg, x, y, toX, toY);
    const points = Array.from({ length: Math.min(x.values.length, y.values.length) }, (_, i) => `${toX(x.values[i]!).toFixed(2)} ${toY(y.values[i]!).toFixed(2)}`);
    svg.append(drawn("path", { class: "curve", d: `M${points.join("L")}` }), this.mark);
    const at = (values: ArrayLike<number>, i: number, part: number) => (1 - part) * values[i]! + part * (values[i + 1] ?? values[i]!);
    this.place = (frame, part) => [toX(at(x.values, frame, part)), toY(at(y.values, frame, part))];
    this.drawing = svg;
    const menus = element("span", { class: "fields" }, this.menu("quantity along x", this.x, (name) => (this.x = name)), this.menu("quantity along y", this.y, (name) => (this.y = name)));
    const saves = element(
      "span",
      { class: "saves" },
      wordButton("SVG", "save the portrait as SVG", () => save(fileName("svg", this.title, label), styled(svg), "image/svg+xml")),
      wordButton("CSV", "save the portrait as CSV", () => save(fileName("csv", this.title, label), this.csv(), "text/csv")),
    );
    this.words.textContent = "";
    this.figure.replaceChildren(element("figcaption", {}, menus, saves), svg);
    this.show();
  }

  private csv(): string {
    const chosen = [...new Set(["t", this.x, this.y])].map((name) => this.columns.find((column) => column.name === name)!);
    return csv(chosen.map(({ name, values }) => ({ name, values: unpack(values) })));
  }

  private grid(svg: SVGSVGElement, x: Axis, y: Axis, toX: (v: number) => number, toY: (v: number) => number): void {
    const [right, bottom] = [size.width - size.right, size.height - size.bottom];
    const [along, up] = [niceTicks(x.low, x.high, 6), niceTicks(y.low, y.high, 5)];
    ticks(along).forEach((name, i) => {
      svg.append(drawn("path", { class: "grid", d: `M${toX(along[i]!)} ${size.top}V${bottom}` }));
      svg.append(drawn("text", { x: toX(along[i]!), y: bottom + 17, "text-anchor": "middle" }, name));
    });
    ticks(up).forEach((name, i) => {
      svg.append(drawn("path", { class: "grid", d: `M${size.left} ${toY(up[i]!)}H${right}` }));
      svg.append(drawn("text", { x: size.left - 7, y: toY(up[i]!) + 4, "text-anchor": "end" }, name));
    });
    svg.append(drawn("text", { x: (size.left + right) / 2, y: size.height - 8, "text-anchor": "middle" }, withUnit(x.column.name, x.column.unit)));
    svg.append(drawn("text", { "text-anchor": "middle", transform: `translate(14 ${(size.top + bottom) / 2}) rotate(-90)` }, withUnit(y.column.name, y.column.unit)));
  }

  private show(): void {
    if (!this.drawing || !this.place) return;
    const { frame, part } = momentAt(this.times, this.player.moment.t);
    const [x, y] = this.place(frame, part);
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    this.mark.setAttribute("cx", x.toFixed(2));
    this.mark.setAttribute("cy", y.toFixed(2));
  }
}
