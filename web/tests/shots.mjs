// Pictures of the studio and of pages in which models live, at three widths in both themes, to be looked at:
//   node tests/shots.mjs [FOLDER] [MODEL]     WIDTHS=390,1440 THEMES=dark for some of them
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSite, rest } from "./site.mjs";

const folder = process.argv[2] ?? "../build/shots";
const model = process.argv[3] ?? "double-spherical-pendulum";
mkdirSync(folder, { recursive: true });
const docs = mkdtempSync(join(tmpdir(), "hamel-docs-"));
process.env.HAMEL_DOCS = docs;
(await import("../../docs/site/site.mjs")).writeSite();
const [site, pages] = [await openSite(), await openSite(docs)];
const sizes = [[390, 844], [820, 1180], [1440, 900]].filter(([width]) => (process.env.WIDTHS ?? "390,820,1440").split(",").includes(String(width)));
const themes = (process.env.THEMES ?? "light,dark").split(",");

async function livingPages(options, shot) {
  for (const name of ["index", "gallery/chain-pendulum", "tutorial"]) {
    const { page } = await pages.open(`${name}.html`, options);
    const live = page.locator(".live").first();
    await live.scrollIntoViewIfNeeded();
    await page.waitForSelector(".hamel-live[data-motions] canvas", { timeout: 60000 });
    await page.waitForTimeout(1500);
    if (name !== "index") await live.evaluate((element) => scrollTo(0, scrollY + element.getBoundingClientRect().top - 80));
    else await page.evaluate(() => scrollTo(0, 0));
    if (name === "tutorial") {
      await page.locator(".cm-content").first().click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("x = 1 = 2\n");
      await page.waitForSelector(".mistake:not([hidden])");
    }
    await page.waitForTimeout(500);
    await shot(page, `live-${name.replace("gallery/", "")}`);
    await page.context().close();
  }
}

async function everyTab(page, shot) {
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    const name = await tab.textContent();
    if (name === "Two methods") {
      await page.getByLabel("compare with").selectOption("rk45");
      await page.waitForSelector(".comparison table", { timeout: 60000 });
    }
    if (name === "Equilibria") {
      await page.getByRole("button", { name: "find equilibria" }).click();
      await page.waitForSelector(".equilibria table", { timeout: 60000 });
    }
    await rest(page);
    await page.locator(".tabs").evaluate((element) => scrollTo(0, scrollY + element.getBoundingClientRect().top - 110));
    await page.waitForTimeout(500);
    await shot(page, `tab-${name.replaceAll(" ", "-").toLowerCase()}`);
    if (name === "Equilibria") await page.getByRole("button", { name: "back to the motion" }).click();
  }
  await page.getByRole("tab").first().click();
  await page.evaluate(() => scrollTo(0, 0));
}

// A body is held by the pointer, away from where it began.
async function dragging(page, shot) {
  const grip = page.locator(".grip.place, .grip.turn").last();
  await grip.waitFor({ timeout: 20000 });
  const { x, y } = await grip.boundingBox();
  await page.mouse.move(x + 12, y + 12);
  await page.mouse.down();
  await page.mouse.move(x + 60, y - 30, { steps: 6 });
  await page.waitForTimeout(1200);
  await shot(page, "dragging");
  await page.mouse.up();
}

async function mistake(page, shot) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("x = 1 = 2\n");
  await page.waitForSelector(".mistake:not([hidden])");
  await page.locator(".writing").scrollIntoViewIfNeeded();
  await shot(page, "mistake");
}

for (const colorScheme of themes)
  for (const [width, height] of sizes) {
    const shot = (page, name) => page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    const options = { viewport: { width, height }, colorScheme };
    await livingPages(options, shot);
    const { page } = await site.open("", options);
    await page.waitForSelector(".card");
    await page.waitForTimeout(500);
    await shot(page, "gallery");
    await page.goto(`${site.address}#model=${model}`);
    await page.waitForSelector(".studio[data-motions] .view canvas", { timeout: 60000 });
    await rest(page);
    await page.waitForTimeout(500);
    await shot(page, "studio");
    await dragging(page, shot);
    await everyTab(page, shot);
    await mistake(page, shot);
    await page.context().close();
  }
await site.close();
await pages.close();
rmSync(docs, { recursive: true, force: true });
