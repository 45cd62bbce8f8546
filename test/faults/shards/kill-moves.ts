import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ShardedStores } from "@tollgate/postgres";
import type { LedgerAnswer, LedgerCall } from "../kills/ledger/calls.ts";
import { checkLedger } from "../kills/ledger/check-ledger.ts";
import { countCalls } from "../kills/ledger/count-calls.ts";
import type { Violation } from "../kills/ledger/violation.ts";
import { disturbWhile } from "../processes/disturb-while.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { MoveMutation } from "../processes/move-mutations.ts";
import type { MoveAnswer, MoveCall, MoveTask } from "../processes/move-worker.ts";
import { openShards, type ShardUrls } from "../processes/open-shards.ts";
import type { ShardTask } from "../processes/shard-worker.ts";
import { workerPath } from "../processes/worker-path.ts";

/** The duration and the faults of a run. */
export interface MovePlan {
  readonly seconds: number;
  /** The minimum of each figure, by name. On a busy machine, the run takes up to three times as long to reach them. */
  readonly minimums: Readonly<Record<string, number>>;
  /** How often a process is killed that uses the accounts. Absent: never. */
  readonly killEveryMs?: number;
  /** How often a process is killed that moves accounts. Absent: never. */
  readonly killMoverEveryMs?: number;
  readonly mutation?: MoveMutation;
}

/** The findings of a run. */
export interface MoveReport {
  readonly violations: readonly Violation[];
  /** Processes that ended without being killed, and failures of moves that are none of the expected. */
  readonly failures: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const leaseMs = 2_000;

/** Uses accounts in several processes while others move them between shards, kills both, and then checks the ledger. */
export async function killMoves(urls: ShardUrls, plan: MovePlan): Promise<MoveReport> {
  const run = crypto.randomUUID();
  const [staying = "", ...moving] = ["ada", "ben", "cleo", "dan"].map((name) => `${name} ${run}`);
  const accounts = [staying, ...moving];
  const folder = await mkdtemp(join(tmpdir(), "tollgate-moves-"));
  const [calls, moves] = [join(folder, "calls"), join(folder, "moves")];
  await Promise.all([calls, moves].map((path) => mkdir(path)));
  const users = new KilledWorkers<ShardTask>(workerPath("shard-worker"), calls, { urls, accounts, leaseMs, loops: 6 });
  const movers = new KilledWorkers<MoveTask>(workerPath("move-worker"), moves, {
    urls,
    moving,
    mutation: plan.mutation,
  });
  const { stores, close } = await openShards(urls);
  try {
    await work(plan, users, movers, () => ({
      ...countCalls(readCalls(calls)),
      ...countMoves(readMoves(moves)),
      "kills of movers": movers.kills,
    }));
    const stuck = await endEveryHold(stores.balances, accounts);
    const evidence = { moments: readCalls(calls), accounts, leaseMs };
    const checked = await checkLedger(stores.balances, evidence);
    const violations = [...stuck, ...checked.filter(({ kind, problem }) => !isLeftOut(kind, problem))];
    const figures = {
      kills: users.kills,
      "kills of movers": movers.kills,
      ...countMoves(readMoves(moves)),
      ...countCalls(evidence.moments),
    };
    const refused = evidence.moments.filter(
      ({ recorded: { call, answer } }) =>
        call.verb === "hold" && call.account === staying && answer?.error !== undefined,
    );
    const failures = [
      ...users.deaths,
      ...movers.deaths,
      ...unexpected(readMoves(moves)),
      ...refused.map(({ recorded }) => `A hold of an account that was not moved failed: ${recorded.answer?.error}`),
    ];
    return { violations, failures, figures };
  } finally {
    await Promise.all([users.stop(), movers.stop()]);
    await close();
    await rm(folder, { recursive: true });
  }
}

/** A renewal leaves out the holds of an account that is moving. */
const isLeftOut = (kind: Violation["kind"], problem: string): boolean =>
  kind === "neglected" && problem.includes("was not renewed");

const readCalls = (folder: string) => readJournals<LedgerCall, LedgerAnswer>(folder);
const readMoves = (folder: string) =>
  readJournals<MoveCall, MoveAnswer>(folder).filter(({ happened }) => happened === "answered");

async function work(
  { seconds, minimums, killEveryMs, killMoverEveryMs }: MovePlan,
  users: KilledWorkers<ShardTask>,
  movers: KilledWorkers<MoveTask>,
  count: () => Readonly<Record<string, number>>,
): Promise<void> {
  const start = Date.now();
  const reached = () => {
    const counts = count();
    return Object.entries(minimums).every(([name, least]) => (counts[name] ?? 0) >= least);
  };
  const enough = async () => {
    await sleep(seconds * 1_000);
    while (!reached() && Date.now() < start + seconds * 3_000) await sleep(500);
  };
  users.start(3);
  movers.start(2);
  const disturbances = [
    ...(killEveryMs === undefined ? [] : [{ everyMs: killEveryMs, run: () => users.killOne() }]),
    ...(killMoverEveryMs === undefined ? [] : [{ everyMs: killMoverEveryMs, run: () => movers.killOne() }]),
  ];
  await (disturbances.length === 0 ? enough() : disturbWhile(enough, disturbances));
  await Promise.all([users.stop(), movers.stop()]);
}

/** Sweeps until nothing is held, which also ends the moves that killed processes have left. Returns the failures of the sweeps. */
async function endEveryHold(
  store: ShardedStores["balances"],
  accounts: readonly string[],
): Promise<readonly Violation[]> {
  const failures = new Set<string>();
  for (const start = Date.now(); Date.now() < start + 3 * leaseMs; ) {
    // Calls of killed processes may still be running.
    await sleep(100);
    await Promise.resolve(store.expire()).catch((error: unknown) => failures.add(`A sweep threw: ${error}`));
    // An account stays closed until its server has noticed that the process which moved it is gone.
    const balances = await Promise.all(accounts.map((account) => store.balance(account))).catch(() => undefined);
    if (balances?.every(({ held }) => held === 0n)) break;
  }
  return [...failures].map((problem): Violation => ({ kind: "stuck", problem }));
}

function countMoves(moves: ReturnType<typeof readMoves>): Readonly<Record<string, number>> {
  const times = moves.flatMap(({ recorded }) => recorded.answer?.frozenMs ?? []).sort((one, other) => one - other);
  return {
    moves: times.length,
    "ms frozen, median": Math.round(times[Math.floor(times.length / 2)] ?? 0),
    "ms frozen, longest": Math.round(times.at(-1) ?? 0),
    "moves undone": countErrors(moves, /was undone, since/),
    "moves refused": countErrors(moves, /Another process/),
  };
}

const countErrors = (moves: ReturnType<typeof readMoves>, reason: RegExp): number =>
  moves.filter(({ recorded }) => reason.test(recorded.answer?.error ?? "")).length;

/** The errors of moves, except those that another mover or a killed one causes, and of accounts that nobody has used yet. */
const unexpected = (moves: ReturnType<typeof readMoves>): readonly string[] =>
  moves.flatMap(({ recorded: { answer } }) =>
    answer?.error === undefined ||
    /Another process (?:is moving|has taken over)|was undone, since|No shard has the account/.test(answer.error)
      ? []
      : [`A move failed: ${answer.error}`],
  );
