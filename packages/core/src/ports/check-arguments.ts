import * as v from "valibot";
import { amount, filledText, oneOf, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { requireArgument } from "../options/problems.ts";
import type { AccountAdmin } from "./account-admin.ts";
import type { EntryQuery, Posting } from "./balance-store.ts";
import type { KeyQuery } from "./key-admin.ts";
import type { TermsAdmin } from "./terms-admin.ts";

/** Every member of an argument, so that one cannot be forgotten here. */
type Members<Argument> = Record<keyof Argument, v.GenericSchema>;

const text = v.string(wanted("must be a string"));
const limit = wholeNumber();

const date = v.date(wanted("must be a valid Date"));

const posting = optionMembers("a posting", {
  id: filledText,
  account: filledText,
  amount: amount(1n),
  reason: text,
} satisfies Members<Posting>);

const keyQuery = optionMembers("a query of keys", {
  account: v.exactOptional(filledText),
  state: v.exactOptional(oneOf("active", "expired", "revoked")),
  search: v.exactOptional(text),
  limit,
  after: v.exactOptional(filledText),
} satisfies Members<KeyQuery>);

const entryQuery = optionMembers("a query of entries", {
  account: filledText,
  limit,
  after: v.exactOptional(v.bigint(wanted("must be the `next` of a page, a bigint"))),
  newestFirst: v.exactOptional(v.boolean(wanted("must be true or false"))),
  reference: v.exactOptional(text),
  kind: v.exactOptional(oneOf("credit", "debit", "charge", "expiry", "late")),
  from: v.exactOptional(date),
  to: v.exactOptional(date),
} satisfies Members<EntryQuery>);

const accountQuery = optionMembers("a query of accounts", {
  limit,
  after: v.exactOptional(text),
  prefix: v.exactOptional(text),
} satisfies Members<AccountQuery>);

const acceptanceQuery = optionMembers("a query of acceptances", {
  account: v.exactOptional(filledText),
  versionId: v.exactOptional(filledText),
  limit,
  after: v.exactOptional(optionMembers("the `next` of a page", { account: text, versionId: text })),
} satisfies Members<AcceptanceQuery>);

type AccountQuery = Parameters<AccountAdmin["listAccounts"]>[0];
type AcceptanceQuery = Parameters<TermsAdmin["listAcceptances"]>[0];

/** A posting whose amount is in nano-units. */
export type CheckedPosting = Posting & { readonly amount: bigint };

/** Returns a copy of a posting if it is valid, with its amount in nano-units. Throws a RangeError that lists every problem otherwise. */
export const checkedPosting = (value: Posting): CheckedPosting => requireArgument(posting, value);

/** Returns a copy of a query of keys if it is valid. Throws a RangeError that lists every problem otherwise. */
export const checkedKeyQuery = (query: KeyQuery): KeyQuery => requireArgument(keyQuery, query);

/** Returns a copy of a query of entries if it is valid. Throws a RangeError that lists every problem otherwise. */
export const checkedEntryQuery = (query: EntryQuery): EntryQuery => requireArgument(entryQuery, query);

/** Returns a copy of a query of accounts if it is valid. Throws a RangeError that lists every problem otherwise. */
export const checkedAccountQuery = (query: AccountQuery): AccountQuery => requireArgument(accountQuery, query);

/** Returns a copy of a query of acceptances if it is valid. Throws a RangeError that lists every problem otherwise. */
export const checkedAcceptanceQuery = (query: AcceptanceQuery): AcceptanceQuery =>
  requireArgument(acceptanceQuery, query);

/** Returns an id if it is a string. Throws a RangeError that names the argument otherwise. */
export const checkedId = (name: string, id: string): string =>
  typeof id === "string" ? id : requireArgument(text, id, name);

/** Returns an account if it is a string of at least one character. Throws a RangeError otherwise. */
export const checkedAccount = (account: string): string =>
  typeof account === "string" && account !== "" ? account : requireArgument(filledText, account, "account");
