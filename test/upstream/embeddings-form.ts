import { isRecord } from "../support/is-record.ts";

/** What an embeddings request asks for. */
interface EmbeddingsRequest {
  readonly count: number;
  readonly dimensions: number;
  readonly isBase64: boolean;
}

/**
 * Returns the answer of OpenAI's Embeddings API: the same vector for the same input, in the asked form, and `tokens` as the
 * usage. Follows https://platform.openai.com/docs/api-reference/embeddings
 */
export function embeddingsAnswer(body: unknown, model: string, tokens: number): unknown {
  const { count, dimensions, isBase64 } = readRequest(body);
  const data = Array.from({ length: count }, (_, index) => {
    const vector = vectorOf(index, dimensions);
    return { object: "embedding", index, embedding: isBase64 ? base64Of(vector) : vector };
  });
  return { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

/** Returns the vector of the input at an index. Its components are exact in 32 bits, so that base64 keeps them. */
export const vectorOf = (index: number, dimensions = 4): number[] =>
  Array.from({ length: dimensions }, (_, place) => (index + 1) / 2 ** (place + 1));

function readRequest(body: unknown): EmbeddingsRequest {
  if (!isRecord(body)) throw new Error("The body is not an object.");
  const { input, dimensions, encoding_format: format } = body;
  // An array of numbers is one input of tokens.
  const isList = Array.isArray(input) && typeof input[0] !== "number";
  return {
    count: isList ? input.length : 1,
    dimensions: typeof dimensions === "number" ? dimensions : 4,
    isBase64: format === "base64",
  };
}

const base64Of = (vector: readonly number[]): string => Buffer.from(new Float32Array(vector).buffer).toString("base64");
