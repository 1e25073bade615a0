// What goes to paper: the picture and the charts are drawn anew, in the sizes of paper.
import type { LinkedChart } from "./charts";
import { element } from "./element";
import type { Stage } from "./stage";

export interface Printed {
  stage: Stage | null;
  view: HTMLElement | null;
  memory: () => number;
  charts: LinkedChart[];
}

function prepare({ stage, view, memory, charts }: Printed): void {
  clear();
  for (const chart of charts) chart.print();
  if (!stage || !view) return;
  const picture = stage.picture(1600, 1000, "#ffffff", memory());
  view.append(element("img", { class: "printed", alt: "the motion at this moment", src: picture.toDataURL("image/png") }));
}

function clear(): void {
  for (const made of document.querySelectorAll(".printed")) made.remove();
}

export function preparePrint(printed: Printed): void {
  addEventListener("beforeprint", () => prepare(printed));
  addEventListener("afterprint", clear);
}
