import { nextOf, readResponseRow, type TextRow } from "@tollgate/core/internal";
import {
  checkedWholeNumber,
  type ItemLimits,
  type ResponseConversation,
  type ResponseInput,
  type ResponseInputPage,
  type ResponseItem,
  type ResponseItems,
  type ResponsePage,
  type ResponseRef,
  type ResponseStore,
  type StoredResponse,
} from "@tollgate/core/store";
import type { Database } from "./database.ts";
import {
  conversationStatement,
  findResponseStatement,
  inputAscendingStatement,
  inputDescendingStatement,
  itemsStatement,
  listResponsesStatement,
} from "./statements/responses.ts";
import { isStorableText } from "./storable-values.ts";

/** Reads a response without its items. */
export async function readResponse(database: Database, ref: ResponseRef): Promise<StoredResponse | undefined> {
  const [row] = await database.runFor(findResponseStatement, ref);
  return row && readResponseRow(row, row.text("account_id"));
}

/** Reads a page of the responses of an account, without their items. */
export async function readResponses(
  database: Database,
  { account, limit, after = "" }: Parameters<ResponseStore["list"]>[0],
): Promise<ResponsePage> {
  const wanted = checkedWholeNumber("limit", limit, 1);
  const rows = await database.runFor(listResponsesStatement, { id: account, account: after }, [wanted + 1]);
  const responses = rows.slice(0, wanted).map((row) => readResponseRow(row, row.text("account_id")));
  return { responses, ...nextOf(responses, rows.length, ({ id }) => id) };
}

/** Reads the items of a response and of those that it continues, in one statement. */
export async function readConversation(
  database: Database,
  ref: ResponseRef,
  { maxBytes, loadBytes = maxBytes }: ItemLimits,
): Promise<ResponseConversation> {
  const rows = await database.runFor(conversationStatement, ref, [maxBytes, loadBytes]);
  return rows[0]?.text("outcome") === "unknown" ? { outcome: "unknown" } : (toFound(rows) ?? { outcome: "unknown" });
}

/** Reads one page of the input items of a response. */
export async function readInput(
  database: Database,
  ref: ResponseRef,
  { limit, maxBytes, order, after }: ResponseInputPage,
): Promise<ResponseInput | undefined> {
  const oneMore = checkedWholeNumber("limit", limit, 1) + 1;
  if (!isStorableText(after ?? "")) return undefined;
  const statement = order === "asc" ? inputAscendingStatement : inputDescendingStatement;
  const rows = await database.runFor(statement, ref, [after ?? null, oneMore, maxBytes ?? null]);
  if (rows.length === 0) return undefined;
  const items = toItems(rows).slice(0, limit);
  return { items, hasMore: Number(rows[0]?.optionalText("found") ?? 0) > items.length };
}

/** Reads the newest item of an account for each id. */
export async function readItems(
  database: Database,
  account: string,
  ids: readonly string[],
  { maxBytes, loadBytes = maxBytes }: ItemLimits,
): Promise<ResponseItems> {
  const wanted = [...new Set(ids)].filter(isStorableText);
  const none = { outcome: "found", items: [] } as const;
  if (!isStorableText(account) || wanted.length === 0) return none;
  return toFound(await database.run(itemsStatement, [account, wanted, maxBytes, loadBytes])) ?? none;
}

/** Reads rows with an `outcome`, the `bytes` of the items and, if found, the items. Returns undefined without rows. */
function toFound(rows: readonly TextRow[]): ResponseItems | undefined {
  const [first] = rows;
  const outcome = first?.oneOf("outcome", ["found", "larger", "too_long"]);
  switch (outcome) {
    case "found":
      return { outcome, items: toItems(rows) };
    case "larger":
      return { outcome, bytes: Number(first?.text("bytes")) };
    default:
      return outcome && { outcome };
  }
}

/** Reads items. A row without an item has only an outcome. */
const toItems = (rows: readonly TextRow[]): ResponseItem[] =>
  rows
    .filter((row) => row.optionalText("item_id") !== undefined)
    .map((row) => ({ id: row.text("item_id"), json: row.text("item") }));
