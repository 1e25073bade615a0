// Colours that stay apart for every eye (after Okabe and Ito), and a quiet grey for what only connects.

export const palette: Record<string, string> = {
  blue: "#2f7fc1",
  orange: "#e08a1e",
  green: "#1fa187",
  red: "#d1495b",
  purple: "#8e6bbf",
  sky: "#5bb5e0",
  yellow: "#d9bf3c",
  grey: "#8b929c",
  slate: "#5d7f9c",
};

const order = ["blue", "orange", "green", "red", "purple", "sky", "yellow"];

export function nth(index: number): string {
  return palette[order[index % order.length]!]!;
}

export function colorOf(name: string | undefined, otherwise: string): string {
  if (!name) return otherwise;
  return palette[name] ?? name;
}
