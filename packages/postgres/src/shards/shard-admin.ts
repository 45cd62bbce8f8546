import { checkedAccount } from "@tollgate/core/store";
import { adoptAccounts } from "./adoption.ts";
import type { ShardOverview } from "./directory.ts";
import type { MovedAccount } from "./move/account-moves.ts";
import type { Shards } from "./shards.ts";

/** Administers the shards of {@link shardedStores}. A throw is an outage, or an unknown shard. */
export interface ShardAdmin {
  /** Returns the shards in the order in which they were added. */
  list(): Promise<readonly ShardOverview[]>;
  /** Returns the name of the shard of an account, which is assigned to one if it is new. */
  shardOf(account: string): Promise<string>;
  /**
   * Opens a shard for new accounts. The first shards of a directory are open. A later one is not: open it once every process has
   * it in `shards`.
   */
  open(name: string): Promise<void>;
  /** Closes a shard for new accounts. */
  close(name: string): Promise<void>;
  /**
   * Adds to the directory the accounts and keys of a database that had them before it became a shard, and returns how many
   * accounts it added. Run it before the first request, and again once no process uses the database by itself.
   */
  adopt(name: string): Promise<number>;
  /**
   * Moves an account to another shard while it is used. For less than 2 seconds the account cannot be changed, so that its calls
   * fail as in an outage; a move that would take longer is undone, and rejects. Pending holds, sequence numbers and ids stay the
   * same. Usage stays in the old shard, where reads find it. If the process is killed, another one finishes or undoes the move.
   *
   * Throws a RangeError for an account that no shard has. Rejects while another process moves the account.
   */
  move(account: string, to: string): Promise<MovedAccount>;
}

/** The ShardAdmin on a directory. */
export class DirectoryShardAdmin implements ShardAdmin {
  readonly #shards: Shards;

  constructor(shards: Shards) {
    this.#shards = shards;
  }

  list(): Promise<readonly ShardOverview[]> {
    return this.#shards.directory.listShards();
  }

  async shardOf(account: string): Promise<string> {
    return this.#shards.nameFor(checkedAccount(account));
  }

  open(name: string): Promise<void> {
    return this.#shards.directory.openShard(name, true);
  }

  close(name: string): Promise<void> {
    return this.#shards.directory.openShard(name, false);
  }

  async adopt(name: string): Promise<number> {
    return adoptAccounts(this.#shards.directory, this.#shards.get(name));
  }

  async move(account: string, to: string): Promise<MovedAccount> {
    return this.#shards.moves.move(checkedAccount(account), to);
  }
}
