import { chatShapeNames } from "../bodies/chat-shapes.ts";
import { type DurableLoad, type DurableResults, durableLoads, loadName } from "../durable/measure-durable.ts";
import type { ContenderName } from "../gateway.ts";
import { portkeyVersion } from "../portkey.ts";
import type { Results } from "../results.ts";
import { type Rounds, series, within } from "../rounds.ts";
import { type Figure, figure } from "../statistics.ts";

/** What the page shows of one load: the CPU time of each contender, and its multiple of the bare proxy's. */
export interface Load {
  readonly title: string;
  readonly costs: ReadonlyMap<ContenderName, Cost>;
}

/** Each the median of all rounds; ratios are taken inside a round. */
export interface Cost {
  /** In microseconds. */
  readonly microseconds: number;
  readonly toBare: Figure;
}

/** The contenders that the page shows, by their titles there. */
export const contenderTitles: ReadonlyMap<ContenderName, string> = new Map<ContenderName, string>([
  ["raw", "Raw proxy"],
  ["bare", "Bare proxy"],
  ["router", "Tollgate"],
  ["router on sqlite", "Tollgate, SQLite"],
  ["router on postgres", "Tollgate, PostgreSQL"],
  ["router in slices", "Tollgate, slices"],
  ["portkey", `Portkey ${portkeyVersion}`],
]);

const shapeTitles = {
  short: "Two messages, 300 bytes",
  tools5: "Five tools, 2 KB",
  toolcalls: "Five tools, two called",
  agent20: "Coding agent, 20 KB",
  agent200: "Coding agent, 200 KB",
};

/** The loads of the page, in its order: each shape of a request, and a streamed frame. */
export function readLoads({ shapes, costs }: Results): readonly Load[] {
  const ofShapes = chatShapeNames.map((shape) => ({
    title: shapeTitles[shape],
    costs: costsOf(shapes, (value) => value.get(shape) ?? Number.NaN),
  }));
  return [...ofShapes, { title: "One frame of a stream", costs: costsOf(costs, ({ frame }) => frame) }];
}

/** The loads with balances in databases. */
export const readDurableLoads = ({ durable }: DurableResults): readonly Load[] =>
  durableLoads.map((load) => ({
    title: durableTitle(load),
    costs: costsOf(durable, (costs) => costs.get(loadName(load))?.request ?? Number.NaN),
  }));

/** The title of such a load on the page. */
export const durableTitle = ({ shape, connections, accounts }: DurableLoad): string =>
  `${shape === "short" ? "300 bytes" : "20 KB"}, ${accounts === 1 ? "1 account" : "1,000 accounts"}, ${connections} connections`;

function costsOf<Value>(
  rounds: Rounds<ContenderName, Value>,
  pick: (value: Value) => number,
): ReadonlyMap<ContenderName, Cost> {
  const bare = series(rounds, "bare", pick);
  const measured = [...contenderTitles.keys()].filter((name) => rounds.has(name));
  return new Map(
    measured.map((name) => {
      const microseconds = series(rounds, name, pick);
      return [
        name,
        { microseconds: figure(microseconds).median, toBare: figure(within(microseconds, bare, (a, b) => a / b)) },
      ];
    }),
  );
}
