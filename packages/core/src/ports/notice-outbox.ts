import type { Awaitable } from "../runtime/awaitable.ts";
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

/** A message to the host: what was charged reached a threshold of a spend limit, or the posted balance fell below an amount. */
export type Notice =
  | (NoticeCommon & {
      readonly type: "spend.threshold";
      readonly scope: SpendScope;
      /** Present for the scope "key". */
      readonly keyId?: string;
      /** The percentage that was reached. */
      readonly threshold: number;
      readonly limit: SpendLimit;
      /** What was charged in the window, in nano-units. */
      readonly spent: bigint;
      /** Absent for the window "total". */
      readonly resetsAt?: Date;
    })
  | (NoticeCommon & {
      readonly type: "balance.low";
      /** The posted balance in nano-units. Holds of running requests are not charged, and may still cost less. */
      readonly posted: bigint;
      /** The amount that it fell below, in nano-units. */
      readonly below: bigint;
    });

/** The notices of an outbox that are not finished. */
export interface WaitingNotices {
  readonly count: number;
  /** Absent without notices. */
  readonly oldestAt?: Date;
}

/**
 * Port: the notices that charges, credits and debits have written in their own transactions. They count what was charged and
 * posted, never pending holds. Each threshold of a limit writes one notice per window, and a low balance one until what is
 * posted is at the amount again. The amount is that of the account's last hold.
 *
 * Notices are delivered at least once: a claimed one that is neither finished nor postponed is due again after its lease.
 */
export interface NoticeOutbox {
  /** Takes up to `limit` due notices for `leaseMs`, oldest first. Concurrent calls take different ones. */
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
