// What readers take away from a page: charts as SVG and CSV, the picture as PNG, paper.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { browse, dataOf, open as openPage, serious, timeOf, unpacked } from "./browser.mjs";

let browser;
before(async () => (browser = await browse()));
after(() => browser.close());
const open = (name, options) => openPage(browser, name, options);

const chartCalled = (page, title) => page.locator("figure.chart").filter({ has: page.locator("figcaption", { hasText: title }) }).first();

async function saved(page, button) {
  const waiting = page.waitForEvent("download");
  await button.click();
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const saveOf = (page, title, kind) => saved(page, chartCalled(page, title).locator("button", { hasText: kind }));

function table(csv) {
  const [head, ...rows] = csv.trim().split("\n");
  return { head: head.split(","), rows: rows.map((row) => row.split(",").map(Number)) };
}

// What a browser makes of an SVG: where its curve is, in the numbers of its axes.
function curveOf(page, text) {
  return page.evaluate((source) => {
    const document = new DOMParser().parseFromString(source, "image/svg+xml");
    if (document.querySelector("parsererror")) return { fault: document.querySelector("parsererror").textContent };
    const number = (words) => Number(words.replace("−", "-"));
    const labels = [...document.querySelectorAll("text")];
    const ticks = (anchor, place) =>
      labels.filter((label) => label.getAttribute("text-anchor") === anchor && !Number.isNaN(number(label.textContent)))
        .map((label) => [Number(label.getAttribute(place)), number(label.textContent)]);
    const scale = ([[a, u], [b, v]]) => (x) => u + ((x - a) / (b - a)) * (v - u);
    const toT = scale(ticks("middle", "x"));
    const toV = scale(ticks("end", "y").map(([y, v]) => [y - 4, v]));
    const curves = [...document.querySelectorAll(".curve")].map((path) =>
      [...path.getAttribute("d").matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [toT(Number(x)), toV(Number(y))]),
    );
    return { curves, words: labels.map((label) => label.textContent) };
  }, text);
}

test("a chart is saved as SVG: valid, with its curve, its axes and their units", async () => {
  const { page, complaints } = await open("whirling");
  const { name, bytes } = await saveOf(page, "height of the bob", "SVG");
  assert.equal(name, "whirling-pendulum-on-a-cart-height-of-the-bob.svg");
  const { fault, curves, words } = await curveOf(page, bytes.toString());
  assert.equal(fault, undefined);
  assert.equal(curves.length, 1);
  assert.ok(words.includes("t [s]") && words.includes("height of the bob [m]"), words.join("; "));
  const data = dataOf("whirling");
  const times = unpacked(data.time);
  const heights = unpacked(data.charts.find(({ title }) => title === "height_of_the_bob").series[0].values);
  assert.ok(curves[0].length > 300);
  for (const [t, v] of curves[0]) {
    const nearest = times.reduce((best, time, i) => (Math.abs(time - t) < Math.abs(times[best] - t) ? i : best), 0);
    assert.ok(Math.abs(heights[nearest] - v) < 0.03, `at ${t} the curve has ${v}, the record ${heights[nearest]}`);
  }
  assert.deepEqual(serious(complaints), []);
  await page.close();
});

test("a chart is saved as CSV: all numbers of the record, with all digits", async () => {
  const { page } = await open("whirling");
  const { name, bytes } = await saveOf(page, "Energy", "CSV");
  assert.equal(name, "whirling-pendulum-on-a-cart-energy.csv");
  const { head, rows } = table(bytes.toString());
  const data = dataOf("whirling");
  const energy = data.charts.find(({ title }) => title === "Energy");
  assert.deepEqual(head, ["t", ...energy.series.map((series) => series.name)]);
  const columns = [data.time, ...energy.series.map((series) => series.values)].map(unpacked);
  assert.deepEqual(rows, columns[0].map((_, i) => columns.map((column) => column[i])));
  await page.close();
});

test("every chart has buttons of both kinds, and every button has a name", async () => {
  const { page } = await open("whirling");
  const count = await page.locator("figure.chart").count();
  assert.ok(count >= 5);
  for (const kind of ["SVG", "CSV"]) assert.equal(await page.locator("figure.chart button", { hasText: kind }).count(), count);
  const names = await page.$$eval("button, select, input", (all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
  assert.ok(names.every((name) => name.length > 0), names.join("; "));
  await page.close();
});

test("the reader chooses a coordinate; an angle goes on after a turn", async () => {
  const { page } = await open("whirling");
  const choices = await page.$$eval('select[aria-label="Coordinates"] option', (all) => all.map((one) => one.textContent));
  assert.deepEqual(choices, ["x", "angle of q", "q"]);
  await page.selectOption('select[aria-label="Coordinates"]', "angle of q");
  const { head, rows } = table((await saveOf(page, "Coordinates", "CSV")).bytes.toString());
  assert.deepEqual(head, ["t", "angle of q"]);
  assert.ok(rows.at(-1)[1] > 30, `it ends at ${rows.at(-1)[1]}`);
  for (let i = 1; i < rows.length; ++i) assert.ok(Math.abs(rows[i][1] - rows[i - 1][1]) < 1, "it jumps");
  const svg = (await saveOf(page, "Coordinates", "SVG")).bytes.toString();
  assert.match(svg, /angle of q \[rad\]/);
  await page.close();
});

test("the mark of time is right after a closer look, and the whole run comes back", async () => {
  const { page } = await open("whirling", { t: 4.5 });
  const figure = chartCalled(page, "Energy");
  const over = figure.locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const at = (part) => box.x + part * box.width;
  assert.ok(await figure.locator("button", { hasText: "whole run" }).isHidden());
  await page.mouse.move(at(0.25), box.y + 40);
  await page.mouse.down();
  await page.mouse.move(at(0.5), box.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(150);
  const mark = async () => {
    const marked = await figure.locator(".now").boundingBox();
    return (marked.x - box.x) / box.width;
  };
  const expected = (4.5 / 12 - 0.25) / 0.25;
  assert.ok(Math.abs((await mark()) - expected) < 0.02, `the mark is at ${await mark()}, not at ${expected}`);
  await figure.locator("button", { hasText: "whole run" }).click();
  await page.waitForTimeout(150);
  assert.ok(Math.abs((await mark()) - 4.5 / 12) < 0.02);
  await page.close();
});

// Of a PNG: its size, and how many of its pixels are what.
async function pixels(page, bytes) {
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const found = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 192, height: 108 });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, 192, 108);
    const { data } = context.getImageData(0, 0, 192, 108);
    const colors = new Set();
    let clear = 0;
    for (let i = 0; i < data.length; i += 4) {
      colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      if (data[i + 3] === 0) ++clear;
    }
    return { colors: colors.size, clear };
  }, bytes.toString("base64"));
  return { width, height, ...found };
}

