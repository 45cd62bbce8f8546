import type { EndResult } from "../ports/balance-store.ts";
import type { RunningHold } from "./running-holds.ts";

/** The settlement or release of a hold that the store has not answered yet. */
export class HoldEnd implements RunningHold {
  position = -1;
  leasedAt = Number.POSITIVE_INFINITY;
  readonly ending = true;
  readonly reservation = undefined;
  readonly holdId: string;
  /** Nano-units to settle; undefined for a release. */
  readonly amount: bigint | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly since = Date.now();

  constructor(holdId: string, amount: bigint | undefined) {
    this.holdId = holdId;
    this.amount = amount;
  }

  used(): bigint {
    return this.amount ?? 0n;
  }
}

const outcomes: readonly unknown[] = [
  "ended",
  "repeated",
  "late",
  "conflict",
  "unknown",
] satisfies EndResult["outcome"][];

/** Returns false for an invalid answer of a balance store. */
export const isEndResult = (answer: unknown): answer is EndResult =>
  typeof answer === "object" && answer !== null && "outcome" in answer && outcomes.includes(answer.outcome);
