import { Outage } from "./outage.ts";
import { withinTime } from "./within-time.ts";

const failuresToOpen = 3;
const failureWindowMs = 1_000;
const probeEveryMs = 1_000;
const probePatienceMs = 30_000;

/** What a breaker needs to know of what it guards. */
export interface BreakerOptions {
  /** How long an attempt may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Resolves when attempts would succeed again. */
  readonly probe: () => Promise<unknown>;
  readonly onOpen: (outage: Outage) => void;
  readonly onClose: () => void;
}

/**
 * Keeps requests from waiting for what does not answer. Three failures within a second, or in a row, open it; while it
 * is open it attempts nothing, and probes once a second until a probe succeeds.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #failedAt: readonly number[] = [];
  #failedInARow = 0;
  #probing: NodeJS.Timeout | undefined;
  #nextProbeAt = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** What the attempt gives; an Outage when it fails, takes too long, or is not made. */
  async attempt<T>(ask: () => Promise<T>): Promise<T | Outage> {
    if (this.#probing !== undefined) return new Outage("it failed a moment ago", false);
    try {
      const answer = await withinTime(this.#options.timeoutMs, ask());
      this.#failedInARow = 0;
      return answer;
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
    this.#failedInARow++;
    if (Math.max(this.#failedAt.length, this.#failedInARow) >= failuresToOpen) this.#open(outage);
  }

  #open(outage: Outage): void {
    this.#probing = setInterval(() => void this.#probe(), probeEveryMs);
    this.#probing.unref();
    this.#options.onOpen(outage);
  }

  async #probe(): Promise<void> {
    // A client may keep a probe for as long as the outage lasts. It answers that one first, so more would only pile up;
    // yet a pool or a cluster may have lost the one and be able to answer another.
    if (performance.now() < this.#nextProbeAt) return;
    this.#nextProbeAt = performance.now() + probePatienceMs;
    try {
      await this.#options.probe();
      this.#close();
    } catch {
      // It is still open, and the next probe is due.
    } finally {
      this.#nextProbeAt = 0;
    }
  }

  #close(): void {
    if (this.#probing === undefined) return;
    clearInterval(this.#probing);
    this.#probing = undefined;
    this.#failedAt = [];
    this.#failedInARow = 0;
    this.#options.onClose();
  }
}
