import type { ChatCompletionChunk, ProviderAdapter, ProviderCall, StreamEvent } from "@tollgate/core/provider";
import {
  gatherCompletion,
  ProviderError,
  readEvents,
  sortErrorPayload,
  sortErrorResponse,
} from "@tollgate/core/provider";

/** A provider whose upstream has an API of its own shape, and answers in events alone. */
export function orator({ baseURL, apiKey }: { readonly baseURL: string; readonly apiKey: string }): ProviderAdapter {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  async function* speak({ request, transport, cancellation: signal, connectMs }: ProviderCall) {
    const { model: voice, messages: turns, tools, temperature, max_tokens: longest } = request;
    const body = JSON.stringify({ voice, turns, tools, temperature, longest });
    const response = await transport({ method: "POST", url: `${baseURL}/speak`, headers, body, signal, connectMs });
    const hidden = [apiKey, new URL(baseURL).host, voice];
    if (response.status !== 200) throw await sortErrorResponse(response, { provider: "orator", hidden });
    for await (const event of readEvents(response.body)) yield toChunk(event, hidden);
  }
  return {
    name: "orator",
    capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
    complete: (call) => gatherCompletion(speak(call)),
    stream: async (call) => ({ kind: "chunks", chunks: speak(call) }),
  };
}

const finishes = new Map(Object.entries({ done: "stop", full: "length", called: "tool_calls" }));

function toChunk({ name, data }: StreamEvent, hidden: readonly string[]): ChatCompletionChunk {
  const said = parse(data);
  if (name === "fault") throw sortErrorPayload(said, said.status, { provider: "orator", hidden });
  if (name === "text") return { choices: [{ delta: { content: said.text } }] };
  if (name === "call") {
    const called = { name: said.tool, arguments: JSON.stringify(said.input) };
    return { choices: [{ delta: { tool_calls: [{ index: said.place, id: said.id, function: called }] } }] };
  }
  const usage = { prompt_tokens: said.read, completion_tokens: said.wrote };
  return { choices: [{ delta: {}, finish_reason: finishes.get(said.end) ?? null }], usage };
}

function parse(data: string) {
  try {
    return JSON.parse(data) ?? {};
  } catch {
    throw new ProviderError("invalid_response", "orator sent an event that is not JSON. Check its base URL.");
  }
}
