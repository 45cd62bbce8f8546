import { csvLine, type Exchange, type GatewayResponse, type MountServices } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import type * as v from "valibot";
import type { ListOperation } from "../operations/lists.ts";
import { isNullable, isObject } from "../schemas/camel-case.ts";
import { PulledStream } from "./pulled-stream.ts";

/** The formats of an export, values of the query member `format`, with their media types. */
export const exportTypes = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
} as const;

/**
 * Answers with the rows of an operation as a file. The first page is read before the response begins, so a store that fails
 * is still a 503, and each other one when the client has read the one before.
 */
export async function exportRows<Item>(
  services: MountServices,
  { headers }: Exchange,
  format: keyof typeof exportTypes,
  { name, item }: Pick<ListOperation, "name" | "item">,
  pages: AsyncGenerator<readonly Item[], undefined>,
): Promise<GatewayResponse> {
  const columns = columnsOf(item);
  const write = {
    csv: (row: unknown) => csvLine(columns.map((path) => path.reduce(memberOf, row))),
    jsonl: (row: unknown) => `${writeLosslessJson(row)}\n`,
  };
  const textOf = (rows: readonly Item[] | undefined): string => (rows ?? []).map(write[format]).join("");
  const first = await pages.next();
  const head = (format === "csv" ? csvLine(columns.map((path) => path.join("."))) : "") + textOf(first.value);
  headers["content-type"] = exportTypes[format];
  headers["content-disposition"] = `attachment; filename="${name}.${format}"`;
  return { status: 200, headers, body: new PulledStream(services.unread, textsOf(head, pages, textOf)) };
}

async function* textsOf<Item>(
  head: string,
  pages: AsyncGenerator<readonly Item[], undefined>,
  textOf: (rows: readonly Item[]) => string,
): AsyncGenerator<string, undefined> {
  if (head !== "") yield head;
  for await (const rows of pages) if (rows.length > 0) yield textOf(rows);
  return undefined;
}

/** Returns the paths of the columns of a schema. The members of an object become columns of their own, such as `tokens.input`. */
function columnsOf(schema: v.GenericSchema, path: readonly string[] = []): readonly (readonly string[])[] {
  const { entries } = entriesOf(schema);
  if (entries === undefined) return [path];
  return Object.entries(entries).flatMap(([name, entry]) => columnsOf(entry, [...path, name]));
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Finds the members of an object schema, also of one that may be null. */
function entriesOf(schema: v.GenericSchema): { readonly entries?: v.ObjectEntries } {
  if (isNullable(schema)) return entriesOf(schema.wrapped);
  return isObject(schema) ? schema : {};
}
