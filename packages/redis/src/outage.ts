import { describeError } from "./describe-error.ts";

/** A call to Redis failed or was not made. */
export class Outage extends Error {
  override readonly name = "RedisOutage";
  /** An error message without secrets. */
  readonly reason: string;
  /** True when the command was sent, so that it may have taken effect. */
  readonly sent: boolean;

  constructor(failure: unknown, sent: boolean) {
    const reason = describeError(failure);
    super(`Redis cannot count the limits: ${reason}. Check the Redis server and the connection of its client.`);
    this.reason = reason;
    this.sent = sent;
  }
}
