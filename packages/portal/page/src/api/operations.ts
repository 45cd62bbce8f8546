import { type AnswerIn, type Operations, operationsOf } from "@tollgate/page-kit/api/operations.ts";
import type { PortalTable } from "../../../src/operation-table.ts";

type Table = PortalTable[number];

/** What an operation answers. */
export type AnswerAt<M extends Table["method"], P extends string> = AnswerIn<Table, M, P>;

/** Returns an operation of the portal, with the id of the object that its path has: `operation("GET", "/keys/:id", id)`. */
export const operation: Operations<Table> = operationsOf();
