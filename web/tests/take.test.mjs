// What is taken away, opened again.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { coordinates, numbers, openSite, rest, root, saved, table } from "./site.mjs";

const command = resolve(process.env.HAMEL_COMMAND ?? join(root, "build/hamel"));
const folder = mkdtempSync(join(tmpdir(), "hamel-take-"));
let site, page, content, blank;
before(async () => {
  site = await openSite();
  blank = await site.blank();
  ({ page, content } = await site.open("#model=spherical-pendulum"));
  await rest(page);
  await page.fill('.integrator input[aria-label="until"]', "2");
  await page.press('.integrator input[aria-label="until"]', "Enter");
  await page.fill('[data-parameter="l"]', "620");
  await rest(page);
  await page.locator(".grip.place").first().focus();
  for (const key of ["ArrowLeft", "ArrowDown", "ArrowLeft"]) {
    await page.keyboard.press(key);
    await rest(page);
  }
  await page.getByRole("tab", { name: "Take away" }).click();
});
after(async () => {
  content();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const click = (name) => () => page.getByRole("button", { name, exact: true }).click();

test("a picture has its size and, where that is asked for, nothing behind it", async () => {
  await page.fill('input[aria-label="width of the picture"]', "640");
  await page.fill('input[aria-label="height of the picture"]', "350");
  const look = async (background) => {
    await page.selectOption('.take select[aria-label="background of the picture"]', background);
    const { name, bytes } = await saved(page, click("save PNG"));
    assert.equal(name, "spherical-pendulum.png");
    return blank.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      let opaque = 0;
      for (let i = 3; i < data.length; i += 4) opaque += data[i] === 255;
      return { width: image.width, height: image.height, corner: data[3], opaque: opaque / (data.length / 4) };
    }, bytes.toString("base64"));
  };
  const clear = await look("transparent");
  assert.deepEqual([clear.width, clear.height, clear.corner], [640, 350, 0]);
  assert.ok(clear.opaque > 0.002 && clear.opaque < 0.5, `the pendulum is opaque: ${clear.opaque}`);
  assert.equal((await look("white")).opaque, 1);
  await page.fill('input[aria-label="width of the picture"]', "3");
  await click("save PNG")();
  await page.waitForSelector("text=16 to 8192 pixels");
});

test("a video loads and lasts as long as the motion", async () => {
  const { name, bytes } = await saved(page, click("save WebM"));
  assert.equal(name, "spherical-pendulum.webm");
  const found = await blank.evaluate(async (base64) => {
    const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const video = document.createElement("video");
    video.muted = true;
    const address = URL.createObjectURL(new Blob([data], { type: "video/webm" }));
    const seen = new Promise((done, failed) => ((video.onloadeddata = done), (video.onerror = () => failed(new Error(video.error.message)))));
    video.src = address;
    await seen;
    video.currentTime = 1e6; // a recorder does not write how long it took
    await new Promise((done) => (video.onseeked = done));
    return { width: video.videoWidth, height: video.videoHeight, end: video.currentTime };
  }, bytes.toString("base64")).catch((error) => ({ error: String(error) }));
  assert.ok(found.width > 300 && found.height > 200, JSON.stringify(found));
  assert.ok(found.end > 1 && found.end < 30, `${found.end} s`);
});

test("the numbers are those of the run, and charts are SVG and CSV", async () => {
  const all = await numbers(page);
  assert.equal(all.rows.at(-1)[0], 2);
  await page.getByRole("tab", { name: "Charts" }).click();
  const chart = await coordinates(page);
  const names = chart.names.split(",");
  for (const [i, name] of names.entries())
    assert.deepEqual(chart.rows.map((row) => row[i]), all.rows.map((row) => row[all.names.indexOf(name)]), name);
  const drawn = await saved(page, () => page.click('.charts button[aria-label$="as SVG"]'));
  assert.match(drawn.name, /\.svg$/);
  const found = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return { wrong: parsed.querySelector("parsererror")?.textContent ?? null, curves: parsed.querySelectorAll("path.curve").length };
  }, drawn.bytes.toString());
  assert.deepEqual(found, { wrong: null, curves: 3 });
});

