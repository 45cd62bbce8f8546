import { GatewayError } from "../errors/gateway-error.ts";
import type { Model } from "../ports/model.ts";
import { dialectEndpoints } from "../wire/dialect.ts";

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
