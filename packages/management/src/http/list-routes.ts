import { jsonTextResponse, nextTurn, oneOf } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import * as v from "valibot";
import { exportRows } from "../exports/export-rows.ts";
import { exportFormats, exportTypes } from "../exports/formats.ts";
import { type ListOperation, pagesOf, type ReportOperation } from "../operations/lists.ts";
import { noBody } from "../operations/operation.ts";
import { queryNumber } from "../schemas/values.ts";
import { type CursorOwner, readCursor, writeCursor } from "./cursor.ts";
import { parametersOf, readQuery } from "./read-query.ts";
import type { ManagementRoute } from "./route.ts";

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
const exporting = { format: v.exactOptional(oneOf("json", ...exportFormats)) };
const pagingAndFormat = { ...paging, ...exporting };

/** Returns the route that answers the pages of a list, and exports the whole of it. */
export function listRoute(list: ListOperation): ManagementRoute {
  const { page: _page, position, item, exported, query: filters, ...head } = list;
  const common = exported ? pagingAndFormat : paging;
  return {
    ...head,
    status: 200,
    query: { ...filters, ...common },
    body: noBody,
    answer: v.strictObject({ data: v.array(item), next: v.nullable(v.string()) }),
    exports: exported ? Object.values(exportTypes) : [],
    async respond(services, { context, operator, id }) {
      const [ofPage, ofFilters] = split(parametersOf(context.request), Object.keys(common));
      const { cursor, limit = defaultLimit, format = "json" } = readQuery(ofPage, pagingAndFormat);
      const query = readQuery(ofFilters, filters, Object.keys(common));
      const owner: CursorOwner = { name: head.name, id, filters: ofFilters };
      const after = cursor === undefined ? undefined : await readCursor(owner, position, cursor);
      const call = { operator, id, query, limit, after };
      if (format !== "json") {
        const pages = pagesOf(list, services, { ...call, limit: exportLimit });
        return exportRows(services, context, { format, name: head.name, item, pages });
      }
      const { data, next } = await list.page(services, call);
      const answer = { data, next: next === undefined ? null : await writeCursor(owner, next) };
      return jsonTextResponse(200, context.headers, writeLosslessJson(answer));
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
export function reportRoute(operation: ReportOperation): ManagementRoute {
  const { report, head, item, query: filters, ...line } = operation;
  const query = { ...filters, ...exporting };
  return {
    ...line,
    status: 200,
    query,
    body: noBody,
    answer: v.strictObject({ ...head, data: v.array(item) }),
    exports: Object.values(exportTypes),
    async respond(services, { context, operator, id }) {
      const { format = "json", ...parameters } = readQuery(parametersOf(context.request), query);
      const { head: first, pages } = await report(services, { operator, id, query: parameters });
      if (format !== "json") return exportRows(services, context, { format, name: line.name, item, pages });
      const rows: string[] = [];
      for await (const page of pages) {
        rows.push(...page.map((row) => writeLosslessJson(row)));
        await nextTurn();
      }
      const text = `${writeLosslessJson(first).slice(0, -1)},"data":[${rows.join(",")}]}`;
      return jsonTextResponse(200, context.headers, text);
    },
  };
}
