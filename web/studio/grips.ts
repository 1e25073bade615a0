// The start, changed in the picture: what can be taken hold of is a button over it, to be dragged, or moved by the
// arrow keys. Where it goes is for hamel to say: the page computes nothing about the model.
import type { Vector } from "../../viewer/src/data";
import { element } from "../../viewer/src/element";
import type { Player } from "../../viewer/src/player";
import { Vector3, type Stage } from "../../viewer/src/stage";
import type { Grasped, Grip, Pull, Start } from "../client/types";
import { action } from "./words";

const place = new Vector3();
const pixels = new Vector3();

const keys: Record<string, [number, number, number]> = {
  ArrowRight: [1, 0, 0], ArrowLeft: [-1, 0, 0], ArrowDown: [0, 1, 0], ArrowUp: [0, -1, 0], PageUp: [0, 0, 1], PageDown: [0, 0, -1],
};

interface Knob {
  button: HTMLButtonElement;
  index: number;
  velocity: boolean;
}

export interface Puller {
  grasp(pull?: Pull): Promise<Grasped | null>; // null: there is nothing to grasp, or not now
  changed(start: Start, done: boolean): void;
}

export class Grips {
  readonly layer = element("div", { class: "grips", role: "group", "aria-label": "the start, to be dragged" });
  readonly opener = action("drag the start", () => this.open());
  readonly back = action("start as in the file", () => this.puller.changed({}, true));
  private readonly lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private readonly words = element("p", { class: "grip-words", "aria-live": "polite" });
  private knobs: Knob[] = [];
  private grasped: Grasped | null = null;
  private perSpeed = 1; // how long an arrow is for a velocity
  private asking = false;
  private stale = true;
  private wanted: Pull | null = null; // of which the last one counts
  private held: Knob | null = null;
  private left: [number, number] = [0, 0]; // from the middle of the button to the pointer
  private doneAfter = false;

  constructor(
    private readonly stage: () => Stage | null,
    private readonly player: Player,
    private readonly puller: Puller,
  ) {
    this.opener.classList.add("grip-opener");
    this.back.classList.add("grip-back");
    this.back.hidden = true;
    this.lines.classList.add("grip-lines");
    this.lines.setAttribute("aria-hidden", "true");
    this.layer.append(this.lines, this.words);
    this.layer.hidden = true;
    player.onChange(() => this.appear());
  }

  // Another model, other parameters or another start.
  forget(start: Start): void {
    this.back.hidden = Object.keys(start).length === 0;
    if (this.held || this.asking) return;
    this.stale = true;
    this.appear();
  }

  // Nothing of this can be dragged: no scene, or modes.
  disable(): void {
    this.grasped = null;
    this.opener.hidden = true;
    this.layer.hidden = true;
  }

  enable(start: Start): void {
    this.opener.hidden = false;
    this.forget(start);
  }

  // Over what is seen now.
  place(): void {
    const stage = this.stage();
    if (this.layer.hidden || !stage || !this.grasped) return;
    const paths: string[] = [];
    for (const { button, index, velocity } of this.knobs) {
      const grip = this.grasped.grips[index]!;
      const foot = stage.seen(place.fromArray(grip.at), pixels).clone();
      const at = velocity ? stage.seen(this.tip(grip), pixels) : foot;
      button.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
      button.style.visibility = Math.abs(at.z) <= 1 ? "visible" : "hidden";
      if (velocity) paths.push(`M${foot.x.toFixed(1)} ${foot.y.toFixed(1)}L${at.x.toFixed(1)} ${at.y.toFixed(1)}`);
    }
    this.path.setAttribute("d", paths.join(""));
  }

  private readonly path = document.createElementNS("http://www.w3.org/2000/svg", "path");

  private tip({ at, velocity }: Grip): Vector3 {
    return place.fromArray(velocity).multiplyScalar(this.perSpeed).add(new Vector3(...at));
  }

  private get atStart(): boolean {
    return !this.player.playing && this.player.moment.t === this.player.begin;
  }

  private open(): void {
    if (this.atStart) return this.player.toggle();
    this.player.playing = false;
    this.player.seek(this.player.begin);
  }

  private appear(): void {
    const seen = this.atStart && !this.opener.hidden;
    this.opener.textContent = seen ? "let go" : "drag the start";
    if (seen && this.stale) void this.refresh();
    this.layer.hidden = !seen || !this.grasped;
  }

  private async refresh(): Promise<void> {
    if (this.asking) return;
    this.stale = false;
    this.asking = true;
    const found = await this.puller.grasp();
    this.asking = false;
    if (found) this.show(found);
    else this.layer.hidden = true;
    if (this.stale) this.appear();
  }

