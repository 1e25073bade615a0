// Eigenvalues in the complex plane: crosses without feedback, circles with it; rays of equal damping on the left.
import type { PlaneMark } from "./data";
import { written } from "./numbers";

const width = 380;
const height = 340;
const margin = { left: 24, right: 30, top: 14, bottom: 30 };
const wideRange = 30; // beyond it, what is near zero would be seen as one point

type Point = { x: number; y: number };

function shape(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}

// Both axes have one scale, so that angles are angles; where sizes differ widely it is stretched near zero.
class Axes {
  readonly stretched: boolean;
  readonly reach: { left: number; right: number; top: number }; // of eigenvalues, mapped
  private readonly unit: number;
  private readonly pixels: number;
  private readonly origin: Point;

  constructor(marks: PlaneMark[]) {
    const sizes = marks.map(({ re, im }) => Math.hypot(re, im)).filter((size) => size > 0);
    const largest = Math.max(...sizes, 1e-300);
    const smallest = Math.min(...sizes, largest);
    this.stretched = largest > wideRange * smallest;
    this.unit = sizes.length === 0 ? 1 : this.stretched ? smallest : largest;
    const mapped = (value: number) => this.map(value);
    const least = 0.35 * mapped(sizes.length === 0 ? 1 : largest);
    const left = Math.max(least, ...marks.map(({ re }) => mapped(-re)));
    const right = Math.max(least, ...marks.map(({ re }) => mapped(re)));
    const top = Math.max(least, ...marks.map(({ im }) => mapped(im)));
    this.reach = { left, right, top };
    const room = { x: width - margin.left - margin.right, y: height - margin.top - margin.bottom };
    this.pixels = Math.min(room.x / (1.14 * (left + right)), room.y / (2.28 * top));
    this.origin = {
      x: margin.left + room.x / 2 + ((left - right) / 2) * this.pixels,
      y: margin.top + room.y / 2,
    };
  }

  map(value: number): number {
    return this.stretched ? Math.asinh(value / this.unit) : value / this.unit;
  }

  at(re: number, im: number): Point {
    return { x: this.origin.x + this.pixels * this.map(re), y: this.origin.y - this.pixels * this.map(im) };
  }

  // Numbers to be written at an axis that goes so far, as many as there is room for.
  ticks(end: number): number[] {
    const far = this.stretched ? this.unit * Math.sinh(end) : this.unit * end;
    const chosen: number[] = [];
    if (this.stretched) {
      for (let power = Math.floor(Math.log10(far)); chosen.length < 4; --power) {
        const value = Math.pow(10, power);
        const neighbour = chosen.length > 0 ? this.map(chosen[chosen.length - 1]!) : Infinity;
        if (this.map(value) * this.pixels < 26) break;
        if ((neighbour - this.map(value)) * this.pixels > 30) chosen.push(value);
      }
      return chosen;
    }
    const step = niceStep(Math.max(far / 3, (34 / this.pixels) * this.unit));
    for (let value = step; value <= far * 1.05; value += step) chosen.push(value);
    return chosen;
  }
}

function niceStep(size: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(size)));
  const digit = size / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

function frame(axes: Axes, svg: SVGElement): void {
  const zero = axes.at(0, 0);
  svg.append(
    shape("rect", { class: "unstable", x: zero.x, y: 0, width: Math.max(0, width - zero.x), height: height - 18 }),
    shape("line", { class: "axis", x1: 0, y1: zero.y, x2: width, y2: zero.y }),
    shape("line", { class: "axis", x1: zero.x, y1: 0, x2: zero.x, y2: height - 18 }),
    shape("text", { class: "name", x: width - 4, y: zero.y - 6, "text-anchor": "end" }, "Re"),
    shape("text", { class: "name", x: zero.x + 6, y: 11 }, "Im"),
    shape("text", { class: "side", x: Math.max(4, zero.x / 2), y: height - 4, "text-anchor": "middle" }, "decays"),
    shape("text", { class: "side", x: (zero.x + width) / 2, y: height - 4, "text-anchor": "middle" }, "grows"),
  );
  const mark = (value: number, vertical: boolean) => {
    const { x, y } = vertical ? axes.at(0, value) : axes.at(value, 0);
    const at = vertical ? { x: x - 5, y: y + 4, "text-anchor": "end" } : { x, y: y + 15, "text-anchor": "middle" };
    svg.append(
      shape("line", vertical ? { class: "axis", x1: x - 3, x2: x + 3, y1: y, y2: y } : { class: "axis", x1: x, x2: x, y1: y - 3, y2: y + 3 }),
      shape("text", { class: "tick", ...at }, written(value, 3)),
    );
  };
  for (const value of axes.ticks(axes.reach.top)) [value, -value].forEach((each) => mark(each, true));
  for (const value of axes.ticks(axes.reach.right)) mark(value, false);
  for (const value of axes.ticks(axes.reach.left)) mark(-value, false);
}

