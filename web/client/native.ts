// hamel behind `hamel studio`, with the manners of a Worker: a process of its own on this machine answers. What it says
// comes as server-sent events, what it is asked is posted, one question after another.
import type { FileOnDisk, Reply } from "./types";

export type Heard = { data: Reply | FileOnDisk };

type Said = Reply | FileOnDisk | { kind: "open"; page: number } | { kind: "ended" };

// Which engine this page was served with: the word is in the page (cli/studio.cpp).
const served = document.querySelector<HTMLMetaElement>('meta[name="hamel-engine"]')?.content ?? "worker";
export const isNative = served.startsWith("native");
export const hasFile = served === "native file"; // and one is shown from the start

export class NativeWorker {
  onmessage: ((event: Heard) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  private readonly life = new AbortController();
  private readonly page: Promise<number>;
  private last: Promise<unknown>;
  private over = false;

  constructor() {
    let opened: (page: number) => void, failed: (why: Error) => void;
    this.page = new Promise<number>((done, fail) => ([opened, failed] = [done, fail]));
    this.last = this.page.catch(() => undefined);
    this.listen((page) => opened(page)).then(
      () => this.end("hamel studio has ended"),
      (error: Error) => this.end(error.message),
    ).finally(() => failed(new Error("over")));
  }

  postMessage(message: unknown): void {
    this.last = this.last.then(() => this.post(JSON.stringify(message))).catch(() => this.end("hamel studio does not answer any more: is it still running?"));
  }

  terminate(): void {
    this.over = true;
    this.life.abort();
  }

  private async post(body: string): Promise<void> {
    if (this.over) return;
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(new URL(`ask/${await this.page}`, document.baseURI), { method: "POST", headers, body, signal: this.life.signal });
    if (!response.ok) throw new Error(String(response.status));
  }

  private async listen(opened: (page: number) => void): Promise<void> {
    const response = await fetch(new URL("events", document.baseURI), { signal: this.life.signal }).catch(() => {
      throw new Error("hamel studio does not answer: is it still running?");
    });
    if (!response.ok) throw new Error((await response.text()) || `hamel studio answers ${response.status}`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let parts: string[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const [first, ...rest] = value.split("\n");
      parts.push(first!);
      for (const next of rest) {
        this.hear(parts.join(""), opened);
        parts = [next];
      }
    }
  }

  private hear(line: string, opened: (page: number) => void): void {
    if (this.over || !line.startsWith("data: ")) return;
    let said: Said;
    try {
      said = JSON.parse(line.slice("data: ".length)) as Said;
    } catch {
      return; // cut off: the next line says why
    }
    if (said.kind === "open") opened(said.page);
    else if (said.kind === "ended") this.end("the process that computes has ended: it may have had too little memory");
    else this.onmessage?.({ data: said });
  }

  private end(message: string): void {
    if (this.over) return;
    this.terminate();
    this.onerror?.({ message, preventDefault: () => undefined });
  }
}
