// Time: it runs, stops, jumps. Everything that shows a moment listens here.
import { momentAt, type Moment } from "./track";

export class Player {
  begin: number;
  end: number;
  origin = 0; // what the clock calls zero
  timeless = false; // is the clock without meaning?
  playing = false;
  speed: number;
  private now: number;
  private last = 0;
  private readonly listeners = new Set<(moment: Moment) => void>();
  private readonly pieceListeners = new Set<() => void>();

  constructor(public times: Float64Array) {
    this.begin = times[0] ?? 0;
    this.end = times[times.length - 1] ?? 0;
    this.now = this.begin;
    this.speed = this.naturalSpeed();
  }

  get duration(): number {
    return this.end - this.begin;
  }

  get moment(): Moment {
    return momentAt(this.times, this.now);
  }

  onChange(listener: (moment: Moment) => void, signal?: AbortSignal): void {
    this.listeners.add(listener);
    signal?.addEventListener("abort", () => this.listeners.delete(listener));
  }

  // Another motion, seen at the same moment, at the same speed where it lasts as long.
  load(times: Float64Array): void {
    const { duration } = this;
    Object.assign(this, { times, origin: 0, timeless: false });
    this.begin = times[0] ?? 0;
    this.end = times[times.length - 1] ?? 0;
    if (duration !== this.duration) {
      this.speed = this.naturalSpeed();
      for (const listener of this.pieceListeners) listener();
    }
    this.seek(this.now);
  }

  // From now on this piece only, at a speed that can be followed.
  show(begin: number, end: number, timeless: boolean): void {
    Object.assign(this, { begin, end, origin: begin, timeless });
    this.speed = this.naturalSpeed(1.5, 3);
    for (const listener of this.pieceListeners) listener();
    this.seek(begin);
  }

  onNewPiece(listener: () => void, signal?: AbortSignal): void {
    this.pieceListeners.add(listener);
    signal?.addEventListener("abort", () => this.pieceListeners.delete(listener));
  }

  seek(t: number): void {
    this.now = Math.min(this.end, Math.max(this.begin, t));
    const { moment } = this;
    for (const listener of this.listeners) listener(moment);
  }

  toggle(): void {
    this.playing = !this.playing && this.duration > 0;
    if (this.playing && this.now >= this.end) this.seek(this.begin);
    this.seek(this.now);
  }

  // To the next or the previous frame.
  step(direction: 1 | -1): void {
    this.playing = false;
    const { frame, part } = this.moment;
    const target = direction > 0 ? frame + (part < 1 ? 1 : 2) : part > 0 ? frame : frame - 1;
    this.seek(this.times[Math.min(this.times.length - 1, Math.max(0, target))]!);
  }

  tick(milliseconds: number): void {
    const passed = Math.min(0.1, (milliseconds - this.last) / 1000);
    this.last = milliseconds;
    if (!this.playing) return;
    const next = this.now + passed * this.speed;
    this.seek(next > this.end ? this.begin : next);
  }

  // Real time where that takes a few seconds to two minutes, otherwise half a minute for all.
  private naturalSpeed(shortest = 4, seconds = 6): number {
    const { duration } = this;
    if (!(duration > 0)) return 1;
    if (duration >= shortest && duration <= 120) return 1;
    const speed = duration / (duration < shortest ? seconds : 30);
    const power = Math.pow(10, Math.floor(Math.log10(speed)));
    const digit = speed / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
  }
}
