import { memoryBalanceStore, memoryKeyStore, memoryLimiter, memoryTermsStore } from "@tollgate/core";
import { describe, it } from "vitest";
import { balanceStoreContract, keyStoreContract, limiterContract, termsStoreContract } from "./index.ts";

const test = { describe, it };

balanceStoreContract({ test, create: () => ({ store: memoryBalanceStore() }) });
keyStoreContract({ test, create: () => ({ store: memoryKeyStore({ prefix: "acme_test", pepper: "a pepper" }) }) });
limiterContract({ test, create: () => ({ store: memoryLimiter() }) });
termsStoreContract({ test, create: () => ({ store: memoryTermsStore() }) });
