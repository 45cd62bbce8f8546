import { describeError } from "./describe-error.ts";

/** Redis did not do what it was asked to, for whatever reason. */
export class Outage extends Error {
  override readonly name = "RedisOutage";
  /** In words without secrets. */
  readonly reason: string;
  /** True when the command was sent, so that it may have had its effect all the same. */
  readonly sent: boolean;

  constructor(failure: unknown, sent: boolean) {
    const reason = describeError(failure);
    super(`Redis cannot count the limits right now: ${reason}. Look after it and after its client.`);
    this.reason = reason;
    this.sent = sent;
  }
}
