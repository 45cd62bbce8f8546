import * as v from "valibot";
import { amount, filledText, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";

/** What a host sells from the balance of an account besides calls of models: an image, minutes, a job. */
export interface HostCharge {
  /** The account that pays. */
  readonly account: string;
  /**
   * The id of a key of the account, whose spend limit applies too, and of whose plan the allowance and the default spend limit
   * apply. Absent: the balance and the spend limit of the account itself apply.
   */
  readonly keyId?: string;
  /** At least zero: nano-units, or a decimal string such as "0.04". */
  readonly amount: bigint | string;
  /** 1 to 500 characters, for readers of the ledger and the customer. */
  readonly description: string;
  /** At most 16 members of at most 500 characters, for readers of the ledger and the customer. */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * 1 to 200 characters that name this charge among those of the account, such as the id of an order. The same id again, also
   * in another process, is the same charge. Absent: every call is another charge.
   */
  readonly id?: string;
}

/** A charge whose amount is held first, and settled when it is known what it cost. */
export interface HostHold extends HostCharge {
  /**
   * How long the hold is kept without `extend`, in milliseconds, at most 604,800,000 (a week). Default: 900,000 (15 minutes).
   */
  readonly keepMs?: number;
}

/** How to extend a hold. */
export interface HoldExtension {
  /** What was used so far, at most what is held: nano-units, or a decimal string. An expiry charges it. Absent: as before. */
  readonly used?: bigint | string;
  /** How long the hold is kept from now. Absent: as when it was placed. */
  readonly keepMs?: number;
}

/** A charge that was made. */
export interface MadeCharge {
  /** The UUID of its hold: the reference of its entry in the ledger, by which `GET /generation` finds it. */
  readonly id: string;
  /** Nano-units. */
  readonly amount: bigint;
}

/**
 * A hold of the host. End it with `settle` or `release`. One that is not ended expires, and charges what `extend` has told that
 * was used. The methods can be called without their object.
 */
export interface ChargeHandle {
  /** The UUID of the hold: the reference of its entry in the ledger, by which `GET /generation` finds it. */
  readonly id: string;
  /** What is held, in nano-units. */
  readonly amount: bigint;
  /**
   * Charges what it cost, at most what is held: nano-units, or a decimal string. Resolves when the store has taken it, or after
   * 250 ms, when it is repeated until the store takes it. The same amount again has no effect. Rejects with `conflict` if the
   * charge has ended in another way.
   */
  settle(cost: bigint | string): Promise<void>;
  /** Charges nothing. It has no effect on a charge that has ended. */
  release(): Promise<void>;
  /**
   * Keeps the hold for longer, and records what was used so far. Rejects with `store_unavailable` if the store fails, and with
   * `conflict` if the hold has ended or expired.
   */
  extend(extension?: HoldExtension): Promise<void>;
}

/** The charges that a host makes itself. Refusals reject with a GatewayError, as those of a call of a model. */
export interface Charges {
  /**
   * Holds an amount. Rejects with a RangeError for invalid members, and with a GatewayError of one of the codes
   * `insufficient_balance`, `spend_limit_reached`, `account_frozen`, `terms_acceptance_required`, `invalid_api_key`,
   * `revoked_api_key`, `expired_api_key`, `conflict` (the id is that of another charge, or of one that has ended), `draining` and `store_unavailable`.
   */
  hold(wanted: HostHold): Promise<ChargeHandle>;
  /**
   * Charges an amount at once. Rejects as `hold` and `settle` do. The id of a charge that was settled with the same amount
   * resolves again, and charges nothing.
   */
  charge(wanted: HostCharge): Promise<MadeCharge>;
}

const longestKeepMs = 604_800_000;

/** Every member of an argument, so that one cannot be forgotten here. */
type Members<Argument> = Record<keyof Argument, v.GenericSchema>;

/** Text that every store keeps unchanged. */
const isStorable = (text: unknown, longest: number): text is string =>
  typeof text === "string" && text.length <= longest && !/\0|\p{Surrogate}/u.test(text);

const text = (longest: number) =>
  v.custom<string>(
    (value) => value !== "" && isStorable(value, longest),
    wanted(`must be a text of 1 to ${longest} characters, without NUL characters`),
  );

const metadata = v.pipe(
  v.custom<Readonly<Record<string, string>>>(
    isMetadata,
    wanted(
      "must be an object of at most 16 members, with names and values of at most 500 characters, without NUL characters",
    ),
  ),
  v.transform((members) => ({ ...members })),
);

function isMetadata(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= 16 && entries.flat().every((each) => isStorable(each, 500));
}

const charge = {
  account: filledText,
  keyId: v.exactOptional(filledText),
  amount: amount(0n),
  description: text(500),
  metadata: v.exactOptional(metadata),
  id: v.exactOptional(text(200)),
} satisfies Members<HostCharge>;

/** The schema of {@link HostCharge}. */
export const chargeSchema = optionMembers("a charge", charge);

/** The schema of {@link HostHold}. */
export const holdSchema = optionMembers("a hold", {
  ...charge,
  keepMs: v.exactOptional(wholeNumber(1, longestKeepMs), 900_000),
} satisfies Members<HostHold>);

/** The schema of {@link HoldExtension}. */
export const extensionSchema = optionMembers("an extension", {
  used: v.exactOptional(amount(0n)),
  keepMs: v.exactOptional(wholeNumber(1, longestKeepMs)),
} satisfies Members<HoldExtension>);

/** The schema of what a charge cost. */
export const costSchema = amount(0n);

/** A charge whose amount is in nano-units. */
export type CheckedCharge = v.InferOutput<typeof chargeSchema>;
