import { clientGone, draining } from "../../errors/ended-early.ts";
import { settleReservation } from "../../limits/limiter-results.ts";
import { type Charge, chargeAmount, chargeUsage, estimateTokens, exceeds, withHourWrites } from "../../money/cost.ts";
import type { RunningHold } from "../../money/heartbeat.ts";
import { noOutput, type Output } from "../../money/token-counter.ts";
import type { Reservation } from "../../ports/limiter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { CallReport, Ending } from "../../ports/observer.ts";
import { boundOf, type Held } from "../../request/request-stages.ts";
import type { BillServices } from "../../request/services.ts";
import { type Awaitable, mapAwaitable } from "../../runtime/awaitable.ts";
import type { ReportedUsage, Usage } from "../../wire/usage.ts";
import { hidesReasoning, unseenTokens } from "./hidden-reasoning.ts";

/**
 * What a request is charged by: the provider's usage, an estimate from its output, the same with the output that the
 * upstream may have made unseen in the time of its call, or nothing.
 */
export type Consumption =
  | { readonly by: "usage"; readonly usage: Usage | undefined; readonly output: Output }
  | { readonly by: "estimate" | "output-and-time"; readonly output: Output }
  | { readonly by: "nothing" };

/** The bill of one request: open from its hold on, closed once, when it is known what was consumed. */
export class Bill implements RunningHold {
  position = -1;
  leasedAt: number;
  readonly holdId: string | undefined;
  readonly #services: BillServices;
  readonly #held: Held;
  #target: ModelTarget;
  /** Since when the upstream may reason unseen: its present call, as only the upstream knows when it begins to think. */
  #calledAt: number;
  #attempts = 1;
  readonly #output: Output;
  #promptTokens: number | undefined;
  #closed = false;
  /** For a host that must be kept running until all is settled. */
  #resolveWaitUntil: ((settled: Promise<void> | undefined) => void) | undefined;

  /** `output` tells how much has come so far, for the checkpoints of the heartbeat. */
  constructor(services: BillServices, held: Held, target: ModelTarget, output: Output, now = Date.now()) {
    this.leasedAt = now;
    this.#calledAt = now;
    this.holdId = held.funds.holdId;
    this.#services = services;
    this.#held = held;
    this.#target = target;
    this.#output = output;
    services.runningHolds.add(this);
    held.meta.report.open();
    held.request.waitUntil?.(
      new Promise<void>((resolve) => {
        this.#resolveWaitUntil = resolve;
      }),
    );
  }

  /** Another attempt is made after so many milliseconds, and its target's price counts from now on. */
  moveTo(target: ModelTarget, waitMs: number): void {
    this.#target = target;
    this.#calledAt = Date.now() + waitMs;
    this.#attempts += 1;
  }

  /** Lets go of a prompt that is not sent to another target any more: a stream may live for long after it. */
  forgetPrompt(): void {
    const { tokens } = this.#services;
    // The host's own count may take long, and most bills never need it.
    if (tokens.readsText) return;
    this.#estimatePrompt();
    this.#held.content.forgetPrompt();
    this.#held.run.body?.release();
  }

  get reservation(): Reservation | undefined {
    return this.#held.run.reservation;
  }

  get ending(): boolean {
    return this.#closed;
  }

  used(): bigint {
    const seen = estimateTokens(this.#output.outputBytes);
    const tokens = hidesReasoning(this.#held) ? seen + this.#unseenTokens() : seen;
    return this.#chargeEstimate(this.#output, tokens).cost;
  }

  /**
   * Closes the bill and ends the request's run. Returns the usage that was charged, to be shown to the client,
   * once it is settled or after 250 ms.
   */
  close(consumption: Consumption, ending: Ending, firstContentAt?: number): Awaitable<Usage> {
    const charge = this.#charge(consumption);
    if (this.#closed) return charge.usage;
    this.#closed = true;
    return mapAwaitable(this.#settle(consumption.by === "nothing", charge.cost, charge.usage.total_tokens), () => {
      this.#held.run.end();
      this.#resolveWaitUntil?.(
        this.holdId === undefined ? undefined : this.#services.settlements.whenTaken(this.holdId),
      );
      if (charge.cutFrom !== undefined) this.#reportImplausible(charge.cutFrom, charge.usage);
      this.#report(ending, consumption.by !== "usage" || consumption.usage === undefined, charge, firstContentAt);
      return charge.usage;
    });
  }

  /** Reported usage is what the host pays, so it counts before any estimate, and above the hold too. */
  #charge(consumption: Consumption): Charge {
    if (consumption.by === "nothing") return nothing;
    if (consumption.by === "usage" && consumption.usage !== undefined) return this.#chargeReported(consumption.usage);
    const { by, output } = consumption;
    const seen = this.#services.tokens.output(output, this.#held.model.id);
    return this.#chargeEstimate(output, by === "output-and-time" ? seen + this.#unseenTokens() : seen);
  }

  #chargeReported(usage: Usage): Charge {
    return chargeUsage(this.#target.price, this.#split(usage), boundOf(this.#held));
  }

