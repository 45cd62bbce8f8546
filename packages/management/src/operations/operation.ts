import * as v from "valibot";
import type { Operator, Role } from "../authorization/authorize.ts";
import type { members } from "../schemas/members.ts";
import { type Audited, auditedAs } from "./audited.ts";
import type { OperationContext } from "./context.ts";

/** The methods of the API. All but GET need proof that no other site caused the request. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The query of an operation without parameters. */
export const noQuery = {};

/** The schema of an operation that takes no body. */
export const noBody = v.undefined();

/** The members of a query, after their schemas. */
export type QueryOf<Query extends v.ObjectEntries> = v.InferOutput<ReturnType<typeof members<Query>>>;

/** What every operation has in its line of the table. */
export interface OperationHead {
  /** Unique. The `operationId` in OpenAPI. */
  readonly name: string;
  readonly method: Method;
  /** Inside the mount, with `:id` for one segment or `*` at the end. */
  readonly path: string;
  /** The least role that may use it. */
  readonly role: Role;
  /** A sentence without a full stop. */
  readonly summary: string;
}

/** A call of an operation by an operator whose role suffices, with a query and body as their schemas transform them. */
export interface OperationCall<Query, Body> {
  readonly operator: Operator;
  /** The decoded part of the path that matched `:id` or `*`; "" if there is none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** Calls of an idempotent operation with the same key have one effect. */
  readonly idempotencyKey?: string | undefined;
}

/** An operation that answers one JSON value. */
export interface Operation<
  Query extends v.ObjectEntries = v.ObjectEntries,
  Body extends v.GenericSchema = v.GenericSchema,
  Answer extends v.GenericSchema = v.GenericSchema,
  Context extends OperationContext = OperationContext,
> extends OperationHead {
  /** The status of its answer. */
  readonly status: 200 | 201;
  /** The members of the query, each a string or absent. */
  readonly query: Query;
  /** {@link noBody}: it takes none. */
  readonly body: Body;
  readonly answer: Answer;
  /** The action of its first entry in the audit log. Absent: it changes nothing. */
  readonly action?: string;
  /** True: a repeated request with the same `Idempotency-Key` has no further effect. */
  readonly idempotent?: true;
  run(context: Context, call: OperationCall<QueryOf<Query>, v.InferOutput<Body>>): Promise<v.InferInput<Answer>>;
}

/** What an operation answers, as JSON. */
export type AnswerOf<Of extends Pick<Operation, "answer">> = v.InferInput<Of["answer"]>;

/** The body that an operation takes, as JSON. */
export type BodyOf<Of extends Pick<Operation, "body">> = v.InferInput<Of["body"]>;

type Optional = "status" | "query" | "body";

/** The definition of an operation. By default, it answers 200, and takes neither a query nor a body. */
export type OperationDefinition<
  Query extends v.ObjectEntries,
  Body extends v.GenericSchema,
  Answer extends v.GenericSchema,
  Context extends OperationContext,
> = Omit<Operation<Query, Body, Answer, Context>, Optional> &
  Partial<Pick<Operation<Query, Body, Answer, Context>, Optional>>;

/** Defines an operation that changes nothing which the audit log records. */
export function defineOperation<
  Answer extends v.GenericSchema,
  Query extends v.ObjectEntries = typeof noQuery,
  Body extends v.GenericSchema = typeof noBody,
  Context extends OperationContext = OperationContext,
>(definition: OperationDefinition<Query, Body, Answer, Context>): Operation<Query, Body, Answer, Context>;
/** The implementation, since types cannot show that the default of an absent query or body has its type. */
export function defineOperation(
  definition: OperationDefinition<v.ObjectEntries, v.GenericSchema, v.GenericSchema, OperationContext>,
): Operation {
  return { status: 200, query: noQuery, body: noBody, ...definition };
}

/** The definition of a change: its `run` makes the change as one of `action`. */
export type ChangeDefinition<
  Query extends v.ObjectEntries,
  Body extends v.GenericSchema,
  Answer extends v.GenericSchema,
> = Omit<OperationDefinition<Query, Body, Answer, OperationContext>, "run" | "action"> & {
  readonly action: string;
  run(
    context: OperationContext,
    call: OperationCall<QueryOf<Query>, v.InferOutput<Body>>,
    audited: Audited,
  ): Promise<v.InferInput<Answer>>;
};

/** Defines an operation whose changes are recorded in the audit log. */
export function defineChange<
  Answer extends v.GenericSchema,
  Query extends v.ObjectEntries = typeof noQuery,
  Body extends v.GenericSchema = typeof noBody,
>(definition: ChangeDefinition<Query, Body, Answer>): Operation<Query, Body, Answer>;
/** The implementation, for the same reason. */
export function defineChange(
  definition: ChangeDefinition<v.ObjectEntries, v.GenericSchema, v.GenericSchema>,
): Operation {
  const { action } = definition;
  return defineOperation<v.GenericSchema, v.ObjectEntries, v.GenericSchema>({
    ...definition,
    run: (context, call) => definition.run(context, call, auditedAs(context, call.operator, action)),
  });
}
