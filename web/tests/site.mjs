// The site in a browser: pages of it, with all that they complain about, and hamel in a worker beside them.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { browse, serious } from "../../viewer/tests/browser.mjs";
import { serve } from "../serve.mjs";

export const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
export const folder = resolve(process.env.HAMEL_SITE ?? join(root, "build/web/site"));

export async function openSite(where = folder, flags = undefined) {
  assert.ok(existsSync(join(where, "index.html")), `${where} is empty: run make web first`);
  const server = await serve(where);
  const browser = await browse(flags);
  const address = `http://127.0.0.1:${server.address().port}/`;
  const open = async (hash = "", options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(`${address}${hash}`);
    return { page, complaints, content: () => assert.deepEqual(serious(complaints), []) };
  };
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { open, close, address, blank: () => browser.newPage() };
}

// Until the motion of the moment has been computed.
export async function rest(page) {
  await page.waitForSelector('.studio[data-state="rest"]', { timeout: 60000 });
  await page.waitForTimeout(350);
  await page.waitForSelector('.studio[data-state="rest"]', { timeout: 60000 });
}

// The numbers of the first chart.
export async function coordinates(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('.charts button[aria-label$="as CSV"]')]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const [names, ...rows] = Buffer.concat(chunks).toString().trim().split("\n");
  return { names, rows: rows.map((row) => row.split(",").map(Number)) };
}

// One worker in the page, to be asked as web/client/hamel.ts does.
export async function startWorker(page) {
  await page.evaluate(() => {
    const worker = new Worker("worker.js", { type: "module" });
    const waiting = new Map();
    let next = 1;
    worker.onmessage = ({ data }) => {
      if (data.kind === "progress") return;
      waiting.get(data.id)(data);
      waiting.delete(data.id);
    };
    window.ask = (call, ask) => new Promise((done) => {
      const id = next++;
      waiting.set(id, done);
      worker.postMessage({ id, call, ask });
    });
  });
  return async (call, ask = {}) => {
    const reply = await page.evaluate(([call, ask]) => window.ask(call, ask), [call, ask]);
    if (reply.kind === "refused") throw Object.assign(new Error(reply.why.message), reply.why);
    return reply.answer;
  };
}

// What a click saves, as bytes, with its name.
export async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 60000 }), click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

export function table(bytes) {
  const [names, ...rows] = bytes.toString().trim().split("\n");
  return { names: names.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((name) => name.replace(/^"|"$/g, "")), rows: rows.map((row) => row.split(",").map(Number)) };
}

// Every number of the run, by its name.
export async function numbers(page) {
  await page.getByRole("tab", { name: "Take away" }).click();
  return table((await saved(page, () => page.getByRole("button", { name: "save CSV", exact: true }).click())).bytes);
}

// The first row, by name.
export function first({ names, rows }) {
  return Object.fromEntries(names.map((name, i) => [name, rows[0][i]]));
}
