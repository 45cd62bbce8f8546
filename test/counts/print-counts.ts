import { parseArgs } from "node:util";
import { compareCpu } from "./compare-cpu.ts";
import { bytesBySite, measureCounts, recurringMisses } from "./measure-counts.ts";
import type { BySite } from "./miss-log.ts";
import { type CountedShapeName, countedShapes } from "./shapes.ts";
import type { Counted } from "./workload.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    sites: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
  },
});
const shapes = positionals.length === 0 ? Object.keys(countedShapes) : positionals;

if (!values.sites) console.log(row("", "misses", "bytes", "promises", "CPU µs", "  to before"));
for (const shape of shapes.map(readShape)) {
  const here = { checkout: ".", shape };
  if (values.sites) await printSites(here);
  else await printCounts(values.against === undefined ? [here] : [here, { checkout: values.against, shape }]);
}

function readShape(name: string): CountedShapeName {
  if (isShape(name)) return name;
  throw new Error(`There is no shape "${name}"; there are ${Object.keys(countedShapes).join(", ")}.`);
}

function isShape(name: string): name is CountedShapeName {
  return Object.hasOwn(countedShapes, name);
}

/** Prints what a request takes here and, in a second row, in another checkout. */
async function printCounts(checkouts: readonly Counted[]): Promise<void> {
  const rounds: (readonly number[])[] = [];
  for (let round = 0; round < Number(values.rounds); round++) rounds.push(await compareCpu(checkouts));
  for (const [at, counted] of checkouts.entries()) {
    const { cacheMisses, bytes, promises } = await measureCounts(counted);
    const cpu = Math.min(...rounds.map((costs) => costs[at] ?? Number.NaN));
    const cells = [cacheMisses.toFixed(2), bytes.toFixed(0), promises.toFixed(1), cpu.toFixed(1)];
    const name = at === 0 ? counted.shape : "  before";
    console.log(row(name, ...cells, at === 0 && checkouts.length > 1 ? ratioOf(rounds) : ""));
  }
}

/** Returns the median of the ratios inside each round, with the lowest and the highest. */
function ratioOf(rounds: readonly (readonly number[])[]): string {
  const ratios = rounds.map(([here = 0, before = 0]) => here / before).sort((a, b) => a - b);
  const [low, median, high] = [0, Math.floor(ratios.length / 2), -1].map((at) => ratios.at(at)?.toFixed(2));
  return `  ${median} (${low} to ${high})`;
}

async function printSites(counted: Counted): Promise<void> {
  printTop(`${counted.shape}: recurring inline-cache misses a request`, await recurringMisses(counted), 0.01);
  for (const which of ["allocations", "survivors"] as const) {
    printTop(`${counted.shape}: bytes a request by function, ${which}`, await bytesBySite(counted, which), 20);
  }
}

function printTop(title: string, sites: BySite, least: number): void {
  const sum = [...sites.values()].reduce((total, each) => total + each, 0);
  console.log(`${title}: ${sum.toFixed(2)}`);
  const top = [...sites].sort(([, one], [, other]) => other - one).filter(([, each]) => each >= least);
  for (const [site, each] of top.slice(0, 50)) console.log(`${each.toFixed(2).padStart(10)}  ${site}`);
}

function row(name: string, ...cells: readonly string[]): string {
  return name.padEnd(10) + cells.map((cell) => cell.padStart(10)).join("");
}
