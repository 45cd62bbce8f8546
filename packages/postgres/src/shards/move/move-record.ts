import type { TextRow } from "@tollgate/core/internal";
import type { Database } from "../../database.ts";
import type { Tables } from "../../schema.ts";
import { leaseEnd } from "../../statements/hold.ts";

/**
 * The step of a move, which is written before it begins. `copying`: the account is used in its shard meanwhile. `frozen`: it may
 * be fenced there. `undoing`: what was copied is removed. `moved`: the target has it, and the rest of the source is removed.
 */
export type MoveStep = "copying" | "frozen" | "undoing" | "moved";

const steps: readonly MoveStep[] = ["copying", "frozen", "undoing", "moved"];

/** A move in the directory. A process owns it while it has its newest epoch. */
export interface MoveRecord {
  readonly account: string;
  readonly source: string;
  readonly target: string;
  readonly step: MoveStep;
  readonly epoch: bigint;
}

/** A move that was begun or taken over, or why there is none. */
export type BeginMove =
  | { readonly outcome: "begun" | "taken_over"; readonly move: MoveRecord }
  | { readonly outcome: "unknown" | "there" | "running" };

/** How long a move belongs to a process that does not renew its lease, in milliseconds. */
export const moveLeaseMs = 3_000;

/**
 * The error of a process whose move another process has taken over, after its lease had ended. It has no further effect.
 */
export class MoveTakenOver extends Error {
  constructor(account: string) {
    super(
      `Another process has taken over the move of account "${account}", since this one did not renew its lease for ${moveLeaseMs} ms. Read the list of shards, and move the account again if it is not where you want it.`,
    );
  }
}

/** The moves in a directory. */
export class MoveRecords {
  readonly #directory: Database;

  constructor(directory: Database) {
    this.#directory = directory;
  }

  /**
   * Begins the move of an account, or takes over the one that a process has left. `running`: another process moves it. `there`:
   * the target has it. `unknown`: no shard has it.
   */
  begin(account: string, target: string): Promise<BeginMove> {
    return this.#directory.transaction(async (run): Promise<BeginMove> => {
      const [placement] = await run(lockPlacementStatement, [account]);
      if (placement === undefined) return { outcome: "unknown" };
      const [left] = await run(takeOverStatement, [account, moveLeaseMs]);
      if (left !== undefined) return { outcome: "taken_over", move: toRecord(left) };
      const [running] = await run(findMoveStatement, [account]);
      if (running !== undefined) return { outcome: "running" };
      if (placement.text("shard") === target) return { outcome: "there" };
      const [begun] = await run(beginMoveStatement, [account, target, moveLeaseMs]);
      return begun === undefined ? { outcome: "unknown" } : { outcome: "begun", move: toRecord(begun) };
    });
  }

  /** Returns the moves that a process has left and that keep their account from being used, or rows from being removed. */
  async left(): Promise<readonly MoveRecord[]> {
    return (await this.#directory.run(leftMovesStatement, [])).map(toRecord);
  }

  /** Takes over a move that a process has left. Undefined: another process has, or it has ended. */
  async takeOver(account: string): Promise<MoveRecord | undefined> {
    const [row] = await this.#directory.run(takeOverStatement, [account, moveLeaseMs]);
    return row && toRecord(row);
  }

  /** Extends the lease of a move. Rejects if another process has taken it over. */
  async renew(move: MoveRecord): Promise<void> {
    await this.#change(renewMoveStatement, move, [moveLeaseMs]);
  }

  /** Records that the source will be fenced. */
  async freeze(move: MoveRecord): Promise<void> {
    await this.#change(freezeMoveStatement, move);
  }

  /** Makes the target the shard of the account. From now on the move is finished and never undone. */
  async flip(move: MoveRecord): Promise<void> {
    await this.#change(flipStatement, move);
  }

  /**
   * Records that the move is undone, unless it is final. Returns it with its step and another epoch, so that nothing that was sent
   * for it before, and is still on its way, has an effect.
   */
  async undo(move: MoveRecord): Promise<MoveRecord> {
    return toRecord(await this.#change(undoMoveStatement, move, [moveLeaseMs]));
  }

  /** Removes the record of a move that is finished or undone. */
  async end(move: MoveRecord): Promise<void> {
    await this.#directory.run(endMoveStatement, [move.account, String(move.epoch)]);
  }

  async #change(
    statement: (tables: Tables) => string,
    move: MoveRecord,
    values: readonly unknown[] = [],
  ): Promise<TextRow> {
    const [row] = await this.#directory.run(statement, [move.account, String(move.epoch), ...values]);
    if (row === undefined) throw new MoveTakenOver(move.account);
    return row;
  }
}

