// What can be taken away: the picture, a video, every number, the equations, C, the report, the file, the command.
import { unpack, type PageData } from "../../viewer/src/data";
import { element } from "../../viewer/src/element";
import { csv, fileName, save } from "../../viewer/src/save";
import { HamelError } from "../client/hamel";
import type { Column, FormName, RunSettings } from "../client/types";
import { commandLine } from "./command";
import { forms } from "./equations";
import { canFilm } from "./film";
import type { Studied } from "./link";
import type { Motion } from "./motion";
import { action } from "./words";
import type { Work } from "./work";

export interface Taken {
  studied: Studied;
  settings: RunSettings;
  name: string;
  id: string | null; // of the gallery, where the text is as it is there
}

const backgrounds: [string, string | null][] = [["transparent", null], ["white", "#ffffff"], ["black", "#000000"]];

// Text in a page must not end its script.
const inHtml = (page: PageData) => JSON.stringify(page).replaceAll("<", "\\u003c");

export class TakeAway {
  readonly panel = element("div", { class: "take" });
  private readonly said = element("p", { class: "quiet", role: "status" });
  private readonly command = element("code", { class: "command", tabindex: "0" });
  private readonly width = element("input", { type: "number", min: "16", max: "8192", value: "1920", "aria-label": "width of the picture" });
  private readonly height = element("input", { type: "number", min: "16", max: "8192", value: "1080", "aria-label": "height of the picture" });
  private readonly background = element("select", { "aria-label": "background of the picture" }, ...backgrounds.map(([name]) => element("option", {}, name)));
  private readonly form = element("select", { "aria-label": "form of what is taken" }, ...forms.map(([name, words]) => element("option", { value: name }, `in ${words}`)));
  private filming: AbortController | null = null;

  constructor(
    private readonly motion: Motion,
    private readonly work: () => Work,
    private readonly now: () => Taken | null,
  ) {
    const film = action("save WebM", () => void this.attempt(() => this.film(film)));
    film.disabled = !canFilm;
    const row = (title: string, ...parts: (Node | string)[]) => element("div", { class: "fields" }, element("strong", {}, title), ...parts);
    this.panel.append(
      row("Picture", this.width, "×", this.height, this.background, this.button("save PNG", () => this.picture())),
      row("Video", film, element("span", { class: "quiet" }, canFilm ? "from beginning to end, at the speed that is chosen" : "this browser cannot record videos")),
      row("Numbers", this.button("save CSV", () => this.numbers()), element("span", { class: "quiet" }, "every number of the run; charts and portraits have their own SVG and CSV")),
      row("Equations", this.form, this.button("save LaTeX", () => this.latex()), this.button("save C", () => this.code())),
      row("Report", this.button("save page", () => this.report()), element("span", { class: "quiet" }, "one file, to be opened anywhere")),
      row("Model", this.button("save file", () => this.file())),
      row("Command", this.button("copy", () => navigator.clipboard.writeText(this.command.textContent!).then(() => "copied"))),
      this.command,
      this.said,
    );
  }

  show(): void {
    const now = this.now();
    if (now) this.command.textContent = commandLine(now.id ?? fileName("toml", now.name), now.studied, now.settings);
  }

  private button(label: string, does: () => Promise<string>): HTMLButtonElement {
    return action(label, () => void this.attempt(does));
  }

  // What is said when it is done, or why it is not.
  private async attempt(does: () => Promise<string>): Promise<void> {
    this.said.textContent = "…";
    try {
      this.said.textContent = await does();
    } catch (error) {
      this.said.textContent = error instanceof HamelError || error instanceof Error ? error.message : String(error);
    }
  }

  private need(): Taken {
    const now = this.now();
    if (!now) throw new Error("There is no motion yet.");
    return now;
  }

  private keep(ending: string, content: Blob | string, type?: string, words = ""): string {
    const name = fileName(ending, this.need().name, words);
    save(name, content, type);
    return `saved ${name}`;
  }

  private async picture(): Promise<string> {
    const [width, height] = [Number(this.width.value), Number(this.height.value)];
    if (!(width >= 16 && height >= 16 && width <= 8192 && height <= 8192)) throw new Error("A picture has 16 to 8192 pixels on each side.");
    const canvas = this.motion.picture(Math.round(width), Math.round(height), backgrounds[this.background.selectedIndex]![1]);
    const blob = await new Promise<Blob | null>((done) => (canvas ? canvas.toBlob(done, "image/png") : done(null)));
    if (!blob) throw new Error("There is no picture of this model.");
    return this.keep("png", blob);
  }

  private async film(button: HTMLButtonElement): Promise<string> {
    if (this.filming) {
      this.filming.abort();
      return "stopped";
    }
    this.filming = new AbortController();
    button.textContent = "stop";
    try {
      const { signal } = this.filming;
      const video = await this.motion.film(signal, (fraction) => (this.said.textContent = `filming, ${Math.round(100 * fraction)} %`));
      return this.keep("webm", video);
    } finally {
      this.filming = null;
      button.textContent = "save WebM";
    }
  }

  private async numbers(): Promise<string> {
    this.need();
    const columns: Column[] = await (await this.work().whenIdle()).ask("columns", { run: 1 });
    return this.keep("csv", csv(columns.map(({ name, values }) => ({ name, values: unpack(values) }))), "text/csv");
  }

  private async latex(): Promise<string> {
    const form = this.form.value as FormName;
    const { latex, energies } = await (await this.work().whenIdle()).ask("equations", { form });
    const block = (lines: string[]) => (lines.length > 0 ? `\\begin{align*}\n${lines.map((line) => `  & ${line}`).join(" \\\\\n")}\n\\end{align*}\n` : "");
    return this.keep("tex", `${block(energies)}${block(latex)}`, "application/x-tex", form);
  }

  private async code(): Promise<string> {
    const { c } = await (await this.work().whenIdle()).ask("code", { form: this.form.value as FormName });
    return this.keep("c", c, "text/x-c");
  }

  private async report(): Promise<string> {
    this.need();
    const page = await (await this.work().whenIdle()).ask("report", { run: 1 });
    const answer = await fetch(new URL("report.html", document.baseURI));
    if (!answer.ok) throw new Error("The page of reports could not be loaded.");
    const [head, tail] = (await answer.text()).split("/*hamel-data*/");
    return this.keep("html", `${head}${inHtml(page)}${tail}`, "text/html");
  }

  private async file(): Promise<string> {
    return this.keep("toml", this.need().studied.text);
  }
}
