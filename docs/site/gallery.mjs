// The pages of the gallery as markdown, for the site and for those who browse the repository.
import { block, space } from "./formulas.mjs";
import { grouped, selection } from "./subjects.mjs";

const titles = {
  omega: "",
  velocity: "In velocities (q, q')",
  mu: "Hamilton's equations, in momenta (q, μ)",
  pi: "Hamilton's equations, in momenta (q, π)",
};

function details(title, text) {
  return `<details>\n<summary>${title}</summary>\n\n${text}\n\n</details>`;
}

function factsOf({ space: name, degrees_of_freedom, source, run, id }) {
  const step = run.step > 0 ? `, step ${Number(run.step.toPrecision(6))}` : "";
  const rows = [
    ["space", space(name)],
    ["degrees of freedom", degrees_of_freedom],
    ["source", source],
    ["this run", `\`${run.integrator}\`${step}, until t = ${Number(run.time.toPrecision(6))}`],
    ["play it", `\`hamel run ${id} --report run.html\``],
  ];
  return `| | |\n|---|---|\n${rows.map(([name, value]) => `| ${name} | ${value} |`).join("\n")}`;
}

const sized = ({ n }) => (n ? `Written out for n = ${n}.\n\n` : "");

function energiesOf({ energies }) {
  if (energies === null || energies.energies.length === 0) return "";
  const points = energies.points.filter(({ text }) => text.length < 200).map(({ latex }) => latex);
  const where = points.length > 0 && points.length <= 12 ? `\n\nwith the points\n\n${block(points)}` : "";
  return `## Energies\n\n${sized(energies)}${block(energies.energies.map(({ latex }) => latex))}${where}`;
}

function equationsOf({ id, equations }) {
  const heading = "## Equations of motion\n\n";
  const hint = `\`hamel equations ${id}\` prints them`;
  if (equations.length === 0) return `${heading}They are long: ${hint}, and \`--c\` as a C function.`;
  const [first, ...others] = equations;
  const origin = first.energies?.length > 0 ? "Derived from the energies by hamel" : "As the model gives them";
  const laws = first.laws.map(({ latex }) => latex);
  const inputs = laws.length === 0 ? "" : `\n\nwith the laws of the inputs\n\n${block(laws)}`;
  const derived = `${origin}; ${hint}. ${sized(first)}\n\n${block(first.latex)}${inputs}`;
  return [heading + derived, ...others.map((form) => details(titles[form.form], block(form.latex)))].join("\n\n");
}

function keptText({ kept, digits }) {
  if (kept === "to rounding" || kept === "lost") return kept;
  return `${digits} digits${kept === "drifting" ? ", with a drift" : ""}`;
}

// a, ..., z of a list that is long
function shortened(items) {
  return items.length > 4 ? `${items[0]}, ..., ${items.at(-1)}` : items.join(", ");
}

// angular momentum about e3 (q[1], ..., q[10])
function quantity(name) {
  return name.replace(/\(([^()]*)\)$/, (_, coordinates) => `(${shortened(coordinates.split(", "))})`);
}

// rotation about e3 of q[1] + rotation about e3 of q[2] is one rotation of both.
function symmetry(generator) {
  const [whole, centre] = generator.split(/ - .* of (the centre of mass)$/);
  if (centre) return `${symmetry(whole)}, about ${centre}`;
  const parts = generator.split(" + ").map((part) => part.split(" of "));
  const [motion] = parts[0];
  if (parts.every((part) => part.length === 2 && part[0] === motion))
    return `${motion} of ${shortened(parts.map(([, coordinate]) => coordinate))}`;
  return parts.length > 4 ? "a motion of all coordinates" : generator;
}

// Beyond energy and momenta: what the model file claims, and hamel check confirms.
function claimedOf({ check }) {
  const claims = (check.conserved ?? []).filter(({ holds }) => holds);
  if (claims.length === 0) return "";
  const formulas = claims.map(({ name, latex }) => `\\text{${name.replaceAll("_", " ")}} = ${latex}`);
  return `Also conserved, as \`hamel check\` confirms:\n\n${block(formulas)}`;
}

