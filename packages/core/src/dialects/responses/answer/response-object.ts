import type { PaidCall } from "../../../request/paid-call.ts";
import { countByClass, type Usage } from "../../../wire/usage.ts";
import { isTranslatable } from "../request/hosted-tools.ts";
import { ResponsesNativeRequest } from "../request/native-request.ts";
import type { ResponsesRequest } from "../request/request-schema.ts";
import { otherTools } from "../request/to-chat-tools.ts";
import { type OutputItem, ResponseIds } from "./output-items.ts";

/** What a translated response takes from its request. */
export interface ResponseHead {
  readonly ids: ResponseIds;
  readonly createdAt: number;
  readonly model: string;
  readonly echo: ReturnType<typeof echoOf>;
}

/** Returns what the response to a request takes from it. It refers to the tools and instructions, but not to the input. */
export function headOf({ exchange, model, call }: Pick<PaidCall, "exchange" | "model" | "call">): ResponseHead {
  const { id, startedAt } = exchange;
  const { native } = call;
  const echo =
    native instanceof ResponsesNativeRequest ? echoOf(native.parts.exact(), native.parts.state.store) : noEcho;
  return { ids: new ResponseIds(id), createdAt: Math.floor(startedAt / 1000), model: model.id, echo };
}

/**
 * Returns the members of a response that repeat its request, with the defaults of those that the request leaves out, and the
 * other tools that reading the answer needs, see {@link otherTools}.
 */
export const echoOf = (request: ResponsesRequest, store: boolean) => ({
  members: membersOf(request, store),
  otherTools: otherTools(request),
});

function membersOf(request: ResponsesRequest, store: boolean) {
  const { reasoning, text, tools } = request;
  const kept = (tools ?? []).filter(isTranslatable);
  return {
    background: false,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: null,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: "default" as const,
    store,
    temperature: request.temperature ?? 1,
    text: { format: text?.format ?? { type: "text" }, verbosity: text?.verbosity ?? "medium" },
    tool_choice: (kept.length > 0 ? request.tool_choice : undefined) ?? "auto",
    tools: kept,
    top_logprobs: 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? "disabled",
    ...(request.user == null ? {} : { user: request.user }),
  };
}

/** What is repeated of a request that was released. */
const noEcho = echoOf({ model: "" }, false);

/** What tells one state of a response from another. */
interface ResponseState {
  readonly status: "in_progress" | "completed" | "incomplete" | "failed";
  readonly output: OutputItem[];
  readonly usage?: Usage;
  readonly error?: { readonly code: "server_error" | "rate_limit_exceeded"; readonly message: string };
  readonly incomplete_details?: ReturnType<typeof endingOf>["incomplete_details"];
}

/** A response. Follows https://platform.openai.com/docs/api-reference/responses/object */
export type ResponseObject = ReturnType<typeof responseObject>;

/** Makes the response in one of its states. */
export function responseObject({ ids, createdAt, model, echo }: ResponseHead, state: ResponseState) {
  const { status, output, usage, error, incomplete_details } = state;
  return {
    id: ids.response,
    object: "response" as const,
    created_at: createdAt,
    status,
    completed_at: status === "completed" ? Math.floor(Date.now() / 1000) : null,
    error: error ?? null,
    incomplete_details: incomplete_details ?? null,
    model,
    output,
    ...echo.members,
    usage: usage === undefined ? null : toResponseUsage(usage),
  };
}

/** Translates a finish_reason of a chat completion to the end of a response. */
export function endingOf(finishReason: string | undefined) {
  if (finishReason === "length")
    return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } } as const;
  if (finishReason === "content_filter")
    return { status: "incomplete", incomplete_details: { reason: "content_filter" } } as const;
  return { status: "completed", incomplete_details: null } as const;
}

/** Translates a usage to that of a response. Follows https://platform.openai.com/docs/api-reference/responses/object */
export function toResponseUsage(usage: Usage) {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning } = countByClass(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite5m + cacheWrite1h },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: usage.total_tokens,
  };
}
