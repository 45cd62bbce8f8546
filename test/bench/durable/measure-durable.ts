import type { ContenderName, Gateway } from "../gateway.ts";
import type { ClosedLoop } from "../load/closed-loop.ts";
import type { WindowResult } from "../load/window.ts";
import type { Aimed, Gateways, Rig } from "../rig.ts";
import { type Rounds, rotated, together } from "../rounds.ts";
import type { Settings } from "../settings.ts";
import { checked } from "../slices.ts";
import { median, percentile } from "../statistics.ts";
import { durableRouters, isDurable } from "./places.ts";

/** What is asked of each contender. A proxy has no accounts, so it is asked once for both numbers. */
export interface DurableLoad {
  readonly shape: "short" | "agent20";
  readonly connections: 32 | 128;
  readonly accounts: 1 | 1_000;
}

/** The loads, in the order of the table. */
export const durableLoads: readonly DurableLoad[] = (["short", "agent20"] as const).flatMap((shape) =>
  ([1, 1_000] as const).flatMap((accounts) =>
    ([32, 128] as const).map((connections) => ({ shape, connections, accounts })),
  ),
);

/** What a request under a load takes. */
export interface DurableCost {
  /** CPU time of the process of the gateway, in microseconds. */
  readonly request: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests a second, each of which has a hold and a settlement where there are balances. */
  readonly pairs: number;
}

/** The costs under each load, by {@link loadName}. */
export type DurableCosts = ReadonlyMap<string, DurableCost>;

/** Requests with their balances in databases. */
export interface DurableResults {
  readonly durable: Rounds<ContenderName, DurableCosts>;
}

/** The name of a load in the results. */
export const loadName = ({ shape, connections, accounts }: DurableLoad): string =>
  `${shape}, ${connections} connections, ${accounts.toLocaleString("en")} ${accounts === 1 ? "account" : "accounts"}`;

/** One figure of a contender under a load in each round. */
export const durableSeries = (
  { durable }: DurableResults,
  name: ContenderName,
  load: DurableLoad,
  pick: (cost: DurableCost) => number,
): number[] =>
  (durable.get(name) ?? []).flatMap((costs) => {
    const cost = costs.get(loadName(load));
    return cost === undefined ? [] : [pick(cost)];
  });

/** Measures the routers on databases beside the bare proxy, the router in memory, and gateways of others. */
export async function measureDurable(
  rig: Rig,
  settings: Settings,
  peers: readonly ContenderName[],
  say: (what: string) => void,
): Promise<DurableResults> {
  const names: readonly ContenderName[] = ["bare", "router", ...durableRouters, ...peers];
  const measure = () =>
    rig.withGateways(names, async (gateways) => {
      for (const [name, gateway] of gateways) {
        say(`warm-up of ${name}`);
        await warmUp(rig, name, gateway, settings);
      }
      return measureRound(rig, gateways, settings, say);
    });
  return { durable: await together(names, settings.durableRounds, measure) };
}

async function measureRound(
  rig: Rig,
  gateways: Gateways,
  settings: Settings,
  say: (what: string) => void,
): Promise<ReadonlyMap<ContenderName, DurableCosts>> {
  const costs = new Map<ContenderName, Map<string, DurableCost>>([...gateways.keys()].map((name) => [name, new Map()]));
  for (const load of durableLoads) {
    say(loadName(load));
    for (const [name, cost] of await measureLoad(rig, gateways, load, settings))
      costs.get(name)?.set(loadName(load), cost);
  }
  return costs;
}

/** The costs of one load: the gateways are loaded in turn, in slices of a second, so that a change of the machine affects all. */
async function measureLoad(
  rig: Rig,
  gateways: Gateways,
  load: DurableLoad,
  { durableSlices, durableSeconds }: Settings,
): Promise<ReadonlyMap<ContenderName, DurableCost>> {
  const windows = new Map<ContenderName, WindowResult[]>([...gateways.keys()].map((name) => [name, []]));
  for (let slice = 0; slice < durableSlices; slice++) {
    for (const [name, gateway] of rotated([...gateways], slice)) {
      const asked = { ...closedLoop(name, load), seconds: durableSeconds };
      windows.get(name)?.push(checked(await rig.closedLoop(gateway, asked)));
    }
  }
  return new Map([...windows].map(([name, each]) => [name, costOf(each)]));
}

/** Other work on the machine only makes a slice dearer, so the CPU time is the lowest quarter of them. */
const costOf = (windows: readonly WindowResult[]): DurableCost => ({
  request: percentile(
    windows.map(({ cpuNs, requests }) => cpuNs / 1_000 / requests),
    0.25,
  ),
  p50: median(windows.map(({ p50 }) => p50)),
  p99: median(windows.map(({ p99 }) => p99)),
  pairs: median(windows.map(({ requests, seconds }) => requests / seconds)),
});

/** Every account of a router on a database is used before the window opens, as those of a running gateway are. */
function closedLoop(
  name: ContenderName,
  { shape, connections, accounts }: DurableLoad,
): Omit<Aimed<ClosedLoop>, "seconds"> {
  const warmUpRequests = isDurable(name) && accounts > 1 ? 3 * accounts : 2 * connections;
  return { kind: "closed-loop", reply: "json", shape, connections, accounts, warmUpRequests, warmUpSeconds: 0.05 };
}

async function warmUp(rig: Rig, name: ContenderName, gateway: Gateway, { warmUpRequests }: Settings): Promise<void> {
  for (const shape of ["short", "agent20"] as const) {
    const load = closedLoop(name, { shape, connections: 32, accounts: 1_000 });
    checked(await rig.closedLoop(gateway, { ...load, warmUpRequests: warmUpRequests / 2, seconds: 0.1 }));
  }
}
