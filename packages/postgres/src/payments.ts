export { type PostgresPaymentStoreOptions, postgresPaymentStore } from "./payments/payment-store.ts";
