import type { Operation, Page } from "@tollgate/page-kit/api/operations.ts";

/** An amount of a currency, as the provider charges it. */
export interface Price {
  readonly amount: string;
  readonly currency: string;
}

/** What the host sells. */
export interface Product {
  readonly id: string;
  readonly price: Price;
  readonly credit: string;
  readonly bonus: string;
}

/** A payment of the account. */
export interface Payment {
  readonly id: string;
  readonly state: "pending" | "open" | "processing" | "ended" | "paid" | "held";
  readonly created_at: string;
  readonly price: Price;
  readonly credit: string;
  readonly bonus: string;
  readonly checkout_url: string | null;
  readonly invoice_url: string | null;
  readonly receipt_url: string | null;
}

/** What the account is topped up with by itself. */
export interface TopUp {
  readonly product: string;
  readonly below: string;
  readonly max_per_day: number;
  readonly stopped: { readonly at: string; readonly reason: string } | null;
}

type NewTopUp = Omit<TopUp, "stopped">;
type ShownTopUp = { readonly top_up: TopUp | null };
type Purchase = { readonly product: string; readonly save_method: boolean };

/** The operations of `@tollgate/payments`. */
export interface PaymentsApi {
  readonly products: Operation<{ readonly data: readonly Product[] }>;
  readonly payments: Operation<Page<Payment>>;
  readonly checkout: Operation<{ readonly url: string }, Purchase>;
  readonly topUp: Operation<ShownTopUp>;
  readonly setTopUp: Operation<ShownTopUp, NewTopUp>;
  readonly removeTopUp: Operation<ShownTopUp>;
}

/** Returns the operations of `@tollgate/payments`, which the host mounts at `base`. */
export const paymentsAt = (base: string): PaymentsApi => ({
  products: { base, method: "GET", path: "/products" },
  payments: { base, method: "GET", path: "/payments" },
  checkout: { base, method: "POST", path: "/checkout" },
  topUp: { base, method: "GET", path: "/top-up" },
  setTopUp: { base, method: "PUT", path: "/top-up" },
  removeTopUp: { base, method: "DELETE", path: "/top-up" },
});
