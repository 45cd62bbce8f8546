import { checkedWholeNumber } from "../options/problems.ts";
import { requireKnown } from "../options/require-known.ts";
import type { ContentPage, ContentStore, RequestContentRecord } from "../ports/content-store.ts";
import { compareBytes } from "../wire/bytes.ts";
import { nextOf } from "./pages.ts";

/**
 * Returns a ContentStore in the memory of this process, for development and tests. It keeps the newest `keep` records
 * (1,000 by default).
 */
export function memoryContentStore(options: { readonly keep?: number } = {}): ContentStore {
  requireKnown("memoryContentStore", options, { keep: true });
  return new MemoryContentStore(checkedWholeNumber("keep", options.keep ?? 1_000, 1));
}

class MemoryContentStore implements ContentStore {
  readonly #keep: number;
  readonly #records = new Map<string, RequestContentRecord>();

  constructor(keep: number) {
    this.#keep = keep;
  }

  record(records: readonly RequestContentRecord[]): void {
    for (const record of records)
      if (!this.#records.has(record.id)) this.#records.set(record.id, structuredClone(record));
    for (const id of this.#records.keys()) {
      if (this.#records.size <= this.#keep) break;
      this.#records.delete(id);
    }
  }

  find(id: string): RequestContentRecord | undefined {
    return structuredClone(this.#records.get(id));
  }

  list({ account, limit, after = "" }: Parameters<ContentStore["list"]>[0]): ContentPage {
    const wanted = checkedWholeNumber("limit", limit, 1);
    const rest = [...this.#records.values()]
      .filter((record) => record.account === account && compareBytes(record.id, after) > 0)
      .sort((a, b) => compareBytes(a.id, b.id));
    const records = structuredClone(rest.slice(0, wanted));
    return { records, ...nextOf(records, rest.length, ({ id }) => id) };
  }

  remove(records: readonly Pick<RequestContentRecord, "id">[]): number {
    return records.filter(({ id }) => this.#records.delete(id)).length;
  }

  prune(before: Date): number {
    const old = [...this.#records.values()].filter(({ at }) => at < before);
    for (const { id } of old) this.#records.delete(id);
    return old.length;
  }
}
