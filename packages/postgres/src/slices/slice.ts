import type { Balance, ChargeReceipt, HoldRequest, Renewal, TokenCounts } from "@tollgate/core/store";

/** A request that is held in a slice. */
export interface SlicedHold {
  readonly request: HoldRequest;
  readonly slice: Slice;
  /** Nano-units that it has cost so far, as it was last renewed. */
  used: bigint;
}

/**
 * A hold of the store from which one process holds requests in memory. It admits requests while it is open. When it ends, its
 * running requests are moved to holds of their own; those that the store refuses remain, and the last one of them settles it.
 */
export class Slice {
  readonly id: string = crypto.randomUUID();
  readonly account: string;
  readonly name: string;
  readonly running: Set<SlicedHold> = new Set();
  /** Resolves when the store has held or refused it. */
  taken: Promise<void> | undefined;
  /** The balance of the account when it was taken. Undefined before, and if the store has refused it. */
  balance: Balance | undefined;
  /** Ends it, or repeats its settlement. */
  timer: NodeJS.Timeout | undefined;
  /** Resolves when its settlement was tried once. Undefined before it ends. */
  ending: Promise<void> | undefined;
  /** True once its running requests were moved, except those that the store has refused. */
  isMoved = false;
  readonly #receipts = new ReceiptSum();
  #amount = 0n;
  #endsAt = 0;
  #reserved = 0n;
  #used = 0n;

  constructor(account: string, name: string) {
    this.account = account;
    this.name = name;
  }

  /** Nano-units that the requests in it have cost which have ended. */
  get used(): bigint {
    return this.#used;
  }

  /** True if at least half of it is used, so that it is replaced when a request does not fit. */
  get isHalfUsed(): boolean {
    return this.#amount > 0n && 2n * this.#used >= this.#amount;
  }

  /** Opens it with what the store has held, until a time in milliseconds since the Unix epoch. */
  open(amount: bigint, balance: Balance, endsAt: number): void {
    this.#amount = amount;
    this.balance = balance;
    this.#endsAt = endsAt;
  }

  /** Holds a request if it fits in what is left. The clock is read as well as a timer, which a suspended process misses. */
  hold(request: HoldRequest): SlicedHold | undefined {
    const left = this.#amount - this.#used - this.#reserved;
    if (this.ending !== undefined || request.amount > left || Date.now() >= this.#endsAt) return undefined;
    const held: SlicedHold = { request, slice: this, used: 0n };
    this.running.add(held);
    this.#reserved += request.amount;
    return held;
  }

  /** Takes a request out of it, which has cost nothing here. */
  remove(held: SlicedHold): void {
    this.running.delete(held);
    this.#reserved -= held.request.amount;
  }

  /** Ends a request with its cost, which may exceed its hold. */
  charge(held: SlicedHold, cost: bigint, receipt: ChargeReceipt | undefined): void {
    this.remove(held);
    this.#used += cost;
    if (receipt !== undefined && cost > 0n) this.#receipts.add(receipt);
  }

  /** The receipt of the whole slice; undefined if nothing was charged. */
  receipt(): ChargeReceipt | undefined {
    return this.#receipts.sum();
  }

  /** Its cost so far, once only the requests remain that have no hold of their own. */
  renewal(): Renewal {
    let used = this.#used;
    for (const held of this.running) used += held.used;
    return { id: this.id, account: this.account, used };
  }
}

/**
 * Adds up the receipts of many requests: tokens, and how many there were as the status. Provider, model and prices are those of the
 * last one, and the basis is `reported` if it was for all.
 */
class ReceiptSum {
  readonly #takenAt = Date.now();
  readonly #tokens: { -readonly [Name in keyof TokenCounts]: number } = {
    input: 0,
    cachedInput: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 0,
    reasoning: 0,
  };
  #count = 0;
  #basis: ChargeReceipt["basis"] = "reported";
  #last: ChargeReceipt | undefined;

  add(receipt: ChargeReceipt): void {
    const { tokens, basis } = receipt;
    this.#tokens.input += tokens.input;
    this.#tokens.cachedInput += tokens.cachedInput;
    this.#tokens.cacheWrite5m += tokens.cacheWrite5m;
    this.#tokens.cacheWrite1h += tokens.cacheWrite1h;
    this.#tokens.output += tokens.output;
    this.#tokens.reasoning += tokens.reasoning;
    if (basis !== "reported") this.#basis = basis;
    this.#count += 1;
    this.#last = receipt;
  }

  sum(): ChargeReceipt | undefined {
    if (this.#last === undefined) return undefined;
    const { provider, upstreamModel, prices, tier } = this.#last;
    const status = `slice of ${this.#count} ${this.#count === 1 ? "request" : "requests"}`;
    const durationMs = Date.now() - this.#takenAt;
    return {
      provider,
      upstreamModel,
      prices,
      tier,
      tokens: { ...this.#tokens },
      basis: this.#basis,
      durationMs,
      status,
    };
  }
}
