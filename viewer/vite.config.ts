// Builds each of the two pages into one file that needs nothing else, no network and no server: the report into
// template.html, and with --mode inline the motion alone into python/hamel/viewer.html.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin, type Rollup } from "vite";

const root = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

// Of all that the template is built from. cmake/check_template.cmake computes the same.
function hashOfSources(): string {
  const sources = readdirSync(join(root, "src")).map((name) => `src/${name}`);
  sources.push("index.html", "inline.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts");
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

const oneFile = (source: string, target: string): Plugin => ({
  name: "one-file",
  enforce: "post",
  generateBundle(_, bundle) {
    const files = Object.values(bundle);
    const page = files.find((f) => f.fileName === source) as Rollup.OutputAsset;
    const script = files.find((f) => f.type === "chunk") as Rollup.OutputChunk;
    const style = files.find((f) => f.fileName.endsWith(".css")) as Rollup.OutputAsset;
    const code = script.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
    const html = String(page.source)
      .replace(/<script type="module"[^>]*><\/script>\s*/, "")
      .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style.source}</style>`)
      .replace("<!-- sources -->", `<meta name="hamel-sources" content="${hashOfSources()}" />`)
      .replace("<!-- script -->", () => `<script type="module">${code}</script>`);
    writeFileSync(join(root, target), html);
  },
});

export default defineConfig(({ mode }) => {
  const isInline = mode === "inline";
  const source = isInline ? "inline.html" : "index.html";
  return {
    root,
    plugins: [woff2Only, oneFile(source, isInline ? "../python/hamel/viewer.html" : "template.html")],
    build: {
      rollupOptions: { input: join(root, source) },
      target: "es2022",
      assetsInlineLimit: 1 << 30,
      cssCodeSplit: false,
      modulePreload: false,
      chunkSizeWarningLimit: 2000,
      reportCompressedSize: false,
    },
  };
});
