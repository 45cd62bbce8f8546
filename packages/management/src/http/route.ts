import { GatewayError } from "@tollgate/core";
import { type ClientRequest, type Exchange, type GatewayResponse, jsonTextResponse } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import type { Operator } from "../authorization/authorize.ts";
import { requireStore } from "../operations/context.ts";
import type { Operation, OperationHead } from "../operations/operation.ts";
import type { ManagementServices } from "../services.ts";
import { readJsonBody } from "./read-body.ts";
import { parametersOf, readQuery } from "./read-query.ts";

/** A request of a known operator whose role suffices. */
interface OperatorCall {
  readonly context: Exchange;
  readonly operator: Operator;
  /** The decoded part of the path that matched `:id` or `*`; "" if there is none. */
  readonly id: string;
}

/** How the API serves an operation. OpenAPI is made from its schemas. */
export interface ManagementRoute extends OperationHead, Pick<Operation, "status" | "query" | "body" | "answer"> {
  readonly idempotent?: true;
  /** The media types of its exports, besides JSON. */
  readonly exports: readonly string[];
  respond(services: ManagementServices, call: OperatorCall): Promise<GatewayResponse>;
}

/** Returns the route of an operation that answers one JSON value. A change without an audit log is refused. */
export const answerRoute = (operation: Operation): ManagementRoute => ({
  ...operation,
  exports: [],
  async respond(services, { context: { request, headers }, operator, id }) {
    if (operation.action !== undefined) requireStore(services, "audit");
    const answer = await operation.run(services, {
      operator,
      id,
      query: readQuery(parametersOf(request), operation.query),
      body: await readJsonBody(services, request, operation.body),
      ...(operation.idempotent && { idempotencyKey: readIdempotencyKey(request) }),
    });
    return jsonTextResponse(operation.status, headers, writeLosslessJson(answer));
  },
});

/** Returns the `Idempotency-Key` of a request. Throws 400 for one that a ledger should not have. */
function readIdempotencyKey(request: ClientRequest): string | undefined {
  const key = request.header("idempotency-key");
  if (key === undefined || /^[\x21-\x7e]{1,128}$/.test(key)) return key;
  throw new GatewayError(
    "invalid_request",
    "`Idempotency-Key` must have 1 to 128 visible ASCII characters, such as a UUID.",
    { param: "idempotency-key" },
  );
}
