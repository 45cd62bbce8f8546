/** The most requests of which items are kept. Beyond it, those of the oldest are forgotten. */
const limit = 10_000;

const none: readonly never[] = [];

/** Items of running requests, until their request or call ends. */
export class PerRequest<Item> {
  readonly #items = new Map<string, Item[]>();

  add(requestId: string, item: Item): void {
    const items = this.#items.get(requestId);
    if (items === undefined) this.#items.set(requestId, [item]);
    else items.push(item);
    if (this.#items.size <= limit) return;
    const [oldest] = this.#items.keys();
    if (oldest !== undefined) this.#items.delete(oldest);
  }

  /** Returns the items of a request in their order, and forgets them. */
  take(requestId: string): readonly Item[] {
    const items = this.#items.get(requestId);
    if (items === undefined) return none;
    this.#items.delete(requestId);
    return items;
  }
}
