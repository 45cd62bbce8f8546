import { setTimeout as wait } from "node:timers/promises";

/**
 * How a request to the API fails. `refused`: 500 before it is executed; `lost`: 500 after it, which the key then repeats. `cut`: the
 * connection ends before it is executed, `cut_after`: after it. `slow`: the answer takes `slowMs`. `limited`: 429. `forbidden`: 403.
 */
export type Fault = "refused" | "lost" | "cut" | "cut_after" | "slow" | "limited" | "forbidden";

/** The switches of a stand-in. */
export class Faults {
  readonly #next: { fault: Fault; path: string }[] = [];
  /** Chooses the fault of each request that no switch is for. */
  choose: () => Fault | undefined = () => undefined;
  /** True: every connection is cut. */
  isDown = false;
  slowMs = 5_000;

  /** The next `times` requests to a path that begins so fail. */
  next(fault: Fault, times = 1, path = "/v1/"): void {
    for (let count = 0; count < times; count += 1) this.#next.push({ fault, path });
  }

  of(path: string): Fault | undefined {
    if (this.isDown) return "cut";
    const index = this.#next.findIndex((planned) => path.startsWith(planned.path));
    return index === -1 ? this.choose() : this.#next.splice(index, 1)[0]?.fault;
  }

  /** Waits, if the request is slow. */
  async delay(fault: Fault | undefined): Promise<void> {
    if (fault === "slow") await wait(this.slowMs, undefined, { ref: false });
  }
}
