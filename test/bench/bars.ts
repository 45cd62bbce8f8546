import { answerNames } from "./account/account-answers.ts";
import type { AccountResults } from "./account/measure-account.ts";
import { type ChatShape, type ChatShapeName, chatShapes } from "./bodies/chat-shapes.ts";
import { type BodyResults, bodySizes } from "./bodies/measure-bodies.ts";
import { type DialectShape, dialectShapeNames, dialectShapes } from "./dialects/dialect-shapes.ts";
import type { DialectResults } from "./dialects/measure-dialects.ts";
import { type DurableResults, durableSeries } from "./durable/measure-durable.ts";
import type { ContenderName } from "./gateway.ts";
import type { InProcessResults, Reach } from "./in-process/measure-in-process.ts";
import type { ObserverResults } from "./observer/measure-observer.ts";
import type { Results, ShapeResults } from "./results.ts";
import { series, within } from "./rounds.ts";
import type { RoutingResults } from "./routing/measure-routing.ts";
import { type Figure, figure } from "./statistics.ts";
import type { StoreName } from "./stores/contenders.ts";
import type { StoreResults } from "./stores/measure-stores.ts";
import { summaryNames } from "./usage/measure-storage.ts";
import { type UsageResults, usageDatabases } from "./usage/measure-usage.ts";
import type { WebhookResults } from "./webhooks/measure-webhooks.ts";

/** A figure and the bound that it must keep. */
export interface Bar {
  readonly what: string;
  readonly unit: string;
  readonly figure: Figure;
  /** `most`: the median may not be above the bound; `least`: not below. */
  readonly at: "most" | "least";
  readonly bound: number;
  readonly holds: boolean;
}

/** Holds the results of a run against the bars. Ratios and differences are taken inside a round. */
export function judge(results: Results, shapes: readonly ChatShapeName[]): Bar[] {
  return [
    ...costBars(results),
    ...judgeShapes(results, shapes),
    ...timingBars(results),
    ...mountBars(results),
    ...portkeyBars(results),
  ];
}

const ratio = (a: number, b: number) => a / b;
const difference = (a: number, b: number) => a - b;

function costBars({ costs, memory }: Results): Bar[] {
  const request = (name: ContenderName) => series(costs, name, (cost) => cost.request);
  const frame = (name: ContenderName) => series(costs, name, (cost) => cost.frame);
  const kilobytes = (name: ContenderName) => series(memory, name, (value) => value);
  const at128 = series(costs, "router", (cost) => cost.requestAt128 ?? Number.NaN);
  return [
    atMost(0.95, "x", "CPU a JSON request, to raw", within(request("router"), request("raw"), ratio)),
    atMost(1.15, "x", "CPU a streamed frame, to bare", within(frame("router"), frame("bare"), ratio)),
    atMost(1, "x", "memory an open stream, to raw", within(kilobytes("router"), kilobytes("raw"), ratio)),
    atMost(1.25, "x", "CPU a request at 128 connections, to 32", within(at128, request("router"), ratio)),
  ];
}

/** Holds the shapes of requests that have a bar against it. */
export function judgeShapes({ shapes }: ShapeResults, names: readonly ChatShapeName[]): Bar[] {
  return names.flatMap((name) => {
    const { bound }: ChatShape = chatShapes[name];
    const cost = (contender: ContenderName) => series(shapes, contender, (costs) => costs.get(name) ?? Number.NaN);
    const times = within(cost("router"), cost("bare"), ratio);
    return bound === undefined ? [] : [atMost(bound, "x", `CPU a JSON request of the shape ${name}, to bare`, times)];
  });
}

function timingBars({ timing }: Results): Bar[] {
  const added = (pick: (value: { p50: number; p99: number }) => number) =>
    within(series(timing, "router", pick), series(timing, "direct", pick), difference);
  const gone = (phase: "before-first-byte" | "mid-stream") => series(timing, "router", (value) => value.gone[phase]);
  return [
    atMost(
      0.3,
      "ms",
      "added at the median, 200 requests a second",
      added((value) => value.p50),
    ),
    atMost(
      3,
      "ms",
      "added at the 99th percentile",
      added((value) => value.p99),
    ),
    atMost(5, "ms", "client gone before the first byte, until upstream sees it", gone("before-first-byte")),
    atMost(5, "ms", "client gone mid-stream, until upstream sees it", gone("mid-stream")),
  ];
}

/** Holds the stores against their bars: the pairs on one account, and what batching is worth there. */
export function judgeStores({ hot }: StoreResults): Bar[] {
  const pairs = (name: StoreName) => series(hot, name, (value) => value);
  const times = within(pairs("postgres"), pairs("postgres, unbatched"), ratio);
  return [
    atLeast(10_000, "/s", "pairs of hold and settlement in PostgreSQL on one account", pairs("postgres")),
    atLeast(4, "x", "PostgreSQL on one account, batched to unbatched", times),
  ];
}

/** Holds requests with their balances in PostgreSQL against their bar. */
export function judgeDurable(results: DurableResults): Bar[] {
  const load = { shape: "short", connections: 32, accounts: 1_000 } as const;
  const cost = (name: ContenderName) => durableSeries(results, name, load, ({ request }) => request);
  const times = within(cost("router on postgres"), cost("bare"), ratio);
  return [atMost(1.5, "x", "CPU a request with PostgreSQL on 1,000 accounts, to bare", times)];
}

