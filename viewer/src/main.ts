// The report page: the motion, what was computed along it, and what it was computed from.
import { addCharts, chartsOf, type LinkedChart } from "./charts";
import { readPage, unpack, type PageData } from "./data";
import { element } from "./element";
import { Modes } from "./modes";
import { Player } from "./player";
import { preparePrint } from "./print";
import { conserved, equations, facts, footer, header, modelText, picture, textTable } from "./prose";
import { addStage, begin } from "./staging";
import "./style.css";

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
    const { stage, view, controls } = addStage(frame, page, player);
    preparePrint({ stage, view, memory: () => controls.memory, charts });
  } catch (error) {
    preparePrint({ stage: null, view: null, memory: () => 0, charts });
    frame.prepend(element("p", { class: "failed" }, `The motion cannot be drawn here: ${String(error)}`));
  }
}

const main = document.getElementById("page")!;
const page = readPage();
if (page) show(main, page);
else main.append(element("p", {}, "This template holds no run yet: hamel writes one into it."));
