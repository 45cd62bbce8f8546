import { createGateway, type Gateway } from "@tollgate/core";
import type { AccountYear } from "./account-year.ts";
import { account, key } from "./account-year.ts";

/** The answers to a key about its account that are measured. */
export const answerNames = [
  "the key",
  "the credits",
  "a year by day",
  "90 days by model and day",
  "a year by model and month",
  "a year by key",
  "a year by tag and month",
  "5,000 requests by end user",
  "a request by its answer",
  "a request by its id",
  "a request by its charge alone",
  "a request that there is not",
] as const;

/** How long an answer takes. Each is the median and the most of all repetitions, in milliseconds. */
export interface AnswerTime {
  readonly wall: readonly [median: number, most: number];
  /** CPU time of this process, and of those of PostgreSQL if it is on this machine. */
  readonly cpu: readonly [median: number, most: number];
}

const repetitions = 20;
const dayMs = 86_400_000;
/** Somewhat fewer than the most that the endpoint sums. */
const wantedRows = 4_750;

/** Measures the endpoints of an account whose stores have a year of its requests. */
export async function measureAnswers(
  year: AccountYear,
): Promise<Readonly<Record<(typeof answerNames)[number], AnswerTime>>> {
  const gateway = gatewayOver(year);
  const from = `from=${dateAgo(364)}`;
  const few = `bucket=all&from=${dateAgo(Math.min(364, Math.floor((365 * wantedRows) / year.requests)))}`;
  const ask = (path: string, status = 200) => timeOf(year, () => answered(gateway, path, status));
  const answers = {
    "the key": await ask("/key"),
    "the credits": await ask("/credits"),
    "a year by day": await ask(`/usage?${from}`),
    "90 days by model and day": await ask(`/usage?from=${dateAgo(90)}&group_by=model`),
    "a year by model and month": await ask(`/usage?${from}&group_by=model&bucket=month`),
    "a year by key": await ask(`/usage?${from}&group_by=key&bucket=all`),
    "a year by tag and month": await ask(`/usage?${from}&group_by=tag&bucket=month`),
    "5,000 requests by end user": await ask(`/usage?${few}&group_by=end_user`),
    "a request by its answer": await ask(`/generation?id=${year.answerId}`),
    "a request by its id": await ask(`/generation?id=${year.requestId}`),
    "a request by its charge alone": await ask(`/generation?id=${year.chargedAnswerId}`),
    "a request that there is not": await ask("/generation?id=chatcmpl-none", 404),
  };
  await gateway.drain();
  return answers;
}

/** A gateway whose only key belongs to the account. */
function gatewayOver({ usage, balances }: AccountYear): Gateway {
  const found = { id: key, account, plan: "pro", lastFour: "7777", createdAt: new Date(0) };
  return createGateway({
    keys: { find: () => found, get: () => found, onChange: () => () => undefined },
    balances,
    plans: [{ id: "pro", billing: "prepaid", spend: { limit: "1000000", window: "month" } }],
    models: [],
    usage: { store: usage },
    storeTimeoutMs: 60_000,
  });
}

const dateAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

async function answered(gateway: Gateway, path: string, status: number): Promise<void> {
  const headers = { authorization: "Bearer key" };
  const response = await gateway.fetch(new Request(`http://bench.test/router/v1${path}`, { headers }));
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path} was answered with ${response.status}: ${text}`);
}

async function timeOf({ databaseCpu }: AccountYear, call: () => Promise<void>): Promise<AnswerTime> {
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (let count = 0; count < repetitions; count++) {
    const begun = performance.now();
    const used = { own: process.cpuUsage(), database: databaseCpu() };
    await call();
    wall.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(used.own);
    cpu.push((user + system) / 1_000 + databaseCpu() - used.database);
  }
  return { wall: medianAndMost(wall), cpu: medianAndMost(cpu) };
}

function medianAndMost(times: readonly number[]): readonly [number, number] {
  const sorted = times.toSorted((a, b) => a - b);
  return [sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, sorted.at(-1) ?? Number.NaN];
}
