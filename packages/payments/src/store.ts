// What authors of stores use.

export { applyEvent } from "./apply-event.ts";
export { beginPayment } from "./begin-payment.ts";
export type { Change, EventRules, LedgerPosting } from "./change.ts";
export type { Column, ColumnValue } from "./column.ts";
export { readEvent, writeEvent } from "./event-json.ts";
export { forgottenColumns } from "./forgotten-payment.ts";
export {
  type Checkout,
  type Dispute,
  type Money,
  type NewPayment,
  type Payment,
  type PaymentState,
  type Product,
  paymentStates,
  type Receipt,
  type SavedMethod,
  type Shares,
} from "./payment.ts";
export type { PaymentEvent } from "./payment-event.ts";
export { paymentColumns, readPayment } from "./payment-row.ts";
export type {
  ApplyResult,
  BeginResult,
  PaymentPage,
  PaymentQuery,
  PaymentStore,
  WaitingEvent,
} from "./payment-store.ts";
export { type Subject, subjectOf } from "./subject.ts";
export { dueBack } from "./take-back.ts";
export type { DueTopUp, NewTopUp, StoppedTopUp, TopUp } from "./top-up.ts";
export { readTopUp, topUpColumns } from "./top-up-row.ts";
