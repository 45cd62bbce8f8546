// The answers of a provider of Anthropic's Messages API and OpenAI's Responses API, as their documentation shows them.

const sentence = "The capital of France is Paris and it is known for the tower and the river and the food. ";
const text = sentence.repeat(4).trimEnd();

/** The events of a streamed answer: those before its content, one of content, and the last three writes. */
interface StreamedEvents {
  readonly start: readonly string[];
  readonly content: string;
  readonly tail: readonly [string, string, string];
}

const messageUsage = {
  input_tokens: 42,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 200,
  service_tier: "standard",
};

const message = {
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "claude-hidden",
};

/** A whole answer of the Messages API. */
export const messagesAnswer = JSON.stringify({
  ...message,
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: messageUsage,
});

const named = (data: { readonly type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** A streamed answer of the Messages API. */
export const messagesEvents: StreamedEvents = {
  start: [
    {
      type: "message_start",
      message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: messageUsage },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ].map(named),
  content: named({
    type: "content_block_delta",
    ...{ index: 0, delta: { type: "text_delta", text: " token" } },
  }),
  tail: [
    named({ type: "content_block_stop", ...{ index: 0 } }),
    named({
      type: "message_delta",
      ...{ delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 200 } },
    }),
    named({ type: "message_stop" }),
  ],
};

const response = (status: string, more: object) => ({
  id: "resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b",
  object: "response",
  created_at: 1_763_700_000,
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  model: "gpt-hidden",
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  usage: null,
  metadata: {},
  ...more,
});

const part = (content: string) => ({ type: "output_text", text: content, annotations: [], logprobs: [] });
const itemId = "msg_67ccd2bf17f0819081ff3bb2cf6508e60bb6a6b452d3795b";
const item = (status: string, content: readonly object[]) => ({
  id: itemId,
  type: "message",
  status,
  role: "assistant",
  content,
});

const responseUsage = {
  input_tokens: 42,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 200,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 242,
};

/** A whole answer of the Responses API. */
export const responsesAnswer = JSON.stringify(
  response("completed", { output: [item("completed", [part(text)])], usage: responseUsage }),
);

const place = { item_id: itemId, output_index: 0, content_index: 0 };
const numbered = (sequence_number: number, type: string, more: object): string =>
  named({ type, ...{ sequence_number, ...more } });

/** A streamed answer of the Responses API. */
export const responsesEvents: StreamedEvents = {
  start: [
    numbered(0, "response.created", { response: response("in_progress", {}) }),
    numbered(1, "response.in_progress", { response: response("in_progress", {}) }),
    numbered(2, "response.output_item.added", { output_index: 0, item: item("in_progress", []) }),
    numbered(3, "response.content_part.added", { ...place, part: part("") }),
  ],
  content: numbered(4, "response.output_text.delta", {
    ...place,
    delta: " token",
    logprobs: [],
    obfuscation: "pKrvVB0Xyn",
  }),
  tail: [
    numbered(5, "response.output_text.done", { ...place, text, logprobs: [] }) +
      numbered(6, "response.content_part.done", { ...place, part: part(text) }),
    numbered(7, "response.output_item.done", { output_index: 0, item: item("completed", [part(text)]) }),
    numbered(8, "response.completed", {
      response: response("completed", { output: [item("completed", [part(text)])], usage: responseUsage }),
    }),
  ],
};
