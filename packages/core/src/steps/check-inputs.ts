import { GatewayError } from "../errors/gateway-error.ts";
import { isInputTooLong } from "../money/cost.ts";
import type { Model } from "../ports/model.ts";
import { dialectEndpoints } from "../wire/dialect.ts";
import type { EmbeddingInputs } from "../wire/embedding-inputs.ts";

const path = ({ path }: { readonly path: string }): string => `POST ${path}`;
const { embeddings, chat, messages, responses } = dialectEndpoints;

/** The error for a model of a kind that does not answer the dialect of a request. */
export function wrongKind({ id, kind }: Model): GatewayError {
  const advice =
    kind === "embedding"
      ? `is an embedding model. Use ${path(embeddings)}, or another model`
      : `does not make embeddings. Use ${path(chat)}, ${path(messages)} or ${path(responses)}, or an embedding model`;
  return new GatewayError("unsupported_value", `The model \`${id}\` ${advice}.`, { param: "model" });
}

/** Check 8: the inputs of an embeddings request against the model. */
export function checkInputs({ maxInputs, contextWindow, dimensions: longest }: Model, inputs: EmbeddingInputs): void {
  const { each, dimensions } = inputs;
  if (each.length > maxInputs) {
    const message = `\`input\` must have at most ${maxInputs} elements for this model. Send several requests.`;
    throw new GatewayError("unsupported_value", message, { param: "input" });
  }
  if (dimensions !== undefined && longest !== undefined && dimensions > longest) {
    const message = `\`dimensions\` must be at most ${longest} for this model.`;
    throw new GatewayError("unsupported_value", message, { param: "dimensions" });
  }
  if (contextWindow === undefined) return;
  const index = each.findIndex((input) => isInputTooLong(input, contextWindow));
  if (index < 0) return;
  const param = each.length === 1 ? "input" : `input.${index}`;
  throw new GatewayError(
    "context_length_exceeded",
    `\`${param}\` is longer than this model's context window of ${contextWindow} tokens. Shorten it.`,
    { param },
  );
}
