import * as v from "valibot";
import { amount, arrayOf, date, filledText, flag, oneOf, timeZone, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import { requireArgument } from "../options/problems.ts";
import { dialects } from "../wire/dialect.ts";
import { features } from "../wire/feature.ts";
import type { AccountAdmin } from "./account-admin.ts";
import type { Allowance, Credit, Debit, Posting, Refund } from "./balance-store.ts";
import type { KeyChanges, KeyQuery, NewKey } from "./key-admin.ts";
import { keyScopes } from "./key-store.ts";
import { type EntryQuery, entryKinds, type MoneyKind, moneyKinds } from "./ledger-entry.ts";
import { limitsSchema, spendLimitSchema } from "./limits-schema.ts";
import type { TermsAdmin } from "./terms-admin.ts";

/** Every member of an argument, so that one cannot be forgotten here. */
type Members<Argument> = Record<keyof Argument, v.GenericSchema>;

const text = v.string(wanted("must be a string"));
const limit = wholeNumber();

const time = v.date(wanted("must be a valid Date"));

/** The members of credits and debits. */
const posting = {
  id: filledText,
  account: filledText,
  amount: amount(1n),
  reason: text,
} satisfies Members<Posting>;

const credit = optionMembers("a posting", {
  ...posting,
  kind: v.exactOptional(oneOf(...moneyKinds), "paid"),
  expiresAt: v.exactOptional(date),
} satisfies Members<Credit>);

/** The id of a credit that makes a lot differs from those of the lots that stores make themselves. */
const lotId = v.custom<string>(
  (value) => typeof value === "string" && !/^(allowance|late|refund):/.test(value),
  wanted('must not begin with "allowance:", "late:" or "refund:" for money that is granted or expires'),
);

const debit = optionMembers("a posting", {
  ...posting,
  from: v.exactOptional(oneOf("paid")),
} satisfies Members<Debit>);

const refund = optionMembers("a refund", {
  account: filledText,
  sequence: v.bigint(wanted("must be the `sequence` of an entry, a bigint")),
  amount: v.exactOptional(amount(1n)),
  reason: text,
} satisfies Members<Refund>);

const allowance = optionMembers("an allowance", {
  amount: amount(1n),
  window: oneOf("day", "week", "month"),
  timezone: v.exactOptional(timeZone),
} satisfies Members<Allowance>);

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
  answerId: v.exactOptional(text),
  kind: v.exactOptional(oneOf(...entryKinds)),
  from: v.exactOptional(time),
  to: v.exactOptional(time),
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

/** A credit whose amount is in nano-units. */
export type CheckedCredit = Credit & { readonly amount: bigint; readonly kind: MoneyKind };

/** A debit whose amount is in nano-units. */
export type CheckedDebit = Debit & { readonly amount: bigint };

/** A refund whose amount is in nano-units. */
export type CheckedRefund = Refund & { readonly amount?: bigint };

/** Returns a copy of a credit if it is valid, with its amount in nano-units and its kind. Throws a RangeError that lists every problem otherwise. */
export function checkedCredit(value: Credit): CheckedCredit {
  const checked = requireArgument(credit, value);
  if (makesLot(checked)) requireArgument(lotId, checked.id, "id");
  return checked;
}

/** True if a credit is granted or expires, so that what is left of it is kept as a lot. */
export const makesLot = ({ kind, expiresAt }: Credit): boolean => kind === "granted" || expiresAt !== undefined;

/** Returns a copy of a debit if it is valid, with its amount in nano-units. Throws a RangeError that lists every problem otherwise. */
export const checkedDebit = (value: Debit): CheckedDebit => requireArgument(debit, value);

/** Returns a copy of a refund if it is valid, with its amount in nano-units. Throws a RangeError that lists every problem otherwise. */
export const checkedRefund = (value: Refund): CheckedRefund => requireArgument(refund, value);

/** Returns a copy of an allowance if it is valid. Throws a RangeError that lists every problem otherwise. */
export const checkedAllowance = (value: Allowance): Allowance => requireArgument(allowance, value, "allowance");

/** Returns the reason of a freeze if it is a string of at least one character. Throws a RangeError otherwise. */
export const checkedReason = (reason: string): string => requireArgument(filledText, reason, "reason");

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

const maxTags = 16;
const maxTagLength = 64;

const tag = v.custom<string>(
  (value) => typeof value === "string" && value !== "" && value.length <= maxTagLength,
  wanted(`must be a text of 1 to ${maxTagLength} characters`),
);

const nullable = <Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(v.nullable(schema));

/** The members that can be changed. Null removes a member, and undefined leaves it as it is. */
const changeable = {
  name: nullable(v.string(wanted("must be a string"))),
  models: nullable(arrayOf("model ids", filledText)),
  features: nullable(arrayOf("features", oneOf(...features))),
  dialects: nullable(arrayOf("dialects", oneOf(...dialects))),
  scopes: nullable(arrayOf("scopes", oneOf(...keyScopes))),
  limits: nullable(limitsSchema),
  spend: nullable(spendLimitSchema),
  tags: nullable(
    v.pipe(
      arrayOf("texts", tag),
      v.maxLength(maxTags, ({ input }) => `must have at most ${maxTags} tags, not ${input.length}`),
    ),
  ),
  logContent: nullable(flag),
  expiresAt: nullable(date),
} satisfies Record<keyof KeyChanges, v.GenericSchema>;

const changesSchema = optionMembers("the changes of a key", changeable);
const newKeySchema = optionMembers("a new key", { account: filledText, plan: filledText, ...changeable });

/** Returns a copy of the changes of a key if they are valid, and otherwise throws a RangeError that lists every problem. */
export const checkedKeyMembers = (changes: KeyChanges) => requireArgument(changesSchema, changes);

/** Returns a copy of a new key if it is valid, and otherwise throws a RangeError that lists every problem. */
export const checkedNewKey = (wanted: NewKey) => requireArgument(newKeySchema, wanted);
