// A browser for the tests, and the pages of build/report_samples in it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const folder = resolve(process.env.HAMEL_PAGES ?? "../build/reports");
const quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const drawing = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
// As on a machine without a graphics card: only WebGL is drawn by SwiftShader, not the page around it.
export const withoutCard = ["--disable-gpu", "--enable-unsafe-swiftshader"];

export function browse(flags = drawing) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", ...quiet, ...flags] });
}

// Opens a page at rest, with all that it complains about.
export async function open(browser, name, { t = 1, ...options } = {}) {
  const path = join(folder, `${name}.html`);
  assert.ok(existsSync(path), `${path} is missing: run report_samples first`);
  const page = await browser.newPage({ viewport: { width: 900, height: 700 }, ...options });
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked the network for ${request.url()}`);
  });
  await page.goto(`${pathToFileURL(path)}#t=${t}`);
  await page.waitForSelector(".view canvas");
  await page.waitForTimeout(300);
  return { page, complaints };
}

// What hamel has written into a page.
export function dataOf(name) {
  const html = readFileSync(join(folder, `${name}.html`), "utf8");
  const begin = html.indexOf(">", html.indexOf('id="hamel-data"')) + 1;
  return JSON.parse(html.slice(begin, html.indexOf("</script>", begin)));
}

export function unpacked({ f64 }) {
  const bytes = Buffer.from(f64, "base64");
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
}

// What the browser's own software renderer says about itself is not about the page.
export function serious(complaints) {
  return complaints.filter((text) => !/GPU stall|swiftshader|software WebGL/i.test(text));
}

export const timeOf = async (page) => parseFloat((await page.textContent(".clock")).replace("t = ", ""));
