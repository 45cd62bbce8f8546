import type { ErrorCode } from "./error-table.ts";
import { GatewayError } from "./gateway-error.ts";
import { ProviderError, type ProviderFailure } from "./provider-error.ts";

const clientErrors: {
  readonly [failure in ProviderFailure]: {
    readonly code: ErrorCode;
    readonly message: string;
    /** The upstream's message, where there is one, replaces this one. */
    readonly showsUpstream?: true;
    readonly retryAfterSeconds?: number;
  };
} = {
  rejected: {
    code: "invalid_request",
    message:
      "The model's provider rejected a parameter of this request. Remove optional parameters, or use another model.",
    showsUpstream: true,
  },
  context_length: {
    code: "context_length_exceeded",
    message: "The messages are longer than this model's context window. Shorten them.",
    showsUpstream: true,
  },
  too_large: {
    code: "payload_too_large",
    message: "The model's provider rejected the request as too large. Send a shorter history or smaller images.",
  },
  credentials: {
    code: "upstream_rejected_credentials",
    message: "The model's provider rejected the credentials of this service. Contact the operator of this service.",
  },
  failed: { code: "upstream_failed", message: "The model's provider failed. Try again." },
  overloaded: {
    code: "upstream_overloaded",
    message: "The model's provider is overloaded. Try again in a moment.",
    retryAfterSeconds: 1,
  },
  unreachable: {
    code: "upstream_unavailable",
    message: "The model's provider cannot be reached. Try again in a moment.",
    retryAfterSeconds: 1,
  },
  timeout: {
    code: "upstream_timeout",
    message: "The model's provider did not answer in time. Try again.",
    retryAfterSeconds: 1,
  },
  invalid_response: {
    code: "upstream_invalid_response",
    message: "The model's provider returned an answer that is not a completion. Try again.",
  },
};

/** Returns the GatewayError that the client sees for a ProviderError, and any other value as it is. */
export function upstreamError(thrown: unknown): unknown {
  if (!ProviderError.is(thrown)) return thrown;
  const { clientMessage, param, retryAfterSeconds } = thrown.details;
  const error = clientErrors[thrown.failure];
  const wait = error.retryAfterSeconds && Math.max(error.retryAfterSeconds, retryAfterSeconds ?? 0);
  return new GatewayError(error.code, (error.showsUpstream && clientMessage) || error.message, {
    cause: thrown,
    ...(param === undefined || !error.showsUpstream ? {} : { param }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  });
}

/** The error of a call that a drain ended at its deadline. */
export const draining = (): GatewayError =>
  new GatewayError("draining", "This server is shutting down and ended the request. Send it again.", {
    retryAfterSeconds: 1,
  });

/** The error of a call whose client disconnected. No client receives it. */
export const clientGone = (): GatewayError => new GatewayError("client_gone", "The client disconnected.");

/** The error of a call that exceeded one of its time limits. */
export const outOfTime = (limit: string, milliseconds: number): ProviderError =>
  new ProviderError("timeout", `The ${limit} limit of ${milliseconds} ms passed.`);
