// Pictures of the studio and of pages in which models live, to be looked at:   node tests/shots.mjs FOLDER
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSite, rest } from "./site.mjs";

const folder = process.argv[2] ?? "../build/shots";
mkdirSync(folder, { recursive: true });
const docs = mkdtempSync(join(tmpdir(), "hamel-docs-"));
process.env.HAMEL_DOCS = docs;
(await import("../../docs/site/site.mjs")).writeSite();
const [site, pages] = [await openSite(), await openSite(docs)];
const widths = [[390, 844], [1000, 800], [1440, 900]];

async function livingPages(options, shot) {
  for (const name of ["index", "gallery/chain-pendulum", "tutorial"]) {
    const { page } = await pages.open(`${name}.html`, options);
    const live = page.locator(".live").first();
    await live.scrollIntoViewIfNeeded();
    await page.waitForSelector(".hamel-live[data-motions] canvas", { timeout: 60000 });
    await page.waitForTimeout(1500);
    await live.evaluate((element) => scrollTo(0, scrollY + element.getBoundingClientRect().top - 80));
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

for (const colorScheme of ["light", "dark"])
  for (const [width, height] of widths) {
    const shot = (page, name) => page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    await livingPages({ viewport: { width, height }, colorScheme }, shot);
    const { page } = await site.open("", { viewport: { width, height }, colorScheme });
    await page.waitForSelector(".card");
    await shot(page, "gallery");
    await page.goto(`${site.address}#model=${process.argv[3] ?? "double-spherical-pendulum"}`);
    await rest(page);
    await page.waitForTimeout(500);
    await shot(page, "studio");
    for (const tab of ["Phase portrait", "Take away"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(400);
      await page.locator(".tabs").scrollIntoViewIfNeeded();
      await shot(page, tab.replace(" ", "-").toLowerCase());
    }
    await page.evaluate(() => scrollTo(0, 0));
    await page.click(".cm-content");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("x = 1 = 2\n");
    await page.waitForSelector(".mistake:not([hidden])");
    await page.locator(".writing").scrollIntoViewIfNeeded();
    await shot(page, "mistake");
    await page.context().close();
  }
await site.close();
await pages.close();
rmSync(docs, { recursive: true, force: true });
