// Numbers as people write them.

const superscripts: Record<string, string> = {
  "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
};

function minus(text: string): string {
  return text.replace("-", "−");
}

function scientific(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits).split("e") as [string, string];
  const power = [...String(Number(exponent))].map((c) => superscripts[c] ?? c).join("");
  const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  if (trimmed === "1") return `10${power}`;
  return `${minus(trimmed)}·10${power}`;
}

// To so many significant digits.
export function written(value: number, digits = 5): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return scientific(value, digits - 1);
  return minus(String(Number(value.toPrecision(digits))));
}

// Ticks of an axis: as many digits as their distance asks for.
export function ticks(values: (number | null)[]): string[] {
  const known = values.filter((v): v is number => v !== null);
  const largest = Math.max(...known.map(Math.abs), 0);
  const distance = known.length > 1 ? Math.abs(known[1]! - known[0]!) : largest;
  if (largest === 0 || distance === 0) return values.map((v) => (v === null ? "" : written(v)));
  const decimals = decimalsOf(distance);
  return values.map((v) => {
    if (v === null) return "";
    if (Math.abs(v) < 1e-9 * distance) return "0";
    if (largest < 1e-3 || largest >= 1e6) return scientific(v, 3);
    return minus(v.toFixed(decimals));
  });
}

// How many a number like 0.25 has.
function decimalsOf(value: number): number {
  for (let count = 0; count < 12; ++count) {
    const scaled = value * Math.pow(10, count);
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return count;
  }
  return 12;
}
