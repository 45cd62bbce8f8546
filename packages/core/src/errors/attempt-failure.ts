import { ProviderError } from "./provider-error.ts";

/** How an attempt at a target failed. */
export interface AttemptFailure {
  /** A `ProviderFailure`; or "ended" if the request ended first, because its client left or the gateway is draining. */
  readonly failure: string;
  /** The HTTP status of the upstream. Absent: it did not answer, or with an answer that is not valid. */
  readonly upstreamStatus?: number;
  /** The message of the upstream's error, without hosts, ids and keys; at most 500 characters. */
  readonly upstreamMessage?: string;
}

/** Describes why an attempt at a target failed, with what its upstream said. */
export function attemptFailure(cause: unknown): AttemptFailure {
  if (!ProviderError.is(cause)) return { failure: "ended" };
  const { status, upstreamMessage } = cause.details;
  return {
    failure: cause.failure,
    ...(status === undefined ? {} : { upstreamStatus: status }),
    ...(upstreamMessage === undefined ? {} : { upstreamMessage }),
  };
}
