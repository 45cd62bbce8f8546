import { clientGone, draining } from "../../errors/ended-early.ts";
import { settleReservation } from "../../limits/limiter-results.ts";
import {
  type Charge,
  chargeAmount,
  chargeReceipt,
  chargeUsage,
  estimateTokens,
  exceeds,
  noUsage,
  storableId,
  withHourWrites,
} from "../../money/cost.ts";
import type { RunningHold } from "../../money/heartbeat.ts";
import { noOutput, type Output } from "../../money/token-counter.ts";
import type { Reservation } from "../../ports/limiter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { CallReport, Ending } from "../../ports/observer.ts";
import type { ChargeReceipt } from "../../ports/receipt.ts";
import { boundOf, type Held } from "../../request/request-stages.ts";
import type { BillServices } from "../../request/services.ts";
import { type Awaitable, mapAwaitable } from "../../runtime/awaitable.ts";
import type { AnswerMarks } from "../../streaming/answer-translator.ts";
import { toldIn } from "../../wire/impossible-usage.ts";
import { countByClass, type ReportedUsage, type Usage } from "../../wire/usage.ts";
import { hidesReasoning, unseenTokens } from "./hidden-reasoning.ts";

/**
 * The basis of a charge: the provider's usage, an estimate from the output, an estimate that adds hidden reasoning for
 * the duration of the call, or nothing.
 */
export type Consumption =
  | { readonly by: "usage"; readonly usage: Usage | undefined; readonly output: Output }
  | { readonly by: "estimate" | "output-and-time"; readonly output: Output }
  | { readonly by: "nothing" };

/** The bill of one request. It opens with the hold, and is closed once, when the consumption is known. */
export class Bill implements RunningHold {
  position = -1;
  leasedAt: number;
  readonly holdId: string | undefined;
  readonly #services: BillServices;
  readonly #held: Held;
  #target: ModelTarget;
  /** The start of the current call, from which hidden reasoning is estimated. */
  #calledAt: number;
  #attempts = 1;
  readonly #output: Output;
  #promptTokens: number | undefined;
  #closed = false;
  #answer: AnswerMarks | undefined;
  #answerId: string | undefined;
  /** Resolves the promise that a serverless host waits for before it stops. */
  #resolveWaitUntil: ((settled: Promise<void> | undefined) => void) | undefined;

  /** `output` is the output received so far, which the heartbeat uses for its checkpoints. */
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

  /** Moves the bill to the next attempt, which starts after `waitMs`. The price of its target applies from now on. */
  moveTo(target: ModelTarget, waitMs: number): void {
    this.#target = target;
    this.#calledAt = Date.now() + waitMs;
    this.#attempts += 1;
  }

  /**
   * Releases the memory of a prompt that no other target needs, since a stream may run for a long time. One that is stored
   * with the answer stays, and so do its bytes in the budget.
   */
  forgetPrompt(): void {
    const { tokens } = this.#services;
    // The host's token counter needs the prompt. Counting now would be slow, and most bills never need the count.
    if (tokens.readsText) return;
    this.#estimatePrompt();
    const { content, run } = this.#held;
    const isStored = content.native?.onAnswer !== undefined;
    content.forgetPrompt();
    if (!isStored) run.body?.release();
  }

  get reservation(): Reservation | undefined {
    return this.#held.run.reservation;
  }

  get ending(): boolean {
    return this.#closed;
  }

  used(): bigint {
    const seen = estimateTokens(this.#output.outputBytes);
    const tokens = hidesReasoning(this.#held, this.#output) ? seen + this.#unseenTokens() : seen;
    return this.#chargeEstimate(this.#output, tokens).cost;
  }

  /**
   * Closes the bill and ends the request's run. Returns the charged usage for the client
   * when it is settled, or after 250 ms.
   */
  close(consumption: Consumption, ending: Ending, answer?: AnswerMarks, firstContentAt?: number): Awaitable<Usage> {
    const charge = this.#charge(consumption);
    if (this.#closed) return charge.usage;
    this.#closed = true;
    this.#answer = answer;
    this.#answerId = storableId(answer?.answerId);
    return mapAwaitable(this.#settle(consumption, charge, ending), () => {
      this.#held.run.end();
      this.#resolveWaitUntil?.(
        this.holdId === undefined ? undefined : this.#services.settlements.whenTaken(this.holdId),
      );
      if (charge.cutFrom !== undefined) this.#reportImplausible(charge.cutFrom, charge.usage);
      this.#report(ending, isEstimated(consumption), charge, firstContentAt);
      return charge.usage;
    });
  }

  /** Reported usage takes precedence over any estimate, even above the hold, because the host pays for it. */
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

  /** The estimate is limited to the hold, unless the usage reported so far exceeds the hold. */
  #chargeEstimate(output: Output, outputTokens: number): Charge {
    const usage = this.#estimate(output, outputTokens);
    if (output.reported !== undefined && this.#exceedsHold(output.reported.usage)) return this.#chargeReported(usage);
    const cost = this.#atMostHeld(chargeAmount(this.#target.price, this.#split(usage)));
    return { usage, cost, cutFrom: toldIn(output.reported?.usage) };
  }

  /** If the client asked for a one-hour cache and the usage has no such count, all cache writes are charged at the one-hour price. */
  #split(usage: Usage): Usage {
    return this.#held.content.inspected.asksForHour ? withHourWrites(usage) : usage;
  }

