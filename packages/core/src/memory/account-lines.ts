import type { EntryKind } from "../ports/balance-store.ts";
import { AmountColumn } from "./amount-column.ts";
import { grown } from "./grown.ts";

/** One line of an account; the amount in nano-units, the time in milliseconds since the Unix epoch. */
export interface Line {
  readonly sequence: number;
  readonly kind: EntryKind;
  readonly amount: bigint;
  readonly reference: string;
  readonly reason: string | undefined;
  readonly at: number;
}

const kinds: readonly EntryKind[] = ["credit", "debit", "charge", "late", "expiry"];
/** So few that V8 has them in its own heap: most accounts of most tests have no more. */
const firstRoom = 8;

/**
 * The lines of one account, by columns: thousands of them are kept, and as objects they would be copied and looked at by
 * every collection of garbage. Of at most `keep` lines the older half becomes one, "balance brought forward", so that
 * they still sum to what is posted.
 */
export class AccountLines {
  readonly #keep: number;
  #count = 0;
  #room = firstRoom;
  readonly #amounts = new AmountColumn(firstRoom);
  #sequences = new Float64Array(firstRoom);
  #times = new Float64Array(firstRoom);
  #kinds = new Uint8Array(firstRoom);
  readonly #references: string[] = [];
  readonly #reasons: (string | undefined)[] = [];

  constructor(keep: number) {
    this.#keep = keep;
  }

  get length(): number {
    return this.#count;
  }

  push(line: Line): void {
    if (this.#count >= this.#keep) this.#bringForward();
    if (this.#count === this.#room) this.#grow();
    this.#set(this.#count, line);
    this.#count += 1;
  }

  /** The lines from a place on, at most `limit`. */
  slice(from: number, limit: number): Line[] {
    const length = Math.max(0, Math.min(limit, this.#count - from));
    return Array.from({ length }, (_, index) => this.#get(from + index));
  }

  /** The place of the first line whose sequence is higher. */
  after(sequence: number): number {
    let at = 0;
    while (at < this.#count && (this.#sequences[at] ?? 0) <= sequence) at += 1;
    return at;
  }

  sum(to = this.#count): bigint {
    let sum = 0n;
    for (let at = 0; at < to; at++) sum += this.#amounts.get(at);
    return sum;
  }

  #get(at: number): Line {
    return {
      sequence: this.#sequences[at] ?? 0,
      kind: kinds[this.#kinds[at] ?? 0] ?? "credit",
      amount: this.#amounts.get(at),
      reference: this.#references[at] ?? "",
      reason: this.#reasons[at],
      at: this.#times[at] ?? 0,
    };
  }

  #set(at: number, { sequence, kind, amount, reference, reason, at: time }: Line): void {
    this.#sequences[at] = sequence;
    this.#times[at] = time;
    this.#kinds[at] = kinds.indexOf(kind);
    this.#amounts.set(at, amount);
    this.#references[at] = reference;
    this.#reasons[at] = reason;
  }

  #grow(): void {
    this.#room = Math.min(2 * this.#room, Math.max(this.#keep, firstRoom));
    this.#sequences = grown(this.#sequences, new Float64Array(this.#room));
    this.#times = grown(this.#times, new Float64Array(this.#room));
    this.#kinds = grown(this.#kinds, new Uint8Array(this.#room));
    this.#amounts.grow(this.#room);
  }

  #bringForward(): void {
    // One line in the place of one would make no room.
    const old = Math.max(2, Math.ceil(this.#count / 2));
    const last = this.#get(old - 1);
    const amount = this.sum(old);
    const kept = this.slice(old, this.#count);
    this.#references.length = 0;
    this.#reasons.length = 0;
    const kind = amount < 0n ? "debit" : "credit";
    this.#set(0, { ...last, kind, amount, reference: "brought-forward", reason: "balance brought forward" });
    for (const [at, line] of kept.entries()) this.#set(at + 1, line);
    this.#count = kept.length + 1;
  }
}
