export type { PaidGateway, PaymentsOptions } from "./assemble-payments.ts";
export type { EventRules } from "./change.ts";
export { type MemoryPaymentStore, memoryPaymentStore } from "./memory-payment-store.ts";
export type {
  Checkout,
  Dispute,
  Money,
  NewPayment,
  Payment,
  PaymentState,
  Product,
  Receipt,
  SavedMethod,
  Shares,
} from "./payment.ts";
export type { PaymentEvent } from "./payment-event.ts";
export type { ChargeResult, PaymentProvider, ProviderMovement, ReadEvent } from "./payment-provider.ts";
export type {
  ApplyResult,
  BeginResult,
  PaymentPage,
  PaymentQuery,
  PaymentStore,
  WaitingEvent,
} from "./payment-store.ts";
export { type Payments, payments } from "./payments.ts";
export type { PaymentSummary, PaymentsEvent, PaymentsListener } from "./payments-event.ts";
export { paymentProblems } from "./problems.ts";
export type { ProductOption } from "./products.ts";
export { ProviderUnavailable } from "./provider-unavailable.ts";
export type { Difference } from "./reconcile/difference.ts";
export { type Reconciliation, reconcile } from "./reconcile/reconcile.ts";
export type { ReconcileOptions } from "./reconcile/reconcile-options.ts";
export type { AuthorizeCustomer, Customer, FreezeLog, Freezer } from "./services.ts";
export type { DueTopUp, NewTopUp, StoppedTopUp, TopUp } from "./top-up.ts";
