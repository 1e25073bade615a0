// The colours of model files: TOML whose strings are formulas.
import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

interface Where {
  quote: string | null; // of the string that is open
  value: boolean; // after the = of a line
  prose: boolean; // the string is words, not a formula
}

const words = /^(name|description|source)$/;
const functions =
  /^(norm2?|hat|vee|rate|trace|omega|xi|rotation|position|transpose|det|dot|cross|diag|sum|sqrt|sin|cos|tan|exp|log|abs|acos|asin|atan|atan2|min|max|box|cylinder|ball|rod|in)\b/;

function formula(stream: StringStream): string {
  if (stream.match(/^\d+(\.\d+)?([eE][-+]?\d+)?/)) return "number";
  if (stream.match(functions)) return "keyword";
  if (stream.match(/^[A-Za-z_]\w*'*/)) return "variableName";
  stream.next();
  return "operator";
}

function inString(stream: StringStream, where: Where): string {
  if (where.quote && stream.match(where.quote)) {
    where.quote = null;
    return "string";
  }
  if (!where.prose && !stream.eatSpace()) return formula(stream);
  if (where.prose) while (!stream.eol() && !stream.match(where.quote!, false)) stream.next();
  return where.prose ? "string" : "";
}

function outside(stream: StringStream, where: Where): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return "comment";
  if (!where.value && stream.sol() && stream.match(/^\[+[^\]]*\]+/)) return "heading";
  const quote = stream.match(/^("""|"|''')/) as RegExpMatchArray | null;
  if (quote && where.value) {
    where.quote = quote[0];
    return "string";
  }
  if (!where.value) {
    const key = stream.match(/^("[^"]*"|[\w.']+)/) as RegExpMatchArray | null;
    if (key) {
      where.prose = words.test(key[0]);
      return "propertyName";
    }
    if (stream.eat("=")) where.value = true;
    else stream.next();
    return "operator";
  }
  if (stream.match(/^[-+]?\d[\d_]*(\.\d+)?([eE][-+]?\d+)?/)) return "number";
  if (stream.match(/^(true|false)\b/)) return "bool";
  if (stream.match(/^[\w.]+/)) return "propertyName";
  stream.next();
  return "operator";
}

const modelFiles = StreamLanguage.define<Where>({
  name: "hamel",
  startState: () => ({ quote: null, value: false, prose: false }),
  token(stream, where) {
    if (where.quote) return inString(stream, where);
    if (stream.sol()) where.value = where.value && /^\s/.test(stream.string) && !/^\s*[\w."']+\s*=/.test(stream.string);
    return outside(stream, where);
  },
  languageData: { commentTokens: { line: "#" } },
});

const style = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.heading, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--ink)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.keyword, color: "var(--function)" },
  { tag: tags.variableName, color: "var(--name)" },
  { tag: [tags.number, tags.bool], color: "var(--number)" },
  { tag: tags.operator, color: "var(--soft)" },
]);

export const modelColours: Extension = [modelFiles, syntaxHighlighting(style)];
