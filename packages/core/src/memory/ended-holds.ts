import { AmountColumn } from "./amount-column.ts";
import type { MemoryAccount } from "./memory-ledger.ts";

/** A hold that has ended; amounts in nano-units. */
export interface EndedHold {
  readonly account: MemoryAccount;
  readonly keyId: string;
  readonly amount: bigint;
  /** What has been posted for it. */
  readonly charged: bigint;
  readonly state: EndState;
}

/** How a hold ended. */
export type EndState = "settled" | "released" | "expired";

/** Holds in the order of their ends; by columns, as the lines of an account are. */
export class EndedHolds {
  readonly #accounts: MemoryAccount[] = [];
  readonly #keyIds: string[] = [];
  readonly #states: EndState[] = [];
  #room = 8;
  readonly #amounts = new AmountColumn(this.#room);
  readonly #charged = new AmountColumn(this.#room);

  get length(): number {
    return this.#states.length;
  }

  /** Undefined when there is no such place. */
  get(at: number): EndedHold | undefined {
    const account = this.#accounts[at];
    const keyId = this.#keyIds[at];
    const state = this.#states[at];
    if (account === undefined || keyId === undefined || state === undefined) return undefined;
    return { account, keyId, state, amount: this.#amounts.get(at), charged: this.#charged.get(at) };
  }

  /** Adds a hold that has just ended, and gives its place. */
  push(hold: Omit<EndedHold, "charged" | "state">, state: EndState, charged: bigint): number {
    const at = this.length;
    if (at === this.#room) this.#grow();
    this.#accounts[at] = hold.account;
    this.#keyIds[at] = hold.keyId;
    this.#states[at] = state;
    this.#amounts.set(at, hold.amount);
    this.#charged.set(at, charged);
    return at;
  }

  /** A hold that had expired was settled after all. */
  settleLate(at: number, charged: bigint): void {
    this.#states[at] = "settled";
    this.#charged.set(at, charged);
  }

  #grow(): void {
    this.#room *= 2;
    this.#amounts.grow(this.#room);
    this.#charged.grow(this.#room);
  }
}
