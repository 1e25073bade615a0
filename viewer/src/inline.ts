// The motion alone, for a cell of a notebook: without charts and formulas, which are most of the bytes of a page.
import { readPage, unpack, type PageData } from "./data";
import { element } from "./element";
import { Modes } from "./modes";
import { Player } from "./player";
import { addStage, begin, restOutOfSight } from "./staging";
import "./style.css";
import "./inline.css";

// The wheel belongs to the notebook, which scrolls, until someone has clicked into the picture.
function leaveTheWheel(view: HTMLElement): void {
  view.addEventListener(
    "wheel",
    (event) => {
      if (!document.hasFocus() && !event.ctrlKey) event.stopPropagation();
    },
    { capture: true, passive: true },
  );
}

function show(main: HTMLElement, page: PageData): void {
  document.title = page.title;
  document.documentElement.classList.add("inline");
  const player = new Player(Float64Array.from(unpack(page.time)));
  const frame = element("div", { class: "stage" });
  main.append(frame);
  if (page.modes) {
    const modes = new Modes(page, player);
    frame.append(modes.bar, modes.said);
  }
  const { view } = addStage(frame, page, player);
  if (page.note) view.append(element("p", { class: "thinned" }, page.note));
  leaveTheWheel(view);
  begin(player);
  restOutOfSight(view, player);
}

const main = document.getElementById("page")!;
const page = readPage();
try {
  if (page) show(main, page);
} catch (error) {
  main.append(element("p", { class: "failed" }, `The motion cannot be drawn here: ${String(error)}`));
}
