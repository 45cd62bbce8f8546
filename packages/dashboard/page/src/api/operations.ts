import type { OperationTable } from "@tollgate/management/operations";
import {
  type AnswerIn,
  type BodyIn,
  type Operations,
  operationsOf,
  type RouteOf,
} from "@tollgate/page-kit/api/operations.ts";

type Table = OperationTable[number];

/** An operation of the management API by its method and path, such as "GET /accounts/:id". */
export type Route = RouteOf<Table>;

/** What an operation answers. */
export type AnswerAt<M extends Table["method"], P extends string> = AnswerIn<Table, M, P>;

/** The body that an operation takes. Undefined: none. */
export type BodyAt<M extends Table["method"], P extends string> = BodyIn<Table, M, P>;

/** Returns an operation of the management API, with the id of the object that its path has: `operation("GET", "/keys/:id", id)`. */
export const operation: Operations<Table> = operationsOf();
