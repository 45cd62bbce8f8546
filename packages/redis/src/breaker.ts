import { Outage } from "./outage.ts";
import { withTimeout } from "./with-timeout.ts";

const threshold = 3;
const failureWindowMs = 1_000;
const probeIntervalMs = 1_000;
const probeTimeoutMs = 30_000;

/** The options of a {@link Breaker}. */
export interface BreakerOptions {
  /** The timeout of an attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Resolves when attempts can succeed again. */
  readonly probe: () => Promise<unknown>;
  readonly onOpen: (outage: Outage) => void;
  readonly onClose: () => void;
}

/**
 * A circuit breaker. It opens after three failures within a second or three consecutive ones. While it is open, it
 * makes no attempts and probes once a second until a probe succeeds.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #failedAt: readonly number[] = [];
  #consecutiveFailures = 0;
  #probing: NodeJS.Timeout | undefined;
  #nextProbeAt = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Returns the result of the call, or an Outage when it fails, times out, or is not made. */
  async attempt<T>(call: () => Promise<T>): Promise<T | Outage> {
    if (this.#probing !== undefined) return new Outage("it failed a moment ago", false);
    try {
      const result = await withTimeout(this.#options.timeoutMs, call());
      this.#consecutiveFailures = 0;
      return result;
    } catch (failure) {
      const outage = new Outage(failure, true);
      this.#countFailure(outage);
      return outage;
    }
  }

  #countFailure(outage: Outage): void {
    if (this.#probing !== undefined) return;
    const now = performance.now();
    this.#failedAt = [...this.#failedAt.filter((at) => at > now - failureWindowMs), now];
    this.#consecutiveFailures++;
    if (Math.max(this.#failedAt.length, this.#consecutiveFailures) >= threshold) this.#open(outage);
  }

  #open(outage: Outage): void {
    this.#probing = setInterval(() => void this.#probe(), probeIntervalMs);
    this.#probing.unref();
    this.#options.onOpen(outage);
  }

  async #probe(): Promise<void> {
    // A client can queue a probe until the outage ends, so frequent probes would pile up in it. A pool or a cluster can
    // lose a probe, however, so another one is sent after the timeout.
    if (performance.now() < this.#nextProbeAt) return;
    this.#nextProbeAt = performance.now() + probeTimeoutMs;
    try {
      await this.#options.probe();
      this.#close();
    } catch {
      // The breaker stays open until a later probe succeeds.
    } finally {
      this.#nextProbeAt = 0;
    }
  }

  #close(): void {
    if (this.#probing === undefined) return;
    clearInterval(this.#probing);
    this.#probing = undefined;
    this.#failedAt = [];
    this.#consecutiveFailures = 0;
    this.#options.onClose();
  }
}
