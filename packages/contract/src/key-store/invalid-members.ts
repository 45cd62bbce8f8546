import type { NewKey } from "@tollgate/core/store";

/** Members with which no key can be created or changed. */
export const invalidMembers: readonly Partial<NewKey>[] = [
  { limits: { requests: { limit: 0 } } },
  { limits: { requests: { limit: 1.5 } } },
  { limits: { requests: { limit: 5, windowSeconds: 0 } } },
  { limits: { tokens: { limit: -1 } } },
  { limits: { tokens: { limit: 5, windowSeconds: 604_801 } } },
  { limits: { concurrency: Number.NaN } },
  { spend: { limit: -1n, window: "day" } },
  { spend: { limit: 2n ** 63n, window: "day" } },
  { spend: { limit: 1n, window: "day", timezone: "Mars/Base" } },
  { spend: { limit: 1n, window: "day", timezone: "" } },
  { tags: [""] },
  { tags: ["x".repeat(65)] },
  { tags: Array.from({ length: 17 }, (_, index) => `tag-${index}`) },
];
