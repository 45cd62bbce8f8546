/**
 * The period in which a spend limit counts: a calendar day, week (from Monday) or month of the time zone, or the whole
 * life of the limit.
 */
export type SpendWindow = "day" | "week" | "month" | "total";

/** The periods of {@link SpendWindow}. */
export const spendWindows = ["day", "week", "month", "total"] as const satisfies readonly SpendWindow[];

/** The most that an account or a key may spend in a window. */
export interface SpendLimit {
  /** Nano-units, not negative. */
  readonly limit: bigint;
  readonly window: SpendWindow;
  /** An IANA time zone such as "Europe/Berlin", in which windows begin. Absent: UTC. */
  readonly timezone?: string;
  /**
   * Public ids of models, in which `*` matches any text. Only requests of these models count in the limit, and only they are
   * refused by it. Limits of other models are counted apart. Absent: all requests, and charges of the host.
   */
  readonly models?: readonly string[];
}

/** A spend limit to set. The amount is nano-units, or a decimal string such as "5.00". */
export interface NewSpendLimit extends Omit<SpendLimit, "limit"> {
  readonly limit: bigint | string;
}

/** The subject of a spend limit. */
export type SpendScope = "account" | "key" | "token";

/** The spend limits of a hold, besides the one that the account itself has in the store. */
export interface HoldSpend {
  /** The default of the plan, for an account without a limit of its own. */
  readonly account?: SpendLimit;
  /** The limit of the key. */
  readonly key?: SpendLimit;
  /** The id by which the key's spend is counted: that of the first key of a chain of rotations. Absent: that of the key. */
  readonly limitsId?: string;
  /** The cap of the token that the client has presented in place of the key. */
  readonly token?: TokenCap;
}

/** The most that the holds of one token may cost together, until it expires. A refund does not raise it. */
export interface TokenCap {
  /** The id of the token, which no other token has. */
  readonly id: string;
  /** Nano-units, not negative. */
  readonly limit: bigint;
  /** The store removes the counter of the token some time later. */
  readonly expiresAt: Date;
}

/** An account, key or token, and the limit whose window is asked for. */
export type SpendQuery = {
  /** The id of the account, key or token. */
  readonly id: string;
  readonly limit: SpendLimit;
} & (
  | { readonly scope: Exclude<SpendScope, "token"> }
  | {
      readonly scope: "token";
      /** When the token expires. */
      readonly expiresAt: Date;
    }
);

/** A spend limit, and what was spent and held of it in its present window. */
export interface SpendState {
  readonly limit: SpendLimit;
  /** Nano-units: the charges and the pending holds of the window. */
  readonly spent: bigint;
  /** The start of the next window. Absent for the window "total". */
  readonly resetsAt?: Date;
}

/** When a notice is written to the outbox. */
export interface NoticeRules {
  /** Percentages of a spend limit, ascending, such as 50, 80 and 100. Empty: none. */
  readonly thresholds: readonly number[];
  /** Nano-units. A notice is written when the posted balance falls below it. */
  readonly lowBalance?: bigint;
}
