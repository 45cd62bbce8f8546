import { clientGone, draining } from "../../errors/ended-early.ts";
import type { Held } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";
import type { Attempts } from "../../routing/attempts.ts";
import { type Awaitable, catchAwaitable } from "../../runtime/awaitable.ts";
import { wait } from "../../runtime/timers.ts";
import type { Bill } from "../call/bill.ts";
import { UpstreamCall } from "../call/upstream-call.ts";
import { CallDeadline } from "./call-deadline.ts";

/** How a target is asked, and what is made of what it gives; what cannot be read is a failure of its attempt. */
export interface Question<Given, Read, T> {
  ask(call: UpstreamCall): Promise<Given>;
  read(given: Given, call: UpstreamCall): Read;
  /** What comes of what was read; called once. */
  finish(read: Read): Awaitable<T>;
  /** What comes of the failure of the last attempt, in place of `finish`; the call that ran last was cut off, or failed by itself. */
  fail(cause: unknown, wasCutOff: boolean): Promise<T>;
}

/**
 * An answer in one piece on its way: which call runs now, and what counts for all of them. It works by callbacks behind
 * one promise, since each promise between the upstream and the client costs a request some percent.
 */
export class FailoverCall<Given, Read, T> {
  readonly #services: Services;
  readonly #held: Held;
  readonly #bill: Bill;
  readonly #attempts: Attempts;
  readonly #question: Question<Given, Read, T>;
  readonly #deadline: CallDeadline;
  #endPause: (() => void) | undefined;
  #resolve: (outcome: Awaitable<T>) => void = () => undefined;

  constructor(services: Services, held: Held, bill: Bill, attempts: Attempts, question: Question<Given, Read, T>) {
    this.#services = services;
    this.#held = held;
    this.#bill = bill;
    this.#attempts = attempts;
    this.#question = question;
    const call = new UpstreamCall(services, held, attempts.target);
    this.#deadline = new CallDeadline(services, held, call, attempts);
    held.run.onAbort(() => this.#end());
  }

  /** What comes of the first answer, or of the failure of the last attempt. Called once. */
  answer(): Promise<T> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#call();
    });
  }

  #call(): void {
    const { call } = this.#deadline;
    call.onEnd((reason) => this.#fail(call, reason));
    try {
      // An adapter without types may give another thenable.
      Promise.resolve(this.#question.ask(call)).then(
        (given) => this.#take(call, given),
        (cause: unknown) => this.#fail(call, cause),
      );
    } catch (cause) {
      this.#fail(call, cause);
    }
  }

  #take(call: UpstreamCall, given: Given): void {
    if (call.isOver) return;
    let read: Read;
    try {
      read = this.#question.read(given, call);
      this.#attempts.succeed();
    } catch (cause) {
      this.#fail(call, cause);
      return;
    }
    this.#deadline.end();
    call.isOver = true;
    this.#resolve(catchAwaitable(() => this.#question.finish(read), rejected));
  }

  /** The first end of a call counts: one that does not hear that it was ended is not waited for. */
  #fail(call: UpstreamCall, cause: unknown): void {
    if (call.isOver) return;
    call.isOver = true;
    this.#follow(cause).then(
      () => this.#call(),
      (failure: unknown) => {
        this.#deadline.end();
        this.#resolve(this.#question.fail(failure, this.#deadline.call.cancellation.aborted));
      },
    );
  }

  /** Makes the next call ready, or throws when there is none. */
  async #follow(cause: unknown): Promise<void> {
    const attempts = this.#attempts;
    this.#services.reportFailure(this.#held, attempts.target, cause);
    if (this.#hasEnded()) {
      attempts.leave();
      throw cause;
    }
    const next = attempts.next(cause);
    if (next === undefined) throw cause;
    this.#bill.moveTo(next.target, next.waitMs);
    this.#deadline.moveTo(new UpstreamCall(this.#services, this.#held, next.target), Date.now() + next.waitMs);
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

const rejected = (cause: unknown): Promise<never> => Promise.reject(cause);
