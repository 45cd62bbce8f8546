import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";

/** A part of an answer or of a stream. Versions of the SDK add further types. */
export interface Part {
  readonly type: string;
}

/** An answer in one piece. */
export interface GenerateResult extends Pick<LanguageModelV3GenerateResult, "usage" | "response"> {
  readonly content: readonly Part[];
  /** Newer versions of the SDK have further reasons. */
  readonly finishReason: { readonly unified: string; readonly raw: string | undefined };
}

/** The options of a call of specification v4, whose prompt has another form. */
interface CallOptionsV4 extends Omit<CallOptions, "prompt"> {
  prompt: object[];
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

/** A model of either specification, as it is called. */
export interface CallableModel {
  readonly modelId: string;
  /** Returns the options with which a call asks for a reasoning effort. */
  effortOptions(effort: string): Pick<CallOptions, "providerOptions" | "reasoning">;
  doGenerate: (options: CallOptions) => PromiseLike<GenerateResult>;
  doStream: (options: CallOptions) => PromiseLike<{ readonly stream: ReadableStream<Part> }>;
}

/**
 * Returns a model as it is called, and undefined for a model of another specification. Untyped callers may also pass a model
 * name, which only the SDK's own gateway resolves.
 */
export function toCallable(model: LanguageModel): CallableModel | undefined {
  if (typeof model !== "object" || model === null) return undefined;
  const { provider, modelId } = model;
  if (model.specificationVersion === "v3") {
    return {
      modelId,
      effortOptions: (effort) => providerEffort(provider, effort),
      doGenerate: (options) => model.doGenerate(options),
      doStream: (options) => model.doStream(options),
    };
  }
  if (model.specificationVersion !== "v4") return undefined;
  return {
    modelId,
    // Another level, such as "max", reaches the models that read it as a provider option.
    effortOptions: (effort) => (levelsOfV4.has(effort) ? { reasoning: effort } : providerEffort(provider, effort)),
    doGenerate: (options) => model.doGenerate(toV4(options)),
    doStream: (options) => model.doStream(toV4(options)),
  };
}

const levelsOfV4: ReadonlySet<string> = new Set(["none", "minimal", "low", "medium", "high", "xhigh"]);

/** The SDK's providers read their options under the first part of the model's `provider`: "xai" of "xai.chat". */
function providerEffort(provider: string, effort: string): Pick<CallOptions, "providerOptions"> {
  const [name] = provider.split(".");
  return name ? { providerOptions: { [name]: { reasoningEffort: effort } } } : {};
}

/** The options of a call: those of specification v3, and the reasoning effort of v4. */
export interface CallOptions extends LanguageModelV3CallOptions {
  reasoning?: string;
}

/** Maps call options to specification v4, where the data of a file says what it is. */
export const toV4 = ({ prompt, ...options }: CallOptions): CallOptionsV4 => ({
  ...options,
  prompt: prompt.map(toMessage),
});

function toMessage(message: LanguageModelV3Message): object {
  switch (message.role) {
    case "user":
      return { ...message, content: message.content.map((part) => (part.type === "file" ? toFile(part) : part)) };
    case "tool":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "tool-result" ? { ...part, output: toOutput(part.output) } : part,
        ),
      };
    default:
      return message;
  }
}

const toFile = ({ data, ...part }: LanguageModelV3FilePart) => ({
  ...part,
  data: data instanceof URL ? { type: "url", url: data } : { type: "data", data },
});

function toOutput(output: LanguageModelV3ToolResultPart["output"]): object {
  if (output.type !== "content") return output;
  const value = output.value.map((part): object => {
    switch (part.type) {
      case "image-data":
      case "file-data":
        return { ...part, type: "file", data: { type: "data", data: part.data } };
      case "image-url":
        return { type: "file", data: { type: "url", url: new URL(part.url) }, mediaType: "image/*" };
      case "file-url":
        return { type: "file", data: { type: "url", url: new URL(part.url) }, mediaType: "application/octet-stream" };
      default:
        return part;
    }
  });
  return { ...output, value };
}
