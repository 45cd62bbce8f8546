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

/**
 * Returns an error message without secrets. Clients quote the failed command in their errors, and that command can
 * contain the password, so the quoted part is removed.
 */
export function describeError(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : String(failure);
  return message.replace(/,? with args .*$/s, "").replace(/\.$/, "");
}

/** Passes an event to the observer asynchronously, and ignores its errors. */
export function notifyObserver<Event>(observer: ((event: Event) => void) | undefined, event: Event): void {
  void Promise.resolve(event)
    .then(observer)
    .catch(() => undefined);
}
