import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import { requireKnown } from "@tollgate/core/internal";
import {
  type ChatCompletion,
  type ChatCompletionRequest,
  type ProviderAdapter,
  type ProviderCall,
  type ProviderCapabilities,
  ProviderError,
  type ProviderStream,
} from "@tollgate/core/provider";
import { classifyFailure } from "./classify-failure.ts";
import { type CallableModel, type CallOptions, type LanguageModel, toCallable } from "./language-model.ts";
import { ModelStream } from "./model-stream.ts";
import { toCallOptions } from "./to-call-options.ts";
import { toCompletion } from "./to-completion.ts";

/** Options of {@link aiSdk}. */
export interface AiSdkOptions {
  /** For events and metrics; "ai-sdk" when absent. */
  readonly name?: string;
  /**
   * Returns the SDK's `providerOptions` for a request; `request.model` is the upstream's name of the model. Without this
   * option, a model of AI SDK 7 gets a `reasoning_effort` as `reasoning`, and one of AI SDK 6 as `reasoningEffort` under the
   * first part of its `provider`, where OpenAI, xAI, Groq and openai-compatible read it. Other providers of AI SDK 6 need
   * this option, for example `({ reasoning_effort: effort }) => (effort ? { anthropic: { effort } } : {})`.
   */
  readonly providerOptions?: (request: ChatCompletionRequest) => SharedV3ProviderOptions;
  /**
   * Strings to remove from error messages before a client sees them, such as the key and host of the upstream. URLs,
   * the names of the model and strings that look like a key are always removed.
   */
  readonly secrets?: readonly string[];
  /** Overrides the defaults: usage in streams, no priced fields, and no further cost once a stream is cancelled. */
  readonly capabilities?: Partial<ProviderCapabilities>;
}

/**
 * Wraps any language model of AI SDK 6 (specification v3) or 7 (v4) as a provider. If `model` is a function, such as a
 * provider of the SDK, it is called with the target's `model` for each request. Request fields that the SDK does not
 * support are dropped, and `n` above 1 is rejected. The model connects with the `fetch` of its own provider, which should
 * not follow redirects. Throws a TypeError if the model implements another specification.
 *
 * Tool call arguments reach the client as the text that the SDK's provider returns; a provider that parses them rounds
 * large numbers. In the arguments of earlier calls, a number that JavaScript would round is passed as an object that
 * JSON.stringify writes as that number on Node 22 and later, and as a string of its digits on Node 20. Schemas of tools
 * and response formats use plain numbers, as the SDK's types require.
 */
export function aiSdk(
  model: LanguageModel | ((modelId: string) => LanguageModel),
  options: AiSdkOptions = {},
): ProviderAdapter {
  requireKnown("aiSdk", options, { name: true, providerOptions: true, secrets: true, capabilities: true });
  if (typeof model === "function") return new AiSdkProvider((id) => toCallable(model(id)), options);
  const callable = toCallable(model);
  if (callable === undefined) throw new TypeError(`aiSdk: ${wrongSpecification}`);
  return new AiSdkProvider(() => callable, options);
}

const wrongSpecification =
  "The model implements neither specification v3 nor v4 of the AI SDK. Install the version of its provider package for AI SDK 6 or 7.";

class AiSdkProvider implements ProviderAdapter {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  readonly #modelOf: (modelId: string) => CallableModel | undefined;
  readonly #options: AiSdkOptions;

  constructor(modelOf: (modelId: string) => CallableModel | undefined, options: AiSdkOptions) {
    this.name = options.name ?? "ai-sdk";
    this.#modelOf = modelOf;
    this.#options = options;
    this.capabilities = {
      streamUsage: true,
      outputCapField: "max_completion_tokens",
      pricedFields: [],
      cancel: "stops",
      ...options.capabilities,
    };
  }

  complete(call: ProviderCall): Promise<ChatCompletion> {
    return this.#run(call, async (model, options) =>
      toCompletion(await untilAborted(model.doGenerate(options), call.signal)),
    );
  }

  stream(call: ProviderCall): Promise<ProviderStream> {
    return this.#run(call, async (model, options, sort) => {
      const discard = ({ stream }: { stream: ReadableStream }) => void stream.cancel().catch(() => undefined);
      const { stream } = await untilAborted(model.doStream(options), call.signal, discard);
      return { kind: "chunks", chunks: new ModelStream(stream, call.signal, sort) };
    });
  }

  /** Runs the model on the request of a call. Throws every failure as a ProviderError. */
  async #run<T>(
    call: ProviderCall,
    work: (model: CallableModel, options: CallOptions, sort: (thrown: unknown) => unknown) => Promise<T>,
  ): Promise<T> {
    const { request, publicModel, signal } = call;
    const hidden = [request.model, ...(this.#options.secrets ?? [])];
    const sort = (thrown: unknown) =>
      signal.aborted ? signal.reason : classifyFailure(thrown, { provider: this.name, publicModel, hidden });
    try {
      signal.throwIfAborted();
      const model = this.#modelOf(request.model);
      if (model === undefined) throw new ProviderError("credentials", wrongSpecification);
      hidden.push(model.modelId);
      const { reasoning_effort: effort } = request;
      const providerOptions = this.#options.providerOptions?.(request);
      const chosen =
        providerOptions || effort == null ? { providerOptions: providerOptions ?? {} } : model.effortOptions(effort);
      const common = { headers: { "x-request-id": call.requestId }, abortSignal: signal, ...chosen };
      return await work(model, { ...toCallOptions(request), ...common }, sort);
    } catch (thrown) {
      throw sort(thrown);
    }
  }
}

/**
 * Resolves with the result of `work`. Rejects with the signal's reason as soon as it aborts, even if `work` ignores the
 * signal; a later result is passed to `discard`.
 */
function untilAborted<T>(
  work: PromiseLike<T>,
  signal: AbortSignal,
  discard: (late: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        if (signal.aborted) discard(value);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      },
    );
  });
}
