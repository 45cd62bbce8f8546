import type { AccountBalance, Allowance } from "../ports/balance-store.ts";
import { spendWindowAt } from "./spend-window.ts";

/** The grant of an allowance for one window. */
export interface Grant {
  /** The id of its lot, which is the reference of its entry: the same for every allowance of the same window. */
  readonly lot: string;
  /** The end of the window, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** The reason of the entry that grants an allowance. */
export const grantReason = "allowance";

/** Returns the grant of the window at a moment. */
export function grantAt({ window, timezone }: Allowance, now: number): Grant {
  const { startsAt, resetsAt } = spendWindowAt(timezone === undefined ? { window } : { window, timezone }, now);
  if (resetsAt === undefined) throw new RangeError(`The window of an allowance must end, and "${window}" does not.`);
  return { lot: `allowance:${window}:${new Date(startsAt).toISOString()}`, expiresAt: resetsAt };
}

/** Returns a balance in which a grant that is not made yet counts as made. It pays a negative balance first. */
export function withGrant(balance: AccountBalance, amount: bigint, expiresAt: number): AccountBalance {
  const posted = balance.posted + amount;
  const left = posted < amount ? posted : amount;
  const { expiring, totals } = balance;
  const at = expiring.findIndex((other) => other.expiresAt.getTime() > expiresAt);
  const granted = left > 0n ? [{ amount: left, expiresAt: new Date(expiresAt) }] : [];
  const position = at === -1 ? expiring.length : at;
  return {
    ...balance,
    posted,
    available: balance.available + amount,
    expiring: expiring.toSpliced(position, 0, ...granted).slice(0, maxExpiring),
    totals: { ...totals, credited: totals.credited + amount },
  };
}

/** How many lots a balance lists at most. */
export const maxExpiring = 100;
