import { GatewayError } from "../errors/gateway-error.ts";
import { isReservationResult, limitError } from "../limits/limiter-results.ts";
import {
  affordableOutputAtAll,
  chargeReceipt,
  noUsage,
  outputBound,
  promptBound,
  worstCaseCost,
} from "../money/cost.ts";
import { formatAmount } from "../options/decimal.ts";
import type { HoldRequest, HoldResult } from "../ports/balance-store.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Reservation, ReservationResult } from "../ports/limiter.ts";
import type { Checked, Funds, Held, Reserved } from "../request/request-stages.ts";
import type { HoldServices, LimitServices } from "../request/services.ts";
import { type Awaitable, catchAwaitable, mapAwaitable } from "../runtime/awaitable.ts";
import { termsError } from "./admit.ts";
import { spendLimitError } from "./spend-limit-error.ts";

/** Check 10: the balance. If the client set no cap, the output is capped at what the balance affords before 402 is returned. */
export function holdBalance(services: HoldServices, reserved: Reserved): Awaitable<Held> {
  return mapAwaitable(findFunds(services, reserved), (funds) => {
    reserved.meta.report.mark("held");
    return { ...reserved, funds };
  });
}

function findFunds(services: HoldServices, reserved: Reserved): Awaitable<Funds> {
  const { outputBound, plan, model } = reserved;
  const amount = worstCaseCost(model.prices, reserved.promptBound, outputBound.total);
  const outputCap = outputBound.capped ? outputBound.perChoice : undefined;
  if (plan.billing === "none") return { holdId: undefined, amount, outputCap, capWasLowered: false };
  return mapAwaitable(placeHold(services, reserved, reserved.run.id, amount), (placed): Awaitable<Funds> => {
    if (placed.outcome === "held") return { holdId: placed.id, amount, outputCap, capWasLowered: false };
    if (outputBound.capped) throw placed.refusal(amount);
    return findLess(services, reserved, amount, placed);
  });
}

// Other requests spend from the same balance, so the affordable output may shrink between two tries.
const maxTries = 3;

async function findLess(
  services: HoldServices,
  reserved: Reserved,
  wanted: bigint,
  first: Extract<Placed, { outcome: "refused" }>,
): Promise<Funds> {
  const { outputBound, promptBound, model } = reserved;
  const least = Math.min(services.money.minAffordableTokens, outputBound.perChoice);
  let refused = first;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const outputCap = affordablePerChoice(reserved, refused.left);
    if (outputCap < least) break;
    const amount = worstCaseCost(model.prices, promptBound, outputCap * outputBound.choices);
    const placed = await placeHold(services, reserved, crypto.randomUUID(), amount);
    if (placed.outcome === "held") return { holdId: placed.id, amount, outputCap, capWasLowered: true };
    refused = placed;
  }
  throw refused.refusal(wanted);
}

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
 * A hold that was placed, or what the balance or the spend limit leaves, in nano-units, with the error for a request that
 * wanted an amount.
 */
export type Placed =
  | { readonly outcome: "held"; readonly id: string }
  | { readonly outcome: "refused"; readonly left: bigint; refusal(wanted: bigint): GatewayError };

/** Asks the store for a hold with this id, a UUID. Throws for an outage, and if the store finds the key or the accepted terms no longer valid. */
export function placeHold(services: HoldServices, reserved: Reserved, id: string, amount: bigint): Awaitable<Placed> {
  const { key, acceptableTerms, requestId, model } = reserved;
  const request = {
    id,
    account: key.account,
    keyId: key.id,
    amount,
    leaseMs: services.money.leaseMs,
    terms: acceptableTerms,
    receipt: { requestId, model: model.id, dialect: reserved.content.dialect },
    spend: reserved.plan.spendOf(key),
    notices: services.notices,
  };
  return mapAwaitable(ask(services, reserved, request), (result): Placed => {
    if (result.outcome === "held") return { outcome: "held", id };
    if (result.outcome === "insufficient") {
      const left = result.balance.available;
      return { outcome: "refused", left, refusal: (wanted) => insufficient(reserved, wanted, left) };
    }
    if (result.outcome === "spend_limit") {
      const left = result.limit.limit - result.spent;
      return { outcome: "refused", left, refusal: (wanted) => spendLimitError(result, wanted, model) };
    }
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
  if (answer?.outcome === "insufficient") return typeof answer.balance?.available === "bigint";
  if (answer?.outcome !== "spend_limit") return outcomes.includes(answer?.outcome);
  return typeof answer.spent === "bigint" && typeof answer.limit?.limit === "bigint";
}

const outcomes: readonly HoldResult["outcome"][] = ["held", "key_refused", "terms_refused", "conflict"];

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
  const reservation = toReservation(services, checked, prompt + output.total);
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

function toReservation(
  services: LimitServices,
  { key, plan, run }: Checked,
  estimate: number,
): Reservation | undefined {
  const window = plan.tokensOf(key);
  const concurrency = plan.concurrencyOf(key);
  if (window === undefined && concurrency === undefined) return undefined;
  return {
    id: run.id,
    subject: key.id,
    leaseMs: services.money.leaseMs,
    tokens: window && { amount: Math.min(estimate, window.limit), window },
    concurrency,
  };
}
