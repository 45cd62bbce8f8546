import { RequestReport } from "../observing/request-report.ts";
import type { ClientRequest } from "../ports/client-request.ts";

/** Data for the response and the events of a request, which its checks add to. */
export interface ResponseMeta {
  /** Headers of the response: the request id, and later the state of the rate limits. */
  readonly headers: Record<string, string>;
  readonly report: RequestReport;
  /** True for a model call within a turn, which emits an event of its own. */
  readonly isPart: boolean;
}

/** A received request with its ids and its start time. */
export interface RequestContext {
  readonly request: ClientRequest;
  /** A UUID that identifies the request in stores. The request id does not, since clients may choose it. */
  readonly id: string;
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly meta: ResponseMeta;
}

/** Creates the context of a request. A valid `x-request-id` of the client becomes its request id. */
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

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that came with a request, when it can be used. */
export function readRequestId(given: string | undefined): string | undefined {
  return given !== undefined && acceptable.test(given) ? given : undefined;
}
