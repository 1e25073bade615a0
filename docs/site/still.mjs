// A picture of the viewer in a cell of a notebook:   node still.mjs page.html picture.png
import { pathToFileURL } from "node:url";
import { browse } from "./browser.mjs";

const [, , source, target] = process.argv;
const browser = await browse();
try {
  const page = await browser.newPage({ viewport: { width: 760, height: 520 }, colorScheme: "light" });
  await page.goto(String(pathToFileURL(source)));
  const holder = await page.waitForSelector("iframe[srcdoc]");
  const frame = await holder.contentFrame();
  await frame.waitForSelector(".view canvas");
  await frame.waitForTimeout(500);
  await frame.click(".play");
  await frame.$eval(".scrub", (slider) => {
    slider.value = "0.15";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await frame.waitForTimeout(500);
  await holder.screenshot({ path: target });
} finally {
  await browser.close();
}
