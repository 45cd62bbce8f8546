import { decodeUtf8, encodeUtf8, startsWith } from "../wire/bytes.ts";
import { tryParseJson } from "../wire/json.ts";

/**
 * Searches a text that arrives in pieces for secrets, also for one that is split over pieces. It reads each byte once for
 * each secret, and keeps nothing of the text.
 */
export class SecretSearch {
  readonly #needles: readonly Needle[];
  #found = false;

  constructor(secrets: readonly string[]) {
    this.#needles = secrets.map((secret) => new Needle(encodeUtf8(secret)));
  }

  /** True once a secret was found. */
  get found(): boolean {
    return this.#found;
  }

  /** Adds the content of a JSON string, which is in `bytes` from `start` up to `end`. */
  addJson(bytes: Uint8Array, start: number, end: number): void {
    if (this.#needles.length === 0) return;
    for (let at = start; at < end; at += 1) {
      if (bytes[at] !== backslash) continue;
      const text = tryParseJson(`"${decodeUtf8(bytes.subarray(start, end)) ?? ""}"`);
      if (typeof text === "string") this.addText(text);
      return;
    }
    this.#add(bytes, start, end);
  }

  /** Searches a few bytes, from `start` up to `end`, that are no part of the text. */
  searchApart(bytes: Uint8Array, start: number, end: number): void {
    for (const needle of this.#needles) if (needle.isIn(bytes, start, end)) this.#found = true;
  }

  addText(text: string): void {
    if (this.#needles.length === 0) return;
    const bytes = encodeUtf8(text);
    this.#add(bytes, 0, bytes.length);
  }

  #add(bytes: Uint8Array, start: number, end: number): void {
    for (const needle of this.#needles) if (needle.add(bytes, start, end)) this.#found = true;
  }
}

const backslash = 0x5c;

/** The search for one secret, by the algorithm of Knuth, Morris and Pratt. */
class Needle {
  readonly #wanted: Uint8Array;
  /** How many bytes still match after a mismatch, by the number that matched before. */
  readonly #borders: Uint16Array;
  #matched = 0;

  constructor(wanted: Uint8Array) {
    this.#wanted = wanted;
    this.#borders = bordersOf(wanted);
  }

  /** Returns true if the last byte of the secret is among these. */
  add(bytes: Uint8Array, start: number, end: number): boolean {
    const wanted = this.#wanted;
    let matched = this.#matched;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at];
      while (matched > 0 && wanted[matched] !== byte) matched = this.#borders[matched] ?? 0;
      if (wanted[matched] === byte) matched += 1;
      if (matched === wanted.length) return true;
    }
    this.#matched = matched;
    return false;
  }

  /** Returns true if the whole secret is among these bytes, which are few. */
  isIn(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at <= end - this.#wanted.length; at += 1)
      if (startsWith(bytes, at, end, this.#wanted)) return true;
    return false;
  }
}

function bordersOf(wanted: Uint8Array): Uint16Array {
  const borders = new Uint16Array(wanted.length + 1);
  let border = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (border > 0 && wanted[border] !== wanted[at]) border = borders[border] ?? 0;
    if (wanted[border] === wanted[at]) border += 1;
    borders[at + 1] = border;
  }
  return borders;
}
