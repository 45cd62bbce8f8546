import type { TextRow } from "@tollgate/core/internal";
import type { Statement, Tables } from "../../schema.ts";
import { asJson, type Columns, insertStatement } from "./carried-rows.ts";
import { readHolds, selectHolds, writeHolds } from "./copied-holds.ts";
import type { MovingShard } from "./moving-shard.ts";
import { lastNoticeStatement, removeNoticesStatement } from "./record-copy.ts";
import { requireEqual } from "./require-equal.ts";

/** Entries in one transaction. It takes some 50 ms in each shard. */
const batchSize = 1_000;

/** A copy has almost caught up with an account when this few entries are left. */
const fewEntries = 200;

/** A batch is copied again if the answer of its commit was lost. */
const ignored = "ON CONFLICT (account_id, sequence) DO NOTHING";

const charges = "('charge', 'expiry', 'late')";

/**
 * Copies the entries and the holds of an account that is used meanwhile. Entries are only added, and in the order of their
 * sequences, so each batch begins after the last one. A hold that has ended changes only with an entry or, if it costs nothing, with
 * the time of its end, so that its copy is replaced. Pending holds are copied once the account is frozen.
 */
export class LedgerCopy {
  readonly #source: MovingShard;
  readonly #target: MovingShard;
  readonly #columns: Columns;
  readonly #entries: Statement;
  #lastSequence = "0";
  #lastEnd: readonly [at: string, id: string] = ["-infinity", ""];
  #posted = 0n;

  constructor(source: MovingShard, target: MovingShard, columns: Columns) {
    this.#source = source;
    this.#target = target;
    this.#columns = columns;
    this.#entries = entriesStatement(columns("entry"));
  }

  /** The sum of the entries that were copied, in nano-units. */
  get posted(): bigint {
    return this.#posted;
  }

