// The report page: the motion, what was computed along it, and what it was computed from.
import { addCharts, chartsOf, type LinkedChart } from "./charts";
import { Controls } from "./controls";
import { readPage, unpack, type PageData } from "./data";
import { Drawing } from "./drawing";
import { element } from "./element";
import { Modes } from "./modes";
import { Player } from "./player";
import { preparePrint } from "./print";
import { conserved, equations, facts, footer, header, modelText, picture, textTable } from "./prose";
import { Stage } from "./stage";
import "./style.css";

function themeInk(): string {
  return getComputedStyle(document.documentElement).getPropertyValue("--faint").trim();
}

// #t=2.5 in the address shows that moment, at rest.
function momentOfAddress(): number | null {
  const match = /[#&]t=([-+.\deE]+)/.exec(location.hash);
  return match ? Number(match[1]) : null;
}

function begin(player: Player): void {
  const wanted = momentOfAddress();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  player.seek(wanted === null ? player.begin : wanted + player.origin);
  if (wanted === null && !calm) player.toggle();
}

function addStage(frame: HTMLElement, page: PageData, player: Player, charts: LinkedChart[]): void {
  const drawing = new Drawing(page.scene, player.times);
  const stage = new Stage(drawing, page.scene);
  const view = element("div", { class: "view" }, stage.canvas);
  const controls = new Controls(page, player, stage, drawing, frame);
  if (page.scene.note) view.append(element("p", { class: "note" }, page.scene.note));
  frame.prepend(view, controls.bar);
  new ResizeObserver(() => stage.resize(view.clientWidth, view.clientHeight)).observe(view);
  player.onChange(() => stage.touch());
  stage.setTheme(themeInk());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => stage.setTheme(themeInk()));
  preparePrint({ stage, view, memory: () => controls.memory, charts });
  const loop = (milliseconds: number) => {
    player.tick(milliseconds);
    stage.draw(player.moment, controls.memory);
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
}

const mostBeside = 5; // charts beside the stage; more of them go below

function show(main: HTMLElement, page: PageData): void {
  document.title = page.title;
  const player = new Player(Float64Array.from(unpack(page.time)));
  const hasScene = page.scene.objects.length > 0;
  const frame = element("div", { class: "stage" });
  const left = element("div", { class: "left" });
  const right = element("div", { class: "charts" });
  const wide = element("div", { class: "charts wide" });
  if (hasScene) left.append(frame);
  if (page.conserved.length > 0) left.append(conserved(page));
  if (page.modes) addModes(page, player, frame, left, right);
  if (page.facts.length > 0) (page.modes ? right : left).append(facts(page.facts_title, page.facts));
  for (const table of page.tables) left.append(textTable(table));
  for (const each of page.pictures) left.append(picture(each));
  const charts = chartsOf(page, player);
  const beside = left.childElementCount > 0 ? Math.min(mostBeside, charts.length) : 0;
  const columns = element("div", { class: "columns" }, left);
  if (beside > 0 || page.modes) columns.append(right);
  main.append(header(page), columns, wide);
  if (page.equations.length > 0) main.append(equations(page.equations));
  if (page.model_text) main.append(modelText(page.model_text));
  main.append(footer(page));
  if (hasScene) tryToAddStage(frame, page, player, charts);
  else preparePrint({ stage: null, view: null, memory: () => 0, charts });
  addCharts(right, charts.slice(0, beside), player);
  addCharts(wide, charts.slice(beside), player);
  begin(player);
}

function addModes(page: PageData, player: Player, frame: HTMLElement, left: HTMLElement, right: HTMLElement): void {
  const modes = new Modes(page, player);
  frame.append(modes.bar, modes.said);
  left.append(modes.tables);
  right.append(modes.figure);
}

// Without WebGL the rest of the page is still worth reading.
function tryToAddStage(frame: HTMLElement, page: PageData, player: Player, charts: LinkedChart[]): void {
  try {
    addStage(frame, page, player, charts);
  } catch (error) {
    preparePrint({ stage: null, view: null, memory: () => 0, charts });
    frame.prepend(element("p", { class: "failed" }, `The motion cannot be drawn here: ${String(error)}`));
  }
}

const main = document.getElementById("page")!;
const page = readPage();
if (page) show(main, page);
else main.append(element("p", {}, "This template holds no run yet: hamel writes one into it."));
