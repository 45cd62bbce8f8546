import type { SavedMethod } from "./payment.ts";

/** What a customer decides about automatic top-ups of an account. */
export interface NewTopUp {
  /** A UUID, another one at each change. */
  readonly id: string;
  readonly account: string;
  /** The id of the host's product that is bought. */
  readonly product: string;
  /** Nano-units: bought when the posted balance is below it. */
  readonly below: bigint;
  /** At most this many a day (UTC). */
  readonly maxPerDay: number;
  readonly method: SavedMethod;
}

/** When the gateway tops an account up by itself. */
export interface TopUp extends NewTopUp {
  /** Present: a charge failed, and none is tried until the customer changes the top-up. */
  readonly stopped?: StoppedTopUp;
}

/** Since when and why an account is not topped up. */
export interface StoppedTopUp {
  readonly at: Date;
  /** A sentence for the customer. */
  readonly reason: string;
}

/** A top-up that is due. */
export interface DueTopUp extends TopUp {
  /** The id of the newest top-up payment of the account that is not `pending`. Absent: there is none. */
  readonly last?: string;
}
