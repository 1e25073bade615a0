// Pictures of the studio, to be looked at:   node tests/shots.mjs FOLDER
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openSite, rest } from "./site.mjs";

const folder = process.argv[2] ?? "../build/shots";
mkdirSync(folder, { recursive: true });
const site = await openSite();
const widths = [[390, 844], [1000, 800], [1440, 900]];
for (const colorScheme of ["light", "dark"])
  for (const [width, height] of widths) {
    const shot = (page, name) => page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
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
