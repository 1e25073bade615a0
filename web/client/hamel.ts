// hamel, asked from a page: every answer is a promise, and the page never waits.
//
//   const hamel = new Hamel();
//   const model = await hamel.ask("read", { text });
//   const { page } = (await hamel.run({ run: 1 }, { progress: (fraction) => ... }).outcome)!;
//
// What is refused is a HamelError, with its place in the text where it has one. What cannot be stopped in between (a
// derivation, a search for equilibria) is ended with its worker: `restart`.
import type { PageData } from "../../viewer/src/data";
import type { CallName, Calls, Refusal, Reply, RunOutcome } from "./types";

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

export class Hamel {
  private worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  constructor(private readonly address: string | URL = new URL("worker.js", document.baseURI)) {
    this.worker = this.open();
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
    return { outcome, stop: () => this.worker.postMessage({ stop: id }) };
  }

  // Ends whatever is being done; the model has to be read again.
  restart(): void {
    this.worker.terminate();
    for (const { failed } of this.waiting.values()) failed(new HamelError({ message: "stopped" }));
    this.waiting.clear();
    this.worker = this.open();
  }

  private send(call: CallName | "run", ask: object, watch?: Watch): Promise<unknown> {
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed, ...(watch ? { watch } : {}) });
      this.worker.postMessage({ id, call, ask });
    });
  }

  private open(): Worker {
    const worker = new Worker(this.address, { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message || "hamel could not be started in this browser");
    };
    return worker;
  }

  private hear(reply: Reply): void {
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
    for (const { failed } of this.waiting.values()) failed(new HamelError({ message }));
    this.waiting.clear();
  }
}
