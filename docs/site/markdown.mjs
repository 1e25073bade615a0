// Markdown to HTML: formulas by KaTeX, code by highlight.js, anchors for headings, links between pages.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cmake from "highlight.js/lib/languages/cmake";
import cpp from "highlight.js/lib/languages/cpp";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import katex from "katex";
import MarkdownIt from "markdown-it";

for (const [name, language] of Object.entries({ bash, c, cmake, cpp, ini, json, python }))
  hljs.registerLanguage(name, language);
hljs.registerAliases(["toml"], { languageName: "ini" });
hljs.registerAliases(["sh"], { languageName: "bash" });

function formula(text, displayMode) {
  return katex.renderToString(text, { displayMode, throwOnError: true, strict: "ignore", output: "html" });
}

// $...$: no space inside the dollars, no digit after them.
function inlineMath(state, silent) {
  const match = /^\$(?!\s)((?:[^$\\]|\\.)+?)(?<!\s)\$(?!\d)/s.exec(state.src.slice(state.pos));
  if (!match) return false;
  if (!silent) state.push("math", "", 0).content = match[1];
  state.pos += match[0].length;
  return true;
}

function displayMath(state, silent) {
  const match = /^\$\$(.+?)\$\$/s.exec(state.src.slice(state.pos));
  if (!match) return false;
  if (!silent) state.push("display_math", "", 0).content = match[1];
  state.pos += match[0].length;
  return true;
}

// As forges make them.
export function slug(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function plain(token) {
  return token.children.map((child) => child.content).join("");
}

function anchors(state) {
  const known = new Map();
  state.env.headings = [];
  state.tokens.forEach((token, i) => {
    if (token.type !== "heading_open") return;
    const text = plain(state.tokens[i + 1]);
    const count = known.get(slug(text)) ?? 0;
    known.set(slug(text), count + 1);
    const id = slug(text) + (count > 0 ? `-${count}` : "");
    token.attrSet("id", id);
    state.env.headings.push({ level: Number(token.tag[1]), id, text });
  });
}

// env.link says where an address of the source is on the site; null takes the link away.
function links(state) {
  for (const { children } of state.tokens.filter(({ type }) => type === "inline")) {
    let removed = false;
    for (const token of children) {
      if (token.type === "image") token.attrSet("src", state.env.link(token.attrGet("src")) ?? "");
      if (token.type === "link_open") {
        const address = state.env.link(token.attrGet("href"));
        removed = address === null;
        if (removed) token.hidden = true;
        else token.attrSet("href", address);
      }
      if (token.type === "link_close" && removed) token.hidden = true;
    }
  }
}

const markdown = new MarkdownIt({
  html: true,
  highlight: (text, language) =>
    hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : "",
});
markdown.inline.ruler.before("escape", "display_math", displayMath);
markdown.inline.ruler.after("display_math", "math", inlineMath);
markdown.core.ruler.push("anchors", anchors);
markdown.core.ruler.push("links", links);

const rules = markdown.renderer.rules;
const fence = rules.fence;
rules.math = (tokens, i) => formula(tokens[i].content, false);
rules.display_math = (tokens, i) => formula(tokens[i].content, true);
rules.fence = (tokens, i, ...rest) =>
  tokens[i].info.trim() === "math"
    ? `<div class="formula">${formula(tokens[i].content, true)}</div>\n`
    : fence(tokens, i, ...rest);
rules.table_open = () => '<div class="table"><table>\n';
rules.table_close = () => "</table></div>\n";
for (const name of ["link_open", "link_close"])
  rules[name] = (tokens, i, options, _, renderer) =>
    tokens[i].hidden ? "" : renderer.renderToken(tokens, i, options);

// { html, headings } of a text.
export function rendered(text, link) {
  const env = { link };
  const html = markdown.render(text, env);
  return { html, headings: env.headings };
}
