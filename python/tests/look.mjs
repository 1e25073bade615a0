// Looks at the viewer in a notebook:   node look.mjs page.html      or   node look.mjs http://localhost:8888/lab/tree/one.ipynb
// Prints as JSON what was seen: how many shades the picture has, whether it moves, what was complained about.
import { pathToFileURL } from "node:url";
import { browse, serious } from "../../viewer/tests/browser.mjs";

const [, , address, picture] = process.argv;
const isLab = address.startsWith("http");

// Brightness of 48 x 32 pixels.
const pixels = (frame) =>
  frame.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => {
          const copy = Object.assign(document.createElement("canvas"), { width: 48, height: 32 });
          const context = copy.getContext("2d");
          context.fillStyle = "#ffffff";
          context.fillRect(0, 0, 48, 32);
          context.drawImage(document.querySelector(".view canvas"), 0, 0, 48, 32);
          const { data } = context.getImageData(0, 0, 48, 32);
          done(Array.from({ length: 48 * 32 }, (_, i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2]));
        }),
      ),
  );

async function scrub(frame, part) {
  await frame.$eval(
    ".scrub",
    (slider, value) => {
      slider.value = String(value);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    },
    part,
  );
  await frame.waitForTimeout(200);
}

// A slow JupyterLab asks which kernel is meant, in the way of its menus: the one that it proposes.
async function answerQuestions(page) {
  const question = await page.$("dialog.jp-Dialog");
  if (!question) return;
  console.error(`JupyterLab asks: ${await question.innerText()}`);
  await page.click("dialog.jp-Dialog .jp-mod-accept");
}

// What is asked of a kernel that is about to be ready can be lost: it is asked again.
async function runAllCells(page) {
  await page.waitForSelector(".jp-Notebook .jp-Cell", { timeout: 60_000 });
  for (let attempt = 0; attempt < 5; ++attempt) {
    await page.waitForSelector(".jp-Notebook-ExecutionIndicator[data-status='idle']", { timeout: 60_000 });
    await answerQuestions(page);
    const click = (label) => page.click(label, { timeout: 10_000 });
    const isAsked = await click(".lm-MenuBar-itemLabel:text('Run')")
      .then(() => click(".lm-Menu-itemLabel:text('Run All Cells')"))
      .then(() => true, () => false);
    if (isAsked && (await page.waitForSelector("iframe[srcdoc]", { timeout: 15_000 }).catch(() => null))) return;
  }
}

const browser = await browse();
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  // Nothing of the viewer may come from elsewhere; what notebooks themselves ask for does not arrive.
  await page.route(/^https?:/, (route) => (new URL(route.request().url()).hostname === "localhost" ? route.continue() : route.abort()));
  await page.goto(isLab ? address : String(pathToFileURL(address)));
  if (isLab) await runAllCells(page);
  const holder = await page.waitForSelector("iframe[srcdoc]", { timeout: 60_000 });
  await holder.scrollIntoViewIfNeeded();
  const frame = await holder.contentFrame();
  await frame.waitForSelector(".view canvas", { timeout: 30_000 });
  await frame.waitForTimeout(500);
  const isPlaying = await frame.$eval(".clock", async (clock) => {
    const before = clock.textContent;
    await new Promise((done) => setTimeout(done, 1500));
    return clock.textContent !== before;
  });
  await frame.click(".play");
  await scrub(frame, 0.1);
  const first = await pixels(frame);
  await scrub(frame, 0.6);
  const second = await pixels(frame);
  const difference = first.reduce((sum, value, i) => sum + Math.abs(value - second[i]), 0) / first.length;
  const texts = await page.evaluate(() => document.body.innerText);
  if (picture) await page.screenshot({ path: picture });
  console.log(JSON.stringify({ shades: new Set(first).size, difference, isPlaying, complaints: isLab ? [] : serious(complaints), texts }));
} finally {
  await browser.close();
}
