import { checkedAmount } from "../options/problems.ts";
import type { HoldRequest } from "../ports/balance-store.ts";
import type { SpendLimit, SpendQuery, TokenCap } from "../ports/spend-limit.ts";
import { compareBytes } from "../wire/bytes.ts";
import { matchesPattern } from "../wire/name-pattern.ts";

type Amounts = Pick<HoldRequest, "amount" | "flexible" | "allowance">;

/**
 * Returns the nano-units to hold, given the `left` that the balance and every spend limit leave, which must not be below
 * {@link leastToHold}.
 */
export function amountToHold({ amount, flexible }: Amounts, left: bigint): bigint {
  if (flexible === undefined) return amount;
  const quarter = left / 4n;
  const share = quarter > flexible.floor ? quarter : flexible.floor;
  const wanted = share < amount ? share : amount;
  return wanted < left ? wanted : left;
}

/** Returns the nano-units below which a hold is refused. */
export const leastToHold = ({ amount, flexible }: Amounts): bigint => flexible?.least ?? amount;

/**
 * Returns the amounts that a hold asks for as text, by which a store recognizes a repeated call: what is held of a flexible
 * one can be less. For a hold that is not flexible, it is the amount alone.
 */
export const askedAmounts = ({ amount, flexible }: Amounts): string =>
  flexible === undefined ? String(amount) : `${amount} ${flexible.floor} ${flexible.least}`;

/** Throws a RangeError unless the amounts of the hold are bigints in ascending order: 0, least, floor, amount. An allowance is above 0. */
export function checkHoldAmounts({ amount, flexible, allowance }: Amounts): void {
  if (allowance !== undefined) checkedAmount(allowance.amount, 1n);
  const floor = flexible && checkedAmount(flexible.floor, checkedAmount(flexible.least, 0n));
  checkedAmount(amount, floor ?? 0n);
}

/**
 * Returns the limits that apply to a hold. `own` is that of the account, which overrides the default of its plan, also where it
 * is a limit of other models.
 */
export function limitsOf(
  request: Pick<HoldRequest, "account" | "keyId" | "spend" | "receipt">,
  own: SpendLimit | undefined,
): readonly SpendQuery[] {
  const limits = limitsOfAnyModel(request, own);
  return limits.length === 0 ? noLimits : limits.filter(({ limit }) => counts(limit, request.receipt.model));
}

/** Returns the limits of an account and a key, also those of some models, and the cap of a token. */
export function limitsOfAnyModel(
  { account, keyId, spend }: Pick<HoldRequest, "account" | "keyId" | "spend">,
  own: SpendLimit | undefined,
): readonly SpendQuery[] {
  const ofAccount = own ?? spend.account;
  const { key, token } = spend;
  if (ofAccount === undefined && key === undefined && token === undefined) return noLimits;
  const counter = spend.limitsId ?? keyId;
  return [
    ...(ofAccount ? [{ scope: "account" as const, id: account, limit: ofAccount }] : []),
    ...(key && counter !== undefined ? [{ scope: "key" as const, id: counter, limit: key }] : []),
    ...(token ? [capOf(token)] : []),
  ];
}

const capOf = ({ id, limit, expiresAt }: TokenCap): SpendQuery => ({
  scope: "token",
  id,
  limit: { limit, window: "total" },
  expiresAt,
});

/** How long after a token has expired its counter is removed: the clocks of processes differ. */
export const keepCapMs = 3_600_000;

/** A charge of the host has no model. */
const counts = ({ models }: SpendLimit, model: string | undefined): boolean =>
  models === undefined || (model !== undefined && models.some((pattern) => matchesPattern(pattern, model)));

/**
 * Returns the name under which a store counts what is spent of a limit, beside its scope, window and time zone: the id of the
 * account or the key, and the models of the limit in a fixed order.
 */
export function spendSubject({ id, limit: { models } }: Pick<SpendQuery, "id" | "limit">): string {
  if (models === undefined) return id;
  return [id, ...[...new Set(models)].sort(compareBytes)].join(separator);
}

/** A control character, which no one writes in an id. */
const separator = "\u001f";

const noLimits: readonly never[] = [];
