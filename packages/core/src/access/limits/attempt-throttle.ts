import { steadyNow } from "../../runtime/timers.ts";

const windowMs = 60_000;
const limitedWindowMs = 1_000;

/** Throttles the attempts of one address, at keys or passwords, by how many failed within a minute. */
export class AttemptThrottle {
  readonly #limit: number;
  readonly #perSecond: number;
  #failures = 0;
  #windowEndsAt = 0;
  #limitedUntil = 0;
  #pending = 0;
  #limitedWindowEndsAt = 0;
  #attemptsInWindow = 0;
  readonly #waiting: (() => void)[] = [];

  /** From `limit` failures on, `perSecond` attempts a second may still begin. */
  constructor(limit: number, perSecond: number) {
    this.#limit = limit;
    this.#perSecond = perSecond;
  }

  /** Returns true while too many attempts have failed. */
  isLimited(now: number): boolean {
    if (now >= this.#windowEndsAt) this.#failures = 0;
    return this.#failures >= this.#limit || now < this.#limitedUntil;
  }

  /** Limits the address for some milliseconds regardless of the count here, because of failures at other processes. */
  limitFor(milliseconds: number): void {
    this.#limitedUntil = steadyNow() + milliseconds;
  }

  /**
   * Begins an attempt. Waits while the running attempts would reach the limit if all of them failed, so that a burst
   * cannot exceed it. Resolves to false if the address is limited and has used its attempts of this second.
   */
  async enter(): Promise<boolean> {
    while (!this.isLimited(steadyNow()) && this.#failures + this.#pending >= this.#limit) await this.#nextEnd();
    const now = steadyNow();
    if (this.isLimited(now) && !this.#isWithinAllowance(now)) return false;
    this.#pending += 1;
    return true;
  }

  /** Ends an attempt. */
  leave(failed: boolean): void {
    const now = steadyNow();
    this.#pending -= 1;
    if (failed) this.#fail(now);
    const woken = this.#waiting.splice(0, this.isLimited(now) ? this.#waiting.length : 1);
    for (const wake of woken) wake();
  }

  #fail(now: number): void {
    if (!this.isLimited(now) && this.#failures === 0) this.#windowEndsAt = now + windowMs;
    this.#failures += 1;
  }

  #isWithinAllowance(now: number): boolean {
    if (now >= this.#limitedWindowEndsAt) {
      this.#limitedWindowEndsAt = now + limitedWindowMs;
      this.#attemptsInWindow = 0;
    }
    this.#attemptsInWindow += 1;
    return this.#attemptsInWindow <= this.#perSecond;
  }

  #nextEnd(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/**
 * Returns what stands for a client when its attempts are counted: an IPv4 address, also if it is mapped into IPv6, or the
 * /64 of an IPv6 address, which one customer has. A port, which proxies such as Azure's append, does not count.
 */
export function clientNetwork(address: string): string {
  const [, v4] =
    /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  if (v4 !== undefined) return v4;
  const [, bracketed] = /^\[(.*)\](?::\d+)?$/.exec(address) ?? [];
  if (bracketed !== undefined) return clientNetwork(bracketed);
  return address.includes(":") ? groupsOf(address).slice(0, 4).join(":") : address;
}

/** Returns the eight groups of an IPv6 address in their shortest form, with `::` expanded. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address
    .toLowerCase()
    .split("::")
    .map((side) => side.split(":").flatMap((group) => (group === "" ? [] : [group.replace(/^0+(?=.)/, "")])));
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0"), ...tail];
}
