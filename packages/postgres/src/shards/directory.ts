import type { TextRow } from "@tollgate/core/internal";
import type { Database } from "../database.ts";
import { Recent } from "../recent.ts";
import type { Statement } from "../schema.ts";
import {
  addKeyStatement,
  addShardsStatement,
  assignAccountStatement,
  claimPostingStatement,
  countAccountsStatement,
  findAccountStatement,
  keyOfDigestStatement,
  keyOfIdStatement,
  listShardsStatement,
  lockShardsStatement,
  openShardStatement,
  removeKeyStatement,
} from "./directory-statements.ts";

/** Where an account is. `moving` is present while a move runs; `shard` has the account until the move changes it. */
export interface Placement {
  readonly shard: string;
  readonly moving?: { readonly to: string };
}

/** A key in the directory, and the shard of its account. */
export interface KeyPlace {
  readonly id: string;
  readonly account: string;
  readonly shard: string;
  /** The place of the key among those of all shards, ascending in the order of their creation. */
  readonly sequence: bigint;
}

/** A shard of a directory. */
export interface ShardInfo {
  readonly name: string;
  /** From 0, in the order in which the shards were added. */
  readonly number: number;
  /** The secret that the shard has too, by which it is recognized. */
  readonly token: string;
  /** Whether it is open for new accounts, or has some. */
  readonly isUsed: boolean;
}

/** A shard, for operators. */
export interface ShardOverview {
  readonly name: string;
  /** Whether new accounts are assigned to it. */
  readonly isOpen: boolean;
  /** The number of its accounts. */
  readonly accounts: number;
}

// Some 10 MB of names each.
const cached = 50_000;

/**
 * The directory of a sharded system: which shard has an account, and which account has a key. It is in one database, and a
 * process caches what it read. Each method rejects for an outage of that database.
 *
 * An account has its rows in the one shard that its row in the directory names. A process may act on an older row, so each shard
 * refuses what is not its own by fences, rows of the table `shard_fence`, see {@link Fence}:
 *
 * - Every statement that changes rows of an account in `account`, `hold`, `api_key`, `terms_acceptance`, `session` or
 *   `response`, and so every write of money, ends with a trigger. It locks the account's advisory lock shared until the
 *   transaction ends, then fails with the error {@link fencedCode} if the account has a fence. So the statement and its
 *   transaction have no effect.
 * - `setFence` sets a fence under the same lock exclusively. Once it has resolved, no change is running or can be committed, so
 *   what is read afterwards is complete. A transaction of a move sets `tollgate.mover` to 'on' locally, and is not refused.
 * - Reads do not fail. The sharded stores read the fence after a read, and discard what they read if that is `moved` or
 *   `arriving`.
 *
 * A move from shard A to B, see `AccountMove`: `moving_to` of the directory := B; fence `arriving` in B; copy what is there; fence
 * `leaving` in A; copy the rest and verify; in the directory, `shard` := B and `moving_to` := NULL in one statement, which is what
 * makes the move final; fence `moved` in A, for as long as a process may have cached the older row, so forever; no fence in B; the
 * rows in A are removed. Until the directory is changed, the move is undone: no fence in A, the rows in B are removed, the fence in B
 * becomes `moved`, and `moving_to` NULL. So at no time can the account be changed in two shards.
 *
 * A store whose statement failed with {@link fencedCode}, or whose read met a fence, calls `refresh`. If the account is in
 * another shard than it has asked, it repeats the call there. If not, the account is moving, and the call fails as in an outage.
 */
export class AccountDirectory {
  /** The database, for statements of moves. */
  readonly database: Database;
  readonly #accounts = new Recent<Placement>(cached);
  readonly #keys = new Recent<Omit<KeyPlace, "shard">>(cached);

  constructor(database: Database) {
    this.database = database;
  }

  /** Adds the shards that are missing, and returns all. The first ones are open for new accounts; later ones are closed. */
  async addShards(names: readonly string[]): Promise<readonly ShardInfo[]> {
    const rows = await this.database.transaction(async (run) => {
      await run(lockShardsStatement, []);
      await run(addShardsStatement, [names]);
      return run(listShardsStatement, []);
    });
    return rows.map(toShardInfo);
  }

