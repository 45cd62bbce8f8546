import { isDeepStrictEqual } from "node:util";
import type { Entry } from "@tollgate/core/store";
import type { AccountBooks, Books } from "./books.ts";
import type { Call } from "./call.ts";

/** Usage above a hold, which an expiry may charge as well, and corrections by the host; nothing else takes what is not there. */
const overdrawing: readonly Call["verb"][] = ["settle", "expire", "debit"];

/** What a hold may leave in the ledger, if anything: it ends once, and an expired one may be settled once, late. */
const endings = ["charge", "expiry", "late", "expiry late"];

/** The promises of a ledger that its books break after some calls, each in one sentence, whatever a model says of them. */
export function brokenInvariants(before: Books, after: Books, calls: readonly Call[]): string[] {
  return [
    ...after.violations.map(({ problem }) => `verify says: ${problem}`),
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
    ...(available === posted - held ? [] : [`${account} has ${available} available of ${posted} less ${held}.`]),
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
  return [`${after.account} fell to ${available} without usage above a hold, and without a debit.`];
}
