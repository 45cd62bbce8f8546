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

/**
 * What a line says of money that moved. It has no numbers: where one is now an integer and now a double in V8, literals
 * of this shape are no longer made inline, but by a call of its runtime.
 */
export type Movement = Omit<Line, "sequence" | "at">;

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
  readonly #kinds: EntryKind[] = [];
  readonly #references: string[] = [];
  readonly #reasons: (string | undefined)[] = [];

  constructor(keep: number) {
    this.#keep = keep;
  }

  get length(): number {
    return this.#count;
  }

  /** Adds a line of this moment. */
  push(sequence: number, { kind, amount, reference, reason }: Movement): void {
    if (this.#count >= this.#keep) this.#bringForward();
    if (this.#count === this.#room) this.#grow();
    const at = this.#count;
    this.#sequences[at] = sequence;
    this.#times[at] = Date.now();
    this.#kinds[at] = kind;
    this.#amounts.set(at, amount);
    this.#references[at] = reference;
    this.#reasons[at] = reason;
    this.#count = at + 1;
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
      kind: this.#kinds[at] ?? "credit",
      amount: this.#amounts.get(at),
      reference: this.#references[at] ?? "",
      reason: this.#reasons[at],
      at: this.#times[at] ?? 0,
    };
  }

  #grow(): void {
    this.#room = Math.min(2 * this.#room, Math.max(this.#keep, firstRoom));
    this.#sequences = grown(this.#sequences, new Float64Array(this.#room));
    this.#times = grown(this.#times, new Float64Array(this.#room));
    this.#amounts.grow(this.#room);
  }

  #bringForward(): void {
    // One line in the place of one would make no room.
    const old = Math.max(2, Math.ceil(this.#count / 2));
    const amount = this.sum(old);
    this.#dropFirst(old - 1);
    this.#kinds[0] = amount < 0n ? "debit" : "credit";
    this.#amounts.set(0, amount);
    this.#references[0] = "brought-forward";
    this.#reasons[0] = "balance brought forward";
  }

  #dropFirst(count: number): void {
    for (const column of [this.#sequences, this.#times]) column.copyWithin(0, count);
    for (const column of [this.#kinds, this.#references, this.#reasons]) column.splice(0, count);
    this.#amounts.dropFirst(count);
    this.#count -= count;
  }
}
