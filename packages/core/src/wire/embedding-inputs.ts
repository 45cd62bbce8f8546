import { byteLength } from "./bytes.ts";

/** The most inputs of one request. Follows https://platform.openai.com/docs/api-reference/embeddings/create */
export const mostInputs = 2_048;

/** One input of an embeddings request: a text, or the tokens of a text. */
export type EmbeddingInput = string | readonly number[];

/** The inputs of an embeddings request, with the sizes by which its tokens are bounded. */
export interface EmbeddingInputs {
  readonly each: readonly EmbeddingInput[];
  /** The number of all tokens in inputs that are tokens. */
  readonly tokens: number;
  /** The length in UTF-8 of all inputs that are texts. */
  readonly textBytes: number;
  /** The inputs that are texts. */
  readonly texts: readonly string[];
  /** The length of the vectors that the client asks for. */
  readonly dimensions: number | undefined;
}

/** Measures the inputs of a request. */
export function measureInputs(each: readonly EmbeddingInput[], dimensions: number | undefined): EmbeddingInputs {
  const texts = each.filter((input) => typeof input === "string");
  return {
    each,
    texts,
    dimensions,
    textBytes: texts.reduce((sum, text) => sum + byteLength(text), 0),
    tokens: each.reduce((sum, input) => (typeof input === "string" ? sum : sum + input.length), 0),
  };
}
