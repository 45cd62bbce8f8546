import { isDeepStrictEqual } from "node:util";
import type { Entry } from "@tollgate/core/store";
import type { AccountBooks, Books } from "./books.ts";
import type { Call } from "./call.ts";

/** The calls that can overdraw an account: use above a hold, which an expiry can charge too, and debits of the host. */
const overdrawing: readonly Call["verb"][] = ["settle", "expire", "debit"];

/** The possible entries of a hold: it ends once, and an expired hold can be settled late once. */
const endings = ["charge", "expiry", "late", "expiry late"];

/** Returns the invariants that the ledger violates after some calls, each in one sentence, independent of the model. */
export function brokenInvariants(before: Books, after: Books, calls: readonly Call[]): string[] {
  return [
    ...after.violations.map(({ problem }) => `verify reports: ${problem}`),
    ...after.accounts.flatMap((books) => inconsistencies(books)),
    ...after.accounts.flatMap((books, at) => rewrites(before.accounts[at]?.entries ?? [], books)),
    ...after.accounts.flatMap((books, at) => overdrafts(before.accounts[at], books, calls)),
  ];
}

function inconsistencies({ account, balance, entries }: AccountBooks): string[] {
  const { posted, held, available } = balance;
  const sum = entries.reduce((total, { amount }) => total + amount, 0n);
  return [
    ...(posted === sum ? [] : [`${account} has ${posted} posted, but its entries sum to ${sum}.`]),
    ...(available === posted - held
      ? []
      : [`${account} has ${available} available, but ${posted} posted and ${held} held.`]),
    ...(held >= 0n ? [] : [`${account} holds ${held}.`]),
    ...doubledEntries(entries),
  ];
}

function doubledEntries(entries: readonly Entry[]): string[] {
  const endingsOf = new Map<string, string>();
  const postings = new Set<string>();
  const problems: string[] = [];
  for (const { kind, reference, reason } of entries) {
    if (kind === "credit" || kind === "debit") {
      if (postings.has(reference)) problems.push(`${reference} was posted twice.`);
      postings.add(reference);
      if (reason === undefined) problems.push(`${reference} has no reason.`);
    } else endingsOf.set(reference, `${endingsOf.get(reference) ?? ""} ${kind}`.trim());
  }
  for (const [hold, kinds] of endingsOf) if (!endings.includes(kinds)) problems.push(`Hold ${hold} ended by ${kinds}.`);
  return problems;
}

function rewrites(before: readonly Entry[], { account, entries }: AccountBooks): string[] {
  const kept = isDeepStrictEqual(entries.slice(0, before.length), before);
  const rising = entries.every(({ sequence }, at) => sequence > (entries[at - 1]?.sequence ?? 0n));
  return [
    ...(kept ? [] : [`Entries of ${account} were changed after they had been written.`]),
    ...(rising ? [] : [`The sequence of the entries of ${account} does not rise.`]),
  ];
}

function overdrafts(before: AccountBooks | undefined, after: AccountBooks, calls: readonly Call[]): string[] {
  const { available } = after.balance;
  const fell = available < (before?.balance.available ?? 0n);
  if (available >= 0n || !fell || calls.some(({ verb }) => overdrawing.includes(verb))) return [];
  return [`${after.account} fell to ${available} without use above a hold and without a debit.`];
}
