import { type GatewayOptions, memoryUsageStore } from "@tollgate/core";

/** Keeps rows of 30 days, and their totals without a limit of time. */
export const usage: GatewayOptions["usage"] = { store: memoryUsageStore(), retentionDays: 30 };
