import type { LanguageModelV3, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { ProviderError } from "@tollgate/core/provider";
import type { FinishReason } from "./to-finish-reason.ts";
import { type CallOptions, type CallOptionsV4, toV4 } from "./v4-call-options.ts";

/** A part of an answer or of a stream. Versions of the SDK add further types. */
export interface Part {
  readonly type: string;
}

/** An answer in one piece. */
export interface GenerateResult extends Pick<LanguageModelV3GenerateResult, "usage" | "response"> {
  readonly content: readonly Part[];
  readonly finishReason: FinishReason;
}

/** A model of specification v4, with what is called: version 3 of `@ai-sdk/provider` has no type of it. */
interface LanguageModelV4 {
  readonly specificationVersion: "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: CallOptionsV4): PromiseLike<GenerateResult>;
  doStream(options: CallOptionsV4): PromiseLike<{ readonly stream: ReadableStream<Part> }>;
}

/** A model of AI SDK 6 (specification v3) or 7 (v4). */
export type LanguageModel = LanguageModelV3 | LanguageModelV4;

type EffortOptions = Pick<CallOptions, "providerOptions" | "reasoning">;

/** A model of either specification, as it is called. */
export interface CallableModel {
  readonly provider: string;
  readonly modelId: string;
  /** Returns the options with which a call asks for a reasoning effort. */
  effortOptions(effort: string): EffortOptions;
  doGenerate: (options: CallOptions) => PromiseLike<GenerateResult>;
  doStream: (options: CallOptions) => PromiseLike<{ readonly stream: ReadableStream<Part> }>;
}

/** Returns the model that the host passed as an option. Throws a TypeError if it implements another specification. */
export function requireOptionModel(model: LanguageModel): CallableModel {
  const callable = toCallable(model);
  if (callable !== undefined) return callable;
  throw new TypeError(`aiSdk: ${wrongSpecification}`);
}

/** Returns the model that the host's function returned for a call. Throws a ProviderError if it implements another specification. */
export function requireCallModel(model: LanguageModel): CallableModel {
  const callable = toCallable(model);
  if (callable !== undefined) return callable;
  throw new ProviderError("credentials", wrongSpecification);
}

const wrongSpecification =
  "The model implements neither specification v3 nor v4 of the AI SDK. Install the version of its provider package for AI SDK 6 or 7.";

/** Untyped callers may also pass a model name, which only the SDK's own gateway resolves, or a model of another version. */
function toCallable(model: LanguageModel): CallableModel | undefined {
  if (typeof model !== "object" || model === null) return undefined;
  const { provider, modelId } = model;
  if (model.specificationVersion === "v3") {
    return {
      provider,
      modelId,
      effortOptions: (effort) => providerEffort(provider, effort),
      doGenerate: (options) => model.doGenerate(options),
      doStream: (options) => model.doStream(options),
    };
  }
  if (model.specificationVersion !== "v4") return undefined;
  return {
    provider,
    modelId,
    // Another level, such as "max", reaches the models that read it as a provider option.
    effortOptions: (effort) => (levelsOfV4.has(effort) ? { reasoning: effort } : providerEffort(provider, effort)),
    doGenerate: (options) => model.doGenerate(toV4(options)),
    doStream: (options) => model.doStream(toV4(options)),
  };
}

const levelsOfV4: ReadonlySet<string> = new Set(["none", "minimal", "low", "medium", "high", "xhigh"]);

/** The SDK's providers read their options under the first part of the model's `provider`: "xai" of "xai.chat". */
function providerEffort(provider: string, effort: string): EffortOptions {
  const [name] = provider.split(".");
  return name ? { providerOptions: { [name]: { reasoningEffort: effort } } } : {};
}
