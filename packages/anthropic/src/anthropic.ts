import { maxAnswerBytes, streamOf } from "@tollgate/core/internal";
import {
  type ChatCompletion,
  type ChatCompletionChunk,
  chunksToCompletion,
  collect,
  type FailureContext,
  gatherCompletion,
  isEventStream,
  type ProviderAdapter,
  type ProviderCall,
  type ProviderCapabilities,
  type ProviderDialects,
  type ProviderStream,
  sendCall,
  type TransportResponse,
  withLosslessSchemas,
  writeLosslessJson,
} from "@tollgate/core/provider";
import { streamedChunks, wholeChunks } from "./answer-chunks.ts";
import { wholeEvents } from "./answer-events.ts";
import { type AnthropicOptions, type Endpoint, readEndpoint } from "./endpoint.ts";
import { type RequestDefaults, toMessagesRequest } from "./messages-request.ts";
import { messagesDialects } from "./native-calls.ts";
import { alwaysRefused, rejected } from "./rejected.ts";

/**
 * Creates a provider for Anthropic's Messages API. A request field that the API does not support is rejected with a
 * ProviderError of the kind `rejected` that names the field. Throws a TypeError for an invalid option.
 */
export function anthropic(options: AnthropicOptions): ProviderAdapter {
  const { name = "anthropic", maxTokens = 4_096, thinking = "adaptive", pricedFields = [] } = options;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    throw new TypeError("anthropic: maxTokens must be an integer of at least 1.");
  }
  return new Anthropic(readEndpoint(options), name, pricedFields, { maxTokens, thinking });
}

class Anthropic implements ProviderAdapter {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  readonly dialects: ProviderDialects;
  readonly #endpoint: Endpoint;
  readonly #defaults: RequestDefaults;

  constructor(endpoint: Endpoint, name: string, pricedFields: readonly string[], defaults: RequestDefaults) {
    this.#endpoint = endpoint;
    this.name = name;
    this.capabilities = {
      streamUsage: true,
      outputCapField: "max_tokens",
      pricedFields: [...pricedFields],
      refusedFields: alwaysRefused,
      toolImages: true,
      cancel: "stops",
    };
    this.dialects = messagesDialects(endpoint, name);
    this.#defaults = defaults;
  }

  async complete(call: ProviderCall): Promise<ChatCompletion> {
    const response = await this.#send(call, {});
    const context = () => this.#context(call);
    if (isEventStream(response)) return gatherCompletion(streamedChunks(response.body, context));
    return chunksToCompletion(await this.#readChunks(call, response));
  }

  async stream(call: ProviderCall): Promise<ProviderStream> {
    const response = await this.#send(call, { stream: true });
    const context = () => this.#context(call);
    if (isEventStream(response)) return { kind: "chunks", chunks: streamedChunks(response.body, context) };
    return { kind: "chunks", chunks: streamOf(await this.#readChunks(call, response)) };
  }

  secret(): string {
    return this.#endpoint.apiKey;
  }

  async #readChunks(call: ProviderCall, response: TransportResponse): Promise<ChatCompletionChunk[]> {
    const body = new TextDecoder().decode(await collect(response.body, maxAnswerBytes));
    return wholeChunks(wholeEvents(body, () => this.#context(call)));
  }

  #send(call: ProviderCall, mode: { readonly stream?: true }): Promise<TransportResponse> {
    const { url, headers } = this.#endpoint;
    const body = encode({ ...toMessagesRequest(withLosslessSchemas(call), this.#defaults), ...mode });
    return sendCall(call, { url, headers, body }, () => this.#context(call));
  }

  /** Called only after a failure, because `call.request` may build the request again on each access. */
  #context(call: ProviderCall): FailureContext {
    const { request, publicModel } = call;
    return { provider: this.name, publicModel, hidden: [...this.#endpoint.hidden, request.model] };
  }
}

/** JSON that is nested too deeply overflows the stack when it is written. */
function encode(body: unknown): string {
  try {
    return writeLosslessJson(body);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw rejected("messages", "must not be nested so deeply. Send flatter arguments of tool calls.");
  }
}
