import { requireKnown } from "@tollgate/core/internal";
import {
  checkedWholeNumber,
  type ItemLimits,
  type NewResponse,
  type ResponseConversation,
  type ResponseInput,
  type ResponseInputPage,
  type ResponseItems,
  type ResponsePage,
  type ResponseRef,
  type ResponseStore,
  type SaveResult,
  type StoredResponse,
} from "@tollgate/core/store";
import { Database } from "./database.ts";
import type { PostgresPool } from "./pool.ts";
import { readConversation, readInput, readItems, readResponse, readResponses } from "./response-pages.ts";
import {
  endResponseStatement,
  expireAccountResponsesStatement,
  expireResponsesStatement,
  forgetResponsesStatement,
  removeResponseStatement,
  saveResponseStatement,
} from "./statements/responses.ts";

/**
 * A ResponseStore in PostgreSQL, on tables that {@link migratePostgres} creates in the schema ("tollgate" by default). Any
 * number of processes can share it, through any pooler. In addition to the permissions of the other stores, its role needs
 * DELETE on the table `response`.
 */
export function postgresResponseStore(pool: PostgresPool, options: { readonly schema?: string } = {}): ResponseStore {
  requireKnown("postgresResponseStore", options, { schema: true });
  return new ResponsesInPostgres(new Database(pool, options.schema));
}

// One sweep must take much less time than the statement timeout of the host.
const sweepLimits = [100, 1_000, 67_108_864] as const;
const outcomes = ["saved", "taken", "full"] as const;

/** The ResponseStore on one database. */
export class ResponsesInPostgres implements ResponseStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(response: NewResponse): Promise<SaveResult> {
    checkedWholeNumber("ttlMs", response.ttlMs, 1);
    const values = valuesOf(response);
    let outcome = await this.#save(values);
    while (outcome === "full") {
      const row = await this.#database.runForOne(expireAccountResponsesStatement, [...sweepLimits, response.account]);
      if (Number(row.text("expired")) === 0) break;
      outcome = await this.#save(values);
    }
    if (outcome !== "taken") return { outcome };
    throw new Error(`Another account has a response with the id ${response.id}. Create a new id for each response.`);
  }

  async find(ref: ResponseRef): Promise<StoredResponse | undefined> {
    return readResponse(this.#database, ref);
  }

  async conversation(ref: ResponseRef, limits: ItemLimits): Promise<ResponseConversation> {
    return readConversation(this.#database, ref, limits);
  }

  async input(ref: ResponseRef, page: ResponseInputPage): Promise<ResponseInput | undefined> {
    return readInput(this.#database, ref, page);
  }

  async items(account: string, ids: readonly string[], limits: ItemLimits): Promise<ResponseItems> {
    return readItems(this.#database, account, ids, limits);
  }

  async delete(ref: ResponseRef): Promise<boolean> {
    const call = crypto.randomUUID();
    const ended = await this.#database.runFor(endResponseStatement, ref, [call]);
    if (ended.length === 0) return false;
    // If this fails, the response is already unknown, and a sweep removes its rows.
    await this.#database.run(removeResponseStatement, [ref.id, call]);
    return true;
  }

  async list(query: Parameters<ResponseStore["list"]>[0]): Promise<ResponsePage> {
    return readResponses(this.#database, query);
  }

  async forget(account: string): Promise<number> {
    return this.#database.removeExpired(forgetResponsesStatement, [...sweepLimits, account]);
  }

  async expire(): Promise<number> {
    return this.#database.removeExpired(expireResponsesStatement, [...sweepLimits]);
  }

  async #save(values: unknown[]): Promise<"saved" | "taken" | "full"> {
    const row = await this.#database.insert(saveResponseStatement, values);
    return row.oneOf("outcome", outcomes);
  }
}

function valuesOf({
  id,
  account,
  previousId,
  response,
  input,
  output,
  ttlMs,
  maxAccountBytes,
}: NewResponse): unknown[] {
  const items = [...input, ...output];
  const [ids, texts] = [items.map((item) => item.id), items.map(({ json }) => json)];
  return [id, account, previousId ?? null, response, ttlMs, maxAccountBytes, ids, texts, input.length];
}
