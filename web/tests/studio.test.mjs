// The studio, as one uses it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { coordinates, openSite, rest, root } from "./site.mjs";

let site;
before(async () => (site = await openSite()));
after(async () => await site.close());

const model = (id) => readFileSync(join(root, "models", `${id}.toml`), "utf8");

async function retype(page, from, to) {
  const text = await page.evaluate(() => document.querySelector(".cm-content").cmView?.view?.state.doc.toString() ?? null);
  const whole = text ?? (await page.locator(".cm-line").allInnerTexts()).join("\n");
  assert.ok(whole.includes(from), `the editor does not show ${from}`);
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(whole.replace(from, to));
}

test("the gallery shows every model and finds one", async () => {
  const { page, content } = await site.open();
  const count = readdirSync(join(root, "models")).filter((name) => name.endsWith(".toml")).length;
  await page.waitForSelector(".card");
  assert.equal(await page.locator(".card").count(), count);
  await page.fill('input[type="search"]', "S^2 pendulum"); // by space, in powers and products of it, too
  for (const name of ["Spherical pendulum", "Double spherical pendulum"]) assert.equal(await page.getByText(name, { exact: true }).count(), 1);
  await page.fill('input[type="search"]', "mechanisms and robots"); // by subject
  assert.deepEqual(await page.locator(".gallery h2").allTextContents(), ["Mechanisms and robots"]);
  await page.fill('input[type="search"]', "heavy top");
  assert.equal(await page.locator(".card").count(), 1);
  await page.click(".card");
  await rest(page);
  assert.equal(await page.textContent(".top .title"), "Heavy symmetric top");
  await page.click("text=gallery");
  await page.waitForSelector(".card");
  await page.fill('input[type="search"]', "furuta");
  await page.click(".card");
  await rest(page);
  assert.equal(await page.textContent(".top .title"), "Furuta pendulum");
  await page.keyboard.press("End");
  assert.match(await page.textContent(".clock"), /^t = [1-9]/, "keys are heard once the motion is there");
  content();
  await page.context().close();
});

test("a mistake is shown at its place while one types, and goes when it is mended", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  assert.ok(model("spherical-pendulum").includes("norm2("));
  await retype(page, "norm2(", "nrom2(");
  await page.waitForSelector(".mistake:not([hidden])");
  const said = await page.textContent(".mistake");
  assert.match(said, /^\d+:\d+ .*nrom2.*did you mean norm2\?/s);
  assert.match(await page.locator(".cm-lintRange-error").first().innerText(), /^nrom2/);
  assert.equal(await page.locator(".view canvas").count(), 1, "the last motion stays");
  const motions = Number(await page.getAttribute(".studio", "data-motions"));
  await retype(page, "nrom2(", "norm2(");
  await page.waitForSelector(".mistake", { state: "hidden" });
  await page.waitForFunction((n) => Number(document.querySelector(".studio").dataset.motions) > n, motions);
  assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
  content();
  await page.context().close();
});

test("a slider changes the motion, and only the motion", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  const first = await coordinates(page);
  const last = (run) => run.rows.at(-1).slice(1);
  const off = (run) => Math.max(...last(first).map((x, i) => Math.abs(x - last(run)[i])));
  await page.fill('[data-parameter="m"]', "700");
  await rest(page);
  assert.ok(off(await coordinates(page)) < 1e-9, "a heavier bob falls as fast");
  await page.fill('[data-parameter="l"]', "700");
  await rest(page);
  const second = await coordinates(page);
  assert.equal(second.names, first.names);
  assert.deepEqual(second.rows[0], first.rows[0], "it starts where it started");
  assert.ok(off(second) > 1e-3, "a longer rod swings more slowly");
  for (const name of ["m", "l"]) await page.getByRole("button", { name: `${name} as in the file` }).click();
  await rest(page);
  assert.deepEqual((await coordinates(page)).rows, first.rows, "and back");
  content();
  await page.context().close();
});

