import {
  type ChatCompletion,
  type ChatCompletionChunk,
  chunksToCompletion,
  collect,
  type FailureContext,
  type ProviderAdapter,
  type ProviderCall,
  type ProviderCapabilities,
  type ProviderStream,
  sortErrorResponse,
  type TransportResponse,
} from "@tollgate/core";
import { streamedChunks, wholeChunks } from "./answer-chunks.ts";
import { invalidAnswer, wholeEvents } from "./answer-events.ts";
import type { AnthropicOptions } from "./anthropic-options.ts";
import { type Endpoint, readEndpoint } from "./endpoint.ts";
import { type RequestDefaults, toMessagesRequest } from "./messages-request.ts";

const longestBody = 16 * 1024 * 1024;

/**
 * A provider that speaks Anthropic's Messages API. What a request asks for and the API cannot do is refused with a
 * ProviderError of the kind `rejected` that names the field. Throws a TypeError when an option cannot be used.
 */
export function anthropic(options: AnthropicOptions): ProviderAdapter {
  const { name = "anthropic", maxTokens = 4_096, thinking = "adaptive" } = options;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    throw new TypeError("anthropic: maxTokens must be a whole number of at least 1.");
  }
  return new Anthropic(readEndpoint(options), name, { maxTokens, thinking });
}

class Anthropic implements ProviderAdapter {
  readonly name: string;
  readonly capabilities: ProviderCapabilities = {
    streamUsage: true,
    outputCapField: "max_tokens",
    pricedFields: [],
    cancel: "stops",
  };
  readonly #endpoint: Endpoint;
  readonly #defaults: RequestDefaults;

  constructor(endpoint: Endpoint, name: string, defaults: RequestDefaults) {
    this.#endpoint = endpoint;
    this.name = name;
    this.#defaults = defaults;
  }

  async complete(call: ProviderCall): Promise<ChatCompletion> {
    const response = await this.#send(call, {});
    const context = () => this.#context(call);
    if (isEventStream(response)) return chunksToCompletion(await all(streamedChunks(response.body, context)));
    return chunksToCompletion(await this.#readWhole(call, response));
  }

  async stream(call: ProviderCall): Promise<ProviderStream> {
    const response = await this.#send(call, { stream: true });
    const context = () => this.#context(call);
    if (isEventStream(response)) return { kind: "chunks", chunks: streamedChunks(response.body, context) };
    return { kind: "chunks", chunks: oneByOne(await this.#readWhole(call, response)) };
  }

  async #readWhole(call: ProviderCall, response: TransportResponse): Promise<ChatCompletionChunk[]> {
    const body = new TextDecoder().decode(await collect(response.body, longestBody));
    return wholeChunks(wholeEvents(body, () => this.#context(call)));
  }

  async #send(call: ProviderCall, mode: { readonly stream?: true }): Promise<TransportResponse> {
    const body = { ...toMessagesRequest(call.request, this.#defaults), ...mode };
    const response = await call.transport({
      method: "POST",
      url: this.#endpoint.url,
      headers: { ...this.#endpoint.headers, "x-request-id": call.requestId },
      body: JSON.stringify(body),
      signal: call.cancellation,
      connectMs: call.connectMs,
    });
    if (response.status < 200 || response.status > 299) throw await this.#sort(call, response);
    const encoding = response.header("content-encoding");
    if (encoding === undefined || encoding === "" || encoding === "identity") return response;
    response.body.cancel();
    throw invalidAnswer(this.#context(call), "a compressed body, though identity was asked for,");
  }

  async #sort(call: ProviderCall, response: TransportResponse): Promise<unknown> {
    const error = await sortErrorResponse(response, this.#context(call));
    return call.cancellation.aborted ? call.cancellation.reason : error;
  }

  /** Built on failure alone: a call may make its request anew each time it is asked for. */
  #context(call: ProviderCall): FailureContext {
    return { provider: this.name, hidden: [...this.#endpoint.hidden, call.request.model] };
  }
}

const isEventStream = (response: TransportResponse): boolean =>
  response.header("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;

async function all(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletionChunk[]> {
  const list: ChatCompletionChunk[] = [];
  for await (const chunk of chunks) list.push(chunk);
  return list;
}

async function* oneByOne(chunks: readonly ChatCompletionChunk[]): AsyncGenerator<ChatCompletionChunk> {
  yield* chunks;
}
