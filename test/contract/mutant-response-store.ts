import type {
  ItemLimits,
  NewResponse,
  ResponseConversation,
  ResponseInput,
  ResponseInputPage,
  ResponseItem,
  ResponseItems,
  ResponseRef,
  ResponseStore,
  SaveResult,
  StoredResponse,
} from "@tollgate/core/store";
import { firstFitting } from "@tollgate/core/store";
import type { ResponseMutations } from "./response-mutations.ts";

interface Row {
  readonly saved: NewResponse;
  readonly createdAt: Date;
  expiresAt: number;
}

/** A minimal store that satisfies the contract, with a switch for each mutation. */
export class MutantResponseStore implements ResponseStore {
  readonly #mutations: ResponseMutations;
  readonly #rows = new Map<string, Row>();
  readonly #leftItems = new Map<string, readonly ResponseItem[]>();
  readonly #used = new Map<string, number>();

  constructor(mutations: ResponseMutations) {
    this.#mutations = mutations;
  }

  async save(given: NewResponse): Promise<SaveResult> {
    if (!Number.isSafeInteger(given.ttlMs) || given.ttlMs < 1) throw new RangeError("ttlMs must be a whole number.");
    const saved = this.#mutations.referencesShared ? given : { ...given, ...copyOf(given) };
    const { id, account, ttlMs, maxAccountBytes } = given;
    const existing = this.#rows.get(id);
    if (existing !== undefined && existing.saved.account !== account && !this.#mutations.foreignIdSaved) {
      throw new Error("The id belongs to another account.");
    }
    if (existing !== undefined && this.#mutations.repeatedSaveCounted) this.#count(given, 1);
    if (existing !== undefined && !this.#mutations.saveOverwrites) return { outcome: "saved" };
    const used = this.#used.get(this.#mutations.limitShared ? "all" : account) ?? 0;
    const isFull = used - this.#expiredBytes(account) + this.#sizeOf(given) > maxAccountBytes;
    if (this.#mutations.limitReadEarly) await Promise.resolve();
    if (isFull && !this.#mutations.refusedIsStored) return { outcome: "full" };
    this.#rows.set(id, { saved, createdAt: new Date(), expiresAt: Date.now() + ttlMs });
    this.#count(given, 1);
    return { outcome: isFull ? "full" : "saved" };
  }

  async find(ref: ResponseRef): Promise<StoredResponse | undefined> {
    const row = this.#find(ref);
    if (row === undefined) return undefined;
    const { id, account, response, previousId } = row.saved;
    const text = this.#mutations.jsonReformatted ? JSON.stringify(JSON.parse(response)) : response;
    const isFirst = previousId === undefined || this.#mutations.previousIdLost;
    return { id, account, response: text, createdAt: row.createdAt, ...(isFirst ? {} : { previousId }) };
  }

  async conversation(ref: ResponseRef, { maxBytes, loadBytes = maxBytes }: ItemLimits): Promise<ResponseConversation> {
    const chain: ResponseItem[][] = [];
    const seen = new Set<string>();
    let bytes = 0;
    for (let next: string | undefined = ref.id; next !== undefined; ) {
      const row: Row | undefined = seen.has(next)
        ? undefined
        : this.#find({ id: next, account: this.#accountOfLink(ref, next) });
      seen.add(next);
      if (row === undefined && this.#mutations.missingAncestorSkipped && chain.length > 0) break;
      if (row === undefined) return { outcome: "unknown" };
      const { input, output, response, previousId }: NewResponse = row.saved;
      const left = this.#leftItems.get(next) ?? [];
      chain.push(this.#mutations.outputBeforeInput ? [...output, ...input] : [...left, ...input, ...output]);
      bytes += this.#lengthOf(chain.at(-1) ?? []) + (this.#mutations.lengthWithResponse ? response.length : 0);
      if (bytes > maxBytes && !this.#mutations.lengthUnlimited) return { outcome: "too_long" };
      next = previousId;
    }
    if (bytes > loadBytes && !this.#mutations.chainLoadUnlimited) return { outcome: "larger", bytes };
    if (this.#mutations.chainReadInSteps) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return { outcome: "found", items: this.#stillStored(chain, [...seen]) };
    }
    return { outcome: "found", items: (this.#mutations.newestFirst ? chain : chain.reverse()).flat() };
  }

  async input(ref: ResponseRef, page: ResponseInputPage): Promise<ResponseInput | undefined> {
    if (!Number.isSafeInteger(page.limit) || page.limit < 1) throw new RangeError("limit must be a whole number.");
    const row = this.#find(ref);
    if (row === undefined) return undefined;
    const { input, output, previousId } = row.saved;
    const earlier = this.#mutations.pageOfConversation ? this.#rows.get(previousId ?? "")?.saved.input : [];
    const listed = [...(earlier ?? []), ...input, ...(this.#mutations.pageOfOutput ? output : [])];
    if (page.order === "desc" && !this.#mutations.orderIgnored) listed.reverse();
    const at = page.after === undefined ? -1 : listed.findIndex(({ id }) => id === page.after);
    if (page.after !== undefined && at < 0 && !this.#mutations.cursorUnchecked) return undefined;
    const rest = listed.slice(at + (this.#mutations.cursorIncluded && at >= 0 ? 0 : 1));
    const items = this.#pageOf(rest, page);
    return { items, hasMore: items.length < rest.length || (this.#mutations.hasMoreAtEnd ?? false) };
  }

  async items(
    account: string,
    ids: readonly string[],
    { maxBytes, loadBytes = maxBytes }: ItemLimits,
  ): Promise<ResponseItems> {
    const found: ResponseItem[] = [];
    const rows = [...this.#rows.values()].filter(
      ({ saved, expiresAt }) =>
        (saved.account === account || this.#mutations.accountIgnoredByItems) && expiresAt > Date.now(),
    );
    for (const { saved } of this.#mutations.oldestItem ? rows : rows.reverse()) {
      const own = this.#mutations.itemsOfInputOnly ? saved.input : [...saved.output, ...saved.input];
      for (const item of own) {
        const isNew = found.every(({ id }) => id !== item.id) || this.#mutations.itemsTwice;
        if (ids.includes(item.id) && isNew) found.push(item);
      }
    }
    const bytes = this.#lengthOf(found);
    if (bytes > maxBytes && !this.#mutations.itemsUnlimited) return { outcome: "too_long" };
    const isLarger = bytes > loadBytes && !this.#mutations.itemLoadUnlimited;
    return isLarger ? { outcome: "larger", bytes } : { outcome: "found", items: found };
  }

  async delete(ref: ResponseRef): Promise<boolean> {
    const row = this.#find(ref);
    if (row === undefined) return this.#mutations.deletionAlwaysTrue ?? false;
    this.#remove(row);
    return true;
  }

  async expire(): Promise<number> {
    const due = [...this.#rows.values()].filter(
      ({ expiresAt }) => expiresAt <= Date.now() || this.#mutations.sweepTakesAll,
    );
    if (this.#mutations.sweepMiscounts) await Promise.resolve();
    for (const row of due) this.#remove(row);
    return due.length;
  }

  #find({ id, account }: ResponseRef): Row | undefined {
    const row = this.#rows.get(id);
    if (row === undefined || (row.saved.account !== account && !this.#mutations.accountIgnored)) return undefined;
    if (this.#mutations.readingRenews && row.expiresAt > Date.now()) row.expiresAt = Date.now() + row.saved.ttlMs;
    return row.expiresAt > Date.now() || this.#mutations.timeEndsAtSweep ? row : undefined;
  }

  #remove(row: Row): void {
    const { id, input, output } = row.saved;
    if (this.#rows.get(id) !== row) return;
    this.#rows.delete(id);
    if (this.#mutations.deletionKeepsItems) this.#leftItems.set(id, [...input, ...output]);
    if (!this.#mutations.deletionKeepsBytes) this.#count(row.saved, -1);
  }

  #accountOfLink(ref: ResponseRef, id: string): string {
    const isForeign = this.#mutations.accountIgnoredByChains && id !== ref.id;
    return isForeign ? (this.#rows.get(id)?.saved.account ?? ref.account) : ref.account;
  }

  #stillStored(chain: readonly ResponseItem[][], ids: readonly string[]): ResponseItem[] {
    return chain
      .filter((_, at) => this.#rows.has(ids[at] ?? ""))
      .reverse()
      .flat();
  }

  #pageOf(rest: readonly ResponseItem[], { limit, maxBytes = Number.POSITIVE_INFINITY }: ResponseInputPage) {
    const sized = rest.map((item) => ({ item, bytes: Buffer.byteLength(item.json) }));
    const most = this.#mutations.pageBytesIgnored ? Number.POSITIVE_INFINITY : maxBytes;
    const fitting = firstFitting(sized, { limit, maxBytes: most });
    const isTooLarge = this.#mutations.pageOfNothing && (fitting[0]?.bytes ?? 0) > maxBytes;
    return isTooLarge ? [] : fitting.map(({ item }) => item);
  }

  #lengthOf(items: readonly ResponseItem[]): number {
    const { lengthInCharacters } = this.#mutations;
    return items.reduce((sum, { json }) => sum + (lengthInCharacters ? json.length : Buffer.byteLength(json)), 0);
  }

  #expiredBytes(account: string): number {
    if (this.#mutations.expiredCount) return 0;
    const expired = [...this.#rows.values()].filter(
      ({ saved, expiresAt }) => saved.account === account && expiresAt <= Date.now(),
    );
    return expired.reduce((sum, { saved }) => sum + this.#sizeOf(saved), 0);
  }

  #sizeOf({ response, input, output }: NewResponse): number {
    const { bytesAreCharacters, inputUncounted, responseUncounted } = this.#mutations;
    const texts = [
      ...(responseUncounted ? [] : [response]),
      ...[...(inputUncounted ? [] : input), ...output].map(({ json }) => json),
    ];
    return texts.reduce((sum, text) => sum + (bytesAreCharacters ? text.length : Buffer.byteLength(text)), 0);
  }

  #count(response: NewResponse, sign: 1 | -1): void {
    for (const account of [response.account, "all"]) {
      this.#used.set(account, (this.#used.get(account) ?? 0) + sign * this.#sizeOf(response));
    }
  }
}

const copyOf = ({ input, output }: NewResponse) => ({ input: [...input], output: [...output] });
