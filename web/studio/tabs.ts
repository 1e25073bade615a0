// Several panels in one place, one of them seen.
import { element } from "../../viewer/src/element";

export class Tabs {
  readonly panel = element("div", { class: "tabs" });
  private readonly list = element("div", { class: "tablist", role: "tablist" });
  private readonly buttons: HTMLButtonElement[] = [];
  private name: string;

  constructor(
    private readonly panels: Record<string, HTMLElement>,
    private readonly onChoose: () => void,
  ) {
    const names = Object.keys(panels);
    this.name = names[0]!;
    this.panel.append(this.list);
    names.forEach((name, i) => {
      const id = `tab-${i}`;
      const button = element("button", { type: "button", role: "tab", id, "aria-controls": `${id}-panel` }, name);
      button.addEventListener("click", () => this.choose(name));
      button.addEventListener("keydown", (event) => this.move(event, i));
      this.buttons.push(button);
      this.list.append(button);
      this.panel.append(element("div", { role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id }, panels[name]!));
    });
    this.show();
  }

  get chosen(): string {
    return this.name;
  }

  choose(name: string): void {
    this.name = name;
    this.show();
    this.onChoose();
  }

  private show(): void {
    Object.keys(this.panels).forEach((name, i) => {
      const seen = name === this.name;
      this.buttons[i]!.setAttribute("aria-selected", String(seen));
      this.buttons[i]!.tabIndex = seen ? 0 : -1;
      this.panels[name]!.parentElement!.hidden = !seen;
    });
  }

  private move(event: KeyboardEvent, i: number): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.buttons[(i + step + this.buttons.length) % this.buttons.length]!;
    next.focus();
    next.click();
  }
}
