// The page: the gallery first, then the studio.
import "../../viewer/src/style.css";
import { hasFile, isNative } from "../client/native";
import { Disk } from "./disk";
import { fetchGallery, Gallery, type GalleryModel } from "./gallery";
import { decode, studying, type Studied } from "./link";
import { Studio } from "./studio";
import "./studio.css";

const emptyModel = `name = "My pendulum"

[parameters]
m = 1.0
l = 1.0
g = 9.81

[coordinates]
q = "S2"    # the direction of the rod; z points down

[points]
x = "l*q"

[energy]
kinetic = "m/2*norm2(x')"
potential = "-m*g*x.z"

[start]
q = [1, 0, 0]
omega.q = [0, 0, 1]

[run]
integrator = "variational"
step = 0.01
until = 10
`;

const page = document.getElementById("page")!;
let studio: Studio | null = null;
let disk: Disk | null = null;
let gallery: GalleryModel[] = [];

function openStudio(): Studio {
  studio ??= new Studio((text) => gallery.find((model) => model.text === text)?.id ?? null);
  if (isNative) disk ??= new Disk(studio);
  return studio;
}

function showStudio(studied: Studied): void {
  const studio = openStudio();
  if (!studio.page.isConnected) page.replaceChildren(studio.page);
  disk?.leave();
  studio.open(studied);
}

// Behind `hamel studio`: its file comes as soon as somebody listens.
function showFile(): void {
  page.replaceChildren(openStudio().page);
}

// # is the gallery, #model=heavy-top one of its models, #m=... whatever a link holds, #new a small one to begin with.
async function route(): Promise<void> {
  const [, key, value] = /^#(model|m|new)=?(.*)$/.exec(location.hash) ?? [];
  const known = gallery.find(({ id }) => id === value);
  if (key === "new") return showStudio(studying(emptyModel));
  if (key === "model" && known) return showStudio(studying(known.text));
  const linked = key === "m" ? await decode(value!) : null;
  if (linked) return showStudio(linked);
  studio?.leave();
  document.title = "hamel, live";
  page.replaceChildren(new Gallery(gallery).page);
}

// For use without a network. A server on this machine that goes when its terminal does is no such place.
async function keepOffline(): Promise<void> {
  const { serviceWorker } = navigator;
  const isFirst = serviceWorker.controller === null;
  await serviceWorker.register(new URL("service.js", document.baseURI));
  if (!isFirst) return;
  if (!serviceWorker.controller) await new Promise((done) => serviceWorker.addEventListener("controllerchange", done, { once: true }));
  const pictures = [...document.images].map(({ src }) => src).filter(Boolean);
  serviceWorker.controller!.postMessage({ keep: pictures });
}
if ("serviceWorker" in navigator && !isNative) void keepOffline().catch(() => undefined);

gallery = await fetchGallery();
addEventListener("hashchange", () => void route());
if (hasFile) showFile();
else await route();
