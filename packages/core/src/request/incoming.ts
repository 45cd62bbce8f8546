import { RequestReport } from "../observing/request-report.ts";
import type { ClientRequest } from "../ports/client-request.ts";
import { readRequestId } from "../wire/request-id.ts";
import { uuid } from "../wire/uuid.ts";

/** What an answer and the events of a request have to say, known as far as the checks came. */
export interface Trail {
  /** Headers of every answer from here on: the request's id, later where its limit stands. */
  readonly headers: Record<string, string>;
  readonly report: RequestReport;
  /** True for a call of the model within a turn, which is reported by itself too. */
  readonly isPart: boolean;
}

/** A request as it came in, named and timed. */
export interface Incoming {
  readonly request: ClientRequest;
  /** A UUID made here, for what the request takes from stores: never the request id, which a client may choose. */
  readonly id: string;
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly trail: Trail;
}

/** A record as a step gets it, with room for what the step finds, which is put there in place. */
export type Room<Before, After extends Before> = Before & {
  -readonly [Name in Exclude<keyof After, keyof Before>]?: After[Name];
};

/** Names and times a request; a usable `x-request-id` of the client is kept. */
export function receive(request: ClientRequest): Incoming {
  const id = uuid();
  const requestId = readRequestId(request.header("x-request-id")) ?? `req_${id}`;
  const startedAt = Date.now();
  const report = new RequestReport(requestId, startedAt);
  const trail: Trail = { headers: { "x-request-id": requestId }, report, isPart: false };
  const incoming = {
    request,
    id,
    requestId,
    startedAt,
    trail,
    // Room for what the steps find: V8 takes ten times as long for a member that comes to an object later.
    key: undefined,
    plan: undefined,
    acceptableTerms: undefined,
    run: undefined,
    body: undefined,
    chat: undefined,
    prompt: undefined,
    text: undefined,
    inspected: undefined,
    model: undefined,
    promptBound: undefined,
    outputBound: undefined,
    funds: undefined,
  };
  return incoming;
}
