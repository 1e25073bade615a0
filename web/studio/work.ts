// What has to be computed for what is on the page: the last wish counts, and what it does not change is not done again.
import type { PageData } from "../../viewer/src/data";
import { Hamel, HamelError, type Running } from "../client/hamel";
import type { Examination, Grasped, ModelInfo, ParameterInfo, Pull, Refusal, RunSettings, Start } from "../client/types";
import type { Studied } from "./link";

export interface Listener {
  read(model: ModelInfo): void;
  parameters(known: ParameterInfo[]): void; // were changed from elsewhere
  examined(examination: Examination, parameters: ParameterInfo[], settings: RunSettings): void;
  moved(page: PageData, fresh: boolean, settings: RunSettings, settles: boolean): void; // settles: the first whole run of a text
  compared(page: PageData, settings: RunSettings): void;
  progress(fraction: number | null): void; // null: at rest
  doing(words: string): void;
  refused(why: Refusal | null, place: "text" | "run"): void;
  remarked(remarks: string[]): void;
}

const unchanged = JSON.stringify([{}, {}]);
const patience = 3000; // milliseconds that a new wish waits for what cannot be stopped

export class Work {
  readonly hamel = new Hamel();
  private wish: Studied | null = null;
  private working = false;
  private text: string | null = null; // that hamel has read
  private changes = unchanged; // that it knows
  private model: ModelInfo | null = null;
  private examination: Examination | null = null;
  private running: Running | null = null;
  private seen = false; // has the run been looked at?
  private fresh = true; // has this text not been shown yet?
  private settled = false; // has a whole run of it?
  private sliders = true; // do they show what is wished?
  private since = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly listener: Listener) {}

  want(studied: Studied): void {
    this.wish = structuredClone(studied);
    if (!this.working) return void this.work();
    if (this.running && this.seen) this.running.stop();
    const waited = performance.now() - this.since;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (this.wish && this.working && !this.running) this.restart();
    }, Math.max(0, patience - waited));
  }

  // The sliders are to be shown anew.
  forgetParameters(): void {
    this.sliders = false;
  }

  // For questions beside the runs.
  async whenIdle(): Promise<Hamel> {
    while (this.working) await new Promise((next) => setTimeout(next, 30));
    return this.hamel;
  }

  // What can be taken hold of at this start, or where it is after a pull. Null: nothing, or not now.
  async grasp(start: Start, pull?: Pull): Promise<Grasped | null> {
    try {
      return await this.hamel.ask("grasp", { start, ...(pull ? { pull } : {}) });
    } catch (error) {
      if (pull) this.listener.refused({ message: error instanceof HamelError ? error.message : String(error) }, "run");
      return null;
    }
  }

  stop(): void {
    if (this.running) this.running.stop();
    else if (this.working || this.hamel.busy) this.restart();
  }

  private restart(): void {
    this.text = null;
    this.changes = unchanged;
    this.hamel.restart();
  }

  private async work(): Promise<void> {
    this.working = true;
    while (this.wish) {
      const wish = this.wish;
      this.wish = null;
      this.since = performance.now();
      await this.perform(wish);
    }
    this.working = false;
    this.listener.progress(null);
  }

  private async perform(wish: Studied): Promise<void> {
    let place: "text" | "run" = "text";
    try {
      this.listener.progress(0);
      this.listener.doing("reading");
      const isNew = await this.read(wish.text);
      this.listener.refused(null, "text");
      if (this.wish) return;
      place = "run";
      if (isNew) this.listener.doing("deriving the equations");
      const parameters = await this.set(wish, isNew);
      const settings = { ...this.model!.run, ...wish.run };
      this.listener.examined(this.examination!, parameters, settings);
      if (this.wish) return;
      this.listener.doing("running");
      await this.move(wish);
    } catch (error) {
      const why = error instanceof HamelError ? error.why : { message: String(error) };
      if (why.message !== "stopped") this.listener.refused(why, why.line !== undefined ? "text" : place);
      if (place === "text" || why.lost) this.text = null;
    } finally {
      this.running = null;
    }
  }

  private async read(text: string): Promise<boolean> {
    if (text === this.text) {
      if (!this.sliders) this.listener.parameters(this.model!.parameters);
      this.sliders = true;
      return false;
    }
    this.model = await this.hamel.ask("read", { text });
    this.text = text;
    this.changes = unchanged;
    this.fresh = true;
    this.settled = false;
    this.sliders = true;
    this.listener.read(this.model);
    return true;
  }

  // Of changes, those that the model still knows.
  private async set(wish: Studied, isNew: boolean): Promise<ParameterInfo[]> {
    const names = new Set(this.model!.parameters.map(({ name }) => name));
    const known = Object.fromEntries(Object.entries(wish.changes).filter(([key]) => names.has(key.replace(/\[.*/, ""))));
    const changes = JSON.stringify([known, wish.start]);
    if (changes !== this.changes) {
      await this.hamel.ask("with", { parameters: known, start: wish.start });
      this.changes = changes;
    }
    if (isNew || !this.examination) {
      this.examination = await this.hamel.ask("examine", {});
      this.listener.remarked([...this.model!.remarks, ...this.examination.remarks]);
    }
    return this.model!.parameters;
  }

  private async move(wish: Studied): Promise<void> {
    const first = await this.run(1, wish.run, (page, settings, whole) => {
      this.listener.moved(page, this.fresh, settings, whole && !this.settled);
      this.fresh = false;
      this.settled ||= whole;
    });
    if (!first || !wish.compare) return;
    await this.run(2, { until: first.until, every: first.every, ...wish.compare }, (page, settings, whole) => {
      if (whole) this.listener.compared(page, settings);
    });
  }

  private async run(run: number, settings: Partial<RunSettings>, show: (page: PageData, settings: RunSettings, whole: boolean) => void): Promise<RunSettings | null> {
    this.seen = false;
    const asked = { ...this.model!.run, ...settings };
    const looked = (page: PageData, whole: boolean, used: RunSettings) => {
      this.seen = true;
      show(page, used, whole);
      if (this.wish) this.running?.stop();
    };
    this.running = this.hamel.run(
      { run, ...settings },
      { progress: (fraction) => this.listener.progress(fraction), look: (page) => looked(page, false, asked) },
    );
    const outcome = await this.running.outcome;
    this.running = null;
    if (!outcome) return null;
    looked(outcome.page, true, outcome.settings);
    this.listener.refused(outcome.failure ? { message: outcome.failure } : null, "run");
    return outcome.settings;
  }
}
