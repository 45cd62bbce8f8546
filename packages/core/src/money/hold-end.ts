import type { EndResult } from "../ports/balance-store.ts";
import type { RunningHold } from "./running-holds.ts";

/** The end of one hold on its way to the store. */
export class HoldEnd implements RunningHold {
  position = -1;
  leasedAt = Number.POSITIVE_INFINITY;
  readonly ending = true;
  readonly reservation = undefined;
  readonly holdId: string;
  /** Nano-units to post; undefined: nothing is owed, and the hold is released. */
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

/** False for what no store should answer: it says nothing of the hold. */
export const isEndResult = (answer: unknown): answer is EndResult =>
  typeof answer === "object" && answer !== null && "outcome" in answer && outcomes.includes(answer.outcome);
