import { GatewayError } from "@tollgate/core";

const maxFailures = 10;
const windowMs = 60_000;
const maxAddresses = 1_000;

/** Counts wrong passwords by client address in the memory of this process, and refuses further ones with 429. */
export class FailedLogins {
  readonly #byAddress = new Map<string, { count: number; readonly until: number }>();

  /** Throws 429 for an address with too many failures, also for the right password, which would end a guess. */
  check(address = "unknown"): void {
    const failures = this.#current(address);
    if (failures === undefined || failures.count < maxFailures) return;
    throw new GatewayError("rate_limit_exceeded", "Too many wrong passwords. Try again in a minute.", {
      retryAfterSeconds: Math.ceil((failures.until - Date.now()) / 1_000),
    });
  }

  /** Records a wrong password. */
  count(address = "unknown"): void {
    const failures = this.#current(address);
    if (failures !== undefined) failures.count += 1;
    else this.#add(address);
  }

  #current(address: string) {
    const failures = this.#byAddress.get(address);
    return failures !== undefined && failures.until > Date.now() ? failures : undefined;
  }

  #add(address: string): void {
    this.#byAddress.delete(address);
    const [oldest] = this.#byAddress.keys();
    if (oldest !== undefined && this.#byAddress.size >= maxAddresses) this.#byAddress.delete(oldest);
    this.#byAddress.set(address, { count: 1, until: Date.now() + windowMs });
  }
}
