import type { KeyFormatOptions } from "@tollgate/core";
import { compareBytes, nextOf } from "@tollgate/core/internal";
import {
  type AccountPlans,
  type ApiKey,
  checkedAccountQuery,
  checkedId,
  checkedKeyMembers,
  checkedKeyQuery,
  checkedWholeNumber,
  type IssuedKey,
  type KeyAdmin,
  type KeyChanges,
  KeyMaker,
  type KeyPage,
  type KeyQuery,
  type KeyStore,
  keyLocation,
  type NewKey,
} from "@tollgate/core/store";
import type { NumberedKey } from "../key-store.ts";
import { isStorableText } from "../storable-values.ts";
import type { AccountDirectory, KeyPlace } from "./directory.ts";
import { type ListOrder, mergePages } from "./merged-pages.ts";
import type { ShardCall, Shards } from "./shards.ts";

/** The KeyStore and KeyAdmin over shards. A key is in the shard of its account; the directory knows its account by digest and id. */
export class ShardedKeys implements KeyStore, KeyAdmin {
  readonly [keyLocation]: string;
  readonly #shards: Shards;
  readonly #directory: AccountDirectory;
  readonly #maker: KeyMaker;

  constructor(shards: Shards, location: string, options: KeyFormatOptions) {
    this.#shards = shards;
    this.#directory = shards.directory;
    this.#maker = new KeyMaker(options);
    this[keyLocation] = location;
  }

  async find(presented: string): Promise<ApiKey | undefined> {
    const digest = await this.#maker.digestOf(presented);
    const place = digest === undefined ? undefined : await this.#directory.shardOfKey(digest);
    return place && this.#shards.read(place.account, ({ keys }) => keys.find(presented));
  }

  async get(keyId: string): Promise<ApiKey | undefined> {
    const place = await this.#placeOf(keyId);
    return place && this.#shards.read(place.account, ({ keys }) => keys.get(keyId));
  }

  /** The digest is written first: a key that its shard then does not create is unknown, as one that was never issued. */
  async create(newKey: NewKey): Promise<IssuedKey> {
    const made = await this.#maker.make(newKey);
    const { id, account } = made.key;
    return this.#shards.change(account, async ({ keys }) =>
      keys.insert(made, await this.#directory.addKey({ digest: made.digest, id, account })),
    );
  }

  async createWithin(newKey: NewKey, most: number): Promise<IssuedKey | undefined> {
    const made = await this.#maker.make(newKey);
    const { id, account } = made.key;
    const create: ShardCall<IssuedKey | undefined> = async ({ keys }) =>
      keys.insertWithin(made, most, await this.#directory.addKey({ digest: made.digest, id, account }));
    return this.#orForgotten(made.digest, await this.#shards.change(account, create, isAbsent));
  }

  async list(query: KeyQuery): Promise<KeyPage> {
    const { account, after, limit, ...filter } = checkedKeyQuery(query);
    const place = after === undefined ? undefined : await this.#placeOf(after);
    // One key more than the limit shows whether there is another page.
    const asked = { ...filter, ...(account === undefined ? {} : { account }), limit: limit + 1 };
    const found = await this.#listNumbered(asked, place?.sequence ?? 0n);
    const keys = found.slice(0, limit).map(({ key }) => key);
    return { keys, ...nextOf(keys, found.length, ({ id }) => id) };
  }

  async accountsWithKeys(query: Parameters<KeyAdmin["accountsWithKeys"]>[0]): Promise<readonly AccountPlans[]> {
    const { limit } = checkedAccountQuery(query);
    const pages = await this.#shards.onAll(async ({ name, keys }) => {
      const items = await keys.accountsWithKeys(query);
      return { shard: name, items, hasMore: items.length === limit };
    });
    return (await mergePages(this.#directory, pages, byAccount, limit)).items;
  }

  async update(keyId: string, changes: KeyChanges): Promise<ApiKey | undefined> {
    checkedKeyMembers(changes);
    return this.#changeKey(keyId, ({ keys }) => keys.update(keyId, changes));
  }

  async revoke(keyId: string): Promise<ApiKey | undefined> {
    return this.#changeKey(keyId, ({ keys }) => keys.revoke(keyId));
  }

  async rotate(keyId: string, options: { readonly graceMs: number }): Promise<IssuedKey | undefined> {
    const graceMs = checkedWholeNumber("graceMs", options.graceMs, 0);
    const place = await this.#placeOf(keyId);
    if (place === undefined) return undefined;
    const { account } = place;
    const made = await this.#maker.generate();
    const replace: ShardCall<IssuedKey | undefined> = async ({ keys }) =>
      keys.replace(keyId, made, graceMs, await this.#directory.addKey({ digest: made.digest, id: made.id, account }));
    return this.#orForgotten(made.digest, await this.#shards.changeKnown(account, replace, isAbsent));
  }

  onChange(listener: (keyId: string | undefined) => void): () => void {
    const removals = this.#shards.all.map(({ keys }) => keys.onChange(listener));
    return () => {
      for (const remove of removals) remove();
    };
  }

  async #placeOf(keyId: string): Promise<KeyPlace | undefined> {
    return isStorableText(checkedId("keyId", keyId)) ? this.#directory.shardOfKeyId(keyId) : undefined;
  }

  async #changeKey(keyId: string, call: ShardCall<ApiKey | undefined>): Promise<ApiKey | undefined> {
    const place = await this.#placeOf(keyId);
    return place && this.#shards.changeKnown(place.account, call, isAbsent);
  }

  /** Forgets the digest of a key that was not created. */
  async #orForgotten(digest: string, issued: IssuedKey | undefined): Promise<IssuedKey | undefined> {
    if (issued === undefined) await this.#directory.removeKey(digest);
    return issued;
  }

  async #listNumbered(query: KeyQuery, afterSequence: bigint): Promise<readonly NumberedKey[]> {
    const { account, limit } = query;
    if (account !== undefined) {
      return this.#shards.read(account, ({ keys }) => keys.listNumbered(query, afterSequence));
    }
    const pages = await this.#shards.onAll(async ({ name, keys }) => {
      const items = await keys.listNumbered(query, afterSequence);
      return { shard: name, items, hasMore: items.length === limit };
    });
    return (await mergePages(this.#directory, pages, bySequence, limit)).items;
  }
}

const isAbsent = (result: unknown): boolean => result === undefined;

const bySequence: ListOrder<NumberedKey> = {
  compare: (one, other) => Number(one.sequence - other.sequence),
  accountOf: ({ key }) => key.account,
};

const byAccount: ListOrder<AccountPlans> = {
  compare: (one, other) => compareBytes(one.id, other.id),
  accountOf: ({ id }) => id,
};
