import type Anthropic from "@anthropic-ai/sdk";
import { type AnswerPart, type AnswerTokens, type ModelAnswer, textOf } from "./model-answer.ts";
import type { ApiForm, UpstreamEvent } from "./upstream-event.ts";

/** Answers as Anthropic's Messages API sends them. Follows https://platform.claude.com/docs/en/build-with-claude/streaming */
export const messagesForm: ApiForm<ModelAnswer> = {
  whole: (answer, model) => ({
    ...opening(answer, model),
    content: answer.parts.map(blockOf),
    ...ending(answer),
    usage: usageOf(answer.tokens),
  }),
  events: (answer, model) => [
    named({ type: "message_start", message: opening(answer, model) }),
    ping,
    ...answer.parts.flatMap(blockEvents),
    named({ type: "message_delta", delta: { container: null, ...ending(answer) }, usage: deltaUsage(answer.tokens) }),
    named({ type: "message_stop" }),
  ],
  error: (message) => ({ type: "error", error: { type: "api_error", message }, request_id: "req_upstream" }),
  errorEvent: (message) => ({
    name: "error",
    data: { type: "error", error: { type: "overloaded_error", message } },
    isContent: false,
  }),
};

const ping: UpstreamEvent = { name: "ping", data: { type: "ping" }, isContent: false };

/** A block on the wire, where a text has no `citations` unless there are some. */
type WireBlock = Exclude<Anthropic.ContentBlock, Anthropic.TextBlock> | Omit<Anthropic.TextBlock, "citations">;

function named<Event extends { readonly type: string }>(data: Event): UpstreamEvent {
  return { name: data.type, data, isContent: data.type === "content_block_delta" };
}

/** The message as `message_start` has it: without content and end. */
const opening = ({ tokens }: ModelAnswer, model: string): Anthropic.Message => ({
  id: "msg_upstream_01",
  type: "message",
  role: "assistant",
  model,
  content: [],
  container: null,
  diagnostics: null,
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  usage: usageOf({ ...tokens, output: 1, reasoning: 0 }),
});

const stopReasons = { stop: "end_turn", length: "max_tokens", tools: "tool_use", refusal: "refusal" } as const;

const ending = ({ end }: ModelAnswer) => ({
  stop_reason: stopReasons[end],
  stop_sequence: null,
  stop_details: end === "refusal" ? ({ type: "refusal", category: null, explanation: null } as const) : null,
});

const usageOf = (tokens: AnswerTokens): Anthropic.Usage => ({
  input_tokens: tokens.input,
  cache_creation_input_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
  cache_read_input_tokens: tokens.cacheRead,
  cache_creation: {
    ephemeral_5m_input_tokens: tokens.cacheWrite5m,
    ephemeral_1h_input_tokens: tokens.cacheWrite1h,
  },
  output_tokens: tokens.output,
  output_tokens_details: tokens.reasoning === 0 ? null : { thinking_tokens: tokens.reasoning },
  inference_geo: null,
  server_tool_use: null,
  service_tier: "standard",
  speed: null,
});

const deltaUsage = (tokens: AnswerTokens): Anthropic.MessageDeltaUsage => ({
  input_tokens: tokens.input,
  cache_creation_input_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
  cache_read_input_tokens: tokens.cacheRead,
  output_tokens: tokens.output,
  output_tokens_details: tokens.reasoning === 0 ? null : { thinking_tokens: tokens.reasoning },
  server_tool_use: null,
});

function blockOf(part: AnswerPart): WireBlock {
  if (part.type === "redacted thinking") return { type: "redacted_thinking", data: part.data };
  const text = textOf(part);
  if (part.type === "thinking") return { type: "thinking", thinking: text, signature: part.signature };
  if (part.type !== "tool") return { type: "text", text };
  return { type: "tool_use", id: part.id, name: part.name, input: JSON.parse(text), caller: { type: "direct" } };
}

function blockEvents(part: AnswerPart, index: number): UpstreamEvent[] {
  const events = [
    { type: "content_block_start", index, content_block: emptyBlock(part) },
    ...deltasOf(part).map((delta) => ({ type: "content_block_delta" as const, index, delta })),
    { type: "content_block_stop", index },
  ];
  return events.map(named);
}

function emptyBlock(part: AnswerPart): WireBlock {
  if (part.type === "redacted thinking") return blockOf(part);
  if (part.type === "tool") return { ...blockOf({ ...part, pieces: ["{}"] }) };
  return blockOf(part.type === "thinking" ? { ...part, pieces: [], signature: "" } : { ...part, pieces: [] });
}

function deltasOf(part: AnswerPart): object[] {
  if (part.type === "redacted thinking") return [];
  if (part.type === "tool") return part.pieces.map((partial_json) => ({ type: "input_json_delta", partial_json }));
  if (part.type !== "thinking") return part.pieces.map((text) => ({ type: "text_delta", text }));
  return [
    ...part.pieces.map((thinking) => ({ type: "thinking_delta" as const, thinking })),
    { type: "signature_delta", signature: part.signature },
  ];
}
