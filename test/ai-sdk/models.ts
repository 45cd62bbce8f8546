import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";

/** The behaviour of a test model. A method whose member is absent never resolves. */
export interface Answers {
  readonly generate?: LanguageModelV3["doGenerate"];
  /** The parts of the stream. If the generator throws, the stream fails with that error. */
  readonly parts?: (options: LanguageModelV3CallOptions) => AsyncGenerator<LanguageModelV3StreamPart, void, void>;
}

/** A usage of two input tokens and three output tokens. */
export const usage = {
  inputTokens: { total: 2, noCache: 2, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
};

/** The part that ends a complete answer. */
export const finish: LanguageModelV3StreamPart = {
  type: "finish",
  finishReason: { unified: "stop", raw: undefined },
  usage,
};

/** A text delta. */
export const word = (delta: string): LanguageModelV3StreamPart => ({ type: "text-delta", id: "a", delta });

/** A hand-written language model that records its calls. */
export class ModelUnderTest implements LanguageModelV3 {
  readonly specificationVersion = "v3";
  readonly provider = "hand.chat";
  readonly modelId: string;
  readonly supportedUrls = {};
  readonly calls: LanguageModelV3CallOptions[] = [];
  /** How often a reader cancelled the stream. */
  cancelled = 0;
  readonly #answers: Answers;

  constructor(answers: Answers, modelId = "hand-model") {
    this.#answers = answers;
    this.modelId = modelId;
  }

  doGenerate(options: LanguageModelV3CallOptions): ReturnType<LanguageModelV3["doGenerate"]> {
    this.calls.push(options);
    return this.#answers.generate?.(options) ?? new Promise(() => undefined);
  }

  async doStream(options: LanguageModelV3CallOptions) {
    this.calls.push(options);
    const parts = this.#answers.parts?.(options);
    if (parts === undefined) return new Promise<never>(() => undefined);
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      pull: async (controller) => {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => {
        this.cancelled += 1;
      },
    });
    return { stream };
  }
}
