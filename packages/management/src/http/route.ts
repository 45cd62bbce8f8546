import { GatewayError } from "@tollgate/core";
import {
  type ClientRequest,
  digestKey,
  type Exchange,
  type GatewayResponse,
  jsonTextResponse,
  nextTurn,
  oneOf,
  readJsonBody,
} from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import type { Json } from "@tollgate/core/store";
import * as v from "valibot";
import type { Operator } from "../authorization/authorize.ts";
import { exportRows, exportTypes } from "../exports/export-rows.ts";
import { type OperationServices, requireStore } from "../operations/context.ts";
import type { ExportOperation } from "../operations/exports.ts";
import { type ListOperation, pagesOf, type ReportOperation } from "../operations/lists.ts";
import { noBody, noQuery, type Operation, type OperationHead } from "../operations/operation.ts";
import { anyObject } from "../schemas/answers.ts";
import { queryNumber } from "../schemas/values.ts";
import { parametersOf, readQuery } from "./read-input.ts";

/** How the API serves an operation. OpenAPI is made from its schemas. */
export interface ManagementRoute extends OperationHead, Pick<Operation, "status" | "query" | "body"> {
  /** Undefined: it answers no JSON. */
  readonly answer: Operation["answer"] | undefined;
  readonly idempotent?: true;
  /** The media types of its exports, besides JSON. */
  readonly exports: readonly string[];
  /** Answers an operator whose role suffices. `id` is the decoded part of the path that matched `:id` or `*`, or "". */
  respond(services: OperationServices, exchange: Exchange, operator: Operator, id: string): Promise<GatewayResponse>;
}

/** Returns the route of an operation. */
export function routeOf(operation: Operation | ListOperation | ReportOperation | ExportOperation): ManagementRoute {
  if ("page" in operation) return listRoute(operation);
  if ("lines" in operation) return exportRoute(operation);
  return "report" in operation ? reportRoute(operation) : answerRoute(operation);
}

/** Returns the route of an operation that answers one JSON value. A change without an audit log is refused. */
const answerRoute = (operation: Operation): ManagementRoute => ({
  ...operation,
  exports: [],
  async respond(services, { request, headers }, operator, id) {
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

const defaultLimit = 50;
const maxLimit = 200;
/** Few enough that reading and writing a page of SQLite blocks the process for a few milliseconds. */
const exportLimit = 200;

const maxCursorLength = 8_192;

/** A cursor contains ids, so it may be longer than they may be. */
const cursorText = v.pipe(
  v.string(),
  v.maxLength(maxCursorLength, `must have at most ${maxCursorLength} characters. Send \`next\` of a page as it is`),
);

const paging = { limit: v.exactOptional(queryNumber(1, maxLimit)), cursor: v.exactOptional(cursorText) };
const exporting = { format: v.exactOptional(oneOf("json", "csv", "jsonl")) };
const pagingAndFormat = { ...paging, ...exporting };

/** Returns the route that answers the pages of a list, and exports the whole of it. */
function listRoute(list: ListOperation): ManagementRoute {
  const { page: _page, position, item, exported, query: filters, ...head } = list;
  const common = exported ? pagingAndFormat : paging;
  return {
    ...head,
    status: 200,
    query: { ...filters, ...common },
    body: noBody,
    answer: v.strictObject({ data: v.array(item), next: v.nullable(v.string()) }),
    exports: exported ? Object.values(exportTypes) : [],
    async respond(services, exchange, operator, id) {
      const [ofPage, ofFilters] = split(parametersOf(exchange.request), Object.keys(common));
      const { cursor, limit = defaultLimit, format = "json" } = readQuery(ofPage, pagingAndFormat);
      const query = readQuery(ofFilters, filters, Object.keys(common));
      const owner = await fingerprint(head.name, id, ofFilters);
      const after = cursor === undefined ? undefined : readCursor(owner, position, cursor);
      const call = { operator, id, query, limit, after };
      if (format !== "json") {
        const pages = pagesOf(list, services, { ...call, limit: exportLimit });
        return exportRows(services, exchange, format, list, pages);
      }
      const { data, next } = await list.page(services, call);
      const answer = { data, next: next === undefined ? null : writeCursor(owner, next) };
      return jsonTextResponse(200, exchange.headers, writeLosslessJson(answer));
    },
  };
}

/** Separates the members with these names from the others. */
function split(parameters: Readonly<Record<string, string>>, names: readonly string[]) {
  const entries = Object.entries(parameters);
  return [
    Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  ] as const;
}

/** Returns the route that answers a report, and exports its rows. */
function reportRoute(operation: ReportOperation): ManagementRoute {
  const { report, head, item, query: filters, ...line } = operation;
  const query = { ...filters, ...exporting };
  return {
    ...line,
    status: 200,
    query,
    body: noBody,
    answer: v.strictObject({ ...head, data: v.array(item) }),
    exports: Object.values(exportTypes),
    async respond(services, exchange, operator, id) {
      const { format = "json", ...parameters } = readQuery(parametersOf(exchange.request), query);
      const { head: first, pages } = await report(services, { operator, id, query: parameters });
      if (format !== "json") return exportRows(services, exchange, format, operation, pages);
      const rows: string[] = [];
      for await (const page of pages) {
        rows.push(...page.map((row) => writeLosslessJson(row)));
        await nextTurn();
      }
      const text = `${writeLosslessJson(first).slice(0, -1)},"data":[${rows.join(",")}]}`;
      return jsonTextResponse(200, exchange.headers, text);
    },
  };
}

/** Returns the route that answers an export as JSON Lines. It is refused without an audit log, which names it. */
const exportRoute = ({ lines, action: _action, ...head }: ExportOperation): ManagementRoute => ({
  ...head,
  status: 200,
  query: noQuery,
  body: noBody,
  answer: undefined,
  exports: [exportTypes.jsonl],
  async respond(services, exchange, operator, id) {
    requireStore(services, "audit");
    readQuery(parametersOf(exchange.request), noQuery);
    const { name } = head;
    return exportRows(services, exchange, "jsonl", { name, item: anyObject }, lines(services, { operator, id }));
  },
});

/** Identifies what a cursor belongs to: the route, the id in its path, and the filters as they were sent. */
async function fingerprint(name: string, id: string, filters: Readonly<Record<string, string>>): Promise<string> {
  const sorted = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return (await digestKey(JSON.stringify([name, id, sorted]))).slice(0, 16);
}

/** Returns the text for a position in a list. Clients send it back as it is. */
function writeCursor(owner: string, position: Json): string {
  const bytes = new TextEncoder().encode(JSON.stringify([owner, position]));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the position of a cursor. Throws 400 for a cursor of another list, or of other filters. */
function readCursor<Position>(owner: string, schema: v.GenericSchema<unknown, Position>, cursor: string): Position {
  const parsed = v.safeParse(v.tuple([v.literal(owner), schema]), decode(cursor));
  if (parsed.success) return parsed.output[1];
  throw new GatewayError(
    "invalid_request",
    "`cursor` does not belong to this list with these filters. Send `next` of a page of it, with the same filters.",
    { param: "cursor" },
  );
}

/** Returns undefined for a text that is not base64url of JSON. */
function decode(cursor: string): unknown {
  try {
    const binary = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
