// The start, dragged in the picture: on the manifold, and the motion starts there.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { first, numbers, openSite, rest } from "./site.mjs";

let site;
before(async () => (site = await openSite()));
after(async () => await site.close());

async function drag(page, name, dx, dy, hold = 0) {
  const knob = page.getByRole("button", { name: `${name}, move with the arrow keys`, exact: true });
  await knob.waitFor();
  await knob.scrollIntoViewIfNeeded();
  const box = await knob.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let k = 1; k <= 5; ++k) {
    await page.mouse.move(x + (dx * k) / 5, y + (dy * k) / 5);
    await page.waitForTimeout(k === 3 ? hold : 0);
  }
  await page.waitForTimeout(200);
  await page.mouse.up();
  await rest(page);
  return { x: x + dx, y: y + dy };
}

const column = (row, name) => ["x", "y", "z"].map((c) => row[`${name}.${c}`]);
const length = (v) => Math.hypot(...v);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

test("a bob is dragged on its sphere, follows the pointer, and the motion starts there; undo brings it back", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  const before = await numbers(page);
  const there = await drag(page, "x", -90, 40, 1300); // with a rest on the way: one change all the same
  const box = await page.getByRole("button", { name: "x, move with the arrow keys", exact: true }).boundingBox();
  assert.ok(Math.hypot(box.x + box.width / 2 - there.x, box.y + box.height / 2 - there.y) < 80, "it went that way");
  const after = await numbers(page);
  const [q, old] = [column(first(after), "q"), column(first(before), "q")];
  assert.ok(Math.abs(length(q) - 1) < 1e-12, `|q| = ${length(q)}`);
  assert.ok(Math.abs(dot(q, column(first(after), "q'"))) < 1e-12, "the rate is tangent");
  assert.ok(length(q.map((x, i) => x - old[i])) > 0.05, "it moved");
  const off = (k) => Math.abs(length(column(Object.fromEntries(after.names.map((n, i) => [n, after.rows[k][i]])), "q")) - 1);
  assert.ok(off(after.rows.length - 1) < 1e-10, "and stays there");
  await page.getByRole("button", { name: "undo" }).click();
  await rest(page);
  assert.deepEqual((await numbers(page)).rows[0], before.rows[0], "undone");
  await page.getByRole("button", { name: "redo" }).click();
  await rest(page);
  assert.deepEqual((await numbers(page)).rows[0], after.rows[0], "done again");
  await page.getByRole("button", { name: "start as in the file" }).click();
  await rest(page);
  assert.deepEqual((await numbers(page)).rows[0], before.rows[0]);
  content();
  await page.context().close();
});

test("a velocity is dragged, the place stays", async () => {
  const { page, content } = await site.open("#model=spherical-pendulum");
  await rest(page);
  const before = first(await numbers(page));
  await drag(page, "velocity of x", -40, 30);
  const after = first(await numbers(page));
  assert.deepEqual(column(after, "q"), column(before, "q"));
  assert.ok(length(column(after, "q'").map((x, i) => x - column(before, "q'")[i])) > 1e-2);
  assert.ok(Math.abs(dot(column(after, "q"), column(after, "q'"))) < 1e-12);
  content();
  await page.context().close();
});

// S1, SO3, SE3, R3: by keys alone.
const orthogonal = (row, name) => {
  const entry = (i, j) => row[`${name}[${i},${j}]`];
  let worst = 0;
  for (const i of [1, 2, 3])
    for (const j of [1, 2, 3]) {
      const sum = [1, 2, 3].reduce((s, k) => s + entry(k, i) * entry(k, j), 0);
      worst = Math.max(worst, Math.abs(sum - (i === j ? 1 : 0)));
    }
  return worst;
};
const cases = [
  ["double-planar-pendulum", /^x\[1\]/, (row) => Math.abs(Math.hypot(row["q[1].x"], row["q[1].y"]) - 1)],
  ["heavy-top", /axis 1/, (row) => orthogonal(row, "R")],
  ["free-rigid-body-se3", /axis 2/, (row) => orthogonal(row, "G")],
  ["kepler-restricted-two-body", /^[a-z]+,/, () => 0],
];
for (const [id, name, defect] of cases)
  test(`${id}: moved by the arrow keys, on its manifold`, async () => {
    const { page, content } = await site.open(`#model=${id}`);
    await rest(page);
    const before = await numbers(page);
    const knob = page.locator(".grip:not(.push)").and(page.getByRole("button", { name })).first();
    await knob.focus();
    for (const key of ["ArrowRight", "ArrowUp", "Shift+ArrowUp", "PageUp"]) {
      await page.keyboard.press(key);
      await rest(page);
    }
    const after = await numbers(page);
    assert.notDeepEqual(after.rows[0], before.rows[0]);
    assert.ok(defect(first(after)) < 1e-12, String(defect(first(after))));
    assert.equal(await page.textContent(".mistake"), "");
    content();
    await page.context().close();
  });

test("a link holds what was dragged", async () => {
  const { page, content } = await site.open("#model=double-spherical-pendulum");
  await rest(page);
  await drag(page, "x[2]", 70, -30);
  const sent = await numbers(page);
  const { page: other, content: otherContent } = await site.open(new URL(page.url()).hash);
  await rest(other);
  assert.deepEqual((await numbers(other)).rows, sent.rows);
  content();
  otherContent();
  await page.context().close();
  await other.context().close();
});
