// Charts of what was computed, with a mark at the time of the animation. A click goes there; a drag looks closer.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { unpack, type Chart } from "./data";
import { element } from "./element";
import { ticks, written } from "./numbers";
import { nth } from "./palette";
import type { Player } from "./player";

const height = 168;

function seriesOf(chart: Chart): uPlot.Series[] {
  return chart.series.map((series, i) => ({
    label: series.name,
    stroke: nth(i),
    width: 1.6,
    points: { show: false },
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

class LinkedChart {
  private plot: uPlot;
  private readonly mark = element("div", { class: "now" });

  constructor(
    private readonly chart: Chart,
    private readonly times: Float64Array,
    private readonly holder: HTMLElement,
    private readonly unit: string,
    private readonly player: Player,
  ) {
    this.plot = this.draw();
  }

  redraw(): void {
    this.plot.destroy();
    this.plot = this.draw();
    this.show(this.player.moment.t, this.player.moment.frame);
  }

  resize(): void {
    const width = this.holder.clientWidth;
    if (width > 0) this.plot.setSize({ width, height });
    this.show(this.player.moment.t, this.player.moment.frame);
  }

  show(t: number, frame: number): void {
    const left = this.plot.valToPos(t, "x");
    const visible = left >= 0 && left <= this.plot.over.clientWidth;
    this.mark.style.transform = `translateX(${left}px)`;
    this.mark.style.visibility = visible ? "visible" : "hidden";
    if ((this.plot.cursor.left ?? -1) < 0) this.plot.setLegend({ idx: frame }, false);
  }

  private draw(): uPlot {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--faint").trim();
    const rule = style.getPropertyValue("--rule").trim();
    const axis: uPlot.Axis = {
      stroke: ink,
      font: "12px system-ui, sans-serif",
      grid: { stroke: rule, width: 1 },
      ticks: { show: false },
      values: (_, values) => ticks(values),
    };
    const plot = new uPlot(
      {
        width: Math.max(this.holder.clientWidth, 100),
        height,
        scales: { x: { time: false }, y: this.chart.log ? { distr: 3 } : { range } },
        axes: [
          { ...axis, size: 26, gap: 4, space: 60 },
          { ...axis, size: 64, gap: 6, space: 28, ...(this.chart.log ? decades : {}) },
        ],
        series: [
          { label: "t", value: (_, v: number | null) => (v === null ? "" : `${written(v, 5)} ${this.unit}`) },
          ...seriesOf(this.chart),
        ],
        cursor: { sync: { key: "hamel" }, points: { size: 6 }, drag: { x: true, y: false } },
        legend: { live: true },
      },
      [this.times as unknown as number[], ...columnsOf(this.chart)] as uPlot.AlignedData,
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

export function addCharts(column: HTMLElement, list: Chart[], timeUnit: string, player: Player): void {
  const charts = list.map((chart) => {
    const holder = element("div", { class: "plot" });
    const unit = chart.unit ? element("span", { class: "unit" }, `(${chart.unit})`) : "";
    column.append(element("figure", { class: "chart" }, element("figcaption", {}, chart.title, " ", unit), holder));
    return new LinkedChart(chart, player.times, holder, timeUnit, player);
  });
  player.onChange((moment) => charts.forEach((chart) => chart.show(moment.t, moment.frame)));
  new ResizeObserver(() => charts.forEach((chart) => chart.resize())).observe(column);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
    charts.forEach((chart) => chart.redraw()),
  );
}
