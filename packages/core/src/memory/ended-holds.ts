import { AmountColumn } from "./amount-column.ts";
import { grown } from "./grown.ts";
import type { MemoryAccount } from "./memory-ledger.ts";
import { RecentMap } from "./recent-map.ts";

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
export type EndState = (typeof states)[number];
const states = ["settled", "released", "expired"] as const;
const firstRoom = 8;

/** The holds that ended last, to be recognised by their ids; by columns, as the lines of an account are. */
export class EndedHolds {
  /** Two times as many as must be recognised may be, and one more comes before another's place is taken. */
  readonly #most: number;
  #room = firstRoom;
  readonly #places: RecentMap<number>;
  readonly #accounts: MemoryAccount[] = [];
  readonly #keyIds: string[] = [];
  readonly #amounts = new AmountColumn(firstRoom);
  readonly #charged = new AmountColumn(firstRoom);
  #states = new Uint8Array(firstRoom);
  #next = 0;

  constructor(keep: number) {
    this.#most = 2 * keep + 1;
    this.#places = new RecentMap(keep);
  }

  get(id: string): EndedHold | undefined {
    const at = this.#places.get(id);
    const account = at === undefined ? undefined : this.#accounts[at];
    if (at === undefined || account === undefined) return undefined;
    return {
      account,
      keyId: this.#keyIds[at] ?? "",
      amount: this.#amounts.get(at),
      charged: this.#charged.get(at),
      state: states[this.#states[at] ?? 0] ?? "settled",
    };
  }

  /** Notes a hold that has just ended. */
  add(id: string, hold: EndedHold): void {
    const at = this.#next;
    this.#next = (at + 1) % this.#most;
    if (at >= this.#room) this.#grow();
    this.#places.set(id, at);
    this.#accounts[at] = hold.account;
    this.#keyIds[at] = hold.keyId;
    this.#amounts.set(at, hold.amount);
    this.#charged.set(at, hold.charged);
    this.#states[at] = states.indexOf(hold.state);
  }

  /** A hold that had expired was settled after all. */
  settleLate(id: string, charged: bigint): void {
    const at = this.#places.get(id);
    if (at === undefined) return;
    this.#charged.set(at, charged);
    this.#states[at] = states.indexOf("settled");
  }

  #grow(): void {
    this.#room = Math.min(2 * this.#room, this.#most);
    this.#states = grown(this.#states, new Uint8Array(this.#room));
    this.#amounts.grow(this.#room);
    this.#charged.grow(this.#room);
  }
}
