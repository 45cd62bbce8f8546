import * as v from "valibot";
import { GatewayError } from "../../errors/gateway-error.ts";
import { longestTokenBytes, tokensPerMessage, tokensPerRequest } from "../../money/cost.ts";
import { byteLength } from "../../wire/bytes.ts";
import { openObject } from "../../wire/open-object.ts";
import { type EmbeddingInputs, type InputLimits, maxEmbeddingInputs } from "../../wire/prompt.ts";
import { shapeOf } from "../../wire/shape-of.ts";
import { positiveInteger, type RequestProblem, text, validate } from "../../wire/value-schemas.ts";

/**
 * The body of POST /embeddings. Members that are not listed are forwarded to the provider unchanged. A listed optional member
 * that is null counts as absent. Follows https://platform.openai.com/docs/api-reference/embeddings/create
 */
export const embeddingsRequest = openObject(
  {
    model: text,
    input: v.custom<unknown>((value) => value !== null, inputForms),
    dimensions: v.nullish(positiveInteger),
    encoding_format: v.nullish(v.picklist(["float", "base64"], 'must be one of "float", "base64"')),
    user: v.nullish(text),
    stream: v.nullish(v.literal(false, "must be false, since embeddings are not streamed")),
  },
  {
    message: "must be a JSON object",
    // Some upstreams read these in place of `input`, so that its limits and its bound would not hold.
    refuses: ["messages", "inputs"],
  },
);

/** What the scan of an embeddings request knows of it. */
export const embeddingsShape = shapeOf(embeddingsRequest);

/** A validated body of POST /embeddings, without its input. */
export type EmbeddingsRequest = v.InferOutput<typeof embeddingsRequest>;

function inputForms(): string {
  return "must be a string, an array of strings, an array of tokens or an array of arrays of tokens";
}

/** Validates a request body. Returns the request with its inputs, or the first problem. */
export function readEmbeddingsRequest(value: unknown) {
  const read = validate(embeddingsRequest, value);
  if ("problem" in read) return read;
  const inputs = readInputs(read.output.input);
  return "problem" in inputs ? inputs : { request: read.output, inputs: inputs.each };
}

/** One input of an embeddings request: a text, or the tokens of a text. */
type EmbeddingInput = string | readonly number[];

type ReadInputs = { readonly each: readonly EmbeddingInput[] } | { readonly problem: RequestProblem };

function readInputs(input: unknown): ReadInputs {
  if (typeof input === "string") return input === "" ? problem("input", "is empty. Send a text") : { each: [input] };
  if (!Array.isArray(input)) return problem("input", inputForms());
  const items: readonly unknown[] = input;
  if (items.length === 0) return problem("input", "is empty. Send at least one text");
  if (typeof items[0] === "number") {
    return areTokens(items) ? { each: [items] } : problem("input", onlyTokens);
  }
  if (items.length > maxEmbeddingInputs) return problem("input", `must have at most ${maxEmbeddingInputs} elements`);
  return readEach(items);
}

function readEach(items: readonly unknown[]): ReadInputs {
  const each: EmbeddingInput[] = [];
  const isText = typeof items[0] === "string";
  for (const [index, item] of items.entries()) {
    const param = `input.${index}`;
    if (isText) {
      if (typeof item !== "string") return problem(param, "must be a string, as the first element is");
      if (item === "") return problem(param, "is empty. Send a text, or leave it out");
      each.push(item);
      continue;
    }
    if (!Array.isArray(item)) return problem(param, inputForms());
    const tokens: readonly unknown[] = item;
    if (tokens.length === 0) return problem(param, "is empty. Send at least one token, or leave it out");
    if (!areTokens(tokens)) return problem(param, onlyTokens);
    each.push(tokens);
  }
  return { each };
}

const onlyTokens = "must have only whole numbers of at least 0, which are tokens";

const areTokens = (items: readonly unknown[]): items is readonly number[] =>
  items.every((item) => typeof item === "number" && Number.isSafeInteger(item) && item >= 0);

const problem = (param: string, message: string): { readonly problem: RequestProblem } => ({
  problem: { param, message },
});

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
