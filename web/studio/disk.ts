// Behind `hamel studio`: the file that it was opened on, which other editors may write too, and the records of its folder.
import { element } from "../../viewer/src/element";
import { hasFile } from "../client/native";
import { HamelError } from "../client/hamel";
import type { FileOnDisk } from "../client/types";
import type { Studio } from "./studio";
import { action } from "./words";

export class Disk {
  private file: FileOnDisk | null = null;
  private shows = hasFile; // is the file what the page shows?
  private readonly said = element("span", { class: "quiet disk", role: "status" });
  private readonly records = element("select", { "aria-label": "open a record" });
  private readonly write = action("write file", () => void this.attempt(() => this.save()));
  private readonly record = action("record", () => void this.attempt(() => this.recordRun()));

  constructor(private readonly studio: Studio) {
    studio.work.hamel.onFile = (file) => this.hear(file);
    this.write.hidden = true;
    this.record.title = "run it once more, into an HDF5 file of the folder";
    this.records.addEventListener("change", () => void this.attempt(() => this.openRecord(this.records.value)));
    studio.page.querySelector(".actions")!.prepend(this.said, this.write, this.record, this.records);
    void this.attempt(() => this.list());
  }

  // The page shows another model from now on.
  leave(): void {
    this.shows = false;
    this.write.hidden = true;
  }

  private hear(file: FileOnDisk): void {
    const first = this.file === null;
    const isOld = file.text === this.file?.text;
    this.file = file;
    if (isOld || !this.shows) return;
    this.write.hidden = !file.writable;
    const { changes, run } = first ? file : this.studio.studied;
    this.studio.open({ ...this.studio.studied, text: file.text, changes, start: {}, run });
  }

  private async attempt(does: () => Promise<string>): Promise<void> {
    try {
      this.said.textContent = await does();
    } catch (error) {
      this.said.textContent = error instanceof HamelError ? error.message : String(error);
    }
  }

  private async list(): Promise<string> {
    const { folder, files } = await this.studio.work.hamel.disk("files", {});
    const names = files.map(({ name }) => name).filter((name) => name.endsWith(".h5"));
    this.records.replaceChildren(...["records …", ...names].map((name, i) => element("option", { value: i ? name : "" }, name)));
    this.records.hidden = names.length === 0;
    this.record.hidden = folder === "";
    return "";
  }

  private async save(): Promise<string> {
    const name = this.file!.name, text = this.studio.studied.text;
    await this.studio.work.hamel.disk("save", { name, text });
    this.file = { ...this.file!, text };
    return `${name} is written`;
  }

  private async recordRun(): Promise<string> {
    const hamel = await this.studio.work.whenIdle();
    const { files } = await hamel.disk("files", {});
    const stem = (this.file?.name ?? "run.toml").replace(/\.toml$/, "");
    let number = 1;
    while (files.some(({ name }) => name === `${stem}-${number}.h5`)) ++number;
    const name = `${stem}-${number}.h5`;
    const progress = (fraction: number) => (this.said.textContent = `${name}: ${Math.round(100 * fraction)} %`);
    const { rows } = await hamel.record({ name, ...this.studio.studied.run }, { progress }).outcome;
    await this.list();
    return `${name} has ${rows} rows`;
  }

  private async openRecord(name: string): Promise<string> {
    if (!name) return "";
    const { page, damage } = await (await this.studio.work.whenIdle()).disk("recorded", { name });
    this.studio.show(page, true, {});
    return damage || `${name} is shown`;
  }
}
