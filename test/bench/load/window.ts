import { percentile } from "../statistics.ts";
import type { Outcome } from "./connection.ts";

/** What a measured window saw. Times in milliseconds, CPU time of the gateway process in nanoseconds. */
export interface WindowResult {
  readonly seconds: number;
  readonly requests: number;
  readonly frames: number;
  /** Requests that failed, had another status than 2xx, or more or fewer frames than were sent; the warm-up counts. */
  readonly errors: number;
  readonly cpuNs: number;
  readonly p50: number;
  readonly p99: number;
  readonly firstByteP50: number;
}

/** Reads the CPU time that the gateway process has used so far, in nanoseconds. */
export type CpuClock = () => number | Promise<number>;

/** Gathers outcomes while a window is open. */
export class Window {
  #open = false;
  #startedAt = 0;
  #cpuAtStart = 0;
  #totals: number[] = [];
  #firstBytes: number[] = [];
  #frames = 0;
  #errors = 0;

  constructor(
    private readonly cpu: CpuClock,
    private readonly expectedFrames: number,
  ) {}

  /** Starts the measurement; what came before was warm-up. */
  async open(): Promise<void> {
    this.#cpuAtStart = await this.cpu();
    this.#startedAt = performance.now();
    this.#open = true;
  }

  addFrames(count: number): void {
    if (this.#open) this.#frames += count;
  }

  add(outcome: Outcome): void {
    if (!outcome.ok || outcome.frames !== this.expectedFrames) this.#errors++;
    else if (this.#open) {
      this.#totals.push(outcome.totalMs);
      this.#firstBytes.push(outcome.firstByteMs);
    }
  }

  /** Ends the measurement. */
  async close(): Promise<WindowResult> {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    this.#open = false;
    const cpuNs = (await this.cpu()) - this.#cpuAtStart;
    return {
      seconds,
      requests: this.#totals.length,
      frames: this.#frames,
      errors: this.#errors,
      cpuNs,
      p50: percentile(this.#totals, 0.5),
      p99: percentile(this.#totals, 0.99),
      firstByteP50: percentile(this.#firstBytes, 0.5),
    };
  }
}
