// hamel, asked from a page: every answer is a promise, and the page never waits.
//
//   const hamel = new Hamel();
//   const model = await hamel.ask("read", { text });
//   const { page } = (await hamel.run({ run: 1 }, { progress: (fraction) => ... }).outcome)!;
//
// What is refused is a HamelError, with its place in the text where it has one. What cannot be stopped in between (a
// derivation, a search for equilibria) is ended with its worker: `restart`.
import type { PageData } from "../../viewer/src/data";
import { isNative, NativeWorker, type Heard } from "./native";
import type { CallName, Calls, DiskCalls, FileOnDisk, Question, Recorded, Refusal, Reply, RunOutcome, RunSettings } from "./types";

export class HamelError extends Error {
  constructor(readonly why: Refusal) {
    super(why.message);
  }
}

export interface Watch {
  progress?(fraction: number): void;
  look?(page: PageData): void; // the motion so far, now and then
}

interface Waiting {
  done(answer: unknown): void;
  failed(error: Error): void;
  watch?: Watch;
}

export interface Running {
  outcome: Promise<RunOutcome | null>; // null: it was stopped
  stop(): void;
}

export interface Recording {
  outcome: Promise<Recorded>;
  stop(): void;
}

export class Hamel {
  onFile: ((file: FileOnDisk) => void) | null = null; // behind `hamel studio`
  private worker: Worker | NativeWorker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  constructor(private readonly address: string | URL = new URL("worker.js", import.meta.url)) {
    this.post();
  }

  get busy(): boolean {
    return this.waiting.size > 0;
  }

  ask<K extends CallName>(call: K, ask: Calls[K]["ask"]): Promise<Calls[K]["answer"]> {
    return this.send(call, ask) as Promise<Calls[K]["answer"]>;
  }

  run(ask: Calls["begin"]["ask"], watch: Watch = {}): Running {
    const id = this.next;
    const outcome = this.send("run", ask, watch) as Promise<RunOutcome | null>;
    return { outcome, stop: () => this.post({ stop: id }) };
  }

  // Behind `hamel studio`: a file of its folder, and a run that is recorded there.
  disk<K extends keyof DiskCalls>(call: K, ask: DiskCalls[K]["ask"]): Promise<DiskCalls[K]["answer"]> {
    return this.send(call, ask) as Promise<DiskCalls[K]["answer"]>;
  }

  record(ask: { name: string } & Partial<RunSettings>, watch: Watch = {}): Recording {
    const id = this.next;
    const outcome = this.send("record", ask, watch) as Promise<Recorded>;
    return { outcome, stop: () => this.post({ stop: id }) };
  }

  // Ends whatever is being done; the model has to be read again.
  restart(): void {
    this.worker?.terminate();
    this.worker = null;
    this.fail("stopped");
    this.post();
  }

  // What has ended is begun anew when it is needed.
  private post(...messages: object[]): void {
    this.worker ??= this.open();
    for (const message of messages) this.worker.postMessage(message);
  }

  private send(call: Question["call"], ask: object, watch?: Watch): Promise<unknown> {
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed, ...(watch ? { watch } : {}) });
      this.post({ id, call, ask });
    });
  }

  private open(): Worker | NativeWorker {
    const worker = isNative ? new NativeWorker() : new Worker(this.address, { type: "module" });
    worker.onmessage = ({ data }: Heard) => this.hear(data);
    worker.onerror = (event: { message: string; preventDefault(): void }) => {
      event.preventDefault();
      if (isNative) this.worker = null;
      this.fail(event.message || "hamel could not be started in this browser");
    };
    return worker;
  }

  private hear(reply: Reply | FileOnDisk): void {
    if (reply.kind === "file") return this.onFile?.(reply);
    const waiting = this.waiting.get(reply.id);
    if (!waiting) return;
    if (reply.kind === "progress") {
      waiting.watch?.progress?.(reply.fraction);
      if (reply.page) waiting.watch?.look?.(reply.page);
      return;
    }
    this.waiting.delete(reply.id);
    if (reply.kind === "done") waiting.done(reply.answer);
    else waiting.failed(new HamelError(reply.why));
  }

  private fail(message: string): void {
    for (const { failed } of this.waiting.values()) failed(new HamelError({ message, lost: true }));
    this.waiting.clear();
  }
}
