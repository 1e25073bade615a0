// A link that holds everything: the text, the parameters that were changed, the run. Nothing is sent to a server: what
// stands after # stays in the browser.
import type { Changes, RunSettings, Start } from "../client/types";

export interface Studied {
  text: string;
  changes: Changes;
  start: Start; // what was dragged
  run: Partial<RunSettings>;
  compare?: Partial<RunSettings>;
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, BufferSource>);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

const most = 1 << 20; // characters of a model in a link

export async function encode(studied: Studied): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(studied)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function numbersOf(value: unknown): Record<string, number> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, number]) => typeof number === "number" && Number.isFinite(number)));
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === "string" && text.length < most));
}

function runOf(value: unknown): Partial<RunSettings> {
  const { step, tolerance, until, every } = numbersOf(value);
  const integrator = (value as { integrator?: unknown } | null)?.integrator;
  const given = Object.entries({ step, tolerance, until, every }).filter(([, number]) => number !== undefined);
  return { ...Object.fromEntries(given), ...(typeof integrator === "string" ? { integrator } : {}) };
}

export function studying(text: string): Studied {
  return { text, changes: {}, start: {}, run: {} };
}

// Null: it is no such link, or a damaged one.
export async function decode(link: string): Promise<Studied | null> {
  try {
    const packed = Uint8Array.from(atob(link.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const found = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
    if (typeof found.text !== "string" || found.text.length > most) return null;
    const compare = found.compare ? { compare: runOf(found.compare) } : {};
    return { text: found.text, changes: numbersOf(found.changes), start: textsOf(found.start), run: runOf(found.run), ...compare };
  } catch {
    return null;
  }
}
