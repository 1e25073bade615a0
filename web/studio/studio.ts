// The studio: a model file and its motion, side by side.
import type { PageData } from "../../viewer/src/data";
import { element } from "../../viewer/src/element";
import { fileName, save } from "../../viewer/src/save";
import type { Examination, RunSettings, Start } from "../client/types";
import { HamelError } from "../client/hamel";
import { Comparison } from "./compare";
import { Editor } from "./editor";
import { EquationsPanel } from "./equations";
import { Findings } from "./findings";
import { encode, studying, type Studied } from "./link";
import { MethodPanel } from "./method";
import { Mistake } from "./mistake";
import { Motion } from "./motion";
import { Parameters } from "./parameters";
import { Portrait } from "./phase";
import { TakeAway } from "./take";
import { Tabs } from "./tabs";
import { Undo } from "./undo";
import { action, spaceText, symbol } from "./words";
import { Work } from "./work";

// A section of a model file.
function section(text: string, name: string): string {
  return new RegExp(`^\\[${name}\\][^]*?(?=^\\[|$(?![^]))`, "m").exec(text)?.[0] ?? "";
}

export class Studio {
  readonly page = element("div", { class: "studio" });
  studied: Studied = studying("");
  private readonly editor: Editor;
  readonly motion = new Motion({ grasp: (pull) => this.work.grasp(this.studied.start, pull), changed: (start, done) => this.drag(start, done) });
  private readonly findings = new Findings(this.motion);
  private readonly parameters = new Parameters((changes) => this.change({ changes }, "parameters"));
  private readonly method = new MethodPanel((change) => this.changeRun(change));
  private readonly comparison = new Comparison(this.motion.player, (second) => this.compare(second));
  readonly work: Work;
  private readonly title = element("span", { class: "title" });
  private readonly space = element("span", { class: "space" });
  private readonly mistake: Mistake;
  private readonly remarks = element("p", { class: "remarks", hidden: "" });
  private readonly doing = element("span", { class: "doing", role: "status" });
  private readonly bar = element("progress", { max: "1", value: "0", "aria-label": "progress of the run" });
  private readonly stopper = action("stop", () => this.work.stop());
  private readonly equations = new EquationsPanel(() => this.work);
  private readonly equilibriaPanel = element("div", { class: "equilibria" });
  private readonly portrait = new Portrait(this.motion.player);
  private readonly take: TakeAway;
  private readonly past = new Undo<Studied>();
  private readonly backward = symbol("↶", "undo", () => this.travel("undo"));
  private readonly forward = symbol("↷", "redo", () => this.travel("redo"));
  private readonly tabs: Tabs;
  private examination: Examination | null = null;
  private settings: RunSettings | null = null;
  private shown: { name: string; page: PageData } | null = null;
  private portraitIsOld = true;
  private typing: ReturnType<typeof setTimeout> | null = null;

