// Two methods side by side on the same system: how the error of the energy grows, or does not.
import { LinkedChart } from "../../viewer/src/charts";
import { unpack, type Chart, type Packed, type PageData } from "../../viewer/src/data";
import { element } from "../../viewer/src/element";
import { written } from "../../viewer/src/numbers";
import type { Player } from "../../viewer/src/player";
import type { MethodInfo, RunSettings } from "../client/types";
import { fineness, methodMenu } from "./method";

// Where a method chooses its steps: few enough for its drift to be seen soon. Its field stands beside the menu.
const coarse = 1e-4;

function pack(values: number[]): Packed {
  const bytes = new Uint8Array(new Float64Array(values).buffer);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { f64: btoa(text) };
}

interface Errors {
  times: ArrayLike<number>;
  values: ArrayLike<number>;
  kept: PageData["conserved"][number] | undefined;
}

function errorsOf(page: PageData): Errors | null {
  const chart = page.charts.find(({ series }) => series.length === 1 && series[0]!.name === "E(t) - E(0)");
  if (!chart) return null;
  return { times: unpack(page.time), values: unpack(chart.series[0]!.values), kept: page.conserved[0] };
}

// At other times, on straight lines between the known ones.
function at(times: ArrayLike<number>, errors: Errors): number[] {
  let k = 0;
  return Array.from(times, (t) => {
    while (k + 2 < errors.times.length && errors.times[k + 1]! < t) ++k;
    const [a, b] = [errors.times[k]!, errors.times[k + 1] ?? errors.times[k]!];
    const s = b > a ? Math.min(1, Math.max(0, (t - a) / (b - a))) : 0;
    return Math.abs((1 - s) * errors.values[k]! + s * (errors.values[k + 1] ?? errors.values[k]!));
  });
}

export class Comparison {
  readonly panel = element("div", { class: "comparison" });
  private readonly chooser = element("div", { class: "fields" });
  private readonly result = element("div", { class: "result", "aria-live": "polite" });
  private chart: LinkedChart | null = null;

  constructor(
    private readonly player: Player,
    private readonly onChange: (second: Partial<RunSettings> | null) => void,
  ) {
    const words = "The same system, the same start, another method: what becomes of the energy? A method that is symplectic keeps it in a band for as long as you like; others lose it, slowly or quickly.";
    this.panel.append(element("p", { class: "quiet" }, words), this.chooser, this.result);
  }

  offer(methods: MethodInfo[], second: Partial<RunSettings> | undefined, first: RunSettings): void {
    const chosen = second?.integrator ?? "";
    const named = (wanted: string) => methods.find(({ name }) => name === wanted);
    const info = named(chosen);
    const choose = (integrator: string) => this.onChange(integrator ? { integrator, ...(named(integrator)?.takes_step ? {} : { tolerance: coarse }) } : null);
    const menu = methodMenu(methods, chosen, "compare with", choose, "compare with …");
    const settings = { ...first, tolerance: 0, ...second };
    this.chooser.replaceChildren(menu, ...fineness(info, settings, (change) => this.onChange({ ...second, ...change })));
    if (!second) this.clear();
  }

  clear(): void {
    this.chart?.remove();
    this.chart = null;
    this.result.replaceChildren();
  }

  show(one: { name: string; page: PageData }, two: { name: string; page: PageData }): void {
    const [a, b] = [errorsOf(one.page), errorsOf(two.page)];
    this.clear();
    if (!a || !b) {
      this.result.append(element("p", { class: "quiet" }, "This model has no energy that could be compared."));
      return;
    }
    const names = one.name === two.name ? [`${one.name}, first`, `${two.name}, second`] : [one.name, two.name];
    const chart: Chart = {
      title: "Error of the energy",
      axis: "|E(t) − E(0)|",
      unit: one.page.charts.find(({ title }) => title === "Energy")?.unit ?? "",
      log: true,
      series: [
        { name: names[0]!, values: pack(at(a.times, a)) },
        { name: names[1]!, values: pack(at(a.times, b)) },
      ],
    };
    const rows = [a, b].map(({ kept }, i) =>
      element("tr", {}, element("th", { scope: "row" }, names[i]!), element("td", { class: "number" }, kept ? written(kept.max_error, 3) : "–"), element("td", {}, kept?.kept ?? "–")),
    );
    const head = element("tr", {}, ...["method", "largest error", "energy is kept"].map((title) => element("th", { scope: "col" }, title)));
    const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
    this.chart = new LinkedChart([chart], one.page, this.player);
    this.result.append(this.chart.figure, element("div", { class: "scroll" }, table));
    this.chart.redraw();
  }

  // The chart is drawn for the width that it has.
  seen(): void {
    this.chart?.resize();
  }
}
