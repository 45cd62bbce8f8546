import type { ProviderDialects } from "@tollgate/core/provider";

/** The name of a dialect that a provider can declare. */
export type DialectName = keyof ProviderDialects;

/** What a client sends in a dialect, and what an upstream answers. */
export interface NativeSample {
  /** The members of a request beside its model, as JSON without braces. */
  readonly request: string;
  /** The body of an answer. */
  readonly json: string;
  /** The events of a streamed answer; absent for a dialect without streams. */
  readonly events?: readonly string[];
  /** The body of an error. */
  failure(message: string): string;
}

// The spaces, escapes and long numbers of the samples are lost when JSON is parsed and written again.
const openaiFailure = (message: string) => JSON.stringify({ error: { message, type: "error", code: null } });

const anthropicFailure = (message: string) =>
  JSON.stringify({ type: "error", error: { type: "api_error", message }, request_id: "req_1" });

const messagesRequest =
  '"messages": [ {"role":"user","content":"Zo\\u00eb 日本 🙂"} ], "temperature": 0.10, "seed": 9007199254740993';

/**
 * A sample of each dialect.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 * @see https://platform.openai.com/docs/api-reference/embeddings
 * @see https://docs.anthropic.com/en/api/messages
 * @see https://docs.anthropic.com/en/api/messages-count-tokens
 */
export const nativeSamples: { readonly [Name in DialectName]-?: NativeSample } = {
  responses: {
    request: '"input": "Zo\\u00eb 日本 🙂", "temperature": 0.10, "seed": 9007199254740993',
    json: `{ "id":"resp_1","object":"response","status":"completed","model":"up-model-7","output":[{"type":"message","id":"msg_1",
  "role":"assistant","status":"completed","content":[{"type":"output_text","text":"Zo\\u00eb 日本 🙂 \\/","annotations":[]}]}],
  "created_at": 1.70e9, "usage":{"input_tokens":11,"output_tokens":7,"total_tokens":18},"unknown":9007199254740993 }\n`,
    events: [
      'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"up-model-7","output":[]}}\n\n',
      ': a comment\n\nevent: response.output_text.delta\ndata: {"type":"response.output_text.delta", "sequence_number":1,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Zo\\u00eb 日本 🙂"}\n\n',
      'event: response.completed\r\ndata: {"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","object":"response","status":"completed","model":"up-model-7","output":[],"usage":{"input_tokens":11,"output_tokens":7,"total_tokens":18}}}\r\n\r\n',
    ],
    failure: openaiFailure,
  },
  messages: {
    request: `"max_tokens": 64, ${messagesRequest}`,
    json: `{ "id":"msg_1","type":"message","role":"assistant","model":"up-model-7",
  "content":[{"type":"text","text":"Zo\\u00eb 日本 🙂 \\/"}],"stop_reason":"end_turn","stop_sequence":null,
  "usage":{"input_tokens":11, "output_tokens":7},"unknown":9007199254740993 }\n`,
    events: [
      'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"up-model-7","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":11,"output_tokens":1}}}\n\n',
      'event: content_block_start\ndata: {"type":"content_block_start", "index":0,"content_block":{"type":"text","text":""}}\n\nevent: ping\ndata: {"type": "ping"}\n\n',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Zo\\u00eb 日本 🙂"}}\n\n',
      'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":7}}\n\n',
      'event: message_stop\r\ndata: {"type":"message_stop"}\r\n\r\n',
    ],
    failure: anthropicFailure,
  },
  embeddings: {
    request: '"input": [ "Zo\\u00eb 日本 🙂" ], "dimensions": 2, "seed": 9007199254740993',
    json: `{ "object":"list","model":"up-model-7","data":[{"object":"embedding","index":0,
  "embedding":[0.10, -1.50e-3, 0.123456789012345678901]}],"usage":{"prompt_tokens":11,"total_tokens":11},"unknown":"日本 🙂" }\n`,
    failure: openaiFailure,
  },
  countTokens: {
    request: messagesRequest,
    json: '{ "input_tokens": 11, "unknown": [9007199254740993, "Zo\\u00eb 日本 🙂"] }\n',
    failure: anthropicFailure,
  },
};
