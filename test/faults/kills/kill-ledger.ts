import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BalanceStore } from "@tollgate/core/store";
import { type Disturbance, disturbWhile } from "../processes/disturb-while.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { LedgerTask } from "../processes/ledger-worker.ts";
import { openStore, type StoreAddress } from "../processes/open-store.ts";
import type { LedgerMutation } from "../processes/statement-mutations.ts";
import { workerPath } from "../processes/worker-path.ts";
import type { LedgerAnswer, LedgerCall, LedgerMoment } from "./ledger/calls.ts";
import { checkLedger } from "./ledger/check-ledger.ts";
import { countCalls } from "./ledger/count-calls.ts";
import type { Violation } from "./ledger/violation.ts";

/** The duration, load and faults of a run. */
export interface KillPlan {
  readonly seconds: number;
  /** The minimum of each figure, by name. On a busy machine, the run takes up to three times as long to reach them. */
  readonly minimums: Readonly<Record<string, number>>;
  readonly workers: number;
  /** The concurrent holds of one worker. */
  readonly loops: number;
  /** The lease of every hold. */
  readonly leaseMs: number;
  readonly killEveryMs: number;
  /** True: with lots, allowances and refunds. */
  readonly lots?: boolean;
  /** A crash of the database, and how often it occurs. */
  readonly crash?: Disturbance;
  /** A seeded mutation in the store of the workers. */
  readonly mutation?: LedgerMutation;
}

/** The findings of a run. */
export interface KillReport {
  readonly violations: readonly Violation[];
  /** Workers that ended without being killed. */
  readonly deaths: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const accounts = ["ada", "ben", "cleo", "dan", "eve"];

/** Runs and kills processes that use a ledger, then waits for the end of every hold and checks the ledger. */
export async function killLedger(address: StoreAddress, plan: KillPlan): Promise<KillReport> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-journals-"));
  const { store, close } = openStore(address);
  const { leaseMs, loops, lots, mutation } = plan;
  const task: LedgerTask = { store: address, accounts, leaseMs, loops, lots, mutation };
  const workers = new KilledWorkers(workerPath("ledger-worker"), folder, task);
  try {
    const counts = await workAndKill(plan, workers, () => countCalls(readMoments(folder)));
    const sweeps = await endEveryHold(store, leaseMs);
    const evidence = { moments: readMoments(folder), accounts, leaseMs };
    const violations = [...sweeps.violations, ...(await checkLedger(store, evidence))];
    const lapses = await countLapses(store);
    const figures = { ...counts, lapses, ...countKinds(violations), "ms to the last end": sweeps.tookMs };
    return { violations, deaths: workers.deaths, figures };
  } finally {
    await workers.stop();
    await close();
    await rm(folder, { recursive: true });
  }
}

function readMoments(folder: string): LedgerMoment[] {
  return readJournals<LedgerCall, LedgerAnswer>(folder);
}

async function workAndKill(
  { seconds, minimums, killEveryMs, crash, workers: count }: KillPlan,
  workers: KilledWorkers<LedgerTask>,
  countCalls: () => Record<string, number>,
): Promise<Record<string, number>> {
  const start = Date.now();
  let crashes = 0;
  const counts = () => ({ kills: workers.kills, crashes, ...countCalls() });
  const enough = async () => {
    await sleep(seconds * 1_000);
    while (!reaches(counts(), minimums) && Date.now() < start + seconds * 3_000) await sleep(1_000);
  };
  workers.start(count);
  await disturbWhile(enough, [
    { everyMs: killEveryMs, run: () => workers.killOne() },
    ...(crash ? [{ everyMs: crash.everyMs, run: () => crash.run().then(() => void crashes++) }] : []),
  ]);
  await workers.stop();
  return { seconds: Math.round((Date.now() - start) / 1_000), ...counts() };
}

function reaches(counts: Readonly<Record<string, number>>, minimums: Readonly<Record<string, number>>): boolean {
  return Object.entries(minimums).every(([name, count]) => (counts[name] ?? 0) >= count);
}

/** Sweeps until nothing is held, or until every lease has long expired. */
async function endEveryHold(store: BalanceStore, leaseMs: number) {
  const start = Date.now();
  const failures = new Set<string>();
  for (;;) {
    // Calls of killed workers may still be running.
    await sleep(100);
    try {
      await store.expire();
    } catch (error) {
      failures.add(`The last sweep threw: ${error}`);
    }
    const balances = await Promise.all(accounts.map((account) => store.balance(account)));
    const tookMs = Date.now() - start;
    if (balances.every(({ held }) => held === 0n) || tookMs > 2 * leaseMs) {
      return { tookMs, violations: [...failures].map((problem): Violation => ({ kind: "stuck", problem })) };
    }
  }
}

async function countLapses(store: BalanceStore): Promise<number> {
  const pages = accounts.map((account) => store.entries({ account, kind: "lapse", limit: 10_000 }));
  return (await Promise.all(pages)).flatMap(({ entries }) => entries).length;
}

function countKinds(violations: readonly Violation[]): Record<Violation["kind"], number> {
  const counts = { lost: 0, double: 0, drift: 0, overdrawn: 0, neglected: 0, stuck: 0, unexplained: 0, wrong: 0 };
  for (const { kind } of violations) counts[kind]++;
  return counts;
}
