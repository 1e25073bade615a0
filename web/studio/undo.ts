// What was before. Changes of the same kind that follow each other quickly are one; a drag is one, however long it takes.
const together = 1000; // milliseconds

export class Undo<T> {
  private readonly past: T[] = [];
  private future: T[] = [];
  private kind = "";
  private at = -Infinity;

  constructor(private readonly most = 200) {}

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  // Before a change of that kind.
  remember(before: T, kind: string, now = performance.now()): void {
    const goesOn = kind === this.kind && (kind === "drag" || now - this.at < together);
    this.kind = kind;
    this.at = now;
    this.future = [];
    if (goesOn) return;
    this.past.push(structuredClone(before));
    if (this.past.length > this.most) this.past.shift();
  }

  // What comes now is another change, even of the same kind: what was dragged is let go.
  close(): void {
    this.kind = "";
  }

  undo(now: T): T | null {
    return this.step(this.past, this.future, now);
  }

  redo(now: T): T | null {
    return this.step(this.future, this.past, now);
  }

  private step(from: T[], to: T[], now: T): T | null {
    const found = from.pop();
    if (found === undefined) return null;
    to.push(structuredClone(now));
    this.kind = "";
    return found;
  }
}
