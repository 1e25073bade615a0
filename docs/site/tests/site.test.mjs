// The parts of the site that need no browser:   node --test tests/
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { block, space } from "../formulas.mjs";
import { rendered, slug } from "../markdown.mjs";
import { repository } from "../places.mjs";
import { plot } from "../plot.mjs";
import { documents } from "../site.mjs";
import { grouped, selection } from "../subjects.mjs";

test("every document renders: formulas are right, links lead to files and headings", () => {
  const pages = new Map();
  const wanted = [];
  for (const source of documents()) {
    const link = (address) => {
      if (!/^[a-z]+:/.test(address)) {
        const [path, anchor] = decodeURI(address).split("#");
        wanted.push({ source, file: path ? join(dirname(source), path) : source, anchor });
      }
      return address;
    };
    pages.set(source, rendered(readFileSync(join(repository, source), "utf8"), link));
  }
  assert.ok(pages.size > 60);
  assert.ok(wanted.length > 400);
  for (const { source, file, anchor } of wanted) {
    assert.ok(existsSync(join(repository, file)), `${source} links to ${file}, which does not exist`);
    const headings = pages.get(file)?.headings.map(({ id }) => id);
    if (anchor && headings) assert.ok(headings.includes(anchor), `${source} links to #${anchor}, which ${file} has not`);
  }
});

test("markdown keeps formulas and code apart", () => {
  const html = (text) => rendered(text, (address) => address).html;
  assert.match(html("the space $S^2$ and `$HOME`"), /class="katex".*<code>\$HOME<\/code>/s);
  assert.doesNotMatch(html("5 $ and 6 $"), /katex/);
  assert.match(html("```math\n\\dot{q}\n```"), /<div class="formula"><span class="katex-display">/);
  assert.throws(() => html("$\\frac{1$"), /KaTeX/);
  assert.equal(slug("What `q'` is, in C++"), "what-q-is-in-c");
});

test("long equations are broken where no bracket is open", () => {
  const term = "\\left(a_1 + b_2\\right) \\ddot{q}";
  const long = block([`x = ${Array(12).fill(term).join(" + ")}`]).split("\n");
  assert.ok(long.length > 5);
  for (const line of long) assert.equal(line.split("\\left").length, line.split("\\right").length);
  assert.equal(block(["x = 1"]), "```math\n\\begin{aligned}\n&x = 1\n\\end{aligned}\n```");
  assert.match(block(["s = 0.3333333333333333 x"]), /s = 0\.333333 x/);
});

test("spaces are written as formulas", () => {
  assert.equal(space("R2 x S2^5"), "$\\mathbb{R}^2 \\times (S^2)^{5}$");
  assert.equal(space("SO3^2 x R1"), "$\\mathrm{SO}(3)^{2} \\times \\mathbb{R}$");
  assert.equal(space("{x in R3 : x.x = 0}"), "`{x in R3 : x.x = 0}`");
});

test("plots have a panel for outputs, for coordinates, and for energies where there are some", () => {
  const column = (name, f) => ({ name, values: Array.from({ length: 1000 }, (_, i) => f(i / 100)) });
  const columns = [
    column("t", (t) => t),
    column("q.x", Math.cos),
    column("q.y", Math.sin),
    column("q'.x", (t) => -Math.sin(t)),
    column("q'.y", Math.cos),
    column("energy", () => 1),
    column("spin", (t) => t),
    column("tip_of[1]", (t) => t * t),
    column("tip_of[2]", (t) => -t),
  ];
  const titles = (svg) => [...svg.matchAll(/class="title"[^>]*>([^<]*)</g)].map((match) => match[1]);
  assert.deepEqual(titles(plot(columns, ["spin"])), ["tip of", "q", "energy"]);
  assert.deepEqual(titles(plot(columns.slice(0, 5), [])), ["q"]);
  assert.doesNotMatch(plot(columns, ["spin"]), /NaN|undefined/);
});

test("every model of the gallery has a subject, and its index opens with models that exist", () => {
  const models = readdirSync(join(repository, "models")).filter((name) => name.endsWith(".toml")).map((name) => ({ id: name.slice(0, -5) }));
  const groups = grouped(models);
  assert.equal(groups.reduce((sum, [, members]) => sum + members.length, 0), models.length);
  const others = groups.find(([name]) => name === "Others")?.[1] ?? [];
  assert.deepEqual(others, [], "docs/site/subjects.mjs knows no subject of these");
  for (const id of selection) assert.ok(models.some((model) => model.id === id), id);
  const index = readFileSync(join(repository, "docs/gallery/README.md"), "utf8");
  assert.match(index, new RegExp(`^# Gallery[^#]*\\(${selection[0]}\\.md\\)`), "the index does not open with its selection");
});
