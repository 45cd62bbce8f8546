import type {
  ItemLimits,
  NewResponse,
  ResponseConversation,
  ResponseInput,
  ResponseInputPage,
  ResponseItems,
  ResponsePage,
  ResponseRef,
  ResponseStore,
  SaveResult,
  StoredResponse,
} from "@tollgate/core/store";
import type { Shards } from "./shards.ts";

/** The ResponseStore over shards. A response is in the shard of its account. */
export class ShardedResponses implements ResponseStore {
  readonly #shards: Shards;

  constructor(shards: Shards) {
    this.#shards = shards;
  }

  save(response: NewResponse): Promise<SaveResult> {
    const isFull = ({ outcome }: SaveResult) => outcome === "full";
    return this.#shards.change(response.account, ({ responses }) => responses.save(response), isFull);
  }

  find(ref: ResponseRef): Promise<StoredResponse | undefined> {
    return this.#shards.read(ref.account, ({ responses }) => responses.find(ref));
  }

  conversation(ref: ResponseRef, limits: ItemLimits): Promise<ResponseConversation> {
    return this.#shards.read(ref.account, ({ responses }) => responses.conversation(ref, limits));
  }

  input(ref: ResponseRef, page: ResponseInputPage): Promise<ResponseInput | undefined> {
    return this.#shards.read(ref.account, ({ responses }) => responses.input(ref, page));
  }

  items(account: string, ids: readonly string[], limits: ItemLimits): Promise<ResponseItems> {
    return this.#shards.read(account, ({ responses }) => responses.items(account, ids, limits));
  }

  list(query: Parameters<ResponseStore["list"]>[0]): Promise<ResponsePage> {
    return this.#shards.read(query.account, ({ responses }) => responses.list(query));
  }

  delete(ref: ResponseRef): Promise<boolean> {
    return this.#shards.changeKnown(
      ref.account,
      ({ responses }) => responses.delete(ref),
      (isDeleted) => !isDeleted,
    );
  }

  forget(account: string): Promise<number> {
    return this.#shards.read(account, ({ responses }) => responses.forget(account));
  }

  expire(): Promise<number> {
    return this.#shards.sweep(({ responses }) => responses.expire());
  }
}
