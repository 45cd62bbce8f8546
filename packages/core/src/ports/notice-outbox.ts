import type { Awaitable } from "../runtime/awaitable.ts";
import type { MoneyKind } from "./ledger-entry.ts";
import type { SpendLimit, SpendScope } from "./spend-limit.ts";

interface NoticeCommon {
  /** A UUID, the same at every delivery: the `webhook-id` of Standard Webhooks. */
  readonly id: string;
  readonly account: string;
  /** When it was written. */
  readonly at: Date;
  /** How often it was claimed before. */
  readonly attempts: number;
  /** The names of the endpoints that have accepted it. */
  readonly delivered: readonly string[];
}

/** What a charge, or a debit, tells of a limit or of the balance. The rules of the account's last hold say when. */
type LimitNotice =
  | {
      readonly type: "spend.threshold";
      readonly scope: Exclude<SpendScope, "token">;
      /** Present for the scope "key". */
      readonly keyId?: string;
      /** The percentage that was reached. */
      readonly threshold: number;
      readonly limit: SpendLimit;
      /** What was charged in the window, in nano-units. */
      readonly spent: bigint;
      /** Absent for the window "total". */
      readonly resetsAt?: Date;
    }
  | {
      readonly type: "balance.low";
      /** The posted balance in nano-units. Holds of running requests are not charged, and may still cost less. */
      readonly posted: bigint;
      /** The amount that it fell below, in nano-units. */
      readonly below: bigint;
    };

/** What is told of an account while somebody reads the outbox: money that came, came back or expires soon, and freezes. */
export type AccountNotice =
  | {
      readonly type: "balance.credited";
      /** Nano-units. */
      readonly amount: bigint;
      readonly kind: MoneyKind;
      readonly reason: string;
      readonly expiresAt?: Date;
    }
  | {
      readonly type: "balance.expiring";
      /** Nano-units: what is left of the lot. */
      readonly amount: bigint;
      readonly expiresAt: Date;
    }
  | {
      readonly type: "charge.refunded";
      /** Nano-units. */
      readonly amount: bigint;
      /** The sequence number of the charge. */
      readonly sequence: bigint;
      readonly reason: string;
    }
  | { readonly type: "account.frozen"; readonly reason: string }
  | { readonly type: "account.thawed" };

/**
 * A message to the host: what was charged reached a threshold of a spend limit, the posted balance fell below an amount, money
 * came, came back or is about to expire, or the account was frozen or thawed.
 */
export type Notice = NoticeCommon & (LimitNotice | AccountNotice);

/** The notices of an outbox that are not finished. */
export interface WaitingNotices {
  readonly count: number;
  /** Absent without notices. */
  readonly oldestAt?: Date;
}

/**
 * Port: the notices that the store has written in the transactions of what they tell of.
 *
 * Those of limits and of a low balance count what was charged and posted, never pending holds, and are written by the rules of
 * the account's last hold. Each threshold of a limit writes one notice per window, and a low balance one until what is posted
 * is at the amount again.
 *
 * The others, each an {@link AccountNotice}, are written while somebody reads the outbox: for three days after each
 * `claimNotices`, so that an outbox without a reader does not grow. A credit, a refund, a freeze and a thaw write one, and a
 * repeated call none. `expire` writes one of each lot that has something left, once the lot expires within 7 days. An allowance
 * writes none when it is granted, and none of its expiry if its window is a day or a week.
 *
 * Notices are delivered at least once: a claimed one that is neither finished nor postponed is due again after its lease.
 */
export interface NoticeOutbox {
  /**
   * Takes up to `limit` due notices for `leaseMs`, oldest first. Concurrent calls take different ones. Also tells the store
   * that somebody reads, if it finds none.
   */
  claimNotices(query: { readonly limit: number; readonly leaseMs: number }): Awaitable<readonly Notice[]>;
  /** Makes a notice due again after `delayMs`, and records which endpoints have accepted it. */
  postponeNotice(
    id: string,
    query: { readonly delayMs: number; readonly delivered: readonly string[] },
  ): Awaitable<void>;
  /** Removes a notice that was delivered or is too old. Idempotent. It is not written again in its window. */
  finishNotice(id: string): Awaitable<void>;
  /** Returns how many notices are not finished, also claimed and postponed ones, and when the oldest was written. */
  waitingNotices(): Awaitable<WaitingNotices>;
}
