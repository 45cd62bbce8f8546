import type { TextRow } from "@tollgate/core/internal";
import type { Database, RunStatement } from "../../database.ts";
import type { Statement, Tables } from "../../schema.ts";
import { moverSetting } from "../fence-tables.ts";
import {
  type Fence,
  lockFenceStatement,
  readFenceStatement,
  removeFenceStatement,
  setFenceStatement,
  toFence,
} from "../fences.ts";
import { endWhenIdle, type MoveRecord, MoveTakenOver } from "./move-record.ts";

/** How long the fence of an account in use waits for its changes, in milliseconds, since later changes wait behind it. */
const lockTimeoutMs = 500;

/** A shard of this process. */
export interface MovableShard {
  readonly name: string;
  /** Its number in the directory. */
  readonly number: number;
  readonly database: Database;
}

/** One of the two shards of a move. Each of its transactions checks that no newer epoch of a move has used the shard. */
export class MovingShard {
  readonly name: string;
  readonly number: number;
  readonly account: string;
  readonly #database: Database;
  readonly #epoch: string;

  constructor({ name, number, database }: MovableShard, move: MoveRecord) {
    this.name = name;
    this.number = number;
    this.account = move.account;
    this.#database = database;
    this.#epoch = String(move.epoch);
  }

  get tables(): Tables {
    return this.#database.tables;
  }

  /** Refuses every older epoch of a move from now on, and waits for its running transaction. */
  async claim(): Promise<void> {
    const rows = await this.#database.run(claimStatement, [this.account, this.#epoch]);
    if (rows.length === 0) throw new MoveTakenOver(this.account);
  }

  /** Runs a statement that only reads, and returns its row. Its times are in the time zone of the server. */
  read(statement: Statement, values: readonly unknown[] = []): Promise<TextRow> {
    return this.#database.runForOne(statement, [this.account, ...values]);
  }

  /** Runs statements in one transaction, which no fence refuses, and which writes times as UTC. */
  run<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> {
    return this.#database.transaction(async (run) => {
      const [owned] = await run(enterStatement, [this.account, this.#epoch]);
      if (owned === undefined) throw new MoveTakenOver(this.account);
      return work(run);
    });
  }

  /** Reads the fence of the account. */
  async fence(): Promise<Fence | undefined> {
    const [row] = await this.run((run) => run(readFenceStatement, [this.account]));
    return row && toFence(row);
  }

  /** Sets or removes the fence of the account, after the statements that are changing the account. */
  async setFence(fence: Fence | undefined): Promise<void> {
    const set = (run: RunStatement) =>
      fence === undefined ? run(removeFenceStatement, [this.account]) : run(setFenceStatement, [this.account, fence]);
    try {
      await this.run(async (run) => {
        if (fence === "leaving") await run(limitWaitStatement, []);
        await run(lockFenceStatement, [this.account]);
        await set(run);
      });
    } catch (error) {
      throw isLockTimeout(error) ? this.#busy(error) : error;
    }
  }

  #busy(cause: unknown): Error {
    return new Error(
      `A transaction in the shard "${this.name}" has changed the account "${this.account}" for longer than ${lockTimeoutMs} ms. Move the account when the transaction has ended.`,
      { cause },
    );
  }
}

const isLockTimeout = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "55P03";

const limitWaitStatement = (): string => `SELECT set_config('lock_timeout', '${lockTimeoutMs}', true)`;

const claimStatement = ({ shardMove }: Tables): string => `
INSERT INTO ${shardMove} AS known (account_id, epoch) VALUES ($1, $2::bigint)
    ON CONFLICT (account_id) DO UPDATE SET epoch = excluded.epoch WHERE known.epoch <= excluded.epoch
RETURNING account_id`;

const enterStatement = ({ shardMove }: Tables): string => `
SELECT account_id, set_config('${moverSetting}', 'on', true), set_config('timezone', 'UTC', true),
       ${endWhenIdle}
  FROM ${shardMove} WHERE account_id = $1 AND epoch = $2::bigint FOR UPDATE`;
