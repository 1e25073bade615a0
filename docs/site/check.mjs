// Looks at every page of the site in a browser: pictures that are missing, links that lead nowhere, formulas that are
// broken, scripts that fail, requests to the network, pages wider than a phone.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "./browser.mjs";
import { each } from "./hamel.mjs";
import { site } from "./places.mjs";

const phone = { width: 390, height: 800 };

function pagesOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function findings() {
  const missing = [...document.images].filter((image) => !image.complete || image.naturalWidth === 0);
  return {
    missing: missing.map((image) => image.getAttribute("src")),
    links: [...document.querySelectorAll("a[href]")].map((link) => link.href),
    broken: [...document.querySelectorAll(".katex-error")].map((formula) => formula.textContent),
    dollars: [...(document.querySelector("main")?.querySelectorAll("p, td, li") ?? [])]
      .map((element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE))
      .flatMap((texts) => texts.map((text) => text.textContent).filter((text) => text.includes("$"))),
    excess: document.documentElement.scrollWidth - window.innerWidth,
  };
}

const ids = new Map();
function idsOf(file) {
  if (!ids.has(file))
    ids.set(file, new Set([...readFileSync(file, "utf8").matchAll(/\sid="([^"]*)"/g)].map((match) => match[1])));
  return ids.get(file);
}

function faultOf(link) {
  const address = new URL(link);
  if (address.protocol !== "file:") return null;
  const anchor = decodeURIComponent(address.hash.slice(1));
  address.hash = "";
  const file = fileURLToPath(address);
  if (!existsSync(file) || file.endsWith("/")) return `leads nowhere: ${link}`;
  if (anchor && file.endsWith(".html") && !idsOf(file).has(anchor)) return `leads to no heading: ${link}`;
  return null;
}

export async function checkSite(browser, complaints) {
  let links = 0;
  // Motions were seen when they were drawn; the studio needs a server, and has tests of its own.
  const files = pagesOf(site).filter((file) => !file.endsWith(".motion.html") && !file.startsWith(join(site, "studio")));
  await each(files, async (file) => {
    const complain = (text) => complaints.push(`${relative(site, file)}: ${text}`);
    const page = await open(browser, file, phone, complain);
    const found = await page.evaluate(findings);
    for (const source of found.missing) complain(`the picture ${source} is missing`);
    for (const text of found.broken) complain(`the formula ${text} is broken`);
    for (const text of found.dollars) complain(`${text} is no formula`);
    if (found.excess > 0) complain(`is ${found.excess} pixels wider than a phone`);
    for (const link of found.links) {
      const fault = faultOf(link);
      if (fault) complain(fault);
    }
    links += found.links.length;
    await page.close();
  });
  return { pages: files.length, links };
}
