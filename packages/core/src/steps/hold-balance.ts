import { GatewayError } from "../errors/gateway-error.ts";
import { affordableOutputAtAll, worstCaseCost } from "../money/cost.ts";
import { formatAmount } from "../options/decimal.ts";
import type { Funds, Held, Reserved } from "../request/request-stages.ts";
import type { HoldServices } from "../request/services.ts";
import { type Awaitable, mapAwaitable } from "../runtime/awaitable.ts";
import { placeHold } from "./place-hold.ts";

/** Check 10: the balance. Without a cap from the client, the output shrinks to what is affordable before 402. */
export function holdBalance(services: HoldServices, reserved: Reserved): Awaitable<Held> {
  return mapAwaitable(findFunds(services, reserved), (funds) => ({ ...reserved, funds }));
}

function findFunds(services: HoldServices, reserved: Reserved): Awaitable<Funds> {
  const { outputBound, plan, model } = reserved;
  const amount = worstCaseCost(model.prices, reserved.promptBound, outputBound.total);
  const outputCap = outputBound.capped ? outputBound.perChoice : undefined;
  if (plan.billing === "none") return { holdId: undefined, amount, outputCap, capWasLowered: false };
  return mapAwaitable(placeHold(services, reserved, reserved.run.id, amount), (placed): Awaitable<Funds> => {
    if (placed.outcome === "held") return { holdId: placed.id, amount, outputCap, capWasLowered: false };
    if (outputBound.capped) throw insufficient(reserved, amount, placed.available);
    return findLess(services, reserved, amount, placed.available);
  });
}

// Others spend from the same balance meanwhile, so what is affordable may shrink between two tries.
const maxTries = 3;

async function findLess(services: HoldServices, reserved: Reserved, wanted: bigint, available: bigint): Promise<Funds> {
  const { outputBound, promptBound, model } = reserved;
  const least = Math.min(services.money.minAffordableTokens, outputBound.perChoice);
  let left = available;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const outputCap = affordablePerChoice(reserved, left);
    if (outputCap < least) break;
    const amount = worstCaseCost(model.prices, promptBound, outputCap * outputBound.choices);
    const placed = await placeHold(services, reserved, crypto.randomUUID(), amount);
    if (placed.outcome === "held") return { holdId: placed.id, amount, outputCap, capWasLowered: true };
    left = placed.available;
  }
  throw insufficient(reserved, wanted, left);
}

function affordablePerChoice({ model, promptBound, outputBound }: Reserved, available: bigint): number {
  const affordable = affordableOutputAtAll(model.prices, available, promptBound);
  return Math.min(outputBound.perChoice, Math.floor(affordable / outputBound.choices));
}

function insufficient(reserved: Reserved, wanted: bigint, left: bigint): GatewayError {
  const requested = formatAmount(wanted);
  const available = formatAmount(left);
  const tokens = affordablePerChoice(reserved, left);
  return new GatewayError(
    "insufficient_balance",
    `This request may cost up to ${requested}, but only ${available} is available, which is enough for ${tokens} output tokens. Top up the balance or lower \`max_tokens\`.`,
    { metadata: { requested, available, affordable_output_tokens: tokens } },
  );
}
