import { jsonTextResponse, oneOf } from "@tollgate/core/internal";
import { writeExactJson } from "@tollgate/core/provider";
import type { Json } from "@tollgate/core/store";
import * as v from "valibot";
import { exportRows } from "../exports/export-rows.ts";
import { exportFormats, exportTypes } from "../exports/formats.ts";
import { noBody } from "../routes/read-body.ts";
import { parametersOf, type QueryOf, readQuery } from "../routes/read-query.ts";
import type { ManagementRoute, OperatorCall, RouteHead } from "../routes/route.ts";
import { queryNumber } from "../schemas/values.ts";
import type { ManagementServices } from "../services.ts";
import { type CursorOwner, readCursor, writeCursor } from "./cursor.ts";

/** A call for one page. */
export interface PageCall<Query, Position> extends OperatorCall {
  readonly query: Query;
  readonly limit: number;
  /** Undefined: the first page. */
  readonly after: Position | undefined;
}

/** One page, and the position after it as JSON; `next` is undefined on the last page. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next: Json | undefined;
}

/** The definition of a list. */
export interface ListDefinition<Query extends v.ObjectEntries, Item extends v.GenericSchema, Position>
  extends Omit<RouteHead, "method"> {
  /** The filters. */
  readonly query: Query;
  readonly item: Item;
  /** The schema of a position as JSON. */
  readonly position: v.GenericSchema<unknown, Position>;
  /** True: `format` selects CSV or JSON Lines, with all pages. */
  readonly exported: boolean;
  page(services: ManagementServices, call: PageCall<QueryOf<Query>, Position>): Promise<Page<v.InferInput<Item>>>;
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
const pagingAndFormat = { ...paging, format: v.exactOptional(oneOf("json", ...exportFormats)) };

/** Defines a route that answers the pages of a list, and exports the whole of it. */
export function defineList<Query extends v.ObjectEntries, Item extends v.GenericSchema, Position>(
  definition: ListDefinition<Query, Item, Position>,
): ManagementRoute {
  const { page: readPage, position, item, exported, query: filters, ...head } = definition;
  const common = exported ? pagingAndFormat : paging;
  return {
    ...head,
    method: "GET",
    status: 200,
    query: { ...filters, ...common },
    body: noBody,
    answer: v.strictObject({ data: v.array(item), next: v.nullable(v.string()) }),
    exports: exported ? Object.values(exportTypes) : [],
    async respond(services, call) {
      const [ofPage, ofFilters] = split(parametersOf(call.context.request), Object.keys(common));
      const { cursor, limit = defaultLimit, format = "json" } = readQuery(ofPage, pagingAndFormat);
      const query = readQuery(ofFilters, filters, Object.keys(common));
      const owner: CursorOwner = { name: head.name, id: call.id, filters: ofFilters };
      const after = cursor === undefined ? undefined : await readCursor(owner, position, cursor);
      if (format !== "json") {
        const read = (place: Position | undefined) =>
          readPage(services, { ...call, query, limit: exportLimit, after: place });
        const pages = pagesFrom(read, after, position);
        return exportRows(services, call, { format, name: head.name, item, pages });
      }
      const { data, next } = await readPage(services, { ...call, query, limit, after });
      const answer = { data, next: next === undefined ? null : await writeCursor(owner, next) };
      return jsonTextResponse(200, call.context.meta.headers, writeExactJson(answer));
    },
  };
}

/** Separates the members with these names from the others. */
function split(given: Readonly<Record<string, string>>, names: readonly string[]) {
  const entries = Object.entries(given);
  return [
    Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  ] as const;
}

/** Reads one page after another, each when it is wanted. */
async function* pagesFrom<Item, Position>(
  read: (after: Position | undefined) => Promise<Page<Item>>,
  first: Position | undefined,
  position: v.GenericSchema<unknown, Position>,
): AsyncGenerator<readonly Item[], undefined> {
  let page = await read(first);
  yield page.data;
  while (page.next !== undefined) {
    page = await read(v.parse(position, page.next));
    yield page.data;
  }
  return undefined;
}
