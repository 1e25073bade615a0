// Equilibria, their eigenvalues and their modes: one is chosen, and the film shows it.
import type { Clip, ModesData, PageData, ShownMode, ShownPlace } from "./data";
import { choice } from "./controls";
import { element, section } from "./element";
import { withUnit } from "./names";
import { written } from "./numbers";
import { plane, type Plane } from "./plane";
import type { Player } from "./player";
import { csv, fileName, save, styled, wordButton } from "./save";

function eigenvalueText({ re, im }: ShownMode): string {
  if (im === 0) return written(re, 6);
  return re === 0 ? `±${written(im, 6)} i` : `${written(re, 6)} ± ${written(im, 6)} i`;
}

const time = (value: number, unit: string) => `${written(value, 4)} ${unit}`.trim();

// What is seen, and what it is not.
function honestly(mode: ShownMode, unit: string): string {
  const rate = Math.abs(mode.re);
  const turn = mode.im > 0 ? `period ${time((2 * Math.PI) / mode.im, unit)}` : "";
  const fold = time(1 / rate, unit);
  const courses: Record<string, string> = {
    oscillates: `${turn}; it neither grows nor decays`,
    drifts: `drifts at any speed, and has no time of its own${mode.symmetry ? `: ${mode.symmetry}` : ""}`,
    grows: `e times larger every ${fold}${turn && `, ${turn}`}; shown until it has the amplitude`,
    decays: `e times smaller every ${fold}${turn && `, ${turn}`}; shown from the amplitude on`,
  };
  const block = mode.block > 1 && mode.course !== "drifts" ? `; in a block of size ${mode.block}: others grow like t beside it` : "";
  return `${courses[mode.course] ?? mode.course}${block}. Motion of the linear equations, not of the model.`;
}

function row(cells: (string | Node)[], numbers: boolean[]): HTMLTableRowElement {
  const made = element("tr");
  cells.forEach((cell, i) => made.append(element(i === 0 ? "th" : "td", numbers[i] ? { class: "number" } : {}, cell)));
  return made;
}

function table(titles: string[], rows: HTMLTableRowElement[]): HTMLElement {
  const head = element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)));
  const made = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  return element("div", { class: "scroll" }, made);
}

function pressable(made: HTMLTableRowElement, action: () => void): HTMLTableRowElement {
  made.classList.add("choice");
  made.tabIndex = 0;
  made.addEventListener("click", action);
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    action();
  });
  return made;
}

export class Modes {
  readonly bar = element("div", { class: "controls choices" });
  readonly said = element("p", { class: "said", "aria-live": "polite" });
  readonly figure = element("figure", { class: "chart eigenvalues" });
  readonly tables = element("div", { class: "tables" });
  private readonly data: ModesData;
  private readonly unit: string;
  private readonly title: string;
  private place = 0;
  private mode = -1; // none: at rest
  private amplitude: number;
  private plane: Plane | null = null;
  private modeRows: HTMLTableRowElement[] = [];
  private placeRows: HTMLTableRowElement[] = [];

  constructor(
    page: PageData,
    private readonly player: Player,
  ) {
    this.data = page.modes!;
    this.unit = page.time_unit;
    this.title = page.title;
    this.amplitude = Math.min(1, this.data.amplitudes.length - 1);
    this.goTo(0);
  }

  private get shown(): ShownPlace {
    return this.data.places[this.place]!;
  }

  private goTo(place: number): void {
    this.place = place;
    this.drawPlane();
    this.drawTables();
    const first = this.shown.modes.findIndex(({ clips }) => clips.length > 0);
    const moving = this.shown.modes.findIndex(({ clips, course }) => clips.length > 0 && course !== "drifts");
    this.choose(moving >= 0 ? moving : first);
  }

  private choose(mode: number): void {
    this.mode = mode;
    this.drawBar();
    this.plane?.choose(mode);
    this.modeRows.forEach((each, i) => each.classList.toggle("chosen", i === mode));
    this.placeRows.forEach((each, i) => each.classList.toggle("chosen", i === this.place));
    const shown = this.shown.modes[mode];
    const clip = shown?.clips[this.amplitude] ?? shown?.clips[0];
    this.said.textContent = shown ? (clip ? honestly(shown, this.unit) : "This mode is not drawn: there are too many.") : "At rest.";
    this.play(clip ?? this.shown.rest, shown?.course === "drifts");
  }

  private play(clip: Clip, timeless: boolean): void {
    this.player.show(clip.begin, clip.end, timeless);
  }

