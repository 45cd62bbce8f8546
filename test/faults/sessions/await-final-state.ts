import { setTimeout as sleep } from "node:timers/promises";
import type { SessionRef } from "@tollgate/core/store";
import type { OpenStores } from "../processes/open-stores.ts";
import type { SessionViolation } from "./check-sessions.ts";

/** The state after every process has ended and every lease has expired. */
export interface FinalState {
  /** The images of each session, as its next turn receives them. */
  readonly images: ReadonlyMap<string, readonly string[]>;
  /** How long the last session was locked. */
  readonly tookMs: number;
  readonly violations: readonly SessionViolation[];
}

// The delay that a busy machine can add to a lease.
const graceMs = 5_000;

/**
 * Waits up to a lease and a grace period until each session accepts a turn and nothing is held, then checks the ledger.
 */
export async function awaitFinalState(
  stores: OpenStores,
  account: string,
  refs: readonly SessionRef[],
  leaseMs: number,
): Promise<FinalState> {
  const start = Date.now();
  const violations: SessionViolation[] = [];
  const images = new Map<string, readonly string[]>();
  for (const ref of refs) {
    const shown = await within(leaseMs + graceMs - (Date.now() - start), () => imagesOf(stores, ref));
    if (shown === undefined) violations.push({ kind: "stuck", problem: `The session ${ref.id} accepts no turn.` });
    else images.set(ref.id, shown);
  }
  const tookMs = Date.now() - start;
  const free = await within(2 * leaseMs + graceMs - tookMs, () => nothingHeld(stores, account));
  if (free === undefined) violations.push({ kind: "stuck", problem: "A hold did not end after its lease." });
  const problems = await stores.balances.verify();
  return { images, tookMs, violations: [...violations, ...problems.map(toViolation)] };
}

const toViolation = (problem: unknown): SessionViolation => ({ kind: "ledger", problem: JSON.stringify(problem) });

async function imagesOf({ sessions }: OpenStores, ref: SessionRef): Promise<readonly string[] | undefined> {
  const turnId = crypto.randomUUID();
  const start = await sessions.beginTurn(ref, { turnId, leaseMs: 60_000, historyLimit: 0 });
  if (start.outcome !== "begun") return undefined;
  await sessions.endTurn(ref, { turnId, messages: [], images: [] });
  return start.images;
}

async function nothingHeld({ balances }: OpenStores, account: string): Promise<true | undefined> {
  await balances.expire();
  const { held } = await balances.balance(account);
  return held === 0n ? true : undefined;
}

/** Repeats the call until it returns a value, at least once. */
async function within<T>(milliseconds: number, call: () => Promise<T | undefined>): Promise<T | undefined> {
  const endsAt = Date.now() + milliseconds;
  for (;;) {
    const result = await call();
    if (result !== undefined || Date.now() > endsAt) return result;
    await sleep(50);
  }
}