// Where eigenvalues have a damping ratio of 0.2, 0.4, 0.6, 0.8.
function dampingLines(axes: Axes, svg: SVGElement, farthest: number): void {
  let labelled = Infinity;
  for (const ratio of [0.2, 0.4, 0.6, 0.8])
    for (const side of [1, -1]) {
      const points: string[] = [];
      let last: Point = { x: 0, y: 0 };
      for (let k = 0; k <= 40; ++k) {
        const size = farthest * Math.pow(k / 40, axes.stretched ? 4 : 1);
        const { x, y } = axes.at(-size * ratio, side * size * Math.sqrt(1 - ratio * ratio));
        if (x < 12 || y < 12 || y > height - 30) break;
        last = { x, y };
        points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
      }
      svg.append(shape("polyline", { class: "damping", points: points.join(" ") }));
      if (side < 0 || labelled - last.x < 20) continue;
      labelled = last.x;
      svg.append(shape("text", { class: "ratio", x: last.x, y: last.y - 3, "text-anchor": "middle" }, String(ratio)));
    }
}

function described(mark: PlaneMark, kind: string): string {
  const { re, im, count, block, cause } = mark;
  const parts = [`${kind}${written(re, 5)}${im === 0 ? "" : ` ${im < 0 ? "−" : "+"} ${written(Math.abs(im), 5)} i`}`];
  if (count > 1) parts.push(`${count} times`);
  if (block > 1) parts.push(`in blocks of size ${block}`);
  if (cause) parts.push(`by ${cause}`);
  return parts.join(", ");
}

function symbol({ x, y }: Point, closed: boolean): SVGElement {
  if (closed) return shape("circle", { class: "symbol", cx: x, cy: y, r: 5 });
  return shape("path", { class: "symbol", d: `M${x - 4.5} ${y - 4.5}l9 9m0 -9l-9 9` });
}

export interface Plane {
  svg: SVGElement;
  stretched: boolean;
  choose(mode: number): void;
}

export function plane(open: PlaneMark[], closed: PlaneMark[], choose: (mode: number) => void): Plane {
  const all = [...open, ...closed];
  const axes = new Axes(all);
  const svg = shape("svg", { class: "plane", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "eigenvalues in the complex plane" });
  frame(axes, svg);
  dampingLines(axes, svg, 3 * Math.max(...all.map(({ re, im }) => Math.hypot(re, im)), 1e-300));
  const labels: Point[] = []; // those that would cover one another are left to the titles
  const groups: { mode: number; group: SVGElement }[] = [];
  const add = (mark: PlaneMark, isClosed: boolean) => {
    const at = axes.at(mark.re, mark.im);
    const kind = isClosed ? "closed" : mark.cause ? "open zero" : "open";
    const group = shape("g", { class: `eigenvalue ${kind}`, "data-mode": mark.mode });
    group.append(shape("title", {}, described(mark, isClosed ? "with feedback: " : "")));
    group.append(shape("circle", { class: "halo", cx: at.x, cy: at.y, r: 11 }), symbol(at, isClosed));
    const label = { x: at.x + 8, y: isClosed ? at.y + 15 : at.y - 6 };
    if (mark.count > 1 && labels.every(({ x, y }) => Math.abs(x - label.x) > 22 || Math.abs(y - label.y) > 12)) {
      labels.push(label);
      group.append(shape("text", { class: "count", ...label }, `×${mark.count}`));
    }
    if (mark.mode >= 0) group.addEventListener("click", () => choose(mark.mode));
    groups.push({ mode: mark.mode, group });
    svg.append(group);
  };
  for (const mark of open) add(mark, false);
  for (const mark of closed) add(mark, true);
  return {
    svg,
    stretched: axes.stretched,
    choose: (mode) => groups.forEach((each) => each.group.classList.toggle("chosen", mode >= 0 && each.mode === mode)),
  };
}
