import type { Awaitable } from "@tollgate/core/internal";

/** What management reads and erases of the payments of customers: a `PaymentStore` of `@tollgate/payments`. */
export interface PaymentRecords {
  /** Returns a page of the payments of an account; `next` is absent on the last. */
  list(query: {
    readonly account: string;
    readonly limit: number;
    readonly after?: string;
  }): Awaitable<{ readonly payments: readonly PaymentRecord[]; readonly next?: string }>;
  topUp(account: string): Awaitable<TopUpRecord | undefined>;
  /** Removes the top-up and what payments have of the customer. Returns how many it changed, zero if there is nothing left. */
  forget(account: string): Awaitable<number>;
}

/** A payment. Prices, taxes, refunds and disputes are in the minor unit of the price, the rest is in nano-units. */
export interface PaymentRecord {
  readonly id: string;
  readonly provider: string;
  readonly live: boolean;
  readonly kind: string;
  readonly state: string;
  readonly createdAt: Date;
  readonly savesMethod: boolean;
  readonly product: {
    readonly id: string;
    readonly price: { readonly amount: bigint; readonly currency: string };
    readonly credit: bigint;
    readonly bonus: bigint;
  };
  readonly checkout?: { readonly reference: string; readonly url: string; readonly expiresAt: Date };
  readonly receipt?: {
    readonly reference: string;
    readonly at: Date;
    readonly tax: bigint;
    readonly invoiceUrl?: string;
    readonly receiptUrl?: string;
  };
  readonly method?: MethodRecord;
  readonly refunded: bigint;
  readonly refundedAt?: Date;
  readonly disputes: readonly {
    readonly reference: string;
    readonly state: string;
    readonly amount: bigint;
    readonly at: Date;
  }[];
  readonly takenBack: { readonly credit: bigint; readonly bonus: bigint };
  readonly problem?: string;
}

/** An automatic top-up. `below` is in nano-units. */
export interface TopUpRecord {
  readonly product: string;
  readonly below: bigint;
  readonly maxPerDay: number;
  readonly method: MethodRecord;
  readonly stopped?: { readonly at: Date; readonly reason: string };
}

/** The provider's ids of a saved payment method. */
export interface MethodRecord {
  readonly customer: string;
  readonly method: string;
}
