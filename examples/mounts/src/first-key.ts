import { parseAmount } from "@tollgate/core";
import { balances, keys } from "./stores-in-sqlite.ts";

const issued = await keys.create({ account: "customer-17", plan: "prepaid" });
await balances.credit({ id: "invoice-1", account: "customer-17", amount: parseAmount("5.00"), reason: "top-up" });

/** The only copy of the key: show it once. */
export const secret = issued.secret;
