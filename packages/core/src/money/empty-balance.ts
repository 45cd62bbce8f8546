import type { Balance } from "../ports/balance-store.ts";

/** The balance of an unknown account. */
export const emptyBalance: Balance = Object.freeze({ posted: 0n, held: 0n, available: 0n });
