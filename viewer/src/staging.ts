// The motion in its frame, and its beginning.
import { Controls } from "./controls";
import type { PageData } from "./data";
import { Drawing } from "./drawing";
import { element } from "./element";
import type { Player } from "./player";
import { Stage } from "./stage";

function themeInk(): string {
  return getComputedStyle(document.documentElement).getPropertyValue("--faint").trim();
}

// #t=2.5 in the address shows that moment, at rest.
function momentOfAddress(): number | null {
  const match = /[#&]t=([-+.\deE]+)/.exec(location.hash);
  return match ? Number(match[1]) : null;
}

export function begin(player: Player): void {
  const wanted = momentOfAddress();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  player.seek(wanted === null ? player.begin : wanted + player.origin);
  if (wanted === null && !calm) player.toggle();
}

// What nobody sees does not move.
export function restOutOfSight(view: HTMLElement, player: Player): void {
  let wanted = player.playing;
  new IntersectionObserver(([entry]) => {
    const seen = entry!.isIntersecting;
    if (!seen) wanted = player.playing;
    if (player.playing !== (seen && wanted)) player.toggle();
  }).observe(view);
}

export interface Staged {
  stage: Stage;
  view: HTMLElement;
  controls: Controls;
}

// The picture and the bar under it, in a frame.
export function addStage(frame: HTMLElement, page: PageData, player: Player): Staged {
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
  const loop = (milliseconds: number) => {
    player.tick(milliseconds);
    stage.draw(player.moment, controls.memory);
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
  return { stage, view, controls };
}
