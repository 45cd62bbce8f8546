export { type SqlitePaymentStoreOptions, sqlitePaymentStore } from "./payments/payment-store.ts";
