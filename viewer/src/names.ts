// Names of model files as people write them: center_of_mass is "center of mass", xi_1 is "xi₁".

const digits = "₀₁₂₃₄₅₆₇₈₉";

export function spoken(name: string): string {
  return name.replace(/^([A-Za-z]{1,7})_(\d+)$/, (_, word: string, index: string) => word + [...index].map((d) => digits[Number(d)]).join(""))
    .replaceAll("_", " ");
}

// "energy [J]"; the unit only where it is known.
export function withUnit(name: string, unit: string): string {
  return unit ? `${name} [${unit}]` : name;
}
