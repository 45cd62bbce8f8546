import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { measureAccount } from "./account/measure-account.ts";
import {
  type Bar,
  judge,
  judgeAccount,
  judgeBodies,
  judgeDialects,
  judgeDurable,
  judgeInProcess,
  judgeObserver,
  judgeRouting,
  judgeShapes,
  judgeStores,
  judgeUsage,
  judgeWebhooks,
} from "./bars.ts";
import { writeBenchmarks, writeDurable, writeScaling } from "./benchmarks-page/write-benchmarks.ts";
import { measureBodies } from "./bodies/measure-bodies.ts";
import { measureDialects } from "./dialects/measure-dialects.ts";
import { measureDurable } from "./durable/measure-durable.ts";
import { measureInProcess } from "./in-process/measure-in-process.ts";
import { measureObserver } from "./observer/measure-observer.ts";
import { installPortkey } from "./portkey.ts";
import { canPin, gatewayCore, loadCore } from "./processes/cores.ts";
import {
  accountTable,
  barTable,
  bodyTable,
  contenderTable,
  dialectTable,
  durableTable,
  inProcessTable,
  observerTable,
  outboxTable,
  routeTable,
  routingTable,
  scalingTable,
  shapeTable,
  storeTable,
  usageTable,
  webhookTable,
} from "./report.ts";
import { measureAll, measureShapes } from "./results.ts";
import { Rig } from "./rig.ts";
import type { Rounds } from "./rounds.ts";
import { measureRouting } from "./routing/measure-routing.ts";
import { measureOutbox } from "./scaling/measure-outbox.ts";
import { measureScaling } from "./scaling/measure-scaling.ts";
import { readSettings } from "./settings.ts";
import { measureStores } from "./stores/measure-stores.ts";
import { measureUsage } from "./usage/measure-usage.ts";
import { measureWebhooks } from "./webhooks/measure-webhooks.ts";

/** What a part of the bench gives: every round's figures by contender, and the bars that they are held against. */
interface Part {
  readonly rounds: Readonly<Record<string, Rounds<string, unknown>>>;
  readonly bars: readonly Bar[];
}

const settings = readSettings(process.argv.slice(2));
const place = canPin
  ? `gateway on core ${gatewayCore}, mock provider and load on core ${loadCore}`
  : "processes not bound to cores (no taskset, or one core)";
console.log(`Node ${process.version}, ${process.platform}, ${availableParallelism()} cores; ${place}.`);
console.log(
  `Medians of ${settings.rounds} rounds of CPU, ${settings.memoryRounds} of memory and ${settings.timingRounds} of latency, lowest and highest in brackets.`,
);

const parts = await benchParts();
const bars = parts.flatMap((part) => part.bars);
console.log(`\n${barTable(bars)}`);
console.log(`\n${bars.filter((bar) => bar.holds).length} of ${bars.length} bars hold.`);
if (settings.json !== undefined) writeFileSync(settings.json, JSON.stringify(asJson(), plainMaps, 2));

async function benchParts(): Promise<readonly Part[]> {
  if (settings.alone === "proxies") return [await benchProxies()];
  if (settings.alone === "shapes") return [await benchShapes()];
  if (settings.alone === "dialects") return [await benchDialects()];
  if (settings.alone === "stores") return [await benchStores()];
  if (settings.alone === "durable") return [await benchDurable(), await benchStores()];
  if (settings.alone === "webhooks") return [await benchWebhooks()];
  if (settings.alone === "routing") return [await benchRouting()];
  if (settings.alone === "observer") return [await benchObserver()];
  if (settings.alone === "in-process") return [await benchInProcess()];
  if (settings.alone === "bodies") return [await benchBodies()];
  if (settings.alone === "usage") return [await benchUsage()];
  if (settings.alone === "account") return [await benchAccount()];
  if (settings.alone === "scaling") return [await benchScaling()];
  return [
    await benchProxies(),
    await benchDialects(),
    await benchStores(),
    await benchWebhooks(),
    await benchRouting(),
    await benchObserver(),
    await benchInProcess(),
    await benchBodies(),
  ];
}

async function benchProxies(): Promise<Part> {
  const rig = await Rig.start();
  const results = await measureAll(rig, settings, settings.peers && installPortkey() ? ["portkey"] : [], say);
  await rig.stop();
  console.log(`\n${contenderTable(results)}`);
  console.log("After its client has left, the router reads a JSON answer on, to charge by its usage.");
  console.log(`\n${shapeTable(results, settings.shapes)}`);
  if (settings.frameworkRounds > 0) console.log(`\n${routeTable(results)}`);
  if (settings.docs) writeBenchmarks(results, settings);
  return { rounds: { ...results }, bars: judge(results, settings.shapes) };
}

