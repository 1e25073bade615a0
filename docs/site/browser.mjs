// A browser, and pages of which it tells what is wrong.
import { pathToFileURL } from "node:url";
import { chromium as engine } from "playwright-core";
import { chromium } from "./places.mjs";

const quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const drawing = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export function browse() {
  return engine.launch({ executablePath: chromium, args: ["--headless", "--no-sandbox", ...quiet, ...drawing] });
}

// What the browser's own software renderer says about itself is not about the page.
const ownTalk = /GPU stall|GL Driver|swiftshader|WebGL/i;

// Opens a file; `#t=2` may follow its name.
export async function open(browser, file, viewport, complain) {
  const page = await browser.newPage({ viewport, colorScheme: "light", reducedMotion: "reduce" });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !ownTalk.test(message.text())) complain(message.text());
  });
  page.on("pageerror", (error) => complain(String(error)));
  page.on("requestfailed", (request) => complain(`cannot load ${request.url()}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complain(`asks the network for ${request.url()}`);
  });
  const [path, hash] = file.split("#");
  await page.goto(`${pathToFileURL(path)}${hash ? `#${hash}` : ""}`);
  return page;
}
