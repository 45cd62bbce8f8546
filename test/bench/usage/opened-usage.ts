import { latencyBounds, type UsageStore } from "@tollgate/core/store";

/** A store with a year of rows, and what removes it. */
export interface OpenedUsage {
  readonly store: UsageStore;
  close(): void | Promise<void>;
}

/** The number of keys; five of them share an account. */
export const keys = 1_000;

/** What both databases generate rows from. */
export const shape = { models: 8, bounds: latencyBounds.join(", ") } as const;
