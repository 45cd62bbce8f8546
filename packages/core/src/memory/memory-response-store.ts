import { checkedWholeNumber } from "../options/problems.ts";
import type {
  ItemLimits,
  NewResponse,
  ResponseConversation,
  ResponseInput,
  ResponseInputPage,
  ResponseItem,
  ResponseItems,
  ResponsePage,
  ResponseRef,
  ResponseStore,
  SaveResult,
  StoredResponse,
} from "../ports/response-store.ts";
import { byteLength, compareBytes } from "../wire/bytes.ts";
import { firstFitting, nextOf } from "./pages.ts";

const maxResponses = 10_000;
const maxBytes = 268_435_456;

/**
 * Returns a ResponseStore in the memory of this process, for development and tests. Responses are lost at exit. Every
 * method is one synchronous step. It keeps the newest responses, at most 10,000 and 256 MiB.
 */
export function memoryResponseStore(): ResponseStore {
  return new MemoryResponseStore();
}

interface SizedItem extends ResponseItem {
  readonly bytes: number;
}

interface Entry {
  /** Its position in the order in which responses were stored. */
  readonly sequence: number;
  readonly account: string;
  readonly response: string;
  readonly previousId: string | undefined;
  readonly input: readonly SizedItem[];
  readonly output: readonly SizedItem[];
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The bytes of the items. */
  readonly itemBytes: number;
  /** The bytes of the response and the items. */
  readonly bytes: number;
}

class MemoryResponseStore implements ResponseStore {
  /** In the order in which they were stored. */
  readonly #entries = new Map<string, Entry>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;
  #stored = 0;