  /** Copies until almost nothing is left, with a call of `goOn` before each batch. */
  async catchUp(goOn: () => void): Promise<void> {
    for (let count = batchSize; count > fewEntries; ) {
      goOn();
      count = (await this.#copyEntries()) + (await this.#copyUncharged());
    }
  }

  /** Copies what is left of the frozen account, with its pending holds. */
  async complete(goOn: () => void): Promise<void> {
    for (let count = 1; count > 0; ) {
      goOn();
      count = (await this.#copyEntries()) + (await this.#copyUncharged());
    }
    await this.#copyHolds(await this.#source.read(pendingStatement));
  }

  async #copyEntries(): Promise<number> {
    const after = this.#lastSequence;
    const batch = await this.#source.read(this.#entries, [after, batchSize]);
    const [entries, last] = [batch.optionalText("entries"), batch.optionalText("last")];
    if (entries === undefined || last === undefined) return 0;
    const [copied] = await this.#target.run(async (run) => {
      const [before] = await run(lastNoticeStatement, []);
      await run(insertStatement("entry", this.#columns("entry"), ignored), [entries]);
      // A trigger has written notices of the entries again.
      await run(removeNoticesStatement, [this.#target.account, before?.text("last")]);
      return run(totalsStatement, [this.#target.account, after]);
    });
    requireEqual("The entries", [this.#source, batch.text("totals")], [this.#target, copied?.optionalText("totals")]);
    await this.#copyHolds(batch);
    this.#lastSequence = last;
    this.#posted += batch.integer("posted");
    return Number(batch.text("count"));
  }

  async #copyUncharged(): Promise<number> {
    const row = await this.#source.read(unchargedStatement, [...this.#lastEnd, batchSize]);
    const [at, id] = [row.optionalText("last_at"), row.optionalText("last_id")];
    if (at === undefined || id === undefined) return 0;
    this.#lastEnd = [at, id];
    return this.#copyHolds(row);
  }

  /** Returns the number of holds that it has copied. */
  async #copyHolds(row: TextRow): Promise<number> {
    const holds = readHolds(row);
    if (holds.ids.length === 0) return 0;
    const copied = await this.#target.run((run) => writeHolds(run, this.#columns, holds));
    requireEqual("The holds", [this.#source, holds.totals], [this.#target, copied]);
    return holds.ids.length;
  }
}

/** The number and the sum of the entries of `batch` by kind, as text. */
const totals = `(SELECT string_agg(concat_ws(' ', kind, count, sum), ', ' ORDER BY kind)
          FROM (SELECT kind, count(*) AS count, sum(amount) AS sum FROM batch GROUP BY kind) AS of_kind)`;

/**
 * Selects the next entries of account $1 after the sequence $2, at most $3, with the ended holds that they charge, release or refund.
 */
const entriesStatement =
  (columns: string): Statement =>
  ({ entry, hold, spend }) =>
    `
WITH batch AS MATERIALIZED (
  -- Completed for the trigger that completes the entries of older versions.
  SELECT ${columns.replace("uncounted", "NULL AS uncounted")}
    FROM ${entry} AS entry WHERE account_id = $1 AND sequence > $2::bigint ORDER BY sequence LIMIT $3::int
), named AS MATERIALIZED (
  SELECT reference AS id FROM batch WHERE kind IN ${charges}
   UNION
  SELECT charge.reference FROM batch JOIN ${entry} AS charge
      ON charge.account_id = $1 AND charge.sequence = CASE WHEN batch.kind = 'refund' THEN batch.reference::bigint END
), chosen AS MATERIALIZED (
  -- Lateral, so that each hold is found by its id.
  SELECT hold.* FROM named CROSS JOIN LATERAL (SELECT * FROM ${hold} WHERE id = named.id AND account_id = $1) AS hold
)
SELECT (SELECT count(*) FROM batch)::text AS count, (SELECT max(sequence) FROM batch)::text AS last, ${totals} AS totals,
       (SELECT coalesce(sum(amount), 0) FROM batch)::text AS posted, ${asJson("SELECT * FROM batch")} AS entries, ${selectHolds(spend)}`;

/** Selects the totals of the entries of account $1 after the sequence $2. */
const totalsStatement = ({ entry }: Tables): string => `
WITH batch AS (
  SELECT * FROM ${entry} WHERE account_id = $1 AND sequence > $2::bigint
)
SELECT ${totals} AS totals`;

/** Selects at most $4 ended holds of account $1 that cost nothing, which ended after the time $2 or then with an id after $3. */
const unchargedStatement = ({ hold, spend }: Tables): string => `
WITH chosen AS MATERIALIZED (
  SELECT * FROM ${hold} WHERE account_id = $1 AND state <> 'pending' AND charged = 0
     AND (ended_at, id) > ($2::timestamptz, $3::text) ORDER BY ended_at, id LIMIT $4::int
)
SELECT to_json(last.ended_at) #>> '{}' AS last_at, last.id AS last_id, ${selectHolds(spend)}
  FROM (SELECT 1) AS always LEFT JOIN (SELECT ended_at, id FROM chosen ORDER BY ended_at DESC, id DESC LIMIT 1) AS last ON true`;

/**
 * Selects the pending holds of account $1, and those that were settled at the amount of their expiry, for which there is no entry.
 */
const pendingStatement = ({ entry, hold, spend }: Tables): string => `
WITH chosen AS MATERIALIZED (
  SELECT * FROM ${hold} WHERE account_id = $1 AND state = 'pending'
   UNION ALL
  SELECT hold.* FROM ${entry} AS expiry JOIN ${hold} AS hold ON hold.id = expiry.reference
   WHERE expiry.account_id = $1 AND expiry.kind = 'expiry' AND expiry.kind <> 'charge' AND hold.state = 'settled'
     AND NOT EXISTS (SELECT FROM ${entry} AS late WHERE late.reference = hold.id AND late.kind = 'late')
)
SELECT ${selectHolds(spend)}`;
