import type { Account } from "./accounts.ts";
import type { Key, KeyDetail } from "./keys.ts";

/** The most that an account or key may spend in a window. */
export type SpendLimit = NonNullable<Key["spend"]>;

/** A spend limit with what was spent of it; that of an account with whether it is its own or that of its plan. */
export type SpendState = NonNullable<KeyDetail["spend_state"]> & Partial<Pick<NonNullable<Account["spend"]>, "source">>;
