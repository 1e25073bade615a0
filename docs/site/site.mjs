// The site: every document as a page of static HTML, with what it needs beside it.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { rendered } from "./markdown.mjs";
import { here, repository, site, studio } from "./places.mjs";

const shelves = [
  ["Start", ["README.md", "docs/tutorial.md", "docs/gallery/README.md"]],
  ["Use", ["docs/model-files.md", "docs/choosing-an-integrator.md", "docs/records.md", "docs/command.md", "docs/web.md", "docs/from-equilibria-to-control.md"]],
  ["Python", ["docs/python.md", "docs/python-howto.md", "docs/python-ensembles.md", "docs/notebooks/README.md", "docs/python-reference.md"]],
  ["Behind it", ["docs/engine.md", "docs/errata.md", "docs/decisions.md", "docs/known-problems.md", "CONTRIBUTING.md", "CHANGELOG.md"]],
];
const collections = ["docs/gallery", "docs/notebooks"]; // whose pages are listed on one of their own
const names = {
  "README.md": "hamel",
  "docs/tutorial.md": "Tutorial",
  "docs/gallery/README.md": "Gallery",
  "docs/errata.md": "Errata",
};

export function documents() {
  const markdown = (folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => posix.join(folder, name));
  return [...markdown("."), ...markdown("docs"), ...markdown("docs/gallery"), ...markdown("docs/notebooks")];
}

