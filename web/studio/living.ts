// One model that lives in a page: its motion, with sliders or with its text.
import { element } from "../../viewer/src/element";
import { restOutOfSight } from "../../viewer/src/staging";
import { Editor } from "./editor";
import { encode, studying, type Studied } from "./link";
import { Mistake } from "./mistake";
import { Motion } from "./motion";
import { Parameters } from "./parameters";
import { action } from "./words";
import { Work } from "./work";

const sliders = 12;
const studio = new URL("index.html", import.meta.url).href;

export class Living {
  private readonly panel = element("div", { class: "hamel-live" });
  private readonly motion = new Motion(
    { grasp: (pull) => this.work.grasp(this.studied.start, pull), changed: (start) => this.change({ start }) },
    this.panel,
  );
  private readonly parameters = new Parameters((changes) => this.change({ changes }), sliders, "in the studio");
  private readonly leave = element("a", { class: "word" }, "open in the studio");
  private readonly original: string;
  private readonly editor: Editor | null = null;
  private readonly mistake: Mistake;
  private readonly work: Work;
  private studied: Studied;
  private typing: ReturnType<typeof setTimeout> | undefined;
  private motions = 0;

  constructor(private readonly holder: HTMLElement) {
    const text = holder.querySelector("pre");
    this.original = (text ?? holder.querySelector("template")!.content).textContent!.trimEnd();
    this.studied = studying(this.original);
    const actions = element("p", { class: "live-actions" }, this.leave);
    const report = holder.querySelector<HTMLAnchorElement>("a[href]")?.href; // of a run that was computed before
    if (report) actions.prepend(element("a", { class: "word", href: report }, "report"));
    if (text) {
      const writing = element("div", { class: "text" });
      this.editor = new Editor(writing, (typed) => this.type(typed));
      this.editor.set(this.original);
      this.mistake = new Mistake(this.editor);
      actions.prepend(action("as it was", () => this.reset()));
      this.panel.classList.add("editable");
      this.panel.append(element("div", { class: "writing" }, writing, this.mistake.panel), this.motion.frame, actions);
    } else {
      this.mistake = new Mistake(null);
      this.panel.append(this.motion.frame, this.mistake.panel, this.parameters.panel, actions);
    }
    this.leaveTheWheel();
    this.work = new Work({
      read: (model) => this.parameters.show(model.parameters, this.studied.changes),
      parameters: (known) => this.parameters.show(known, this.studied.changes),
      examined: () => undefined,
      moved: (page, fresh, _, settles) => {
        this.motion.show(page, fresh, this.studied.start, settles);
        this.panel.dataset["motions"] = String(++this.motions);
        if (this.motions === 1) this.begin();
      },
      compared: () => undefined,
      progress: (fraction) => (this.panel.dataset["state"] = fraction === null ? "rest" : "work"),
      doing: () => undefined,
      refused: (why, place) => {
        this.mistake.show(why, place);
        if (why && this.motions === 0) this.excuse(why.message);
      },
      remarked: () => undefined,
    });
    this.want();
  }

  // Only now, so that nobody waits before an empty frame.
  private begin(): void {
    this.holder.replaceChildren(this.panel);
    restOutOfSight(this.motion.frame, this.motion.player);
  }

  private excuse(why: string): void {
    this.holder.querySelector(".serve")?.remove();
    this.holder.append(element("p", { class: "serve" }, `It does not move here: ${why}`));
  }

  private change(change: Partial<Studied>): void {
    this.studied = { ...this.studied, ...change };
    this.want();
  }

  private type(text: string): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.change({ text, start: {} }), 200);
  }

  private reset(): void {
    this.editor!.set(this.original);
    this.change(studying(this.original));
  }

  private want(): void {
    const { model } = this.holder.dataset;
    const known = model && JSON.stringify(this.studied) === JSON.stringify(studying(this.original));
    if (known) this.leave.href = `${studio}#model=${model}`;
    else void encode(this.studied).then((link) => (this.leave.href = `${studio}#m=${link}`));
    this.work.want(this.studied);
  }

  // It scrolls the page, until someone has taken hold of the picture.
  private leaveTheWheel(): void {
    const { frame } = this.motion;
    let held = false;
    frame.addEventListener("pointerdown", () => (held = true));
    frame.addEventListener("pointerleave", () => (held = false));
    frame.addEventListener("wheel", (event) => held || event.ctrlKey || event.stopPropagation(), { capture: true, passive: true });
  }
}
