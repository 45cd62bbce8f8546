import { ProviderError } from "../errors/provider-error.ts";
import { readErrorPayload } from "../failures/error-payload.ts";
import { type FailureContext, toProviderError } from "../failures/failure.ts";
import { readRetryAfter } from "../failures/retry-after.ts";
import { requireOptions } from "../options/problems.ts";
import type {
  ProviderAdapter,
  ProviderAnswer,
  ProviderCall,
  ProviderCapabilities,
  ProviderStream,
} from "../ports/provider-adapter.ts";
import type { TransportResponse } from "../ports/transport.ts";
import { collectCompletion } from "../streaming/collect-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { completionToChunks } from "../wire/completion-to-chunks.ts";
import { collect, collectStart } from "./byte-streams.ts";
import { bodyFormat, invalidResponse, readCompletionBody } from "./completion-body.ts";
import { type Endpoint, type OpenAICompatibleOptions, readEndpoint } from "./openai-endpoint.ts";
import { openaiOptionsSchema } from "./openai-options-schema.ts";
import { peek } from "./peek.ts";

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
  return new OpenAICompatible(endpoint, options.name ?? "openai-compatible", options.capabilities ?? {});
}

class OpenAICompatible implements ProviderAdapter {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint, name: string, capabilities: Partial<ProviderCapabilities>) {
    this.name = name;
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

  #post(call: ProviderCall): UpstreamPost {
    const { url, headers } = this.#endpoint;
    return { url, headers, body: call.encoded() };
  }

  /** Called only for an error, since a call may build its request on each access. */
  #context(call: ProviderCall): FailureContext {
    return { provider: this.name, hidden: [...this.#endpoint.hidden, call.request.model] };
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

/** The HTTP request of a call to its upstream. */
export interface UpstreamPost {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: Uint8Array | string;
}

/**
 * Sends a call to its upstream over the call's transport. Resolves to an uncompressed 2xx response. Rejects with a
 * ProviderError for any other, or with the reason of a cancelled call. `context` is called only for an error.
 */
export function sendCall(
  call: ProviderCall,
  post: UpstreamPost,
  context: () => FailureContext,
): Promise<TransportResponse> {
  return startCall(call, post).then((response) =>
    isUsable(response) ? response : rejectUnusable(call, response, context()),
  );
}

/** Sends a call and resolves to any response, which the caller checks with {@link isUsable}. Saves a promise per call. */
export function startCall(call: ProviderCall, { url, headers, body }: UpstreamPost): Promise<TransportResponse> {
  const { cancellation: signal, connectMs, requestId } = call;
  return call.transport({ method: "POST", url, headers: withRequestId(headers, requestId), body, signal, connectMs });
}

/** The member comes before the spread, since V8 adds a member to a spread object ten times as slowly. It is set again, since the host's headers must not replace it. */
function withRequestId(given: UpstreamPost["headers"], requestId: string): Record<string, string> {
  const headers: Record<string, string> = { "x-request-id": requestId, ...given };
  headers["x-request-id"] = requestId;
  return headers;
}

/** Returns true for an uncompressed 2xx response. */
export const isUsable = (response: TransportResponse): boolean => isSuccess(response) && !isCompressed(response);

const isSuccess = ({ status }: TransportResponse): boolean => status >= 200 && status <= 299;

/** Rejects with the error of a response that is not usable. */
export async function rejectUnusable(
  call: ProviderCall,
  response: TransportResponse,
  context: FailureContext,
): Promise<never> {
  if (!isSuccess(response)) throw await toError(call, response, context);
  response.body.cancel();
  const { provider = "The provider" } = context;
  throw new ProviderError(
    "invalid_response",
    `${provider} answered with a compressed body, although only identity was accepted. Check the proxies between this server and the provider.`,
  );
}

/** Returns true for a response with the content type of server-sent events. */
export const isEventStream = (response: TransportResponse): boolean =>
  response.header("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;

async function toError(call: ProviderCall, response: TransportResponse, context: FailureContext): Promise<unknown> {
  const error = await classifyErrorResponse(response, context);
  return call.cancellation.aborted ? call.cancellation.reason : error;
}

const maxErrorBytes = 65_536;
const maxErrorWaitMs = 2_000;

/**
 * Classifies a response whose status is not 2xx. Reads at most 64 KiB of its body for at most 2 seconds, and cancels the
 * rest. Never rejects: it resolves to the ProviderError.
 */
export async function classifyErrorResponse(
  response: TransportResponse,
  context: FailureContext = {},
): Promise<ProviderError> {
  const body = await collectStart(response.body, maxErrorBytes, maxErrorWaitMs);
  // A compressed body has no text to read.
  const payload = readErrorPayload(isCompressed(response) ? undefined : new TextDecoder().decode(body));
  const retryAfterSeconds = readRetryAfter((name) => response.header(name)) ?? payload.retryAfterSeconds;
  return toProviderError(response.status, { ...payload, retryAfterSeconds }, context);
}

/** Returns true for a compressed body, although every request accepts `identity` only. */
export function isCompressed(response: TransportResponse): boolean {
  const encoding = response.header("content-encoding");
  return encoding !== undefined && encoding !== "" && encoding !== "identity";
}
