import type { NativeAnswer, NativeCall } from "@tollgate/core/provider";
import { embed } from "./embed.ts";
import { countTokens } from "./tokens.ts";

/** The body of a request, which the gateway has checked. https://platform.openai.com/docs/api-reference/embeddings/create */
interface EmbeddingsRequest {
  readonly input: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  readonly dimensions?: number;
  readonly encoding_format?: "float" | "base64";
}

/** The length of a vector, unless the request asks for another one. */
export const embeddingLength = 1_536;

/** Answers a request of the Embeddings API with a vector for each input, and the usage. */
export function answerEmbeddings(call: Pick<NativeCall, "encoded" | "model">): NativeAnswer {
  const request: EmbeddingsRequest = JSON.parse(new TextDecoder().decode(call.encoded()));
  const { dimensions = embeddingLength, encoding_format: format = "float" } = request;
  const inputs = inputsOf(request);
  const data = inputs.map((input, index) => {
    const vector = embed(piecesOf(input), dimensions);
    return { object: "embedding", index, embedding: format === "base64" ? base64(vector) : vector };
  });
  const tokens = inputs.reduce(
    (sum, input) => sum + (typeof input === "string" ? countTokens(input) : input.length),
    0,
  );
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  const body = JSON.stringify({ object: "list", data, model: call.model, usage });
  return { kind: "json", body: new TextEncoder().encode(body) };
}

/** An input is a text or a list of tokens. A list of numbers is one input. */
function inputsOf({ input }: EmbeddingsRequest): readonly (string | readonly number[])[] {
  if (typeof input === "string") return [input];
  return isTokens(input) ? [input] : input;
}

const isTokens = (input: readonly unknown[]): input is readonly number[] => typeof input[0] === "number";

const piecesOf = (input: string | readonly number[]): readonly string[] =>
  typeof input === "string" ? (input.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [input]) : input.map(String);

/** The numbers as 32-bit floats, little-endian. */
function base64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
