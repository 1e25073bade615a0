// The motion as a WebM video: what is seen, on the colour of the page, from the beginning to the end.
import type { Player } from "../../viewer/src/player";

const rate = 30; // frames a second
const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

export const canFilm = typeof MediaRecorder !== "undefined" && kinds.some((kind) => MediaRecorder.isTypeSupported(kind));

const nextFrame = () => new Promise((next) => requestAnimationFrame(next));

export async function film(canvas: HTMLCanvasElement, player: Player, signal: AbortSignal, progress: (fraction: number) => void): Promise<Blob> {
  // As large as it is seen: a moving picture may be drawn coarser than that. Encoders want even numbers.
  const { clientWidth, clientHeight } = canvas;
  const larger = Math.min(devicePixelRatio, 2);
  const [width, height] = [(larger * clientWidth) & ~1, (larger * clientHeight) & ~1];
  const sheet = Object.assign(document.createElement("canvas"), { width, height });
  const context = sheet.getContext("2d")!;
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--raised").trim() || "#fff";
  const copy = () => {
    context.fillStyle = paper;
    context.fillRect(0, 0, width, height);
    context.drawImage(canvas, 0, 0, width, height);
  };
  copy();
  const recorder = new MediaRecorder(sheet.captureStream(rate), { mimeType: kinds.find((kind) => MediaRecorder.isTypeSupported(kind))!, videoBitsPerSecond: 8e6 });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((done) => recorder.addEventListener("stop", done, { once: true }));
  player.playing = false;
  player.seek(player.begin);
  recorder.start();
  player.toggle();
  let last = player.begin;
  while (!signal.aborted) {
    await nextFrame();
    const { t } = player.moment;
    if (t < last || !player.playing) break; // it begins anew
    last = t;
    copy();
    progress((t - player.begin) / player.duration);
  }
  player.playing = false;
  player.seek(player.end);
  await nextFrame();
  await nextFrame();
  copy();
  await nextFrame();
  recorder.stop();
  await stopped;
  return new Blob(parts, { type: "video/webm" });
}
