import { checkedWholeNumber, type Notice, type NoticeOutbox, type WaitingNotices } from "@tollgate/core/store";
import { Recent } from "../recent.ts";
import type { Shard } from "./shard.ts";
import type { Shards } from "./shards.ts";

const remembered = 10_000;

/**
 * The NoticeOutbox over shards. A notice stays in the shard in which it was written, also when its account moves. While a shard is
 * down, the notices of the others are delivered.
 */
export class ShardedNotices implements NoticeOutbox {
  readonly #all: Shards;
  /** The shards of the notices that this process has claimed. */
  readonly #claimed = new Recent<Shard>(remembered);
  #turn = 0;

  constructor(shards: Shards) {
    this.#all = shards;
  }

  /** The shards take turns to be asked first, so that each is asked and knows that somebody reads. */
  async claimNotices(query: Parameters<NoticeOutbox["claimNotices"]>[0]): Promise<readonly Notice[]> {
    const limit = checkedWholeNumber("limit", query.limit, 1);
    const { all } = this.#all;
    this.#turn = (this.#turn + 1) % all.length;
    const notices: Notice[] = [];
    const failures: unknown[] = [];
    for (const shard of [...all.slice(this.#turn), ...all.slice(0, this.#turn)]) {
      if (notices.length === limit) break;
      try {
        notices.push(...(await this.#claim(shard, { ...query, limit: limit - notices.length })));
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (notices.length === 0 && failures.length > 0) throw failures[0];
    return notices.sort((one, other) => one.at.getTime() - other.at.getTime());
  }

  postponeNotice(id: string, query: Parameters<NoticeOutbox["postponeNotice"]>[1]): Promise<void> {
    return this.#onShardOf(id, ({ balances }) => balances.postponeNotice(id, query));
  }

  finishNotice(id: string): Promise<void> {
    return this.#onShardOf(id, ({ balances }) => balances.finishNotice(id));
  }

  async waitingNotices(): Promise<WaitingNotices> {
    const waiting = await this.#all.onAll(({ balances }) => balances.waitingNotices());
    const times = waiting.flatMap(({ oldestAt }) => oldestAt?.getTime() ?? []);
    return {
      count: waiting.reduce((sum, { count }) => sum + count, 0),
      ...(times.length === 0 ? {} : { oldestAt: new Date(Math.min(...times)) }),
    };
  }

  async #claim(shard: Shard, query: Parameters<NoticeOutbox["claimNotices"]>[0]): Promise<readonly Notice[]> {
    const notices = await shard.balances.claimNotices(query);
    for (const { id } of notices) this.#claimed.set(id, shard);
    return notices;
  }

  /** Calls the shard of a notice, or all of them for one that another process has claimed: the others do not have it. */
  async #onShardOf(id: string, call: (shard: Shard) => Promise<void>): Promise<void> {
    const shard = this.#claimed.get(id);
    if (shard === undefined) await this.#all.onAll(call);
    else await call(shard);
  }
}
