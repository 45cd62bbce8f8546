import { answerNames } from "./account/account-answers.ts";
import type { AccountResults } from "./account/measure-account.ts";
import type { Bar } from "./bars.ts";
import type { ChatShapeName } from "./bodies/chat-shapes.ts";
import type { BodyResults } from "./bodies/measure-bodies.ts";
import { type DialectShapeName, dialectShapeNames } from "./dialects/dialect-shapes.ts";
import type { DialectResults } from "./dialects/measure-dialects.ts";
import {
  type DurableCost,
  type DurableResults,
  durableLoads,
  durableSeries,
  loadName,
} from "./durable/measure-durable.ts";
import { type ContenderName, routerBefore } from "./gateway.ts";
import type { InProcessResults } from "./in-process/measure-in-process.ts";
import type { ObserverResults } from "./observer/measure-observer.ts";
import type { Results, ShapeResults } from "./results.ts";
import { series, within } from "./rounds.ts";
import type { RoutingResults } from "./routing/measure-routing.ts";
import type { ScalingName } from "./scaling/contenders.ts";
import type { OutboxResults } from "./scaling/measure-outbox.ts";
import { type ScalingResults, scalingNames } from "./scaling/measure-scaling.ts";
import { type Figure, figure } from "./statistics.ts";
import type { StoreName } from "./stores/contenders.ts";
import { type StoreResults, storeNames } from "./stores/measure-stores.ts";
import { type StorageResult, summaryNames } from "./usage/measure-storage.ts";
import { type UsageResults, usageDatabases } from "./usage/measure-usage.ts";
import type { WebhookResults } from "./webhooks/measure-webhooks.ts";

/** The figures of every contender as a table: the median, and the lowest and highest round. */
export function contenderTable({ costs, memory, timing }: Results): string {
  const header = ["", "JSON us", "to raw", "frame us", "to bare", "KB a stream", "p50 ms", "p99 ms"];
  const leaving = ["gone before ms", "gone mid ms", "gone JSON ms"];
  const cost = (name: ContenderName, pick: "request" | "frame") => series(costs, name, (value) => value[pick]);
  const ratio = (a: number, b: number) => a / b;
  const rows = [...timing.keys()].map((name) => [
    name,
    show(cost(name, "request"), 1),
    show(within(cost(name, "request"), cost("raw", "request"), ratio), 2),
    show(cost(name, "frame"), 1),
    show(within(cost(name, "frame"), cost("bare", "frame"), ratio), 2),
    show(
      series(memory, name, (value) => value),
      1,
    ),
    show(
      series(timing, name, (value) => value.p50),
      2,
    ),
    show(
      series(timing, name, (value) => value.p99),
      2,
    ),
    show(
      series(timing, name, (value) => value.gone["before-first-byte"]),
      1,
    ),
    show(
      series(timing, name, (value) => value.gone["mid-stream"]),
      1,
    ),
    show(
      series(timing, name, (value) => value.gone.json),
      1,
    ),
  ]);
  return table([[...header, ...leaving], ...rows]);
}

/** The CPU time of a request of each shape, and the router's as a multiple of the others'. */
export function shapeTable({ shapes }: ShapeResults, names: readonly ChatShapeName[]): string {
  const contenders = [...shapes.keys()];
  const others = (["raw", "bare", routerBefore] as const).filter((name) => shapes.has(name));
  const cost = (name: ContenderName, shape: ChatShapeName) =>
    series(shapes, name, (value) => value.get(shape) ?? Number.NaN);
  const times = (name: ContenderName, shape: ChatShapeName) =>
    show(
      within(cost("router", shape), cost(name, shape), (a, b) => a / b),
      2,
    );
  const rows = names.map((shape) => [
    shape,
    ...contenders.map((name) => show(cost(name, shape), 1)),
    ...others.map((name) => times(name, shape)),
  ]);
  const header = ["JSON by shape", ...contenders.map((name) => `${name} us`), ...others.map((name) => `to ${name}`)];
  return table([header, ...rows]);
}

