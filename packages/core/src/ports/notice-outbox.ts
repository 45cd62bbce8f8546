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

/** A message to the host: a spend limit was used to a threshold, or the available balance fell below an amount. */
export type Notice =
  | (NoticeCommon & {
      readonly type: "spend.threshold";
      readonly scope: SpendScope;
      /** Present for the scope "key". */
      readonly keyId?: string;
      /** The percentage that was reached. */
      readonly threshold: number;
      readonly limit: SpendLimit;
      /** Nano-units at the time of the notice. */
      readonly spent: bigint;
      /** Absent for the window "total". */
      readonly resetsAt?: Date;
    })
  | (NoticeCommon & {
      readonly type: "balance.low";
      /** The available balance in nano-units. */
      readonly available: bigint;
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
 * Port: the notices that holds and settlements have written in their own transactions. Each threshold of a limit writes
 * one notice per window, and a low balance one until the balance is at the amount again.
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