function conservedOf({ check, report }) {
  const symmetries = new Map((check.momenta ?? []).map(({ name, generator }) => [name, generator]));
  const claimed = (check.conserved ?? []).map(({ name }) => name);
  const rows = report.conserved
    .filter(({ name }) => name !== "manifold" && name !== "constraints")
    .map((item) => {
      const isClaim = claimed.includes(item.name.replace(/\[[\d,]*\]$/, ""));
      const origin = symmetries.has(item.name) ? symmetry(symmetries.get(item.name)) : "shift of time";
      return `| ${quantity(item.name)} | ${isClaim ? "claimed" : origin} | ${keptText(item)} |`;
    });
  const firstOrder = check.path === "first order";
  const table = `| quantity | symmetry | kept in this run |\n|---|---|---|\n${rows.join("\n")}`;
  const parts = [
    !firstOrder && !check.energy_conserved && rows.length > 0 ? "The energy is not conserved." : "",
    rows.length > 0 ? table : "",
    claimedOf({ check }),
  ].filter((part) => part);
  if (parts.length === 0 && !firstOrder) parts.push("None were found.");
  return parts.length > 0 ? `## Conserved quantities\n\n${parts.join("\n\n")}` : "";
}

const number = (value) => String(Number(value.toPrecision(4)));
function written(value) {
  return Array.isArray(value) ? `[${value.map(written).join(", ")}]` : number(value);
}

function equilibriaOf({ check }) {
  const found = check.equilibria ?? [];
  if (found.length === 0) return "";
  const rows = found.map(({ name, point }) => {
    const places = Object.entries(point).map(([coordinate, value]) => `${coordinate} = ${written(value)}`);
    const text = places.length > 4 ? `${places.slice(0, 3).join(", ")}, ...` : places.join(", ");
    return `| ${name} | \`${text}\` |`;
  });
  const largest = Math.max(...found.map(({ unrest }) => unrest));
  const what = check.path === "first order" ? "the field" : "the acceleration at rest";
  const size = largest < 1e-12 ? "zero, to rounding" : `at most ${largest.toExponential(0)}`;
  return `## Equilibria

The system stays in these points: there ${what} is ${size}, as \`hamel check\` computes it.

| | point |
|---|---|
${rows.join("\n")}`;
}

export function pageOf(model) {
  const { id, name, description, text } = model;
  return (
    [
      `# ${name}`,
      `![${name}](${id}.webp)`,
      description,
      factsOf(model),
      energiesOf(model),
      equationsOf(model),
      conservedOf(model),
      equilibriaOf(model),
      `## Motion\n\n![${name}: the motion over time](${id}.svg)`,
      `## Model file\n\n[models/${id}.toml](../../models/${id}.toml)\n\n${"```toml"}\n${text.trim()}\n${"```"}`,
      "[All systems](README.md)",
    ]
      .filter((part) => part)
      .join("\n\n") + "\n"
  );
}

const columns = 3;

function tableOf(members) {
  const cells = members.map(({ id, name }) => `[![${name}](${id}.webp)<br>${name}](${id}.md)`);
  while (cells.length % columns !== 0) cells.push("");
  const rows = [];
  for (let i = 0; i < cells.length; i += columns) rows.push(`| ${cells.slice(i, i + columns).join(" | ")} |`);
  const bar = `|${"---|".repeat(columns)}`;
  return `|${" |".repeat(columns)}\n${bar}\n${rows.join("\n")}`;
}

export function indexOf(models) {
  const parts = grouped(models).map(([name, members]) => `## ${name}\n\n${tableOf(members)}`);
  const chosen = selection.map((id) => models.find((model) => model.id === id)).filter((model) => model);
  return `# Gallery

${models.length} mechanical systems, each a model file of some thirty lines in [models](../../models): the worked systems
of the texts, and some beyond them. Each page has the picture, the space, the energies, the equations of motion that hamel
derives from them, what is conserved, and the motion. \`make docs\` writes these pages.

${tableOf(chosen)}

${parts.join("\n\n")}
`;
}
