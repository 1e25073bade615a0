// What is taken away from the page: files with numbers and pictures.
import { element } from "./element";

export function save(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// "Double pendulum", "Energy error" -> double-pendulum-energy-error.svg
export function fileName(ending: string, ...words: string[]): string {
  const name = words.join(" ").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${name || "hamel"}.${ending}`;
}

// Every number with all of its digits.
export function csv(columns: { name: string; values: ArrayLike<number> }[]): string {
  const field = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [columns.map(({ name }) => field(name)).join(",")];
  const count = Math.max(0, ...columns.map(({ values }) => values.length));
  for (let i = 0; i < count; ++i) lines.push(columns.map(({ values }) => String(values[i] ?? "")).join(","));
  return `${lines.join("\n")}\n`;
}

const looks = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family"];

// A drawing of the page as a file: it takes its style along.
export function styled(drawing: SVGElement): string {
  const copy = drawing.cloneNode(true) as SVGElement;
  const originals = drawing.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, i) => {
    const style = getComputedStyle(originals[i]!);
    part.setAttribute("style", looks.map((name) => `${name}: ${style.getPropertyValue(name)}`).join("; "));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

// A button of words: "save Energy as SVG" is what it is called, "SVG" what is seen.
export function wordButton(text: string, label: string, action: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: "word", title: label, "aria-label": label }, text);
  made.addEventListener("click", action);
  return made;
}
