// What a page shows, as hamel writes it into <script id="hamel-data">.
//
// Numbers that come in long rows are base64 of little-endian arrays. A track has `width` numbers per frame, or
// `width` numbers in all if it does not move; objects refer to tracks by their index.

export interface Packed {
  f32?: string;
  f64?: string;
}

export interface Fact {
  name: string;
  value: string;
}

export interface Equation {
  title: string;
  latex: string[];
  note?: string;
}

export interface Conserved {
  name: string;
  initial: number;
  max_error: number;
  digits: number;
  slope: number;
  kept: "to rounding" | "bounded" | "drifting" | "lost";
}

export interface Chart {
  title: string;
  axis?: string; // what the numbers are; otherwise the title says it
  unit: string;
  log: boolean;
  series: { name: string; values: Packed }[];
}

export type Vector = [number, number, number];

export type SceneObject = { name?: string; color?: string; trail?: boolean } & (
  | { kind: "point"; at: number; radius?: number }
  | { kind: "link"; at: number; to: number; style: "rod" | "spring" | "string"; radius?: number }
  | { kind: "arrow"; at: number; turn: number; length?: number }
  | { kind: "body"; at: number; turn: number; size: Vector }
  | { kind: "cart"; at: number; size?: Vector; axis?: Vector }
  | { kind: "sphere"; at: number; radius: number }
  | { kind: "rail"; at: number; axis: Vector }
  | { kind: "plane"; at: number; axis: Vector }
);

export interface SceneData {
  up: Vector;
  ground: boolean;
  tracks: ({ width: number } & Packed)[];
  objects: SceneObject[];
  camera?: { from?: Vector; follow?: string };
  note?: string;
}

export interface PlaneMark {
  re: number;
  im: number;
  count: number;
  block: number;
  mode: number; // of its place; -1: none
  cause?: string; // symmetries, of a zero
}

// A piece of the page's time.
export interface Clip {
  begin: number;
  end: number;
  loops: boolean;
}

export interface ShownMode {
  re: number;
  im: number;
  frequency: number;
  damping_ratio: number;
  block: number;
  course: "grows" | "drifts" | "oscillates" | "decays";
  moves: string;
  symmetry?: string;
  closed: boolean;
  clips: Clip[]; // one for each amplitude; none where it is not drawn
}

export interface ShownPlace {
  name: string;
  verdict: string;
  reason: string;
  energy: number;
  family: number;
  open: PlaneMark[];
  closed: PlaneMark[];
  modes: ShownMode[];
  rest: Clip;
}

export interface ModesData {
  amplitudes: string[];
  has_energy: boolean;
  places: ShownPlace[];
}

export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

export interface Picture {
  title: string;
  caption: string;
  svg: string; // base64
}

export interface PageData {
  version: string;
  title: string;
  description: string;
  warning?: string;
  model_text: string;
  facts_title: string;
  facts: Fact[];
  tables: Table[];
  pictures: Picture[];
  equations: Equation[];
  conserved: Conserved[];
  time: Packed;
  time_unit: string;
  charts: Chart[];
  coordinates: Chart[]; // of which the reader chooses
  coordinates_note: string;
  scene: SceneData;
  modes?: ModesData;
  note?: string;
}

function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  const array = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) array[i] = text.charCodeAt(i);
  return array.buffer;
}

export function unpack(packed: Packed): Float32Array | Float64Array {
  if (packed.f64 !== undefined) return new Float64Array(bytes(packed.f64));
  return new Float32Array(bytes(packed.f32 ?? ""));
}

export function readPage(): PageData | null {
  const text = document.getElementById("hamel-data")?.textContent ?? "";
  return text.trim().startsWith("{") ? (JSON.parse(text) as PageData) : null;
}