  // Which model of the gallery has that text?
  constructor(private readonly known: (text: string) => string | null = () => null) {
    const writing = element("div", { class: "writing" });
    const holder = element("div", { class: "text" });
    this.editor = new Editor(holder, (text) => this.type(text));
    this.mistake = new Mistake(this.editor);
    writing.append(holder, this.mistake.panel, this.remarks);
    this.take = new TakeAway(this.motion, () => this.work, () => this.settings && { studied: this.studied, settings: this.settings, name: this.title.textContent || "model", id: this.known(this.studied.text) });
    this.tabs = new Tabs({
      Charts: this.findings.charts,
      "Phase portrait": this.portrait.panel,
      Conserved: this.findings.kept,
      Equations: this.equations.panel,
      Equilibria: this.equilibriaPanel,
      "Two methods": this.comparison.panel,
      "Take away": this.take.panel,
    }, () => this.lookAtTab());
    const side = element("div", { class: "side" }, this.parameters.panel, this.method.panel);
    this.page.append(this.header(), element("div", { class: "desk" }, writing, element("div", { class: "seeing" }, this.motion.frame, this.findings.modes, this.tabs.panel), side));
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
      parameters: (known) => this.parameters.show(known, this.studied.changes),
      examined: (examination, _, settings) => this.examined(examination, settings),
      moved: (page, fresh, settings, settles) => {
        this.show(page, fresh, this.studied.start, settles);
        this.portraitIsOld = true;
        this.shown = { name: settings.integrator, page };
        this.page.dataset["motions"] = String(Number(this.page.dataset["motions"] ?? 0) + 1);
      },
      compared: (page, settings) => this.shown && this.comparison.show(this.shown, { name: settings.integrator, page }),
      progress: (fraction) => this.progress(fraction),
      doing: (words) => (this.doing.textContent = words),
      refused: (why, place) => this.mistake.show(why, place),
      remarked: (remarks) => {
        this.remarks.hidden = remarks.length === 0;
        this.remarks.textContent = remarks.join(" · ");
      },
    });
    this.acceptFiles();
    this.listenToKeys();
  }

  open(studied: Studied): void {
    if (this.studied.text) this.past.remember(this.studied, `file ${performance.now()}`);
    this.studied = structuredClone(studied);
    this.showPast();
    this.editor.set(studied.text);
    this.want();
  }

  show(page: PageData, fresh: boolean, start = this.studied.start, settles = false): void {
    this.findings.show(page, this.motion.show(page, fresh, start, settles));
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
      element("span", { class: "busy" }, this.doing, this.bar, this.stopper),
      element("span", { class: "actions" }, element("a", { class: "word", href: "#" }, "gallery"), this.backward, this.forward, action("open", () => this.choose()), action("save", () => this.saveFile()), link),
    );
  }

  private want(): void {
    void encode(this.studied).then((link) => history.replaceState(null, "", `#m=${link}`));
    this.work.want(this.studied);
  }

  private change(change: Partial<Studied>, kind: string): void {
    this.past.remember(this.studied, kind);
    this.studied = { ...this.studied, ...change };
    this.showPast();
    this.want();
  }

  // What was dragged stays, unless the text now says something else about the start.
  private type(text: string): void {
    const { text: before, start } = this.studied;
    const same = ["start", "coordinates"].every((name) => section(before, name) === section(text, name));
    this.past.remember(this.studied, "text");
    this.studied = { ...this.studied, text, start: same ? start : {} };
    this.showPast();
    if (this.typing) clearTimeout(this.typing);
    this.typing = setTimeout(() => this.want(), 200);
  }

  private travel(way: "undo" | "redo"): void {
    const found = this.past[way](this.studied);
    if (!found) return;
    this.studied = found;
    this.editor.set(found.text);
    this.work.forgetParameters();
    this.showPast();
    this.want();
  }

  private showPast(): void {
    this.backward.disabled = !this.past.canUndo;
    this.forward.disabled = !this.past.canRedo;
  }

  private listenToKeys(): void {
    this.page.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if ((event.target as HTMLElement).closest(".cm-editor, input[type=text], input[type=number]")) return;
      const key = event.key.toLowerCase();
      const way = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : null;
      if (!way) return;
      event.preventDefault();
      this.travel(way);
    });
  }

  // A drag is one step of the past, however long it takes; when it ends, the motion goes on from there.
  private drag(start: Start, done: boolean): void {
    if (JSON.stringify(start) !== JSON.stringify(this.studied.start)) this.change({ start }, "drag");
    if (done) this.past.close();
  }

  // A method that takes a step needs one; a tolerance of another method is none of its own.
  private changeRun(change: Partial<RunSettings>): void {
    const run = { ...this.studied.run, ...change };
    const info = this.examination?.methods.find(({ name }) => name === change.integrator);
    if (change.integrator) {
      delete run.tolerance;
      if (info?.takes_step && !(run.step || this.settings?.step)) run.step = 0.01;
    }
    this.change({ run }, "run");
  }

  private compare(second: Partial<RunSettings> | null): void {
    const { compare: _, ...rest } = this.studied;
    const info = this.examination?.methods.find(({ name }) => name === second?.integrator);
    const step = info?.takes_step && !second?.step && !this.settings?.step ? { step: 0.01 } : {};
    this.past.remember(this.studied, "compare");
    this.studied = second ? { ...rest, compare: { ...second, ...step } } : rest;
    this.showPast();
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
    if (fraction === null && this.settings) this.lookAtTab();
    this.bar.value = fraction ?? 0;
    this.page.classList.toggle("working", fraction !== null);
    this.page.dataset["state"] = fraction === null ? "rest" : "work";
  }

  private lookAtTab(): void {
    if (this.tabs.chosen === "Equations") void this.equations.show(this.studied.text);
    if (this.tabs.chosen === "Two methods") this.comparison.seen();
    if (this.tabs.chosen === "Phase portrait") void this.showPortrait();
    if (this.tabs.chosen === "Take away") this.take.show();
    window.dispatchEvent(new Event("resize"));
  }

  private async showPortrait(): Promise<void> {
    if (!this.portraitIsOld) return;
    this.portraitIsOld = false;
    try {
      this.portrait.load(await (await this.work.whenIdle()).ask("columns", { run: 1 }), this.title.textContent ?? "");
    } catch (error) {
      this.portrait.refuse(error instanceof HamelError ? error.message : String(error));
    }
  }

  private async findEquilibria(): Promise<void> {
    const words = element("p", { class: "quiet" }, "looking …");
    this.equilibriaPanel.replaceChildren(words);
    try {
      const hamel = await this.work.whenIdle();
      this.progress(0);
      const { count, remark, page } = await hamel.ask("equilibria", {});
      words.textContent = `${count} found, ${remark}`;
      if (page) this.show(page, true, {});
      this.equilibriaPanel.append(action("back to the motion", () => this.backToMotion()), this.findings.modes);
    } catch (error) {
      words.textContent = error instanceof HamelError ? error.message : String(error);
    } finally {
      this.progress(null);
    }
  }

  private backToMotion(): void {
    if (this.shown) this.show(this.shown.page, true);
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
    input.addEventListener("change", () => void this.load(input.files?.[0]));
    input.click();
  }

  private async load(file: File | undefined): Promise<void> {
    if (file) this.open(studying(await file.text()));
  }

  private acceptFiles(): void {
    this.page.addEventListener("dragover", (event) => event.preventDefault());
    this.page.addEventListener("drop", (event) => {
      event.preventDefault();
      void this.load(event.dataTransfer?.files[0]);
    });
  }
}
