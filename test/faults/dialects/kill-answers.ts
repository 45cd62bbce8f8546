import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Entry } from "@tollgate/core/store";
import type { AnswerTask } from "../processes/answer-worker.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import { openStores } from "../processes/open-stores.ts";
import { workerPath } from "../processes/worker-path.ts";
import { type AnswerCall, type AnswerOutcome, type StoredAnswer, storedAnswers, storedId } from "./answer-call.ts";
import { checkConversations } from "./check-conversations.ts";
import { readCharges } from "./read-charges.ts";
import { spokenDialects } from "./small-request.ts";

/** The findings of a run. */
export interface KilledAnswers {
  readonly deaths: readonly string[];
  readonly violations: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const leaseMs = 1_000;
/** 10 tokens at 1,000 nano-units, and 5 at 2,000. Those of an embedding cost 2,000 each. */
const cost = 20_000n;
/**
 * The most that the estimate of a request that was cut off comes to: a quarter of its bytes, with those of the responses
 * that it continues, and the whole answer.
 */
const maxEstimated = ({ link }: AnswerCall): bigint => 70_000n + 80_000n * BigInt(link);
/** The number of answers between two kills, of all processes together. */
const answersPerKill = 40;
const funds = 1_000_000_000_000n;

/**
 * Kills processes that answer requests in every dialect, natively and translated, waits for the end of every hold, and
 * compares what clients received with the ledger.
 */
export async function killAnswers(
  address: StoreAddress,
  kills: number,
  { writesBehind = false }: { readonly writesBehind?: boolean } = {},
): Promise<KilledAnswers> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-answers-"));
  const { keys, balances, responses, close } = await openStores(address);
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  await balances.credit({ id: "opening", account: "acme", amount: funds, reason: "test" });
  const task: AnswerTask = { store: address, secret, leaseMs, loops: 6, writesBehind };
  const workers = new KilledWorkers(workerPath("answer-worker"), folder, task);
  try {
    workers.start(3);
    for (let round = 1; round <= kills; round++) {
      while (answersIn(folder) < round * answersPerKill && workers.deaths.length === 0) await sleep(20);
      await workers.killOne();
    }
    await workers.stop();
    await sleep(leaseMs * 1.5);
    await balances.expire();
    const { held } = await balances.balance("acme");
    const moments = readJournals<AnswerCall, AnswerOutcome>(folder);
    const calls = moments.flatMap(({ happened, recorded }) => (happened === "begun" ? [recorded] : []));
    const charges = await readCharges(balances, "acme");
    const stored = storedAnswers(moments);
    const violations = [
      ...(await checkConversations(responses, stored)),
      ...(held === 0n ? [] : [`${held} nano-units are still held.`]),
      ...(await balances.verify()).map(({ problem }) => problem),
      ...calls.flatMap(({ call, answer }) => checkCall(call, answer, charges.get(call.requestId) ?? [])),
    ];
    const count = (dialect: string) =>
      calls.filter(({ call, answer }) => call.dialect === dialect && isWhole(answer)).length;
    const figures = {
      kills: workers.kills,
      ...Object.fromEntries(spokenDialects.map((dialect) => [dialect, count(dialect)])),
      ...figuresOf(stored),
      "requests cut off": calls.filter(({ answer }) => answer === undefined).length,
    };
    return { deaths: workers.deaths, violations, figures };
  } finally {
    await workers.stop();
    await close();
    await rm(folder, { recursive: true });
  }
}

const answersIn = (folder: string): number =>
  readJournals<AnswerCall, AnswerOutcome>(folder).filter(({ happened }) => happened === "answered").length;

const isWhole = (answer: AnswerOutcome | undefined): boolean => answer === "whole" || storedId(answer) !== undefined;

function figuresOf(stored: readonly StoredAnswer[]) {
  const calls = new Map(stored.map(({ id, call }) => [id, call]));
  const pairs = [...calls.values()].flatMap((call) => {
    const previous = calls.get(call.continues ?? "");
    return previous === undefined ? [] : [[previous.process, call.process]];
  });
  return {
    "responses stored": calls.size,
    "of which continue another": pairs.length,
    "of another process": pairs.filter(([previous, own]) => previous !== own).length,
    "longest conversation": Math.max(0, ...[...calls.values()].map(({ link }) => link + 1)),
  };
}

/** A whole answer costs its usage exactly. A request that was cut off costs at most the estimate of its last checkpoint. */
function checkCall(call: AnswerCall, answer: AnswerOutcome | undefined, entries: readonly Entry[]) {
  const { requestId, dialect } = call;
  const charged = -entries.reduce((sum, { amount }) => sum + amount, 0n);
  const name = `The request ${requestId} in ${dialect}`;
  if (typeof answer === "object" && "unexpected" in answer) return [`${name} was answered with ${answer.unexpected}`];
  if (entries.some(({ receipt }) => receipt?.dialect !== dialect)) return [`${name} has a receipt of another dialect.`];
  if (isWhole(answer) && charged !== cost) return [`${name} was answered, and charged ${charged}.`];
  if (answer === "refused" && charged !== 0n) return [`${name} was refused, and charged ${charged}.`];
  return charged > maxEstimated(call) ? [`${name} was charged ${charged}.`] : [];
}
