// What is wrong, in the words of hamel; a click goes to its place.
import { element } from "../../viewer/src/element";
import type { Refusal } from "../client/types";
import type { Editor } from "./editor";

export class Mistake {
  private readonly button = element("button", { type: "button", class: "mistake", hidden: "" });
  readonly panel = element("div", { role: "alert" }, this.button);
  private why: Refusal | null = null;

  constructor(private readonly editor: Editor | null) {
    this.button.addEventListener("click", () => this.why?.line !== undefined && this.editor?.goTo(this.why));
  }

  // A run that goes well says nothing about the text, and the other way round.
  show(why: Refusal | null, place: "text" | "run"): void {
    if (!why && this.why && (place === "run") !== (this.why.line === undefined)) return;
    this.why = why;
    this.editor?.mark(why);
    this.button.hidden = why === null;
    this.button.textContent = why ? (why.line !== undefined ? `${why.line}:${why.column}  ${why.message}` : why.message) : "";
  }
}
