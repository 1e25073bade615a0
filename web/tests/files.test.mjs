// Files are opened, saved and dropped; what was done is undone; time is scrubbed; methods say why they are not offered.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openSite, rest, root, saved } from "./site.mjs";

let site;
before(async () => (site = await openSite()));
after(async () => await site.close());

const path = (id) => join(root, "models", `${id}.toml`);
const title = (page) => page.textContent(".top .title");

test("a file is opened, another one dropped, and saved; undo goes back", async () => {
  const { page, content } = await site.open("#new");
  await rest(page);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "open" }).click()]);
  await chooser.setFiles(path("heavy-top"));
  await page.waitForFunction(() => document.querySelector(".top .title").textContent === "Heavy symmetric top");
  await rest(page);
  const text = readFileSync(path("furuta-pendulum"), "utf8");
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], "furuta.toml", { type: "text/plain" }));
    document.querySelector(".studio").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, text);
  await page.waitForFunction(() => document.querySelector(".top .title").textContent === "Furuta pendulum");
  await rest(page);
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "save", exact: true }).click());
  assert.equal(name, "furuta-pendulum.toml");
  assert.equal(bytes.toString(), text);
  await page.getByRole("button", { name: "undo" }).click();
  await rest(page);
  assert.equal(await title(page), "Heavy symmetric top");
  await page.getByRole("button", { name: "undo" }).click();
  await rest(page);
  assert.equal(await title(page), "My pendulum");
  assert.ok(await page.getByRole("button", { name: "undo" }).isDisabled());
  await page.getByRole("button", { name: "redo" }).click();
  await rest(page);
  assert.equal(await title(page), "Heavy symmetric top");
  content();
  await page.context().close();
});

test("sliders and methods are undone, and shown so", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  const number = () => page.inputValue("[aria-label='l, as a number']");
  const before = await number();
  await page.fill('[data-parameter="l"]', "700");
  await rest(page);
  await page.selectOption(".integrator .method", "gauss8");
  await rest(page);
  await page.getByRole("button", { name: "undo" }).click();
  await rest(page);
  assert.equal(await page.inputValue(".integrator .method"), "variational");
  assert.notEqual(await number(), before);
  await page.getByRole("button", { name: "undo" }).click();
  await rest(page);
  assert.equal(await number(), before);
  content();
  await page.context().close();
});

test("time is scrubbed, by the slider and by keys", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  const at = async () => parseFloat((await page.textContent(".clock")).replace("t = ", ""));
  await page.fill('input[aria-label="time"]', "0.5");
  assert.ok(Math.abs((await at()) - 10) < 0.05, String(await at()));
  const half = await page.locator(".view canvas").screenshot();
  await page.focus('input[aria-label="time"]');
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await at()) - 10.2) < 0.05, String(await at()));
  await page.waitForTimeout(100);
  assert.ok(!half.equals(await page.locator(".view canvas").screenshot()), "the picture follows");
  await page.keyboard.press("Home");
  assert.equal(await at(), 0);
  content();
  await page.context().close();
});

test("a method that a model does not accept is there with the reason", async () => {
  const { page, content } = await site.open("#model=kin-double-spherical-pendulum");
  await rest(page);
  const option = page.locator('.integrator .method option[value="variational"]');
  assert.ok(await option.evaluate((each) => each.disabled));
  assert.match(await option.textContent(), /^variational: .*energ/);
  assert.ok(await page.locator('.integrator .method option[value="rk4"]').evaluate((each) => !each.disabled));
  content();
  await page.context().close();
});

test("what takes long is said, and can be stopped", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  await page.goto(`${site.address}#model=molecules-on-sphere`);
  await page.waitForSelector('.studio[data-state="work"]');
  await page.waitForFunction(() => /reading|deriving|computing|running/.test(document.querySelector(".doing")?.textContent ?? ""));
  const began = Date.now();
  await page.getByRole("button", { name: "stop" }).click();
  await page.waitForSelector('.studio[data-state="rest"]', { timeout: 5000 });
  assert.ok(Date.now() - began < 5000);
  await page.goto(`${site.address}#model=spherical-pendulum`);
  await rest(page);
  assert.equal(await title(page), "Spherical pendulum");
  content();
  await page.context().close();
});