async function benchShapes(): Promise<Part> {
  const rig = await Rig.start(settings.against);
  const results = await measureShapes(rig, settings, say);
  await rig.stop();
  console.log(`\n${shapeTable(results, settings.shapes)}`);
  return { rounds: { ...results }, bars: judgeShapes(results, settings.shapes) };
}

async function benchDialects(): Promise<Part> {
  say("requests and streams of other dialects");
  const rig = await Rig.start();
  const results = await measureDialects(rig, settings);
  await rig.stop();
  console.log(`\n${dialectTable(results)}`);
  return { rounds: { ...results }, bars: judgeDialects(results) };
}

async function benchStores(): Promise<Part> {
  console.log("Measuring stores, 64 callers ...");
  const results = await measureStores(settings.storeRounds, settings.storeSeconds);
  console.log(`\n${storeTable(results)}`);
  return { rounds: { ...results }, bars: judgeStores(results) };
}

async function benchDurable(): Promise<Part> {
  const rig = await Rig.start();
  const results = await measureDurable(rig, settings, settings.peers && installPortkey() ? ["portkey"] : [], say);
  await rig.stop();
  console.log(`\n${durableTable(results)}`);
  if (settings.docs) writeDurable(results, settings);
  return { rounds: { ...results }, bars: judgeDurable(results) };
}

async function benchScaling(): Promise<Part> {
  console.log("Measuring balances on more than one database, 128 callers ...");
  const results = await measureScaling(settings.storeRounds, settings.storeSeconds);
  console.log(`\n${scalingTable(results)}`);
  if (settings.docs) writeScaling(results, settings);
  const outbox = await measureOutbox(settings.storeRounds, settings.storeSeconds);
  console.log(`\n${outboxTable(outbox)}`);
  return { rounds: { ...results, ...outbox }, bars: [] };
}

async function benchWebhooks(): Promise<Part> {
  console.log("Measuring webhooks ...");
  const results = await measureWebhooks(settings.webhookRounds, settings.webhookSeconds);
  console.log(`\n${webhookTable(results)}`);
  return { rounds: { ...results }, bars: judgeWebhooks(results) };
}

async function benchRouting(): Promise<Part> {
  console.log("Measuring routing ...");
  const results = await measureRouting(settings.routingRounds, settings.routingSeconds);
  console.log(`\n${routingTable(results)}`);
  return { rounds: { ...results }, bars: judgeRouting(results) };
}

async function benchObserver(): Promise<Part> {
  console.log("Measuring the observer of OpenTelemetry ...");
  const results = await measureObserver(settings.observerRounds, settings.observerSeconds);
  console.log(`\n${observerTable(results)}`);
  return { rounds: { ...results }, bars: judgeObserver(results) };
}

async function benchInProcess(): Promise<Part> {
  console.log("Measuring a client in the process of the gateway ...");
  const results = await measureInProcess(settings.inProcessRounds, settings.inProcessSeconds);
  console.log(`\n${inProcessTable(results)}`);
  return { rounds: { ...results }, bars: judgeInProcess(results) };
}

async function benchUsage(): Promise<Part> {
  console.log(`Measuring usage, with ${settings.usageRows.toLocaleString("en")} rows in PostgreSQL ...`);
  const results = await measureUsage(settings.usageRounds, settings.usageRows);
  console.log(`\n${usageTable(results)}`);
  return { rounds: { ...results }, bars: judgeUsage(results) };
}

async function benchAccount(): Promise<Part> {
  console.log(`Measuring the endpoints of an account, with ${settings.accountRows.toLocaleString("en")} requests ...`);
  const results = await measureAccount(settings.accountRows);
  console.log(`\n${accountTable(results)}`);
  return { rounds: { ...results }, bars: judgeAccount(results) };
}

async function benchBodies(): Promise<Part> {
  console.log("Measuring bodies that are dear to read ...");
  const results = await measureBodies(settings.bodyRounds);
  console.log(`\n${bodyTable(results)}`);
  return { rounds: { ...results }, bars: judgeBodies(results) };
}

function say(what: string): void {
  console.log(`Measuring ${what} ...`);
}

function asJson() {
  const rounds = parts.flatMap((part) => Object.entries(part.rounds));
  return { node: process.version, platform: process.platform, place, rounds: Object.fromEntries(rounds), bars };
}

/** JSON has no maps. */
function plainMaps(_name: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}
