// The command that does the same: the run of the moment, in the words of a shell.
import type { RunSettings } from "../client/types";
import type { Studied } from "./link";

// 'l[2]=0.5'; what needs no quotes has none.
function quoted(text: string): string {
  return /^[\w./=+:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function commandLine(file: string, { changes, start }: Studied, settings: RunSettings): string {
  const lines = [`hamel run ${quoted(file)}`];
  for (const [name, value] of Object.entries(changes)) lines.push(`--set ${quoted(`${name}=${value}`)}`);
  for (const [key, text] of Object.entries(start)) lines.push(`--start ${quoted(`${key}=${text}`)}`);
  const fineness = settings.step > 0 ? ` --step ${settings.step}` : settings.tolerance > 0 ? ` --tolerance ${settings.tolerance}` : "";
  lines.push(`--integrator ${settings.integrator}${fineness}`);
  lines.push(`--until ${settings.until}${settings.every > 0 ? ` --every ${settings.every}` : ""}`);
  return lines.join(" \\\n    ");
}
