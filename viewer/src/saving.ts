// The picture as a PNG: its size and what is behind it are chosen in a row that a button opens.
import { button, choice, icons } from "./controls";
import type { PageData } from "./data";
import { element } from "./element";
import { fileName, save, wordButton } from "./save";
import type { Stage } from "./stage";

const sizes: [string, number, number][] = [
  ["as seen, twice as sharp", 0, 0],
  ["1920 × 1080", 1920, 1080],
  ["3840 × 2160", 3840, 2160],
  ["1600 × 1600", 1600, 1600],
];
const backgrounds: [string, string | null][] = [
  ["white", "#ffffff"],
  ["transparent", null],
  ["black", "#000000"],
];

export class Saving {
  readonly opener: HTMLButtonElement;
  readonly row = element("div", { class: "saving", hidden: "" });
  private size = 0;
  private background = 0;

  constructor(
    private readonly page: PageData,
    private readonly stage: Stage,
    private readonly memory: () => number, // of the trails
  ) {
    this.opener = button(icons.save, "save the picture", () => this.toggle());
    this.opener.setAttribute("aria-expanded", "false");
    this.row.append(
      "Picture:",
      choice("size of the picture", sizes.map(([name]) => name), 0, (i) => (this.size = i)),
      choice("background of the picture", backgrounds.map(([name]) => name), 0, (i) => (this.background = i)),
      wordButton("Save PNG", "save the picture as PNG", () => void this.save()),
    );
  }

  private toggle(): void {
    this.row.hidden = !this.row.hidden;
    this.opener.setAttribute("aria-expanded", String(!this.row.hidden));
  }

  private async save(): Promise<void> {
    const { canvas } = this.stage;
    const [, width, height] = sizes[this.size]!;
    const seen = { width: 2 * canvas.clientWidth, height: 2 * canvas.clientHeight };
    const wanted = width > 0 ? { width, height } : seen;
    const picture = this.stage.picture(wanted.width, wanted.height, backgrounds[this.background]![1], this.memory());
    const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, "image/png"));
    if (blob) save(fileName("png", this.page.title), blob);
  }
}
