import { compareBytes, nextOf } from "@tollgate/core/internal";
import {
  type AcceptancePage,
  checkedAcceptanceQuery,
  type TermsAcceptance,
  type TermsAdmin,
  type TermsStore,
} from "@tollgate/core/store";
import { type ListOrder, mergePages } from "./merged-pages.ts";
import type { Shards } from "./shards.ts";

/** The TermsStore and TermsAdmin over shards. */
export class ShardedTerms implements TermsStore, TermsAdmin {
  readonly #shards: Shards;

  constructor(shards: Shards) {
    this.#shards = shards;
  }

  accept(account: string, versionId: string): Promise<TermsAcceptance> {
    return this.#shards.change(account, ({ terms }) => terms.accept(account, versionId));
  }

  /** An acceptance that is found stays true, so only its absence is in doubt. */
  acceptance(account: string, versionIds: readonly string[]): Promise<TermsAcceptance | undefined> {
    return this.#shards.changeKnown(account, ({ terms }) => terms.acceptance(account, versionIds), isAbsent);
  }

  async listAcceptances(query: Parameters<TermsAdmin["listAcceptances"]>[0]): Promise<AcceptancePage> {
    const { account, limit } = checkedAcceptanceQuery(query);
    if (account !== undefined) return this.#shards.read(account, ({ terms }) => terms.listAcceptances(query));
    const pages = await this.#shards.onAll(async ({ name, terms }) => {
      const { acceptances, next } = await terms.listAcceptances(query);
      return { shard: name, items: acceptances, hasMore: next !== undefined };
    });
    const { items, hasMore } = await mergePages(this.#shards.directory, pages, order, limit);
    return { acceptances: items, ...nextOf(items, items.length + Number(hasMore), positionOf) };
  }
}

const isAbsent = (result: unknown): boolean => result === undefined;

const positionOf = ({ account, versionId }: TermsAcceptance) => ({ account, versionId });

const order: ListOrder<TermsAcceptance> = {
  compare: (one, other) => compareBytes(one.account, other.account) || compareBytes(one.versionId, other.versionId),
  accountOf: ({ account }) => account,
};
