import type { Hold } from "../../packages/core/src/memory/memory-accounts.ts";
import type { LedgerEntry } from "../../packages/core/src/memory/memory-entries.ts";
import { verifyMemoryLedger } from "../../packages/core/src/memory/verify-memory-ledger.ts";
import type { ExploredLedger } from "./explored-ledger.ts";
import { lotProblems } from "./lot-invariants.ts";
import type { Operation } from "./operation.ts";

type HoldState = Pick<Hold, "state" | "used" | "charged" | "expiresAt">;

/** The holds before an operation, by id. */
export type HoldsBefore = ReadonlyMap<string, HoldState>;

/** Copies the states of the holds. */
export const holdsOf = ({ holds }: ExploredLedger): HoldsBefore =>
  new Map([...holds].map(([id, hold]) => [id, { ...hold }]));

/** Returns the invariants that an operation has broken, each in one sentence. Lets due lots expire first. */
export function brokenInvariants(
  before: HoldsBefore,
  operation: Operation,
  outcome: string,
  ledger: ExploredLedger,
): readonly string[] {
  ledger.lapse();
  return [
    ...wrongSums(ledger),
    ...wrongGuard(before, operation, outcome, ledger),
    ...wrongOutcome(before, operation, outcome),
    ...[...ledger.holds.values()].flatMap((hold) => [
      ...wrongState(before.get(hold.id), hold, operation, ledger.now),
      ...wrongEntries(hold, ledger.account.entries),
    ]),
    ...repeatedCredits(ledger.account.entries),
    ...overdrafts(ledger),
    ...lotProblems(ledger),
  ];
}

function wrongSums({ account: { posted, held, entries }, holds, parts }: ExploredLedger): string[] {
  const sum = entries.reduce((total, { amount }) => total + amount, 0n);
  const pending = [...holds.values()].reduce(
    (total, hold) => (hold.state === "pending" ? total + hold.held : total),
    0n,
  );
  const { ledger } = parts;
  return [
    ...(posted === sum ? [] : [`${posted} are posted, but the entries sum to ${sum}.`]),
    ...(held === pending && held >= 0n ? [] : [`${held} are held, but the pending holds sum to ${pending}.`]),
    ...verifyMemoryLedger(ledger.accounts.all(), parts.holds.pending(), ledger.usedByKey).map(({ problem }) => problem),
  ];
}

/** A hold is granted if the balance less all other holds is at least its amount at that instant, and only then. */
function wrongGuard(
  before: HoldsBefore,
  operation: Operation,
  outcome: string,
  { account: { posted, held } }: ExploredLedger,
): string[] {
  if (operation.verb !== "hold" || before.has(operation.id)) return [];
  const available = posted - held;
  if (outcome === "insufficient" && available >= operation.amount)
    return [`It was refused with ${available} available.`];
  return outcome === "held" && available < 0n ? [`It was granted, and leaves ${available} available.`] : [];
}

function wrongOutcome(before: HoldsBefore, operation: Operation, outcome: string): string[] {
  const expected = expectedOutcome(before, operation) ?? outcome;
  return expected === outcome ? [] : [`"${operation.text}" was answered with "${outcome}" in place of "${expected}".`];
}

/** Returns the outcome of a renewal or an end. Undefined: it does not follow from the state of the hold. */
function expectedOutcome(before: HoldsBefore, operation: Operation): string | undefined {
  if (operation.verb !== "renew" && operation.verb !== "settle" && operation.verb !== "release") return undefined;
  const hold = before.get(operation.id);
  if (operation.verb === "renew") return hold?.state === "pending" ? "renewed" : "not renewed";
  if (hold === undefined) return "unknown";
  if (hold.state === "pending") return "ended";
  if (operation.verb === "release") return hold.state === "released" ? "repeated" : "conflict";
  if (hold.state === "expired") return "late";
  return hold.state === "settled" && hold.charged === operation.amount ? "repeated" : "conflict";
}

function wrongState(before: HoldState | undefined, hold: Hold, operation: Operation, now: number): string[] {
  const [expected, found] = [textOf(stateAfter(before, hold.id, operation, now)), textOf(hold)];
  if (expected !== found) return [`Hold ${hold.id} should be ${expected} after "${operation.text}", but is ${found}.`];
  const isRenewed = operation.verb === "renew" && operation.id === hold.id && hold.state === "pending";
  return isRenewed && hold.expiresAt <= now ? [`The lease of hold ${hold.id} was renewed and has ended.`] : [];
}

const textOf = ({ state, used, charged }: Omit<HoldState, "expiresAt">): string =>
  state === "pending" ? `pending with ${used} used` : `${state} at ${charged}`;

/** Returns the state of a hold after an operation: it ends once, and an expired one can be settled once. */
function stateAfter(
  before: HoldState | undefined,
  id: string,
  operation: Operation,
  now: number,
): Omit<HoldState, "expiresAt"> {
  if (before === undefined) return { state: "pending", used: 0n, charged: 0n };
  const { state, used, expiresAt } = before;
  if (operation.verb === "expire") {
    return state === "pending" && expiresAt <= now ? { state: "expired", used, charged: used } : before;
  }
  if (operation.verb === "pass" || operation.id !== id) return before;
  if (operation.verb === "settle" && (state === "pending" || state === "expired")) {
    return { state: "settled", used, charged: operation.amount };
  }
  if (operation.verb === "release" && state === "pending") return { state: "released", used, charged: 0n };
  if (operation.verb === "renew" && state === "pending" && operation.amount > used) {
    return { ...before, used: operation.amount };
  }
  return before;
}

const possibleKinds = ["", "charge", "expiry", "late", "expiry late"];

/** The entries of a hold sum to what its end charged, and each end has added one at most. */
function wrongEntries({ id, state, charged }: Hold, entries: readonly LedgerEntry[]): string[] {
  const own = entries.filter(({ reference }) => reference === id);
  const kinds = own.map(({ kind }) => kind).join(" ");
  const sum = own.reduce((total, { amount }) => total - amount, 0n);
  const cost = state === "pending" ? 0n : charged;
  return [
    ...(possibleKinds.includes(kinds) ? [] : [`Hold ${id} has the entries "${kinds}".`]),
    ...(sum === cost ? [] : [`Hold ${id} costs ${cost}, but its entries charge ${sum}.`]),
  ];
}

function repeatedCredits(entries: readonly LedgerEntry[]): string[] {
  const ids = entries.flatMap(({ kind, reference }) => (kind === "credit" ? reference : []));
  return new Set(ids).size === ids.length ? [] : [`A credit was posted twice: ${ids}.`];
}

/** What is available falls below zero only by costs above their holds, which those of late settlements are, too. */
function overdrafts({ account: { posted, held, entries }, holds }: ExploredLedger): string[] {
  const unreserved = entries.reduce((total, { kind, amount, reference }) => {
    const reserved = kind === "late" ? 0n : (holds.get(reference)?.held ?? -amount);
    return -amount > reserved ? total - amount - reserved : total;
  }, 0n);
  const available = posted - held;
  return available < -unreserved ? [`${available} are available, but costs above holds are only ${unreserved}.`] : [];
}
