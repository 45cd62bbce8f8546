import type { ChatCompletionRequest } from "@tollgate/core/provider";
import { toConversation } from "./conversation.ts";
import { isJsonObject } from "./json-object.ts";
import type { MessagesRequest } from "./messages-api.ts";
import { limitsOf } from "./model-limits.ts";
import { toReasoning } from "./reasoning.ts";
import { refuseFields } from "./refused-fields.ts";
import { rejected } from "./rejected.ts";
import { toFormat } from "./response-format.ts";
import { toSampling } from "./sampling.ts";
import { StrictBudget } from "./strict-budget.ts";
import { toTools } from "./tools.ts";

/** Options that the host sets for all requests. */
export interface RequestDefaults {
  readonly maxTokens: number;
  readonly thinking: "adaptive" | "budget";
}

/**
 * Maps a request to the Messages API, without `stream`. Throws a ProviderError of the kind `rejected` that names the
 * field if the API does not support it.
 */
export function toMessagesRequest(request: ChatCompletionRequest, defaults: RequestDefaults): MessagesRequest {
  refuseFields(request);
  const { system, turns } = toConversation(request.messages);
  const limits = limitsOf(request.model);
  // The form of the answer was asked for, so it comes before the tools.
  const budget = new StrictBudget();
  const { format, instruction } = toFormat(request, budget);
  const { tools, tool_choice: choice } = toTools(request, limits, budget);
  const maxTokens = request.max_tokens ?? request.max_completion_tokens ?? defaults.maxTokens;
  const { thinking, effort } = toReasoning(request, { style: defaults.thinking, maxTokens, choice, turns, limits });
  const thinks = thinking !== undefined && thinking.type !== "disabled";
  const instructions = instruction === undefined ? system : [...system, instruction];
  return {
    model: request.model,
    max_tokens: maxTokens,
    messages: turns,
    system: instructions.length === 0 ? undefined : instructions,
    tools,
    tool_choice: choice,
    stop_sequences: toStopSequences(request["stop"]),
    ...toSampling(request, limits, thinks),
    metadata: toMetadata(request),
    thinking,
    output_config: effort === undefined && format === undefined ? undefined : { effort, format },
  };
}

function toStopSequences(stop: unknown): readonly string[] | undefined {
  if (stop == null) return undefined;
  const sequences: unknown[] = Array.isArray(stop) ? stop : [stop];
  if (sequences.every(isSequence)) return sequences.length === 0 ? undefined : sequences;
  throw rejected("stop", "must be a string or an array of strings, none of which is blank.");
}

const isSequence = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

function toMetadata(request: ChatCompletionRequest): MessagesRequest["metadata"] {
  const metadata = isJsonObject(request["metadata"]) ? request["metadata"] : {};
  const user = [request["safety_identifier"], request["user"], metadata["user_id"]].find(isSequence);
  return user === undefined ? undefined : { user_id: user };
}