/** The CPU time of a request or a frame of each shape in other dialects, and the router's as a multiple of the bare proxy's. */
export function dialectTable({ dialects }: DialectResults): string {
  const cost = (name: ContenderName, shape: DialectShapeName) =>
    series(dialects, name, (value) => value.get(shape) ?? Number.NaN);
  const rows = dialectShapeNames.map((shape) => {
    const [bare, router] = [cost("bare", shape), cost("router", shape)];
    const times = within(router, bare, (a, b) => a / b);
    return [shape, show(bare, 1), show(router, 1), show(times, 2)];
  });
  return table([["other dialects", "bare us", "router us", "to bare"], ...rows]);
}

/** The CPU time of a request under each framework. */
export function routeTable({ routes }: Results): string {
  const rows = [...routes.keys()].map((name) => [
    name,
    show(
      series(routes, name, (value) => value),
      1,
    ),
  ]);
  return table([["", "JSON us"], ...rows]);
}

/** Pairs of hold and settlement that each store completes in a second. */
export function storeTable({ hot, spread }: StoreResults): string {
  const pairs = (rounds: StoreResults["hot"], name: StoreName) =>
    show(
      series(rounds, name, (value) => value),
      0,
    );
  const rows = storeNames.map((name) => [name, pairs(hot, name), pairs(spread, name)]);
  return table([["hold and settle, pairs a second", "one account", "1,000 accounts"], ...rows]);
}

/** What a request takes under each load with its balances in databases, and its CPU time as a multiple of the bare proxy's. */
export function durableTable(results: DurableResults): string {
  const rows = durableLoads.flatMap((load) => {
    const of = (name: ContenderName, pick: (cost: DurableCost) => number) => durableSeries(results, name, load, pick);
    const request = (name: ContenderName) => of(name, (cost) => cost.request);
    const toBare = (name: ContenderName) => within(request(name), request("bare"), (a, b) => a / b);
    const times = (name: ContenderName) => [of(name, ({ p50 }) => p50), of(name, ({ p99 }) => p99)];
    const row = (name: ContenderName) => [
      loadName(load),
      name,
      show(request(name), 1),
      show(toBare(name), 2),
      ...times(name).map((values) => show(values, 1)),
      show(
        of(name, ({ pairs }) => pairs),
        0,
      ),
    ];
    return [...results.durable.keys()].map(row);
  });
  return table([["load", "", "CPU us", "to bare", "p50 ms", "p99 ms", "requests/s"], ...rows]);
}

/** The work of each arrangement of the balances. */
export function scalingTable({ hotAccount, manyAccounts }: ScalingResults): string {
  const row = (name: ScalingName) => [
    name,
    ...[hotAccount, manyAccounts].flatMap((rounds) => [
      show(
        series(rounds, name, ({ pairs }) => pairs),
        0,
      ),
      show(
        series(rounds, name, ({ statements }) => statements),
        3,
      ),
    ]),
  ];
  const head = [
    "hold and settle",
    "one account, pairs/s",
    "statements a pair",
    "1,000 accounts, pairs/s",
    "statements a pair",
  ];
  return table([head, ...scalingNames.map(row)]);
}

/** What each row of usage takes, by where it goes. */
export function outboxTable({ outbox }: OutboxResults): string {
  const rows = [...outbox.keys()].map((name) => [
    name,
    show(
      series(outbox, name, ({ microseconds }) => microseconds),
      1,
    ),
    show(
      series(outbox, name, ({ rows }) => rows),
      0,
    ),
  ]);
  return table([["a row of usage", "CPU us", "rows/s"], ...rows]);
}

/** The CPU time of each kind of work on webhooks. */
export function webhookTable({ webhooks }: WebhookResults): string {
  const rows = [...webhooks.keys()].map((name) => [
    name,
    show(
      series(webhooks, name, (value) => value),
      1,
    ),
  ]);
  return table([["webhooks, each", "us"], ...rows]);
}

