import type { AccountAdmin, BalanceStore } from "@tollgate/core/store";
import type { PaymentProvider } from "../payment-provider.ts";
import type { PaymentStore } from "../payment-store.ts";
import type { Difference } from "./difference.ts";

/** What to reconcile. */
export interface ReconcileOptions {
  readonly provider: PaymentProvider;
  readonly store: PaymentStore;
  /** Usually the balance store. */
  readonly balances: Pick<BalanceStore, "entries"> & Pick<AccountAdmin, "listAccounts">;
  /** The time range by when the provider moved the money, `to` excluded. */
  readonly from: Date;
  readonly to: Date;
  /** Receives each difference as it is found. */
  readonly onDifference: (difference: Difference) => void;
}
