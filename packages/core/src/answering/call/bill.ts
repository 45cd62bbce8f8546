import { releaseConcurrency, settleReservation } from "../../access/limits/limiter-results.ts";
import { clientGone, draining } from "../../errors/call-errors.ts";
import {
  type Charge,
  chargeAmount,
  chargeReceipt,
  chargeUsage,
  estimateTokens,
  exceeds,
  noUsage,
  storableId,
  tierOf,
  withHourWrites,
} from "../../money/cost.ts";
import type { RunningHold } from "../../money/heartbeat.ts";
import { noOutput, type Output } from "../../money/token-counter.ts";
import type { Reservation } from "../../ports/limiter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { CallReport, Ending } from "../../ports/observer.ts";
import type { ChargeReceipt } from "../../ports/receipt.ts";
import { boundOf, type PaidCall } from "../../request/paid-call.ts";
import type { Services } from "../../request/services.ts";
import type { Awaitable } from "../../runtime/awaitable.ts";
import { steadyNow } from "../../runtime/timers.ts";
import type { AnswerMarks } from "../../upstream/answer-translator.ts";
import { countByClass, type ReportedUsage, toldIn, type Usage } from "../../wire/usage.ts";
import { hasHiddenReasoning, unseenTokens } from "./hidden-reasoning.ts";

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
  readonly hold: RunningHold["hold"];
  readonly #services: Services;
  readonly #paid: PaidCall;
  #reservation: Reservation | undefined;
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
  constructor(services: Services, paid: PaidCall, target: ModelTarget, output: Output, now = steadyNow()) {
    this.leasedAt = now;
    this.#calledAt = now;
    this.hold = paid.hold.reference;
    this.#reservation = paid.reservation;
    this.#services = services;
    this.#paid = paid;
    this.#target = target;
    this.#output = output;
    services.runningHolds.add(this);
    paid.exchange.report.open();
    paid.exchange.request.waitUntil?.(
      new Promise<void>((resolve) => {
        this.#resolveWaitUntil = resolve;
      }),
    );
  }

  /** Moves the bill to the next attempt, which starts after `waitMs`. The price of its target applies from now on. */
  moveTo(target: ModelTarget, waitMs: number): void {
    this.#target = target;
    this.#calledAt = steadyNow() + waitMs;
    this.#attempts += 1;
  }

  /** Releases the memory of a prompt that no other target needs, since a stream may run for a long time. */
  releaseBody(): void {
    // The host's token counter needs the prompt. Counting now would be slow, and most bills never need the count.
    if (this.#services.tokens.readsText) return;
    this.#estimatePrompt();
    this.#paid.call.releaseBody();
  }

  /** The client has left: its call goes on, but no longer counts against the concurrency of its key. */
  leaveKey(): void {
    const { slot, exchange } = this.#paid;
    slot.leaveKey();
    this.#reservation = releaseConcurrency(this.#services.limiter, exchange.request, this.#reservation);
  }

  get reservation(): Reservation | undefined {
    return this.#reservation;
  }

  get ending(): boolean {
    return this.#closed;
  }

  used(): bigint {
    const seen = estimateTokens(this.#output.outputBytes);
    const tokens = hasHiddenReasoning(this.#paid, this.#output) ? seen + this.#unseenTokens() : seen;
    return this.#chargeEstimate(this.#output, tokens).cost;
  }

  /** Closes the bill and releases the slot of its call. Resolves with the charged usage when it is settled, or after 250 ms. */
  async close(consumption: Consumption, ending: Ending, answer?: AnswerMarks, firstContentAt?: number): Promise<Usage> {
    const charge = this.#charge(consumption);
    if (this.#closed) return charge.usage;
    this.#closed = true;
    this.#answer = answer;
    this.#answerId = storableId(answer?.answerId);
    await this.#settle(consumption, charge, ending);
    this.#paid.slot.release();
    this.#resolveWaitUntil?.(this.hold && this.#services.settlements.whenTaken(this.hold));
    if (charge.cutFrom !== undefined) this.#reportImplausible(charge.cutFrom, charge.usage);
    this.#report(ending, isEstimated(consumption), charge, firstContentAt);
    return charge.usage;
  }

  /** Reported usage takes precedence over any estimate, even above the hold, because the host pays for it. */
  #charge(consumption: Consumption): Charge {
    if (consumption.by === "nothing") return nothing;
    if (consumption.by === "usage" && consumption.usage !== undefined) return this.#chargeReported(consumption.usage);
    const { by, output } = consumption;
    const seen = this.#services.tokens.output(output, this.#paid.model.id);
    return this.#chargeEstimate(output, by === "output-and-time" ? seen + this.#unseenTokens() : seen);
  }

  #chargeReported(usage: Usage): Charge {
    return chargeUsage(this.#target.price, this.#split(usage), boundOf(this.#paid));
  }

  /** The estimate is limited to the hold, unless the usage reported so far exceeds the hold. */
  #chargeEstimate(output: Output, outputTokens: number): Charge {
    const usage = this.#estimate(output, outputTokens);
    if (output.reported !== undefined && this.#exceedsHold(output.reported.usage)) return this.#chargeReported(usage);
    const { price } = this.#target;
    const cost = this.#atMostHeld(chargeAmount(price, this.#split(usage)));
    return { usage, cost, tier: tierOf(price, usage.prompt_tokens), cutFrom: toldIn(output.reported?.usage) };
  }

  /** If the client asked for a one-hour cache and the usage has no such count, all cache writes are charged at the one-hour price. */
  #split(usage: Usage): Usage {
    return this.#paid.call.inspected.asksForHour ? withHourWrites(usage) : usage;
  }

  #exceedsHold(reported: ReportedUsage["usage"]): boolean {
    const usage = { ...reported, ...usageOf(reported.prompt_tokens ?? 0, reported.completion_tokens ?? 0) };
    return exceeds(1, this.#target.price, this.#split(usage), boundOf(this.#paid));
  }

  #settle(consumption: Consumption, charge: Charge, ending: Ending): Awaitable<unknown> {
    const { runningHolds, settlements, limiter } = this.#services;
    runningHolds.delete(this);
    settleReservation(limiter, this.#paid.exchange.request, this.#reservation, charge.usage.total_tokens);
    this.#reservation = undefined;
    if (this.hold === undefined) return;
    const receipt = this.#receipt(consumption, charge, ending);
    if (consumption.by === "nothing") return settlements.release(this.hold, receipt);
    return settlements.settle(this.hold, charge.cost, receipt);
  }

  #receipt(consumption: Consumption, { usage, tier, cutFrom }: Charge, status: Ending): ChargeReceipt {
    const basis = cutFrom !== undefined ? "implausible" : isEstimated(consumption) ? "estimated" : "reported";
    return chargeReceipt({
      target: this.#target,
      tier,
      usage: this.#split(usage),
      basis,
      startedAt: this.#paid.exchange.startedAt,
      status,
      answerId: this.#answerId,
    });
  }

  /** A complete usage is taken as reported, plus an estimate for the output after it. A partial usage is a lower bound. */
  #estimate({ reported, outputBytes }: Output, outputTokens: number): Usage {
    const most = this.#paid.size.outputBound.total;
    const { usage } = reported ?? {};
    if (reported === undefined || usage?.prompt_tokens === undefined || usage.completion_tokens === undefined) {
      const prompt = Math.max(usage?.prompt_tokens ?? 0, this.#estimatePrompt());
      return usageOf(prompt, Math.max(usage?.completion_tokens ?? 0, Math.min(most, outputTokens)));
    }
    const later = Math.min(most, estimateTokens(outputBytes - reported.outputBytes));
    return { ...usage, ...usageOf(usage.prompt_tokens, usage.completion_tokens + later) };
  }

  #unseenTokens(): number {
    return unseenTokens(steadyNow() - this.#calledAt, this.#services.money.hiddenTokensPerSecond);
  }

  #estimatePrompt(): number {
    this.#promptTokens ??= this.#countPrompt();
    return this.#promptTokens;
  }

  #countPrompt(): number {
    const { call, size, model } = this.#paid;
    const { prompt, bytes } = call;
    return Math.min(size.promptBound, this.#services.tokens.prompt(prompt, model.id, bytes, model.imageTokens));
  }

  #atMostHeld(amount: bigint): bigint {
    const held = this.#paid.hold.amount;
    return amount < held ? amount : held;
  }

  #reportImplausible(reported: Usage, charged: Usage): void {
    const { exchange, caller, model } = this.#paid;
    const at = Date.now();
    this.#services.health.countImplausible(this.#target, at);
    this.#services.observe({
      type: "usage.implausible",
      at,
      requestId: exchange.requestId,
      keyId: caller.key.id,
      account: caller.key.account,
      model: model.id,
      provider: this.#target.provider.name,
      upstreamModel: this.#target.upstreamModel,
      reported,
      charged,
    });
  }

  #report(ending: Ending, estimated: boolean, charge: Charge, firstContentAt: number | undefined): void {
    const { report, requestId, startedAt } = this.#paid.exchange;
    if (this.#services.observed) {
      const call = this.#callReport(estimated, charge, firstContentAt);
      report.charge(call, ending);
      if (report.sessionId !== undefined) {
        const { key } = this.#paid.caller;
        const at = Date.now();
        const by = { at, requestId, keyId: key.id, account: key.account, durationMs: at - startedAt };
        this.#services.observe({ type: "model.called", ...by, ending, ...call });
      }
    }
    report.close(this.#services);
  }

  #callReport(estimated: boolean, charge: Charge, firstContentAt: number | undefined): CallReport {
    const reasons = this.#answer?.finishReasons ?? [];
    const { model, call, exchange } = this.#paid;
    return {
      dialect: call.dialect,
      model: model.id,
      provider: this.#target.provider.name,
      upstreamModel: this.#target.upstreamModel,
      attempts: this.#attempts,
      usage: charge.usage,
      tokens: countByClass(this.#split(charge.usage)),
      estimated,
      implausible: charge.cutFrom !== undefined,
      cost: this.hold === undefined ? 0n : charge.cost,
      ...this.#upstreamCost(charge),
      ...(this.hold === undefined ? {} : { holdId: this.hold.id }),
      ...(firstContentAt === undefined ? {} : { firstContentMs: firstContentAt - exchange.startedAt }),
      attemptMs: Math.max(0, Math.round(steadyNow() - this.#calledAt)),
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

const nothing: Charge = { usage: noUsage, cost: 0n, tier: undefined, cutFrom: undefined };

const isEstimated = (consumption: Consumption): boolean =>
  consumption.by !== "usage" || consumption.usage === undefined;

/**
 * The last check before the provider is called: throws, without a charge, if the client has left or a drain has ended the
 * request. `hasLeft` is for a client whose response has begun, because the request's signal may not report its leaving.
 */
export function requireClient(services: Services, paid: PaidCall, hasLeft = false): void {
  const { exchange, slot, model } = paid;
  if (!hasLeft && !exchange.request.signal.aborted && !slot.aborted) return;
  const ending = slot.aborted ? "drained" : "client_gone";
  void new Bill(services, paid, model.targets[0], noOutput).close({ by: "nothing" }, ending);
  throw slot.aborted ? draining() : clientGone();
}