/** The CPU time of a request, and what of it routing takes. */
export function routingTable({ routing }: RoutingResults): string {
  const cost = (pick: "request" | "routing") =>
    show(
      series(routing, "JSON request", (value) => value[pick]),
      2,
    );
  return table([
    ["one healthy target, no network", "us"],
    ["JSON request", cost("request")],
    ["of which routing", cost("routing")],
  ]);
}

/** The CPU time that the observer of OpenTelemetry takes of a request. */
export function observerTable({ observer }: ObserverResults): string {
  const rows = [...observer.keys()].map((name) => [
    name,
    show(
      series(observer, name, (value) => value),
      2,
    ),
  ]);
  return table([["OpenTelemetry, a streamed completion", "us"], ...rows]);
}

/** The CPU time of a client and the gateway in its process, by how it reaches the gateway. */
export function inProcessTable({ inProcess }: InProcessResults): string {
  const rows = [...inProcess.keys()].map((name) => [
    name,
    show(
      series(inProcess, name, (value) => value),
      1,
    ),
  ]);
  return table([["a JSON request of the client of OpenAI", "us"], ...rows]);
}

/** What a year of usage takes, and what its recording adds to a request. */
export function usageTable({ recording, storage }: UsageResults): string {
  const cost = show(
    series(recording, "request", (value) => value),
    2,
  );
  const each = (pick: (result: StorageResult) => number) =>
    usageDatabases.map((database) => show(series(storage, database, pick), 1));
  return table([
    ["a year of usage", ...usageDatabases],
    ["generated, s", ...each(({ generation }) => generation)],
    ...summaryNames.map((name) => [`${name}, ms`, ...each(({ summaries }) => summaries[name])]),
    ["rows recorded meanwhile, /s", ...each(({ recorded }) => recorded)],
    ["recording added to a request, us", cost, ""],
  ]);
}

/** How long the answers about an account take: the median and the most, of time and of CPU time. */
export function accountTable({ answers }: AccountResults): string {
  const shown = ([median, most]: readonly [number, number]) => `${median.toFixed(1)} (${most.toFixed(1)})`;
  const each = (name: (typeof answerNames)[number]) =>
    usageDatabases.flatMap((database) =>
      (answers.get(database) ?? []).flatMap((times) => [shown(times[name].wall), shown(times[name].cpu)]),
    );
  return table([
    ["answer, ms (most)", ...usageDatabases.flatMap((database) => [database, "CPU"])],
    ...answerNames.map((name) => [name, ...each(name)]),
  ]);
}

/** The longest block of the event loop by each body. */
export function bodyTable({ bodies }: BodyResults): string {
  const rows = [...bodies.keys()].map((name) => [
    name,
    show(
      series(bodies, name, (value) => value),
      0,
    ),
  ]);
  return table([["longest block of the event loop", "ms"], ...rows]);
}

/** Each bar with its figure and whether it holds. */
export function barTable(bars: readonly Bar[]): string {
  const rows = bars.map((bar) => [
    bar.holds ? "pass" : "FAIL",
    bar.what,
    `${showFigure(bar.figure, 2)} ${bar.unit}`,
    `at ${bar.at} ${bar.bound} ${bar.unit}`,
  ]);
  return table([["", "bar", "measured", "bound"], ...rows]);
}

function show(values: readonly number[], decimals: number): string {
  return values.length === 0 ? "-" : showFigure(figure(values), decimals);
}

function showFigure({ median, lowest, highest }: Figure, decimals: number): string {
  const [middle, low, high] = [median, lowest, highest].map((value) => showNumber(value, decimals));
  return low === high ? `${middle}` : `${middle} (${low}-${high})`;
}

function showNumber(value: number, decimals: number): string {
  return value === Number.POSITIVE_INFINITY ? "never" : value.toFixed(decimals);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}
