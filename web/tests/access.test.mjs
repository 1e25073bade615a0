// For everyone: axe-core finds nothing serious, everything can be done by keys, and is said in words.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openSite, rest, root } from "./site.mjs";

const axe = readFileSync(join(root, "web/node_modules/axe-core/axe.min.js"), "utf8");
let site;
before(async () => (site = await openSite()));
after(async () => await site.close());

async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 2).map(({ html, any }) => `${html.slice(0, 100)} ${any[0]?.message.slice(0, 100) ?? ""}`).join(" | ")}`);
}

for (const colorScheme of ["light", "dark"])
  test(`axe-core finds nothing serious, ${colorScheme}`, async () => {
    const { page, content } = await site.open("", { colorScheme, bypassCSP: true });
    await page.waitForSelector(".card");
    const found = { gallery: await findings(page) };
    await page.goto(`${site.address}#model=double-spherical-pendulum`);
    await rest(page);
    for (const tab of await page.getByRole("tab").allInnerTexts()) {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(300);
      found[tab] = await findings(page);
    }
    await page.getByRole("tab", { name: "Equilibria" }).click();
    await page.click("text=find equilibria");
    await page.waitForSelector(".modes table", { timeout: 60000 });
    found["modes"] = await findings(page);
    await page.click(".cm-content");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("x = 1 = 2\n");
    await page.waitForSelector(".mistake:not([hidden])");
    found["a mistake"] = await findings(page);
    assert.deepEqual(Object.entries(found).filter(([, list]) => list.length > 0), []);
    content();
    await page.context().close();
  });

// Presses a key until what has the focus is found.
async function reach(page, wanted, key = "Tab", most = 120) {
  for (let k = 0; k < most; ++k) {
    await page.keyboard.press(key);
    const [found, visible] = await page.evaluate((text) => {
      const at = document.activeElement;
      const name = at.getAttribute("aria-label") ?? at.textContent;
      const style = getComputedStyle(at);
      const inside = at.closest(".cm-editor");
      const ring = style.outlineStyle !== "none" || style.boxShadow !== "none" || (inside && getComputedStyle(inside).outlineStyle !== "none");
      return [(name ?? "").trim().startsWith(text) ? name.trim() : null, ring];
    }, wanted);
    if (found === null) continue;
    assert.ok(visible, `the focus of ${wanted} is not seen`);
    return;
  }
  assert.fail(`${wanted} is not reached by ${key}`);
}

test("by the keyboard alone: a model, a slider, a method, a tab, time, a drag, undo", async () => {
  const { page, content } = await site.open();
  await page.waitForSelector(".card");
  await reach(page, "search the gallery");
  await page.keyboard.type("heavy top");
  await reach(page, "Heavy symmetric top");
  await page.keyboard.press("Enter");
  await rest(page);
  const motions = async () => Number(await page.getAttribute(".studio", "data-motions"));
  const changes = async (what) => {
    const before = await motions();
    await what();
    await page.waitForFunction((n) => Number(document.querySelector(".studio").dataset.motions) > n, before);
    await rest(page);
  };
  await reach(page, "model file");
  assert.match(await page.getAttribute(".cm-content", "aria-description"), /Escape, then Tab leaves/);
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains("cm-content")), "Tab indents");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Escape");
  await reach(page, "time");
  await page.keyboard.press("End");
  assert.match(await page.textContent(".clock"), /^t = [1-9]/);
  await page.keyboard.press("Home");
  await reach(page, "Charts");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "Phase portrait");
  await page.waitForSelector('select[aria-label="quantity along x"]');
  await reach(page, "quantity along x");
  await page.keyboard.press("ArrowDown");
  await reach(page, "m");
  await changes(async () => {
    for (let k = 0; k < 12; ++k) await page.keyboard.press("ArrowRight");
  });
  await reach(page, "integrator");
  await changes(() => page.keyboard.press("ArrowDown"));
  await reach(page, "let go", "Shift+Tab");
  await reach(page, "top, axis 1", "Shift+Tab");
  await changes(() => page.keyboard.press("ArrowUp"));
  await changes(() => page.keyboard.press("Control+z"));
  await reach(page, "model file", "Shift+Tab");
  await page.keyboard.press("Escape");
  await reach(page, "undo", "Shift+Tab");
  content();
  await page.context().close();
});

test("pictures and charts have names, and mistakes are said", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  assert.equal(await page.getByRole("img", { name: "the motion in three dimensions" }).count(), 1);
  const charts = await page.locator(".charts figure").count();
  assert.equal(await page.locator(".charts [role=img][aria-label]").count(), charts);
  assert.equal(await page.locator('[role="alert"]').count(), 1);
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("x = 1 = 2\n");
  await page.waitForSelector(".mistake:not([hidden])");
  assert.match(await page.locator('[role="alert"]').innerText(), /^1:/);
  content();
  await page.context().close();
});
