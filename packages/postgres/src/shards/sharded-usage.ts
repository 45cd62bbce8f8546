import { compareBytes, nextOf, topOf } from "@tollgate/core/internal";
import {
  checkedWholeNumber,
  type ForgottenUsage,
  mergeSummary,
  type TargetAttempts,
  type UsagePage,
  type UsagePosition,
  type UsageQuery,
  type UsageRow,
  type UsageStore,
  type UsageSummaryRow,
} from "@tollgate/core/store";
import { Recent } from "../recent.ts";
import { type ListOrder, mergePages } from "./merged-pages.ts";
import type { Shards } from "./shards.ts";
import { mergeAttempts, restrictToTop } from "./usage-sums.ts";

// A gateway keeps fewer rows than this for another try.
const remembered = 100_000;
// Groups of one shard in one summary. Above it, those with the least cost may be missing from the top of all.
const exactGroups = 10_000;

/**
 * The UsageStore over shards. A row is added to the shard that has its account at the time, and stays there when the account moves,
 * so every read asks all shards.
 */
export class ShardedUsage implements UsageStore {
  readonly #shards: Shards;
  /** The shards of rows that were perhaps added: they are tried again there, so that no row is in two shards. */
  readonly #uncertain = new Recent<string>(remembered);

  constructor(shards: Shards) {
    this.#shards = shards;
  }

  async record(rows: readonly UsageRow[]): Promise<number> {
    const byShard = await this.#place(rows);
    const settled = await Promise.allSettled([...byShard].map(([name, own]) => this.#recordOn(name, own)));
    return settled.reduce((sum, result) => {
      if (result.status === "rejected") throw result.reason;
      return sum + result.value;
    }, 0);
  }

  async summary(query: UsageQuery): Promise<readonly UsageSummaryRow[]> {
    const top = topOf(query);
    const asked = { ...query, top: Math.max(top, exactGroups) };
    const parts = await this.#shards.onAll(({ usage }) => usage.summary(asked));
    return mergeSummary(restrictToTop(parts.flat(), top));
  }

  async attempts(query: Parameters<UsageStore["attempts"]>[0]): Promise<readonly TargetAttempts[]> {
    return mergeAttempts((await this.#shards.onAll(({ usage }) => usage.attempts(query))).flat());
  }

  async list(query: Parameters<UsageStore["list"]>[0]): Promise<UsagePage> {
    const limit = checkedWholeNumber("limit", query.limit, 1);
    const pages = await this.#shards.onAll(async ({ name, usage }) => {
      const { rows, next } = await usage.list(query);
      return { shard: name, items: rows, hasMore: next !== undefined };
    });
    const { items, hasMore } = await mergePages(this.#shards.directory, pages, newestFirst, limit);
    return { rows: items, ...nextOf(items, items.length + Number(hasMore), ({ at, id }) => ({ at, id })) };
  }

  async prune(before: Date): Promise<number> {
    const pruned = await this.#shards.onAll(({ usage }) => usage.prune(before));
    return pruned.reduce((sum, count) => sum + count, 0);
  }

  /** Every shard continues after the earliest end of their batches. What a shard has forgotten again is not counted twice. */
  async forget(query: Parameters<UsageStore["forget"]>[0]): Promise<ForgottenUsage> {
    const batches = await this.#shards.onAll(({ usage }) => usage.forget(query));
    const changed = batches.reduce((sum, batch) => sum + batch.changed, 0);
    const [next] = batches.flatMap((batch) => batch.next ?? []).sort(oldestFirst);
    return next === undefined ? { changed } : { changed, next };
  }

  async #place(rows: readonly UsageRow[]): Promise<ReadonlyMap<string, readonly UsageRow[]>> {
    const accounts = [...new Set(rows.map(({ account }) => account))];
    const placed = await Promise.all(
      accounts.map(async (account) => [account, await this.#shards.nameFor(account)] as const),
    );
    const shardOf = new Map(placed);
    const shardOfRow = ({ id, account }: UsageRow) => this.#uncertain.get(id) ?? shardOf.get(account) ?? "";
    const names = new Set(rows.map(shardOfRow));
    return new Map([...names].map((name) => [name, rows.filter((row) => shardOfRow(row) === name)]));
  }

  async #recordOn(name: string, rows: readonly UsageRow[]): Promise<number> {
    for (const { id } of rows) this.#uncertain.set(id, name);
    const added = await this.#shards.get(name).usage.record(rows);
    for (const { id } of rows) this.#uncertain.delete(id);
    return added;
  }
}

const oldestFirst = (one: UsagePosition, other: UsagePosition): number =>
  one.at.getTime() - other.at.getTime() || compareBytes(one.id, other.id);

const newestFirst: ListOrder<UsageRow> = {
  compare: (one, other) => oldestFirst(other, one),
  accountOf: ({ account }) => account,
};
