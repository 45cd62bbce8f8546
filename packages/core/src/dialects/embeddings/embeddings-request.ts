import * as v from "valibot";
import { openObject } from "../../wire/open-object.ts";
import { maxEmbeddingInputs } from "../../wire/prompt.ts";
import { shapeOf } from "../../wire/shape-of.ts";
import { positiveInteger, type RequestProblem, text, validate } from "../../wire/value-schemas.ts";
import type { EmbeddingInput } from "./measured-inputs.ts";

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

/** The parts of a request that the checks read. */
export interface ReadEmbeddingsRequest {
  readonly request: EmbeddingsRequest;
  readonly inputs: readonly EmbeddingInput[];
}

function inputForms(): string {
  return "must be a string, an array of strings, an array of tokens or an array of arrays of tokens";
}

/** Validates a request body. Returns the request with its inputs, or the first problem. */
export function readEmbeddingsRequest(value: unknown): ReadEmbeddingsRequest | { readonly problem: RequestProblem } {
  const read = validate(embeddingsRequest, value);
  if ("problem" in read) return read;
  const inputs = readInputs(read.output.input);
  return "problem" in inputs ? inputs : { request: read.output, inputs: inputs.each };
}

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
