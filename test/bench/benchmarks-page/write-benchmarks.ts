import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { DurableResults } from "../durable/measure-durable.ts";
import type { Results } from "../results.ts";
import type { ScalingResults } from "../scaling/measure-scaling.ts";
import type { Settings } from "../settings.ts";
import { drawChart } from "./chart.ts";
import { type Load, readDurableLoads, readLoads } from "./figures.ts";
import { durableTimesTable, loadTable, otherTable, pairsTable } from "./tables.ts";

const folder = join(process.cwd(), "docs", "guides");

const explanation =
  "The number in brackets is the multiple of the bare proxy's CPU time. Each figure is the median of the rounds.";

/** Replaces the figures and the chart of the proxies on the page about benchmarks. */
export function writeBenchmarks(results: Results, { rounds, warmUpRequests }: Settings): void {
  const loads = readLoads(results);
  const chart = "![CPU time of the gateway for each request, as a multiple of a bare proxy's](benchmarks.svg)";
  const figures = [machine(rounds, warmUpRequests), loadTable(loads), explanation, chart, otherTable(results)];
  writeChart("benchmarks.svg", loads);
  replaceFigures("benchmarks.md", "figures", figures);
}

/** Replaces the figures and the chart of requests with balances in databases. */
export function writeDurable(results: DurableResults, { durableRounds, warmUpRequests }: Settings): void {
  const loads = readDurableLoads(results);
  const chart =
    "![CPU time of the gateway for each request with a database, as a multiple of a bare proxy's](benchmarks-durable.svg)";
  const times = "In brackets: the latency at the median and at the 99th percentile.";
  const figures = [
    machine(durableRounds, warmUpRequests),
    loadTable(loads),
    explanation,
    chart,
    durableTimesTable(results),
    times,
  ];
  writeChart("benchmarks-durable.svg", loads);
  replaceFigures("benchmarks.md", "figures of databases", figures);
}

/** Replaces the figures of the arrangements of databases on the page about them. */
export function writeScaling(results: ScalingResults, { storeRounds }: Settings): void {
  replaceFigures("beyond-one-database.md", "figures of scaling", [machine(storeRounds), pairsTable(results)]);
}

function machine(rounds: number, warmUpRequests?: number): string {
  const measured = `${rounds} ${rounds === 1 ? "round" : "rounds"}`;
  const warmUp = warmUpRequests === undefined ? "" : ` after ${warmUpRequests.toLocaleString("en")} requests each`;
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  return `Node ${process.version}, ${processor}, ${measured}${warmUp}, ${new Date().toISOString().slice(0, 10)}.`;
}

const writeChart = (file: string, loads: readonly Load[]): void =>
  writeFileSync(join(folder, file), `${drawChart(loads)}\n`);

function replaceFigures(file: string, name: string, figures: readonly string[]): void {
  const page = join(folder, file);
  const marked = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- end of ${name} -->)`);
  const text = readFileSync(page, "utf8");
  if (!marked.test(text))
    throw new Error(`${page} has no comment "${name}". Add it and its end where the figures belong.`);
  writeFileSync(
    page,
    text.replace(marked, (_, start: string, end: string) => `${start}\n${figures.join("\n\n")}\n\n${end}`),
  );
  execFileSync("npx", ["biome", "format", "--write", page], { stdio: "ignore" });
  console.log(`\nWrote ${page}.`);
}
