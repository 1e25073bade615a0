// The first page: all models of the gallery, to be searched by name, space and subject.
import { element } from "../../viewer/src/element";
import "./gallery.css";

export interface GalleryModel {
  id: string;
  name: string;
  description: string;
  subject: string;
  space: string;
  text: string;
}

export async function fetchGallery(): Promise<GalleryModel[]> {
  return (await (await fetch(new URL("gallery.json", document.baseURI))).json()) as GalleryModel[];
}

// A picture is fetched when it is seen: browsers that do so by themselves begin with dozens.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    const picture = target as HTMLImageElement;
    picture.src = picture.dataset["src"]!;
  }
});

function card({ id, name, subject, space }: GalleryModel): HTMLElement {
  const picture = element("img", { "data-src": `pictures/${id}.webp`, alt: "", width: "400", height: "225" });
  seen.observe(picture);
  const words = element("span", { class: "words" }, element("span", { class: "name" }, name), element("span", { class: "space" }, space));
  return element("a", { class: "card", href: `#model=${id}`, title: subject }, picture, words);
}

// As one types it: S2 and S^2 are S², and are in (S²)³.
function typed(text: string): string {
  return text.normalize("NFKD").toLowerCase().replace(/[()^]/g, "");
}

export class Gallery {
  readonly page = element("div", { class: "gallery" });
  private readonly list = element("div", { class: "subjects" });
  private readonly search = element("input", { type: "search", placeholder: "pendulum, SO(3), cart, chain …", "aria-label": "search the gallery" });

  constructor(private readonly models: GalleryModel[]) {
    const words = "Mechanics from energies, in this page: choose a system, change a number, drag a slider, and see it move. Nothing is installed and nothing is sent.";
    this.page.append(
      element("header", {}, element("h1", {}, "hamel, live"), element("p", { class: "lead" }, words)),
      element("div", { class: "searching" }, this.search, element("a", { class: "word", href: "#new" }, "an empty model")),
      this.list,
    );
    this.search.addEventListener("input", () => this.show());
    this.show();
  }

  private show(): void {
    const words = typed(this.search.value).split(/\s+/).filter(Boolean);
    const text = (model: GalleryModel) => typed(`${model.id} ${model.name} ${model.subject} ${model.space} ${model.description}`);
    const found = this.models.filter((model) => words.every((word) => text(model).includes(word)));
    const subjects = [...new Set(found.map(({ subject }) => subject))];
    this.list.replaceChildren(
      ...subjects.map((subject) =>
        element("section", {}, element("h2", {}, subject), element("div", { class: "cards" }, ...found.filter((model) => model.subject === subject).map(card))),
      ),
    );
    if (found.length === 0) this.list.append(element("p", { class: "quiet" }, "No model of the gallery is like that."));
  }
}
