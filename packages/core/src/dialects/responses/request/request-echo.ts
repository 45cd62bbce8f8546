import { isTranslatable } from "./hosted-tools.ts";
import type { ResponsesRequest } from "./request-schema.ts";
import { otherTools } from "./to-chat-tools.ts";

/** What a response repeats of its request, and what reading the answer needs of it. */
export interface Echo {
  /** The members of the response, with the defaults of those that the request leaves out. */
  readonly members: EchoedMembers;
  /** See {@link otherTools}. */
  readonly otherTools: ReadonlyMap<string, string>;
}

/**
 * Returns what a translated response repeats of its request.
 * Follows https://platform.openai.com/docs/api-reference/responses/object
 */
export function echoOf(request: ResponsesRequest, store: boolean): Echo {
  return { members: membersOf(request, store), otherTools: otherTools(request) };
}

/** The members of a response that repeat its request. */
export type EchoedMembers = ReturnType<typeof membersOf>;

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
export const noEcho: Echo = echoOf({ model: "" }, false);
