// The site, in whose pages models live; where they cannot, pictures and texts stay.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { browse } from "../../viewer/tests/browser.mjs";
import { openSite, root } from "./site.mjs";

const docs = mkdtempSync(join(tmpdir(), "hamel-docs-"));
process.env.HAMEL_DOCS = docs;
const { writeSite } = await import("../../docs/site/site.mjs");
const axe = readFileSync(join(root, "web/node_modules/axe-core/axe.min.js"), "utf8");
const phone = { viewport: { width: 390, height: 844 } };

let site;
before(async () => {
  writeSite();
  site = await openSite(docs);
});
after(async () => {
  await site.close();
  rmSync(docs, { recursive: true, force: true });
});

const lives = (page) => page.waitForSelector(".hamel-live[data-motions] .view canvas", { timeout: 60000 });

async function rest(page) {
  await page.waitForTimeout(300);
  await page.waitForSelector('.hamel-live[data-state="rest"]', { timeout: 60000 });
  await page.waitForTimeout(200);
}

// What is seen in the middle of the run.
async function halfway(page) {
  await rest(page);
  await page.locator(".hamel-live .scrub").first().fill("0.5");
  await page.waitForTimeout(400);
  await page.waitForSelector('.hamel-live .view canvas[data-drawn="whole"]'); // it stands still
  return page.locator(".hamel-live .view canvas").first().screenshot();
}

test("the front page moves, rests and goes on in the studio", async () => {
  const { page, content } = await site.open("index.html", { reducedMotion: "no-preference" });
  await lives(page);
  const time = async () => parseFloat((await page.textContent(".hamel-live .clock")).replace("t = ", ""));
  const [before, picture] = [await time(), await page.locator(".hamel-live canvas").screenshot()];
  await page.waitForFunction((t) => parseFloat(document.querySelector(".hamel-live .clock").textContent.replace("t = ", "")) > t + 0.2, before);
  assert.ok(!picture.equals(await page.locator(".hamel-live canvas").screenshot()));
  await page.click(".hamel-live .play");
  const still = await time();
  await page.waitForTimeout(300);
  assert.equal(await time(), still);
  await page.click(".hamel-live .play");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForTimeout(300);
  const hidden = await time();
  await page.waitForTimeout(300);
  assert.equal(await time(), hidden, "what nobody sees does not move");
  await page.evaluate(() => scrollTo(0, 0));
  await page.click("text=open in the studio");
  await page.waitForSelector('.studio[data-state="rest"]', { timeout: 60000 });
  assert.equal(await page.textContent(".top .title"), "Double spherical pendulum");
  content();
  await page.context().close();
});

test("a slider on a page of the gallery changes its motion, and back; the studio goes on with it", async () => {
  const { page, content } = await site.open("gallery/spherical-pendulum.html");
  await lives(page);
  const before = await halfway(page);
  await page.fill('[data-parameter="l"]', "700");
  assert.ok(!before.equals(await halfway(page)), "a longer rod swings more slowly");
  const length = await page.inputValue("[aria-label='l, as a number']");
  const link = await page.getAttribute("text=open in the studio", "href");
  assert.match(link, /\/studio\/index\.html#m=/);
  await page.getByRole("button", { name: "l as in the file" }).click();
  assert.ok(before.equals(await halfway(page)));
  await page.goto(link);
  await page.waitForSelector('.studio[data-state="rest"]', { timeout: 60000 });
  assert.equal(await page.inputValue("[aria-label='l, as a number']"), length);
  content();
  await page.context().close();
});

test("a step of the tutorial is edited: a mistake is shown at its place, mended, and it runs", async () => {
  const { page, content } = await site.open("tutorial.html");
  assert.equal(await page.locator(".live").count(), 2);
  await page.locator(".live").first().scrollIntoViewIfNeeded();
  await lives(page);
  await rest(page);
  const panel = page.locator(".hamel-live.editable").first();
  const motions = async () => Number(await panel.getAttribute("data-motions"));
  const whole = (await panel.locator(".cm-line").allTextContents()).join("\n");
  assert.match(whole, /x = "length\*q"/);
  const write = async (text) => {
    await panel.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  };
  await write(whole.replace("length*q", "lenght*q"));
  await panel.locator(".mistake").waitFor();
  assert.match(await panel.locator(".mistake").innerText(), /^12:6\s+unknown name lenght; did you mean length\?/);
  assert.equal(await panel.locator(".cm-lintRange-error").first().innerText(), "lenght");
  const before = await motions();
  await write(whole.replace("length = 1.0", "length = 2.0"));
  await panel.locator(".mistake").waitFor({ state: "hidden" });
  await page.waitForFunction((n) => Number(document.querySelector(".hamel-live").dataset.motions) > n, before);
  await panel.getByRole("button", { name: "as it was" }).click();
  await rest(page);
  assert.equal((await panel.locator(".cm-line").allTextContents()).join("\n"), whole);
  await page.locator(".live").nth(1).scrollIntoViewIfNeeded();
  await page.locator(".hamel-live").nth(1).waitFor({ timeout: 60000 });
  content();
  await page.context().close();
});

test("living models fit a phone, and axe-core finds nothing serious in them", async () => {
  for (const [name, colorScheme] of [["index.html", "light"], ["gallery/heavy-top.html", "dark"], ["tutorial.html", "light"], ["tutorial.html", "dark"]]) {
    const { page, content } = await site.open(name, { ...phone, colorScheme });
    await page.locator(".live").first().scrollIntoViewIfNeeded();
    await lives(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, name);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run(".hamel-live", { resultTypes: ["violations"] }));
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0].html.slice(0, 120)}`), []);
    content();
    await page.context().close();
  }
});

test("without WebAssembly, without scripts and from a file, pictures stay, and what is missing is said", async () => {
  const browser = await browse();
  const open = async (address, options = {}, prepare = () => undefined) => {
    const page = await (await browser.newContext({ reducedMotion: "reduce", ...options })).newPage();
    const complaints = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.addInitScript(prepare);
    await page.goto(address);
    await page.waitForTimeout(500);
    assert.deepEqual(complaints, []);
    assert.equal(await page.locator(".hamel-live").count(), 0);
    return page;
  };
  const picture = (page) => page.locator(".live img").evaluate((image) => image.naturalWidth);
  const poor = await open(`${site.address}gallery/heavy-top.html`, {}, () => delete window.WebAssembly);
  assert.ok((await picture(poor)) > 100);
  assert.match(await poor.locator(".serve").first().innerText(), /WebAssembly/);
  const file = await open(String(pathToFileURL(join(docs, "gallery/heavy-top.html"))));
  assert.ok((await picture(file)) > 100);
  assert.match(await file.locator(".serve").first().innerText(), /node web\/serve\.mjs build\/docs/);
  const still = await open(`${site.address}tutorial.html`, { javaScriptEnabled: false });
  assert.match(await still.locator("main").innerText(), /scripts are allowed/);
  assert.match(await still.locator(".live pre").first().innerText(), /My pendulum/);
  await browser.close();
});
