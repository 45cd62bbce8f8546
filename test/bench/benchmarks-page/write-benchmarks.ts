import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Results } from "../results.ts";
import type { Settings } from "../settings.ts";
import { drawChart } from "./chart.ts";
import { readLoads } from "./figures.ts";
import { loadTable, otherTable } from "./tables.ts";

const folder = join(process.cwd(), "docs", "guides");
const page = join(folder, "benchmarks.md");
const marked = /(<!-- figures -->\n)[\s\S]*(<!-- end of figures -->)/;

const explanation =
  "The number in brackets is the multiple of the bare proxy's CPU time. Each figure is the median of the rounds.";
const chart = "![CPU time of the gateway for each request, as a multiple of a bare proxy's](benchmarks.svg)";

/** Replaces the figures and the chart of the page about benchmarks. */
export function writeBenchmarks(results: Results, { rounds, warmUpRequests }: Settings): void {
  const loads = readLoads(results);
  const warmUp = `${rounds} rounds after ${warmUpRequests.toLocaleString("en")} requests each`;
  const machine = `Node ${process.version}, ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${warmUp}, ${new Date().toISOString().slice(0, 10)}.`;
  const figures = [machine, loadTable(loads), explanation, chart, otherTable(results)].join("\n\n");
  writeFileSync(join(folder, "benchmarks.svg"), `${drawChart(loads)}\n`);
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(marked, (_, start: string, end: string) => `${start}\n${figures}\n\n${end}`),
  );
  execFileSync("npx", ["biome", "format", "--write", page], { stdio: "ignore" });
  console.log(`\nWrote ${page} and its chart.`);
}
