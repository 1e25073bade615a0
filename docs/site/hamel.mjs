// What the program knows about each model of the gallery, and its motion.
import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { program, repository } from "./places.mjs";

const execute = promisify(execFile);

class Refusal extends Error {}

async function hamel(...args) {
  try {
    return (await execute(program, args, { cwd: repository, maxBuffer: 1 << 28 })).stdout;
  } catch (error) {
    throw new Refusal(`hamel ${args.join(" ")}\n${error.stderr?.trim() || error.message}`);
  }
}

async function json(...args) {
  return JSON.parse(await hamel(...args, "--json", "--quiet"));
}

export function listed() {
  return json("list");
}

// Calls the action for all items, some of them at the same time.
export async function each(items, action, together = 2) {
  const waiting = items.entries();
  const results = [];
  const worker = async () => {
    for (const [i, item] of waiting) results[i] = await action(item);
  };
  await Promise.all(Array.from({ length: together }, worker));
  return results;
}

const forms = ["omega", "velocity", "mu", "pi"];
const longest = { form: 12000, energies: 4000 }; // characters of LaTeX that someone might read

// A form of the equations, null where the model has none or no one would read it.
async function formOf(id, form, n) {
  try {
    return { ...(await json("equations", id, "--form", form, ...(n ? ["--set", `n=${n}`] : []))), n };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const length = (formulas) => formulas.join("").length;
const energiesLength = ({ energies }) => length(energies.map(({ latex }) => latex));

// The equations in all forms, and the energies; of a smaller member of the family where the model has a number n and
// they would be long.
async function equationsOf(id, text) {
  const n = Number(/^n = (\d+)/m.exec(text)?.[1] ?? 0);
  const sizes = [0, ...[3, 2].filter((smaller) => smaller < n)];
  const equations = [];
  let energies = null;
  for (const form of forms)
    for (const size of sizes) {
      const found = await formOf(id, form, size);
      if (found === null) continue;
      if (energies === null && energiesLength(found) <= longest.energies) energies = found;
      if (length(found.latex) > longest.form) continue;
      const known = equations.some((other) => length(other.latex) === length(found.latex));
      if (!known) equations.push(found);
      break;
    }
  return { equations, energies };
}

function fieldsOf(line) {
  return [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map((match) => match[1] ?? match[2]);
}

function columnsOf(csv) {
  const [head, ...rows] = csv.trim().split("\n");
  const numbers = rows.map((row) => row.split(",").map(Number));
  return fieldsOf(head).map((name, j) => ({ name, values: numbers.map((row) => row[j]) }));
}

export async function modelOf(entry, folder) {
  const { id } = entry;
  const text = readFileSync(join(repository, "models", `${id}.toml`), "utf8");
  const record = join(folder, `${id}.h5`);
  const motion = join(folder, `${id}.html`);
  const run = await json("run", id, "--out", record, "--report", motion, "--overwrite");
  const columns = columnsOf(await hamel("convert", record, "--csv", "-"));
  rmSync(record);
  const check = await json("check", id);
  return { ...entry, text, motion, run, columns, check, ...(await equationsOf(id, text)) };
}
