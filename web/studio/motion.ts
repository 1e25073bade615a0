// The motion, by the modules of the report page. A new model gets a new view; other parameters change what is seen in
// place, at the same moment.
import { Controls } from "../../viewer/src/controls";
import { unpack, type PageData } from "../../viewer/src/data";
import { Drawing } from "../../viewer/src/drawing";
import { element } from "../../viewer/src/element";
import { Player } from "../../viewer/src/player";
import { Stage } from "../../viewer/src/stage";
import type { Start } from "../client/types";
import { film } from "./film";
import { Grips, type Puller } from "./grips";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

function inkOf(): string {
  return getComputedStyle(document.documentElement).getPropertyValue("--faint").trim();
}

export class Motion {
  readonly frame = element("div", { class: "stage" });
  readonly player = new Player(new Float64Array([0]));
  private readonly view = element("div", { class: "view" });
  private readonly note = element("p", { class: "note" });
  private readonly failed = element("p", { class: "failed", hidden: "" });
  private stage: Stage | null = null;
  private controls: Controls | null = null;
  private shape = ""; // of what is shown
  private turned = false; // has someone turned the view?
  private life = new AbortController();
  private listening = new AbortController(); // of the controls
  readonly grips: Grips;

  constructor(
    puller: Puller,
    private readonly keys: EventTarget = window, // from where they are heard
  ) {
    this.grips = new Grips(() => this.stage, this.player, puller);
    this.view.append(this.grips.layer, element("div", { class: "grip-bar" }, this.grips.opener, this.grips.back), this.note, this.failed);
    this.frame.append(this.view);
    this.player.onChange(() => this.stage?.touch());
    dark.addEventListener("change", () => this.stage?.setTheme(inkOf()));
    new ResizeObserver(() => this.resize()).observe(this.view);
    const loop = (milliseconds: number) => {
      this.player.tick(milliseconds);
      if (this.stage && this.controls) this.stage.draw(this.player.moment, this.controls.memory);
      this.grips.place();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  // Until another model, or one of another shape, is shown.
  get signal(): AbortSignal {
    return this.life.signal;
  }

  // The same model in the same shape is shown in place: true. A run that is whole now may reach further than its
  // beginning did, which the camera has seen.
  show(page: PageData, fresh: boolean, start: Start = {}, settles = false): boolean {
    const shape = shapeOf(page);
    const again = !fresh && shape === this.shape;
    this.shape = shape;
    if (!again) {
      this.life.abort();
      this.life = new AbortController();
    }
    const wasPlaying = this.player.playing;
    this.player.load(Float64Array.from(unpack(page.time)));
    if (fresh) this.turned = false;
    this.draw(page, !again, settles);
    if (page.scene.objects.length > 0 && !page.modes) this.grips.enable(start);
    else this.grips.disable();
    this.note.textContent = page.scene.note ?? "";
    if (fresh) this.player.seek(this.player.begin);
    if (fresh && !wasPlaying && !calm.matches) this.player.toggle();
    return again;
  }

  // Another page is looked at: no keys are heard, nothing moves.
  leave(): void {
    this.life.abort();
    this.listening.abort();
    this.player.playing = false;
    this.shape = "";
  }

  // The picture of the moment.
  picture(width: number, height: number, background: string | null): HTMLCanvasElement | null {
    return this.stage && this.controls ? this.stage.picture(width, height, background, this.controls.memory) : null;
  }

  get size(): { width: number; height: number } {
    return { width: this.view.clientWidth, height: this.view.clientHeight };
  }

  // The motion from its beginning to its end, as it is seen.
  film(signal: AbortSignal, progress: (fraction: number) => void): Promise<Blob> {
    if (!this.stage) throw new Error("there is no picture to be filmed");
    return film(this.stage.canvas, this.player, signal, progress);
  }

  private draw(page: PageData, isNew: boolean, settles: boolean): void {
    const shown = page.scene.objects.length > 0;
    this.failed.hidden = shown;
    if (!shown) this.failed.textContent = "There is nothing to draw of this model; the charts show it.";
    const drawing = new Drawing(page.scene, this.player.times);
    const follows = !this.turned && (drawing.drifts || Boolean(page.scene.camera?.follow)); // something of this drawing
    try {
      if (this.stage) this.stage.show(drawing, page.scene, isNew || follows || (settles && !this.turned));
      else this.open(new Stage(drawing, page.scene));
    } catch (error) {
      this.failed.hidden = false;
      this.failed.textContent = `The motion cannot be drawn here: ${String(error)}`;
      return;
    }
    if (!isNew && !follows && this.controls) return;
    this.controls?.bar.remove();
    this.listening.abort();
    this.listening = new AbortController();
    this.controls = new Controls(page, this.player, this.stage!, drawing, this.frame, this.listening.signal, this.keys);
    this.view.after(this.controls.bar);
  }

  private open(stage: Stage): void {
    this.stage = stage;
    this.view.prepend(stage.canvas);
    stage.canvas.setAttribute("role", "img");
    stage.canvas.setAttribute("aria-label", "the motion in three dimensions");
    stage.setTheme(inkOf());
    for (const event of ["pointerdown", "wheel"]) stage.canvas.addEventListener(event, () => (this.turned = true), { passive: true });
    this.resize();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.view;
    if (width > 0 && height > 0) this.stage?.resize(width, height);
  }
}

function shapeOf(page: PageData): string {
  const charts = page.charts.map(({ title, series }) => `${title}:${series.length}`);
  const objects = page.scene.objects.map(({ kind, name }) => `${kind} ${name}`);
  return JSON.stringify([page.title, charts, page.coordinates.map(({ title }) => title), objects, Boolean(page.modes)]);
}
