// `hamel studio`: the same page, with the command behind it.
//   HAMEL_COMMAND=build/hamel node --test tests/native.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { browse, serious } from "../../viewer/tests/browser.mjs";
import { numbers, rest, root } from "./site.mjs";

const command = resolve(process.env.HAMEL_COMMAND ?? join(root, "build/hamel"));
const studioPage = resolve(process.env.HAMEL_STUDIO ?? join(root, "build/studio"));
const folder = mkdtempSync(join(tmpdir(), "hamel-studio-"));
const model = (id) => readFileSync(join(root, "models", `${id}.toml`), "utf8");
let browser;
before(async () => {
  assert.ok(existsSync(join(studioPage, "index.html")), `${studioPage} is empty: run make studio-page first`);
  browser = await browse();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(...words) {
  return startAs(command, { ...process.env, HAMEL_STUDIO: studioPage }, words);
}

async function startAs(program, env, words) {
  const began = performance.now();
  const child = spawn(program, words, { cwd: folder, env: { ...env, HAMEL_MODELS: join(root, "models") }, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let complaint = "";
  child.stderr.on("data", (text) => (complaint += text));
  const [address] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(([code]) => assert.fail(`hamel studio has ended with ${code}: ${complaint}`)),
  ]);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(address).origin) && !/^(data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(address);
  const stop = async () => {
    const asked = performance.now();
    child.kill("SIGINT"); // Ctrl-C
    const [code] = await ended;
    return { code, seconds: (performance.now() - asked) / 1000 };
  };
  const end = async () => {
    assert.deepEqual(serious(complaints), []);
    await context.close();
    return stop();
  };
  return { page, stop, end, context, seconds: () => (performance.now() - began) / 1000 };
}

const title = (page) => page.textContent(".top .title");
const shows = (page, name) => page.waitForFunction((wanted) => document.querySelector(".top .title")?.textContent === wanted, name, { timeout: 60000 });

test("a file is opened; another editor changes it, in place and by another file in its place", async (context) => {
  const file = join(folder, "top.toml");
  writeFileSync(file, model("heavy-top"));
  const { page, end, seconds } = await start("studio", file);
  await shows(page, "Heavy symmetric top");
  await page.waitForSelector(".studio[data-motions] .view canvas");
  context.diagnostic(`the first picture after ${seconds().toFixed(2)} s`);
  assert.ok(seconds() < 20, `${seconds()} s until the first picture`);
  await rest(page);
  writeFileSync(file, model("heavy-top").replace("Heavy symmetric top", "Changed in place"));
  await shows(page, "Changed in place");
  writeFileSync(join(folder, ".new"), model("heavy-top").replace("Heavy symmetric top", "Another file"));
  renameSync(join(folder, ".new"), file);
  await shows(page, "Another file");
  await rest(page);
  writeFileSync(file, model("heavy-top").replace("m*g*top.z", "m*g*top.zz"));
  await page.waitForSelector(".mistake:not([hidden])");
  writeFileSync(file, model("heavy-top"));
  await page.waitForSelector(".mistake", { state: "hidden" });
  const { code, seconds: took } = await end();
  assert.equal(code, 0);
  assert.ok(took < 5, `Ctrl-C took ${took} s`);
});

test("what is typed is written, a run is recorded and opened again", async () => {
  const file = join(folder, "pendulum.toml");
  writeFileSync(file, model("spherical-pendulum"));
  const { page, end } = await start("studio", file);
  await rest(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# mine\n");
  await rest(page);
  assert.equal(readFileSync(file, "utf8"), model("spherical-pendulum"), "nothing is written unasked");
  await page.getByRole("button", { name: "write file" }).click();
  await page.waitForSelector("text=pendulum.toml is written");
  assert.equal(readFileSync(file, "utf8"), `# mine\n${model("spherical-pendulum")}`);
  await page.getByRole("button", { name: "record", exact: true }).click();
  await page.waitForSelector("text=/pendulum-1.h5 has [0-9]+ rows/", { timeout: 60000 });
  assert.ok(existsSync(join(folder, "pendulum-1.h5")));
  const motions = await page.getAttribute(".studio", "data-motions");
  await page.selectOption('select[aria-label="open a record"]', "pendulum-1.h5");
  await page.waitForSelector("text=pendulum-1.h5 is shown");
  assert.equal(await page.getAttribute(".studio", "data-motions"), motions, "it was read, not run");
  await page.focus('input[aria-label="time"]');
  await page.keyboard.press("End");
  assert.match(await page.textContent(".clock"), /^t = 20/);
  for (const width of [1000, 390]) {
    await page.setViewportSize({ width, height: 800 });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `it does not fit into ${width}`);
  }
  assert.equal((await end()).code, 0);
});

test("a chain of 1,000 links runs", async (context) => {
  const file = join(folder, "chain.toml");
  const text = model("chain-pendulum").replace(/^n = 10 .*$/m, "n = 1000").replace("until = 10", "until = 0.1").replace('trails = ["x[10]"]', 'trails = ["x[1000]"]');
  assert.match(text, /^n = 1000$/m);
  writeFileSync(file, text);
  const { page, end, seconds } = await start("studio", file);
  await page.waitForSelector(".studio[data-motions] .view canvas", { timeout: 120000 });
  const first = seconds();
  await page.waitForSelector('.studio[data-state="rest"]', { timeout: 120000 });
  context.diagnostic(`its first picture after ${first.toFixed(1)} s, its 1,000 steps after ${seconds().toFixed(1)} s`);
  assert.equal(await page.textContent(".mistake"), "");
  const { names, rows } = await numbers(page);
  assert.equal(rows.at(-1)[0], 0.1);
  assert.ok(names.includes("q[1000].z"));
  const at = (name) => rows.at(-1)[names.indexOf(name)];
  for (const k of [1, 500, 1000]) assert.ok(Math.abs(Math.hypot(at(`q[${k}].x`), at(`q[${k}].y`), at(`q[${k}].z`)) - 1) < 1e-12);
  assert.equal((await end()).code, 0);
});

test("Ctrl-C ends it in the middle of a long run, and the page says so", async () => {
  const { page, stop, context } = await start("run", "double-spherical-pendulum", "--live", "--until", "1e6");
  await page.waitForSelector('.studio[data-state="work"][data-motions]', { timeout: 60000 });
  const { code, seconds } = await stop();
  assert.equal(code, 0);
  assert.ok(seconds < 5, `${seconds} s`);
  await page.waitForSelector(".mistake:not([hidden])");
  assert.match(await page.textContent(".mistake"), /hamel studio/);
  await context.close();
});

test("installed, it finds its page: bin/hamel and share/hamel/studio", async () => {
  const [bin, share] = [join(folder, "usr/bin"), join(folder, "usr/share/hamel")];
  for (const path of [bin, share]) mkdirSync(path, { recursive: true });
  copyFileSync(command, join(bin, "hamel"));
  cpSync(studioPage, join(share, "studio"), { recursive: true });
  const { HAMEL_STUDIO: _, ...env } = process.env;
  const { page, end } = await startAs(join(bin, "hamel"), env, ["studio"]);
  await page.waitForSelector(".card");
  await page.fill('input[type="search"]', "furuta");
  await page.click(".card");
  await rest(page);
  assert.equal(await title(page), "Furuta pendulum");
  assert.equal((await end()).code, 0);
});
