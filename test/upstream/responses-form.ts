import type OpenAI from "openai";
import { type AnswerTokens, type ModelAnswer, promptTokens } from "./model-answer.ts";
import { itemEvents, itemOf } from "./response-items.ts";
import type { ApiForm, UpstreamEvent } from "./upstream-event.ts";

/** A response on the wire. The SDK adds `output_text`. */
type WireResponse = Omit<OpenAI.Responses.Response, "output_text">;

/** Answers as OpenAI's Responses API sends them. Follows https://platform.openai.com/docs/api-reference/responses-streaming */
export const responsesForm: ApiForm<ModelAnswer> = {
  whole: (answer, model) => ended(answer, model),
  events: (answer, model) => {
    const unnumbered = [
      { type: "response.created", response: opened(model, answer) },
      { type: "response.in_progress", response: opened(model, answer) },
      ...answer.parts.flatMap(itemEvents),
      { type: isIncomplete(answer) ? "response.incomplete" : "response.completed", response: ended(answer, model) },
    ];
    return unnumbered.map((event, sequence_number) => named({ ...event, sequence_number }));
  },
  error: (message) => ({ error: { message, type: "server_error", param: null, code: null } }),
  errorEvent: (message, before) =>
    named({ type: "error", code: "server_is_overloaded", message, param: null, sequence_number: before }),
};

function named<Event extends { readonly type: string }>(data: Event): UpstreamEvent {
  return { name: data.type, data, isContent: data.type.endsWith(".delta") };
}

const isIncomplete = ({ end }: ModelAnswer): boolean => end === "length";

/** The members that the API returns with every response. */
const opened = (model: string, { responseId = "resp_upstream_01" }: ModelAnswer): WireResponse => ({
  id: responseId,
  object: "response",
  created_at: 1_700_000_000,
  status: "in_progress",
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  service_tier: "default",
  temperature: 1,
  text: { format: { type: "text" }, verbosity: "medium" },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
});

const ended = (answer: ModelAnswer, model: string): WireResponse => ({
  ...opened(model, answer),
  status: isIncomplete(answer) ? "incomplete" : "completed",
  incomplete_details: isIncomplete(answer) ? { reason: "max_output_tokens" } : null,
  output: answer.parts.map(itemOf),
  usage: usageOf(answer.tokens),
});

const usageOf = (tokens: AnswerTokens): OpenAI.Responses.ResponseUsage => ({
  input_tokens: promptTokens(tokens),
  input_tokens_details: {
    cached_tokens: tokens.cacheRead,
    cache_write_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
  },
  output_tokens: tokens.output,
  output_tokens_details: { reasoning_tokens: tokens.reasoning },
  total_tokens: promptTokens(tokens) + tokens.output,
});
