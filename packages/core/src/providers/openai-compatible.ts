import { requireOptions } from "../options/problems.ts";
import type { ByteStream } from "../ports/byte-stream.ts";
import type {
  ProviderAdapter,
  ProviderAnswer,
  ProviderCall,
  ProviderCapabilities,
  ProviderDialects,
  ProviderStream,
} from "../ports/provider-adapter.ts";
import type { TransportResponse } from "../ports/transport.ts";
import type { FailureContext } from "../upstream/failure.ts";
import { completionToChunks, streamOf } from "../wire/completion-chunks.ts";
import { adaptRequest, hasLimits } from "./adapt-request.ts";
import { collect, maxAnswerBytes } from "./byte-streams.ts";
import { bodyFormat, collectCompletion, invalidResponse, readCompletionBody } from "./completion-body.ts";
import {
  type Endpoint,
  type OpenAICompatibleOptions,
  type openaiDialects,
  openaiOptionsSchema,
  readEndpoint,
} from "./openai-endpoint.ts";
import { openaiNative } from "./openai-native.ts";
import { peek } from "./peek.ts";
import { isEventStream, isUsable, rejectUnusable, startCall } from "./send-call.ts";
import { restoreNames, restoreStreamedNames, type ToolNames } from "./tool-names.ts";
import type { UpstreamProfile } from "./upstream-profiles.ts";

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
  const { name = "openai-compatible", capabilities = {}, dialects = endpoint.profile.dialects ?? [] } = options;
  return new OpenAICompatible(endpoint, name, capabilities, nativeMethods(endpoint, name, dialects));
}

/** OpenAI and Azure refuse `max_tokens` for reasoning models. Most other upstreams know only that name. */
const defaults: ProviderCapabilities = {
  streamUsage: true,
  outputCapField: "max_tokens",
  pricedFields: [],
  cancel: "stops",
};

/** Returns the part of a profile that the gateway adapts requests and answers to. This provider does the rest. */
function capabilitiesOf({ thoughts, callIds: _, toolNameLength: __, dialects: ___, ...rest }: UpstreamProfile) {
  return { ...rest, ...(thoughts === undefined ? {} : { thoughts: thoughts !== false }) };
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
  /** Undefined if requests of this upstream never change. */
  readonly #limits: UpstreamProfile | undefined;

  constructor(
    endpoint: Endpoint,
    name: string,
    capabilities: Partial<ProviderCapabilities>,
    dialects: ProviderDialects,
  ) {
    this.name = name;
    this.dialects = dialects;
    this.#endpoint = endpoint;
    this.#limits = hasLimits(endpoint.profile) ? endpoint.profile : undefined;
    this.capabilities = { ...defaults, ...capabilitiesOf(endpoint.profile), ...capabilities };
  }

  async complete(call: ProviderCall): Promise<ProviderAnswer> {
    const { sent, names } = this.#start(call);
    const response = await sent;
    if (!isUsable(response)) return rejectUnusable(call, response, this.#context(call));
    const collected = collect(response.body, maxAnswerBytes);
    const body = collected instanceof Promise ? await collected : collected;
    // Some upstreams stream although the request does not ask for it.
    if (bodyFormat(body) !== "event-stream") {
      if (names === undefined) return { kind: "bytes", body, hidden: this.#endpoint.hidden };
      return restoreNames(
        readCompletionBody(body, () => this.#context(call)),
        names,
      );
    }
    const identity = { model: call.request.model, id: `chatcmpl-${call.requestId}`, created: 0 };
    const { answers } = this.capabilities;
    const failureContext = () => this.#context(call);
    return restoreNames(collectCompletion(body, { ...identity, failureContext, answers }), names);
  }

  async stream(call: ProviderCall): Promise<ProviderStream> {
    const { sent, names } = this.#start(call);
    const response = await sent;
    if (!isUsable(response)) return rejectUnusable(call, response, this.#context(call));
    const context = () => this.#context(call);
    if (isEventStream(response)) return this.#streamOf(response.body, names, context);
    const { start, stream } = await peek(response.body);
    const format = bodyFormat(start);
    if (format === "event-stream") return this.#streamOf(stream, names, context);
    if (format === "json") {
      const completion = readCompletionBody(await collect(stream, maxAnswerBytes), context);
      return { kind: "chunks", chunks: streamOf(completionToChunks(restoreNames(completion, names))) };
    }
    stream.cancel();
    throw invalidResponse(context(), start.length === 0 ? "an empty body" : "something that is not an event stream");
  }

  /** An upstream without a key has its address. */
  secret(): string {
    const { apiKey, url } = this.#endpoint;
    return apiKey ?? url;
  }

  #streamOf(bytes: ByteStream, names: ToolNames | undefined, context: () => FailureContext): ProviderStream {
    if (names === undefined) return { kind: "bytes", bytes, hidden: this.#endpoint.hidden };
    return { kind: "chunks", chunks: restoreStreamedNames(bytes, names, context) };
  }

  /** Sends a call as its upstream accepts it. `names` are put back in the answer. The body is not kept until then. */
  #start(call: ProviderCall): { readonly sent: Promise<TransportResponse>; readonly names: ToolNames | undefined } {
    const { url, headers } = this.#endpoint;
    const body = call.encoded();
    if (this.#limits === undefined) return { sent: startCall(call, { url, headers, body }), names: undefined };
    const adapted = adaptRequest(body, this.#limits, call.usesTools !== false);
    return { sent: startCall(call, { url, headers, body: adapted.body }), names: adapted.names };
  }

  /** Called only for an error, since a call may build its request on each access. */
  #context(call: ProviderCall): FailureContext {
    const { request, publicModel } = call;
    return { provider: this.name, publicModel, hidden: [...this.#endpoint.hidden, request.model] };
  }
}
