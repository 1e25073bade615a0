// The pages of build/report_samples, in a real browser:   node --test tests/page.test.mjs   with HAMEL_PAGES=folder
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, folder, open as openPage, serious, timeOf } from "./browser.mjs";

const samples = [
  "double-spherical-pendulum",
  "chain-pendulum-on-cart",
  "rigid-pendulum",
  "three-bodies-on-a-sphere",
];

let browser;
before(async () => (browser = await browse()));
after(() => browser.close());
const open = (name, options) => openPage(browser, name, options);

// The picture, small enough to be compared: brightness of 48 x 32 pixels.
function picture(page) {
  return page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => {
          const copy = Object.assign(document.createElement("canvas"), { width: 48, height: 32 });
          const context = copy.getContext("2d");
          context.fillStyle = "#ffffff";
          context.fillRect(0, 0, 48, 32);
          context.drawImage(document.querySelector(".view canvas"), 0, 0, 48, 32);
          const data = context.getImageData(0, 0, 48, 32).data;
          done(Array.from({ length: 48 * 32 }, (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2]));
        }),
      ),
  );
}

function difference(a, b) {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}

async function scrub(page, part) {
  await page.$eval(
    ".scrub",
    (slider, value) => {
      slider.value = String(value);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    },
    part,
  );
  await page.waitForTimeout(150);
}

for (const name of samples)
  test(`${name}: no complaints, a picture that changes with time, lines in every chart`, async () => {
    const { page, complaints } = await open(name);
    const first = await picture(page);
    assert.ok(new Set(first).size > 20, "the canvas is blank");
    await scrub(page, 0.6);
    assert.ok((await timeOf(page)) > 2, "scrubbing does not change the time");
    assert.ok(difference(first, await picture(page)) > 0.5, "scrubbing does not change the picture");
    const charts = await page.$$eval(".uplot canvas", (canvases) =>
      canvases.map((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let colored = 0;
        for (let i = 0; i < data.length; i += 4)
          if (data[i + 3] > 128 && Math.abs(data[i] - data[i + 2]) > 60) ++colored;
        return colored;
      }),
    );
    assert.ok(charts.length >= 3);
    for (const colored of charts) assert.ok(colored > 200, `a chart has no line: ${charts}`);
    assert.deepEqual(serious(complaints), []);
    await page.close();
  });

// Points of the picture that are neither grey nor nearly so.
const colored = (page) => page.evaluate(() => {
  const seen = document.querySelector(".view canvas");
  const copy = Object.assign(document.createElement("canvas"), { width: 300, height: 200 });
  const context = copy.getContext("2d");
  context.drawImage(seen, 0, 0, 300, 200);
  const { data } = context.getImageData(0, 0, 300, 200);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue, alpha] = data.subarray(i, i + 4);
    if (alpha > 40 && Math.max(red, green, blue) - Math.min(red, green, blue) > 40) ++count;
  }
  return count;
});

// Until it stands still after a change, which is drawn within two frames.
async function whole(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForSelector('.view canvas[data-drawn="whole"]');
}

test("trails are seen, as long as is chosen", async () => {
  const { page } = await open("double-spherical-pendulum", { t: 9 });
  const seen = async (trails) => {
    await page.selectOption('select[title="trails"]', trails);
    await whole(page);
    return colored(page);
  };
  const [none, some, all] = [await seen("no trails"), await seen("trails"), await seen("all of the past")];
  assert.ok(none > 20, `${none}: the bobs have colours`);
  assert.ok(some > none + 40, `${some} with trails, ${none} without`);
  assert.ok(all > some + 40, `${all} with all of the past, ${some} with a part of it`);
  await page.close();
});

test("a picture that software draws is coarse while it moves, and whole at rest", async () => {
  const { page } = await open("double-spherical-pendulum");
  const points = () => page.$eval(".view canvas", ({ width, clientWidth }) => width / clientWidth);
  await whole(page);
  assert.ok((await points()) > 1.9, "drawn twice as large, which smooths it");
  await page.keyboard.press(" ");
  await page.waitForSelector('.view canvas[data-drawn="coarsely"]');
  assert.ok((await points()) < 1.1);
  await page.keyboard.press(" ");
  await whole(page);
  assert.ok((await points()) > 1.9);
  await page.close();
});

test("says what was kept, in the words of the table on the terminal", async () => {
  const { page } = await open("double-spherical-pendulum");
  const rows = await page.$$eval("table tbody tr", (all) =>
    all.map((row) => [row.querySelector("th").textContent, row.lastElementChild.textContent.slice(2)]),
  );
  const kept = Object.fromEntries(rows);
  assert.equal(kept.energy, "bounded");
  assert.equal(kept.manifold, "to rounding");
  await page.close();
});

