import { readColumns } from "./carried-rows.ts";
import { ConversationCopy } from "./conversation-copy.ts";
import { forgetCopied } from "./forget-copied.ts";
import { LedgerCopy } from "./ledger-copy.ts";
import { type MoveRecord, type MoveRecords, MoveTakenOver, moveLeaseMs } from "./move-record.ts";
import type { MovingShard } from "./moving-shard.ts";
import { raiseNumbers } from "./raise-numbers.ts";
import { copyRecords } from "./record-copy.ts";
import { removeRows, requireNoRows } from "./remove-rows.ts";
import { compareSums } from "./sums.ts";

/** How long an account may be frozen by its move, in milliseconds. Then the move is undone. */
const maxFrozenMs = 2_000;

/** Opens a shard for the transactions of a move. */
export type OpenShard = (name: string, move: MoveRecord) => MovingShard;

/**
 * A move of an account that this process owns. Every step is recorded in the directory before it begins, so that another process
 * can finish or undo it. Until the flip, the source has the account, and what is in the target counts for nothing.
 */
export class AccountMove {
  readonly #records: MoveRecords;
  readonly #open: OpenShard;
  #move: MoveRecord;
  #frozenAt: number | undefined;
  #stopped: Error | undefined;

  constructor(move: MoveRecord, records: MoveRecords, open: OpenShard) {
    this.#move = move;
    this.#records = records;
    this.#open = open;
  }

  /**
   * Runs the whole move. Resolves to the number of milliseconds for which the account could not be changed. If the move fails, it
   * is undone, and the promise rejects.
   */
  run(): Promise<number> {
    return this.#whileOwned(async () => {
      try {
        await this.#copy();
        await this.#records.flip(this.#move);
      } catch (failure) {
        if ((await this.#endAfter(failure)) === "undone") throw failure;
        return this.#frozenMs;
      }
      return this.#finish();
    });
  }

  /** Finishes a move that another process has left, or undoes it if it was not final. */
  settle(): Promise<void> {
    return this.#whileOwned(async () => {
      await this.#end();
    });
  }

  get #source(): MovingShard {
    return this.#open(this.#move.source, this.#move);
  }

  get #target(): MovingShard {
    return this.#open(this.#move.target, this.#move);
  }

  async #copy(): Promise<void> {
    const [source, target] = [this.#source, this.#target];
    await source.claim();
    await target.claim();
    const fence = await target.fence();
    if (fence === undefined) await requireNoRows(target);
    await target.setFence("arriving");
    // What a process has copied there that was then suspended, and was not the last to move the account.
    if (fence !== undefined) await removeRows(target);
    const columns = await readColumns(source, target);
    const ledger = new LedgerCopy(source, target, columns);
    const conversations = new ConversationCopy(source, target, columns);
    await ledger.catchUp(this.#goOn);
    await conversations.catchUp(this.#goOn);
    await raiseNumbers(source, target);
    await this.#records.freeze(this.#move);
    await this.#whileFrozen(async () => {
      await source.setFence("leaving");
      await ledger.complete(this.#goOn);
      await conversations.complete(this.#goOn);
      await copyRecords(source, target, columns);
      await compareSums(source, target, ledger.posted);
      await raiseNumbers(source, target);
    });
  }

  /** Throws if another process has taken the move over, or if the account was frozen for too long. */
  readonly #goOn = (): void => {
    if (this.#stopped !== undefined) throw this.#stopped;
  };

  /** Rejects when the account is frozen for too long, also if a server does not answer. */
  async #whileFrozen(work: () => Promise<void>): Promise<void> {
    this.#frozenAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#stopped = new Error(
          `The move of account "${this.#move.account}" was undone, since what was left of the account could not be copied within ${maxFrozenMs} ms. Move it when it and both shards are less busy.`,
        );
        reject(this.#stopped);
      }, maxFrozenMs);
    });
    try {
      await Promise.race([work(), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  get #frozenMs(): number {
    return this.#frozenAt === undefined ? 0 : performance.now() - this.#frozenAt;
  }

  async #endAfter(failure: unknown): Promise<"finished" | "undone"> {
    if (failure instanceof MoveTakenOver) throw failure;
    return this.#end().catch((later: unknown) => {
      throw new AggregateError(
        [failure, later],
        `The move of account "${this.#move.account}" has failed, and was not undone, since a shard or the directory did not answer. Running gateways undo it, or finish it if it is final.`,
      );
    });
  }

  async #end(): Promise<"finished" | "undone"> {
    this.#move = await this.#records.undo(this.#move);
    // Each shard is claimed by itself, since one can be used while the other is down.
    if (this.#move.step === "moved") {
      await this.#finish();
      return "finished";
    }
    await this.#undo();
    return "undone";
  }

  /** The source first, so that the account can be used again. The target refuses it until its rows are removed, and afterwards. */
  async #undo(): Promise<void> {
    const [source, target] = [this.#source, this.#target];
    await source.claim();
    await source.setFence(undefined);
    await target.claim();
    // Without this fence, nothing was copied, and rows that are there belong to nobody's move.
    if ((await target.fence()) === "arriving") {
      await removeRows(target);
      await target.setFence("moved");
    }
    await this.#records.end(this.#move);
  }

  /** Resolves to the number of milliseconds for which the account could not be changed. */
  async #finish(): Promise<number> {
    const [source, target] = [this.#source, this.#target];
    // The target serves the account also while the source is down.
    const [left] = await Promise.allSettled([source.claim().then(() => source.setFence("moved"))]);
    await target.claim();
    await target.setFence(undefined);
    const frozenMs = this.#frozenMs;
    if (left?.status === "rejected") throw this.#unfinished(left.reason);
    try {
      await forgetCopied(source, target);
      await removeRows(source);
      await this.#records.end(this.#move);
    } catch (cause) {
      throw this.#unfinished(cause);
    }
    return frozenMs;
  }

  #unfinished(cause: unknown): unknown {
    if (cause instanceof MoveTakenOver) return cause;
    const { account, source, target } = this.#move;
    return new Error(
      `The account "${account}" was moved to the shard "${target}", and its rows in the shard "${source}" were not all removed. Running gateways remove them.`,
      { cause },
    );
  }

  /** Renews the lease of the move during the work. */
  async #whileOwned<Result>(work: () => Promise<Result>): Promise<Result> {
    const renewing = setInterval(() => {
      const { epoch } = this.#move;
      this.#records.renew(this.#move).catch((error: unknown) => {
        // After an outage of the directory, the lease may still be renewed in time.
        if (error instanceof MoveTakenOver && epoch === this.#move.epoch) this.#stopped = error;
      });
    }, moveLeaseMs / 3);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }
}
