import { clientGone, draining } from "../errors/ended-early.ts";
import type { Bill } from "../money/bill.ts";
import type { Services } from "../services.ts";
import type { Held } from "../steps/hold-balance.ts";
import { wait } from "../timers.ts";
import type { Attempts } from "./attempts.ts";
import { CallDeadline } from "./call-deadline.ts";
import { UpstreamCall } from "./upstream-call.ts";

/** An answer in one piece on its way: which call runs now, and what counts for all of them. */
export class TargetCalls {
  readonly #services: Services;
  readonly #held: Held;
  readonly #bill: Bill;
  readonly attempts: Attempts;
  readonly #deadline: CallDeadline;
  #endPause: (() => void) | undefined;

  constructor(services: Services, held: Held, bill: Bill, attempts: Attempts) {
    this.#services = services;
    this.#held = held;
    this.#bill = bill;
    this.attempts = attempts;
    const call = new UpstreamCall(services, held, attempts.target);
    this.#deadline = new CallDeadline(services, held.request.signal, call);
    held.run.onAbort(() => this.#end());
  }

  /** True when the call that ran last was cut off, rather than that it failed by itself. */
  get wasCutOff(): boolean {
    return this.#deadline.call.cancellation.aborted;
  }

  /** What `read` makes of what the first target to answer gave. Throws the failure of the last attempt, an answer that cannot be read too. */
  async ask<Given, T>(answerOf: (call: UpstreamCall) => Promise<Given>, read: (given: Given) => T): Promise<T> {
    try {
      for (;;) {
        try {
          const { call } = this.#deadline;
          const answer = read(await call.unlessEnded(answerOf(call)));
          this.attempts.succeed();
          return answer;
        } catch (cause) {
          await this.#follow(cause);
        }
      }
    } finally {
      this.#deadline.end();
    }
  }

  /** Makes the next call ready, or throws when there is none. */
  async #follow(cause: unknown): Promise<void> {
    const { attempts } = this;
    this.#services.reportFailure(this.#held, attempts.target, cause);
    if (this.#hasEnded()) {
      attempts.leave();
      throw cause;
    }
    const next = attempts.next(cause);
    if (next === undefined) throw cause;
    this.#bill.moveTo(next.target);
    this.#deadline.call = new UpstreamCall(this.#services, this.#held, next.target);
    if (next.waitMs > 0) await this.#pause(next.waitMs);
    if (!this.#hasEnded()) return;
    attempts.leave();
    throw this.#held.run.aborted ? draining() : clientGone();
  }

  /** Ends early when the client leaves or the gateway ends the request. */
  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#held.request;
    const ended = new Promise<void>((resolve) => {
      this.#endPause = resolve;
    });
    const end = () => this.#endPause?.();
    const callOff = wait(milliseconds, end);
    signal.addEventListener("abort", end);
    await ended;
    callOff();
    signal.removeEventListener("abort", end);
  }

  #end(): void {
    this.#deadline.call.abort(draining());
    this.#endPause?.();
  }

  #hasEnded(): boolean {
    return this.#held.request.signal.aborted || this.#held.run.aborted;
  }
}
