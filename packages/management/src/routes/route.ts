import { type GatewayResponse, jsonTextResponse, type RequestContext } from "@tollgate/core/internal";
import { writeExactJson } from "@tollgate/core/provider";
import type * as v from "valibot";
import type { Operator, Role } from "../authorization/authorize.ts";
import type { ManagementServices } from "../services.ts";
import { readJsonBody } from "./read-body.ts";
import { parametersOf, type QueryOf, readQuery } from "./read-query.ts";

/** The methods of the routes. All but GET need proof that no other site caused the request. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request of a known operator whose role suffices. */
export interface OperatorCall {
  readonly context: RequestContext;
  readonly operator: Operator;
  /** The decoded part of the path that matched `:id` or `*`; "" if there is none. */
  readonly id: string;
}

/** A call whose query and body match the schemas of its route. */
export interface CheckedCall<Query, Body> extends OperatorCall {
  readonly query: Query;
  readonly body: Body;
}

/** What a route has in its line of the table. */
export interface RouteHead {
  /** Unique. The `operationId` in OpenAPI. */
  readonly name: string;
  readonly method: Method;
  /** Inside the mount, with `:id` for one segment or `*` at the end. */
  readonly path: string;
  /** The least role that may use it. */
  readonly role: Role;
  /** A sentence without a full stop. */
  readonly summary: string;
  /** True: a repeated request with the same `Idempotency-Key` has no further effect. */
  readonly idempotent?: true;
}

/** A route of the management API. OpenAPI is made from its schemas. */
export interface ManagementRoute extends RouteHead {
  /** The status of its answer. */
  readonly status: 200 | 201;
  readonly query: v.ObjectEntries;
  /** {@link noBody}: it takes none. */
  readonly body: v.GenericSchema;
  readonly answer: v.GenericSchema;
  /** The media types of its exports, besides JSON. */
  readonly exports: readonly string[];
  respond(services: ManagementServices, call: OperatorCall): Promise<GatewayResponse>;
}

/** The definition of a route. */
export interface RouteDefinition<
  Query extends v.ObjectEntries,
  Body extends v.GenericSchema,
  Answer extends v.GenericSchema,
> extends RouteHead {
  readonly status?: 200 | 201;
  /** The members of the query, each a string or absent. */
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
  handle(
    services: ManagementServices,
    call: CheckedCall<QueryOf<Query>, v.InferOutput<Body>>,
  ): Promise<v.InferInput<Answer>>;
}

/** Defines a route that answers one JSON value. */
export function defineRoute<
  Query extends v.ObjectEntries,
  Body extends v.GenericSchema,
  Answer extends v.GenericSchema,
>({ handle, status = 200, ...definition }: RouteDefinition<Query, Body, Answer>): ManagementRoute {
  const { query, body } = definition;
  return {
    ...definition,
    status,
    exports: [],
    async respond(services, call) {
      const { request, meta } = call.context;
      const checked = {
        ...call,
        query: readQuery(parametersOf(request), query),
        body: await readJsonBody(services, request, body),
      };
      return jsonTextResponse(status, meta.headers, writeExactJson(await handle(services, checked)));
    },
  };
}
