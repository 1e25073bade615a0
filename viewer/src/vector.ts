// A chart as SVG, for papers and for print: the curves between these limits, axes with their names, a legend.
import { ticks, written } from "./numbers";
import { nth } from "./palette";

export interface Drawn {
  title: string;
  xLabel: string;
  yLabel: string;
  log: boolean;
  x: [number, number];
  y: [number, number];
  times: ArrayLike<number>;
  series: { name: string; values: ArrayLike<number | null> }[];
}

const width = 720;
const area = { left: 92, right: 16, top: 40, height: 260 };
const innerWidth = width - area.left - area.right;
const grid = 'stroke="#ddd" fill="none"'; // no style sheet: in a page it would be everyone's
const letter = 7.2; // some pixels that a letter of the legend takes

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const short = (value: number) => String(Math.round(value * 100) / 100);

function text(x: number, y: number, words: string, more = ""): string {
  return `<text x="${short(x)}" y="${short(y)}" ${more}>${escaped(words)}</text>`;
}

export function niceTicks(low: number, high: number, wanted: number): number[] {
  const rough = (high - low) / wanted;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((candidate) => candidate >= rough) ?? rough;
  const values: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + 1e-9 * step; ++k) values.push(k * step);
  return values;
}

function decades(low: number, high: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first) / 6));
  const values: number[] = [];
  for (let power = first; power <= last; power += step) values.push(Math.pow(10, power));
  return values;
}

// The curve with no more points than can be seen: of each half pixel its first, lowest, highest and last one.
function path({ times, x }: Drawn, values: ArrayLike<number | null>, toX: (t: number) => number, toY: (v: number) => number): string {
  const parts: string[] = [];
  let pen = "M";
  let bucket: { t: number; v: number }[] = [];
  const flush = () => {
    const low = bucket.reduce((a, b) => (b.v < a.v ? b : a), bucket[0]!);
    const high = bucket.reduce((a, b) => (b.v > a.v ? b : a), bucket[0]!);
    const kept = [...new Set([bucket[0]!, low, high, bucket.at(-1)!])].sort((a, b) => a.t - b.t);
    for (const { t, v } of kept) {
      parts.push(`${pen}${short(toX(t))} ${short(toY(v))}`);
      pen = "L";
    }
    bucket = [];
  };
  const margin = (x[1] - x[0]) / innerWidth;
  for (let i = 0; i < times.length; ++i) {
    const t = times[i]!;
    const v = values[i];
    if (t < x[0] - margin && (times[i + 1] ?? t) < x[0]) continue;
    if (t > x[1] + margin && (times[i - 1] ?? t) > x[1]) break;
    if (v === null || v === undefined) continue;
    if (bucket.length > 0 && Math.floor(2 * toX(t)) !== Math.floor(2 * toX(bucket[0]!.t))) flush();
    bucket.push({ t, v });
  }
  if (bucket.length > 0) flush();
  return parts.join("");
}

// Entries one after another, in as many lines as they need.
function legend(names: string[], top: number): { body: string; bottom: number } {
  let [x, y] = [area.left, top];
  const body = names.map((name, i) => {
    const needed = 26 + letter * name.length + 18;
    if (x > area.left && x + needed > width) [x, y] = [area.left, y + 20];
    const entry = `<path d="M${x} ${y - 4}h18" stroke="${nth(i)}" stroke-width="2.4"/>${text(x + 24, y, name)}`;
    x += needed;
    return entry;
  });
  return { body: body.join("\n"), bottom: y };
}

let drawn = 0; // several may be in one document: their clips need names of their own

export function svg(chart: Drawn): string {
  const { x, y, log } = chart;
  const level = (v: number) => (log ? Math.log10(v) : v);
  const toX = (t: number) => area.left + ((t - x[0]) / (x[1] - x[0] || 1)) * innerWidth;
  const toY = (v: number) => area.top + area.height * (1 - (level(v) - level(y[0])) / (level(y[1]) - level(y[0]) || 1));
  const bottom = area.top + area.height;
  const clip = `inside-${++drawn}`;
  const parts: string[] = [text(area.left, 22, chart.title, 'font-size="15" font-weight="bold" fill="#111"')];
  const levels = log ? decades(y[0], y[1]) : niceTicks(y[0], y[1], 5);
  const names = log ? levels.map((v) => written(v, 1)) : ticks(levels);
  levels.forEach((v, i) => {
    parts.push(`<path ${grid} d="M${area.left} ${short(toY(v))}h${innerWidth}"/>`);
    parts.push(text(area.left - 8, toY(v) + 4, names[i]!, 'text-anchor="end"'));
  });
  const moments = niceTicks(x[0], x[1], 8);
  ticks(moments).forEach((name, i) => {
    parts.push(`<path ${grid} d="M${short(toX(moments[i]!))} ${area.top}v${area.height}"/>`);
    parts.push(text(toX(moments[i]!), bottom + 18, name, 'text-anchor="middle"'));
  });
  chart.series.forEach(({ values }, i) =>
    parts.push(`<path class="curve" fill="none" stroke-width="1.6" stroke-linejoin="round" clip-path="url(#${clip})" stroke="${nth(i)}" d="${path(chart, values, toX, toY)}"/>`),
  );
  parts.push(text(area.left + innerWidth / 2, bottom + 38, chart.xLabel, 'text-anchor="middle"'));
  parts.push(text(0, 0, chart.yLabel, `text-anchor="middle" transform="translate(16 ${area.top + area.height / 2}) rotate(-90)"`));
  const { body, bottom: end } = legend(chart.series.map(({ name }) => name), bottom + 62);
  const height = end + 14;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Helvetica, Arial, sans-serif" font-size="13">
<title>${escaped(chart.title)}</title>
<clipPath id="${clip}"><rect x="${area.left}" y="${area.top}" width="${innerWidth}" height="${area.height}"/></clipPath>
<rect width="${width}" height="${height}" fill="#fff"/>
<g fill="#333">
${parts.join("\n")}
${body}
</g>
</svg>
`;
}

export function asElement(text: string): SVGElement {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true) as unknown as SVGElement;
}
