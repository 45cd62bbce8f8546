import { GatewayError } from "../errors/gateway-error.ts";
import { limitsIdOf } from "../keys/rotation.ts";
import { isReservationResult, limitError } from "../limits/limiter-results.ts";
import {
  affordableOutputAtAll,
  chargeReceipt,
  noUsage,
  outputBound,
  promptBound,
  worstCaseCost,
} from "../money/cost.ts";
import { estimateAnyPrompt } from "../money/token-counter.ts";
import { formatAmount } from "../options/decimal.ts";
import type { FlexibleAmount, HoldRequest, HoldResult } from "../ports/balance-store.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Reservation, ReservationResult } from "../ports/limiter.ts";
import type { Checked, Funds, Held, Reserved } from "../request/request-stages.ts";
import type { HoldServices, LimitServices } from "../request/services.ts";
import { type Awaitable, catchAwaitable, mapAwaitable } from "../runtime/awaitable.ts";
import { termsError } from "./admit.ts";
import { spendLimitError } from "./spend-limit-error.ts";

/**
 * Check 10: the balance. Where the client set no cap, the store may hold less than the bound, and what it holds caps the
 * output. In the Messages dialect, every request has a cap, so none is taken as a demand.
 */
export function holdBalance(services: HoldServices, reserved: Reserved): Awaitable<Held> {
  return mapAwaitable(findFunds(services, reserved), (funds) => {
    reserved.meta.report.mark("held");
    return { ...reserved, funds };
  });
}

function findFunds(services: HoldServices, reserved: Reserved): Awaitable<Funds> {
  const { outputBound, plan, run } = reserved;
  const amount = costOf(reserved, outputBound.perChoice);
  const outputCap = outputBound.capped ? outputBound.perChoice : undefined;
  const whole = { amount, outputCap, capWasLowered: outputBound.isLowered };
  if (plan.billing === "none") return { holdId: undefined, ...whole };
  const flexible = isFlexible(reserved) ? flexibleAmount(services, reserved) : undefined;
  return mapAwaitable(placeHold(services, reserved, amount, flexible), (held) => {
    if (held >= amount) return { holdId: run.id, ...whole };
    const cap = affordablePerChoice(reserved, held);
    return {
      holdId: run.id,
      amount: held,
      outputCap: cap,
      capWasLowered: cap < outputBound.perChoice || outputBound.isLowered,
    };
  });
}

const isFlexible = ({ outputBound, content }: Reserved): boolean =>
  !outputBound.capped || content.dialect === "messages";

/** The output tokens of one choice that a request gets, if the balance covers them, without taking what others need. */
const freeOutputTokens = 4_096;
const freeOutputTokensOfReasoning = 16_384;

function flexibleAmount({ money }: HoldServices, reserved: Reserved): FlexibleAmount {
  const { outputBound, model } = reserved;
  const free = model.reasoning === undefined ? freeOutputTokens : freeOutputTokensOfReasoning;
  const least = Math.min(money.minAffordableTokens, outputBound.perChoice);
  return {
    least: costOf(reserved, least),
    floor: costOf(reserved, Math.max(least, Math.min(free, outputBound.perChoice))),
  };
}

/** The most that a request can cost if each choice has this many output tokens. */
const costOf = ({ model, promptBound, outputBound }: Reserved, perChoice: number): bigint =>
  worstCaseCost(model.prices, promptBound, perChoice * outputBound.choices);

function affordablePerChoice({ model, promptBound, outputBound }: Reserved, available: bigint): number {
  const affordable = affordableOutputAtAll(model.prices, available, promptBound);
  return Math.min(outputBound.perChoice, Math.floor(affordable / outputBound.choices));
}

function insufficient(reserved: Reserved, wanted: bigint, left: bigint): GatewayError {
  const requested = formatAmount(wanted);
  const available = formatAmount(left);
  if (reserved.model.kind === "embedding") {
    const message = `This request may cost up to ${requested}, but only ${available} is available. Top up the balance or send fewer inputs.`;
    return new GatewayError("insufficient_balance", message, { metadata: { requested, available } });
  }
  const tokens = affordablePerChoice(reserved, left);
  const advice =
    tokens > 0
      ? `That covers ${tokens} output tokens. Top up the balance or lower \`max_tokens\`.`
      : "That covers no output. Top up the balance.";
  return new GatewayError(
    "insufficient_balance",
    `This request may cost up to ${requested}, but only ${available} is available. ${advice}`,
    { metadata: { requested, available, affordable_output_tokens: tokens } },
  );
}

/**
 * Returns what the store holds for the request, in nano-units. Throws if the balance or a spend limit does not cover it, for
 * an outage, and if the store finds the key or the accepted terms no longer valid.
 */
