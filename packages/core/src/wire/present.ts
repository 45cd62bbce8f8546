/** True for a text that says something: upstreams send empty ones where they mean none. */
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** True for a time in whole Unix seconds after the epoch. */
export const isTime = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;
