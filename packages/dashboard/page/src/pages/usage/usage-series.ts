import { bucketStarts, bucketText, nextBucket } from "@tollgate/page-kit/design/time-range.ts";
import type { UsageRow } from "../../api/answers.ts";
import type { ChartData, ChartSeries } from "../../charts/chart.tsx";
import { type MeasureId, measures } from "./measures.ts";
import type { UsageView } from "./usage-query.ts";

/** The classes of tokens in the order in which they are stacked, with their fixed colours. */
const classes: readonly (readonly [MeasureId, string])[] = [
  ["fresh", "Fresh input"],
  ["cached", "Cache read"],
  ["cache_writes", "Cache write"],
  ["output", "Output"],
];

/** Turns the rows of a summary into the series of the view, the largest first. */
export function usageChart(view: UsageView, rows: readonly UsageRow[]): ChartData {
  const starts = bucketStarts(view.range, view.bucket);
  const series = view.group === "class" ? classSeries(starts, rows) : groupSeries(view, starts, rows);
  const end = nextBucket(view.range.to - 1, view.bucket);
  return {
    middles: starts.map((start) => (start + nextBucket(start, view.bucket)) / 2_000),
    labels: starts.map((start) => bucketText(start, view.bucket)),
    from: (starts[0] ?? view.range.from) / 1_000,
    to: end / 1_000,
    series,
    stacked: measures[view.measure].additive,
  };
}

function classSeries(starts: readonly number[], rows: readonly UsageRow[]): readonly ChartSeries[] {
  return classes.map(([id, name], colour) => ({ name, colour, values: valuesOf(starts, rows, id) }));
}

function groupSeries(view: UsageView, starts: readonly number[], rows: readonly UsageRow[]): readonly ChartSeries[] {
  const groups = new Map<string, UsageRow[]>();
  for (const row of rows) groups.set(groupKey(row), [...(groups.get(groupKey(row)) ?? []), row]);
  const named = [...groups]
    .filter(([key]) => key !== othersKey)
    .map(([key, group]) => ({ key, group, size: sum(valuesOf(starts, group, view.measure)) }))
    .sort((a, b) => b.size - a.size);
  const colours = seriesColours(
    view.group,
    named.map(({ key }) => key),
  );
  const others = groups.get(othersKey);
  return [
    ...named.map(({ key, group }, index) => ({
      name: groupLabel(view, key),
      colour: colours[index] ?? 0,
      values: valuesOf(starts, group, view.measure),
    })),
    ...(others === undefined
      ? []
      : [{ name: "Others", colour: "others" as const, values: valuesOf(starts, others, view.measure) }]),
  ];
}

/** The key of the sum of the groups beyond the top. A group may have any other name. */
const othersKey = "\u0000others";

const groupKey = ({ group, others }: UsageRow): string => (others ? othersKey : (group ?? ""));

/** Names a group; requests without a value of the dimension have an empty key. */
function groupLabel(view: UsageView, key: string): string {
  if (key !== "") return key;
  return view.group === "none" ? measures[view.measure].name : "None";
}

function valuesOf(starts: readonly number[], rows: readonly UsageRow[], measure: MeasureId): (number | null)[] {
  const byStart = new Map(rows.map((row) => [Date.parse(row.start), row]));
  return starts.map((start) => {
    const row = byStart.get(start);
    return row === undefined ? null : measures[measure].of(row);
  });
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, each) => total + (each ?? 0), 0);

const colourCount = 8;

const storageKey = "tollgate.series-colours";

/** The colour of each name, by dimension. It is remembered, so that a name keeps its colour in every view. */
const remembered = new Map<string, number>(readStored());

/**
 * Returns a colour (0 to 7) for each name of a dimension, for names that are shown together. A name keeps its colour
 * unless one before it has the same.
 */
function seriesColours(dimension: string, names: readonly string[]): readonly number[] {
  const used = new Set<number>();
  const assigned = names.map((name) => {
    const known = remembered.get(`${dimension}:${name}`);
    if (known === undefined || used.has(known)) return undefined;
    used.add(known);
    return known;
  });
  return assigned.map((colour, index) => {
    if (colour !== undefined) return colour;
    const free = firstFree(used, index);
    used.add(free);
    if (!remembered.has(`${dimension}:${names[index]}`)) remembered.set(`${dimension}:${names[index]}`, free);
    store();
    return free;
  });
}

function firstFree(used: ReadonlySet<number>, index: number): number {
  for (let colour = 0; colour < colourCount; colour++) if (!used.has(colour)) return colour;
  return index % colourCount;
}

function readStored(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

const isEntry = (entry: unknown): entry is [string, number] =>
  Array.isArray(entry) && typeof entry[0] === "string" && Number.isInteger(entry[1]) && entry[1] < colourCount;

function store(): void {
  try {
    window.localStorage.setItem(storageKey, JSON.stringify([...remembered].slice(-200)));
  } catch {
    // Without storage the colours hold until the page is left.
  }
}
