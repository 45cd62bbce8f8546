import { memoryAuditLog, memoryBalanceStore, memoryKeyStore, memoryUsageStore } from "@tollgate/core";

// Memory loses everything when the process ends.
export const keys = memoryKeyStore();
export const balances = memoryBalanceStore();
export const usage = memoryUsageStore();
export const audit = memoryAuditLog();