test("warns of a run that ended early, first of all", async () => {
  const whole = readFileSync(join(folder, "rigid-pendulum.html"), "utf8");
  assert.ok(whole.includes('"warning":""'));
  writeFileSync(join(folder, "ended-early.html"), whole.replace('"warning":""', '"warning":"The run ended early <b>."'));
  const { page } = await open("ended-early");
  assert.equal(await page.textContent("header h1 + .warning"), "The run ended early <b>.");
  await page.close();
  const { page: finished } = await open("rigid-pendulum");
  assert.equal(await finished.$(".warning"), null);
  await finished.close();
});

test("plays, pauses and steps with the keyboard", async () => {
  const { page } = await open("rigid-pendulum", { t: 2 });
  await page.keyboard.press("Space");
  await page.waitForTimeout(600);
  await page.keyboard.press("Space");
  const paused = await timeOf(page);
  assert.ok(paused > 2, `time stands still at ${paused}`);
  await page.waitForTimeout(300);
  assert.equal(await timeOf(page), paused);
  await page.keyboard.press("ArrowRight");
  assert.ok((await timeOf(page)) > paused);
  await page.keyboard.press("Home");
  assert.equal(await timeOf(page), 0);
  await page.close();
});

test("a click in a chart goes to that time", async () => {
  const { page } = await open("double-spherical-pendulum");
  const over = page.locator(".u-over").first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const t = await timeOf(page);
  assert.ok(Math.abs(t - 30) < 1, `went to ${t}`);
  await page.close();
});

test("dragging turns the camera, r brings it back", async () => {
  const { page } = await open("rigid-pendulum");
  const before = await picture(page);
  const box = await page.locator(".view canvas").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(box.x + 330, box.y + 190, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(500);
  const turned = difference(before, await picture(page));
  assert.ok(turned > 0.5, `the picture has changed by ${turned}`);
  await page.keyboard.press("r");
  await page.waitForTimeout(500);
  const back = difference(before, await picture(page));
  assert.ok(back < turned / 5, `the picture has changed by ${turned}, then by ${back}`);
  await page.close();
});

test("equations are typeset, tables and the model are there", async () => {
  const { page } = await open("double-spherical-pendulum");
  assert.ok((await page.locator(".equation .katex-html").count()) >= 3);
  assert.equal(await page.locator(".katex-error").count(), 0);
  assert.ok(await page.evaluate(() => document.fonts.check("16px KaTeX_Main")));
  assert.match(await page.locator("tbody").first().innerText(), /energy/);
  await page.locator("summary").click();
  const text = await page.locator(".model code").innerText();
  assert.match(text, /<\/script>/, "the model's text is shown as it is");
  await page.close();
});

test("fits a narrow and dark screen", async () => {
  const options = { viewport: { width: 360, height: 700 }, colorScheme: "dark" };
  const { page, complaints } = await open("chain-pendulum-on-cart", options);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} pixels wide`);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.ok(background.match(/\d+/g).every((value) => Number(value) < 60), background);
  assert.deepEqual(serious(complaints), []);
  await page.close();
});

test("equilibria: eigenvalues, modes and places can be chosen, and each is seen", async () => {
  const { page, complaints } = await open("equilibria", { t: 0 });
  assert.equal(await page.locator(".tables section").first().locator("tbody tr").count(), 4);
  assert.ok((await page.locator(".plane .eigenvalue").count()) >= 2);
  await scrub(page, 0.1);
  const first = await picture(page);
  assert.ok(new Set(first).size > 20, "the canvas is blank");
  const said = await page.textContent(".said");
  assert.match(said, /period [\d.]+ s; it neither grows nor decays/);
  const rows = page.locator(".tables section").nth(1).locator("tbody tr");
  await rows.last().click();
  assert.equal(await page.locator(".tables tr.chosen").count(), 2, "one place and one mode are chosen");
  await scrub(page, 0.1);
  assert.notEqual(await page.textContent(".said"), said);
  assert.ok(difference(first, await picture(page)) > 0.05, "another mode looks the same");
  await page.locator(".eigenvalue.open:not(.zero)").last().dispatchEvent("click");
  assert.ok((await page.locator(".eigenvalue.chosen").count()) >= 1);
  await page.selectOption('select[aria-label="equilibrium"]', "inverted");
  assert.match(await page.textContent(".said"), /e times larger every [\d.]+ s/);
  assert.match(await page.textContent(".eigenvalues figcaption"), /inverted/);
  assert.deepEqual(serious(complaints), []);
  await page.close();
});

test("equilibria fit a narrow screen", async () => {
  const { page } = await open("equilibria", { t: 0, viewport: { width: 360, height: 700 } });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} pixels wide`);
  await page.close();
});