test("a portrait shows any two quantities, as SVG and CSV", async () => {
  await page.getByRole("tab", { name: "Phase portrait" }).click();
  await page.selectOption('select[aria-label="quantity along x"]', "q.z");
  await page.selectOption('select[aria-label="quantity along y"]', "omega.q[3]");
  assert.equal(await page.getAttribute(".portrait svg", "aria-label"), "omega.q[3] over q.z");
  const { names, rows } = table((await saved(page, () => page.getByRole("button", { name: "save the portrait as CSV" }).click())).bytes);
  assert.deepEqual(names, ["t", "q.z", "omega.q[3]"]);
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "save the portrait as SVG" }).click());
  const points = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    if (parsed.querySelector("parsererror")) return -1;
    return parsed.querySelector("path.curve").getAttribute("d").split("L").length;
  }, bytes.toString());
  assert.equal(points, rows.length);
  const all = await numbers(page);
  assert.deepEqual(rows.map((row) => row[1]), all.rows.map((row) => row[all.names.indexOf("q.z")]));
});

test("equations are LaTeX that can be typeset", async () => {
  await page.selectOption('select[aria-label="form of what is taken"]', "pi");
  const { name, bytes } = await saved(page, click("save LaTeX"));
  assert.equal(name, "spherical-pendulum-pi.tex");
  const katex = (await import("../../viewer/node_modules/katex/dist/katex.mjs")).default;
  const blocks = bytes.toString().match(/\\begin\{align\*\}[^]*?\\end\{align\*\}/g);
  assert.equal(blocks.length, 2);
  for (const block of blocks) katex.renderToString(block, { displayMode: true, throwOnError: true });
});

test("the C code compiles", async () => {
  const { bytes } = await saved(page, click("save C"));
  const path = join(folder, "field.c");
  writeFileSync(path, bytes);
  execFileSync("cc", ["-c", "-Wall", "-Werror", "-std=c99", "-o", join(folder, "field.o"), path]);
});

test("the report is a page of its own", async () => {
  const { name, bytes } = await saved(page, click("save page"));
  assert.equal(name, "spherical-pendulum.html");
  const path = join(folder, "report.html");
  writeFileSync(path, bytes);
  const other = await page.context().newPage();
  const errors = [];
  other.on("pageerror", (error) => errors.push(String(error)));
  await other.goto(pathToFileURL(path).href);
  await other.waitForSelector(".view canvas");
  assert.equal(await other.textContent("h1"), "Spherical pendulum");
  assert.ok((await other.locator(".katex").count()) > 0);
  assert.deepEqual(errors, []);
  await other.close();
});

test("the command does the same, and the file is the model", async () => {
  const { name, bytes } = await saved(page, click("save file"));
  assert.equal(name, "spherical-pendulum.toml");
  assert.equal(bytes.toString(), readFileSync(join(root, "models/spherical-pendulum.toml"), "utf8"));
  const line = await page.textContent(".command");
  assert.match(line.replace(/ \\\n +/g, " "), /^hamel run spherical-pendulum --set l=\S+ --start 'q=\[.*\]' --start 'q'\\''=\[.*\]' --integrator variational --step 0.005 --until 2/);
  const all = await numbers(page);
  const { final } = JSON.parse(execFileSync("bash", ["-c", `${line.replace(/^hamel/, command)} --json`], { cwd: folder, env: { ...process.env, HAMEL_NATIVE: "0" } }));
  const last = Object.fromEntries(all.names.map((each, i) => [each, all.rows.at(-1)[i]]));
  ["x", "y", "z"].forEach((c, i) => {
    assert.ok(Math.abs(final.q.values[i] - last[`q.${c}`]) < 1e-10, c);
    assert.ok(Math.abs(final.q.rates[i] - last[`q'.${c}`]) < 1e-9, c);
  });
});
