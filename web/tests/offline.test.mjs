// Once loaded, the page needs no network; another deployment takes its place; nothing is asked of anyone else.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { browse, serious } from "../../viewer/tests/browser.mjs";
import { serve } from "../serve.mjs";
import { folder, rest } from "./site.mjs";

test("it is reloaded offline, with a model and its motion, and asks no one else", async () => {
  const server = await serve(folder);
  const browser = await browse();
  const address = `http://127.0.0.1:${server.address().port}/`;
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const asked = [], complaints = [];
  context.on("request", (request) => asked.push(request.url()));
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  await page.waitForSelector(".card");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const pause = () => new Promise((next) => setTimeout(next, 50));
    while (!navigator.serviceWorker.controller) await pause();
    while (!(await caches.match(document.querySelector(".card img").src))) await pause();
  });
  server.close();
  server.closeAllConnections();
  await context.setOffline(true);
  await page.goto(`${address}#model=furuta-pendulum`);
  await page.reload();
  await rest(page);
  assert.equal(await page.textContent(".top .title"), "Furuta pendulum");
  assert.equal(await page.locator(".view canvas").count(), 1);
  await page.goto(`${address}#`);
  await page.waitForSelector(".card");
  assert.ok(await page.locator(".card img[src]").first().evaluate((image) => image.decode().then(() => image.naturalWidth > 0)));
  const others = asked.filter((url) => !url.startsWith(address) && !/^(data|blob):/.test(url));
  assert.deepEqual(others, []);
  assert.deepEqual(serious(complaints), []);
  await browser.close();
});

test("the first visit fetches no more than 2 MB, with all that its service worker keeps", async () => {
  const server = await serve(folder);
  const asked = new Set();
  server.on("request", ({ url }) => asked.add(url === "/" ? "index.html" : url.slice(1)));
  const browser = await browse();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForSelector(".card");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((next) => setTimeout(next, 50));
  });
  await page.waitForTimeout(1000);
  await browser.close();
  server.close();
  for (const name of ["hamel.wasm", "worker.js", "studio.js", "service.js"]) assert.ok(asked.has(name), `${name} was not fetched`);
  assert.ok([...asked].some((name) => name.startsWith("pictures/")));
  const sizes = [...asked].map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
  const total = sizes.reduce((a, b) => a + b, 0);
  assert.ok(total < 2e6, `${total} bytes: ${[...asked].join(" ")}`);
});

test("another deployment replaces what was kept", async () => {
  const copy = mkdtempSync(join(tmpdir(), "hamel-site-"));
  cpSync(folder, copy, { recursive: true });
  const server = await serve(copy);
  const browser = await browse();
  const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((next) => setTimeout(next, 50));
  });
  const index = join(copy, "index.html");
  writeFileSync(index, readFileSync(index, "utf8").replace("<title>hamel, live</title>", "<title>hamel, live</title><meta name=\"newer\">"));
  const service = join(copy, "service.js");
  writeFileSync(service, readFileSync(service, "utf8").replace(/hamel-[0-9a-f]{16}/, "hamel-0000000000000000"));
  await page.evaluate(async () => {
    const changed = new Promise((done) => (navigator.serviceWorker.oncontrollerchange = done));
    await (await navigator.serviceWorker.getRegistration()).update();
    await changed;
  });
  await page.reload();
  await page.waitForSelector(".card");
  assert.equal(await page.locator('meta[name="newer"]').count(), 1);
  assert.deepEqual(await page.evaluate(() => caches.keys()), ["hamel-0000000000000000"]);
  await browser.close();
  server.close();
  rmSync(copy, { recursive: true, force: true });
});
