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
import { givenModel, madeModel } from "./language-model.ts";
import { ModelStream } from "./model-stream.ts";
import { sortFailure } from "./sort-failure.ts";
import { toCallOptions } from "./to-call-options.ts";
import { toCompletion } from "./to-completion.ts";
import { untilAborted } from "./until-aborted.ts";

/** How a language model of the AI SDK is called, beyond what the request says. */
export interface AiSdkOptions {
  /** For events and metrics; "ai-sdk" when absent. */
  readonly name?: string;
  /**
   * The SDK's `providerOptions` for a request, whose model is the upstream's. Absent: a `reasoning_effort` is given as
   * `reasoningEffort` under the first part of the model's `provider`, where OpenAI, xAI, Groq and
   * openai-compatible read it; others need this option, such as
   * `({ reasoning_effort: effort }) => (effort ? { anthropic: { effort } } : {})`.
   */
  readonly providerOptions?: (request: ChatCompletionRequest) => SharedV3ProviderOptions;
  /** Texts that no client may see though the upstream may quote them, such as its key and host. Addresses, the model's names and whatever looks like a key are removed without this. */
  readonly secrets?: readonly string[];
  /** Where the upstream differs: it reports usage in streams, takes no priced field, and stops the bill when cancelled. */
  readonly capabilities?: Partial<ProviderCapabilities>;
}

/**
 * Any language model of the AI SDK (specification v3, of AI SDK 6) as a provider; a function, such as a provider of
 * the SDK, is asked for the model of each target's name. What the SDK has no place for is left out of the request,
 * and `n` above 1 is refused. The model connects with the `fetch` of its own provider, which should follow no
 * redirects; throws a TypeError when the model is of another specification.
 *
 * Arguments that the model writes reach the client as the text that the SDK's provider gives, which rounds numbers when it
 * has parsed them itself. In those of earlier calls, a number that
 * JavaScript would round goes to the model as an object that JSON.stringify writes as that number on Node 22 and later,
 * and as a string of its digits on Node 20. Schemas of tools and response formats have plain numbers, as the SDK's types say.
 */
export function aiSdk(
  model: LanguageModelV3 | ((modelId: string) => LanguageModelV3),
  options: AiSdkOptions = {},
): ProviderAdapter {
  requireKnown("aiSdk", options, { name: true, providerOptions: true, secrets: true, capabilities: true });
  if (typeof model === "function") return new AiSdkProvider((id) => madeModel(model(id)), options);
  const checked = givenModel(model);
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

  /** Runs the model on the request of a call; whatever fails is thrown sorted. */
  async #run<T>(call: ProviderCall, work: Work<T>): Promise<T> {
    const { request, signal } = call;
    const hidden = [request.model, ...(this.#options.secrets ?? [])];
    const sort = (thrown: unknown) =>
      signal.aborted ? signal.reason : sortFailure(thrown, { provider: this.name, hidden });
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

/** Providers of the SDK know their options by the first part of what a model calls its provider: "xai" of "xai.chat". */
function effortOf({ reasoning_effort: effort }: ChatCompletionRequest, { provider }: LanguageModelV3) {
  const [name] = provider.split(".");
  return effort == null || !name ? {} : { [name]: { reasoningEffort: effort } };
}
