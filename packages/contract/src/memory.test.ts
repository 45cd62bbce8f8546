import {
  memoryAuditLog,
  memoryBalanceStore,
  memoryKeyStore,
  memoryLimiter,
  memoryResponseStore,
  memorySessionStore,
  memoryTermsStore,
  memoryUsageStore,
} from "@tollgate/core";
import { memoryPaymentStore } from "@tollgate/payments";
import { describe, it } from "vitest";
import {
  accountAdminContract,
  auditLogContract,
  balanceStoreContract,
  keyStoreContract,
  limiterContract,
  noticeOutboxContract,
  paymentStoreContract,
  responseStoreContract,
  sessionAdminContract,
  sessionStoreContract,
  termsAdminContract,
  termsStoreContract,
  usageStoreContract,
} from "./index.ts";

const test = { describe, it };

auditLogContract({ test, create: () => ({ store: memoryAuditLog() }) });
balanceStoreContract({ test, create: () => ({ store: memoryBalanceStore() }) });
accountAdminContract({ test, create: () => ({ store: memoryBalanceStore() }) });
noticeOutboxContract({ test, create: () => ({ store: memoryBalanceStore() }) });
paymentStoreContract({
  test,
  create() {
    const balances = memoryBalanceStore();
    return { store: { balances, payments: memoryPaymentStore({ balances }) } };
  },
});
keyStoreContract({ test, create: () => ({ store: memoryKeyStore({ prefix: "acme_test", pepper: "a pepper" }) }) });
limiterContract({ test, create: () => ({ store: memoryLimiter() }) });
responseStoreContract({ test, create: () => ({ store: memoryResponseStore() }) });
sessionAdminContract({ test, create: () => ({ store: memorySessionStore() }) });
sessionStoreContract({ test, create: () => ({ store: memorySessionStore() }) });
termsAdminContract({ test, create: () => ({ store: memoryTermsStore() }) });
termsStoreContract({ test, create: () => ({ store: memoryTermsStore() }) });
usageStoreContract({ test, create: () => ({ store: memoryUsageStore() }) });
