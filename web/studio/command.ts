// The command that does the same: the run of the moment, in the words of a shell.
import type { RunSettings } from "../client/types";
import type { Studied } from "./link";

// 'l[2]=0.5'; what needs no quotes has none.
function quoted(text: string): string {
  return /^[\w./=+:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function commandLine(file: string, { changes, start }: Studied, settings: RunSettings): string {
  const words = ["hamel", "run", quoted(file)];
  for (const [name, value] of Object.entries(changes)) words.push("--set", quoted(`${name}=${value}`));
  for (const [key, text] of Object.entries(start)) words.push("--start", quoted(`${key}=${text}`));
  words.push("--integrator", settings.integrator);
  if (settings.step > 0) words.push("--step", String(settings.step));
  else if (settings.tolerance > 0) words.push("--tolerance", String(settings.tolerance));
  words.push("--until", String(settings.until));
  if (settings.every > 0) words.push("--every", String(settings.every));
  return words.join(" ");
}
