// How fast it is, bounded loosely: machines are shared. `node tests/measure.mjs` prints the figures of docs/web.md.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { firstPicture, framesPerSecond } from "./measure.mjs";
import { openSite, rest } from "./site.mjs";

let site;
before(async () => (site = await openSite()));
after(async () => await site.close());

test("a chain of 10 moves, drawn in software on a busy machine", async (context) => {
  const { page } = await firstPicture(site, "chain-pendulum", { reducedMotion: "no-preference" });
  await rest(page);
  const rate = await framesPerSecond(page, 3);
  context.diagnostic(`${rate.toFixed(0)} frames a second`);
  assert.ok(rate > 4, `${rate} frames a second`);
  await page.context().close();
});

test("162 molecules are seen within a minute and a half", async (context) => {
  const { page, seconds } = await firstPicture(site, "molecules-on-sphere");
  context.diagnostic(`${seconds.toFixed(1)} s`);
  assert.ok(seconds < 90, `${seconds} s`);
  await page.context().close();
});
