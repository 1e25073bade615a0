// Writes docs/gallery and the site in build/docs, and looks at every page in a browser:   node build.mjs
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse } from "./browser.mjs";
import { checkSite } from "./check.mjs";
import { indexOf, pageOf } from "./gallery.mjs";
import { each, listed, modelOf } from "./hamel.mjs";
import { pictureOf } from "./pictures.mjs";
import { gallery, site } from "./places.mjs";
import { plot } from "./plot.mjs";
import { reportData, writeMotion, writeSite } from "./site.mjs";

const started = Date.now();
const say = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

// What is written, by name; what else is in the folder belongs to models that are gone.
function writeGallery(files) {
  mkdirSync(gallery, { recursive: true });
  for (const name of readdirSync(gallery)) if (!files.has(name)) rmSync(join(gallery, name));
  for (const [name, content] of files) writeFileSync(join(gallery, name), content);
}

async function modelsIn(folder) {
  const models = await each(await listed(), (entry) => modelOf(entry, folder));
  for (const model of models) {
    model.report = reportData(readFileSync(model.motion, "utf8"));
    model.motion = writeMotion(model.motion, model.id);
  }
  return models;
}

async function galleryOf(models, browser, complaints) {
  const blank = await browser.newPage();
  const files = new Map([["README.md", indexOf(models)]]);
  await each(models, async (model) => {
    const { id, columns, check } = model;
    const picture = `${id}.webp`;
    const complain = (text) => complaints.push(`${id}: ${text}`);
    files.set(`${id}.md`, pageOf(model));
    files.set(`${id}.svg`, plot(columns, (check.momenta ?? []).map(({ name }) => name)));
    files.set(picture, await pictureOf(browser, blank, model, join(gallery, picture), complain));
  });
  await blank.close();
  return files;
}

async function build(folder) {
  rmSync(site, { recursive: true, force: true });
  const models = await modelsIn(folder);
  say(`${models.length} models have run`);
  const browser = await browse();
  try {
    const complaints = [];
    writeGallery(await galleryOf(models, browser, complaints));
    say(`the gallery is written: ${gallery}`);
    writeSite();
    say(`the site is written: ${site}/index.html`);
    const { pages, links } = await checkSite(browser, complaints);
    for (const complaint of complaints) console.error(complaint);
    say(`${pages} pages and ${links} links were looked at, ${complaints.length} complaints`);
    if (complaints.length > 0) process.exitCode = 1;
  } finally {
    await browser.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "hamel-docs-"));
try {
  await build(folder);
} catch (error) {
  console.error(error.name === "Error" ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
