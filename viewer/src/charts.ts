// Charts of what was computed, with a mark at the time of the animation. A click goes there; a drag looks closer.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { choice } from "./controls";
import { unpack, type Chart, type PageData } from "./data";
import { element } from "./element";
import { spoken, withUnit } from "./names";
import { ticks, written } from "./numbers";
import { nth } from "./palette";
import type { Player } from "./player";
import { csv, fileName, save, wordButton } from "./save";
import { asElement, svg } from "./vector";

const height = 196;
const reading = 125; // milliseconds for which numbers stay while it moves: nobody reads faster

function seriesOf(chart: Chart): uPlot.Series[] {
  return chart.series.map((series, i) => ({
    label: spoken(series.name),
    stroke: nth(i),
    width: 1.6,
    points: { show: false },
    spanGaps: chart.log,
    value: (_: uPlot, value: number | null) => (value === null ? "" : written(value, 4)),
  }));
}

function columnsOf(chart: Chart): (number | null)[][] {
  return chart.series.map(({ values }) => {
    const column = Array.from<number>(unpack(values));
    return chart.log ? column.map((v) => (v > 0 ? v : null)) : column;
  });
}

// A constant gets room around it, whatever its size.
function range(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const spread = high - low;
  const margin = spread > 1e-6 * size ? 0.08 * spread : size > 0 ? 0.1 * size : 1;
  return [low - margin, high + margin];
}

// Ticks of a logarithmic axis: powers of ten, some six of them.
const decades: uPlot.Axis = {
  splits: (_, __, low, high) => {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first) / 5));
    const powers: number[] = [];
    for (let power = first; power <= last; power += step) powers.push(Math.pow(10, power));
    return powers;
  },
  filter: (_, splits) => splits,
  values: (_, splits) => splits.map((value) => written(value, 1)),
};

export class LinkedChart {
  readonly figure = element("figure", { class: "chart" });
  private readonly holder = element("div", { class: "plot" });
  private readonly mark = element("div", { class: "now" });
  private readonly whole = wordButton("whole run", "show the whole run", () => this.showAll());
  private plot: uPlot | null = null;
  private read = -Infinity; // when numbers were written last

  // With a list of several, the reader chooses.
  constructor(
    private list: Chart[],
    private page: PageData,
    private readonly player: Player,
    heading = "",
    note = "",
    private chart: Chart = list[0]!,
  ) {
    const title = element("span", {}, heading || spoken(this.chart.title));
    const names = list.map(({ title }) => spoken(title));
    const chosen = heading ? choice(heading, names, 0, (i) => this.choose(this.list[i]!)) : "";
    const buttons = element("span", { class: "saves" }, this.whole, this.saveButton("SVG"), this.saveButton("CSV"));
    this.figure.append(element("figcaption", {}, title, chosen, buttons), this.holder);
    if (note) this.figure.append(element("p", { class: "keys" }, note));
  }

  // Other numbers of the same kind.
  load(list: Chart[], page: PageData): void {
    const chosen = Math.max(0, this.list.indexOf(this.chart));
    const before = this.chart.series.length;
    Object.assign(this, { list, page, chart: list[chosen] ?? list[0]! });
    if (!this.plot || before !== this.chart.series.length) return this.redraw();
    this.plot.setData([this.player.times as unknown as number[], ...columnsOf(this.chart)] as uPlot.AlignedData);
    this.whole.hidden = true;
    this.show();
  }

  choose(chart: Chart): void {
    this.chart = chart;
    this.redraw();
  }

  redraw(): void {
    this.plot?.destroy();
    this.plot = this.draw();
    this.whole.hidden = true;
    this.mark.hidden = false;
    this.show();
  }

  remove(): void {
    this.plot?.destroy();
    this.plot = null;
    this.figure.remove();
  }

  resize(): void {
    const width = this.holder.clientWidth;
    if (width > 0) this.plot?.setSize({ width, height });
    this.show();
  }

  show(): void {
    if (!this.plot) return;
    const { t, frame } = this.player.moment;
    const left = this.plot.valToPos(t, "x");
    const visible = left >= 0 && left <= this.plot.bbox.width / devicePixelRatio;
    this.mark.style.transform = `translateX(${left}px)`;
    this.mark.style.visibility = visible ? "visible" : "hidden";
    if ((this.plot.cursor.left ?? -1) >= 0 || (this.player.playing && performance.now() - this.read < reading)) return;
    this.read = performance.now();
    this.plot.setLegend({ idx: frame }, false);
  }

  // As it is seen, with the limits of the moment.
  svg(): string {
    const { chart, page, player } = this;
    const { x, y } = this.plot!.scales;
    const times = player.times;
    return svg({
      title: spoken(chart.title),
      ...this.labels(),
      log: chart.log,
      x: [x!.min ?? times[0]!, x!.max ?? times.at(-1)!],
      y: [y!.min ?? 0, y!.max ?? 1],
      times,
      series: columnsOf(chart).map((values, i) => ({ name: spoken(chart.series[i]!.name), values })),
      ...(page.title ? { title: `${page.title}: ${spoken(chart.title)}` } : {}),
    });
  }

