import type { FailureContext } from "../failures/failure.ts";
import { requireOptions } from "../options/problems.ts";
import type {
  ProviderAdapter,
  ProviderAnswer,
  ProviderCall,
  ProviderCapabilities,
  ProviderDialects,
  ProviderStream,
} from "../ports/provider-adapter.ts";
import { collectCompletion } from "../streaming/collect-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { completionToChunks } from "../wire/completion-to-chunks.ts";
import { collect } from "./byte-streams.ts";
import { bodyFormat, invalidResponse, readCompletionBody } from "./completion-body.ts";
import { type Endpoint, type OpenAICompatibleOptions, readEndpoint } from "./openai-endpoint.ts";
import { openaiNative } from "./openai-native.ts";
import { openaiDialects, openaiOptionsSchema } from "./openai-options-schema.ts";
import { peek } from "./peek.ts";
import { isEventStream, isUsable, rejectUnusable, sendCall, startCall, type UpstreamPost } from "./send-call.ts";

const maxBodyBytes = 16 * 1024 * 1024;

/**
 * Makes a provider for the Chat Completions API of OpenAI, Azure, Mistral, Groq, Together, DeepSeek, OpenRouter, Ollama,
 * vLLM, LM Studio and others, by base URL. Throws a TypeError that lists every invalid option.
 */
export function openaiCompatible(options: OpenAICompatibleOptions): ProviderAdapter {
  requireOptions("openaiCompatible", openaiOptionsSchema, options);
  return providerAt(readEndpoint(options), options);
}

/** Makes the provider of an endpoint, from checked options. */
export function providerAt(endpoint: Endpoint, options: OpenAICompatibleOptions): ProviderAdapter {
  const { name = "openai-compatible", capabilities = {}, dialects = endpoint.isOpenAI ? openaiDialects : [] } = options;
  return new OpenAICompatible(endpoint, name, capabilities, nativeMethods(endpoint, name, dialects));
}

function nativeMethods(
  endpoint: Endpoint,
  name: string,
  dialects: readonly (typeof openaiDialects)[number][],
): ProviderDialects {
  return Object.fromEntries(dialects.map((dialect) => [dialect, openaiNative(endpoint, name, `/${dialect}`)]));
}

class OpenAICompatible implements ProviderAdapter {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  readonly dialects: ProviderDialects;
  readonly #endpoint: Endpoint;

  constructor(
    endpoint: Endpoint,
    name: string,
    capabilities: Partial<ProviderCapabilities>,
    dialects: ProviderDialects,
  ) {
    this.name = name;
    this.dialects = dialects;
    this.#endpoint = endpoint;
    this.capabilities = {
      streamUsage: true,
      outputCapField: endpoint.outputCapField,
      pricedFields: [],
      cancel: "stops",
      ...capabilities,
    };
  }

  async complete(call: ProviderCall): Promise<ProviderAnswer> {
    const response = await startCall(call, this.#post(call));
    if (!isUsable(response)) return rejectUnusable(call, response, this.#context(call));
    const collected = collect(response.body, maxBodyBytes);
    const body = collected instanceof Promise ? await collected : collected;
    // Some upstreams stream although the request does not ask for it.
    if (bodyFormat(body) !== "event-stream") return { kind: "bytes", body, hidden: this.#endpoint.hidden };
    return collectCompletion(body, { ...identityOf(call), failureContext: () => this.#context(call) });
  }

  async stream(call: ProviderCall): Promise<ProviderStream> {
    const response = await sendCall(call, this.#post(call), () => this.#context(call));
    const { hidden } = this.#endpoint;
    if (isEventStream(response)) return { kind: "bytes", bytes: response.body, hidden };
    const { start, stream } = await peek(response.body);
    const format = bodyFormat(start);
    if (format === "event-stream") return { kind: "bytes", bytes: stream, hidden };
    const context = () => this.#context(call);
    if (format === "json") {
      const completion = readCompletionBody(await collect(stream, maxBodyBytes), context);
      return { kind: "chunks", chunks: oneByOne(completionToChunks(completion)) };
    }
    stream.cancel();
    throw invalidResponse(context(), start.length === 0 ? "an empty body" : "something that is not an event stream");
  }

  /** An upstream without a key has its address. */
  secret(): string {
    const { apiKey, url } = this.#endpoint;
    return apiKey ?? url;
  }

  #post(call: ProviderCall): UpstreamPost {
    const { url, headers } = this.#endpoint;
    return { url, headers, body: call.encoded() };
  }

  /** Called only for an error, since a call may build its request on each access. */
  #context(call: ProviderCall): FailureContext {
    const { request, publicModel } = call;
    return { provider: this.name, publicModel, hidden: [...this.#endpoint.hidden, request.model] };
  }
}

const identityOf = (call: ProviderCall) => ({
  model: call.request.model,
  id: `chatcmpl-${call.requestId}`,
  created: 0,
});

async function* oneByOne(chunks: readonly ChatCompletionChunk[]): AsyncGenerator<ChatCompletionChunk> {
  yield* chunks;
}
