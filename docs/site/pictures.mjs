// Pictures of the reports, in a real browser.
import { existsSync, readFileSync } from "node:fs";
import { open } from "./browser.mjs";

const view = { width: 990, height: 660 };
const picture = { width: 660, height: 440 };
const fewObjects = 3;
const moments = { few: 0.85, many: 0.37 }; // of the run
const picked = `.view { position: fixed !important; inset: 0; width: ${view.width}px !important; height: ${view.height}px !important;
  z-index: 99; border-radius: 0 !important; border: 0 !important } .view .note { display: none }`;

// In a page: waits until so many frames are drawn. The software renderer may need a second for one.
function frames(count) {
  return new Promise((done) => {
    const next = () => (count-- > 0 ? requestAnimationFrame(next) : done());
    next();
  });
}

// A few moving things leave their whole path; many would hide each other.
async function lengthenTrails(page, objects) {
  const choice = page.locator('select:has(option:text("long trails"))');
  if (objects > fewObjects || (await choice.count()) === 0) return;
  const last = (await choice.locator("option").count()) - 1;
  await choice.selectOption({ index: last });
}

async function screenshot(browser, file, time, objects, complain) {
  const moment = time * (objects <= fewObjects ? moments.few : moments.many);
  const page = await open(browser, `${file}#t=${moment}`, view, complain);
  try {
    await page.waitForSelector(".view canvas");
    await lengthenTrails(page, objects);
    await page.addStyleTag({ content: picked });
    // It stands still, and no larger size has been seen meanwhile.
    for (let time = 0; time < 2; ++time) {
      await page.evaluate(frames, 3);
      await page.waitForSelector('.view canvas[data-drawn="whole"]');
    }
    return await page.screenshot({ type: "png" });
  } finally {
    await page.close();
  }
}

// In a page: pixels of a picture, how much of it is not background, how far it is from another one; and as WebP.
async function measured(blank, png, before) {
  return blank.evaluate(
    async ({ png, before, width, height }) => {
      const pixels = async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = Object.assign(document.createElement("canvas"), { width, height });
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.drawImage(image, 0, 0, width, height);
        return { canvas, data: context.getImageData(0, 0, width, height).data };
      };
      const { canvas, data } = await pixels(`data:image/png;base64,${png}`);
      let drawn = 0;
      for (let i = 0; i < data.length; i += 4) {
        const low = Math.min(data[i], data[i + 1], data[i + 2]);
        const high = Math.max(data[i], data[i + 1], data[i + 2]);
        if (high - low > 24 || high < 150) ++drawn;
      }
      const old = before ? (await pixels(`data:image/webp;base64,${before}`)).data : null;
      const change = old ? data.filter((value, i) => Math.abs(value - old[i]) > 48).length / data.length : 1;
      const webp = canvas.toDataURL("image/webp", 0.86).split(",")[1];
      return { drawn: (4 * drawn) / data.length, change, webp };
    },
    { png: png.toString("base64"), before, ...picture },
  );
}

const leastDrawn = 0.0004;
const sameToTheEye = 0.0003; // of the picture is different, more than WebP makes it

// The picture of a report as WebP; the picture `before` where the two do not differ to the eye, so that a repository
// does not change with the machine.
export async function pictureOf(browser, blank, { motion, run, report }, before, complain) {
  const png = await screenshot(browser, motion, run.time, report.scene.objects.length, complain);
  const known = existsSync(before) ? readFileSync(before) : null;
  const { drawn, change, webp } = await measured(blank, png, known?.toString("base64"));
  if (drawn < leastDrawn) complain("the picture is blank: look at the [view] of the model");
  return change < sameToTheEye ? known : Buffer.from(webp, "base64");
}
