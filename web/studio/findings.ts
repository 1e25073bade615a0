// What is found in a motion, beside the picture: charts, what was conserved, modes.
import { addCharts, chartsOf, type LinkedChart } from "../../viewer/src/charts";
import type { PageData } from "../../viewer/src/data";
import { element } from "../../viewer/src/element";
import { Modes } from "../../viewer/src/modes";
import { conserved } from "../../viewer/src/prose";
import type { Motion } from "./motion";

export class Findings {
  readonly charts = element("div", { class: "charts wide" });
  readonly kept = element("div", { class: "kept-list" });
  readonly modes = element("div", { class: "modes" });
  private linked: LinkedChart[] = [];

  constructor(private readonly motion: Motion) {}

  show(page: PageData, again: boolean): void {
    if (page.conserved.length > 0) this.kept.replaceChildren(conserved(page));
    else this.kept.replaceChildren(element("p", { class: "quiet" }, "There is nothing here that should stay as it is."));
    if (again) this.loadCharts(page);
    else this.addCharts(page);
    this.modes.replaceChildren();
    if (page.modes) this.addModes(page);
  }

  private addCharts(page: PageData): void {
    this.linked = page.modes ? [] : chartsOf(page, this.motion.player);
    this.charts.replaceChildren();
    addCharts(this.charts, this.linked, this.motion.player, this.motion.signal);
  }

  private loadCharts(page: PageData): void {
    const lists = [...(page.coordinates.length > 0 ? [page.coordinates] : []), ...page.charts.map((chart) => [chart])];
    this.linked.forEach((chart, i) => chart.load(lists[i]!, page));
  }

  // Equilibria: which one, which mode, its eigenvalues.
  private addModes(page: PageData): void {
    const modes = new Modes(page, this.motion.player);
    this.modes.append(modes.bar, modes.said, modes.figure, modes.tables);
  }
}
