import type { LedgerEntry } from "../../packages/core/src/memory/memory-entries.ts";
import type { ExploredLedger } from "./explored-ledger.ts";
import { stepMs } from "./operation.ts";

/**
 * Returns a text that is the same for ledgers which answer every sequence of later calls in the same way: the time, what is
 * posted, each hold with what a late settlement of it would return, the lots in the order in which they pay, and the credits
 * that a repeated call would find. Entries that no later call reads are not in it.
 */
export function fingerprintOf(ledger: ExploredLedger): string {
  const { account, steps } = ledger;
  const { posted, held, entries } = account;
  const credits = entries.flatMap(({ kind, reference, amount }) => (kind === "credit" ? `${reference}=${amount}` : []));
  return [steps, posted, held, holdsIn(ledger), lotsIn(ledger), credits.sort().join()].join(" | ");
}

/** Pending holds stand in the order in which they were placed, in which a sweep ends them. */
function holdsIn({ holds, account: { entries }, now }: ExploredLedger): string {
  const pending: string[] = [];
  const ended: string[] = [];
  for (const { id, held, state, used, charged, expiresAt } of holds.values()) {
    if (state === "pending") pending.push(`${id} ${held} ${used}${expiresAt <= now ? " due" : ""}`);
    else ended.push(`${id} ${held} ${state} ${charged}${state === "expired" ? takenBy(id, entries) : ""}`);
  }
  return `${pending} | ${ended.sort()}`;
}

/** Returns what the expiry of a hold took from lots. */
function takenBy(hold: string, entries: readonly LedgerEntry[]): string {
  const expiry = entries.find(({ kind, reference }) => kind === "expiry" && reference === hold);
  return (expiry?.lots ?? []).map(({ lot, amount }) => ` ${amount} of ${nameOf(lot, entries)}`).join("");
}

/** Includes a lot that is used up as long as a return can fill it again, since it keeps its place. */
function lotsIn({ account: { lots = [], entries }, now }: ExploredLedger): string {
  const rests = new Map(lots.map(({ id, rest }) => [id, rest]));
  const named = new Map<string, { readonly at: number; readonly until: number }>();
  for (const [at, entry] of entries.entries()) {
    for (const { lot, expiresAt } of entry.lots ?? []) {
      if (!named.has(lot)) named.set(lot, { at, until: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY });
    }
  }
  return [...named]
    .filter(([id, { until }]) => rests.has(id) || until > now)
    .sort(([, one], [, other]) => (one.until === other.until ? one.at - other.at : one.until - other.until))
    .map(([id, { until }]) => `${nameOf(id, entries)} ${rests.get(id) ?? 0n} until ${(until / stepMs).toFixed(2)}`)
    .join();
}

/** Returns the id of a lot. That of a late settlement has a sequence number, which is replaced by the hold. */
const nameOf = (lot: string, entries: readonly LedgerEntry[]): string =>
  lot.startsWith("late:") ? `late ${entries.find(({ sequence }) => lot === `late:${sequence}`)?.reference}` : lot;
