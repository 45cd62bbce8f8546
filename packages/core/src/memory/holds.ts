import { type Listed, Roster } from "../roster.ts";
import { type EndedHold, EndedHolds, type EndState } from "./ended-holds.ts";
import { IdFilter } from "./id-filter.ts";
import type { MemoryAccount } from "./memory-ledger.ts";

/** A hold that runs; amounts in nano-units. */
export class PendingHold implements Listed {
  readonly state = "pending";
  position = 0;
  used = 0n;

  constructor(
    readonly id: string,
    readonly account: MemoryAccount,
    readonly keyId: string,
    readonly amount: bigint,
    /** Milliseconds since the Unix epoch. */
    public expiresAt: number,
  ) {}
}

/**
 * The holds of a ledger by their ids: all that are pending, and those that ended last. One map has both, so that a hold
 * ends in its place. When `keep` have ended in it, another map begins, into which those that are pending come along, and
 * this one is kept until the next change: an ended hold is known at least until `keep` others have ended.
 */
export class Holds {
  readonly #keep: number;
  readonly #pending = new Roster<PendingHold>();
  #recent: Generation;
  #older: Generation;

  constructor(keep: number) {
    this.#keep = keep;
    this.#recent = new Generation(keep);
    this.#older = new Generation(0);
  }

  get(id: string): PendingHold | EndedHold | undefined {
    return this.#recent.get(id) ?? this.#older.get(id);
  }

  pending(): readonly PendingHold[] {
    return this.#pending.snapshot();
  }

  add(hold: PendingHold): void {
    this.#pending.add(hold);
    this.#recent.add(hold);
  }

  end(hold: PendingHold, state: EndState, charged: bigint): void {
    this.#pending.delete(hold);
    // At least as many have ended as come along, so that an end takes constant time, averaged over a generation.
    if (this.#recent.ended >= Math.max(this.#keep, this.#pending.size)) this.#startGeneration();
    this.#recent.end(hold, state, charged);
  }

  /** A hold that had expired was settled after all. */
  settleLate(id: string, charged: bigint): void {
    this.#recent.settleLate(id, charged);
    this.#older.settleLate(id, charged);
  }

  #startGeneration(): void {
    this.#older = this.#recent;
    this.#recent = new Generation(this.#keep);
    for (const hold of this.#pending.snapshot()) this.#recent.add(hold);
  }
}

/** Holds by id: a pending one itself, an ended one as its place in the columns. */
class Generation {
  readonly #holds = new Map<string, PendingHold | number>();
  readonly #ended = new EndedHolds();
  readonly #ids: IdFilter;

  constructor(keep: number) {
    this.#ids = new IdFilter(keep);
  }

  get ended(): number {
    return this.#ended.length;
  }

  get(id: string): PendingHold | EndedHold | undefined {
    // Most that are asked for are new.
    if (!this.#ids.mayHave(id)) return undefined;
    const hold = this.#holds.get(id);
    return typeof hold === "number" ? this.#ended.get(hold) : hold;
  }

  add(hold: PendingHold): void {
    this.#set(hold.id, hold);
  }

  end(hold: PendingHold, state: EndState, charged: bigint): void {
    this.#set(hold.id, this.#ended.push(hold, state, charged));
  }

  #set(id: string, hold: PendingHold | number): void {
    this.#holds.set(id, hold);
    this.#ids.add(id);
  }

  settleLate(id: string, charged: bigint): void {
    const at = this.#holds.get(id);
    if (typeof at === "number") this.#ended.settleLate(at, charged);
  }
}
