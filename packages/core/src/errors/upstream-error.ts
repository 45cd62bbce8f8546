import type { ErrorCode } from "./error-table.ts";
import { GatewayError } from "./gateway-error.ts";
import { ProviderError, type ProviderFailure } from "./provider-error.ts";

interface Face {
  readonly code: ErrorCode;
  readonly message: string;
  /** The upstream's own words, when they are fit to be shown, take the place of the message. */
  readonly showsUpstream?: true;
  readonly retryAfterSeconds?: number;
}

const faces: Readonly<Record<ProviderFailure, Face>> = {
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

/** A failure of a provider as the client sees it. What is not a ProviderError passes as it is. */
export function upstreamError(thrown: unknown): unknown {
  if (!ProviderError.is(thrown)) return thrown;
  const { clientMessage, param, retryAfterSeconds } = thrown.details;
  const face = faces[thrown.failure];
  const wait = face.retryAfterSeconds && Math.max(face.retryAfterSeconds, retryAfterSeconds ?? 0);
  return new GatewayError(face.code, (face.showsUpstream && clientMessage) || face.message, {
    cause: thrown,
    ...(param === undefined || !face.showsUpstream ? {} : { param }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  });
}
