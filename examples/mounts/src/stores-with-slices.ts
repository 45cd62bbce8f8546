import { postgresStores } from "@tollgate/postgres";
import { pool } from "./stores-in-postgres.ts";

/** Busy keys pay from slices of at most 5.00, while their account has more than 50.00 besides. */
const slices = { amount: "5.00", above: "50.00" };

const stores = await postgresStores(pool, { prefix: "acme", slices });
export const { keys, balances, terms, sessions, limiter, close } = stores;