test("a link holds the text, the parameters and the run", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  await page.fill('[data-parameter="l"]', "650");
  await page.selectOption(".integrator .method", "gauss8");
  await rest(page);
  const sent = await coordinates(page);
  const link = new URL(page.url()).hash;
  assert.match(link, /^#m=/);
  const { page: other, content: otherContent } = await site.open(link);
  await rest(other);
  assert.equal(await other.inputValue(".integrator .method"), "gauss8");
  assert.equal(await other.inputValue("[aria-label='l, as a number']"), await page.inputValue("[aria-label='l, as a number']"));
  assert.deepEqual(await coordinates(other), sent);
  content();
  otherContent();
  await page.context().close();
  await other.context().close();
});

test("two methods side by side: rk4 and rk45 lose the energy, variational keeps it in a band", async () => {
  const { page, content } = await site.open("#model=double-spherical-pendulum");
  await rest(page);
  await page.getByRole("tab", { name: "Two methods" }).click();
  await page.selectOption('select[aria-label="compare with"]', "rk4");
  await page.fill('.comparison input[aria-label="step"]', "0.2");
  await page.press('.comparison input[aria-label="step"]', "Enter");
  await page.waitForSelector(".comparison .scroll");
  await rest(page);
  const rows = await page.locator(".comparison .scroll tbody tr").allInnerTexts();
  assert.match(rows[0], /variational.*bounded/s);
  assert.match(rows[1], /rk4.*(drifting|lost)/s);
  await page.selectOption('select[aria-label="compare with"]', "rk45"); // as it is offered
  await page.waitForFunction(() => /rk45/.test(document.querySelector(".comparison tbody")?.textContent ?? ""));
  await rest(page);
  assert.match((await page.locator(".comparison .scroll tbody tr").allInnerTexts())[1], /rk45.*(drifting|lost)/s);
  content();
  await page.context().close();
});

test("equations in four forms, equilibria with their modes", async () => {
  const { page, content } = await site.open("#model=double-spherical-pendulum");
  await rest(page);
  await page.getByRole("tab", { name: "Equations" }).click();
  const seen = new Set();
  for (const form of ["omega", "velocity", "pi", "mu"]) {
    await page.selectOption('select[aria-label="form of the equations"]', form);
    await page.waitForSelector(".equations .katex");
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".equations .katex-error").count(), 0);
    seen.add(await page.locator(".equations").innerText());
  }
  assert.equal(seen.size, 4);
  await page.getByRole("tab", { name: "Equilibria" }).click();
  await page.click("text=find equilibria");
  await page.waitForSelector(".modes table", { timeout: 60000 });
  const words = await page.innerText(".equilibria");
  for (const name of ["hanging", "inverted", "first up, second hanging"]) assert.ok(words.includes(name), name);
  await page.click("text=back to the motion");
  assert.equal(await page.locator(".modes table").count(), 0);
  assert.match(await page.textContent(".clock"), /^t = 0/); // of the run, not of a mode
  content();
  await page.context().close();
});

test("the page answers during a long run, which can be stopped", async () => {
  const { page, content } = await site.open("#model=double-spherical-pendulum");
  await rest(page);
  await page.fill('.integrator input[aria-label="until"]', "1000000");
  await page.press('.integrator input[aria-label="until"]', "Enter");
  await page.waitForSelector('.studio[data-state="work"]');
  await page.getByRole("tab", { name: "Conserved" }).click();
  await page.waitForSelector("text=largest error");
  await page.evaluate(async () => {
    for (let frame = 0; frame < 5; ++frame) await new Promise((next) => requestAnimationFrame(next));
  });
  assert.equal(await page.getAttribute(".studio", "data-state"), "work");
  await page.getByRole("button", { name: "stop" }).click();
  await page.waitForSelector('.studio[data-state="rest"]', { timeout: 5000 });
  await page.fill('.integrator input[aria-label="until"]', "5");
  await page.press('.integrator input[aria-label="until"]', "Enter");
  await rest(page);
  await page.getByRole("tab", { name: "Charts" }).click();
  assert.equal((await coordinates(page)).rows.at(-1)[0], 5);
  content();
  await page.context().close();
});

test("it fits a phone", async () => {
  const { page, content } = await site.open("#model=heavy-top", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  await rest(page);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  content();
  await page.context().close();
});
