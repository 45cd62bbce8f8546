import { aiSdk } from "@tollgate/ai-sdk";
import { anthropic } from "@tollgate/anthropic";
import { clickhouseContentStore, clickhouseUsageStore, migrateClickHouse } from "@tollgate/clickhouse";
import { memoryBalanceStore, memoryKeyStore, openaiCompatible, upstreamModels } from "@tollgate/core";
import { google } from "@tollgate/google";
import { publishLedger } from "@tollgate/nats";
import { pooledTransport, webhookRunner } from "@tollgate/node";
import { openTelemetry } from "@tollgate/opentelemetry";
import { payments } from "@tollgate/payments";
import { postgresStores, shardedStores } from "@tollgate/postgres";
import { postgresPaymentStore } from "@tollgate/postgres/payments";
import { redisLimiter } from "@tollgate/redis";
import { sqliteStores } from "@tollgate/sqlite";
import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
import { expect, it } from "vitest";
import { codeIn, readPage, rowsOf } from "./markdown.ts";

/** A member that no factory has, and that is near to the name of none. */
const unknown = "qqqqqqqqqqqqqqqqqqqqqqqq";
/** Options as a host without types gives them. */
const wrong = <Options>(): Options => JSON.parse(`{"${unknown}": 1}`);
const nothing = <Value>(): Value => JSON.parse("{}");

it.each<[factory: string, page: string, make: () => unknown]>([
  ["aiSdk", "ai-sdk", () => aiSdk(() => nothing(), wrong())],
  ["anthropic", "anthropic", () => anthropic(wrong())],
  ["google", "google", () => google(wrong())],
  ["memoryBalanceStore", "core", () => memoryBalanceStore(wrong())],
  ["memoryKeyStore", "core", () => memoryKeyStore(wrong())],
  ["openaiCompatible", "core", () => openaiCompatible(wrong())],
  ["openTelemetry", "opentelemetry", () => openTelemetry(wrong())],
  ["payments", "payments", () => payments(wrong())],
  ["pooledTransport", "node", () => pooledTransport(wrong())],
  ["webhookRunner", "node", () => webhookRunner(wrong())],
  ["postgresStores", "postgres", () => postgresStores(nothing(), wrong())],
  ["shardedStores", "postgres", () => shardedStores(wrong())],
  ["postgresPaymentStore", "postgres", () => postgresPaymentStore(nothing(), wrong())],
  ["migrateClickHouse", "clickhouse", () => migrateClickHouse(nothing(), wrong())],
  ["clickhouseUsageStore", "clickhouse", () => clickhouseUsageStore(nothing(), wrong())],
  ["clickhouseContentStore", "clickhouse", () => clickhouseContentStore(nothing(), wrong())],
  ["publishLedger", "nats", () => publishLedger(wrong())],
  ["redisLimiter", "redis", () => redisLimiter({ eval: async () => [], evalSha: async () => [] }, wrong())],
  ["sqlitePaymentStore", "sqlite", () => sqlitePaymentStore(nothing(), wrong())],
  ["sqliteStores", "sqlite", () => sqliteStores(nothing(), wrong())],
])("the options of %s stand in the README of packages/%s, and no other", async (factory, page, make) => {
  const names = await membersOf(make);
  expect(documented(factory, page).toSorted()).toEqual([...names].toSorted());
});

it("the options of upstreamModels stand in the README of packages/core, beside those of openaiCompatible", async () => {
  const own = await membersOf(() => upstreamModels(wrong()));
  const shared = documented("openaiCompatible", "core");
  const names = documented("upstreamModels", "core").filter((name) => name !== "openaiCompatible");
  expect([...names, ...shared].toSorted()).toEqual([...own].toSorted());
});

/** The options in the row of a factory, or in the first column of a table of options. */
function documented(factory: string, page: string): readonly string[] {
  const rows = rowsOf(readPage(`packages/${page}/README.md`));
  const row = rows.find(([name]) => codeIn(name) === factory);
  if (row === undefined) return rows.map(([name]) => codeIn(name));
  const withoutDefaults = (row[1] ?? "").replace(/\([^)]*\)/g, "");
  return [...withoutDefaults.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

/** What a factory says that its members are when it is given another. */
async function membersOf(make: () => unknown): Promise<readonly string[]> {
  const thrown: unknown = await (async () => make())().catch((fault: unknown) => fault);
  const message = thrown instanceof Error ? thrown.message : "";
  const list = /`q+` is not a member of [^.]*\. Remove it; the members are ([\w, ]+)/.exec(message)?.[1];
  if (list === undefined) throw new Error(`The factory does not name its members: ${message}`);
  return list.split(", ");
}
