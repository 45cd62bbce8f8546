import { GatewayError } from "../../../errors/gateway-error.ts";
import type { ClientRequest } from "../../../ports/client-request.ts";
import { forwardedBetas } from "./betas.ts";

const version = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the headers that targets of this dialect receive. Throws 400 for an `anthropic-version` that is not a date.
 * Follows https://platform.claude.com/docs/en/api/versioning
 */
export function messagesHeaders(
  request: Pick<ClientRequest, "header">,
  allowedBetas: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const given = request.header("anthropic-version");
  const betas = forwardedBetas(request.header("anthropic-beta"), allowedBetas);
  if (given !== undefined && !version.test(given)) {
    throw new GatewayError(
      "invalid_request",
      "The header `anthropic-version` must be a date, such as `2023-06-01`. Send one of Anthropic's versions.",
    );
  }
  return {
    ...(given === undefined ? {} : { "anthropic-version": given }),
    ...(betas === undefined ? {} : { "anthropic-beta": betas }),
  };
}

/** Returns the query that targets of this dialect receive: `beta=true`, with which Anthropic's clients send betas. */
export const messagesQuery = ({ url }: Pick<ClientRequest, "url">): Readonly<Record<string, string>> =>
  /[?&]beta=true(?:[&#]|$)/.test(url) ? { beta: "true" } : {};
