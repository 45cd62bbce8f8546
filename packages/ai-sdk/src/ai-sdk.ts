import type { LanguageModelV3, LanguageModelV3CallOptions, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { requireKnown } from "@tollgate/core/internal";
import type {
  ChatCompletion,
  ChatCompletionRequest,
  ProviderAdapter,
  ProviderCall,
  ProviderCapabilities,
  ProviderStream,
} from "@tollgate/core/provider";
import { classifyFailure } from "./classify-failure.ts";
import { requireCallModel, requireOptionModel } from "./language-model.ts";
import { ModelStream } from "./model-stream.ts";
import { toCallOptions } from "./to-call-options.ts";
import { toCompletion } from "./to-completion.ts";
import { untilAborted } from "./until-aborted.ts";

/** Options of {@link aiSdk}. */
export interface AiSdkOptions {
  /** For events and metrics; "ai-sdk" when absent. */
  readonly name?: string;
  /**
   * Returns the SDK's `providerOptions` for a request; `request.model` is the upstream's name of the model. Without this
   * option, a `reasoning_effort` is passed as `reasoningEffort` under the first part of the model's `provider`, where
   * OpenAI, xAI, Groq and openai-compatible read it. Other providers need this option, for example
   * `({ reasoning_effort: effort }) => (effort ? { anthropic: { effort } } : {})`.
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
 * Wraps any language model of the AI SDK (specification v3, AI SDK 6) as a provider. If `model` is a function, such as a
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
  model: LanguageModelV3 | ((modelId: string) => LanguageModelV3),
  options: AiSdkOptions = {},
): ProviderAdapter {
  requireKnown("aiSdk", options, { name: true, providerOptions: true, secrets: true, capabilities: true });
  if (typeof model === "function") return new AiSdkProvider((id) => requireCallModel(model(id)), options);
  const checked = requireOptionModel(model);
  return new AiSdkProvider(() => checked, options);
}

class AiSdkProvider implements ProviderAdapter {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  readonly #modelOf: (modelId: string) => LanguageModelV3;
  readonly #options: AiSdkOptions;

  constructor(modelOf: (modelId: string) => LanguageModelV3, options: AiSdkOptions) {
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
  async #run<T>(call: ProviderCall, work: Work<T>): Promise<T> {
    const { request, publicModel, signal } = call;
    const hidden = [request.model, ...(this.#options.secrets ?? [])];
    const sort = (thrown: unknown) =>
      signal.aborted ? signal.reason : classifyFailure(thrown, { provider: this.name, publicModel, hidden });
    try {
      signal.throwIfAborted();
      const model = this.#modelOf(request.model);
      hidden.push(model.modelId);
      const providerOptions = this.#options.providerOptions?.(request) ?? effortOf(request, model);
      const common = { headers: { "x-request-id": call.requestId }, abortSignal: signal, providerOptions };
      return await work(model, { ...toCallOptions(request), ...common }, sort);
    } catch (thrown) {
      throw sort(thrown);
    }
  }
}

type Work<T> = (
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  sort: (thrown: unknown) => unknown,
) => Promise<T>;

/** The SDK's providers read their options under the first part of the model's `provider`: "xai" of "xai.chat". */
function effortOf({ reasoning_effort: effort }: ChatCompletionRequest, { provider }: LanguageModelV3) {
  const [name] = provider.split(".");
  return effort == null || !name ? {} : { [name]: { reasoningEffort: effort } };
}
