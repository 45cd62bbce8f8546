import { parseArgs } from "node:util";
import { type Counted, cpuTime, measureCounts, recurringMisses } from "./measure-counts.ts";
import { type CountedShapeName, countedShapes } from "./shapes.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    sites: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
  },
});
const shapes = positionals.length === 0 ? Object.keys(countedShapes) : positionals;
const rounds = Number(values.rounds);

if (!values.sites) console.log(row("", "misses", "bytes", "promises", "CPU µs", "to before"));
for (const shape of shapes.map(readShape)) {
  if (values.sites) await printSites({ checkout: ".", shape });
  else await printCounts(shape, values.against);
}

function readShape(name: string): CountedShapeName {
  if (isShape(name)) return name;
  throw new Error(`There is no shape "${name}"; there are ${Object.keys(countedShapes).join(", ")}.`);
}

function isShape(name: string): name is CountedShapeName {
  return Object.hasOwn(countedShapes, name);
}

/** Prints what a request of a shape takes here, and in another checkout. Rounds alternate between the two. */
async function printCounts(shape: CountedShapeName, against: string | undefined): Promise<void> {
  const here = { checkout: ".", shape };
  const before = against === undefined ? undefined : { checkout: against, shape };
  const costs: number[] = [];
  const earlier: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const cost = await cpuTime(here);
    costs.push(cost);
    if (before === undefined) continue;
    const other = await cpuTime(before);
    earlier.push(other);
    ratios.push(cost / other);
  }
  await printRow(here, shape, costs, ratios);
  if (before !== undefined) await printRow(before, `${shape} before`, earlier, []);
}

async function printRow(counted: Counted, name: string, costs: readonly number[], ratios: readonly number[]) {
  const { cacheMisses, bytes, promises } = await measureCounts(counted);
  const ratio = ratios.length === 0 ? "" : `${median(ratios).toFixed(2)} (${spread(ratios)})`;
  console.log(
    row(name, cacheMisses.toFixed(2), bytes.toFixed(0), promises.toFixed(1), Math.min(...costs).toFixed(1), ratio),
  );
}

async function printSites(counted: Counted): Promise<void> {
  const { count, sites } = await recurringMisses(counted);
  console.log(`${counted.shape}: ${count.toFixed(2)} misses a request`);
  const most = [...sites].sort(([, one], [, other]) => other - one).filter(([, misses]) => misses >= 0.01);
  for (const [site, misses] of most.slice(0, 50)) console.log(`  ${misses.toFixed(2)} ${site}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function spread(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`;
}

function row(name: string, ...cells: readonly string[]): string {
  return name.padEnd(16) + cells.map((cell) => cell.padStart(10)).join("");
}