  /** Returns all shards in the order in which they were added. */
  async listShards(): Promise<readonly ShardOverview[]> {
    return (await this.database.run(countAccountsStatement, [])).map((row) => ({
      name: row.text("name"),
      isOpen: row.optionalFlag("is_open") === true,
      accounts: Number(row.text("accounts")),
    }));
  }

  /** Opens a shard for new accounts, or closes it. Throws a RangeError for an unknown one. */
  async openShard(name: string, isOpen: boolean): Promise<void> {
    const rows = await this.database.run(openShardStatement, [name, isOpen]);
    if (rows.length === 0)
      throw new RangeError(`The directory has no shard "${name}". Start a process with this shard first.`);
  }

  /** Returns where an account is, perhaps as it was a moment ago; undefined if it was never assigned. */
  async find(account: string): Promise<Placement | undefined> {
    return this.#accounts.get(account) ?? (await this.refresh(account));
  }

  /** Returns where an account is now. */
  async refresh(account: string): Promise<Placement | undefined> {
    this.#accounts.delete(account);
    const [row] = await this.database.run(findAccountStatement, [account]);
    return row && this.#remember(account, row);
  }

  /** Returns where an account is, and assigns a new one to an open shard. Of concurrent calls, all return the same shard. */
  async assign(account: string): Promise<Placement> {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const row = await this.#runSeen(assignAccountStatement, [account]);
    if (row === undefined)
      throw new Error(`No shard is open for new accounts, such as "${account}". Open one with \`shards.open(name)\`.`);
    return this.#remember(account, row);
  }

  /** Returns the key with a digest; undefined if there is none. */
  shardOfKey(digest: string): Promise<KeyPlace | undefined> {
    return this.#findKey(`digest ${digest}`, keyOfDigestStatement, digest);
  }

  /** Returns the key with an id; undefined if there is none. */
  shardOfKeyId(keyId: string): Promise<KeyPlace | undefined> {
    return this.#findKey(`id ${keyId}`, keyOfIdStatement, keyId);
  }

  /** Adds a key before its shard creates it, and returns its sequence number. Idempotent. */
  async addKey(key: { readonly digest: string; readonly id: string; readonly account: string }): Promise<bigint> {
    const row = await this.database.runForOne(addKeyStatement, [key.digest, key.id, key.account]);
    return row.integer("sequence");
  }

  /** Removes a key that its shard has refused to create. */
  async removeKey(digest: string): Promise<void> {
    await this.database.run(removeKeyStatement, [digest]);
  }

  /** Claims the id of a credit or debit for an account; false if another account has it. Idempotent. */
  async claimPosting(id: string, account: string): Promise<boolean> {
    const row = await this.#runSeen(claimPostingStatement, [id, account]);
    return row?.text("account_id") === account;
  }

  async #findKey(name: string, statement: Statement, value: string): Promise<KeyPlace | undefined> {
    const known = this.#keys.get(name);
    const placement = known && (await this.find(known.account));
    if (known !== undefined && placement !== undefined) return { ...known, shard: placement.shard };
    const [row] = await this.database.run(statement, [value]);
    if (row === undefined) return undefined;
    const key = { id: row.text("key_id"), account: row.text("account_id"), sequence: row.integer("sequence") };
    this.#keys.set(name, key);
    return { ...key, shard: row.text("shard") };
  }

  /** Runs a statement again whose row a concurrent call has inserted since its snapshot. */
  async #runSeen(statement: Statement, values: unknown[]): Promise<TextRow | undefined> {
    const [row] = await this.database.run(statement, values);
    return row ?? (await this.database.run(statement, values))[0];
  }

  #remember(account: string, row: TextRow): Placement {
    const to = row.optionalText("moving_to");
    const placement = { shard: row.text("shard"), ...(to === undefined ? {} : { moving: { to } }) };
    this.#accounts.set(account, placement);
    return placement;
  }
}

const toShardInfo = (row: TextRow): ShardInfo => ({
  name: row.text("name"),
  number: Number(row.text("number")),
  token: row.text("token"),
  isUsed: row.optionalFlag("is_used") === true,
});