function placeHold(
  services: HoldServices,
  reserved: Reserved,
  amount: bigint,
  flexible: FlexibleAmount | undefined,
): Awaitable<bigint> {
  const { key, acceptableTerms, requestId, model } = reserved;
  const request = {
    id: reserved.run.id,
    account: key.account,
    keyId: key.id,
    amount,
    flexible,
    leaseMs: services.money.leaseMs,
    terms: acceptableTerms,
    receipt: { requestId, model: model.id, dialect: reserved.content.dialect },
    spend: reserved.plan.spendOf(key),
    notices: services.notices,
  };
  return mapAwaitable(ask(services, reserved, request), (result) => {
    if (result.outcome === "held") return result.amount;
    if (result.outcome === "insufficient") throw insufficient(reserved, amount, result.balance.available);
    if (result.outcome === "spend_limit") throw spendLimitError(result, amount, model);
    throw refusal(services, reserved, result.outcome);
  });
}

function ask(services: HoldServices, reserved: Reserved, request: HoldRequest): Awaitable<HoldResult> {
  // If the store call fails, the hold may exist. It is released in the background.
  const releaseHold = (outage: unknown): never => {
    const {
      model,
      startedAt,
      request: { waitUntil },
    } = reserved;
    const [target] = model.targets;
    const unused = { target, usage: noUsage, basis: "estimated", startedAt, status: "refused" } as const;
    void services.settlements.release(request.id, chargeReceipt(unused));
    waitUntil?.(services.settlements.whenTaken(request.id));
    throw outage;
  };
  return catchAwaitable(
    () => callStoreWithTimeout(services.storeTimeoutMs, () => services.balances.hold(request), isHoldResult),
    releaseHold,
  );
}

function isHoldResult(answer: HoldResult): boolean {
  if (answer?.outcome === "held") return typeof answer.amount === "bigint";
  if (answer?.outcome === "insufficient") return typeof answer.balance?.available === "bigint";
  if (answer?.outcome !== "spend_limit") return outcomes.includes(answer?.outcome);
  return typeof answer.spent === "bigint" && typeof answer.limit?.limit === "bigint";
}

const outcomes: readonly HoldResult["outcome"][] = ["key_refused", "terms_refused", "conflict"];

type Refusal = Exclude<HoldResult["outcome"], "held" | "insufficient" | "spend_limit">;

function refusal(services: HoldServices, { key }: Reserved, outcome: Refusal): GatewayError {
  const required = services.terms.required();
  if (outcome === "terms_refused" && required !== undefined) return termsError(required.version);
  if (outcome === "key_refused") {
    const cause = new Error(
      `The balance store has no active key ${key.id} of account ${key.account}. If keys are kept elsewhere, use a balance store that does not check them.`,
    );
    return new GatewayError("revoked_api_key", "This API key is no longer valid. Use another key.", { cause });
  }
  return new GatewayError(
    "internal_error",
    "The balance for this request could not be reserved. Send the request again.",
  );
}

/** Check 9: reserves tokens of the window and concurrency in one call. */
export function reserveTokens(services: LimitServices, checked: Checked): Awaitable<Reserved> {
  const { content, model } = checked;
  const prompt = promptBound(content.prompt, content.bytes, model);
  const output = outputBound(content.chat, model);
  const bounded: Reserved = { ...checked, promptBound: prompt, outputBound: output };
  const reservation = toReservation(services, bounded);
  if (reservation === undefined) return bounded;
  // Set before the call: if the call times out, the reservation may exist and must be released.
  checked.run.reservation = reservation;
  const result = callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.limiter.reserve(reservation),
    isReservationResult,
  );
  return mapAwaitable(result, (reserved) => {
    if (!reserved.granted) {
      checked.run.reservation = undefined;
      throw limitRefusal(reserved);
    }
    return bounded;
  });
}

function limitRefusal({ refusedBy, state }: Extract<ReservationResult, { granted: false }>): GatewayError {
  const what = refusedBy === "tokens" ? "Too many tokens in this window." : "Too many requests at the same time.";
  return limitError(refusedBy, state, what);
}

function toReservation(services: LimitServices, bounded: Reserved): Reservation | undefined {
  const { key, plan, run } = bounded;
  const window = plan.tokensOf(key);
  const concurrency = plan.concurrencyOf(key);
  if (window === undefined && concurrency === undefined) return undefined;
  return {
    id: run.id,
    subject: limitsIdOf(key),
    leaseMs: services.money.leaseMs,
    tokens: window && { amount: Math.min(tokensToReserve(services, bounded), window.limit), window },
    concurrency,
  };
}

/** A worst case would refuse keys that have used nothing, so the settlement corrects what is reserved, upwards too. */
function tokensToReserve({ money }: LimitServices, { content, model, promptBound, outputBound }: Reserved): number {
  const prompt = Math.min(promptBound, estimateAnyPrompt(content.prompt, content.bytes, model.imageTokens));
  return prompt + outputBound.choices * Math.min(outputBound.perChoice, money.reserveOutputTokens);
}
