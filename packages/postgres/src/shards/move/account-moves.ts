import type { AccountDirectory } from "../directory.ts";
import { AccountMove } from "./account-move.ts";
import { type MoveRecord, MoveRecords } from "./move-record.ts";
import { type MovableShard, MovingShard } from "./moving-shard.ts";

/** The result of a move. */
export interface MovedAccount {
  /** The shard that had the account before, which is `to` if it was there already. */
  readonly from: string;
  readonly to: string;
  /** For how many milliseconds the account could not be changed. */
  readonly frozenMs: number;
}

/** The shards of this process, by name. `get` throws an Error for one that it does not have. */
export interface MovableShards {
  readonly directory: AccountDirectory;
  get(name: string): MovableShard;
}

/** Moves accounts between the shards of a directory. */
export class AccountMoves {
  readonly #shards: MovableShards;
  readonly #records: MoveRecords;

  constructor(shards: MovableShards) {
    this.#shards = shards;
    this.#records = new MoveRecords(shards.directory.database);
  }

  /**
   * Moves an account to a shard while it is used. A move that a killed process has left is finished or undone first. Throws a
   * RangeError for an account that no shard has, and rejects while another process moves the account.
   */
  async move(account: string, to: string): Promise<MovedAccount> {
    this.#shards.get(to);
    for (;;) {
      const begun = await this.#records.begin(account, to);
      switch (begun.outcome) {
        case "unknown":
          throw new RangeError(`No shard has the account "${account}". Check its name.`);
        case "running":
          throw new Error(
            `Another process is moving the account "${account}". Wait until it has ended, and read the list of shards.`,
          );
        case "there":
          return { from: to, to, frozenMs: 0 };
        case "taken_over":
          await this.#open(begun.move).settle();
          break;
        case "begun": {
          const frozenMs = await this.#open(begun.move).run();
          await this.#shards.directory.refresh(account);
          return { from: begun.move.source, to, frozenMs };
        }
      }
    }
  }

  /** Finishes or undoes the moves that killed processes have left, except those whose account can be used. Returns how many. */
  async recover(): Promise<number> {
    const left = await this.#records.left();
    const settled = await Promise.allSettled(left.map(({ account }) => this.recoverAccount(account)));
    return settled.filter((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    }).length;
  }

  /** Does so for one account. Returns false if no process has left a move of it. */
  async recoverAccount(account: string): Promise<boolean> {
    const move = await this.#records.takeOver(account);
    if (move === undefined) return false;
    await this.#open(move).settle();
    await this.#shards.directory.refresh(account);
    return true;
  }

  #open(move: MoveRecord): AccountMove {
    return new AccountMove(move, this.#records, (name, owned) => new MovingShard(this.#shards.get(name), owned));
  }
}
