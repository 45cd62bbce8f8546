import { GatewayError } from "../errors/gateway-error.ts";
import { affordableOutputAtAll, chargeReceipt, noUsage, worstCaseCost } from "../money/cost.ts";
import { formatAmount } from "../options/decimal.ts";
import type { FlexibleAmount, HoldRequest, HoldResult, SpendRefusal } from "../ports/balance-store.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Model } from "../ports/model.ts";
import type { Call } from "../request/call.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Admission, Caller, CallSize, Hold } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import { termsError } from "./admit.ts";

/**
 * Holds the most that a call can cost. Where the client set no cap, the store may hold less, and what it holds caps the
 * output. In the Messages dialect, every request has a cap, so none is taken as a demand. Throws 402 if the balance or a spend
 * limit does not cover it, 503 for an outage, and the error of a key or of terms that the store finds no longer valid.
 */
export async function placeHold(
  services: Services,
  { exchange, caller, terms }: Admission,
  call: Call,
  model: Model,
  size: CallSize,
): Promise<Hold> {
  const { perChoice, capped, isLowered } = size.outputBound;
  const amount = costOf(model, size, perChoice);
  const outputCap = capped ? perChoice : undefined;
  if (caller.plan.billing === "none") return { id: undefined, amount, outputCap, capWasLowered: isLowered };
  const { id, requestId } = exchange;
  const { key, plan } = caller;
  const request: HoldRequest = {
    id,
    account: key.account,
    keyId: key.id,
    amount,
    flexible: !capped || call.dialect === "messages" ? flexibleAmount(services, model, size) : undefined,
    leaseMs: services.money.leaseMs,
    terms,
    receipt: { requestId, model: model.id, dialect: call.dialect },
    spend: plan.spendOf(key),
    notices: services.notices,
  };
  let result: HoldResult;
  try {
    result = await callStoreWithTimeout(services.storeTimeoutMs, () => services.balances.hold(request), isHoldResult);
  } catch (outage) {
    releaseUncertain(services, exchange, model);
    throw outage;
  }
  if (result.outcome === "insufficient") throw insufficient(model, size, amount, result.balance.available);
  if (result.outcome === "spend_limit") throw spendLimitError(result, amount, model);
  if (result.outcome !== "held") throw refusal(services, caller, result.outcome);
  if (result.amount >= amount) return { id, amount, outputCap, capWasLowered: isLowered };
  const cap = affordablePerChoice(model, size, result.amount);
  return { id, amount: result.amount, outputCap: cap, capWasLowered: cap < perChoice || isLowered };
}

/** The output tokens of one choice that a request gets, if the balance covers them, without taking what others need. */
const freeOutputTokens = 4_096;
const freeOutputTokensOfReasoning = 16_384;

function flexibleAmount({ money }: Services, model: Model, size: CallSize): FlexibleAmount {
  const { perChoice } = size.outputBound;
  const free = model.reasoning === undefined ? freeOutputTokens : freeOutputTokensOfReasoning;
  const least = Math.min(money.minAffordableTokens, perChoice);
  return {
    least: costOf(model, size, least),
    floor: costOf(model, size, Math.max(least, Math.min(free, perChoice))),
  };
}

/** The most that a call can cost if each choice has this many output tokens. */
const costOf = (model: Model, { promptBound, outputBound }: CallSize, perChoice: number): bigint =>
  worstCaseCost(model.prices, promptBound, perChoice * outputBound.choices);

function affordablePerChoice(model: Model, { promptBound, outputBound }: CallSize, available: bigint): number {
  const affordable = affordableOutputAtAll(model.prices, available, promptBound);
  return Math.min(outputBound.perChoice, Math.floor(affordable / outputBound.choices));
}

/** Releases a hold in the background that may exist, because the call of the store failed. */
function releaseUncertain(
  services: Services,
  { id, startedAt, request }: Exchange,
  { targets: [target] }: Model,
): void {
  const unused = { target, usage: noUsage, basis: "estimated", startedAt, status: "refused" } as const;
  void services.settlements.release(id, chargeReceipt(unused));
  request.waitUntil?.(services.settlements.whenTaken(id));
}

function isHoldResult(answer: HoldResult): boolean {
  if (answer?.outcome === "held") return typeof answer.amount === "bigint";
  if (answer?.outcome === "insufficient") return typeof answer.balance?.available === "bigint";
  if (answer?.outcome !== "spend_limit") return outcomes.includes(answer?.outcome);
  return typeof answer.spent === "bigint" && typeof answer.limit?.limit === "bigint";
}

const outcomes: readonly HoldResult["outcome"][] = ["key_refused", "terms_refused", "conflict"];

type Refusal = Exclude<HoldResult["outcome"], "held" | "insufficient" | "spend_limit">;

function refusal(services: Services, { key }: Caller, outcome: Refusal): GatewayError {
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

function insufficient(model: Model, size: CallSize, wanted: bigint, left: bigint): GatewayError {
  const requested = formatAmount(wanted);
  const available = formatAmount(left);
  if (model.kind === "embedding") {
    const message = `This request may cost up to ${requested}, but only ${available} is available. Top up the balance or send fewer inputs.`;
    return new GatewayError("insufficient_balance", message, { metadata: { requested, available } });
  }
  const tokens = affordablePerChoice(model, size, left);
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

const periods = { day: " for today", week: " for this week", month: " for this month", total: "" } as const;

function spendLimitError(
  { scope, limit, spent, resetsAt }: SpendRefusal,
  wanted: bigint,
  { kind }: Model,
): GatewayError {
  const requested = formatAmount(wanted);
  const remaining = formatAmount(limit.limit > spent ? limit.limit - spent : 0n);
  const resets = resetsAt?.toISOString();
  const less = kind === "chat" ? "lower `max_tokens`" : "send fewer inputs";
  const advice =
    resets === undefined ? `${less.charAt(0).toUpperCase()}${less.slice(1)}` : `Wait until ${resets}, or ${less}`;
  return new GatewayError(
    "spend_limit_reached",
    `This request may cost up to ${requested}, but the spend limit of this ${scope} leaves ${remaining}${periods[limit.window]}. ${advice}, or ask for a higher limit.`,
    {
      metadata: {
        requested,
        remaining,
        scope,
        limit: formatAmount(limit.limit),
        window: limit.window,
        resets_at: resets ?? null,
      },
    },
  );
}
