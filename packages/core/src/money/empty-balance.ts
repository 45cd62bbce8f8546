import type { Balance } from "../ports/balance-store.ts";

/** What an account that was never seen has. */
export const emptyBalance: Balance = Object.freeze({ posted: 0n, held: 0n, available: 0n });