  /** At most the hold, unless what was reported so far is above it already. */
  #chargeEstimate(output: Output, outputTokens: number): Charge {
    const usage = this.#estimate(output, outputTokens);
    if (output.reported !== undefined && this.#exceedsHold(output.reported.usage)) return this.#chargeReported(usage);
    return { usage, cost: this.#atMostHeld(chargeAmount(this.#target.price, this.#split(usage))), cutFrom: undefined };
  }

  /** What was written to a cache is charged as kept for an hour when the client asked for that and the usage does not tell. */
  #split(usage: Usage): Usage {
    return this.#held.content.inspected.asksForHour ? withHourWrites(usage) : usage;
  }

  #exceedsHold(reported: ReportedUsage["usage"]): boolean {
    const usage = { ...reported, ...usageOf(reported.prompt_tokens ?? 0, reported.completion_tokens ?? 0) };
    return exceeds(1, this.#target.price, this.#split(usage), boundOf(this.#held));
  }

  #settle(nothing: boolean, cost: bigint, tokens: number): Awaitable<void> {
    const { runningHolds, settlements, limiter } = this.#services;
    runningHolds.delete(this);
    settleReservation(limiter, this.#held, tokens);
    if (this.holdId === undefined) return;
    return nothing ? settlements.release(this.holdId) : settlements.settle(this.holdId, cost);
  }

  /** A whole usage counts as reported, and what came after it by its bytes; a partial one is the least. */
  #estimate({ reported, outputBytes }: Output, outputTokens: number): Usage {
    const most = this.#held.outputBound.total;
    const { usage } = reported ?? {};
    if (reported === undefined || usage?.prompt_tokens === undefined || usage.completion_tokens === undefined) {
      const prompt = Math.max(usage?.prompt_tokens ?? 0, this.#estimatePrompt());
      return usageOf(prompt, Math.max(usage?.completion_tokens ?? 0, Math.min(most, outputTokens)));
    }
    const later = Math.min(most, estimateTokens(outputBytes - reported.outputBytes));
    return { ...usage, ...usageOf(usage.prompt_tokens, usage.completion_tokens + later) };
  }

  #unseenTokens(): number {
    return unseenTokens(Date.now() - this.#calledAt, this.#services.money.hiddenTokensPerSecond);
  }

  #estimatePrompt(): number {
    this.#promptTokens ??= this.#countPrompt();
    return this.#promptTokens;
  }

  #countPrompt(): number {
    const { content, promptBound, model } = this.#held;
    const { prompt, chat, bytes } = content;
    return Math.min(promptBound, this.#services.tokens.prompt(prompt, chat.model, bytes, model.imageTokens));
  }

  #atMostHeld(amount: bigint): bigint {
    return amount < this.#held.funds.amount ? amount : this.#held.funds.amount;
  }

  #reportImplausible(reported: Usage, charged: Usage): void {
    const { requestId, key, model } = this.#held;
    this.#services.observe({
      type: "usage.implausible",
      at: Date.now(),
      requestId,
      keyId: key.id,
      account: key.account,
      model: model.id,
      provider: this.#target.provider.name,
      upstreamModel: this.#target.upstreamModel,
      reported,
      charged,
    });
  }

  #report(ending: Ending, estimated: boolean, charge: Charge, firstContentAt: number | undefined): void {
    const { meta, requestId, key } = this.#held;
    if (this.#services.observed) {
      const call = this.#callReport(estimated, charge, firstContentAt);
      meta.report.charge(call, ending);
      if (meta.isPart) {
        const by = { at: Date.now(), requestId, keyId: key.id, account: key.account };
        this.#services.observe({ type: "model.called", ...by, ending, ...call });
      }
    }
    meta.report.close(this.#services);
  }

  #callReport(estimated: boolean, charge: Charge, firstContentAt: number | undefined): CallReport {
    const { model, startedAt } = this.#held;
    return {
      dialect: "chat",
      model: model.id,
      provider: this.#target.provider.name,
      upstreamModel: this.#target.upstreamModel,
      attempts: this.#attempts,
      usage: charge.usage,
      estimated,
      implausible: charge.cutFrom !== undefined,
      cost: this.holdId === undefined ? 0n : charge.cost,
      ...(this.holdId === undefined ? {} : { holdId: this.holdId }),
      ...(firstContentAt === undefined ? {} : { firstContentMs: firstContentAt - startedAt }),
    };
  }
}

const usageOf = (prompt: number, completion: number): Usage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

const nothing: Charge = { usage: usageOf(0, 0), cost: 0n, cutFrom: undefined };

/**
 * The last look before the provider is called: a request whose client has left, or that a drain has ended, pays nothing.
 * `hasLeft` is for a client that was already being answered, of whose leaving the request's signal need not tell.
 */
export function requireClient(services: BillServices, held: Held, hasLeft = false): void {
  const { request, run, model } = held;
  if (!hasLeft && !request.signal.aborted && !run.aborted) return;
  const ending = run.aborted ? "drained" : "client_gone";
  void new Bill(services, held, model.targets[0], noOutput).close({ by: "nothing" }, ending);
  throw run.aborted ? draining() : clientGone();
}
