// What the program knows about each model of the gallery, and its motion.
import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { program, repository } from "./places.mjs";

const execute = promisify(execFile);

async function hamel(...args) {
  const { stdout } = await execute(program, args, { cwd: repository, maxBuffer: 1 << 28 });
  return stdout;
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

export const forms = ["omega", "velocity", "mu", "pi"];
const longest = 9000; // characters of LaTeX in one form that someone might read
const length = (equations) => equations.latex.join("").length;

// A form of the equations: of a shorter member of the family where the model has a number n, or null.
async function form(id, name, sizes) {
  for (const n of sizes) {
    try {
      const equations = await json("equations", id, "--form", name, ...(n ? ["--set", `n=${n}`] : []));
      if (length(equations) <= longest) return { ...equations, n };
    } catch (error) {
      if (!/coordinates|no .*form|field|refuse|n\b/.test(error.stderr ?? "")) throw error;
    }
  }
  return null;
}

async function equationsOf(id, text) {
  const n = Number(/^n = (\d+)/m.exec(text)?.[1] ?? 0);
  const sizes = [0, ...[3, 2].filter((smaller) => smaller < n)];
  const all = [];
  for (const name of forms) {
    const found = await form(id, name, sizes);
    const known = found && all.some((other) => other.latex.join() === found.latex.join());
    if (found && !known) all.push(found);
  }
  return all;
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
  return { ...entry, text, motion, run, columns, check, equations: await equationsOf(id, text) };
}
