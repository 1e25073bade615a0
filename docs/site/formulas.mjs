// Formulas for pages: long ones broken into lines, in LaTeX that forges and KaTeX both know.

const width = 60; // of a line, in characters as they are seen

// Forges refuse \operatorname; nobody reads sixteen digits.
function common(latex) {
  return latex
    .replaceAll("\\operatorname{", "\\mathrm{")
    .replace(/\d+\.\d{7,}/g, (number) => String(Number(Number(number).toPrecision(6))));
}

function seen(latex) {
  return latex
    .replace(/\\(left|right|frac|dot|ddot|hat|mathrm|mathbb|begin\{\w+\}|end\{\w+\})/g, "")
    .replace(/\\[a-zA-Z]+/g, "x")
    .replace(/[{}_^\\ &]/g, "").length;
}

// The parts of a formula between the signs +, - and = that stand in no bracket; each part begins with its sign.
function parts(latex) {
  const found = [];
  let depth = 0;
  let start = 0;
  for (const match of latex.matchAll(/\\(?:left|begin)\b|\\(?:right|end)\b|[{(]|[})]| [-+=] /g)) {
    const token = match[0];
    if (/^(\\left|\\begin|[{(])$/.test(token)) ++depth;
    else if (/^(\\right|\\end|[})])$/.test(token)) --depth;
    else if (depth === 0) {
      found.push(latex.slice(start, match.index));
      start = match.index + 1;
    }
  }
  return [...found, latex.slice(start)];
}

// An equation in as many lines as it needs, all of them from the left.
function lines(latex) {
  const rows = [];
  for (const part of parts(latex)) {
    const last = rows.length - 1;
    const begins = part.startsWith("= ") && rows.length === 1 && seen(rows[0]) < width / 4; // no line has a name alone
    if (last >= 0 && (begins || seen(rows[last]) + seen(part) <= width)) rows[last] += ` ${part}`;
    else rows.push(part);
  }
  return rows.map((row, i) => (i === 0 ? `&${row}` : `&\\qquad ${row}`)).join(" \\\\\n");
}

// Equations below each other, as a block.
export function block(equations) {
  const whole = equations.join("\n").trim();
  const text = whole.startsWith("\\begin{aligned}")
    ? whole
    : `\\begin{aligned}\n${equations.map(lines).join(" \\\\[0.4em]\n")}\n\\end{aligned}`;
  return ["```math", common(text), "```"].join("\n");
}

const simple = /^(R|S|SO|SE)(\d+)(\^(\d+))?$/;

function factor(name) {
  const match = simple.exec(name);
  if (!match) return null;
  const [, kind, n, , power] = match;
  const group = kind.length === 2;
  const space = group ? `\\mathrm{${kind}}(${n})` : kind === "R" ? (n === "1" ? "\\mathbb{R}" : `\\mathbb{R}^${n}`) : `S^${n}`;
  if (!power) return space;
  return group || space === "\\mathbb{R}" ? `${space}^{${power}}` : `(${space})^{${power}}`;
}

// S2^3 x R2 as a formula; sets that are given by equations as they are written.
export function space(name) {
  const factors = name.split(" x ").map(factor);
  return factors.includes(null) ? `\`${name}\`` : `$${factors.join(" \\times ")}$`;
}
