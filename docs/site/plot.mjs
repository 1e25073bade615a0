// The motion over time, as a picture: a panel for each output and for the first coordinates, and one for the energies.

const colors = ["#2f7fc1", "#e08a1e", "#1fa187", "#d1495b", "#8e6bbf", "#5bb5e0"];
const size = { width: 760, panel: 130, gap: 34, left: 62, right: 118, top: 30, bottom: 34 };
const most = { panels: 3, series: 6, points: 300 };
const style = `
text { font: 12px system-ui, sans-serif; fill: #565b63; }
.title { font-weight: 600; }
.grid { stroke: #8884; stroke-width: 1; fill: none; }
path { fill: none; stroke-width: 1.4; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) { text { fill: #aab0b8; } }`;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

// q[1].x belongs to q[1], y[3] to y, R[2,3] to R e3, G[1,4] to the position of G.
function ownerOf(name) {
  const entry = /^(.*)\[(\d+),(\d+)\]$/.exec(name);
  if (!entry) return name.replace(/(\.[xyz]|\[\d+\])$/, "");
  if (entry[3] === "4") return `position of ${entry[1]}`;
  return entry[3] === "3" ? `${entry[1]} e3` : null;
}

function labelOf(name) {
  const entry = /\[(\d+),\d+\]$/.exec(name);
  return entry ? "xyz"[entry[1] - 1] : (/(?:\.|\[)(\w+)\]?$/.exec(name)?.[1] ?? name);
}

function grouped(columns) {
  const panels = new Map();
  for (const column of columns) {
    const owner = ownerOf(column.name);
    if (owner === null) continue;
    if (!panels.has(owner)) panels.set(owner, []);
    panels.get(owner).push({ label: labelOf(column.name), values: column.values });
  }
  return [...panels].map(([title, series]) => ({ title, series: series.slice(0, most.series) }));
}

function panelsOf(columns, momenta) {
  const rest = columns.slice(1);
  const energy = rest.findIndex(({ name }) => /energy$/.test(name));
  const known = new Set(["manifold error", "constraint error", ...momenta]);
  const coordinates = rest.filter(({ name }, i) => (energy < 0 || i < energy) && !name.includes("'") && !known.has(name));
  const outputs = energy < 0 ? [] : rest.slice(energy).filter(({ name }) => !/energy$/.test(name) && !known.has(name));
  const shown = [...grouped(outputs).slice(0, most.panels - 1), ...grouped(coordinates)].slice(0, most.panels);
  for (const panel of shown) panel.title = panel.title.replaceAll("_", " ");
  const energies = rest.filter(({ name }) => /energy$/.test(name));
  const names = { "kinetic energy": "kinetic", "potential energy": "potential", energy: "total" };
  if (energies.length > 0)
    shown.push({ title: "energy", series: energies.map(({ name, values }) => ({ label: names[name] ?? name, values })) });
  return shown;
}

// Lowest and highest value of each stretch, so that fast motions keep their size.
function thinned(values, times) {
  if (values.length <= most.points) return values.map((value, i) => [times[i], value]);
  const points = [];
  const buckets = most.points / 2;
  for (let k = 0; k < buckets; ++k) {
    const begin = Math.floor((k * values.length) / buckets);
    const end = Math.floor(((k + 1) * values.length) / buckets);
    let low = begin;
    let high = begin;
    for (let i = begin; i < end; ++i) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    for (const i of [...new Set([low, high])].sort((a, b) => a - b)) points.push([times[i], values[i]]);
  }
  return points;
}

function range(series) {
  const all = series.flatMap(({ values }) => values);
  let low = all.reduce((a, b) => Math.min(a, b));
  let high = all.reduce((a, b) => Math.max(a, b));
  const margin = high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * (high - low) : Math.abs(high) || 1;
  return [low - margin, high + margin];
}

function ticks(low, high, wanted) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((candidate) => candidate >= rough);
  const values = [];
  for (let k = Math.ceil(low / step); k * step <= high; ++k) values.push(k * step);
  return values;
}

const written = (value) => String(Number(value.toPrecision(6)));
const tenth = (value) => String(Math.round(value * 10) / 10);

function path(points, toX, toY) {
  let [x, y] = [NaN, NaN];
  return points
    .map(([t, value], i) => {
      const [nextX, nextY] = [Math.round(toX(t) * 10), Math.round(toY(value) * 10)];
      const text = i === 0 ? `M${tenth(nextX / 10)} ${tenth(nextY / 10)}l` : `${tenth((nextX - x) / 10)} ${tenth((nextY - y) / 10)}`;
      [x, y] = [nextX, nextY];
      return text;
    })
    .join(" ");
}

function drawn({ title, series }, times, top) {
  const [low, high] = range(series);
  const [begin, end] = [times[0], times[times.length - 1]];
  const inner = size.width - size.left - size.right;
  const toX = (t) => size.left + ((t - begin) / (end - begin)) * inner;
  const toY = (value) => top + size.panel - ((value - low) / (high - low)) * size.panel;
  const parts = [`<text class="title" x="${size.left}" y="${top - 9}">${escaped(title)}</text>`];
  for (const tick of ticks(low, high, 4)) {
    const y = tenth(toY(tick));
    parts.push(`<path class="grid" d="M${size.left} ${y}h${inner}"/>`);
    parts.push(`<text x="${size.left - 8}" y="${Number(y) + 4}" text-anchor="end">${written(tick)}</text>`);
  }
  series.forEach(({ label, values }, i) => {
    const color = colors[i % colors.length];
    parts.push(`<path stroke="${color}" d="${path(thinned(values, times), toX, toY)}"/>`);
    const text = label.replaceAll("_", " ");
    if (series.length > 1 || text !== title) {
      const y = top + 10 + 18 * i;
      parts.push(`<path stroke="${color}" d="M${size.width - size.right + 12} ${y - 4}h16"/>`);
      parts.push(`<text x="${size.width - size.right + 34}" y="${y}">${escaped(text)}</text>`);
    }
  });
  return parts.join("\n");
}

function timeAxis(times, bottom) {
  const [begin, end] = [times[0], times[times.length - 1]];
  const inner = size.width - size.left - size.right;
  const labels = ticks(begin, end, 8).map((t) => {
    const x = tenth(size.left + ((t - begin) / (end - begin)) * inner);
    return `<text x="${x}" y="${bottom + 20}" text-anchor="middle">${written(t)}</text>`;
  });
  return [...labels, `<text x="${size.width - size.right + 34}" y="${bottom + 20}">t</text>`].join("\n");
}

export function plot(columns, momenta) {
  const times = columns[0].values;
  const panels = panelsOf(columns, momenta);
  const step = size.panel + size.gap;
  const height = size.top + panels.length * step - size.gap + size.bottom;
  const body = panels.map((panel, i) => drawn(panel, times, size.top + i * step));
  body.push(timeAxis(times, size.top + panels.length * step - size.gap));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" width="${size.width}" height="${height}">
<style>${style}
</style>
${body.join("\n")}
</svg>
`;
}
