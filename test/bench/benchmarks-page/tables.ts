import {
  type DurableCost,
  type DurableLoad,
  type DurableResults,
  durableLoads,
  durableSeries,
} from "../durable/measure-durable.ts";
import type { ContenderName } from "../gateway.ts";
import type { Results } from "../results.ts";
import { series, within } from "../rounds.ts";
import type { ScalingName } from "../scaling/contenders.ts";
import { type ScalingCost, type ScalingResults, scalingNames } from "../scaling/measure-scaling.ts";
import { figure } from "../statistics.ts";
import { contenderTitles, durableTitle, type Load } from "./figures.ts";

/** The CPU time of each load, as a Markdown table: microseconds, and in brackets the multiple of the bare proxy's. */
export function loadTable(loads: readonly Load[]): string {
  const names = shownNames((name) => loads.some(({ costs }) => costs.has(name)));
  const rows = loads.map(({ title, costs }) => [
    title,
    ...names.map((name) => {
      const cost = costs.get(name);
      return cost === undefined ? "-" : `${showTime(cost.microseconds)} (${showRatio(cost.toBare.median)})`;
    }),
  ]);
  return markdownTable([["CPU time in µs", ...names.map(titleOf)], ...rows]);
}

/** Memory, latency and how soon the upstream sees that a client has left, as a Markdown table. */
export function otherTable({ memory, timing }: Results): string {
  const names = shownNames((name) => timing.has(name));
  const direct = series(timing, "direct", ({ p50 }) => p50);
  const row = (title: string, value: (name: ContenderName) => string) => [title, ...names.map(value)];
  const gone = (phase: "before-first-byte" | "mid-stream") => (name: ContenderName) =>
    showMilliseconds(figure(series(timing, name, (value) => value.gone[phase])).median);
  return markdownTable([
    ["", ...names.map(titleOf)],
    row("Memory of an open stream", (name) => `${figure(series(memory, name, (value) => value)).median.toFixed(0)} KB`),
    row("Median time added to a request", (name) =>
      showMilliseconds(
        figure(
          within(
            series(timing, name, ({ p50 }) => p50),
            direct,
            (a, b) => a - b,
          ),
        ).median,
      ),
    ),
    row("Client leaves before the first byte, until the upstream sees it", gone("before-first-byte")),
    row("Client leaves in a stream, until the upstream sees it", gone("mid-stream")),
  ]);
}

/** Requests a second with balances in databases, and in brackets the latency at the median and at the 99th percentile. */
export function durableTimesTable(results: DurableResults): string {
  const names = shownNames((name) => results.durable.has(name));
  const cell = (load: DurableLoad, name: ContenderName) => {
    const middle = (pick: (cost: DurableCost) => number) => figure(durableSeries(results, name, load, pick)).median;
    const [p50, p99] = [middle((cost) => cost.p50), middle((cost) => cost.p99)];
    return `${middle(({ pairs }) => pairs).toFixed(0)} (${p50.toFixed(1)}, ${p99.toFixed(1)} ms)`;
  };
  const rows = durableLoads.map((load) => [durableTitle(load), ...names.map((name) => cell(load, name))]);
  return markdownTable([["Requests a second", ...names.map(titleOf)], ...rows]);
}

/** The work of each arrangement of databases. */
export function pairsTable({ hotAccount, manyAccounts }: ScalingResults): string {
  const middle = (rounds: typeof hotAccount, name: ScalingName, pick: (cost: ScalingCost) => number) =>
    figure(series(rounds, name, pick)).median;
  const rows = scalingNames.map((name) => [
    name,
    ...[hotAccount, manyAccounts].flatMap((rounds) => [
      Math.round(middle(rounds, name, ({ pairs }) => pairs)).toLocaleString("en"),
      middle(rounds, name, ({ statements }) => statements).toFixed(3),
    ]),
  ]);
  const head = [
    "Hold and settlement",
    "One account, a second",
    "Statements each",
    "1,000 accounts, a second",
    "Statements each",
  ];
  return markdownTable([head, ...rows]);
}

const shownNames = (isMeasured: (name: ContenderName) => boolean): readonly ContenderName[] =>
  [...contenderTitles.keys()].filter(isMeasured);

const titleOf = (name: ContenderName): string => contenderTitles.get(name) ?? name;

const showTime = (microseconds: number): string => microseconds.toFixed(microseconds < 100 ? 1 : 0);

const showRatio = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 1)} ×`;

const showMilliseconds = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? "never" : `${value.toFixed(2)} ms`;

function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [head, line, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
