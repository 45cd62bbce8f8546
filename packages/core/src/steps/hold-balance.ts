import { GatewayError } from "../errors/gateway-error.ts";
import { affordableOutputAtAll, dearestHold } from "../money/cost.ts";
import { formatAmount } from "../money/decimal.ts";
import type { Price } from "../money/price.ts";
import type { HoldRequest, HoldResult } from "../ports/balance-store.ts";
import type { Services } from "../services.ts";
import { askStore } from "./ask-store.ts";
import { termsError } from "./require-terms.ts";
import type { Reserved } from "./reserve-tokens.ts";

/** A request that is paid for as far as it may go; whoever has it must settle or release the hold. */
export interface Held extends Reserved {
  /** The id of the hold; undefined when the plan does not bill. */
  readonly holdId: string | undefined;
  readonly holdAmount: bigint;
  /** The most tokens of one choice that go upstream as a cap; undefined: the model's own maximum. */
  readonly outputCap: number | undefined;
  /** The cap was lowered to what the account can pay. */
  readonly capWasLowered: boolean;
}

/** Check 10: the balance. Without a cap from the client, the output shrinks to what is affordable before 402. */
export async function holdBalance(services: Services, reserved: Reserved): Promise<Held> {
  const { outputBound, plan, model } = reserved;
  const prices = model.targets.map((target) => target.price);
  const whole = dearestHold(prices, reserved.promptBound, outputBound.total);
  const outputCap = outputBound.capped ? outputBound.perChoice : undefined;
  const asked = { ...reserved, holdAmount: whole, outputCap, capWasLowered: false };
  if (plan.billing === "none") return { ...asked, holdId: undefined };

  const first = await placeHold(services, reserved, whole);
  if (first.outcome === "held") return { ...asked, holdId: first.id };
  if (outputBound.capped) throw insufficient(reserved, prices, whole, first.available);
  return holdAffordable(services, reserved, prices, whole, first.available);
}

// Others spend from the same balance meanwhile, so what is affordable may shrink between two tries.
const maxTries = 3;

async function holdAffordable(
  services: Services,
  reserved: Reserved,
  prices: readonly Price[],
  whole: bigint,
  available: bigint,
): Promise<Held> {
  let left = available;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const outputCap = affordablePerChoice(reserved, prices, left);
    if (outputCap < Math.min(services.money.minAffordableTokens, reserved.outputBound.perChoice)) break;
    const amount = dearestHold(prices, reserved.promptBound, outputCap * reserved.outputBound.choices);
    const placed = await placeHold(services, reserved, amount);
    if (placed.outcome === "held") {
      return { ...reserved, holdId: placed.id, holdAmount: amount, outputCap, capWasLowered: true };
    }
    left = placed.available;
  }
  throw insufficient(reserved, prices, whole, left);
}

type Placed =
  | { readonly outcome: "held"; readonly id: string }
  | { readonly outcome: "insufficient"; readonly available: bigint };

async function placeHold(services: Services, { key, acceptableTerms }: Reserved, amount: bigint): Promise<Placed> {
  const id = crypto.randomUUID();
  const request = {
    id,
    account: key.account,
    keyId: key.id,
    amount,
    leaseMs: services.money.leaseMs,
    terms: acceptableTerms,
  };
  const result = await askHold(services, request);
  if (result.outcome === "held") return { outcome: "held", id };
  if (result.outcome === "insufficient") return { outcome: "insufficient", available: result.balance.available };
  throw refusal(services, result.outcome);
}

async function askHold(services: Services, request: HoldRequest): Promise<HoldResult> {
  try {
    return await askStore(services.storeTimeoutMs, () => services.balances.hold(request));
  } catch (outage) {
    // Nobody knows whether the hold was made, so it is given back behind the answer.
    void services.settlements.release(request.id);
    throw outage;
  }
}

function refusal(services: Services, outcome: Exclude<HoldResult["outcome"], "held" | "insufficient">): GatewayError {
  const required = services.terms.required();
  if (outcome === "terms_refused" && required !== undefined) return termsError(required.version);
  if (outcome === "key_refused") {
    return new GatewayError("revoked_api_key", "This API key has ended. Use another key.");
  }
  return new GatewayError("internal_error", "The request could not be booked. Send it again.");
}

function affordablePerChoice(reserved: Reserved, prices: readonly Price[], available: bigint): number {
  const affordable = affordableOutputAtAll(prices, available, reserved.promptBound);
  return Math.min(reserved.outputBound.perChoice, Math.floor(affordable / reserved.outputBound.choices));
}

function insufficient(
  reserved: Reserved,
  prices: readonly Price[],
  requested: bigint,
  available: bigint,
): GatewayError {
  const tokens = Math.max(0, affordablePerChoice(reserved, prices, available));
  return new GatewayError(
    "insufficient_balance",
    `This request may cost ${formatAmount(requested)}, and ${formatAmount(available)} is available, enough for ${tokens} output tokens. Top up the balance or lower \`max_tokens\`.`,
    {
      metadata: {
        requested: formatAmount(requested),
        available: formatAmount(available),
        affordable_output_tokens: tokens,
      },
    },
  );
}
