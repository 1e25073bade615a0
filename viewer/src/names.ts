// Names of model files as people write them: center_of_mass is "center of mass", xi_1 is "xi₁".

const digits = "₀₁₂₃₄₅₆₇₈₉";

// q[1], q[2], q[3] are q[1..3].
function inRanges(list: string): string {
  const items: { family: string; first: number; last: number; text: string }[] = [];
  for (const text of list.split(", ")) {
    const [, family, index] = /^(.*)\[(\d+)\]$/.exec(text) ?? [];
    const before = items.at(-1);
    if (family && before?.family === family && before.last + 1 === Number(index)) before.last += 1;
    else items.push({ family: family ?? "", first: Number(index), last: Number(index), text });
  }
  const words = ({ family, first, last, text }: (typeof items)[number]) =>
    last > first ? `${family}[${first}..${last}]` : text;
  return items.map(words).join(", ");
}

export function spoken(name: string): string {
  return name.replace(/\(([^()]*)\)$/, (_, list: string) => `(${inRanges(list)})`).replace(/^([A-Za-z]{1,7})_(\d+)$/, (_, word: string, index: string) => word + [...index].map((d) => digits[Number(d)]).join(""))
    .replaceAll("_", " ");
}

// "energy [J]"; the unit only where it is known.
export function withUnit(name: string, unit: string): string {
  return unit ? `${name} [${unit}]` : name;
}
