// What hamel answers: include/hamel/studio/studio.hpp.
import type { Packed, PageData, Vector } from "../../viewer/src/data";

export interface Refusal {
  message: string;
  line?: number; // from 1
  column?: number; // from 1, in characters
  begin?: number; // in bytes
  length?: number;
  lost?: boolean; // hamel had to begin anew, and knows no model
}

export interface RunSettings {
  integrator: string;
  step: number; // 0: the method chooses
  tolerance: number; // 0: not given
  until: number;
  every: number; // 0: at every step
}

export interface ParameterInfo {
  name: string;
  rows: number;
  cols: number;
  value: number[]; // column by column
  formula?: string; // of other parameters, which it follows
  fixed?: string; // what was made from it, so that it cannot change
  unit?: string;
}

export interface ModelInfo {
  name: string;
  description: string;
  source: string;
  space: string;
  parameters: ParameterInfo[];
  run: RunSettings;
  remarks: string[];
}

export interface MethodInfo {
  name: string;
  order: number;
  keeps: string;
  takes_step: boolean;
  takes_tolerance: boolean;
  refused?: string; // why it is not for this model
}

export interface Examination {
  degrees_of_freedom: number;
  path: string;
  energy_conserved: boolean;
  momenta: { name: string; generator: string; formula: string; exact_for_variational: boolean }[];
  undecided: string[];
  methods: MethodInfo[];
  remarks: string[];
}

export type FormName = "velocity" | "omega" | "mu" | "pi";

export interface Equations {
  latex: string[];
  energies: string[];
  reason: string; // why they are in components
}

export interface EquilibriaAnswer {
  count: number;
  remark: string;
  page: PageData | null;
}

export interface Column {
  name: string;
  unit: string;
  values: Packed;
}

export interface State {
  t: number;
  q: number[];
  v: number[];
}

export type Changes = Record<string, number>; // m, l[2]
export type Start = Record<string, string>; // entries of [start], as --start takes them: q[1], [0, 0, 1]

// What can be taken hold of in the picture, at the start.
export interface Grip {
  name: string;
  turns: boolean; // the end of an axis or of a direction; otherwise a place
  at: Vector;
  velocity: Vector;
}

export interface Pull {
  grip: number;
  to: Vector; // where it should be, or how fast
  velocity?: boolean;
}

export interface Grasped {
  start: Start;
  grips: Grip[];
  left_out: number; // beyond those that are shown
  pushes: boolean; // can velocities be chosen?
}

// What can be asked, and the answer to it.
export interface Calls {
  read: { ask: { text: string }; answer: ModelInfo };
  with: { ask: { parameters: Changes; start?: Start }; answer: { parameters: ParameterInfo[] } };
  grasp: { ask: { start: Start; pull?: Pull }; answer: Grasped };
  examine: { ask: object; answer: Examination };
  equations: { ask: { form: FormName }; answer: Equations };
  code: { ask: { form: FormName }; answer: { c: string } };
  equilibria: { ask: object; answer: EquilibriaAnswer };
  begin: { ask: { run: number } & Partial<RunSettings>; answer: { settings: RunSettings; remarks: string[] } };
  advance: { ask: { run: number; milliseconds: number }; answer: { goes_on: boolean; fraction: number; failure?: string } };
  final: { ask: { run: number }; answer: State };
  page: { ask: { run: number }; answer: PageData };
  report: { ask: { run: number }; answer: PageData };
  columns: { ask: { run: number }; answer: Column[] };
  end: { ask: { run: number }; answer: object };
}

// What only `hamel studio` can do: the files of its folder.
export interface DiskCalls {
  files: { ask: object; answer: { folder: string; files: { name: string; size: number }[] } };
  open: { ask: { name: string }; answer: { text: string } };
  save: { ask: { name: string; text: string }; answer: object };
  recorded: { ask: { name: string }; answer: { text: string; damage: string; page: PageData } };
}

export interface Recorded {
  rows: number;
  t: number;
  finished: boolean;
}

// The model file that `hamel studio` was opened on: at first, and whenever it changes.
export interface FileOnDisk {
  kind: "file";
  name: string;
  writable: boolean;
  text: string;
  changes: Changes;
  run: Partial<RunSettings>;
}

export type CallName = keyof Calls;

// Between the page and its worker. `run` is taken in slices; all else is one call.
export interface Question {
  id: number;
  call: CallName | keyof DiskCalls | "run" | "record";
  ask: Record<string, unknown>;
}

export type Reply = { id: number } & (
  | { kind: "done"; answer: unknown }
  | { kind: "refused"; why: Refusal }
  | { kind: "progress"; fraction: number; page: PageData | null }
);

export interface RunOutcome {
  page: PageData;
  settings: RunSettings;
  remarks: string[];
  failure: string | null;
}
