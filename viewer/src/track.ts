// Numbers along the motion, between the frames too.
import { Matrix4, Quaternion, Vector3 } from "three";
import { unpack, type Packed } from "./data";

// A moment between two frames.
export interface Moment {
  t: number;
  frame: number; // t is between this frame and the next one
  part: number; // how far, 0 to 1
}

export function momentAt(times: ArrayLike<number>, t: number): Moment {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= t) low = middle;
    else high = middle;
  }
  const length = (times[low + 1] ?? 0) - times[low]!;
  const part = length > 0 ? Math.min(1, Math.max(0, (t - times[low]!) / length)) : 0;
  return { t, frame: low, part };
}

export class Track {
  readonly frames: number;

  constructor(
    readonly values: Float32Array,
    readonly width: number,
  ) {
    this.frames = values.length / width;
  }

  static read(data: { width: number } & Packed): Track {
    return new Track(Float32Array.from(unpack(data)), data.width);
  }

  get moves(): boolean {
    return this.frames > 1;
  }

  // The cubic through four frames; near the ends of the motion, the nearest ones there are.
  position(moment: Moment, out: Vector3): Vector3 {
    if (!this.moves) return out.fromArray(this.values, 0);
    const last = this.frames - 1;
    const k = moment.frame;
    const s = moment.part;
    const rows = [Math.max(k - 1, 0), k, Math.min(k + 1, last), Math.min(k + 2, last)];
    const weights = [
      s * (s * (2 - s) - 1) * 0.5,
      (s * s * (3 * s - 5) + 2) * 0.5,
      s * (s * (4 - 3 * s) + 1) * 0.5,
      s * s * (s - 1) * 0.5,
    ];
    out.set(0, 0, 0);
    for (let i = 0; i < 4; ++i) {
      const row = 3 * rows[i]!;
      out.x += weights[i]! * this.values[row]!;
      out.y += weights[i]! * this.values[row + 1]!;
      out.z += weights[i]! * this.values[row + 2]!;
    }
    return out;
  }

  // Column-major rotation matrices, as quaternions, by slerp.
  attitude(moment: Moment, out: Quaternion): Quaternion {
    this.rotation(moment.frame, out);
    if (this.moves) out.slerp(this.rotation(Math.min(moment.frame + 1, this.frames - 1), next), moment.part);
    return out;
  }

  private rotation(frame: number, out: Quaternion): Quaternion {
    const v = this.values;
    const i = this.moves ? 9 * frame : 0;
    matrix.set(
      v[i]!, v[i + 3]!, v[i + 6]!, 0,
      v[i + 1]!, v[i + 4]!, v[i + 7]!, 0,
      v[i + 2]!, v[i + 5]!, v[i + 8]!, 0,
      0, 0, 0, 1,
    );
    return out.setFromRotationMatrix(matrix).normalize();
  }
}

const matrix = new Matrix4();
const next = new Quaternion();
