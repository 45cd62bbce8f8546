import type { Awaitable } from "@tollgate/core/internal";
import type { AuditChange } from "@tollgate/core/store";
import * as v from "valibot";
import type { Operator, Role } from "../authorization/authorize.ts";
import type { members } from "../schemas/values.ts";
import type { OperationContext } from "./context.ts";

/** The query of an operation without parameters. */
export const noQuery = {};

/** The schema of an operation that takes no body. */
export const noBody = v.undefined();

/** The members of a query, after their schemas. */
export type QueryOf<Query extends v.ObjectEntries> = v.InferOutput<ReturnType<typeof members<Query>>>;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Where an operation is, as types, so that a page that calls it at another place does not compile. */
export interface Route<M extends Method, Path extends string> {
  readonly method: M;
  readonly path: Path;
}

/** What every operation has in its line of the table. */
export interface OperationHead {
  /** Unique. The `operationId` in OpenAPI. */
  readonly name: string;
  /** All methods but GET need proof that no other site caused the request. */
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

/** The definition of an operation. By default, it answers 200, and takes neither a query nor a body. */
type OperationDefinition<
  Query extends v.ObjectEntries,
  Body extends v.GenericSchema,
  Answer extends v.GenericSchema,
  Context extends OperationContext,
> = Omit<Operation<Query, Body, Answer, Context>, "status" | "query" | "body"> &
  Partial<Pick<Operation<Query, Body, Answer, Context>, "status" | "query" | "body">>;

/** Defines an operation that changes nothing which the audit log records. */
export function defineOperation<
  M extends Method,
  Path extends string,
  Answer extends v.GenericSchema,
  Query extends v.ObjectEntries = typeof noQuery,
  Body extends v.GenericSchema = typeof noBody,
  Context extends OperationContext = OperationContext,
>(
  definition: OperationDefinition<Query, Body, Answer, Context> & Route<M, Path>,
): Operation<Query, Body, Answer, Context> & Route<M, Path>;
/** The implementation, since types cannot show that the default of an absent query or body has its type. */
export function defineOperation(
  definition: OperationDefinition<v.ObjectEntries, v.GenericSchema, v.GenericSchema, OperationContext>,
): Operation {
  return { status: 200, query: noQuery, body: noBody, ...definition };
}

/** The definition of a change: its `run` makes the change as one of `action`. */
type ChangeDefinition<
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
  M extends Method,
  Path extends string,
  Answer extends v.GenericSchema,
  Query extends v.ObjectEntries = typeof noQuery,
  Body extends v.GenericSchema = typeof noBody,
>(definition: ChangeDefinition<Query, Body, Answer> & Route<M, Path>): Operation<Query, Body, Answer> & Route<M, Path>;
/** The implementation, for the same reason. */
export function defineChange(
  definition: ChangeDefinition<v.ObjectEntries, v.GenericSchema, v.GenericSchema>,
): Operation {
  const { action } = definition;
  return defineOperation<Method, string, v.GenericSchema, v.ObjectEntries, v.GenericSchema>({
    ...definition,
    run: (context, call) => definition.run(context, call, auditedAs(context, call.operator, action)),
  });
}

/** A change, without its actor. It must not contain a secret. */
type Change = Omit<AuditChange, "actor">;

/**
 * Makes a change after it was appended to the audit log, so that no change is missing there. Rejects, and changes nothing,
 * while the log is unavailable. A second entry says what the first could not know: what `outcome` returns, such as the id of
 * a new object, or, with the suffix ".failed", that the change failed or that its store did not answer in time.
 */
export type Audited = <T>(
  change: Omit<Change, "action">,
  make: () => Awaitable<T>,
  outcome?: (result: T) => Change | undefined,
) => Promise<T>;

/** Returns how an operator makes the changes of an action. Without an audit log, which only a command line may lack, they are not recorded. */
export function auditedAs(
  { stores: { audit }, ask }: Pick<OperationContext, "stores" | "ask">,
  { actor }: Pick<Operator, "actor">,
  action: string,
): Audited {
  return async (change, make, outcome = () => undefined) => {
    if (audit === undefined) return make();
    await ask(() => audit.append({ actor, action, ...change }));
    // The first entry names the change. A second one that cannot be written must not hide the result.
    const append = (entry: Change) => ask(() => audit.append({ actor, ...entry })).catch(() => undefined);
    try {
      const result = await make();
      const entry = outcome(result);
      if (entry !== undefined) await append(entry);
      return result;
    } catch (cause) {
      await append({ action: `${action}.failed`, subject: change.subject });
      throw cause;
    }
  };
}
