import { RequestReport } from "../events/request-report.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { randomUuid } from "../runtime/random-uuid.ts";

/** A received request with its ids. Steps write to its `headers` and its `report`, and to nothing else. */
export interface Exchange {
  readonly request: ClientRequest;
  /** A UUID that identifies the request in stores. The request id does not, since clients may choose it. */
  readonly id: string;
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Headers of the response: the request id, and later the state of the rate limits. */
  readonly headers: Record<string, string>;
  readonly report: RequestReport;
}

/** Creates the exchange of a request. A valid `x-request-id` of the client becomes its request id. */
export function receive(request: ClientRequest): Exchange {
  const id = randomUuid();
  const requestId = readRequestId(request.header("x-request-id")) ?? `req_${id}`;
  const startedAt = Date.now();
  const report = new RequestReport(id, requestId, startedAt);
  return { request, id, requestId, startedAt, headers: { "x-request-id": requestId }, report };
}

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the request id that a client sent, or undefined if it is missing or invalid. */
export function readRequestId(id: string | undefined): string | undefined {
  return id !== undefined && acceptable.test(id) ? id : undefined;
}
