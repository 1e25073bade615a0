// hamel in a Worker. A run is taken in slices of 20 ms; between them other questions, or the word to stop, are heard.
import start, { type HamelModule } from "hamel-module";
import type { PageData } from "../../viewer/src/data";
import type { CallName, Calls, Question, Refusal, Reply, RunOutcome } from "./types";

const slice = 20; // milliseconds
const firstLook = 150; // then twice as long each time

class Refused extends Error {
  constructor(readonly why: Refusal) {
    super(why.message);
  }
}

const ready: Promise<HamelModule> = start({ locateFile: (name: string) => new URL(name, self.location.href).href });

function withText<T>(module: HamelModule, text: string, use: (pointer: number) => T): T {
  const size = module.lengthBytesUTF8(text) + 1;
  const pointer = module._malloc(size);
  module.stringToUTF8(text, pointer, size);
  try {
    return use(pointer);
  } finally {
    module._free(pointer);
  }
}

function call<K extends CallName>(module: HamelModule, name: K, ask: Calls[K]["ask"]): Calls[K]["answer"] {
  const request = JSON.stringify({ do: name, ...ask });
  const answer = JSON.parse(withText(module, request, (pointer) => module.UTF8ToString(module._hamel_call(pointer))));
  if (answer.refused) throw new Refused(answer.refused as Refusal);
  return answer;
}

const reply = (message: Reply) => postMessage(message);
const pause = () => new Promise<void>((next) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => next();
  port2.postMessage(null);
});

const stopped = new Set<number>();

async function run(module: HamelModule, id: number, ask: Calls["begin"]["ask"]): Promise<RunOutcome | null> {
  const { settings, remarks } = call(module, "begin", ask);
  const began = performance.now();
  let next = firstLook;
  for (;;) {
    const { goes_on, fraction, failure } = call(module, "advance", { run: ask.run, milliseconds: slice });
    if (!goes_on) {
      const page = call(module, "page", { run: ask.run });
      return { page, settings, remarks, failure: failure ?? null };
    }
    const looks = performance.now() - began > next;
    let page: PageData | null = null;
    if (looks) {
      page = call(module, "page", { run: ask.run });
      next = 2 * (performance.now() - began);
    }
    reply({ id, kind: "progress", fraction, page });
    await pause();
    if (stopped.delete(id)) return null;
  }
}

async function answer({ id, call: name, ask }: Question): Promise<void> {
  const module = await ready;
  try {
    const answer = name === "run" ? await run(module, id, ask as Calls["begin"]["ask"]) : call(module, name as CallName, ask as never);
    reply({ id, kind: "done", answer });
  } catch (error) {
    const why = error instanceof Refused ? error.why : { message: String(error) };
    reply({ id, kind: "refused", why });
  }
}

self.onmessage = ({ data }: MessageEvent<Question | { stop: number }>) => {
  if ("stop" in data) stopped.add(data.stop);
  else void answer(data);
};
