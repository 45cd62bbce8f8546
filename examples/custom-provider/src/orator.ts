import type { ChatCompletionChunk, ProviderAdapter, ProviderCall, StreamEvent } from "@tollgate/core/provider";
import {
  classifyErrorPayload,
  classifyErrorResponse,
  gatherCompletion,
  ProviderError,
  readEvents,
} from "@tollgate/core/provider";

/** A provider whose upstream has its own request format and always streams. */
export function orator({ baseURL, apiKey }: { readonly baseURL: string; readonly apiKey: string }): ProviderAdapter {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  async function* generate({ request, transport, cancellation: signal, connectMs }: ProviderCall) {
    const { model, messages, tools, temperature, max_tokens: maxOutput } = request;
    const body = JSON.stringify({ model, messages, tools, temperature, maxOutput });
    const response = await transport({ method: "POST", url: `${baseURL}/generate`, headers, body, signal, connectMs });
    const hidden = [apiKey, new URL(baseURL).host, model];
    if (response.status !== 200) throw await classifyErrorResponse(response, { provider: "orator", hidden });
    for await (const event of readEvents(response.body)) yield toChunk(event, hidden);
  }
  return {
    name: "orator",
    capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
    complete: (call) => gatherCompletion(generate(call)),
    stream: async (call) => ({ kind: "chunks", chunks: generate(call) }),
  };
}

const finishReasons = new Map(Object.entries({ done: "stop", cut: "length", tool: "tool_calls" }));

function toChunk({ name, data }: StreamEvent, hidden: readonly string[]): ChatCompletionChunk {
  const event = parse(data);
  if (name === "error") throw classifyErrorPayload(event, event.status, { provider: "orator", hidden });
  if (name === "text") return { choices: [{ delta: { content: event.text } }] };
  if (name === "tool") {
    const fn = { name: event.tool, arguments: JSON.stringify(event.input) };
    return { choices: [{ delta: { tool_calls: [{ index: event.index, id: event.id, function: fn }] } }] };
  }
  const usage = { prompt_tokens: event.inputTokens, completion_tokens: event.outputTokens };
  return { choices: [{ delta: {}, finish_reason: finishReasons.get(event.reason) ?? null }], usage };
}

function parse(data: string) {
  try {
    return JSON.parse(data) ?? {};
  } catch {
    throw new ProviderError("invalid_response", "orator sent an event that is not JSON. Check its base URL.");
  }
}
