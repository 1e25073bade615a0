// Writes the site: the page, its worker, the module, the gallery. Everything in one folder, nothing from elsewhere.
//   node build.mjs [folder of hamel.mjs and hamel.wasm] [folder of the site]
//   node build.mjs native [folder of the site]      without the module: for `hamel studio`, whose engine is native
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build, transform } from "esbuild";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const root = resolve(here, "..");
const isNative = process.argv[2] === "native";
const compiled = resolve(isNative ? "." : process.argv[2] ?? join(root, "build/web"));
const site = resolve(process.argv[3] ?? (isNative ? join(root, "build/studio") : join(compiled, "site")));

// Every browser of this decade reads woff2; the unusual alphabets of KaTeX are left out.
const woff2Only = {
  name: "woff2-only",
  setup(bundle) {
    bundle.onLoad({ filter: /katex\.min\.css$/ }, ({ path }) => ({
      loader: "css",
      contents: readFileSync(path, "utf8")
        .replace(/,url\([^)]*\.(woff|ttf)\) format\("[a-z]+"\)/g, "")
        .replace(/@font-face\{[^}]*KaTeX_(Fraktur|SansSerif|Script|Typewriter)[^}]*\}/g, ""),
    }));
  },
};

const subjects = () => {
  const found = new Map();
  let subject = "";
  for (const line of readFileSync(join(root, "docs/gallery/README.md"), "utf8").split("\n")) {
    if (line.startsWith("## ")) subject = line.slice(3);
    if (subject) for (const [, id] of line.matchAll(/\]\(([\w-]+)\.md\)/g)) found.set(id, subject);
  }
  return found;
};

// $(S^2)^{2}$ as (S²)²
const raised = { 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
function plain(latex) {
  return latex
    .replace(/\^\{?(\d+)\}?/g, (_, digits) => [...digits].map((d) => raised[d]).join(""))
    .replaceAll("\\times", "×")
    .replace(/\\(?:mathbb|mathrm|mathsf|operatorname)\{([^}]*)\}/g, "$1")
    .replace(/[$\\{}]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function gallery() {
  const subjectOf = subjects();
  const entry = (text, key) => JSON.parse(`"${new RegExp(`^${key} = "((?:[^"\\\\]|\\\\.)*)"`, "m").exec(text)?.[1] ?? ""}"`);
  const models = readdirSync(join(root, "models")).filter((name) => name.endsWith(".toml")).map((name) => {
    const id = name.replace(/\.toml$/, "");
    const text = readFileSync(join(root, "models", name), "utf8");
    const page = readFileSync(join(root, "docs/gallery", `${id}.md`), "utf8");
    const space = plain(/^\| space \| (.*) \|$/m.exec(page)?.[1] ?? "");
    return { id, name: entry(text, "name"), description: entry(text, "description"), subject: subjectOf.get(id) ?? "Others", space, text };
  });
  const order = [...new Set(subjectOf.values())];
  return models.sort((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject));
}

rmSync(site, { recursive: true, force: true });
mkdirSync(join(site, "pictures"), { recursive: true });
const common = {
  bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", logLevel: "warning", outdir: site,
  nodePaths: [join(root, "viewer/node_modules")],
};
const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: { studio: join(here, "studio/main.ts"), ...(isNative ? {} : { live: join(here, "studio/live.ts") }) },
  splitting: true,
  loader: { ".woff2": "file" },
  assetNames: "fonts/[name]",
  plugins: [woff2Only],
});
// The same style for a part of another page.
async function liveStyle() {
  const [viewer, studio, live] = ["viewer/src/style.css", "web/studio/studio.css", "web/studio/live.css"].map((name) => readFileSync(join(root, name), "utf8"));
  const inside = `${viewer}${studio}`.replace(/@page \{[^}]*\}/g, "").replaceAll(":root", "&");
  const { code } = await transform(`.hamel-live { ${inside} ${live} }`, { loader: "css", minify: true, target: ["chrome100", "firefox100", "safari15"] });
  return code;
}

if (!isNative) {
  writeFileSync(join(site, "live.css"), await liveStyle());
  await build({ ...common, entryPoints: { worker: join(here, "client/worker.ts") }, alias: { "hamel-module": join(compiled, "hamel.mjs") } });
  copyFileSync(join(compiled, "hamel.wasm"), join(site, "hamel.wasm"));
}
copyFileSync(join(here, "studio/index.html"), join(site, "index.html"));
copyFileSync(join(root, "viewer/template.html"), join(site, "report.html"));
const models = gallery();
writeFileSync(join(site, "gallery.json"), JSON.stringify(models));
for (const { id } of models) copyFileSync(join(root, "docs/gallery", `${id}.webp`), join(site, "pictures", `${id}.webp`));

// What every visitor needs, for use without a network; all contents are the version.
if (!isNative) {
  const files = readdirSync(site, { recursive: true }).map(String).filter((name) => statSync(join(site, name)).isFile()).sort();
  const hash = createHash("sha256");
  for (const name of files) hash.update(name).update(readFileSync(join(site, name)));
  const service = readFileSync(join(here, "studio/service.js"), "utf8");
  const version = `hamel-${hash.update(service).digest("hex").slice(0, 16)}`;
  const asked = ["./", "index.html", "studio.css", "worker.js", "hamel.wasm", "gallery.json", ...scriptsOf("studio.js")];
  writeFileSync(join(site, "service.js"), service.replace('"VERSION"', JSON.stringify(version)).replace("= FILES", `= ${JSON.stringify(asked)}`));
}

// A script and all that it imports at once.
function scriptsOf(name) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const found = new Set([name]);
  for (const each of found)
    for (const { path, kind } of outputs.get(each).imports) if (kind === "import-statement") found.add(basename(path));
  return [...found];
}