  private drawBar(): void {
    this.bar.replaceChildren();
    if (this.data.places.length > 1)
      this.bar.append(choice("equilibrium", this.data.places.map(({ name }) => name), this.place, (i) => this.goTo(i)));
    const names = this.shown.modes.map((mode) => `${mode.closed ? "with feedback: " : ""}${eigenvalueText(mode)} ${mode.course}`);
    this.bar.append(choice("mode", ["at rest", ...names], this.mode + 1, (i) => this.choose(i - 1)));
    if (this.data.amplitudes.length > 1)
      this.bar.append(
        choice("amplitude", this.data.amplitudes.map((name) => `${name} amplitude`), this.amplitude, (i) => {
          this.amplitude = i;
          this.choose(this.mode);
        }),
      );
  }

  private drawPlane(): void {
    const { name, open, closed } = this.shown;
    this.plane = plane(open, closed, (mode) => this.choose(mode));
    const keys = [element("span", { class: "key open" }, "× without feedback"), element("span", { class: "key closed" }, "○ with it")];
    const zero = open.find(({ cause }) => cause);
    const words = element("p", { class: "keys" }, ...(closed.length > 0 ? keys : []));
    if (zero) words.append(element("span", {}, `Zero ×${zero.count} by ${zero.cause}. `));
    words.append(element("span", {}, `Dotted: equal damping ratio.${this.plane.stretched ? " Axes are stretched near 0." : ""}`));
    const title = element("figcaption", {}, "Eigenvalues ", element("span", { class: "unit" }, `${this.unit ? `[1/${this.unit}], ` : ""}${name}`));
    const drawing = this.plane.svg;
    const saves = element(
      "span",
      { class: "saves" },
      wordButton("SVG", "save the eigenvalues as SVG", () => save(fileName("svg", this.title, "eigenvalues", name), styled(drawing), "image/svg+xml")),
      wordButton("CSV", "save the eigenvalues as CSV", () => save(fileName("csv", this.title, "eigenvalues", name), this.csv(), "text/csv")),
    );
    title.append(saves);
    this.figure.replaceChildren(title, drawing, words);
  }

  private csv(): string {
    const { open, closed } = this.shown;
    const marks = [...open.map((mark) => ({ ...mark, feedback: 0 })), ...closed.map((mark) => ({ ...mark, feedback: 1 }))];
    const column = (name: "re" | "im" | "count" | "feedback") => ({ name, values: marks.map((mark) => mark[name]) });
    return csv([column("re"), column("im"), column("count"), column("feedback")]);
  }

  private drawTables(): void {
    this.tables.replaceChildren();
    if (this.data.places.length > 1) this.tables.append(section("Equilibria", this.placeTable()));
    const title = this.data.places.length > 1 ? `Modes of ${this.shown.name}` : "Modes";
    this.tables.append(section(title, this.modeTable()));
  }

  private placeTable(): HTMLElement {
    const hasEnergy = this.data.has_energy;
    const hasFamilies = this.data.places.some(({ family }) => family > 0);
    this.placeRows = this.data.places.map((place, i) => {
      const cells: string[] = [place.name];
      if (hasFamilies) cells.push(String(place.family));
      if (hasEnergy) cells.push(written(place.energy, 6));
      cells.push(place.verdict, place.reason);
      return pressable(row(cells, [false, hasFamilies, hasEnergy]), () => this.goTo(i));
    });
    const titles = ["name", ...(hasFamilies ? ["dim"] : []), ...(hasEnergy ? ["energy"] : []), "verdict", "because"];
    return table(titles, this.placeRows);
  }

  private modeTable(): HTMLElement {
    const hasLoops = this.shown.modes.some(({ closed }) => closed);
    this.modeRows = this.shown.modes.map((mode, i) => {
      const swings = mode.im > 0;
      const course = mode.symmetry ? `drifts: ${mode.symmetry}` : mode.course;
      const cells = [
        eigenvalueText(mode),
        swings ? written(mode.frequency, 5) : "–",
        swings ? written((2 * Math.PI) / mode.im, 4) : "–",
        swings ? written(Math.abs(mode.damping_ratio) < 1e-12 ? 0 : mode.damping_ratio, 3) : "–",
        course,
        mode.moves.replaceAll(" %", "\u00a0%"),
      ];
      if (hasLoops) cells.splice(1, 0, mode.closed ? "with" : "without");
      return pressable(row(cells, [true, hasLoops ? false : true, true, true, hasLoops]), () => this.choose(i));
    });
    const titles = ["eigenvalue", this.unit ? `rad/${this.unit}` : "frequency", withUnit("period", this.unit), "damping ratio", "course", "what moves"];
    if (hasLoops) titles.splice(1, 0, "feedback");
    return table(titles, this.modeRows);
  }
}
