import { startOfBucket, toStorableText, type UsagePosition, type UsageRow } from "@tollgate/core/store";
import type { Database } from "./database.ts";
import { literal, literals, millisecondsOf, timeSql, timeText } from "./sql.ts";
import { blockOf } from "./usage-block.ts";

const maxRowsOfBlock = 1_000;
const giveUpAfterMs = 20_000;

/** What a month already has. */
interface Present {
  /** The number of its blocks. */
  readonly blocks: number;
  /** The given rows that exist. */
  readonly rows: ReadonlySet<string>;
  /** Whether the last insert took effect. */
  readonly hasBatch: boolean;
}

/**
 * Adds rows that do not exist, each once, also when several processes add the same rows at the same time.
 *
 * Every insert into a month is its next block: it carries the number of the blocks that the writer has seen, plus one, as the
 * token by which ClickHouse drops an insert that it has had before. So only one of two inserts that saw the same rows takes effect,
 * and the other writer reads again. An insert that arrives late, after its writer gave up, is dropped in the same way.
 */
export class UsageWriter {
  readonly #database: Database;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns how many rows are new. Calls of one process run one after the other, since they would only compete. */
  add(rows: readonly UsageRow[]): Promise<number> {
    const added = this.#last.then(() => this.#addAll(rows));
    this.#last = added.catch(() => undefined);
    return added;
  }

  async #addAll(rows: readonly UsageRow[]): Promise<number> {
    let added = 0;
    for (const [month, ofMonth] of byMonth(rows)) {
      for (let first = 0; first < ofMonth.length; first += maxRowsOfBlock)
        added += await this.#addBlock(new Date(month), ofMonth.slice(first, first + maxRowsOfBlock));
    }
    return added;
  }

  async #addBlock(month: Date, rows: readonly UsageRow[]): Promise<number> {
    let last = { batch: "", rows: 0, blocks: -1, unused: 0 };
    for (const end = performance.now() + giveUpAfterMs; performance.now() < end; ) {
      const present = await this.#read(month, rows, last.batch);
      // Not by its rows, which may be old enough to be removed at once.
      if (present.hasBatch) return last.rows;
      const missing = rows.filter((row) => !present.rows.has(identify(row)));
      if (missing.length === 0) return 0;
      // A server that crashed can know a token without having its block. Every writer finds that out, and takes the next one.
      const unused = present.blocks === last.blocks ? last.unused + 1 : 0;
      last = { batch: crypto.randomUUID(), rows: missing.length, blocks: present.blocks, unused };
      await this.#database.insert(this.#database.usage, blockOf(missing, month, last.batch), {
        insert_deduplicate: 1,
        insert_deduplication_token: `${timeText(month)} block ${present.blocks + 1}.${unused}`,
      });
    }
    throw new Error(
      "Usage was not recorded, because other processes kept recording first. It is recorded again later; if this persists, let fewer processes record.",
    );
  }

  async #read(month: Date, rows: readonly UsageRow[], batch: string): Promise<Present> {
    const starts = literals(new Set(rows.map(({ at }) => timeText(at))));
    const names = literals(rows.map(({ id }) => toStorableText(id)));
    const ofMonth = `scope = '' AND start = ${timeSql(month)}`;
    // One scan sees one snapshot of the table.
    const found = await this.#database.rows(
      `SELECT kind, ${millisecondsOf("start")} AS at, name AS id, toString(requests) AS blocks
         FROM ${this.#database.usage}
        WHERE (kind = 'block' AND ${ofMonth}) OR (kind = 'batch' AND ${ofMonth} AND name = ${literal(batch)})
           OR (kind = 'row' AND scope = '' AND start IN ${starts} AND name IN ${names})`,
    );
    const ofKind = (kind: string) => found.filter((row) => row.text("kind") === kind);
    return {
      blocks: ofKind("block").reduce((sum, row) => sum + Number(row.text("blocks")), 0),
      rows: new Set(ofKind("row").map((row) => identify({ at: row.time("at"), id: row.text("id") }))),
      hasBatch: ofKind("batch").length > 0,
    };
  }
}

const identify = ({ at, id }: UsagePosition): string => `${at.getTime()} ${toStorableText(id)}`;

/** Returns the rows by the start of their month, each row once. */
function byMonth(rows: readonly UsageRow[]): ReadonlyMap<number, readonly UsageRow[]> {
  const unique = new Map<string, UsageRow>();
  for (const row of rows) if (!unique.has(identify(row))) unique.set(identify(row), row);
  const months = new Map<number, UsageRow[]>();
  for (const row of unique.values()) {
    const month = startOfBucket("month", row.at.getTime());
    months.set(month, [...(months.get(month) ?? []), row]);
  }
  return months;
}
