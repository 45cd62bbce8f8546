/** True for a text that is not empty. Upstreams send an empty text for an absent one. */
export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** True for a time in whole Unix seconds after the epoch. */
export const isTime = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0;