// README.md is index.html of its folder, docs/ is the root.
function targetOf(path) {
  const inside = path.replace(/^docs\//, "");
  return posix.join(dirname(inside), `${basename(inside, ".md").replace(/^README$/, "index").toLowerCase()}.html`);
}

const isFolder = (path) => statSync(join(repository, path)).isDirectory();

// Where a link of a document leads on the site; files that are no documents are copied.
function linkOf(source) {
  const from = dirname(targetOf(source));
  return (address) => {
    if (/^([a-z]+:|#)/.test(address)) return address;
    const [path, anchor] = decodeURI(address).split("#");
    const wanted = posix.join(dirname(source), path);
    const hash = anchor ? `#${anchor}` : "";
    if (!existsSync(join(repository, wanted))) return address; // the check of the site will say so
    if (isFolder(wanted)) {
      const index = posix.join(wanted, "README.md");
      return collections.some((folder) => index === `${folder}/README.md`)
        ? posix.relative(from, targetOf(index))
        : null;
    }
    if (wanted.endsWith(".md")) return posix.relative(from, targetOf(wanted)) + hash;
    const copy = wanted.replace(/^docs\//, "");
    mkdirSync(join(site, dirname(copy)), { recursive: true });
    copyFileSync(join(repository, wanted), join(site, copy));
    return posix.relative(from, copy);
  };
}

function navigation(source, headings, titles) {
  const from = dirname(targetOf(source));
  const entry = (path) => {
    const here = path === source || collections.some((folder) => path === `${folder}/README.md` && source.startsWith(`${folder}/`));
    const link = `<a href="${posix.relative(from, targetOf(path))}"${here ? ' aria-current="page"' : ""}>${titles.get(path)}</a>`;
    const inner = headings.filter(({ level }) => level === 2).map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`);
    return `<li>${link}${here && inner.length > 1 ? `<ul>${inner.join("")}</ul>` : ""}</li>`;
  };
  const known = shelves.flatMap(([, paths]) => paths);
  const others = [...titles.keys()].filter((path) => !known.includes(path) && !collections.some((folder) => path.startsWith(`${folder}/`)));
  const all = others.length > 0 ? [...shelves, ["More", others]] : shelves;
  const live = existsSync(studio) ? `<li><a href="${posix.relative(from, "studio/index.html")}">Studio</a></li>` : "";
  return all
    .map(([title, paths], i) => `<h2>${title}</h2><ul>${paths.filter((path) => titles.has(path)).map(entry).join("")}${i === 0 ? live : ""}</ul>`)
    .join("\n");
}

const served = `<p class="serve" hidden>This is live where the site is served: <code>node web/serve.mjs build/docs</code></p>
<noscript><p class="serve">This is live where scripts are allowed.</p></noscript>`;

// What web/studio/live.ts makes a motion of: a picture, and its model file.
function living(id, picture) {
  const text = readFileSync(join(repository, "models", `${id}.toml`), "utf8").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<div class="live" data-model="${id}">${picture}<template>${text}</template>${served}</div>`;
}

// The picture of a system plays; the front page and the tutorial have systems that live, too.
function playing(html, source) {
  const id = basename(source, ".md");
  if (source === "README.md")
    return html.replace(/<p>(<img src="[^"]*report\.png"[^>]*>)<\/p>/, (picture) => living("double-spherical-pendulum", picture));
  if (source === "docs/tutorial.md")
    return html.replace(/<pre><code class="language-toml">[^]*?<\/pre>/g, (text) => `<div class="live">${text}${served}</div>`);
  if (!source.startsWith("docs/gallery/") || id === "README") return html;
  return html.replace(/<p>(<img src="[^"]*\.webp"[^>]*>)<\/p>/, (_, picture) =>
    living(id, `<p class="play"><a href="${id}.motion.html">${picture}<span>Play the motion</span></a></p>`),
  );
}

// A browser loads no module from file://; there, and without WebAssembly, pictures stay pictures.
function liveScript(root) {
  return `<script>
if (location.protocol !== "file:" && "WebAssembly" in window) import(new URL("${root}/studio/live.js", document.baseURI));
else for (const words of document.querySelectorAll(".serve")) {
  if (location.protocol !== "file:") words.textContent = "This is live in browsers with WebAssembly.";
  words.hidden = false;
}
</script>
`;
}

function page(source, { html, headings }, titles) {
  const root = posix.relative(dirname(targetOf(source)), ".") || ".";
  const title = titles.get(source);
  const kinds = { "docs/gallery/README.md": "gallery", "docs/errata.md": "document errata" };
  const content = playing(html, source);
  const kind = kinds[source] ?? (source.startsWith("docs/gallery/") ? "system" : "document");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/assets/katex.min.css">
<link rel="stylesheet" href="${root}/assets/style.css">
<title>${title}${title === "hamel" ? "" : " · hamel"}</title>
</head>
<body class="${kind}">
<nav>
<a class="name" href="${root}/index.html">hamel</a>
<details class="menu"><summary>Pages</summary>
${navigation(source, headings, titles)}
</details>
</nav>
<main>
${content}
</main>
<script>
const menu = document.querySelector(".menu");
const wide = matchMedia("(min-width: 60rem)");
const fit = () => (menu.open = wide.matches);
wide.addEventListener("change", fit);
fit();
</script>
${content.includes('class="live"') && existsSync(studio) ? liveScript(root) : ""}</body>
</html>
`;
}

function copyAssets() {
  const assets = join(site, "assets");
  const katex = join(here, "node_modules/katex/dist");
  mkdirSync(join(assets, "fonts"), { recursive: true });
  copyFileSync(join(katex, "katex.min.css"), join(assets, "katex.min.css"));
  for (const font of readdirSync(join(katex, "fonts")).filter((name) => name.endsWith(".woff2")))
    copyFileSync(join(katex, "fonts", font), join(assets, "fonts", font));
  copyFileSync(join(here, "style.css"), join(assets, "style.css"));
}

export function writeSite() {
  copyAssets();
  if (existsSync(studio)) cpSync(studio, join(site, "studio"), { recursive: true });
  const all = documents();
  const texts = new Map(all.map((path) => [path, readFileSync(join(repository, path), "utf8")]));
  const titles = new Map(all.map((path) => [path, names[path] ?? /^# (.*)/m.exec(texts.get(path))[1]]));
  for (const [path, text] of texts) {
    const target = join(site, targetOf(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, page(path, rendered(text, linkOf(path)), titles));
  }
}

const dataBegins = '<script type="application/json" id="hamel-data">';

export function reportData(html) {
  const begin = html.indexOf(dataBegins) + dataBegins.length;
  return JSON.parse(html.slice(begin, html.indexOf("</script>", begin)));
}

// A report whose style and script, the same for all, are in files of their own. A browser loads no module from
// file://, so the script becomes a classic one.
export function writeMotion(report, id) {
  for (const folder of ["assets", "gallery"]) mkdirSync(join(site, folder), { recursive: true });
  const html = readFileSync(report, "utf8");
  const cut = (text, begin, end, last) => {
    const from = text.indexOf(begin);
    const to = last ? text.lastIndexOf(end) : text.indexOf(end, from);
    return [text.slice(0, from), text.slice(from + begin.length, to), text.slice(to + end.length)];
  };
  const [head, style, rest] = cut(html, "<style>", "</style>", false);
  const [body, script, tail] = cut(rest, '<script type="module">', "</script>", true);
  writeFileSync(join(site, "assets/viewer.css"), style);
  writeFileSync(join(site, "assets/viewer.js"), `"use strict";(() => {${script}\n})();\n`);
  const back = `<body>\n<p style="margin: 1rem 2.5rem -1.5rem"><a href="${id}.html" style="color: var(--accent)">&larr; the system</a></p>`;
  const target = join(site, "gallery", `${id}.motion.html`);
  writeFileSync(
    target,
    `${head}<link rel="stylesheet" href="../assets/viewer.css">${body.replace("<body>", back)}` +
      `<script defer src="../assets/viewer.js"></script>${tail}`,
  );
  return target;
}
