import { RequestReport } from "../observing/request-report.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { readRequestId } from "../wire/request-id.ts";

/** What the response and the events of a request say about it, as far as its checks have come. */
export interface ResponseMeta {
  /** Headers of every response from here on: the request's id, later the state of its limits. */
  readonly headers: Record<string, string>;
  readonly report: RequestReport;
  /** True for a call of the model within a turn, which also has an event of its own. */
  readonly isPart: boolean;
}

/** A request as it arrived, with its ids and its time. */
export interface RequestContext {
  readonly request: ClientRequest;
  /** A UUID made here. Stores know the request by it, never by the request id, which a client may choose. */
  readonly id: string;
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly meta: ResponseMeta;
}

/** Gives a request its ids and its time. A valid `x-request-id` of the client is kept. */
export function receive(request: ClientRequest): RequestContext {
  const id = crypto.randomUUID();
  const requestId = readRequestId(request.header("x-request-id")) ?? `req_${id}`;
  const startedAt = Date.now();
  const report = new RequestReport(requestId, startedAt);
  return {
    request,
    id,
    requestId,
    startedAt,
    meta: { headers: { "x-request-id": requestId }, report, isPart: false },
  };
}