const toRecord = (row: TextRow): MoveRecord => ({
  account: row.text("account_id"),
  source: row.text("source"),
  target: row.text("target"),
  step: row.oneOf("step", steps),
  epoch: row.integer("epoch"),
});

const columns = "move.account_id, move.source, move.target, move.step, move.epoch::text AS epoch";

/** Selects nothing of use, and lets the server end the transaction if its process is suspended in it, since others wait for it. */
export const endWhenIdle = "set_config('idle_in_transaction_session_timeout', '2000', true)";

const lockPlacementStatement = ({ directoryAccount }: Tables): string =>
  `SELECT shard, ${endWhenIdle} FROM ${directoryAccount} WHERE id = $1 FOR UPDATE`;

const findMoveStatement = ({ directoryMove }: Tables): string =>
  `SELECT ${columns} FROM ${directoryMove} AS move WHERE account_id = $1`;

const takeOverStatement = ({ directoryMove }: Tables): string => `
UPDATE ${directoryMove} AS move SET epoch = DEFAULT, leased_until = ${leaseEnd("$2::double precision")}
 WHERE account_id = $1 AND leased_until <= clock_timestamp() RETURNING ${columns}`;

const beginMoveStatement = ({ directoryMove, directoryAccount }: Tables): string => `
WITH marked AS (
  UPDATE ${directoryAccount} SET moving_to = $2 WHERE id = $1 RETURNING id, shard
)
INSERT INTO ${directoryMove} AS move (account_id, source, target, step, leased_until)
SELECT id, shard, $2, 'copying', ${leaseEnd("$3::double precision")} FROM marked RETURNING ${columns}`;

/** A move that was left while it copied is not among them: its account can be used. */
const leftMovesStatement = ({ directoryMove }: Tables): string =>
  `SELECT ${columns} FROM ${directoryMove} AS move WHERE leased_until <= clock_timestamp() AND step <> 'copying'`;

const owned = "account_id = $1 AND epoch = $2::bigint";

const renewMoveStatement = ({ directoryMove }: Tables): string => `
UPDATE ${directoryMove} AS move SET leased_until = ${leaseEnd("$3::double precision")} WHERE ${owned} RETURNING ${columns}`;

const freezeMoveStatement = ({ directoryMove }: Tables): string =>
  `UPDATE ${directoryMove} AS move SET step = 'frozen' WHERE ${owned} AND step IN ('copying', 'frozen') RETURNING ${columns}`;

/** One statement, which is repeated if its answer was lost. */
const flipStatement = ({ directoryMove, directoryAccount }: Tables): string => `
WITH moved AS (
  UPDATE ${directoryMove} AS move SET step = 'moved' WHERE ${owned} AND step IN ('frozen', 'moved') RETURNING *
), flipped AS (
  UPDATE ${directoryAccount} AS account SET shard = moved.target, moving_to = NULL FROM moved WHERE account.id = moved.account_id
)
SELECT ${columns} FROM moved AS move`;

const undoMoveStatement = ({ directoryMove }: Tables): string => `
UPDATE ${directoryMove} AS move
   SET step = CASE step WHEN 'moved' THEN step ELSE 'undoing' END, epoch = DEFAULT, leased_until = ${leaseEnd("$3::double precision")}
 WHERE ${owned} RETURNING ${columns}`;

const endMoveStatement = ({ directoryMove, directoryAccount }: Tables): string => `
WITH ended AS (
  DELETE FROM ${directoryMove} WHERE ${owned} RETURNING account_id
)
UPDATE ${directoryAccount} AS account SET moving_to = NULL FROM ended WHERE account.id = ended.account_id`;
