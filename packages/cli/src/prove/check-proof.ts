import { formatAmount } from "@tollgate/core";
import type { BalanceStore, Entry } from "@tollgate/core/store";
import type { Evidence, HoldEvidence } from "./evidence.ts";
import { toJson } from "./journal.ts";

/**
 * A difference between what was acknowledged and the ledger. `lost`: an acknowledged effect is not there, or not all of it.
 * `twice`: more was charged or credited than was acknowledged. `overspent`: an account paid more than it had.
 */
export interface Difference {
  readonly kind: "lost" | "twice" | "overspent";
  readonly account: string;
  readonly problem: string;
  /** The receipt of the charge, or what would have been its receipt. Absent: the difference has none. */
  readonly receipt?: unknown;
}

/** The ledger of an account. */
interface Ledger {
  readonly account: string;
  /** In their order. */
  readonly entries: readonly Entry[];
  readonly byReference: ReadonlyMap<string, readonly Entry[]>;
}

/** Compares the ledger with what was acknowledged. No process may be running, and every lease must be over. */
export async function findDifferences(
  balances: BalanceStore,
  accounts: readonly string[],
  evidence: Evidence,
): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  const ledgers = new Map<string, Ledger>();
  for (const account of accounts) {
    const ledger = await readLedger(balances, account);
    ledgers.set(account, ledger);
    found.push(...(await checkSums(balances, ledger)), ...checkOverspent(ledger, evidence));
    found.push(...checkCredits(ledger, evidence), ...checkCauses(ledger, evidence));
  }
  for (const hold of evidence.holds.values()) {
    const entries = ledgers.get(hold.account)?.byReference.get(hold.id) ?? [];
    found.push(
      ...checkHold(hold, entries),
      ...checkTokens(hold, entries),
      ...(await checkSilent(balances, hold, entries)),
    );
  }
  return [...found, ...checkAnswers(evidence), ...(await verify(balances))];
}

async function readLedger(balances: BalanceStore, account: string): Promise<Ledger> {
  const entries: Entry[] = [];
  const byReference = new Map<string, Entry[]>();
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const page = await balances.entries({ account, limit: 1_000, after });
    entries.push(...page.entries);
    after = page.next;
  }
  for (const entry of entries) byReference.set(entry.reference, [...(byReference.get(entry.reference) ?? []), entry]);
  return { account, entries, byReference };
}

async function checkSums(balances: BalanceStore, { account, entries }: Ledger): Promise<readonly Difference[]> {
  const { posted, held } = await balances.balance(account);
  const sum = sumOf(entries);
  const sums = `The balance of ${account} is ${show(posted)}, and its entries sum to ${show(sum)}.`;
  return [
    ...(posted === sum ? [] : [(posted < sum ? lost : twice)(account, sums)]),
    ...(held === 0n ? [] : [lost(account, `${show(held)} of ${account} are still held, after every lease is over.`)]),
  ];
}

/** Only a late settlement and a cost above its hold may take a balance below zero. */
function checkOverspent({ account, entries }: Ledger, { holds }: Evidence): readonly Difference[] {
  let [posted, unreserved] = [0n, 0n];
  for (const { kind, amount, reference, receipt } of entries) {
    posted += amount;
    const reserved = kind === "late" ? 0n : (holds.get(reference)?.amount ?? 0n);
    if (-amount > reserved) unreserved += -amount - reserved;
    if (posted >= -unreserved) continue;
    const problem = `The balance of ${account} was ${show(posted)} after the ${kind} of ${show(-amount)} for hold ${reference}.`;
    return [overspent(account, problem, receipt)];
  }
  return [];
}

function checkCredits({ account, byReference }: Ledger, { credits }: Evidence): readonly Difference[] {
  const acknowledged = new Map(credits.flatMap((credit) => (credit.account === account ? [[credit.id, credit]] : [])));
  const missing = [...acknowledged.values()].flatMap(({ id, amount }) => {
    const posted = sumOf(byReference.get(id) ?? []);
    if (posted >= BigInt(amount)) return [];
    return [lost(account, `The credit ${id} of ${show(BigInt(amount))} was acknowledged, and ${show(posted)} posted.`)];
  });
  const repeated = [...byReference].flatMap(([id, entries]) => {
    if (entries[0]?.kind !== "credit" || entries.length === 1) return [];
    return [twice(account, `The credit ${id} was posted ${entries.length} times.`)];
  });
  return [...missing, ...repeated];
}

/** Every charge needs a hold that was acknowledged before, since nothing is sent to a provider without one. */
function checkCauses({ account, entries }: Ledger, { holds }: Evidence): readonly Difference[] {
  return entries
    .filter(({ kind, reference }) => kind !== "credit" && !holds.has(reference))
    .map(({ kind, amount, reference, receipt }) =>
      twice(account, `A ${kind} of ${show(-amount)} has the reference ${reference}, and no hold has it.`, receipt),
    );
}

