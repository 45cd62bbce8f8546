/** How many of the last characters of an id tell it from others: prefixes and times stand at the beginning. */
const told = 8;

/**
 * Says of most ids that were not added that they were not (B. H. Bloom, 1970, with one hash). A map of thousands misses
 * the processor's cache several times to say so, and the filter of a map is small enough to stay in it.
 */
export class IdFilter {
  readonly #bits: Uint32Array;
  readonly #mask: number;

  /** For about so many ids, of which one in seven that was not added passes when all are there. */
  constructor(ids: number) {
    const bits = 2 ** Math.min(24, Math.max(5, Math.ceil(Math.log2(6 * ids))));
    this.#bits = new Uint32Array(bits / 32);
    this.#mask = bits - 1;
  }

  add(id: string): void {
    const place = this.#placeOf(id);
    const at = place >>> 5;
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (place & 31));
  }

  /** False only for an id that was not added. */
  mayHave(id: string): boolean {
    const place = this.#placeOf(id);
    return ((this.#bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
  }

  /** FNV-1a, folded. */
  #placeOf(id: string): number {
    let hash = 0x811c9dc5;
    for (let at = Math.max(0, id.length - told); at < id.length; at++)
      hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
    return (hash ^ (hash >>> 15)) & this.#mask;
  }
}
