import { type Listed, Roster } from "../roster.ts";
import { type EndedHold, EndedHolds, type EndState } from "./ended-holds.ts";
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
  #recent = new Generation();
  #older = new Generation();

  constructor(keep: number) {
    this.#keep = keep;
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
    this.#recent = new Generation();
    for (const hold of this.#pending.snapshot()) this.#recent.add(hold);
  }
}

/** Holds by id: a pending one itself, an ended one as its place in the columns. */
class Generation {
  readonly #holds = new Map<string, PendingHold | number>();
  readonly #ended = new EndedHolds();

  get ended(): number {
    return this.#ended.length;
  }

  get(id: string): PendingHold | EndedHold | undefined {
    const hold = this.#holds.get(id);
    return typeof hold === "number" ? this.#ended.get(hold) : hold;
  }

  add(hold: PendingHold): void {
    this.#holds.set(hold.id, hold);
  }

  end(hold: PendingHold, state: EndState, charged: bigint): void {
    this.#holds.set(hold.id, this.#ended.push(hold, state, charged));
  }

  settleLate(id: string, charged: bigint): void {
    const at = this.#holds.get(id);
    if (typeof at === "number") this.#ended.settleLate(at, charged);
  }
}
