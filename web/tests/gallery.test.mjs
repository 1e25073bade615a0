// Every model of the gallery, in the browser: it ends where the command ends. Where motions part, as chaotic ones do
// after rounding differently, they are compared over a shorter time.
//   HAMEL_COMMAND=build/hamel node --test tests/gallery.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { openSite, root, startWorker } from "./site.mjs";

const command = resolve(process.env.HAMEL_COMMAND ?? join(root, "build/hamel"));
const only = process.env.HAMEL_MODELS_ONLY?.split(",");
const ids = readdirSync(join(root, "models"))
  .filter((name) => name.endsWith(".toml"))
  .map((name) => name.replace(/\.toml$/, ""))
  .filter((id) => !only || only.includes(id));

let site, page, ask;
before(async () => {
  site = await openSite();
  ({ page } = await site.open());
  ask = await startWorker(page);
});
after(async () => await site.close());

// A number, a vector, or a matrix as a list of its rows: its numbers, column by column.
function numbers(value) {
  if (typeof value === "number") return [value];
  if (typeof value[0] === "number") return value;
  return value[0].flatMap((_, j) => value.map((row) => row[j]));
}

function ofCommand(path, until, set = []) {
  const arguments_ = ["run", path, "--json", "--until", String(until), ...set.flatMap((each) => ["--set", each])];
  const { final } = JSON.parse(execFileSync(command, arguments_, { env: { ...process.env, HAMEL_NATIVE: "0" }, stdio: ["ignore", "pipe", "ignore"] }));
  return final;
}

function distance(final, { q, v }) {
  const parts = Object.values(final);
  const there = [...parts.flatMap(({ values }) => numbers(values)), ...parts.flatMap(({ rates }) => numbers(rates))];
  const here = [...q, ...v];
  assert.equal(here.length, there.length);
  const size = Math.max(1, ...there.map(Math.abs));
  return Math.max(...there.map((x, i) => Math.abs(x - here[i]))) / size;
}

for (const id of ids)
  test(id, async (context) => {
    const report = (words) => context.diagnostic(`the same up to t = ${words}`);
    const path = join(root, "models", `${id}.toml`);
    const { run } = await ask("read", { text: readFileSync(path, "utf8") });
    const step = run.step || run.until / 1000;
    const off = [];
    for (const until of [1000, 100, 20].map((steps) => Math.min(run.until, steps * step))) {
      const { failure, page: shown } = await ask("run", { run: 1, until });
      assert.equal(failure, null);
      assert.ok(shown.scene.objects.length > 0, "there is nothing to see");
      off.push(distance(ofCommand(path, until), await ask("final", { run: 1 })));
      if (off.at(-1) < 1e-9) return report(`${until} of ${run.until}`);
    }
    assert.fail(`it ends ${off.join(", then ")} from where the command ends`);
  });

test("other parameters, as with --set", async () => {
  const path = join(root, "models/spherical-pendulum.toml");
  await ask("read", { text: readFileSync(path, "utf8") });
  await ask("with", { parameters: { m: 3, l: 0.7 } });
  await ask("run", { run: 1, until: 2 });
  assert.ok(distance(ofCommand(path, 2, ["m=3", "l=0.7"]), await ask("final", { run: 1 })) < 1e-9);
});

test("what is wrong is refused with the words and the place of the command", async () => {
  const text = readFileSync(join(root, "models/spherical-pendulum.toml"), "utf8").replace("norm2(", "nrom2(");
  await assert.rejects(ask("read", { text }), (error) => {
    assert.equal(text.split("\n")[error.line - 1].slice(error.column - 1, error.column + 4), "nrom2");
    assert.match(error.message, /did you mean norm2\?/);
    return true;
  });
});
