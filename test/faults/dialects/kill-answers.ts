import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Entry, ResponseStore } from "@tollgate/core/store";
import type { AnswerCall, AnswerOutcome, AnswerTask } from "../processes/answer-worker.ts";
import { disturbWhile } from "../processes/disturb-while.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import { openStores } from "../processes/open-stores.ts";
import { workerPath } from "../processes/worker-path.ts";

/** The findings of a run. */
export interface KilledAnswers {
  readonly deaths: readonly string[];
  readonly violations: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const leaseMs = 1_000;
/** 10 tokens at 1,000 nano-units, and 5 at 2,000. */
const cost = 20_000n;
/** The most that the estimate of a request that was cut off comes to: a quarter of its bytes, and the whole answer. */
const mostEstimated = 40_000n;
const funds = 1_000_000_000_000n;

/**
 * Kills processes that answer requests in every dialect, natively and translated, waits for the end of every hold, and
 * compares what clients received with the ledger.
 */
export async function killAnswers(
  address: StoreAddress,
  seconds: number,
  { forgetsResponses = false }: { readonly forgetsResponses?: boolean } = {},
): Promise<KilledAnswers> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-answers-"));
  const { keys, balances, responses, close } = await openStores(address);
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  await balances.credit({ id: "opening", account: "acme", amount: funds, reason: "test" });
  const task: AnswerTask = { store: address, secret, leaseMs, loops: 6, forgetsResponses };
  const workers = new KilledWorkers(workerPath("answer-worker"), folder, task);
  try {
    workers.start(3);
    await disturbWhile(() => sleep(seconds * 1_000), [{ everyMs: 400, run: () => workers.killOne() }]);
    await workers.stop();
    await sleep(leaseMs * 1.5);
    await balances.expire();
    const { held } = await balances.balance("acme");
    const moments = readJournals<AnswerCall, AnswerOutcome>(folder);
    const calls = moments.flatMap(({ happened, recorded }) => (happened === "begun" ? [recorded] : []));
    const charges = await readCharges(balances);
    const stored = calls.flatMap(({ answer }) => (isStored(answer) ? [answer.stored] : []));
    const violations = [
      ...(await lostOf(responses, stored)),
      ...(held === 0n ? [] : [`${held} nano-units are still held.`]),
      ...(await balances.verify()).map(({ problem }) => problem),
      ...calls.flatMap(({ call, answer }) => checkCall(call, answer, charges.get(call.requestId) ?? [])),
    ];
    const count = (dialect: string) =>
      calls.filter(({ call, answer }) => call.dialect === dialect && isWhole(answer)).length;
    const figures = {
      kills: workers.kills,
      chat: count("chat"),
      messages: count("messages"),
      responses: count("responses"),
      "of which stored": stored.length,
      "requests cut off": calls.filter(({ answer }) => answer === undefined).length,
    };
    return { deaths: workers.deaths, violations, figures };
  } finally {
    await workers.stop();
    await close();
    await rm(folder, { recursive: true });
  }
}

type Stored = Extract<AnswerOutcome, { readonly stored: string }>;

const isStored = (answer: AnswerOutcome | undefined): answer is Stored =>
  typeof answer === "object" && "stored" in answer;

const isWhole = (answer: AnswerOutcome | undefined): boolean => answer === "whole" || isStored(answer);

/** Returns a violation for each response that was answered as stored and that the store does not have. */
async function lostOf(responses: ResponseStore, ids: readonly string[]): Promise<string[]> {
  const lost: string[] = [];
  for (const id of new Set(ids)) {
    const found = await responses.find({ id, account: "acme" });
    if (!found?.response.includes(`"${id}"`) || !found.response.includes("Hello"))
      lost.push(`The response ${id} was answered as stored, and is lost.`);
  }
  return lost;
}

async function readCharges(balances: Awaited<ReturnType<typeof openStores>>["balances"]) {
  const charges = new Map<string, Entry[]>();
  for (let after: bigint | undefined; ; ) {
    const page = { account: "acme", limit: 1_000, ...(after === undefined ? {} : { after }) };
    const { entries, next } = await balances.entries(page);
    for (const entry of entries) {
      const id = entry.receipt?.requestId ?? "";
      charges.set(id, [...(charges.get(id) ?? []), entry]);
    }
    if (next === undefined) return charges;
    after = next;
  }
}

/** A whole answer costs its usage exactly. A request that was cut off costs at most the estimate of its last checkpoint. */
function checkCall({ requestId, dialect }: AnswerCall, answer: AnswerOutcome | undefined, entries: readonly Entry[]) {
  const charged = -entries.reduce((sum, { amount }) => sum + amount, 0n);
  const name = `The request ${requestId} in ${dialect}`;
  if (typeof answer === "object" && "unexpected" in answer) return [`${name} was answered with ${answer.unexpected}`];
  if (entries.some(({ receipt }) => receipt?.dialect !== dialect)) return [`${name} has a receipt of another dialect.`];
  if (isWhole(answer) && charged !== cost) return [`${name} was answered, and charged ${charged}.`];
  if (answer === "refused" && charged !== 0n) return [`${name} was refused, and charged ${charged}.`];
  return charged > mostEstimated ? [`${name} was charged ${charged}.`] : [];
}
