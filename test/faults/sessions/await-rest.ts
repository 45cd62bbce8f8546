import { setTimeout as sleep } from "node:timers/promises";
import type { SessionRef } from "@tollgate/core/store";
import type { OpenStores } from "../processes/open-stores.ts";
import type { SessionViolation } from "./check-sessions.ts";

/** What is left when every process is gone and every lease has run out. */
export interface Rest {
  /** The images of each session, as its next turn is told of them. */
  readonly images: ReadonlyMap<string, readonly string[]>;
  /** How long the last session kept others out. */
  readonly tookMs: number;
  readonly violations: readonly SessionViolation[];
}

// What a busy machine may add to a lease.
const graceMs = 5_000;

/** Waits until each session lets another turn in and nothing is held, for a lease and some grace, then checks the ledger. */
export async function awaitRest(
  stores: OpenStores,
  account: string,
  refs: readonly SessionRef[],
  leaseMs: number,
): Promise<Rest> {
  const began = Date.now();
  const violations: SessionViolation[] = [];
  const images = new Map<string, readonly string[]>();
  for (const ref of refs) {
    const shown = await within(leaseMs + graceMs - (Date.now() - began), () => imagesOf(stores, ref));
    if (shown === undefined) violations.push({ kind: "stuck", problem: `The session ${ref.id} lets nobody in.` });
    else images.set(ref.id, shown);
  }
  const tookMs = Date.now() - began;
  const free = await within(2 * leaseMs + graceMs - tookMs, () => nothingHeld(stores, account));
  if (free === undefined) violations.push({ kind: "stuck", problem: "A hold outlived its lease." });
  const problems = await stores.balances.verify();
  return { images, tookMs, violations: [...violations, ...problems.map(toViolation)] };
}

const toViolation = (problem: unknown): SessionViolation => ({ kind: "books", problem: JSON.stringify(problem) });

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

/** Asks until there is an answer, at least once. */
async function within<T>(milliseconds: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const endsAt = Date.now() + milliseconds;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || Date.now() > endsAt) return answer;
    await sleep(50);
  }
}
