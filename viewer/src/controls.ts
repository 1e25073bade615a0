// Play, scrub, speed, trails, camera: the bar under the picture, and the keys.
import type { PageData } from "./data";
import type { Drawing } from "./drawing";
import { element, icon } from "./element";
import { spoken } from "./names";
import { written } from "./numbers";
import type { Player } from "./player";
import { Saving } from "./saving";
import type { Stage } from "./stage";

export const icons = {
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M7 5.5h3.6v13H7zM13.4 5.5H17v13h-3.6z",
  reset: "M12 5V1.8L7.2 6 12 10.2V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  save: "M11 4h2v8h3.5L12 16.8 7.5 12H11zM5 18h14v2H5z",
  full: "M5 5h5v2H7v3H5zM14 5h5v5h-2V7h-3zM5 14h2v3h3v2H5zM17 14h2v5h-5v-2h3z",
};

const trailChoices: [string, number][] = [
  ["no trails", 0],
  ["short trails", 0.04],
  ["trails", 0.15],
  ["long trails", 0.4],
  ["all of the past", 1e6],
];

export function button(path: string, label: string, action: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title: label, "aria-label": label }, icon(path));
  made.addEventListener("click", action);
  return made;
}

export function choice(label: string, options: string[], chosen: number, action: (index: number) => void): HTMLSelectElement {
  const select = element("select", { title: label, "aria-label": label });
  options.forEach((text) => select.append(element("option", {}, text)));
  select.selectedIndex = chosen;
  select.addEventListener("change", () => action(select.selectedIndex));
  return select;
}

export class Controls {
  readonly bar = element("div", { class: "controls" });
  memory: number; // of the trails, in time
  private readonly slider = element("input", {
    type: "range", class: "scrub", min: "0", max: "1", step: "any", value: "0", "aria-label": "time",
  });
  private readonly clock = element("output", { class: "clock" });
  private readonly playButton: HTMLButtonElement;

  constructor(
    private readonly page: PageData,
    private readonly player: Player,
    private readonly stage: Stage,
    drawing: Drawing,
    frame: HTMLElement,
    signal?: AbortSignal, // ends its listening
    keys: EventTarget = window, // from where they are heard
  ) {
    this.playButton = button(icons.play, "play or pause (space)", () => player.toggle());
    this.playButton.classList.add("play");
    this.memory = trailMemory(player);
    this.slider.addEventListener("input", () => player.seek(player.begin + Number(this.slider.value) * player.duration));
    let speeds = this.speeds();
    this.bar.append(this.playButton, this.clock, this.slider, speeds);
    player.onNewPiece(() => {
      const fresh = this.speeds();
      speeds.replaceWith(fresh);
      speeds = fresh;
    }, signal);
    if (drawing.hasTrails) this.bar.append(this.trails());
    // A camera that drifts along does not see a drift.
    const follows = drawing.followables.length > 0 || drawing.drifts;
    if (follows && !page.modes) this.bar.append(this.follows(drawing));
    this.bar.append(button(icons.reset, "reset the camera (r)", () => stage.resetCamera()));
    const saving = new Saving(page, stage, () => this.memory);
    this.bar.append(saving.opener);
    if (document.fullscreenEnabled)
      this.bar.append(button(icons.full, "full screen (f)", () => toggleFullScreen(frame)));
    this.bar.append(saving.row);
    player.onChange(() => this.show(), signal);
    this.show();
    this.listenToKeys(keys, frame, signal);
  }

  private show(): void {
    const { player } = this;
    const { t } = player.moment;
    const part = player.duration > 0 ? (t - player.begin) / player.duration : 0;
    this.slider.value = String(part);
    this.slider.style.setProperty("--part", `${100 * part}%`);
    const since = timeText(t - player.origin, player.duration);
    this.clock.textContent = player.timeless ? "" : `t = ${since} ${this.page.time_unit}`.trim();
    const path = this.playButton.querySelector("path")!;
    path.setAttribute("d", player.playing ? icons.pause : icons.play);
  }

  private speeds(): HTMLSelectElement {
    const natural = this.player.speed;
    const factors = [0.1, 0.2, 0.5, 1, 2, 5, 10];
    const options = factors.map((factor) => `${written(factor * natural, 2)}×`);
    return choice("speed", options, 3, (i) => (this.player.speed = natural * factors[i]!));
  }

  private trails(): HTMLSelectElement {
    const names = trailChoices.map(([name]) => name);
    return choice("trails", names, 2, (i) => {
      this.memory = trailMemory(this.player) * (trailChoices[i]![1] / 0.15);
      this.stage.touch();
    });
  }

  private follows(drawing: Drawing): HTMLSelectElement {
    const all = { name: "everything", at: drawing.middle };
    const wanted = this.page.scene.camera?.follow || (drawing.drifts ? all.name : "");
    const some = [all, ...drawing.followables.filter(({ name }, i) => i < 24 || name === wanted)];
    const chosen = some.findIndex(({ name }) => name === wanted);
    const follow = (i: number) => this.stage.follow(some[i]?.at ?? null);
    follow(chosen);
    const options = ["camera at rest", ...some.map(({ name }) => `follow ${spoken(name)}`)];
    return choice("camera", options, chosen + 1, (i) => follow(i - 1));
  }

  private listenToKeys(keys: EventTarget, frame: HTMLElement, signal?: AbortSignal): void {
    const { player } = this;
    const actions: Record<string, (event: KeyboardEvent) => void> = {
      " ": () => player.toggle(),
      ArrowRight: (event) => this.move(1, event.shiftKey),
      ArrowLeft: (event) => this.move(-1, event.shiftKey),
      Home: () => player.seek(player.begin),
      End: () => player.seek(player.end),
      r: () => this.stage.resetCamera(),
      f: () => toggleFullScreen(frame),
    };
    keys.addEventListener("keydown", (heard) => {
      const event = heard as KeyboardEvent;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (target.closest("select, summary, textarea, [contenteditable]") || (event.key === " " && target.closest("button, tr, a"))) return;
      if (target instanceof HTMLInputElement && !target.classList.contains("scrub")) return;
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action(event);
    }, signal ? { signal } : {});
  }

  // A hundredth of the run; with shift, one frame.
  private move(direction: 1 | -1, frameByFrame: boolean): void {
    if (frameByFrame) return this.player.step(direction);
    this.player.seek(this.player.moment.t + (direction * this.player.duration) / 100);
  }
}

// Some three seconds of watching, or a part of a short run.
function trailMemory(player: Player): number {
  return Math.max(1e-12, Math.min(0.15 * player.duration, 4 * player.speed));
}

function timeText(t: number, duration: number): string {
  if (!(duration > 0)) return written(t);
  const digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(Math.max(duration, 1e-9)))));
  return t.toFixed(duration >= 1e4 ? 0 : Math.min(digits, 6));
}

function toggleFullScreen(frame: HTMLElement): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void frame.requestFullscreen();
}
