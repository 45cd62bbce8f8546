import type { Exchange, GatewayResponse, MountServices } from "@tollgate/core/internal";
import { writeExactJson } from "@tollgate/core/provider";
import type * as v from "valibot";
import { columnsOf, csvHead, csvRow } from "./csv.ts";
import { type ExportFormat, exportTypes } from "./formats.ts";
import { PulledStream } from "./pulled-stream.ts";

/** The rows of an export. */
export interface RowExport<Item> {
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
    jsonl: (row) => `${writeExactJson(row)}\n`,
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