  csv(): string {
    const columns = this.chart.series.map(({ name, values }) => ({ name, values: unpack(values) }));
    return csv([{ name: "t", values: this.player.times }, ...columns]);
  }

  // A drawing for paper, beside what is seen on the screen.
  print(): void {
    const drawing = asElement(this.svg());
    drawing.classList.add("printed");
    this.figure.append(drawing);
  }

  private labels(): { xLabel: string; yLabel: string } {
    const { axis, title, unit } = this.chart;
    return { xLabel: withUnit("t", this.page.time_unit), yLabel: withUnit(spoken(axis || title), unit) };
  }

  private saveButton(kind: "SVG" | "CSV"): HTMLButtonElement {
    const button = wordButton(kind, "", () => {
      const name = fileName(kind.toLowerCase(), this.page.title, this.chart.title);
      if (kind === "SVG") save(name, this.svg(), "image/svg+xml");
      else save(name, this.csv(), "text/csv");
    });
    const label = `save ${this.list.length > 1 ? "this chart" : spoken(this.chart.title)} as ${kind}`;
    button.title = label;
    button.setAttribute("aria-label", label);
    return button;
  }

  private showAll(): void {
    const times = this.player.times;
    this.plot?.setScale("x", { min: times[0]!, max: times.at(-1)! });
  }

  private onZoom(plot: uPlot): void {
    const times = this.player.times;
    const { min, max } = plot.scales["x"]!;
    this.whole.hidden = (min ?? times[0]!) <= times[0]! && (max ?? times.at(-1)!) >= times.at(-1)!;
    this.show();
  }

  private draw(): uPlot {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--faint").trim();
    const rule = style.getPropertyValue("--rule").trim();
    const { xLabel, yLabel } = this.labels();
    this.holder.setAttribute("role", "img");
    this.holder.setAttribute("aria-label", `${spoken(this.chart.title)} over time`);
    const axis: uPlot.Axis = {
      stroke: ink,
      font: "12px system-ui, sans-serif",
      labelFont: "12px system-ui, sans-serif",
      labelSize: 18,
      labelGap: 2,
      grid: { stroke: rule, width: 1 },
      ticks: { show: false },
      values: (_, values) => ticks(values),
    };
    const unit = this.page.time_unit;
    const plot = new uPlot(
      {
        width: Math.max(this.holder.clientWidth, 100),
        height,
        scales: { x: { time: false }, y: this.chart.log ? { distr: 3 } : { range } },
        axes: [
          { ...axis, size: 24, gap: 4, space: 60, label: xLabel },
          { ...axis, size: 58, gap: 6, space: 28, label: yLabel, ...(this.chart.log ? decades : {}) },
        ],
        series: [
          { label: "t", value: (_, v: number | null) => (v === null ? "" : `${written(v, 5)} ${unit}`) },
          ...seriesOf(this.chart),
        ],
        cursor: { sync: { key: "hamel" }, points: { size: 6 }, drag: { x: true, y: false } },
        legend: { live: true },
        hooks: { setScale: [(plot, key) => (key === "x" && this.plot === plot ? this.onZoom(plot) : undefined)] },
      },
      [this.player.times as unknown as number[], ...columnsOf(this.chart)] as uPlot.AlignedData,
      this.holder,
    );
    plot.over.append(this.mark);
    this.seekOnClick(plot);
    return plot;
  }

  private seekOnClick(plot: uPlot): void {
    let pressed = 0;
    plot.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    plot.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - pressed) > 3) return;
      this.player.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
    });
  }
}

// All charts of the page: the coordinates first, of which the reader chooses one.
export function chartsOf(page: PageData, player: Player): LinkedChart[] {
  const { coordinates, coordinates_note: note } = page;
  const first = coordinates.length > 0 ? [new LinkedChart(coordinates, page, player, "Coordinates", note)] : [];
  return [...first, ...page.charts.map((chart) => new LinkedChart([chart], page, player))];
}

export function addCharts(column: HTMLElement, charts: LinkedChart[], player: Player, signal?: AbortSignal): void {
  for (const chart of charts) {
    column.append(chart.figure);
    chart.redraw();
  }
  player.onChange(() => charts.forEach((chart) => chart.show()), signal);
  const sizes = new ResizeObserver(() => charts.forEach((chart) => chart.resize()));
  sizes.observe(column);
  signal?.addEventListener("abort", () => {
    sizes.disconnect();
    charts.forEach((chart) => chart.remove());
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach((chart) => chart.redraw()), { signal });
}
