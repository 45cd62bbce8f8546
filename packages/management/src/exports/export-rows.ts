import { csvLine, type Exchange, type GatewayResponse, type MountServices } from "@tollgate/core/internal";
import { writeLosslessJson } from "@tollgate/core/provider";
import type * as v from "valibot";
import { isNullable, isObject } from "../schemas/shape.ts";
import { type ExportFormat, exportTypes } from "./formats.ts";
import { PulledStream } from "./pulled-stream.ts";

/** The rows of an export. */
interface RowExport<Item> {
  readonly format: ExportFormat;
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly item: v.GenericSchema;
  /** Each page is read when the client has read the one before. */
  readonly pages: AsyncGenerator<readonly Item[], undefined>;
}

/** Answers with rows as a file. The first page is read before the response begins, so a store that fails is still a 503. */
export async function exportRows<Item>(
  services: MountServices,
  { headers }: Exchange,
  { format, name, item, pages }: RowExport<Item>,
): Promise<GatewayResponse> {
  const columns = columnsOf(item);
  const write: Readonly<Record<ExportFormat, (row: Item) => string>> = {
    csv: (row) => csvRow(columns, row),
    jsonl: (row) => `${writeLosslessJson(row)}\n`,
  };
  const textOf = (rows: readonly Item[] | undefined): string => (rows ?? []).map(write[format]).join("");
  const first = await pages.next();
  const head = (format === "csv" ? csvHead(columns) : "") + textOf(first.value);
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

/** A column: its name, and the path of its value in a row. */
interface Column {
  readonly name: string;
  readonly path: readonly string[];
}

/** Returns the columns of rows of a schema. The members of an object become columns of their own, such as `tokens.input`. */
function columnsOf(schema: v.GenericSchema, path: readonly string[] = []): readonly Column[] {
  const { entries } = entriesOf(schema);
  if (entries === undefined) return [{ name: path.join("."), path }];
  return Object.entries(entries).flatMap(([name, entry]) => columnsOf(entry, [...path, name]));
}

/** Returns the first line, with the names of the columns. */
const csvHead = (columns: readonly Column[]): string => csvLine(columns.map(({ name }) => name));

/** Returns the line of a row. */
const csvRow = (columns: readonly Column[], row: unknown): string =>
  csvLine(columns.map(({ path }) => path.reduce(memberOf, row)));

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Finds the members of an object schema, also of one that may be null. */
function entriesOf(schema: v.GenericSchema): { readonly entries?: v.ObjectEntries } {
  if (isNullable(schema)) return entriesOf(schema.wrapped);
  return isObject(schema) ? schema : {};
}
