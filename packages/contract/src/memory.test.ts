import {
  memoryBalanceStore,
  memoryKeyStore,
  memoryLimiter,
  memorySessionStore,
  memoryTermsStore,
  memoryUsageStore,
} from "@tollgate/core";
import { describe, it } from "vitest";
import {
  balanceStoreContract,
  keyStoreContract,
  limiterContract,
  sessionStoreContract,
  termsStoreContract,
  usageStoreContract,
} from "./index.ts";

const test = { describe, it };

balanceStoreContract({ test, create: () => ({ store: memoryBalanceStore() }) });
keyStoreContract({ test, create: () => ({ store: memoryKeyStore({ prefix: "acme_test", pepper: "a pepper" }) }) });
limiterContract({ test, create: () => ({ store: memoryLimiter() }) });
sessionStoreContract({ test, create: () => ({ store: memorySessionStore() }) });
termsStoreContract({ test, create: () => ({ store: memoryTermsStore() }) });
usageStoreContract({ test, create: () => ({ store: memoryUsageStore() }) });
