// Which integrator, how fine, how long: a list that says what each method keeps.
import { element } from "../../viewer/src/element";
import type { MethodInfo, RunSettings } from "../client/types";

function field(label: string, value: string, onChange: (value: number) => void): HTMLElement {
  const input = element("input", { type: "text", inputmode: "decimal", value, "aria-label": label });
  input.addEventListener("change", () => {
    const number = Number(input.value);
    if (number > 0 && Number.isFinite(number)) onChange(number);
    else input.value = value;
  });
  return element("label", {}, `${label} `, input);
}

export function methodMenu(methods: MethodInfo[], chosen: string, label: string, onChoose: (name: string) => void, none?: string): HTMLSelectElement {
  const select = element("select", { "aria-label": label, class: "method" });
  if (none) select.append(element("option", { value: "" }, none));
  for (const { name, order, keeps, refused } of methods) {
    const option = element("option", { value: name }, refused ? `${name}: ${refused}` : `${name}: order ${order}; keeps ${keeps}`);
    option.disabled = refused !== undefined;
    select.append(option);
  }
  select.value = methods.some(({ name }) => name === chosen) || none ? chosen : "";
  select.addEventListener("change", () => onChoose(select.value));
  return select;
}

// A step for methods that take one, a tolerance for those that choose their steps.
export function fineness(info: MethodInfo | undefined, settings: RunSettings, onChange: (change: Partial<RunSettings>) => void): HTMLElement[] {
  if (!info) return [];
  const step = settings.step || 0.01;
  if (info.takes_step && !(settings.tolerance > 0)) return [field("step", String(step), (value) => onChange({ step: value }))];
  return [field("tolerance", String(settings.tolerance || 1e-9), (value) => onChange({ tolerance: value }))];
}

export class MethodPanel {
  readonly panel = element("section", { class: "integrator", "aria-label": "integrator" });

  constructor(private readonly onChange: (change: Partial<RunSettings>) => void) {}

  show(methods: MethodInfo[], settings: RunSettings): void {
    const info = methods.find(({ name }) => name === settings.integrator);
    const menu = methodMenu(methods, settings.integrator, "integrator", (integrator) => this.onChange({ integrator }));
    const rest = element("div", { class: "fields" }, ...fineness(info, settings, this.onChange), field("until", String(settings.until), (until) => this.onChange({ until })));
    const keeps = element("p", { class: "keeps" }, info ? `order ${info.order}; keeps ${info.keeps}` : "");
    this.panel.replaceChildren(element("h2", {}, "Integrator"), menu, keeps, rest);
  }
}