/** Holds the webhooks against their bars: what it costs to put the variables in, and what a turn adds. */
export function judgeWebhooks({ webhooks }: WebhookResults): Bar[] {
  const rendering = series(webhooks, "rendering", (value) => value);
  const turn = series(webhooks, "turn", (value) => value);
  return [
    atMost(20, "us", "rendering a webhook of 2 KiB with 20 variables", rendering),
    atMost(1_000, "us", "a turn, beyond its two completions and its webhook", turn),
  ];
}

/** Holds routing against its bar: a request with it, to the same request that calls its only target directly. */
export function judgeRouting({ routing }: RoutingResults): Bar[] {
  const times = series(routing, "JSON request", (cost) => cost.request / (cost.request - cost.routing));
  return [atMost(1.05, "x", "CPU a request to one healthy target, to calling it directly", times)];
}

/** Holds the observer of OpenTelemetry against its bar: the events of a streamed completion. */
export function judgeObserver({ observer }: ObserverResults): Bar[] {
  const cost = series(observer, "metrics, no span sampled", (value) => value);
  return [atMost(10, "us", "CPU of OpenTelemetry a streamed completion, without sampling", cost)];
}

/** Holds a client in the process of the gateway against its bar: its requests, to the same over a socket. */
export function judgeInProcess({ inProcess }: InProcessResults): Bar[] {
  const cost = (name: Reach) => series(inProcess, name, (value) => value);
  const times = within(cost("gateway.fetch"), cost("fetch over a socket"), ratio);
  return [atMost(0.6, "x", "CPU a request of a client with gateway.fetch, to one over a socket", times)];
}

/** Holds the recording of usage against its bar. */
export function judgeUsage({ recording, storage }: UsageResults): Bar[] {
  const times = series(recording, "request", (value) => value);
  const bounds = { postgres: 100, sqlite: 200 };
  const summaries = usageDatabases.flatMap((database) =>
    summaryNames.map((name) => {
      const milliseconds = series(storage, database, (value) => value.summaries[name]);
      return atMost(bounds[database], "ms", `usage ${name}, in ${database}`, milliseconds);
    }),
  );
  const recorded = series(storage, "postgres", (value) => value.recorded);
  return [
    atMost(2, "us", "CPU that recording its usage adds to a request", times),
    ...summaries,
    atLeast(4_900, "/s", "rows of usage recorded in postgres meanwhile", recorded),
  ];
}

/** Holds the answers about an account against their bar: the median of their time. */
export function judgeAccount({ answers }: AccountResults): Bar[] {
  return usageDatabases.flatMap((database) =>
    answerNames.map((name) => {
      const milliseconds = series(answers, database, (times) => times[name].wall[0]);
      return atMost(50, "ms", `answer about ${name}, in ${database}`, milliseconds);
    }),
  );
}

/** Holds the shapes of other dialects against their bars. */
export function judgeDialects({ dialects }: DialectResults): Bar[] {
  return dialectShapeNames.flatMap((name) => {
    const { bound }: DialectShape = dialectShapes[name];
    const cost = (contender: ContenderName) => series(dialects, contender, (costs) => costs.get(name) ?? Number.NaN);
    const times = within(cost("router"), cost("bare"), ratio);
    return bound === undefined ? [] : [atMost(bound, "x", `CPU of ${name}, to bare`, times)];
  });
}

/** Holds the bodies against their bars: of each size, the body that blocks the event loop longest. */
export function judgeBodies({ bodies }: BodyResults): Bar[] {
  return bodySizes.map((size) => {
    const names = [...bodies.keys()].filter((name) => name.endsWith(` ${size} MiB`));
    const medians = names.map((name) => figure(series(bodies, name, (value) => value)).median);
    return atMost(size === 1 ? 50 : 250, "ms", `longest block of the event loop by a body of ${size} MiB`, [
      Math.max(...medians),
    ]);
  });
}

const mounts = [
  { framework: "fastify", bound: 5 },
  { framework: "hono", bound: 5 },
  { framework: "express", bound: 10 },
] as const;

function mountBars({ routes }: Results): Bar[] {
  const cost = (name: ContenderName) => series(routes, name, (value) => value);
  if (cost("router").length === 0) return [];
  const own = within(cost("router"), cost("node empty"), difference);
  return mounts.map(({ framework, bound }) => {
    const mounted = within(cost(`router under ${framework}`), cost(`${framework} empty`), difference);
    return atMost(bound, "us", `mounted in ${framework}, above its empty route`, within(mounted, own, difference));
  });
}

function portkeyBars({ costs }: Results): Bar[] {
  if (!costs.has("portkey")) return [];
  const times = (pick: (cost: { request: number; frame: number }) => number) =>
    within(series(costs, "portkey", pick), series(costs, "router", pick), ratio);
  return [
    atLeast(
      12,
      "x",
      "CPU of Portkey a JSON request, to ours",
      times((cost) => cost.request),
    ),
    atLeast(
      2.5,
      "x",
      "CPU of Portkey a frame, to ours",
      times((cost) => cost.frame),
    ),
  ];
}

function atMost(bound: number, unit: string, what: string, values: readonly number[]): Bar {
  const taken = figure(values);
  return { what, unit, figure: taken, at: "most", bound, holds: taken.median <= bound };
}

function atLeast(bound: number, unit: string, what: string, values: readonly number[]): Bar {
  const taken = figure(values);
  return { what, unit, figure: taken, at: "least", bound, holds: taken.median >= bound };
}
