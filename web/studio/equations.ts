// The equations of motion in four forms.
import { element } from "../../viewer/src/element";
import { equations } from "../../viewer/src/prose";
import { HamelError } from "../client/hamel";
import type { FormName } from "../client/types";
import { action } from "./words";
import type { Work } from "./work";

export const forms: [FormName, string][] = [
  ["omega", "angular velocities"],
  ["velocity", "rates"],
  ["pi", "body momenta"],
  ["mu", "momenta"],
];

export class EquationsPanel {
  readonly panel = element("div", { class: "equations" });
  form: FormName = "omega";
  private shown = ""; // which

  constructor(private readonly work: () => Work) {}

  forget(): void {
    this.shown = "";
  }

  async show(text: string): Promise<void> {
    const wanted = `${this.form} ${text}`;
    if (wanted === this.shown) return;
    this.shown = wanted;
    const menu = element("select", { "aria-label": "form of the equations" }, ...forms.map(([name, words]) => element("option", { value: name }, `in ${words} (${name})`)));
    menu.value = this.form;
    menu.addEventListener("change", () => {
      this.form = menu.value as FormName;
      void this.show(text);
    });
    const copy = action("copy LaTeX", () => undefined);
    this.panel.replaceChildren(element("div", { class: "fields" }, menu, copy), element("p", { class: "quiet" }, "…"));
    try {
      const found = await (await this.work().whenIdle()).ask("equations", { form: this.form });
      if (this.shown !== wanted) return;
      const groups = [
        { title: "Energies", latex: found.energies },
        { title: "Motion", latex: found.latex, ...(found.reason ? { note: found.reason } : {}) },
      ];
      copy.addEventListener("click", () => void navigator.clipboard.writeText([...found.energies, ...found.latex].join("\n")));
      this.panel.lastChild!.replaceWith(equations(groups.filter(({ latex }) => latex.length > 0)));
    } catch (error) {
      this.panel.lastChild!.replaceWith(element("p", { class: "quiet" }, error instanceof HamelError ? error.message : String(error)));
    }
  }
}