  save(response: NewResponse): SaveResult {
    const { id, account, maxAccountBytes } = response;
    checkedWholeNumber("ttlMs", response.ttlMs, 1);
    const existing = this.#entries.get(id);
    if (existing !== undefined && existing.account !== account) {
      throw new Error("Another account has a response with this id. Create a new id for each response.");
    }
    if (existing !== undefined) return { outcome: "saved" };
    const now = Date.now();
    const entry = newEntry(response, this.#stored, now);
    const isFull = () => (this.#bytesOf.get(account) ?? 0) + entry.bytes > maxAccountBytes;
    if (isFull() && (this.#expire(now, account) === 0 || isFull())) return { outcome: "full" };
    this.#stored += 1;
    this.#entries.set(id, entry);
    this.#count(entry, entry.bytes);
    this.#dropOldest();
    return { outcome: "saved" };
  }

  find(ref: ResponseRef): StoredResponse | undefined {
    const entry = this.#find(ref);
    if (entry === undefined) return undefined;
    const { response, previousId, createdAt } = entry;
    const found = { id: ref.id, account: ref.account, response, createdAt: new Date(createdAt) };
    return previousId === undefined ? found : { ...found, previousId };
  }

  conversation({ id, account }: ResponseRef, limits: ItemLimits): ResponseConversation {
    const newestFirst: Entry[] = [];
    let [bytes, before] = [0, Number.POSITIVE_INFINITY];
    for (let next: string | undefined = id; next !== undefined; ) {
      const entry = this.#find({ id: next, account });
      // A response continues only older ones, so a chain of ids cannot be endless.
      if (entry === undefined || entry.sequence >= before) return { outcome: "unknown" };
      before = entry.sequence;
      bytes += entry.itemBytes;
      if (bytes > limits.maxBytes) return { outcome: "too_long" };
      newestFirst.push(entry);
      next = entry.previousId;
    }
    if (bytes > loadLimit(limits)) return { outcome: "larger", bytes };
    return {
      outcome: "found",
      items: newestFirst.reverse().flatMap(({ input, output }) => [...input, ...output].map(toItem)),
    };
  }

  input(ref: ResponseRef, { limit, maxBytes, order, after }: ResponseInputPage): ResponseInput | undefined {
    checkedWholeNumber("limit", limit, 1);
    const entry = this.#find(ref);
    if (entry === undefined) return undefined;
    const ordered = order === "asc" ? entry.input : [...entry.input].reverse();
    const at = after === undefined ? -1 : ordered.findIndex(({ id }) => id === after);
    if (after !== undefined && at < 0) return undefined;
    const rest = ordered.slice(at + 1);
    const items = firstFitting(rest, maxBytes === undefined ? { limit } : { limit, maxBytes });
    return { items: items.map(toItem), hasMore: rest.length > items.length };
  }

  items(account: string, ids: readonly string[], limits: ItemLimits): ResponseItems {
    const found = new Map<string, SizedItem>();
    const wanted = new Set(ids);
    const now = Date.now();
    for (const entry of this.#entries.values()) {
      if (entry.account !== account || entry.expiresAt <= now) continue;
      for (const item of [...entry.input, ...entry.output]) if (wanted.has(item.id)) found.set(item.id, item);
    }
    const items = [...found.values()];
    const bytes = sizeOf(items);
    if (bytes > limits.maxBytes) return { outcome: "too_long" };
    if (bytes > loadLimit(limits)) return { outcome: "larger", bytes };
    return { outcome: "found", items: items.map(toItem) };
  }

  list({ account, limit, after = "" }: Parameters<ResponseStore["list"]>[0]): ResponsePage {
    const wanted = checkedWholeNumber("limit", limit, 1);
    const rest = [...this.#entries.keys()]
      .filter((id) => compareBytes(id, after) > 0)
      .flatMap((id) => this.find({ id, account }) ?? [])
      .sort((a, b) => compareBytes(a.id, b.id));
    const responses = rest.slice(0, wanted);
    return { responses, ...nextOf(responses, rest.length, ({ id }) => id) };
  }

  forget(account: string): number {
    const own = [...this.#entries].filter(([, entry]) => entry.account === account);
    for (const [id, entry] of own) this.#remove(id, entry);
    return own.length;
  }

  delete(ref: ResponseRef): boolean {
    const entry = this.#find(ref);
    if (entry !== undefined) this.#remove(ref.id, entry);
    return entry !== undefined;
  }

  expire(): number {
    return this.#expire(Date.now());
  }

  /** Removes the expired responses of one account, or of all accounts. */
  #expire(now: number, account?: string): number {
    const expired = [...this.#entries].filter(
      ([, entry]) => entry.expiresAt <= now && (account === undefined || entry.account === account),
    );
    for (const [id, entry] of expired) this.#remove(id, entry);
    return expired.length;
  }

  #dropOldest(): void {
    for (const [id, entry] of this.#entries) {
      if ((this.#entries.size <= maxResponses && this.#bytes <= maxBytes) || this.#entries.size === 1) return;
      this.#remove(id, entry);
    }
  }

  #remove(id: string, entry: Entry): void {
    this.#entries.delete(id);
    this.#count(entry, -entry.bytes);
  }

  #count({ account }: Entry, change: number): void {
    this.#bytes += change;
    const bytes = (this.#bytesOf.get(account) ?? 0) + change;
    if (bytes === 0) this.#bytesOf.delete(account);
    else this.#bytesOf.set(account, bytes);
  }

  #find({ id, account }: ResponseRef): Entry | undefined {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.account === account && entry.expiresAt > Date.now() ? entry : undefined;
  }
}

function newEntry(stored: NewResponse, sequence: number, now: number): Entry {
  const { account, response, input, output, previousId, ttlMs } = stored;
  const [inputItems, outputItems] = [input.map(toSized), output.map(toSized)];
  const itemBytes = sizeOf([...inputItems, ...outputItems]);
  return {
    sequence,
    account,
    response,
    previousId,
    input: inputItems,
    output: outputItems,
    createdAt: now,
    expiresAt: now + ttlMs,
    itemBytes,
    bytes: byteLength(response) + itemBytes,
  };
}

const loadLimit = ({ maxBytes, loadBytes = maxBytes }: ItemLimits): number => loadBytes;

const sizeOf = (items: readonly SizedItem[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);

const toSized = ({ id, json }: ResponseItem): SizedItem => ({ id, json, bytes: byteLength(json) });

const toItem = ({ id, json }: SizedItem): ResponseItem => ({ id, json });
