import type { TextRow } from "@tollgate/core/internal";
import type { RunStatement } from "../../database.ts";
import type { Statement } from "../../schema.ts";
import { asJson, type CarriedTable, type Columns, insertStatement } from "./carried-rows.ts";
import type { MovingShard } from "./moving-shard.ts";
import { requireEqual } from "./require-equal.ts";

/** A table of sessions or responses, and the tables of what belongs to each. */
interface ConversationTables {
  readonly parent: "session" | "response";
  /** The column of the other tables that names the parent. */
  readonly reference: string;
  readonly children: readonly CarriedTable[];
}

const sessions: ConversationTables = {
  parent: "session",
  reference: "session_id",
  children: ["sessionMessage", "sessionImages", "sessionLog"],
};

const responses: ConversationTables = {
  parent: "response",
  reference: "response_id",
  children: ["responseItem"],
};

/** Bytes of content in one transaction. A larger session or response has one of its own. */
const batchBytes = 1_000_000;
const batchRows = 200;

/** A copy has almost caught up when it copies this little at a time. */
const fewBytes = 200_000;

/** A session or response as one shard has it. */
interface Head {
  readonly id: string;
  readonly bytes: number;
  /** Differs if anything of it does. */
  readonly stamp: string;
}

/**
 * Copies the sessions and the stored responses of an account that is used meanwhile. Each change of one changes its row, so that
 * those are copied again whose rows differ.
 */
export class ConversationCopy {
  readonly #source: MovingShard;
  readonly #target: MovingShard;
  readonly #columns: Columns;

  constructor(source: MovingShard, target: MovingShard, columns: Columns) {
    this.#source = source;
    this.#target = target;
    this.#columns = columns;
  }

  /** Copies until almost nothing is left, at most five times, with a call of `goOn` before each batch. */
  async catchUp(goOn: () => void): Promise<void> {
    for (const tables of [sessions, responses]) {
      for (let tries = 0, bytes = fewBytes + 1; bytes > fewBytes && tries < 5; tries++) {
        bytes = await this.#copy(tables, await this.#now(), goOn);
      }
    }
  }

