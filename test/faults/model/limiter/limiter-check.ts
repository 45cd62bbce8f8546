import { isDeepStrictEqual } from "node:util";
import type { Limiter, Reservation } from "@tollgate/core/store";
import type { Checker } from "../script.ts";
import type { Tally } from "../tally.ts";
import { type Answered, askLimiter, type LimiterCall } from "./limiter-call.ts";
import { type Limits, limitsAfter } from "./limiter-model.ts";
import type { LimiterStep, Scripted } from "./limiter-step.ts";

/** A limiter for one script. */
export interface LimiterUnderTest {
  /** Two clients of the same limits, like those of two processes. For a limiter in memory they are the same. */
  readonly clients: readonly [Limiter, Limiter];
  /** Advances the clock of the limiter; absent if that is not possible. */
  readonly passTime?: (milliseconds: number) => void;
  /** How much the limiter's clock can advance by itself during a script. */
  readonly toleranceMs: number;
}

const tokenWindow = { limit: 10, windowSeconds: 60 };
const requestWindow = { limit: 3, windowSeconds: 60 };

/** Runs the steps of one script on a limiter, and checks each result against the model. */
export class LimiterCheck implements Checker<LimiterStep> {
  readonly #run: number;
  readonly #real: LimiterUnderTest;
  readonly #tally: Tally;
  readonly #made: Reservation[] = [];
  /**
   * The possible states after the results so far. There can be several, since concurrent settlements do not show their
   * order.
   */
  #limits: readonly Limits[];

  constructor(run: number, real: LimiterUnderTest, tally: Tally) {
    this.#run = run;
    this.#real = real;
    this.#tally = tally;
    this.#limits = [{ now: 0, toleranceMs: real.toleranceMs, subjects: new Map() }];
  }

  async take(step: LimiterStep): Promise<void> {
    if (step.does === "pass") return this.#pass(step.milliseconds);
    const calls = step.asked.map(({ client, call }) => ({ client, call: this.#callOf(call) }));
    const answered = await Promise.all(calls.map(({ client, call }) => askLimiter(this.#real.clients[client], call)));
    for (const each of answered) this.#tally.add(nameOf(each));
    if (answered.length > 1) this.#tally.add("concurrent calls");
    this.#limits = explained(this.#limits, answered);
  }

  #pass(milliseconds: number): void {
    if (this.#real.passTime === undefined) return;
    this.#real.passTime(milliseconds);
    this.#tally.add("pass");
    this.#limits = this.#limits.map((limits) => ({ ...limits, now: limits.now + milliseconds }));
  }

  #callOf(scripted: Scripted): LimiterCall {
    switch (scripted.verb) {
      case "countRequest":
        return { verb: "countRequest", subject: this.#subject(scripted.subject), window: requestWindow };
      case "reserve":
        return { verb: "reserve", reservation: this.#make(scripted) };
      case "settle":
        return { verb: "settle", reservation: this.#lastBut(scripted.which), tokensUsed: scripted.tokensUsed };
      case "renew":
        return { verb: "renew", reservations: scripted.which.map((which) => this.#lastBut(which)) };
    }
  }

  #make({ subject, tokens, concurrency, leaseMs }: Extract<Scripted, { readonly verb: "reserve" }>): Reservation {
    const made = {
      id: crypto.randomUUID(),
      subject: this.#subject(subject),
      tokens: tokens === undefined ? undefined : { amount: tokens, window: tokenWindow },
      concurrency,
      leaseMs,
    };
    this.#made.push(made);
    return made;
  }

  /** Returns an earlier reservation, or an unknown one. */
  #lastBut(which: number): Reservation {
    const unknown = { id: crypto.randomUUID(), subject: this.#subject("a"), leaseMs: 20_000 };
    return this.#made.at(-1 - which) ?? unknown;
  }

  #subject(name: string): string {
    return `${name}-${this.#run}`;
  }
}

/** Returns the possible states after concurrent calls. Some order of the calls must explain every result. */
function explained(limits: readonly Limits[], calls: readonly Answered[]): readonly Limits[] {
  const orders = calls.length > 1 ? [calls, calls.toReversed()] : [calls];
  const ends = limits.flatMap((each) => orders.map((order) => afterAll(each, order)));
  const allowed = ends.flatMap((end) => (typeof end === "string" ? [] : [end]));
  if (allowed.length === 0) throw new Error(`${ends.join(" ")} The calls were ${JSON.stringify(calls)}.`);
  return allowed.filter((one, at) => allowed.findIndex((other) => isDeepStrictEqual(one, other)) === at);
}

function afterAll(limits: Limits, calls: readonly Answered[]): Limits | string {
  return calls.reduce<Limits | string>(
    (after, call) => (typeof after === "string" ? after : limitsAfter(after, call)),
    limits,
  );
}

function nameOf(call: Answered): string {
  if (!("answer" in call)) return call.verb;
  if (call.answer.granted) return `${call.verb} granted`;
  return "refusedBy" in call.answer ? `${call.verb} refused by ${call.answer.refusedBy}` : `${call.verb} refused`;
}
