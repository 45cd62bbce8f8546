import type { BalanceStore, ChargeReceipt, HoldRequest, HoldResult } from "@tollgate/core/store";

/** The methods of a BalanceStore that a request calls. */
export type RequestStore = Pick<BalanceStore, "hold" | "settle" | "release">;

/** How allowances are taken. */
export interface AllowanceOptions {
  /** Nano-units that one hold of the store takes from the account. */
  readonly amount: bigint;
  readonly leaseMs: number;
  /** The receipt of an allowance, which stands for many requests. */
  readonly receipt: ChargeReceipt;
}

/** One hold of the store, and what the requests in it have cost and may still cost. */
interface Allowance {
  readonly id: string;
  readonly amount: bigint;
  used: bigint;
  reserved: bigint;
  /** True if no further request may use it. It is settled when its last request has ended. */
  isClosed: boolean;
}

/**
 * Takes allowances from the accounts of a store, and holds the requests of this process within them in memory: one hold and
 * one settlement of the store serve as many requests as an allowance pays for. The account is never overspent, since an
 * allowance is held before it is used. What an allowance has left is unavailable to other processes until it is settled,
 * and the ledger has one charge for each allowance in place of one for each request.
 */
export class AllowanceBalanceStore implements RequestStore {
  readonly #store: BalanceStore;
  readonly #options: AllowanceOptions;
  readonly #current = new Map<string, Promise<Allowance | undefined>>();
  readonly #holds = new Map<string, { readonly allowance: Allowance; readonly amount: bigint }>();

  constructor(store: BalanceStore, options: AllowanceOptions) {
    this.#store = store;
    this.#options = options;
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    const { account, id, amount } = request;
    for (let attempt = 0; attempt < 2; attempt++) {
      const pending = this.#current.get(account) ?? this.#take(request);
      const allowance = await pending;
      if (allowance === undefined) break;
      if (!allowance.isClosed && allowance.used + allowance.reserved + amount <= allowance.amount) {
        allowance.reserved += amount;
        this.#holds.set(id, { allowance, amount });
        const available = allowance.amount - allowance.used - allowance.reserved;
        return { outcome: "held", balance: { posted: allowance.amount, held: allowance.reserved, available }, amount };
      }
      if (this.#current.get(account) === pending) this.#current.delete(account);
      allowance.isClosed = true;
      await this.#settleUnused(allowance);
    }
    // The account cannot pay for an allowance, or the request is larger than one.
    return this.#store.hold(request);
  }

  async settle(id: string, amount: bigint, receipt: ChargeReceipt) {
    const held = this.#holds.get(id);
    if (held === undefined) return this.#store.settle(id, amount, receipt);
    this.#holds.delete(id);
    held.allowance.reserved -= held.amount;
    held.allowance.used += amount;
    await this.#settleUnused(held.allowance);
    return { outcome: "ended" } as const;
  }

  async release(id: string) {
    const held = this.#holds.get(id);
    if (held === undefined) return this.#store.release(id);
    this.#holds.delete(id);
    held.allowance.reserved -= held.amount;
    await this.#settleUnused(held.allowance);
    return { outcome: "ended" } as const;
  }

  /** Settles all allowances, so that what they have left is available again. */
  async flush(): Promise<void> {
    const allowances = await Promise.all(this.#current.values());
    this.#current.clear();
    for (const allowance of allowances) {
      if (allowance === undefined) continue;
      allowance.isClosed = true;
      await this.#settleUnused(allowance);
    }
  }

  #take(request: HoldRequest): Promise<Allowance | undefined> {
    const taken = this.#hold(request);
    this.#current.set(request.account, taken);
    return taken;
  }

  async #hold(request: HoldRequest): Promise<Allowance | undefined> {
    const { amount, leaseMs } = this.#options;
    const id = crypto.randomUUID();
    const result = await this.#store.hold({ ...request, id, amount, flexible: undefined, leaseMs });
    return result.outcome === "held" ? { id, amount, used: 0n, reserved: 0n, isClosed: false } : undefined;
  }

  async #settleUnused({ id, used, reserved, isClosed }: Allowance): Promise<void> {
    if (isClosed && reserved === 0n) await this.#store.settle(id, used, this.#options.receipt);
  }
}
