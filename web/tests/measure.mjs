// What docs/web.md says about speed:   HAMEL_COMMAND=build/hamel node tests/measure.mjs
import { loadavg } from "node:os";
import { withoutCard } from "../../viewer/tests/browser.mjs";
import { folder, openSite, rest } from "./site.mjs";

// Frames a second while a motion plays, as the page draws them.
export async function framesPerSecond(page, seconds = 5) {
  return page.evaluate(async (duration) => {
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    for (let k = 0; k < 10; ++k) await frame();
    const began = performance.now();
    let frames = 0;
    while (performance.now() - began < 1000 * duration) {
      await frame();
      ++frames;
    }
    return (1000 * frames) / (performance.now() - began);
  }, seconds);
}

// From the address of a model to its first picture, in a browser that has seen nothing yet.
export async function firstPicture(site, id, options = {}) {
  const began = performance.now();
  const { page } = await site.open(`#model=${id}`, options);
  await page.waitForSelector(".studio[data-motions] .view canvas", { timeout: 300000 });
  return { page, seconds: (performance.now() - began) / 1000 };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const browsers = { "WebGL in software": withoutCard, "the page in software, too": undefined };
  for (const [drawn, flags] of Object.entries(browsers)) {
    const site = await openSite(folder, flags);
    for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      const { page, seconds } = await firstPicture(site, "chain-pendulum", { viewport, reducedMotion: "no-preference" });
      await rest(page);
      await page.waitForTimeout(3000); // it finds its pace
      const rate = await framesPerSecond(page);
      const [points, seen] = await page.$eval(".view canvas", (canvas) => [canvas.width, canvas.clientWidth]);
      console.log(`chain of 10, ${viewport.width} wide, ${drawn}: first picture after ${seconds.toFixed(1)} s, ${rate.toFixed(0)} frames a second of ${points} points on ${seen}, load ${loadavg()[0].toFixed(1)}`);
      await page.context().close();
    }
    await site.close();
  }
  const site = await openSite();
  for (const id of ["double-spherical-pendulum", "molecules-on-sphere"]) {
    const { page, seconds } = await firstPicture(site, id);
    await rest(page);
    console.log(`${id}: first picture after ${seconds.toFixed(1)} s`);
    await page.context().close();
  }
  await site.close();
}
