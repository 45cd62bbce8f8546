import type { ChatCompletionRequest } from "@tollgate/core/provider";
import type { MessagesRequest } from "./messages-api.ts";
import type { ModelLimits } from "./model-limits.ts";
import { rejected } from "./rejected.ts";

type Sampling = Pick<MessagesRequest, "temperature" | "top_p" | "top_k">;

/**
 * Maps `temperature`, `top_p` and `top_k`, and leaves out what the API refuses: all of them for the newest models, and while
 * a model thinks, all but a `temperature` of 1 and a `top_p` of at least 0.95. Throws a ProviderError of the kind `rejected` for other values that the
 * API refuses. Follows https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility
 */
export function toSampling(request: ChatCompletionRequest, limits: ModelLimits, thinks: boolean): Sampling {
  if (limits.refusesSampling) return {};
  const allowed = (value: number | undefined, least: number) =>
    thinks && value !== undefined && value < least ? undefined : value;
  const temperature = allowed(toFraction("temperature", request.temperature), 1);
  const topP = allowed(toFraction("top_p", request["top_p"]), 0.95);
  const topK = toTopK(request["top_k"]);
  const both = limits.refusesBothSamplings && temperature !== undefined && topP !== undefined;
  // The default of both is 1.
  const isDefault = temperature === 1;
  return {
    temperature: both && isDefault ? undefined : temperature,
    top_p: both && !isDefault ? undefined : topP,
    top_k: thinks ? undefined : topK,
  };
}

function toFraction(field: string, value: unknown): number | undefined {
  if (value == null) return undefined;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw rejected(field, "must be a number from 0 to 1 for this model.");
}

function toTopK(value: unknown): number | undefined {
  if (value == null) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw rejected("top_k", "must be an integer of at least 0.");
}
