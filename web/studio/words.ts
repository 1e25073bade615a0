// Buttons of words, and spaces as one writes them.
import { element } from "../../viewer/src/element";

export function action(label: string, does: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: "word" }, label);
  made.addEventListener("click", does);
  return made;
}

export function symbol(sign: string, label: string, does: () => void): HTMLButtonElement {
  const made = action(sign, does);
  made.title = label;
  made.setAttribute("aria-label", label);
  return made;
}

// R2 x S2^5 as R² × (S²)⁵
export function spaceText(space: string): string {
  const raised = (digits: string) => [...digits].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  const factor = (text: string) => {
    const [, base, size, count] = /^([A-Za-z]+)(\d*)(?:\^(\d+))?$/.exec(text) ?? [];
    if (base === undefined) return text;
    const one = size ? (base.length > 1 ? `${base}(${size})` : `${base}${raised(size)}`) : base;
    return count ? `${size && base.length === 1 ? `(${one})` : one}${raised(count)}` : one;
  };
  return space.split(" x ").map(factor).join(" × ");
}
