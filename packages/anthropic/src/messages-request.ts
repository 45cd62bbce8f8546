import { isPlainObject } from "@tollgate/core/internal";
import { type ChatCompletionRequest, writeLosslessJson } from "@tollgate/core/provider";
import { toConversation } from "./conversation.ts";
import type { AnthropicOptions } from "./endpoint.ts";
import type { MessagesRequest, OutputConfig, TextBlock } from "./messages-api.ts";
import { limitsOf, type ModelLimits } from "./model-limits.ts";
import { toReasoning } from "./reasoning.ts";
import { refuseFields, rejected } from "./rejected.ts";
import { StrictBudget } from "./strict-schema.ts";
import { toTools } from "./tools.ts";

/** Options that the host sets for all requests. */
export type RequestDefaults = Required<Pick<AnthropicOptions, "maxTokens" | "thinking">>;

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
  const metadata = isPlainObject(request["metadata"]) ? request["metadata"] : {};
  const user = [request["safety_identifier"], request["user"], metadata["user_id"]].find(isSequence);
  return user === undefined ? undefined : { user_id: user };
}

/**
 * Maps `temperature`, `top_p` and `top_k`, and leaves out what the API refuses: all of them for the newest models, and while
 * a model thinks, all but a `temperature` of 1 and a `top_p` of at least 0.95. Throws a ProviderError of the kind `rejected` for other values that the
 * API refuses. Follows https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility
 */
function toSampling(
  request: ChatCompletionRequest,
  limits: ModelLimits,
  thinks: boolean,
): Pick<MessagesRequest, "temperature" | "top_p" | "top_k"> {
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

/**
 * Maps `response_format` to structured output, or to an instruction for `system`. The API has no format for an arbitrary JSON object, and its newer models
 * reject a forced tool, so `json_object` becomes an instruction, and so does a schema that strict output cannot express
 * or that is too complex for it.
 * Follows https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
function toFormat(
  { response_format: requested }: ChatCompletionRequest,
  budget: StrictBudget,
): Pick<OutputConfig, "format"> & { readonly instruction?: TextBlock } {
  if (requested == null) return {};
  if (requested.type === "json_object") return { instruction: { type: "text", text: onlyJson } };
  const { schema } = requested.json_schema;
  const strict = budget.addFormat(schema);
  if (strict !== undefined) return { format: { type: "json_schema", schema: strict } };
  return {
    instruction: { type: "text", text: `${onlyJson} It must match this JSON Schema:\n${writeLosslessJson(schema)}` },
  };
}

const onlyJson =
  "Answer with one valid JSON object and nothing else: no words before or after it, and no Markdown around it.";
