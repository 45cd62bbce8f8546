import type { ModelTarget } from "../catalogue/model.ts";
import { settleReservation } from "../limits/settle-reservation.ts";
import { type Awaitable, whenReady } from "../ports/awaitable.ts";
import type { Reservation } from "../ports/limiter.ts";
import type { Ending } from "../ports/observer.ts";
import type { Services } from "../services.ts";
import type { Held } from "../steps/hold-balance.ts";
import { forgetPrompt } from "../steps/parse-request.ts";
import type { Usage } from "../wire/usage.ts";
import { estimateTokens } from "./bounds.ts";
import { chargeAmount } from "./cost.ts";
import { plausibleUsage } from "./plausible-usage.ts";
import type { RunningHold } from "./running-holds.ts";
import type { Output } from "./token-counter.ts";

/** What a request is charged by: the provider's usage, an estimate from its output, or nothing. */
export type Consumption =
  | { readonly by: "usage"; readonly usage: Usage | undefined; readonly output: Output }
  | { readonly by: "estimate"; readonly output: Output }
  | { readonly by: "nothing" };

/** The bill of one request: open from its hold on, closed once, when it is known what was consumed. */
export class Bill implements RunningHold {
  position = -1;
  leasedAt: number;
  readonly holdId: string | undefined;
  readonly #services: Services;
  readonly #held: Held;
  #target: ModelTarget;
  #attempts = 1;
  readonly #output: Output;
  #promptTokens: number | undefined;
  #closed = false;

  /** `output` tells how much has come so far, for the checkpoints of the heartbeat. */
  constructor(services: Services, held: Held, target: ModelTarget, output: Output, now = Date.now()) {
    this.leasedAt = now;
    this.holdId = held.funds.holdId;
    this.#services = services;
    this.#held = held;
    this.#target = target;
    this.#output = output;
    services.runningHolds.add(this);
  }

  /** Another attempt is made, and its target's price counts from now on. */
  moveTo(target: ModelTarget): void {
    this.#target = target;
    this.#attempts += 1;
  }

  /** Lets go of a prompt that is not sent to another target any more: a stream may live for long after it. */
  forgetPrompt(): void {
    const { tokens } = this.#services;
    // The host's own count may take long, and most bills never need it.
    if (tokens.readsText) return;
    this.#promptTokens = this.#countPrompt();
    forgetPrompt(this.#held);
  }

  get reservation(): Reservation | undefined {
    return this.#held.run.reservation;
  }

  get ending(): boolean {
    return this.#closed;
  }

  used(): bigint {
    return this.#atMostHeld(chargeAmount(this.#target.price, this.#estimate(estimateTokens(this.#output.outputBytes))));
  }

  /**
   * Closes the bill and ends the request's run. Gives back the usage that was charged, to be shown to the client,
   * once it is settled or after 250 ms.
   */
  close(consumption: Consumption, ending: Ending, firstContentAt?: number): Awaitable<Usage> {
    const believed =
      consumption.by === "usage"
        ? plausibleUsage(consumption.usage, { prompt: this.#held.promptBound, output: this.#held.outputBound.total })
        : undefined;
    const usage = believed ?? (consumption.by === "nothing" ? noUsage : this.#count(consumption.output));
    if (this.#closed) return usage;
    this.#closed = true;
    const amount = chargeAmount(this.#target.price, usage, this.#held.inspected.asksForHour);
    const cost = consumption.by === "nothing" ? 0n : believed === undefined ? this.#atMostHeld(amount) : amount;
    return whenReady(this.#settle(consumption.by === "nothing", cost, usage.total_tokens), () => {
      this.#held.run.end();
      this.#report(ending, usage, believed === undefined, this.holdId === undefined ? 0n : cost, firstContentAt);
      return usage;
    });
  }

  #settle(nothing: boolean, cost: bigint, tokens: number): Awaitable<void> {
    const { runningHolds, settlements, limiter } = this.#services;
    runningHolds.delete(this);
    settleReservation(limiter, this.#held.run, tokens);
    if (this.holdId === undefined) return;
    return nothing ? settlements.release(this.holdId) : settlements.settle(this.holdId, cost);
  }

  #count(output: Output): Usage {
    return this.#estimate(this.#services.tokens.output(output, this.#held.model.id));
  }

  #estimate(outputTokens: number): Usage {
    this.#promptTokens ??= this.#countPrompt();
    const prompt = this.#promptTokens;
    const completion = Math.min(this.#held.outputBound.total, outputTokens);
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  }

  #countPrompt(): number {
    const { chat, prompt, body, promptBound, model } = this.#held;
    return Math.min(promptBound, this.#services.tokens.prompt(prompt, chat.model, body.length, model.imageTokens));
  }

  #atMostHeld(amount: bigint): bigint {
    return amount < this.#held.funds.amount ? amount : this.#held.funds.amount;
  }

  #report(ending: Ending, usage: Usage, estimated: boolean, cost: bigint, firstContentAt: number | undefined): void {
    if (!this.#services.observed) return;
    const { requestId, key, model, startedAt } = this.#held;
    const at = Date.now();
    this.#services.observe({
      type: "request.completed",
      at,
      requestId,
      ending,
      keyId: key.id,
      account: key.account,
      model: model.id,
      provider: this.#target.provider.name,
      attempts: this.#attempts,
      usage,
      estimated,
      cost,
      durationMs: at - startedAt,
      ...(firstContentAt === undefined ? {} : { firstContentMs: firstContentAt - startedAt }),
    });
  }
}

const noUsage: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
