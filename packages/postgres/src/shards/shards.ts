import { isStorableText } from "../storable-values.ts";
import type { AccountDirectory, Placement } from "./directory.ts";
import { readFence } from "./fences.ts";
import { AccountMoves } from "./move/account-moves.ts";
import { AccountMovingError, isFenced } from "./moving-error.ts";
import type { Shard } from "./shard.ts";

/** A call of the stores of one shard. */
export type ShardCall<Result> = (shard: Shard) => Promise<Result>;

// More moves than one account makes during a call.
const maxMoves = 5;

/** Runs calls on the shards of their accounts, and again on another one when the account has moved. */
export class Shards {
  readonly directory: AccountDirectory;
  readonly all: readonly Shard[];
  readonly moves: AccountMoves;

  constructor(directory: AccountDirectory, all: readonly Shard[]) {
    this.directory = directory;
    this.all = all;
    this.moves = new AccountMoves(this);
  }

  /** Returns a shard by its name. Throws an Error if this process does not have it. */
  get(name: string): Shard {
    const shard = this.all.find((each) => each.name === name);
    if (shard !== undefined) return shard;
    throw new Error(
      `This process has no pool for the shard "${name}". Add it to \`shards\`, and start the process again.`,
    );
  }

  /** Returns the name of the shard of an account, which is assigned to one if it is new. */
  async nameFor(account: string): Promise<string> {
    return isName(account) ? (await this.directory.assign(account)).shard : this.#any.name;
  }

  /**
   * Runs a call that changes an account, which is assigned to a shard if it is new. Statements that change it fail if the account
   * is elsewhere. `isDoubtful` tells which results were found without a change, and so need a look at the fence.
   */
  async change<Result>(
    account: string,
    call: ShardCall<Result>,
    isDoubtful: (result: Result) => boolean = () => false,
  ): Promise<Result> {
    if (!isName(account)) return call(this.#any);
    return this.#run(account, await this.directory.assign(account), call, isDoubtful);
  }

  /** Runs a call that can change an account only if it exists. A new one is not assigned. */
  async changeKnown<Result>(
    account: string,
    call: ShardCall<Result>,
    isDoubtful: (result: Result) => boolean = () => false,
  ): Promise<Result> {
    const placement = isName(account) ? await this.directory.find(account) : undefined;
    return placement === undefined ? call(this.#any) : this.#run(account, placement, call, isDoubtful);
  }

  /** Runs a call that reads an account. */
  read<Result>(account: string, call: ShardCall<Result>): Promise<Result> {
    return this.changeKnown(account, call, () => true);
  }

  /** Runs a call on every shard at the same time, and resolves to the results in the order of the shards. Rejects if one fails. */
  async onAll<Result>(call: ShardCall<Result>): Promise<readonly Result[]> {
    const settled = await Promise.allSettled(this.all.map(call));
    return settled.map((result, place) => {
      if (result.status === "fulfilled") return result.value;
      throw describedFailure(this.all[place], result.reason);
    });
  }

  /**
   * Runs a sweep on every shard, and returns how many rows they removed together. A sweep leaves out accounts that move, and is
   * repeated if it met a fence that was set after it began.
   */
  async sweep(call: ShardCall<number>): Promise<number> {
    const counts = await this.onAll(async (shard) => {
      for (let tries = 1; ; tries++) {
        try {
          return await call(shard);
        } catch (error) {
          if (!isFenced(error) || tries === maxMoves) throw error;
        }
      }
    });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #run<Result>(
    account: string,
    placement: Placement,
    call: ShardCall<Result>,
    isDoubtful: (result: Result) => boolean,
  ): Promise<Result> {
    let shard = this.get(placement.shard);
    for (let moves = 0; ; moves++) {
      const result = await this.#attempt(account, shard, call, isDoubtful);
      if (result !== undefined) return result.value;
      const now = await this.directory.refresh(account);
      if (now === undefined || moves === maxMoves) throw new AccountMovingError(account);
      if (now.shard !== shard.name) shard = this.get(now.shard);
      // A process that was killed while it moved the account has left the fence.
      else if (!(await this.moves.recoverAccount(account))) throw new AccountMovingError(account);
    }
  }

  /** Runs a call, unless the shard refuses the account. */
  async #attempt<Result>(
    account: string,
    shard: Shard,
    call: ShardCall<Result>,
    isDoubtful: (result: Result) => boolean,
  ): Promise<{ readonly value: Result } | undefined> {
    try {
      const value = await call(shard);
      if (!isDoubtful(value)) return { value };
      const fence = await readFence(shard.database, account);
      return fence === undefined || fence === "leaving" ? { value } : undefined;
    } catch (error) {
      if (isFenced(error)) return undefined;
      throw error;
    }
  }

  /** The shard for accounts that no shard has: it finds nothing of them. */
  get #any(): Shard {
    const [first] = this.all;
    if (first === undefined) throw new TypeError("There is no shard. Pass at least one in `shards`.");
    return first;
  }
}

/** Tells whether an account can have the name. What has another one is refused by the stores. */
const isName = (account: string): boolean => account !== "" && isStorableText(account);

/** A bug of the caller is the same on each shard, and is thrown as it is. */
function describedFailure(shard: Shard | undefined, cause: unknown): unknown {
  if (cause instanceof RangeError || cause instanceof TypeError) return cause;
  const problem = cause instanceof Error ? cause.message : String(cause);
  return new Error(`The shard "${shard?.name}" is unavailable, and this call needs all shards: ${problem}`, { cause });
}
