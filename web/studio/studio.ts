// The studio: a model file and its motion, side by side.
import type { PageData } from "../../viewer/src/data";
import { element } from "../../viewer/src/element";
import { fileName, save } from "../../viewer/src/save";
import type { Examination, Refusal, RunSettings } from "../client/types";
import { HamelError } from "../client/hamel";
import { Comparison } from "./compare";
import { Editor } from "./editor";
import { EquationsPanel } from "./equations";
import { encode, type Studied } from "./link";
import { MethodPanel } from "./method";
import { Motion } from "./motion";
import { Parameters } from "./parameters";
import { Tabs } from "./tabs";
import { action, spaceText } from "./words";
import { Work } from "./work";

export class Studio {
  readonly page = element("div", { class: "studio" });
  studied: Studied = { text: "", changes: {}, run: {} };
  private readonly editor: Editor;
  readonly motion = new Motion();
  private readonly parameters = new Parameters((changes) => this.change({ changes }));
  private readonly method = new MethodPanel((change) => this.changeRun(change));
  private readonly comparison = new Comparison(this.motion.player, (second) => this.compare(second));
  readonly work: Work;
  private readonly title = element("span", { class: "title" });
  private readonly space = element("span", { class: "space" });
  private readonly mistake = element("button", { type: "button", class: "mistake", hidden: "" });
  private readonly remarks = element("p", { class: "remarks", hidden: "" });
  private readonly bar = element("progress", { max: "1", value: "0", "aria-label": "progress of the run" });
  private readonly stopper = action("stop", () => this.work.stop());
  private readonly equations = new EquationsPanel(() => this.work);
  private readonly equilibriaPanel = element("div", { class: "equilibria" });
  private readonly tabs: Tabs;
  private examination: Examination | null = null;
  private settings: RunSettings | null = null;
  private shown: { name: string; page: PageData } | null = null;
  private refusal: Refusal | null = null;
  private typing: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    const writing = element("div", { class: "writing" });
    const holder = element("div", { class: "text" });
    this.editor = new Editor(holder, (text) => this.type(text));
    writing.append(holder, this.mistake, this.remarks);
    this.mistake.addEventListener("click", () => this.refusal?.line !== undefined && this.editor.goTo(this.refusal));
    this.tabs = new Tabs({
      Charts: this.motion.charts,
      Conserved: this.motion.kept,
      Equations: this.equations.panel,
      Equilibria: this.equilibriaPanel,
      "Two methods": this.comparison.panel,
    }, () => this.lookAtTab());
    const side = element("div", { class: "side" }, this.parameters.panel, this.method.panel);
    this.page.append(this.header(), element("div", { class: "desk" }, writing, element("div", { class: "seeing" }, this.motion.frame, this.motion.modes, this.tabs.panel), side));
    this.work = new Work({
      read: (model) => {
        this.title.textContent = model.name;
        this.space.textContent = spaceText(model.space);
        document.title = `${model.name} · hamel`;
        this.examination = null;
        this.equations.forget();
        this.equilibriaPanel.replaceChildren(action("find equilibria", () => void this.findEquilibria()));
        this.parameters.show(model.parameters, this.studied.changes);
      },
      examined: (examination, _, settings) => this.examined(examination, settings),
      moved: (page, fresh, settings) => {
        this.motion.show(page, fresh);
        this.shown = { name: settings.integrator, page };
        this.page.dataset["motions"] = String(Number(this.page.dataset["motions"] ?? 0) + 1);
      },
      compared: (page, settings) => this.shown && this.comparison.show(this.shown, { name: settings.integrator, page }),
      progress: (fraction) => this.progress(fraction),
      refused: (why, place) => this.refused(why, place),
      remarked: (remarks) => {
        this.remarks.hidden = remarks.length === 0;
        this.remarks.textContent = remarks.join(" · ");
      },
    });
    this.acceptFiles();
  }

  open(studied: Studied): void {
    this.studied = structuredClone(studied);
    this.editor.set(studied.text);
    this.want();
  }

  leave(): void {
    this.work.stop();
    this.motion.leave();
    this.page.remove();
  }

  private header(): HTMLElement {
    const link = action("link", () => void this.share(link));
    link.title = "copy a link that holds this model and its settings";
    return element(
      "header",
      { class: "top" },
      element("a", { class: "home", href: "#" }, "hamel"),
      this.title,
      this.space,
      element("span", { class: "busy" }, this.bar, this.stopper),
      element("span", { class: "actions" }, element("a", { class: "word", href: "#" }, "gallery"), action("open", () => this.choose()), action("save", () => this.saveFile()), link),
    );
  }

  private want(): void {
    void encode(this.studied).then((link) => history.replaceState(null, "", `#m=${link}`));
    this.work.want(this.studied);
  }

  private change(change: Partial<Studied>): void {
    this.studied = { ...this.studied, ...change };
    this.want();
  }

  private type(text: string): void {
    this.studied.text = text;
    if (this.typing) clearTimeout(this.typing);
    this.typing = setTimeout(() => this.want(), 200);
  }

  // A method that takes a step needs one; a tolerance of another method is none of its own.
  private changeRun(change: Partial<RunSettings>): void {
    const run = { ...this.studied.run, ...change };
    const info = this.examination?.methods.find(({ name }) => name === change.integrator);
    if (change.integrator) {
      delete run.tolerance;
      if (info?.takes_step && !(run.step || this.settings?.step)) run.step = 0.01;
    }
    this.change({ run });
  }

  private compare(second: Partial<RunSettings> | null): void {
    const { compare: _, ...rest } = this.studied;
    const info = this.examination?.methods.find(({ name }) => name === second?.integrator);
    const step = info?.takes_step && !second?.step && !this.settings?.step ? { step: 0.01 } : {};
    this.studied = second ? { ...rest, compare: { ...second, ...step } } : rest;
    this.want();
  }

  private examined(examination: Examination, settings: RunSettings): void {
    this.examination = examination;
    this.settings = settings;
    this.method.show(examination.methods, settings);
    this.comparison.offer(examination.methods, this.studied.compare, settings);
    this.lookAtTab();
  }

  private progress(fraction: number | null): void {
    this.bar.value = fraction ?? 0;
    this.page.classList.toggle("working", fraction !== null);
    this.page.dataset["state"] = fraction === null ? "rest" : "work";
  }

  private refused(why: Refusal | null, place: "text" | "run"): void {
    if (!why && this.refusal && (place === "run") !== (this.refusal.line === undefined)) return;
    this.refusal = why;
    this.editor.mark(why);
    this.mistake.hidden = why === null;
    this.mistake.textContent = why ? (why.line !== undefined ? `${why.line}:${why.column}  ${why.message}` : why.message) : "";
  }

  private lookAtTab(): void {
    if (this.tabs.chosen === "Equations") void this.equations.show(this.studied.text);
    if (this.tabs.chosen === "Two methods") this.comparison.seen();
    window.dispatchEvent(new Event("resize"));
  }

  private async findEquilibria(): Promise<void> {
    const words = element("p", { class: "quiet" }, "looking …");
    this.equilibriaPanel.replaceChildren(words);
    try {
      const hamel = await this.work.whenIdle();
      this.progress(0);
      const { count, remark, page } = await hamel.ask("equilibria", {});
      words.textContent = `${count} found, ${remark}`;
      if (page) this.motion.show(page, true);
      this.equilibriaPanel.append(action("back to the motion", () => this.backToMotion()), this.motion.modes);
    } catch (error) {
      words.textContent = error instanceof HamelError ? error.message : String(error);
    } finally {
      this.progress(null);
    }
  }

  private backToMotion(): void {
    if (this.shown) this.motion.show(this.shown.page, true);
    this.equilibriaPanel.replaceChildren(action("find equilibria", () => void this.findEquilibria()));
  }

  private async share(button: HTMLButtonElement): Promise<void> {
    const link = `${location.href.split("#")[0]}#m=${await encode(this.studied)}`;
    history.replaceState(null, "", link);
    await navigator.clipboard?.writeText(link).catch(() => undefined);
    button.textContent = "copied";
    setTimeout(() => (button.textContent = "link"), 1500);
  }

  private saveFile(): void {
    save(fileName("toml", this.title.textContent || "model"), this.studied.text, "text/plain");
  }

  private choose(): void {
    const input = element("input", { type: "file", accept: ".toml,text/plain" });
    input.addEventListener("change", () => void this.take(input.files?.[0]));
    input.click();
  }

  private async take(file: File | undefined): Promise<void> {
    if (file) this.open({ text: await file.text(), changes: {}, run: {} });
  }

  private acceptFiles(): void {
    this.page.addEventListener("dragover", (event) => event.preventDefault());
    this.page.addEventListener("drop", (event) => {
      event.preventDefault();
      void this.take(event.dataTransfer?.files[0]);
    });
  }
}
