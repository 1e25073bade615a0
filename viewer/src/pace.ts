// How finely the picture is drawn: all of it at rest, and while it moves as much as there is time for. Without a
// graphics card the processor draws every point of it, so that a moving picture begins coarse there.

export interface Detail {
  ratio: number; // points of the picture for one of the page, to a side
  shadows: boolean;
  fine: boolean; // shapes as round as they are, or of fewer triangles
  whole: boolean; // nothing is left out
}

const slow = 1000 / 28; // milliseconds of a frame
const quick = 1000 / 36;
const pause = 180; // after which it stands still
const settled = 12; // frames before anything is said about them
const beginning = 800; // in which shaders are compiled and motions computed: nothing is said about it

export class Pace {
  private level: number;
  private moving = false;
  private began = 0; // to move
  private last = -Infinity; // when something moved
  private spent: number[] = []; // milliseconds of the last frames
  private patience = 2000; // with quick frames, before finer ones are tried
  private quickSince = Infinity;
  private triedAt = -Infinity;

  constructor(
    private readonly software: boolean,
    private readonly always: boolean, // everything, however long it takes
  ) {
    this.level = software ? 2 : 0;
  }

  get detail(): Detail {
    const screen = Math.min(window.devicePixelRatio, 2);
    const full = { ratio: this.software ? 2 : screen, shadows: true, fine: true, whole: true };
    if (this.always || !this.moving) return full;
    const base = Math.min(screen, 1);
    const levels: Detail[] = [
      full,
      { ratio: base, shadows: true, fine: true, whole: false },
      { ratio: base, shadows: false, fine: false, whole: false },
      { ratio: 0.8 * base, shadows: false, fine: false, whole: false },
      { ratio: 0.6 * base, shadows: false, fine: false, whole: false },
    ];
    return levels[this.level]!;
  }

  // Something has changed, and is drawn now.
  move(now: number): void {
    if (!this.moving) this.began = now;
    else if (now - this.began > beginning) this.count(now, now - this.last);
    this.moving = true;
    this.last = now;
  }

  // True once it stands still: what was drawn coarsely is drawn again.
  rest(now: number): boolean {
    if (!this.moving || now - this.last < pause) return false;
    this.moving = false;
    this.spent = [];
    this.quickSince = Infinity;
    return true;
  }

  private count(now: number, milliseconds: number): void {
    this.spent.push(milliseconds);
    if (this.spent.length < settled) return;
    const usual = this.spent.sort((a, b) => a - b)[settled >> 1]!;
    this.spent = [];
    if (usual > slow) this.coarser(now);
    else if (usual < quick) this.finer(now);
    else this.quickSince = Infinity;
  }

  // Where finer frames have just proved slow, they are not tried again soon.
  private coarser(now: number): void {
    if (now - this.triedAt < 3000) this.patience = Math.min(8 * this.patience, 1e6);
    this.level = Math.min(this.level + 1, 4);
    this.quickSince = Infinity;
  }

  private finer(now: number): void {
    this.quickSince = Math.min(this.quickSince, now);
    const finest = this.software ? 2 : 0; // shadows cost a processor more than they show
    if (this.level <= finest || now - this.quickSince < this.patience) return;
    this.level -= 1;
    this.triedAt = now;
    this.quickSince = Infinity;
  }
}
