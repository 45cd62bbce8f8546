import type { LedgerEntry } from "../../packages/core/src/memory/memory-entries.ts";
import type { ExploredLedger } from "./explored-ledger.ts";

/** What the entries so far leave of a lot. `until` is its time in milliseconds since the Unix epoch. */
interface Rest {
  readonly until: number;
  readonly rest: bigint;
}

type Rests = ReadonlyMap<string, Rest>;

/**
 * Returns what is wrong with the lots, each in one sentence. The entries are read from the first to the last: each takes from
 * the lots in their order, and adds to a lot what a negative balance leaves; no lot falls below zero, and together they have at
 * most what is posted. What is due and that no hold needs has expired.
 */
export function lotProblems({ account: { entries, posted, held }, now }: ExploredLedger): readonly string[] {
  const problems: string[] = [];
  let rests: Rests = new Map();
  let sum = 0n;
  for (const entry of entries) {
    sum += entry.amount;
    problems.push(...wrongShares(entry, entries, rests, sum));
    rests = restsAfter(rests, entry);
    const lots = sumOf(rests);
    if ([...rests.values()].some(({ rest }) => rest < 0n))
      problems.push(`${describe(entry)} takes more than a lot has.`);
    if (lots > 0n && lots > sum) problems.push(`The lots have ${lots} after ${describe(entry)}, of ${sum} posted.`);
  }
  const due = [...rests].filter(([, { until, rest }]) => until <= now && rest > 0n);
  if (due.length > 0 && posted > held)
    problems.push(`${due.map(([id]) => id)} should have expired, since no hold needs it.`);
  return problems;
}

function wrongShares(entry: LedgerEntry, all: readonly LedgerEntry[], rests: Rests, posted: bigint): string[] {
  const { kind, amount, lots = [], reference } = entry;
  if (kind === "lapse") return wrongLapse(entry, rests);
  const room = posted - sumOf(rests);
  if (kind === "late" && amount > 0n) return wrongReturn(entry, all, room);
  const expected = amount < 0n ? payment(rests, -amount) : receipt(reference, atMost(amount, room));
  const found = lots.map(({ lot, amount: part }) => `${part} of ${lot}`).join();
  return expected === found ? [] : [`${describe(entry)} names the lots "${found}" in place of "${expected}".`];
}

/** The paid money of the beginning is no lot. */
const receipt = (id: string, rest: bigint): string => (id === "paid" || rest === 0n ? "" : `${rest} of ${id}`);

function wrongLapse({ amount, at, lots = [] }: LedgerEntry, rests: Rests): string[] {
  const [share] = lots;
  const isPart = lots.length === 1 && share?.amount === -amount;
  const isDue = share !== undefined && (rests.get(share.lot)?.until ?? at + 1) <= at;
  return isPart && isDue ? [] : [`A lot expired before its time, or by another amount than ${amount}.`];
}

/** A return goes to the lots that the expiry took from, at most what it took; what came from past ones is granted again. */
function wrongReturn(
  { reference, amount, at, lots = [] }: LedgerEntry,
  all: readonly LedgerEntry[],
  room: bigint,
): string[] {
  const taken = all.find((entry) => entry.kind === "expiry" && entry.reference === reference)?.lots ?? [];
  const isRight = lots.every(({ lot, amount: part, expiresAt }) => {
    const isCurrent = expiresAt === undefined || expiresAt.getTime() > at;
    const most = taken.find((share) => share.lot === lot)?.amount ?? (lot.startsWith("late:") ? amount : 0n);
    return isCurrent && part <= most;
  });
  const sum = lots.reduce((total, share) => total + share.amount, 0n);
  return isRight && sum <= atMost(amount, room)
    ? []
    : [`The return of ${amount} to hold ${reference} went to wrong lots.`];
}

/** Returns what each lot pays: the one that expires first, then those without a time, each in the order of their making. */
function payment(rests: Rests, amount: bigint): string {
  let left = amount;
  const open = [...rests]
    .filter(([, { rest }]) => rest > 0n)
    .sort(([, one], [, other]) => compare(one.until, other.until));
  return open
    .flatMap(([id, { rest }]) => {
      const part = atMost(left, rest);
      left -= part;
      return part > 0n ? [`${part} of ${id}`] : [];
    })
    .join();
}

function restsAfter(rests: Rests, { amount, lots = [] }: LedgerEntry): Rests {
  if (lots.length === 0) return rests;
  const after = new Map(rests);
  for (const { lot, amount: part, expiresAt } of lots) {
    const known = after.get(lot) ?? { until: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY, rest: 0n };
    after.set(lot, { ...known, rest: known.rest + (amount > 0n ? part : -part) });
  }
  return after;
}

const describe = ({ kind, reference, amount }: LedgerEntry): string => `The ${kind} ${reference} of ${amount}`;

const sumOf = (rests: Rests): bigint => [...rests.values()].reduce((total, { rest }) => total + rest, 0n);

const compare = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);

/** Returns an amount, at most another one and at least zero. */
const atMost = (amount: bigint, most: bigint): bigint => (most < 0n ? 0n : amount < most ? amount : most);