const endsOfHold: ReadonlySet<string> = new Set(["", "charge", "expiry", "late", "expiry, late"]);

function checkHold(hold: HoldEvidence, entries: readonly Entry[]): readonly Difference[] {
  const { account, id, amount, settles, releases } = hold;
  const charged = -sumOf(entries);
  const kinds = entries.map(({ kind }) => kind).join(", ");
  const receipt = receiptOf(hold, entries);
  const is = `Hold ${id} of ${account} was charged ${show(charged)} by ${kinds || "nothing"}`;
  if (!endsOfHold.has(kinds)) return [twice(account, `${is}.`, receipt)];
  const strange = settles.find(({ outcome }) => !acknowledged.has(outcome));
  if (strange !== undefined) return [lost(account, `The settlement of hold ${id} was ${strange.outcome}.`, receipt)];
  const wanted = settles[0] === undefined ? undefined : BigInt(settles[0].amount);
  const isReleased = releases.some(({ outcome }) => acknowledged.has(outcome));
  if (wanted !== undefined && charged < wanted)
    return [lost(account, `${is}, and its settlement at ${show(wanted)} was acknowledged.`, receipt)];
  const most = wanted ?? (isReleased ? 0n : amount);
  return charged <= most ? [] : [twice(account, `${is}, and it was to pay at most ${show(most)}.`, receipt)];
}

const acknowledged: ReadonlySet<string> = new Set(["ended", "repeated", "late"]);

/** The tokens of a reported usage are those that the stand-in sent. */
function checkTokens({ account, id, sent }: HoldEvidence, entries: readonly Entry[]): readonly Difference[] {
  return entries.flatMap(({ receipt }) => {
    const charge = receipt?.charge;
    if (charge?.basis !== "reported") return [];
    const { input, output } = charge.tokens;
    if (input === sent?.input && output === sent.output) return [];
    const told = sent === undefined ? "nothing" : `${sent.input} + ${sent.output} tokens`;
    const paysMore = sent === undefined || input + output > sent.input + sent.output;
    const problem = `Hold ${id} of ${account} paid ${input} + ${output} tokens, and the stand-in sent ${told}.`;
    return [(paysMore ? twice : lost)(account, problem, receipt)];
  });
}

/** A hold without an entry must exist and have ended. Its release then has no effect. */
async function checkSilent(
  balances: BalanceStore,
  hold: HoldEvidence,
  entries: readonly Entry[],
): Promise<readonly Difference[]> {
  if (entries.length > 0) return [];
  const { id, account } = hold;
  const { outcome } = await balances.release({ id, account });
  const receipt = receiptOf(hold, entries);
  if (outcome === "unknown") return [lost(account, `Hold ${id} was acknowledged and is not there.`, receipt)];
  return outcome === "ended" ? [lost(account, `Hold ${id} was still pending after its lease.`, receipt)] : [];
}

/** Each whole answer has a settlement, unless its process was killed before. */
function checkAnswers({ holds, answers }: Evidence): readonly Difference[] {
  const byRequest = new Map([...holds.values()].map((hold) => [hold.receipt.requestId, hold]));
  return answers.flatMap(({ requestId, wasCut }) => {
    const hold = byRequest.get(requestId);
    if (hold === undefined) return [lost("", `The request ${requestId} was answered without a hold.`)];
    if (wasCut || hold.settles.length > 0) return [];
    const problem = `The request ${requestId} was answered, and its hold ${hold.id} was never settled.`;
    return [lost(hold.account, problem, hold.receipt)];
  });
}

const verify = async (balances: BalanceStore): Promise<readonly Difference[]> =>
  (await balances.verify()).map(({ account, problem }) => lost(account, problem));

/** The receipt of the ledger, or the one that was acknowledged. */
function receiptOf({ receipt, settles }: HoldEvidence, entries: readonly Entry[]): unknown {
  const charge = settles[0]?.receipt;
  return entries.at(-1)?.receipt ?? { ...receipt, ...(charge === undefined ? {} : { charge }) };
}

type Make = (account: string, problem: string, receipt?: unknown) => Difference;

const difference =
  (kind: Difference["kind"]): Make =>
  (account, problem, receipt) => ({
    kind,
    account,
    problem,
    ...(receipt === undefined ? {} : { receipt: plain(receipt) }),
  });

const lost = difference("lost");
const twice = difference("twice");
const overspent = difference("overspent");

/** A receipt has bigint prices. */
const plain = (receipt: unknown): unknown => JSON.parse(toJson(receipt));

const sumOf = (entries: readonly Entry[]): bigint => entries.reduce((sum, { amount }) => sum + amount, 0n);
const show = (nano: bigint): string => formatAmount(nano);
