import type { Entry } from "@tollgate/core/store";
import type { SoakRecord } from "../load/soak-call.ts";
import type { SentAnswer } from "../upstream/counting-upstream.ts";
import { costOf, maxCost } from "../upstream/planned-answer.ts";

/** One request with everything that is known of it. */
export interface Evidence {
  readonly record: SoakRecord;
  /** What the upstream sent for it. Undefined: it received nothing. */
  readonly sent: SentAnswer | undefined;
  /** The entries of the ledger with its id in their receipts. */
  readonly entries: readonly Entry[];
  /** True if its process was killed before it can have settled for certain. */
  readonly unsettled: boolean;
}

/** What a request may have cost, in nano-units. */
export interface Range {
  readonly least: bigint;
  readonly most: bigint;
}

/** The sums of all requests, in nano-units. */
export interface Sums {
  readonly ledger: bigint;
  /** What the upstream's own count comes to: whole answers by their usage, and parts by the content that was sent. */
  readonly upstream: bigint;
  /** The most by which the two may differ. */
  readonly bound: bigint;
}

/** Returns a violation for each request that was charged anything else than what its client and the upstream saw. */
export function checkCharges(evidence: readonly Evidence[]): string[] {
  return evidence.flatMap(checkOne);
}

function checkOne(each: Evidence): string[] {
  const { record, sent, entries } = each;
  const { call, outcome, gateway } = record;
  const name = `The ${call.stream ? "stream" : "request"} ${call.plan.id} in ${call.dialect} to ${call.model} at ${gateway}`;
  const story = `${name} was ${outcome.kind} ${outcome.by ?? ""} ${outcome.status ?? ""} (${JSON.stringify({ ...sent, plan: call.plan, abort: call.abort })})`;
  const { least, most } = rangeOf(each);
  const charged = chargedIn(entries);
  const foreign = entries.filter(({ receipt }) => receipt?.dialect !== call.dialect);
  return [
    ...(outcome.kind === "broken" ? [`${story}: ${outcome.text}`] : []),
    ...(charged >= least && charged <= most ? [] : [`${story} and charged ${charged}, not ${least} to ${most}.`]),
    ...(foreign.length === 0 ? [] : [`${name} has a receipt of another dialect.`]),
    ...((sent?.wholes ?? 0) > 1 ? [`${name} was answered ${sent?.wholes} times by the upstream.`] : []),
  ];
}

/** Returns what was charged, in nano-units. */
export const chargedIn = (entries: readonly Entry[]): bigint => -entries.reduce((sum, { amount }) => sum + amount, 0n);

/** Returns what a request may have cost. */
export function rangeOf({ record, sent, unsettled }: Evidence): Range {
  const { call, outcome, bodyBytes } = record;
  const exact = costOf(call.dialect, call.plan.tokens);
  const most = maxCost(call.dialect, bodyBytes);
  // A call that ends at once may be charged for its prompt, and reach the upstream only as a closed connection.
  if (sent === undefined) return outcome.kind === "cut" ? { least: 0n, most } : exactly(0n);
  if (outcome.kind === "whole") return unsettled ? { least: 0n, most } : exactly(exact);
  if (outcome.kind === "refused" && sent.contents === 0 && sent.wholes === 0) return exactly(0n);
  if (unsettled || outcome.kind === "refused") return { least: 0n, most };
  // An answer in one piece is read on after its client has left.
  if (!call.stream && sent.wholes > 0) return exactly(exact);
  return { least: sent.contents + sent.wholes > 0 ? 1n : 0n, most };
}

const exactly = (amount: bigint): Range => ({ least: amount, most: amount });

/** Returns the sums of the ledger and of the upstream's own count, and the most by which they may differ. */
export function sumCharges(evidence: readonly Evidence[]): Sums {
  let [ledger, upstream, bound] = [0n, 0n, 0n];
  for (const each of evidence) {
    const counted = countedIn(each);
    const { least, most } = rangeOf(each);
    ledger += chargedIn(each.entries);
    upstream += counted;
    bound += larger(distance(counted, least), distance(counted, most));
  }
  return { ledger, upstream, bound };
}

/** Returns a violation if the sums differ by more than their bound. */
export function checkSums({ ledger, upstream, bound }: Sums): string[] {
  if (distance(ledger, upstream) <= bound) return [];
  return [`The ledger has ${ledger}, and the upstream counted ${upstream}: they may differ by ${bound}.`];
}

function countedIn({ record, sent }: Evidence): bigint {
  const { dialect, plan } = record.call;
  if (sent === undefined) return 0n;
  if (sent.wholes > 0) return costOf(dialect, plan.tokens);
  if (sent.contents === 0) return 0n;
  const output = Math.ceil((plan.tokens.output * sent.contents) / plan.pieces);
  return costOf(dialect, { input: plan.tokens.input, output });
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
