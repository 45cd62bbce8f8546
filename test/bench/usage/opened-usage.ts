import { latencyBounds, type UsageStore } from "@tollgate/core/store";

/** A store with a year of rows, and what removes it. */
export interface OpenedUsage {
  readonly store: UsageStore;
  close(): void | Promise<void>;
}

/** The number of keys; five of them share an account. */
export const keys = 1_000;

/** The number of the key of request `n`, in SQL: all alike, or nine tenths of the requests by the keys of one account. */
export const keySql = {
  even: `(n * 7919 % ${keys})`,
  skewed: `(CASE n % 10 WHEN 0 THEN n / 10 % ${keys} ELSE 35 + n % 5 END)`,
} as const;

/** How requests are distributed over the keys. */
export type Distribution = keyof typeof keySql;

/** What both databases generate rows from. */
export const shape = { models: 8, bounds: latencyBounds.join(", ") } as const;