  private show(grasped: Grasped): void {
    const shape = (all: Grasped | null) => JSON.stringify([all?.grips.map(({ name }) => name), all?.pushes]);
    const fresh = shape(grasped) !== shape(this.grasped);
    this.grasped = grasped;
    if (fresh) this.build();
    if (!this.held) this.chooseScale();
    this.layer.hidden = !this.atStart || this.opener.hidden;
    this.words.textContent = grasped.left_out > 0 ? `${grasped.left_out} more are in the text` : "";
    this.place();
  }

  // The fastest one has an arrow of a third of the picture; what is at rest gets one that lasts a while.
  private chooseScale(): void {
    const fastest = Math.max(...this.grasped!.grips.map(({ velocity }) => Math.hypot(...velocity)), 0);
    const reach = this.stage()?.reach ?? 1;
    this.perSpeed = fastest > 0 ? (0.35 * reach) / fastest : this.player.duration / 20 || 1;
  }

  private build(): void {
    const { grips, pushes } = this.grasped!;
    this.knobs = [];
    grips.forEach((grip, index) => {
      if (pushes) this.knobs.push(this.knob(grip, index, true));
      this.knobs.push(this.knob(grip, index, false));
    });
    this.lines.replaceChildren(this.path);
    this.layer.replaceChildren(this.lines, ...this.knobs.map(({ button }) => button), this.words);
  }

  private knob(grip: Grip, index: number, velocity: boolean): Knob {
    const label = velocity ? `velocity of ${grip.name}` : grip.name;
    const kind = velocity ? "push" : grip.turns ? "turn" : "place";
    const button = element("button", { type: "button", class: `grip ${kind}`, title: `${label}: drag it, or use the arrow keys`, "aria-label": `${label}, move with the arrow keys` });
    const made: Knob = { button, index, velocity };
    button.addEventListener("pointerdown", (event) => this.take(event, made));
    button.addEventListener("pointermove", (event) => this.drag(event, made));
    for (const end of ["pointerup", "pointercancel"] as const) button.addEventListener(end, () => this.release(made));
    button.addEventListener("keydown", (event) => this.press(event, made));
    return made;
  }

  private take(event: PointerEvent, knob: Knob): void {
    if (event.button !== 0) return;
    event.preventDefault();
    knob.button.focus({ preventScroll: true });
    knob.button.setPointerCapture(event.pointerId);
    const { left, top, width, height } = knob.button.getBoundingClientRect();
    this.left = [event.clientX - left - width / 2, event.clientY - top - height / 2];
    this.held = knob;
    this.doneAfter = false;
  }

  private drag(event: PointerEvent, knob: Knob): void {
    if (this.held !== knob) return;
    const { left, top } = this.layer.getBoundingClientRect();
    const grip = this.grasped!.grips[knob.index]!;
    const from = (knob.velocity ? this.tip(grip) : place.fromArray(grip.at)).clone();
    const now = this.stage()!.seen(from, pixels);
    this.pull(knob, from, event.clientX - this.left[0] - left - now.x, event.clientY - this.left[1] - top - now.y, 0);
  }

  private release(knob: Knob): void {
    if (this.held !== knob) return;
    this.held = null;
    if (this.asking) this.doneAfter = true;
    else if (this.grasped) this.puller.changed(this.grasped.start, true);
  }

  private press(event: KeyboardEvent, knob: Knob): void {
    const direction = keys[event.key];
    if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const grip = this.grasped!.grips[knob.index]!;
    const from = (knob.velocity ? this.tip(grip) : place.fromArray(grip.at)).clone();
    const [x, y, z] = direction.map((each) => each * (event.shiftKey ? 1 : 10));
    this.doneAfter = true;
    this.pull(knob, from, x!, y!, z!);
  }

  private pull(knob: Knob, from: Vector3, right: number, below: number, behind: number): void {
    const to = this.stage()!.beside(from, right, below, behind, new Vector3());
    const { at } = this.grasped!.grips[knob.index]!;
    if (knob.velocity) to.sub(new Vector3(...at)).divideScalar(this.perSpeed);
    this.wanted = { grip: knob.index, to: to.toArray() as Vector, ...(knob.velocity ? { velocity: true } : {}) };
    if (!this.asking) void this.ask();
  }

  private async ask(): Promise<void> {
    this.asking = true;
    while (this.wanted) {
      const pull = this.wanted;
      this.wanted = null;
      const found = await this.puller.grasp(pull);
      if (!found) continue;
      this.show(found);
      this.puller.changed(found.start, !this.held && !this.wanted && this.doneAfter);
    }
    this.asking = false;
    this.stale = false;
  }
}
