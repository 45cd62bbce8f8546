import {
  memoryBalanceStore,
  memoryKeyStore,
  memoryLimiter,
  memorySessionStore,
  memoryTermsStore,
} from "@tollgate/core";
import { describe, it } from "vitest";
import {
  accountAdminContract,
  balanceStoreContract,
  keyStoreContract,
  limiterContract,
  noticeOutboxContract,
  sessionStoreContract,
  termsStoreContract,
} from "./index.ts";

const test = { describe, it };

balanceStoreContract({ test, create: () => ({ store: memoryBalanceStore() }) });
accountAdminContract({ test, create: () => ({ store: memoryBalanceStore() }) });
noticeOutboxContract({ test, create: () => ({ store: memoryBalanceStore() }) });
keyStoreContract({ test, create: () => ({ store: memoryKeyStore({ prefix: "acme_test", pepper: "a pepper" }) }) });
limiterContract({ test, create: () => ({ store: memoryLimiter() }) });
sessionStoreContract({ test, create: () => ({ store: memorySessionStore() }) });
termsStoreContract({ test, create: () => ({ store: memoryTermsStore() }) });
