import { GatewayError } from "../errors/gateway-error.ts";
import { formatAmount } from "../options/decimal.ts";
import type { HoldResult, SpendRefusal } from "../ports/balance-store.ts";
import type { SpendLimit } from "../ports/spend-limit.ts";
import type { Services } from "../request/services.ts";
import { accountFrozen, termsError } from "./admit.ts";

/** Returns false for an invalid answer of a balance store. */
export function isHoldResult(answer: HoldResult): boolean {
  if (answer?.outcome === "held") return typeof answer.amount === "bigint";
  if (answer?.outcome === "ended") return answer.cost === undefined || typeof answer.cost === "bigint";
  if (answer?.outcome === "insufficient") return typeof answer.balance?.available === "bigint";
  if (answer?.outcome !== "spend_limit") return outcomes.includes(answer?.outcome);
  return typeof answer.spent === "bigint" && typeof answer.limit?.limit === "bigint";
}

const outcomes: readonly HoldResult["outcome"][] = ["key_refused", "terms_refused", "frozen", "conflict"];

type Refusal = Exclude<HoldResult["outcome"], "held" | "insufficient" | "spend_limit">;

/** The error of a hold that was refused for another reason than its amount. */
export function refusedHold(
  services: Services,
  payer: { readonly account: string; readonly id: string | undefined },
  outcome: Refusal,
): GatewayError {
  if (outcome === "frozen") return accountFrozen();
  const required = services.terms.required();
  if (outcome === "terms_refused" && required !== undefined) return termsError(required.version);
  if (outcome === "key_refused") {
    const cause = new Error(
      `The balance store has no active key ${payer.id} of account ${payer.account}. If keys are kept elsewhere, use a balance store that does not check them.`,
    );
    return new GatewayError("revoked_api_key", "This API key is no longer valid. Use another key.", { cause });
  }
  return new GatewayError(
    "internal_error",
    "The balance for this request could not be reserved. Send the request again.",
  );
}

const periods = { day: " for today", week: " for this week", month: " for this month", total: "" } as const;

const ofModels = ({ models }: SpendLimit): string => (models === undefined ? "" : ` for ${models.join(", ")}`);

/** The 402 for an amount that exceeds a spend limit. `lessBy` says how to spend less; undefined if there is no way. */
export function spendLimitReached(
  { scope, limit, spent, resetsAt }: SpendRefusal,
  wanted: bigint,
  lessBy: string | undefined,
): GatewayError {
  const requested = formatAmount(wanted);
  const remaining = formatAmount(limit.limit > spent ? limit.limit - spent : 0n);
  const resets = resetsAt?.toISOString();
  const ways = [resets && `wait until ${resets}`, lessBy, "ask for a higher limit"].filter((way) => way !== undefined);
  return new GatewayError(
    "spend_limit_reached",
    `This request may cost up to ${requested}, but the spend limit of this ${scope}${ofModels(limit)} leaves ${remaining}${periods[limit.window]}. ${sentenceOf(ways)}`,
    {
      metadata: {
        requested,
        remaining,
        scope,
        limit: formatAmount(limit.limit),
        window: limit.window,
        ...(limit.models === undefined ? {} : { models: limit.models }),
        resets_at: resets ?? null,
      },
    },
  );
}

/** "Wait until 5, or send less, or ask for more." */
function sentenceOf(ways: readonly string[]): string {
  const text = ways.join(", or ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
