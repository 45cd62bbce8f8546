import type { HostContext } from "../gateway.ts";
import { requestId as readRequestId } from "../wire/request-id.ts";

/** What an error's answer and event have to say, known as far as the checks came. */
export interface Trail {
  /** Headers of every answer from here on: the request's id, later where its limit stands. */
  readonly headers: Record<string, string>;
  keyId: string | undefined;
}

/** A request as it came in, named and timed. */
export interface Incoming {
  readonly request: Request;
  readonly host: HostContext;
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly trail: Trail;
}

/** Names and times a request; a usable `x-request-id` of the client is kept. */
export function receive(request: Request, host: HostContext): Incoming {
  const requestId = readRequestId(request.headers.get("x-request-id"));
  const trail: Trail = { headers: { "x-request-id": requestId }, keyId: undefined };
  return { request, host, requestId, startedAt: Date.now(), trail };
}