  #exceedsHold(reported: ReportedUsage["usage"]): boolean {
    const usage = { ...reported, ...usageOf(reported.prompt_tokens ?? 0, reported.completion_tokens ?? 0) };
    return exceeds(1, this.#target.price, this.#split(usage), boundOf(this.#held));
  }

  #settle(consumption: Consumption, charge: Charge, ending: Ending): Awaitable<void> {
    const { runningHolds, settlements, limiter } = this.#services;
    runningHolds.delete(this);
    settleReservation(limiter, this.#held, charge.usage.total_tokens);
    if (this.holdId === undefined) return;
    const receipt = this.#receipt(consumption, charge, ending);
    if (consumption.by === "nothing") return settlements.release(this.holdId, receipt);
    return settlements.settle(this.holdId, charge.cost, receipt);
  }

  #receipt(consumption: Consumption, { usage, cutFrom }: Charge, status: Ending): ChargeReceipt {
    const basis = cutFrom !== undefined ? "implausible" : isEstimated(consumption) ? "estimated" : "reported";
    const { startedAt } = this.#held;
    return chargeReceipt({
      target: this.#target,
      usage: this.#split(usage),
      basis,
      startedAt,
      status,
      answerId: this.#answerId,
    });
  }

  /** A complete usage is taken as reported, plus an estimate for the output after it. A partial usage is a lower bound. */
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
    const { prompt, bytes } = content;
    return Math.min(promptBound, this.#services.tokens.prompt(prompt, model.id, bytes, model.imageTokens));
  }

  #atMostHeld(amount: bigint): bigint {
    return amount < this.#held.funds.amount ? amount : this.#held.funds.amount;
  }

  #reportImplausible(reported: Usage, charged: Usage): void {
    const { requestId, key, model } = this.#held;
    const at = Date.now();
    this.#services.health.countImplausible(this.#target, at);
    this.#services.observe({
      type: "usage.implausible",
      at,
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
    const { meta, requestId, key, startedAt } = this.#held;
    if (this.#services.observed) {
      const call = this.#callReport(estimated, charge, firstContentAt);
      meta.report.charge(call, ending, meta.sumCalls);
      if (meta.sumCalls !== undefined) {
        const at = Date.now();
        const by = { at, requestId, keyId: key.id, account: key.account, durationMs: at - startedAt };
        this.#services.observe({ type: "model.called", ...by, ending, ...call });
      }
    }
    meta.report.close(this.#services);
  }

  #callReport(estimated: boolean, charge: Charge, firstContentAt: number | undefined): CallReport {
    const reasons = this.#answer?.finishReasons ?? [];
    const { model, content, startedAt } = this.#held;
    return {
      dialect: content.dialect,
      model: model.id,
      provider: this.#target.provider.name,
      upstreamModel: this.#target.upstreamModel,
      attempts: this.#attempts,
      usage: charge.usage,
      tokens: countByClass(this.#split(charge.usage)),
      estimated,
      implausible: charge.cutFrom !== undefined,
      cost: this.holdId === undefined ? 0n : charge.cost,
      ...this.#upstreamCost(charge),
      ...(this.holdId === undefined ? {} : { holdId: this.holdId }),
      ...(firstContentAt === undefined ? {} : { firstContentMs: firstContentAt - startedAt }),
      attemptMs: Math.max(0, Date.now() - this.#calledAt),
      ...(this.#answerId === undefined ? {} : { answerId: this.#answerId }),
      ...(reasons.length === 0 ? {} : { finishReasons: reasons }),
    };
  }

  #upstreamCost(charge: Charge): Pick<CallReport, "upstreamCost"> {
    const { cost } = this.#target;
    if (cost === undefined) return {};
    return { upstreamCost: charge === nothing ? 0n : chargeAmount(cost, this.#split(charge.usage)) };
  }
}

const usageOf = (prompt: number, completion: number): Usage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

const nothing: Charge = { usage: noUsage, cost: 0n, cutFrom: undefined };

const isEstimated = (consumption: Consumption): boolean =>
  consumption.by !== "usage" || consumption.usage === undefined;

/**
 * The last check before the provider is called: throws, without a charge, if the client has left or a drain has ended the
 * request. `hasLeft` is for a client whose response has begun, because the request's signal may not report its leaving.
 */
export function requireClient(services: BillServices, held: Held, hasLeft = false): void {
  const { request, run, model } = held;
  if (!hasLeft && !request.signal.aborted && !run.aborted) return;
  const ending = run.aborted ? "drained" : "client_gone";
  void new Bill(services, held, model.targets[0], noOutput).close({ by: "nothing" }, ending);
  throw run.aborted ? draining() : clientGone();
}