test("the picture is saved as PNG, in the chosen size, with the keyboard alone", async () => {
  const { page, complaints } = await open("whirling");
  const seen = await page.locator(".view canvas").screenshot();
  await page.focus('button[aria-label="save the picture"]');
  await page.keyboard.press("Enter");
  assert.equal(await page.getAttribute('button[aria-label="save the picture"]', "aria-expanded"), "true");
  await page.selectOption('select[aria-label="size of the picture"]', "1920 × 1080");
  const waiting = page.waitForEvent("download");
  await page.focus('button[aria-label="save the picture as PNG"]');
  await page.keyboard.press("Enter");
  const download = await waiting;
  assert.equal(download.suggestedFilename(), "whirling-pendulum-on-a-cart.png");
  const white = await pixels(page, readFileSync(await download.path()));
  assert.deepEqual([white.width, white.height], [1920, 1080]);
  assert.ok(white.colors > 50, "it is blank");
  assert.equal(white.clear, 0);
  await page.selectOption('select[aria-label="background of the picture"]', "transparent");
  await page.selectOption('select[aria-label="size of the picture"]', "as seen, twice as sharp");
  const clear = await pixels(page, (await saved(page, page.locator('button[aria-label="save the picture as PNG"]'))).bytes);
  const box = await page.locator(".view canvas").boundingBox();
  assert.deepEqual([clear.width, clear.height], [2 * Math.round(box.width), 2 * Math.round(box.height)]);
  assert.ok(clear.colors > 50 && clear.clear > 1000);
  await page.keyboard.press("Escape");
  assert.ok((await page.locator(".view canvas").screenshot()).length > 0.7 * seen.length, "the picture on the page has changed");
  assert.deepEqual(serious(complaints), []);
  await page.close();
});

