// Builds the page into one file, template.html, that needs nothing else: no network, no server.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin, type Rollup } from "vite";

const root = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

// Of all that the template is built from. cmake/check_template.cmake computes the same.
function hashOfSources(): string {
  const sources = readdirSync(join(root, "src")).map((name) => `src/${name}`);
  sources.push("index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts");
  const sha = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
  const lines = sources.sort().map((name) => `${sha(readFileSync(join(root, name)))} ${name}\n`);
  return sha(lines.join(""));
}

// Every browser of this decade reads woff2; the unusual alphabets of KaTeX are left out.
const woff2Only: Plugin = {
  name: "woff2-only",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("katex.min.css")) return null;
    return code
      .replace(/,url\([^)]*\.(woff|ttf)\) format\("[a-z]+"\)/g, "")
      .replace(/@font-face\{[^}]*KaTeX_(Fraktur|SansSerif|Script|Typewriter)[^}]*\}/g, "");
  },
};

const oneFile: Plugin = {
  name: "one-file",
  enforce: "post",
  generateBundle(_, bundle) {
    const files = Object.values(bundle);
    const page = files.find((f) => f.fileName === "index.html") as Rollup.OutputAsset;
    const script = files.find((f) => f.type === "chunk") as Rollup.OutputChunk;
    const style = files.find((f) => f.fileName.endsWith(".css")) as Rollup.OutputAsset;
    const code = script.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
    const html = String(page.source)
      .replace(/<script type="module"[^>]*><\/script>\s*/, "")
      .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style.source}</style>`)
      .replace("<!-- sources -->", `<meta name="hamel-sources" content="${hashOfSources()}" />`)
      .replace("<!-- script -->", () => `<script type="module">${code}</script>`);
    writeFileSync(join(root, "template.html"), html);
  },
};

export default defineConfig({
  root,
  plugins: [woff2Only, oneFile],
  build: {
    target: "es2022",
    assetsInlineLimit: 1 << 30,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
});
