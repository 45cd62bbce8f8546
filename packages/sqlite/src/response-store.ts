import { type Awaitable, nextOf } from "@tollgate/core/internal";
import type {
  ItemLimits,
  NewResponse,
  ResponseConversation,
  ResponseInput,
  ResponseInputPage,
  ResponseItems,
  ResponsePage,
  ResponseRef,
  ResponseStore,
  SaveResult,
  StoredResponse,
} from "@tollgate/core/store";
import { checkedWholeNumber } from "@tollgate/core/store";
import { Connection } from "./connection.ts";
import type { SqliteDatabase } from "./database.ts";
import { DueResponses } from "./due-responses.ts";
import { ResponseItemRows } from "./response-items.ts";
import { type ResponseBytes, ResponseRows } from "./response-rows.ts";

/** A ResponseStore in SQLite, on a database that the host opens. {@link sqliteStores} lists the settings it changes. */
export function sqliteResponseStore(database: SqliteDatabase): ResponseStore {
  return new ResponsesInSqlite(new Connection(database));
}

/** The ResponseStore on an open connection. */
export class ResponsesInSqlite implements ResponseStore {
  readonly #connection: Connection;
  readonly #responses: ResponseRows;
  readonly #items: ResponseItemRows;
  readonly #due: DueResponses;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#responses = new ResponseRows(connection);
    this.#items = new ResponseItemRows(connection);
    this.#due = new DueResponses(connection);
  }

  save(response: NewResponse): Awaitable<SaveResult> {
    checkedWholeNumber("ttlMs", response.ttlMs, 1);
    // A copy, since the caller can change its lists before the transaction begins.
    const copy = { ...response, input: [...response.input], output: [...response.output] };
    return this.#connection.write(() => this.#save(copy, sizeOf(copy)));
  }

  find(ref: ResponseRef): Awaitable<StoredResponse | undefined> {
    return this.#connection.read(() => this.#responses.find(ref));
  }

  conversation(ref: ResponseRef, { maxBytes, loadBytes = maxBytes }: ItemLimits): Awaitable<ResponseConversation> {
    return this.#connection.read(() => {
      const chain = this.#responses.chain(ref, maxBytes);
      if (chain.outcome !== "found") return { outcome: chain.outcome };
      if (chain.bytes > loadBytes) return { outcome: "larger", bytes: chain.bytes };
      const items = chain.sequences.flatMap((sequence) => this.#items.ofResponse(sequence));
      // Another process can delete a response between the reads, and its items would be missing.
      return this.#responses.chain(ref, maxBytes).outcome === "found"
        ? { outcome: "found", items }
        : { outcome: "unknown" };
    });
  }

  input(ref: ResponseRef, page: ResponseInputPage): Awaitable<ResponseInput | undefined> {
    checkedWholeNumber("limit", page.limit, 1);
    return this.#connection.read(() => {
      const sequence = this.#responses.sequenceOf(ref);
      const found = sequence === undefined ? undefined : this.#items.page(sequence, page);
      // Another process can delete the response between the reads, and the page would be empty.
      return this.#responses.sequenceOf(ref) === undefined ? undefined : found;
    });
  }

  items(account: string, ids: readonly string[], limits: ItemLimits): Awaitable<ResponseItems> {
    return this.#connection.read(() => this.#items.newest(account, ids, limits));
  }

  list({ account, limit, after = "" }: Parameters<ResponseStore["list"]>[0]): Awaitable<ResponsePage> {
    const wanted = checkedWholeNumber("limit", limit, 1);
    return this.#connection.read(() => {
      const found = this.#responses.page(account, after, wanted + 1);
      const responses = found.slice(0, wanted);
      return { responses, ...nextOf(responses, found.length, ({ id }) => id) };
    });
  }

  forget(account: string): Awaitable<number> {
    return this.#connection.write(() => this.#due.forget(account));
  }

  delete(ref: ResponseRef): Awaitable<boolean> {
    return this.#connection.write(() => this.#responses.delete(ref));
  }

  expire(): Awaitable<number> {
    return this.#connection.write(() => this.#due.remove());
  }

  #save(response: NewResponse, size: ResponseBytes): SaveResult {
    const { id, account, input, output, maxAccountBytes } = response;
    const owner = this.#responses.accountOf(id);
    if (owner === account) return { outcome: "saved" };
    if (owner !== undefined) {
      throw new Error(`Another account has a response with the id ${id}. Create a new id for each response.`);
    }
    const isFull = () => this.#responses.bytesOf(account) + size.bytes > maxAccountBytes;
    while (isFull()) if (this.#due.removeOf(account) === 0) return { outcome: "full" };
    const sequence = this.#responses.add(response, size);
    for (const item of input) this.#items.add(sequence, account, "input", item);
    for (const item of output) this.#items.add(sequence, account, "output", item);
    return { outcome: "saved" };
  }
}

function sizeOf({ response, input, output }: NewResponse): ResponseBytes {
  const itemBytes = [...input, ...output].reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  return { itemBytes, bytes: Buffer.byteLength(response) + itemBytes };
}
