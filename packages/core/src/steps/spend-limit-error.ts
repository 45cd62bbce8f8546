import { GatewayError } from "../errors/gateway-error.ts";
import { formatAmount } from "../options/decimal.ts";
import type { SpendRefusal } from "../ports/balance-store.ts";
import type { Model } from "../ports/model.ts";

const periods = { day: " for today", week: " for this week", month: " for this month", total: "" } as const;

/** Returns the error for a hold that exceeds a spend limit. `wanted` is the amount of the request in nano-units. */
export function spendLimitError(
  { scope, limit, spent, resetsAt }: SpendRefusal,
  wanted: bigint,
  { kind }: Pick<Model, "kind">,
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
