import { GatewayError } from "../errors/gateway-error.ts";
import { affordableOutputAtAll, chargeReceipt, noUsage, worstCaseCost } from "../money/cost.ts";
import { formatAmount } from "../options/decimal.ts";
import type { FlexibleAmount, HoldRequest, HoldResult } from "../ports/balance-store.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Model } from "../ports/model.ts";
import type { Call } from "../request/call.ts";
import type { Exchange } from "../request/exchange.ts";
import { type Admission, type CallSize, type Hold, spendOf } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import { requireThawed } from "./admit.ts";
import { isHoldResult, refusedHold, spendLimitReached } from "./hold-refusals.ts";

/**
 * Holds the most that a call can cost. Where the client set no cap, the store may hold less, and what it holds caps the
 * output. In the Messages dialect, every request has a cap, so none is taken as a demand. Throws 402 if the balance or a spend
 * limit does not cover it, 403 for a frozen account, 503 for an outage, and the error of a key or of terms that the store finds
 * no longer valid.
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
  if (caller.plan.billing === "none") {
    await requireThawed(services, caller);
    return { reference: undefined, amount, outputCap, capWasLowered: isLowered };
  }
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
    spend: spendOf(caller),
    notices: services.notices,
    allowance: plan.allowance,
  };
  let result: HoldResult;
  try {
    result = await callStoreWithTimeout(services.storeTimeoutMs, () => services.balances.hold(request), isHoldResult);
  } catch (outage) {
    releaseUncertain(services, exchange, model, request);
    throw outage;
  }
  if (result.outcome === "insufficient") throw insufficient(model, size, amount, result.balance.available);
  if (result.outcome === "spend_limit") throw spendLimitReached(result, amount, waysToSpendLess(model));
  if (result.outcome !== "held") throw refusedHold(services, key, result.outcome);
  if (result.amount >= amount) return { reference: request, amount, outputCap, capWasLowered: isLowered };
  const cap = affordablePerChoice(model, size, result.amount);
  return { reference: request, amount: result.amount, outputCap: cap, capWasLowered: cap < perChoice || isLowered };
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
  { startedAt, request }: Exchange,
  { targets: [target] }: Model,
  hold: HoldRequest,
): void {
  const unused = { target, tier: undefined, usage: noUsage, basis: "estimated", startedAt, status: "refused" } as const;
  void services.settlements.release(hold, chargeReceipt(unused));
  request.waitUntil?.(services.settlements.whenTaken(hold));
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

const waysToSpendLess = ({ kind }: Model): string => (kind === "chat" ? "lower `max_tokens`" : "send fewer inputs");
