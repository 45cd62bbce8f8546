import { GatewayError } from "../../errors/gateway-error.ts";
import { longestTokenBytes, tokensPerMessage, tokensPerRequest } from "../../money/cost.ts";
import { byteLength } from "../../wire/bytes.ts";
import type { EmbeddingInputs, InputLimits } from "../../wire/prompt.ts";

/** One input of an embeddings request: a text, or the tokens of a text. */
export type EmbeddingInput = string | readonly number[];

/** The inputs of a request, measured once. */
export class MeasuredInputs implements EmbeddingInputs {
  readonly count: number;
  readonly tokens: number;
  readonly textBytes: number;
  readonly texts: readonly string[];
  readonly #each: readonly EmbeddingInput[];
  readonly #dimensions: number | undefined;

  /** `dimensions` is the length of the vectors that the client asks for. */
  constructor(each: readonly EmbeddingInput[], dimensions?: number) {
    this.#each = each;
    this.count = each.length;
    this.#dimensions = dimensions;
    this.texts = each.filter((input) => typeof input === "string");
    this.textBytes = this.texts.reduce((sum, text) => sum + byteLength(text), 0);
    this.tokens = each.reduce((sum, input) => (typeof input === "string" ? sum : sum + input.length), 0);
  }

  check({ maxInputs, contextWindow, dimensions: longest }: InputLimits): void {
    if (this.count > maxInputs) {
      const message = `\`input\` must have at most ${maxInputs} elements for this model. Send several requests.`;
      throw new GatewayError("unsupported_value", message, { param: "input" });
    }
    if (this.#dimensions !== undefined && longest !== undefined && this.#dimensions > longest) {
      const message = `\`dimensions\` must be at most ${longest} for this model.`;
      throw new GatewayError("unsupported_value", message, { param: "dimensions" });
    }
    if (contextWindow !== undefined) this.#checkLengths(contextWindow);
  }

  /**
   * The exact number of the inputs that are tokens, and for texts half their bytes, 8 for each text, and 32; at most the
   * window, which is that of one input.
   */
  bound(window: number | undefined): number {
    const { texts, textBytes, tokens } = this;
    const ofTexts =
      texts.length === 0 ? 0 : Math.ceil(textBytes / 2) + tokensPerMessage * texts.length + tokensPerRequest;
    return Math.min(window === undefined ? Number.POSITIVE_INFINITY : window * this.count, tokens + ofTexts);
  }

  #checkLengths(contextWindow: number): void {
    const index = this.#each.findIndex((input) => isInputTooLong(input, contextWindow));
    if (index < 0) return;
    const param = this.count === 1 ? "input" : `input.${index}`;
    throw new GatewayError(
      "context_length_exceeded",
      `\`${param}\` is longer than this model's context window of ${contextWindow} tokens. Shorten it.`,
      { param },
    );
  }
}

/** Returns true only for an input that no tokenizer can fit into the window. */
export const isInputTooLong = (input: EmbeddingInput, contextWindow: number): boolean =>
  input.length > (typeof input === "string" ? contextWindow * longestTokenBytes : contextWindow);
