import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionRef } from "@tollgate/core/store";
import { webhookTarget } from "../../support/webhook-target.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import { type OpenStores, openStores } from "../processes/open-stores.ts";
import type { TurnTask } from "../processes/turn-worker.ts";
import { workerPath } from "../processes/worker-path.ts";
import { awaitFinalState } from "./await-final-state.ts";
import { checkSession, type SessionViolation } from "./check-sessions.ts";
import { disturbTurns, type SessionKillPlan } from "./disturb-turns.ts";
import { readContents } from "./session-contents.ts";
import type { TurnAnswer, TurnCall, TurnMoment } from "./turn-attempt.ts";

/** The findings of a run. */
export interface SessionKillReport {
  readonly violations: readonly SessionViolation[];
  /** Workers that ended without being killed. */
  readonly deaths: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const account = "ada";

/** Runs processes on the same sessions, kills and suspends them for longer than a lease, and checks the sessions. */
export async function killSessions(address: StoreAddress, plan: SessionKillPlan): Promise<SessionKillReport> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-journals-"));
  const target = await webhookTarget();
  const stores = await openStores(address);
  const { leaseMs, loops } = plan;
  const refs = await openSessions(stores, plan.sessions);
  const { secret } = await stores.keys.create({ account, plan: "prepaid" });
  const task = {
    store: address,
    secret,
    sessions: refs.map(({ id }) => id),
    target: target.host,
    leaseMs,
    loops,
  };
  const workers = new KilledWorkers<TurnTask>(workerPath("turn-worker"), folder, task);
  try {
    const counts = await disturbTurns(plan, workers, () => readMoments(folder));
    const state = await awaitFinalState(stores, account, refs, leaseMs);
    const checks = await Promise.all(refs.map((ref) => check(stores, ref, state.images, readMoments(folder))));
    const violations = [...state.violations, ...checks.flat()];
    return {
      violations,
      deaths: workers.deaths,
      figures: { ...counts, violations: violations.length, "ms to the last lock": state.tookMs },
    };
  } finally {
    await workers.stop();
    await Promise.all([stores.close(), target.close(), rm(folder, { recursive: true })]);
  }
}

async function openSessions({ sessions, balances }: OpenStores, count: number): Promise<SessionRef[]> {
  await balances.credit({ id: "opening", account, amount: 10n ** 15n, reason: "test" });
  const refs = Array.from({ length: count }, () => ({ id: crypto.randomUUID(), account }));
  for (const ref of refs) {
    await sessions.create({ ...ref, assistantId: "note-keeper", clientData: {}, ttlMs: 3_600_000 });
  }
  return refs;
}

const readMoments = (folder: string): TurnMoment[] => readJournals<TurnCall, TurnAnswer>(folder);

async function check(
  { sessions }: OpenStores,
  ref: SessionRef,
  images: ReadonlyMap<string, readonly string[]>,
  moments: readonly TurnMoment[],
): Promise<SessionViolation[]> {
  const begun = moments.filter(({ happened }) => happened === "begun").map(({ recorded }) => recorded);
  const attempts = begun.filter(({ call }) => call.session === ref.id);
  return checkSession(await readContents(sessions, ref, images.get(ref.id) ?? []), attempts);
}