  /** Copies what is left of the frozen account, and compares both sides. */
  async complete(goOn: () => void): Promise<void> {
    const since = await this.#now();
    for (const tables of [sessions, responses]) {
      const [own, copied] = await this.#totals(tables, since);
      if (own === copied) continue;
      await this.#copy(tables, since, goOn);
      const [same, again] = await this.#totals(tables, since);
      requireEqual(`The ${tables.parent}s`, [this.#source, same], [this.#target, again]);
    }
    await this.#target.run((run) => run(countStatement, [this.#target.account]));
  }

  /** Describes what expires after a time in both shards. */
  #totals(tables: ConversationTables, since: string): Promise<readonly (string | undefined)[]> {
    return Promise.all([
      this.#source.run(readTotals(tables, this.#source.account, since)),
      this.#target.run(readTotals(tables, this.#target.account, undefined)),
    ]);
  }

  /** The time of the source. What has expired by then is not copied. */
  async #now(): Promise<string> {
    return (await this.#source.read(timeStatement)).text("time");
  }

  /** Copies what expires after a time, and returns about how many bytes it has copied. */
  async #copy(tables: ConversationTables, since: string, goOn: () => void): Promise<number> {
    const [own, copied] = await Promise.all([
      this.#source.run(readHeads(tables, this.#source.account, since)),
      this.#target.run(readHeads(tables, this.#target.account, undefined)),
    ]);
    const stamps = new Map(own.map((head) => [head.id, head.stamp]));
    const same = new Set(copied.filter(({ id, stamp }) => stamps.get(id) === stamp).map(({ id }) => id));
    const dropped = copied.filter(({ id }) => !same.has(id)).map(({ id }) => id);
    for (let at = 0; at < dropped.length; at += batchRows) {
      goOn();
      const ids = dropped.slice(at, at + batchRows);
      await this.#target.run((run) => run(removeStatement(tables), [this.#target.account, ids]));
    }
    const missing = own.filter(({ id }) => !same.has(id));
    for (const ids of batchesOf(missing)) {
      goOn();
      await this.#copyBatch(tables, ids);
    }
    return missing.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #copyBatch(tables: ConversationTables, ids: readonly string[]): Promise<void> {
    const { parent, children } = tables;
    const rows = await this.#source.read(readStatement(tables), [ids]);
    await this.#target.run(async (run) => {
      await run(removeStatement(tables), [this.#target.account, ids]);
      for (const table of [parent, ...children]) {
        const json = rows.optionalText(table);
        if (json !== undefined) await run(insertStatement(table, this.#columns(table)), [json]);
      }
    });
  }
}

function batchesOf(heads: readonly Head[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const { id, bytes } of heads) {
    const last = batches.at(-1);
    size += bytes;
    if (last !== undefined && last.length < batchRows && size <= batchBytes) last.push(id);
    else {
      batches.push([id]);
      size = bytes;
    }
  }
  return batches;
}

const readHeads =
  (tables: ConversationTables, account: string, since: string | undefined) =>
  async (run: RunStatement): Promise<readonly Head[]> =>
    (await run(headsStatement(tables), [account, since])).map(toHead);

const readTotals =
  (tables: ConversationTables, account: string, since: string | undefined) =>
  async (run: RunStatement): Promise<string | undefined> =>
    (await run(totalsStatement(tables), [account, since]))[0]?.text("totals");

const toHead = (row: TextRow): Head => ({
  id: row.text("id"),
  bytes: Number(row.text("bytes")),
  stamp: row.text("stamp"),
});

const timeStatement = (): string => "SELECT to_json(clock_timestamp()) #>> '{}' AS time WHERE $1::text IS NOT NULL";

/** A condition over the rows of account $1: they expire after the time $2, which is NULL for all. */
const expiresLater = "account_id = $1 AND ($2::timestamptz IS NULL OR expires_at > $2::timestamptz)";

/** In the order in which they were made. */
const headsStatement =
  ({ parent }: ConversationTables): Statement =>
  (tables) =>
    `
SELECT id, bytes::text AS bytes, md5(row_to_json(own)::text) AS stamp FROM ${tables[parent]} AS own
 WHERE ${expiresLater} ORDER BY created_at, id`;

/** Selects the number of rows in each table, their bytes, and a digest. */
const totalsStatement =
  ({ parent, reference, children }: ConversationTables): Statement =>
  (tables) =>
    `
WITH own AS MATERIALIZED (
  SELECT * FROM ${tables[parent]} WHERE ${expiresLater}
)
SELECT concat_ws(' ', (SELECT concat_ws(' ', count(*), sum(bytes), md5(string_agg(row_to_json(own)::text, ',' ORDER BY id))) FROM own),
         ${children.map((table) => `(SELECT count(*) FROM own JOIN ${tables[table]} AS part ON part.${reference} = own.id)`).join(", ")}) AS totals`;

/** Selects the rows of account $1 with the ids $2, and what belongs to them, one column for each table. */
const readStatement =
  ({ parent, reference, children }: ConversationTables): Statement =>
  (tables) => {
    const own = asJson(`SELECT * FROM ${tables[parent]} WHERE account_id = $1 AND id = ANY ($2::text[])`);
    const of = (table: CarriedTable) => asJson(`SELECT * FROM ${tables[table]} WHERE ${reference} = ANY ($2::text[])`);
    return `SELECT ${own} AS "${parent}", ${children.map((table) => `${of(table)} AS "${table}"`).join(", ")}`;
  };

/** Removes the rows of account $1 with the ids $2, with what belongs to them. */
const removeStatement =
  ({ parent }: ConversationTables): Statement =>
  (tables) =>
    `DELETE FROM ${tables[parent]} WHERE account_id = $1 AND id = ANY ($2::text[])`;

/** Counts the copied rows of account $1, without those that had expired. */
const countStatement: Statement = ({ response, responseAccount, session, sessionAccount }) => `
WITH sessions AS (
  INSERT INTO ${sessionAccount} (account_id, sessions, bytes)
  SELECT account_id, count(*), sum(bytes) FROM ${session} WHERE account_id = $1 GROUP BY account_id
      ON CONFLICT (account_id) DO UPDATE SET sessions = excluded.sessions, bytes = excluded.bytes
)
INSERT INTO ${responseAccount} (account_id, bytes)
SELECT account_id, sum(bytes) FROM ${response} WHERE account_id = $1 GROUP BY account_id
    ON CONFLICT (account_id) DO UPDATE SET bytes = excluded.bytes`;

/** Removes a batch of the sessions and responses of an account. Returns whether there may be more. */
export async function removeConversations(run: RunStatement, account: string): Promise<boolean> {
  for (const { parent } of [sessions, responses]) {
    const [row] = await run(removeSomeStatement(parent), [account, batchRows]);
    if (row?.text("removed") !== "0") return true;
  }
  await run(removeCountsStatement, [account]);
  return false;
}

const removeCountsStatement: Statement = ({ responseAccount, sessionAccount }) => `
WITH sessions AS (
  DELETE FROM ${sessionAccount} WHERE account_id = $1
)
DELETE FROM ${responseAccount} WHERE account_id = $1`;

const removeSomeStatement =
  (parent: ConversationTables["parent"]): Statement =>
  (tables) =>
    `
WITH removed AS (
  DELETE FROM ${tables[parent]} WHERE id IN (SELECT id FROM ${tables[parent]} WHERE account_id = $1 LIMIT $2::int) RETURNING 1
)
SELECT count(*)::text AS removed FROM removed`;
