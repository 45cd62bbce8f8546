/** Prints the figures of a fault test in one line that begins with its title. */
export function printFigures(title: string, figures: Readonly<Record<string, number | bigint | string>>): void {
  const parts = Object.entries(figures).map(([name, value]) => `${name} ${readable(value)}`);
  console.log(`${title}: ${parts.join(", ")}`);
}

function readable(value: number | bigint | string): string {
  return typeof value === "string" ? value : value.toLocaleString("en-US");
}
