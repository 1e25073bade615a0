// Parameters as sliders: every number that may change, from a fifth of what the file says to five times that.
import { element } from "../../viewer/src/element";
import { written } from "../../viewer/src/numbers";
import type { Changes, ParameterInfo } from "../client/types";

interface Slider {
  key: string;
  label: string;
  value: number;
  unit: string;
}

function slidersOf(parameters: ParameterInfo[]): Slider[] {
  const free = parameters.filter(({ formula, fixed }) => !formula && !fixed);
  return free.flatMap(({ name, rows, cols, value, unit = "" }) => {
    if (value.length === 1) return [{ key: name, label: name, value: value[0]!, unit }];
    if (cols > 1) return []; // a matrix is no matter of one number
    return value.map((number, i) => ({ key: `${name}[${i + 1}]`, label: rows > 1 ? `${name}[${i + 1}]` : name, value: number, unit }));
  });
}

// Positions of a slider are 0 to 1000, its middle is the value of the file. Signs stay; a zero moves by one.
function valueAt(position: number, middle: number): number {
  const s = position / 500 - 1;
  return Number((middle === 0 ? s : middle * Math.pow(5, s)).toPrecision(4));
}

function positionOf(value: number, middle: number): number {
  const s = middle === 0 ? value : value / middle > 0 ? Math.log(value / middle) / Math.log(5) : 0;
  return Math.min(1000, Math.max(0, 500 * (s + 1)));
}

export class Parameters {
  readonly panel = element("section", { class: "parameters", "aria-label": "parameters" });

  constructor(
    private readonly onChange: (changes: Changes) => void,
    private readonly most = 24, // sliders
    private readonly others = "in the text", // where they are
  ) {}

  show(parameters: ParameterInfo[], changes: Changes): void {
    const sliders = slidersOf(parameters);
    const known = new Set(sliders.map(({ key }) => key));
    const current: Changes = Object.fromEntries(Object.entries(changes).filter(([key]) => known.has(key)));
    const rows = sliders.slice(0, this.most).map((slider) => this.row(slider, current));
    this.panel.replaceChildren(element("h2", {}, "Parameters"));
    if (rows.length === 0) this.panel.append(element("p", { class: "quiet" }, "This model has none that can change."));
    this.panel.append(...rows);
    const left = sliders.length - rows.length;
    if (left > 0) this.panel.append(element("p", { class: "quiet" }, `and ${left} more, ${this.others}`));
  }

  private row({ key, label, value, unit }: Slider, current: Changes): HTMLElement {
    const now = () => current[key] ?? value;
    const input = element("input", { type: "range", min: "0", max: "1000", step: "1", "aria-label": key, "data-parameter": key });
    const number = element("input", { class: "number", type: "text", inputmode: "decimal", "aria-label": `${key}, as a number` });
    const back = element("button", { type: "button", class: "back", title: `${written(value)} again`, "aria-label": `${key} as in the file` }, "↺");
    const show = () => {
      input.value = String(positionOf(now(), value));
      number.value = String(now());
      back.style.visibility = key in current ? "visible" : "hidden";
    };
    const set = (wanted: number | null) => {
      if (wanted === null || wanted === value) delete current[key];
      else current[key] = wanted;
      show();
      this.onChange({ ...current });
    };
    input.addEventListener("input", () => set(Math.abs(Number(input.value) - 500) < 8 ? null : valueAt(Number(input.value), value)));
    number.addEventListener("change", () => {
      const wanted = Number(number.value);
      if (number.value.trim() !== "" && Number.isFinite(wanted)) set(wanted);
      else show();
    });
    back.addEventListener("click", () => set(null));
    show();
    const name = element("span", { class: "name" }, label, ...(unit ? [element("span", { class: "unit" }, ` ${unit}`)] : []));
    return element("div", { class: "slider" }, name, input, number, back);
  }
}