test("on paper there are charts as drawings, a picture in its own proportions, and no controls", async () => {
  const { page, complaints } = await open("double-spherical-pendulum", { colorScheme: "dark" });
  await page.evaluate(() => {
    const bracket = '<svg xmlns="http://www.w3.org/2000/svg" id="bracket"><path d="M0 0h9v9z"/></svg>';
    document.querySelector(".equation").insertAdjacentHTML("beforeend", bracket); // as KaTeX draws tall ones
  });
  const charts = await page.locator("figure.chart").count();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("svg.printed:visible").count(), charts);
  for (const what of [".controls", ".view canvas", ".chart button", ".uplot"])
    assert.equal(await page.locator(`${what}:visible`).count(), 0, `${what} is printed`);
  assert.notEqual(await page.$eval("#bracket path", (path) => getComputedStyle(path).fill), "none", "drawings have styled the page");
  const image = await page.$eval("img.printed", (one) => ({
    seen: one.clientWidth / one.clientHeight,
    own: one.naturalWidth / one.naturalHeight,
  }));
  assert.ok(Math.abs(image.seen / image.own - 1) < 0.01, `${image.own} became ${image.seen}`);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(background, "rgb(255, 255, 255)");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator(".printed").count(), 0);
  assert.ok((await page.pdf({ format: "A4" })).length > 20_000);
  assert.deepEqual(serious(complaints), []);
  await page.close();
});

test("eigenvalues are saved as SVG and CSV", async () => {
  const { page, complaints } = await open("equilibria", { t: 0 });
  const drawing = (await saved(page, page.locator('button[aria-label="save the eigenvalues as SVG"]'))).bytes.toString();
  const marks = await page.evaluate((source) => {
    const document = new DOMParser().parseFromString(source, "image/svg+xml");
    const shapes = [...document.querySelectorAll(".eigenvalue .symbol")];
    return { fault: document.querySelector("parsererror")?.textContent, strokes: shapes.map((one) => one.style.stroke) };
  }, drawing);
  assert.equal(marks.fault, undefined);
  assert.ok(marks.strokes.length >= 2 && marks.strokes.every((stroke) => stroke.startsWith("rgb")), String(marks.strokes));
  const { head, rows } = table((await saved(page, page.locator('button[aria-label="save the eigenvalues as CSV"]'))).bytes.toString());
  assert.deepEqual(head, ["re", "im", "count", "feedback"]);
  const [place] = dataOf("equilibria").modes.places;
  assert.deepEqual(rows, place.open.map(({ re, im, count }) => [re, im, count, 0]));
  assert.deepEqual(serious(complaints), []);
  await page.close();
});

test("names: ranges of families, words with spaces, factors apart from words", async () => {
  const { page } = await open("double-spherical-pendulum");
  assert.ok((await page.locator("th", { hasText: "angular momentum about e3 (q[0..1])" }).count()) >= 1);
  await page.close();
  const { page: other } = await open("whirling");
  const formulas = await other.$$eval(".equation annotation", (all) => all.map((one) => one.textContent));
  assert.ok(formulas.some((text) => /U = m g \\, \\mathrm\{bob\}/.test(text)), formulas.join("; "));
  await other.close();
});

// The middle of all red pixels, as parts of the picture.
const redMiddle = (page) =>
  page.evaluate(() => {
    const source = document.querySelector(".view canvas");
    const copy = Object.assign(document.createElement("canvas"), { width: 300, height: 200 });
    const context = copy.getContext("2d");
    context.drawImage(source, 0, 0, 300, 200);
    const { data } = context.getImageData(0, 0, 300, 200);
    const sum = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] > 200 && data[i] > 100 && data[i] > 1.8 * data[i + 1]) {
        sum[0] += (i / 4) % 300;
        sum[1] += Math.floor(i / 1200);
        sum[2] += 1;
      }
    return [sum[0] / sum[2] / 300, sum[1] / sum[2] / 200];
  });

test("the camera follows what the model file names", async () => {
  const { page } = await open("whirling", { t: 0 });
  assert.equal(await page.locator('select[aria-label="camera"] option:checked').textContent(), "follow bob");
  const first = await redMiddle(page);
  await page.keyboard.press("End");
  await page.waitForTimeout(300);
  assert.ok((await timeOf(page)) > 11.9);
  const last = await redMiddle(page);
  const moved = Math.hypot(last[0] - first[0], last[1] - first[1]);
  assert.ok(moved < 0.03, `it went from ${first} to ${last}`);
  await page.selectOption('select[aria-label="camera"]', "camera at rest");
  await page.keyboard.press("Home");
  await page.waitForTimeout(300);
  const left = await redMiddle(page);
  assert.ok(!(Math.hypot(left[0] - last[0], left[1] - last[1]) < 0.1), "a camera at rest does not follow");
  await page.close();
});
